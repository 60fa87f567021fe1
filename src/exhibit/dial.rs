//! What the exhibits draw on a unit circle, cosine across and sine up.

use super::Look;
use crate::angle::sin_cos;
use crate::lang::Lang;
use crate::text;
use crate::theme::Theme;
use crate::view::pen::arc;
use crate::view::{Circle, Drawn, Pen, Picture, Words};
use plotters::style::RGBColor;
use std::f64::consts::TAU;

/// The circle and its axes with their names.
pub fn axes<DB: Picture>(pen: &Pen<DB>, look: &Look, lang: Lang, circle: Circle) -> Drawn<DB> {
    let (theme, (x, y)) = (look.theme, circle.centre);
    let (size, reach) = (theme.label_size(), circle.radius + 0.8 * theme.label_size());
    pen.ring(circle.centre, circle.radius, theme.rule, theme.stroke())?;
    let line = theme.hairline();
    pen.arrow((x - reach, y), (x + reach, y), theme.cosine, line)?;
    pen.arrow((x, y + reach), (x, y - reach), theme.sine, line)?;
    // In the corners, where no arrow reaches.
    let name = |colour| Words::new(0.9 * size, colour).starting();
    let (left, corner) = (x - circle.radius, circle.radius + 0.9 * size);
    let sine = (left, y - corner);
    pen.words(sine, text::SINE_AXIS.get(lang), name(theme.sine))?;
    let cosine = (left, y + corner);
    pen.words(cosine, text::COSINE_AXIS.get(lang), name(theme.cosine))
}

/// An arc at a share of the radius from an angle through a turn, its head at its end; more than
/// one full turn goes a little outwards, more than two are drawn as two.
pub fn turn<DB: Picture>(
    pen: &Pen<DB>,
    theme: &Theme,
    circle: Circle,
    share: f64,
    (from, turn): (f64, f64),
    colour: RGBColor,
) -> Drawn<DB> {
    let spare = (turn.abs() / TAU - 1.0).floor().max(0.0);
    let (turn, end) = (turn.signum() * (turn.abs() - spare * TAU), from + turn);
    let start = end - turn;
    let radius = |angle: f64| {
        let wound = ((angle - start).abs() / TAU).min(2.0);
        circle.radius * (share + 0.05 * wound)
    };
    let size = 3.4 * theme.stroke();
    if turn.abs() * circle.radius * share < 1.0 {
        return Ok(());
    }
    pen.line(
        &arc(circle.centre, radius, start, end),
        colour,
        theme.stroke(),
    )?;
    let r = radius(end);
    if turn.abs() * r < 1.5 * size {
        return Ok(());
    }
    let back = end - turn.signum() * size / r;
    let on = |angle: f64, r: f64| circle.at(angle, r / circle.radius);
    let head = [
        on(end, r),
        on(back, r + 0.42 * size),
        on(back, r - 0.42 * size),
    ];
    pen.polygon(&head, colour, 1.0)
}

/// Words outside the circle at an angle.
pub fn name<DB: Picture>(
    pen: &Pen<DB>,
    look: &Look,
    circle: Circle,
    angle: f64,
    text: &str,
    colour: RGBColor,
) -> Drawn<DB> {
    let size = look.theme.label_size();
    let words = Words::new(size, colour).bold();
    let words = match sin_cos(angle).1 {
        c if c > 0.4 => words.starting(),
        c if c < -0.4 => words.ending(),
        _ => words,
    };
    pen.words(
        circle.at(angle, 1.0 + 0.9 * size / circle.radius),
        text,
        words,
    )
}
