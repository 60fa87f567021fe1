//! How what is drawn gets to new values.

use super::*;

/// Positions from which and at which pos is drawn after an event, at the beginning and at the end of a move.
fn drawn_after(shown: &mut Shown, event: Event) -> (f64, f64) {
    shown.handle(event);
    let drawn =
        |session: &Session| session.values().whole("pos") as f64 + session.displacement().pos.left;
    shown.session.advance_moves(0.0);
    let begin = drawn(&shown.session);
    shown.session.advance_moves(1.0);
    for end in [2000.0, 4000.0] {
        shown.session.advance_moves(end);
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
    assert_eq!(
        drawn_after(&mut shown, Event::Follow(&[("pos", "36")])),
        (36.0, 36.0),
        "the steps of a drag are followed"
    );
    assert_eq!(
        drawn_after(&mut shown, Event::Follow(&[("pos", "37")])),
        (37.0, 37.0)
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
    assert_eq!(shown.session.intermediate_values().whole("pos"), 40);
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
    let at = shown.first_handle();
    shown.pointer(PointerAction::Press, at);
    shown.pointer(PointerAction::Drag, at + (2.0, 2.0));
    assert_ne!(shown.text("pos"), "900");
    let held = shown.figure.as_ref().unwrap().held().pos.left;
    assert!(held != 0.0 && held.abs() <= 0.5, "{held}");
    let effects = shown.pointer(PointerAction::Release, at + (2.0, 2.0));
    assert_eq!((effects.changed, effects.redraw), (None, true));
    shown.session.advance_moves(0.0);
    assert_eq!(shown.session.displacement().pos.left, held);
    shown.session.advance_moves(1000.0);
    assert!(!shown.session.is_moving());
}
