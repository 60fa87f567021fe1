//! The functions exported for `posenc.js`, called with arguments from JavaScript.

use js_sys::{Error, Float32Array, Float64Array};
use posenc::web::{encode, encode_at, rotation};
use posenc::{Encoding, Layout, TableConfig};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::assert_close::assert_close;

const LAYOUTS: [&str; 3] = ["interleaved", "concatenated", "tensor2tensor"];

/// The value of a JavaScript expression.
pub fn js(expression: &str) -> JsValue {
    js_sys::eval(&format!("({expression})")).unwrap()
}

fn single(options: &str) -> Vec<f32> {
    let table = encode(&js(options)).unwrap();
    table.dyn_into::<Float32Array>().unwrap().to_vec()
}

fn double(options: &str) -> Vec<f64> {
    let table = encode(&js(options)).unwrap();
    table.dyn_into::<Float64Array>().unwrap().to_vec()
}

#[wasm_bindgen_test]
fn encode_returns_the_table_row_by_row() {
    let expected = [
        [0.0, 1.0, 0.0, 1.0],
        [0.8414709848, 0.5403023059, 0.0099998333, 0.9999500004],
        [0.9092974268, -0.4161468365, 0.0199986667, 0.9998000067],
    ]
    .concat();
    let table = single("{ dModel: 4, maxLen: 3 }");
    assert_eq!(
        table,
        Vec::from_iter(expected.iter().map(|&value| value as f32))
    );
    let table = double("{ dModel: 4, maxLen: 3, dtype: 'float64' }");
    assert_eq!(table.len(), expected.len());
    for (actual, expected) in table.into_iter().zip(expected) {
        assert_close(actual, expected, 5e-11);
    }
}

#[wasm_bindgen_test]
fn layouts_order_the_columns() {
    let expected = [
        [0.8414709848, 0.5403023059, 0.0099998333, 0.9999500004],
        [0.8414709848, 0.0099998333, 0.5403023059, 0.9999500004],
        [0.8414709848, 0.0001, 0.5403023059, 0.999999995],
    ];
    for (layout, expected) in LAYOUTS.into_iter().zip(expected) {
        let options = format!("{{ dModel: 4, maxLen: 2, layout: '{layout}', dtype: 'float64' }}");
        for (&actual, expected) in double(&options)[4..].iter().zip(expected) {
            assert_close(actual, expected, 2e-10);
        }
    }
}

#[wasm_bindgen_test]
fn what_is_not_said_has_a_default() {
    let named = "base: 10000, layout: 'interleaved', encoding: 'sinusoidal', dtype: 'float32'";
    let undefined = "base: undefined, layout: undefined, encoding: undefined, dtype: undefined";
    let plain = single("{ dModel: 7, maxLen: 50 }");
    assert_eq!(plain.len(), 350);
    for options in [named, undefined] {
        assert_eq!(
            single(&format!("{{ dModel: 7, maxLen: 50, {options} }}")),
            plain
        );
    }
    assert_ne!(single("{ dModel: 7, maxLen: 50, base: 500000 }"), plain);
    assert_eq!(
        rotation(&js("{ dModel: 4, k: 3 }")).unwrap().to_vec(),
        rotation(&js(
            "{ dModel: 4, k: 3, base: 10000, layout: 'interleaved' }"
        ))
        .unwrap()
        .to_vec()
    );
}

#[wasm_bindgen_test]
fn rotation_has_the_blocks_on_its_diagonal() {
    let expected = [
        [-0.98999, 0.14112, 0.0, 0.0],
        [-0.14112, -0.98999, 0.0, 0.0],
        [0.0, 0.0, 0.99955, 0.0299955],
        [0.0, 0.0, -0.0299955, 0.99955],
    ]
    .concat();
    let matrix = rotation(&js("{ dModel: 4, k: 3 }")).unwrap().to_vec();
    assert_eq!(matrix.len(), expected.len());
    for (actual, expected) in matrix.into_iter().zip(expected) {
        assert_close(actual, expected, 5e-6);
    }
}

#[wasm_bindgen_test]
fn rotation_leads_from_a_position_to_another() {
    const WIDTH: usize = 6;
    for layout in LAYOUTS {
        let settings = format!("dModel: {WIDTH}, base: 500, layout: '{layout}'");
        let table = double(&format!("{{ {settings}, maxLen: 200, dtype: 'float64' }}"));
        let row = |position: usize| &table[position * WIDTH..(position + 1) * WIDTH];
        for (position, k) in [(0, 0), (0, 199), (60, 100), (150, -150), (37, -1)] {
            let matrix = rotation(&js(&format!("{{ {settings}, k: {k} }}"))).unwrap();
            let target = row((position as i64 + k) as usize);
            for (line, &expected) in matrix.to_vec().chunks(WIDTH).zip(target) {
                let turned: f64 = line.iter().zip(row(position)).map(|(m, v)| m * v).sum();
                assert_close(turned, expected, 2e-15);
            }
        }
    }
}

/// Asserts that the call throws an `Error` that names the argument.
pub fn assert_throws<T>(result: Result<T, JsValue>, name: &str, options: &str) {
    let thrown = result
        .err()
        .unwrap_or_else(|| panic!("{options} is accepted"));
    let error = thrown
        .dyn_ref::<Error>()
        .unwrap_or_else(|| panic!("{options}: no Error"));
    let message = String::from(error.message());
    let mut words = message.split(|c: char| !c.is_alphanumeric());
    assert!(words.any(|word| word == name), "{options}: {message}");
}

/// Values that are not valid integers in any range.
const NO_NUMBERS: [&str; 13] = [
    "undefined",
    "null",
    "NaN",
    "Infinity",
    "-Infinity",
    "1.5",
    "1e300",
    "'8'",
    "true",
    "8n",
    "[8]",
    "{}",
    "new Number(8)",
];

#[wasm_bindgen_test]
fn a_bad_number_throws_an_error_that_names_it() {
    let good = [("dModel", "8"), ("maxLen", "8"), ("k", "8")];
    let replaced = |name: &str, bad: &str| {
        let with = |(key, value): (&str, &str)| {
            format!("{key}: {}", if key == name { bad } else { value })
        };
        format!("{{ {} }}", good.map(with).join(", "))
    };
    let both = |name: &str, bad: &str| {
        let options = replaced(name, bad);
        if name != "k" {
            assert_throws(encode(&js(&options)), name, &options);
        }
        if name != "maxLen" {
            assert_throws(rotation(&js(&options)), name, &options);
        }
    };
    for bad in NO_NUMBERS {
        for name in ["dModel", "maxLen", "k"] {
            both(name, bad);
        }
    }
    for bad in ["0", "-0", "-8"] {
        both("dModel", bad);
        both("maxLen", bad);
    }
    both("dModel", "16385");
    both("maxLen", "1048577");
    both("k", "1048577");
    both("k", "-1048577");
}

#[wasm_bindgen_test]
fn a_bad_choice_throws_an_error_that_names_it() {
    for (name, bad) in [
        ("base", "1"),
        ("base", "0"),
        ("base", "-10000"),
        ("base", "1.1e9"),
        ("base", "NaN"),
        ("base", "Infinity"),
        ("base", "null"),
        ("base", "'10000'"),
        ("layout", "'diagonal'"),
        ("layout", "''"),
        ("layout", "null"),
        ("layout", "0"),
        ("encoding", "'rope'"),
        ("encoding", "null"),
        ("dtype", "'float16'"),
        ("dtype", "64"),
        ("dtype", "null"),
    ] {
        let options = format!("{{ dModel: 8, maxLen: 8, k: 8, {name}: {bad} }}");
        assert_throws(encode(&js(&options)), name, &options);
        if ["base", "layout"].contains(&name) {
            assert_throws(rotation(&js(&options)), name, &options);
        }
    }
}

#[wasm_bindgen_test]
fn options_must_be_an_object_with_what_is_needed() {
    for bad in ["null", "undefined", "8", "'dModel'", "() => ({})"] {
        assert_throws(encode(&js(bad)), "options", bad);
        assert_throws(rotation(&js(bad)), "options", bad);
    }
    for (missing, options) in [("dModel", "{ maxLen: 8, k: 8 }"), ("dModel", "[]")] {
        assert_throws(encode(&js(options)), missing, options);
        assert_throws(rotation(&js(options)), missing, options);
    }
    assert_throws(encode(&js("{ dModel: 8 }")), "maxLen", "no maxLen");
    assert_throws(rotation(&js("{ dModel: 8 }")), "k", "no k");
}

#[wasm_bindgen_test]
fn a_table_too_large_for_memory_is_refused() {
    for options in [
        "{ dModel: 16384, maxLen: 1048576 }",
        "{ dModel: 16384, maxLen: 8193 }",
        "{ dModel: 16384, maxLen: 4097, dtype: 'float64' }",
    ] {
        assert_throws(encode(&js(options)), "maxLen", options);
        assert_throws(encode(&js(options)), "dModel", options);
    }
    let options = "{ dModel: 16384, k: 1 }";
    assert_throws(rotation(&js(options)), "dModel", options);
}

#[wasm_bindgen_test]
fn encode_returns_the_numbers_of_the_encoding_that_is_asked_for() {
    let size = TableConfig {
        max_len: 5,
        d_model: 6,
        base: 10_000.0,
        layout: Layout::Interleaved,
    };
    for &encoding in Encoding::ALL {
        let Ok(cells) = encoding.table(&size) else {
            continue;
        };
        let options = format!("dModel: 6, maxLen: 5, encoding: '{}'", encoding.name());
        let wide = double(&format!("{{ {options}, dtype: 'float64' }}"));
        let narrow = single(&format!("{{ {options} }}"));
        for position in 0..5 {
            for dimension in 0..6 {
                let expected = cells.value(position as i64, dimension).unwrap();
                let place = position * 6 + dimension;
                assert_close(wide[place], expected, 1e-15);
                assert_close(f64::from(narrow[place]), expected, f64::from(f32::EPSILON));
                let at = format!("{{ {options}, position: {position}, dimension: {dimension} }}");
                assert_eq!(encode_at(&js(&at)).unwrap(), expected);
            }
        }
    }
}
