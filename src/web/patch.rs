//! Renders a tree of nodes into the DOM and, when the tree changes, updates only what differs: a focused element keeps
//! the focus, and an input that is being typed in is not overwritten.

use super::dom::{El, append, document, set_attr, set_style};
use crate::text::markup::{self, Node};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlInputElement, HtmlSelectElement};

/// An element of the page whose content is a tree, or nothing.
pub struct Patch {
    place: Element,
    last: Option<Node>,
}

impl Patch {
    pub fn new(place: &El) -> Patch {
        Patch::at(place.0.clone())
    }

    /// `place` must be empty.
    pub fn at(place: Element) -> Patch {
        Patch { place, last: None }
    }

    /// `editing` is the input that is being edited, if any.
    pub fn set(&mut self, node: Option<Node>, editing: Option<&Element>) {
        match (&self.last, &node) {
            (Some(old), Some(new)) => {
                if let Some(shown) = self.place.first_child() {
                    patch(&shown, old, new, false, editing);
                }
            }
            (None, Some(new)) => append(&self.place, &make(new, false)),
            (Some(_), None) => self.place.set_text_content(None),
            (None, None) => {}
        }
        self.last = node;
    }

    /// Makes inputs and lists show the values of the tree again, whatever the reader has entered since.
    pub fn restore(&self) {
        if let (Some(shown), Some(node)) = (self.place.first_child(), &self.last) {
            restore(&shown, node);
        }
    }
}

/// A DOM element that is rendered from a tree. Its tag and the initial children of the tree must stay; other children
/// may be appended after them.
pub struct LiveElement {
    element: web_sys::Node,
    last: Node,
}

impl LiveElement {
    pub fn new(node: Node) -> LiveElement {
        LiveElement {
            element: make(&node, false),
            last: node,
        }
    }

    pub fn element(&self) -> &Element {
        self.element.unchecked_ref()
    }

    /// `editing` is the input that is being edited, if any.
    pub fn set(&mut self, node: Node, editing: Option<&Element>) {
        patch(&self.element, &self.last, &node, false, editing);
        self.last = node;
    }

    /// As [`Patch::restore`].
    pub fn restore(&self) {
        restore(&self.element, &self.last);
    }
}

/// As in HTML, `<math>` and all that it contains are MathML; `in_math` says whether the node's parent is.
fn make(node: &Node, in_math: bool) -> web_sys::Node {
    const MATHML: &str = "http://www.w3.org/1998/Math/MathML";
    match node {
        Node::Text(text) => document().create_text_node(text).into(),
        Node::Element(element) => {
            let markup::Element {
                tag,
                attributes,
                children,
            } = &**element;
            let in_math = in_math || *tag == "math";
            let element = if in_math {
                document().create_element_ns(Some(MATHML), tag)
            } else {
                document().create_element(tag)
            };
            let element = element.expect("tags are fixed and legal");
            for (name, value) in attributes {
                write_attr(&element, name, value);
            }
            for child in children {
                append(&element, &make(child, in_math));
            }
            element.into()
        }
    }
}

fn patch(shown: &web_sys::Node, old: &Node, new: &Node, in_math: bool, editing: Option<&Element>) {
    match (old, new) {
        _ if old == new => {}
        (Node::Text(_), Node::Text(text)) => shown.set_node_value(Some(text)),
        (Node::Element(old), Node::Element(new)) if old.tag == new.tag => {
            let in_math = in_math || new.tag == "math";
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
                    if editing != Some(element) {
                        set_property(element, name, Some(value));
                    }
                    if !is_initial(element, name) {
                        write_attr(element, name, value);
                    }
                }
            }
            let mut child = shown.first_child();
            for (old, new) in children.iter().zip(new_children) {
                let Some(this) = child else { break };
                child = this.next_sibling();
                patch(&this, old, new, in_math, editing);
            }
            for _ in new_children.len()..children.len() {
                let Some(extra) = child else { break };
                child = extra.next_sibling();
                // Does not fail, since `extra` is a child of `shown`.
                let _ = shown.remove_child(&extra);
            }
            for new in new_children.iter().skip(children.len()) {
                append(shown, &make(new, in_math));
            }
        }
        _ => {
            if let Some(parent) = shown.parent_node() {
                // Does not fail, since `shown` is a child of `parent`.
                let _ = parent.replace_child(&make(new, in_math), shown);
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

/// Whether an attribute is only the initial value of an input. What the input shows is its property, and writing the
/// attribute as well would double the time.
fn is_initial(element: &Element, name: &str) -> bool {
    name == "value" && element.has_type::<HtmlInputElement>()
}

/// Attributes are only the initial values of an input; after user input, only its properties change what it shows.
fn set_property(element: &Element, name: &str, value: Option<&str>) {
    if let Some(input) = element.dyn_ref::<HtmlInputElement>() {
        match name {
            "value" => set_value(input, value.unwrap_or_default()),
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

/// A slider that is dragged has the value already; setting it takes longer than reading it.
fn set_value(input: &HtmlInputElement, value: &str) {
    if input.value() != value {
        input.set_value(value);
    }
}

fn restore(shown: &web_sys::Node, node: &Node) {
    let Node::Element(tree) = node else { return };
    let element = shown.unchecked_ref();
    // A box whose tree has no such attribute is not checked.
    set_property(element, "checked", None);
    for (name, value) in &tree.attributes {
        if matches!(*name, "value" | "checked" | "selected") {
            set_property(element, name, Some(value));
        }
    }
    let mut child = shown.first_child();
    for node in &tree.children {
        let Some(this) = child else { break };
        child = this.next_sibling();
        restore(&this, node);
    }
}
