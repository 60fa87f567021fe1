//! Properties for every width, base, layout and offset.

use std::f64::consts::PI;

use crate::assert_close::assert_close;
use posenc::{Column, Layout, Matrix, Member, Rotation, Sinusoidal};
use proptest::prelude::*;

fn encoding(widths: std::ops::Range<usize>) -> impl Strategy<Value = Sinusoidal> {
    let layouts = vec![
        Layout::Interleaved,
        Layout::Concatenated,
        Layout::Tensor2tensor,
    ];
    let bases = prop_oneof![1.0001_f64..20.0, 20.0_f64..1e9];
    (widths, bases, prop::sample::select(layouts))
        .prop_map(|(d_model, base, layout)| Sinusoidal::new(d_model, base, layout))
}

fn product(a: &Matrix<f64>, b: &Matrix<f64>) -> Matrix<f64> {
    let mut product = Matrix::zeros(a.positions, b.dimensions);
    for row in 0..a.positions {
        for column in 0..b.dimensions {
            *product.at_mut(row, column) = (0..a.dimensions)
                .map(|i| a.at(row, i) * b.at(i, column))
                .sum();
        }
    }
    product
}

fn transposed(matrix: &Matrix<f64>) -> Matrix<f64> {
    let mut transposed = Matrix::zeros(matrix.dimensions, matrix.positions);
    for row in 0..matrix.positions {
        for column in 0..matrix.dimensions {
            *transposed.at_mut(column, row) = matrix.at(row, column);
        }
    }
    transposed
}

fn assert_same(a: &Matrix<f64>, b: &Matrix<f64>, tolerance: f64) {
    assert_eq!((a.positions, a.dimensions), (b.positions, b.dimensions));
    for (&a, &b) in a.values.iter().zip(&b.values) {
        assert_close(a, b, tolerance);
    }
}

/// Whether the dimension belongs to a complete pair.
fn has_partner(encoding: &Sinusoidal, dimension: usize) -> bool {
    match encoding.column(dimension) {
        Column::Wave { pair, .. } => encoding.dimension(pair, Member::Cosine).is_some(),
        Column::Zero => false,
    }
}

proptest! {
    #[test]
    fn no_offset_is_the_identity(encoding in encoding(1..24)) {
        let matrix = Rotation::new(&encoding, 0).matrix();
        for row in 0..encoding.d_model() {
            for column in 0..encoding.d_model() {
                let one = row == column && has_partner(&encoding, row);
                prop_assert_eq!(matrix.at(row, column), if one { 1.0 } else { 0.0 });
            }
        }
    }

    #[test]
    fn offsets_add(encoding in encoding(1..20), j in -500_000_i64..500_000, k in -500_000_i64..500_000) {
        let matrix = |offset| Rotation::new(&encoding, offset).matrix();
        assert_same(&product(&matrix(j), &matrix(k)), &matrix(j + k), 1e-15);
    }

    #[test]
    fn the_way_back_is_the_transpose(encoding in encoding(1..30), k in -1_048_576_i64..=1_048_576) {
        let there = Rotation::new(&encoding, k).matrix();
        prop_assert_eq!(Rotation::new(&encoding, -k).matrix(), transposed(&there));
    }

    #[test]
    fn blocks_are_rotations(encoding in encoding(1..60), k in -1_048_576_i64..=1_048_576) {
        let rotation = Rotation::new(&encoding, k);
        for pair in 0..encoding.pairs() {
            match rotation.block(pair) {
                Some([[a, b], [c, d]]) => assert_close(a * d - b * c, 1.0, 1e-15),
                None => prop_assert_eq!(encoding.dimension(pair, Member::Cosine), None),
            }
        }
    }

    #[test]
    fn it_leads_from_one_position_to_another(
        encoding in encoding(1..200),
        position in -1_000_000_i64..1_000_000,
        k in -1_048_576_i64..=1_048_576,
    ) {
        let rotation = Rotation::new(&encoding, k);
        let (here, there) = (encoding.row(position), encoding.row(position + k));
        let image = rotation.apply(&here);
        for dimension in 0..encoding.d_model() {
            let expected = if has_partner(&encoding, dimension) { there[dimension] } else { 0.0 };
            assert_close(image[dimension], expected, 5e-15);
        }
        assert_close(rotation.residual(position..position + 3), 0.0, 1e-15);
    }

    #[test]
    fn applying_is_multiplying_by_the_matrix(
        encoding in encoding(1..40),
        k in -1_048_576_i64..=1_048_576,
        v in prop::collection::vec(-10.0_f64..10.0, 40),
    ) {
        let rotation = Rotation::new(&encoding, k);
        let matrix = rotation.matrix();
        let image = rotation.apply(&v);
        for (row, &component) in image.iter().enumerate() {
            let expected: f64 = matrix.row(row).iter().zip(&v).map(|(a, b)| a * b).sum();
            assert_close(component, expected, 1e-14);
        }
    }

    #[test]
    fn every_complete_pair_adds_one_to_the_square_of_the_norm(
        encoding in encoding(1..300),
        position in -1_048_576_i64..=1_048_576,
    ) {
        let row = encoding.row(position);
        // Pair by pair: a sum over all pairs would hide an error of one pair in its rounding.
        for pair in 0..encoding.pairs() {
            let [sine, cosine] = [Member::Sine, Member::Cosine].map(|member| encoding.dimension(pair, member));
            if let (Some(sine), Some(cosine)) = (sine, cosine) {
                assert_close(row[sine] * row[sine] + row[cosine] * row[cosine], 1.0, 8e-15);
            }
        }
    }

    #[test]
    fn dimensions_and_columns_are_each_other_s_inverse(encoding in encoding(1..300)) {
        let mut seen = 0;
        for pair in 0..encoding.pairs() + 2 {
            for member in [Member::Sine, Member::Cosine] {
                if let Some(dimension) = encoding.dimension(pair, member) {
                    prop_assert_eq!(encoding.column(dimension), Column::Wave { pair, member });
                    seen += 1;
                }
            }
        }
        let zeros = (0..encoding.d_model()).filter(|&dimension| encoding.column(dimension) == Column::Zero);
        prop_assert_eq!(seen + zeros.count(), encoding.d_model());
    }

    #[test]
    fn the_first_two_layouts_hold_the_same_numbers(
        d_model in 1_usize..300,
        base in 1.0001_f64..1e6,
        position in -1_048_576_i64..=1_048_576,
    ) {
        let sorted = |layout| {
            let mut row = Sinusoidal::new(d_model, base, layout).row(position);
            row.sort_by(f64::total_cmp);
            row
        };
        prop_assert_eq!(sorted(Layout::Interleaved), sorted(Layout::Concatenated));
    }

    #[test]
    fn angles_are_reduced_and_have_the_right_sine(
        encoding in encoding(2..100),
        position in -4_194_304_i64..=4_194_304,
    ) {
        for pair in 0..encoding.pairs() {
            let angle = encoding.angle(pair, position);
            prop_assert!(-PI < angle && angle <= PI || angle == -PI);
            let (sin, cos) = encoding.sin_cos(pair, position);
            // Up to π the angle is rounded by at most 2.2e-16, and the platform's sine by a unit in the last place, 1.1e-16.
            assert_close(angle.sin(), sin, 4e-16);
            assert_close(angle.cos(), cos, 4e-16);
        }
    }

    #[test]
    fn between_positions_the_curve_is_smooth(encoding in encoding(2..40), position in 0.0_f64..1e6) {
        for pair in 0..encoding.pairs() {
            let (sin, _) = encoding.sin_cos_at(pair, position);
            let step = 1e-3;
            let (before, _) = encoding.sin_cos_at(pair, position - step);
            let (after, _) = encoding.sin_cos_at(pair, position + step);
            // sin(x − h) + sin(x + h) = 2·cos(h)·sin(x)
            let expected = 2.0 * (encoding.frequency(pair) * step).cos() * sin;
            assert_close(before + after, expected, 1e-9);
        }
    }
}
