//! Sines and cosines of four consecutive pairs, and how they are stored.

use crate::f64x2::F64x2;

/// (sin, cos) of four angles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FourPairs {
    sin: [F64x2; 2],
    cos: [F64x2; 2],
}

impl FourPairs {
    pub(crate) fn new(sin_cos: [(f64, f64); 4]) -> Self {
        let [a, b, c, d] = sin_cos;
        Self {
            sin: [F64x2::new(a.0, b.0), F64x2::new(c.0, d.0)],
            cos: [F64x2::new(a.1, b.1), F64x2::new(c.1, d.1)],
        }
    }

    /// Adds the angles.
    pub(crate) fn plus(&self, other: &Self) -> Self {
        self.minus_and_plus(other).1
    }

    /// Returns the differences and the sums of the angles, which share four products.
    #[inline(always)]
    pub(crate) fn minus_and_plus(&self, other: &Self) -> (Self, Self) {
        let lane = |lane: usize| {
            let (sin, cos) = (self.sin[lane], self.cos[lane]);
            let (other_sin, other_cos) = (other.sin[lane], other.cos[lane]);
            let (sin_cos, cos_sin) = (sin * other_cos, cos * other_sin);
            let (cos_cos, sin_sin) = (cos * other_cos, sin * other_sin);
            (
                (sin_cos - cos_sin, cos_cos + sin_sin),
                (sin_cos + cos_sin, cos_cos - sin_sin),
            )
        };
        let (minus0, plus0) = lane(0);
        let (minus1, plus1) = lane(1);
        let join = |a: (F64x2, F64x2), b: (F64x2, F64x2)| Self {
            sin: [a.0, b.0],
            cos: [a.1, b.1],
        };
        (join(minus0, minus1), join(plus0, plus1))
    }
}

/// An element type of tables. Numbers are rounded to it only when they are stored.
pub(crate) trait Cell: Copy + Default {
    /// `[sin, cos, sin, cos, …]`
    fn store_interleaved(four: &FourPairs, out: &mut [Self; 8]);

    /// `[sin, sin, …]` and `[cos, cos, …]`
    fn store_apart(four: &FourPairs, sines: &mut [Self; 4], cosines: &mut [Self; 4]);
}

impl Cell for f32 {
    #[inline(always)]
    fn store_interleaved(four: &FourPairs, out: &mut [Self; 8]) {
        let (halves, _) = out.as_chunks_mut();
        for (half, (&sin, &cos)) in halves.iter_mut().zip(four.sin.iter().zip(&four.cos)) {
            F64x2::store_interleaved_f32(sin, cos, half);
        }
    }

    #[inline(always)]
    fn store_apart(four: &FourPairs, sines: &mut [Self; 4], cosines: &mut [Self; 4]) {
        F64x2::store_f32(four.sin[0], four.sin[1], sines);
        F64x2::store_f32(four.cos[0], four.cos[1], cosines);
    }
}

impl Cell for f64 {
    #[inline(always)]
    fn store_interleaved(four: &FourPairs, out: &mut [Self; 8]) {
        let ([s0, s1], [s2, s3]) = (four.sin[0].to_array(), four.sin[1].to_array());
        let ([c0, c1], [c2, c3]) = (four.cos[0].to_array(), four.cos[1].to_array());
        *out = [s0, c0, s1, c1, s2, c2, s3, c3];
    }

    #[inline(always)]
    fn store_apart(four: &FourPairs, sines: &mut [Self; 4], cosines: &mut [Self; 4]) {
        let join = |[a, b]: [f64; 2], [c, d]: [f64; 2]| [a, b, c, d];
        *sines = join(four.sin[0].to_array(), four.sin[1].to_array());
        *cosines = join(four.cos[0].to_array(), four.cos[1].to_array());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_close::assert_close;

    fn four(angles: [f64; 4]) -> FourPairs {
        FourPairs::new(angles.map(f64::sin_cos))
    }

    #[test]
    fn angles_are_added_and_subtracted() {
        let (a, b) = ([0.3, 1.0, 2.0, -3.0], [0.1, 0.7, 5.0, 0.2]);
        let (minus, plus) = four(a).minus_and_plus(&four(b));
        let (mut differences, mut sums, mut cosines) = ([0.0; 8], [0.0; 4], [0.0; 4]);
        f64::store_interleaved(&minus, &mut differences);
        f64::store_apart(&plus, &mut sums, &mut cosines);
        for i in 0..4 {
            assert_close(differences[2 * i], (a[i] - b[i]).sin(), 4e-16);
            assert_close(differences[2 * i + 1], (a[i] - b[i]).cos(), 4e-16);
            assert_close(sums[i], (a[i] + b[i]).sin(), 4e-16);
            assert_close(cosines[i], (a[i] + b[i]).cos(), 4e-16);
        }
    }

    #[test]
    fn both_kinds_of_numbers_are_stored_in_the_same_order() {
        let four = four([0.3, 1.0, 2.0, -3.0]);
        let (mut single, mut double) = ([0.0_f32; 8], [0.0_f64; 8]);
        f32::store_interleaved(&four, &mut single);
        f64::store_interleaved(&four, &mut double);
        assert_eq!(single, double.map(|value| value as f32));
    }
}
