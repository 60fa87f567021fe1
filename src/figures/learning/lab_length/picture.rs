//! A panel for each encoding: accuracy against length, a thin line for each seed and a thick one for their median.

use super::words::{LENGTH, name};
use super::{ENCODINGS, LENGTHS, LONGEST, LabLength, TRAINED};
use crate::draw::chart::Chart;
use crate::draw::text_style::text_width;
use crate::draw::{DrawContext, Pen, Point, Rect, Scale, TextStyle, Theme, keep_apart};
use crate::figures::learning::training::{ACCURACY, CHANCE, GUESSING};
use crate::math::Clamp;
use crate::text::number::fixed;
use posenc_lab::Encoding;

/// In label sizes: height of a line of the legend; width of a sample in it; heights of a panel's name and of the tick
/// labels below it; widths of those on its left and of the accuracy at the end of a curve; height of the axis title.
const LINE: f64 = 1.6;
const SAMPLE: f64 = 2.2;
const NAME: f64 = 2.1;
const NUMBERS: f64 = 2.0;
const LEFT: f64 = 3.9;
const END: f64 = 3.2;
const TITLE: f64 = 1.5;
/// Opacity of the background of positions seen in training.
const SEEN: f64 = 0.13;
/// Opacity of the curve of a single seed.
const SEED: f64 = 0.55;

/// What a sample in the legend stands for.
#[derive(Clone, Copy, PartialEq)]
enum Sample {
    Median,
    Seed,
    Other,
    Ghost,
}

/// An entry of the legend: its sample, its position and its text.
struct Entry {
    sample: Sample,
    at: Point,
    words: String,
}

pub struct Plan {
    legend: Vec<Entry>,
    panels: [Chart; ENCODINGS.len()],
    size: f64,
}

fn across(width: f64, theme: &Theme) -> usize {
    if width > 40.0 * theme.label_size() {
        3
    } else {
        2
    }
}

/// Returns the height of the legend and its entries.
fn legend(it: &LabLength, width: f64, size: f64) -> (f64, Vec<Entry>) {
    let (mut x, mut y, mut placed) = (0.4 * size, 0.5 * LINE * size, Vec::new());
    let samples = it.samples();
    if samples.is_empty() {
        return (0.0, placed);
    }
    for (sample, words) in samples {
        let wide = (SAMPLE + 0.5) * size + text_width(&words, size);
        if x > size && x + wide > width {
            (x, y) = (0.4 * size, y + LINE * size);
        }
        let at = Point::new(x, y);
        placed.push(Entry { sample, at, words });
        x += wide + 1.4 * size;
    }
    (y + 0.5 * LINE * size, placed)
}

impl LabLength {
    fn samples(&self) -> Vec<(Sample, String)> {
        let mut samples = Vec::new();
        if ENCODINGS.iter().any(|it| self.has_run(*it)) {
            samples.push((Sample::Median, self.of_median()));
            samples.push((Sample::Seed, self.of_seed()));
        }
        if self.finished_run(0).is_some() {
            samples.push((Sample::Ghost, self.of_ghost()));
        }
        if ENCODINGS.iter().any(|it| self.other_spread(*it).is_some()) {
            samples.push((Sample::Other, self.of_other()));
        }
        samples
    }
}

impl Plan {
    pub(super) fn height(it: &LabLength, width: f64, theme: &Theme) -> f64 {
        let size = theme.label_size();
        let across = across(width, theme);
        let rows = ENCODINGS.len().div_ceil(across) as f64;
        let plot = (0.46 * width / across as f64).clamped(7.5 * size, 14.0 * size);
        let panel = plot + (NAME + NUMBERS) * size;
        let high = legend(it, width, size).0 + rows * panel + TITLE * size;
        match across {
            3 => theme.fitted(high, 22.2),
            _ => high,
        }
    }

    pub(super) fn new(it: &LabLength, context: &DrawContext) -> Plan {
        let (theme, size) = (context.theme, context.theme.label_size());
        let all = Rect::all(context.frame);
        let across = across(all.width, theme);
        let rows = ENCODINGS.len().div_ceil(across);
        let (top, legend) = legend(it, all.width, size);
        let height = (all.height - top - TITLE * size) / rows as f64;
        let width = (all.width - LEFT * size) / across as f64;
        let panels = std::array::from_fn(|index| {
            let (row, column) = (index / across, index % across);
            let plot = Rect::new(
                LEFT * size + column as f64 * width,
                top + row as f64 * height + NAME * size,
                (width - END * size).max(1.0),
                (height - (NAME + NUMBERS) * size).max(1.0),
            );
            Chart {
                plot,
                x: Scale::linear(0.0, LONGEST as f64).on(plot.x, plot.right()),
                y: Scale::linear(0.0, 1.0).on(plot.bottom(), plot.y),
            }
        });
        Plan {
            legend,
            panels,
            size,
        }
    }
}

impl LabLength {
    pub(super) fn draw_all(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        self.draw_legend(pen, context.theme, plan);
        let left = plan.panels[0].plot.x;
        for (index, panel) in plan.panels.iter().enumerate() {
            self.draw_frame(pen, context.theme, plan, index, panel.plot.x - left < 1.0);
            self.draw_curves(pen, context.theme, plan, index);
        }
        let (theme, size) = (context.theme, plan.size);
        let (first, last) = (&plan.panels[0].plot, &plan.panels[5].plot);
        let style = TextStyle::new(size, theme.muted);
        let centre = first.union(*last).centre();
        let below = (centre.x, last.bottom() + (NUMBERS + 0.4) * size);
        pen.text(below, LENGTH.get(self.lang), style);
        let beside = (0.7 * size, centre.y);
        pen.text(beside, ACCURACY.get(self.lang), style.rotated());
    }

    fn draw_legend(&self, pen: &Pen, theme: &Theme, plan: &Plan) {
        let size = plan.size;
        for Entry { sample, at, words } in &plan.legend {
            let Point { x, y } = *at;
            let ends = [*at, *at + (SAMPLE * size, 0.0)];
            let colour = match sample {
                Sample::Median | Sample::Seed => theme.series[0],
                Sample::Other => theme.series[1],
                Sample::Ghost => theme.muted,
            };
            match sample {
                Sample::Median => pen.line(&ends, colour, 1.3 * theme.stroke()),
                Sample::Seed => pen.faint_line(&ends, colour, SEED, 0.5 * theme.stroke()),
                Sample::Other => pen.dashed_curve(&ends, colour, 1.0, theme.stroke()),
                Sample::Ghost => pen.faint_line(&ends, colour, 0.5, 1.4 * theme.stroke()),
            }
            let style = TextStyle::new(size, theme.muted).align_left();
            pen.text((x + (SAMPLE + 0.5) * size, y), words, style);
        }
    }

    /// Draws a panel's frame, the positions seen in training, the tick labels of lengths and, in the first column, of
    /// accuracies.
    fn draw_frame(&self, pen: &Pen, theme: &Theme, plan: &Plan, index: usize, first: bool) {
        let (size, panel) = (plan.size, &plan.panels[index]);
        let (plot, hairline) = (panel.plot, theme.hairline());
        let style = TextStyle::new(size, theme.muted);
        let seen = panel.x.pixel(self.seen().min(LONGEST) as f64) - plot.x;
        pen.fill(plot.with_width(seen), theme.here, SEEN);
        for length in [32, 64, 96, 128] {
            let x = panel.x.pixel(f64::from(length));
            pen.line(&plot.vertical(x), theme.rule, hairline);
            let below = (x, plot.bottom() + 0.95 * size);
            pen.text(below, &length.to_string(), style);
        }
        for accuracy in [0.0, 0.5, 1.0] {
            let y = panel.y.pixel(accuracy);
            pen.line(&plot.horizontal(y), theme.rule, hairline);
            if first {
                let name = fixed(accuracy, 1);
                pen.text((plot.x - 0.5 * size, y), &name, style.align_right());
            }
        }
        let guessing = panel.y.pixel(CHANCE);
        let [from, to] = plot.horizontal(guessing);
        pen.dashes(from, to, theme.muted, hairline);
        let trained = panel.x.pixel(TRAINED as f64);
        let width = 0.75 * theme.stroke();
        pen.dashes(
            (trained, plot.bottom()),
            (trained, plot.y),
            theme.here,
            width,
        );
        if index == 0 {
            let (seen, known) = (self.of_seen(), GUESSING.get(self.lang));
            let at = (0.5 * (plot.x + trained), plot.centre_y());
            pen.text(
                at,
                &seen,
                style.fitting(&seen, 0.94 * plot.height).rotated(),
            );
            let at = (plot.right() - 0.4 * size, guessing - 0.75 * size);
            pen.text(at, known, style.scaled(0.9).align_right());
        }
        pen.outline(plot, theme.muted, 0.6, hairline);
        let name = name(ENCODINGS[index]).get(self.lang);
        let title = TextStyle::new(size, theme.ink).bold().align_left();
        let title = title.fitting(name, plot.width + 0.5 * END * size);
        pen.text((plot.x, plot.y - 0.9 * size), name, title);
    }

    fn has_run(&self, encoding: Encoding) -> bool {
        self.shown().spread(encoding, self.seeds).is_some()
    }

    fn draw_curves(&self, pen: &Pen, theme: &Theme, plan: &Plan, index: usize) {
        let (size, panel, encoding) = (plan.size, &plan.panels[index], ENCODINGS[index]);
        let points = |accuracies: &[f64; LENGTHS.len()]| -> Vec<_> {
            let points = LENGTHS.iter().zip(accuracies);
            points.map(|(x, y)| panel.at((*x as f64, *y))).collect()
        };
        let other = self.other_spread(encoding);
        if let Some(spread) = &other {
            let points = points(&spread.median);
            pen.dashed_curve(&points, theme.series[1], 1.0, theme.stroke());
        }
        let colour = theme.series[0];
        if let Some(percents) = self.finished_run(index) {
            let points = points(&percents.map(|percent| 0.01 * f64::from(percent)));
            pen.faint_line(&points, theme.muted, 0.5, 1.4 * theme.stroke());
        } else if !self.has_run(encoding) && other.is_none() {
            // Where the number will be that is to be predicted.
            let at = Point::new(panel.plot.right() + 1.3 * size, panel.plot.centre_y());
            pen.text(at, "?", TextStyle::new(2.0 * size, theme.there).bold());
        }
        for outcome in self.shown().of(encoding, self.seeds) {
            let points = points(&outcome.accuracies);
            pen.faint_line(&points, colour, SEED, 0.5 * theme.stroke());
            for point in points {
                pen.disc(point, 0.8 * theme.stroke(), colour);
            }
        }
        let shown = self.shown().spread(encoding, self.seeds);
        if let Some(spread) = &shown {
            let points = points(&spread.median);
            pen.line(&points, colour, 1.3 * theme.stroke());
        }
        // The accuracies at four times the trained length as labels at the ends of the curves, without overlap.
        let last = |spread: &super::Spread| spread.median[LENGTHS.len() - 1];
        let end = shown.as_ref().map(|spread| (last(spread), colour, true));
        let other = other.as_ref().map(|it| (last(it), theme.series[1], false));
        let mut ends: Vec<_> = end.into_iter().chain(other).collect();
        ends.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut ys: Vec<f64> = ends.iter().map(|end| panel.y.pixel(end.0)).collect();
        if let [above, below] = &mut ys[..] {
            keep_apart(above, below, 1.2 * size);
        }
        for ((accuracy, colour, bold), y) in ends.into_iter().zip(ys) {
            let style = TextStyle::new(size, colour).align_left();
            let style = if bold { style.bold() } else { style };
            let at = (panel.plot.right() + 0.35 * size, y);
            pen.text(at, &fixed(accuracy, 2), style);
        }
    }
}
