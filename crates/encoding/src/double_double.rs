//! Double-double numbers of about 106 bits: the unevaluated sum of two `f64`.
//!
//! WebAssembly has no fused multiply-add, so products are split by hand (Dekker 1971, Knuth's TAOCP 4.2.2).
//! The relative error is about 1e-30 for numbers in the range of frequencies and angles.

use std::ops::{Add, Mul, Sub};

/// `hi + lo` with `|lo|` at most half an ulp of `hi`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DoubleDouble {
    pub(crate) hi: f64,
    pub(crate) lo: f64,
}

/// Taylor terms of sine and cosine that leave an error below 1e-32 for |x| ≤ π/4.
const TRIG_TERMS: u32 = 15;
/// The same for the exponential at |x| ≤ ½ ln 2 / 2^[`EXP_SQUARINGS`].
const EXP_TERMS: u32 = 14;
const EXP_SQUARINGS: i32 = 4;

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

    /// Returns a + b exactly (two-sum).
    pub(crate) fn sum(a: f64, b: f64) -> Self {
        let hi = a + b;
        let shadow = hi - a;
        let lo = (a - (hi - shadow)) + (b - shadow);
        Self { hi, lo }
    }

    /// Returns a + b exactly if |a| ≥ |b| (fast two-sum).
    pub(crate) fn ordered_sum(a: f64, b: f64) -> Self {
        let hi = a + b;
        Self {
            hi,
            lo: b - (hi - a),
        }
    }

    /// Returns a · b exactly, barring overflow and underflow.
    pub(crate) fn product(a: f64, b: f64) -> Self {
        let hi = a * b;
        let (a1, a2) = halves(a);
        let (b1, b2) = halves(b);
        let lo = ((a1 * b1 - hi) + a1 * b2 + a2 * b1) + a2 * b2;
        Self { hi, lo }
    }

    /// Returns the natural logarithm of a positive `f64`, with an absolute error of about 1e-31.
    pub(crate) fn ln(x: f64) -> Self {
        // One step of Newton's method doubles the digits of the f64 logarithm.
        let guess = x.ln();
        let correction = Self::from(-guess).exp() * x - Self::ONE;
        Self::from(guess) + correction
    }

    /// Returns e^self for |self| ≤ 700.
    pub(crate) fn exp(self) -> Self {
        let doublings = (self.hi / Self::LN_2.hi).round_ties_even();
        let x = (self - Self::LN_2 * doublings).scaled(-EXP_SQUARINGS);
        let mut sum = Self::ONE;
        for n in (1..=EXP_TERMS).rev() {
            sum = Self::ONE + (x * sum).divided_by(f64::from(n));
        }
        for _ in 0..EXP_SQUARINGS {
            sum = sum * sum;
        }
        sum.scaled(doublings as i32)
    }

    /// Multiplies by 2^exponent.
    fn scaled(self, exponent: i32) -> Self {
        let scale = 2.0_f64.powi(exponent);
        Self {
            hi: self.hi * scale,
            lo: self.lo * scale,
        }
    }

    /// Returns sine and cosine for |self| ≤ π/4 radians.
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

/// Splits a number into two of at most 26 bits each (Veltkamp).
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_close::assert_close;

    fn assert_equal(actual: DoubleDouble, hi: f64, lo: f64) {
        assert_eq!(actual.hi, hi);
        assert_close(actual.lo, lo, 1e-30 * hi.abs());
    }

    /// Expected values from mpmath 1.3.0 at 60 digits.
    #[test]
    fn logarithms_and_exponentials_have_thirty_digits() {
        assert_equal(
            DoubleDouble::ln(10000.0),
            9.210340371976184,
            -8.683024893528997e-16,
        );
        let near_zero = DoubleDouble::ln(1.0000001);
        assert_eq!(near_zero.hi, 9.999999505838704e-08);
        assert_close(near_zero.lo, 1.5249709528441489e-24, 1e-31);
        assert_equal(
            DoubleDouble::ln(2.0),
            DoubleDouble::LN_2.hi,
            DoubleDouble::LN_2.lo,
        );
        assert_equal(
            DoubleDouble::ln(1e9),
            20.72326583694641,
            7.108546580563512e-16,
        );
        assert_equal(
            DoubleDouble::from(-9.2).exp(),
            0.00010103940183709342,
            4.029739768046431e-21,
        );
        assert_equal(
            DoubleDouble::from(-20.5).exp(),
            1.2501528663867426e-09,
            6.448235878237776e-26,
        );
        assert_equal(
            DoubleDouble::from(0.25).exp(),
            1.2840254166877414,
            8.968972781793724e-17,
        );
        assert_equal(
            DoubleDouble::from(-300.0).exp(),
            5.148200222412013e-131,
            2.962376373372979e-147,
        );
    }

    #[test]
    fn sines_and_cosines_have_thirty_digits() {
        let (sin, cos) = DoubleDouble::from(0.5).sin_cos();
        assert_equal(sin, 0.479425538604203, -5.103969860556013e-18);
        assert_equal(cos, 0.8775825618903728, -4.2623149864279997e-17);
        let (sin, cos) = DoubleDouble::from(-0.78).sin_cos();
        assert_equal(sin, -0.7032794192004101, -5.363975116463942e-17);
        assert_equal(cos, 0.7109135380122773, 3.667412669706698e-17);
        let (sin, cos) = DoubleDouble::from(1e-9).sin_cos();
        assert_equal(sin, 1e-09, -1.6666666666666669e-28);
        assert_equal(cos, 1.0, -5e-19);
    }

    #[test]
    fn products_and_sums_lose_nothing() {
        let tiny = f64::EPSILON;
        let square = DoubleDouble::product(1.0 + tiny, 1.0 + tiny);
        assert_eq!((square.hi, square.lo), (1.0 + 2.0 * tiny, tiny * tiny));
        let sum = DoubleDouble::sum(1.0, 1e-20);
        assert_eq!((sum.hi, sum.lo), (1.0, 1e-20));
        let third = DoubleDouble::ONE.divided_by(3.0);
        assert_eq!((third.hi, third.lo), (1.0 / 3.0, 1.850_371_707_708_594e-17));
    }
}
