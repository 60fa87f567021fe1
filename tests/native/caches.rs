//! What is kept from one picture to the next never shows: a layer whose key is the same looks the same, and a figure after
//! any other state looks as it does when it is new.

use crate::recording::{Recording, frame, of_axes, of_bench, of_figure};
use crate::states::states;
use posenc::figure::Displacement;
use posenc::figures::{AnyFigure, all};
use posenc::{
    BenchFigure, Encoding, Hand, Lang, Layout, LayoutCache, Model, Placed, Scene, SettingId, State,
    Theme, ThemeName, Transient, Values,
};

/// Everything from which the bench draws.
#[derive(Clone)]
struct Shown {
    state: State,
    lang: Lang,
    theme: ThemeName,
    size: (f64, f64),
    transient: Transient,
}

type Apply = Box<dyn Fn(&mut Shown)>;

/// A change of what is shown, and its name.
type Change = (String, Apply);

/// Changes of one thing each. Those of the same thing stand side by side, in an outer list.
fn changes() -> Vec<Vec<Change>> {
    let encodings = Encoding::WITH_SIGNAL.iter().map(|it| it.name());
    let encodings: Vec<&str> = encodings.collect();
    let layouts = Layout::ALL.map(Layout::name);
    let settings: [(SettingId, &[&str]); 13] = [
        (SettingId::Encoding, &encodings),
        // 448 × 384 is the size of Whisper's table, which stays when another encoding is chosen.
        (SettingId::DModel, &["1", "9", "128", "384"]),
        (SettingId::MaxLen, &["1", "20", "64", "448", "3000"]),
        (SettingId::K, &["-70", "0", "3"]),
        (SettingId::Pos, &["0", "10", "19"]),
        (SettingId::Pair, &["0", "4", "60"]),
        (SettingId::Member, &["sine", "cosine"]),
        (SettingId::Base, &["10000", "10"]),
        (SettingId::Layout, &layouts),
        (SettingId::Colour, &["value", "sines-cosines", "phase"]),
        (SettingId::Compare, &["", "0,2", "1"]),
        (SettingId::Positions, &["", "2-9.5"]),
        (SettingId::Text, &["", "one two", "一二三"]),
    ];
    let settings = settings
        .into_iter()
        .chain([(SettingId::Dimensions, &["", "1-5"][..])]);
    let setting = |(key, texts): (SettingId, &[&str])| -> Vec<Change> {
        let change = |text: &&str| -> Change {
            let text = text.to_string();
            let name = format!("{}={text}", key.name());
            (
                name,
                Box::new(move |shown| _ = shown.state.apply(key, &text)),
            )
        };
        texts.iter().map(change).collect()
    };
    let mut changes: Vec<Vec<Change>> = settings.map(setting).collect();
    let mut other = |name: &str, all: Vec<Apply>| {
        let named = all.into_iter().enumerate();
        changes.push(
            named
                .map(|(i, change)| (format!("{name} {i}"), change))
                .collect(),
        );
    };
    other(
        "language",
        vec![
            Box::new(|shown| shown.lang = Lang::En),
            Box::new(|shown| shown.lang = Lang::Zh),
        ],
    );
    other(
        "theme",
        vec![
            Box::new(|shown| shown.theme = ThemeName::Light),
            Box::new(|shown| shown.theme = ThemeName::Dark),
            Box::new(|shown| shown.theme = ThemeName::Projector),
        ],
    );
    other(
        "size",
        vec![
            Box::new(|shown| shown.size = (360.0, 240.0)),
            Box::new(|shown| shown.size = (632.0, 343.0)),
            Box::new(|shown| shown.size = (300.0, 460.0)),
        ],
    );
    other(
        "drag or pointer",
        vec![
            Box::new(|shown| shown.transient = Transient::default()),
            Box::new(|shown| shown.transient.pair = Some(2)),
            Box::new(|shown| shown.transient.hand = Some(Hand::Target)),
            Box::new(|shown| shown.transient.displacement = Displacement::held(0.4, -0.3)),
            Box::new(|shown| shown.transient.guessing = true),
            Box::new(|shown| shown.transient.guessed = Some(1.5)),
            Box::new(|shown| shown.transient.outlines[0] = Some(7.0)),
            Box::new(|shown| shown.transient.displacement.halves = 0.3),
            Box::new(|shown| shown.transient.displacement.phase = -0.6),
            Box::new(|shown| shown.transient.sets_slow_pairs_apart = true),
            Box::new(|shown| shown.transient.beside_others = true),
        ],
    );
    changes
}

/// Pseudo-random numbers below `end`, the same in every run (Knuth's MMIX generator).
pub fn random(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |end| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((state >> 33) % end as u64) as usize
    }
}

/// Random starting points, and after each of them every change of one thing: so any two that differ in one thing alone are
/// among them, one after the other.
fn walk(mut visit: impl FnMut(&str, &Shown)) {
    const STARTS: u64 = 8;
    let changes = changes();
    for seed in 0..STARTS {
        let mut random = random(seed);
        let mut start = Shown {
            state: State::default(),
            lang: Lang::En,
            theme: ThemeName::Light,
            size: (360.0, 240.0),
            transient: Transient::default(),
        };
        let mut names = Vec::new();
        for (at, same) in changes.iter().enumerate() {
            // Every other point has sinusoids, the first encoding, for which all settings matter.
            let choice = random(same.len()) * usize::from(at > 0 || seed % 2 == 1);
            let (name, change) = &same[choice];
            change(&mut start);
            names.push(name.as_str());
        }
        let names = names.join(", ");
        for (name, change) in changes.iter().flatten() {
            let mut shown = start.clone();
            change(&mut shown);
            visit(&format!("{names}, then {name}"), &shown);
        }
    }
}

impl Shown {
    fn model(&self, previous: Option<&Model>) -> Model {
        Model::compute(&self.state, self.lang, self.transient, previous)
    }

    fn scene<T>(&self, model: &Model, look: impl FnOnce(&Scene) -> T) -> T {
        let theme = Theme::named(self.theme);
        let (colours, frame) = (theme.colour_map(), frame(self.size.0, self.size.1));
        look(&Scene::new(model, theme, &colours, frame))
    }
}

#[test]
fn a_layer_with_the_same_key_looks_the_same() {
    for view in BenchFigure::all() {
        let mut seen: Vec<(_, Recording, String)> = Vec::new();
        let (mut again, name) = (0, view.name().name());
        walk(|state, shown| {
            shown.scene(&shown.model(None), |scene| {
                let (key, picture) = (view.axes_key(scene), of_axes(&view, scene));
                match seen.iter().find(|(known, ..)| *known == key) {
                    Some((_, known, before)) => {
                        again += 1;
                        if let Some(difference) = known.difference(&picture) {
                            panic!(
                                "{name}: the axes are not drawn again although they differ, in {difference}\n  \
                                 first: {before}\n  then: {state}"
                            );
                        }
                    }
                    None => seen.push((key, picture, state.to_string())),
                }
            });
        });
        assert!(
            again > 150 && seen.len() > 100,
            "{name}: {again}, {}",
            seen.len()
        );
    }
}

#[test]
fn a_kept_layout_is_that_of_the_scene() {
    for mut view in BenchFigure::all() {
        let layouts = LayoutCache::default();
        let name = view.name().name();
        walk(|state, shown| {
            shown.scene(&shown.model(None), |fresh| {
                let kept = Scene {
                    layouts: layouts.clone(),
                    placed: Placed::default(),
                    ..*fresh
                };
                let pictures = [fresh, &kept].map(|scene| of_bench(&mut view, scene));
                let difference = pictures[0].difference(&pictures[1]);
                assert_eq!(difference, None, "{name}: {state}");
            });
        });
    }
}

#[test]
fn a_drag_draws_the_axes_once() {
    let moves = [
        (
            SettingId::Pos,
            "11",
            &["tokens", "heatmap", "waves", "rotation"][..],
        ),
        (
            SettingId::K,
            "-5",
            &["tokens", "heatmap", "waves", "rotation"],
        ),
        (SettingId::Pair, "5", &["tokens", "heatmap"]),
        (
            SettingId::Member,
            "cosine",
            &["tokens", "heatmap", "waves", "rotation"],
        ),
        (
            SettingId::Dimensions,
            "3-90",
            &["tokens", "waves", "rotation"],
        ),
        (SettingId::Positions, "3-50", &["tokens", "rotation"]),
        (SettingId::MaxLen, "80", &["tokens"]),
    ];
    for view in BenchFigure::all() {
        let key = |state: &State, transient| {
            let shown = Shown {
                state: state.clone(),
                lang: Lang::En,
                theme: ThemeName::Light,
                // Wide enough for all tokens between the positions to be shown, so that the line of tokens stays.
                size: (1200.0, 240.0),
                transient,
            };
            shown.scene(&shown.model(None), |scene| view.axes_key(scene))
        };
        let before = key(&State::default(), Transient::default());
        let name = view.name().name();
        for (setting, text, kept) in moves {
            let mut state = State::default();
            state.apply(setting, text);
            let same = key(&state, Transient::default()) == before;
            assert_eq!(
                same,
                kept.contains(&name),
                "{name} {}={text}",
                setting.name()
            );
        }
        let between = Transient {
            displacement: Displacement::held(0.4, -0.2),
            hand: Some(Hand::Pos),
            ..Transient::default()
        };
        assert!(
            key(&State::default(), between) == before,
            "{name} between two positions"
        );
        let pointed = Transient {
            pair: Some(9),
            ..Transient::default()
        };
        let same = key(&State::default(), pointed) == before;
        assert_eq!(
            same,
            name != "rotation",
            "{name}: the pair under the pointer"
        );
    }
}

#[test]
fn a_picture_after_another_is_that_of_a_new_figure() {
    let (mut used, mut model) = (BenchFigure::all(), None);
    let mut before = String::new();
    walk(|state, shown| {
        let after = shown.model(model.as_ref());
        for (used, mut new) in used.iter_mut().zip(BenchFigure::all()) {
            let again = shown.scene(&after, |scene| of_bench(used, scene));
            let fresh = shown.scene(&shown.model(None), |scene| of_bench(&mut new, scene));
            if let Some(difference) = fresh.difference(&again) {
                let name = new.name().name();
                panic!("{name}: new and after another state: {difference}\n  {before}\n  {state}");
            }
        }
        model = Some(after);
        before = state.to_string();
    });
}

/// The texts and the picture of a figure.
fn look(shown: &AnyFigure) -> (String, Option<Recording>) {
    let around = [shown.actions(), shown.more(), shown.below()]
        .into_iter()
        .flatten();
    let around: Vec<_> = around.map(|node| node.to_string()).collect();
    let picture = of_figure(shown, ThemeName::Light, 720.0);
    (shown.caption() + &around.concat(), picture)
}

#[test]
fn a_figure_after_a_change_and_back_is_a_new_one() {
    for name in all() {
        let figure = |values: &Values, previous| {
            AnyFigure::new(name, values, Lang::En, previous).expect("it is in the list")
        };
        let states = states(name);
        let (_, start) = &states[0];
        let first = look(&figure(start, None));
        for (settings, values) in states.iter().skip(1).filter(|(it, _)| !it.contains('&')) {
            let there = figure(values, Some(figure(start, None)));
            let after = [(
                look(&figure(values, None)),
                look(&there),
                "after a change to",
            )];
            let back = figure(start, Some(there));
            let after = after
                .into_iter()
                .chain([(first.clone(), look(&back), "back from")]);
            for ((text, picture), (text_after, picture_after), when) in after {
                let name = name.name();
                assert_eq!(text, text_after, "{name} {when} {settings}");
                let pictures = picture.zip(picture_after);
                if let Some(it) = pictures.and_then(|(new, after)| new.difference(&after)) {
                    panic!("{name}: new and {when} {settings}: {it}");
                }
            }
        }
    }
}
