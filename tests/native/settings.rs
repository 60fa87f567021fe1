//! Settings are unchanged by a link, and any link gives a valid state.

use crate::caches::random;
use crate::commands::random_values;
use posenc::figures::all;
use posenc::{SettingId, State, Values, ViewName, read_link};
use proptest::prelude::*;

/// A text that is plausible as the value of a setting, or one that is not.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i64>().prop_map(|n| n.to_string()),
        (0i64..2000).prop_map(|n| n.to_string()),
        any::<f64>().prop_map(|n| n.to_string()),
        (0.0..2000.0f64, 0.0..2000.0f64).prop_map(|(a, b)| format!("{a}-{b}")),
        prop::collection::vec(0..200, 0..7).prop_map(|pairs| {
            pairs
                .iter()
                .map(i32::to_string)
                .collect::<Vec<_>>()
                .join(",")
        }),
        prop::sample::select(vec![
            "",
            "NaN",
            "1e400",
            "-1",
            "0",
            "0.5",
            "Infinity",
            "１２８",
            "0x10",
            "+5",
            " 7 ",
            "*",
            "sine",
            "cosine",
            "concatenated",
            "tensor2tensor",
            "dark",
            "projector",
            "zh",
            "en",
            "heatmap",
            "waves",
            "base,layout",
            "__proto__",
            "<b>",
            "%",
            "%zz",
            "1-2-3",
            "-",
            "--1",
        ])
        .prop_map(String::from),
        ".{0,40}",
    ]
}

fn key() -> impl Strategy<Value = SettingId> {
    (0..SettingId::ALL.len()).prop_map(|index| SettingId::ALL[index])
}

fn assert_legal(state: &State) {
    assert!((1..=16_384).contains(&state.d_model()));
    assert!((1..=1_048_576).contains(&state.max_len()));
    assert!(state.k().abs() <= 1_048_576);
    assert!(state.pos() < state.max_len());
    assert!(state.pair() < state.d_model().div_ceil(2));
    assert!(state.base() > 1.0 && state.base() <= 1e9);
    assert!(state.compare().len() <= 4);
    assert!(
        state
            .compare()
            .iter()
            .all(|&pair| pair <= state.last_pair())
    );
    let window = [
        (state.positions(), state.max_len()),
        (state.dimensions(), state.d_model()),
    ];
    for (span, cells) in window {
        assert!(span.start() >= 0.0 && span.end() <= cells as f64 && span.width() >= 0.99);
    }
}

proptest! {
    #[test]
    fn whatever_is_set_the_state_is_legal_and_its_link_restores_it(
        steps in prop::collection::vec((key(), value()), 0..30)
    ) {
        let mut state = State::default();
        for (key, text) in &steps {
            let problem = state.apply(*key, text);
            assert_legal(&state);
            if let Some(problem) = problem {
                prop_assert_eq!(problem.name, key.name());
                prop_assert_eq!(problem.fallback, state.text(*key));
            }
        }
        let hash = read_link("", "").hash(&state);
        let link = read_link("", &hash);
        prop_assert_eq!(&link.state, &state, "{}", hash);
        prop_assert_eq!(link.problems, []);
        prop_assert_eq!(read_link("", &hash).hash(&state), hash);
    }

    #[test]
    fn no_address_breaks_anything(query in ".{0,200}", hash in ".{0,200}") {
        assert_legal(&read_link(&query, &hash).state);
    }

    #[test]
    fn no_address_made_of_names_and_garbage_breaks_anything(
        parts in prop::collection::vec((key(), value()), 0..20), cut in 0usize..400
    ) {
        let hash: Vec<_> = parts.iter().map(|(key, value)| format!("{}={value}", key.name())).collect();
        let mut hash = hash.join("&");
        hash.truncate(hash.floor_char_boundary(cut));
        let link = read_link("", &hash);
        assert_legal(&link.state);
        // The address written back has no problems.
        let again = read_link("", &link.hash(&link.state));
        prop_assert_eq!(again.state, link.state);
        prop_assert_eq!(again.problems, []);
    }

    #[test]
    fn a_link_restores_its_state_from_under_any_query(
        query in prop::collection::vec((key(), value()), 0..6),
        steps in prop::collection::vec((key(), value()), 0..10)
    ) {
        let query: Vec<_> = query.iter().map(|(k, v)| format!("{}={v}", k.name())).collect();
        let query = query.join("&");
        let link = read_link(&query, "");
        let mut state = link.state.clone();
        for (key, text) in &steps {
            state.apply(*key, text);
        }
        prop_assert_eq!(read_link(&query, &link.hash(&state)).state, state);
    }
}

#[test]
fn twenty_thousand_characters_are_a_notice() {
    for text in ["9".repeat(20_000), "x".repeat(20_000), "１".repeat(20_000)] {
        for &key in SettingId::ALL {
            let mut state = State::default();
            let problem = state.apply(key, &text);
            let problem = problem.unwrap_or_else(|| panic!("{} took it", key.name()));
            assert!(problem.input.chars().count() < 30);
        }
    }
}

#[test]
fn views_have_names() {
    let mut state = State::default();
    for name in ["bench", "heatmap", "waves", "rotation", "formula"] {
        assert_eq!(state.apply(SettingId::View, name), None);
        assert_eq!(state.view().name(), name);
    }
    assert_eq!(ViewName::default().name(), "bench");
}

#[test]
fn the_values_of_a_figure_are_unchanged_by_a_link() {
    for name in all() {
        let mut random = random(name as u64);
        for _ in 0..20 {
            let values = random_values(name, &mut random);
            let written = values.changed();
            let mut read = Values::new(values.fields());
            let problems = read.set_all(&written);
            let problem = problems.into_iter().find_map(|(_, problem)| problem);
            assert_eq!(problem, None, "{}: {written:?}", name.name());
            assert_eq!(read.changed(), written, "{}", name.name());
        }
    }
}
