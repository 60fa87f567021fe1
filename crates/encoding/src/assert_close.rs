//! The one way in which tests compare numbers; included by the tests of this crate and by those in `tests/`.

/// Fails unless the two numbers differ by at most `tolerance`, absolutely. NaN is close to nothing.
#[track_caller]
pub(crate) fn assert_close(actual: f64, expected: f64, tolerance: f64) {
    let difference = (actual - expected).abs();
    assert!(
        difference <= tolerance,
        "{actual:e} differs from {expected:e} by {difference:e}, more than {tolerance:e}"
    );
}
