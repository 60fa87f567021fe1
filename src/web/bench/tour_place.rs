//! Where the first steps stand in a wide window.

use super::BenchController;
use crate::draw::Point;
use crate::field::{SettingId, ViewName};
use crate::figures::bench::RotationView;
use crate::figures::bench::model::Hand;
use crate::web::dom::{change_attr, set_style};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// Space that a ring needs to be seen and grabbed, and that between the rim and the words, in CSS pixels.
const RING_REACH: f64 = 16.0;
const AIR: f64 = 5.0;

impl BenchController {
    /// Puts the tour where it is needed in a wide window: at first near the ring that is to be dragged, in a lower corner of the
    /// dial; below the slider of k, if that is to be moved; and otherwise below the clocks, where it covers no label of a hand.
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
        let below_clocks = match tour.invited() {
            Some(Hand::Pos) => None,
            _ => RotationView::below_clocks(&scene),
        };
        let (side, place) = match (control, below_clocks) {
            (Some(control), _) => {
                let control = control.get_bounding_client_rect();
                ("below", Point::new(control.left(), control.bottom()))
            }
            (None, Some(room)) => {
                let stage = figure.stage.get_bounding_client_rect();
                let place = Point::new(stage.left() + room.x, stage.top() + room.bottom());
                ("clocks", place)
            }
            (None, None) => {
                let stage = figure.stage.get_bounding_client_rect();
                let size = bar.get_bounding_client_rect();
                let nearest = |x: f64| {
                    let corner = Point::new(x, dial.bottom());
                    corner.distance(rings[0]).min(corner.distance(rings[1]))
                };
                let covers = |x: f64| {
                    let high = size.height() + RING_REACH;
                    let wide = size.width() + RING_REACH;
                    let covered =
                        |ring: &Point| ring.y > dial.bottom() - high && (ring.x - x).abs() < wide;
                    rings.iter().any(covered)
                };
                // Beside the ring that is to be dragged, but never over one.
                let left = match tour.invited() {
                    Some(hand) => rings[hand as usize].x < dial.centre_x(),
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
                        let centre = dial.centre();
                        let radius = centre.distance(rings[0]) + AIR;
                        let above = dial.bottom() - size.height() - centre.y;
                        let clear = (radius * radius - above * above).max(0.0).sqrt();
                        ("right", dial.right().max(centre.x + clear + size.width()))
                    }
                };
                (
                    side,
                    Point::new(stage.left() + x, stage.top() + dial.bottom()),
                )
            }
        };
        change_attr(bar, "data-side", side);
        let (x, y) = (place.x - bench.left(), place.y - bench.top());
        let mut style = format!("--x:{x:.0}px;--y:{y:.0}px");
        if let Some(room) = below_clocks {
            // It fills that room, so that nothing below it is seen in part.
            let (width, height) = (room.width, room.height);
            style += &format!(";--width:{width:.0}px;--height:{height:.0}px");
        }
        if let Some(bar) = bar.dyn_ref::<HtmlElement>() {
            set_style(bar, &style);
        }
    }
}
