//! Which positions and offsets the pictures of biases show of a long sequence: those around pos and pos+k. This comes with
//! the second file of the core.

use super::model::{HEAD, Model};
use crate::field::ViewName;
use crate::math::Clamp;
use crate::text::Lang;
use crate::text::number::whole;
use std::ops::Range;

/// Maximum number of queries, of keys, and of offsets in either direction.
const MAX_SHOWN: i64 = 64;
/// Distance between the ends of successive windows, so that the axes do not change with every position.
const STEP: i64 = 16;

/// The number of positions shown.
pub(super) fn count(model: &Model) -> i64 {
    (model.state.max_len() as i64).min(MAX_SHOWN)
}

/// The positions shown: pos is among them, and pos+k if the two are near enough.
#[inline(never)]
pub(super) fn positions(model: &Model) -> Range<i64> {
    let (count, pos) = (count(model), model.state.pos() as i64);
    let target = model.target_row().map(|row| row as i64);
    let other = target.filter(|target| (target - pos).abs() < count);
    let other = other.unwrap_or(pos);
    let first = ending_after(pos.max(other), count).min(pos.min(other));
    let first = first.clamped(0, model.state.max_len() as i64 - count);
    first..first + count
}

/// The offsets shown: those between the positions at the start of the sequence or, if k is larger, those next to k. Negative
/// ones, whose keys causal attention masks, are left out.
#[inline(never)]
pub(super) fn offsets(model: &Model) -> Range<i64> {
    let (count, k) = (count(model), model.state.k());
    let is_causal = model.bias_head(HEAD).bias(0, 1).is_none();
    let lowest = if is_causal { 0 } else { 1 - count };
    if k < count && (is_causal || -k < count) {
        return lowest..count;
    }
    let first = ending_after(k.abs(), count).min(k.abs());
    if k > 0 {
        first..first + count
    } else {
        1 - first - count..1 - first
    }
}

/// The first of `count` numbers that end after `last`.
fn ending_after(last: i64, count: i64) -> i64 {
    (last / STEP + 1) * STEP - count
}

/// The sentence that says which positions or offsets are shown, after another; empty if all are.
#[inline(never)]
pub(super) fn note(model: &Model, view: ViewName) -> String {
    let shows_all = |shown: Range<i64>| shown.contains(&0) && shown.end == count(model);
    if !model.shows_biases(view)
        || model.state.max_len() as i64 == count(model)
            && (view != ViewName::Heatmap || shows_all(offsets(model)))
    {
        return String::new();
    }
    let (en, zh, shown) = match view {
        ViewName::Heatmap => ("Offsets", "偏移量", offsets(model)),
        _ => ("Positions", "位置", positions(model)),
    };
    let [first, last] = [shown.start, shown.end - 1].map(whole);
    match model.lang {
        Lang::En => format!(" {en} {first} to {last} are shown."),
        Lang::Zh => format!("图中是{zh} {first} 到 {last}。"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pos_and_the_position_k_further_on_are_shown() {
        for (settings, shown) in [
            ("max_len=64&pos=60&k=40", 0..64),
            ("max_len=20&pos=3&k=3", 0..20),
            ("max_len=500&pos=10&k=3", 0..64),
            ("max_len=500&pos=200&k=3", 144..208),
            ("max_len=500&pos=200&k=-63", 137..201),
            ("max_len=500&pos=200&k=63", 200..264),
            ("max_len=500&pos=200&k=64", 144..208),
            ("max_len=500&pos=499&k=-499", 436..500),
            ("max_len=500&pos=499&k=1", 436..500),
        ] {
            let model = Model::linked(&format!("encoding=alibi&{settings}"));
            assert_eq!(positions(&model), shown, "{settings}");
        }
    }

    #[test]
    fn k_is_among_the_offsets() {
        for (max_len, k, shown) in [
            (500, 3, -63..64),
            (500, -63, -63..64),
            (500, 64, 16..80),
            (500, -200, -207..-143),
            (10, 18, 18..28),
            (10, -18, -27..-17),
            (2, 5, 5..7),
        ] {
            let model = Model::linked(&format!("encoding=t5&max_len={max_len}&pos=1&k={k}"));
            assert_eq!(offsets(&model), shown, "{max_len} {k}");
            assert!(offsets(&model).contains(&k));
        }
    }

    #[test]
    fn offsets_whose_keys_are_masked_are_left_out() {
        for (k, shown) in [(3, 0..64), (-63, 0..64), (-200, 0..64), (64, 16..80)] {
            let model = Model::linked(&format!("encoding=alibi&max_len=500&pos=200&k={k}"));
            assert_eq!(offsets(&model), shown, "{k}");
        }
    }

    #[test]
    fn the_caption_says_what_is_shown_of_more() {
        let note = |settings: &str, view| note(&Model::linked(settings), view);
        let all = "encoding=alibi&max_len=64";
        assert_eq!(note(all, ViewName::Waves), "");
        assert_eq!(note(all, ViewName::Heatmap), "");
        let part = "encoding=alibi&max_len=500&pos=200&k=3";
        assert_eq!(
            note(part, ViewName::Rotation),
            " Positions 144 to 207 are shown."
        );
        assert_eq!(note(part, ViewName::Heatmap), " Offsets 0 to 63 are shown.");
        let mut chinese = Model::linked("encoding=t5&max_len=500&pos=200&k=-100");
        chinese.lang = Lang::Zh;
        assert_eq!(
            super::note(&chinese, ViewName::Heatmap),
            "图中是偏移量 −111 到 −48。"
        );
        assert_eq!(note("max_len=500", ViewName::Waves), "");
    }
}
