//! Axes reconstructed from their tick labels.

use super::{everything, light, rgb};
use crate::recording::{Point, Recording, Words};
use plotters_backend::text_anchor::HPos;
use posenc::Rect;

/// The largest distance of a tick from its value, in CSS pixels: backend units are an eighth of a pixel.
const NEAR: f64 = 0.3;

/// Parses a number in the notation of the figures.
pub fn number(text: &str) -> Option<f64> {
    let raised = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    let text: String = text
        .chars()
        .filter(|c| !matches!(c, '\u{202f}' | '\u{2007}'))
        .collect();
    let text = text.replace('−', "-");
    if let Some(power) = text
        .strip_prefix("10")
        .filter(|rest| !rest.is_empty() && !rest.starts_with(|c: char| c.is_ascii()))
    {
        let exponent: Option<String> = power
            .chars()
            .map(|c| match c {
                '⁻' => Some('-'),
                _ => raised
                    .chars()
                    .position(|digit| digit == c)
                    .map(|digit| (b'0' + digit as u8) as char),
            })
            .collect();
        return Some(10f64.powi(exponent?.parse().ok()?));
    }
    let digits = text
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, '-' | '.'));
    text.parse().ok().filter(|_| digits)
}

/// A scale reconstructed from labelled ticks.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Values and their positions in pixels.
    pub ticks: Vec<(f64, f64)>,
    /// The pixel of value 0 and the pixels per unit, if the ticks are evenly spaced.
    linear: Option<(f64, f64)>,
    /// The same for the logarithms of the values.
    log: Option<(f64, f64)>,
}

/// The straight line through points by least squares, if all of them are close to it.
fn line(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    let n = points.len() as f64;
    let mean = points
        .iter()
        .fold((0.0, 0.0), |sum, p| (sum.0 + p.0 / n, sum.1 + p.1 / n));
    let moments = points.iter().fold((0.0, 0.0), |sum, p| {
        let (dx, dy) = (p.0 - mean.0, p.1 - mean.1);
        (sum.0 + dx * dx, sum.1 + dx * dy)
    });
    let slope = moments.1 / moments.0;
    let start = mean.1 - slope * mean.0;
    let near = |&(x, y): &(f64, f64)| (start + slope * x - y).abs() <= NEAR;
    points.iter().all(near).then_some((start, slope))
}

impl Axis {
    pub fn new(ticks: Vec<(f64, f64)>) -> Axis {
        let logs: Vec<_> = ticks.iter().map(|&(value, at)| (value.ln(), at)).collect();
        let positive = ticks.iter().all(|tick| tick.0 > 0.0);
        Axis {
            linear: line(&ticks),
            log: if positive { line(&logs) } else { None },
            ticks,
        }
    }

    /// Pixels per unit, or per factor of e: positive if values increase to the right or downwards.
    fn slope(&self) -> Option<f64> {
        self.linear.or(self.log).map(|(_, slope)| slope)
    }

    /// The pixel of a value, on a logarithmic axis only if the ticks do not fit a linear one.
    pub fn pixel(&self, value: f64) -> f64 {
        match (self.linear, self.log) {
            (Some((start, slope)), _) => start + slope * value,
            (None, Some((start, slope))) => start + slope * value.ln(),
            _ => panic!("the ticks are on no scale: {:?}", self.ticks),
        }
    }

    pub fn value(&self, pixel: f64) -> f64 {
        match (self.linear, self.log) {
            (Some((start, slope)), _) => (pixel - start) / slope,
            (None, Some((start, slope))) => ((pixel - start) / slope).exp(),
            _ => panic!("the ticks are on no scale: {:?}", self.ticks),
        }
    }
}

/// A framed plot and its labelled axes.
#[derive(Clone, Debug)]
pub struct Plot {
    pub rect: Rect,
    pub x: Option<Axis>,
    pub y: Option<Axis>,
    /// Whether there are grid lines at the ticks, as in charts; tables of cells have none.
    pub ruled: bool,
    /// The positions of the grid lines: vertical ones, then horizontal ones.
    rules: [Vec<f64>; 2],
}

impl Plot {
    pub fn point(&self, (x, y): (f64, f64)) -> Point {
        let axis = |axis: &Option<Axis>| axis.clone().expect("the axis has numbers");
        (axis(&self.x).pixel(x), axis(&self.y).pixel(y))
    }

    /// The plot between the outermost ticks of two axes, extended by half a step.
    pub fn spanned(x: Axis, y: Axis) -> Plot {
        let ends = |axis: &Axis| {
            let pixels = axis.ticks.iter().map(|tick| tick.1);
            pixels.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| {
                (low.min(at), high.max(at))
            })
        };
        let ((left, right), (top, bottom)) = (ends(&x), ends(&y));
        let (dx, dy) = (right - left, bottom - top);
        let rect = Rect {
            x: left - 0.1 * dx,
            y: top - 0.1 * dy,
            width: 1.2 * dx,
            height: 1.2 * dy,
        };
        Plot {
            rect,
            x: Some(x),
            y: Some(y),
            ruled: true,
            rules: [Vec::new(), Vec::new()],
        }
    }

    pub fn contains(&self, (x, y): Point) -> bool {
        (self.rect.x - 0.5..self.rect.right() + 0.5).contains(&x)
            && (self.rect.y - 0.5..self.rect.bottom() + 0.5).contains(&y)
    }
}

fn axis(ticks: Vec<(f64, f64)>) -> Option<Axis> {
    (ticks.len() >= 2).then(|| Axis::new(ticks))
}

/// The positions of grid lines across a frame: vertical ones, then horizontal ones.
fn rules(picture: &Recording, rect: &Rect) -> [Vec<f64>; 2] {
    let same = |a: f64, b: f64| (a - b).abs() < NEAR;
    let (mut upright, mut level) = (Vec::new(), Vec::new());
    for (points, _) in picture.paths(rgb(light().rule)) {
        let [a, b] = points else { continue };
        if same(a.0, b.0) && same(a.1, rect.y) && same(b.1, rect.bottom()) {
            upright.extend(Some(a.0).filter(|x| (rect.x - NEAR..=rect.right() + NEAR).contains(x)));
        } else if same(a.1, b.1) && same(a.0, rect.x) && same(b.0, rect.right()) {
            level.extend(Some(a.1).filter(|y| (rect.y - NEAR..=rect.bottom() + NEAR).contains(y)));
        }
    }
    [upright, level]
}

/// The plots in reading order, found by their frames: numbers are directly below and to the left of them.
pub fn plots(picture: &Recording) -> Vec<Plot> {
    let size = light().label_size();
    let mut plots = Vec::new();
    for (rect, paint) in picture.rectangles() {
        if paint.stroke.is_none() || rect.width < 50.0 || rect.height < 25.0 {
            continue;
        }
        let [upright, level] = rules(picture, rect);
        let ruled = !(upright.is_empty() && level.is_empty());
        // Labels at the edge of the picture are shifted inwards: the grid line gives the position of their tick.
        let tick = |at: f64, lines: &[f64]| {
            let nearest = lines
                .iter()
                .copied()
                .min_by(|a, b| (a - at).abs().total_cmp(&(b - at).abs()));
            nearest
                .filter(|line| (line - at).abs() < size)
                .unwrap_or(at)
        };
        let free = |words: &Words| ruled || words.extent().right() < picture.width - size;
        let mut ticks = [Vec::new(), Vec::new()];
        for words in picture.texts().filter(|words| !words.upwards) {
            let Some(value) = number(&words.text) else {
                continue;
            };
            let (x, y) = words.at;
            let below = matches!(words.h, HPos::Center)
                && (y - rect.bottom() - 0.95 * size).abs() < 0.1 * size
                && (rect.x - 1.0..rect.right() + 1.0).contains(&x);
            let beside = matches!(words.h, HPos::Right)
                && (x - rect.x + 0.5 * size).abs() < 0.1 * size
                && (rect.y - 1.0..rect.bottom() + 1.0).contains(&y);
            if below && free(words) {
                ticks[0].push((value, tick(x, &upright)));
            } else if beside {
                ticks[1].push((value, tick(y, &level)));
            }
        }
        let [x, y] = ticks.map(axis);
        if x.is_some() || y.is_some() {
            plots.push(Plot {
                rect: *rect,
                x,
                y,
                ruled,
                rules: [upright, level],
            });
        }
    }
    plots.sort_by(|a, b| {
        (a.rect.y, a.rect.x)
            .partial_cmp(&(b.rect.y, b.rect.x))
            .unwrap()
    });
    plots
}

/// The plots of a picture with grid lines.
pub fn charts(picture: &Recording) -> Vec<Plot> {
    plots(picture)
        .into_iter()
        .filter(|plot| plot.ruled)
        .collect()
}

#[test]
fn numbers_are_read_as_they_are_written() {
    for (text, value) in [
        ("0", 0.0),
        ("−2.5", -2.5),
        ("16\u{202f}384", 16_384.0),
        ("10⁻⁵", 1e-5),
        ("10⁶", 1e6),
        ("10", 10.0),
        ("100", 100.0),
    ] {
        assert_eq!(number(text), Some(value), "{text}");
    }
    for text in ["pos", "3 s", "1e5", ""] {
        assert_eq!(number(text), None, "{text}");
    }
}

/// The numbers along an axis fit one scale, linear or logarithmic; they increase to the right, and upwards in charts, while
/// the rows of a table are counted downwards. In a chart there is a grid line at each number.
#[test]
fn ticks_stand_at_the_values_that_they_name() {
    let (mut axes, mut wrong) = (0, Vec::new());
    everything(|name, picture| {
        for plot in plots(picture) {
            for (axis, rises) in [(&plot.x, true), (&plot.y, !plot.ruled)] {
                let Some(axis) = axis else { continue };
                if axis.slope().is_none_or(|slope| (slope > 0.0) != rises) {
                    wrong.push(format!("{name}: {:?}", axis.ticks));
                }
                axes += 1;
            }
            if plot.ruled {
                for (axis, lines) in [&plot.x, &plot.y].into_iter().zip(&plot.rules) {
                    let mut ticks: Vec<f64> = axis
                        .iter()
                        .flat_map(|axis| &axis.ticks)
                        .map(|tick| tick.1)
                        .collect();
                    let mut lines = lines.clone();
                    for pixels in [&mut ticks, &mut lines] {
                        pixels.sort_by(f64::total_cmp);
                    }
                    // A single number does not define an axis.
                    if axis.is_some() {
                        assert_eq!(
                            ticks, lines,
                            "{name}: a line for each number, a number for each line"
                        );
                    }
                }
            }
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(axes > 200, "{axes}");
}
