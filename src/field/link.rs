//! Reads and writes the state in an address: `#d_model=64&k=3`. The query is read too, but the hash overrides it. Only
//! values that differ from the defaults are written, and unknown parts are preserved.

use crate::field::{Diagnostic, Kind, SettingId, State, ViewName, nearest};
use std::borrow::Cow;

/// The query and the hash are each truncated to this number of bytes.
const LONGEST: usize = 100_000;

/// Settings of the page around the figures.
const OF_PAGE: [SettingId; 5] = [
    SettingId::View,
    SettingId::Lang,
    SettingId::Theme,
    SettingId::Hide,
    SettingId::Lock,
];
/// Names in addresses that are not settings: a presentation and its steps.
const NOTES: [&str; 2] = ["present", "steps"];

/// The contents of an address.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    pub state: State,
    pub problems: Vec<Diagnostic>,
    /// All names and values in query and hash, in their order.
    pairs: Vec<(String, String)>,
    /// The names in the query: the hash must repeat those settings even if they have their defaults.
    queried: Vec<String>,
    /// The parts of the hash that are not settings, as they were written.
    foreign: Vec<String>,
}

/// Reads the query and the hash of an address, each with or without its `?` or `#`.
pub fn read_link(query: &str, hash: &str) -> Link {
    let query = cut(query.strip_prefix('?').unwrap_or(query));
    let hash = cut(hash.strip_prefix('#').unwrap_or(hash));
    let all: Vec<_> = parts(query).chain(parts(hash)).collect();
    let all: Vec<_> = all.into_iter().filter_map(setting).collect();
    let (state, problems) = applied(State::default(), &all);
    let raw = |text| {
        parts(text)
            .filter(|part| part.contains('='))
            .filter_map(|part| form_urlencoded::parse(part.as_bytes()).next())
            .map(|(name, value)| (name.into_owned(), value.into_owned()))
    };
    Link {
        state,
        problems,
        pairs: raw(query).chain(raw(hash)).collect(),
        queried: raw(query).map(|(name, _)| name).collect(),
        foreign: parts(hash)
            .filter(|part| setting(part).is_none())
            .map(str::to_string)
            .collect(),
    }
}

impl Link {
    /// All parameters of the address as names and values, including those that are not settings.
    pub fn pairs(&self) -> &[(String, String)] {
        &self.pairs
    }

    /// The names of the parameters in the query.
    pub fn queried(&self) -> &[String] {
        &self.queried
    }

    /// Diagnostics for names in the address that are close to a valid one without being valid; other names may belong
    /// to other software. `fields` are those of the figure that the address shows alone.
    pub fn misspelt(&self, fields: &[&'static str]) -> Vec<Diagnostic> {
        let of_bench = self.state.view().is_of_bench();
        let settings = SettingId::ALL.iter();
        let settings = settings.filter(|key| of_bench || OF_PAGE.contains(key));
        let valid: Vec<&'static str> = settings
            .map(|key| key.name())
            .chain(NOTES)
            .chain(fields.iter().copied())
            .collect();
        let foreign = self.pairs.iter().filter(|(name, _)| {
            !valid.contains(&name.as_str()) && SettingId::named(name).is_none()
        });
        foreign
            .filter_map(|(name, _)| {
                let meant = nearest(name, valid.iter().copied())?;
                Some(Diagnostic::unknown(name, Some(meant)))
            })
            .collect()
    }

    fn says(&self, state: &State, key: SettingId) -> bool {
        let queried = self.queried.iter().any(|name| name == key.name());
        queried || state.text(key) != State::default().text(key)
    }

    /// The parts of the hash without a value, which are names of places on the page.
    pub fn places(&self) -> Vec<String> {
        let places = self.foreign.iter().filter(|part| !part.contains('='));
        places.cloned().collect()
    }

    /// Replaces the places in the hash by another.
    pub fn visit(&mut self, place: &str) {
        self.leave(|_| true);
        self.foreign.push(place.to_string());
    }

    /// Removes the places for which `left` is true; returns whether there were any.
    pub fn leave(&mut self, left: impl Fn(&str) -> bool) -> bool {
        let before = self.foreign.len();
        self.foreign
            .retain(|part| part.contains('=') || !left(part));
        self.foreign.len() != before
    }

    /// Sets a parameter of the hash that is not a setting, or removes it if there is no value.
    pub fn note(&mut self, name: &str, value: Option<&str>) {
        let of_name = |part: &String| {
            let rest = part.strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
        };
        self.foreign.retain(|part| !of_name(part));
        let value = value.map(|value| format!("{name}={value}"));
        self.foreign.extend(value);
    }

    /// The hash for a figure shown alone: the settings of the page and the figure's own values. `owns` returns whether
    /// a name is one of the figure's.
    pub fn figure_hash(
        &self,
        state: &State,
        values: &[(String, String)],
        owns: impl Fn(&str) -> bool,
    ) -> String {
        let page = OF_PAGE
            .into_iter()
            .filter(|&key| self.says(state, key))
            .map(|key| format!("{}={}", key.name(), state.text(key)));
        let values = values.iter().filter(|(name, _)| owns(name));
        let values = values.map(|(name, text)| {
            form_urlencoded::Serializer::new(String::new())
                .append_pair(name, text)
                .finish()
        });
        let foreign = self.foreign.iter().filter(|part| {
            let name = form_urlencoded::parse(part.as_bytes()).next();
            name.is_none_or(|(name, _)| !owns(&name))
        });
        let parts: Vec<_> = page.chain(values).chain(foreign.cloned()).collect();
        parts.join("&")
    }

    /// The hash, without its `#`, that restores `state` together with the same query.
    pub fn hash(&self, state: &State) -> String {
        let ours = SettingId::ALL
            .iter()
            .filter(|&&key| self.says(state, key))
            .map(|&key| format!("{}={}", key.name(), written(state, key)));
        let parts: Vec<_> = ours.chain(self.foreign.iter().cloned()).collect();
        parts.join("&")
    }
}

/// The value of a setting in a link. Only text may contain characters that have a meaning in links.
fn written(state: &State, key: SettingId) -> String {
    let text = state.text(key);
    match key.field().kind {
        Kind::Text { .. } => form_urlencoded::byte_serialize(text.as_bytes()).collect(),
        _ => text,
    }
}

fn cut(text: &str) -> &str {
    let end = text.floor_char_boundary(LONGEST);
    text.get(..end).unwrap_or(text)
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split('&').filter(|part| !part.is_empty())
}

fn setting(part: &str) -> Option<(SettingId, Cow<'_, str>)> {
    if !part.contains('=') {
        return None;
    }
    let (name, value) = form_urlencoded::parse(part.as_bytes()).next()?;
    let key = SettingId::named(&name)?;
    let value = match key {
        SettingId::View => ViewName::current(&value).to_string().into(),
        _ => value,
    };
    Some((key, value))
}

/// Applies settings in the order of their declaration, so that limits are set before the values they limit. The last
/// value of a repeated key counts.
fn applied(mut state: State, asked: &[(SettingId, Cow<str>)]) -> (State, Vec<Diagnostic>) {
    let mut problems = Vec::new();
    for &key in SettingId::ALL {
        if let Some((_, value)) = asked.iter().rev().find(|(asked, _)| *asked == key) {
            problems.extend(state.apply(key, value));
        }
    }
    (state, problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_wins_over_the_query_and_the_last_of_a_repeated_key_counts() {
        let link = read_link("?d_model=32&k=9", "#k=1&k=7");
        assert_eq!((link.state.d_model(), link.state.k()), (32, 7));
        assert_eq!(link.problems, []);
    }

    #[test]
    fn only_what_differs_is_written() {
        let link = read_link("", "#max_len=50&d_model=128");
        assert_eq!(link.hash(&link.state), "max_len=50");
        let back = read_link("?d_model=32", "");
        assert_eq!(back.hash(&State::default()), "d_model=128");
    }

    #[test]
    fn a_figure_alone_says_its_values_and_what_the_query_says_otherwise() {
        let link = read_link("?theme=dark", "#view=order&utm=1&pe=on");
        let mut state = link.state.clone();
        state.apply(SettingId::Theme, "");
        let values = [("pe", "off"), ("other", "1")].map(|(n, v)| (n.to_string(), v.to_string()));
        let hash = link.figure_hash(&state, &values, |name| name == "pe");
        assert_eq!(hash, "view=order&theme=&pe=off&utm=1");
    }

    #[test]
    fn what_is_not_ours_is_left_alone() {
        let link = read_link("", "#chapter-3&utm=%zz&k=4&__proto__=1");
        assert_eq!(link.hash(&link.state), "k=4&chapter-3&utm=%zz&__proto__=1");
    }

    #[test]
    fn a_place_is_left_and_another_visited() {
        let mut link = read_link("", "#chapter-3&utm=x&k=4&rope");
        assert!(link.leave(|place| place == "rope"));
        assert!(!link.leave(|place| place == "rope"));
        assert_eq!(link.hash(&link.state), "k=4&chapter-3&utm=x");
        link.visit("shift");
        assert_eq!(link.hash(&link.state), "k=4&utm=x&shift");
    }

    #[test]
    fn notes_replace_what_was_said_under_their_name() {
        let mut link = read_link("", "#steps=k=4/pos=2&k=4&present&utm=x");
        link.note("steps", Some("k=5"));
        link.note("present", None);
        assert_eq!(link.hash(&link.state), "k=4&utm=x&steps=k=5");
        link.note("steps", None);
        assert_eq!(link.hash(&link.state), "k=4&utm=x");
    }

    #[test]
    fn limits_are_read_before_what_they_limit() {
        let link = read_link("", "#pos=4000&pair=200&max_len=5000&d_model=512");
        assert_eq!((link.state.pos(), link.state.pair()), (4000, 200));
        assert_eq!(link.problems, []);
    }

    #[test]
    fn misspelt_names_are_told_from_names_of_others() {
        let meant = |hash: &str, fields: &[&'static str]| {
            let link = read_link("", hash);
            let problems = link.misspelt(fields).into_iter();
            problems
                .map(|problem| (problem.input, problem.suggestion.unwrap()))
                .collect::<Vec<_>>()
        };
        let pairs = |pairs: &[(&str, &str)]| {
            let pairs = pairs.iter();
            pairs
                .map(|(a, b)| (a.to_string(), b.to_string()))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            meant(
                "#dmodel=9&max-len=4&weather=1&utm_source=x&steps=k=4&k=2&step=1",
                &[]
            ),
            pairs(&[
                ("dmodel", "d_model"),
                ("max-len", "max_len"),
                ("step", "steps")
            ])
        );
        assert_eq!(meant("#chapter-3&presents&present=1", &[]), []);
        assert_eq!(meant("#view=order&pe=on&k=3&words=a", &["pe", "words"]), []);
        assert_eq!(
            meant("#view=order&word=a", &["pe", "words"]),
            pairs(&[("word", "words")])
        );
    }

    #[test]
    fn the_closest_choice_is_used_and_said() {
        for (hash, key, used) in [
            ("#view=Rotations", SettingId::View, "rotation"),
            ("#theme=drak", SettingId::Theme, "dark"),
            ("#layout=concatenate", SettingId::Layout, "concatenated"),
            ("#encoding=ropes", SettingId::Encoding, "rope"),
            ("#theme=pink", SettingId::Theme, ""),
        ] {
            let link = read_link("", hash);
            assert_eq!(link.state.text(key), used, "{hash}");
            assert_eq!(link.problems.len(), 1, "{hash}");
            assert_eq!(link.problems[0].fallback, used, "{hash}");
        }
        let link = read_link("", "#hide=dmodel");
        assert_eq!(link.problems[0].suggestion.as_deref(), Some("d_model"));
    }

    #[test]
    fn bad_values_are_named() {
        let link = read_link(
            "",
            "#d_model=-1&k=abc&base=NaN&layout=%3Cb%3E&pos=99&max_len=",
        );
        let named: Vec<_> = link.problems.iter().map(|p| p.name).collect();
        assert_eq!(named, ["d_model", "max_len", "k", "pos", "base", "layout"]);
        assert_eq!(link.state.d_model(), 1);
        assert_eq!(link.state.pos(), 63);
    }
}
