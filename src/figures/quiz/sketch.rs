//! The pictures of the questions, each in two states: before the answer is checked, and after.

use crate::draw::chart::Chart;
use crate::draw::colour_map::readable_on;
use crate::draw::grid::cell_rect;
use crate::draw::pen::arc;
use crate::draw::text_style::text_width;
use crate::draw::{Circle, Pen, Point, Rect, Scale, TextStyle, Theme};
use crate::field::Key;
use crate::figure::{Handle, Mapping};
use crate::figures::quiz::DrawContext;
use plotters::style::RGBColor;
use posenc_encoding::sin_cos;

/// The answer that is dragged, as a fraction of a turn or of an axis; −1 before it is.
pub const MARK: Key<f64> = Key::real("mark", "Mark", "标记", -1.0, (-1.0, 1.0), 5).session();
use std::f64::consts::TAU;

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Given {
    Number(f64),
    Choice(usize),
    /// Share of a turn, counter-clockwise from the right, or of an axis.
    Mark(f64),
}

/// A colour, by its role in the theme.
pub type Colour = fn(&Theme) -> RGBColor;

pub enum Sketch {
    Strips(Vec<Strip>),
    Plot(Plot),
    Dials([Dial; 2]),
    /// The title of the x axis, and the waves.
    Waves(&'static str, Vec<Wave>),
}

/// Rows of numbers in cells; hidden ones are empty until the answer is checked.
pub struct Strip {
    pub title: String,
    pub rows: Vec<(String, Vec<f64>)>,
    pub hidden: bool,
}

impl Strip {
    fn columns(&self) -> usize {
        self.rows.first().map_or(0, |row| row.1.len())
    }

    /// The width of the names of the rows, with the space beside them.
    fn names_width(&self, size: f64) -> f64 {
        let names = self.rows.iter().map(|(name, _)| text_width(name, size));
        names.fold(0.0, f64::max) + 1.4 * size
    }
}

pub struct Plot {
    pub x: Scale,
    pub y: Scale,
    /// The title of the y axis, and that of the x axis.
    pub titles: [&'static str; 2],
    pub curves: Vec<Curve>,
    pub dots: Vec<Dot>,
    /// A vertical line at a value of x, with its label.
    pub line: Option<(f64, String)>,
    /// The y value at which a point is dragged along the x axis, if that is the answer.
    pub dragged: Option<f64>,
}

/// A curve whose first `known` points are visible from the start, and all of them after checking.
pub struct Curve {
    pub name: String,
    pub colour: Colour,
    pub points: Vec<(f64, f64)>,
    pub known: usize,
}

pub struct Dot {
    pub at: (f64, f64),
    pub name: String,
    pub colour: Colour,
    pub hidden: bool,
}

/// A pair at a position, turned by some angle.
pub struct Dial {
    pub title: String,
    /// Angles counter-clockwise from the cosine's axis, in radians.
    pub start: f64,
    pub turn: f64,
    pub names: [String; 2],
    /// Whether the turn is visible from the start.
    pub known: bool,
    /// Whether the sines are drawn as heights.
    pub heights: bool,
    pub dragged: bool,
}

pub struct Wave {
    pub name: String,
    /// Radians per position.
    pub frequency: f64,
    pub right: bool,
}

/// What is entered, and whether it is checked.
pub type State = (Option<Given>, bool);

/// Where the parts of a picture with a handle are.
pub enum Places {
    Plot(Chart),
    Dials([Circle; 2]),
    None,
}

const WAVE_LENGTH: usize = 64;

/// Whether the two dials are one above the other.
fn stacked(width: f64, theme: &Theme) -> bool {
    width < 32.0 * theme.label_size()
}

impl Sketch {
    pub fn height(&self, width: f64, theme: &Theme) -> f64 {
        match self {
            Sketch::Dials(_) if stacked(width, theme) => (1.15 * width).min(400.0 * theme.scale),
            Sketch::Strips(strips) if strips.iter().all(|strip| strip.rows.len() == 1) => {
                8.0 * strips.len() as f64 * theme.label_size()
            }
            _ => (0.42 * width).clamp(240.0, 290.0) * theme.scale,
        }
    }

    pub fn places(&self, context: &DrawContext) -> Places {
        let all = Rect::all(context.frame);
        match self {
            Sketch::Plot(plot) => Places::Plot(Chart::new(context, all, plot.x, plot.y)),
            Sketch::Dials(_) => Places::Dials(circles(context)),
            Sketch::Strips(_) | Sketch::Waves(..) => Places::None,
        }
    }

    pub fn draw(&self, pen: &Pen, context: &DrawContext, places: &Places, state: State) {
        let (given, checked) = state;
        match (self, places) {
            (Sketch::Strips(strips), _) => draw_strips(pen, context, strips, checked),
            (Sketch::Plot(plot), Places::Plot(chart)) => plot.draw(pen, context, chart, state),
            (Sketch::Dials(dials), Places::Dials(circles)) => {
                for (dial, circle) in dials.iter().zip(circles) {
                    let mark = match given {
                        Some(Given::Mark(fraction)) if dial.dragged => Some(fraction * TAU),
                        _ => None,
                    };
                    dial.draw(pen, context, circle, mark, checked);
                }
            }
            (Sketch::Waves(title, waves), _) => draw_waves(pen, context, title, waves, checked),
            _ => {}
        }
    }

    /// The drag handles of the picture, if any; they set `mark`, a share of an axis or of a turn.
    pub fn handles(
        &self,
        context: &DrawContext,
        places: &Places,
        marked: Option<f64>,
    ) -> Vec<Handle> {
        match (self, places) {
            (Sketch::Plot(plot), Places::Plot(chart)) if plot.dragged.is_some() => {
                let plot = chart.plot;
                let fraction = Scale::linear(0.0, 1.0).on(plot.x, plot.right());
                vec![Handle::plot(plot).sets(MARK, Mapping::X(fraction))]
            }
            (Sketch::Dials(dials), Places::Dials(circles)) => {
                let Some(index) = dials.iter().position(|dial| dial.dragged) else {
                    return Vec::new();
                };
                let circle = circles[index];
                let (centre, zero, step) = (circle.centre, 0.0, TAU);
                let angle = Mapping::Angle { centre, zero, step };
                let tip = marked.map(|fraction| circle.at(fraction * TAU, 1.0));
                let tip = tip.map(|tip| Handle::grip(tip).sets(MARK, angle.clone()));
                let anywhere = Handle::area(Rect::all(context.frame)).sets(MARK, angle);
                tip.into_iter().chain([anywhere]).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Plot {
    fn draw(&self, pen: &Pen, context: &DrawContext, chart: &Chart, (given, checked): State) {
        let theme = context.theme;
        let (size, plot) = (theme.label_size(), chart.plot);
        chart.axes(pen, context, self.titles);
        if let Some((at, name)) = &self.line {
            chart.upright(pen, context, *at, name, theme.muted);
        }
        let mut line = 0;
        for curve in &self.curves {
            let all = curve.points.len();
            let points = &curve.points[..if checked { all } else { curve.known }];
            let colour = (curve.colour)(theme);
            chart.curve(pen, points.iter().copied(), colour, theme.stroke());
            if points.len() > 1 && !curve.name.is_empty() {
                chart.name(pen, line, &curve.name, (size, colour));
                line += 1;
            }
        }
        let width = 0.75 * theme.stroke();
        match given {
            Some(Given::Number(number)) if chart.y.contains(number) => {
                let y = chart.y.pixel(number);
                pen.dashes((plot.x, y), (plot.right(), y), theme.accent, width);
            }
            Some(Given::Mark(fraction)) => {
                if let Some(height) = self.dragged {
                    let at = Point::new(plot.x + fraction * plot.width, chart.y.pixel(height));
                    pen.dashes((at.x, plot.bottom()), at, theme.accent, width);
                    let [from, to] = plot.horizontal(at.y);
                    pen.dashes(from, to, theme.muted, 0.5 * width);
                    pen.disc(at, 0.55 * size, theme.accent);
                }
            }
            _ => {}
        }
        for dot in self.dots.iter().filter(|dot| checked || !dot.hidden) {
            let colour = (dot.colour)(theme);
            let at = chart.at(dot.at);
            pen.disc(at, 2.5 * theme.stroke(), colour);
            if !dot.name.is_empty() {
                let is_high = at.y < plot.y + 2.6 * size;
                let up = if is_high { 1.5 } else { -1.5 };
                chart.tag(pen, theme, at + (0.0, up * size), &dot.name, colour);
            }
        }
    }
}

/// The circles of the two dials.
fn circles(context: &DrawContext) -> [Circle; 2] {
    let size = context.theme.label_size();
    let (width, height) = (context.frame.width, context.frame.height);
    let (across, down) = if stacked(width, context.theme) {
        (width, height / 2.0)
    } else {
        (width / 2.0, height)
    };
    let radius = (across / 2.0 - 3.3 * size)
        .min((down - 5.0 * size) / 2.0)
        .max(1.0);
    [0.0, 1.0].map(|place| {
        let (right, below) = if across < width {
            (place, 0.0)
        } else {
            (0.0, place)
        };
        let centre = Point::new((right + 0.5) * across, (below + 0.5) * down + 0.8 * size);
        Circle { centre, radius }
    })
}

impl Dial {
    fn draw(
        &self,
        pen: &Pen,
        context: &DrawContext,
        circle: &Circle,
        mark: Option<f64>,
        checked: bool,
    ) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let Circle { centre, radius } = *circle;
        let at = |angle: f64, fraction: f64| circle.at(angle, fraction);
        let title = centre - (0.0, radius + 2.3 * size);
        pen.text(title, &self.title, TextStyle::new(size, theme.ink).bold());
        pen.ring(centre, radius, theme.rule, theme.stroke());
        for angle in [0.0, TAU / 4.0] {
            pen.line(
                &[at(angle, -1.0), at(angle, 1.0)],
                theme.rule,
                theme.hairline(),
            );
        }
        let (end, width) = (self.start + self.turn, 1.3 * theme.stroke());
        let turned = self.known || checked;
        let height = |angle: f64, colour: RGBColor| {
            let y = at(angle, 1.0).y;
            let [from, to] = [(centre.x - radius, y), (centre.x + radius, y)];
            pen.dashes(from, to, colour, 0.75 * theme.stroke());
        };
        if self.heights {
            height(self.start, theme.sine);
        }
        if turned {
            let turn = arc(centre, |_| 0.45 * radius, self.start, end);
            let mut wedge = turn.clone();
            wedge.push(centre);
            pen.polygon(&wedge, theme.there, 0.13);
            pen.line(&turn, theme.there, theme.stroke());
            if self.heights {
                height(end, theme.there);
            }
            pen.arrow(centre, at(end, 1.0), theme.there, width);
        }
        if let Some(mark) = mark {
            pen.arrow(centre, at(mark, 1.0), theme.accent, width);
            pen.disc(at(mark, 1.0), 0.55 * size, theme.accent);
        }
        pen.arrow(centre, at(self.start, 1.0), theme.here, width);
        pen.disc(centre, 1.1 * width, theme.ink);
        let name = |angle: f64, text: &str, colour: RGBColor| {
            let style = TextStyle::new(size, colour).bold();
            let style = match sin_cos(angle).1 {
                c if c > 0.4 => style.align_left(),
                c if c < -0.4 => style.align_right(),
                _ => style,
            };
            pen.text(at(angle, 1.0 + size / radius), text, style);
        };
        name(self.start, &self.names[0], theme.here);
        if turned {
            name(end, &self.names[1], theme.there);
        }
    }
}

fn draw_strips(pen: &Pen, context: &DrawContext, strips: &[Strip], checked: bool) {
    let (theme, size) = (context.theme, context.theme.label_size());
    let (width, height) = (context.frame.width, context.frame.height);
    // Beside each other if the widest number has room in a cell.
    let needed =
        |strip: &Strip| strip.names_width(size) + (1.0 + 3.6 * strip.columns() as f64) * size;
    let widest = strips.iter().map(needed).fold(0.0, f64::max);
    let across = if widest * strips.len() as f64 > width {
        1
    } else {
        strips.len()
    };
    let down = strips.len().div_ceil(across);
    let panel = (width / across as f64, height / down as f64);
    for (i, strip) in strips.iter().enumerate() {
        let corner = Point::new((i % across) as f64 * panel.0, (i / across) as f64 * panel.1);
        let (rows, columns) = (strip.rows.len(), strip.columns());
        let left = strip.names_width(size);
        let high = ((panel.1 - 3.0 * size) / rows as f64).min(7.0 * size);
        let rect = Rect::new(
            corner.x + left,
            corner.y + 2.2 * size,
            panel.0 - left - size,
            high * rows as f64,
        );
        let title = (rect.centre_x(), corner.y + 1.1 * size);
        pen.text(title, &strip.title, TextStyle::new(size, theme.muted));
        for (r, (name, values)) in strip.rows.iter().enumerate() {
            let middle = rect.y + (r as f64 + 0.5) * high;
            let style = TextStyle::new(size, theme.ink);
            pen.text((rect.x - 0.6 * size, middle), name, style.align_right());
            for (c, value) in values.iter().enumerate() {
                let cell = cell_rect(rect, (rows, columns), r, c);
                let centre = (cell.centre_x(), middle);
                if strip.hidden && !checked {
                    pen.text(centre, "?", TextStyle::new(size, theme.muted));
                } else {
                    let [r, g, b] = context.colours.colour(*value as f32);
                    let rgb = RGBColor(r, g, b);
                    pen.fill(cell, rgb, 1.0);
                    let text = crate::text::number::fixed(*value, 2);
                    let size = size.min(cell.width / 2.7);
                    pen.text(centre, &text, TextStyle::new(size, readable_on([r, g, b])));
                }
                pen.outline(cell, theme.rule, 1.0, theme.hairline());
            }
        }
    }
}

/// Draws the sines of some pairs, each in a lane of its own.
fn draw_waves(pen: &Pen, context: &DrawContext, title: &str, waves: &[Wave], checked: bool) {
    let (theme, size) = (context.theme, context.theme.label_size());
    let left = 6.0 * size;
    let (width, height) = (
        context.frame.width - left - size,
        context.frame.height - 1.2 * size,
    );
    let lane = height / waves.len().max(1) as f64;
    for (i, wave) in waves.iter().enumerate() {
        let middle = (i as f64 + 0.5) * lane + 0.3 * size;
        let marked = checked && wave.right;
        let colour = if marked { theme.right } else { theme.series[2] };
        let style = TextStyle::new(size, if marked { theme.right } else { theme.ink });
        pen.text(
            (left - 0.8 * size, middle),
            &wave.name,
            style.bold().align_right(),
        );
        pen.line(
            &[(left, middle), (left + width, middle)],
            theme.rule,
            theme.hairline(),
        );
        let at = |position: f64| left + width * position / WAVE_LENGTH as f64;
        if checked {
            let points: Vec<_> = (0..=8 * WAVE_LENGTH)
                .map(|step| {
                    let position = step as f64 / 8.0;
                    let (sine, _) = sin_cos(position * wave.frequency);
                    (at(position), middle - 0.36 * lane * sine)
                })
                .collect();
            pen.line(&points, colour, theme.stroke());
        } else {
            pen.text(
                (left + width / 2.0, middle - 0.8 * size),
                "?",
                TextStyle::new(size, theme.muted),
            );
        }
    }
    let foot = context.frame.height - 0.8 * size;
    let style = TextStyle::new(size, theme.muted);
    for (place, text) in [
        (left, "0"),
        (left + width / 2.0, title),
        (left + width, "64"),
    ] {
        pen.text((place, foot), text, style);
    }
}
