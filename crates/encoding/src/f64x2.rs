//! Two `f64` at once: a simd128 register in WebAssembly, a plain array elsewhere, with the same results bit for bit.

use std::ops::{Add, Div, Mul, Sub};

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use std::arch::wasm32 as simd;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
type Lanes = simd::v128;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
type Lanes = [f64; 2];

#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct F64x2(Lanes);

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
impl F64x2 {
    pub(crate) fn new(first: f64, second: f64) -> Self {
        Self(simd::f64x2(first, second))
    }

    pub(crate) fn to_array(self) -> [f64; 2] {
        [
            simd::f64x2_extract_lane::<0>(self.0),
            simd::f64x2_extract_lane::<1>(self.0),
        ]
    }

    /// Rounds `[a0, a1]` and `[b0, b1]` to `[a0, a1, b0, b1]`.
    pub(crate) fn store_f32(a: Self, b: Self, out: &mut [f32; 4]) {
        store(joined(a, b), out);
    }

    /// Rounds `[a0, a1]` and `[b0, b1]` to `[a0, b0, a1, b1]`.
    pub(crate) fn store_interleaved_f32(a: Self, b: Self, out: &mut [f32; 4]) {
        let joined = joined(a, b);
        store(simd::i32x4_shuffle::<0, 2, 1, 3>(joined, joined), out);
    }
}

/// Joins two demoted vectors by addition, as their other lanes are zero; rustc 1.95 splits a shuffle into single lanes.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
fn joined(a: F64x2, b: F64x2) -> Lanes {
    let a = simd::f32x4_demote_f64x2_zero(a.0);
    let b = simd::f32x4_demote_f64x2_zero(b.0);
    simd::f32x4_add(a, simd::i64x2_shuffle::<1, 0>(b, b))
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
fn store(lanes: Lanes, out: &mut [f32; 4]) {
    // SAFETY: `out` is 16 writable bytes, and v128.store needs no alignment.
    unsafe { simd::v128_store(out.as_mut_ptr().cast(), lanes) }
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
impl F64x2 {
    pub(crate) fn new(first: f64, second: f64) -> Self {
        Self([first, second])
    }

    pub(crate) fn to_array(self) -> [f64; 2] {
        self.0
    }

    /// Rounds `[a0, a1]` and `[b0, b1]` to `[a0, a1, b0, b1]`.
    pub(crate) fn store_f32(a: Self, b: Self, out: &mut [f32; 4]) {
        // Adding zero turns −0 into 0, as in WebAssembly.
        *out = [a.0[0], a.0[1], b.0[0], b.0[1]].map(|value| value as f32 + 0.0);
    }

    /// Rounds `[a0, a1]` and `[b0, b1]` to `[a0, b0, a1, b1]`.
    pub(crate) fn store_interleaved_f32(a: Self, b: Self, out: &mut [f32; 4]) {
        *out = [a.0[0], b.0[0], a.0[1], b.0[1]].map(|value| value as f32 + 0.0);
    }
}

impl F64x2 {
    pub(crate) fn splat(value: f64) -> Self {
        Self::new(value, value)
    }
}

macro_rules! lanewise {
    ($trait:ident, $method:ident, $simd:ident, $operator:tt) => {
        impl $trait for F64x2 {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
                return Self(simd::$simd(self.0, other.0));
                #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
                return Self([self.0[0] $operator other.0[0], self.0[1] $operator other.0[1]]);
            }
        }
    };
}

lanewise!(Add, add, f64x2_add, +);
lanewise!(Sub, sub, f64x2_sub, -);
lanewise!(Mul, mul, f64x2_mul, *);
lanewise!(Div, div, f64x2_div, /);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_lanes_compute() {
        let (a, b) = (F64x2::new(1.0, -2.0), F64x2::splat(3.0));
        assert_eq!((a + b).to_array(), [4.0, 1.0]);
        assert_eq!((a - b).to_array(), [-2.0, -5.0]);
        assert_eq!((a * b).to_array(), [3.0, -6.0]);
        assert_eq!((b / a).to_array(), [3.0, -1.5]);
    }

    #[test]
    fn storing_rounds_to_the_nearest() {
        let (a, b) = (F64x2::new(0.1, 1.0 + 1e-9), F64x2::new(-0.3, 4.0));
        let mut out = [0.0; 4];
        F64x2::store_f32(a, b, &mut out);
        assert_eq!(out, [0.1, 1.0, -0.3, 4.0]);
        F64x2::store_interleaved_f32(a, b, &mut out);
        assert_eq!(out, [0.1, -0.3, 1.0, 4.0]);
    }
}
