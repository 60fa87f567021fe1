//! Files that are made from the code: `UPDATE=1 cargo test --test native generated` writes them again.

use std::fs;

fn check(path: &str, text: &str) {
    if std::env::var_os("UPDATE").is_some() {
        fs::write(path, text).unwrap();
    }
    let file = fs::read_to_string(path).unwrap_or_default();
    assert!(
        file == text,
        "{path} is out of date: UPDATE=1 cargo test --test native generated"
    );
}

#[test]
fn theme_css_is_the_theme() {
    check("static/theme.css", &posenc::css());
}

#[test]
fn the_readme_lists_the_settings() {
    const START: &str = "<!-- settings: written by tests/native/generated.rs -->\n";
    const END: &str = "<!-- /settings -->";
    let readme = fs::read_to_string("README.md").unwrap();
    let (before, rest) = readme
        .split_once(START)
        .expect("the README has a place for the table");
    let (_, after) = rest
        .split_once(END)
        .expect("the place for the table has an end");
    let table = posenc::markdown_table();
    check("README.md", &format!("{before}{START}{table}{END}{after}"));
}

#[test]
fn the_types_list_the_encodings_that_have_a_table() {
    const FILE: &str = "static/posenc.d.ts";
    const START: &str = "  encoding?: ";
    let names = posenc::Encoding::WITH_SIGNAL.into_iter().filter(|it| {
        let signal = it.info().signal;
        signal.is_some_and(posenc::PositionSignal::has_table)
    });
    let names: Vec<String> = names.map(|it| format!("{:?}", it.name())).collect();
    let types = fs::read_to_string(FILE).unwrap();
    let (before, rest) = types.split_once(START).expect("a list of encodings");
    let (_, after) = rest.split_once(';').expect("its end");
    check(
        FILE,
        &format!("{before}{START}{};{after}", names.join(" | ")),
    );
}

#[test]
fn the_published_crate_has_the_licences_of_the_project() {
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        let text = |folder: &str| std::fs::read_to_string(format!("{folder}{name}")).unwrap();
        assert!(text("") == text("crates/encoding/"), "{name}");
    }
}
