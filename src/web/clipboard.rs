//! The clipboard, where there is one.

use super::dom::{el, window};
use crate::text::{Lang, labels};
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

/// Puts a text on the clipboard, as the button says for a moment; where that is refused, it offers the text to be copied by hand.
pub fn copy_or_offer(text: &str, button: Element, words: &'static str, lang: Lang) {
    let copying = copy(text);
    let text = text.to_string();
    wasm_bindgen_futures::spawn_local(async move {
        if copying.await {
            button.set_text_content(Some(labels::COPIED_SHORT.get(lang)));
            TimeoutFuture::new(1500).await;
        } else {
            button.set_text_content(Some(labels::COPY_REFUSED.get(lang)));
            let part = button.closest(".figure > *").ok().flatten();
            let place = part.unwrap_or(button.clone());
            offer(&text, words, &place).await;
        }
        button.set_text_content(Some(words));
    });
}

/// Shows a text below `above`, selected, so that it can be copied by hand, until the focus goes elsewhere.
async fn offer(text: &str, words: &str, above: &Element) {
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
