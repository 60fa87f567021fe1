//! Drawing on a unit circle with horizontal cosine and vertical sine axis.

use crate::draw::pen::{arc, around};
use crate::draw::{Circle, DrawContext, Pen, Rect, TextStyle, Theme};
use crate::text::{Lang, labels};
use plotters::style::RGBColor;
use posenc_encoding::sin_cos;
use std::f64::consts::TAU;

/// The room for the name of the horizontal axis beside a circle, in label sizes.
pub const BESIDE: f64 = 3.9;

/// Draws the circle and its axes, each with its name beside its end and clear of the labels `named`, given
/// as angles and texts.
pub fn axes(pen: &Pen, context: &DrawContext, lang: Lang, circle: Circle, named: &[(f64, &str)]) {
    let (theme, (x, y)) = (context.theme, circle.centre);
    let (size, reach) = (theme.label_size(), circle.radius + 0.8 * theme.label_size());
    pen.ring(circle.centre, circle.radius, theme.rule, theme.stroke());
    let line = theme.hairline();
    pen.arrow((x - reach, y), (x + reach, y), theme.cosine, line);
    pen.arrow((x, y + reach), (x, y - reach), theme.sine, line);
    let taken: Vec<Rect> = named
        .iter()
        .map(|(angle, text)| {
            let (at, words) = outside(context, circle, *angle, theme.ink);
            pen.text_bounds(at, text, words)
        })
        .collect();
    // Candidate positions: below or above the horizontal axis, right or left of the vertical one; further out if there
    // are labels on both sides.
    let small = |colour| TextStyle::new(theme.reduced(0.9), colour);
    let across = [0.85, -0.85, 2.2, -2.2].map(|down| {
        let at = (x + circle.radius + 0.4 * size, y + down * size);
        (at, small(theme.cosine).align_left())
    });
    let top = y - circle.radius - 0.8 * size;
    let up = [0.5, -0.5, 2.6, -2.6].map(|right: f64| {
        let words = small(theme.sine);
        let words = if right > 0.0 {
            words.align_left()
        } else {
            words.align_right()
        };
        ((x + right * size, top), words)
    });
    for (places, name) in [(across, labels::COSINE), (up, labels::SINE)] {
        let name = name.get(lang);
        let free = |&&(at, words): &&((f64, f64), TextStyle)| {
            let covered = pen.text_bounds(at, name, words);
            !taken.iter().any(|other| other.overlaps(&covered))
        };
        let (at, words) = *places.iter().find(free).unwrap_or(&places[0]);
        pen.text(at, name, words);
    }
}

/// Draws an arc with an arrowhead, at a fraction of the radius, from an angle through a rotation. The arc spirals
/// outwards; of several full turns only one is drawn, with the remainder.
pub fn turn(
    pen: &Pen,
    theme: &Theme,
    circle: Circle,
    fraction: f64,
    (from, turn): (f64, f64),
    colour: RGBColor,
) {
    let spare = (turn.abs() / TAU - 1.0).floor().max(0.0);
    let (turn, end) = (turn.signum() * (turn.abs() - spare * TAU), from + turn);
    let start = end - turn;
    let radius = |angle: f64| {
        let wound = ((angle - start).abs() / TAU).min(2.0);
        circle.radius * (fraction + 0.05 * wound)
    };
    if turn.abs() * circle.radius * fraction < 1.0 {
        return;
    }
    arc_arrow(
        pen,
        circle.centre,
        radius,
        (start, end),
        colour,
        theme.stroke(),
    );
}

/// Draws an arc between two angles, with a radius that may depend on the angle, and an arrowhead along the
/// tangent at its end.
pub fn arc_arrow(
    pen: &Pen,
    centre: (f64, f64),
    radius: impl Fn(f64) -> f64,
    (start, end): (f64, f64),
    colour: RGBColor,
    width: f64,
) {
    pen.line(&arc(centre, &radius, start, end), colour, width);
    let (size, r) = (3.6 * width, radius(end));
    if (end - start).abs() * r < 1.5 * size {
        return;
    }
    let back = end - (end - start).signum() * size / r;
    let head = [
        around(centre, r, end),
        around(centre, r + 0.42 * size, back),
        around(centre, r - 0.42 * size, back),
    ];
    pen.polygon(&head, colour, 1.0);
}

/// Draws a label outside the circle at an angle.
pub fn name(
    pen: &Pen,
    context: &DrawContext,
    circle: Circle,
    angle: f64,
    text: &str,
    colour: RGBColor,
) {
    let (at, words) = outside(context, circle, angle, colour);
    pen.text(at, text, words);
}

fn outside(
    context: &DrawContext,
    circle: Circle,
    angle: f64,
    colour: RGBColor,
) -> ((f64, f64), TextStyle) {
    let size = context.theme.label_size();
    let style = TextStyle::new(size, colour).bold();
    let style = match sin_cos(angle).1 {
        c if c > 0.4 => style.align_left(),
        c if c < -0.4 => style.align_right(),
        _ => style,
    };
    (circle.at(angle, 1.0 + 0.9 * size / circle.radius), style)
}
