//! Colours and fonts of a canvas, cached as JavaScript strings: a WebAssembly string is decoded each time that it is
//! passed to JavaScript, which takes longer than drawing most shapes.

use js_sys::JsString;
use plotters::style::FontStyle;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::CanvasRenderingContext2d;

#[wasm_bindgen]
extern "C" {
    /// A context with setters that take JavaScript strings.
    #[wasm_bindgen(extends = CanvasRenderingContext2d)]
    #[derive(Clone)]
    pub type Context;

    #[wasm_bindgen(method, setter = fillStyle)]
    pub fn set_fill_string(this: &Context, colour: &JsString);

    #[wasm_bindgen(method, setter = strokeStyle)]
    pub fn set_stroke_string(this: &Context, colour: &JsString);

    #[wasm_bindgen(method, setter = font)]
    pub fn set_font_string(this: &Context, font: &JsString);

    /// `ltr` or `rtl`, for text whose direction is not determined otherwise.
    #[wasm_bindgen(method, setter)]
    pub fn set_direction(this: &Context, direction: &str);
}

/// Maximum number of strings of each kind. Pictures use about twenty; a full cache is emptied.
const MAX_ENTRIES: usize = 256;

/// Red, green and blue, 0 … 255, and opacity, 0 … 1.
pub type Rgba = ((u8, u8, u8), f64);

/// The colours and fonts that a canvas has used.
#[derive(Default)]
pub struct StyleStrings {
    colours: Vec<(Rgba, JsString)>,
    fonts: Vec<Font>,
}

struct Font {
    style: String,
    size: f64,
    family: String,
    css: JsString,
}

impl StyleStrings {
    pub fn colour(&mut self, colour: Rgba) -> &JsString {
        let known = self.colours.iter().position(|(known, _)| *known == colour);
        let index = known.unwrap_or_else(|| {
            if self.colours.len() == MAX_ENTRIES {
                self.colours.clear();
            }
            let ((red, green, blue), alpha) = colour;
            let css = format!("rgba({red},{green},{blue},{alpha})");
            self.colours.push((colour, css.into()));
            self.colours.len() - 1
        });
        &self.colours[index].1
    }

    /// The CSS `font` value; `size` in CSS pixels.
    pub fn font(&mut self, style: FontStyle, size: f64, family: &str) -> &JsString {
        let style = style.as_str();
        let known = self
            .fonts
            .iter()
            .position(|font| font.size == size && font.style == style && font.family == family);
        let index = known.unwrap_or_else(|| {
            if self.fonts.len() == MAX_ENTRIES {
                self.fonts.clear();
            }
            self.fonts.push(Font {
                style: style.to_string(),
                size,
                family: family.to_string(),
                css: format!("{style} {size}px {family}").into(),
            });
            self.fonts.len() - 1
        });
        &self.fonts[index].css
    }
}
