//! The bench and the exports show the values that the selected encoding computes.

use posenc::figures::{AnyFigure, fields};
use posenc::text::labels;
use posenc::{
    BenchFigure, Dtype, Encoding, Format, HeadConfig, HeatmapSampler, Lang, Layout, Member, Model,
    Normals, PositionSignal, PositionTable, SettingId, State, Table, TableConfig, TableFile,
    Transient, Values, ViewName, read_link, svg,
};
use std::process::Command;
use std::rc::Rc;

use crate::assert_close::assert_close;

const D_MODEL: usize = 16;
const MAX_LEN: usize = 24;
const BASE: f64 = 500.0;

/// A small size, or the fixed one of the encoding.
fn size(encoding: Encoding) -> TableConfig {
    let [max_len, d_model] = encoding.info().shape.unwrap_or([MAX_LEN, D_MODEL]);
    TableConfig {
        max_len,
        d_model,
        base: BASE,
        layout: Layout::Interleaved,
    }
}

fn state(encoding: Encoding, more: &str) -> State {
    let (name, size) = (encoding.name(), size(encoding));
    let (d_model, max_len) = (size.d_model, size.max_len);
    let hash = format!("encoding={name}&d_model={d_model}&max_len={max_len}&base={BASE}{more}");
    let link = read_link("", &hash);
    assert_eq!(link.problems, [], "{hash}");
    link.state
}

fn with_tables() -> impl Iterator<Item = (Encoding, Rc<dyn PositionTable>)> {
    let all = Encoding::ALL.iter().copied();
    all.filter_map(|encoding| Some((encoding, encoding.table(&size(encoding)).ok()?)))
}

/// The attention head of the encoding, as in the lesson; learned values are drawn from the seed of the simulated table.
fn head(encoding: Encoding, width: usize, heads: usize) -> Box<dyn posenc::AttentionHead> {
    let size = HeadConfig {
        max_len: MAX_LEN,
        width,
        heads,
        head: 0,
        base: BASE,
        causal: false,
    };
    let mut normals = Normals::seeded(1);
    encoding.head(&size, &mut || normals.next().unwrap())
}

fn value(cells: &dyn PositionTable, position: usize, dimension: usize) -> f64 {
    let value = cells.value(position as i64, dimension);
    value.unwrap_or_else(|| panic!("no number at {position}, {dimension}"))
}

/// Positions and dimensions of all cells in row-major order.
fn places(cells: &TableConfig) -> impl Iterator<Item = (usize, usize)> + use<> {
    let (max_len, d_model) = (cells.max_len, cells.d_model);
    (0..max_len).flat_map(move |p| (0..d_model).map(move |d| (p, d)))
}

fn file(encoding: Encoding, format: Format, dtype: Dtype) -> Vec<u8> {
    let table = Table::of(&state(encoding, ""), dtype).unwrap();
    let mut file = TableFile::new(table, format);
    std::iter::from_fn(|| file.next(7)).flatten().collect()
}

#[test]
fn the_table_is_what_is_added_to_the_embedding() {
    for (encoding, cells) in with_tables() {
        // Bench and lesson draw simulated values independently.
        if encoding.info().is_simulated() {
            continue;
        }
        let head = head(encoding, D_MODEL, 1);
        let compared = TableConfig {
            max_len: MAX_LEN,
            d_model: D_MODEL,
            ..size(encoding)
        };
        for (p, d) in places(&compared) {
            let added = head
                .added(p as i64)
                .expect("an encoding with a table adds it");
            assert_close(value(&*cells, p, d), added[d], 1e-14);
        }
    }
}

#[test]
fn the_bench_shows_the_encodings_own_cells() {
    let mut sampler = HeatmapSampler::new();
    for (encoding, cells) in with_tables() {
        let model = Model::without_transients(&state(encoding, ""), Lang::En);
        assert!(model.shows(ViewName::Heatmap) && model.shows(ViewName::Waves));
        let table = model.table.as_ref().unwrap();
        let (max_len, d_model) = (size(encoding).max_len, size(encoding).d_model);
        let (rows, columns) = (0.0..max_len as f64, 0.0..d_model as f64);
        let means = table.means(&mut sampler, rows, columns, (d_model, max_len));
        for ((p, d), mean) in places(&size(encoding)).zip(means) {
            let expected = value(&*cells, p, d);
            let context = format!("{encoding:?} at {p}, {d}");
            assert_eq!(model.cell(p as i64, d), Some(expected), "{context}");
            assert!((f64::from(*mean) - expected).abs() < 1e-6, "{context}");
        }
        for pair in 0..D_MODEL / 2 {
            let [first, second] = model.pair_at(pair, 5.0).map(|value| value.unwrap());
            let dimension = |member| model.member_dimension(pair, member).unwrap();
            assert_close(first, value(&*cells, 5, dimension(Member::Sine)), 1e-14);
            assert_close(second, value(&*cells, 5, dimension(Member::Cosine)), 1e-14);
        }
    }
}

#[test]
fn a_model_after_another_encoding_shows_none_of_its_numbers() {
    let mut before: Option<Model> = None;
    let all = Encoding::WITH_SIGNAL;
    for &encoding in all.iter().chain(all.iter().rev()) {
        let state = state(encoding, "");
        let fresh = Model::without_transients(&state, Lang::En);
        let model = Model::compute(&state, Lang::En, Transient::default(), before.as_ref());
        assert_eq!(model.cell(3, 2), fresh.cell(3, 2), "{encoding:?}");
        assert_eq!(model.pair, fresh.pair, "{encoding:?}");
        assert_eq!(model.bias, fresh.bias, "{encoding:?}");
        before = Some(model);
    }
}

#[test]
fn files_hold_the_encodings_own_cells_under_its_name() {
    for (encoding, cells) in with_tables() {
        for dtype in Dtype::ALL {
            // The two ways to round may differ by a unit in the last place of numbers up to 1.
            let tolerance = match dtype {
                Dtype::Float32 => f64::from(f32::EPSILON),
                Dtype::Float64 => 1e-15,
            };
            let csv = String::from_utf8(file(encoding, Format::Csv, dtype)).unwrap();
            let mut lines = csv.lines();
            let name = format!("# encoding={}", encoding.name());
            assert_eq!(lines.next(), Some(name.as_str()));
            let mut lines = lines.skip_while(|line| line.starts_with('#'));
            let (max_len, d_model) = (size(encoding).max_len, size(encoding).d_model);
            let columns: Vec<String> = (0..d_model).map(|d| cells.column_name(d)).collect();
            let heading = format!("pos,{}", columns.join(","));
            assert_eq!(lines.next(), Some(heading.as_str()));
            let rows: Vec<Vec<f64>> = lines
                .map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect())
                .collect();
            assert_eq!(rows.len(), max_len);

            let npy = file(encoding, Format::Npy, dtype);
            let shape = format!("'shape': ({max_len}, {d_model})");
            assert!(String::from_utf8_lossy(&npy[..128]).contains(&shape));
            let numbers: Vec<f64> = match dtype {
                Dtype::Float32 => npy[128..]
                    .chunks_exact(4)
                    .map(|bytes| f64::from(f32::from_le_bytes(bytes.try_into().unwrap())))
                    .collect(),
                Dtype::Float64 => npy[128..]
                    .chunks_exact(8)
                    .map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap()))
                    .collect(),
            };
            for ((p, d), number) in places(&size(encoding)).zip(numbers) {
                let expected = value(&*cells, p, d);
                assert_eq!(rows[p][0], p as f64);
                assert_close(rows[p][1 + d], expected, tolerance);
                assert_close(number, expected, tolerance);
            }
        }
    }
}

#[test]
fn a_turn_is_that_of_the_encodings_own_logits() {
    for &encoding in Encoding::ALL {
        let Some(PositionSignal::Rotation(_)) = encoding.info().signal else {
            continue;
        };
        let head = head(encoding, D_MODEL, 1);
        for (pair, k) in [(0, 3), (1, -5), (3, 7), (7, 11)] {
            let state = state(encoding, &format!("&pair={pair}&k={k}"));
            let model = Model::without_transients(&state, Lang::En);
            let (shown, block) = model.rotated_pair().expect("every pair turns");
            // The logit of a pair's first unit vector with itself, k positions apart, is cos kω / √width.
            let mut unit = [0.0; D_MODEL];
            unit[2 * pair] = 1.0;
            let logit = head.logit((&unit, 10 + k), (&unit, 10)).unwrap();
            let cosine = logit * (D_MODEL as f64).sqrt();
            assert_close(shown.rotation_angle.cos(), cosine, 1e-14);
            assert_close(block.matrix[0][0], cosine, 1e-14);
        }
    }
}

#[test]
fn a_bias_is_that_of_the_encodings_own_head() {
    for &encoding in Encoding::ALL {
        if !matches!(encoding.info().signal, Some(PositionSignal::Bias)) {
            continue;
        }
        let head = head(encoding, 1, 8);
        for k in [-9, -1, 0, 4, 12] {
            let state = state(encoding, &format!("&k={k}"));
            let model = Model::without_transients(&state, Lang::En);
            assert_eq!(model.bias, head.bias(10 + k, 10), "{encoding:?} {k}");
        }
    }
}

/// The encoding's file from the command line, or its error message if there is none.
fn by_command(encoding: Encoding, more: &[&str]) -> Result<Vec<u8>, String> {
    let size = size(encoding);
    let (d_model, max_len) = (size.d_model.to_string(), size.max_len.to_string());
    let base = ["--base".to_string(), BASE.to_string()];
    // Tables of a model have no base, and the command refuses one.
    let is_trained = ["learned", "whisper"].contains(&encoding.name());
    let output = Command::new(env!("CARGO_BIN_EXE_posenc"))
        .args(more)
        .args(["--encoding", encoding.name(), "--d-model", &d_model])
        .args(["--max-len", &max_len, "-o", "-"])
        .args(base.iter().filter(|_| !is_trained))
        .output()
        .unwrap();
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(String::from_utf8(output.stderr).unwrap()),
    }
}

#[test]
fn the_command_line_writes_the_same_files_or_says_why_not() {
    for &encoding in Encoding::WITH_SIGNAL {
        let signal = encoding.info().signal.unwrap();
        for format in Format::ALL {
            let written = by_command(encoding, &["table", "--format", format.name()]);
            if signal.has_table() {
                let expected = file(encoding, format, Dtype::Float32);
                assert!(written.unwrap() == expected, "{encoding:?} {format:?}");
            } else {
                let words = written.unwrap_err();
                assert!(words.contains(&format!("'{}'", encoding.name())), "{words}");
            }
        }
    }
}

#[test]
fn one_layout_is_meant_by_bench_and_files() {
    for layout in Layout::ALL {
        for (encoding, _) in with_tables() {
            let state = state(encoding, &format!("&layout={}", layout.name()));
            let model = Model::without_transients(&state, Lang::En);
            let table = Table::of(&state, Dtype::Float64).unwrap();
            let own = encoding
                .table(&TableConfig {
                    layout,
                    ..size(encoding)
                })
                .unwrap();
            for (p, d) in places(&size(encoding)) {
                let expected = Some(value(&*own, p, d));
                let shown = [model.cell(p as i64, d), table.cells.value(p as i64, d)];
                assert_eq!(shown, [expected; 2], "{encoding:?} {layout:?} {p} {d}");
            }
        }
    }
}

/// Formats a number as the page does, with this many decimals.
fn shown(value: f64, decimals: usize) -> String {
    format!("{value:.decimals$}").replace('-', "−")
}

/// The picture of a view of the bench.
fn picture(encoding: Encoding, view: ViewName) -> Option<String> {
    let state = state(encoding, "");
    let model = Model::without_transients(&state, Lang::En);
    let figure = BenchFigure::all().into_iter().find(|it| it.name() == view);
    let mut figure = figure.filter(|_| model.shows(view) || model.shows_biases(view))?;
    Some(svg(&mut figure, &state, Lang::En, 640, 360))
}

/// The caption of a figure, and the description of its picture.
fn caption(encoding: Encoding, view: ViewName) -> String {
    let mut values = Values::new(fields(view).unwrap());
    let size = size(encoding);
    let (d_model, max_len) = (size.d_model.to_string(), size.max_len.to_string());
    for (name, value) in [
        ("encoding", encoding.name()),
        ("d_model", &d_model),
        ("max_len", &max_len),
    ] {
        assert_eq!(values.set(name, value), None);
    }
    let figure = AnyFigure::new(view, &values, Lang::En, None).unwrap();
    figure.caption()
}

#[test]
fn captions_say_the_encodings_own_numbers() {
    for &encoding in Encoding::WITH_SIGNAL {
        let (name, size) = (encoding.name(), size(encoding));
        let (d_model, max_len) = (size.d_model, size.max_len);
        let hash = format!("encoding={name}&d_model={d_model}&max_len={max_len}");
        let model = Model::without_transients(&read_link("", &hash).state, Lang::En);
        let config = model.state.table_config();
        let (pos, pair) = (model.state.pos(), model.state.pair());
        if let Ok(cells) = encoding.table(&config) {
            let cell = shown(value(&*cells, pos, model.dimension()), 4);
            let words = caption(encoding, ViewName::Heatmap);
            assert!(words.contains(&cell), "{encoding:?}: {words}, not {cell}");
            let words = caption(encoding, ViewName::Waves);
            for member in [Member::Sine, Member::Cosine] {
                let dimension = model.member_dimension(pair, member).unwrap();
                let cell = shown(value(&*cells, pos, dimension), 3);
                assert!(words.contains(&cell), "{encoding:?}: {words}, not {cell}");
            }
        }
        if let Some(waves) = encoding.sinusoids(&config) {
            let turn = labels::turn(Lang::En, model.state.k() as f64 * waves.frequency(pair));
            let words = caption(encoding, ViewName::Rotation);
            assert!(words.contains(&turn), "{encoding:?}: {words}, not {turn}");
        }
    }
}

#[test]
fn no_encoding_has_the_picture_of_another() {
    for view in [ViewName::Heatmap, ViewName::Waves, ViewName::Rotation] {
        let all = Encoding::WITH_SIGNAL.iter();
        let all: Vec<_> = all.map(|&it| (it, picture(it, view))).collect();
        for (index, (encoding, svg)) in all.iter().enumerate() {
            for (other, of_other) in &all[..index] {
                let differ = svg.is_none() || svg != of_other;
                assert!(differ, "{view:?} of {encoding:?} and {other:?}");
            }
        }
    }
}

#[test]
fn the_setting_offers_every_encoding_that_has_something_to_show() {
    let choices = SettingId::Encoding.field().kind.choices();
    let offered = choices.iter().map(|(name, _)| *name);
    assert!(offered.eq(Encoding::WITH_SIGNAL.iter().map(|it| it.name())));
    for (_, label) in choices {
        assert!(!label.en.is_empty() && !label.zh.is_empty());
    }
}

#[test]
fn a_table_that_a_model_has_learned_comes_in_its_own_size() {
    let linked = |hash: &str| {
        let link = read_link("", hash);
        let problems: Vec<_> = link
            .problems
            .iter()
            .map(|it| (it.name, it.fallback.clone()))
            .collect();
        let (state, size) = (&link.state, link.state.table_config());
        assert!(Model::without_transients(state, Lang::En).has_table());
        assert!(
            state.fixes(SettingId::DModel)
                && state.fixes(SettingId::MaxLen)
                && !state.fixes(SettingId::Pos)
        );
        assert_eq!([size.max_len, size.d_model], [448, 384], "{hash}");
        (problems, state.pos())
    };
    let used = |name, text: &str| (name, text.to_string());
    assert_eq!(linked("encoding=whisper"), (vec![], 10));
    assert_eq!(
        linked("d_model=8&encoding=whisper"),
        (vec![used("d_model", "384")], 10)
    );
    let (problems, pos) = linked("encoding=whisper&max_len=4096&pos=448");
    assert_eq!(problems, [used("max_len", "448"), used("pos", "447")]);
    assert_eq!(pos, 447);
    let mut state = read_link("", "encoding=whisper").state;
    assert_eq!(state.apply(SettingId::Encoding, "sinusoidal"), None);
    assert_eq!(state.apply(SettingId::DModel, "8"), None);
    assert_eq!((state.d_model(), state.max_len()), (8, 448));
}

/// `tests/corpus/whisper/decoder.npy` contains the first 64 published rows.
#[test]
fn whispers_table_is_near_the_published_one() {
    let published = posenc_inspect::read(include_bytes!("../corpus/whisper/decoder.npy"), None);
    let published = published.unwrap();
    let cells = Encoding::Whisper.table(&size(Encoding::Whisper)).unwrap();
    let (mut off, mut all, mut farthest) = (0.0, 0.0, 0.0_f64);
    for position in 0..published.rows() {
        for dimension in 0..published.columns() {
            let number = published.at(position, dimension);
            let difference = value(&*cells, position, dimension) - number;
            off += difference * difference;
            all += number * number;
            farthest = farthest.max(difference.abs());
        }
    }
    // NumPy computes 0.0815 and 0.0980 from the values stored by `tests/reference/whisper.py`.
    assert!((off / all - 0.0815).abs() < 1e-4, "{}", off / all);
    assert!((farthest - 0.0980).abs() < 1e-4, "{farthest}");
}
