//! Files of `src` do not import each other in a cycle. A folder's `mod.rs` and the files of the folder may name each other,
//! and what `mod.rs` exports again counts as imported from the file that defines it. Unit tests are left out.

use crate::layers::sources;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Cycles that may exist, each among the files of these names or in the folders of these names.
const ALLOWED: [&[&str]; 3] = [
    // The limits of a declared field are functions of values, which are the values of declared fields.
    &["field/declaration", "field/value", "field/values"],
    &["web/bench"],
    &["web/figure"],
];

/// The names from the root of the crate to a module; that of `src/a/mod.rs` is `a`.
type Module = Vec<String>;

#[derive(Default)]
struct File {
    /// What `use` imports: the name in this file, and the path.
    imports: Vec<(String, Vec<String>)>,
    /// All other paths of more than one name.
    paths: Vec<Vec<String>>,
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Names, `::` and single characters.
fn tokens(code: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            c if is_part(c) => rest.find(|c| !is_part(c)).unwrap_or(rest.len()),
            _ if rest.starts_with("::") => 2,
            c => c.len_utf8(),
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

impl File {
    fn new(code: &str) -> File {
        let code = code.split("#[cfg(test)]\nmod tests").next().unwrap();
        let lines = code.lines().map(|line| line.split("//").next().unwrap());
        let code = lines.collect::<Vec<_>>().join("\n");
        let mut rest = &tokens(&code)[..];
        let mut file = File::default();
        while let Some((first, after)) = rest.split_first() {
            let next = after.first().copied().unwrap_or_default();
            rest = after;
            if *first == "use" && (is_name(next) || next == "{") {
                file.import(&mut rest, &[]);
            } else if is_name(first) && next == "::" {
                let mut path = vec![first.to_string()];
                while let ["::", name, ..] = rest
                    && is_name(name)
                {
                    path.push(name.to_string());
                    rest = &rest[2..];
                }
                file.paths.push(path);
            }
        }
        file
    }

    /// Reads a tree of imports below a path.
    fn import(&mut self, rest: &mut &[&str], above: &[String]) {
        if rest[0] == "{" {
            while rest[0] != "}" {
                *rest = &rest[1..];
                if rest[0] != "}" {
                    self.import(rest, above);
                }
            }
            *rest = &rest[1..];
            return;
        }
        let path = [above, &[rest[0].to_string()]].concat();
        *rest = &rest[1..];
        match *rest {
            ["::", ..] => {
                *rest = &rest[1..];
                self.import(rest, &path);
            }
            ["as", name, ..] => {
                self.imports.push((name.to_string(), path));
                *rest = &rest[2..];
            }
            _ => {
                // `a::{self}` is `a`.
                let end = path.iter().rposition(|name| name != "self");
                let path = path[..end.map_or(1, |end| end + 1)].to_vec();
                self.imports.push((path[path.len() - 1].clone(), path));
            }
        }
    }
}

struct Files(BTreeMap<Module, File>);

impl Files {
    fn of_src() -> Files {
        let files = sources(Path::new("src")).into_iter().map(|path| {
            let module = path.strip_prefix("src").unwrap().with_extension("");
            let mut module: Module = module
                .iter()
                .map(|name| name.to_str().unwrap().to_string())
                .collect();
            if ["mod", "lib"].contains(&&*module[module.len() - 1]) {
                module.pop();
            }
            (module, File::new(&fs::read_to_string(path).unwrap()))
        });
        Files(files.collect())
    }

    fn child(&self, module: &[String], name: &String) -> Option<Module> {
        let child = [module, std::slice::from_ref(name)].concat();
        self.0.contains_key(&child).then_some(child)
    }

    /// What a file imports under a name, if it comes from the crate.
    fn imported(&self, module: &[String], name: &String) -> Option<&[String]> {
        let imports = &self.0.get(module)?.imports;
        let found = imports.iter().find(|(known, path)| {
            let is_local = ["crate", "self", "super"].contains(&&*path[0]);
            known == name && (is_local || self.child(module, &path[0]).is_some())
        });
        found.map(|(_, path)| &path[..])
    }

    /// The file that defines what a path in a file names; `None` if it is outside the crate.
    fn definition(&self, module: &[String], path: &[String]) -> Option<Module> {
        let supers = path.iter().take_while(|name| *name == "super").count();
        let (mut at, mut rest) = match &*path[0] {
            "crate" => (Vec::new(), &path[1..]),
            "self" => (module.to_vec(), &path[1..]),
            "super" => (module[..module.len() - supers].to_vec(), &path[supers..]),
            _ if self.child(module, &path[0]).is_some() => (module.to_vec(), path),
            _ => {
                let import = self.imported(module, &path[0])?;
                return self.definition(module, &[import, &path[1..]].concat());
            }
        };
        while let Some((name, after)) = rest.split_first() {
            if name == "*" {
                break;
            } else if let Some(child) = self.child(&at, name) {
                (at, rest) = (child, after);
            } else if let Some(import) = self.imported(&at, name) {
                return self.definition(&at, &[import, after].concat());
            } else {
                break;
            }
        }
        Some(at)
    }

    /// The files that each file names, except files that contain it or are in its folder.
    fn edges(&self) -> BTreeMap<String, BTreeSet<String>> {
        let edges = self.0.iter().map(|(module, file)| {
            let imports = file.imports.iter().map(|(_, path)| path);
            let named = imports.chain(&file.paths);
            let named = named.filter_map(|path| self.definition(module, path));
            let others =
                named.filter(|other| !other.starts_with(module) && !module.starts_with(other));
            (
                module.join("/"),
                others.map(|other| other.join("/")).collect(),
            )
        });
        edges.collect()
    }
}

/// Some cycle along edges that are kept, from a file back to itself.
fn cycle(
    edges: &BTreeMap<String, BTreeSet<String>>,
    keep: impl Fn(&str, &str) -> bool,
) -> Option<Vec<&str>> {
    /// Follows the edges from the end of a path; `done` are files from which no cycle is reached.
    fn follow<'a>(
        edges: &'a BTreeMap<String, BTreeSet<String>>,
        keep: &impl Fn(&str, &str) -> bool,
        path: &mut Vec<&'a str>,
        done: &mut BTreeSet<&'a str>,
    ) -> Option<Vec<&'a str>> {
        let from = path[path.len() - 1];
        let edges_from = edges[from].iter().map(String::as_str);
        for to in edges_from.filter(|to| keep(from, to)) {
            let before = path.iter().position(|name| *name == to);
            if !done.contains(to) {
                path.push(to);
                if let Some(start) = before {
                    return Some(path[start..].to_vec());
                }
                if let Some(found) = follow(edges, keep, path, done) {
                    return Some(found);
                }
                path.pop();
            }
        }
        done.insert(from);
        None
    }
    let mut done = BTreeSet::new();
    let mut files = edges.keys();
    files.find_map(|start| follow(edges, &keep, &mut vec![start.as_str()], &mut done))
}

#[test]
fn there_is_no_import_cycle_between_files() {
    let edges = Files::of_src().edges();
    assert!(edges.values().map(BTreeSet::len).sum::<usize>() > 1000);
    let within = |group: &[&str], file: &str| {
        let is_of = |name: &&str| {
            file.strip_prefix(name)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        group.iter().any(is_of)
    };
    let both = |group: &[&str], from: &str, to: &str| within(group, from) && within(group, to);
    let found = cycle(&edges, |from, to| {
        !ALLOWED.iter().any(|group| both(group, from, to))
    });
    let found = found.map(|found| found.join(" → "));
    assert_eq!(found, None, "move what one of these files needs");
    for group in ALLOWED {
        let found = cycle(&edges, |from, to| both(group, from, to));
        assert!(found.is_some(), "{group:?} has no cycle: do not allow one");
    }
}

#[test]
fn a_cycle_through_what_a_folder_exports_is_found() {
    let files = [
        ("", "mod a; mod b;"),
        (
            "a",
            "mod c; mod d; pub use c::{C, other::*}; fn f() { d::g() }",
        ),
        ("a/c", "use crate::b; // use super::d;\nfn f() -> b::B {}"),
        (
            "a/d",
            "use super::C as D;\n#[cfg(test)]\nmod tests { use crate::b::B; }",
        ),
        ("b", "use std::fmt; use {crate::a::d::{self, E}};"),
    ];
    let file = |(module, code): (&str, &str)| {
        let names = module.split('/').filter(|name| !name.is_empty());
        (names.map(String::from).collect(), File::new(code))
    };
    let edges = Files(files.into_iter().map(file).collect()).edges();
    let of = |file: &str| Vec::from_iter(&edges[file]);
    assert_eq!(
        [of("a"), of("a/c"), of("a/d"), of("b")],
        [vec![], vec!["b"], vec!["a/c"], vec!["a/d"]]
    );
    let found = cycle(&edges, |_, _| true);
    assert_eq!(found, Some(vec!["a/c", "b", "a/d", "a/c"]));
    assert_eq!(cycle(&edges, |from, _| from != "b"), None);
}
