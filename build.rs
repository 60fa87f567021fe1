//! Makes the linker write the location of each constant of the core to `posenc.map` next to the core;
//! `scripts/kit/split.mjs` splits the core by that map.

use std::env::var;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if !var("TARGET").is_ok_and(|target| target.starts_with("wasm32")) {
        return;
    }
    // Cargo sets `OUT_DIR` to build/NAME-HASH/out in the folder of the profile.
    let out = var("OUT_DIR").unwrap_or_default();
    if let Some(profile) = Path::new(&out).ancestors().nth(3) {
        let map = profile.join("posenc.map");
        println!("cargo::rustc-link-arg-bins=-Map={}", map.display());
        println!("cargo::rustc-link-arg-bins=-O0");
    }
}
