//! Media queries, which bench and figures ask for.

use super::dom::window;
use web_sys::MediaQueryList;

pub(super) const DARK: &str = "(prefers-color-scheme: dark)";
pub(super) const REDUCED_MOTION: &str = "(prefers-reduced-motion: reduce)";
pub(super) const FORCED_COLOURS: &str = "(forced-colors: active)";

/// A live media query, which never matches if `matchMedia` is unavailable.
#[derive(Clone)]
pub(super) struct MediaQuery(Option<MediaQueryList>);

impl MediaQuery {
    pub fn new(query: &str) -> MediaQuery {
        MediaQuery(window().match_media(query).ok().flatten())
    }

    pub fn matches(&self) -> bool {
        self.0.as_ref().is_some_and(MediaQueryList::matches)
    }

    /// The list of media queries, for listeners of its `change` events.
    pub fn list(&self) -> Option<&MediaQueryList> {
        self.0.as_ref()
    }
}
