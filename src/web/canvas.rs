//! plotters' canvas backend, made finer and faster: points lie on fractions of a pixel, images go
//! straight to the canvas, and text keeps its true size.

use crate::view::Frame;
use plotters::drawing::IntoDrawingArea;
use plotters::style::FontTransform;
use plotters::style::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use plotters_canvas::CanvasBackend;
use std::cell::RefCell;
use std::f64::consts::FRAC_PI_2;
use std::rc::Rc;
use wasm_bindgen::{Clamped, JsCast};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageData};

/// Units per CSS pixel: an eighth is finer than anybody sees.
const UNITS: f64 = 8.0;
/// No side of a canvas is longer than this, in its own pixels: beyond their limits browsers show
/// an empty canvas without a word.
const LONGEST_SIDE: f64 = 4096.0;
const HIGHEST_RATIO: f64 = 3.0;

/// A canvas that fits its figure.
pub struct Surface {
    canvas: HtmlCanvasElement,
    context: CanvasRenderingContext2d,
    /// The bytes of the last image, with opacity, kept for the next one.
    scratch: Rc<RefCell<Vec<u8>>>,
}

impl Surface {
    /// `None` where the browser refuses to draw on canvases.
    pub fn new(canvas: HtmlCanvasElement) -> Option<Surface> {
        let context = canvas.get_context("2d").ok()??.dyn_into().ok()?;
        Some(Surface {
            canvas,
            context,
            scratch: Rc::default(),
        })
    }

    pub fn canvas(&self) -> &HtmlCanvasElement {
        &self.canvas
    }

    /// Gives the canvas as many pixels as the frame asks for.
    pub fn resize(&self, frame: Frame) {
        let pixels = |v: f64| (v * frame.pixels).round() as u32;
        let (width, height) = (pixels(frame.width), pixels(frame.height));
        if (self.canvas.width(), self.canvas.height()) != (width, height) {
            self.canvas.set_width(width);
            self.canvas.set_height(height);
        }
    }

    /// Clears the canvas and has it drawn on.
    pub fn draw(
        &self,
        frame: Frame,
        draw: impl FnOnce(&plotters::drawing::DrawingArea<Backend, plotters::coord::Shift>),
    ) {
        let Some(canvas) = CanvasBackend::with_canvas_object(self.canvas.clone()) else {
            return;
        };
        let (width, height) = (
            f64::from(self.canvas.width()),
            f64::from(self.canvas.height()),
        );
        let scale = frame.pixels / frame.units;
        // Neither call fails on finite numbers.
        let _ = self.context.set_transform(1.0, 0.0, 0.0, 1.0, 0.0, 0.0);
        self.context.clear_rect(0.0, 0.0, width, height);
        let _ = self.context.set_transform(scale, 0.0, 0.0, scale, 0.0, 0.0);
        self.context.set_line_join("round");
        let backend = Backend {
            canvas,
            context: self.context.clone(),
            scratch: self.scratch.clone(),
            frame,
        };
        draw(&backend.into_drawing_area());
    }
}

/// The frame of a figure of this size on a screen with this device pixel ratio.
pub fn frame(width: f64, height: f64, ratio: f64) -> Frame {
    let longest = width.max(height).max(1.0);
    let ratio = if ratio.is_finite() && ratio > 0.0 {
        ratio
    } else {
        1.0
    };
    Frame {
        width,
        height,
        pixels: ratio.min(HIGHEST_RATIO).min(LONGEST_SIDE / longest),
        units: UNITS,
    }
}

pub struct Backend {
    canvas: CanvasBackend,
    context: CanvasRenderingContext2d,
    scratch: Rc<RefCell<Vec<u8>>>,
    frame: Frame,
}

type Outcome = Result<(), DrawingErrorKind<<CanvasBackend as DrawingBackend>::ErrorType>>;

impl DrawingBackend for Backend {
    type ErrorType = <CanvasBackend as DrawingBackend>::ErrorType;

    fn get_size(&self) -> (u32, u32) {
        let units = |v: f64| (v * self.frame.units).round() as u32;
        (units(self.frame.width), units(self.frame.height))
    }

    fn ensure_prepared(&mut self) -> Outcome {
        self.canvas.ensure_prepared()
    }

    fn present(&mut self) -> Outcome {
        self.canvas.present()
    }

    fn draw_pixel(&mut self, point: BackendCoord, colour: BackendColor) -> Outcome {
        self.canvas.draw_pixel(point, colour)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Outcome {
        self.canvas.draw_line(from, to, style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        a: BackendCoord,
        b: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Outcome {
        self.canvas.draw_rect(a, b, style, fill)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Outcome {
        self.canvas.draw_path(path, style)
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Outcome {
        self.canvas.draw_circle(centre, radius, style, fill)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Outcome {
        self.canvas.fill_polygon(path, style)
    }

    /// In CSS pixels: a browser picks the cut of a font by its nominal size.
    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        at: BackendCoord,
    ) -> Outcome {
        let BackendColor {
            rgb: (r, g, b),
            alpha,
        } = style.color();
        let context = &self.context;
        let css = |v: f64| v / self.frame.units;
        let quarter_turns = match style.transform() {
            FontTransform::None => 0.0,
            FontTransform::Rotate90 => 1.0,
            FontTransform::Rotate180 => 2.0,
            FontTransform::Rotate270 => 3.0,
        };
        context.save();
        // None of these fails on finite numbers.
        let _ = context.translate(f64::from(at.0), f64::from(at.1));
        let _ = context.rotate(quarter_turns * FRAC_PI_2);
        let _ = context.scale(self.frame.units, self.frame.units);
        context.set_text_align(match style.anchor().h_pos {
            HPos::Left => "left",
            HPos::Right => "right",
            HPos::Center => "center",
        });
        context.set_text_baseline(match style.anchor().v_pos {
            VPos::Top => "top",
            VPos::Center => "middle",
            VPos::Bottom => "bottom",
        });
        context.set_fill_style_str(&format!("rgba({r},{g},{b},{alpha})"));
        let (weight, size) = (style.style(), css(style.size()));
        context.set_font(&format!(
            "{} {size}px {}",
            weight.as_str(),
            style.family().as_str()
        ));
        let _ = context.fill_text(text, 0.0, 0.0);
        context.restore();
        Ok(())
    }

    /// Pixel for pixel, at the nearest whole pixel.
    fn blit_bitmap(
        &mut self,
        at: BackendCoord,
        (width, height): (u32, u32),
        rgb: &[u8],
    ) -> Outcome {
        let mut bytes = self.scratch.borrow_mut();
        bytes.resize(4 * width as usize * height as usize, 255);
        for (to, from) in bytes.chunks_exact_mut(4).zip(rgb.chunks_exact(3)) {
            to[..3].copy_from_slice(from);
            to[3] = 255;
        }
        let pixel = |v: i32| (f64::from(v) / self.frame.units * self.frame.pixels).round();
        // An image of no size is refused; there is nothing to draw then.
        if let Ok(image) =
            ImageData::new_with_u8_clamped_array_and_sh(Clamped(&bytes), width, height)
        {
            let _ = self
                .context
                .put_image_data(&image, pixel(at.0), pixel(at.1));
        }
        Ok(())
    }
}
