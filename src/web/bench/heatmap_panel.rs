//! The heatmap's panel: a heading with the value of a cell, the picture and its scrollbars.

use super::panel::Panel;
use super::scrollbar::{HEATMAP_ID, Scrollbar};
use crate::figures::bench::{HeatmapView, Model, Scene, descriptions, words};
use crate::text::{Lang, labels};
use crate::web::dom::{CachedText, El, append, el};

pub struct HeatmapPanel {
    pub panel: Panel,
    readout: CachedText,
    downsampling_note: CachedText,
    pub scrollbars: [Scrollbar; 2],
}

impl HeatmapPanel {
    /// `controls` are those of the settings that belong above the heatmap.
    pub fn new(lang: Lang, stage: El, controls: &[El]) -> HeatmapPanel {
        let (readout, note) = (el("b"), el("span"));
        let line = el("p").class("readout").children([&readout, &note]);
        let scrollbars = [Scrollbar::new(lang, true), Scrollbar::new(lang, false)];
        let stage = stage
            .attr("id", HEATMAP_ID)
            .children(scrollbars.iter().map(|bar| &bar.track));
        let panel = Panel::new("heatmap", labels::HEATMAP, lang);
        for part in std::iter::once(&line).chain(controls) {
            append(&panel.head.0, &part.0);
        }
        append(&panel.section.0, &stage.0);
        HeatmapPanel {
            panel,
            readout: CachedText::new(&readout),
            downsampling_note: CachedText::new(&note),
            scrollbars,
        }
    }

    /// Writes the value of the selected cell, or of the one under the pointer.
    pub fn write(&mut self, model: &Model, hovered: Option<(usize, usize)>) {
        let (position, dimension) = hovered.unwrap_or((model.state.pos(), model.dimension()));
        self.readout
            .set(&descriptions::cell(model, position, dimension));
        self.panel.caption.set(&words::heatmap_caption(model));
    }

    /// Aligns the scrollbars with the plot, and shows a note if cells are averaged.
    pub fn follow(&mut self, scene: &Scene) {
        let plot = HeatmapView::plot(scene);
        let sides = (HeatmapView::scrollbar(scene), scene.frame.height);
        for bar in &mut self.scrollbars {
            bar.show(&scene.model.state, plot, sides);
        }
        let note = descriptions::downsampling_note(scene.model.lang, &HeatmapView::grain(scene));
        self.downsampling_note.set(&note.unwrap_or_default());
    }
}
