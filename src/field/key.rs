//! Typed fields: a [`Key`] declares a field together with the type of its values, so that a misspelt field or a value of
//! another type does not compile. The macros `fields!` and `choices!` write the lists that go with them. A key finds its
//! field by name in the values of any figure: using that of a field that the figure does not have is a programming error.

use crate::field::declaration::{ChoiceLabel, Documentation, Limits};
use crate::field::value::Value;
use crate::field::{Field, Kind, Names, Persistence, SliderScale, Span, Values};
use crate::text::Text;
use std::marker::PhantomData;

/// A declared field whose values have the type `T`: `i64`, `f64`, `bool`, `String`, or a [`Choice`].
pub struct Key<T> {
    pub field: Field,
    value: PhantomData<fn() -> T>,
}

impl<T> Clone for Key<T> {
    fn clone(&self) -> Key<T> {
        *self
    }
}

impl<T> Copy for Key<T> {}

/// Values that are chosen from a list.
pub trait Choice: Copy + PartialEq + 'static {
    const ALL: &'static [Self];
    /// Their names in links and their labels, in the order of `ALL`.
    const LABELS: &'static [ChoiceLabel];

    /// The value of this name.
    fn named(name: &str) -> Option<Self> {
        Some(Self::ALL[index_of(Self::LABELS, name)?])
    }

    /// Its name in links and its label.
    fn choice_label(self) -> ChoiceLabel {
        let index = Self::ALL.iter().position(|value| *value == self);
        Self::LABELS[index.unwrap_or(0)]
    }

    /// The name in links.
    fn name(self) -> &'static str {
        self.choice_label().0
    }

    fn label(self) -> Text {
        self.choice_label().1
    }
}

fn index_of(labels: &[ChoiceLabel], name: &str) -> Option<usize> {
    labels.iter().position(|(known, _)| *known == name)
}

/// Declares the fields of a figure in the order in which they are listed, as constants of their own and as the list
/// `FIELDS`. The limits of a field may depend on those before it.
///
/// ```ignore
/// choices! {
///     enum Code {
///         Sine "sine" "sine" "正弦";
///         Binary "binary" "binary" "二进制";
///     }
/// }
///
/// fields! {
///     MAX_LEN: i64 = Key::size("max_len", "length", "位置数", 64, |_| (1, 4096));
///     POS: i64 = Key::whole("pos", "position", "位置", 10, |v| (0, v.get(MAX_LEN) - 1));
///     CODE: Code = Key::choice("code", "code", "编码").under_more();
/// }
///
/// match values.get(CODE) {
///     Code::Sine => values.set_to(POS, 3),
///     Code::Binary => {}
/// }
/// ```
macro_rules! fields {
    ($($visibility:vis $key:ident: $value:ty = $declaration:expr;)+) => {
        $($visibility const $key: $crate::field::Key<$value> = $declaration;)+
        const FIELDS: &[$crate::field::Field] = &[$($key.field),+];
    };
}

/// Declares an enum as the values of a field: each has its name in links and its label in both languages. The first is
/// the default. The values of a choice among numbers can have these as discriminants. See `fields!`.
macro_rules! choices {
    ($(#[$attribute:meta])* $visibility:vis enum $choice:ident {
        $($(#[$about:meta])* $value:ident $(= $number:literal)? $name:literal $en:literal $zh:literal;)+
    }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $visibility enum $choice {
            $($(#[$about])* $value $(= $number)?,)+
        }

        impl $crate::field::Choice for $choice {
            const ALL: &'static [$choice] = &[$($choice::$value),+];
            const LABELS: &'static [$crate::field::ChoiceLabel] =
                &[$(($name, $crate::text::Text::new($en, $zh))),+];
        }
    };
}

pub(crate) use {choices, fields};

/// A type of the values of a field.
pub trait FieldValue {
    /// What [`Values::get`] returns.
    type Read<'a>;

    /// `None` if a field of this kind has values of another type.
    fn read<'a>(value: &'a Value, kind: &Kind) -> Option<Self::Read<'a>>;

    /// Sets a field to the nearest valid value.
    fn write(values: &mut Values, name: &str, value: Self::Read<'_>);
}

macro_rules! field_values {
    ($($type:ty: $read:ty, $variant:ident($value:ident) => $borrowed:expr, $owned:expr;)+) => {
        $(impl FieldValue for $type {
            type Read<'a> = $read;

            fn read<'a>(value: &'a Value, _: &Kind) -> Option<Self::Read<'a>> {
                match value {
                    Value::$variant($value) => Some($borrowed),
                    _ => None,
                }
            }

            fn write(values: &mut Values, name: &str, $value: Self::Read<'_>) {
                values.set_value(name, Value::$variant($owned));
            }
        })+
    };
}

// The type of a field's values, the type that is read, the variant that holds it, and how to read and to write that.
field_values! {
    i64: i64, Integer(value) => *value, value;
    f64: f64, Real(value) => *value, value;
    bool: bool, Toggle(value) => *value, value;
    String: &'a str, Text(value) => value, value.into();
    Vec<usize>: &'a [usize], Indices(value) => value, value.to_vec();
    Span: Option<Span>, Span(value) => *value, value;
    Names: &'a Names, Names(value) => value, value.clone();
}

impl<C: Choice> FieldValue for C {
    type Read<'a> = C;

    fn read(value: &Value, kind: &Kind) -> Option<C> {
        C::named(kind.choice_name(value)?)
    }

    fn write(values: &mut Values, name: &str, value: C) {
        values.set_any(name, value.name());
    }
}

/// `None` for a choice that is none of the type's values.
impl<C: Choice> FieldValue for Option<C> {
    type Read<'a> = Option<C>;

    fn read(value: &Value, kind: &Kind) -> Option<Option<C>> {
        Some(C::named(kind.choice_name(value)?))
    }

    fn write(values: &mut Values, name: &str, value: Option<C>) {
        values.set_any(name, value.map_or("", C::name));
    }
}

fn read<'a, T: FieldValue>(values: &'a Values, name: &str) -> T::Read<'a> {
    let (value, kind) = values.declared(name);
    T::read(value, kind).unwrap_or_else(|| other_type(name))
}

/// Only a key of another figure, whose field of the same name has another type, leads here.
#[cold]
fn other_type(name: &str) -> ! {
    panic!("{name} has values of another type")
}

impl Values {
    /// The value of a field.
    #[inline(always)]
    pub fn get<T: FieldValue>(&self, key: Key<T>) -> T::Read<'_> {
        read::<T>(self, key.field.name)
    }

    /// A whole number; 0 if it is negative.
    #[inline(always)]
    pub fn count(&self, key: Key<i64>) -> usize {
        self.count_of(key.field.name)
    }

    /// Sets a field to the valid value nearest to `value`.
    #[inline(always)]
    pub fn set_to<T: FieldValue>(&mut self, key: Key<T>, value: T::Read<'_>) {
        T::write(self, key.field.name, value);
    }
}

impl<T> Key<T> {
    pub(super) const fn new(
        name: &'static str,
        en: &'static str,
        zh: &'static str,
        kind: Kind,
    ) -> Key<T> {
        Key::of(Field {
            name,
            label: Text::new(en, zh),
            kind,
            control: true,
            main: true,
            persistence: Persistence::Link,
            documentation: None,
        })
    }

    const fn of(field: Field) -> Key<T> {
        Key {
            field,
            value: PhantomData,
        }
    }

    /// The name in links.
    pub const fn name(self) -> &'static str {
        self.field.name
    }

    /// One of these choices, for values of the type or none.
    pub const fn choice_among(
        name: &'static str,
        en: &'static str,
        zh: &'static str,
        choices: &'static [ChoiceLabel],
    ) -> Key<T> {
        Key::new(name, en, zh, Kind::Choice(choices))
    }

    /// The same field without a control: the picture or a button changes it.
    pub const fn without_control(mut self) -> Key<T> {
        self.field.control = false;
        self
    }

    /// The same field with its control under "More".
    pub const fn under_more(mut self) -> Key<T> {
        self.field.main = false;
        self
    }

    /// The same field without a control, with [`Persistence::Session`].
    pub const fn session(mut self) -> Key<T> {
        self.field.persistence = Persistence::Session;
        self.without_control()
    }

    /// The same field without a control, with [`Persistence::Transient`].
    pub const fn transient(mut self) -> Key<T> {
        self.field.persistence = Persistence::Transient;
        self.without_control()
    }

    /// The same field under another label.
    pub const fn labelled(mut self, en: &'static str, zh: &'static str) -> Key<T> {
        self.field.label = Text::new(en, zh);
        self
    }

    pub(super) const fn documented(mut self, documentation: &'static Documentation) -> Key<T> {
        self.field.documentation = Some(documentation);
        self
    }
}

impl Key<i64> {
    const fn integer(
        name: &'static str,
        label: [&'static str; 2],
        default: i64,
        limits: Limits,
        scale: SliderScale,
    ) -> Key<i64> {
        let kind = Kind::Integer {
            default,
            limits,
            slider: None,
            scale,
        };
        Key::new(name, label[0], label[1], kind)
    }

    /// A whole number on a slider of equal steps.
    pub const fn whole(
        name: &'static str,
        en: &'static str,
        zh: &'static str,
        default: i64,
        limits: Limits,
    ) -> Key<i64> {
        Key::integer(name, [en, zh], default, limits, SliderScale::Linear)
    }

    /// A whole number on a slider that covers many octaves, such as a width or a length.
    pub const fn size(
        name: &'static str,
        en: &'static str,
        zh: &'static str,
        default: i64,
        limits: Limits,
    ) -> Key<i64> {
        Key::integer(name, [en, zh], default, limits, SliderScale::Octaves)
    }

    /// The same field with a slider that covers only `part` of its limits.
    pub const fn sliding(mut self, part: Limits) -> Key<i64> {
        if let Kind::Integer { slider, .. } = &mut self.field.kind {
            *slider = Some(part);
        }
        self
    }
}

impl Key<f64> {
    /// A number with this many decimals, on a slider of equal steps.
    pub const fn real(
        name: &'static str,
        en: &'static str,
        zh: &'static str,
        default: f64,
        limits: (f64, f64),
        decimals: usize,
    ) -> Key<f64> {
        let kind = Kind::Real {
            default,
            limits,
            above: false,
            decimals: Some(decimals),
            scale: SliderScale::Linear,
        };
        Key::new(name, en, zh, kind)
    }
}

impl Key<bool> {
    pub const fn toggle(
        name: &'static str,
        en: &'static str,
        zh: &'static str,
        default: bool,
    ) -> Key<bool> {
        Key::new(name, en, zh, Kind::Toggle(default))
    }
}

impl Key<String> {
    /// Text with a maximum number of characters.
    pub const fn text(
        name: &'static str,
        en: &'static str,
        zh: &'static str,
        default: &'static str,
        most: usize,
    ) -> Key<String> {
        Key::new(name, en, zh, Kind::Text { default, most })
    }
}

impl<C: Choice> Key<C> {
    /// One of all values of the type; the first is the default.
    pub const fn choice(name: &'static str, en: &'static str, zh: &'static str) -> Key<C> {
        Key::choice_among(name, en, zh, C::LABELS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    choices! {
        enum Code {
            Sine "sine" "sine" "正弦";
            Binary "binary" "binary" "二进制";
        }
    }

    choices! {
        enum Width {
            Narrow = 16 "16" "16" "16";
            Wide = 64 "64" "64" "64";
        }
    }

    fields! {
        MAX_LEN: i64 = Key::size("max_len", "length", "位置数", 64, |_| (1, 4096));
        POS: i64 = Key::whole("pos", "position", "位置", 10, |v| (0, v.get(MAX_LEN) - 1));
        CODE: Code = Key::choice("code", "code", "编码");
        WIDTH: Width = Key::choice("width", "width", "宽度");
        SHOWN: Option<Code> = Key::choice_among("shown", "shown", "显示", &[
            ("off", Text::new("off", "无")),
            ("binary", Text::new("binary", "二进制")),
        ]);
        SCALE: f64 = Key::real("scale", "scale", "比例", 1.0, (0.0, 8.0), 2);
        IS_ADDED: bool = Key::toggle("added", "added", "相加", true);
        WORDS: String = Key::text("words", "words", "文字", "猫追狗", 8);
    }

    #[test]
    fn fields_are_listed_in_their_order_under_their_names() {
        let names: Vec<_> = FIELDS.iter().map(|field| field.name).collect();
        let expected = [
            "max_len", "pos", "code", "width", "shown", "scale", "added", "words",
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn keys_read_and_set_values_of_their_types() {
        let mut values = Values::new(FIELDS);
        assert_eq!((values.get(POS), values.count(POS)), (10, 10));
        assert_eq!(values.get(CODE), Code::Sine);
        assert_eq!(values.get(WIDTH) as usize, 16);
        assert_eq!(values.get(SHOWN), None);
        assert_eq!(values.get(WORDS), "猫追狗");
        values.set_to(MAX_LEN, 8);
        values.set_to(CODE, Code::Binary);
        values.set_to(WIDTH, Width::Wide);
        values.set_to(SHOWN, Some(Code::Binary));
        values.set_to(SCALE, 9.0);
        values.set_to(IS_ADDED, false);
        values.set_to(WORDS, "猫");
        let text = "max_len=8 pos=7 code=binary width=64 shown=binary scale=8 added=off words=猫";
        assert_eq!(values, Values::with(FIELDS, text));
        assert_eq!(values.get(WIDTH) as usize, 64);
        assert_eq!(values.get(SHOWN), Some(Code::Binary));
    }
}
