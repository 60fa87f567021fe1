//! A `<pe-figure>` as static/posenc.js works it.

use super::attributes;
use super::controller::FigureController;
use super::with;
use crate::draw::Theme;
use crate::export::{self, Dtype, Format, picture_size, with_family};
use crate::field::ViewName;
use crate::figures;
use crate::text::Lang;
use crate::web::api::{error, unknown};
use crate::web::{object, picture};
use js_sys::{Object, Uint8Array};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{HtmlCanvasElement, HtmlElement};

/// A `<pe-figure>` that is on a page, held by the element's class.
#[wasm_bindgen(skip_typescript)]
pub struct Mounted {
    controller: Rc<RefCell<FigureController>>,
}

#[wasm_bindgen]
impl Mounted {
    /// Takes the element on: from now on it shows its figure whenever it is near the screen. `listener` is called with
    /// "ready", "change", "error" and its words, or "wanted" for `figuresArrived`, and must not call back before it returns.
    /// `kept` is the state that the figure had when it was last on the page.
    #[wasm_bindgen(constructor)]
    pub fn new(
        element: HtmlElement,
        listener: js_sys::Function,
        kept: Option<Object>,
    ) -> Result<Mounted, JsValue> {
        let kept = kept.map(|kept| object::pairs(&kept)).transpose()?;
        let kept = kept.unwrap_or_default();
        let kept: Vec<_> = kept.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        let mut mounted = None;
        // The figures are held meanwhile: `is_healthy` tells a failure in the middle of this.
        with(|figures| {
            let Some(controller) = FigureController::new(element.clone(), listener, &kept) else {
                return;
            };
            let controller = Rc::new(RefCell::new(controller));
            controller.borrow_mut().me = Rc::downgrade(&controller);
            figures.controllers.push(Rc::downgrade(&controller));
            if let Some((observer, _)) = &figures.near {
                observer.observe(&element);
            }
            if let Some((observer, _)) = &figures.sizes {
                observer.observe(&element);
            }
            if let Some(anchor) = &figures.anchor {
                anchor.observe(&element);
            }
            mounted = Some(Mounted { controller });
        });
        mounted.ok_or_else(|| js_sys::Error::new("this element has a closed shadow root").into())
    }

    /// Works on the figure and has it drawn.
    fn on<T>(&self, act: impl FnOnce(&mut FigureController) -> T) -> Option<T> {
        let done = self
            .controller
            .try_borrow_mut()
            .map(|mut controller| act(&mut controller));
        with(|figures| figures.request(None));
        done.ok()
    }

    /// An attribute of the element, named as the setting, has another value, or none.
    pub fn changed(&self, name: &str, value: Option<String>) {
        self.on(|controller| controller.attribute_changed(name, value.as_deref()));
    }

    /// What the page's own style makes of the picture: an accent, `#rrggbb`, and families of fonts.
    pub fn dress(&self, accent: &str, family: &str) {
        self.on(|controller| controller.dress(accent, family));
    }

    /// The element has left the page.
    pub fn left(&self) {
        let Ok(mut controller) = self.controller.try_borrow_mut() else {
            return;
        };
        controller.playback.stop();
        controller.release();
        with(|figures| {
            if let Some((observer, _)) = &figures.near {
                observer.unobserve(&controller.element);
            }
            if let Some((observer, _)) = &figures.sizes {
                observer.unobserve(&controller.element);
            }
            if let Some(anchor) = &figures.anchor {
                anchor.unobserve(&controller.element);
            }
        });
    }

    /// The figure's name and its settings, as an object.
    pub fn state(&self) -> Option<Object> {
        self.on(|controller| object::of_values(controller.view(), &controller.values))
    }

    /// Whether the picture on the screen is that of the settings; true as well where the figure is far from the screen.
    #[wasm_bindgen(getter)]
    pub fn drawn(&self) -> bool {
        let controller = self.controller.try_borrow();
        controller.is_ok_and(|controller| controller.is_drawn())
    }

    /// Changes settings; those that are not named stay. Throws an Error that names what is no setting of the figure. False
    /// where the figure has been left in the middle of its work and cannot take them.
    #[wasm_bindgen(js_name = setState)]
    pub fn set_state(&self, changes: &JsValue) -> Result<bool, JsValue> {
        let pairs = object::pairs(changes)?;
        self.on(|controller| {
            let view = pairs.iter().find(|(name, _)| name == "view");
            let view = view.map_or(Some(controller.view()), |(_, name)| ViewName::named(name));
            let fields = view.and_then(figures::fields);
            let Some(fields) = fields else {
                let given = pairs.iter().find(|(name, _)| name == "view");
                let given = given.map_or("", |(_, view)| view.as_str());
                let views = attributes::views().map(ViewName::name);
                let words = "no figure: view must be the name of one";
                return Err(unknown(given, words, views));
            };
            for (name, _) in &pairs {
                if name != "view" && !fields.iter().any(|field| field.name == name) {
                    let names = fields.iter().map(|field| field.name);
                    return Err(unknown(name, "no setting of this figure", names));
                }
            }
            let pairs: Vec<_> = pairs
                .iter()
                .map(|(n, v)| (n.as_str(), v.as_str()))
                .collect();
            controller.set_from_outside(&pairs);
            Ok(true)
        })
        .unwrap_or(Ok(false))
    }

    /// Shows what is in a file or another `Blob`. Throws an Error where it is none, or the figure shows no files.
    pub fn open(&self, file: JsValue) -> Result<(), JsValue> {
        match self.on(|controller| controller.open_if_shown(file)) {
            Some(false) => Err(error(
                "open() takes a file or a Blob, in a figure with view=\"inspect\"",
            )),
            _ => Ok(()),
        }
    }

    /// Says that something failed and that all has been started again.
    #[wasm_bindgen(js_name = sayRestarted)]
    pub fn say_restarted(&self) {
        self.on(|controller| controller.problems.restarted = true);
    }

    /// The settings that the attributes give.
    pub fn reset(&self) {
        self.on(FigureController::reset);
    }

    /// Position, step or offset goes on by itself; false for a figure in which nothing does.
    pub fn play(&self) -> bool {
        self.on(|controller| {
            let plays = controller.values.playable().is_some();
            if plays {
                controller.playback.start();
            }
            plays
        })
        .unwrap_or_default()
    }

    pub fn pause(&self) {
        self.on(|controller| controller.playback.stop());
    }

    #[wasm_bindgen(getter)]
    pub fn playing(&self) -> bool {
        self.on(|controller| controller.playback.playing)
            .unwrap_or_default()
    }

    /// One step on, or `by` steps; false for a figure in which nothing steps.
    pub fn step(&self, by: i32) -> bool {
        self.on(|controller| controller.step(i64::from(by)))
            .unwrap_or_default()
    }

    /// The picture as SVG; nothing for a figure without a picture.
    pub fn svg(&self) -> Option<String> {
        let controller = self.controller.try_borrow().ok()?;
        let mut svg = None;
        with(|figures| {
            let (lang, theme) = (figures.lang_of(&controller), figures.theme_of(&controller));
            let width = controller.picture_width(&theme);
            // As large as its type usually is.
            let theme = Theme::made(theme.name, 1.0, Some(theme.accent));
            controller.with_finished(lang, &mut |figure| {
                let size = picture_size(figure, &theme, width);
                svg = size.map(|size| picture::svg(figure, &theme, size));
            });
            if let (Some(svg), Some(family)) = (&mut svg, &controller.appearance.family) {
                *svg = with_family(svg, family);
            }
        });
        svg
    }

    /// The table that the figure has made itself, as the bytes of a file; nothing for other figures. `format` is "csv" or
    /// "npy", `dtype` "float32" or "float64".
    pub fn table(&self, format: &str, dtype: &str) -> Option<Uint8Array> {
        let controller = self.controller.try_borrow().ok()?;
        let (format, dtype) = (Format::named(format)?, Dtype::named(dtype)?);
        let mut made = None;
        controller.with_finished(Lang::En, &mut |figure| made = figure.table());
        let made = made?;
        Some(export::file_of_made(&made, format, dtype)[..].into())
    }

    /// What the figure has measured so far as CSV; nothing where it has measured nothing.
    pub fn measurements(&self) -> Option<String> {
        let controller = self.controller.try_borrow().ok()?;
        let mut measured = None;
        controller.with_finished(Lang::En, &mut |figure| measured = figure.measurements());
        measured.as_ref().map(export::csv_of_measurements)
    }

    /// The picture on a canvas of its own, with so many pixels per CSS pixel; nothing for a figure without a picture.
    pub fn picture(&self, scale: f64) -> Option<HtmlCanvasElement> {
        let controller = self.controller.try_borrow().ok()?;
        let mut canvas = None;
        with(|figures| {
            let page = figures.page(&controller);
            let width = controller.picture_width(&page.theme);
            let family = &controller.appearance.family;
            controller.with_finished(page.lang, &mut |figure| {
                let look = (&page.theme, page.colours);
                let size = picture_size(figure, &page.theme, width);
                canvas = size
                    .and_then(|size| picture::on_canvas(figure, look, size, scale, family.clone()));
            });
        });
        canvas
    }
}
