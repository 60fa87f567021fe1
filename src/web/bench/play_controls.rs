//! Controls of playback: play, step, move pos by k, and speed.

use super::arrange::set_disabled;
use crate::field::parse;
use crate::figures::bench::{Model, words};
use crate::session::bench::PLAYBACK_SPEEDS;
use crate::text::{Lang, labels};
use crate::web::dom::{CachedText, El, Icon, button, change_attr, el, icon_button, toggle_attr};
use web_sys::HtmlSelectElement;

pub struct PlayControls {
    /// The play button in front of the slider of pos.
    pub play: El,
    /// The play button beside k, shown on narrow pages, where k is at the bottom of the screen.
    pub beside_k: El,
    /// Step buttons and speed, in the menu.
    pub stepping: El,
    buttons: [El; 2],
    /// Moves pos to pos + k; stands beside the product.
    pub apply: El,
    apply_words: CachedText,
    speed: HtmlSelectElement,
    lang: Lang,
}

impl PlayControls {
    pub fn new(lang: Lang) -> PlayControls {
        let play = |action| {
            let words = labels::PLAY.get(lang);
            icon_button(action, Icon::Play, words).class("primary")
        };
        let buttons = ["play", "play-beside-k"].map(play);
        let apply = button("apply", "").class("apply");
        let group = |class| el("div").class(class).attr("data-control", "play");
        let speed = speeds(lang);
        PlayControls {
            play: group("play").child(&buttons[0]),
            beside_k: buttons[1].clone(),
            stepping: group("tools group").children([
                &icon_button("previous", Icon::StepBack, labels::STEP_BACK.get(lang)),
                &icon_button("next", Icon::StepForward, labels::STEP.get(lang)),
                &speed,
            ]),
            buttons,
            apply_words: CachedText::new(&apply),
            apply,
            speed: speed.cast(),
            lang,
        }
    }

    pub fn write(&mut self, model: &Model, playing: bool) {
        let locked = model.state.locks_control("play");
        let hidden = model.state.hide().contain("play");
        toggle_attr(&self.apply.0, "hidden", hidden);
        set_disabled(&self.apply.0, locked || !model.can_apply_shift());
        self.apply_words.set(&words::apply_shift(model));
        let why = words::why_no_shift(model).unwrap_or_default();
        change_attr(&self.apply.0, "title", &why);
        let (icon, words) = match playing {
            true => (Icon::Pause, labels::PAUSE),
            false => (Icon::Play, labels::PLAY),
        };
        let words = words.get(self.lang);
        for button in &self.buttons {
            if button.0.get_attribute("aria-label").as_deref() != Some(words) {
                let button = button.clone().icon(icon);
                button.attr("aria-label", words).attr("title", words);
            }
        }
    }

    /// The selected speed, in positions per second.
    pub fn speed(&self) -> f64 {
        parse::number(&self.speed.value()).unwrap_or(1.0)
    }

    pub fn set_speed(&self, speed: f64) {
        self.speed.set_value(&speed.to_string());
    }
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
