//! A plotters backend that records the drawn primitives in CSS pixels, with queries on such a picture: the position of a
//! text, the curve of a colour, the marks outside.

use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    FontStyle, FontTransform,
    text_anchor::{HPos, VPos},
};
use posenc::figures::{AnyFigure, fields};
use posenc::{
    Backend, BenchFigure, Frame, Image, Part, Pen, Rect, Scene, Theme, ThemeName, ViewName,
};
use posenc::{DrawContext, Values};
use std::cell::RefCell;
use std::convert::Infallible;
use std::fmt::{self, Display, Formatter};
use std::rc::Rc;

/// Backend units per CSS pixel, as in exported files.
const UNITS: f64 = 8.0;

pub type Point = (f64, f64);
pub type Rgb = (u8, u8, u8);

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paint {
    pub rgb: Rgb,
    pub alpha: f64,
    /// The width of the stroke in CSS pixels; `None` for a filled shape.
    pub stroke: Option<f64>,
}

#[derive(Clone)]
pub struct Words {
    pub text: String,
    pub at: Point,
    pub size: f64,
    pub rgb: Rgb,
    pub bold: bool,
    /// Whether the text runs from bottom to top.
    pub upwards: bool,
    pub h: HPos,
    pub v: VPos,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Bitmap {
    pub rect: Rect,
    pub columns: usize,
    pub rows: usize,
    pub rgb: Vec<u8>,
    /// Left, top, width and height of the visible part, in pixels of the image.
    pub part: [f64; 4],
}

#[derive(Clone, PartialEq)]
pub enum Mark {
    Path(Vec<Point>, Paint),
    Polygon(Vec<Point>, Paint),
    Rectangle(Rect, Paint),
    Circle(Point, f64, Paint),
    Words(Words),
    Image(Bitmap),
}

/// A picture as the primitives that it was drawn with, in drawing order.
#[derive(Clone)]
pub struct Recording {
    pub width: f64,
    pub height: f64,
    pub marks: Vec<Mark>,
}

/// The width of a text in a common sans-serif font, at the lower end of real fonts, so that a text outside by this width is
/// outside in any font: in multiples of the size, 1 for a Chinese character, 0.25 for spaces, points and narrow letters, 0
/// for combining marks and joiners, and 0.5 for everything else.
pub fn text_width(text: &str, size: f64) -> f64 {
    let ems = |c: char| match c {
        ' ' | '.' | ',' | ':' | '\'' | '|' | 'i' | 'l' | '\u{2000}'..='\u{200a}' | '\u{202f}' => {
            0.25
        }
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{fe00}'..='\u{fe0f}' => 0.0,
        '\u{2e80}'..='\u{ffef}' | '\u{1f000}'..='\u{3ffff}' => 1.0,
        _ => 0.5,
    };
    size * text.chars().map(ems).sum::<f64>()
}

/// The height of capitals and digits as a fraction of the font size, a little less than in real fonts.
const CAPITALS: f64 = 0.66;

impl PartialEq for Words {
    fn eq(&self, other: &Words) -> bool {
        let placed = |it: &Words| (it.at, it.size, it.upwards, it.h as u8, it.v as u8);
        let written = |it: &Words| (it.text.clone(), it.rgb, it.bold);
        placed(self) == placed(other) && written(self) == written(other)
    }
}

impl Words {
    /// The smallest rectangle that the letters cover.
    pub fn extent(&self) -> Rect {
        let bold = if self.bold { 1.05 } else { 1.0 };
        let width = bold * text_width(&self.text, self.size);
        let before = match self.h {
            HPos::Left => 0.0,
            HPos::Center => width / 2.0,
            HPos::Right => width,
        };
        let height = CAPITALS * self.size;
        let above = match self.v {
            VPos::Top => -0.1 * self.size,
            VPos::Center => height / 2.0,
            VPos::Bottom => height,
        };
        let (x, y) = self.at;
        if self.upwards {
            Rect {
                x: x - above,
                y: y + before - width,
                width: height,
                height: width,
            }
        } else {
            Rect {
                x: x - before,
                y: y - above,
                width,
                height,
            }
        }
    }
}

impl Bitmap {
    /// The colour of a pixel of the image.
    pub fn pixel(&self, column: usize, row: usize) -> Rgb {
        let at = 3 * (row * self.columns + column);
        (self.rgb[at], self.rgb[at + 1], self.rgb[at + 2])
    }
}

impl Mark {
    /// Points that span the mark's extent, including strokes.
    fn reach(&self) -> Vec<Point> {
        let wide = |points: &[Point], paint: &Paint| {
            let half = paint.stroke.unwrap_or(0.0) / 2.0;
            let spread = |&(x, y): &Point| [(x - half, y - half), (x + half, y + half)];
            points.iter().flat_map(spread).collect()
        };
        let corners = |rect: &Rect| [(rect.x, rect.y), (rect.right(), rect.bottom())];
        match self {
            Mark::Path(points, paint) | Mark::Polygon(points, paint) => wide(points, paint),
            Mark::Rectangle(rect, paint) => wide(&corners(rect), paint),
            Mark::Circle((x, y), r, paint) => wide(&[(x - r, y - r), (x + r, y + r)], paint),
            Mark::Words(words) => corners(&words.extent()).to_vec(),
            Mark::Image(image) => corners(&image.rect).to_vec(),
        }
    }
}

/// The kind, colour and place of a mark.
impl Display for Mark {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let rgb = |(r, g, b): Rgb| format!("#{r:02x}{g:02x}{b:02x}");
        let place = |&(x, y): &Point| format!("({x:.1}, {y:.1})");
        let corners = |rect: &Rect| {
            let far = (rect.right(), rect.bottom());
            format!("{} to {}", place(&(rect.x, rect.y)), place(&far))
        };
        let points = |points: &[Point]| match points {
            [first, .., last] => {
                let count = points.len();
                format!("{} … {}, {count} points", place(first), place(last))
            }
            _ => points.iter().map(place).collect(),
        };
        match self {
            Mark::Path(line, paint) => write!(f, "line {} {}", rgb(paint.rgb), points(line)),
            Mark::Polygon(edge, paint) => write!(f, "shape {} {}", rgb(paint.rgb), points(edge)),
            Mark::Rectangle(rect, paint) => {
                write!(f, "rectangle {} {}", rgb(paint.rgb), corners(rect))
            }
            Mark::Circle(centre, radius, paint) => {
                write!(
                    f,
                    "circle {} {} radius {radius:.1}",
                    rgb(paint.rgb),
                    place(centre)
                )
            }
            Mark::Words(words) => {
                write!(
                    f,
                    "text {:?} {} {}",
                    words.text,
                    rgb(words.rgb),
                    place(&words.at)
                )
            }
            Mark::Image(image) => {
                let (columns, rows) = (image.columns, image.rows);
                write!(
                    f,
                    "image of {columns} × {rows} pixels {}",
                    corners(&image.rect)
                )
            }
        }
    }
}

impl Recording {
    /// The first mark that differs from that of another picture, in words; `None` if they are the same.
    pub fn difference(&self, other: &Recording) -> Option<String> {
        let count = self.marks.len().max(other.marks.len());
        let at = (0..count).find(|&at| self.marks.get(at) != other.marks.get(at))?;
        let mark = |picture: &Recording| match picture.marks.get(at) {
            Some(mark) => mark.to_string(),
            None => "nothing".into(),
        };
        let (one, other) = (mark(self), mark(other));
        let other = match one == other {
            true => "the same with other pixels, points or strokes".into(),
            false => other,
        };
        Some(format!("mark {at} of {count}: {one}; {other}"))
    }

    /// The marks beyond the edge of the picture by more than `slack` pixels.
    pub fn outside(&self, slack: f64) -> Vec<String> {
        let over = |v: f64, most: f64| (-v).max(v - most) - slack;
        let mut found = Vec::new();
        for mark in &self.marks {
            let worst = mark
                .reach()
                .into_iter()
                .max_by(|a, b| {
                    let over = |p: &Point| over(p.0, self.width).max(over(p.1, self.height));
                    over(a).total_cmp(&over(b))
                })
                .filter(|p| over(p.0, self.width).max(over(p.1, self.height)) > 0.0);
            if let Some((x, y)) = worst {
                let what = match mark {
                    Mark::Path(..) => "path",
                    Mark::Polygon(..) => "polygon",
                    Mark::Rectangle(..) => "rectangle",
                    Mark::Circle(..) => "circle",
                    Mark::Words(words) => &words.text,
                    Mark::Image(_) => "image",
                };
                let size = (self.width, self.height);
                found.push(format!("{what:?} reaches ({x:.1}, {y:.1}) in {size:?}"));
            }
        }
        found
    }

    pub fn texts(&self) -> impl Iterator<Item = &Words> {
        self.marks.iter().filter_map(|mark| match mark {
            Mark::Words(words) => Some(words),
            _ => None,
        })
    }

    pub fn images(&self) -> Vec<&Bitmap> {
        let images = self.marks.iter().filter_map(|mark| match mark {
            Mark::Image(image) => Some(image),
            _ => None,
        });
        images.collect()
    }
}

/// The backend. The recorded marks are shared with the caller.
pub struct Recorder {
    size: (u32, u32),
    /// Backend units per CSS pixel.
    units: f64,
    marks: Rc<RefCell<Vec<Mark>>>,
}

impl Recorder {
    fn px(&self, at: BackendCoord) -> Point {
        (f64::from(at.0) / self.units, f64::from(at.1) / self.units)
    }

    fn between(&self, a: BackendCoord, b: BackendCoord) -> Rect {
        let ((x, y), (right, bottom)) = (self.px(a), self.px(b));
        Rect {
            x,
            y,
            width: right - x,
            height: bottom - y,
        }
    }

    fn paint<S: BackendStyle>(&self, style: &S, fill: bool) -> Paint {
        let BackendColor { rgb, alpha } = style.color();
        Paint {
            rgb,
            alpha,
            stroke: (!fill).then(|| f64::from(style.stroke_width()) / self.units),
        }
    }

    fn keep(&self, mark: Mark) -> Outcome {
        self.marks.borrow_mut().push(mark);
        Ok(())
    }
}

type Outcome = Result<(), DrawingErrorKind<Infallible>>;

impl DrawingBackend for Recorder {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Outcome {
        Ok(())
    }

    fn present(&mut self) -> Outcome {
        Ok(())
    }

    fn draw_pixel(&mut self, at: BackendCoord, _: BackendColor) -> Outcome {
        unreachable!("a pixel at {at:?}: a unit is finer than any pixel")
    }

    fn draw_line<S: BackendStyle>(&mut self, a: BackendCoord, b: BackendCoord, s: &S) -> Outcome {
        self.keep(Mark::Path(
            vec![self.px(a), self.px(b)],
            self.paint(s, false),
        ))
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        a: BackendCoord,
        b: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Outcome {
        self.keep(Mark::Rectangle(self.between(a, b), self.paint(style, fill)))
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Outcome {
        let points = path.into_iter().map(|at| self.px(at)).collect();
        self.keep(Mark::Path(points, self.paint(style, false)))
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Outcome {
        let points = path.into_iter().map(|at| self.px(at)).collect();
        self.keep(Mark::Polygon(points, self.paint(style, true)))
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Outcome {
        let radius = f64::from(radius) / self.units;
        self.keep(Mark::Circle(
            self.px(centre),
            radius,
            self.paint(style, fill),
        ))
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        at: BackendCoord,
    ) -> Outcome {
        let anchor = style.anchor();
        self.keep(Mark::Words(Words {
            text: text.to_string(),
            at: self.px(at),
            size: style.size() / self.units,
            rgb: style.color().rgb,
            bold: matches!(style.style(), FontStyle::Bold),
            upwards: match style.transform() {
                FontTransform::None => false,
                FontTransform::Rotate270 => true,
                _ => unreachable!("words are read across or upwards"),
            },
            h: anchor.h_pos,
            v: anchor.v_pos,
        }))
    }
}

impl Backend for Recorder {
    fn stretch(&mut self, [from, to]: [BackendCoord; 2], image: &Image) -> Outcome {
        let (columns, rows) = image.size;
        assert_eq!(image.rgb.len(), 3 * (columns * rows) as usize);
        let Part {
            left,
            top,
            width,
            height,
        } = image.part;
        assert!(left >= 0.0 && left + width <= f64::from(columns) + 1e-9);
        assert!(top >= 0.0 && top + height <= f64::from(rows) + 1e-9);
        self.keep(Mark::Image(Bitmap {
            rect: self.between(from, to),
            columns: columns as usize,
            rows: rows as usize,
            rgb: image.rgb.to_vec(),
            part: [left, top, width, height],
        }))
    }
}

fn record(frame: Frame, paint: impl FnOnce(&Pen)) -> Recording {
    let marks = Rc::default();
    let units = |v: f64| (v * frame.units).round() as u32;
    let recorder = Recorder {
        size: (units(frame.width), units(frame.height)),
        units: frame.units,
        marks: Rc::clone(&marks),
    };
    paint(&Pen::new(recorder, frame));
    Recording {
        width: frame.width,
        height: frame.height,
        marks: marks.take(),
    }
}

pub fn frame(width: f64, height: f64) -> Frame {
    Frame {
        width,
        height,
        pixels: 2.0,
        units: UNITS,
    }
}

/// The picture of a figure; `None` if it has none.
pub fn of_figure(shown: &AnyFigure, theme: ThemeName, width: f64) -> Option<Recording> {
    of_look(shown, Theme::named(theme), width)
}

/// The picture of a figure with any theme; `None` if it has none.
pub fn of_look(shown: &AnyFigure, theme: &Theme, width: f64) -> Option<Recording> {
    in_units(shown, theme, width, UNITS)
}

/// The picture of a figure with this many units per CSS pixel, to which coordinates are rounded.
pub fn in_units(shown: &AnyFigure, theme: &Theme, width: f64, units: f64) -> Option<Recording> {
    let height = shown.height(width, theme)?.round();
    let context = DrawContext {
        theme,
        colours: &theme.colour_map(),
        frame: Frame {
            units,
            ..frame(width, height)
        },
    };
    Some(record(context.frame, |pen| shown.draw(pen, &context)))
}

/// The picture of a figure of the bench.
pub fn of_bench(figure: &mut BenchFigure, scene: &Scene) -> Recording {
    record(scene.frame, |pen| {
        figure.draw_axes(pen, scene);
        figure.draw(pen, scene);
    })
}

/// The axes layer of a figure of the bench.
pub fn of_axes(figure: &BenchFigure, scene: &Scene) -> Recording {
    record(scene.frame, |pen| figure.draw_axes(pen, scene))
}

/// The values of a figure's fields, some of them given as `name=value`, separated by `&`.
pub fn values(name: ViewName, settings: &str) -> Values {
    let mut values = Values::new(fields(name).expect("it is in the list"));
    for pair in settings.split('&').filter(|pair| !pair.is_empty()) {
        let (field, value) = pair.split_once('=').expect("name=value");
        // Transient fields are accepted, too, for pictures of a drag in progress.
        let known = values.fields().iter().any(|known| known.name == field);
        assert!(known, "{} has no {field}", name.name());
        let problem = values.set_any(field, value);
        assert_eq!(problem, None, "{} {pair}", name.name());
    }
    values
}
