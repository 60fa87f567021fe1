//! The clipboard, where there is one.

use super::dom::window;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::Clipboard;

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
