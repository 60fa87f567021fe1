//! A file read a part at a time, by whoever can get parts of it: first what says where the table is, then the table, and
//! nothing else of a large file.

use std::ops::Range;

use crate::csv::Lines;
use crate::fault::{Candidate, Fault};
use crate::file::{FileKind, kind};
use crate::npy::NpyHeader;
use crate::safetensors::{SafetensorsHeader, TensorPlace};
use crate::table::{Numbers, Table};

/// As much of a file as says what it is.
const BEGINNING: u64 = 512;
/// Longest header that is read: one of 4 MB lists some thirty thousand tensors. Taking one apart is one step.
const LONGEST_HEADER: u64 = 4 << 20;
/// Longest text that is read, in bytes.
const LONGEST_TEXT: u64 = 1 << 29;
/// Bytes of numbers, and of text, that are taken apart in a step of some milliseconds. Whole numbers of any type.
const NUMBERS: u64 = 1 << 20;
const TEXT: u64 = 1 << 18;

/// A file that is being read.
///
/// ```
/// use posenc_inspect::Reading;
///
/// let file = b"0,1\n0.841471,0.540302";
/// let mut reading = Reading::new(file.len() as u64, None);
/// while let Some(part) = reading.wants() {
///     reading.take(&file[part.start as usize..part.end as usize]).unwrap();
/// }
/// assert_eq!(reading.table().unwrap().rows(), 2);
/// ```
#[derive(Debug)]
pub struct Reading {
    /// Bytes of the file.
    size: u64,
    tensor: Option<String>,
    /// Of a .safetensors.
    header: Option<SafetensorsHeader>,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    Beginning,
    Header(FileKind, u64),
    /// A tensor has to be chosen.
    Choice,
    Numbers {
        next: u64,
        end: u64,
        numbers: Numbers,
    },
    Text {
        next: u64,
        lines: Lines,
    },
    /// All that is needed has come, or a fault has ended it.
    Over(Option<Table>),
}

impl Reading {
    /// Of a file of so many bytes; of a .safetensors the tensor of this name, or the only one that can be meant.
    pub fn new(size: u64, tensor: Option<&str>) -> Reading {
        Reading {
            size,
            tensor: tensor.map(String::from),
            header: None,
            stage: Stage::Beginning,
        }
    }

    /// The bytes that are to be taken next; `None` when the table is there, after a fault, and while a tensor has to be
    /// [chosen](Self::choose).
    pub fn wants(&self) -> Option<Range<u64>> {
        let to = |from: u64, bytes: u64| from..from.saturating_add(bytes).min(self.size);
        match &self.stage {
            Stage::Beginning => Some(to(0, BEGINNING)),
            Stage::Header(_, length) => Some(to(0, *length)),
            Stage::Numbers { next, end, .. } => Some(*next..(*end).min(next + NUMBERS)),
            Stage::Text { next, .. } => Some(to(*next, TEXT)),
            Stage::Choice | Stage::Over(_) => None,
        }
    }

    /// Takes the bytes that were wanted.
    pub fn take(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let stage = std::mem::replace(&mut self.stage, Stage::Over(None));
        self.stage = match stage {
            Stage::Beginning => self.beginning(bytes)?,
            Stage::Header(FileKind::Npy, _) => {
                let header = NpyHeader::parse(bytes)?;
                let Range { start, end } = header.range()?;
                self.numbers(start as u64..end as u64, header.numbers()?)?
            }
            Stage::Header(..) => {
                let header = SafetensorsHeader::parse(bytes, self.size)?;
                let place = header.tensor(self.tensor.as_deref());
                self.header = Some(header);
                match place {
                    Ok(place) => self.tensor(&place)?,
                    Err(Fault::Choose(candidates)) if !candidates.is_empty() => Stage::Choice,
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
                match next >= end || bytes.is_empty() {
                    true => Stage::Over(Some(numbers.table()?)),
                    false => Stage::Numbers { next, end, numbers },
                }
            }
            Stage::Text { next, mut lines } => {
                lines.take(bytes)?;
                let next = next + bytes.len() as u64;
                match next >= self.size || bytes.is_empty() {
                    true => Stage::Over(Some(lines.table()?)),
                    false => Stage::Text { next, lines },
                }
            }
            stage @ (Stage::Choice | Stage::Over(_)) => stage,
        };
        Ok(())
    }

    fn beginning(&self, bytes: &[u8]) -> Result<Stage, Fault> {
        let kind = kind(bytes)?;
        let length = match kind {
            FileKind::Npy => NpyHeader::length(bytes)? as u64,
            FileKind::Safetensors => SafetensorsHeader::length(bytes)?,
            FileKind::Text if self.size > LONGEST_TEXT => {
                return Err(Fault::TextTooLong { bytes: self.size });
            }
            FileKind::Text => {
                let (next, lines) = (0, Lines::default());
                return Ok(Stage::Text { next, lines });
            }
        };
        match length > LONGEST_HEADER {
            true => Err(Fault::HeaderTooLong { bytes: length }),
            false => Ok(Stage::Header(kind, length)),
        }
    }

    fn numbers(&self, range: Range<u64>, numbers: Numbers) -> Result<Stage, Fault> {
        let Range { start: next, end } = range;
        match end > self.size {
            true => Err(Fault::Truncated {
                needed: end - next,
                found: self.size.saturating_sub(next),
                unit: "bytes",
            }),
            false => Ok(Stage::Numbers { next, end, numbers }),
        }
    }

    fn tensor(&mut self, place: &TensorPlace) -> Result<Stage, Fault> {
        self.tensor = Some(place.name.clone());
        self.numbers(place.range.clone(), place.numbers()?)
    }

    /// The tensors of a .safetensors that could be the table; none of other files.
    pub fn candidates(&self) -> Vec<Candidate> {
        let header = self.header.as_ref();
        header.map_or_else(Vec::new, SafetensorsHeader::candidates)
    }

    /// Whether nothing goes on before a tensor is chosen.
    pub fn waits(&self) -> bool {
        matches!(self.stage, Stage::Choice)
    }

    /// The tensor that is read.
    pub fn chosen(&self) -> Option<&str> {
        self.tensor.as_deref()
    }

    /// Goes on with the tensor of this name, or begins again with it.
    pub fn choose(&mut self, name: &str) -> Result<(), Fault> {
        if let Some(header) = &self.header {
            let place = header.tensor(Some(name))?;
            self.stage = self.tensor(&place)?;
        }
        Ok(())
    }

    /// How much of the table has come, from 0 to 1.
    pub fn progress(&self) -> f64 {
        match &self.stage {
            Stage::Numbers { next, end, numbers } => {
                let left = end.saturating_sub(*next);
                1.0 - left as f64 / numbers.bytes().max(1) as f64
            }
            Stage::Text { next, .. } => *next as f64 / self.size.max(1) as f64,
            Stage::Over(_) => 1.0,
            Stage::Beginning | Stage::Header(..) | Stage::Choice => 0.0,
        }
    }

    /// The table, once nothing more is wanted; it is given once. `None` before that, and after a fault.
    pub fn table(&mut self) -> Option<Table> {
        match &mut self.stage {
            Stage::Over(table) => table.take(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads as a page does, and how many bytes it took.
    fn read(file: &[u8], tensor: &str) -> (Result<Table, Fault>, u64) {
        let mut reading = Reading::new(file.len() as u64, None);
        let mut bytes = 0;
        loop {
            while let Some(part) = reading.wants() {
                bytes += part.end - part.start;
                let part = part.start as usize..part.end as usize;
                if let Err(fault) = reading.take(&file[part]) {
                    assert_eq!((reading.wants(), reading.table()), (None, None));
                    return (Err(fault), bytes);
                }
            }
            if !reading.waits() {
                return (Ok(reading.table().unwrap()), bytes);
            }
            assert_eq!(reading.candidates().len(), 3);
            if let Err(fault) = reading.choose(tensor) {
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
        assert!(matches!(read(&file, "d").0, Err(Fault::NoTensor(..))));
    }

    #[test]
    fn a_text_is_the_same_in_parts() {
        let rows = (0..60_000).map(|row| format!("{row},{}.25,-1e-3\r\n", row % 7));
        let text: String = std::iter::once("a,b,c\n".to_string()).chain(rows).collect();
        assert!(text.len() as u64 > 3 * TEXT);
        let (table, bytes) = read(text.as_bytes(), "");
        let table = table.unwrap();
        assert_eq!(bytes, text.len() as u64 + BEGINNING);
        assert_eq!((table.rows(), table.columns()), (60_000, 3));
        assert!((0..60_000).all(|row| table.at(row, 0) == row as f64));
        assert_eq!(table, crate::read(text.as_bytes(), None).unwrap());
        let wrong = text.replace("59999,", "59999;");
        let fault = Fault::Ragged {
            line: 60_001,
            expected: 3,
            found: 2,
        };
        assert_eq!(read(wrong.as_bytes(), "").0, Err(fault));
    }

    #[test]
    fn what_is_too_long_is_not_taken() {
        let mut reading = Reading::new(LONGEST_TEXT + 1, None);
        let fault = Err(Fault::TextTooLong {
            bytes: LONGEST_TEXT + 1,
        });
        assert_eq!(reading.take(b"0.5, 0.5"), fault);
        let line = vec![b'1'; 5 << 20];
        assert_eq!(read(&line, "").0, Err(Fault::LineTooLong { line: 1 }));
        let mut header = (5_u64 << 20).to_le_bytes().to_vec();
        header.resize(6 << 20, b'{');
        let bytes = (5 << 20) + 8;
        assert_eq!(read(&header, "").0, Err(Fault::HeaderTooLong { bytes }));
    }
}
