//! Every view in every layout at extreme settings and sizes: nothing panics or hangs, and nothing is drawn outside the
//! figure.

use crate::recording::{Recording, frame, of_bench};
use posenc::figure::Displacement;
use posenc::{
    BenchFigure, Hand, Lang, Model, Scene, State, Theme, ThemeName, Transient, read_link,
};

/// Tolerance for anti-aliasing and for marks that start on the edge, in CSS pixels.
const SLACK: f64 = 2.0;

/// Draws all figures, and hovers at many points.
fn draw(
    state: &State,
    lang: Lang,
    pos_fraction: f64,
    (width, height): (f64, f64),
) -> Vec<Recording> {
    let transient = Transient {
        sets_slow_pairs_apart: true,
        beside_others: true,
        displacement: Displacement {
            halves: pos_fraction,
            phase: -pos_fraction,
            ..Displacement::held(pos_fraction, -pos_fraction)
        },
        hand: Some(Hand::Pos),
        pair: Some(0),
        outlines: std::array::from_fn(|i| Some(i as f64)),
        guessing: pos_fraction > 0.5,
        guessed: Some(1.5),
        ..Transient::default()
    };
    let model = Model::compute(state, lang, transient, None);
    let theme = Theme::named(state.theme().unwrap_or(ThemeName::Light));
    let colours = theme.colour_map();
    let scene = Scene::new(&model, theme, &colours, frame(width, height));
    let record = |mut figure: BenchFigure| {
        let recording = of_bench(&mut figure, &scene);
        let steps = [0.0, 0.1, 0.5, 0.9, 1.0];
        for (x, y) in steps
            .iter()
            .flat_map(|x| steps.map(|y| (x * width, y * height)))
        {
            figure.hit_test(&scene, (x, y).into());
        }
        recording
    };
    BenchFigure::all().map(record).into()
}

fn state(settings: &str) -> State {
    let link = read_link("", settings);
    assert_eq!(link.problems, [], "{settings}");
    link.state
}

const LAYOUTS: [&str; 3] = ["interleaved", "concatenated", "tensor2tensor"];

const EXTREMES: [&str; 24] = [
    "",
    "d_model=1&max_len=1&pair=0&pos=0",
    "d_model=2&max_len=1&pair=0&pos=0",
    "d_model=3&max_len=2&pair=1&pos=1",
    "d_model=5&max_len=100&pair=2&member=cosine",
    "d_model=16384&max_len=1048576&pair=8191&pos=1048575",
    "d_model=16384&max_len=1&pair=8191&pos=0&k=1048576",
    "d_model=1&max_len=1048576&pair=0&pos=1048575&k=-1048576",
    "base=1000000000",
    "base=1.0000001",
    "k=0",
    "colour=sines-cosines&dimensions=60-70&d_model=129&pair=64",
    "colour=phase&d_model=129&pair=64",
    "colour=phase&dimensions=8-9",
    "k=-10",
    "k=1048576&pair=0",
    "positions=10-11&dimensions=8-9",
    "positions=9.5-14.25&dimensions=3.5-11.5&compare=0,20,40,63",
    "encoding=alibi&k=-5&pos=3",
    "encoding=t5&max_len=1",
    "encoding=t5&max_len=1048576&pos=1048575&k=100",
    "encoding=learned&d_model=3&max_len=2&pair=1",
    "encoding=rope&d_model=3&pair=1",
    "max_len=5000&d_model=512&pair=255&pos=4999&compare=0,1,2,3&positions=4000-5000",
];

#[test]
fn every_view_stays_inside_at_extreme_settings() {
    for layout in LAYOUTS {
        for extreme in EXTREMES {
            for (lang, theme) in [(Lang::En, "light"), (Lang::Zh, "projector")] {
                let settings = format!("{extreme}&layout={layout}&theme={theme}");
                let state = state(&settings);
                for size in [
                    (620.0, 330.0),
                    (1240.0, 160.0),
                    (280.0, 370.0),
                    (360.0, 340.0),
                ] {
                    let pictures = draw(&state, lang, 0.4, size);
                    let marks: usize = pictures.iter().map(|picture| picture.marks.len()).sum();
                    assert!(marks > 30, "{settings} {size:?}: {marks}");
                    for picture in pictures {
                        let outside = picture.outside(SLACK);
                        assert_eq!(outside, Vec::<String>::new(), "{settings} {size:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn no_size_is_too_small_or_too_strange() {
    for settings in EXTREMES {
        let state = state(settings);
        for width in [0.0, 1.0, 13.7, 60.0, 200.0, 4000.0] {
            for height in [0.0, 1.0, 41.0, 100.0] {
                draw(&state, Lang::En, 0.0, (width, height));
            }
        }
    }
}

#[test]
fn what_has_a_button_that_copies_has_something_to_copy() {
    let mut buttons = 0;
    for name in posenc::ViewName::ALL {
        let Some(fields) = posenc::figures::fields(*name) else {
            continue;
        };
        let values = posenc::Values::new(fields);
        let Some(figure) = posenc::figures::AnyFigure::new(*name, &values, posenc::Lang::En, None)
        else {
            continue;
        };
        let parts = [figure.actions(), figure.below(), figure.more()];
        let html: String = parts
            .into_iter()
            .flatten()
            .map(|it| it.to_string())
            .collect();
        let button = html.contains("data-do=\"copy\"");
        buttons += usize::from(button);
        assert_eq!(figure.copied().is_some(), button, "{}", name.name());
        assert!(figure.copied().is_none_or(|text| text.len() > 100));
    }
    assert!(buttons > 0);
}
