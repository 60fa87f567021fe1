//! Applies the successive texts of a control in use to the values.

use crate::field::{Diagnostic, DiagnosticKind, Field, Values};

/// An edit in progress. Each text of the control is applied to the values before the edit, so that dragging d_model
/// through 1 and back does not lose the selected pair.
#[derive(Debug)]
pub struct Edit {
    name: &'static str,
    before: Values,
    /// The values after the latest update. If the current values differ, something else has changed them since, and
    /// `before` is out of date.
    after: Values,
}

impl Edit {
    /// Applies an intermediate text to the baseline. An invalid text changes nothing, as it may be a number that is
    /// only half typed.
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

    /// Applies the final text to the baseline and returns what is wrong with it. A text that is not a number restores
    /// the value before the edit instead of the default.
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

    /// The values before the edit: those of `previous` if it belongs to the same field and nothing else has changed the
    /// values since, and otherwise the current values.
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
        // The edit in progress is of another field.
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
