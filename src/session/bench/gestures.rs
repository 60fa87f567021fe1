//! What drags, zooming and keys do to the state of the bench.

use crate::draw::{Point, Rect, Vec2};
use crate::field::settings::K;
use crate::field::{SettingId, Span, State, ViewName};
use crate::figure::{plus_and_minus, plus_or_minus};
use crate::figures::bench::model::Model;
use crate::figures::bench::{
    Hand, HeatmapView, Hit, Scene, Transient, ViewDrag, WavesView, select_by_key,
    selected_dimension,
};

/// The effect of moving a pressed pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Gesture {
    Drag(ViewDrag),
    /// The visible window moves with the pointer; `moved`, in pixels, distinguishes a drag from a tap.
    Pan {
        last: Point,
        moved: f64,
    },
    Pinch,
}

/// Minimum number of visible cells along an axis when zooming.
const MIN_VISIBLE_CELLS: f64 = 2.0;

/// Begins a drag at a point of a figure; `None` if there is nothing to drag.
pub(super) fn begin_gesture(
    state: &mut State,
    scene: &Scene,
    name: ViewName,
    hit: Option<Hit>,
    at: Point,
) -> Option<Gesture> {
    let drag = ViewDrag::begin(scene, name, hit, at, state.values_mut())?;
    let locked =
        |hand: Hand| SettingId::named(hand.field().name()).is_some_and(|key| state.locks(key));
    // A hand whose setting is locked cannot be dragged.
    (!drag.hand().is_some_and(locked)).then_some(Gesture::Drag(drag))
}

/// Whether a touch drags in every direction instead of scrolling the page; `hits_grip` is true if it began on the
/// handle of a hand.
pub(super) fn prevents_scroll(
    gesture: &Gesture,
    state: &State,
    name: ViewName,
    hits_grip: bool,
) -> bool {
    match gesture {
        // On the waves and the tokens, a vertical touch gesture scrolls the page.
        Gesture::Drag(drag) => drag.hand().is_some() && hits_grip && name == ViewName::Rotation,
        Gesture::Pan { .. } => state.is_zoomed(),
        Gesture::Pinch => true,
    }
}

/// Applies a pointer move to the state; returns the transient display state.
pub(super) fn drag(
    gesture: &mut Gesture,
    state: &mut State,
    scene: &Scene,
    hit: Option<Hit>,
    at: Point,
) -> Transient {
    match gesture {
        Gesture::Drag(drag) => return drag.drag(scene, hit, at, state.values_mut()),
        Gesture::Pan { last, moved } => {
            let by = at - *last;
            *moved += by.hypot();
            *last = at;
            if let Some(plot) = HeatmapView::plot(scene) {
                pan(state, plot, by);
            }
        }
        Gesture::Pinch => {}
    }
    Transient {
        pair: hit.and_then(|hit| hit.pair(scene.model)),
        ..Transient::default()
    }
}

/// Moves the visible window of the heatmap with the pointer.
pub(super) fn pan(state: &mut State, plot: Rect, by: Vec2) {
    let (rows, columns) = (state.positions(), state.dimensions());
    let rows = rows.moved(-by.y / plot.height * rows.width(), state.max_len());
    let columns = columns.moved(-by.x / plot.width * columns.width(), state.d_model());
    state.set_window(rows, columns);
}

/// Where a scrollbar moves the visible window to.
#[derive(Clone, Copy)]
pub(super) enum Scroll {
    /// Its centre to a fraction of the axis.
    To(f64),
    /// By a number of its lengths.
    By(f64),
}

/// Moves the visible window along one axis.
pub(super) fn scroll(state: &mut State, vertical: bool, scroll: Scroll) {
    let mut spans = [state.positions(), state.dimensions()];
    let (axis, cells) = match vertical {
        true => (0, state.max_len()),
        false => (1, state.d_model()),
    };
    let span = spans[axis];
    let by = match scroll {
        Scroll::To(fraction) => fraction * cells as f64 - span.start() - span.width() / 2.0,
        Scroll::By(lengths) => lengths * span.width(),
    };
    spans[axis] = span.moved(by, cells);
    state.set_window(spans[0], spans[1]);
}

/// What a key on a scrollbar does, if anything.
pub(super) fn scroll_of(key: &str) -> Option<Scroll> {
    Some(Scroll::By(match key {
        "ArrowLeft" | "ArrowUp" => -0.1,
        "ArrowRight" | "ArrowDown" => 0.1,
        "PageUp" => -1.0,
        "PageDown" => 1.0,
        "Home" => f64::MIN,
        "End" => f64::MAX,
        _ => return None,
    }))
}

/// Scales the visible window about an anchor, in fractions of the plot, or else about the selection.
pub(super) fn zoom(state: &mut State, model: &Model, factor: f64, anchor: Option<(f64, f64)>) {
    let (rows, columns) = (state.positions(), state.dimensions());
    let on = |span: Span, share: f64| span.start() + share * span.width();
    let (row, column) = match anchor {
        Some((x, y)) => (on(rows, y), on(columns, x)),
        None => {
            let middle = match state.shows_phase() {
                // A pair is two dimensions wide.
                true => 2.0 * state.pair() as f64 + 1.0,
                false => model.column_index(model.dimension()) as f64 + 0.5,
            };
            (state.pos() as f64 + 0.5, middle)
        }
    };
    state.set_window(
        scaled(rows, factor, row, state.max_len()),
        scaled(columns, factor, column, state.d_model()),
    );
}

/// Scales the visible positions only; `share` is the anchor as a fraction of them.
pub(super) fn zoom_positions(state: &mut State, factor: f64, share: f64) {
    let rows = state.positions();
    let rows = scaled(
        rows,
        factor,
        rows.start() + share * rows.width(),
        state.max_len(),
    );
    state.set_window(rows, state.dimensions());
}

fn scaled(span: Span, factor: f64, anchor: f64, cells: usize) -> Span {
    let closest = MIN_VISIBLE_CELLS.min(cells as f64);
    let factor = factor.max(closest / span.width());
    span.zoomed(factor, anchor, cells)
}

/// A point as fractions of the width and height of a view's plot; `None` outside the plot.
pub(super) fn plot_fraction(name: ViewName, scene: &Scene, at: Point) -> Option<(f64, f64)> {
    let plot = match name {
        ViewName::Heatmap => HeatmapView::plot(scene),
        ViewName::Waves => WavesView::plot(scene),
        _ => None,
    }?;
    plot.contains(at)
        .then(|| ((at.x - plot.x) / plot.width, (at.y - plot.y) / plot.height))
}

/// Applies a key to a figure; false if the key has no effect there.
pub(super) fn key(
    name: ViewName,
    key: &str,
    large: bool,
    state: &mut State,
    model: &Model,
) -> bool {
    if select_by_key(name, key, large, model, state.values_mut()) {
        if name == ViewName::Heatmap {
            state.reveal(match state.shows_phase() {
                true => 2 * state.pair(),
                false => model.column_index(selected_dimension(model, state.values())),
            });
        }
        return true;
    }
    let zooms = matches!(name, ViewName::Heatmap | ViewName::Waves);
    if !zooms && name != ViewName::Clocks {
        return plus_and_minus(Some(K), key, state.values_mut());
    }
    if !model.shows(name) {
        return false;
    }
    match (plus_or_minus(key), key) {
        (Some(sign), _) => {
            let factor = if sign > 0 { 0.5 } else { 2.0 };
            if name == ViewName::Heatmap {
                zoom(state, model, factor, None);
            } else {
                let span = state.positions();
                let share = (state.pos() as f64 + 0.5 - span.start()) / span.width();
                zoom_positions(state, factor, share.clamp(0.0, 1.0));
            }
        }
        (None, "0") => state.show_everything(),
        _ => return false,
    }
    true
}

/// The distance of two touches, at least 1.
pub(super) fn pinch_length(a: Point, b: Point) -> f64 {
    a.distance(b).max(1.0)
}
