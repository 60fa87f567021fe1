//! A thin layer over the DOM: building elements and writing only what changed.

use crate::text::{Lang, labels};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Document, Element, HtmlElement, Window};

/// The window. Only called on a page, where there is one.
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

/// Height of the window in CSS pixels; 0 where the browser does not report it.
pub fn window_height() -> f64 {
    window_size().1
}

/// Pixels per CSS pixel, of the screen or of a printer, which has more.
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

/// The part of the page that the app builds; `None` where a page only imports the functions.
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

    /// Puts a symbol in place of what the element holds.
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

/// A button with words on it.
pub fn button(action: &str, words: &str) -> El {
    el("button")
        .attr("type", "button")
        .attr("data-action", action)
        .text(words)
}

/// A button that opens a part of the kit, which start.mjs loads by this name.
pub fn kit_button(name: &str, words: &str) -> El {
    el("button")
        .attr("type", "button")
        .attr("data-kit", name)
        .attr("data-control", name)
        .attr("aria-haspopup", "dialog")
        .text(words)
}

/// A button with a symbol on it, described in words.
pub fn icon_button(action: &str, icon: Icon, words: &str) -> El {
    let button = el("button")
        .attr("type", "button")
        .attr("data-action", action);
    button
        .attr("aria-label", words)
        .attr("title", words)
        .icon(icon)
}

/// The table for those who read it, which a part of the kit fills once it is opened.
pub fn numbers(lang: Lang) -> El {
    let summary = el("summary")
        .attr("data-kit", "numbers")
        .text(labels::NUMBERS.get(lang));
    el("details").class("numbers").child(&summary)
}

/// Says of a canvas whether keys work it. If they do it is an application: in a picture, and in whatever else is no
/// widget, a screen reader keeps the arrow keys for reading on, while an application gets them as soon as it has the
/// focus. No widget fits better, since a slider is one number and a grid is made of elements. The name stays the
/// figure's title, since a focused element is read again when its name changes; what the figure shows is its
/// description, and what a key does is said in the live region.
pub fn worked_by_keys(canvas: &Element, keys: bool, lang: Lang) {
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

/// A symbol as the path of an outline in a square of 16; fonts are not to be trusted with these.
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

/// Sets an attribute that has no value, or removes it.
pub fn toggle_attr(element: &Element, name: &str, on: bool) {
    // Fails only for a name that is none.
    let _ = element.toggle_attribute_with_force(name, on);
}

/// Whether the page is a frame in somebody else's, which follows the height of what is in it.
pub fn is_framed() -> bool {
    let page = document().document_element();
    page.is_some_and(|page| page.has_attribute("data-framed"))
}

/// Closes a `<details>`.
pub fn close(details: &Element) {
    toggle_attr(details, "open", false);
}

/// Writes an attribute unless it has that value already: for a page's `lang` Chromium styles every element anew even then.
pub fn change_attr(element: &Element, name: &str, value: &str) {
    if element.get_attribute(name).as_deref() != Some(value) {
        set_attr(element, name, value);
    }
}

/// Replaces an element's inline style. Not by the `style` attribute, which a page's Content-Security-Policy may block as
/// it does in markup.
pub fn set_style(element: &HtmlElement, css: &str) {
    element.style().set_css_text(css);
}

/// Text that is written only when it changes.
pub struct Slot {
    element: Element,
    last: Option<String>,
}

impl Slot {
    pub fn new(element: &El) -> Slot {
        Slot {
            element: element.0.clone(),
            last: None,
        }
    }

    pub fn set(&mut self, text: &str) {
        if self.last.as_deref() != Some(text) {
            match self.element.first_child() {
                // Replacing the node would make browsers evaluate `:has()` again on all ancestors. An element without text
                // has no node, for `:empty`.
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

    /// Writes an attribute in place of the text.
    pub fn set_attr(&mut self, name: &str, value: &str) {
        if self.last.as_deref() != Some(value) {
            set_attr(&self.element, name, value);
            self.last = Some(value.to_string());
        }
    }
}

/// A text that was written somewhere.
#[derive(Default)]
pub struct Last(Option<String>);

impl Last {
    /// Notes a text; true if it is another one.
    pub fn is_news(&mut self, text: &str) -> bool {
        let news = self.0.as_deref() != Some(text);
        if news {
            self.0 = Some(text.to_string());
        }
        news
    }
}

impl El {
    /// An element found on the page.
    pub fn from_node(node: web_sys::Node) -> El {
        El(node.dyn_into().expect("selectors find elements"))
    }
}
