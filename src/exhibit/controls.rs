//! The controls of an exhibit as elements, made from its fields.

use super::values::{Field, Kind, Place, Values};
use crate::lang::Lang;
use crate::markup::{Node, html::*};
use crate::settings::{Key, Scale, parse};

/// Which controls a figure has, and which of its fields nobody can change by hand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offer {
    pub shown: Names,
    pub locked: Vec<String>,
}

/// A choice among the fields of an exhibit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Names {
    /// Those that the exhibit declares.
    #[default]
    Declared,
    All,
    Listed(Vec<String>),
}

impl Names {
    /// Reads `*`, or names between commas or spaces, in kebab-case or not; nothing, or `none`, is none.
    pub fn read(text: &str) -> Names {
        match list(text) {
            names if names == ["*"] => Names::All,
            names if names == ["none"] => Names::Listed(Vec::new()),
            names => Names::Listed(names),
        }
    }

    fn contain(&self, field: &Field) -> bool {
        match self {
            Names::Declared => field.place == Place::Control,
            Names::All => field.place != Place::Passing,
            Names::Listed(names) => names.iter().any(|name| name == field.name),
        }
    }
}

/// Names between commas or spaces, in kebab-case or not.
pub fn list(text: &str) -> Vec<String> {
    text.split(|c: char| c == ',' || c.is_whitespace())
        .filter(|name| !name.is_empty())
        .map(|name| name.replace('-', "_"))
        .collect()
}

/// The controls on offer; `None` where there are none.
pub fn controls(values: &Values, lang: Lang, offer: &Offer) -> Option<Node> {
    let controls: Vec<Node> = values
        .fields()
        .iter()
        .filter(|field| offer.shown.contain(field))
        .map(|field| {
            let locked = offer.locked.iter().any(|name| name == field.name);
            control(field, values, lang, locked)
        })
        .collect();
    (!controls.is_empty()).then(|| div("fields", controls))
}

fn control(field: &'static Field, values: &Values, lang: Lang, locked: bool) -> Node {
    let words = field.label.get(lang);
    let text = values.text(field.name);
    // Settings of the bench are known by their names.
    let known = Key::named(field.name).is_some();
    let spoken = if known {
        format!("{}, {words}", field.name)
    } else {
        words.to_string()
    };
    let input = |kind: &'static str| {
        Node::new("input", vec![])
            .attribute("type", kind)
            .attribute("name", field.name)
            .attribute("aria-label", spoken.clone())
            .attribute("autocomplete", "off")
            .flag("disabled", locked)
    };
    let mut name = vec![Node::text("span", words)];
    if known {
        name.insert(0, Node::text("b", field.name));
    }
    let name = Node::new("span", name).class("name");
    let parts = match &field.kind {
        Kind::Whole { scale, .. } => {
            let (low, high) = values.limits(field.name);
            let stop = |value: i64| scale.position(value as f64).to_string();
            vec![
                name,
                input("number")
                    .attribute("min", low.to_string())
                    .attribute("max", high.to_string())
                    .attribute("step", "1")
                    .attribute("value", text.clone()),
                input("range")
                    .attribute("min", stop(low))
                    .attribute("max", stop(high))
                    .attribute("step", "1")
                    .attribute("aria-valuetext", text)
                    .attribute("value", stop(values.whole(field.name))),
            ]
        }
        Kind::Real {
            limits, decimals, ..
        } => {
            let step = 10f64.powi(-(*decimals as i32));
            let ranged = |kind| {
                input(kind)
                    .attribute("min", limits.0.to_string())
                    .attribute("max", limits.1.to_string())
                    .attribute("step", step.to_string())
                    .attribute("value", text.clone())
            };
            vec![name, ranged("number"), ranged("range")]
        }
        Kind::Choice(choices) => {
            let options = choices.iter().map(|(value, label)| {
                Node::text("option", label.get(lang))
                    .attribute("value", *value)
                    .flag("selected", *value == text)
            });
            let list = Node::new("select", options.collect())
                .attribute("name", field.name)
                .attribute("aria-label", spoken)
                .flag("disabled", locked);
            vec![name, list]
        }
        Kind::Toggle(_) => {
            let box_ = input("checkbox").flag("checked", text == "on");
            return Node::new("label", vec![box_, name])
                .class("field toggle")
                .attribute("data-control", field.name);
        }
        Kind::Words { .. } => vec![name, input("text").attribute("value", text)],
    };
    let class = match &field.kind {
        Kind::Whole { .. } | Kind::Real { .. } => "field number",
        _ => "field",
    };
    div(class, parts).attribute("data-control", field.name)
}

/// The text that a slider's position stands for.
pub fn from_slider(field: &Field, position: &str) -> String {
    match &field.kind {
        Kind::Whole { scale, .. } if *scale != Scale::Linear => {
            let position = parse::number(position).unwrap_or_default().round() as i64;
            scale.value(position).to_string()
        }
        _ => position.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_with_any_separator() {
        let listed = |names: &[&str]| Names::Listed(names.iter().map(|n| n.to_string()).collect());
        assert_eq!(
            Names::read("k, max-len d_model"),
            listed(&["k", "max_len", "d_model"])
        );
        assert_eq!(Names::read(" none "), listed(&[]));
        assert_eq!(Names::read(""), listed(&[]));
        assert_eq!(Names::read("*"), Names::All);
    }
}
