//! The similarity of the rows as a map, and the accuracy by step.

use super::{LENGTH, REACH, STEPS, Trained};
use crate::draw::chart::Chart;
use crate::draw::grid::{cells, colour_bar, grid_axes, grid_in};
use crate::draw::{DrawContext, Pen, Point, Rect, Scale, TextStyle, Theme};
use crate::figures::learning::training::{ACCURACY, GUESSING, draw_curve};
use crate::text::{Text, labels};

/// Width of the colour bar with its numbers, in label sizes.
const BAR: f64 = 3.4;

const STEP: Text = Text::new("steps", "步数");
const QUESTION: Text = Text::new("Which rows will become alike?", "哪些行会变得相像？");
const ALIKE: Text = Text::new("neighbouring rows are alike", "相邻的行彼此相像");

pub struct Plan {
    map: Rect,
    accuracy: Chart,
}

impl Trained {
    pub(super) fn plan(&self, context: &DrawContext) -> Plan {
        let size = context.theme.label_size();
        let (width, height) = (context.frame.width, context.frame.height);
        let beside = width > 40.0 * size;
        let (left, right) = match beside {
            true => (height + (1.0 + BAR) * size, height),
            false => (width, width - (BAR - 0.4) * size),
        };
        let map = Rect::new(0.0, 1.6 * size, left, right - 1.6 * size);
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
        Plan {
            map,
            accuracy: Chart::new(context, room, steps, Scale::linear(0.0, 1.0)),
        }
    }

    /// Draws the accuracy of guessing as a dashed line, with its name above it.
    fn draw_guessing(&self, pen: &Pen, theme: &Theme, chart: &Chart) {
        let chance = 1.0 / (2.0 * REACH as f64 + 1.0);
        let (size, y) = (theme.label_size(), chart.y.pixel(chance));
        let [from, to] = chart.plot.horizontal(y);
        pen.dashes(from, to, theme.muted, theme.hairline());
        let at = (chart.plot.right() - 0.4 * size, y - 0.8 * size);
        let style = TextStyle::new(theme.reduced(0.9), theme.muted).align_right();
        pen.text(at, GUESSING.get(self.lang), style);
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
        let title = Point::new(plan.map.centre_x(), plan.map.y - 1.15 * size);
        if self.run.alike(1) > 0.5 {
            let style = TextStyle::new(1.2 * size, theme.ink).bold();
            pen.text(title, ALIKE.get(self.lang), style);
        } else {
            let question = QUESTION.get(self.lang);
            let style = TextStyle::new(2.0 * size, theme.there).bold();
            let style = style.fitting(question, plan.map.width + 2.0 * BAR * size);
            pen.text(title, question, style);
        }
        let chart = &plan.accuracy;
        chart.axes(pen, context, self.lang.texts([ACCURACY, STEP]));
        self.draw_guessing(pen, theme, chart);
        let values = self.run.scores.iter().map(|score| score.accuracy);
        draw_curve(pen, theme, chart, values, theme.series[0]);
    }
}
