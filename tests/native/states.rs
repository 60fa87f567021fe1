//! Every branch of every figure: the texts in both languages and the picture of each figure, with each of its choices and
//! toggles and the lowest and highest value of each of its numbers, are compared with their fingerprints in
//! `tests/snapshots/states.txt`. After an intended change, `UPDATE=1 cargo test --test native states` writes it again.

use crate::recording::{Mark, Paint, Recording, Rgb, in_units};
use crate::snapshots::without_rounding;
use posenc::figures::{AnyFigure, all, fields};
use posenc::{Kind, Lang, Theme, ThemeName, Values, ViewName};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::OnceLock;
use std::{env, fs};

const FILE: &str = "tests/snapshots/states.txt";

/// Units per CSS pixel: so many that rounding to them moves nothing by more than a few ten-thousandths of a pixel.
const FINE: f64 = 4096.0;
/// Fingerprints tell coordinates apart that are in different cells of this width, in CSS pixels.
const CELL: f64 = 0.5;
/// Where the first cell begins. Processors compute the last digits of a sine differently; that changes no cell unless a
/// coordinate is on the edge between two, and no drawing has coordinates with a fraction like this one.
const OFFSET: f64 = 0.271_828_182_8;

/// The FNV-1a hash.
struct Hash(u64);

impl Hash {
    fn new() -> Hash {
        Hash(0xcbf29ce484222325)
    }

    fn bytes(mut self, bytes: &[u8]) -> Hash {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100000001b3);
        }
        self
    }

    fn number(self, number: i64) -> Hash {
        self.bytes(&number.to_le_bytes())
    }

    fn length(self, pixels: f64) -> Hash {
        self.number(((pixels + OFFSET) / CELL).floor() as i64)
    }

    fn points(self, points: &[(f64, f64)]) -> Hash {
        let count = self.number(points.len() as i64);
        points
            .iter()
            .fold(count, |hash, (x, y)| hash.length(*x).length(*y))
    }

    fn rgb(self, (r, g, b): Rgb) -> Hash {
        self.bytes(&[r, g, b])
    }

    fn paint(self, paint: &Paint) -> Hash {
        let width = paint.stroke.map_or(-1.0, |width| 4.0 * width);
        self.rgb(paint.rgb).length(8.0 * paint.alpha).length(width)
    }

    /// The hash in letters and digits.
    fn letters(&self, count: u32) -> String {
        const LETTERS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        // The high bits depend on all bytes.
        let letter = |i: u32| LETTERS[(self.0 >> (58 - 6 * i) & 63) as usize] as char;
        (0..count).map(letter).collect()
    }
}

/// The kind of a mark, as a digit, and its fingerprint.
fn fingerprint(mark: &Mark) -> (i64, Hash) {
    let begin = |kind: i64| Hash::new().number(kind);
    match mark {
        Mark::Path(points, paint) => (0, begin(0).points(points).paint(paint)),
        Mark::Polygon(points, paint) => (1, begin(1).points(points).paint(paint)),
        Mark::Rectangle(rect, paint) => {
            let corners = [(rect.x, rect.y), (rect.right(), rect.bottom())];
            (2, begin(2).points(&corners).paint(paint))
        }
        Mark::Circle(centre, radius, paint) => {
            (3, begin(3).points(&[*centre]).length(*radius).paint(paint))
        }
        Mark::Words(words) => {
            let hash = begin(4)
                .bytes(steady(&words.text).as_bytes())
                .points(&[words.at]);
            let style = i64::from(words.bold) + 2 * i64::from(words.upwards);
            (4, hash.rgb(words.rgb).length(words.size).number(style))
        }
        Mark::Image(image) => {
            let rect = image.rect;
            let corners = [(rect.x, rect.y), (rect.right(), rect.bottom())];
            let size = begin(5).points(&corners).number(image.columns as i64);
            let size = size.number(image.rows as i64);
            // A few pixels, with colours as coarse as coordinates: neighbours on a colour map are not told apart.
            let at = |i: usize, count: usize| i * (count - 1) / 4;
            let pixels = (0..5).flat_map(|y| (0..5).map(move |x| (x, y)));
            let hash = pixels.fold(size, |hash, (x, y)| {
                let (r, g, b) = image.pixel(at(x, image.columns), at(y, image.rows));
                let channels = [r, g, b].into_iter();
                channels.fold(hash, |hash, channel| hash.length(f64::from(channel) / 64.0))
            });
            (5, hash)
        }
    }
}

/// The most runs of marks that have letters of their own.
const RUNS: usize = 24;

/// Number of letters for all marks.
const ALL: usize = 3;

/// [`ALL`] letters for all marks, then one for each run of marks of the same kind, in drawing order; and the indices of the
/// marks with which the runs begin.
fn letters(picture: &Recording) -> (String, Vec<usize>) {
    let (mut all, mut runs, mut last) = (Hash::new(), Vec::new(), -1);
    let mut begins = Vec::new();
    for (at, mark) in picture.marks.iter().enumerate() {
        let (kind, hash) = fingerprint(mark);
        all = all.number(hash.0 as i64);
        if kind != last && runs.len() < RUNS {
            runs.push(Hash::new());
            begins.push(at);
        }
        last = kind;
        if let Some(run) = runs.last_mut() {
            *run = Hash(run.0).number(hash.0 as i64);
        }
    }
    let runs: String = runs.iter().map(|run| run.letters(1)).collect();
    (all.letters(ALL as u32) + &runs, begins)
}

/// A text in which the size of rounding errors, which depends on the processor, is replaced.
fn steady(text: &str) -> String {
    without_rounding(text)
}

fn text_letters(text: &str) -> String {
    Hash::new().bytes(steady(text).as_bytes()).letters(3)
}

/// The texts around the picture.
fn around(shown: &AnyFigure) -> String {
    let parts = [shown.actions(), shown.more(), shown.below()];
    parts
        .into_iter()
        .flatten()
        .map(|node| node.to_string())
        .collect()
}

/// The values with which a figure begins.
fn beginning(name: ViewName) -> Values {
    let mut values = Values::new(fields(name).unwrap());
    if name == ViewName::Order {
        // Its sentence is otherwise one of the language, with other numbers.
        values.set("words", "the dog bites the man");
    }
    values
}

/// The values with each choice and each toggle, the others as the figure begins; with settings that lead there.
fn starts(name: ViewName) -> Vec<(String, Values)> {
    let start = beginning(name);
    let mut starts = vec![(String::new(), start.clone())];
    for field in start.fields() {
        let others: Vec<String> = match &field.kind {
            Kind::Choice(choices) => choices.iter().map(|it| it.0.to_string()).collect(),
            Kind::Toggle(_) => vec!["on".into(), "off".into()],
            Kind::Integer { .. } if field.name == "question" => {
                let (low, high) = start.limits(field.name);
                (low..=high).map(|number| number.to_string()).collect()
            }
            _ => continue,
        };
        for text in others {
            let mut values = start.clone();
            values.set_any(field.name, &text);
            if values != start {
                starts.push((format!("{}={text}", field.name), values));
            }
        }
    }
    starts
}

/// The starts, and each with the ends of the slider of each number.
pub fn states(name: ViewName) -> Vec<(String, Values)> {
    let mut states: Vec<(String, Values)> = Vec::new();
    for (settings, start) in starts(name) {
        let mut further = Vec::new();
        for field in start.fields() {
            let ends: Vec<String> = match &field.kind {
                Kind::Integer { .. } => {
                    let (low, high) = start.reach(field.name);
                    vec![low.to_string(), high.to_string()]
                }
                Kind::Real { limits, .. } => vec![limits.0.to_string(), limits.1.to_string()],
                _ => continue,
            };
            for text in ends {
                let mut values = start.clone();
                values.set_any(field.name, &text);
                if values != start {
                    let between = if settings.is_empty() { "" } else { "&" };
                    let settings = format!("{settings}{between}{}={text}", field.name);
                    further.push((settings, values));
                }
            }
        }
        further.insert(0, (settings, start));
        for (settings, values) in further {
            if !states.iter().any(|(_, known)| *known == values) {
                states.push((settings, values));
            }
        }
    }
    states
}

/// What a figure shows in a state.
struct Shown {
    figure: ViewName,
    settings: String,
    values: Values,
    texts: [String; 4],
    /// The fingerprints of [`PARTS`].
    letters: Vec<String>,
}

/// What is looked at in a state, in the order of the file: texts, and then pictures.
const PARTS: [&str; 7] = [
    "the English caption",
    "the Chinese caption",
    "what the English says around the picture",
    "what the Chinese says around the picture",
    "the picture",
    "the narrow picture in Chinese",
    "the picture half-way there",
];

impl Shown {
    fn new(figure: ViewName, settings: String, values: Values) -> Shown {
        let english = english(figure, &values);
        let wide = picture(&english, ThemeName::Light, 720.0);
        let texts = |shown: &AnyFigure| (shown.caption(), around(shown));
        let (caption, other) = texts(&english);
        // As on a page when the language changes: long computations are not repeated.
        let chinese = AnyFigure::new(figure, &values, Lang::Zh, Some(english)).unwrap();
        let (caption_zh, other_zh) = texts(&chinese);
        let mut shown = Shown {
            figure,
            settings,
            values,
            texts: [caption, caption_zh, other, other_zh],
            letters: Vec::new(),
        };
        let pictures = [wide, shown.narrow(chinese), shown.half_way()];
        let pictures = pictures.map(|picture| picture.map_or("-".into(), |it| letters(&it).0));
        let texts = shown.texts.each_ref().map(|text| text_letters(text));
        shown.letters = texts.into_iter().chain(pictures).collect();
        shown
    }

    /// Whether one thing is changed alone: these states are looked at in more ways.
    fn is_single(&self) -> bool {
        !self.settings.contains('&')
    }

    /// A narrow picture in Chinese for a projector.
    fn narrow(&self, chinese: AnyFigure) -> Option<Recording> {
        self.is_single()
            .then(|| picture(&chinese, ThemeName::Projector, 400.0))?
    }

    /// The picture half-way from the state with which the figure begins, if it moves there.
    fn half_way(&self) -> Option<Recording> {
        if !self.is_single() {
            return None;
        }
        let start = AnyFigure::new(self.figure, &beginning(self.figure), Lang::En, None);
        let mut shown = AnyFigure::new(self.figure, &self.values, Lang::En, start)?;
        let moves = shown.animate(0.5);
        moves.then(|| picture(&shown, ThemeName::Light, 720.0))?
    }

    /// The first difference from what is kept, in words.
    fn difference(&self, kept: &str) -> Option<String> {
        let kept: Vec<_> = kept.split(' ').collect();
        let at = (0..PARTS.len()).find(|&at| kept.get(at) != Some(&&*self.letters[at]))?;
        let part = PARTS[at];
        if let Some(text) = self.texts.get(at) {
            return Some(format!("{part} is now: {text}"));
        }
        let english = || english(self.figure, &self.values);
        let picture = match at {
            4 => picture(&english(), ThemeName::Light, 720.0),
            5 => {
                let english = Some(english());
                let chinese = AnyFigure::new(self.figure, &self.values, Lang::Zh, english).unwrap();
                self.narrow(chinese)
            }
            _ => self.half_way(),
        };
        let (Some(picture), Some(kept)) = (picture, kept.get(at).and_then(|it| it.get(ALL..)))
        else {
            return Some(format!("{part} has appeared or gone"));
        };
        let (now, begins) = letters(&picture);
        let runs = now[ALL..].bytes().zip(kept.bytes());
        let same = runs.take_while(|(now, kept)| now == kept).count();
        let count = picture.marks.len();
        Some(match begins.get(same) {
            Some(&begin) => {
                let mark = &picture.marks[begin];
                format!("{part} differs from mark {begin} of {count} on: {mark}")
            }
            None if same < kept.len() => format!("{part} lacks marks after its {count}"),
            None => format!("one of the {count} marks of {part} differs"),
        })
    }
}

/// The figure in English after a slice of the work that takes longer than a frame; all of it would take minutes.
fn english(name: ViewName, values: &Values) -> AnyFigure {
    let mut shown = AnyFigure::new(name, values, Lang::En, None).unwrap();
    shown.work();
    shown
}

fn picture(shown: &AnyFigure, theme: ThemeName, width: f64) -> Option<Recording> {
    in_units(shown, Theme::named(theme), width, FINE)
}

/// What every figure shows in each of its states.
fn everything() -> &'static [Shown] {
    static SHOWN: OnceLock<Vec<Shown>> = OnceLock::new();
    SHOWN.get_or_init(|| {
        let states = all().flat_map(|name| {
            let states = states(name).into_iter();
            states.map(move |(settings, values)| Shown::new(name, settings, values))
        });
        states.collect()
    })
}

/// The fingerprints of the file, by figure and settings.
fn kept() -> BTreeMap<(String, String), String> {
    let mut figure = "";
    let mut kept = BTreeMap::new();
    let text = fs::read_to_string(FILE).unwrap_or_default();
    for line in text.lines() {
        match (line.strip_prefix("# "), line.split_once(": ")) {
            (Some(name), _) => figure = name,
            (None, Some((settings, letters))) => {
                let state = (figure.to_string(), settings.to_string());
                kept.insert(state, letters.to_string());
            }
            (None, None) => panic!("{FILE}: {line}"),
        }
    }
    kept
}

#[test]
fn every_choice_and_extreme_shows_what_it_showed() {
    let update = env::var_os("UPDATE").is_some();
    let (mut kept, mut text, mut found) = (kept(), String::new(), Vec::new());
    let mut last = None;
    for shown in everything() {
        let (figure, settings) = (shown.figure.name(), &shown.settings);
        if last != Some(figure) {
            let _ = writeln!(text, "# {figure}");
            last = Some(figure);
        }
        let _ = writeln!(text, "{settings}: {}", shown.letters.join(" "));
        let state = (figure.to_string(), settings.to_string());
        let difference = match kept.remove(&state) {
            Some(kept) => shown.difference(&kept),
            None => Some("the state is new".to_string()),
        };
        let settings = if settings.is_empty() {
            "as it begins"
        } else {
            settings
        };
        found.extend(difference.map(|it| format!("{figure}, {settings}: {it}")));
    }
    if update {
        return fs::write(FILE, text).unwrap();
    }
    found.extend(
        kept.keys()
            .map(|(figure, settings)| format!("{figure}, {settings}: not shown")),
    );
    let (count, first) = (found.len(), found.iter().take(8));
    assert!(
        found.is_empty(),
        "{count} states show something else, such as:\n{}\nFirst say why they should; then: \
         UPDATE=1 cargo test --test native states",
        first.cloned().collect::<Vec<_>>().join("\n")
    );
}

/// Numbers that are also written as words, in English and in Chinese.
const WORDS: [(&str, &[&str]); 11] = [
    ("0", &["zero", "零"]),
    ("1", &["one", "single", "一", "单"]),
    ("2", &["two", "twice", "second", "double", "二", "两"]),
    ("3", &["three", "third", "三"]),
    ("4", &["four", "四"]),
    ("5", &["five", "五"]),
    ("6", &["six", "六"]),
    ("7", &["seven", "七"]),
    ("8", &["eight", "八"]),
    ("9", &["nine", "九"]),
    ("10", &["ten", "十"]),
];

/// Numerals for thousands and more.
const LARGE: [(&str, f64); 5] = [
    ("thousand", 1e3),
    ("million", 1e6),
    ("billion", 1e9),
    ("万", 1e4),
    ("亿", 1e8),
];

/// The numbers in a text.
fn numbers(text: &str) -> Vec<String> {
    let mut numbers = Vec::new();
    let mut rest = text;
    while let Some(begin) = rest.find(|c: char| c.is_ascii_digit()) {
        let sign = if rest[..begin].ends_with('−') {
            "−"
        } else {
            ""
        };
        rest = &rest[begin..];
        let mut number = String::new();
        let mut chars = rest.char_indices().peekable();
        let mut end = rest.len();
        while let Some((at, c)) = chars.next() {
            let goes_on = chars.peek().is_some_and(|(_, next)| next.is_ascii_digit());
            match c {
                '0'..='9' | '⁻' | '⁰' | '¹' | '²' | '³' | '⁴'..='⁹' => number.push(c),
                '.' if goes_on => number.push(c),
                // Between groups of three digits.
                '\u{202f}' if goes_on => {}
                _ => {
                    end = at;
                    break;
                }
            }
        }
        rest = &rest[end..];
        let noun = rest.trim_start();
        let large = LARGE.iter().find(|(word, _)| noun.starts_with(word));
        if let (Some((_, times)), Ok(value)) = (large, number.parse::<f64>()) {
            number = (times * value).round().to_string();
        }
        numbers.push(format!("{sign}{number}"));
    }
    numbers
}

/// The numbers in a text that another does not have, neither in digits nor in words.
fn missing(text: &str, other: &str) -> Vec<String> {
    let mut there = numbers(other);
    let other = other.to_lowercase();
    let is_missing = |number: &String| match there.iter().position(|it| it == number) {
        Some(found) => {
            there.swap_remove(found);
            false
        }
        None => {
            let words = WORDS.iter().find(|(digits, _)| digits == number);
            !words.is_some_and(|(_, words)| words.iter().any(|word| other.contains(word)))
        }
    };
    numbers(text).into_iter().filter(is_missing).collect()
}

#[test]
fn both_languages_say_the_same_numbers() {
    let mut found = Vec::new();
    for shown in everything() {
        let [english, chinese, around, around_zh] = shown.texts.each_ref().map(|text| steady(text));
        for (english, chinese) in [(english, chinese), (around, around_zh)] {
            let only = [missing(&english, &chinese), missing(&chinese, &english)];
            if only.iter().any(|only| !only.is_empty()) {
                let (figure, settings) = (shown.figure.name(), &shown.settings);
                let [only, only_zh] = only.map(|only| only.join(", "));
                found.push(format!(
                    "{figure}, {settings}: only in English [{only}], only in Chinese [{only_zh}]:\n  \
                     {english:.600}\n  {chinese:.600}"
                ));
            }
        }
    }
    let (count, first) = (found.len(), found.into_iter().take(3));
    let first: Vec<_> = first.collect();
    assert!(
        first.is_empty(),
        "{count} texts differ in their numbers:\n{}",
        first.join("\n")
    );
}
