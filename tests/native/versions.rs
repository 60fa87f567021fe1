//! The version number in Cargo.toml is the same everywhere. The npm package and the wheel are made from it, which
//! `tests/web/release.test.mjs` checks.

use std::fs;

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn everything_has_the_version_of_the_workspace() {
    let workspace = read("Cargo.toml");
    let (_, package) = workspace.split_once("[workspace.package]").unwrap();
    let version = package
        .lines()
        .find_map(|line| line.strip_prefix("version = "));
    let version = version.unwrap().trim_matches('"');
    assert_eq!(version, env!("CARGO_PKG_VERSION"));
    for path in [
        "Cargo.toml",
        "crates/encoding/Cargo.toml",
        "crates/inspect/Cargo.toml",
        "crates/lab/Cargo.toml",
        "crates/sort/Cargo.toml",
        "crates/xz/Cargo.toml",
    ] {
        let text = read(path);
        let (_, package) = text.split_once("[package]\n").unwrap();
        let package = package.split("\n[").next().unwrap();
        assert!(package.contains("version.workspace = true\n"), "{path}");
        let own = text.lines().filter(|line| line.starts_with("posenc-"));
        assert!(own.clone().all(|line| !line.contains("version")), "{path}");
    }
    let lock = read("Cargo.lock");
    for name in [
        "posenc",
        "posenc-encoding",
        "posenc-inspect",
        "posenc-lab",
        "posenc-sort",
        "posenc-xz",
    ] {
        let entry = format!("name = \"{name}\"\nversion = \"{version}\"\n");
        assert!(lock.contains(&entry), "{name} in Cargo.lock");
    }
    let citation = read("CITATION.cff");
    let cited: Vec<_> = citation
        .lines()
        .filter(|line| line.starts_with("version:"))
        .collect();
    assert_eq!(cited, [format!("version: {version}")]);
    assert!(
        read("CHANGELOG.md").contains(&format!("\n## {version}\n")),
        "CHANGELOG.md has no {version}"
    );
}

#[test]
fn workflows_take_actions_at_commits() {
    for name in ["pages.yml", "release.yml"] {
        let text = read(&format!(".github/workflows/{name}"));
        let uses: Vec<_> = text
            .lines()
            .filter_map(|line| line.split_once("uses: "))
            .collect();
        assert!(!uses.is_empty());
        for (_, action) in uses {
            let commit = action.split(['@', ' ']).nth(1).unwrap();
            let is_hex = commit.chars().all(|c| c.is_ascii_hexdigit());
            assert!(
                commit.len() == 40 && is_hex && action.contains(" # v"),
                "{name}: {action}"
            );
        }
        // The scripts that they run exist.
        for script in text.split("scripts/").skip(1) {
            let file = script.split([' ', ';', '\n', '\'']).next().unwrap();
            assert!(
                fs::metadata(format!("scripts/{file}")).is_ok(),
                "{name}: scripts/{file}"
            );
        }
    }
}
