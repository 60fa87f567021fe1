//! The bench's controller owns its state, DOM, listeners and the pending frame. Handlers change the state and request a
//! frame, which draws.

mod access;
mod arrange;
mod build;
mod canvases;
mod chapter_strip;
mod compare_list;
mod controls;
mod elements;
mod form;
mod formula_panel;
mod frame;
mod heatmap_panel;
mod input;
mod listen;
mod media;
mod motion;
mod mount;
mod notices;
mod own_figure;
mod page_state;
mod panel;
mod play_controls;
mod popups;
mod product_line;
pub mod remote;
mod scrollbar;
mod tabs;
mod tokens_panel;
mod tour;
mod tour_place;
mod zoom_tools;

pub use access::*;
pub use canvases::BenchCanvas;
pub use mount::mount;

use crate::draw::{ColourMap, Theme};
use crate::field::{SettingId, State, ThemeName};
use crate::figure::Displacement;
use crate::figures::bench::{Model, Transient};
use crate::session::bench::gestures::{Gesture, PointerState};
use crate::session::{Change, Motion, Playback};
use crate::web::control::Editing;
use crate::web::debounce::Debounce;
use crate::web::dom::document;
use crate::web::frames::Frames;
use crate::web::page::address::Address;
use crate::web::page::contents::Contents;
use elements::BenchElements;
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

/// The bench of a page: its state, its DOM and its input.
struct BenchController {
    page: BenchElements,
    state: State,
    model: Model,
    appearance: Appearance,
    address: Address,
    address_debounce: Debounce,
    notices: Notices,
    playback: Playback,
    frames: Frames,
    pending: Pending,
    /// The zoom tool is active: on the heatmap a tap zooms in and a drag moves the visible window, instead of selecting.
    zooming: bool,
    transient: Transient,
    motion: Motion,
    tour: Option<Tour>,
    editing: Editing,
    pointers: PointerState,
    media: MediaQueries,
    /// The panels that are shown in large type in a low window, which has room for two.
    panels: ShownPanels,
    subscriptions: Subscriptions,
    /// The list of chapters, once the lesson has been parsed.
    contents: Option<Contents>,
    weak_self: Weak<RefCell<BenchController>>,
}

/// The theme of the figures, and what overrides it.
struct Appearance {
    theme: Theme,
    colours: ColourMap,
    /// Theme and type scale of a presentation, which override those of the state.
    presentation: Option<(ThemeName, f64)>,
    /// The page is being printed.
    printing: bool,
}

impl Default for Appearance {
    fn default() -> Appearance {
        let theme = *Theme::named(ThemeName::Light);
        Appearance {
            theme,
            colours: theme.colour_map(),
            presentation: None,
            printing: false,
        }
    }
}

/// Pending work of the next frame or of the debounce.
#[derive(Default)]
struct Pending {
    /// The state may have changed: compute, write and draw.
    redraw: bool,
    /// The canvases may have been resized. Reading sizes forces layout, so it is done only when needed.
    measure: bool,
    /// The selection was changed by a key: announce it when the debounce is due.
    announce: bool,
    /// How the change in progress reaches the screen, if not as its event does.
    change: Option<Change>,
    /// How the last change reaches the screen, for the figures that share it.
    last_change: Change,
    /// core/figures.wasm, which contains the encoding's table, has been requested.
    figures_requested: bool,
}

/// Event subscriptions, dropped with the bench.
#[derive(Default)]
struct Subscriptions {
    listeners: Vec<EventListener>,
    sizes: Option<(ResizeObserver, Closure<dyn FnMut()>)>,
    /// Waits for DOMContentLoaded.
    page_loaded: Option<EventListener>,
}

/// Speeds of playback, in positions per second.
pub const PLAYBACK_SPEEDS: [f64; 6] = [0.5, 1.0, 2.0, 5.0, 20.0, 100.0];
const DEFAULT_SPEED: f64 = 2.0;

thread_local! {
    static APP: RefCell<Option<Rc<RefCell<BenchController>>>> = const { RefCell::new(None) };
}

/// Runs `act` on the bench unless it is already borrowed: events that its own DOM writes cause need no handling.
fn with(app: &Weak<RefCell<BenchController>>, act: impl FnOnce(&mut BenchController)) {
    if let Some(app) = app.upgrade()
        && let Ok(mut app) = app.try_borrow_mut()
    {
        act(&mut app);
    }
}

/// Settings of the page, which a reset does not change.
const PAGE_SETTINGS: [SettingId; 5] = [
    SettingId::View,
    SettingId::Lang,
    SettingId::Theme,
    SettingId::Hide,
    SettingId::Lock,
];

/// Whether a change of the setting needs `apply_page_settings`.
fn affects_page(key: SettingId) -> bool {
    key == SettingId::Encoding || PAGE_SETTINGS.contains(&key)
}

/// Dispatches a document event: `posenc:input` in every frame with a changed state, `posenc:change` when the debounce
/// is due, `posenc:wanted` when core/figures.wasm is needed.
fn announce(name: &'static str) {
    // Dispatched after the borrow ends, since listeners may call back into the bench.
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

impl BenchController {
    fn apply(&mut self, pairs: &[(&str, String)]) {
        self.stop();
        self.editing.stop();
        for (field, problem) in self.state.values_mut().set_all(pairs) {
            self.notices.resolve(field.name);
            self.notices.add(problem);
        }
        let affects_page = |(name, _): &(&str, _)| SettingId::named(name).is_some_and(affects_page);
        if pairs.iter().any(affects_page) {
            self.apply_page_settings();
        }
        self.notices.show(&self.page.notices, self.page.lang());
        self.request(None);
    }

    fn prefers_reduced_motion(&self) -> bool {
        self.media.reduced_motion.matches()
    }

    fn is_dragging_hand(&self) -> bool {
        let gesture = &self.pointers.gesture;
        matches!(gesture, Some((_, Gesture::Drag(drag))) if drag.hand().is_some())
    }

    /// Stores the hash of the state on the bench's element, for start.mjs in case the core fails.
    fn save_recovery_hash(&mut self) {
        self.address
            .save_recovery_hash(self.page.root(), &self.state);
    }

    fn start(&mut self) {
        if !self.state.locks_control("play") {
            self.playback.start();
        }
    }

    fn stop(&mut self) {
        if !self.playback.playing {
            return;
        }
        // Playback stops at the nearest position, to which the hands settle.
        let here = self.model.hand_pos();
        if self.playback.stop() >= 0.5 {
            self.state.set_pos(self.state.pos() as i64 + 1);
        }
        self.transient.displacement = Displacement::held(here - self.state.pos() as f64, 0.0);
        self.settle();
    }
}
