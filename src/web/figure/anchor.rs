//! Scroll anchoring for browsers that have none (WebKit): when something above the window changes its height, the page is
//! scrolled by as much in the same frame, so that what the reader looks at stays where it is.
//! <https://drafts.csswg.org/css-scroll-anchoring/>

use super::lifecycle::UNFINISHED;
use crate::web::dom::{document, window, window_height};
use wasm_bindgen::prelude::*;
use web_sys::{Element, ResizeObserver, ResizeObserverEntry};

/// What an observer calls with its entries.
pub type Entries = Closure<dyn FnMut(js_sys::Array)>;

/// CSS pixels: a place that was scrolled to may be off by a fraction of one.
const ROUNDING: f64 = 1.0;

pub struct Anchor {
    observer: ResizeObserver,
    _resized: Entries,
}

impl Anchor {
    /// `None` where sizes cannot be observed.
    pub fn new() -> Option<Anchor> {
        let mut boxes = Vec::new();
        let resized = Entries::new(move |entries: js_sys::Array| hold(&mut boxes, &entries));
        let observer = ResizeObserver::new(resized.as_ref().unchecked_ref()).ok()?;
        Some(Anchor {
            observer,
            _resized: resized,
        })
    }

    pub fn observe(&self, element: &Element) {
        self.observer.observe(element);
    }

    pub fn unobserve(&self, element: &Element) {
        self.observer.unobserve(element);
    }
}

/// An element as it was when its size last changed.
struct Seen {
    element: Element,
    width: f64,
    height: f64,
    filled: bool,
}

impl Seen {
    fn now(element: Element) -> Seen {
        let bounds = element.get_bounding_client_rect();
        Seen {
            width: bounds.width(),
            height: bounds.height(),
            filled: element.has_attribute("data-near") && !element.has_attribute(UNFINISHED),
            element,
        }
    }
}

/// Runs after the layout and before the page is painted.
fn hold(boxes: &mut Vec<Seen>, entries: &js_sys::Array) {
    boxes.retain(|seen| seen.element.is_connected());
    let mut grown = 0.0;
    for entry in entries.iter() {
        let now = Seen::now(entry.unchecked_into::<ResizeObserverEntry>().target());
        // Not on the screen at all: the page shows something else for now.
        if now.height == 0.0 {
            continue;
        }
        let Some(seen) = boxes.iter_mut().find(|seen| seen.element == now.element) else {
            boxes.push(now);
            continue;
        };
        let top = now.element.get_bounding_client_rect().top() - grown;
        let before = std::mem::replace(seen, now);
        // Another width moves all the text too.
        if before.width == seen.width && is_above(top, &before, seen) {
            grown += seen.height - before.height;
        }
    }
    if grown != 0.0 && !browser_anchors() {
        window().scroll_by_with_x_and_y(0.0, grown);
    }
}

/// Whether the reader looks at what comes after an element. Of a figure that is filled while a part of it is in the window
/// they see the end; one that they change themselves keeps its top.
fn is_above(top: f64, before: &Seen, now: &Seen) -> bool {
    let bottom = top + before.height;
    let filled = now.filled && !before.filled;
    top < -ROUNDING && (bottom <= ROUNDING || filled && bottom < window_height())
}

fn browser_anchors() -> bool {
    let anchors = |element: Element| {
        let style = window().get_computed_style(&element).ok().flatten();
        style.is_some_and(|style| {
            style.get_property_value("overflow-anchor").as_deref() == Ok("auto")
        })
    };
    let body = document().body().map(Into::into);
    [document().document_element(), body]
        .into_iter()
        .flatten()
        .all(anchors)
}
