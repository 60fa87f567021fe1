//! Events of form controls, both of the bench and of figures, and the changes of values that they cause.

use crate::field::{Diagnostic, Edit, Field, Values};
use crate::figure::from_slider;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement, HtmlSelectElement};

/// The edit in progress.
#[derive(Default)]
pub struct Editing {
    edit: Option<Edit>,
    /// The input that is being typed in, which must not be overwritten.
    written: Option<Element>,
}

/// The result of an event on a control.
pub struct Entered {
    pub field: &'static Field,
    /// True if the edit is complete, false if more input may follow.
    pub finished: bool,
    pub problem: Option<Diagnostic>,
}

impl Editing {
    /// Sets the field of the control that an event occurred on; `None` for any other element. `finished` is true for
    /// "change" and false for "input".
    pub fn enter(
        &mut self,
        element: &Element,
        finished: bool,
        values: &mut Values,
    ) -> Option<Entered> {
        let name = element.get_attribute("name")?;
        let field = values.fields().iter().find(|field| field.name == name)?;
        let (text, partial, typed) = read(element, field)?;
        let previous = self.edit.take();
        self.written = None;
        if finished || !partial {
            let problem = Edit::commit(previous, field, &text, values);
            return Some(Entered {
                field,
                finished: true,
                problem,
            });
        }
        self.edit = Some(Edit::update(previous, field, &text, values));
        self.written = typed.then(|| element.clone());
        Some(Entered {
            field,
            finished: false,
            problem: None,
        })
    }

    /// Ends the edit when the control loses the focus; true if something was being typed.
    pub fn stop(&mut self) -> bool {
        self.edit = None;
        self.written.take().is_some()
    }

    pub fn written(&self) -> Option<&Element> {
        self.written.as_ref()
    }
}

/// The value of a control as text, whether more input may follow before the edit is complete, and whether it is typed.
fn read(element: &Element, field: &Field) -> Option<(String, bool, bool)> {
    if let Some(list) = element.dyn_ref::<HtmlSelectElement>() {
        return Some((list.value(), false, false));
    }
    let input = element.dyn_ref::<HtmlInputElement>()?;
    Some(match input.type_().as_str() {
        "checkbox" => {
            let state = if input.checked() { "on" } else { "off" };
            (state.into(), false, false)
        }
        "range" => (from_slider(field, &input.value()), true, false),
        _ => (input.value(), true, true),
    })
}
