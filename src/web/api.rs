//! The functions that `posenc.js` exports.

use crate::export::{Dtype, LARGEST_FILE, Numbers, Table};
use crate::field::nearest;
use crate::field::settings::BASE_LIMITS;
use crate::math::rotation::Rotation;
use js_sys::{Error, Float32Array, Float64Array, Object, Reflect};
use posenc_encoding::{
    Encoding, Layout, MAX_D_MODEL, MAX_LEN, NoTable, PositionSignal, Sinusoidal, TableConfig,
};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

/// The options that determine the size of a table, for error messages.
pub(super) const TABLE: &str = "maxLen × dModel";

/// Returns the table, row-major [maxLen, dModel]. Throws an Error that names an invalid argument.
#[wasm_bindgen(skip_typescript)]
pub fn encode(options: &JsValue) -> Result<JsValue, JsValue> {
    let table = Options::new(options)?.table()?;
    Ok(match table.numbers(0..table.max_len) {
        Numbers::Float32(numbers) => Float32Array::from(&numbers[..]).into(),
        Numbers::Float64(numbers) => Float64Array::from(&numbers[..]).into(),
    })
}

/// Returns the number at `position` and `dimension`, whatever the size of the table. Throws an Error that names an
/// invalid argument.
#[wasm_bindgen(js_name = encodeAt, skip_typescript)]
pub fn encode_at(options: &JsValue) -> Result<f64, JsValue> {
    let options = Options::new(options)?;
    let table = options.table_of_any_size()?;
    let position = options.whole("position", 0, table.max_len as i64 - 1)?;
    let dimension = options.whole("dimension", 0, table.cells.d_model() as i64 - 1)?;
    let value = table.cells.value(position, dimension as usize);
    value.ok_or_else(|| error("the table has no number there"))
}

/// Returns M_k, row-major [dModel, dModel]. Throws an Error that names an invalid argument.
#[wasm_bindgen(skip_typescript)]
pub fn rotation(options: &JsValue) -> Result<Float64Array, JsValue> {
    let options = Options::new(options)?;
    let pe = options.sinusoidal()?;
    let reach = MAX_LEN as i64;
    let k = options.whole("k", -reach, reach)?;
    let square = (pe.d_model() * pe.d_model()) as u64;
    check_size("dModel", square * Dtype::Float64.size())?;
    Ok(Float64Array::from(
        &Rotation::new(&pe, k).matrix().values[..],
    ))
}

/// Returns an error that names the arguments if the result has more than [`LARGEST_FILE`] bytes.
pub(super) fn check_size(names: &str, bytes: u64) -> Result<(), JsValue> {
    let megabytes = |bytes: u64| bytes.div_ceil(1 << 20);
    if bytes <= LARGEST_FILE {
        return Ok(());
    }
    Err(error(&format!(
        "{names} is too large: {} MB, where {} MB is the limit",
        megabytes(bytes),
        megabytes(LARGEST_FILE)
    )))
}

/// An error that names an unknown name and suggests the most similar valid one.
pub(super) fn unknown<'a>(
    name: &str,
    is: &str,
    valid: impl IntoIterator<Item = &'a str>,
) -> JsValue {
    let meant = nearest(name, valid).map(|meant| format!("; did you mean {meant}?"));
    let name: String = name.chars().take(100).collect();
    error(&format!("{name} is {is}{}", meant.unwrap_or_default()))
}

pub(super) fn error(message: &str) -> JsValue {
    Error::new(message).into()
}

/// The names of all options. One object may serve several functions.
const OPTIONS: [&str; 9] = [
    "dModel",
    "maxLen",
    "base",
    "layout",
    "encoding",
    "dtype",
    "k",
    "position",
    "dimension",
];

/// The options given to a function. Its methods return errors that name the invalid option.
pub(super) struct Options<'a>(&'a JsValue);

impl Options<'_> {
    pub fn new(options: &JsValue) -> Result<Options<'_>, JsValue> {
        if !options.is_object() {
            return Err(error(
                "options must be an object such as { dModel: 128, maxLen: 64 }",
            ));
        }
        for name in Object::keys(options.unchecked_ref::<Object>()) {
            let name = name.as_string().unwrap_or_default();
            if !OPTIONS.contains(&name.as_str()) {
                return Err(unknown(&name, "no option", OPTIONS));
            }
        }
        Ok(Options(options))
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

    /// Returns the first choice if the option is absent.
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

    /// The table, or an error if it has more than [`LARGEST_FILE`] bytes.
    pub fn table(&self) -> Result<Table, JsValue> {
        let table = self.table_of_any_size()?;
        check_size(TABLE, table.bytes())?;
        Ok(table)
    }

    /// The table without a limit of its bytes, for callers that read only part of it.
    fn table_of_any_size(&self) -> Result<Table, JsValue> {
        let mut size = self.size()?;
        size.max_len = self.whole("maxLen", 1, MAX_LEN as i64)? as usize;
        let tables = Encoding::WITH_SIGNAL.iter().filter(|encoding| {
            let signal = encoding.info().signal;
            signal.is_some_and(PositionSignal::has_table)
        });
        let tables: Vec<_> = tables.map(|encoding| encoding.name()).collect();
        let encoding = self.choice("encoding", &tables)?;
        let encoding = Encoding::named(encoding).unwrap_or(Encoding::Sinusoidal);
        let dtype = self.choice("dtype", &Dtype::ALL.map(Dtype::name))?;
        let dtype = Dtype::named(dtype).unwrap_or_default();
        Table::new(encoding, &size, dtype).map_err(|fault| {
            let what_to_do = match fault {
                NoTable::OtherShape(_) => "; see maxLen and dModel",
                NoTable::Loading => ": await init() first",
                _ => "",
            };
            error(&format!(
                "encoding {}: {fault}{what_to_do}",
                encoding.name()
            ))
        })
    }

    fn sinusoidal(&self) -> Result<Sinusoidal, JsValue> {
        let size = self.size()?;
        Ok(Sinusoidal::new(size.d_model, size.base, size.layout))
    }

    /// Width, base and layout, with a `max_len` of 1.
    fn size(&self) -> Result<TableConfig, JsValue> {
        let d_model = self.whole("dModel", 1, MAX_D_MODEL as i64)? as usize;
        let (low, high) = BASE_LIMITS;
        let base = match self.get("base")? {
            None => 10_000.0,
            Some(value) => value
                .as_f64()
                .filter(|&base| base > low && base <= high)
                .ok_or_else(|| {
                    error(&format!(
                        "base must be a number above {low}, up to {high:e}"
                    ))
                })?,
        };
        let layout = self.choice("layout", &Layout::ALL.map(Layout::name))?;
        Ok(TableConfig {
            max_len: 1,
            d_model,
            base,
            layout: Layout::named(layout).unwrap_or_default(),
        })
    }
}
