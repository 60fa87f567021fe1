//! Five codes of the same positions side by side, and how they change with the length: integers, numbers
//! scaled to 0 … 1, one-hot, a binary counter, sines and cosines.

use crate::draw::colour_map::readable_on;
use crate::draw::grid::{cell_rect, cells};
use crate::draw::{DrawContext, Pen, Rect, TextStyle, Theme};
use crate::field::{Field, Key, Values, ViewName, fields};
use crate::figure::Figure;
use crate::math::codes::{Code, Codes};
use crate::text::markup::{Node, html};
use crate::text::number::{fixed, short, whole};
use crate::text::{Lang, Text, labels};
use plotters::style::RGBColor;

pub struct Strips {
    lang: Lang,
    codes: Codes,
    twice: Codes,
    max_len: usize,
    pos: usize,
}

/// Dimensions of the sinusoidal code.
const D_MODEL: usize = 16;
/// The maximum and the minimum number of positions that are shown.
const ROWS: usize = 6;
const FEWEST: usize = 3;

const NEXT: Text = Text::new("to the next", "到下一个");
const BEYOND: &str = "—";

fn name(code: Code) -> Text {
    match code {
        Code::Integer => Text::new("integers", "整数"),
        Code::Scaled => Text::new("scaled to 0 … 1", "缩放到 0 … 1"),
        Code::OneHot => Text::new("one-hot", "独热"),
        Code::Binary => Text::new("binary, lowest bit first", "二进制，低位在前"),
        Code::Sinusoidal => Text::new("sines and cosines", "正弦与余弦"),
    }
}

/// The area of a code: its cells, and to their right the distances.
struct Panel {
    code: Code,
    strip: Rect,
    /// Whether it is the first of its line, which has the labels of the positions.
    first: bool,
    /// The number of positions that are shown.
    rows: usize,
}

/// Everything in units of the type size.
mod em {
    pub const ROW: f64 = 2.4;
    pub const LOW_ROW: f64 = 2.0;
    pub const HEAD: f64 = 2.9;
    pub const FOOT: f64 = 0.9;
    pub const NAMES: f64 = 5.2;
    pub const GAP: f64 = 1.2;
    pub const LEGEND: f64 = 1.9;
}

/// The panels from left to right, in as many lines as they need.
fn panels(width: f64, theme: &Theme) -> Vec<Panel> {
    let size = theme.label_size();
    // The minimum width of the cells, the width of the distances, and whether the cells share the
    // rest of the line.
    let wanted = |code| match code {
        Code::Integer => (5.0, 5.2, false),
        Code::Scaled => (5.0, 6.0, false),
        _ => (12.0, 6.0, true),
    };
    let room = width / size - em::NAMES;
    let mut lines: Vec<(f64, Vec<Code>)> = Vec::new();
    for code in Code::ALL {
        let need = wanted(code).0 + wanted(code).1;
        match lines.last_mut() {
            Some((used, line)) if *used + em::GAP + need <= room => {
                *used += em::GAP + need;
                line.push(code);
            }
            _ => lines.push((need, vec![code])),
        }
    }
    // Fewer positions if the height is limited.
    let count = lines.len() as f64;
    let high = |rows: usize, row: f64| em::HEAD + rows as f64 * row + em::FOOT;
    let height = |rows: usize, row: f64| (count * high(rows, row) + em::LEGEND) * size;
    let fitted = theme.fitted(height(ROWS, em::ROW), 0.0);
    let all = [em::ROW, em::LOW_ROW].map(|row| (FEWEST..=ROWS).rev().map(move |rows| (rows, row)));
    let fits = |&(rows, row): &(usize, f64)| height(rows, row) <= fitted;
    let found = all.into_iter().flatten().find(fits);
    let (rows, row) = found.unwrap_or((FEWEST, em::LOW_ROW));
    let mut panels = Vec::new();
    for (index, (used, line)) in lines.iter().enumerate() {
        let growing = line.iter().filter(|&&code| wanted(code).2).count();
        let more = (room - used).max(0.0) / growing.max(1) as f64;
        let mut x = em::NAMES;
        for (place, &code) in line.iter().enumerate() {
            let (least, distances, grows) = wanted(code);
            let cells = least + if grows { more } else { 0.0 };
            let strip = Rect::new(
                x * size,
                (index as f64 * high(rows, row) + em::HEAD) * size,
                cells * size,
                rows as f64 * row * size,
            );
            panels.push(Panel {
                code,
                strip,
                first: place == 0,
                rows,
            });
            x += cells + distances + em::GAP;
        }
    }
    panels
}

impl Strips {
    /// Whether the cells are too narrow to be visible.
    fn narrow(&self, code: Code, strip: Rect) -> bool {
        code == Code::OneHot && strip.width / (self.codes.cells(code) as f64) < 3.0
    }

    /// Draws the cells of all positions that the code covers, as one image, since every image costs time.
    fn cells(&self, pen: &Pen, context: &DrawContext, code: Code, (strip, shown): (Rect, usize)) {
        let reached = |row: &usize| self.codes.reaches(code, self.pos + row);
        let reach = (0..shown).take_while(reached).count();
        if reach == 0 {
            return;
        }
        let reached = strip.with_height(strip.height * reach as f64 / shown as f64);
        if self.narrow(code, strip) {
            return cells(pen, context, reached, (1, 1), 1.0, |_, _| 0.0);
        }
        let grid = (reach, self.codes.cells(code));
        cells(pen, context, reached, grid, 1.0, |row, cell| {
            self.codes.value(code, self.pos + row, cell)
        });
    }

    /// Draws the numbers on the cells of a position if there is room, or a dash if the code does not cover it.
    fn numbers(&self, pen: &Pen, context: &DrawContext, code: Code, row: Rect, position: usize) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let middle = |rect: Rect| rect.centre();
        if !self.codes.reaches(code, position) {
            return pen.text(middle(row), BEYOND, TextStyle::new(size, theme.muted));
        }
        let count = self.codes.cells(code);
        let wide = row.width / count as f64;
        if self.narrow(code, row) {
            // The cell of the 1 is drawn wider than it is.
            let [r, g, b] = context.colours.colour(1.0);
            let left = row.x + (position as f64 * wide).min(row.width - 3.0);
            let mark = row.across(left, 3.0);
            return pen.fill(mark, RGBColor(r, g, b), 1.0);
        }
        for cell in 0..count {
            let value = self.codes.value(code, position, cell);
            let words = match code {
                Code::Integer => whole(position as i64),
                Code::Scaled => fixed(value, 5),
                Code::Binary | Code::OneHot if wide >= 0.9 * size => fixed(value, 0),
                _ => break,
            };
            let ink = readable_on(context.colours.colour(value as f32));
            let rect = cell_rect(row, (1, count), 0, cell);
            pen.text(
                middle(rect),
                &words,
                TextStyle::new(theme.reduced(0.92), ink),
            );
        }
    }

    fn panel(&self, pen: &Pen, context: &DrawContext, panel: &Panel) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let Panel { strip, rows, .. } = *panel;
        let small = TextStyle::new(theme.reduced(0.88), theme.muted);
        let title = TextStyle::new(size, theme.ink).bold().align_left();
        let top = strip.y - 2.0 * size;
        pen.text((strip.x, top), name(panel.code).get(self.lang), title);
        let beside = strip.right() + 0.7 * size;
        let head = (beside, strip.y - 0.75 * size);
        pen.text(head, NEXT.get(self.lang), small.align_left());
        let count = self.codes.cells(panel.code);
        let width = match (self.lang, count) {
            (Lang::En, 1) => "1 number".into(),
            (Lang::En, count) => format!("{} numbers", whole(count as i64)),
            (Lang::Zh, count) => format!("{} 个数", whole(count as i64)),
        };
        pen.text((strip.x, strip.y - 0.75 * size), &width, small.align_left());
        if panel.first {
            let at = (strip.x - 0.5 * size, top);
            pen.text(
                at,
                labels::POSITION_AXIS.get(self.lang),
                small.align_right(),
            );
        }
        self.cells(pen, context, panel.code, (strip, rows));
        for row in 0..rows {
            let (position, rect) = (self.pos + row, cell_rect(strip, (rows, 1), row, 0));
            self.numbers(pen, context, panel.code, rect, position);
            if panel.first {
                let at = (strip.x - 0.5 * size, rect.centre_y());
                let style = TextStyle::new(size, theme.ink).align_right();
                pen.text(at, &whole(position as i64), style);
            }
            if row + 1 == rows {
                break;
            }
            // The distance is written at the border between its two rows.
            let y = rect.bottom();
            let hook = beside - 0.45 * size;
            let bracket = [
                (strip.right() + 1.0, y - 0.4 * rect.height),
                (hook, y - 0.4 * rect.height),
                (hook, y + 0.4 * rect.height),
                (strip.right() + 1.0, y + 0.4 * rect.height),
            ];
            pen.line(&bracket, theme.rule, theme.hairline());
            let distance = self.codes.distance(panel.code, position, position + 1);
            let style = TextStyle::new(theme.reduced(0.92), theme.ink).align_left();
            pen.text((beside, y), &written(distance), style);
        }
        for row in 0..=rows {
            let y = strip.y + row as f64 * strip.height / rows as f64;
            let ends = [(strip.x, y), (strip.right(), y)];
            pen.line(&ends, theme.panel, 2.0 * theme.hairline());
        }
        pen.outline(strip, theme.muted, 0.6, theme.hairline());
    }

    fn legend(&self, pen: &Pen, context: &DrawContext, left: f64, y: f64) {
        const STEPS: usize = 64;
        let (theme, size) = (context.theme, context.theme.label_size());
        let style = TextStyle::new(theme.reduced(0.88), theme.muted);
        let bar = Rect::new(left + 1.7 * size, y - 0.4 * size, 6.0 * size, 0.8 * size);
        cells(pen, context, bar, (1, STEPS), 1.0, |_, column| {
            2.0 * (column as f64 + 0.5) / STEPS as f64 - 1.0
        });
        pen.outline(bar, theme.muted, 0.6, theme.hairline());
        pen.text((bar.x - 0.4 * size, y), "−1", style.align_right());
        let beyond = match self.lang {
            Lang::En => "1 and beyond",
            Lang::Zh => "1 及以上",
        };
        pen.text((bar.right() + 0.4 * size, y), beyond, style.align_left());
    }
}

fn written(distance: Option<f64>) -> String {
    distance.map_or(BEYOND.into(), |distance| short(distance, 4))
}

fields! {
    MAX_LEN: i64 = Key::size("max_len", "length", "位置数", 8192, |_| (2, 65_536));
    POS: i64 = Key::size("pos", "first position", "首个位置", 5, |v| (0, v.get(MAX_LEN) - 1));
}

impl Figure for Strips {
    const NAME: ViewName = ViewName::Codes;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [None, Some(POS)];

    fn new(values: &Values, lang: Lang, _: Option<Strips>) -> Strips {
        let max_len = values.count(MAX_LEN);
        Strips {
            lang,
            codes: Codes::new(max_len, D_MODEL, 10_000.0),
            twice: Codes::new(2 * max_len, D_MODEL, 10_000.0),
            max_len,
            pos: values.count(POS),
        }
    }

    fn caption(&self) -> String {
        let len = whole(self.max_len as i64);
        let scaled = short(self.codes.steps(Code::Scaled).0, 3);
        let (low, high) = self.codes.steps(Code::Binary);
        let (low, high) = (short(low, 4), short(high, 4));
        let sine = short(self.codes.steps(Code::Sinusoidal).0, 4);
        match self.lang {
            Lang::En => format!(
                "With {len} positions, scaled neighbours are {scaled} apart and a one-hot code is {len} numbers wide, every two positions √2 apart. From one position to the next the counter steps by {low} to {high}, the {D_MODEL} sines and cosines by {sine} everywhere."
            ),
            Lang::Zh => format!(
                "共 {len} 个位置时，缩放后的相邻位置只差 {scaled}；独热编码多达 {len} 维，任意两个位置都相距 √2。相邻编码的距离，二进制计数器在 {low} 到 {high} 之间跳动，{D_MODEL} 个正弦和余弦则处处都是 {sine}。"
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
        for code in Code::ALL {
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
                "— beyond the positions that the code was made for. Where one-hot cells are too narrow to be seen, the 1 is drawn wider than it is."
            }
            Lang::Zh => {
                "— 表示超出该编码所覆盖的位置。独热编码的格子窄得看不见时，其中的 1 画得比实际宽。"
            }
        };
        let parts = vec![html::table(rows), html::p(note).class("note")];
        Some(html::div("codes", parts))
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        let size = theme.label_size();
        let last = panels(width, theme).pop()?;
        Some(last.strip.bottom() + (em::FOOT + em::LEGEND) * size)
    }

    fn draw(&self, pen: &Pen, context: &DrawContext) {
        let size = context.theme.label_size();
        let panels = panels(context.frame.width, context.theme);
        for panel in &panels {
            self.panel(pen, context, panel);
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
    fn the_table_says_what_each_code_costs() {
        let table = strips(&[], Lang::En).more().unwrap().plain();
        for row in [
            "integers0 … 81911 → 1114995",
            "scaled to 0 … 10 … 11 → 11.22",
            "one-hot0 … 18192 → 16\u{202f}3841.4141.4141.414",
            "0 … 113 → 141.4141",
            "−1 … 116 → 16",
        ] {
            assert!(table.contains(row), "{row} not in {table}");
        }
    }
}
