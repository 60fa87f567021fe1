//! A sequence longer than the table: the error of the usual code, and the two ways around it.

use crate::draw::grid::cells;
use crate::draw::{DrawContext, Pen, Rect, Scale, TextStyle, Theme};
use crate::field::{Field, Key, Values, ViewName, choices, fields};
use crate::figure::{Figure, Handle, Mapping};
use crate::math::random::Normals;
use crate::text::markup::Node;
use crate::text::markup::html::{div, p};
use crate::text::{Lang, Text};
use posenc_encoding::{Layout, Matrix, Sinusoidal};

/// Columns of the table: enough to show what a row is.
const D_MODEL: usize = 32;
const SEED: u64 = 7;

choices! {
    enum Way {
        Fail "fail" "Add anyway" "照样相加";
        Truncate "truncate" "Truncate" "截断";
        Compute "compute" "Compute new rows" "算出新的行";
    }
}

pub struct Beyond {
    lang: Lang,
    length: usize,
    max_len: usize,
    way: Way,
    learned: bool,
    /// The rows that are stored or computed.
    table: Matrix<f64>,
}

impl Beyond {
    fn over(&self) -> usize {
        self.length.saturating_sub(self.max_len)
    }

    /// The number of tokens without a row.
    fn missing(&self) -> usize {
        match self.way {
            Way::Truncate => 0,
            Way::Compute if !self.learned => 0,
            _ => self.over(),
        }
    }

    /// The number of tokens cut off at the beginning.
    fn dropped(&self) -> usize {
        match self.way {
            Way::Truncate => self.over(),
            _ => 0,
        }
    }

    fn t(&self, en: &'static str, zh: &'static str) -> &'static str {
        Text::new(en, zh).get(self.lang)
    }

    /// Returns the code and its result: the shapes, or the error message.
    fn code(&self) -> (String, Result<String, String>) {
        let (len, max) = (self.length, self.max_len);
        let shape = |rows: usize| format!("[1, {rows}, {D_MODEL}]");
        let fine = |rows: usize| Ok(format!("{0} + {0}", shape(rows)));
        let mismatch = format!(
            "RuntimeError: The size of tensor a ({len}) must match the size of tensor b ({max}) at non-singleton dimension 1"
        );
        match self.way {
            Way::Fail if self.over() > 0 => ("x + self.pe[:, : x.size(1)]".into(), Err(mismatch)),
            Way::Fail => ("x + self.pe[:, : x.size(1)]".into(), fine(len)),
            Way::Truncate => (
                format!("x = x[:, -{max}:]\nx + self.pe[:, : x.size(1)]"),
                fine(len.min(max)),
            ),
            Way::Compute if self.learned => ("x + self.table(torch.arange(x.size(1)))".into(), {
                if self.over() > 0 {
                    Err("IndexError: index out of range in self".into())
                } else {
                    fine(len)
                }
            }),
            Way::Compute => (
                "pe = positional_encoding(d_model, x.size(1))\nx + pe".into(),
                fine(len),
            ),
        }
    }
}

/// Returns the rectangle of the rows `from … to − 1` of a column whose rows have the height `row`.
fn rows(column: Rect, row: f64, from: usize, to: usize) -> Rect {
    column.down(
        column.y + from as f64 * row,
        to.saturating_sub(from) as f64 * row,
    )
}

fields! {
    LENGTH: i64 = Key::size("length", "Sequence length L", "序列长度 L", 48, |_| (1, 256));
    MAX_LEN: i64 = Key::size("max_len", "rows of the table", "表的行数", 32, |_| (2, 256)).under_more();
    WAY: Way = Key::choice("way", "If L > max_len", "L > max_len 时");
    LEARNED: bool = Key::toggle("learned", "The table is learned", "可学习位置表", false).under_more();
}

impl Figure for Beyond {
    const NAME: ViewName = ViewName::Beyond;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(LENGTH), Some(MAX_LEN)];

    type Layout = (Rect, Rect, f64);

    fn new(values: &Values, lang: Lang, _: Option<Beyond>) -> Beyond {
        let (length, max_len) = (values.count(LENGTH), values.count(MAX_LEN));
        let learned = values.get(LEARNED);
        let way = values.get(WAY);
        let table = if learned {
            Normals::seeded(SEED).matrix(max_len, D_MODEL, 0.4)
        } else {
            let len = if way == Way::Compute {
                length.max(max_len)
            } else {
                max_len
            };
            Sinusoidal::new(D_MODEL, 10_000.0, Layout::Interleaved).table_f64(len)
        };
        Beyond {
            lang,
            length,
            max_len,
            way,
            learned,
            table,
        }
    }

    fn caption(&self) -> String {
        let (len, max, over) = (self.length, self.max_len, self.over());
        if over == 0 {
            return match self.lang {
                Lang::En => {
                    format!("L = {len} is within max_len = {max}: every token has its row.")
                }
                Lang::Zh => format!("L = {len} 没有超过 max_len = {max}：每个词元都有自己的一行。"),
            };
        }
        match (self.way, self.lang) {
            (Way::Fail, Lang::En) => format!(
                "The buffer ends after {max} rows, so the slice for {len} tokens has {max}; the shapes do not fit, and the code stops."
            ),
            (Way::Fail, Lang::Zh) => format!(
                "缓冲区只有 {max} 行，为 {len} 个词元切出的仍是 {max} 行；形状对不上，代码报错停下。"
            ),
            (Way::Truncate, Lang::En) => format!(
                "The last {max} tokens are kept and counted from 0 again: token {over} gets row 0. What came before it is gone."
            ),
            (Way::Truncate, Lang::Zh) => format!(
                "保留最后 {max} 个词元，重新从 0 数起：词元 {over} 用第 0 行，它前面的内容就丢了。"
            ),
            (Way::Compute, Lang::En) if self.learned => format!(
                "A learned table has no formula: from row {max} on nothing was stored, and there is nothing to compute it from. To have more rows, somebody must make them up."
            ),
            (Way::Compute, Lang::Zh) if self.learned => format!(
                "可学习位置表没有公式：从第 {max} 行起，什么也没存过，也无从算起。要有更多的行，只能另造。"
            ),
            (Way::Compute, Lang::En) => format!(
                "The formula gives the rows from {max} on as exactly as the others. That they can be computed does not mean that a model trained on {max} positions can use them."
            ),
            (Way::Compute, Lang::Zh) => format!(
                "公式同样精确地给出第 {max} 行及以后的各行。算得出来，不等于只在 {max} 个位置上训练过的模型会用。"
            ),
        }
    }

    fn below(&self) -> Option<Node> {
        let (code, result) = self.code();
        let (class, said) = match result {
            Ok(shapes) => ("good", shapes),
            Err(error) => ("bad", error),
        };
        let mut parts = vec![
            Node::text("pre", code).class("code"),
            Node::text("pre", said).class(class),
        ];
        if self.learned {
            let simulated = match self.lang {
                Lang::En => format!("The learned table is simulated: random numbers, seed {SEED}."),
                Lang::Zh => format!("可学习位置表是模拟的：随机数，种子 {SEED}。"),
            };
            parts.push(p(simulated).class("note"));
        }
        Some(div("outcome", parts))
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(theme.fitted((0.58 * width).clamp(280.0, 400.0) * theme.scale, 14.0))
    }

    /// Returns the rectangles of the strip of tokens and of the table, and the height of a row.
    fn layout(&self, context: &DrawContext) -> (Rect, Rect, f64) {
        let (size, all) = (context.theme.label_size(), Rect::all(context.frame));
        let plot = Rect::new(
            4.6 * size,
            2.2 * size,
            (all.width - 8.6 * size).max(1.0),
            (all.height - 4.2 * size).max(1.0),
        );
        let row = plot.height / self.length.max(self.max_len) as f64;
        let strip = plot.with_width(0.14 * plot.width);
        let table = plot.across(plot.x + 0.38 * plot.width, 0.62 * plot.width);
        (strip, table, row)
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, places: &(Rect, Rect, f64)) {
        let theme = context.theme;
        let (size, stroke, hair) = (theme.label_size(), theme.stroke(), theme.hairline());
        let (strip, table, row) = *places;
        let (len, max) = (self.length, self.max_len);
        let (dropped, missing) = (self.dropped(), self.missing());

        let head = TextStyle::new(size, theme.ink).bold();
        let above = strip.y - 1.1 * size;
        let middle = |rect: Rect| rect.centre_x();
        pen.text((middle(strip), above), self.t("Sequence", "序列"), head);
        let title = match self.lang {
            Lang::En => format!("Table, max_len = {max}"),
            Lang::Zh => format!("表，max_len = {max}"),
        };
        pen.text((middle(table), above), &title, head);
        let muted = TextStyle::new(size, theme.muted);
        let below = strip.y + strip.height + 1.1 * size;
        pen.text((middle(table), below), self.t("dimension", "维度"), muted);
        let side = (0.9 * size, strip.centre_y());
        pen.text(side, self.t("position", "位置"), muted.rotated());

        // The rows of the table; those that are not used are faded.
        let stored = self.table.positions;
        let shown = rows(table, row, 0, stored);
        cells(
            pen,
            context,
            shown,
            (stored, D_MODEL),
            1.0,
            |position, dimension| self.table.at(position, dimension),
        );
        pen.outline(shown, theme.muted, 0.6, hair);
        let used = (len - dropped).min(stored);
        if used < stored {
            pen.fill(rows(table, row, used, stored), theme.panel, 0.72);
        }

        // The tokens, and lines from them to their rows.
        let kept = rows(strip, row, dropped, len - missing);
        pen.fill(kept, theme.accent, 0.3);
        let gone = [
            rows(strip, row, 0, dropped),
            rows(strip, row, len - missing, len),
        ];
        for rect in gone {
            pen.fill(rect, theme.wrong, 0.3);
        }
        let gap = [strip.right() + 0.4 * size, table.x - 0.4 * size];
        let lead = [(kept.y, 0), (kept.bottom(), len - missing - dropped)];
        let lead = lead.map(|(y, to)| [(gap[0], y), (gap[1], table.y + to as f64 * row)]);
        let [[a, b], [c, d]] = lead;
        pen.polygon(&[a, b, d, c], theme.accent, 0.12);
        for [from, to] in lead {
            pen.line(&[from, to], theme.accent, 0.5 * stroke);
        }
        if row >= 4.0 {
            for token in 1..len {
                let y = strip.y + token as f64 * row;
                pen.line(&strip.horizontal(y), theme.panel, hair);
            }
        }
        pen.outline(rows(strip, row, 0, len), theme.muted, 0.6, hair);

        if missing > 0 {
            let hole = rows(table, row, max, len);
            let corners = [
                (hole.x, hole.y),
                (hole.right(), hole.y),
                (hole.right(), hole.bottom()),
                (hole.x, hole.bottom()),
                (hole.x, hole.y),
            ];
            for side in corners.windows(2) {
                pen.dashes(side[0], side[1], theme.wrong, 0.75 * stroke);
            }
        }
        let edge = table.y + max as f64 * row;
        let [from, to] = table.horizontal(edge);
        pen.dashes(from, to, theme.ink, 0.75 * stroke);

        // The numbers of the first and last token and row, and tags for rows that are dropped, missing, computed or unused.
        let number = |at: f64, position: usize, style: TextStyle, x: f64| {
            let y = strip.y + (at + 0.5) * row;
            pen.text((x, y), &position.to_string(), style);
        };
        let left = strip.x - 0.4 * size;
        number(0.0, 0, muted.align_right(), left);
        if (len - 1) as f64 * row > 1.1 * size {
            number((len - 1) as f64, len - 1, muted.align_right(), left);
        }
        let right = table.right() + 0.4 * size;
        let mut above = f64::NEG_INFINITY;
        for last in [0, max - 1, stored - 1] {
            let y = last as f64 * row;
            if y - above > 1.1 * size {
                number(last as f64, last, muted.align_left(), right);
                above = y;
            }
        }
        let tag = |shown: bool, (column, from, to): (Rect, usize, usize), words: &str, colour| {
            if shown {
                let at = rows(column, row, from, to).centre();
                pen.tag(at, words, size, colour, theme.panel);
            }
        };
        let words = self.t("✕ dropped", "✕ 丢弃");
        tag(dropped > 0, (strip, 0, dropped), words, theme.wrong);
        let beyond = (table, max, len.max(max));
        let words = self.t("✕ no such rows", "✕ 没有这些行");
        tag(missing > 0, beyond, words, theme.wrong);
        let computed = missing == 0 && stored > max && len > max;
        tag(computed, beyond, self.t("computed", "现算的行"), theme.ink);
        let words = self.t("not used", "未用到");
        tag(used < max, (table, used, max), words, theme.muted);
    }

    fn handles(&self, context: &DrawContext, places: &(Rect, Rect, f64)) -> Vec<Handle> {
        let (strip, table, row) = *places;
        let rows = table.height / row;
        // Length r is at the centre of row r, counted from 1; dragging beyond the last row makes the sequence longer.
        let lengths = Scale::linear(0.5, rows + 0.5).on(strip.y, strip.bottom());
        let whole = Rect::all(context.frame);
        vec![Handle::area(whole).sets(LENGTH, Mapping::Y(lengths))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(set: &[(&str, &str)]) -> Beyond {
        let mut values = Values::new(Beyond::FIELDS);
        for (name, text) in set {
            assert_eq!(values.set(name, text), None);
        }
        Beyond::new(&values, Lang::En, None)
    }

    #[test]
    fn the_usual_code_stops_with_the_message_of_pytorch() {
        let (_, result) = shown(&[]).code();
        // Measured with PyTorch by tests/native/code.rs, with other lengths.
        assert_eq!(
            result.unwrap_err(),
            "RuntimeError: The size of tensor a (48) must match the size of tensor b (32) at non-singleton dimension 1"
        );
        assert!(shown(&[("length", "32")]).code().1.is_ok());
    }

    #[test]
    fn truncating_keeps_the_last_and_loses_the_first() {
        let cut = shown(&[("way", "truncate")]);
        assert_eq!(
            (cut.dropped(), cut.missing(), cut.table.positions),
            (16, 0, 32)
        );
        assert_eq!(cut.code().1.unwrap(), "[1, 32, 32] + [1, 32, 32]");
    }

    #[test]
    fn new_rows_continue_the_old_ones() {
        let computed = shown(&[("way", "compute")]);
        assert_eq!((computed.dropped(), computed.missing()), (0, 0));
        assert_eq!(computed.table.positions, 48);
        // NumPy: sin(47), and cos(47 · 10000^(−30/32)).
        assert!((computed.table.at(47, 0) - 0.123_573_122_745_224).abs() < 1e-12);
        assert!((computed.table.at(47, 31) - 0.999_965_072_846_563).abs() < 1e-9);
        let stored = shown(&[]).table;
        assert_eq!(computed.table.values[..stored.values.len()], stored.values);
    }

    #[test]
    fn a_learned_table_has_no_further_rows() {
        let learned = shown(&[("way", "compute"), ("learned", "on")]);
        assert_eq!((learned.missing(), learned.table.positions), (16, 32));
        assert!(learned.code().1.unwrap_err().contains("IndexError"));
    }

    #[test]
    fn nothing_happens_within_the_table() {
        for way in ["fail", "truncate", "compute"] {
            let within = shown(&[("length", "5"), ("way", way)]);
            assert_eq!((within.dropped(), within.missing()), (0, 0));
            assert!(within.code().1.is_ok());
        }
    }
}
