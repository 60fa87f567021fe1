//! Form events: controls and buttons.

use super::formula_panel::FormulaTab;
use super::notices::Notices;
use super::{BenchController, element_of, with_bench};
use crate::field::{SettingId, State};
use crate::session::bench::Event;
use crate::text::labels;
use crate::web::{clipboard, control};
use web_sys::{Element, Event as DomEvent};

impl BenchController {
    pub(super) fn control_input(&mut self, event: &DomEvent, finished: bool) {
        let Some(element) = element_of(event) else {
            return;
        };
        if element.has_attribute("data-speed") {
            self.session.set_speed(self.page.play.speed());
            return;
        }
        let fields = self.session.state().values().fields();
        let Some((field, text, control)) = control::read(&element, fields) else {
            return;
        };
        self.edited = Some(element);
        let effects = self.session.handle(Event::Control {
            field,
            text: &text,
            control,
            finished,
        });
        self.apply(effects, Some(event));
    }

    pub(super) fn click(&mut self, event: &DomEvent) {
        self.close_others(event);
        let Some(button) =
            element_of(event).and_then(|e| e.closest("[data-action]").ok().flatten())
        else {
            return;
        };
        let action = button.get_attribute("data-action").unwrap_or_default();
        let value = button.get_attribute("value").unwrap_or_default();
        let input = match action.as_str() {
            "play" | "play-beside-k" => Some(Event::Play(!self.session.is_playing())),
            "previous" => Some(Event::Shift(-1)),
            "next" => Some(Event::Shift(1)),
            "apply" => Some(Event::ApplyShift),
            "tour-next" => Some(Event::NextStep),
            "tour-show" => Some(Event::ShowAnswer),
            "tour-jump" => Some(Event::Jump),
            "tour-skip" => Some(Event::EndTour),
            // A tool is used on the heatmap, which the menu would cover.
            "select-tool" | "zoom-tool" => {
                self.close_popup();
                let zooms = action == "zoom-tool";
                Some(Event::Tool { zooms })
            }
            "zoom-in" => Some(Event::Zoom(0.5)),
            "zoom-out" => Some(Event::Zoom(2.0)),
            "show-all" => Some(Event::ShowEverything),
            "compare-less" => {
                // The focused button is removed with its pair.
                let _ = self.page.compare.input.focus();
                Some(Event::CompareLess(value.parse().unwrap_or_default()))
            }
            _ => {
                match action.as_str() {
                    "more" => self.toggle_more(),
                    "panel" => self.toggle_panel(&value),
                    "formula-tab" => {
                        if let Some(tab) = FormulaTab::named(&value) {
                            self.page.formula.show(tab);
                        }
                    }
                    "compare" => self.compare(),
                    "dismiss" => {
                        let first = self.notices.dismiss();
                        self.notices.show(&self.page.notices, self.page.lang());
                        let control = |name| format!("[name={name}]:not([type=range])");
                        let d_model = SettingId::DModel.name();
                        self.page.focus(
                            &[
                                &control(first.unwrap_or(d_model)),
                                &control(d_model),
                                "canvas.data",
                                ".alone",
                            ],
                            true,
                        );
                    }
                    "reset" => self.reset(&State::default(), false),
                    "visit" => self.visit(&value),
                    "link" => {
                        event.prevent_default();
                        self.copy_link(button);
                    }
                    _ => return,
                }
                None
            }
        };
        if let Some(input) = input {
            self.handle(input);
        }
        self.session.stop_editing();
        self.redraw(event);
    }

    pub(super) fn reset(&mut self, to: &State, by_script: bool) {
        self.notices = Notices::default();
        self.address.leave();
        self.handle(Event::Reset { to, by_script });
    }

    pub(super) fn compare(&mut self) {
        let input = self.page.compare.input.value();
        self.handle(Event::Compare(&input));
    }

    fn copy_link(&mut self, button: Element) {
        let link = self.address.of(self.session.state());
        let (weak, lang) = (self.weak_self.clone(), self.page.lang());
        let copying = clipboard::copy(&link);
        wasm_bindgen_futures::spawn_local(async move {
            if copying.await {
                button.set_text_content(Some(labels::COPIED.get(lang)));
                gloo_timers::future::TimeoutFuture::new(1500).await;
                button.set_text_content(Some(labels::COPY_LINK.get(lang)));
            } else {
                with_bench(&weak, |app| {
                    app.notices.offer_link(link);
                    app.notices.show(&app.page.notices, lang);
                });
            }
        });
    }
}
