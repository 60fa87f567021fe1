//! The order of numbers. Every type and every comparison that the standard library sorts by brings a
//! sort of its own into the wasm, four kilobytes each: here is the one that all figures share.

/// The indices of the keys from the least to the greatest; equal ones stay in their order. Runs twice
/// as long are merged of two until one is left.
pub fn ascending(keys: &[f64]) -> Vec<usize> {
    let count = keys.len();
    let mut order: Vec<usize> = (0..count).collect();
    let mut merged = order.clone();
    let mut run = 1;
    while run < count {
        for start in (0..count).step_by(2 * run) {
            let (middle, end) = ((start + run).min(count), (start + 2 * run).min(count));
            let (mut left, mut right) = (start, middle);
            for place in &mut merged[start..end] {
                let of = |place: usize| keys[order[place]];
                let first = right == end || left < middle && of(left).total_cmp(&of(right)).is_le();
                let next = if first { &mut left } else { &mut right };
                *place = order[*next];
                *next += 1;
            }
        }
        std::mem::swap(&mut order, &mut merged);
        run *= 2;
    }
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
        for count in 0..70 {
            let keys: Vec<f64> = (0..count).map(|i| f64::from(i * 37 % 23)).collect();
            let mut wanted: Vec<usize> = (0..keys.len()).collect();
            wanted.sort_by(|&a, &b| keys[a].total_cmp(&keys[b]));
            assert_eq!(ascending(&keys), wanted);
        }
    }
}
