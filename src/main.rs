//! In a browser, the page. Elsewhere, its figures and tables as files.

#[cfg(target_arch = "wasm32")]
fn main() {
    posenc::web::start();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    posenc::cli::run(std::env::args_os())
}
