//! The marks of the selection: brackets around the rows of pos and pos+k and above the columns of the pair, and lines
//! from the rows to their magnified copies. They leave the selected cells uncovered.

use super::layout::{Legend, Plan, TICKS};
use crate::draw::text_style::TextStyle;
use crate::draw::{Pen, Rect, keep_apart};
use crate::figures::bench::view::Scene;
use crate::math::Clamp;
use crate::text::{labels, number};
use plotters::style::RGBColor;
use posenc_encoding::Member;

/// Rows that are lower than this, in label sizes, are marked by a dash: a bracket of their height would look like a letter.
const LOW_ROW: f64 = 0.8;
/// Minimum size of cells, in CSS pixels, for the selected one to be outlined in the map too.
const LARGE_CELL: f64 = 9.0;

pub(super) fn draw_marks(pen: &Pen, scene: &Scene, plan: &Plan) {
    draw_pair(pen, scene, plan);
    draw_selected(pen, scene, plan);
    draw_rows(pen, scene, plan);
}

/// The columns of a pair that are in view: its two dimensions, as one if they are adjacent, or the pair itself in the
/// heatmap of angles.
fn columns_of(scene: &Scene, plan: &Plan, pair: usize) -> Vec<Rect> {
    let model = scene.model;
    if model.state.shows_phase() {
        return plan.column(pair as f64).into_iter().collect();
    }
    let places = [Member::Sine, Member::Cosine].map(|member| model.drawn_column(pair, member));
    let columns: Vec<Rect> = places
        .into_iter()
        .filter_map(|place| plan.column(place?))
        .collect();
    match columns[..] {
        [a, b] if (b.x - a.right()).abs() < 1.5 => vec![a.union(b)],
        _ => columns,
    }
}

/// Draws brackets above the columns of the selected pair, with its name, and of the pair under the pointer, joined if they
/// are apart; frames the selected pair's columns in the magnified rows.
fn draw_pair(pen: &Pen, scene: &Scene, plan: &Plan) {
    let (theme, model, plot) = (scene.theme, scene.model, plan.plot);
    let size = theme.label_size();
    let selected = model.state.pair();
    let bracket = |pair: usize, width: f64| {
        let columns = columns_of(scene, plan, pair);
        let foot = plot.y - 0.15 * size;
        let top = foot - 0.4 * size;
        if let [sine, cosine] = columns[..] {
            let (from, to) = (sine.right().min(cosine.right()), sine.x.max(cosine.x));
            pen.line(&[(from, top), (to, top)], theme.accent, theme.hairline());
        }
        for column in &columns {
            let (left, right) = (column.x, column.right());
            let line = [(left, foot), (left, top), (right, top), (right, foot)];
            pen.line(&line, theme.accent, width);
        }
        columns
    };
    if let Some(pair) = model.pointed_pair() {
        bracket(pair, theme.hairline());
    }
    let columns = bracket(selected, theme.stroke());
    if let Some([here, there]) = plan.magnified {
        for column in &columns {
            let frame = here.union(there).across(column.x, column.width);
            pen.outline(frame.inset(-1.0), theme.accent, 1.0, theme.stroke());
        }
    }
    // The name is placed above the middle, between that of the position axis and the colour bar.
    let Some(all) = columns.into_iter().reduce(Rect::union) else {
        return;
    };
    let text = match selected < model.pairs() {
        true => labels::pair_tag(model.lang, selected),
        false => labels::ZERO_COLUMN.get(model.lang).into(),
    };
    let style = TextStyle::new(size, theme.accent).bold();
    let axis = TextStyle::new(size, theme.muted).width(labels::POS_AXIS.get(model.lang));
    let low = axis + 2.0 * size;
    let high = match plan.legend {
        Some(Legend::Bar(bar)) => bar.x - 2.0 * size,
        _ => plot.right(),
    };
    let half = style.width(&text) / 2.0;
    if high - low >= 2.0 * half {
        let x = all.centre_x().clamped(low + half, high - half);
        pen.text((x, plot.y - 1.2 * size), &text, style);
    }
}

/// Outlines the selected cell in its magnified row and, if cells are large, in the map.
fn draw_selected(pen: &Pen, scene: &Scene, plan: &Plan) {
    let (theme, model) = (scene.theme, scene.model);
    let pair = model.state.pair();
    let selected = match model.state.shows_phase() {
        true => pair as f64,
        false => {
            let drawn = model.drawn_column(pair, model.state.member());
            drawn.unwrap_or(model.column_index(model.dimension()) as f64)
        }
    };
    let Some(column) = plan.column(selected) else {
        return;
    };
    let outlined = |cell: Rect| {
        pen.outline(cell, theme.panel, 1.0, theme.hairline() + 2.0);
        pen.outline(cell, theme.here, 1.0, theme.hairline());
    };
    if let Some([here, _]) = plan.magnified {
        outlined(here.across(column.x, column.width));
    }
    match plan.row(model.state.pos() as f64) {
        Some(row) if row.height >= LARGE_CELL && column.width >= LARGE_CELL => {
            outlined(row.across(column.x, column.width));
        }
        _ => {}
    }
}

/// A marked row: that of pos or of pos+k.
struct Marked {
    /// Its visible part, if any.
    row: Option<Rect>,
    /// The y coordinate of its number.
    y: f64,
    text: String,
    /// The number of the row that is magnified.
    magnified: String,
    colour: RGBColor,
}

fn draw_rows(pen: &Pen, scene: &Scene, plan: &Plan) {
    let (theme, model, plot) = (scene.theme, scene.model, plan.plot);
    let size = theme.label_size();
    let width = 0.75 * theme.stroke();
    let marked = |place: f64, position: i64, row: i64, colour| {
        let middle = plan.rows.pixel(place + 0.5);
        let arrow = match middle {
            y if y < plot.y => "↑",
            y if y > plot.bottom() => "↓",
            _ => "",
        };
        Marked {
            row: plan.row(place).filter(|_| place >= 0.0),
            y: middle.clamped(plot.y + 0.4 * size, plot.bottom() - 0.4 * size),
            text: format!("{arrow}{}", number::whole(position)),
            magnified: number::whole(row),
            colour,
        }
    };
    let (pos, k) = model.marked_place();
    let [here, there] = model.magnified_rows();
    let mut rows = [
        marked(pos, model.drawn_pos(), here, theme.here),
        marked(pos + k, model.drawn_target(), there, theme.there),
    ];
    {
        let [here, there] = &mut rows;
        let (upper, lower) = match model.state.k() >= 0 {
            true => (&mut here.y, &mut there.y),
            false => (&mut there.y, &mut here.y),
        };
        keep_apart(upper, lower, 1.15 * size);
    }
    let together = model.state.k() == 0;
    let number_at = plot.x - 0.9 * size;
    let bold = |colour| TextStyle::new(size, colour).bold().align_right();
    // Erases numbers of the axis that would be partly covered by one of these.
    for marked in &rows {
        let mut behind = pen.text_bounds((number_at, marked.y), &marked.text, bold(marked.colour));
        for tick in plan.rows.whole_ticks(TICKS * size) {
            let y = plan.rows.pixel(tick as f64 + 0.5);
            if (y - marked.y).abs() < 1.1 * size {
                let number = Rect::new(0.0, y - 0.65 * size, plot.x - 0.5 * size, 1.3 * size);
                behind = behind.union(number);
            }
        }
        pen.fill(behind.within(scene.frame), theme.panel, 1.0);
    }
    for (index, marked) in rows.iter().enumerate().rev() {
        if index == 1 && together {
            continue;
        }
        let at = (number_at, marked.y);
        pen.text(at, &marked.text, bold(marked.colour));
        let (left, right) = (plot.x - 0.2 * size, plot.right() + 0.2 * size);
        if let Some(row) = marked.row {
            let (top, bottom) = (row.y, row.bottom());
            for (side, tooth) in [(left, -0.35), (right, 0.35)] {
                let back = side + tooth * size;
                if row.height < LOW_ROW * size {
                    let middle = row.centre_y();
                    let across = width.max(0.6 * row.height);
                    pen.line(&[(back, middle), (side, middle)], marked.colour, across);
                    continue;
                }
                let line = [(side, top), (back, top), (back, bottom), (side, bottom)];
                pen.line(&line, marked.colour, width);
            }
        }
        let Some(places) = plan.magnified else {
            continue;
        };
        let place = places[index];
        if let Some(row) = marked.row {
            // The two lines bend at different places, so that they do not overlap.
            let x = right + [0.65, 1.1][index] * size;
            let line = [
                (right + 0.35 * size, row.centre_y()),
                (x, row.centre_y()),
                (x, place.centre_y()),
                (right, place.centre_y()),
            ];
            pen.line(&line, marked.colour, theme.hairline());
        }
        let text = &marked.magnified;
        let style = TextStyle::new(size, theme.panel).bold();
        let style = style.fitting(text, plot.x - 1.1 * size);
        let half = style.width(text) / 2.0 + 0.35 * size;
        let middle = ((plot.x - 0.4 * size - half).max(half), place.centre_y());
        pen.fill(
            Rect::centred(middle, 2.0 * half, 1.6 * size),
            marked.colour,
            1.0,
        );
        pen.text(middle, text, style);
    }
}
