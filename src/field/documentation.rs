//! The descriptions of settings in docs/settings.md and on the command line.

use crate::field::declaration::Documentation;
use crate::field::{Field, Kind, SETTINGS, Values};
use std::fmt::Write;

impl Field {
    /// The meaning in a few words; empty for a field that is not documented.
    pub fn meaning(&self) -> &'static str {
        self.documentation.map_or("", |words| words.meaning)
    }

    /// A description of the valid values that does not depend on the current values of other fields.
    pub fn range(&self) -> String {
        self.range_with(&Values::new(SETTINGS))
    }

    /// The same description, but with the limits that the current values of other fields leave.
    pub fn range_with(&self, values: &Values) -> String {
        match self.documentation {
            Some(Documentation { values, .. }) if !values.is_empty() => (*values).into(),
            _ => {
                let range = self.allowed(values);
                match self.kind {
                    Kind::Integer { .. } => range.replace('-', "−"),
                    _ => range,
                }
            }
        }
    }

    /// A description of the valid values, given the current values of other fields.
    pub fn allowed(&self, values: &Values) -> String {
        match &self.kind {
            Kind::Integer { limits, .. } => {
                let (low, high) = limits(values);
                format!("{low} … {high}")
            }
            Kind::Real {
                limits: (low, high),
                above,
                ..
            } => match above {
                true => format!("above {low}, to {high:e}"),
                false => format!("{low} … {high}"),
            },
            Kind::Choice(choices) | Kind::OptionalChoice { choices, .. } => {
                let choices: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
                choices.join(", ")
            }
            Kind::Toggle(_) => "on, off".into(),
            Kind::Text { most, .. } => format!("at most {most} characters"),
            Kind::Indices { most, .. } => format!("at most {most} numbers between commas"),
            Kind::Span { .. } => "from-to".into(),
            Kind::Names(_) => "names of controls, or *".into(),
        }
    }
}

/// The settings of the bench as a Markdown table, defaults first.
pub fn markdown_table() -> String {
    let defaults = Values::new(SETTINGS);
    let mut table = String::from("| setting | values, default first | meaning |\n|---|---|---|\n");
    for field in SETTINGS {
        let default = defaults.text(field.name);
        let listed = || {
            let choices = field.kind.choices().iter();
            let choices: Vec<_> = choices.map(|(name, _)| format!("`{name}`")).collect();
            choices.join(", ")
        };
        let values = match field.kind {
            Kind::Choice(_) => listed(),
            Kind::OptionalChoice { otherwise, .. } => format!("{otherwise}; {}", listed()),
            _ if default.is_empty() => format!("nothing; {}", field.range()),
            _ => format!("{default}; {}", field.range()),
        };
        let (name, meaning) = (field.name, field.meaning());
        let _ = writeln!(table, "| `{name}` | {values} | {meaning} |");
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{MAX_COMPARED, SettingId};

    #[test]
    fn every_setting_of_the_bench_is_documented() {
        for field in SETTINGS {
            assert!(!field.meaning().is_empty(), "{}", field.name);
        }
        let compared = SettingId::Compare.field().range();
        assert!(compared.contains(&MAX_COMPARED.to_string()), "{compared}");
    }
}
