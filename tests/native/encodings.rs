//! What the bench and the exports show under an encoding's name is what that encoding computes.

use posenc::{
    Dtype, Encoding, Format, HeadConfig, Lang, Layout, Member, Model, Normals, PositionSignal,
    PositionTable, Raster, State, Table, TableConfig, TableFile, ViewName, read_link,
};
use std::rc::Rc;

use crate::close::assert_close;

const D_MODEL: usize = 16;
const MAX_LEN: usize = 24;
const BASE: f64 = 500.0;

fn size() -> TableConfig {
    TableConfig {
        max_len: MAX_LEN,
        d_model: D_MODEL,
        base: BASE,
        layout: Layout::Interleaved,
    }
}

fn state(encoding: Encoding, more: &str) -> State {
    let (name, d) = (encoding.name(), D_MODEL);
    let hash = format!("encoding={name}&d_model={d}&max_len={MAX_LEN}&base={BASE}{more}");
    let link = read_link("", &hash);
    assert_eq!(link.problems, [], "{hash}");
    link.state
}

/// The encoding's own table.
fn cells(encoding: Encoding) -> Option<Rc<dyn PositionTable>> {
    match encoding.info().signal? {
        PositionSignal::Sinusoids(make) => Some(Rc::new(make(&size()))),
        PositionSignal::Table(make) => make(&size()),
        PositionSignal::Rotation(_) | PositionSignal::Bias => None,
    }
}

fn with_tables() -> impl Iterator<Item = (Encoding, Rc<dyn PositionTable>)> {
    let all = Encoding::ALL.iter().copied();
    all.filter_map(|encoding| Some((encoding, cells(encoding)?)))
}

/// The head that the encoding is for the lesson; what it would learn is drawn from the simulated table's seed.
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

fn learns(encoding: Encoding) -> bool {
    let size = posenc::ModelSize {
        max_len: 1,
        d_model: 1,
        heads: 1,
        layers: 1,
    };
    (encoding.info().parameters)(&size) > 0
}

fn value(cells: &dyn PositionTable, position: usize, dimension: usize) -> f64 {
    let value = cells.value(position as i64, dimension);
    value.unwrap_or_else(|| panic!("no number at {position}, {dimension}"))
}

/// Positions and dimensions of all cells, row by row.
fn places() -> impl Iterator<Item = (usize, usize)> {
    (0..MAX_LEN).flat_map(|p| (0..D_MODEL).map(move |d| (p, d)))
}

fn file(encoding: Encoding, format: Format, dtype: Dtype) -> Vec<u8> {
    let table = Table::of(&state(encoding, ""), dtype).unwrap();
    let mut file = TableFile::new(table, format);
    std::iter::from_fn(|| file.next(7)).flatten().collect()
}

#[test]
fn the_table_is_what_is_added_to_the_embedding() {
    for (encoding, cells) in with_tables() {
        // Learned numbers are simulated, those of the bench and those of the lesson's heads each for itself.
        if learns(encoding) {
            continue;
        }
        let head = head(encoding, D_MODEL, 1);
        for (p, d) in places() {
            let added = head
                .added(p as i64)
                .expect("an encoding with a table adds it");
            assert_close(value(&*cells, p, d), added[d], 1e-14);
        }
    }
}

#[test]
fn the_bench_shows_the_encodings_own_cells() {
    let mut raster = Raster::new();
    for (encoding, cells) in with_tables() {
        let model = Model::compute(&state(encoding, ""), Lang::En, 0.0, None);
        assert!(model.shows(ViewName::Heatmap) && model.shows(ViewName::Waves));
        let table = model.table.as_ref().unwrap();
        let (rows, columns) = (0.0..MAX_LEN as f64, 0.0..D_MODEL as f64);
        let means = table.means(&mut raster, rows, columns, (D_MODEL, MAX_LEN));
        for ((p, d), mean) in places().zip(means) {
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
    for encoding in all.into_iter().chain(all.into_iter().rev()) {
        let state = state(encoding, "");
        let fresh = Model::compute(&state, Lang::En, 0.0, None);
        let model = Model::compute(&state, Lang::En, 0.0, before.as_ref());
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
            // A unit in the last place of numbers up to 1, which the two ways to round may lie apart.
            let tolerance = match dtype {
                Dtype::Float32 => f64::from(f32::EPSILON),
                Dtype::Float64 => 1e-15,
            };
            let csv = String::from_utf8(file(encoding, Format::Csv, dtype)).unwrap();
            let mut lines = csv.lines();
            let name = format!("# encoding={}", encoding.name());
            assert_eq!(lines.next(), Some(name.as_str()));
            let mut lines = lines.skip_while(|line| line.starts_with('#'));
            let columns: Vec<String> = (0..D_MODEL).map(|d| cells.column_name(d)).collect();
            let heading = format!("pos,{}", columns.join(","));
            assert_eq!(lines.next(), Some(heading.as_str()));
            let rows: Vec<Vec<f64>> = lines
                .map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect())
                .collect();
            assert_eq!(rows.len(), MAX_LEN);

            let npy = file(encoding, Format::Npy, dtype);
            let shape = format!("'shape': ({MAX_LEN}, {D_MODEL})");
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
            for ((p, d), number) in places().zip(numbers) {
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
            let model = Model::compute(&state, Lang::En, 0.0, None);
            let (shown, block) = model.turn().expect("every pair turns");
            // The logit of a pair's first unit vector with itself, k positions apart, is cos kω / √width.
            let mut unit = [0.0; D_MODEL];
            unit[2 * pair] = 1.0;
            let logit = head.logit((&unit, 10 + k), (&unit, 10)).unwrap();
            let cosine = logit * (D_MODEL as f64).sqrt();
            assert_close(shown.turn.cos(), cosine, 1e-14);
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
            let model = Model::compute(&state, Lang::En, 0.0, None);
            assert_eq!(model.bias, head.bias(10 + k, 10), "{encoding:?} {k}");
        }
    }
}
