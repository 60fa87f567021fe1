//! The label of the rotation: in the wedge, within the spiral of more than a turn, or outside with a line to the wedge.

use super::line::Line;
use super::{Hands, RotationDial, WEDGE};
use crate::draw::{Pen, Point, Rect, Space, TextStyle, Theme};
use crate::field::ThemeName;
use crate::figures::bench::model::Pair;
use crate::figures::bench::view::{ROTATION, Scene};
use crate::text::{labels, number};
use plotters::style::RGBColor;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Minimum angle of a wedge that has room for its label, in radians.
const MIN_LABELLED_ANGLE: f64 = 0.95;
/// The index of the first place of the rotation that is not in the wedge.
const OUTSIDE: usize = 6;
/// How far a label within the spiral may reach from the centre, relative to the radius.
const IN_SPIRAL: f64 = 0.76;
/// Where the line from a label outside ends in the wedge, relative to the radius.
const LEADER: f64 = 0.74;

/// The rotation in degrees and, in the wedge, as k times the angle per position on a second line.
pub(super) struct RotationLabel {
    pub lines: Vec<Line>,
    pub covered: Rect,
    /// Where it leads to if it is outside.
    leader: Option<Point>,
    on_wedge: bool,
}

impl RotationLabel {
    /// Draws the line to the wedge, or erases the axes, and what else is there, behind the label.
    pub fn draw_behind(&self, dial: &RotationDial, pen: &Pen, theme: &Theme, has_outlines: bool) {
        let rect = self.covered;
        if let Some(end) = self.leader {
            pen.line(&[rect.nearest(end), end], theme.there, theme.hairline());
            return pen.disc(end, 1.2 * theme.stroke(), theme.there);
        }
        let Point { x, y } = dial.circle.centre;
        let is_crossed =
            (rect.y..rect.bottom()).contains(&y) || (rect.x..rect.right()).contains(&x);
        if is_crossed || has_outlines {
            pen.fill(rect, theme.panel, 1.0);
            if self.on_wedge {
                pen.fill(rect, theme.there, super::TINT);
            }
        }
    }
}

impl RotationDial {
    /// Places the label of a rotation of less than a full turn in the wedge, unless that is narrow.
    pub(super) fn rotation_inside(
        &self,
        scene: &Scene,
        pair: &Pair,
        hands: &Hands,
        space: &Space,
    ) -> Option<RotationLabel> {
        let (theme, model) = (scene.theme, scene.model);
        let (size, radius) = (theme.label_size(), self.circle.radius);
        let angle = hands.turn.abs();
        if angle < MIN_LABELLED_ANGLE {
            return None;
        }
        // Distance of the text from the centre, and half its maximum width: those of the largest circle in the wedge.
        let reach = WEDGE.0 * radius;
        let half = (angle / 2.0).min(FRAC_PI_2).sin();
        let distance = reach / (1.0 + half);
        let room = reach - distance;
        let degrees = labels::turn(model.lang, pair.rotation_angle);
        let (style, colour) = (self.rotation_style(theme), rotation_colour(theme));
        let large = style.size();
        // The large text is above the centre of the circle; its upper corners nearly touch the circle.
        let corner = 0.6 * large;
        let width = 2.0 * (room * room - corner * corner).max(0.0).sqrt() - theme.stroke();
        // For an audience it may touch the hands: black on colour is legible there.
        let (wider, touching) = match theme.name {
            ThemeName::Projector => (1.12, 0.2),
            _ => (1.0, 0.0),
        };
        let style = style.fitting(&degrees, wider * width.max(room));
        let each = number::short(pair.frequency.to_degrees(), 4);
        let product = format!("{} × {each}°", number::whole(model.state.k()));
        let small = (1.25 * size).min(0.125 * radius).max(size);
        let below = TextStyle::new(small, colour).fitting(&product, 1.6 * room);
        let middle = self
            .circle
            .at(hands.start + hands.turn / 2.0, distance / radius);
        let place = |text: &str, style: TextStyle, down: f64| {
            let width = style.width(text);
            Rect::centred(middle + (0.0, down * large), width, 1.1 * style.size())
        };
        let second = place(&product, below, 0.65);
        let kept = &scene.placed[ROTATION];
        // The second line comes back when there is ample room for it.
        let hidden = kept.get().is_some_and(|kept| kept % 2 == 1);
        let needed = second.inset(if hidden { -0.4 * size } else { 0.0 });
        let has_second = below.size() >= theme.reduced(0.85) && space.is_free(needed);
        let up = if has_second { -0.35 } else { 0.0 };
        let smaller = [1.0, 0.88, 0.76].map(|share| style.scaled(share));
        let places = smaller.map(|style| place(&degrees, style, up));
        let narrower = |place: Rect| {
            let by = touching * place.width;
            place.across(place.x + by / 2.0, place.width - by)
        };
        kept.set(kept.get().map(|kept| kept / 2));
        let found = space.find_again(&places.map(narrower), kept);
        kept.set(found.map(|found| 2 * found + usize::from(!has_second)));
        let found = found?;
        let mut lines = vec![Line::centred(degrees, places[found], smaller[found])];
        let mut covered = places[found];
        if has_second {
            covered = covered.union(second);
            lines.push(Line::centred(product, second, below));
        }
        Some(RotationLabel {
            lines,
            covered,
            leader: None,
            on_wedge: true,
        })
    }

    /// Places the label of a rotation of more than a full turn on two lines within the spiral, where it covers no hand.
    pub(super) fn rotation_in_spiral(
        &self,
        scene: &Scene,
        pair: &Pair,
        hands: &Hands,
        space: &Space,
    ) -> Option<RotationLabel> {
        let (turns, rest) = labels::turn_parts(scene.model.lang, pair.rotation_angle);
        let turns = turns?;
        let Point { x, y } = self.circle.centre;
        let middle = hands.start + hands.turn % TAU / 2.0;
        let style = self.rotation_style(scene.theme);
        let is_within = |place: &Rect| {
            let across = (place.x - x).abs().max((place.right() - x).abs());
            let along = (place.y - y).abs().max((place.bottom() - y).abs());
            across.hypot(along) <= IN_SPIRAL * self.circle.radius
        };
        let mut places = Vec::new();
        for share in [1.0, 0.85, 0.7] {
            let style = style.scaled(share);
            let size = style.size();
            let width = style.width(&turns).max(style.width(&rest));
            for by in [PI, 0.0, FRAC_PI_2, -FRAC_PI_2, 2.2, -2.2, 0.9, -0.9] {
                let at = self.circle.at(middle + by, 0.4);
                places.push((style, Rect::centred(at, width, 2.2 * size)));
            }
        }
        places.retain(|(_, place)| is_within(place));
        let rects: Vec<Rect> = places.iter().map(|(_, place)| *place).collect();
        let (style, covered) = places[space.find_again(&rects, &scene.placed[ROTATION])?];
        let half = covered.height / 2.0;
        let [above, below] =
            [covered.y, covered.y + half].map(|top| Rect::new(covered.x, top, covered.width, half));
        Some(RotationLabel {
            lines: vec![
                Line::centred(turns, above, style),
                Line::centred(rest, below, style),
            ],
            covered,
            leader: None,
            on_wedge: true,
        })
    }

    /// Places the label of the rotation in a corner outside the dial, with a line to the wedge, or opposite to the wedge.
    pub(super) fn rotation_outside(
        &self,
        scene: &Scene,
        pair: &Pair,
        hands: &Hands,
        space: &Space,
    ) -> Option<RotationLabel> {
        let (stage, size) = (self.stage, scene.theme.label_size());
        let middle = hands.start + hands.turn % TAU / 2.0;
        let degrees = labels::turn(scene.model.lang, pair.rotation_angle);
        // The corners nearest to the wedge first.
        let (centre, end) = (self.circle.centre, self.circle.at(middle, LEADER));
        let (is_right, is_low) = (end.x >= centre.x, end.y >= centre.y);
        let is_free = |place: &Rect| {
            let outside = place.nearest(centre).distance(centre) >= self.circle.radius + self.rim;
            outside && space.is_free(*place) && space.is_open([place.nearest(end), end])
        };
        let kept = &scene.placed[ROTATION];
        for share in [1.0, 0.8, 0.6] {
            let style = self.rotation_style(scene.theme).scaled(share);
            let (width, height) = (style.width(&degrees), 1.1 * style.size());
            let corner = |right: bool, low: bool| {
                let x = match right {
                    true => stage.right() - width - 0.5 * size,
                    false => stage.x + 0.5 * size,
                };
                let y = match low {
                    true => stage.bottom() - height,
                    false => stage.y,
                };
                (
                    OUTSIDE + 2 * usize::from(right) + usize::from(low),
                    Rect::new(x, y, width, height),
                )
            };
            let mut corners = [
                corner(is_right, is_low),
                corner(is_right, !is_low),
                corner(!is_right, is_low),
                corner(!is_right, !is_low),
            ];
            // But for the furthest, it stays where it is.
            corners[..3].sort_by_key(|corner| Some(corner.0) != kept.get());
            let inner = [PI, 2.0, -2.0, 1.2, -1.2].map(|by| {
                let at = self.circle.at(middle + by, 0.5);
                Rect::centred(at, width, height)
            });
            let corner = corners.into_iter().find(|corner| is_free(&corner.1));
            let found = corner.or_else(|| Some((OUTSIDE + 4, inner[space.find(&inner)?])));
            if let Some((index, covered)) = found {
                kept.set(Some(index));
                return Some(RotationLabel {
                    lines: vec![Line::centred(degrees, covered, style)],
                    covered,
                    leader: corner.map(|_| end),
                    on_wedge: hands.turn.abs() >= TAU,
                });
            }
        }
        None
    }

    fn rotation_style(&self, theme: &Theme) -> TextStyle {
        let size = theme.label_size();
        let large = (2.2 * size).min(0.22 * self.circle.radius).max(1.75 * size);
        TextStyle::new(large, rotation_colour(theme)).bold()
    }
}

fn rotation_colour(theme: &Theme) -> RGBColor {
    // On a projector, black is legible from further away than any colour.
    match theme.name {
        ThemeName::Projector => theme.ink,
        _ => theme.there,
    }
}
