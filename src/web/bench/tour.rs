//! The first twenty seconds: four things to do with the dial, each explained by doing it. Nothing waits for it, and whoever
//! skips it has done with it until the page is loaded again; nothing is stored.

use super::App;
use super::strip::to_lesson;
use crate::field::{Key, State, ViewName};
use crate::figures::bench::Model;
use crate::figures::bench::model::{Hand, OUTLINES, Transient};
use crate::text::{Lang, labels, number};
use crate::web::dom::{El, Icon, Slot, button, el, icon_button, set_attr, toggle_attr};
use posenc_encoding::wrap_to_pi;
use std::f64::consts::PI;

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Drag the hand of pos: the wedge stays the same.
    Turn,
    /// Say where the hand will be k positions after another start.
    Guess,
    /// Change k: all wedges open.
    Open,
    /// Go far away: the hands whirl, the wedges do not.
    Jump,
}

const STEPS: [Step; 4] = [Step::Turn, Step::Guess, Step::Open, Step::Jump];

/// The start from which is guessed, and the far position with a table that is long enough for it.
const START: i64 = 37;
const FAR: (i64, &str) = (900, "1000");
/// Outlines of the wedge are so many radians apart at least.
const APART: f64 = 0.6;
/// The hand has been moved enough: past so many outlines, or by so many positions.
const ENOUGH_OUTLINES: usize = 3;
const ENOUGH_POSITIONS: usize = 4;
/// Milliseconds that outlines take to come together, and hands to a far position.
const GATHER: f64 = 900.0;

pub struct Tour {
    step: Step,
    /// It has been done, and this is what came of it.
    done: bool,
    /// Degrees between the guess and the answer.
    off: f64,
    pos: usize,
    k: i64,
    /// Positions that the hand has gone through.
    moved: usize,
    outlines: Vec<f64>,
    /// When the outlines began to come together.
    gathering: Option<f64>,
}

impl Tour {
    pub fn new(state: &State) -> Tour {
        Tour {
            step: Step::Turn,
            done: false,
            off: 0.0,
            pos: state.pos(),
            k: state.k(),
            moved: 0,
            outlines: Vec::new(),
            gathering: None,
        }
    }

    fn is_guessing(&self) -> bool {
        self.step == Step::Guess && !self.done
    }

    /// Follows what is done to the state; true while something moves.
    fn follow(
        &mut self,
        state: &State,
        model: &Model,
        transient: &mut Transient,
        (dragging, still): (bool, bool),
        time: f64,
    ) -> bool {
        transient.guessing = self.is_guessing();
        if self.step == Step::Turn {
            self.note_outline(state, model, transient.pos_fraction);
            let enough = self.outlines.len() >= ENOUGH_OUTLINES || self.moved >= ENOUGH_POSITIONS;
            if !self.done && enough && !dragging {
                self.done = true;
                self.gathering = Some(time);
            }
        }
        if self.step == Step::Open && state.k() != self.k {
            self.done = true;
        }
        self.gather(state, transient, still, time)
    }

    /// Where the wedge is now, if that is far enough from where it was noted last.
    fn note_outline(&mut self, state: &State, model: &Model, pos_fraction: f64) {
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
        let at = state.pos() as f64 + pos_fraction;
        let far = |&other: &f64| wrap_to_pi((at - other) * pair.frequency).abs() > APART;
        if self.outlines.iter().all(far) && self.outlines.len() < OUTLINES {
            self.outlines.push(at);
        }
    }

    /// The outlines fly to where the wedge is, and lie on it; true while they move.
    fn gather(&mut self, state: &State, transient: &mut Transient, still: bool, time: f64) -> bool {
        let left = match self.gathering {
            None => 1.0,
            Some(_) if still => 0.0,
            Some(since) => (1.0 - (time - since) / GATHER).clamp(0.0, 1.0),
        };
        let now = state.pos() as f64 + transient.pos_fraction;
        // Ease-out.
        let along = |at: f64| now + left * left * (at - now);
        transient.outlines = [None; OUTLINES];
        for (place, &at) in transient.outlines.iter_mut().zip(&self.outlines) {
            *place = (left > 0.0).then(|| along(at));
        }
        left > 0.0 && left < 1.0
    }

    /// What is to be done, or what came of it.
    fn words(&self, model: &Model) -> String {
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
            (Lang::En, Step::Turn, false) => "Drag the hand at pos: what stays the same?".into(),
            (Lang::Zh, Step::Turn, false) => "拖动 pos 处的指针：什么始终不变？".into(),
            (Lang::En, Step::Turn, true) => format!("{angle}: the same turn from everywhere."),
            (Lang::Zh, Step::Turn, true) => format!("{angle}：从哪里出发，转角都一样。"),
            (Lang::En, Step::Guess, false) => {
                format!(
                    "Now from {START}. Where will {target} be? Drag the ring there, and let go."
                )
            }
            (Lang::Zh, Step::Guess, false) => {
                format!("现在从 {START} 出发。{target} 会在哪里？把圆环拖过去，再松手。")
            }
            (Lang::En, Step::Guess, true) => {
                format!("{off}° off. From {START}, too, the turn is {angle}.")
            }
            (Lang::Zh, Step::Guess, true) => {
                format!("差 {off}°。从 {START} 出发，转角也是 {angle}。")
            }
            (Lang::En, Step::Open, false) => "Change k: every wedge opens.".into(),
            (Lang::Zh, Step::Open, false) => "改变 k：每个扇形都会张开。".into(),
            (Lang::En, Step::Open, true) => {
                format!("With k = {k}, Mₖ is this list of wedges, one for each pair.")
            }
            (Lang::Zh, Step::Open, true) => {
                format!("k = {k} 时，Mₖ 就是这组扇形，每个维度对一个。")
            }
            (Lang::En, Step::Jump, false) => format!("And far away, at {}?", FAR.0),
            (Lang::Zh, Step::Jump, false) => format!("在很远的地方，比如 {}，又如何？", FAR.0),
            (Lang::En, Step::Jump, true) => "The hands whirled; the wedges did not change.".into(),
            (Lang::Zh, Step::Jump, true) => "指针转了许多圈，扇形却丝毫未变。".into(),
        }
    }
}

/// The bar that says what to do.
pub struct TourBar {
    pub bar: El,
    count: Slot,
    words: Slot,
    next: El,
    show: El,
    jump: El,
    lesson: El,
    /// The step that it shows, and whether that has been done.
    shown: Option<(Step, bool)>,
}

impl TourBar {
    pub fn new(lang: Lang) -> TourBar {
        let hidden = |el: El| el.attr("hidden", "");
        let (count, words) = (el("b"), el("p").attr("role", "status"));
        let next = hidden(button("tour-next", labels::NEXT.get(lang)));
        let show = hidden(button("tour-show", labels::SHOW_ANSWER.get(lang)));
        let jump = hidden(button("tour-jump", &labels::jump(lang, FAR.0)).class("primary"));
        let lesson = hidden(to_lesson(lang));
        let skip = icon_button("tour-skip", Icon::Cross, labels::SKIP_TOUR.get(lang));
        let bar = el("section")
            .class("tour")
            .attr("aria-label", labels::TOUR.get(lang))
            .attr("hidden", "")
            .children([&count, &words, &show, &jump, &next, &lesson, &skip]);
        TourBar {
            bar,
            count: Slot::new(&count),
            words: Slot::new(&words),
            next,
            show,
            jump,
            lesson,
            shown: None,
        }
    }

    /// The last step leads to the lesson, which begins at this address.
    pub fn lead_to(&self, lesson: &str) {
        set_attr(&self.lesson.0, "href", lesson);
    }

    /// Comes, goes, and has the buttons of the step; false if all of this is as it was.
    fn arrange(&mut self, tour: Option<&Tour>) -> bool {
        let now = tour.map(|tour| (tour.step, tour.done));
        if std::mem::replace(&mut self.shown, now) == now {
            return false;
        }
        let shown = |el: &El, on: bool| toggle_attr(&el.0, "hidden", !on);
        shown(&self.bar, now.is_some());
        let Some((step, done)) = now else { return true };
        let last = step == Step::Jump;
        shown(&self.next, done && !last);
        shown(&self.show, step == Step::Guess && !done);
        shown(&self.jump, last && !done);
        shown(&self.lesson, last && done);
        true
    }

    fn write(&mut self, tour: &Tour, model: &Model) {
        let number = tour.step as usize + 1;
        self.count
            .set(&labels::step_of(model.lang, number, STEPS.len()));
        self.words.set(&tour.words(model));
    }
}

impl App {
    /// Follows the tour before a frame is drawn; true while something of it moves.
    pub(super) fn follow_tour(&mut self, time: f64) -> bool {
        let moving = (self.is_dragging_hand(), self.is_still());
        match &mut self.tour {
            Some(tour) => tour.follow(&self.state, &self.model, &mut self.transient, moving, time),
            None => false,
        }
    }

    /// Gives the tour its place on the page or takes it away, before the pictures take theirs.
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

    /// The ring has been dragged to where this offset would be.
    pub(super) fn guess(&mut self, k: f64) {
        self.transient.k_fraction = k - self.state.k() as f64;
        self.transient.hand = Some(Hand::Target);
    }

    /// The guess stands: how far it is off.
    pub(super) fn show_answer(&mut self) {
        let Some(tour) = self.tour.as_mut().filter(|tour| tour.is_guessing()) else {
            return;
        };
        let frequency = self
            .model
            .rotated_pair()
            .map_or(0.0, |(pair, _)| pair.frequency);
        let off = std::mem::take(&mut self.transient.k_fraction);
        tour.off = wrap_to_pi(off * frequency).abs().to_degrees();
        tour.done = true;
        self.transient.guessed = Some(self.state.k() as f64 + off);
    }

    pub(super) fn next_step(&mut self) {
        // A second press before the button has gone does nothing.
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
        self.snap = None;
        if next == Step::Guess {
            self.state.set_pos(START);
            // The ring begins opposite to the hand of pos, where it gives nothing away.
            let opposite = (self.model.rotated_pair()).map_or(0.0, |(pair, _)| PI / pair.frequency);
            self.guess(opposite);
        }
    }

    pub(super) fn jump(&mut self) {
        let from = self.state.pos() as f64;
        if self.state.max_len() as i64 <= FAR.0 {
            self.state.apply(Key::MaxLen, FAR.1);
        }
        self.state.set_pos(FAR.0);
        if let Some(tour) = &mut self.tour {
            tour.done = true;
        }
        self.transient.pos_fraction = from - self.state.pos() as f64;
        self.start_snap(GATHER);
    }

    pub(super) fn end_tour(&mut self) {
        self.tour = None;
        self.transient = Transient::default();
    }
}
