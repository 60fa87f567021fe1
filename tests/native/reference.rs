//! Values, frequencies and roundings compared with mpmath; see `reference/make.py`.

use crate::assert_close::assert_close;
use posenc::{Layout, Sinusoidal};

const VALUES: &str = include_str!("../reference/values.tsv");
const FREQUENCIES: &str = include_str!("../reference/frequencies.tsv");
const HARD_F32: &str = include_str!("../reference/hard_f32.tsv");

fn layout(name: &str) -> Layout {
    match name {
        "interleaved" => Layout::Interleaved,
        "concatenated" => Layout::Concatenated,
        "tensor2tensor" => Layout::Tensor2tensor,
        _ => panic!("no layout {name}"),
    }
}

fn rows<const N: usize>(text: &str) -> impl Iterator<Item = [&str; N]> {
    text.lines()
        .map(|line| Vec::from_iter(line.split('\t')).try_into().unwrap())
}

/// Calls `check` with an encoding and a row of the file; the encoding is reused for consecutive rows.
fn with_encoding<const N: usize>(text: &str, mut check: impl FnMut(&Sinusoidal, [&str; N])) {
    let mut known = Sinusoidal::new(1, 2.0, Layout::Interleaved);
    for row in rows::<N>(text) {
        let (layout, d_model, base) = (
            layout(row[0]),
            row[1].parse().unwrap(),
            row[2].parse().unwrap(),
        );
        if (known.layout(), known.d_model(), known.base()) != (layout, d_model, base) {
            known = Sinusoidal::new(d_model, base, layout);
        }
        check(&known, row);
    }
}

fn number<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> T {
    text.parse().unwrap()
}

#[test]
fn single_values_are_correctly_rounded() {
    let mut checked = 0;
    with_encoding(VALUES, |encoding, [_, _, _, position, dimension, value]| {
        let expected: f64 = number(value);
        assert_eq!(
            encoding.value(number(position), number(dimension)),
            expected
        );
        checked += 1;
    });
    assert!(checked > 5000);
}

#[test]
fn rows_and_curves_lose_at_most_the_last_bits() {
    let mut worst = 0.0_f64;
    with_encoding(VALUES, |encoding, [_, _, _, position, dimension, value]| {
        let (position, dimension, expected) = (
            number::<usize>(position),
            number::<usize>(dimension),
            number::<f64>(value),
        );
        // A whole row is computed only for small widths.
        if encoding.d_model() <= 1024 {
            let mut row = vec![0.0_f64; encoding.d_model()];
            encoding.block_f64(position..position + 1, &mut row);
            assert_close(row[dimension], expected, 4e-15);
            worst = worst.max((row[dimension] - expected).abs());
        }
        if let posenc::Column::Wave { pair, member } = encoding.column(dimension) {
            let (sin, cos) = encoding.sin_cos_at(pair, position as f64);
            let actual = if member == posenc::Member::Sine {
                sin
            } else {
                cos
            };
            assert_close(actual, expected, expected.abs() * f64::EPSILON);
        }
    });
    println!("largest error of a row: {worst:e}");
}

#[test]
fn frequencies_are_correctly_rounded() {
    with_encoding(
        FREQUENCIES,
        |encoding, [_, _, _, pair, frequency, wavelength]| {
            let pair = number(pair);
            assert_eq!(encoding.frequency(pair), number(frequency));
            let wavelength: f64 = number(wavelength);
            assert_close(
                encoding.wavelength(pair),
                wavelength,
                wavelength * f64::EPSILON,
            );
        },
    );
}

#[test]
fn cells_nearest_to_a_rounding_boundary_are_rounded_right() {
    let table = Sinusoidal::new(1024, 10_000.0, Layout::Interleaved).table_f32(5000);
    for [pair, position, member, bits] in rows(HARD_F32) {
        let dimension = 2 * number::<usize>(pair) + usize::from(member == "cosine");
        let expected = f32::from_bits(u32::from_str_radix(bits, 16).unwrap());
        assert_eq!(
            table.at(number(position), dimension),
            expected,
            "{pair} {position} {member}"
        );
    }
}
