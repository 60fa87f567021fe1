//! Position down, dimension across, value as colour.

use crate::draw::axis::Axis;
use crate::draw::pen::{Words, tag_width, text_width};
use crate::draw::picture::{Image, Part};
use crate::draw::theme::readable_on;
use crate::draw::{ColourMap, DrawResult, Frame, Pen, Picture, Rect, Theme};
use crate::field::{Span, ViewName};
use crate::figure::{Handle, Mapping};
use crate::figures::bench::model::Model;
use crate::figures::bench::view::{Fingerprint, Scene, Target, View};
use crate::math::Clamp;
use crate::text::{labels, number};
use plotters::style::RGBColor;
use posenc_encoding::paint;
use posenc_encoding::{Encoding, Member, Raster, snaps_to_pairs};
use std::ops::Range;

/// The heatmap with its image, which is kept until something it shows changes.
#[derive(Default)]
pub struct HeatmapView {
    raster: Raster,
    image: Vec<u8>,
    size: (u32, u32),
    part: Option<Part>,
    shown: Option<AnyFigure>,
}

/// What one image pixel shows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Grain {
    /// Positions and dimensions under the pixel.
    pub positions: f64,
    pub dimensions: f64,
    /// The dimensions are taken in whole pairs.
    pub whole_pairs: bool,
}

/// What the kept image shows.
#[derive(PartialEq)]
struct AnyFigure {
    encoding: Encoding,
    d_model: usize,
    max_len: usize,
    base: f64,
    layout: posenc_encoding::Layout,
    positions: Span,
    dimensions: Span,
    pixels: (usize, usize),
    negative: [u8; 3],
}

/// Where things stand in the figure.
struct Plan {
    plot: Rect,
    rows: Axis,
    columns: Axis,
    /// Colour bar, right of the plot; `None` where there is no room for it.
    bar: Option<Rect>,
}

/// Height of the band above the plot that holds the mark of the pair, and of the one below for
/// numbers and title, in label sizes.
const ABOVE: f64 = 2.1;
const BELOW: f64 = 3.7;
/// Between two numbers of the position axis, in label sizes.
const TICKS: f64 = 2.6;
/// A plot that would be narrower than this, in label sizes, takes the room of what stands beside it.
const NARROW: f64 = 6.0;

impl Plan {
    fn new(frame: Frame, theme: &Theme, model: &Model) -> Option<Plan> {
        let size = theme.label_size();
        let longest = number::whole(model.state.max_len() as i64 - 1);
        let named = text_width(&longest, size).max(tag_width("pos+k 99 ↑", size));
        let numbered = tag_width(&format!("{longest} ↑"), size).min(named);
        // Beside a narrow plot the marked rows have no names, beside one that is narrow even so there is no colour bar.
        let beside = [(named, 5.3), (numbered, 5.3), (numbered, 0.7)].map(|(left, right)| {
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
        let (positions, dimensions) = (model.state.positions(), model.state.dimensions());
        Some(Plan {
            plot,
            rows: Axis::new(
                (positions.start(), positions.end()),
                (plot.y, plot.bottom()),
            ),
            columns: Axis::new(
                (dimensions.start(), dimensions.end()),
                (plot.x, plot.right()),
            ),
            bar: wide.map(|_| plot.across(plot.right() + 1.2 * size, 0.9 * size)),
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

    fn column(&self, dimension: usize) -> Option<Rect> {
        let (left, width) = stretch(&self.columns, dimension, self.plot.x, self.plot.right())?;
        Some(self.plot.across(left, width))
    }
}

/// Start and length of a cell along an axis, cut to what is in view and never thinner than a
/// visible line.
fn stretch(axis: &Axis, cell: usize, low: f64, high: f64) -> Option<(f64, f64)> {
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
        let titles = [labels::POSITION_AXIS, labels::DIMENSION_AXIS].map(|title| title.get(lang));
        pen.titles(plot, titles, size, theme.ink)?;
        let Some(bar) = plan.bar else {
            return Ok(());
        };
        draw_colour_bar(pen, scene, bar)?;
        let below = (bar.centre_x(), plot.bottom() + 2.25 * size);
        let words = Words::new(size, theme.ink);
        pen.words(below, labels::VALUE_AXIS.get(lang), words)
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
        let cell = |axis: &Axis, pixel: f64, cells: usize| {
            (axis.value(pixel).floor().max(0.0) as usize).min(cells - 1)
        };
        plan.plot.contains(x, y).then(|| Target::Cell {
            position: cell(&plan.rows, y, state.max_len()),
            dimension: cell(&plan.columns, x, state.d_model()),
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
        let dimensions = state.dimensions();
        Grain {
            positions: state.positions().width() / rows as f64,
            dimensions: dimensions.width() / columns as f64,
            whole_pairs: scene.model.waves.as_ref().is_some_and(|waves| {
                snaps_to_pairs(waves, dimensions.start()..dimensions.end(), columns)
            }),
        }
    }

    /// Makes the image: along either axis a pixel for each cell in view, or, where the cells are
    /// finer than the screen's pixels, a pixel for each of those.
    fn refresh(&mut self, scene: &Scene, pixels: (usize, usize)) {
        let state = &scene.model.state;
        let Some(table) = &scene.model.table else {
            return;
        };
        let shown = AnyFigure {
            encoding: state.encoding(),
            d_model: state.d_model(),
            max_len: state.max_len(),
            base: state.base(),
            layout: state.layout(),
            positions: state.positions(),
            dimensions: state.dimensions(),
            pixels,
            negative: scene.colours.colour(-1.0),
        };
        if self.shown.as_ref() == Some(&shown) {
            return;
        }
        let columns = Grid::new(state.dimensions(), pixels.0);
        let rows = Grid::new(state.positions(), pixels.1);
        let window = (rows.cells.clone(), columns.cells.clone());
        let size = (columns.pixels, rows.pixels);
        let values = table.means(&mut self.raster, window.0, window.1, size);
        paint(values, scene.colours.steps(), &mut self.image);
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

/// The pixels of the image along one axis.
struct Grid {
    /// What they cover.
    cells: Range<f64>,
    pixels: usize,
    /// How many of them lie before what is shown, and how many are shown.
    before: f64,
    shown: f64,
}

impl Grid {
    fn new(span: Span, pixels: usize) -> Grid {
        if span.width() > pixels as f64 {
            return Grid {
                cells: span.start()..span.end(),
                pixels,
                before: 0.0,
                shown: pixels as f64,
            };
        }
        let cells = span.start().floor()..span.end().ceil();
        Grid {
            pixels: (cells.end - cells.start) as usize,
            before: span.start() - cells.start,
            shown: span.width(),
            cells,
        }
    }
}

fn draw_colour_bar<DB: Picture>(pen: &Pen<DB>, scene: &Scene, bar: Rect) -> DrawResult<DB> {
    let steps = ColourMap::STEPS;
    let value = |step: usize| 1.0 - 2.0 * step as f32 / (steps - 1) as f32;
    let rgb: Vec<u8> = (0..steps)
        .flat_map(|step| scene.colours.colour(value(step)))
        .collect();
    let size = (1, steps as u32);
    let image = Image {
        size,
        rgb: &rgb,
        part: Part::whole(size),
    };
    pen.image(bar, image)?;
    let theme = scene.theme;
    pen.outline(bar, theme.rule, 1.0, theme.hairline())?;
    let axis = Axis::new((1.0, -1.0), (bar.y, bar.bottom()));
    let size = theme.label_size();
    let values: &[f64] = if bar.height > 8.0 * size {
        &[1.0, 0.5, 0.0, -0.5, -1.0]
    } else {
        &[1.0, 0.0, -1.0]
    };
    for &value in values {
        let y = axis
            .pixel(value)
            .clamped(bar.y + 0.4 * size, bar.bottom() - 0.4 * size);
        let digits = if value.fract() == 0.0 { 0 } else { 1 };
        let text = number::fixed(value, digits);
        pen.words(
            (bar.right() + 0.4 * size, y),
            &text,
            Words::new(size, theme.muted).starting(),
        )?;
    }
    Ok(())
}

/// Numbers in the cells, once the cells are large enough to hold them.
fn draw_cell_values<DB: Picture>(pen: &Pen<DB>, scene: &Scene, plan: &Plan) -> DrawResult<DB> {
    let size = scene.theme.label_size();
    if plan.columns.density() < 3.7 * size || plan.rows.density() < 1.5 * size {
        return Ok(());
    }
    let state = &scene.model.state;
    let cells = |span: Span, count: usize| {
        span.start().floor() as usize..(span.end().ceil() as usize).min(count)
    };
    for position in cells(state.positions(), state.max_len()) {
        for dimension in cells(state.dimensions(), state.d_model()) {
            let (x, y) = (
                plan.columns.pixel(dimension as f64 + 0.5),
                plan.rows.pixel(position as f64 + 0.5),
            );
            let Some(value) = scene.model.cell(position as i64, dimension) else {
                continue;
            };
            let text = number::fixed(value, 3);
            let (half, high) = (text_width(&text, size) / 2.0, 0.6 * size);
            let fits =
                plan.plot.contains(x - half, y - high) && plan.plot.contains(x + half, y + high);
            if !fits {
                continue;
            }
            let ink = readable_on(scene.colours.colour(value as f32));
            pen.words((x, y), &text, Words::new(size, ink))?;
        }
    }
    Ok(())
}

fn draw_marks<DB: Picture>(pen: &Pen<DB>, scene: &Scene, plan: &Plan) -> DrawResult<DB> {
    let (theme, model) = (scene.theme, scene.model);
    let (size, plot) = (theme.label_size(), plan.plot);
    let boxed = |rect: Rect, colour: RGBColor, width: f64| {
        pen.outline(rect, theme.panel, 0.85, width + 2.0)?;
        pen.outline(rect, colour, 1.0, width)
    };
    let dimension = |member| model.member_dimension(model.state.pair(), member);
    let members = [
        (dimension(Member::Sine), theme.sine),
        (dimension(Member::Cosine), theme.cosine),
    ];
    let mut centre = None;
    for (dimension, colour) in members {
        let Some(column) = dimension.and_then(|d| plan.column(d)) else {
            continue;
        };
        boxed(column, colour, theme.hairline())?;
        let flag = column.down(plot.y - 0.5 * size, 0.4 * size);
        pen.fill(flag, colour, 1.0)?;
        centre.get_or_insert(column.centre_x());
    }
    if let Some(x) = centre {
        let text = labels::pair_tag(model.lang, model.state.pair());
        let half = tag_width(&text, size) / 2.0;
        let x = x.clamp(plot.x + half, (plot.right() - half).max(plot.x + half));
        pen.tag(
            (x, plot.y - 1.28 * size),
            &text,
            size,
            theme.muted,
            theme.panel,
        )?;
    }

    let here = plan.row(model.state.pos());
    let there = model.target_row().and_then(|row| plan.row(row));
    if let Some(row) = there {
        boxed(row, theme.there, theme.stroke())?;
    }
    if let Some(row) = here {
        boxed(row, theme.here, theme.stroke())?;
        if let Some(column) = plan.column(model.dimension()) {
            let cell = row.across(column.x, column.width);
            pen.outline(cell, theme.panel, 1.0, theme.stroke() + 2.0)?;
            pen.outline(cell, theme.here, 1.0, theme.stroke())?;
        }
    }

    let mut tags: Vec<Tag> = Vec::new();
    if let Some(row) = model.target_row() {
        tags.push(Tag::new(plan, "pos+k", row, theme.there));
    }
    tags.push(Tag::new(plan, "pos", model.state.pos(), theme.here));
    if let [there, here] = &mut tags[..] {
        spread(&mut here.y, &mut there.y, 1.42 * size, model.state.k() >= 0);
    }
    let space = plot.x - 3.0;
    for tag in &tags {
        // No number is left half under a tag.
        let left = 1.5 * size;
        let behind = Rect::new(left, tag.y - 1.15 * size, space - 2.0 - left, 2.3 * size);
        pen.fill(behind, theme.panel, 1.0)?;
        for tick in plan.rows.whole_ticks(TICKS * size) {
            let y = plan.rows.pixel(tick as f64 + 0.5);
            if (0.5 * size..1.75 * size).contains(&(y - tag.y).abs()) {
                let number = behind.down(y - 0.6 * size, 1.2 * size);
                pen.fill(number, theme.panel, 1.0)?;
            }
        }
    }
    for tag in tags {
        let named = format!(
            "{} {}{}",
            tag.name,
            number::whole(tag.row as i64),
            tag.arrow
        );
        let fits = tag_width(&named, size) <= space - 1.5 * size;
        let words = if fits {
            named
        } else {
            format!("{}{}", number::whole(tag.row as i64), tag.arrow)
        };
        let half = tag_width(&words, size) / 2.0;
        pen.tag((space - half, tag.y), &words, size, tag.colour, theme.panel)?;
    }
    Ok(())
}

/// The name of a marked row beside the plot; where the row is out of view, an arrow points to it.
struct Tag {
    name: &'static str,
    row: usize,
    y: f64,
    arrow: &'static str,
    colour: RGBColor,
}

impl Tag {
    fn new(plan: &Plan, name: &'static str, row: usize, colour: RGBColor) -> Tag {
        let middle = plan.rows.pixel(row as f64 + 0.5);
        let arrow = match middle {
            y if y < plan.plot.y => " ↑",
            y if y > plan.plot.bottom() => " ↓",
            _ => "",
        };
        Tag {
            name,
            row,
            y: middle.clamped(plan.plot.y, plan.plot.bottom()),
            arrow,
            colour,
        }
    }
}

/// Moves two neighbours apart until they are `gap` from each other.
fn spread(a: &mut f64, b: &mut f64, gap: f64, b_below: bool) {
    let missing = gap - (*a - *b).abs();
    if missing > 0.0 {
        let push = if b_below {
            missing / 2.0
        } else {
            -missing / 2.0
        };
        *a -= push;
        *b += push;
    }
}
