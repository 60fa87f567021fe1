//! Two tabs: the product M_k · PE(pos) of the selected pair, and the formula of the selected cell. Both show the pair under
//! the pointer instead, if there is one.

use super::product_line::ProductLine;
use crate::figures::bench::{Model, formula, words};
use crate::text::{Lang, labels};
use crate::web::dom::{CachedText, El, button, change_attr, el, numbers, set_attr, toggle_attr};
use crate::web::patch::Patch;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

pub struct FormulaPanel {
    pub panel: El,
    product: ProductLine,
    tabs: [El; 2],
    shown: FormulaTab,
    has_product: bool,
    title: CachedText,
    /// The cell's name, its formula in symbols, and its formula with numbers.
    lines: [Patch; 3],
}

#[derive(Clone, Copy, PartialEq)]
pub enum FormulaTab {
    Product,
    Cell,
}

impl FormulaTab {
    const ALL: [FormulaTab; 2] = [FormulaTab::Product, FormulaTab::Cell];

    fn name(self) -> &'static str {
        match self {
            FormulaTab::Product => "product",
            FormulaTab::Cell => "cell",
        }
    }

    /// The tab with this name.
    pub fn named(name: &str) -> Option<FormulaTab> {
        FormulaTab::ALL.into_iter().find(|tab| tab.name() == name)
    }

    fn other(self) -> FormulaTab {
        match self {
            FormulaTab::Product => FormulaTab::Cell,
            FormulaTab::Cell => FormulaTab::Product,
        }
    }
}

impl FormulaPanel {
    /// `controls` are those of the settings that belong to the cell.
    pub fn new(lang: Lang, product: ProductLine, controls: &[El]) -> FormulaPanel {
        let tab = |tab: FormulaTab, words: &str| {
            button("formula-tab", words)
                .attr("role", "tab")
                .attr("id", &format!("posenc-tab-{}", tab.name()))
                .attr("aria-controls", &format!("posenc-tabpanel-{}", tab.name()))
                .attr("value", tab.name())
        };
        let cell_title = el("span");
        let tabs = [
            tab(FormulaTab::Product, labels::PRODUCT.get(lang)),
            tab(FormulaTab::Cell, "").child(&cell_title),
        ];
        let list = el("div")
            .class("formula-tabs")
            .attr("role", "tablist")
            .attr("aria-label", labels::NUMBERS_OF.get(lang))
            .children(&tabs);
        let name = el("h2").class("name");
        let tools = el("div").class("tools").children(controls);
        let equations = ["equation", "equation"].map(|class| el("div").class(class));
        let head = el("div").class("cell-head").children([&name, &tools]);
        let foot = el("div").class("foot").child(&numbers(lang));
        let cell = el("div")
            .class("cell")
            .child(&head)
            .children(&equations)
            .child(&foot);
        for (tab, part) in FormulaTab::ALL.into_iter().zip([&product.line, &cell]) {
            let named = |what: &str| format!("posenc-{what}-{}", tab.name());
            set_attr(&part.0, "role", "tabpanel");
            set_attr(&part.0, "id", &named("tabpanel"));
            set_attr(&part.0, "aria-labelledby", &named("tab"));
        }
        let panel = el("section")
            .class("panel formula")
            .children([&list, &product.line, &cell]);
        let mut panel = FormulaPanel {
            panel,
            product,
            tabs,
            shown: FormulaTab::Cell,
            has_product: true,
            title: CachedText::new(&cell_title),
            lines: [&name, &equations[0], &equations[1]].map(Patch::new),
        };
        panel.show(FormulaTab::Product);
        panel
    }

    pub fn shown(&self) -> FormulaTab {
        self.shown
    }

    /// Shows a tab.
    pub fn show(&mut self, shown: FormulaTab) {
        self.shown = shown;
        self.mark();
    }

    /// Shows the other tab and focuses it, as an arrow key does.
    pub fn show_other(&mut self) {
        self.show(self.shown.other());
        let tab = self.tabs[self.shown as usize].0.clone();
        if let Ok(tab) = tab.dyn_into::<HtmlElement>() {
            // Focus may be refused.
            let _ = tab.focus();
        }
    }

    /// Marks the tab that is shown: the cell if there is no product.
    fn mark(&self) {
        let shown = if self.has_product {
            self.shown
        } else {
            FormulaTab::Cell
        };
        for (tab, element) in FormulaTab::ALL.into_iter().zip(&self.tabs) {
            let selected = tab == shown;
            change_attr(
                &element.0,
                "aria-selected",
                if selected { "true" } else { "false" },
            );
            change_attr(&element.0, "tabindex", if selected { "0" } else { "-1" });
        }
        toggle_attr(&self.tabs[0].0, "hidden", !self.has_product);
        change_attr(&self.panel.0, "data-tab", shown.name());
    }

    pub fn write(&mut self, model: &Model, pointed: Option<&Model>) {
        let has_product = self.product.write(model, pointed);
        if std::mem::replace(&mut self.has_product, has_product) != has_product {
            self.mark();
        }
        point_out(&self.panel, pointed);
        self.title.set(match pointed {
            Some(_) => labels::POINTED_AT.get(model.lang),
            None => words::formula_title(model),
        });
        let shown = pointed.unwrap_or(model);
        let lines = [
            formula::cell(shown),
            formula::general(shown),
            formula::in_numbers(shown),
        ];
        for (slot, line) in self.lines.iter_mut().zip(lines) {
            slot.set(Some(line), None);
        }
    }
}

/// While another pair is hovered, writes its name into the `data-pointed` attribute of a part of the page.
pub(super) fn point_out(part: &El, pointed: Option<&Model>) {
    let name = pointed.map(|model| labels::pair_tag(model.lang, model.state.pair()));
    if name == part.0.get_attribute("data-pointed") {
        return;
    }
    match name {
        Some(name) => set_attr(&part.0, "data-pointed", &name),
        // Removing an attribute does not fail.
        None => drop(part.0.remove_attribute("data-pointed")),
    }
}
