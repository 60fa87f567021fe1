//! In a browser, the bench. Elsewhere, for now, nothing but a word on where to find it.

#[cfg(target_arch = "wasm32")]
fn main() {
    posenc::web::start();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    eprintln!("posenc runs in a browser: `scripts/serve` builds it and serves it on localhost");
}
