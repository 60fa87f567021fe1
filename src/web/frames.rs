//! Animation frames: at most one is pending, none is requested without need, and each is measured.

use super::dom::window;
use js_sys::Object;
use std::cell::Cell;
use wasm_bindgen::prelude::*;

/// One pending frame and the time of the event that first asked for it.
pub struct Frames {
    callback: Closure<dyn FnMut(f64)>,
    pending: Cell<Option<i32>>,
    cause: Cell<Option<f64>>,
}

impl Frames {
    pub fn new(callback: impl FnMut(f64) + 'static) -> Frames {
        Frames {
            callback: Closure::new(callback),
            pending: Cell::new(None),
            cause: Cell::new(None),
        }
    }

    /// Requests a frame unless one is pending; `cause` is the time stamp of the event that needs it.
    pub fn request(&self, cause: Option<f64>) {
        self.cause.set(self.cause.get().or(cause));
        if self.pending.get().is_none() {
            let callback = self.callback.as_ref().unchecked_ref();
            self.pending
                .set(window().request_animation_frame(callback).ok());
        }
    }

    /// Called when the frame runs; returns the time stamp of its cause.
    pub fn arrived(&self) -> Option<f64> {
        self.pending.set(None);
        self.cause.take()
    }
}

impl Drop for Frames {
    fn drop(&mut self) {
        if let Some(id) = self.pending.get() {
            // Fails only if the window has been closed, in which case no frame runs either.
            let _ = window().cancel_animation_frame(id);
        }
    }
}

#[wasm_bindgen]
extern "C" {
    type Timing;
    /// `performance.measure` of User Timing Level 3, which takes an object.
    #[wasm_bindgen(method, catch)]
    fn measure(this: &Timing, name: &str, options: &Measure) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, js_name = clearMeasures)]
    fn clear_measures(this: &Timing, name: &str);

    /// The options of `performance.measure`, in milliseconds since the time origin of the page.
    #[wasm_bindgen(extends = Object)]
    type Measure;
    #[wasm_bindgen(method, setter)]
    fn set_start(this: &Measure, start: f64);
    #[wasm_bindgen(method, setter)]
    fn set_end(this: &Measure, end: f64);
    #[wasm_bindgen(method, setter)]
    fn set_detail(this: &Measure, detail: &Detail);

    /// What a measure says besides its times.
    #[wasm_bindgen(extends = Object)]
    type Detail;
    /// Milliseconds that the script of the frame took.
    #[wasm_bindgen(method, setter)]
    fn set_script(this: &Detail, script: f64);
}

const MEASURE: &str = "posenc:frame";
/// The number of measures after which all are cleared, so that the memory of a page that plays for hours does not grow.
const KEPT: u32 = 3600;

thread_local! {
    static MEASURED: Cell<u32> = const { Cell::new(0) };
}

/// Milliseconds since the time origin of the page.
pub fn now() -> f64 {
    window()
        .performance()
        .map_or(0.0, |performance| performance.now())
}

/// Adds a performance measure of a frame, from its cause to the end of the script, with the script's own time as detail.
pub fn record_frame(cause: Option<f64>, start: f64) {
    let Some(performance) = window().performance() else {
        return;
    };
    let timing: Timing = performance.unchecked_into();
    let end = now();
    let detail: Detail = Object::new().unchecked_into();
    detail.set_script(end - start);
    let options: Measure = Object::new().unchecked_into();
    options.set_start(cause.unwrap_or(start).min(end));
    options.set_end(end);
    options.set_detail(&detail);
    let count = MEASURED.get();
    if count > 0 && count.is_multiple_of(KEPT) {
        timing.clear_measures(MEASURE);
    }
    MEASURED.set(count.wrapping_add(1));
    // A failure to measure must not affect drawing.
    let _ = timing.measure(MEASURE, &options);
}
