//! The kernel that makes tables: sums and differences of angles around re-seeded centres.
//!
//! The rows A − b and A + b around a centre row A share four products, so that four numbers cost four
//! multiplications and four additions. Centres lie at multiples of 33 counted from position 0 and every 16th is seeded
//! afresh, wherever a block begins: a block equals the same rows of the whole table bit for bit, and row 0, a centre,
//! is exactly 0 and 1.

use std::ops::Range;

use crate::four_pairs::{Cell, FourPairs};
use crate::{Column, Layout, Matrix, Member, Sinusoidal};

/// Rows made on either side of a centre.
const REACH: i64 = 16;
/// Positions from centre to centre.
const SPACING: i64 = 2 * REACH + 1;
/// Centres from seed to seed: rotating from one to the next costs some 1e-16 each time.
const SEED_EVERY: i64 = 16;
/// Centres whose rows are finished before the next are begun.
const TOGETHER: i64 = 4;
/// Pairs made together: wide enough to write long runs, and their offsets stay in the second-level cache.
const TILE: usize = 256;

impl Sinusoidal {
    /// PE(position), all dimensions.
    pub fn row(&self, position: i64) -> Vec<f64> {
        let mut row = vec![0.0; self.d_model()];
        fill(self, position..position + 1, &mut row);
        row
    }

    /// Rows of the table without the rows before them: `positions.len() × d_model` numbers, row-major, each rounded
    /// once, from `f64`.
    ///
    /// # Panics
    /// Unless `out` has exactly that many places.
    pub fn block_f32(&self, positions: Range<usize>, out: &mut [f32]) {
        assert_eq!(out.len(), positions.len() * self.d_model());
        fill(self, signed(positions), out);
    }

    /// The same in `f64`.
    ///
    /// # Panics
    /// Unless `out` has exactly `positions.len() × d_model` places.
    pub fn block_f64(&self, positions: Range<usize>, out: &mut [f64]) {
        assert_eq!(out.len(), positions.len() * self.d_model());
        fill(self, signed(positions), out);
    }

    /// Positions 0 to `max_len − 1`.
    pub fn table_f32(&self, max_len: usize) -> Matrix<f32> {
        let mut table = Matrix::zeros(max_len, self.d_model());
        self.block_f32(0..max_len, &mut table.values);
        table
    }

    /// Positions 0 to `max_len − 1` in `f64`.
    pub fn table_f64(&self, max_len: usize) -> Matrix<f64> {
        let mut table = Matrix::zeros(max_len, self.d_model());
        self.block_f64(0..max_len, &mut table.values);
        table
    }
}

fn signed(positions: Range<usize>) -> Range<i64> {
    positions.start as i64..positions.end as i64
}

/// Writes rows of the table, row-major; `out` holds `positions.len() × d_model` numbers.
fn fill<T: Cell>(encoding: &Sinusoidal, positions: Range<i64>, out: &mut [T]) {
    let d_model = encoding.d_model();
    if positions.is_empty() {
        return;
    }
    if encoding.column(d_model - 1) == Column::Zero {
        for row in out.chunks_exact_mut(d_model) {
            row[d_model - 1] = T::default();
        }
    }
    let centre_of = |position: i64| (position + REACH).div_euclid(SPACING);
    let (first, last) = (centre_of(positions.start), centre_of(positions.end - 1));
    let reach = reach(&positions, first * SPACING, last * SPACING);
    let mut tiles: Vec<Tile> = (0..encoding.pairs())
        .step_by(TILE)
        .map(|start| start..encoding.pairs().min(start + TILE))
        .map(|pairs| Tile::new(encoding, pairs, first, reach))
        .collect();
    let mut spare = [T::default(); 2 * TILE];
    // A few centres of every tile in turn: whole pages are written while they are at hand.
    for start in (first..=last).step_by(TOGETHER as usize) {
        for tile in &mut tiles {
            for centre in start..=last.min(start + TOGETHER - 1) {
                if centre > first {
                    tile.advance(encoding, centre);
                }
                tile.write(centre * SPACING, &positions, &mut spare, out);
            }
        }
    }
}

/// Some neighbouring pairs; the vectors hold four of them per element.
struct Tile {
    pairs: Range<usize>,
    place: Place,
    /// Whether the pairs fill whole fours of sines and of cosines.
    complete: bool,
    /// The angles at the centre.
    centre: Vec<FourPairs>,
    /// The angles from centre to centre.
    step: Vec<FourPairs>,
    /// The angles of 1, 2, … positions.
    offsets: Vec<Vec<FourPairs>>,
}

/// Where the numbers of a tile lie in a row.
#[derive(Clone, Copy)]
struct Place {
    stride: usize,
    sines: usize,
    /// `None` where every sine is followed by its cosine.
    cosines: Option<usize>,
}

impl Tile {
    fn new(encoding: &Sinusoidal, pairs: Range<usize>, centre: i64, reach: usize) -> Self {
        let seeds = |position: i64| seeds(encoding, pairs.clone(), position);
        let last_cosine = encoding.dimension(pairs.end - 1, Member::Cosine);
        let mut tile = Self {
            place: Place::of(encoding, &pairs),
            complete: pairs.len().is_multiple_of(4) && last_cosine.is_some(),
            centre: Vec::new(),
            step: seeds(SPACING).collect(),
            offsets: Vec::new(),
            pairs: pairs.clone(),
        };
        tile.set_offsets(seeds(1), reach);
        for centre in centre.div_euclid(SEED_EVERY) * SEED_EVERY..=centre {
            tile.advance(encoding, centre);
        }
        tile
    }

    /// Goes on to a centre from the one before, or from anywhere to one that is seeded.
    fn advance(&mut self, encoding: &Sinusoidal, centre: i64) {
        if centre % SEED_EVERY == 0 {
            self.centre.clear();
            self.centre
                .extend(seeds(encoding, self.pairs.clone(), centre * SPACING));
        } else {
            for (angle, step) in self.centre.iter_mut().zip(&self.step) {
                *angle = angle.plus(step);
            }
        }
    }

    /// Writes those rows around the centre that are wanted.
    fn write<T: Cell>(
        &self,
        centre: i64,
        positions: &Range<i64>,
        spare: &mut [T; 2 * TILE],
        out: &mut [T],
    ) {
        let stride = self.place.stride;
        let row = |position: i64| {
            (position.clamp(positions.start, positions.end) - positions.start) as usize
        };
        let (above, below) = out.split_at_mut(row(centre) * stride);
        let (middle, below) = below.split_at_mut((row(centre + 1) - row(centre)) * stride);
        for out in middle.chunks_exact_mut(stride) {
            self.store(self.centre.iter().copied(), out, spare);
        }
        // How far the nearest wanted row lies beyond the next one, if the centre itself is outside.
        let gap_above = (centre - positions.end).max(0) as usize;
        let gap_below = (positions.start - centre - 1).max(0) as usize;
        let mut above = above.rchunks_exact_mut(stride);
        let mut below = below.chunks_exact_mut(stride);
        for (b, offset) in self.offsets.iter().enumerate() {
            let above = if b < gap_above { None } else { above.next() };
            let below = if b < gap_below { None } else { below.next() };
            let around = self.centre.iter().zip(offset);
            let around = around.map(|(centre, offset)| centre.minus_and_plus(offset));
            match (above, below) {
                (Some(above), Some(below)) if self.complete => {
                    self.place.store_both(around, above, below);
                }
                (above, below) => {
                    if let Some(above) = above {
                        self.store(around.clone().map(|(minus, _)| minus), above, spare);
                    }
                    if let Some(below) = below {
                        self.store(around.map(|(_, plus)| plus), below, spare);
                    }
                }
            }
        }
    }

    fn store<T: Cell>(
        &self,
        fours: impl Iterator<Item = FourPairs>,
        row: &mut [T],
        spare: &mut [T; 2 * TILE],
    ) {
        if self.complete {
            self.place.store(fours, row);
        } else {
            self.place.alone().store(fours, spare);
            self.place.copy(spare, row, self.pairs.len());
        }
    }

    /// By b = ⌊b/2⌋ + ⌈b/2⌉, so that errors grow with the logarithm of b.
    fn set_offsets(&mut self, first: impl Iterator<Item = FourPairs>, reach: usize) {
        self.offsets.resize_with(reach, Vec::new);
        let Some(one) = self.offsets.first_mut() else {
            return;
        };
        one.clear();
        one.extend(first);
        for b in 2..=reach {
            let (known, rest) = self.offsets.split_at_mut(b - 1);
            let (lesser, larger) = (&known[b / 2 - 1], &known[b - b / 2 - 1]);
            rest[0].clear();
            rest[0].extend(lesser.iter().zip(larger).map(|(a, b)| a.plus(b)));
        }
    }
}

impl Place {
    fn of(encoding: &Sinusoidal, pairs: &Range<usize>) -> Self {
        let stride = encoding.d_model();
        match encoding.layout() {
            Layout::Interleaved => Self {
                stride,
                sines: 2 * pairs.start,
                cosines: None,
            },
            Layout::Concatenated | Layout::Tensor2tensor => Self {
                stride,
                sines: pairs.start,
                cosines: Some(encoding.pairs() + pairs.start),
            },
        }
    }

    /// The same order in a row that holds nothing but one tile.
    fn alone(self) -> Self {
        Self {
            stride: 2 * TILE,
            sines: 0,
            cosines: self.cosines.map(|_| TILE),
        }
    }

    fn store<T: Cell>(self, fours: impl Iterator<Item = FourPairs>, row: &mut [T]) {
        if let Some(cosines) = self.cosines {
            let (sines, cosines) = split(row, self.sines, cosines);
            for ((four, sines), cosines) in fours.zip(sines).zip(cosines) {
                T::store_apart(&four, sines, cosines);
            }
        } else {
            let (row, _) = row[self.sines..].as_chunks_mut();
            for (four, out) in fours.zip(row) {
                T::store_interleaved(&four, out);
            }
        }
    }

    #[inline(always)]
    fn store_both<T: Cell>(
        self,
        fours: impl Iterator<Item = (FourPairs, FourPairs)>,
        above: &mut [T],
        below: &mut [T],
    ) {
        if let Some(cosines) = self.cosines {
            let above = split(above, self.sines, cosines);
            let below = split(below, self.sines, cosines);
            let out = above
                .0
                .iter_mut()
                .zip(above.1)
                .zip(below.0.iter_mut().zip(below.1));
            for ((minus, plus), (above, below)) in fours.zip(out) {
                T::store_apart(&minus, above.0, above.1);
                T::store_apart(&plus, below.0, below.1);
            }
        } else {
            let (above, _) = above[self.sines..].as_chunks_mut();
            let (below, _) = below[self.sines..].as_chunks_mut();
            for ((minus, plus), (above, below)) in fours.zip(above.iter_mut().zip(below)) {
                T::store_interleaved(&minus, above);
                T::store_interleaved(&plus, below);
            }
        }
    }

    /// Copies the numbers of the first pairs from a row that holds nothing else.
    fn copy<T: Copy>(self, from: &[T], to: &mut [T], pairs: usize) {
        let mut copy = |from: &[T], at: usize, count: usize| {
            let count = count.min(to.len() - at);
            to[at..at + count].copy_from_slice(&from[..count]);
        };
        if let Some(cosines) = self.cosines {
            copy(from, self.sines, pairs);
            copy(&from[TILE..], cosines, pairs);
        } else {
            copy(from, self.sines, 2 * pairs);
        }
    }
}

/// Fours of a row from two places on.
fn split<T>(row: &mut [T], sines: usize, cosines: usize) -> (&mut [[T; 4]], &mut [[T; 4]]) {
    let (left, right) = row.split_at_mut(cosines);
    (left[sines..].as_chunks_mut().0, right.as_chunks_mut().0)
}

/// The farthest that a wanted row lies from its centre.
fn reach(positions: &Range<i64>, first_centre: i64, last_centre: i64) -> usize {
    let farthest = if first_centre == last_centre {
        (first_centre - positions.start).max(positions.end - 1 - first_centre)
    } else {
        REACH
    };
    farthest.clamp(0, REACH) as usize
}

/// The angles at a position, from double-double; pairs beyond the last are filled up with the last.
fn seeds(
    encoding: &Sinusoidal,
    pairs: Range<usize>,
    position: i64,
) -> impl Iterator<Item = FourPairs> {
    let last = pairs.end - 1;
    pairs.step_by(4).map(move |first| {
        let pair = |lane: usize| encoding.sin_cos_at((first + lane).min(last), position as f64);
        FourPairs::new([pair(0), pair(1), pair(2), pair(3)])
    })
}
