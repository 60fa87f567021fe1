//! The controls of an exhibit as elements, made from its fields.

use super::values::{Field, Kind, Place, Values};
use crate::lang::Lang;
use crate::markup::{Node, html::*};
use crate::settings::{Key, Scale, parse};

/// A control for every field that has one; `None` where none has.
pub fn controls(values: &Values, lang: Lang) -> Option<Node> {
    let controls: Vec<Node> = values
        .fields()
        .iter()
        .filter(|field| field.place == Place::Control)
        .map(|field| control(field, values, lang))
        .collect();
    (!controls.is_empty()).then(|| div("fields", controls))
}

fn control(field: &'static Field, values: &Values, lang: Lang) -> Node {
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
                .attribute("aria-label", spoken);
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
