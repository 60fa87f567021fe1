//! Drawing on a unit circle with horizontal cosine and vertical sine axis.

use crate::draw::pen::{arc, around};
use crate::draw::{Circle, DrawContext, KeptPlace, Pen, Point, Rect, Space, TextStyle, Theme};
use crate::text::{Lang, labels};
use plotters::style::RGBColor;
use posenc_encoding::sin_cos;
use std::f64::consts::TAU;

/// The room for the name of the horizontal axis beside a circle, in label sizes.
pub const BESIDE: f64 = 3.9;

/// A hand with a name at its tip.
pub struct Named<'a> {
    /// In radians, counter-clockwise from the right.
    pub angle: f64,
    pub name: &'a str,
    pub colour: RGBColor,
}

/// Draws the circle and its axes.
pub fn axes(pen: &Pen, theme: &Theme, circle: Circle) {
    let Point { x, y } = circle.centre;
    let reach = circle.radius + 0.8 * theme.label_size();
    pen.ring(circle.centre, circle.radius, theme.rule, theme.stroke());
    let line = theme.hairline();
    pen.arrow((x - reach, y), (x + reach, y), theme.cosine, line);
    pen.arrow((x, y + reach), (x, y - reach), theme.sine, line);
}

/// Draws the names of hands outside the circle and those of the axes beside their ends, each where it covers nothing: first
/// those of the hands, in this order. The name of an axis without such a place is omitted.
pub fn names(pen: &Pen, context: &DrawContext, lang: Lang, circle: Circle, hands: &[Named]) {
    let (theme, Point { x, y }) = (context.theme, circle.centre);
    let size = theme.label_size();
    let reach = [BESIDE, 1.6].map(|room| circle.radius + room * size);
    let bounds = Rect::centred(circle.centre, 2.0 * reach[0], 2.0 * reach[1]);
    let mut space = Space::new(bounds.within(context.frame));
    for hand in hands {
        let line = [circle.centre, circle.at(hand.angle, 1.0)];
        space.take_line(line, 1.3 * theme.stroke());
    }
    // Along the rim, on alternating sides of the tip.
    let step = 0.7 * size / circle.radius;
    let steps = [0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 4.0, -4.0];
    for hand in hands {
        let places = steps.map(|by| outside(theme, circle, hand.angle + by * step, hand.colour));
        let bounds = places.map(|(at, style)| pen.text_bounds(at, hand.name, style));
        let found = space.find_nearly(&bounds, &KeptPlace::default());
        let (at, style) = places[found];
        space.take(bounds[found]);
        pen.text(at, hand.name, style);
    }
    // Below or above the horizontal axis, right or left of the vertical one; further out if there are labels on both sides.
    let small = |colour| TextStyle::new(theme.reduced(0.9), colour);
    let across = [0.85, -0.85, 1.2, -1.2].map(|down| {
        let at = Point::new(x + circle.radius + 0.4 * size, y + down * size);
        (at, small(theme.cosine).align_left())
    });
    let top = y - circle.radius - 0.8 * size;
    let up = [0.5, -0.5, 2.6, -2.6].map(|right: f64| {
        let words = small(theme.sine);
        let words = match right > 0.0 {
            true => words.align_left(),
            false => words.align_right(),
        };
        (Point::new(x + right * size, top), words)
    });
    for (places, name) in [(across, labels::COSINE), (up, labels::SINE)] {
        space.write(pen, name.get(lang), &places);
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

/// Fills the part of a circle from an angle through a rotation.
#[inline(never)]
pub fn wedge(pen: &Pen, circle: Circle, (from, turn): (f64, f64), colour: RGBColor, opacity: f64) {
    let mut wedge = arc(circle.centre, |_| circle.radius, from, from + turn);
    wedge.push(circle.centre);
    pen.polygon(&wedge, colour, opacity);
}

/// Draws an arc between two angles, with a radius that may depend on the angle, and an arrowhead along the
/// tangent at its end.
pub fn arc_arrow(
    pen: &Pen,
    centre: Point,
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

/// A place outside a circle at an angle, and the style of a text there.
fn outside(theme: &Theme, circle: Circle, angle: f64, colour: RGBColor) -> (Point, TextStyle) {
    let size = theme.label_size();
    let style = TextStyle::new(size, colour).bold();
    let style = match sin_cos(angle).1 {
        c if c > 0.4 => style.align_left(),
        c if c < -0.4 => style.align_right(),
        _ => style,
    };
    (circle.at(angle, 1.0 + 0.9 * size / circle.radius), style)
}
