//! The values that a figure shares with its group and, if it is on a page of its own, with the address.

use super::groups::{self, BENCH_GROUP, Group, NamedValues};
use super::{Change, Session};
use crate::field::Values;
use std::rc::Rc;

/// Changed values, for the address and for the other members of the group.
pub struct SharedUpdate {
    pub change: Change,
    pub group: Option<Rc<Group>>,
    /// The values that differ from the defaults.
    pub changed: NamedValues,
    /// The values of all fields.
    pub shared: NamedValues,
}

impl Session {
    pub fn in_group(&self, group: &str) -> bool {
        self.group.as_ref().is_some_and(|own| own.name() == group)
    }

    /// Whether the figure takes the values of the bench. One whose own change is yet to be shared does not: the bench is
    /// about to take it.
    pub fn follows_bench(&self) -> bool {
        self.unshared.is_none() && self.in_group(BENCH_GROUP)
    }

    /// The values must still be shared with the group and the address.
    pub fn share(&mut self, change: Change) {
        self.unshared = Some(change);
    }

    /// The values, if they have changed since the last call.
    pub fn take_shared_update(&mut self) -> Option<SharedUpdate> {
        let change = self.unshared.take()?;
        Some(SharedUpdate {
            change,
            group: self.group.clone(),
            changed: self.values.changed(),
            shared: groups::all_of(&self.values),
        })
    }

    /// Joins the group that the attribute names. The values of an existing group replace those of the figure; a new
    /// group starts with the figure's values, if `keeps`, and the initial values of its members.
    pub(super) fn join(&mut self, keeps: bool) {
        let name = self.attributes.get("group");
        let name = name.filter(|name| !name.is_empty());
        if name == self.group.as_ref().map(|group| group.name()) {
            return;
        }
        self.group = name.map(|name| {
            Group::named(name, || {
                let mut seed = match keeps {
                    true => groups::all_of(&self.values),
                    false => Vec::new(),
                };
                let members = self.page.members(name);
                groups::add_missing(&mut seed, groups::initial_values(&members));
                seed
            })
        });
        if let Some(group) = self.group.clone() {
            self.adopt_group_values(&group);
        }
    }

    /// Takes the current values of the group, and adds the figure's values that the group lacks.
    pub(super) fn adopt_group_values(&mut self, group: &Group) {
        if group.name() == BENCH_GROUP {
            self.assign(&self.page.bench());
        } else {
            self.assign(&group.values());
            group.add_missing(groups::all_of(&self.values));
        }
    }

    /// Takes those values for which the figure has fields, in the order of their declaration: a limit is set before what
    /// it limits.
    pub(super) fn assign(&mut self, values: &NamedValues) {
        for field in self.values.public() {
            let value = values.iter().find(|(name, _)| *name == field.name);
            if let Some((name, text)) = value
                && self.values.text(name) != *text
            {
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

    /// The values given by the attributes of the element and, except in the bench's group, by those of its group.
    pub(super) fn initial_values(&self) -> Values {
        let mut values = Values::new(self.values.fields());
        let mut pairs = self.attributes.pairs().to_vec();
        let shared = self.initial_values_of_group().into_iter();
        pairs.extend(shared.map(|(name, text)| (name.into(), text)));
        values.set_all(&pairs);
        values
    }

    /// The values that the attributes of its members give a group; none without a group and in the bench's.
    pub(super) fn initial_values_of_group(&self) -> NamedValues {
        match &self.group {
            Some(group) if group.name() != BENCH_GROUP => {
                groups::initial_values(&self.page.members(group.name()))
            }
            _ => NamedValues::new(),
        }
    }
}
