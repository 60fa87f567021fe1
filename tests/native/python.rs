//! Python, for tests that hold Rust against it.

use std::env;
use std::io::{self, Write};
use std::process::{Command, Stdio};

/// Runs Python code beside the code that the lesson shows, if there is a Python that has this module; where tests must not be skipped,
/// its absence is a failure.
pub fn python(module: &str, needed: bool, code: &str) -> Option<String> {
    let has_module = |python: &String| {
        Command::new(python)
            .args(["-c", &format!("import {module}")])
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    };
    // Debian's own knows Debian's packages, whichever comes first on the path.
    let known = ["python3", "/usr/bin/python3"].map(String::from);
    let python = env::var("PYTHON").into_iter().chain(known).find(has_module);
    let Some(python) = python else {
        assert!(
            !needed || env::var_os("CI").is_none(),
            "no Python with {module}"
        );
        // Not by eprintln, which the test harness keeps to itself.
        let _ = writeln!(io::stderr(), "SKIPPED: no Python with {module}");
        return None;
    };
    let output = Command::new(python)
        .args(["-c", code])
        .current_dir("static/code")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    Some(String::from_utf8(output.stdout).unwrap())
}
