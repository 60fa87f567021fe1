//! Lazy mounting: a figure that comes near the viewport is built and computed, its DOM is updated and its picture
//! drawn; a figure that leaves frees everything but its values.

use super::controller::FigureController;
use super::elements::Elements;
use super::{FRAME_BUDGET_MS, scroll};
use crate::draw::{ColourMap, DrawContext, Theme};
use crate::field::Values;
use crate::figures::{AnyFigure, accepts_files, arrangement};
use crate::text::Lang;
use crate::web::canvas::frame;
use crate::web::dom::{append, document, el, set_attr, set_style, toggle_attr, window};
use crate::web::frames::now;
use crate::web::transition::Transition;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// Attribute of a figure whose elements are on the page.
pub const MOUNTED: &str = "data-mounted";
/// Attribute of a mounted figure that still has work.
pub const UNFINISHED: &str = "data-unfinished";
/// Custom property: the height reserved for a figure that is not mounted.
const RESERVED_HEIGHT: &str = "--reserved-height";

pub struct Lifecycle {
    pub near_viewport: bool,
    /// The intersection observer has reported whether the figure is near the viewport.
    pub visibility_known: bool,
    /// Something has changed since the figure was last computed.
    pub dirty: bool,
    /// The figure has unfinished work ([`crate::figure::Figure::work`]).
    pub has_work: bool,
    /// The animation from the previous state ([`crate::figure::Figure::animate`]).
    transition: Option<Transition>,
    /// The next step of mounting; `None` once the figure is shown.
    pub(super) mount_step: Option<MountStep>,
    /// "ready" has been emitted.
    ready_emitted: bool,
    /// The page scrolls to the figure once it is drawn.
    pub scroll_pending: bool,
    /// The reserved height was measured at another width.
    stale_height: bool,
    /// The figure is being printed.
    pub(super) printing: bool,
}

impl Default for Lifecycle {
    fn default() -> Lifecycle {
        Lifecycle {
            near_viewport: false,
            visibility_known: false,
            dirty: true,
            has_work: false,
            transition: None,
            mount_step: Some(MountStep::Build),
            ready_emitted: false,
            scroll_pending: false,
            stale_height: false,
            printing: false,
        }
    }
}

impl Lifecycle {
    /// Whether anything is to be computed, updated in the DOM or drawn.
    pub fn needs_frame(&self) -> bool {
        self.dirty || self.mount_step.is_some() || self.is_animating()
    }

    /// Whether the picture still changes without input.
    pub fn is_animating(&self) -> bool {
        self.has_work || self.transition.is_some()
    }
}

/// False with `prefers-reduced-motion: reduce`.
fn motion_allowed() -> bool {
    let query = window().match_media("(prefers-reduced-motion: reduce)");
    query.ok().flatten().is_some_and(|query| !query.matches())
}

/// The size and scale of the element on the page.
pub(super) struct Size {
    /// The element's width when it was last observed, in CSS pixels.
    pub width: f64,
    /// The part of the width that the figure's own padding takes, in CSS pixels; `None` until it is measured.
    padding: Option<f64>,
    /// Scale factor of the page's CSS transforms on the element.
    css_transform_scale: f64,
    /// Height of everything around the picture, in `--pe-unit`.
    pub around: f64,
}

impl Size {
    /// The width inside the padding, in CSS pixels.
    pub(super) fn inner(&self) -> f64 {
        self.width - self.padding.unwrap_or_default()
    }
}

impl Default for Size {
    fn default() -> Size {
        Size {
            width: 0.0,
            padding: None,
            css_transform_scale: 1.0,
            around: 0.0,
        }
    }
}

/// Steps of mounting a figure, one per frame.
#[derive(Clone, Copy)]
pub(super) enum MountStep {
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
        self.figure = None;
        self.tones = None;
        // A reference to the edited input would keep the old elements alive.
        self.input.editing.stop();
        self.lifecycle.has_work = false;
        self.lifecycle.transition = None;
        self.lifecycle.mount_step = Some(MountStep::Build);
        self.lifecycle.dirty = true;
        self.shadow.set_text_content(None);
        append(&self.shadow, &el("slot").0);
        // The placeholder is focusable, so that keyboard users can mount the figure.
        set_attr(&self.element, "tabindex", "0");
    }

    /// Sets the width of the element on the page, in CSS pixels.
    pub fn resize(&mut self, width: f64) {
        if self.size.width != width {
            if self.size.width > 0.0 && width > 0.0 && self.elements.is_none() {
                self.lifecycle.stale_height = true;
            }
            self.size.width = width;
            self.size.padding = None;
            self.size.css_transform_scale = transform_scale_of(&self.element);
            self.lifecycle.dirty = true;
        }
    }

    /// The width of a picture of the figure, in CSS pixels.
    pub fn picture_width(&self, theme: &Theme) -> f64 {
        match self.size.inner() {
            width if width >= 1.0 => {
                let beside = arrangement(self.view).beside(width, theme);
                beside.unwrap_or(width)
            }
            _ => 720.0,
        }
    }

    /// Runs a frame; false if there was nothing to do. Mounting takes one step per frame, so that scrolling stays
    /// smooth; a mounted figure runs all steps at once.
    pub fn frame(&mut self, page: PageContext) -> bool {
        if !self.lifecycle.needs_frame() {
            return false;
        }
        if !self.lifecycle.dirty && !self.is_mounting() {
            self.advance_transition();
            if self.lifecycle.has_work {
                self.do_work();
            }
            self.update_dom(page);
            self.draw(page);
            self.speak_soon();
            return true;
        }
        let wrong_lang = |elements: &Elements| elements.lang != page.lang;
        match self.lifecycle.mount_step {
            Some(MountStep::Build) => self.build(page),
            Some(MountStep::Compute) => self.compute(page.lang),
            Some(MountStep::UpdateDom) => self.update_dom(page),
            Some(MountStep::Draw) => self.draw(page),
            None => {
                if self.elements.as_ref().is_some_and(wrong_lang) {
                    self.build(page);
                }
                self.compute(page.lang);
                self.update_dom(page);
                self.draw(page);
            }
        }
        let was_mounting = self.lifecycle.mount_step.is_some();
        self.lifecycle.mount_step = self.lifecycle.mount_step.and_then(MountStep::next);
        if self.lifecycle.mount_step.is_none() {
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
            self.update_sound();
            self.speak_soon();
        }
        true
    }

    /// Runs all pending work synchronously.
    pub fn finish_now(&mut self, page: PageContext) {
        while self.lifecycle.dirty || self.is_mounting() {
            self.frame(page);
        }
        if let (Some(_), Some(figure)) = (self.lifecycle.transition.take(), &mut self.figure) {
            figure.animate(1.0);
        }
        loop {
            self.do_work();
            if !self.lifecycle.has_work {
                break;
            }
        }
        self.update_dom(page);
        self.draw(page);
    }

    /// Replaces the reserved space with the elements.
    fn show_elements(&self) {
        if let Some(elements) = &self.elements {
            self.shadow.set_text_content(None);
            append(&self.shadow, &elements.root);
            // Removing an attribute does not fail.
            let _ = elements.root.remove_attribute("hidden");
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

    /// Runs a slice of the work that takes longer than a frame. A figure keeps its reserved height until its work is done.
    fn do_work(&mut self) {
        let begun = now();
        let run_slices = |figure: &mut AnyFigure| {
            let mut worked = false;
            while figure.work() {
                worked = true;
                // Figures that show their progress advance one step per frame.
                if figure.shows_progress() || now() - begun > FRAME_BUDGET_MS {
                    break;
                }
            }
            worked
        };
        self.lifecycle.has_work = self.figure.as_mut().is_some_and(run_slices);
        if !self.lifecycle.has_work {
            self.release_height();
        }
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
        let pending =
            self.lifecycle.dirty || self.is_mounting() || self.lifecycle.transition.is_some();
        self.lifecycle.visibility_known && !(self.lifecycle.near_viewport && pending)
    }

    /// Whether a step of mounting is pending; also true for an unmounted figure.
    pub fn is_mounting(&self) -> bool {
        self.lifecycle.mount_step.is_some()
    }

    fn compute(&mut self, lang: Lang) {
        // Cleared first, so that a change during mounting is shown in the next frame.
        self.lifecycle.dirty = false;
        let previous = self.figure.take();
        let last_step = self.lifecycle.printing.then(|| at_last_step(&self.values));
        let values = last_step.as_ref().unwrap_or(&self.values);
        self.figure = AnyFigure::new(self.view, values, lang, previous);
        if let Some(figure) = &mut self.figure
            && accepts_files(self.view)
        {
            let file = self.file.as_ref().map(|file| file.borrow());
            figure.set_file(file.as_deref().map(|file| &file.opened));
        }
        self.lifecycle.transition = self.figure.as_mut().and_then(|figure| {
            let moves = motion_allowed() && figure.animate(0.0);
            moves.then(|| Transition::new(figure.animation_duration()))
        });
    }

    /// Advances the animation from the previous state.
    fn advance_transition(&mut self) {
        let (Some(transition), Some(figure)) = (&mut self.lifecycle.transition, &mut self.figure)
        else {
            return;
        };
        let progress = transition.progress(now());
        figure.animate(progress);
        if progress == 1.0 {
            self.lifecycle.transition = None;
        }
    }

    /// Measures the width of the element and its padding, if they are unknown, sets the height of the stage and draws
    /// the picture, if its size is not empty.
    fn draw(&mut self, page: PageContext) {
        let (Some(elements), Some(figure)) = (&mut self.elements, &self.figure) else {
            return;
        };
        // Only if unknown, since reading `client_width` forces layout.
        if self.size.width == 0.0 {
            self.size.width = f64::from(self.element.client_width());
            self.size.css_transform_scale = transform_scale_of(&self.element);
        }
        // On a page with a bench figures have no padding.
        if self.size.padding.is_none() && !page.has_bench {
            // A hidden element has no width. The figure is shown in this frame anyway; removing an attribute does not fail.
            let _ = elements.root.remove_attribute("hidden");
            let inside = f64::from(elements.header.client_width());
            self.size.padding = (inside > 0.0).then_some(self.size.width - inside);
        }
        let inside = self.size.inner();
        let beside = arrangement(self.view).beside(inside, &page.theme);
        let width = beside.unwrap_or(inside);
        let height = figure.height(width, &page.theme).unwrap_or(0.0).round();
        let frame = frame(width, height, page.ratio * self.size.css_transform_scale);
        if frame != elements.frame {
            elements.frame = frame;
            let side = beside.map_or(String::new(), |width| format!(";width:{width}px"));
            set_style(
                elements.stage.unchecked_ref(),
                &format!("height:{height}px{side}"),
            );
            toggle_attr(&elements.stage, "hidden", height < 1.0);
            let split = beside.is_some() && height >= 1.0;
            toggle_attr(&elements.root, "data-split", split);
        }
        if width < 1.0 || height < 1.0 {
            return;
        }
        if let Some(surface) = &elements.surface {
            surface.resize(frame);
            let context = DrawContext {
                theme: &page.theme,
                colours: page.colours,
                frame,
            };
            // Drawing on a canvas returns no errors.
            surface.draw(frame, |pen| {
                figure.draw(pen, &context);
            });
        }
    }

    /// Calls `look` with the finished figure, or with the current one if it shows its progress or a file, whether the
    /// figure is mounted or not. Not generic: one copy of the code serves all callers.
    #[inline(never)]
    pub fn with_finished(&self, lang: Lang, look: &mut dyn FnMut(&AnyFigure)) {
        let as_it_stands = |figure: &&AnyFigure| figure.shows_progress() || self.file.is_some();
        if let Some(figure) = self.figure.as_ref().filter(as_it_stands) {
            return look(figure);
        }
        if let Some(mut figure) = AnyFigure::new(self.view, &self.values, lang, None) {
            while !figure.shows_progress() && figure.work() {}
            look(&figure);
        }
    }
}

/// The values to print: a figure that is still at its first step is printed at its last, since paper is not interactive.
fn at_last_step(values: &Values) -> Values {
    const STEP: &str = "step";
    let mut shown = values.clone();
    let first = Values::new(values.fields());
    if values.has(STEP) && values.whole(STEP) == first.whole(STEP) {
        shown.set_whole(STEP, i64::MAX);
    }
    shown
}

/// Scale factor of the CSS transforms on an element; never below 1.
fn transform_scale_of(element: &HtmlElement) -> f64 {
    let (figure, own) = (
        element.get_bounding_client_rect().width(),
        f64::from(element.offset_width()),
    );
    // `offset_width` is rounded to whole pixels.
    match figure / own {
        ratio if ratio > 1.02 && ratio.is_finite() => ratio,
        _ => 1.0,
    }
}
