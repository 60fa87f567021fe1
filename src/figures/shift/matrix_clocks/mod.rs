//! M_k as a block-diagonal matrix: the block of each pair is a clock with the wedge kω, between the clocks of PE(pos)
//! and those of PE(pos + k).

mod applying;
mod picture;
mod words;

use crate::draw::{Circle, DrawContext, Pen, Theme};
use crate::field::settings;
use crate::field::{Field, Key, Values, ViewName, fields};
use crate::figure::{Displacement, DragMode, Figure, Handle, Mapping};
use crate::figures::bench::clock_wall::{self, Shown};
use crate::figures::bench::model::Model;
use crate::text::Lang;
use crate::text::markup::Node;
use applying::DURATION;
use picture::Plan;
use posenc_encoding::MAX_D_MODEL;

/// Maximum number of blocks: few enough to see at once that they are on a diagonal and get narrower along it.
const MAX_CLOCKS: usize = 8;

pub struct MatrixClocks {
    model: Model,
    /// How often M_k has been applied.
    applied: i64,
    /// Progress of the animation that applies M_k, 0 … 1; `None` if there is none.
    applying: Option<f64>,
}

/// A row of the picture.
#[derive(Clone, Debug, PartialEq)]
struct PairClock {
    index: usize,
    /// pos·ω, reduced, and k·ω in radians; `None` for a sine without its cosine, whose row and column of M_k are zero.
    angles: Option<(f64, f64)>,
}

impl MatrixClocks {
    /// The pairs shown, at most `room`.
    fn shown(&self, room: usize) -> Shown {
        clock_wall::shown(&self.model, MAX_CLOCKS, room)
    }

    fn row(&self, index: usize) -> PairClock {
        let complete = self.model.waves.as_ref();
        let complete = complete.filter(|_| index < self.model.complete_pairs());
        PairClock {
            index,
            angles: complete.map(|waves| self.model.hand_angles(waves, index)),
        }
    }
}

impl MatrixClocks {
    /// The drag handles on the clocks of the selected pair: the hand of PE(pos) sets pos, that of PE(pos + k) sets k.
    fn hands(&self, plan: &Plan, theme: &Theme) -> Option<[Handle; 2]> {
        let pair = self.model.state.pair();
        let [here, there] = plan.clocks_of(pair)?;
        let (angle, turn) = self.row(pair).angles?;
        let step = self.model.waves.as_ref()?.frequency(pair);
        let hand = |circle: Circle, angle: f64, zero: f64, (field, colour)| {
            let turned = Mapping::Turn {
                centre: circle.centre,
                zero,
                step,
            };
            let clock = Handle::mark(circle.centre, 1.25 * circle.radius).dragged(DragMode::Free);
            clock
                .sets(field, turned)
                .ringed(circle.at(angle, 0.97), colour, 0.45 * circle.radius)
        };
        Some([
            hand(here, angle, 0.0, (POS, theme.here)),
            hand(there, angle + turn, angle, (K, theme.there)),
        ])
    }
}

fields! {
    D_MODEL: i64 = Key::size("d_model", "width", "模型维度", 128, |_| (2, MAX_D_MODEL as i64)).under_more();
    MAX_LEN: i64 = settings::MAX_LEN.under_more();
    POS: i64 = settings::POS;
    K: i64 = Key::size("k", "offset", "偏移量", 3, |_| (-1000, 1000));
    PAIR: i64 = settings::PAIR.without_control();
    // The number of times that M_k has been applied; the animation is not part of the state.
    APPLIED: i64 = Key::whole("applied", "applied", "已乘", 0, |_| (0, 1_000_000)).transient();
}

impl Figure for MatrixClocks {
    const NAME: ViewName = ViewName::MatrixClocks;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(POS), Some(PAIR)];
    const PLUS_AND_MINUS: Option<Key<i64>> = Some(K);

    type Layout = Plan;

    fn new(values: &Values, lang: Lang, previous: Option<MatrixClocks>) -> MatrixClocks {
        let before = previous.as_ref().map(|previous| &previous.model);
        let mut figure = MatrixClocks {
            model: Model::compute(&values.into(), lang, Default::default(), before),
            applied: values.get(APPLIED),
            applying: None,
        };
        let is_applied = previous.is_some_and(|previous| figure.is_applied_to(&previous));
        figure.applying = is_applied.then_some(1.0);
        figure
    }

    fn caption(&self) -> String {
        self.describe()
    }

    fn actions(&self) -> Option<Node> {
        Some(self.button())
    }

    fn act(&self, action: &str, _value: &str, values: &mut Values) {
        if action == "apply" {
            self.apply(values);
        }
    }

    fn displace(&mut self, displacement: Displacement) -> bool {
        // While M_k is applied, the rows move one after the other.
        if self.applying.is_none() {
            self.model.transient.displacement = displacement;
        }
        true
    }

    fn animate(&mut self, progress: f64) -> bool {
        let moves = self.applying.is_some();
        self.applying = (moves && progress < 1.0).then_some(progress);
        moves
    }

    fn animation_duration(&self) -> f64 {
        DURATION
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(Plan::new(self, width, theme).height)
    }

    fn layout(&self, context: &DrawContext) -> Plan {
        Plan::new(self, context.frame.width, context.theme)
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        self.draw_all(pen, context, plan);
    }

    fn handles(&self, context: &DrawContext, plan: &Plan) -> Vec<Handle> {
        let numbers: Vec<_> = plan
            .shown
            .pairs
            .iter()
            .map(|&pair| Some(pair as i64))
            .collect();
        let shape = (numbers.len(), 1);
        let rows = Handle::area(plan.rows()).sets(PAIR, Mapping::Lookup { shape, numbers });
        self.hands(plan, context.theme)
            .into_iter()
            .flatten()
            .chain([rows])
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(settings: &str) -> MatrixClocks {
        let values = Values::with(MatrixClocks::FIELDS, settings);
        MatrixClocks::new(&values, Lang::En, None)
    }

    #[test]
    fn eight_pairs_that_turn_and_how_many_are_slower() {
        // 10000^(−2i/128) · 64 ≥ π/6 up to i = 33.
        let Shown { pairs, slower } = figure("").shown(MAX_CLOCKS);
        assert_eq!((pairs.len(), pairs[0], pairs[7], slower), (8, 0, 33, 30));
        let Shown { pairs, slower } = figure("d_model=16").shown(MAX_CLOCKS);
        assert_eq!((pairs, slower), ((0..8).collect(), 0));
    }

    /// d_model = 4: ω = 1 and 1/100.
    #[test]
    fn a_wedge_is_k_times_the_frequency_whatever_pos() {
        for pos in [0, 10, 63] {
            let it = figure(&format!("d_model=4 pos={pos} k=-7 pair=0"));
            for (pair, turn) in [(0, -7.0), (1, -0.07)] {
                let (_, seen) = it.row(pair).angles.unwrap();
                assert!((seen - turn).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn applied_it_leads_from_row_to_row_pair_by_pair() {
        let before = figure("d_model=32 pos=10 k=3");
        let (pairs, first) = (16, before.row(0).angles.unwrap().0);
        let mut values = Values::with(MatrixClocks::FIELDS, "d_model=32 pos=10 k=3");
        before.act("apply", "", &mut values);
        assert_eq!(values.get(POS), 13);
        let mut after = MatrixClocks::new(&values, Lang::En, Some(before));
        let (angle, turn) = after.row(0).angles.unwrap();
        assert!(after.animate(0.0));
        assert!((angle - after.remaining_turn(0, pairs, turn) - first).abs() < 1e-12);
        assert!(after.animate(0.5));
        assert_eq!((after.share(0, pairs), after.share(15, pairs)), (1.0, 0.0));
        assert!(after.animate(1.0));
        assert_eq!(after.remaining_turn(15, pairs, turn), 0.0);
        assert!(!after.animate(0.5));
        // Another change of pos is not animated.
        values.set_to(POS, 16);
        assert!(!MatrixClocks::new(&values, Lang::En, Some(after)).animate(0.0));
    }

    #[test]
    fn what_is_not_in_the_table_is_not_applied_to() {
        let last = figure("max_len=64 pos=62 k=3");
        let mut values = Values::with(MatrixClocks::FIELDS, "max_len=64 pos=62 k=3");
        last.act("apply", "", &mut values);
        assert_eq!((values.get(POS), values.get(APPLIED)), (62, 0));
    }

    #[test]
    fn a_sine_without_its_cosine_has_no_block() {
        let it = figure("d_model=5 pair=1");
        assert!(it.row(1).angles.is_some());
        assert_eq!(it.row(2).angles, None);
    }
}
