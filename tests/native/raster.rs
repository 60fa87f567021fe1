//! The heatmap's pixels against means computed cell by cell.

use std::ops::Range;

use crate::assert_close::assert_close;
use posenc::{HeatmapSampler, Layout, MAX_D_MODEL, MAX_LEN, Sinusoidal, snaps_to_pairs};
use proptest::prelude::*;

/// The weights of the cells for each pixel along an axis.
fn weights(window: Range<f64>, pixels: usize, rule: Rule) -> Vec<Vec<(usize, f64)>> {
    let per_pixel = (window.end - window.start) / pixels as f64;
    let edge = |pixel: usize| window.start + pixel as f64 * per_pixel;
    (0..pixels)
        .map(|pixel| {
            if per_pixel <= 1.0 {
                return vec![((edge(pixel) + per_pixel / 2.0) as usize, 1.0)];
            }
            let (from, to) = (edge(pixel), edge(pixel + 1));
            let (from, to) = match rule {
                Rule::Partial => (from, to),
                Rule::Whole => (from.round(), to.round()),
                Rule::Pairs => ((from / 2.0).round() * 2.0, (to / 2.0).round() * 2.0),
            };
            (from as usize..to.ceil() as usize)
                .map(|cell| {
                    let (left, right) = (cell as f64, cell as f64 + 1.0);
                    (cell, right.min(to) - left.max(from))
                })
                .collect()
        })
        .collect()
}

#[derive(Clone, Copy)]
enum Rule {
    Partial,
    Whole,
    Pairs,
}

/// Means of the encoding's single values, which other tests compare with mpmath.
fn brute_force(
    encoding: &Sinusoidal,
    positions: Range<f64>,
    dimensions: Range<f64>,
    width: usize,
    height: usize,
) -> Vec<f64> {
    let per_row = (positions.end - positions.start) / height as f64;
    let rule = if per_row > 8.0 {
        Rule::Whole
    } else {
        Rule::Partial
    };
    let rows = weights(positions, height, rule);
    let rule = if snaps_to_pairs(encoding, dimensions.clone(), width) {
        Rule::Pairs
    } else {
        Rule::Partial
    };
    let columns = weights(dimensions, width, rule);
    let first = rows[0][0].0;
    let end = rows.iter().flatten().map(|&(row, _)| row).max().unwrap() + 1;
    let table: Vec<Vec<f64>> = (first..end).map(|row| encoding.row(row as i64)).collect();
    let mut pixels = Vec::new();
    for row in &rows {
        for column in &columns {
            let (mut sum, mut total) = (0.0, 0.0);
            for &(position, by) in row {
                for &(dimension, across) in column {
                    if dimension < encoding.d_model() {
                        sum += by * across * table[position - first][dimension];
                        total += by * across;
                    }
                }
            }
            pixels.push(sum / total);
        }
    }
    pixels
}

fn layout() -> impl Strategy<Value = Layout> {
    prop::sample::select(vec![
        Layout::Interleaved,
        Layout::Concatenated,
        Layout::Tensor2tensor,
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn pixels_are_means_of_their_cells(
        d_model in 1_usize..70,
        layout in layout(),
        base in prop::sample::select(vec![1.0000001, 1.5, 10_000.0, 1e9]),
        start in prop::sample::select(vec![0.0, 0.25, 3.7, 1000.0, 123_456.6]),
        rows in 0.3_f64..400.0,
        from in 0.0_f64..0.9,
        part in 0.05_f64..1.0,
        width in 1_usize..50,
        height in 1_usize..40,
    ) {
        let encoding = Sinusoidal::new(d_model, base, layout);
        let from = from * d_model as f64;
        let dimensions = from..from + part * (d_model as f64 - from);
        let positions = start..start + rows;
        let mut sampler = HeatmapSampler::new();
        let actual = sampler.render(&encoding, positions.clone(), dimensions.clone(), width, height);
        let expected = brute_force(&encoding, positions, dimensions, width, height);
        prop_assert_eq!(actual.len(), expected.len());
        for (&actual, &expected) in actual.iter().zip(&expected) {
            assert_close(f64::from(actual), expected, 1e-6);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn vectors_are_means_of_the_sines_and_cosines_of_their_pairs(
        d_model in 1_usize..70,
        layout in layout(),
        base in prop::sample::select(vec![1.5, 10_000.0, 1e9]),
        start in prop::sample::select(vec![0.0, 3.7, 123_456.6]),
        rows in 0.3_f64..400.0,
        from in 0.0_f64..0.9,
        part in 0.05_f64..1.0,
        width in 1_usize..50,
        height in 1_usize..40,
    ) {
        let encoding = Sinusoidal::new(d_model, base, layout);
        let end = d_model as f64 / 2.0;
        let from = from * end;
        let (pairs, positions) = (from..from + part * (end - from), start..start + rows);
        let mut sampler = HeatmapSampler::new();
        let (sines, cosines) =
            sampler.render_vectors(&encoding, positions.clone(), pairs.clone(), width, height);
        prop_assert_eq!((sines.len(), cosines.len()), (width * height, width * height));
        let rule = if rows / height as f64 > 8.0 { Rule::Whole } else { Rule::Partial };
        let (down, across) = (weights(positions, height, rule), weights(pairs, width, Rule::Partial));
        for (y, row) in down.iter().enumerate() {
            for (x, column) in across.iter().enumerate() {
                let (mut sum, mut total) = ([0.0; 2], 0.0);
                for &(position, by) in row {
                    for &(pair, across) in column {
                        total += by * across;
                        if pair < encoding.pairs() {
                            let (sine, cosine) = encoding.sin_cos(pair, position as i64);
                            sum[0] += by * across * sine;
                            sum[1] += by * across * cosine;
                        }
                    }
                }
                for (image, sum) in [sines, cosines].into_iter().zip(sum) {
                    assert_close(f64::from(image[y * width + x]), sum / total, 1e-6);
                }
            }
        }
    }
}

#[test]
fn a_million_positions_far_out_average_exactly() {
    let encoding = Sinusoidal::new(6, 10_000.0, Layout::Interleaved);
    let (positions, dimensions) = (0.0..MAX_LEN as f64, 0.0..6.0);
    let mut sampler = HeatmapSampler::new();
    let actual = sampler.render(&encoding, positions.clone(), dimensions.clone(), 6, 3);
    let expected = brute_force(&encoding, positions, dimensions, 6, 3);
    for (&actual, &expected) in actual.iter().zip(&expected) {
        assert_close(f64::from(actual), expected, 1e-9);
    }
}

#[test]
fn a_crisp_picture_shows_the_table() {
    let encoding = Sinusoidal::new(5, 10_000.0, Layout::Tensor2tensor);
    let mut sampler = HeatmapSampler::new();
    let pixels = sampler.render(&encoding, 0.0..7.0, 0.0..5.0, 10, 21);
    for y in 0..21 {
        for x in 0..10 {
            let expected = encoding.value(y as i64 / 3, x / 2);
            assert_close(f64::from(pixels[y * 10 + x]), expected, 1e-7);
        }
    }
}

#[test]
fn every_size_gives_finite_pixels_within_one() {
    let mut sampler = HeatmapSampler::new();
    for d_model in [1, 2, 3, 255, MAX_D_MODEL - 1, MAX_D_MODEL] {
        for base in [1.0 + f64::EPSILON, 1.000_000_1, 10_000.0, 1e9, 1e300] {
            for layout in [
                Layout::Interleaved,
                Layout::Concatenated,
                Layout::Tensor2tensor,
            ] {
                let encoding = Sinusoidal::new(d_model, base, layout);
                for positions in [
                    0.0..1.0,
                    0.0..MAX_LEN as f64,
                    9.5..9.5,
                    f64::NAN..f64::NAN,
                    -5.0..f64::INFINITY,
                ] {
                    for (width, height) in [(0, 0), (0, 3), (3, 0), (1, 1), (7, 2)] {
                        let pixels = sampler.render(
                            &encoding,
                            positions.clone(),
                            0.0..d_model as f64,
                            width,
                            height,
                        );
                        assert_eq!(pixels.len(), width * height);
                        assert!(pixels.iter().all(|pixel| pixel.abs() <= 1.0 + 1e-6));
                    }
                }
            }
        }
    }
}
