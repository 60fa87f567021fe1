//! What the page around the figures does for them, where there is one of ours: the bench and the address.

use super::group::Pairs;
use std::cell::Cell;

#[derive(Clone, Copy)]
pub struct PageLink {
    /// The values of the bench, by name.
    pub values: fn() -> Pairs,
    /// A reader has set values that the bench shares.
    pub set: fn(&[(&str, String)]),
    /// Shows these values on the bench and scrolls to it.
    pub go_to_bench: fn(Pairs),
    /// The figure that the page shows alone has these values, those that are not the defaults.
    pub figure_changed: fn(Pairs),
    /// The second file of the core is there.
    pub arrived: fn(),
}

thread_local! {
    static PAGE: Cell<PageLink> = const {
        Cell::new(PageLink {
            values: Vec::new,
            set: |_| {},
            go_to_bench: |_| {},
            figure_changed: |_| {},
            arrived: || {},
        })
    };
}

/// Figures are on a page with a bench.
pub fn attach(page: PageLink) {
    PAGE.set(page);
}

pub(super) fn page_link() -> PageLink {
    PAGE.get()
}
