//! Every button and command sets the fields listed here, to the values listed here, and nothing else.

use crate::caches::random;
use posenc::figures::{AnyFigure, all, fields};
use posenc::text::markup::Node;
use posenc::{Kind, Lang, SettingId, Span, State, Values, ViewName};
use std::collections::BTreeSet;

/// What a command does to a field.
enum To {
    Text(String),
    /// It may become anything: its value is checked elsewhere.
    Any,
}

/// The fields that a command sets, in the order in which they are set.
type Set = Vec<(&'static str, To)>;

fn to(field: &'static str, value: impl ToString) -> (&'static str, To) {
    (field, To::Text(value.to_string()))
}

fn any<const N: usize>(names: [&'static str; N]) -> Set {
    names.map(|name| (name, To::Any)).into()
}

/// A command by figure and action, and what it sets, given the values before and the value of the button.
type Command = (ViewName, &'static str, fn(&Values, &str) -> Set);

/// The training figures have the same buttons; the effect of `run` depends on the steps that are taken.
const LABS: [Command; 4] = [
    (ViewName::Lab, "run", |_, _| any(["steps"])),
    (ViewName::Lab, "step", |v, _| {
        vec![to("steps", v.whole("steps") + 1)]
    }),
    (ViewName::Lab, "again", |_, _| vec![to("steps", 0)]),
    (ViewName::Lab, "seed", |v, _| {
        vec![to("seed", v.whole("seed") % 999 + 1)]
    }),
];

const COMMANDS: [Command; 38] = [
    (ViewName::Derivation, "step", |_, value| {
        vec![to("step", value)]
    }),
    (ViewName::Compose, "set", |v, value| match value {
        "undo" => vec![to("k", -v.whole("j"))],
        "none" => vec![to("k", 0)],
        "swap" => vec![to("j", v.whole("k")), to("k", v.whole("j"))],
        other => panic!("{other}"),
    }),
    // Two bits for each table: 1 for "holds" and 2 for "misses".
    (ViewName::BreakIt, "guess", |v, value| {
        let field = v
            .fields()
            .iter()
            .find(|field| field.name == "table")
            .unwrap();
        let mut tables = field.kind.choices().iter();
        let table = tables
            .position(|(name, _)| *name == v.text("table"))
            .unwrap();
        let others = v.whole("guesses") & !(0b11 << (2 * table));
        let guess = if value == "misses" { 0b10 } else { 0b01 };
        vec![to("guesses", others | guess << (2 * table))]
    }),
    (ViewName::MatrixClocks, "apply", |v, _| {
        let applied = v.whole("applied") + 1;
        vec![
            to("pos", v.whole("pos") + v.whole("k")),
            to("applied", applied),
        ]
    }),
    // Also for another sheet than the one that was handed in.
    (ViewName::Worksheet, "choose", |_, _| {
        any(["answers", "done"])
    }),
    (ViewName::Worksheet, "go", |v, value| {
        let number = v.whole("number") + value.parse::<i64>().unwrap();
        let mut set = any(["answers", "answer", "mark", "done"]);
        set.push(to("number", number));
        set
    }),
    (ViewName::Worksheet, "open", |_, value| {
        let mut set = any(["answers", "answer", "mark", "done"]);
        set.push(to("number", value));
        set
    }),
    (ViewName::Worksheet, "hand-in", |_, _| {
        let mut set = any(["answers", "answer", "mark", "right"]);
        set.push(to("done", "on"));
        set
    }),
    (ViewName::Quiz, "choose", |v, value| {
        let mut set = any(["checked", "answered", "right"]);
        let question = 1 << (v.whole("question") - 1);
        set.extend([to("choice", value), to("done", v.whole("done") | question)]);
        set
    }),
    (ViewName::Quiz, "check", |v, _| {
        let mut set = any(["checked", "answered", "right", "mark", "done"]);
        set.push(to("question", v.whole("question")));
        set
    }),
    (ViewName::Quiz, "go", |v, value| {
        let question = v.whole("question") + value.parse::<i64>().unwrap();
        let mut set = forgotten();
        set.push(to("question", question));
        set
    }),
    (ViewName::Quiz, "other", |v, _| {
        let mut set = forgotten();
        set.extend([to("seed", v.whole("seed") % 9999 + 1), to("done", 0)]);
        set
    }),
    (ViewName::Attention, "step", |v, value| {
        let by = if value == "next" { 1 } else { -1 };
        vec![to("step", v.whole("step") + by)]
    }),
    (ViewName::Attention, "swap", |v, _| {
        let swapped = v.text("swapped") == "on";
        vec![to("swapped", if swapped { "off" } else { "on" })]
    }),
    (ViewName::Order, "example", |_, value| {
        vec![to("words", value), to("order", ""), to("split", "auto")]
    }),
    (ViewName::Order, "move", |_, value| match value {
        "next" => any(["token"]),
        "restore" => any(["words", "order"]),
        "exchange" => vec![to("order", "")],
        _ => any(["words", "order", "token"]),
    }),
    (ViewName::Nearest, "width", |_, value| {
        vec![to("d_model", value)]
    }),
    (ViewName::Anchors, "anchor", |v, _| {
        vec![to("anchors", v.whole("anchors") ^ 1 << v.whole("node"))]
    }),
    (ViewName::Anchors, "edge", |_, _| any(["edges"])),
    (ViewName::RelativeShift, "step", |_, value| {
        vec![to("step", value)]
    }),
    (ViewName::Buckets, "again", |v, _| {
        let biases = v.fields().iter().map(|field| field.name);
        let biases = biases.filter(|name| {
            let number = name.strip_prefix('b');
            number.is_some_and(|number| number.parse::<usize>().is_ok())
        });
        biases.map(|name| to(name, "0")).collect()
    }),
    // Touvron et al. 2023 and Grattafiori et al. 2024.
    (ViewName::Context, "model", |v, value| {
        let (numbers, rule) = match value {
            "0" => ([4096, 16, 65_536, 10_000], "yarn"),
            _ => ([8192, 8, 131_072, 500_000], "llama3"),
        };
        let names = ["trained", "s", "length", "base"];
        let mut set: Set = names
            .into_iter()
            .zip(numbers)
            .map(|(name, it)| to(name, it))
            .collect();
        if v.text("rule") == "unchanged" {
            set.push(to("rule", rule));
        }
        set
    }),
    (ViewName::Rope, "lock", |v, _| {
        match v.text("locked") == "on" {
            true => vec![
                to("locked", "off"),
                to("gap", Values::new(v.fields()).whole("gap")),
            ],
            false => vec![to("gap", v.whole("m") - v.whole("n")), to("locked", "on")],
        }
    }),
    (ViewName::Corridor, "sound", |v, _| {
        vec![to(
            "sound",
            if v.text("sound") == "on" { "off" } else { "on" },
        )]
    }),
    (ViewName::Perplexity, "test", |_, _| {
        vec![to("beyond", "on")]
    }),
    (ViewName::Guess, "answer", |_, _| vec![to("answered", "on")]),
    (ViewName::Guess, "reveal", |v, _| {
        vec![to("revealed", v.whole("revealed") + 1)]
    }),
    (ViewName::Guess, "hide", |_, _| {
        vec![to("revealed", 0), to("answered", "off")]
    }),
    (ViewName::Guess, "round", |v, _| {
        let round = v.whole("round") % 9999 + 1;
        vec![to("round", round), to("revealed", 1), to("answered", "off")]
    }),
    (ViewName::Guess, "step", |_, _| {
        vec![("pos", To::Any), to("answered", "off")]
    }),
    (ViewName::Counter, "base", |_, value| {
        vec![to("base", value)]
    }),
    (ViewName::ByHand, "step", |v, value| {
        let step = v.whole("step");
        let (low, high) = v.limits("step");
        let step = match value {
            "previous" => step - 1,
            "next" => step + 1,
            "first" => low,
            "last" => high,
            other => panic!("{other}"),
        };
        vec![to("step", step)]
    }),
    (ViewName::ByHand, "restore", |v, _| {
        let start = Values::new(v.fields());
        let cells = v
            .fields()
            .iter()
            .filter(|field| field.name.starts_with('x'));
        cells
            .map(|field| to(field.name, start.text(field.name)))
            .collect()
    }),
    (ViewName::Inspect, "report", |_, _| vec![to("report", "on")]),
    (ViewName::Code, "term", |_, value| vec![to("term", value)]),
    (ViewName::Ruler, "length", |_, value| {
        vec![to("max_len", value)]
    }),
    (ViewName::Trained, "run", |v, _| {
        vec![to(
            "running",
            if v.text("running") == "on" {
                "off"
            } else {
                "on"
            },
        )]
    }),
    (ViewName::Trained, "again", |v, _| {
        vec![to("round", v.whole("round") + 1), to("running", "on")]
    }),
];

/// The answer that a question no longer has.
fn forgotten() -> Set {
    vec![
        to("checked", ""),
        to("choice", -1),
        to("answer", ""),
        to("mark", -1),
    ]
}

fn command(name: ViewName, action: &str) -> Option<&'static Command> {
    let labs = [ViewName::Lab, ViewName::LabLength, ViewName::LabInduction];
    let is_same = |figure| figure == name || labs.contains(&figure) && labs.contains(&name);
    let mut all = LABS.iter().chain(&COMMANDS);
    all.find(|(figure, known, _)| is_same(*figure) && *known == action)
}

/// Names and values of the commands of a tree's elements that can be pressed, entered or focused.
fn commands(node: &Node, found: &mut BTreeSet<(String, String)>) {
    let Node::Element(element) = node else {
        return;
    };
    let attribute = |name: &str| {
        let mut all = element.attributes.iter();
        all.find(|(known, _)| *known == name)
            .map(|(_, value)| value.to_string())
    };
    let action = attribute("data-do").or_else(|| attribute("data-over"));
    if let (Some(action), None) = (action, attribute("disabled")) {
        found.insert((action, attribute("value").unwrap_or_default()));
    }
    element
        .children
        .iter()
        .for_each(|child| commands(child, found));
}

/// Random values of most fields but texts, the others as the figure begins.
pub fn random_values(name: ViewName, random: &mut impl FnMut(usize) -> usize) -> Values {
    let mut values = Values::new(fields(name).unwrap());
    // Twice, since limits may depend on fields that come later.
    for field in values.public().chain(values.public()) {
        if random(3) == 0 {
            continue;
        }
        let text = match &field.kind {
            Kind::Integer { .. } => {
                let (low, high) = values.reach(field.name);
                let high = high.min(low + 200);
                (low + random((high - low) as usize + 1) as i64).to_string()
            }
            Kind::Real {
                limits: (low, high),
                ..
            } => {
                let share = random(101) as f64 / 100.0;
                (low + share * (high - low)).to_string()
            }
            Kind::Choice(choices) => choices[random(choices.len())].0.to_string(),
            Kind::Toggle(_) => ["off", "on"][random(2)].to_string(),
            _ => continue,
        };
        values.set_any(field.name, &text);
    }
    values
}

#[test]
fn a_command_sets_what_is_listed_and_nothing_else() {
    let mut pressed = BTreeSet::new();
    for name in all() {
        let mut random = random(name as u64);
        for turn in 0..20 {
            // The first time as it opens: chance need not come upon a state in which all buttons can be pressed.
            let before = match turn {
                0 => Values::new(fields(name).unwrap()),
                _ => random_values(name, &mut random),
            };
            let mut figure = AnyFigure::new(name, &before, Lang::En, None).unwrap();
            // Some buttons come with the work, of which a little has to suffice.
            if turn < 4 {
                figure.work();
            }
            let mut found = BTreeSet::new();
            for node in [figure.actions(), figure.more(), figure.below()]
                .into_iter()
                .flatten()
            {
                commands(&node, &mut found);
            }
            // The page copies.
            found.retain(|(action, _)| action != "copy");
            for (action, value) in found {
                let figure_name = name.name();
                let Some((_, _, sets)) = command(name, &action) else {
                    panic!("{figure_name}: what does {action:?} do? It is not listed here");
                };
                pressed.insert((name.name(), action.clone()));
                let mut after = before.clone();
                figure.act(&action, &value, &mut after);
                let mut expected = before.clone();
                for (field, to) in sets(&before, &value) {
                    let text = match to {
                        To::Text(text) => text,
                        To::Any => after.text(field),
                    };
                    expected.set_any(field, &text);
                }
                for field in before.fields() {
                    let (now, wanted) = (after.text(field.name), expected.text(field.name));
                    assert_eq!(
                        now,
                        wanted,
                        "{figure_name}: {action:?} with {value:?} sets {}, from {:?}",
                        field.name,
                        before.changed()
                    );
                }
            }
        }
    }
    for (figure, action, _) in LABS.iter().chain(&COMMANDS) {
        let seen = pressed.contains(&(figure.name(), action.to_string()));
        assert!(seen, "{}: no button does {action:?}", figure.name());
    }
}

#[test]
fn the_model_of_a_figure_has_its_values() {
    // The figures that are computed from a state of the bench.
    let figures = [
        ViewName::Heatmap,
        ViewName::Waves,
        ViewName::Rotation,
        ViewName::Clocks,
        ViewName::MatrixClocks,
    ];
    for name in figures {
        let mut random = random(name as u64);
        for _ in 0..20 {
            let values = random_values(name, &mut random);
            let state = State::from(&values);
            for (field, text) in values.for_bench() {
                let key = SettingId::named(field).expect("a setting");
                let (figure, changed) = (name.name(), values.changed());
                assert_eq!(state.text(key), text, "{figure}: {field}, from {changed:?}");
            }
        }
    }
}

/// A random state of the bench.
fn random_state(random: &mut impl FnMut(usize) -> usize) -> State {
    let mut state = State::default();
    let settings: [(SettingId, &[&str]); 12] = [
        (
            SettingId::Encoding,
            &["sinusoidal", "learned", "whisper", "rope", "alibi"],
        ),
        (SettingId::DModel, &["1", "9", "64", "512"]),
        (SettingId::MaxLen, &["1", "20", "64", "5000"]),
        (SettingId::K, &["-7", "0", "3", "70"]),
        (SettingId::Pos, &["0", "7", "63"]),
        (SettingId::Pair, &["0", "3", "31"]),
        (SettingId::Member, &["sine", "cosine"]),
        (SettingId::Base, &["10", "10000"]),
        (
            SettingId::Layout,
            &["interleaved", "concatenated", "tensor2tensor"],
        ),
        (SettingId::Compare, &["", "1", "0,2,3,4"]),
        (SettingId::Positions, &["", "2-9.5", "10-15"]),
        (SettingId::Dimensions, &["", "1-5", "3.25-8"]),
    ];
    for (key, texts) in settings {
        state.apply(key, texts[random(texts.len())]);
    }
    state
}

#[test]
fn a_command_of_the_bench_sets_what_is_listed_and_nothing_else() {
    /// A command, and the settings that it sets, as written in links.
    type Command = (
        &'static str,
        fn(&mut State),
        fn(&State) -> Vec<(SettingId, String)>,
    );
    let commands: [Command; 7] = [
        ("show everything", State::show_everything, |_| {
            vec![
                (SettingId::Positions, String::new()),
                (SettingId::Dimensions, String::new()),
            ]
        }),
        (
            "show a window",
            |state| {
                let span = |from, to, cells| Span::fitted(from, to, cells).unwrap();
                let (len, d_model) = (state.max_len(), state.d_model());
                state.set_window(span(1.0, 6.5, len), span(0.0, 3.0, d_model));
            },
            |_| {
                vec![
                    (SettingId::Positions, "1-6.5".into()),
                    (SettingId::Dimensions, "0-3".into()),
                ]
            },
        ),
        (
            "select a position",
            |state| state.set_pos(12),
            |_| vec![(SettingId::Pos, "12".into())],
        ),
        (
            "select an offset",
            |state| state.set_k(-5),
            |_| vec![(SettingId::K, "-5".into())],
        ),
        (
            "play two positions",
            |state| _ = state.values_mut().step(2),
            |state| {
                let pos = (state.pos() + 2) % state.max_len();
                vec![(SettingId::Pos, pos.to_string())]
            },
        ),
        (
            "compare a pair, or no longer",
            |state| state.toggle_compared(0),
            |state| {
                let mut pairs: Vec<_> = state.compare().to_vec();
                match pairs.contains(&0) {
                    true => pairs.retain(|pair| *pair != 0),
                    false if pairs.len() < 4 => pairs.push(0),
                    false => {}
                }
                let pairs: Vec<_> = pairs.iter().map(usize::to_string).collect();
                vec![(SettingId::Compare, pairs.join(","))]
            },
        ),
        (
            "bring the selected cell into view",
            |state| state.reveal(2.min(state.d_model() - 1)),
            |state| {
                // The window moves just far enough.
                let shown = |span: Span, cell: usize| {
                    let low = (cell as f64 + 1.0 - span.width()).max(span.start().min(cell as f64));
                    let start = low.min(cell as f64);
                    format!("{start}-{}", start + span.width())
                };
                let text = |key, span, cell| match state.text(key).is_empty() {
                    true => (key, String::new()),
                    false => (key, shown(span, cell)),
                };
                let dimension = 2.min(state.d_model() - 1);
                vec![
                    text(SettingId::Positions, state.positions(), state.pos()),
                    text(SettingId::Dimensions, state.dimensions(), dimension),
                ]
            },
        ),
    ];
    let mut random = random(1);
    for _ in 0..300 {
        let before = random_state(&mut random);
        for (name, run, sets) in &commands {
            let (mut after, mut expected) = (before.clone(), before.clone());
            run(&mut after);
            for (key, text) in sets(&before) {
                expected.apply(key, &text);
            }
            for &key in SettingId::ALL {
                assert_eq!(
                    after.text(key),
                    expected.text(key),
                    "{name:?} sets {}, from {:?}",
                    key.name(),
                    before.values().changed()
                );
            }
        }
    }
}
