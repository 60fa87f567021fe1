//! Settings of the bench that are set by a control, by name, or back to what they were.

use super::BenchSession;
use crate::field::{Diagnostic, Field, MAX_COMPARED, SettingId, State};
use crate::figures;
use crate::session::{Change, ControlType, Effects};

/// Settings of the page, which a reset does not change.
const PAGE_SETTINGS: [SettingId; 5] = [
    SettingId::View,
    SettingId::Lang,
    SettingId::Theme,
    SettingId::Hide,
    SettingId::Lock,
];

/// Whether a change of the setting affects more of the page than the next frame.
fn affects_page(name: &str) -> bool {
    SettingId::named(name)
        .is_some_and(|key| key == SettingId::Encoding || PAGE_SETTINGS.contains(&key))
}

impl BenchSession {
    /// Shows another state, at once.
    pub fn replace(&mut self, state: State) {
        self.rest();
        self.state = state;
        self.editing.stop();
    }

    /// Removes hidden and locked names that are neither of the bench nor of the figure that is shown in its place.
    pub fn remove_unknown_names(&mut self) -> Vec<Diagnostic> {
        let view = self.state.view();
        match figures::fields(view).filter(|_| !view.is_of_bench()) {
            None => Vec::new(),
            Some(fields) => self
                .state
                .keep_names(|name| fields.iter().any(|field| field.name == name)),
        }
    }

    /// Sets settings by name.
    pub(super) fn set_all(&mut self, pairs: &[(&str, String)], effects: &mut Effects) {
        self.editing.stop();
        for (field, problem) in self.state.values_mut().set_all(pairs) {
            // The last problem of a setting counts.
            Diagnostic::remove(&mut effects.errors, field.name);
            effects.errors.extend(problem);
            effects.fields_set.push(field.name);
        }
        effects.affects_page = pairs.iter().any(|(name, _)| affects_page(name));
    }

    pub(super) fn control(
        &mut self,
        field: &'static Field,
        text: &str,
        control: ControlType,
        finished: bool,
        effects: &mut Effects,
    ) -> Change {
        let values = self.state.values_mut();
        let entered = self.editing.enter(field, text, control, finished, values);
        if entered.finished {
            effects.restores_controls = true;
            effects.fields_set.push(field.name);
            effects.errors.extend(entered.problem);
            effects.affects_page = affects_page(field.name);
        }
        control.change()
    }

    /// Adds the pair with this number to the compared ones.
    pub(super) fn compare(&mut self, text: &str, effects: &mut Effects) {
        if self.state.compare().len() == MAX_COMPARED {
            return;
        }
        let mut state = self.state.clone();
        let problem = state.apply(SettingId::Pair, text);
        let pair = state.pair();
        if problem.is_none() && !self.state.compare().contains(&pair) {
            self.state.toggle_compared(pair);
        }
        let name = SettingId::Compare.name();
        effects.fields_set.push(name);
        effects.errors.extend(
            problem.map(|bad| {
                Diagnostic::new(name, bad.kind, text, self.state.text(SettingId::Compare))
            }),
        );
    }

    /// Resets everything to a state, except for [`PAGE_SETTINGS`].
    pub(super) fn reset(&mut self, to: &State, effects: &mut Effects) {
        let before = std::mem::replace(&mut self.state, to.clone());
        for key in PAGE_SETTINGS {
            self.state.apply(key, &before.text(key));
        }
        self.zooming = false;
        effects.affects_page = true;
    }

    /// Reverts the settings that are locked to what they were before.
    pub(super) fn revert_locked(&mut self, before: &State, effects: &mut Effects) {
        let after = self.state.clone();
        self.state.revert_locked(before);
        if self.state != after {
            effects.restores_controls = true;
            effects.affects_page |= SettingId::ALL
                .iter()
                .any(|&key| affects_page(key.name()) && self.state.text(key) != after.text(key));
        }
    }
}
