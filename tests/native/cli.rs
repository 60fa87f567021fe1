//! The command line, run as a separate process.

use crate::python::python;
use posenc::Values;
use posenc::figures::{AnyFigure, fields};
use posenc::{
    BenchFigure, Lang, Layout, Sinusoidal, ThemeName, ViewName, figure_svg, read_link, svg,
};
use posenc_lab::{Trainer, TrainerConfig};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{fs, str};

fn run(arguments: &[&str]) -> Output {
    let mut posenc = Command::new(env!("CARGO_BIN_EXE_posenc"));
    posenc.args(arguments).output().unwrap()
}

/// Returns what the command writes to standard output; asserts that standard error is empty.
fn written(arguments: &[&str]) -> Vec<u8> {
    let output = run(&[arguments, &["-o", "-"]].concat());
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    assert_eq!(output.stderr, b"", "{arguments:?}");
    output.stdout
}

/// An empty folder that is removed when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Folder {
        let name = format!("cli-{test}-{}", std::process::id());
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The names of the files in the folder.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

#[test]
fn a_figure_is_the_librarys() {
    let heatmap = written(&words("figure heatmap --d-model 512 --max-len 50"));
    let link = read_link("", "#d_model=512&max_len=50");
    let [_, mut figure, ..] = BenchFigure::all();
    let expected = svg(&mut figure, &link.state, Lang::En, 720, 432);
    assert!(heatmap == expected.as_bytes());

    let line = "figure ruler --d-model 64 --set pair=3 --lang zh --theme dark --width 500";
    let mut values = Values::new(fields(ViewName::Ruler).unwrap());
    values.set("d_model", "64");
    values.set("pair", "3");
    let shown = AnyFigure::new(ViewName::Ruler, &values, Lang::Zh, None).unwrap();
    let expected = figure_svg(&shown, ThemeName::Dark, 500).unwrap();
    assert!(written(&words(line)) == expected.as_bytes());

    // By the name of a former version, too.
    let [now, former] = ["code", "precision"].map(|name| written(&["figure", name]));
    assert!(now == former);
}

/// The example commands in a help text.
fn examples(help: &str) -> Vec<&str> {
    let lines = help.lines().map(str::trim_start);
    lines
        .map(|line| line.strip_prefix("Example: ").unwrap_or(line))
        .filter(|line| line.starts_with("posenc "))
        .collect()
}

#[test]
fn every_example_of_the_help_texts_works() {
    let programs = PathBuf::from(env!("CARGO_BIN_EXE_posenc"));
    let programs = programs.parent().unwrap();
    for command in ["figure", "inspect", "table", "train"] {
        let help = run(&[command, "--help"]).stdout;
        let help = String::from_utf8(help).unwrap();
        let examples = examples(&help);
        assert!(!examples.is_empty(), "{command} --help shows none");
        for example in examples {
            // PNG and GIF need the fonts of the system.
            if example.contains("--sweep") && !crate::moving::has_fonts() {
                continue;
            }
            let folder = Folder::new("examples");
            let shell = Command::new("sh")
                .args(["-c", &format!("PATH=$PROGRAMS:$PATH; {example}")])
                .env("PROGRAMS", programs)
                .current_dir(&folder.0)
                .output()
                .unwrap();
            assert!(shell.status.success(), "{example}: {shell:?}");
            assert_eq!(folder.names().len(), 1, "{example} writes a file");
        }
    }
}

#[test]
fn what_an_encoding_has_nothing_for_is_refused_by_name() {
    let refused = |line: &str| {
        let output = run(&words(line));
        assert_eq!(output.status.code(), Some(2), "{line}");
        String::from_utf8(output.stderr).unwrap()
    };
    let drawn = refused("figure heatmap --encoding learned --max-len 1000000 --d-model 1024 -o -");
    assert!(drawn.contains("--encoding") && drawn.contains("'learned'"));
    let table = refused("table --encoding rope -o x.npy");
    assert!(table.contains("--encoding") && table.contains("'rope'"));
    let csv = written(&words(
        "table --encoding learned --d-model 4 --max-len 2 --format csv",
    ));
    let csv = str::from_utf8(&csv).unwrap();
    assert!(csv.starts_with("# encoding=learned\n"), "{csv}");
    assert_eq!(csv.lines().last().unwrap().split(',').count(), 5);
    assert!(!written(&words("figure heatmap --encoding learned")).is_empty());
}

#[test]
fn a_bias_is_drawn_where_others_have_a_table() {
    for (view, axis) in [
        ("heatmap", "offset k, query − key"),
        ("waves", "key"),
        ("rotation", "query"),
    ] {
        for encoding in ["alibi", "t5"] {
            let svg = written(&["figure", view, "--encoding", encoding]);
            let svg = String::from_utf8(svg).unwrap();
            let named = svg.contains(&format!(">{axis}</text>"));
            assert!(named, "{view} of {encoding} has no axis {axis:?}");
        }
    }
}

#[test]
fn every_view_is_drawn_in_both_languages() {
    let folder = Folder::new("views");
    for view in ViewName::ALL {
        let [english, chinese] = ["en", "zh"].map(|lang| {
            let path = folder.file(&format!("{}-{lang}.svg", view.name()));
            let output = run(&[
                "figure",
                view.name(),
                "--lang",
                lang,
                "-o",
                path.to_str().unwrap(),
            ]);
            assert!(output.status.success(), "{}: {output:?}", view.name());
            fs::read_to_string(path).unwrap()
        });
        let worded = !matches!(view, ViewName::Formula | ViewName::Code);
        assert_eq!(english != chinese, worded, "{}", view.name());
    }
    let pictures = 2 * ViewName::ALL.len();
    assert_eq!(folder.names().len(), pictures);
    let drawn = &folder.0;
    let code = format!(
        "
from pathlib import Path
from xml.etree import ElementTree
files = sorted(Path({drawn:?}).glob('*.svg'))
for file in files:
    root = ElementTree.parse(file).getroot()
    assert root.tag == '{{http://www.w3.org/2000/svg}}svg', file
    # More than its description and its background.
    assert len(root.findall('.//*')) > 2, file
print(len(files))
"
    );
    if let Some(count) = python("numpy", true, &code) {
        assert_eq!(count.trim(), pictures.to_string());
    }
}

#[test]
fn numpy_reads_the_table() {
    let folder = Folder::new("numpy");
    let (single, double) = (folder.file("single.npy"), folder.file("double.npy"));
    for (path, dtype) in [(&single, "float32"), (&double, "float64")] {
        let line = format!("table --d-model 511 --max-len 5000 --dtype {dtype} -o");
        let output = run(&[&words(&line)[..], &[path.to_str().unwrap()]].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
    let pe = Sinusoidal::new(511, 10_000.0, Layout::Interleaved);
    let numbers = |path| fs::read(path).unwrap()[128..].to_vec();
    let core = pe.table_f32(5000).values;
    assert!(
        numbers(&single)
            == core
                .iter()
                .flat_map(|v| v.to_le_bytes())
                .collect::<Vec<_>>()
    );
    let core = pe.table_f64(5000).values;
    assert!(
        numbers(&double)
            == core
                .iter()
                .flat_map(|v| v.to_le_bytes())
                .collect::<Vec<_>>()
    );
    // The bound follows from NumPy's own rounding, cell by cell. With u = 2^-53, half a unit in the last place: the exponent
    // has a relative error of u, which the power multiplies by ln(10000); power, sine and cosine are each within 4 units
    // (NumPy's guarantee for its vectorised functions, whichever instructions it uses), the quotient within half a unit. The
    // core contributes 4e-15 (table.rs).
    let code = format!(
        "
import numpy as np
single, double = np.load({single:?}), np.load({double:?})
assert single.dtype == '<f4' and double.dtype == '<f8'
assert single.shape == double.shape == (5000, 511)
assert single.flags.c_contiguous
u = 2.0 ** -53
exponent = np.repeat(2 * np.arange(256) / 511, 2)[:511]
angle = np.arange(5000)[:, None] / 10000 ** exponent
formula = np.where(np.arange(511) % 2 == 0, np.sin(angle), np.cos(angle))
bound = angle * u * (exponent * np.log(10000) + 8 + 1) + 8 * u + 4e-15
print((np.abs(double - formula) / bound).max(), np.abs(single - double).max())
"
    );
    if let Some(text) = python("numpy", true, &code) {
        let far: Vec<f64> = words(&text).iter().map(|n| n.parse().unwrap()).collect();
        // A number up to 1 is rounded to f32 by at most half a unit in the last place, 2^-25.
        assert!(
            far[0] < 1.0 && far[1] <= f64::from(f32::EPSILON) / 4.0,
            "{far:?}"
        );
    }
}

#[test]
fn csv_reads_back_as_the_same_numbers() {
    let line = "table --d-model 6 --max-len 2000 --layout concatenated --base 500 --format csv";
    let [single, double] = ["float32", "float64"].map(|dtype| {
        let text = String::from_utf8(written(&words(&format!("{line} --dtype {dtype}")))).unwrap();
        let lines: Vec<String> = text.lines().map(String::from).collect();
        let said = [
            "# encoding=sinusoidal",
            "# d_model=6",
            "# max_len=2000",
            "# base=500",
            "# layout=concatenated",
            &format!("# dtype={dtype}"),
            "pos,0:sin0,1:sin1,2:sin2,3:cos0,4:cos1,5:cos2",
        ];
        assert_eq!(lines[..7], said);
        lines[7..].to_vec()
    });
    let pe = Sinusoidal::new(6, 500.0, Layout::Concatenated);
    let (core_single, core_double) = (pe.table_f32(2000), pe.table_f64(2000));
    assert_eq!((single.len(), double.len()), (2000, 2000));
    for (position, (single, double)) in single.iter().zip(&double).enumerate() {
        let cells = |line: &'_ str| -> Vec<String> { line.split(',').map(String::from).collect() };
        let (single, double) = (cells(single), cells(double));
        assert_eq!(
            (&single[0], &double[0]),
            (&position.to_string(), &position.to_string())
        );
        for dimension in 0..6 {
            let (single, double) = (&single[dimension + 1], &double[dimension + 1]);
            assert_eq!(single.parse(), Ok(core_single.at(position, dimension)));
            assert_eq!(double.parse(), Ok(core_double.at(position, dimension)));
        }
    }
}

/// Asserts that a command with an invalid argument names it in the first lines of its message, and writes nothing.
fn assert_refused(output: Output, line: &str, named: &str, path: &Path) {
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{line}: {message}");
    let first = message.lines().take(2).collect::<String>();
    assert!(first.contains(named), "{line}: {message}");
    assert_eq!(output.stdout, b"", "{line}");
    assert!(!path.exists(), "{line}");
}

#[test]
fn a_bad_argument_is_named_and_nothing_is_written() {
    let folder = Folder::new("never");
    let path = folder.file("never.svg");
    for (line, named) in [
        ("figure nothing", "NAME"),
        ("figure", "NAME"),
        ("figure heatmap --d-model 0", "--d-model"),
        ("figure heatmap --d-model 16385", "--d-model"),
        ("figure heatmap --d-model 1.5", "--d-model"),
        ("figure heatmap --max-len many", "--max-len"),
        ("figure heatmap --k -1048577", "--k"),
        ("figure heatmap --pos 64", "--pos"),
        ("figure heatmap --pair 4 --d-model 8", "--pair"),
        ("figure heatmap --base 1", "--base"),
        ("figure heatmap --layout diagonal", "--layout"),
        ("figure heatmap --encoding fourier", "--encoding"),
        ("figure heatmap --member tangent", "--member"),
        ("figure waves --compare 0,1,2,3,5", "--compare"),
        ("figure heatmap --positions 9", "--positions"),
        ("figure heatmap --dimensions 9-999", "--dimensions"),
        ("figure heatmap --lang fr", "--lang"),
        ("figure heatmap --theme pink", "--theme"),
        ("figure heatmap --width 0", "--width"),
        ("figure heatmap --height 1e9", "--height"),
        ("figure heatmap --hide base", "--hide"),
        ("figure heatmap --set d_model=0", "--set d_model"),
        ("figure heatmap --set hide=base", "--set hide"),
        ("figure heatmap --set d_model", "--set"),
        ("figure ruler --d-model 0", "--d-model"),
        ("figure ruler --k 3", "--k"),
        ("figure ruler --set length=3", "--set length"),
        ("figure ruler --height 300", "--height"),
        ("figure order --set pe=perhaps", "--set pe"),
        ("figure order --set held=on", "--set held"),
        ("figure anchors --set from=3", "--set from"),
        ("figure corridor --set walking=on", "--set walking"),
        ("table --d-model 0", "--d-model"),
        ("table --max-len 1048577", "--max-len"),
        ("table --base NaN", "--base"),
        ("table --layout diagonal", "--layout"),
        ("table --dtype float16", "--dtype"),
        ("table --format xlsx", "--format"),
        ("table --k 3", "--k"),
        ("table", "--output"),
        ("tables", "tables"),
    ] {
        let output = run(&[&words(line)[..], &["-o", path.to_str().unwrap()]].concat());
        assert_refused(output, line, named, &path);
    }
    for line in ["figure heatmap", "table"] {
        let output = run(&words(line));
        assert_eq!(output.status.code(), Some(2));
        assert!(str::from_utf8(&output.stderr).unwrap().contains("--output"));
    }
}

#[test]
fn a_bad_argument_of_training_is_named_and_nothing_is_written() {
    let folder = Folder::new("untrained");
    let path = folder.file("losses.csv");
    for (line, named) in [
        ("train", "--encoding"),
        ("train --encoding rope --task sort", "--task"),
        ("train --encoding rotary", "--encoding"),
        ("train --encoding transformer-xl", "--encoding"),
        ("train --encoding rope --k 0", "--k"),
        ("train --encoding rope --k 32", "--k"),
        ("train --encoding rope --k -3", "--k"),
        ("train --encoding rope --k three", "--k"),
        ("train --encoding rope --seed -1", "--seed"),
        ("train --encoding rope --seed 1.5", "--seed"),
        ("train --encoding rope --steps 0", "--steps"),
        ("train --encoding rope --steps 100001", "--steps"),
        ("train --encoding rope --d-model 31", "--d-model"),
        ("train --encoding rope --d-model 2", "--d-model"),
        ("train --encoding rope --d-model 258", "--d-model"),
        ("train --encoding rope --losses -", "--losses"),
        ("train --encoding rope --output x", "--output"),
    ] {
        let output = run(&match line.contains("--losses") {
            true => words(line),
            false => [&words(line)[..], &["--losses", path.to_str().unwrap()]].concat(),
        });
        assert_refused(output, line, named, &path);
    }
    let output = run(&words(
        "train --encoding none --steps 1 --losses no/such/l.csv",
    ));
    assert_eq!((output.status.code(), output.stdout), (Some(1), vec![]));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("no/such/l.csv"), "{message}");
}

#[test]
fn a_training_run_is_the_librarys() {
    let folder = Folder::new("losses");
    let path = folder.file("losses.csv");
    let line =
        "train --task copy --k 5 --encoding sinusoidal --seed 17 --steps 300 --json --losses";
    let output = run(&[&words(line)[..], &[path.to_str().unwrap()]].concat());
    assert_eq!((output.status.code(), output.stderr), (Some(0), vec![]));
    let json = String::from_utf8(output.stdout).unwrap();

    let mut config = TrainerConfig::copy(5, posenc_lab::Encoding::Sinusoidal, 17);
    config.adam.steps = 300;
    let mut trainer = Trainer::new(config);
    let losses: Vec<f64> = (0..300).map(|_| trainer.advance().loss).collect();
    let csv = fs::read_to_string(path).unwrap();
    let rows = csv.lines().skip_while(|line| line.starts_with('#'));
    let (names, rows): (Vec<_>, Vec<_>) = rows.partition(|line| line.starts_with("step"));
    assert_eq!(names, ["step,loss,accuracy"]);
    let written = rows
        .iter()
        .map(|row| row.split(',').nth(1).unwrap().parse());
    assert_eq!(written.collect::<Result<Vec<f64>, _>>(), Ok(losses));

    let analysis = trainer.pairs().unwrap();
    let [score, twice, four_times] = [32, 64, 128].map(|it| trainer.evaluate(it, 0).unwrap());
    let start = format!(
        r#"{{"task":"copy","k":5,"encoding":"sinusoidal","seed":17,"steps":300,"loss":{},"accuracy":{},"steps_to_99":{},"at":{{"2x":{},"4x":{}}},"pairs":[{{"pair":0,"frequency":1,"angle":{},"#,
        score.loss,
        score.accuracy,
        trainer.steps_to_99().unwrap(),
        twice.accuracy,
        four_times.accuracy,
        analysis.pairs[0].angle
    );
    assert!(json.starts_with(&start), "{json}");
    let end = format!("}}],\"rotation_share\":{}}}\n", analysis.rotation_share);
    assert!(json.ends_with(&end), "{json}");
    assert_eq!(json.matches("\"amplitude\"").count(), 16);

    let none = run(&words("train --encoding none --steps 2 --json")).stdout;
    let none = String::from_utf8(none).unwrap();
    assert!(none.contains("\"steps_to_99\":null"), "{none}");
    assert!(
        none.ends_with("\"pairs\":[],\"rotation_share\":null}\n"),
        "{none}"
    );
    let code = format!("import json; print(len(json.loads({json:?})['pairs']))");
    if let Some(count) = python("json", true, &code) {
        assert_eq!(count.trim(), "16");
    }
    let words_of = |line: &str| String::from_utf8(run(&words(line)).stdout).unwrap();
    let text = words_of("train --k 5 --encoding sinusoidal --seed 17 --steps 300");
    assert!(
        text.contains(&format!("{:.3}", analysis.pairs[0].angle)),
        "{text}"
    );
}

/// Returns the output of an inspection and its exit status.
fn inspected(line: &[&str]) -> (String, i32) {
    let output = run(&[&["inspect"], line].concat());
    assert_eq!(output.stderr, b"", "{line:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    (text, output.status.code().unwrap())
}

#[test]
fn a_table_of_the_command_line_is_found_correct() {
    let folder = Folder::new("inspected");
    for (options, layout, codes) in [
        ("--d-model 64 --max-len 200", "interleaved", "correct"),
        (
            "--d-model 64 --max-len 200 --dtype float64 --layout concatenated",
            "concatenated",
            "correct",
        ),
        (
            "--d-model 64 --max-len 200 --layout tensor2tensor",
            "tensor2tensor",
            "correct",
        ),
        (
            "--d-model 63 --max-len 200",
            "interleaved",
            "correct,odd-width",
        ),
    ] {
        for ending in ["npy", "csv"] {
            let path = folder.file(&format!("pe.{ending}"));
            let path = path.to_str().unwrap();
            let line = [&["table"], &words(options)[..], &["-o", path]].concat();
            assert!(run(&line).status.success());
            let (json, status) = inspected(&[path, "--json"]);
            assert_eq!(status, 0, "{json}");
            assert!(
                json.contains(&format!(
                    "\"layout\":\"{layout}\",\"base\":10000,\"start\":0"
                )),
                "{json}"
            );
            for code in codes.split(',') {
                assert!(json.contains(&format!("\"code\":\"{code}\"")), "{json}");
            }
            let (text, _) = inspected(&[path]);
            assert!(
                text.contains("base 10000")
                    && text.contains("residual")
                    && text.contains("runner-up"),
                "{text}"
            );
        }
    }
}

#[test]
fn an_inspection_prints_the_json_that_is_promised() {
    let table = "tests/corpus/tables/from_one-16x8.npy";
    let (json, status) = inspected(&[table, "--json"]);
    assert_eq!(status, 1, "{json}");
    let start = r#"{"shape":[16,8],"dtype":"f32","kind":"sinusoidal","layout":"interleaved","base":10000,"start":1,"exponent":"2i/d","swapped":false,"sign":1,"scale":1,"arithmetic":"f64","transposed":false,"residual":{"max":0.0000000"#;
    assert!(json.starts_with(start), "{json}");
    for part in [
        r#""runner_up":{"what":"#,
        r#""tensor":null,"nearest":{"what":"#,
        r#""also":[],"frequencies":{"rule":"geometric","base":10000,"factor":null,"from_pair":null,"listed":null},"positions":{"rule":"arithmetic","start":1,"step":1,"row":null},"axes":null,"#,
        r#""findings":[{"code":"start-offset","words":"Row 0 is position 1: the whole table is off by one row.","position":0,"dimension":0}]"#,
    ] {
        assert!(json.contains(part), "{json}");
    }
    // Unknown values are null: without a division there is no base.
    let (json, status) = inspected(&["tests/corpus/tables/no_division-16x8.npy", "--json"]);
    assert_eq!(status, 1);
    assert!(
        json.contains(r#""base":null,"start":0,"exponent":"none""#),
        "{json}"
    );
    let code = format!(
        "import json; it = json.loads({json:?}); print(it['kind'], sorted(it)[:2], it['findings'][0]['code'])"
    );
    if let Some(text) = python("json", true, &code) {
        assert_eq!(text.trim(), "sinusoidal ['also', 'arithmetic'] no-division");
    }
}

#[test]
fn the_report_names_the_first_wrong_cell_and_the_right_code() {
    let (text, status) = inspected(&["tests/corpus/tables/exponent_of_the_column-16x8.npy"]);
    assert_eq!(status, 1);
    for part in [
        "exponent-column: ",
        "usually  angle = pos / 10000 ** (np.arange(d) / d)",
        "NumPy    angle = pos / 10000 ** (2 * (np.arange(d) // 2) / d)",
        "PyTorch  ",
        "JAX      ",
        "first wrong cell: position 1, dimension 1: 0.950415, where the correct table has 0.540302",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let (text, _) = inspected(&[
        "tests/corpus/tables/exponent_of_the_column-16x8.npy",
        "--lang",
        "zh",
    ]);
    assert!(
        text.contains("第一个错误的单元格：位置 1、维度 1：0.950415"),
        "{text}"
    );
}

#[test]
fn a_file_that_is_no_table_is_named_with_what_to_do() {
    for (file, said) in [
        ("pickle-torch.pt", "np.save(\"pe.npy\", pe.detach()"),
        ("truncated.npy", "promises 48 bytes and there are 43"),
        ("headertoolong-2gb.npy", "2147483648 bytes"),
        ("shape-4d.npy", "[2, 3, 4, 5]"),
        ("toomanycells.npy", "16000000"),
        ("dtype-integers.npy", "astype"),
        ("notanumber.csv", "Line 2, cell 2"),
        (
            "choose-two.safetensors",
            "--tensor NAME:\n  a  F32 [1, 4]\n  x  F32 [2, 2]",
        ),
        ("overflow.npy", "beyond all bounds"),
        ("no-such-file", "No such file"),
    ] {
        let path = format!("tests/corpus/files/{file}");
        let output = run(&["inspect", &path, "--json"]);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            (output.status.code(), output.stdout),
            (Some(2), vec![]),
            "{file}"
        );
        assert!(
            message.contains(&path) && message.contains(said),
            "{message}"
        );
    }
    let path = "tests/corpus/files/choose-two.safetensors";
    let (json, status) = inspected(&[path, "--tensor", "x", "--json"]);
    assert_eq!(status, 1);
    assert!(
        json.contains("\"kind\":\"constant\"") && json.contains("\"base\":null"),
        "{json}"
    );
    let output = run(&["inspect", path, "--tensor", "y"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("no tensor y")
    );
    // An .npy has no tensors of several names.
    let output = run(&[
        "inspect",
        "tests/corpus/tables/from_one-16x8.npy",
        "--tensor",
        "y",
    ]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("without a name"), "{message}");
}

/// A zip archive whose members are stored as they are.
fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in members {
        let offset = bytes.len() as u32;
        let sizes = [content.len() as u32; 2].map(u32::to_le_bytes).concat();
        let name_length = (name.len() as u16).to_le_bytes();
        bytes.extend([&b"PK\x03\x04"[..], &[0; 14], &sizes, &name_length, &[0; 2]].concat());
        bytes.extend([name.as_bytes(), content].concat());
        let entry = [&b"PK\x01\x02"[..], &[0; 16], &sizes, &name_length, &[0; 12]].concat();
        directory.extend([&entry[..], &offset.to_le_bytes(), name.as_bytes()].concat());
    }
    let start = (bytes.len() as u32).to_le_bytes();
    let count = [members.len() as u16; 2].map(u16::to_le_bytes).concat();
    let size = (directory.len() as u32).to_le_bytes();
    let end = [&b"PK\x05\x06"[..], &[0; 4], &count, &size, &start, &[0; 2]].concat();
    [bytes, directory, end].concat()
}

#[test]
fn the_report_names_the_array_of_an_archive() {
    let folder = Folder::new("archive");
    let path = folder.file("two.npz");
    let [first, second] = ["from_one-16x8", "no_division-16x8"]
        .map(|name| fs::read(format!("tests/corpus/tables/{name}.npy")).unwrap());
    fs::write(&path, archive(&[("a.npy", &first), ("b.npy", &second)])).unwrap();
    let path = path.to_str().unwrap();
    let (json, _) = inspected(&[path, "--tensor", "b", "--json"]);
    assert!(json.contains(r#""tensor":"b""#), "{json}");
    assert!(json.contains(r#""code":"no-division""#), "{json}");
    let (text, _) = inspected(&[path, "--tensor", "a"]);
    assert!(text.starts_with(&format!("{path}, a: 16 × 8")), "{text}");
    let output = run(&["inspect", path]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("--tensor NAME:\n  a"), "{message}");
}

#[test]
fn the_types_have_what_a_report_has() {
    let types = fs::read_to_string("static/posenc.d.ts").unwrap();
    let (_, report) = types
        .split_once("export interface InspectReport {")
        .unwrap();
    let (report, _) = report.split_once("\n}\n").unwrap();
    let (json, _) = inspected(&["tests/corpus/tables/from_one-16x8.npy", "--json"]);
    let keys: Vec<&str> = json
        .split("\":")
        .filter_map(|it| it.rsplit('"').next())
        .collect();
    assert!(
        keys.contains(&"rounded_to") && keys.contains(&"from_pair"),
        "{keys:?}"
    );
    // What follows the last key is no key.
    for key in &keys[..keys.len() - 1] {
        assert!(report.contains(&format!("{key}:")), "{key}");
    }
    for kind in [
        posenc_inspect::Kind::Sinusoidal,
        posenc_inspect::Kind::RopeCos,
        posenc_inspect::Kind::RopeSin,
        posenc_inspect::Kind::RopeCosSin,
        posenc_inspect::Kind::Frequencies,
        posenc_inspect::Kind::Angles,
        posenc_inspect::Kind::Bias,
        posenc_inspect::Kind::NotPositions,
        posenc_inspect::Kind::Learned,
        posenc_inspect::Kind::Constant,
        posenc_inspect::Kind::Unknown,
    ] {
        assert!(
            report.contains(&format!("{:?}", kind.name())),
            "{}",
            kind.name()
        );
    }
}

/// Texts that other programs print or save are read as the tables that they hold.
#[test]
fn a_table_in_brackets_or_bars_is_read() {
    let folder = Folder::new("brackets");
    let row = |position: i32| {
        let angles = [1.0, 0.1, 0.01, 0.001].map(|it| f64::from(position) * it);
        angles
            .iter()
            .flat_map(|it| [it.sin(), it.cos()])
            .map(|it| format!("{it:.6}"))
            .collect::<Vec<_>>()
    };
    let rows: Vec<Vec<String>> = (0..12).map(row).collect();
    let joined = |open: &str, between: &str, close: &str| -> String {
        rows.iter()
            .map(|row| format!("{open}{}{close}", row.join(between)))
            .collect::<Vec<_>>()
            .join(",\n")
    };
    let bars: Vec<String> = rows
        .iter()
        .map(|row| format!("| {} |", row.join(" | ")))
        .collect();
    let flat: Vec<String> = rows.concat();
    for (name, text) in [
        ("pe.json", format!("[{}]", joined("[", ", ", "]"))),
        (
            "one.json",
            format!("{{\"pe\": [{}]}}", joined("[", ",\n", "]")),
        ),
        (
            "flat.json",
            format!("{{\"shape\": [12, 8], \"data\": [{}]}}", flat.join(",")),
        ),
        (
            "tensor.txt",
            format!("tensor([{}], device='cuda:0')", joined("[", ", ", "]")),
        ),
        (
            "wrapped.txt",
            format!("[{}]", joined("[", "\n  ", "]").replace("],", "]")),
        ),
        (
            "pe.h",
            format!(
                "static const float pe[12][8] = {{\n{}}};",
                joined("{", "f, ", "f}")
            ),
        ),
        (
            "pe.md",
            format!("|{}\n{}\n", "---|".repeat(8), bars.join("\n")),
        ),
        (
            "german.csv",
            joined("", ";", "").replace('.', ",").replace(",\n", "\n"),
        ),
    ] {
        let path = folder.file(name);
        fs::write(&path, text).unwrap();
        let (json, status) = inspected(&[path.to_str().unwrap(), "--json"]);
        assert!(
            status == 0 && json.contains("\"shape\":[12,8]"),
            "{name}: {json}"
        );
    }
}

#[test]
fn a_file_of_the_name_is_overwritten() {
    let folder = Folder::new("again");
    let path = folder.file("again.csv");
    let line = ["table", "--d-model", "2", "-o", path.to_str().unwrap()];
    fs::write(&path, "x".repeat(100_000)).unwrap();
    assert!(run(&line).status.success());
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("# encoding") && !text.contains('x'.to_string().repeat(2).as_str()));
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let output = run(&words("table -o no/such/folder/pe.npy"));
    assert_eq!(output.status.code(), Some(1));
    assert!(
        str::from_utf8(&output.stderr)
            .unwrap()
            .contains("no/such/folder/pe.npy")
    );
}

#[test]
fn help_says_what_there_is() {
    let help = |line: &str| {
        let output = run(&words(line));
        assert_eq!((output.status.code(), output.stderr), (Some(0), vec![]));
        String::from_utf8(output.stdout).unwrap()
    };
    for line in ["", "--help"] {
        let text = help(line);
        for part in [
            "figure",
            "inspect",
            "table",
            "train",
            "scripts/serve",
            "http://127.0.0.1:8080/",
        ] {
            assert!(text.contains(part), "{part}");
        }
    }
    let text = help("figure --help");
    assert!(ViewName::ALL.iter().all(|view| text.contains(view.name())));
    for part in [
        "--d-model",
        "--max-len",
        "--theme",
        "--set",
        "--output",
        "1 … 16384",
    ] {
        assert!(text.contains(part), "{part}");
    }
    assert!(help("table --help").contains("--dtype"));
    let text = help("train --help");
    let names = posenc_lab::Encoding::ALL.map(posenc_lab::Encoding::name);
    assert!(names.into_iter().all(|name| text.contains(name)));
}

#[test]
fn a_cache_for_rope_is_written_and_recognised() {
    let folder = Folder::new("rope");
    let layouts = ["interleaved", "concatenated"];
    for (part, layout) in ["cos", "sin"]
        .into_iter()
        .flat_map(|part| layouts.map(|it| (part, it)))
    {
        let path = folder.file(&format!("{part}-{layout}.npy"));
        let path = path.to_str().unwrap();
        let line = format!(
            "table --encoding rope --part {part} --layout {layout} --d-model 16 --max-len 40 --base 500000 -o"
        );
        let output = run(&[&words(&line)[..], &[path]].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let table = posenc_inspect::read(&fs::read(path).unwrap(), None).unwrap();
        assert_eq!((table.rows(), table.columns()), (40, 16));
        for row in 0..40 {
            for column in 0..16 {
                let pair = match layout {
                    "interleaved" => column / 2,
                    _ => column % 8,
                };
                let angle = row as f64 * 5e5_f64.powf(-(pair as f64) / 8.0);
                let wave = if part == "cos" {
                    angle.cos()
                } else {
                    angle.sin()
                };
                assert!((table.at(row, column) - wave).abs() < 1e-7);
            }
        }
        let (json, _) = inspected(&[path, "--json"]);
        assert!(json.contains(&format!("\"rope-{part}\"")), "{json}");
        assert!(json.contains("\"base\":500000"), "{json}");
        assert!(json.contains(&format!("\"layout\":\"{layout}\"")), "{json}");
    }
    // The first of tests/reference/hard_f32.tsv: rounded to double precision first, this cosine would be another number.
    let path = folder.file("hard.npy");
    let path = path.to_str().unwrap();
    let line =
        "table --encoding rope --part cos --layout concatenated --d-model 1024 --max-len 397 -o";
    assert_eq!(
        run(&[&words(line)[..], &[path]].concat()).status.code(),
        Some(0)
    );
    let table = posenc_inspect::read(&fs::read(path).unwrap(), None).unwrap();
    assert_eq!((table.at(396, 308) as f32).to_bits(), 0x3c89_c286);
    for (line, named) in [
        ("table --part cos -o x.npy", "--part"),
        (
            "table --encoding rope --part cos --layout tensor2tensor -o x.npy",
            "--layout: 'rope' has no layout tensor2tensor",
        ),
        (
            "table --encoding learned --base 500 -o x.npy",
            "--base: 'learned' has no base",
        ),
        (
            "table --encoding whisper --layout interleaved -o x.npy",
            "--layout: 'whisper' has no layout",
        ),
        (
            "table --encoding whisper --d-model 512 -o x.npy",
            "out of range: 384 … 384",
        ),
        (
            "table --encoding rope --part cos --d-model 15 -o x.npy",
            "--d-model",
        ),
    ] {
        let output = run(&words(line));
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(
            str::from_utf8(&output.stderr).unwrap().contains(named),
            "{output:?}"
        );
    }
}

#[test]
fn a_picture_of_another_format_is_refused() {
    for name in ["h.pdf", "h.jpg"] {
        let output = run(&["figure", "heatmap", "-o", name]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        let said = str::from_utf8(&output.stderr).unwrap();
        assert!(said.contains(".svg, .png and .gif"), "{said}");
        assert!(!Path::new(name).exists());
    }
}
