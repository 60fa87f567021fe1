//! The bench's API for the rest of the page and for scripts.

use super::{APP, BenchController, with_bench};
use crate::draw::Theme;
use crate::export::OnBench;
use crate::field::{SettingId, State, ThemeName, ViewName};
use crate::figures::bench::BenchFigure;
use crate::session::Change;
use crate::session::bench::Event;
use crate::web::dom::window;
use crate::web::{figure, picture as pictures};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

pub(super) fn with_app(act: impl FnOnce(&mut BenchController)) {
    let app = APP.with_borrow(|app| app.as_ref().map(Rc::downgrade));
    if let Some(app) = app {
        with_bench(&app, act);
    }
}

/// False while the bench is still borrowed after a failure.
pub fn is_healthy() -> bool {
    APP.with(|app| match app.try_borrow_mut() {
        Ok(app) => app.as_ref().is_none_or(|app| app.try_borrow_mut().is_ok()),
        Err(_) => false,
    })
}

/// The settings of a state, by name.
pub fn setting_entries_of(state: &State) -> Vec<(&'static str, String)> {
    let keys = SettingId::ALL.iter();
    keys.map(|&key| (key.name(), state.text(key))).collect()
}

/// The current settings of the bench, by name; empty on a page without a bench.
pub fn setting_entries() -> Vec<(&'static str, String)> {
    let mut pairs = Vec::new();
    with_app(|app| pairs = setting_entries_of(app.session.state()));
    pairs
}

/// Sets settings of the bench by name.
pub fn apply(pairs: &[(&str, String)]) {
    set(pairs, Change::Move, true);
}

/// Sets settings of the bench by name for the reader: locked settings keep their values.
pub fn apply_with_locks(pairs: &[(&str, String)], how: Change) {
    set(pairs, how, false);
}

fn set(pairs: &[(&str, String)], change: Change, by_script: bool) {
    with_app(|app| {
        app.handle(Event::Set {
            pairs,
            change,
            by_script,
        });
    });
}

/// Navigates to the bench with these settings, in a new history entry.
pub fn go_to_bench(pairs: &[(&str, String)]) {
    with_app(|app| {
        app.address.write(app.session.state());
        let view = (SettingId::View.name(), ViewName::Bench.name().to_string());
        let all: Vec<_> = std::iter::once(view).chain(pairs.iter().cloned()).collect();
        app.handle(Event::Set {
            pairs: &all,
            change: Change::Follow,
            by_script: false,
        });
        app.address.leave();
        app.save_recovery_hash();
        let scrolled = window().scroll_y().is_ok_and(|y| y > 0.0);
        if scrolled || !app.address.matches(app.session.state()) {
            app.address.push(app.session.state());
        }
    });
    window().scroll_to_with_x_and_y(0.0, 0.0);
}

/// Calls `read` with the state; `None` on a page without a bench.
pub fn read<T>(read: impl FnOnce(&State) -> T) -> Option<T> {
    let mut found = None;
    with_app(|app| found = Some(read(app.session.state())));
    found
}

/// Called when core/figures.wasm has loaded; the bench may be waiting for a table in it.
pub fn on_figures_loaded() {
    with_app(|app| {
        app.request(None);
        if app.appearance.printing {
            app.draw_now();
        }
    });
}

/// Called when core/figures.wasm, which the bench has requested, failed to load.
#[wasm_bindgen(js_name = benchLoadFailed, skip_typescript)]
pub fn on_figures_load_failed() {
    with_app(|app| {
        app.notices.table_unavailable = app.session.model().loading;
        app.notices.show(&app.page.notices, app.page.lang());
    });
}

/// Resets the bench to the state that the address had when it was last read.
#[wasm_bindgen(js_name = resetBench, skip_typescript)]
pub fn reset() {
    with_app(|app| {
        let to = app.address.link().state.clone();
        app.reset(&to, true);
    });
}

#[wasm_bindgen(js_name = playBench, skip_typescript)]
pub fn play(on: bool) {
    with_app(|app| app.handle(Event::Play(on)));
}

/// Moves pos by a number of steps, wrapping around.
#[wasm_bindgen(js_name = stepBench, skip_typescript)]
pub fn step(by: i32) {
    with_app(|app| app.handle(Event::Step(i64::from(by))));
}

/// Overrides theme and type scale; `None` restores those of the state. Returns the type scale in use.
pub fn set_presentation(presentation: Option<(ThemeName, f64)>) -> Option<f64> {
    let mut scale = None;
    with_app(|app| {
        app.appearance.presentation = presentation;
        app.apply_page_settings();
        app.request(None);
        scale = Some(app.appearance.theme.scale);
    });
    scale
}

/// Sets or removes a parameter of the address that is not a setting.
#[wasm_bindgen(js_name = setLinkParameter, skip_typescript)]
pub fn set_link_parameter(name: &str, value: Option<String>) {
    with_app(|app| {
        app.address.set_parameter(name, value.as_deref());
        app.save_recovery_hash();
        app.address.write(app.session.state());
        let link = app.address.of(app.session.state());
        app.page.write_debounced(app.session.model(), &link);
    });
}

/// The address of the current state, without a place on the page.
#[wasm_bindgen(js_name = benchLink, skip_typescript)]
pub fn link() -> Option<String> {
    let mut link = None;
    with_app(|app| link = Some(app.address.of(app.session.state())));
    link
}

/// One of the bench's figures as SVG, in its size on the page; `None` if it is not shown.
#[wasm_bindgen(js_name = benchSvg, skip_typescript)]
pub fn svg(view: &str) -> Option<String> {
    let mut svg = None;
    with_export_figure(view, |app, pictured, size| {
        let theme = Theme::named(app.appearance.theme.name);
        svg = Some(pictures::svg(pictured, theme, size));
    });
    svg
}

/// One of the bench's figures at `scale` device pixels per CSS pixel; `None` if it is not shown.
#[wasm_bindgen(js_name = benchPicture, skip_typescript)]
pub fn picture(view: &str, scale: f64) -> Option<HtmlCanvasElement> {
    let mut canvas = None;
    with_export_figure(view, |app, pictured, size| {
        let look = (&app.appearance.theme, &app.appearance.colours);
        canvas = pictures::on_canvas(pictured, look, size, scale, None);
    });
    canvas
}

/// Runs `act` on a figure of the bench and its size in CSS pixels, if it is shown. The figure is a new instance, since
/// those on the page cache drawings in the size that they have there, and shows the values that moves lead to.
fn with_export_figure(view: &str, act: impl FnOnce(&BenchController, OnBench, (u32, u32))) {
    with_app(|app| {
        app.draw_now();
        let mut shown = app.page.figures.iter();
        let shown = shown.find(|shown| shown.figure.name().name() == view);
        let size = shown.map_or((0, 0), |shown| shown.size());
        let mut figures = BenchFigure::all().into_iter();
        if let Some(mut figure) = figures.find(|figure| figure.name().name() == view)
            && size.0 > 0
            && size.1 > 0
        {
            let model = app.session.model_at_rest(app.page.lang());
            let pictured = OnBench {
                figure: &mut figure,
                model: &model,
            };
            act(app, pictured, size);
        }
    });
}

/// Whether the bench on the screen is up to date; true on a page without one.
#[wasm_bindgen(js_name = isBenchDrawn, skip_typescript)]
pub fn is_drawn() -> bool {
    let mut drawn = true;
    with_app(|app| drawn = !app.has_pending_work());
    drawn
}

/// Called when the values of the standalone figure have changed.
pub fn figure_changed(changed: Vec<(&'static str, String)>) {
    with_app(|app| {
        let view = app.session.state().view();
        app.address.figure_changed(view, changed);
        app.page.note_alone(view, app.address.figure());
        app.save_recovery_hash();
        let wake = app.wake();
        app.address_debounce.changed(wake);
    });
}

/// Scrolls to a chapter or a figure and sets it in the address.
pub fn visit(place: &str) {
    with_app(|app| app.visit(place));
}

/// Called when the place in the address is no longer on the screen.
pub fn on_place_left() {
    with_app(|app| {
        if app.address.leave() {
            app.save_recovery_hash();
            app.address.write(app.session.state());
        }
    });
}

/// Handles a button in the lesson's text, which sets values of a figure or of the bench.
pub fn apply_lesson_link(figure: &str, pairs: &[(&str, &str)]) {
    if figure != "bench" {
        return figure::set(figure, pairs);
    }
    let pairs: Vec<_> = pairs
        .iter()
        .map(|(name, text)| (*name, text.to_string()))
        .collect();
    apply_with_locks(&pairs, Change::Move);
}
