//! Measurements on the position table of Whisper's decoder.

use posenc_encoding::{Matrix, WhisperComponents};

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Returns the share of the published table's variance along the first `count` components.
pub fn variance(table: &WhisperComponents, count: usize) -> f64 {
    let square = |i: &usize| {
        let column =
            (0..table.coordinates.positions).map(|position| table.coordinates.at(position, *i));
        column.map(|value| value * value).sum::<f64>()
    };
    let all: f64 = (0..WhisperComponents::COUNT).map(|i| square(&i)).sum();
    WhisperComponents::KEPT * (0..count).map(|i| square(&i)).sum::<f64>() / all
}

/// Returns the cosine of the angle between every two rows.
pub fn similarity_of_rows(table: &WhisperComponents) -> Matrix<f64> {
    let (coordinates, mean) = (&table.coordinates, &table.mean);
    let mean_square = dot(mean, mean);
    let mean_along: Vec<f64> = table.components.iter().map(|it| dot(it, mean)).collect();
    let along: Vec<f64> = (0..coordinates.positions)
        .map(|position| dot(coordinates.row(position), &mean_along))
        .collect();
    similarity(coordinates.positions, |p, q| {
        let own = dot(coordinates.row(p), coordinates.row(q));
        own + along[p] + along[q] + mean_square
    })
}

/// Returns the cosines of all pairs of rows, given their dot products.
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

    /// NumPy (`tests/reference/whisper.py`) for the reconstructed table. In the published one, the most similar row is a
    /// neighbour for 99.3 % of the rows, and rows 1, 10 and 100 apart have mean cosines of 0.824, 0.506 and 0.186.
    #[test]
    fn rows_are_as_alike_as_numpy_finds() {
        let similarity = similarity_of_rows(&WhisperComponents::new());
        assert!((near_neighbours(&similarity) - 0.9911).abs() < 5e-5);
        for (apart, wanted) in [(1, 0.8413), (10, 0.5181), (100, 0.1901)] {
            let pairs = (0..similarity.positions - apart).map(|p| similarity.at(p, p + apart));
            let mean = pairs.sum::<f64>() / (similarity.positions - apart) as f64;
            assert!((mean - wanted).abs() < 5e-4, "{apart}: {mean}");
        }
    }

    #[test]
    fn the_rebuilt_rows_have_these_angles() {
        let table = WhisperComponents::new();
        let (rows, similarity) = (table.rows(), similarity_of_rows(&table));
        // The components are orthogonal up to their 8-bit quantization.
        for (p, q) in [(0, 1), (7, 300), (447, 446)] {
            let (a, b) = (rows.row(p), rows.row(q));
            let cosine = dot(a, b) / (dot(a, a) * dot(b, b)).sqrt();
            assert!((similarity.at(p, q) - cosine).abs() < 5e-3, "{p}, {q}");
        }
    }

    /// NumPy's singular values of the published table.
    #[test]
    fn few_components_hold_most_of_it() {
        let table = WhisperComponents::new();
        for (count, share) in [(2, 0.3407), (4, 0.5268), (13, 0.8695), (16, 0.9345)] {
            let found = variance(&table, count);
            assert!((found - share).abs() < 1e-3, "{count}: {found}");
        }
    }
}
