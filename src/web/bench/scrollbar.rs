//! Scrollbars along the sides of a zoomed heatmap.

use crate::draw::Rect;
use crate::field::State;
use crate::text::{Lang, labels};
use crate::web::dom::{El, el, set_attr, set_style};
use web_sys::HtmlElement;

/// Id of the heatmap's stage, for `aria-controls` of the scrollbars.
pub const HEATMAP_ID: &str = "posenc-heatmap";

/// A scrollbar along one side of the heatmap, visible only while zoomed.
pub struct Scrollbar {
    pub track: El,
    thumb: El,
    vertical: bool,
    /// Left, top, width and height of the track, then offset and length of the thumb, in CSS pixels; the inner `None`
    /// while everything is visible.
    shown: Option<Option<[i32; 6]>>,
}

impl Scrollbar {
    pub fn new(lang: Lang, vertical: bool) -> Scrollbar {
        let (name, words) = match vertical {
            true => ("vertical", labels::SCROLL_POSITIONS),
            false => ("horizontal", labels::SCROLL_DIMENSIONS),
        };
        let thumb = el("div").class("thumb");
        let track = el("div")
            .class("scrollbar")
            .attr("role", "scrollbar")
            .attr("tabindex", "0")
            .attr("aria-orientation", name)
            .attr("aria-label", words.get(lang))
            .attr("aria-controls", HEATMAP_ID)
            .attr("data-scroll", name)
            .child(&thumb);
        Scrollbar {
            track,
            thumb,
            vertical,
            shown: None,
        }
    }

    pub fn show(&mut self, state: &State, plot: Option<Rect>, (right, height): (f64, f64)) {
        let (span, cells) = if self.vertical {
            (state.positions(), state.max_len())
        } else {
            (state.dimensions(), state.d_model())
        };
        let Some(plot) = plot else { return };
        let share = span.width() / cells as f64;
        let start = span.start() / cells as f64;
        let track: HtmlElement = self.track.cast();
        let geometry = if self.vertical {
            [
                right,
                plot.y,
                8.0,
                plot.height,
                start * plot.height,
                share * plot.height,
            ]
        } else {
            [
                plot.x,
                height - 9.0,
                plot.width,
                8.0,
                start * plot.width,
                share * plot.width,
            ]
        };
        let new = geometry.map(|v| v.round() as i32);
        let whole = share >= 1.0;
        let shown = (!whole).then_some(new);
        if self.shown == Some(shown) {
            return;
        }
        self.shown = Some(shown);
        track.set_hidden(whole);
        let [x, y, width, height, from, length] = new;
        let length = length.max(16);
        set_style(
            &track,
            &format!("left:{x}px;top:{y}px;width:{width}px;height:{height}px"),
        );
        let thumb = if self.vertical {
            format!(
                "top:{}px;height:{length}px;width:100%",
                from.min(height - length)
            )
        } else {
            format!(
                "left:{}px;width:{length}px;height:100%",
                from.min(width - length)
            )
        };
        set_style(&self.thumb.cast(), &thumb);
        let percent = 100.0 * span.start() / (cells as f64 - span.width()).max(1e-9);
        set_attr(&track, "aria-valuenow", &format!("{percent:.0}"));
    }
}
