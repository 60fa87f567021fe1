//! Form events: applies controls and buttons to the state.

use super::formula_panel::FormulaTab;
use super::notices::Notices;
use super::{BenchController, PAGE_SETTINGS, affects_page, element_of, with};
use crate::field::{Diagnostic, MAX_COMPARED, SettingId, State};
use crate::session::Entered;
use crate::session::bench::gestures;
use crate::text::labels;
use crate::web::clipboard;
use web_sys::{Element, Event};

impl BenchController {
    pub(super) fn input(&mut self, event: &Event, finished: bool) {
        let Some(element) = element_of(event) else {
            return;
        };
        if element.has_attribute("data-speed") {
            self.playback.speed = self.page.play.speed();
            return;
        }
        let entered = self
            .editing
            .enter(&element, finished, self.state.values_mut());
        let Some(entered) = entered else { return };
        if entered.finished {
            self.commit_field(&entered);
        }
        self.redraw(event);
    }

    /// Handles `change`: the edit of a setting is complete.
    fn commit_field(&mut self, entered: &Entered) {
        let name = entered.field.name;
        let mut controls = self.page.controls.iter_mut();
        if let Some(control) = controls.find(|control| control.key().name() == name) {
            control.forget();
        }
        if self.notices.resolve(name) || entered.problem.is_some() {
            self.notices.add(entered.problem.clone());
            self.notices.show(&self.page.notices, self.page.lang());
        }
        if SettingId::named(name).is_some_and(affects_page) {
            self.apply_page_settings();
        }
    }

    pub(super) fn click(&mut self, event: &Event) {
        self.close_others(event);
        let Some(button) =
            element_of(event).and_then(|e| e.closest("[data-action]").ok().flatten())
        else {
            return;
        };
        let action = button.get_attribute("data-action").unwrap_or_default();
        let value = button.get_attribute("value").unwrap_or_default();
        match action.as_str() {
            "play" | "play-beside-k" if self.playback.playing => self.stop(),
            "play" | "play-beside-k" => self.start(),
            "previous" | "next" => {
                self.stop();
                let step = if action == "next" { 1 } else { -1 };
                self.state.set_pos(self.state.pos() as i64 + step);
            }
            "apply" => self.apply_shift(),
            "more" => self.toggle_more(),
            "panel" => self.toggle_panel(&value),
            "formula-tab" => {
                if let Some(tab) = FormulaTab::named(&value) {
                    self.page.formula.show(tab);
                }
            }
            "tour-next" => self.next_step(),
            "tour-show" => self.show_answer(),
            "tour-jump" => self.jump(),
            "tour-skip" => self.end_tour(),
            // A tool is used on the heatmap, which the menu would cover.
            "select-tool" | "zoom-tool" => {
                self.zooming = action == "zoom-tool";
                self.close_popup();
            }
            "zoom-in" => gestures::zoom(&mut self.state, &self.model, 0.5, None),
            "zoom-out" => gestures::zoom(&mut self.state, &self.model, 2.0, None),
            "show-all" => self.state.show_everything(),
            "compare" => self.compare(),
            "compare-less" => {
                self.state
                    .toggle_compared(value.parse().unwrap_or_default());
                // The focused button is removed with its pair.
                let _ = self.page.compare.input.focus();
            }
            "dismiss" => {
                let first = self.notices.dismiss();
                self.notices.show(&self.page.notices, self.page.lang());
                self.page.focus(first.unwrap_or(SettingId::DModel.name()));
            }
            "reset" => self.reset(),
            "visit" => self.visit(&value),
            "link" => {
                event.prevent_default();
                self.copy_link(button);
            }
            _ => return,
        }
        self.editing.stop();
        self.redraw(event);
    }

    /// Resets everything to its initial state, except for [`PAGE_SETTINGS`].
    pub(super) fn reset(&mut self) {
        self.stop();
        let kept = PAGE_SETTINGS.map(|key| (key, self.state.text(key)));
        self.state = State::default();
        for (key, text) in kept {
            self.state.apply(key, &text);
        }
        self.notices = Notices::default();
        self.zooming = false;
        self.address.leave();
        self.apply_page_settings();
    }

    pub(super) fn compare(&mut self) {
        if self.state.compare().len() == MAX_COMPARED {
            return;
        }
        let input = self.page.compare.input.value();
        let mut state = self.state.clone();
        let problem = state.apply(SettingId::Pair, &input);
        let pair = state.pair();
        if problem.is_none() && !self.state.compare().contains(&pair) {
            self.state.toggle_compared(pair);
        }
        let changed = self.notices.resolve(SettingId::Compare.name()) || problem.is_some();
        self.notices.add(problem.map(|bad| {
            Diagnostic::new(
                SettingId::Compare.name(),
                bad.kind,
                &input,
                self.state.text(SettingId::Compare),
            )
        }));
        if changed {
            self.notices.show(&self.page.notices, self.page.lang());
        }
    }

    fn copy_link(&mut self, button: Element) {
        let link = self.address.of(&self.state);
        let (weak, lang) = (self.weak_self.clone(), self.page.lang());
        let copying = clipboard::copy(&link);
        wasm_bindgen_futures::spawn_local(async move {
            if copying.await {
                button.set_text_content(Some(labels::COPIED.get(lang)));
                gloo_timers::future::TimeoutFuture::new(1500).await;
                button.set_text_content(Some(labels::COPY_LINK.get(lang)));
            } else {
                with(&weak, |app| {
                    app.notices.offer_link(link);
                    app.notices.show(&app.page.notices, lang);
                });
            }
        });
    }
}
