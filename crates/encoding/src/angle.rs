//! Angles reduced to whole quarter turns and a small remainder, so that large angles keep full accuracy.

use crate::double_double::DoubleDouble;
use std::f64::consts::TAU;

/// `quarters · π/2 + rest` with |rest| ≤ π/4, up to rounding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Angle {
    quarters: i64,
    rest: DoubleDouble,
}

/// π/2 in three parts; the first two have at most 30 bits, so that their products with integers below 2^23 are exact.
const QUARTER: [f64; 3] = [QUARTER_HIGH, QUARTER_MIDDLE, QUARTER_LOW];
const QUARTER_HIGH: f64 = 1.570_796_325_802_803;
const QUARTER_MIDDLE: f64 = 9.920_935_791_635_221e-10;
const QUARTER_LOW: f64 = 5.170_182_981_794_105e-19;

/// Reduces an angle in radians to 0 … 2π, up to rounding errors in proportion to its size.
// Divides instead of using `%`, which pulls a 128-bit long division into the wasm.
pub fn wrap_to_2pi(angle: f64) -> f64 {
    angle - TAU * (angle / TAU).floor()
}

/// Reduces an angle in radians to −π … π, up to rounding errors in proportion to its size.
pub fn wrap_to_pi(angle: f64) -> f64 {
    angle - TAU * (angle / TAU).round()
}

/// Returns sine and cosine of an angle of less than 2^23 radians either way, with an error below 1 ulp.
// The standard library's functions add five kilobytes to the wasm, to reduce angles up to 1e308.
#[inline(never)]
pub fn sin_cos(radians: f64) -> (f64, f64) {
    Angle::at(radians, DoubleDouble::ONE).sin_cos()
}

impl Angle {
    /// Returns position · frequency; the position may be fractional. The error is at most about 1e-24 radians while
    /// |position · frequency| < 2^23.
    pub(crate) fn at(position: f64, frequency: DoubleDouble) -> Self {
        let high = DoubleDouble::product(position, frequency.hi);
        let quarters = (high.hi * std::f64::consts::FRAC_2_PI).round_ties_even();
        let rest = DoubleDouble::sum(high.hi - quarters * QUARTER[0], -quarters * QUARTER[1]);
        let low = rest.lo + (high.lo + position * frequency.lo - quarters * QUARTER[2]);
        Self {
            quarters: quarters as i64,
            rest: DoubleDouble::ordered_sum(rest.hi, low),
        }
    }

    /// Radians in (−π, π].
    pub(crate) fn radians(self) -> f64 {
        let quarters = match self.quarters.rem_euclid(4) {
            2 if self.rest.hi > 0.0 => -2.0,
            3 => -1.0,
            other => other as f64,
        };
        (DoubleDouble::FRAC_PI_2 * quarters + self.rest).hi
    }

    /// Returns sine and cosine with an error below 1 ulp.
    pub(crate) fn sin_cos(self) -> (f64, f64) {
        self.turned(sine(self.rest), cosine(self.rest))
    }

    /// Returns sine and cosine by double-double series, correctly rounded except for a few in 10^7. Many times slower
    /// than [`Self::sin_cos`].
    pub(crate) fn exact_sin_cos(self) -> (f64, f64) {
        let (sin, cos) = self.rest.sin_cos();
        self.turned(sin.hi, cos.hi)
    }

    fn turned(self, sin: f64, cos: f64) -> (f64, f64) {
        match self.quarters & 3 {
            0 => (sin, cos),
            1 => (cos, -sin),
            2 => (-sin, -cos),
            _ => (-cos, sin),
        }
    }
}

/// Sine for |angle| ≤ π/4 by the minimax polynomial of FreeBSD's msun, k_sin.c.
fn sine(angle: DoubleDouble) -> f64 {
    let DoubleDouble { hi: x, lo: y } = angle;
    let z = x * x;
    let w = z * z;
    let r = 0.008_333_333_333_322_49
        + z * (-1.984_126_982_985_795e-4 + z * 2.755_731_370_707_006_8e-6)
        + z * w * (-2.505_076_025_340_686_3e-8 + z * 1.589_690_995_211_55e-10);
    let v = z * x;
    x - ((z * (0.5 * y - v * r) - y) - v * -1.666_666_666_666_663_2e-1)
}

/// Cosine for |angle| ≤ π/4 by the minimax polynomial of FreeBSD's msun, k_cos.c.
fn cosine(angle: DoubleDouble) -> f64 {
    let DoubleDouble { hi: x, lo: y } = angle;
    let z = x * x;
    let w = z * z;
    let r = z
        * (4.166_666_666_666_66e-2
            + z * (-1.388_888_888_887_411e-3 + z * 2.480_158_728_947_673e-5))
        + w * w
            * (-2.755_731_435_139_066_3e-7
                + z * (2.087_572_321_298_175e-9 + z * -1.135_964_755_778_819_5e-11));
    let half = 0.5 * z;
    let w = 1.0 - half;
    w + (((1.0 - w) - half) + (z * r - x * y))
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::assert_close::assert_close;

    fn at(position: f64) -> Angle {
        Angle::at(position, DoubleDouble::ONE)
    }

    #[test]
    fn quarters_fold_into_one_turn() {
        assert_eq!(at(0.0).radians(), 0.0);
        assert_close(at(3.0).radians(), 3.0, 0.0);
        assert_close(at(4.0).radians(), 4.0 - 2.0 * PI, 5e-16);
        assert_close(at(-4.0).radians(), 2.0 * PI - 4.0, 5e-16);
        assert_close(at(5.0).radians(), 5.0 - 2.0 * PI, 5e-16);
        assert_close(at(7.0).radians(), 7.0 - 2.0 * PI, 5e-16);
    }

    #[test]
    fn a_little_beyond_half_a_turn_is_negative() {
        // 355/113 and 103993/33102 are close to π; the differences were computed with mpmath 1.3.0.
        assert_close(at(355.0).radians(), 3.014_435_336_405_372e-5 - PI, 1e-15);
        assert_close(at(103_993.0).radians(), -1.912_933_577_959_042e-5, 1e-20);
    }

    #[test]
    fn near_multiples_of_pi_keep_their_digits() {
        // mpmath 1.3.0.
        assert_eq!(at(355.0).exact_sin_cos().0, -3.014435335948845e-05);
        assert_eq!(at(312689.0).exact_sin_cos().0, 2.900699389332111e-06);
        assert_eq!(at(4194304.0).exact_sin_cos().0, 0.975129394941707);
    }

    #[test]
    fn radians_are_those_of_the_standard_library() {
        for step in -10_000..10_000 {
            let radians = f64::from(step) * 0.073;
            let (sin, cos) = sin_cos(radians);
            assert_close(sin, radians.sin(), radians.sin().abs() * f64::EPSILON);
            assert_close(cos, radians.cos(), radians.cos().abs() * f64::EPSILON);
        }
    }

    #[test]
    fn the_quick_way_agrees_with_the_exact_one() {
        for step in -40_000..40_000 {
            let angle = at(f64::from(step) * 25.173);
            let (sin, cos) = angle.sin_cos();
            let (exact_sin, exact_cos) = angle.exact_sin_cos();
            assert_close(sin, exact_sin, exact_sin.abs() * f64::EPSILON);
            assert_close(cos, exact_cos, exact_cos.abs() * f64::EPSILON);
        }
    }
}
