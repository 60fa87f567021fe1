//! The one state value. Its fields are private: every way in clamps, so whatever holds a
//! [`State`] holds a legal one.

use crate::field::names::{self, Names};
use crate::field::parse::{self, Fault, Problem};
use crate::field::schema::Kind;
use crate::field::{ENCODINGS, Key, SETTINGS, Span, ViewName, nearest};
use crate::math::Clamp;
use crate::text::Lang;
use posenc_encoding::{Encoding, Layout, MAX_LEN, Member, PositionSignal, TableConfig};

/// Largest offset either way.
pub const MAX_OFFSET: i64 = MAX_LEN as i64;
/// How many pairs can be drawn beside the selected one.
pub const MAX_COMPARED: usize = 4;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThemeName {
    #[default]
    Light,
    Dark,
    Projector,
}

#[derive(Clone, Debug, PartialEq)]
pub struct State {
    view: ViewName,
    encoding: Encoding,
    d_model: usize,
    max_len: usize,
    k: i64,
    pos: usize,
    pair: usize,
    member: Member,
    base: f64,
    layout: Layout,
    compare: Vec<usize>,
    positions: Option<Span>,
    dimensions: Option<Span>,
    lang: Option<Lang>,
    theme: Option<ThemeName>,
    hide: Names,
    lock: Names,
}

impl Default for State {
    fn default() -> State {
        State {
            view: ViewName::Bench,
            encoding: Encoding::Sinusoidal,
            d_model: 128,
            max_len: 64,
            k: 3,
            pos: 10,
            pair: 4,
            member: Member::Sine,
            base: 10_000.0,
            layout: Layout::Interleaved,
            compare: Vec::new(),
            positions: None,
            dimensions: None,
            lang: None,
            theme: None,
            hide: Names::default(),
            lock: Names::default(),
        }
    }
}

impl State {
    pub fn view(&self) -> ViewName {
        self.view
    }

    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// What the bench has to show of the encoding.
    pub fn signal(&self) -> PositionSignal {
        let signal = self.encoding.info().signal;
        // An encoding that is not offered on the bench has no numbers there.
        signal.unwrap_or(PositionSignal::Bias)
    }

    /// Whether anything that is shown depends on this setting.
    pub fn matters(&self, key: Key) -> bool {
        match key {
            Key::Positions | Key::Dimensions | Key::Compare => self.signal().has_table(),
            Key::DModel | Key::Pair | Key::Layout | Key::Member => self.signal().has_pairs(),
            Key::Base => self.encoding.info().uses_base,
            _ => true,
        }
    }

    /// What the encoding's table, or its rotation, is made for.
    pub fn table_config(&self) -> TableConfig {
        self.encoding.info().config(&TableConfig {
            max_len: self.max_len,
            d_model: self.d_model,
            base: self.base,
            layout: self.layout,
        })
    }

    pub fn d_model(&self) -> usize {
        self.d_model
    }

    pub fn max_len(&self) -> usize {
        self.max_len
    }

    pub fn k(&self) -> i64 {
        self.k
    }

    pub fn pos(&self) -> usize {
        self.pos
    }

    pub fn pair(&self) -> usize {
        self.pair
    }

    /// ⌈d_model/2⌉ − 1.
    pub fn last_pair(&self) -> usize {
        self.d_model.div_ceil(2) - 1
    }

    pub fn member(&self) -> Member {
        self.member
    }

    pub fn base(&self) -> f64 {
        self.base
    }

    pub fn layout(&self) -> Layout {
        self.layout
    }

    pub fn compare(&self) -> &[usize] {
        &self.compare
    }

    /// The positions shown: the zoomed part, or all.
    pub fn positions(&self) -> Span {
        self.positions.unwrap_or(Span::whole(self.max_len))
    }

    /// The dimensions shown: the zoomed part, or all.
    pub fn dimensions(&self) -> Span {
        self.dimensions.unwrap_or(Span::whole(self.d_model))
    }

    pub fn is_zoomed(&self) -> bool {
        self.positions.is_some() || self.dimensions.is_some()
    }

    /// `None` where the browser's language applies.
    pub fn lang(&self) -> Option<Lang> {
        self.lang
    }

    /// `None` where the system's light or dark applies.
    pub fn theme(&self) -> Option<ThemeName> {
        self.theme
    }

    pub fn hide(&self) -> &Names {
        &self.hide
    }

    pub fn lock(&self) -> &Names {
        &self.lock
    }

    /// Nobody changes this setting by hand.
    pub fn locks(&self, key: Key) -> bool {
        match key {
            Key::Hide | Key::Lock => false,
            Key::Positions | Key::Dimensions if self.lock.contain("zoom") => true,
            _ => self.lock.contain(key.name()),
        }
    }

    /// The control, or the group of buttons, of this name cannot be used.
    pub fn locks_control(&self, name: &str) -> bool {
        let window = self.locks(Key::Positions) && self.locks(Key::Dimensions);
        match name {
            // They change nothing here.
            "link" | "share" | "save" | "present" | "lesson" => false,
            "play" if self.locks(Key::Pos) => true,
            "zoom" if window => true,
            _ => self.lock.contain(name),
        }
    }

    /// After a hand: what is locked is as it was `before`. What would not leave it so has not happened.
    pub fn hold(&mut self, before: &State) {
        let locked = || SETTINGS.iter().map(|s| s.key).filter(|&k| before.locks(k));
        let held = |state: &State| locked().all(|key| state.text(key) == before.text(key));
        if held(self) {
            return;
        }
        for key in locked() {
            self.apply(key, &before.text(key));
        }
        if !held(self) {
            *self = before.clone();
        }
    }

    /// Forgets hidden and locked names that neither the bench nor `owns` has, and says which list had such.
    pub fn keep_names(&mut self, owns: impl Fn(&str) -> bool) -> Vec<Problem> {
        let mut problems = Vec::new();
        for key in [Key::Hide, Key::Lock] {
            let given = self.text(key);
            let names = match key {
                Key::Hide => &mut self.hide,
                _ => &mut self.lock,
            };
            if names.keep(|name| names::is_of_bench(name) || owns(name)) {
                let used = self.text(key);
                problems.push(Problem::new(key.name(), Fault::NotAChoice, &given, used));
            }
        }
        problems
    }

    /// Selects the position nearest to `pos`.
    pub fn set_pos(&mut self, pos: i64) {
        self.pos = pos.clamped(0, self.max_len as i64 - 1) as usize;
    }

    /// Takes the offset nearest to `k`.
    pub fn set_k(&mut self, k: i64) {
        self.k = k.clamp(-MAX_OFFSET, MAX_OFFSET);
    }

    /// Selects the pair nearest to `pair`.
    pub fn set_pair(&mut self, pair: i64) {
        self.pair = pair.clamped(0, self.last_pair() as i64) as usize;
    }

    pub fn set_member(&mut self, member: Member) {
        self.member = member;
    }

    pub fn set_window(&mut self, positions: Span, dimensions: Span) {
        self.positions = Some(positions);
        self.dimensions = Some(dimensions);
        self.settle();
    }

    pub fn show_everything(&mut self) {
        self.positions = None;
        self.dimensions = None;
    }

    /// Moves a zoomed window just far enough to show the selected cell.
    pub fn reveal(&mut self, dimension: usize) {
        self.positions = self.positions.map(|s| s.showing(self.pos, self.max_len));
        self.dimensions = self.dimensions.map(|s| s.showing(dimension, self.d_model));
    }

    /// Adds a pair to the waves if there is room, or takes it away if it is there.
    pub fn toggle_compared(&mut self, pair: usize) {
        if let Some(index) = self.compare.iter().position(|&p| p == pair) {
            self.compare.remove(index);
        } else if self.compare.len() < MAX_COMPARED {
            self.compare.push(pair);
        }
        self.settle();
    }

    /// The value of a setting as the URL writes it; empty where nothing is set.
    pub fn text(&self, key: Key) -> String {
        let span = |span: Option<Span>| {
            span.map_or(String::new(), |s| format!("{}-{}", s.start(), s.end()))
        };
        match key {
            Key::View => self.view.name().into(),
            Key::Encoding => self.encoding.name().into(),
            Key::DModel => self.d_model.to_string(),
            Key::MaxLen => self.max_len.to_string(),
            Key::K => self.k.to_string(),
            Key::Pos => self.pos.to_string(),
            Key::Pair => self.pair.to_string(),
            Key::Member => member_name(self.member).into(),
            Key::Base => self.base.to_string(),
            Key::Layout => layout_name(self.layout).into(),
            Key::Compare => join(&self.compare),
            Key::Positions => span(self.positions),
            Key::Dimensions => span(self.dimensions),
            Key::Lang => self.lang.map_or("", Lang::tag).into(),
            Key::Theme => self.theme.map_or("", ThemeName::name).into(),
            Key::Hide => self.hide.text(),
            Key::Lock => self.lock.text(),
        }
    }

    /// Reads a setting from text. Whatever the text, the state stays legal; where the text is
    /// bad, the nearest legal value (or the default, where nothing is near) is used and the
    /// problem is returned.
    pub fn apply(&mut self, key: Key, text: &str) -> Option<Problem> {
        let default = State::default();
        let trimmed = text.trim();
        let limits = whole_limits(key, self);
        let fault = match key {
            Key::View => {
                let found = ViewName::named(&trimmed.to_ascii_lowercase());
                let near = found.or_else(|| ViewName::nearest(trimmed, |_| true));
                self.view = near.unwrap_or_default();
                found.is_none().then_some(Fault::NotAChoice)
            }
            Key::Encoding => {
                let offered = |name: &str| {
                    let named = Encoding::named(name);
                    named.filter(|encoding| encoding.info().signal.is_some())
                };
                let found = offered(&trimmed.to_ascii_lowercase());
                let names = ENCODINGS.iter().map(|(name, _)| *name);
                let near = found.or_else(|| nearest(trimmed, names).and_then(offered));
                self.encoding = near.unwrap_or(default.encoding);
                found.is_none().then_some(Fault::NotAChoice)
            }
            Key::DModel => size(&mut self.d_model, trimmed, limits, default.d_model),
            Key::MaxLen => size(&mut self.max_len, trimmed, limits, default.max_len),
            Key::K => {
                let (value, fault) = parse::whole(trimmed, limits.0, limits.1);
                self.k = value.unwrap_or(default.k);
                fault
            }
            Key::Pos => size(&mut self.pos, trimmed, limits, default.pos),
            Key::Pair => size(&mut self.pair, trimmed, limits, default.pair),
            Key::Member => pick(&mut self.member, trimmed, &MEMBERS),
            Key::Base => {
                let (low, high) = base_limits();
                let (value, fault) = match parse::number(trimmed) {
                    None => (default.base, Some(Fault::NotANumber)),
                    Some(value) if value > high => (high, Some(Fault::OutOfRange)),
                    // The limit itself is not legal and nothing is nearest to it.
                    Some(value) if value <= low => (default.base, Some(Fault::OutOfRange)),
                    Some(value) => (value, None),
                };
                self.base = value;
                fault
            }
            Key::Layout => pick(&mut self.layout, trimmed, &LAYOUTS),
            Key::Compare => self.apply_compare(trimmed),
            Key::Positions => apply_span(&mut self.positions, trimmed, self.max_len),
            Key::Dimensions => apply_span(&mut self.dimensions, trimmed, self.d_model),
            Key::Lang => optional(&mut self.lang, trimmed, &LANGS),
            Key::Theme => optional(&mut self.theme, trimmed, &THEMES),
            Key::Hide => apply_names(&mut self.hide, trimmed, self.view),
            Key::Lock => apply_names(&mut self.lock, trimmed, self.view),
        };
        self.settle();
        let problem = fault.map(|fault| Problem::new(key.name(), fault, text, self.text(key)));
        match key {
            Key::Hide | Key::Lock if self.view.is_of_bench() => {
                problem.map(|problem| problem.meaning(names::meant(trimmed)))
            }
            _ => problem,
        }
    }

    fn apply_compare(&mut self, text: &str) -> Option<Fault> {
        self.compare.clear();
        let mut worst = None;
        for part in text.split(',').filter(|part| !part.trim().is_empty()) {
            let (pair, fault) = parse::whole(part, 0, self.last_pair() as i64);
            worst = worst.or(fault);
            if let (Some(pair), None) = (pair, fault)
                && !self.compare.contains(&(pair as usize))
            {
                if self.compare.len() == MAX_COMPARED {
                    return Some(Fault::OutOfRange);
                }
                self.compare.push(pair as usize);
            }
        }
        worst
    }

    /// Makes the settings that depend on others legal again after those have changed.
    fn settle(&mut self) {
        self.pos = self.pos.min(self.max_len - 1);
        let last = self.last_pair();
        self.pair = self.pair.min(last);
        self.compare.retain(|&pair| pair <= last);
        let fit = |span: Span, cells: usize| {
            Span::fitted(span.start(), span.end(), cells)
                .filter(|&fitted| fitted != Span::whole(cells))
        };
        self.positions = self.positions.and_then(|s| fit(s, self.max_len));
        self.dimensions = self.dimensions.and_then(|s| fit(s, self.d_model));
        if self.view.is_of_bench() {
            for names in [&mut self.hide, &mut self.lock] {
                names.keep(names::is_of_bench);
            }
        }
    }
}

const MEMBERS: [(&str, Member); 2] = [("sine", Member::Sine), ("cosine", Member::Cosine)];
const LAYOUTS: [(&str, Layout); 3] = [
    ("interleaved", Layout::Interleaved),
    ("concatenated", Layout::Concatenated),
    ("tensor2tensor", Layout::Tensor2tensor),
];
const LANGS: [(&str, Lang); 2] = [("en", Lang::En), ("zh", Lang::Zh)];
const THEMES: [(&str, ThemeName); 3] = [
    ("light", ThemeName::Light),
    ("dark", ThemeName::Dark),
    ("projector", ThemeName::Projector),
];

fn name_of<T: PartialEq>(names: &[(&'static str, T)], value: T) -> &'static str {
    names
        .iter()
        .find(|(_, v)| *v == value)
        .map_or("", |(name, _)| name)
}

fn member_name(member: Member) -> &'static str {
    name_of(&MEMBERS, member)
}

fn layout_name(layout: Layout) -> &'static str {
    name_of(&LAYOUTS, layout)
}

impl ThemeName {
    /// The theme's value in the `theme` setting.
    pub fn name(self) -> &'static str {
        name_of(&THEMES, self)
    }

    pub fn named(name: &str) -> Option<ThemeName> {
        find(name.trim(), &THEMES)
    }

    /// The theme of the valid name that is closest to this one.
    pub fn nearest(name: &str) -> Option<ThemeName> {
        nearly(name, &THEMES)
    }
}

fn find<T: Copy>(text: &str, names: &[(&str, T)]) -> Option<T> {
    let found = names
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(text));
    found.map(|(_, value)| *value)
}

fn nearly<T: Copy>(text: &str, names: &[(&str, T)]) -> Option<T> {
    let meant = nearest(text, names.iter().map(|(name, _)| *name))?;
    find(meant, names)
}

fn pick<T: Copy>(slot: &mut T, text: &str, names: &[(&str, T)]) -> Option<Fault> {
    let found = find(text, names);
    let near = found.or_else(|| nearly(text, names));
    *slot = near.unwrap_or(names[0].1);
    found.is_none().then_some(Fault::NotAChoice)
}

fn optional<T: Copy>(slot: &mut Option<T>, text: &str, names: &[(&str, T)]) -> Option<Fault> {
    let found = find(text, names);
    *slot = found.or_else(|| nearly(text, names));
    (found.is_none() && !text.is_empty()).then_some(Fault::NotAChoice)
}

fn size(slot: &mut usize, text: &str, limits: (i64, i64), default: usize) -> Option<Fault> {
    let (low, high) = limits;
    let (value, fault) = parse::whole(text, low, high);
    *slot = value.unwrap_or((default as i64).clamped(low, high)) as usize;
    fault
}

/// What the schema says of a whole number as things stand; nothing is between the limits of what is none.
fn whole_limits(key: Key, state: &State) -> (i64, i64) {
    match key.setting().kind {
        Kind::Whole { limits, .. } => limits(state),
        Kind::Real { .. } | Kind::Choice(_) | Kind::Grammar(_) => (0, 0),
    }
}

/// Above the first and up to the second, as the schema says.
pub fn base_limits() -> (f64, f64) {
    match Key::Base.setting().kind {
        Kind::Real { limits, .. } => limits,
        _ => unreachable!("a base is a real number"),
    }
}

/// A figure of the lesson has names of its own, which are not known here.
fn apply_names(slot: &mut Names, text: &str, view: ViewName) -> Option<Fault> {
    *slot = Names::read(text);
    let known = |name: &str| match view.is_of_bench() {
        true => names::is_of_bench(name),
        false => names::is_name(name),
    };
    slot.keep(known).then_some(Fault::NotAChoice)
}

fn apply_span(slot: &mut Option<Span>, text: &str, cells: usize) -> Option<Fault> {
    *slot = None;
    if text.is_empty() {
        return None;
    }
    let edges = text.split_once('-');
    let edges = edges.and_then(|(a, b)| Some((parse::number(a)?, parse::number(b)?)));
    let Some((start, end)) = edges else {
        return Some(Fault::NotASpan);
    };
    *slot = Span::fitted(start, end, cells);
    let inside = start >= 0.0 && end <= cells as f64 && start < end;
    (!inside).then_some(Fault::OutOfRange)
}

fn join(pairs: &[usize]) -> String {
    let pairs: Vec<_> = pairs.iter().map(usize::to_string).collect();
    pairs.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limits_in_force_are_those_of_the_schema() {
        for setting in SETTINGS {
            let set = |text: &str| {
                let mut state = State::default();
                let problem = state.apply(setting.key, text);
                (
                    state.text(setting.key),
                    problem.map(|problem| problem.fault),
                )
            };
            let out = Some(Fault::OutOfRange);
            match setting.kind {
                Kind::Whole { limits, .. } => {
                    let (low, high) = limits(&State::default());
                    for legal in [low, high] {
                        assert_eq!(set(&legal.to_string()), (legal.to_string(), None));
                    }
                    for (beyond, nearest) in [(low - 1, low), (high + 1, high)] {
                        assert_eq!(set(&beyond.to_string()), (nearest.to_string(), out));
                    }
                }
                Kind::Real {
                    limits: (low, high),
                    ..
                } => {
                    let default = State::default().text(setting.key);
                    let inside = 0.5 * (low + high);
                    assert_eq!(set(&inside.to_string()), (inside.to_string(), None));
                    assert_eq!(set(&high.to_string()), (high.to_string(), None));
                    assert_eq!(set(&(2.0 * high).to_string()), (high.to_string(), out));
                    // The lower limit is not legal itself, and nothing is nearest to it.
                    assert_eq!(set(&low.to_string()), (default.clone(), out));
                    assert_eq!(set(&(low - 1.0).to_string()), (default, out));
                }
                Kind::Choice(_) | Kind::Grammar(_) => {}
            }
        }
    }

    fn state(settings: &[(Key, &str)]) -> State {
        let mut state = State::default();
        for (key, text) in settings {
            assert_eq!(state.apply(*key, text), None, "{} = {text}", key.name());
        }
        state
    }

    #[test]
    fn dependent_settings_follow() {
        let mut state = state(&[(Key::Pos, "63"), (Key::Pair, "63"), (Key::Compare, "0,60")]);
        state.apply(Key::MaxLen, "5");
        state.apply(Key::DModel, "8");
        assert_eq!((state.pos(), state.pair()), (4, 3));
        assert_eq!(state.compare(), [0]);
    }

    #[test]
    fn a_base_of_one_has_no_nearest_legal_value() {
        let mut state = State::default();
        let problem = state.apply(Key::Base, "1").expect("1 is not above 1");
        assert_eq!(
            (problem.fault, problem.used.as_str()),
            (Fault::OutOfRange, "10000")
        );
    }

    #[test]
    fn a_window_over_everything_is_no_window() {
        let mut state = state(&[(Key::Positions, "0-64")]);
        assert!(!state.is_zoomed());
        state.apply(Key::Positions, "10-20.5");
        assert_eq!(state.text(Key::Positions), "10-20.5");
        state.apply(Key::MaxLen, "10");
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

    #[test]
    fn names_of_controls_are_known_or_dropped() {
        let mut state = state(&[(Key::Hide, "d-model, zoom"), (Key::Lock, "*")]);
        assert_eq!(state.text(Key::Hide), "d_model,zoom");
        assert!(state.locks(Key::Layout) && !state.locks(Key::Hide));
        let problem = state.apply(Key::Lock, "k,colour").expect("no such control");
        assert_eq!((problem.name, problem.used.as_str()), ("lock", "k"));

        // A figure of the lesson has others.
        state.apply(Key::View, "order");
        assert_eq!(state.apply(Key::Lock, "pe,colour,lang"), None);
        let problems = state.keep_names(|name| name == "pe");
        assert_eq!(problems.len(), 1);
        assert_eq!(
            (problems[0].name, problems[0].used.as_str()),
            ("lock", "pe,lang")
        );
        state.apply(Key::View, "bench");
        assert_eq!(state.text(Key::Lock), "lang");
    }

    #[test]
    fn what_is_locked_stays() {
        let before = state(&[(Key::Lock, "d_model,pos,zoom"), (Key::Positions, "5-20")]);
        let mut after = before.clone();
        after.set_pos(3);
        after.set_k(7);
        after.show_everything();
        after.hold(&before);
        assert_eq!((after.pos(), after.k()), (10, 7));
        assert_eq!(after.text(Key::Positions), "5-20");
        assert!(after.locks_control("play") && after.locks_control("zoom"));
        assert!(!after.locks_control("compare") && !after.locks_control("reset"));
    }

    #[test]
    fn what_would_push_a_locked_value_does_not_happen() {
        let before = state(&[(Key::Lock, "pos")]);
        let mut after = before.clone();
        after.apply(Key::MaxLen, "5");
        after.hold(&before);
        assert_eq!(after, before);
    }
}
