//! The interaction of the bench, without a browser.

pub mod gestures;
