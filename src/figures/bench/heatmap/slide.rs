//! The columns of the heatmap while they slide to another order: every column is drawn where it is, sines above cosines.

use super::brackets::FAINT;
use super::picture::Grid;
use crate::draw::PhaseMap;
use crate::figures::bench::columns::Arrangement;
use crate::figures::bench::view::Scene;
use posenc_encoding::{HeatmapSampler, Member, colour_angles, colour_values};

/// Maximum number of columns per member; of more pairs, several share a column.
const MAX_COLUMNS: usize = 1024;

/// The colours of the sines, the cosines and the angles of all pairs at some positions.
pub(super) struct Columns {
    /// Number of columns of each of the images.
    count: usize,
    rows: usize,
    sines: Vec<u8>,
    cosines: Vec<u8>,
    angles: Vec<u8>,
}

/// A column of an image that a pixel shows.
#[derive(Clone, Copy)]
struct Source<'a> {
    rgb: &'a [u8],
    column: usize,
    /// How far its colours are mixed with that of zero.
    faint: f64,
}

impl Columns {
    /// The columns of sinusoids at the positions of a grid; none of other tables.
    pub(super) fn new(sampler: &mut HeatmapSampler, scene: &Scene, rows: &Grid) -> Columns {
        let [mut sines, mut cosines, mut angles] = [const { Vec::new() }; 3];
        let pairs = scene.model.pairs();
        let count = pairs.min(MAX_COLUMNS);
        if let Some(waves) = &scene.model.waves {
            let all = 0.0..pairs as f64;
            let vectors =
                sampler.render_vectors(waves, rows.cells.clone(), all, count, rows.pixels);
            let (colours, map) = (scene.colours.steps(), PhaseMap::new(scene.theme));
            colour_values(vectors.0, colours, &mut sines);
            colour_values(vectors.1, colours, &mut cosines);
            colour_angles(vectors, map.steps(), PhaseMap::NEUTRAL, &mut angles);
        }
        Columns {
            count,
            rows: rows.pixels,
            sines,
            cosines,
            angles,
        }
    }

    /// Writes the image of the visible columns as they stand, `width` pixels wide.
    pub(super) fn arrange(
        &self,
        scene: &Scene,
        arrangement: Arrangement,
        width: usize,
        rgb: &mut Vec<u8>,
    ) {
        let shown = self.sources(scene, width);
        let zero = scene.colours.colour(0.0);
        rgb.resize(3 * width * self.rows, 0);
        for (row, pixels) in rgb.chunks_exact_mut(3 * width.max(1)).enumerate() {
            for (pixel, source) in pixels.chunks_exact_mut(3).zip(&shown) {
                let Some(Source { rgb, column, faint }) = *source else {
                    pixel.copy_from_slice(&zero);
                    continue;
                };
                let at = 3 * (row * self.count + column);
                for c in 0..3 {
                    let value = mixed(rgb[at + c], self.angles[at + c], arrangement.phase);
                    pixel[c] = mixed(value, zero[c], faint);
                }
            }
        }
    }

    /// The column that each pixel of a row shows, if any.
    fn sources(&self, scene: &Scene, width: usize) -> Vec<Option<Source<'_>>> {
        let model = scene.model;
        let window = model.state.dimensions();
        let pixel = |place: f64| {
            let share = (place - window.start()) / window.width();
            (share * width as f64).round().clamp(0.0, width as f64) as usize
        };
        let per_column = model.pairs() as f64 / self.count as f64;
        let slow = model.slow_pairs().map_or(usize::MAX, |slow| slow.start);
        let faintness = FAINT * model.faintness();
        let mut shown = vec![None; width];
        for (member, rgb) in [(Member::Cosine, &self.cosines), (Member::Sine, &self.sines)] {
            for column in 0..self.count {
                let pair = (column as f64 * per_column) as usize;
                let Some(place) = model.drawn_column(pair, member) else {
                    continue;
                };
                let is_faint = pair >= slow && !model.is_marked(pair);
                let source = Source {
                    rgb,
                    column,
                    faint: if is_faint { faintness } else { 0.0 },
                };
                shown[pixel(place)..pixel(place + per_column)].fill(Some(source));
            }
        }
        shown
    }
}

fn mixed(from: u8, to: u8, share: f64) -> u8 {
    if share == 0.0 {
        return from;
    }
    let (from, to) = (f64::from(from), f64::from(to));
    (from + share * (to - from) + 0.5) as u8
}
