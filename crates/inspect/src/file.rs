//! Detects the format of a file by its first bytes.

use crate::fault::ReadError;
use crate::table::Table;
use crate::{csv, npy, safetensors};

/// Reads the table in a file: .npy, .safetensors or text, detected by its first bytes. `tensor` names the table in a
/// .safetensors; without a name, [`SafetensorsHeader::tensor`](crate::SafetensorsHeader::tensor) selects it.
pub fn read(bytes: &[u8], tensor: Option<&str>) -> Result<Table, ReadError> {
    match detect_format(bytes)? {
        FileFormat::Npy => npy::read(bytes),
        FileFormat::Safetensors => safetensors::read(bytes, tensor),
        FileFormat::Text => csv::read(bytes),
    }
}

/// A file format that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// NumPy's .npy.
    Npy,
    /// Hugging Face's .safetensors.
    Safetensors,
    /// Lines of numbers.
    Text,
}

/// First bytes of formats that hold tables but are not read.
const FOREIGN: [(&[u8], &str); 6] = [
    (b"GGUF", "gguf"),
    (b"\x89HDF\r\n\x1a\n", "hdf5"),
    (b"\x1f\x8b", "gzip"),
    (b"\xfd7zXZ\0", "xz"),
    (b"MATLAB 5.0", "matlab"),
    // HDF5 after a header of 512 bytes.
    (b"MATLAB 7.3", "hdf5"),
];

/// Bytes at the start of a file that are searched for control characters and for the names in an archive.
pub(crate) const PROBE_BYTES: usize = 512;

/// Detects the format of a file by its first 512 bytes (or all of a shorter file). Fails if the file is empty or of a
/// format that cannot be read.
pub fn detect_format(start: &[u8]) -> Result<FileFormat, ReadError> {
    let start = start.get(..PROBE_BYTES).unwrap_or(start);
    if start.is_empty() {
        return Err(ReadError::Empty);
    }
    if start.starts_with(npy::MAGIC) {
        return Ok(FileFormat::Npy);
    }
    if start.starts_with(b"PK\x03\x04") {
        // The archive of numpy.savez has members that end in .npy; any other archive is assumed to be PyTorch's.
        let has = |name: &[u8]| start.windows(name.len()).any(|it| it == name);
        return Err(if has(b".npy") {
            ReadError::Npz
        } else if [&b"[Content_Types].xml"[..], b"docProps/", b"\0xl/"]
            .into_iter()
            .any(has)
        {
            ReadError::Foreign("xlsx")
        } else if has(b"metadata.json") || has(b"model.weights.h5") {
            ReadError::Foreign("keras")
        } else {
            ReadError::Pickle
        });
    }
    if let Some((_, name)) = FOREIGN.iter().find(|(magic, _)| start.starts_with(magic)) {
        return Err(ReadError::Foreign(name));
    }
    // A message of protocol buffers that begins with the version of the format, and the name of the program that wrote it.
    if matches!(start, [0x08, 1..=32, 0x12, ..]) {
        return Err(ReadError::Foreign("onnx"));
    }
    // A pickle of protocol 2 or later, with or without PyTorch's old magic number.
    if matches!(start, [0x80, 2..=5, ..]) {
        return Err(ReadError::Pickle);
    }
    // A .safetensors begins with the length of its header in eight bytes, the most significant of which are 0, and a brace.
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
            detect_format(b"PK\x03\x04\0\0gpt2-xl/data.pkl"),
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
        for (start, name) in [
            (&b"GGUF\x03\0\0\0"[..], "gguf"),
            (b"\x89HDF\r\n\x1a\n\0\0", "hdf5"),
            (b"\x1f\x8b\x08\0", "gzip"),
            (b"MATLAB 5.0 MAT-file", "matlab"),
            (b"MATLAB 7.3 MAT-file", "hdf5"),
            (b"\x08\x07\x12\x07pytorch", "onnx"),
            (b"\x08\x0a\x12\x07pytorch", "onnx"),
            (b"PK\x03\x04\0\0[Content_Types].xml", "xlsx"),
            (b"PK\x03\x04\0\0docProps/app.xml", "xlsx"),
            (b"PK\x03\x04\0\0xl/workbook.xml", "xlsx"),
            (b"PK\x03\x04\0\0metadata.json{}", "keras"),
        ] {
            assert_eq!(detect_format(start), Err(ReadError::Foreign(name)));
        }
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
