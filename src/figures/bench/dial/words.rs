//! The labels on the dial: the rotation, the names of the hands, and those of the axes where they overlap nothing.

use super::{Dial, Hands, TINT, WEDGE};
use crate::draw::pen::arc;
use crate::draw::{Circle, Pen, Rect, TextStyle, Theme};
use crate::field::ThemeName;
use crate::figures::bench::model::{Hand, Pair};
use crate::figures::bench::view::Scene;
use crate::text::{labels, number};
use plotters::style::RGBColor;
use posenc_encoding::{PositionSignal, sin_cos, wrap_to_pi};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Minimum angle of a wedge that has room for its label, in radians.
const MIN_LABELLED_ANGLE: f64 = 1.15;

/// The rotation in degrees and, where that can be read, as k times the angle per position on a second line.
pub(super) struct RotationLabel {
    lines: Vec<(String, (f64, f64), TextStyle)>,
    /// The rectangle of each line.
    bounds: Vec<Rect>,
    on_wedge: bool,
}

impl RotationLabel {
    /// Erases the axes behind the label.
    pub(super) fn clear_axes(&self, pen: &Pen, theme: &Theme, centre: (f64, f64)) {
        for &rect in &self.bounds {
            let is_crossed = (rect.y..rect.bottom()).contains(&centre.1)
                || (rect.x..rect.right()).contains(&centre.0);
            if is_crossed {
                pen.fill(rect, theme.panel, 1.0);
                if self.on_wedge {
                    pen.fill(rect, theme.there, TINT);
                }
            }
        }
    }

    pub(super) fn write(&self, pen: &Pen) {
        for (text, at, style) in &self.lines {
            pen.text(*at, text, *style);
        }
    }

    /// The rectangle that the text covers.
    pub(super) fn covered(&self) -> Rect {
        let mut bounds = self.bounds.iter().copied();
        let first = bounds.next().unwrap_or(Rect::new(0.0, 0.0, 0.0, 0.0));
        bounds.fold(first, Rect::union)
    }
}

impl Dial {
    /// Returns the label of the rotation, in the wedge or, if that is narrow, opposite to it.
    pub(super) fn rotation_label(
        &self,
        pen: &Pen,
        scene: &Scene,
        pair: &Pair,
        hands: &Hands,
    ) -> RotationLabel {
        let (theme, model) = (scene.theme, scene.model);
        let size = theme.label_size();
        let rest = hands.turn % TAU;
        let middle = hands.start + rest / 2.0;
        let radius = self.circle.radius;
        // Distance of the text from the centre, and half its maximum width: in the wedge, those of the largest circle
        // inside it; otherwise, those of the free part of the dial.
        let is_narrow = rest.abs() < MIN_LABELLED_ANGLE;
        let is_full_turn = hands.turn.abs() >= TAU;
        let free = if is_narrow { middle + PI } else { middle };
        let (distance, room) = match (is_full_turn, is_narrow) {
            // The wedge fills the dial, and the text is longer.
            (true, _) => (0.48 * radius, 0.46 * radius),
            (false, true) => (0.48 * radius, 0.36 * radius),
            (false, false) => {
                let reach = WEDGE.0 * radius;
                let half = (rest.abs() / 2.0).min(FRAC_PI_2).sin();
                let distance = reach / (1.0 + half);
                (distance, reach - distance)
            }
        };
        let (x, y) = self.circle.at(free, distance / radius);
        let degrees = labels::turn(model.lang, pair.rotation_angle);
        let each = number::short(pair.frequency.to_degrees(), 4);
        let product = format!("{} × {each}°", number::whole(model.state.k()));
        // On a projector, black is legible from further away than any colour.
        let colour = match theme.name {
            ThemeName::Projector => theme.ink,
            _ => theme.there,
        };
        let large = (2.2 * size).min(0.22 * radius).max(1.75 * size);
        let small = (1.25 * size).min(0.125 * radius).max(size);
        // The large text is above the centre of the circle; its upper corners nearly touch the circle.
        let corner = 0.6 * large;
        let width = 2.0 * (room * room - corner * corner).max(0.0).sqrt() - theme.stroke();
        // For an audience it may touch the hands: black on colour is legible there.
        let width = match theme.name {
            ThemeName::Projector => 1.12 * width.max(room),
            _ => width.max(room),
        };
        let line = TextStyle::new(large, colour)
            .bold()
            .fitting(&degrees, width);
        let below = TextStyle::new(small, colour).fitting(&product, 1.6 * room);
        let mut lines = vec![(degrees, (x, y - 0.35 * large), line)];
        if below.size() >= theme.reduced(0.85) {
            lines.push((product, (x, y + 0.65 * large), below));
        }
        let bounds = lines.iter();
        RotationLabel {
            bounds: bounds
                .map(|(text, at, style)| pen.text_bounds(*at, text, *style))
                .collect(),
            lines,
            on_wedge: is_full_turn || !is_narrow,
        }
    }

    /// Returns the labels of the hands: one for both if k = 0, and only that of pos if the hands nearly coincide.
    pub(super) fn names(&self, scene: &Scene, hands: &Hands) -> Vec<HandLabel> {
        let (theme, model) = (scene.theme, scene.model);
        let pos = number::whole(model.drawn_pos());
        let target = number::whole(model.drawn_target());
        let here = if model.state.k() == 0 {
            "pos = pos+k"
        } else {
            "pos"
        };
        let mut names = vec![self.name(theme, Hand::Pos, hands.start, here, pos)];
        let apart = wrap_to_pi(hands.turn).abs() * self.circle.radius;
        if model.state.k() != 0 && apart > 0.5 * self.ring {
            names.push(self.name(theme, Hand::Target, hands.end(), "pos+k", target));
        }
        if let [a, b] = &mut names[..] {
            a.make_room(b, self.stage);
        }
        names
    }

    pub(super) fn name(
        &self,
        theme: &Theme,
        hand: Hand,
        angle: f64,
        name: &'static str,
        number: String,
    ) -> HandLabel {
        let colour = match hand {
            Hand::Pos => theme.here,
            Hand::Target => theme.there,
        };
        let (x, y) = self.circle.at(angle, 1.0);
        let right = sin_cos(angle).1 >= 0.0;
        let size = theme.label_size();
        let free = if right {
            self.stage.right() - x
        } else {
            x - self.stage.x
        };
        let clear = self.clear_of_rim((x, y), 1.5 * size).min(free - 4.0 * size);
        let gap = (1.2 * self.ring + 0.35 * size).max(clear);
        let at = if right { x + gap } else { x - gap };
        let room = free - gap;
        if theme.name != ThemeName::Projector {
            let name = HandLabel::new(theme, (at, y), right, room, name, number, colour);
            return name.within(self.stage);
        }
        // On a projector, the label keeps its size; if there is too little room beside the ring, it moves above or below
        // it.
        let wide = 2.0 * self.circle.radius;
        let shown = HandLabel::new(theme, (at, y), right, wide, name, number, colour);
        let missing = (shown.covered.width - room).max(0.0);
        let aside = (3.0 * missing / size).min(1.0) * (self.ring + 1.7 * size);
        shown
            .moved_right(if right { -missing } else { missing })
            .moved_down(match hand {
                Hand::Pos => aside,
                Hand::Target => -aside,
            })
            .within(self.stage)
    }

    /// How far beside a point of a wide rim a text must stand that reaches up and down from it.
    fn clear_of_rim(&self, (x, y): (f64, f64), reach: f64) -> f64 {
        if self.rim == 0.0 {
            return 0.0;
        }
        let (centre_x, centre_y) = self.circle.centre;
        let outside = self.circle.radius + 1.5 * self.rim;
        let nearest = ((y - centre_y).abs() - reach).max(0.0);
        let across = (outside * outside - nearest * nearest).max(0.0).sqrt();
        across - (x - centre_x).abs()
    }

    /// Draws the name of each axis in the first free place, if possible one that the arc of the wedge does not cross. A
    /// name without a free place is omitted.
    pub(super) fn draw_axis_names(&self, pen: &Pen, scene: &Scene, hands: &Hands, taken: &[Rect]) {
        let (theme, lang) = (scene.theme, scene.model.lang);
        let size = 1.17 * theme.label_size();
        let Circle {
            centre: (x, y),
            radius,
        } = self.circle;
        let axes = match scene.model.signal {
            PositionSignal::Rotation(_) => [labels::SECOND_AXIS, labels::FIRST_AXIS],
            _ => [labels::SINE, labels::COSINE],
        };
        let [up, across] = axes.map(|axis| axis.get(lang));
        let (starting, ending) = (
            |colour| TextStyle::new(size, colour).align_left(),
            |colour| TextStyle::new(size, colour).align_right(),
        );
        let (inner, near) = (radius - self.rim - 0.5 * size, 0.6 * size);
        let uprights = [
            ((x + near, y - inner + 0.6 * size), starting(theme.sine)),
            ((x - near, y - inner + 0.6 * size), ending(theme.sine)),
            ((x + near, y + inner - 0.6 * size), starting(theme.sine)),
            ((x - near, y + inner - 0.6 * size), ending(theme.sine)),
        ];
        let levels = [
            ((x + inner, y - 0.75 * size), ending(theme.cosine)),
            ((x + inner, y + 0.75 * size), ending(theme.cosine)),
            ((x - inner, y - 0.75 * size), starting(theme.cosine)),
            ((x - inner, y + 0.75 * size), starting(theme.cosine)),
        ];
        let rest = hands.turn % TAU;
        let reach = WEDGE.0 * radius;
        let on_arc = arc((x, y), |_| reach, hands.start, hands.start + rest);
        for (places, name) in [(uprights, up), (levels, across)] {
            let bounds = |&(at, style): &((f64, f64), TextStyle)| pen.text_bounds(at, name, style);
            let is_free = |place: &&_| {
                let bounds = bounds(place);
                !taken.iter().any(|other| other.overlaps(&bounds))
            };
            let is_crossed = |place: &&_| {
                let bounds = bounds(place);
                on_arc.iter().any(|&(x, y)| bounds.contains(x, y))
            };
            // Prefers a place that the arc does not cross.
            if let Some(&(at, style)) = places.iter().filter(is_free).min_by_key(is_crossed) {
                pen.text(at, name, style);
            }
        }
    }
}

/// The name of a hand and its position, in two lines beside its ring.
pub(super) struct HandLabel {
    lines: [(String, TextStyle, (f64, f64)); 2],
    pub covered: Rect,
}

impl HandLabel {
    fn new(
        theme: &Theme,
        (x, y): (f64, f64),
        right: bool,
        room: f64,
        name: &str,
        number: String,
        colour: RGBColor,
    ) -> HandLabel {
        let size = theme.label_size();
        let room = room.max(2.0 * size);
        let side = |style: TextStyle| {
            if right {
                style.align_left()
            } else {
                style.align_right()
            }
        };
        let first = side(TextStyle::new(1.17 * size, colour))
            .bold()
            .fitting(name, room);
        let second = side(TextStyle::new(1.8 * size, colour))
            .bold()
            .fitting(&number, room);
        let width = first.width(name).max(second.width(&number));
        let left = if right { x } else { x - width };
        HandLabel {
            lines: [
                (name.to_string(), first, (x, y - 0.85 * size)),
                (number, second, (x, y + 0.6 * size)),
            ],
            covered: Rect::new(left, y - 1.5 * size, width, 3.0 * size),
        }
    }

    fn moved_down(mut self, by: f64) -> HandLabel {
        for (.., at) in &mut self.lines {
            at.1 += by;
        }
        self.covered = self.covered.with_y(self.covered.y + by);
        self
    }

    fn moved_right(mut self, by: f64) -> HandLabel {
        for (.., at) in &mut self.lines {
            at.0 += by;
        }
        self.covered = self.covered.with_x(self.covered.x + by);
        self
    }

    fn within(self, stage: Rect) -> HandLabel {
        let over = (stage.y - self.covered.y).max(0.0);
        let under = (self.covered.bottom() - stage.bottom()).max(0.0);
        self.moved_down(over - under)
    }

    /// Moves two overlapping labels apart, up and down, within the stage.
    pub fn make_room(&mut self, other: &mut HandLabel, stage: Rect) {
        if !self.covered.overlaps(&other.covered) {
            return;
        }
        let (upper, lower) = match self.covered.y <= other.covered.y {
            true => (self, other),
            false => (other, self),
        };
        let missing = upper.covered.bottom() - lower.covered.y;
        let up = (missing / 2.0).min(upper.covered.y - stage.y).max(0.0);
        let down = missing - up;
        let low = (stage.bottom() - lower.covered.bottom()).max(0.0);
        let (up, down) = (up + (down - low).max(0.0), down.min(low));
        for (name, by) in [(upper, -up), (lower, down)] {
            for (.., at) in &mut name.lines {
                at.1 += by;
            }
            name.covered = name.covered.with_y(name.covered.y + by);
        }
    }

    pub fn write(&self, pen: &Pen, theme: &Theme) {
        // The rim passes behind the text.
        pen.fill(
            self.covered.inset(0.1 * theme.label_size()),
            theme.panel,
            0.7,
        );
        for (text, words, at) in &self.lines {
            pen.text(*at, text, *words);
        }
    }
}
