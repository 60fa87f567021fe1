//! Images for SVG without a browser's help.

use base64::prelude::{BASE64_STANDARD, Engine};

/// An image as the address of a PNG. See [`Encoder`](super::svg::Encoder).
pub fn data_address((width, height): (u32, u32), rgb: &[u8]) -> Option<String> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header().ok()?.write_image_data(rgb).ok()?;
    Some(format!(
        "data:image/png;base64,{}",
        BASE64_STANDARD.encode(bytes)
    ))
}
