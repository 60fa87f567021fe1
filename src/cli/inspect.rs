//! `posenc inspect`

use super::Failure;
use super::output::Output;
use crate::text::{Lang, inspection};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use posenc_inspect::{
    FileKind, Finding, Inspector, NpyHeader, Report, SafetensorsHeader, Table, kind, read,
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
            true => json(&report, self.lang),
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
        let say = |en: &'static str, zh: &'static str| match lang {
            Lang::En => en,
            Lang::Zh => zh,
        };
        let (rows, columns) = report.shape;
        let stored = report.storage.name();
        let mut text = format!("{}: {rows} × {columns}, {stored}\n", self.file.display());
        text += &format!("{}\n", inspection::summary(report, lang));
        if let Some(residual) = report.residual {
            let [max, rms] = [residual.max, residual.rms].map(inspection::small_number);
            let against = match report.is_recognised() {
                true => String::new(),
                false => report.formula.map_or(String::new(), |formula| {
                    let nearest = inspection::formula(&formula, lang);
                    format!(
                        " {} {nearest}",
                        say("from the nearest formula:", "（最接近的公式：")
                    ) + say("", "）")
                }),
            };
            text += &format!(
                "{} max {max}, rms {rms}{against}\n",
                say("residual ", "残差    ")
            );
        }
        if let Some(runner_up) = report.runner_up {
            let what = inspection::formula(&runner_up.formula, lang);
            let rms = inspection::small_number(runner_up.rms);
            text += &format!("{} rms {rms}: {what}\n", say("runner-up", "次优公式"));
        }
        for finding in &report.findings {
            let words = inspection::finding(finding, report, lang);
            text += &format!("\n{}: {words}\n", finding.code.name());
            if let Some(fix) = inspection::fix(finding.code) {
                text += &format!("  {:8} {}\n", say("usually", "常见写法"), fix.cause);
                text += &format!("  {:8} {}\n", "NumPy", fix.numpy);
                text += &format!("  {:8} {}\n", "PyTorch", fix.pytorch);
                text += &format!("  {:8} {}\n", "JAX", fix.jax);
            }
        }
        if let Some(cell) = report.first_wrong {
            let words = inspection::wrong_cell(&cell, lang);
            text += &format!(
                "\n{}{words}\n",
                say("first wrong cell: ", "第一个错误的单元格：")
            );
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

fn json(report: &Report, lang: Lang) -> String {
    let (rows, columns) = report.shape;
    let or_null = |text: Option<String>| text.unwrap_or("null".into());
    let residual = report.residual.map(|residual| {
        let [max, rms] = [residual.max, residual.rms].map(number);
        format!(r#"{{"max":{max},"rms":{rms}}}"#)
    });
    let runner_up = report.runner_up.map(|it| {
        let what = string(&inspection::formula(&it.formula, lang));
        format!(r#"{{"what":{what},"rms":{}}}"#, number(it.rms))
    });
    let finding = |finding: &Finding| {
        let at = |of: fn(&posenc_inspect::Cell) -> usize| {
            or_null(finding.cell.map(|cell| of(&cell).to_string()))
        };
        format!(
            r#"{{"code":"{}","words":{},"position":{},"dimension":{}}}"#,
            finding.code.name(),
            string(&inspection::finding(finding, report, lang)),
            at(|cell| cell.position),
            at(|cell| cell.dimension),
        )
    };
    let findings: Vec<String> = report.findings.iter().map(finding).collect();
    let fields = [
        ("shape", format!("[{rows},{columns}]")),
        ("dtype", string(report.storage.name())),
        ("kind", string(report.kind.name())),
        ("layout", or_null(report.layout.map(string))),
        ("base", or_null(report.base.map(number))),
        ("start", or_null(report.start.map(|it| it.to_string()))),
        (
            "exponent",
            or_null(report.exponent.map(|it| string(it.name()))),
        ),
        ("swapped", or_null(report.swapped.map(|it| it.to_string()))),
        ("sign", or_null(report.sign.map(|it| it.to_string()))),
        ("scale", or_null(report.scale.map(number))),
        (
            "arithmetic",
            or_null(report.arithmetic.map(|it| string(it.name()))),
        ),
        ("transposed", report.transposed.to_string()),
        ("residual", or_null(residual)),
        ("runner_up", or_null(runner_up)),
        ("findings", format!("[{}]", findings.join(","))),
        // The coarsest format that holds all of the numbers: what they were rounded to last.
        ("rounded_to", string(report.precision.name())),
    ];
    let fields = fields.map(|(name, value)| format!(r#""{name}":{value}"#));
    format!("{{{}}}\n", fields.join(","))
}

/// JSON knows neither NaN nor infinity.
fn number(value: f64) -> String {
    match value.is_finite() {
        true => value.to_string(),
        false => "null".into(),
    }
}

fn string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c < ' ' => quoted += &format!("\\u{:04x}", u32::from(c)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
