//! The figures of a group share their state: the group holds the current values, and every member takes those for which
//! it has fields.

use super::Attributes;
use super::attributes::view_named;
use crate::field::{Values, ViewName};
use crate::figures;
use std::cell::RefCell;
use std::rc::{Rc, Weak};

/// The group of the figures that share the values of the bench.
pub const BENCH_GROUP: &str = "bench";

/// Names of fields and their values, as text in the format of links.
pub type NamedValues = Vec<(&'static str, String)>;

/// The shared values of a group; dropped with its last member.
pub struct Group {
    name: String,
    values: RefCell<NamedValues>,
}

thread_local! {
    static GROUPS: RefCell<Vec<Weak<Group>>> = const { RefCell::new(Vec::new()) };
}

impl Group {
    /// The group with this name; a new group starts with the values that `seed` returns.
    pub fn named(name: &str, seed: impl FnOnce() -> NamedValues) -> Rc<Group> {
        GROUPS.with_borrow_mut(|groups| {
            groups.retain(|group| group.strong_count() > 0);
            let living = groups.iter().filter_map(Weak::upgrade);
            if let Some(group) = living.into_iter().find(|group| group.name == name) {
                return group;
            }
            let group = Rc::new(Group {
                name: name.to_string(),
                values: RefCell::new(seed()),
            });
            groups.push(Rc::downgrade(&group));
            group
        })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn values(&self) -> NamedValues {
        self.values.borrow().clone()
    }

    pub fn set(&self, name: &'static str, text: String) {
        let mut values = self.values.borrow_mut();
        match values.iter_mut().find(|(known, _)| *known == name) {
            Some((_, value)) => *value = text,
            None => values.push((name, text)),
        }
    }

    /// Adds the values that the group lacks.
    pub fn add_missing(&self, pairs: NamedValues) {
        add_missing(&mut self.values.borrow_mut(), pairs);
    }
}

/// The values of all public fields of a figure.
pub fn all_of(values: &Values) -> NamedValues {
    let fields = values.public();
    fields
        .map(|field| (field.name, values.text(field.name)))
        .collect()
}

/// Adds the values whose names are missing.
pub fn add_missing(values: &mut NamedValues, more: NamedValues) {
    for (name, text) in more {
        if !values.iter().any(|(known, _)| *known == name) {
            values.push((name, text));
        }
    }
}

/// The initial values of a group, from the attributes of its figures in the order of the document. The value of each
/// setting is that of the first attribute that sets it, or else the default of the first figure that has it.
pub fn initial_values(members: &[Attributes]) -> NamedValues {
    let (mut explicit, mut defaults) = (NamedValues::new(), NamedValues::new());
    for attributes in members {
        let view = attributes.get("view").and_then(view_named);
        let Some(fields) = figures::fields(view.unwrap_or(ViewName::Heatmap)) else {
            continue;
        };
        let mut values = Values::new(fields);
        add_missing(&mut defaults, all_of(&values));
        let set = values.set_all(attributes.pairs());
        let own = set.iter();
        let own = own.map(|(field, _)| (field.name, values.text(field.name)));
        add_missing(&mut explicit, own.collect());
    }
    add_missing(&mut explicit, defaults);
    explicit
}
