//! The position × dimension heatmap with values as colours, or the position × pair heatmap with angles as colours.
//! Positions increase downwards.

mod brackets;
mod grain;
mod layout;
mod marks;
mod picture;
mod slide;

pub use grain::Grain;

use crate::draw::text_style::TextStyle;
use crate::draw::{Image, Part, Point};
use crate::draw::{Pen, PhaseMap, Rect, Scale};
use crate::field::settings::{MEMBER, PAIR, POS};
use crate::field::{SettingId, Span, ViewName};
use crate::figure::{Handle, Mapping};
use crate::figures::bench::columns::Arrangement;
use crate::figures::bench::model::Model;
use crate::figures::bench::view::{Hit, Scene, View};
use crate::text::{labels, number};
use brackets::{draw_brackets, draw_column_axis, fade};
use layout::{Legend, Plan, TICKS, axis};
use marks::draw_marks;
use picture::{Grid, draw_cell_values, draw_colour_bar, draw_hands};
use posenc_encoding::{
    Encoding, HeatmapSampler, MAX_LEN, Sinusoidal, colour_angles, colour_values, snaps_to_pairs,
};
use slide::Columns;
use std::rc::Rc;

/// The heatmap with its cached image, which is rendered again when anything it depends on changes.
#[derive(Default)]
pub struct HeatmapView {
    sampler: HeatmapSampler,
    /// Samples the magnified rows.
    rows: HeatmapSampler,
    image: Vec<u8>,
    shown: Option<ImageKey>,
    /// The columns while they slide.
    slide: Option<(ImageKey, Columns)>,
}

/// Everything on which the cached images depend.
#[derive(PartialEq)]
struct ImageKey {
    encoding: Encoding,
    d_model: usize,
    max_len: usize,
    base: f64,
    layout: posenc_encoding::Layout,
    order: posenc_encoding::Layout,
    phase: bool,
    positions: Span,
    columns: Span,
    pixels: (usize, usize),
    negative: [u8; 3],
}

impl View for HeatmapView {
    const NAME: ViewName = ViewName::Heatmap;
    const NOT_IN_AXES: &'static [SettingId] =
        &[SettingId::Pair, SettingId::Member, SettingId::Compare];

    type Layout = Plan;

    fn layout(scene: &Scene) -> Option<Plan> {
        Plan::new(scene.frame, scene.theme, scene.model)
    }

    fn draw_axes(&self, pen: &Pen, scene: &Scene, plan: &Plan) {
        let (theme, lang, plot) = (scene.theme, scene.model.lang, plan.plot);
        let size = theme.label_size();
        let label = TextStyle::new(size, theme.muted);
        for tick in plan.rows.whole_ticks(TICKS * size) {
            let y = plan.rows.pixel(tick as f64 + 0.5);
            if y < plot.bottom() {
                let at = (plot.x - 0.9 * size, y);
                pen.text(at, &number::whole(tick), label.align_right());
            }
        }
        // The name of the position axis is at its start, that of the column axis at its end.
        let down = format!("{} ↓", labels::POS_AXIS.get(lang));
        pen.text((0.2 * size, 0.95 * size), &down, label.align_left());
        draw_column_axis(pen, scene, plan);
        match plan.legend {
            None => {}
            Some(Legend::Bar(bar)) => draw_colour_bar(pen, scene, bar),
            Some(Legend::Wheel(circle, quarters)) => {
                PhaseMap::new(theme).wheel(pen, theme, circle, quarters);
                let below = |lines: f64| circle.centre + (0.0, circle.radius + lines * size);
                let gap = if quarters == 4 { 2.2 } else { 1.1 };
                let style = TextStyle::new(size, theme.ink);
                pen.text(below(gap), labels::ANGLE_AXIS.get(lang), style);
                pen.text(below(gap + 1.3), "pos·ωᵢ", style);
            }
        }
    }

    fn draw(&mut self, pen: &Pen, scene: &Scene, plan: &Plan) {
        match scene.model.sliding() {
            Some(arrangement) => self.draw_sliding(pen, scene, plan, arrangement),
            None => {
                self.slide = None;
                self.draw_at_rest(pen, scene, plan);
            }
        }
        if let Some(Legend::Wheel(circle, _)) = plan.legend {
            draw_hands(pen, scene, circle);
        }
        draw_marks(pen, scene, plan);
    }

    fn handles(&self, scene: &Scene, plan: &Plan) -> Vec<Handle> {
        if !scene.model.shows(ViewName::Heatmap) {
            return Vec::new();
        }
        let column = |area: Handle| {
            let area = area.sets(PAIR, Mapping::Custom);
            match scene.model.state.shows_phase() {
                true => area,
                false => area.sets(MEMBER, Mapping::Custom),
            }
        };
        let cells = column(Handle::area(plan.plot).sets(POS, Mapping::Custom));
        let rows = plan.magnified.into_iter().flatten();
        let rows = rows.map(|row| column(Handle::area(row)));
        std::iter::once(cells).chain(rows).collect()
    }

    fn hit_test(&self, scene: &Scene, plan: &Plan, at: Point) -> Option<Hit> {
        let state = &scene.model.state;
        let cell = |axis: &Scale, pixel: f64, cells: usize| {
            (axis.value(pixel).floor().max(0.0) as usize).min(cells - 1)
        };
        let column = |columns: usize| cell(&plan.columns, at.x, columns);
        let dimension = || match state.shows_phase() {
            true => {
                let pair = column(state.d_model().div_ceil(2));
                scene.model.dimension_of(pair, state.member())
            }
            false => scene.model.dimension_at(column(state.d_model())),
        };
        let magnified = |index: usize| plan.magnified.is_some_and(|rows| rows[index].contains(at));
        let position = if plan.plot.contains(at) {
            cell(&plan.rows, at.y, state.max_len())
        } else if magnified(0) {
            state.pos()
        } else if magnified(1) {
            let target = scene.model.target();
            return Some(Hit::Magnified {
                position: is_magnified(scene.model, target).then_some(target as usize),
                dimension: dimension(),
            });
        } else {
            return None;
        };
        Some(Hit::Cell {
            position,
            dimension: dimension(),
        })
    }
}

impl HeatmapView {
    /// The x coordinate of the position scrollbar, in CSS pixels.
    pub fn scrollbar(scene: &Scene) -> f64 {
        let plan = scene.layout::<HeatmapView>();
        plan.map_or(0.0, |plan| plan.scrollbar(scene.theme))
    }

    /// Draws the map, with a cached image, and the magnified rows.
    fn draw_at_rest(&mut self, pen: &Pen, scene: &Scene, plan: &Plan) {
        let key = ImageKey::new(scene, plan);
        let columns = Grid::new(axis(scene.model), key.pixels.0);
        let rows = Grid::new(scene.model.state.positions(), key.pixels.1);
        if self.shown.as_ref() != Some(&key) {
            paint(&mut self.sampler, scene, &rows, &columns, &mut self.image);
            self.shown = Some(key);
        }
        pen.image(plan.plot, image(&self.image, &columns, &rows));
        fade(pen, scene, plan, plan.plot);
        draw_cell_values(pen, scene, plan);
        for (row, place) in magnified(pen, scene, plan) {
            let mut rgb = Vec::new();
            paint(&mut self.rows, scene, &row, &columns, &mut rgb);
            pen.image(place, image(&rgb, &columns, &row));
            fade(pen, scene, plan, place);
        }
        draw_brackets(pen, scene, plan);
    }

    /// Draws the map and the magnified rows with columns on their way.
    fn draw_sliding(&mut self, pen: &Pen, scene: &Scene, plan: &Plan, arrangement: Arrangement) {
        let key = ImageKey::new(scene, plan);
        let pixels = key.pixels.0;
        let rows = Grid::new(scene.model.state.positions(), key.pixels.1);
        let columns = match self.slide.take() {
            Some((known, columns)) if known == key => columns,
            _ => Columns::new(&mut self.sampler, scene, &rows),
        };
        let mut rgb = Vec::new();
        let draw = |columns: &Columns, rows: &Grid, place, rgb: &mut Vec<u8>| {
            columns.arrange(scene, arrangement, pixels, rgb);
            let across = Grid::of_pixels(pixels);
            pen.image(place, image(rgb, &across, rows));
        };
        draw(&columns, &rows, plan.plot, &mut rgb);
        for (row, place) in magnified(pen, scene, plan) {
            draw(
                &Columns::new(&mut self.rows, scene, &row),
                &row,
                place,
                &mut rgb,
            );
        }
        self.slide = Some((key, columns));
    }

    /// The plot's rectangle in CSS pixels, for zooming and panning; `None` if the encoding has none.
    pub fn plot(scene: &Scene) -> Option<Rect> {
        if !scene.model.shows(ViewName::Heatmap) {
            return None;
        }
        scene.layout::<HeatmapView>().map(|plan| plan.plot)
    }

    /// The number of cells per image pixel.
    pub fn grain(scene: &Scene) -> Grain {
        let plan = scene.layout::<HeatmapView>();
        let Some(plan) = plan.filter(|_| scene.model.shows(ViewName::Heatmap)) else {
            return Grain::default();
        };
        let (columns, rows) = plan.image_size(scene.frame);
        let state = &scene.model.state;
        let (angles, shown) = (state.shows_phase(), axis(scene.model));
        let waves = scene.model.ordered.as_ref().or(scene.model.waves.as_ref());
        let snaps =
            |waves: &&Rc<Sinusoidal>| snaps_to_pairs(waves, shown.start()..shown.end(), columns);
        Grain {
            positions: state.positions().width() / rows as f64,
            columns: shown.width() / columns as f64,
            angles,
            whole_pairs: !angles && waves.as_ref().is_some_and(snaps),
        }
    }
}

impl ImageKey {
    fn new(scene: &Scene, plan: &Plan) -> ImageKey {
        let state = &scene.model.state;
        ImageKey {
            encoding: state.encoding(),
            d_model: state.d_model(),
            max_len: state.max_len(),
            base: state.base(),
            layout: state.layout(),
            order: scene.model.column_order(),
            phase: state.shows_phase(),
            positions: state.positions(),
            columns: axis(scene.model),
            pixels: plan.image_size(scene.frame),
            negative: scene.colours.colour(-1.0),
        }
    }
}

/// The image of a grid.
fn image<'a>(rgb: &'a [u8], columns: &Grid, rows: &Grid) -> Image<'a> {
    Image {
        size: (columns.pixels as u32, rows.pixels as u32),
        rgb,
        part: Part {
            left: columns.before,
            top: rows.before,
            width: columns.shown,
            height: rows.shown,
        },
    }
}

/// Whether there is a row to magnify: waves have one at every position of the longest table, other encodings only within
/// their own.
fn is_magnified(model: &Model, row: i64) -> bool {
    let rows = match model.waves {
        Some(_) => MAX_LEN,
        None => model.state.max_len(),
    };
    (0..rows as i64).contains(&row)
}

/// Outlines the places of the magnified rows of pos and of pos+k, and returns the rows that there are with their places.
fn magnified(pen: &Pen, scene: &Scene, plan: &Plan) -> Vec<(Grid, Rect)> {
    let (model, theme) = (scene.model, scene.theme);
    let rows = model.magnified_rows().into_iter();
    let mut shown = Vec::new();
    for (row, place) in rows.zip(plan.magnified.into_iter().flatten()) {
        pen.outline(place, theme.rule, 1.0, theme.hairline());
        if is_magnified(model, row) {
            shown.push((Grid::row(row as f64), place));
        }
    }
    shown
}

/// Writes the colours of the cells of a grid to `rgb`.
fn paint(
    sampler: &mut HeatmapSampler,
    scene: &Scene,
    rows: &Grid,
    columns: &Grid,
    rgb: &mut Vec<u8>,
) {
    let model = scene.model;
    let window = (rows.cells.clone(), columns.cells.clone());
    let (width, height) = (columns.pixels, rows.pixels);
    match (&model.waves, model.ordered_table()) {
        (Some(waves), _) if model.state.shows_phase() => {
            let vectors = sampler.render_vectors(waves, window.0, window.1, width, height);
            let map = PhaseMap::new(scene.theme);
            colour_angles(vectors, map.steps(), PhaseMap::NEUTRAL, rgb);
        }
        (_, Some(table)) => {
            let values = table.means(sampler, window.0, window.1, (width, height));
            paint_shares(values, scene, rgb);
        }
        (_, None) => {}
    }
}

/// Writes the colours of values to `rgb`, relative to the limit of the colour scale.
fn paint_shares(values: &[f32], scene: &Scene, rgb: &mut Vec<u8>) {
    let most = scene.model.value_range().colour_limit;
    let colours = scene.colours.steps();
    if most == 1.0 {
        return colour_values(values, colours, rgb);
    }
    let shares: Vec<f32> = values.iter().map(|value| value / most as f32).collect();
    colour_values(&shares, colours, rgb);
}
