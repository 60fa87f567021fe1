//! `posenc inspect`

use super::Failure;
use super::output::Output;
use crate::export::report_json;
use crate::text::{Lang, inspection};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use posenc_inspect::{
    FileKind, Inspector, NpyHeader, Report, SafetensorsHeader, Table, kind, read,
};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::process::ExitCode;

/// The largest text that is read, in bytes.
const LONGEST_TEXT: u64 = 1 << 29;
/// As much of a file as says what it is.
const BEGINNING: u64 = 512;

/// Says which encoding a table of positions is, and what is wrong with it
///
/// The table is an .npy, a .csv or another text, or a tensor of a .safetensors. Exit status 0: every cell is that of the
/// paper's encoding or of a documented layout of it; 1: something else was recognised, or nothing; 2: the file cannot be
/// read.
#[derive(clap::Args)]
#[command(after_help = "Example:
  posenc table --d-model 64 --max-len 50 -o pe.npy && posenc inspect pe.npy")]
pub struct Inspect {
    /// The file; what it is is told by its contents
    file: PathBuf,
    /// Which tensor of a .safetensors; without it the only one that can be meant, or a list of candidates
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

impl Inspect {
    pub(super) fn write(self) -> Result<ExitCode, Failure> {
        let table = self.table()?;
        let report = Inspector::new(table).run();
        let text = match self.json {
            true => report_json(&report, self.lang) + "\n",
            false => self.words(&report),
        };
        let output = "-".into();
        Output { output }.write(std::iter::once(text.into_bytes()))?;
        Ok(match report.is_correct() {
            true => ExitCode::SUCCESS,
            false => ExitCode::FAILURE,
        })
    }

    fn table(&self) -> Result<Table, Failure> {
        let name = self.file.display();
        let fail = |message: String| Failure::of("inspect", &name.to_string(), message);
        match self.open() {
            Ok(Ok(table)) => Ok(table),
            Ok(Err(fault)) => Err(fail(inspection::fault(&fault, self.lang))),
            Err(error) => Err(fail(error.to_string())),
        }
    }

    /// Reads the header, then the bytes of the table, and nothing else of a large file.
    fn open(&self) -> io::Result<Result<Table, posenc_inspect::Fault>> {
        let mut file = File::open(&self.file)?;
        let size = file.metadata()?.len();
        let start = part(&mut file, 0, BEGINNING)?;
        let read_table = || -> Result<(FileKind, u64), posenc_inspect::Fault> {
            let kind = kind(&start)?;
            let header = match kind {
                FileKind::Npy => NpyHeader::length(&start)? as u64,
                FileKind::Safetensors => SafetensorsHeader::length(&start)?,
                FileKind::Text => 0,
            };
            Ok((kind, header))
        };
        let (kind, header) = match read_table() {
            Ok(it) => it,
            Err(fault) => return Ok(Err(fault)),
        };
        let header = part(&mut file, 0, header)?;
        Ok(match kind {
            FileKind::Text => {
                let text = part(&mut file, 0, LONGEST_TEXT)?;
                read(&text, None)
            }
            FileKind::Npy => match NpyHeader::parse(&header) {
                Ok(header) => match header.range() {
                    Ok(range) => {
                        let bytes = (range.end - range.start) as u64;
                        header.table(&part(&mut file, range.start as u64, bytes)?)
                    }
                    Err(fault) => Err(fault),
                },
                Err(fault) => Err(fault),
            },
            FileKind::Safetensors => {
                let place = SafetensorsHeader::parse(&header, size)
                    .and_then(|header| header.tensor(self.tensor.as_deref()));
                match place {
                    Ok(place) => {
                        let bytes = place.range.end - place.range.start;
                        place.table(&part(&mut file, place.range.start, bytes)?)
                    }
                    Err(fault) => Err(fault),
                }
            }
        })
    }

    /// The report for people.
    fn words(&self, report: &Report) -> String {
        let lang = self.lang;
        let say = |key: &str, values: &[(&str, &str)]| inspection::say(lang, key, values);
        let (rows, columns) = report.shape;
        let stored = report.storage.name();
        let mut text = format!("{}: {rows} × {columns}, {stored}\n", self.file.display());
        text += &format!("{}\n", inspection::summary(report, lang));
        if let Some(residual) = report.residual {
            let [max, rms] = [residual.max, residual.rms].map(inspection::small_number);
            text += &say("report.residual", &[("max", &max), ("rms", &rms)]);
            if let Some(formula) = report.formula.filter(|_| !report.is_recognised()) {
                let formula = inspection::formula(&formula, lang);
                text += &say("report.nearest", &[("formula", &formula)]);
            }
            text.push('\n');
        }
        if let Some(runner_up) = report.runner_up {
            let formula = inspection::formula(&runner_up.formula, lang);
            let rms = inspection::small_number(runner_up.rms);
            text += &say("report.runner-up", &[("rms", &rms), ("formula", &formula)]);
            text.push('\n');
        }
        for finding in &report.findings {
            let words = inspection::finding(finding, report, lang);
            text += &format!("\n{}: {words}\n", finding.code.name());
            if let Some(fix) = inspection::fix(finding.code) {
                text += &format!("  {}\n", say("report.cause", &[("code", fix.cause)]));
                text += &format!("  {:8} {}\n", "NumPy", fix.numpy);
                text += &format!("  {:8} {}\n", "PyTorch", fix.pytorch);
                text += &format!("  {:8} {}\n", "JAX", fix.jax);
            }
        }
        if let Some(cell) = report.first_wrong {
            let cell = inspection::wrong_cell(&cell, lang);
            text += &format!("\n{}\n", say("report.first", &[("cell", &cell)]));
        }
        text
    }
}

/// At most so many bytes from there on; fewer at the end of the file.
fn part(file: &mut File, from: u64, bytes: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(from))?;
    let mut read = Vec::new();
    file.take(bytes).read_to_end(&mut read)?;
    Ok(read)
}
