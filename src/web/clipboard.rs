//! The clipboard, where there is one.

use super::dom::{el, window};
use gloo_timers::future::TimeoutFuture;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Clipboard, Element, HtmlElement};

/// Begins to put a text on the clipboard, at once, since browsers allow it only while an event is
/// handled; the future is whether that worked.
pub fn copy(text: &str) -> impl Future<Output = bool> + use<> {
    // Absent outside secure contexts, whatever its type says.
    let clipboard = js_sys::Reflect::get(&window().navigator(), &"clipboard".into());
    let copying = clipboard
        .ok()
        .filter(|clipboard| clipboard.is_object())
        .map(|clipboard| clipboard.unchecked_into::<Clipboard>().write_text(text));
    async move {
        match copying {
            Some(promise) => JsFuture::from(promise).await.is_ok(),
            None => false,
        }
    }
}

/// Shows a text below `above`, selected, so that it can be copied by hand, until the focus goes elsewhere.
pub async fn offer(text: &str, words: &str, above: &Element) {
    let field = el("textarea")
        .class("by-hand-copy")
        .attr("readonly", "")
        .attr("aria-label", words)
        .attr("rows", "2")
        .text(text);
    let (field, element): (HtmlElement, Element) = (field.cast(), field.0);
    // The figure may have gone in the meantime.
    if above.insert_adjacent_element("afterend", &element).is_err() {
        return;
    }
    // A page that may not take the focus still shows the text.
    let _ = field.focus();
    let select = js_sys::Reflect::get(&element, &"select".into());
    if let Ok(select) = select.and_then(JsCast::dyn_into::<js_sys::Function>) {
        let _ = select.call0(&element);
    }
    loop {
        TimeoutFuture::new(400).await;
        if !element.matches(":focus").unwrap_or_default() {
            break;
        }
    }
    element.remove();
}
