//! The one owner: the state, the page, every listener and the pending frame. Handlers change the
//! state and ask for a frame; drawing happens in the frame.

mod access;
mod arrange;
mod build;
mod canvases;
mod controls;
mod elements;
mod form;
mod frame;
mod gestures;
mod idea;
mod input;
mod listen;
mod media;
mod mount;
mod notices;
mod own_figure;
mod page_state;
mod popups;
pub mod remote;
mod scrollbar;
mod snap;
mod strip;
mod tabs;
mod tour;

pub use access::*;
pub use canvases::FigureElement;
pub use mount::mount;

use crate::draw::{ColourMap, Theme};
use crate::field::{Key, State, ThemeName};
use crate::figures::bench::{Model, Press, SnapAnimation, Transient};
use crate::web::control::Editing;
use crate::web::debounce::Debounce;
use crate::web::dom::document;
use crate::web::frames::Frames;
use crate::web::page::address::Address;
use crate::web::page::contents::Contents;
use crate::web::playback::Playback;
use crate::web::transition::Transition;
use elements::Page;
use gestures::{Drag, PointerState};
use gloo_events::EventListener;
use media::MediaQueries;
use notices::Notices;
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use tabs::ShownPanels;
use tour::Tour;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, Event, ResizeObserver};

/// The bench of the page: its state, what shows it and what a reader does with it.
struct App {
    page: Page,
    state: State,
    model: Model,
    appearance: Appearance,
    address: Address,
    address_debounce: Debounce,
    notices: Notices,
    playback: Playback,
    frames: Frames,
    pending: Pending,
    /// A drag on the heatmap zooms instead of selecting.
    zooming: bool,
    transient: Transient,
    snap: Option<(SnapAnimation, Transition)>,
    tour: Option<Tour>,
    editing: Editing,
    pointers: PointerState,
    media: MediaQueries,
    /// Those that are shown where there is room for two.
    panels: ShownPanels,
    subscriptions: Subscriptions,
    /// The list of chapters, where the page has any.
    contents: Option<Contents>,
    me: Weak<RefCell<App>>,
}

/// What the pictures are drawn in.
struct Appearance {
    theme: Theme,
    colours: ColourMap,
    /// The theme of a presentation and how many times as large it is, instead of the state's.
    stage: Option<(ThemeName, f64)>,
    /// The page is being put on paper.
    printing: bool,
}

impl Default for Appearance {
    fn default() -> Appearance {
        let theme = *Theme::named(ThemeName::Light);
        Appearance {
            theme,
            colours: theme.colour_map(),
            stage: None,
            printing: false,
        }
    }
}

/// What the next frame, or the debounce, has to do.
#[derive(Default)]
struct Pending {
    /// Everything on the page has to be written again.
    redraw: bool,
    /// The page may have given the figures other sizes. Asking for them lays the page out, so it is done only then.
    measure: bool,
    /// The selection is to be spoken when the debounce is due: it was changed by key.
    announce: bool,
    /// The page has been asked for the second file of the core, which has the table that is to be shown.
    table: bool,
}

/// What calls the bench, for as long as it is there.
#[derive(Default)]
struct Subscriptions {
    listeners: Vec<EventListener>,
    sizes: Option<(ResizeObserver, Closure<dyn FnMut()>)>,
    /// Waits for the rest of the page.
    page_loaded: Option<EventListener>,
}

/// Positions a second, as the bench offers them, and at first.
pub const SPEEDS: [f64; 6] = [0.5, 1.0, 2.0, 5.0, 20.0, 100.0];
const SPEED: f64 = 2.0;

thread_local! {
    static APP: RefCell<Option<Rc<RefCell<App>>>> = const { RefCell::new(None) };
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

/// Tells the page: `posenc:input` in every frame that shows another state, `posenc:change` when the debounce is due, `posenc:wanted` where
/// the second file of the core is needed.
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
    fn apply(&mut self, pairs: &[(&str, String)]) {
        self.stop();
        self.editing.stop();
        for (field, problem) in self.state.values_mut().set_all(pairs) {
            self.notices.resolve(field.name);
            self.notices.add(problem);
        }
        let affects_page = |(name, _): &(&str, _)| Key::named(name).is_some_and(affects_page);
        if pairs.iter().any(affects_page) {
            self.apply_page_settings();
        }
        self.notices.show(&self.page.notices, self.page.lang());
        self.request(None);
    }

    /// The reader wants less motion.
    fn is_still(&self) -> bool {
        self.media.still.matches()
    }

    fn is_dragging_hand(&self) -> bool {
        matches!(self.pointers.drag, Some((_, Drag::Press(Press::Hand(_)))))
    }

    /// Leaves the state with the page, where it is found if this frame is the last.
    fn keep(&mut self) {
        self.address.keep(self.page.root(), &self.state);
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
