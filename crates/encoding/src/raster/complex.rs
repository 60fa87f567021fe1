//! Two complex numbers at once.

use std::ops::{Add, Mul, Sub};

use crate::f64x2::F64x2;

#[derive(Clone, Copy, Debug)]
pub(super) struct Complex {
    pub(super) re: F64x2,
    pub(super) im: F64x2,
}

impl Complex {
    pub(super) fn new([a, b]: [[f64; 2]; 2]) -> Self {
        Self {
            re: F64x2::new(a[0], b[0]),
            im: F64x2::new(a[1], b[1]),
        }
    }

    pub(super) fn conjugate(self) -> Self {
        Self {
            im: F64x2::splat(0.0) - self.im,
            ..self
        }
    }

    #[inline(always)]
    pub(super) fn scaled(self, factor: F64x2) -> Self {
        Self {
            re: self.re * factor,
            im: self.im * factor,
        }
    }
}

impl Add for Complex {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self {
            re: self.re + other.re,
            im: self.im + other.im,
        }
    }
}

impl Sub for Complex {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self {
            re: self.re - other.re,
            im: self.im - other.im,
        }
    }
}

impl Mul for Complex {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self {
            re: self.re * other.re - self.im * other.im,
            im: self.im * other.re + self.re * other.im,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_numbers_compute() {
        let (a, b) = (
            Complex::new([[1.0, 2.0], [-3.0, 0.5]]),
            Complex::new([[4.0, -1.0], [2.0, 2.0]]),
        );
        let parts = |z: Complex| (z.re.to_array(), z.im.to_array());
        assert_eq!(parts(a * b), ([6.0, -7.0], [7.0, -5.0]));
        assert_eq!(parts(a + b), ([5.0, -1.0], [1.0, 2.5]));
        assert_eq!(parts(a - b), ([-3.0, -5.0], [3.0, -1.5]));
        assert_eq!(parts(a.conjugate()), ([1.0, -3.0], [-2.0, -0.5]));
        let doubled = a.scaled(F64x2::splat(2.0));
        assert_eq!(parts(doubled), ([2.0, -6.0], [4.0, 1.0]));
    }
}
