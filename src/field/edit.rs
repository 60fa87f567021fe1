//! A control in use: what the texts that it gives one after the other do to the values.

use crate::field::{Diagnostic, DiagnosticKind, Field, Values};

/// The control of a field that has been taken up. Each of its texts is applied to the values as they were then: whoever
/// drags d_model through 1 and back has not lost their pair.
#[derive(Debug)]
pub struct Edit {
    name: &'static str,
    before: Values,
    /// What it has made of them. Values that are different have been changed by something else since, and what it began
    /// with is past.
    after: Values,
}

impl Edit {
    /// Applies a text that may not be the last to the baseline. Half a number is not wrong yet: a text that is bad changes
    /// nothing.
    pub fn update(previous: Option<Edit>, field: &Field, text: &str, values: &mut Values) -> Edit {
        let before = Edit::baseline(previous, field, values);
        let mut tried = before.clone();
        if tried.set(field.name, text).is_none() {
            *values = tried;
        }
        Edit {
            name: field.name,
            before,
            after: values.clone(),
        }
    }

    /// Applies the last text to the baseline and returns what is wrong with it. Where nothing can be read from it, what was there before is
    /// nearer than a default.
    pub fn commit(
        previous: Option<Edit>,
        field: &Field,
        text: &str,
        values: &mut Values,
    ) -> Option<Diagnostic> {
        let before = Edit::baseline(previous, field, values);
        *values = before.clone();
        let mut problem = values.set(field.name, text);
        if let Some(bad) = &mut problem
            && bad.kind == DiagnosticKind::NotANumber
        {
            *values = before;
            bad.fallback = values.text(field.name);
        }
        problem
    }

    /// The values before the control was taken up: those of `previous`, if it is of the same field and nothing else has changed
    /// the values since; or else the values.
    fn baseline(previous: Option<Edit>, field: &Field, values: &Values) -> Values {
        match previous {
            Some(edit) if edit.name == field.name && edit.after == *values => edit.before,
            _ => values.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{SETTINGS, SettingId};

    fn state(text: &str) -> Values {
        Values::with(SETTINGS, text)
    }

    #[test]
    fn what_a_slider_passes_leaves_no_trace() {
        let mut values = state("d_model=128 pair=40");
        let width = SettingId::DModel.field();
        let edit = Edit::update(None, width, "1", &mut values);
        assert_eq!(values.text("pair"), "0");
        let edit = Edit::update(Some(edit), width, "96", &mut values);
        assert_eq!(values, state("d_model=96 pair=40"));
        assert_eq!(Edit::commit(Some(edit), width, "100", &mut values), None);
        assert_eq!(values, state("d_model=100 pair=40"));
    }

    #[test]
    fn what_has_been_changed_meanwhile_stays() {
        let mut values = state("d_model=128 pair=40");
        let width = SettingId::DModel.field();
        let edit = Edit::update(None, width, "64", &mut values);
        values.set("pair", "7");
        let edit = Edit::update(Some(edit), width, "100", &mut values);
        assert_eq!(values, state("d_model=100 pair=7"));
        // The control of another field has been taken up since.
        assert_eq!(
            Edit::commit(Some(edit), SettingId::K.field(), "9", &mut values),
            None
        );
        assert_eq!(values, state("d_model=100 pair=7 k=9"));
    }

    #[test]
    fn half_a_number_is_not_wrong_yet() {
        let mut values = state("k=5");
        let k = SettingId::K.field();
        let edit = Edit::update(None, k, "-", &mut values);
        assert_eq!(values, state("k=5"));
        let edit = Edit::update(Some(edit), k, "-1", &mut values);
        assert_eq!(values, state("k=-1"));
        let problem = Edit::commit(Some(edit), k, "-", &mut values).expect("no number");
        assert_eq!((values, problem.fallback.as_str()), (state("k=5"), "5"));
    }

    #[test]
    fn a_number_beyond_the_limits_becomes_the_nearest_at_the_end() {
        let mut values = state("max_len=50");
        let pos = SettingId::Pos.field();
        let edit = Edit::update(None, pos, "99", &mut values);
        assert_eq!(values.text("pos"), "10");
        let problem = Edit::commit(Some(edit), pos, "99", &mut values).expect("out of range");
        assert_eq!(problem.fallback, "49");
        assert_eq!(values.text("pos"), "49");
    }
}
