//! The value of one field: read from text, written as text, kept within its limits.

use crate::field::declaration::{ChoiceLabel, Kind, KnownNames};
use crate::field::parse::{self, DiagnosticKind};
use crate::field::{Names, Span, Values, nearest};
use crate::math::Clamp;

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Integer(i64),
    Real(f64),
    /// The index of the choice.
    Choice(usize),
    OptionalChoice(Option<usize>),
    Toggle(bool),
    Text(String),
    Indices(Vec<usize>),
    Span(Option<Span>),
    Names(Names),
}

impl Kind {
    /// The name of a choice in links, empty for none; `None` if this is no choice.
    pub(super) fn choice_name(&self, value: &Value) -> Option<&'static str> {
        match value {
            Value::Choice(index) | Value::OptionalChoice(Some(index)) => {
                Some(self.choices()[*index].0)
            }
            Value::OptionalChoice(None) => Some(""),
            _ => None,
        }
    }

    pub(super) fn default(&self) -> Value {
        match self {
            Kind::Integer { default, .. } => Value::Integer(*default),
            Kind::Real { default, .. } => Value::Real(*default),
            Kind::Choice(_) => Value::Choice(0),
            Kind::OptionalChoice { .. } => Value::OptionalChoice(None),
            Kind::Toggle(on) => Value::Toggle(*on),
            Kind::Text { default, .. } => Value::Text((*default).into()),
            Kind::Indices { .. } => Value::Indices(Vec::new()),
            Kind::Span { .. } => Value::Span(None),
            Kind::Names { .. } => Value::Names(Names::default()),
        }
    }

    /// The valid value nearest to the text (`None` if none is near), and the kind of error if the text is not valid.
    pub(super) fn read(
        &self,
        text: &str,
        values: &Values,
    ) -> (Option<Value>, Option<DiagnosticKind>) {
        let trimmed = text.trim();
        match self {
            Kind::Integer { limits, .. } => {
                let (low, high) = limits(values);
                let (value, kind) = parse::whole(trimmed, low, high);
                (value.map(Value::Integer), kind)
            }
            Kind::Real {
                limits: (low, high),
                above,
                decimals,
                ..
            } => match parse::number(trimmed) {
                None => (None, Some(DiagnosticKind::NotANumber)),
                Some(number) if *above && number <= *low => {
                    (None, Some(DiagnosticKind::OutOfRange))
                }
                Some(number) => {
                    let valid = number.clamped(*low, *high);
                    let kind = (valid != number).then_some(DiagnosticKind::OutOfRange);
                    (Some(Value::Real(rounded(valid, *decimals))), kind)
                }
            },
            Kind::Choice(choices) => {
                let (choice, kind) = read_choice(trimmed, choices);
                (choice.map(Value::Choice), kind)
            }
            Kind::OptionalChoice { choices, .. } => {
                let (choice, kind) = read_choice(trimmed, choices);
                let kind = kind.filter(|_| !trimmed.is_empty());
                (Some(Value::OptionalChoice(choice)), kind)
            }
            Kind::Toggle(_) => {
                let on = match trimmed.to_ascii_lowercase().as_str() {
                    "on" | "true" | "1" | "yes" => Some(true),
                    "off" | "false" | "0" | "no" => Some(false),
                    _ => None,
                };
                let kind = on.is_none().then_some(DiagnosticKind::NotAnOption);
                (on.map(Value::Toggle), kind)
            }
            Kind::Text { most, .. } => {
                let clean = |c: char| if c.is_control() { ' ' } else { c };
                let words = text.chars().map(clean).take(*most).collect();
                let kind =
                    (text.chars().nth(*most).is_some()).then_some(DiagnosticKind::OutOfRange);
                (Some(Value::Text(words)), kind)
            }
            Kind::Indices { most, limits } => {
                let (indices, kind) = read_indices(trimmed, *most, limits(values));
                (Some(Value::Indices(indices)), kind)
            }
            Kind::Span { cells } => {
                let (span, kind) = read_span(trimmed, cells(values));
                (Some(Value::Span(span)), kind)
            }
            Kind::Names(known) => {
                let mut names = Names::read(trimmed);
                let unknown = names.keep(|name| (known.contain)(values, name));
                let kind = unknown.then_some(DiagnosticKind::NotAnOption);
                (Some(Value::Names(names)), kind)
            }
        }
    }

    /// The value as written in links; empty if nothing is set.
    pub(super) fn write(&self, value: &Value) -> String {
        match value {
            Value::Integer(value) => value.to_string(),
            Value::Real(value) => match self {
                Kind::Real {
                    decimals: Some(decimals),
                    ..
                } => format!("{value:.decimals$}"),
                _ => value.to_string(),
            },
            Value::Choice(_) | Value::OptionalChoice(_) => {
                self.choice_name(value).unwrap_or_default().into()
            }
            Value::Toggle(on) => if *on { "on" } else { "off" }.into(),
            Value::Text(text) => text.clone(),
            Value::Indices(indices) => {
                let indices: Vec<_> = indices.iter().map(usize::to_string).collect();
                indices.join(",")
            }
            Value::Span(span) => span.map_or(String::new(), |span| {
                format!("{}-{}", span.start(), span.end())
            }),
            Value::Names(names) => names.text(),
        }
    }

    /// The valid value nearest to one that was valid before other fields changed; `None` if it is still valid.
    pub(super) fn refit(&self, value: &Value, values: &Values) -> Option<Value> {
        let fitted = match (self, value) {
            (Kind::Integer { limits, .. }, Value::Integer(value)) => {
                let (low, high) = limits(values);
                Value::Integer((*value).clamped(low, high))
            }
            (
                Kind::Real {
                    limits: (low, high),
                    decimals,
                    ..
                },
                Value::Real(value),
            ) => Value::Real(rounded((*value).clamped(*low, *high), *decimals)),
            (Kind::Text { most, .. }, Value::Text(text)) => {
                Value::Text(text.chars().take(*most).collect())
            }
            (Kind::Indices { limits, .. }, Value::Indices(indices)) => {
                let (low, high) = limits(values);
                let valid = |index: &&usize| (low..=high).contains(&(**index as i64));
                Value::Indices(indices.iter().filter(valid).copied().collect())
            }
            (Kind::Span { cells }, Value::Span(Some(span))) => {
                let cells = cells(values);
                let fitted = Span::fitted(span.start(), span.end(), cells);
                Value::Span(fitted.filter(|&fitted| fitted != Span::whole(cells)))
            }
            (Kind::Names(known), Value::Names(names)) => {
                let mut names = names.clone();
                names.keep(|name| (known.contain)(values, name));
                Value::Names(names)
            }
            _ => return None,
        };
        (fitted != *value).then_some(fitted)
    }
}

impl KnownNames {
    /// The known name that is closest to the first unknown one of a list.
    pub(super) fn meant(&self, values: &Values, listed: &str) -> Option<&'static str> {
        let Names::Listed(listed) = Names::read(listed) else {
            return None;
        };
        let unknown = listed.iter().find(|name| !(self.contain)(values, name))?;
        (self.nearest)(values, unknown)
    }
}

/// Rounds to the decimals that are written, so that a link restores exactly the same figure.
fn rounded(value: f64, decimals: Option<usize>) -> f64 {
    let Some(decimals) = decimals else {
        return value;
    };
    let fine = 10f64.powi(decimals as i32);
    (value * fine).round() / fine
}

fn read_choice(
    text: &str,
    choices: &'static [ChoiceLabel],
) -> (Option<usize>, Option<DiagnosticKind>) {
    let named = |name: &str| {
        choices
            .iter()
            .position(|(choice, _)| choice.eq_ignore_ascii_case(name))
    };
    if let Some(found) = named(text) {
        return (Some(found), None);
    }
    let meant = nearest(text, choices.iter().map(|(choice, _)| *choice));
    (meant.and_then(named), Some(DiagnosticKind::NotAnOption))
}

/// Numbers separated by commas; invalid ones are omitted.
fn read_indices(
    text: &str,
    most: usize,
    (low, high): (i64, i64),
) -> (Vec<usize>, Option<DiagnosticKind>) {
    let mut indices = Vec::new();
    let mut worst = None;
    for part in text.split(',').filter(|part| !part.trim().is_empty()) {
        let (index, kind) = parse::whole(part, low, high);
        worst = worst.or(kind);
        if let (Some(index), None) = (index, kind)
            && !indices.contains(&(index as usize))
        {
            if indices.len() == most {
                return (indices, Some(DiagnosticKind::OutOfRange));
            }
            indices.push(index as usize);
        }
    }
    (indices, worst)
}

fn read_span(text: &str, cells: usize) -> (Option<Span>, Option<DiagnosticKind>) {
    if text.is_empty() {
        return (None, None);
    }
    let edges = text.split_once('-');
    let edges = edges.and_then(|(a, b)| Some((parse::number(a)?, parse::number(b)?)));
    let Some((start, end)) = edges else {
        return (None, Some(DiagnosticKind::NotARange));
    };
    let inside = start >= 0.0 && end <= cells as f64 && start < end;
    let kind = (!inside).then_some(DiagnosticKind::OutOfRange);
    (Span::fitted(start, end, cells), kind)
}
