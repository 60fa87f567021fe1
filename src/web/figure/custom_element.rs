//! The WebAssembly side of the custom element `<pe-figure>`, for static/posenc.js.

use super::controller::FigureController;
use super::with_figures;
use crate::draw::Theme;
use crate::export::{self, Dtype, Format, picture_size, with_family};
use crate::field::{Values, ViewName};
use crate::figures;
use crate::session::Event;
use crate::text::Lang;
use crate::web::api::{error, unknown};
use crate::web::{object, picture};
use js_sys::{Object, Uint8Array};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{HtmlCanvasElement, HtmlElement};

/// A `<pe-figure>` on a page, owned by its instance of the custom element's class.
#[wasm_bindgen(skip_typescript)]
pub struct Mounted {
    controller: Rc<RefCell<FigureController>>,
}

#[wasm_bindgen]
impl Mounted {
    /// Attaches a figure to the element. It is mounted whenever it is near the viewport. `listener` is called with
    /// "ready", "change", "error" and a message, or "wanted" when core/figures.wasm is needed, and must not re-enter.
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
        // `figures` is borrowed throughout, so that a failure leaves it borrowed, which `is_healthy` detects.
        with_figures(|figures| {
            let Some(controller) = FigureController::new(element.clone(), listener, &kept) else {
                return;
            };
            figures.controllers.push(Rc::downgrade(&controller));
            if let Some((observer, _)) = &figures.intersection_observer {
                observer.observe(&element);
            }
            if let Some((observer, _)) = &figures.resize_observer {
                observer.observe(&element);
            }
            if let Some(anchor) = &figures.anchor {
                anchor.observe(&element);
            }
            mounted = Some(Mounted { controller });
        });
        mounted.ok_or_else(|| js_sys::Error::new("this element has a closed shadow root").into())
    }

    /// Runs `act` on the figure and requests a frame.
    fn update<T>(&self, act: impl FnOnce(&mut FigureController) -> T) -> Option<T> {
        let done = self
            .controller
            .try_borrow_mut()
            .map(|mut controller| act(&mut controller));
        with_figures(|figures| figures.request(None));
        done.ok()
    }

    /// Called when an attribute of the element, named in snake case, has been changed or removed.
    #[wasm_bindgen(js_name = attributeChanged)]
    pub fn attribute_changed(&self, name: &str, value: Option<String>) {
        self.update(|controller| controller.attribute_changed(name, value.as_deref()));
    }

    /// Sets the page's accent, `#rrggbb`, and font families.
    #[wasm_bindgen(js_name = setCustomStyle)]
    pub fn set_custom_style(&self, accent: &str, family: &str) {
        self.update(|controller| controller.set_custom_style(accent, family));
    }

    /// Called when the element has been removed from the page.
    pub fn disconnected(&self) {
        let Ok(mut controller) = self.controller.try_borrow_mut() else {
            return;
        };
        controller.handle(Event::Play(false));
        controller.unmount();
        with_figures(|figures| {
            if let Some((observer, _)) = &figures.intersection_observer {
                observer.unobserve(&controller.element);
            }
            if let Some((observer, _)) = &figures.resize_observer {
                observer.unobserve(&controller.element);
            }
            if let Some(anchor) = &figures.anchor {
                anchor.unobserve(&controller.element);
            }
        });
    }

    /// The figure's name and settings, as an object.
    pub fn state(&self) -> Option<Object> {
        let controller = self.controller.try_borrow().ok()?;
        let session = &controller.session;
        Some(object::of_values(session.view(), session.values()))
    }

    /// Whether the picture on the screen shows the current settings; also true if the figure is far from the viewport.
    #[wasm_bindgen(getter)]
    pub fn drawn(&self) -> bool {
        let controller = self.controller.try_borrow();
        controller.is_ok_and(|controller| controller.is_up_to_date())
    }

    /// Changes settings; those that are not named keep their values. The picture moves to them, or if `moves` is false shows
    /// them at once. Throws an Error that names an unknown setting. Returns false if the figure is still borrowed after a
    /// failure.
    #[wasm_bindgen(js_name = setState)]
    pub fn set_state(&self, changes: &JsValue, moves: bool) -> Result<bool, JsValue> {
        let pairs = object::pairs(changes)?;
        self.update(|controller| {
            let view = pairs.iter().find(|(name, _)| name == "view");
            let view = view.map_or(Some(controller.session.view()), |(_, name)| {
                ViewName::named(name)
            });
            let fields = view.and_then(figures::fields);
            let Some(fields) = fields else {
                let requested = pairs.iter().find(|(name, _)| name == "view");
                let requested = requested.map_or("", |(_, view)| view.as_str());
                let views = figures::all().map(ViewName::name);
                let words = "no figure: view must be the name of one";
                return Err(unknown(requested, words, views));
            };
            let values = Values::new(fields);
            for (name, _) in &pairs {
                if name != "view" && !values.has(name) {
                    let names = values.public().map(|field| field.name);
                    return Err(unknown(name, "no setting of this figure", names));
                }
            }
            let pairs: Vec<_> = pairs
                .iter()
                .map(|(n, v)| (n.as_str(), v.as_str()))
                .collect();
            controller.handle(if moves {
                Event::Set(&pairs)
            } else {
                Event::Follow(&pairs)
            });
            Ok(true)
        })
        .unwrap_or(Ok(false))
    }

    /// Opens a file or another `Blob`. Throws an Error if the argument is no `Blob` or the figure does not open files.
    pub fn open(&self, file: JsValue) -> Result<(), JsValue> {
        match self.update(|controller| controller.open_if_shown(file)) {
            Some(false) => Err(error(
                "open() takes a file or a Blob, in a figure with view=\"inspect\"",
            )),
            _ => Ok(()),
        }
    }

    /// Shows a notice that the figure was restarted after a failure.
    #[wasm_bindgen(js_name = sayRestarted)]
    pub fn say_restarted(&self) {
        self.update(|controller| controller.handle(Event::Restarted));
    }

    /// Restores the values given by the attributes.
    pub fn reset(&self) {
        self.update(FigureController::reset);
    }

    /// Starts playback of position, step or offset; false for a figure with none of these.
    pub fn play(&self) -> bool {
        self.update(|controller| {
            controller.handle(Event::Play(true));
            controller.session.is_playing()
        })
        .unwrap_or_default()
    }

    pub fn pause(&self) {
        self.update(|controller| controller.handle(Event::Play(false)));
    }

    #[wasm_bindgen(getter)]
    pub fn playing(&self) -> bool {
        self.update(|controller| controller.session.is_playing())
            .unwrap_or_default()
    }

    /// Moves `by` steps forward; false for a figure without steps.
    pub fn step(&self, by: i32) -> bool {
        self.update(|controller| {
            controller.handle(Event::Step(i64::from(by)));
            controller.session.values().playable().is_some()
        })
        .unwrap_or_default()
    }

    /// The picture as SVG; undefined for a figure without a picture.
    pub fn svg(&self) -> Option<String> {
        let controller = self.controller.try_borrow().ok()?;
        let mut svg = None;
        with_figures(|figures| {
            let (lang, theme) = (figures.lang_of(&controller), figures.theme_of(&controller));
            let width = controller.picture_width(&theme);
            // With the default type scale.
            let theme = Theme::customised(theme.name, 1.0, Some(theme.accent));
            controller.with_finished(lang, &mut |figure| {
                let size = picture_size(figure, &theme, width);
                svg = size.map(|size| picture::svg(figure, &theme, size));
            });
            if let (Some(svg), Some(family)) = (&mut svg, controller.appearance.family()) {
                *svg = with_family(svg, family);
            }
        });
        svg
    }

    /// The table that the figure has computed itself, as the bytes of a file; undefined for other figures. `format` is
    /// "csv" or "npy", `dtype` "float32" or "float64".
    pub fn table(&self, format: &str, dtype: &str) -> Option<Uint8Array> {
        let controller = self.controller.try_borrow().ok()?;
        let (format, dtype) = (Format::named(format)?, Dtype::named(dtype)?);
        let mut made = None;
        controller.with_finished(Lang::En, &mut |figure| made = figure.table());
        let made = made?;
        Some(export::file_of_made(&made, format, dtype)[..].into())
    }

    /// The measurements of the figure so far as CSV; undefined if there are none.
    pub fn measurements(&self) -> Option<String> {
        let controller = self.controller.try_borrow().ok()?;
        let mut measured = None;
        controller.with_finished(Lang::En, &mut |figure| measured = figure.measurements());
        measured.as_ref().map(export::csv_of_measurements)
    }

    /// The picture on a new canvas, at `scale` device pixels per CSS pixel; undefined for a figure without a picture.
    pub fn picture(&self, scale: f64) -> Option<HtmlCanvasElement> {
        let controller = self.controller.try_borrow().ok()?;
        let mut canvas = None;
        with_figures(|figures| {
            let page = figures.context_for(&controller);
            let width = controller.picture_width(&page.theme);
            let family = controller.appearance.family();
            controller.with_finished(page.lang, &mut |figure| {
                let style = (&page.theme, page.colours);
                let size = picture_size(figure, &page.theme, width);
                canvas = size.and_then(|size| {
                    picture::on_canvas(figure, style, size, scale, family.clone())
                });
            });
        });
        canvas
    }
}
