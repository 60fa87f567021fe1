//! No figure says "1 positions": English nouns after the number 1 are singular.

use crate::recording::of_figure;
use posenc::Kind;
use posenc::figures::bench::{descriptions, words};
use posenc::figures::{AnyFigure, all, fields};
use posenc::text::labels;
use posenc::{Field, Values};
use posenc::{Lang, Model, ThemeName, read_link};

const PLURALS: &str = "positions dimensions pairs tokens numbers turns rows columns keys queries cells steps heads digits words \
    patches bits buckets nodes cycles times edges entries questions units slopes bands forks matches samples others offsets \
    values ticks diagonals steps";

/// Every "1" in a text that a plural follows.
fn slips(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split([' ', '\u{a0}', '\u{202f}', '\n']).collect();
    let is_slip = |pair: &&[&str]| {
        let (number, noun) = (pair[0].trim_start_matches(['(', '“']), pair[1]);
        let noun = noun.trim_end_matches(|c: char| !c.is_alphabetic());
        number == "1" && PLURALS.split_whitespace().any(|plural| plural == noun)
    };
    words
        .windows(2)
        .filter(is_slip)
        .map(|pair| pair.join(" "))
        .collect()
}

fn words_of(shown: &AnyFigure) -> Vec<String> {
    let around = [shown.actions(), shown.below()].into_iter().flatten();
    let mut words: Vec<String> = around
        .flat_map(|node| {
            node.texts()
                .into_iter()
                .map(String::from)
                .collect::<Vec<_>>()
        })
        .collect();
    words.push(shown.caption());
    if let Some(picture) = of_figure(shown, ThemeName::Light, 720.0) {
        words.extend(picture.texts().map(|words| words.text.clone()));
    }
    words
}

/// Small values of an integer field, for which a count may be one.
fn few(field: &Field, values: &Values) -> Vec<i64> {
    if !matches!(field.kind, Kind::Integer { .. }) {
        return Vec::new();
    }
    let (low, high) = values.limits(field.name);
    let near = [low, low + 1, low + 2, 0, 1, 2];
    near.into_iter()
        .filter(|value| (low..=high).contains(value))
        .collect()
}

#[test]
fn one_of_something_is_singular_in_figures() {
    let mut found = Vec::new();
    for name in all() {
        let fields = fields(name).unwrap();
        let mut note = |values: &Values| {
            let shown = AnyFigure::new(name, values, Lang::En, None).expect("it is in the list");
            for text in words_of(&shown) {
                found.extend(
                    slips(&text)
                        .into_iter()
                        .map(|slip| format!("{}: {slip}", name.name())),
                );
            }
        };
        let mut least = Values::new(fields);
        for field in fields {
            for value in few(field, &Values::new(fields)) {
                let mut values = Values::new(fields);
                values.set_whole(field.name, value);
                note(&values);
            }
            if let Some(&value) = few(field, &least).iter().find(|&&value| value > 0) {
                least.set_whole(field.name, value);
                note(&least);
            }
        }
    }
    found.sort();
    found.dedup();
    assert_eq!(found, [""; 0]);
}

#[test]
fn one_of_something_is_singular_on_the_bench() {
    for (d_model, max_len, k) in [(1, 1, 0), (2, 1, 1), (2, 2, 1), (3, 1, -1), (1, 64, 3)] {
        let link = read_link(
            "",
            &format!("d_model={d_model}&max_len={max_len}&k={k}&pos=0&pair=0"),
        );
        let model = Model::without_transients(&link.state, Lang::En);
        let said = [
            words::heatmap_caption(&model),
            words::rotation_caption(&model),
            words::waves_caption(&model),
            descriptions::describe_heatmap(&model),
            descriptions::describe_waves(&model, labels::WAVES_KEYS),
            descriptions::describe_rotation(&model),
            words::residual(&model).unwrap_or_default(),
            words::outside_table_note(&model).unwrap_or_default(),
        ];
        let found: Vec<_> = said.iter().flat_map(|text| slips(text)).collect();
        assert_eq!(found, [""; 0], "{d_model} {max_len} {k}");
    }
    for speed in [0.5, 1.0, 2.0] {
        assert_eq!(slips(&labels::speed(Lang::En, speed)), [""; 0]);
    }
}
