//! The media queries of the bench: user preferences and window size.

use super::tabs;
use crate::web::media_query::{DARK, FORCED_COLOURS, MediaQuery, REDUCED_MOTION};
use web_sys::MediaQueryList;

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
            .filter_map(|query| query.list().cloned())
            .collect()
    }
}

impl Default for MediaQueries {
    fn default() -> MediaQueries {
        MediaQueries {
            dark: MediaQuery::new(DARK),
            reduced_motion: MediaQuery::new(REDUCED_MOTION),
            forced_colours: MediaQuery::new(FORCED_COLOURS),
            wide: MediaQuery::new(tabs::WIDE),
            short: MediaQuery::new(tabs::SHORT_WINDOW),
        }
    }
}
