//! Scales convert values to pixels and back, and choose ticks.

use crate::text::number;
use plotters::coord::ranged1d::{BoldPoints, Ranged};
use plotters::coord::types::RangedCoordf64;

/// A linear or logarithmic scale from values to CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    domain: (f64, f64),
    log: bool,
    /// On a logarithmic scale, ticks are at powers of this.
    base: f64,
    range: (f64, f64),
}

impl Scale {
    /// A linear scale from a domain of values to a range in CSS pixels; the ends of the domain must differ, and may be
    /// in descending order.
    pub fn new(domain: (f64, f64), (from, to): (f64, f64)) -> Scale {
        debug_assert!(domain.0.is_finite() && domain.1.is_finite() && domain.0 != domain.1);
        let scale = Scale::linear(0.0, 1.0).on(from, to);
        Scale { domain, ..scale }
    }

    /// A linear scale; its range is set by [`Scale::on`]. The values must be finite; a domain that is empty or descends
    /// is replaced by one of width 1.
    pub fn linear(low: f64, high: f64) -> Scale {
        let high = if high > low { high } else { low + 1.0 };
        Scale {
            domain: (low, high),
            log: false,
            base: 10.0,
            range: (0.0, 1.0),
        }
    }

    /// A logarithmic scale; both values must be above 0.
    pub fn log(low: f64, high: f64) -> Scale {
        let low = low.max(f64::MIN_POSITIVE);
        Scale {
            log: true,
            ..Scale::linear(low, high.max(low * 1.001))
        }
    }

    /// A logarithmic scale with its ticks at powers of two.
    pub fn octaves(low: f64, high: f64) -> Scale {
        Scale {
            base: 2.0,
            ..Scale::log(low, high)
        }
    }

    /// The same scale with a range from one pixel to another.
    pub fn on(self, from: f64, to: f64) -> Scale {
        Scale {
            range: (from, to),
            ..self
        }
    }

    /// The values at the first and the last pixel, which may be in descending order.
    pub fn domain(&self) -> (f64, f64) {
        self.domain
    }

    /// Whether the scale is logarithmic.
    pub fn is_log(&self) -> bool {
        self.log
    }

    fn fraction(&self, value: f64) -> f64 {
        let (first, last) = self.domain;
        if self.log {
            (value.max(f64::MIN_POSITIVE) / first).ln() / (last / first).ln()
        } else {
            (value - first) / (last - first)
        }
    }

    pub fn pixel(&self, value: f64) -> f64 {
        let (from, to) = self.range;
        from + self.fraction(value) * (to - from)
    }

    pub fn value(&self, pixel: f64) -> f64 {
        let ((first, last), (from, to)) = (self.domain, self.range);
        let fraction = (pixel - from) / (to - from);
        if self.log {
            first * (last / first).powf(fraction)
        } else {
            first + fraction * (last - first)
        }
    }

    /// The smallest and the largest value.
    fn extent(&self) -> (f64, f64) {
        let (first, last) = self.domain;
        (first.min(last), first.max(last))
    }

    /// The length of the range, in CSS pixels.
    fn length(&self) -> f64 {
        (self.range.1 - self.range.0).abs()
    }

    pub fn contains(&self, value: f64) -> bool {
        (-1e-9..=1.0 + 1e-9).contains(&self.fraction(value))
    }

    /// Round values in ascending order, at least `spacing` pixels apart. Plotters' key points do not serve: they are 1,
    /// 2 or 5 times a power of ten only if there are few, and `LogCoord` has none at powers of two.
    pub fn ticks(&self, spacing: f64) -> Vec<f64> {
        let max_count = (self.length() / spacing).floor();
        if !(1.0..1e4).contains(&max_count) {
            return Vec::new();
        }
        let (low, high) = self.extent();
        if self.log {
            let (low, high) = (low.log(self.base), high.log(self.base));
            let every = ((high - low) / max_count).ceil().max(1.0);
            let first = (low / every - 1e-9).ceil() as i64;
            let last = (high / every + 1e-9).floor() as i64;
            return (first..=last)
                .map(|i| self.base.powf(i as f64 * every))
                .collect();
        }
        let rough = (high - low) / max_count;
        let decade = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .map(|digit| digit * decade)
            .into_iter()
            .find(|&step| step >= rough * (1.0 - 1e-9))
            .unwrap_or(10.0 * decade);
        let first = (low / step - 1e-9).ceil() as i64;
        let last = (high / step + 1e-9).floor() as i64;
        (first..=last).map(|i| i as f64 * step).collect()
    }

    /// The label of one of [`Scale::ticks`].
    pub(super) fn tick_label(&self, tick: f64) -> String {
        if !self.log {
            return number::trimmed(tick, 6);
        }
        if (1e-3..1e5).contains(&tick) {
            number::short(tick, 3)
        } else {
            number::power(self.base, tick.log(self.base).round() as i32)
        }
    }

    /// Pixels per unit of value.
    pub fn density(&self) -> f64 {
        let ((first, last), (from, to)) = (self.domain, self.range);
        ((to - from) / (last - first)).abs()
    }

    /// Round integers within the axis in ascending order, about `spacing` pixels apart or more.
    pub fn whole_ticks(&self, spacing: f64) -> Vec<i64> {
        let max_count = (self.length() / spacing).floor();
        // `key_points` does not terminate if no labels are requested or the range is empty.
        if max_count < 1.0 || !max_count.is_finite() {
            return Vec::new();
        }
        let (low, high) = self.extent();
        let ticks = RangedCoordf64::from(low..high).key_points(BoldPoints(max_count as usize));
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
    fn ticks_are_round_and_inside() {
        let scale = Scale::linear(-0.3, 1.02).on(0.0, 300.0);
        assert_eq!(scale.ticks(60.0), [0.0, 0.5, 1.0]);
        let scale = Scale::log(3.0, 70_000.0).on(0.0, 300.0);
        let ticks: Vec<f64> = scale.ticks(40.0).iter().map(|t| t.round()).collect();
        assert_eq!(ticks, [10.0, 100.0, 1000.0, 10_000.0]);
        let scale = Scale::octaves(4.0, 1024.0).on(0.0, 300.0);
        assert_eq!(scale.ticks(40.0), [4.0, 16.0, 64.0, 256.0, 1024.0]);
        assert!(Scale::linear(0.0, 1.0).on(0.0, 0.0).ticks(40.0).is_empty());
    }

    #[test]
    fn very_small_and_very_large_ticks_are_named_as_powers_of_the_base() {
        let names = |scale: Scale, ticks: [f64; 4]| ticks.map(|tick| scale.tick_label(tick));
        assert_eq!(
            names(
                Scale::octaves(1e-4, 1e8),
                [-10, -9, 16, 17].map(|n| 2f64.powi(n))
            ),
            ["2⁻¹⁰", "0.00195", "65\u{202f}536", "2¹⁷"]
        );
        assert_eq!(
            names(Scale::log(1e-9, 1e9), [1e-4, 1e-3, 1e4, 1e5]),
            ["10⁻⁴", "0.001", "10\u{202f}000", "10⁵"]
        );
    }

    #[test]
    fn pixels_and_values_are_inverse() {
        for scale in [Scale::linear(2.0, 8.0), Scale::log(2.0, 8.0)] {
            let scale = scale.on(300.0, 20.0);
            assert!((scale.value(scale.pixel(5.0)) - 5.0).abs() < 1e-12);
            assert!(scale.contains(8.0) && !scale.contains(8.1));
        }
    }

    #[test]
    fn a_scale_may_go_down() {
        let scale = Scale::new((0.0, 64.0), (40.0, 360.0));
        assert_eq!(scale.pixel(32.0), 200.0);
        assert_eq!(scale.value(200.0), 32.0);
        let down = Scale::new((1.0, -1.0), (0.0, 80.0));
        assert_eq!((down.pixel(0.5), down.value(60.0)), (20.0, -0.5));
        assert_eq!(down.ticks(30.0), [-1.0, 0.0, 1.0]);
        let up = Scale::new((-1.0, 1.0), (0.0, 80.0));
        assert_eq!(down.whole_ticks(30.0), up.whole_ticks(30.0));
    }

    #[test]
    fn ticks_are_whole_and_not_too_close() {
        for (high, length) in [
            (1.0, 300.0),
            (5.0, 300.0),
            (64.0, 300.0),
            (1_048_576.0, 500.0),
        ] {
            let scale = Scale::new((0.0, high), (0.0, length));
            let ticks = scale.whole_ticks(40.0);
            assert!(!ticks.is_empty(), "{high}");
            for pair in ticks.windows(2) {
                assert!(
                    scale.pixel(pair[1] as f64) - scale.pixel(pair[0] as f64) >= 39.0,
                    "{high}"
                );
            }
        }
        assert!(
            Scale::new((0.0, 9.0), (0.0, 0.0))
                .whole_ticks(40.0)
                .is_empty()
        );
    }
}
