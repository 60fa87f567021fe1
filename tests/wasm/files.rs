//! Files that pages create: tables with the functions of `posenc.js`, figures with the plotters backend.

use crate::interface::{assert_throws, js};
use js_sys::Uint8Array;
use posenc::Values;
use posenc::figures::{AnyFigure, fields};
use posenc::web::picture::svg;
use posenc::web::{TableFile, table_csv, table_npy};
use posenc::{
    BenchFigure, Lang, Layout, Model, OnBench, Sinusoidal, State, Theme, ThemeName, ViewName,
    picture_size,
};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

const OPTIONS: &str = "{ dModel: 7, maxLen: 500, base: 500, layout: 'concatenated' }";

fn file(options: &str, format: &str) -> Result<TableFile, JsValue> {
    TableFile::new(&js(options), &js(format))
}

fn parts(file: &mut TableFile, rows: Option<u32>) -> Vec<Uint8Array> {
    std::iter::from_fn(|| file.next(rows)).collect()
}

#[wasm_bindgen_test]
fn tables_are_the_cores() {
    let pe = Sinusoidal::new(7, 500.0, Layout::Concatenated);
    let core = pe.table_f32(500).values;
    let npy = table_npy(&js(OPTIONS)).unwrap().to_vec();
    assert!(npy.starts_with(b"\x93NUMPY\x01\x00"));
    let (numbers, _) = npy[128..].as_chunks();
    assert!(
        numbers
            .iter()
            .map(|bytes| f32::from_le_bytes(*bytes))
            .eq(core.iter().copied())
    );
    let csv = table_csv(&js(OPTIONS)).unwrap();
    let rows = csv.lines().skip(7).flat_map(|line| line.split(',').skip(1));
    assert!(rows.map(|cell| cell.parse::<f32>().unwrap()).eq(core));
}

#[wasm_bindgen_test]
fn slices_come_to_the_whole() {
    let csv = table_csv(&js(OPTIONS)).unwrap().into_bytes();
    let npy = table_npy(&js(OPTIONS)).unwrap().to_vec();
    for (format, whole) in [("'csv'", csv), ("'npy'", npy)] {
        for (rows, count) in [
            (Some(0), 500),
            (Some(64), 8),
            (Some(u32::MAX), 1),
            (None, 1),
        ] {
            let mut file = file(OPTIONS, format).unwrap();
            assert_eq!(file.rows(), 500);
            let exact = format == "'npy'";
            assert!(file.bytes() >= whole.len() as f64);
            assert!(!exact || file.bytes() == whole.len() as f64);
            let parts = parts(&mut file, rows);
            assert_eq!(parts.len(), count);
            let bytes: Vec<u8> = parts.iter().flat_map(|part| part.to_vec()).collect();
            assert!(bytes == whole);
            assert!(file.next(rows).is_none());
        }
    }
}

#[wasm_bindgen_test]
fn a_bad_argument_throws_an_error_that_names_it() {
    for (name, options) in [
        ("options", "null"),
        ("dModel", "{ maxLen: 8 }"),
        ("maxLen", "{ dModel: 8, maxLen: 0 }"),
        ("base", "{ dModel: 8, maxLen: 8, base: 1 }"),
        ("layout", "{ dModel: 8, maxLen: 8, layout: 'diagonal' }"),
        ("encoding", "{ dModel: 8, maxLen: 8, encoding: 'rope' }"),
        ("dtype", "{ dModel: 8, maxLen: 8, dtype: 'float16' }"),
        ("maxLen", "{ dModel: 16384, maxLen: 1048576 }"),
        ("dModel", "{ dModel: 16384, maxLen: 1048576 }"),
        // Two megabytes above the limit.
        ("514", "{ dModel: 16384, maxLen: 4112, dtype: 'float64' }"),
    ] {
        assert_throws(table_csv(&js(options)), name, options);
        assert_throws(table_npy(&js(options)), name, options);
        assert_throws(file(options, "'csv'"), name, options);
        assert_throws(file(options, "'npy'"), name, options);
    }
    for format in ["'xlsx'", "''", "undefined", "8"] {
        assert_throws(file(OPTIONS, format), "format", format);
    }
    // As binary numbers the table is within the limit, as text beyond it.
    let options = "{ dModel: 16384, maxLen: 4096 }";
    assert!(file(options, "'npy'").is_ok());
    assert_throws(file(options, "'csv'"), "maxLen", options);
}

/// Columns and rows of the first image, according to its element and to its PNG.
fn image_sizes(svg: &str) -> [(u32, u32); 2] {
    let (_, element) = svg.split_once("<image width=\"").unwrap();
    let said: Vec<&str> = element.split('"').collect();
    let said = [said[0], said[2]].map(|number| number.parse().unwrap());
    let (_, png) = element.split_once("base64,").unwrap();
    let bytes = js(&format!("atob('{}')", &png[..32])).as_string().unwrap();
    let bytes: Vec<u8> = bytes.chars().map(|c| c as u8).collect();
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    [said.into(), (number(16), number(20))]
}

#[wasm_bindgen_test]
fn figures_are_svg() {
    for lang in [Lang::En, Lang::Zh] {
        let model = Model::without_transients(&State::default(), lang);
        for mut figure in BenchFigure::all() {
            let image = figure.name() == ViewName::Heatmap;
            let pictured = OnBench {
                figure: &mut figure,
                model: &model,
            };
            let svg = svg(pictured, Theme::named(ThemeName::Light), (360, 240));
            assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
            assert!(svg.contains("</text>"));
            assert_eq!(svg.contains("href=\"data:image/png;base64,"), image);
            if image {
                let [said, encoded] = image_sizes(&svg);
                assert_eq!(said, encoded);
            }
        }
        for (name, drawn) in [(ViewName::Ruler, true), (ViewName::Code, false)] {
            let values = Values::new(fields(name).unwrap());
            let shown = AnyFigure::new(name, &values, lang, None).unwrap();
            let theme = Theme::named(ThemeName::Dark);
            let size = picture_size(&shown, theme, 500.9);
            assert_eq!(size.map(|(width, _)| width), drawn.then_some(500));
            let svg = size.map(|size| svg(&shown, theme, size));
            assert_eq!(svg.is_some_and(|svg| svg.contains("</text>")), drawn);
        }
    }
}
