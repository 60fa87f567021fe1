//! Playback, and moves of the hands to new values of pos, k and pair.

use super::BenchSession;
use crate::field::ViewName;
use crate::figure::{Displacement, Remaining};
use crate::figures::bench::{Model, Transient};
use crate::session::Change;
use crate::text::Lang;

/// Duration of the sweep of the hands over their wedges, in milliseconds.
const APPLY_SHIFT_MS: f64 = 900.0;

/// Speeds of playback, in positions per second.
pub const PLAYBACK_SPEEDS: [f64; 6] = [0.5, 1.0, 2.0, 5.0, 20.0, 100.0];
pub(super) const DEFAULT_SPEED: f64 = 2.0;

/// What has happened with time since the frame before.
pub struct Progress {
    /// Playback goes on.
    pub plays: bool,
    /// What is drawn was on its way to the values.
    pub moved: bool,
    /// Another frame is needed for what moves.
    pub moves: bool,
}

impl BenchSession {
    pub fn is_playing(&self) -> bool {
        self.playback.playing
    }

    /// In positions per second.
    pub fn speed(&self) -> f64 {
        self.playback.speed
    }

    pub fn set_speed(&mut self, speed: f64) {
        self.playback.speed = speed;
    }

    /// Whether what is drawn is still on its way to the values.
    pub fn is_moving(&self) -> bool {
        self.motion.is_moving()
    }

    /// Advances playback, moves and first steps to the time of a frame, in milliseconds; `presented` if the page is
    /// presented, without first steps.
    pub fn frame(&mut self, now: f64, presented: bool) -> Progress {
        let plays = self.playback.playing;
        if plays {
            let steps = self.playback.advance(now);
            self.state.values_mut().step(steps);
        }
        let moved = self.motion.is_moving();
        let moves = self.motion.advance(now);
        Progress {
            plays,
            moved,
            moves: self.advance_tour(now, presented) | moves,
        }
    }

    /// Computes what the next picture shows. `in_colour` is false on paper and with forced colours.
    pub fn compute(&mut self, lang: Lang, in_colour: bool) {
        let mut transient = self.transient;
        transient.displacement = self.motion.displacement(transient.displacement);
        if self.tour.is_some() {
            // The first steps draw outlines of their own.
            transient.displacement.outline = None;
        }
        let beside_others = self.state.view() == ViewName::Bench;
        transient.beside_others = beside_others;
        transient.sets_slow_pairs_apart = beside_others && in_colour;
        transient.plays = self.playback.playing;
        if self.playback.playing {
            let at_the_end = self.state.pos() + 1 == self.state.max_len();
            let passed = match (self.reduces_motion)() || at_the_end {
                true => 0.0,
                false => self.playback.progress(),
            };
            transient.displacement.pos = Remaining::held(passed);
        }
        self.model = self.model_with(lang, transient);
    }

    /// The model without what moves and what is pointed at; a guess stays one.
    pub fn model_at_rest(&self, lang: Lang) -> Model {
        let transient = match self.is_guessing() {
            true => self.transient,
            false => Transient {
                guessed: self.transient.guessed,
                ..Transient::default()
            },
        };
        self.model_with(lang, transient)
    }

    fn model_with(&self, lang: Lang, transient: Transient) -> Model {
        Model::compute(&self.state, lang, transient, Some(&self.model))
    }

    /// Ends playback and moves.
    pub fn rest(&mut self) {
        self.stop();
        self.motion.finish();
    }

    pub(super) fn start(&mut self) {
        if !self.state.locks_control("play") {
            self.playback.start();
        }
    }

    /// Stops playback at the nearest position, to which the hands settle.
    pub(super) fn stop(&mut self) {
        if !self.playback.playing {
            return;
        }
        let here = self.model.hand_pos();
        if self.playback.stop() >= 0.5 {
            self.state.set_pos(self.state.pos() as i64 + 1);
        }
        self.transient.displacement.pos = Remaining::held(here - self.state.pos() as f64);
        self.settle();
    }

    /// Moves pos to pos + k, as M_k does: every hand sweeps over its wedge.
    pub(super) fn apply_shift(&mut self) {
        if self.model.can_apply_shift() {
            self.state.set_pos(self.state.pos() as i64 + self.state.k());
            self.change = Some(Change::MoveIn(APPLY_SHIFT_MS));
        }
    }

    /// A hand is grabbed while it moves: it stays where it is, and its value is the nearest. A guess is no value.
    pub(super) fn take_over(&mut self) {
        if !self.motion.is_moving() && !self.playback.playing {
            return;
        }
        let (pos, k) = (self.model.hand_pos(), self.model.hand_k());
        self.playback.stop();
        self.motion.finish();
        self.change = Some(Change::Follow);
        if self.is_guessing() {
            return;
        }
        self.state.set_k(k.round() as i64);
        self.state.set_pos(pos.round() as i64);
        self.transient.displacement =
            Displacement::held(pos - self.state.pos() as f64, k - self.state.k() as f64);
    }

    /// Lets go of a hand between two positions. A guess stays where it is.
    pub(super) fn settle(&mut self) {
        let mut held = std::mem::take(&mut self.transient.displacement);
        if self.is_guessing() {
            self.transient.displacement.k = std::mem::take(&mut held.k);
        }
        if !(self.reduces_motion)() {
            self.motion.settle(held);
        }
    }
}
