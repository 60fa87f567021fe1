//! Scroll anchoring for browsers without it (WebKit): when the height of something above the viewport changes, the page
//! is scrolled by the difference in the same frame, so that the content in view does not move.
//! <https://drafts.csswg.org/css-scroll-anchoring/>

use super::lifecycle::{MOUNTED, UNFINISHED};
use crate::web::dom::{document, window, window_height};
use wasm_bindgen::prelude::*;
use web_sys::{DomRect, Element, ResizeObserver, ResizeObserverEntry};

/// The callback of an observer, which receives its entries.
pub type ObserverCallback = Closure<dyn FnMut(js_sys::Array)>;

/// Tolerance in CSS pixels, since scroll positions are rounded to fractions of a pixel.
const ROUNDING: f64 = 1.0;

pub struct Anchor {
    observer: ResizeObserver,
    _resized: ObserverCallback,
}

impl Anchor {
    /// `None` if the browser has no `ResizeObserver`.
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

/// The size and state of an element when its size last changed.
struct ObservedBox {
    element: Element,
    width: f64,
    height: f64,
    filled: bool,
}

impl ObservedBox {
    fn now(element: Element) -> ObservedBox {
        let bounds = bounds_in_flow(&element);
        ObservedBox {
            width: bounds.width(),
            height: bounds.height(),
            filled: element.has_attribute(MOUNTED) && !element.has_attribute(UNFINISHED),
            element,
        }
    }
}

/// Returns the bounds of what moves the content after a figure: the figure, or, where it is beside its text, both.
fn bounds_in_flow(figure: &Element) -> DomRect {
    let group = figure.closest(".with-figure").ok().flatten();
    let grid = group.filter(|group| {
        let style = window().get_computed_style(group).ok().flatten();
        style.is_some_and(|style| style.get_property_value("display").as_deref() == Ok("grid"))
    });
    grid.as_ref().unwrap_or(figure).get_bounding_client_rect()
}

/// Runs after layout and before the page is painted.
fn compensate_scroll(boxes: &mut Vec<ObservedBox>, entries: &js_sys::Array) {
    boxes.retain(|seen| seen.element.is_connected());
    let mut growth = 0.0;
    for entry in entries.iter() {
        let now = ObservedBox::now(entry.unchecked_into::<ResizeObserverEntry>().target());
        // The element is not displayed.
        if now.height == 0.0 {
            continue;
        }
        let Some(seen) = boxes.iter_mut().find(|seen| seen.element == now.element) else {
            boxes.push(now);
            continue;
        };
        let top = bounds_in_flow(&now.element).top() - growth;
        let before = std::mem::replace(seen, now);
        // A change of width reflows all text as well, so it is not compensated.
        if before.width == seen.width && is_above(top, &before, seen) {
            growth += seen.height - before.height;
        }
    }
    if growth != 0.0 && !browser_anchors() {
        window().scroll_by_with_x_and_y(0.0, growth);
    }
}

/// Whether the content after an element must keep its place on the screen: the element is above the viewport, or it is
/// partly visible and has just been mounted, in which case its bottom stays in place. When the reader changes a partly
/// visible figure, its top stays in place instead.
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
