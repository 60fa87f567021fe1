#![doc = include_str!("../README.md")]

mod alibi;
mod angle;
#[cfg(test)]
mod close;
mod double_double;
mod f64x2;
mod frequency;
mod graph;
mod head;
mod info;
mod layout;
mod learned;
mod matrix;
mod mrope;
mod none;
mod offset_fit;
mod patch_grid;
mod pixels;
mod quad;
mod raster;
mod registry;
mod rope;
mod rope_scaling;
mod rows;
mod simulated_table;
mod sinusoidal;
mod t5;
mod table;
mod transformer_xl;
mod whisper;

pub use alibi::{alibi_bias, alibi_slopes, alibi_window};
pub use angle::{sin_cos, within_half_turns, within_turn};
pub use graph::{Graph, collisions};
pub use head::{AttentionHead, HeadConfig, OffsetLogit, logit_map, offset_curve};
pub use info::{EncodingInfo, ModelSize, Operation, PositionSignal, Target};
pub use layout::{Column, Layout, Member};
pub use learned::{GridAlignment, Learned, resize_grid};
pub use matrix::Matrix;
pub use mrope::{
    FRAMES_PER_STEP, MROPE_BASE, MROPE_D_HEAD, MROPE_SECTIONS, Mrope, MropeAxis, MropePosition,
    MropeToken, Segment, VideoClock, mrope_positions, seconds_per_step,
};
pub use offset_fit::{FitScore, OffsetFit};
pub use patch_grid::{PatchGrid, cosine_similarities};
pub use pixels::{paint, paint_angles, same_bytes, with_opacity};
pub use raster::{Raster, snaps_to_pairs};
pub use registry::Encoding;
pub use rope::{Pairing, Rope};
pub use rope_scaling::{
    LLAMA3_TURNS, PairScaling, RopeContext, RopeScaling, ScaledFrequencies, YARN_TURNS, YarnRamp,
};
pub use simulated_table::SimulatedTable;
pub use sinusoidal::{MAX_D_MODEL, MAX_LEN, Sinusoidal};
pub use t5::{BucketDistances, T5_BUCKETS, T5_MAX_DISTANCE, T5Buckets, t5_bucket};
pub use table::{NoTable, PositionTable, TableConfig};
pub use transformer_xl::{RelativeShift, TransformerXl, XlTerms};
pub use whisper::{WhisperComponents, await_whisper};
