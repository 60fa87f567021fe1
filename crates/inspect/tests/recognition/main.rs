//! Tables that other code made.

mod cases;

use std::path::Path;

#[test]
fn the_kept_tables_are_recognised() {
    let outcome = cases::compare(Path::new("../../tests/corpus/tables"));
    assert!(outcome.cases >= 40, "{}", outcome.cases);
    assert!(outcome.wrong.is_empty(), "{}", outcome.wrong.join("\n"));
    assert!(outcome.wrong_and_certain.is_empty());
}
