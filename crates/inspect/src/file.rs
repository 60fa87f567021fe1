//! Detects the format of a file by its first bytes.

use crate::fault::ReadError;
use crate::table::Table;
use crate::{csv, npy, safetensors};

/// The table in a file, whatever its name: .npy, .safetensors (the tensor of this name, or the only one that can be
/// meant), or text.
pub fn read(bytes: &[u8], tensor: Option<&str>) -> Result<Table, ReadError> {
    match detect_format(bytes)? {
        FileFormat::Npy => npy::read(bytes),
        FileFormat::Safetensors => safetensors::read(bytes, tensor),
        FileFormat::Text => csv::read(bytes),
    }
}

/// How a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// NumPy's.
    Npy,
    /// Hugging Face's.
    Safetensors,
    /// Lines of numbers.
    Text,
}

/// Bytes that are searched for what no text has, and for the names in an archive.
pub(crate) const PROBE_BYTES: usize = 512;

/// The format of a file by its first bytes, of which 512 are enough; a fault where no reader takes it.
pub fn detect_format(start: &[u8]) -> Result<FileFormat, ReadError> {
    let start = start.get(..PROBE_BYTES).unwrap_or(start);
    if start.is_empty() {
        return Err(ReadError::Empty);
    }
    if start.starts_with(npy::MAGIC) {
        return Ok(FileFormat::Npy);
    }
    if start.starts_with(b"PK\x03\x04") {
        // The archive of numpy.savez has members that end in .npy; any other archive is taken for PyTorch's.
        let npz = start.windows(4).any(|name| name == b".npy");
        return Err(if npz {
            ReadError::Npz
        } else {
            ReadError::Pickle
        });
    }
    // A pickle of protocol 2 or later, with or without PyTorch's old magic number.
    if matches!(start, [0x80, 2..=5, ..]) {
        return Err(ReadError::Pickle);
    }
    // A .safetensors begins with the length of its header in eight bytes, of which large ones are 0, and the header's brace.
    let length_has_zeros = start.get(4..8).is_some_and(|bytes| bytes.contains(&0));
    if length_has_zeros && start.get(8) == Some(&b'{') {
        return Ok(FileFormat::Safetensors);
    }
    let is_control = |byte: &u8| *byte < 32 && !matches!(byte, b'\t' | b'\n' | b'\r' | 12);
    if start.iter().any(is_control) {
        return Err(ReadError::Format);
    }
    Ok(FileFormat::Text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_tell_the_format() {
        assert_eq!(read(b"", None), Err(ReadError::Empty));
        assert_eq!(
            detect_format(b"PK\x03\x04archive/data.pkl"),
            Err(ReadError::Pickle)
        );
        assert_eq!(
            detect_format(b"PK\x03\x04\0\0pe.npy\0"),
            Err(ReadError::Npz)
        );
        assert_eq!(
            detect_format(b"\x80\x02\x8a\x0al\xfc\x9c"),
            Err(ReadError::Pickle)
        );
        assert_eq!(
            detect_format(b"\x89PNG\r\n\x1a\n\0"),
            Err(ReadError::Format)
        );
        assert_eq!(detect_format(b"\x93NUMPY\x01"), Ok(FileFormat::Npy));
        assert_eq!(detect_format(b"\x93NUMP"), Ok(FileFormat::Text));
        assert_eq!(detect_format(b"0.1, 0.2"), Ok(FileFormat::Text));
        assert_eq!(
            detect_format(b"\x02\0\0\0\0\0\0\0{}"),
            Ok(FileFormat::Safetensors)
        );
    }
}
