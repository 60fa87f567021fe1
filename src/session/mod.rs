//! What a reader does with a picture and its controls, and what follows from it, without a browser: the shells in `web`
//! translate events of the page into calls and their results into changes of the page.

mod motion;

pub use motion::{Change, Motion};
