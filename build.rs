//! Has the linker say where each constant of the core lies, in `posenc.map` beside it: `scripts/kit/split.mjs` divides the core by that.

use std::env::var;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if !var("TARGET").is_ok_and(|target| target.starts_with("wasm32")) {
        return;
    }
    // Cargo's folder for a package is build/NAME-HASH/out below that of the profile.
    let out = var("OUT_DIR").unwrap_or_default();
    if let Some(profile) = Path::new(&out).ancestors().nth(3) {
        let map = profile.join("posenc.map");
        println!("cargo::rustc-link-arg-bins=-Map={}", map.display());
        println!("cargo::rustc-link-arg-bins=-O0");
    }
}
