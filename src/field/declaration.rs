//! Settings are declared as lists of fields, those of the bench and those of every figure alike.

use crate::field::documentation::Documentation;
use crate::field::{SliderScale, Values};
use crate::text::Text;

/// One setting. Its name is that in links, in forms and, in kebab-case, of the attribute.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub name: &'static str,
    pub label: Text,
    pub kind: Kind,
    /// It has a control unless the reader asks otherwise.
    pub control: bool,
    /// Its control is one of those that are seen at once, of which a figure has two at most.
    pub main: bool,
    pub persistence: Persistence,
    pub(super) documentation: Option<&'static Documentation>,
}

/// Who knows the value of a field, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Persistence {
    /// Links carry it.
    Link,
    /// It can be read and set, but lasts no longer than the visit: a prediction, a step of the moment.
    Session,
    /// Only the figure itself reads and sets it: a drag in progress.
    Transient,
}

/// The least and the greatest valid value as things stand.
pub type Limits = fn(&Values) -> (i64, i64);

#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A whole number; the limits may depend on the fields before it.
    Integer {
        default: i64,
        limits: Limits,
        /// The part of the limits that a slider covers, if not all.
        slider: Option<Limits>,
        scale: SliderScale,
    },
    /// A number.
    Real {
        default: f64,
        limits: (f64, f64),
        /// The lower limit itself is not valid.
        above: bool,
        /// How many decimals are kept; `None` for all.
        decimals: Option<usize>,
        scale: SliderScale,
    },
    /// One of these; the first is the default.
    Choice(&'static [Choice]),
    /// One of these, or none: then the value comes from elsewhere, as the words say.
    OptionalChoice {
        choices: &'static [Choice],
        otherwise: &'static str,
    },
    Toggle(bool),
    /// Text with a maximum number of characters.
    Text {
        default: &'static str,
        most: usize,
    },
    /// Distinct whole numbers up to a maximum count, none by default.
    Indices {
        most: usize,
        limits: Limits,
    },
    /// A span of an axis with this number of cells, all of it by default.
    Span {
        cells: fn(&Values) -> usize,
    },
    /// Names of controls, none by default.
    Names(KnownNames),
}

/// A choice's name in links and on screen.
pub type Choice = (&'static str, Text);

/// Which names of controls mean something as things stand.
#[derive(Clone, Copy, Debug)]
pub struct KnownNames {
    pub contain: fn(&Values, &str) -> bool,
    /// The known name that may have been meant by another.
    pub nearest: fn(&Values, &str) -> Option<&'static str>,
}

impl Kind {
    /// A whole number whose slider covers its limits.
    const fn whole(default: i64, limits: Limits, scale: SliderScale) -> Kind {
        Kind::Integer {
            default,
            limits,
            slider: None,
            scale,
        }
    }
}

impl Field {
    pub const fn new(name: &'static str, en: &'static str, zh: &'static str, kind: Kind) -> Field {
        Field {
            name,
            label: Text::new(en, zh),
            kind,
            control: true,
            main: true,
            persistence: Persistence::Link,
            documentation: None,
        }
    }

    /// A whole number on a slider of equal steps.
    pub const fn whole(
        name: &'static str,
        en: &'static str,
        zh: &'static str,
        default: i64,
        limits: Limits,
    ) -> Field {
        Field::new(
            name,
            en,
            zh,
            Kind::whole(default, limits, SliderScale::Linear),
        )
    }

    /// A whole number over many octaves, such as a width or a length.
    pub const fn size(
        name: &'static str,
        en: &'static str,
        zh: &'static str,
        default: i64,
        limits: Limits,
    ) -> Field {
        Field::new(
            name,
            en,
            zh,
            Kind::whole(default, limits, SliderScale::Octaves),
        )
    }

    /// A number with this many decimals, on a slider of equal steps.
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
            above: false,
            decimals: Some(decimals),
            scale: SliderScale::Linear,
        };
        Field::new(name, en, zh, kind)
    }

    pub const fn choice(
        name: &'static str,
        en: &'static str,
        zh: &'static str,
        choices: &'static [Choice],
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

    pub const fn text(
        name: &'static str,
        en: &'static str,
        zh: &'static str,
        default: &'static str,
        most: usize,
    ) -> Field {
        Field::new(name, en, zh, Kind::Text { default, most })
    }

    /// The same field with a slider over a part of its limits.
    pub const fn sliding(mut self, part: Limits) -> Field {
        if let Kind::Integer { slider, .. } = &mut self.kind {
            *slider = Some(part);
        }
        self
    }

    /// The same field without a control: the picture or a button changes it.
    pub const fn without_control(self) -> Field {
        Field {
            control: false,
            ..self
        }
    }

    /// The same field with its control under "More".
    pub const fn under_more(self) -> Field {
        Field {
            main: false,
            ..self
        }
    }

    /// The same field, forgotten with the visit.
    pub const fn session(self) -> Field {
        Field {
            control: false,
            persistence: Persistence::Session,
            ..self
        }
    }

    /// The same field, for the figure alone.
    pub const fn transient(self) -> Field {
        Field {
            control: false,
            persistence: Persistence::Transient,
            ..self
        }
    }

    /// The same field under another label.
    pub const fn labelled(self, en: &'static str, zh: &'static str) -> Field {
        Field {
            label: Text::new(en, zh),
            ..self
        }
    }

    pub const fn documented(self, documentation: &'static Documentation) -> Field {
        Field {
            documentation: Some(documentation),
            ..self
        }
    }
}

impl Kind {
    pub const fn is_number(&self) -> bool {
        matches!(self, Kind::Integer { .. } | Kind::Real { .. })
    }

    /// The choices of a choice, optional or not; none of what is no choice.
    pub const fn choices(&self) -> &'static [Choice] {
        match self {
            Kind::Choice(choices) | Kind::OptionalChoice { choices, .. } => choices,
            _ => &[],
        }
    }

    /// Where numbers stand on a slider.
    pub const fn scale(&self) -> SliderScale {
        match self {
            Kind::Integer { scale, .. } | Kind::Real { scale, .. } => *scale,
            _ => SliderScale::Linear,
        }
    }
}
