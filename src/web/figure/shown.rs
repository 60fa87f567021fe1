//! The computed figure that an element shows: its work, its animation and its sound.

use super::FRAME_BUDGET_MS;
use super::sound::ToneGenerator;
use crate::field::{Values, ViewName};
use crate::figure::{Displacement, OpenedFile};
use crate::figures::{AnyFigure, accepts_files};
use crate::session::Session;
use crate::text::Lang;
use crate::web::frames::now;
use crate::web::media_query::{MediaQuery, REDUCED_MOTION};
use crate::web::transition::Transition;

/// Time per frame for a file that has been opened: someone waits for the answer, and the page still answers 30 times a second.
const FILE_BUDGET_MS: f64 = 28.0;

#[derive(Default)]
pub(super) struct Shown {
    figure: Option<AnyFigure>,
    /// What is drawn in its place while values are on their way, if it can be drawn at whole numbers only.
    intermediate: Option<(Values, AnyFigure)>,
    /// The figure was displaced in the last frame.
    displaced: bool,
    /// The figure has unfinished work ([`crate::figure::Figure::work`]).
    has_work: bool,
    /// That work is the inspection of a file.
    works_on_file: bool,
    /// The animation from the previous state ([`crate::figure::Figure::animate`]).
    transition: Option<Transition>,
    tones: Option<ToneGenerator>,
}

impl Shown {
    /// `None` until it is computed.
    pub fn figure(&self) -> Option<&AnyFigure> {
        self.figure.as_ref()
    }

    /// What is to be drawn.
    pub fn drawn(&self) -> Option<&AnyFigure> {
        match &self.intermediate {
            Some((_, figure)) => Some(figure),
            None => self.figure(),
        }
    }

    /// Shows the values of a session that are on their way: between whole numbers, or at the nearest.
    pub fn apply_moves(&mut self, session: &Session, lang: Lang) {
        let Some(figure) = &mut self.figure else {
            return;
        };
        let moves = session.is_moving();
        if !std::mem::replace(&mut self.displaced, moves) && !moves {
            return;
        }
        let passes = moves && !figure.displace(session.displacement());
        if !moves {
            figure.displace(Displacement::default());
        }
        if !passes || self.transition.is_some() || self.has_work || figure.shows_progress() {
            self.intermediate = None;
            return;
        }
        let values = session.intermediate_values();
        if self
            .intermediate
            .as_ref()
            .is_none_or(|(last, _)| *last != values)
        {
            let previous = self.intermediate.take().map(|(_, figure)| figure);
            let figure = AnyFigure::new(session.view(), &values, lang, previous);
            self.intermediate = figure.map(|figure| (values, figure));
        }
    }

    pub fn has_work(&self) -> bool {
        self.has_work
    }

    /// Whether the figure is between its previous state and the current one.
    pub fn is_in_transition(&self) -> bool {
        self.transition.is_some()
    }

    /// Whether the picture still changes without input.
    pub fn is_animating(&self) -> bool {
        self.has_work || self.is_in_transition()
    }

    pub fn compute(
        &mut self,
        view: ViewName,
        values: &Values,
        lang: Lang,
        file: Option<&OpenedFile>,
    ) {
        let previous = self.figure.take();
        self.figure = AnyFigure::new(view, values, lang, previous);
        let accepts = accepts_files(view);
        self.works_on_file = accepts && file.is_some();
        if let Some(figure) = &mut self.figure
            && accepts
        {
            figure.set_file(file);
        }
        self.transition = self.figure.as_mut().and_then(|figure| {
            let moves = !MediaQuery::new(REDUCED_MOTION).matches() && figure.animate(0.0);
            moves.then(|| Transition::new(figure.animation_duration()))
        });
    }

    /// Advances the animation from the previous state.
    pub fn advance_transition(&mut self) {
        let (Some(transition), Some(figure)) = (&mut self.transition, &mut self.figure) else {
            return;
        };
        let progress = transition.progress(now());
        figure.animate(progress);
        if progress == 1.0 {
            self.transition = None;
        }
    }

    /// Runs a slice of the work that takes longer than a frame; true if some may be left.
    pub fn work(&mut self) -> bool {
        let begun = now();
        let budget = match self.works_on_file {
            true => FILE_BUDGET_MS,
            false => FRAME_BUDGET_MS,
        };
        let run_slices = |figure: &mut AnyFigure| {
            let mut worked = false;
            while figure.work() {
                worked = true;
                // Figures that show their progress advance one step per frame.
                if figure.shows_progress() || now() - begun > budget {
                    break;
                }
            }
            worked
        };
        self.has_work = self.figure.as_mut().is_some_and(run_slices);
        self.has_work
    }

    /// Shows the end of the animation.
    pub fn finish_transition(&mut self) {
        if let (Some(_), Some(figure)) = (self.transition.take(), &mut self.figure) {
            figure.animate(1.0);
        }
    }

    pub fn update_sound(&mut self) {
        match self.figure.as_ref().and_then(AnyFigure::sound) {
            None => self.tones = None,
            Some(sound) => {
                if self.tones.is_none() {
                    self.tones = ToneGenerator::new();
                }
                if let Some(tones) = &mut self.tones {
                    tones.update(&sound);
                }
            }
        }
    }

    pub fn is_playing_sound(&self) -> bool {
        self.tones.is_some()
    }

    pub fn stop_sound(&mut self) {
        self.tones = None;
    }
}
