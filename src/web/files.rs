//! Tables as files, for pages: whole, or in slices that leave room for a progress bar and a way out.

use super::api::{Options, TABLE, check_size, error};
use crate::export::{self, Format};
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

/// About how many bytes come at a time where nobody says how many rows.
const SLICE: u64 = 1 << 20;

/// The table as CSV: comments that say how it was made, names of the columns, a row per position.
/// Throws an Error that names a bad argument, or a file that would be too large.
#[wasm_bindgen(js_name = tableCsv, skip_typescript)]
pub fn table_csv(options: &JsValue) -> Result<String, JsValue> {
    let mut text = Vec::new();
    each_part(&mut file(options, Format::Csv)?, |part| text.extend(part));
    String::from_utf8(text).map_err(|_| error("options: this table is no text"))
}

/// The table as NumPy's .npy. Throws an Error that names a bad argument.
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
    // The numbers themselves are known to have room.
    if format == Format::Csv {
        check_size(TABLE, file.bytes())?;
    }
    Ok(file)
}

/// A table on its way into a file: a page takes one part after the other, as long as it likes.
#[wasm_bindgen(skip_typescript)]
pub struct TableFile(export::TableFile);

#[wasm_bindgen]
impl TableFile {
    /// `options` are those of `encode`, `format` is "csv" or "npy". Throws an Error that names a
    /// bad argument, or a file that would be too large.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &JsValue, format: &JsValue) -> Result<TableFile, JsValue> {
        let format = format.as_string().unwrap_or_default();
        let format = Format::ALL.into_iter().find(|f| f.name() == format);
        let format = format.ok_or_else(|| error("format must be one of csv, npy"))?;
        Ok(TableFile(file(options, format)?))
    }

    /// The size of the whole: exact for npy, for csv never less than it will be.
    #[wasm_bindgen(getter)]
    pub fn bytes(&self) -> f64 {
        self.0.bytes() as f64
    }

    /// How many rows there are, one for each position.
    #[wasm_bindgen(getter)]
    pub fn rows(&self) -> usize {
        self.0.table().max_len
    }

    /// The next part of the file, with so many rows, at least one, or with about a megabyte of them;
    /// undefined after the last.
    pub fn next(&mut self, rows: Option<u32>) -> Option<Uint8Array> {
        let rows = rows.map_or_else(|| self.0.rows_in(SLICE), |rows| rows as usize);
        self.0.next(rows).map(|part| part[..].into())
    }
}
