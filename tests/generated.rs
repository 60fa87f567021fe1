//! Files that are made from the code: `UPDATE=1 cargo test --test generated` writes them again.

use std::fs;

fn check(path: &str, text: &str) {
    if std::env::var_os("UPDATE").is_some() {
        fs::write(path, text).unwrap();
    }
    let file = fs::read_to_string(path).unwrap_or_default();
    assert!(
        file == text,
        "{path} is out of date: UPDATE=1 cargo test --test generated"
    );
}

#[test]
fn theme_css_is_the_theme() {
    check("static/theme.css", &posenc::css());
}
