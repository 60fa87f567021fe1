//! Tables of the kinds that people's code makes, each with what must be said of it.

use crate::hostile::Random;
use crate::more_kinds;
use posenc_inspect::{Code, Inspector, Precision, Report, Storage, Table};
use std::f64::consts::{PI, TAU};

/// Numbers, row by row, stored in single precision.
pub struct Case {
    pub name: &'static str,
    pub rows: usize,
    pub numbers: Vec<f64>,
    pub kind: &'static str,
    /// All of these are reported; only a table with `correct` is.
    pub codes: &'static [&'static str],
    /// Those of the frequencies and of the positions.
    pub rules: [&'static str; 2],
}

pub const NO: &str = "";

pub fn geometric(base: f64, pairs: usize) -> Vec<f64> {
    (0..pairs)
        .map(|i| base.powf(-(i as f64) / pairs as f64))
        .collect()
}

pub fn count(rows: usize) -> Vec<f64> {
    (0..rows).map(|row| row as f64).collect()
}

/// A table of a row for each position, whose cells are functions of the angle in each pair.
pub fn rows(positions: &[f64], frequencies: &[f64], row: &dyn Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
    let angles =
        |position: &f64| -> Vec<f64> { frequencies.iter().map(|it| position * it).collect() };
    positions
        .iter()
        .flat_map(|position| row(&angles(position)))
        .collect()
}

pub fn interleaved(angles: &[f64]) -> Vec<f64> {
    angles.iter().flat_map(|it| [it.sin(), it.cos()]).collect()
}

pub fn halves(angles: &[f64]) -> Vec<f64> {
    let sines = angles.iter().map(|it| it.sin());
    sines.chain(angles.iter().map(|it| it.cos())).collect()
}

pub fn cosines_first(angles: &[f64]) -> Vec<f64> {
    let cosines = angles.iter().map(|it| it.cos());
    cosines.chain(angles.iter().map(|it| it.sin())).collect()
}

/// A cache of cosines, twice side by side.
pub fn cache(angles: &[f64]) -> Vec<f64> {
    let once: Vec<f64> = angles.iter().map(|it| it.cos()).collect();
    [&once[..], &once].concat()
}

pub fn paper(positions: &[f64], width: usize) -> Vec<f64> {
    rows(positions, &geometric(1e4, width / 2), &interleaved)
}

/// Two axes, each in half of the columns.
fn grid(height: usize, width: usize, columns: usize) -> Vec<f64> {
    let frequencies = geometric(1e4, columns / 4);
    let half = |position: f64| rows(&[position], &frequencies, &halves);
    let cells = (0..height).flat_map(|y| (0..width).map(move |x| (y as f64, x as f64)));
    cells
        .flat_map(|(y, x)| [half(x), half(y)].concat())
        .collect()
}

pub fn llama3(base: f64, pairs: usize, factor: f64) -> Vec<f64> {
    let scale = |it: f64| {
        let share = ((8192.0 * it / TAU - 1.0) / 3.0).clamp(0.0, 1.0);
        it * (share + (1.0 - share) / factor)
    };
    geometric(base, pairs).into_iter().map(scale).collect()
}

pub fn changed(mut numbers: Vec<f64>, change: impl Fn(usize, &mut f64)) -> Vec<f64> {
    numbers
        .iter_mut()
        .enumerate()
        .for_each(|(at, it)| change(at, it));
    numbers
}

pub fn noise(seed: u64, count: usize) -> Vec<f64> {
    let mut random = Random(seed);
    let mut share = || random.below(1 << 20) as f64 / f64::from(1 << 20) - 0.5;
    // The sum of twelve uniform numbers is nearly normal.
    (0..count).map(|_| (0..12).map(|_| share()).sum()).collect()
}

fn caches() -> Vec<Case> {
    let case = |name, rows, numbers, codes, rules| Case {
        name,
        rows,
        numbers,
        kind: "rope-cos",
        codes,
        rules,
    };
    let plain = |name, frequencies: &[f64], n: usize, codes, rules| {
        case(name, n, rows(&count(n), frequencies, &cache), codes, rules)
    };
    let yarn = |i: usize, it: f64| {
        let ramp = ((i as f64 - 20.0) / 26.0).clamp(0.0, 1.0);
        it * (1.0 - ramp + ramp / 16.0)
    };
    let yarn: Vec<f64> = geometric(1e4, 64)
        .into_iter()
        .enumerate()
        .map(|(i, it)| yarn(i, it))
        .collect();
    let long = |(i, it): (usize, f64)| it / (1.0 + 0.9 * i.saturating_sub(7) as f64);
    let long: Vec<f64> = geometric(1e4, 48)
        .into_iter()
        .enumerate()
        .map(long)
        .collect();
    let part: Vec<f64> = geometric(1e6, 128)
        .into_iter()
        .enumerate()
        .map(|(i, it)| if i < 32 { it } else { 0.0 })
        .collect();
    let quarter: Vec<f64> = geometric(1e4, 32).iter().map(|it| it / 4.0).collect();
    let padded: Vec<f64> = [1.0; 5].into_iter().chain(count(59)).collect();
    let axial = |angles: &[f64]| -> Vec<f64> { angles.iter().map(|it| it.cos()).collect() };
    let frequencies = geometric(100.0, 16);
    let cells = (0..196).map(|row| (f64::from(row / 14), f64::from(row % 14)));
    let axial = cells.flat_map(|(y, x)| {
        [
            rows(&[y], &frequencies, &axial),
            rows(&[x], &frequencies, &axial),
        ]
        .concat()
    });
    let both = |angles: &[f64]| {
        [
            cache(angles),
            cache(&angles.iter().map(|it| it - 0.5 * PI).collect::<Vec<_>>()),
        ]
        .concat()
    };
    let folded = |angles: &[f64]| {
        let sines: Vec<f64> = angles.iter().map(|it| it.sin()).collect();
        let negated = sines.iter().map(|it| -it);
        negated.chain(sines.clone()).collect()
    };
    vec![
        plain(
            "Llama 3.1",
            &llama3(5e5, 64, 8.0),
            4096,
            &["scaled-frequencies"],
            ["llama3", "arithmetic"],
        ),
        plain(
            "Llama 3.2",
            &llama3(5e5, 32, 32.0),
            2048,
            &["scaled-frequencies"],
            ["llama3", "arithmetic"],
        ),
        plain(
            "Llama 3 unscaled",
            &geometric(5e5, 64),
            1024,
            &[],
            ["geometric", "arithmetic"],
        ),
        case(
            "YaRN with its amplitude",
            2048,
            changed(rows(&count(2048), &yarn, &cache), |_, it| *it *= 1.277),
            &["scaled-frequencies", "scaled"],
            ["yarn", "arithmetic"],
        ),
        plain(
            "LongRoPE",
            &long,
            2048,
            &["scaled-frequencies"],
            ["longrope", "arithmetic"],
        ),
        plain(
            "proportional",
            &part,
            512,
            &["partial"],
            ["proportional", "arithmetic"],
        ),
        plain(
            "a head's width in the exponent",
            &geometric(1e7, 128)[..32],
            1024,
            &["partial"],
            ["geometric", "arithmetic"],
        ),
        plain(
            "position interpolation",
            &quarter,
            1024,
            &["position-step"],
            ["linear-scaled", "arithmetic"],
        ),
        plain(
            "dynamic NTK",
            &geometric(30_527.0, 64),
            2048,
            &[],
            ["geometric", "arithmetic"],
        ),
        case(
            "left padding",
            64,
            rows(&padded, &geometric(1e4, 32), &cache),
            &["restarts"],
            ["geometric", "restarts"],
        ),
        case(
            "axial RoPE",
            196,
            axial.collect(),
            &["axes"],
            ["geometric", NO],
        ),
        Case {
            kind: "rope-cos-sin",
            ..case(
                "cosines and sines",
                256,
                rows(&count(256), &geometric(1e4, 32), &both),
                &[],
                ["geometric", "arithmetic"],
            )
        },
        Case {
            kind: "rope-cos-sin",
            ..case(
                "cosines and sines of Llama 3",
                256,
                rows(&count(256), &geometric(5e5, 32), &both),
                &[],
                ["geometric", "arithmetic"],
            )
        },
        Case {
            kind: "rope-cos-sin",
            ..case(
                "vLLM's cache of Llama 3",
                512,
                rows(&count(512), &geometric(5e5, 64), &cosines_first),
                &[],
                ["geometric", "arithmetic"],
            )
        },
        Case {
            kind: "rope-cos-sin",
            ..case(
                "vLLM's cache of Llama 3.1",
                4096,
                rows(&count(4096), &llama3(5e5, 32, 8.0), &cosines_first),
                &["scaled-frequencies"],
                ["llama3", "arithmetic"],
            )
        },
        Case {
            kind: "rope-sin",
            ..case(
                "the sign of rotate_half",
                300,
                rows(&count(300), &geometric(1e4, 32), &folded),
                &["sign"],
                ["geometric", "arithmetic"],
            )
        },
    ]
}

fn sequences() -> Vec<Case> {
    let case = |name, positions: &[f64], codes, rule| Case {
        name,
        rows: positions.len(),
        numbers: paper(positions, 64),
        kind: "sinusoidal",
        codes,
        rules: ["geometric", rule],
    };
    let falling = |from: i32, to: i32| -> Vec<f64> { (to..=from).rev().map(f64::from).collect() };
    let of = |rows: u32, of: &dyn Fn(u32) -> u32| -> Vec<f64> {
        (0..rows).map(|row| f64::from(of(row))).collect()
    };
    let packed = [count(40), count(60), count(28)].concat();
    let gaps: Vec<f64> = count(100)
        .into_iter()
        .filter(|it| ![30.0, 61.0].contains(it))
        .collect();
    let squares: Vec<f64> = count(60).iter().map(|it| it * it / 10.0).collect();
    let shuffled = of(101, &|row| row * 37 % 101);
    vec![
        case(
            "Transformer-XL",
            &falling(99, 0),
            &["falling"],
            "arithmetic",
        ),
        case("ESPnet", &falling(49, -49), &["falling"], "arithmetic"),
        case(
            "the end of a reversed table",
            &falling(4999, 4900),
            &["falling"],
            "arithmetic",
        ),
        case(
            "steps of DDIM",
            &of(50, &|row| 1 + 20 * row),
            &["position-step"],
            "arithmetic",
        ),
        case("packed sequences", &packed, &["restarts"], "restarts"),
        case(
            "a remainder",
            &of(128, &|row| row % 32),
            &["restarts"],
            "restarts",
        ),
        case(
            "every position twice",
            &of(100, &|row| row / 2),
            &["repeated"],
            "repeated",
        ),
        case(
            "a limit",
            &of(128, &|row| row.min(63)),
            &["repeated"],
            "clamped",
        ),
        case("rows missing", &gaps, &["position-step"], "listed"),
        case("rows shuffled", &shuffled, &["position-step"], "listed"),
        case("time stamps", &squares, &["position-step"], "listed"),
        case(
            "far from 0",
            &of(200, &|row| 7000 + row),
            &["start-offset"],
            "arithmetic",
        ),
    ]
}

fn damage() -> Vec<Case> {
    let case = |name, numbers, codes| Case {
        name,
        rows: 200,
        numbers,
        kind: "sinusoidal",
        codes,
        rules: ["geometric", "arithmetic"],
    };
    let right = || paper(&count(200), 64);
    let random = noise(1, 64 * 200);
    let overwritten = |is: &dyn Fn(usize, usize) -> bool, by: &dyn Fn(usize) -> f64| {
        changed(right(), |at, it| {
            if is(at / 64, at % 64) {
                *it = by(at)
            }
        })
    };
    let tokens = [
        noise(2, 128).iter().map(|it| 0.02 * it).collect(),
        paper(&count(198), 64),
    ]
    .concat();
    let stretch = |columns: [f64; 2]| {
        changed(right(), move |at, it| {
            *it = *it * (1.0 + (at % 64) as f64 * columns[0]) + columns[1]
        })
    };
    vec![
        case(
            "8 bits",
            changed(right(), |_, it| *it = (*it * 127.0).round() / 127.0),
            &["coarse"],
        ),
        case(
            "4 bits",
            changed(right(), |_, it| *it = (*it * 7.0).round() / 7.0),
            &["coarse"],
        ),
        case(
            "dropout",
            changed(right(), |at, it| {
                *it = if random[at] > 1.28 { 0.0 } else { *it / 0.9 }
            }),
            &["dropout", "scaled"],
        ),
        case(
            "rows overwritten",
            overwritten(&|row, _| (40..43).contains(&row), &|at| random[at]),
            &["wrong-rows"],
        ),
        case(
            "a column overwritten",
            overwritten(&|_, column| column == 6, &|at| random[at]),
            &["wrong-columns"],
        ),
        case(
            "columns of zeros",
            overwritten(&|_, column| column >= 60, &|_| 0.0),
            &["wrong-columns"],
        ),
        case(
            "no cosines",
            overwritten(&|_, column| column % 2 == 1, &|_| 0.0),
            &["wrong-columns"],
        ),
        case("two tokens first", tokens, &["special-rows"]),
        case(
            "trained on",
            changed(right(), |at, it| *it += 0.05 * random[at]),
            &[],
        ),
        case(
            "0 to 1",
            changed(right(), |_, it| *it = 0.5 * (*it + 1.0)),
            &["scaled", "shifted"],
        ),
        case("columns scaled", stretch([0.05, 0.0]), &["scaled"]),
    ]
}

fn others() -> Vec<Case> {
    let case = |name, rows: usize, numbers, kind, codes, rules| Case {
        name,
        rows,
        numbers,
        kind,
        codes,
        rules,
    };
    let mae = |special: usize, height, width, columns| {
        [vec![0.0; special * columns], grid(height, width, columns)].concat()
    };
    let detr = |position: f64| rows(&[position], &geometric(1e4, 32), &interleaved);
    let cells = (0..600).map(|at| {
        (
            f64::from(at / 30 + 1) / 20.0 * TAU,
            f64::from(at % 30 + 1) / 30.0 * TAU,
        )
    });
    let detr = cells
        .flat_map(|(y, x)| [detr(y), detr(x)].concat())
        .collect();
    let nerf: Vec<f64> = (0..8).map(|k| 2_f64.powi(k) * 2.0 / 199.0).collect();
    let linear: Vec<f64> = (0..16).map(|i| f64::from(i) * 31.25).collect();
    let grows: Vec<f64> = (0..16).map(|i| 1e4_f64.powf(f64::from(i) / 16.0)).collect();
    let e = geometric(4_f64.exp(), 32);
    let alibi = (0..64 * 64)
        .map(|at: i32| -0.5 * f64::from((at / 64 - at % 64).abs()))
        .collect();
    let memory = |at: u32| {
        let (j, k) = (f64::from(at / 50 + 1), f64::from(at % 50 + 1));
        (1.0 - j / 20.0) - k / 50.0 * (1.0 - 2.0 * j / 20.0)
    };
    let angles = |angles: &[f64]| angles.to_vec();
    let two = |angles: &[f64]| [interleaved(angles), interleaved(angles)].concat();
    vec![
        case(
            "MAE",
            197,
            mae(1, 14, 14, 128),
            "sinusoidal",
            &["axes", "special-rows"],
            ["geometric", NO],
        ),
        case(
            "DiT",
            256,
            mae(0, 16, 16, 192),
            "sinusoidal",
            &["axes"],
            ["geometric", NO],
        ),
        case(
            "8 × 20",
            160,
            mae(0, 8, 20, 128),
            "sinusoidal",
            &["axes"],
            ["geometric", NO],
        ),
        case(
            "DETR",
            600,
            detr,
            "sinusoidal",
            &["axes"],
            ["geometric", NO],
        ),
        case(
            "NeRF",
            200,
            rows(&count(200), &nerf, &interleaved),
            "sinusoidal",
            &["scaled-frequencies"],
            ["powers-of-two", "arithmetic"],
        ),
        case(
            "multiplied",
            50,
            rows(&count(50), &linear, &interleaved),
            "sinusoidal",
            &["scaled-frequencies"],
            ["linear", "arithmetic"],
        ),
        case(
            "the exponent's sign",
            60,
            rows(&count(60), &grows, &interleaved),
            "sinusoidal",
            &["base"],
            ["geometric", "arithmetic"],
        ),
        case(
            "log10 for log",
            200,
            rows(&count(200), &e, &halves),
            "sinusoidal",
            &["base"],
            ["geometric", "arithmetic"],
        ),
        case(
            "two tables side by side",
            100,
            rows(&count(100), &geometric(1e4, 16), &two),
            "sinusoidal",
            &["repeated"],
            ["geometric", "arithmetic"],
        ),
        case(
            "vLLM's cache",
            512,
            rows(&count(512), &geometric(1e4, 32), &cosines_first),
            "sinusoidal",
            &["swapped"],
            ["geometric", "arithmetic"],
        ),
        case("ALiBi", 64, alibi, "bias", &[], [NO, NO]),
        case(
            "ALiBi's heads",
            8,
            (0..8 * 64)
                .map(|at| 0.5_f64.powi(at / 64 + 1) * f64::from(at % 64))
                .collect(),
            "bias",
            &[],
            [NO, NO],
        ),
        case(
            "angles",
            256,
            rows(&count(256), &geometric(1e4, 32), &angles),
            "angles",
            &[],
            ["geometric", NO],
        ),
        case(
            "inv_freq",
            1,
            geometric(5e5, 64),
            "frequencies",
            &[],
            ["geometric", NO],
        ),
        case(
            "Llama 3's inv_freq",
            1,
            llama3(5e5, 64, 8.0),
            "frequencies",
            &[],
            ["llama3", NO],
        ),
        case(
            "memory networks",
            20,
            (0..1000).map(memory).collect(),
            "not-positions",
            &[],
            [NO, NO],
        ),
        case(
            "random",
            200,
            noise(5, 200 * 64).iter().map(|it| 0.02 * it).collect(),
            "unknown",
            &["unknown"],
            [NO, NO],
        ),
    ]
}

fn cases() -> Vec<Case> {
    let here = [caches(), sequences(), damage(), others()];
    here.into_iter()
        .flatten()
        .chain(more_kinds::cases())
        .collect()
}

fn inspect(case: &Case) -> Report {
    let columns = case.numbers.len() / case.rows;
    let precision = Precision::F32;
    let numbers = case.numbers.iter().map(|it| precision.round(*it)).collect();
    let storage = Storage::Binary(precision);
    Inspector::new(Table::new((case.rows, columns), numbers, storage).unwrap()).run()
}

#[test]
fn every_kind_of_table_is_described() {
    let mut wrong = Vec::new();
    let cases = cases();
    for case in &cases {
        let report = inspect(case);
        let codes: Vec<_> = report.findings.iter().map(|it| it.code.name()).collect();
        let rules = [
            report.frequencies.as_ref().map_or(NO, |it| it.rule.name()),
            report.positions.as_ref().map_or(NO, |it| it.rule.name()),
        ];
        let all = case.codes.iter().all(|it| codes.contains(it));
        let correct = report.is_correct() == case.codes.contains(&"correct");
        if !correct || report.kind.name() != case.kind || !all || rules != case.rules {
            wrong.push(format!(
                "{}: {} {codes:?} {rules:?}",
                case.name,
                report.kind.name()
            ));
        }
        let nearest = report.nearest.map_or(0.0, |it| it.rms);
        assert!(
            report.runner_up.is_none_or(|it| it.rms >= nearest),
            "{}",
            case.name
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Random numbers are unknown, too, and rightly so.
    let unknown = cases
        .iter()
        .filter(|it| it.kind == "unknown" && it.name != "random");
    assert!(
        20 * unknown.count() <= 3 * cases.len(),
        "of {}",
        cases.len()
    );
}

#[test]
fn what_is_measured_has_its_numbers() {
    let cases = cases();
    let of = |name: &str| inspect(cases.iter().find(|it| it.name == name).unwrap());
    let llama = of("Llama 3.1").frequencies.unwrap();
    assert_eq!(
        (llama.base, llama.factor, llama.from_pair),
        (Some(5e5), Some(8.0), Some(29))
    );
    let yarn = of("YaRN with its amplitude");
    assert!((yarn.scale.unwrap() - 1.277).abs() < 1e-4);
    assert_eq!(yarn.frequencies.unwrap().factor, Some(16.0));
    let part = of("proportional").frequencies.unwrap();
    assert_eq!((part.base, part.from_pair), (Some(1e6), Some(32)));
    let steps = of("steps of DDIM").positions.unwrap();
    assert_eq!((steps.start, steps.step), (1.0, Some(20.0)));
    let falling = of("ESPnet").positions.unwrap();
    assert_eq!((falling.start, falling.step), (49.0, Some(-1.0)));
    assert_eq!(of("packed sequences").positions.unwrap().row, Some(40));
    let axes = of("MAE").axes.unwrap();
    assert_eq!(
        (axes.sizes, axes.first, axes.special_rows),
        (vec![14, 14], 1, 1)
    );
    assert_eq!(of("8 × 20").axes.unwrap().sizes, [8, 20]);
    assert_eq!(
        of("vLLM's cache").also,
        ["vllm-cos-sin-cache", "diffusion-timestep"]
    );
    // Compared with its own base, no cell of a cache is wrong.
    for name in ["cosines and sines of Llama 3", "vLLM's cache of Llama 3"] {
        let report = of(name);
        assert_eq!(
            (report.base, report.first_wrong),
            (Some(5e5), None),
            "{name}"
        );
        assert!(
            !report.has(Code::Swapped) && !report.has(Code::Base),
            "{name}"
        );
    }
    assert_eq!(of("vLLM's cache of Llama 3").also, ["vllm-cos-sin-cache"]);
    let rows = of("rows overwritten").findings[0];
    assert_eq!((rows.cell.unwrap().position, rows.count), (40, Some(3)));
}
