//! Clamping that cannot panic.

/// Clamps to bounds that may cross; if they do, returns the lower bound. The standard library's `clamp` panics in that
/// case, with a message that formats both bounds.
pub trait Clamp: PartialOrd + Sized {
    fn clamped(self, low: Self, high: Self) -> Self {
        let value = if self > high { high } else { self };
        if value < low { low } else { value }
    }
}

impl<T: PartialOrd> Clamp for T {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_clamps_and_takes_the_lower_of_crossing_bounds() {
        for value in [-3.0, 0.0, 2.5, 7.0, f64::INFINITY] {
            assert_eq!(value.clamped(0.0, 5.0), value.clamp(0.0, 5.0));
            assert_eq!(value.clamped(5.0, 0.0), 5.0);
        }
        assert!(f64::NAN.clamped(0.0, 5.0).is_nan());
    }
}
