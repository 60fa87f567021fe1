//! The interaction of the bench, without a browser: everything that a reader or a script can change in it, and what
//! follows. [`BenchSession::handle`] takes an [`Event`] and returns its [`Effects`], which `web/bench` applies to the page;
//! [`BenchSession::frame`] advances what moves, and [`BenchSession::compute`] makes the [`Model`] that is drawn.

mod event;
mod gestures;
mod moves;
mod pointers;
mod settings;
mod tour;

pub use event::{Event, Picture, PicturePoint};
pub use moves::{PLAYBACK_SPEEDS, Progress};
pub use tour::{FAR_POS, STEPS, Tour, TourStep};

use super::{Change, Editing, Effects, Motion, Playback};
use crate::field::State;
use crate::figures::bench::{Model, Transient};
use crate::text::Lang;
use gestures::Scroll;
use pointers::Pointers;

pub struct BenchSession {
    /// Whether the reader has asked for less motion.
    reduces_motion: Box<dyn Fn() -> bool>,
    state: State,
    /// What is on the screen: computed from the state of the last frame.
    model: Model,
    transient: Transient,
    motion: Motion,
    playback: Playback,
    editing: Editing,
    pointers: Pointers,
    /// The zoom tool is active: on the heatmap a tap zooms in and a drag moves the visible window, instead of selecting.
    zooming: bool,
    tour: Option<Tour>,
    /// How the change in progress reaches the screen, if not as its event does.
    change: Option<Change>,
    /// How the last change reaches the screen, for the figures that share it.
    last_change: Change,
}

impl BenchSession {
    pub fn new(state: State, lang: Lang, reduces_motion: Box<dyn Fn() -> bool>) -> BenchSession {
        BenchSession {
            reduces_motion,
            model: Model::without_transients(&state, lang),
            state,
            transient: Transient::default(),
            motion: Motion::default(),
            playback: Playback::new(moves::DEFAULT_SPEED),
            editing: Editing::default(),
            pointers: Pointers::default(),
            zooming: false,
            tour: None,
            change: None,
            last_change: Change::default(),
        }
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    /// What was computed for the last frame.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Whether the state has changed since the last frame.
    pub fn is_ahead(&self) -> bool {
        self.state != self.model.state
    }

    pub fn is_zooming(&self) -> bool {
        self.zooming
    }

    /// Whether a control is being typed in, so that its text must not be overwritten.
    pub fn is_typing(&self) -> bool {
        self.editing.is_typing()
    }

    pub fn stop_editing(&mut self) {
        self.editing.stop();
    }

    /// How the last change reaches the screen, once.
    pub fn take_change(&mut self) -> Change {
        std::mem::take(&mut self.last_change)
    }

    /// Handles an event. Not inlined: it is called from many places.
    #[inline(never)]
    pub fn handle(&mut self, event: Event) -> Effects {
        if event.stops_playback() {
            self.stop();
        }
        let mut effects = Effects::default();
        let keeps_locks = !matches!(
            event,
            Event::Set {
                by_script: true,
                ..
            } | Event::Reset {
                by_script: true,
                ..
            }
        );
        let before = self.state.clone();
        let change = self.act(event, &mut effects);
        if keeps_locks && !before.lock().is_empty() {
            self.revert_locked(&before, &mut effects);
        }
        // What is drawn moves to the settings that have changed, or follows them.
        let asked = self.change.take();
        if before != self.state {
            let change = match (self.reduces_motion)() {
                true => Change::Follow,
                false => asked.unwrap_or(change),
            };
            self.last_change = change;
            self.motion
                .change(before.values(), self.state.values(), change);
        }
        effects
    }

    /// Returns how a change of settings reaches the screen: a press, a key or typing moves to the new values; a slider, a
    /// drag or a held key is followed.
    fn act(&mut self, event: Event, effects: &mut Effects) -> Change {
        // Input on the pictures decides by itself.
        effects.redraw = true;
        match event {
            Event::Pointer { action, id, point } => {
                return self.pointer(action, id, point, effects);
            }
            Event::Cancel { id } => {
                self.cancel(id, effects);
                return Change::Follow;
            }
            Event::Leave => {
                effects.redraw = self.leave();
                return Change::Follow;
            }
            Event::Wheel {
                point,
                pixels,
                time,
            } => {
                self.wheel(&point, pixels, time, effects);
                return Change::Follow;
            }
            Event::Key {
                view,
                key,
                shift,
                repeat,
            } => {
                let used = gestures::key(view, key, shift, &mut self.state, &self.model);
                self.key_used(used, effects);
                if repeat {
                    return Change::Follow;
                }
            }
            Event::ScrollKey { vertical, key } => {
                let asked = gestures::scroll_of(key);
                if let Some(asked) = asked {
                    gestures::scroll(&mut self.state, vertical, asked);
                }
                self.key_used(asked.is_some(), effects);
            }
            Event::Scroll { vertical, fraction } => {
                self.pointers.forget_hovered();
                gestures::scroll(&mut self.state, vertical, Scroll::To(fraction));
            }
            Event::Control {
                field,
                text,
                control,
                finished,
            } => return self.control(field, text, control, finished, effects),
            Event::Play(true) => self.start(),
            Event::Play(false) => {}
            Event::Shift(by) => self.state.set_pos(self.state.pos() as i64 + by),
            Event::Step(by) => {
                self.state.values_mut().step(by);
            }
            Event::ApplyShift => self.apply_shift(),
            Event::Tool { zooms } => self.zooming = zooms,
            Event::Zoom(factor) => gestures::zoom(&mut self.state, &self.model, factor, None),
            Event::ShowEverything => self.state.show_everything(),
            Event::Compare(text) => self.compare(text, effects),
            Event::CompareLess(pair) => self.state.toggle_compared(pair),
            Event::Reset { to, .. } => self.reset(to, effects),
            Event::NextStep => self.next_step(),
            Event::ShowAnswer => self.show_answer(),
            Event::Jump => self.jump(),
            Event::EndTour => self.end_tour(),
            Event::Set { pairs, change, .. } => {
                self.set_all(pairs, effects);
                return change;
            }
        }
        Change::Move
    }

    fn key_used(&mut self, used: bool, effects: &mut Effects) {
        effects.redraw = used;
        effects.prevents_default = used;
        effects.announces = used;
        if used {
            self.editing.stop();
            self.pointers.forget_hovered();
        }
    }
}

#[cfg(test)]
mod tests;
