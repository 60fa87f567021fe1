//! Typed access to the settings of the bench.

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
        if !(self.has("colour") && self.has("layout")) {
            return None;
        }
        let colour = self.choice("colour");
        let stored = colour == "value" && self.choice("layout") == Layout::Interleaved.name();
        let phase = colour == "phase";
        Some([!stored && !phase, phase])
    }
}

/// The values of some settings.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingValues(Vec<Value>);

/// Unreachable: every value has the kind of its declaration.
#[cold]
fn other_kind() -> ! {
    unreachable!("a setting of another kind")
}

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
        SettingValues(kept.map(|&key| self.at(key).clone()).collect())
    }

    fn whole(&self, key: SettingId) -> i64 {
        match self.at(key) {
            Value::Integer(value) => *value,
            _ => other_kind(),
        }
    }

    fn choice(&self, key: SettingId) -> usize {
        match self.at(key) {
            Value::Choice(index) => *index,
            _ => other_kind(),
        }
    }

    fn optional_choice(&self, key: SettingId) -> Option<usize> {
        match self.at(key) {
            Value::OptionalChoice(index) => *index,
            _ => other_kind(),
        }
    }

    fn span(&self, key: SettingId) -> Option<Span> {
        match self.at(key) {
            Value::Span(span) => *span,
            _ => other_kind(),
        }
    }

    fn names(&self, key: SettingId) -> &Names {
        match self.at(key) {
            Value::Names(names) => names,
            _ => other_kind(),
        }
    }

    fn replace(&mut self, key: SettingId, value: Value) {
        self.values.replace(key as usize, value);
    }

    pub fn view(&self) -> ViewName {
        ViewName::ALL[self.choice(SettingId::View)]
    }

    pub fn encoding(&self) -> Encoding {
        Encoding::WITH_SIGNAL[self.choice(SettingId::Encoding)]
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
        self.whole(SettingId::DModel) as usize
    }

    pub fn max_len(&self) -> usize {
        self.whole(SettingId::MaxLen) as usize
    }

    pub fn k(&self) -> i64 {
        self.whole(SettingId::K)
    }

    pub fn pos(&self) -> usize {
        self.whole(SettingId::Pos) as usize
    }

    pub fn pair(&self) -> usize {
        self.whole(SettingId::Pair) as usize
    }

    /// ⌈d_model/2⌉ − 1.
    pub fn last_pair(&self) -> usize {
        self.d_model().div_ceil(2) - 1
    }

    pub fn member(&self) -> Member {
        match self.choice(SettingId::Member) {
            0 => Member::Sine,
            _ => Member::Cosine,
        }
    }

    pub fn base(&self) -> f64 {
        match self.at(SettingId::Base) {
            Value::Real(value) => *value,
            _ => other_kind(),
        }
    }

    pub fn layout(&self) -> Layout {
        Layout::ALL[self.choice(SettingId::Layout)]
    }

    /// Whether the heatmap shows all sines before all cosines, whatever the layout.
    pub fn shows_halves(&self) -> bool {
        self.matters(SettingId::Colour) && self.choice(SettingId::Colour) == 1
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
        is_rotation || self.matters(SettingId::Colour) && self.choice(SettingId::Colour) == 2
    }

    /// The text that gives each position a token; empty if it is the example.
    pub fn own_text(&self) -> &str {
        match self.at(SettingId::Text) {
            Value::Text(text) => text.trim(),
            _ => other_kind(),
        }
    }

    pub fn compare(&self) -> &[usize] {
        match self.at(SettingId::Compare) {
            Value::Indices(pairs) => pairs,
            _ => other_kind(),
        }
    }

    /// The positions shown: the zoomed part, or all.
    pub fn positions(&self) -> Span {
        let all = Span::whole(self.max_len());
        self.span(SettingId::Positions).unwrap_or(all)
    }

    /// The dimensions shown: the zoomed part, or all.
    pub fn dimensions(&self) -> Span {
        let all = Span::whole(self.d_model());
        self.span(SettingId::Dimensions).unwrap_or(all)
    }

    pub fn is_zoomed(&self) -> bool {
        self.span(SettingId::Positions).is_some() || self.span(SettingId::Dimensions).is_some()
    }

    /// `None` if the browser's language applies.
    pub fn lang(&self) -> Option<Lang> {
        let index = self.optional_choice(SettingId::Lang);
        index.map(|index| [Lang::En, Lang::Zh][index])
    }

    /// `None` if the system's light or dark theme applies.
    pub fn theme(&self) -> Option<ThemeName> {
        let index = self.optional_choice(SettingId::Theme);
        index.map(|index| ThemeName::ALL[index])
    }

    pub fn hide(&self) -> &Names {
        self.names(SettingId::Hide)
    }

    pub fn lock(&self) -> &Names {
        self.names(SettingId::Lock)
    }

    /// Selects the valid position nearest to `pos`.
    pub fn set_pos(&mut self, pos: i64) {
        self.replace(SettingId::Pos, Value::Integer(pos));
    }

    /// Sets the valid offset nearest to `k`.
    pub fn set_k(&mut self, k: i64) {
        self.replace(SettingId::K, Value::Integer(k));
    }

    pub fn set_window(&mut self, positions: Span, dimensions: Span) {
        self.replace(SettingId::Positions, Value::Span(Some(positions)));
        self.replace(SettingId::Dimensions, Value::Span(Some(dimensions)));
    }

    pub fn show_everything(&mut self) {
        self.replace(SettingId::Positions, Value::Span(None));
        self.replace(SettingId::Dimensions, Value::Span(None));
    }

    /// Moves a zoomed window just far enough to show the cell at the selected position and this dimension.
    pub fn reveal(&mut self, dimension: usize) {
        let axes = [
            (SettingId::Positions, self.pos(), self.max_len()),
            (SettingId::Dimensions, dimension, self.d_model()),
        ];
        for (key, cell, cells) in axes {
            let shown = self.span(key).map(|span| span.showing(cell, cells));
            self.replace(key, Value::Span(shown));
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
        self.replace(SettingId::Compare, Value::Indices(pairs));
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
