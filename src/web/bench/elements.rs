//! The bench as elements: built whole in one language, then only written to where it changes.

use super::SPEEDS;
use super::arrange::disable;
use super::own_figure::Instead;
use super::scrollbar::{HEATMAP_ID, Scrollbar};
use crate::draw::{ColourMap, Theme};
use crate::field::{Key, MAX_COMPARED, State, ViewName, parse};
use crate::figures::bench::model::Model;
use crate::figures::bench::{BenchFigure, HeatmapView, Scene};
use crate::figures::bench::{formula, words};
use crate::text::{Lang, Text, labels};
use crate::web::bench::canvases::FigureElement;
use crate::web::bench::controls::Control;
use crate::web::dom::{
    El, Icon, Slot, append, button, el, icon_button, kit_button, numbers, set_attr,
};
use crate::web::patch::Patch;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlInputElement};

pub struct Page {
    pub(super) root: HtmlElement,
    lang: Lang,
    pub controls: Vec<Control>,
    pub figures: Vec<FigureElement>,
    pub notices: Element,
    /// Where the pair to compare is written.
    pub compared: HtmlInputElement,
    chips: Element,
    /// The pairs among the chips, in words for paper.
    compared_on_paper: Slot,
    add: El,
    /// The pairs among the chips, and whether they can be changed.
    chips_shown: Option<(Vec<usize>, bool)>,
    /// In the rotation's header, and beside k where that is at the bottom of the screen.
    pub(super) plays: [El; 2],
    speed: El,
    tools: [El; 2],
    link: Slot,
    scrollbars: [Scrollbar; 2],
    readout: Slot,
    averaged: Slot,
    /// Holds a figure of the lesson that is shown alone.
    pub(super) alone: El,
    live: Slot,
    look: [Slot; 3],
    general: Patch,
    equation: Patch,
    residual: Slot,
    outside: Slot,
    formula_title: Slot,
    instead: Instead,
    formula: [Patch; 3],
}

/// What the page shows beside the model.
pub struct Passing {
    pub playing: bool,
    pub zooming: bool,
    /// The cell under the pointer.
    pub hovered: Option<(usize, usize)>,
    /// The setting whose box is being written in.
    pub editing: Option<Key>,
}

impl Page {
    /// Builds the bench inside `root`; `None` where the browser refuses to draw on canvases.
    pub fn build(root: HtmlElement, lang: Lang) -> Option<Page> {
        let mut figures = Vec::new();
        for figure in BenchFigure::all() {
            figures.push(FigureElement::new(figure, lang)?);
        }
        let mut controls = Vec::new();
        let mut control = |key| {
            let (control, element) =
                Control::new(key, lang).expect("numbers and choices have controls");
            controls.push(control);
            element
        };
        let stage = |name: ViewName| {
            let figure = figures.iter().find(|figure| figure.figure.name() == name);
            figure.expect("every view is listed").element()
        };

        let link = el("a")
            .class("button")
            .attr("data-action", "link")
            .attr("data-control", "link")
            .text(labels::COPY_LINK.get(lang));
        let share = kit_button("share", labels::SHARE.get(lang));
        let save = kit_button("save", labels::SAVE.get(lang));
        let reset = button("reset", labels::RESET.get(lang)).attr("data-control", "reset");
        let present =
            kit_button("present", labels::PRESENT.get(lang)).attr("aria-haspopup", "false");
        let tools = el("div").class("tools").children([
            &control(Key::Lang),
            &control(Key::Theme),
            &reset,
            &link,
            &share,
            &save,
            &present,
        ]);
        let title = el("h1").text(TITLE.get(lang));
        let title = el("div")
            .class("title")
            .children([&title, &control(Key::Encoding)]);
        let header = el("header").class("masthead").children([&title, &tools]);
        let main_controls = [
            Key::DModel,
            Key::MaxLen,
            Key::K,
            Key::Pos,
            Key::Pair,
            Key::Base,
        ]
        .map(&mut control);
        let play =
            |action| icon_button(action, Icon::Play, labels::PLAY.get(lang)).class("primary");
        let plays = ["play", "play-beside-k"].map(play);
        append(&main_controls[2].0, &plays[1].0);
        let form = el("form")
            .class("controls")
            .attr("autocomplete", "off")
            .children(&main_controls);
        let notices = el("div").class("notices").attr("role", "status");

        // The heatmap.
        let select = icon_button(
            "select-tool",
            Icon::Crosshair,
            labels::SELECT_TOOL.get(lang),
        );
        let zoom = icon_button("zoom-tool", Icon::Move, labels::ZOOM_TOOL.get(lang));
        let zooming = [
            icon_button("zoom-in", Icon::Plus, labels::ZOOM_IN.get(lang)),
            icon_button("zoom-out", Icon::Minus, labels::ZOOM_OUT.get(lang)),
            icon_button("show-all", Icon::Everything, labels::SHOW_ALL.get(lang)),
        ];
        let zoom_group = el("div")
            .class("group")
            .attr("data-control", "zoom")
            .children([&select, &zoom])
            .children(&zooming);
        let heatmap_tools = el("div").class("tools").children([
            &control(Key::Colour),
            &control(Key::Layout),
            &zoom_group,
        ]);
        let (heatmap, look_heatmap) = panel("heatmap", labels::HEATMAP, lang, &heatmap_tools);
        let scrollbars = [Scrollbar::new(lang, true), Scrollbar::new(lang, false)];
        let heatmap_stage = stage(ViewName::Heatmap)
            .attr("id", HEATMAP_ID)
            .children(scrollbars.iter().map(|bar| &bar.track));
        let (readout, averaged) = (el("b"), el("span"));
        let line = el("p").class("readout").children([&readout, &averaged]);
        let foot = el("div").class("foot").children([&line, &numbers(lang)]);
        let heatmap = heatmap.children([&heatmap_stage, &foot]);

        // The rotation and, beside it, the formula.
        let speed = speeds(lang);
        let playing = el("div")
            .class("tools group")
            .attr("data-control", "play")
            .children([
                &icon_button("back", Icon::Back, labels::STEP_BACK.get(lang)),
                &plays[0],
                &icon_button("on", Icon::On, labels::STEP.get(lang)),
                &speed,
            ]);
        let (rotation, look_rotation) = panel("rotation", labels::ROTATION, lang, &playing);
        let general = el("div").class("equation");
        let equation = el("div").class("equation numbers");
        let residual = el("p").class("residual");
        let outside = el("p").class("residual");
        let words = el("div").class("turn-words").children([
            &general,
            &equation,
            &look_rotation,
            &residual,
            &outside,
        ]);
        let side = el("div").class("side").child(&words);
        let turn = el("div")
            .class("turn")
            .children([&stage(ViewName::Rotation), &side]);
        let rotation = rotation.child(&turn);

        // The formula of the selected cell.
        let cell_name = el("span");
        let cell_kind = el("span");
        let cell_title = el("h2").children([&cell_kind, &cell_name]);
        let cell_tools = el("div").class("tools").child(&control(Key::Member));
        let cell_head = el("header").children([&cell_title, &cell_tools]);
        let cell = ["equation", "equation"].map(|class| el("div").class(class));
        let cell_body = el("div").class("cell").children(&cell);
        let formula = el("section")
            .class("panel formula")
            .children([&cell_head, &cell_body]);

        // The waves.
        let compared = el("input")
            .attr("type", "number")
            .attr("min", "0")
            .attr("step", "1")
            .attr("value", "0")
            .attr("data-compare", "")
            .attr("id", "compare-pair");
        let compare_label = el("label")
            .attr("for", "compare-pair")
            .text(labels::COMPARE.get(lang));
        let add = button("compare", labels::ADD.get(lang));
        let chips = el("span").class("chips");
        let compared_on_paper = el("span").class("on-paper");
        let compare = el("div")
            .class("tools")
            .attr("data-control", "compare")
            .children([&chips, &compared_on_paper, &compare_label, &compared, &add]);
        let legend = [("sine", labels::SINE), ("cosine", labels::COSINE)]
            .map(|(class, name)| el("b").class(class).text(name.get(lang)));
        let legend = el("span")
            .class("legend")
            .attr("data-legend", "")
            .children(&legend);
        let waves_tools = el("div").class("tools").children([&legend, &compare]);
        let (waves, look_waves) = panel("waves", labels::WAVES, lang, &waves_tools);
        let waves = waves.child(&stage(ViewName::Waves));

        let live = el("div").class("unseen").attr("aria-live", "polite");
        let bench = el("div")
            .class("bench")
            .children([&heatmap, &rotation, &waves, &formula]);
        root.set_text_content(None);
        let alone = el("div").class("alone");
        for part in [&header, &form, &notices, &bench, &alone, &live] {
            append(&root, &part.0);
        }
        Some(Page {
            root,
            lang,
            notices: notices.0,
            compared: compared.cast(),
            chips: chips.0,
            compared_on_paper: Slot::new(&compared_on_paper),
            add,
            chips_shown: None,
            plays,
            speed,
            tools: [select, zoom],
            link: Slot::new(&link),
            scrollbars,
            readout: Slot::new(&readout),
            averaged: Slot::new(&averaged),
            alone,
            live: Slot::new(&live),
            look: [&look_heatmap, &look_rotation, &look_waves].map(Slot::new),
            general: Patch::new(&general),
            equation: Patch::new(&equation),
            residual: Slot::new(&residual),
            outside: Slot::new(&outside),
            instead: Instead::new(lang),
            formula_title: Slot::new(&cell_kind),
            formula: [&cell_name, &cell[0], &cell[1]].map(Patch::new),
            controls,
            figures,
        })
    }

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

    /// Draws every figure.
    pub fn draw(&mut self, model: &Model, theme: &Theme, colours: &ColourMap) {
        for figure in &mut self.figures {
            figure.draw(model, theme, colours);
        }
    }

    /// Writes every word and number that has changed.
    pub fn write(&mut self, model: &Model, theme: &Theme, colours: &ColourMap, passing: &Passing) {
        let (state, lang) = (&model.state, self.lang);
        for control in &mut self.controls {
            control.show(state, lang, passing.editing);
        }
        self.compared.set_max(&state.last_pair().to_string());
        self.show_buttons(passing);
        self.show_chips(state);

        let scene = self.heatmap_scene(model, theme, colours);
        let grain = HeatmapView::grain(&scene);
        let (plot, height) = (HeatmapView::plot(&scene), scene.frame.height);
        for bar in &mut self.scrollbars {
            bar.show(state, plot, height);
        }
        let (position, dimension) = passing.hovered.unwrap_or((state.pos(), model.dimension()));
        self.readout.set(&words::cell(model, position, dimension));
        let averaged = words::averaged(lang, &grain);
        self.averaged.set(&averaged.unwrap_or_default());
        self.look[0].set(&words::look_heatmap(model));
        self.look[1].set(&words::look_rotation(model));
        self.look[2].set(&words::look_waves(model));
        self.residual
            .set(&words::residual(model).unwrap_or_default());
        self.outside.set(&words::outside(model).unwrap_or_default());

        match model.turn() {
            Some((_, block)) => {
                self.general
                    .set(Some(formula::rotation_general(model)), None);
                self.equation
                    .set(Some(formula::rotation_in_numbers(model, block)), None);
            }
            None => {
                self.general.set(None, None);
                self.equation.set(None, None);
            }
        }
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
                ViewName::Heatmap => words::describe_heatmap(model),
                ViewName::Waves => words::describe_waves(model),
                _ => words::describe_rotation(model),
            };
            figure.describe(&words);
        }
    }

    /// Writes the values of all controls as the words that are printed in their place.
    pub fn put_on_paper(&mut self, state: &State) {
        for control in &mut self.controls {
            control.put_on_paper(state, self.lang);
        }
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
        self.live.set(&words::selection(model));
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
            let pressed = if on { "true" } else { "false" };
            if tool.0.get_attribute("aria-pressed").as_deref() != Some(pressed) {
                set_attr(&tool.0, "aria-pressed", pressed);
                if on {
                    let tool = if passing.zooming { "zoom" } else { "select" };
                    set_attr(&self.root, "data-tool", tool);
                }
            }
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

const TITLE: Text = Text::new("Positional Encoding Explorer", "位置编码探索台");

/// A panel with its heading, the sentence that says what to look for, and its tools. The sentence
/// of the rotation stands among its numbers instead.
fn panel(name: &str, title: Text, lang: Lang, tools: &El) -> (El, El) {
    let look = el("p").class("look");
    let head = el("header").child(&el("h2").text(title.get(lang)));
    let head = if name == "rotation" {
        head
    } else {
        head.child(&look)
    };
    let panel = el("section").class(&format!("panel {name}"));
    (panel.child(&head.child(tools)), look)
}

fn speeds(lang: Lang) -> El {
    let words = labels::SPEED.get(lang);
    let list = el("select")
        .attr("data-speed", "")
        .attr("aria-label", words)
        .attr("title", words);
    SPEEDS.iter().fold(list, |list, &speed| {
        let option = el("option").attr("value", &speed.to_string());
        list.child(&option.text(&labels::speed(lang, speed)))
    })
}
