//! The one owner: the state, the page, every listener and the pending frame. Handlers change the
//! state and ask for a frame; drawing happens in the frame.

mod form;
mod hands;

use super::address::{Address, is_ours};
use super::dom::{change_attr, document, ratio, set_attr, window};
use super::frames::{Frames, measure, now};
use super::lesson::{self, Contents};
use super::notices::Notices;
use super::page::{Page, Passing};
use super::picture;
use super::player::Player;
use super::pointer::Drag;
use super::quiet::Quiet;
use crate::draw::{ColourMap, Theme};
use crate::field::{Key, SETTINGS, State, ThemeName, ViewName};
use crate::figures::bench::model::Model;
use crate::figures::bench::view::BenchFigure;
use crate::text::Lang;
use gloo_events::{EventListener, EventListenerOptions};
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::{
    Element, Event, EventTarget, HtmlCanvasElement, HtmlElement, MediaQueryList, ResizeObserver,
};

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
    quiet: Quiet,
    notices: Notices,
    player: Player,
    frames: Frames,
    /// Everything on the page that has to be written again.
    stale: bool,
    /// The page may have given the figures other sizes. Asking for them lays the page out, so it
    /// is done only then.
    resized: bool,
    /// Speak the selection once things are quiet: it was changed by key.
    speak: bool,
    zooming: bool,
    hovered: Option<(usize, usize)>,
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
    let model = Model::compute(&state, lang, 0.0, None);
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
            quiet: Quiet::default(),
            notices,
            player: Player::default(),
            frames: Frames::new(move |time| with(&frame_of, |app| app.frame(time))),
            stale: true,
            resized: true,
            speak: false,
            zooming: false,
            hovered: None,
            edit: None,
            drag: None,
            gripped: false,
            before_drag: None,
            wheeled_at: f64::MIN,
            fingers: Vec::new(),
            dark: media("(prefers-color-scheme: dark)"),
            still: media("(prefers-reduced-motion: reduce)"),
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
        app.settle_page();
        app.frame(now());
        let link = app.address.of(&app.state);
        let app = &mut *app;
        app.page.settle(&app.model, &link);
    }
    // After a reload, and after Back from another page, the browser scrolls to where the reader was.
    let reveals = !again && !is_ours();
    APP.set(Some(app));
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
        app.contents = Some(Contents::new());
        lesson::anchor(app.page.root());
        app.arrive(reveals);
    });
}

/// Whether nothing holds the bench.
pub fn is_well() -> bool {
    APP.with(|app| match app.try_borrow_mut() {
        Ok(app) => app.as_ref().is_none_or(|app| app.try_borrow_mut().is_ok()),
        Err(_) => false,
    })
}

fn with_app(act: impl FnOnce(&mut App)) {
    let app = APP.with_borrow(|app| app.as_ref().map(Rc::downgrade));
    if let Some(app) = app {
        with(&app, act);
    }
}

/// The settings of the bench, by name.
pub fn pairs_of(state: &State) -> Vec<(&'static str, String)> {
    SETTINGS
        .iter()
        .map(|setting| (setting.name, state.text(setting.key)))
        .collect()
}

/// The settings of the bench as they are now; none where the page has no bench.
pub fn pairs() -> Vec<(&'static str, String)> {
    let mut pairs = Vec::new();
    with_app(|app| pairs = pairs_of(&app.state));
    pairs
}

/// Sets settings of the bench by name.
pub fn apply(pairs: &[(&str, String)]) {
    with_app(|app| app.apply(pairs));
}

/// The same for a hand on another part of the page.
pub fn apply_by_hand(pairs: &[(&str, String)]) {
    with_app(|app| app.by_hand(|app| app.apply(pairs)));
}

/// The reader goes to the bench, which is given these settings: Back leads to where they are now.
pub fn go_to_bench(pairs: &[(&str, String)]) {
    with_app(|app| {
        app.address.write(&app.state);
        app.by_hand(|app| app.apply(pairs));
        app.address.leave();
        app.keep();
        let scrolled = window().scroll_y().is_ok_and(|y| y > 0.0);
        if scrolled || !app.address.says(&app.state) {
            app.address.push(&app.state);
        }
    });
    window().scroll_to_with_x_and_y(0.0, 0.0);
}

/// What `read` finds in the state; nothing where the page has no bench.
pub fn read<T>(read: impl FnOnce(&State) -> T) -> Option<T> {
    let mut found = None;
    with_app(|app| found = Some(read(&app.state)));
    found
}

pub fn reset() {
    with_app(|app| {
        app.by_hand(App::reset);
        app.request(None);
    });
}

pub fn play(on: bool) {
    with_app(|app| {
        match on {
            true => app.start(),
            false => app.stop(),
        }
        app.request(None);
    });
}

/// Moves pos by so many steps, from the last to the first.
pub fn step(by: i64) {
    with_app(|app| {
        app.stop();
        let length = app.state.max_len() as i64;
        let pos = (app.state.pos() as i64 + by % length).rem_euclid(length);
        app.by_hand(|app| app.state.set_pos(pos));
        app.request(None);
    });
}

/// Shows the page in a theme of its own, so many times as large; nothing goes back to the state's. The scale of type.
pub fn stage(stage: Option<(ThemeName, f64)>) -> Option<f64> {
    let mut scale = None;
    with_app(|app| {
        app.stage = stage;
        app.settle_page();
        app.request(None);
        scale = Some(app.theme.scale);
    });
    scale
}

/// Says something in the address that is no setting, or takes it out.
pub fn note(name: &str, value: Option<&str>) {
    with_app(|app| {
        app.address.note(name, value);
        app.keep();
        app.address.write(&app.state);
        let link = app.address.of(&app.state);
        app.page.settle(&app.model, &link);
    });
}

pub fn link() -> Option<String> {
    let mut link = None;
    with_app(|app| link = Some(app.address.of(&app.state)));
    link
}

/// One of the bench's figures as SVG, in the size that it has; `None` if it is not shown.
pub fn svg(view: ViewName) -> Option<String> {
    let mut svg = None;
    with_app(|app| {
        app.draw_now();
        let shown = app.page.figures.iter();
        let mut shown = shown.filter(|figure| figure.figure.name() == view);
        let fresh = BenchFigure::all()
            .into_iter()
            .find(|fresh| fresh.name() == view);
        if let (Some(shown), Some(mut fresh)) = (shown.next(), fresh) {
            let size = shown.size();
            svg = (size.0 > 0 && size.1 > 0)
                .then(|| picture::svg_of_bench(&mut fresh, &app.model, app.theme.name, size));
        }
    });
    svg
}

/// One of the bench's figures with so many pixels per CSS pixel; `None` if it is not shown.
pub fn picture(view: ViewName, scale: f64) -> Option<HtmlCanvasElement> {
    let mut canvas = None;
    with_app(|app| {
        app.draw_now();
        let figure = app.page.figures.iter_mut();
        let mut found = figure.filter(|figure| figure.figure.name() == view);
        if let Some(figure) = found.next() {
            canvas = picture::of_figure(figure, &app.model, &app.theme, &app.colours, scale);
        }
    });
    canvas
}

/// Whether the bench on the screen is that of the state; true where the page has none.
pub fn is_drawn() -> bool {
    let mut drawn = true;
    with_app(|app| drawn = !app.is_waiting());
    drawn
}

/// The figure that the page shows alone has other values.
pub fn figure_changed(changed: Vec<(&'static str, String)>) {
    with_app(|app| {
        app.address.figure_changed(app.state.view(), changed);
        app.keep();
        let wake = app.wake();
        app.quiet.changed(wake);
    });
}

/// Scrolls to a chapter or a figure and has the address say so.
pub fn visit(place: &str) {
    with_app(|app| app.visit(place));
}

/// The place that the address names is no longer on the screen.
pub fn left() {
    with_app(|app| {
        if app.address.leave() {
            app.keep();
            app.address.write(&app.state);
        }
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

pub fn browser_lang() -> Lang {
    let tags: Vec<String> = window()
        .navigator()
        .languages()
        .iter()
        .filter_map(|tag| tag.as_string())
        .collect();
    Lang::preferred(tags.iter().map(String::as_str))
}

/// How the bench is shown, not what: a reset leaves it.
const DRESS: [Key; 5] = [Key::View, Key::Lang, Key::Theme, Key::Hide, Key::Lock];

/// The settings that reach beyond the next frame.
fn settles(key: Key) -> bool {
    key == Key::Encoding || DRESS.contains(&key)
}

/// Tells the page: `posenc:input` in every frame that shows another state, `posenc:change` once things are quiet.
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
        self.on_hand(&root, "input", |app, event| app.input(event, false));
        self.on_hand(&root, "change", |app, event| app.input(event, true));
        self.on_hand(&root, "click", App::click);
        self.on_hand(&root, "keydown", App::keydown);
        self.on_hand(&root, "pointerdown", App::pointerdown);
        self.on_hand(&root, "pointermove", App::pointermove);
        self.on_hand(&root, "pointerup", App::pointerup);
        self.on_hand(&root, "pointercancel", App::pointercancel);
        self.on_hand(&root, "wheel", App::wheel);
        self.on(&root, "submit", |_, event| event.prevent_default());
        self.on(&root, "pointerleave", App::pointerleave);
        self.on(&root, "touchstart", App::touchstart);
        self.on(&root, "focusout", |app, _| app.edit = None);
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
        for media in [&self.dark, &self.still]
            .into_iter()
            .flatten()
            .cloned()
            .collect::<Vec<_>>()
        {
            self.on(&media, "change", |app, event| {
                app.settle_page();
                app.redraw(event);
            });
        }
        self.observe_sizes();
    }

    /// Takes a plain function: one closure serves all events.
    #[inline(never)]
    fn on(&mut self, target: &EventTarget, name: &'static str, act: fn(&mut App, &Event)) {
        self.hear(target, name, act);
    }

    /// What only looks goes through [`App::on`].
    #[inline(never)]
    fn on_hand(&mut self, target: &EventTarget, name: &'static str, act: fn(&mut App, &Event)) {
        self.hear(target, name, move |app, event| {
            app.by_hand(|app| act(app, event));
            if app.state != app.model.state {
                app.address.leave();
            }
        });
    }

    fn hear(
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

    /// Whatever a hand did, what is locked is as it was.
    fn by_hand(&mut self, act: impl FnOnce(&mut App)) {
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
        if SETTINGS.iter().any(|s| settles(s.key) && changed(s.key)) {
            self.settle_page();
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

    /// In the order of the schema, so that limits are known before what they limit.
    fn apply(&mut self, pairs: &[(&str, String)]) {
        self.stop();
        self.edit = None;
        for setting in SETTINGS {
            for (_, text) in pairs.iter().filter(|(name, _)| *name == setting.name) {
                let problem = self.state.apply(setting.key, text);
                self.notices.put_right(setting.name);
                self.notices.add(problem);
            }
        }
        let settles = |(name, _): &(&str, _)| Key::named(name).is_some_and(settles);
        if pairs.iter().any(settles) {
            self.settle_page();
        }
        self.notices.show(&self.page.notices, self.page.lang());
        self.request(None);
    }

    // Frames.

    fn request(&mut self, cause: Option<f64>) {
        self.stale = true;
        self.frames.request(cause);
    }

    fn resize(&mut self) {
        self.resized = true;
        self.frames.request(None);
    }

    /// Paper is light, and no frame comes before it is printed on.
    fn print(&mut self, on: bool) {
        self.stop();
        self.printing = on;
        self.settle_page();
        if on {
            self.page.put_on_paper(&self.state);
        }
        self.stale = true;
        self.frame(now());
    }

    /// A frame has something to do.
    fn is_waiting(&self) -> bool {
        self.stale || self.resized
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
        if std::mem::take(&mut self.resized) {
            let ratio = ratio(self.printing);
            for figure in &mut self.page.figures {
                self.stale |= figure.fit(ratio);
            }
        }
        if self.player.playing {
            self.player.advance(&mut self.state, time);
            self.stale = true;
        }
        if self.stale {
            self.stale = false;
            self.compute_and_draw();
            let wake = self.wake();
            self.quiet.changed(wake);
            measure(cause, start);
        }
        if self.player.playing {
            self.frames.request(None);
        }
    }

    /// Scrolls to a chapter or a figure and has the address say so; Back leads to where the reader is now.
    fn visit(&mut self, place: &str) {
        if document().get_element_by_id(place).is_none() {
            return;
        }
        self.edit = None;
        self.address.write(&self.state);
        self.address.visit(place);
        self.keep();
        if !self.address.says(&self.state) {
            // Before the page scrolls: the browser notes for the entry that is left how far it was scrolled.
            self.address.push(&self.state);
        }
        self.arrive(true);
    }

    /// The address may name a place: it is scrolled to, if it is to be revealed, and named until the reader leaves it.
    fn arrive(&mut self, reveals: bool) {
        let Some(place) = self.address.place() else {
            return;
        };
        if reveals {
            lesson::reveal(&place);
        }
        if let Some(contents) = &self.contents {
            contents.watch(&place);
        }
    }

    /// Leaves the state with the page, where it is found if this frame is the last.
    fn keep(&mut self) {
        self.address.keep(self.page.root(), &self.state);
    }

    fn compute_and_draw(&mut self) {
        if self.state != self.model.state {
            self.keep();
            announce("posenc:input");
        }
        let still = self.still.as_ref().is_some_and(MediaQueryList::matches);
        let glide = self.player.glide(&self.state, still);
        self.model = Model::compute(&self.state, self.page.lang(), glide, Some(&self.model));
        self.page.draw(&self.model, &self.theme, &self.colours);
        let passing = Passing {
            playing: self.player.playing,
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
        self.page
            .write(&self.model, &self.theme, &self.colours, &passing);
        lesson::follow(&self.state);
    }

    fn wake(&self) -> impl FnOnce() + 'static {
        let me = self.me.clone();
        move || with(&me, App::settle)
    }

    /// What nobody follows at the speed of frames: the address, the link, the descriptions, the voice.
    /// Browsers take milliseconds over an address.
    fn settle(&mut self) {
        let wake = self.wake();
        if self.quiet.is_due(wake) {
            self.address.write(&self.state);
            self.page.settle(&self.model, &self.address.of(&self.state));
            if std::mem::take(&mut self.speak) {
                self.page.speak(&self.model);
            }
            announce("posenc:change");
        }
    }

    // What reaches beyond the next frame.

    /// Everything that follows from the state but is not drawn: language, theme, what is hidden.
    fn settle_page(&mut self) {
        let view = self.state.view();
        if let Some(fields) = crate::figures::fields(view).filter(|_| !view.is_of_bench()) {
            let owns = |name: &str| fields.iter().any(|field| field.name == name);
            self.notices.add(self.state.keep_names(owns));
        }
        let lang = self.state.lang().unwrap_or_else(browser_lang);
        if lang != self.page.lang() {
            self.rebuild(lang);
        }
        let dark = self.dark.as_ref().is_some_and(MediaQueryList::matches);
        let system = if dark {
            ThemeName::Dark
        } else {
            ThemeName::Light
        };
        let theme = self.state.theme().unwrap_or(system);
        let paper = self.printing.then_some((ThemeName::Light, 1.0));
        let stage = paper.or(self.stage);
        let (theme, times) = stage.unwrap_or((theme, 1.0));
        self.theme = Theme::made(theme, times, None);
        self.colours = self.theme.colour_map();
        if let Some(root) = document().document_element() {
            change_attr(&root, "lang", lang.tag());
            match stage.map(|_| theme).or(self.state.theme()) {
                // Removing an attribute does not fail.
                None => drop(root.remove_attribute("data-theme")),
                Some(name) => change_attr(&root, "data-theme", name.name()),
            }
        }
        lesson::dress(lang, self.theme);
        self.page.arrange(&self.state);
        self.page
            .show_alone(&self.state, self.address.link().pairs());
        self.resized = true;
        self.page.set_speed(self.player.speed);
        self.notices.show(&self.page.notices, lang);
    }

    /// Builds the page again in another language; what had the focus has it again.
    fn rebuild(&mut self, lang: Lang) {
        let focused = document()
            .active_element()
            .and_then(|element| element.get_attribute("name"));
        if let Some(page) = Page::build(self.page.root().clone(), lang) {
            page.adopt_figure(&self.page);
            self.page = page;
            self.resized = true;
            self.observe_sizes();
            let again = focused.and_then(|name| {
                let selector = format!("select[name={name}], input[name={name}]");
                self.page.root().query_selector(&selector).ok().flatten()
            });
            if let Some(element) = again.and_then(|element| element.dyn_into::<HtmlElement>().ok())
            {
                let _ = element.focus();
            }
        }
    }

    fn read_address(&mut self) {
        if !self.address.is_news() {
            return;
        }
        self.stop();
        self.address = Address::read();
        self.state = self.address.link().state.clone();
        self.notices = Notices::default();
        self.notices.add(self.address.link().problems.clone());
        self.edit = None;
        self.keep();
        self.settle_page();
        self.arrive(!is_ours());
        self.request(None);
    }

    fn start(&mut self) {
        if !self.state.locks_control("play") {
            self.player.start();
        }
    }

    fn stop(&mut self) {
        if self.player.playing {
            self.player.stop(&mut self.state);
        }
    }
}
