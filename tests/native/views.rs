//! Every view in every layout at extreme settings and sizes: nothing panics, nothing hangs,
//! nothing is drawn outside of the figure.

use plotters::drawing::IntoDrawingArea;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    FontTransform, text_anchor::HPos,
};
use posenc::{
    Figure, Frame, Image, Lang, Model, Part, Picture, Scene, State, Theme, ThemeName, read_link,
};
use std::cell::RefCell;
use std::convert::Infallible;
use std::rc::Rc;

const UNITS: f64 = 4.0;
/// A stroke's half width may stand over the edge, and so may a mark that begins on it.
const SLACK: f64 = 9.0;

/// Notes what lies outside of the area.
struct Watcher {
    size: (f64, f64),
    outside: Rc<RefCell<Vec<String>>>,
    drawn: Rc<RefCell<usize>>,
}

impl Watcher {
    fn see(&self, what: &str, x: f64, y: f64) {
        *self.drawn.borrow_mut() += 1;
        let within = |v: f64, size: f64| (-SLACK..=size + SLACK).contains(&(v / UNITS));
        if !within(x, self.size.0) || !within(y, self.size.1) {
            let at = (x / UNITS, y / UNITS);
            self.outside
                .borrow_mut()
                .push(format!("{what} at {at:?} in {:?}", self.size));
        }
    }

    fn point(&self, what: &str, at: BackendCoord) {
        self.see(what, f64::from(at.0), f64::from(at.1));
    }
}

type Outcome = Result<(), DrawingErrorKind<Infallible>>;

impl DrawingBackend for Watcher {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        ((self.size.0 * UNITS) as u32, (self.size.1 * UNITS) as u32)
    }

    fn ensure_prepared(&mut self) -> Outcome {
        Ok(())
    }

    fn present(&mut self) -> Outcome {
        Ok(())
    }

    fn draw_pixel(&mut self, at: BackendCoord, _: BackendColor) -> Outcome {
        self.point("pixel", at);
        Ok(())
    }

    fn draw_line<S: BackendStyle>(&mut self, a: BackendCoord, b: BackendCoord, _: &S) -> Outcome {
        self.point("line", a);
        self.point("line", b);
        Ok(())
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        a: BackendCoord,
        b: BackendCoord,
        _: &S,
        _: bool,
    ) -> Outcome {
        self.point("rectangle", a);
        self.point("rectangle", b);
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        _: &S,
    ) -> Outcome {
        path.into_iter().for_each(|at| self.point("path", at));
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        _: &S,
    ) -> Outcome {
        path.into_iter().for_each(|at| self.point("polygon", at));
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        _: &S,
        _: bool,
    ) -> Outcome {
        let (x, y, r) = (f64::from(centre.0), f64::from(centre.1), f64::from(radius));
        self.see("circle", x - r, y - r);
        self.see("circle", x + r, y + r);
        Ok(())
    }

    /// Widths as in a usual sans-serif: a good half of the size for each character, all of it for
    /// a Chinese one.
    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        at: BackendCoord,
    ) -> Outcome {
        let ems = |c: char| if c >= '\u{2e80}' { 1.0 } else { 0.5 };
        let width = style.size() * text.chars().map(ems).sum::<f64>();
        let (x, y) = (f64::from(at.0), f64::from(at.1));
        let (before, after) = match style.anchor().h_pos {
            HPos::Left => (0.0, width),
            HPos::Center => (width / 2.0, width / 2.0),
            HPos::Right => (width, 0.0),
        };
        if matches!(style.transform(), FontTransform::None) {
            self.see(text, x - before, y);
            self.see(text, x + after, y);
        } else {
            self.see(text, x, y - after);
            self.see(text, x, y + before);
        }
        Ok(())
    }
}

impl Picture for Watcher {
    fn stretch(&mut self, [from, to]: [BackendCoord; 2], image: &Image) -> Outcome {
        let (columns, rows) = image.size;
        assert_eq!(image.rgb.len(), 3 * (columns * rows) as usize);
        let Part {
            left,
            top,
            width,
            height,
        } = image.part;
        assert!(left >= 0.0 && left + width <= f64::from(columns) + 1e-9);
        assert!(top >= 0.0 && top + height <= f64::from(rows) + 1e-9);
        self.point("image", from);
        self.point("image", to);
        Ok(())
    }
}

/// Draws all figures; returns how many points were drawn and what lay outside.
fn draw(state: &State, lang: Lang, glide: f64, size: (f64, f64)) -> (usize, Vec<String>) {
    let model = Model::compute(state, lang, glide, None);
    let theme = Theme::named(state.theme().unwrap_or(ThemeName::Light));
    let scene = Scene {
        model: &model,
        theme,
        colours: &theme.colour_map(),
        frame: Frame {
            width: size.0,
            height: size.1,
            pixels: 1.0,
            units: UNITS,
        },
    };
    let outside = Rc::default();
    let drawn = Rc::default();
    for mut figure in Figure::all() {
        let watcher = Watcher {
            size,
            outside: Rc::clone(&outside),
            drawn: Rc::clone(&drawn),
        };
        let area = watcher.into_drawing_area();
        figure.draw_axes(&area, &scene).unwrap();
        figure.draw(&area, &scene).unwrap();
        let steps = [0.0, 0.1, 0.5, 0.9, 1.0];
        for (x, y) in steps
            .iter()
            .flat_map(|x| steps.map(|y| (x * size.0, y * size.1)))
        {
            figure.target(&scene, x, y);
        }
    }
    let (drawn, outside) = (*drawn.borrow(), outside.borrow().clone());
    (drawn, outside)
}

fn state(settings: &str) -> State {
    let link = read_link("", settings);
    assert_eq!(link.problems, [], "{settings}");
    link.state
}

const LAYOUTS: [&str; 3] = ["interleaved", "concatenated", "tensor2tensor"];

const EXTREMES: [&str; 16] = [
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
    "k=-10",
    "k=1048576&pair=0",
    "positions=10-11&dimensions=8-9",
    "positions=9.5-14.25&dimensions=3.5-11.5&compare=0,20,40,63",
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
                    let (drawn, outside) = draw(&state, lang, 0.4, size);
                    assert!(drawn > 60, "{settings} {size:?}: {drawn}");
                    assert_eq!(outside, Vec::<String>::new(), "{settings} {size:?}");
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
