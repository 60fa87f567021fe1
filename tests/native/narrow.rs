//! The heatmap in columns narrower than a phone.

use crate::recording::{frame, of_figure};
use posenc::Values;
use posenc::figures::{AnyFigure, fields};
use posenc::{HeatmapView, Lang, Model, Scene, Theme, ThemeName, ViewName, read_link};

#[test]
fn a_narrow_heatmap_keeps_its_plot() {
    for settings in ["", "max_len=1048576&d_model=16384", "max_len=1"] {
        let model = Model::without_transients(&read_link("", settings).state, Lang::En);
        let theme = Theme::named(ThemeName::Light);
        let mut last = 0.0;
        for width in (180..=720).step_by(20).map(f64::from) {
            let colours = theme.colour_map();
            let scene = Scene::new(&model, theme, &colours, frame(width, 260.0));
            let plot = HeatmapView::plot(&scene).expect("a plot");
            let share = plot.width / width;
            assert!(share > 0.28, "{settings}: {} of {width} px", plot.width);
            assert!(plot.width >= last - 70.0 && plot.right() <= width);
            last = plot.width;
        }
    }
}

#[test]
fn a_wide_heatmap_has_its_colour_bar() {
    let values = Values::new(fields(ViewName::Heatmap).unwrap());
    let shown =
        AnyFigure::new(ViewName::Heatmap, &values, Lang::En, None).expect("it is in the list");
    // Counts the colour bars, which are images of one row.
    let bars = |width| {
        let drawn = of_figure(&shown, ThemeName::Light, width).expect("it has a picture");
        let steps = Theme::named(ThemeName::Light).colour_map().steps().len();
        let images = drawn.images().into_iter();
        images
            .filter(|image| (image.rows, image.columns) == (1, steps))
            .count()
    };
    assert_eq!([130.0, 320.0, 720.0].map(bars), [0, 1, 1]);
}
