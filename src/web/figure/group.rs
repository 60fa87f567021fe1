//! Figures of one group have one state: the group holds the current values, and every member takes those that it has
//! fields for.

use crate::field::{Values, ViewName};
use crate::web::figure::attributes::{attributes, view_named};
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use wasm_bindgen::JsCast;
use web_sys::Element;

/// The group of the figures that share the values of the bench.
pub const BENCH: &str = "bench";

/// Values by name, as links write them.
pub type Pairs = Vec<(&'static str, String)>;

/// Lives as long as one of its members.
pub struct Group {
    pub name: String,
    values: RefCell<Pairs>,
}

thread_local! {
    static GROUPS: RefCell<Vec<Weak<Group>>> = const { RefCell::new(Vec::new()) };
}

impl Group {
    /// The group of this name; a new one begins with the values that `seed` gives it.
    pub fn named(name: &str, seed: impl FnOnce() -> Pairs) -> Rc<Group> {
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

    pub fn values(&self) -> Pairs {
        self.values.borrow().clone()
    }

    pub fn put(&self, name: &'static str, text: String) {
        let mut values = self.values.borrow_mut();
        match values.iter_mut().find(|(known, _)| *known == name) {
            Some((_, value)) => *value = text,
            None => values.push((name, text)),
        }
    }

    /// Adds the values that the group does not have.
    pub fn complete(&self, pairs: Pairs) {
        complete(&mut self.values.borrow_mut(), pairs);
    }
}

/// All fields of a figure.
pub fn all_of(values: &Values) -> Pairs {
    let fields = values.public();
    fields
        .map(|field| (field.name, values.text(field.name)))
        .collect()
}

/// Adds the pairs whose names are not there.
pub fn complete(values: &mut Pairs, more: Pairs) {
    for (name, text) in more {
        if !values.iter().any(|(known, _)| *known == name) {
            values.push((name, text));
        }
    }
}

/// What a group begins with: of each setting the first attribute in the document that names it, or else the default of
/// the first figure that has it. Figures that have not started yet count.
pub fn written(around: &Element, group: &str) -> Pairs {
    let (mut said, mut defaults) = (Pairs::new(), Pairs::new());
    for element in members(around, group) {
        let view = element.get_attribute("view").unwrap_or_default();
        let view = view_named(&view).unwrap_or(ViewName::Heatmap);
        let Some(fields) = crate::figures::fields(view) else {
            continue;
        };
        let mut values = Values::new(fields);
        complete(&mut defaults, all_of(&values));
        let set = values.set_all(&attributes(&element));
        let own = set.iter();
        let own = own.map(|(field, _)| (field.name, values.text(field.name)));
        complete(&mut said, own.collect());
    }
    complete(&mut said, defaults);
    said
}

/// The figures of a group in the tree that an element is in, in their order.
fn members(around: &Element, group: &str) -> Vec<Element> {
    // A document or a shadow root; both have the method.
    let root: Element = around.get_root_node().unchecked_into();
    let Ok(found) = root.query_selector_all("pe-figure[group]") else {
        return Vec::new();
    };
    (0..found.length())
        .filter_map(|index| found.get(index)?.dyn_into::<Element>().ok())
        .filter(|element| element.get_attribute("group").as_deref() == Some(group))
        .collect()
}
