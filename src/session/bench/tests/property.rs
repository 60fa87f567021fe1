//! Whatever happens, the state is legal, and what is drawn arrives at it.

use super::*;
use crate::draw::Point;

const VIEWS: [ViewName; 4] = [
    ViewName::Tokens,
    ViewName::Heatmap,
    ViewName::Waves,
    ViewName::Rotation,
];
const KEYS: [&str; 8] = [
    "ArrowLeft",
    "ArrowRight",
    "ArrowUp",
    "End",
    "+",
    "-",
    "0",
    "q",
];

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_drawn_arrives_at_a_legal_state(
        steps in proptest::collection::vec((0u8..20, 0usize..5, 0.0..560.0, 0.0..420.0, -70i64..70), 1..40)
    ) {
        let mut bench = Bench::new("d_model=16&max_len=48&pos=4&pair=1&k=3&lock=base,member");
        let locked = [SettingId::Base, SettingId::Member];
        let kept = locked.map(|key| bench.text(key));
        for (what, view, x, y, number) in steps {
            let at = Point::new(x, y);
            let on = VIEWS.get(view).map(|&view| (view, at));
            let id = 1 + (number & 1) as i32;
            match what {
                0 => drop(bench.pointer_with(id, PointerAction::Hover, on)),
                1..=3 => drop(bench.pointer_with(id, PointerAction::Press, on)),
                4..=6 => drop(bench.pointer_with(id, PointerAction::Drag, on)),
                7 => drop(bench.pointer_with(id, PointerAction::Release, on)),
                8 => drop(bench.handle(Event::Cancel { id })),
                9 => drop(bench.handle(Event::Leave)),
                10 => drop(bench.wheel(VIEWS[view % 4], at, 10.0 * number as f64, bench.now)),
                11 => drop(bench.key(VIEWS[view % 4], KEYS[number.unsigned_abs() as usize % 8])),
                12 => drop(bench.set("k", &number.to_string(), number < 0)),
                13 => drop(bench.set(["max_len", "d_model"][view % 2], &number.to_string(), false)),
                14 => drop(bench.handle(Event::Play(number < 0))),
                15 => drop(bench.handle(Event::Step(number))),
                16 => drop(bench.handle(Event::ApplyShift)),
                17 => drop(bench.handle(Event::Tool { zooms: number < 0 })),
                18 => bench.reduces_motion.set(number < 0),
                _ => bench.frames(number.unsigned_abs() as usize),
            }
        }
        for id in [1, 2] {
            bench.pointer_with(id, PointerAction::Release, None);
        }
        bench.handle(Event::Play(false));
        bench.frames(200);
        bench.assert_settled();
        let mut again = bench.session.state().clone();
        for &key in SettingId::ALL {
            proptest::prop_assert_eq!(again.apply(key, &bench.text(key)), None);
        }
        proptest::prop_assert_eq!(&again, bench.session.state());
        proptest::prop_assert_eq!(locked.map(|key| bench.text(key)), kept);
    }
}
