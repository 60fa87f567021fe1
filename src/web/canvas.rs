//! The canvas backend of plotters with finer coordinates and faster drawing: points have fractions of a pixel, images
//! are drawn directly on the canvas, and text keeps its nominal size.

use super::image_cache::ImageCache;
use super::style_strings::{Context, Rgba, StyleStrings};
use crate::draw::{Backend, Frame, Image, Pen};
use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{FontStyle, FontTransform, ShapeStyle, TextStyle};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use plotters_canvas::CanvasBackend;
use std::cell::RefCell;
use std::f64::consts::TAU;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

/// Backend units per CSS pixel. Plotters places points on whole units; an eighth of a pixel is finer than the eye resolves.
const UNITS: f64 = 8.0;
/// Maximum side of a canvas on the screen, in canvas pixels: beyond their limits browsers show an empty canvas without
/// an error.
const LONGEST_SIDE: f64 = 4096.0;
const HIGHEST_RATIO: f64 = 3.0;
/// Maximum number of pixels of a saved picture's canvas: phones show nothing on a larger one.
const LARGEST_AREA: f64 = 16_777_216.0;

/// A canvas element, its 2D context and its caches.
pub struct Surface {
    canvas: HtmlCanvasElement,
    context: Context,
    backend: Rc<RefCell<CanvasBackend>>,
    images: Rc<RefCell<ImageCache>>,
    strings: Rc<RefCell<StyleStrings>>,
    /// CSS font families that replace the default ones; `None` for the default.
    pub family: Option<Rc<str>>,
}

impl Surface {
    /// `None` if the browser provides no 2D context.
    pub fn new(canvas: HtmlCanvasElement) -> Option<Surface> {
        let context = canvas.get_context("2d").ok()??;
        let context: CanvasRenderingContext2d = context.dyn_into().ok()?;
        let backend = CanvasBackend::with_canvas_object(canvas.clone())?;
        Some(Surface {
            canvas,
            context: context.unchecked_into(),
            backend: Rc::new(RefCell::new(backend)),
            images: Rc::default(),
            strings: Rc::default(),
            family: None,
        })
    }

    pub fn canvas(&self) -> &HtmlCanvasElement {
        &self.canvas
    }

    /// Sets the canvas size in pixels to that of the frame.
    pub fn resize(&self, frame: Frame) {
        let pixels = |v: f64| (v * frame.pixels).round() as u32;
        let (width, height) = (pixels(frame.width), pixels(frame.height));
        if (self.canvas.width(), self.canvas.height()) != (width, height) {
            self.canvas.set_width(width);
            self.canvas.set_height(height);
        }
    }

    /// Clears the canvas and calls `draw` with a pen for it.
    pub fn draw(&self, frame: Frame, draw: impl FnOnce(&Pen)) {
        let (width, height) = (
            f64::from(self.canvas.width()),
            f64::from(self.canvas.height()),
        );
        // Does not fail for finite numbers.
        let _ = self.context.set_transform(1.0, 0.0, 0.0, 1.0, 0.0, 0.0);
        self.context.clear_rect(0.0, 0.0, width, height);
        self.context.set_line_join("round");
        // Text does not inherit the direction of the page.
        self.context.set_direction("ltr");
        let backend = Canvas {
            backend: self.backend.clone(),
            context: self.context.clone(),
            images: self.images.clone(),
            strings: self.strings.clone(),
            family: self.family.clone(),
            frame,
            set: Settings::default(),
        };
        draw(&Pen::new(backend, frame));
        self.images.borrow_mut().end_drawing();
    }
}

/// The frame of a figure with this size in CSS pixels on a screen with this device pixel ratio.
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

/// The frame of a saved figure at `scale` pixels per CSS pixel, or at the largest scale that a canvas supports.
pub fn saved_frame(width: f64, height: f64, scale: f64) -> Frame {
    let most = (LARGEST_AREA / (width * height).max(1.0)).sqrt();
    Frame {
        width,
        height,
        pixels: if scale > 0.0 { scale.min(most) } else { 1.0 },
        units: UNITS,
    }
}

/// The plotters backend that draws on a canvas.
pub struct Canvas {
    backend: Rc<RefCell<CanvasBackend>>,
    context: Context,
    images: Rc<RefCell<ImageCache>>,
    strings: Rc<RefCell<StyleStrings>>,
    family: Option<Rc<str>>,
    frame: Frame,
    /// The last values written to the context, where known: setting a property takes longer than drawing.
    set: Settings,
}

#[derive(Default)]
struct Settings {
    fill: Option<Rgba>,
    stroke: Option<Rgba>,
    /// In backend units.
    line_width: Option<u32>,
    align: Option<&'static str>,
    baseline: Option<&'static str>,
    /// Style and size in CSS pixels; all text has the same family.
    font: Option<(String, f64)>,
    space: Option<Space>,
}

#[derive(Clone, Copy, PartialEq)]
enum Space {
    Shapes,
    Text,
    Pixels,
}

impl Canvas {
    fn set_fill(&mut self, BackendColor { rgb, alpha }: BackendColor) {
        let wanted = (rgb, alpha);
        if self.set.fill.replace(wanted) != Some(wanted) {
            let mut strings = self.strings.borrow_mut();
            self.context.set_fill_string(strings.colour(wanted));
        }
    }

    fn set_stroke<S: BackendStyle>(&mut self, style: &S) {
        let BackendColor { rgb, alpha } = style.color();
        let wanted = (rgb, alpha);
        if self.set.stroke.replace(wanted) != Some(wanted) {
            let mut strings = self.strings.borrow_mut();
            self.context.set_stroke_string(strings.colour(wanted));
        }
        let width = style.stroke_width();
        if self.set.line_width.replace(width) != Some(width) {
            self.context.set_line_width(f64::from(width));
        }
    }

    /// Adds a subpath through the points to the current path.
    fn trace(&self, points: impl IntoIterator<Item = BackendCoord>) {
        for (index, (x, y)) in points.into_iter().enumerate() {
            match index {
                0 => self.context.move_to(f64::from(x), f64::from(y)),
                _ => self.context.line_to(f64::from(x), f64::from(y)),
            }
        }
    }

    /// Adds a circle to the current path as a separate subpath.
    fn trace_circle(&self, (x, y): BackendCoord, radius: u32) {
        let (x, y, radius) = (f64::from(x), f64::from(y), f64::from(radius));
        self.context.move_to(x + radius, y);
        // Fails only for negative radii.
        let _ = self.context.arc(x, y, radius, 0.0, TAU);
    }

    /// Fills the current path or strokes it.
    fn paint<S: BackendStyle>(&mut self, style: &S, fill: bool) {
        match fill {
            true => {
                self.set_fill(style.color());
                self.context.fill();
            }
            false => {
                self.set_stroke(style);
                self.context.stroke();
            }
        }
    }

    fn set_anchor(&mut self, h: HPos, v: VPos) {
        let align = match h {
            HPos::Left => "left",
            HPos::Right => "right",
            HPos::Center => "center",
        };
        let baseline = match v {
            VPos::Top => "top",
            VPos::Center => "middle",
            VPos::Bottom => "bottom",
        };
        if self.set.align.replace(align) != Some(align) {
            self.context.set_text_align(align);
        }
        if self.set.baseline.replace(baseline) != Some(baseline) {
            self.context.set_text_baseline(baseline);
        }
    }

    fn set_font(&mut self, style: FontStyle, size: f64, family: &str) {
        let weight = style.as_str();
        if !matches!(&self.set.font, Some((w, s)) if w == weight && *s == size) {
            let family = self.family.as_deref().unwrap_or(family);
            let mut strings = self.strings.borrow_mut();
            let font = strings.font(style, size, family);
            self.context.set_font_string(font);
            self.set.font = Some((weight.to_string(), size));
        }
    }

    /// Sets the transform for what is drawn next: backend units for shapes, CSS pixels for text, canvas pixels for images.
    fn set_space(&mut self, space: Space) {
        if self.set.space == Some(space) {
            return;
        }
        let scale = match space {
            Space::Shapes => self.frame.pixels / self.frame.units,
            Space::Text => self.frame.pixels,
            Space::Pixels => 1.0,
        };
        // Does not fail for finite numbers.
        let _ = self.context.set_transform(scale, 0.0, 0.0, scale, 0.0, 0.0);
        self.set.space = Some(space);
    }
}

type Outcome = Result<(), DrawingErrorKind<<CanvasBackend as DrawingBackend>::ErrorType>>;

impl DrawingBackend for Canvas {
    type ErrorType = <CanvasBackend as DrawingBackend>::ErrorType;

    fn get_size(&self) -> (u32, u32) {
        let units = |v: f64| (v * self.frame.units).round() as u32;
        (units(self.frame.width), units(self.frame.height))
    }

    fn ensure_prepared(&mut self) -> Outcome {
        self.backend.borrow_mut().ensure_prepared()
    }

    fn present(&mut self) -> Outcome {
        self.backend.borrow_mut().present()
    }

    fn draw_pixel(&mut self, point: BackendCoord, colour: BackendColor) -> Outcome {
        self.set.fill = None;
        self.set_space(Space::Shapes);
        self.backend.borrow_mut().draw_pixel(point, colour)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Outcome {
        (self.set.stroke, self.set.line_width) = (None, None);
        self.set_space(Space::Shapes);
        self.backend.borrow_mut().draw_line(from, to, style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        a: BackendCoord,
        b: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Outcome {
        self.set_space(Space::Shapes);
        let (x, y) = (f64::from(a.0), f64::from(a.1));
        let (width, height) = (f64::from(b.0) - x, f64::from(b.1) - y);
        match fill {
            true => {
                self.set_fill(style.color());
                self.context.fill_rect(x, y, width, height);
            }
            false => {
                self.set_stroke(style);
                self.context.stroke_rect(x, y, width, height);
            }
        }
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Outcome {
        self.set_space(Space::Shapes);
        self.context.begin_path();
        self.trace(path);
        self.paint(style, false);
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Outcome {
        self.set_space(Space::Shapes);
        self.context.begin_path();
        self.trace_circle(centre, radius);
        self.paint(style, fill);
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Outcome {
        self.set_space(Space::Shapes);
        self.context.begin_path();
        self.trace(path);
        self.paint(style, true);
        Ok(())
    }

    /// Drawn in CSS pixels, since browsers choose the optical size of a font by its nominal size.
    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        at: BackendCoord,
    ) -> Outcome {
        let Frame { pixels, units, .. } = self.frame;
        let (x, y) = (f64::from(at.0) / units, f64::from(at.1) / units);
        self.set_fill(style.color());
        self.set_anchor(style.anchor().h_pos, style.anchor().v_pos);
        self.set_font(style.style(), style.size() / units, style.family().as_str());
        // Cosine and sine of the rotation by a multiple of 90°, times the device pixels per CSS pixel.
        let (c, s) = match style.transform() {
            FontTransform::None => {
                self.set_space(Space::Text);
                // Does not fail for finite coordinates.
                let _ = self.context.fill_text(text, x, y);
                return Ok(());
            }
            FontTransform::Rotate90 => (0.0, pixels),
            FontTransform::Rotate180 => (-pixels, 0.0),
            FontTransform::Rotate270 => (0.0, -pixels),
        };
        let _ = self
            .context
            .set_transform(c, s, -s, c, x * pixels, y * pixels);
        let _ = self.context.fill_text(text, 0.0, 0.0);
        self.set.space = None;
        Ok(())
    }
}

impl Backend for Canvas {
    fn measure(&mut self, text: &str, style: &TextStyle) -> Option<f64> {
        let Frame { units, .. } = self.frame;
        self.set_font(style.style(), style.size() / units, style.family().as_str());
        let metrics = self.context.measure_text(text).ok()?;
        Some(metrics.width() * units)
    }

    fn stretch(&mut self, [from, to]: [BackendCoord; 2], image: &Image) -> Outcome {
        let pixel = |v: i32| (f64::from(v) / self.frame.units * self.frame.pixels).round();
        let (x, y) = (pixel(from.0), pixel(from.1));
        let (width, height) = (pixel(to.0) - x, pixel(to.1) - y);
        let copy = self.images.borrow_mut().copy(image);
        if let Some(copy) = copy {
            let part = image.part;
            // Cells have sharp edges; where there are fewer pixels than cells, none of them is left out.
            let reduced = width < part.width || height < part.height;
            self.context.set_image_smoothing_enabled(reduced);
            self.set_space(Space::Pixels);
            // Does not fail for finite numbers and a source canvas that is not empty.
            let _ = self
                .context
                .draw_image_with_html_canvas_element_and_sw_and_sh_and_dx_and_dy_and_dw_and_dh(
                    &copy,
                    part.left,
                    part.top,
                    part.width,
                    part.height,
                    x,
                    y,
                    width,
                    height,
                );
        }
        Ok(())
    }

    fn circles(&mut self, centres: &[BackendCoord], radius: u32, style: &ShapeStyle) -> Outcome {
        self.set_space(Space::Shapes);
        self.context.begin_path();
        for &centre in centres {
            self.trace_circle(centre, radius);
        }
        self.paint(style, style.filled);
        Ok(())
    }

    fn lines(&mut self, points: &[BackendCoord], lengths: &[usize], style: &ShapeStyle) -> Outcome {
        self.set_space(Space::Shapes);
        self.context.begin_path();
        let mut points = points.iter().copied();
        for &length in lengths {
            self.trace(points.by_ref().take(length));
        }
        self.paint(style, false);
        Ok(())
    }
}
