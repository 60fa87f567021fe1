//! Queries on a recorded picture: the position of a text, the line of a colour, the angle of an arc.

use crate::recording::{Bitmap, Mark, Paint, Point, Recording, Rgb, Words, of_figure, values};
use posenc::figures::AnyFigure;
use posenc::{Lang, Rect, ThemeName, ViewName};

pub fn distance(a: Point, b: Point) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

pub fn middle(rect: Rect) -> Point {
    (rect.x + rect.width / 2.0, rect.y + rect.height / 2.0)
}

impl Words {
    pub fn middle(&self) -> Point {
        middle(self.extent())
    }
}

impl Bitmap {
    /// The colour at a point of the picture.
    pub fn at(&self, (x, y): Point) -> Rgb {
        let [left, top, width, height] = self.part;
        let column = left + (x - self.rect.x) / self.rect.width * width;
        let row = top + (y - self.rect.y) / self.rect.height * height;
        let within = |v: f64, most: usize| (v.floor().max(0.0) as usize).min(most - 1);
        self.pixel(within(column, self.columns), within(row, self.rows))
    }

    /// The centre of a cell, as a point of the picture.
    pub fn cell(&self, column: usize, row: usize) -> Point {
        let [left, top, width, height] = self.part;
        let x = (column as f64 + 0.5 - left) / width * self.rect.width;
        let y = (row as f64 + 0.5 - top) / height * self.rect.height;
        (self.rect.x + x, self.rect.y + y)
    }
}

impl Recording {
    /// The lines of a colour, with their widths.
    pub fn paths(&self, rgb: Rgb) -> Vec<(&[Point], f64)> {
        let paths = self.marks.iter().filter_map(|mark| match mark {
            Mark::Path(points, paint) if paint.rgb == rgb => {
                Some((points.as_slice(), paint.stroke?))
            }
            _ => None,
        });
        paths.collect()
    }

    /// The points of the curves of a colour: of lines with more than two points.
    pub fn curves(&self, rgb: Rgb) -> Vec<&[Point]> {
        let curves = self.paths(rgb).into_iter().map(|(points, _)| points);
        curves.filter(|points| points.len() > 2).collect()
    }

    /// Centres and radii of the filled circles of a colour.
    pub fn discs(&self, rgb: Rgb) -> Vec<(Point, f64)> {
        let discs = self.marks.iter().filter_map(|mark| match mark {
            Mark::Circle(centre, radius, paint) if paint.rgb == rgb && paint.stroke.is_none() => {
                Some((*centre, *radius))
            }
            _ => None,
        });
        discs.collect()
    }

    /// Centres, radii and colours of stroked circles.
    pub fn rings(&self) -> Vec<(Point, f64, Rgb)> {
        let rings = self.marks.iter().filter_map(|mark| match mark {
            Mark::Circle(centre, radius, paint) if paint.stroke.is_some() => {
                Some((*centre, *radius, paint.rgb))
            }
            _ => None,
        });
        rings.collect()
    }

    /// The arrows of a colour: their start and the tip of the head.
    pub fn arrows(&self, rgb: Rgb) -> Vec<(Point, Point)> {
        let arrows = self.marks.windows(2).filter_map(|pair| match pair {
            [Mark::Path(line, a), Mark::Polygon(head, b)]
                if line.len() == 2 && head.len() == 3 && a.rgb == rgb && b.rgb == rgb =>
            {
                Some((line[0], head[0]))
            }
            _ => None,
        });
        arrows.collect()
    }

    /// The first text equal to `text`; panics if there is none.
    pub fn words(&self, text: &str) -> &Words {
        let mut texts = self.texts();
        texts
            .find(|words| words.text == text)
            .unwrap_or_else(|| panic!("{text} is nowhere"))
    }

    /// Whether this text is within `reach` of a point.
    pub fn says(&self, text: &str, at: Point, reach: f64) -> bool {
        self.texts()
            .any(|words| words.text == text && distance(words.middle(), at) < reach)
    }

    /// The first image with this number of rows and columns; panics if there is none.
    pub fn grid(&self, rows: usize, columns: usize) -> &Bitmap {
        let of_size = |image: &&Bitmap| (image.rows, image.columns) == (rows, columns);
        let images = self.images();
        images
            .into_iter()
            .find(of_size)
            .unwrap_or_else(|| panic!("no image of {rows} × {columns}"))
    }

    /// The filled rectangles of a colour.
    pub fn fills(&self, rgb: Rgb) -> Vec<(&Rect, &Paint)> {
        self.rectangles()
            .filter(|(_, paint)| paint.rgb == rgb && paint.stroke.is_none())
            .collect()
    }

    /// The stroked rectangles of a colour.
    pub fn outlines(&self, rgb: Rgb) -> Vec<&Rect> {
        self.rectangles()
            .filter(|(_, paint)| paint.rgb == rgb && paint.stroke.is_some())
            .map(|(rect, _)| rect)
            .collect()
    }

    /// Whether a vertical line of a colour, solid or dashed, is at `x`.
    pub fn upright_at(&self, rgb: Rgb, x: f64) -> bool {
        let upright = |points: &[Point]| points.iter().all(|p| (p.0 - x).abs() < 0.5);
        self.paths(rgb).iter().any(|(points, _)| upright(points))
    }

    /// Whether a horizontal line of a colour, solid or dashed, is at `y`.
    pub fn level_at(&self, rgb: Rgb, y: f64) -> bool {
        let level = |points: &[Point]| points.iter().all(|p| (p.1 - y).abs() < 0.5);
        self.paths(rgb).iter().any(|(points, _)| level(points))
    }

    pub fn rectangles(&self) -> impl Iterator<Item = (&Rect, &Paint)> {
        self.marks.iter().filter_map(|mark| match mark {
            Mark::Rectangle(rect, paint) => Some((rect, paint)),
            _ => None,
        })
    }
}

/// The angle in radians through which a path rotates around a centre, counter-clockwise as displayed (pixel rows are counted
/// downwards).
pub fn turned(centre: Point, points: &[Point]) -> f64 {
    let angle = |p: Point| (centre.1 - p.1).atan2(p.0 - centre.0);
    let steps = points.windows(2).map(|pair| {
        let step = angle(pair[1]) - angle(pair[0]);
        let full = std::f64::consts::TAU;
        step - full * (step / full).round()
    });
    steps.sum()
}

/// The angle of a point around a centre, in radians, counter-clockwise from the right.
pub fn angle(centre: Point, p: Point) -> f64 {
    (centre.1 - p.1).atan2(p.0 - centre.0)
}

/// The distance of a point from the nearest segment between consecutive `points`.
pub fn from_curve(points: &[Point], p: Point) -> f64 {
    let to_segment = |pair: &[Point]| {
        let (a, b) = (pair[0], pair[1]);
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let square = dx * dx + dy * dy;
        let share = if square > 0.0 {
            (((p.0 - a.0) * dx + (p.1 - a.1) * dy) / square).clamp(0.0, 1.0)
        } else {
            0.0
        };
        distance((a.0 + share * dx, a.1 + share * dy), p)
    };
    points
        .windows(2)
        .map(to_segment)
        .fold(f64::INFINITY, f64::min)
}

/// Whether two rectangles coincide.
pub fn same_rect(a: &Rect, b: &Rect) -> bool {
    let corners = |rect: &Rect| [(rect.x, rect.y), (rect.right(), rect.bottom())];
    let pairs = corners(a).into_iter().zip(corners(b));
    pairs.into_iter().all(|(a, b)| distance(a, b) < 0.6)
}

/// The picture of a figure with these settings, in English and in the light theme, after its computation is complete.
pub fn picture(name: ViewName, settings: &str, width: f64) -> Recording {
    of_figure(&figure(name, settings), ThemeName::Light, width).expect("it has a picture")
}

/// A figure with these settings, in English, after its computation is complete.
pub fn figure(name: ViewName, settings: &str) -> AnyFigure {
    let values = values(name, settings);
    let mut shown = AnyFigure::new(name, &values, Lang::En, None).expect("it is in the list");
    while shown.work() {}
    shown
}
