//! Positional encodings. A crate of its own so that it is compiled for speed, where all else is
//! compiled for size; `posenc` calls it `encoding`.

mod alibi;
mod anchors;
pub mod angle;
mod cells;
#[cfg(test)]
#[path = "../../../src/close.rs"]
mod close;
mod context;
mod double_double;
mod f64x2;
mod frequency;
mod grid;
mod layout;
mod learned;
pub mod matrix;
mod multimodal;
mod none;
mod offset_fit;
pub mod pixels;
mod quad;
mod raster;
mod registry;
mod relative;
mod rope;
mod rows;
mod simulated;
mod sinusoidal;
mod sinusoidal_head;
pub mod t5;
mod table;
mod transformer_xl;

pub use alibi::{alibi_bias, alibi_slopes, alibi_window};
pub use anchors::{Graph, collisions};
pub use cells::{Cells, TableSize};
pub use context::{Context, ContextRule, Fate, LLAMA3_TURNS, Ramp, Stretched, YARN_TURNS};
pub use grid::{PatchGrid, cosines};
pub use layout::{Column, Layout, Member};
pub use learned::{Alignment, Learned, resized};
pub use multimodal::{
    FRAMES_PER_STEP, MROPE_BASE, MROPE_D_HEAD, MROPE_SECTIONS, Mrope, Place, PlaceAxis, Placed,
    Segment, VideoClock, places, seconds_per_step,
};
pub use offset_fit::{FitScore, OffsetFit};
pub use raster::{Raster, snaps_to_pairs};
pub use registry::Encoding;
pub use relative::{
    Bench, Facts, HeadSize, ModelSize, OffsetLogit, Operation, Scheme, Target, logit_map,
    offset_curve,
};
pub use rope::{Pairing, Rope};
pub use simulated::Simulated;
pub use sinusoidal::{MAX_D_MODEL, MAX_LEN, Sinusoidal};
pub use t5::{Distances, T5};
pub use transformer_xl::{RelativeShift, TransformerXl, XlTerms};
