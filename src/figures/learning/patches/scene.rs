//! The picture that is cut into patches.

use crate::draw::{Pen, Rect, Theme};
use crate::math::Clamp;

/// Draws a landscape with a house and the sun, so that the patches have content.
pub(super) fn scene(pen: &Pen, theme: &Theme, rect: Rect) {
    let at = |x: f64, y: f64| (rect.x + x * rect.width, rect.y + y * rect.height);
    let part = |x: f64, y: f64, width: f64, height: f64| {
        Rect::new(
            rect.x + x * rect.width,
            rect.y + y * rect.height,
            width * rect.width,
            height * rect.height,
        )
    };
    pen.fill(rect, theme.series[0], 0.18);
    pen.disc(at(0.78, 0.2), 0.09 * rect.width, theme.series[1]);
    let hill = |from: f64, to: f64, top: f64| -> Vec<(f64, f64)> {
        let arc = (0..=24).map(|step| {
            let t = f64::from(step) / 24.0;
            let y = 1.0 - (1.0 - top) * 4.0 * t * (1.0 - t);
            at((from + t * (to - from)).clamped(0.0, 1.0), y)
        });
        arc.collect()
    };
    pen.polygon(&hill(-0.3, 0.75, 0.48), theme.accent, 0.35);
    pen.polygon(&hill(0.25, 1.4, 0.56), theme.accent, 0.55);
    pen.fill(part(0.0, 0.84, 1.0, 0.16), theme.accent, 0.75);
    pen.fill(part(0.24, 0.62, 0.24, 0.24), theme.panel, 1.0);
    pen.outline(
        part(0.24, 0.62, 0.24, 0.24),
        theme.ink,
        1.0,
        theme.hairline(),
    );
    pen.fill(part(0.33, 0.72, 0.07, 0.14), theme.ink, 0.8);
    pen.polygon(
        &[at(0.2, 0.63), at(0.36, 0.47), at(0.52, 0.63)],
        theme.accent,
        0.85,
    );
}
