//! Every setting, declared once. The URL, the element's attributes, the controls and the table in
//! the README are all made from [`SETTINGS`] and the two functions [`State::text`] and
//! [`State::apply`].

mod encoding_name;
mod link;
mod names;
mod nearest;
pub mod parse;
mod scale;
mod schema;
mod span;
mod state;
mod view_name;

pub use encoding_name::{ENCODINGS, encoding_name, own_figure};
pub use link::{Link, read_link};
pub use names::Names;
pub use nearest::nearest;
pub use parse::{Fault, Problem};
pub use scale::Scale;
pub use schema::{Key, Kind, SETTINGS, Setting, markdown_table};
pub use span::Span;
#[cfg(target_arch = "wasm32")]
pub use state::base_limits;
pub use state::{MAX_COMPARED, MAX_OFFSET, State, ThemeName};
pub use view_name::ViewName;
