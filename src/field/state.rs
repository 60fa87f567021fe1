//! Typed access to the settings of the bench.

use crate::field::settings::*;
use crate::field::value::Value;
use crate::field::{
    Diagnostic, MAX_COMPARED, Names, SETTINGS, SettingId, Span, ThemeName, Values, ViewName,
};
use crate::text::Lang;
use posenc_encoding::{Encoding, Layout, Member, PositionSignal, TableConfig};

/// Values of [`SETTINGS`], which are always valid.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    pub(super) values: Values,
}

impl Default for State {
    fn default() -> State {
        State {
            values: Values::new(SETTINGS),
        }
    }
}

impl From<&Values> for State {
    /// The state with the values of those fields of a figure that have the name of a setting.
    fn from(values: &Values) -> State {
        let mut state = State::default();
        state.values.set_all(&values.for_bench());
        state
    }
}

impl Values {
    /// Names and values of the fields that have the name of a setting of the bench.
    pub fn for_bench(&self) -> Vec<(&'static str, String)> {
        self.fields()
            .iter()
            .filter(|field| SettingId::named(field.name).is_some())
            .map(|field| (field.name, self.text(field.name)))
            .collect()
    }
}

impl Values {
    /// How the columns of a heatmap stand: whether all sines come before all cosines, and whether a column is a pair;
    /// `None` for values without a heatmap.
    pub fn columns(&self) -> Option<[bool; 2]> {
        if !(self.has(COLOUR.name()) && self.has(LAYOUT.name())) {
            return None;
        }
        let interleaved = self.get(LAYOUT) == Layout::Interleaved;
        Some(match self.get(COLOUR) {
            Columns::AsStored if interleaved => [false, false],
            Columns::AsStored | Columns::SinesFirst => [true, false],
            Columns::Phase => [false, true],
        })
    }
}

/// The values of some settings.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingValues(Vec<(SettingId, Value)>);

impl State {
    /// The untyped values.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// The untyped values, which can be set by name.
    pub fn values_mut(&mut self) -> &mut Values {
        &mut self.values
    }

    pub(super) fn at(&self, key: SettingId) -> &Value {
        self.values.at(key as usize)
    }

    /// The values of all settings but some, for comparison.
    pub fn settings_without(&self, left_out: impl Fn(SettingId) -> bool) -> SettingValues {
        let kept = SettingId::ALL.iter().filter(|&&key| !left_out(key));
        SettingValues(kept.map(|&key| (key, self.at(key).clone())).collect())
    }

    /// Whether the settings in a list have the values in it.
    pub fn matches(&self, SettingValues(values): &SettingValues) -> bool {
        values.iter().all(|(key, value)| self.at(*key) == value)
    }

    pub fn view(&self) -> ViewName {
        self.values.get(VIEW)
    }

    pub fn encoding(&self) -> Encoding {
        self.values.get(ENCODING)
    }

    /// The part of the encoding that the bench shows: what depends on positions alone.
    pub fn signal(&self) -> PositionSignal {
        let signal = self.encoding().info().signal;
        // The bench offers only encodings with a signal.
        signal.unwrap_or(PositionSignal::Bias)
    }

    /// Whether anything that is shown depends on this setting.
    pub fn matters(&self, key: SettingId) -> bool {
        match key {
            SettingId::Positions
            | SettingId::Dimensions
            | SettingId::Compare
            | SettingId::DModel
            | SettingId::Pair
            | SettingId::Layout
            | SettingId::Member => self.signal().has_pairs(),
            SettingId::Colour => matches!(self.signal(), PositionSignal::Sinusoids(_)),
            SettingId::Base => self.encoding().info().uses_base,
            _ => true,
        }
    }

    /// Whether the encoding's table has a fixed size that determines this setting.
    pub fn fixes(&self, key: SettingId) -> bool {
        let is_size = matches!(key, SettingId::DModel | SettingId::MaxLen);
        is_size && self.encoding().info().shape.is_some()
    }

    /// The configuration of the encoding's table or rotation.
    pub fn table_config(&self) -> TableConfig {
        self.encoding().info().config(&TableConfig {
            max_len: self.max_len(),
            d_model: self.d_model(),
            base: self.base(),
            layout: self.layout(),
        })
    }

    pub fn d_model(&self) -> usize {
        self.values.count(D_MODEL)
    }

    pub fn max_len(&self) -> usize {
        self.values.count(MAX_LEN)
    }

    pub fn k(&self) -> i64 {
        self.values.get(K)
    }

    pub fn pos(&self) -> usize {
        self.values.count(POS)
    }

    pub fn pair(&self) -> usize {
        self.values.count(PAIR)
    }

    /// ⌈d_model/2⌉ − 1.
    pub fn last_pair(&self) -> usize {
        self.d_model().div_ceil(2) - 1
    }

    pub fn member(&self) -> Member {
        self.values.get(MEMBER)
    }

    pub fn base(&self) -> f64 {
        self.values.get(BASE)
    }

    pub fn layout(&self) -> Layout {
        self.values.get(LAYOUT)
    }

    /// Whether the heatmap shows all sines before all cosines, whatever the layout.
    pub fn shows_halves(&self) -> bool {
        self.matters(SettingId::Colour) && self.values.get(COLOUR) == Columns::SinesFirst
    }

    /// The order of the heatmap's columns, unless these are pairs.
    pub fn column_order(&self) -> Layout {
        match self.table_config().layout {
            Layout::Interleaved if self.shows_halves() => Layout::Concatenated,
            stored => stored,
        }
    }

    /// Whether the heatmap shows the angles of the pairs: those of rotations, which have no table, and otherwise on demand.
    pub fn shows_phase(&self) -> bool {
        let is_rotation = matches!(self.signal(), PositionSignal::Rotation(_));
        is_rotation || self.matters(SettingId::Colour) && self.values.get(COLOUR) == Columns::Phase
    }

    /// The text that gives each position a token; empty if it is the example.
    pub fn own_text(&self) -> &str {
        self.values.get(TEXT).trim()
    }

    pub fn compare(&self) -> &[usize] {
        self.values.get(COMPARE)
    }

    /// The positions shown: the zoomed part, or all.
    pub fn positions(&self) -> Span {
        let all = Span::whole(self.max_len());
        self.values.get(POSITIONS).unwrap_or(all)
    }

    /// The dimensions shown: the zoomed part, or all.
    pub fn dimensions(&self) -> Span {
        let all = Span::whole(self.d_model());
        self.values.get(DIMENSIONS).unwrap_or(all)
    }

    pub fn is_zoomed(&self) -> bool {
        [POSITIONS, DIMENSIONS].map(|axis| self.values.get(axis)) != [None, None]
    }

    /// `None` if the browser's language applies.
    pub fn lang(&self) -> Option<Lang> {
        self.values.get(LANG)
    }

    /// `None` if the system's light or dark theme applies.
    pub fn theme(&self) -> Option<ThemeName> {
        self.values.get(THEME)
    }

    pub fn hide(&self) -> &Names {
        self.values.get(HIDE)
    }

    pub fn lock(&self) -> &Names {
        self.values.get(LOCK)
    }

    /// Selects the valid position nearest to `pos`.
    pub fn set_pos(&mut self, pos: i64) {
        self.values.set_to(POS, pos);
    }

    /// Sets the valid offset nearest to `k`.
    pub fn set_k(&mut self, k: i64) {
        self.values.set_to(K, k);
    }

    pub fn set_window(&mut self, positions: Span, dimensions: Span) {
        self.values.set_to(POSITIONS, Some(positions));
        self.values.set_to(DIMENSIONS, Some(dimensions));
    }

    pub fn show_everything(&mut self) {
        self.values.set_to(POSITIONS, None);
        self.values.set_to(DIMENSIONS, None);
    }

    /// Moves a zoomed window just far enough to show the cell at the selected position and this dimension.
    pub fn reveal(&mut self, dimension: usize) {
        let axes = [
            (POSITIONS, self.pos(), self.max_len()),
            (DIMENSIONS, dimension, self.d_model()),
        ];
        for (key, cell, cells) in axes {
            let shown = self.values.get(key).map(|span| span.showing(cell, cells));
            self.values.set_to(key, shown);
        }
    }

    /// Removes a pair from the compared ones if it is there, or adds it if there is room.
    pub fn toggle_compared(&mut self, pair: usize) {
        let mut pairs = self.compare().to_vec();
        if let Some(index) = pairs.iter().position(|&p| p == pair) {
            pairs.remove(index);
        } else if pairs.len() < MAX_COMPARED {
            pairs.push(pair);
        }
        self.values.set_to(COMPARE, &pairs);
    }

    /// The value of a setting as written in URLs; empty if nothing is set.
    pub fn text(&self, key: SettingId) -> String {
        self.values.text_at(key as usize)
    }

    /// Sets a setting from text. The state is valid for any text: if it is invalid, the nearest valid value (or the
    /// default, if none is near) is used and the problem is returned.
    pub fn apply(&mut self, key: SettingId, text: &str) -> Option<Diagnostic> {
        self.values.set_at(key as usize, text)
    }
}

#[cfg(test)]
impl State {
    /// The state with these settings, all of them valid.
    pub fn with(settings: &[(SettingId, &str)]) -> State {
        let mut state = State::default();
        for (key, text) in settings {
            assert_eq!(state.apply(*key, text), None, "{} = {text}", key.name());
        }
        state
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::DiagnosticKind;

    #[test]
    fn dependent_settings_follow() {
        let mut state = State::with(&[
            (SettingId::Pos, "63"),
            (SettingId::Pair, "63"),
            (SettingId::Compare, "0,60"),
        ]);
        state.apply(SettingId::MaxLen, "5");
        state.apply(SettingId::DModel, "8");
        assert_eq!((state.pos(), state.pair()), (4, 3));
        assert_eq!(state.compare(), [0]);
    }

    #[test]
    fn a_base_of_one_has_no_nearest_legal_value() {
        let mut state = State::default();
        let problem = state.apply(SettingId::Base, "1").expect("1 is not above 1");
        assert_eq!(
            (problem.kind, problem.fallback.as_str()),
            (DiagnosticKind::OutOfRange, "10000")
        );
    }

    #[test]
    fn a_window_over_everything_is_no_window() {
        let mut state = State::with(&[(SettingId::Positions, "0-64")]);
        assert!(!state.is_zoomed());
        state.apply(SettingId::Positions, "10-20.5");
        assert_eq!(state.text(SettingId::Positions), "10-20.5");
        state.apply(SettingId::MaxLen, "10");
        assert!(!state.is_zoomed());
    }

    #[test]
    fn there_is_room_for_four_compared_pairs() {
        let mut state = State::default();
        for pair in [1, 2, 3, 5, 6] {
            state.toggle_compared(pair);
        }
        assert_eq!(state.compare(), [1, 2, 3, 5]);
        state.toggle_compared(3);
        assert_eq!(state.compare(), [1, 2, 5]);
    }
}
