//! The table, reconstructed from its principal components.

use crate::Matrix;

/// Computed by `tests/reference/whisper.py`, which describes the format, from `decoder.positional_embedding` of Whisper
/// tiny.en. The numbers are under the MIT licence of Whisper, Copyright 2022 OpenAI: see LICENSE in the same folder.
const BYTES: &[u8] = include_bytes!("components.bin");
const COUNT: usize = WhisperComponents::COUNT;
const POSITIONS: usize = WhisperComponents::POSITIONS;
const WIDTH: usize = WhisperComponents::WIDTH;

/// The learned rows of Whisper's decoder, approximated as mean + Σ coordinate · component, with components by decreasing
/// variance.
#[derive(Clone, Debug)]
pub struct WhisperComponents {
    /// Coordinates along the components, 448 positions × 16 components.
    pub coordinates: Matrix<f64>,
    /// Unit vectors of 384 dimensions.
    pub components: Vec<Vec<f64>>,
    /// The mean of the rows, 384 numbers.
    pub mean: Vec<f64>,
}

/// Decodes columns of 8-bit numbers, each with an `f32` scale.
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

impl WhisperComponents {
    /// Rows of the table.
    pub const POSITIONS: usize = 448;
    /// Columns of the table.
    pub const WIDTH: usize = 384;
    /// Number of components.
    pub const COUNT: usize = 16;
    /// Fraction of the variance of the published table that the stored numbers explain, as measured by `whisper.py`.
    pub const KEPT: f64 = 0.9341;

    /// Decodes the stored components.
    pub fn new() -> WhisperComponents {
        let (scales, numbers) = BYTES.split_at(4 * (2 * COUNT + 1));
        let (left, rest) = numbers.split_at(COUNT * POSITIONS);
        let (right, mean) = rest.split_at(COUNT * WIDTH);
        let part = |i: usize, count: usize| &scales[4 * i..4 * (i + count)];
        let rows = columns(part(0, COUNT), left, POSITIONS);
        let components = columns(part(COUNT, COUNT), right, WIDTH);
        let mean = columns(part(2 * COUNT, 1), mean, WIDTH).concat();
        let mut coordinates = Matrix::zeros(POSITIONS, COUNT);
        let mut directions = Vec::with_capacity(COUNT);
        for (i, (rows, component)) in rows.iter().zip(&components).enumerate() {
            let length = component
                .iter()
                .map(|value| value * value)
                .sum::<f64>()
                .sqrt();
            for (position, value) in rows.iter().enumerate() {
                *coordinates.at_mut(position, i) = value * length;
            }
            directions.push(component.iter().map(|value| value / length).collect());
        }
        WhisperComponents {
            coordinates,
            components: directions,
            mean,
        }
    }

    /// Returns the approximated table, 448 × 384.
    pub fn rows(&self) -> Matrix<f64> {
        let mut table = Matrix::zeros(POSITIONS, WIDTH);
        for (position, row) in table.values.chunks_exact_mut(WIDTH).enumerate() {
            row.copy_from_slice(&self.mean);
            let coordinates = self.coordinates.row(position);
            for (along, component) in coordinates.iter().zip(&self.components) {
                for (value, part) in row.iter_mut().zip(component) {
                    *value += along * part;
                }
            }
        }
        table
    }
}

impl Default for WhisperComponents {
    fn default() -> Self {
        Self::new()
    }
}
