//! Numbers of about 106 bits: the unevaluated sum of two `f64`.
//!
//! WebAssembly has no fused multiply-add, so products are split by hand (Dekker 1971, Knuth's TAOCP 4.2.2).
//! Results are good to about 1e-30, relative, within the exponents that frequencies and angles have.

use std::ops::{Add, Mul, Sub};

/// `hi + lo` with `|lo|` at most half a unit in the last place of `hi`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DoubleDouble {
    pub(crate) hi: f64,
    pub(crate) lo: f64,
}

/// Enough terms of a Taylor series at |x| ≤ π/4 to leave less than 1e-32.
const TRIG_TERMS: u32 = 15;
/// The same for the exponential at |x| ≤ ½ ln 2.
const EXP_TERMS: u32 = 26;

impl DoubleDouble {
    pub(crate) const ONE: Self = Self { hi: 1.0, lo: 0.0 };
    pub(crate) const LN_2: Self = Self {
        hi: std::f64::consts::LN_2,
        lo: 2.3190468138462996e-17,
    };
    pub(crate) const FRAC_PI_2: Self = Self {
        hi: std::f64::consts::FRAC_PI_2,
        lo: 6.123233995736766e-17,
    };

    /// The sum of two numbers of any size, exactly.
    pub(crate) fn sum(a: f64, b: f64) -> Self {
        let hi = a + b;
        let shadow = hi - a;
        let lo = (a - (hi - shadow)) + (b - shadow);
        Self { hi, lo }
    }

    /// The sum of two numbers of which `a` is the larger, exactly.
    pub(crate) fn ordered_sum(a: f64, b: f64) -> Self {
        let hi = a + b;
        Self {
            hi,
            lo: b - (hi - a),
        }
    }

    /// The product of two numbers, exactly unless it leaves the range of `f64`.
    pub(crate) fn product(a: f64, b: f64) -> Self {
        let hi = a * b;
        let (a1, a2) = halves(a);
        let (b1, b2) = halves(b);
        let lo = ((a1 * b1 - hi) + a1 * b2 + a2 * b1) + a2 * b2;
        Self { hi, lo }
    }

    /// The natural logarithm of a positive `f64`, to about 1e-31 absolute.
    pub(crate) fn ln(x: f64) -> Self {
        // One step of Newton's method doubles the digits of the f64 logarithm.
        let guess = x.ln();
        let correction = Self::from(-guess).exp() * x - Self::ONE;
        Self::from(guess) + correction
    }

    /// e to this power, for powers within ±700.
    pub(crate) fn exp(self) -> Self {
        let doublings = (self.hi / Self::LN_2.hi).round_ties_even();
        let x = self - Self::LN_2 * doublings;
        let mut sum = Self::ONE;
        for n in (1..=EXP_TERMS).rev() {
            sum = Self::ONE + (x * sum).divided_by(f64::from(n));
        }
        let scale = 2.0_f64.powi(doublings as i32);
        Self {
            hi: sum.hi * scale,
            lo: sum.lo * scale,
        }
    }

    /// Sine and cosine of an angle in radians of at most π/4 either way.
    pub(crate) fn sin_cos(self) -> (Self, Self) {
        let square = self * self;
        let (mut sin, mut cos) = (Self::ONE, Self::ONE);
        for n in (1..=TRIG_TERMS).rev() {
            let even = f64::from(2 * n);
            sin = Self::ONE - (square * sin).divided_by(even * (even + 1.0));
            cos = Self::ONE - (square * cos).divided_by(even * (even - 1.0));
        }
        (self * sin, cos)
    }

    pub(crate) fn divided_by(self, divisor: f64) -> Self {
        let first = self.hi / divisor;
        let product = Self::product(first, divisor);
        let rest = (self.hi - product.hi) - product.lo + self.lo;
        Self::ordered_sum(first, rest / divisor)
    }
}

/// A number as two of at most 26 bits each.
fn halves(x: f64) -> (f64, f64) {
    let shifted = 134_217_729.0 * x;
    let upper = shifted - (shifted - x);
    (upper, x - upper)
}

impl From<f64> for DoubleDouble {
    fn from(hi: f64) -> Self {
        Self { hi, lo: 0.0 }
    }
}

impl Add for DoubleDouble {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let high = Self::sum(self.hi, other.hi);
        let low = Self::sum(self.lo, other.lo);
        let middle = Self::ordered_sum(high.hi, high.lo + low.hi);
        Self::ordered_sum(middle.hi, middle.lo + low.lo)
    }
}

impl Sub for DoubleDouble {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + Self {
            hi: -other.hi,
            lo: -other.lo,
        }
    }
}

impl Mul for DoubleDouble {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let product = Self::product(self.hi, other.hi);
        let cross = self.hi * other.lo + self.lo * other.hi;
        Self::ordered_sum(product.hi, product.lo + cross)
    }
}

impl Mul<f64> for DoubleDouble {
    type Output = Self;

    fn mul(self, other: f64) -> Self {
        let product = Self::product(self.hi, other);
        Self::ordered_sum(product.hi, product.lo + self.lo * other)
    }
}
