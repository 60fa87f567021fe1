//! Code that a page loads later. A build may be divided into two files, of which the second has what makes Whisper's table and its numbers,
//! the heads of attention, and what fills tables as numbers of 32 bits.

use std::sync::atomic::{AtomicBool, Ordering};

static DEFERRED: AtomicBool = AtomicBool::new(false);

/// Says whether the second file of a divided build is still on its way. Until it is there Whisper's table is
/// [`NoTable::Loading`](crate::NoTable::Loading), and neither [`Encoding::head`](crate::Encoding::head) nor
/// [`PositionTable::rows_f32`](crate::PositionTable::rows_f32) may be called.
pub fn set_deferred(deferred: bool) {
    DEFERRED.store(deferred, Ordering::Relaxed);
}

/// Whether it is still on its way; never in a build that is not divided.
pub fn is_deferred() -> bool {
    DEFERRED.load(Ordering::Relaxed)
}
