//! The buttons in the menu that select the tool for the heatmap (select or zoom), and zoom it.

use crate::text::{Lang, Text, labels};
use crate::web::dom::{El, Icon, change_attr, el, icon_button};

pub struct ZoomTools {
    pub group: El,
    select: El,
    zoom: El,
}

impl ZoomTools {
    pub fn new(lang: Lang) -> ZoomTools {
        let tool = |action, icon, words: Text| icon_button(action, icon, words.get(lang));
        let select = tool("select-tool", Icon::Crosshair, labels::SELECT_TOOL);
        let zoom = tool("zoom-tool", Icon::Move, labels::ZOOM_TOOL);
        let group = el("div")
            .class("group")
            .attr("data-control", "zoom")
            .children([
                &select,
                &zoom,
                &tool("zoom-in", Icon::Plus, labels::ZOOM_IN),
                &tool("zoom-out", Icon::Minus, labels::ZOOM_OUT),
                &tool("show-all", Icon::Everything, labels::SHOW_ALL),
            ]);
        ZoomTools {
            group,
            select,
            zoom,
        }
    }

    /// Marks the selected tool.
    pub fn write(&self, zooming: bool) {
        for (tool, on) in [(&self.select, !zooming), (&self.zoom, zooming)] {
            change_attr(&tool.0, "aria-pressed", if on { "true" } else { "false" });
        }
    }
}
