//! The elements of the bench, which are written to where they change.

use super::arrange::disable;
use super::idea::Idea;
use super::own_figure::Instead;
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
use crate::web::bench::canvases::FigureElement;
use crate::web::bench::controls::Control;
use crate::web::dom::{El, Icon, Slot, append, button, change_attr, set_attr, toggle_attr};
use crate::web::patch::Patch;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlInputElement};

pub struct Page {
    pub(super) root: HtmlElement,
    pub(super) lang: Lang,
    pub controls: Vec<Control>,
    pub figures: Vec<FigureElement>,
    pub notices: Element,
    /// Where the pair to compare is written.
    pub compared: HtmlInputElement,
    pub(super) chips: Element,
    /// The pairs among the chips, in words for paper.
    pub(super) compared_on_paper: Slot,
    pub(super) add: El,
    /// The pairs among the chips, and whether they can be changed.
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
    pub(super) averaged: Slot,
    /// Holds a figure of the lesson that is shown alone.
    pub(super) alone: El,
    pub(super) live: Slot,
    pub(super) look: [Slot; 3],
    pub(super) general: Patch,
    pub(super) equation: Patch,
    /// M_k in letters, and how exact the product is, in a word and in numbers.
    pub(super) matrix: Patch,
    pub(super) product: Element,
    pub(super) verdict: Slot,
    pub(super) residual: Slot,
    pub(super) outside: Slot,
    pub(super) formula_title: Slot,
    pub(super) instead: Instead,
    pub(super) formula: [Patch; 3],
}

/// What the page shows beside the model.
pub struct Passing {
    pub playing: bool,
    pub zooming: bool,
    /// The cell under the pointer.
    pub hovered: Option<(usize, usize)>,
}

impl Page {
    pub fn root(&self) -> &HtmlElement {
        &self.root
    }

    pub fn lang(&self) -> Lang {
        self.lang
    }

    pub fn figure(&self, name: ViewName) -> &FigureElement {
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

    /// Gives the pictures the size of their places on the page; true if one has another size now.
    pub fn fit(&mut self, ratio: f64) -> bool {
        let figures = self.figures.iter_mut();
        figures.fold(false, |changed, figure| figure.fit(ratio) | changed)
    }

    /// Draws every figure, and puts beside the pictures what stands where they have put it.
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
        let averaged = words::downsampling_note(self.lang, &grain);
        self.averaged.set(&averaged.unwrap_or_default());
    }

    /// Writes every word and number that has changed; `written` is the box that is being written in, if one is.
    pub fn write(&mut self, model: &Model, passing: &Passing, written: Option<&Element>) {
        let state = &model.state;
        for control in &mut self.controls {
            control.show(state, written);
        }
        self.compared.set_max(&state.last_pair().to_string());
        self.show_buttons(passing);
        self.show_chips(state);

        let (position, dimension) = passing.hovered.unwrap_or((state.pos(), model.dimension()));
        self.readout
            .set(&descriptions::cell(model, position, dimension));
        self.look[0].set(&words::heatmap_caption(model));
        self.look[2].set(&words::waves_caption(model));
        self.residual
            .set(&words::residual(model).unwrap_or_default());

        match model.rotated_pair() {
            Some((_, block)) => {
                self.general
                    .set(Some(formula::product_in_names(model)), None);
                self.equation
                    .set(Some(formula::product_in_numbers(model, block)), None);
                self.matrix
                    .set(Some(formula::matrix_in_letters(model)), None);
            }
            None => {
                for slot in [&mut self.general, &mut self.equation, &mut self.matrix] {
                    slot.set(None, None);
                }
            }
        }
        let (verdict, outside) = (words::exactness(model), words::outside_table_note(model));
        let turns = verdict.is_some();
        toggle_attr(&self.product, "hidden", !turns);
        self.verdict.set(&verdict.unwrap_or_default());
        // A sentence that comes and goes would move the pictures: it is where there is no picture, or behind the chip.
        let outside = outside.unwrap_or_default();
        self.outside.set(&outside);
        let shift = words::rotation_caption(model);
        self.look[1].set(&match turns {
            true => shift,
            false => format!("{shift} {outside}"),
        });
        let mut first = true;
        for figure in &mut self.figures {
            let absent = !model.shows(figure.figure.name());
            figure.set_absent(absent);
            if absent && std::mem::take(&mut first) {
                self.instead.show_in(&figure.stage, state.encoding());
            }
        }
        if first {
            self.instead.hide();
        }
        self.formula_title.set(words::formula_title(model));
        let lines = [
            formula::cell(model),
            formula::general(model),
            formula::in_numbers(model),
        ];
        for (slot, line) in self.formula.iter_mut().zip(lines) {
            slot.set(Some(line), None);
        }
    }

    /// Writes what need not follow every frame.
    pub fn settle(&mut self, model: &Model, link: &str) {
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

    /// Writes the pairs that are compared as the words that are printed in place of their buttons.
    pub fn put_on_paper(&mut self, state: &State) {
        let compared = labels::compared(self.lang, state.compare());
        self.compared_on_paper.set(&compared);
    }

    /// Puts the focus on the box of a setting.
    pub fn focus(&self, name: &str) {
        let selector = format!("[name={name}]:not([type=range])");
        let found = self.root.query_selector(&selector).ok().flatten();
        if let Some(element) = found.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
            // A page that may not take the focus goes on without.
            let _ = element.focus();
        }
    }

    /// Has a screen reader say the selection.
    pub fn speak(&mut self, model: &Model) {
        self.live.set(&descriptions::selection(model));
    }

    fn show_buttons(&self, passing: &Passing) {
        let (icon, words) = if passing.playing {
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
        for (tool, on) in self.tools.iter().zip([!passing.zooming, passing.zooming]) {
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
            disable(&chip.0, locked);
            append(&self.chips, &chip.0);
        }
        let full = state.compare().len() == MAX_COMPARED;
        disable(&self.add.0, full || locked);
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
