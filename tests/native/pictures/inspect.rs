//! The inspection of a table: the map of differences, the ring around the largest, rows beside each other, and the report.

use super::axes::charts;
use super::cells::{STEP, assert_cells, interleaved, numbers_of, value};
use super::curves::{assert_curve, omega};
use super::learning::{COSINES_OF_WHISPER, MISSES_OF_WHISPER};
use super::query::{distance, figure};
use super::{light, phase, rgb};
use crate::recording::{Bitmap, Point, Recording, of_figure, values};
use posenc::figure::{FileState, OpenedFile};
use posenc::figures::AnyFigure;
use posenc::{Lang, ThemeName, ViewName};
use posenc_inspect::{Table, read};
use std::fs;
use std::rc::Rc;

/// A figure with all panels, unless the settings say otherwise.
fn finished(settings: &str) -> AnyFigure {
    let settings = match settings.contains("panels=") {
        true => settings.to_string(),
        false => format!("panels=rows&{settings}"),
    };
    let mut shown = figure(ViewName::Inspect, &settings);
    while shown.work() {}
    shown
}

fn drawn(shown: &AnyFigure) -> Recording {
    of_figure(shown, ThemeName::Light, 720.0).expect("it has a picture")
}

/// The maps of the table and of the differences, each with the largest number of its colour bar.
fn maps(it: &Recording, size: (usize, usize)) -> Vec<(&Bitmap, f64)> {
    let images = it.images();
    let places = images.iter().enumerate();
    let maps = places.filter(|(_, image)| (image.rows, image.columns) == size);
    let with_bar = maps.map(|(at, image)| (*image, numbers_of(images[at + 1], it)[0].0));
    with_bar.collect()
}

fn words(shown: &AnyFigure) -> String {
    shown.below().map_or(String::new(), |node| node.plain())
}

/// The corrupt cell is the only coloured one in the map of differences, and a ring marks it.
#[test]
fn a_corrupt_cell_is_the_only_difference() {
    let shown = finished("example=corrupt");
    let it = drawn(&shown);
    let [(table, 1.0), (differences, most)] = maps(&it, (128, 64))[..] else {
        panic!("two maps, the first up to 1");
    };
    let difference = 0.75 - interleaved(85.0, 20, 64);
    assert!((most - difference.abs()).abs() < 0.01, "{most}");
    let corrupt = |position: usize, d: usize, right: f64| match (position, d) {
        (85, 20) => 0.75,
        _ => right,
    };
    assert_cells(table, (128, 64), |position, d| {
        corrupt(position, d, interleaved(position as f64, d, 64))
    });
    assert_cells(differences, (128, 64), |position, d| match (position, d) {
        (85, 20) => difference.signum(),
        _ => 0.0,
    });
    let wrong = rgb(light().wrong);
    let ring = it.rings().into_iter().find(|ring| ring.2 == wrong);
    let at = ring.expect("a ring").0;
    assert!(distance(at, differences.cell(20, 85)) < 0.5);
    let label = it.words("first wrong cell").at;
    assert!((label.1 - at.1).abs() < 1.0 && (label.0 - at.0).abs() < 30.0);
}

/// At first only the differences are shown, with what their colours measure.
#[test]
fn the_differences_stand_alone_until_more_is_asked_for() {
    let shown = finished("panels=difference&example=corrupt");
    let it = drawn(&shown);
    assert_eq!(maps(&it, (128, 64)).len(), 1);
    it.words("off by");
    assert!(!shown.caption().contains("neighbour"));
    // By phase, the table is shown beside them.
    let it = drawn(&finished("panels=difference&example=corrupt&colour=phase"));
    it.words("The table, by phase");
}

/// Positions are as far apart on one axis of the map of similarities as on the other, however wide the figure is.
#[test]
fn diagonals_of_similarities_are_at_45_degrees() {
    let shown = finished("example=column");
    for width in [390.0, 720.0, 1100.0] {
        let it = of_figure(&shown, ThemeName::Light, width).expect("it has a picture");
        let images = it.images();
        let map = images.iter().find(|image| image.rows == image.columns);
        let rect = map.expect("a map of rows against rows").rect;
        assert!((rect.width - rect.height).abs() < 0.5, "{rect:?}");
        let there = rgb(light().there);
        let dashes = it.paths(there).into_iter().map(|(line, _)| line);
        let inside = |line: &&[Point]| line.iter().all(|&(x, y)| rect.contains((x, y)));
        let along: Vec<Point> = dashes.filter(inside).flatten().copied().collect();
        let (first, last) = (along[0], along[along.len() - 1]);
        let slope = (last.1 - first.1) / (last.0 - first.0);
        assert!((slope - 1.0).abs() < 0.02, "{slope}");
    }
}

/// Row 0 of the table with a start offset of one is position 1, so the difference is that of two consecutive positions.
#[test]
fn differences_are_to_the_nearest_correct_table() {
    let it = drawn(&finished("example=start"));
    let (differences, most) = maps(&it, (128, 64))[1];
    assert_cells(differences, (128, 64), |row, d| {
        let [here, next] = [0.0, 1.0].map(|off| interleaved(row as f64 + off, d, 64));
        (next - here) / most
    });
    // The layout of tensor2tensor is correct, too.
    let it = drawn(&finished("example=tensor2tensor"));
    let (differences, most) = maps(&it, (128, 64))[1];
    assert_eq!(most, 0.01);
    assert_cells(differences, (128, 64), |_, _| 0.0);
    assert!(it.rings().is_empty());
}

/// Pairs are adjacent in the paper's layout and separate in that of tensor2tensor, whose last wavelength is 2π · 10000.
#[test]
fn by_phase_a_cell_has_the_colour_of_the_angle_of_its_pair() {
    for example in ["paper", "start", "tensor2tensor", "transposed"] {
        let it = drawn(&finished(&format!("example={example}&colour=phase")));
        let images = it.images().into_iter();
        let mut maps = images.filter(|map| (map.rows, map.columns) == (128, 32));
        let map = maps.next().expect("a cell for each pair");
        for (row, pair) in (0..128).flat_map(|row| (0..32).map(move |pair| (row, pair))) {
            let wanted = match example {
                "start" => (row + 1) as f64 * omega(pair, 64, 1e4),
                "tensor2tensor" => row as f64 * 1e4f64.powf(-(pair as f64) / 31.0),
                _ => row as f64 * omega(pair, 64, 1e4),
            };
            let seen = phase::angle_of(map.pixel(pair, row));
            let apart = phase::apart(seen, wanted);
            assert!(
                apart <= phase::STEP,
                "{example}, position {row}, pair {pair}"
            );
        }
        assert!(it.words("The table, by phase").at.1 < it.words("pair i").at.1);
        assert!(it.words("90°").at.1 < it.words("angle").at.1);
    }
    // A half of a RoPE cache has no angles.
    let shown = finished("example=rope&colour=phase");
    assert!(shown.caption().contains("no pairs of a sine and a cosine"));
    drawn(&shown).words("The table");
}

/// Compared with NumPy (`tests/reference/whisper.py`), as in the lesson's figure.
#[test]
fn rows_are_compared_and_matrices_fitted_as_numpy_does() {
    let shown = finished("example=whisper&k=10");
    let it = drawn(&shown);
    let plot = &charts(&it)[0];
    let offsets = (1..=32).map(f64::from);
    let curve: Vec<_> = offsets.zip(MISSES_OF_WHISPER).collect();
    assert_curve(&it, plot, rgb(light().accent), &curve);
    assert!(it.words("0.37").rgb == rgb(light().accent));
    // The map shows 256 of the 448 rows.
    let maps = it.images().into_iter();
    let mut maps = maps.filter(|map| (map.rows, map.columns) == (256, 256));
    let map = maps.next_back().expect("a map of rows");
    for ((row, column), cosine) in COSINES_OF_WHISPER {
        let [row, column] = [row, column].map(|at: usize| (at * 256).div_ceil(448));
        if (row * 448 / 256, column * 448 / 256) == (100, 100) {
            assert!((value(map.pixel(column, row)) - cosine).abs() < STEP);
        }
    }
    let caption = shown.caption();
    assert!(
        caption.contains("36.5%") && caption.contains("16 principal"),
        "{caption}"
    );
    assert!(
        words(&shown).contains("99 % of the rows"),
        "{}",
        words(&shown)
    );
}

/// For 512 × 384 sinusoids and for noise, computed with NumPy from the same 16 components: 0.013, 0.036 and 0.094 for k = 1,
/// 3 and 10, and 1.04.
#[test]
fn the_formula_has_nearly_an_exact_matrix_and_noise_has_none() {
    let of = |table: Table, k: usize| {
        let mut shown = AnyFigure::new(
            ViewName::Inspect,
            &values(ViewName::Inspect, &format!("panels=rows&k={k}")),
            Lang::En,
            None,
        );
        let shown = shown.as_mut().unwrap();
        shown.set_file(Some(&opened("pe.npy", FileState::Table(Rc::new(table)))));
        while shown.work() {}
        let caption = shown.caption();
        let percent = caption.split("is off by ").nth(1).unwrap();
        let percent = percent.split('%').next().unwrap();
        percent.parse::<f64>().unwrap() / 100.0
    };
    let table = |of: &dyn Fn(usize, usize) -> f64| {
        let cells = (0..512).flat_map(|row| (0..384).map(move |column| (row, column)));
        let values = cells.map(|(row, column)| of(row, column)).collect();
        let storage = posenc_inspect::Storage::Binary(posenc_inspect::Precision::F64);
        Table::new((512, 384), values, storage).unwrap()
    };
    for (k, wanted) in [(1, 0.013), (3, 0.036), (10, 0.094)] {
        let found = of(table(&|row, d| interleaved(row as f64, d, 384)), k);
        assert!((found - wanted).abs() < 0.004, "{k}: {found}");
    }
    let noise = posenc::Normals::seeded(3).matrix(512, 384, 1.0);
    let found = of(table(&|row, d| noise.at(row, d)), 3);
    assert!((found - 1.04).abs() < 0.05, "{found}");
}

/// The mistake in each example, with its code and its sentence.
#[test]
fn the_report_names_the_mistake_of_every_example() {
    for (example, code, said) in [
        ("paper", "correct", "Every cell is that of the paper"),
        ("start", "start-offset", "Row 0 is position 1"),
        (
            "swapped",
            "swapped",
            "Cosines come first. That is the order of freqs_cis (Llama)",
        ),
        ("column", "exponent-column", "instead of the pair"),
        ("doubled", "exponent-column", "instead of the pair"),
        ("doubled", "exponent-doubled", "twice the paper"),
        ("undivided", "no-division", "frequency 1"),
        ("half", "half-precision-angle", "rounded to bf16"),
        ("tensor2tensor", "correct", "tensor2tensor"),
        ("corrupt", "corrupt-cell", "position 85, dimension 20: 0.75"),
        ("repeated", "repeated-row", "that of position 7"),
        ("degrees", "degrees", "taken for degrees"),
        ("transposed", "transposed", "Positions run across"),
        ("rope", "pair-order-hidden", "rotate_half"),
        ("whisper", "learned", "trained"),
        ("noise", "unknown", "not alike"),
        ("puzzle", "exponent-doubled", "twice the paper"),
    ] {
        let shown = finished(&format!("example={example}"));
        let words = words(&shown);
        assert!(
            words.contains(said) && words.contains(code),
            "{example}: {words}"
        );
        let text = shown.copied().unwrap();
        assert!(
            text.contains(code) && text.contains("residual") == text.contains("rms"),
            "{text}"
        );
    }
}

#[test]
fn a_puzzle_is_not_given_away() {
    let shown = finished("example=puzzle&report=off");
    let asked = shown.actions().unwrap().plain();
    assert_eq!(asked, "Show the report");
    let said = shown.caption() + &words(&shown);
    assert!(!said.contains("exponent"), "{said}");
    // The picture gives the columns away with the report only.
    for (report, title) in [
        ("off", "Table minus the nearest correct one"),
        ("on", "Difference: odd dimensions only"),
    ] {
        drawn(&finished(&format!("example=column&report={report}"))).words(title);
    }
    drawn(&finished("example=doubled")).words("Table minus the nearest correct one");
    let mut values = values(ViewName::Inspect, "example=puzzle&report=off");
    shown.act("report", "on", &mut values);
    assert!(values.text("report") == "on");
}

fn opened(name: &str, content: FileState) -> OpenedFile {
    OpenedFile {
        name: name.into(),
        content,
        candidates: Vec::new(),
        tensor: None,
    }
}

#[test]
fn a_file_replaces_the_example_until_it_is_given_back() {
    let example = values(ViewName::Inspect, "example=swapped");
    let mut shown = finished("example=swapped");
    shown.set_file(Some(&opened("pe.npy", FileState::Loading(0.4))));
    assert!(!shown.work() && shown.caption().contains("pe.npy is being read"));
    let bytes = fs::read("tests/corpus/tables/from_one-16x8.npy").unwrap();
    let table = Rc::new(read(&bytes, None).unwrap());
    let file = opened("pe.npy", FileState::Table(table));
    shown.set_file(Some(&file));
    while shown.work() {}
    assert!(words(&shown).contains("start-offset") && !words(&shown).contains("swapped"));
    assert!(shown.copied().unwrap().contains("pe.npy: 16 × 8, f"));
    // The result stays when something else changes, and links contain nothing of the file.
    let mut shown = AnyFigure::new(ViewName::Inspect, &example, Lang::Zh, Some(shown)).unwrap();
    shown.set_file(Some(&file));
    assert!(!shown.work() && words(&shown).contains("start-offset"));
    let link = format!("{:?}", example.changed());
    assert!(
        link.contains("swapped") && !link.contains("pe.npy"),
        "{link}"
    );
    shown.set_file(None);
    while shown.work() {}
    assert!(words(&shown).contains("swapped"));
}

/// Every rejected file has a sentence in place of the picture, in both languages.
#[test]
fn a_refused_file_has_a_sentence_in_place_of_the_picture() {
    let mut refused = 0;
    for entry in fs::read_dir("tests/corpus/files").unwrap() {
        let path = entry.unwrap().path();
        let Err(fault) = read(&fs::read(&path).unwrap(), None) else {
            continue;
        };
        refused += 1;
        for lang in [Lang::En, Lang::Zh] {
            let start = values(ViewName::Inspect, "");
            let mut shown = AnyFigure::new(ViewName::Inspect, &start, lang, None).unwrap();
            shown.set_file(Some(&opened("x", FileState::Invalid(fault.clone()))));
            assert!(of_figure(&shown, ThemeName::Light, 720.0).is_none());
            let said = words(&shown);
            assert!(said.chars().count() > 12, "{}: {said}", path.display());
            shown.set_file(None);
            assert!(shown.work() && of_figure(&shown, ThemeName::Light, 720.0).is_some());
        }
    }
    assert!(refused > 20, "{refused}");
    let mut shown = finished("");
    shown.set_file(Some(&opened(
        "x",
        FileState::ReadError("SecurityError".into()),
    )));
    assert!(words(&shown).contains("SecurityError"));
}

/// Rows and columns are labelled as stored, and the ring is at the cell.
#[test]
fn a_transposed_table_is_shown_as_it_lies() {
    let it = drawn(&finished("example=transposed"));
    assert_eq!(maps(&it, (64, 128)).len(), 2);
    for name in ["row", "column"] {
        assert_eq!(it.texts().filter(|words| words.text == name).count(), 2);
    }
    let (differences, most) = maps(&it, (64, 128))[1];
    assert_eq!(most, 0.01);
    assert_cells(differences, (64, 128), |_, _| 0.0);
}
