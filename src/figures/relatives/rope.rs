//! RoPE: the pairs of a query and of a key turned by their positions, what each pair adds to the logit, and the logit
//! over the offset m − n, which is all that it sees. Or: which dimensions make a pair, and how weights move between
//! the two customs.

use crate::draw::chart::{Chart, Scale};
use crate::draw::{Circle, DrawContext, DrawResult, Pen, Picture, Rect, Theme, Words, dial};
use crate::field::{Field, Values, ViewName};
use crate::figure::{Figure, Handle, Mapping};
use crate::math::random::Normals;
use crate::text::markup::{Node, html};
use crate::text::number::{fixed, whole};
use crate::text::{Lang, Text, labels};
use plotters::style::RGBColor;
use posenc_encoding::{Pairing, Rope as Turns};
use posenc_encoding::{sin_cos, within_half_turns};
use std::f64::consts::SQRT_2;

/// Small enough that all of a head is seen.
const D_HEAD: usize = 8;
const PAIRS: usize = D_HEAD / 2;
const LAST: i64 = 100;
const SEED: u64 = 4;

const LOGIT: Text = Text::new("logit q·k / √d", "logit q·k / √d");
const OFFSET: Text = Text::new("offset m − n", "偏移量 m − n");
const ROWS: [Text; 2] = [
    Text::new("rows of W_Q, adjacent pairs", "W_Q 的各行，相邻成对"),
    Text::new("the same rows, pairs of halves", "同样的行，前后两半成对"),
];

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

fn lead(lang: Lang, value: i64) -> String {
    let value = whole(value);
    match lang {
        Lang::En => format!("Lock m − n = {value}"),
        Lang::Zh => format!("锁定 m − n = {value}"),
    }
}

fn colours(theme: &Theme) -> [RGBColor; PAIRS] {
    [theme.sine, theme.cosine, theme.there, theme.accent]
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

    /// The logit at an offset, also between whole ones.
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

    fn radius(context: &DrawContext) -> f64 {
        let theme = context.theme;
        (0.1 * context.frame.width).min(58.0 * theme.scale)
    }

    fn chart(&self, context: &DrawContext) -> Chart {
        let size = context.theme.label_size();
        let top = 6.6 * size + 2.0 * Rope::radius(context);
        let room = Rect::all(context.frame).down(top, (context.frame.height - top).max(1.0));
        let parts = self.parts();
        let most: f64 = parts.iter().map(|part| part.0.hypot(part.1)).sum();
        let most = 1.05 * most / (D_HEAD as f64).sqrt();
        let last = LAST as f64;
        Chart::new(
            context,
            room,
            Scale::linear(-last, last),
            Scale::linear(-most, most),
        )
    }

    fn draw_dials<DB: Picture>(&self, pen: &Pen<DB>, context: &DrawContext) -> DrawResult<DB> {
        let (theme, size) = (context.theme, context.theme.label_size());
        let (width, radius) = (context.frame.width, Rope::radius(context));
        let (m, n, offset) = (whole(self.m), whole(self.n), whole(self.m - self.n));
        let (q, k) = match self.lang {
            Lang::En => (format!("q at m = {m}"), format!("k at n = {n}")),
            Lang::Zh => (format!("q 在 m = {m}"), format!("k 在 n = {n}")),
        };
        let heads = [
            (0.17, q, theme.there),
            (0.5, k, theme.here),
            (0.83, format!("m − n = {offset}"), theme.accent),
        ];
        for (share, words, colour) in heads {
            let words_at = (share * width, 0.9 * size);
            pen.words(words_at, &words, Words::new(size, colour).bold())?;
        }
        let shares = self
            .rope
            .contributions((&self.q, self.m), (&self.k, self.n));
        let length = |x: &[f64], [a, b]: [usize; 2]| x[a].hypot(x[b]);
        let longest = (0..PAIRS)
            .flat_map(|pair| [&self.q, &self.k].map(|x| length(x, self.rope.dimensions(pair))))
            .fold(1e-9, f64::max);
        for (pair, share) in shares.into_iter().enumerate() {
            let dimensions = self.rope.dimensions(pair);
            let centre = (
                (pair as f64 + 0.5) * width / PAIRS as f64,
                3.6 * size + radius,
            );
            let name = (centre.0, 2.5 * size);
            pen.words(
                name,
                &labels::pair_tag(self.lang, pair),
                Words::new(size, theme.muted),
            )?;
            let mut angles = [0.0; 2];
            for (end, (x, at, colour)) in [
                (&self.k, self.n, theme.here),
                (&self.q, self.m, theme.there),
            ]
            .into_iter()
            .enumerate()
            {
                let share = length(x, dimensions) / longest;
                let circle = Circle {
                    centre,
                    radius: share * radius,
                };
                let start = x[dimensions[1]].atan2(x[dimensions[0]]);
                angles[end] = start + self.rope.angle(pair, at);
                pen.ring(centre, circle.radius, theme.rule, theme.hairline())?;
                let unturned = [centre, circle.at(start, 1.0)];
                pen.faint_line(&unturned, colour, 0.4, 0.6 * theme.stroke())?;
                let tip = circle.at(angles[end], 1.0);
                pen.arrow(centre, tip, colour, theme.stroke())?;
            }
            let circle = Circle { centre, radius };
            let between = (angles[0], within_half_turns(angles[1] - angles[0]));
            dial::turn(pen, theme, circle, 0.28, between, theme.accent)?;
            let share = fixed(share, 2);
            let below = (centre.0, 4.4 * size + 2.0 * radius);
            pen.words(below, &share, Words::new(size, theme.ink))?;
        }
        let sum = match self.lang {
            Lang::En => format!("sum = logit = {}", fixed(self.logit(), 3)),
            Lang::Zh => format!("合计 = logit = {}", fixed(self.logit(), 3)),
        };
        let at = (width / 2.0, 5.9 * size + 2.0 * radius);
        pen.words(at, &sum, Words::new(1.1 * size, theme.accent).bold())
    }

    fn draw_chart<DB: Picture>(&self, pen: &Pen<DB>, context: &DrawContext) -> DrawResult<DB> {
        let (theme, chart) = (context.theme, self.chart(context));
        chart.axes(
            pen,
            context,
            [LOGIT, OFFSET].map(|text| text.get(self.lang)),
        )?;
        let steps = -4 * LAST..=4 * LAST;
        let curve = steps.map(|step| {
            let offset = step as f64 / 4.0;
            (offset, self.logit_at(offset))
        });
        chart.curve(pen, curve, theme.ink, 0.6 * theme.stroke())?;
        let (offset, logit) = ((self.m - self.n) as f64, self.logit());
        let (x, y) = chart.at((offset, logit));
        let (width, bottom) = (0.75 * theme.stroke(), chart.plot.bottom());
        pen.dashes((x, bottom), (x, y), theme.accent, width)?;
        chart.dots(pen, [(offset, logit)], theme.accent, 2.6 * theme.stroke())
    }

    /// The rows of the weights in the order of either pairing, pairs bracketed, and where each row goes.
    fn draw_pairing<DB: Picture>(&self, pen: &Pen<DB>, context: &DrawContext) -> DrawResult<DB> {
        let (theme, size) = (context.theme, context.theme.label_size());
        let (width, height) = (context.frame.width, context.frame.height);
        let side = (0.9 * width / D_HEAD as f64).min(3.2 * size);
        let left = (width - side * D_HEAD as f64) / 2.0;
        let tops = [4.4 * size, height - 6.4 * size - side];
        let middle = |column: usize| left + (column as f64 + 0.5) * side;
        let order = Pairing::order(D_HEAD);
        let pairings = [Pairing::Adjacent, Pairing::Halves];
        for (column, &row) in order.iter().enumerate() {
            let from = (middle(row), tops[0] + side);
            let line = [from, (middle(column), tops[1])];
            pen.faint_line(&line, colours(theme)[row / 2], 0.7, 0.8 * theme.stroke())?;
        }
        for (strip, pairing) in pairings.into_iter().enumerate() {
            let (top, down) = (tops[strip], strip == 1);
            for (column, &moved) in order.iter().enumerate() {
                let row = if down { moved } else { column };
                let rect = Rect::new(left + column as f64 * side, top, side, side);
                let colour = colours(theme)[row / 2];
                pen.fill(rect, theme.panel, 1.0)?;
                pen.fill(rect, colour, 0.16)?;
                pen.outline(rect, theme.muted, 0.8, theme.hairline())?;
                let centre = (rect.x + side / 2.0, rect.y + side / 2.0);
                let words = Words::new(1.1 * size, colour).bold();
                pen.words(centre, &row.to_string(), words)?;
            }
            for pair in 0..PAIRS {
                let [a, b] = pairing.dimensions(D_HEAD, pair).map(middle);
                let foot = if down { top + side } else { top };
                let reach = if down { 1.0 + pair as f64 } else { 1.0 };
                let sign = if down { 1.0 } else { -1.0 };
                let far = foot + sign * 0.75 * reach * size;
                let bracket = [(a, foot), (a, far), (b, far), (b, foot)];
                pen.line(&bracket, colours(theme)[pair], 0.8 * theme.stroke())?;
            }
            let title = ROWS[strip].get(self.lang);
            let y = if down {
                height - 1.2 * size
            } else {
                1.4 * size
            };
            pen.words((width / 2.0, y), title, Words::new(size, theme.muted))?;
        }
        Ok(())
    }
}

impl Figure for Rope {
    const NAME: ViewName = ViewName::Rope;
    const FIELDS: &'static [Field] = &[
        Field::choice(
            "show",
            "Show",
            "显示",
            &[
                ("turn", Text::new("The turning", "旋转")),
                ("pairing", Text::new("The pairing", "配对")),
            ],
        ),
        Field::choice(
            "vectors",
            "q and k",
            "q 和 k",
            &[
                (
                    "random",
                    Text::new("Random angles (seed 4)", "随机角度（种子 4）"),
                ),
                ("ones", Text::new("All ones", "全为 1")),
            ],
        ),
        Field::size("base", "base", "底数", 10_000, |_| (10_000, 1_000_000)),
        Field::toggle("locked", "Locked", "锁定", false).linked(),
        Field::whole("gap", "m − n", "m − n", 0, |_| (-LAST, LAST)).linked(),
        Field::whole("m", "Query at m", "查询在 m", 12, |v| {
            if v.on("locked") {
                let gap = v.whole("gap");
                (gap.max(0), LAST + gap.min(0))
            } else {
                (0, LAST)
            }
        }),
        Field::whole("n", "Key at n", "键在 n", 7, |v| {
            if v.on("locked") {
                let follows = v.whole("m") - v.whole("gap");
                (follows, follows)
            } else {
                (0, LAST)
            }
        }),
    ];
    const ARROWS: [&'static str; 2] = ["m", "n"];

    fn new(values: &Values, lang: Lang, _: Option<Rope>) -> Rope {
        let ones = values.choice("vectors") == "ones";
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
            // As long as ones, so that no pair drowns the others.
            for pair in vector.chunks_exact_mut(2) {
                let scale = SQRT_2 / pair[0].hypot(pair[1]).max(1e-9);
                pair.iter_mut().for_each(|x| *x *= scale);
            }
            vector
        };
        let base = values.whole("base") as f64;
        Rope {
            lang,
            pairing: values.choice("show") == "pairing",
            base,
            locked: values.on("locked"),
            m: values.whole("m"),
            n: values.whole("n"),
            rope: Turns::new(D_HEAD, base, Pairing::Adjacent),
            q: vector(),
            k: vector(),
        }
    }

    fn caption(&self) -> String {
        let (m, n, offset) = (whole(self.m), whole(self.n), whole(self.m - self.n));
        if self.pairing {
            let [adjacent, permuted, unpermuted] = self.logits().map(|logit| fixed(logit, 3));
            return match self.lang {
                Lang::En => format!(
                    "Adjacent pairs give the logit {adjacent} at m = {m}, n = {n}. Pairs of halves give {permuted} when the rows of W_Q and W_K are moved along the lines, and {unpermuted} when they are left where they were."
                ),
                Lang::Zh => format!(
                    "m = {m}、n = {n} 时，相邻成对的 logit 为 {adjacent}。改为前后两半成对：把 W_Q 和 W_K 的行沿连线移过去，仍为 {permuted}；行不动，则为 {unpermuted}。"
                ),
            };
        }
        let logit = fixed(self.logit(), 3);
        let [q, k] = [&self.q, &self.k].map(|x| fixed(norm(x), 2));
        let what = match (self.lang, self.locked) {
            (Lang::En, true) => {
                "Both positions move together: every arrow turns, no angle between q and k changes, and the logit stays"
            }
            (Lang::En, false) => {
                "Moving one position alone changes the angles between q and k; the logit is"
            }
            (Lang::Zh, true) => "两个位置一起移动：箭头都在转，q 与 k 的夹角却都不变，logit 保持",
            (Lang::Zh, false) => "只移动一个位置，q 与 k 的夹角就会改变；此时 logit 为",
        };
        match self.lang {
            Lang::En => format!(
                "{what} {logit} at offset {offset}. At every position |q| = {q} and |k| = {k}: turning keeps lengths."
            ),
            Lang::Zh => format!(
                "{what} {logit}（偏移量 {offset}）。在任何位置都有 |q| = {q}、|k| = {k}：旋转不改变长度。"
            ),
        }
    }

    fn above(&self) -> Option<Node> {
        let pressed = if self.locked { "true" } else { "false" };
        let lock = html::button("lock", "", lead(self.lang, self.m - self.n))
            .attribute("aria-pressed", pressed);
        Some(html::div("row", vec![lock]))
    }

    fn below(&self) -> Option<Node> {
        let words = match (self.lang, self.pairing) {
            (_, true) => {
                let names = match self.lang {
                    Lang::En => [
                        "pairing",
                        "adjacent",
                        "halves, rows moved",
                        "halves, rows not moved",
                    ],
                    Lang::Zh => ["配对方式", "相邻", "两半，行已移动", "两半，行未移动"],
                };
                let logits = self.logits().map(|logit| fixed(logit, 3));
                let values = std::iter::once("logit".to_string()).chain(logits);
                let rows = names.into_iter().zip(values);
                let row =
                    |(name, value): (&str, String)| vec![html::words(name), html::words(value)];
                return Some(html::table(rows.map(row).collect()));
            }
            (Lang::En, _) => {
                "Solid arrows are turned by m·ω and n·ω, faint lines are the vectors before; the number below a dial is what the pair adds to the logit."
            }
            (Lang::Zh, _) => {
                "实线箭头已转过 m·ω 和 n·ω，淡线是旋转前的向量；表盘下的数是这个维度对对 logit 的贡献。"
            }
        };
        Some(html::p(words).class("note"))
    }

    /// Keeps the offset, or lets it go.
    fn act(&self, action: &str, _: &str, values: &mut Values) {
        if action != "lock" {
            return;
        }
        if self.locked {
            values.set_on("locked", false);
            values.clear("gap");
        } else {
            values.set_whole("gap", self.m - self.n);
            values.set_on("locked", true);
        }
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        let size = theme.label_size();
        Some(if self.pairing {
            300.0 * theme.scale
        } else {
            6.6 * size + 2.0 * (0.1 * width).min(58.0 * theme.scale) + 210.0 * theme.scale
        })
    }

    fn draw<DB: Picture>(&self, pen: &Pen<DB>, context: &DrawContext) -> DrawResult<DB> {
        if self.pairing {
            return self.draw_pairing(pen, context);
        }
        self.draw_dials(pen, context)?;
        self.draw_chart(pen, context)
    }

    /// Drawn along the chart, q moves until the offset is the one pointed at.
    fn handles(&self, context: &DrawContext) -> Vec<Handle> {
        if self.pairing || self.locked {
            return Vec::new();
        }
        // The key gives way where the query cannot go.
        let chart = self.chart(context);
        let offsets = Handle::beside(chart.plot).sets("m", Mapping::XFrom(chart.x, "n"));
        vec![offsets.giving_way("n")]
    }
}

/// The numbers that the text of the lesson takes from here.
#[cfg(test)]
pub fn numbers(name: &str, arguments: &[f64]) -> Option<f64> {
    let at = |vectors: &str, m: f64, n: f64| {
        let changes = format!("vectors={vectors} m={m} n={n}");
        Rope::new(&Values::with(Rope::FIELDS, &changes), Lang::En, None)
    };
    Some(match (name, arguments) {
        ("rope_logit", &[m, n]) => at("random", m, n).logit(),
        ("rope_ones", &[offset]) => at("ones", offset, 0.0).logit(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::close::assert_close;

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
            values.set_whole("m", m);
            let shown = Rope::new(&values, Lang::En, None);
            assert_eq!((shown.m, shown.n), (m, m - 5));
            assert_close(shown.logit(), before.logit(), 1e-13);
            assert_close(
                norm(&shown.rope.rotated(&shown.q, m)),
                norm(&before.q),
                1e-13,
            );
        }
        // As far as both can go.
        values.set_whole("m", 0);
        assert_eq!((values.whole("m"), values.whole("n")), (5, 0));
        Rope::new(&values, Lang::En, None).act("lock", "", &mut values);
        values.set_whole("m", 90);
        assert_eq!(values.whole("n"), 0);
        let alone = Rope::new(&values, Lang::En, None).logit();
        assert!((alone - before.logit()).abs() > 0.1);
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
