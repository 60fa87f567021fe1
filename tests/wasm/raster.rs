//! The heatmap's pixels compared with means computed cell by cell.

use std::ops::Range;

use posenc::{HeatmapSampler, Layout, Sinusoidal};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::LAYOUTS;
use crate::assert_close::assert_close;

/// The cells in an interval of an axis, each with the covered length.
fn covered(stretch: Range<f64>) -> impl Iterator<Item = (usize, f64)> {
    let cells = stretch.start as usize..stretch.end.ceil() as usize;
    cells.map(move |cell| {
        let (start, end) = (cell as f64, cell as f64 + 1.0);
        (cell, end.min(stretch.end) - start.max(stretch.start))
    })
}

/// Valid for windows whose pixels are not rounded to whole positions or pairs, or contain whole ones anyway.
fn assert_means(
    encoding: &Sinusoidal,
    positions: Range<f64>,
    dimensions: Range<f64>,
    width: usize,
    height: usize,
) {
    let mut sampler = HeatmapSampler::new();
    let pixels = sampler.render(
        encoding,
        positions.clone(),
        dimensions.clone(),
        width,
        height,
    );
    let rows = Vec::from_iter((0..positions.end.ceil() as i64).map(|pos| encoding.row(pos)));
    let stretch = |window: &Range<f64>, pixel: usize, pixels: usize| {
        let size = (window.end - window.start) / pixels as f64;
        let start = window.start + pixel as f64 * size;
        start..(start + size).min(window.end)
    };
    for y in 0..height {
        for x in 0..width {
            let (mut sum, mut area) = (0.0, 0.0);
            for (position, high) in covered(stretch(&positions, y, height)) {
                for (dimension, wide) in covered(stretch(&dimensions, x, width)) {
                    sum += high * wide * rows[position][dimension];
                    area += high * wide;
                }
            }
            assert_close(f64::from(pixels[y * width + x]), sum / area, 1e-6);
        }
    }
}

#[wasm_bindgen_test]
fn pixels_are_means_of_their_cells() {
    for layout in LAYOUTS {
        let encoding = |d_model| Sinusoidal::new(d_model, 10_000.0, layout);
        // Many positions per pixel, then a few and fractions; more than one tile of pairs.
        assert_means(&encoding(64), 0.0..3000.0, 0.0..64.0, 16, 30);
        assert_means(&encoding(64), 0.25..171.5, 0.0..64.0, 16, 40);
        assert_means(&encoding(2400), 7.0..127.0, 0.0..2400.0, 30, 10);
    }
}

#[wasm_bindgen_test]
fn odd_widths_and_parts_of_columns_count_as_they_should() {
    for layout in LAYOUTS {
        let encoding = Sinusoidal::new(77, 10_000.0, layout);
        // Fewer than two columns per pixel: no layout rounds them.
        assert_means(&encoding, 3.7..250.3, 0.0..77.0, 41, 37);
        assert_means(&encoding, 3.7..250.3, 20.6..59.1, 25, 37);
    }
    let halves = Sinusoidal::new(77, 10_000.0, Layout::Concatenated);
    assert_means(&halves, 0.0..200.0, 0.0..77.0, 5, 40);
    assert_means(&halves, 0.0..200.0, 33.3..50.2, 3, 40);
}

#[wasm_bindgen_test]
fn a_crisp_picture_shows_the_table() {
    for layout in LAYOUTS {
        let encoding = Sinusoidal::new(5, 10_000.0, layout);
        let mut sampler = HeatmapSampler::new();
        let pixels = sampler.render(&encoding, 0.0..7.0, 0.0..5.0, 10, 21);
        for (at, &pixel) in pixels.iter().enumerate() {
            let expected = encoding.value((at / 30) as i64, at % 10 / 2);
            assert_close(f64::from(pixel), expected, 1e-7);
        }
    }
}
