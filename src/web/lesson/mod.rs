//! The figures of the lesson and the lesson around them: one gallery owns what they share – language, theme, frames,
//! and who is near the screen. Only those are built, computed and drawn.

mod contents;
mod host;
mod sound;

pub use contents::{Contents, reveal};

use super::app;
use super::clipboard;
use super::dom::{document, window, window_height};
use super::frames::{Frames, measure, now};
use crate::exhibit;
use crate::lang::Lang;
use crate::settings::{State, ThemeName};
use crate::text;
use crate::theme::{ColourMap, Theme};
use gloo_timers::callback::Timeout;
use host::{Host, Setting};
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use wasm_bindgen::prelude::*;
use web_sys::{
    Element, HtmlElement, IntersectionObserver, IntersectionObserverEntry,
    IntersectionObserverInit, ResizeObserver, ResizeObserverEntry,
};

/// Milliseconds of a frame after which the next figure waits for the next frame.
const BUDGET: f64 = 6.0;
/// Sound ends so many milliseconds after the last movement.
const LINGER: u32 = 15_000;
/// The group of the figures that share the settings of the bench.
const BENCH: &str = "bench";

/// What an observer calls with its entries.
type Entries = Closure<dyn FnMut(js_sys::Array)>;

pub struct Gallery {
    hosts: Vec<Weak<RefCell<Host>>>,
    lang: Lang,
    pub theme: &'static Theme,
    pub colours: ColourMap,
    frames: Frames,
    near: Option<(IntersectionObserver, Entries)>,
    sizes: Option<(ResizeObserver, Entries)>,
    hush: Option<Timeout>,
}

thread_local! {
    static GALLERY: RefCell<Option<Gallery>> = const { RefCell::new(None) };
}

/// Runs `act` on the gallery, unless it is at work.
fn with(act: impl FnOnce(&mut Gallery)) {
    GALLERY.with(|gallery| {
        if let Ok(mut gallery) = gallery.try_borrow_mut() {
            act(gallery.get_or_insert_with(Gallery::new));
        }
    });
}

/// Language and theme of all figures.
pub fn dress(lang: Lang, theme: &'static Theme) {
    with(|gallery| {
        if gallery.lang != lang || !std::ptr::eq(gallery.theme, theme) {
            gallery.lang = lang;
            gallery.theme = theme;
            gallery.colours = theme.colour_map();
            gallery.each(|host| host.dirty = true);
            gallery.request(None);
        }
    });
}

/// The bench has changed: figures that share its settings follow.
pub fn follow(state: &State) {
    with(|gallery| {
        // In every frame of the bench: where no figure follows, nothing is made.
        let mut pairs = None;
        let mut any = false;
        gallery.each(|host| {
            if host.group.as_deref() == Some(BENCH) {
                any |= host.follow(pairs.get_or_insert_with(|| app::pairs_of(state)));
            }
        });
        if any {
            gallery.request(None);
        }
    });
}

/// Sets fields of the figure with this id; `bench` is the bench.
pub fn set(id: &str, pairs: &[(&str, &str)]) {
    if id == BENCH {
        let pairs: Vec<_> = pairs
            .iter()
            .map(|(name, text)| (*name, text.to_string()))
            .collect();
        app::apply(&pairs);
        return;
    }
    with(|gallery| {
        gallery.each(|host| {
            if host.element.id() == id {
                host.set_all(pairs);
                host.told = false;
                host.bring = true;
            }
        });
        gallery.request(None);
    });
}

/// Shows settings on the bench and scrolls to it.
fn to_bench(pairs: Vec<(&'static str, String)>) {
    let mut all = vec![("view", "bench".to_string())];
    all.extend(pairs);
    app::apply(&all);
    window().scroll_to_with_x_and_y(0.0, 0.0);
}

/// Puts a text on the clipboard; the button says for a moment whether that worked.
fn copy(text: &str, button: Element, words: &'static str, lang: Lang) {
    let copying = clipboard::copy(text);
    wasm_bindgen_futures::spawn_local(async move {
        let (said, pause) = match copying.await {
            true => (text::COPIED_SHORT, 1500),
            false => (text::COPY_REFUSED, 4000),
        };
        button.set_text_content(Some(said.get(lang)));
        gloo_timers::future::TimeoutFuture::new(pause).await;
        button.set_text_content(Some(words));
    });
}

impl Gallery {
    fn new() -> Gallery {
        let lang = document()
            .document_element()
            .and_then(|root| root.get_attribute("lang"));
        let theme = Theme::named(ThemeName::Light);
        let near = Entries::new(came_near);
        let options = IntersectionObserverInit::new();
        options.set_root_margin("75% 0px");
        let observer =
            IntersectionObserver::new_with_options(near.as_ref().unchecked_ref(), &options);
        let resized = Entries::new(changed_size);
        let sizes = ResizeObserver::new(resized.as_ref().unchecked_ref());
        Gallery {
            hosts: Vec::new(),
            lang: Lang::preferred(lang.as_deref()),
            theme,
            colours: theme.colour_map(),
            frames: Frames::new(|_| frame()),
            near: observer.ok().map(|observer| (observer, near)),
            sizes: sizes.ok().map(|observer| (observer, resized)),
            hush: None,
        }
    }

    /// Every figure on the page that is not at work itself.
    fn each(&mut self, mut act: impl FnMut(&mut Host)) {
        self.hosts.retain(|host| host.strong_count() > 0);
        for host in self.hosts.iter().filter_map(Weak::upgrade) {
            if let Ok(mut host) = host.try_borrow_mut() {
                act(&mut host);
            }
        }
    }

    pub fn request(&self, cause: Option<f64>) {
        self.frames.request(cause);
    }

    /// Draws what is near and has changed, as far as there is time. What changed by hand, for those who share it.
    fn draw(&mut self) -> Vec<Told> {
        let (start, cause) = (now(), self.frames.arrived());
        let (mut drawn, mut again, mut sounds) = (false, false, false);
        let mut told = Vec::new();
        let hosts: Vec<_> = self.hosts.iter().filter_map(Weak::upgrade).collect();
        let first = first_to_arrive(&hosts);
        for host in hosts {
            let Ok(mut host) = host.try_borrow_mut() else {
                continue;
            };
            if !host.told {
                host.told = true;
                told.push(Told {
                    group: host.group.clone(),
                    alone: host.is_alone(),
                    by: host.element.clone(),
                    pairs: host.values.changed(),
                    shared: host
                        .values
                        .fields()
                        .iter()
                        .map(|field| (field.name, host.values.text(field.name)))
                        .collect(),
                });
            }
            if !host.near || !(host.dirty || host.working) {
                continue;
            }
            // One comes after the other, the one in the middle of the window first.
            if host.arrives() && first.as_ref() != Some(&host.element) {
                again = true;
                continue;
            }
            if drawn && now() - start > BUDGET {
                again = true;
                break;
            }
            drawn |= host.frame(Setting {
                lang: self.lang,
                theme: self.theme,
                colours: &self.colours,
                ratio: window().device_pixel_ratio(),
            });
            again |= host.working || host.dirty;
            sounds |= host.sounds();
        }
        if sounds {
            self.hush = Some(Timeout::new(LINGER, || {
                with(|gallery| {
                    gallery.each(Host::hush);
                    gallery.request(None);
                });
            }));
        }
        if drawn {
            measure(cause, start);
        }
        if again {
            self.frames.request(None);
        }
        told
    }
}

/// Of the figures that are coming near, the one nearest to the middle of the window.
fn first_to_arrive(hosts: &[Rc<RefCell<Host>>]) -> Option<HtmlElement> {
    let middle = window_height() / 2.0;
    let mut first: Option<(f64, HtmlElement)> = None;
    for host in hosts {
        let Ok(host) = host.try_borrow() else {
            continue;
        };
        if !(host.near && host.dirty && host.arrives()) {
            continue;
        }
        let bounds = host.element.get_bounding_client_rect();
        let off = (bounds.top().max(0.0).min(bounds.bottom()) - middle).abs();
        if first.as_ref().is_none_or(|(least, _)| off < *least) {
            first = Some((off, host.element.clone()));
        }
    }
    first.map(|(_, element)| element)
}

/// What a figure has to tell those who share its values.
struct Told {
    group: Option<String>,
    alone: bool,
    by: HtmlElement,
    pairs: Vec<(&'static str, String)>,
    shared: Vec<(&'static str, String)>,
}

fn frame() {
    let mut told = Vec::new();
    with(|gallery| told = gallery.draw());
    for Told {
        group,
        alone,
        by,
        pairs,
        shared,
    } in told
    {
        if alone {
            app::figure_changed(pairs);
        }
        match group.as_deref() {
            None => {}
            Some(BENCH) => app::apply(&shared),
            Some(group) => with(|gallery| {
                gallery.each(|host| {
                    if host.element != by && host.group.as_deref() == Some(group) {
                        host.follow(&shared);
                    }
                });
                gallery.request(None);
            }),
        }
    }
}

fn changed_size(entries: js_sys::Array) {
    with(|gallery| {
        for entry in entries.iter() {
            let entry: ResizeObserverEntry = entry.unchecked_into();
            let (element, width) = (entry.target(), entry.content_rect().width());
            gallery.each(|host| {
                if *host.element == element {
                    host.resize(width);
                }
            });
        }
        gallery.request(None);
    });
}

fn came_near(entries: js_sys::Array) {
    with(|gallery| {
        for entry in entries.iter() {
            let entry: IntersectionObserverEntry = entry.unchecked_into();
            let (element, near) = (entry.target(), entry.is_intersecting());
            gallery.each(|host| {
                if *host.element == element {
                    host.near = near;
                    if !near {
                        host.free();
                    }
                }
            });
        }
        gallery.request(None);
    });
}

/// A `<pe-figure>` that is on a page, held by the element's class.
#[wasm_bindgen(skip_typescript)]
pub struct Mounted {
    host: Option<Rc<RefCell<Host>>>,
}

#[wasm_bindgen]
impl Mounted {
    /// Takes the element on: from now on it shows its figure whenever it is near the screen.
    #[wasm_bindgen(constructor)]
    pub fn new(element: HtmlElement) -> Mounted {
        let host = Host::new(element.clone());
        let host = host.map(|host| Rc::new(RefCell::new(host)));
        if let Some(host) = &host {
            let shared = app::pairs();
            let mut this = host.borrow_mut();
            this.me = Rc::downgrade(host);
            if this.group.as_deref() == Some(BENCH) {
                this.follow(&shared);
            }
            drop(this);
            with(|gallery| {
                gallery.hosts.push(Rc::downgrade(host));
                if let Some((observer, _)) = &gallery.near {
                    observer.observe(&element);
                }
                if let Some((observer, _)) = &gallery.sizes {
                    observer.observe(&element);
                }
            });
        }
        Mounted { host }
    }

    /// An attribute of the element has another value.
    pub fn changed(&self, name: &str, value: Option<String>) {
        let Some(host) = &self.host else { return };
        if let Ok(mut host) = host.try_borrow_mut() {
            if name == "group" {
                host.read_group();
            }
            let (name, value) = (name.replace('-', "_"), value.unwrap_or_default());
            host.set_all(&[(&name, &value)]);
        }
        with(|gallery| gallery.request(None));
    }

    /// The element has left the page.
    pub fn left(&self) {
        let Some(host) = &self.host else { return };
        let Ok(mut host) = host.try_borrow_mut() else {
            return;
        };
        host.free();
        with(|gallery| {
            if let Some((observer, _)) = &gallery.near {
                observer.unobserve(&host.element);
            }
            if let Some((observer, _)) = &gallery.sizes {
                observer.unobserve(&host.element);
            }
        });
    }
}

/// The attributes that a `<pe-figure>` listens to: `view`, `group`, and the fields of all exhibits in kebab-case.
#[wasm_bindgen(js_name = figureAttributes, skip_typescript)]
pub fn figure_attributes() -> Vec<String> {
    let mut names = vec!["view".to_string(), "group".to_string()];
    for field in exhibit::all().filter_map(exhibit::fields).flatten() {
        let name = field.name.replace('_', "-");
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
