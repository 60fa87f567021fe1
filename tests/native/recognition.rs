//! Tables of all sizes, by code as people wrote it, which `posenc inspect` has to recognise; the smallest are kept in
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
