//! Figures on a page, each a `<pe-figure>`. A registry holds what they share: language, theme, frames and observers.
//! Only figures near the viewport are built, computed and drawn.

mod anchor;
mod appearance;
mod controller;
mod custom_element;
mod elements;
mod files;
mod input;
mod lifecycle;
mod page_callbacks;
mod scroll;
mod shown;
mod size;
mod sound;
mod surroundings;

pub use anchor::ObserverCallback;
pub use controller::FigureController;
pub use custom_element::Mounted;
pub use lifecycle::PageContext;
pub use page_callbacks::{PageCallbacks, attach};
pub use scroll::scroll_into_view;

use self::anchor::Anchor;
use super::dom::{browser_lang, ratio, window, window_height, window_size};
use super::frames::{Frames, now, record_frame};
use super::media_query::{DARK, MediaQuery};
use crate::draw::{ColourMap, Theme};
use crate::field::ThemeName;
use crate::session::{BENCH_GROUP, Change, Event, NamedValues, SharedUpdate};
use crate::text::Lang;
use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use page_callbacks::page_callbacks;
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use wasm_bindgen::prelude::*;
use web_sys::{
    Element, HtmlElement, IntersectionObserver, IntersectionObserverEntry,
    IntersectionObserverInit, ResizeObserver, ResizeObserverEntry,
};

/// Time in milliseconds after which a frame leaves the remaining figures to the next frame.
const FRAME_BUDGET_MS: f64 = 6.0;
/// Time in milliseconds without a change after which sound is switched off.
const SOUND_TIMEOUT_MS: u32 = 15_000;

pub struct Figures {
    controllers: Vec<Weak<RefCell<FigureController>>>,
    /// Index of the controller that the next frame begins with.
    next: usize,
    lang: Lang,
    theme: Theme,
    /// Pictures are limited to the height that the window leaves for them.
    fits_window: bool,
    /// Width and height of the window in CSS pixels.
    window_size: (f64, f64),
    /// The colour maps of the themes that have been used.
    colours: Vec<(ThemeName, ColourMap)>,
    /// The page has a bench, which sets language and theme.
    has_bench: bool,
    /// `prefers-color-scheme: dark`, on a page without a bench.
    dark_query: Option<(MediaQuery, Option<EventListener>)>,
    frames: Frames,
    intersection_observer: Option<(IntersectionObserver, ObserverCallback)>,
    resize_observer: Option<(ResizeObserver, ObserverCallback)>,
    /// Only on pages with a bench: embedding pages manage their own scroll position.
    anchor: Option<Anchor>,
    mute_timer: Option<Timeout>,
    /// The page is being printed.
    printing: bool,
    /// core/figures.wasm, the code that computes and draws figures, has loaded.
    code_loaded: bool,
    /// `devicePixelRatio` when last read; it changes with the zoom level and the screen.
    device_pixel_ratio: f64,
    _listeners: [EventListener; 3],
}

thread_local! {
    static FIGURES: RefCell<Option<Figures>> = const { RefCell::new(None) };
}

/// Enables scroll anchoring for the lesson below the bench.
pub fn enable_scroll_anchoring(bench: &Element) {
    with_figures(|figures| {
        figures.anchor = Anchor::new();
        if let Some(anchor) = &figures.anchor {
            anchor.observe(bench);
            for controller in figures.controllers.iter().filter_map(Weak::upgrade) {
                anchor.observe(&controller.borrow().element);
            }
        }
    });
}

/// Runs `act` on the figures, unless they are already borrowed.
fn with_figures(act: impl FnOnce(&mut Figures)) {
    FIGURES.with(|figures| {
        if let Ok(mut figures) = figures.try_borrow_mut() {
            act(figures.get_or_insert_with(Figures::new));
        }
    });
}

/// False if the figures, or one of them, are still borrowed after a failure.
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

/// Sets language and theme of all figures, and whether their height is limited by the window.
pub fn set_page_appearance(lang: Lang, theme: Theme, fits_window: bool) {
    with_figures(|figures| {
        figures.has_bench = true;
        figures.dark_query = None;
        let asked = (lang, theme, fits_window);
        if (figures.lang, figures.theme, figures.fits_window) != asked {
            (figures.lang, figures.theme, figures.fits_window) = asked;
            figures.for_each_idle(|controller| controller.lifecycle.invalidate());
            figures.request(None);
        }
    });
}

/// Synchronises the figures that share the bench's settings.
pub fn sync_bench_group(values: impl Fn() -> NamedValues, change: Change) {
    with_figures(|figures| {
        // Called in every frame of the bench, so `values` is evaluated only if a figure shares them.
        let mut pairs = None;
        let mut any = false;
        figures.for_each_idle(|controller| {
            if controller.session.follows_bench() {
                let effects = controller.handle(Event::Sync {
                    values: pairs.get_or_insert_with(&values),
                    change,
                });
                any |= effects.changed.is_some() && controller.lifecycle.is_near_viewport();
            }
        });
        if any {
            figures.request(None);
        }
    });
}

/// Sets fields of the figure with this id, and scrolls to it.
pub fn set(id: &str, pairs: &[(&str, &str)]) {
    with_figures(|figures| {
        figures.for_each_idle(|controller| {
            if controller.element.id() == id {
                controller.handle(Event::Set(pairs));
                controller.lifecycle.scroll_when_drawn();
            }
        });
        figures.request(None);
    });
}

fn listener(name: &'static str, act: fn(&mut Figures)) -> EventListener {
    EventListener::new(&window(), name, move |_| with_figures(act))
}

impl Figures {
    fn new() -> Figures {
        let dark = MediaQuery::new(DARK);
        let changed = |_: &web_sys::Event| {
            with_figures(|figures| {
                figures.theme = figures.system_theme();
                figures.for_each_idle(|controller| controller.lifecycle.invalidate());
                figures.request(None);
            });
        };
        let changes = dark
            .list()
            .map(|list| EventListener::new(list, "change", changed));
        let near = ObserverCallback::new(on_intersection);
        let options = IntersectionObserverInit::new();
        options.set_root_margin("75% 0px");
        let observer =
            IntersectionObserver::new_with_options(near.as_ref().unchecked_ref(), &options);
        let resized = ObserverCallback::new(on_resize);
        let sizes = ResizeObserver::new(resized.as_ref().unchecked_ref());
        let mut figures = Figures {
            controllers: Vec::new(),
            next: 0,
            lang: browser_lang(),
            theme: *Theme::named(ThemeName::Light),
            fits_window: false,
            window_size: window_size(),
            colours: Vec::new(),
            has_bench: false,
            dark_query: Some((dark, changes)),
            frames: Frames::new(|_| run_frame_and_share()),
            intersection_observer: observer.ok().map(|observer| (observer, near)),
            resize_observer: sizes.ok().map(|observer| (observer, resized)),
            anchor: None,
            mute_timer: None,
            printing: false,
            code_loaded: false,
            device_pixel_ratio: ratio(false),
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
        let dark = self.dark_query.as_ref();
        let dark = dark.is_some_and(|(query, _)| query.matches());
        *Theme::named(match dark {
            true => ThemeName::Dark,
            false => ThemeName::Light,
        })
    }

    /// The context in which a figure is drawn: its own language and theme, or else the page's.
    fn context_for(&mut self, controller: &FigureController) -> PageContext<'_> {
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
            has_bench: self.has_bench,
        }
    }

    /// Calls `act` for every figure that is not borrowed.
    fn for_each_idle(&mut self, mut act: impl FnMut(&mut FigureController)) {
        self.controllers
            .retain(|controller| controller.strong_count() > 0);
        for controller in self.controllers.iter().filter_map(Weak::upgrade) {
            if let Ok(mut controller) = controller.try_borrow_mut() {
                act(&mut controller);
            }
        }
    }

    fn rescaled(&mut self) {
        let (ratio, size) = (ratio(false), window_size());
        let scaled = ratio != std::mem::replace(&mut self.device_pixel_ratio, ratio);
        let resized = size != std::mem::replace(&mut self.window_size, size);
        if scaled || resized && self.fits_window {
            self.for_each_idle(|controller| controller.lifecycle.invalidate());
            self.request(None);
        }
    }

    /// Prints all figures in the light theme, mounted synchronously, since no animation frame runs before printing.
    fn print(&mut self, on: bool) {
        self.printing = on;
        if !self.code_loaded {
            // Printing continues when core/figures.wasm has loaded.
            return;
        }
        let controllers: Vec<_> = self.controllers.iter().filter_map(Weak::upgrade).collect();
        for controller in controllers {
            let Ok(mut controller) = controller.try_borrow_mut() else {
                continue;
            };
            if on {
                let page = self.context_for(&controller);
                controller.begin_printing(page);
            } else {
                controller.end_printing();
            }
        }
        self.request(None);
    }

    pub fn request(&self, cause: Option<f64>) {
        self.frames.request(cause);
    }

    /// Advances, computes and draws the figures near the viewport that have changed, within the frame budget. Returns the changes to share.
    fn run_frame(&mut self) -> Vec<ChangedFigure> {
        let (start, cause) = (now(), self.frames.arrived());
        let (mut drawn, mut again, mut sounds) = (false, false, false);
        let mut changed = Vec::new();
        let controllers: Vec<_> = self.controllers.iter().filter_map(Weak::upgrade).collect();
        let first = next_to_mount(&controllers);
        // The figure that the last frame had no time for is the first of this one, or figures below one that works for
        // seconds would wait until it has done.
        let begin = std::mem::take(&mut self.next).min(controllers.len());
        let order = (begin..controllers.len()).chain(0..begin);
        for index in order {
            let Ok(mut controller) = controllers[index].try_borrow_mut() else {
                continue;
            };
            controller.release_stale_height();
            changed.extend(ChangedFigure::take(&mut controller));
            let near = controller.lifecycle.is_near_viewport();
            if near && controller.session.is_playing() {
                controller.handle(Event::AdvancePlayback(start));
                again = true;
            }
            if !(near && controller.needs_frame()) {
                continue;
            }
            // Figures are mounted one at a time, starting with the one nearest to the middle of the window.
            if controller.lifecycle.is_mounting() && first.as_ref() != Some(&controller.element) {
                again = true;
                continue;
            }
            if drawn && now() - start > FRAME_BUDGET_MS {
                self.next = index;
                again = true;
                break;
            }
            if !self.code_loaded {
                controller.request_code();
                continue;
            }
            let page = self.context_for(&controller);
            drawn |= controller.frame(page);
            again |= controller.needs_frame();
            sounds |= controller.shown.is_playing_sound();
        }
        if sounds {
            self.mute_timer = Some(Timeout::new(SOUND_TIMEOUT_MS, || {
                with_figures(|figures| {
                    figures.for_each_idle(FigureController::mute);
                    figures.request(None);
                });
            }));
        }
        if drawn {
            record_frame(cause, start);
        }
        if again {
            self.frames.request(None);
        }
        changed
    }
}

/// Called when core/figures.wasm has loaded. Before that, none of its functions may be called.
#[wasm_bindgen(js_name = figuresArrived, skip_typescript)]
pub fn figures_loaded() {
    posenc_encoding::set_deferred(false);
    // Node.js and workers have no page.
    if web_sys::window().is_none() {
        return;
    }
    (page_callbacks().figures_loaded)();
    with_figures(|figures| {
        if !std::mem::replace(&mut figures.code_loaded, true) {
            match figures.printing {
                true => figures.print(true),
                false => figures.request(None),
            }
        }
    });
}

/// The figure nearest to the middle of the window, of those waiting to be mounted.
fn next_to_mount(controllers: &[Rc<RefCell<FigureController>>]) -> Option<HtmlElement> {
    let middle = window_height() / 2.0;
    let mut first: Option<(f64, HtmlElement)> = None;
    for controller in controllers {
        let Ok(controller) = controller.try_borrow() else {
            continue;
        };
        if !(controller.lifecycle.is_near_viewport() && controller.lifecycle.is_mounting()) {
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

/// Changed values of a figure, for the address and for the figures in its group.
struct ChangedFigure {
    update: SharedUpdate,
    standalone: bool,
    source: HtmlElement,
}

impl ChangedFigure {
    fn take(controller: &mut FigureController) -> Option<ChangedFigure> {
        Some(ChangedFigure {
            update: controller.session.take_shared_update()?,
            standalone: controller.is_standalone(),
            source: controller.element.clone(),
        })
    }
}

/// Runs a frame, and passes on what has changed in it.
fn run_frame_and_share() {
    let mut changed = Vec::new();
    with_figures(|figures| changed = figures.run_frame());
    share(changed);
}

/// Shares what has changed since the last frame, since none follows when the page is left.
pub fn share_without_frame() {
    let mut changed = Vec::new();
    with_figures(|figures| {
        figures.for_each_idle(|controller| changed.extend(ChangedFigure::take(controller)));
    });
    share(changed);
}

fn share(changed: Vec<ChangedFigure>) {
    for ChangedFigure {
        update,
        standalone,
        source,
    } in changed
    {
        if standalone {
            (page_callbacks().figure_changed)(update.changed);
        }
        match update.group {
            None => {}
            Some(group) if group.name() == BENCH_GROUP => {
                (page_callbacks().set)(&update.shared, update.change)
            }
            Some(group) => with_figures(|figures| {
                let values = group.values();
                figures.for_each_idle(|controller| {
                    if controller.element != source && controller.session.in_group(group.name()) {
                        controller.handle(Event::Sync {
                            values: &values,
                            change: update.change,
                        });
                    }
                });
                figures.request(None);
            }),
        }
    }
}

fn on_resize(entries: js_sys::Array) {
    with_figures(|figures| {
        for entry in entries.iter() {
            let entry: ResizeObserverEntry = entry.unchecked_into();
            let (element, width) = (entry.target(), entry.content_rect().width());
            figures.for_each_idle(|controller| {
                if *controller.element == element {
                    controller.resize(width);
                }
            });
        }
        figures.request(None);
    });
}

fn on_intersection(entries: js_sys::Array) {
    with_figures(|figures| {
        // Figures mounted for printing must stay mounted until they are printed.
        let printing = figures.printing;
        for entry in entries.iter() {
            let entry: IntersectionObserverEntry = entry.unchecked_into();
            let (element, near) = (entry.target(), entry.is_intersecting());
            figures.for_each_idle(|controller| {
                if *controller.element == element {
                    controller.set_near_viewport(near, printing);
                }
            });
        }
        figures.request(None);
    });
}
