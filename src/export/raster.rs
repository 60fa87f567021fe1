//! Rasterizes SVG with resvg and the fonts of the system.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use std::sync::Arc;

/// The fonts for `sans-serif` and `monospace`, in order of preference; the first installed one is used.
const SANS: &[&str] = &[
    "Noto Sans",
    "DejaVu Sans",
    "Liberation Sans",
    "Arial",
    "Helvetica",
    "Segoe UI",
];
const MONOSPACE: &[&str] = &[
    "Noto Sans Mono",
    "DejaVu Sans Mono",
    "Liberation Mono",
    "Menlo",
    "Consolas",
    "Courier New",
];

/// An RGB image: three bytes per pixel, row by row from the top.
#[derive(Clone, Debug, PartialEq)]
pub struct Pixels {
    pub width: u32,
    pub height: u32,
    pub rgb: Vec<u8>,
}

impl Pixels {
    pub fn colours(&self) -> impl Iterator<Item = [u8; 3]> + '_ {
        self.rgb.chunks_exact(3).map(|c| [c[0], c[1], c[2]])
    }

    /// The image extended to the right and at the bottom, in the colour of its bottom left corner.
    pub(super) fn on_sheet(&self, width: u32, height: u32) -> Pixels {
        let row = self.width as usize * 3;
        let corner = self.rgb.len().saturating_sub(row);
        let colour = self.rgb[corner..].iter().take(3);
        let mut rgb: Vec<u8> = colour
            .copied()
            .cycle()
            .take(width as usize * height as usize * 3)
            .collect();
        for (to, from) in rgb
            .chunks_exact_mut(width as usize * 3)
            .zip(self.rgb.chunks_exact(row))
        {
            to[..row].copy_from_slice(from);
        }
        Pixels { width, height, rgb }
    }

    /// Encodes a PNG file; `None` if encoding fails.
    pub fn png(&self) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder
            .write_header()
            .ok()?
            .write_image_data(&self.rgb)
            .ok()?;
        Some(bytes)
    }
}

/// Rasterizes SVG. The fonts of the system are loaded once.
pub struct Rasterizer(Options<'static>);

impl Rasterizer {
    /// `None` if the system has no fonts: all text would be missing.
    pub fn new() -> Option<Rasterizer> {
        let mut options = Options::default();
        let fonts = Arc::make_mut(&mut options.fontdb);
        fonts.load_system_fonts();
        let any = fonts.faces().next()?.families.first()?.0.clone();
        let first = |names: &[&str]| {
            let has = |name: &&&str| {
                fonts
                    .faces()
                    .any(|face| face.families.iter().any(|(family, _)| family == **name))
            };
            names
                .iter()
                .find(has)
                .map_or(any.clone(), |name| (*name).to_string())
        };
        let (sans, monospace) = (first(SANS), first(MONOSPACE));
        fonts.set_sans_serif_family(sans);
        fonts.set_monospace_family(monospace);
        Some(Rasterizer(options))
    }

    /// Rasterizes an SVG at one pixel per CSS pixel. `None` if it is invalid or contains MathML.
    pub fn draw(&self, svg: &str) -> Option<Pixels> {
        if svg.contains("<foreignObject") {
            return None;
        }
        let tree = Tree::from_str(svg, &self.0).ok()?;
        let size = tree.size().to_int_size();
        let mut pixmap = Pixmap::new(size.width(), size.height())?;
        resvg::render(&tree, Transform::identity(), &mut pixmap.as_mut());
        // Every figure fills its background, so all pixels are opaque.
        let rgb = pixmap
            .data()
            .chunks_exact(4)
            .flat_map(|c| [c[0], c[1], c[2]]);
        Some(Pixels {
            width: size.width(),
            height: size.height(),
            rgb: rgb.collect(),
        })
    }
}
