//! Figures operated without a browser: real figures, in the surroundings of a made-up page.

mod groups;
mod input;
mod moves;

use super::*;
use crate::draw::{ColourMap, DrawContext, Frame, Point, Theme};
use crate::field::ThemeName;
use crate::figure::{Cursor, PointerAction, Region};
use crate::figures::AnyFigure;
use std::cell::RefCell;

/// Ids of two pointers.
const FIRST: i32 = 1;
const SECOND: i32 = 2;

/// Attributes written `name=value`, separated by spaces.
fn attributes(text: &str) -> Attributes {
    let pairs = text
        .split_whitespace()
        .filter_map(|pair| pair.split_once('='));
    Attributes::new(pairs.map(|(n, v)| (n.into(), v.into())).collect())
}

/// The attributes of the figures on a page and the values of its bench.
#[derive(Clone, Default)]
struct Page {
    figures: Rc<RefCell<Vec<Attributes>>>,
    bench: NamedValues,
    reduces_motion: bool,
}

impl Page {
    fn with(figures: &[&str]) -> Page {
        let figures = figures.iter().map(|text| attributes(text)).collect();
        Page {
            figures: Rc::new(RefCell::new(figures)),
            ..Page::default()
        }
    }
}

impl Surroundings for Page {
    fn members(&self, group: &str) -> Vec<Attributes> {
        let figures = self.figures.borrow();
        let members = figures.iter();
        members
            .filter(|figure| figure.get("group") == Some(group))
            .cloned()
            .collect()
    }

    fn bench(&self) -> NamedValues {
        self.bench.clone()
    }

    fn reduces_motion(&self) -> bool {
        self.reduces_motion
    }
}

const FRAME: Frame = Frame {
    width: 720.0,
    height: 400.0,
    pixels: 1.0,
    units: 1.0,
};

/// A session with the figure that is computed from its values.
struct Shown {
    session: Session,
    figure: Option<AnyFigure>,
    /// The effects of the first attributes.
    begun: Effects,
}

impl Shown {
    /// A figure alone on its page.
    fn new(text: &str) -> Shown {
        Shown::on(&Page::default(), text)
    }

    fn on(page: &Page, text: &str) -> Shown {
        Shown::kept(page, text, &[])
    }

    fn kept(page: &Page, text: &str, kept: &[(&str, &str)]) -> Shown {
        let (session, begun) =
            Session::new(Box::new(page.clone()), attributes(text), kept).unwrap();
        let mut shown = Shown {
            figure: None,
            session,
            begun,
        };
        shown.compute();
        shown
    }

    /// Computes the figure again, as every frame does.
    fn compute(&mut self) {
        let (view, values) = (self.session.view(), self.session.values());
        self.figure = AnyFigure::new(view, values, Lang::En, self.figure.take());
    }

    fn handle(&mut self, event: Event) -> Effects {
        let picture = self.figure.as_ref();
        let picture = picture.map(|figure| figure as &dyn Interactive);
        let effects = self.session.handle(event, picture);
        self.compute();
        effects
    }

    fn text(&self, name: &str) -> String {
        self.session.values().text(name)
    }

    fn input(&mut self, name: &str, text: &str, control: ControlType, finished: bool) -> Effects {
        let fields = self.session.values().fields();
        let field = fields.iter().find(|field| field.name == name).unwrap();
        self.handle(Event::Input(Input::Control {
            field,
            text,
            control,
            finished,
        }))
    }

    fn pointer(&mut self, action: PointerAction, at: Point) -> Effects {
        self.finger(FIRST, action, at)
    }

    /// As [`Shown::pointer`], by one of several pointers.
    fn finger(&mut self, id: i32, action: PointerAction, at: Point) -> Effects {
        let colours = Theme::named(ThemeName::Light).colour_map();
        let context = context(&colours);
        self.handle(Event::Input(Input::Pointer {
            id,
            at,
            action,
            context: &context,
        }))
    }

    /// The browser takes over what a pointer does.
    fn cancel(&mut self, id: i32) -> Effects {
        self.handle(Event::Input(Input::Cancel { id }))
    }

    /// The centre of the first handle of the figure.
    fn first_handle(&self) -> Point {
        let colours = Theme::named(ThemeName::Light).colour_map();
        let handles = self.figure.as_ref().unwrap().handles(&context(&colours));
        match handles[0].region {
            Region::Rect(rect) => rect.centre(),
            Region::Disc { centre, .. } => centre,
        }
    }

    fn key(&mut self, key: &str, repeat: bool) -> Effects {
        self.handle(Event::Input(Input::Key {
            key,
            shift: false,
            repeat,
        }))
    }

    fn attribute(&mut self, name: &str, text: Option<&str>) -> Effects {
        self.handle(Event::Attribute { name, text })
    }

    fn notice(&self) -> String {
        self.session.notice(Lang::En, true)
    }

    /// The kind of change that the group and the address are told, once.
    fn shared(&mut self) -> Option<Change> {
        let update = self.session.take_shared_update();
        assert!(self.session.take_shared_update().is_none());
        update.map(|update| update.change)
    }
}

fn context(colours: &ColourMap) -> DrawContext<'_> {
    DrawContext {
        theme: Theme::named(ThemeName::Light),
        colours,
        frame: FRAME,
    }
}

#[test]
fn attributes_set_fields_and_wrong_ones_are_named() {
    let mut shown = Shown::new("view=rotation k=7 weather=fine lock=tides loading=soon");
    assert_eq!(shown.text("k"), "7");
    let named: Vec<_> = shown
        .begun
        .errors
        .iter()
        .map(|it| it.input.clone())
        .collect();
    assert_eq!(named, ["tides", "soon", "weather"]);
    assert_eq!(shown.begun.changed, None);
    for name in named {
        assert!(shown.notice().contains(&name), "{}", shown.notice());
    }
    shown.handle(Event::Dismiss);
    assert_eq!(shown.notice(), "");

    // What has been dismissed is not reported again.
    let effects = shown.attribute("k", Some("x"));
    assert_eq!(effects.errors.len(), 1);
    assert_eq!((effects.errors[0].name, shown.text("k")), ("k", "3".into()));
    let effects = shown.attribute("k", None);
    assert!(effects.errors.is_empty() && shown.notice().is_empty());
    shown.attribute("k", Some("8"));
    assert_eq!(shown.attribute("k", None).changed, Some(Change::Move));
    assert_eq!(shown.text("k"), "3");
    // Corrected, then wrong again.
    shown.attribute("weather", None);
    assert_eq!(shown.attribute("weather", Some("wet")).errors.len(), 1);
}

#[test]
fn another_view_keeps_nothing_of_the_one_before() {
    let mut shown = Shown::new("view=rotaton k=7");
    let [problem] = shown.begun.errors.as_slice() else {
        panic!("{:?}", shown.begun.errors);
    };
    assert_eq!(
        (problem.name, problem.fallback.as_str()),
        ("view", "rotation")
    );
    assert_eq!(shown.session.view(), ViewName::Rotation);

    let effects = shown.handle(Event::Set(&[("view", "similarity"), ("pos", "2")]));
    assert!(effects.view_changed && effects.redraw);
    assert_eq!(effects.changed, Some(Change::Move));
    assert_eq!(
        (shown.text("k"), shown.text("pos")),
        ("5".into(), "2".into())
    );
    assert_eq!(shown.notice(), "");
    let effects = shown.handle(Event::Set(&[("view", "nothing like it")]));
    assert!(!effects.view_changed && effects.changed.is_none());
    assert_eq!(effects.errors.len(), 1);
    shown.attribute("view", None);
    assert_eq!(shown.session.view(), ViewName::Heatmap);
}

#[test]
fn a_reset_restores_what_the_attributes_say() {
    let mut shown = Shown::new("view=rotation k=7 pos=x");
    assert!(shown.session.is_initial());
    shown.handle(Event::Set(&[("k", "1"), ("pair", "2")]));
    shown.shared();
    assert!(!shown.session.is_initial());
    shown.handle(Event::Dismiss);
    let effects = shown.handle(Event::Reset);
    assert_eq!(effects.changed, Some(Change::Move));
    assert_eq!(
        (shown.text("k"), shown.text("pair")),
        ("7".into(), "4".into())
    );
    assert!(shown.session.is_initial());
    // The wrong attribute is named again.
    assert!(shown.notice().contains("pos"), "{}", shown.notice());
    assert_eq!(shown.shared(), Some(Change::Move));
    assert_eq!(shown.handle(Event::Reset).changed, None);
    shown.attribute("k", Some("4"));
    assert!(shown.session.is_initial());
}

#[test]
fn the_last_step_is_printed_unless_the_reader_has_chosen_one() {
    let printed = |shown: &Shown| shown.session.printed_values(false).text("step");
    let mut shown = Shown::new("view=by-hand step=8");
    assert_eq!(
        (shown.text("step"), printed(&shown)),
        ("8".into(), "16".into())
    );
    assert_eq!(shown.session.printed_values(true).text("step"), "8");
    shown.handle(Event::Set(&[("step", "5")]));
    assert_eq!(printed(&shown), "5");
}

#[test]
fn a_state_that_was_kept_comes_before_the_attributes() {
    let kept = [("view", "similarity"), ("k", "-2")];
    let shown = Shown::kept(&Page::default(), "view=rotation k=7 pos=9", &kept);
    assert_eq!(shown.session.view(), ViewName::Similarity);
    assert_eq!(
        (shown.text("k"), shown.text("pos")),
        ("-2".into(), "10".into())
    );
}

#[test]
fn playback_steps_with_time_and_begins_again_after_the_last_position() {
    let mut shown = Shown::new("view=rotation max_len=8 pos=6");
    assert_eq!(
        shown.handle(Event::AdvancePlayback(0.0)),
        Effects::default()
    );
    shown.handle(Event::Play(true));
    assert!(shown.session.is_playing());
    let (mut seen, mut told) = (vec![shown.text("pos")], 0);
    for frame in 0..=80 {
        let effects = shown.handle(Event::AdvancePlayback(1000.0 + 20.0 * f64::from(frame)));
        told += usize::from(effects.changed == Some(Change::Follow));
        if effects.changed.is_some() {
            seen.push(shown.text("pos"));
        }
    }
    // 1.6 s at 2.5 steps a second.
    assert_eq!((seen.join(" "), told), ("6 7 0 1 2".into(), 4));
    shown.handle(Event::Play(false));
    assert_eq!(
        shown.handle(Event::AdvancePlayback(9000.0)),
        Effects::default()
    );

    assert_eq!(shown.handle(Event::Step(-3)).changed, Some(Change::Move));
    assert_eq!(shown.text("pos"), "7");
    let mut still = Shown::new("view=perplexity");
    assert_eq!(still.handle(Event::Step(1)), Effects::default());
    still.handle(Event::Play(true));
    assert!(!still.session.is_playing());
}

#[test]
fn a_change_is_told_once_and_the_state_is_new_by_then() {
    let mut shown = Shown::new("view=rotation");
    let effects = shown.handle(Event::Set(&[("k", "9"), ("pos", "4"), ("k", "8")]));
    assert_eq!(effects.changed, Some(Change::Move));
    assert_eq!(effects.fields_set, ["k", "k", "pos"]);
    // A listener that sets the same again, or sets back what it is given, causes no further change.
    let same = shown.handle(Event::Set(&[("k", "8")]));
    assert_eq!((same.changed, same.redraw), (None, true));
    // A listener that corrects a value gets its own change, and nobody hears of the first one twice.
    assert_eq!(
        shown.handle(Event::Set(&[("k", "7")])).changed,
        Some(Change::Move)
    );
    let update = shown.session.take_shared_update().unwrap();
    let value = |name| update.shared.iter().find(|(n, _)| *n == name);
    assert_eq!(value("k"), Some(&("k", "7".to_string())));
    assert!(update.changed.contains(&("pos", "4".to_string())));
    assert_eq!(shown.shared(), None);
    // The last change says how it is to be shown.
    shown.key("ArrowRight", false);
    shown.key("ArrowRight", true);
    assert_eq!(shown.shared(), Some(Change::Follow));
}

#[test]
fn silence_is_no_change() {
    let mut shown = Shown::new("view=corridor sound=on");
    let effects = shown.handle(Event::Mute);
    assert_eq!((effects.changed, shown.text("sound")), (None, "off".into()));
    assert!(effects.redraw);
    assert_eq!(shown.shared(), None);
}

#[test]
fn the_core_that_was_restarted_says_so() {
    let mut shown = Shown::new("view=rotation");
    assert!(shown.handle(Event::Restarted).redraw);
    shown.handle(Event::Canvas(false));
    assert!(!shown.notice().is_empty());
    shown.handle(Event::Dismiss);
    assert_eq!(shown.notice(), "");
}

proptest::proptest! {
    /// Whatever happens, every change of the values is told once, nothing else is, and the reader does not change what is
    /// locked.
    #[test]
    fn every_change_is_told_once(
        steps in proptest::collection::vec((0u8..12, 0.0..720.0, 0.0..400.0, -70i64..70), 1..30)
    ) {
        let mut shown = Shown::new("view=compose lock=j");
        for (what, x, y, number) in steps {
            let before = shown.session.values().clone();
            let text = number.to_string();
            let effects = match what {
                0 => shown.pointer(PointerAction::Hover, Point::new(x, y)),
                1 => shown.pointer(PointerAction::Press, Point::new(x, y)),
                2 => shown.pointer(PointerAction::Drag, Point::new(x, y)),
                3 => shown.pointer(PointerAction::Release, Point::new(x, y)),
                4 => shown.cancel(FIRST),
                5 => shown.key(if number < 0 { "ArrowLeft" } else { "ArrowDown" }, number % 2 == 0),
                6 => shown.handle(Event::Input(Input::Act { action: "set", value: "swap" })),
                7 => shown.input("k", &text, ControlType::Slider, false),
                8 => shown.input("j", &text, ControlType::Typed, number < 0),
                9 => shown.handle(Event::Set(&[("k", &text), ("j", &text)])),
                10 => shown.handle(Event::Step(number)),
                _ => shown.handle(Event::Reset),
            };
            let changed = *shown.session.values() != before;
            proptest::prop_assert_eq!(effects.changed.is_some(), changed);
            proptest::prop_assert_eq!(shown.shared(), effects.changed);
            proptest::prop_assert!(effects.redraw || !changed);
            let by_reader = what < 9;
            proptest::prop_assert!(!by_reader || shown.text("j") == before.text("j"));
        }
    }
}
