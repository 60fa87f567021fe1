//! The attention maps of both layers, and accuracy by period.

use super::words::{LOW_MAPS, MAPS, PERIOD};
use super::{FIXED_OFFSET, FIXED_PERIOD, LENGTH, LONGER, LabInduction, PERIODS, sequence};
use crate::draw::chart::Chart;
use crate::draw::grid::{cells, grid_axes, grid_in, share_bar};
use crate::draw::text_style::text_width;
use crate::draw::{DrawContext, Pen, Rect, Scale, TextStyle, Theme};
use crate::figures::learning::training::{ACCURACY, CHANCE, GUESSING, WEIGHT};
use crate::math::Clamp;
use crate::text::number::fixed;
use crate::text::{Lang, Text, labels};
use plotters::style::RGBColor;

/// Width of the colour bar with its numbers, in label sizes.
const BAR: f64 = 3.4;
/// Heights in label sizes: the title of a map; the legend above the chart of accuracy by period.
const TITLE: f64 = 1.4;
const LEGEND: f64 = 1.8;
/// Opacity of the background of periods that occur in training.
const SEEN: f64 = 0.13;

enum Lead {
    Maps([Rect; 2], Rect),
    Sequence(Rect),
}

pub struct Plan {
    /// The maps with their colour bar, or the sequence.
    lead: Lead,
    pub periods: Chart,
    legend: Rect,
}

fn beside(width: f64, theme: &Theme) -> bool {
    width > 40.0 * theme.label_size()
}

/// The heights of a row of maps and of the chart.
fn heights(width: f64, theme: &Theme) -> [f64; 2] {
    let size = theme.label_size();
    let charts = 12.0 * size;
    if beside(width, theme) {
        let map = 0.5 * (width - BAR * size);
        [map.clamped(15.0 * size, 24.0 * size), charts]
    } else {
        [width - 2.0 * size, charts]
    }
}

impl Plan {
    pub(super) fn height(maps: bool, width: f64, theme: &Theme) -> f64 {
        let [map, chart] = heights(width, theme);
        if !maps {
            let lead = sequence::height(width, theme.label_size());
            return match beside(width, theme) {
                true => theme.fitted(lead + chart, 19.6),
                false => lead + chart,
            };
        }
        if beside(width, theme) {
            theme.fitted(map + chart, 17.0)
        } else {
            2.0 * map + chart
        }
    }

    pub(super) fn new(maps: bool, context: &DrawContext) -> Plan {
        if !maps {
            return Plan::of_sequence(context);
        }
        let (theme, size) = (context.theme, context.theme.label_size());
        let all = Rect::all(context.frame);
        let [height, charts] = heights(all.width, theme);
        let beside = beside(all.width, theme);
        // In a low figure, accuracy by period is beside the maps.
        let low = context.is_low();
        let (above, below) = match beside {
            true if low => {
                let map = all.height - TITLE * size + size;
                all.split_left((2.0 * map + BAR * size).min(0.66 * all.width))
            }
            true => {
                let missing = height + charts - Plan::height(true, all.width, theme);
                all.split_top(height - missing)
            }
            false => all.split_top(2.0 * height),
        };
        let (maps, bar) = above.split_right(BAR * size);
        let rooms = if beside {
            let (left, right) = maps.split_left(0.5 * maps.width);
            [left, right]
        } else {
            let (top, bottom) = maps.split_top(height);
            [top, bottom]
        };
        let maps = rooms.map(|room| {
            let (_, room) = room.split_top(TITLE * size);
            let mut map = grid_in(context, room);
            let side = map.width.min(map.height);
            map.x += (map.width - side) / 2.0;
            (map.width, map.height) = (side, side);
            map
        });
        let last = if beside { maps[1] } else { maps[0] };
        let bar = Rect::new(last.right() + 0.8 * size, last.y, 0.8 * size, last.height)
            .with_x((last.right() + 0.8 * size).min(bar.x + 0.8 * size));
        // In a low figure, the entry for periods in training is on a second line of the legend.
        let lines = if low { 2.0 } else { 1.0 };
        Plan::of(context, Lead::Maps(maps, bar), below, lines)
    }

    /// The sequence above the chart.
    fn of_sequence(context: &DrawContext) -> Plan {
        let all = Rect::all(context.frame);
        let high = sequence::height(all.width, context.theme.label_size());
        let (lead, below) = all.split_top(high);
        Plan::of(context, Lead::Sequence(lead), below, 1.0)
    }

    /// The chart in `room`, below a legend of so many lines.
    fn of(context: &DrawContext, lead: Lead, room: Rect, lines: f64) -> Plan {
        let (legend, room) = room.split_top(lines * LEGEND * context.theme.label_size());
        let (first, last) = (*PERIODS.start() as f64, *PERIODS.end() as f64);
        let periods = Scale::linear(first - 0.5, last + 0.5);
        Plan {
            lead,
            periods: Chart::new(context, room, periods, Scale::linear(0.0, 1.0)),
            legend,
        }
    }
}

/// Draws lines along both sides of the cells `offset` positions back, 1 or more.
fn band(pen: &Pen, map: Rect, offset: usize, colour: RGBColor, width: f64) {
    let cell = map.width / LENGTH as f64;
    let at = |column: usize, row: usize| (map.x + column as f64 * cell, map.y + row as f64 * cell);
    let line = |from: usize| [at(0, from), at(LENGTH - from, LENGTH)];
    pen.line(&line(offset - 1), colour, width);
    if offset + 1 < LENGTH {
        pen.line(&line(offset + 1), colour, width);
    }
}

impl LabInduction {
    pub(super) fn draw_all(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        match plan.lead {
            Lead::Maps(maps, bar) => {
                for (layer, map) in maps.into_iter().enumerate() {
                    self.draw_map(pen, context, layer, map);
                }
                share_bar(pen, context, bar, WEIGHT.get(self.lang));
            }
            Lead::Sequence(room) => self.draw_sequence(pen, context, room),
        }
        self.draw_periods(pen, context, plan);
    }

    /// Returns the offsets that are marked in the map of a layer, with their colour and a label with the mean attention on
    /// them: in layer 1 the previous token, in layer 2 the tokens after earlier occurrences, and in both [`FIXED_OFFSET`].
    fn marks(&self, layer: usize, context: &DrawContext) -> Vec<(String, RGBColor, Vec<usize>)> {
        let (shown, theme, low) = (&self.shown, context.theme, context.is_low());
        let mut marks = Vec::new();
        if layer == 0 {
            marks.push((
                self.of_previous(shown.previous(0), low),
                theme.there,
                vec![1],
            ));
        } else {
            let occurrences = (shown.period - 1..LENGTH).step_by(shown.period);
            let words = self.of_after(shown.after(1), low);
            marks.push((words, theme.there, occurrences.collect()));
        }
        // If the period divides 16, the marks of earlier occurrences in layer 2 include this one.
        if layer == 0 || !FIXED_PERIOD.is_multiple_of(shown.period) {
            marks.push((
                self.of_back(shown.back(layer)),
                theme.here,
                vec![FIXED_OFFSET],
            ));
        }
        marks
    }

    fn draw_map(&self, pen: &Pen, context: &DrawContext, layer: usize, map: Rect) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let grid = (LENGTH, LENGTH);
        cells(pen, context, map, grid, 1.0, |query, key| {
            f64::from(self.shown.layers[layer].row(query)[key])
        });
        // Where an untrained model attends is a prediction: the marks would answer it.
        let marks = match self.run.taken() {
            0 => Vec::new(),
            _ => self.marks(layer, context),
        };
        for (_, colour, offsets) in &marks {
            for offset in offsets {
                band(pen, map, *offset, *colour, theme.hairline());
            }
        }
        let names = [labels::QUERY_AXIS, labels::KEY_AXIS].map(|name| name.get(self.lang));
        grid_axes(pen, context, map, grid, names);
        let title = (map.centre_x(), map.y - 0.8 * size);
        let style = TextStyle::new(size, theme.ink).bold();
        let names = if context.is_low() { LOW_MAPS } else { MAPS };
        pen.text(title, names[layer].get(self.lang), style);
        // The labels are in the corner that the causal mask leaves empty.
        for (line, (text, colour, _)) in marks.into_iter().enumerate() {
            let style = TextStyle::new(size, colour).align_right();
            let style = style.fitting(&text, 0.9 * map.width);
            let y = map.y + (1.1 + 1.4 * line as f64) * size;
            pen.text((map.right() - 0.6 * size, y), &text, style);
        }
    }

    fn draw_periods(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        let (theme, size, chart) = (context.theme, context.theme.label_size(), &plan.periods);
        let (first, last) = self.trained();
        let [from, to] = [first as f64 - 0.5, last as f64 + 0.5].map(|at| chart.x.pixel(at));
        pen.fill(chart.plot.across(from, to - from), theme.here, SEEN);
        chart.axes(pen, context, self.lang.texts([ACCURACY, PERIOD]));
        let shown = chart.x.pixel(self.shown.period as f64);
        let [top, foot] = chart.plot.vertical(shown);
        pen.dashes(foot, top, theme.there, 0.75 * theme.stroke());
        let trained = Text::new("trained", "训练过").get(self.lang);
        if self.run.taken() == 0 {
            let style = TextStyle::new(size, theme.muted);
            let at = (from - 0.4 * size, chart.plot.y + 1.1 * size);
            pen.text(at, trained, style.align_right());
            let name = Text::new("this sequence", "这个序列").get(self.lang);
            pen.text((shown, chart.plot.y - 0.9 * size), name, style);
            let guessing = chart.plot.horizontal(chart.y.pixel(CHANCE));
            pen.dashes(guessing[0], guessing[1], theme.muted, theme.hairline());
            let at = guessing[0] + (0.4 * size, -0.75 * size);
            pen.text(at, GUESSING.get(self.lang), style.align_left());
            // What is to be predicted.
            let style = TextStyle::new(2.4 * size, theme.there).bold();
            return pen.text_on((shown, chart.plot.centre_y()), "?", style, theme.panel);
        }
        let tested = self.tested();
        let colours = [theme.series[0], theme.series[1]];
        for (index, colour) in colours.into_iter().enumerate().rev() {
            let points = PERIODS.zip(&tested.accuracies);
            let points: Vec<_> = points
                .map(|(period, both)| (period as f64, both[index]))
                .collect();
            chart.curve(pen, points.clone(), colour, theme.stroke());
            chart.dots(pen, points, colour, 1.3 * theme.stroke());
        }
        let two_lines = plan.legend.height > 1.5 * LEGEND * size;
        let start = plan.legend.x + 0.4 * size;
        let mut x = start;
        let mut y = plan.legend.y + 0.5 * LEGEND * size;
        for (length, colour) in [LENGTH, LONGER].into_iter().zip(colours) {
            let text = self.of_length(length);
            pen.line(&[(x, y), (x + 1.6 * size, y)], colour, theme.stroke());
            pen.disc((x + 0.8 * size, y), 1.3 * theme.stroke(), colour);
            let style = TextStyle::new(size, colour).align_left();
            pen.text((x + 2.0 * size, y), &text, style);
            x += 2.6 * size + text_width(&text, size);
        }
        if two_lines {
            (x, y) = (start, y + LEGEND * size);
        }
        pen.fill(
            Rect::new(x, y - 0.5 * size, 1.6 * size, size),
            theme.here,
            SEEN,
        );
        let style = TextStyle::new(size, theme.muted).align_left();
        pen.text((x + 2.0 * size, y), trained, style);
    }

    /// The label of attention on the previous token, shortened for small maps.
    fn of_previous(&self, share: f64, low: bool) -> String {
        let share = fixed(share, 2);
        match self.lang {
            Lang::En if low => format!("one before: {share}"),
            Lang::En => format!("the token before: {share}"),
            Lang::Zh => format!("前一个词元：{share}"),
        }
    }

    fn of_after(&self, share: f64, low: bool) -> String {
        let share = fixed(share, 2);
        match self.lang {
            Lang::En if low => format!("after a match: {share}"),
            Lang::Zh if low => format!("上次之后：{share}"),
            Lang::En => format!("after an earlier occurrence: {share}"),
            Lang::Zh => format!("上次出现之后的词元：{share}"),
        }
    }

    fn of_back(&self, share: f64) -> String {
        let share = fixed(share, 2);
        match self.lang {
            Lang::En => format!("{FIXED_OFFSET} back: {share}"),
            Lang::Zh => format!("往回 {FIXED_OFFSET} 处：{share}"),
        }
    }

    fn of_length(&self, length: usize) -> String {
        match self.lang {
            Lang::En => format!("{length} tokens"),
            Lang::Zh => format!("{length} 个词元"),
        }
    }
}
