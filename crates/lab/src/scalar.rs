//! The number type of a model.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub};

use wide::{f32x4, f64x4};

/// A floating-point number: `f32` for training, `f64` for checking gradients.
///
/// Every operation gives the same bits on every platform. Rust guarantees this for arithmetic and the square root; the
/// exponential and the logarithm are those of the crate `libm`, since the standard library uses the system's.
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

    /// A SIMD vector of four numbers.
    type Four: Copy + Default + Add<Output = Self::Four> + Mul<Output = Self::Four>;

    /// Returns a vector of four copies of the number.
    fn splat(self) -> Self::Four;
    /// Loads four numbers into a vector.
    fn load(values: &[Self; 4]) -> Self::Four;
    /// Returns the numbers in a vector.
    fn store(four: Self::Four) -> [Self; 4];

    /// Converts to the nearest number.
    fn from_f64(x: f64) -> Self;
    /// Converts exactly.
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
