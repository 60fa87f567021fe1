//! The attention map, the curve of the accuracy, and a clock for each pair if the encoding has pairs.

use super::words::{CLOCKS, MAP};
use super::{LENGTH, Lab, STEPS, largest, noise};
use crate::draw::chart::Chart;
use crate::draw::grid::{cells, grid_axes, grid_in, share_bar};
use crate::draw::{Circle, Clock, DrawContext, Pen, Rect, Scale, TextStyle, Theme, subscripted};
use crate::figures::learning::training::{ACCURACY, CHANCE, GUESSING, STEP, WEIGHT, draw_curve};
use crate::math::Clamp;
use crate::text::labels;
use crate::text::number::fixed;
use posenc_lab::PairRotation;

/// Maximum number of clocks: more would be too small to read.
const MAX_CLOCKS: usize = 16;
/// Smallest and largest side of a clock, in label sizes.
const SIDES: (f64, f64) = (2.8, 4.0);
/// Maximum height of a wide figure, in CSS pixels: its buttons below still fit into a window 720 pixels high.
const TALLEST: f64 = 540.0;
/// Width of the colour bar with its numbers, in label sizes. A narrow figure has none.
const BAR: f64 = 3.4;
/// Heights in label sizes: the title above the clocks; a clock's number and error.
const TITLE: f64 = 2.0;
const NAMES: f64 = 2.6;

/// The grid of clocks for a given width.
struct Rows {
    shown: usize,
    across: usize,
    side: f64,
    height: f64,
}

impl Rows {
    fn new(pairs: usize, width: f64, theme: &Theme) -> Rows {
        let size = theme.label_size();
        // A narrow figure has room for the fast pairs, which are learned first.
        let shown = pairs.min(if is_narrow(width, theme) {
            8
        } else {
            MAX_CLOCKS
        });
        let fits = |across: &usize| width >= *across as f64 * SIDES.0 * size;
        let across = [MAX_CLOCKS, 8, 4]
            .into_iter()
            .find(fits)
            .unwrap_or(4)
            .min(shown);
        let side = (width / across as f64).min(SIDES.1 * size);
        let rows = shown.div_ceil(across) as f64;
        let left_out = if shown < pairs { 1.6 } else { 0.0 };
        Rows {
            shown,
            across,
            side,
            height: (TITLE + left_out) * size + rows * (side + NAMES * size),
        }
    }
}

pub struct Plan {
    /// All of the picture before training: there is no curve then, and the hands of an untrained layer are noise.
    map: Rect,
    accuracy: Chart,
    bar: Option<Rect>,
    clocks: Rect,
    rows: Rows,
}

fn is_narrow(width: f64, theme: &Theme) -> bool {
    width <= 40.0 * theme.label_size()
}

/// Returns the height of the map and the curve, which are side by side.
fn upper(width: f64, theme: &Theme) -> f64 {
    if is_narrow(width, theme) {
        0.53 * width + 1.6 * theme.label_size()
    } else {
        (0.6 * width).clamped(300.0 * theme.scale, 376.0 * theme.scale)
    }
}

impl Plan {
    /// Returns the height of the picture. A wide figure has the same height without clocks: the map takes their room.
    pub(super) fn height(it: &Lab, width: f64, theme: &Theme) -> f64 {
        let pairs = it.run.config().model.d_model / 2;
        let clocks = Rows::new(pairs, width, theme).height;
        let high = upper(width, theme);
        match (is_narrow(width, theme), &it.seen.pairs) {
            (false, _) if theme.max_height.is_finite() => theme.fitted(high + clocks, 21.5),
            (false, _) => (high + clocks).min(TALLEST),
            (true, Some(_)) => high + clocks,
            (true, None) => high,
        }
    }

    pub(super) fn new(it: &Lab, context: &DrawContext) -> Plan {
        let (theme, size) = (context.theme, context.theme.label_size());
        let all = Rect::all(context.frame);
        let rows = Rows::new(it.run.config().model.d_model / 2, all.width, theme);
        let is_trained = it.run.taken() > 0;
        let (above, clocks) = match it.seen.pairs {
            Some(_) if is_trained => all.split_bottom(rows.height),
            _ => all.split_bottom(0.0),
        };
        let narrow = is_narrow(all.width, theme);
        let (map, curve) = if !is_trained {
            (all, all)
        } else if context.is_low() {
            above.split_left(above.height + (2.0 + BAR) * size)
        } else {
            above.split_left(if narrow { 0.53 } else { 0.6 } * all.width)
        };
        let (_, map) = map.split_top(1.2 * size);
        let mut map = grid_in(context, map);
        let bar = (!narrow).then_some(BAR * size);
        map.width -= bar.unwrap_or(0.0);
        let side = map.width.min(map.height);
        map.x += (map.width - side) / 2.0;
        (map.width, map.height) = (side, side);
        // The curve is as high as the map beside it.
        let curve = curve.down(map.y - 0.6 * size, side + 3.6 * size);
        let steps = Scale::linear(0.0, STEPS as f64);
        Plan {
            map,
            accuracy: Chart::new(context, curve, steps, Scale::linear(0.0, 1.0)),
            bar: bar.map(|_| map.across(map.right() + 0.8 * size, 0.8 * size)),
            clocks,
            rows,
        }
    }
}

impl Lab {
    pub(super) fn draw_all(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        self.draw_map(pen, context, plan);
        if self.run.taken() > 0 {
            self.draw_curve(pen, context, plan);
            self.draw_clocks(pen, context.theme, plan);
        }
    }

    fn draw_map(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        let (theme, size, map) = (context.theme, context.theme.label_size(), plan.map);
        let grid = (LENGTH, LENGTH);
        cells(pen, context, map, grid, 1.0, |query, key| {
            f64::from(self.seen.attention.row(query)[key])
        });
        // Two lines enclose the cells k positions back.
        let cell = map.width / LENGTH as f64;
        let at =
            |column: usize, row: usize| (map.x + column as f64 * cell, map.y + row as f64 * cell);
        let (k, last) = (self.k, LENGTH);
        let above = [at(0, k - 1), at(last - k + 1, last)];
        let below = [at(last - k - 1, last), at(0, k + 1)];
        for line in [above, below] {
            pen.line(&line, theme.there, theme.hairline());
        }
        // Over the weights of a trained layer it would change their colours.
        if self.run.taken() == 0 {
            pen.polygon(&[above, below].concat(), theme.there, 0.2);
        }
        let names = [labels::QUERY_AXIS, labels::KEY_AXIS].map(|name| name.get(self.lang));
        grid_axes(pen, context, map, grid, names);
        let title = (map.centre_x(), map.y - 0.8 * size);
        let style = TextStyle::new(size, theme.ink).bold();
        pen.text(title, MAP.get(self.lang), style);
        let text = self.target(map.width < 18.0 * size);
        let style = TextStyle::new(size, theme.there).align_right();
        let style = style.fitting(&text, 0.8 * map.width);
        let place = (map.right() - 0.6 * size, map.y + 1.1 * size);
        pen.text(place, &text, style);
        if let Some(bar) = plan.bar {
            share_bar(pen, context, bar, WEIGHT.get(self.lang));
        }
    }

    fn draw_curve(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let (chart, colour) = (&plan.accuracy, theme.series[0]);
        chart.axes(pen, context, self.lang.texts([ACCURACY, STEP]));
        let y = chart.y.pixel(CHANCE);
        let (from, to) = (chart.plot.x, chart.plot.right());
        pen.dashes((from, y), (to, y), theme.muted, theme.hairline());
        // A narrow chart has room for the first tick only.
        if chart.x.ticks(4.6 * size).len() < 2 {
            let at = (to, chart.plot.bottom() + 0.95 * size);
            pen.text(at, &STEPS.to_string(), TextStyle::new(size, theme.muted));
        }
        draw_curve(pen, theme, chart, self.run.accuracies(), colour);
        let right = self.right();
        let at = (chart.plot.x + 0.62 * chart.plot.width, chart.y.pixel(0.5));
        let style = TextStyle::new(2.4 * size, colour).bold();
        pen.text(at, &right, style.fitting(&right, 0.7 * chart.plot.width));
        // A background for the label: the curve of a model that only guesses passes behind it.
        let text = GUESSING.get(self.lang);
        let style = TextStyle::new(theme.reduced(0.9), theme.muted).align_right();
        let at = (to - 0.4 * size, y - 0.65 * size);
        pen.text_on(at, text, style, theme.panel);
    }

    fn draw_clocks(&self, pen: &Pen, theme: &Theme, plan: &Plan) {
        let Some(analysis) = &self.seen.pairs else {
            return;
        };
        let (size, rows, room) = (theme.label_size(), &plan.rows, plan.clocks);
        let title = CLOCKS.get(self.lang);
        let style = TextStyle::new(size, theme.ink).bold();
        let style = style.fitting(title, 0.96 * room.width);
        let at = (room.centre_x(), room.y + 0.7 * size);
        subscripted(pen, at, title, style);
        let (most, noise) = (largest(analysis).max(f64::MIN_POSITIVE), noise(analysis));
        let left = room.centre_x() - 0.5 * rows.across as f64 * rows.side;
        for pair in &analysis.pairs[..rows.shown] {
            let (row, column) = (pair.pair / rows.across, pair.pair % rows.across);
            let height = rows.side + NAMES * size;
            let place = Rect::new(
                left + column as f64 * rows.side,
                room.y + TITLE * size + row as f64 * height,
                rows.side,
                height,
            );
            let pale = pair.amplitude < noise;
            // Proportional to the square root of the amplitude: proportional lengths would hide the small amplitudes.
            let length = (pair.amplitude / most).sqrt();
            draw_clock(pen, theme, place, pair, length, pale);
        }
        let all = analysis.pairs.len();
        if rows.shown == all {
            return;
        }
        let count = labels::clocks_shown(self.lang, rows.shown, all);
        let below = (room.centre_x(), room.bottom() - 0.8 * size);
        pen.text(below, &count, TextStyle::new(size, theme.muted));
    }
}

/// Draws the angle kω of M_k as a wedge, and over it the learned angle as a hand; only pale lines for noise.
fn draw_clock(pen: &Pen, theme: &Theme, place: Rect, pair: &PairRotation, length: f64, pale: bool) {
    let size = theme.label_size();
    let (top, rest) = place.split_top(1.3 * size);
    let (face, bottom) = rest.split_top(place.width);
    let circle = Circle {
        centre: face.centre(),
        radius: 0.42 * face.width,
    };
    let style = TextStyle::new(size, theme.muted);
    pen.text(top.centre(), &pair.pair.to_string(), style);
    let tip = circle.at(pair.angle, 0.97 * length);
    if pale {
        pen.ring(circle.centre, circle.radius, theme.rule, theme.hairline());
        let expected = [circle.centre, circle.at(pair.expected, 0.97)];
        pen.faint_line(&expected, theme.there, 0.35, theme.hairline());
        return pen.faint_line(&[circle.centre, tip], theme.here, 0.4, theme.stroke());
    }
    let wedge = Clock {
        circle,
        here: None,
        turn: Some(pair.expected),
    };
    wedge.draw(pen, theme);
    pen.arrow(circle.centre, tip, theme.here, 1.2 * theme.stroke());
    let error = format!("{}°", fixed(pair.error.to_degrees(), 0));
    let style = TextStyle::new(size, theme.ink).fitting(&error, 0.94 * place.width);
    pen.text(bottom.centre(), &error, style);
}
