//! The logits of one query with all keys, from their positions alone: the mean of the contributions of the fastest pairs,
//! for more and more pairs.

mod compute;
mod picture;
mod words;

use crate::draw::{DrawContext, Pen, Point, Scale, Theme};
use crate::field::{Field, Key, Values, ViewName, fields};
use crate::figure::{DragMode, Figure, Handle, Mapping};
use crate::math::Clamp;
use crate::text::{Lang, Text};
use compute::{Shares, Weights};
use picture::Plan;

pub struct Attend {
    lang: Lang,
    pos: usize,
    k: i64,
    seed: i64,
    /// The number of pairs that are summed, from the fastest on.
    summed: usize,
    shares: Shares,
    /// The logit of every key.
    logits: Vec<f64>,
}

/// Heights of the bar chart and of the map of shares below it, in label sizes.
const BARS: f64 = 17.0;
const SHARES: f64 = 13.5;

impl Attend {
    /// The key with the highest logit, other than `except`.
    fn highest(&self, except: Option<usize>) -> Option<usize> {
        let keys = (0..self.logits.len()).filter(|&key| Some(key) != except);
        keys.max_by(|&a, &b| self.logits[a].total_cmp(&self.logits[b]))
    }

    /// The key at which all pairs have their maximum, if there is one.
    fn peak(&self) -> Option<usize> {
        let peak = match self.shares.weights {
            Weights::Identity => self.pos as i64,
            Weights::Rotated => self.pos as i64 + self.k,
            Weights::Random => return None,
        };
        let peak = usize::try_from(peak).ok()?;
        (peak < self.logits.len()).then_some(peak)
    }
}

fields! {
    WEIGHTS: Weights = Key::choice("weights", "W between q and k", "q 与 k 之间的 W");
    D_MODEL: i64 = Key::size("d_model", "width", "模型维度", 64, |_| (2, 256));
    SUMMED: i64 = Key::whole(
        "summed",
        "Pairs summed, fast first",
        "相加的维度对（高频在先）",
        32,
        |v| (1, (v.get(D_MODEL) / 2).max(1)),
    );
    MAX_LEN: i64 = Key::size("max_len", "length", "位置数", 64, |_| (2, 256));
    POS: i64 = Key::whole("pos", "position of the query", "查询的位置", 40, |v| (0, v.get(MAX_LEN) - 1));
    K: i64 = Key::whole("k", "offset", "偏移量", -12, |_| (-255, 255)).sliding(|v| {
        let most = v.get(MAX_LEN) - 1;
        (-most, most)
    });
    SEED: i64 = Key::whole("seed", "random draw", "随机抽取", 1, |_| (1, 999)).without_control();
}

impl Figure for Attend {
    const NAME: ViewName = ViewName::Attend;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(POS), Some(SUMMED)];
    const PLUS_AND_MINUS: Option<Key<i64>> = Some(K);

    type Layout = Plan;

    fn new(values: &Values, lang: Lang, previous: Option<Attend>) -> Attend {
        let weights = values.get(WEIGHTS);
        let d_model = values.count(D_MODEL);
        let pairs = d_model / 2;
        let (pos, k, seed) = (values.count(POS), values.get(K), values.get(SEED));
        let keys = values.count(MAX_LEN);
        let matrix = previous
            .filter(|previous| (previous.shares.pairs(), previous.seed) == (pairs, seed))
            .map(|previous| previous.shares.into_matrix())
            .unwrap_or_default();
        let shares = Shares::new(weights, d_model, (pos as i64, k), seed as u64, matrix);
        let summed = values.count(SUMMED).min(pairs);
        Attend {
            lang,
            pos,
            k,
            seed,
            summed,
            logits: (0..keys).map(|key| shares.mean(key, summed)).collect(),
            shares,
        }
    }

    fn title(&self) -> Text {
        match self.shares.weights {
            Weights::Identity => Text::new(
                "At its own position, all pairs agree",
                "在自己的位置，所有维度对都一致",
            ),
            Weights::Rotated => {
                Text::new("Turned by kω, the peak moves by k", "转过 kω，峰就移动 k")
            }
            Weights::Random => Self::NAME.title(),
        }
    }

    fn caption(&self) -> String {
        self.describe()
    }

    fn height(&self, _: f64, theme: &Theme) -> Option<f64> {
        Some(theme.fitted((BARS + SHARES) * theme.label_size(), 24.0))
    }

    fn layout(&self, context: &DrawContext) -> Plan {
        Plan::new(self, context)
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        self.draw_all(pen, context, plan);
    }

    fn handles(&self, context: &DrawContext, plan: &Plan) -> Vec<Handle> {
        let shape = (self.shares.pairs(), 1);
        let rows = Handle::area(plan.map).sets(SUMMED, Mapping::cell(shape, [1, 0, 1]));
        let (x, theme) = (plan.chart.x, context.theme);
        let zero = plan.chart.y.pixel(0.0);
        let grip = |at: f64, colour| {
            let at = Point::new(x.pixel(at), zero);
            let grip = Handle::grip(at).dragged(DragMode::Horizontal);
            grip.ringed(at, colour, f64::INFINITY)
        };
        let (low, high) = x.domain();
        let pos = self.pos as f64;
        // The axis of the keys as a scale of offsets.
        let offsets = Scale::new((low - pos, high - pos), (x.pixel(low), x.pixel(high)));
        let query = grip(pos, theme.here).sets(POS, Mapping::X(x));
        // If pos + k is not a key, at the nearest end: a handle must remain in the list while it is dragged.
        let asked = (self.shares.weights == Weights::Rotated).then(|| {
            let key = (pos + self.k as f64).clamped(low, high);
            grip(key, theme.there).sets(K, Mapping::X(offsets))
        });
        let grips = std::iter::once(query).chain(asked);
        grips
            .chain([Handle::along_x(&plan.chart, POS), rows])
            .collect()
    }

    /// `attend(d_model, pairs, offset)`: the logit of a key at this offset from the query, with W = I.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        let ("attend", &[d, summed, offset]) = (name, arguments) else {
            return None;
        };
        let shares = Shares::new(Weights::Identity, d as usize, (0, 0), 1, Vec::new());
        Some(shares.mean(offset.abs() as usize, summed as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(settings: &str) -> Attend {
        let values = Values::with(Attend::FIELDS, settings);
        Attend::new(&values, Lang::En, None)
    }

    #[test]
    fn with_the_identity_the_peak_is_the_query_itself() {
        for summed in 1..=32 {
            let it = figure(&format!("summed={summed}"));
            assert_eq!((it.peak(), it.highest(None)), (Some(40), Some(40)));
            assert!((it.logits[40] - 1.0).abs() < 1e-15);
        }
        // The second-highest key is a neighbour with all pairs, and 25 away with one: 25 radians are nearly four turns.
        let next = |settings: &str| figure(settings).highest(Some(40));
        assert!([Some(39), Some(41)].contains(&next("")));
        assert_eq!(next("summed=1"), Some(15));
    }

    #[test]
    fn turned_it_stands_where_it_is_asked_to() {
        for k in [-12, 7, 0, 23, -40] {
            let it = figure(&format!("weights=turned k={k}"));
            assert_eq!(it.highest(None), usize::try_from(40 + k).ok());
            assert_eq!(it.peak(), it.highest(None));
        }
        assert_eq!(figure("weights=turned k=24").peak(), None);
    }

    #[test]
    fn a_random_matrix_is_kept_while_the_query_moves() {
        let first = figure("weights=random pos=3");
        let matrix = first.shares.matrix().as_ptr();
        let values = Values::with(Attend::FIELDS, "weights=random pos=9");
        let moved = Attend::new(&values, Lang::En, Some(first));
        assert_eq!(moved.shares.matrix().as_ptr(), matrix);
        assert_eq!(moved.logits, figure("weights=random pos=9").logits);
        let values = Values::with(Attend::FIELDS, "weights=random pos=9 seed=2");
        let other = Attend::new(&values, Lang::En, Some(moved));
        assert_ne!(other.logits, figure("weights=random pos=9").logits);
    }
}
