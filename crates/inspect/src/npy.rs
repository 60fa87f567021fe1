//! Reads NumPy's .npy, versions 1.0 to 3.0, as `numpy.lib.format` describes it.

use std::ops::Range;

use crate::fault::ReadError;
use crate::precision::Precision;
use crate::table::{DataLayout, Table, TableDecoder, decode, rows_and_columns};

/// The first bytes of every file.
pub const MAGIC: &[u8] = b"\x93NUMPY";

/// Maximum length of the header in bytes: that of a table of numbers is shorter; NumPy itself stops at 10,000.
const MAX_HEADER_LEN: u64 = 65_536;

/// Maximum number of axes of an array in NumPy.
const MAX_AXES: usize = 64;

/// The parsed header: shape, format and offset of the numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NpyHeader {
    shape: Vec<u64>,
    layout: DataLayout,
    data_offset: usize,
}

impl NpyHeader {
    /// Returns the number of bytes before the numbers, given the first twelve of the file (or all of a shorter one).
    pub fn length(start: &[u8]) -> Result<usize, ReadError> {
        let truncated = |needed: usize| ReadError::Truncated {
            needed: needed as u64,
            found: start.len() as u64,
            unit: "bytes",
        };
        if !start.starts_with(MAGIC) {
            return Err(ReadError::Format);
        }
        let [major, minor] = match start.get(6..8) {
            Some(&[major, minor]) => [major, minor],
            _ => return Err(truncated(8)),
        };
        let (before, length) = match (major, start.get(8..)) {
            (1, Some([a, b, ..])) => (10, u32::from(u16::from_le_bytes([*a, *b]))),
            (2 | 3, Some([a, b, c, d, ..])) => (12, u32::from_le_bytes([*a, *b, *c, *d])),
            (1..=3, _) => return Err(truncated(if major == 1 { 10 } else { 12 })),
            _ => return Err(ReadError::NpyVersion(major, minor)),
        };
        if u64::from(length) > MAX_HEADER_LEN {
            return Err(ReadError::HeaderTooLong {
                bytes: length.into(),
            });
        }
        Ok(before + length as usize)
    }

    /// Parses the header from the start of a file.
    pub fn parse(bytes: &[u8]) -> Result<NpyHeader, ReadError> {
        let length = NpyHeader::length(bytes)?;
        let Some(header) = bytes.get(..length) else {
            return Err(ReadError::Truncated {
                needed: length as u64,
                found: bytes.len() as u64,
                unit: "bytes",
            });
        };
        let before = if bytes.get(6) == Some(&1) { 10 } else { 12 };
        let text = header.get(before..).unwrap_or_default();
        let text = String::from_utf8_lossy(text);
        let descr = value_of(&text, "descr").ok_or(ReadError::Header("descr"))?;
        let order = value_of(&text, "fortran_order").ok_or(ReadError::Header("fortran_order"))?;
        let shape = value_of(&text, "shape").ok_or(ReadError::Header("shape"))?;
        let fortran_order = match order {
            _ if order.starts_with("True") => true,
            _ if order.starts_with("False") => false,
            _ => return Err(ReadError::Header("fortran_order")),
        };
        let (precision, big_endian, is_complex) = dtype(descr)?;
        let mut shape = tuple(shape)?;
        if is_complex {
            // Real and imaginary part, the cosine and the sine of an angle.
            shape.push(2);
        }
        Ok(NpyHeader {
            shape,
            layout: DataLayout {
                precision,
                big_endian,
                fortran_order,
            },
            data_offset: length,
        })
    }

    /// Returns the range of bytes that hold the numbers. Fails if the shape is not that of a table.
    pub fn range(&self) -> Result<Range<usize>, ReadError> {
        let (rows, columns) = rows_and_columns(&self.shape)?;
        let bytes = rows * columns * self.layout.precision.bytes();
        Ok(self.data_offset..self.data_offset + bytes)
    }

    /// Returns a decoder that takes the bytes of [`range`](Self::range) part by part.
    pub(crate) fn decoder(&self) -> Result<TableDecoder, ReadError> {
        TableDecoder::new(&self.shape, self.layout)
    }

    /// Decodes the table from the bytes of [`range`](Self::range).
    pub fn table(&self, numbers: &[u8]) -> Result<Table, ReadError> {
        // Axes of length 1 do not affect the order of the numbers.
        decode(numbers, &self.shape, self.layout)
    }
}

/// Reads the table of a whole file.
pub fn read(bytes: &[u8]) -> Result<Table, ReadError> {
    let header = NpyHeader::parse(bytes)?;
    header.table(bytes.get(header.data_offset..).unwrap_or_default())
}

/// Returns the text after a key of the header's dictionary, which contains no other dictionary.
fn value_of<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let quoted = ['\'', '"'].map(|quote| format!("{quote}{key}{quote}"));
    let after = quoted.iter().find_map(|key| text.split_once(key.as_str()));
    Some(after?.1.trim_start().strip_prefix(':')?.trim_start())
}

/// Returns the format of the numbers, whether they are big-endian, and whether they are complex.
fn dtype(descr: &str) -> Result<(Precision, bool, bool), ReadError> {
    let quote = descr.chars().next().filter(|c| matches!(c, '\'' | '"'));
    let Some(quote) = quote else {
        return Err(ReadError::Dtype("a structure of fields".into()));
    };
    let name = descr.split(quote).nth(1).unwrap_or_default();
    let (big_endian, kind) = match name.split_at_checked(1) {
        Some((">", kind)) => (true, kind),
        Some(("<" | "|" | "=", kind)) => (false, kind),
        _ => (false, name),
    };
    let precision = match kind {
        "f2" => Precision::F16,
        "f4" | "c8" => Precision::F32,
        "f8" | "c16" => Precision::F64,
        // NumPy saves the bfloat16 of ml_dtypes as V2.
        "V2" | "bfloat16" => Precision::Bf16,
        _ => return Err(ReadError::Dtype(name.chars().take(40).collect())),
    };
    Ok((precision, big_endian, kind.starts_with('c')))
}

fn tuple(text: &str) -> Result<Vec<u64>, ReadError> {
    let inside = text
        .strip_prefix('(')
        .and_then(|text| text.split_once(')'))
        .ok_or(ReadError::Header("shape"))?
        .0;
    let mut shape = Vec::new();
    for part in inside.split(',').map(str::trim) {
        if part.is_empty() {
            continue;
        }
        // Python 2 wrote 64L.
        let digits = part.trim_end_matches('L');
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(ReadError::Header("shape"));
        }
        shape.push(digits.parse().map_err(|_| ReadError::Overflow)?);
        if shape.len() > MAX_AXES {
            return Err(ReadError::Header("shape"));
        }
    }
    Ok(shape)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(version: u8, text: &str, numbers: &[u8]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([version, 0]);
        if version == 1 {
            bytes.extend((text.len() as u16).to_le_bytes());
        } else {
            bytes.extend((text.len() as u32).to_le_bytes());
        }
        bytes.extend(text.as_bytes());
        bytes.extend(numbers);
        bytes
    }

    fn text(descr: &str, order: &str, shape: &str) -> String {
        format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n")
    }

    #[test]
    fn every_order_of_bytes_and_axes_is_the_same_table() {
        let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let little: Vec<u8> = values.iter().flat_map(|v: &f64| v.to_le_bytes()).collect();
        let big: Vec<u8> = values
            .iter()
            .flat_map(|v| (*v as f32).to_be_bytes())
            .collect();
        let column_major = [1.0_f64, 4.0, 2.0, 5.0, 3.0, 6.0];
        let column_major: Vec<u8> = column_major.iter().flat_map(|v| v.to_le_bytes()).collect();
        let bf16: Vec<u8> = values
            .iter()
            .flat_map(|v| (((*v as f32).to_bits() >> 16) as u16).to_le_bytes())
            .collect();
        for (version, descr, order, shape, bytes) in [
            (1, "'<f8'", "False", "(2, 3)", &little),
            (2, "'<f8'", "True", "(2, 3)", &column_major),
            (3, "'>f4'", "False", "(1, 2, 3)", &big),
            (1, "\"|V2\"", "False", "(2L, 1, 3L)", &bf16),
        ] {
            let table = read(&file(version, &text(descr, order, shape), bytes)).unwrap();
            assert_eq!((table.rows(), table.columns()), (2, 3));
            assert_eq!(table.values(), values);
            assert_eq!(table.squeezed().is_some(), shape.matches(',').count() > 1);
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let read = |version, descr, order, shape, bytes| {
            read(&file(version, &text(descr, order, shape), bytes)).unwrap_err()
        };
        let eight = &[0; 8];
        assert_eq!(
            read(1, "'<f4'", "False", "(2, 3)", eight),
            ReadError::Truncated {
                needed: 24,
                found: 8,
                unit: "bytes"
            }
        );
        assert_eq!(
            read(4, "'<f4'", "False", "(2, 1)", eight),
            ReadError::NpyVersion(4, 0)
        );
        assert_eq!(
            read(1, "'<i8'", "False", "(1, 1)", eight),
            ReadError::Dtype("<i8".into())
        );
        assert!(matches!(
            read(1, "[('a', '<f4')]", "False", "(2, 1)", eight),
            ReadError::Dtype(_)
        ));
        assert_eq!(
            read(1, "'<f4'", "False", "()", eight),
            ReadError::Shape(vec![])
        );
        assert_eq!(
            read(1, "'<f4'", "False", "(2, 2, 3, 5)", eight),
            ReadError::Shape(vec![2, 2, 3, 5])
        );
        assert_eq!(
            read(1, "'<f4'", "False", "(2, 0)", eight),
            ReadError::NoCells
        );
        let huge = "(4294967296, 4294967296)";
        assert_eq!(read(1, "'<f4'", "False", huge, eight), ReadError::Overflow);
        assert_eq!(
            read(1, "'<f4'", "False", "(99999999999999999999, 1)", eight),
            ReadError::Overflow
        );
        assert!(matches!(
            read(1, "'<f4'", "False", "(100000, 101)", eight),
            ReadError::TooManyCells { .. }
        ));
        assert_eq!(
            read(1, "'<f4'", "False", "(-2, 1)", eight),
            ReadError::Header("shape")
        );
        assert_eq!(
            read(1, "'<f4'", "Perhaps", "(2, 1)", eight),
            ReadError::Header("fortran_order")
        );
        let mut long = MAGIC.to_vec();
        long.extend([2, 0, 0, 0, 0, 0x80]);
        assert_eq!(
            NpyHeader::parse(&long),
            Err(ReadError::HeaderTooLong { bytes: 1 << 31 })
        );
    }
}
