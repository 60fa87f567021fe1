//! Every figure is drawn at the extremes of its fields, in both languages and all themes, and used by pointer and keys:
//! nothing panics, and every picture is valid.

use crate::recording::of_figure;
use posenc::Kind;
use posenc::figure::PointerAction;
use posenc::figures::{AnyFigure, all, fields};
use posenc::{DrawContext, Field, Values};
use posenc::{Frame, Lang, Point, Theme, ThemeName, ViewName, figure_svg};

/// Texts that are known to cause errors in programs.
const TEXTS: [&str; 8] = [
    "",
    "x",
    "\u{301}",
    "\u{200d}\u{200d}",
    "<b> & \"q\" '🇨",
    "مرحبا بالعالم",
    "e\u{301} 👩\u{200d}👩\u{200d}👧 🇨🇳 👍🏽",
    "antidisestablishmentarianism 一二三四五六七八九十 a b c d e f g h i j k l m n o p q r s t u v w",
];

pub fn extremes(field: &Field, values: &Values) -> Vec<String> {
    match &field.kind {
        Kind::Integer { .. } => {
            let (low, high) = values.limits(field.name);
            vec![low.to_string(), high.to_string()]
        }
        Kind::Real { limits, .. } => vec![limits.0.to_string(), limits.1.to_string()],
        Kind::Choice(choices) => choices.iter().map(|(name, _)| name.to_string()).collect(),
        Kind::Toggle(_) => vec!["on".into(), "off".into()],
        Kind::Text { .. } => TEXTS.map(String::from).to_vec(),
        // Only the bench has fields of other kinds.
        _ => Vec::new(),
    }
}

fn draw(name: ViewName, values: &Values, lang: Lang, theme: ThemeName, width: u32) {
    let shown = AnyFigure::new(name, values, lang, None).expect("it is in the list");
    check(name, &shown, theme, width);
}

fn check(name: ViewName, shown: &AnyFigure, theme: ThemeName, width: u32) {
    assert!(!shown.caption().is_empty(), "{}", name.name());
    for node in [shown.actions(), shown.below()].into_iter().flatten() {
        assert!(!node.to_string().contains("NaN"), "{}", name.name());
    }
    // Drawing panics at a coordinate or a cell that is not a number (`Pen::unit`, `chart::cells`).
    if let Some(picture) = of_figure(shown, theme, f64::from(width)) {
        assert!(!picture.marks.is_empty(), "{}", name.name());
        for words in picture.texts() {
            let text = &words.text;
            assert!(
                !text.contains("NaN") && text != "inf",
                "{} {text}",
                name.name()
            );
        }
    }
    if let Some(svg) = figure_svg(shown, theme, width) {
        assert_balanced(&svg);
    }
}

/// Asserts that every element of a picture is closed, in the order that XML requires.
fn assert_balanced(svg: &str) {
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("a tag ends");
        let name = tag.split([' ', '\n', '/']).next().unwrap_or_default();
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if tag.ends_with('/') => {}
            None => open.push(name),
        }
    }
    assert_eq!(open, Vec::<&str>::new());
}

#[test]
fn every_theme_language_and_width() {
    for name in all() {
        let values = Values::new(fields(name).unwrap());
        for lang in [Lang::En, Lang::Zh] {
            for theme in [ThemeName::Light, ThemeName::Dark, ThemeName::Projector] {
                for width in [320, 340, 720] {
                    draw(name, &values, lang, theme, width);
                }
            }
        }
    }
}

/// Each field at its extremes, alone and combined with every extreme of the previous field.
#[test]
pub fn extremes_of_the_fields() {
    for name in all() {
        let fields = fields(name).unwrap();
        let start = Values::new(fields);
        for (index, field) in fields.iter().enumerate() {
            let mut before = vec![start.clone()];
            if let Some(other) = index.checked_sub(1).map(|i| &fields[i]) {
                for text in extremes(other, &start) {
                    let mut values = start.clone();
                    values.set_any(other.name, &text);
                    before.push(values);
                }
            }
            for values in before {
                for text in extremes(field, &values) {
                    let mut values = values.clone();
                    values.set_any(field.name, &text);
                    draw(name, &values, Lang::Zh, ThemeName::Projector, 320);
                }
            }
        }
    }
}

#[test]
fn work_comes_to_an_end() {
    for name in all() {
        let values = Values::new(fields(name).unwrap());
        let mut shown = AnyFigure::new(name, &values, Lang::En, None).unwrap();
        while shown.work() {}
        check(name, &shown, ThemeName::Dark, 720);
    }
}

/// After a slice that reports no work done, the page does not need to update or draw.
#[test]
fn a_slice_without_work_changes_nothing() {
    let words = |shown: &AnyFigure| {
        let parts = [shown.actions(), shown.more(), shown.below()];
        let parts = parts.into_iter().flatten().map(|node| node.to_string());
        [vec![shown.caption()], parts.collect()].concat()
    };
    let check = |name: ViewName, values: &Values, changed: &str| {
        let mut shown = AnyFigure::new(name, values, Lang::En, None).expect("it is in the list");
        // Some figures compute for minutes; those that end after a few slices suffice.
        for _ in 0..4 {
            let before = (words(&shown), figure_svg(&shown, ThemeName::Light, 400));
            if !shown.work() {
                let after = (words(&shown), figure_svg(&shown, ThemeName::Light, 400));
                assert!(before == after, "{} {changed}", name.name());
                return;
            }
        }
    };
    for name in all() {
        let fields = fields(name).unwrap();
        let start = Values::new(fields);
        check(name, &start, "");
        for field in fields {
            for text in extremes(field, &start) {
                let mut values = start.clone();
                values.set_any(field.name, &text);
                check(name, &values, &format!("{}={text}", field.name));
            }
        }
    }
}

#[test]
fn a_hand_may_go_anywhere() {
    let theme = Theme::named(ThemeName::Light);
    let colours = theme.colour_map();
    for name in all() {
        let mut values = Values::new(fields(name).unwrap());
        let mut previous = None;
        for (x, y) in (-1..22).flat_map(|x| (-1..22).map(move |y| (x, y))) {
            let shown = AnyFigure::new(name, &values, Lang::En, previous.take()).unwrap();
            let Some(height) = shown.height(400.0, theme) else {
                break;
            };
            let context = DrawContext {
                theme,
                colours: &colours,
                frame: Frame {
                    width: 400.0,
                    height,
                    pixels: 1.0,
                    units: 1.0,
                },
            };
            let at = Point::new(f64::from(x) * 20.0, f64::from(y) * height / 20.0);
            for action in [
                PointerAction::Hover,
                PointerAction::Press,
                PointerAction::Drag,
                PointerAction::Release,
            ] {
                shown.pointer(&context, at, action, &mut values);
            }
            for key in [
                "ArrowLeft",
                "ArrowRight",
                "ArrowUp",
                "ArrowDown",
                "Home",
                "End",
            ] {
                shown.key(key, x % 2 == 0, &mut values);
            }
            previous = Some(shown);
        }
        draw(name, &values, Lang::En, ThemeName::Light, 400);
    }
}

#[test]
fn every_question_is_drawn_before_and_after_its_answer() {
    let shown = |values: &Values| AnyFigure::new(ViewName::Quiz, values, Lang::Zh, None).unwrap();
    for question in 1..=12 {
        for seed in [1, 2, 9999] {
            let mut values = Values::new(fields(ViewName::Quiz).unwrap());
            values.set_whole("question", question);
            values.set_whole("seed", seed);
            let before = figure_svg(&shown(&values), ThemeName::Projector, 340);
            values.set("answer", "-1e300");
            values.set("mark", "1");
            for (action, value) in [("choose", "0"), ("check", "")] {
                shown(&values).act(action, value, &mut values);
            }
            let after = shown(&values);
            check(ViewName::Quiz, &after, ThemeName::Dark, 340);
            assert_ne!(before, figure_svg(&after, ThemeName::Projector, 340));
            assert!(after.below().unwrap().plain().contains("已答 1 题"));
        }
    }
}
