//! Controls, made from the declared fields: a slider and a box for every number, a list for every choice.

use crate::field::{Field, Key, Kind, State, parse};
use crate::text::{Lang, labels};
use crate::web::dom::{El, Slot, change_attr, el, set_style};
use web_sys::{Element, HtmlInputElement, HtmlSelectElement};

/// The control of one setting, kept in step with the state.
pub struct Control {
    key: Key,
    field: &'static Field,
    parts: Parts,
    paper: Slot,
}

enum Parts {
    Number {
        slider: HtmlInputElement,
        number: HtmlInputElement,
        /// What the setting means, beside its name.
        words: Element,
        shown: Option<Numbers>,
    },
    Choice {
        list: HtmlSelectElement,
        shown: Option<String>,
    },
}

/// What a slider and its box show.
#[derive(PartialEq)]
struct Numbers {
    text: String,
    position: i64,
    travel: (i64, i64),
    limits: (i64, i64),
}

impl Control {
    /// The control and the element that holds it; `None` for a setting that has none.
    pub fn new(key: Key, lang: Lang) -> Option<(Control, El)> {
        let field = key.field();
        let (parts, element) = match &field.kind {
            Kind::Whole { .. } => number(field, lang, "1"),
            Kind::Real { .. } => number(field, lang, "any"),
            Kind::Choice(_) | Kind::OptionalChoice { .. } => list(field, lang),
            _ => return None,
        };
        let words = el("span").class("on-paper");
        let element = element.child(&words);
        let paper = Slot::new(&words);
        let control = Control {
            key,
            field,
            parts,
            paper,
        };
        Some((control, element))
    }

    /// Writes the value as the words that are printed in place of the control.
    pub fn put_on_paper(&mut self, state: &State, lang: Lang) {
        let text = state.text(self.key);
        let mut choices = self.field.kind.choices().iter();
        let words = match self.parts {
            Parts::Choice { .. } => {
                let chosen = choices.find(|(value, _)| *value == text);
                chosen.map_or("", |(_, label)| label.get(lang))
            }
            Parts::Number { .. } => &text,
        };
        self.paper.set(words);
    }

    /// Shows the state; a box that is being written in is left alone.
    pub fn show(&mut self, state: &State, lang: Lang, editing: Option<Key>) {
        let text = match state.text(self.key) {
            text if text.is_empty() && self.key == Key::Lang => lang.tag().to_string(),
            text => text,
        };
        match &mut self.parts {
            Parts::Choice { list, shown } => {
                if shown.as_deref() != Some(&text) {
                    list.set_value(&text);
                    *shown = Some(text);
                }
            }
            Parts::Number {
                slider,
                number,
                shown,
                ..
            } => {
                let (limits, reach) = match &self.field.kind {
                    Kind::Real {
                        limits: (low, high),
                        ..
                    } => {
                        let limits = (*low as i64, *high as i64);
                        (limits, limits)
                    }
                    _ => {
                        let (name, values) = (self.field.name, state.values());
                        (values.limits(name), values.reach(name))
                    }
                };
                let scale = self.field.kind.scale();
                let value = parse::number(&text).unwrap_or_default();
                let travel = (
                    scale.position(reach.0 as f64),
                    scale.position(reach.1 as f64),
                );
                let position = scale.position(value).clamp(travel.0, travel.1);
                let new = Numbers {
                    text,
                    position,
                    travel,
                    limits,
                };
                if shown.as_ref() == Some(&new) {
                    return;
                }
                let old = shown.as_ref();
                if old.map(|o| (o.travel, o.limits)) != Some((new.travel, new.limits)) {
                    slider.set_min(&travel.0.to_string());
                    slider.set_max(&travel.1.to_string());
                    number.set_min(&limits.0.to_string());
                    number.set_max(&limits.1.to_string());
                }
                slider.set_value(&position.to_string());
                set_style(slider, &filled(scale.position(0.0), position, travel));
                let widest = [reach.0, reach.1].map(|end| end.to_string().len());
                let digits = widest.into_iter().fold(new.text.len(), usize::max);
                set_style(number, &format!("--digits:{digits}"));
                // The slider counts stops; its value in words is the setting's.
                let spoken = format!("{} {}", self.field.name, new.text);
                let _ = slider.set_attribute("aria-valuetext", &spoken);
                if editing != Some(self.key) {
                    number.set_value(&new.text);
                }
                *shown = Some(new);
            }
        }
    }

    /// Writes the value again even where it has not changed: the box may hold something bad.
    pub fn forget(&mut self) {
        match &mut self.parts {
            Parts::Number { shown, .. } => *shown = None,
            Parts::Choice { shown, .. } => *shown = None,
        }
    }

    pub fn key(&self) -> Key {
        self.key
    }

    /// Says beside the name, instead of what it means, that the table has a size of its own.
    pub fn explain(&self, fixed: bool, lang: Lang) {
        if let Parts::Number { slider, words, .. } = &self.parts {
            let label = if fixed {
                labels::FIXED
            } else {
                self.field.label
            };
            words.set_text_content(Some(label.get(lang)));
            let spoken = format!("{}, {}", self.field.name, label.get(lang));
            change_attr(slider, "aria-label", &spoken);
            let reason = if fixed {
                labels::FIXED_SIZE
            } else {
                self.field.label
            };
            if let Some(label) = words.parent_element() {
                change_attr(&label, "title", reason.get(lang));
            }
        }
    }

    /// Takes the control out of use, or back into it.
    pub fn disable(&self, disabled: bool) {
        match &self.parts {
            Parts::Number { slider, number, .. } => {
                slider.set_disabled(disabled);
                number.set_disabled(disabled);
            }
            Parts::Choice { list, .. } => list.set_disabled(disabled),
        }
    }
}

/// The part of a slider's track between zero (or its left end) and the thumb. The thumb's middle stays half its width inside
/// the ends.
fn filled(zero: i64, position: i64, (low, high): (i64, i64)) -> String {
    let share = |at: i64| (at.clamp(low, high) - low) as f64 / (high - low).max(1) as f64;
    let place = |share: f64| format!("calc(var(--thumb)/2 + (100% - var(--thumb))*{share:.4})");
    let (zero, to) = (share(zero), share(position));
    format!(
        "--from:{};--to:{}",
        place(zero.min(to)),
        place(zero.max(to))
    )
}

/// The text a slider's position stands for.
pub fn slider_text(key: Key, position: &str) -> String {
    let position = parse::number(position).unwrap_or_default().round() as i64;
    key.field().kind.scale().value(position).to_string()
}

fn number(field: &'static Field, lang: Lang, step: &str) -> (Parts, El) {
    let name = field.name;
    let id = format!("number-{name}");
    let words = field.label.get(lang);
    let meaning = el("span").text(words);
    let label = el("label")
        .attr("for", &id)
        .attr("title", words)
        .children([&el("b").text(name), &meaning]);
    let number = el("input")
        .attr("type", "number")
        .attr("name", name)
        .attr("id", &id)
        .attr("step", step)
        .attr("autocomplete", "off");
    let slider = el("input")
        .attr("type", "range")
        .attr("name", name)
        .attr("step", "1")
        .attr("aria-label", &format!("{name}, {words}"));
    let parts = Parts::Number {
        slider: slider.cast(),
        number: number.cast(),
        words: meaning.0,
        shown: None,
    };
    let holder = el("div").class("control").attr("data-control", name);
    (parts, holder.children([&label, &number, &slider]))
}

fn list(field: &'static Field, lang: Lang) -> (Parts, El) {
    let words = field.label.get(lang);
    let select = el("select")
        .attr("name", field.name)
        .attr("aria-label", words)
        .attr("title", words);
    // What follows the browser or the system has no value of its own.
    let follows = matches!(field.kind, Kind::OptionalChoice { .. });
    if follows && field.name != Key::Lang.name() {
        select.clone().child(
            &el("option")
                .attr("value", "")
                .text(labels::SYSTEM.get(lang)),
        );
    }
    for (value, label) in field.kind.choices() {
        let option = el("option").attr("value", value).text(label.get(lang));
        select.clone().child(&option);
    }
    let parts = Parts::Choice {
        list: select.cast(),
        shown: None,
    };
    let holder = el("div").class("choice").attr("data-control", field.name);
    (parts, holder.child(&select))
}
