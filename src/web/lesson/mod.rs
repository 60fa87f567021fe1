//! The figures of the lesson and the lesson around them: one gallery owns what they share – language, theme, frames,
//! and who is near the screen. Only those are built, computed and drawn.

mod anchor;
mod contents;
mod group;
mod host;
mod play;
mod sound;
mod spelling;

pub use contents::{Contents, reveal};

use self::anchor::Anchor;
use super::api::unknown;
use super::dom::{ratio, window, window_height};
use super::frames::{Frames, measure, now};
use super::{app, clipboard, object, picture};
use crate::draw::{ColourMap, Theme};
use crate::export::{self, Dtype, Format, with_family};
use crate::field::{State, ThemeName, ViewName};
use crate::text::{Lang, labels};
use gloo_events::EventListener;
use gloo_timers::{callback::Timeout, future::TimeoutFuture};
use group::Group;
pub use host::{Host, Setting};
use js_sys::{Object, Uint8Array};
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use wasm_bindgen::prelude::*;
use web_sys::{
    Element, HtmlCanvasElement, HtmlElement, IntersectionObserver, IntersectionObserverEntry,
    IntersectionObserverInit, MediaQueryList, ResizeObserver, ResizeObserverEntry,
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
    hush: Option<Timeout>,
    /// The page is being put on paper.
    printing: bool,
    /// The code that computes and draws figures is there; it may be a file of its own.
    whole: bool,
    /// Pixels per CSS pixel when last looked at: a zoom, or another screen, changes them.
    ratio: f64,
    _listeners: [EventListener; 3],
}

thread_local! {
    static GALLERY: RefCell<Option<Gallery>> = const { RefCell::new(None) };
}

/// The lesson stays where the reader has scrolled it while what is above changes its height.
pub fn anchor(bench: &Element) {
    with(|gallery| {
        gallery.anchor = Anchor::new();
        if let Some(anchor) = &gallery.anchor {
            anchor.observe(bench);
            for host in gallery.hosts.iter().filter_map(Weak::upgrade) {
                anchor.observe(&host.borrow().element);
            }
        }
    });
}

/// Runs `act` on the gallery, unless it is at work.
fn with(act: impl FnOnce(&mut Gallery)) {
    GALLERY.with(|gallery| {
        if let Ok(mut gallery) = gallery.try_borrow_mut() {
            act(gallery.get_or_insert_with(Gallery::new));
        }
    });
}

/// Whether nothing holds the figures, or any of them.
pub fn is_well() -> bool {
    GALLERY.with(|gallery| match gallery.try_borrow_mut() {
        Ok(gallery) => {
            let mut hosts = gallery.iter().flat_map(|gallery| &gallery.hosts);
            hosts.all(|host| {
                host.upgrade()
                    .is_none_or(|host| host.try_borrow_mut().is_ok())
            })
        }
        Err(_) => false,
    })
}

/// Language and theme of all figures.
pub fn dress(lang: Lang, theme: Theme) {
    with(|gallery| {
        gallery.bench = true;
        gallery.system = None;
        if gallery.lang != lang || gallery.theme != theme {
            gallery.lang = lang;
            gallery.theme = theme;
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
            if host.is_of(BENCH) {
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
        app::apply_by_hand(&pairs);
        return;
    }
    with(|gallery| {
        gallery.each(|host| {
            if host.element.id() == id {
                host.set_from_outside(pairs);
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
    app::go_to_bench(&all);
}

/// Puts a text on the clipboard, as the button says for a moment; where that is refused, it offers the text to be copied by hand.
fn copy(text: &str, button: Element, words: &'static str, lang: Lang) {
    let copying = clipboard::copy(text);
    let text = text.to_string();
    wasm_bindgen_futures::spawn_local(async move {
        if copying.await {
            button.set_text_content(Some(labels::COPIED_SHORT.get(lang)));
            TimeoutFuture::new(1500).await;
        } else {
            button.set_text_content(Some(labels::COPY_REFUSED.get(lang)));
            let part = button.closest(".figure > *").ok().flatten();
            let place = part.unwrap_or(button.clone());
            clipboard::offer(&text, words, &place).await;
        }
        button.set_text_content(Some(words));
    });
}

fn listener(name: &'static str, act: fn(&mut Gallery)) -> EventListener {
    EventListener::new(&window(), name, move |_| with(act))
}

impl Gallery {
    fn new() -> Gallery {
        let system = window().match_media("(prefers-color-scheme: dark)");
        let system = system.ok().flatten().map(|media| {
            let changed = EventListener::new(&media, "change", |_| {
                with(|gallery| {
                    gallery.theme = gallery.system_theme();
                    gallery.each(|host| host.dirty = true);
                    gallery.request(None);
                });
            });
            (media, changed)
        });
        let near = Entries::new(came_near);
        let options = IntersectionObserverInit::new();
        options.set_root_margin("75% 0px");
        let observer =
            IntersectionObserver::new_with_options(near.as_ref().unchecked_ref(), &options);
        let resized = Entries::new(changed_size);
        let sizes = ResizeObserver::new(resized.as_ref().unchecked_ref());
        let mut gallery = Gallery {
            hosts: Vec::new(),
            lang: app::browser_lang(),
            theme: *Theme::named(ThemeName::Light),
            colours: Vec::new(),
            bench: false,
            system,
            frames: Frames::new(|_| frame()),
            near: observer.ok().map(|observer| (observer, near)),
            sizes: sizes.ok().map(|observer| (observer, resized)),
            anchor: None,
            hush: None,
            printing: false,
            whole: false,
            ratio: ratio(false),
            _listeners: [
                listener("resize", Gallery::rescaled),
                listener("beforeprint", |gallery| gallery.print(true)),
                listener("afterprint", |gallery| gallery.print(false)),
            ],
        };
        gallery.theme = gallery.system_theme();
        gallery
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
    fn setting(&mut self, host: &Host) -> Setting<'_> {
        let theme = self.theme_of(host);
        let known = self
            .colours
            .iter()
            .position(|(name, _)| *name == theme.name);
        let known = known.unwrap_or_else(|| {
            self.colours.push((theme.name, theme.colour_map()));
            self.colours.len() - 1
        });
        Setting {
            lang: self.lang_of(host),
            theme,
            colours: &self.colours[known].1,
            ratio: ratio(self.printing),
            bench: self.bench,
        }
    }

    fn theme_of(&self, host: &Host) -> Theme {
        if self.printing {
            return Theme::made(ThemeName::Light, host.enlarged, host.accent);
        }
        match host.theme {
            None if host.enlarged == 1.0 && host.accent.is_none() => self.theme,
            name => {
                let name = name.unwrap_or(self.theme.name);
                Theme::made(name, host.enlarged, host.accent)
            }
        }
    }

    /// On a page without a bench, the language is that of the text around the figure.
    fn lang_of(&self, host: &Host) -> Lang {
        let around = || {
            let parent = host.element.closest("[lang]").ok().flatten();
            let lang = parent.and_then(|parent| parent.get_attribute("lang"));
            lang.and_then(|lang| Lang::of(&lang))
        };
        let page = || (!self.bench).then(around).flatten();
        host.lang.or_else(page).unwrap_or(self.lang)
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

    fn rescaled(&mut self) {
        let ratio = ratio(false);
        if ratio != std::mem::replace(&mut self.ratio, ratio) {
            self.each(|host| host.dirty = true);
            self.request(None);
        }
    }

    /// On paper all figures are there, wherever the screen is, and light. No frame comes before it is printed on.
    fn print(&mut self, on: bool) {
        self.printing = on;
        let hosts: Vec<_> = self.hosts.iter().filter_map(Weak::upgrade).collect();
        for host in hosts {
            let Ok(mut host) = host.try_borrow_mut() else {
                continue;
            };
            host.dirty = true;
            // What our own page does not show, such as the lesson beside a figure alone, is not printed either.
            let hidden = self.bench && host.element.offset_width() == 0;
            if on && self.whole && !hidden {
                let setting = self.setting(&host);
                host.finish(setting);
            } else if !host.near {
                host.free();
            }
        }
        self.request(None);
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
            host.release_stale_height();
            if !host.told {
                host.told = true;
                told.push(Told {
                    group: host.group.clone(),
                    alone: host.is_alone(),
                    by: host.element.clone(),
                    pairs: host.values.changed(),
                    shared: group::all_of(&host.values),
                });
            }
            if host.play.playing && host.near {
                if host.play.is_due(start) {
                    host.step(1);
                }
                again = true;
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
            if !self.whole {
                host.want();
                continue;
            }
            let setting = self.setting(&host);
            drawn |= host.frame(setting);
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

/// From now on figures can be computed and drawn. Before, nothing that the lesson alone uses may be called.
#[wasm_bindgen(js_name = figuresArrived, skip_typescript)]
pub fn figures_arrived() {
    with(|gallery| {
        if !std::mem::replace(&mut gallery.whole, true) {
            match gallery.printing {
                true => gallery.print(true),
                false => gallery.request(None),
            }
        }
    });
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
    group: Option<Rc<Group>>,
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
        match group {
            None => {}
            Some(group) if group.name == BENCH => app::apply_by_hand(&shared),
            Some(group) => with(|gallery| {
                let values = group.values();
                gallery.each(|host| {
                    if host.element != by && host.is_of(&group.name) {
                        host.follow(&values);
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
                    host.located = true;
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
    host: Rc<RefCell<Host>>,
}

#[wasm_bindgen]
impl Mounted {
    /// Takes the element on: from now on it shows its figure whenever it is near the screen. `listener` is told of
    /// "ready", "change", "error" with words, and "wanted" for `figuresArrived`, and must not call back before its caller has returned.
    /// `kept` is the state that the figure had when it was last on the page.
    #[wasm_bindgen(constructor)]
    pub fn new(
        element: HtmlElement,
        listener: js_sys::Function,
        kept: Option<Object>,
    ) -> Result<Mounted, JsValue> {
        let kept = kept.map(|kept| object::pairs(&kept)).transpose()?;
        let kept = kept.unwrap_or_default();
        let kept: Vec<_> = kept.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        let host = Host::new(element.clone(), listener, &kept);
        let host =
            host.ok_or_else(|| js_sys::Error::new("this element has a closed shadow root"))?;
        let host = Rc::new(RefCell::new(host));
        host.borrow_mut().me = Rc::downgrade(&host);
        with(|gallery| {
            gallery.hosts.push(Rc::downgrade(&host));
            if let Some((observer, _)) = &gallery.near {
                observer.observe(&element);
            }
            if let Some((observer, _)) = &gallery.sizes {
                observer.observe(&element);
            }
            if let Some(anchor) = &gallery.anchor {
                anchor.observe(&element);
            }
        });
        Ok(Mounted { host })
    }

    /// Works on the figure and has it drawn.
    fn on<T>(&self, act: impl FnOnce(&mut Host) -> T) -> Option<T> {
        let done = self.host.try_borrow_mut().map(|mut host| act(&mut host));
        with(|gallery| gallery.request(None));
        done.ok()
    }

    /// An attribute of the element, named as the setting, has another value, or none.
    pub fn changed(&self, name: &str, value: Option<String>) {
        self.on(|host| host.attribute_changed(name, value.as_deref()));
    }

    /// What the page's own style makes of the picture: an accent, `#rrggbb`, and families of fonts.
    pub fn dress(&self, accent: &str, family: &str) {
        self.on(|host| host.dress(accent, family));
    }

    /// The element has left the page.
    pub fn left(&self) {
        let Ok(mut host) = self.host.try_borrow_mut() else {
            return;
        };
        host.play.stop();
        host.free();
        with(|gallery| {
            if let Some((observer, _)) = &gallery.near {
                observer.unobserve(&host.element);
            }
            if let Some((observer, _)) = &gallery.sizes {
                observer.unobserve(&host.element);
            }
            if let Some(anchor) = &gallery.anchor {
                anchor.unobserve(&host.element);
            }
        });
    }

    /// The figure's name and its settings, as an object.
    pub fn state(&self) -> Option<Object> {
        self.on(|host| object::of_values(host.view(), &host.values))
    }

    /// Whether the picture on the screen is that of the settings; true as well where the figure is far from the screen.
    #[wasm_bindgen(getter)]
    pub fn drawn(&self) -> bool {
        let host = self.host.try_borrow();
        host.is_ok_and(|host| host.is_drawn())
    }

    /// Changes settings; those that are not named stay. Throws an Error that names what is no setting of the figure.
    #[wasm_bindgen(js_name = setState)]
    pub fn set_state(&self, changes: &JsValue) -> Result<(), JsValue> {
        let pairs = object::pairs(changes)?;
        self.on(|host| {
            let view = pairs.iter().find(|(name, _)| name == "view");
            let view = view.map_or(Some(host.view()), |(_, name)| ViewName::named(name));
            let fields = view.and_then(crate::figures::fields);
            let Some(fields) = fields else {
                let given = pairs.iter().find(|(name, _)| name == "view");
                let given = given.map_or("", |(_, view)| view.as_str());
                let views = spelling::views().map(ViewName::name);
                let words = "no figure: view must be the name of one";
                return Err(unknown(given, words, views));
            };
            for (name, _) in &pairs {
                if name != "view" && !fields.iter().any(|field| field.name == name) {
                    let names = fields.iter().map(|field| field.name);
                    return Err(unknown(name, "no setting of this figure", names));
                }
            }
            let pairs: Vec<_> = pairs
                .iter()
                .map(|(n, v)| (n.as_str(), v.as_str()))
                .collect();
            host.set_from_outside(&pairs);
            Ok(())
        })
        .unwrap_or(Ok(()))
    }

    /// Says that something failed and that all has been started again.
    #[wasm_bindgen(js_name = sayRestarted)]
    pub fn say_restarted(&self) {
        self.on(|host| host.restarted = true);
    }

    /// The settings that the attributes give.
    pub fn reset(&self) {
        self.on(Host::reset);
    }

    /// Position, step or offset goes on by itself; false for a figure in which nothing does.
    pub fn play(&self) -> bool {
        self.on(|host| {
            let plays = host.values.playable().is_some();
            if plays {
                host.play.start();
            }
            plays
        })
        .unwrap_or_default()
    }

    pub fn pause(&self) {
        self.on(|host| host.play.stop());
    }

    #[wasm_bindgen(getter)]
    pub fn playing(&self) -> bool {
        self.on(|host| host.play.playing).unwrap_or_default()
    }

    /// One step on, or `by` steps; false for a figure in which nothing steps.
    pub fn step(&self, by: i32) -> bool {
        self.on(|host| host.step(i64::from(by))).unwrap_or_default()
    }

    /// The picture as SVG; nothing for a figure without a picture.
    pub fn svg(&self) -> Option<String> {
        let host = self.host.try_borrow().ok()?;
        let mut svg = None;
        with(|gallery| {
            let (lang, theme) = (gallery.lang_of(&host), gallery.theme_of(&host));
            let width = host.picture_width() as u32;
            host.look_at_finished(lang, &mut |shown| {
                svg = picture::svg_of_figure(shown, &theme, width);
            });
            if let (Some(svg), Some(family)) = (&mut svg, &host.family) {
                *svg = with_family(svg, family);
            }
        });
        svg
    }

    /// The table that the figure has made itself, as the bytes of a file; nothing for other figures. `format` is "csv" or
    /// "npy", `dtype` "float32" or "float64".
    pub fn table(&self, format: &str, dtype: &str) -> Option<Uint8Array> {
        let host = self.host.try_borrow().ok()?;
        let (format, dtype) = (Format::named(format)?, Dtype::named(dtype)?);
        let mut made = None;
        host.look_at_finished(Lang::En, &mut |shown| made = shown.table());
        let made = made?;
        Some(export::file_of_made(&made, format, dtype)[..].into())
    }

    /// The picture on a canvas of its own, with so many pixels per CSS pixel; nothing for a figure without a picture.
    pub fn picture(&self, scale: f64) -> Option<HtmlCanvasElement> {
        let host = self.host.try_borrow().ok()?;
        let mut canvas = None;
        with(|gallery| {
            let setting = gallery.setting(&host);
            host.look_at_finished(setting.lang, &mut |shown| {
                canvas = picture::on_canvas(shown, setting, &host, scale);
            });
        });
        canvas
    }
}
