//! Settings: [`Field`]s declare them, [`Values`] hold them and are always valid. [`SETTINGS`] are those of the bench,
//! and [`State`] gives typed access to their values. Addresses, attributes, controls, options of the command line and
//! the table in docs/settings.md are all made from the declarations.

mod declaration;
mod documentation;
mod edit;
mod encoding_name;
mod key;
mod link;
mod locks;
mod names;
mod nearest;
pub mod parse;
pub mod settings;
mod slider_scale;
mod span;
mod state;
mod theme_name;
mod value;
mod values;
mod view_name;
mod words;

pub use declaration::{ChoiceLabel, Field, Kind, Persistence};
pub use documentation::markdown_table;
pub use edit::Edit;
pub use encoding_name::{encoding_name, own_figure};
pub use key::{Choice, Key};
pub(crate) use key::{choices, fields};
pub use link::{Link, read_link};
pub use names::Names;
pub use nearest::nearest;
pub use parse::{Diagnostic, DiagnosticKind};
pub use settings::{MAX_COMPARED, SETTINGS, SettingId};
pub use slider_scale::SliderScale;
pub use span::Span;
pub use state::{SettingValues, State};
pub use theme_name::ThemeName;
pub use values::Values;
pub use view_name::ViewName;
