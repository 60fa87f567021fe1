//! The entry point: starts the page in a browser, and runs the command line on other platforms.

#[cfg(target_arch = "wasm32")]
fn main() {
    posenc::web::start();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    posenc::cli::run(std::env::args_os())
}
