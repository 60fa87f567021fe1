//! Figures of one group, and those of the bench, have one state.

use super::controller::FigureController;
use super::group::{self, BENCH_GROUP, Group};
use super::page_callbacks;
use crate::field::Values;

impl FigureController {
    pub fn in_group(&self, group: &str) -> bool {
        self.group.as_ref().is_some_and(|own| own.name == group)
    }

    /// The page shows this figure alone.
    pub fn is_standalone(&self) -> bool {
        self.element.has_attribute("data-alone")
    }

    /// Enters the group that the attribute names. The values that the group has count more than the figure's; a new group
    /// begins with the figure's where `keeps`, and with what the document says of its members.
    pub(super) fn join(&mut self, keeps: bool) {
        let name = self.element.get_attribute("group");
        let name = name.filter(|name| !name.is_empty());
        if name.as_deref() == self.group.as_ref().map(|group| group.name.as_str()) {
            return;
        }
        self.group = name.map(|name| {
            Group::named(&name, || {
                let mut seed = match keeps {
                    true => group::all_of(&self.values),
                    false => Vec::new(),
                };
                group::add_missing(&mut seed, group::initial_values(&self.element, &name));
                seed
            })
        });
        if let Some(group) = self.group.clone() {
            let before = self.values.clone();
            self.adopt_group_values(&group);
            if self.values != before {
                self.lifecycle.dirty = true;
                self.emit("change", "");
            }
        }
    }

    /// Takes the current values of the group, and adds those that it lacks.
    pub(super) fn adopt_group_values(&mut self, group: &Group) {
        if group.name == BENCH_GROUP {
            self.assign(&(page_callbacks().values)());
        } else {
            self.assign(&group.values());
            group.add_missing(group::all_of(&self.values));
        }
    }

    pub(super) fn assign(&mut self, pairs: &[(&str, String)]) {
        for (name, text) in pairs {
            if self.values.has(name) && self.values.text(name) != *text {
                self.values.set(name, text);
            }
        }
    }

    /// Writes changed values to the group.
    pub(super) fn publish(&self, before: &Values) {
        let Some(group) = &self.group else { return };
        for field in self.values.public() {
            let text = self.values.text(field.name);
            // The fields of another view are those of the group already.
            if before.has(field.name) && before.text(field.name) != text {
                group.set(field.name, text);
            }
        }
    }

    /// Takes over what another figure, or the bench, has under the same names; true if there is anything to draw.
    pub fn sync(&mut self, pairs: &[(&str, String)]) -> bool {
        let before = self.values.clone();
        self.assign(pairs);
        let changed = self.values != before;
        self.lifecycle.dirty |= changed;
        if changed {
            self.emit("change", "");
        }
        changed && self.lifecycle.near_viewport
    }
}
