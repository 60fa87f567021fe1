//! Keys, controls, names and locks.

use super::super::super::ControlType;
use super::*;

#[test]
fn keys_select_and_zoom() {
    let mut bench = Bench::new("d_model=16&max_len=32&pos=4&pair=1&k=3");
    let effects = bench.key(ViewName::Rotation, "ArrowRight");
    assert!(effects.prevents_default && effects.announces && effects.redraw);
    assert_eq!(bench.values()[0], 5.0);
    assert!(bench.session.is_moving());
    // While a key is held, the picture follows.
    bench.handle(Event::Key {
        view: ViewName::Rotation,
        key: "ArrowRight",
        shift: true,
        repeat: true,
    });
    assert_eq!(bench.values()[0], 15.0);
    assert_eq!(bench.drawn()[0], 15.0);
    bench.key(ViewName::Rotation, "ArrowUp");
    bench.key(ViewName::Tokens, "ArrowUp");
    let selected = [SettingId::Pair, SettingId::K].map(|key| bench.text(key));
    assert_eq!(selected, ["2", "4"]);
    let effects = bench.key(ViewName::Rotation, "x");
    assert!(!effects.prevents_default && !effects.redraw && !effects.announces);

    bench.key(ViewName::Heatmap, "+");
    assert!(near(bench.session.state().positions().width(), 16.0, 0.1));
    bench.key(ViewName::Heatmap, "0");
    assert_eq!(bench.window(), ["", ""]);
    bench.key(ViewName::Waves, "=");
    let [positions, dimensions] = bench.window();
    assert!(!positions.is_empty() && dimensions.is_empty());
    bench.key(ViewName::Waves, "-");
    assert_eq!(bench.window(), ["", ""]);
    // On the dial and on the tokens, which do not zoom, they change k.
    bench.key(ViewName::Rotation, "+");
    assert_eq!(bench.text(SettingId::K), "5");
    bench.key(ViewName::Tokens, "-");
    assert_eq!(bench.text(SettingId::K), "4");
    assert_eq!(bench.window(), ["", ""]);
    // What a key selects is scrolled to.
    bench.key(ViewName::Heatmap, "+");
    bench.key(ViewName::Heatmap, "Home");
    assert!(bench.session.state().positions().start() < 1.0);
}

#[test]
fn a_locked_setting_stays_whatever_the_reader_does() {
    let mut bench = Bench::new("d_model=16&max_len=32&pos=4&pair=1&k=3&lock=pos+zoom");
    let before = bench.session.state().clone();
    let ring = bench.ring(Hand::Pos, 0.0);
    let to = bench.ring(Hand::Pos, 1.0);
    bench.drag(ViewName::Rotation, ring, &[to]);
    bench.release(ViewName::Rotation, to);
    bench.handle(Event::Play(true));
    assert!(!bench.session.is_playing());
    let at = bench.middle(ViewName::Heatmap);
    let effects = bench.wheel(ViewName::Heatmap, at, -200.0, 1000.0);
    assert!(!effects.prevents_default && !effects.redraw);
    bench.handle(Event::Tool { zooms: true });
    bench.drag(ViewName::Heatmap, at, &[]);
    bench.release(ViewName::Heatmap, at);
    bench.handle(Event::Tool { zooms: false });
    let effects = bench.key(ViewName::Rotation, "ArrowRight");
    assert!(effects.restores_controls);
    bench.handle(Event::Zoom(0.5));
    bench.handle(Event::Step(1));
    bench.set("pos", "9", false);
    assert_eq!(*bench.session.state(), before);
    bench.assert_settled();
    // The other hand is free, and so is a script.
    let ring = bench.ring(Hand::Target, 0.0);
    let to = bench.ring(Hand::Target, 1.0);
    bench.drag(ViewName::Rotation, ring, &[to]);
    bench.release(ViewName::Rotation, to);
    assert_ne!(bench.values()[1], 3.0);
    bench.set("pos", "9", true);
    assert_eq!(bench.values()[0], 9.0);
}

#[test]
fn a_locked_language_is_read_again() {
    let mut bench = Bench::new("lang=en&lock=lang");
    let effects = bench.set("lang", "zh", false);
    assert!(effects.affects_page && effects.restores_controls);
    assert_eq!(bench.text(SettingId::Lang), "en");
}

#[test]
fn what_is_typed_is_reported_when_it_is_complete() {
    let mut bench = Bench::new("d_model=16&max_len=32&pos=4");
    let mut typed = |text: &str, finished| {
        let effects = bench.handle(Event::Control {
            field: SettingId::Pos.field(),
            text,
            control: ControlType::Typed,
            finished,
        });
        let problems: Vec<_> = effects.errors.iter().map(|it| it.input.clone()).collect();
        (
            effects.fields_set.len(),
            problems.join(" "),
            bench.text(SettingId::Pos),
            bench.session.is_typing(),
        )
    };
    assert_eq!(typed("7", false), (0, String::new(), "7".into(), true));
    assert_eq!(typed("70", false).1, "");
    assert_eq!(typed("70", true), (1, "70".into(), "31".into(), false));
    assert_eq!(typed("8", true), (1, String::new(), "8".into(), false));
    let effects = bench.set("pos", "x", false);
    assert_eq!(effects.fields_set, ["pos"]);
    assert_eq!(effects.errors[0].input, "x");
    assert!(bench.set("theme", "dark", false).affects_page);
    assert!(!bench.set("k", "2", false).affects_page);
}

#[test]
fn pairs_are_compared_once_and_four_at_most() {
    let mut bench = Bench::new("d_model=16");
    for pair in ["0", "3", "3", "5", "6"] {
        assert!(bench.handle(Event::Compare(pair)).errors.is_empty());
    }
    let effects = bench.handle(Event::Compare("7"));
    assert!(effects.fields_set.is_empty());
    assert_eq!(bench.session.state().compare(), [0, 3, 5, 6]);
    bench.handle(Event::CompareLess(3));
    let effects = bench.handle(Event::Compare("99"));
    assert_eq!(
        (effects.errors[0].name, effects.errors[0].input.as_str()),
        ("compare", "99")
    );
    assert_eq!(bench.session.state().compare(), [0, 5, 6]);
}

#[test]
fn a_reset_keeps_the_settings_of_the_page() {
    let mut bench = Bench::new("pos=9&k=7&lang=zh&theme=dark&hide=share");
    bench.handle(Event::Tool { zooms: true });
    bench.handle(Event::Play(true));
    let reset = |to, by_script| Event::Reset { to, by_script };
    let initial = State::default();
    assert!(bench.handle(reset(&initial, false)).affects_page);
    assert!(!bench.session.is_zooming() && !bench.session.is_playing());
    let kept = [SettingId::Lang, SettingId::Theme, SettingId::Hide];
    assert_eq!(kept.map(|key| bench.text(key)), ["zh", "dark", "share"]);
    for key in [SettingId::Pos, SettingId::K] {
        assert_eq!(bench.text(key), initial.text(key));
    }
    // A script resets to what the link says, what is locked as well.
    let link = "view=rotation&k=7&lock=k";
    let mut bench = Bench::new(link);
    bench.set("k", "9", true);
    bench.set("theme", "dark", true);
    let begun = read_link("", link).state;
    bench.handle(reset(&begun, false));
    assert_eq!(bench.text(SettingId::K), "9");
    bench.handle(reset(&begun, true));
    assert_eq!(bench.text(SettingId::K), "7");
    assert_eq!(bench.text(SettingId::Theme), "dark");
}

#[test]
fn another_state_is_there_at_once() {
    let mut bench = Bench::new("pos=9&k=7");
    bench.set("pos", "30", false);
    bench.session.replace(read_link("", "pos=2&k=1").state);
    bench.frame();
    assert_eq!(bench.values(), [2.0, 1.0]);
    bench.assert_settled();
    // A figure of the lesson that is shown alone keeps the names that it knows.
    let state = read_link("", "view=similarity&hide=share,tides").state;
    bench.session.replace(state);
    let problems = bench.session.remove_unknown_names();
    assert_eq!(problems.len(), 1);
    assert_eq!(bench.text(SettingId::Hide), "share");
}
