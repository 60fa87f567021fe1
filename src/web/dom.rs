//! A thin layer over the DOM: builds elements and writes only what has changed.

use crate::text::{Lang, labels};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Document, Element, Event, HtmlElement, MouseEvent, Window};

/// The window. Must be called only on a page, since workers and Node.js have none.
pub fn window() -> Window {
    web_sys::window().expect("a page has a window")
}

pub fn document() -> Document {
    window()
        .document()
        .expect("a window of a page has a document")
}

/// Width and height of the window in CSS pixels; 0 where the browser does not report them.
pub fn window_size() -> (f64, f64) {
    let pixels = |length: Result<JsValue, JsValue>| length.ok().and_then(|value| value.as_f64());
    let (width, height) = (window().inner_width(), window().inner_height());
    (
        pixels(width).unwrap_or_default(),
        pixels(height).unwrap_or_default(),
    )
}

/// The smaller of the ratios of a size's width and height to those of a reference size; at least 1.
pub fn enlargement((width, height): (f64, f64), reference: (f64, f64)) -> f64 {
    (width / reference.0).min(height / reference.1).max(1.0)
}

/// Height of the window in CSS pixels; 0 where the browser does not report it.
pub fn window_height() -> f64 {
    window_size().1
}

/// Device pixels per CSS pixel; at least 2 for printing, as printers have a higher resolution than screens.
pub fn ratio(printing: bool) -> f64 {
    let ratio = window().device_pixel_ratio();
    if printing { ratio.max(2.0) } else { ratio }
}

pub fn browser_lang() -> Lang {
    let tags: Vec<String> = window()
        .navigator()
        .languages()
        .iter()
        .filter_map(|tag| tag.as_string())
        .collect();
    Lang::preferred(tags.iter().map(String::as_str))
}

/// The element that the bench is mounted in; `None` on a page that only imports functions of the module.
pub fn mount_point() -> Option<HtmlElement> {
    let document = web_sys::window()?.document()?;
    document.get_element_by_id("posenc")?.dyn_into().ok()
}

/// An element under construction.
#[derive(Clone)]
pub struct El(pub Element);

pub fn el(tag: &str) -> El {
    El(document()
        .create_element(tag)
        .expect("tags are fixed and legal"))
}

impl El {
    pub fn class(self, class: &str) -> El {
        self.0.set_class_name(class);
        self
    }

    pub fn attr(self, name: &str, value: &str) -> El {
        set_attr(&self.0, name, value);
        self
    }

    pub fn text(self, text: &str) -> El {
        self.0.set_text_content(Some(text));
        self
    }

    /// Replaces the content of the element with an icon.
    pub fn icon(self, icon: Icon) -> El {
        const SVG: &str = "http://www.w3.org/2000/svg";
        let svg = |tag| {
            El(document()
                .create_element_ns(Some(SVG), tag)
                .expect("tags are fixed and legal"))
        };
        self.0.set_text_content(None);
        let path = svg("path").attr("d", icon.path());
        self.child(
            &svg("svg")
                .attr("viewBox", "0 0 16 16")
                .attr("class", "icon")
                .attr("aria-hidden", "true")
                .child(&path),
        )
    }

    pub fn child(self, child: &El) -> El {
        append(&self.0, &child.0);
        self
    }

    pub fn children<'a>(self, children: impl IntoIterator<Item = &'a El>) -> El {
        children
            .into_iter()
            .fold(self, |parent, child| parent.child(child))
    }

    pub fn cast<T: JsCast>(&self) -> T {
        self.0
            .clone()
            .dyn_into()
            .unwrap_or_else(|_| panic!("<{}> is of another type", self.0.tag_name()))
    }
}

/// A button with a text label.
pub fn button(action: &str, words: &str) -> El {
    el("button")
        .attr("type", "button")
        .attr("data-action", action)
        .text(words)
}

/// A button that opens the kit module of this name, which start.mjs loads.
pub fn kit_button(name: &str, words: &str) -> El {
    el("button")
        .attr("type", "button")
        .attr("data-kit", name)
        .attr("data-control", name)
        .attr("aria-haspopup", "dialog")
        .text(words)
}

/// A button with an icon. `words` is its accessible name and its tooltip.
pub fn icon_button(action: &str, icon: Icon, words: &str) -> El {
    let button = el("button")
        .attr("type", "button")
        .attr("data-action", action);
    button
        .attr("aria-label", words)
        .attr("title", words)
        .icon(icon)
}

/// A closed `<details>` for the table of numbers, which is filled by kit/numbers.mjs when it is opened.
pub fn numbers(lang: Lang) -> El {
    let summary = el("summary")
        .attr("data-kit", "numbers")
        .text(labels::NUMBERS.get(lang));
    el("details").class("numbers").child(&summary)
}

/// Sets the role of a canvas according to whether keys operate it. If they do, the role is "application": in an image,
/// and in anything else that is no widget, a screen reader uses the arrow keys for its own navigation, while an
/// application receives them as soon as it has the focus. No other widget role fits, since a slider has a single number
/// and a grid consists of elements. The accessible name remains the figure's title, since a focused element is read
/// again when its name changes. The figure's content is its description, and the effect of a key is announced in the
/// live region.
pub fn set_keyboard_role(canvas: &Element, keys: bool, lang: Lang) {
    if keys {
        set_attr(canvas, "role", "application");
        set_attr(
            canvas,
            "aria-roledescription",
            labels::INTERACTIVE.get(lang),
        );
        set_attr(canvas, "tabindex", "0");
    } else {
        set_attr(canvas, "role", "img");
        for name in ["aria-roledescription", "tabindex"] {
            // Removing an attribute does not fail.
            let _ = canvas.remove_attribute(name);
        }
    }
}

/// An icon, stroked along a path in a 16 × 16 view box; fonts do not have these symbols reliably.
#[derive(Clone, Copy)]
pub enum Icon {
    StepBack,
    Crosshair,
    Cross,
    Dots,
    Everything,
    FullScreen,
    Move,
    Minus,
    StepForward,
    Pause,
    Pen,
    Play,
    Plus,
}

impl Icon {
    fn path(self) -> &'static str {
        match self {
            Icon::StepBack => "M12 3 5 8l7 5zM4 3v10",
            Icon::Crosshair => "M8 1v5M8 10v5M1 8h5M10 8h5",
            Icon::Cross => "M4 4l8 8M12 4l-8 8",
            Icon::Dots => "M3 8h.01M8 8h.01M13 8h.01",
            Icon::FullScreen => "M6 2H2v4M10 2h4v4M6 14H2v-4M10 14h4v-4",
            Icon::Everything => {
                "M6 2H2v4M10 2h4v4M6 14H2v-4M10 14h4v-4M2 2l4 4M14 2l-4 4M2 14l4-4M14 14l-4-4"
            }
            Icon::Move => "M8 1v14M1 8h14M6 3l2-2 2 2M6 13l2 2 2-2M3 6 1 8l2 2M13 6l2 2-2 2",
            Icon::Minus => "M3 8h10",
            Icon::StepForward => "M4 3l7 5-7 5zM12 3v10",
            Icon::Pause => "M5 3v10M11 3v10",
            Icon::Pen => "M3 13l1-3 7-7 2 2-7 7zM9.5 4.5l2 2",
            Icon::Play => "M4 2.5l9 5.5-9 5.5z",
            Icon::Plus => "M3 8h10M8 3v10",
        }
    }
}

pub fn append(parent: &web_sys::Node, child: &web_sys::Node) {
    parent
        .append_child(child)
        .expect("a fresh node can be appended");
}

pub fn set_attr(element: &Element, name: &str, value: &str) {
    element
        .set_attribute(name, value)
        .expect("attribute names are fixed and legal");
}

/// Adds a boolean attribute or removes it.
pub fn toggle_attr(element: &Element, name: &str, on: bool) {
    // Fails only for an invalid name.
    let _ = element.toggle_attribute_with_force(name, on);
}

/// Whether the page is embedded in an iframe, whose height follows its content.
pub fn is_framed() -> bool {
    let page = document().document_element();
    page.is_some_and(|page| page.has_attribute("data-framed"))
}

/// Whether a click on a link opens it in another tab or window.
pub fn opens_elsewhere(click: &Event) -> bool {
    let click = click.dyn_ref::<MouseEvent>();
    click.is_some_and(|click| click.ctrl_key() || click.meta_key() || click.shift_key())
}

/// Closes a `<details>`.
pub fn close(details: &Element) {
    toggle_attr(details, "open", false);
}

/// Writes an attribute only if its value changes: Chromium recalculates the style of every element when `lang` of the
/// root is written, even with the same value.
pub fn change_attr(element: &Element, name: &str, value: &str) {
    if element.get_attribute(name).as_deref() != Some(value) {
        set_attr(element, name, value);
    }
}

/// Changes an attribute, or removes it.
pub fn change_or_remove_attr(element: &Element, name: &str, value: Option<&str>) {
    match value {
        Some(value) => change_attr(element, name, value),
        // Removing an attribute does not fail.
        None => drop(element.remove_attribute(name)),
    }
}

/// Replaces an element's inline style through the CSSOM, since a page's Content-Security-Policy may block the `style`
/// attribute, as it does in markup.
pub fn set_style(element: &HtmlElement, css: &str) {
    element.style().set_css_text(css);
}

/// Text, or an attribute, that is written only when it changes.
pub struct CachedText {
    element: Element,
    last: Option<String>,
}

impl CachedText {
    pub fn new(element: &El) -> CachedText {
        CachedText {
            element: element.0.clone(),
            last: None,
        }
    }

    pub fn set(&mut self, text: &str) {
        if self.last.as_deref() != Some(text) {
            match self.element.first_child() {
                // Replacing the text node would make browsers evaluate `:has()` again on all ancestors. An element with
                // an empty text has no text node, so that `:empty` matches.
                Some(node)
                    if !text.is_empty()
                        && node.node_type() == web_sys::Node::TEXT_NODE
                        && node.next_sibling().is_none() =>
                {
                    node.set_node_value(Some(text));
                }
                _ => self.element.set_text_content(Some(text)),
            }
            self.last = Some(text.to_string());
        }
    }

    /// Writes an attribute. A slot is used either for one attribute or for the text.
    pub fn set_attr(&mut self, name: &str, value: &str) {
        if self.last.as_deref() != Some(value) {
            set_attr(&self.element, name, value);
            self.last = Some(value.to_string());
        }
    }
}

/// The last text that was written somewhere.
#[derive(Default)]
pub struct LastWritten(Option<String>);

impl LastWritten {
    /// Stores a text; true if it differs from the last one.
    pub fn has_changed(&mut self, text: &str) -> bool {
        let news = self.0.as_deref() != Some(text);
        if news {
            self.0 = Some(text.to_string());
        }
        news
    }
}

impl El {
    /// Wraps a node that a selector has found, which is always an element.
    pub fn from_node(node: web_sys::Node) -> El {
        El(node.dyn_into().expect("selectors find elements"))
    }
}
