//! Compares the rows of a table: their cosine similarities, and their coordinates along the principal components.

use crate::table::Table;
use crate::verify::CorrectTable;
use posenc_sort::argsort;
use std::cmp::Ordering;

/// Maximum numbers of rows and columns that are examined.
const ROWS: usize = 512;
const COLUMNS: usize = 512;
/// Maximum number of principal components.
const COMPONENTS: usize = 16;
/// Vectors of the subspace iteration; more than `COMPONENTS`, as the last ones converge slowly.
const DIRECTIONS: usize = 32;
const ITERATIONS: usize = 24;
/// Components with less than this share of the first one's variance are considered rounding errors.
const ROUNDING: f64 = 1e-12;
/// Multiplications in a step of some milliseconds.
const PER_STEP: usize = 2_000_000;

/// The source of the numbers, with a row for each position.
pub enum Numbers<'a> {
    /// A table as stored.
    Table(&'a Table),
    /// A table whose positions are columns.
    Transposed(&'a Table),
    /// A correct table.
    Correct(&'a CorrectTable),
}

impl Numbers<'_> {
    fn at(&self, position: usize, dimension: usize) -> f64 {
        match self {
            Self::Table(table) => table.at(position, dimension),
            Self::Transposed(table) => table.at(dimension, position),
            Self::Correct(table) => table.at(position, dimension),
        }
    }
}

enum Stage {
    Copy,
    Products,
    Iterations(usize),
    Done,
}

/// Compares the first rows of a table, step by step.
pub struct RowStudy {
    rows: usize,
    columns: Vec<usize>,
    stage: Stage,
    next: usize,
    /// The numbers, row-major; 0 for NaN and infinity.
    numbers: Vec<f64>,
    /// Gram matrix of the rows: rows × rows.
    products: Vec<f64>,
    /// Gram matrix of the rows minus their mean.
    centred: Vec<f64>,
    /// Vectors of the subspace iteration, with a number for each row.
    directions: Vec<Vec<f64>>,
    coordinates: Vec<Vec<f64>>,
}

impl RowStudy {
    /// Creates a study of a table's first 512 rows and of up to 512 columns, in adjacent pairs spread over the whole width.
    pub fn new(rows: usize, columns: usize) -> RowStudy {
        let most = COLUMNS / 2;
        let columns = match columns <= COLUMNS {
            true => (0..columns).collect(),
            false => {
                let last = columns / 2 - 1;
                let pair = |at: usize| 2 * (at * last / (most - 1));
                (0..most).flat_map(|at| [pair(at), pair(at) + 1]).collect()
            }
        };
        RowStudy {
            rows: rows.min(ROWS),
            columns,
            stage: Stage::Copy,
            next: 0,
            numbers: Vec::new(),
            products: Vec::new(),
            centred: Vec::new(),
            directions: Vec::new(),
            coordinates: Vec::new(),
        }
    }

    /// Returns the number of rows that are examined.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Runs one step; returns `false` when the study is complete.
    pub fn step(&mut self, table: &Numbers) -> bool {
        match self.stage {
            Stage::Copy => self.copy(table),
            Stage::Products => self.multiply(),
            Stage::Iterations(done) => self.iterate(done),
            Stage::Done => {}
        }
        !matches!(self.stage, Stage::Done)
    }

    fn copy(&mut self, table: &Numbers) {
        let width = self.columns.len().max(1);
        // The numbers of a `CorrectTable` have to be computed, which takes longer.
        let end = (self.next + (PER_STEP / 40 / width).max(1)).min(self.rows);
        for row in self.next..end {
            let numbers = self.columns.iter().map(|column| table.at(row, *column));
            let finite = numbers.map(|it| if it.is_finite() { it } else { 0.0 });
            self.numbers.extend(finite);
        }
        self.next = end;
        if end == self.rows {
            self.next = 0;
            self.products = vec![0.0; self.rows * self.rows];
            self.stage = Stage::Products;
        }
    }

    fn multiply(&mut self) {
        let (n, width) = (self.rows, self.columns.len());
        let mut left = PER_STEP;
        while self.next < n && left > 0 {
            let p = self.next;
            let (before, own) = self.numbers.split_at(p * width);
            let own = own.get(..width).unwrap_or_default();
            for (q, other) in before.chunks_exact(width.max(1)).chain([own]).enumerate() {
                let product = dot(own, other);
                self.products[p * n + q] = product;
                self.products[q * n + p] = product;
            }
            left = left.saturating_sub((p + 1) * width);
            self.next += 1;
        }
        if self.next == n {
            self.numbers = Vec::new();
            self.centre();
            self.stage = Stage::Iterations(0);
        }
    }

    fn centre(&mut self) {
        let n = self.rows.max(1);
        let means: Vec<f64> = self
            .products
            .chunks_exact(n)
            .map(|row| row.iter().sum::<f64>() / n as f64)
            .collect();
        let mean = means.iter().sum::<f64>() / n as f64;
        let rows = self.products.chunks_exact(n).zip(&means);
        let centred = rows.flat_map(|(row, own)| {
            let cells = row.iter().zip(&means);
            cells.map(move |(product, other)| product - own - other + mean)
        });
        self.centred = centred.collect();
        // Pseudorandom vectors to start with, which are almost surely not orthogonal to the principal directions.
        let mut seed = 1_u64;
        let mut number = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as f64 / f64::from(1_u32 << 30) - 1.0
        };
        let count = DIRECTIONS.min(n.saturating_sub(1)).min(self.columns.len());
        self.directions = (0..count)
            .map(|_| (0..n).map(|_| number()).collect())
            .collect();
        orthonormalise(&mut self.directions);
    }

    fn iterate(&mut self, done: usize) {
        let multiplied = self.multiplied();
        if done < ITERATIONS {
            self.directions = multiplied;
            orthonormalise(&mut self.directions);
            self.stage = Stage::Iterations(done + 1);
            return;
        }
        // The principal directions within the subspace (Rayleigh–Ritz).
        let count = self.directions.len();
        let small =
            (0..count * count).map(|at| dot(&self.directions[at / count], &multiplied[at % count]));
        let (values, vectors) = eigen(small.collect(), count);
        let negative: Vec<f64> = values.iter().map(|value| -value).collect();
        let order = argsort(&negative);
        let first = order.first().map_or(0.0, |at| values[*at]);
        let kept = order
            .into_iter()
            .take(COMPONENTS)
            .filter(|at| values[*at] > ROUNDING * first);
        self.coordinates = kept
            .map(|at| {
                let mut coordinates = vec![0.0; self.rows];
                for (direction, share) in self.directions.iter().zip(&vectors[at]) {
                    add(&mut coordinates, direction, share * values[at].sqrt());
                }
                coordinates
            })
            .collect();
        self.centred = Vec::new();
        self.stage = Stage::Done;
    }

    /// Returns the product of the centred Gram matrix with each direction.
    fn multiplied(&self) -> Vec<Vec<f64>> {
        let rows = self.centred.chunks_exact(self.rows.max(1));
        let multiplied = self.directions.iter().map(|direction| {
            let products = rows.clone().map(|row| dot(row, direction));
            products.collect()
        });
        multiplied.collect()
    }

    /// Returns the cosine similarity of two rows; 0 if a row is zero, and before the products have been computed.
    pub fn similarity(&self, p: usize, q: usize) -> f64 {
        let product = |p: usize, q: usize| {
            let product = self.products.get(p * self.rows + q);
            product.copied().unwrap_or_default()
        };
        let lengths = (product(p, p) * product(q, q)).sqrt();
        if lengths > 0.0 {
            product(p, q) / lengths
        } else {
            0.0
        }
    }

    /// Returns the share of the rows whose most similar other row is adjacent.
    pub fn nearest_is_neighbour(&self) -> f64 {
        let near = (0..self.rows).filter(|p| {
            let others = (0..self.rows).filter(|q| q != p);
            let similarities = others.map(|q| (q, self.similarity(*p, q)));
            // Ties are resolved in favour of the nearer row.
            let most = similarities.max_by(|(a, x), (b, y)| match x.total_cmp(y) {
                Ordering::Equal => b.abs_diff(*p).cmp(&a.abs_diff(*p)),
                order => order,
            });
            most.is_some_and(|(q, _)| q.abs_diff(*p) == 1)
        });
        near.count() as f64 / self.rows.max(1) as f64
    }

    /// Returns for every principal component, in descending order of variance, the coordinates of the rows minus their mean;
    /// empty until the study is complete.
    pub fn coordinates(&self) -> &[Vec<f64>] {
        &self.coordinates
    }
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    // Four independent sums, which a processor adds in parallel, each in a register.
    let [mut first, mut second, mut third, mut fourth] = [0.0; 4];
    let ((a_fours, a_rest), (b_fours, b_rest)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    for (a, b) in a_fours.iter().zip(b_fours) {
        first += a[0] * b[0];
        second += a[1] * b[1];
        third += a[2] * b[2];
        fourth += a[3] * b[3];
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    first + second + third + fourth + rest
}

fn add(to: &mut [f64], vector: &[f64], times: f64) {
    for (to, vector) in to.iter_mut().zip(vector) {
        *to += times * vector;
    }
}

/// Gram–Schmidt, applied twice because of rounding errors; linearly dependent vectors become zero.
fn orthonormalise(vectors: &mut [Vec<f64>]) {
    for at in 0..vectors.len() {
        let (before, rest) = vectors.split_at_mut(at);
        let Some(vector) = rest.first_mut() else {
            return;
        };
        let begun = dot(vector, vector).sqrt();
        for _ in 0..2 {
            for other in before.iter() {
                let along = dot(vector, other);
                add(vector, other, -along);
            }
        }
        let length = dot(vector, vector).sqrt();
        // The remainder of a linearly dependent vector is a rounding error.
        let scale = match length > 1e-13 * begun && length > 0.0 {
            true => 1.0 / length,
            false => 0.0,
        };
        vector.iter_mut().for_each(|it| *it *= scale);
    }
}

/// Returns the eigenvalues and eigenvectors of a symmetric matrix with `count` rows, by Jacobi rotations; unsorted.
fn eigen(mut matrix: Vec<f64>, count: usize) -> (Vec<f64>, Vec<Vec<f64>>) {
    let mut vectors: Vec<Vec<f64>> = (0..count)
        .map(|row| {
            (0..count)
                .map(|column| f64::from(u8::from(row == column)))
                .collect()
        })
        .collect();
    for _ in 0..30 {
        let mut largest: f64 = 0.0;
        for p in 0..count {
            for q in p + 1..count {
                let off = matrix[p * count + q];
                let (a, b) = (matrix[p * count + p], matrix[q * count + q]);
                largest = largest.max(off.abs() / (a.abs() + b.abs()).max(f64::MIN_POSITIVE));
                if off == 0.0 {
                    continue;
                }
                let ratio = (b - a) / (2.0 * off);
                let tan = ratio.signum() / (ratio.abs() + ratio.hypot(1.0));
                let cos = 1.0 / tan.hypot(1.0);
                let sin = tan * cos;
                for i in 0..count {
                    let (x, y) = (matrix[i * count + p], matrix[i * count + q]);
                    matrix[i * count + p] = cos * x - sin * y;
                    matrix[i * count + q] = sin * x + cos * y;
                }
                for i in 0..count {
                    let (x, y) = (matrix[p * count + i], matrix[q * count + i]);
                    matrix[p * count + i] = cos * x - sin * y;
                    matrix[q * count + i] = sin * x + cos * y;
                    let (x, y) = (vectors[p][i], vectors[q][i]);
                    vectors[p][i] = cos * x - sin * y;
                    vectors[q][i] = sin * x + cos * y;
                }
            }
        }
        if largest < 1e-14 {
            break;
        }
    }
    let values = (0..count).map(|at| matrix[at * count + at]).collect();
    (values, vectors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::precision::Precision;
    use crate::table::Storage;

    fn study(rows: usize, columns: usize, at: &dyn Fn(usize, usize) -> f64) -> RowStudy {
        let cells = (0..rows * columns).map(|cell| at(cell / columns, cell % columns));
        let storage = Storage::Binary(Precision::F64);
        let table = Table::new((rows, columns), cells.collect(), storage).unwrap();
        let mut study = RowStudy::new(rows, columns);
        while study.step(&Numbers::Table(&table)) {}
        study
    }

    #[test]
    fn coordinates_are_those_of_the_principal_components() {
        // Rows along two orthogonal axes, one with three times the amplitude of the other, about a mean.
        let at = |row: usize, column: usize| {
            let angle = row as f64;
            let (long, short) = (3.0 * angle.sin(), angle.cos());
            [long + 5.0, short, -long, short + 1.0, f64::NAN][column]
        };
        let study = study(400, 5, &at);
        let [first, second] = study.coordinates() else {
            panic!("{}", study.coordinates().len());
        };
        let mean =
            |of: &dyn Fn(f64) -> f64| (0..400).map(|row| of(f64::from(row))).sum::<f64>() / 400.0;
        let (sine, cosine) = (mean(&f64::sin), mean(&f64::cos));
        let sign = (first[1] * 1_f64.sin()).signum();
        for row in [0, 7, 399] {
            let angle = row as f64;
            let wanted = sign * 18_f64.sqrt() * (angle.sin() - sine);
            assert!(
                (first[row] - wanted).abs() < 0.01,
                "{row}: {} {wanted}",
                first[row]
            );
            let wanted = 2_f64.sqrt() * (angle.cos() - cosine).abs();
            assert!((second[row].abs() - wanted).abs() < 0.01, "{row}");
        }
    }

    #[test]
    fn similarities_are_cosines() {
        let rows = [[3.0, 4.0], [4.0, 3.0], [0.0, 0.0], [-3.0, -4.0]];
        let study = study(4, 2, &|row, column| rows[row][column]);
        assert!((study.similarity(0, 1) - 0.96).abs() < 1e-15);
        assert!((study.similarity(0, 3) + 1.0).abs() < 1e-15);
        assert_eq!(study.similarity(0, 2), 0.0);
        // The row most similar to row 3 is row 2, which is zero and adjacent.
        assert_eq!(study.nearest_is_neighbour(), 1.0);
    }
}
