//! A matrix whose axes are positions and dimensions.

/// A row-major matrix with one row per position and one column per dimension.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix<T> {
    /// Number of rows.
    pub positions: usize,
    /// Number of columns.
    pub dimensions: usize,
    /// `positions × dimensions` numbers, one row after the other.
    pub values: Vec<T>,
}

impl<T: Copy + Default> Matrix<T> {
    /// Creates a matrix filled with `T::default()`.
    pub fn zeros(positions: usize, dimensions: usize) -> Self {
        Self {
            positions,
            dimensions,
            values: vec![T::default(); positions * dimensions],
        }
    }
}

impl<T> Matrix<T> {
    /// Creates a matrix from a function of (position, dimension).
    pub fn from_fn(
        positions: usize,
        dimensions: usize,
        mut number: impl FnMut(usize, usize) -> T,
    ) -> Self {
        let mut values = Vec::with_capacity(positions * dimensions);
        for position in 0..positions {
            values.extend((0..dimensions).map(|dimension| number(position, dimension)));
        }
        Self {
            positions,
            dimensions,
            values,
        }
    }
}

impl<T: Copy> Matrix<T> {
    /// Returns the number at a position and a dimension.
    ///
    /// # Panics
    /// If either index is out of bounds.
    pub fn at(&self, position: usize, dimension: usize) -> T {
        self.row(position)[dimension]
    }

    /// Returns a mutable reference to the number at a position and a dimension.
    ///
    /// # Panics
    /// If either index is out of bounds.
    pub fn at_mut(&mut self, position: usize, dimension: usize) -> &mut T {
        let dimensions = self.dimensions;
        &mut self.values[position * dimensions..][..dimensions][dimension]
    }

    /// Returns all dimensions of one position.
    ///
    /// # Panics
    /// If the position is out of bounds.
    pub fn row(&self, position: usize) -> &[T] {
        &self.values[position * self.dimensions..][..self.dimensions]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_positions_and_columns_are_dimensions() {
        let mut matrix = Matrix::zeros(2, 3);
        *matrix.at_mut(1, 2) = 7;
        assert_eq!(matrix.values, [0, 0, 0, 0, 0, 7]);
        let same = Matrix::from_fn(2, 3, |position, dimension| 7 * (position * dimension / 2));
        assert_eq!(same, matrix);
        assert_eq!(matrix.at(1, 2), 7);
        assert_eq!(matrix.row(1), [0, 0, 7]);
    }

    #[test]
    #[should_panic]
    fn a_dimension_outside_does_not_wrap_into_the_next_row() {
        Matrix::<f32>::zeros(2, 3).at(0, 3);
    }
}
