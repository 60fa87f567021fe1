//! Files generated from the code: `UPDATE=1 cargo test --test native generated` rewrites them.

use std::fs;
use std::process::Command;

fn check(path: &str, text: &str) {
    if std::env::var_os("UPDATE").is_some() {
        fs::write(path, text).unwrap();
    }
    let file = fs::read_to_string(path).unwrap_or_default();
    assert!(
        file == text,
        "{path} is out of date: UPDATE=1 cargo test --test native generated"
    );
}

#[test]
fn theme_css_is_the_theme() {
    check("static/theme.css", &posenc::css());
}

/// The initial picture of the rotation on the bench, in a window of 1280×720.
fn rotation(lang: &str) -> String {
    let file = format!("{}/still-{lang}.svg", env!("CARGO_TARGET_TMPDIR"));
    let done = Command::new(env!("CARGO_BIN_EXE_posenc"))
        .args(["figure", "rotation", "--width", "639", "--height", "378"])
        .args(["--lang", lang, "--output", &file])
        .status()
        .unwrap();
    assert!(done.success());
    fs::read_to_string(file).unwrap()
}

/// Writes lines and areas as paths with relative coordinates, which are short and compress to half as much.
fn relative(svg: &str) -> String {
    let path = |points: &str, close: &str| {
        let points = points.split(' ').map(|point| {
            let (x, y) = point.split_once(',').unwrap();
            [x, y].map(|it| it.parse::<i32>().unwrap())
        });
        let mut d = String::new();
        let mut before = None;
        for point in points {
            let [x, y] = point;
            d += &match before.replace(point) {
                None => format!("M{x} {y}l"),
                Some([from_x, from_y]) => format!(" {} {}", x - from_x, y - from_y),
            };
        }
        format!(
            "<path d=\"{}{close}\"",
            d.replace("l ", "l").replace(" -", "-")
        )
    };
    let line = |line: &str| {
        let shape = |start, close| {
            let (points, rest) = line.strip_prefix(start)?.split_once('"')?;
            Some(path(points, close) + rest)
        };
        let drawn = shape("<polyline points=\"", "").or_else(|| shape("<polygon points=\"", "z"));
        drawn.unwrap_or_else(|| line.to_owned()) + "\n"
    };
    svg.lines().map(line).collect()
}

/// The still picture shown until the bench is ready, in both languages and in the colours of the page's theme.
#[test]
fn the_still_is_the_picture_that_the_bench_begins_with() {
    let mut svg = String::new();
    let [english, chinese] = ["en", "zh"].map(rotation);
    assert_eq!(english.lines().count(), chinese.lines().count());
    for (english, chinese) in english.lines().zip(chinese.lines()) {
        let words = english != chinese && english.starts_with("<text");
        if english.starts_with("<desc>") || english.starts_with("<rect x=\"0\" y=\"0\"") {
            // The page has its own description and background.
        } else if words {
            svg += &english.replacen("<text", "<text lang=\"en\"", 1);
            svg += &chinese.replacen("<text", "<text lang=\"zh\"", 1);
        } else {
            svg += english;
        }
        svg.push('\n');
    }
    let css = posenc::css();
    let light = css
        .lines()
        .find(|line| line.starts_with(":root {"))
        .unwrap();
    for part in light.split(';') {
        let Some((name, colour)) = part.split_once(": #") else {
            continue;
        };
        let name = name.rsplit([' ', '{']).next().unwrap();
        svg = svg.replace(&format!("\"#{colour}\""), &format!("\"var({name})\""));
    }
    assert!(!svg.contains("\"#"), "a colour that is not the theme's");
    let svg = relative(&svg);
    let svg = svg.replacen("<svg ", "<svg class=\"still\" aria-hidden=\"true\" ", 1);
    check("static/still.svg", &svg);
}

#[test]
fn the_settings_are_listed() {
    const START: &str = "<!-- settings: written by tests/native/generated.rs -->\n";
    const END: &str = "<!-- /settings -->";
    let page = fs::read_to_string("docs/settings.md").unwrap();
    let (before, rest) = page.split_once(START).expect("a place for the table");
    let (_, after) = rest
        .split_once(END)
        .expect("the place for the table has an end");
    let table = posenc::markdown_table();
    check(
        "docs/settings.md",
        &format!("{before}{START}{table}{END}{after}"),
    );
}

#[test]
fn the_types_list_the_encodings_that_have_a_table() {
    const FILE: &str = "static/posenc.d.ts";
    const START: &str = "  encoding?: ";
    let names = posenc::Encoding::WITH_SIGNAL.iter().filter(|it| {
        let signal = it.info().signal;
        signal.is_some_and(posenc::PositionSignal::has_table)
    });
    let names: Vec<String> = names.map(|it| format!("{:?}", it.name())).collect();
    let types = fs::read_to_string(FILE).unwrap();
    let (before, rest) = types.split_once(START).expect("a list of encodings");
    let (_, after) = rest.split_once(';').expect("its end");
    check(
        FILE,
        &format!("{before}{START}{};{after}", names.join(" | ")),
    );
}

#[test]
fn the_share_dialog_knows_the_settings_of_each_view() {
    const FILE: &str = "static/kit/handed-out.mjs";
    const START: &str = "written by tests/native/generated.rs. */\nconst fields = {\n";
    let lines = ["heatmap", "waves", "rotation"].map(|view| {
        let name = posenc::ViewName::named(view).unwrap();
        let fields = posenc::figures::fields(name).unwrap().iter();
        let names: Vec<_> = fields.map(|field| field.name).collect();
        format!("  {view}: \"{}\",\n", names.join(" "))
    });
    let module = fs::read_to_string(FILE).unwrap();
    let (before, rest) = module.split_once(START).expect("a list of settings");
    let (_, after) = rest.split_once("};").expect("its end");
    check(
        FILE,
        &format!("{before}{START}{}}};{after}", lines.concat()),
    );
}

#[test]
fn the_notebook_class_knows_the_settings_of_each_figure() {
    const FILE: &str = "examples/jupyter/posenc_widget.py";
    const START: &str = "written by tests/native/generated.rs\n_SETTINGS = {\n";
    let former = posenc::ViewName::FORMER.iter().map(|(former, _)| *former);
    let names = posenc::ViewName::ALL.iter().map(|view| view.name());
    let lines = names.chain(former).filter_map(|name| {
        let fields = posenc::figures::fields(posenc::ViewName::named(name)?)?;
        let fields = posenc::Values::new(fields).public();
        let fields: Vec<_> = fields.map(|field| field.name).collect();
        Some(format!("    \"{name}\": \"{}\",\n", fields.join(" ")))
    });
    let module = fs::read_to_string(FILE).unwrap();
    let (before, rest) = module.split_once(START).expect("a list of settings");
    let (_, after) = rest.split_once("}\n").expect("its end");
    check(
        FILE,
        &format!("{before}{START}{}}}\n{after}", lines.collect::<String>()),
    );
}

/// The lines of a README about the site and the releases, for the addresses that CITATION.cff has.
fn where_it_is(citation: &str, chinese: bool) -> String {
    let field = |name| {
        let value = citation.lines().find_map(|line| line.strip_prefix(name));
        value.inspect(|it| {
            let is_plain = |c: char| c.is_ascii_graphic() && !"\"<>&()".contains(c);
            assert!(it.starts_with("https://") && it.chars().all(is_plain));
        })
    };
    let file = format!("`posenc-{}.html`", env!("CARGO_PKG_VERSION"));
    let site = field("url: ").map(|url| match chinese {
        true => format!("在线使用：<{url}>\n\n"),
        false => format!("It is on the web at <{url}>.\n\n"),
    });
    let releases = field("repository-artifact: ").map(|url| match chinese {
        true => format!("[发行版]({url})里的 {file} 是单文件版，用浏览器打开即可，无需构建。\n\n"),
        false => {
            format!("[The releases]({url}) have it as one file, {file}: a browser opens it, and nothing has to be built.\n\n")
        }
    });
    let all = [site, releases].into_iter().flatten().collect::<String>();
    if all.is_empty() {
        all
    } else {
        format!("\n{all}")
    }
}

#[test]
fn the_readme_has_the_addresses_of_the_citation() {
    const START: &str =
        "<!-- addresses: those of CITATION.cff, written by tests/native/generated.rs -->\n";
    const END: &str = "<!-- /addresses -->";
    let citation = fs::read_to_string("CITATION.cff").unwrap();
    for (file, chinese) in [("README.md", false), ("README.zh.md", true)] {
        let text = fs::read_to_string(file).unwrap();
        let (before, rest) = text.split_once(START).expect("a place for the addresses");
        let (_, after) = rest.split_once(END).expect("its end");
        let lines = where_it_is(&citation, chinese);
        check(file, &format!("{before}{START}{lines}{END}{after}"));
        // Before everything else, except the title and the way to the other language.
        assert_eq!(before.lines().count(), 4, "{file}");

        let (url, releases) = ("https://posenc.example/", "https://posenc.example/releases");
        let both = format!("title: A\nurl: {url}\nrepository-artifact: {releases}\n");
        let lines = where_it_is(&both, chinese);
        assert!(lines.contains(&format!("<{url}>")) && lines.contains(&format!("({releases})")));
        assert_eq!(where_it_is("title: A\n", chinese), "");
    }
}

#[test]
fn the_published_crate_has_the_licences_of_the_project() {
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        let text = |folder: &str| std::fs::read_to_string(format!("{folder}{name}")).unwrap();
        assert!(text("") == text("crates/encoding/"), "{name}");
    }
}

/// Worksheets with their answers, which are the same in every browser (tests/web/worksheet-engines.test.mjs).
#[test]
fn worksheets_are_the_same_everywhere() {
    let name = posenc::ViewName::Worksheet;
    let mut text = String::from("seed\tlang\tnumber\texercise and answer\n");
    for (seed, lang) in [(7, "en"), (7, "zh"), (9999, "en")] {
        for number in 1..=26 {
            let mut values = posenc::Values::new(posenc::figures::fields(name).unwrap());
            let settings = [("seed", seed), ("count", 26), ("number", number)];
            for (name, value) in settings {
                assert_eq!(values.set(name, &value.to_string()), None);
            }
            assert_eq!(values.set("show", "answer"), None);
            let language = posenc::Lang::of(lang).unwrap();
            let figure = posenc::figures::AnyFigure::new(name, &values, language, None).unwrap();
            let words = figure.actions().unwrap().plain();
            assert!(!words.contains(['\t', '\n']));
            text += &format!("{seed}\t{lang}\t{number}\t{words}\n");
        }
    }
    check("tests/reference/worksheets.tsv", &text);
}
