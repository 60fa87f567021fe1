//! Tests of the declarations: names, limits and typed values.

use super::*;
use crate::field::{DiagnosticKind, State, ThemeName};
use posenc_encoding::Member;

#[test]
fn keys_index_the_settings_and_names_are_unique() {
    for (index, &key) in SettingId::ALL.iter().enumerate() {
        assert_eq!(key as usize, index, "{}", key.name());
        assert_eq!(SettingId::named(key.name()), Some(key));
    }
    assert_eq!(SETTINGS.len(), SettingId::ALL.len());
}

#[test]
fn typed_values_are_listed_as_the_choices_are() {
    let names = |key: SettingId| key.field().kind.choices().iter().map(|(name, _)| *name);
    let set = |key: SettingId, name: &str| {
        let mut state = State::default();
        assert_eq!(state.apply(key, name), None);
        state
    };
    assert_eq!(names(SettingId::Lang).count(), 2);
    for name in names(SettingId::Lang) {
        assert_eq!(set(SettingId::Lang, name).lang().map(Lang::tag), Some(name));
    }
    for name in names(SettingId::Theme) {
        let theme = set(SettingId::Theme, name).theme();
        assert_eq!(theme.map(ThemeName::name), Some(name));
    }
    for name in names(SettingId::Layout) {
        assert_eq!(set(SettingId::Layout, name).layout().name(), name);
    }
    for name in names(SettingId::Encoding) {
        assert_eq!(set(SettingId::Encoding, name).encoding().name(), name);
    }
    for name in names(SettingId::View) {
        assert_eq!(set(SettingId::View, name).view().name(), name);
    }
    assert_eq!(set(SettingId::Member, "cosine").member(), Member::Cosine);
    let default = State::default();
    assert_eq!(default.encoding(), Encoding::Sinusoidal);
    assert_eq!(default.layout(), Layout::Interleaved);
    assert_eq!(default.member(), Member::Sine);
}

/// Sets every field to its declared limits and beyond them, and checks the resulting values.
fn hold_to_limits(fields: &'static [Field]) {
    let out = Some(DiagnosticKind::OutOfRange);
    for field in fields {
        let set = |text: &str| {
            let mut values = Values::new(fields);
            let problem = values.set(field.name, text);
            (values.text(field.name), problem.map(|problem| problem.kind))
        };
        match field.kind {
            Kind::Integer { limits, .. } => {
                let (low, high) = limits(&Values::new(fields));
                for legal in [low, high] {
                    assert_eq!(set(&legal.to_string()), (legal.to_string(), None));
                }
                for (beyond, nearest) in [(low - 1, low), (high + 1, high)] {
                    assert_eq!(set(&beyond.to_string()), (nearest.to_string(), out));
                }
            }
            Kind::Real {
                limits: (low, high),
                above,
                ..
            } => {
                let inside = 0.5 * (low + high);
                assert_eq!(set(&inside.to_string()), (inside.to_string(), None));
                assert_eq!(set(&high.to_string()), (high.to_string(), None));
                assert_eq!(set(&(2.0 * high).to_string()), (high.to_string(), out));
                // An exclusive lower limit has no nearest valid value, so the default is used.
                assert!(above);
                let default = Values::new(fields).text(field.name);
                assert_eq!(set(&low.to_string()), (default.clone(), out));
                assert_eq!(set(&(low - 1.0).to_string()), (default, out));
            }
            _ => {}
        }
    }
}

#[test]
fn defaults_are_legal() {
    let mut state = State::default();
    for &key in SettingId::ALL {
        let default = state.text(key);
        assert_eq!(state.apply(key, &default), None, "{}", key.name());
    }
    assert_eq!(state, State::default());
}

#[test]
fn the_limits_in_force_are_the_declared_ones() {
    hold_to_limits(SETTINGS);
    // Limits other than those of the bench, so that a hard-coded number fails.
    static OTHERS: &[Field] = &[
        Key::size("d_model", "", "", 6, |_| (5, 7)).field,
        Key::whole("pair", "", "", 1, |values| (1, values.get(D_MODEL) - 1)).field,
        Field {
            kind: Kind::Real {
                default: 6.0,
                limits: (5.0, 7.0),
                above: true,
                decimals: None,
                scale: SliderScale::Decades,
            },
            ..BASE.field
        },
    ];
    hold_to_limits(OTHERS);
}

#[test]
fn the_heatmap_as_a_figure_has_the_base_and_the_layout_that_it_is_drawn_from() {
    let values = Values::with(fields_of(ViewName::Heatmap), "base=500 layout=concatenated");
    let state = State::from(&values);
    assert_eq!(state.base(), 500.0);
    assert_eq!(state.layout(), Layout::Concatenated);
    let base = values.fields().iter().find(|it| it.name == BASE.name());
    assert!(!base.unwrap().control);
}
