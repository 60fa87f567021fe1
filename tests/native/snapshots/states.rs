//! The states of the snapshots.

use posenc::Kind;
use posenc::Values;
use posenc::figures::fields;
use posenc::{Lang, ViewName};

/// States of the bench's figures: a name, settings, a language.
pub const BENCH: [(&str, &str, Lang); 7] = [
    ("default", "", Lang::En),
    (
        "concatenated-zh-dark",
        "layout=concatenated&theme=dark&d_model=64&max_len=50&k=-7&compare=0,12",
        Lang::Zh,
    ),
    (
        "tensor2tensor-projector",
        "layout=tensor2tensor&theme=projector&d_model=9&max_len=20&pair=4&pos=3",
        Lang::En,
    ),
    (
        "zoomed",
        "positions=8-14&dimensions=6-12&pair=4&pos=10&k=2&member=cosine",
        Lang::En,
    ),
    (
        "averaged",
        "d_model=512&max_len=5000&pair=200&pos=2500&k=800",
        Lang::En,
    ),
    (
        "phase",
        "colour=phase&layout=tensor2tensor&d_model=9&max_len=20&pair=2",
        Lang::En,
    ),
    (
        "phase-averaged-zh-dark",
        "colour=phase&theme=dark&d_model=512&max_len=5000&pair=200&pos=2500&k=800",
        Lang::Zh,
    ),
];

/// For some figures, a second state that shows more than [`other`].
const SECOND: &[(ViewName, &str)] = &[
    (ViewName::Lab, "k=5&steps=400"),
    (ViewName::LabLength, "k=5&steps=2400"),
    (ViewName::LabInduction, "repeats=random&period=7&steps=600"),
    (ViewName::ByHand, "step=11&x10=-1.5"),
];

/// The second state in which a figure is stored, as settings.
pub fn second(name: ViewName) -> String {
    let declared = SECOND.iter().find(|(figure, _)| *figure == name);
    declared.map_or_else(|| other(name), |(_, settings)| settings.to_string())
}

/// Every field with a value other than its default.
fn other(name: ViewName) -> String {
    let fields = fields(name).unwrap();
    let mut values = Values::new(fields);
    let mut settings = Vec::new();
    for field in fields {
        let text = values.text(field.name);
        let other = match &field.kind {
            Kind::Integer { .. } => {
                let (low, high) = values.limits(field.name);
                let value = values.whole(field.name);
                let further = value + 1 + value.abs() / 3;
                let other = if further <= high {
                    further
                } else {
                    low.max(value - 1 - value / 3)
                };
                other.to_string()
            }
            Kind::Real { limits, .. } => {
                let value = values.text(field.name).parse::<f64>().unwrap();
                let further = 1.3 * value + 0.1;
                let other = if further <= limits.1 {
                    further
                } else {
                    (0.7 * value).max(limits.0)
                };
                other.to_string()
            }
            Kind::Choice(choices) => {
                let at = choices.iter().position(|(choice, _)| *choice == text);
                choices[(at.unwrap_or(0) + 1) % choices.len()].0.to_string()
            }
            Kind::Toggle(_) => if text == "on" { "off" } else { "on" }.to_string(),
            _ => continue,
        };
        values.set_any(field.name, &other);
        settings.push(format!("{}={}", field.name, values.text(field.name)));
    }
    settings.join("&")
}
