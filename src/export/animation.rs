//! Animations: GIF, with at most 256 colours, and APNG, with all colours. Both repeat for ever.

use super::raster::Pixels;
use color_quant::NeuQuant;
use std::collections::HashMap;

/// The number of colours of a palette; one more index marks pixels that have not changed.
const COLOURS: usize = 255;
/// The number of the most frequent colours that are kept exactly if there are more colours than the palette has.
const KEPT: usize = 128;

/// Frames of one size, each shown for the same time.
pub struct Animation {
    frames: Vec<Pixels>,
    /// The duration of a frame, in milliseconds.
    delay: u16,
}

impl Animation {
    /// `None` if there are no frames. Smaller frames are extended to the largest width and height.
    pub fn new(frames: Vec<Pixels>, delay: u16) -> Option<Animation> {
        let width = frames.iter().map(|frame| frame.width).max()?;
        let height = frames.iter().map(|frame| frame.height).max()?;
        let same = |frame: Pixels| match (frame.width, frame.height) == (width, height) {
            true => frame,
            false => frame.on_sheet(width, height),
        };
        let frames = frames.into_iter().map(same).collect();
        Some(Animation { frames, delay })
    }

    /// Encodes a GIF. Its delays are rounded to hundredths of a second.
    pub fn gif(&self) -> Result<Vec<u8>, gif::EncodingError> {
        let (palette, indices) = palette(&self.frames);
        let [width, height] = [self.frames[0].width, self.frames[0].height].map(|v| v as u16);
        let mut bytes = Vec::new();
        let mut encoder = gif::Encoder::new(&mut bytes, width, height, &palette)?;
        encoder.set_repeat(gif::Repeat::Infinite)?;
        let same = (palette.len() / 3) as u8;
        let mut before: Vec<u8> = Vec::new();
        for frame in &self.frames {
            let now: Vec<u8> = frame.colours().map(|colour| indices[&colour]).collect();
            let changed = match before.is_empty() {
                true => now.clone(),
                false => now
                    .iter()
                    .zip(&before)
                    .map(|(now, before)| if now == before { same } else { *now })
                    .collect(),
            };
            let transparent = (!before.is_empty()).then_some(same);
            let mut frame = gif::Frame::from_indexed_pixels(width, height, changed, transparent);
            frame.delay = (self.delay + 5) / 10;
            frame.dispose = gif::DisposalMethod::Keep;
            encoder.write_frame(&frame)?;
            before = now;
        }
        drop(encoder);
        Ok(bytes)
    }

    /// Encodes an APNG. Programs that do not support APNG show the first frame as a PNG.
    pub fn apng(&self) -> Result<Vec<u8>, png::EncodingError> {
        let first = &self.frames[0];
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, first.width, first.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_animated(self.frames.len() as u32, 0)?;
        encoder.set_frame_delay(self.delay, 1000)?;
        let mut writer = encoder.write_header()?;
        for frame in &self.frames {
            writer.write_image_data(&frame.rgb)?;
        }
        writer.finish()?;
        Ok(bytes)
    }
}

/// One palette for all frames, so that no colour flickers, and the index in it for each of their colours.
fn palette(frames: &[Pixels]) -> (Vec<u8>, HashMap<[u8; 3], u8>) {
    let mut counts: HashMap<[u8; 3], u32> = HashMap::new();
    for colour in frames.iter().flat_map(Pixels::colours) {
        let count = counts.entry(colour).or_default();
        *count = count.saturating_add(1);
    }
    let mut colours: Vec<_> = counts.into_iter().collect();
    colours.sort_by_key(|(colour, count)| (std::cmp::Reverse(*count), *colour));
    let mut palette: Vec<[u8; 3]> = colours.iter().map(|(colour, _)| *colour).collect();
    if palette.len() > COLOURS {
        palette.truncate(KEPT);
        let rest = colours[KEPT..].iter().flat_map(|([r, g, b], count)| {
            let weight = count.ilog2() as usize + 1;
            std::iter::repeat_n([*r, *g, *b, 255], weight).flatten()
        });
        let quantizer = NeuQuant::new(1, COLOURS - KEPT, &rest.collect::<Vec<u8>>());
        palette.extend(
            quantizer
                .color_map_rgb()
                .chunks_exact(3)
                .map(|c| [c[0], c[1], c[2]]),
        );
    }
    let indices = colours.iter().map(|(colour, _)| {
        let distance = |other: &[u8; 3]| -> i32 {
            let differences = colour.iter().zip(other);
            differences
                .map(|(a, b)| (i32::from(*a) - i32::from(*b)).pow(2))
                .sum()
        };
        let nearest = palette
            .iter()
            .enumerate()
            .min_by_key(|(_, other)| distance(other));
        (*colour, nearest.map_or(0, |(index, _)| index as u8))
    });
    let indices = indices.collect();
    (palette.concat(), indices)
}
