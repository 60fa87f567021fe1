//! The line below the map: the numbers of the columns, and brackets around columns that belong together. Pairs that hardly
//! rotate are set apart from the others, and drawn faint.

use super::layout::Plan;
use crate::draw::{Pen, Point, Rect, TextStyle};
use crate::figures::bench::view::Scene;
use crate::text::{Text, labels, number};
use plotters::style::RGBColor;
use std::ops::Range;

/// How far the colours of faint columns are mixed with that of zero.
pub(super) const FAINT: f64 = 0.65;
/// Minimum width of a bracket with the longer of its texts, in CSS pixels.
const WIDE: f64 = 130.0;

/// Columns that stand side by side and belong together.
struct Group {
    /// Their places on the axis.
    places: Range<usize>,
    colour: RGBColor,
    /// The text, and a shorter one.
    words: [String; 2],
}

/// The places of the columns of some pairs that stand side by side.
fn places(scene: &Scene, pairs: Range<usize>) -> Range<usize> {
    match scene.model.state.shows_phase() {
        true => pairs,
        false => 2 * pairs.start..2 * pairs.end,
    }
}

fn groups(scene: &Scene) -> Vec<Group> {
    let (theme, model) = (scene.theme, scene.model);
    if model.state.shows_halves() {
        let (sines, all) = (model.pairs(), model.state.d_model());
        let half = |places, colour, name: Text| Group {
            places,
            colour,
            words: [(); 2].map(|()| name.get(model.lang).to_string()),
        };
        return vec![
            half(0..sines, theme.sine, labels::SINES),
            half(sines..all.min(2 * sines), theme.cosine, labels::COSINES),
        ];
    }
    let slow = model.slow_pairs().map(|slow| Group {
        words: labels::slow_pairs(model.lang, slow.len()),
        places: places(scene, slow),
        colour: theme.muted,
    });
    slow.into_iter().collect()
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
        let [long, short] = &group.words;
        let style = TextStyle::new(size, group.colour);
        let room = line.width - 1.2 * size;
        let fits = |words: &&String| style.width(words) <= room;
        let words = [long, short]
            .into_iter()
            .skip(usize::from(line.width < WIDE));
        let words = words.into_iter().find(fits);
        let tooth = y - 0.5 * size;
        let draw = |points: &[(f64, f64)]| pen.line(points, group.colour, theme.hairline());
        match words {
            Some(words) => {
                let middle = line.centre_x();
                let half = style.width(words) / 2.0 + 0.4 * size;
                pen.text((middle, y), words, style);
                draw(&[(left, tooth), (left, y), (middle - half, y)]);
                draw(&[(right, tooth), (right, y), (middle + half, y)]);
            }
            None => draw(&[(left, tooth), (left, y), (right, y), (right, tooth)]),
        }
    }
}

/// Draws the numbers of the columns and the name of their axis, which is at its end unless a bracket is there. Columns in
/// another order than that of the table have no numbers.
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
    let groups = groups(scene);
    let mut taken: Vec<Rect> = groups
        .iter()
        .filter_map(|group| Some(group.stretch(plan, size)?.inset(-0.3 * size)))
        .collect();
    let ticks = plan.columns.whole_ticks(6.0 * size).into_iter();
    let numbers = ticks.map(|tick| {
        let at = Point::new(plan.columns.pixel(tick as f64 + 0.5), plan.numbers);
        let text = number::whole(tick);
        (
            at,
            pen.text_bounds(at, &text, label).inset(-0.4 * size),
            text,
        )
    });
    let numbers: Vec<_> = numbers
        .filter(|(at, ..)| at.x < plan.plot.right())
        .collect();
    let (at, style) = match (&taken[..], numbers.first()) {
        ([_, ..], Some((_, first, _))) if taken[0].x > first.right() => (
            (first.right() + 0.2 * size, plan.numbers),
            label.align_left(),
        ),
        _ => ((plan.plot.right(), plan.numbers), label.align_right()),
    };
    let bounds = pen.text_bounds(at, &name, style);
    if !taken.iter().any(|other| other.overlaps(&bounds)) {
        pen.text(at, &name, style);
        taken.push(bounds);
    }
    for (at, covered, text) in numbers {
        if !taken.iter().any(|other| other.overlaps(&covered)) {
            pen.text(at, &text, label);
        }
    }
}

/// Mixes the colours of slow pairs with that of zero, in the map or in a magnified row.
pub(super) fn fade(pen: &Pen, scene: &Scene, plan: &Plan, cells: Rect) {
    let model = scene.model;
    let opacity = FAINT * model.faintness();
    let Some(slow) = model.slow_pairs().filter(|_| opacity > 0.0) else {
        return;
    };
    // The pairs between those that are marked.
    let (selected, hovered) = (Some(model.state.pair()), model.transient.pair);
    let marked = [selected.min(hovered), selected.max(hovered)];
    let mut from = slow.start;
    let ends = marked
        .into_iter()
        .flatten()
        .filter(|pair| slow.contains(pair));
    for end in ends.chain([slow.end]) {
        if from < end {
            let places = places(scene, from..end);
            let [left, right] = [places.start, places.end].map(|place| {
                let x = plan.columns.pixel(place as f64);
                x.max(cells.x).min(cells.right())
            });
            if left < right {
                let [r, g, b] = scene.colours.colour(0.0);
                pen.fill(cells.across(left, right - left), RGBColor(r, g, b), opacity);
            }
        }
        from = end + 1;
    }
}
