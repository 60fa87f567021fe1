//! The table rebuilt from its principal components.

use crate::Matrix;

/// Made by `tests/reference/whisper.py`, which describes it, from `decoder.positional_embedding` of Whisper tiny.en. The numbers are under the
/// MIT licence of Whisper, Copyright 2022 OpenAI: see LICENSE beside them.
const BYTES: &[u8] = include_bytes!("components.bin");
const COUNT: usize = WhisperComponents::COUNT;
const POSITIONS: usize = WhisperComponents::POSITIONS;
const WIDTH: usize = WhisperComponents::WIDTH;

/// The learned rows of Whisper's decoder as mean + Σ coordinate · component, the components in order of the variance they hold.
#[derive(Clone, Debug)]
pub struct WhisperComponents {
    /// A row for each of the 448 positions: its coordinates along the components.
    pub coordinates: Matrix<f64>,
    /// Directions of 384 dimensions, of length 1.
    pub components: Vec<Vec<f64>>,
    /// The mean of the rows.
    pub mean: Vec<f64>,
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

impl WhisperComponents {
    /// Rows of the table.
    pub const POSITIONS: usize = 448;
    /// Columns of the table.
    pub const WIDTH: usize = 384;
    /// How many components are kept.
    pub const COUNT: usize = 16;
    /// The share of the variance of the published table that they hold, as `whisper.py` has measured it.
    pub const KEPT: f64 = 0.9341;

    /// As they are stored.
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

    /// The rows as the model adds them, 448 × 384.
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
