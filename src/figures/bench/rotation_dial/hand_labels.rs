//! The labels of the hands: name and position beside the ring.

use super::{Hands, RotationDial};
use crate::draw::{Pen, Point, Rect, Space, TextStyle, Theme};
use crate::figures::bench::model::Hand;
use crate::figures::bench::view::Scene;
use crate::text::number;
use posenc_encoding::{sin_cos, wrap_to_pi};

/// How far from beside its ring a label may be, up and down, in label sizes.
const STEPS: [f64; 15] = [
    0.0, -0.8, 0.8, -1.6, 1.6, -2.4, 2.4, -3.2, 3.2, -4.4, 4.4, -5.6, 5.6, -6.8, 6.8,
];
/// Cosine of a hand at which its label goes to the other side.
const UPRIGHT: f64 = 0.15;

/// The name of a hand and its position, in two lines beside its ring.
pub(super) struct HandLabel {
    lines: [(String, TextStyle); 2],
    hand: Hand,
    right: bool,
    covered: Rect,
}

impl HandLabel {
    fn new(
        theme: &Theme,
        stage: Rect,
        (hand, right): (Hand, bool),
        (name, number): (&str, String),
    ) -> HandLabel {
        let colour = match hand {
            Hand::Pos => theme.here,
            Hand::Target => theme.there,
        };
        let size = theme.label_size();
        let line = |text: &str, size: f64| {
            let style = TextStyle::new(size, colour).bold();
            style.fitting(text, 0.5 * stage.width)
        };
        let first = line(name, 1.17 * size);
        let second = line(&number, 1.8 * size);
        let width = first.width(name).max(second.width(&number));
        HandLabel {
            lines: [(name.to_string(), first), (number, second)],
            hand,
            right,
            covered: Rect::new(0.0, 0.0, width, 3.0 * size),
        }
    }

    pub(super) fn write(&self, pen: &Pen, theme: &Theme) {
        let size = theme.label_size();
        // The rim passes behind the text.
        pen.fill(self.covered.inset(0.1 * size), theme.panel, 0.7);
        let middle = self.covered.centre_y();
        for ((text, style), down) in self.lines.iter().zip([-0.85, 0.6]) {
            let (x, style) = match self.right {
                true => (self.covered.x, style.align_left()),
                false => (self.covered.right(), style.align_right()),
            };
            pen.text((x, middle + down * size), text, style);
        }
    }
}

impl RotationDial {
    /// The hands that have labels, with names and positions: one for both if k = 0, and only that of pos if the hands nearly
    /// coincide.
    pub(super) fn named_hands(
        &self,
        scene: &Scene,
        hands: &Hands,
    ) -> Vec<(Hand, &'static str, String)> {
        let model = scene.model;
        let apart = wrap_to_pi(hands.turn).abs() * self.circle.radius;
        let are_apart = apart > 0.5 * self.ring;
        let here = match model.state.k() == 0 && !are_apart {
            true => "pos = pos+k",
            false => "pos",
        };
        let mut named = vec![(Hand::Pos, here, number::whole(model.drawn_pos()))];
        if are_apart {
            let target = number::whole(model.drawn_target());
            named.push((Hand::Target, "pos+k", target));
        }
        named
    }

    /// Places the labels of hands beside their rings, outside.
    pub(super) fn hand_labels(
        &self,
        scene: &Scene,
        hands: &Hands,
        named: Vec<(Hand, &'static str, String)>,
        space: &mut Space,
    ) -> Vec<HandLabel> {
        let (theme, size) = (scene.theme, scene.theme.label_size());
        let tips = [hands.start, hands.end()].map(|angle| self.circle.at(angle, 1.0));
        let mut labels: Vec<HandLabel> = named
            .into_iter()
            .map(|(hand, name, number)| {
                let angle = match hand {
                    Hand::Pos => hands.start,
                    Hand::Target => hands.end(),
                };
                let cosine = sin_cos(angle).1;
                let right = match scene.placed[hand as usize].get() {
                    Some(kept) if cosine.abs() < UPRIGHT => kept >= STEPS.len(),
                    _ => cosine >= 0.0,
                };
                HandLabel::new(theme, self.stage, (hand, right), (name, number))
            })
            .collect();
        for label in &mut labels {
            let Rect { width, height, .. } = label.covered;
            let (top, bottom) = (
                self.stage.y + height / 2.0,
                self.stage.bottom() - height / 2.0,
            );
            let middle = tips[label.hand as usize].y;
            let kept = &scene.placed[label.hand as usize];
            let sides = [label.right, !label.right].map(|right| {
                label.right = right;
                STEPS.map(|step| {
                    let y = (middle + step * size).min(bottom).max(top);
                    let mut x = self.beside(&tips, label, y, 1.2 * self.ring + 0.35 * size);
                    // Above or below its ring, it is within the stage.
                    if (y - middle).abs() > height / 2.0 + 1.2 * self.ring {
                        x = x.min(self.stage.right() - width).max(self.stage.x);
                    }
                    Rect::new(x, y - height / 2.0, width, height)
                })
            });
            // What is kept counts from the left side.
            let before = usize::from(!label.right) * STEPS.len();
            let turned = |index: usize| (index + before) % (2 * STEPS.len());
            kept.set(kept.get().map(turned));
            let places = sides.as_flattened();
            let found = space.find_nearly(places, kept);
            label.right = turned(found) >= STEPS.len();
            kept.set(Some(turned(found)));
            label.covered = places[found];
            space.take(label.covered);
        }
        labels
    }

    /// The left edge of a label at the height `y`, where it is clear of the rings and of a wide rim.
    fn beside(&self, tips: &[Point; 2], label: &HandLabel, y: f64, gap: f64) -> f64 {
        let Rect { width, height, .. } = label.covered;
        let side = if label.right { 1.0 } else { -1.0 };
        let rim = match self.rim > 0.0 {
            true => Some((self.circle.centre, self.circle.radius + 1.5 * self.rim)),
            false => None,
        };
        let discs = tips.iter().map(|&tip| (tip, gap)).chain(rim);
        let edge = discs
            .filter_map(|(centre, radius)| {
                let apart = ((y - centre.y).abs() - height / 2.0).max(0.0);
                (apart < radius).then(|| side * centre.x + (radius * radius - apart * apart).sqrt())
            })
            .fold(f64::NEG_INFINITY, f64::max);
        // Above or below everything, it is as far outside as its own ring.
        let own = side * tips[label.hand as usize].x;
        let edge = side * edge.max(own);
        if label.right { edge } else { edge - width }
    }
}
