//! What is drawn follows the pointer: after a press, the mark of what was selected is under it, and dragging further never
//! brings a value back.

use super::{Page, at_an_end, cell_rect, changed, number, on_page, spread};
use crate::recording::{Mark, Recording, of_figure};
use posenc::figure::{Handle, Mapping, PointerAction, Region};
use posenc::figures::{all, fields};
use posenc::{Kind, Point, Rect, ThemeName, Values, Vec2, ViewName};
use std::f64::consts::{PI, TAU};

/// The default values, all numbers at the lower ends of their sliders, all at the upper ends, and all at odd places between.
fn sizes(name: ViewName) -> Vec<(&'static str, Values)> {
    /// The longest part of a slider: a larger table takes long and looks the same.
    const LONGEST: i64 = 70;
    let start = Values::new(fields(name).unwrap());
    let at = |share: f64| {
        let mut values = start.clone();
        // Twice, since limits may depend on fields that come later.
        for field in start.fields().iter().chain(start.fields()) {
            match &field.kind {
                Kind::Integer { .. } => {
                    let (low, high) = values.reach(field.name);
                    let length = (high - low).min(LONGEST) as f64;
                    let value = low + (length * share).round() as i64;
                    let is_end = share.fract() == 0.0;
                    values.set_whole(field.name, if is_end { value } else { value | 1 });
                }
                Kind::Real {
                    limits: (low, high),
                    ..
                } => {
                    let value = low + share * (high - low);
                    values.set_any(field.name, &value.to_string());
                }
                _ => {}
            }
        }
        values
    };
    let mut sizes = vec![
        ("as it begins", start.clone()),
        ("at the lower ends", at(0.0)),
        ("at odd numbers", at(0.37)),
        ("at the upper ends", at(1.0)),
    ];
    // Two figures mark nothing before a guess, and without anchors; two have further parts that are not shown at first.
    for (_, values) in &mut sizes {
        match name {
            ViewName::BreakIt => values.set_whole("guesses", 0b010101),
            ViewName::Anchors => values.set_whole("anchors", 0b1001),
            ViewName::Buckets => assert_eq!(values.set_any("weights", "on"), None),
            ViewName::Inspect => assert_eq!(values.set_any("panels", "rows"), None),
            _ => {}
        }
    }
    sizes
}

/// Calls `check` with every figure on a page, in each of its sizes.
fn every_size(mut check: impl FnMut(&str, Page)) {
    for name in all() {
        for (size, values) in sizes(name) {
            let state = format!("{} {size}", name.name());
            on_page(name, values, 720.0, &mut |page| check(&state, page));
        }
    }
}

/// The picture after a drag and without a pointer on it, with everything that takes longer than a frame to compute.
fn picture(page: &mut Page) -> Recording {
    page.pointer(Point::new(-50.0, -50.0), PointerAction::Hover);
    page.recompute();
    let mut figure = page.figure.take().expect("it is in the list");
    // The marks of these come with their work.
    if [ViewName::SideBySide, ViewName::BreakIt, ViewName::Inspect].contains(&page.name) {
        while figure.work() {}
    }
    let picture = of_figure(&figure, ThemeName::Light, page.size().0);
    page.figure = Some(figure);
    picture.expect("it has a picture")
}

/// The marks of a picture that another does not have.
fn new_marks<'a>(picture: &'a Recording, before: &Recording) -> Vec<&'a Mark> {
    let marks = picture.marks.iter().enumerate();
    let is_new = |(at, mark): &(usize, &Mark)| {
        before.marks.get(*at) != Some(mark) && !before.marks.contains(mark)
    };
    marks.filter(is_new).map(|(_, mark)| mark).collect()
}

/// The extent of a mark along x and along y, without strokes and radii.
fn extent(mark: &Mark) -> [(f64, f64); 2] {
    let corners = |rect: &Rect| vec![(rect.x, rect.y), (rect.right(), rect.bottom())];
    let points = match mark {
        Mark::Path(points, _) | Mark::Polygon(points, _) => points.clone(),
        Mark::Circle(centre, ..) => vec![*centre],
        Mark::Rectangle(rect, _) => corners(rect),
        Mark::Words(words) => vec![words.extent().centre().into()],
        Mark::Image(image) => corners(&image.rect),
    };
    let along = |part: fn(&(f64, f64)) -> f64| {
        let all = points.iter().map(part);
        all.fold((f64::MAX, f64::MIN), |(low, high), v| {
            (low.min(v), high.max(v))
        })
    };
    [along(|point| point.0), along(|point| point.1)]
}

/// Where the mark of a value is expected along an axis, 0 for x and 1 for y.
#[derive(Clone, Copy, Debug)]
struct Place {
    axis: usize,
    at: f64,
    /// The largest distance of the middle of the mark from there.
    slack: f64,
    /// The largest extent of the mark.
    most: f64,
}

impl Place {
    /// Tolerance for marks that are themselves rounded to pixels.
    const SLACK: f64 = 2.0;
    /// The largest extent of a line, dot or label, and of a band that stands for several values.
    const MARK: f64 = 14.0;
    const BAND: f64 = 110.0;

    fn point(axis: usize, at: f64) -> Place {
        Place {
            axis,
            at,
            slack: Place::SLACK,
            most: Place::MARK,
        }
    }

    fn holds(&self, mark: &Mark) -> bool {
        let (low, high) = extent(mark)[self.axis];
        let near = ((low + high) / 2.0 - self.at).abs() <= self.slack;
        let band = matches!(mark, Mark::Rectangle(..)) && (low..=high).contains(&self.at);
        near && high - low <= self.most || band && high - low <= Place::BAND
    }
}

/// The direction of a point from a centre, in radians, counter-clockwise from the right.
fn direction(centre: Point, at: Point) -> f64 {
    -(at - centre).atan2()
}

/// The angle between two directions.
fn apart(a: f64, b: f64) -> f64 {
    ((a - b + PI).rem_euclid(TAU) - PI).abs()
}

/// Whether a hand or its ring points in this direction.
fn points_in(mark: &Mark, centre: Point, angle: f64) -> bool {
    let end = match mark {
        Mark::Path(points, _) => points.last().copied(),
        Mark::Circle(at, ..) => Some(*at),
        _ => None,
    };
    end.map(Point::from).is_some_and(|end| {
        let far = centre.distance(end);
        // Coordinates are rounded to an eighth of a pixel.
        far > 5.0 && apart(direction(centre, end), angle) < 0.03 + 1.0 / far
    })
}

/// What a figure does instead of [`Mapping::Custom`], where that can be said in the same words.
fn meant(name: ViewName, field: &str, values: &Values) -> Option<Mapping> {
    let len = || values.whole("max_len") as usize;
    match (name, field) {
        (ViewName::Heatmap, "pos") => Some(Mapping::row((len(), 1))),
        (ViewName::Heatmap, "pair") => {
            let d_model = values.whole("d_model") as usize;
            let numbers = (0..d_model as i64).map(|column| Some(column / 2));
            let shape = (1, d_model);
            Some(Mapping::Lookup {
                shape,
                numbers: numbers.collect(),
            })
        }
        (ViewName::Waves, "pos") => Some(Mapping::column((1, len()))),
        _ => None,
    }
}

/// Whether the value that was selected at a point is the one there, and whether its mark is among the new ones. The handle
/// is that of the picture after the selection.
fn is_marked(
    (handle, mapping): (&Handle, &Mapping),
    field: &str,
    at: Point,
    values: &Values,
    new: &[&Mark],
) -> Result<(), String> {
    let Some(value) = number(values, field) else {
        return Ok(());
    };
    let wanted = mapping.number_at(&handle.region, at, (values, field));
    // Beyond the last value that can be selected, the mark stays there.
    let beyond = at_an_end(values, field) && wanted.is_some_and(|it| (it - value).abs() > 0.5);
    let is_there = |under: bool, place: Place| {
        if !under && !beyond {
            return Err("that is not the value there".to_string());
        }
        match new.iter().any(|mark| place.holds(mark)) {
            true => Ok(()),
            false => Err(format!(
                "no mark near {} {:.1}",
                ["x", "y"][place.axis],
                place.at
            )),
        }
    };
    let along = |axis: usize, pixel: &dyn Fn(f64) -> f64| {
        let step = (pixel(value + 1.0) - pixel(value)).abs();
        let half = if value.fract() == 0.0 {
            step / 2.0
        } else {
            0.0
        };
        let under = ([at.x, at.y][axis] - pixel(value)).abs() <= half + 1.5;
        is_there(under, Place::point(axis, pixel(value)))
    };
    // The mark of a row or column, which is that of the pointer unless it is given.
    let in_cell = |axis: usize, shape: (usize, usize), given: Option<f64>| {
        let Region::Rect(grid) = handle.region else {
            return Err("cells in a disc".into());
        };
        let cell = cell_rect(grid, shape, 0, 0);
        let (from, size) = [(grid.x, cell.width), (grid.y, cell.height)][axis];
        let pointed = (([at.x, at.y][axis] - from) / size).floor();
        let place = Place {
            axis,
            at: from + (given.unwrap_or(pointed) + 0.5) * size,
            slack: size / 2.0 + Place::SLACK,
            most: 1.3 * size + Place::MARK,
        };
        is_there(wanted == Some(value), place)
    };
    match mapping {
        Mapping::X(scale) => along(0, &|value| scale.pixel(value)),
        Mapping::MinusX(scale) => along(0, &|value| scale.pixel(-value)),
        Mapping::XFrom(scale, other) => {
            let from = number(values, other).expect("a number");
            along(0, &|value| scale.pixel(value - from))
        }
        Mapping::Y(scale) => along(1, &|value| scale.pixel(value)),
        Mapping::Nearest(scale, _) => {
            is_there(wanted == Some(value), Place::point(0, scale.pixel(value)))
        }
        Mapping::Cell {
            shape,
            per_row,
            per_column,
            plus,
        } => {
            let index = |per: i64| Some((value - *plus as f64) / per as f64);
            match (*per_row, *per_column) {
                (0, per) => in_cell(0, *shape, index(per)),
                (per, 0) => in_cell(1, *shape, index(per)),
                _ if beyond => Ok(()),
                _ => in_cell(0, *shape, None).and_then(|()| in_cell(1, *shape, None)),
            }
        }
        // A cell without a number selects nothing.
        Mapping::Lookup { .. } if wanted.is_none() => Ok(()),
        Mapping::Lookup { shape, .. } => match shape {
            (1, _) => in_cell(0, *shape, None),
            (_, 1) => in_cell(1, *shape, None),
            _ => in_cell(0, *shape, None).and_then(|()| in_cell(1, *shape, None)),
        },
        Mapping::Turn { centre, zero, step } | Mapping::Angle { centre, zero, step } => {
            let angle = zero + value * step;
            let under = apart(angle, direction(*centre, at)) <= 0.5 * step + 0.01;
            match new.iter().any(|mark| points_in(mark, *centre, angle)) {
                true if under || at_an_end(values, field) => Ok(()),
                true => Err("that is not the value there".into()),
                false => Err(format!("no hand at {angle:.3} radians")),
            }
        }
        _ => Ok(()),
    }
}

/// The centre of a dial and the angle of a step, if a handle turns a hand.
fn turned(handle: &Handle) -> Option<(Point, f64)> {
    handle
        .bindings
        .iter()
        .find_map(|binding| match binding.mapping {
            Mapping::Turn { centre, step, .. } | Mapping::Angle { centre, step, .. } => {
                Some((centre, step))
            }
            _ => None,
        })
}

/// The point where a handle is grabbed.
fn grip(handle: &Handle) -> Point {
    match (handle.region, handle.ring) {
        (_, Some(ring)) => ring.at,
        (Region::Rect(rect), _) => rect.centre(),
        (Region::Disc { centre, .. }, _) => centre,
    }
}

/// Points to which a handle is taken.
fn ends(handle: &Handle) -> Vec<Point> {
    let from = grip(handle);
    match (handle.region, turned(handle)) {
        (_, Some((centre, step))) => {
            let radius = centre.distance(from).max(30.0);
            // Far enough apart to be told from each other.
            let point = |steps: f64| {
                let angle = direction(centre, from) + steps * step.max(0.12);
                centre + radius * Vec2::from_angle(-angle)
            };
            [-2.3, -1.2, 1.3, 2.2].map(point).to_vec()
        }
        (Region::Rect(rect), None) => spread(rect, 3, 3).into_iter().step_by(2).collect(),
        (Region::Disc { centre, radius }, None) => {
            let off = 0.6 * radius.min(30.0);
            vec![centre + (-off, off), centre, centre + (off, -off)]
        }
    }
}

/// Whether a figure has no mark of its own for what a handle sets, for a reason that is not the handle's.
fn has_no_mark((name, index): (ViewName, usize), field: &str, picture: &Recording) -> bool {
    match (name, field) {
        // Longer sequences make the whole table smaller.
        (ViewName::Beyond, "length") => true,
        // The row of weights shades all keys of a bucket.
        (ViewName::Buckets, "k") => index == 4,
        // The chart and the dial mark the position that is selected in the table.
        (ViewName::BreakIt, "pos") => index == 0,
        // An encoding has no logit there, and so no point on its curve.
        (ViewName::SideBySide, "k") => picture.texts().any(|words| words.text == "logit none"),
        _ => false,
    }
}

#[test]
fn the_mark_of_what_is_pressed_is_under_the_pointer() {
    let (mut checked, mut found) = (0, Vec::new());
    every_size(|state, mut page| {
        let start = page.values.clone();
        for (index, handle) in page.handles().into_iter().enumerate() {
            let mut before: Option<(Recording, Values)> = None;
            for at in ends(&handle) {
                page.set(start.clone());
                let from = if turned(&handle).is_some() {
                    grip(&handle)
                } else {
                    at
                };
                if page.hit(from) != Some(index) {
                    continue;
                }
                page.pointer(from, PointerAction::Press);
                let pressed = page.values.clone();
                page.pointer(at, PointerAction::Drag);
                // One table becomes smaller under the pointer, and a bar follows it only once it is selected.
                let follows = [ViewName::Beyond, ViewName::Buckets].contains(&page.name);
                if from == at && !follows {
                    let (now, then) = (page.values.changed(), pressed.changed());
                    assert_eq!(now, then, "{state}: a press at {at:?} that does not move");
                }
                page.pointer(at, PointerAction::Release);
                let now = picture(&mut page);
                let handles = page.handles();
                if let (Some((last, values)), Some(handle)) = (&before, handles.get(index)) {
                    let (fields, new) = (changed(values, &page.values), new_marks(&now, last));
                    for binding in &handle.bindings {
                        let field = binding.field;
                        let own = meant(page.name, field, &page.values);
                        let mapping = own.as_ref().unwrap_or(&binding.mapping);
                        // Hands that point nearly where they did.
                        let angle = |values, step| number(values, field).unwrap_or_default() * step;
                        let still = turned(handle).is_some_and(|(_, step)| {
                            apart(angle(values, step), angle(&page.values, step)) < 0.05
                        });
                        if !fields.contains(&field)
                            || !page.values.has(field)
                            || still
                            || has_no_mark((page.name, index), field, &now)
                        {
                            continue;
                        }
                        checked += 1;
                        let marked = is_marked((handle, mapping), field, at, &page.values, &new);
                        if let Err(problem) = marked {
                            let (value, Point { x, y }) = (page.values.text(field), at);
                            let new: Vec<_> = new.iter().take(9).map(|it| it.to_string()).collect();
                            found.push(format!(
                                "{state}: {field} is {value} and was {} after a press at ({x:.1}, {y:.1}): {problem}; \
                                 new marks: {}",
                                values.text(field),
                                new.join("; ")
                            ));
                        }
                    }
                }
                before = Some((now, page.values.clone()));
            }
        }
    });
    assert!(
        found.is_empty(),
        "{} of {checked}:\n{}",
        found.len(),
        found.join("\n")
    );
    assert!(checked > 19 * ViewName::ALL.len(), "{checked}");
}

/// Whether a value grows or shrinks with a coordinate.
fn is_straight(mapping: &Mapping) -> bool {
    !matches!(
        mapping,
        Mapping::Turn { .. } | Mapping::Angle { .. } | Mapping::Lookup { .. } | Mapping::Custom
    )
}

#[test]
fn dragging_further_never_brings_a_value_back() {
    let (mut checked, mut pushed) = (0, 0);
    every_size(|state, mut page| {
        let start = page.values.clone();
        for (index, handle) in page.handles().into_iter().enumerate() {
            let from = grip(&handle);
            let straight = handle
                .bindings
                .iter()
                .all(|binding| is_straight(&binding.mapping));
            if page.hit(from) != Some(index) || !straight {
                continue;
            }
            let fields = handle.bindings.iter().map(|binding| binding.field);
            let fields: Vec<_> = fields.chain(handle.pushes).collect();
            for (dx, dy) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
                page.set(start.clone());
                page.pointer(from, PointerAction::Press);
                let mut seen: Vec<Vec<f64>> = Vec::new();
                for step in 0..=24 {
                    let by = f64::from(step) * 40.0;
                    let at = from + (dx * by, dy * by);
                    page.pointer(at, PointerAction::Drag);
                    // Over another region that selects the same, the drag goes on there.
                    if page.hit(at).is_some_and(|hit| hit != index) {
                        continue;
                    }
                    let now = fields.iter().map(|field| number(&page.values, field));
                    seen.push(now.map(Option::unwrap_or_default).collect());
                    let Some(other) = handle.pushes else { continue };
                    // The other field is moved until the pointer is reached, or as far as it can go.
                    let binding = handle.bindings.last().expect("it sets something");
                    let field = (&page.values, binding.field);
                    let wanted = binding
                        .mapping
                        .number_at(&handle.region, at, field)
                        .unwrap();
                    let value = number(&page.values, binding.field).unwrap();
                    let Point { x, y } = at;
                    assert!(
                        (wanted - value).abs() <= 0.5 || at_an_end(&page.values, other),
                        "{state}, dragged to ({x:.1}, {y:.1}): {} is {value} instead of {wanted:.2}, \
                         although {other} = {} leaves room",
                        binding.field,
                        page.values.text(other),
                    );
                    pushed += usize::from(page.values.text(other) != start.text(other));
                }
                page.pointer(Point::new(-50.0, -50.0), PointerAction::Release);
                for (i, field) in fields.iter().enumerate() {
                    let seen: Vec<_> = seen.iter().map(|values| values[i]).collect();
                    let goes = |by: fn(f64, f64) -> bool| seen.windows(2).any(|w| by(w[0], w[1]));
                    assert!(
                        !(goes(|a, b| a < b) && goes(|a, b| a > b)),
                        "{state}: a drag towards ({dx}, {dy}) takes {field} through {seen:?}"
                    );
                    checked += 1;
                }
            }
        }
    });
    assert!(checked > 1000 && pushed > 20, "{checked} {pushed}");
}
