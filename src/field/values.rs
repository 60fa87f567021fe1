//! Values of declared fields, which are always valid.

use crate::field::value::Value;
use crate::field::{Diagnostic, Field, Kind, Persistence};
use std::mem::discriminant;

/// The values of a list of fields. Every setter clamps to valid values. A name that is not declared is a programming
/// error and panics, except where stated.
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
        let values = fields.iter().map(|field| field.kind.default()).collect();
        Values { fields, values }
    }

    pub fn fields(&self) -> &'static [Field] {
        self.fields
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == name)
    }

    fn index(&self, name: &str) -> usize {
        self.find(name).unwrap_or_else(|| panic!("no field {name}"))
    }

    pub(super) fn at(&self, index: usize) -> &Value {
        &self.values[index]
    }

    /// Whether a field of this name can be read and set from outside the figure.
    pub fn has(&self, name: &str) -> bool {
        self.public().any(|field| field.name == name)
    }

    /// The fields that may be read and set from outside: all but the transient ones.
    pub fn public(&self) -> impl Iterator<Item = &'static Field> + use<> {
        let fields = self.fields.iter();
        fields.filter(|field| field.persistence != Persistence::Transient)
    }

    pub fn whole(&self, name: &str) -> i64 {
        match self.declared(name) {
            (Value::Integer(value), _) => *value,
            _ => panic!("{name} is no whole number"),
        }
    }

    /// The value of a field and its kind.
    pub(super) fn declared(&self, name: &str) -> (&Value, &Kind) {
        let index = self.index(name);
        (self.at(index), &self.fields[index].kind)
    }

    /// The whole number of this name; `None` if there is no field of this name, or it has values of another kind.
    pub fn integer(&self, name: &str) -> Option<i64> {
        match self.public_value(name)? {
            Value::Integer(value) => Some(*value),
            _ => None,
        }
    }

    /// The number of this name, whole or not; `None` if there is no such field.
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.public_value(name)? {
            Value::Integer(value) => Some(*value as f64),
            Value::Real(value) => Some(*value),
            _ => None,
        }
    }

    fn public_value(&self, name: &str) -> Option<&Value> {
        self.has(name).then(|| self.at(self.index(name)))
    }

    /// A whole number; 0 if it is negative.
    pub(super) fn count_of(&self, name: &str) -> usize {
        self.whole(name).max(0) as usize
    }

    /// The limits of a whole number, given the current values.
    pub fn limits(&self, name: &str) -> (i64, i64) {
        match self.fields[self.index(name)].kind {
            Kind::Integer { limits, .. } => limits(self),
            _ => panic!("{name} is no whole number"),
        }
    }

    /// The range that the slider of a whole number covers, given the current values.
    pub fn reach(&self, name: &str) -> (i64, i64) {
        match self.fields[self.index(name)].kind {
            Kind::Integer { limits, slider, .. } => slider.unwrap_or(limits)(self),
            _ => panic!("{name} is no whole number"),
        }
    }

    /// Sets a whole number to the valid one nearest to `value`.
    pub fn set_whole(&mut self, name: &str, value: i64) {
        self.set_value(name, Value::Integer(value));
    }

    pub(super) fn set_value(&mut self, name: &str, value: Value) {
        self.replace(self.index(name), value);
    }

    /// Sets a field to the valid value nearest to `value`, which must be of the field's kind, and adjusts the fields
    /// that depend on it.
    pub(super) fn replace(&mut self, index: usize, value: Value) {
        debug_assert_eq!(discriminant(self.at(index)), discriminant(&value));
        self.values[index] = value;
        self.settle();
    }

    /// The field that playback advances: position, step or offset, the first that exists.
    pub fn playable(&self) -> Option<&'static str> {
        ["pos", "step", "k"].into_iter().find(|name| {
            let kind = self.find(name).map(|index| &self.fields[index].kind);
            matches!(kind, Some(Kind::Integer { .. }))
        })
    }

    /// Moves the playable field by a number of steps, wrapping around at its limits; returns false if there is none.
    pub fn step(&mut self, by: i64) -> bool {
        let Some(name) = self.playable() else {
            return false;
        };
        let (low, high) = self.limits(name);
        let span = (high - low).saturating_add(1);
        let from = self.whole(name) - low;
        self.set_whole(name, low + from.saturating_add(by).rem_euclid(span));
        true
    }

    /// The value of a field as text, as read by [`Values::set`] and written in links.
    pub fn text(&self, name: &str) -> String {
        self.text_at(self.index(name))
    }

    pub(super) fn text_at(&self, index: usize) -> String {
        self.fields[index].kind.write(self.at(index))
    }

    /// Sets a field from text. If the text is invalid, the nearest valid value (or the default, if none is near) is
    /// used and the problem is returned. Unknown names and transient fields are ignored.
    pub fn set(&mut self, name: &str, text: &str) -> Option<Diagnostic> {
        if self.has(name) {
            self.set_any(name, text)
        } else {
            None
        }
    }

    /// Sets fields by name, in the order of their declaration, so that limits are set before the values they limit.
    /// Returns the fields that have been set, each with its problem, if any.
    pub fn set_all<N: AsRef<str>, T: AsRef<str>>(
        &mut self,
        pairs: &[(N, T)],
    ) -> Vec<(&'static Field, Option<Diagnostic>)> {
        let mut set = Vec::new();
        for field in self.public() {
            for (_, text) in pairs.iter().filter(|(name, _)| name.as_ref() == field.name) {
                set.push((field, self.set(field.name, text.as_ref())));
            }
        }
        set
    }

    /// [`Values::set`] that also sets transient fields, for the figure itself and for tests.
    pub fn set_any(&mut self, name: &str, text: &str) -> Option<Diagnostic> {
        self.set_at(self.find(name)?, text)
    }

    pub(super) fn set_at(&mut self, index: usize, text: &str) -> Option<Diagnostic> {
        let field = &self.fields[index];
        let (value, kind) = field.kind.read(text, self);
        let meant = match (&field.kind, kind) {
            (Kind::Names(known), Some(_)) => known.meant(self, text),
            _ => None,
        };
        self.replace(index, value.unwrap_or_else(|| field.kind.default()));
        let problem = Diagnostic::new(field.name, kind?, text, self.text_at(index));
        Some(problem.with_suggestion(meant))
    }

    /// Makes values valid again after a change of others that they depend on.
    fn settle(&mut self) {
        for (index, field) in self.fields.iter().enumerate() {
            if let Some(fitted) = field.kind.refit(self.at(index), self) {
                self.values[index] = fitted;
            }
        }
    }

    /// Resets a field to its default; unknown names are ignored.
    pub fn clear(&mut self, name: &str) {
        if let Some(index) = self.find(name) {
            self.replace(index, self.fields[index].kind.default());
        }
    }

    pub fn reset(&mut self) {
        *self = Values::new(self.fields);
    }

    /// Reverts locked fields to `before` after a change by hand. If other values do not allow that, reverts
    /// the whole change.
    pub fn revert(&mut self, before: &Values, locked: impl Fn(&Field) -> bool) {
        let fields = self.fields.iter().enumerate();
        let locked = fields.filter(|(_, field)| locked(field));
        let locked: Vec<usize> = locked.map(|(index, _)| index).collect();
        let moved = |values: &Values| locked.iter().any(|&i| values.at(i) != before.at(i));
        if !moved(self) {
            return;
        }
        for &index in &locked {
            self.replace(index, before.at(index).clone());
        }
        if moved(self) {
            *self = before.clone();
        }
    }

    /// Names and values that links contain: those that differ from the defaults.
    pub fn changed(&self) -> Vec<(&'static str, String)> {
        let default = Values::new(self.fields);
        let fields = self.fields.iter().enumerate();
        fields
            .filter(|(_, field)| field.persistence == Persistence::Link)
            .map(|(index, field)| (index, field.name, self.text_at(index)))
            .filter(|(index, _, text)| *text != default.text_at(*index))
            .map(|(_, name, text)| (name, text))
            .collect()
    }
}

#[cfg(test)]
impl Values {
    /// Values after changes written `name=value`, separated by spaces.
    pub fn with(fields: &'static [Field], changes: &str) -> Values {
        let mut values = Values::new(fields);
        for change in changes.split_whitespace() {
            let (name, text) = change.split_once('=').expect("name=value");
            assert!(values.find(name).is_some(), "{name}");
            values.set_any(name, text);
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{Key, choices, fields};

    choices! {
        enum Code {
            Sine "sine" "sine" "正弦";
            Binary "binary" "binary" "二进制";
        }
    }

    fields! {
        MAX_LEN: i64 = Key::size("max_len", "length", "位置数", 64, |_| (1, 4096));
        POS: i64 = Key::whole("pos", "position", "位置", 10, |v| (0, v.get(MAX_LEN) - 1));
        SCALE: f64 = Key::real("scale", "scale", "比例", 1.0, (0.0, 8.0), 2);
        CODE: Code = Key::choice("code", "code", "编码");
        PE: bool = Key::toggle("pe", "positions", "位置编码", true);
        SENTENCE: String = Key::text("sentence", "sentence", "句子", "猫追狗", 8).without_control();
        ASKED: bool = Key::toggle("asked", "asked", "已问", false).session();
        HELD: bool = Key::toggle("held", "held", "按住", false).transient();
    }

    #[test]
    fn limits_are_set_before_what_they_limit() {
        let mut values = Values::new(FIELDS);
        let set = values.set_all(&[("pos", "99"), ("nothing", "1"), ("max_len", "100")]);
        let names: Vec<_> = set.iter().map(|(field, _)| field.name).collect();
        assert_eq!(names, ["max_len", "pos"]);
        assert!(set.iter().all(|(_, problem)| problem.is_none()));
        assert_eq!(values, Values::with(FIELDS, "max_len=100 pos=99"));
    }

    #[test]
    fn what_plays_begins_again_after_the_last() {
        let mut values = Values::with(FIELDS, "max_len=5 pos=3");
        for (by, pos) in [(1, 4), (1, 0), (-1, 4), (12, 1), (i64::MAX, 2)] {
            assert!(values.step(by));
            assert_eq!(values.get(POS), pos, "{by}");
        }
        static STILL: &[Field] = &[PE.field];
        assert!(!Values::new(STILL).step(1));
    }

    #[test]
    fn values_are_legal_whatever_is_written() {
        let mut values = Values::new(FIELDS);
        assert_eq!(values.set("pos", "63"), None);
        assert_eq!(values.set("max_len", "8"), None);
        assert_eq!(values.get(POS), 7);
        for (name, text, used) in [
            ("pos", "99", "7"),
            ("pos", "x", "7"),
            ("scale", "-1", "0.00"),
            ("code", "gray", "sine"),
            ("pe", "maybe", "on"),
            ("sentence", "一二三四五六七八九", "一二三四五六七八"),
        ] {
            let problem = values.set(name, text).expect("a bad value is a problem");
            assert_eq!((problem.name, problem.fallback.as_str()), (name, used));
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
        values.set_to(HELD, true);
        assert_eq!(values.changed(), [("pos", "3".to_string())]);
        assert_eq!(values.for_bench().len(), 2);
        values.reset();
        assert!(values.changed().is_empty());
    }

    #[test]
    fn what_is_transient_is_known_to_the_figure_alone() {
        let mut values = Values::new(FIELDS);
        values.set_to(HELD, true);
        assert!(values.get(HELD));
        assert!(values.has("asked") && !values.has("held"));
        assert!(values.public().all(|field| field.name != "held"));
        assert_eq!(values.public().count(), FIELDS.len() - 1);
    }
}
