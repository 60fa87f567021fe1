pub mod lab;
pub mod learned;
pub mod patches;
pub mod trained;
pub mod whisper;
