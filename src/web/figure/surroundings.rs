//! What a figure reads from the page around it.

use super::page_callbacks;
use crate::session::{Attributes, NamedValues, Surroundings};
use crate::web::media_query::{MediaQuery, REDUCED_MOTION};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlElement};

/// The page around an element.
pub(super) struct PageAround(pub HtmlElement);

impl Surroundings for PageAround {
    /// Also those of figures that are not yet upgraded.
    fn members(&self, group: &str) -> Vec<Attributes> {
        // The root is a document or a shadow root; both have `querySelectorAll`.
        let root: Element = self.0.get_root_node().unchecked_into();
        let Ok(found) = root.query_selector_all("pe-figure[group]") else {
            return Vec::new();
        };
        (0..found.length())
            .filter_map(|index| found.get(index)?.dyn_into::<Element>().ok())
            .filter(|element| element.get_attribute("group").as_deref() == Some(group))
            .map(|element| attributes(&element))
            .collect()
    }

    fn bench(&self) -> NamedValues {
        (page_callbacks().values)()
    }

    fn reduces_motion(&self) -> bool {
        MediaQuery::new(REDUCED_MOTION).matches()
    }
}

pub(super) fn attributes(element: &Element) -> Attributes {
    let names = element.get_attribute_names();
    let pairs = names
        .iter()
        .filter_map(|name: JsValue| name.as_string())
        .map(|name| {
            let value = element.get_attribute(&name).unwrap_or_default();
            (name.replace('-', "_"), value)
        });
    Attributes::new(pairs.collect())
}
