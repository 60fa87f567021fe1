//! The table, the dial of the selected pair, and the errors by position.

use super::words::{ERROR, FITTED, error_words};
use super::{BreakIt, ROUNDING, ROWS, Table};
use crate::draw::chart::Chart;
use crate::draw::grid::{cells, colour_key, grid_axes, grid_in};
use crate::draw::text_style::tag_width;
use crate::draw::{Circle, DrawContext, KeptPlace, Pen, Point, Rect, Scale, Space, TextStyle};
use crate::math::Clamp;
use crate::text::number::subscript;
use crate::text::{Lang, labels};
use plotters::style::RGBColor;

/// How far the second position of the dial is from the selected one.
const APART: usize = 11;

pub struct Plan {
    pub(super) dial: Rect,
    rest: Rect,
    /// The table and the errors; `None` before the reader's prediction.
    pub(super) answer: Option<(Rect, Chart)>,
}

impl BreakIt {
    pub(super) fn plan(&self, context: &DrawContext) -> Plan {
        let size = context.theme.label_size();
        let all = Rect::all(context.frame);
        let narrow = all.width < 36.0 * size;
        let asked = self.guess.is_none();
        let (rest, dial) = match narrow {
            // The shifts are above the dial, the answer below it.
            true if asked => all.split_top(2.6 * size),
            true => {
                let (dial, rest) = all.split_top((0.58 * all.height).round());
                (rest, dial)
            }
            false => {
                let share = if asked { 0.68 } else { 0.56 };
                all.split_right((share * all.width).min(all.height).round())
            }
        };
        // A narrow figure has table and errors beside each other, and so has a low one.
        let answer = (!asked).then(|| {
            let (table, errors) = match narrow || context.is_low() {
                true => rest.split_left((0.46 * rest.width).round()),
                false => rest.split_top((0.52 * rest.height).round()),
            };
            let positions = Scale::linear(0.0, self.fit.lengths().0 as f64 - 1.0);
            let errors = Chart::new(context, errors, positions, Scale::log(1e-18, 10.0));
            (grid_in(context, table.split_top(size).1), errors)
        });
        Plan {
            dial: Rect::new(
                dial.x + 1.6 * size,
                dial.y + 0.8 * size,
                dial.width - 2.4 * size,
                dial.height - 2.6 * size,
            ),
            rest,
            answer,
        }
    }

    /// Names what one matrix is to do: the two shifts that the dial shows, and so on to the last.
    fn draw_shifts(&self, pen: &Pen, context: &DrawContext, room: Rect) {
        let size = context.theme.label_size();
        let last = self.fit.lengths().0 - 1;
        let (k, positions) = (self.fit.key.2 as usize, [self.pos, self.pos + APART, last]);
        // In a low room they are side by side, and shorter.
        let lines = match room.height < 10.0 * size {
            true => {
                let [first, second, last] = positions.map(|from| format!("{from} → {}", from + k));
                vec![format!("{first},  {second},  …,  {last}")]
            }
            false => {
                let matrix = format!("M{}", subscript(k));
                let product = |from| format!("{matrix}·PE({from}) = PE({})", from + k);
                let [first, second, last] = positions.map(product);
                vec![first, second, "⋮".to_string(), last]
            }
        };
        let step = 2.4 * size;
        let top = room.centre_y() - 0.5 * step * (lines.len() as f64 - 1.0);
        let style = TextStyle::new(1.3 * size, context.theme.there).bold();
        let fitting = |style: TextStyle, words: &String| style.fitting(words, 0.94 * room.width);
        let style = lines.iter().fold(style, fitting);
        for (line, words) in lines.iter().enumerate() {
            pen.text((room.centre_x(), top + step * line as f64), words, style);
        }
    }

    pub(super) fn draw_table(&self, pen: &Pen, context: &DrawContext, rect: Rect) {
        let (d, rows) = (self.fit.key.1, ROWS.min(self.fit.rows.positions));
        let titles = self
            .lang
            .texts([labels::POSITION_AXIS, labels::DIMENSION_AXIS]);
        cells(pen, context, rect, (rows, d), 1.0, |row, column| {
            self.fit.rows.at(row, column).clamp(-1.0, 1.0)
        });
        grid_axes(pen, context, rect, (rows, d), titles);
        let key = (rect.right(), rect.y - 0.9 * context.theme.label_size());
        colour_key(pen, context, key, 1.0, "");
        // The two columns that the dial shows.
        let column = rect.width / d as f64;
        let pair = rect.across(
            rect.x + 2.0 * self.pair as f64 * column,
            2f64.min((d - 2 * self.pair) as f64) * column,
        );
        pen.outline(pair, context.theme.ink, 1.0, context.theme.stroke());
    }

    /// Draws the two dimensions of the pair against each other: the rows of pos and of pos + k, and the row that the
    /// matrix predicts.
    pub(super) fn draw_dial(&self, pen: &Pen, context: &DrawContext, rect: Rect) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let reach = if self.table == Table::Random {
            2.6
        } else {
            1.25
        };
        let radius = rect.width.min(rect.height) / 2.0;
        let centre = rect.centre();
        let (dial, square) = (Circle { centre, radius }, Rect::around(centre, radius));
        let (up, across) = (2 * self.pair, 2 * self.pair + 1);
        let point = |row: &[f64]| {
            let at = |j: usize| row.get(j).copied().unwrap_or(0.0).clamped(-reach, reach) / reach;
            dial.point(at(up), at(across))
        };
        let hairline = theme.hairline();
        let cross = [
            [(square.x, centre.y), (square.right(), centre.y)],
            [(centre.x, square.y), (centre.x, square.bottom())],
        ];
        for line in cross {
            pen.line(&line, theme.rule, hairline);
        }
        for position in 0..self.fit.rows.positions.min(160) {
            let at = point(self.fit.rows.row(position));
            pen.disc(at, 1.4 * theme.scale, theme.rule);
        }
        pen.outline(square, theme.muted, 0.6, hairline);
        let style = TextStyle::new(size, theme.muted);
        let name = |j: usize| match self.lang {
            Lang::En => format!("dimension {j}"),
            Lang::Zh => format!("维度 {j}"),
        };
        let left = (square.x - 0.9 * size, centre.y);
        pen.text(left, &name(up), style.rotated());
        let below = (centre.x, square.bottom() + 0.95 * size);
        if across < self.fit.key.1 {
            pen.text(below, &name(across), style);
        }
        let asked = self.guess.is_none();
        let mut space = Space::new(square);
        if asked {
            let d = self.fit.key.1;
            let others = match self.lang {
                Lang::En => format!("positions in 2 of {d} dimensions"),
                Lang::Zh => format!("各个位置，{d} 维中的 2 维"),
            };
            let corner = square.with_height(1.6 * size);
            let fitted = style.fitting(&others, 0.94 * corner.width);
            pen.text_on(corner.centre(), &others, fitted, theme.panel);
            space.take(corner);
        }
        let k = self.fit.key.2 as usize;
        if self.fit.rows.positions <= self.pos + k {
            return;
        }
        // The same shift from a second position, pale once the answer is shown.
        let dot = 2.6 * theme.stroke();
        let other = self.pos + APART;
        let at = |position: usize| point(self.fit.rows.row(position));
        let mut shifts = vec![(self.pos, true)];
        shifts.extend((self.fit.rows.positions > other + k).then_some((other, asked)));
        let mut marks: Vec<(Point, String, RGBColor)> = Vec::new();
        for (from, strong) in shifts.into_iter().rev() {
            let (here, there) = (at(from), at(from + k));
            let short = 1.0 - (1.2 * dot / here.distance(there).max(1e-9)).min(1.0);
            match strong {
                true => pen.arrow(here, here.lerp(there, short), theme.there, theme.stroke()),
                false => pen.faint_line(&[here, there], theme.there, 0.35, theme.stroke()),
            }
            space.take_line([here, there], theme.stroke());
            for (position, at, colour) in [(from, here, theme.here), (from + k, there, theme.there)]
            {
                match strong {
                    true => pen.disc(at, dot, colour),
                    false => pen.faint_disc(at, 0.8 * dot, colour, 0.35),
                }
                space.take_disc(at, 1.8 * dot);
                // The end of one may be the start of the other.
                let name = position.to_string();
                marks.retain(|(_, known, _)| *known != name);
                marks.push((at, name, if strong { colour } else { theme.muted }));
            }
        }
        if self.revealed().is_some()
            && let Some(moved) = self.fit.predicted_row(self.pos)
        {
            let (fitted, there) = (point(&moved), at(self.pos + k));
            pen.line(&[fitted, there], theme.accent, 1.5 * theme.stroke());
            pen.ring(fitted, 1.7 * dot, theme.accent, 1.5 * theme.stroke());
            space.take_disc(fitted, 1.8 * dot);
            marks.push((fitted, FITTED.get(self.lang).to_string(), theme.accent));
        }
        for (at, name, colour) in marks {
            // The answer is larger than the names of the points.
            let large = if colour == theme.accent { 2.2 } else { 1.5 };
            let style = TextStyle::new(large * size, colour).bold();
            let style = style.fitting(&name, 0.45 * square.width);
            let (wide, high) = (style.width(&name), 1.3 * style.size());
            let (aside, above) = (2.2 * dot + wide / 2.0, 2.2 * dot + high / 2.0);
            let places =
                [(0.0, -above), (0.0, above), (aside, 0.0), (-aside, 0.0)].map(|(x, y)| {
                    let (left, right) = (square.x + 0.5 * wide, square.right() - 0.5 * wide);
                    Rect::centred(((at.x + x).clamped(left, right), at.y + y), wide, high)
                });
            let place = places[space.find_nearly(&places, &KeptPlace::default())];
            space.take(place);
            pen.text(place.centre(), &name, style);
        }
    }

    pub(super) fn draw_errors(&self, pen: &Pen, context: &DrawContext, chart: &Chart) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let titles = self.lang.texts([ERROR, labels::POSITION_AXIS]);
        chart.axes(pen, context, titles);
        let Some((worst, error)) = self.revealed() else {
            return;
        };
        let errors = &self.fit.errors;
        let curve = errors
            .iter()
            .enumerate()
            .map(|(position, &error)| (position as f64, error.max(1e-18)));
        chart.curve(pen, curve, theme.muted, 0.5 * theme.stroke());
        chart.upright(pen, context, self.pos as f64, "", theme.here);
        let here = (self.pos as f64, errors[self.pos].max(1e-18));
        chart.dots(pen, [here], theme.here, 2.0 * theme.stroke());
        let top = (worst as f64, error.max(1e-18));
        let (colour, sign) = if error < ROUNDING {
            (theme.right, "✓")
        } else {
            (theme.wrong, "✕")
        };
        chart.dots(pen, [top], colour, 2.0 * theme.stroke());
        let name = match self.lang {
            Lang::En => format!("{sign} largest {}", error_words(error)),
            Lang::Zh => format!("{sign} 最大 {}", error_words(error)),
        };
        let Point { x, y } = chart.at(top);
        let size = 1.2 * size;
        let half = 0.5 * tag_width(&name, size);
        let x = x.clamped(chart.plot.x + half, chart.plot.right() - half);
        // Above a small error, below a large one: the curve is on the other side.
        let y = if error < ROUNDING {
            y - 1.6 * size
        } else {
            y + 2.6 * size
        };
        pen.tag((x, y), &name, size, theme.panel, colour);
    }

    pub(super) fn draw_all(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        self.draw_dial(pen, context, plan.dial);
        match &plan.answer {
            None => self.draw_shifts(pen, context, plan.rest),
            Some((table, errors)) => {
                self.draw_table(pen, context, *table);
                self.draw_errors(pen, context, errors);
            }
        }
    }
}
