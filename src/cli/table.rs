//! `posenc table`

use super::Failure;
use super::output::Output;
use super::rope_part::{Part, rope_part};
use super::settings::{self, TableSettings};
use crate::export::{self, Dtype, Format, TableFile};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use posenc_encoding::Encoding;

/// The approximate number of bytes that are computed and written at a time.
const SLICE: u64 = 4 << 20;

/// Writes the table as NumPy's .npy or as .csv
///
/// One row per position, one column per dimension: row-major [max_len, d_model]. Numbers of type float32 are rounded once,
/// those of type float64 are off by less than 4e-15. A table of any size within the limits is written in slices and takes
/// little memory.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  posenc table --d-model 512 --max-len 50 -o pe.npy
  posenc table --encoding rope --part cos --layout concatenated --d-model 128 --base 500000 -o cos.npy")]
pub struct Table {
    #[command(flatten)]
    settings: TableSettings,
    /// The type of the numbers
    #[arg(long, default_value = "float32")]
    dtype: Dtype,
    /// Of RoPE, the cosines or sines of all pairs, in both columns of each: concatenated as Transformers caches them,
    /// interleaved as GPT-J does
    #[arg(long)]
    part: Option<Part>,
    /// By default, what the file's name ends in
    #[arg(long)]
    format: Option<Format>,
    #[command(flatten)]
    output: Output,
}

impl ValueEnum for Dtype {
    fn value_variants<'a>() -> &'a [Dtype] {
        &Dtype::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()))
    }
}

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Format] {
        &Format::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()))
    }
}

impl Table {
    pub(super) fn write(self) -> Result<(), Failure> {
        let state = settings::state("table", &self.settings.0)?;
        let has_waves = state.encoding().sinusoids(&state.table_config()).is_some();
        for said in &self.settings.0 {
            let message = match said.name.as_str() {
                "base" | "layout" if !has_waves => format!("has no {}", said.name),
                "layout" if state.table_config().layout != state.layout() => {
                    format!("has no layout {}", said.value)
                }
                _ => continue,
            };
            let message = format!("'{}' {message}", state.encoding().name());
            return Err(Failure::of("table", &said.argument, message));
        }
        let format = self.format()?;
        let table = match self.part {
            None => export::Table::of(&state, self.dtype),
            Some(_) if state.encoding() != Encoding::Rope => {
                let message = "only RoPE has parts: say --encoding rope".to_string();
                return Err(Failure::of("table", "--part", message));
            }
            Some(part) => {
                let config = state.table_config();
                let cells = rope_part(part, &config).ok_or_else(|| {
                    let message = format!("{} is odd, and RoPE rotates pairs", config.d_model);
                    Failure::of("table", "--d-model", message)
                })?;
                cells.map(|cells| export::Table {
                    encoding: state.encoding(),
                    cells,
                    max_len: config.max_len,
                    dtype: self.dtype,
                })
            }
        };
        let table = table.map_err(|fault| {
            let message = format!("'{}': {fault}", state.encoding().name());
            Failure::of("table", "--encoding", message)
        })?;
        let mut file = TableFile::new(table, format);
        let rows = file.rows_in(SLICE);
        self.output.write(std::iter::from_fn(|| file.next(rows)))
    }

    fn format(&self) -> Result<Format, Failure> {
        if let Some(format) = self.format {
            return Ok(format);
        }
        let ending = self.output.output.extension().unwrap_or_default();
        let format = Format::ALL
            .into_iter()
            .find(|format| ending.eq_ignore_ascii_case(format.name()));
        format.ok_or_else(|| {
            let name = self.output.output.display();
            let message = format!("'{name}' ends in neither .csv nor .npy, say --format");
            Failure::of("table", "--output", message)
        })
    }
}
