//! Every exhibit, drawn at the extremes of its fields in both languages and all themes: nothing
//! may panic, and what is a picture must be one.

use posenc::exhibit::{Field, Kind, Shown, Values, all, fields};
use posenc::{Lang, ThemeName, ViewName, exhibit_svg};

/// Texts that have surprised programs.
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

fn extremes(field: &Field, values: &Values) -> Vec<String> {
    match &field.kind {
        Kind::Whole { .. } => {
            let (low, high) = values.limits(field.name);
            vec![low.to_string(), high.to_string()]
        }
        Kind::Real { limits, .. } => vec![limits.0.to_string(), limits.1.to_string()],
        Kind::Choice(choices) => choices.iter().map(|(name, _)| name.to_string()).collect(),
        Kind::Toggle(_) => vec!["on".into(), "off".into()],
        Kind::Words { .. } => TEXTS.map(String::from).to_vec(),
    }
}

fn draw(name: ViewName, values: &Values, lang: Lang, theme: ThemeName, width: u32) {
    let shown = Shown::new(name, values, lang, None).expect("it is in the list");
    assert!(!shown.caption().is_empty(), "{}", name.name());
    for node in [shown.above(), shown.below()].into_iter().flatten() {
        assert!(!node.to_string().contains("NaN"), "{}", name.name());
    }
    if let Some(svg) = exhibit_svg(&shown, theme, width) {
        assert!(svg.ends_with("</svg>\n"), "{}", name.name());
        // The letters may also stand in an image.
        let not_a_number = [">NaN", "\"NaN", " NaN"]
            .iter()
            .any(|nan| svg.contains(nan));
        assert!(!not_a_number, "{}", name.name());
    }
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

/// Each field at its extremes, alone and together with every extreme of the field before it.
#[test]
fn extremes_of_the_fields() {
    for name in all() {
        let fields = fields(name).unwrap();
        let start = Values::new(fields);
        for (index, field) in fields.iter().enumerate() {
            let mut before = vec![start.clone()];
            if let Some(other) = index.checked_sub(1).map(|i| &fields[i]) {
                for text in extremes(other, &start) {
                    let mut values = start.clone();
                    values.set(other.name, &text);
                    before.push(values);
                }
            }
            for values in before {
                for text in extremes(field, &values) {
                    let mut values = values.clone();
                    values.set(field.name, &text);
                    draw(name, &values, Lang::Zh, ThemeName::Projector, 320);
                }
            }
        }
    }
}
