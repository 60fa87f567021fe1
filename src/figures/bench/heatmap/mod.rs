//! Position down, dimension across, value as colour; or pair across, its angle as colour.

mod picture;

use crate::draw::pen::{Words, tag_width, text_width};
use crate::draw::picture::{Image, Part};
use crate::draw::{Circle, DrawResult, Frame, Pen, PhaseMap, Picture, Rect, Scale, Theme};
use crate::field::{Span, ViewName};
use crate::figure::{Handle, Mapping};
use crate::figures::bench::model::Model;
use crate::figures::bench::view::{Fingerprint, Scene, Target, View};
use crate::text::{labels, number};
use picture::{Grid, draw_cell_values, draw_colour_bar, draw_hands, draw_marks};
use posenc_encoding::{Encoding, Raster, Sinusoidal, paint, paint_angles, snaps_to_pairs};
use std::rc::Rc;

/// The heatmap with its image, which is kept until something it shows changes.
#[derive(Default)]
pub struct HeatmapView {
    raster: Raster,
    image: Vec<u8>,
    size: (u32, u32),
    part: Option<Part>,
    shown: Option<ImageKey>,
}

/// What one image pixel shows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Grain {
    /// Positions and dimensions, or pairs, under the pixel.
    pub positions: f64,
    pub columns: f64,
    /// A column is a pair, and what is averaged are angles.
    pub angles: bool,
    /// The dimensions are taken in whole pairs.
    pub whole_pairs: bool,
}

/// What the kept image shows.
#[derive(PartialEq)]
struct ImageKey {
    encoding: Encoding,
    d_model: usize,
    max_len: usize,
    base: f64,
    layout: posenc_encoding::Layout,
    phase: bool,
    positions: Span,
    columns: Span,
    pixels: (usize, usize),
    negative: [u8; 3],
}

/// Where things stand in the figure.
struct Plan {
    plot: Rect,
    rows: Scale,
    /// Of dimensions, or of pairs where those are shown.
    columns: Scale,
    /// Right of the plot; `None` where there is no room for it.
    legend: Option<Legend>,
}

/// What says which colour stands for what.
#[derive(Clone, Copy)]
enum Legend {
    Bar(Rect),
    /// A colour wheel, and how many quarters of it are numbered.
    Wheel(Circle, usize),
}

/// Height of the band above the plot that holds the mark of the pair, and of the one below for
/// numbers and title, in label sizes.
const ABOVE: f64 = 2.1;
const BELOW: f64 = 3.7;
/// Between two numbers of the position axis, in label sizes.
const TICKS: f64 = 2.6;
/// Radius of the colour wheel, in label sizes.
const WHEEL: f64 = 1.75;
/// A plot that would be narrower than this, in label sizes, takes the room of what stands beside it.
const NARROW: f64 = 6.0;

impl Plan {
    fn new(frame: Frame, theme: &Theme, model: &Model) -> Option<Plan> {
        let size = theme.label_size();
        let longest = number::whole(model.state.max_len() as i64 - 1);
        let named = text_width(&longest, size).max(tag_width("pos+k 99 ↑", size));
        let numbered = tag_width(&format!("{longest} ↑"), size).min(named);
        // Beside a narrow plot the marked rows have no names, beside one that is narrow even so there is no colour bar.
        let phase = model.state.shows_phase();
        // The numbers of two quarters take less room than those of four.
        let quarters = if frame.width < 40.0 * size { 2 } else { 4 };
        let legend = match (phase, quarters) {
            (false, _) => 5.3,
            (true, 2) => 6.4,
            (true, _) => 8.9,
        };
        let beside = [(named, legend), (numbered, legend), (numbered, 0.7)].map(|(left, right)| {
            let left = 2.2 * size + left;
            Rect::inside(frame, left, ABOVE * size, right * size, BELOW * size)
        });
        let wide = beside[..2]
            .iter()
            .position(|plot| plot.width >= NARROW * size);
        let plot = beside[wide.unwrap_or(2)];
        if plot.is_empty() {
            return None;
        }
        let (positions, columns) = (model.state.positions(), axis(model));
        let legend = |_| match phase {
            false => Legend::Bar(plot.across(plot.right() + 1.2 * size, 0.9 * size)),
            true => {
                let numbered = if quarters == 2 { 0.8 } else { 3.3 };
                let centre = (
                    plot.right() + (numbered + WHEEL) * size,
                    plot.y + (1.1 + WHEEL) * size,
                );
                let radius = WHEEL * size;
                Legend::Wheel(Circle { centre, radius }, quarters)
            }
        };
        Some(Plan {
            plot,
            rows: Scale::new(
                (positions.start(), positions.end()),
                (plot.y, plot.bottom()),
            ),
            columns: Scale::new((columns.start(), columns.end()), (plot.x, plot.right())),
            legend: wide.map(legend),
        })
    }

    /// The plot's size in the screen's pixels.
    fn image_size(&self, frame: Frame) -> (usize, usize) {
        let pixels = |v: f64| (v * frame.pixels).round().max(1.0) as usize;
        (pixels(self.plot.width), pixels(self.plot.height))
    }

    /// The part of a row of cells that is in view.
    fn row(&self, position: usize) -> Option<Rect> {
        let (top, height) = stretch(&self.rows, position, self.plot.y, self.plot.bottom())?;
        Some(self.plot.down(top, height))
    }

    fn column(&self, column: usize) -> Option<Rect> {
        let (left, width) = stretch(&self.columns, column, self.plot.x, self.plot.right())?;
        Some(self.plot.across(left, width))
    }
}

/// What the columns show: dimensions, or pairs, which are two dimensions wide wherever the layout puts these; of an odd
/// width the last column is half a pair.
fn axis(model: &Model) -> Span {
    let dimensions = model.state.dimensions();
    match model.state.shows_phase() {
        true => dimensions.halved(),
        false => dimensions,
    }
}

/// Start and length of a cell along an axis, cut to what is in view and never thinner than a
/// visible line.
fn stretch(axis: &Scale, cell: usize, low: f64, high: f64) -> Option<(f64, f64)> {
    const THINNEST: f64 = 2.0;
    let (a, b) = (axis.pixel(cell as f64), axis.pixel(cell as f64 + 1.0));
    if b <= low || a >= high {
        return None;
    }
    let widen = ((THINNEST - (b - a)) / 2.0).max(0.0);
    let start = (a - widen).max(low);
    Some((start, (b + widen).min(high) - start))
}

impl View for HeatmapView {
    const NAME: ViewName = ViewName::Heatmap;

    fn fingerprint(&self, scene: &Scene) -> Fingerprint {
        let state = &scene.model.state;
        let (p, d) = (state.positions(), state.dimensions());
        [
            p.start(),
            p.end(),
            d.start(),
            d.end(),
            state.max_len() as f64,
            f64::from(u8::from(state.shows_phase())),
        ]
        .map(f64::to_bits)
        .to_vec()
    }

    fn draw_axes<DB: Picture>(&self, pen: &Pen<DB>, scene: &Scene) -> DrawResult<DB> {
        let Some(plan) = Plan::new(scene.frame, scene.theme, scene.model) else {
            return Ok(());
        };
        let (theme, lang, plot) = (scene.theme, scene.model.lang, plan.plot);
        let size = theme.label_size();
        let label = Words::new(size, theme.muted);
        let rows = plan.rows.whole_ticks(TICKS * size).into_iter();
        let rows: Vec<_> = rows
            .map(|tick| (tick, plan.rows.pixel(tick as f64 + 0.5)))
            .filter(|(_, y)| *y < plot.bottom())
            .collect();
        let columns = plan.columns.whole_ticks(6.0 * size).into_iter();
        let columns: Vec<_> = columns
            .map(|tick| (tick, plan.columns.pixel(tick as f64 + 0.5)))
            .filter(|(_, x)| *x < plot.right())
            .collect();
        let (left, low) = (plot.x - 1.0, plot.bottom() + 1.0);
        let teeth: Vec<_> = rows
            .iter()
            .map(|&(_, y)| [(left, y), (left - 3.0, y)])
            .collect();
        pen.comb(&teeth, theme.muted, theme.hairline())?;
        let teeth: Vec<_> = columns
            .iter()
            .map(|&(_, x)| [(x, low), (x, low + 3.0)])
            .collect();
        pen.comb(&teeth, theme.muted, theme.hairline())?;
        for (tick, y) in rows {
            pen.words((plot.x - 7.0, y), &number::whole(tick), label.ending())?;
        }
        for (tick, x) in columns {
            pen.words(
                (x, plot.bottom() + 0.95 * size),
                &number::whole(tick),
                label,
            )?;
        }
        let across = match scene.model.state.shows_phase() {
            true => labels::PAIR_AXIS,
            false => labels::DIMENSION_AXIS,
        };
        let titles = [labels::POSITION_AXIS, across].map(|title| title.get(lang));
        pen.titles(plot, titles, size, theme.ink)?;
        let words = Words::new(size, theme.ink);
        match plan.legend {
            None => Ok(()),
            Some(Legend::Bar(bar)) => {
                draw_colour_bar(pen, scene, bar)?;
                let below = (bar.centre_x(), plot.bottom() + 2.25 * size);
                pen.words(below, labels::VALUE_AXIS.get(lang), words)
            }
            Some(Legend::Wheel(circle, quarters)) => {
                PhaseMap::new(theme).wheel(pen, theme, circle, quarters)?;
                let (x, y) = circle.centre;
                let below = |lines: f64| (x, y + circle.radius + lines * size);
                let gap = if quarters == 4 { 2.2 } else { 1.1 };
                pen.words(below(gap), labels::ANGLE_AXIS.get(lang), words)?;
                pen.words(below(gap + 1.3), "pos·ωᵢ", words)
            }
        }
    }

    fn draw<DB: Picture>(&mut self, pen: &Pen<DB>, scene: &Scene) -> DrawResult<DB> {
        let Some(plan) = Plan::new(scene.frame, scene.theme, scene.model) else {
            return Ok(());
        };
        let pixels = plan.image_size(scene.frame);
        self.refresh(scene, pixels);
        let image = Image {
            size: self.size,
            rgb: &self.image,
            part: self.part.unwrap_or(Part::whole(self.size)),
        };
        pen.image(plan.plot, image)?;
        if let Some(Legend::Wheel(circle, _)) = plan.legend {
            draw_hands(pen, scene, circle)?;
        }
        draw_cell_values(pen, scene, &plan)?;
        draw_marks(pen, scene, &plan)
    }

    fn handles(&self, scene: &Scene) -> Vec<Handle> {
        let cells = |plot| {
            let cell = Handle::area(plot).sets("pos", Mapping::Own);
            cell.sets("pair", Mapping::Own).sets("member", Mapping::Own)
        };
        HeatmapView::plot(scene).map(cells).into_iter().collect()
    }

    fn target(&self, scene: &Scene, x: f64, y: f64) -> Option<Target> {
        let plan = Plan::new(scene.frame, scene.theme, scene.model)?;
        let state = &scene.model.state;
        let cell = |axis: &Scale, pixel: f64, cells: usize| {
            (axis.value(pixel).floor().max(0.0) as usize).min(cells - 1)
        };
        let column = |columns: usize| cell(&plan.columns, x, columns);
        let dimension = || match state.shows_phase() {
            true => {
                let pair = column(state.d_model().div_ceil(2));
                scene.model.dimension_of(pair, state.member())
            }
            false => column(state.d_model()),
        };
        plan.plot.contains(x, y).then(|| Target::Cell {
            position: cell(&plan.rows, y, state.max_len()),
            dimension: dimension(),
        })
    }
}

impl HeatmapView {
    /// The plot's rectangle in CSS pixels, for whoever zooms and pans.
    pub fn plot(scene: &Scene) -> Option<Rect> {
        if !scene.model.has_table() {
            return None;
        }
        Plan::new(scene.frame, scene.theme, scene.model).map(|plan| plan.plot)
    }

    /// How cells and image pixels relate.
    pub fn grain(scene: &Scene) -> Grain {
        let plan = Plan::new(scene.frame, scene.theme, scene.model);
        let Some(plan) = plan.filter(|_| scene.model.has_table()) else {
            return Grain::default();
        };
        let (columns, rows) = plan.image_size(scene.frame);
        let state = &scene.model.state;
        let (angles, shown) = (state.shows_phase(), axis(scene.model));
        let snaps =
            |waves: &Rc<Sinusoidal>| snaps_to_pairs(waves, shown.start()..shown.end(), columns);
        Grain {
            positions: state.positions().width() / rows as f64,
            columns: shown.width() / columns as f64,
            angles,
            whole_pairs: !angles && scene.model.waves.as_ref().is_some_and(snaps),
        }
    }

    /// Makes the image: along either axis a pixel for each cell in view, or, where the cells are
    /// finer than the screen's pixels, a pixel for each of those.
    fn refresh(&mut self, scene: &Scene, pixels: (usize, usize)) {
        let state = &scene.model.state;
        let Some(table) = &scene.model.table else {
            return;
        };
        let shown = ImageKey {
            encoding: state.encoding(),
            d_model: state.d_model(),
            max_len: state.max_len(),
            base: state.base(),
            layout: state.layout(),
            phase: state.shows_phase(),
            positions: state.positions(),
            columns: axis(scene.model),
            pixels,
            negative: scene.colours.colour(-1.0),
        };
        if self.shown.as_ref() == Some(&shown) {
            return;
        }
        let columns = Grid::new(axis(scene.model), pixels.0);
        let rows = Grid::new(state.positions(), pixels.1);
        let window = (rows.cells.clone(), columns.cells.clone());
        let size = (columns.pixels, rows.pixels);
        match (&scene.model.waves, shown.phase) {
            (Some(waves), true) => {
                let (width, height) = size;
                let vectors =
                    (self.raster).render_vectors(waves, window.0, window.1, width, height);
                let map = PhaseMap::new(scene.theme);
                paint_angles(vectors, map.steps(), PhaseMap::NEUTRAL, &mut self.image);
            }
            _ => {
                let values = table.means(&mut self.raster, window.0, window.1, size);
                paint(values, scene.colours.steps(), &mut self.image);
            }
        }
        self.size = (columns.pixels as u32, rows.pixels as u32);
        self.part = Some(Part {
            left: columns.before,
            top: rows.before,
            width: columns.shown,
            height: rows.shown,
        });
        self.shown = Some(shown);
    }
}
