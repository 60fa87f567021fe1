//! The table kernel compared with single values, which `reference.rs` compares with mpmath.

use crate::assert_close::assert_close;
use posenc::{Layout, MAX_LEN, Member, Sinusoidal};
use proptest::prelude::*;

const LAYOUTS: [Layout; 3] = [
    Layout::Interleaved,
    Layout::Concatenated,
    Layout::Tensor2tensor,
];

/// The largest difference between rows of the table and single values.
fn largest_error(encoding: &Sinusoidal, positions: std::ops::Range<usize>) -> f64 {
    let mut block = vec![0.0; positions.len() * encoding.d_model()];
    encoding.block_f64(positions.clone(), &mut block);
    let mut largest = 0.0_f64;
    for (row, position) in block.chunks(encoding.d_model()).zip(positions) {
        for pair in 0..encoding.pairs() {
            let (sin, cos) = encoding.sin_cos(pair, position as i64);
            for (member, exact) in [(Member::Sine, sin), (Member::Cosine, cos)] {
                if let Some(dimension) = encoding.dimension(pair, member) {
                    largest = largest.max((row[dimension] - exact).abs());
                }
            }
        }
    }
    largest
}

#[test]
fn errors_do_not_grow_with_the_position() {
    for layout in LAYOUTS {
        let encoding = Sinusoidal::new(130, 10_000.0, layout);
        for start in [0, 5000, 65_000, MAX_LEN - 1100] {
            let error = largest_error(&encoding, start..start + 1100);
            println!("{layout:?} from {start}: {error:e}");
            assert_close(error, 0.0, 4e-15);
        }
    }
}

#[test]
fn no_f32_is_misrounded_at_5000_by_1024() {
    const ROWS: usize = 5000;
    let encoding = Sinusoidal::new(1024, 10_000.0, Layout::Interleaved);
    let table = encoding.table_f32(ROWS);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let misrounded = |worker: usize| {
        (worker..ROWS)
            .step_by(workers)
            .flat_map(|position| (0..encoding.pairs()).map(move |pair| (position, pair)))
            .filter(|&(position, pair)| {
                let (sin, cos) = encoding.sin_cos(pair, position as i64);
                let actual = [
                    table.at(position, 2 * pair),
                    table.at(position, 2 * pair + 1),
                ];
                actual != [sin as f32, cos as f32]
            })
            .count()
    };
    let total: usize = std::thread::scope(|scope| {
        let workers =
            Vec::from_iter((0..workers).map(|worker| scope.spawn(move || misrounded(worker))));
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap())
            .sum()
    });
    assert_eq!(total, 0);
}

#[test]
fn row_zero_is_exactly_zeros_and_ones() {
    for d_model in [1, 2, 5, 128, 131, 1024] {
        for layout in LAYOUTS {
            let encoding = Sinusoidal::new(d_model, 10_000.0, layout);
            let (single, double) = (encoding.table_f32(40), encoding.table_f64(40));
            for dimension in 0..d_model {
                let cosine = (0..encoding.pairs())
                    .any(|pair| encoding.dimension(pair, Member::Cosine) == Some(dimension));
                let expected = if cosine { 1.0 } else { 0.0 };
                assert_eq!(single.at(0, dimension), expected);
                assert_eq!(double.at(0, dimension), f64::from(expected));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_block_is_a_part_of_the_table(
        d_model in prop_oneof![1_usize..40, 500_usize..530],
        layout in prop::sample::select(LAYOUTS.to_vec()),
        start in 0_usize..1200,
        length in 0_usize..150,
    ) {
        let encoding = Sinusoidal::new(d_model, 10_000.0, layout);
        let table = encoding.table_f64(start + length);
        let part = &table.values[start * d_model..];
        let mut block = vec![f64::NAN; length * d_model];
        encoding.block_f64(start..start + length, &mut block);
        prop_assert_eq!(&block, part);
        let mut single = vec![f32::NAN; length * d_model];
        encoding.block_f32(start..start + length, &mut single);
        prop_assert!(single.iter().zip(part).all(|(&single, &double)| single == double as f32));
        if length > 0 {
            prop_assert_eq!(encoding.row(start as i64), table.row(start));
        }
    }

    #[test]
    fn rows_hold_the_single_values(
        d_model in 1_usize..300,
        layout in prop::sample::select(LAYOUTS.to_vec()),
        base in prop::sample::select(vec![1.0000001, 1.5, 2.0, 10_000.0, 500_000.0, 1e9]),
        position in prop_oneof![-600_i64..6000, -1_048_576_i64..1_048_576],
    ) {
        let encoding = Sinusoidal::new(d_model, base, layout);
        for (dimension, value) in encoding.row(position).into_iter().enumerate() {
            assert_close(value, encoding.value(position, dimension), 4e-15);
        }
    }
}
