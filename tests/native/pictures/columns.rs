//! The columns of the heatmap in another order than that of the table.

use super::cells::{assert_cells, interleaved, map_of};
use super::query::picture;
use super::{light, rgb};
use crate::recording::{Recording, frame, of_bench};
use posenc::{BenchFigure, Lang, Model, Scene, Theme, Transient, ViewName, read_link};

fn figure(view: ViewName) -> BenchFigure {
    let mut figures = BenchFigure::all().into_iter();
    figures.find(|figure| figure.name() == view).unwrap()
}

/// A view of the bench, `width` CSS pixels wide.
fn drawn(view: ViewName, settings: &str, transient: Transient, width: f64) -> Recording {
    let link = read_link("", settings);
    assert_eq!(link.problems, [], "{settings}");
    let lang = link.state.lang().unwrap_or(Lang::En);
    let model = Model::compute(&link.state, lang, transient, None);
    let theme = link.state.theme().map_or(light(), Theme::named);
    let colours = theme.colour_map();
    let scene = Scene::new(&model, theme, &colours, frame(width, 345.0));
    of_bench(&mut figure(view), &scene)
}

/// A value of a table with all sines first; with an odd `d_model` the last sine has no cosine.
fn in_halves(position: usize, place: usize, d_model: usize) -> f64 {
    let pairs = d_model.div_ceil(2);
    let dimension = if place < pairs {
        2 * place
    } else {
        2 * (place - pairs) + 1
    };
    interleaved(position as f64, dimension, d_model)
}

#[test]
fn all_sines_stand_before_all_cosines_whatever_the_layout() {
    for layout in ["interleaved", "concatenated"] {
        for d in [32, 33] {
            let settings =
                format!("d_model={d}&max_len=20&pos=7&k=5&layout={layout}&colour=sines-cosines");
            let it = picture(ViewName::Heatmap, &settings, 720.0);
            assert_cells(map_of(&it), (20, d), |row, column| {
                in_halves(row, column, d)
            });
            let rows = it.images().into_iter().filter(|image| image.rows == 1);
            let rows: Vec<_> = rows.filter(|image| image.columns == d).collect();
            assert_eq!(rows.len(), 2);
            for (image, row) in rows.into_iter().zip([7, 12]) {
                assert_cells(image, (1, d), |_, column| in_halves(row, column, d));
            }
        }
    }
    let zoomed = "d_model=32&max_len=20&colour=sines-cosines&dimensions=10-20";
    let it = drawn(ViewName::Heatmap, zoomed, Transient::default(), 560.0);
    assert_cells(map_of(&it), (20, 10), |row, column| {
        in_halves(row, column + 10, 32)
    });
}

#[test]
fn a_column_is_hit_where_it_is_drawn() {
    let settings = "d_model=32&max_len=20&colour=sines-cosines";
    let link = read_link("", settings);
    let model = Model::without_transients(&link.state, Lang::En);
    let colours = light().colour_map();
    let scene = Scene::new(&model, light(), &colours, frame(560.0, 345.0));
    let mut figure = figure(ViewName::Heatmap);
    let it = of_bench(&mut figure, &scene);
    let image = map_of(&it);
    for place in 0..32 {
        let at = image.cell(place, 3);
        let dimension = if place < 16 {
            2 * place
        } else {
            2 * (place - 16) + 1
        };
        let hit = posenc::Hit::Cell {
            position: 3,
            dimension,
        };
        assert_eq!(figure.hit_test(&scene, at.0, at.1), Some(hit), "{place}");
    }
}

#[test]
fn both_halves_are_named_in_their_colours() {
    let it = picture(ViewName::Heatmap, "colour=sines-cosines", 720.0);
    let map = map_of(&it).rect;
    for (name, colour, share) in [
        ("sines", light().sine, 0.25),
        ("cosines", light().cosine, 0.75),
    ] {
        let words = it.texts().find(|words| words.text == name).unwrap();
        assert_eq!(words.rgb, rgb(colour));
        let middle = words.middle().0;
        assert!((middle - (map.x + share * map.width)).abs() < 1.0, "{name}");
    }
}
