//! State shared by the figures of a group, and by those of the bench's group with the bench.

use super::controller::FigureController;
use super::group::{self, BENCH_GROUP, Group};
use super::page_callbacks;
use crate::field::Values;

impl FigureController {
    pub fn in_group(&self, group: &str) -> bool {
        self.group.as_ref().is_some_and(|own| own.name == group)
    }

    /// True if the page shows only this figure.
    pub fn is_standalone(&self) -> bool {
        self.element.has_attribute("data-alone")
    }

    /// Joins the group that the attribute names. The values of an existing group replace those of the figure; a new
    /// group starts with the figure's values, if `keeps`, and the initial values of its members.
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

    /// Takes the current values of the group, and adds the figure's values that the group lacks.
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
            // After a change of view, a field that the previous view lacked already has the group's value.
            if before.has(field.name) && before.text(field.name) != text {
                group.set(field.name, text);
            }
        }
    }

    /// Takes over the values of another figure, or of the bench, that have the same names; true if the figure must be
    /// redrawn.
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
