#![doc = include_str!("../README.md")]

// What all encodings provide: metadata, a table, an attention head; and the list of encodings.
mod head;
mod info;
mod registry;
mod table;

// The encodings, one file each, with their helper modules.
mod alibi;
mod frequency;
mod graph_anchors;
mod layout;
mod learned;
mod mrope;
mod none;
mod patch_grid;
mod rope;
mod rope_scaling;
mod simulated_table;
mod sinusoidal;
mod t5;
mod transformer_xl;
mod whisper;

// The flag of builds whose WebAssembly is split in two.
mod deferred;

// Numerics: accurate angles, matrices, bulk computation of tables, training.
mod angle;
#[cfg(test)]
mod assert_close;
mod double_double;
mod f64x2;
mod four_pairs;
mod matrix;
mod offset_fit;
mod row_kernel;

// Images of tables: colours, and means over cells.
mod pixels;
mod raster;

pub use alibi::{alibi_bias, alibi_slopes, alibi_window};
pub use angle::{sin_cos, wrap_to_2pi, wrap_to_pi};
pub use deferred::{is_deferred, set_deferred};
pub use graph_anchors::{Graph, collisions};
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
pub use pixels::{colour_angles, colour_values, same_bytes, with_opacity};
pub use raster::{HeatmapSampler, snaps_to_pairs};
pub use registry::Encoding;
pub use rope::{Pairing, Rope};
pub use rope_scaling::{
    LLAMA3_FREQ_FACTORS, PairScaling, RopeContext, RopeScaling, ScaledFrequencies, YARN_ALPHA_BETA,
    YarnRamp,
};
pub use simulated_table::SimulatedTable;
pub use sinusoidal::{MAX_D_MODEL, MAX_LEN, Sinusoidal};
pub use t5::{BucketDistances, T5_BUCKETS, T5_MAX_DISTANCE, T5Buckets, t5_bucket};
pub use table::{NoTable, PositionTable, TableConfig, ValueRange};
pub use transformer_xl::{RelativeShift, TransformerXl, XlTerms};
pub use whisper::WhisperComponents;
