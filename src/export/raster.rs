//! SVG as pixels: drawn by resvg, with the fonts of the system.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use std::sync::Arc;

/// What `sans-serif` and `monospace` are where a system has them, the first that is there.
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

/// A picture: three bytes a pixel, row by row from the top.
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

    /// The same on a larger sheet, which has the colour of the corner at the lower left.
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

    /// As a PNG file.
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

/// What draws SVG. The fonts are looked for once.
pub struct Rasterizer(Options<'static>);

impl Rasterizer {
    /// `None` where the system has no fonts: all words would be left out.
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

    /// The picture at one pixel to a CSS pixel. `None` for what it cannot draw: no SVG, or one with MathML in it.
    pub fn draw(&self, svg: &str) -> Option<Pixels> {
        if svg.contains("<foreignObject") {
            return None;
        }
        let tree = Tree::from_str(svg, &self.0).ok()?;
        let size = tree.size().to_int_size();
        let mut pixmap = Pixmap::new(size.width(), size.height())?;
        resvg::render(&tree, Transform::identity(), &mut pixmap.as_mut());
        // Every figure fills its background: nothing shows through.
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
