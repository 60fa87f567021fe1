//! One `<pe-figure>`: passes what happens on the page to its session, and applies the effects to the page.

use super::appearance::Appearance;
use super::elements::Elements;
use super::files::{self, OpenFile};
use super::lifecycle::Lifecycle;
use super::shown::Shown;
use super::size::Size;
use super::surroundings::{PageAround, attributes};
use crate::session::{Change, Effects, Event, Interactive, Session};
use crate::text::Lang;
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use wasm_bindgen::JsValue;
use web_sys::{HtmlElement, ShadowRoot};

pub struct FigureController {
    pub element: HtmlElement,
    pub(super) shadow: ShadowRoot,
    /// This controller, for its event listeners.
    pub(super) weak_self: Weak<RefCell<FigureController>>,
    /// Event callback (type, detail): "ready", "change", "wanted", or "error" with a message.
    listener: js_sys::Function,
    pub(super) session: Session,
    pub(super) appearance: Appearance,
    pub(super) lifecycle: Lifecycle,
    pub(super) size: Size,
    /// `None` while the figure is far from the screen.
    pub(super) elements: Option<Elements>,
    pub(super) shown: Shown,
    /// The file that the reader has opened; not included in links.
    pub(super) file: Option<Rc<RefCell<OpenFile>>>,
}

impl FigureController {
    /// `None` if no shadow root can be attached to the element. `kept` is the state that the figure had when it was
    /// last on the page, empty for a new figure; it takes precedence over the attributes.
    pub fn new(
        element: HtmlElement,
        listener: js_sys::Function,
        kept: &[(&str, &str)],
    ) -> Option<Rc<RefCell<FigureController>>> {
        let shadow = match element.shadow_root() {
            Some(shadow) => shadow,
            None => {
                let options = web_sys::ShadowRootInit::new(web_sys::ShadowRootMode::Open);
                element.attach_shadow(&options).ok()?
            }
        };
        let page = Box::new(PageAround(element.clone()));
        let (session, effects) = Session::new(page, attributes(&element), kept)?;
        let mut controller = FigureController {
            element,
            shadow,
            weak_self: Weak::new(),
            listener,
            session,
            appearance: Appearance::default(),
            lifecycle: Lifecycle::default(),
            size: Size::default(),
            elements: None,
            shown: Shown::default(),
            file: None,
        };
        controller.clear();
        controller.appearance.read(&controller.element);
        controller.apply(&effects);
        if !kept.is_empty() && controller.is_standalone() {
            // The restored state must still be written into the address.
            controller.session.share(Change::Follow);
        }
        Some(Rc::new_cyclic(|weak| {
            controller.weak_self = weak.clone();
            RefCell::new(controller)
        }))
    }

    /// Calls the event callback, which must not re-enter.
    pub(super) fn emit(&self, what: &str, words: &str) {
        // An exception thrown by the listener does not affect the figure.
        let _ = self
            .listener
            .call2(&JsValue::NULL, &what.into(), &words.into());
    }

    /// Requests core/figures.wasm, which a figure near the viewport needs.
    pub fn request_code(&self) {
        self.emit("wanted", "");
    }

    /// True if the page shows only this figure.
    pub fn is_standalone(&self) -> bool {
        self.element.has_attribute("data-alone")
    }

    /// Passes an event to the session and applies its effects on the page.
    pub fn handle(&mut self, event: Event) -> Effects {
        let picture = self.shown.figure();
        let picture = picture.map(|figure| figure as &dyn Interactive);
        let effects = self.session.handle(event, picture);
        self.apply(&effects);
        effects
    }

    /// Applies effects, except the cursor and the prevention of what the browser does, which belong to one event.
    fn apply(&mut self, effects: &Effects) {
        let lang = self.elements.as_ref().map_or(Lang::En, Elements::lang);
        for problem in &effects.errors {
            self.emit("error", &problem.words(lang));
        }
        if files::are_closed_by(effects) {
            self.file = None;
        }
        if effects.view_changed {
            self.shown = Shown::default();
            self.unmount();
        }
        if effects.redraw {
            self.lifecycle.invalidate();
        }
        if let Some(elements) = &mut self.elements {
            elements.prepare(effects);
        }
        if effects.changed.is_some() {
            self.emit("change", "");
        }
    }

    /// Called when an attribute of the element has been changed or removed.
    pub fn attribute_changed(&mut self, name: &str, text: Option<&str>) {
        self.appearance.read(&self.element);
        self.handle(Event::Attribute { name, text });
    }

    /// Restores the values given by the attributes.
    pub fn reset(&mut self) {
        self.forget_file();
        self.handle(Event::Reset);
    }

    /// Sets the page's accent, `#rrggbb`, and font families.
    pub fn set_custom_style(&mut self, accent: &str, family: &str) {
        if self.appearance.set_custom_style(accent, family) {
            if let Some(elements) = &mut self.elements {
                elements.set_family(self.appearance.family().clone());
            }
            self.lifecycle.invalidate();
        }
    }

    /// Stops the sound and switches the figure's toggle `sound` off.
    pub fn mute(&mut self) {
        self.shown.stop_sound();
        self.handle(Event::Mute);
    }
}
