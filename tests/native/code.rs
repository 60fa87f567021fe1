//! The code listings of the lesson, executed and compared with the core's table.

use posenc::{Layout, Matrix, Sinusoidal};

#[path = "../../static/code/pe.rs"]
mod pe;

use crate::python::python;

const MAX_LEN: usize = 5000;
/// Includes odd widths and a width of 1.
const WIDTHS: [usize; 4] = [1, 2, 7, 64];

fn table(d_model: usize) -> Matrix<f64> {
    Sinusoidal::new(d_model, 10_000.0, Layout::Interleaved).table_f64(MAX_LEN)
}

/// The tolerance of the code in a precision with this ε. A frequency is the exponential of a number a between −ln(10000) and
/// 0 that three operations have rounded: its relative error is 1.5·|a|·ε plus the error of the exponential itself, at most 4
/// units in the last place in the vectorised functions of NumPy and PyTorch. At position 5000 the angle is then off by
/// 5000·exp(a)·(1.5·|a| + 4)·ε, which is largest at a = 0; twice that leaves room for the 4 units of the sine and for the
/// sum with an embedding of up to 8.
fn most(epsilon: f64) -> f64 {
    2.0 * MAX_LEN as f64 * 4.0 * epsilon
}

/// An embedding with irregular values, so that the encoding added to it can be recovered.
fn embedding(index: usize) -> f64 {
    (index % 97) as f64 / 64.0 - 0.5
}

/// Returns the largest difference between `embedding · √d_model + PE` and an output of L rows.
fn furthest(d_model: usize, output: &[f64]) -> f64 {
    assert_eq!(output.len() % d_model, 0);
    let scale = (d_model as f64).sqrt();
    let table = table(d_model);
    let differences = output.iter().enumerate().map(|(index, value)| {
        let wanted = embedding(index) * scale + table.values[index];
        (value - wanted).abs()
    });
    differences.fold(0.0, f64::max)
}

#[test]
fn the_rust_code_makes_the_table() {
    for d_model in WIDTHS {
        let mut x: Vec<f64> = (0..MAX_LEN * d_model).map(embedding).collect();
        pe::PositionalEncoding::new(d_model, MAX_LEN, 0.1).forward(&mut x, None);
        let far = furthest(d_model, &x);
        assert!(far < most(f64::EPSILON), "d_model {d_model}: {far}");
    }
}

#[test]
fn the_rust_code_drops_a_tenth_and_keeps_the_mean() {
    let module = pe::PositionalEncoding::new(4, 10, 0.1);
    let (mut kept, mut dropped) = (vec![1.0; 40], vec![1.0; 40]);
    let mut plain = kept.clone();
    module.forward(&mut plain, None);
    module.forward(&mut kept, Some(&mut || 0.1));
    module.forward(&mut dropped, Some(&mut || 0.0999));
    assert!(dropped.iter().all(|x| *x == 0.0));
    for (kept, plain) in kept.iter().zip(&plain) {
        assert!((0.9 * kept - plain).abs() < 1e-12);
    }
}

#[test]
#[should_panic]
fn the_rust_code_refuses_more_than_max_len() {
    pe::PositionalEncoding::new(4, 10, 0.1).forward(&mut [0.0; 44], None);
}

/// Checks the module's output for the embeddings: one line for each width.
fn check(text: &str, epsilon: f64) {
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), WIDTHS.len());
    for (d_model, line) in WIDTHS.into_iter().zip(lines) {
        let output: Vec<f64> = line.split(' ').map(|n| n.parse().unwrap()).collect();
        assert_eq!(output.len(), MAX_LEN * d_model);
        let far = furthest(d_model, &output);
        assert!(far < most(epsilon), "d_model {d_model}: {far}");
    }
}

#[test]
fn the_numpy_code_makes_the_table() {
    let code = format!(
        "
import numpy as np
from pe_numpy import PositionalEncoding
for d_model in {WIDTHS:?}:
    x = (np.arange({MAX_LEN} * d_model) % 97 / 64 - 0.5).reshape(1, {MAX_LEN}, d_model)
    y = PositionalEncoding(d_model)(x)
    print(*(repr(float(v)) for v in y.ravel()))
module = PositionalEncoding(8, max_len=100)
x = np.ones((50, 100, 8))
dropped = module(x, np.random.default_rng(1))
assert 0.09 < (dropped == 0).mean() < 0.11
assert np.allclose(dropped[dropped != 0] * 0.9, module(x)[dropped != 0])
try:
    module(np.ones((1, 101, 8)))
    raise SystemExit('101 rows of 100')
except ValueError:
    pass
"
    );
    if let Some(text) = python("numpy", true, &code) {
        check(&text, f64::EPSILON);
    }
}

/// The listings of the chapter print what their comments say.
#[test]
fn the_listings_of_the_chapter_print_what_they_say() {
    let chapter = std::fs::read_to_string("static/lesson/13-code.html").unwrap();
    let listings = chapter.split("<pre class=\"wide\"><code>").skip(1);
    let listings: Vec<_> = listings
        .map(|rest| rest.split("</code>").next().unwrap())
        .collect();
    assert_eq!(listings.len(), 2, "one in each language");
    for listing in listings {
        let printed = listing.lines().filter_map(|line| line.strip_prefix("# "));
        let said: Vec<_> = printed.collect();
        assert_eq!(said.len(), 2);
        let code =
            format!("import numpy as np\nfrom pe_numpy import PositionalEncoding\n{listing}");
        if let Some(text) = python("numpy", true, &code) {
            assert_eq!(text.lines().collect::<Vec<_>>(), said);
        }
    }
}

#[test]
fn the_pytorch_code_makes_the_table() {
    let code = format!(
        "
import torch
from pe_torch import PositionalEncoding
for d_model in {WIDTHS:?}:
    x = (torch.arange({MAX_LEN} * d_model) % 97 / 64 - 0.5).reshape(1, {MAX_LEN}, d_model)
    y = PositionalEncoding(d_model).eval()(x)
    print(*(repr(float(v)) for v in y.flatten()))
module = PositionalEncoding(8, max_len=100)
assert list(module.state_dict()) == ['pe'] and not list(module.parameters())
torch.manual_seed(1)
assert 0.09 < (module(torch.ones(50, 100, 8)) == 0).float().mean() < 0.11
try:
    module(torch.ones(1, 101, 8))
    raise SystemExit('101 rows of 100')
except RuntimeError as error:
    wanted = 'The size of tensor a (101) must match the size of tensor b (100) at non-singleton dimension 1'
    assert str(error) == wanted, error
"
    );
    if let Some(text) = python("torch", false, &code) {
        // In 32 bits the angle at the end of the table is rounded by 2.4e-4, and the frequency is rounded, too.
        check(&text, f64::from(f32::EPSILON));
    }
}
