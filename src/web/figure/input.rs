//! Events of the browser on a figure: its controls, buttons, picture and keys.

use super::controller::FigureController;
use super::elements::Elements;
use super::{page_callbacks, with_figures};
use crate::draw::{DrawContext, Point};
use crate::field::{Values, ViewName};
use crate::figure::PointerAction;
use crate::figures::AnyFigure;
use crate::session::{Event, Input};
use crate::text::{Lang, Text, labels};
use crate::web::dom::{self, close, window};
use crate::web::{clipboard, control, pointer};
use std::cell::RefCell;
use std::rc::Weak;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event as DomEvent, FocusEvent, HtmlElement, KeyboardEvent, PointerEvent};

impl FigureController {
    pub(super) fn control_input(&mut self, event: &DomEvent, finished: bool) {
        let Some(element) = target(event) else { return };
        if self.file_input(&element, finished) {
            return;
        }
        let fields = self.session.values().fields();
        let Some((field, text, control)) = control::read(&element, fields) else {
            return;
        };
        if let Some(elements) = &mut self.elements {
            elements.set_edited(element);
        }
        self.handle(Event::Input(Input::Control {
            field,
            text: &text,
            control,
            finished,
        }));
    }

    pub(super) fn focusout(&mut self, event: &DomEvent) {
        self.handle(Event::Input(Input::FocusOut));
        self.leave_menu(event);
    }

    pub(super) fn click(&mut self, event: &DomEvent) {
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
                Some("bench" | "link") if dom::opens_elsewhere(event) => {}
                Some("bench") => {
                    event.prevent_default();
                    let values = self.session.values();
                    let figure = self.shown.figure();
                    let bench = figure.map(|figure| figure.bench_settings(values));
                    (page_callbacks().go_to_bench)(bench.unwrap_or_default());
                }
                Some("link") => {
                    event.prevent_default();
                    let href = window().location().href().unwrap_or_default();
                    let page = href.split('#').next().unwrap_or_default();
                    let link =
                        format!("{page}{}", link(self.session.view(), self.session.values()));
                    self.copy(&link, pressed, labels::COPY_LINK);
                }
                Some(act @ ("reset" | "dismiss")) => {
                    if act == "reset" {
                        self.reset();
                    } else {
                        self.handle(Event::Dismiss);
                    }
                    // The button is about to disappear, which would drop the focus.
                    self.focus("summary, canvas[tabindex], input, select");
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
            if let Some(text) = self.shown.figure().and_then(AnyFigure::copied) {
                self.copy(&text, pressed, labels::COPY);
            }
            return;
        }
        let value = pressed.get_attribute("value").unwrap_or_default();
        self.handle(Event::Input(Input::Act {
            action: &action,
            value: &value,
        }));
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
    pub(super) fn leave_menu(&mut self, event: &DomEvent) {
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

    pub(super) fn hover(&mut self, event: &DomEvent) {
        let over = target(event).and_then(|e| e.closest("[data-over]").ok().flatten());
        if let Some(over) = over {
            let action = over.get_attribute("data-over").unwrap_or_default();
            let value = over.get_attribute("value").unwrap_or_default();
            self.handle(Event::Input(Input::Over {
                action: &action,
                value: &value,
            }));
        }
    }

    fn copy(&self, text: &str, button: Element, words: Text) {
        let lang = self.elements.as_ref().map_or(Lang::En, Elements::lang);
        clipboard::copy_or_offer(text, button, words.get(lang), lang);
    }

    pub(super) fn keydown(&mut self, event: &DomEvent) {
        let Some(key) = event.dyn_ref::<KeyboardEvent>() else {
            return;
        };
        if !control::is_plain(key) {
            return;
        }
        if key.key() == "Escape"
            && let Some(menu) = target(event).and_then(|e| e.closest(".menu[open]").ok().flatten())
        {
            event.prevent_default();
            self.focus(".menu > summary");
            close(&menu);
            return;
        }
        let on_canvas = target(event).is_some_and(|e| e.has_attribute("data-view"));
        if !on_canvas {
            return;
        }
        let effects = self.handle(Event::Input(Input::Key {
            key: &key.key(),
            shift: key.shift_key(),
            repeat: key.repeat(),
        }));
        if effects.prevents_default {
            event.prevent_default();
        }
    }

    pub(super) fn pointer(&mut self, event: &DomEvent) {
        let Some(pointer) = event.dyn_ref::<PointerEvent>() else {
            return;
        };
        let Some(canvas) = target(event).filter(|e| e.has_attribute("data-view")) else {
            return;
        };
        let (Some(action), Some(elements)) = (pointer::action(pointer), &self.elements) else {
            return;
        };
        if action == PointerAction::Press {
            pointer::capture(&canvas, pointer);
        }
        let frame = elements.frame();
        let at = if pointer.type_() == "pointerout" {
            // A finger that is lifted leaves at a point of the picture.
            Point::new(-1e6, -1e6)
        } else {
            let client = (pointer.client_x(), pointer.client_y());
            pointer::place(&canvas, frame.width, client)
        };
        with_figures(|figures| {
            let page = figures.context_for(self);
            let context = DrawContext {
                theme: &page.theme,
                colours: page.colours,
                frame,
            };
            let effects = self.handle(Event::Input(Input::Pointer {
                id: pointer.pointer_id(),
                at,
                action,
                context: &context,
            }));
            if let Some(cursor) = effects.cursor {
                pointer::show_cursor(&canvas, cursor);
            }
        });
    }

    pub(super) fn pointercancel(&mut self, event: &DomEvent) {
        if let Some(pointer) = event.dyn_ref::<PointerEvent>() {
            let id = pointer.pointer_id();
            self.handle(Event::Input(Input::Cancel { id }));
        }
    }

    pub(super) fn touchstart(&mut self, event: &DomEvent) {
        if self.handle(Event::Input(Input::Touch)).prevents_default {
            event.prevent_default();
        }
    }
}

pub(super) fn with_controller(
    weak: &Weak<RefCell<FigureController>>,
    event: &DomEvent,
    act: impl FnOnce(&mut FigureController, &DomEvent),
) {
    if let Some(controller) = weak.upgrade()
        && let Ok(mut controller) = controller.try_borrow_mut()
    {
        act(&mut controller, event);
        if controller.lifecycle.is_dirty() {
            drop(controller);
            with_figures(|figures| figures.request(Some(event.time_stamp())));
        }
    }
}

/// The element inside the figure on which an event occurred.
fn target(event: &DomEvent) -> Option<Element> {
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
