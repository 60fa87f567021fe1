//! The four terms of Transformer-XL's logit as maps that add up to it: two see the offset, two do
//! not.

use crate::draw::chart::{cell_rect, cells};
use crate::draw::{DrawContext, DrawResult, Pen, Picture, Rect, Theme, Words};
use crate::field::{Field, Values, ViewName};
use crate::figure::{Figure, Handle, Mapping};
use crate::math::argsort;
use crate::math::random::Normals;
use crate::text::markup::{Node, html};
use crate::text::number::{fixed, noun, tiny, whole};
use crate::text::{Lang, Text};
use posenc_encoding::Matrix;
use posenc_encoding::{TransformerXl, XlTerms};

/// Queries of the segment, and the most keys before it.
const QUERIES: usize = 8;
const MEMORY: usize = 8;
const D_HEAD: usize = 8;
const D_MODEL: usize = 16;

const NAMES: [&str; 5] = [
    "(a) q·k",
    "(b) q·WR(i−j)",
    "(c) u·k",
    "(d) v·WR(i−j)",
    "a + b + c + d",
];
const QUERY: Text = Text::new("query i", "查询 i");
const KEY: Text = Text::new("key j (below 0: memory)", "键 j（小于 0：记忆段）");
const AHEAD: Text = Text::new("masked", "已屏蔽");

pub struct FourTerms {
    lang: Lang,
    memory: usize,
    far: i64,
    query: usize,
    /// From the start of the segment on; below 0 in the memory.
    key: i64,
    /// Queries × keys, the memory's first.
    terms: Matrix<XlTerms>,
    /// The largest distance of a sum from the direct computation.
    residual: f64,
    direct: f64,
    /// The most that each term has changed since the keys were at their own places.
    moved: [f64; 4],
    most: f64,
}

/// Everything seeded of a head: the queries, the keys of the longest memory and the segment.
struct Head {
    xl: TransformerXl,
    queries: Matrix<f64>,
    keys: Matrix<f64>,
}

impl Head {
    fn seeded(seed: u64) -> Head {
        let mut normals = Normals::seeded(seed);
        let queries = normals.matrix(QUERIES, D_HEAD, 1.0);
        let keys = normals.matrix(MEMORY + QUERIES, D_HEAD, 1.0);
        // R has the norm √(d_model/2): keys of offsets are as large as those of tokens.
        let deviation = (D_MODEL as f64 / 2.0).sqrt().recip();
        let weights = normals.matrix(D_HEAD, D_MODEL, deviation);
        let shared = normals.matrix(2, D_HEAD, 1.0);
        let [u, v] = [0, 1].map(|row| shared.row(row).to_vec());
        let xl = TransformerXl::new(weights, u, v);
        Head { xl, queries, keys }
    }

    /// Query, key and offset of a cell.
    fn of(&self, query: usize, key: i64, far: i64) -> (&[f64], &[f64], i64) {
        let row = (key + MEMORY as i64).max(0) as usize;
        let offset = query as i64 - key + far;
        (self.queries.row(query), self.keys.row(row), offset)
    }
}

/// Where the maps stand, in the order of [`NAMES`], and last the sum as bars.
struct Plan {
    places: [Rect; 6],
    /// Whether the column of the sum stands beside the others.
    wide: bool,
    legend: f64,
}

const LEFT: f64 = 3.4;
const GAP: f64 = 1.5;
const TITLE: f64 = 2.0;

impl Plan {
    fn new(width: f64, size: f64) -> Plan {
        let wide = width > 42.0 * size;
        let columns = if wide { 3.0 } else { 2.0 };
        let side = (width - (LEFT + GAP * (columns - 1.0) + 0.4) * size) / columns;
        let high = (0.62 * side).max(7.0 * size);
        let place = |column: usize, row: usize| {
            Rect::new(
                LEFT * size + column as f64 * (side + GAP * size),
                TITLE * size + row as f64 * (high + (TITLE + 1.3) * size),
                side,
                high,
            )
        };
        let last = if wide { 1 } else { 2 };
        let (sum, bars) = if wide {
            (place(2, 0), place(2, 1))
        } else {
            (place(0, 2), place(1, 2))
        };
        Plan {
            places: [
                place(0, 0),
                place(1, 0),
                place(0, 1),
                place(1, 1),
                sum,
                bars,
            ],
            wide,
            legend: place(0, last).bottom() + 3.6 * size,
        }
    }
}

impl FourTerms {
    fn shape(&self) -> (usize, usize) {
        (QUERIES, self.memory + QUERIES)
    }

    fn column(&self, key: i64) -> usize {
        (key + self.memory as i64).max(0) as usize
    }

    fn selected(&self) -> XlTerms {
        self.terms.at(self.query, self.column(self.key))
    }

    /// The selected terms as they are printed, so that they add up to the printed sum.
    fn printed(&self) -> [f64; 4] {
        adding_up(self.selected().all(), 2)
    }

    fn offset(&self) -> i64 {
        self.query as i64 - self.key + self.far
    }

    fn draw_map<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        context: &DrawContext,
        map: usize,
        rect: Rect,
    ) -> DrawResult<DB> {
        let (theme, size, shape) = (context.theme, context.theme.label_size(), self.shape());
        let value = |terms: XlTerms| match terms.all().get(map) {
            Some(&term) => term,
            None => terms.sum(),
        };
        cells(pen, context, rect, shape, self.most, |row, column| {
            value(self.terms.at(row, column))
        })?;
        for row in 0..QUERIES {
            let first = self.memory + row + 1;
            if first < shape.1 {
                let from = cell_rect(rect, shape, row, first);
                // A little higher than its row: no gap shows between two.
                let ahead = from.with_size(
                    rect.right() - from.x,
                    (from.bottom() + 0.5).min(rect.bottom()) - from.y,
                );
                pen.fill(ahead, theme.rule, 1.0)?;
            }
        }
        if self.memory > 0 {
            let x = cell_rect(rect, shape, 0, self.memory).x;
            pen.line(
                &[(x, rect.y), (x, rect.bottom())],
                theme.ink,
                theme.hairline(),
            )?;
        }
        pen.outline(rect, theme.muted, 0.6, theme.hairline())?;

        let cell = |row: usize, column: usize| {
            let cell = cell_rect(rect, shape, row, column);
            cell.centre()
        };
        let (row, column) = (self.query, self.column(self.key));
        // What is the same everywhere along it.
        let along = match map {
            2 => Some((
                cell(column.saturating_sub(self.memory), column),
                cell(QUERIES - 1, column),
            )),
            3 => {
                let back = row.min(column);
                let on = (QUERIES - 1 - row).min(shape.1 - 1 - column);
                Some((cell(row - back, column - back), cell(row + on, column + on)))
            }
            _ => None,
        };
        if let Some((from, to)) = along {
            pen.dashes(from, to, theme.there, 0.6 * theme.stroke())?;
        }
        let here = cell_rect(rect, shape, row, column);
        pen.outline(here, theme.there, 1.0, theme.stroke())?;

        let sees = matches!(map, 1 | 3);
        let colour = if sees { theme.accent } else { theme.ink };
        let title = (rect.x, rect.y - 0.85 * size);
        let words = Words::new(size, colour).starting().bold();
        pen.words(title, NAMES[map], words)?;
        let words = Words::new(size, theme.muted);
        // Without a memory the first two are one.
        let first = usize::from(self.memory == 0);
        for &key in &[-(self.memory as i64), 0, QUERIES as i64 - 1][first..] {
            let (x, _) = cell(0, self.column(key));
            pen.words((x, rect.bottom() + 0.85 * size), &whole(key), words)?;
        }
        Ok(())
    }

    /// The terms end to end, and the logit that they come to.
    fn draw_bars<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        context: &DrawContext,
        rect: Rect,
    ) -> DrawResult<DB> {
        let (theme, size) = (context.theme, context.theme.label_size());
        let (terms, printed) = (self.selected(), self.printed());
        let mut ends = [0.0; 5];
        for (i, term) in terms.all().iter().enumerate() {
            ends[i + 1] = ends[i] + term;
        }
        let low = ends.iter().copied().fold(0.0, f64::min);
        let high = ends.iter().copied().fold(0.0, f64::max);
        let plot = rect.across(rect.x + 2.0 * size, (rect.width - 6.0 * size).max(1.0));
        let x = |value: f64| plot.x + (value - low) / (high - low).max(1e-9) * plot.width;
        let line = rect.height / 5.0;
        let zero = x(0.0);
        pen.line(
            &[(zero, rect.y), (zero, rect.bottom())],
            theme.muted,
            theme.hairline(),
        )?;
        let title = match self.lang {
            Lang::En => format!("offset {}", whole(self.offset())),
            Lang::Zh => format!("偏移量 {}", whole(self.offset())),
        };
        let at = (rect.x, rect.y - 0.85 * size);
        pen.words(at, &title, Words::new(size, theme.there).starting().bold())?;
        for row in 0..5 {
            let (from, to, value) = match printed.get(row) {
                Some(&term) => (ends[row], ends[row + 1], term),
                None => (0.0, ends[4], printed.iter().sum()),
            };
            let colour = match row {
                4 => theme.there,
                1 | 3 => theme.accent,
                _ => theme.ink,
            };
            let middle = rect.y + (row as f64 + 0.5) * line;
            let (left, right) = (x(from.min(to)), x(from.max(to)));
            let bar = Rect::new(
                left,
                middle - 0.3 * line,
                (right - left).max(1.0),
                0.6 * line,
            );
            pen.fill(bar, colour, 0.85)?;
            let name = ["(a)", "(b)", "(c)", "(d)", "="][row];
            let words = Words::new(size, colour);
            pen.words((rect.x, middle), name, words.starting())?;
            let number = (rect.right(), middle);
            let words = if row == 4 { words.bold() } else { words };
            pen.words(number, &fixed(value, 2), words.ending())?;
        }
        Ok(())
    }

    fn draw_legend<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        context: &DrawContext,
        plan: &Plan,
    ) -> DrawResult<DB> {
        let (theme, size, y) = (context.theme, context.theme.label_size(), plan.legend);
        let words = Words::new(size, theme.muted);
        let left = plan.places[0].x;
        let bar = Rect::new(left + 2.6 * size, y - 0.4 * size, 5.0 * size, 0.8 * size);
        cells(pen, context, bar, (1, 64), 31.5, |_, step| {
            step as f64 - 31.5
        })?;
        let most = fixed(self.most, 1);
        let least = fixed(-self.most, 1);
        pen.words((bar.x - 0.4 * size, y), &least, words.ending())?;
        pen.words((bar.right() + 0.4 * size, y), &most, words.starting())?;
        let grey = bar.across(bar.right() + 2.8 * size, 1.2 * size);
        pen.fill(grey, theme.rule, 1.0)?;
        let at = (grey.right() + 0.4 * size, y);
        pen.words(at, AHEAD.get(self.lang), words.starting())
    }
}

/// `terms` rounded to `digits` decimals so that they add up to their rounded sum, by the method of the largest remainder:
/// each is rounded down, and the units that are then missing go to those that lost most. None is off by a whole unit.
fn adding_up<const N: usize>(terms: [f64; N], digits: u32) -> [f64; N] {
    let unit = 10f64.powi(digits as i32);
    let scaled = terms.map(|term| term * unit);
    let down = scaled.map(f64::floor);
    let sum = (terms.iter().sum::<f64>() * unit).round();
    let missing = (sum - down.iter().sum::<f64>()).max(0.0) as usize;
    let kept: [f64; N] = std::array::from_fn(|i| down[i] - scaled[i]);
    let mut rounded = down;
    for i in argsort(&kept).into_iter().take(missing) {
        rounded[i] += 1.0;
    }
    rounded.map(|term| term / unit)
}

impl Figure for FourTerms {
    const NAME: ViewName = ViewName::FourTerms;
    const FIELDS: &'static [Field] = &[
        Field::whole("memory", "Memory length", "记忆段长度", 4, |_| {
            (0, MEMORY as i64)
        }),
        Field::whole("far", "Keys farther by", "把键推远", 0, |_| (0, 32)),
        Field::whole("seed", "Random seed", "随机种子", 1, |_| (1, 99)),
        Field::whole("query", "query", "查询", 5, |_| (0, QUERIES as i64 - 1)).linked(),
        Field::whole("key", "key", "键", 1, |v| {
            (-v.whole("memory"), v.whole("query"))
        })
        .linked(),
    ];
    const ARROWS: [&'static str; 2] = ["key", "query"];

    fn new(values: &Values, lang: Lang, _: Option<FourTerms>) -> FourTerms {
        let head = Head::seeded(values.count("seed") as u64);
        let (memory, far) = (values.count("memory"), values.whole("far"));
        let (query, key) = (values.count("query"), values.whole("key"));
        let mut terms = Matrix::zeros(QUERIES, memory + QUERIES);
        let (mut residual, mut moved, mut most) = (0.0f64, [0.0f64; 4], 0.0f64);
        for row in 0..QUERIES {
            for column in 0..=memory + row {
                let key = column as i64 - memory as i64;
                let (q, k, offset) = head.of(row, key, far);
                let cell = head.xl.terms(q, k, offset);
                residual = residual.max((cell.sum() - head.xl.logit(q, k, offset)).abs());
                let before = head.xl.terms(q, k, offset - far).all();
                for (term, (now, before)) in cell.all().iter().zip(before).enumerate() {
                    moved[term] = moved[term].max((now - before).abs());
                    most = most.max(now.abs());
                }
                most = most.max(cell.sum().abs());
                *terms.at_mut(row, column) = cell;
            }
        }
        let (q, k, offset) = head.of(query, key, far);
        FourTerms {
            lang,
            memory,
            far,
            query,
            key,
            terms,
            residual,
            direct: head.xl.logit(q, k, offset),
            moved,
            most,
        }
    }

    fn caption(&self) -> String {
        let printed = self.printed();
        let [a, b, c, d] = printed.map(|term| fixed(term, 2));
        let (sum, direct) = (fixed(printed.iter().sum(), 2), fixed(self.direct, 2));
        let bracket = |text: String| match text.starts_with('−') {
            true => format!("({text})"),
            false => text,
        };
        let added = format!(
            "{a} + {} + {} + {} = {sum}",
            bracket(b),
            bracket(c),
            bracket(d)
        );
        let (i, j, offset) = (self.query, whole(self.key), whole(self.offset()));
        let residual = tiny(self.residual);
        let [a, b, c, d] = self.moved.map(|change| match change {
            0.0 => "0".to_string(),
            change => fixed(change, 2),
        });
        let far = self.far;
        match self.lang {
            Lang::En => {
                let told = if far == 0 {
                    "(c) is constant down each column: it sees the key alone. (d) is constant along each diagonal: it sees the offset alone.".to_string()
                } else {
                    format!(
                        "With all keys {far} {} farther away, (a) and (c) have changed by {a} and {c}, (b) and (d) by up to {b} and {d}.",
                        noun(&far.to_string(), "position", "positions")
                    )
                };
                format!(
                    "Query {i}, key {j}, offset {offset}: {added}. Computed directly it is {direct}; the two differ by at most {residual} in any cell. {told}"
                )
            }
            Lang::Zh => {
                let told = if far == 0 {
                    "(c) 在每一列上处处相同：它只看键。(d) 在每条对角线上处处相同：它只看偏移量。"
                        .to_string()
                } else {
                    format!(
                        "所有键都推远 {far} 个位置后，(a) 和 (c) 的变化为 {a} 和 {c}，(b) 和 (d) 的变化最大为 {b} 和 {d}。"
                    )
                };
                format!(
                    "查询 {i}，键 {j}，偏移量 {offset}：{added}。直接计算得 {direct}；所有单元格中两者最多相差 {residual}。{told}"
                )
            }
        }
    }

    fn below(&self) -> Option<Node> {
        let note = match self.lang {
            Lang::En => format!(
                "q, k, W, u and v are seeded normal numbers, of no trained model; d_head = {D_HEAD}, d_model = {D_MODEL}, every term divided by √d_head."
            ),
            Lang::Zh => format!(
                "q、k、W、u、v 都是按种子生成的正态随机数，不来自训练好的模型；d_head = {D_HEAD}，d_model = {D_MODEL}，每一项都已除以 √d_head。"
            ),
        };
        Some(html::p(note).class("note"))
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        let size = theme.label_size();
        Some(Plan::new(width, size).legend + 0.9 * size)
    }

    fn draw<DB: Picture>(&self, pen: &Pen<DB>, context: &DrawContext) -> DrawResult<DB> {
        let (theme, size) = (context.theme, context.theme.label_size());
        let plan = Plan::new(context.frame.width, size);
        for map in 0..5 {
            self.draw_map(pen, context, map, plan.places[map])?;
        }
        let words = Words::new(size, theme.muted);
        let rows = if plan.wide { &[0, 2][..] } else { &[0, 2, 4] };
        for &map in rows {
            let rect = plan.places[map];
            for row in [0, QUERIES - 1] {
                let cell = cell_rect(rect, self.shape(), row, 0);
                let at = (rect.x - 0.4 * size, cell.centre_y());
                pen.words(at, &row.to_string(), words.ending())?;
            }
            let at = (rect.x - 2.0 * size, rect.centre_y());
            pen.words(at, QUERY.get(self.lang), words.upwards())?;
        }
        let lowest = plan.places[if plan.wide { 2 } else { 4 }];
        let at = (lowest.x, lowest.bottom() + 2.1 * size);
        pen.words(at, KEY.get(self.lang), words.starting())?;
        self.draw_bars(pen, context, plan.places[5])?;
        self.draw_legend(pen, context, &plan)
    }

    fn handles(&self, context: &DrawContext) -> Vec<Handle> {
        let plan = Plan::new(context.frame.width, context.theme.label_size());
        let (shape, of) = (self.shape(), [0, 1, -(self.memory as i64)]);
        let map = |&map: &Rect| {
            Handle::area(map)
                .sets("query", Mapping::row(shape))
                .sets("key", Mapping::Cell { shape, of })
        };
        plan.places[..5].iter().map(map).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(changes: &str) -> FourTerms {
        let values = Values::with(FourTerms::FIELDS, changes);
        FourTerms::new(&values, Lang::En, None)
    }

    #[test]
    fn the_terms_add_up_to_what_is_computed_directly() {
        for changes in ["", "memory=0", "memory=8 far=32 seed=99", "far=7 seed=3"] {
            assert!(shown(changes).residual < 1e-14);
        }
        let it = shown("query=7 key=-3");
        let [a, b, c, d] = it.selected().all();
        assert!((a + b + c + d - it.direct).abs() < 1e-14);
    }

    #[test]
    fn rounded_terms_add_up() {
        assert_eq!(adding_up([0.333, 0.333, 0.333], 2), [0.34, 0.33, 0.33]);
        assert_eq!(adding_up([-0.125, -0.125, 0.25], 2), [-0.12, -0.13, 0.25]);
        assert_eq!(adding_up([1.0, -2.5], 1), [1.0, -2.5]);
    }

    #[test]
    fn printed_terms_add_up_to_the_printed_sum() {
        let hundredths = |text: &str| -> i64 {
            let text = text.trim_matches(['(', ')']).replace('−', "-");
            (text.parse::<f64>().unwrap() * 100.0).round() as i64
        };
        for seed in 1..=99 {
            for query in 0..QUERIES as i64 {
                for key in -4..=query {
                    let caption = shown(&format!("seed={seed} query={query} key={key}")).caption();
                    let (_, added) = caption.split_once(": ").unwrap();
                    let (terms, rest) = added.split_once(" = ").unwrap();
                    let (sum, rest) = rest.split_once(". Computed directly it is ").unwrap();
                    let (direct, _) = rest.split_once("; ").unwrap();
                    let added: i64 = terms.split(" + ").map(hundredths).sum();
                    assert_eq!(added, hundredths(sum), "{caption}");
                    assert_eq!(sum, direct, "{caption}");
                }
            }
        }
    }

    #[test]
    fn only_two_terms_notice_that_the_keys_have_moved() {
        let [a, b, c, d] = shown("far=9").moved;
        assert_eq!([a, c], [0.0; 2]);
        assert!(b > 0.5 && d > 0.5, "{b} {d}");
    }

    #[test]
    fn c_is_constant_down_columns_and_d_along_diagonals() {
        let it = shown("memory=5");
        for row in 1..QUERIES {
            for column in 1..=5 + row {
                let [a, b, c, d] = it.terms.at(row, column).all();
                let before = it.terms.at(row - 1, column - 1).all();
                assert_eq!(d, before[3]);
                assert!(a != before[0] && b != before[1]);
                if column < 5 + row {
                    assert_eq!(c, it.terms.at(row - 1, column).all()[2]);
                }
            }
        }
    }

    #[test]
    fn a_longer_memory_adds_columns_and_changes_none() {
        let (short, long) = (shown("memory=2"), shown("memory=7"));
        for row in 0..QUERIES {
            for column in 0..=2 + row {
                assert_eq!(short.terms.at(row, column), long.terms.at(row, column + 5));
            }
        }
    }
}
