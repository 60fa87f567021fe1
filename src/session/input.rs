//! The reader's input.

use super::{Change, ControlType, Effects, Interactive, Session, Source};
use crate::draw::DrawContext;
use crate::field::Field;
use crate::figure::PointerAction;

// The page loads the code of this file with the figures, so these functions are kept apart from `Session::handle`.
impl Session {
    #[inline(never)]
    pub(super) fn input(
        &mut self,
        field: &'static Field,
        text: &str,
        control: ControlType,
        finished: bool,
        effects: &mut Effects,
    ) -> Source {
        let entered = self
            .editing
            .enter(field, text, control, finished, &mut self.values);
        effects.fields_set.push(field.name);
        if entered.finished {
            self.report(field.name, entered.problem, effects);
            effects.redraw = true;
            effects.restores_controls = true;
        }
        Source::Hand(match control {
            ControlType::Slider => Change::Follow,
            ControlType::Typed | ControlType::Chosen => Change::Move,
        })
    }

    #[inline(never)]
    pub(super) fn pointer(
        &mut self,
        at: (f64, f64),
        action: PointerAction,
        context: &DrawContext,
        picture: Option<&dyn Interactive>,
        effects: &mut Effects,
    ) -> Source {
        let presses = action == PointerAction::Press;
        if presses {
            self.press.begin(self.values.clone());
        }
        let Some(picture) = picture else {
            return Source::Silent;
        };
        if presses {
            self.press.set_prevents_scroll(picture.grips(context, at));
        }
        picture.pointer(context, at, action, &mut self.values);
        if action == PointerAction::Release {
            self.press.end();
        }
        effects.cursor = Some(picture.cursor(context, at));
        effects.redraw = picture.needs_redraw();
        Source::Hand(match action {
            PointerAction::Press | PointerAction::Release => Change::Move,
            PointerAction::Drag | PointerAction::Hover => Change::Follow,
        })
    }

    pub(super) fn cancel_press(&mut self) -> Source {
        if let Some(before) = self.press.cancel() {
            self.values = before;
        }
        Source::Hand(Change::Move)
    }

    #[inline(never)]
    pub(super) fn key(
        &mut self,
        key: &str,
        shift: bool,
        repeat: bool,
        picture: Option<&dyn Interactive>,
        effects: &mut Effects,
    ) -> Source {
        let handled = picture.is_some_and(|picture| picture.key(key, shift, &mut self.values));
        effects.prevents_default = handled;
        effects.announces = handled;
        Source::Hand(if repeat { Change::Follow } else { Change::Move })
    }

    #[inline(never)]
    pub(super) fn act(&mut self, action: &str, value: &str, picture: Option<&dyn Interactive>) {
        if let Some(picture) = picture {
            picture.act(action, value, &mut self.values);
        }
    }
}
