//! Why a file cannot be read as a table, in words.

use super::Lang;
use super::inspection_values::say;
use posenc_inspect::{Candidate, MAX_CELLS, ReadError};

/// Why a file cannot be read, and what to do about it.
pub fn fault(fault: &ReadError, lang: Lang) -> String {
    let say = |key: &str, values: &[(&str, &str)]| say(lang, key, values);
    match fault {
        ReadError::Empty => say("fault.empty", &[]),
        ReadError::Format => say("fault.format", &[]),
        ReadError::Pickle => say("fault.pickle", &[]),
        #[cfg(target_arch = "wasm32")]
        ReadError::Index | ReadError::Foreign(_) => say("fault.format", &[]),
        #[cfg(not(target_arch = "wasm32"))]
        ReadError::Index => say("fault.index", &[]),
        #[cfg(not(target_arch = "wasm32"))]
        ReadError::Foreign(name) => say(&format!("fault.{name}"), &[]),
        ReadError::Npz => say("fault.npz", &[]),
        ReadError::NpyVersion(major, minor) => {
            let version = format!("{major}.{minor}");
            say("fault.npy-version", &[("version", &version)])
        }
        ReadError::Truncated {
            needed,
            found,
            unit,
        } => {
            let (needed, found) = (needed.to_string(), found.to_string());
            let key = match *unit {
                "bytes" => "fault.truncated-bytes",
                _ => "fault.truncated-numbers",
            };
            say(key, &[("needed", &needed), ("found", &found)])
        }
        ReadError::HeaderTooLong { bytes } => {
            say("fault.header-too-long", &[("bytes", &bytes.to_string())])
        }
        ReadError::Header(part) => say("fault.header", &[("part", part)]),
        ReadError::Dtype(dtype) => say("fault.dtype", &[("dtype", dtype)]),
        ReadError::Shape(shape) => say("fault.shape", &[("shape", &format!("{shape:?}"))]),
        ReadError::Overflow => say("fault.overflow", &[]),
        ReadError::NoCells => say("fault.no-cells", &[]),
        ReadError::TooManyCells { cells } => {
            let (cells, most) = (cells.to_string(), MAX_CELLS.to_string());
            say(
                "fault.too-many-cells",
                &[("cells", &cells), ("most", &most)],
            )
        }
        ReadError::NotANumber { line, cell, text } => {
            let (line, cell) = (line.to_string(), cell.to_string());
            let values = [("line", &line[..]), ("cell", &cell), ("text", text)];
            say("fault.not-a-number", &values)
        }
        ReadError::Ragged {
            line,
            expected,
            found,
        } => {
            let [line, expected, found] = [line, expected, found].map(usize::to_string);
            let values = [
                ("line", &line[..]),
                ("expected", &expected),
                ("found", &found),
            ];
            say("fault.ragged", &values)
        }
        ReadError::TextTooLong { bytes } => {
            say("fault.text-too-long", &[("bytes", &bytes.to_string())])
        }
        ReadError::LineTooLong { line } => {
            say("fault.line-too-long", &[("line", &line.to_string())])
        }
        ReadError::Offsets(name) => say("fault.offsets", &[("name", name)]),
        ReadError::NoTensor(name, candidates) => {
            let list = list(candidates, lang);
            say("fault.no-tensor", &[("name", name), ("list", &list)])
        }
        ReadError::Choose(candidates) => list(candidates, lang),
    }
}

/// Candidates beyond this number are counted but not listed.
const LISTED: usize = 40;

fn list(candidates: &[Candidate], lang: Lang) -> String {
    if candidates.is_empty() {
        return say(lang, "fault.no-candidates", &[]);
    }
    let mut text = say(lang, "fault.candidates", &[]);
    for Candidate { name, dtype, shape } in candidates.iter().take(LISTED) {
        text += &format!("\n  {name}");
        if !shape.is_empty() {
            text += &format!("  {dtype} {shape:?}");
        }
    }
    if let Some(more @ 1..) = candidates.len().checked_sub(LISTED) {
        text += "\n  ";
        text += &say(lang, "fault.more", &[("count", &more.to_string())]);
    }
    text
}
