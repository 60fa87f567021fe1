//! Files that hold a table in a form that the page does not read: an archive of NumPy, and numbers in brackets or bars.

use flate2::bufread::DeflateDecoder;
use posenc_inspect::Candidate;
use std::io::Read;

/// Maximum size of a member of an archive, and of a text that is rewritten.
const MAX_BYTES: usize = 1 << 29;

/// The array in a .npz: the only one, or the one of this name; otherwise the names of all.
pub(super) enum Archive {
    Member(Vec<u8>),
    Names(Vec<Candidate>),
}

/// Opens an archive of numpy.savez; `None` for any other file.
pub(super) fn npz(bytes: &[u8], name: Option<&str>) -> Option<Archive> {
    let members = members(bytes)?;
    if members.is_empty() || !members.iter().all(|it| it.name.ends_with(".npy")) {
        return None;
    }
    let is_meant =
        |it: &&Member| name.is_none_or(|name| it.name == name || it.name == format!("{name}.npy"));
    let meant: Vec<&Member> = members.iter().filter(is_meant).collect();
    match meant[..] {
        [member] => member.read(bytes).map(Archive::Member),
        _ => {
            let names = members.iter().map(|it| Candidate {
                name: it.name.trim_end_matches(".npy").into(),
                dtype: String::new(),
                shape: Vec::new(),
            });
            Some(Archive::Names(names.collect()))
        }
    }
}

/// An entry of the central directory of a zip archive.
struct Member {
    name: String,
    is_deflated: bool,
    compressed: usize,
    size: usize,
    offset: usize,
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<usize> {
    let mut value = 0;
    for byte in bytes.get(at..at.checked_add(N)?)?.iter().rev() {
        value = value << 8 | usize::from(*byte);
    }
    Some(value)
}

fn members(bytes: &[u8]) -> Option<Vec<Member>> {
    bytes.starts_with(b"PK\x03\x04").then_some(())?;
    // The end of the directory is 22 bytes long, unless a comment follows.
    let last = bytes.len().checked_sub(22)?;
    let first = last.saturating_sub(1 << 16);
    let end = (first..=last)
        .rev()
        .find(|at| bytes[*at..].starts_with(b"PK\x05\x06"))?;
    let count = number::<2>(bytes, end + 10)?;
    let mut at = number::<4>(bytes, end + 16)?;
    let mut members = Vec::new();
    for _ in 0..count {
        bytes.get(at..)?.starts_with(b"PK\x01\x02").then_some(())?;
        let [name, extra, comment] = [28, 30, 32].map(|it| number::<2>(bytes, at + it));
        let name = name?;
        members.push(Member {
            name: String::from_utf8_lossy(bytes.get(at + 46..at + 46 + name)?).into_owned(),
            is_deflated: number::<2>(bytes, at + 10)? == 8,
            compressed: number::<4>(bytes, at + 20)?,
            size: number::<4>(bytes, at + 24)?,
            offset: number::<4>(bytes, at + 42)?,
        });
        at += 46 + name + extra? + comment?;
    }
    Some(members)
}

impl Member {
    fn read(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let name = number::<2>(bytes, self.offset + 26)?;
        let extra = number::<2>(bytes, self.offset + 28)?;
        let from = self.offset + 30 + name + extra;
        let packed = bytes.get(from..from.checked_add(self.compressed)?)?;
        match self.is_deflated {
            true => {
                let mut unpacked = Vec::new();
                let limit = self.size.min(MAX_BYTES) as u64;
                let mut decoder = DeflateDecoder::new(packed).take(limit);
                decoder.read_to_end(&mut unpacked).ok()?;
                Some(unpacked)
            }
            false => Some(packed.to_vec()),
        }
    }
}

/// Rewrites a text in brackets, braces or bars as lines of numbers with commas: JSON, a printed array or tensor, an array in C,
/// a table in Markdown. `None` for any other text.
pub(super) fn rows(bytes: &[u8]) -> Option<String> {
    if bytes.len() > MAX_BYTES {
        return None;
    }
    let text = std::str::from_utf8(bytes).ok()?;
    // Brackets in a comment are none of the table's.
    let is_comment = |line: &&str| {
        let line = line.trim_start();
        line.starts_with('#') || line.starts_with("//")
    };
    let lines_of_table = text.split_inclusive('\n').filter(|line| !is_comment(line));
    let text: String = lines_of_table.collect();
    let start = text.trim_start();
    if start.starts_with('|') {
        return Some(from_bars(start));
    }
    let brackets = text.contains(['[', '{']) && text.contains([']', '}']);
    if !brackets {
        return None;
    }
    let Groups { shape, rows } = groups(&text)?;
    let [rows_of_shape, columns] = match (&rows[..], &shape) {
        ([_], Some(shape)) => *shape,
        _ => return Some(lines(rows.iter().map(|it| &it[..]))),
    };
    let fits = rows_of_shape.checked_mul(columns) == Some(rows[0].len()) && columns > 0;
    fits.then(|| lines(rows[0].chunks(columns)))
}

fn lines<'a>(rows: impl Iterator<Item = &'a [&'a str]>) -> String {
    rows.map(|row| row.join(",") + "\n").collect()
}

/// The numbers of each row, and the two of a group that is called the shape.
struct Groups<'a> {
    shape: Option<[usize; 2]>,
    rows: Vec<Vec<&'a str>>,
}

/// The numbers in each pair of brackets that has no other inside; `None` if there are none, or something else is among them, or
/// rows stand outside the brackets.
fn groups(text: &str) -> Option<Groups<'_>> {
    let (mut shape, mut rows) = (None, Vec::new());
    let (mut opened, mut depth, mut outside) = (None, 0_usize, 0);
    for (at, c) in text.char_indices() {
        match c {
            '[' | '{' => {
                if depth == 0 && has_number(&text[outside..at]) {
                    return None;
                }
                depth += 1;
                opened = Some(at + 1);
            }
            ']' | '}' => {
                depth = depth.saturating_sub(1);
                outside = at + 1;
                let Some(from) = opened.take() else { continue };
                let before = text[..from - 1].trim_end();
                // The brackets of an index, such as pe[40][16] in C, are no rows.
                let is_index = before.len() == from - 1
                    && before.ends_with(|c: char| c.is_alphanumeric() || c == ']' || c == '_');
                if is_index {
                    continue;
                }
                let numbers = numbers(&text[from..at])?;
                match &numbers[..] {
                    [row] if before.ends_with("\"shape\":") && row.len() == 2 => {
                        shape = Some([row[0].parse().ok()?, row[1].parse().ok()?]);
                    }
                    _ => rows.extend(numbers),
                }
            }
            _ => {}
        }
    }
    (!rows.is_empty() && !has_number(&text[outside..])).then_some(Groups { shape, rows })
}

/// Whether a text outside brackets has a number.
fn has_number(text: &str) -> bool {
    let mut parts = text.split([',', ' ', '\n', '\r', '\t']);
    parts.any(|it| it.parse::<f64>().is_ok())
}

/// The numbers within a pair of brackets; in MATLAB, semicolons separate rows.
fn numbers(text: &str) -> Option<Vec<Vec<&str>>> {
    let mut rows = Vec::new();
    for row in text.split(';') {
        let parts = row.split([',', ' ', '\n', '\r', '\t']);
        let parts = parts.filter(|it| !it.is_empty());
        let numbers: Vec<&str> = parts.map(|it| it.strip_suffix('f').unwrap_or(it)).collect();
        let is_number = |it: &&str| it.parse::<f64>().is_ok();
        numbers.iter().all(is_number).then_some(())?;
        rows.extend((!numbers.is_empty()).then_some(numbers));
    }
    Some(rows)
}

fn from_bars(text: &str) -> String {
    let rows = text
        .lines()
        .filter(|line| line.trim_start().starts_with('|'));
    let rows = rows.filter(|line| !line.chars().all(|c| "|-: ".contains(c)));
    let row = |line: &str| {
        let cells = line.trim().trim_matches('|').split('|').map(str::trim);
        cells.collect::<Vec<_>>().join(",") + "\n"
    };
    rows.map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_all_kinds_of_brackets() {
        let wanted = "0,1\n0.5,-2e-3\n";
        for text in [
            "[[0, 1], [0.5, -2e-3]]",
            "tensor([[0, 1],\n        [0.5, -2e-3]], device='cuda:0')",
            "[[0\n  1]\n [0.5\n -2e-3]]",
            "{\"pe\": [[0, 1], [0.5, -2e-3]]}",
            "{\"shape\": [2, 2], \"data\": [0, 1, 0.5, -2e-3]}",
            "{\"data\":[0,1,0.5,-2e-3],\"shape\":[2,2]}",
            "{\"shape\":[2,2],\"data\":[[0,1],[0.5,-2e-3]]}",
            "{\"d_model\": 2, \"pe\": [[0, 1], [0.5, -2e-3]]}",
            "# torch.Size([2, 2])\n[[0, 1],\n [0.5, -2e-3]]",
            "  // [2][2]\n{{0, 1}, {0.5, -2e-3}}",
            "pe = [0 1; 0.5 -2e-3];",
            "static const float pe[2][2] = {\n  {0f, 1f},\n  {0.5f, -2e-3f}\n};",
            "|---|---|\n| 0 | 1 |\n| 0.5 | -2e-3 |\n",
        ] {
            assert_eq!(rows(text.as_bytes()).as_deref(), Some(wanted), "{text}");
        }
        for text in [
            "0,1\n0.5,2\n",
            "{\"weight_map\": {\"a\": \"b\"}}",
            "[]",
            "# torch.Size([2, 2])\n0 1\n0.5 2\n",
            "torch.Size([2, 2])\n0 1\n0.5 2\n",
            "{\"shape\": [2, 2], \"data\": [0, 1, 0.5]}",
        ] {
            assert_eq!(rows(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn archives_that_are_cut_or_lie_are_refused() {
        assert!(npz(b"PK\x03\x04", None).is_none());
        let mut end = b"PK\x03\x04PK\x05\x06".to_vec();
        end.resize(26, 0xff);
        assert!(npz(&end, None).is_none());
    }
}
