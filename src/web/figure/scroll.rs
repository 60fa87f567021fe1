//! Scrolling to a figure.

use crate::web::dom::window_height;
use web_sys::{Element, ScrollBehavior, ScrollIntoViewOptions, ScrollLogicalPosition};

/// Scrolls by the least distance that brings a figure into view; a figure higher than the window is scrolled to its top.
pub fn scroll_into_view(figure: &Element) {
    let bounds = figure.get_bounding_client_rect();
    let height = window_height();
    if bounds.top() >= 0.0 && bounds.bottom() <= height {
        return;
    }
    let options = ScrollIntoViewOptions::new();
    options.set_behavior(ScrollBehavior::Auto);
    options.set_block(match bounds.height() > height {
        true => ScrollLogicalPosition::Start,
        false => ScrollLogicalPosition::Nearest,
    });
    figure.scroll_into_view_with_scroll_into_view_options(&options);
}
