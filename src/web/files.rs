//! Exports tables as files for pages: in one piece, or in parts between which a page can show a progress bar or cancel.

use super::api::{Options, TABLE, check_size, error};
use crate::export::{self, Format};
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

/// Approximate size of a part in bytes, if the number of rows is not given.
const SLICE: u64 = 1 << 20;

/// Returns the table as CSV: comments on how it was computed, the names of the columns, one row per position. Throws an
/// Error that names an invalid argument, or if the file would be too large.
#[wasm_bindgen(js_name = tableCsv, skip_typescript)]
pub fn table_csv(options: &JsValue) -> Result<String, JsValue> {
    let mut text = Vec::new();
    each_part(&mut file(options, Format::Csv)?, |part| text.extend(part));
    String::from_utf8(text).map_err(|_| error("options: this table is no text"))
}

/// Returns the table as a NumPy .npy file. Throws an Error that names an invalid argument.
#[wasm_bindgen(js_name = tableNpy, skip_typescript)]
pub fn table_npy(options: &JsValue) -> Result<Uint8Array, JsValue> {
    let mut file = file(options, Format::Npy)?;
    let whole = Uint8Array::new_with_length(file.bytes() as u32);
    let mut from = 0;
    each_part(&mut file, |part| {
        let to = from + part.len() as u32;
        whole.subarray(from, to).copy_from(&part);
        from = to;
    });
    Ok(whole)
}

fn each_part(file: &mut export::TableFile, mut take: impl FnMut(Vec<u8>)) {
    let rows = file.rows_in(SLICE);
    while let Some(part) = file.next(rows) {
        take(part);
    }
}

fn file(options: &JsValue, format: Format) -> Result<export::TableFile, JsValue> {
    let table = Options::new(options)?.table()?;
    let file = export::TableFile::new(table, format);
    // `Options::table` has checked the size of the numbers, which an npy file consists of.
    if format == Format::Csv {
        check_size(TABLE, file.bytes())?;
    }
    Ok(file)
}

/// A table that is exported as a file in parts, at the pace of the page.
#[wasm_bindgen(skip_typescript)]
pub struct TableFile(export::TableFile);

#[wasm_bindgen]
impl TableFile {
    /// `options` are those of `encode`, `format` is "csv" or "npy". Throws an Error that names an invalid argument, or
    /// if the file would be too large.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &JsValue, format: &JsValue) -> Result<TableFile, JsValue> {
        let format = format.as_string().unwrap_or_default();
        let format = Format::ALL.into_iter().find(|f| f.name() == format);
        let format = format.ok_or_else(|| error("format must be one of csv, npy"))?;
        Ok(TableFile(file(options, format)?))
    }

    /// The size of the file in bytes: exact for npy, an upper bound for csv.
    #[wasm_bindgen(getter)]
    pub fn bytes(&self) -> f64 {
        self.0.bytes() as f64
    }

    /// The number of rows, one for each position.
    #[wasm_bindgen(getter)]
    pub fn rows(&self) -> usize {
        self.0.table().max_len
    }

    /// Returns the next part of the file: at least one row, by default about 1 MiB; undefined after the last part.
    pub fn next(&mut self, rows: Option<u32>) -> Option<Uint8Array> {
        let rows = rows.map_or_else(|| self.0.rows_in(SLICE), |rows| rows as usize);
        self.0.next(rows).map(|part| part[..].into())
    }
}
