//! Playback, moves and the first steps.

use super::*;

#[test]
fn playback_stops_at_the_nearest_position_without_a_jump() {
    for (frames, settles_forward) in [(14, false), (20, true)] {
        let mut bench = Bench::new(DIAL);
        bench.session.set_speed(2.0);
        bench.handle(Event::Play(true));
        assert!(bench.session.is_playing());
        bench.frames(frames);
        let shown = bench.drawn()[0];
        assert!(near(shown, 10.0 + 2.0 * 0.016 * frames as f64, 0.05));
        bench.handle(Event::Play(false));
        assert!(!bench.session.is_playing() && bench.session.is_moving());
        assert!(near(bench.drawn()[0], shown, 0.1), "{shown}");
        assert_eq!(bench.values()[0], 10.0 + f64::from(settles_forward));
        bench.frames(12);
        bench.assert_settled();
    }
}

#[test]
fn playback_begins_again_after_the_last_position() {
    let mut bench = Bench::new("d_model=4&max_len=8&pos=6&pair=0&k=1");
    bench.session.set_speed(100.0);
    bench.handle(Event::Play(true));
    assert!(bench.frame().plays);
    bench.frames(1);
    assert!(bench.values()[0] < 6.0);
    // A setting that is set stops it; steps wrap around, the buttons beside it do not.
    bench.set("pos", "7", false);
    assert!(!bench.session.is_playing());
    bench.handle(Event::Shift(1));
    assert_eq!(bench.values()[0], 7.0);
    bench.handle(Event::Step(1));
    assert_eq!(bench.values()[0], 0.0);
    bench.handle(Event::Shift(-1));
    assert_eq!(bench.values()[0], 0.0);
}

#[test]
fn what_is_drawn_moves_on_from_where_it_is() {
    let mut bench = Bench::new(DIAL);
    bench.set("k", "-90", false);
    bench.frames(20);
    let [_, there] = bench.drawn();
    assert!(there < 89.0 && there > -89.0);
    bench.set("k", "90", false);
    let [_, turned] = bench.drawn();
    assert!(near(turned, there, 8.0), "{there} {turned}");
    // Followed, as by a slider: it is there in the next frame.
    let field = SettingId::K.field();
    bench.handle(Event::Control {
        field,
        text: "40",
        control: super::super::super::ControlType::Slider,
        finished: false,
    });
    assert_eq!(bench.drawn()[1], 40.0);
    bench.assert_settled();
    // Typed: it moves.
    bench.handle(Event::Control {
        field,
        text: "70",
        control: super::super::super::ControlType::Typed,
        finished: true,
    });
    assert_eq!(bench.session.take_change(), Change::Move);
    assert!(bench.drawn()[1] < 70.0);
    bench.frames(120);
    bench.assert_settled();
}

#[test]
fn a_hand_that_is_grabbed_on_its_way_stays_there() {
    let mut bench = Bench::new(DIAL);
    bench.set("pos", "60", false);
    bench.frames(15);
    let [shown, _] = bench.drawn();
    assert!(shown > 11.0 && shown < 59.0);
    let ring = bench.ring(Hand::Pos, 0.0);
    bench.pointer(PointerAction::Press, ViewName::Rotation, ring);
    assert!(!bench.session.is_moving());
    assert!(near(bench.drawn()[0], shown, 1e-6));
    assert_eq!(bench.values()[0], shown.round());
    bench.release(ViewName::Rotation, ring);
    bench.frames(12);
    bench.assert_settled();
}

#[test]
fn a_hand_that_is_grabbed_while_it_plays_stays_there() {
    for (hand, frames) in [(Hand::Pos, 14), (Hand::Pos, 20), (Hand::Target, 20)] {
        let mut bench = Bench::new(DIAL);
        bench.handle(Event::Play(true));
        bench.frames(frames);
        let shown = bench.drawn();
        let ring = bench.ring(hand, 0.0);
        bench.pointer(PointerAction::Press, ViewName::Rotation, ring);
        assert!(!bench.session.is_playing());
        bench.frames(60);
        assert!(near(bench.drawn()[0], shown[0], 1e-6));
        let to = bench.ring(hand, 0.2);
        bench.pointer(PointerAction::Drag, ViewName::Rotation, to);
        let other = if hand == Hand::Pos { 1 } else { 0 };
        assert!(near(bench.drawn()[other], shown[other], 1e-6));
        bench.release(ViewName::Rotation, to);
        bench.frames(12);
        bench.assert_settled();
    }
}

#[test]
fn m_k_sweeps_the_hands_over_their_wedges() {
    let mut bench = Bench::new(DIAL);
    bench.handle(Event::ApplyShift);
    assert_eq!(bench.values(), [100.0, 90.0]);
    assert_eq!(bench.session.take_change(), Change::MoveIn(900.0));
    bench.frames(28);
    assert!(near(bench.drawn()[0], 55.0, 5.0));
    bench.frames(60);
    bench.assert_settled();
    // There is no position 520.
    let mut bench = Bench::new("d_model=4&max_len=500&pair=1&pos=430&k=90");
    bench.handle(Event::ApplyShift);
    assert_eq!(bench.values()[0], 430.0);
}

#[test]
fn with_less_motion_everything_is_there_at_once() {
    let mut bench = Bench::new(DIAL);
    bench.reduces_motion.set(true);
    bench.set("k", "-90", false);
    bench.assert_settled();
    bench.handle(Event::ApplyShift);
    bench.assert_settled();
    let ring = bench.ring(Hand::Pos, 0.0);
    let to = bench.ring(Hand::Pos, 0.204);
    bench.drag(ViewName::Rotation, ring, &[to]);
    assert_ne!(bench.drawn()[0], bench.values()[0]);
    bench.release(ViewName::Rotation, to);
    bench.assert_settled();
    bench.handle(Event::Play(true));
    bench.frames(10);
    assert_eq!(bench.drawn()[0], bench.values()[0]);
}

#[test]
fn the_first_move_ends_where_the_hands_are() {
    let mut bench = Bench::new(DIAL);
    bench.session.begin_tour();
    assert!(bench.session.begin_opening(bench.now));
    bench.frames(50);
    let angle = |bench: &Bench| bench.drawn()[0] + bench.session.model().transient.sway;
    let shown = angle(&bench);
    assert!(shown < 8.0);
    bench.session.end_opening();
    assert!(near(angle(&bench), shown, 1e-9));
    bench.frames(1);
    assert!(near(angle(&bench), shown, 1.0));
    bench.frames(12);
    bench.assert_settled();
    // It happens once.
    bench.session.begin_opening(bench.now);
    bench.frames(50);
    assert_eq!(angle(&bench), 10.0);
}

/// No other frame may follow.
#[test]
fn the_first_step_is_complete_in_the_frame_that_shows_the_position() {
    for (reduced, to) in [(true, "15"), (true, "11"), (false, "11")] {
        let mut bench = Bench::new(DIAL);
        bench.reduces_motion.set(reduced);
        bench.session.begin_tour();
        bench.frame();
        bench.set("pos", to, false);
        while bench.frame().moves {}
        let progress = bench.session.shown_tour().unwrap().progress();
        assert_eq!(
            progress,
            (TourStep::DragHand, false, true),
            "{reduced} {to}"
        );
    }
}

/// The bench at the second of the first steps, after the first frame of the move to its position.
fn guessing() -> Bench {
    let mut bench = Bench::new(DIAL);
    bench.session.begin_tour();
    bench.frame();
    let progress = |bench: &Bench| bench.session.shown_tour().unwrap().progress();
    assert_eq!(progress(&bench), (TourStep::DragHand, false, false));
    let to = [0.02, 0.04, 0.1].map(|by| bench.ring(Hand::Pos, by));
    let ring = bench.ring(Hand::Pos, 0.0);
    bench.drag(ViewName::Rotation, ring, &to);
    bench.release(ViewName::Rotation, to[2]);
    bench.frames(120);
    assert_eq!(progress(&bench), (TourStep::DragHand, false, true));
    bench.handle(Event::NextStep);
    assert_eq!(bench.values(), [37.0, 90.0]);
    bench
}

#[test]
fn a_guess_changes_no_setting_until_the_answer_is_shown() {
    let mut bench = guessing();
    let progress = |bench: &Bench| bench.session.shown_tour().unwrap().progress();
    bench.frames(120);
    let ring = bench.ring(Hand::Target, 0.0);
    let to = bench.ring(Hand::Target, 0.3);
    bench.drag(ViewName::Rotation, ring, &[to]);
    assert_eq!(bench.values(), [37.0, 90.0]);
    assert!(!near(bench.drawn()[1], 90.0, 1.0));
    // A guess that is interrupted is kept.
    let guess = bench.drawn();
    bench.handle(Event::Cancel { id: MOUSE });
    assert_eq!(bench.drawn(), guess);
    bench.drag(ViewName::Rotation, to, &[to]);
    bench.release(ViewName::Rotation, to);
    assert_eq!(progress(&bench), (TourStep::PredictTarget, true, false));
    bench.frames(240);
    assert_eq!(progress(&bench), (TourStep::PredictTarget, true, true));
    bench.assert_settled();
    assert!(bench.session.model().transient.guessed.is_some());
    bench.handle(Event::EndTour);
    assert!(bench.session.tour().is_none());
    assert!(!bench.session.model().transient.guessing);
}

#[test]
fn the_answer_without_a_guess_names_and_draws_none() {
    let mut bench = guessing();
    bench.frames(120);
    bench.handle(Event::ShowAnswer);
    bench.frames(240);
    assert!(bench.session.model().transient.guessed.is_none());
    for (lang, begins) in [(Lang::En, "From 37,"), (Lang::Zh, "从 37 出发")] {
        bench.session.compute(lang, true);
        let message = bench.session.tour().unwrap().message(bench.session.model());
        assert!(message.starts_with(begins), "{message}");
    }
}

#[test]
fn a_guess_that_begins_while_the_hands_move_changes_no_setting() {
    let mut bench = guessing();
    bench.frames(20);
    assert!(bench.session.is_moving());
    let ring = bench.ring(Hand::Target, 0.0);
    let to = bench.ring(Hand::Target, 0.3);
    bench.drag(ViewName::Rotation, ring, &[to]);
    assert_eq!(bench.values(), [37.0, 90.0]);
}

/// Only a guess that is let go of is answered.
#[test]
fn a_guess_stays_whatever_else_is_done() {
    let mut bench = guessing();
    bench.frames(120);
    let guess = bench.drawn()[1];
    let stays = |bench: &Bench| {
        let tour = bench.session.tour().unwrap();
        near(bench.drawn()[1], guess, 1e-9) && tour.is_guessing()
    };
    let ring = bench.ring(Hand::Pos, 0.0);
    let to = bench.ring(Hand::Pos, 0.3);
    bench.drag(ViewName::Rotation, ring, &[to]);
    bench.release(ViewName::Rotation, to);
    assert!(stays(&bench) && bench.values() == [37.0, 90.0]);
    for reduced in [false, true] {
        bench.reduces_motion.set(reduced);
        bench.handle(Event::Play(true));
        bench.frames(45);
        bench.handle(Event::Play(false));
        bench.frames(20);
        assert!(stays(&bench), "{reduced}");
    }
    let cell = bench.find(
        ViewName::Heatmap,
        |hit| matches!(hit, Hit::Cell { position, .. } if position > 50),
    );
    bench.drag(ViewName::Heatmap, cell, &[cell + (1.0, 0.0)]);
    bench.release(ViewName::Heatmap, cell);
    bench.frames(120);
    assert!(stays(&bench) && bench.values()[0] > 50.0);
}

#[test]
fn the_question_names_the_position_from_which_the_hand_is_to_be_guessed() {
    let mut bench = guessing();
    bench.set("pos", "52", false);
    for asked in [false, true] {
        if asked {
            bench.handle(Event::ShowAnswer);
            bench.frames(240);
        }
        for lang in [Lang::En, Lang::Zh] {
            bench.session.compute(lang, true);
            let message = bench.session.tour().unwrap().message(bench.session.model());
            assert!(
                message.contains("52") && !message.contains("37"),
                "{message}"
            );
        }
    }
}

#[test]
fn a_guess_ends_where_the_first_steps_are_not_shown() {
    let mut bench = guessing();
    bench.session.frame(bench.now, true);
    bench.session.compute(Lang::En, true);
    assert!(bench.session.tour().is_none() && bench.drawn()[1] == 90.0);
    for (name, text) in [
        ("view", "rotation"),
        ("encoding", "learned"),
        ("encoding", "alibi"),
    ] {
        let mut bench = guessing();
        bench.set(name, text, false);
        assert!(bench.session.tour().is_none() && bench.drawn()[1] == 90.0);
        assert!(!bench.session.model().transient.guessing);
    }
}
