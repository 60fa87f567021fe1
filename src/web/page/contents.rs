//! The list of chapters, which marks the current one, and the links and buttons in the lesson's text.

use crate::text::{Lang, labels};
use crate::web::dom::{append, document, el, opens_elsewhere, set_attr};
use crate::web::figure::{ObserverCallback, scroll_into_view};
use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::prelude::*;
use web_sys::{
    Element, Event, IntersectionObserver, IntersectionObserverEntry, IntersectionObserverInit,
};

/// Callbacks for clicks in the lesson's text and for leaving a place.
#[derive(Clone, Copy)]
pub struct Actions {
    /// Goes to the chapter or figure with this id.
    pub visit: fn(&str),
    /// Called when the place in the address is no longer on the screen.
    pub left: fn(),
    /// Sets values of the figure with this id, or of the bench.
    pub set: fn(&str, &[(&str, &str)]),
}

/// Id of the heading of the list of chapters.
pub const LIST_ID: &str = "contents-title";

/// A chapter of the lesson.
pub struct Chapter {
    pub id: String,
    /// In English and in Chinese.
    titles: [String; 2],
}

impl Chapter {
    pub fn title(&self, lang: Lang) -> &str {
        match lang {
            Lang::En => &self.titles[0],
            Lang::Zh => &self.titles[1],
        }
    }
}

/// The chapters of the page that have been parsed so far.
pub fn chapters() -> Vec<Chapter> {
    let read = |chapter: Element| {
        let heading = chapter.query_selector("h2").ok().flatten()?;
        let words = |lang: &str| {
            let words = heading.query_selector(&format!("[lang={lang}]")).ok()?;
            words?.text_content()
        };
        Some(Chapter {
            id: chapter.id(),
            titles: [words("en")?, words("zh")?],
        })
    };
    all(".chapter[id]").into_iter().filter_map(read).collect()
}

/// Owns the listeners and observers of the lesson's text.
pub struct Contents {
    _listener: EventListener,
    _marks: Option<(IntersectionObserver, ObserverCallback)>,
    /// Observes the place in the address.
    place: Option<(IntersectionObserver, ObserverCallback)>,
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
    /// Fills the list from the chapters' headings in both languages, of which the page shows one.
    pub fn new(actions: Actions) -> Contents {
        let chapters = all(".chapter[id]");
        if let Some(place) = document().query_selector(".contents ol").ok().flatten()
            && place.child_element_count() == 0
        {
            for entry in all(".part[id], .chapter[id], .glossary[id]") {
                list(&place, &entry);
            }
        }
        // Observes a line at a quarter of the window's height: the chapter that it crosses is the current one.
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
            move |event| click(event, actions),
        );
        Contents {
            _listener: listener,
            _marks: marks,
            // Observes the upper half of the window.
            place: observer(move |entries| leave(&entries, actions), "0px 0px -50% 0px"),
        }
    }

    /// Observes a place, so that [`Actions::left`] is called when the reader leaves it.
    pub fn watch(&self, place: &Element) {
        if let Some((observer, _)) = &self.place {
            observer.disconnect();
            observer.observe(place);
        }
    }
}

/// An observer of intersections with the window, reduced by a margin.
fn observer(
    seen: impl FnMut(js_sys::Array) + 'static,
    margin: &str,
) -> Option<(IntersectionObserver, ObserverCallback)> {
    let callback = ObserverCallback::new(seen);
    let options = IntersectionObserverInit::new();
    options.set_root_margin(margin);
    let observer =
        IntersectionObserver::new_with_options(callback.as_ref().unchecked_ref(), &options).ok()?;
    Some((observer, callback))
}

/// Calls [`Actions::left`] if the place in the address has left the observed area. A place that is not displayed,
/// because the page shows something else instead of the lesson, has no size and is ignored.
fn leave(entries: &js_sys::Array, actions: Actions) {
    let last: Option<IntersectionObserverEntry> = entries.iter().last().map(JsCast::unchecked_into);
    if last
        .is_some_and(|last| !last.is_intersecting() && last.bounding_client_rect().height() > 0.0)
    {
        (actions.left)();
    }
}

/// Adds an entry for a chapter, a part of the lesson or the glossary.
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
    let mut entry = el("li").child(&link);
    if !chapter.matches(".chapter").unwrap_or(false) {
        entry = entry.class("unnumbered");
    }
    append(place, &entry.0);
    // A link from the heading to itself, whose address readers can copy.
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

/// Marks the entry of the current chapter and unmarks the others.
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

fn click(event: &Event, actions: Actions) {
    let Some(element) = event.target().and_then(|t| t.dyn_into::<Element>().ok()) else {
        return;
    };
    let closest = |selector: &str| element.closest(selector).ok().flatten();
    if let Some(button) = closest("[data-set]") {
        press(&button, actions);
    } else if let Some(link) = closest("a[href^='#']")
        && !opens_elsewhere(event)
    {
        let href = link.get_attribute("href").unwrap_or_default();
        let id = href.trim_start_matches('#');
        if document().get_element_by_id(id).is_some() {
            event.prevent_default();
            (actions.visit)(id);
        }
    }
}

/// Scrolls to a chapter or a figure and focuses it.
pub fn reveal(element: &Element) {
    element.scroll_into_view();
    if element.get_attribute("tabindex").is_none() {
        set_attr(element, "tabindex", "-1");
    }
    if let Some(element) = element.dyn_ref::<web_sys::HtmlElement>() {
        let options = web_sys::FocusOptions::new();
        options.set_prevent_scroll(true);
        // Focus may be refused.
        let _ = element.focus_with_options(&options);
    }
}

/// Sets the values in `data-set` on the figure that `data-figure` names, or on the bench, and scrolls to it.
fn press(button: &Element, actions: Actions) {
    let id = button.get_attribute("data-figure").unwrap_or_default();
    let settings = button.get_attribute("data-set").unwrap_or_default();
    let pairs: Vec<_> = form_urlencoded::parse(settings.as_bytes()).collect();
    let pairs: Vec<_> = pairs
        .iter()
        .map(|(n, v)| (n.as_ref(), v.as_ref()))
        .collect();
    (actions.set)(&id, &pairs);
    // If the chapter has a figure in the bench's group, that figure is shown instead of the bench.
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
        scroll_into_view(&figure);
    }
}
