//! Every view as SVG, kept in `tests/snapshots` and compared to the letter: a change of a picture
//! is seen in a review. `UPDATE=1 cargo test --test native snapshots` draws them again.

use posenc::{Figure, Lang, read_link, svg};
use std::fs;

fn check(name: &str, settings: &str, lang: Lang, (width, height): (u32, u32)) {
    let link = read_link("", settings);
    assert_eq!(link.problems, [], "{settings}");
    for mut figure in Figure::all() {
        let drawn = svg(&mut figure, &link.state, lang, width, height);
        let path = format!("tests/snapshots/{}-{name}.svg", figure.name().name());
        if std::env::var_os("UPDATE").is_some() {
            fs::create_dir_all("tests/snapshots").unwrap();
            fs::write(&path, &drawn).unwrap();
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            drawn == kept,
            "{path} has changed: UPDATE=1 cargo test --test native snapshots"
        );
    }
}

#[test]
fn the_first_sight() {
    check("default", "", Lang::En, (360, 240));
}

#[test]
fn concatenated_in_chinese_and_dark() {
    check(
        "concatenated-zh-dark",
        "layout=concatenated&theme=dark&d_model=64&max_len=50&k=-7&compare=0,12",
        Lang::Zh,
        (360, 240),
    );
}

#[test]
fn tensor2tensor_with_an_odd_width_on_a_projector() {
    check(
        "tensor2tensor-projector",
        "layout=tensor2tensor&theme=projector&d_model=9&max_len=20&pair=4&pos=3",
        Lang::En,
        (360, 240),
    );
}

#[test]
fn zoomed_to_cells_with_numbers() {
    check(
        "zoomed",
        "positions=8-14&dimensions=6-12&pair=4&pos=10&k=2&member=cosine",
        Lang::En,
        (360, 240),
    );
}

#[test]
fn averaged() {
    check(
        "averaged",
        "d_model=512&max_len=5000&pair=200&pos=2500&k=800",
        Lang::En,
        (360, 240),
    );
}
