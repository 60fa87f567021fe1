//! Encodings beside one another on the same queries and keys: what each adds, the logits, and what
//! they have in common at one offset.

use crate::draw::grid::{cell_rect, cells};
use crate::draw::pen::text_width;
use crate::draw::{DrawContext, DrawResult, Pen, Picture, Rect, Scale, Theme, Words};
use crate::field::{Field, Values, ViewName, encoding_name};
use crate::figure::{Figure, Handle, Mapping};
use crate::math::Clamp;
use crate::math::random::Normals;
use crate::text::markup::{Node, html};
use crate::text::number::{fixed, short, whole};
use crate::text::{Lang, Text};
use posenc_encoding::{
    AttentionHead, Encoding, HeadConfig, Matrix, OffsetLogit, Operation, Target, logit_map,
    offset_curve,
};

const WIDTH: usize = 16;
const HEADS: usize = 8;
/// ALiBi's slope is 1/16 there.
const HEAD: usize = 3;
const BASE: f64 = 10_000.0;
const LONGEST: i64 = 64;
const SEED: u64 = 5;

type Choice = (&'static str, Text);
/// A slot that shows nothing.
const OFF: &str = "off";

/// Every encoding as a choice, the slot's default first. With one place more than there are encodings, the slot may
/// also show nothing, which comes second.
const fn choices<const N: usize>(default: Encoding) -> [Choice; N] {
    let all = Encoding::ALL;
    let mut choices = [(OFF, Text::new("–", "–")); N];
    choices[0] = (default.name(), encoding_name(default));
    let (mut next, mut i) = (1 + N - all.len(), 0);
    while i < all.len() {
        if all[i] as usize != default as usize {
            choices[next] = (all[i].name(), encoding_name(all[i]));
            next += 1;
        }
        i += 1;
    }
    choices
}

const COUNT: usize = Encoding::ALL.len();
const FIRST: [Choice; COUNT] = choices(Encoding::Sinusoidal);
const SECOND: [Choice; COUNT] = choices(Encoding::Learned);
const THIRD: [Choice; COUNT + 1] = choices(Encoding::Rope);
const FOURTH: [Choice; COUNT + 1] = choices(Encoding::Alibi);

const SLOTS: [&str; 4] = ["first", "second", "third", "fourth"];

const POSITION: Text = Text::new("position", "位置");
const QUERY: Text = Text::new("query m", "查询 m");
const KEY: Text = Text::new("key n", "键 n");
const LOGIT: Text = Text::new("logit", "logit");
const OFFSET: Text = Text::new("offset n − m", "偏移量 n − m");
const UNDEFINED: Text = Text::new("none", "无定义");

/// What is shown of one encoding, computed part by part.
struct Column {
    encoding: Encoding,
    head: Box<dyn AttentionHead>,
    max_len: usize,
    len: usize,
    /// How many of the two parts, curve and map, are computed.
    parts: usize,
    map: Matrix<Option<f64>>,
    curve: Vec<OffsetLogit>,
}

impl Column {
    fn new(encoding: Encoding, max_len: usize, len: usize) -> Column {
        // Only a learned table ends there; others keep as many rows at hand.
        let info = encoding.info();
        let ends = info.is_learned() && info.target == Target::Embedding;
        let rows = if ends { max_len } else { max_len.max(len) };
        let size = HeadConfig {
            max_len: rows,
            width: WIDTH,
            heads: HEADS,
            head: HEAD,
            base: BASE,
            causal: false,
        };
        let mut normals = Normals::seeded(SEED + 1);
        let head = encoding.head(&size, &mut || normals.next().unwrap_or_default());
        Column {
            encoding,
            head,
            max_len,
            len,
            parts: 0,
            map: Matrix::zeros(0, 0),
            curve: Vec::new(),
        }
    }

    fn compute(&mut self, queries: &Matrix<f64>, keys: &Matrix<f64>) {
        let first = |all: &Matrix<f64>| Matrix {
            positions: self.len,
            dimensions: WIDTH,
            values: all.values[..self.len * WIDTH].to_vec(),
        };
        if self.parts == 0 {
            self.curve = offset_curve(&*self.head, queries.row(0), keys.row(0), self.len);
        } else {
            self.map = logit_map(&*self.head, &first(queries), &first(keys));
        }
        self.parts += 1;
    }

    fn spread(&self) -> f64 {
        self.curve
            .iter()
            .fold(0.0, |most: f64, at| most.max(at.spread))
    }

    /// The logit of a cell, if it is computed and there is one.
    fn logit(&self, row: usize, column: usize) -> Option<f64> {
        if row.max(column) < self.map.positions {
            self.map.at(row, column)
        } else {
            None
        }
    }

    /// What it adds or turns, row by row: cosines of the turns for what is turned.
    fn done(&self) -> Matrix<Option<f64>> {
        let info = self.encoding.info();
        let len = self.len;
        let columns = match info.target {
            Target::Embedding => WIDTH,
            Target::QueriesAndKeys => WIDTH / 2,
            Target::Logits => len,
            Target::Nothing => return Matrix::zeros(0, 0),
        };
        let mut done = Matrix::zeros(len, columns);
        for row in 0..len {
            let added = self.head.added(row as i64);
            for column in 0..columns {
                *done.at_mut(row, column) = match info.target {
                    Target::Embedding => added.as_ref().map(|added| added[column]),
                    Target::QueriesAndKeys => self.cosine(column, row as i64),
                    _ => self.head.bias(row as i64, column as i64),
                };
            }
        }
        done
    }

    /// The cosine of a pair's turn at a position: the logit of its first unit vector there and at 0, times √width.
    fn cosine(&self, pair: usize, position: i64) -> Option<f64> {
        let mut unit = [0.0; WIDTH];
        unit[2 * pair] = 1.0;
        let logit = self.head.logit((&unit, position), (&unit, 0))?;
        Some(logit * (WIDTH as f64).sqrt())
    }

    /// What the first panel shows, and its axis across.
    fn titles(&self) -> (Text, Text) {
        let info = self.encoding.info();
        match (info.operation, info.target) {
            (Operation::Multiplies, _) => (
                Text::new("cos of turns", "转角余弦"),
                Text::new("pair", "维度对"),
            ),
            (_, Target::Embedding) => (
                Text::new("added to x", "加到词嵌入"),
                Text::new("dimension", "维度"),
            ),
            (_, Target::Logits) if self.encoding == Encoding::TransformerXl => {
                (Text::new("term (d)", "第 (d) 项"), KEY)
            }
            (_, Target::Logits) => (Text::new("added to logit", "加到 logit"), KEY),
            _ => (Text::new("nothing added", "什么也不加"), Text::new("", "")),
        }
    }

    fn undefined(&self) -> usize {
        (0..self.len as i64)
            .filter(|&position| !self.head.defined(position))
            .count()
    }
}

pub struct SideBySide {
    lang: Lang,
    max_len: usize,
    len: usize,
    pos: usize,
    k: i64,
    columns: Vec<Column>,
    queries: Matrix<f64>,
    keys: Matrix<f64>,
}

/// The three panels of a column.
struct Panels {
    done: Rect,
    map: Rect,
    curve: Rect,
    /// Whether it is the first of its line, where the axes are named.
    first: bool,
}

const LEFT: f64 = 4.2;
const GAP: f64 = 1.4;

/// The panels of so many columns, and the height of all.
fn plan(columns: usize, width: f64, size: f64) -> (Vec<Panels>, f64) {
    let most = if width > 42.0 * size { 4 } else { 2 };
    let across = columns.clamp(1, most);
    let room = width - (LEFT + GAP * (across - 1) as f64 + 0.6) * size;
    let side = (room / across as f64).min(20.0 * size);
    let heights = [0.62 * side, side, 0.7 * side];
    let tops = [3.8 * size, 3.6 * size, 4.2 * size];
    let line = heights.iter().sum::<f64>() + tops.iter().sum::<f64>() + 3.2 * size;
    let panels = (0..columns).map(|column| {
        let (row, place) = (column / across, column % across);
        let x = LEFT * size + place as f64 * (side + GAP * size);
        let mut y = row as f64 * line;
        let mut next = |panel: usize| {
            y += tops[panel];
            let rect = Rect {
                x,
                y,
                width: side,
                height: heights[panel],
            };
            y += heights[panel];
            rect
        };
        Panels {
            done: next(0),
            map: next(1),
            curve: next(2),
            first: place == 0,
        }
    });
    let lines = columns.div_ceil(across);
    (panels.collect(), lines as f64 * line + 1.6 * size)
}

impl SideBySide {
    fn key(&self) -> usize {
        (self.pos as i64 + self.k).max(0) as usize
    }

    fn panels(&self, context: &DrawContext) -> Vec<Panels> {
        plan(
            self.columns.len(),
            context.frame.width,
            context.theme.label_size(),
        )
        .0
    }

    /// The largest logit of all maps.
    fn most(&self) -> f64 {
        let all = self.columns.iter().flat_map(|column| &column.map.values);
        all.flatten()
            .fold(1.0, |most: f64, logit| most.max(logit.abs()))
    }

    /// The range of all curves with their spread.
    fn range(&self) -> (f64, f64) {
        let all = self.columns.iter().flat_map(|column| &column.curve);
        all.fold((-1.0, 1.0), |(low, high): (f64, f64), at| {
            (low.min(at.mean - at.spread), high.max(at.mean + at.spread))
        })
    }

    /// Cells, with those that have no value in grey.
    fn draw_cells<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        context: &DrawContext,
        rect: Rect,
        table: &Matrix<Option<f64>>,
        most: f64,
    ) -> DrawResult<DB> {
        let theme = context.theme;
        let shape = (table.positions, table.dimensions);
        cells(pen, context, rect, shape, most, |row, column| {
            table.at(row, column).unwrap_or_default()
        })?;
        for row in 0..shape.0 {
            // Those without a value stand together at the end of a row.
            let line = table.row(row);
            let Some(first) = line.iter().position(Option::is_none) else {
                continue;
            };
            let from = cell_rect(rect, shape, row, first);
            // A little higher than its row: no gap shows between two.
            let bottom = (from.bottom() + 0.5).min(rect.bottom());
            let grey = Rect {
                width: rect.right() - from.x,
                height: bottom - from.y,
                ..from
            };
            pen.fill(grey, theme.rule, 1.0)?;
        }
        pen.outline(rect, theme.muted, 0.6, theme.hairline())
    }

    fn draw_column<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        context: &DrawContext,
        column: &Column,
        panels: &Panels,
        (most, (low, high)): (f64, (f64, f64)),
    ) -> DrawResult<DB> {
        let (theme, size) = (context.theme, context.theme.label_size());
        let words = Words::new(size, theme.muted);
        let len = column.len.max(1) as f64;
        let edge = column.max_len as f64 / len;
        let beyond = edge < 1.0;
        let line = 0.6 * theme.stroke();

        let rect = panels.done;
        let title = encoding_name(column.encoding).get(self.lang);
        let bold = Words::new(size, theme.ink).bold().starting();
        pen.words((rect.x, rect.y - 2.3 * size), title, bold)?;
        let (what, across) = column.titles();
        let what = what.get(self.lang);
        let done = column.done();
        if done.values.is_empty() {
            pen.outline(rect, theme.rule, 1.0, theme.hairline())?;
            let at = (rect.x + rect.width / 2.0, rect.y + rect.height / 2.0);
            pen.words(at, what, words)?;
        } else {
            let values = done.values.iter().flatten();
            let most = values.fold(1e-9, |most: f64, value| most.max(value.abs()));
            let at = (rect.x, rect.y - 0.9 * size);
            let comma = match self.lang {
                Lang::En => ", ",
                Lang::Zh => "，",
            };
            let range = format!("{what}{comma}±{}", short(most, 2));
            let fits = text_width(&range, size) < rect.width;
            let range = if fits { &range } else { what };
            pen.words(at, range, words.starting())?;
            self.draw_cells(pen, context, rect, &done, most)?;
            let at = (rect.x + rect.width / 2.0, rect.bottom() + 0.85 * size);
            pen.words(at, across.get(self.lang), words)?;
            if beyond {
                let y = rect.y + edge * rect.height;
                pen.dashes((rect.x, y), (rect.right(), y), theme.accent, line)?;
            }
        }

        let rect = panels.map;
        let value = match column.logit(self.pos, self.key()) {
            Some(logit) => fixed(logit, 2),
            None => UNDEFINED.get(self.lang).into(),
        };
        let at = (rect.x, rect.y - 0.9 * size);
        let picked = Words::new(size, theme.there).starting().bold();
        pen.words(at, &format!("{} {value}", LOGIT.get(self.lang)), picked)?;
        if column.map.positions > 0 {
            self.draw_cells(pen, context, rect, &column.map, most)?;
            if beyond {
                let (x, y) = (rect.x + edge * rect.width, rect.y + edge * rect.height);
                pen.dashes((rect.x, y), (rect.right(), y), theme.accent, line)?;
                pen.dashes((x, rect.y), (x, rect.bottom()), theme.accent, line)?;
            }
            let shape = (column.map.positions, column.map.positions);
            if self.pos.max(self.key()) < shape.0 {
                let cell = cell_rect(rect, shape, self.pos, self.key());
                let middle = (cell.x + cell.width / 2.0, cell.y + cell.height / 2.0);
                pen.ring(
                    middle,
                    1.2 * cell.width.max(4.0),
                    theme.there,
                    theme.stroke(),
                )?;
            }
        }
        for position in [0, column.len.saturating_sub(1)] {
            let x = rect.x + (position as f64 + 0.5) / len * rect.width;
            pen.words(
                (x, rect.bottom() + 0.85 * size),
                &position.to_string(),
                words,
            )?;
        }
        let at = (rect.x + rect.width / 2.0, rect.bottom() + 0.85 * size);
        pen.words(at, KEY.get(self.lang), words)?;

        let rect = panels.curve;
        let spread = fixed(column.spread(), 2);
        let spread = match self.lang {
            Lang::En => format!("spread ≤ {spread}"),
            Lang::Zh => format!("离散 ≤ {spread}"),
        };
        pen.words((rect.x, rect.y - 0.9 * size), &spread, words.starting())?;
        pen.outline(rect, theme.muted, 0.6, theme.hairline())?;
        // From the offset query minus key to key minus query.
        let at = |offset: i64, value: f64| {
            let x = rect.x + (0.5 - offset as f64 / (2.0 * len)) * rect.width;
            let share = (value - low) / (high - low);
            (x, rect.bottom() - share.clamped(0.0, 1.0) * rect.height)
        };
        let (from, to) = (at(column.len as i64, 0.0), at(-(column.len as i64), 0.0));
        pen.line(&[from, to], theme.rule, theme.hairline())?;
        let middle = at(0, 0.0).0;
        let ends = [(middle, rect.y), (middle, rect.bottom())];
        pen.line(&ends, theme.rule, theme.hairline())?;
        if beyond {
            for offset in [column.max_len as i64, -(column.max_len as i64)] {
                let (x, _) = at(offset, 0.0);
                pen.dashes((x, rect.y), (x, rect.bottom()), theme.accent, line)?;
            }
        }
        // One of before the sequence was made shorter may still be longer.
        let within = |it: &&OffsetLogit| it.offset.unsigned_abs() < column.len as u64;
        let curve: Vec<&OffsetLogit> = column.curve.iter().filter(within).collect();
        let ups = curve.iter().map(|it| at(it.offset, it.mean + it.spread));
        let downs = curve
            .iter()
            .rev()
            .map(|it| at(it.offset, it.mean - it.spread));
        let band: Vec<_> = ups.chain(downs).collect();
        if !band.is_empty() {
            pen.polygon(&band, theme.accent, 0.22)?;
        }
        let means: Vec<_> = curve.iter().map(|it| at(it.offset, it.mean)).collect();
        pen.line(&means, theme.accent, theme.stroke())?;
        if let Some(here) = curve.iter().find(|it| it.offset == -self.k) {
            pen.disc(
                at(here.offset, here.mean),
                1.8 * theme.stroke(),
                theme.there,
            )?;
        }
        let last = column.len as i64 - 1;
        let ends = [
            (-last, rect.x, words.starting()),
            (last, rect.right(), words.ending()),
        ];
        for (offset, x, words) in ends {
            pen.words((x, rect.bottom() + 0.85 * size), &whole(offset), words)?;
        }
        let middle = (rect.x + rect.width / 2.0, rect.bottom() + 2.1 * size);
        pen.words(middle, OFFSET.get(self.lang), words)?;

        if panels.first {
            for (rect, title) in [
                (panels.done, POSITION),
                (panels.map, QUERY),
                (panels.curve, LOGIT),
            ] {
                let at = (rect.x - 3.3 * size, rect.y + rect.height / 2.0);
                pen.words(at, title.get(self.lang), words.upwards())?;
            }
            for (value, y) in [(high, rect.y), (low, rect.bottom())] {
                let y = y + if value == high {
                    0.5 * size
                } else {
                    -0.5 * size
                };
                pen.words((rect.x - 0.4 * size, y), &fixed(value, 1), words.ending())?;
            }
            for rect in [panels.done, panels.map] {
                for position in [0, column.len.saturating_sub(1)] {
                    let y = rect.y + (position as f64 + 0.5) / len * rect.height;
                    let at = (rect.x - 0.4 * size, y);
                    pen.words(at, &position.to_string(), words.ending())?;
                }
            }
        }
        Ok(())
    }
}

impl Figure for SideBySide {
    const NAME: ViewName = ViewName::SideBySide;
    const FIELDS: &'static [Field] = &[
        Field::choice("first", "First", "第一种", &FIRST),
        Field::choice("second", "Second", "第二种", &SECOND),
        Field::choice("third", "Third", "第三种", &THIRD),
        Field::choice("fourth", "Fourth", "第四种", &FOURTH),
        Field::whole(
            "max_len",
            "rows of a learned table",
            "可学习表的行数",
            24,
            |_| (2, 48),
        ),
        Field::whole(
            "length",
            "Length of the sequence",
            "序列长度",
            32,
            |_| (2, LONGEST),
        ),
        Field::whole("pos", "position of the query", "查询的位置", 20, |v| {
            (0, v.whole("length") - 1)
        })
        .linked(),
        Field::whole("k", "offset of the key", "键的偏移量", -8, |v| {
            (-v.whole("pos"), v.whole("length") - 1 - v.whole("pos"))
        })
        .linked(),
    ];
    const ARROWS: [&'static str; 2] = ["k", "pos"];

    fn new(values: &Values, lang: Lang, previous: Option<SideBySide>) -> SideBySide {
        let (max_len, len) = (values.count("max_len"), values.count("length"));
        let mut old = previous.map_or_else(Vec::new, |previous| previous.columns);
        let chosen = SLOTS
            .iter()
            .filter_map(|slot| Encoding::named(values.choice(slot)));
        let columns = chosen.map(|encoding| {
            // What is there already; else what there was before stays until the new is computed.
            let found = old.iter().position(|column| column.encoding == encoding);
            let found = found.map(|index| old.swap_remove(index));
            match found {
                Some(column) if column.max_len == max_len && column.len == len => column,
                before => {
                    let mut column = Column::new(encoding, max_len, len);
                    if let Some(before) = before {
                        (column.map, column.curve) = (before.map, before.curve);
                    }
                    column
                }
            }
        });
        let columns = columns.collect();
        let mut normals = Normals::seeded(SEED);
        let [queries, keys] = [(); 2].map(|()| normals.matrix(LONGEST as usize, WIDTH, 1.0));
        SideBySide {
            lang,
            max_len,
            len,
            pos: values.count("pos"),
            k: values.whole("k"),
            columns,
            queries,
            keys,
        }
    }

    fn caption(&self) -> String {
        let comma = match self.lang {
            Lang::En => ", ",
            Lang::Zh => "，",
        };
        let logits = self.columns.iter().map(|column| {
            let name = encoding_name(column.encoding).get(self.lang);
            match column.logit(self.pos, self.key()) {
                Some(logit) => format!("{name} {}", fixed(logit, 2)),
                None => format!("{name} {}", UNDEFINED.get(self.lang)),
            }
        });
        let logits = logits.collect::<Vec<_>>().join(comma);
        let (m, n, k) = (self.pos, self.key(), whole(self.k));
        let ends = self
            .columns
            .iter()
            .map(Column::undefined)
            .max()
            .unwrap_or(0);
        let last = self.max_len.saturating_sub(1);
        let (len, cut) = (self.len, self.max_len < self.len);
        let told = match (self.lang, cut, ends) {
            (_, false, _) => String::new(),
            (Lang::En, _, 0) => format!(
                " Positions {} to {} lie beyond max_len, and all of these have logits there.",
                last + 1,
                len - 1
            ),
            (Lang::Zh, _, 0) => format!(
                "位置 {} 到 {} 超过了 max_len，这几种编码在那里都有 logit。",
                last + 1,
                len - 1
            ),
            (Lang::En, _, ends) => format!(
                " The learned table ends with row {last}: {ends} of {len} positions have no row, and no logit with any other."
            ),
            (Lang::Zh, _, ends) => format!(
                "可学习表到第 {last} 行为止：{len} 个位置中有 {ends} 个没有对应的行，与任何位置之间都没有 logit。"
            ),
        };
        match self.lang {
            Lang::En => format!(
                "Query {m}, key {n}, offset {k}: {logits}.{told} Where the band has a width, one query and one key at the same offset have other logits at other positions."
            ),
            Lang::Zh => format!(
                "查询 {m}，键 {n}，偏移量 {k}：{logits}。{told}色带有宽度的地方，同一对查询和键在同样的偏移量上，换个位置 logit 就不同。"
            ),
        }
    }

    fn below(&self) -> Option<Node> {
        let note = match self.lang {
            Lang::En => format!(
                "The same seeded random q and k for all, {WIDTH} numbers each (seed {SEED}); learned numbers are simulated. W_Q and W_K are the identity; ALiBi with the slope 1/16. Curves: one q and one k, mean and standard deviation over all positions. Dashed: max_len; grey: none."
            ),
            Lang::Zh => format!(
                "各种编码用同一组随机 q 和 k，各 {WIDTH} 个数（种子 {SEED}）；学习的参数为模拟值。W_Q 和 W_K 取单位矩阵；ALiBi 的斜率为 1/16。曲线：同一对 q 和 k，对所有位置取均值和标准差。虚线为 max_len，灰色为无定义。"
            ),
        };
        Some(html::p(note).class("note"))
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(plan(self.columns.len(), width, theme.label_size()).1)
    }

    fn draw<DB: Picture>(&self, pen: &Pen<DB>, context: &DrawContext) -> DrawResult<DB> {
        let (most, range) = (self.most(), self.range());
        for (column, panels) in self.columns.iter().zip(self.panels(context)) {
            self.draw_column(pen, context, column, &panels, (most, range))?;
        }
        let (theme, size) = (context.theme, context.theme.label_size());
        let words = Words::new(size, theme.muted);
        let bar = Rect {
            x: (LEFT + 6.2) * size,
            y: context.frame.height - 1.3 * size,
            width: 7.0 * size,
            height: 0.8 * size,
        };
        let y = bar.y + 0.4 * size;
        cells(pen, context, bar, (1, 64), 31.5, |_, step| {
            step as f64 - 31.5
        })?;
        let least = format!("{} {}", LOGIT.get(self.lang), fixed(-most, 1));
        pen.words((bar.x - 0.4 * size, y), &least, words.ending())?;
        pen.words(
            (bar.right() + 0.4 * size, y),
            &fixed(most, 1),
            words.starting(),
        )
    }

    fn handles(&self, context: &DrawContext) -> Vec<Handle> {
        let shape = (self.len, self.len);
        let panels = self.panels(context).into_iter().flat_map(|panels| {
            let map = Handle::area(panels.map)
                .sets("pos", Mapping::row(shape))
                .sets("k", Mapping::offset(shape));
            let reach = self.len as f64;
            let offsets = Scale::linear(-reach, reach).on(panels.curve.x, panels.curve.right());
            let curve = Handle::area(panels.curve).sets("k", Mapping::X(offsets));
            [map, curve.giving_way("pos")]
        });
        panels.collect()
    }

    fn work(&mut self) -> bool {
        let (queries, keys) = (&self.queries, &self.keys);
        if let Some(column) = self.columns.iter_mut().find(|column| column.parts < 2) {
            column.compute(queries, keys);
        }
        self.columns.iter().any(|column| column.parts < 2)
    }
}

/// `side-width()`: the width of queries and keys.
#[cfg(test)]
pub fn numbers(name: &str, arguments: &[f64]) -> Option<f64> {
    (name == "side-width" && arguments.is_empty()).then_some(WIDTH as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(changes: &str) -> SideBySide {
        let values = Values::with(SideBySide::FIELDS, changes);
        let mut it = SideBySide::new(&values, Lang::En, None);
        while it.work() {}
        it
    }

    #[test]
    fn every_encoding_can_be_chosen_in_every_place() {
        for slot in SLOTS {
            let field = SideBySide::FIELDS.iter().find(|field| field.name == slot);
            let mut values = Values::new(SideBySide::FIELDS);
            for encoding in Encoding::ALL {
                assert_eq!(values.set(slot, encoding.name()), None, "{field:?}");
            }
        }
        assert_eq!(shown("third=off fourth=off").columns.len(), 2);
    }

    #[test]
    fn only_the_absolute_ones_spread() {
        for &encoding in Encoding::ALL {
            let it = shown(&format!("first={} third=off fourth=off", encoding.name()));
            let spread = it.columns[0].spread();
            let absolute = !encoding.info().relative;
            assert_eq!(spread > 0.1, absolute, "{encoding:?} {spread}");
            assert!(absolute || spread < 1e-12, "{encoding:?} {spread}");
        }
    }

    #[test]
    fn beyond_the_table_only_the_learned_one_has_no_logits() {
        let it = shown("max_len=24 length=32 pos=30 k=-3 fourth=t5");
        let defined: Vec<bool> = it
            .columns
            .iter()
            .map(|it| it.logit(30, 27).is_some())
            .collect();
        assert_eq!(defined, [true, false, true, true]);
        assert!(it.caption().contains("8 of 32 positions have no row"));
        assert!(!shown("length=24").caption().contains("no row"));
    }

    #[test]
    fn what_is_computed_already_is_kept() {
        let it = shown("");
        let values = Values::with(SideBySide::FIELDS, "pos=3 k=2 fourth=t5");
        let next = SideBySide::new(&values, Lang::Zh, Some(it));
        let parts: Vec<usize> = next.columns.iter().map(|column| column.parts).collect();
        assert_eq!(parts, [2, 2, 2, 0]);
    }
}
