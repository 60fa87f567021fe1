//! The elements of the bench, updated in place.

use super::arrange::set_disabled;
use super::idea::Idea;
use super::own_figure::OwnFigureButton;
use super::scrollbar::Scrollbar;
use super::strip::Strip;
use super::tabs::Tabs;
use super::tour::TourBar;
use crate::draw::{ColourMap, Theme};
use crate::field::{Key, MAX_COMPARED, State, ViewName, parse};
use crate::figures::bench::model::Model;
use crate::figures::bench::{HeatmapView, Scene};
use crate::figures::bench::{descriptions, formula, words};
use crate::text::{Lang, labels};
use crate::web::bench::canvases::BenchCanvas;
use crate::web::bench::controls::Control;
use crate::web::dom::{El, Icon, Slot, append, button, change_attr, set_attr, toggle_attr};
use crate::web::patch::Patch;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlInputElement};

pub struct BenchElements {
    pub(super) root: HtmlElement,
    pub(super) lang: Lang,
    pub controls: Vec<Control>,
    pub figures: Vec<BenchCanvas>,
    pub notices: Element,
    /// Input of a pair to compare.
    pub compared: HtmlInputElement,
    pub(super) chips: Element,
    /// The compared pairs as text, for print.
    pub(super) compared_on_paper: Slot,
    pub(super) add: El,
    /// The compared pairs shown as chips, and whether they are locked.
    pub(super) chips_shown: Option<(Vec<usize>, bool)>,
    /// In the rotation's header, and beside k where that is at the bottom of the screen.
    pub(super) plays: [El; 2],
    pub(super) speed: El,
    pub(super) tools: [El; 2],
    /// Opens the controls that a newcomer does not need.
    pub(super) more: El,
    pub(super) strip: Strip,
    pub(super) tabs: Tabs,
    pub(super) tour: TourBar,
    pub(super) idea: Idea,
    pub(super) link: Slot,
    pub(super) scrollbars: [Scrollbar; 2],
    pub(super) readout: Slot,
    pub(super) downsampling_note: Slot,
    /// Holds a figure of the lesson that is shown alone.
    pub(super) alone: El,
    pub(super) live_region: Slot,
    pub(super) captions: [Slot; 3],
    pub(super) general: Patch,
    pub(super) equation: Patch,
    /// M_k in symbols, and the exactness of the product in a word and in numbers.
    pub(super) matrix: Patch,
    pub(super) product: Element,
    pub(super) exactness: Slot,
    pub(super) residual: Slot,
    pub(super) outside_table_note: Slot,
    pub(super) formula_title: Slot,
    pub(super) formula_panel: Element,
    pub(super) own_figure_button: OwnFigureButton,
    pub(super) formula: [Patch; 3],
}

/// State of the interaction that the page shows beside the model.
pub struct InteractionState {
    pub playing: bool,
    pub zooming: bool,
    /// The cell under the pointer.
    pub hovered: Option<(usize, usize)>,
}

impl BenchElements {
    pub fn root(&self) -> &HtmlElement {
        &self.root
    }

    pub fn lang(&self) -> Lang {
        self.lang
    }

    pub fn figure(&self, name: ViewName) -> &BenchCanvas {
        let figure = self
            .figures
            .iter()
            .find(|figure| figure.figure.name() == name);
        figure.expect("every view is listed")
    }

    /// The heatmap's scene.
    pub fn heatmap_scene<'a>(
        &self,
        model: &'a Model,
        theme: &'a Theme,
        colours: &'a ColourMap,
    ) -> Scene<'a> {
        self.figure(ViewName::Heatmap).scene(model, theme, colours)
    }

    /// Reads the sizes of the canvases from the page; true if one has changed.
    pub fn measure(&mut self, ratio: f64) -> bool {
        let figures = self.figures.iter_mut();
        figures.fold(false, |changed, figure| figure.measure(ratio) | changed)
    }

    /// Draws every view, and places the elements that follow its layout.
    pub fn draw(&mut self, model: &Model, theme: &Theme, colours: &ColourMap) {
        for figure in &mut self.figures {
            figure.draw(model, theme, colours);
        }
        let scene = self.heatmap_scene(model, theme, colours);
        let grain = HeatmapView::grain(&scene);
        let plot = HeatmapView::plot(&scene);
        let sides = (HeatmapView::scrollbar(&scene), scene.frame.height);
        for bar in &mut self.scrollbars {
            bar.show(&model.state, plot, sides);
        }
        let note = words::downsampling_note(self.lang, &grain);
        self.downsampling_note.set(&note.unwrap_or_default());
    }

    /// Writes every text that has changed; `editing` is the input being edited, if any.
    pub fn write(
        &mut self,
        model: &Model,
        interaction: &InteractionState,
        editing: Option<&Element>,
    ) {
        let state = &model.state;
        for control in &mut self.controls {
            control.show(state, editing);
        }
        self.compared.set_max(&state.last_pair().to_string());
        self.show_buttons(interaction);
        self.show_chips(state);

        let (position, dimension) = interaction
            .hovered
            .unwrap_or((state.pos(), model.dimension()));
        self.readout
            .set(&descriptions::cell(model, position, dimension));
        self.captions[0].set(&words::heatmap_caption(model));
        self.captions[2].set(&words::waves_caption(model));
        self.residual
            .set(&words::residual(model).unwrap_or_default());

        // While a pair is hovered, product and formula are those of that pair, and name it.
        let pointed = model.pointed();
        let rotated = pointed
            .as_ref()
            .filter(|pointed| pointed.rotated_pair().is_some());
        let in_product = rotated.unwrap_or(model);
        self.point_out(&self.product, rotated);
        self.point_out(&self.formula_panel, pointed.as_ref());
        match in_product.rotated_pair() {
            Some((_, block)) => {
                self.general
                    .set(Some(formula::product_in_names(in_product)), None);
                self.equation
                    .set(Some(formula::product_in_numbers(in_product, block)), None);
                self.matrix
                    .set(Some(formula::matrix_in_letters(model)), None);
            }
            None => {
                for slot in [&mut self.general, &mut self.equation, &mut self.matrix] {
                    slot.set(None, None);
                }
            }
        }
        let (exactness, outside) = (words::exactness(model), words::outside_table_note(model));
        let turns = exactness.is_some();
        toggle_attr(&self.product, "hidden", !turns);
        self.exactness.set(&exactness.unwrap_or_default());
        // To avoid layout shift, the note is shown only where there is no picture, or inside the chip.
        let outside = outside.unwrap_or_default();
        self.outside_table_note.set(&outside);
        let shift = words::rotation_caption(model);
        self.captions[1].set(&match turns {
            true => shift,
            false => format!("{shift} {outside}"),
        });
        let mut first = true;
        for figure in &mut self.figures {
            let absent = !model.shows(figure.figure.name());
            figure.set_absent(absent);
            if absent && std::mem::take(&mut first) {
                self.own_figure_button
                    .show_in(&figure.stage, state.encoding());
            }
        }
        if first {
            self.own_figure_button.hide();
        }
        let in_formula = pointed.as_ref().unwrap_or(model);
        self.formula_title.set(match pointed {
            Some(_) => labels::POINTED_AT.get(self.lang),
            None => words::formula_title(model),
        });
        let lines = [
            formula::cell(in_formula),
            formula::general(in_formula),
            formula::in_numbers(in_formula),
        ];
        for (slot, line) in self.formula.iter_mut().zip(lines) {
            slot.set(Some(line), None);
        }
    }

    /// Names in a part of the page the pair that it shows while that is pointed at.
    fn point_out(&self, part: &Element, pointed: Option<&Model>) {
        let name = pointed.map(|model| labels::pair_tag(self.lang, model.state.pair()));
        if name == part.get_attribute("data-pointed") {
            return;
        }
        match name {
            Some(name) => set_attr(part, "data-pointed", &name),
            // Removing an attribute does not fail.
            None => drop(part.remove_attribute("data-pointed")),
        }
    }

    /// Updates the link and the descriptions when the debounce is due.
    pub fn write_debounced(&mut self, model: &Model, link: &str) {
        self.link.set_attr("href", link);
        for figure in &mut self.figures {
            let words = match figure.figure.name() {
                ViewName::Heatmap => descriptions::describe_heatmap(model),
                ViewName::Waves => descriptions::describe_waves(model),
                _ => descriptions::describe_rotation(model),
            };
            figure.describe(&words);
        }
    }

    /// Writes the compared pairs as text, which is printed in place of their buttons.
    pub fn write_print_text(&mut self, state: &State) {
        let compared = labels::compared(self.lang, state.compare());
        self.compared_on_paper.set(&compared);
    }

    /// Focuses the input of a setting.
    pub fn focus(&self, name: &str) {
        let selector = format!("[name={name}]:not([type=range])");
        let found = self.root.query_selector(&selector).ok().flatten();
        if let Some(element) = found.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
            // Focus may be refused.
            let _ = element.focus();
        }
    }

    /// Announces the selection in the live region.
    pub fn announce_selection(&mut self, model: &Model) {
        self.live_region.set(&descriptions::selection(model));
    }

    fn show_buttons(&self, interaction: &InteractionState) {
        let (icon, words) = if interaction.playing {
            (Icon::Pause, labels::PAUSE)
        } else {
            (Icon::Play, labels::PLAY)
        };
        let words = words.get(self.lang);
        for play in &self.plays {
            if play.0.get_attribute("aria-label").as_deref() != Some(words) {
                let play = play.clone().icon(icon);
                play.attr("aria-label", words).attr("title", words);
            }
        }
        for (tool, on) in self
            .tools
            .iter()
            .zip([!interaction.zooming, interaction.zooming])
        {
            change_attr(&tool.0, "aria-pressed", if on { "true" } else { "false" });
        }
    }

    fn show_chips(&mut self, state: &State) {
        let shown = (state.compare().to_vec(), state.locks(Key::Compare));
        if self.chips_shown.as_ref() == Some(&shown) {
            return;
        }
        let locked = shown.1;
        self.chips.set_text_content(None);
        for &pair in state.compare() {
            let words = labels::stop_comparing(self.lang, pair);
            let symbol = format!("{} ×", labels::pair_tag(self.lang, pair));
            let chip = button("compare-less", &symbol)
                .class("chip")
                .attr("value", &pair.to_string());
            let chip = chip.attr("aria-label", &words).attr("title", &words);
            set_disabled(&chip.0, locked);
            append(&self.chips, &chip.0);
        }
        let full = state.compare().len() == MAX_COMPARED;
        set_disabled(&self.add.0, full || locked);
        self.compared.set_disabled(locked);
        let reason = if full {
            labels::NO_MORE.get(self.lang)
        } else {
            ""
        };
        set_attr(&self.add.0, "title", reason);
        self.chips_shown = Some(shown);
    }

    pub fn speed_value(&self) -> f64 {
        let value = self.speed.cast::<web_sys::HtmlSelectElement>().value();
        parse::number(&value).unwrap_or(1.0)
    }

    pub fn set_speed(&self, speed: f64) {
        self.speed
            .cast::<web_sys::HtmlSelectElement>()
            .set_value(&speed.to_string());
    }
}
