//! Trees of elements on the page: an update changes only what differs.

use js_sys::Function;
use posenc::Normals;
use posenc::text::markup::{Node, math};
use posenc::web::{LiveElement, Patch};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Document, Element, HtmlElement, HtmlInputElement, HtmlSelectElement};

fn document() -> Document {
    web_sys::window().unwrap().document().unwrap()
}

/// An element on the page with a tree, and a record of the changes in it.
struct Place {
    element: Element,
    patch: Patch,
    records: Function,
}

impl Place {
    fn new(tree: Node) -> Place {
        let element = document().create_element("div").unwrap();
        document().body().unwrap().append_child(&element).unwrap();
        let mut patch = Patch::at(element.clone());
        patch.set(Some(tree), None);
        let observe = Function::new_with_args(
            "place",
            "const observer = new MutationObserver(() => {});
            observer.observe(place, { subtree: true, childList: true, attributes: true, characterData: true });
            return () => observer.takeRecords().map((r) => `${r.type} ${r.attributeName ?? r.target.nodeName}`).join(', ');",
        );
        let records = observe.call1(&JsValue::NULL, &element).unwrap();
        Place {
            element,
            patch,
            records: records.unchecked_into(),
        }
    }

    /// Returns the changes since the last call.
    fn touched(&self) -> String {
        let records = self.records.call0(&JsValue::NULL).unwrap();
        records.as_string().unwrap()
    }

    fn set(&mut self, tree: Node) -> String {
        self.patch.set(Some(tree), None);
        self.touched()
    }

    fn find(&self, selector: &str) -> Element {
        self.element.query_selector(selector).unwrap().unwrap()
    }

    /// Whether the page has the same nodes as if this tree were created at once.
    fn shows(&self, tree: Node) -> bool {
        let fresh = Place::new(tree);
        let (here, there) = (self.element.first_child(), fresh.element.first_child());
        let same = here.unwrap().is_equal_node(there.as_ref());
        fresh.element.remove();
        same
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.element.remove();
    }
}

fn list(items: &[&str]) -> Node {
    Node::new(
        "ul",
        items.iter().map(|item| Node::text("li", *item)).collect(),
    )
}

#[wasm_bindgen_test]
fn an_equal_tree_touches_nothing() {
    let tree = || {
        let input = Node::new("input", vec![])
            .attribute("value", "3")
            .flag("disabled", true);
        Node::new(
            "div",
            vec![list(&["a", "b"]), input, Node::text("p", "words")],
        )
        .class("all")
    };
    let mut place = Place::new(tree());
    assert_eq!(place.set(tree()), "");
    assert!(place.shows(tree()));
}

#[wasm_bindgen_test]
fn a_changed_text_touches_that_text_alone() {
    let mut place = Place::new(list(&["a", "b", "c"]));
    let second = place.find("li:nth-child(2)");
    assert_eq!(place.set(list(&["a", "B", "c"])), "characterData #text");
    assert_eq!(second, place.find("li:nth-child(2)"));
    assert_eq!(second.text_content().unwrap(), "B");
}

#[wasm_bindgen_test]
fn attributes_are_set_changed_and_removed_by_name() {
    let tree = |node: Node| Node::new("p", vec![node]);
    let mut place = Place::new(tree(
        Node::text("b", "x")
            .class("sine")
            .attribute("title", "old")
            .attribute("lang", "en"),
    ));
    let after = || {
        tree(
            Node::text("b", "x")
                .class("sine")
                .attribute("title", "new")
                .attribute("id", "y"),
        )
    };
    let mut touched: Vec<String> = place.set(after()).split(", ").map(String::from).collect();
    touched.sort();
    assert_eq!(
        touched,
        ["attributes id", "attributes lang", "attributes title"]
    );
    assert!(place.shows(after()));
}

#[wasm_bindgen_test]
fn children_come_and_go_and_those_before_them_stay() {
    let mut place = Place::new(list(&["a", "b"]));
    let first = place.find("li");
    assert_eq!(
        place.set(list(&["a", "b", "c", "d"])),
        "childList UL, childList UL"
    );
    assert!(place.shows(list(&["a", "b", "c", "d"])));
    assert_eq!(
        place.set(list(&["a"])),
        "childList UL, childList UL, childList UL"
    );
    assert!(place.shows(list(&["a"])));
    assert_eq!(first, place.find("li"));
    // In another order, each element gets its new text.
    place.set(list(&["x", "y", "z"]));
    let third = place.find("li:nth-child(3)");
    place.set(list(&["z", "x", "y"]));
    assert!(place.shows(list(&["z", "x", "y"])));
    assert_eq!(third, place.find("li:nth-child(3)"));
}

#[wasm_bindgen_test]
fn another_tag_replaces_its_element() {
    let tree = |tag| Node::new("div", vec![Node::text(tag, "1"), Node::text("b", "2")]);
    let mut place = Place::new(tree("span"));
    let kept = place.find("b");
    assert_eq!(place.set(tree("i")), "childList DIV");
    assert!(place.shows(tree("i")));
    assert_eq!(kept, place.find("b"));
}

#[wasm_bindgen_test]
fn math_and_what_is_in_it_is_mathml_and_nothing_else() {
    let formula = |last: Node| math::math(vec![math::row(vec![math::mi("x"), last])]);
    let tree = |last| Node::new("div", vec![Node::text("menu", "1"), formula(last)]);
    let mut place = Place::new(tree(Node::Text("+".into())));
    let check = |place: &Place, tags: &[&str]| {
        for tag in tags {
            let namespace = place.find(tag).namespace_uri();
            assert_eq!(
                namespace.as_deref() == Some("http://www.w3.org/1998/Math/MathML"),
                !["div", "menu", "main"].contains(tag),
                "{tag}"
            );
        }
    };
    check(&place, &["div", "menu", "math", "mrow", "mi"]);
    // Elements that are replaced or added later, too.
    place.set(tree(math::mo("+")));
    check(&place, &["mo"]);
    place.set(Node::new(
        "div",
        vec![
            formula(math::mo("+")),
            Node::text("main", "2"),
            formula(math::mn("2")),
        ],
    ));
    check(&place, &["math", "mo", "main", "math + main + math mn"]);
}

#[wasm_bindgen_test]
fn focus_and_listeners_survive_a_change_around_them() {
    let tree = |label: &'static str, value: &'static str| {
        let input = Node::new("input", vec![]).attribute("value", value);
        Node::new(
            "div",
            vec![Node::text("p", label), input, Node::text("p", value)],
        )
    };
    let mut place = Place::new(tree("before", "1"));
    let input: HtmlInputElement = place.find("input").unchecked_into();
    let pressed = Function::new_with_args("event", "event.target.dataset.heard = 'yes'");
    input
        .add_event_listener_with_callback("click", &pressed)
        .unwrap();
    input.focus().unwrap();
    place.set(tree("after", "2"));
    assert_eq!(document().active_element().as_ref(), Some(input.as_ref()));
    assert_eq!(input.value(), "2");
    input.click();
    assert_eq!(input.get_attribute("data-heard").as_deref(), Some("yes"));
}

#[wasm_bindgen_test]
fn what_is_being_written_is_left_alone() {
    let tree = |value: &'static str| Node::new("input", vec![]).attribute("value", value);
    let mut place = Place::new(tree("1"));
    let input: HtmlInputElement = place.find("input").unchecked_into();
    input.set_value("12");
    place.patch.set(Some(tree("12.0")), Some(&input));
    assert_eq!(input.value(), "12");
    // When the field loses the focus, it shows the value of the tree.
    place.patch.set(Some(tree("13")), None);
    assert_eq!(input.value(), "13");
}

#[wasm_bindgen_test]
fn the_value_of_an_input_changes_without_its_attribute() {
    let tree = |value: &'static str| Node::new("input", vec![]).attribute("value", value);
    let mut place = Place::new(tree("1"));
    assert_eq!(place.set(tree("2")), "");
    let input: HtmlInputElement = place.find("input").unchecked_into();
    assert_eq!(input.value(), "2");
}

#[wasm_bindgen_test]
fn used_boxes_and_lists_follow_the_tree() {
    let tree = |on: bool, second: bool| {
        let option = |value: &'static str, on| {
            Node::text("option", value)
                .attribute("value", value)
                .flag("selected", on)
        };
        let list = Node::new("select", vec![option("a", !second), option("b", second)]);
        let check = Node::new("input", vec![])
            .attribute("type", "checkbox")
            .flag("checked", on);
        Node::new("div", vec![check, list])
    };
    let mut place = Place::new(tree(false, false));
    let check: HtmlInputElement = place.find("input").unchecked_into();
    // The first press makes the property independent of the attribute.
    check.click();
    place.set(tree(true, true));
    place.set(tree(false, true));
    assert!(!check.checked());
    let list: web_sys::HtmlSelectElement = place.find("select").unchecked_into();
    assert_eq!(list.value(), "b");
    place.set(tree(false, false));
    assert_eq!(list.value(), "a");
}

#[wasm_bindgen_test]
fn nothing_stands_where_nothing_is_set() {
    let mut place = Place::new(list(&["a"]));
    place.patch.set(None, None);
    assert_eq!(place.element.child_nodes().length(), 0);
    place.patch.set(Some(list(&["b"])), None);
    assert!(place.shows(list(&["b"])));
}

/// A random tree with a limited depth.
fn random_tree(next: &mut impl FnMut(usize) -> usize, depth: usize) -> Node {
    const TAGS: [&str; 4] = ["div", "span", "b", "math"];
    const VALUES: [&str; 3] = ["one", "two", "three"];
    if depth == 0 || next(4) == 0 {
        return Node::Text(VALUES[next(3)].into());
    }
    let children = (0..next(4)).map(|_| random_tree(next, depth - 1)).collect();
    let mut node = Node::new(TAGS[next(4)], children);
    for name in ["class", "title"] {
        if next(2) == 0 {
            node = node.attribute(name, VALUES[next(3)]);
        }
    }
    node
}

#[wasm_bindgen_test]
fn any_tree_becomes_any_other() {
    let mut normals = Normals::seeded(7);
    let mut next = |below: usize| (1000.0 * normals.next().unwrap().abs()) as usize % below;
    let mut place = Place::new(Node::new("div", vec![]));
    for _ in 0..300 {
        let tree = Node::new(
            "div",
            vec![random_tree(&mut next, 4), random_tree(&mut next, 3)],
        );
        place.set(tree.clone());
        assert!(place.shows(tree.clone()), "{tree:?}");
        assert_eq!(place.set(tree), "");
    }
}

#[wasm_bindgen_test]
fn fields_that_were_written_in_are_restored() {
    let mut place = Place::new(Node::new("input", vec![]).attribute("value", "5"));
    let input: HtmlInputElement = place.find("input").unchecked_into();
    input.set_value("nonsense");
    place.patch.restore();
    assert_eq!(input.value(), "5");
    assert_eq!(
        place.set(Node::new("input", vec![]).attribute("value", "5")),
        ""
    );
}

#[wasm_bindgen_test]
fn a_choice_that_is_not_used_is_taken_back() {
    let option = |value: &'static str| Node::text("option", value).attribute("value", value);
    let list = Node::new(
        "select",
        vec![option("a"), option("b").flag("selected", true)],
    );
    let place = Place::new(list);
    let list: HtmlSelectElement = place.find("select").unchecked_into();
    list.set_value("a");
    place.patch.restore();
    assert_eq!(list.value(), "b");
}

#[wasm_bindgen_test]
fn what_others_have_put_into_an_element_stays() {
    let tree = |value: &'static str, style: &'static str| {
        let number = Node::new("input", vec![]).attribute("value", value);
        Node::new("div", vec![number.attribute("style", style)])
    };
    let mut live = LiveElement::new(tree("1", "--digits:1"));
    let button = document().create_element("button").unwrap();
    live.element().append_child(&button).unwrap();
    live.set(tree("23", "--digits:2"), None);
    assert!(live.element().contains(Some(&button)));
    let input = live.element().first_element_child().unwrap();
    let style = input.unchecked_ref::<HtmlElement>().style();
    assert_eq!(style.get_property_value("--digits").unwrap(), "2");
    assert_eq!(input.unchecked_ref::<HtmlInputElement>().value(), "23");
}
