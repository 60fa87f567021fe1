//! Locked settings of the bench, and the removal of unknown names of controls.

use crate::field::settings::is_control;
use crate::field::value::Value;
use crate::field::{Diagnostic, DiagnosticKind, SettingId, State};

impl State {
    /// Whether this setting cannot be changed by hand.
    pub fn locks(&self, key: SettingId) -> bool {
        match key {
            SettingId::Hide | SettingId::Lock => false,
            SettingId::Positions | SettingId::Dimensions if self.lock().contain("zoom") => true,
            _ => self.lock().contain(key.name()),
        }
    }

    /// Whether the control, or the group of buttons, of this name is disabled.
    pub fn locks_control(&self, name: &str) -> bool {
        let window = self.locks(SettingId::Positions) && self.locks(SettingId::Dimensions);
        match name {
            // These buttons change no settings.
            "link" | "share" | "save" | "present" | "lesson" => false,
            "play" if self.locks(SettingId::Pos) => true,
            "zoom" if window => true,
            _ => self.lock().contain(name),
        }
    }

    /// Reverts locked settings to `before` after a change by hand. If other settings do not allow that,
    /// reverts the whole change.
    pub fn revert_locked(&mut self, before: &State) {
        let locked = |name: &str| SettingId::named(name).is_some_and(|key| before.locks(key));
        self.values
            .revert(&before.values, |field| locked(field.name));
    }

    /// Removes hidden and locked names that are neither of the bench nor accepted by `owns`; returns a diagnostic for
    /// each list that had such a name.
    pub fn keep_names(&mut self, owns: impl Fn(&str) -> bool) -> Vec<Diagnostic> {
        let mut problems = Vec::new();
        for key in [SettingId::Hide, SettingId::Lock] {
            let Value::Names(names) = self.at(key) else {
                continue;
            };
            let (given, mut names) = (names.text(), names.clone());
            if names.keep(|name| is_control(name) || owns(name)) {
                let used = names.text();
                self.values.replace(key as usize, Value::Names(names));
                problems.push(Diagnostic::new(
                    key.name(),
                    DiagnosticKind::NotAnOption,
                    &given,
                    used,
                ));
            }
        }
        problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_controls_are_known_or_dropped() {
        let mut state = State::with(&[(SettingId::Hide, "d-model, zoom"), (SettingId::Lock, "*")]);
        assert_eq!(state.text(SettingId::Hide), "d_model,zoom");
        assert!(state.locks(SettingId::Layout) && !state.locks(SettingId::Hide));
        let problem = state
            .apply(SettingId::Lock, "k,weather")
            .expect("no such control");
        assert_eq!((problem.name, problem.fallback.as_str()), ("lock", "k"));

        // A figure of the lesson has other controls.
        state.apply(SettingId::View, "order");
        assert_eq!(state.apply(SettingId::Lock, "pe,weather,lang"), None);
        let problems = state.keep_names(|name| name == "pe");
        assert_eq!(problems.len(), 1);
        assert_eq!(
            (problems[0].name, problems[0].fallback.as_str()),
            ("lock", "pe,lang")
        );
        state.apply(SettingId::View, "bench");
        assert_eq!(state.text(SettingId::Lock), "lang");
    }

    #[test]
    fn what_is_locked_stays() {
        let before = State::with(&[
            (SettingId::Lock, "d_model,pos,zoom"),
            (SettingId::Positions, "5-20"),
        ]);
        let mut after = before.clone();
        after.set_pos(3);
        after.set_k(7);
        after.show_everything();
        after.revert_locked(&before);
        assert_eq!((after.pos(), after.k()), (10, 7));
        assert_eq!(after.text(SettingId::Positions), "5-20");
        assert!(after.locks_control("play") && after.locks_control("zoom"));
        assert!(!after.locks_control("compare") && !after.locks_control("reset"));
    }

    #[test]
    fn what_would_push_a_locked_value_does_not_happen() {
        let before = State::with(&[(SettingId::Lock, "pos")]);
        let mut after = before.clone();
        after.apply(SettingId::MaxLen, "5");
        after.revert_locked(&before);
        assert_eq!(after, before);
    }
}
