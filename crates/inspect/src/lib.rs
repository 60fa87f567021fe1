//! Recognises which positional encoding a table holds, and the mistakes in it.
//!
//! [`read`] parses files (.npy, .safetensors, text); [`Inspector`] recognises their content: all combinations of layout,
//! exponents, base, first position and order of sine and cosine are compared with a few cells, scale and signs being fitted;
//! the best of them with more cells, and the chosen one with all. The result is data ([`Report`]) without wording.
//!
//! ```
//! use posenc_inspect::{Inspector, Kind, read};
//!
//! let table = read(b"0,1,0,1\n0.841471,0.540302,0.01,0.99995\n0.909297,-0.416147,0.019999,0.9998", None).unwrap();
//! let report = Inspector::new(table).run();
//! assert_eq!((report.kind, report.base), (Kind::Sinusoidal, Some(10_000.0)));
//! ```

#![forbid(unsafe_code)]

mod arithmetic;
mod conventions;
mod csv;
mod decimal;
mod description;
mod fault;
mod file;
mod fit;
mod formula;
mod inspector;
mod json;
mod learned;
mod linear;
mod measure;
mod npy;
mod precision;
mod report;
mod rows;
mod safetensors;
mod search;
mod table;
mod table_reader;
mod tolerance;
mod verify;
mod view;
mod wave_study;

pub use description::{Axes, Frequencies, FrequencyRule, PositionRule, Positions};
pub use fault::{Candidate, ReadError};
pub use file::{FileFormat, detect_format, read};
pub use formula::{Formula, Order, Rule, Waves};
pub use inspector::Inspector;
pub use measure::MeasuredFrequency;
pub use npy::NpyHeader;
pub use precision::Precision;
pub use report::{Cell, Code, Finding, Kind, Nearest, Report, Residual, RunnerUp};
pub use rows::{Numbers, RowStudy};
pub use safetensors::{SafetensorsHeader, TensorEntry};
pub use table::{MAX_CELLS, Storage, Table};
pub use table_reader::TableReader;
pub use verify::CorrectTable;
pub use wave_study::WaveStudy;
