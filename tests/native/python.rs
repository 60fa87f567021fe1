//! Runs Python in tests that compare Rust with it.

use std::env;
use std::io::{self, Write};
use std::process::{Command, Stdio};

/// Runs Python code in the folder of the lesson's code, with a Python that has this module; returns `None` without one,
/// except that a needed module must exist in continuous integration.
pub fn python(module: &str, needed: bool, code: &str) -> Option<String> {
    let has_module = |python: &String| {
        Command::new(python)
            .args(["-c", &format!("import {module}")])
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    };
    // Debian's own Python has Debian's packages, even if another is first on the path.
    let known = ["python3", "/usr/bin/python3"].map(String::from);
    let python = env::var("PYTHON").into_iter().chain(known).find(has_module);
    let Some(python) = python else {
        assert!(
            !needed || env::var_os("CI").is_none(),
            "no Python with {module}"
        );
        // Not with eprintln, whose output the test harness captures.
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
