//! Figures on a page, each a `<pe-figure>`. One owner has what they share: language, theme, frames, and which of them are
//! near the screen. Only those are built, computed and drawn.

mod anchor;
mod appearance;
mod attributes;
mod controller;
mod element;
mod elements;
mod files;
mod group;
mod input;
mod lifecycle;
mod page_link;
mod scroll;
mod sharing;
mod sound;

pub use anchor::Entries;
pub use controller::FigureController;
pub use element::Mounted;
pub use group::Pairs;
pub use lifecycle::PageContext;
pub use page_link::{PageLink, attach};
pub use scroll::bring;

use self::anchor::Anchor;
use super::dom::{browser_lang, ratio, window, window_height};
use super::frames::{Frames, measure, now};
use crate::draw::{ColourMap, Theme};
use crate::field::ThemeName;
use crate::text::Lang;
use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use group::{BENCH, Group};
use page_link::page_link;
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use wasm_bindgen::prelude::*;
use web_sys::{
    Element, HtmlElement, IntersectionObserver, IntersectionObserverEntry,
    IntersectionObserverInit, MediaQueryList, ResizeObserver, ResizeObserverEntry,
};

/// Milliseconds of a frame after which the next figure waits for the next frame.
const BUDGET: f64 = 6.0;
/// Sound ends so many milliseconds after the last movement.
const LINGER: u32 = 15_000;

pub struct Figures {
    controllers: Vec<Weak<RefCell<FigureController>>>,
    lang: Lang,
    theme: Theme,
    /// The colours of the themes that have been used.
    colours: Vec<(ThemeName, ColourMap)>,
    /// A bench is on the page; language and theme are its.
    bench: bool,
    /// Whether the system is dark, for figures on a page without a bench.
    system: Option<(MediaQueryList, EventListener)>,
    frames: Frames,
    near: Option<(IntersectionObserver, Entries)>,
    sizes: Option<(ResizeObserver, Entries)>,
    /// On our own page; what a page with figures of ours scrolls to is its own affair.
    anchor: Option<Anchor>,
    mute_timer: Option<Timeout>,
    /// The page is being put on paper.
    printing: bool,
    /// The code that computes and draws figures is there; it may be a file of its own.
    whole: bool,
    /// Pixels per CSS pixel when last looked at: a zoom, or another screen, changes them.
    ratio: f64,
    _listeners: [EventListener; 3],
}

thread_local! {
    static FIGURES: RefCell<Option<Figures>> = const { RefCell::new(None) };
}

/// The lesson stays where the reader has scrolled it while what is above changes its height.
pub fn anchor(bench: &Element) {
    with(|figures| {
        figures.anchor = Anchor::new();
        if let Some(anchor) = &figures.anchor {
            anchor.observe(bench);
            for controller in figures.controllers.iter().filter_map(Weak::upgrade) {
                anchor.observe(&controller.borrow().element);
            }
        }
    });
}

/// Runs `act` on the figures, unless it is at work.
fn with(act: impl FnOnce(&mut Figures)) {
    FIGURES.with(|figures| {
        if let Ok(mut figures) = figures.try_borrow_mut() {
            act(figures.get_or_insert_with(Figures::new));
        }
    });
}

/// Whether nothing holds the figures, or any of them.
pub fn is_healthy() -> bool {
    FIGURES.with(|figures| match figures.try_borrow_mut() {
        Ok(figures) => {
            let mut controllers = figures.iter().flat_map(|figures| &figures.controllers);
            controllers.all(|controller| {
                controller
                    .upgrade()
                    .is_none_or(|controller| controller.try_borrow_mut().is_ok())
            })
        }
        Err(_) => false,
    })
}

/// Language and theme of all figures.
pub fn dress(lang: Lang, theme: Theme) {
    with(|figures| {
        figures.bench = true;
        figures.system = None;
        if figures.lang != lang || figures.theme != theme {
            figures.lang = lang;
            figures.theme = theme;
            figures.each(|controller| controller.lifecycle.dirty = true);
            figures.request(None);
        }
    });
}

/// The bench has changed: figures that share its settings follow.
pub fn follow(values: impl Fn() -> Pairs) {
    with(|figures| {
        // In every frame of the bench: where no figure follows, nothing is made.
        let mut pairs = None;
        let mut any = false;
        figures.each(|controller| {
            if controller.is_of(BENCH) {
                any |= controller.sync(pairs.get_or_insert_with(&values));
            }
        });
        if any {
            figures.request(None);
        }
    });
}

/// Sets fields of the figure with this id, which is scrolled to.
pub fn set(id: &str, pairs: &[(&str, &str)]) {
    with(|figures| {
        figures.each(|controller| {
            if controller.element.id() == id {
                controller.set_from_outside(pairs);
                controller.lifecycle.bring = true;
            }
        });
        figures.request(None);
    });
}

fn listener(name: &'static str, act: fn(&mut Figures)) -> EventListener {
    EventListener::new(&window(), name, move |_| with(act))
}

impl Figures {
    fn new() -> Figures {
        let system = window().match_media("(prefers-color-scheme: dark)");
        let system = system.ok().flatten().map(|media| {
            let changed = EventListener::new(&media, "change", |_| {
                with(|figures| {
                    figures.theme = figures.system_theme();
                    figures.each(|controller| controller.lifecycle.dirty = true);
                    figures.request(None);
                });
            });
            (media, changed)
        });
        let near = Entries::new(on_intersection);
        let options = IntersectionObserverInit::new();
        options.set_root_margin("75% 0px");
        let observer =
            IntersectionObserver::new_with_options(near.as_ref().unchecked_ref(), &options);
        let resized = Entries::new(on_resize);
        let sizes = ResizeObserver::new(resized.as_ref().unchecked_ref());
        let mut figures = Figures {
            controllers: Vec::new(),
            lang: browser_lang(),
            theme: *Theme::named(ThemeName::Light),
            colours: Vec::new(),
            bench: false,
            system,
            frames: Frames::new(|_| frame()),
            near: observer.ok().map(|observer| (observer, near)),
            sizes: sizes.ok().map(|observer| (observer, resized)),
            anchor: None,
            mute_timer: None,
            printing: false,
            whole: false,
            ratio: ratio(false),
            _listeners: [
                listener("resize", Figures::rescaled),
                listener("beforeprint", |figures| figures.print(true)),
                listener("afterprint", |figures| figures.print(false)),
            ],
        };
        figures.theme = figures.system_theme();
        figures
    }

    fn system_theme(&self) -> Theme {
        let dark = self
            .system
            .as_ref()
            .is_some_and(|(media, _)| media.matches());
        *Theme::named(match dark {
            true => ThemeName::Dark,
            false => ThemeName::Light,
        })
    }

    /// What a figure is shown with: its own language and theme, if it has them, or else the page's.
    fn page(&mut self, controller: &FigureController) -> PageContext<'_> {
        let theme = self.theme_of(controller);
        let known = self
            .colours
            .iter()
            .position(|(name, _)| *name == theme.name);
        let known = known.unwrap_or_else(|| {
            self.colours.push((theme.name, theme.colour_map()));
            self.colours.len() - 1
        });
        PageContext {
            lang: self.lang_of(controller),
            theme,
            colours: &self.colours[known].1,
            ratio: ratio(self.printing),
            bench: self.bench,
        }
    }

    /// Every figure on the page that is not at work itself.
    fn each(&mut self, mut act: impl FnMut(&mut FigureController)) {
        self.controllers
            .retain(|controller| controller.strong_count() > 0);
        for controller in self.controllers.iter().filter_map(Weak::upgrade) {
            if let Ok(mut controller) = controller.try_borrow_mut() {
                act(&mut controller);
            }
        }
    }

    fn rescaled(&mut self) {
        let ratio = ratio(false);
        if ratio != std::mem::replace(&mut self.ratio, ratio) {
            self.each(|controller| controller.lifecycle.dirty = true);
            self.request(None);
        }
    }

    /// On paper all figures are there, wherever the screen is, and light. No frame comes before it is printed on.
    fn print(&mut self, on: bool) {
        self.printing = on;
        if !self.whole {
            // Nothing is built yet: what there is to print is built when the code of the figures arrives.
            return;
        }
        let controllers: Vec<_> = self.controllers.iter().filter_map(Weak::upgrade).collect();
        for controller in controllers {
            let Ok(mut controller) = controller.try_borrow_mut() else {
                continue;
            };
            controller.lifecycle.dirty = true;
            // What our own page does not show, such as the lesson beside a figure alone, is not printed either.
            let hidden = self.bench && controller.element.offset_width() == 0;
            controller.lifecycle.on_paper = on && !hidden;
            if controller.lifecycle.on_paper {
                let page = self.page(&controller);
                controller.finish(page);
                controller.unfold(true);
            } else if !controller.lifecycle.near {
                controller.release();
            } else {
                controller.unfold(false);
            }
        }
        self.request(None);
    }

    pub fn request(&self, cause: Option<f64>) {
        self.frames.request(cause);
    }

    /// Draws what is near and has changed, as far as there is time. What changed by hand, for those who share it.
    fn draw(&mut self) -> Vec<Change> {
        let (start, cause) = (now(), self.frames.arrived());
        let (mut drawn, mut again, mut sounds) = (false, false, false);
        let mut changes = Vec::new();
        let controllers: Vec<_> = self.controllers.iter().filter_map(Weak::upgrade).collect();
        let first = first_to_arrive(&controllers);
        for controller in controllers {
            let Ok(mut controller) = controller.try_borrow_mut() else {
                continue;
            };
            controller.release_stale_height();
            if !controller.announced {
                controller.announced = true;
                changes.push(Change {
                    group: controller.group.clone(),
                    alone: controller.is_alone(),
                    by: controller.element.clone(),
                    pairs: controller.values.changed(),
                    shared: group::all_of(&controller.values),
                });
            }
            if controller.playback.playing && controller.lifecycle.near {
                let steps = controller.playback.advance(start);
                if steps != 0 {
                    controller.step(steps);
                }
                again = true;
            }
            if !(controller.lifecycle.near && controller.lifecycle.is_due()) {
                continue;
            }
            // One comes after the other, the one in the middle of the window first.
            if controller.is_arriving() && first.as_ref() != Some(&controller.element) {
                again = true;
                continue;
            }
            if drawn && now() - start > BUDGET {
                again = true;
                break;
            }
            if !self.whole {
                controller.request_code();
                continue;
            }
            let page = self.page(&controller);
            drawn |= controller.frame(page);
            again |= controller.lifecycle.is_due();
            sounds |= controller.is_sounding();
        }
        if sounds {
            self.mute_timer = Some(Timeout::new(LINGER, || {
                with(|figures| {
                    figures.each(FigureController::mute);
                    figures.request(None);
                });
            }));
        }
        if drawn {
            measure(cause, start);
        }
        if again {
            self.frames.request(None);
        }
        changes
    }
}

/// From now on figures can be computed and drawn. Before, nothing that the lesson alone uses may be called.
#[wasm_bindgen(js_name = figuresArrived, skip_typescript)]
pub fn figures_arrived() {
    posenc_encoding::defer_whisper(false);
    (page_link().arrived)();
    with(|figures| {
        if !std::mem::replace(&mut figures.whole, true) {
            match figures.printing {
                true => figures.print(true),
                false => figures.request(None),
            }
        }
    });
}

/// Of the figures that are coming near, the one nearest to the middle of the window.
fn first_to_arrive(controllers: &[Rc<RefCell<FigureController>>]) -> Option<HtmlElement> {
    let middle = window_height() / 2.0;
    let mut first: Option<(f64, HtmlElement)> = None;
    for controller in controllers {
        let Ok(controller) = controller.try_borrow() else {
            continue;
        };
        if !(controller.lifecycle.near && controller.is_arriving()) {
            continue;
        }
        let bounds = controller.element.get_bounding_client_rect();
        let off = (bounds.top().max(0.0).min(bounds.bottom()) - middle).abs();
        if first.as_ref().is_none_or(|(least, _)| off < *least) {
            first = Some((off, controller.element.clone()));
        }
    }
    first.map(|(_, element)| element)
}

/// What a figure has to tell those who share its values.
struct Change {
    group: Option<Rc<Group>>,
    alone: bool,
    by: HtmlElement,
    pairs: Vec<(&'static str, String)>,
    shared: Vec<(&'static str, String)>,
}

fn frame() {
    let mut changes = Vec::new();
    with(|figures| changes = figures.draw());
    for Change {
        group,
        alone,
        by,
        pairs,
        shared,
    } in changes
    {
        if alone {
            (page_link().figure_changed)(pairs);
        }
        match group {
            None => {}
            Some(group) if group.name == BENCH => (page_link().set)(&shared),
            Some(group) => with(|figures| {
                let values = group.values();
                figures.each(|controller| {
                    if controller.element != by && controller.is_of(&group.name) {
                        controller.sync(&values);
                    }
                });
                figures.request(None);
            }),
        }
    }
}

fn on_resize(entries: js_sys::Array) {
    with(|figures| {
        for entry in entries.iter() {
            let entry: ResizeObserverEntry = entry.unchecked_into();
            let (element, width) = (entry.target(), entry.content_rect().width());
            figures.each(|controller| {
                if *controller.element == element {
                    controller.resize(width);
                }
            });
        }
        figures.request(None);
    });
}

fn on_intersection(entries: js_sys::Array) {
    with(|figures| {
        // What has been built for paper stays until it is printed.
        let printing = figures.printing;
        for entry in entries.iter() {
            let entry: IntersectionObserverEntry = entry.unchecked_into();
            let (element, near) = (entry.target(), entry.is_intersecting());
            figures.each(|controller| {
                if *controller.element == element {
                    controller.lifecycle.near = near;
                    controller.lifecycle.located = true;
                    if !near && !printing {
                        controller.release();
                    }
                }
            });
        }
        figures.request(None);
    });
}
