//! The list of chapters with the one in view marked, and everything in the texts that can be pressed.

use super::{Entries, set};
use crate::text::labels;
use crate::web::dom::{append, document, el, set_attr, window_height};
use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::prelude::*;
use web_sys::{
    Element, Event, IntersectionObserver, IntersectionObserverEntry, IntersectionObserverInit,
    ScrollBehavior, ScrollIntoViewOptions, ScrollLogicalPosition,
};

/// Keeps the listeners of the texts.
pub struct Contents {
    _listener: EventListener,
    _marks: Option<(IntersectionObserver, Entries)>,
    /// Looks at the place that the address names.
    place: Option<(IntersectionObserver, Entries)>,
}

fn all(selector: &str) -> Vec<Element> {
    let Ok(found) = document().query_selector_all(selector) else {
        return Vec::new();
    };
    (0..found.length())
        .filter_map(|index| found.get(index)?.dyn_into().ok())
        .collect()
}

impl Contents {
    /// Fills the list from the chapters' headings; both languages, of which the page shows one.
    pub fn new() -> Contents {
        let chapters = all(".chapter[id]");
        if let Some(place) = document().query_selector(".contents ol").ok().flatten()
            && place.child_element_count() == 0
        {
            for chapter in &chapters {
                list(&place, chapter);
            }
        }
        // A line a quarter down the window: the chapter that it runs through is the one in view.
        let marks = observer(mark, "-25% 0px -75% 0px");
        if let Some((observer, _)) = &marks {
            for chapter in &chapters {
                observer.observe(chapter);
            }
        }
        let listener = EventListener::new_with_options(
            &document(),
            "click",
            EventListenerOptions::enable_prevent_default(),
            click,
        );
        Contents {
            _listener: listener,
            _marks: marks,
            // The upper half of the window.
            place: observer(leave, "0px 0px -50% 0px"),
        }
    }

    /// Has the app told when the reader leaves a place.
    pub fn watch(&self, place: &Element) {
        if let Some((observer, _)) = &self.place {
            observer.disconnect();
            observer.observe(place);
        }
    }
}

/// An observer of what is in the window, less a margin.
fn observer(seen: fn(js_sys::Array), margin: &str) -> Option<(IntersectionObserver, Entries)> {
    let me = Entries::new(seen);
    let options = IntersectionObserverInit::new();
    options.set_root_margin(margin);
    let observer =
        IntersectionObserver::new_with_options(me.as_ref().unchecked_ref(), &options).ok()?;
    Some((observer, me))
}

/// The place that the address names is no longer where the reader looks. While the page shows something else instead of
/// the lesson, the place has no size.
fn leave(entries: js_sys::Array) {
    let last: Option<IntersectionObserverEntry> = entries.iter().last().map(JsCast::unchecked_into);
    if last
        .is_some_and(|last| !last.is_intersecting() && last.bounding_client_rect().height() > 0.0)
    {
        crate::web::app::left();
    }
}

fn list(place: &Element, chapter: &Element) {
    let link = el("a").attr("href", &format!("#{}", chapter.id()));
    let Ok(Some(title)) = chapter.query_selector("h2") else {
        return;
    };
    for lang in ["en", "zh"] {
        if let Ok(Some(words)) = title.query_selector(&format!("[lang={lang}]")) {
            let words = words.text_content().unwrap_or_default();
            let words = el("span").attr("lang", lang).text(&words);
            append(&link.0, &words.0);
        }
    }
    append(place, &el("li").child(&link).0);
    // The heading links to itself, for whoever wants to send it on.
    let itself = el("a")
        .attr("href", &format!("#{}", chapter.id()))
        .class("anchor");
    for (lang, words) in [
        ("en", labels::CHAPTER_LINK.en),
        ("zh", labels::CHAPTER_LINK.zh),
    ] {
        let words = el("span").attr("lang", lang).class("unseen").text(words);
        append(&itself.0, &words.0);
    }
    append(&itself.0, &document().create_text_node("#"));
    append(&title, &itself.0);
}

/// Marks the chapter that has come into view.
fn mark(entries: js_sys::Array) {
    for entry in entries.iter() {
        let entry: IntersectionObserverEntry = entry.unchecked_into();
        let selector = format!(".contents a[href=\"#{}\"]", entry.target().id());
        for link in all(&selector) {
            if entry.is_intersecting() {
                set_attr(&link, "aria-current", "true");
            } else {
                // Removing an attribute does not fail.
                let _ = link.remove_attribute("aria-current");
            }
        }
    }
}

fn click(event: &Event) {
    let Some(element) = event.target().and_then(|t| t.dyn_into::<Element>().ok()) else {
        return;
    };
    let closest = |selector: &str| element.closest(selector).ok().flatten();
    if let Some(button) = closest("[data-set]") {
        press(&button);
    } else if let Some(link) = closest("a[href^='#']") {
        let href = link.get_attribute("href").unwrap_or_default();
        let id = href.trim_start_matches('#');
        if document().get_element_by_id(id).is_some() {
            event.prevent_default();
            crate::web::app::visit(id);
        }
    }
}

/// Scrolls to a chapter or a figure, which has the focus from then on.
pub fn reveal(element: &Element) {
    element.scroll_into_view();
    if element.get_attribute("tabindex").is_none() {
        set_attr(element, "tabindex", "-1");
    }
    if let Some(element) = element.dyn_ref::<web_sys::HtmlElement>() {
        let options = web_sys::FocusOptions::new();
        options.set_prevent_scroll(true);
        // A page that may not take the focus goes on without.
        let _ = element.focus_with_options(&options);
    }
}

/// Puts a figure, or the bench, into the state that a sentence speaks of.
fn press(button: &Element) {
    let id = button.get_attribute("data-figure").unwrap_or_default();
    let settings = button.get_attribute("data-set").unwrap_or_default();
    let pairs: Vec<_> = form_urlencoded::parse(settings.as_bytes()).collect();
    let pairs: Vec<_> = pairs
        .iter()
        .map(|(n, v)| (n.as_ref(), v.as_ref()))
        .collect();
    set(&id, &pairs);
    // A figure beside the sentence that shows the bench is as good as the bench.
    let chapter = button.closest(".chapter").ok().flatten();
    let beside = chapter.and_then(|c| c.query_selector("pe-figure[group=bench]").ok().flatten());
    let shown = match (id.as_str(), beside) {
        ("bench", Some(figure)) => Some(figure),
        ("bench", None) => document().get_element_by_id("posenc"),
        (id, _) => document().get_element_by_id(id),
    };
    for other in all("[data-set][aria-pressed=true]") {
        set_attr(&other, "aria-pressed", "false");
    }
    set_attr(button, "aria-pressed", "true");
    if let Some(figure) = shown {
        bring(&figure);
    }
}

/// Scrolls no further than needed for a figure to be seen.
pub fn bring(figure: &Element) {
    let bounds = figure.get_bounding_client_rect();
    let height = window_height();
    if bounds.top() >= 0.0 && bounds.bottom() <= height {
        return;
    }
    let options = ScrollIntoViewOptions::new();
    options.set_behavior(ScrollBehavior::Auto);
    options.set_block(match bounds.height() > height {
        true => ScrollLogicalPosition::Start,
        false => ScrollLogicalPosition::Nearest,
    });
    figure.scroll_into_view_with_scroll_into_view_options(&options);
}
