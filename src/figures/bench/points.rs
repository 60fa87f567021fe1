//! The two columns of a pair as points, for tables in which no pair rotates: the row of each position, and arrows to those
//! of pos and pos+k. This comes with the second file of the core.

use crate::draw::{Circle, KeptPlace, Pen, Point, Rect, Space, TextStyle};
use crate::figures::bench::model::Model;
use crate::figures::bench::view::Scene;
use crate::figures::bench::words;
use crate::text::number::{self, whole};
use crate::text::{Lang, Text, labels};
use posenc_encoding::Member;

/// Maximum number of points; of longer tables those at equal distances are drawn.
const MAX_POINTS: usize = 512;

/// The plane of a pair's two values.
struct Plane {
    /// The point for two zeros, and the distance of the largest value from there.
    circle: Circle,
    /// The largest absolute value of the points.
    most: f64,
}

impl Plane {
    fn new(scene: &Scene, stage: Rect) -> Plane {
        let size = scene.theme.label_size();
        let (_, room) = stage.split_top(3.4 * size);
        let room = room.with_height(room.height.min(room.width));
        let radius = (room.width.min(room.height) / 2.0) - 2.2 * size;
        let values = positions(scene).flat_map(|position| row(scene, position));
        let most = values
            .flatten()
            .fold(1e-9, |most: f64, value| most.max(value.abs()));
        Plane {
            circle: Circle {
                centre: room.centre(),
                radius: radius.max(8.0),
            },
            most,
        }
    }

    /// The point of a row's values, the first upwards and the second to the right.
    fn point(&self, [up, across]: [f64; 2]) -> Point {
        self.circle.point(up / self.most, across / self.most)
    }
}

/// The positions whose rows are drawn.
fn positions(scene: &Scene) -> impl Iterator<Item = usize> {
    let len = scene.model.state.max_len();
    (0..len).step_by(len.div_ceil(MAX_POINTS))
}

/// The values of the selected pair at a position; `None` outside the table.
fn row(scene: &Scene, position: usize) -> Option<[f64; 2]> {
    let model = scene.model;
    match model.pair_at(model.state.pair(), position as f64) {
        [Some(first), Some(second)] => Some([first, second]),
        _ => None,
    }
}

/// The names of the axes at their ends, with places and styles; the last dimension of an odd width has one alone.
fn axis_names(scene: &Scene, plane: &Plane) -> impl Iterator<Item = (String, Point, TextStyle)> {
    let (theme, model) = (scene.theme, scene.model);
    let size = theme.label_size();
    let (centre, reach) = (plane.circle.centre, plane.circle.radius + 0.8 * size);
    let style = |colour| TextStyle::new(1.08 * size, colour);
    let names = [
        (
            Member::Sine,
            centre - (0.0, reach + 0.7 * size),
            style(theme.sine),
        ),
        (
            Member::Cosine,
            centre + (reach, -0.8 * size),
            style(theme.cosine).align_right(),
        ),
    ];
    names.into_iter().filter_map(|(member, at, style)| {
        let dimension = model.member_dimension(model.state.pair(), member)?;
        Some((labels::dimension_tag(model.lang, dimension), at, style))
    })
}

/// Draws the axes and the points of all rows.
#[inline(never)]
pub(super) fn draw_axes(pen: &Pen, scene: &Scene, stage: Rect) {
    let (theme, model) = (scene.theme, scene.model);
    let size = theme.label_size();
    let plane = Plane::new(scene, stage);
    let (centre, reach) = (plane.circle.centre, plane.circle.radius + 0.8 * size);
    let line = theme.hairline();
    for (end, colour) in [((reach, 0.0), theme.cosine), ((0.0, -reach), theme.sine)] {
        pen.faint_line(&[centre - end, centre + end], colour, 0.6, line);
    }
    for (name, at, style) in axis_names(scene, &plane) {
        pen.text(at, &name, style);
    }
    let title = TextStyle::new(1.17 * size, theme.ink).bold().align_left();
    let words = words::points_title(model);
    pen.text(
        (stage.x + 1.3 * size, stage.y + 1.0 * size),
        words,
        title.fitting(words, stage.width - 2.6 * size),
    );
    let rows = positions(scene).filter_map(|position| row(scene, position));
    let points: Vec<_> = rows.map(|row| plane.point(row)).collect();
    // Neighbouring rows of a trained table are alike.
    if !model.is_simulated() {
        pen.faint_line(&points, theme.muted, 0.4, line);
    }
    pen.discs(&points, 1.2 * theme.stroke(), theme.muted);
}

/// Draws the arrows to the rows of pos and pos+k, with their positions.
#[inline(never)]
pub(super) fn draw(pen: &Pen, scene: &Scene, stage: Rect) {
    let (theme, model) = (scene.theme, scene.model);
    let size = theme.label_size();
    let plane = Plane::new(scene, stage);
    let hands = [
        (model.drawn_target(), "pos+k", theme.there),
        (model.drawn_pos(), "pos", theme.here),
    ];
    let hands = hands.map(|(position, name, colour)| {
        let values = usize::try_from(position).ok().and_then(|at| row(scene, at));
        values.map(|values| (plane.point(values), position, name, colour))
    });
    let mut space = Space::new(stage);
    for (name, at, style) in axis_names(scene, &plane) {
        space.take(pen.text_bounds(at, &name, style));
    }
    for &(tip, _, _, colour) in hands.iter().flatten() {
        pen.arrow(plane.circle.centre, tip, colour, 1.3 * theme.stroke());
        space.take_line([plane.circle.centre, tip], 1.3 * theme.stroke());
        space.take_disc(tip, 0.3 * size);
    }
    for (tip, position, name, colour) in hands.into_iter().flatten().rev() {
        let text = format!("{name} {}", number::whole(position));
        let style = TextStyle::new(1.17 * size, colour).bold();
        let (width, height) = (style.width(&text), 1.3 * size);
        let at = |across: f64, down: f64| {
            let across = across * (width / 2.0 + 0.6 * size);
            Rect::centred(tip + (across, down * size), width, height)
        };
        let side = if tip.x < plane.circle.centre.x {
            -1.0
        } else {
            1.0
        };
        let places = [
            at(side, 0.0),
            at(0.0, -1.3),
            at(0.0, 1.3),
            at(-side, 0.0),
            at(side, 1.3),
            at(side, -1.3),
            at(0.0, 2.6),
            at(0.0, -2.6),
        ];
        let place = places[space.find_nearly(&places, &KeptPlace::default())];
        space.take(place);
        pen.fill(place, theme.panel, 0.7);
        pen.text(place.centre(), &text, style);
    }
    pen.disc(plane.circle.centre, 2.0 * theme.stroke(), theme.ink);
}

/// Describes the waves view of a table that is not sinusoidal.
#[inline(never)]
pub(super) fn describe_columns(model: &Model, keys: Text) -> String {
    let (index, pos) = (model.state.pair(), whole(model.state.pos() as i64));
    let values = numbers(model, model.state.pos() as i64);
    match model.lang {
        Lang::En => format!(
            "The numbers of pair {index} along the positions. At position {pos}: {values}. {}",
            keys.en
        ),
        Lang::Zh => format!(
            "维度对 {index} 的数随位置的排列。位置 {pos} 处：{values}。{}",
            keys.zh
        ),
    }
}

/// The numbers of the selected pair at a position, or that there are none.
fn numbers(model: &Model, position: i64) -> String {
    let values = model.pair_at(model.state.pair(), position as f64);
    let values = values.into_iter().flatten().map(|v| number::fixed(v, 3));
    let values: Vec<_> = values.collect();
    match (model.lang, values.is_empty()) {
        (Lang::En, true) => "no numbers".into(),
        (Lang::Zh, true) => "没有数".into(),
        _ => values.join(", "),
    }
}

/// Describes the points of the pair's numbers at pos and at pos + k.
#[inline(never)]
pub(super) fn describe_points(model: &Model) -> String {
    let index = model.state.pair();
    let [(pos, here), (target, there)] = [model.state.pos() as i64, model.target()]
        .map(|position| (whole(position), numbers(model, position)));
    match model.lang {
        Lang::En => format!(
            "pair {index} at position {pos}: {here}; at position {target}: {there}. {}",
            labels::ROTATION_KEYS.en
        ),
        Lang::Zh => format!(
            "维度对 {index} 在位置 {pos}：{here}；在位置 {target}：{there}。{}",
            labels::ROTATION_KEYS.zh
        ),
    }
}
