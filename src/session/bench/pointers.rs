//! Pointers and the wheel on the pictures of the bench.

use super::gestures::{self, Gesture};
use super::{BenchSession, PicturePoint};
use crate::draw::Point;
use crate::field::{State, ViewName};
use crate::figure::{Cursor, Displacement, PointerAction};
use crate::figures::bench::{Hand, Hit, Transient};
use crate::session::{Change, Effects, Press};

/// Maximum time between two wheel events of the same gesture, in milliseconds.
const SAME_MOVEMENT: f64 = 250.0;
/// How far a pointer may move in a tap, in CSS pixels.
const TAP: f64 = 4.0;

/// State of the pointers on the pictures of the bench.
pub(super) struct Pointers {
    /// The hovered cell of the heatmap: position and dimension.
    hovered: Option<(usize, usize)>,
    gesture: Option<(ViewName, Gesture)>,
    /// Id of the pointer that began the gesture.
    id: i32,
    press: Press<State>,
    /// Time of the last event in which the wheel zoomed, in milliseconds.
    wheeled_at: f64,
    /// Ids and points of the active pointers on the heatmap.
    active: Vec<(i32, Point)>,
}

impl Default for Pointers {
    fn default() -> Pointers {
        Pointers {
            hovered: None,
            gesture: None,
            id: 0,
            press: Press::default(),
            wheeled_at: f64::MIN,
            active: Vec::new(),
        }
    }
}

impl Pointers {
    /// Whether the gesture in progress is that of another pointer.
    fn ignores(&self, id: i32) -> bool {
        match &self.gesture {
            Some((_, Gesture::Pinch)) => self.active.iter().all(|active| active.0 != id),
            gesture => gesture.is_some() && self.id != id,
        }
    }

    pub(super) fn forget_hovered(&mut self) {
        self.hovered = None;
    }
}

impl PicturePoint<'_> {
    fn view(&self) -> ViewName {
        self.picture.figure().name()
    }
}

fn dragged_hand(gesture: &Option<(ViewName, Gesture)>) -> Option<Hand> {
    match gesture {
        Some((_, Gesture::Drag(drag))) => drag.hand(),
        _ => None,
    }
}

impl BenchSession {
    /// The cell of the heatmap under the pointer: position and dimension.
    pub fn hovered(&self) -> Option<(usize, usize)> {
        let exists =
            |&(p, d): &(usize, usize)| p < self.state.max_len() && d < self.state.d_model();
        self.pointers.hovered.filter(exists)
    }

    /// Whether a touch that has just begun drags a handle; elsewhere it scrolls the page, as `touch-action` permits.
    pub fn prevents_scroll(&self) -> bool {
        self.pointers.press.prevents_scroll()
    }

    pub(super) fn is_dragging_hand(&self) -> bool {
        dragged_hand(&self.pointers.gesture).is_some()
    }

    pub(super) fn pointer(
        &mut self,
        action: PointerAction,
        id: i32,
        point: Option<PicturePoint>,
        effects: &mut Effects,
    ) -> Change {
        effects.redraw = false;
        if action == PointerAction::Hover {
            // No button is pressed, even if the release has not arrived.
            self.release(id, None, effects);
        }
        match (action, point) {
            (PointerAction::Press, point) => {
                if let Some(point) = point {
                    self.press(id, &point, effects);
                }
                return Change::Move;
            }
            (PointerAction::Release, point) => self.release(id, point, effects),
            _ if self.pointers.ignores(id) => {}
            (_, None) => effects.redraw |= self.leave(),
            (PointerAction::Drag, Some(point)) => self.drag(id, &point, effects),
            (PointerAction::Hover, Some(point)) => self.hover(&point, effects),
        }
        Change::Follow
    }

    fn hit_test(&self, point: &PicturePoint) -> Option<Hit> {
        let scene = point.picture.scene(&self.model);
        point.picture.figure().hit_test(&scene, point.at)
    }

    /// Whether a drag on a view moves the visible window.
    fn pans(&self, view: ViewName) -> bool {
        self.zooming && view == ViewName::Heatmap
    }

    fn plot_fraction(&self, point: &PicturePoint) -> Option<(f64, f64)> {
        let scene = point.picture.scene(&self.model);
        gestures::plot_fraction(point.view(), &scene, point.at)
    }

    fn press(&mut self, id: i32, point: &PicturePoint, effects: &mut Effects) {
        let name = point.view();
        let hit = self.hit_test(point);
        // A second pointer presses another picture.
        self.end_gesture(effects);
        self.pointers.active.retain(|active| active.0 != id);
        if self.pointers.active.is_empty() {
            self.pointers.press.begin(self.state.clone());
        }
        if name == ViewName::Heatmap {
            self.pointers.active.push((id, point.at));
        }
        let gesture = if self.pointers.active.len() > 1 {
            // The first touch was the start of a pinch, so its selection is reverted.
            self.revert_press();
            Some(Gesture::Pinch)
        } else if self.pans(name) {
            Some(Gesture::Pan {
                last: point.at,
                moved: 0.0,
            })
        } else {
            let scene = point.picture.scene(&self.model);
            gestures::begin_gesture(&mut self.state, &scene, name, hit, point.at)
        };
        let grips = hit.and_then(Hit::grip).is_some();
        let prevents_scroll =
            |gesture: &Gesture| gestures::prevents_scroll(gesture, &self.state, name, grips);
        let prevents_scroll = gesture.as_ref().is_some_and(prevents_scroll);
        self.pointers.press.set_prevents_scroll(prevents_scroll);
        self.transient.tokens_around = match &gesture {
            Some(Gesture::Drag(drag)) => drag.tokens_around,
            _ => None,
        };
        self.pointers.gesture = gesture.map(|gesture| (name, gesture));
        self.pointers.id = id;
        if self.is_dragging_hand() {
            self.take_over();
        }
        effects.cursor = Some(self.cursor(name, hit));
        effects.redraw = true;
    }

    fn drag(&mut self, id: i32, point: &PicturePoint, effects: &mut Effects) {
        let name = point.view();
        let hit = self.hit_test(point);
        let before = self.is_guessing().then(|| self.state.clone());
        match &mut self.pointers.gesture {
            Some((dragged, Gesture::Pinch)) if *dragged == name => self.pinch(id, point),
            Some((dragged, gesture)) if *dragged == name => {
                let scene = point.picture.scene(&self.model);
                let transient = gestures::drag(gesture, &mut self.state, &scene, hit, point.at);
                self.dragged(before, transient);
            }
            _ => return self.hover(point, effects),
        }
        effects.redraw = true;
    }

    /// Applies the result of a drag. While the first steps ask for a guess of pos + k, the hand of pos does not move and
    /// the guess changes no setting; `before` is then the state before.
    fn dragged(&mut self, before: Option<State>, mut transient: Transient) {
        // The other hand stays where it was when this one was grabbed.
        let (held, now) = (self.transient.displacement, &mut transient.displacement);
        match transient.hand {
            Some(Hand::Pos) => now.k = held.k,
            Some(Hand::Target) => now.pos = held.pos,
            None => *now = held,
        }
        let Some(before) = before.filter(|_| transient.hand.is_some()) else {
            self.transient = transient;
            return;
        };
        let k = self.state.k() as f64 + transient.displacement.k.left;
        self.state = before;
        if transient.hand == Some(Hand::Target) {
            self.guess(k);
        }
    }

    fn hover(&mut self, point: &PicturePoint, effects: &mut Effects) {
        let hit = self.hit_test(point);
        effects.cursor = Some(self.cursor(point.view(), hit));
        let hovered = match hit {
            Some(Hit::Cell {
                position,
                dimension,
            }) => Some((position, dimension)),
            Some(Hit::Magnified {
                position,
                dimension,
            }) => position.map(|position| (position, dimension)),
            _ => None,
        };
        let transient = Transient {
            hand: hit.and_then(Hit::grip),
            pair: hit.and_then(|hit| hit.pair(&self.model)),
            ..self.transient
        };
        if hovered != self.pointers.hovered || transient != self.transient {
            self.pointers.hovered = hovered;
            self.transient = transient;
            effects.redraw = true;
        }
    }

    /// Handles a pointer that is over none of the pictures; true if that changes what they show.
    pub(super) fn leave(&mut self) -> bool {
        let hovered = self.pointers.hovered.take().is_some();
        let pointed = (self.transient.hand.take(), self.transient.pair.take());
        hovered || pointed != (None, None)
    }

    /// The cursor for the gesture in progress, or else for what is under the pointer.
    fn cursor(&self, view: ViewName, hit: Option<Hit>) -> Cursor {
        match &self.pointers.gesture {
            Some((_, Gesture::Pinch)) => Cursor::Default,
            Some((_, Gesture::Drag(drag))) if drag.hand().is_none() => Cursor::Crosshair,
            Some(_) => Cursor::Grabbing,
            None => match hit.map_or(Cursor::Default, Hit::cursor) {
                Cursor::Crosshair if self.pans(view) => Cursor::Grab,
                cursor => cursor,
            },
        }
    }

    fn pinch(&mut self, id: i32, point: &PicturePoint) {
        let [a, b] = match self.pointers.active[..] {
            [a, b, ..] => [a.1, b.1],
            _ => return,
        };
        let before = gestures::pinch_length(a, b);
        for active in &mut self.pointers.active {
            if active.0 == id {
                active.1 = point.at;
            }
        }
        let active = &self.pointers.active;
        let (a, b) = (active[0].1, active[1].1);
        let after = gestures::pinch_length(a, b);
        let middle = PicturePoint {
            at: a.midpoint(b),
            ..*point
        };
        if let Some(fraction) = self.plot_fraction(&middle) {
            gestures::zoom(&mut self.state, &self.model, before / after, Some(fraction));
        }
    }

    /// Restores the state from before the press.
    fn revert_press(&mut self) {
        if let Some(before) = self.pointers.press.cancel() {
            self.state = before;
        }
    }

    /// Ends the gesture in progress; a hand that was dragged settles.
    fn end_gesture(&mut self, effects: &mut Effects) -> Option<(ViewName, Gesture)> {
        let gesture = self.pointers.gesture.take();
        if let Some(hand) = dragged_hand(&gesture) {
            if hand == Hand::Target {
                self.show_answer();
            }
            self.settle();
            effects.redraw = true;
        }
        gesture
    }

    pub(super) fn cancel(&mut self, id: i32, effects: &mut Effects) {
        effects.redraw = false;
        if !self.pointers.ignores(id)
            && self.pointers.gesture.take().is_some()
            && self.pointers.active.len() < 2
        {
            self.revert_press();
            if !self.is_guessing() {
                self.transient.displacement = Displacement::default();
            }
            effects.redraw = true;
        }
        self.release(id, None, effects);
    }

    /// Ends every press: the pictures that would be told of its release are replaced.
    pub fn end_presses(&mut self) {
        let effects = &mut Effects::default();
        self.end_gesture(effects);
        self.pointers.active.clear();
        self.release(self.pointers.id, None, effects);
    }

    fn release(&mut self, id: i32, point: Option<PicturePoint>, effects: &mut Effects) {
        let ignored = self.pointers.ignores(id);
        self.pointers.active.retain(|active| active.0 != id);
        if ignored {
            return;
        }
        effects.redraw |= self.transient.tokens_around.take().is_some();
        if self.pointers.active.is_empty() {
            self.pointers.press.end();
        }
        let gesture = self.end_gesture(effects);
        let Some(point) = point else { return };
        if let Some((view, Gesture::Pan { last, moved })) = gesture
            && moved < TAP
            && view == point.view()
            && let Some(fraction) = self.plot_fraction(&PicturePoint { at: last, ..point })
        {
            // A tap with the zoom tool zooms in.
            gestures::zoom(&mut self.state, &self.model, 0.5, Some(fraction));
            effects.redraw = true;
        }
        effects.cursor = Some(self.cursor(point.view(), self.hit_test(&point)));
    }

    pub(super) fn wheel(
        &mut self,
        point: &PicturePoint,
        pixels: f64,
        time: f64,
        effects: &mut Effects,
    ) {
        effects.redraw = false;
        let Some(fraction) = self.plot_fraction(point) else {
            return;
        };
        let factor = (pixels * 0.002).clamp(-1.0, 1.0).exp();
        self.pointers.hovered = None;
        let before = self.state.clone();
        if point.view() == ViewName::Heatmap {
            gestures::zoom(&mut self.state, &self.model, factor, Some(fraction));
        } else {
            gestures::zoom_positions(&mut self.state, factor, fraction.0);
        }
        self.state.revert_locked(&before);
        let zoomed = self.state != before;
        // At the limit of the zoom the wheel scrolls the page, but not within the same wheel gesture.
        if zoomed || time < self.pointers.wheeled_at + SAME_MOVEMENT {
            effects.prevents_default = true;
            self.pointers.wheeled_at = time;
        }
        effects.redraw = zoomed;
    }
}
