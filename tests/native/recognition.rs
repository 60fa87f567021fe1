//! Tables of all sizes, made by published code, that `posenc inspect` must recognise; the smallest are stored in
//! tests/corpus/tables and tested with crates/inspect.

#[path = "../../crates/inspect/tests/recognition/cases.rs"]
mod cases;

use crate::python::python;
use std::fs;
use std::path::PathBuf;

#[test]
fn tables_that_people_wrote_are_recognised() {
    let name = format!("mistakes-{}", std::process::id());
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let code = format!(
        "import runpy, sys; sys.argv = ['mistakes.py', {folder:?}]; runpy.run_path('../../tests/reference/mistakes.py')"
    );
    if python("numpy", true, &code).is_none() {
        return;
    }
    let outcome = cases::compare(&folder);
    fs::remove_dir_all(&folder).unwrap();
    assert!(outcome.cases >= 80, "{}", outcome.cases);
    assert!(
        outcome.wrong_and_certain.is_empty(),
        "{:#?}",
        outcome.wrong_and_certain
    );
    assert!(
        50 * outcome.wrong.len() <= outcome.cases,
        "{:#?}",
        outcome.wrong
    );
}

#[test]
fn the_recipe_for_pytest_works() {
    let text = fs::read_to_string("docs/inspect.md").unwrap();
    let recipe = text.split("```python\n").nth(1).unwrap();
    let recipe = recipe.split("```").next().unwrap();
    let programs = PathBuf::from(env!("CARGO_BIN_EXE_posenc"));
    let programs = programs.parent().unwrap();
    let name = format!("pytest-{}", std::process::id());
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    let code = format!(
        "
import os, pathlib
os.environ['PATH'] = {programs:?} + os.pathsep + os.environ['PATH']
{recipe}
def positional_encoding(n, d, start=0):
    angle = np.arange(start, n + start)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(n, d)

folder = pathlib.Path({folder:?})
test_positions(folder)
right = positional_encoding
positional_encoding = lambda n, d: right(n, d, 1)
try:
    test_positions(folder)
except AssertionError as error:
    assert 'start-offset' in str(error)
    print('fails')
"
    );
    let said = python("numpy", true, &code);
    fs::remove_dir_all(&folder).unwrap();
    assert!(said.is_none_or(|said| said.trim() == "fails"));
}

/// The line that a refusal prints turns the file into one that is read, and the one that a mistake has makes the table right.
#[test]
fn what_is_advised_is_right() {
    let name = format!("advice-{}", std::process::id());
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    let posenc = env!("CARGO_BIN_EXE_posenc");
    let code = format!(
        "import runpy, sys; sys.argv = ['advice.py', {posenc:?}, {folder:?}]; runpy.run_path('../../tests/reference/advice.py')"
    );
    let said = python("numpy", true, &code);
    fs::remove_dir_all(&folder).unwrap();
    let Some(said) = said else { return };
    let executed: Vec<&str> = said.split_whitespace().collect();
    for (code, _) in posenc::text::inspection::FIXES {
        assert!(executed.contains(code), "{code}: {said}");
    }
}

/// The data that `inspect(tensor)` of the notebook module passes to the figure; anywidget and torch are replaced by stubs.
#[test]
fn the_widget_writes_what_the_figure_reads() {
    let name = format!("widget-{}", std::process::id());
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    let code = format!(
        "
import pathlib, sys, types
import numpy as np

class Trait:
    def __init__(self, *_, **__): pass
    def tag(self, **_): return self

class Widget:
    def __init__(self, **traits): self.traits = traits
    def has_trait(self, _): return True

sys.modules['anywidget'] = types.SimpleNamespace(AnyWidget=Widget)
sys.modules['traitlets'] = types.SimpleNamespace(
    Unicode=Trait, Dict=Trait, Bytes=Trait, TraitError=type('TraitError', (Exception,), {{}}),
    validate=lambda _: lambda check: check,
)
sys.path.insert(0, '../../examples/jupyter')
import posenc_widget

class Tensor:
    dtype = 'torch.bfloat16'
    def __init__(self, array): self.array = array
    def detach(self): return self
    cpu = detach
    def float(self): return self
    def numpy(self): return self.array

angle = np.arange(1, 33)[:, None] / 10000 ** (np.arange(0, 16, 2) / 16)
pe = np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(32, 16)
folder = pathlib.Path({folder:?})
for name, table in {{'array': pe, 'half': pe.astype(np.float16), 'tensor': Tensor(pe.astype(np.float32)), 'list': pe.tolist(), 'complex': pe[:, 1::2] + 1j * pe[:, ::2]}}.items():
    figure = posenc_widget.inspect(table, name, lang='zh')
    assert figure.traits['view'] == 'inspect' and figure.traits['lang'] == 'zh'
    assert figure.traits['filename'] == name + '.npy'
    (folder / (name + '.npy')).write_bytes(figure.traits['file'])
print('done')
"
    );
    let said = python("numpy", true, &code);
    if said.is_some() {
        for name in ["array", "half", "tensor", "list"] {
            let bytes = fs::read(folder.join(format!("{name}.npy"))).unwrap();
            let table = posenc_inspect::read(&bytes, None).unwrap();
            let report = posenc_inspect::Inspector::new(table).run();
            assert_eq!((report.shape, report.start), ((32, 16), Some(1)), "{name}");
        }
        let bytes = fs::read(folder.join("complex.npy")).unwrap();
        let table = posenc_inspect::read(&bytes, None).unwrap();
        assert_eq!((table.rows(), table.columns()), (32, 16));
        // A complex number is a cosine and a sine.
        assert!((table.at(0, 1) - 1_f64.sin()).abs() < 1e-12);
    }
    fs::remove_dir_all(&folder).unwrap();
}
