//! The bench's controller owns its elements, listeners and the pending frame. It translates events of the browser into those
//! of its [`BenchSession`], and applies the effects to the page.

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
use crate::field::ThemeName;
use crate::session::Effects;
use crate::session::bench::{BenchSession, Event};
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
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, Event as DomEvent, ResizeObserver};

/// The bench of a page.
struct BenchController {
    session: BenchSession,
    page: BenchElements,
    appearance: Appearance,
    address: Address,
    address_debounce: Debounce,
    notices: Notices,
    frames: Frames,
    pending: Pending,
    /// The control of the last input.
    edited: Option<Element>,
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
    /// The state may have changed: compute, draw and update the DOM.
    redraw: bool,
    /// The canvases may have been resized. Reading sizes forces layout, so it is done only when needed.
    measure: bool,
    /// The selection was changed by a key: announce it when the debounce is due.
    announce: bool,
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

thread_local! {
    static APP: RefCell<Option<Rc<RefCell<BenchController>>>> = const { RefCell::new(None) };
}

/// Runs `act` on the bench unless it is already borrowed: events that its own DOM writes cause need no handling.
fn with_bench(app: &Weak<RefCell<BenchController>>, act: impl FnOnce(&mut BenchController)) {
    if let Some(app) = app.upgrade()
        && let Ok(mut app) = app.try_borrow_mut()
    {
        act(&mut app);
    }
}

/// Dispatches a document event: `posenc:input` in every frame with a changed state, `posenc:change` when the debounce
/// is due, `posenc:wanted` when core/figures.wasm is needed.
fn dispatch(name: &'static str) {
    // Dispatched after the borrow ends, since listeners may call back into the bench.
    spawn_local(async move {
        if let Ok(event) = DomEvent::new(name) {
            // Dispatching a fresh event does not fail.
            let _ = document().dispatch_event(&event);
        }
    });
}

fn element_of(event: &DomEvent) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

impl BenchController {
    #[inline(never)]
    fn handle(&mut self, event: Event) {
        let effects = self.session.handle(event);
        self.apply(effects, None);
    }

    /// Applies the effects of an event on the session, but for the cursor, which is set at the pointer (`input`); `event` is
    /// that of the browser.
    #[inline(never)]
    fn apply(&mut self, effects: Effects, event: Option<&DomEvent>) {
        if let Some(event) = event.filter(|_| effects.prevents_default) {
            event.prevent_default();
        }
        for name in &effects.fields_set {
            self.notices.resolve(name);
        }
        self.notices.add(effects.errors);
        if effects.restores_controls {
            for control in &mut self.page.controls {
                control.forget();
            }
        }
        if effects.affects_page {
            self.apply_page_settings();
        } else if !effects.fields_set.is_empty() {
            self.notices.show(&self.page.notices, self.page.lang());
        }
        self.pending.announce |= effects.announces;
        if effects.redraw {
            self.request(event.map(DomEvent::time_stamp));
        }
    }

    /// Stores the hash of the state on the bench's element, for start.mjs in case the core fails.
    fn save_recovery_hash(&mut self) {
        self.address
            .save_recovery_hash(self.page.root(), self.session.state());
    }
}
