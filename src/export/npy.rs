//! NumPy's file format, version 1.0, as `numpy.lib.format` describes it.

use super::table::{Dtype, Numbers, Table};

/// The numbers begin at a multiple of this number of bytes.
const ALIGNMENT: usize = 64;

/// The header of the file, before the numbers.
pub fn header(table: &Table) -> Vec<u8> {
    header_of_shape((table.max_len, table.cells.d_model()), table.dtype)
}

pub fn header_of_shape((rows, columns): (usize, usize), dtype: Dtype) -> Vec<u8> {
    let descr = match dtype {
        Dtype::Float32 => "<f4",
        Dtype::Float64 => "<f8",
    };
    let mut words =
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    // The header text follows two bytes with its length and ends with a line feed.
    let length = (bytes.len() + 2 + words.len() + 1).next_multiple_of(ALIGNMENT);
    let padded = length - bytes.len() - 2;
    while words.len() + 1 < padded {
        words.push(' ');
    }
    words.push('\n');
    bytes.extend((padded as u16).to_le_bytes());
    bytes.extend(words.into_bytes());
    bytes
}

pub fn write_rows(numbers: &Numbers, out: &mut Vec<u8>) {
    match numbers {
        Numbers::Float32(numbers) => out.extend(numbers.iter().flat_map(|n| n.to_le_bytes())),
        Numbers::Float64(numbers) => out.extend(numbers.iter().flat_map(|n| n.to_le_bytes())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use posenc_encoding::{Encoding, Layout, TableConfig};

    #[test]
    fn the_header_is_what_numpy_writes() {
        let size = TableConfig {
            max_len: 50,
            d_model: 512,
            base: 10_000.0,
            layout: Layout::Interleaved,
        };
        let table = Table::new(Encoding::Sinusoidal, &size, Dtype::Float32).unwrap();
        let header = header(&table);
        assert_eq!(header.len(), 128);
        assert_eq!(&header[..10], b"\x93NUMPY\x01\x00\x76\x00");
        let words = String::from_utf8_lossy(&header[10..]);
        let dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (50, 512), }";
        assert_eq!(words.trim_end_matches([' ', '\n']), dictionary);
        assert!(words.ends_with(" \n"));
    }
}
