//! Angles as whole quarter turns and a small remainder, so that a million radians lose no digit.

use crate::double_double::DoubleDouble;

/// `quarters · π/2 + rest`, the rest at most π/4 (and a little) either way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Angle {
    quarters: i64,
    rest: DoubleDouble,
}

/// π/2 in three parts; the first two have 30 bits, so that a count below 2^23 times either of them is exact.
const QUARTER: [f64; 3] = [QUARTER_HIGH, QUARTER_MIDDLE, QUARTER_LOW];
const QUARTER_HIGH: f64 = 1.570_796_325_802_803;
const QUARTER_MIDDLE: f64 = 9.920_935_791_635_221e-10;
const QUARTER_LOW: f64 = 5.170_182_981_794_105e-19;

impl Angle {
    /// The angle reached at a position, which may lie between two whole ones; off by some 1e-24 radians at most
    /// while |position · frequency| stays below 2^23.
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

    /// Sine and cosine, off by less than one unit in the last place.
    pub(crate) fn sin_cos(self) -> (f64, f64) {
        self.turned(sine(self.rest), cosine(self.rest))
    }

    /// Sine and cosine by series in double-double: correctly rounded but for one case in 10^13. Thirty times slower.
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

/// Sine of at most π/4 by the minimax polynomial of FreeBSD's msun, k_sin.c.
fn sine(angle: DoubleDouble) -> f64 {
    let DoubleDouble { hi: x, lo: y } = angle;
    let z = x * x;
    let w = z * z;
    let r = 8.333_333_333_322_489e-3
        + z * (-1.984_126_982_985_795e-4 + z * 2.755_731_370_707_006_8e-6)
        + z * w * (-2.505_076_025_340_686_3e-8 + z * 1.589_690_995_211_55e-10);
    let v = z * x;
    x - ((z * (0.5 * y - v * r) - y) - v * -1.666_666_666_666_663_2e-1)
}

/// Cosine of at most π/4 by the minimax polynomial of FreeBSD's msun, k_cos.c.
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
