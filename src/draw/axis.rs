//! A straight axis: from values to pixels, and where the ticks go.

use plotters::coord::ranged1d::{BoldPoints, Ranged};
use plotters::coord::types::RangedCoordf64;

/// Maps `low..high` onto `from..to` in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    /// The values must be finite and differ.
    pub fn new((low, high): (f64, f64), (from, to): (f64, f64)) -> Axis {
        debug_assert!(low.is_finite() && high.is_finite() && low != high);
        Axis {
            low,
            high,
            from,
            to,
        }
    }

    pub fn pixel(&self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    pub fn value(&self, pixel: f64) -> f64 {
        self.low + (pixel - self.from) / (self.to - self.from) * (self.high - self.low)
    }

    /// Pixels per unit of value.
    pub fn density(&self) -> f64 {
        ((self.to - self.from) / (self.high - self.low)).abs()
    }

    /// Round whole numbers within the axis, about `spacing` pixels apart or more.
    pub fn whole_ticks(&self, spacing: f64) -> Vec<i64> {
        let most = ((self.to - self.from).abs() / spacing).floor();
        // plotters never returns from an axis asked for no labels, or on an empty range.
        if most < 1.0 || !most.is_finite() {
            return Vec::new();
        }
        let ticks = RangedCoordf64::from(self.low..self.high).key_points(BoldPoints(most as usize));
        let mut whole: Vec<i64> = ticks
            .into_iter()
            .filter(|tick| (tick - tick.round()).abs() < 1e-6)
            .map(|tick| tick.round() as i64)
            .collect();
        whole.dedup();
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_and_values_are_inverse() {
        let axis = Axis::new((0.0, 64.0), (40.0, 360.0));
        assert_eq!(axis.pixel(32.0), 200.0);
        assert_eq!(axis.value(200.0), 32.0);
    }

    #[test]
    fn ticks_are_whole_and_not_too_close() {
        for (high, length) in [
            (1.0, 300.0),
            (5.0, 300.0),
            (64.0, 300.0),
            (1_048_576.0, 500.0),
        ] {
            let axis = Axis::new((0.0, high), (0.0, length));
            let ticks = axis.whole_ticks(40.0);
            assert!(!ticks.is_empty(), "{high}");
            for pair in ticks.windows(2) {
                assert!(
                    axis.pixel(pair[1] as f64) - axis.pixel(pair[0] as f64) >= 39.0,
                    "{high}"
                );
            }
        }
        assert!(
            Axis::new((0.0, 9.0), (0.0, 0.0))
                .whole_ticks(40.0)
                .is_empty()
        );
    }
}
