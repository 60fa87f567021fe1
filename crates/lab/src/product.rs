//! Products of row-major matrices in slices.
//!
//! One element of a product is one sum, in the order of the inner index and without fused multiply–add, so that it has the
//! same bits for every width of SIMD vectors. Adjacent columns are computed four at a time by explicit SIMD: the page is
//! linked for size, where the compiler does not vectorise loops. With AVX, the compiler vectorises plain loops with vectors
//! of eight.

use crate::Scalar;

/// The left factor of a product, as stored or transposed.
#[derive(Clone, Copy)]
pub(crate) struct Left<'a, T> {
    values: &'a [T],
    /// Distances between adjacent elements of a column, and of a row.
    strides: (usize, usize),
}

impl<'a, T> Left<'a, T> {
    /// A matrix with this number of columns.
    pub fn matrix(values: &'a [T], columns: usize) -> Self {
        Self {
            values,
            strides: (columns, 1),
        }
    }

    /// The transpose of a matrix with this number of columns.
    pub fn transposed(values: &'a [T], columns: usize) -> Self {
        Self {
            values,
            strides: (1, columns),
        }
    }
}

/// out += left · right; `columns` is the width of `right` and of `out`.
pub(crate) fn add_product<T: Scalar>(
    out: &mut [T],
    left: Left<'_, T>,
    right: &[T],
    columns: usize,
) {
    let rows = out.len() / columns;
    let mut column = 0;
    while column < columns {
        column += match columns - column {
            #[cfg(target_arch = "x86_64")]
            16.. if std::arch::is_x86_feature_detected!("avx") => {
                // SAFETY: AVX, which the function is compiled for, has been detected.
                unsafe { strip_with_avx(out, left, right, (rows, columns), column) }
            }
            16.. => strip::<T, 4>(out, left, right, (rows, columns), column),
            4.. => strip::<T, 1>(out, left, right, (rows, columns), column),
            _ => single_column(out, left, right, columns, column),
        };
    }
}

/// out = left · right.
pub(crate) fn product<T: Scalar>(out: &mut [T], left: Left<'_, T>, right: &[T], columns: usize) {
    out.fill(T::ZERO);
    add_product(out, left, right, columns);
}

/// Adds 4 · `FOURS` columns of the product from `column` on, two rows at a time; returns the number of columns.
fn strip<T: Scalar, const FOURS: usize>(
    out: &mut [T],
    left: Left<'_, T>,
    right: &[T],
    (rows, columns): (usize, usize),
    column: usize,
) -> usize {
    let mut row = 0;
    while row < rows {
        row += match rows - row {
            2.. => tile::<T, 2, FOURS>(out, left, right, columns, (row, column)),
            _ => tile::<T, 1, FOURS>(out, left, right, columns, (row, column)),
        };
    }
    4 * FOURS
}

/// Adds a block of the product that is small enough for its sums to stay in registers; returns the number of rows.
fn tile<T: Scalar, const HEIGHT: usize, const FOURS: usize>(
    out: &mut [T],
    left: Left<'_, T>,
    right: &[T],
    columns: usize,
    (row, column): (usize, usize),
) -> usize {
    let (down, along) = left.strides;
    let mut sums = [[T::Four::default(); FOURS]; HEIGHT];
    for (inner, right) in right.chunks_exact(columns).enumerate() {
        let (right, _) = right[column..][..4 * FOURS].as_chunks();
        for (r, sums) in sums.iter_mut().enumerate() {
            let factor = left.values[(row + r) * down + inner * along].splat();
            for (sum, right) in sums.iter_mut().zip(right) {
                *sum = *sum + factor * T::load(right);
            }
        }
    }
    for (r, sums) in sums.iter().enumerate() {
        let (out, _) = out[(row + r) * columns + column..][..4 * FOURS].as_chunks_mut();
        for (out, sum) in out.iter_mut().zip(sums) {
            *out = T::store(T::load(out) + *sum);
        }
    }
    HEIGHT
}

/// Adds sixteen columns of the product from `column` on, four rows at a time; returns the number of columns.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
fn strip_with_avx<T: Scalar>(
    out: &mut [T],
    left: Left<'_, T>,
    right: &[T],
    (rows, columns): (usize, usize),
    column: usize,
) -> usize {
    let mut row = 0;
    while row < rows {
        row += match rows - row {
            4.. => wide_tile::<T, 4>(out, left, right, columns, (row, column)),
            _ => wide_tile::<T, 1>(out, left, right, columns, (row, column)),
        };
    }
    16
}

/// Adds a block of sixteen columns; inlined, so that it is compiled with the target features of its caller.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn wide_tile<T: Scalar, const HEIGHT: usize>(
    out: &mut [T],
    left: Left<'_, T>,
    right: &[T],
    columns: usize,
    (row, column): (usize, usize),
) -> usize {
    let (down, along) = left.strides;
    let mut sums = [[T::ZERO; 16]; HEIGHT];
    for (inner, right) in right.chunks_exact(columns).enumerate() {
        let right = &right[column..][..16];
        for (r, sums) in sums.iter_mut().enumerate() {
            let factor = left.values[(row + r) * down + inner * along];
            for (sum, right) in sums.iter_mut().zip(right) {
                *sum += factor * *right;
            }
        }
    }
    for (r, sums) in sums.iter().enumerate() {
        let out = &mut out[(row + r) * columns + column..][..16];
        for (out, sum) in out.iter_mut().zip(sums) {
            *out += *sum;
        }
    }
    HEIGHT
}

/// Adds one column of the product; returns the number of columns.
fn single_column<T: Scalar>(
    out: &mut [T],
    left: Left<'_, T>,
    right: &[T],
    columns: usize,
    column: usize,
) -> usize {
    let (down, along) = left.strides;
    for (row, out) in out.chunks_exact_mut(columns).enumerate() {
        let mut sum = T::ZERO;
        for (inner, right) in right.chunks_exact(columns).enumerate() {
            sum += left.values[row * down + inner * along] * right[column];
        }
        out[column] += sum;
    }
    1
}

/// Writes the transpose of a matrix with this number of columns to `out`.
pub(crate) fn transpose<T: Scalar>(out: &mut [T], matrix: &[T], columns: usize) {
    let rows = matrix.len() / columns;
    for (row, values) in matrix.chunks_exact(columns).enumerate() {
        for (column, value) in values.iter().enumerate() {
            out[column * rows + row] = *value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small whole numbers, whose sums are exact.
    fn numbers(count: usize, seed: usize) -> Vec<f32> {
        (0..count)
            .map(|i| ((i * 37 + seed * 11) % 19) as f32 - 9.0)
            .collect()
    }

    #[test]
    fn every_shape_gives_the_sum_of_products() {
        for (rows, inner, columns) in [(1, 1, 1), (3, 5, 7), (2, 4, 16), (5, 3, 39), (4, 0, 20)] {
            let (left, right) = (numbers(rows * inner, 1), numbers(inner * columns, 2));
            let mut turned = vec![0.0; left.len()];
            if inner > 0 {
                transpose(&mut turned, &left, inner);
            }
            let mut expected = numbers(rows * columns, 3);
            let (mut plain, mut transposed) = (expected.clone(), expected.clone());
            for row in 0..rows {
                for column in 0..columns {
                    for i in 0..inner {
                        let product = left[row * inner + i] * right[i * columns + column];
                        expected[row * columns + column] += product;
                    }
                }
            }
            add_product(&mut plain, Left::matrix(&left, inner), &right, columns);
            add_product(
                &mut transposed,
                Left::transposed(&turned, rows),
                &right,
                columns,
            );
            assert_eq!(plain, expected);
            assert_eq!(transposed, expected);
        }
    }

    /// Wider vectors add in the same order.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn every_processor_gives_the_same_bits() {
        if !std::arch::is_x86_feature_detected!("avx") {
            return;
        }
        let (rows, inner, columns) = (7, 33, 16);
        let thirds = |count, seed| -> Vec<f32> {
            let numbers = numbers(count, seed).into_iter();
            numbers.map(|number| number / 3.0).collect()
        };
        let (left, right) = (thirds(rows * inner, 1), thirds(inner * columns, 2));
        let left = Left::matrix(&left, inner);
        let mut fours = thirds(rows * columns, 3);
        let mut eights = fours.clone();
        strip::<f32, 4>(&mut fours, left, &right, (rows, columns), 0);
        // SAFETY: AVX, which the function is compiled for, has been detected.
        unsafe { strip_with_avx(&mut eights, left, &right, (rows, columns), 0) };
        let bits = |values: &[f32]| values.iter().map(|it| it.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&fours), bits(&eights));
    }
}
