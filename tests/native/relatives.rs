//! The other encodings compared with reference implementations; see `reference/relatives.py` and `reference/scaling.py`.

use crate::assert_close::assert_close;
use posenc::Matrix;
use posenc_encoding::{
    GridAlignment, Mrope, MropePosition, Pairing, PatchGrid, RelativeShift, Rope, RopeContext,
    RopeScaling, Segment, T5Buckets, TransformerXl, VideoClock, YarnRamp, alibi_slopes,
    mrope_positions, resize_grid,
};

const LINES: &str = include_str!("../reference/relatives.tsv");
const SCALING: &str = include_str!("../reference/scaling.tsv");

/// Words that are read in sequence.
struct Words<'a>(std::str::SplitWhitespace<'a>);

impl<'a> Words<'a> {
    fn word(&mut self) -> &'a str {
        self.0.next().expect("another word")
    }

    fn next<T: std::str::FromStr<Err: std::fmt::Debug>>(&mut self) -> T {
        self.word().parse().unwrap()
    }

    fn take(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.next()).collect()
    }

    fn matrix(&mut self, positions: usize, dimensions: usize) -> Matrix<f64> {
        Matrix {
            positions,
            dimensions,
            values: self.take(positions * dimensions),
        }
    }

    fn rest<T: std::str::FromStr<Err: std::fmt::Debug>>(self) -> Vec<T> {
        self.0.map(|word| word.parse().unwrap()).collect()
    }
}

/// Calls `check` with the parameters and the values of each line of a kind.
fn each(kind: &str, check: impl FnMut(Words, Words)) {
    each_of(LINES, kind, check);
}

fn each_of(lines: &str, kind: &str, mut check: impl FnMut(Words, Words)) {
    let mut found = 0;
    for line in lines.lines() {
        let parts: Vec<&str> = line.split('\t').collect();
        if parts[0] == kind {
            let [parameters, values] = [1, 2].map(|part| Words(parts[part].split_whitespace()));
            check(parameters, values);
            found += 1;
        }
    }
    assert!(found > 0, "no {kind}");
}

#[track_caller]
fn assert_all_close(actual: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(actual.len(), expected.len());
    for (actual, expected) in actual.iter().zip(expected) {
        assert_close(*actual, *expected, tolerance);
    }
}

#[test]
fn frequencies_beyond_the_trained_length() {
    each("rope-frequencies", |mut parameters, mut values| {
        let rule = match parameters.word() {
            "default" => RopeScaling::Unchanged,
            "linear" => RopeScaling::Interpolation,
            "dynamic" => RopeScaling::DynamicNtk,
            "yarn" => RopeScaling::Yarn(YarnRamp::Index),
            "llama3" => RopeScaling::Llama3,
            other => panic!("no rule {other}"),
        };
        let context = RopeContext {
            d_head: parameters.next(),
            base: parameters.next(),
            trained: parameters.next(),
            factor: parameters.next(),
            length: parameters.next(),
        };
        let stretched = context.scaled(rule);
        assert_close(stretched.attention_factor, values.next(), 1e-15);
        let expected: Vec<f64> = values.rest();
        assert_eq!(stretched.after.len(), expected.len());
        for (after, expected) in stretched.after.iter().zip(expected) {
            // The reference uses f32.
            assert_close(*after, expected, 2e-6 * expected);
        }
    });
}

/// Sizes from a generator, among them such as no model has: very long training, small bases, heads of 6 or 10.
#[test]
fn frequencies_at_sizes_that_nobody_picked() {
    for (name, rule) in [
        ("pi", RopeScaling::Interpolation),
        ("ntk", RopeScaling::NtkAware),
        ("dynamic", RopeScaling::DynamicNtk),
        ("yarn-turns", RopeScaling::Yarn(YarnRamp::Turns)),
        ("yarn-index", RopeScaling::Yarn(YarnRamp::Index)),
        ("llama3", RopeScaling::Llama3),
    ] {
        each_of(SCALING, name, |mut parameters, mut values| {
            let context = RopeContext {
                d_head: parameters.next(),
                base: parameters.next(),
                trained: parameters.next(),
                factor: parameters.next(),
                length: parameters.next(),
            };
            let scaled = context.scaled(rule);
            let expected: f64 = values.next();
            let close = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-11;
            let found = scaled.attention_factor;
            assert!(
                close(found, expected),
                "{name} multiplies q and k by {found}, not {expected}: {context:?}"
            );
            let expected: Vec<f64> = values.rest();
            assert_eq!(scaled.after.len(), expected.len(), "{name}: {context:?}");
            for (pair, (found, expected)) in scaled.after.iter().zip(expected).enumerate() {
                assert!(
                    close(*found, expected),
                    "{name}: pair {pair} has frequency {found}, not {expected}: {context:?}"
                );
            }
        });
    }
    each_of(SCALING, "alibi", |mut parameters, values| {
        let heads = parameters.next();
        assert_all_close(&alibi_slopes(heads), &values.rest::<f64>(), 1e-13);
    });
}

#[test]
fn turned_vectors() {
    for (kind, pairing) in [
        ("rope-halves", Pairing::Halves),
        ("rope-adjacent", Pairing::Adjacent),
    ] {
        each(kind, |mut parameters, values| {
            let (d_head, base): (usize, f64) = (parameters.next(), parameters.next());
            let position = parameters.next();
            let rope = Rope::new(d_head, base, pairing);
            let turned = rope.rotated(&parameters.take(d_head), position);
            assert_all_close(&turned, &values.rest::<f64>(), 1e-11);
        });
    }
    each("rope-order", |mut parameters, values| {
        assert_eq!(Pairing::order(parameters.next()), values.rest::<usize>());
    });
}

#[test]
fn slopes_of_alibi() {
    each("alibi", |mut parameters, values| {
        let slopes = alibi_slopes(parameters.next());
        assert_all_close(&slopes, &values.rest::<f64>(), 2e-7);
    });
}

#[test]
fn buckets_of_t5() {
    each("t5", |mut parameters, values| {
        let (buckets, max_distance) = (parameters.next(), parameters.next());
        let t5 = T5Buckets::new(buckets, max_distance, parameters.next::<u8>() == 1);
        let first: i64 = parameters.next();
        for (offset, expected) in (first..).zip(values.rest::<usize>()) {
            assert_eq!(t5.bucket(offset), expected, "{t5:?} {offset}");
        }
    });
}

#[test]
fn shift_and_attention_of_transformer_xl() {
    each("xl-shift", |mut parameters, values| {
        let (queries, keys) = (parameters.next(), parameters.next());
        let steps = RelativeShift::new(&parameters.matrix(queries, keys));
        assert_eq!(steps.shifted.values, values.rest::<f64>());
    });
    each("xl-attention", |mut parameters, values| {
        let [queries, keys, d_head] = [(); 3].map(|()| parameters.next::<usize>());
        let q = parameters.matrix(queries, d_head);
        let k = parameters.matrix(keys, d_head);
        let weights = parameters.matrix(d_head, d_head);
        let xl = TransformerXl::new(weights, parameters.take(d_head), parameters.take(d_head));
        let terms = xl.map(&q, &k);
        let expected: Vec<f64> = values.rest();
        for query in 0..queries {
            let seen = keys - queries + query + 1;
            let powers: Vec<f64> = (0..seen)
                .map(|key| terms.at(query, key).sum().exp())
                .collect();
            let sum: f64 = powers.iter().sum();
            let mut row: Vec<f64> = powers.iter().map(|power| power / sum).collect();
            row.resize(keys, 0.0);
            assert_all_close(&row, &expected[query * keys..][..keys], 1e-5);
        }
    });
}

#[test]
fn places_of_text_and_video() {
    each("mrope", |mut parameters, values| {
        let (d_head, base) = (parameters.next(), parameters.next());
        let [time, height, width] = [(); 3].map(|()| parameters.next());
        let position = MropePosition {
            time,
            height,
            width,
        };
        let turned = Mrope::new(d_head, base).rotated(&parameters.take(d_head), position);
        assert_all_close(&turned, &values.rest::<f64>(), 1e-11);
    });
    each("places", |mut parameters, values| {
        let tokens_per_second: f64 = parameters.next();
        let clock = if tokens_per_second > 0.0 {
            VideoClock::Seconds { tokens_per_second }
        } else {
            VideoClock::Steps
        };
        let segments: Vec<Segment> = parameters.0.map(segment).collect();
        let found = mrope_positions(&segments, clock);
        let numbers: Vec<i64> = found
            .iter()
            .flat_map(|token| {
                [
                    token.position.time,
                    token.position.height,
                    token.position.width,
                ]
            })
            .collect();
        assert_eq!(numbers, values.rest::<i64>(), "{segments:?} {clock:?}");
    });
}

fn segment(word: &str) -> Segment {
    let parts: Vec<&str> = word.split(':').collect();
    let size = |part: usize| parts[part].parse().unwrap();
    match parts[0] {
        "text" => Segment::Text { tokens: size(1) },
        "image" => Segment::Image {
            rows: size(1),
            columns: size(2),
        },
        _ => Segment::Video {
            steps: size(1),
            rows: size(2),
            columns: size(3),
            seconds_per_step: parts[4].parse().unwrap(),
        },
    }
}

#[test]
fn tables_of_patches() {
    each("grid", |mut parameters, values| {
        let (side, d_model) = (parameters.next(), parameters.next());
        let table = PatchGrid::new(side, side, d_model).table();
        assert_all_close(&table.values, &values.rest::<f64>(), 1e-12);
    });
    for (kind, alignment) in [
        ("resize-edges", GridAlignment::Edges),
        ("resize-middles", GridAlignment::Middles),
    ] {
        each(kind, |mut parameters, values| {
            let [rows, columns, to_rows, to_columns] = [(); 4].map(|()| parameters.next());
            let old = parameters.matrix(rows * columns, 1);
            let new = resize_grid(&old, (rows, columns), (to_rows, to_columns), alignment).unwrap();
            assert_all_close(&new.values, &values.rest::<f64>(), 1e-12);
        });
    }
}
