//! The parts common to all panels of the bench: a heading, and a caption that is visible only while there is no picture.

use crate::text::{Lang, Text};
use crate::web::dom::{CachedText, El, el};

pub struct Panel {
    pub section: El,
    pub head: El,
    pub caption: CachedText,
}

impl Panel {
    pub fn new(name: &str, title: Text, lang: Lang) -> Panel {
        let caption = el("p").class("look");
        // Visually, the dial needs no title, and the waves have theirs in the picture.
        let titled = name == "heatmap";
        let title = el("h2")
            .class(if titled { "" } else { "unseen" })
            .text(title.get(lang));
        let head = el("header").children([&title, &caption]);
        Panel {
            section: el("section").class(&format!("panel {name}")).child(&head),
            head,
            caption: CachedText::new(&caption),
        }
    }
}
