//! Tests that the figures in the lesson, and the buttons that set them, use only fields and values that exist.

use crate::field::{SettingId, State, Values, ViewName, own_figure};
use crate::figures::{AnyFigure, fields};
use crate::text::Lang;
use posenc_encoding::Encoding;
use std::collections::{HashMap, HashSet};
use std::fs;

type Attributes = Vec<(String, String)>;

/// The attributes of every element whose tag begins with `start`.
fn elements(html: &str, start: &str) -> Vec<Attributes> {
    let tags = html.split(start).skip(1);
    tags.map(|rest| attributes(rest.split('>').next().unwrap_or_default()))
        .collect()
}

fn attributes(tag: &str) -> Attributes {
    let mut found = Vec::new();
    let mut rest = tag;
    while let Some((name, after)) = rest.split_once("=\"") {
        let (value, after) = after.split_once('"').unwrap_or((after, ""));
        let value = value.replace("&amp;", "&");
        found.push((name.trim().to_string(), value));
        rest = after;
    }
    found
}

fn named<'a>(attributes: &'a Attributes, name: &str) -> Option<&'a str> {
    let found = attributes.iter().find(|(known, _)| known == name);
    found.map(|(_, value)| value.as_str())
}

/// Sets a view's fields one after the other; returns the problems.
fn set(view: &str, settings: &Attributes) -> Vec<String> {
    let Some(fields) = ViewName::named(view).and_then(fields) else {
        return vec![format!("there is no {view}")];
    };
    let mut values = Values::new(fields);
    let mut problems = Vec::new();
    for (name, value) in settings {
        if !values.has(name) {
            problems.push(format!("{view} has no {name}"));
        } else if let Some(problem) = values.set(name, value) {
            problems.push(format!("{view}: {problem:?}"));
        }
    }
    problems
}

/// Returns the problems in chapters, given as HTML.
fn check(chapters: &[String]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut figures: HashMap<String, (String, Attributes)> = HashMap::new();
    for figure in chapters
        .iter()
        .flat_map(|html| elements(html, "<pe-figure"))
    {
        let view = named(&figure, "view").unwrap_or_default().to_string();
        let settings: Attributes = figure
            .iter()
            .filter(|(name, _)| !matches!(name.as_str(), "id" | "view" | "class" | "group"))
            .map(|(name, value)| (name.replace('-', "_"), value.clone()))
            .collect();
        problems.extend(set(&view, &settings));
        if let Some(id) = named(&figure, "id") {
            let before = figures.insert(id.to_string(), (view, settings));
            problems.extend(before.map(|_| format!("two figures are called {id}")));
        }
    }
    // Buttons, and predictions whose answer sets a figure.
    let buttons = || {
        let of = |start| chapters.iter().flat_map(move |html| elements(html, start));
        of("<button").chain(of("<div class=\"predict\""))
    };
    // Ids of the figures that a button replaces by another view.
    let turned: Vec<String> = buttons()
        .filter(|button| named(button, "data-set").is_some_and(|set| set.contains("view=")))
        .filter_map(|button| named(&button, "data-figure").map(str::to_string))
        .collect();
    for button in buttons() {
        let wanted = named(&button, "data-set").or_else(|| named(&button, "data-answer"));
        let Some(wanted) = wanted else {
            continue;
        };
        let target = named(&button, "data-figure").unwrap_or_default();
        let mut settings: Attributes = wanted
            .split('&')
            .map(|part| part.split_once('=').unwrap_or((part, "")))
            .map(|(name, value)| (name.to_string(), value.to_string()))
            .collect();
        if target == "bench" {
            let mut state = State::default();
            for (name, value) in &settings {
                match SettingId::named(name) {
                    None => problems.push(format!("the bench has no {name}")),
                    Some(key) => problems.extend(state.apply(key, value).map(|p| format!("{p:?}"))),
                }
            }
            continue;
        }
        if turned.iter().any(|id| id == target) && !wanted.contains("view=") {
            problems.push(format!("{target} may be another figure by then: {wanted}"));
        }
        let Some((view, start)) = figures.get(target) else {
            problems.push(format!("no figure is called {target:?}: {wanted}"));
            continue;
        };
        let view = match settings.iter().position(|(name, _)| name == "view") {
            Some(index) => settings.remove(index).1,
            None => {
                let of_figure = start
                    .iter()
                    .filter(|(name, _)| named(&settings, name).is_none());
                settings = of_figure.cloned().chain(settings.clone()).collect();
                view.clone()
            }
        };
        let found = set(&view, &settings);
        problems.extend(found.iter().map(|problem| format!("{wanted}: {problem}")));
    }
    problems
}

#[test]
fn the_sentences_of_the_lesson_set_what_exists() {
    let chapters: Vec<String> = fs::read_dir("static/lesson")
        .unwrap()
        .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    let problems = check(&chapters);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The titles of the figures in a chapter: those that the page gives them, or else their own.
fn titles(html: &str, lang: Lang) -> Vec<String> {
    let own = format!("<span slot=\"title\" lang=\"{}\">", lang.tag());
    let figures = html.split("<pe-figure").skip(1).map(|rest| {
        let (tag, inside) = rest.split_once('>').unwrap();
        if let Some((_, title)) = inside
            .split("</pe-figure>")
            .next()
            .unwrap()
            .split_once(&own)
        {
            return title.split('<').next().unwrap().to_string();
        }
        let attributes = attributes(tag);
        let view = ViewName::named(named(&attributes, "view").unwrap()).unwrap();
        let mut values = Values::new(fields(view).unwrap());
        for (name, value) in attributes {
            values.set(&name.replace('-', "_"), &value);
        }
        let figure = AnyFigure::new(view, &values, lang, None).unwrap();
        figure.title().get(lang).to_string()
    });
    figures.collect()
}

#[test]
fn no_two_figures_of_the_lesson_have_the_same_title() {
    for lang in [Lang::En, Lang::Zh] {
        let mut known = HashSet::new();
        for entry in fs::read_dir("static/lesson").unwrap() {
            let html = fs::read_to_string(entry.unwrap().path()).unwrap();
            for title in titles(&html, lang) {
                assert!(known.insert(title.clone()), "twice: {title}");
            }
        }
        assert!(known.len() > 40, "{}", known.len());
    }
}

#[test]
fn the_bench_leads_to_figures_that_are_there() {
    let lesson: String = fs::read_dir("static/lesson")
        .unwrap()
        .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    for &encoding in Encoding::WITH_SIGNAL {
        if let Some(figure) = own_figure(encoding) {
            let place = format!("<pe-figure id=\"fig-{0}\" view=\"{0}\"", figure.name());
            assert!(lesson.contains(&place), "{place}");
        }
    }
}

#[test]
fn wrong_names_and_values_are_found() {
    let problems = |button: &str| {
        let html = "<pe-figure id=\"a\" view=\"ruler\" d-model=\"64\"></pe-figure>".to_string();
        check(&[html, button.to_string()]).len()
    };
    let button = |figure: &str, set: &str| {
        problems(&format!(
            "<button data-figure=\"{figure}\" data-set=\"{set}\">x</button>"
        ))
    };
    assert_eq!(button("a", "pair=3&amp;max_len=9"), 0);
    assert_eq!(button("a", "view=waves&amp;pos=3"), 0);
    assert_eq!(button("bench", "k=44&amp;pair=0"), 0);
    assert_eq!(button("b", "pair=3"), 1);
    let twice = |second: &str| {
        problems(&format!(
            "<button data-figure=\"a\" data-set=\"view=waves\">x</button><button data-figure=\"a\" data-set=\"{second}\">y</button>"
        ))
    };
    assert_eq!((twice("view=ruler&amp;pair=3"), twice("pair=3")), (0, 1));
    assert_eq!(button("a", "pos=3"), 1);
    // d_model = 64 has pairs 0 to 31.
    assert_eq!(button("a", "pair=32"), 1);
    assert_eq!(button("a", "view=nothing"), 1);
    assert_eq!(button("bench", "kk=44"), 1);
    let prediction = "<div class=\"predict\" data-figure=\"a\" data-answer=\"pos=3\">";
    assert_eq!(problems(prediction), 1);
}
