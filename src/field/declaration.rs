//! Settings are declared as lists of fields, both those of the bench and those of every figure.

use crate::field::{SliderScale, Values};
use crate::text::Text;

/// The declaration of a setting. `name` is used in links and forms and, in kebab-case, as the name of the attribute.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub name: &'static str,
    pub label: Text,
    pub kind: Kind,
    /// Whether its control is shown unless a reader chooses otherwise.
    pub control: bool,
    /// Whether its control is always visible rather than under "More"; a figure shows at most two of these.
    pub main: bool,
    pub persistence: Persistence,
    pub(super) documentation: Option<&'static Documentation>,
}

/// Where the value of a field can be read and set, and how long it lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Persistence {
    /// Links contain it.
    Link,
    /// It can be read and set from outside the figure, but lasts only for the visit: a prediction, a temporary step.
    Session,
    /// Only the figure itself can read and set it: a drag in progress.
    Transient,
}

/// Returns the smallest and the largest valid value, given the current values.
pub type Limits = fn(&Values) -> (i64, i64);

#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A whole number whose limits may depend on the fields before it.
    Integer {
        default: i64,
        limits: Limits,
        /// The range that the slider covers, if it is not that of the limits.
        slider: Option<Limits>,
        scale: SliderScale,
    },
    /// A real number.
    Real {
        default: f64,
        limits: (f64, f64),
        /// Whether the lower limit is exclusive.
        above: bool,
        /// The number of decimals that are kept; `None` for all.
        decimals: Option<usize>,
        scale: SliderScale,
    },
    /// One of several choices; the first is the default.
    Choice(&'static [ChoiceLabel]),
    /// One of several choices, or none: then the value comes from elsewhere, as `otherwise` says.
    OptionalChoice {
        choices: &'static [ChoiceLabel],
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
    /// A span of an axis with this number of cells; the whole axis by default.
    Span {
        cells: fn(&Values) -> usize,
    },
    /// Names of controls, none by default.
    Names(KnownNames),
}

/// The name of a choice in links, and its label on screen.
pub type ChoiceLabel = (&'static str, Text);

/// The valid names of controls, given the current values.
#[derive(Clone, Copy, Debug)]
pub struct KnownNames {
    pub contain: fn(&Values, &str) -> bool,
    /// The known name that is closest to a misspelt one.
    pub nearest: fn(&Values, &str) -> Option<&'static str>,
}

/// The description of a setting in docs/settings.md and on the command line.
#[derive(Debug)]
pub struct Documentation {
    pub(super) meaning: &'static str,
    pub(super) values: &'static str,
}

impl Documentation {
    /// The meaning of a setting whose kind describes its valid values.
    pub(super) const fn of(meaning: &'static str) -> Documentation {
        Documentation {
            meaning,
            values: "",
        }
    }

    /// The meaning of a setting, and a description of its valid values.
    pub(super) const fn new(meaning: &'static str, values: &'static str) -> Documentation {
        Documentation { meaning, values }
    }
}

impl Kind {
    pub const fn is_number(&self) -> bool {
        matches!(self, Kind::Integer { .. } | Kind::Real { .. })
    }

    /// The choices of a required or optional choice; empty for all other kinds.
    pub const fn choices(&self) -> &'static [ChoiceLabel] {
        match self {
            Kind::Choice(choices) | Kind::OptionalChoice { choices, .. } => choices,
            _ => &[],
        }
    }

    /// The scale of a number's slider.
    pub const fn scale(&self) -> SliderScale {
        match self {
            Kind::Integer { scale, .. } | Kind::Real { scale, .. } => *scale,
            _ => SliderScale::Linear,
        }
    }
}
