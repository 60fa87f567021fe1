//! Seeded tables, wrong and right: no wrong one is called correct, and every right one is, in whichever arithmetic.

use crate::hostile::Random;
use posenc_inspect::{
    Code, Formula, Inspector, Kind, Order, Precision, Report, Rule, Storage, Table,
};

const LAYOUTS: [(Order, Rule); 3] = [
    (Order::Interleaved, Rule::Paper),
    (Order::Halves, Rule::Paper),
    (Order::Halves, Rule::Tensor2tensor),
];

const STORAGES: [Storage; 7] = [
    Storage::Binary(Precision::F64),
    Storage::Binary(Precision::F32),
    Storage::Binary(Precision::F16),
    Storage::Binary(Precision::Bf16),
    text(2),
    text(4),
    text(8),
];

#[test]
fn a_wrong_column_in_16_bits_leaves_the_base_known() {
    let mut random = Random(6);
    for (rows, columns) in [(100, 64), (512, 128)] {
        let formula = Formula::paper(columns);
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let number = |(row, column)| match column {
            5 => random.next() as f64 / u64::MAX as f64,
            _ => formula.value(columns, row, column),
        };
        let values: Vec<f64> = cells.map(number).collect();
        let report = inspect(columns, &values, Storage::Binary(Precision::Bf16));
        assert_eq!(
            (report.base, &report.wrong_columns[..]),
            (Some(10_000.0), &[5][..])
        );
        assert!(!report.has(Code::Base) && !report.has(Code::HalfPrecisionAngle));
    }
}

/// A few numbers have a position for every row with some rule; only exact ones are recognised.
#[test]
fn noise_in_small_tables_is_no_positions() {
    let mut random = Random(3);
    let mut normal = || {
        (0..12)
            .map(|_| random.next() as f64 / u64::MAX as f64)
            .sum::<f64>()
            - 6.0
    };
    for (rows, columns) in [
        (1, 4),
        (1, 6),
        (1, 8),
        (2, 4),
        (2, 8),
        (4, 4),
        (4, 8),
        (6, 4),
        (8, 2),
        (16, 4),
        (100, 4),
        (4, 50),
    ] {
        for _ in 0..10 {
            let values: Vec<f64> = (0..rows * columns).map(|_| 0.02 * normal()).collect();
            let report = inspect(columns, &values, Storage::Binary(Precision::F32));
            assert!(!report.is_recognised(), "{rows} × {columns}: {report:?}");
        }
    }
    for text in [
        "0.12,-0.5,0.33,0.91\n",
        "0.1,0.2,0.3,0.4\n0.5,0.6,0.7,0.8\n0.9,1.0,1.1,1.2\n",
    ] {
        let report = Inspector::new(posenc_inspect::read(text.as_bytes(), None).unwrap()).run();
        assert_eq!(report.kind, Kind::Unknown, "{report:?}");
    }
}

#[test]
fn a_few_rows_at_any_positions_are_recognised() {
    let columns = 16;
    let formula = Formula::paper(columns);
    for precision in [Precision::F32, Precision::F16] {
        for positions in [
            vec![100, 7, 3000, 55],
            vec![812, 40],
            vec![9, 3, 5, 2, 900, 4, 1],
        ] {
            let cells = positions
                .iter()
                .flat_map(|row| (0..columns).map(move |column| (*row, column)));
            let values: Vec<f64> = cells
                .map(|(row, column)| formula.value(columns, row, column))
                .collect();
            let report = inspect(columns, &values, Storage::Binary(precision));
            assert_eq!(report.kind, Kind::Sinusoidal, "{positions:?} {report:?}");
        }
    }
}

/// Numbers of so many significant digits, as C's %e and %g write them.
#[test]
fn text_of_significant_digits_is_as_exact_as_its_digits() {
    let written = |base: f64, digits: usize, scientific: bool| {
        let formula = Formula {
            base,
            ..Formula::paper(16)
        };
        let row = |row: usize| -> String {
            let cells = (0..16).map(|column| {
                let text = format!("{:.*e}", digits - 1, formula.value(16, row, column));
                match scientific {
                    true => text,
                    false => text.parse::<f64>().unwrap().to_string(),
                }
            });
            cells.collect::<Vec<_>>().join(",") + "\n"
        };
        let text: String = (0..10).map(row).collect();
        Inspector::new(posenc_inspect::read(text.as_bytes(), None).unwrap()).run()
    };
    for digits in [3, 4, 5, 6, 9, 15] {
        for scientific in [false, true] {
            let report = written(10_000.0, digits, scientific);
            assert!(report.is_correct(), "{digits} {scientific} {report:?}");
            let report = written(9500.0, digits, scientific);
            assert!(!report.is_correct(), "{digits} {scientific}");
        }
    }
}

const fn text(decimals: u32) -> Storage {
    Storage::Text {
        decimals,
        digits: decimals + 1,
    }
}

/// Rounds a number as a file does.
fn stored(storage: Storage, value: f64) -> f64 {
    match storage {
        Storage::Binary(precision) => precision.round(value),
        Storage::Text { decimals, .. } => {
            let unit = 10.0_f64.powi(decimals as i32);
            (value * unit).round() / unit
        }
    }
}

/// The largest error of a right table with up to 128 rows: rounding, and angles in single precision.
fn largest_error(storage: Storage) -> f64 {
    let rounding = match storage {
        Storage::Binary(precision) => precision.half_unit(),
        Storage::Text { decimals, .. } => 0.5 * 0.1_f64.powi(decimals as i32),
    };
    rounding + 1e-4
}

fn one_of<T: Copy>(random: &mut Random, of: &[T]) -> T {
    of[random.below(of.len())]
}

/// A number from 0 to 1.
fn share(random: &mut Random) -> f64 {
    random.below(1 << 20) as f64 / f64::from(1 << 20)
}

/// A table of sines and cosines at positions · step + start, with a frequency per pair.
struct Sines {
    rows: usize,
    order: Order,
    frequencies: Vec<f64>,
    start: f64,
    step: f64,
}

impl Sines {
    fn values(&self) -> Vec<f64> {
        let pairs = self.frequencies.len();
        let mut values = Vec::new();
        for row in 0..self.rows {
            for column in 0..2 * pairs {
                let (pair, cosine) = match self.order {
                    Order::Interleaved => (column / 2, column % 2 == 1),
                    _ => (column % pairs, column >= pairs),
                };
                let angle = (row as f64 * self.step + self.start) * self.frequencies[pair];
                values.push(if cosine { angle.cos() } else { angle.sin() });
            }
        }
        values
    }
}

fn exponents(pairs: usize, rule: Rule) -> Vec<f64> {
    let last = match rule {
        Rule::Tensor2tensor => (pairs - 1).max(1),
        _ => pairs,
    };
    (0..pairs).map(|pair| pair as f64 / last as f64).collect()
}

/// Returns how far a table is from the nearest documented layout.
fn distance(columns: usize, values: &[f64]) -> f64 {
    let of = |(order, rule): (Order, Rule)| {
        let paper = Formula::paper(columns);
        let formula = Formula {
            order,
            rule,
            ..paper
        };
        let cells = values.iter().enumerate();
        let far =
            cells.map(|(at, it)| (it - formula.value(columns, at / columns, at % columns)).abs());
        far.fold(0.0, f64::max)
    };
    LAYOUTS.map(of).into_iter().fold(f64::INFINITY, f64::min)
}

fn inspect(columns: usize, values: &[f64], storage: Storage) -> Report {
    let shape = (values.len() / columns, columns);
    let values = values.iter().map(|it| stored(storage, *it)).collect();
    Inspector::new(Table::new(shape, values, storage).unwrap()).run()
}

/// Inspects a table unless it is too close to a right one, and returns whether it was; fails if it is called correct.
fn is_not_correct(name: &str, columns: usize, values: &[f64], storage: Storage) -> bool {
    let off = distance(columns, values);
    if off <= 2.0 * largest_error(storage) {
        return false;
    }
    let report = inspect(columns, values, storage);
    let rows = values.len() / columns;
    let codes: Vec<_> = report.findings.iter().map(|it| it.code.name()).collect();
    let name = format!("{name}, {rows} × {columns}, {storage:?}, off by {off:.1e}: {codes:?}");
    assert!(!report.is_correct(), "called correct: {name}");
    assert!(
        codes
            .iter()
            .any(|code| !matches!(*code, "too-small" | "arithmetic-hidden")),
        "{name}"
    );
    true
}

fn wrong_bases(seed: u64, tables: usize) {
    let mut random = Random(seed);
    let mut inspected = 0;
    for _ in 0..tables {
        // Without a logarithm, with that to base 10, and any.
        let slips = [1.0_f64.exp(), 4.0_f64.exp()];
        let any = (0.5 + 16.0 * share(&mut random)).exp();
        let near = 1e4 * (1.0 + 0.1 * (share(&mut random) - 0.5));
        let base = one_of(&mut random, &[slips[0], slips[1], any, near, near, near]);
        let (order, rule) = one_of(&mut random, &LAYOUTS);
        let pairs = one_of(&mut random, &[2, 2, 2, 4, 4, 8]);
        let sines = Sines {
            rows: one_of(&mut random, &[4, 6, 10, 50, 128]),
            order,
            frequencies: exponents(pairs, rule)
                .iter()
                .map(|it| base.powf(-it))
                .collect(),
            start: 0.0,
            step: 1.0,
        };
        let storage = one_of(&mut random, &STORAGES);
        let name = format!("base {base}, {order:?}, {rule:?}");
        inspected += usize::from(is_not_correct(&name, 2 * pairs, &sines.values(), storage));
    }
    assert!(2 * inspected > tables, "{inspected} of {tables}");
}

#[test]
fn no_table_of_another_base_is_called_correct() {
    wrong_bases(0x243f_6a88_85a3_08d3, 100);
}

#[test]
fn nor_is_any_from_another_seed() {
    wrong_bases(0x1319_8a2e_0370_7344, 70);
}

#[test]
fn no_table_with_another_mistake_is_called_correct() {
    other_mistakes(0xa409_3822_299f_31d0, 80);
}

/// `cargo test -p posenc-inspect -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn none_of_five_thousand_tables_is_called_correct() {
    for seed in 1..=10 {
        wrong_bases(0x4528_21e6_38d0_1377_u64.wrapping_mul(seed), 300);
        other_mistakes(0xbe54_66cf_34e9_0c6c_u64.wrapping_mul(seed), 200);
    }
}

fn other_mistakes(seed: u64, tables: usize) {
    let mut random = Random(seed);
    let mut inspected = 0;
    for _ in 0..tables {
        let (order, rule) = one_of(&mut random, &LAYOUTS);
        let pairs = one_of(&mut random, &[2, 2, 2, 4, 4, 8]);
        let d = 2.0 * pairs as f64;
        let right: Vec<f64> = exponents(pairs, rule)
            .iter()
            .map(|it| 1e4_f64.powf(-it))
            .collect();
        let mut sines = Sines {
            rows: one_of(&mut random, &[4, 6, 10, 50, 128]),
            order,
            frequencies: right.clone(),
            start: 0.0,
            step: 1.0,
        };
        let index = (0..pairs).map(|pair| pair as f64);
        let mut cell = None;
        let name = match random.below(8) {
            0 => {
                sines.start = one_of(&mut random, &[1.0, -1.0, 0.5, 2.0, 17.0]);
                format!("from {}", sines.start)
            }
            1 => {
                sines.step = one_of(&mut random, &[2.0, 0.5, 1.01, 0.99, 0.1, 1.002]);
                format!("in steps of {}", sines.step)
            }
            2 => {
                sines.frequencies = index.map(|i| d / 1e4_f64.powf(2.0 * i)).collect();
                "10000^(2i)/d".into()
            }
            3 => {
                sines.frequencies = index.map(|i| 1e4_f64.powf(-2.0 * i / (d - 1.0))).collect();
                "2i/(d − 1)".into()
            }
            4 => {
                sines.frequencies = index.map(|i| 1e4_f64.powf(-(2.0 * i + 1.0) / d)).collect();
                "(2i + 1)/d".into()
            }
            5 => {
                let from = random.below(pairs);
                sines
                    .frequencies
                    .iter_mut()
                    .skip(from)
                    .for_each(|it| *it /= 8.0);
                format!("pairs from {from} on 8 × slower")
            }
            _ => {
                let size = 10.0_f64.powf(-3.0 * share(&mut random));
                cell = Some((random.below(sines.rows * 2 * pairs), size));
                format!("one cell off by {size}")
            }
        };
        let mut values = sines.values();
        if let Some((at, size)) = cell {
            values[at] += size;
        }
        let storage = one_of(&mut random, &STORAGES);
        let name = format!("{name}, {order:?}, {rule:?}");
        inspected += usize::from(is_not_correct(&name, 2 * pairs, &values, storage));
    }
    assert!(8 * inspected > 5 * tables, "{inspected} of {tables}");
}

/// The frequencies as published code computes them in single precision, the last digits as other libraries have them.
fn single(way: usize, exponent: f32, random: &mut Random) -> f32 {
    let ln = 1e4_f64.ln();
    let frequency = match way {
        // The Annotated Transformer: the product with a rounded slope.
        0 => (exponent * -(ln as f32)).exp(),
        // The logarithm in single precision, off by a unit in the last place.
        1 => (exponent * -f32::from_bits((ln as f32).to_bits() + 1)).exp(),
        2 => 1.0 / 1e4_f32.powf(exponent),
        _ => return 1e4_f64.powf(-f64::from(exponent)) as f32,
    };
    match exponent == 0.0 {
        true => frequency,
        false => f32::from_bits(frequency.to_bits() + random.below(5) as u32 - 2),
    }
}

#[test]
fn right_tables_in_single_precision_stay_correct_whatever_their_length() {
    let mut random = Random(0x082e_fa98_ec4e_6c89);
    let lengths = [1, 2, 10, 200, 5000, 20_000];
    for at in 0..60 {
        let rows = lengths[at % lengths.len()];
        let way = at / lengths.len() % 5;
        let (order, rule) = one_of(&mut random, &LAYOUTS);
        let pairs = one_of(&mut random, &[1, 2, 4, 8, 16]);
        let exponents = exponents(pairs, rule).into_iter();
        let frequencies: Vec<f32> = exponents
            .map(|it| single(way, it as f32, &mut random))
            .collect();
        let columns = 2 * pairs;
        let value = |at: usize| {
            let (row, column) = ((at / columns) as f32, at % columns);
            let (pair, cosine) = match order {
                Order::Interleaved => (column / 2, column % 2 == 1),
                _ => (column % pairs, column >= pairs),
            };
            let angle = match way {
                // Divided, not multiplied.
                4 => row / (1.0 / frequencies[pair]),
                _ => row * frequencies[pair],
            };
            f64::from(if cosine { angle.cos() } else { angle.sin() })
        };
        let values: Vec<f64> = (0..rows * columns).map(value).collect();
        let storage = one_of(&mut random, &STORAGES[1..]);
        let report = inspect(columns, &values, storage);
        let codes: Vec<_> = report.findings.iter().map(|it| it.code.name()).collect();
        let name = format!("{rows} × {columns}, {order:?}, {rule:?}, way {way}, {storage:?}");
        assert!(
            report.is_correct(),
            "not called correct: {name}: {codes:?}, {:?}",
            report.first_wrong
        );
    }
}

/// A base that the rounding of the file hides is not guessed: what is not proven is not called correct, and says so.
#[test]
fn what_is_not_proven_is_said() {
    let table = |base: f64, rows: usize| Sines {
        rows,
        order: Order::Interleaved,
        frequencies: exponents(16, Rule::Paper)
            .iter()
            .map(|it| base.powf(-it))
            .collect(),
        start: 0.0,
        step: 1.0,
    };
    for (base, rows, storage) in [
        (9900.0, 50, Storage::Binary(Precision::Bf16)),
        (9900.0, 50, Storage::Binary(Precision::F32)),
        (10_100.0, 200, text(3)),
        (4_f64.exp(), 64, Storage::Binary(Precision::F32)),
    ] {
        let report = inspect(32, &table(base, rows).values(), storage);
        assert!(
            report.has(Code::Base),
            "{base} {storage:?} {:?}",
            report.findings
        );
        let found = report.base.unwrap();
        assert!(
            (found / base - 1.0).abs() < 1e-3,
            "{base} {storage:?} {found}"
        );
    }
    // A sine that is off by 1/1000 everywhere has no name here.
    let mut values = table(1e4, 64).values();
    for (at, value) in values.iter_mut().enumerate() {
        *value += 2e-6 * f64::from(at as u32 * 7 % 5);
    }
    let report = inspect(32, &values, Storage::Binary(Precision::F32));
    assert!(
        report.has(Code::Unknown) && !report.is_correct(),
        "{:?}",
        report.findings
    );
}
