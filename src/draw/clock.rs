//! A pair of dimensions as a small clock: a hand at the angle of PE(pos), one at that of PE(pos+k), and the wedge
//! between them.

use crate::draw::{Circle, Pen, Theme, dial};
use posenc_encoding::wrap_to_2pi;
use std::f64::consts::TAU;

/// Opacity of the wedge, which is small and has no text on it.
const WEDGE: f64 = 0.28;

/// A clock. Angles are in radians, counter-clockwise from the right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    pub circle: Circle,
    /// The angle of the hand of PE(pos); `None` if only the wedge is shown, which then starts at angle 0.
    pub here: Option<f64>,
    /// k·ω, not reduced modulo 2π; `None` for no wedge and no hand of PE(pos+k).
    pub turn: Option<f64>,
}

impl Clock {
    /// Draws the rim, the wedge and the hands. A wedge of more than a full turn fills the clock.
    pub fn draw(&self, pen: &Pen, theme: &Theme) {
        Clock::draw_all(std::slice::from_ref(self), pen, theme);
    }

    /// Draws clocks that do not overlap, one kind of part after another, since changing the colour of a canvas takes
    /// longer than drawing.
    pub fn draw_all(clocks: &[Clock], pen: &Pen, theme: &Theme) {
        for Clock { circle, here, turn } in clocks {
            let Some(turn) = turn else { continue };
            let start = here.unwrap_or_default();
            let drawn = if turn.abs() >= TAU { TAU } else { *turn };
            dial::wedge(pen, *circle, (start, drawn), theme.there, WEDGE);
        }
        for of_one_size in clocks.chunk_by(|a, b| a.circle.radius == b.circle.radius) {
            let centres: Vec<_> = of_one_size
                .iter()
                .map(|clock| clock.circle.centre)
                .collect();
            let radius = of_one_size[0].circle.radius;
            pen.rings(&centres, radius, theme.edge, theme.hairline());
        }
        let hand = |clock: &Clock, angle| [clock.circle.centre, clock.circle.at(angle, 0.97)];
        let (mut there, mut here, mut zero) = (Vec::new(), Vec::new(), Vec::new());
        for clock in clocks {
            let start = clock.here.unwrap_or_default();
            if let Some(turn) = clock.turn {
                there.push(hand(clock, start + wrap_to_2pi(turn)));
            }
            match (clock.here, clock.turn) {
                (Some(angle), _) => here.push(hand(clock, angle)),
                // The angle 0, from which the rotation is measured.
                (None, Some(_)) => zero.push(hand(clock, 0.0)),
                (None, None) => {}
            }
        }
        for (hands, colour) in [(there, theme.there), (here, theme.here), (zero, theme.edge)] {
            pen.lines(&hands, colour, 1.0, theme.stroke());
        }
    }

    /// Draws only the rim and the hand of PE(pos), faintly, for a pair that hardly rotates.
    pub fn draw_faint(&self, pen: &Pen, theme: &Theme) {
        let Circle { centre, radius } = self.circle;
        pen.ring(centre, radius, theme.rule, theme.hairline());
        let tip = self.circle.at(self.here.unwrap_or_default(), 0.97);
        pen.faint_line(&[centre, tip], theme.here, 0.5, theme.stroke());
    }
}
