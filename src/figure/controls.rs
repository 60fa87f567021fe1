//! The controls of a figure as elements, made from its fields.

use crate::field::{Field, Key, Kind, Names, Persistence, SliderScale, Values, parse};
use crate::math::Clamp;
use crate::text::markup::Node;
use crate::text::markup::html::*;
use crate::text::{Lang, Text, labels};

/// So many controls are seen at once.
const MOST_MAIN: usize = 2;
const ON: Text = Text::new("on", "开");
const OFF: Text = Text::new("off", "关");

/// Which controls a figure has, and which of its fields nobody can change by hand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ControlPolicy {
    /// `None` for those that the figure declares.
    pub shown: Option<Names>,
    pub locked: Names,
}

impl ControlPolicy {
    fn shows(&self, field: &Field) -> bool {
        match &self.shown {
            None => field.control,
            Some(Names::All) => field.persistence == Persistence::Link,
            Some(names) => field.persistence != Persistence::Transient && names.contain(field.name),
        }
    }

    /// What passes is nobody's to lock unless it is named.
    pub fn locks(&self, field: &Field) -> bool {
        let passes = match field.persistence {
            Persistence::Link => false,
            Persistence::Session => self.locked == Names::All,
            Persistence::Transient => true,
        };
        !passes && self.locked.contain(field.name)
    }

    /// After a change by hand: locked fields are as they were `before`. If others do not allow that, nothing has changed.
    pub fn hold(&self, values: &mut Values, before: &Values) {
        values.revert(before, |field| self.locks(field));
    }
}

/// The names of the controls that a figure has by itself, without those that are hidden.
pub fn left_by<'a>(
    hidden: &'a Names,
    fields: &'static [Field],
) -> impl Iterator<Item = &'static str> + 'a {
    let declared = fields.iter().filter(|field| field.control);
    declared
        .map(|field| field.name)
        .filter(|name| !hidden.contain(name))
}

/// The controls on offer and what else a figure has under "More"; `None` where there is neither. The first two controls are seen at once,
/// the others under "More"; a page that names the controls sees all that it has named.
pub fn controls(
    values: &Values,
    lang: Lang,
    offer: &ControlPolicy,
    rest: Option<Node>,
) -> Option<Node> {
    let (mut main, mut more) = (Vec::new(), Vec::new());
    let named = matches!(offer.shown, Some(Names::Listed(_)));
    for field in values.fields().iter().filter(|field| offer.shows(field)) {
        let control = control(field, values, lang, offer.locks(field));
        if named || field.main && main.len() < MOST_MAIN {
            main.push(control);
        } else {
            more.push(control);
        }
    }
    let fields = |controls: Vec<Node>| (!controls.is_empty()).then(|| div("fields", controls));
    let folds = fields(more).into_iter().chain(rest).collect::<Vec<_>>();
    let more = (!folds.is_empty()).then(|| folded(labels::MORE.get(lang), Node::new("div", folds)));
    let parts: Vec<_> = fields(main).into_iter().chain(more).collect();
    (!parts.is_empty()).then(|| div("settings", parts))
}

fn control(field: &'static Field, values: &Values, lang: Lang, locked: bool) -> Node {
    let words = field.label.get(lang);
    let text = values.text(field.name);
    // Settings of the bench are known by their names.
    let known = Key::named(field.name).is_some();
    let spoken = if known {
        format!("{}, {words}", field.name)
    } else {
        words.to_string()
    };
    let limits = matches!(field.kind, Kind::Whole { .. }).then(|| values.limits(field.name));
    // What follows from other fields is nobody's to move.
    let locked = locked || limits.is_some_and(|(low, high)| low == high);
    let input = |kind: &'static str| {
        Node::new("input", vec![])
            .attribute("type", kind)
            .attribute("name", field.name)
            .attribute("aria-label", spoken.clone())
            .attribute("autocomplete", "off")
            .flag("disabled", locked)
    };
    // The value in words, printed where the control is not.
    let on_paper = |value: &str| span("on-paper", value);
    let mut name = vec![Node::text("span", words)];
    if known {
        name.insert(0, Node::text("b", field.name));
    }
    let name = Node::new("span", name).class("name");
    let parts = match &field.kind {
        Kind::Whole { scale, .. } => {
            let (low, high) = reach(field, values);
            let stop = |value: i64| scale.position(value as f64).to_string();
            let (least, greatest) = match values.limits(field.name) {
                (least, greatest) if least < greatest => (least, greatest),
                _ => (low, high),
            };
            let position = values.whole(field.name).clamped(low, high);
            vec![
                name,
                input("range")
                    .attribute("min", stop(low))
                    .attribute("max", stop(high))
                    .attribute("step", "1")
                    .attribute("aria-valuetext", text.clone())
                    .attribute("value", stop(position)),
                input("number")
                    .attribute("min", least.to_string())
                    .attribute("max", greatest.to_string())
                    .attribute("step", "1")
                    .attribute("value", text.clone()),
                on_paper(&text),
            ]
        }
        Kind::Real {
            limits, decimals, ..
        } => {
            let step = 10f64.powi(-(decimals.unwrap_or_default() as i32));
            let ranged = |kind| {
                input(kind)
                    .attribute("min", limits.0.to_string())
                    .attribute("max", limits.1.to_string())
                    .attribute("step", step.to_string())
                    .attribute("value", text.clone())
            };
            vec![name, ranged("range"), ranged("number"), on_paper(&text)]
        }
        Kind::Choice(choices) => {
            let options = choices.iter().map(|(value, label)| {
                Node::text("option", label.get(lang))
                    .attribute("value", *value)
                    .flag("selected", *value == text)
            });
            let chosen = choices.iter().find(|(value, _)| *value == text);
            let chosen = chosen.map_or("", |(_, label)| label.get(lang));
            let list = Node::new("select", options.collect())
                .attribute("name", field.name)
                .attribute("aria-label", spoken)
                .flag("disabled", locked);
            vec![name, list, on_paper(chosen)]
        }
        Kind::Toggle(_) => {
            let box_ = input("checkbox").flag("checked", text == "on");
            let state = if text == "on" { ON } else { OFF };
            return Node::new("label", vec![box_, name, on_paper(state.get(lang))])
                .class("field toggle")
                .attribute("data-control", field.name);
        }
        // The settings of the bench that are more than one value have no controls.
        Kind::OptionalChoice { .. } | Kind::Indices { .. } | Kind::Span { .. } | Kind::Names(_) => {
            vec![name, on_paper(&text)]
        }
        Kind::Text { .. } => {
            let printed = on_paper(&format!("“{text}”"));
            vec![name, input("text").attribute("value", text), printed]
        }
    };
    let class = match &field.kind {
        Kind::Whole { .. } | Kind::Real { .. } => "field number",
        _ => "field",
    };
    div(class, parts).attribute("data-control", field.name)
}

/// The ends of a whole number's slider: its reach, or where that is one value, the reach that it has in other states, so
/// that its place can be seen.
fn reach(field: &Field, values: &Values) -> (i64, i64) {
    match values.reach(field.name) {
        (low, high) if low < high => (low, high),
        _ => {
            let value = values.whole(field.name);
            let (low, high) = Values::new(values.fields()).reach(field.name);
            (low.min(value), high.max(value))
        }
    }
}

/// The text that a slider's position stands for.
pub fn from_slider(field: &Field, position: &str) -> String {
    match &field.kind {
        Kind::Whole { scale, .. } if *scale != SliderScale::Linear => {
            let position = parse::number(position).unwrap_or_default().round() as i64;
            scale.value(position).to_string()
        }
        _ => position.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static FIELDS: &[Field] = &[
        Field::toggle("pe", "positions", "位置编码", true),
        Field::toggle("causal", "causal", "因果", false),
        Field::toggle("mean", "mean", "平均", false).without_control(),
        Field::toggle("held", "held", "按住", false).session(),
    ];

    fn named(choose: impl Fn(&Field) -> bool) -> Vec<&'static str> {
        let chosen = FIELDS.iter().filter(|field| choose(field));
        chosen.map(|field| field.name).collect()
    }

    #[test]
    fn a_figure_shows_its_own_controls_or_those_that_it_is_given() {
        let offer = |shown| ControlPolicy {
            shown,
            locked: Names::default(),
        };
        let shown = |names: Option<Names>| named(|field| offer(names.clone()).shows(field));
        assert_eq!(shown(None), ["pe", "causal"]);
        assert_eq!(shown(Some(Names::All)), ["pe", "causal", "mean"]);
        assert_eq!(shown(Some(Names::read("mean"))), ["mean"]);
        let left: Vec<_> = left_by(&Names::read("pe"), FIELDS).collect();
        assert_eq!(left, ["causal"]);
        assert_eq!(left_by(&Names::All, FIELDS).count(), 0);
    }

    #[test]
    fn what_follows_from_others_shows_where_it_is() {
        static FIELDS: &[Field] = &[
            Field::toggle("locked", "locked", "锁定", false),
            Field::whole("n", "n", "n", 7, |v| {
                if v.on("locked") { (40, 40) } else { (0, 100) }
            }),
        ];
        let free = Values::with(FIELDS, "n=5");
        let follows = Values::with(FIELDS, "locked=on n=5");
        assert_eq!(reach(&FIELDS[1], &free), (0, 100));
        assert_eq!(reach(&FIELDS[1], &follows), (0, 100));
        let html = |values: &Values| {
            let offer = ControlPolicy::default();
            format!("{:?}", controls(values, Lang::En, &offer, None))
        };
        assert!(html(&follows).contains("disabled") && !html(&free).contains("disabled"));
    }

    #[test]
    fn everything_locked_leaves_what_passes() {
        let locked = |text| ControlPolicy {
            shown: None,
            locked: Names::read(text),
        };
        assert_eq!(
            named(|field| locked("*").locks(field)),
            ["pe", "causal", "mean"]
        );
        assert_eq!(named(|field| locked("held").locks(field)), ["held"]);

        let before = Values::new(FIELDS);
        let mut after = Values::with(FIELDS, "pe=off causal=on held=on");
        locked("*").hold(&mut after, &before);
        assert_eq!(after, Values::with(FIELDS, "held=on"));
    }
}
