//! Any input in an address, an attribute or a text box: nothing panics, the values in use are valid, errors are named, and
//! the address written back has none. `tests/corpus` contains inputs that have caused errors in programs; longer searches
//! run with `PROPTEST_CASES=100000 cargo test --release --test native inputs`.

use posenc::Kind;
use posenc::figures::{AnyFigure, all, fields};
use posenc::{Field, Persistence, Values};
use posenc::{
    Lang, SETTINGS, SettingId, State, ThemeName, ViewName, bench_svg, figure_svg, read_link,
};
use proptest::prelude::*;
use std::fs;

/// Records the counts of a passing test for docs/trust.md (`scripts/trust`).
fn note(name: &str, counts: &[(&str, usize)]) {
    let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/../figures");
    let pairs = counts
        .iter()
        .map(|(key, count)| format!("{key:?}: {count}"));
    let text = pairs.collect::<Vec<_>>().join(", ");
    // Failure to write the record does not fail the test.
    let _ = fs::create_dir_all(folder).and_then(|()| {
        fs::write(
            format!("{folder}/inputs-native-{}.json", name.replace(' ', "-")),
            format!("{{ \"figures\": {{ {text} }} }}\n"),
        )
    });
}

/// The lines of a corpus file, with abbreviations expanded.
fn corpus(name: &str) -> Vec<String> {
    let text = fs::read_to_string(format!("tests/corpus/{name}.txt")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with("# "));
    lines.map(expand).collect()
}

fn expand(line: &str) -> String {
    let mut text = line.replace("{empty}", "");
    while let Some((before, rest)) = text.split_once('{')
        && let Some((inside, after)) = rest.split_once('}')
        && let Some((part, times)) = inside.rsplit_once('*')
        && let Ok(times) = times.parse()
    {
        let part = part.replace("u0301", "\u{301}");
        text = format!("{before}{}{after}", part.repeat(times));
    }
    text
}

/// Asserts that a state is unchanged after being written and read.
fn assert_clean(link: &str, state: &State) {
    let back = read_link("", link);
    assert_eq!(back.state, *state, "{link}");
    assert_eq!(back.problems, [], "{link}");
    assert!(link.len() < 200_000);
}

fn encoded(name: &str, value: &str) -> String {
    form_urlencoded::Serializer::new(String::new())
        .append_pair(name, value)
        .finish()
}

#[test]
fn every_value_for_every_setting() {
    for value in corpus("values") {
        for &key in SettingId::ALL {
            let mut state = State::default();
            let problem = state.apply(key, &value);
            if let Some(problem) = &problem {
                assert_eq!(problem.name, key.name());
                assert_eq!(problem.fallback, state.text(key), "{}", key.name());
                assert!(problem.input.chars().count() < 30);
            }
            let asked = encoded(key.name(), &value);
            for (query, hash) in [(&*asked, ""), ("", &*asked)] {
                let link = read_link(query, hash);
                assert_eq!(link.state, state, "{} = {value:.60}", key.name());
                assert_eq!(link.problems.first(), problem.as_ref());
                assert_clean(&link.hash(&state), &state);
            }
            // As typed by hand, between other settings.
            let link = read_link("", &format!("k=5&{}={value}&pos=3", key.name()));
            assert_clean(&link.hash(&link.state), &link.state);
        }
    }
    let values = corpus("values").len();
    note(
        "settings",
        &[("values", values), ("settings", SETTINGS.len())],
    );
}

#[test]
fn a_text_of_any_kind_is_drawn() {
    let long = "a".repeat(2000);
    let texts = [
        long.as_str(),
        "<script>alert(1)</script> &amp; <b onclick=x>",
        "مرحبا بالعالم שלום",
        "👩🏽‍🚀👨‍👩‍👧‍👦 🏴‍☠️",
        "\u{202e}\u{2066}x\u{200b}",
        "\0\u{1b}[31m",
        "ก็ที่นี่ครับ",
    ];
    for text in texts {
        let mut values = Values::new(fields(ViewName::Tokens).unwrap());
        values.set("text", text);
        for width in [320, 1240] {
            let shown = AnyFigure::new(ViewName::Tokens, &values, Lang::En, None).unwrap();
            let svg = figure_svg(&shown, ThemeName::Light, width).unwrap();
            assert!(!svg.contains("<script") && svg.len() < 40_000, "{text}");
        }
    }
}

#[test]
fn every_link() {
    for line in corpus("links") {
        let (query, hash) = line.split_once('\t').unwrap_or(("", &line));
        for (query, hash) in [(query, hash), (hash, query)] {
            let link = read_link(query, hash);
            let again = link.hash(&link.state);
            assert_eq!(
                read_link(query, &format!("#{again}")).state,
                link.state,
                "{line:.80}"
            );
            assert_eq!(
                read_link("", &format!("#{again}")).problems,
                [],
                "{line:.80}"
            );
        }
    }
    note("links", &[("links", corpus("links").len())]);
}

/// Asserts that values are unchanged after being written and read.
fn assert_sound(name: ViewName, values: &Values) {
    let mut again = Values::new(values.fields());
    for field in values.fields() {
        let problem = again.set_any(field.name, &values.text(field.name));
        assert_eq!(problem, None, "{} {}", name.name(), field.name);
    }
    assert!(again == *values, "{}", name.name());
}

/// Asserts that no drawn or written number is NaN or infinite, unless the input contains these words.
fn assert_drawn(name: ViewName, values: &Values) {
    let is_words = |value: &str| ["nan", "inf"].contains(&value.to_ascii_lowercase().as_str());
    let mut fields = values.fields().iter();
    if fields.any(|field| is_words(&values.text(field.name))) {
        return;
    }
    let shown = AnyFigure::new(name, values, Lang::Zh, None).unwrap();
    let words = [shown.actions(), shown.more(), shown.below()]
        .into_iter()
        .flatten();
    let words: String = words.map(|node| node.to_string()).collect();
    let svg = figure_svg(&shown, ThemeName::Light, 360).unwrap_or_default();
    for text in [shown.caption(), words, svg] {
        for bad in [">NaN", "\"NaN\"", " NaN", "\"inf\"", " inf\""] {
            assert!(!text.contains(bad), "{} {bad}", name.name());
        }
    }
}

#[test]
fn every_value_for_every_field_of_every_figure() {
    for name in all() {
        let fields = fields(name).unwrap();
        for value in corpus("values") {
            let mut every = Values::new(fields);
            for field in fields {
                let mut values = Values::new(fields);
                let problem = values.set_any(field.name, &value);
                assert!(problem.is_none_or(|problem| problem.name == field.name));
                assert_sound(name, &values);
                every.set_any(field.name, &value);
                if matches!(field.kind, Kind::Text { .. }) {
                    assert_drawn(name, &values);
                }
            }
            assert_sound(name, &every);
        }
    }
    let each = all().map(|name| fields(name).unwrap().len());
    note(
        "fields",
        &[("figures", all().count()), ("fields", each.sum())],
    );
}

/// The values with a value other than the default for this field.
fn with_other(values: &Values, field: &Field) -> Values {
    let second = match field.kind {
        Kind::Choice(choices) => choices[1].0,
        _ => "on",
    };
    let others = ["1", "2", "1e9", second, "off"].map(|text| {
        let mut other = values.clone();
        other.set_any(field.name, text);
        other
    });
    let mut others = others.into_iter().filter(|other| other != values);
    others
        .next()
        .unwrap_or_else(|| panic!("{} has one value", field.name))
}

#[test]
fn what_does_not_last_is_in_no_link() {
    let mut counts = [0, 0];
    for name in all() {
        let fields = fields(name).unwrap();
        let default = Values::new(fields);
        for field in fields {
            let what = format!("{} {}", name.name(), field.name);
            let mut values = with_other(&default, field);
            let is_public = values.public().any(|public| public.name == field.name);
            let is_linked = values.changed().iter().any(|(name, _)| *name == field.name);
            let lasts = (is_public, values.has(field.name), is_linked);
            match field.persistence {
                Persistence::Link => assert_eq!(lasts, (true, true, true), "{what}"),
                Persistence::Session => {
                    assert_eq!(lasts, (true, true, false), "{what}");
                    counts[0] += 1;
                }
                Persistence::Transient => {
                    assert_eq!(lasts, (false, false, false), "{what}");
                    assert_eq!(values.set(field.name, &default.text(field.name)), None);
                    assert!(values != default, "{what} was set from outside");
                    counts[1] += 1;
                }
            }
            assert!(!field.control || is_linked, "{what}");
        }
    }
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(corpus("values")),
        any::<f64>().prop_map(|number| number.to_string()),
        any::<i64>().prop_map(|number| number.to_string()),
        (-20i64..600).prop_map(|number| number.to_string()),
        (-2.0..40.0f64).prop_map(|number| number.to_string()),
        "[0-9eE+.,−-]{0,12}",
        "\\PC{0,60}",
        any::<String>(),
    ]
}

/// Random bytes of a query: names, values, escapes, and text that resembles them.
fn garbage() -> impl Strategy<Value = String> {
    let names = SETTINGS.iter().map(|setting| setting.name.to_string());
    let part = prop_oneof![
        prop::sample::select(names.collect::<Vec<_>>()),
        prop::sample::select(vec![
            "=",
            "&",
            "%",
            "+",
            "#",
            ";",
            "%3D",
            "%26",
            "%F0",
            "__proto__"
        ])
        .prop_map(String::from),
        value(),
    ];
    prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

fn figure() -> impl Strategy<Value = ViewName> {
    prop::sample::select(all().collect::<Vec<_>>())
}

/// The usual number of cases divided by `nth`.
fn every(nth: u32) -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig {
        cases: (usual.cases / nth).max(1),
        ..usual
    }
}

proptest! {
    fn bytes_in_an_address(query in garbage(), hash in garbage()) {
        let link = read_link(&query, &hash);
        let again = link.hash(&link.state);
        prop_assert_eq!(&read_link(&query, &format!("#{again}")).state, &link.state);
        prop_assert_eq!(read_link("", &format!("#{again}")).problems, []);
    }

    fn value_for_a_field(name in figure(), texts in prop::collection::vec(value(), 16)) {
        let mut values = Values::new(fields(name).unwrap());
        for (field, text) in values.fields().iter().zip(&texts) {
            let problem = values.set_any(field.name, text);
            prop_assert!(problem.is_none_or(|problem| problem.name == field.name));
        }
        assert_sound(name, &values);
    }
}

proptest! {
    #![proptest_config(every(16))]

    fn figure_of_the_lesson(name in figure(), texts in prop::collection::vec(value(), 16)) {
        let mut values = Values::new(fields(name).unwrap());
        for (field, text) in values.fields().iter().zip(&texts) {
            values.set_any(field.name, text);
        }
        assert_drawn(name, &values);
    }

    fn bench(texts in prop::collection::vec((0..SETTINGS.len(), value()), 0..12), width in 0u32..400) {
        let mut state = State::default();
        for (index, text) in &texts {
            // The bench keeps its own view.
            if SettingId::ALL[*index] != SettingId::View {
                state.apply(SettingId::ALL[*index], text);
            }
        }
        let svg = bench_svg(&state, Lang::En, width, width / 2);
        for bad in [">NaN", "\"NaN\"", " NaN", "\"inf\""] {
            prop_assert!(!svg.contains(bad), "{}", bad);
        }
    }
}

/// Records the number of cases of a passing test.
fn note_random(name: &str, cases: u32) {
    note(name, &[(name, usize::try_from(cases).unwrap())]);
}

#[test]
fn any_bytes_in_an_address() {
    bytes_in_an_address();
    note_random("random addresses", every(1).cases);
}

#[test]
fn any_value_for_any_field() {
    value_for_a_field();
    note_random("random fields", every(1).cases);
}

#[test]
fn any_figure_of_the_lesson_is_drawn() {
    figure_of_the_lesson();
    note_random("random figures drawn", every(16).cases);
}

#[test]
fn any_bench_is_drawn() {
    bench();
    note_random("random benches drawn", every(16).cases);
}
