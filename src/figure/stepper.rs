//! Buttons for the steps of a figure, which receives them as the action "step" with the value "previous" or "next".

use crate::text::markup::{Node, html};
use crate::text::{Lang, Text};

/// Previous, next and the step counter; steps are counted from 1.
pub fn stepper(lang: Lang, step: usize, steps: usize) -> Vec<Node> {
    let text = |en, zh| Text::new(en, zh).get(lang);
    let count = match lang {
        Lang::En => format!("Step {step} of {steps}"),
        Lang::Zh => format!("第 {step} 步，共 {steps} 步"),
    };
    let (first, last) = (step == 1, step == steps);
    let next = html::button("step", "next", text("Forward →", "下一步 →"));
    vec![
        html::button("step", "previous", text("← Back", "← 上一步")).flag("disabled", first),
        match last {
            true => next.flag("disabled", true),
            false => next.class("primary"),
        },
        Node::text("span", count).attribute("role", "status"),
    ]
}
