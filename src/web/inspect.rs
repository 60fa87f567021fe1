//! The inspection of a table that a page has, a step at a time. What it calls is in the second file of the core
//! (scripts/kit/split.mjs), so nothing here may be taken into the functions that are exported.

use super::api::error;
use crate::export::report_json;
use crate::text::{Lang, inspection};
use js_sys::{Array, Float32Array, Float64Array};
use posenc_inspect::{Inspector, Precision, Storage, Table};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

/// A table that is being inspected.
#[wasm_bindgen(skip_typescript)]
pub struct Inspection(Inspector);

#[wasm_bindgen]
impl Inspection {
    /// Throws an Error that says what is wrong with the numbers or their shape.
    #[wasm_bindgen(constructor)]
    pub fn new(numbers: &JsValue, shape: &JsValue) -> Result<Inspection, JsValue> {
        begin(numbers, shape).map(Inspection)
    }

    /// Takes a step of some milliseconds. How far it is, from 0 to 1; after the last step the report, as JSON.
    pub fn step(&mut self, lang: &str) -> JsValue {
        step(&mut self.0, lang)
    }
}

#[inline(never)]
fn begin(numbers: &JsValue, shape: &JsValue) -> Result<Inspector, JsValue> {
    let (values, precision) = if let Some(numbers) = numbers.dyn_ref::<Float32Array>() {
        let numbers = numbers.to_vec();
        (numbers.into_iter().map(f64::from).collect(), Precision::F32)
    } else if let Some(numbers) = numbers.dyn_ref::<Float64Array>() {
        (numbers.to_vec(), Precision::F64)
    } else {
        return Err(error(
            "array must be a Float32Array or a Float64Array, row by row",
        ));
    };
    let bad_shape = || error("shape must be an array of whole numbers such as [512, 128]");
    let lengths = shape.dyn_ref::<Array>().ok_or_else(bad_shape)?;
    let length = |it: JsValue| {
        let length = it.as_f64().unwrap_or(-1.0);
        let is_whole = length >= 0.0 && length.fract() == 0.0 && length < 9e15;
        is_whole.then_some(length as u64)
    };
    let lengths: Option<Vec<u64>> = lengths.iter().take(9).map(length).collect();
    let lengths = lengths.ok_or_else(bad_shape)?;
    let table = Table::of_shape(&lengths, values, Storage::Binary(precision));
    let table = table.map_err(|fault| error(&inspection::fault(&fault, Lang::En)))?;
    Ok(Inspector::new(table))
}

#[inline(never)]
fn step(inspector: &mut Inspector, lang: &str) -> JsValue {
    inspector.step();
    match inspector.report() {
        Some(report) => report_json(report, Lang::of(lang).unwrap_or_default()).into(),
        None => inspector.progress().into(),
    }
}
