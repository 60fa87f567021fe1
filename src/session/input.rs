//! The reader's input.

use super::{Change, ControlType, Effects, Input, Interactive, Session};
use crate::draw::{DrawContext, Point};
use crate::field::{Field, Values};
use crate::figure::PointerAction;

impl Session {
    /// Handles input, which does not change locked fields; `before` are the current values. Returns how the new values
    /// are shown. Not inlined: the page loads this code with the figures, other than [`Session::handle`].
    #[inline(never)]
    pub(super) fn input(
        &mut self,
        input: Input,
        before: &Values,
        picture: Option<&dyn Interactive>,
        effects: &mut Effects,
    ) -> Change {
        let change = match input {
            Input::Control {
                field,
                text,
                control,
                finished,
            } => self.control(field, text, control, finished, effects),
            Input::FocusOut => {
                effects.redraw = self.editing.stop();
                Change::Follow
            }
            Input::Pointer { id, .. } | Input::Cancel { id } if self.ignores(id) => {
                return Change::Follow;
            }
            Input::Pointer {
                id,
                at,
                action,
                context,
            } => {
                match action {
                    PointerAction::Press => {
                        self.press.begin(before.clone());
                        self.pressing = Some(id);
                    }
                    PointerAction::Release | PointerAction::Hover => self.pressing = None,
                    PointerAction::Drag => {}
                }
                let takes_over = picture
                    .is_some_and(|picture| self.pointer(at, action, context, picture, effects));
                match action {
                    PointerAction::Press if takes_over => Change::Follow,
                    PointerAction::Press | PointerAction::Release => Change::Move,
                    PointerAction::Drag | PointerAction::Hover => Change::Follow,
                }
            }
            Input::Cancel { .. } => {
                self.pressing = None;
                if let Some(before) = self.press.cancel() {
                    self.values = before;
                }
                Change::Move
            }
            Input::Touch => {
                effects.prevents_default = self.press.prevents_scroll();
                Change::Follow
            }
            Input::Key { key, shift, repeat } => {
                let handles = |picture: &dyn Interactive| picture.key(key, shift, &mut self.values);
                let handled = picture.is_some_and(handles);
                effects.prevents_default = handled;
                effects.announces = handled;
                if repeat { Change::Follow } else { Change::Move }
            }
            Input::Act { action, value } => {
                effects.announces = true;
                if let Some(picture) = picture {
                    picture.act(action, value, &mut self.values);
                }
                Change::Move
            }
            Input::Over { action, value } => {
                if let Some(picture) = picture {
                    picture.act(action, value, &mut self.values);
                }
                Change::Follow
            }
        };
        self.policy.revert_locked(&mut self.values, before);
        change
    }

    /// Ends a press without a pointer that tells of it.
    pub(super) fn end_press(&mut self) {
        self.press.end();
        self.pressing = None;
    }

    fn ignores(&self, id: i32) -> bool {
        self.pressing.is_some_and(|pressing| pressing != id)
    }

    fn control(
        &mut self,
        field: &'static Field,
        text: &str,
        control: ControlType,
        finished: bool,
        effects: &mut Effects,
    ) -> Change {
        let entered = self
            .editing
            .enter(field, text, control, finished, &mut self.values);
        effects.fields_set.push(field.name);
        if entered.finished {
            self.report(field.name, entered.problem, effects);
            effects.redraw = true;
            effects.restores_controls = true;
        }
        control.change()
    }

    /// Passes a pointer to the picture; true if it takes over what moves, where it finds it.
    fn pointer(
        &mut self,
        at: Point,
        action: PointerAction,
        context: &DrawContext,
        picture: &dyn Interactive,
        effects: &mut Effects,
    ) -> bool {
        let mut takes_over = false;
        if action == PointerAction::Press {
            let is_free = picture.drags_freely(context, at);
            if is_free {
                self.playback.stop();
            }
            takes_over = is_free && self.is_moving();
            if takes_over {
                self.values = self.intermediate_values();
                self.finish_moves();
            }
            self.press.set_prevents_scroll(is_free);
        }
        let held = picture.held();
        let played = |values: &Values| values.playable().map(|name| values.whole(name));
        let before = played(&self.values);
        effects.cursor = Some(picture.pointer(context, at, action, &mut self.values));
        if played(&self.values) != before {
            // What is dragged plays no more.
            self.playback.stop();
        }
        if !self.policy.locked.is_empty() {
            let fields = self.values.fields();
            picture.hold_locked(context, &|name| {
                let field = fields.iter().find(|field| field.name == name);
                field.is_some_and(|field| self.policy.locks(field))
            });
        }
        effects.redraw = picture.needs_redraw();
        if action == PointerAction::Release {
            self.press.end();
            if !self.page.reduces_motion() {
                self.motion.settle(held);
            }
            effects.redraw |= self.is_moving();
        }
        takes_over
    }
}
