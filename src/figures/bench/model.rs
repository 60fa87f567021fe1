//! Every number that the views show, computed from a state.

use crate::field::{SettingId, State, ViewName};
use crate::figure::Displacement;
use crate::math::random::Normals;
use crate::math::rotation::Rotation;
use crate::text::Lang;
use crate::text::tokens::tokens_or_example;
use posenc_encoding::{
    AttentionHead, Column, HeadConfig, Layout, Member, PositionSignal, PositionTable,
    SimulatedTable, Sinusoidal, TableConfig, ValueRange, is_deferred,
};
use std::rc::Rc;

/// Index, from 0, of the attention head whose biases are shown, of [`HEADS`] heads.
pub const HEAD: usize = 0;
pub const HEADS: usize = 8;

/// One of the two hands of the dial, at the angles of PE(pos) and PE(pos+k), or the mark of the same position on the
/// waves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hand {
    Pos,
    Target,
}

/// What a picture shows beside the settings in the link: an animation or drag in progress, what is under the pointer, and
/// where the picture stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Transient {
    /// How far what is drawn is from pos, k and the pair, while a hand is dragged or moves.
    pub displacement: Displacement,
    /// How far the hands alone are from there, in positions, while they show that they turn.
    pub sway: f64,
    /// The hand that is under the pointer, or dragged.
    pub hand: Option<Hand>,
    /// The hand that the reader is asked to drag, and how far its halo has grown, 0 … 1.
    pub invited: Option<(Hand, f64)>,
    /// The positions around which tokens are shown while one is pressed: those of the marks at the press.
    pub tokens_around: Option<[f64; 2]>,
    /// The pair that is under the pointer in any of the pictures.
    pub pair: Option<usize>,
    /// Positions at which an outline of the wedge is drawn.
    pub outlines: [Option<f64>; OUTLINES],
    /// Whether playback moves pos.
    pub plays: bool,
    /// Whether the reader is guessing pos + k: its hand shows the guess, and no wedges are drawn.
    pub guessing: bool,
    /// The reader's guess for k, once the answer is shown.
    pub guessed: Option<f64>,
    /// The heatmap is on the screen beside others, and draws the columns of pairs that hardly rotate faintly.
    pub sets_slow_pairs_apart: bool,
    /// The pictures stand beside each other: the dial is the key of the colours of the heatmap, and the tokens that are listed
    /// there are named on the waves.
    pub beside_others: bool,
}

/// Maximum number of wedge outlines.
pub const OUTLINES: usize = 8;

/// A state and everything computed from it.
pub struct Model {
    pub state: State,
    pub lang: Lang,
    /// The token at each position that has one.
    pub tokens: Rc<Vec<String>>,
    /// The kind of position signal.
    pub signal: PositionSignal,
    /// The order of the dimensions: which of them belong to a pair.
    pub layout: Layout,
    /// The encoding's table, if it has one; `None` also if it is too large or not loaded yet.
    pub table: Option<Rc<dyn PositionTable>>,
    /// Whether the page is still loading what computes, draws and describes another encoding than sinusoids.
    pub loading: bool,
    /// The frequencies of the encoding's pairs, if pairs rotate.
    pub waves: Option<Rc<Sinusoidal>>,
    /// The sinusoids in the order in which the heatmap shows them, if it is not that of the table.
    pub ordered: Option<Rc<Sinusoidal>>,
    /// The bias added to the logit of a query at pos + k and a key at pos; `None` if there is none, and for a masked
    /// key.
    pub bias: Option<f64>,
    pub transient: Transient,
    /// `None` if nothing rotates, and for tensor2tensor's zero column.
    pub pair: Option<Pair>,
    /// Largest |M_k·PE(pos) − PE(pos+k)| over all pairs at the selected position; 0 where nothing rotates.
    pub residual: f64,
}

/// The selected pair at pos and at pos + k. Vectors are (sine, cosine).
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    pub index: usize,
    /// ω, in radians per position.
    pub frequency: f64,
    /// λ = 2π/ω, in positions.
    pub wavelength: f64,
    /// pos·ω in radians, not reduced.
    pub angle: f64,
    /// k·ω in radians, not reduced.
    pub rotation_angle: f64,
    pub at_pos: [f64; 2],
    pub at_target: [f64; 2],
    /// `None` for a sine without its cosine, the last column of an odd d_model.
    pub block: Option<Block>,
}

/// The pair's block of M_k, and its product with PE(pos).
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub matrix: [[f64; 2]; 2],
    pub product: [f64; 2],
    /// Largest difference of the product from PE(pos+k).
    pub residual: f64,
}

impl Model {
    /// Everything for `state`, without animation, drag or hover.
    pub fn without_transients(state: &State, lang: Lang) -> Model {
        Model::compute(state, lang, Transient::default(), None)
    }

    /// Computes everything for `state`, reusing the previous model's table and frequencies if they are the same.
    pub fn compute(
        state: &State,
        lang: Lang,
        transient: Transient,
        previous: Option<&Model>,
    ) -> Model {
        let (encoding, signal) = (state.encoding(), state.signal());
        let same_text =
            |model: &&Model| model.lang == lang && model.state.own_text() == state.own_text();
        let tokens = match previous.filter(same_text) {
            Some(model) => model.tokens.clone(),
            None => Rc::new(tokens_or_example(state.own_text(), lang)),
        };
        let config = state.table_config();
        let previous = previous
            .filter(|model| model.state.encoding() == encoding && model.same_columns(&config));
        let waves = match previous {
            Some(model) => model.waves.clone(),
            None => encoding.sinusoids(&config).map(Rc::new),
        };
        let same_length = |model: &&Model| model.state.max_len() == config.max_len;
        let kept = previous.filter(same_length);
        let table = match (&waves, kept.and_then(|model| model.table.clone())) {
            (Some(waves), _) if signal.has_table() => Ok(waves.clone() as Rc<dyn PositionTable>),
            (_, Some(table)) => Ok(table),
            _ => encoding.table(&config),
        };
        let order = state.column_order();
        let ordered = (order != config.layout).then(|| {
            let kept = previous.and_then(|model| model.ordered.clone());
            kept.unwrap_or_else(|| Rc::new(Sinusoidal::new(config.d_model, config.base, order)))
        });
        let has_bias = matches!(signal, PositionSignal::Bias);
        let loading = !matches!(signal, PositionSignal::Sinusoids(_)) && is_deferred();
        let pos = state.pos() as i64;
        let rotation = waves.as_ref().map(|waves| Rotation::new(waves, state.k()));
        let pair = rotation.as_ref().and_then(|rotation| {
            let index = state.pair();
            (index < rotation.encoding().pairs()).then(|| Pair::compute(rotation, index, pos))
        });
        let residual = rotation.map_or(0.0, |rotation| rotation.residual(pos..pos + 1));
        let bias = (has_bias && !loading)
            .then(|| head(state, HEAD).bias(pos + state.k(), pos))
            .flatten();
        Model {
            ordered,
            state: state.clone(),
            lang,
            tokens,
            signal,
            layout: config.layout,
            table: table.ok(),
            loading,
            bias,
            transient,
            pair,
            residual,
            waves,
        }
    }

    /// The same model with the pair under the pointer selected; `None` if there is no such pair or it is selected
    /// already.
    pub fn pointed(&self) -> Option<Model> {
        let pair = self.pointed_pair()?;
        let mut state = self.state.clone();
        state
            .values_mut()
            .set_whole(SettingId::Pair.name(), pair as i64);
        let model = Model::compute(&state, self.lang, self.transient, Some(self));
        Some(model)
    }

    /// The pair under the pointer, unless it is the selected one.
    pub fn pointed_pair(&self) -> Option<usize> {
        let pair = self.transient.pair?;
        (pair != self.state.pair() && pair < self.pairs()).then_some(pair)
    }

    /// Whether a table of this configuration has the same columns as the model's.
    fn same_columns(&self, size: &TableConfig) -> bool {
        (self.state.d_model(), self.state.base(), self.layout)
            == (size.d_model, size.base, size.layout)
    }

    /// Whether this view applies to the encoding.
    pub fn shows(&self, view: ViewName) -> bool {
        match view {
            ViewName::Heatmap | ViewName::Waves => {
                self.has_table() || matches!(self.signal, PositionSignal::Rotation(_))
            }
            ViewName::Rotation => self.waves.is_some() || self.has_table(),
            ViewName::Clocks => self.waves.is_some(),
            _ => true,
        }
    }

    /// Whether a view that does not apply to the encoding shows its biases instead.
    pub fn shows_biases(&self, view: ViewName) -> bool {
        let has_room = matches!(
            view,
            ViewName::Heatmap | ViewName::Waves | ViewName::Rotation
        );
        has_room && matches!(self.signal, PositionSignal::Bias) && !self.loading
    }

    /// One of the encoding's [`HEADS`] heads, whose biases are shown; only if they are loaded.
    pub fn bias_head(&self, index: usize) -> Box<dyn AttentionHead> {
        head(&self.state, index)
    }

    /// Whether there is a table with a number for each position and dimension.
    pub fn has_table(&self) -> bool {
        self.table.is_some()
    }

    /// Limits of the colour scale and of the axes of waves.
    pub fn value_range(&self) -> ValueRange {
        self.table
            .as_ref()
            .map_or_else(ValueRange::default, |table| table.value_range())
    }

    /// The value of a cell; `None` if the table does not have it.
    pub fn cell(&self, position: i64, dimension: usize) -> Option<f64> {
        self.table.as_ref()?.value(position, dimension)
    }

    /// Values of a pair at a position, of a rotation its sine and cosine; fractional positions only for waves.
    pub fn pair_at(&self, pair: usize, position: f64) -> [Option<f64>; 2] {
        if let Some(waves) = &self.waves {
            let (sine, cosine) = waves.sin_cos_at(pair, position);
            return [Some(sine), Some(cosine)];
        }
        [Member::Sine, Member::Cosine].map(|member| {
            let dimension = self.member_dimension(pair, member)?;
            self.cell(position.round() as i64, dimension)
        })
    }

    /// The selected pair and its block of M_k; `None` if the pair does not rotate.
    pub fn rotated_pair(&self) -> Option<(&Pair, &Block)> {
        let pair = self.pair.as_ref()?;
        let block = pair.block.as_ref()?;
        self.shows(ViewName::Rotation).then_some((pair, block))
    }

    /// pos + k: the formula has a value there even where the table has no row.
    pub fn target(&self) -> i64 {
        self.state.pos() as i64 + self.state.k()
    }

    /// Whether pos can be set to pos + k: the pair rotates, k is not 0, and the table has that row.
    pub fn can_apply_shift(&self) -> bool {
        self.state.k() != 0 && self.target_row().is_some() && self.rotated_pair().is_some()
    }

    /// pos + k if the table has that row.
    pub fn target_row(&self) -> Option<usize> {
        usize::try_from(self.target())
            .ok()
            .filter(|&row| row < self.state.max_len())
    }

    /// The dimension of the selected cell.
    pub fn dimension(&self) -> usize {
        self.dimension_of(self.state.pair(), self.state.member())
    }

    /// The dimension of a pair's member, of its sine if it has no cosine; the last dimension for the zero column.
    pub fn dimension_of(&self, pair: usize, member: Member) -> usize {
        self.member_dimension(pair, member)
            .or_else(|| self.member_dimension(pair, Member::Sine))
            .unwrap_or(self.state.d_model() - 1)
    }

    /// Value of the selected cell, if there is one.
    pub fn value(&self) -> Option<f64> {
        self.cell(self.state.pos() as i64, self.dimension())
    }

    /// The dimension of a pair's member; `None` for the cosine that an odd d_model lacks and for a pair that does not
    /// exist.
    pub fn member_dimension(&self, pair: usize, member: Member) -> Option<usize> {
        self.layout.dimension(self.state.d_model(), pair, member)
    }

    /// The content of a dimension: a member of a pair, or zeros.
    pub fn column(&self, dimension: usize) -> Column {
        self.layout.column(self.state.d_model(), dimension)
    }

    /// Number of pairs, including one without a cosine.
    pub fn pairs(&self) -> usize {
        self.layout.pairs(self.state.d_model())
    }

    /// Whether the encoding has learned numbers, which are simulated here.
    pub fn is_simulated(&self) -> bool {
        self.state.encoding().info().is_simulated()
    }

    /// Whether the table is that of a certain trained model, with no formula behind it.
    pub fn is_pretrained(&self) -> bool {
        self.state.encoding().info().shape.is_some()
    }

    /// The pair and member behind a dimension; the zero column belongs to the pair after the last.
    pub fn pair_of(&self, dimension: usize) -> (usize, Member) {
        match self.column(dimension) {
            Column::Wave { pair, member } => (pair, member),
            Column::Zero => (self.pairs(), Member::Sine),
        }
    }

    /// Complete pairs (sine and cosine); a sine alone is left out of M_k and of the residual.
    pub fn complete_pairs(&self) -> usize {
        self.state.d_model() / 2
    }

    /// Number of pairs that complete a cycle within the table.
    pub fn complete_cycles(&self) -> usize {
        let len = self.state.max_len() as f64;
        let waves = self.waves.iter();
        waves
            .flat_map(|waves| (0..waves.pairs()).map(|pair| waves.wavelength(pair)))
            .filter(|&wavelength| wavelength <= len)
            .count()
    }
}

/// One of [`HEADS`] heads of the encoding. Learned numbers are simulated, for the first head with the seed of the simulated
/// table.
fn head(state: &State, head: usize) -> Box<dyn AttentionHead> {
    let size = HeadConfig {
        max_len: state.max_len(),
        width: 1,
        heads: HEADS,
        head,
        base: state.base(),
        causal: false,
    };
    let mut normals = Normals::seeded(SimulatedTable::SEED + head as u64);
    let mut normal = || normals.next().unwrap_or_default();
    state.encoding().head(&size, &mut normal)
}

impl Pair {
    fn compute(rotation: &Rotation, index: usize, pos: i64) -> Pair {
        let (pe, k) = (rotation.encoding(), rotation.k());
        let vector = |position| {
            let (sine, cosine) = pe.sin_cos(index, position);
            [sine, cosine]
        };
        let (at_pos, at_target) = (vector(pos), vector(pos + k));
        let frequency = pe.frequency(index);
        Pair {
            index,
            frequency,
            wavelength: pe.wavelength(index),
            angle: pos as f64 * frequency,
            rotation_angle: k as f64 * frequency,
            at_pos,
            at_target,
            block: rotation
                .block(index)
                .map(|matrix| Block::compute(matrix, at_pos, at_target)),
        }
    }
}

impl Block {
    fn compute(matrix: [[f64; 2]; 2], at_pos: [f64; 2], at_target: [f64; 2]) -> Block {
        let product = matrix.map(|row| row[0] * at_pos[0] + row[1] * at_pos[1]);
        let apart = |i: usize| (product[i] - at_target[i]).abs();
        Block {
            matrix,
            product,
            residual: apart(0).max(apart(1)),
        }
    }
}

#[cfg(test)]
impl Model {
    /// The model of a link's settings, such as `k=5&pos=3`.
    pub(crate) fn linked(settings: &str) -> Model {
        let link = crate::field::read_link("", settings);
        assert_eq!(link.problems, [], "{settings}");
        Model::without_transients(&link.state, Lang::En)
    }
}

#[cfg(test)]
mod tests;
