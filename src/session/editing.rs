//! The edit of a control in progress.

use super::ControlType;
use crate::field::{Diagnostic, Edit, Field, Values};

#[derive(Default)]
pub struct Editing {
    edit: Option<Edit>,
    /// The control is being typed in, so its text must not be overwritten.
    typed: bool,
}

/// The result of an input.
pub struct Entered {
    pub field: &'static Field,
    /// True if the edit is complete, false if more input may follow.
    pub finished: bool,
    pub problem: Option<Diagnostic>,
}

impl Editing {
    /// Sets a field to the text of its control. `finished` is true for a browser's "change" and false for its "input".
    pub fn enter(
        &mut self,
        field: &'static Field,
        text: &str,
        control: ControlType,
        finished: bool,
        values: &mut Values,
    ) -> Entered {
        let previous = self.edit.take();
        let finished = finished || control == ControlType::Chosen;
        self.typed = !finished && control == ControlType::Typed;
        let problem = if finished {
            Edit::commit(previous, field, text, values)
        } else {
            self.edit = Some(Edit::update(previous, field, text, values));
            None
        };
        Entered {
            field,
            finished,
            problem,
        }
    }

    /// Ends the edit when the control loses the focus; true if something was being typed.
    pub fn stop(&mut self) -> bool {
        self.edit = None;
        std::mem::take(&mut self.typed)
    }

    pub fn is_typing(&self) -> bool {
        self.typed
    }
}
