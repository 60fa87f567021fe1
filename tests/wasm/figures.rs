//! The figures on canvases of this browser, read pixel by pixel.

use plotters::style::RGBColor;
use posenc::web::{BenchCanvas, with_opacity};
use posenc::{
    BenchFigure, HeatmapSampler, HeatmapView, Lang, MAX_D_MODEL, MAX_LEN, Model, Theme, ThemeName,
    ViewName, read_link,
};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{CanvasRenderingContext2d, Element, HtmlCanvasElement};

/// A figure on the page, 620 × 340 CSS pixels, drawn once.
struct AnyFigure {
    element: BenchCanvas,
    model: Model,
    theme: &'static Theme,
    ratio: f64,
}

impl AnyFigure {
    fn new(name: ViewName, settings: &str, theme: ThemeName, ratio: f64) -> Self {
        let figure = BenchFigure::all()
            .into_iter()
            .find(|figure| figure.name() == name);
        let mut element = BenchCanvas::new(figure.unwrap(), Lang::En).unwrap();
        let style = "width: 620px; height: 340px";
        element.stage.set_attribute("style", style).unwrap();
        let document = web_sys::window().unwrap().document().unwrap();
        let place = document.document_element().unwrap();
        place.append_child(&element.stage).unwrap();

        let model = Model::without_transients(&read_link("", settings).state, Lang::En);
        let theme = Theme::named(theme);
        assert!(element.measure(ratio, false));
        element.draw(&model, theme, &theme.colour_map());
        Self {
            element,
            model,
            theme,
            ratio,
        }
    }

    /// All pixels of a layer.
    fn pixels(&self, layer: &str) -> Pixels {
        let canvas: Option<Element> = self.element.stage.query_selector(layer).unwrap();
        let canvas: HtmlCanvasElement = canvas.unwrap().dyn_into().unwrap();
        let context = canvas.get_context("2d").unwrap().unwrap();
        let context: CanvasRenderingContext2d = context.dyn_into().unwrap();
        let (width, height) = (f64::from(canvas.width()), f64::from(canvas.height()));
        assert_eq!((width, height), (620.0 * self.ratio, 340.0 * self.ratio));
        let image = context.get_image_data(0.0, 0.0, width, height).unwrap();
        Pixels {
            width: canvas.width() as usize,
            rgba: image.data().0,
        }
    }
}

impl Drop for AnyFigure {
    fn drop(&mut self) {
        self.element.stage.remove();
    }
}

struct Pixels {
    width: usize,
    rgba: Vec<u8>,
}

impl Pixels {
    fn at(&self, x: usize, y: usize) -> [u8; 4] {
        self.rgba.as_chunks().0[y * self.width + x]
    }

    fn count(&self, RGBColor(r, g, b): RGBColor) -> usize {
        let all = self.rgba.as_chunks().0.iter();
        all.filter(|pixel| **pixel == [r, g, b, 255]).count()
    }
}

const THEMES: [ThemeName; 3] = [ThemeName::Light, ThemeName::Dark, ThemeName::Projector];

#[wasm_bindgen_test]
fn every_cell_of_the_heatmap_has_the_colour_of_its_value() {
    for layout in ["interleaved", "concatenated", "tensor2tensor"] {
        for (theme, ratio) in THEMES.into_iter().zip([1.0, 2.0, 1.5]) {
            let settings = format!("d_model=16&max_len=12&pos=3&k=4&pair=2&layout={layout}");
            let shown = AnyFigure::new(ViewName::Heatmap, &settings, theme, ratio);
            let (pixels, colours) = (shown.pixels("canvas.data"), shown.theme.colour_map());
            let scene = shown.element.scene(&shown.model, shown.theme, &colours);
            let plot = HeatmapView::plot(&scene).unwrap();
            for position in 0..12 {
                for dimension in 0..16 {
                    let x = plot.x + (dimension as f64 + 0.5) * plot.width / 16.0;
                    let y = plot.y + (position as f64 + 0.5) * plot.height / 12.0;
                    let actual = pixels.at((x * ratio) as usize, (y * ratio) as usize);
                    let value = shown.model.cell(position, dimension).unwrap();
                    let [r, g, b] = colours.colour(value as f32);
                    assert_eq!(
                        actual,
                        [r, g, b, 255],
                        "{layout} {ratio} {position} {dimension}"
                    );
                }
            }
        }
    }
}

#[wasm_bindgen_test]
fn a_million_rows_are_shown_as_means() {
    let settings = "d_model=16384&max_len=1048576&layout=concatenated";
    let shown = AnyFigure::new(ViewName::Heatmap, settings, ThemeName::Light, 1.0);
    let (pixels, colours) = (shown.pixels("canvas.data"), shown.theme.colour_map());
    let scene = shown.element.scene(&shown.model, shown.theme, &colours);
    let plot = HeatmapView::plot(&scene).unwrap();
    let (width, height) = (plot.width as usize, plot.height as usize);
    let mut sampler = HeatmapSampler::new();
    let means = sampler.render(
        shown.model.waves.as_ref().unwrap(),
        0.0..MAX_LEN as f64,
        0.0..MAX_D_MODEL as f64,
        width,
        height,
    );
    let same = means.iter().enumerate().filter(|&(at, &mean)| {
        let [r, g, b] = colours.colour(mean);
        let (x, y) = (plot.x as usize + at % width, plot.y as usize + at / width);
        pixels.at(x, y) == [r, g, b, 255]
    });
    // The marks of the selection cover the other pixels.
    assert!(same.count() > width * height * 9 / 10);
}

#[wasm_bindgen_test]
fn waves_and_dials_are_drawn_in_the_colours_of_the_theme() {
    for theme in THEMES {
        for name in [ViewName::Waves, ViewName::Rotation] {
            let shown = AnyFigure::new(name, "pos=10&k=6&pair=5", theme, 2.0);
            let (data, axes) = (shown.pixels("canvas.data"), shown.pixels("canvas.axes"));
            let Theme { here, there, .. } = *shown.theme;
            for colour in [here, there] {
                assert!(data.count(colour) > 100, "{name:?} {theme:?} {colour:?}");
            }
            assert!(axes.count(shown.theme.muted) > 20, "{name:?} {theme:?}");
        }
        let waves = AnyFigure::new(ViewName::Waves, "pos=10&k=6&pair=5", theme, 2.0);
        let axes = waves.pixels("canvas.axes");
        for colour in [waves.theme.sine, waves.theme.cosine] {
            assert!(axes.count(colour) > 500, "{theme:?} {colour:?}");
        }
    }
}

#[wasm_bindgen_test]
fn opacity_is_added_to_rows_of_any_length() {
    for pixels in 0..40 {
        let rgb = Vec::from_iter((0..3 * pixels).map(|byte| (7 * byte + 3) as u8));
        // The bytes that follow are unchanged.
        let mut rgba = vec![99; 4 * pixels + 8];
        with_opacity(&rgb, &mut rgba);
        let (image, rest) = rgba.split_at(4 * pixels);
        for (four, three) in image.chunks(4).zip(rgb.chunks(3)) {
            assert_eq!(four, [three[0], three[1], three[2], 255]);
        }
        assert_eq!(rest, [99; 8]);
    }
}
