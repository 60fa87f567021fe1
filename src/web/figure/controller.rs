//! One `<pe-figure>`: its values and attributes. Its display, lifecycle and input are in the other files of this folder.

use super::appearance::Appearance;
use super::attributes;
use super::elements::{Elements, Speech};
use super::files::OpenFile;
use super::group::{self, BENCH_GROUP, Group};
use super::input::Input;
use super::lifecycle::{Lifecycle, Size};
use super::sound::ToneGenerator;
use crate::field::{Diagnostic, DiagnosticKind, Field, Values, ViewName};
use crate::figure::ControlPolicy;
use crate::figures::{self, AnyFigure};
use crate::text::Lang;
use crate::web::playback::Playback;
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use wasm_bindgen::JsValue;
use web_sys::{HtmlElement, ShadowRoot};

pub struct FigureController {
    pub element: HtmlElement,
    pub(super) shadow: ShadowRoot,
    /// This controller, for its event listeners.
    pub weak_self: Weak<RefCell<FigureController>>,
    /// Event callback (type, detail): "ready", "change", "wanted", or "error" with a message.
    listener: js_sys::Function,
    pub(super) view: ViewName,
    pub values: Values,
    /// The values restored by a reset, computed lazily.
    pub(super) initial: Option<Values>,
    /// False after a change of values until the group and the address have been updated.
    pub announced: bool,
    /// The figures that this one shares its values with.
    pub group: Option<Rc<Group>>,
    pub(super) policy: ControlPolicy,
    pub appearance: Appearance,
    pub problems: Problems,
    pub lifecycle: Lifecycle,
    pub(super) size: Size,
    pub(super) input: Input,
    pub(super) speech: Speech,
    pub playback: Playback,
    /// `None` while the figure is far from the screen.
    pub(super) elements: Option<Elements>,
    pub(super) figure: Option<AnyFigure>,
    pub(super) tones: Option<ToneGenerator>,
    /// The file that the reader has opened; not included in links.
    pub(super) file: Option<Rc<RefCell<OpenFile>>>,
}

/// Contents of the figure's notice.
#[derive(Default)]
pub struct Problems {
    pub(super) found: Vec<Diagnostic>,
    /// Problems of attributes that are not fields, dismissed or not.
    of_attributes: Vec<Diagnostic>,
    /// The core was restarted after a failure.
    pub restarted: bool,
    /// No 2D canvas context is available.
    pub(super) refused: bool,
}

impl FigureController {
    /// `None` if no shadow root can be attached to the element. `kept` is the state that the figure had when it was
    /// last on the page, empty for a new figure; it takes precedence over the attributes.
    pub fn new(
        element: HtmlElement,
        listener: js_sys::Function,
        kept: &[(&str, &str)],
    ) -> Option<FigureController> {
        let shadow = match element.shadow_root() {
            Some(shadow) => shadow,
            None => {
                let options = web_sys::ShadowRootInit::new(web_sys::ShadowRootMode::Open);
                element.attach_shadow(&options).ok()?
            }
        };
        let mut controller = FigureController {
            element,
            shadow,
            weak_self: Weak::new(),
            listener,
            view: ViewName::Heatmap,
            values: Values::new(figures::fields(ViewName::Heatmap)?),
            initial: None,
            announced: true,
            group: None,
            policy: ControlPolicy::default(),
            appearance: Appearance::default(),
            problems: Problems::default(),
            lifecycle: Lifecycle::default(),
            size: Size::default(),
            input: Input::default(),
            speech: Speech::default(),
            playback: Playback::default(),
            elements: None,
            figure: None,
            tones: None,
            file: None,
        };
        controller.clear();
        controller.read_appearance();
        controller.read_attributes();
        controller.set_all(kept);
        controller.join(!kept.is_empty());
        // The restored state of a standalone figure must still be written into the address.
        controller.announced = kept.is_empty() || !controller.is_standalone();
        Some(controller)
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

    fn read_attributes(&mut self) {
        let pairs = attributes::attributes(&self.element);
        let pairs: Vec<_> = pairs
            .iter()
            .map(|(n, v)| (n.as_str(), v.as_str()))
            .collect();
        self.forget_problems();
        self.set_all(&pairs);
        self.check();
    }

    /// Sets fields by name; `view` changes the figure to another view.
    pub fn set_all(&mut self, pairs: &[(&str, &str)]) {
        if let Some((_, name)) = pairs.iter().find(|(name, _)| *name == "view") {
            let view = attributes::view_named(name);
            if let Some((view, fields)) = view.and_then(|view| Some((view, figures::fields(view)?)))
            {
                let turns = view != self.view;
                self.change_view(view, fields);
                if turns {
                    self.check();
                }
            }
            let used = self.view.name();
            let wrong = view.is_none_or(|view| view.name() != name.trim());
            let problem =
                || Diagnostic::new("view", DiagnosticKind::NotAnOption, name, used.to_string());
            self.report("view", wrong.then(problem));
        }
        for (field, problem) in self.values.set_all(pairs) {
            self.report(field.name, problem);
            self.field_was_set(field.name);
            if let Some(group) = &self.group {
                group.set(field.name, self.values.text(field.name));
            }
        }
        self.lifecycle.dirty = true;
    }

    /// Sets fields for a script or an attribute, and emits "change" if a value has changed.
    pub fn set_programmatically(&mut self, pairs: &[(&str, &str)]) {
        let (view, before) = (self.view, self.values.clone());
        self.set_all(pairs);
        self.values_changed(view, &before);
    }

    /// Called when an attribute of the element has been changed or removed.
    pub fn attribute_changed(&mut self, name: &str, value: Option<&str>) {
        self.initial = None;
        match (name, value) {
            ("group", _) => self.join(true),
            ("controls" | "lock" | "lang" | "theme" | "enlarge", _) => {
                self.read_appearance();
                self.check();
            }
            (_, Some(value)) => {
                self.set_programmatically(&[(name, value)]);
                self.check();
            }
            ("view", None) => self.set_programmatically(&[("view", ViewName::Heatmap.name())]),
            (_, None) => {
                let (view, before) = (self.view, self.values.clone());
                self.report(name, None);
                self.values.clear(name);
                self.check();
                self.values_changed(view, &before);
            }
        }
    }

    pub fn reset(&mut self) {
        let before = self.values.clone();
        self.forget_file();
        self.values.reset();
        self.read_attributes();
        if let Some(group) = self.group.clone().filter(|group| group.name != BENCH_GROUP) {
            self.assign(&group::initial_values(&self.element, &group.name));
        }
        self.values_changed(self.view, &before);
    }

    /// The values given by the attributes of the element and, except in the bench's group, by those of its group.
    pub(super) fn initial_values(&self) -> Values {
        let mut values = Values::new(self.values.fields());
        let mut pairs = attributes::attributes(&self.element);
        if let Some(group) = self
            .group
            .as_ref()
            .filter(|group| group.name != BENCH_GROUP)
        {
            let shared = group::initial_values(&self.element, &group.name);
            pairs.extend(shared.into_iter().map(|(name, text)| (name.into(), text)));
        }
        values.set_all(&pairs);
        values
    }

    /// Called after a script or an attribute has set values: requests a redraw, updates the group and emits "change".
    fn values_changed(&mut self, view: ViewName, before: &Values) {
        self.lifecycle.dirty = true;
        if self.view != view || self.values != *before {
            self.publish(before);
            self.announced = false;
            self.emit("change", "");
        }
    }

    pub fn view(&self) -> ViewName {
        self.view
    }

    /// Moves the playable field by a number of steps, wrapping around; false if there is none.
    pub fn step(&mut self, by: i64) -> bool {
        let before = self.values.clone();
        let steps = self.values.step(by);
        if steps {
            self.values_changed(self.view, &before);
        }
        steps
    }

    fn change_view(&mut self, view: ViewName, fields: &'static [Field]) {
        if self.view != view {
            self.view = view;
            self.values = Values::new(fields);
            self.initial = None;
            // A press on the previous figure must not continue on the new one.
            self.input = Input::default();
            if let Some(group) = self.group.clone() {
                self.adopt_group_values(&group);
            }
            self.figure = None;
            self.file = None;
            self.forget_problems();
            if self.elements.is_some() {
                self.unmount();
            }
        }
    }

    /// Validates the attributes that are not fields; the problems of fields have been reported by then.
    pub(super) fn check(&mut self) {
        let found = attributes::problems(&self.element, &self.values, &self.policy);
        let (known, problems) = (&self.problems.of_attributes, &mut self.problems.found);
        problems.retain(|problem| !known.contains(problem) || found.contains(problem));
        // Known problems are not added again, since the reader may have dismissed them.
        let news: Vec<_> = found
            .iter()
            .filter(|found| !known.contains(found))
            .cloned()
            .collect();
        for problem in &news {
            self.emit("error", &problem.words(self.spoken_lang()));
        }
        self.problems.found.extend(news);
        self.problems.of_attributes = found;
        self.lifecycle.dirty = true;
    }

    /// Removes the problems of fields, before these are set again.
    fn forget_problems(&mut self) {
        let misspelt = &self.problems.of_attributes;
        self.problems
            .found
            .retain(|problem| misspelt.contains(problem));
    }

    pub(super) fn spoken_lang(&self) -> Lang {
        self.elements
            .as_ref()
            .map_or(Lang::En, |elements| elements.lang)
    }

    pub(super) fn report(&mut self, name: &str, problem: Option<Diagnostic>) {
        self.problems.found.retain(|problem| problem.name != name);
        if let Some(problem) = &problem {
            self.emit("error", &problem.words(self.spoken_lang()));
        }
        self.problems.found.extend(problem);
    }
}
