//! The selected pair on a large unit circle, cosine across and sine up: a hand for PE(pos), one for PE(pos+k), and
//! between them the wedge kω, which does not depend on pos. Angles are counter-clockwise from the right.

mod hand_labels;
mod labels;
mod line;
mod rotation_label;

use crate::draw::pen::{angle, arc};
use crate::draw::{Circle, Pen, PhaseMap, Point, Rect, TextStyle, Theme, dial};
use crate::figures::bench::model::{Hand, Model, Pair};
use crate::figures::bench::view::Scene;
use labels::Labels;
use plotters::style::RGBColor;
use posenc_encoding::{Sinusoidal, sin_cos, wrap_to_2pi, wrap_to_pi};
use std::f64::consts::{FRAC_PI_2, TAU};

/// Radius of the wedge, and the outer radius of the spiral that it becomes from a full turn on, relative to the dial's.
const WEDGE: (f64, f64) = (0.84, 0.93);
/// Maximum number of full turns that the spiral shows; the label gives the whole rotation.
const MAX_TURNS: f64 = 4.0;
/// Width of a rim that is a colour wheel, in CSS pixels.
const RIM: f64 = 11.0;
/// Opacity of the wedge, low because labels are written on it.
const TINT: f64 = 0.14;
/// Number of dots on the rim before pos, largest |k| with dots between pos and pos+k, and minimum distance of dots in
/// CSS pixels, below which there are none.
const TRAIL: i64 = 8;
const MAX_BETWEEN: i64 = 24;
const CLOSEST_DOTS: f64 = 7.0;

/// Layout of the dial.
#[derive(Clone, Copy, Debug)]
pub struct RotationDial {
    pub circle: Circle,
    stage: Rect,
    /// Radius of the rings by which the hands are dragged.
    ring: f64,
    /// Half the width of the rim if it is the key of the heatmap's colours, otherwise 0.
    rim: f64,
}

/// Sine and cosine of pos, which is a whole position as in the product and the texts, and the legs of a right triangle, which
/// follow the hand.
struct Projections {
    sine: f64,
    cosine: f64,
    upright: [Point; 2],
    level: [Point; 2],
    /// Whether the outside of the triangle is right of the upright leg, and whether it is below the level one.
    right: bool,
    down: bool,
}

/// The displayed angles, in radians, of the hand of pos and of the rotation from it to the hand of pos+k.
struct Hands {
    start: f64,
    turn: f64,
}

impl RotationDial {
    pub fn new(stage: Rect, theme: &Theme, model: &Model) -> RotationDial {
        let size = theme.label_size();
        let ring = (1.08 * size).min(0.12 * stage.width.min(stage.height));
        let beside = (3.6 * size).min(0.16 * stage.width);
        let is_key = model.colours_of_angles(theme).is_some();
        let rim = if is_key { 0.5 * RIM * theme.scale } else { 0.0 };
        let radius = (stage.width / 2.0 - beside).min(stage.height / 2.0 - ring - 0.2 * size);
        RotationDial {
            circle: Circle {
                centre: stage.centre(),
                radius: radius.max(12.0),
            },
            stage,
            ring,
            rim,
        }
    }

    /// The tips of the hands of pos and pos+k; `None` if the pair does not rotate.
    pub fn tips(&self, model: &Model) -> Option<[Point; 2]> {
        model.rotated_pair()?;
        let hands = Hands::new(model, model.waves.as_deref()?);
        Some([hands.start, hands.end()].map(|angle| self.circle.at(angle, 1.0)))
    }

    /// The direction of a point from the centre, in radians.
    pub fn angle(&self, at: Point) -> f64 {
        angle(self.circle.centre, at)
    }

    /// Whether a point is on the dial or close to its rim.
    pub fn contains(&self, at: Point) -> bool {
        self.circle.centre.distance(at) <= self.reach()
    }

    pub fn reach(&self) -> f64 {
        self.circle.radius + 1.6 * self.ring
    }

    /// Draws the rim, which may be the key of the heatmap's colours, and the axes.
    pub fn draw_axes(&self, pen: &Pen, scene: &Scene) {
        let theme = scene.theme;
        let Circle { centre, radius } = self.circle;
        match scene.model.colours_of_angles(theme) {
            Some(map) => {
                let outside = Circle {
                    radius: radius + self.rim,
                    ..self.circle
                };
                map.rim(pen, theme, outside, (radius - self.rim) / outside.radius);
            }
            None => pen.ring(centre, radius, theme.muted, theme.hairline()),
        }
        let line = theme.hairline();
        for (end, colour) in [((radius, 0.0), theme.cosine), ((0.0, -radius), theme.sine)] {
            pen.faint_line(&[centre - end, centre + end], colour, 0.6, line);
        }
    }

    pub fn draw(&self, pen: &Pen, scene: &Scene, pair: &Pair) {
        let (theme, model) = (scene.theme, scene.model);
        let Some(waves) = model.waves.as_deref() else {
            return;
        };
        let hands = Hands::new(model, waves);
        let (here, there) = (hands.start, hands.end());
        if model.transient.guessing {
            return self.draw_guess(pen, scene, &hands);
        }
        self.draw_trail(pen, scene, waves, pair);
        self.draw_outlines(pen, scene, waves, &hands);
        self.draw_wedge(pen, theme, &hands);
        let values = waves.sin_cos(pair.index, model.drawn_pos());
        let legs = self.projections(&hands, values);
        let labels = Labels::place(self, scene, pair, &hands, &legs);
        let frequency = waves.frequency(model.state.pair());
        let has_outlines = model.outlines(frequency).next().is_some();
        labels.draw_behind(self, pen, theme, &hands, has_outlines);
        let width = 1.4 * theme.stroke();
        pen.line(&legs.upright, theme.sine, width);
        pen.line(&legs.level, theme.cosine, width);
        if let Some(guessed) = model.transient.guessed {
            let at = self.circle.at(here + guessed * pair.frequency, 1.0);
            pen.dashes(self.circle.centre, at, theme.muted, theme.stroke());
            pen.ring(at, self.ring, theme.muted, theme.hairline());
        }
        for (hand, at, colour) in [
            (Hand::Target, there, theme.there),
            (Hand::Pos, here, theme.here),
        ] {
            self.draw_hand(pen, scene, (hand, at), colour);
        }
        pen.disc(self.circle.centre, 3.0 * theme.stroke(), theme.ink);
        labels.write(pen, theme);
    }

    /// Draws the outlines of the wedge at other positions.
    fn draw_outlines(&self, pen: &Pen, scene: &Scene, waves: &Sinusoidal, hands: &Hands) {
        let (theme, model, centre) = (scene.theme, scene.model, self.circle.centre);
        let turn = hands.turn % TAU;
        for position in model.outlines(waves.frequency(model.state.pair())) {
            let (sine, cosine) = waves.sin_cos_at(model.state.pair(), position);
            let start = sine.atan2(cosine);
            let radius = WEDGE.0 * self.circle.radius;
            let mut outline = vec![centre];
            outline.extend(arc(centre, |_| radius, start, start + turn));
            outline.push(centre);
            pen.faint_line(&outline, theme.there, 0.7, theme.hairline());
        }
    }

    /// Draws the hand of pos, and the reader's guess for that of pos+k with a question mark.
    fn draw_guess(&self, pen: &Pen, scene: &Scene, hands: &Hands) {
        let theme = scene.theme;
        let (here, guess) = (hands.start, hands.end());
        self.draw_hand(pen, scene, (Hand::Pos, here), theme.here);
        self.draw_hand(pen, scene, (Hand::Target, guess), theme.there);
        pen.disc(self.circle.centre, 3.0 * theme.stroke(), theme.ink);
        let size = theme.label_size();
        let mark = TextStyle::new(1.3 * size, theme.there).bold();
        pen.text(self.circle.at(guess, 1.0), "?", mark);
        Labels::of_guess(self, scene, hands).write(pen, theme);
    }

    /// Draws dots on the rim at whole positions: rings between pos and pos+k, and before pos discs that fade out.
    fn draw_trail(&self, pen: &Pen, scene: &Scene, waves: &Sinusoidal, pair: &Pair) {
        let (theme, model) = (scene.theme, scene.model);
        let step = wrap_to_pi(pair.frequency).abs() * self.circle.radius;
        if step < CLOSEST_DOTS || model.transient.displacement.pair.is_moving() {
            return;
        }
        let (pos, k) = (model.drawn_pos(), model.state.k());
        let at = |position: i64| {
            let (sine, cosine) = waves.sin_cos(pair.index, position);
            self.circle.point(sine, cosine)
        };
        let backwards = if k < 0 { -1 } else { 1 };
        for back in (1..=TRAIL).filter(|_| self.rim == 0.0) {
            let opacity = 0.5 * (1.0 - back as f64 / (TRAIL + 1) as f64);
            let dot = at(pos - backwards * back);
            pen.faint_disc(dot, 1.5 * theme.stroke(), theme.here, opacity);
        }
        if k.abs() <= MAX_BETWEEN {
            for step in 1..k.abs() {
                let dot = at(pos + backwards * step);
                pen.disc(dot, 1.7 * theme.stroke(), theme.panel);
                pen.ring(dot, 1.7 * theme.stroke(), theme.there, theme.hairline());
            }
        }
        // While a hand is between two positions, a ring marks the selected one.
        let whole = [
            (model.transient.displacement.pos, pos, theme.here),
            (model.transient.displacement.k, pos + k, theme.there),
        ];
        for (displacement, position, colour) in whole {
            if displacement.left != 0.0 && !displacement.is_moving() {
                pen.ring(at(position), self.ring, colour, theme.hairline());
            }
        }
    }

    /// Draws the rotation kω as a wedge whose arc, beyond a full turn, spirals outwards.
    fn draw_wedge(&self, pen: &Pen, theme: &Theme, hands: &Hands) {
        let turn = hands.turn;
        if turn == 0.0 {
            return;
        }
        let whole = (turn.abs() / TAU).floor();
        let drawn = turn.signum() * (turn.abs() - (whole - MAX_TURNS).max(0.0) * TAU);
        let turns = drawn.abs() / TAU;
        let (inner, outer) = match whole {
            0.0 => (WEDGE.0, WEDGE.0),
            _ => (WEDGE.0 - 0.09 * turns.min(MAX_TURNS), WEDGE.1),
        };
        let radius = |angle: f64| {
            let done = ((angle - hands.start) / drawn).clamp(0.0, 1.0);
            self.circle.radius * (inner + (outer - inner) * done)
        };
        let (start, end) = (hands.start, hands.start + drawn);
        let mut wedge = match whole {
            0.0 => arc(self.circle.centre, radius, start, end),
            _ => arc(self.circle.centre, |_| radius(end), 0.0, TAU),
        };
        wedge.push(self.circle.centre);
        pen.polygon(&wedge, theme.there, TINT);
        dial::arc_arrow(
            pen,
            self.circle.centre,
            radius,
            (start, end),
            theme.there,
            theme.stroke(),
        );
    }

    /// Sine and cosine of pos as the legs of a right triangle, on the side of the hand opposite to the wedge.
    fn projections(&self, hands: &Hands, values: (f64, f64)) -> Projections {
        let (sine, cosine) = sin_cos(hands.start);
        let centre = self.circle.centre;
        let tip = self.circle.point(sine, cosine);
        // The triangle lies between the hand and the next axis on that side: that of the cosine in every other quadrant.
        let quarter = (wrap_to_2pi(hands.start) / FRAC_PI_2).floor() as i64;
        let quarter = if hands.turn < 0.0 {
            quarter + 1
        } else {
            quarter
        };
        let across_first = quarter.rem_euclid(2) == 0;
        let (upright, level) = match across_first {
            true => {
                let corner = Point::new(tip.x, centre.y);
                ([corner, tip], [centre, corner])
            }
            false => {
                let corner = Point::new(centre.x, tip.y);
                ([centre, corner], [corner, tip])
            }
        };
        Projections {
            sine: values.0,
            cosine: values.1,
            upright,
            level,
            right: (cosine >= 0.0) == across_first,
            down: (sine >= 0.0) == across_first,
        }
    }

    /// Draws a hand with the ring by which it is dragged.
    fn draw_hand(&self, pen: &Pen, scene: &Scene, (hand, angle): (Hand, f64), colour: RGBColor) {
        let (theme, transient) = (scene.theme, &scene.model.transient);
        let tip = self.circle.at(angle, 1.0);
        let hovered = transient.hand == Some(hand);
        let invited = transient.invited.filter(|(invited, _)| *invited == hand);
        let grown = if hovered { 1.2 } else { 1.0 };
        let ring = grown * self.ring;
        let width = 2.3 * theme.stroke();
        if hovered || invited.is_some() {
            let pulse = invited.map_or(0.0, |(_, pulse)| pulse);
            let halo = (1.75 + 0.9 * pulse) * self.ring;
            pen.faint_disc(tip, halo, colour, 0.12);
        }
        let foot = self.circle.at(angle, 1.0 - ring / self.circle.radius);
        pen.line(&[self.circle.centre, foot], colour, width);
        // Where the rim is the key of the colours of angles, the hole of the ring has that of the hand.
        let hole = match self.rim > 0.0 {
            true => PhaseMap::new(theme).ink(angle),
            false => theme.panel,
        };
        pen.disc(tip, ring - 0.5 * width, hole);
        pen.ring(tip, ring - 0.5 * width, colour, width);
        // Small arrows along the rim show that the hand can be dragged.
        if hovered || invited.is_some() {
            let radius = |_| self.circle.radius;
            for side in [-1.0, 1.0] {
                let from = angle + side * 2.0 * self.ring / self.circle.radius;
                let to = angle + side * 3.4 * self.ring / self.circle.radius;
                dial::arc_arrow(
                    pen,
                    self.circle.centre,
                    radius,
                    (from, to),
                    colour,
                    theme.stroke(),
                );
            }
        }
    }
}

impl Hands {
    fn new(model: &Model, waves: &Sinusoidal) -> Hands {
        let (start, turn) = model.dial_angles(waves);
        Hands { start, turn }
    }

    /// The angle of pos+k, computed from the rotation because a difference of two large angles would be rounded twice.
    fn end(&self) -> f64 {
        self.start + wrap_to_2pi(self.turn)
    }

    /// Whether the wedge covers a corner or the centre of a rectangle.
    fn cover(&self, circle: Circle, rect: Rect) -> bool {
        let centre = circle.centre;
        let corners =
            [rect.x, rect.right()].map(|x| [rect.y, rect.bottom()].map(|y| Point::new(x, y)));
        let mut points = corners.into_iter().flatten().chain([rect.centre()]);
        points.any(|at| {
            let turned = (angle(centre, at) - self.start) * self.turn.signum();
            centre.distance(at) < WEDGE.0 * circle.radius
                && turned.rem_euclid(TAU) < self.turn.abs()
        })
    }
}
