//! Event listeners of the bench, the window and the document.

use super::{BenchController, with_bench};
use crate::session::bench::Event;
use crate::web::dom::{document, window};
use crate::web::figure;
use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::prelude::*;
use web_sys::{Event as DomEvent, EventTarget, ResizeObserver};

impl BenchController {
    pub(super) fn listen(&mut self) {
        self.subscriptions.listeners.clear();
        let root = self.page.root().clone();
        self.on_input(&root, "input", |app, event| app.control_input(event, false));
        self.on_input(&root, "change", |app, event| app.control_input(event, true));
        self.on_input(&root, "click", BenchController::click);
        self.on_input(&root, "keydown", BenchController::keydown);
        for name in ["pointerdown", "pointermove", "pointerup"] {
            self.on_input(&root, name, BenchController::pointer);
        }
        self.on_input(&root, "pointercancel", BenchController::pointercancel);
        self.on_input(&root, "wheel", BenchController::wheel);
        self.on(&root, "submit", |_, event| event.prevent_default());
        self.on(&root, "pointerleave", |app, _| app.handle(Event::Leave));
        self.on(&root, "touchstart", |app, event| {
            if app.session.prevents_scroll() {
                event.prevent_default();
            }
        });
        self.on(&root, "focusout", |app, _| app.session.stop_editing());
        self.on(&root, "focusin", |app, event| app.close_others(event));
        let window = window();
        for name in ["keydown", "pointerdown", "wheel", "input"] {
            self.on_any_input(name, |app| app.session.end_opening());
        }
        // Handles popstate too, so that on Back and Forward the page has its height before the browser restores the
        // scroll position.
        self.on(&window, "popstate", |app, _| app.read_address());
        self.on(&window, "hashchange", |app, _| app.read_address());
        self.on(&window, "resize", |app, _| app.window_resized());
        self.on(&window, "beforeprint", |app, _| app.print(true));
        self.on(&window, "afterprint", |app, _| app.print(false));
        // Writes the address before the page is left by a link or Back. For a reload, Chromium has read it already.
        let weak = self.weak_self.clone();
        let left = EventListener::new(&window, "pagehide", move |_| {
            figure::share_without_frame();
            with_bench(&weak, |app| app.address.write(app.session.state()));
        });
        self.subscriptions.listeners.push(left);
        self.on(&document(), "visibilitychange", |app, _| {
            if document().hidden() {
                app.handle(Event::Play(false));
            }
        });
        for media in self.media.lists() {
            self.on(&media, "change", |app, event| {
                app.apply_page_settings();
                app.redraw(event);
            });
        }
        self.observe_sizes();
    }

    /// Adds a listener for a plain function. All of them share the code of one closure type.
    #[inline(never)]
    pub(super) fn on(
        &mut self,
        target: &EventTarget,
        name: &'static str,
        act: fn(&mut BenchController, &DomEvent),
    ) {
        self.add_listener(target, name, act);
    }

    /// Adds a listener for input that may change settings: after a change the address names no place. Handlers that change
    /// no settings use [`BenchController::on`].
    #[inline(never)]
    pub(super) fn on_input(
        &mut self,
        target: &EventTarget,
        name: &'static str,
        act: fn(&mut BenchController, &DomEvent),
    ) {
        self.add_listener(target, name, move |app, event| {
            act(app, event);
            if app.session.is_ahead() {
                app.address.leave();
            }
        });
    }

    /// Adds a listener for input anywhere in the window, which is called before those of elements.
    fn on_any_input(&mut self, name: &'static str, act: fn(&mut BenchController)) {
        let weak = self.weak_self.clone();
        let options = EventListenerOptions::run_in_capture_phase();
        let listener = EventListener::new_with_options(&window(), name, options, move |_| {
            with_bench(&weak, act)
        });
        self.subscriptions.listeners.push(listener);
    }

    pub(super) fn add_listener(
        &mut self,
        target: &EventTarget,
        name: &'static str,
        act: impl Fn(&mut BenchController, &DomEvent) + 'static,
    ) {
        let weak = self.weak_self.clone();
        let options = EventListenerOptions::enable_prevent_default();
        let listener = EventListener::new_with_options(target, name, options, move |event| {
            with_bench(&weak, |app| act(app, event))
        });
        self.subscriptions.listeners.push(listener);
    }

    pub(super) fn observe_sizes(&mut self) {
        if let Some((observer, _)) = self.subscriptions.sizes.take() {
            observer.disconnect();
        }
        let weak = self.weak_self.clone();
        let callback =
            Closure::<dyn FnMut()>::new(move || with_bench(&weak, BenchController::resize));
        // Without an observer, the figures are measured again only after the window is resized or the bench changes its
        // own layout.
        if let Ok(observer) = ResizeObserver::new(callback.as_ref().unchecked_ref()) {
            for figure in &self.page.figures {
                observer.observe(&figure.stage);
            }
            self.subscriptions.sizes = Some((observer, callback));
        }
    }
}
