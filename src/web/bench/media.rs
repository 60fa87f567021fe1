//! What the reader has asked of the system, and what the window has room for.

use super::tabs;
use crate::web::dom::window;
use web_sys::MediaQueryList;

/// A question to the browser that may be answered otherwise later; never true where it cannot be asked.
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
    /// Less motion is wanted.
    pub still: MediaQuery,
    /// There is room for two panels beside each other.
    pub wide: MediaQuery,
    /// There is no room for two above each other.
    pub low: MediaQuery,
}

impl MediaQueries {
    /// Those that can be asked, to be listened to.
    pub fn lists(&self) -> Vec<MediaQueryList> {
        let all = [&self.dark, &self.still, &self.wide, &self.low];
        all.into_iter()
            .filter_map(|query| query.0.clone())
            .collect()
    }
}

impl Default for MediaQueries {
    fn default() -> MediaQueries {
        MediaQueries {
            dark: MediaQuery::new("(prefers-color-scheme: dark)"),
            still: MediaQuery::new("(prefers-reduced-motion: reduce)"),
            wide: MediaQuery::new(tabs::WIDE),
            low: MediaQuery::new(tabs::LOW),
        }
    }
}
