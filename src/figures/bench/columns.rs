//! The columns of the heatmap: the order in which they stand, at rest and while they slide to another, and which of them
//! hardly change.

use super::model::Model;
use crate::draw::{PhaseMap, Theme};
use posenc_encoding::{Column, Layout, Member, PositionSignal, PositionTable};

/// A pair counts as rotating if its angle grows by at least this within max_len, in radians: 30°.
const MIN_TURN: f64 = std::f64::consts::PI / 6.0;
/// Fewer slow pairs than this are not drawn faint.
const MIN_FAINT: usize = 4;
/// The part of a slide, at either end, in which the faintness comes and goes.
const FADING: f64 = 0.25;

/// How the columns stand: at rest both numbers are 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrangement {
    /// From 0, the cosine of a pair beside its sine, to 1, all sines before all cosines.
    pub halves: f64,
    /// From 0, the colours of values, to 1, those of the pairs' angles.
    pub phase: f64,
}

impl Model {
    /// The order of the heatmap's columns, unless these are pairs.
    pub fn column_order(&self) -> Layout {
        self.state.column_order()
    }

    /// The table in this order.
    pub fn ordered_table(&self) -> Option<&dyn PositionTable> {
        match &self.ordered {
            Some(ordered) => Some(&**ordered),
            None => self.table.as_deref(),
        }
    }

    /// The column in which a dimension stands.
    pub fn column_index(&self, dimension: usize) -> usize {
        match self.column(dimension) {
            Column::Wave { pair, member } => {
                let order = self.column_order();
                let column = order.dimension(self.state.d_model(), pair, member);
                column.unwrap_or(dimension)
            }
            Column::Zero => dimension,
        }
    }

    /// The dimension that stands in a column.
    pub fn dimension_at(&self, column: usize) -> usize {
        match self.column_order().column(self.state.d_model(), column) {
            Column::Wave { pair, member } => self.dimension_of(pair, member),
            Column::Zero => column,
        }
    }

    /// The column in which a member of a pair is drawn, between two while it slides; `None` if there is no such member.
    pub fn drawn_column(&self, pair: usize, member: Member) -> Option<f64> {
        self.member_dimension(pair, member)?;
        let apart = match self.layout {
            Layout::Interleaved => Layout::Concatenated,
            stored => stored,
        };
        let column = |layout: Layout| layout.dimension(self.state.d_model(), pair, member);
        let [together, apart] = [column(Layout::Interleaved)?, column(apart)?].map(|it| it as f64);
        Some(together + self.arrangement().halves * (apart - together))
    }

    /// How the columns are drawn.
    pub fn arrangement(&self) -> Arrangement {
        let phase = self.state.shows_phase();
        let halves = !phase && self.column_order() != Layout::Interleaved;
        let moved = &self.transient.displacement;
        let drawn =
            |at_rest: bool, moved: f64| (f64::from(u8::from(at_rest)) + moved).clamp(0.0, 1.0);
        Arrangement {
            halves: drawn(halves, moved.halves),
            phase: drawn(phase, moved.phase),
        }
    }

    /// How they are drawn if they slide.
    pub fn sliding(&self) -> Option<Arrangement> {
        let moved = &self.transient.displacement;
        let slides = matches!(self.signal, PositionSignal::Sinusoids(_))
            && (moved.halves, moved.phase) != (0.0, 0.0);
        slides.then(|| self.arrangement())
    }

    /// Number of pairs that rotate visibly within the table: those before the first that hardly does, and at least one.
    pub fn turning_pairs(&self) -> usize {
        let Some(waves) = &self.waves else {
            return self.pairs();
        };
        let turns = |pair: &usize| waves.frequency(*pair) * self.state.max_len() as f64 >= MIN_TURN;
        (0..self.pairs()).take_while(turns).count().max(1)
    }

    /// The pairs that hardly rotate, if they are enough to be set apart from the others and their columns stand side by
    /// side.
    pub fn slow_pairs(&self) -> Option<std::ops::Range<usize>> {
        let applies = self.transient.sets_slow_pairs_apart
            && matches!(self.signal, PositionSignal::Sinusoids(_));
        let slow = self.turning_pairs()..self.pairs();
        let side_by_side = self.layout == Layout::Interleaved || self.state.shows_phase();
        (applies && side_by_side && slow.len() >= MIN_FAINT).then_some(slow)
    }

    /// How faint the columns of slow pairs are drawn, 0 … 1: they are where sines and cosines are stripes, and not while they
    /// slide.
    pub fn faintness(&self) -> f64 {
        let Arrangement { halves, phase } = self.arrangement();
        let near = |distance: f64| (1.0 - distance / FADING).max(0.0);
        near(halves) * near(phase)
    }

    /// The colours of angles if the heatmap shows them and the dial and the clocks are their key.
    pub fn colours_of_angles(&self, theme: &Theme) -> Option<PhaseMap> {
        let is_key = self.transient.beside_others && self.state.shows_phase();
        is_key.then(|| PhaseMap::new(theme))
    }

    /// Whether a pair is never drawn faint, as it is selected or under the pointer.
    pub fn is_marked(&self, pair: usize) -> bool {
        pair == self.state.pair() || Some(pair) == self.transient.pair
    }
}
