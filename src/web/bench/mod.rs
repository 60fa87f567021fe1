//! The one owner: the state, the page, every listener and the pending frame. Handlers change the
//! state and ask for a frame; drawing happens in the frame.

mod access;
mod arrange;
mod build;
mod canvases;
mod controls;
mod elements;
mod form;
mod gestures;
mod input;
mod notices;
mod own_figure;
mod page_state;
mod popups;
pub mod remote;
mod scrollbar;
mod strip;
mod tabs;
mod tour;

pub use access::*;
pub use canvases::FigureElement;

use crate::draw::{ColourMap, Theme};
use crate::field::{Key, State, ThemeName, ViewName};
use crate::figures::bench::{Model, Transient};
use crate::web::debounce::Debounce;
use crate::web::dom::{browser_lang, document, is_framed, ratio, set_attr, window};
use crate::web::figure::{self, PageLink};
use crate::web::frames::{Frames, measure, now};
use crate::web::page::address::{Address, is_ours};
use crate::web::page::contents::{self, Contents};
use crate::web::playback::Playback;
use elements::{Page, Passing};
use gestures::Drag;
use gloo_events::{EventListener, EventListenerOptions};
use notices::Notices;
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use tabs::ShownPanels;
use tour::Tour;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, Event, EventTarget, HtmlElement, MediaQueryList, ResizeObserver};

struct App {
    page: Page,
    state: State,
    model: Model,
    theme: Theme,
    /// The theme of a presentation and how many times as large it is, instead of the state's.
    stage: Option<(ThemeName, f64)>,
    /// The page is being put on paper.
    printing: bool,
    colours: ColourMap,
    address: Address,
    address_debounce: Debounce,
    notices: Notices,
    playback: Playback,
    frames: Frames,
    /// Everything on the page that has to be written again.
    dirty: bool,
    /// The page may have given the figures other sizes. Asking for them lays the page out, so it
    /// is done only then.
    resized: bool,
    /// Speak the selection when the debounce is due: it was changed by key.
    speak: bool,
    zooming: bool,
    hovered: Option<(usize, usize)>,
    transient: Transient,
    settling: Option<Settling>,
    tour: Option<Tour>,
    edit: Option<Edit>,
    drag: Option<(ViewName, Drag)>,
    /// The drag began on a handle, so that it does not scroll the page.
    gripped: bool,
    before_drag: Option<State>,
    /// When the wheel last zoomed.
    wheeled_at: f64,
    /// Pointers that are down on the heatmap.
    fingers: Vec<(i32, (f64, f64))>,
    dark: Option<MediaQueryList>,
    still: Option<MediaQueryList>,
    wide: Option<MediaQueryList>,
    low: Option<MediaQueryList>,
    /// Those that are shown where there is room for two.
    panels: ShownPanels,
    listeners: Vec<EventListener>,
    sizes: Option<(ResizeObserver, Closure<dyn FnMut()>)>,
    /// The list of chapters, where the page has any.
    contents: Option<Contents>,
    /// Waits for the rest of the page.
    arrival: Option<EventListener>,
    me: Weak<RefCell<App>>,
}

/// A control in use. Each of its values is applied to the state as it was when it was taken up:
/// whoever drags d_model through 1 and back has not lost their pair.
struct Edit {
    key: Key,
    before: State,
    /// It is a box that is being written in.
    typed: bool,
}

/// A hand on its way to a whole position.
struct Settling {
    /// The glides of pos and of k when it was let go.
    from: (f64, f64),
    /// Milliseconds that it takes.
    duration: f64,
    /// The time of its first frame.
    since: Option<f64>,
}

/// Milliseconds that a hand takes which was let go.
const SETTLE: f64 = 160.0;

/// Positions a second, as the bench offers them, and at first.
pub const SPEEDS: [f64; 6] = [0.5, 1.0, 2.0, 5.0, 20.0, 100.0];
const SPEED: f64 = 2.0;

thread_local! {
    static APP: RefCell<Option<Rc<RefCell<App>>>> = const { RefCell::new(None) };
}

/// Builds the bench and draws its first frame at once; `None` where it cannot be drawn. `again` if it takes the place
/// of one that failed: a notice says so, and the page stays where it is.
pub fn mount(root: HtmlElement, again: bool) -> Option<()> {
    let mut address = Address::read();
    address.keep(&root, &address.link().state.clone());
    let state = address.link().state.clone();
    let lang = state.lang().unwrap_or_else(browser_lang);
    let page = Page::build(root, lang)?;
    let model = Model::at_rest(&state, lang);
    let mut notices = Notices::default();
    notices.add(address.link().problems.clone());
    notices.restarted = again;
    let media = |query: &str| window().match_media(query).ok().flatten();
    let app = Rc::new_cyclic(|me: &Weak<RefCell<App>>| {
        let frame_of = me.clone();
        RefCell::new(App {
            page,
            state,
            model,
            theme: *Theme::named(ThemeName::Light),
            stage: None,
            printing: false,
            colours: Theme::named(ThemeName::Light).colour_map(),
            address,
            address_debounce: Debounce::default(),
            notices,
            playback: Playback::new(SPEED),
            frames: Frames::new(move |time| with(&frame_of, |app| app.frame(time))),
            dirty: true,
            resized: true,
            speak: false,
            zooming: false,
            hovered: None,
            transient: Transient::default(),
            settling: None,
            tour: None,
            edit: None,
            drag: None,
            gripped: false,
            before_drag: None,
            wheeled_at: f64::MIN,
            fingers: Vec::new(),
            dark: media("(prefers-color-scheme: dark)"),
            still: media("(prefers-reduced-motion: reduce)"),
            wide: media(tabs::WIDE),
            low: media(tabs::LOW),
            panels: ShownPanels::default(),
            listeners: Vec::new(),
            sizes: None,
            contents: None,
            arrival: None,
            me: me.clone(),
        })
    });
    {
        let mut app = app.borrow_mut();
        app.listen();
        // Whoever comes with settings, or sees a part of another page, is shown what they came for.
        if !again
            && !is_framed()
            && app.address.link().pairs().is_empty()
            && app.address.place().is_none()
        {
            app.tour = Some(Tour::new(&app.state));
        }
        app.apply_page_settings();
        app.frame(now());
        let link = app.address.of(&app.state);
        let app = &mut *app;
        app.page.settle(&app.model, &link);
    }
    // After a reload, and after Back from another page, the browser scrolls to where the reader was.
    let reveals = !again && !is_ours();
    APP.set(Some(app));
    figure::attach(PageLink {
        values: pairs,
        set: apply_with_locks,
        go_to_bench: |pairs| go_to_bench(&pairs),
        figure_changed,
    });
    document()
        .document_element()
        .map(|root| set_attr(&root, "data-posenc", "ready"))?;
    // The bench is on the screen; the lesson may still be on its way.
    if document().ready_state() == "loading" {
        let arrives = move |_: &Event| read_lesson(reveals);
        let arrival = EventListener::once(&document(), "DOMContentLoaded", arrives);
        with_app(|app| app.arrival = Some(arrival));
    } else {
        read_lesson(reveals);
    }
    Some(())
}

/// The whole page is there: lists the chapters and, if it is to be revealed, scrolls to the place that the address names.
fn read_lesson(reveals: bool) {
    with_app(|app| {
        app.contents = Some(Contents::new(contents::Actions {
            visit,
            left,
            set: press,
        }));
        app.page.list(&contents::chapters());
        figure::anchor(app.page.root());
        app.go_to_place(reveals);
    });
}

/// Runs `act` on the app if it is there and not at work: an event that our own writing causes is
/// no news.
fn with(app: &Weak<RefCell<App>>, act: impl FnOnce(&mut App)) {
    if let Some(app) = app.upgrade()
        && let Ok(mut app) = app.try_borrow_mut()
    {
        act(&mut app);
    }
}

/// How the bench is shown, not what: a reset leaves it.
const PAGE_SETTINGS: [Key; 5] = [Key::View, Key::Lang, Key::Theme, Key::Hide, Key::Lock];

/// The settings that reach beyond the next frame.
fn affects_page(key: Key) -> bool {
    key == Key::Encoding || PAGE_SETTINGS.contains(&key)
}

/// Tells the page: `posenc:input` in every frame that shows another state, `posenc:change` when the debounce is due.
fn announce(name: &'static str) {
    // Whoever hears of it may ask for the state, so the bench must be at rest.
    spawn_local(async move {
        if let Ok(event) = Event::new(name) {
            // Dispatching a fresh event does not fail.
            let _ = document().dispatch_event(&event);
        }
    });
}

fn element_of(event: &Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

impl App {
    // Listening.

    fn listen(&mut self) {
        self.listeners.clear();
        let root = self.page.root().clone();
        self.on_input(&root, "input", |app, event| app.input(event, false));
        self.on_input(&root, "change", |app, event| app.input(event, true));
        self.on_input(&root, "click", App::click);
        self.on_input(&root, "keydown", App::keydown);
        self.on_input(&root, "pointerdown", App::pointerdown);
        self.on_input(&root, "pointermove", App::pointermove);
        self.on_input(&root, "pointerup", App::pointerup);
        self.on_input(&root, "pointercancel", App::pointercancel);
        self.on_input(&root, "wheel", App::wheel);
        self.on(&root, "submit", |_, event| event.prevent_default());
        self.on(&root, "pointerleave", App::pointerleave);
        self.on(&root, "touchstart", App::touchstart);
        self.on(&root, "focusout", |app, _| app.edit = None);
        self.on(&root, "focusin", |app, event| app.close_others(event));
        let window = window();
        // Back and Forward: the page is as high as it was before the browser scrolls to where the reader was.
        self.on(&window, "popstate", |app, _| app.read_address());
        self.on(&window, "hashchange", |app, _| app.read_address());
        self.on(&window, "resize", |app, _| app.resize());
        self.on(&window, "beforeprint", |app, _| app.print(true));
        self.on(&window, "afterprint", |app, _| app.print(false));
        // Whoever reloads in the middle of a drag finds what they left.
        self.on(&window, "pagehide", |app, _| app.address.write(&app.state));
        self.on(&document(), "visibilitychange", |app, event| {
            if document().hidden() {
                app.stop();
                app.redraw(event);
            }
        });
        for media in [&self.dark, &self.still, &self.wide, &self.low]
            .into_iter()
            .flatten()
            .cloned()
            .collect::<Vec<_>>()
        {
            self.on(&media, "change", |app, event| {
                app.apply_page_settings();
                app.redraw(event);
            });
        }
        self.observe_sizes();
    }

    /// Takes a plain function: one closure serves all events.
    #[inline(never)]
    fn on(&mut self, target: &EventTarget, name: &'static str, act: fn(&mut App, &Event)) {
        self.add_listener(target, name, act);
    }

    /// What only looks goes through [`App::on`].
    #[inline(never)]
    fn on_input(&mut self, target: &EventTarget, name: &'static str, act: fn(&mut App, &Event)) {
        self.add_listener(target, name, move |app, event| {
            app.with_locks(|app| act(app, event));
            if app.state != app.model.state {
                app.address.leave();
            }
        });
    }

    fn add_listener(
        &mut self,
        target: &EventTarget,
        name: &'static str,
        act: impl Fn(&mut App, &Event) + 'static,
    ) {
        let me = self.me.clone();
        let options = EventListenerOptions::enable_prevent_default();
        let listener = EventListener::new_with_options(target, name, options, move |event| {
            with(&me, |app| act(app, event))
        });
        self.listeners.push(listener);
    }

    /// Runs `act` for a reader and reverts locked settings afterwards.
    fn with_locks(&mut self, act: impl FnOnce(&mut App)) {
        if self.state.lock().is_empty() {
            return act(self);
        }
        let before = self.state.clone();
        act(self);
        let settled = self.state.clone();
        self.state.hold(&before);
        if self.state == settled {
            return;
        }
        // They may show what was tried.
        for control in &mut self.page.controls {
            control.forget();
        }
        let changed = |key| self.state.text(key) != settled.text(key);
        let mut keys = Key::ALL.iter();
        if keys.any(|&key| affects_page(key) && changed(key)) {
            self.apply_page_settings();
        }
    }

    fn observe_sizes(&mut self) {
        if let Some((observer, _)) = self.sizes.take() {
            observer.disconnect();
        }
        let me = self.me.clone();
        let callback = Closure::<dyn FnMut()>::new(move || with(&me, App::resize));
        // Without it the figures keep the size they were built with.
        if let Ok(observer) = ResizeObserver::new(callback.as_ref().unchecked_ref()) {
            for figure in &self.page.figures {
                observer.observe(&figure.stage);
            }
            self.sizes = Some((observer, callback));
        }
    }

    /// In the order of their declaration, so that limits are known before what they limit.
    fn apply(&mut self, pairs: &[(&str, String)]) {
        self.stop();
        self.edit = None;
        for &key in Key::ALL {
            for (_, text) in pairs.iter().filter(|(name, _)| *name == key.name()) {
                let problem = self.state.apply(key, text);
                self.notices.resolve(key.name());
                self.notices.add(problem);
            }
        }
        let affects_page = |(name, _): &(&str, _)| Key::named(name).is_some_and(affects_page);
        if pairs.iter().any(affects_page) {
            self.apply_page_settings();
        }
        self.notices.show(&self.page.notices, self.page.lang());
        self.request(None);
    }

    // Frames.

    fn request(&mut self, cause: Option<f64>) {
        self.dirty = true;
        self.frames.request(cause);
    }

    fn resize(&mut self) {
        self.resized = true;
        self.frames.request(None);
    }

    /// A frame has something to do.
    fn is_waiting(&self) -> bool {
        self.dirty || self.resized
    }

    /// Does at once what would be done in the next frame.
    fn draw_now(&mut self) {
        if self.is_waiting() {
            self.frame(now());
        }
    }

    fn redraw(&mut self, event: &Event) {
        self.request(Some(event.time_stamp()));
    }

    fn frame(&mut self, time: f64) {
        let cause = self.frames.arrived();
        let start = now();
        if self.playback.playing {
            let next = self.state.pos() as i64 + self.playback.advance(time);
            // Beyond the last position it begins again.
            self.state
                .set_pos(next.rem_euclid(self.state.max_len() as i64));
            self.dirty = true;
        }
        let moves = self.go_on_settling(time) | self.follow_tour(time);
        let changed = std::mem::take(&mut self.dirty) | moves;
        self.arrange_tour();
        // Pictures are as large as the words leave them room.
        if changed {
            self.compute_and_write();
        }
        let ratio = ratio(self.printing);
        let fitted = std::mem::take(&mut self.resized) && self.page.fit(ratio);
        if changed || fitted {
            self.page.draw(&self.model, &self.theme, &self.colours);
        }
        if changed {
            let wake = self.wake();
            self.address_debounce.changed(wake);
            measure(cause, start);
        }
        if self.playback.playing || moves {
            self.frames.request(None);
        }
    }

    /// A hand that was let go between two positions goes to the one that is selected.
    fn settle(&mut self, duration: f64) {
        let still = self.is_still();
        let from = (self.transient.glide, self.transient.offset_glide);
        self.settling = (!still && from != (0.0, 0.0)).then_some(Settling {
            from,
            duration,
            since: None,
        });
        if self.settling.is_none() {
            (self.transient.glide, self.transient.offset_glide) = (0.0, 0.0);
        }
    }

    /// Moves it on; true while it is not there.
    fn go_on_settling(&mut self, time: f64) -> bool {
        let Some(settling) = &mut self.settling else {
            return false;
        };
        let since = *settling.since.get_or_insert(time);
        let left = (1.0 - (time - since) / settling.duration).clamp(0.0, 1.0);
        // Ease-out.
        let left = left * left;
        let (glide, offset_glide) = settling.from;
        self.transient.glide = left * glide;
        self.transient.offset_glide = left * offset_glide;
        self.dirty = true;
        if left == 0.0 {
            self.settling = None;
        }
        self.settling.is_some()
    }

    /// The reader wants less motion.
    fn is_still(&self) -> bool {
        self.still.as_ref().is_some_and(MediaQueryList::matches)
    }

    fn is_dragging_hand(&self) -> bool {
        matches!(self.drag, Some((_, Drag::Hand(_))))
    }

    /// Leaves the state with the page, where it is found if this frame is the last.
    fn keep(&mut self) {
        self.address.keep(self.page.root(), &self.state);
    }

    fn compute_and_write(&mut self) {
        if self.state != self.model.state {
            self.keep();
            announce("posenc:input");
        }
        let still = self.is_still();
        let at_the_end = self.state.pos() + 1 == self.state.max_len();
        let mut transient = self.transient;
        if self.playback.playing {
            transient.glide = match still || at_the_end {
                true => 0.0,
                false => self.playback.progress(),
            };
        }
        let lang = self.page.lang();
        self.model = Model::compute(&self.state, lang, transient, Some(&self.model));
        let passing = Passing {
            playing: self.playback.playing,
            zooming: self.zooming,
            hovered: self
                .hovered
                .filter(|&(p, d)| p < self.state.max_len() && d < self.state.d_model()),
            editing: self
                .edit
                .as_ref()
                .filter(|edit| edit.typed)
                .map(|edit| edit.key),
        };
        self.page.write(&self.model, &passing);
        self.write_tour();
        figure::follow(|| pairs_of(&self.state));
    }

    fn wake(&self) -> impl FnOnce() + 'static {
        let me = self.me.clone();
        move || with(&me, App::flush)
    }

    /// What nobody follows at the speed of frames: the address, the link, the descriptions, the voice.
    /// Browsers take milliseconds over an address.
    fn flush(&mut self) {
        let wake = self.wake();
        if self.address_debounce.is_due(wake) {
            self.address.write(&self.state);
            self.page.settle(&self.model, &self.address.of(&self.state));
            if std::mem::take(&mut self.speak) {
                self.page.speak(&self.model);
            }
            announce("posenc:change");
        }
    }

    fn start(&mut self) {
        if !self.state.locks_control("play") {
            self.playback.start();
        }
    }

    fn stop(&mut self) {
        // It stops on the nearest position.
        if self.playback.playing && self.playback.stop() >= 0.5 {
            self.state.set_pos(self.state.pos() as i64 + 1);
        }
    }
}
