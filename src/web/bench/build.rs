//! Builds all elements of the bench, in one language.

use super::chapter_strip::ChapterStrip;
use super::compare_list::CompareList;
use super::elements::BenchElements;
use super::formula_panel::FormulaPanel;
use super::heatmap_panel::HeatmapPanel;
use super::own_figure::OwnFigureButton;
use super::panel::Panel;
use super::play_controls::PlayControls;
use super::product_line::ProductLine;
use super::tabs::Tabs;
use super::tokens_panel::tokens_panel;
use super::tour::TourBar;
use super::zoom_tools::ZoomTools;
use crate::field::settings::Place;
use crate::field::{SettingId, ViewName};
use crate::figures::bench::BenchFigure;
use crate::text::{Lang, Text, labels};
use crate::web::bench::canvases::BenchCanvas;
use crate::web::bench::controls::Control;
use crate::web::dom::{CachedText, El, append, button, document, el, kit_button};
use web_sys::HtmlElement;

const TITLE: Text = Text::new("Positional Encoding Explorer", "位置编码探索台");

impl BenchElements {
    /// Builds the bench inside `root`; `None` if the browser provides no 2D context.
    pub fn build(root: HtmlElement, lang: Lang) -> Option<BenchElements> {
        let mut figures = Vec::new();
        for figure in BenchFigure::all() {
            figures.push(BenchCanvas::new(figure, lang)?);
        }
        let mut controls = Vec::new();
        // The controls of the settings that belong in a place.
        let mut placed = |place| -> Vec<El> {
            let settings = SettingId::ALL.iter().copied();
            let added = controls.len();
            let here = settings.filter(|key: &SettingId| key.place() == place);
            controls.extend(here.map(|key| Control::new(key, lang)));
            controls[added..].iter().map(Control::element).collect()
        };
        let stage = |name: ViewName| {
            let figure = figures.iter().find(|figure| figure.figure.name() == name);
            figure.expect("every view is listed").element()
        };

        // The header.
        let play = PlayControls::new(lang);
        let (zoom, compare) = (ZoomTools::new(lang), CompareList::new(lang));
        let link = el("a")
            .class("button")
            .attr("data-action", "link")
            .attr("data-control", "link")
            .text(labels::COPY_LINK.get(lang));
        let actions = el("div").class("menu-actions").children([
            &link,
            &kit_button("share", labels::SHARE.get(lang)),
            &kit_button("save", labels::SAVE.get(lang)),
            &button("reset", labels::RESET.get(lang)).attr("data-control", "reset"),
        ]);
        let actions = pages(lang)
            .into_iter()
            .fold(actions, |actions, page| actions.child(&page));
        // The less common settings.
        let rows = [
            (None, placed(Place::Page)),
            (None, placed(Place::Menu)),
            (Some(labels::PLAY), vec![play.stepping.clone()]),
            (Some(labels::HEATMAP), vec![zoom.group.clone()]),
            (Some(labels::WAVES), vec![compare.tools.clone()]),
        ];
        let rows = rows.map(|(name, parts)| {
            let row = el("div").class("menu-row");
            let row = match name {
                Some(name) => row.child(&el("span").class("note").text(name.get(lang))),
                None => row,
            };
            row.children(&parts)
        });
        let settings = el("div").class("menu-settings").children(&rows);
        let menu = menu(lang).children([&settings, &actions]);
        let strip = ChapterStrip::new(lang);
        let present =
            kit_button("present", labels::PRESENT.get(lang)).attr("aria-haspopup", "false");
        let tools = el("div")
            .class("tools")
            .child(&strip.link)
            .child(&present)
            .child(&details("menu", "⋯", labels::MENU.get(lang), &menu));
        let title = el("h1").text(TITLE.get(lang));
        let title = el("div")
            .class("title")
            .child(&title)
            .children(&placed(Place::Title));
        let tabs = Tabs::new(lang);
        let header = el("header")
            .class("masthead")
            .children([&tabs.bar, &title, &tools]);

        // The controls.
        let played = placed(Place::Played);
        if let Some(control) = played.first() {
            append(&control.0, &play.beside_k.0);
        }
        let more = button("more", labels::MORE.get(lang))
            .class("more")
            .attr("aria-expanded", "false");
        let form = el("form")
            .class("controls")
            .attr("autocomplete", "off")
            .children(&played)
            .child(&play.play)
            .children(&placed(Place::Selection))
            .children(&placed(Place::Size))
            .child(&more);
        let notices = el("div").class("notices").attr("role", "status");

        // The panels.
        let words = tokens_panel(lang, &stage(ViewName::Tokens), &placed(Place::Tokens));
        let product = ProductLine::new(&play.apply);
        let rotation = Panel::new("rotation", labels::ROTATION, lang);
        append(&rotation.section.0, &stage(ViewName::Rotation).0);
        let heatmap = HeatmapPanel::new(lang, stage(ViewName::Heatmap), &placed(Place::Heatmap));
        let waves = Panel::new("waves", labels::WAVES, lang);
        append(&waves.section.0, &stage(ViewName::Waves).0);
        let formula = FormulaPanel::new(lang, product, &placed(Place::Formula));

        let live = el("div").class("unseen").attr("aria-live", "polite");
        let tour = TourBar::new(lang);
        let bench = el("div").class("bench").children([
            &words,
            &rotation.section,
            &formula.panel,
            &heatmap.panel.section,
            &waves.section,
            &tour.bar,
        ]);
        root.set_text_content(None);
        let alone = el("div").class("alone").attr("tabindex", "-1");
        for part in [&header, &form, &notices, &bench, &alone, &strip.nav, &live] {
            append(&root, &part.0);
        }
        Some(BenchElements {
            root,
            lang,
            notices: notices.0,
            compare,
            play,
            zoom,
            more,
            tabs,
            tour,
            strip,
            link: CachedText::new(&link),
            rotation_caption: rotation.caption,
            heatmap,
            waves_caption: waves.caption,
            formula,
            own_figure_button: OwnFigureButton::new(lang),
            alone,
            live_region: CachedText::new(&live),
            controls,
            figures,
        })
    }
}

fn menu(lang: Lang) -> El {
    el("div")
        .class("menu-items")
        .attr("role", "group")
        .attr("aria-label", labels::MENU.get(lang))
}

/// Links to the pages that `<link>` elements in the document's head name; the single-file version has none.
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

/// A `<details>` with a symbol as its summary and `words` as the accessible name.
fn details(class: &str, symbol: &str, words: &str, inside: &El) -> El {
    let summary = el("summary")
        .attr("aria-label", words)
        .attr("title", words)
        .text(symbol);
    el("details").class(class).children([&summary, inside])
}
