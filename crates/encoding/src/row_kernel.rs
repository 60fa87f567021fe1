//! The kernel that fills tables by the addition theorems for angles, in both directions from centre rows.
//!
//! The rows A − b and A + b around a centre row A share four products, so that four numbers cost four
//! multiplications and four additions. Centres are at multiples of 33 positions; every 16th is computed directly
//! (seeded), the others by recurrence. As this does not depend on where a block begins, a block equals the same rows of
//! the whole table bit for bit. Row 0 is a seeded centre and holds exactly 0 and 1.

use std::ops::Range;

use crate::four_pairs::{Cell, FourPairs};
use crate::{Column, Layout, Matrix, Member, Sinusoidal};

/// Rows computed on either side of a centre.
const REACH: i64 = 16;
/// Positions from one centre to the next.
const SPACING: i64 = 2 * REACH + 1;
/// Centres from one seeded centre to the next: each step of the recurrence adds an error of about 1e-16.
const SEED_EVERY: i64 = 16;
/// Consecutive centres that a tile writes before the next tile's turn.
const CENTRES_PER_STEP: i64 = 4;
/// Pairs per tile: enough to write long runs, few enough to keep their offsets in the second-level cache.
const TILE: usize = 256;

impl Sinusoidal {
    /// Returns all dimensions of one position.
    pub fn row(&self, position: i64) -> Vec<f64> {
        let mut row = vec![0.0; self.d_model()];
        fill(self, position..position + 1, &mut row);
        row
    }

    /// Writes a block of rows of the table, row-major, each number rounded once from `f64`. The rows before the block
    /// are not computed.
    ///
    /// # Panics
    /// Unless `out` has exactly `positions.len() × d_model` elements.
    pub fn block_f32(&self, positions: Range<usize>, out: &mut [f32]) {
        assert_eq!(out.len(), positions.len() * self.d_model());
        fill(self, signed(positions), out);
    }

    /// Writes a block of rows like [`block_f32`](Self::block_f32), in `f64`.
    ///
    /// # Panics
    /// Unless `out` has exactly `positions.len() × d_model` elements.
    pub fn block_f64(&self, positions: Range<usize>, out: &mut [f64]) {
        assert_eq!(out.len(), positions.len() * self.d_model());
        fill(self, signed(positions), out);
    }

    /// Returns the table of positions 0 to `max_len − 1`.
    pub fn table_f32(&self, max_len: usize) -> Matrix<f32> {
        let mut table = Matrix::zeros(max_len, self.d_model());
        self.block_f32(0..max_len, &mut table.values);
        table
    }

    /// Returns the table of positions 0 to `max_len − 1` in `f64`.
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
    // A few centres of every tile in turn, so that whole pages of `out` are completed within a short time.
    for start in (first..=last).step_by(CENTRES_PER_STEP as usize) {
        for tile in &mut tiles {
            for centre in start..=last.min(start + CENTRES_PER_STEP - 1) {
                if centre > first {
                    tile.advance(encoding, centre);
                }
                tile.write(centre * SPACING, &positions, &mut spare, out);
            }
        }
    }
}

/// Up to [`TILE`] consecutive pairs, four to an element of the vectors.
struct Tile {
    pairs: Range<usize>,
    place: Place,
    /// Whether the pairs are a multiple of four and all have cosines, so that they need no padding.
    complete: bool,
    /// The angles at the centre.
    centre: Vec<FourPairs>,
    /// The angles of [`SPACING`] positions.
    step: Vec<FourPairs>,
    /// The angles of 1, 2, … positions; those of b positions have index b − 1.
    offsets: Vec<Vec<FourPairs>>,
}

/// Where the numbers of a tile are in a row of `stride` numbers.
#[derive(Clone, Copy)]
struct Place {
    stride: usize,
    sines: usize,
    /// `None` if every sine is followed by its cosine.
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

    /// Moves to a centre: from the previous one by rotation, or from any if this one is seeded.
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

    /// Writes the rows around a centre, given as a position, that are within `positions`.
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
        // How many offsets to skip until the first row within `positions`, if the centre is outside.
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

    /// Computes the offsets as b = ⌊b/2⌋ + ⌈b/2⌉, so that errors grow with the logarithm of b.
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

    /// Returns the place in a spare row that holds one tile only.
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

    /// Copies the first pairs from a spare row (see [`Self::alone`]) to their place in a row.
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

/// Splits a row into groups of four, from the first sine and from the first cosine on.
fn split<T>(row: &mut [T], sines: usize, cosines: usize) -> (&mut [[T; 4]], &mut [[T; 4]]) {
    let (left, right) = row.split_at_mut(cosines);
    (left[sines..].as_chunks_mut().0, right.as_chunks_mut().0)
}

/// Returns the largest distance of a row within `positions` from its centre.
fn reach(positions: &Range<i64>, first_centre: i64, last_centre: i64) -> usize {
    let farthest = if first_centre == last_centre {
        (first_centre - positions.start).max(positions.end - 1 - first_centre)
    } else {
        REACH
    };
    farthest.clamp(0, REACH) as usize
}

/// Computes the angles at a position from double-double frequencies; the last pair pads an incomplete group of four.
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
