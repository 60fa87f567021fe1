//! When a figure works: it is built, computed, written and drawn when it comes near the screen, and gives everything but
//! its values back when it is far.

use super::controller::FigureController;
use super::elements::Elements;
use super::{BUDGET, scroll};
use crate::draw::{ColourMap, DrawContext, Theme};
use crate::field::Values;
use crate::figures::{AnyFigure, arrangement, takes_files};
use crate::text::Lang;
use crate::web::canvas::frame;
use crate::web::dom::{append, document, el, set_attr, set_style, toggle_attr, window};
use crate::web::frames::now;
use crate::web::transition::Transition;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// On a figure that has come and still works out a part of what it shows.
pub const UNFINISHED: &str = "data-unfinished";
/// The height that a figure keeps while it is not there, as a property of its style.
const RESERVED_HEIGHT: &str = "--reserved-height";

pub struct Lifecycle {
    pub near: bool,
    /// Whether it is near has been found out.
    pub located: bool,
    /// Something has changed since the figure was computed.
    pub dirty: bool,
    /// The figure has work left ([`crate::figure::Figure::work`]).
    pub working: bool,
    /// When the figure set out from what it showed before ([`crate::figure::Figure::glide`]), in milliseconds.
    gliding: Option<Transition>,
    /// The next step of a figure that is coming near; `None` once it is shown.
    pub(super) arriving: Option<Step>,
    /// It has been shown before.
    ready: bool,
    /// To be scrolled to once it is drawn.
    pub bring: bool,
    /// Its reserved height was measured at another width.
    stale_height: bool,
    /// It is being printed.
    pub(super) on_paper: bool,
}

impl Default for Lifecycle {
    fn default() -> Lifecycle {
        Lifecycle {
            near: false,
            located: false,
            dirty: true,
            working: false,
            gliding: None,
            arriving: Some(Step::Build),
            ready: false,
            bring: false,
            stale_height: false,
            on_paper: false,
        }
    }
}

impl Lifecycle {
    /// Something is to be computed, written or drawn.
    pub fn is_due(&self) -> bool {
        self.dirty || self.arriving.is_some() || self.is_moving()
    }

    /// Its picture is not yet what it will be without any change.
    pub fn is_moving(&self) -> bool {
        self.working || self.gliding.is_some()
    }
}

/// Whether the reader has not asked for less motion.
fn may_move() -> bool {
    let query = window().match_media("(prefers-reduced-motion: reduce)");
    query.ok().flatten().is_some_and(|query| !query.matches())
}

/// The place that the page gives the figure.
pub(super) struct Size {
    /// The element's width when it was last observed, in CSS pixels.
    pub width: f64,
    /// How much of that the figure's own padding takes, once it is known.
    padding: Option<f64>,
    /// How much larger than its own pixels the page shows the element.
    magnified: f64,
}

impl Size {
    /// The width inside the figure.
    fn inner(&self) -> f64 {
        self.width - self.padding.unwrap_or_default()
    }
}

impl Default for Size {
    fn default() -> Size {
        Size {
            width: 0.0,
            padding: None,
            magnified: 1.0,
        }
    }
}

/// What a figure that comes near goes through, one step a frame.
#[derive(Clone, Copy)]
pub(super) enum Step {
    Build,
    Compute,
    Write,
    Draw,
}

impl Step {
    fn next(self) -> Option<Step> {
        match self {
            Step::Build => Some(Step::Compute),
            Step::Compute => Some(Step::Write),
            Step::Write => Some(Step::Draw),
            Step::Draw => None,
        }
    }
}

/// What all figures on the page share.
#[derive(Clone, Copy)]
pub struct PageContext<'a> {
    pub lang: Lang,
    pub theme: Theme,
    pub colours: &'a ColourMap,
    pub ratio: f64,
    /// There is a bench on the page, to which figures lead.
    pub bench: bool,
}

impl FigureController {
    /// Frees everything but the values and the space on the page.
    pub fn release(&mut self) {
        if self.elements.is_none() {
            return;
        }
        // Its own pixels, and parts of them, whatever the page does to show it larger.
        let style = window().get_computed_style(&self.element).ok().flatten();
        let height = style.and_then(|style| style.get_property_value("height").ok());
        if let Some(height) = height.filter(|height| height.ends_with("px") && height != "0px") {
            let _ = self.element.style().set_property(RESERVED_HEIGHT, &height);
        }
        // Removing an attribute does not fail.
        let _ = self.element.remove_attribute("data-near");
        self.unload();
    }

    pub(super) fn unload(&mut self) {
        self.elements = None;
        self.figure = None;
        self.tones = None;
        // It would keep the elements around it.
        self.input.editing.stop();
        self.lifecycle.working = false;
        self.lifecycle.gliding = None;
        self.lifecycle.arriving = Some(Step::Build);
        self.lifecycle.dirty = true;
        self.shadow.set_text_content(None);
        append(&self.shadow, &el("slot").0);
        // Whoever comes by keyboard stops here, and finds the figure when it is there.
        set_attr(&self.element, "tabindex", "0");
    }

    /// The page gives the figure this width; heights are its own.
    pub fn resize(&mut self, width: f64) {
        if self.size.width != width {
            if self.size.width > 0.0 && width > 0.0 && self.elements.is_none() {
                self.lifecycle.stale_height = true;
            }
            self.size.width = width;
            self.size.padding = None;
            self.size.magnified = magnification(&self.element);
            self.lifecycle.dirty = true;
        }
    }

    /// The width in CSS pixels that a picture of the figure has.
    pub fn picture_width(&self, theme: &Theme) -> f64 {
        match self.size.inner() {
            width if width >= 1.0 => {
                let beside = arrangement(self.view).beside(width, theme);
                beside.unwrap_or(width)
            }
            _ => 720.0,
        }
    }

    /// Does what is due; true if anything was. A figure that comes near takes one step a frame, so that scrolling stays
    /// smooth; one that is there and changes takes all of them at once.
    pub fn frame(&mut self, page: PageContext) -> bool {
        if !self.lifecycle.is_due() {
            return false;
        }
        if !self.lifecycle.dirty && !self.is_arriving() {
            self.glide();
            if self.lifecycle.working {
                self.do_work();
            }
            self.write(page);
            self.draw(page);
            self.speak_soon();
            return true;
        }
        let foreign = |elements: &Elements| elements.lang != page.lang;
        match self.lifecycle.arriving {
            Some(Step::Build) => self.build(page),
            Some(Step::Compute) => self.compute(page.lang),
            Some(Step::Write) => self.write(page),
            Some(Step::Draw) => self.draw(page),
            None => {
                if self.elements.as_ref().is_some_and(foreign) {
                    self.build(page);
                }
                self.compute(page.lang);
                self.write(page);
                self.draw(page);
            }
        }
        let arrived = self.lifecycle.arriving.is_some();
        self.lifecycle.arriving = self.lifecycle.arriving.and_then(Step::next);
        if self.lifecycle.arriving.is_none() {
            if arrived {
                set_attr(&self.element, UNFINISHED, "");
                self.show_elements();
                if !std::mem::replace(&mut self.lifecycle.ready, true) {
                    self.emit("ready", "");
                }
            }
            if std::mem::take(&mut self.lifecycle.bring) {
                scroll::bring(&self.element);
            }
            self.do_work();
            self.sound();
            self.speak_soon();
        }
        true
    }

    /// Does everything that is to be done at once.
    pub fn finish(&mut self, page: PageContext) {
        while self.lifecycle.dirty || self.is_arriving() {
            self.frame(page);
        }
        if let (Some(_), Some(figure)) = (self.lifecycle.gliding.take(), &mut self.figure) {
            figure.animate(1.0);
        }
        loop {
            self.do_work();
            if !self.lifecycle.working {
                break;
            }
        }
        self.write(page);
        self.draw(page);
    }

    /// From now on the figure is as high as what is in it.
    fn show_elements(&self) {
        if let Some(elements) = &self.elements {
            self.shadow.set_text_content(None);
            append(&self.shadow, &elements.root);
            // Removing an attribute does not fail.
            let _ = elements.root.remove_attribute("hidden");
        }
        let here = document().active_element();
        let focused = self.element.is_same_node(here.as_deref());
        // Removed first: a host that loses it takes the focus inside with it.
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
            // A page that may not take the focus goes on without.
            let _ = first.focus();
        }
        set_attr(&self.element, "data-near", "");
    }

    /// Does a slice of the work that takes longer than a frame. A figure that has just been shown keeps its reserved height until its work
    /// is done.
    fn do_work(&mut self) {
        let begun = now();
        // True after the last slice, too: what it has found is still to be written and drawn.
        let goes_on = |figure: &mut AnyFigure| {
            let mut worked = false;
            while figure.work() {
                worked = true;
                // What is watched goes on by a step a frame.
                if figure.is_watched() || now() - begun > BUDGET {
                    break;
                }
            }
            worked
        };
        self.lifecycle.working = self.figure.as_mut().is_some_and(goes_on);
        if !self.lifecycle.working {
            self.release_height();
        }
    }

    /// Releases a height that was reserved at another width. Never within a `ResizeObserver` callback: browsers report a size that changes
    /// there as an error of the page ("ResizeObserver loop").
    pub fn release_stale_height(&mut self) {
        if std::mem::take(&mut self.lifecycle.stale_height) && !self.lifecycle.near {
            self.release_height();
        }
    }

    /// From now on the figure is as high as what it shows.
    fn release_height(&self) {
        // Removing what is not there does not fail.
        let _ = self.element.remove_attribute(UNFINISHED);
        let _ = self.element.style().remove_property(RESERVED_HEIGHT);
    }

    /// Whether the screen shows the figure's current values; true as well where the figure is far from the screen.
    pub fn is_drawn(&self) -> bool {
        let pending =
            self.lifecycle.dirty || self.is_arriving() || self.lifecycle.gliding.is_some();
        self.lifecycle.located && !(self.lifecycle.near && pending)
    }

    /// It is being built, computed, written or drawn for the first time.
    pub fn is_arriving(&self) -> bool {
        self.lifecycle.arriving.is_some()
    }

    fn compute(&mut self, lang: Lang) {
        // What changes while it arrives is shown in the next frame.
        self.lifecycle.dirty = false;
        let previous = self.figure.take();
        let on_paper = self.lifecycle.on_paper.then(|| at_last_step(&self.values));
        let values = on_paper.as_ref().unwrap_or(&self.values);
        self.figure = AnyFigure::new(self.view, values, lang, previous);
        if let Some(figure) = &mut self.figure
            && takes_files(self.view)
        {
            let file = self.file.as_ref().map(|file| file.borrow());
            figure.give(file.as_deref().map(|file| &file.given));
        }
        self.lifecycle.gliding = self.figure.as_mut().and_then(|figure| {
            let moves = may_move() && figure.animate(0.0);
            moves.then(|| Transition::new(figure.animation_duration()))
        });
    }

    /// Goes on from what was shown before the last change to what is shown now.
    fn glide(&mut self) {
        let (Some(transition), Some(figure)) = (&mut self.lifecycle.gliding, &mut self.figure)
        else {
            return;
        };
        let share = transition.progress(now());
        figure.animate(share);
        if share == 1.0 {
            self.lifecycle.gliding = None;
        }
    }

    fn draw(&mut self, page: PageContext) {
        let (Some(elements), Some(figure)) = (&mut self.elements, &self.figure) else {
            return;
        };
        // Asking the page would have it laid out.
        if self.size.width == 0.0 {
            self.size.width = f64::from(self.element.client_width());
            self.size.magnified = magnification(&self.element);
        }
        // On our own page figures have none.
        if self.size.padding.is_none() && !page.bench {
            // What is hidden has no width. It is shown in this same frame; removing a known attribute does not fail.
            let _ = elements.root.remove_attribute("hidden");
            let inside = f64::from(elements.header.client_width());
            self.size.padding = (inside > 0.0).then_some(self.size.width - inside);
        }
        let inside = self.size.inner();
        let beside = arrangement(self.view).beside(inside, &page.theme);
        let width = beside.unwrap_or(inside);
        let height = figure.height(width, &page.theme).unwrap_or(0.0).round();
        let frame = frame(width, height, page.ratio * self.size.magnified);
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
            // Drawing on a canvas has no errors of its own.
            surface.draw(frame, |area| {
                let _ = figure.draw(area, &context);
            });
        }
    }

    /// Calls `look` with the figure computed to its end (or as it stands, if its work is there to be watched or a file is shown),
    /// whether it is on the screen or not. Not generic: one copy of the code serves all callers.
    #[inline(never)]
    pub fn with_finished(&self, lang: Lang, look: &mut dyn FnMut(&AnyFigure)) {
        let as_it_stands = |figure: &&AnyFigure| figure.is_watched() || self.file.is_some();
        if let Some(figure) = self.figure.as_ref().filter(as_it_stands) {
            return look(figure);
        }
        if let Some(mut figure) = AnyFigure::new(self.view, &self.values, lang, None) {
            while !figure.is_watched() && figure.work() {}
            look(&figure);
        }
    }
}

/// On paper nobody can go on from the first step: a figure that still stands there is printed at its last.
fn at_last_step(values: &Values) -> Values {
    const STEP: &str = "step";
    let mut shown = values.clone();
    let first = Values::new(values.fields());
    if values.has(STEP) && values.whole(STEP) == first.whole(STEP) {
        shown.set_whole(STEP, i64::MAX);
    }
    shown
}

/// How much larger than its own CSS pixels an element is on the page, which may transform it; never below 1.
fn magnification(element: &HtmlElement) -> f64 {
    let (figure, own) = (
        element.get_bounding_client_rect().width(),
        f64::from(element.offset_width()),
    );
    // Own sizes are rounded to whole pixels.
    match figure / own {
        ratio if ratio > 1.02 && ratio.is_finite() => ratio,
        _ => 1.0,
    }
}
