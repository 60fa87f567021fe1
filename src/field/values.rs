//! The settings of a figure: declared as a list of fields, held as values that are always legal.

use crate::field::parse::{self, Fault, Problem};
use crate::field::{Key, SliderScale, State, nearest};
use crate::math::Clamp;
use crate::text::Text;

/// One setting of a figure. Its name is that in links and, in kebab-case, of the attribute.
#[derive(Debug)]
pub struct Field {
    pub name: &'static str,
    pub label: Text,
    pub kind: Kind,
    pub place: Place,
}

/// Where a field can be changed, and whether links carry it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It has a control; links carry it.
    Control,
    /// The figure's own hands and buttons change it; links carry it.
    Link,
    /// Neither: a prediction, a step of the moment.
    Passing,
    /// Only the figure itself knows it: a drag in progress. Nobody outside reads or sets it.
    Transient,
}

#[derive(Debug)]
pub enum Kind {
    /// A whole number; the limits may depend on the fields before it.
    Whole {
        default: i64,
        limits: fn(&Values) -> (i64, i64),
        scale: SliderScale,
    },
    /// A number with this many decimals, on a slider of equal steps.
    Real {
        default: f64,
        limits: (f64, f64),
        decimals: usize,
    },
    /// One of these; the first is the default.
    Choice(&'static [(&'static str, Text)]),
    Toggle(bool),
    /// Free text of at most so many characters.
    Words {
        default: &'static str,
        most: usize,
    },
}

impl Field {
    const fn new(name: &'static str, en: &'static str, zh: &'static str, kind: Kind) -> Field {
        Field {
            name,
            label: Text::new(en, zh),
            kind,
            place: Place::Control,
        }
    }

    /// A whole number between fixed limits.
    pub const fn whole(
        name: &'static str,
        en: &'static str,
        zh: &'static str,
        default: i64,
        limits: fn(&Values) -> (i64, i64),
    ) -> Field {
        let kind = Kind::Whole {
            default,
            limits,
            scale: SliderScale::Linear,
        };
        Field::new(name, en, zh, kind)
    }

    /// A whole number over many octaves, such as a width or a length.
    pub const fn size(
        name: &'static str,
        en: &'static str,
        zh: &'static str,
        default: i64,
        limits: fn(&Values) -> (i64, i64),
    ) -> Field {
        Field::whole(name, en, zh, default, limits).by_octaves()
    }

    const fn by_octaves(mut self) -> Field {
        if let Kind::Whole { scale, .. } = &mut self.kind {
            *scale = SliderScale::Octaves;
        }
        self
    }

    pub const fn real(
        name: &'static str,
        en: &'static str,
        zh: &'static str,
        default: f64,
        limits: (f64, f64),
        decimals: usize,
    ) -> Field {
        let kind = Kind::Real {
            default,
            limits,
            decimals,
        };
        Field::new(name, en, zh, kind)
    }

    pub const fn choice(
        name: &'static str,
        en: &'static str,
        zh: &'static str,
        choices: &'static [(&'static str, Text)],
    ) -> Field {
        Field::new(name, en, zh, Kind::Choice(choices))
    }

    pub const fn toggle(
        name: &'static str,
        en: &'static str,
        zh: &'static str,
        default: bool,
    ) -> Field {
        Field::new(name, en, zh, Kind::Toggle(default))
    }

    pub const fn words(
        name: &'static str,
        en: &'static str,
        zh: &'static str,
        default: &'static str,
        most: usize,
    ) -> Field {
        Field::new(name, en, zh, Kind::Words { default, most })
    }

    /// The same field without a control.
    pub const fn linked(self) -> Field {
        Field {
            place: Place::Link,
            ..self
        }
    }

    /// The same field, gone with the visit.
    pub const fn passing(self) -> Field {
        Field {
            place: Place::Passing,
            ..self
        }
    }

    /// The same field, for the figure alone.
    pub const fn transient(self) -> Field {
        Field {
            place: Place::Transient,
            ..self
        }
    }

    fn default(&self) -> Value {
        match &self.kind {
            Kind::Whole { default, .. } => Value::Whole(*default),
            Kind::Real { default, .. } => Value::Real(*default),
            Kind::Choice(_) => Value::Choice(0),
            Kind::Toggle(on) => Value::Toggle(*on),
            Kind::Words { default, .. } => Value::Words((*default).into()),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Value {
    Whole(i64),
    Real(f64),
    Choice(usize),
    Toggle(bool),
    Words(String),
}

/// The values of a figure's fields. Every way in clamps. Names are those of the declaration:
/// asking for another is a mistake in the program and panics.
#[derive(Clone, Debug)]
pub struct Values {
    fields: &'static [Field],
    values: Vec<Value>,
}

impl PartialEq for Values {
    fn eq(&self, other: &Values) -> bool {
        std::ptr::eq(self.fields, other.fields) && self.values == other.values
    }
}

impl Values {
    pub fn new(fields: &'static [Field]) -> Values {
        let values = fields.iter().map(Field::default).collect();
        Values { fields, values }
    }

    pub fn fields(&self) -> &'static [Field] {
        self.fields
    }

    fn index(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == name)
    }

    fn get(&self, name: &str) -> &Value {
        let index = self.index(name);
        &self.values[index.unwrap_or_else(|| panic!("no field {name}"))]
    }

    /// Whether there is a field of this name for anybody outside the figure.
    pub fn has(&self, name: &str) -> bool {
        self.public().any(|field| field.name == name)
    }

    /// The fields that may be read and set from outside: all but the transient ones.
    pub fn public(&self) -> impl Iterator<Item = &'static Field> + use<> {
        let fields = self.fields.iter();
        fields.filter(|field| field.place != Place::Transient)
    }

    pub fn whole(&self, name: &str) -> i64 {
        match self.get(name) {
            Value::Whole(value) => *value,
            _ => panic!("{name} is no whole number"),
        }
    }

    /// A whole number that cannot be negative.
    pub fn count(&self, name: &str) -> usize {
        self.whole(name).max(0) as usize
    }

    pub fn real(&self, name: &str) -> f64 {
        match self.get(name) {
            Value::Real(value) => *value,
            _ => panic!("{name} is no number"),
        }
    }

    /// The chosen value as it is written in links.
    pub fn choice(&self, name: &str) -> &'static str {
        let index = self.index(name).unwrap_or(usize::MAX);
        match (self.get(name), &self.fields[index].kind) {
            (Value::Choice(value), Kind::Choice(choices)) => choices[*value].0,
            _ => panic!("{name} is no choice"),
        }
    }

    pub fn on(&self, name: &str) -> bool {
        match self.get(name) {
            Value::Toggle(value) => *value,
            _ => panic!("{name} is no toggle"),
        }
    }

    pub fn words(&self, name: &str) -> &str {
        match self.get(name) {
            Value::Words(value) => value,
            _ => panic!("{name} is no text"),
        }
    }

    /// The limits of a whole number as things stand.
    pub fn limits(&self, name: &str) -> (i64, i64) {
        let index = self.index(name).unwrap_or(usize::MAX);
        match self.fields.get(index).map(|field| &field.kind) {
            Some(Kind::Whole { limits, .. }) => limits(self),
            _ => panic!("{name} is no whole number"),
        }
    }

    pub fn set_whole(&mut self, name: &str, value: i64) {
        self.set(name, &value.to_string());
    }

    pub fn set_on(&mut self, name: &str, on: bool) {
        self.set(name, if on { "on" } else { "off" });
    }

    /// What moves when the figure plays: position, step or offset, whichever it has.
    pub fn playable(&self) -> Option<&'static str> {
        ["pos", "step", "k"].into_iter().find(|name| {
            self.fields
                .iter()
                .any(|field| field.name == *name && matches!(field.kind, Kind::Whole { .. }))
        })
    }

    /// A field as text: what [`Values::set`] reads and links carry.
    pub fn text(&self, name: &str) -> String {
        let index = self.index(name).unwrap_or(usize::MAX);
        match (self.get(name), &self.fields[index].kind) {
            (Value::Whole(value), _) => value.to_string(),
            (Value::Real(value), Kind::Real { decimals, .. }) => format!("{value:.decimals$}"),
            (Value::Choice(value), Kind::Choice(choices)) => choices[*value].0.into(),
            (Value::Toggle(on), _) => if *on { "on" } else { "off" }.into(),
            (Value::Words(words), _) => words.clone(),
            _ => unreachable!("values have the kind of their field"),
        }
    }

    /// Reads a field from text; of a bad one the nearest legal value (or the default, where
    /// nothing is near) is used and the problem returned. A name that is no field's is no problem
    /// of ours.
    pub fn set(&mut self, name: &str, text: &str) -> Option<Problem> {
        let index = self.index(name)?;
        let field = &self.fields[index];
        let trimmed = text.trim();
        let (value, fault) = match &field.kind {
            Kind::Whole { limits, .. } => {
                let (low, high) = limits(self);
                let (value, fault) = parse::whole(trimmed, low, high);
                (value.map(Value::Whole), fault)
            }
            Kind::Real {
                limits, decimals, ..
            } => match parse::number(trimmed) {
                None => (None, Some(Fault::NotANumber)),
                Some(number) => {
                    let legal = number.clamped(limits.0, limits.1);
                    let fault = (legal != number).then_some(Fault::OutOfRange);
                    // No finer than it is written: a link has to lead to the very same figure.
                    let fine = 10f64.powi(*decimals as i32);
                    (Some(Value::Real((legal * fine).round() / fine)), fault)
                }
            },
            Kind::Choice(choices) => {
                let found = choices
                    .iter()
                    .position(|(choice, _)| choice.eq_ignore_ascii_case(trimmed));
                let fault = found.is_none().then_some(Fault::NotAChoice);
                let found = found.or_else(|| {
                    let names = || choices.iter().map(|(choice, _)| *choice);
                    let meant = nearest(trimmed, names())?;
                    names().position(|choice| choice == meant)
                });
                (found.map(Value::Choice), fault)
            }
            Kind::Toggle(_) => {
                let on = match trimmed.to_ascii_lowercase().as_str() {
                    "on" | "true" | "1" | "yes" => Some(true),
                    "off" | "false" | "0" | "no" => Some(false),
                    _ => None,
                };
                let fault = on.is_none().then_some(Fault::NotAChoice);
                (on.map(Value::Toggle), fault)
            }
            Kind::Words { most, .. } => {
                let clean = |c: char| if c.is_control() { ' ' } else { c };
                let words = text.chars().map(clean).take(*most).collect();
                let fault = (text.chars().nth(*most).is_some()).then_some(Fault::OutOfRange);
                (Some(Value::Words(words)), fault)
            }
        };
        self.values[index] = value.unwrap_or_else(|| field.default());
        self.settle();
        fault.map(|fault| Problem::new(field.name, fault, text, self.text(name)))
    }

    /// Makes numbers legal again whose limits have changed.
    fn settle(&mut self) {
        for index in 0..self.fields.len() {
            if let (Kind::Whole { limits, .. }, Value::Whole(value)) =
                (&self.fields[index].kind, &self.values[index])
            {
                let (low, high) = limits(self);
                self.values[index] = Value::Whole((*value).clamp(low, high.max(low)));
            }
        }
    }

    /// Gives a field its default; a name that is no field's is none of ours.
    pub fn clear(&mut self, name: &str) {
        if let Some(index) = self.index(name) {
            self.values[index] = self.fields[index].default();
            self.settle();
        }
    }

    pub fn reset(&mut self) {
        *self = Values::new(self.fields);
    }

    /// What differs from the defaults, as links carry it.
    pub fn changed(&self) -> Vec<(&'static str, String)> {
        let default = Values::new(self.fields);
        self.fields
            .iter()
            .filter(|field| !matches!(field.place, Place::Passing | Place::Transient))
            .map(|field| (field.name, self.text(field.name)))
            .filter(|(name, text)| *text != default.text(name))
            .collect()
    }

    /// The settings of the bench that have a field of the same name here.
    pub fn for_bench(&self) -> Vec<(&'static str, String)> {
        self.fields
            .iter()
            .filter(|field| Key::named(field.name).is_some())
            .map(|field| (field.name, self.text(field.name)))
            .collect()
    }
}

impl Values {
    /// The bench's state in which those settings are set.
    pub fn state(&self) -> State {
        let mut state = State::default();
        for (name, text) in self.for_bench() {
            if let Some(key) = Key::named(name) {
                state.apply(key, &text);
            }
        }
        state
    }
}

#[cfg(test)]
impl Values {
    /// Values after changes written as in links, with spaces between them.
    pub fn with(fields: &'static [Field], changes: &str) -> Values {
        let mut values = Values::new(fields);
        for change in changes.split_whitespace() {
            let (name, text) = change.split_once('=').expect("name=value");
            assert!(values.index(name).is_some(), "{name}");
            values.set(name, text);
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static FIELDS: &[Field] = &[
        Field::size("max_len", "length", "位置数", 64, |_| (1, 4096)),
        Field::whole("pos", "position", "位置", 10, |v| {
            (0, v.whole("max_len") - 1)
        }),
        Field::real("scale", "scale", "比例", 1.0, (0.0, 8.0), 2),
        Field::choice(
            "code",
            "code",
            "编码",
            &[
                ("sine", Text::new("sine", "正弦")),
                ("binary", Text::new("binary", "二进制")),
            ],
        ),
        Field::toggle("pe", "positions", "位置编码", true),
        Field::words("sentence", "sentence", "句子", "猫追狗", 8).linked(),
        Field::toggle("asked", "asked", "已问", false).passing(),
        Field::toggle("held", "held", "按住", false).transient(),
    ];

    #[test]
    fn values_are_legal_whatever_is_written() {
        let mut values = Values::new(FIELDS);
        assert_eq!(values.set("pos", "63"), None);
        assert_eq!(values.set("max_len", "8"), None);
        assert_eq!(values.whole("pos"), 7);
        for (name, text, used) in [
            ("pos", "99", "7"),
            ("pos", "x", "7"),
            ("scale", "-1", "0.00"),
            ("code", "gray", "sine"),
            ("pe", "maybe", "on"),
            ("sentence", "一二三四五六七八九", "一二三四五六七八"),
        ] {
            let problem = values.set(name, text).expect("a bad value is a problem");
            assert_eq!((problem.name, problem.used.as_str()), (name, used));
            assert_eq!(values.text(name), used);
        }
        assert_eq!(values.set("unknown", "1"), None);
    }

    #[test]
    fn links_carry_what_differs_and_lasts() {
        let mut values = Values::new(FIELDS);
        assert!(values.changed().is_empty());
        values.set("pos", "3");
        values.set("asked", "on");
        values.set_on("held", true);
        assert_eq!(values.changed(), [("pos", "3".to_string())]);
        assert_eq!(values.for_bench().len(), 2);
        values.reset();
        assert!(values.changed().is_empty());
    }

    #[test]
    fn what_is_transient_is_known_to_the_figure_alone() {
        let mut values = Values::new(FIELDS);
        values.set_on("held", true);
        assert!(values.on("held"));
        assert!(values.has("asked") && !values.has("held"));
        assert!(values.public().all(|field| field.name != "held"));
        assert_eq!(values.public().count(), FIELDS.len() - 1);
    }
}
