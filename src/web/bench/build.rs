//! The bench as it is built: whole, in one language.

use super::PLAYBACK_SPEEDS;
use super::elements::BenchElements;
use super::idea::Idea;
use super::own_figure::OwnFigureButton;
use super::scrollbar::{HEATMAP_ID, Scrollbar};
use super::strip::Strip;
use super::tabs::Tabs;
use super::tour::TourBar;
use crate::field::{Key, ViewName};
use crate::figures::bench::BenchFigure;
use crate::text::{Lang, Text, labels};
use crate::web::bench::canvases::BenchCanvas;
use crate::web::bench::controls::Control;
use crate::web::dom::{
    El, Icon, Slot, append, button, document, el, icon_button, kit_button, numbers,
};
use crate::web::patch::Patch;
use web_sys::HtmlElement;

const TITLE: Text = Text::new("Positional Encoding Explorer", "位置编码探索台");

impl BenchElements {
    /// Builds the bench inside `root`; `None` where the browser refuses to draw on canvases.
    pub fn build(root: HtmlElement, lang: Lang) -> Option<BenchElements> {
        let mut figures = Vec::new();
        for figure in BenchFigure::all() {
            figures.push(BenchCanvas::new(figure, lang)?);
        }
        let mut controls = Vec::new();
        let mut control = |key| {
            let control = Control::new(key, lang);
            let element = control.element();
            controls.push(control);
            element
        };
        let stage = |name: ViewName| {
            let figure = figures.iter().find(|figure| figure.figure.name() == name);
            figure.expect("every view is listed").element()
        };

        // The header.
        let link = el("a")
            .class("button")
            .attr("data-action", "link")
            .attr("data-control", "link")
            .text(labels::COPY_LINK.get(lang));
        let menu = menu(lang).children([
            &link,
            &kit_button("share", labels::SHARE.get(lang)),
            &kit_button("save", labels::SAVE.get(lang)),
            &button("reset", labels::RESET.get(lang)).attr("data-control", "reset"),
        ]);
        let menu = pages(lang)
            .into_iter()
            .fold(menu, |menu, page| menu.child(&page));
        let strip = Strip::new(lang);
        let present =
            kit_button("present", labels::PRESENT.get(lang)).attr("aria-haspopup", "false");
        let tools = el("div").class("tools").children([
            &strip.link,
            &control(Key::Lang),
            &control(Key::Theme),
            &present,
            &details("menu", "⋯", labels::MENU.get(lang), &menu),
        ]);
        let title = el("h1").text(TITLE.get(lang));
        let title = el("div")
            .class("title")
            .children([&title, &control(Key::Encoding)]);
        let tabs = Tabs::new(lang);
        let header = el("header")
            .class("masthead")
            .children([&title, &tabs.bar, &tools]);

        // The controls, and under "More" those that a newcomer does not need.
        let main_controls =
            [Key::K, Key::DModel, Key::MaxLen, Key::Pos, Key::Pair].map(&mut control);
        let play = |action| {
            let words = labels::PLAY.get(lang);
            icon_button(action, Icon::Play, words).class("primary")
        };
        let plays = ["play", "play-beside-k"].map(play);
        append(&main_controls[0].0, &plays[1].0);
        let play = el("div")
            .class("play")
            .attr("data-control", "play")
            .child(&plays[0]);
        let speed = speeds(lang);
        let stepping = el("div")
            .class("tools group")
            .attr("data-control", "play")
            .children([
                &icon_button("previous", Icon::StepBack, labels::STEP_BACK.get(lang)),
                &icon_button("next", Icon::StepForward, labels::STEP.get(lang)),
                &speed,
            ]);
        let select = icon_button(
            "select-tool",
            Icon::Crosshair,
            labels::SELECT_TOOL.get(lang),
        );
        let zoom = icon_button("zoom-tool", Icon::Move, labels::ZOOM_TOOL.get(lang));
        let zooming = el("div")
            .class("group")
            .attr("data-control", "zoom")
            .children([
                &select,
                &zoom,
                &icon_button("zoom-in", Icon::Plus, labels::ZOOM_IN.get(lang)),
                &icon_button("zoom-out", Icon::Minus, labels::ZOOM_OUT.get(lang)),
                &icon_button("show-all", Icon::Everything, labels::SHOW_ALL.get(lang)),
            ]);
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
        let rows = [
            (None, vec![control(Key::Base), control(Key::Layout)]),
            (Some(labels::PLAY), vec![stepping]),
            (Some(labels::HEATMAP), vec![zooming]),
            (Some(labels::WAVES), vec![compare]),
        ];
        let rows = rows.map(|(name, parts)| {
            let row = el("div").class("more-row");
            let row = match name {
                Some(name) => row.child(&el("span").class("note").text(name.get(lang))),
                None => row,
            };
            row.children(&parts)
        });
        let others = el("div")
            .class("more-panel")
            .attr("id", MORE_ID)
            .children(&rows);
        let more = button("more", labels::MORE.get(lang))
            .class("more")
            .attr("aria-expanded", "false")
            .attr("aria-controls", MORE_ID);
        let form = el("form")
            .class("controls")
            .attr("autocomplete", "off")
            .children(&main_controls[..3])
            .child(&play)
            .children(&main_controls[3..])
            .children([&more, &others]);
        let notices = el("div").class("notices").attr("role", "status");

        // The rotation, and below it the product with its numbers.
        let general = el("div").class("equation");
        let equation = el("div").class("equation numbers");
        let matrix = el("div").class("equation");
        let (verdict, residual) = (el("span"), el("p").class("residual"));
        let outside = el("p").class("residual");
        let chip = el("details").class("exact").children([
            &el("summary").child(&verdict),
            &el("div").children([&matrix, &residual, &outside]),
        ]);
        let product = el("div")
            .class("product")
            .children([&general, &equation, &chip]);
        let (rotation, rotation_caption) = panel("rotation", labels::ROTATION, lang);
        let rotation = rotation.children([&stage(ViewName::Rotation), &product]);

        // The heatmap.
        let (readout, averaged) = (el("b"), el("span"));
        let line = el("p").class("readout").children([&readout, &averaged]);
        let (heatmap, heatmap_caption) = panel("heatmap", labels::HEATMAP, lang);
        let head = heatmap.0.first_element_child().map(El);
        let head = head.expect("a panel has a header");
        head.children([&line, &control(Key::Colour)]);
        let scrollbars = [Scrollbar::new(lang, true), Scrollbar::new(lang, false)];
        let heatmap_stage = stage(ViewName::Heatmap)
            .attr("id", HEATMAP_ID)
            .children(scrollbars.iter().map(|bar| &bar.track));
        let heatmap = heatmap.child(&heatmap_stage);

        // The waves.
        let (waves, waves_caption) = panel("waves", labels::WAVES, lang);
        let waves = waves.child(&stage(ViewName::Waves));

        // The formula of the selected cell.
        let cell_name = el("span");
        let cell_kind = el("span");
        let cell_title = el("h2").children([&cell_kind, &cell_name]);
        let cell_tools = el("div").class("tools").child(&control(Key::Member));
        let cell_head = el("header").children([&cell_title, &cell_tools]);
        let cell = ["equation", "equation"].map(|class| el("div").class(class));
        let cell_body = el("div").class("cell").children(&cell);
        let foot = el("div").class("foot").child(&numbers(lang));
        let formula = el("section")
            .class("panel formula")
            .children([&cell_head, &cell_body, &foot]);

        let live = el("div").class("unseen").attr("aria-live", "polite");
        let (tour, idea) = (TourBar::new(lang), Idea::new());
        let bench = el("div")
            .class("bench")
            .children([&idea.line, &rotation, &heatmap, &waves, &formula, &tour.bar]);
        root.set_text_content(None);
        let alone = el("div").class("alone");
        for part in [&header, &form, &notices, &bench, &alone, &strip.nav, &live] {
            append(&root, &part.0);
        }
        Some(BenchElements {
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
            more,
            tabs,
            tour,
            idea,
            strip,
            link: Slot::new(&link),
            scrollbars,
            readout: Slot::new(&readout),
            downsampling_note: Slot::new(&averaged),
            alone,
            live_region: Slot::new(&live),
            captions: [&heatmap_caption, &rotation_caption, &waves_caption].map(Slot::new),
            general: Patch::new(&general),
            equation: Patch::new(&equation),
            matrix: Patch::new(&matrix),
            product: product.0,
            exactness: Slot::new(&verdict),
            residual: Slot::new(&residual),
            outside_table_note: Slot::new(&outside),
            own_figure_button: OwnFigureButton::new(lang),
            formula_title: Slot::new(&cell_kind),
            formula_panel: formula.0,
            formula: [&cell_name, &cell[0], &cell[1]].map(Patch::new),
            controls,
            figures,
        })
    }
}

/// What the button "More" opens.
const MORE_ID: &str = "posenc-more";

/// A panel with its heading and its caption, which is shown alone while there is no picture.
fn panel(name: &str, title: Text, lang: Lang) -> (El, El) {
    let look = el("p").class("look");
    // The dial needs no title, and the waves have theirs in the picture.
    let titled = name == "heatmap";
    let title = el("h2")
        .class(if titled { "" } else { "unseen" })
        .text(title.get(lang));
    let head = el("header").children([&title, &look]);
    let panel = el("section").class(&format!("panel {name}"));
    (panel.child(&head), look)
}

fn menu(lang: Lang) -> El {
    el("div")
        .class("menu-items")
        .attr("role", "group")
        .attr("aria-label", labels::MENU.get(lang))
}

/// Links to the pages that the head of the document names; the single file has none.
fn pages(lang: Lang) -> Vec<El> {
    let link = |(rel, name): (&str, Text)| {
        let named = document().query_selector(&format!("head > link[rel={rel}]"));
        let page = named.ok()??.get_attribute("href")?;
        let href = format!("{page}#lang={}", lang.tag());
        let link = el("a").class("button").attr("href", &href);
        Some(link.text(name.get(lang)))
    };
    let pages = [("help", labels::PLANS), ("author", labels::ABOUT)];
    pages.into_iter().filter_map(link).collect()
}

/// What is opened by a symbol, which words describe.
fn details(class: &str, symbol: &str, words: &str, inside: &El) -> El {
    let summary = el("summary")
        .attr("aria-label", words)
        .attr("title", words)
        .text(symbol);
    el("details").class(class).children([&summary, inside])
}

fn speeds(lang: Lang) -> El {
    let words = labels::SPEED.get(lang);
    let list = el("select")
        .attr("data-speed", "")
        .attr("aria-label", words)
        .attr("title", words);
    PLAYBACK_SPEEDS.iter().fold(list, |list, &speed| {
        let option = el("option").attr("value", &speed.to_string());
        list.child(&option.text(&labels::speed(lang, speed)))
    })
}
