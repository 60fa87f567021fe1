//! Figures operated without a browser: real figures, in the surroundings of a made-up page.

use super::*;
use crate::draw::{ColourMap, DrawContext, Frame, Theme};
use crate::field::ThemeName;
use crate::figure::{Cursor, PointerAction, Region};
use crate::figures::AnyFigure;
use std::cell::RefCell;

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

    fn pointer(&mut self, action: PointerAction, at: (f64, f64)) -> Effects {
        let colours = Theme::named(ThemeName::Light).colour_map();
        let context = context(&colours);
        self.handle(Event::Input(Input::Pointer {
            at,
            action,
            context: &context,
        }))
    }

    /// The centre of the first handle of the figure.
    fn first_handle(&self) -> (f64, f64) {
        let colours = Theme::named(ThemeName::Light).colour_map();
        let handles = self.figure.as_ref().unwrap().handles(&context(&colours));
        match handles[0].region {
            Region::Rect(rect) => (rect.centre_x(), rect.y + rect.height / 2.0),
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
    fn announced(&mut self) -> Option<Change> {
        let announced = self.session.take_announcement();
        assert!(self.session.take_announcement().is_none());
        announced.map(|announcement| announcement.change)
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
fn a_number_is_used_while_it_is_typed_and_corrected_when_it_is_finished() {
    let mut shown = Shown::new("view=rotation");
    let effects = shown.input("k", "-", ControlType::Typed, false);
    // Half a number: nothing changes, and nothing is wrong yet.
    assert_eq!(effects.changed, None);
    assert!(effects.errors.is_empty() && !effects.restores_controls);
    assert!(shown.session.is_typing());
    assert_eq!(shown.announced(), None);

    let effects = shown.input("k", "-4", ControlType::Typed, false);
    assert_eq!(effects.changed, Some(Change::Move));
    assert_eq!(shown.text("k"), "-4");
    let effects = shown.input("k", "-4", ControlType::Typed, true);
    assert_eq!(effects.changed, None);
    assert!(effects.restores_controls && !shown.session.is_typing());
    assert_eq!(shown.announced(), Some(Change::Move));

    shown.input("max_len", "64", ControlType::Typed, true);
    let effects = shown.input("pos", "900", ControlType::Typed, true);
    assert_eq!(shown.text("pos"), "63");
    let [problem] = effects.errors.as_slice() else {
        panic!("{:?}", effects.errors);
    };
    assert_eq!((problem.name, problem.fallback.as_str()), ("pos", "63"));
    assert_eq!(shown.notice(), problem.words(Lang::En));
    // A valid value clears the notice.
    shown.input("pos", "5", ControlType::Typed, true);
    assert_eq!(shown.notice(), "");
}

#[test]
fn the_focus_ends_an_edit() {
    let mut shown = Shown::new("view=rotation");
    shown.input("k", "1", ControlType::Typed, false);
    assert!(shown.handle(Event::Input(Input::FocusOut)).redraw);
    assert!(!shown.session.is_typing());
    // A control that was not typed in shows what it says.
    shown.input("k", "12", ControlType::Slider, false);
    assert!(!shown.handle(Event::Input(Input::FocusOut)).redraw);
}

#[test]
fn a_slider_is_followed_and_what_it_passes_leaves_no_trace() {
    let mut shown = Shown::new("view=rotation d_model=128 pair=40");
    let effects = shown.input("d_model", "2", ControlType::Slider, false);
    assert_eq!(effects.changed, Some(Change::Follow));
    assert!(!shown.session.is_typing());
    assert_eq!(shown.text("pair"), "0");
    shown.input("d_model", "100", ControlType::Slider, false);
    shown.input("d_model", "100", ControlType::Slider, true);
    assert_eq!(
        (shown.text("d_model"), shown.text("pair")),
        ("100".into(), "40".into())
    );
    assert_eq!(shown.announced(), Some(Change::Follow));
    let effects = shown.input("d_model", "128", ControlType::Chosen, false);
    assert_eq!(effects.changed, Some(Change::Move));
    assert!(effects.restores_controls);
}

#[test]
fn a_drag_follows_the_pointer_and_is_undone_when_the_browser_scrolls() {
    let mut shown = Shown::new("view=similarity");
    let (x, y) = shown.first_handle();
    let before = shown.session.values().clone();
    let effects = shown.pointer(PointerAction::Hover, (x, y));
    assert_eq!(
        (effects.changed, effects.cursor),
        (None, Some(Cursor::Crosshair))
    );

    let effects = shown.pointer(PointerAction::Press, (x, y));
    assert_eq!(effects.changed, Some(Change::Move));
    let pressed = shown.session.values().clone();
    assert_ne!(pressed, before);
    let effects = shown.pointer(PointerAction::Drag, (x + 40.0, y));
    assert_eq!(effects.changed, Some(Change::Follow));
    assert_ne!(*shown.session.values(), pressed);
    // The drag goes on where it was, without a change.
    assert_eq!(
        shown.pointer(PointerAction::Drag, (x + 40.0, y)).changed,
        None
    );

    let effects = shown.handle(Event::Input(Input::Cancel));
    assert_eq!(effects.changed, Some(Change::Move));
    assert_eq!(*shown.session.values(), before);
    // A press that has ended is not undone.
    shown.pointer(PointerAction::Press, (x, y));
    assert_eq!(shown.pointer(PointerAction::Release, (x, y)).changed, None);
    let released = shown.session.values().clone();
    assert_eq!(
        shown.handle(Event::Input(Input::Cancel)),
        Effects::default()
    );
    assert_eq!(*shown.session.values(), released);
}

#[test]
fn a_touch_scrolls_the_page_unless_it_is_on_a_grip() {
    let grip = Shown::new("view=compose");
    let area = Shown::new("view=similarity");
    for (mut shown, grips) in [(grip, true), (area, false)] {
        let at = shown.first_handle();
        assert!(!shown.handle(Event::Input(Input::Touch)).prevents_default);
        shown.pointer(PointerAction::Press, at);
        assert_eq!(
            shown.handle(Event::Input(Input::Touch)).prevents_default,
            grips
        );
        let cursor = shown.pointer(PointerAction::Drag, at).cursor;
        assert_eq!(cursor == Some(Cursor::Grabbing), grips);
        shown.pointer(PointerAction::Release, at);
        assert!(!shown.handle(Event::Input(Input::Touch)).prevents_default);
    }
}

#[test]
fn a_press_ends_with_the_view_that_it_was_on() {
    let mut shown = Shown::new("view=similarity");
    let at = shown.first_handle();
    shown.pointer(PointerAction::Press, at);
    let effects = shown.handle(Event::Set(&[("view", "rotation"), ("k", "9")]));
    assert!(effects.view_changed);
    assert_eq!(
        shown.handle(Event::Input(Input::Cancel)),
        Effects::default()
    );
    assert_eq!(shown.text("k"), "9");
}

#[test]
fn a_locked_field_keeps_its_value_whatever_the_reader_does() {
    let mut shown = Shown::new("view=similarity lock=pos");
    let at = shown.first_handle();
    shown.pointer(PointerAction::Press, at);
    assert_eq!(shown.text("pos"), "10");
    assert_ne!(shown.text("k"), "5");
    shown.handle(Event::Input(Input::Cancel));
    assert_eq!(shown.text("k"), "5");

    shown.attribute("lock", Some("*"));
    let before = shown.session.values().clone();
    assert_eq!(shown.pointer(PointerAction::Press, at).changed, None);
    assert_eq!(shown.pointer(PointerAction::Drag, (0.0, 0.0)).changed, None);
    assert_eq!(shown.key("ArrowRight", false).changed, None);
    let effects = shown.input("d_model", "64", ControlType::Slider, false);
    assert_eq!(effects.changed, None);
    assert_eq!(*shown.session.values(), before);
    assert_eq!(shown.announced(), Some(Change::Move), "of the first press");
    // A script is not the reader.
    let effects = shown.handle(Event::Set(&[("pos", "3")]));
    assert_eq!(effects.changed, Some(Change::Move));
    assert_eq!(shown.text("pos"), "3");
}

#[test]
fn keys_move_at_first_and_are_followed_while_they_are_held() {
    let mut shown = Shown::new("view=similarity");
    let effects = shown.key("ArrowRight", false);
    assert_eq!(effects.changed, Some(Change::Move));
    assert!(effects.prevents_default && effects.announces);
    let effects = shown.key("ArrowRight", true);
    assert_eq!(effects.changed, Some(Change::Follow));
    assert_eq!(shown.text("k"), "7");
    let effects = shown.key("End", false);
    assert_eq!(
        (shown.text("k"), effects.changed),
        ("39".into(), Some(Change::Move))
    );
    // At the end the key is still the figure's, but changes nothing.
    let effects = shown.key("ArrowRight", false);
    assert!(effects.prevents_default && effects.changed.is_none());
    assert_eq!(shown.key("Tab", false), Effects::default());
}

#[test]
fn buttons_of_a_figure_act() {
    let mut shown = Shown::new("view=compose j=4 k=7");
    let swap = Event::Input(Input::Act {
        action: "set",
        value: "swap",
    });
    let effects = shown.handle(swap);
    assert_eq!(effects.changed, Some(Change::Move));
    assert!(effects.announces);
    assert_eq!((shown.text("j"), shown.text("k")), ("7".into(), "4".into()));
    // What is pointed at is shown without a word.
    let over = Event::Input(Input::Over {
        action: "set",
        value: "none",
    });
    let effects = shown.handle(over);
    assert_eq!(effects.changed, Some(Change::Follow));
    assert!(!effects.announces);
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
    shown.announced();
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
    assert_eq!(shown.announced(), Some(Change::Move));
    assert_eq!(shown.handle(Event::Reset).changed, None);
    shown.attribute("k", Some("4"));
    assert!(shown.session.is_initial());
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
    assert_eq!(shown.handle(Event::Frame(0.0)), Effects::default());
    shown.handle(Event::Play(true));
    assert!(shown.session.is_playing());
    let (mut seen, mut told) = (vec![shown.text("pos")], 0);
    for frame in 0..=80 {
        let effects = shown.handle(Event::Frame(1000.0 + 20.0 * f64::from(frame)));
        told += usize::from(effects.changed == Some(Change::Follow));
        if effects.changed.is_some() {
            seen.push(shown.text("pos"));
        }
    }
    // 1.6 s at 2.5 steps a second.
    assert_eq!((seen.join(" "), told), ("6 7 0 1 2".into(), 4));
    shown.handle(Event::Play(false));
    assert_eq!(shown.handle(Event::Frame(9000.0)), Effects::default());

    assert_eq!(shown.handle(Event::Step(-3)).changed, Some(Change::Move));
    assert_eq!(shown.text("pos"), "7");
    let mut still = Shown::new("view=properties");
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
    let announcement = shown.session.take_announcement().unwrap();
    let value = |name| announcement.shared.iter().find(|(n, _)| *n == name);
    assert_eq!(value("k"), Some(&("k", "7".to_string())));
    assert!(announcement.changed.contains(&("pos", "4".to_string())));
    assert_eq!(shown.announced(), None);
    // The last change says how it is to be shown.
    shown.key("ArrowRight", false);
    shown.key("ArrowRight", true);
    assert_eq!(shown.announced(), Some(Change::Follow));
}

#[test]
fn silence_is_no_change() {
    let mut shown = Shown::new("view=corridor sound=on");
    let effects = shown.handle(Event::Mute);
    assert_eq!((effects.changed, shown.text("sound")), (None, "off".into()));
    assert!(effects.redraw);
    assert_eq!(shown.announced(), None);
}

#[test]
fn a_group_begins_with_the_first_attribute_that_sets_a_value() {
    let page = Page::with(&[
        "view=similarity group=first",
        "view=rotation group=first k=5",
        "view=rotation group=first k=9 pair=7",
        "view=rotation group=other k=1",
    ]);
    let second = Shown::on(&page, "view=rotation group=first k=9 pair=7");
    assert_eq!(
        (second.text("k"), second.text("pair")),
        ("5".into(), "7".into())
    );
    assert_eq!(second.begun.changed, Some(Change::Move));
    let first = Shown::on(&page, "view=similarity group=first");
    assert_eq!(first.text("k"), "5");
    // Of what no attribute sets, the first figure that has it gives the default.
    assert_eq!(
        (first.text("d_model"), second.text("d_model")),
        ("512".into(), "512".into())
    );
    let other = Shown::on(&page, "view=rotation group=other k=1");
    assert_eq!(other.text("k"), "1");
}

#[test]
fn members_take_what_they_have_fields_for() {
    let page = Page::with(&["view=rotation group=taking", "view=similarity group=taking"]);
    let mut one = Shown::on(&page, "view=rotation group=taking");
    let mut two = Shown::on(&page, "view=similarity group=taking");
    for (event, change) in [
        (Event::Set(&[("k", "8"), ("pair", "3")]), Change::Move),
        (Event::Set(&[("max_len", "20")]), Change::Move),
    ] {
        assert_eq!(one.handle(event).changed, Some(change));
        let announcement = one.session.take_announcement().unwrap();
        let group = announcement.group.unwrap();
        assert!(two.session.in_group(group.name()));
        let effects = two.handle(Event::Sync {
            values: &group.values(),
            change: announcement.change,
        });
        // It tells its listeners, but not the group, which knows.
        assert_eq!(effects.changed, Some(change));
        assert!(effects.redraw);
        assert_eq!(two.announced(), None);
    }
    assert_eq!(
        (two.text("k"), two.text("max_len")),
        ("8".into(), "20".into())
    );
    let values = two.session.take_announcement();
    assert!(values.is_none());

    // One that comes late takes what the group shows now, whatever it says.
    let late = Shown::on(&page, "view=rotation group=taking k=2");
    assert_eq!(
        (late.text("k"), late.text("pair")),
        ("8".into(), "3".into())
    );
    let mut later = Shown::on(&page, "view=rotation k=2");
    let effects = later.attribute("group", Some("taking"));
    assert_eq!(
        (effects.changed, later.text("k")),
        (Some(Change::Move), "8".into())
    );
    assert_eq!(later.announced(), None);
    // One that changes its view takes the values of the new fields from the group.
    two.handle(Event::Set(&[("view", "rotation")]));
    assert_eq!(two.text("pair"), "3");
    two.attribute("group", None);
    two.handle(Event::Set(&[("k", "1")]));
    assert!(two.session.take_announcement().unwrap().group.is_none());
}

#[test]
fn a_held_key_is_followed_by_the_group() {
    let page = Page::with(&["view=similarity group=held"]);
    let mut shown = Shown::on(&page, "view=similarity group=held");
    shown.key("ArrowRight", true);
    assert_eq!(shown.announced(), Some(Change::Follow));
}

#[test]
fn a_group_is_reset_to_the_attributes_of_its_members() {
    let page = Page::with(&["view=rotation group=back k=5", "view=rotation group=back"]);
    let mut first = Shown::on(&page, "view=rotation group=back k=5");
    let mut second = Shown::on(&page, "view=rotation group=back");
    assert!(second.session.is_initial());
    for (event, k, pos) in [
        (Event::Set(&[("k", "9"), ("pos", "3")]), "9", "3"),
        (Event::Reset, "5", "10"),
    ] {
        second.handle(event);
        let announcement = second.session.take_announcement().unwrap();
        first.handle(Event::Sync {
            values: &announcement.group.unwrap().values(),
            change: announcement.change,
        });
        for shown in [&first, &second] {
            assert_eq!((shown.text("k"), shown.text("pos")), (k.into(), pos.into()));
            assert_eq!(shown.session.is_initial(), k == "5");
        }
    }
}

#[test]
fn the_group_of_the_bench_has_the_values_of_the_bench() {
    let page = Page {
        bench: vec![("k", "12".into()), ("theme", "dark".into())],
        ..Page::with(&["view=rotation group=bench k=5"])
    };
    let mut shown = Shown::on(&page, "view=rotation group=bench k=5");
    assert_eq!(shown.text("k"), "12");
    assert!(shown.session.in_group(BENCH_GROUP));
    // A reset goes back to what its own attributes say, and tells the bench.
    shown.handle(Event::Reset);
    assert_eq!(shown.text("k"), "5");
    assert_eq!(shown.announced(), Some(Change::Move));
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
                0 => shown.pointer(PointerAction::Hover, (x, y)),
                1 => shown.pointer(PointerAction::Press, (x, y)),
                2 => shown.pointer(PointerAction::Drag, (x, y)),
                3 => shown.pointer(PointerAction::Release, (x, y)),
                4 => shown.handle(Event::Input(Input::Cancel)),
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
            proptest::prop_assert_eq!(shown.announced(), effects.changed);
            proptest::prop_assert!(effects.redraw || !changed);
            let by_reader = what < 9;
            proptest::prop_assert!(!by_reader || shown.text("j") == before.text("j"));
        }
    }
}

/// Positions from which and at which pos is drawn after an event, at the beginning and at the end of a move.
fn drawn_after(shown: &mut Shown, event: Event) -> (f64, f64) {
    shown.handle(event);
    let drawn =
        |session: &Session| session.values().whole("pos") as f64 + session.displacement().pos.left;
    shown.session.advance(0.0);
    let begin = drawn(&shown.session);
    shown.session.advance(1.0);
    for end in [2000.0, 4000.0] {
        shown.session.advance(end);
    }
    assert!(!shown.session.is_moving());
    (begin, drawn(&shown.session))
}

#[test]
fn a_single_change_moves_and_the_values_are_there_at_once() {
    let mut shown = Shown::new("view=rotation pos=10 k=3");
    assert_eq!(
        drawn_after(&mut shown, Event::Set(&[("pos", "37")])),
        (10.0, 37.0)
    );
    assert_eq!(drawn_after(&mut shown, Event::Step(1)), (37.0, 38.0));
    let key = |repeat| {
        Event::Input(Input::Key {
            key: "ArrowRight",
            shift: false,
            repeat,
        })
    };
    assert_eq!(drawn_after(&mut shown, key(false)), (38.0, 39.0));
    assert_eq!(
        drawn_after(&mut shown, key(true)),
        (40.0, 40.0),
        "a held key is followed"
    );
    shown.handle(Event::Set(&[("pos", "20")]));
    assert_eq!(shown.text("pos"), "20");
    assert_eq!(shown.session.passing_values().whole("pos"), 40);
    let reset = Event::Reset;
    assert_eq!(drawn_after(&mut shown, reset), (40.0, 10.0));
}

#[test]
fn a_slider_is_followed_and_a_typed_number_moves() {
    let mut shown = Shown::new("view=rotation pos=10");
    shown.input("pos", "30", ControlType::Slider, false);
    assert!(!shown.session.is_moving());
    shown.input("pos", "40", ControlType::Typed, true);
    assert!(shown.session.is_moving());
}

#[test]
fn nothing_moves_for_those_who_ask_for_less_motion() {
    let page = Page {
        reduces_motion: true,
        ..Page::default()
    };
    let mut shown = Shown::on(&page, "view=rotation pos=10");
    shown.handle(Event::Set(&[("pos", "37")]));
    assert!(!shown.session.is_moving());
}

#[test]
fn another_view_is_there_at_once() {
    let mut shown = Shown::new("view=rotation pos=10");
    shown.handle(Event::Set(&[("pos", "37")]));
    shown.handle(Event::Set(&[("view", "clocks")]));
    assert!(!shown.session.is_moving());
}

#[test]
fn a_hand_that_is_let_go_between_two_positions_goes_to_the_nearest() {
    // Pair 40 turns by 0.3 degrees a position: two pixels are several positions.
    let mut shown = Shown::new("view=rotation max_len=2000 pos=900 pair=40");
    let (x, y) = shown.first_handle();
    shown.pointer(PointerAction::Press, (x, y));
    shown.pointer(PointerAction::Drag, (x + 2.0, y + 2.0));
    assert_ne!(shown.text("pos"), "900");
    let held = shown.figure.as_ref().unwrap().held().pos.left;
    assert!(held != 0.0 && held.abs() <= 0.5, "{held}");
    let effects = shown.pointer(PointerAction::Release, (x + 2.0, y + 2.0));
    assert_eq!((effects.changed, effects.redraw), (None, true));
    shown.session.advance(0.0);
    assert_eq!(shown.session.displacement().pos.left, held);
    shown.session.advance(1000.0);
    assert!(!shown.session.is_moving());
}
