//! Popups: the menu, the panel "More" and the residual. They close when something outside is pressed or focused, and on
//! Escape.

use super::{BenchController, element_of};
use crate::web::dom::{close, set_attr, toggle_attr};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement};

/// The open popups that are `<details>` elements: the menu, the residual and the field for words.
const POPUPS: &str = "details.menu[open], details.exact[open], details.edit[open]";

impl BenchController {
    pub(super) fn toggle_more(&self) {
        let open = self.page.root().has_attribute("data-more");
        self.show_more(!open);
    }

    fn show_more(&self, open: bool) {
        set_attr(&self.page.more.0, "aria-expanded", &open.to_string());
        toggle_attr(self.page.root(), "data-more", open);
    }

    /// Closes every popup that does not contain the element that was pressed or focused.
    pub(super) fn close_others(&self, event: &Event) {
        let pressed = element_of(event);
        let within = |other: &Element| pressed.as_ref().is_some_and(|it| other.contains(Some(it)));
        if let Some(popup) = self.popup()
            && !within(&popup)
        {
            close(&popup);
        }
        let form = self.page.more.0.parent_element();
        if !form.as_ref().is_some_and(within) && self.page.root().has_attribute("data-more") {
            self.show_more(false);
        }
    }

    /// Closes the open popup on Escape and returns the focus to its button; false if none is open.
    pub(super) fn close_popup(&self) -> bool {
        let opener = if let Some(popup) = self.popup() {
            close(&popup);
            popup.query_selector("summary").ok().flatten()
        } else if self.page.root().has_attribute("data-more") {
            self.show_more(false);
            Some(self.page.more.0.clone())
        } else {
            return false;
        };
        if let Some(opener) = opener.and_then(|it| it.dyn_into::<HtmlElement>().ok()) {
            // Focus may be refused.
            let _ = opener.focus();
        }
        true
    }

    pub(super) fn menu_is_open(&self) -> bool {
        self.popup()
            .is_some_and(|popup| popup.class_name() == "menu")
    }

    pub(super) fn show_menu(&self, open: bool) {
        // The selector is valid.
        if let Ok(Some(menu)) = self.page.root().query_selector("details.menu") {
            toggle_attr(&menu, "open", open);
        }
    }

    fn popup(&self) -> Option<Element> {
        self.page.root().query_selector(POPUPS).ok().flatten()
    }
}
