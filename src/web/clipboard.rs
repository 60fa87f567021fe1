//! Writes to the clipboard, where the browser provides one.

use super::dom::{el, window};
use crate::text::{Lang, labels};
use gloo_timers::future::TimeoutFuture;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Clipboard, Element, HtmlElement};

/// Starts to write a text to the clipboard. The call itself must be made while an event is handled, since browsers
/// allow it only then; the future resolves to whether it succeeded.
pub fn copy(text: &str) -> impl Future<Output = bool> + use<> {
    // `undefined` outside secure contexts, although its type in web-sys does not say so.
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

/// Copies a text to the clipboard and confirms that on the button for 1.5 seconds. If the browser refuses, the text is
/// shown for copying by hand.
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

/// Shows a selected text below `above` for copying by hand, until it loses the focus.
async fn offer(text: &str, words: &str, above: &Element) {
    let field = el("textarea")
        .class("by-hand-copy")
        .attr("readonly", "")
        .attr("aria-label", words)
        .attr("rows", "2")
        .text(text);
    let (field, element): (HtmlElement, Element) = (field.cast(), field.0);
    // The figure may have been removed in the meantime.
    if above.insert_adjacent_element("afterend", &element).is_err() {
        return;
    }
    // If the page may not take the focus, the text is still shown.
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
