//! The elements of the bench, updated in place.

use super::arrange::all;
use super::chapter_strip::ChapterStrip;
use super::compare_list::CompareList;
use super::formula_panel::FormulaPanel;
use super::heatmap_panel::HeatmapPanel;
use super::own_figure::OwnFigureButton;
use super::play_controls::PlayControls;
use super::tabs::Tabs;
use super::tour::TourBar;
use super::zoom_tools::ZoomTools;
use crate::draw::{ColourMap, Theme};
use crate::field::{SettingId, ViewName};
use crate::figures::bench::model::Model;
use crate::figures::bench::{descriptions, words};
use crate::session::bench::BenchSession;
use crate::text::{Lang, labels};
use crate::web::bench::canvases::BenchCanvas;
use crate::web::bench::controls::Control;
use crate::web::dom::{CachedText, El, document};
use wasm_bindgen::JsCast;
use web_sys::{Element, FocusOptions, HtmlElement};

pub struct BenchElements {
    pub(super) root: HtmlElement,
    pub(super) lang: Lang,
    pub controls: Vec<Control>,
    pub figures: Vec<BenchCanvas>,
    pub notices: Element,
    pub(super) play: PlayControls,
    pub(super) zoom: ZoomTools,
    pub(super) compare: CompareList,
    /// Opens the sheet with the controls of a narrow page.
    pub(super) more: El,
    pub(super) strip: ChapterStrip,
    pub(super) tabs: Tabs,
    pub(super) tour: TourBar,
    pub(super) link: CachedText,
    pub(super) heatmap: HeatmapPanel,
    pub(super) rotation_caption: CachedText,
    pub(super) waves_caption: CachedText,
    pub(super) formula: FormulaPanel,
    pub(super) own_figure_button: OwnFigureButton,
    /// Contains the standalone figure of the lesson, if any.
    pub(super) alone: El,
    pub(super) live_region: CachedText,
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

    /// The control of a setting, if the page has one.
    pub(super) fn control_of(&self, key: SettingId) -> Option<Element> {
        let control = self.controls.iter().find(|control| control.key() == key);
        control.map(|control| control.element().0)
    }

    /// Reads the sizes of the canvases; true if one has changed. `ratio` is in device pixels per CSS pixel.
    pub fn measure(&mut self, ratio: f64, fills_paper: bool) -> bool {
        let figures = self.figures.iter_mut();
        figures.fold(false, |changed, figure| {
            figure.measure(ratio, fills_paper) | changed
        })
    }

    /// Draws every view, and updates the elements that depend on the layout of the heatmap.
    pub fn draw(&mut self, model: &Model, theme: &Theme, colours: &ColourMap) {
        for figure in &mut self.figures {
            figure.draw(model, theme, colours);
        }
        let heatmap = |canvas: &&BenchCanvas| canvas.figure.name() == ViewName::Heatmap;
        if let Some(canvas) = self.figures.iter().find(heatmap) {
            self.heatmap.follow(&canvas.scene(model, theme, colours));
        }
    }

    /// Writes every text that has changed; `editing` is the input being edited, if any.
    pub fn write(&mut self, session: &BenchSession, editing: Option<&Element>) {
        let model = session.model();
        for control in &mut self.controls {
            control.show(&model.state, editing);
        }
        self.play.write(model, session.is_playing());
        self.zoom.write(session.is_zooming());
        self.compare.write(&model.state);
        self.heatmap.write(model, session.hovered());
        self.rotation_caption
            .set(&words::rotation_panel_caption(model));
        self.waves_caption.set(&words::waves_caption(model));
        // While another pair is hovered, product and formula show and name that pair.
        let pointed = model.pointed();
        self.formula.write(model, pointed.as_ref());
        self.update_messages(model);
    }

    /// Marks the views that have nothing to show; the first of them offers a button to the encoding's own figure.
    fn update_messages(&mut self, model: &Model) {
        let mut first = true;
        for figure in &mut self.figures {
            let view = figure.figure.name();
            let shows_message = !model.shows(view);
            figure.set_shows_message(shows_message, model.shows_biases(view));
            if shows_message && std::mem::take(&mut first) {
                self.own_figure_button
                    .show_in(&figure.stage, model.state.encoding());
            }
        }
        if first {
            self.own_figure_button.hide();
        }
    }

    /// Updates the link and the descriptions of the figures; called when the debounce is due.
    pub fn write_debounced(&mut self, model: &Model, link: &str) {
        self.link.set_attr("href", link);
        for figure in &mut self.figures {
            let words = match figure.figure.name() {
                ViewName::Tokens => descriptions::describe_tokens(model),
                ViewName::Heatmap => descriptions::describe_heatmap(model),
                ViewName::Waves => descriptions::describe_waves(model, labels::WAVES_KEYS),
                _ => descriptions::describe_rotation(model),
            };
            figure.describe(&words);
        }
    }

    /// Focuses the first element that takes the focus, in the order of the selectors: one that is hidden does not.
    pub fn focus(&self, selectors: &[&str], scrolls: bool) {
        let options = FocusOptions::new();
        options.set_prevent_scroll(!scrolls);
        let found = selectors
            .iter()
            .flat_map(|selector| all(&self.root, selector));
        for element in found.filter_map(|element| element.dyn_into::<HtmlElement>().ok()) {
            let _ = element.focus_with_options(&options);
            if element.is_same_node(document().active_element().as_deref()) {
                return;
            }
        }
    }

    /// Announces the selection in the live region.
    pub fn announce_selection(&mut self, model: &Model) {
        self.live_region.set(&descriptions::selection(model));
    }
}
