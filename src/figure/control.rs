//! The control of one field as an element: a slider and a box for a number, a list for a choice, a box to tick for a
//! toggle.

use crate::field::{Choice, Field, Kind, SettingId, SliderScale, Values, parse};
use crate::math::Clamp;
use crate::text::markup::Node;
use crate::text::markup::html::*;
use crate::text::{Lang, Text, labels};

const ON: Text = Text::new("on", "开");
const OFF: Text = Text::new("off", "关");

/// Where a control stands. On the bench the names of settings are seen and their words are not, and the part of a slider
/// that is filled begins at zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlPlace {
    Figure,
    Bench,
}

use ControlPlace::{Bench, Figure};

/// What a control is made from.
pub struct Control<'a> {
    pub field: &'static Field,
    pub values: &'a Values,
    pub lang: Lang,
    pub locked: bool,
    /// The size is fixed by the encoding's table.
    pub fixed: bool,
    pub place: ControlPlace,
}

impl Control<'_> {
    pub fn node(&self) -> Node {
        let value = self.values.text(self.field.name);
        match &self.field.kind {
            Kind::Integer { .. } | Kind::Real { .. } => self.number(value),
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
            // The settings of the bench that are more than one value have no controls.
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
        match self.fixed {
            true => labels::FIXED.get(self.lang),
            false => self.field.label.get(self.lang),
        }
    }

    /// The label, or a longer explanation.
    fn tooltip(&self) -> &'static str {
        match self.fixed {
            true => labels::FIXED_SIZE.get(self.lang),
            false => self.label(),
        }
    }

    /// Settings of the bench show their names.
    fn is_bench_setting(&self) -> bool {
        SettingId::named(self.field.name).is_some()
    }

    fn aria_label(&self) -> String {
        match self.is_bench_setting() {
            true => format!("{}, {}", self.field.name, self.label()),
            false => self.label().to_string(),
        }
    }

    #[inline(never)]
    fn name(&self) -> Node {
        let mut name = vec![Node::text("span", self.label())];
        if self.is_bench_setting() {
            name.insert(0, Node::text("b", self.field.name));
        }
        match self.place {
            Figure => Node::new("span", name).class("name"),
            Bench => Node::new("label", name)
                .attribute("for", self.id())
                .attribute("title", self.tooltip()),
        }
    }

    /// What the label of a number on the bench points to.
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
                self.wrapper("control", vec![self.name(), written, slider, print_text])
            }
        }
    }

    fn list(&self, choices: &[Choice], value: String) -> Node {
        let follows = matches!(self.field.kind, Kind::OptionalChoice { .. });
        // The language of the browser is one of those that are listed.
        let follows_browser = follows && self.field.name == SettingId::Lang.name();
        let value = match value.is_empty() && follows_browser {
            true => self.lang.tag(),
            false => &value,
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

/// What an input for a number says of it.
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

/// Position of a slider that counts the stops of its scale.
struct Stops {
    zero: i64,
    at: i64,
    ends: (i64, i64),
}

impl Stops {
    /// The part of the track between zero (or its left end) and the thumb, as properties of its style. The thumb's middle
    /// stays half its width inside the ends.
    fn filled(self) -> String {
        let (low, high) = self.ends;
        let share = |at: i64| (at.clamped(low, high) - low) as f64 / (high - low).max(1) as f64;
        let place = |share: f64| format!("calc(var(--thumb)/2 + (100% - var(--thumb))*{share:.4})");
        let (zero, to) = (share(self.zero), share(self.at));
        format!(
            "--from:{};--to:{}",
            place(zero.min(to)),
            place(zero.max(to))
        )
    }
}

/// What the slider and the box of a number say of it.
struct Number {
    slider: Range,
    written: Range,
    /// `None` for a slider that has the numbers themselves.
    stops: Option<Stops>,
    /// Characters of the longest number that the slider leads to.
    digits: usize,
    /// Only one number is valid.
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
        let widest = [reach.0, reach.1].map(|end| end.to_string().len());
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
            digits: widest.into_iter().fold(text.len(), usize::max),
            fixed,
        }
    }
}

/// The ends of a whole number's slider: its reach, or where that is one value, the reach that it has in other states, so
/// that its place can be seen.
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

/// The text that a slider's position stands for.
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
    use crate::field::SETTINGS;

    static FIELDS: &[Field] = &[
        Field::toggle("locked", "locked", "锁定", false),
        Field::whole("n", "n", "n", 7, |v| {
            if v.on("locked") { (40, 40) } else { (0, 100) }
        }),
    ];

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
            let of = |place| {
                let html = html(field, &values, place);
                let said = ["min", "max", "step", "value", "selected", "disabled"];
                let mut said: Vec<String> = html
                    .split(['<', ' ', '>'])
                    .filter(|part| said.iter().any(|name| part.split('=').next() == Some(name)))
                    .map(String::from)
                    .collect();
                // The box stands before the slider on the bench.
                said.sort();
                said
            };
            assert_eq!(of(Figure), of(Bench), "{}", field.name);
        }
    }

    #[test]
    fn a_slider_is_filled_from_zero() {
        let filled = |at, ends| Stops { zero: 0, at, ends }.filled();
        let place = |share| format!("calc(var(--thumb)/2 + (100% - var(--thumb))*{share})");
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
