//! Mounts the bench on the page and connects it to the lesson and its figures, if the page has them.

use super::elements::BenchElements;
use super::media::MediaQueries;
use super::notices::Notices;
use super::tabs::ShownPanels;
use super::{
    APP, Appearance, BenchController, Pending, Subscriptions, apply_lesson_link, apply_with_locks,
    figure_changed, go_to_bench, on_figures_loaded, on_place_left, setting_entries, visit,
    with_app, with_bench,
};
use crate::field::{SettingId, ThemeName};
use crate::session::OPENING_DELAY;
use crate::session::bench::BenchSession;
use crate::web::debounce::Debounce;
use crate::web::dom::{browser_lang, document, is_framed, set_attr};
use crate::web::figure::{self, PageCallbacks};
use crate::web::frames::{Frames, now};
use crate::web::page::address::{Address, entry_has_state};
use crate::web::page::contents::{self, Contents};
use gloo_events::EventListener;
use gloo_timers::future::TimeoutFuture;
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use wasm_bindgen_futures::spawn_local;
use web_sys::{Event, HtmlElement};

/// Builds the bench and draws its first frame synchronously; `None` if it cannot be drawn. `again` if it replaces a
/// bench that failed: a notice is shown, and the page keeps its scroll position.
pub fn mount(root: HtmlElement, again: bool) -> Option<()> {
    let mut address = Address::read();
    address.save_recovery_hash(&root, &address.link().state.clone());
    let state = address.link().state.clone();
    let lang = state.lang().unwrap_or_else(browser_lang);
    let page = BenchElements::build(root, lang)?;
    let media = MediaQueries::default();
    let reduced = media.reduced_motion.clone();
    let session = BenchSession::new(state, lang, Box::new(move || reduced.matches()));
    let mut notices = Notices::default();
    notices.add(address.link().problems.clone());
    notices.restarted = again;
    let app = Rc::new_cyclic(|weak: &Weak<RefCell<BenchController>>| {
        let frame_of = weak.clone();
        RefCell::new(BenchController {
            session,
            page,
            appearance: Appearance::default(),
            address,
            address_debounce: Debounce::default(),
            notices,
            frames: Frames::new(move |time| with_bench(&frame_of, |app| app.frame(time))),
            pending: Pending {
                redraw: true,
                measure: true,
                ..Pending::default()
            },
            edited: None,
            media,
            panels: ShownPanels::default(),
            subscriptions: Subscriptions::default(),
            contents: None,
            weak_self: weak.clone(),
        })
    });
    {
        let mut app = app.borrow_mut();
        app.listen();
        // The tour is not shown for links with settings or a place, nor inside an iframe or to an audience. Language and
        // theme are how the page looks, not what it shows.
        let looks = [SettingId::Lang, SettingId::Theme].map(SettingId::name);
        let pairs = app.address.link().pairs();
        if !again
            && !is_framed()
            && app.session.state().theme() != Some(ThemeName::Projector)
            && pairs.iter().all(|(name, _)| looks.contains(&name.as_str()))
            && app.address.place().is_none()
        {
            app.session.begin_tour();
            let weak = app.weak_self.clone();
            spawn_local(async move {
                TimeoutFuture::new(OPENING_DELAY).await;
                with_bench(&weak, BenchController::begin_opening);
            });
        }
        app.apply_page_settings();
        app.frame(now());
        let link = app.address.of(app.session.state());
        let app = &mut *app;
        app.page.write_debounced(app.session.model(), &link);
    }
    // After a reload, and after Back from another page, the browser restores the scroll position.
    let reveals = !again && !entry_has_state();
    APP.set(Some(app));
    figure::attach(PageCallbacks {
        values: setting_entries,
        set: apply_with_locks,
        go_to_bench: |pairs| go_to_bench(&pairs),
        figure_changed,
        figures_loaded: on_figures_loaded,
    });
    document()
        .document_element()
        .map(|root| set_attr(&root, "data-posenc", "ready"))?;
    // The bench is on the screen, but the lesson may not have been parsed yet.
    if document().ready_state() == "loading" {
        let on_loaded = move |_: &Event| read_lesson(reveals);
        let listener = EventListener::once(&document(), "DOMContentLoaded", on_loaded);
        with_app(|app| app.subscriptions.page_loaded = Some(listener));
    } else {
        read_lesson(reveals);
    }
    Some(())
}

/// Called when the page has been parsed: lists the chapters and, if `reveals`, scrolls to the place in the address.
fn read_lesson(reveals: bool) {
    with_app(|app| {
        app.contents = Some(Contents::new(contents::Actions {
            visit,
            left: on_place_left,
            set: apply_lesson_link,
        }));
        app.page.list(&contents::chapters());
        figure::enable_scroll_anchoring(app.page.root());
        app.go_to_place(reveals);
    });
}
