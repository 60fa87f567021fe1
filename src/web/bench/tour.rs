//! The bar of the first steps.

use super::BenchController;
use super::chapter_strip::to_lesson;
use crate::figures::bench::Model;
use crate::session::bench::{FAR_POS, STEPS, Tour, TourStep};
use crate::text::{Lang, labels};
use crate::web::dom::{
    CachedText, El, Icon, button, document, el, icon_button, set_attr, toggle_attr,
};
use crate::web::frames::now;
use web_sys::Element;

/// The bar that shows the instruction and the buttons of the tour.
pub struct TourBar {
    pub bar: El,
    count: CachedText,
    words: CachedText,
    next: El,
    show: El,
    jump: El,
    lesson: El,
    /// The step that the bar shows, and whether its outcome is asked for and shown.
    shown: Option<(TourStep, bool, bool)>,
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
            .attr("tabindex", "-1")
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

    /// Updates visibility and buttons; `None` if nothing has changed, or else what had the focus.
    fn arrange(&mut self, tour: Option<&Tour>) -> Option<Option<Element>> {
        let now = tour.map(Tour::progress);
        if std::mem::replace(&mut self.shown, now) == now {
            return None;
        }
        let focused = Some(document().active_element());
        let shown = |el: &El, on: bool| toggle_attr(&el.0, "hidden", !on);
        shown(&self.bar, now.is_some());
        if let Some(bench) = self.bar.0.parent_element() {
            toggle_attr(&bench, "data-tour", now.is_some());
        }
        let Some((step, asked, done)) = now else {
            return focused;
        };
        let last = step == TourStep::JumpFar;
        shown(&self.next, done && !last);
        shown(
            &self.show,
            step == TourStep::PredictTarget && !asked && !done,
        );
        shown(&self.jump, last && !asked && !done);
        shown(&self.lesson, last && done);
        focused
    }

    fn write(&mut self, tour: &Tour, model: &Model) {
        let number = tour.progress().0 as usize + 1;
        self.count
            .set(&labels::step_of(model.lang, number, STEPS.len()));
        self.words.set(&tour.message(model));
    }
}

impl BenchController {
    /// Begins the first move of the hands, unless something has been touched.
    pub(super) fn begin_opening(&mut self) {
        if self.session.begin_opening(now()) {
            self.request(None);
        }
    }

    /// Shows or hides the tour; called before the pictures are measured.
    pub(super) fn arrange_tour(&mut self) {
        let tour = self.session.shown_tour();
        let Some(focused) = self.page.tour.arrange(tour) else {
            return;
        };
        self.pending.measure = true;
        let guessing = tour.is_some_and(Tour::is_guessing);
        toggle_attr(self.page.root(), "data-guessing", guessing);
        let hidden = ".tour[hidden], .tour > [hidden]";
        if focused.is_some_and(|focused| matches!(focused.closest(hidden), Ok(Some(_)))) {
            // From the bar, Tab leads to the buttons that it shows later.
            let next = [
                ".tour > :is(button, a):not([data-action=tour-skip])",
                ".tour",
                "canvas[data-view=rotation]",
            ];
            // The bar stays in the window while one scrolls, the dial does not.
            self.page.focus(&next, false);
        }
    }

    pub(super) fn write_tour(&mut self) {
        if let Some(tour) = self.session.tour() {
            self.page.tour.write(tour, self.session.model());
        }
    }
}
