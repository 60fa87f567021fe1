//! Large type on a projector. A low window then has room for only two panels of the bench, which tabs select.

use super::BenchController;
use super::elements::BenchElements;
use crate::draw::Theme;
use crate::field::{ThemeName, ViewName};
use crate::text::{Lang, Text, labels};
use crate::web::dom::{El, button, el, enlargement, is_framed, set_attr, toggle_attr, window_size};

/// Windows wide enough for two panels side by side, and windows too low for two panels above each other.
pub(super) const WIDE: &str = "(min-width: 1024px)";
pub(super) const SHORT_WINDOW: &str = "(max-height: 899px)";

/// Minimum scales of type and strokes on a projector. Ticks have at least 22 px, in figures of the lesson and with four
/// panels of the bench; with two panels, names in the pictures have at least 28 px.
const FIGURES: f64 = 1.9;
const FOUR_PANELS: f64 = 1.9;
const TWO_PANELS: f64 = 2.0;

/// Larger windows than this enlarge the type of four panels.
const FOUR_PANELS_WINDOW: (f64, f64) = (1920.0, 1080.0);

/// Larger windows than this enlarge the type of the bench, up to a factor.
const ORDINARY_WINDOW: (f64, f64) = (1440.0, 810.0);
const MAX_ENLARGEMENT: f64 = 1.6;

const PANELS: [(ViewName, Text); 4] = [
    (ViewName::Rotation, labels::ROTATION),
    (ViewName::Heatmap, labels::HEATMAP),
    (ViewName::Waves, labels::WAVES),
    (ViewName::Formula, labels::FORMULA),
];

/// The one or two panels that are shown, in the order in which they were chosen.
pub struct ShownPanels(Vec<ViewName>);

impl Default for ShownPanels {
    fn default() -> ShownPanels {
        ShownPanels(vec![ViewName::Rotation, ViewName::Heatmap])
    }
}

impl ShownPanels {
    /// Shows a panel, in place of the one chosen earliest if two are shown; hides a shown panel unless it is the only one.
    fn toggle(&mut self, panel: ViewName) {
        if !self.0.contains(&panel) {
            self.0.push(panel);
            if self.0.len() > 2 {
                self.0.remove(0);
            }
        } else if self.0.len() > 1 {
            self.0.retain(|other| *other != panel);
        }
    }
}

pub struct Tabs {
    pub bar: El,
    tabs: [(ViewName, El); 4],
}

impl Tabs {
    pub fn new(lang: Lang) -> Tabs {
        let tabs = PANELS.map(|(panel, name)| {
            let tab = button("panel", name.get(lang)).attr("value", panel.name());
            (panel, tab)
        });
        let bar = el("div")
            .class("tabs")
            .attr("role", "group")
            .attr("aria-label", labels::PANELS.get(lang))
            .attr("hidden", "")
            .children(tabs.iter().map(|(_, tab)| tab));
        Tabs { bar, tabs }
    }
}

impl BenchElements {
    /// Shows only these panels, with the tabs; `None` shows all panels.
    fn show_panels(&self, shown: Option<&ShownPanels>) {
        toggle_attr(&self.tabs.bar.0, "hidden", shown.is_none());
        let Some(ShownPanels(shown)) = shown else {
            let _ = self.root().remove_attribute("data-panels");
            return;
        };
        let names: Vec<_> = shown.iter().map(|panel| panel.name()).collect();
        set_attr(self.root(), "data-panels", &names.join(" "));
        for (panel, tab) in &self.tabs.tabs {
            set_attr(&tab.0, "aria-pressed", &shown.contains(panel).to_string());
        }
    }
}

impl BenchController {
    pub(super) fn toggle_panel(&mut self, name: &str) {
        if let Some(panel) = ViewName::named(name) {
            self.panels.toggle(panel);
            self.arrange_panels();
        }
    }

    /// The type scale of a theme: the presentation's `scale`, or a larger one on a projector.
    pub(super) fn type_scale(&self, theme: ThemeName, scale: f64) -> f64 {
        let least = match (self.has_room_for_large_type(), self.is_short()) {
            (true, true) => TWO_PANELS,
            (true, false) => FOUR_PANELS * enlargement(window_size(), FOUR_PANELS_WINDOW),
            (false, _) => return scale * self.enlargement_of_bench(),
        };
        scale.max(least / Theme::named(theme).scale)
    }

    /// Type in the pictures of the bench grows with a large window.
    fn enlargement_of_bench(&self) -> f64 {
        let bench = self.session.state().view() == ViewName::Bench;
        let alone = self.appearance.presentation.is_some() || self.appearance.printing;
        match bench && self.media.wide.matches() && !alone && !is_framed() {
            true => enlargement(window_size(), ORDINARY_WINDOW).min(MAX_ENLARGEMENT),
            false => 1.0,
        }
    }

    /// The type scale of a theme for the figures of the lesson.
    pub(super) fn type_scale_of_figures(&self, theme: ThemeName, scale: f64) -> f64 {
        match self.figures_are_projected() {
            true => scale.max(FIGURES / Theme::named(theme).scale),
            false => scale,
        }
    }

    /// Whether the figures on the page are projected. A presented figure is scaled to fit the window instead.
    pub(super) fn figures_are_projected(&self) -> bool {
        let on_page = self.appearance.presentation.is_none() && self.is_projected();
        on_page && self.media.wide.matches()
    }

    pub(super) fn arrange_panels(&mut self) {
        let two = self.has_room_for_large_type() && self.is_short();
        self.page.show_panels(two.then_some(&self.panels));
        self.pending.measure = true;
    }

    /// Responds to a resized window, which can change the size of large type.
    pub(super) fn window_resized(&mut self) {
        let shown = self.appearance.theme;
        let fitting = Theme::customised(shown.name, self.enlargement_of_bench(), None);
        if self.has_room_for_large_type() || shown.scale != fitting.scale {
            self.apply_page_settings();
            self.request(None);
        } else {
            self.resize();
        }
    }

    /// Whether the view of the whole bench is projected in a wide window.
    fn has_room_for_large_type(&self) -> bool {
        let wide = self.media.wide.matches();
        let bench = self.session.state().view() == ViewName::Bench;
        self.is_projected() && wide && bench
    }

    /// Whether the page is presented or has the projector theme. Not in an iframe, whose height follows its content,
    /// nor in print.
    fn is_projected(&self) -> bool {
        let projected = self.appearance.presentation.is_some()
            || self.session.state().theme() == Some(ThemeName::Projector);
        projected && !is_framed() && !self.appearance.printing
    }

    fn is_short(&self) -> bool {
        self.media.short.matches()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_or_two_panels_are_shown() {
        let mut shown = ShownPanels::default();
        shown.toggle(ViewName::Waves);
        assert_eq!(shown.0, [ViewName::Heatmap, ViewName::Waves]);
        shown.toggle(ViewName::Heatmap);
        shown.toggle(ViewName::Waves);
        assert_eq!(shown.0, [ViewName::Waves], "the last one stays");
        shown.toggle(ViewName::Formula);
        assert_eq!(shown.0, [ViewName::Waves, ViewName::Formula]);
    }
}
