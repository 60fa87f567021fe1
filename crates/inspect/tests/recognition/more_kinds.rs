//! More kinds of tables: time steps, slips in code, 16-bit arithmetic, and those that are not recognised.

use crate::kinds::{
    Case, NO, cache, changed, cosines_first, count, geometric, halves, interleaved, paper, rows,
};
use posenc_inspect::Precision;
use std::f64::consts::TAU;

pub fn cases() -> Vec<Case> {
    let all = [time_steps(), slips(), sixteen_bits(), unknown()];
    all.into_iter().flatten().collect()
}

fn case(
    name: &'static str,
    rows: usize,
    numbers: Vec<f64>,
    codes: &'static [&'static str],
    rules: [&'static str; 2],
) -> Case {
    Case {
        name,
        rows,
        numbers,
        kind: "sinusoidal",
        codes,
        rules,
    }
}

/// The frequencies of tensor2tensor, the last of which is 1/10000.
fn tensor2tensor(pairs: usize) -> Vec<f64> {
    let exponent = |pair| pair as f64 / (pairs - 1) as f64;
    (0..pairs)
        .map(|pair| 1e4_f64.powf(-exponent(pair)))
        .collect()
}

fn transposed(rows: usize, numbers: &[f64]) -> Vec<f64> {
    let columns = numbers.len() / rows;
    let at = |at: usize| numbers[at % rows * columns + at / rows];
    (0..numbers.len()).map(at).collect()
}

fn time_steps() -> Vec<Case> {
    let rules = ["geometric", "arithmetic"];
    let of =
        |name, positions: &[f64], frequencies: &[f64], row: &dyn Fn(&[f64]) -> Vec<f64>, codes| {
            case(
                name,
                positions.len(),
                rows(positions, frequencies, row),
                codes,
                rules,
            )
        };
    let scaled =
        |rows: usize, by: f64| -> Vec<f64> { count(rows).iter().map(|it| it * by).collect() };
    let falling: Vec<f64> = count(50).iter().map(|it| 981.0 - 20.0 * it).collect();
    let halves_of = |angles: &[f64]| halves(angles);
    vec![
        of(
            "SDXL",
            &count(500),
            &tensor2tensor(160),
            &cosines_first,
            &["swapped"],
        ),
        of(
            "falling steps of DDIM",
            &falling,
            &geometric(1e4, 160),
            &cosines_first,
            &["falling", "position-step", "swapped"],
        ),
        of(
            "flow matching",
            &scaled(100, 1.0 / 99.0),
            &geometric(1e4, 128),
            &cosines_first,
            &["position-step", "swapped"],
        ),
        of(
            "F5-TTS",
            &scaled(32, 31.25),
            &tensor2tensor(128),
            &halves_of,
            &["position-step"],
        ),
        of(
            "whole turns",
            &scaled(60, TAU),
            &geometric(1e4, 16),
            &interleaved,
            &["position-step"],
        ),
        of(
            "doubled positions",
            &scaled(512, 2.0),
            &geometric(1e4, 64),
            &interleaved,
            &["position-step"],
        ),
    ]
}

fn slips() -> Vec<Case> {
    let rules = ["geometric", "arithmetic"];
    let wide = |n: usize| paper(&count(n), 32);
    let by_column = |of: &dyn Fn(&[f64]) -> (f64, f64)| {
        let columns = transposed(200, &wide(200));
        let scales: Vec<(f64, f64)> = columns.chunks(200).map(of).collect();
        changed(wide(200), |at, it| {
            let (from, size) = scales[at % 32];
            *it = (*it - from) / size.max(1e-9);
        })
    };
    let standard = |column: &[f64]| {
        let mean = column.iter().sum::<f64>() / column.len() as f64;
        let squares: f64 = column.iter().map(|it| (it - mean).powi(2)).sum();
        (mean, (squares / column.len() as f64).sqrt())
    };
    let extreme = |column: &[f64]| {
        let low = column.iter().copied().fold(f64::INFINITY, f64::min);
        let high = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (low, high - low)
    };
    let ones = vec![1.0; 16];
    let outside = rows(&count(60), &ones, &interleaved);
    let powers = geometric(1e4, 16);
    let class = [vec![0.0; 64], paper(&count(100), 64)].concat();
    let cosines = |angles: &[f64]| -> Vec<f64> { angles.iter().map(|it| it.cos()).collect() };
    let real = |angles: &[f64]| -> Vec<f64> {
        angles.iter().flat_map(|it| [it.cos(), it.sin()]).collect()
    };
    let mlx = rows(&count(100), &tensor2tensor(32), &halves);
    vec![
        case(
            "the division outside the sine",
            60,
            changed(outside.clone(), |at, it| *it *= powers[at % 32 / 2]),
            &["no-division", "scaled"],
            rules,
        ),
        case(
            "a division of whole numbers",
            60,
            outside,
            &["no-division"],
            [NO, "arithmetic"],
        ),
        case(
            "without a logarithm",
            200,
            rows(&count(200), &geometric(1.0_f64.exp(), 32), &interleaved),
            &["base"],
            rules,
        ),
        case("z-scores", 200, by_column(&standard), &["scaled"], rules),
        case(
            "from the least to the most",
            200,
            by_column(&extreme),
            &["scaled"],
            rules,
        ),
        case(
            "MLX",
            100,
            changed(mlx, |_, it| *it *= (2.0_f64 / 64.0).sqrt()),
            &["scaled"],
            rules,
        ),
        case(
            "a factor that is trained",
            200,
            changed(paper(&count(200), 64), |_, it| *it *= 1.37),
            &["scaled"],
            rules,
        ),
        case(
            "channels first",
            64,
            transposed(100, &paper(&count(100), 64)),
            &["transposed"],
            rules,
        ),
        case(
            "positions and dimensions exchanged",
            64,
            transposed(64, &paper(&count(64), 64)),
            &["transposed"],
            rules,
        ),
        case(
            "reshaped",
            64,
            transposed(64, &paper(&count(64), 32)),
            &["reshaped"],
            rules,
        ),
        case(
            "one row",
            1,
            paper(&[5.0], 64),
            &["start-offset", "too-small"],
            rules,
        ),
        case(
            "one column",
            50,
            count(50).iter().map(|it| it.sin()).collect(),
            &["correct", "too-small"],
            [NO, "arithmetic"],
        ),
        case(
            "a class token",
            101,
            class,
            &["start-offset", "zero-row"],
            rules,
        ),
        case(
            "GPT-J's",
            200,
            rows(&count(200), &geometric(1e4, 32), &halves),
            &["correct"],
            rules,
        ),
        case(
            "Llama's freqs_cis",
            200,
            rows(&count(200), &geometric(1e4, 32), &real),
            &["swapped"],
            rules,
        ),
        Case {
            kind: "rope-cos",
            ..case(
                "llama2.c's",
                256,
                rows(&count(256), &geometric(1e4, 24), &cosines),
                &[],
                rules,
            )
        },
    ]
}

fn sixteen_bits() -> Vec<Case> {
    let rules = ["geometric", "arithmetic"];
    let of = |name, precision: Precision, base: f64, angles: bool| {
        let round = move |it: &f64| precision.round(*it);
        let frequencies = geometric(base, 64);
        let rounded: Vec<f64> = frequencies.iter().map(round).collect();
        let row = |angles: &[f64]| cache(&angles.iter().map(round).collect::<Vec<_>>());
        let numbers = match angles {
            true => rows(&count(2048), &frequencies, &row),
            false => rows(&count(2048), &rounded, &cache),
        };
        Case {
            kind: "rope-cos",
            ..case(name, 2048, numbers, &["half-precision-angle"], rules)
        }
    };
    vec![
        of("inv_freq in bf16", Precision::Bf16, 1e4, false),
        of("inv_freq in bf16, base 500000", Precision::Bf16, 5e5, false),
        of("inv_freq in f16", Precision::F16, 1e4, false),
        of("angles in bf16", Precision::Bf16, 1e4, true),
    ]
}

/// Tables that are not recognised, for the reasons in docs/inspect.md.
fn unknown() -> Vec<Case> {
    let of = |name, rows: usize, numbers: Vec<f64>| Case {
        kind: "unknown",
        ..case(name, rows, numbers, &["unknown"], [NO, NO])
    };
    let sine_of_rows = |angles: &[f64]| {
        let is_even = (angles[0] as usize).is_multiple_of(2);
        let wave = |it: &f64| if is_even { it.sin() } else { it.cos() };
        angles.iter().map(wave).collect::<Vec<f64>>()
    };
    let cosine_of_sine = |angles: &[f64]| -> Vec<f64> {
        angles
            .iter()
            .flat_map(|it| [it.sin(), it.sin().cos()])
            .collect()
    };
    let between: Vec<f64> = (0..128)
        .flat_map(|row| {
            let at = f64::from(row) * 63.0 / 127.0;
            let [low, high] = [at.floor(), at.ceil()].map(|it| paper(&[it], 64));
            low.into_iter()
                .zip(high)
                .map(|(a, b)| a + at.fract() * (b - a))
                .collect::<Vec<_>>()
        })
        .collect();
    let growing = |position: f64| {
        let power = |pair: usize| ((2.0 * pair as f64 + 25.6) / 89.6).powf(position / 512.0);
        changed(rows(&[position], &geometric(1e4, 32), &cache), |at, it| {
            *it *= power(at % 32)
        })
    };
    // A text of ten tokens, and an image of 8 × 8: time, height and width in blocks of pairs.
    let frequencies = geometric(1e6, 64);
    let sections = |row: usize| {
        let image = row.saturating_sub(10);
        let [t, h, w] = match row {
            0..10 => [row; 3],
            _ => [10, 10 + image / 8, 10 + image % 8],
        };
        let angles = frequencies.iter().enumerate().map(|(pair, it)| {
            let position = if pair < 16 {
                t
            } else if pair < 40 {
                h
            } else {
                w
            };
            position as f64 * it
        });
        cache(&angles.collect::<Vec<_>>())
    };
    let image = |at: usize| {
        let (channel, y, x) = (at / 256, at % 256 / 16 + 1, at % 16 + 1);
        let frequency = 1e4_f64.powf(-((channel / 4) as f64) / 64.0);
        let angle = frequency * [x, y][channel % 4 / 2] as f64;
        if channel.is_multiple_of(2) {
            angle.sin()
        } else {
            angle.cos()
        }
    };
    let far_apart: Vec<f64> = (0..4).map(|i| 8.0 * 1e8_f64.powi(-i)).collect();
    vec![
        of(
            "sines and cosines by row",
            64,
            rows(&count(64), &geometric(1e4, 64), &sine_of_rows),
        ),
        of(
            "the cosine of a sine",
            100,
            rows(&count(100), &geometric(1e4, 32), &cosine_of_sine),
        ),
        of("interpolated rows", 128, between),
        of(
            "xPos",
            256,
            count(256).into_iter().flat_map(growing).collect(),
        ),
        of("M-RoPE", 74, (0..74).flat_map(sections).collect()),
        of(
            "channels first over a grid",
            256,
            (0..256 * 256).map(image).collect(),
        ),
        of(
            "10000^(2i)/d",
            60,
            rows(&count(60), &far_apart, &interleaved),
        ),
    ]
}
