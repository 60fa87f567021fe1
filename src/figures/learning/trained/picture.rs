//! The similarity of the rows as a map, and charts of accuracy and the error of M_k by step.

use super::{LENGTH, REACH, STEPS, Trained};
use crate::draw::chart::Chart;
use crate::draw::grid::{cells, colour_bar, grid_axes, grid_in};
use crate::draw::{DrawContext, Pen, Rect, Scale, TextStyle, Theme};
use crate::figures::learning::training::{ACCURACY, GUESSING, draw_curve, draw_question};
use crate::text::{Text, labels};

/// Width of the colour bar with its numbers, in label sizes.
const BAR: f64 = 3.4;

const STEP: Text = Text::new("steps of gradient descent", "梯度下降步数");
/// The same for narrow charts.
const STEPS_ALONE: Text = Text::new("steps", "步数");
const NOTHING: Text = Text::new("all zeros", "全零");
const HELD_OUT: Text = Text::new("error of M₃, held out", "M₃ 的检验误差");
const MAP: Text = Text::new("cosine of two rows", "两行的余弦相似度");

pub struct Plan {
    map: Rect,
    accuracy: Chart,
    held_out: Chart,
}

impl Trained {
    pub(super) fn plan(&self, context: &DrawContext) -> Plan {
        let size = context.theme.label_size();
        let (width, height) = (context.frame.width, context.frame.height);
        let beside = width > 40.0 * size;
        let low = context.is_low();
        let (left, right) = if low {
            (height + (2.0 + BAR) * size, height)
        } else if beside {
            (0.5 * width, height)
        } else {
            (width, width + 0.4 * size)
        };
        let map = Rect::new(0.0, 1.2 * size, left, right - 1.2 * size);
        let mut map = grid_in(context, map);
        // Leaves room for the colour bar at the right.
        map.width -= BAR * size;
        let side = map.width.min(map.height);
        map.x += (map.width - side) / 2.0;
        (map.width, map.height) = (side, side);
        let room = if beside {
            Rect::new(left, 0.6 * size, width - left, height - 0.6 * size)
        } else {
            Rect::new(0.0, right + 0.6 * size, width, height - right - 0.6 * size)
        };
        let steps = Scale::linear(0.0, STEPS as f64);
        let chart = |room, high| Chart::new(context, room, steps, Scale::linear(0.0, high));
        let (first, second) = match beside && room.width < 40.0 * size {
            true => room.split_top(0.5 * room.height),
            false => room.split_left(0.5 * room.width),
        };
        Plan {
            map,
            accuracy: chart(first, 1.0),
            held_out: chart(second, 2.0),
        }
    }

    /// Draws the score of an untrained model as a dashed line, with its name above it.
    fn draw_level(&self, pen: &Pen, theme: &Theme, chart: &Chart, (value, name): (f64, Text)) {
        let (size, y) = (theme.label_size(), chart.y.pixel(value));
        let ends = ((chart.plot.x, y), (chart.plot.right(), y));
        pen.dashes(ends.0, ends.1, theme.muted, theme.hairline());
        let at = (chart.plot.right() - 0.4 * size, y - 0.8 * size);
        let style = TextStyle::new(theme.reduced(0.9), theme.muted).align_right();
        pen.text(at, name.get(self.lang), style);
    }

    pub(super) fn draw_all(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        let theme = context.theme;
        let size = theme.label_size();
        let grid = (LENGTH, LENGTH);
        cells(pen, context, plan.map, grid, 1.0, |row, column| {
            self.run.likeness[row * LENGTH + column]
        });
        let bar = plan.map.across(plan.map.right() + 0.8 * size, 0.8 * size);
        colour_bar(pen, context, bar, 1.0, labels::COSINE.get(self.lang));
        let name = labels::POSITION_AXIS.get(self.lang);
        grid_axes(pen, context, plan.map, grid, [name, name]);
        let title = (plan.map.centre_x(), plan.map.y - 0.8 * size);
        let style = TextStyle::new(size, theme.ink).bold();
        pen.text(title, MAP.get(self.lang), style);
        let step = match plan.accuracy.plot.width < 20.0 * size {
            true => STEPS_ALONE,
            false => STEP,
        };
        let chart = &plan.accuracy;
        chart.axes(pen, context, self.lang.texts([ACCURACY, step]));
        let chance = 1.0 / (2.0 * REACH as f64 + 1.0);
        self.draw_level(pen, theme, chart, (chance, GUESSING));
        let untrained = self.run.fit.steps() == 0;
        if untrained {
            draw_question(pen, theme, chart);
        }
        let values = self.run.scores.iter().map(|score| score.accuracy);
        draw_curve(pen, theme, chart, values, theme.series[0]);
        let chart = &plan.held_out;
        chart.axes(pen, context, self.lang.texts([HELD_OUT, step]));
        self.draw_level(pen, theme, chart, (1.0, NOTHING));
        if untrained {
            draw_question(pen, theme, chart);
        }
        let values = self.run.errors.iter().map(|error| error[0]);
        draw_curve(pen, theme, chart, values, theme.series[2]);
    }
}
