//! Caches images on separate canvases: the browser scales a canvas faster than the pixels could be copied.

use super::dom::el;
use crate::draw::Image;
use posenc_encoding::{same_bytes, with_opacity};
use wasm_bindgen::{Clamped, JsCast};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageData};

/// Encodes an image of `size` columns and rows as a PNG data URL, for embedding in SVG; `None` for an empty image or
/// without a 2D context.
pub fn data_address(size: (u32, u32), rgb: &[u8]) -> Option<String> {
    // The default size of a canvas is larger than most images.
    let canvas: HtmlCanvasElement = el("canvas").cast();
    canvas.set_width(size.0);
    canvas.set_height(size.1);
    let mut image = CachedImage {
        copy: Some((canvas, false)),
        ..CachedImage::default()
    };
    image.take(size, rgb);
    image.copy()?.to_data_url().ok()
}

/// The images of the last drawing in drawing order. Most are unchanged in the next drawing.
#[derive(Default)]
pub(super) struct ImageCache {
    images: Vec<CachedImage>,
    /// Number of images that the current drawing has used so far.
    drawn: usize,
}

impl ImageCache {
    /// A canvas with the next image of the drawing; `None` for an empty image.
    pub(super) fn copy(&mut self, image: &Image) -> Option<HtmlCanvasElement> {
        if self.drawn == self.images.len() {
            self.images.push(CachedImage::default());
        }
        let cached = &mut self.images[self.drawn];
        self.drawn += 1;
        cached.take(image.size, image.rgb);
        cached.copy()
    }

    pub(super) fn end_drawing(&mut self) {
        self.images.truncate(std::mem::take(&mut self.drawn));
    }
}

/// An image on a canvas from which it is drawn. An unchanged image is not copied again.
#[derive(Default)]
struct CachedImage {
    size: (u32, u32),
    rgb: Vec<u8>,
    /// The image with an alpha channel, as canvases need it.
    rgba: Vec<u8>,
    /// The canvas, and whether it has the current image.
    copy: Option<(HtmlCanvasElement, bool)>,
}

impl CachedImage {
    fn take(&mut self, size: (u32, u32), rgb: &[u8]) {
        if self.size == size && same_bytes(&self.rgb, rgb) {
            return;
        }
        self.size = size;
        self.rgb.clear();
        self.rgb.extend_from_slice(rgb);
        self.rgba.resize(4 * (rgb.len() / 3), 255);
        with_opacity(rgb, &mut self.rgba);
        if let Some((_, fresh)) = &mut self.copy {
            *fresh = false;
        }
    }

    /// `None` for an empty image.
    fn data(&self) -> Option<ImageData> {
        let (width, height) = self.size;
        ImageData::new_with_u8_clamped_array_and_sh(Clamped(&self.rgba), width, height).ok()
    }

    /// The canvas with the current image, which is copied to it if it has changed.
    fn copy(&mut self) -> Option<HtmlCanvasElement> {
        let (canvas, fresh) = match self.copy.take() {
            Some(copy) => copy,
            None => (el("canvas").cast(), false),
        };
        if !fresh {
            // The canvas never shrinks, since a change of its size reallocates its memory.
            if canvas.width() < self.size.0 || canvas.height() < self.size.1 {
                canvas.set_width(canvas.width().max(self.size.0));
                canvas.set_height(canvas.height().max(self.size.1));
            }
            let context: CanvasRenderingContext2d =
                canvas.get_context("2d").ok()??.dyn_into().ok()?;
            context.put_image_data(&self.data()?, 0.0, 0.0).ok()?;
        }
        self.copy = Some((canvas.clone(), true));
        Some(canvas)
    }
}
