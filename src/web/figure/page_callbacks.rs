//! Callbacks into the page of the bench and its address; no-ops on other pages.

use crate::session::{Change, NamedValues};
use std::cell::Cell;

#[derive(Clone, Copy)]
pub struct PageCallbacks {
    /// Returns the values of the bench, by name.
    pub values: fn() -> NamedValues,
    /// Sets values of the bench that a figure shares with it.
    pub set: fn(&[(&str, String)], Change),
    /// Sets these values on the bench and scrolls to it.
    pub go_to_bench: fn(NamedValues),
    /// Called when the values of the standalone figure have changed, with those that differ from the defaults.
    pub figure_changed: fn(NamedValues),
    /// Called when core/figures.wasm has loaded.
    pub figures_loaded: fn(),
}

thread_local! {
    static PAGE: Cell<PageCallbacks> = const {
        Cell::new(PageCallbacks {
            values: Vec::new,
            set: |_, _| {},
            go_to_bench: |_| {},
            figure_changed: |_| {},
            figures_loaded: || {},
        })
    };
}

/// Sets the callbacks of a page with a bench.
pub fn attach(page: PageCallbacks) {
    PAGE.set(page);
}

pub(super) fn page_callbacks() -> PageCallbacks {
    PAGE.get()
}
