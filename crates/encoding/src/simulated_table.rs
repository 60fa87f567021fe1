//! A stand-in for a learned table: reproducible pseudo-random numbers.

use std::ops::Range;

use crate::{MAX_D_MODEL, PositionTable};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// A table of max_len × d_model pseudo-random numbers, uniform between −1 and 1. A number depends on its position, its
/// dimension and the seed only: a larger table contains every smaller one.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulatedTable {
    d_model: usize,
    values: Vec<f32>,
}

impl SimulatedTable {
    /// Largest number of values of a table, which is stored like a learned one.
    pub const MAX_VALUES: usize = 1 << 22;
    /// Seed of the random number generator, PCG-XSH-RR 64/32.
    pub const SEED: u64 = 1;

    /// Creates a table; `None` if it has no numbers or more than [`Self::MAX_VALUES`], or if `d_model` > [`MAX_D_MODEL`].
    pub fn new(max_len: usize, d_model: usize) -> Option<Self> {
        let count = max_len.checked_mul(d_model)?;
        if count == 0 || count > Self::MAX_VALUES || d_model > MAX_D_MODEL {
            return None;
        }
        let start = Pcg32::seed_from_u64(Self::SEED);
        let mut values = Vec::with_capacity(count);
        for position in 0..max_len as u64 {
            // Rows are far enough apart in the random stream for the largest d_model.
            let mut stream = start.clone();
            stream.advance(position * (MAX_D_MODEL as u64 + 1));
            values.extend((0..d_model).map(|_| number(&mut stream)));
        }
        Some(Self { d_model, values })
    }

    /// Number of dimensions.
    pub fn d_model(&self) -> usize {
        self.d_model
    }

    /// Number of positions.
    pub fn max_len(&self) -> usize {
        self.values.len() / self.d_model
    }

    /// Returns a block of rows, row-major: `positions.len() × d_model` numbers.
    ///
    /// # Panics
    /// If a position is out of bounds.
    pub fn rows(&self, positions: Range<usize>) -> &[f32] {
        &self.values[positions.start * self.d_model..positions.end * self.d_model]
    }

    /// Returns one number of the table; `None` outside it.
    pub fn value(&self, position: i64, dimension: usize) -> Option<f64> {
        let position = usize::try_from(position).ok()?;
        let inside = position < self.max_len() && dimension < self.d_model;
        inside.then(|| f64::from(self.values[position * self.d_model + dimension]))
    }
}

impl PositionTable for SimulatedTable {
    fn d_model(&self) -> usize {
        self.d_model()
    }

    fn max_len(&self) -> usize {
        self.max_len()
    }

    fn value(&self, position: i64, dimension: usize) -> Option<f64> {
        self.value(position, dimension)
    }

    fn rows_f64(&self, positions: Range<usize>, out: &mut [f64]) {
        for (number, stored) in out.iter_mut().zip(self.rows(positions)) {
            *number = f64::from(*stored);
        }
    }

    fn rows_f32(&self, positions: Range<usize>, out: &mut [f32]) {
        out.copy_from_slice(self.rows(positions));
    }

    fn details(&self) -> Vec<(&'static str, String)> {
        let how = format!("uniform from -1 to 1, PCG32 seed {}", Self::SEED);
        vec![("simulated", how)]
    }
}

/// Returns a number in −1 … 1, the middle of one of 2³² equal steps.
fn number(stream: &mut Pcg32) -> f32 {
    ((f64::from(stream.next_u32()) + 0.5) / f64::from(1u32 << 31) - 1.0) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HeatmapSampler;
    use crate::assert_close::assert_close;

    fn mean(values: impl Iterator<Item = f64>) -> f64 {
        let values: Vec<_> = values.collect();
        values.iter().sum::<f64>() / values.len() as f64
    }

    #[test]
    fn the_numbers_are_those_of_the_generator() {
        // Row 1 begins MAX_D_MODEL + 1 numbers after row 0.
        let table = SimulatedTable::new(2, 3).unwrap();
        let mut stream = Pcg32::seed_from_u64(1);
        let numbers: Vec<f32> = (0..16388).map(|_| number(&mut stream)).collect();
        assert_eq!(table.rows(0..1), &numbers[..3]);
        assert_eq!(table.rows(1..2), &numbers[16385..]);
    }

    #[test]
    fn a_larger_table_holds_the_smaller() {
        let (small, large) = (SimulatedTable::new(5, 7), SimulatedTable::new(50, 64));
        let (small, large) = (small.unwrap(), large.unwrap());
        for position in 0..5 {
            for dimension in 0..7 {
                assert_eq!(
                    small.value(position, dimension),
                    large.value(position, dimension)
                );
            }
        }
        assert_eq!(small.value(5, 0), None);
        assert_eq!(small.value(-1, 0), None);
        assert_eq!(small.value(0, 7), None);
    }

    #[test]
    fn numbers_are_uniform_and_neighbours_tell_nothing() {
        let table = SimulatedTable::new(1024, 256).unwrap();
        let at = |p: usize, d: usize| table.value(p as i64, d).unwrap();
        let cells = || (0..1000).flat_map(|p| (0..250).map(move |d| (p, d)));
        // The standard deviation of this mean is 0.0012.
        assert!(mean(cells().map(|(p, d)| at(p, d))).abs() < 0.006);
        assert_close(
            mean(cells().map(|(p, d)| at(p, d).powi(2))),
            1.0 / 3.0,
            0.004,
        );
        for (down, across) in [(1, 0), (0, 1), (1, 1), (2, 0), (16, 0), (0, 2)] {
            let products = cells().map(|(p, d)| at(p, d) * at(p + down, d + across));
            assert!(mean(products).abs() < 0.004, "{down} {across}");
        }
    }

    #[test]
    fn means_are_those_of_the_cells() {
        let table = SimulatedTable::new(12, 10).unwrap();
        let mut sampler = HeatmapSampler::new();
        let mut means = |positions, dimensions, size| {
            let means = PositionTable::means(&table, &mut sampler, positions, dimensions, size);
            means.to_vec()
        };
        let cell = |p: usize, d: usize| table.value(p as i64, d).unwrap();
        // One cell per pixel.
        let plain = means(2.0..6.0, 3.0..8.0, (5, 4));
        assert_close(f64::from(plain[5 + 2]), cell(3, 5), 1e-7);
        // Pixels of 3 × 2.5 cells.
        let coarse = means(0.0..12.0, 0.0..10.0, (4, 4));
        let expected = mean((3..6).map(|p| (0.5 * cell(p, 2) + cell(p, 3) + cell(p, 4)) / 2.5));
        assert_close(f64::from(coarse[4 + 1]), expected, 1e-7);
        let all = means(0.0..12.0, 0.0..10.0, (1, 1));
        let expected = mean(
            (0..12)
                .flat_map(|p| (0..10).map(move |d| (p, d)))
                .map(|(p, d)| cell(p, d)),
        );
        assert_close(f64::from(all[0]), expected, 1e-7);
    }

    #[test]
    fn what_cannot_be_stored_is_not_made() {
        assert!(SimulatedTable::new(SimulatedTable::MAX_VALUES, 1).is_some());
        assert_eq!(SimulatedTable::new(SimulatedTable::MAX_VALUES, 2), None);
        assert_eq!(SimulatedTable::new(usize::MAX, 3), None);
        assert_eq!(SimulatedTable::new(0, 3), None);
    }
}
