//! Effects of the state beyond the next frame: language, theme, hidden controls, the place on the page and the address.

use super::BenchController;
use super::elements::BenchElements;
use crate::draw::Theme;
use crate::field::ThemeName;
use crate::text::Lang;
use crate::web::dom::{browser_lang, change_attr, change_or_remove_attr, document};
use crate::web::figure;
use crate::web::frames::now;
use crate::web::page::address::{Address, entry_has_state};
use crate::web::page::contents;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

impl BenchController {
    /// Scrolls to a chapter or a figure and sets it in the address; Back returns to the reader's current position.
    pub(super) fn visit(&mut self, place: &str) {
        if document().get_element_by_id(place).is_none() {
            return;
        }
        self.session.stop_editing();
        self.address.write(self.session.state());
        self.address.visit(place);
        self.save_recovery_hash();
        if !self.address.matches(self.session.state()) {
            // Pushed before the page scrolls, since the browser stores the current scroll position with the entry that
            // is left.
            self.address.push(self.session.state());
        }
        self.go_to_place(true);
    }

    /// Scrolls to the place that the address names, if `reveals`. The address names it until the reader leaves it.
    pub(super) fn go_to_place(&mut self, reveals: bool) {
        let Some(place) = self.address.place() else {
            return;
        };
        if reveals {
            contents::reveal(&place);
        }
        if let Some(contents) = &self.contents {
            contents.watch(&place);
        }
    }

    /// Applies everything that follows from the state but is not drawn: language, theme, hidden controls.
    pub(super) fn apply_page_settings(&mut self) {
        self.notices.add(self.session.remove_unknown_names());
        let lang = self.session.state().lang().unwrap_or_else(browser_lang);
        if lang != self.page.lang() {
            self.rebuild(lang);
        }
        let dark = self.media.dark.matches();
        let system = if dark {
            ThemeName::Dark
        } else {
            ThemeName::Light
        };
        let theme = self.session.state().theme().unwrap_or(system);
        let paper = self.appearance.printing.then_some((ThemeName::Light, 1.0));
        let presentation = paper.or(self.appearance.presentation);
        let (theme, scale) = presentation.unwrap_or((theme, 1.0));
        self.appearance.theme = Theme::customised(theme, self.type_scale(theme, scale), None);
        self.appearance.colours = self.appearance.theme.colour_map();
        if let Some(root) = document().document_element() {
            change_attr(&root, "lang", lang.tag());
            let chosen = presentation.map(|_| theme).or(self.session.state().theme());
            change_or_remove_attr(&root, "data-theme", chosen.map(ThemeName::name));
        }
        let for_figures = self.type_scale_of_figures(theme, scale);
        let fits_window = self.figures_are_projected();
        figure::set_page_appearance(
            lang,
            Theme::customised(theme, for_figures, None),
            fits_window,
        );
        self.page.arrange(self.session.state());
        self.page
            .show_alone(self.session.state(), self.address.figure());
        self.arrange_panels();
        self.page.play.set_speed(self.session.speed());
        self.notices.show(&self.page.notices, lang);
    }

    /// Builds the page again in another language; the focused input is focused again.
    pub(super) fn rebuild(&mut self, lang: Lang) {
        let focused = document()
            .active_element()
            .and_then(|element| element.get_attribute("name"));
        let menu_is_open = self.menu_is_open();
        if let Some(mut page) = BenchElements::build(self.page.root().clone(), lang) {
            self.session.end_presses();
            page.adopt_figure(&self.page);
            page.formula.show(self.page.formula.shown());
            self.page = page;
            if self.contents.is_some() {
                self.page.list(&contents::chapters());
            }
            self.pending.measure = true;
            self.observe_sizes();
            self.show_menu(menu_is_open);
            let again = focused.and_then(|name| {
                let selector = format!("select[name={name}], input[name={name}]");
                self.page.root().query_selector(&selector).ok().flatten()
            });
            if let Some(element) = again.and_then(|element| element.dyn_into::<HtmlElement>().ok())
            {
                let _ = element.focus();
            }
        }
    }

    pub(super) fn read_address(&mut self) {
        if !self.address.has_changed() {
            return;
        }
        self.address = Address::read();
        self.session.replace(self.address.link().state.clone());
        self.notices.dismiss();
        self.notices.add(self.address.link().problems.clone());
        self.save_recovery_hash();
        self.apply_page_settings();
        self.go_to_place(!entry_has_state());
        self.request(None);
    }

    /// Prints in the light theme, synchronously, since no animation frame runs before printing.
    pub(super) fn print(&mut self, on: bool) {
        self.session.rest();
        self.appearance.printing = on;
        self.apply_page_settings();
        if on {
            self.page.compare.write_print_text(self.session.state());
        }
        // What is closed is not printed.
        self.show_menu(on);
        self.pending.redraw = true;
        self.pending.measure = true;
        self.frame(now());
    }
}
