//! Scroll anchoring for browsers that have none (WebKit): when something above the window changes its height, the page is
//! scrolled by as much in the same frame, so that what the reader looks at stays where it is.
//! <https://drafts.csswg.org/css-scroll-anchoring/>

use super::lifecycle::{MOUNTED, UNFINISHED};
use crate::web::dom::{document, window, window_height};
use wasm_bindgen::prelude::*;
use web_sys::{Element, ResizeObserver, ResizeObserverEntry};

/// The callback of an observer, with its entries.
pub type ObserverCallback = Closure<dyn FnMut(js_sys::Array)>;

/// CSS pixels; scroll positions are rounded to fractions of one.
const ROUNDING: f64 = 1.0;

pub struct Anchor {
    observer: ResizeObserver,
    _resized: ObserverCallback,
}

impl Anchor {
    /// `None` where sizes cannot be observed.
    pub fn new() -> Option<Anchor> {
        let mut boxes = Vec::new();
        let resized = ObserverCallback::new(move |entries: js_sys::Array| {
            compensate_scroll(&mut boxes, &entries)
        });
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
struct ObservedBox {
    element: Element,
    width: f64,
    height: f64,
    filled: bool,
}

impl ObservedBox {
    fn now(element: Element) -> ObservedBox {
        let bounds = element.get_bounding_client_rect();
        ObservedBox {
            width: bounds.width(),
            height: bounds.height(),
            filled: element.has_attribute(MOUNTED) && !element.has_attribute(UNFINISHED),
            element,
        }
    }
}

/// Runs after the layout and before the page is painted.
fn compensate_scroll(boxes: &mut Vec<ObservedBox>, entries: &js_sys::Array) {
    boxes.retain(|seen| seen.element.is_connected());
    let mut growth = 0.0;
    for entry in entries.iter() {
        let now = ObservedBox::now(entry.unchecked_into::<ResizeObserverEntry>().target());
        // Not displayed at present.
        if now.height == 0.0 {
            continue;
        }
        let Some(seen) = boxes.iter_mut().find(|seen| seen.element == now.element) else {
            boxes.push(now);
            continue;
        };
        let top = now.element.get_bounding_client_rect().top() - growth;
        let before = std::mem::replace(seen, now);
        // Another width moves all the text too.
        if before.width == seen.width && is_above(top, &before, seen) {
            growth += seen.height - before.height;
        }
    }
    if growth != 0.0 && !browser_anchors() {
        window().scroll_by_with_x_and_y(0.0, growth);
    }
}

/// Whether the reader looks at what comes after an element. A partly visible figure keeps its bottom in place when it is
/// mounted, and its top when the reader changes it.
fn is_above(top: f64, before: &ObservedBox, now: &ObservedBox) -> bool {
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
