//! The functions that `posenc.js` exports.

use crate::encoding::{Layout, MAX_D_MODEL, MAX_LEN, Sinusoidal};
use crate::rotation::Rotation;
use js_sys::{Error, Float32Array, Float64Array, Reflect};
use wasm_bindgen::prelude::*;

/// No table larger than this is made, in numbers: 2²⁷ are 512 MB of f32.
const LARGEST_TABLE: usize = 1 << 27;

/// The table, row-major [maxLen, dModel]. Throws an Error that names a bad argument.
#[wasm_bindgen(skip_typescript)]
pub fn encode(options: &JsValue) -> Result<JsValue, JsValue> {
    let options = Options::new(options)?;
    let pe = options.sinusoidal()?;
    let max_len = options.whole("maxLen", 1, MAX_LEN as i64)? as usize;
    options.choice("encoding", &["sinusoidal"])?;
    let dtype = options.choice("dtype", &["float32", "float64"])?;
    let wide = dtype == "float64";
    check_size(
        "maxLen",
        max_len,
        "dModel",
        pe.d_model() * if wide { 2 } else { 1 },
    )?;
    Ok(if wide {
        Float64Array::from(&pe.table_f64(max_len).values[..]).into()
    } else {
        Float32Array::from(&pe.table_f32(max_len).values[..]).into()
    })
}

/// M_k, row-major [dModel, dModel]. Throws an Error that names a bad argument.
#[wasm_bindgen(skip_typescript)]
pub fn rotation(options: &JsValue) -> Result<Float64Array, JsValue> {
    let options = Options::new(options)?;
    let pe = options.sinusoidal()?;
    let reach = MAX_LEN as i64;
    let k = options.whole("k", -reach, reach)?;
    check_size("dModel", pe.d_model(), "dModel", 2 * pe.d_model())?;
    Ok(Float64Array::from(
        &Rotation::new(&pe, k).matrix().values[..],
    ))
}

fn check_size(
    rows_name: &str,
    rows: usize,
    columns_name: &str,
    columns: usize,
) -> Result<(), JsValue> {
    if rows.saturating_mul(columns) <= LARGEST_TABLE {
        return Ok(());
    }
    let names = if rows_name == columns_name {
        rows_name.to_string()
    } else {
        format!("{rows_name} × {columns_name}")
    };
    Err(error(&format!(
        "{names} is too large: a table may take up to 512 MB"
    )))
}

fn error(message: &str) -> JsValue {
    Error::new(message).into()
}

struct Options<'a>(&'a JsValue);

impl Options<'_> {
    fn new(options: &JsValue) -> Result<Options<'_>, JsValue> {
        if options.is_object() {
            Ok(Options(options))
        } else {
            Err(error(
                "options must be an object such as { dModel: 128, maxLen: 64 }",
            ))
        }
    }

    fn get(&self, name: &str) -> Result<Option<JsValue>, JsValue> {
        let value = Reflect::get(self.0, &name.into())?;
        Ok((!value.is_undefined()).then_some(value))
    }

    fn whole(&self, name: &str, low: i64, high: i64) -> Result<i64, JsValue> {
        let value = self.get(name)?.and_then(|value| value.as_f64());
        match value {
            Some(v) if v.fract() == 0.0 && (low as f64..=high as f64).contains(&v) => Ok(v as i64),
            _ => Err(error(&format!(
                "{name} must be a whole number from {low} to {high}"
            ))),
        }
    }

    /// The first of the choices where nothing is said.
    fn choice(&self, name: &str, choices: &[&'static str]) -> Result<&'static str, JsValue> {
        let Some(value) = self.get(name)? else {
            return Ok(choices[0]);
        };
        let value = value.as_string().unwrap_or_default();
        choices
            .iter()
            .find(|choice| **choice == value)
            .copied()
            .ok_or_else(|| error(&format!("{name} must be one of {}", choices.join(", "))))
    }

    fn sinusoidal(&self) -> Result<Sinusoidal, JsValue> {
        let d_model = self.whole("dModel", 1, MAX_D_MODEL as i64)? as usize;
        let base = match self.get("base")? {
            None => 10_000.0,
            Some(value) => value
                .as_f64()
                .filter(|&base| base > 1.0 && base <= 1e9)
                .ok_or_else(|| error("base must be a number above 1, up to 1e9"))?,
        };
        let layouts = ["interleaved", "concatenated", "tensor2tensor"];
        let layout = match self.choice("layout", &layouts)? {
            "concatenated" => Layout::Concatenated,
            "tensor2tensor" => Layout::Tensor2tensor,
            _ => Layout::Interleaved,
        };
        Ok(Sinusoidal::new(d_model, base, layout))
    }
}
