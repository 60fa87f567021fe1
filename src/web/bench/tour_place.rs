//! Where the first steps stand in a wide window.

use super::BenchController;
use crate::field::{SettingId, ViewName};
use crate::figures::bench::RotationView;
use crate::web::dom::{change_attr, set_style};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// Space that a ring needs to be seen and grabbed, and that between the rim and the words, in CSS pixels.
const RING_REACH: f64 = 16.0;
const AIR: f64 = 5.0;

impl BenchController {
    /// Puts the tour where it is needed in a wide window: into the lower corner of the dial, near the ring that is to be
    /// dragged and otherwise far from the rings, or below the slider of k.
    pub(super) fn place_tour(&self) {
        let Some(tour) = self.session.tour() else {
            return;
        };
        let figure = self.page.figure(ViewName::Rotation);
        let appearance = &self.appearance;
        let scene = figure.scene(self.session.model(), &appearance.theme, &appearance.colours);
        let Some((dial, rings)) = RotationView::dial(&scene) else {
            return;
        };
        let bar = &self.page.tour.bar.0;
        let Some(bench) = bar.parent_element() else {
            return;
        };
        let bench = bench.get_bounding_client_rect();
        let control = match tour.asks_for_offset() {
            true => self.page.control_of(SettingId::K),
            false => None,
        };
        let (side, place) = match control {
            Some(control) => {
                let control = control.get_bounding_client_rect();
                ("below", (control.left(), control.bottom()))
            }
            None => {
                let stage = figure.stage.get_bounding_client_rect();
                let size = bar.get_bounding_client_rect();
                let nearest = |x: f64| {
                    let apart = |(ring, y): (f64, f64)| (ring - x).hypot(y - dial.bottom());
                    apart(rings[0]).min(apart(rings[1]))
                };
                let covers = |x: f64| {
                    let high = size.height() + RING_REACH;
                    let wide = size.width() + RING_REACH;
                    let covered = |&(ring, y): &(f64, f64)| {
                        y > dial.bottom() - high && (ring - x).abs() < wide
                    };
                    rings.iter().any(covered)
                };
                // Beside the ring that is to be dragged, but never over one.
                let left = match tour.invited() {
                    Some(hand) => rings[hand as usize].0 < dial.centre_x(),
                    None => nearest(dial.x) > nearest(dial.right()),
                };
                let left = match (covers(dial.x), covers(dial.right())) {
                    (true, false) => false,
                    (false, true) => true,
                    _ => left,
                };
                let (side, x) = match left {
                    true => ("left", dial.x),
                    false => {
                        // As far to the right as its upper corner is clear of the rim.
                        let (x, y) = dial.centre();
                        let radius = (rings[0].0 - x).hypot(rings[0].1 - y) + AIR;
                        let above = dial.bottom() - size.height() - y;
                        let clear = (radius * radius - above * above).max(0.0).sqrt();
                        ("right", dial.right().max(x + clear + size.width()))
                    }
                };
                (side, (stage.left() + x, stage.top() + dial.bottom()))
            }
        };
        change_attr(bar, "data-side", side);
        let (x, y) = (place.0 - bench.left(), place.1 - bench.top());
        if let Some(bar) = bar.dyn_ref::<HtmlElement>() {
            set_style(bar, &format!("--x:{x:.0}px;--y:{y:.0}px"));
        }
    }
}
