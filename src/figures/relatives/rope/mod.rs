//! RoPE: the pairs of a query and of a key rotated by their positions, the contribution of each pair to the logit, and
//! the logit as a function of the offset m − n alone. Or: which dimensions form a pair, and how the rows of weights are
//! permuted between the two conventions.

mod picture;
mod words;

use crate::draw::chart::Chart;
use crate::draw::{DrawContext, Pen, Theme};
use crate::field::{Field, Key, Values, ViewName, choices, fields};
use crate::figure::{Figure, Handle, Mapping};
use crate::math::random::Normals;
use crate::text::markup::Node;
use crate::text::{Lang, Text};
use posenc_encoding::{Pairing, Rope as Turns, sin_cos};
use std::f64::consts::SQRT_2;

/// Small enough to show all pairs of a head.
const D_HEAD: usize = 8;
const PAIRS: usize = D_HEAD / 2;
const LAST: i64 = 100;
const SEED: u64 = 4;

pub struct Rope {
    lang: Lang,
    pairing: bool,
    base: f64,
    locked: bool,
    m: i64,
    n: i64,
    rope: Turns,
    q: Vec<f64>,
    k: Vec<f64>,
}

fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|x| x * x).sum::<f64>().sqrt()
}

impl Rope {
    fn logit(&self) -> f64 {
        self.rope.logit((&self.q, self.m), (&self.k, self.n))
    }

    /// Logits of the two pairings: adjacent; halves with the rows permuted, and with the rows as they were.
    fn logits(&self) -> [f64; 3] {
        let halves = Turns::new(D_HEAD, self.base, Pairing::Halves);
        let order = Pairing::order(D_HEAD);
        let permuted = |x: &[f64]| -> Vec<f64> { order.iter().map(|&row| x[row]).collect() };
        let (q, k) = (permuted(&self.q), permuted(&self.k));
        [
            self.logit(),
            halves.logit((&q, self.m), (&k, self.n)),
            halves.logit((&self.q, self.m), (&self.k, self.n)),
        ]
    }

    /// For each pair, q·k and q×k: the logit at offset r is Σ (dot·cos rω + cross·sin rω)/√d.
    fn parts(&self) -> Vec<(f64, f64)> {
        let part = |pair| {
            let [a, b] = self.rope.dimensions(pair);
            let (q, k) = ((self.q[a], self.q[b]), (self.k[a], self.k[b]));
            (q.0 * k.0 + q.1 * k.1, q.0 * k.1 - q.1 * k.0)
        };
        (0..PAIRS).map(part).collect()
    }

    /// The logit at an offset, which need not be a whole number.
    fn logit_at(&self, offset: f64) -> f64 {
        let terms = self.parts().into_iter().enumerate();
        let sum: f64 = terms
            .map(|(pair, (dot, cross))| {
                let (sin, cos) = sin_cos(offset * self.rope.frequency(pair));
                dot * cos + cross * sin
            })
            .sum();
        sum / (D_HEAD as f64).sqrt()
    }
}

choices! {
    enum Show {
        Rotation "turn" "The rotation" "旋转";
        Pairing "pairing" "The pairing" "配对";
    }
}

choices! {
    enum Vectors {
        Random "random" "Random angles (seed 4)" "随机角度（种子 4）";
        Ones "ones" "All ones" "全为 1";
    }
}

fields! {
    SHOW: Show = Key::choice("show", "Show", "显示").under_more();
    VECTORS: Vectors = Key::choice("vectors", "q and k", "q 和 k").under_more();
    BASE: i64 = Key::size("base", "base", "底数", 10_000, |_| (10_000, 1_000_000)).under_more();
    LOCKED: bool = Key::toggle("locked", "Locked", "锁定", false).without_control();
    GAP: i64 = Key::whole("gap", "m − n", "m − n", 0, |_| (-LAST, LAST)).without_control();
    M: i64 = Key::whole("m", "Query at m", "查询在 m", 12, |v| {
        if v.get(LOCKED) {
            let gap = v.get(GAP);
            (gap.max(0), LAST + gap.min(0))
        } else {
            (0, LAST)
        }
    });
    N: i64 = Key::whole("n", "Key at n", "键在 n", 7, |v| {
        if v.get(LOCKED) {
            let follows = v.get(M) - v.get(GAP);
            (follows, follows)
        } else {
            (0, LAST)
        }
    });
}

impl Figure for Rope {
    const NAME: ViewName = ViewName::Rope;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(M), Some(N)];

    type Layout = Chart;

    fn new(values: &Values, lang: Lang, _: Option<Rope>) -> Rope {
        let ones = values.get(VECTORS) == Vectors::Ones;
        let mut normals = Normals::seeded(SEED);
        let mut vector = || -> Vec<f64> {
            let next = |_| {
                if ones {
                    1.0
                } else {
                    normals.next().unwrap_or_default()
                }
            };
            let mut vector: Vec<f64> = (0..D_HEAD).map(next).collect();
            // Every pair gets the length √2, as in a vector of ones, so that none dominates.
            for pair in vector.chunks_exact_mut(2) {
                let scale = SQRT_2 / pair[0].hypot(pair[1]).max(1e-9);
                pair.iter_mut().for_each(|x| *x *= scale);
            }
            vector
        };
        let base = values.get(BASE) as f64;
        Rope {
            lang,
            pairing: values.get(SHOW) == Show::Pairing,
            base,
            locked: values.get(LOCKED),
            m: values.get(M),
            n: values.get(N),
            rope: Turns::new(D_HEAD, base, Pairing::Adjacent),
            q: vector(),
            k: vector(),
        }
    }

    fn title(&self) -> Text {
        match self.pairing {
            true => Text::new(
                "Move the rows, and the logit stays",
                "行移过去，注意力分数不变",
            ),
            false => Self::NAME.title(),
        }
    }

    fn caption(&self) -> String {
        self.describe()
    }

    fn actions(&self) -> Option<Node> {
        self.elements_above()
    }

    fn more(&self) -> Option<Node> {
        self.elements_below()
    }

    /// Locks or unlocks the offset.
    fn act(&self, action: &str, _: &str, values: &mut Values) {
        if action != "lock" {
            return;
        }
        if self.locked {
            values.set_to(LOCKED, false);
            values.clear(GAP.name());
        } else {
            values.set_to(GAP, self.m - self.n);
            values.set_to(LOCKED, true);
        }
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(if self.pairing {
            theme.fitted(300.0 * theme.scale, 20.0)
        } else {
            let dials = Rope::rows(Rope::radius(width, theme), theme);
            let chart = (0.28 * width).clamp(164.0, 210.0) * theme.scale;
            theme.fitted(dials + chart, 16.0)
        })
    }

    fn layout(&self, context: &DrawContext) -> Chart {
        self.chart(context)
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, chart: &Chart) {
        if self.pairing {
            return self.draw_pairing(pen, context);
        }
        self.draw_dials(pen, context);
        self.draw_chart(pen, context, chart);
    }

    /// A drag along the chart moves the query, so that the offset is the one under the pointer.
    fn handles(&self, _: &DrawContext, chart: &Chart) -> Vec<Handle> {
        if self.pairing || self.locked {
            return Vec::new();
        }
        // The key moves as well if the query would leave its range.
        let offsets = Handle::plot(chart.plot).sets(M, Mapping::XFrom(chart.x, N.name()));
        vec![offsets.pushing(N)]
    }

    /// The numbers that texts quote.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        let at = |vectors: &str, m: f64, n: f64| {
            let changes = format!("vectors={vectors} m={m} n={n}");
            Rope::new(&Values::with(Rope::FIELDS, &changes), Lang::En, None)
        };
        Some(match (name, arguments) {
            ("rope_logit", &[m, n]) => at("random", m, n).logit(),
            ("rope_ones", &[offset]) => at("ones", offset, 0.0).logit(),
            // The logit of q and k of ones at an offset, in a head of this width, divided by that at offset 0.
            ("rope_ones_share", &[d, offset]) => {
                let rope = Turns::new(d as usize, 10_000.0, Pairing::Adjacent);
                let ones = vec![1.0; d as usize];
                let logit = |m| rope.logit((&ones, m), (&ones, 0));
                logit(offset as i64) / logit(0)
            }
            ("rope_unpermuted", &[m, n]) => at("random", m, n).logits()[2],
            ("rope_angle", &[pair, position]) => {
                at("ones", 0.0, 0.0).rope.frequency(pair as usize) * position
            }
            ("rope_wavelength", &[d, base]) => {
                Turns::new(d as usize, base, Pairing::Adjacent).wavelength(d as usize / 2 - 1)
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_close::assert_close;

    fn values(changes: &str) -> Values {
        Values::with(Rope::FIELDS, changes)
    }

    fn shown(changes: &str) -> Rope {
        Rope::new(&values(changes), Lang::En, None)
    }

    #[test]
    fn locked_positions_move_together_and_the_logit_stays() {
        let mut values = values("m=12 n=7");
        let before = Rope::new(&values, Lang::En, None);
        before.act("lock", "", &mut values);
        for m in [12, 5, 60, LAST] {
            values.set_to(M, m);
            let shown = Rope::new(&values, Lang::En, None);
            assert_eq!((shown.m, shown.n), (m, m - 5));
            assert_close(shown.logit(), before.logit(), 1e-13);
            assert_close(
                norm(&shown.rope.rotated(&shown.q, m)),
                norm(&before.q),
                1e-13,
            );
        }
        // m is limited so that n stays in its range.
        values.set_to(M, 0);
        assert_eq!((values.get(M), values.get(N)), (5, 0));
        Rope::new(&values, Lang::En, None).act("lock", "", &mut values);
        values.set_to(M, 90);
        assert_eq!(values.get(N), 0);
        let alone = Rope::new(&values, Lang::En, None).logit();
        assert!((alone - before.logit()).abs() > 0.1);
    }

    #[test]
    fn the_note_moves_both_positions_only_if_they_can_be() {
        for (changes, moved) in [
            ("m=12 n=7", true),
            ("m=100 n=0", false),
            ("m=0 n=100", false),
        ] {
            let note = shown(changes).more().unwrap().plain();
            assert_eq!(note.contains("both positions are moved"), moved, "{note}");
        }
    }

    #[test]
    fn the_curve_goes_through_every_logit() {
        for changes in ["m=12 n=7", "m=3 n=90 base=1000000", "vectors=ones m=63 n=0"] {
            let shown = shown(changes);
            let offset = (shown.m - shown.n) as f64;
            assert_close(shown.logit_at(offset), shown.logit(), 1e-12);
        }
    }

    #[test]
    fn even_ones_do_not_decay_steadily() {
        // 2·Σcos(rω)/√8 by Python’s math.
        for (offset, logit) in [(0, 2.828_427), (3, 1.389_387), (63, 2.681_207)] {
            let shown = shown(&format!("vectors=ones m={offset} n=0"));
            assert_close(shown.logit(), logit, 1e-6);
        }
        // NumPy: np.cos(k * 10000.0 ** (-np.arange(64) / 64)).mean()
        for (offset, share) in [(10.0, 0.6691), (100.0, 0.4772), (1000.0, 0.1590)] {
            let found = Rope::lesson_number("rope_ones_share", &[128.0, offset]).unwrap();
            assert_close(found, share, 5e-5);
        }
    }

    #[test]
    fn moved_rows_keep_the_logit_and_rows_left_do_not() {
        for changes in ["m=12 n=7", "m=1 n=50 base=500000"] {
            let [adjacent, permuted, unpermuted] = shown(changes).logits();
            assert_close(adjacent, permuted, 1e-9);
            assert!((adjacent - unpermuted).abs() > 0.05);
        }
    }
}
