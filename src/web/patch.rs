//! Puts a tree of nodes on the page and, when it changes, touches only what differs: what has the
//! focus keeps it, and what is being written in is left alone.

use super::dom::{El, append, document, set_attr, set_style};
use crate::text::markup::{self, Node};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlInputElement, HtmlSelectElement};

/// A place on the page that holds a tree, or nothing.
pub struct Patch {
    place: Element,
    last: Option<Node>,
}

impl Patch {
    pub fn new(place: &El) -> Patch {
        Patch::at(place.0.clone())
    }

    /// The place is empty yet.
    pub fn at(place: Element) -> Patch {
        Patch { place, last: None }
    }

    /// `editing` is the field that is being written in, if one is.
    pub fn set(&mut self, node: Option<Node>, editing: Option<&Element>) {
        match (&self.last, &node) {
            (Some(old), Some(new)) => {
                if let Some(shown) = self.place.first_child() {
                    patch(&shown, old, new, editing);
                }
            }
            (None, Some(new)) => append(&self.place, &make(new)),
            (_, None) => self.place.set_text_content(None),
        }
        self.last = node;
    }
}

/// An element that a tree describes. The tag and the children that the tree has at first stay; it may hold others after
/// them.
pub struct LiveElement {
    element: web_sys::Node,
    last: Node,
}

impl LiveElement {
    pub fn new(node: Node) -> LiveElement {
        LiveElement {
            element: make(&node),
            last: node,
        }
    }

    pub fn element(&self) -> &Element {
        self.element.unchecked_ref()
    }

    /// `editing` is the field that is being written in, if one is.
    pub fn set(&mut self, node: Node, editing: Option<&Element>) {
        patch(&self.element, &self.last, &node, editing);
        self.last = node;
    }
}

fn make(node: &Node) -> web_sys::Node {
    const MATHML: &str = "http://www.w3.org/1998/Math/MathML";
    match node {
        Node::Text(text) => document().create_text_node(text).into(),
        Node::Element(element) => {
            let markup::Element {
                tag,
                attributes,
                children,
            } = &**element;
            let element = if tag.starts_with('m') && *tag != "mark" {
                document().create_element_ns(Some(MATHML), tag)
            } else {
                document().create_element(tag)
            };
            let element = element.expect("tags are fixed and legal");
            for (name, value) in attributes {
                write_attr(&element, name, value);
            }
            for child in children {
                append(&element, &make(child));
            }
            element.into()
        }
    }
}

fn patch(shown: &web_sys::Node, old: &Node, new: &Node, editing: Option<&Element>) {
    match (old, new) {
        _ if old == new => {}
        (Node::Text(_), Node::Text(text)) => shown.set_node_value(Some(text)),
        (Node::Element(old), Node::Element(new)) if old.tag == new.tag => {
            let (attributes, children) = (&old.attributes, &old.children);
            let (new_attributes, new_children) = (&new.attributes, &new.children);
            let element: &Element = shown.unchecked_ref();
            for (name, _) in attributes {
                if !new_attributes.iter().any(|(other, _)| other == name) {
                    // Removing an attribute does not fail.
                    let _ = element.remove_attribute(name);
                    set_property(element, name, None);
                }
            }
            for (name, value) in new_attributes {
                let before = attributes.iter().find(|(other, _)| other == name);
                if before.map(|(_, value)| value) != Some(value) {
                    // Before the attribute, which would leave the caret of a field at its beginning.
                    if editing != Some(element) {
                        set_property(element, name, Some(value));
                    }
                    write_attr(element, name, value);
                }
            }
            let mut child = shown.first_child();
            for (old, new) in children.iter().zip(new_children) {
                let Some(this) = child else { break };
                child = this.next_sibling();
                patch(&this, old, new, editing);
            }
            for _ in new_children.len()..children.len() {
                let Some(extra) = child else { break };
                child = extra.next_sibling();
                // Its parent is the element that it was found in.
                let _ = shown.remove_child(&extra);
            }
            for new in new_children.iter().skip(children.len()) {
                append(shown, &make(new));
            }
        }
        _ => {
            if let Some(parent) = shown.parent_node() {
                // What is replaced is the parent's own child.
                let _ = parent.replace_child(&make(new), shown);
            }
        }
    }
}

fn write_attr(element: &Element, name: &str, value: &str) {
    match element.dyn_ref::<HtmlElement>() {
        Some(element) if name == "style" => set_style(element, value),
        _ => set_attr(element, name, value),
    }
}

/// Attributes say what a field begins with; once used, only its properties change what it shows.
fn set_property(element: &Element, name: &str, value: Option<&str>) {
    if let Some(input) = element.dyn_ref::<HtmlInputElement>() {
        match name {
            "value" => input.set_value(value.unwrap_or_default()),
            "checked" => input.set_checked(value.is_some()),
            _ => {}
        }
    } else if name == "selected"
        && value.is_some()
        && let Some(list) = element.parent_element()
        && let Some(list) = list.dyn_ref::<HtmlSelectElement>()
    {
        list.set_value(&element.get_attribute("value").unwrap_or_default());
    }
}

/// Shows again what the tree says, whatever has been written or chosen in the fields since.
pub fn restore(place: &Element) {
    let found = place.query_selector_all("input[value], option[selected]");
    let Ok(fields) = found else { return };
    for index in 0..fields.length() {
        let field: Option<Element> = fields.get(index).and_then(|node| node.dyn_into().ok());
        let Some(field) = field else { continue };
        let value = field.get_attribute("value").unwrap_or_default();
        if let Some(input) = field.dyn_ref::<HtmlInputElement>() {
            if input.type_() != "checkbox" && input.value() != value {
                input.set_value(&value);
            }
        } else if let Some(list) = field.parent_element()
            && let Some(list) = list.dyn_ref::<HtmlSelectElement>()
            && list.value() != value
        {
            list.set_value(&value);
        }
    }
}
