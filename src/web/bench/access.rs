//! The bench as the rest of the page and scripts reach it.

use super::{APP, App, with};
use crate::field::{Key, State, ThemeName, ViewName};
use crate::figures::bench::view::BenchFigure;
use crate::web::dom::window;
use crate::web::{figure, picture as pictures};
use std::rc::Rc;
use web_sys::HtmlCanvasElement;

pub(super) fn with_app(act: impl FnOnce(&mut App)) {
    let app = APP.with_borrow(|app| app.as_ref().map(Rc::downgrade));
    if let Some(app) = app {
        with(&app, act);
    }
}

/// Whether nothing holds the bench.
pub fn is_well() -> bool {
    APP.with(|app| match app.try_borrow_mut() {
        Ok(app) => app.as_ref().is_none_or(|app| app.try_borrow_mut().is_ok()),
        Err(_) => false,
    })
}

/// The settings of the bench, by name.
pub fn pairs_of(state: &State) -> Vec<(&'static str, String)> {
    let keys = Key::ALL.iter();
    keys.map(|&key| (key.name(), state.text(key))).collect()
}

/// The settings of the bench as they are now; none where the page has no bench.
pub fn pairs() -> Vec<(&'static str, String)> {
    let mut pairs = Vec::new();
    with_app(|app| pairs = pairs_of(&app.state));
    pairs
}

/// Sets settings of the bench by name.
pub fn apply(pairs: &[(&str, String)]) {
    with_app(|app| app.apply(pairs));
}

/// The same for a reader on another part of the page: locked settings stay as they are.
pub fn apply_with_locks(pairs: &[(&str, String)]) {
    with_app(|app| app.with_locks(|app| app.apply(pairs)));
}

/// The reader goes to the bench, which is given these settings: Back leads to where they are now.
pub fn go_to_bench(pairs: &[(&str, String)]) {
    with_app(|app| {
        app.address.write(&app.state);
        let view = (Key::View.name(), ViewName::Bench.name().to_string());
        let all: Vec<_> = std::iter::once(view).chain(pairs.iter().cloned()).collect();
        app.with_locks(|app| app.apply(&all));
        app.address.leave();
        app.keep();
        let scrolled = window().scroll_y().is_ok_and(|y| y > 0.0);
        if scrolled || !app.address.says(&app.state) {
            app.address.push(&app.state);
        }
    });
    window().scroll_to_with_x_and_y(0.0, 0.0);
}

/// What `read` finds in the state; nothing where the page has no bench.
pub fn read<T>(read: impl FnOnce(&State) -> T) -> Option<T> {
    let mut found = None;
    with_app(|app| found = Some(read(&app.state)));
    found
}

/// The second file of the core is there, with the table that may be awaited.
pub fn arrived() {
    with_app(|app| {
        app.request(None);
        if app.printing {
            app.draw_now();
        }
    });
}

/// It could not be had.
pub fn lacks() {
    with_app(|app| {
        app.notices.lacking = app.model.loading;
        app.notices.show(&app.page.notices, app.page.lang());
    });
}

pub fn reset() {
    with_app(|app| {
        app.with_locks(App::reset);
        app.request(None);
    });
}

pub fn play(on: bool) {
    with_app(|app| {
        match on {
            true => app.start(),
            false => app.stop(),
        }
        app.request(None);
    });
}

/// Moves pos by so many steps, from the last to the first.
pub fn step(by: i64) {
    with_app(|app| {
        app.stop();
        let length = app.state.max_len() as i64;
        let pos = (app.state.pos() as i64 + by % length).rem_euclid(length);
        app.with_locks(|app| app.state.set_pos(pos));
        app.request(None);
    });
}

/// Shows the page in a theme of its own, so many times as large; nothing goes back to the state's. The scale of type.
pub fn stage(stage: Option<(ThemeName, f64)>) -> Option<f64> {
    let mut scale = None;
    with_app(|app| {
        app.stage = stage;
        app.apply_page_settings();
        app.request(None);
        scale = Some(app.theme.scale);
    });
    scale
}

/// Says something in the address that is no setting, or takes it out.
pub fn note(name: &str, value: Option<&str>) {
    with_app(|app| {
        app.address.note(name, value);
        app.keep();
        app.address.write(&app.state);
        let link = app.address.of(&app.state);
        app.page.settle(&app.model, &link);
    });
}

pub fn link() -> Option<String> {
    let mut link = None;
    with_app(|app| link = Some(app.address.of(&app.state)));
    link
}

/// One of the bench's figures as SVG, in the size that it has; `None` if it is not shown.
pub fn svg(view: ViewName) -> Option<String> {
    let mut svg = None;
    with_app(|app| {
        app.draw_now();
        let shown = app.page.figures.iter();
        let mut shown = shown.filter(|figure| figure.figure.name() == view);
        let fresh = BenchFigure::all()
            .into_iter()
            .find(|fresh| fresh.name() == view);
        if let (Some(shown), Some(mut fresh)) = (shown.next(), fresh) {
            let size = shown.size();
            svg = (size.0 > 0 && size.1 > 0)
                .then(|| pictures::svg_of_bench(&mut fresh, &app.model, app.theme.name, size));
        }
    });
    svg
}

/// One of the bench's figures with so many pixels per CSS pixel; `None` if it is not shown.
pub fn picture(view: ViewName, scale: f64) -> Option<HtmlCanvasElement> {
    let mut canvas = None;
    with_app(|app| {
        app.draw_now();
        let figure = app.page.figures.iter_mut();
        let mut found = figure.filter(|figure| figure.figure.name() == view);
        if let Some(figure) = found.next() {
            canvas = pictures::of_figure(figure, &app.model, &app.theme, &app.colours, scale);
        }
    });
    canvas
}

/// Whether the bench on the screen is that of the state; true where the page has none.
pub fn is_drawn() -> bool {
    let mut drawn = true;
    with_app(|app| drawn = !app.is_waiting());
    drawn
}

/// The figure that the page shows alone has other values.
pub fn figure_changed(changed: Vec<(&'static str, String)>) {
    with_app(|app| {
        app.address.figure_changed(app.state.view(), changed);
        app.keep();
        let wake = app.wake();
        app.address_debounce.changed(wake);
    });
}

/// Scrolls to a chapter or a figure and has the address say so.
pub fn visit(place: &str) {
    with_app(|app| app.visit(place));
}

/// The place that the address names is no longer on the screen.
pub fn left() {
    with_app(|app| {
        if app.address.leave() {
            app.keep();
            app.address.write(&app.state);
        }
    });
}

/// A sentence of the lesson sets values of a figure, or of the bench.
pub fn press(figure: &str, pairs: &[(&str, &str)]) {
    if figure != "bench" {
        return figure::set(figure, pairs);
    }
    let pairs: Vec<_> = pairs
        .iter()
        .map(|(name, text)| (*name, text.to_string()))
        .collect();
    apply_with_locks(&pairs);
}
