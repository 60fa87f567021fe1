//! The handles of every figure: their positions, and that a pointer on a handle sets exactly what it declares.

use posenc::figure::{Binding, Cursor, DragMode, Handle, Mapping, PointerAction, Region, hit_test};
use posenc::figures::{AnyFigure, all, fields};
use posenc::{
    BenchFigure, DrawContext, Frame, Hit, Lang, Model, Point, Rect, Scene, State, Theme, ThemeName,
    Values, Vec2, ViewName, figure_svg,
};
use posenc::{Field, Kind, Persistence};
use std::f64::consts::{PI, TAU};

mod follow;
mod locked;

/// A figure on a page with a given width.
struct Page<'a> {
    name: ViewName,
    values: Values,
    figure: Option<AnyFigure>,
    context: DrawContext<'a>,
}

impl Page<'_> {
    fn size(&self) -> (f64, f64) {
        (self.context.frame.width, self.context.frame.height)
    }

    fn handles(&self) -> Vec<Handle> {
        self.figure().handles(&self.context)
    }

    fn hit(&self, at: Point) -> Option<usize> {
        hit_test(&self.handles(), at)
    }

    /// Handles a pointer event; as on a page, the figure is computed again after each change.
    fn pointer(&mut self, at: Point, action: PointerAction) {
        let mut values = self.values.clone();
        let figure = self.figure();
        figure.pointer(&self.context, at, action, &mut values);
        self.set(values);
    }

    fn set(&mut self, values: Values) {
        if values != self.values {
            let previous = self.figure.take();
            self.figure = AnyFigure::new(self.name, &values, Lang::En, previous);
            self.values = values;
        }
    }

    fn recompute(&mut self) {
        let previous = self.figure.take();
        self.figure = AnyFigure::new(self.name, &self.values, Lang::En, previous);
    }

    fn figure(&self) -> &AnyFigure {
        self.figure.as_ref().expect("it is in the list")
    }

    fn points(&self, across: usize, down: usize) -> Vec<Point> {
        let (width, height) = self.size();
        spread(Rect::new(0.0, 0.0, width, height), across, down)
    }
}

fn svg(page: &Page) -> String {
    let (width, _) = page.size();
    figure_svg(page.figure(), ThemeName::Light, width as u32).unwrap()
}

fn cell_rect(grid: Rect, (rows, columns): (usize, usize), row: usize, column: usize) -> Rect {
    let (width, height) = (grid.width / columns as f64, grid.height / rows as f64);
    let (x, y) = (grid.x + column as f64 * width, grid.y + row as f64 * height);
    Rect::new(x, y, width, height)
}

/// The centres of the cells of a grid.
fn spread(rect: Rect, across: usize, down: usize) -> Vec<Point> {
    let shape = (down, across);
    let cells = (0..down).flat_map(|row| (0..across).map(move |column| (row, column)));
    cells
        .map(|(row, column)| cell_rect(rect, shape, row, column).centre())
        .collect()
}

/// The default values, and variants with each other choice and each toggle inverted.
fn starts(name: ViewName) -> Vec<Values> {
    let start = Values::new(fields(name).unwrap());
    let mut starts = vec![start.clone()];
    for field in start.public() {
        let others: Vec<String> = match &field.kind {
            Kind::Choice(choices) => choices.iter().skip(1).map(|it| it.0.to_string()).collect(),
            Kind::Toggle(on) => vec![if *on { "off" } else { "on" }.to_string()],
            _ => continue,
        };
        for text in others {
            let mut values = start.clone();
            values.set_any(field.name, &text);
            starts.push(values);
        }
    }
    if name == ViewName::Quiz {
        starts.extend((2..=12).map(|question| {
            let mut values = start.clone();
            values.set_whole("question", question);
            values
        }));
    }
    starts
}

fn on_page(name: ViewName, values: Values, width: f64, check: &mut dyn FnMut(Page)) {
    let theme = Theme::named(ThemeName::Light);
    let colours = theme.colour_map();
    let figure = AnyFigure::new(name, &values, Lang::En, None).unwrap();
    let Some(height) = figure.height(width, theme) else {
        return;
    };
    let frame = Frame {
        width,
        height,
        pixels: 1.0,
        units: 8.0,
    };
    let context = DrawContext {
        theme,
        colours: &colours,
        frame,
    };
    check(Page {
        name,
        values,
        figure: Some(figure),
        context,
    });
}

/// Every figure with handles, in each of its starting states.
fn every(mut check: impl FnMut(Page)) {
    for name in all() {
        for values in starts(name) {
            on_page(name, values, 720.0, &mut check);
        }
    }
}

#[test]
fn handles_lie_inside_the_picture() {
    let mut figures = 0;
    for name in all() {
        for width in [340.0, 720.0, 1100.0] {
            on_page(
                name,
                Values::new(fields(name).unwrap()),
                width,
                &mut |page| {
                    let (right, bottom) = page.size();
                    for handle in page.handles() {
                        let Point { x, y } = match handle.region {
                            Region::Rect(rect) => {
                                assert!(!rect.is_empty(), "{} {rect:?}", name.name());
                                assert!(
                                    rect.x >= -0.5 && rect.y >= -0.5,
                                    "{} {rect:?}",
                                    name.name()
                                );
                                Point::new(rect.right(), rect.bottom())
                            }
                            Region::Disc { centre, .. } => centre,
                        };
                        let inside = x <= right + 0.5 && y <= bottom + 0.5;
                        assert!(inside && x >= 0.0 && y >= 0.0, "{} at {width}", name.name());
                    }
                    figures += usize::from(!page.handles().is_empty());
                },
            );
        }
    }
    assert!(figures >= 3 * 30, "{figures}");
}

/// Whether the value of a field corresponds to a point: the inverse of its drawing.
fn is_under(
    handle: &Handle,
    mapping: &Mapping,
    at: Point,
    (values, value): (&Values, f64),
) -> bool {
    // Integers are rounded to the nearest; others are written with few decimals.
    let step = if value.fract() == 0.0 { 0.5 } else { 0.0 };
    let near = |pixel: &dyn Fn(f64) -> f64, at: f64| {
        let (a, b) = (pixel(value - step), pixel(value + step));
        (a.min(b) - 1.5..=a.max(b) + 1.5).contains(&at)
    };
    let within = |shape: (usize, usize), row: Option<f64>, column: Option<f64>| {
        let Region::Rect(grid) = handle.region else {
            return true;
        };
        let of = |it: Option<f64>| it.unwrap_or(0.0) as usize;
        let cell = cell_rect(grid, shape, of(row), of(column));
        row.is_none_or(|_| (cell.y..=cell.bottom()).contains(&at.y))
            && column.is_none_or(|_| (cell.x..=cell.right()).contains(&at.x))
    };
    match mapping {
        Mapping::X(scale) => near(&|value| scale.pixel(value), at.x),
        Mapping::XFrom(scale, other) => {
            let from = values.whole(other) as f64;
            near(&|value| scale.pixel(value - from), at.x)
        }
        Mapping::Y(scale) => near(&|value| scale.pixel(value), at.y),
        Mapping::MinusX(scale) => near(&|value| scale.pixel(-value), at.x),
        Mapping::Constant(number) => *number as f64 == value,
        Mapping::Cell {
            shape,
            per_row: 1,
            per_column: 0,
            plus,
        } => within(*shape, Some(value - *plus as f64), None),
        Mapping::Cell {
            shape,
            per_row: 0,
            per_column: 1,
            plus,
        } => within(*shape, None, Some(value - *plus as f64)),
        Mapping::Cell {
            shape,
            per_row,
            per_column: 1,
            plus,
        } => (0..shape.0).any(|row| {
            let column = value - (per_row * row as i64 + plus) as f64;
            (0.0..shape.1 as f64).contains(&column)
                && within(*shape, Some(row as f64), Some(column))
        }),
        Mapping::Lookup { shape, numbers } => numbers.iter().enumerate().any(|(index, number)| {
            let (row, column) = ((index / shape.1) as f64, (index % shape.1) as f64);
            within(*shape, Some(row), Some(column)) && number.is_none_or(|it| it as f64 == value)
        }),
        Mapping::Angle { centre, zero, step } => {
            let pointed = (centre.y - at.y).atan2(at.x - centre.x);
            let off = (zero + value * step - pointed + PI).rem_euclid(TAU) - PI;
            off.abs() <= 0.5 * step.min(TAU) + 1e-9
        }
        // The angle is compared modulo a full turn; at the centre there is no direction.
        Mapping::Turn { centre, zero, step } => {
            let pointed = (centre.y - at.y).atan2(at.x - centre.x);
            let off = (zero + value * step - pointed + PI).rem_euclid(TAU) - PI;
            *centre == at || off.abs() <= 0.5 * step.min(TAU) + 1e-9
        }
        // What is drawn there is compared in `follow`.
        Mapping::Custom => true,
        _ => panic!("{mapping:?}"),
    }
}

/// Returns the names of the fields that differ.
fn changed(before: &Values, after: &Values) -> Vec<&'static str> {
    let names = before.fields().iter().map(|field| field.name);
    names
        .filter(|name| before.text(name) != after.text(name))
        .collect()
}

fn number(values: &Values, field: &str) -> Option<f64> {
    values.text(field).parse().ok()
}

/// Whether the value is at a limit of its field.
fn at_an_end(values: &Values, field: &str) -> bool {
    let declared = values.fields().iter().find(|it| it.name == field).unwrap();
    match &declared.kind {
        Kind::Integer { .. } => {
            let (low, high) = values.limits(field);
            [low, high].contains(&values.whole(field))
        }
        Kind::Real {
            limits: (low, high),
            ..
        } => [*low, *high].contains(&values.text(field).parse().unwrap()),
        _ => false,
    }
}

fn assert_declared(page: &Page, handle: &Handle, before: &Values) {
    for field in changed(before, &page.values) {
        let declared = handle.bindings.iter().any(|binding| binding.field == field)
            || handle.pushes == Some(field)
            || handle.while_pressed == Some(field)
            // Transient fields, which only the figure itself sets.
            || !page.values.has(field);
        let follows = matches!(
            page.values
                .fields()
                .iter()
                .find(|it| it.name == field)
                .unwrap()
                .kind,
            Kind::Integer { .. }
        ) && at_an_end(&page.values, field);
        assert!(declared || follows, "{}: {field}", page.name.name());
    }
}

#[test]
fn what_is_pressed_gets_the_value_under_the_pointer() {
    let mut checked = 0;
    every(|mut page| {
        let start = page.values.clone();
        for (index, handle) in page.handles().into_iter().enumerate() {
            let points = match handle.region {
                Region::Rect(rect) => spread(rect, 5, 5),
                Region::Disc { centre, .. } => vec![centre],
            };
            for at in points {
                if page.hit(at) != Some(index) {
                    continue;
                }
                page.pointer(at, PointerAction::Press);
                assert_declared(&page, &handle, &start);
                for Binding { field, mapping } in &handle.bindings {
                    let Some(value) = number(&page.values, field) else {
                        continue;
                    };
                    let under = is_under(&handle, mapping, at, (&page.values, value));
                    let name = page.name.name();
                    assert!(
                        under || at_an_end(&page.values, field),
                        "{name} {field} {value} {at:?}"
                    );
                    checked += usize::from(under);
                }
                page.pointer(at, PointerAction::Release);
                page.set(start.clone());
            }
        }
    });
    assert!(checked > 2000, "{checked}");
}

#[test]
fn a_drag_stays_with_what_was_pressed() {
    every(|mut page| {
        let start = page.values.clone();
        for (index, handle) in page.handles().into_iter().enumerate() {
            let from = match handle.region {
                Region::Rect(rect) => rect.centre(),
                Region::Disc { centre, .. } => centre,
            };
            if page.hit(from) != Some(index) {
                continue;
            }
            let cursor = page.figure().cursor(&page.context, from);
            let area = handle.drag == DragMode::Select;
            assert_eq!(
                cursor,
                if area {
                    Cursor::Crosshair
                } else {
                    Cursor::Grab
                }
            );
            assert_eq!(
                page.figure().drags_freely(&page.context, from),
                handle.drag == DragMode::Free
            );
            page.pointer(from, PointerAction::Press);
            let held = page
                .figure()
                .cursor(&page.context, Point::new(-50.0, -50.0));
            assert_eq!(
                held,
                if area {
                    Cursor::Crosshair
                } else {
                    Cursor::Grabbing
                }
            );
            for to in [
                from + (9.0, -5.0),
                Point::new(-40.0, -40.0),
                Point::new(2000.0, 2000.0),
            ] {
                let before = page.values.clone();
                // The press may have selected what the same handle changes.
                let handle = page.handles().swap_remove(index);
                page.pointer(to, PointerAction::Drag);
                assert_declared(&page, &handle, &before);
            }
            for Binding { field, mapping } in &handle.bindings {
                let last = number(&page.values, field).unwrap_or_default();
                let far = match mapping {
                    Mapping::X(scale) => scale.domain().1 <= last + 0.5,
                    _ => true,
                };
                let ends = at_an_end(&page.values, field);
                assert!(far || ends, "{} {field} {last}", page.name.name());
            }
            page.pointer(Point::new(2000.0, 2000.0), PointerAction::Release);
            let over = page.values.clone();
            page.pointer(from, PointerAction::Drag);
            assert_eq!(page.values, over, "{}", page.name.name());
            page.set(start.clone());
        }
    });
}

#[test]
fn what_is_dragged_by_a_ring_is_drawn_under_the_pointer() {
    let mut figures = Vec::new();
    every(|mut page| {
        let start = page.values.clone();
        for (index, handle) in page.handles().into_iter().enumerate() {
            let Some(ring) = handle.ring else { continue };
            if page.hit(ring.at) != Some(index) {
                continue;
            }
            let plain = svg(&page);
            page.pointer(ring.at, PointerAction::Hover);
            assert!(page.figure().needs_redraw());
            page.recompute();
            let hovered = svg(&page);
            assert_ne!(hovered, plain, "{} {}", page.name.name(), index);
            assert!(!page.figure().needs_redraw());
            page.pointer(ring.at, PointerAction::Press);
            // Less than half a position from its value: nothing is set, and the ring follows the pointer.
            let near = ring.at + (0.6, 0.6);
            page.pointer(near, PointerAction::Drag);
            assert!(page.figure().needs_redraw(), "{} {index}", page.name.name());
            assert_ne!(svg(&page), hovered, "{} {}", page.name.name(), index);
            page.pointer(near, PointerAction::Release);
            page.pointer(Point::new(-50.0, -50.0), PointerAction::Hover);
            page.set(start.clone());
            page.recompute();
            assert_eq!(svg(&page), plain, "{} {}", page.name.name(), index);
            figures.push(page.name);
        }
    });
    figures.dedup();
    for name in [
        ViewName::Clocks,
        ViewName::MatrixClocks,
        ViewName::Attend,
        ViewName::Compose,
        ViewName::Derivation,
        ViewName::PairTurn,
    ] {
        assert!(figures.contains(&name), "{}", name.name());
    }
}

#[test]
fn a_hand_can_be_taken_around_more_than_once() {
    let values = {
        let mut values = Values::new(fields(ViewName::MatrixClocks).unwrap());
        values.set_any("max_len", "1000");
        values
    };
    on_page(ViewName::MatrixClocks, values, 720.0, &mut |mut page| {
        let (handle, other) = (page.handles().swap_remove(0), page.values.text("k"));
        let Mapping::Turn { centre, step, .. } = handle.bindings[0].mapping else {
            panic!("{:?}", handle.bindings)
        };
        let pos = page.values.whole("pos") as f64;
        let point = |turned: f64| {
            let angle = pos * step + turned;
            centre + 10.0 * Vec2::from_angle(-angle)
        };
        page.pointer(point(0.0), PointerAction::Press);
        let drag = |page: &mut Page, turns: f64, steps: i32| {
            for part in 1..=steps {
                let turned = turns * TAU * f64::from(part) / f64::from(steps);
                page.pointer(point(turned), PointerAction::Drag);
            }
        };
        drag(&mut page, 3.0, 60);
        let around = page.values.whole("pos") as f64;
        assert!((around - pos - 3.0 * TAU / step).abs() <= 0.5, "{around}");
        assert_eq!(page.values.text("k"), other);
        page.pointer(point(0.0), PointerAction::Release);
    });
}

#[test]
fn nothing_happens_beside_the_handles() {
    let mut beside = 0;
    every(|mut page| {
        let start = page.values.clone();
        let handles = page.handles();
        for at in page.points(12, 12) {
            if hit_test(&handles, at).is_some() {
                continue;
            }
            assert_eq!(page.figure().cursor(&page.context, at), Cursor::Default);
            page.pointer(at, PointerAction::Press);
            for handle in &handles {
                if let Region::Rect(rect) = handle.region {
                    page.pointer(rect.centre(), PointerAction::Drag);
                }
            }
            page.pointer(at, PointerAction::Release);
            assert_eq!(page.values, start, "{} {at:?}", page.name.name());
            beside += 1;
        }
    });
    assert!(beside > 1000, "{beside}");
}

/// The fields that keys of the picture change, by themselves or after another: arrows, with Shift or without, plus and minus,
/// and the keys of single figures.
fn reached(page: &Page) -> Vec<&'static str> {
    let arrows = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];
    let keys = arrows
        .into_iter()
        .flat_map(|key| [(key, false), (key, true)]);
    let keys = keys.chain(["+", "-", "Enter", "3"].map(|key| (key, false)));
    let press = |before: &Values, (key, shift): (&str, bool)| {
        let figure = AnyFigure::new(page.name, before, Lang::En, None).unwrap();
        let mut after = before.clone();
        figure.key(key, shift, &mut after);
        after
    };
    let mut reached = Vec::new();
    for first in keys.clone() {
        let once = press(&page.values, first);
        reached.extend(changed(&page.values, &once));
        for second in keys.clone() {
            reached.extend(changed(&once, &press(&once, second)));
        }
        // In a heatmap with all sines first, the cosines are many columns away.
        let often = (0..7).fold(once, |before, _| press(&before, first));
        reached.extend(changed(&page.values, &often));
    }
    reached
}

#[test]
fn keys_or_controls_reach_what_the_handles_set() {
    let mut checked = 0;
    every(|page| {
        let bindings = page.handles().into_iter().flat_map(|it| it.bindings);
        let mut bound: Vec<_> = bindings.map(|it| it.field).collect();
        bound.sort_unstable();
        bound.dedup();
        let more = page.figure().more();
        let own = more.map(|node| node.to_string()).unwrap_or_default();
        let has_control = |name: &str| {
            let field = page.values.fields().iter().find(|it| it.name == name);
            // A transient field follows another while the picture is pressed.
            let passes = |it: &Field| it.control || it.persistence == Persistence::Transient;
            field.is_some_and(passes) || own.contains(&format!("name=\"{name}\""))
        };
        bound.retain(|name| !has_control(name));
        if bound.is_empty() {
            return;
        }
        let reached = reached(&page);
        for field in bound {
            assert!(reached.contains(&field), "{}: {field}", page.name.name());
            checked += 1;
        }
    });
    assert!(checked > 50, "{checked}");
}

#[test]
fn the_cursor_over_the_bench_is_that_over_its_figures() {
    let model = Model::without_transients(&State::default(), Lang::En);
    for bench in BenchFigure::all() {
        let name = bench.name();
        let mut seen = Vec::new();
        let values = Values::new(fields(name).unwrap());
        on_page(name, values, 720.0, &mut |page| {
            let context = &page.context;
            let scene = Scene::new(&model, context.theme, context.colours, context.frame);
            for at in page.points(90, 60) {
                let hit = bench.hit_test(&scene, at);
                let cursor = hit.map_or(Cursor::Default, Hit::cursor);
                let of_figure = page.figure().cursor(&page.context, at);
                assert_eq!(cursor, of_figure, "{} at {at:?}", name.name());
                seen.push(cursor);
            }
        });
        assert!(seen.contains(&Cursor::Crosshair) && seen.contains(&Cursor::Default));
        assert_eq!(seen.contains(&Cursor::Grab), name != ViewName::Heatmap);
    }
}
