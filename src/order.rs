//! The order of numbers, sorted in one place: every type and every comparison that the standard
//! library sorts by brings a sort of its own into the wasm, four kilobytes each.

/// The indices of the keys from the least to the greatest; equal ones stay in their order.
pub fn ascending(keys: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by(|&a, &b| keys[a].total_cmp(&keys[b]));
    order
}

/// Within bounds that may come too close and cross: then the lower one holds. The standard
/// library's `clamp` panics there, with both bounds in words.
pub trait Between: PartialOrd + Sized {
    fn between(self, low: Self, high: Self) -> Self {
        let value = if self > high { high } else { self };
        if value < low { low } else { value }
    }
}

impl<T: PartialOrd> Between for T {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_is_clamp_that_cannot_fail() {
        for value in [-3.0, 0.0, 2.5, 7.0, f64::INFINITY] {
            assert_eq!(value.between(0.0, 5.0), value.clamp(0.0, 5.0));
            assert_eq!(value.between(5.0, 0.0), 5.0);
        }
        assert!(f64::NAN.between(0.0, 5.0).is_nan());
    }

    #[test]
    fn from_the_least_to_the_greatest() {
        assert_eq!(ascending(&[2.0, -1.0, 7.5, 2.0]), [1, 0, 3, 2]);
        assert!(ascending(&[]).is_empty());
    }
}
