//! Onboarding tour: four steps on the dial, in each of which the reader does something. It blocks no other input and is
//! not persisted.

use super::BenchController;
use super::chapter_strip::to_lesson;
use crate::field::{SettingId, State, ViewName};
use crate::figure::Displacement;
use crate::figures::bench::Model;
use crate::figures::bench::model::{Hand, OUTLINES, Transient};
use crate::session::Change;
use crate::text::{Lang, labels, number};
use crate::web::dom::{CachedText, El, Icon, button, el, icon_button, set_attr, toggle_attr};
use posenc_encoding::wrap_to_pi;
use std::f64::consts::PI;

/// A step of the tour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TourStep {
    /// Drag the hand of pos: the wedge stays the same.
    DragHand,
    /// Predict the hand at pos + k from another pos.
    PredictTarget,
    /// Change k: all wedges open.
    ChangeOffset,
    /// Jump to a far position: the hands turn many times, the wedges do not change.
    JumpFar,
}

const STEPS: [TourStep; 4] = [
    TourStep::DragHand,
    TourStep::PredictTarget,
    TourStep::ChangeOffset,
    TourStep::JumpFar,
];

/// The pos of the prediction; the far position, and a max_len that includes it.
const GUESS_POS: i64 = 37;
const FAR_POS: (i64, &str) = (900, "1000");
/// Minimum angle between two outlines of the wedge, in radians.
const MIN_OUTLINE_SPACING: f64 = 0.6;
/// The first step is complete after this many outlines, or after this many positions.
const MIN_OUTLINES: usize = 3;
const MIN_POSITIONS: usize = 4;
/// Durations of the animations of the outlines onto the wedge and of the hands to the far position, in milliseconds.
const OUTLINE_ANIMATION_MS: f64 = 900.0;
const FAR_MS: f64 = 1400.0;

pub struct Tour {
    step: TourStep,
    /// The step is complete and its outcome is shown.
    done: bool,
    /// Angle between the guess and the answer, in degrees.
    off: f64,
    pos: usize,
    k: i64,
    /// Number of positions that the hand has moved.
    moved: usize,
    outlines: Vec<f64>,
    /// Time when the outlines start to move onto the wedge, in milliseconds.
    outline_animation_start: Option<f64>,
}

impl Tour {
    pub fn new(state: &State) -> Tour {
        Tour {
            step: TourStep::DragHand,
            done: false,
            off: 0.0,
            pos: state.pos(),
            k: state.k(),
            moved: 0,
            outlines: Vec::new(),
            outline_animation_start: None,
        }
    }

    fn is_guessing(&self) -> bool {
        self.step == TourStep::PredictTarget && !self.done
    }

    /// Advances the tour according to changes of the state; true while it animates.
    fn advance(
        &mut self,
        state: &State,
        model: &Model,
        transient: &mut Transient,
        (dragging, reduced_motion): (bool, bool),
        time: f64,
    ) -> bool {
        transient.guessing = self.is_guessing();
        if self.step == TourStep::DragHand {
            self.record_outline(state, model);
            let enough = self.outlines.len() >= MIN_OUTLINES || self.moved >= MIN_POSITIONS;
            if !self.done && enough && !dragging {
                self.done = true;
                self.outline_animation_start = Some(time);
            }
        }
        if self.step == TourStep::ChangeOffset && state.k() != self.k {
            self.done = true;
        }
        self.animate_outlines(model, transient, reduced_motion, time)
    }

    /// Records an outline of the wedge if it is far enough from the others.
    fn record_outline(&mut self, state: &State, model: &Model) {
        if state.pos() != self.pos {
            self.moved += state.pos().abs_diff(self.pos);
            self.pos = state.pos();
        }
        let Some((pair, _)) = model
            .rotated_pair()
            .filter(|_| !self.done && self.moved > 0)
        else {
            return;
        };
        let at = model.hand_pos();
        let far =
            |&other: &f64| wrap_to_pi((at - other) * pair.frequency).abs() > MIN_OUTLINE_SPACING;
        if self.outlines.iter().all(far) && self.outlines.len() < OUTLINES {
            self.outlines.push(at);
        }
    }

    /// Moves the outlines onto the wedge; true while they move.
    fn animate_outlines(
        &mut self,
        model: &Model,
        transient: &mut Transient,
        reduced_motion: bool,
        time: f64,
    ) -> bool {
        let left = match self.outline_animation_start {
            None => 1.0,
            Some(_) if reduced_motion => 0.0,
            Some(since) => (1.0 - (time - since) / OUTLINE_ANIMATION_MS).clamp(0.0, 1.0),
        };
        let now = model.hand_pos();
        // Ease-out.
        let along = |at: f64| now + left * left * (at - now);
        transient.outlines = [None; OUTLINES];
        for (place, &at) in transient.outlines.iter_mut().zip(&self.outlines) {
            *place = (left > 0.0).then(|| along(at));
        }
        left > 0.0 && left < 1.0
    }

    /// The instruction of the step, or its outcome.
    fn message(&self, model: &Model) -> String {
        let turn = model
            .rotated_pair()
            .map_or(0.0, |(pair, _)| pair.rotation_angle);
        let (angle, k) = (
            labels::turn(model.lang, turn),
            number::whole(model.state.k()),
        );
        let target = number::whole(model.target());
        let off = number::short(self.off, 3);
        match (model.lang, self.step, self.done) {
            (Lang::En, TourStep::DragHand, false) => {
                "Drag the hand at pos: what stays the same?".into()
            }
            (Lang::Zh, TourStep::DragHand, false) => "拖动 pos 处的指针：什么始终不变？".into(),
            (Lang::En, TourStep::DragHand, true) => {
                format!("{angle}: the same turn from everywhere.")
            }
            (Lang::Zh, TourStep::DragHand, true) => format!("{angle}：从哪里出发，转角都一样。"),
            (Lang::En, TourStep::PredictTarget, false) => {
                format!(
                    "Now from {GUESS_POS}. Where will {target} be? Drag the ring there, and let go."
                )
            }
            (Lang::Zh, TourStep::PredictTarget, false) => {
                format!("现在从 {GUESS_POS} 出发。{target} 会在哪里？把圆环拖过去，再松手。")
            }
            (Lang::En, TourStep::PredictTarget, true) => {
                format!("{off}° off. From {GUESS_POS}, too, the turn is {angle}.")
            }
            (Lang::Zh, TourStep::PredictTarget, true) => {
                format!("差 {off}°。从 {GUESS_POS} 出发，转角也是 {angle}。")
            }
            (Lang::En, TourStep::ChangeOffset, false) => "Change k: every wedge opens.".into(),
            (Lang::Zh, TourStep::ChangeOffset, false) => "改变 k：每个扇形都会张开。".into(),
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

/// The bar that shows the instruction and the buttons of the tour.
pub struct TourBar {
    pub bar: El,
    count: CachedText,
    words: CachedText,
    next: El,
    show: El,
    jump: El,
    lesson: El,
    /// The step that the bar shows, and whether the step is complete.
    shown: Option<(TourStep, bool)>,
}

impl TourBar {
    pub fn new(lang: Lang) -> TourBar {
        let hidden = |el: El| el.attr("hidden", "");
        let (count, words) = (el("b"), el("p").attr("role", "status"));
        let next = hidden(button("tour-next", labels::NEXT.get(lang)));
        let show = hidden(button("tour-show", labels::SHOW_ANSWER.get(lang)));
        let jump = hidden(button("tour-jump", &labels::jump(lang, FAR_POS.0)).class("primary"));
        let lesson = hidden(to_lesson(lang));
        let skip = icon_button("tour-skip", Icon::Cross, labels::SKIP_TOUR.get(lang));
        let bar = el("section")
            .class("tour")
            .attr("aria-label", labels::TOUR.get(lang))
            .attr("hidden", "")
            .children([&count, &words, &show, &jump, &next, &lesson, &skip]);
        TourBar {
            bar,
            count: CachedText::new(&count),
            words: CachedText::new(&words),
            next,
            show,
            jump,
            lesson,
            shown: None,
        }
    }

    /// Sets the URL of the link to the lesson, which the last step shows.
    pub fn lead_to(&self, lesson: &str) {
        set_attr(&self.lesson.0, "href", lesson);
    }

    /// Updates visibility and buttons; false if nothing has changed.
    fn arrange(&mut self, tour: Option<&Tour>) -> bool {
        let now = tour.map(|tour| (tour.step, tour.done));
        if std::mem::replace(&mut self.shown, now) == now {
            return false;
        }
        let shown = |el: &El, on: bool| toggle_attr(&el.0, "hidden", !on);
        shown(&self.bar, now.is_some());
        if let Some(bench) = self.bar.0.parent_element() {
            toggle_attr(&bench, "data-tour", now.is_some());
        }
        let Some((step, done)) = now else { return true };
        let last = step == TourStep::JumpFar;
        shown(&self.next, done && !last);
        shown(&self.show, step == TourStep::PredictTarget && !done);
        shown(&self.jump, last && !done);
        shown(&self.lesson, last && done);
        true
    }

    fn write(&mut self, tour: &Tour, model: &Model) {
        let number = tour.step as usize + 1;
        self.count
            .set(&labels::step_of(model.lang, number, STEPS.len()));
        self.words.set(&tour.message(model));
    }
}

impl BenchController {
    /// Advances the tour before a frame is drawn; true while it animates.
    pub(super) fn advance_tour(&mut self, time: f64) -> bool {
        let moving = (self.is_dragging_hand(), self.prefers_reduced_motion());
        match &mut self.tour {
            Some(tour) => tour.advance(&self.state, &self.model, &mut self.transient, moving, time),
            None => false,
        }
    }

    /// Shows or hides the tour; called before the pictures are measured.
    pub(super) fn arrange_tour(&mut self) {
        let tour = self.tour.as_ref();
        let tour = tour.filter(|_| self.state.view() == ViewName::Bench);
        if !self.page.tour.arrange(tour) {
            return;
        }
        self.pending.measure = true;
        let guessing = tour.is_some_and(Tour::is_guessing);
        toggle_attr(self.page.root(), "data-guessing", guessing);
    }

    pub(super) fn write_tour(&mut self) {
        if let Some(tour) = &self.tour {
            self.page.tour.write(tour, &self.model);
        }
    }

    /// Sets the predicted offset, which the hand of pos + k shows.
    pub(super) fn guess(&mut self, k: f64) {
        self.transient.displacement = Displacement::held(0.0, k - self.state.k() as f64);
        self.transient.hand = Some(Hand::Target);
    }

    /// Ends the prediction and stores its error, which is then shown.
    pub(super) fn show_answer(&mut self) {
        let Some(tour) = self.tour.as_mut().filter(|tour| tour.is_guessing()) else {
            return;
        };
        let frequency = self
            .model
            .rotated_pair()
            .map_or(0.0, |(pair, _)| pair.frequency);
        let off = std::mem::take(&mut self.transient.displacement).k.left;
        tour.off = wrap_to_pi(off * frequency).abs().to_degrees();
        tour.done = true;
        self.transient.guessed = Some(self.state.k() as f64 + off);
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
        tour.done = false;
        tour.outlines.clear();
        tour.k = self.state.k();
        self.transient = Transient::default();
        self.motion.finish();
        if next == TourStep::PredictTarget {
            self.state.set_pos(GUESS_POS);
            // The prediction starts opposite to the hand of pos, where it reveals nothing about the answer.
            let opposite = (self.model.rotated_pair()).map_or(0.0, |(pair, _)| PI / pair.frequency);
            self.guess(opposite);
        }
    }

    pub(super) fn jump(&mut self) {
        if self.state.max_len() as i64 <= FAR_POS.0 {
            self.state.apply(SettingId::MaxLen, FAR_POS.1);
        }
        self.state.set_pos(FAR_POS.0);
        self.pending.change = Some(Change::MoveIn(FAR_MS));
        if let Some(tour) = &mut self.tour {
            tour.done = true;
        }
    }

    pub(super) fn end_tour(&mut self) {
        self.tour = None;
        self.transient = Transient::default();
    }
}
