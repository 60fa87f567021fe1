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
const ROWS: usize = 6;
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
    pub const HEAD: f64 = 2.7;
    pub const FOOT: f64 = 1.9;
    pub const NAMES: f64 = 5.2;
    pub const GAP: f64 = 0.9;
    /// A picture that is narrower has the columns in two bands.
    pub const WIDE: f64 = 38.0;
}

impl Strips {
    /// The codes that are shown.
    fn shown(&self) -> &'static [Code] {
        &Code::ALL[..Code::ALL.len() - usize::from(!self.sines)]
    }

    /// The number of bands, one below the other, and of the positions in each, which are fewer if the height is limited; the
    /// heights of a row and of a band.
    fn bands(&self, width: f64, theme: &Theme) -> (usize, usize, f64, f64) {
        let size = theme.label_size();
        let (bands, row) = match width < em::WIDE * size {
            true => (2, 1.2 * size),
            false => (1, 1.6 * size),
        };
        let high = |rows: usize| (em::HEAD + em::FOOT) * size + rows as f64 * row;
        let fitted = theme.fitted(bands as f64 * high(ROWS), 0.0);
        let fits = |&rows: &usize| bands as f64 * high(rows) <= fitted;
        let rows = (FEWEST..=ROWS).rev().find(fits).unwrap_or(FEWEST);
        (bands, rows, row, high(rows))
    }

    fn columns(&self, width: f64, theme: &Theme) -> Vec<Column> {
        let (size, shown) = (theme.label_size(), self.shown());
        let (bands, rows, row, band) = self.bands(width, theme);
        let count = shown.len().div_ceil(bands);
        let each = (width - em::NAMES * size) / count as f64;
        let places = shown.iter().enumerate().map(|(index, &code)| {
            let column = Rect::new(
                em::NAMES * size + (index % count) as f64 * each,
                (index / count) as f64 * band + em::HEAD * size,
                each - em::GAP * size,
                rows as f64 * row,
            );
            let (cells, steps) = column.split_left(0.5 * column.width);
            let (_, steps) = steps.split_left(0.3 * size);
            Column { code, cells, steps }
        });
        places.collect()
    }

    /// What a code is like, whatever the positions.
    fn verdict(&self, code: Code) -> String {
        let last = whole(self.max_len as i64 - 1);
        let (low, high) = self.codes.steps(code);
        let text = match code {
            Code::Integer => Text::new("no end", "没有上界"),
            Code::Scaled => return format!("{} 1/{last}", STEP.get(self.lang)),
            Code::OneHot => return wide(self.max_len, self.lang),
            _ if high > low => Text::new("uneven", "忽大忽小"),
            _ => Text::new("even", "处处相等"),
        };
        text.get(self.lang).to_string()
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

    fn draw_column(&self, pen: &Pen, context: &DrawContext, column: &Column, rows: usize) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let Column { code, cells, steps } = *column;
        let small = theme.reduced(0.88);
        let said = |text: &str, (x, y): (f64, f64), style: TextStyle| {
            let style = style.align_left().fitting(text, steps.right() - cells.x);
            pen.text((x, y), text, style);
        };
        let bold = TextStyle::new(size, theme.ink).bold();
        said(
            name(code).get(self.lang),
            (cells.x, cells.y - 1.9 * size),
            bold,
        );
        let (wide, above) = (
            wide(self.codes.cells(code), self.lang),
            cells.y - 0.7 * size,
        );
        said(&wide, (cells.x, above), TextStyle::new(small, theme.muted));
        let step = STEP.get(self.lang);
        let accent = TextStyle::new(small, theme.accent).align_left();
        let after = cells.x + accent.width(&wide) + 0.5 * size;
        pen.text((steps.x.max(after), above), step, accent);
        let verdict = self.verdict(code);
        let at = (cells.x, cells.bottom() + 0.85 * size);
        let colour = match code {
            Code::Sinusoidal => theme.right,
            _ => theme.wrong,
        };
        said(&verdict, at, TextStyle::new(1.1 * size, colour).bold());
        self.cells(pen, context, code, (cells, rows));
        pen.line(&steps.vertical(steps.x), theme.rule, theme.hairline());
        // One scale for all codes, whatever the positions.
        let longest = |code: &Code| self.codes.steps(*code).1;
        let longest = Code::ALL.iter().map(longest).fold(0.0, f64::max);
        let row = steps.height / rows as f64;
        let step = |index| {
            let position = self.pos + index;
            Some((index, self.codes.distance(code, position - 1, position)?))
        };
        for (index, step) in (1..rows).map_while(step) {
            let long = (step / longest * steps.width).max(theme.hairline());
            // At the border between its two rows.
            let y = steps.y + (index as f64 - 0.3) * row;
            pen.fill(Rect::new(steps.x, y, long, 0.6 * row), theme.accent, 1.0);
        }
    }

    /// Draws the names of the rows of a band at the left edge.
    fn draw_names(&self, pen: &Pen, theme: &Theme, (top, rows, row): (f64, usize, f64)) {
        let size = theme.label_size();
        let right = (em::NAMES - 0.5) * size;
        let name = TextStyle::new(theme.reduced(0.88), theme.muted).align_right();
        let position = labels::POSITION_AXIS.get(self.lang);
        pen.text((right, top - 0.7 * size), position, name);
        let style = TextStyle::new(theme.reduced(0.92), theme.ink).align_right();
        for index in 0..rows {
            let y = top + (index as f64 + 0.5) * row;
            pen.text((right, y), &whole((self.pos + index) as i64), style);
        }
    }
}

/// The number of dimensions, in words.
fn wide(cells: usize, lang: Lang) -> String {
    let cells = whole(cells as i64);
    match lang {
        Lang::En => format!("{cells} wide"),
        Lang::Zh => format!("{cells} 维"),
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
        let [_, scaled, one_hot, low, sine] =
            Code::ALL.map(|code| short(self.codes.steps(code).0, 4));
        let high = short(self.codes.steps(Code::Binary).1, 4);
        let sines = match (self.lang, self.sines) {
            (_, false) => String::new(),
            (Lang::En, _) => format!(", {D_MODEL} sines and cosines by {sine}"),
            (Lang::Zh, _) => format!("，{D_MODEL} 个正弦和余弦处处是 {sine}"),
        };
        match self.lang {
            Lang::En => format!(
                "Over all {len} positions, integers step by 1, scaled numbers by {scaled}, one-hot codes by {one_hot}, a binary counter by {low} to {high}{sines}."
            ),
            Lang::Zh => format!(
                "在全部 {len} 个位置上，相邻编码的距离：整数是 1，缩放后只有 {scaled}，独热编码是 {one_hot}，二进制计数器在 {low} 到 {high} 之间{sines}。"
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

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        let (bands, _, _, band) = self.bands(width, theme);
        Some(bands as f64 * band)
    }

    fn layout(&self, _: &DrawContext) {}

    fn draw(&self, pen: &Pen, context: &DrawContext, _: &()) {
        let (theme, width) = (context.theme, context.frame.width);
        let (bands, rows, row, band) = self.bands(width, theme);
        for index in 0..bands {
            let top = index as f64 * band + em::HEAD * theme.label_size();
            self.draw_names(pen, theme, (top, rows, row));
        }
        for column in &self.columns(width, theme) {
            self.draw_column(pen, context, column, rows);
        }
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
