//! Every setting, declared once. The URL, the element's attributes, the controls and the table in
//! the README are all made from [`SETTINGS`] and the two functions [`State::text`] and
//! [`State::apply`].

mod encoding_name;
mod link;
mod names;
mod nearest;
pub mod parse;
pub mod schema;
mod slider_scale;
mod span;
mod state;
pub mod values;
mod view_name;
mod words;

pub use encoding_name::{ENCODINGS, encoding_name, own_figure};
pub use link::{Link, read_link};
pub use names::Names;
pub use nearest::nearest;
pub use parse::{Fault, Problem};
pub use schema::{Key, SETTINGS, Setting, markdown_table};
pub use slider_scale::SliderScale;
pub use span::Span;
#[cfg(target_arch = "wasm32")]
pub use state::base_limits;
pub use state::{MAX_COMPARED, MAX_OFFSET, State, ThemeName};
pub use values::{Field, Place, Values};
pub use view_name::ViewName;
