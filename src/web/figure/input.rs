//! Input on a figure: controls, buttons, pointers and keys.

use super::controller::FigureController;
use super::{Figures, page_callbacks, with};
use crate::draw::DrawContext;
use crate::field::{Values, ViewName};
use crate::figure::{Cursor, PointerAction};
use crate::figures::AnyFigure;
use crate::text::{Lang, Text, labels};
use crate::web::clipboard;
use crate::web::control::Editing;
use crate::web::dom::{close, window};
use crate::web::pointer::{self, PointerPress};
use std::cell::RefCell;
use std::rc::Weak;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, FocusEvent, HtmlElement, KeyboardEvent, PointerEvent};

#[derive(Default)]
pub(super) struct Input {
    pub press: PointerPress<Values>,
    pub editing: Editing,
    /// Controls may show an entered text that differs from the value in use.
    pub restore: bool,
}

impl FigureController {
    fn changed(&mut self, before: &Values) -> bool {
        self.policy.revert_locked(&mut self.values, before);
        if self.values == *before {
            return false;
        }
        self.lifecycle.dirty = true;
        self.publish(before);
        self.announced = false;
        self.emit("change", "");
        true
    }

    pub(super) fn input(&mut self, event: &Event, finished: bool) {
        let Some(element) = target(event) else { return };
        if self.file_input(&element, finished) {
            return;
        }
        let before = self.values.clone();
        let editing = &mut self.input.editing;
        let Some(entered) = editing.enter(&element, finished, &mut self.values) else {
            return;
        };
        self.field_was_set(entered.field.name);
        if entered.finished {
            self.report(entered.field.name, entered.problem);
            self.lifecycle.dirty = true;
            self.input.restore = true;
        }
        self.changed(&before);
    }

    pub(super) fn stop_editing(&mut self) {
        if self.input.editing.stop() {
            self.lifecycle.dirty = true;
        }
    }

    pub(super) fn click(&mut self, event: &Event) {
        let Some(element) = target(event) else { return };
        let closest = |selector: &str| element.closest(selector).ok().flatten();
        if let Some(menu) = closest(".menu") {
            // The menu stays open for the link entry, which shows that the link has been copied, and for the summary,
            // which toggles it.
            let stays = closest("[data-act=link], summary").is_some();
            self.focus(".menu > summary");
            if !stays {
                close(&menu);
            }
        }
        if let Some(pressed) = closest("[data-act]") {
            match pressed.get_attribute("data-act").as_deref() {
                Some("bench") => {
                    event.prevent_default();
                    let bench = self
                        .figure
                        .as_ref()
                        .map(|figure| figure.bench_settings(&self.values));
                    (page_callbacks().go_to_bench)(bench.unwrap_or_default());
                }
                Some("link") => {
                    event.prevent_default();
                    let href = window().location().href().unwrap_or_default();
                    let page = href.split('#').next().unwrap_or_default();
                    let link = format!("{page}{}", link(self.view, &self.values));
                    self.copy(&link, pressed, labels::COPY_LINK);
                }
                Some("reset") => {
                    self.reset();
                    // The button is about to disappear, which would drop the focus.
                    self.focus("summary, canvas[tabindex], input, select");
                }
                Some("dismiss") => {
                    self.problems.found.clear();
                    self.problems.restarted = false;
                    self.problems.refused = false;
                    self.lifecycle.dirty = true;
                }
                _ => {}
            }
            return;
        }
        if closest("[data-file=forget]").is_some() {
            self.forget_file();
            // The button is about to disappear, which would drop the focus.
            self.focus("[data-file=choose]");
            return;
        }
        let Some(pressed) = closest("[data-do]") else {
            return;
        };
        let action = pressed.get_attribute("data-do").unwrap_or_default();
        if action == "copy" {
            if let Some(text) = self.figure.as_ref().and_then(AnyFigure::copied) {
                self.copy(&text, pressed, labels::COPY);
            }
            return;
        }
        self.speech.wanted = true;
        self.act(&action, &pressed);
    }

    /// Focuses the first element that matches. The browser may refuse the focus, which is ignored.
    pub(super) fn focus(&self, selector: &str) {
        if let Ok(Some(element)) = self.shadow.query_selector(selector)
            && let Some(element) = element.dyn_ref::<HtmlElement>()
        {
            let options = web_sys::FocusOptions::new();
            options.set_prevent_scroll(true);
            let _ = element.focus_with_options(&options);
        }
    }

    /// Closes the menu when the focus leaves it.
    pub(super) fn leave_menu(&mut self, event: &Event) {
        let to = event
            .dyn_ref::<FocusEvent>()
            .and_then(FocusEvent::related_target);
        let to = to.and_then(|to| to.dyn_into::<web_sys::Node>().ok());
        if let Some(menu) = target(event).and_then(|e| e.closest(".menu").ok().flatten())
            && !menu.contains(to.as_ref())
        {
            close(&menu);
        }
    }

    pub(super) fn hover(&mut self, event: &Event) {
        let over = target(event).and_then(|e| e.closest("[data-over]").ok().flatten());
        if let Some(over) = over {
            let action = over.get_attribute("data-over").unwrap_or_default();
            self.act(&action, &over);
        }
    }

    fn act(&mut self, action: &str, element: &Element) {
        let before = self.values.clone();
        let value = element.get_attribute("value").unwrap_or_default();
        if let Some(figure) = &self.figure {
            figure.act(action, &value, &mut self.values);
        }
        self.changed(&before);
    }

    fn copy(&self, text: &str, button: Element, words: Text) {
        let lang = self
            .elements
            .as_ref()
            .map_or(Lang::En, |elements| elements.lang);
        clipboard::copy_or_offer(text, button, words.get(lang), lang);
    }

    pub(super) fn keydown(&mut self, event: &Event) {
        let Some(key) = event.dyn_ref::<KeyboardEvent>() else {
            return;
        };
        if key.key() == "Escape"
            && let Some(menu) = target(event).and_then(|e| e.closest(".menu[open]").ok().flatten())
        {
            event.prevent_default();
            self.focus(".menu > summary");
            close(&menu);
            return;
        }
        let on_canvas = target(event).is_some_and(|e| e.has_attribute("data-view"));
        if !on_canvas || key.ctrl_key() || key.meta_key() || key.alt_key() {
            return;
        }
        let before = self.values.clone();
        let Some(figure) = &self.figure else { return };
        if figure.key(&key.key(), key.shift_key(), &mut self.values) {
            event.prevent_default();
            self.speech.wanted = true;
            self.changed(&before);
        }
    }

    pub(super) fn pointer(&mut self, event: &Event) {
        let Some(pointer) = event.dyn_ref::<PointerEvent>() else {
            return;
        };
        let Some(canvas) = target(event).filter(|e| e.has_attribute("data-view")) else {
            return;
        };
        let Some(action) = pointer::action(pointer) else {
            return;
        };
        if action == PointerAction::Press {
            let before = self.values.clone();
            self.input.press.begin(&canvas, pointer, before);
        }
        let (Some(elements), Some(figure)) = (&self.elements, &self.figure) else {
            return;
        };
        let client = (pointer.client_x(), pointer.client_y());
        let at = pointer::place(&canvas, elements.frame.width, client);
        let before = self.values.clone();
        let mut values = self.values.clone();
        let mut prevents_scroll = false;
        let mut cursor = Cursor::Default;
        with(|figures: &mut Figures| {
            let page = figures.context_for(self);
            let context = DrawContext {
                theme: &page.theme,
                colours: page.colours,
                frame: elements.frame,
            };
            prevents_scroll = action == PointerAction::Press && figure.grips(&context, at);
            figure.pointer(&context, at, action, &mut values);
            cursor = figure.cursor(&context, at);
        });
        self.lifecycle.dirty |= figure.needs_redraw();
        pointer::show_cursor(&canvas, cursor);
        match action {
            PointerAction::Press => self.input.press.set_prevents_scroll(prevents_scroll),
            PointerAction::Release => self.input.press.end(),
            PointerAction::Hover | PointerAction::Drag => {}
        }
        self.values = values;
        self.changed(&before);
    }

    pub(super) fn cancel_press(&mut self) {
        if let Some(values) = self.input.press.cancel() {
            let now = std::mem::replace(&mut self.values, values);
            self.changed(&now);
        }
    }
}

pub(super) fn with_controller(
    weak: &Weak<RefCell<FigureController>>,
    event: &Event,
    act: impl FnOnce(&mut FigureController, &Event),
) {
    if let Some(controller) = weak.upgrade()
        && let Ok(mut controller) = controller.try_borrow_mut()
    {
        act(&mut controller, event);
        if controller.lifecycle.dirty {
            drop(controller);
            with(|figures| figures.request(Some(event.time_stamp())));
        }
    }
}

/// The element inside the figure on which an event occurred.
fn target(event: &Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

/// The hash of a link that shows only this figure.
pub(super) fn link(view: ViewName, values: &Values) -> String {
    let mut pairs = vec![("view", view.name().to_string())];
    pairs.extend(values.changed());
    format!("#{}", join(&pairs))
}

pub(super) fn join(pairs: &[(&str, String)]) -> String {
    form_urlencoded::Serializer::new(String::new())
        .extend_pairs(pairs)
        .finish()
}
