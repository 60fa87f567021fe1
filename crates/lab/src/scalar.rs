//! The numbers that a model is made of.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub};

use wide::{f32x4, f64x4};

/// A floating-point number: `f32` to train with, `f64` to check gradients with.
///
/// Every operation gives the same bits on every platform. Rust promises that of arithmetic and of the square root; the
/// exponential and the logarithm are those of the crate `libm`, since the standard library has the system's.
pub trait Scalar:
    Copy
    + Default
    + Debug
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + MulAssign
    + 'static
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;

    /// Four numbers that are computed with at once.
    type Four: Copy + Default + Add<Output = Self::Four> + Mul<Output = Self::Four>;

    /// Four times the same number.
    fn splat(self) -> Self::Four;
    /// Four neighbours.
    fn load(values: &[Self; 4]) -> Self::Four;
    /// The four numbers.
    fn store(four: Self::Four) -> [Self; 4];

    /// The nearest number.
    fn from_f64(x: f64) -> Self;
    /// The same number.
    fn to_f64(self) -> f64;
    /// √x.
    fn sqrt(self) -> Self;
    /// e^x.
    fn exp(self) -> Self;
    /// The natural logarithm.
    fn ln(self) -> Self;
}

macro_rules! scalar {
    ($scalar:ident $four:ident $exp:ident $ln:ident) => {
        impl Scalar for $scalar {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;

            type Four = $four;

            fn splat(self) -> $four {
                $four::splat(self)
            }

            fn load(values: &[Self; 4]) -> $four {
                $four::new(*values)
            }

            fn store(four: $four) -> [Self; 4] {
                four.to_array()
            }

            fn from_f64(x: f64) -> Self {
                x as Self
            }

            fn to_f64(self) -> f64 {
                self.into()
            }

            fn sqrt(self) -> Self {
                self.sqrt()
            }

            fn exp(self) -> Self {
                libm::$exp(self)
            }

            fn ln(self) -> Self {
                libm::$ln(self)
            }
        }
    };
}

scalar!(f32 f32x4 expf logf);
scalar!(f64 f64x4 exp log);
