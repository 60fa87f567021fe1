//! The one owner: the state, the page, every listener and the pending frame. Handlers change the
//! state and ask for a frame; drawing happens in the frame.

use super::address::Address;
use super::controls::slider_text;
use super::dom::{document, set_attr, window};
use super::frames::{Frames, measure, now};
use super::notices::Notices;
use super::page::{Page, Passing};
use super::player::Player;
use super::pointer::{self, Drag};
use crate::lang::Lang;
use crate::model::Model;
use crate::settings::{Key, State, ThemeName, ViewName};
use crate::theme::{ColourMap, Theme};
use crate::view::Target;
use gloo_events::{EventListener, EventListenerOptions};
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use wasm_bindgen::prelude::*;
use web_sys::{
    Element, Event, EventTarget, HtmlElement, HtmlInputElement, HtmlSelectElement, KeyboardEvent,
    MediaQueryList, PointerEvent, ResizeObserver, WheelEvent,
};

struct App {
    page: Page,
    state: State,
    model: Model,
    theme: &'static Theme,
    colours: ColourMap,
    address: Address,
    notices: Notices,
    player: Player,
    frames: Frames,
    /// Everything on the page that has to be written again.
    stale: bool,
    /// The page may have given the figures other sizes. Asking for them lays the page out, so it
    /// is done only then.
    resized: bool,
    /// Speak the selection after the next frame: it was changed by key.
    speak: bool,
    zooming: bool,
    hovered: Option<(usize, usize)>,
    edit: Option<Edit>,
    drag: Option<(ViewName, Drag)>,
    /// Pointers that are down on the heatmap.
    fingers: Vec<(i32, (f64, f64))>,
    dark: Option<MediaQueryList>,
    still: Option<MediaQueryList>,
    listeners: Vec<EventListener>,
    sizes: Option<(ResizeObserver, Closure<dyn FnMut()>)>,
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

/// Builds the bench and draws its first frame at once; `None` where it cannot be drawn.
pub fn mount(root: HtmlElement) -> Option<()> {
    let address = Address::read();
    let state = address.link().state.clone();
    let lang = state.lang().unwrap_or_else(browser_lang);
    let page = Page::build(root, lang)?;
    let model = Model::compute(&state, lang, 0.0, None);
    let mut notices = Notices::default();
    notices.add(address.link().problems.clone());
    let media = |query: &str| window().match_media(query).ok().flatten();
    let app = Rc::new_cyclic(|me: &Weak<RefCell<App>>| {
        let frame_of = me.clone();
        RefCell::new(App {
            page,
            state,
            model,
            theme: Theme::named(ThemeName::Light),
            colours: Theme::named(ThemeName::Light).colour_map(),
            address,
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
            fingers: Vec::new(),
            dark: media("(prefers-color-scheme: dark)"),
            still: media("(prefers-reduced-motion: reduce)"),
            listeners: Vec::new(),
            sizes: None,
            me: me.clone(),
        })
    });
    {
        let mut app = app.borrow_mut();
        app.listen();
        app.settle_page();
        app.frame(now());
    }
    APP.set(Some(app));
    document()
        .document_element()
        .map(|root| set_attr(&root, "data-posenc", "ready"))
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

fn browser_lang() -> Lang {
    let tags: Vec<String> = window()
        .navigator()
        .languages()
        .iter()
        .filter_map(|tag| tag.as_string())
        .collect();
    Lang::preferred(tags.iter().map(String::as_str))
}

fn element_of(event: &Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

impl App {
    // Listening.

    fn listen(&mut self) {
        self.listeners.clear();
        let root = self.page.root().clone();
        self.on(&root, "input", |app, event| app.input(event, false));
        self.on(&root, "change", |app, event| app.input(event, true));
        self.on(&root, "click", App::click);
        self.on(&root, "submit", |_, event| event.prevent_default());
        self.on(&root, "keydown", App::keydown);
        self.on(&root, "pointerdown", App::pointerdown);
        self.on(&root, "pointermove", App::pointermove);
        self.on(&root, "pointerup", App::pointerup);
        self.on(&root, "pointercancel", App::pointerup);
        self.on(&root, "wheel", App::wheel);
        self.on(&root, "focusout", |app, _| app.edit = None);
        let window = window();
        self.on(&window, "hashchange", |app, _| app.read_address());
        self.on(&window, "resize", |app, _| app.resize());
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

    fn on(
        &mut self,
        target: &EventTarget,
        name: &'static str,
        act: impl Fn(&mut App, &Event) + 'static,
    ) {
        let me = self.me.clone();
        let listener = EventListener::new_with_options(
            target,
            name,
            EventListenerOptions::enable_prevent_default(),
            move |event| with(&me, |app| act(app, event)),
        );
        self.listeners.push(listener);
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

    // Frames.

    fn request(&mut self, cause: Option<f64>) {
        self.stale = true;
        self.frames.request(cause);
    }

    fn resize(&mut self) {
        self.resized = true;
        self.frames.request(None);
    }

    fn redraw(&mut self, event: &Event) {
        self.request(Some(event.time_stamp()));
    }

    fn frame(&mut self, time: f64) {
        let cause = self.frames.arrived();
        let start = now();
        if std::mem::take(&mut self.resized) {
            let ratio = window().device_pixel_ratio();
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
            let me = self.me.clone();
            self.address
                .plan(move || with(&me, |app| app.address.write(&app.state)));
            measure(cause, start);
        }
        if self.player.playing {
            self.frames.request(None);
        }
    }

    fn compute_and_draw(&mut self) {
        let still = self.still.as_ref().is_some_and(MediaQueryList::matches);
        let glide = self.player.glide(&self.state, still);
        self.model = Model::compute(&self.state, self.page.lang(), glide, Some(&self.model));
        self.page.draw(&self.model, self.theme, &self.colours);
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
        let link = self.address.of(&self.state);
        self.page
            .write(&self.model, self.theme, &self.colours, &link, &passing);
        if std::mem::take(&mut self.speak) {
            self.page.speak(&self.model);
        }
    }

    // What reaches beyond the next frame.

    /// Everything that follows from the state but is not drawn: language, theme, what is hidden.
    fn settle_page(&mut self) {
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
        self.theme = Theme::named(self.state.theme().unwrap_or(system));
        self.colours = self.theme.colour_map();
        if let Some(root) = document().document_element() {
            set_attr(&root, "lang", lang.tag());
            match self.state.text(Key::Theme) {
                // Removing an attribute does not fail.
                name if name.is_empty() => drop(root.remove_attribute("data-theme")),
                name => set_attr(&root, "data-theme", &name),
            }
        }
        self.page.arrange(&self.state);
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
            self.page = page;
            self.resized = true;
            self.observe_sizes();
            let again = focused.and_then(|name| {
                let selector = format!("select[name={name:?}], input[name={name:?}]");
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
        self.address = Address::read();
        self.state = self.address.link().state.clone();
        self.notices.add(self.address.link().problems.clone());
        self.edit = None;
        self.settle_page();
        self.request(None);
    }

    fn stop(&mut self) {
        if self.player.playing {
            self.player.stop(&mut self.state);
        }
    }

    // Form.

    fn input(&mut self, event: &Event, finished: bool) {
        let Some(element) = element_of(event) else {
            return;
        };
        if element.has_attribute("data-speed") {
            self.player.speed = self.page.speed_value();
            return;
        }
        let Some(key) = element
            .get_attribute("name")
            .and_then(|name| Key::named(&name))
        else {
            return;
        };
        if let Some(list) = element.dyn_ref::<HtmlSelectElement>() {
            self.state.apply(key, &list.value());
            self.edit = None;
            self.settle_page();
        } else if let Some(input) = element.dyn_ref::<HtmlInputElement>() {
            let slider = input.type_() == "range";
            let text = if slider {
                slider_text(key, &input.value())
            } else {
                input.value()
            };
            self.edit(key, &text, !slider, finished);
        }
        self.redraw(event);
    }

    fn edit(&mut self, key: Key, text: &str, typed: bool, finished: bool) {
        let going_on = self
            .edit
            .take()
            .filter(|edit| edit.key == key && !self.player.playing);
        let before = going_on.map_or_else(|| self.state.clone(), |edit| edit.before);
        let mut state = before.clone();
        let problem = state.apply(key, text);
        if finished {
            self.state = state;
            if let Some(control) = self
                .page
                .controls
                .iter_mut()
                .find(|control| control.key() == key)
            {
                control.forget();
            }
            if problem.is_some() {
                self.notices.add(problem);
                self.notices.show(&self.page.notices, self.page.lang());
            }
            return;
        }
        // Half a number is not wrong yet.
        if problem.is_none() {
            self.state = state;
        }
        self.edit = Some(Edit { key, before, typed });
    }

    // Buttons.

    fn click(&mut self, event: &Event) {
        let Some(button) =
            element_of(event).and_then(|e| e.closest("[data-action]").ok().flatten())
        else {
            return;
        };
        let action = button.get_attribute("data-action").unwrap_or_default();
        let value = button.get_attribute("value").unwrap_or_default();
        match action.as_str() {
            "play" if self.player.playing => self.stop(),
            "play" => self.player.start(),
            "back" | "on" => {
                self.stop();
                let step = if action == "on" { 1 } else { -1 };
                self.state.set_pos(self.state.pos() as i64 + step);
            }
            "select-tool" => self.zooming = false,
            "zoom-tool" => self.zooming = true,
            "zoom-in" => pointer::zoom(&mut self.state, &self.model, 0.5, None),
            "zoom-out" => pointer::zoom(&mut self.state, &self.model, 2.0, None),
            "show-all" => self.state.show_everything(),
            "compare" => self.compare(),
            "compare-less" => self
                .state
                .toggle_compared(value.parse().unwrap_or_default()),
            "dismiss" => {
                self.notices.dismiss(&value);
                self.notices.show(&self.page.notices, self.page.lang());
            }
            "reset" => self.reset(),
            "link" => {
                event.prevent_default();
                self.copy_link(button);
            }
            _ => return,
        }
        self.edit = None;
        self.redraw(event);
    }

    /// Everything as at first, but for the language and the theme.
    fn reset(&mut self) {
        self.stop();
        let kept =
            [Key::View, Key::Lang, Key::Theme, Key::Hide].map(|key| (key, self.state.text(key)));
        self.state = State::default();
        for (key, text) in kept {
            self.state.apply(key, &text);
        }
        self.notices = Notices::default();
        self.zooming = false;
        self.settle_page();
    }

    fn compare(&mut self) {
        let mut asked = State::default();
        asked.apply(Key::DModel, &self.state.text(Key::DModel));
        let problem = asked.apply(Key::Pair, &self.page.compared.value());
        if !self.state.compare().contains(&asked.pair()) {
            self.state.toggle_compared(asked.pair());
        }
        if let Some(problem) = problem {
            self.page.compared.set_value(&problem.used);
            self.notices.add([problem]);
            self.notices.show(&self.page.notices, self.page.lang());
        }
    }

    fn copy_link(&mut self, button: Element) {
        let link = self.address.of(&self.state);
        let (me, lang) = (self.me.clone(), self.page.lang());
        // Absent outside secure contexts, whatever its type says.
        let clipboard = js_sys::Reflect::get(&window().navigator(), &"clipboard".into());
        let copying = clipboard
            .ok()
            .filter(|clipboard| clipboard.is_object())
            .map(|clipboard| {
                clipboard
                    .unchecked_into::<web_sys::Clipboard>()
                    .write_text(&link)
            });
        wasm_bindgen_futures::spawn_local(async move {
            let copied = match copying {
                Some(promise) => wasm_bindgen_futures::JsFuture::from(promise).await.is_ok(),
                None => false,
            };
            if copied {
                button.set_text_content(Some(crate::text::COPIED.get(lang)));
                gloo_timers::future::TimeoutFuture::new(1500).await;
                button.set_text_content(Some(crate::text::COPY_LINK.get(lang)));
            } else {
                with(&me, |app| {
                    app.notices.offer_link(link);
                    app.notices.show(&app.page.notices, lang);
                });
            }
        });
    }

    // Figures.

    /// The figure that an event happened on, and where in it.
    fn place(&self, event: &Event, at: (i32, i32)) -> Option<(ViewName, (f64, f64))> {
        let stage = element_of(event)?.closest("[data-stage]").ok()??;
        let figure = self
            .page
            .figures
            .iter()
            .find(|figure| figure.stage == stage)?;
        let bounds = figure.stage.get_bounding_client_rect();
        let point = (f64::from(at.0) - bounds.x(), f64::from(at.1) - bounds.y());
        Some((figure.figure.name(), point))
    }

    fn target(&self, name: ViewName, (x, y): (f64, f64)) -> Option<Target> {
        let figure = self.page.figure(name);
        figure.target(&figure.scene(&self.model, self.theme, &self.colours), x, y)
    }

    fn share(&self, name: ViewName, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        let scene = self
            .page
            .figure(name)
            .scene(&self.model, self.theme, &self.colours);
        pointer::share(name, &scene, x, y)
    }

    fn pointerdown(&mut self, event: &Event) {
        let Some(pointer) = event.dyn_ref::<PointerEvent>().filter(|p| p.button() == 0) else {
            return;
        };
        if self.scroll_to(event, pointer) {
            return;
        }
        let Some((name, at)) = self.place(event, (pointer.client_x(), pointer.client_y())) else {
            return;
        };
        let canvas = self.page.figure(name).canvas().clone();
        // Refused for a pointer that is gone already; then there is no drag.
        let _ = canvas.set_pointer_capture(pointer.pointer_id());
        if name == ViewName::Heatmap {
            self.fingers.push((pointer.pointer_id(), at));
        }
        let drag = if self.fingers.len() > 1 {
            Some(Drag::Pinch)
        } else if name == ViewName::Heatmap && self.zooming {
            Some(Drag::Pan {
                last: at,
                moved: 0.0,
            })
        } else {
            let target = self.target(name, at);
            pointer::press(&mut self.state, &self.model, target)
        };
        self.drag = drag.map(|drag| (name, drag));
        self.redraw(event);
    }

    fn pointermove(&mut self, event: &Event) {
        let Some(pointer) = event.dyn_ref::<PointerEvent>() else {
            return;
        };
        if self.scroll_to(event, pointer) {
            return;
        }
        let place = self.place(event, (pointer.client_x(), pointer.client_y()));
        let Some((name, at)) = place else {
            if self.hovered.take().is_some() {
                self.redraw(event);
            }
            return;
        };
        let target = self.target(name, at);
        match &mut self.drag {
            Some((dragged, Drag::Pinch)) if *dragged == name => {
                self.pinch(pointer.pointer_id(), at)
            }
            Some((dragged, drag)) if *dragged == name => {
                let scene = self
                    .page
                    .figure(name)
                    .scene(&self.model, self.theme, &self.colours);
                pointer::drag(drag, &mut self.state, &self.model, &scene, target, at);
            }
            _ => {
                let hovered = match target {
                    Some(Target::Cell {
                        position,
                        dimension,
                    }) => Some((position, dimension)),
                    _ => None,
                };
                if hovered == self.hovered {
                    return;
                }
                self.hovered = hovered;
            }
        }
        self.redraw(event);
    }

    fn pinch(&mut self, id: i32, at: (f64, f64)) {
        let [a, b] = match self.fingers[..] {
            [a, b, ..] => [a, b],
            _ => return,
        };
        let (before, _) = pointer::fingers(a.1, b.1);
        for finger in &mut self.fingers {
            if finger.0 == id {
                finger.1 = at;
            }
        }
        let (after, middle) = pointer::fingers(self.fingers[0].1, self.fingers[1].1);
        if let Some(share) = self.share(ViewName::Heatmap, middle) {
            pointer::zoom(&mut self.state, &self.model, before / after, Some(share));
        }
    }

    fn pointerup(&mut self, event: &Event) {
        let Some(pointer) = event.dyn_ref::<PointerEvent>() else {
            return;
        };
        self.fingers
            .retain(|finger| finger.0 != pointer.pointer_id());
        if let Some((name, Drag::Pan { last, moved })) = self.drag.take()
            && moved < 4.0
            && let Some(share) = self.share(name, last)
        {
            // A tap with the zoom tool looks closer.
            pointer::zoom(&mut self.state, &self.model, 0.5, Some(share));
            self.redraw(event);
        }
    }

    /// A scrollbar centres the window on the pointer; true if the event was on one.
    fn scroll_to(&mut self, event: &Event, pointer: &PointerEvent) -> bool {
        let Some(track) = element_of(event).and_then(|e| e.closest("[data-scroll]").ok().flatten())
        else {
            return false;
        };
        if event.type_() == "pointerdown" {
            let _ = track.set_pointer_capture(pointer.pointer_id());
        } else if pointer.buttons() == 0 {
            return true;
        }
        let bounds = track.get_bounding_client_rect();
        let (rows, columns) = (self.state.positions(), self.state.dimensions());
        if track.get_attribute("data-scroll").as_deref() == Some("vertical") {
            let share = (f64::from(pointer.client_y()) - bounds.y()) / bounds.height().max(1.0);
            let centre = share * self.state.max_len() as f64;
            let moved = rows.moved(
                centre - rows.start() - rows.width() / 2.0,
                self.state.max_len(),
            );
            self.state.set_window(moved, columns);
        } else {
            let share = (f64::from(pointer.client_x()) - bounds.x()) / bounds.width().max(1.0);
            let centre = share * self.state.d_model() as f64;
            let moved = columns.moved(
                centre - columns.start() - columns.width() / 2.0,
                self.state.d_model(),
            );
            self.state.set_window(rows, moved);
        }
        self.redraw(event);
        true
    }

    fn wheel(&mut self, event: &Event) {
        let Some(wheel) = event.dyn_ref::<WheelEvent>() else {
            return;
        };
        let Some((name, at)) = self.place(event, (wheel.client_x(), wheel.client_y())) else {
            return;
        };
        let Some(share) = self.share(name, at) else {
            return;
        };
        let pixels = match wheel.delta_mode() {
            WheelEvent::DOM_DELTA_LINE => 30.0 * wheel.delta_y(),
            WheelEvent::DOM_DELTA_PAGE => 300.0 * wheel.delta_y(),
            _ => wheel.delta_y(),
        };
        let factor = (pixels * 0.002).clamp(-1.0, 1.0).exp();
        let before = (self.state.positions(), self.state.dimensions());
        if name == ViewName::Heatmap {
            pointer::zoom(&mut self.state, &self.model, factor, Some(share));
        } else {
            pointer::zoom_positions(&mut self.state, factor, share.0);
        }
        // Where there is nothing left to zoom, the page scrolls.
        if before != (self.state.positions(), self.state.dimensions()) {
            event.prevent_default();
            self.redraw(event);
        }
    }

    fn keydown(&mut self, event: &Event) {
        let Some(key) = event.dyn_ref::<KeyboardEvent>() else {
            return;
        };
        if key.ctrl_key() || key.meta_key() || key.alt_key() {
            return;
        }
        let Some(element) = element_of(event) else {
            return;
        };
        if element.has_attribute("data-compare") && key.key() == "Enter" {
            event.prevent_default();
            self.compare();
            self.redraw(event);
            return;
        }
        let used = if let Some(side) = element.get_attribute("data-scroll") {
            self.scroll_by_key(&side, &key.key())
        } else if let Some((name, _)) = self.place(event, (0, 0)) {
            pointer::key(
                name,
                &key.key(),
                key.shift_key(),
                &mut self.state,
                &self.model,
            )
        } else {
            false
        };
        if used {
            event.prevent_default();
            self.speak = true;
            self.edit = None;
            self.redraw(event);
        }
    }

    fn scroll_by_key(&mut self, side: &str, key: &str) -> bool {
        let step = match key {
            "ArrowLeft" | "ArrowUp" => -0.1,
            "ArrowRight" | "ArrowDown" => 0.1,
            _ => return false,
        };
        let (rows, columns) = (self.state.positions(), self.state.dimensions());
        if side == "vertical" {
            self.state.set_window(
                rows.moved(step * rows.width(), self.state.max_len()),
                columns,
            );
        } else {
            self.state.set_window(
                rows,
                columns.moved(step * columns.width(), self.state.d_model()),
            );
        }
        true
    }
}
