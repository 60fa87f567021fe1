//! Tests of where tokens are and what dragging them does.

use super::*;
use crate::draw::{ColourMap, Frame};
use crate::field::settings::{K, POS};
use crate::field::{ThemeName, Values};
use crate::figure::pass_pointer;
use crate::figure::{Figure, Pointer, PointerAction};
use crate::figures::bench::Tokens;
use crate::text::Lang;

/// A scene of the tokens of a model, in a picture of this width.
fn with_plan(settings: &str, width: f64, look: impl Fn(&Scene, &Window)) {
    let theme = Theme::named(ThemeName::Light);
    let colours: ColourMap = theme.colour_map();
    let model = Model::linked(settings);
    let frame = Frame {
        width,
        height: 46.0,
        pixels: 1.0,
        units: 8.0,
    };
    let scene = Scene::new(&model, theme, &colours, frame);
    let plan = scene.layout::<TokensView>().unwrap();
    look(&scene, &window(&model, &plan));
}

#[test]
fn a_point_has_the_position_of_the_token_there_also_between_tokens_and_beyond_the_text() {
    with_plan("max_len=500", 1000.0, |_, window| {
        for position in [-3.0, -0.5, 0.0, 1.0, 7.25, 62.5, 63.0, 63.5, 64.0, 300.75] {
            let (left, right) = window.token(position);
            let found = window.position((left + right) / 2.0);
            assert!(
                (found - position).abs() < 0.02,
                "{position} is found at {found}"
            );
        }
        for position in [0, 5, 63, 64, 499] {
            let (left, right) = window.token(position as f64);
            for x in [left + 0.1, right - 0.1] {
                assert_eq!(window.slot_at(x), position);
            }
        }
    });
}

#[test]
fn words_beyond_the_table_are_not_hidden_ones() {
    with_plan("max_len=6&pos=0&k=1", 300.0, |scene, window| {
        let words = scene.model.tokens.len();
        assert!(words > 6);
        let shown = window.whole_tokens();
        assert!(shown.end < 6, "{shown:?}");
        assert_eq!(window.hidden_words(words), [0, 6 - shown.end]);
    });
}

#[test]
fn the_window_shows_both_rings_or_that_of_pos() {
    for (settings, width) in [
        ("pos=40&k=3", 1000.0),
        ("pos=3&k=-5", 1000.0),
        ("pos=900&k=-4&max_len=1000", 360.0),
        ("pos=63&k=2", 360.0),
    ] {
        with_plan(settings, width, |scene, window| {
            for place in scene.model.mark_positions() {
                let moved = window.ring(place).x - window.ring_around(place).x;
                assert!(moved.abs() < 4.0, "{settings}: {place} is moved by {moved}");
            }
        });
    }
    with_plan("pos=5&k=50", 400.0, |scene, window| {
        let [pos, target] = scene.model.mark_positions();
        assert_eq!(window.ring(pos), window.ring_around(pos));
        let ring = window.ring(target);
        assert!(
            ring.right() <= window.shown().right(),
            "the other is at the edge"
        );
    });
}

#[test]
fn a_phone_shows_five_words_or_more_in_legible_type() {
    for settings in ["pos=10&k=3", "pos=20&k=3", "pos=37&k=3"] {
        with_plan(settings, 318.0, |scene, window| {
            let shown = window.shown();
            let whole = (0..64).filter(|&position| {
                let (left, right) = window.token(f64::from(position));
                left >= shown.x - 1.0 && right <= shown.right() + 1.0
            });
            assert!(whole.count() >= 5, "{settings}");
            let plan = scene.layout::<TokensView>().unwrap();
            assert!(plan.word_style(scene.theme).size() >= 13.0);
        });
    }
}

/// The values after a drag from the ring of a hand, by some tokens to the right.
fn dragged(settings: &str, hand: Hand, by: f64) -> Values {
    let mut values = Values::with(Tokens::FIELDS, settings);
    let theme = Theme::named(ThemeName::Light);
    let colours = theme.colour_map();
    let context = crate::draw::DrawContext {
        theme,
        colours: &colours,
        frame: Frame {
            width: 1000.0,
            height: 46.0,
            pixels: 1.0,
            units: 8.0,
        },
    };
    let mut figure = Tokens::new(&values, Lang::En, None);
    let (from, to) = {
        let scene = figure.scene(&context);
        let plan = scene.layout::<TokensView>().unwrap();
        let place = scene.model.mark_positions()[hand as usize];
        let window = window(scene.model, &plan);
        let centre = |place: f64| window.ring_around(place).centre();
        (centre(place), centre(place + by))
    };
    for (action, at) in [
        (PointerAction::Press, from),
        (PointerAction::Drag, to),
        (PointerAction::Release, to),
    ] {
        let pointer = Pointer {
            at,
            action,
            pressed: None,
        };
        pass_pointer(&figure, &context, pointer, &mut values);
        figure = Tokens::new(&values, Lang::En, Some(figure));
    }
    values
}

#[test]
fn dragging_the_rings_sets_pos_and_k() {
    let values = dragged("pos=5 k=3", Hand::Pos, 3.0);
    assert_eq!((values.get(POS), values.get(K)), (8, 3));
    let values = dragged("pos=5 k=3", Hand::Target, -4.0);
    assert_eq!((values.get(POS), values.get(K)), (5, -1));
}

#[test]
fn the_words_are_those_of_the_text_or_of_the_example_in_the_language() {
    let words = |settings: &str, lang| {
        let mut values = Values::with(Tokens::FIELDS, "");
        values.set("text", settings);
        let figure = Tokens::new(&values, lang, None);
        figure.model.tokens[..3].join("|")
    };
    assert_eq!(words("", Lang::En), "The|cat|chased");
    assert_eq!(words("   ", Lang::Zh), "小|猫|追");
    assert_eq!(
        words("<script>alert(1)</script> b c", Lang::En),
        "<script>alert(1)</script>|b|c"
    );
}
