//! Keyboard selection on a picture, on the bench and in its views as standalone figures.

use super::view_drag::select;
use super::{Hit, Model};
use crate::field::settings::{D_MODEL, K, MEMBER, PAIR, POS};
use crate::field::{Key, Values, ViewName};

/// Handles a key pressed on a view; returns false if it has no effect. Keys may arrive faster than frames: `model` may
/// still be that of the values before the last key.
pub fn select_by_key(
    view: ViewName,
    key: &str,
    large: bool,
    model: &Model,
    values: &mut Values,
) -> bool {
    let step = if large { 10 } else { 1 };
    let (across, down) = match key {
        "ArrowLeft" => (-step, 0),
        "ArrowRight" => (step, 0),
        "ArrowUp" => (0, -step),
        "ArrowDown" => (0, step),
        "Home" => {
            values.set_to(POS, 0);
            return true;
        }
        "End" => {
            values.set_to(POS, i64::MAX);
            return true;
        }
        _ => return false,
    };
    match view {
        ViewName::Heatmap if model.state.shows_phase() => {
            change(values, POS, down);
            change(values, PAIR, across);
        }
        ViewName::Heatmap => {
            change(values, POS, down);
            let last = values.get(D_MODEL) - 1;
            let place = model.column_index(selected_dimension(model, values)) as i64;
            let cell = Hit::Cell {
                position: values.count(POS),
                dimension: model.dimension_at((place + across).clamp(0, last) as usize),
            };
            select(model, cell, values);
        }
        ViewName::Tokens => {
            change(values, POS, across);
            // ArrowUp increases k.
            change(values, K, -down);
        }
        _ => {
            change(values, POS, across);
            // ArrowUp selects the next pair.
            change(values, PAIR, -down);
        }
    }
    true
}

/// The dimension of the selected member of the selected pair.
pub fn selected_dimension(model: &Model, values: &Values) -> usize {
    model.dimension_of(values.count(PAIR), values.get(MEMBER))
}

fn change(values: &mut Values, field: Key<i64>, by: i64) {
    values.set_to(field, values.get(field).saturating_add(by));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Figure;
    use crate::figures::bench::{Heatmap, Rotation, Waves};
    use crate::text::Lang;

    /// The selection after pressing keys on a figure: position, pair and member.
    fn pressed<F: Figure>(settings: &str, keys: &[(&str, bool)]) -> (i64, i64, String) {
        let mut values = Values::with(F::FIELDS, settings);
        let mut figure = F::new(&values, Lang::En, None);
        for (key, shift) in keys {
            assert!(figure.key(key, *shift, &mut values), "{key}");
            figure = F::new(&values, Lang::En, Some(figure));
        }
        let member = match values.has(MEMBER.name()) {
            true => values.text(MEMBER.name()),
            false => String::new(),
        };
        (values.get(POS), values.get(PAIR), member)
    }

    #[test]
    fn on_the_heatmap_arrows_go_from_cell_to_cell() {
        let pressed = |keys: &[_]| pressed::<Heatmap>("d_model=16 max_len=64 pos=5 pair=2", keys);
        let cell = |pos, pair, member: &str| (pos, pair, member.to_string());
        assert_eq!(pressed(&[("ArrowRight", false)]), cell(5, 2, "cosine"));
        assert_eq!(pressed(&[("ArrowLeft", false)]), cell(5, 1, "cosine"));
        assert_eq!(pressed(&[("ArrowRight", true)]), cell(5, 7, "sine"));
        assert_eq!(pressed(&[("ArrowDown", true)]), cell(15, 2, "sine"));
        assert_eq!(pressed(&[("ArrowUp", true)]), cell(0, 2, "sine"));
        assert_eq!(pressed(&[("End", false)]), cell(63, 2, "sine"));
        assert_eq!(pressed(&[("Home", false)]), cell(0, 2, "sine"));
    }

    #[test]
    fn where_all_sines_come_first_the_next_column_is_the_next_pair() {
        let start = "d_model=16 max_len=64 pos=5 pair=2 colour=sines-cosines";
        let pressed = |keys: &[_]| pressed::<Heatmap>(start, keys);
        let cell = |pair, member: &str| (5, pair, member.to_string());
        assert_eq!(pressed(&[("ArrowRight", false)]), cell(3, "sine"));
        assert_eq!(pressed(&[("ArrowRight", true)]), cell(4, "cosine"));
        let there_and_back = [("ArrowRight", true), ("ArrowLeft", true)];
        assert_eq!(pressed(&there_and_back), cell(2, "sine"));
    }

    #[test]
    fn in_a_heatmap_of_phases_a_pair_is_one_step() {
        let start = "d_model=16 max_len=64 pos=5 pair=2 colour=phase";
        let pressed = pressed::<Heatmap>(start, &[("ArrowRight", false), ("ArrowDown", false)]);
        assert_eq!((pressed.0, pressed.1), (6, 3));
    }

    #[test]
    fn on_waves_and_dial_right_is_the_next_position_and_up_the_next_pair() {
        let start = "d_model=16 max_len=64 pos=5 pair=2";
        let keys = [("ArrowRight", true), ("ArrowUp", false)];
        for (pos, pair, _) in [
            pressed::<Waves>(start, &keys),
            pressed::<Rotation>(start, &keys),
        ] {
            assert_eq!((pos, pair), (15, 3));
        }
        let keys = [("ArrowLeft", true), ("ArrowDown", true)];
        assert_eq!(pressed::<Rotation>(start, &keys).0, 0);
        assert_eq!(pressed::<Rotation>(start, &keys).1, 0);
    }

    #[test]
    fn on_the_dial_and_the_waves_plus_and_minus_change_k() {
        plus_and_minus_change_k::<Rotation>();
        plus_and_minus_change_k::<Waves>();
    }

    fn plus_and_minus_change_k<F: Figure>() {
        let mut values = Values::with(F::FIELDS, "d_model=16 max_len=64 pos=5 k=0");
        let figure = F::new(&values, Lang::En, None);
        // On most keyboards "+" needs Shift, and "=" is the key without it.
        for (key, shift, k) in [
            ("+", true, 1),
            ("=", false, 2),
            ("-", false, 1),
            ("−", false, 0),
            ("-", false, -1),
        ] {
            assert!(figure.key(key, shift, &mut values), "{key}");
            assert_eq!((values.get(K), values.get(POS)), (k, 5), "{key}");
        }
    }
}
