//! The tests that run natively, in one program: what they link is linked once.

mod bounds;
mod cli;
#[path = "../../crates/encoding/src/close.rs"]
mod close;
mod code;
mod drawn;
mod encodings;
mod exercise;
mod first_edition;
mod generated;
mod golden;
mod handles;
mod inputs;
mod laws;
mod layers;
mod lesson;
mod narrow;
mod pictures;
mod plurals;
mod python;
mod raster;
mod reading_time;
mod readme;
mod recap;
mod recognition;
mod recording;
mod reference;
mod relatives;
mod safe;
mod settings;
mod snapshots;
mod table;
mod terms;
mod views;
