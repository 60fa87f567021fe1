//! Controls, pointers, keys and buttons.

use super::*;
use crate::draw::Point;

#[test]
fn a_number_is_used_while_it_is_typed_and_corrected_when_it_is_finished() {
    let mut shown = Shown::new("view=rotation");
    let effects = shown.input("k", "-", ControlType::Typed, false);
    // Half a number: nothing changes, and nothing is wrong yet.
    assert_eq!(effects.changed, None);
    assert!(effects.errors.is_empty() && !effects.restores_controls);
    assert!(shown.session.is_typing());
    assert_eq!(shown.shared(), None);

    let effects = shown.input("k", "-4", ControlType::Typed, false);
    assert_eq!(effects.changed, Some(Change::Move));
    assert_eq!(shown.text("k"), "-4");
    let effects = shown.input("k", "-4", ControlType::Typed, true);
    assert_eq!(effects.changed, None);
    assert!(effects.restores_controls && !shown.session.is_typing());
    assert_eq!(shown.shared(), Some(Change::Move));

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
    assert_eq!(shown.shared(), Some(Change::Follow));
    let effects = shown.input("d_model", "128", ControlType::Chosen, false);
    assert_eq!(effects.changed, Some(Change::Move));
    assert!(effects.restores_controls);
}

#[test]
fn a_drag_follows_the_pointer_and_is_undone_when_the_browser_scrolls() {
    let mut shown = Shown::new("view=similarity");
    let at = shown.first_handle();
    let before = shown.session.values().clone();
    let effects = shown.pointer(PointerAction::Hover, at);
    assert_eq!(
        (effects.changed, effects.cursor),
        (None, Some(Cursor::Crosshair))
    );

    let effects = shown.pointer(PointerAction::Press, at);
    assert_eq!(effects.changed, Some(Change::Move));
    let pressed = shown.session.values().clone();
    assert_ne!(pressed, before);
    let effects = shown.pointer(PointerAction::Drag, at + (40.0, 0.0));
    assert_eq!(effects.changed, Some(Change::Follow));
    assert_ne!(*shown.session.values(), pressed);
    // The drag goes on where it was, without a change.
    assert_eq!(
        shown.pointer(PointerAction::Drag, at + (40.0, 0.0)).changed,
        None
    );

    let effects = shown.cancel(FIRST);
    assert_eq!(effects.changed, Some(Change::Move));
    assert_eq!(*shown.session.values(), before);
    // A press that has ended is not undone.
    shown.pointer(PointerAction::Press, at);
    assert_eq!(shown.pointer(PointerAction::Release, at).changed, None);
    let released = shown.session.values().clone();
    assert_eq!(shown.cancel(FIRST), Effects::default());
    assert_eq!(*shown.session.values(), released);
}

#[test]
fn two_fingers_that_zoom_the_page_leave_a_figure_as_it_was() {
    for view in ["corridor", "order", "similarity", "anchors", "compose"] {
        let mut shown = Shown::new(&format!("view={view}"));
        let at = shown.first_handle();
        let before = shown.session.values().clone();
        shown.pointer(PointerAction::Press, at);
        shown.finger(SECOND, PointerAction::Press, at + (30.0, 10.0));
        shown.cancel(FIRST);
        shown.cancel(SECOND);
        assert_eq!(*shown.session.values(), before, "{view}");
    }
}

#[test]
fn a_second_finger_neither_moves_nor_ends_what_the_first_drags() {
    let mut shown = Shown::new("view=similarity");
    let at = shown.first_handle();
    shown.pointer(PointerAction::Press, at);
    let pressed = shown.session.values().clone();
    for action in [
        PointerAction::Press,
        PointerAction::Drag,
        PointerAction::Release,
        PointerAction::Hover,
    ] {
        shown.finger(SECOND, action, at + (0.0, 60.0));
        assert_eq!(*shown.session.values(), pressed);
    }
    shown.cancel(SECOND);
    assert_eq!(*shown.session.values(), pressed);
    shown.pointer(PointerAction::Drag, at + (40.0, 0.0));
    assert_ne!(*shown.session.values(), pressed);
    // Once the first has been lifted, another is as good.
    shown.pointer(PointerAction::Release, at + (40.0, 0.0));
    let effects = shown.finger(SECOND, PointerAction::Press, at);
    assert!(effects.changed.is_some());
}

#[test]
fn what_is_dragged_plays_no_more() {
    let mut shown = Shown::new("view=similarity");
    let at = shown.first_handle();
    shown.handle(Event::Play(true));
    shown.pointer(PointerAction::Hover, at);
    assert!(shown.session.is_playing());
    shown.pointer(PointerAction::Press, at);
    assert!(!shown.session.is_playing());
    // A grip is held before its value changes.
    let mut shown = Shown::new("view=derivation");
    shown.handle(Event::Play(true));
    let at = shown.first_handle();
    shown.pointer(PointerAction::Press, at);
    assert!(!shown.session.is_playing());
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
fn a_press_ends_when_its_picture_goes() {
    let mut shown = Shown::new("view=compose");
    let at = shown.first_handle();
    shown.pointer(PointerAction::Press, at);
    shown.handle(Event::Unmounted);
    assert!(!shown.handle(Event::Input(Input::Touch)).prevents_default);
    shown.handle(Event::Set(&[("k", "9")]));
    assert_eq!(shown.cancel(SECOND), Effects::default());
    assert_eq!(shown.text("k"), "9");
}

#[test]
fn a_press_ends_with_the_view_that_it_was_on() {
    let mut shown = Shown::new("view=similarity");
    let at = shown.first_handle();
    shown.pointer(PointerAction::Press, at);
    let effects = shown.handle(Event::Set(&[("view", "rotation"), ("k", "9")]));
    assert!(effects.view_changed);
    assert_eq!(shown.cancel(FIRST), Effects::default());
    assert_eq!(shown.text("k"), "9");
}

#[test]
fn a_locked_field_keeps_its_value_whatever_the_reader_does() {
    let mut shown = Shown::new("view=similarity lock=pos");
    let at = shown.first_handle();
    shown.pointer(PointerAction::Press, at);
    assert_eq!(shown.text("pos"), "10");
    assert_ne!(shown.text("k"), "5");
    shown.cancel(FIRST);
    assert_eq!(shown.text("k"), "5");

    shown.attribute("lock", Some("*"));
    let before = shown.session.values().clone();
    assert_eq!(shown.pointer(PointerAction::Press, at).changed, None);
    assert_eq!(
        shown.pointer(PointerAction::Drag, Point::ZERO).changed,
        None
    );
    assert_eq!(shown.key("ArrowRight", false).changed, None);
    let effects = shown.input("d_model", "64", ControlType::Slider, false);
    assert_eq!(effects.changed, None);
    assert_eq!(*shown.session.values(), before);
    assert_eq!(shown.shared(), Some(Change::Move), "of the first press");
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
