//! The selected pair on the unit circle, cosine across and sine up, and the other pairs as small
//! dials: PE(pos) turned counter-clockwise by k·ω is PE(pos + k).

use crate::draw::pen::{DrawError, Words, arc, around};
use crate::draw::{Circle, Clock, DrawResult, Frame, Pen, Picture, Rect, Theme};
use crate::field::ViewName;
use crate::figure::{Handle, Mapping};
use crate::figures::bench::model::{Model, Pair};
use crate::figures::bench::view::{Fingerprint, Scene, Target, View};
use crate::figures::bench::words;
use crate::text::{labels, number};
use plotters::style::RGBColor;
use posenc_encoding::{Member, PositionSignal};
use posenc_encoding::{sin_cos, within_half_turns, within_turn};
use std::f64::consts::TAU;

#[derive(Default)]
pub struct Dials;

/// More turns than this are not wound onto the dial; the label still says how many there are.
const MOST_TURNS: f64 = 4.0;

struct Plan {
    large: Circle,
    /// What the large dial stands in; its corners hold words.
    stage: Rect,
    small: Vec<(usize, Circle, Rect)>,
    /// Where the small dials are named together.
    caption: (f64, f64),
}

impl Plan {
    fn new(frame: Frame, theme: &Theme, model: &Model) -> Option<Plan> {
        let size = theme.label_size();
        let room = Rect::inside(frame, 0.0, 0.0, 0.0, 0.0);
        if room.width < 40.0 || room.height < 40.0 {
            return None;
        }
        // A wide figure has its small dials beside the large one, a tall one below it.
        let wide = room.width > 1.6 * room.height;
        let cell = (4.4 * size).min(room.height / 4.0).max(24.0);
        let title = 1.4 * size;
        let (stage, shelf) = if wide {
            room.split_right(room.width - room.height.min(0.6 * room.width))
        } else {
            room.split_bottom(title + 1.45 * cell)
        };
        let (caption, shelf) = shelf.split_bottom(shelf.height - title);
        let radius = (stage.width / 2.0 - 2.4 * size).min(stage.height / 2.0 - 1.7 * size);
        Some(Plan {
            large: Circle {
                centre: stage.centre(),
                radius: radius.max(12.0),
            },
            stage,
            small: shelve(shelf, cell, model),
            caption: (caption.x + 0.3 * size, caption.y + title / 2.0),
        })
    }
}

/// Small dials on a grid, each with its name below.
fn shelve(shelf: Rect, cell: f64, model: &Model) -> Vec<(usize, Circle, Rect)> {
    let columns = (shelf.width / cell).floor() as usize;
    let rows = (shelf.height / (1.4 * cell)).floor() as usize;
    let pairs = shown_pairs(model.pairs(), columns * rows, model.state.pair());
    if pairs.is_empty() {
        return Vec::new();
    }
    let columns = columns.min(pairs.len());
    let (width, height) = (shelf.width / columns as f64, shelf.height / rows as f64);
    pairs
        .into_iter()
        .enumerate()
        .map(|(i, pair)| {
            let space = Rect::new(
                shelf.x + (i % columns) as f64 * width,
                shelf.y + (i / columns) as f64 * height,
                width,
                height,
            );
            let centre = (space.x + width / 2.0, space.y + height / 2.0 - 0.12 * cell);
            (
                pair,
                Circle {
                    centre,
                    radius: 0.4 * cell,
                },
                space,
            )
        })
        .collect()
}

/// At most `room` of the pairs, about evenly spread from the fastest to the slowest, the selected
/// one among them.
fn shown_pairs(pairs: usize, room: usize, selected: usize) -> Vec<usize> {
    let count = pairs.min(room);
    let spread = |i: usize| i * (pairs - 1) / (count - 1).max(1);
    let mut shown: Vec<usize> = (0..count).map(spread).collect();
    let nearest = shown.iter_mut().min_by_key(|pair| pair.abs_diff(selected));
    if let Some(nearest) = nearest
        && selected < pairs
    {
        *nearest = selected;
    }
    shown
}

impl Dials {
    /// The tips of the arrows of PE(pos) and of PE(pos+k), which are dragged; `None` where there are none.
    pub fn tips(scene: &Scene) -> Option<[(f64, f64); 2]> {
        let pair = turnable(scene.model)?;
        let dial = Plan::new(scene.frame, scene.theme, scene.model)?.large;
        Some([pair.here, pair.there].map(|[sine, cosine]| dial.point(sine, cosine)))
    }

    /// The angle at which a point of the picture, inside the dial or not, is seen from its centre.
    pub fn angle(scene: &Scene, (x, y): (f64, f64)) -> Option<f64> {
        let dial = Plan::new(scene.frame, scene.theme, scene.model)?.large;
        Some((dial.centre.1 - y).atan2(x - dial.centre.0))
    }
}

impl View for Dials {
    const NAME: ViewName = ViewName::Rotation;

    fn fingerprint(&self, scene: &Scene) -> Fingerprint {
        let model = scene.model;
        vec![
            model.pairs() as u64,
            model.state.pair() as u64,
            u64::from(turnable(model).is_some()),
            u64::from(matches!(model.signal, PositionSignal::Rotation(_))),
        ]
    }

    fn draw_axes<DB: Picture>(&self, pen: &Pen<DB>, scene: &Scene) -> DrawResult<DB> {
        let Some(plan) = Plan::new(scene.frame, scene.theme, scene.model) else {
            return Ok(());
        };
        let (theme, lang) = (scene.theme, scene.model.lang);
        let size = theme.label_size();
        for (pair, circle, _) in &plan.small {
            pen.ring(circle.centre, circle.radius, theme.rule, theme.hairline())?;
            let below = (
                circle.centre.0,
                circle.centre.1 + circle.radius + 0.8 * size,
            );
            pen.words(
                below,
                &pair.to_string(),
                Words::new(0.9 * size, theme.muted),
            )?;
        }
        if !plan.small.is_empty() {
            let words = Words::new(0.9 * size, theme.muted).starting();
            pen.words(plan.caption, labels::DIALS.get(lang), words)?;
        }
        let large = plan.large;
        let (x, y) = large.centre;
        let reach = large.radius + 0.9 * size;
        if turnable(scene.model).is_none() {
            return Ok(());
        }
        pen.ring(large.centre, large.radius, theme.rule, theme.stroke())?;
        pen.arrow(
            (x - reach, y),
            (x + reach, y),
            theme.cosine,
            theme.hairline(),
        )?;
        pen.arrow((x, y + reach), (x, y - reach), theme.sine, theme.hairline())?;
        for (at, name, words) in axis_names(scene, plan.stage) {
            pen.words(at, name, words)?;
        }
        Ok(())
    }

    fn draw<DB: Picture>(&mut self, pen: &Pen<DB>, scene: &Scene) -> DrawResult<DB> {
        let Some(plan) = Plan::new(scene.frame, scene.theme, scene.model) else {
            return Ok(());
        };
        draw_small(pen, scene, &plan)?;
        match turnable(scene.model) {
            Some(pair) => draw_large(pen, scene, &plan, pair),
            None => draw_excuse(pen, scene, plan.large),
        }
    }

    fn handles(&self, scene: &Scene) -> Vec<Handle> {
        let Some(plan) = Plan::new(scene.frame, scene.theme, scene.model) else {
            return Vec::new();
        };
        let tips = Dials::tips(scene).into_iter().flatten().zip(["pos", "k"]);
        let mut handles: Vec<Handle> = tips
            .map(|(tip, field)| Handle::grip(tip).sets(field, Mapping::Own))
            .collect();
        for (pair, _, space) in &plan.small {
            handles.push(Handle::area(*space).sets("pair", Mapping::number(*pair)));
        }
        if turnable(scene.model).is_some() {
            let reach = 1.3 * plan.large.radius;
            let dial = Handle::mark(plan.large.centre, reach).sets("pos", Mapping::Own);
            handles.push(dial.sets("k", Mapping::Own));
        }
        handles
    }

    fn target(&self, scene: &Scene, x: f64, y: f64) -> Option<Target> {
        let plan = Plan::new(scene.frame, scene.theme, scene.model)?;
        if let Some((pair, ..)) = plan.small.iter().find(|(.., space)| space.contains(x, y)) {
            return Some(Target::Dial { pair: *pair });
        }
        let (dx, dy) = (x - plan.large.centre.0, plan.large.centre.1 - y);
        let near = dx.hypot(dy) <= 1.3 * plan.large.radius;
        (near && turnable(scene.model).is_some()).then(|| Target::Angle(dy.atan2(dx)))
    }
}

/// The selected pair, if it has both its members.
fn turnable(model: &Model) -> Option<&Pair> {
    model.turn().map(|(pair, _)| pair)
}

fn draw_large<DB: Picture>(
    pen: &Pen<DB>,
    scene: &Scene,
    plan: &Plan,
    pair: &Pair,
) -> DrawResult<DB> {
    let (theme, model, dial) = (scene.theme, scene.model, plan.large);
    let size = theme.label_size();
    let Some(waves) = &model.waves else {
        return Ok(());
    };
    let (sine, cosine) = waves.sin_cos_at(pair.index, model.shown_pos());
    let start = sine.atan2(cosine);
    // Computed from the turn, not from two roundings of large angles.
    let end = start + within_turn(pair.turn);

    draw_turn(pen, theme, dial, start, pair.turn)?;
    let tip = dial.at(start, 1.0);
    pen.dashes(
        tip,
        (tip.0, dial.centre.1),
        theme.sine,
        0.75 * theme.stroke(),
    )?;
    pen.dashes(
        tip,
        (dial.centre.0, tip.1),
        theme.cosine,
        0.75 * theme.stroke(),
    )?;
    let width = 1.4 * theme.stroke();
    pen.arrow(dial.centre, dial.at(end, 1.0), theme.there, width)?;
    pen.arrow(dial.centre, tip, theme.here, width)?;
    pen.disc(dial.centre, 1.1 * width, theme.ink)?;

    let mut taken = draw_angle(pen, scene, plan.stage, pair)?;
    taken.extend(
        axis_names(scene, plan.stage).map(|(at, name, words)| pen.covered(at, name, words)),
    );
    let outside = 1.0 + 1.0 * size / dial.radius;
    let mut name = |angle: f64, text: &str, colour: RGBColor| {
        let words = Words::new(size, colour).bold();
        let place = |angle: f64| {
            // Grow away from the circle on either side, stay centred above and below it.
            let words = match sin_cos(angle).1 {
                c if c > 0.4 => words.starting(),
                c if c < -0.4 => words.ending(),
                _ => words,
            };
            (dial.at(angle, outside), words)
        };
        let free = |angle: f64| {
            let (at, words) = place(angle);
            let covered = pen.covered(at, text, words);
            // With a gap, so that it is no line of what stands above it.
            let covered = covered.down(covered.y - 0.5 * size, covered.height + size);
            !taken.iter().any(|other| other.overlaps(&covered))
        };
        let Some(angle) = clear(angle, free) else {
            // On the arrow itself, where words around the dial leave no room.
            return pen.tag(dial.at(angle, 0.6), text, size, colour, theme.panel);
        };
        let (at, words) = place(angle);
        taken.push(pen.covered(at, text, words));
        pen.words(at, text, words)
    };
    let together = if pair.turn == 0.0 {
        "pos = pos+k"
    } else {
        "pos"
    };
    name(start, together, theme.here)?;
    let apart = within_half_turns(end - start).abs();
    if apart * dial.radius > 1.5 * size {
        name(end, "pos+k", theme.there)?;
    }
    Ok(())
}

/// The angle where a name has room that is nearest to that of its arrow; far from it a name would be nobody's.
fn clear(angle: f64, free: impl Fn(f64) -> bool) -> Option<f64> {
    let steps = (0..=24).flat_map(|step| [step, -step]);
    let mut angles = steps.map(|step| angle + f64::from(step) * TAU / 240.0);
    angles.find(|&angle| free(angle))
}

/// The arc k·ω from PE(pos) to PE(pos+k), wound outwards once for every full turn.
fn draw_turn<DB: Picture>(
    pen: &Pen<DB>,
    theme: &Theme,
    dial: Circle,
    start: f64,
    turn: f64,
) -> DrawResult<DB> {
    if turn == 0.0 {
        return Ok(());
    }
    let whole = (turn.abs() / TAU).floor();
    let drawn = turn.signum() * (turn.abs() - (whole - MOST_TURNS).max(0.0) * TAU);
    let turns = drawn.abs() / TAU;
    let (inner, outer) = (0.3, 0.3 + (0.09 * turns).min(0.4));
    let radius = |angle: f64| {
        let done = ((angle - start) / drawn).clamp(0.0, 1.0);
        dial.radius * (inner + (outer - inner) * done)
    };
    let points = arc(dial.centre, radius, start, start + drawn);
    if whole == 0.0 {
        let mut wedge = points.clone();
        wedge.push(dial.centre);
        pen.polygon(&wedge, theme.there, 0.13)?;
    }
    pen.line(&points, theme.there, theme.stroke())?;
    // The head of the arc, along its tangent.
    let size = 3.6 * theme.stroke();
    let end = start + drawn;
    let r = radius(end);
    if drawn.abs() * r > 1.6 * size {
        let back = end - turn.signum() * size / r;
        let on = |angle: f64, r: f64| around(dial.centre, r, angle);
        let head = [
            on(end, r),
            on(back, r + 0.42 * size),
            on(back, r - 0.42 * size),
        ];
        pen.polygon(&head, theme.there, 1.0)?;
    }
    Ok(())
}

/// The turn in numbers, in the corner that no arrow reaches; what the two lines cover.
fn draw_angle<DB: Picture>(
    pen: &Pen<DB>,
    scene: &Scene,
    stage: Rect,
    pair: &Pair,
) -> Result<Vec<Rect>, DrawError<DB>> {
    let size = scene.theme.label_size();
    let words = Words::new(size, scene.theme.there).bold().starting();
    let at = |line: f64| (stage.x + 0.3 * size, stage.y + (0.7 + 1.35 * line) * size);
    let radians = format!("kω = {} rad", number::angle(pair.turn));
    let lines = [radians, labels::turn(scene.model.lang, pair.turn)];
    let mut covered = Vec::new();
    for (line, text) in lines.iter().enumerate() {
        let at = at(line as f64);
        pen.words(at, text, words)?;
        covered.push(pen.covered(at, text, words));
    }
    Ok(covered)
}

/// The names of the axes in the corners at the right: where, what and how.
fn axis_names(scene: &Scene, stage: Rect) -> [((f64, f64), &'static str, Words); 2] {
    let (theme, lang) = (scene.theme, scene.model.lang);
    let size = theme.label_size();
    let (right, bottom) = (stage.right() - 0.2 * size, stage.bottom());
    let name = |colour| Words::new(size, colour).bold().ending();
    let axes = match scene.model.signal {
        PositionSignal::Rotation(_) => [labels::SECOND_AXIS, labels::FIRST_AXIS],
        _ => [labels::SINE_AXIS, labels::COSINE_AXIS],
    };
    let [sine, cosine] = axes.map(|axis| axis.get(lang));
    [
        ((right, stage.y + 0.7 * size), sine, name(theme.sine)),
        ((right, bottom - 0.7 * size), cosine, name(theme.cosine)),
    ]
}

fn draw_small<DB: Picture>(pen: &Pen<DB>, scene: &Scene, plan: &Plan) -> DrawResult<DB> {
    let (theme, model) = (scene.theme, scene.model);
    let size = theme.label_size();
    let Some(waves) = &model.waves else {
        return Ok(());
    };
    for (pair, circle, _) in &plan.small {
        if model.member_dimension(*pair, Member::Cosine).is_none() {
            continue;
        }
        let (sine, cosine) = waves.sin_cos_at(*pair, model.shown_pos());
        let clock = Clock {
            circle: *circle,
            here: Some(sine.atan2(cosine)),
            turn: Some(model.state.k() as f64 * waves.frequency(*pair)),
        };
        clock.draw(pen, theme)?;
        if *pair == model.state.pair() {
            pen.ring(circle.centre, circle.radius, theme.accent, theme.stroke())?;
            let below = (
                circle.centre.0,
                circle.centre.1 + circle.radius + 0.8 * size,
            );
            pen.tag(
                below,
                &pair.to_string(),
                0.9 * size,
                theme.accent,
                theme.panel,
            )?;
        }
    }
    Ok(())
}

fn draw_excuse<DB: Picture>(pen: &Pen<DB>, scene: &Scene, dial: Circle) -> DrawResult<DB> {
    let size = scene.theme.label_size();
    let lines = words::no_partner(scene.model);
    let top = dial.centre.1 - 0.75 * size * (lines.len() as f64 - 1.0);
    for (i, line) in lines.iter().enumerate() {
        let at = (dial.centre.0, top + 1.5 * size * i as f64);
        pen.words(at, line, Words::new(size, scene.theme.ink))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_goes_to_the_nearest_room_and_stays_where_there_is_none() {
        assert_eq!(clear(1.0, |_| true), Some(1.0));
        let moved = clear(1.0, |angle| angle > 1.2).unwrap();
        assert!(moved > 1.2 && moved < 1.2 + 2.0 * TAU / 240.0);
        assert!(clear(1.0, |angle| angle < 0.9).unwrap() < 0.9);
        assert_eq!(clear(1.0, |angle| angle > 2.0), None);
    }

    #[test]
    fn small_dials_span_all_pairs() {
        assert_eq!(shown_pairs(64, 5, 63), [0, 15, 31, 47, 63]);
        assert_eq!(shown_pairs(3, 5, 1), [0, 1, 2]);
        assert_eq!(shown_pairs(8192, 1, 7), [7]);
        assert_eq!(shown_pairs(64, 5, 40), [0, 15, 31, 40, 63]);
        assert_eq!(shown_pairs(3, 5, 3), [0, 1, 2]);
        assert!(shown_pairs(0, 5, 0).is_empty());
        assert!(shown_pairs(5, 0, 2).is_empty());
    }
}
