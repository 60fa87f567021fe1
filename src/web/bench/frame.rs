//! Frames of the bench: compute, update the DOM and draw; after the debounce, notify the page.

use super::elements::InteractionState;
use super::{BenchController, announce, setting_entries_of, with};
use crate::field::ViewName;
use crate::figure::Offset;
use crate::figures::bench::Model;
use crate::web::dom::ratio;
use crate::web::figure;
use crate::web::frames::{measure, now};
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
        self.pending.redraw || self.pending.measure || self.motion.is_moving()
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
        if self.playback.playing {
            let steps = self.playback.advance(time);
            self.state.values_mut().step(steps);
            self.pending.redraw = true;
        }
        let moved = self.motion.is_moving();
        let moves = self.motion.advance(time) | self.advance_tour(time);
        let asked = std::mem::take(&mut self.pending.redraw);
        let changed = asked | moved | moves;
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
            let alone = self.state.view() != ViewName::Bench;
            let fitted = self.page.measure(ratio(printing), printing && alone);
            if fitted || (changed && !drawn) {
                self.draw();
            }
            self.place_tour();
        }
        if moved && !self.motion.is_moving() {
            self.place_tour();
        }
        // A move changes only what is drawn.
        if asked {
            let wake = self.wake();
            self.address_debounce.changed(wake);
        }
        if changed {
            measure(cause, start);
        }
        if self.playback.playing || moves {
            self.frames.request(None);
        }
    }

    fn draw(&mut self) {
        self.page.draw(
            &self.model,
            &self.appearance.theme,
            &self.appearance.colours,
        );
    }

    pub(super) fn compute(&mut self) {
        if self.state != self.model.state {
            self.save_recovery_hash();
            announce("posenc:input");
        }
        let still = self.prefers_reduced_motion();
        let at_the_end = self.state.pos() + 1 == self.state.max_len();
        let mut transient = self.drawn_transient();
        if self.playback.playing {
            let passed = match still || at_the_end {
                true => 0.0,
                false => self.playback.progress(),
            };
            transient.displacement.pos = Offset::held(passed);
        }
        let lang = self.page.lang();
        self.model = Model::compute(&self.state, lang, transient, Some(&self.model));
        if !self.model.loading {
            self.pending.figures_requested = false;
        } else if !std::mem::replace(&mut self.pending.figures_requested, true) {
            announce("posenc:wanted");
        }
    }

    fn write(&mut self) {
        if !self.model.loading && std::mem::take(&mut self.notices.table_unavailable) {
            self.notices.show(&self.page.notices, self.page.lang());
        }
        let interaction = InteractionState {
            playing: self.playback.playing,
            zooming: self.zooming,
            hovered: self
                .pointers
                .hovered
                .filter(|&(p, d)| p < self.state.max_len() && d < self.state.d_model()),
        };
        self.page
            .write(&self.model, &interaction, self.editing.written());
        self.write_tour();
        let change = std::mem::take(&mut self.pending.last_change);
        figure::sync_bench_group(|| setting_entries_of(&self.state), change);
    }

    pub(super) fn wake(&self) -> impl FnOnce() + 'static {
        let weak = self.weak_self.clone();
        move || with(&weak, BenchController::flush)
    }

    /// Runs the debounced work: address, link, descriptions and live region. `history.replaceState` takes milliseconds.
    pub(super) fn flush(&mut self) {
        let wake = self.wake();
        if self.address_debounce.is_due(wake) {
            self.address.write(&self.state);
            self.page
                .write_debounced(&self.model, &self.address.of(&self.state));
            if std::mem::take(&mut self.pending.announce) {
                self.page.announce_selection(&self.model);
            }
            announce("posenc:change");
        }
    }
}
