//! The control of one field as an element: a slider and an input box for a number, a list for a choice, a
//! checkbox for a toggle.

use crate::field::settings::COLOUR;
use crate::field::{ChoiceLabel, Field, Kind, SettingId, SliderScale, Values, parse};
use crate::math::Clamp;
use crate::text::markup::Node;
use crate::text::markup::html::*;
use crate::text::{Lang, Text, labels};

const ON: Text = Text::new("on", "开");
const OFF: Text = Text::new("off", "关");

/// Where a control is placed. On the bench, the names of settings are visible instead of their labels, and the track of
/// a slider is filled from zero to the thumb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlPlace {
    Figure,
    Bench,
}

use ControlPlace::{Bench, Figure};

/// The inputs for building a control.
pub struct Control<'a> {
    pub field: &'static Field,
    pub values: &'a Values,
    pub lang: Lang,
    pub locked: bool,
    /// Whether the encoding's table fixes the size.
    pub fixed: bool,
    pub place: ControlPlace,
}

impl Control<'_> {
    pub fn node(&self) -> Node {
        let value = self.values.text(self.field.name);
        match &self.field.kind {
            Kind::Integer { .. } | Kind::Real { .. } => self.number(value),
            Kind::Choice(choices) if self.is_switch() => self.switch(choices, &value),
            Kind::Choice(choices) | Kind::OptionalChoice { choices, .. } => {
                self.list(choices, value)
            }
            Kind::Toggle(_) => {
                let on = value == "on";
                let ticked = self.input("checkbox", self.locked).flag("checked", on);
                let state = if on { ON } else { OFF }.get(self.lang);
                Node::new("label", vec![ticked, self.name(), print_only(state)])
                    .class("field toggle")
                    .attribute("data-control", self.field.name)
            }
            Kind::Text { .. } => {
                let print_text = print_only(&format!("“{value}”"));
                let written = self.input("text", self.locked).attribute("value", value);
                self.wrapper("field", vec![self.name(), written, print_text])
            }
            // Settings of the bench that consist of several values have no inputs.
            Kind::Indices { .. } | Kind::Span { .. } | Kind::Names(_) => {
                self.wrapper("field", vec![self.name(), print_only(&value)])
            }
        }
    }

    #[inline(never)]
    fn wrapper(&self, class: &'static str, parts: Vec<Node>) -> Node {
        div(class, parts).attribute("data-control", self.field.name)
    }

    fn label(&self) -> &'static str {
        if self.fixed {
            labels::FIXED.get(self.lang)
        } else {
            self.field.label.get(self.lang)
        }
    }

    /// The label, or an explanation if the size is fixed.
    fn tooltip(&self) -> &'static str {
        if self.fixed {
            labels::FIXED_SIZE.get(self.lang)
        } else {
            self.label()
        }
    }

    /// Whether this is a setting of the bench, whose name is shown.
    fn is_bench_setting(&self) -> bool {
        SettingId::named(self.field.name).is_some()
    }

    fn aria_label(&self) -> String {
        if self.is_bench_setting() {
            format!("{}, {}", self.field.name, self.label())
        } else {
            self.label().to_string()
        }
    }

    #[inline(never)]
    fn name(&self) -> Node {
        let mut name = vec![Node::text("span", self.label())];
        if self.is_bench_setting() {
            name.insert(0, Node::text("b", self.field.name));
        }
        match (self.place, &self.field.kind) {
            // The whole control of a toggle is a label.
            (Figure, _) | (Bench, Kind::Toggle(_)) => Node::new("span", name).class("name"),
            (Bench, _) => Node::new("label", name)
                .attribute("for", self.id())
                .attribute("title", self.tooltip()),
        }
    }

    /// The id of the element that the label of a number on the bench refers to.
    fn id(&self) -> String {
        format!("number-{}", self.field.name)
    }

    #[inline(never)]
    fn bare_input(&self, kind: &'static str, locked: bool) -> Node {
        Node::new("input", vec![])
            .attribute("type", kind)
            .attribute("name", self.field.name)
            .attribute("autocomplete", "off")
            .flag("disabled", locked)
    }

    #[inline(never)]
    fn input(&self, kind: &'static str, locked: bool) -> Node {
        self.bare_input(kind, locked)
            .attribute("aria-label", self.aria_label())
    }

    fn number(&self, text: String) -> Node {
        let number = Number::of(self.field, self.values, &text);
        // Fields with a single valid value are disabled.
        let locked = self.locked || number.fixed;
        let slider = number.slider.on(self.input("range", locked));
        let print_text = print_only(&text);
        match self.place {
            Figure => {
                let slider = match number.stops {
                    Some(_) => slider.attribute("aria-valuetext", text),
                    None => slider,
                };
                let written = number.written.on(self.input("number", locked));
                self.wrapper(
                    "field number",
                    vec![self.name(), slider, written, print_text],
                )
            }
            Bench => {
                let filled = number.stops.map(Stops::filled).unwrap_or_default();
                let slider = slider
                    .attribute("aria-valuetext", format!("{} {text}", self.field.name))
                    .attribute("style", filled);
                let written = self
                    .bare_input("number", locked)
                    .attribute("id", self.id())
                    .attribute("style", format!("--digits:{}", number.digits));
                let written = number.written.on(written);
                self.wrapper("control", vec![self.name(), slider, written, print_text])
            }
        }
    }

    /// Whether all choices are in sight: those of the heatmap's columns are, on the bench.
    fn is_switch(&self) -> bool {
        self.place == Bench && self.field.name == COLOUR.name()
    }

    fn switch(&self, choices: &[ChoiceLabel], value: &str) -> Node {
        let choice = |(choice, label): &(&'static str, Text)| {
            let button = self
                .bare_input("radio", self.locked)
                .attribute("value", *choice)
                .flag("checked", *choice == value);
            let label = Node::text("span", label.get(self.lang));
            Node::new("label", vec![button, label])
        };
        let chosen = choices.iter().find(|(choice, _)| *choice == value);
        let print_text = print_only(chosen.map_or("", |(_, label)| label.get(self.lang)));
        let parts = choices.iter().map(choice).chain([print_text]).collect();
        self.wrapper("switch", parts)
            .attribute("role", "radiogroup")
            .attribute("aria-label", labels::COLUMNS.get(self.lang))
    }

    fn list(&self, choices: &[ChoiceLabel], value: String) -> Node {
        let follows = matches!(self.field.kind, Kind::OptionalChoice { .. });
        // The list contains the browser's language, which is selected if no language is set.
        let follows_browser = follows && self.field.name == SettingId::Lang.name();
        let value = if value.is_empty() && follows_browser {
            self.lang.tag()
        } else {
            &value
        };
        let system = (follows && !follows_browser).then_some(("", labels::SYSTEM));
        let options = system.iter().chain(choices).map(|(option, label)| {
            Node::text("option", label.get(self.lang))
                .attribute("value", *option)
                .flag("selected", *option == value)
        });
        let list = Node::new("select", options.collect())
            .attribute("name", self.field.name)
            .flag("disabled", self.locked);
        let chosen = choices.iter().find(|(option, _)| *option == value);
        let print_text = print_only(chosen.map_or("", |(_, label)| label.get(self.lang)));
        match self.place {
            Figure => {
                let list = list.attribute("aria-label", self.aria_label());
                self.wrapper("field", vec![self.name(), list, print_text])
            }
            Bench => {
                let list = list
                    .attribute("aria-label", self.label())
                    .attribute("title", self.label());
                self.wrapper("choice", vec![list, print_text])
            }
        }
    }
}

/// The value as text, printed in place of the control.
#[inline(never)]
fn print_only(value: &str) -> Node {
    span("on-paper", value)
}

/// The attributes of an input for a number.
#[derive(Clone)]
struct Range {
    ends: (String, String),
    step: String,
    at: String,
}

impl Range {
    #[inline(never)]
    fn on(self, input: Node) -> Node {
        input
            .attribute("min", self.ends.0)
            .attribute("max", self.ends.1)
            .attribute("step", self.step)
            .attribute("value", self.at)
    }
}

/// The position of a slider, counted in stops of its scale.
struct Stops {
    zero: i64,
    at: i64,
    ends: (i64, i64),
}

impl Stops {
    /// The part of the track between zero (or the end nearest to it) and the thumb, as CSS properties. The centre of
    /// the thumb stays half its width inside the ends.
    fn filled(self) -> String {
        let (low, high) = self.ends;
        let fraction = |at: i64| (at.clamped(low, high) - low) as f64 / (high - low).max(1) as f64;
        let place =
            |fraction: f64| format!("calc(var(--thumb)/2 + (100% - var(--thumb))*{fraction:.4})");
        let (zero, to) = (fraction(self.zero), fraction(self.at));
        format!(
            "--from:{};--to:{}",
            place(zero.min(to)),
            place(zero.max(to))
        )
    }
}

/// The attributes of the slider and the input box of a number.
struct Number {
    slider: Range,
    written: Range,
    /// `None` for a slider whose values are the numbers themselves.
    stops: Option<Stops>,
    /// The number of characters of the longest of the value and the ends of the slider.
    digits: usize,
    /// Whether only one number is valid.
    fixed: bool,
}

impl Number {
    #[inline(never)]
    fn of(field: &Field, values: &Values, text: &str) -> Number {
        let (limits, reach, step) = match field.kind {
            Kind::Real {
                limits: (low, high),
                scale: SliderScale::Linear,
                decimals,
                ..
            } => {
                let range = Range {
                    ends: (low.to_string(), high.to_string()),
                    step: 10f64
                        .powi(-(decimals.unwrap_or_default() as i32))
                        .to_string(),
                    at: text.to_string(),
                };
                return Number {
                    slider: range.clone(),
                    written: range,
                    stops: None,
                    digits: text.len(),
                    fixed: false,
                };
            }
            Kind::Real {
                limits: (low, high),
                ..
            } => {
                let limits = (low as i64, high as i64);
                (limits, limits, "any")
            }
            _ => (values.limits(field.name), reach(field, values), "1"),
        };
        let scale = field.kind.scale();
        let stop = |value: i64| scale.position(value as f64);
        let ends = (stop(reach.0), stop(reach.1));
        let value = parse::number(text).unwrap_or_default();
        let at = scale.position(value).clamped(ends.0, ends.1);
        let fixed = limits.0 >= limits.1;
        let written = if fixed { reach } else { limits };
        Number {
            slider: Range {
                ends: (ends.0.to_string(), ends.1.to_string()),
                step: "1".into(),
                at: at.to_string(),
            },
            written: Range {
                ends: (written.0.to_string(), written.1.to_string()),
                step: step.into(),
                at: text.to_string(),
            },
            stops: Some(Stops {
                zero: scale.position(0.0),
                at,
                ends,
            }),
            digits: text.len(),
            fixed,
        }
    }
}

/// The ends of a whole number's slider: its reach or, if that is a single value, its reach at the defaults, extended to
/// the value, so that the position of the value is visible.
fn reach(field: &Field, values: &Values) -> (i64, i64) {
    match values.reach(field.name) {
        (low, high) if low < high => (low, high),
        _ => {
            let value = values.whole(field.name);
            let (low, high) = Values::new(values.fields()).reach(field.name);
            (low.min(value), high.max(value))
        }
    }
}

/// The text of the value at a slider's position.
pub fn from_slider(field: &Field, position: &str) -> String {
    match field.kind.scale() {
        SliderScale::Linear => position.to_string(),
        scale => {
            let position = parse::number(position).unwrap_or_default().round() as i64;
            scale.value(position).to_string()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{Key, SETTINGS, fields};

    fields! {
        LOCKED: bool = Key::toggle("locked", "locked", "锁定", false);
        N: i64 = Key::whole("n", "n", "n", 7, |v| if v.get(LOCKED) { (40, 40) } else { (0, 100) });
    }

    fn html(field: &'static Field, values: &Values, place: ControlPlace) -> String {
        let control = Control {
            field,
            values,
            lang: Lang::En,
            locked: false,
            fixed: false,
            place,
        };
        control.node().to_string()
    }

    #[test]
    fn what_follows_from_others_shows_where_it_is() {
        let free = Values::with(FIELDS, "n=5");
        let follows = Values::with(FIELDS, "locked=on n=5");
        assert_eq!(reach(&FIELDS[1], &free), (0, 100));
        assert_eq!(reach(&FIELDS[1], &follows), (0, 100));
        for place in [Figure, Bench] {
            assert!(html(&FIELDS[1], &follows, place).contains("disabled"));
            assert!(!html(&FIELDS[1], &free, place).contains("disabled"));
        }
    }

    #[test]
    fn a_control_has_the_same_range_and_value_wherever_it_stands() {
        let values = Values::with(
            SETTINGS,
            "d_model=64 pos=12 k=-5 base=500 layout=concatenated",
        );
        for key in SettingId::ALL {
            let field = key.field();
            let attributes = |place| {
                // The chosen one is selected in a list, and checked in a switch.
                let html = html(field, &values, place).replace("checked", "selected");
                let compared = ["min", "max", "step", "value", "selected", "disabled"];
                let found: Vec<String> = html
                    .split(['<', ' ', '>'])
                    .filter(|part| {
                        compared
                            .iter()
                            .any(|name| part.split('=').next() == Some(name))
                    })
                    .map(String::from)
                    .collect();
                found
            };
            assert_eq!(attributes(Figure), attributes(Bench), "{}", field.name);
        }
    }

    #[test]
    fn a_slider_is_filled_from_zero() {
        let filled = |at, ends| Stops { zero: 0, at, ends }.filled();
        let place = |fraction| format!("calc(var(--thumb)/2 + (100% - var(--thumb))*{fraction})");
        let both = |from, to| format!("--from:{};--to:{}", place(from), place(to));
        assert_eq!(filled(5, (-10, 10)), both("0.5000", "0.7500"));
        assert_eq!(filled(-5, (-10, 10)), both("0.2500", "0.5000"));
        assert_eq!(filled(3, (1, 5)), both("0.0000", "0.5000"));
    }

    #[test]
    fn a_sliders_position_leads_back_to_the_value() {
        let values = Values::with(SETTINGS, "d_model=768 base=500000");
        for name in ["d_model", "base", "pos"] {
            let field = values.fields().iter().find(|field| field.name == name);
            let (field, text) = (field.unwrap(), values.text(name));
            let number = Number::of(field, &values, &text);
            assert_eq!(from_slider(field, &number.slider.at), text, "{name}");
        }
    }
}
