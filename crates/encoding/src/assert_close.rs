//! Comparison of floating-point numbers in tests; included by this crate, by `src/` and by `tests/` of the workspace.

/// Panics unless the numbers differ by at most `tolerance` (absolute); NaN always fails.
#[track_caller]
pub(crate) fn assert_close(actual: f64, expected: f64, tolerance: f64) {
    let difference = (actual - expected).abs();
    assert!(
        difference <= tolerance,
        "{actual:e} differs from {expected:e} by {difference:e}, more than {tolerance:e}"
    );
}
