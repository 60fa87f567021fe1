//! A binary counter beside the sines of the pairs: both have a column for every frequency, one in
//! steps and the other smooth.

use crate::draw::grid::{cell_rect, cells};
use crate::draw::{DrawContext, Frame, Pen, Rect, TextStyle, Theme};
use crate::field::{Field, Key, Values, ViewName, fields};
use crate::figure::{Figure, Handle};
use crate::math::codes::{Code, Codes};
use crate::text::markup::{Node, html};
use crate::text::number::{fixed, short};
use crate::text::{Lang, labels};

pub struct Counter {
    lang: Lang,
    codes: Codes,
    max_len: usize,
    pos: usize,
}

/// The number of bits, and of pairs.
const COLUMNS: usize = 8;
/// With this base every pair has half the frequency of the one before.
const HALVING: i64 = 1 << COLUMNS;

/// Heights above the cells (title, number of the column, values at the two positions of a step) and below them (length of a
/// cycle), in units of the type size.
const HEAD: f64 = 6.5;
const FOOT: f64 = 3.6;
/// Heights of the values at the two positions above the cells, in units of the type size.
const VALUES: [f64; 2] = [2.1, 0.95];

pub struct Plan {
    bits: Rect,
    sines: Rect,
}

impl Plan {
    fn new(frame: Frame, size: f64) -> Plan {
        let (names, gap) = (4.4 * size, 1.4 * size);
        let width = (frame.width - names - gap - 0.6 * size).max(2.0) / 2.0;
        let bits = Rect::new(
            names,
            HEAD * size,
            width,
            (frame.height - (HEAD + FOOT) * size).max(1.0),
        );
        let sines = bits.with_x(bits.right() + gap);
        Plan { bits, sines }
    }
}

/// What is written above and below a column.
struct Column {
    /// At the two positions of a step.
    values: [String; 2],
    flips: bool,
    cycle: String,
}

impl Counter {
    /// The period of a column's bit, in positions.
    fn period(column: usize) -> f64 {
        (2u64 << column) as f64
    }

    /// The number of bits that flip between this position and the next.
    fn flips(position: usize) -> u32 {
        position.trailing_ones() + 1
    }

    /// The two adjacent positions that the caption compares.
    fn step(&self) -> [usize; 2] {
        let first = self.pos.min(self.max_len - 2);
        [first, first + 1]
    }

    fn bit(&self, position: usize, column: usize) -> f64 {
        (position >> column & 1) as f64
    }

    fn sine(&self, position: usize, column: usize) -> f64 {
        self.codes.pe.sin_cos_at(column, position as f64).0
    }

    fn panel(
        &self,
        pen: &Pen,
        context: &DrawContext,
        rect: Rect,
        [title, kind, foot]: [&str; 3],
        value: impl Fn(usize, usize) -> f64,
        column: impl Fn(usize) -> Column,
    ) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let small = TextStyle::new(theme.reduced(0.88), theme.muted);
        let middle = rect.centre_x();
        let title_words = TextStyle::new(size, theme.ink).bold();
        pen.text((middle, 0.8 * size), title, title_words);
        let grid = (self.max_len, COLUMNS);
        cells(pen, context, rect, grid, 1.0, value);
        for edge in 1..COLUMNS {
            let x = cell_rect(rect, grid, 0, edge).x;
            let ends = rect.vertical(x);
            pen.line(&ends, theme.panel, 2.0 * theme.hairline());
        }
        pen.outline(rect, theme.muted, 0.6, theme.hairline());
        // If columns are narrow, not every one is labelled.
        let every = (3.0 * size / (rect.width / COLUMNS as f64)).ceil().max(1.0) as usize;
        pen.text((middle, rect.y - 4.3 * size), kind, small);
        let bold = TextStyle::new(theme.reduced(0.92), theme.here).bold();
        let room = rect.width / COLUMNS as f64;
        let columns: [Column; COLUMNS] = std::array::from_fn(column);
        // Where columns are too narrow for the numbers, the colours say it.
        let mut values = columns.iter().flat_map(|column| &column.values);
        let narrow = values.any(|value| bold.width(value) > 0.9 * room);
        for (index, column) in columns.iter().enumerate() {
            let cell = cell_rect(rect, grid, 0, index);
            let x = cell.centre_x();
            let at = (x, rect.y - 3.25 * size);
            pen.text(
                at,
                &index.to_string(),
                TextStyle::new(theme.reduced(0.92), theme.muted),
            );
            let rows = column.values.iter().zip(VALUES).zip(self.step());
            for ((value, up), position) in rows.filter(|_| !narrow) {
                let style = match (position == self.pos, column.flips) {
                    (true, _) => bold,
                    (false, true) => TextStyle::new(bold.size(), theme.there).bold(),
                    (false, false) => TextStyle::new(bold.size(), theme.muted),
                };
                pen.text((x, rect.y - up * size), value, style);
            }
            if index % every != 0 {
                continue;
            }
            let at = (x, rect.bottom() + 0.8 * size);
            pen.text(
                at,
                &column.cycle,
                TextStyle::new(theme.reduced(0.92), theme.ink),
            );
        }
        pen.text((middle, rect.bottom() + 2.0 * size), foot, small);
    }
}

fields! {
    BASE: i64 = Key::size("base", "of ω", "底数", HALVING, |_| (2, 10_000));
    MAX_LEN: i64 = Key::size("max_len", "length", "位置数", 64, |_| (8, HALVING)).under_more();
    POS: i64 = Key::whole("pos", "position", "位置", 31, |v| (0, v.get(MAX_LEN) - 1));
}

impl Figure for Counter {
    const NAME: ViewName = ViewName::Counter;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [None, Some(POS)];

    type Layout = Plan;

    fn new(values: &Values, lang: Lang, _: Option<Counter>) -> Counter {
        let max_len = values.count(MAX_LEN);
        Counter {
            lang,
            codes: Codes::new(max_len, 2 * COLUMNS, values.get(BASE) as f64),
            max_len,
            pos: values.count(POS),
        }
    }

    fn caption(&self) -> String {
        let [from, to] = self.step();
        let flips = Counter::flips(from);
        let step = short(f64::from(flips).sqrt(), 4);
        let sine = short(self.codes.steps(Code::Sinusoidal).0, 4);
        let slower = short(self.codes.pe.frequency(0) / self.codes.pe.frequency(1), 4);
        let bits = if flips == 1 { "bit flips" } else { "bits flip" };
        match self.lang {
            Lang::En => format!(
                "Each bit lasts twice as long as the one before, each sine {slower} times as long. From position {from} to {to}, {flips} {bits}, a step of {step}; the sines, with the cosines that belong to them, step by {sine} here and everywhere."
            ),
            Lang::Zh => format!(
                "每一位的周期是前一位的 2 倍，每个正弦的波长是前一个的 {slower} 倍。从位置 {from} 到 {to} 有 {flips} 位翻转，两个编码相距 {step}；而这些正弦连同各自的余弦，相邻编码的距离处处都是 {sine}。"
            ),
        }
    }

    fn more(&self) -> Option<Node> {
        let (half, paper) = match self.lang {
            Lang::En => ("Halve like the bits", "As in the paper"),
            Lang::Zh => ("像二进制那样逐个减半", "与原论文相同"),
        };
        let base = self.codes.pe.base();
        let button = |value: i64, words: &str| {
            let words = format!("{words} ({value})");
            let pressed = if base == value as f64 {
                "true"
            } else {
                "false"
            };
            html::button("base", value.to_string(), words).attribute("aria-pressed", pressed)
        };
        let buttons = vec![button(HALVING, half), button(10_000, paper)];
        Some(html::div("row", buttons))
    }

    fn act(&self, action: &str, value: &str, values: &mut Values) {
        if action == "base" {
            values.set(BASE.name(), value);
        }
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(theme.fitted((0.69 * width).clamp(300.0, 475.0) * theme.scale, 16.0))
    }

    fn layout(&self, context: &DrawContext) -> Plan {
        Plan::new(context.frame, context.theme.label_size())
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let (bits, sines) = match self.lang {
            Lang::En => (
                ["binary counter", "bit, lowest first", "positions per cycle"],
                ["sines of the encoding", "pair", "wavelength, positions"],
            ),
            Lang::Zh => (
                ["二进制计数器", "位，低位在前", "周期（位置数）"],
                ["编码中的正弦", "维度对", "波长（位置数）"],
            ),
        };
        let step = self.step();
        self.panel(
            pen,
            context,
            plan.bits,
            bits,
            |row, column| self.bit(row, column),
            |column| {
                let bits = step.map(|position| self.bit(position, column));
                Column {
                    values: bits.map(|bit| fixed(bit, 0)),
                    flips: bits[0] != bits[1],
                    cycle: short(Counter::period(column), 3),
                }
            },
        );
        self.panel(
            pen,
            context,
            plan.sines,
            sines,
            |row, column| self.sine(row, column),
            |column| Column {
                values: step.map(|position| fixed(self.sine(position, column), 1)),
                flips: false,
                cycle: short(self.codes.pe.wavelength(column), 3),
            },
        );
        let rows = (self.max_len, 1);
        let style = TextStyle::new(size, theme.muted).align_right();
        let beside = plan.bits.x - 0.5 * size;
        for (position, up) in step.into_iter().zip(VALUES) {
            let colour = if position == self.pos {
                theme.here
            } else {
                theme.muted
            };
            let style = TextStyle::new(theme.reduced(0.92), colour).bold();
            let at = (beside, plan.bits.y - up * size);
            pen.text(at, &position.to_string(), style.align_right());
        }
        let line = plan.bits.height / self.max_len as f64;
        let mut every = 1;
        while every as f64 * line < 2.0 * size {
            every *= 2;
        }
        let marked = cell_rect(plan.bits, rows, self.pos, 0);
        let level = |rect: Rect| rect.centre_y();
        for row in (0..self.max_len).step_by(every) {
            let y = level(cell_rect(plan.bits, rows, row, 0));
            if (y - level(marked)).abs() > 1.5 * size {
                pen.text((beside, y), &row.to_string(), style);
            }
        }
        let title = (0.3 * size, HEAD * size - 3.25 * size);
        let axis = TextStyle::new(theme.reduced(0.88), theme.muted).align_left();
        pen.text(title, labels::POSITION_AXIS.get(self.lang), axis);
        for rect in [plan.bits, plan.sines] {
            // The rows that are written above, which may be a few pixels high.
            let both = step.map(|row| cell_rect(rect, rows, row, 0));
            let both = both[0].union(both[1]);
            let margin = 2.5 * theme.hairline();
            let right = both.right() + margin;
            let (left, top) = (both.x - margin, both.y - margin);
            let bottom = both.bottom() + margin;
            let around = [
                (left, top),
                (right, top),
                (right, bottom),
                (left, bottom),
                (left, top),
            ];
            // Two lines in contrasting colours are visible on cells of any colour.
            pen.line(&around, theme.panel, 4.5 * theme.hairline());
            pen.line(&around, theme.here, 1.8 * theme.hairline());
        }
        let tag = (plan.bits.x - 1.9 * size, level(marked));
        pen.tag(tag, &self.pos.to_string(), size, theme.here, theme.panel);
    }

    fn handles(&self, context: &DrawContext, plan: &Plan) -> Vec<Handle> {
        let Plan { bits, .. } = plan;
        let rows = bits.across(0.0, context.frame.width);
        vec![Handle::rows(rows, self.max_len, POS)]
    }

    fn bench_settings(&self, values: &Values) -> Vec<(&'static str, String)> {
        let mut settings = values.for_bench();
        settings.insert(0, ("d_model", (2 * COLUMNS).to_string()));
        settings
    }

    /// The numbers that texts quote.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        Some(match (name, arguments) {
            ("bit_period", &[column]) => Counter::period(column as usize),
            ("flips", &[position]) => f64::from(Counter::flips(position as usize)),
            ("cycle", &[d, base, pair]) => {
                Codes::new(2, d as usize, base).pe.wavelength(pair as usize)
            }
            ("pace", &[d, base]) => {
                let pe = Codes::new(2, d as usize, base).pe;
                pe.frequency(0) / pe.frequency(1)
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_close::assert_close;

    fn counter(settings: &[(&str, &str)], lang: Lang) -> Counter {
        let mut values = Values::new(Counter::FIELDS);
        for (name, text) in settings {
            values.set(name, text);
        }
        Counter::new(&values, lang, None)
    }

    #[test]
    fn bits_and_sines_slow_down_by_the_same_factor() {
        let counter = counter(&[], Lang::En);
        for column in 1..COLUMNS {
            let longer =
                counter.codes.pe.wavelength(column) / counter.codes.pe.wavelength(column - 1);
            assert_close(longer, 2.0, 1e-12);
            assert_close(
                Counter::period(column) / Counter::period(column - 1),
                2.0,
                0.0,
            );
        }
        // A bit has the same value one period later.
        for (position, column) in [(3, 0), (5, 2), (100, 4)] {
            let later = position + Counter::period(column) as usize;
            assert_eq!(counter.bit(position, column), counter.bit(later, column));
        }
    }

    /// NumPy: w = 256.0**(-np.arange(8)/8); np.sqrt((2 - 2*np.cos(w)).sum()) is 1.1167796;
    /// from 31 = 0b011111 to 32 = 0b100000 six bits flip, √6 = 2.449.
    #[test]
    fn the_counter_jumps_where_the_sines_do_not() {
        let shown = counter(&[], Lang::En);
        assert_close(
            shown.codes.steps(Code::Sinusoidal).0,
            1.116_779_619_592_134_7,
            1e-12,
        );
        let caption = shown.caption();
        for part in [
            "From position 31 to 32, 6 bits flip",
            "2.449",
            "1.117",
            "each sine 2 times",
        ] {
            assert!(caption.contains(part), "{caption}");
        }
        // At the last position the caption describes the step that leads to it.
        let last = counter(&[("pos", "63")], Lang::En).caption();
        assert!(
            last.contains("From position 62 to 63, 1 bit flips"),
            "{last}"
        );
        // 10000^(1/8)
        let paper = counter(&[("base", "10000")], Lang::En).caption();
        assert!(paper.contains("each sine 3.162 times"), "{paper}");
    }
}
