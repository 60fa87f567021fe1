//! The position table that Whisper's decoder has learned, rebuilt from its principal components.

use posenc_encoding::Matrix;

/// Made by `tests/reference/whisper.py`, which describes it, from `decoder.positional_embedding` of Whisper tiny.en (Radford et al. 2022).
const BYTES: &[u8] = include_bytes!("table.bin");

pub const POSITIONS: usize = 448;
pub const WIDTH: usize = 384;
pub const COMPONENTS: usize = 16;
/// The share of the variance of the published table that the components hold, as `whisper.py` has measured it.
const KEPT: f64 = 0.9341;

/// Rows as mean + Σ coordinate · component, the components in order of the variance they hold.
pub struct LearnedTable {
    /// A row for each position: its coordinates along components of length 1.
    pub coordinates: Matrix<f64>,
    /// Of length 1.
    components: Vec<Vec<f64>>,
    mean: Vec<f64>,
}

/// Columns of 8-bit numbers with a scale for each.
fn columns(scales: &[u8], numbers: &[u8], rows: usize) -> Vec<Vec<f64>> {
    let scales = scales.chunks_exact(4).map(|bytes| {
        let bytes = bytes.try_into().unwrap_or_default();
        f64::from(f32::from_le_bytes(bytes))
    });
    let column = |(scale, numbers): (f64, &[u8])| {
        let number = |byte: &u8| scale * f64::from(*byte as i8);
        numbers.iter().map(number).collect()
    };
    scales.zip(numbers.chunks_exact(rows)).map(column).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl LearnedTable {
    pub fn new() -> LearnedTable {
        let (scales, numbers) = BYTES.split_at(4 * (2 * COMPONENTS + 1));
        let (left, rest) = numbers.split_at(COMPONENTS * POSITIONS);
        let (right, mean) = rest.split_at(COMPONENTS * WIDTH);
        let part = |i: usize, count: usize| &scales[4 * i..4 * (i + count)];
        let rows = columns(part(0, COMPONENTS), left, POSITIONS);
        let components = columns(part(COMPONENTS, COMPONENTS), right, WIDTH);
        let mean = columns(part(2 * COMPONENTS, 1), mean, WIDTH).concat();
        let mut coordinates = Matrix::zeros(POSITIONS, COMPONENTS);
        let mut directions = Vec::with_capacity(COMPONENTS);
        for (i, (rows, component)) in rows.iter().zip(&components).enumerate() {
            let length = dot(component, component).sqrt();
            for (position, value) in rows.iter().enumerate() {
                *coordinates.at_mut(position, i) = value * length;
            }
            directions.push(component.iter().map(|value| value / length).collect());
        }
        LearnedTable {
            coordinates,
            components: directions,
            mean,
        }
    }

    /// The rows as the model adds them.
    pub fn rebuilt(&self) -> Matrix<f64> {
        let mut table = Matrix::zeros(POSITIONS, WIDTH);
        for position in 0..POSITIONS {
            let coordinates = self.coordinates.row(position);
            for dimension in 0..WIDTH {
                let along = coordinates.iter().zip(&self.components);
                let off: f64 = along
                    .map(|(value, component)| value * component[dimension])
                    .sum();
                *table.at_mut(position, dimension) = self.mean[dimension] + off;
            }
        }
        table
    }

    /// The share of the published table's variance that the first `count` components hold.
    pub fn variance(&self, count: usize) -> f64 {
        let square = |i: &usize| {
            let column = (0..POSITIONS).map(|position| self.coordinates.at(position, *i));
            column.map(|value| value * value).sum::<f64>()
        };
        let all: f64 = (0..COMPONENTS).map(|i| square(&i)).sum();
        KEPT * (0..count).map(|i| square(&i)).sum::<f64>() / all
    }

    /// The cosine of the angle between every two rows.
    pub fn similarity(&self) -> Matrix<f64> {
        let mean_square = dot(&self.mean, &self.mean);
        let mean_along: Vec<f64> = self
            .components
            .iter()
            .map(|it| dot(it, &self.mean))
            .collect();
        let along: Vec<f64> = (0..POSITIONS)
            .map(|position| dot(self.coordinates.row(position), &mean_along))
            .collect();
        similarity(POSITIONS, |p, q| {
            let own = dot(self.coordinates.row(p), self.coordinates.row(q));
            own + along[p] + along[q] + mean_square
        })
    }
}

/// Cosines from products of rows.
pub fn similarity(positions: usize, product: impl Fn(usize, usize) -> f64) -> Matrix<f64> {
    let lengths: Vec<f64> = (0..positions).map(|p| product(p, p).sqrt()).collect();
    let mut table = Matrix::zeros(positions, positions);
    for p in 0..positions {
        for q in p..positions {
            let cosine = product(p, q) / (lengths[p] * lengths[q]);
            *table.at_mut(p, q) = cosine;
            *table.at_mut(q, p) = cosine;
        }
    }
    table
}

/// The share of the rows whose most similar other row is a neighbour.
pub fn near_neighbours(similarity: &Matrix<f64>) -> f64 {
    let n = similarity.positions;
    let is_near = |p: &usize| {
        let others = (0..n).filter(|q| q != p);
        let most = others.max_by(|a, b| similarity.at(*p, *a).total_cmp(&similarity.at(*p, *b)));
        most.is_some_and(|q| q.abs_diff(*p) == 1)
    };
    (0..n).filter(is_near).count() as f64 / n as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `tests/reference/whisper.py`, by NumPy, of the rebuilt table; in the published one 99.3 % of the rows are most like a neighbour, and
    /// rows 1, 10 and 100 apart have 0.824, 0.506 and 0.186.
    #[test]
    fn rows_are_as_alike_as_numpy_finds() {
        let similarity = LearnedTable::new().similarity();
        assert!((near_neighbours(&similarity) - 0.9911).abs() < 5e-5);
        for (apart, wanted) in [(1, 0.8413), (10, 0.5181), (100, 0.1901)] {
            let pairs = (0..POSITIONS - apart).map(|p| similarity.at(p, p + apart));
            let mean = pairs.sum::<f64>() / (POSITIONS - apart) as f64;
            assert!((mean - wanted).abs() < 5e-4, "{apart}: {mean}");
        }
    }

    #[test]
    fn the_rebuilt_rows_have_these_angles() {
        let table = LearnedTable::new();
        let (rows, similarity) = (table.rebuilt(), table.similarity());
        // The components are at right angles up to their 8 bits.
        for (p, q) in [(0, 1), (7, 300), (447, 446)] {
            let (a, b) = (rows.row(p), rows.row(q));
            let cosine = dot(a, b) / (dot(a, a) * dot(b, b)).sqrt();
            assert!((similarity.at(p, q) - cosine).abs() < 5e-3, "{p}, {q}");
        }
    }

    /// NumPy's singular values of the published table.
    #[test]
    fn few_components_hold_most_of_it() {
        let table = LearnedTable::new();
        for (count, share) in [(2, 0.3407), (4, 0.5268), (13, 0.8695), (16, 0.9345)] {
            let found = table.variance(count);
            assert!((found - share).abs() < 1e-3, "{count}: {found}");
        }
    }
}
