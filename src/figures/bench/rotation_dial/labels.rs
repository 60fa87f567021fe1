//! The labels on the dial, each in a place where it covers nothing: in the order of their choice the positions of the
//! hands, the rotation in the wedge, the values of the legs, the names of the axes, and the rotation if there is no room in the
//! wedge. One without a place is omitted, but not those of the hands.

use super::hand_labels::HandLabel;
use super::line::Line;
use super::rotation_label::RotationLabel;
use super::{Hands, Projections, RotationDial};
use crate::draw::{Circle, Pen, Rect, Space, TextStyle, Theme};
use crate::field::ThemeName;
use crate::figures::bench::model::{Hand, Pair};
use crate::figures::bench::view::{AXES, LEGS, Scene};
use crate::text::{labels, number};
use posenc_encoding::PositionSignal;
use std::f64::consts::TAU;

/// A place that is never free.
const NOWHERE: Rect = Rect {
    x: -1e6,
    y: -1e6,
    width: 0.0,
    height: 0.0,
};

/// The labels in their places.
pub(super) struct Labels {
    hands: Vec<HandLabel>,
    lines: Vec<Line>,
    rotation: Option<RotationLabel>,
}

impl Labels {
    /// The labels of the hands alone; none of them hides that the angle is to be guessed.
    pub(super) fn of_guess(dial: &RotationDial, scene: &Scene, hands: &Hands) -> Labels {
        let model = scene.model;
        let target = format!("{}?", number::whole(model.target()));
        let pos = number::whole(model.drawn_pos());
        let named = vec![(Hand::Pos, "pos", pos), (Hand::Target, "pos+k", target)];
        Labels {
            hands: dial.hand_labels(scene, hands, named, &mut dial.space(scene.theme, hands)),
            lines: Vec::new(),
            rotation: None,
        }
    }

    pub(super) fn place(
        dial: &RotationDial,
        scene: &Scene,
        pair: &Pair,
        hands: &Hands,
        legs: &Projections,
    ) -> Labels {
        let (theme, mut space) = (scene.theme, dial.space(scene.theme, hands));
        for line in [legs.upright, legs.level] {
            space.take_line(line, 1.4 * theme.stroke());
        }
        let named = dial.named_hands(scene, hands);
        let hand_labels = dial.hand_labels(scene, hands, named, &mut space);
        let inside = match hands.turn.abs() < TAU {
            true => dial.rotation_inside(scene, pair, hands, &space),
            false => dial.rotation_in_spiral(scene, pair, hands, &space),
        };
        if let Some(rotation) = &inside {
            space.take(rotation.covered);
        }
        // The values are those of whole positions: while the hands move by themselves, nobody would see them at their legs.
        let mut lines = match scene.model.moves_by_itself() {
            true => Vec::new(),
            false => dial.leg_labels(scene, legs, &mut space),
        };
        lines.extend(dial.axis_names(scene, hands, &mut space));
        let rotation = inside.or_else(|| dial.rotation_outside(scene, pair, hands, &space));
        Labels {
            hands: hand_labels,
            lines,
            rotation,
        }
    }

    /// Draws what is behind the hands. Where there are outlines of other wedges, they are erased behind the labels.
    pub(super) fn draw_behind(
        &self,
        dial: &RotationDial,
        pen: &Pen,
        theme: &Theme,
        hands: &Hands,
        has_outlines: bool,
    ) {
        for line in self.lines.iter().filter(|_| has_outlines) {
            let place = line.place();
            if !hands.cover(dial.circle, place) {
                pen.fill(place, theme.panel, 1.0);
            }
        }
        if let Some(rotation) = &self.rotation {
            rotation.draw_behind(dial, pen, theme, has_outlines);
        }
    }

    pub(super) fn write(&self, pen: &Pen, theme: &Theme) {
        self.lines.iter().for_each(|line| line.write(pen));
        if let Some(rotation) = &self.rotation {
            rotation.lines.iter().for_each(|line| line.write(pen));
        }
        for label in &self.hands {
            label.write(pen, theme);
        }
    }
}

impl RotationDial {
    /// The room of the labels, with the hands and their rings.
    fn space(&self, theme: &Theme, hands: &Hands) -> Space {
        let mut space = Space::new(self.stage);
        let centre = self.circle.centre;
        for angle in [hands.start, hands.end()] {
            let tip = self.circle.at(angle, 1.0);
            space.take_disc(tip, self.ring);
            space.take_line([centre, tip], 2.3 * theme.stroke());
        }
        let rim = |radius: f64| Circle { centre, radius };
        match self.rim > 0.0 {
            true => [-1.0, 1.0]
                .into_iter()
                .for_each(|side| space.avoid_rim(rim(self.circle.radius + side * self.rim))),
            false => space.avoid_rim(self.circle),
        }
        space
    }

    /// Places the values of the legs beside them, if possible outside the triangle.
    fn leg_labels(&self, scene: &Scene, legs: &Projections, space: &mut Space) -> Vec<Line> {
        let theme = scene.theme;
        let size = 1.17 * theme.label_size();
        let mut lines = Vec::new();
        for (value, leg, outwards, colour, kept) in [
            (
                legs.sine,
                legs.upright,
                legs.right,
                theme.sine,
                &scene.placed[LEGS[0]],
            ),
            (
                legs.cosine,
                legs.level,
                legs.down,
                theme.cosine,
                &scene.placed[LEGS[1]],
            ),
        ] {
            let text = number::fixed(value, 3);
            let style = TextStyle::new(size, colour).bold();
            let (width, height) = (style.width(&text), 1.1 * size);
            let [a, b] = leg;
            let upright = a.x == b.x;
            let side = if outwards { 1.0 } else { -1.0 };
            let at = |side: f64, share: f64| {
                let beside = match upright {
                    true => (side * (0.5 * size + width / 2.0), 0.0),
                    false => (0.0, side * (0.3 * size + height / 2.0)),
                };
                Rect::centred(a.lerp(b, share) + beside, width, height)
            };
            let places = [
                at(side, 0.5),
                at(side, 0.3),
                at(side, 0.7),
                at(-side, 0.5),
                at(-side, 0.3),
                at(-side, 0.7),
            ];
            if a.distance(b) > 0.5 * size
                && let Some(found) = space.find_again(&places, kept)
            {
                space.take(places[found]);
                lines.push(Line::centred(text, places[found], style));
            }
        }
        lines
    }

    /// Places the name of each axis outside the rim at one of its ends or, if there is no room, inside, if possible not on
    /// the wedge.
    fn axis_names(&self, scene: &Scene, hands: &Hands, space: &mut Space) -> Vec<Line> {
        let (theme, lang) = (scene.theme, scene.model.lang);
        let size = match theme.name {
            ThemeName::Projector => 1.17 * theme.label_size(),
            _ => theme.label_size(),
        };
        let Circle { centre, radius } = self.circle;
        let axes = match scene.model.signal {
            PositionSignal::Rotation(_) => [labels::SECOND_AXIS, labels::FIRST_AXIS],
            _ => [labels::SINE, labels::COSINE],
        };
        let (outer, inner) = (radius + self.rim, radius - self.rim);
        let mut lines = Vec::new();
        for (upright, name, colour, kept) in [
            (true, axes[0].get(lang), theme.sine, &scene.placed[AXES[0]]),
            (
                false,
                axes[1].get(lang),
                theme.cosine,
                &scene.placed[AXES[1]],
            ),
        ] {
            let style = TextStyle::new(size, colour);
            let (width, height) = (style.width(name), size);
            let at = |across: f64, down: f64| Rect::centred(centre + (across, down), width, height);
            let (near, level) = (0.5 * size + width / 2.0, 0.75 * size);
            let above = outer + 0.1 * size + height / 2.0;
            let beside = outer + 0.1 * size + width / 2.0;
            let (top, end) = (inner - 0.9 * size, inner - 0.4 * size - width / 2.0);
            let places = match upright {
                true => [
                    at(0.0, -above),
                    at(0.0, above),
                    at(near, -top),
                    at(-near, -top),
                    at(near, top),
                    at(-near, top),
                ],
                false => [
                    at(beside, 0.0),
                    at(-beside, 0.0),
                    at(end, -level),
                    at(end, level),
                    at(-end, -level),
                    at(-end, level),
                ],
            };
            let off_wedge = places.map(|place| match hands.cover(self.circle, place) {
                true => NOWHERE,
                false => place,
            });
            let before = kept.get();
            let found = space.find_again(&off_wedge, kept).or_else(|| {
                kept.set(before);
                space.find_again(&places, kept)
            });
            if let Some(found) = found {
                space.take(places[found]);
                lines.push(Line::centred(name, places[found], style));
            }
        }
        lines
    }
}
