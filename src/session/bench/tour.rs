//! The first steps with the dial: four steps, in each of which the reader does something. They block no other input and
//! are not kept.

use super::BenchSession;
use crate::field::{SettingId, State, ViewName};
use crate::figure::{Displacement, Remaining};
use crate::figures::bench::model::{Hand, OUTLINES};
use crate::figures::bench::{Model, Transient};
use crate::session::{Change, Opening};
use crate::text::{Lang, labels, number};
use posenc_encoding::{PositionSignal, wrap_to_pi};
use std::f64::consts::PI;

/// A step of the tour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TourStep {
    /// Drag the hand of pos: the wedge stays the same.
    DragHand,
    /// Predict the hand at pos + k from another pos.
    PredictTarget,
    /// Change k: all wedges open.
    ChangeOffset,
    /// Jump to a far position: the hands turn many times, the wedges do not change.
    JumpFar,
}

pub const STEPS: [TourStep; 4] = [
    TourStep::DragHand,
    TourStep::PredictTarget,
    TourStep::ChangeOffset,
    TourStep::JumpFar,
];

/// The pos of the prediction; the far position, and a max_len that includes it.
const GUESS_POS: i64 = 37;
pub const FAR_POS: (i64, &str) = (900, "1000");
/// Minimum angle between two outlines of the wedge, in radians.
const MIN_OUTLINE_SPACING: f64 = 0.6;
/// How far the wedge has to travel until the first step is complete, in positions: when the hand is released, and while it
/// is dragged, so that the wedge has been seen at several.
const TRAVELLED_ON_RELEASE: f64 = 0.99;
const TRAVELLED_IN_DRAG: f64 = 3.0;
/// Durations of the animations of the outlines onto the wedge, of the answer for each position, and of the hands to the
/// far position, in milliseconds.
const OUTLINE_ANIMATION_MS: f64 = 900.0;
const ANSWER_MS: f64 = 180.0;
const FAR_MS: f64 = 1400.0;

pub struct Tour {
    step: TourStep,
    /// The step is complete and its outcome is shown.
    done: bool,
    /// The outcome of the step is being shown: it is complete when the hands have arrived.
    shows_outcome: bool,
    opening: Opening,
    /// Whether the reader has dragged the hand of pos + k to where it is guessed to be.
    guessed: bool,
    /// Angle between the guess and the answer, in degrees; `None` without a guess.
    off: Option<f64>,
    /// pos and k at the beginning of the step.
    pos: usize,
    k: i64,
    outlines: Vec<f64>,
    /// Time when the outlines start to move onto the wedge, in milliseconds.
    outline_animation_start: Option<f64>,
}

/// What a frame of the tour depends on, besides the state, and the model of the frame before.
struct Surroundings {
    /// The position of the hand of pos, fractional while it moves.
    hand_pos: f64,
    dragging: bool,
    /// The hands are moving.
    moving: bool,
    reduced_motion: bool,
    /// In milliseconds.
    time: f64,
}

impl Tour {
    /// The step, whether its outcome has been asked for, and whether it is complete.
    pub fn progress(&self) -> (TourStep, bool, bool) {
        (self.step, self.shows_outcome, self.done)
    }

    fn new(state: &State) -> Tour {
        Tour {
            step: TourStep::DragHand,
            done: false,
            shows_outcome: false,
            opening: Opening::default(),
            guessed: false,
            off: None,
            pos: state.pos(),
            k: state.k(),
            outlines: Vec::new(),
            outline_animation_start: None,
        }
    }

    pub fn is_guessing(&self) -> bool {
        self.step == TourStep::PredictTarget && !self.done && !self.shows_outcome
    }

    /// Advances the tour according to changes of the state; true while it animates.
    fn advance(
        &mut self,
        state: &State,
        model: &Model,
        transient: &mut Transient,
        now: &Surroundings,
    ) -> bool {
        transient.guessing = self.is_guessing();
        match self.step {
            TourStep::DragHand => self.record_outline(state, model, now),
            TourStep::ChangeOffset if state.k() != self.k => self.done = true,
            _ if self.shows_outcome && !now.moving && !self.done => {
                self.done = true;
                if !self.outlines.is_empty() {
                    self.outline_animation_start = Some(now.time);
                }
            }
            _ => {}
        }
        let opening = self.opening.frame(now.time);
        transient.sway = opening.map_or(0.0, |frame| frame.sway);
        let pulse = opening.map_or(0.0, |frame| frame.pulse);
        transient.invited = self.invited().map(|hand| (hand, pulse));
        self.animate_outlines(transient, now) || opening.is_some()
    }

    /// Whether the reader is asked to change k, and has not yet done so.
    pub fn asks_for_offset(&self) -> bool {
        self.step == TourStep::ChangeOffset && !self.done
    }

    /// The hand that the step asks the reader to drag.
    pub fn invited(&self) -> Option<Hand> {
        match self.step {
            TourStep::DragHand if !self.done => Some(Hand::Pos),
            TourStep::PredictTarget if self.is_guessing() => Some(Hand::Target),
            _ => None,
        }
    }

    /// Records an outline of the wedge if it is far enough from the others. The step is complete as soon as the wedge has
    /// travelled; the outlines move onto it when the hand is released.
    fn record_outline(&mut self, state: &State, model: &Model, now: &Surroundings) {
        let at = now.hand_pos;
        let travelled = (at - self.pos as f64).abs();
        self.done |= match now.dragging {
            true => travelled >= TRAVELLED_IN_DRAG,
            false => travelled >= TRAVELLED_ON_RELEASE && state.pos() != self.pos,
        };
        let Some((pair, _)) = model.rotated_pair().filter(|_| self.done) else {
            return;
        };
        if self.outline_animation_start.is_some() {
            return;
        }
        if self.outlines.is_empty() {
            self.outlines.push(self.pos as f64);
        }
        let far =
            |&other: &f64| wrap_to_pi((at - other) * pair.frequency).abs() > MIN_OUTLINE_SPACING;
        if self.outlines.iter().all(far) && self.outlines.len() < OUTLINES {
            self.outlines.push(at);
        }
        if !now.dragging && !now.moving {
            self.outline_animation_start = Some(now.time);
        }
    }

    /// Moves the outlines onto the wedge; true while they move.
    fn animate_outlines(&mut self, transient: &mut Transient, now: &Surroundings) -> bool {
        let left = match self.outline_animation_start {
            None => 1.0,
            Some(_) if now.reduced_motion => 0.0,
            Some(since) => (1.0 - (now.time - since) / OUTLINE_ANIMATION_MS).clamp(0.0, 1.0),
        };
        let end = now.hand_pos;
        // Ease-out.
        let along = |at: f64| end + left * left * (at - end);
        transient.outlines = [None; OUTLINES];
        for (place, &at) in transient.outlines.iter_mut().zip(&self.outlines) {
            *place = (left > 0.0).then(|| along(at));
        }
        left > 0.0 && left < 1.0
    }

    /// The instruction of the step, or its outcome.
    pub fn message(&self, model: &Model) -> String {
        let turn = model
            .rotated_pair()
            .map_or(0.0, |(pair, _)| pair.rotation_angle);
        let (angle, k) = (
            labels::turn(model.lang, turn),
            number::whole(model.state.k()),
        );
        let [pos, target] = [model.state.pos() as i64, model.target()].map(number::whole);
        let off = self.off.map(|off| number::short(off, 3));
        let off = off.map(|off| match model.lang {
            Lang::En => format!("{off}° off. "),
            Lang::Zh => format!("差 {off}°。"),
        });
        let off = off.unwrap_or_default();
        match (model.lang, self.step, self.done) {
            (Lang::En, TourStep::DragHand, false) => "Drag this hand:\nwhat stays the same?".into(),
            (Lang::Zh, TourStep::DragHand, false) => "拖动这根指针：\n什么始终不变？".into(),
            (Lang::En, TourStep::DragHand, true) => format!("{angle} from each of these places."),
            (Lang::Zh, TourStep::DragHand, true) => format!("从这些位置出发，都是 {angle}。"),
            (Lang::En, TourStep::PredictTarget, false) => {
                format!("Now from {pos}. Where will {target} be? Drag the ring there, and let go.")
            }
            (Lang::Zh, TourStep::PredictTarget, false) => {
                format!("现在从 {pos} 出发。{target} 会在哪里？把圆环拖过去，再松手。")
            }
            (Lang::En, TourStep::PredictTarget, true) => {
                format!("{off}From {pos}, too, the turn is {angle}.")
            }
            (Lang::Zh, TourStep::PredictTarget, true) => {
                format!("{off}从 {pos} 出发，转角也是 {angle}。")
            }
            (Lang::En, TourStep::ChangeOffset, false) => {
                "Now change k:\nwhat do the wedges do?".into()
            }
            (Lang::Zh, TourStep::ChangeOffset, false) => "现在改变 k：\n扇形会怎样？".into(),
            (Lang::En, TourStep::ChangeOffset, true) => {
                format!("With k = {k}, Mₖ is this list of wedges, one for each pair.")
            }
            (Lang::Zh, TourStep::ChangeOffset, true) => {
                format!("k = {k} 时，Mₖ 就是这组扇形，每个维度对一个。")
            }
            (Lang::En, TourStep::JumpFar, false) => format!("And far away, at {}?", FAR_POS.0),
            (Lang::Zh, TourStep::JumpFar, false) => {
                format!("在很远的地方，比如 {}，又如何？", FAR_POS.0)
            }
            (Lang::En, TourStep::JumpFar, true) => {
                "The hands whirled; the wedges did not change.".into()
            }
            (Lang::Zh, TourStep::JumpFar, true) => "指针转了许多圈，扇形却丝毫未变。".into(),
        }
    }
}

impl BenchSession {
    pub fn tour(&self) -> Option<&Tour> {
        self.tour.as_ref()
    }

    pub(super) fn is_guessing(&self) -> bool {
        self.tour.as_ref().is_some_and(Tour::is_guessing)
    }

    /// The first steps, where they can be taken.
    pub fn shown_tour(&self) -> Option<&Tour> {
        // Where nothing rotates there are no hands to be dragged; they go on when there are again.
        let signal = self.state.encoding().info().signal;
        let has_hands = !matches!(
            signal,
            Some(PositionSignal::Table(_) | PositionSignal::Bias)
        );
        let tour = self.tour.as_ref();
        tour.filter(|_| self.state.view() == ViewName::Bench && has_hands)
    }

    pub fn begin_tour(&mut self) {
        self.tour = Some(Tour::new(&self.state));
    }

    /// Begins the first move of the hands, unless something has been touched; true if it may have begun.
    pub fn begin_opening(&mut self, now: f64) -> bool {
        let still = (self.reduces_motion)();
        let Some(tour) = self.tour.as_mut().filter(|_| !still) else {
            return false;
        };
        tour.opening.begin(now);
        true
    }

    /// Ends the first move of the hands at the first input. They are held where they are, to be dragged or to settle.
    pub fn end_opening(&mut self) {
        let Some(tour) = &mut self.tour else { return };
        tour.opening.end();
        let sway = std::mem::take(&mut self.transient.sway);
        if sway != 0.0 {
            self.transient.displacement = Displacement::held(sway, 0.0);
            // The input that ends it finds the hands there.
            self.model.transient.sway = 0.0;
            self.model.transient.displacement.pos = Remaining::held(sway);
            if !self.is_dragging_hand() {
                self.settle();
            }
        }
    }

    /// Advances the first steps before a frame is drawn; true while they animate.
    pub(super) fn advance_tour(&mut self, time: f64, presented: bool) -> bool {
        // A guess hides the answer, which must not be missing where nothing asks for it.
        if self.is_guessing() && (presented || self.shown_tour().is_none()) {
            self.end_tour();
        }
        let displacement = self.motion.displacement(self.transient.displacement);
        let now = Surroundings {
            hand_pos: self.state.pos() as f64 + displacement.pos.left,
            dragging: self.is_dragging_hand(),
            moving: self.motion.is_moving(),
            reduced_motion: (self.reduces_motion)(),
            time,
        };
        match &mut self.tour {
            Some(tour) if !presented => {
                tour.advance(&self.state, &self.model, &mut self.transient, &now)
            }
            _ => {
                (self.transient.sway, self.transient.invited) = (0.0, None);
                false
            }
        }
    }

    /// Sets the offset that the reader predicts.
    pub(super) fn guess(&mut self, k: f64) {
        self.show_prediction(k);
        if let Some(tour) = &mut self.tour {
            tour.guessed = true;
        }
    }

    /// Sets the predicted offset, which the hand of pos + k shows.
    fn show_prediction(&mut self, k: f64) {
        self.transient.displacement = Displacement::held(0.0, k - self.state.k() as f64);
        self.transient.hand = Some(Hand::Target);
    }

    /// Ends the prediction and stores the error of the guess, if there is one, which is then shown.
    pub(super) fn show_answer(&mut self) {
        let Some(tour) = self.tour.as_mut().filter(|tour| tour.is_guessing()) else {
            return;
        };
        let frequency = self
            .model
            .rotated_pair()
            .map_or(0.0, |(pair, _)| pair.frequency);
        let off = std::mem::take(&mut self.transient.displacement).k.left;
        let guess = tour.guessed.then_some(off);
        tour.off = guess.map(|off| wrap_to_pi(off * frequency).abs().to_degrees());
        tour.shows_outcome = true;
        self.transient.guessed = guess.map(|off| self.state.k() as f64 + off);
        if !(self.reduces_motion)() {
            self.motion.sweep(self.state.k(), ANSWER_MS);
        }
    }

    pub(super) fn next_step(&mut self) {
        // The button may be pressed again before it is hidden.
        let Some(tour) = self.tour.as_mut().filter(|tour| tour.done) else {
            return;
        };
        let Some(&next) = STEPS.get(tour.step as usize + 1) else {
            return;
        };
        tour.step = next;
        (tour.done, tour.shows_outcome) = (false, false);
        tour.outlines.clear();
        tour.outline_animation_start = None;
        tour.k = self.state.k();
        self.transient = Transient::default();
        self.motion.finish();
        if next == TourStep::PredictTarget {
            // The wedge of the first step comes along when the answer is shown.
            tour.outlines.push(self.state.pos() as f64);
            self.state.set_pos(GUESS_POS);
            // The prediction starts opposite to the hand of pos, where it reveals nothing about the answer.
            let opposite = (self.model.rotated_pair()).map_or(0.0, |(pair, _)| PI / pair.frequency);
            self.show_prediction(opposite);
        }
    }

    pub(super) fn jump(&mut self) {
        if self.state.max_len() as i64 <= FAR_POS.0 {
            self.state.apply(SettingId::MaxLen, FAR_POS.1);
        }
        self.state.set_pos(FAR_POS.0);
        self.change = Some(Change::MoveIn(FAR_MS));
        if let Some(tour) = &mut self.tour {
            tour.shows_outcome = true;
        }
    }

    pub(super) fn end_tour(&mut self) {
        self.tour = None;
        self.transient = Transient::default();
    }
}
