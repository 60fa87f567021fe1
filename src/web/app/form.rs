//! Sliders, boxes, lists and buttons: what they change.

use super::{App, Edit, element_of, with};
use crate::settings::{Key, State};
use crate::text;
use crate::web::controls::slider_text;
use crate::web::dom::window;
use crate::web::notices::Notices;
use crate::web::pointer;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlInputElement, HtmlSelectElement};

impl App {
    pub(super) fn input(&mut self, event: &Event, finished: bool) {
        let Some(element) = element_of(event) else {
            return;
        };
        if element.has_attribute("data-speed") {
            self.player.speed = self.page.speed_value();
            return;
        }
        let Some(key) = element
            .get_attribute("name")
            .and_then(|name| Key::named(&name))
        else {
            return;
        };
        if let Some(list) = element.dyn_ref::<HtmlSelectElement>() {
            self.state.apply(key, &list.value());
            self.edit = None;
            self.settle_page();
        } else if let Some(input) = element.dyn_ref::<HtmlInputElement>() {
            let slider = input.type_() == "range";
            let text = if slider {
                slider_text(key, &input.value())
            } else {
                input.value()
            };
            self.edit(key, &text, !slider, finished);
        }
        self.redraw(event);
    }

    fn edit(&mut self, key: Key, text: &str, typed: bool, finished: bool) {
        let going_on = self
            .edit
            .take()
            .filter(|edit| edit.key == key && !self.player.playing);
        let before = going_on.map_or_else(|| self.state.clone(), |edit| edit.before);
        let mut state = before.clone();
        let problem = state.apply(key, text);
        if finished {
            self.state = state;
            if let Some(control) = self
                .page
                .controls
                .iter_mut()
                .find(|control| control.key() == key)
            {
                control.forget();
            }
            if problem.is_some() {
                self.notices.add(problem);
                self.notices.show(&self.page.notices, self.page.lang());
            }
            return;
        }
        // Half a number is not wrong yet.
        if problem.is_none() {
            self.state = state;
        }
        self.edit = Some(Edit { key, before, typed });
    }

    pub(super) fn click(&mut self, event: &Event) {
        let Some(button) =
            element_of(event).and_then(|e| e.closest("[data-action]").ok().flatten())
        else {
            return;
        };
        let action = button.get_attribute("data-action").unwrap_or_default();
        let value = button.get_attribute("value").unwrap_or_default();
        match action.as_str() {
            "play" if self.player.playing => self.stop(),
            "play" => self.player.start(),
            "back" | "on" => {
                self.stop();
                let step = if action == "on" { 1 } else { -1 };
                self.state.set_pos(self.state.pos() as i64 + step);
            }
            "select-tool" => self.zooming = false,
            "zoom-tool" => self.zooming = true,
            "zoom-in" => pointer::zoom(&mut self.state, &self.model, 0.5, None),
            "zoom-out" => pointer::zoom(&mut self.state, &self.model, 2.0, None),
            "show-all" => self.state.show_everything(),
            "compare" => self.compare(),
            "compare-less" => self
                .state
                .toggle_compared(value.parse().unwrap_or_default()),
            "dismiss" => {
                self.notices.dismiss(&value);
                self.notices.show(&self.page.notices, self.page.lang());
            }
            "reset" => self.reset(),
            "link" => {
                event.prevent_default();
                self.copy_link(button);
            }
            _ => return,
        }
        self.edit = None;
        self.redraw(event);
    }

    /// Everything as at first, but for the language and the theme.
    fn reset(&mut self) {
        self.stop();
        let kept =
            [Key::View, Key::Lang, Key::Theme, Key::Hide].map(|key| (key, self.state.text(key)));
        self.state = State::default();
        for (key, text) in kept {
            self.state.apply(key, &text);
        }
        self.notices = Notices::default();
        self.zooming = false;
        self.settle_page();
    }

    pub(super) fn compare(&mut self) {
        let mut asked = State::default();
        asked.apply(Key::DModel, &self.state.text(Key::DModel));
        let problem = asked.apply(Key::Pair, &self.page.compared.value());
        if !self.state.compare().contains(&asked.pair()) {
            self.state.toggle_compared(asked.pair());
        }
        if let Some(problem) = problem {
            self.page.compared.set_value(&problem.used);
            self.notices.add([problem]);
            self.notices.show(&self.page.notices, self.page.lang());
        }
    }

    fn copy_link(&mut self, button: Element) {
        let link = self.address.of(&self.state);
        let (me, lang) = (self.me.clone(), self.page.lang());
        // Absent outside secure contexts, whatever its type says.
        let clipboard = js_sys::Reflect::get(&window().navigator(), &"clipboard".into());
        let copying = clipboard
            .ok()
            .filter(|clipboard| clipboard.is_object())
            .map(|clipboard| {
                clipboard
                    .unchecked_into::<web_sys::Clipboard>()
                    .write_text(&link)
            });
        wasm_bindgen_futures::spawn_local(async move {
            let copied = match copying {
                Some(promise) => wasm_bindgen_futures::JsFuture::from(promise).await.is_ok(),
                None => false,
            };
            if copied {
                button.set_text_content(Some(text::COPIED.get(lang)));
                gloo_timers::future::TimeoutFuture::new(1500).await;
                button.set_text_content(Some(text::COPY_LINK.get(lang)));
            } else {
                with(&me, |app| {
                    app.notices.offer_link(link);
                    app.notices.show(&app.page.notices, lang);
                });
            }
        });
    }
}
