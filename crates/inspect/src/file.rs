//! Files of any kind that is read.

use crate::fault::Fault;
use crate::table::Table;
use crate::{csv, npy, safetensors};

/// The table in a file, whatever its name: .npy, .safetensors (the tensor of this name, or the only one that can be
/// meant), or text.
pub fn read(bytes: &[u8], tensor: Option<&str>) -> Result<Table, Fault> {
    match kind(bytes)? {
        FileKind::Npy => npy::read(bytes),
        FileKind::Safetensors => safetensors::read(bytes, tensor),
        FileKind::Text => csv::read(bytes),
    }
}

/// How a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// NumPy's.
    Npy,
    /// Hugging Face's.
    Safetensors,
    /// Lines of numbers.
    Text,
}

/// What a file is by its beginning, of which a few hundred bytes are enough. A fault where none of the readers is for it.
pub fn kind(start: &[u8]) -> Result<FileKind, Fault> {
    let [first, second] = match start {
        [] => return Err(Fault::Empty),
        [first] => [*first, 0],
        [first, second, ..] => [*first, *second],
    };
    if start.starts_with(npy::MAGIC) {
        return Ok(FileKind::Npy);
    }
    if start.starts_with(b"PK\x03\x04") {
        // The archive of numpy.savez has members that end in .npy.
        let npz = start.iter().take(200).collect::<Vec<_>>();
        let npz = npz
            .windows(4)
            .any(|four| four == [&b'.', &b'n', &b'p', &b'y']);
        return Err(if npz { Fault::Npz } else { Fault::Pickle });
    }
    // A pickle of protocol 2 or later, with or without PyTorch's old magic number.
    if first == 0x80 && (2..=5).contains(&second) {
        return Err(Fault::Pickle);
    }
    // Its ninth byte opens the header.
    if start.get(8) == Some(&b'{') && start.get(4..8).is_some_and(|high| high.contains(&0)) {
        return Ok(FileKind::Safetensors);
    }
    let start = start.get(..512).unwrap_or(start);
    let binary = |byte: &u8| *byte < 32 && !matches!(byte, b'\t' | b'\n' | b'\r' | 12);
    if start.iter().any(binary) {
        return Err(Fault::Format);
    }
    Ok(FileKind::Text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_beginning() {
        assert_eq!(read(b"", None), Err(Fault::Empty));
        assert_eq!(kind(b"PK\x03\x04archive/data.pkl"), Err(Fault::Pickle));
        assert_eq!(kind(b"PK\x03\x04\0\0pe.npy\0"), Err(Fault::Npz));
        assert_eq!(kind(b"\x80\x02\x8a\x0al\xfc\x9c"), Err(Fault::Pickle));
        assert_eq!(kind(b"\x89PNG\r\n\x1a\n\0"), Err(Fault::Format));
        assert_eq!(kind(b"\x93NUMPY\x01"), Ok(FileKind::Npy));
        assert_eq!(kind(b"\x93NUMP"), Ok(FileKind::Text));
        assert_eq!(kind(b"0.1, 0.2"), Ok(FileKind::Text));
        assert_eq!(kind(b"\x02\0\0\0\0\0\0\0{}"), Ok(FileKind::Safetensors));
    }
}
