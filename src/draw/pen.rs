//! Drawing in CSS pixels on a plotters area with finer units: lines are not rounded to whole
//! pixels, and slow motion does not jitter.

use crate::draw::backend::{self, AnyBackend, Backend};
use crate::draw::text_style::{FONT, TextStyle, tag_width};
use crate::draw::{Frame, Image, Point, Rect, Vec2};
use crate::math::Clamp;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{Drawable, PathElement, PointCollection, Polygon, Rectangle, Text};
use plotters::style::text_anchor::Pos;
use plotters::style::{
    Color, FontDesc, FontFamily, FontStyle, FontTransform, RGBAColor, RGBColor, ShapeStyle,
};
use posenc_encoding::sin_cos;
use std::cell::Cell;
use std::f64::consts::{PI, TAU};

/// How far the middle of a chord may be from its arc, in CSS pixels: as far as points are moved when they are rounded to the
/// units of the backends.
const MAX_SAGITTA: f64 = 1.0 / 16.0;

/// Draws a picture. The methods return no result: a page cannot react to a backend that fails.
pub struct Pen {
    area: DrawingArea<AnyBackend, Shift>,
    frame: Frame,
}

impl Pen {
    pub fn new(backend: impl Backend + 'static, frame: Frame) -> Pen {
        Pen {
            area: AnyBackend::new(backend).into_drawing_area(),
            frame,
        }
    }

    /// A coordinate in backend units. Coordinates far outside the picture are clamped, so that the
    /// result always fits an i32.
    fn unit(&self, v: f64) -> i32 {
        // The cast would turn NaN into 0.
        debug_assert!(!v.is_nan(), "a coordinate is not a number");
        let limit = 4.0 * self.frame.width.max(self.frame.height).max(1.0);
        (v.clamped(-limit, limit) * self.frame.units).round() as i32
    }

    fn point(&self, at: impl Into<Point>) -> (i32, i32) {
        let Point { x, y } = at.into();
        (self.unit(x), self.unit(y))
    }

    /// The top left and the bottom right corner, in backend units.
    fn corners(&self, rect: Rect) -> [(i32, i32); 2] {
        [
            self.point((rect.x, rect.y)),
            self.point((rect.right(), rect.bottom())),
        ]
    }

    fn draw_element<E>(&self, element: &E)
    where
        for<'e> &'e E: PointCollection<'e, (i32, i32)>,
        E: Drawable<AnyBackend>,
    {
        // The backend reports no errors, and a drawing area without its own coordinates adds none.
        let _ = self.area.draw(element);
    }

    fn stroke(&self, colour: RGBAColor, width: f64) -> ShapeStyle {
        ShapeStyle {
            color: colour,
            filled: false,
            stroke_width: (width * self.frame.units).round().max(1.0) as u32,
        }
    }

    #[inline(never)]
    pub fn line(&self, points: &[impl Into<Point> + Copy], colour: RGBColor, width: f64) {
        self.faint_line(points, colour, 1.0, width);
    }

    /// A line of the given opacity.
    #[inline(never)]
    pub fn faint_line(
        &self,
        points: &[impl Into<Point> + Copy],
        colour: RGBColor,
        opacity: f64,
        width: f64,
    ) {
        if points.len() < 2 {
            return;
        }
        let points: Vec<_> = points.iter().map(|&p| self.point(p)).collect();
        let stroke = self.stroke(colour.mix(opacity), width);
        self.draw_element(&PathElement::new(points, stroke));
    }

    /// Draws teeth and the line through their feet as one path, since a browser takes as long to
    /// draw one tooth as to draw them all.
    #[inline(never)]
    pub fn comb(&self, teeth: &[[Point; 2]], colour: RGBColor, width: f64) {
        let path: Vec<_> = teeth
            .iter()
            .flat_map(|&[foot, tip]| [foot, tip, foot])
            .collect();
        self.line(&path, colour, width);
    }

    /// Lines that do not overlap, in one call to the backend.
    #[inline(never)]
    pub fn lines<L: AsRef<[Point]>>(
        &self,
        lines: &[L],
        colour: RGBColor,
        opacity: f64,
        width: f64,
    ) {
        if lines.is_empty() {
            return;
        }
        let points = lines.iter().flat_map(|line| line.as_ref());
        let points = points.map(|&point| self.point(point)).collect();
        let lengths: Vec<_> = lines.iter().map(|line| line.as_ref().len()).collect();
        let style = self.stroke(colour.mix(opacity), width);
        self.draw_element(&backend::lines(points, &lengths, style));
    }

    /// A straight dashed line.
    #[inline(never)]
    pub fn dashes(
        &self,
        from: impl Into<Point>,
        to: impl Into<Point>,
        colour: RGBColor,
        width: f64,
    ) {
        let (from, to) = (from.into(), to.into());
        let length = from.distance(to);
        let (dash, gap) = (3.0 * width.max(1.0), 2.5 * width.max(1.0));
        let along = |s: f64| from.lerp(to, (s / length).min(1.0));
        let count = (length / (dash + gap)).ceil().min(2000.0) as usize;
        let starts = (0..count).map(|i| i as f64 * (dash + gap));
        let dashes: Vec<_> = starts
            .map(|start| [along(start), along(start + dash)])
            .collect();
        self.lines(&dashes, colour, 1.0, width);
    }

    /// A dashed curve of at most a hundred dashes.
    #[inline(never)]
    pub fn dashed_curve(&self, points: &[Point], colour: RGBColor, opacity: f64, width: f64) {
        const MAX_DASHES: f64 = 100.0;
        let whole: f64 = points.windows(2).map(|p| p[0].distance(p[1])).sum();
        let dash = (4.0 * width).max(0.5 * whole / MAX_DASHES);
        let mut dashes = Vec::new();
        let mut drawn: Vec<Point> = points.first().copied().into_iter().collect();
        let (mut on, mut left) = (true, dash);
        for pair in points.windows(2) {
            let (mut from, to) = (pair[0], pair[1]);
            while left < from.distance(to) {
                from = from.lerp(to, left / from.distance(to));
                drawn.push(from);
                let dash_or_gap = std::mem::replace(&mut drawn, vec![from]);
                if on {
                    dashes.push(dash_or_gap);
                }
                (on, left) = (!on, dash);
            }
            left -= from.distance(to);
            drawn.push(to);
        }
        if on && drawn.len() > 1 {
            dashes.push(drawn);
        }
        self.lines(&dashes, colour, opacity, width);
    }

    #[inline(never)]
    pub fn polygon(&self, points: &[impl Into<Point> + Copy], colour: RGBColor, opacity: f64) {
        let points: Vec<_> = points.iter().map(|&p| self.point(p)).collect();
        self.draw_element(&Polygon::new(points, colour.mix(opacity).filled()));
    }

    #[inline(never)]
    pub fn fill(&self, rect: Rect, colour: RGBColor, opacity: f64) {
        let corners = self.corners(rect);
        self.draw_element(&Rectangle::new(corners, colour.mix(opacity).filled()));
    }

    #[inline(never)]
    pub fn outline(&self, rect: Rect, colour: RGBColor, opacity: f64, width: f64) {
        let corners = self.corners(rect);
        self.draw_element(&Rectangle::new(
            corners,
            self.stroke(colour.mix(opacity), width),
        ));
    }

    #[inline(never)]
    pub fn disc(&self, centre: impl Into<Point>, radius: f64, colour: RGBColor) {
        self.discs(&[centre.into()], radius, colour);
    }

    /// Discs that do not overlap, in one call to the backend.
    #[inline(never)]
    pub fn discs(&self, centres: &[Point], radius: f64, colour: RGBColor) {
        self.circles(centres, radius, colour.filled());
    }

    /// Rings that do not overlap, in one call to the backend.
    #[inline(never)]
    pub fn rings(&self, centres: &[Point], radius: f64, colour: RGBColor, width: f64) {
        self.circles(centres, radius, self.stroke(colour.to_rgba(), width));
    }

    fn circles(&self, centres: &[Point], radius: f64, style: ShapeStyle) {
        if centres.is_empty() {
            return;
        }
        let centres = centres.iter().map(|&centre| self.point(centre)).collect();
        let radius = (radius * self.frame.units).round().max(1.0) as u32;
        self.draw_element(&backend::circles(centres, radius, style));
    }

    /// A translucent disc.
    pub fn faint_disc(
        &self,
        centre: impl Into<Point>,
        radius: f64,
        colour: RGBColor,
        opacity: f64,
    ) {
        let centre = centre.into();
        const CORNERS: usize = 24;
        let corner = |i: usize| around(centre, radius, TAU * i as f64 / CORNERS as f64);
        let corners: Vec<_> = (0..CORNERS).map(corner).collect();
        self.polygon(&corners, colour, opacity);
    }

    #[inline(never)]
    pub fn ring(&self, centre: impl Into<Point>, radius: f64, colour: RGBColor, width: f64) {
        self.rings(&[centre.into()], radius, colour, width);
    }

    /// An arrow from `from` to `to`, its tip on `to`.
    #[inline(never)]
    pub fn arrow(
        &self,
        from: impl Into<Point>,
        to: impl Into<Point>,
        colour: RGBColor,
        width: f64,
    ) {
        let (from, to) = (from.into(), to.into());
        let length = from.distance(to);
        if length < 1e-9 {
            return;
        }
        let head = (4.5 * width).min(0.6 * length) / length * (to - from);
        let (neck, side) = (to - head, 0.42 * head.turn_90());
        self.line(&[from, neck + 0.2 * head], colour, width);
        self.polygon(&[to, neck + side, neck - side], colour, 1.0);
    }

    /// Draws a text. A horizontal text that would cross the left or right edge of the
    /// picture is moved inside.
    #[inline(never)]
    pub fn text(&self, at: impl Into<Point>, text: &str, style: TextStyle) {
        let mut at = at.into();
        if !style.upwards {
            at.x = self.inside(at.x, text, &style);
        }
        self.text_at(at, text, style);
    }

    /// Draws a text where it is anchored, even if part of it is outside the picture.
    #[inline(never)]
    pub fn text_at(&self, at: impl Into<Point>, text: &str, style: TextStyle) {
        let styled = self.plotters_style(style);
        self.draw_element(&Text::new(text.to_string(), self.point(at), styled));
    }

    fn plotters_style(&self, style: TextStyle) -> plotters::style::TextStyle<'static> {
        // `FontFamily::Name`, not `FontFamily::from`, which lowers the case and would link
        // Unicode's case tables.
        let family = FontFamily::Name(FONT);
        let font = FontDesc::new(family, style.size * self.frame.units, FontStyle::Normal);
        let font = if style.bold {
            font.style(FontStyle::Bold)
        } else {
            font
        };
        let font = if style.upwards {
            font.transform(FontTransform::Rotate270)
        } else {
            font
        };
        font.color(&style.colour).pos(Pos::new(style.h, style.v))
    }

    /// The width of a text in CSS pixels: measured by the browser, which may lay out the page for it, or estimated.
    pub fn measure(&self, text: &str, style: TextStyle) -> f64 {
        self.measured(text, style)
            .unwrap_or_else(|| style.width(text))
    }

    /// The width of a text in CSS pixels where the backend can measure it.
    pub fn measured(&self, text: &str, style: TextStyle) -> Option<f64> {
        let measured = Cell::new(None);
        let styled = self.plotters_style(style);
        self.draw_element(&backend::measured(text, styled, |width| {
            measured.set(width)
        }));
        measured.get().map(|units| units / self.frame.units)
    }

    fn inside(&self, x: f64, text: &str, style: &TextStyle) -> f64 {
        let (before, width) = style.extent(text);
        // The estimated width may be slightly too small.
        let margin = 0.3 * style.size;
        let start = (x - before)
            .min(self.frame.width - width - margin)
            .max(margin);
        start + before
    }

    /// The approximate bounds of a horizontal text.
    pub fn text_bounds(&self, at: impl Into<Point>, text: &str, style: TextStyle) -> Rect {
        let at = at.into();
        let (before, width) = style.extent(text);
        Rect::new(
            self.inside(at.x, text, &style) - before,
            at.y - 0.6 * style.size,
            width,
            1.2 * style.size,
        )
    }

    /// Writes a text on a background that lines behind it do not reach through.
    pub fn text_on(
        &self,
        at: impl Into<Point>,
        text: &str,
        style: TextStyle,
        background: RGBColor,
    ) {
        let at = at.into();
        self.fill(self.text_bounds(at, text, style), background, 0.85);
        self.text(at, text, style);
    }

    /// Draws the titles of the axes at the left edge of the picture and below the tick
    /// labels of the plot.
    #[inline(never)]
    pub fn titles(&self, plot: Rect, [down, across]: [&str; 2], size: f64, ink: RGBColor) {
        let style = TextStyle::new(size, ink);
        let Point { x, y } = plot.centre();
        self.text((0.75 * size, y), down, style.rotated());
        self.text((x, plot.bottom() + 2.25 * size), across, style);
    }

    /// Draws bold text on a filled rectangle, centred on its point.
    #[inline(never)]
    pub fn tag(&self, at: impl Into<Point>, text: &str, size: f64, fill: RGBColor, ink: RGBColor) {
        let at = at.into();
        let width = tag_width(text, size);
        let rect = Rect::centred(at, width, 1.36 * size);
        self.fill(rect, fill, 1.0);
        self.text(at, text, TextStyle::new(size, ink).bold());
    }

    /// Draws an image stretched to a rectangle.
    #[inline(never)]
    pub fn image(&self, rect: Rect, image: Image) {
        if rect.is_empty() || image.size.0 == 0 || image.size.1 == 0 {
            return;
        }
        self.draw_element(&backend::stretched(self.corners(rect), &image));
    }
}

/// The point at a distance from `centre` and at an angle in radians, counter-clockwise from the right.
pub fn around(centre: Point, distance: f64, angle: f64) -> Point {
    let (sin, cos) = sin_cos(angle);
    centre + distance * Vec2::new(cos, -sin)
}

/// The angle of a point as seen from `centre`, counter-clockwise from the right, in radians.
pub fn angle(centre: Point, at: Point) -> f64 {
    (centre.y - at.y).atan2(at.x - centre.x)
}

/// Points of an arc about `centre`, angles counter-clockwise from the right, in radians: at most 96 for each turn, and in
/// small arcs as many as look round.
pub fn arc(centre: Point, radius: impl Fn(f64) -> f64, from: f64, to: f64) -> Vec<Point> {
    let widest = radius(from).max(radius(to)).max(1.0);
    // With n chords in a turn, the middle of one is r (1 - cos(pi / n)) from the arc, about r pi² / 2n².
    let in_a_turn = (PI * (widest / (2.0 * MAX_SAGITTA)).sqrt()).min(96.0);
    let steps = ((to - from).abs() / TAU * in_a_turn)
        .ceil()
        .clamp(2.0, 2000.0) as usize;
    (0..=steps)
        .map(|i| {
            let angle = from + (to - from) * i as f64 / steps as f64;
            around(centre, radius(angle), angle)
        })
        .collect()
}
