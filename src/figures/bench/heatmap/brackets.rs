//! The line below the map: the numbers of the columns, and brackets around columns that belong together.

use super::layout::Plan;
use crate::draw::{Pen, Rect, TextStyle};
use crate::figures::bench::view::Scene;
use crate::text::{Text, labels, number};
use plotters::style::RGBColor;
use std::ops::Range;

/// Columns that stand side by side and belong together.
struct Group {
    /// Their places on the axis.
    places: Range<usize>,
    colour: RGBColor,
    words: &'static str,
}

fn groups(scene: &Scene) -> Vec<Group> {
    let (theme, model) = (scene.theme, scene.model);
    if !model.state.shows_halves() {
        return Vec::new();
    }
    let (sines, all) = (model.pairs(), model.state.d_model());
    let half = |places, colour, name: Text| Group {
        places,
        colour,
        words: name.get(model.lang),
    };
    vec![
        half(0..sines, theme.sine, labels::SINES),
        half(sines..all.min(2 * sines), theme.cosine, labels::COSINES),
    ]
}

impl Group {
    /// The part of the line below the map that it takes; `None` if it is not in view.
    fn stretch(&self, plan: &Plan, size: f64) -> Option<Rect> {
        let [left, right] = [self.places.start, self.places.end].map(|place| {
            let x = plan.columns.pixel(place as f64);
            x.max(plan.plot.x).min(plan.plot.right())
        });
        let line = Rect::new(left, plan.numbers - 0.6 * size, right - left, 1.2 * size);
        (line.width > size).then_some(line)
    }
}

/// Draws the brackets, each with its words in the middle if there is room for them.
pub(super) fn draw_brackets(pen: &Pen, scene: &Scene, plan: &Plan) {
    let theme = scene.theme;
    let size = theme.label_size();
    for group in groups(scene) {
        let Some(line) = group.stretch(plan, size) else {
            continue;
        };
        let (left, right, y) = (line.x + 0.5, line.right() - 0.5, plan.numbers);
        let style = TextStyle::new(size, group.colour);
        let room = line.width - 1.2 * size;
        let words = Some(group.words).filter(|words| style.width(words) <= room);
        let tooth = y - 0.5 * size;
        let draw = |points: &[(f64, f64)]| pen.line(points, group.colour, theme.hairline());
        match words {
            Some(words) => {
                let middle = (line.centre_x(), y);
                let half = style.width(words) / 2.0 + 0.4 * size;
                pen.text(middle, words, style);
                draw(&[(left, tooth), (left, y), (middle.0 - half, y)]);
                draw(&[(right, tooth), (right, y), (middle.0 + half, y)]);
            }
            None => draw(&[(left, tooth), (left, y), (right, y), (right, tooth)]),
        }
    }
}

/// Draws the numbers of the columns and the name of their axis. Columns in another order than that of the table have no
/// numbers.
pub(super) fn draw_column_axis(pen: &Pen, scene: &Scene, plan: &Plan) {
    let (theme, model) = (scene.theme, scene.model);
    if model.state.shows_halves() {
        return;
    }
    let size = theme.label_size();
    let label = TextStyle::new(size, theme.muted);
    let name = match model.state.shows_phase() {
        true => labels::PAIR_AXIS,
        false => labels::DIMENSION_AXIS,
    };
    let name = format!("{} →", name.get(model.lang));
    let end = (plan.plot.right(), plan.numbers);
    let named = pen.text_bounds(end, &name, label.align_right());
    pen.text(end, &name, label.align_right());
    for tick in plan.columns.whole_ticks(6.0 * size) {
        let at = (plan.columns.pixel(tick as f64 + 0.5), plan.numbers);
        let number = number::whole(tick);
        let covered = pen.text_bounds(at, &number, label).inset(-0.4 * size);
        if at.0 < plan.plot.right() && !covered.overlaps(&named) {
            pen.text(at, &number, label);
        }
    }
}
