//! The helix with its shadows, and the screw motion from pos to pos + k.

use super::{AXIS, Helix, Projection, WALL};
use crate::draw::{DrawContext, Pen, Point, TextStyle, Theme};
use crate::math::Clamp;
use crate::text::number::whole;
use crate::text::{Text, labels};
use plotters::style::RGBColor;
use posenc_encoding::sin_cos;
use std::f64::consts::TAU;

/// Number of depth levels in which the curve is drawn.
const DEPTHS: usize = 4;
/// Points of the curve per turn.
const FINE: f64 = 40.0;
/// Up to this number of positions, each has a dot.
const DOTTED: i64 = 80;
/// Maximum rotation, in turns, for which the surface swept by the screw motion is filled.
const TRACED: f64 = 2.0;

const END: Text = Text::new("from the end: dial", "从一端看：表盘");
const SIDE: Text = Text::new("from the side: sine", "从侧面看：正弦");
const ABOVE: Text = Text::new("from above: cosine", "从上方看：余弦");

/// A label: point, text and style.
type Name = (Point, &'static str, TextStyle);

impl Helix {
    /// The point of the curve at a position.
    fn on_curve(&self, position: f64) -> [f64; 3] {
        let (sine, cosine) = sin_cos(self.angle(position));
        [cosine, sine, position]
    }

    /// Positions from one to another, close enough for a smooth curve.
    fn samples(&self, from: f64, to: f64) -> Vec<f64> {
        let turns = self.angle(to - from).abs() / TAU;
        let count = (turns * FINE).ceil().clamped(2.0, 4000.0) as usize;
        let at = |i: usize| from + (to - from) * i as f64 / count as f64;
        (0..=count).map(at).collect()
    }

    pub(super) fn draw_all(&self, pen: &Pen, context: &DrawContext, place: &Projection) {
        let theme = context.theme;
        let mut names = self.draw_axes(pen, theme, place);
        names.extend(self.draw_shadows(pen, theme, place));
        self.draw_curve(pen, theme, place);
        for (at, text, words) in names {
            pen.fill(pen.text_bounds(at, text, words), theme.panel, 0.7);
            pen.text(at, text, words);
        }
        self.draw_screw(pen, theme, place);
    }

    /// Draws the axes. Returns their names, which are drawn over the curve.
    fn draw_axes(&self, pen: &Pen, theme: &Theme, place: &Projection) -> Vec<Name> {
        let size = theme.label_size();
        let (first, last) = self.ends();
        let (first, last) = (first as f64, last as f64);
        let start = |[cosine, sine]: [f64; 2]| place.point([cosine, sine, first]).0;
        let circle: Vec<_> = (0..=64)
            .map(|i| {
                let (sine, cosine) = sin_cos(TAU * f64::from(i) / 64.0);
                start([cosine, sine])
            })
            .collect();
        pen.polygon(&circle, theme.ink, 0.05);
        pen.line(&circle, theme.muted, theme.stroke());
        let end = place
            .point([0.0, 0.0, last + AXIS * place.radius / place.step])
            .0;
        let reach = 1.3;
        let axis = start([0.0, 0.0]);
        let way = end - axis;
        let axes = [
            (start([0.0, 0.0]), end, theme.muted, labels::POSITION_AXIS),
            (
                start([-reach, 0.0]),
                start([reach, 0.0]),
                theme.cosine,
                labels::COSINE,
            ),
            (
                start([0.0, -reach]),
                start([0.0, reach]),
                theme.sine,
                labels::SINE,
            ),
        ];
        let mut names = Vec::new();
        // The circle is a dial unless it is seen from its edge.
        let [_, _, near] = place.camera.axes();
        if near[2].abs() > 0.3 {
            // Above the circle, on the side that is away from the curve, or below it, if the curve is seen from its end.
            let edge = |of: &dyn Fn(&Point) -> f64| circle.iter().map(of).fold(f64::MIN, f64::max);
            let (above, below) = (
                -edge(&|at| -at.y) - 0.7 * size,
                edge(&|at| at.y) + 1.4 * size,
            );
            let style = TextStyle::new(size, theme.ink).bold();
            let (at, style) = match way.x {
                away if away > size => ((axis.x - 0.6 * size, above), style.align_right()),
                away if away < -size => ((axis.x + 0.6 * size, above), style.align_left()),
                _ => ((edge(&|at| at.x) + 0.3 * size, below), style.align_left()),
            };
            names.push((at.into(), END.get(self.lang), style));
        }
        // Only from the end its axes need names: elsewhere the shadows have them.
        let is_dial = near[2].abs() > 0.9;
        for (from, to, colour, name) in axes {
            let line = to - from;
            let length = line.hypot();
            // An axis that points to the viewer is too short to be drawn.
            if length < 2.0 * size {
                continue;
            }
            pen.arrow(from, to, colour, theme.hairline());
            if name != labels::POSITION_AXIS && !is_dial {
                continue;
            }
            // If an axis points into the curve, its name is at the other end.
            let inwards = line.dot(way) > 0.3 * length * way.hypot();
            let (sign, end) = match inwards && name != labels::POSITION_AXIS {
                true => (-1.0, from),
                false => (1.0, to),
            };
            let (right, down) = (sign * line.x / length, sign * line.y / length);
            let style = TextStyle::new(size, colour);
            let (at, style) = match right {
                right if right > 0.985 && name == labels::POSITION_AXIS => {
                    (end - (0.0, 0.85 * size), style.align_right())
                }
                right => {
                    let at = end + (0.7 * size * right, 0.9 * size * down);
                    match right {
                        right if right > 0.5 => (at, style.align_left()),
                        right if right < -0.5 => (at, style.align_right()),
                        _ => (at, style),
                    }
                }
            };
            names.push((at, name.get(self.lang), style));
        }
        names
    }

    /// The length of the axis from the first to the last position on the screen.
    fn seen_length(&self, place: &Projection) -> f64 {
        let (first, last) = self.ends();
        let [right, up, _] = place.camera.axes();
        place.step * (last - first) as f64 * right[2].hypot(up[2])
    }

    /// Draws the sine on the wall behind the curve, the cosine on the floor below it (on the ceiling if seen from
    /// below). Returns their names, which are drawn over the curve.
    fn draw_shadows(&self, pen: &Pen, theme: &Theme, place: &Projection) -> [Name; 2] {
        let size = theme.label_size();
        let [_, _, near] = place.camera.axes();
        let far = |towards: f64| if towards < 0.0 { WALL } else { -WALL };
        let (wall, floor) = (far(near[0]), far(near[1]));
        let (first, last) = self.ends();
        let ends = [first as f64, last as f64];
        let corners = [(-1.0, 0), (1.0, 0), (1.0, 1), (-1.0, 1)];
        let plane = |of: &dyn Fn(f64) -> [f64; 2], colour: RGBColor| {
            let corners = corners.map(|(side, end)| {
                let [cosine, sine] = of(side);
                place.point([cosine, sine, ends[end]]).0
            });
            pen.polygon(&corners, colour, 0.07);
        };
        plane(&|sine| [wall, sine], theme.sine);
        plane(&|cosine| [cosine, floor], theme.cosine);
        let samples = self.samples(first as f64, last as f64);
        let curve = |of: &dyn Fn([f64; 3]) -> [f64; 3]| {
            let points = samples.iter().map(|&p| place.point(of(self.on_curve(p))).0);
            points.collect::<Vec<_>>()
        };
        let sine = curve(&|[_, sine, position]| [wall, sine, position]);
        let cosine = curve(&|[cosine, _, position]| [cosine, floor, position]);
        pen.faint_line(&sine, theme.sine, 0.7, 0.8 * theme.stroke());
        pen.faint_line(&cosine, theme.cosine, 0.7, 0.8 * theme.stroke());
        // The point of pos + k falls on both.
        let there =
            (self.pos + self.k) as f64 + self.displacement.pos.left + self.displacement.k.left;
        let [cosine_there, sine_there, _] = self.on_curve(there);
        let from = place.point(self.on_curve(there)).0;
        for (at, colour) in [
            ([wall, sine_there, there], theme.sine),
            ([cosine_there, floor, there], theme.cosine),
        ] {
            let foot = place.point(at).0;
            pen.dashes(from, foot, theme.there, theme.hairline());
            pen.disc(foot, 0.3 * size, colour);
        }
        // A shadow is named at its end, or, without room there, at its edge that is away from the curve.
        let named = |points: &[Point], down: f64, text: Text, colour: RGBColor| {
            let style = TextStyle::new(size, colour).bold();
            let text = text.get(self.lang);
            let (start, end) = (points[0], points[points.len() - 1]);
            let room = place.width - end.x - 0.8 * size;
            if end.x - start.x > 8.0 * size && room > style.width(text) {
                return (end + (0.6 * size, 0.0), text, style.align_left());
            }
            let edge = points
                .iter()
                .fold(f64::MIN, |edge, at| edge.max(down * at.y));
            let at_edge: Vec<_> = points
                .iter()
                .filter(|at| down * at.y > edge - 1.0)
                .collect();
            let at = *at_edge[at_edge.len() / 2];
            (at + (0.0, 0.95 * size * down), text, style)
        };
        [
            named(&sine, -1.0, SIDE, theme.sine),
            named(&cosine, -floor.signum(), ABOVE, theme.cosine),
        ]
    }

    /// Draws the curve in runs of the same depth, the far ones first; near ones are wider and more opaque.
    fn draw_curve(&self, pen: &Pen, theme: &Theme, place: &Projection) {
        let (first, last) = self.ends();
        let points: Vec<_> = self
            .samples(first as f64, last as f64)
            .into_iter()
            .map(|position| place.point(self.on_curve(position)))
            .collect();
        let [_, _, near] = place.camera.axes();
        let deepest = place.radius * near[0].hypot(near[1])
            + 0.5 * place.step * (last - first) as f64 * near[2].abs();
        let depth = |near: f64| {
            let share = (0.5 * near / deepest.max(1e-6) + 0.5).clamped(0.0, 1.0);
            ((share * DEPTHS as f64) as usize).min(DEPTHS - 1)
        };
        let looks = |depth: usize| {
            let share = depth as f64 / (DEPTHS - 1) as f64;
            (0.6 + 0.4 * share, (1.6 + 0.9 * share) * theme.stroke())
        };
        for level in 0..DEPTHS {
            let (opacity, width) = looks(level);
            let mut run: Vec<Point> = Vec::new();
            for pair in points.windows(2) {
                if depth(0.5 * (pair[0].1 + pair[1].1)) == level {
                    if run.is_empty() {
                        run.push(pair[0].0);
                    }
                    run.push(pair[1].0);
                } else if !run.is_empty() {
                    pen.faint_line(&std::mem::take(&mut run), theme.ink, opacity, width);
                }
            }
            if !run.is_empty() {
                pen.faint_line(&run, theme.ink, opacity, width);
            }
        }
        // From the end, the dots of all turns would cover the circle.
        if last - first >= DOTTED || self.seen_length(place) < 8.0 * theme.label_size() {
            return;
        }
        for position in first..=last {
            let (at, near) = place.point(self.on_curve(position as f64));
            let (opacity, _) = looks(depth(near));
            let radius = (0.1 + 0.08 * opacity) * theme.label_size();
            pen.disc(at, radius, theme.muted);
        }
    }

    /// Draws the screw motion from pos to pos + k: along the axis and around it.
    fn draw_screw(&self, pen: &Pen, theme: &Theme, place: &Projection) {
        let size = theme.label_size();
        let from = self.pos as f64 + self.displacement.pos.left;
        let to = from + self.k as f64 + self.displacement.k.left;
        let on_axis = |position: f64| place.point([0.0, 0.0, position]).0;
        let on_curve = |position: f64| place.point(self.on_curve(position)).0;
        let trace: Vec<_> = self.samples(from, to).into_iter().map(on_curve).collect();
        if from != to {
            if self.angle(to - from).abs() <= TRACED * TAU {
                let mut fan = trace.clone();
                fan.extend([on_axis(to), on_axis(from)]);
                pen.polygon(&fan, theme.there, 0.16);
            }
            pen.line(&trace, theme.there, 1.5 * theme.stroke());
            pen.line(&[on_axis(from), on_axis(to)], theme.there, theme.stroke());
        }
        for (position, colour) in [(to, theme.there), (from, theme.here)] {
            pen.line(
                &[on_axis(position), on_curve(position)],
                colour,
                theme.stroke(),
            );
            pen.disc(on_curve(position), 0.5 * size, theme.panel);
            pen.disc(on_curve(position), 0.42 * size, colour);
        }
        // Both are named in the lower left corner, where no curve is.
        let names = [("pos", from, theme.here), ("pos+k", to, theme.there)];
        for (line, (name, position, colour)) in names.into_iter().enumerate() {
            let y = place.bottom - (2.0 - 1.3 * line as f64) * size;
            let text = format!("{name} {}", whole(position.round() as i64));
            let style = TextStyle::new(size, colour).bold().align_left();
            pen.disc((0.7 * size, y), 0.35 * size, colour);
            pen.text((1.4 * size, y), &text, style);
        }
    }
}
