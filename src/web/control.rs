//! Events of form controls, both of the bench and of figures.

use crate::field::{Field, Values};
use crate::figure::from_slider;
use crate::session::{self, ControlType, Entered};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement, HtmlSelectElement};

/// The edit in progress of a control of the bench.
#[derive(Default)]
pub struct Editing {
    editing: session::Editing,
    /// The control of the last input.
    element: Option<Element>,
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
        let (field, text, control) = read(element, values.fields())?;
        self.element = Some(element.clone());
        let editing = &mut self.editing;
        Some(editing.enter(field, &text, control, finished, values))
    }

    /// Ends the edit when the control loses the focus; true if something was being typed.
    pub fn stop(&mut self) -> bool {
        self.element = None;
        self.editing.stop()
    }

    /// The control that is being typed in, which must not be overwritten.
    pub fn written(&self) -> Option<&Element> {
        let element = self.element.as_ref();
        element.filter(|_| self.editing.is_typing())
    }
}

/// The field of a control and the value that it shows, as text; `None` for any other element.
pub fn read(
    element: &Element,
    fields: &'static [Field],
) -> Option<(&'static Field, String, ControlType)> {
    let name = element.get_attribute("name")?;
    let field = fields.iter().find(|field| field.name == name)?;
    if let Some(list) = element.dyn_ref::<HtmlSelectElement>() {
        return Some((field, list.value(), ControlType::Chosen));
    }
    let input = element.dyn_ref::<HtmlInputElement>()?;
    let (text, control) = match input.type_().as_str() {
        "checkbox" => {
            let state = if input.checked() { "on" } else { "off" };
            (state.into(), ControlType::Chosen)
        }
        "radio" => (input.value(), ControlType::Chosen),
        "range" => (from_slider(field, &input.value()), ControlType::Slider),
        _ => (input.value(), ControlType::Typed),
    };
    Some((field, text, control))
}
