//! Reads the table of a file in ranges of bytes that the caller supplies: first the header, then the table it points to.
//! Nothing else of a large file is requested.

use std::ops::Range;

use crate::csv::TextTableParser;
use crate::fault::{Candidate, ReadError};
use crate::file::{FileFormat, PROBE_BYTES, detect_format};
use crate::npy::NpyHeader;
use crate::safetensors::{SafetensorsHeader, TensorEntry};
use crate::table::{Table, TableDecoder};

/// Maximum size of a header in bytes: one of 4 MB lists some thirty thousand tensors. It is parsed in one step.
const MAX_HEADER_BYTES: u64 = 4 << 20;
/// Maximum size of a text in bytes.
const MAX_TEXT_BYTES: u64 = 1 << 29;
/// Bytes of binary numbers that are parsed in a step of some milliseconds: a multiple of the size of every type, so that no
/// number is split.
const NUMBERS_PER_STEP: u64 = 1 << 20;
/// Bytes of text that are parsed in such a step.
const TEXT_PER_STEP: u64 = 1 << 18;

/// Reads the table of a file, range by range.
///
/// ```
/// use posenc_inspect::TableReader;
///
/// let file = b"0,1\n0.841471,0.540302";
/// let mut reader = TableReader::new(file.len() as u64, None);
/// while let Some(part) = reader.next_range() {
///     reader.feed(&file[part.start as usize..part.end as usize]).unwrap();
/// }
/// assert_eq!(reader.take_table().unwrap().rows(), 2);
/// ```
#[derive(Debug)]
pub struct TableReader {
    /// Size of the file in bytes.
    size: u64,
    /// The name of the tensor that is, or is to be, read.
    tensor: Option<String>,
    /// The parsed header of a .safetensors.
    header: Option<SafetensorsHeader>,
    stage: Stage,
}

/// The formats with a header.
#[derive(Clone, Copy, Debug)]
enum BinaryFormat {
    Npy,
    Safetensors,
}

#[derive(Debug)]
enum Stage {
    Probe,
    Header {
        format: BinaryFormat,
        length: u64,
    },
    /// A tensor has to be chosen.
    Choice,
    Numbers {
        /// Offset of the next byte in the file.
        next: u64,
        end: u64,
        numbers: TableDecoder,
    },
    Text {
        next: u64,
        parser: TextTableParser,
    },
    /// Everything has been read, or an error has ended the reading.
    Done(Option<Table>),
}

impl TableReader {
    /// Creates a reader of a file of `size` bytes. `tensor` names the table in a .safetensors; without a name,
    /// [`SafetensorsHeader::tensor`] chooses it, or the caller by [`choose`](Self::choose).
    pub fn new(size: u64, tensor: Option<&str>) -> TableReader {
        TableReader {
            size,
            tensor: tensor.map(String::from),
            header: None,
            stage: Stage::Probe,
        }
    }

    /// Returns the range of bytes to [feed](Self::feed) next; `None` when the table is complete, after an error, and while a
    /// tensor has to be [chosen](Self::choose).
    pub fn next_range(&self) -> Option<Range<u64>> {
        let to = |from: u64, bytes: u64| from..from.saturating_add(bytes).min(self.size);
        match &self.stage {
            Stage::Probe => Some(to(0, PROBE_BYTES as u64)),
            Stage::Header { length, .. } => Some(to(0, *length)),
            Stage::Numbers { next, end, .. } => Some(*next..(*end).min(next + NUMBERS_PER_STEP)),
            Stage::Text { next, .. } => Some(to(*next, TEXT_PER_STEP)),
            Stage::Choice | Stage::Done(_) => None,
        }
    }

    /// Parses the bytes of [`next_range`](Self::next_range). An empty slice means the end of the file.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), ReadError> {
        let stage = std::mem::replace(&mut self.stage, Stage::Done(None));
        self.stage = match stage {
            Stage::Probe => self.after_probe(bytes)?,
            Stage::Header {
                format: BinaryFormat::Npy,
                ..
            } => {
                let header = NpyHeader::parse(bytes)?;
                let Range { start, end } = header.range()?;
                self.read_numbers(start as u64..end as u64, header.decoder()?)?
            }
            Stage::Header {
                format: BinaryFormat::Safetensors,
                ..
            } => {
                let header = SafetensorsHeader::parse(bytes, self.size)?;
                let tensor = header.tensor(self.tensor.as_deref());
                self.header = Some(header);
                match tensor {
                    Ok(tensor) => self.read_tensor(&tensor)?,
                    Err(ReadError::Choose(candidates)) if !candidates.is_empty() => Stage::Choice,
                    Err(fault) => return Err(fault),
                }
            }
            Stage::Numbers {
                next,
                end,
                mut numbers,
            } => {
                numbers.take(bytes);
                let next = next + bytes.len() as u64;
                if next >= end || bytes.is_empty() {
                    Stage::Done(Some(numbers.table()?))
                } else {
                    Stage::Numbers { next, end, numbers }
                }
            }
            Stage::Text { next, mut parser } => {
                parser.feed(bytes)?;
                let next = next + bytes.len() as u64;
                if next >= self.size || bytes.is_empty() {
                    Stage::Done(Some(parser.finish()?))
                } else {
                    Stage::Text { next, parser }
                }
            }
            stage @ (Stage::Choice | Stage::Done(_)) => stage,
        };
        Ok(())
    }

    fn after_probe(&self, bytes: &[u8]) -> Result<Stage, ReadError> {
        let (format, length) = match detect_format(bytes)? {
            FileFormat::Npy => (BinaryFormat::Npy, NpyHeader::length(bytes)? as u64),
            FileFormat::Safetensors => {
                let length = SafetensorsHeader::length(bytes)?;
                (BinaryFormat::Safetensors, length)
            }
            FileFormat::Text if self.size > MAX_TEXT_BYTES => {
                return Err(ReadError::TextTooLong { bytes: self.size });
            }
            FileFormat::Text => {
                let (next, parser) = (0, TextTableParser::default());
                return Ok(Stage::Text { next, parser });
            }
        };
        if length > MAX_HEADER_BYTES {
            return Err(ReadError::HeaderTooLong { bytes: length });
        }
        Ok(Stage::Header { format, length })
    }

    fn read_numbers(&self, range: Range<u64>, numbers: TableDecoder) -> Result<Stage, ReadError> {
        let Range { start: next, end } = range;
        if end > self.size {
            return Err(ReadError::Truncated {
                needed: end - next,
                found: self.size.saturating_sub(next),
                unit: "bytes",
            });
        }
        Ok(Stage::Numbers { next, end, numbers })
    }

    fn read_tensor(&mut self, tensor: &TensorEntry) -> Result<Stage, ReadError> {
        let stage = self.read_numbers(tensor.range.clone(), tensor.decoder()?)?;
        self.tensor = Some(tensor.name.clone());
        Ok(stage)
    }

    /// Returns the tensors of a .safetensors that could be the table; empty for other files.
    pub fn candidates(&self) -> Vec<Candidate> {
        let header = self.header.as_ref();
        header.map_or_else(Vec::new, SafetensorsHeader::candidates)
    }

    /// Returns whether [`choose`](Self::choose) has to be called before reading can continue.
    pub fn needs_choice(&self) -> bool {
        matches!(self.stage, Stage::Choice)
    }

    /// Returns the name of the tensor that is, or is to be, read.
    pub fn tensor(&self) -> Option<&str> {
        self.tensor.as_deref()
    }

    /// Starts to read the tensor of this name; on an error, nothing changes. Does nothing for other formats, as their files
    /// have only one table.
    pub fn choose(&mut self, name: &str) -> Result<(), ReadError> {
        if let Some(header) = &self.header {
            let tensor = header.tensor(Some(name))?;
            self.stage = self.read_tensor(&tensor)?;
        }
        Ok(())
    }

    /// Returns the share of the table that has been read, from 0 to 1.
    pub fn progress(&self) -> f64 {
        match &self.stage {
            Stage::Numbers { next, end, numbers } => {
                let left = end.saturating_sub(*next);
                1.0 - left as f64 / numbers.bytes().max(1) as f64
            }
            Stage::Text { next, .. } => *next as f64 / self.size.max(1) as f64,
            Stage::Done(_) => 1.0,
            Stage::Probe | Stage::Header { .. } | Stage::Choice => 0.0,
        }
    }

    /// Moves the table out, once all of it has been read. `None` before that, the second time, and after an error.
    pub fn take_table(&mut self) -> Option<Table> {
        match &mut self.stage {
            Stage::Done(table) => table.take(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a file range by range, choosing `tensor` of three if needed; returns the result and the number of bytes read.
    fn read(file: &[u8], tensor: &str) -> (Result<Table, ReadError>, u64) {
        let mut reader = TableReader::new(file.len() as u64, None);
        let mut bytes = 0;
        loop {
            while let Some(part) = reader.next_range() {
                bytes += part.end - part.start;
                let part = part.start as usize..part.end as usize;
                if let Err(fault) = reader.feed(&file[part]) {
                    assert_eq!((reader.next_range(), reader.take_table()), (None, None));
                    return (Err(fault), bytes);
                }
            }
            if !reader.needs_choice() {
                return (Ok(reader.take_table().unwrap()), bytes);
            }
            assert_eq!(reader.candidates().len(), 3);
            if let Err(fault) = reader.choose(tensor) {
                return (Err(fault), bytes);
            }
        }
    }

    #[test]
    fn of_a_large_file_only_the_tensor_is_read() {
        let header = r#"{"a":{"dtype":"F32","shape":[4000,2000],"data_offsets":[0,32000000]},
            "b":{"dtype":"F32","shape":[1000,512],"data_offsets":[32000000,34048000]},
            "c":{"dtype":"F32","shape":[3000,1000],"data_offsets":[34048000,46048000]}}"#;
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend(header.as_bytes());
        file.resize(file.len() + 46_048_000, 0);
        let at = 8 + header.len() + 32_000_000 + 4 * 511_999;
        file[at..at + 4].copy_from_slice(&7.5_f32.to_le_bytes());
        let (table, bytes) = read(&file, "b");
        let table = table.unwrap();
        assert_eq!((table.rows(), table.columns()), (1000, 512));
        assert_eq!((table.at(999, 511), table.at(0, 0)), (7.5, 0.0));
        assert!(bytes < 2_048_000 + 2000, "{bytes}");
        assert!(matches!(read(&file, "d").0, Err(ReadError::NoTensor(..))));
    }

    #[test]
    fn a_text_is_the_same_in_parts() {
        let rows = (0..60_000).map(|row| format!("{}.5,{}.25,-1e-3\r\n", row + 1, row % 7));
        let text: String = std::iter::once("a,b,c\n".to_string()).chain(rows).collect();
        assert!(text.len() as u64 > 3 * TEXT_PER_STEP);
        let (table, bytes) = read(text.as_bytes(), "");
        let table = table.unwrap();
        assert_eq!(bytes, text.len() as u64 + PROBE_BYTES as u64);
        assert_eq!((table.rows(), table.columns()), (60_000, 3));
        assert!((0..60_000).all(|row| table.at(row, 0) == row as f64 + 1.5));
        assert_eq!(table, crate::read(text.as_bytes(), None).unwrap());
        let wrong = text.replace("59999.5,", "59999.5;");
        let fault = ReadError::Ragged {
            line: 60_000,
            expected: 3,
            found: 2,
        };
        assert_eq!(read(wrong.as_bytes(), "").0, Err(fault));
    }

    #[test]
    fn what_is_too_long_is_not_taken() {
        let mut reader = TableReader::new(MAX_TEXT_BYTES + 1, None);
        let fault = Err(ReadError::TextTooLong {
            bytes: MAX_TEXT_BYTES + 1,
        });
        assert_eq!(reader.feed(b"0.5, 0.5"), fault);
        let line = vec![b'1'; 5 << 20];
        assert_eq!(read(&line, "").0, Err(ReadError::LineTooLong { line: 1 }));
        let mut header = (5_u64 << 20).to_le_bytes().to_vec();
        header.resize(6 << 20, b'{');
        let bytes = (5 << 20) + 8;
        assert_eq!(read(&header, "").0, Err(ReadError::HeaderTooLong { bytes }));
    }
}
