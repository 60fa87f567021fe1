//! What the views of a table and of rotations show of an encoding that adds a bias to each logit: the biases of one head for
//! every query and key, those of all heads by the offset, and those of the query at pos+k.

use super::bias_window::{count, offsets, positions};
use super::model::{HEAD, HEADS, Model};
use super::words;
use crate::draw::chart::Chart;
use crate::draw::grid::{cell_rect, cells, colour_bar, grid_in, negative_bar, numbered_axes};
use crate::draw::text_style::{tag_width, text_width};
use crate::draw::{DrawContext, Pen, Rect, Scale, TextStyle, keep_apart};
use crate::field::ViewName;
use crate::math::Clamp;
use crate::text::number;
use plotters::style::RGBColor;

/// Draws everything that does not depend on pos and k.
#[inline(never)]
pub(super) fn draw_axes(pen: &Pen, model: &Model, context: &DrawContext, view: ViewName) {
    match view {
        ViewName::Rotation => draw_map(pen, model, context),
        ViewName::Heatmap => draw_heads(pen, model, context),
        _ => {
            let chart = row_chart(model, context);
            let titles = model.lang.texts([words::BIAS_AXIS, words::KEY_AXIS]);
            chart.axes(pen, context, titles);
        }
    }
}

/// Draws what moves with pos and k.
#[inline(never)]
pub(super) fn draw(pen: &Pen, model: &Model, context: &DrawContext, view: ViewName) {
    match view {
        ViewName::Rotation => mark_cell(pen, model, context),
        ViewName::Heatmap => mark_offset(pen, model, context),
        _ => draw_row(pen, model, context),
    }
}

/// What of the axes moves with pos and k.
#[inline(never)]
pub(super) fn axes_contents(model: &Model) -> [f64; 4] {
    let (low, high) = row_limits(model);
    let [first, nearest] = [positions(model), offsets(model)].map(|shown| shown.start as f64);
    [first, nearest, low, high]
}

/// The biases of a head by the offset k of the query from the key; none of masked keys.
fn by_offset(model: &Model, head: usize) -> Vec<(i64, f64)> {
    let head = model.bias_head(head);
    let bias = |k: i64| Some((k, head.bias(k.max(0), (-k).max(0))?));
    offsets(model).filter_map(bias).collect()
}

/// The biases of the query at a position for the keys that are shown.
fn by_key(model: &Model, query: i64) -> Vec<(f64, f64)> {
    let head = model.bias_head(HEAD);
    let keys = positions(model).filter(|_| query >= 0);
    let biases = keys.filter_map(|key| Some((key as f64, head.bias(query, key)?)));
    biases.collect()
}

/// The limits of an axis of biases, with zero.
fn limits(biases: impl Iterator<Item = f64>) -> (f64, f64) {
    match biases.fold((0.0f64, 0.0f64), |(low, high), bias| {
        (low.min(bias), high.max(bias))
    }) {
        (0.0, 0.0) => (-1.0, 0.0),
        limits => limits,
    }
}

/// The axis of biases, with room for the tags at its foot.
fn bias_scale(context: &DrawContext, (low, high): (f64, f64)) -> Scale {
    let height = high - low;
    let tag = 3.2 * context.theme.label_size() / context.frame.height;
    Scale::linear(low - tag.min(0.4) * height, high + 0.05 * height)
}

/// What the numbers of the rows need in addition to the margin of a grid.
fn number_room(model: &Model, context: &DrawContext) -> f64 {
    let size = context.theme.label_size();
    let largest = number::whole(positions(model).end);
    (text_width(&largest, size) - 2.0 * size).max(0.0)
}

/// The rectangle of the map of queries and keys.
fn map(model: &Model, context: &DrawContext) -> Rect {
    let size = context.theme.label_size();
    let room = number_room(model, context);
    let area = Rect::all(context.frame);
    let area = grid_in(context, area.with_x(room).with_width(area.width - room));
    let bar = 4.8 * size;
    let side = (area.width - bar).min(area.height);
    let left = area.x + (area.width - bar - side) / 2.0;
    area.with_x(left).with_size(side.max(1.0), side.max(1.0))
}

fn draw_map(pen: &Pen, model: &Model, context: &DrawContext) {
    let theme = context.theme;
    let (map, shown) = (map(model, context), positions(model));
    let (n, first) = (count(model) as usize, shown.start);
    let size = theme.label_size();
    let head = model.bias_head(HEAD);
    let bias = |query: usize, key: usize| head.bias(first + query as i64, first + key as i64);
    let edges = (0..n).flat_map(|at| [bias(at, 0), bias(0, at)]);
    let (low, high) = limits(edges.flatten());
    let most = high.max(-low);
    cells(pen, context, map, (n, n), most, |query, key| {
        bias(query, key).unwrap_or_default()
    });
    // Masked keys.
    if n > 1 && bias(0, 1).is_none() {
        let side = map.width / n as f64;
        let corner = |at: usize| (map.x + at as f64 * side, map.y + at as f64 * side);
        let steps = (0..n).flat_map(|at| {
            let (x, y) = corner(at);
            [(x + side, y), (x + side, y + side)]
        });
        let edge: Vec<_> = steps.chain([(map.right(), map.y)]).collect();
        pen.polygon(&edge, theme.rule, 1.0);
        // A small triangle has no room for its name.
        if n >= 8 {
            let at = (map.x + 0.66 * map.width, map.y + 0.26 * map.height);
            let words = words::MASKED.get(model.lang);
            let style = TextStyle::new(size, theme.muted).fitting(words, 0.55 * map.width);
            pen.text(at, words, style);
        }
    }
    let titles = model.lang.texts([words::QUERY_AXIS, words::KEY_AXIS]);
    let room = number_room(model, context);
    numbered_axes(pen, context, map, (first, n, n), room, titles);
    let bar = map.across(map.right() + 0.8 * size, 0.8 * size);
    let draw_bar = match high == 0.0 {
        true => negative_bar,
        false => colour_bar,
    };
    draw_bar(pen, context, bar, most, words::BIAS_AXIS.get(model.lang));
}

/// Marks the cell of the query at pos+k and the key at pos, its row and its column.
fn mark_cell(pen: &Pen, model: &Model, context: &DrawContext) {
    let theme = context.theme;
    let (map, shown) = (map(model, context), positions(model));
    let n = count(model) as usize;
    let inside = |position| {
        let is_shown = shown.contains(&position);
        is_shown.then(|| (position - shown.start) as usize)
    };
    let (query, key) = (inside(model.drawn_target()), inside(model.drawn_pos()));
    let cell = |query: usize, key: usize| cell_rect(map, (n, n), query, key);
    let width = 0.75 * theme.stroke();
    if let Some(query) = query {
        let row = cell(query, 0).with_width(map.width);
        pen.outline(row, theme.there, 1.0, width);
    }
    if let Some(key) = key {
        let column = cell(0, key).with_height(map.height);
        pen.outline(column, theme.here, 1.0, width);
    }
    if let (Some(query), Some(key)) = (query, key) {
        let rect = cell(query, key).inset(-2.0);
        pen.outline(rect, theme.there, 1.0, 1.5 * theme.stroke());
    }
}

/// The chart of the biases by the offset.
fn offset_chart(model: &Model, context: &DrawContext) -> Chart {
    let biases = (0..HEADS).flat_map(|head| by_offset(model, head));
    let biases = biases.map(|(_, bias)| bias);
    let shown = offsets(model);
    let first = shown.start as f64;
    let last = (shown.end as f64 - 1.0).max(first + 1.0);
    let margin = if first < 0.0 { 0.0 } else { 0.03 };
    // The button to the encoding's own figure is below.
    let all = Rect::all(context.frame);
    let room = all.with_height(all.height - 2.6 * context.theme.label_size());
    Chart::new(
        context,
        room,
        Scale::linear(first - margin * (last - first), last),
        bias_scale(context, limits(biases)),
    )
}

fn draw_heads(pen: &Pen, model: &Model, context: &DrawContext) {
    let theme = context.theme;
    let chart = offset_chart(model, context);
    let titles = model.lang.texts([words::BIAS_AXIS, words::OFFSET_AXIS]);
    chart.axes(pen, context, titles);
    for head in (0..HEADS).rev() {
        let (colour, width) = match head == HEAD {
            true => (theme.accent, 1.2 * theme.stroke()),
            false => (theme.edge, 0.7 * theme.stroke()),
        };
        let values = by_offset(model, head).into_iter();
        chart.curve(pen, values.map(|(k, bias)| (k as f64, bias)), colour, width);
    }
}

/// Marks the offset k.
fn mark_offset(pen: &Pen, model: &Model, context: &DrawContext) {
    let theme = context.theme;
    let chart = offset_chart(model, context);
    let k = model.drawn_target() - model.drawn_pos();
    let words = format!("k = {}", number::whole(k));
    chart.upright(pen, context, k as f64, "", theme.there);
    tag(
        pen,
        context,
        &chart,
        (k as f64, k as f64),
        &words,
        theme.there,
    );
    let bias = model.bias_head(HEAD).bias(k.max(0), (-k).max(0));
    let dot = bias.map(|bias| (k as f64, bias));
    chart.dots(pen, dot, theme.there, 2.6 * theme.stroke());
}

/// The limits of the biases of the query at pos+k, and of those at the offsets that are shown: the axis changes with k only
/// if it has to.
fn row_limits(model: &Model) -> (f64, f64) {
    let query = by_key(model, model.target()).into_iter();
    let usual = by_offset(model, HEAD).into_iter();
    limits(query.map(|it| it.1).chain(usual.map(|it| it.1)))
}

/// The chart of one query's biases by the position of the key.
fn row_chart(model: &Model, context: &DrawContext) -> Chart {
    let first = positions(model).start as f64;
    let last = first + (count(model) as f64 - 1.0).max(1.0);
    Chart::new(
        context,
        Rect::all(context.frame),
        Scale::linear(first - 0.5, last + 0.5),
        bias_scale(context, row_limits(model)),
    )
}

fn draw_row(pen: &Pen, model: &Model, context: &DrawContext) {
    let theme = context.theme;
    let chart = row_chart(model, context);
    let (pos, target) = (model.drawn_pos(), model.drawn_target());
    let size = context.theme.label_size();
    let marks = [(pos, "pos", theme.here), (target, "pos+k", theme.there)]
        .map(|(at, name, colour)| (at, format!("{name} {}", number::whole(at)), colour));
    // Tags close to each other are moved apart.
    let halves = marks.each_ref().map(|it| tag_width(&it.1, size) / 2.0);
    let mut places = [pos, target].map(|position| chart.x.pixel(position as f64));
    let [first, second] = &mut places;
    let distance = halves[0] + halves[1] + 0.3 * size;
    match pos <= target {
        true => keep_apart(first, second, distance),
        false => keep_apart(second, first, distance),
    }
    if [pos, target].iter().all(|&at| chart.x.contains(at as f64)) {
        let plot = chart.plot;
        let beyond = |(place, half): (&f64, &f64)| place + half - plot.right();
        let before = |(place, half): (&f64, &f64)| plot.x + half - place;
        let most = |over: &dyn Fn((&f64, &f64)) -> f64| {
            places.iter().zip(&halves).map(over).fold(0.0, f64::max)
        };
        let shift = most(&before) - most(&beyond);
        places = places.map(|place| place + shift);
    }
    for ((position, words, colour), place) in marks.into_iter().zip(places).rev() {
        chart.upright(pen, context, position as f64, "", colour);
        let place = chart.x.value(place);
        tag(
            pen,
            context,
            &chart,
            (position as f64, place),
            &words,
            colour,
        );
    }
    let values = by_key(model, target);
    if values.is_empty() && target >= 0 {
        let words = words::MASKED.get(model.lang);
        pen.text(
            chart.plot.centre(),
            words,
            TextStyle::new(size, theme.muted),
        );
    }
    chart.curve(
        pen,
        values.iter().copied(),
        theme.accent,
        0.7 * theme.stroke(),
    );
    chart.dots(pen, values, theme.accent, 1.3 * theme.stroke());
    // A position before the first has no query.
    let bias = model.bias.filter(|_| target >= 0);
    let bias = bias.map(|bias| (pos as f64, bias));
    chart.dots(pen, bias, theme.there, 2.6 * theme.stroke());
}

/// Draws a tag at the foot of the line at a value, at another value if it has to make room for its neighbour.
fn tag(
    pen: &Pen,
    context: &DrawContext,
    chart: &Chart,
    (value, place): (f64, f64),
    words: &str,
    colour: RGBColor,
) {
    let (theme, size) = (context.theme, context.theme.label_size());
    if chart.x.contains(value) {
        let half = tag_width(words, size) / 2.0;
        let (left, right) = (chart.plot.x + half, chart.plot.right() - half);
        let at = (
            chart.x.pixel(place).clamped(left, right.max(left)),
            chart.plot.bottom() - 0.9 * size,
        );
        pen.tag(at, words, size, colour, theme.panel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{Frame, Theme};
    use crate::field::ThemeName;

    #[test]
    fn the_axes_hold_the_biases_of_the_query_at_pos_and_k() {
        let theme = Theme::named(ThemeName::Light);
        let colours = theme.colour_map();
        let context = DrawContext {
            theme,
            colours: &colours,
            frame: Frame {
                width: 720.0,
                height: 280.0,
                pixels: 1.0,
                units: 1.0,
            },
        };
        for settings in [
            "max_len=500&pos=200&k=3",
            "max_len=64&pos=60&k=40",
            "max_len=64&pos=10&k=5000",
            "max_len=1&pos=0&k=0",
        ] {
            let model = Model::linked(&format!("encoding=alibi&{settings}"));
            let (chart, target) = (row_chart(&model, &context), model.target());
            let biases = by_key(&model, target);
            // Press et al. 2021, §3: −(query − key)/2 in the first of 8 heads.
            let expected = |key: f64| (key, -0.5 * (target as f64 - key));
            assert!(biases.iter().all(|it| *it == expected(it.0)), "{settings}");
            assert!(biases.contains(&expected(model.state.pos() as f64)));
            let inside =
                |(key, bias): &(f64, f64)| chart.x.contains(*key) && chart.y.contains(*bias);
            assert!(biases.iter().all(inside), "{settings}");
            assert!(chart.y.domain().0 <= -1.0, "{settings}");
        }
    }

    #[test]
    fn biases_are_those_of_the_offset() {
        // Press et al. 2021, §3: in the first of 8 heads −k/2, and keys after the query are masked.
        let alibi = by_offset(&Model::linked("encoding=alibi&max_len=4"), HEAD);
        assert_eq!(alibi, [(0, 0.0), (1, -0.5), (2, -1.0), (3, -1.5)]);
        let t5 = Model::linked("encoding=t5&pos=9&k=-7");
        let biases = by_offset(&t5, HEAD);
        assert_eq!(biases.len(), 127);
        assert_eq!(
            biases.into_iter().find(|(k, _)| *k == -7),
            Some((-7, t5.bias.unwrap()))
        );
    }
}
