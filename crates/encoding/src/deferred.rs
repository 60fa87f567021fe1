//! Code that a web page loads later. A WebAssembly build may be split into two files, of which the second contains
//! the tables that are not sinusoids and their data, the attention heads, and the code that fills `f32` tables.

use std::sync::atomic::{AtomicBool, Ordering};

static DEFERRED: AtomicBool = AtomicBool::new(false);

/// Sets whether the second file of a split build has still to be loaded. Until then tables other than sinusoids are
/// [`NoTable::Loading`](crate::NoTable::Loading), and neither [`Encoding::head`](crate::Encoding::head) nor
/// [`PositionTable::rows_f32`](crate::PositionTable::rows_f32) may be called.
pub fn set_deferred(deferred: bool) {
    DEFERRED.store(deferred, Ordering::Relaxed);
}

/// Returns whether the second file has still to be loaded; always false in a build that is not split.
pub fn is_deferred() -> bool {
    DEFERRED.load(Ordering::Relaxed)
}
