//! The panel with the tokens, and the button that opens the field in which a reader writes other words.

use super::panel::Panel;
use crate::text::{Lang, Text, labels};
use crate::web::dom::{El, Icon, el};

const WRITE: Text = Text::new("Write your own words", "换成自己的文字");

/// `controls` are those of the settings that belong to the tokens.
pub fn tokens_panel(lang: Lang, stage: &El, controls: &[El]) -> El {
    let opener = el("summary")
        .attr("aria-label", WRITE.get(lang))
        .attr("title", WRITE.get(lang))
        .icon(Icon::Pen);
    let field = el("div").children(controls);
    let editor = el("details").class("edit").children([&opener, &field]);
    let panel = Panel::new("tokens", labels::TOKENS, lang);
    panel.section.children([stage, &editor])
}
