//! Every figure as SVG, stored in `tests/snapshots`, so that a changed picture is visible in a review. `UPDATE=1 cargo test
//! --test native snapshots` writes them again. It also adds new figures, and removes files that no figure produces, which
//! are reported otherwise.
//!
//! The files are those that readers export, except for their images: each is reduced to at most 8 × 8 cells with mean
//! colours, so that a change affects a line instead of a binary blob.

mod compare;
mod states;

use crate::recording::{Bitmap, Recording, frame, of_bench, of_figure, values};
use compare::difference;
pub use compare::without_rounding;
use posenc::figures::{AnyFigure, all};
use posenc::{BenchFigure, Lang, Model, Scene, Theme, ThemeName, figure_svg, read_link, svg};
use states::BENCH;
pub use states::second;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

const FOLDER: &str = "tests/snapshots";
/// The largest number of cells of an image, across and down.
const CELLS: usize = 8;

/// The exported picture with each image reduced to a few cells.
fn coarse(svg: &str, recording: &Recording) -> String {
    let mut images = recording.images().into_iter();
    let mut out = String::new();
    for line in svg.lines() {
        match line.split_once("<image ") {
            None => out += line,
            Some((place, _)) => {
                let image = images.next().expect("an image for each that was drawn");
                let Some((place, _)) = place.split_once(" viewBox") else {
                    panic!("an image has a place: {place}");
                };
                let _ = write!(out, "{place}{}", cells(image));
            }
        }
        out.push('\n');
    }
    assert!(images.next().is_none(), "every image is in the file");
    out
}

/// The mean colours of the visible part of an image.
fn cells(image: &Bitmap) -> String {
    let [left, top, width, height] = image.part;
    let span = |from: f64, length: f64| (from.floor() as usize, (from + length).ceil() as usize);
    let ((x0, x1), (y0, y1)) = (span(left, width), span(top, height));
    let (columns, rows) = (CELLS.min(x1 - x0), CELLS.min(y1 - y0));
    let mut out = format!(
        " viewBox=\"0 0 {columns} {rows}\" preserveAspectRatio=\"none\">\
         <!-- {} × {} pixels, of which {width:.2} × {height:.2} from {left:.2}, {top:.2} -->\n",
        image.columns, image.rows
    );
    for row in 0..rows {
        for column in 0..columns {
            let part = |i: usize, n: usize, from: usize, to: usize| {
                (from + i * (to - from) / n)..(from + (i + 1) * (to - from) / n)
            };
            let mut sum = [0.0; 3];
            let mut count = 0.0;
            for y in part(row, rows, y0, y1) {
                for x in part(column, columns, x0, x1) {
                    let (r, g, b) = image.pixel(x, y);
                    sum = [
                        sum[0] + f64::from(r),
                        sum[1] + f64::from(g),
                        sum[2] + f64::from(b),
                    ];
                    count += 1.0;
                }
            }
            let [r, g, b] = sum.map(|sum| (sum / count).round() as u8);
            let _ = write!(
                out,
                "<path fill=\"#{r:02x}{g:02x}{b:02x}\" d=\"M{column} {row}h1v1h-1\"/>"
            );
        }
        out.push('\n');
    }
    out + "</svg>"
}

/// A figure of the lesson: its picture, or its elements if it has none.
fn figure(shown: &AnyFigure, theme: ThemeName, width: u32) -> Kept {
    match of_figure(shown, theme, f64::from(width)) {
        Some(recording) => {
            let svg = figure_svg(shown, theme, width).unwrap();
            Kept::new("svg", coarse(&svg, &recording))
        }
        None => {
            let parts = [shown.actions(), shown.more(), shown.below()]
                .into_iter()
                .flatten();
            let parts: String = parts.map(|node| node.to_string()).collect();
            let lines = parts.replace("><", ">\n<");
            Kept::new("html", format!("<p>{}</p>\n{lines}\n", shown.caption()))
        }
    }
}

struct Kept {
    extension: &'static str,
    text: String,
}

impl Kept {
    fn new(extension: &'static str, text: String) -> Kept {
        Kept { extension, text }
    }
}

/// All snapshots by their paths below the folder.
fn drawn() -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for name in all() {
        let second = second(name);
        let mut previous = None;
        for (state, settings, lang, theme, width) in [
            ("default", "", Lang::En, ThemeName::Light, 720),
            ("default-zh", "", Lang::Zh, ThemeName::Dark, 720),
            ("other", &*second, Lang::En, ThemeName::Projector, 720),
            ("other-zh", &*second, Lang::Zh, ThemeName::Light, 320),
        ] {
            // As on a page when language and settings change: long computations are not repeated.
            let values = values(name, settings);
            let mut shown = AnyFigure::new(name, &values, lang, previous.take()).unwrap();
            while shown.work() {}
            let kept = figure(&shown, theme, width);
            let path = format!("{}/{state}.{}", name.name(), kept.extension);
            files.insert(path, kept.text);
            previous = Some(shown);
        }
    }
    for (state, settings, lang) in BENCH {
        let link = read_link("", settings);
        assert_eq!(link.problems, [], "{settings}");
        let model = Model::without_transients(&link.state, lang);
        let theme = Theme::named(link.state.theme().unwrap_or_default());
        let colours = theme.colour_map();
        let scene = Scene::new(&model, theme, &colours, frame(360.0, 240.0));
        for mut figure in BenchFigure::all() {
            let svg = svg(&mut figure, &link.state, lang, 360, 240);
            let recording = of_bench(&mut figure, &scene);
            let path = format!("bench/{}-{state}.svg", figure.name().name());
            files.insert(path, coarse(&svg, &recording));
        }
    }
    files
}

/// The stored files in the folders of the figures.
fn kept() -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for folder in fs::read_dir(FOLDER).unwrap().flatten() {
        for file in fs::read_dir(folder.path()).into_iter().flatten().flatten() {
            let path = file.path();
            let name = path.strip_prefix(FOLDER).unwrap().display().to_string();
            files.insert(name, fs::read_to_string(path).unwrap());
        }
    }
    files
}

#[test]
fn every_figure_looks_as_it_is_kept() {
    let (drawn, kept) = (drawn(), kept());
    if std::env::var_os("UPDATE").is_some() {
        for path in kept.keys().filter(|path| !drawn.contains_key(*path)) {
            fs::remove_file(Path::new(FOLDER).join(path)).unwrap();
        }
        for (path, text) in &drawn {
            // Files that differ within the tolerance stay unchanged.
            if kept
                .get(path)
                .is_none_or(|kept| difference(kept, text).is_some())
            {
                let path = Path::new(FOLDER).join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
        }
        return;
    }
    let mut found = Vec::new();
    for (path, text) in &drawn {
        let difference = match kept.get(path) {
            Some(kept) => difference(kept, text),
            None => Some("is new".to_string()),
        };
        if let Some(difference) = difference {
            let new = Path::new(env!("CARGO_TARGET_TMPDIR"))
                .join("snapshots")
                .join(path);
            fs::create_dir_all(new.parent().unwrap()).unwrap();
            fs::write(&new, text).unwrap();
            found.push(format!("{path} {difference}\n  now {}", new.display()));
        }
    }
    for path in kept.keys().filter(|path| !drawn.contains_key(*path)) {
        found.push(format!("{path} is of no figure"));
    }
    assert!(
        found.is_empty(),
        "{}\nIf so wanted: UPDATE=1 cargo test --test native snapshots",
        found.join("\n")
    );
}
