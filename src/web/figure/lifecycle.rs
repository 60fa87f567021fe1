//! Lazy mounting: a figure that comes near the viewport is built and computed, its DOM is updated and its picture
//! drawn; a figure that leaves frees everything but its values.

use super::controller::FigureController;
use super::elements::Elements;
use super::scroll;
use super::shown::Shown;
use crate::draw::{ColourMap, Theme};
use crate::figures::{AnyFigure, arrangement};
use crate::session::Event;
use crate::text::Lang;
use crate::web::dom::{append, document, el, set_attr, window};
use crate::web::frames::now;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// Attribute of a figure whose elements are on the page.
pub const MOUNTED: &str = "data-mounted";
/// Attribute of a mounted figure that still has work.
pub const UNFINISHED: &str = "data-unfinished";
/// Custom property: the height reserved for a figure that is not mounted.
const RESERVED_HEIGHT: &str = "--reserved-height";

pub(super) struct Lifecycle {
    near_viewport: bool,
    /// The intersection observer has reported whether the figure is near the viewport.
    visibility_known: bool,
    /// Something has changed since the figure was last computed.
    dirty: bool,
    /// The next step of mounting; `None` once the figure is shown.
    mount_step: Option<MountStep>,
    /// "ready" has been emitted.
    ready_emitted: bool,
    /// The page scrolls to the figure once it is drawn.
    scroll_pending: bool,
    /// The reserved height was measured at another width.
    stale_height: bool,
    /// The figure is being printed.
    printing: bool,
}

impl Default for Lifecycle {
    fn default() -> Lifecycle {
        Lifecycle {
            near_viewport: false,
            visibility_known: false,
            dirty: true,
            mount_step: Some(MountStep::Build),
            ready_emitted: false,
            scroll_pending: false,
            stale_height: false,
            printing: false,
        }
    }
}

impl Lifecycle {
    pub fn is_near_viewport(&self) -> bool {
        self.near_viewport
    }

    /// Whether something has changed since the figure was last computed.
    pub fn is_dirty(&self) -> bool {
        self.dirty
    }

    /// The figure is to be computed and drawn again.
    pub fn invalidate(&mut self) {
        self.dirty = true;
    }

    /// Whether a step of mounting is pending; also true for an unmounted figure.
    pub fn is_mounting(&self) -> bool {
        self.mount_step.is_some()
    }

    /// The page scrolls to the figure once it is drawn.
    pub fn scroll_when_drawn(&mut self) {
        self.scroll_pending = true;
    }
}

/// Steps of mounting a figure, one per frame.
#[derive(Clone, Copy)]
enum MountStep {
    Build,
    Compute,
    UpdateDom,
    Draw,
}

impl MountStep {
    fn next(self) -> Option<MountStep> {
        match self {
            MountStep::Build => Some(MountStep::Compute),
            MountStep::Compute => Some(MountStep::UpdateDom),
            MountStep::UpdateDom => Some(MountStep::Draw),
            MountStep::Draw => None,
        }
    }
}

/// The context in which a figure is drawn: its own language and theme, or else the page's, and what all figures share.
#[derive(Clone, Copy)]
pub struct PageContext<'a> {
    pub lang: Lang,
    pub theme: Theme,
    pub colours: &'a ColourMap,
    pub ratio: f64,
    /// The page has a bench, to which figures can link.
    pub has_bench: bool,
}

impl FigureController {
    /// Frees everything but the values and the reserved height.
    pub fn unmount(&mut self) {
        if self.elements.is_none() {
            return;
        }
        // The computed height has fractions of CSS pixels and is unaffected by transforms.
        let style = window().get_computed_style(&self.element).ok().flatten();
        let height = style.and_then(|style| style.get_property_value("height").ok());
        if let Some(height) = height.filter(|height| height.ends_with("px") && height != "0px") {
            let _ = self.element.style().set_property(RESERVED_HEIGHT, &height);
        }
        // Removing an attribute does not fail.
        let _ = self.element.remove_attribute(MOUNTED);
        self.clear();
    }

    pub(super) fn clear(&mut self) {
        self.elements = None;
        self.shown = Shown::default();
        self.session.handle(Event::Unmounted, None);
        self.lifecycle.mount_step = Some(MountStep::Build);
        self.lifecycle.dirty = true;
        self.shadow.set_text_content(None);
        append(&self.shadow, &el("slot").0);
        // The placeholder is focusable, so that keyboard users can mount the figure.
        set_attr(&self.element, "tabindex", "0");
    }

    /// Called when the intersection observer reports whether the figure is near the viewport. Figures mounted for
    /// printing stay mounted.
    pub fn set_near_viewport(&mut self, near: bool, printing: bool) {
        self.lifecycle.near_viewport = near;
        self.lifecycle.visibility_known = true;
        if !near && !printing {
            self.unmount();
        }
    }

    /// Sets the width of the element on the page, in CSS pixels.
    pub fn resize(&mut self, width: f64) {
        if let Some(before) = self.size.resize(&self.element, width) {
            if before > 0.0 && width > 0.0 && self.elements.is_none() {
                self.lifecycle.stale_height = true;
            }
            self.lifecycle.dirty = true;
        }
    }

    /// The width of a picture of the figure, in CSS pixels.
    pub fn picture_width(&self, theme: &Theme) -> f64 {
        self.size
            .picture_width(arrangement(self.session.view()), theme)
    }

    /// Whether anything is to be computed, updated in the DOM or drawn.
    pub fn needs_frame(&self) -> bool {
        self.lifecycle.dirty
            || self.lifecycle.is_mounting()
            || self.shown.is_animating()
            || self.session.is_moving()
    }

    /// Runs a frame; false if there was nothing to do. Mounting takes one step per frame, so that scrolling stays
    /// smooth; a mounted figure runs all steps at once.
    pub fn frame(&mut self, page: PageContext) -> bool {
        if !self.needs_frame() {
            return false;
        }
        self.session.advance_moves(now());
        if !self.lifecycle.dirty && !self.lifecycle.is_mounting() {
            self.shown.advance_transition();
            self.shown.apply_moves(&self.session, page.lang);
            if self.shown.has_work() {
                self.do_work();
            }
            self.update_dom(page);
            self.draw(page);
            self.speak_soon();
            return true;
        }
        let wrong_lang = |elements: &Elements| elements.lang() != page.lang;
        match self.lifecycle.mount_step {
            Some(MountStep::Build) => self.build(page),
            Some(MountStep::Compute) => self.compute(page.lang),
            Some(MountStep::UpdateDom) => self.update_dom(page),
            Some(MountStep::Draw) => self.draw(page),
            None => {
                if self.elements.as_ref().is_some_and(wrong_lang) {
                    self.session.handle(Event::Unmounted, None);
                    self.build(page);
                }
                self.compute(page.lang);
                self.shown.apply_moves(&self.session, page.lang);
                self.update_dom(page);
                self.draw(page);
            }
        }
        let was_mounting = self.lifecycle.is_mounting();
        self.lifecycle.mount_step = self.lifecycle.mount_step.and_then(MountStep::next);
        if !self.lifecycle.is_mounting() {
            if was_mounting {
                set_attr(&self.element, UNFINISHED, "");
                self.show_elements();
                if !std::mem::replace(&mut self.lifecycle.ready_emitted, true) {
                    self.emit("ready", "");
                }
            }
            if std::mem::take(&mut self.lifecycle.scroll_pending) {
                scroll::scroll_into_view(&self.element);
            }
            self.do_work();
            self.shown.update_sound();
            self.speak_soon();
        }
        true
    }

    fn build(&mut self, page: PageContext) {
        self.session.finish_moves();
        let family = self.appearance.family().clone();
        let elements = Elements::new(self.session.view(), &page, family, &self.weak_self);
        elements.attach(&self.shadow, self.lifecycle.is_mounting());
        self.session
            .handle(Event::Canvas(elements.has_canvas()), None);
        self.elements = Some(elements);
    }

    fn compute(&mut self, lang: Lang) {
        // Cleared first, so that a change during mounting is shown in the next frame.
        self.lifecycle.dirty = false;
        let values = self.session.values();
        let printed = self
            .lifecycle
            .printing
            .then(|| self.session.printed_values(self.is_standalone()));
        let file = self.file.as_ref().map(|file| file.borrow());
        self.shown.compute(
            self.session.view(),
            printed.as_ref().unwrap_or(values),
            lang,
            file.as_deref().map(|file| &file.opened),
        );
    }

    fn update_dom(&mut self, page: PageContext) {
        let (Some(elements), Some(figure)) = (&mut self.elements, self.shown.figure()) else {
            return;
        };
        let outgrown = elements.update(&self.session, figure, &page, &mut self.size);
        self.lifecycle.dirty |= outgrown;
    }

    fn draw(&mut self, page: PageContext) {
        if let (Some(elements), Some(figure)) = (&mut self.elements, self.shown.drawn()) {
            elements.draw(figure, &page, &self.element, &mut self.size);
        }
    }

    /// Schedules the announcement of what the reader has changed, if one is due. A caption that unfinished work is still
    /// going to change would be announced too early, and not again.
    fn speak_soon(&mut self) {
        let shows_progress = self.shown.figure().is_some_and(AnyFigure::shows_progress);
        if let Some(elements) = &mut self.elements
            && (shows_progress || !self.shown.has_work())
        {
            elements.speak_soon(&self.weak_self);
        }
    }

    /// Runs all pending work synchronously.
    fn finish_now(&mut self, page: PageContext) {
        while self.lifecycle.dirty || self.lifecycle.is_mounting() {
            self.frame(page);
        }
        self.session.finish_moves();
        self.shown.apply_moves(&self.session, page.lang);
        self.shown.finish_transition();
        while self.do_work() {}
        self.update_dom(page);
        self.draw(page);
    }

    /// Prepares the figure for printing, synchronously, unless the page hides it.
    pub fn begin_printing(&mut self, page: PageContext) {
        self.lifecycle.dirty = true;
        // The lesson's figures beside a standalone figure are not printed.
        self.lifecycle.printing = !(page.has_bench && self.element.offset_width() == 0);
        if self.lifecycle.printing {
            self.finish_now(page);
            if let Some(elements) = &self.elements {
                elements.unfold(true);
            }
        } else {
            self.end_printing();
        }
    }

    pub fn end_printing(&mut self) {
        self.lifecycle.dirty = true;
        self.lifecycle.printing = false;
        if !self.lifecycle.near_viewport {
            self.unmount();
        } else if let Some(elements) = &self.elements {
            elements.unfold(false);
        }
    }

    /// Replaces the reserved space with the elements.
    fn show_elements(&self) {
        if let Some(elements) = &self.elements {
            self.shadow.set_text_content(None);
            elements.attach(&self.shadow, false);
        }
        let here = document().active_element();
        let focused = self.element.is_same_node(here.as_deref());
        // The attribute is removed before focusing: removing it from a host whose shadow tree has the focus drops the focus.
        let _ = self.element.remove_attribute("tabindex");
        let first = self
            .shadow
            .query_selector("summary, button:not([hidden]), input, select")
            .ok();
        if focused
            && let Some(first) = first
                .flatten()
                .and_then(|e| e.dyn_into::<HtmlElement>().ok())
        {
            // Focus may be refused.
            let _ = first.focus();
        }
        set_attr(&self.element, MOUNTED, "");
    }

    /// Runs a slice of the work that takes longer than a frame; true if some may be left. A figure keeps its reserved
    /// height until its work is done.
    fn do_work(&mut self) -> bool {
        let works = self.shown.work();
        if !works {
            self.release_height();
        }
        works
    }

    /// Releases a height that was reserved at another width. Must not be called within a `ResizeObserver` callback:
    /// browsers report a size that changes there as an error of the page ("ResizeObserver loop").
    pub fn release_stale_height(&mut self) {
        if std::mem::take(&mut self.lifecycle.stale_height) && !self.lifecycle.near_viewport {
            self.release_height();
        }
    }

    /// Removes the reserved height.
    fn release_height(&self) {
        // Removing an absent attribute or property does not fail.
        let _ = self.element.remove_attribute(UNFINISHED);
        let _ = self.element.style().remove_property(RESERVED_HEIGHT);
    }

    /// Whether the screen shows the figure's current values; also true if the figure is far from the viewport.
    pub fn is_up_to_date(&self) -> bool {
        let pending = self.lifecycle.dirty
            || self.lifecycle.is_mounting()
            || self.shown.is_in_transition()
            || self.session.is_moving();
        self.lifecycle.visibility_known && !(self.lifecycle.near_viewport && pending)
    }

    /// Calls `look` with the finished figure, or with the current one if it shows its progress or a file, whether the
    /// figure is mounted or not. Not generic: one copy of the code serves all callers.
    #[inline(never)]
    pub fn with_finished(&self, lang: Lang, look: &mut dyn FnMut(&AnyFigure)) {
        let as_it_stands = |figure: &&AnyFigure| figure.shows_progress() || self.file.is_some();
        if let Some(figure) = self.shown.figure().filter(as_it_stands) {
            return look(figure);
        }
        let (view, values) = (self.session.view(), self.session.values());
        if let Some(mut figure) = AnyFigure::new(view, values, lang, None) {
            while !figure.shows_progress() && figure.work() {}
            look(&figure);
        }
    }
}
