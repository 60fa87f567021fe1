//! Values known from other sources: worked examples of papers and lectures.

use std::f64::consts::TAU;

use crate::assert_close::assert_close;
use posenc::{Column, Layout, Member, Rotation, Sinusoidal};

fn paper(d_model: usize) -> Sinusoidal {
    Sinusoidal::new(d_model, 10_000.0, Layout::Interleaved)
}

fn assert_row(actual: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(actual.len(), expected.len());
    for (&actual, &expected) in actual.iter().zip(expected) {
        assert_close(actual, expected, tolerance);
    }
}

#[test]
fn four_dimensions() {
    let encoding = paper(4);
    assert_eq!(encoding.row(0), [0.0, 1.0, 0.0, 1.0]);
    let one = [
        0.841_470_984_8,
        0.540_302_305_9,
        0.009_999_833_3,
        0.999_950_000_4,
    ];
    assert_row(&encoding.row(1), &one, 5e-11);
    let two = [
        0.909_297_426_8,
        -0.416_146_836_5,
        0.019_998_666_7,
        0.999_800_006_7,
    ];
    assert_row(&encoding.row(2), &two, 5e-11);
}

#[test]
fn wavelengths_of_512_dimensions() {
    let encoding = paper(512);
    for (pair, wavelength) in [
        (0, TAU),
        (64, 10.0 * TAU),
        (128, 100.0 * TAU),
        (192, 1000.0 * TAU),
    ] {
        assert_close(encoding.wavelength(pair), wavelength, wavelength * 1e-15);
    }
    assert_close(encoding.wavelength(255), 60_611.477, 5e-4);
    let ratio = encoding.wavelength(8) / encoding.wavelength(7);
    assert_close(ratio, 1.036_632_9, 5e-8);
    let row = encoding.row(1);
    assert_close(row[2], 0.821_856, 5e-7);
    assert_close(row[3], 0.569_695, 5e-7);
}

#[test]
fn pairs_that_complete_a_cycle() {
    let encoding = paper(512);
    for (length, pairs) in [(50.0, 58), (512.0, 123), (5000.0, 186)] {
        let complete = (0..encoding.pairs())
            .filter(|&pair| encoding.wavelength(pair) <= length)
            .count();
        assert_eq!(complete, pairs);
    }
}

#[test]
fn near_collisions_of_the_first_pair() {
    let encoding = paper(4);
    for (position, chord, tolerance) in
        [(44, 0.0177, 5e-5), (333, 0.0088, 5e-5), (710, 6.0e-5, 5e-7)]
    {
        let (sin, cos) = encoding.sin_cos(0, position);
        assert_close(sin.hypot(cos - 1.0), chord, tolerance);
    }
}

#[test]
fn tensor2tensor_reaches_the_base() {
    let encoding = Sinusoidal::new(4, 10_000.0, Layout::Tensor2tensor);
    assert_eq!(encoding.frequency(0), 1.0);
    assert_eq!(encoding.frequency(1), 1e-4);
    assert_row(
        &encoding.row(1),
        &[0.841_471_0, 0.0001, 0.540_302_3, 1.0],
        5e-8,
    );
}

#[test]
fn odd_widths_leave_a_sine_alone_or_fill_up_with_zero() {
    use Member::{Cosine, Sine};
    let columns = |layout| {
        let encoding = Sinusoidal::new(5, 10_000.0, layout);
        (0..5)
            .map(|dimension| match encoding.column(dimension) {
                Column::Wave { pair, member } => Some((pair, member)),
                Column::Zero => None,
            })
            .collect::<Vec<_>>()
    };
    let interleaved = [(0, Sine), (0, Cosine), (1, Sine), (1, Cosine), (2, Sine)];
    assert_eq!(columns(Layout::Interleaved), interleaved.map(Some));
    let concatenated = [(0, Sine), (1, Sine), (2, Sine), (0, Cosine), (1, Cosine)];
    assert_eq!(columns(Layout::Concatenated), concatenated.map(Some));
    let tensor2tensor = [
        Some((0, Sine)),
        Some((1, Sine)),
        Some((0, Cosine)),
        Some((1, Cosine)),
        None,
    ];
    assert_eq!(columns(Layout::Tensor2tensor), tensor2tensor);
    assert_eq!(
        Sinusoidal::new(1, 10_000.0, Layout::Tensor2tensor).row(7),
        [0.0]
    );
}

#[test]
fn rotation_by_three() {
    let encoding = paper(4);
    let rotation = Rotation::new(&encoding, 3);
    let first = rotation.block(0).unwrap().concat();
    assert_row(&first, &[-0.98999, 0.14112, -0.14112, -0.98999], 5e-6);
    let second = rotation.block(1).unwrap().concat();
    assert_row(
        &second,
        &[0.99955, 0.029_995_5, -0.029_995_5, 0.99955],
        5e-7,
    );
}

#[test]
fn the_residual_of_5000_positions_stays_at_rounding_errors() {
    let encoding = paper(512);
    let residual = Rotation::new(&encoding, 3).residual(0..5000);
    assert!(residual > 0.0 && residual < 1e-15, "{residual:e}");
}
