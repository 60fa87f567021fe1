//! `posenc inspect`

use super::Failure;
use super::output::Output;
use super::table_file::{self, Archive};
use crate::export::report_json;
use crate::text::{Lang, inspection};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use posenc_inspect::{Inspector, ReadError, Table, TableReader, detect_format, read};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::process::ExitCode;

/// Says which encoding a table of positions is, and what is wrong with it
///
/// The table is an .npy, an array of an .npz, a .csv, JSON or another text, or a tensor of a .safetensors. Exit status 0:
/// every cell is that of the paper's encoding or of a documented layout of it; 1: something else was recognised, or
/// nothing; 2: the file cannot be read.
#[derive(clap::Args)]
#[command(after_help = "Example:
  posenc table --d-model 64 --max-len 50 -o pe.npy && posenc inspect pe.npy")]
pub struct Inspect {
    /// The file; what it is is told by its contents
    file: PathBuf,
    /// Which tensor of a .safetensors or array of an .npz; without it the only one that can be meant, or a list of candidates
    #[arg(long, value_name = "NAME")]
    tensor: Option<String>,
    /// Prints the report as JSON
    #[arg(long)]
    json: bool,
    /// Language of the report
    #[arg(long, default_value = "en", value_parser = lang())]
    lang: Lang,
}

fn lang() -> impl TypedValueParser<Value = Lang> {
    PossibleValuesParser::new(["en", "zh"]).try_map(|tag| Lang::of(&tag).ok_or("no such language"))
}

/// A table and, for a file with several, its name.
type Named = (Table, Option<String>);

impl Inspect {
    pub(super) fn write(self) -> Result<ExitCode, Failure> {
        let (table, tensor) = self.table()?;
        let report = Inspector::new(table).run();
        let text = match self.json {
            true => report_json(&report, tensor.as_deref(), self.lang) + "\n",
            false => {
                let file = self.file.display().to_string();
                let name = tensor.map_or(file.clone(), |tensor| format!("{file}, {tensor}"));
                inspection::report(&name, &report, self.lang)
            }
        };
        let output = "-".into();
        Output { output }.write(std::iter::once(text.into_bytes()))?;
        Ok(match report.is_correct() {
            true => ExitCode::SUCCESS,
            false => ExitCode::FAILURE,
        })
    }

    fn table(&self) -> Result<Named, Failure> {
        let name = self.file.display();
        let fail = |message: String| Failure::of("inspect", &name.to_string(), message);
        match self.open() {
            Ok(Ok((_, None))) if self.tensor.is_some() => Err(fail(
                "the file is one table, without a name for --tensor".into(),
            )),
            Ok(Ok(table)) => Ok(table),
            Ok(Err(fault)) => Err(fail(inspection::fault(&fault, self.lang))),
            Err(error) => Err(fail(error.to_string())),
        }
    }

    /// Reads a file that has to be unpacked or rewritten as a whole first; `None` for all others.
    fn rewritten(
        &self,
        file: &mut File,
        size: u64,
    ) -> io::Result<Option<Result<Named, ReadError>>> {
        let start = part(file, 0, 4096)?;
        let name = self.tensor.as_deref();
        if detect_format(&start) == Err(ReadError::Npz) {
            return Ok(match table_file::npz(&part(file, 0, size)?, name) {
                Some(Archive::Member(bytes)) => {
                    let name = name.map(String::from);
                    Some(read(&bytes, None).map(|table| (table, name)))
                }
                Some(Archive::Names(names)) => Some(Err(ReadError::Choose(names))),
                None => None,
            });
        }
        let text = String::from_utf8_lossy(&start);
        if text.contains("\"weight_map\"") {
            return Ok(Some(Err(ReadError::Index)));
        }
        let is_binary = start.iter().any(|byte| *byte == 0 || *byte > 0xf4);
        if is_binary || !text.contains(['[', '{', '|']) {
            return Ok(None);
        }
        let rows = table_file::rows(&part(file, 0, size)?);
        Ok(rows.map(|rows| read(rows.as_bytes(), None).map(|table| (table, None))))
    }

    /// Reads only the parts of the file that the table needs.
    fn open(&self) -> io::Result<Result<Named, ReadError>> {
        let mut file = File::open(&self.file)?;
        let size = file.metadata()?.len();
        if let Some(read) = self.rewritten(&mut file, size)? {
            return Ok(read);
        }
        let mut reader = TableReader::new(size, self.tensor.as_deref());
        while let Some(range) = reader.next_range() {
            let part = part(&mut file, range.start, range.end - range.start)?;
            if let Err(fault) = reader.feed(&part) {
                return Ok(Err(fault));
            }
        }
        let candidates = reader.candidates();
        let tensor = reader.tensor().filter(|_| !candidates.is_empty());
        let tensor = tensor.map(String::from);
        let table = reader.take_table().ok_or(ReadError::Choose(candidates));
        Ok(table.map(|table| (table, tensor)))
    }
}

/// Reads at most `bytes` bytes from the offset `from`; fewer at the end of the file.
fn part(file: &mut File, from: u64, bytes: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(from))?;
    let mut read = Vec::new();
    file.take(bytes).read_to_end(&mut read)?;
    Ok(read)
}
