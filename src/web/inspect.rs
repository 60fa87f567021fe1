//! Inspects a table in the memory of a page step by step.
//!
//! The exported functions are in the first file of the core and everything that they call is in the second
//! (scripts/kit/split.mjs), so the compiler must not inline the latter into the former.

use super::api::error;
use crate::export::report_json;
use crate::text::{Lang, inspection};
use js_sys::{Array, Float32Array, Float64Array};
use posenc_inspect::{Inspector, Precision, Storage, Table};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

/// Maximum number of axes read from a shape: the error for a shape with more axes lists only the first lengths.
const MAX_AXES: usize = 9;
/// `Number.MAX_SAFE_INTEGER`: above it not every integer has an exact JavaScript number.
const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

/// An inspection in progress.
#[wasm_bindgen(skip_typescript)]
pub struct Inspection(Inspector);

#[wasm_bindgen]
impl Inspection {
    /// Throws an Error, in English, that describes what is wrong with the numbers or their shape.
    #[wasm_bindgen(constructor)]
    pub fn new(numbers: &JsValue, shape: &JsValue) -> Result<Inspection, JsValue> {
        inspector_of(numbers, shape).map(Inspection)
    }

    /// Runs a step of a few milliseconds. Returns the progress as a number from 0 to 1, or after the last step the
    /// report as a JSON string.
    pub fn step(&mut self, lang: &str) -> JsValue {
        advance(&mut self.0, lang)
    }
}

#[inline(never)]
fn inspector_of(numbers: &JsValue, shape: &JsValue) -> Result<Inspector, JsValue> {
    let (values, precision) = values_of(numbers)?;
    let shape = shape_of(shape)?;
    let table = Table::of_shape(&shape, values, Storage::Binary(precision));
    let table = table.map_err(|fault| error(&inspection::fault(&fault, Lang::En)))?;
    Ok(Inspector::new(table))
}

fn values_of(numbers: &JsValue) -> Result<(Vec<f64>, Precision), JsValue> {
    if let Some(numbers) = numbers.dyn_ref::<Float32Array>() {
        let values = numbers.to_vec().into_iter().map(f64::from).collect();
        return Ok((values, Precision::F32));
    }
    if let Some(numbers) = numbers.dyn_ref::<Float64Array>() {
        return Ok((numbers.to_vec(), Precision::F64));
    }
    let message = "array must be a Float32Array or a Float64Array, row by row";
    Err(error(message))
}

fn shape_of(shape: &JsValue) -> Result<Vec<u64>, JsValue> {
    let length = |value: JsValue| {
        let length = value.as_f64()?;
        let is_whole = (0.0..=MAX_SAFE_INTEGER).contains(&length) && length.fract() == 0.0;
        is_whole.then_some(length as u64)
    };
    shape
        .dyn_ref::<Array>()
        .and_then(|shape| shape.iter().take(MAX_AXES).map(length).collect())
        .ok_or_else(|| error("shape must be an array of whole numbers such as [512, 128]"))
}

#[inline(never)]
fn advance(inspector: &mut Inspector, lang: &str) -> JsValue {
    inspector.step();
    match inspector.report() {
        Some(report) => report_json(report, None, Lang::of(lang).unwrap_or_default()).into(),
        None => inspector.progress().into(),
    }
}
