//! Media queries: user preferences and window size.

use super::tabs;
use crate::web::dom::window;
use web_sys::MediaQueryList;

/// A live media query, which never matches if `matchMedia` is unavailable.
#[derive(Clone)]
pub(super) struct MediaQuery(Option<MediaQueryList>);

impl MediaQuery {
    fn new(query: &str) -> MediaQuery {
        MediaQuery(window().match_media(query).ok().flatten())
    }

    pub fn matches(&self) -> bool {
        self.0.as_ref().is_some_and(MediaQueryList::matches)
    }
}

pub(super) struct MediaQueries {
    pub dark: MediaQuery,
    pub reduced_motion: MediaQuery,
    pub forced_colours: MediaQuery,
    /// The window has room for two panels side by side.
    pub wide: MediaQuery,
    /// The window is too low for two panels above each other.
    pub short: MediaQuery,
}

impl MediaQueries {
    /// The media query lists, for change listeners.
    pub fn lists(&self) -> Vec<MediaQueryList> {
        let all = [
            &self.dark,
            &self.reduced_motion,
            &self.forced_colours,
            &self.wide,
            &self.short,
        ];
        all.into_iter()
            .filter_map(|query| query.0.clone())
            .collect()
    }
}

impl Default for MediaQueries {
    fn default() -> MediaQueries {
        MediaQueries {
            dark: MediaQuery::new("(prefers-color-scheme: dark)"),
            reduced_motion: MediaQuery::new("(prefers-reduced-motion: reduce)"),
            forced_colours: MediaQuery::new("(forced-colors: active)"),
            wide: MediaQuery::new(tabs::WIDE),
            short: MediaQuery::new(tabs::SHORT_WINDOW),
        }
    }
}
