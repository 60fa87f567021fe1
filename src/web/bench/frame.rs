//! Frames of the bench: compute, draw and update the DOM; after the debounce, notify the page.

use super::{BenchController, dispatch, setting_entries_of, with_bench};
use crate::field::ViewName;
use crate::web::dom::ratio;
use crate::web::figure;
use crate::web::frames::{now, record_frame};
use web_sys::Event;

impl BenchController {
    pub(super) fn request(&mut self, cause: Option<f64>) {
        self.pending.redraw = true;
        self.frames.request(cause);
    }

    pub(super) fn resize(&mut self) {
        self.pending.measure = true;
        self.frames.request(None);
    }

    /// Whether a frame is pending.
    pub(super) fn has_pending_work(&self) -> bool {
        self.pending.redraw || self.pending.measure || self.session.is_moving()
    }

    /// Runs the pending frame now.
    pub(super) fn draw_now(&mut self) {
        if self.has_pending_work() {
            self.frame(now());
        }
    }

    pub(super) fn redraw(&mut self, event: &Event) {
        self.request(Some(event.time_stamp()));
    }

    pub(super) fn frame(&mut self, time: f64) {
        let cause = self.frames.arrived();
        let start = now();
        let presented = self.appearance.presentation.is_some();
        let progress = self.session.frame(time, presented);
        let asked = std::mem::take(&mut self.pending.redraw) | progress.plays;
        let changed = asked | progress.moved | progress.moves;
        self.arrange_tour();
        // Drawn before the texts are written: setting a font makes the browser update the styles of the page, which the
        // texts change.
        let drawn = changed && !self.pending.measure;
        if changed {
            self.compute();
            if drawn {
                self.draw();
            }
            self.write();
        }
        // The texts are written before the canvases are measured, since they can change the layout.
        if std::mem::take(&mut self.pending.measure) {
            let printing = self.appearance.printing;
            let alone = self.session.state().view() != ViewName::Bench;
            let fitted = self.page.measure(ratio(printing), printing && alone);
            if fitted || (changed && !drawn) {
                self.draw();
            }
            self.place_tour();
        }
        if progress.moved && !self.session.is_moving() {
            self.place_tour();
        }
        // A move changes only what is drawn.
        if asked {
            let wake = self.wake();
            self.address_debounce.changed(wake);
        }
        if changed {
            record_frame(cause, start);
        }
        if progress.plays || progress.moves {
            self.frames.request(None);
        }
    }

    fn draw(&mut self) {
        self.page.draw(
            self.session.model(),
            &self.appearance.theme,
            &self.appearance.colours,
        );
    }

    fn compute(&mut self) {
        if self.session.is_ahead() {
            self.save_recovery_hash();
            dispatch("posenc:input");
        }
        let in_colour = !self.appearance.printing && !self.media.forced_colours.matches();
        self.session.compute(self.page.lang(), in_colour);
        if !self.session.model().loading {
            self.pending.figures_requested = false;
        } else if !std::mem::replace(&mut self.pending.figures_requested, true) {
            dispatch("posenc:wanted");
        }
    }

    fn write(&mut self) {
        if !self.session.model().loading && std::mem::take(&mut self.notices.table_unavailable) {
            self.notices.show(&self.page.notices, self.page.lang());
        }
        // The text that is being typed is not overwritten.
        let typed = self.edited.as_ref();
        let typed = typed.filter(|_| self.session.is_typing());
        self.page.write(&self.session, typed);
        self.write_tour();
        let change = self.session.take_change();
        figure::sync_bench_group(|| setting_entries_of(self.session.state()), change);
    }

    pub(super) fn wake(&self) -> impl FnOnce() + 'static {
        let weak = self.weak_self.clone();
        move || with_bench(&weak, BenchController::flush)
    }

    /// Runs the debounced work: address, link, descriptions and live region. `history.replaceState` takes milliseconds.
    pub(super) fn flush(&mut self) {
        let wake = self.wake();
        if self.address_debounce.is_due(wake) {
            let (state, model) = (self.session.state(), self.session.model());
            self.address.write(state);
            self.page.write_debounced(model, &self.address.of(state));
            if std::mem::take(&mut self.pending.announce) {
                self.page.announce_selection(model);
            }
            dispatch("posenc:change");
        }
    }
}
