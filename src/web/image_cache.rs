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
    let mut image = CachedImage {
        copy: ImageCanvas::new(size),
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
    copy: Option<ImageCanvas>,
    /// The canvas has the current image.
    is_copied: bool,
}

/// A canvas for an image.
struct ImageCanvas {
    canvas: HtmlCanvasElement,
    context: CanvasRenderingContext2d,
    size: (u32, u32),
}

impl ImageCanvas {
    /// `None` without a 2D context.
    fn new(size: (u32, u32)) -> Option<ImageCanvas> {
        let canvas: HtmlCanvasElement = el("canvas").cast();
        let context = canvas.get_context("2d").ok()??.dyn_into().ok()?;
        let mut copy = ImageCanvas {
            canvas,
            context,
            size: (0, 0),
        };
        copy.grow(size);
        Some(copy)
    }

    /// Makes room for an image. The canvas never shrinks, since a change of its size reallocates its memory.
    fn grow(&mut self, (width, height): (u32, u32)) {
        if self.size.0 < width || self.size.1 < height {
            self.size = (self.size.0.max(width), self.size.1.max(height));
            self.canvas.set_width(self.size.0);
            self.canvas.set_height(self.size.1);
        }
    }
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
        self.is_copied = false;
    }

    /// `None` for an empty image.
    fn data(&self) -> Option<ImageData> {
        let (width, height) = self.size;
        ImageData::new_with_u8_clamped_array_and_sh(Clamped(&self.rgba), width, height).ok()
    }

    /// The canvas with the current image, which is copied to it if it has changed.
    fn copy(&mut self) -> Option<HtmlCanvasElement> {
        if !self.is_copied {
            let data = self.data()?;
            if self.copy.is_none() {
                self.copy = ImageCanvas::new(self.size);
            }
            let copy = self.copy.as_mut()?;
            copy.grow(self.size);
            copy.context.put_image_data(&data, 0.0, 0.0).ok()?;
            self.is_copied = true;
        }
        self.copy.as_ref().map(|copy| copy.canvas.clone())
    }
}
