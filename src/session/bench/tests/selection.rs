//! More of what a drag or the wheel does.

use super::*;

#[test]
fn a_turn_of_the_fastest_hand_is_six_positions() {
    let mut bench = Bench::new("pair=0&pos=0&max_len=200&k=1");
    let turned: Vec<_> = (0..=32)
        .map(|step| bench.ring(Hand::Pos, 0.2 * f64::from(step)))
        .collect();
    bench.drag(ViewName::Rotation, turned[0], &turned);
    assert_eq!(bench.values(), [6.0, 1.0]);
    assert!(near(bench.drawn()[0], 6.4, 1e-6));
}

#[test]
fn a_press_on_the_waves_selects_a_position_alone() {
    let mut bench = Bench::new("pos=10&pair=4&k=3");
    let at = bench.find(
        ViewName::Waves,
        |hit| matches!(hit, Hit::Wave { position, .. } if position > 30),
    );
    bench.pointer(PointerAction::Press, ViewName::Waves, at);
    assert!(bench.values()[0] > 30.0);
    let kept = [SettingId::Pair, SettingId::K].map(|key| bench.text(key));
    assert_eq!(kept, ["4", "3"]);
}

#[test]
fn the_wheel_stops_at_two_cells() {
    let mut bench = Bench::new("d_model=64&max_len=64");
    let at = bench.middle(ViewName::Heatmap);
    for time in 0..30 {
        bench.wheel(ViewName::Heatmap, at, -500.0, 1000.0 + f64::from(time));
    }
    let state = bench.session.state();
    assert!(near(state.positions().width(), 2.0, 1e-9));
    assert!(near(state.dimensions().width(), 2.0, 1e-9));
}

/// Also where the grips of both hands overlap.
#[test]
fn a_press_takes_the_hand_that_lights_up_under_the_pointer() {
    let link = "d_model=4&max_len=500&pair=1&pos=10&k=3";
    for view in [ViewName::Tokens, ViewName::Waves, ViewName::Rotation] {
        let bench = Bench::new(link);
        let screen = bench.screen(view);
        let scene = screen.scene(bench.session.model());
        let hand_at = |at: Point| screen.figure.hit_test(&scene, at)?.grip();
        let grips = screen.points().filter_map(|at| Some((at, hand_at(at)?)));
        let mut grabbed = [0, 0];
        for (at, hand) in grips {
            let mut bench = Bench::new(link);
            bench.pointer(PointerAction::Hover, view, at);
            assert_eq!(bench.session.model().transient.hand, Some(hand));
            bench.drag(view, at, &[at + (60.0, 60.0)]);
            let [pos, k] = bench.values();
            assert_eq!(
                (pos != 10.0, k != 3.0),
                (hand == Hand::Pos, hand == Hand::Target)
            );
            grabbed[hand as usize] += 1;
        }
        assert!(
            grabbed.iter().all(|count| *count > 1),
            "{view:?}: {grabbed:?}"
        );
    }
}
