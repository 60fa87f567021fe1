//! Five codes of the same positions side by side, and how they change with the length: integers, numbers
//! scaled to 0 … 1, one-hot, a binary counter, sines and cosines.

use crate::draw::grid::{cell_rect, cells};
use crate::draw::{DrawContext, Pen, Rect, TextStyle, Theme};
use crate::field::{Field, Key, Values, ViewName, fields};
use crate::figure::Figure;
use crate::math::codes::{Code, Codes};
use crate::text::markup::{Node, html};
use crate::text::number::{fixed, short, whole};
use crate::text::{Lang, Text, labels};

pub struct Strips {
    lang: Lang,
    codes: Codes,
    twice: Codes,
    max_len: usize,
    pos: usize,
    /// Whether sines and cosines are shown as well.
    sines: bool,
}

/// Dimensions of the sinusoidal code.
const D_MODEL: usize = 16;
/// The maximum and the minimum number of positions that are shown.
const ROWS: usize = 12;
const FEWEST: usize = 3;

const BEYOND: &str = "—";
/// How far the colours of the codes are mixed with the panel's: the steps beside them are what is compared.
const FAINT: f64 = 0.5;
const STEP: Text = Text::new("step", "步长");

fn name(code: Code) -> Text {
    match code {
        Code::Integer => Text::new("integer", "整数"),
        Code::Scaled => Text::new("scaled", "缩放"),
        Code::OneHot => Text::new("one-hot", "独热"),
        Code::Binary => Text::new("binary", "二进制"),
        Code::Sinusoidal => Text::new("sin, cos", "正弦余弦"),
    }
}

/// The column of a code: its cells, and beside them the steps from each position to the next.
struct Column {
    code: Code,
    cells: Rect,
    steps: Rect,
}

/// Everything in units of the type size.
mod em {
    pub const ROW: f64 = 1.4;
    pub const HEAD: f64 = 3.2;
    pub const FOOT: f64 = 1.6;
    pub const LEGEND: f64 = 1.9;
    pub const NAMES: f64 = 5.2;
    pub const GAP: f64 = 0.9;
    /// All but the rows.
    pub const AROUND: f64 = HEAD + FOOT + LEGEND;
}

/// The number of positions that are shown: fewer if the height is limited.
fn rows(theme: &Theme) -> usize {
    let size = theme.label_size();
    let height = |rows: usize| (em::AROUND + rows as f64 * em::ROW) * size;
    let fitted = theme.fitted(height(ROWS), 0.0);
    let fits = |&rows: &usize| height(rows) <= fitted;
    (FEWEST..=ROWS).rev().find(fits).unwrap_or(FEWEST)
}

impl Strips {
    /// The codes that are shown.
    fn shown(&self) -> &'static [Code] {
        &Code::ALL[..Code::ALL.len() - usize::from(!self.sines)]
    }

    fn columns(&self, width: f64, theme: &Theme) -> Vec<Column> {
        let (size, shown) = (theme.label_size(), self.shown());
        let (room, count) = (width - (em::NAMES + 0.4) * size, shown.len() as f64);
        // The steps have more room than the cells.
        let each = room / count - em::GAP * size;
        let (half, steps) = (0.38 * each, 0.62 * each);
        let high = rows(theme) as f64 * em::ROW * size;
        // The scaled numbers need more room than others in a narrow picture.
        let scaled =
            half.max(TextStyle::new(theme.reduced(0.88), theme.ink).width("0.00000") + 0.4 * size);
        let others = (half * count - scaled) / (count - 1.0);
        let mut x = em::NAMES * size;
        let places = shown.iter().map(|&code| {
            let wide = if code == Code::Scaled { scaled } else { others };
            let column = Rect::new(x, em::HEAD * size, wide + steps, high);
            x = column.right() + em::GAP * size;
            let (cells, steps) = column.split_left(wide);
            let (_, steps) = steps.split_left(0.3 * size);
            Column { code, cells, steps }
        });
        places.collect()
    }

    /// Draws the cells of all positions that the code covers, as one image, since every image costs time. Of a one-hot
    /// code only the cells of these positions are drawn: all would be too narrow to be seen.
    fn cells(&self, pen: &Pen, context: &DrawContext, code: Code, (rect, rows): (Rect, usize)) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let reached = |row: &usize| self.codes.reaches(code, self.pos + row);
        let reach = (0..rows).take_while(reached).count();
        if reach > 0 {
            let covered = rect.with_height(rect.height * reach as f64 / rows as f64);
            let (first, cells_shown) = match code {
                Code::OneHot => (self.pos, rows),
                _ => (0, self.codes.cells(code)),
            };
            cells(
                pen,
                context,
                covered,
                (reach, cells_shown),
                1.0,
                |row, cell| self.codes.value(code, self.pos + row, first + cell),
            );
            pen.fill(covered, theme.panel, FAINT);
        }
        for row in 0..rows {
            let (position, place) = (self.pos + row, cell_rect(rect, (rows, 1), row, 0));
            let value = self.codes.value(code, position, 0);
            let words = match code {
                _ if row >= reach => BEYOND.to_string(),
                Code::Integer => whole(position as i64),
                Code::Scaled => fixed(value, 5),
                _ => continue,
            };
            let ink = match row >= reach {
                true => theme.muted,
                false => theme.ink,
            };
            let style = TextStyle::new(theme.reduced(0.88), ink);
            if style.width(&words) < rect.width {
                pen.text(place.centre(), &words, style);
            }
        }
        for row in 1..rows {
            let y = rect.y + row as f64 * rect.height / rows as f64;
            let ends = rect.horizontal(y);
            pen.line(&ends, theme.panel, 0.08 * size);
        }
        pen.outline(rect, theme.muted, 0.6, theme.hairline());
    }

    /// The longest step of all codes, for the scale of the bars.
    fn longest(&self) -> f64 {
        let longest = |code: &Code| self.codes.steps(*code).1;
        Code::ALL.iter().map(longest).fold(0.0, f64::max)
    }

    fn draw_column(&self, pen: &Pen, context: &DrawContext, column: &Column, rows: usize) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let Column { code, cells, steps } = *column;
        let width = steps.right() - cells.x;
        let small = TextStyle::new(theme.reduced(0.88), theme.muted).align_left();
        let said = |text: &str, y: f64, style: TextStyle| {
            pen.text((cells.x, y), text, style.fitting(text, width));
        };
        let bold = TextStyle::new(size, theme.ink).bold().align_left();
        // All names in the size of the one that has the least room.
        let fitted = |code: &Code| bold.fitting(name(*code).get(self.lang), width);
        let style = self.shown().iter().map(fitted);
        let style = style.min_by(|a, b| a.size().total_cmp(&b.size()));
        said(
            name(code).get(self.lang),
            cells.y - 2.1 * size,
            style.unwrap_or(bold),
        );
        let count = whole(self.codes.cells(code) as i64);
        said(&count, cells.y - 0.8 * size, small);
        let accent = TextStyle::new(theme.reduced(0.88), theme.accent).align_left();
        if small.width(&count) < steps.x - cells.x - 0.4 * size {
            pen.text((steps.x, cells.y - 0.8 * size), STEP.get(self.lang), accent);
        }
        let step = |index| {
            let position = self.pos + index;
            self.codes.distance(code, position - 1, position)
        };
        // Of the steps that are shown.
        let (low, high) = (1..rows)
            .map_while(step)
            .fold((f64::INFINITY, 0.0f64), |(low, high), step| {
                (low.min(step), high.max(step))
            });
        let mut lengths = written(low.is_finite().then_some(low));
        if high > low + 1e-9 {
            lengths += &format!(" … {}", written(Some(high)));
        }
        let lengths = lengths.as_str();
        let style = TextStyle::new(size, theme.accent).bold().align_left();
        let at = (cells.x, cells.bottom() + 0.9 * size);
        pen.text(at, lengths, style.fitting(lengths, width));
        self.cells(pen, context, code, (cells, rows));
        let axis = [(steps.x, steps.y), (steps.x, steps.bottom())];
        pen.line(&axis, theme.rule, theme.hairline());
        let (row, longest) = (steps.height / rows as f64, self.longest());
        for (index, step) in (1..rows).map_while(|index| Some((index, step(index)?))) {
            let long = (step / longest * steps.width).max(theme.hairline());
            // At the border between its two rows.
            let y = steps.y + (index as f64 - 0.3) * row;
            pen.fill(Rect::new(steps.x, y, long, 0.6 * row), theme.accent, 1.0);
        }
    }

    /// Draws the names of rows and positions at the left edge.
    fn draw_names(&self, pen: &Pen, context: &DrawContext, (top, rows): (f64, usize)) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let small = TextStyle::new(theme.reduced(0.88), theme.muted);
        let right = (em::NAMES - 0.5) * size;
        let bottom = top + rows as f64 * em::ROW * size;
        let numbers = Text::new("numbers", "维数").get(self.lang);
        pen.text((right, top - 0.8 * size), numbers, small.align_right());
        let style = TextStyle::new(size, theme.accent).bold().align_right();
        pen.text((right, bottom + 0.9 * size), STEP.get(self.lang), style);
        let at = (0.8 * size, 0.5 * (top + bottom));
        pen.text(at, labels::POSITION_AXIS.get(self.lang), small.rotated());
        for row in 0..rows {
            let y = top + (row as f64 + 0.5) * em::ROW * size;
            let style = TextStyle::new(theme.reduced(0.92), theme.ink).align_right();
            pen.text((right, y), &whole((self.pos + row) as i64), style);
        }
    }

    fn legend(&self, pen: &Pen, context: &DrawContext, left: f64, y: f64) {
        const STEPS: usize = 64;
        let (theme, size) = (context.theme, context.theme.label_size());
        let style = TextStyle::new(theme.reduced(0.88), theme.muted);
        let bar = Rect::new(left + 1.7 * size, y - 0.4 * size, 4.0 * size, 0.8 * size);
        cells(pen, context, bar, (1, STEPS), 1.0, |_, column| {
            2.0 * (column as f64 + 0.5) / STEPS as f64 - 1.0
        });
        pen.fill(bar, theme.panel, FAINT);
        pen.outline(bar, theme.muted, 0.6, theme.hairline());
        pen.text((bar.x - 0.4 * size, y), "−1", style.align_right());
        let beyond = Text::new("1 and beyond", "1 及以上").get(self.lang);
        let at = (bar.right() + 0.4 * size, y);
        pen.text(at, beyond, style.align_left());
    }
}

fn written(distance: Option<f64>) -> String {
    distance.map_or(BEYOND.into(), |distance| short(distance, 4))
}

fields! {
    MAX_LEN: i64 = Key::size("max_len", "length", "位置数", 8192, |_| (2, 65_536));
    POS: i64 = Key::size("pos", "first position", "首个位置", 5, |v| (0, v.get(MAX_LEN) - 1));
    SINES: bool = Key::toggle("sines", "with sines and cosines", "包括正弦与余弦", true).under_more();
}

impl Figure for Strips {
    const NAME: ViewName = ViewName::Codes;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [None, Some(POS)];

    type Layout = ();

    fn new(values: &Values, lang: Lang, _: Option<Strips>) -> Strips {
        let max_len = values.count(MAX_LEN);
        Strips {
            lang,
            codes: Codes::new(max_len, D_MODEL, 10_000.0),
            twice: Codes::new(2 * max_len, D_MODEL, 10_000.0),
            max_len,
            pos: values.count(POS),
            sines: values.get(SINES),
        }
    }

    fn caption(&self) -> String {
        let len = whole(self.max_len as i64);
        let scaled = short(self.codes.steps(Code::Scaled).0, 3);
        let (low, high) = self.codes.steps(Code::Binary);
        let (low, high) = (short(low, 4), short(high, 4));
        let sine = short(self.codes.steps(Code::Sinusoidal).0, 4);
        let sines = match (self.lang, self.sines) {
            (_, false) => String::new(),
            (Lang::En, _) => format!(", the {D_MODEL} sines and cosines by {sine} everywhere"),
            (Lang::Zh, _) => format!("，{D_MODEL} 个正弦和余弦则处处都是 {sine}"),
        };
        match self.lang {
            Lang::En => format!(
                "With {len} positions, scaled neighbours are {scaled} apart and a one-hot code is {len} numbers wide, every two positions √2 apart. From one position to the next the counter steps by {low} to {high}{sines}."
            ),
            Lang::Zh => format!(
                "共 {len} 个位置时，缩放后的相邻位置只差 {scaled}；独热编码多达 {len} 维，任意两个位置都相距 √2。相邻编码的距离，二进制计数器在 {low} 到 {high} 之间跳动{sines}。"
            ),
        }
    }

    fn more(&self) -> Option<Node> {
        let heads = match self.lang {
            Lang::En => [
                "code",
                "values",
                "numbers, at twice the length",
                "distance 5 to 6",
                "5000 to 5001",
                "5 to 5000",
            ],
            Lang::Zh => [
                "编码",
                "取值",
                "数的个数，长度加倍后",
                "5 与 6 的距离",
                "5000 与 5001",
                "5 与 5000",
            ],
        };
        let mut rows = vec![heads.map(html::words).to_vec()];
        for &code in self.shown() {
            let (low, high) = self.codes.range(code);
            let [now, then] =
                [&self.codes, &self.twice].map(|codes| whole(codes.cells(code) as i64));
            let distance = |p, q| html::words(written(self.codes.distance(code, p, q)));
            rows.push(vec![
                html::words(name(code).get(self.lang)),
                html::words(format!("{} … {}", whole(low as i64), whole(high as i64))),
                html::words(format!("{now} → {then}")),
                distance(5, 6),
                distance(5000, 5001),
                distance(5, 5000),
            ]);
        }
        let note = match self.lang {
            Lang::En => {
                "— beyond the positions that the code was made for. Of the one-hot cells only those of the positions shown are drawn."
            }
            Lang::Zh => {
                "— 表示超出该编码所覆盖的位置。独热编码的格子太多，只画出所示位置的那几个。"
            }
        };
        let parts = vec![html::table(rows), html::p(note).class("note")];
        Some(html::div("codes", parts))
    }

    fn height(&self, _: f64, theme: &Theme) -> Option<f64> {
        Some((em::AROUND + rows(theme) as f64 * em::ROW) * theme.label_size())
    }

    fn layout(&self, _: &DrawContext) {}

    fn draw(&self, pen: &Pen, context: &DrawContext, _: &()) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let rows = rows(theme);
        self.draw_names(pen, context, (em::HEAD * size, rows));
        for column in &self.columns(context.frame.width, theme) {
            self.draw_column(pen, context, column, rows);
        }
        let y = context.frame.height - 0.5 * em::LEGEND * size;
        self.legend(pen, context, em::NAMES * size, y);
    }

    fn bench_settings(&self, values: &Values) -> Vec<(&'static str, String)> {
        let mut settings = values.for_bench();
        settings.insert(0, ("d_model", D_MODEL.to_string()));
        settings
    }

    /// The numbers that texts quote: distances of the five codes and their sizes, and what a layer of attention learns from
    /// each of them, `trained(code, start)`.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        let codes = |len: f64| Codes::new(len as usize, D_MODEL, 10_000.0);
        Some(match (name, arguments) {
            ("scaled_step", &[len]) => codes(len).steps(Code::Scaled).0,
            ("binary_cells", &[len]) => codes(len).cells(Code::Binary) as f64,
            ("binary_longest", &[len]) => codes(len).steps(Code::Binary).1,
            ("one_hot_distance", &[p, q]) => {
                codes(65_536.0).distance(Code::OneHot, p as usize, q as usize)?
            }
            ("sine_distance", &[d, p, q]) => {
                let codes = Codes::new(2, d as usize, 10_000.0);
                codes.distance(Code::Sinusoidal, p as usize, q as usize)?
            }
            ("trained", &[code, start]) => trained::accuracy(code as usize, start as usize),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod trained;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_close::assert_close;

    fn strips(settings: &[(&str, &str)], lang: Lang) -> Strips {
        let mut values = Values::new(Strips::FIELDS);
        for (name, text) in settings {
            values.set(name, text);
        }
        Strips::new(&values, lang, None)
    }

    const SINE_STEP: f64 = 1.014_725_338_712_402_2;

    /// NumPy, d = 16: w = 10000.0**(-np.arange(8)/8); np.sqrt((2 - 2*np.cos(w)).sum())
    #[test]
    fn sinusoidal_neighbours_are_as_far_apart_anywhere() {
        let strips = strips(&[], Lang::En);
        for p in [5, 5000, 60_000] {
            let distance = strips.codes.distance(Code::Sinusoidal, p, p + 1).unwrap();
            assert_close(distance, SINE_STEP, 1e-9);
        }
        let short = short(SINE_STEP, 4);
        assert!(strips.caption().contains(&short), "{}", strips.caption());
    }

    #[test]
    fn sines_can_be_left_to_a_prediction() {
        let strips = strips(&[("sines", "off")], Lang::En);
        let said = strips.caption() + &strips.more().unwrap().plain();
        assert!(!said.contains("1.015") && !said.contains("cos"), "{said}");
        assert_eq!(strips.shown().last(), Some(&Code::Binary));
    }

    #[test]
    fn the_table_says_what_each_code_costs() {
        let table = strips(&[], Lang::En).more().unwrap().plain();
        for row in [
            "integer0 … 81911 → 1114995",
            "scaled0 … 11 → 11.22",
            "one-hot0 … 18192 → 16\u{202f}3841.4141.4141.414",
            "0 … 113 → 141.4141",
            "−1 … 116 → 16",
        ] {
            assert!(table.contains(row), "{row} not in {table}");
        }
    }
}
