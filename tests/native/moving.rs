//! Raster images and animations: the output of `posenc figure` is decoded and compared with the pictures for single values.

use posenc::{Animation, Pixels, Rasterizer};
use std::path::Path;
use std::process::{Command, Output};
use std::{env, fs, io::Cursor};

/// Whether raster images can be tested: text needs the fonts of the system. Continuous integration has them.
pub fn has_fonts() -> bool {
    let has = Rasterizer::new().is_some();
    assert!(has || env::var_os("CI").is_none(), "there are no fonts");
    has
}

fn run(line: &str, output: &Path) -> Output {
    let mut posenc = Command::new(env!("CARGO_BIN_EXE_posenc"));
    posenc.args(line.split_whitespace()).arg("-o").arg(output);
    posenc.output().unwrap()
}

/// Returns the content of the file with extension `end` that the command writes.
fn file(line: &str, end: &str) -> Vec<u8> {
    let name = format!("moving-{}-{}.{end}", line.len(), std::process::id());
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let output = run(line, &path);
    assert!(output.status.success(), "{line}: {output:?}");
    assert_eq!(output.stderr, b"", "nothing is said where nobody reads it");
    let bytes = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    bytes
}

fn pixels(width: u32, height: u32, rgb: Vec<u8>) -> Pixels {
    Pixels { width, height, rgb }
}

/// The first frame of a PNG.
fn png(bytes: &[u8]) -> Pixels {
    let (_, _, frames) = apng(bytes);
    frames.into_iter().next().unwrap()
}

/// The number of plays of a PNG, its delays in milliseconds, and its frames.
fn apng(bytes: &[u8]) -> (Option<u32>, Vec<u32>, Vec<Pixels>) {
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
    let animation = reader.info().animation_control().copied();
    let (mut delays, mut frames) = (Vec::new(), Vec::new());
    for _ in 0..animation.map_or(1, |it| it.num_frames) {
        let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut rgb).unwrap();
        if let Some(control) = reader.info().frame_control() {
            delays.push(u32::from(control.delay_num) * 1000 / u32::from(control.delay_den));
        }
        frames.push(pixels(info.width, info.height, rgb));
    }
    (animation.map(|it| it.num_plays), delays, frames)
}

/// The same for a GIF; unchanged pixels are taken from the previous frame.
fn gif(bytes: &[u8]) -> (gif::Repeat, Vec<u32>, Vec<Pixels>) {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(bytes).unwrap();
    let (width, height) = (u32::from(decoder.width()), u32::from(decoder.height()));
    let mut screen = vec![0; width as usize * height as usize * 3];
    let (mut delays, mut frames) = (Vec::new(), Vec::new());
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        assert_eq!((frame.left, frame.top), (0, 0));
        assert_eq!(
            (u32::from(frame.width), u32::from(frame.height)),
            (width, height)
        );
        for (to, from) in screen.chunks_exact_mut(3).zip(frame.buffer.chunks_exact(4)) {
            if from[3] != 0 {
                to.copy_from_slice(&from[..3]);
            }
        }
        delays.push(u32::from(frame.delay) * 10);
        frames.push(pixels(width, height, screen.clone()));
    }
    (decoder.repeat(), delays, frames)
}

/// The largest and the mean difference between two pictures of the same size.
fn apart(a: &Pixels, b: &Pixels) -> (u8, f64) {
    assert_eq!((a.width, a.height), (b.width, b.height));
    let differences = a.rgb.iter().zip(&b.rgb).map(|(a, b)| a.abs_diff(*b));
    let sum: f64 = differences.clone().map(f64::from).sum();
    (differences.max().unwrap(), sum / a.rgb.len() as f64)
}

#[test]
fn every_frame_of_a_sweep_is_the_picture_of_its_value() {
    if !has_fonts() {
        return;
    }
    for (line, values) in [
        ("figure rotation --width 320 --d-model 32", "k=-1..4"),
        ("figure heatmap --width 320 --theme dark", "pos=60..0:30"),
        ("figure helix --width 320", "pos=0..6:3"),
    ] {
        let name = values.split('=').next().unwrap();
        let each: &[&str] = match name {
            "k" => &["-1", "0", "1", "2", "3", "4"],
            _ if line.contains("heatmap") => &["60", "30", "0"],
            _ => &["0", "3", "6"],
        };
        let single = each.iter().map(|value| {
            let line = format!("{line} --set {name}={value}");
            png(&file(&line, "png"))
        });
        let single: Vec<_> = single.collect();
        let sweep = format!("{line} --sweep {values} --delay 250");

        let (plays, delays, frames) = apng(&file(&sweep, "png"));
        assert_eq!(plays, Some(0), "it plays for ever");
        assert_eq!(delays, vec![250; each.len()], "{sweep}");
        assert!(frames == single, "{sweep}: to the pixel");

        let (repeat, delays, frames) = gif(&file(&sweep, "gif"));
        assert_eq!(repeat, gif::Repeat::Infinite);
        assert_eq!(delays, vec![250; each.len()], "{sweep}");
        for (i, frame) in frames.iter().enumerate() {
            let (most, mean) = apart(frame, &single[i]);
            assert!(
                most <= 96 && mean < 0.5,
                "{sweep}, frame {i}: {most}, {mean}"
            );
            let others = (0..single.len()).filter(|j| *j != i);
            for j in others {
                assert!(
                    apart(frame, &single[j]).1 > mean,
                    "{sweep}: {i} is like {j}"
                );
            }
        }
    }
}

#[test]
fn a_few_colours_stay_as_they_are_and_a_smaller_frame_is_put_on_a_sheet() {
    let first = pixels(
        2,
        2,
        [[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]].concat(),
    );
    let second = pixels(1, 1, vec![200, 100, 50]);
    let animation = Animation::new(vec![first.clone(), second], 100).unwrap();
    let sheet = pixels(2, 2, [200, 100, 50].repeat(4));
    let (_, delays, frames) = gif(&animation.gif().unwrap());
    assert_eq!(
        (delays, &frames),
        (vec![100, 100], &vec![first.clone(), sheet.clone()])
    );
    let (_, _, frames) = apng(&animation.apng().unwrap());
    assert_eq!(frames, [first, sheet]);
    assert!(Animation::new(Vec::new(), 100).is_none());
}

#[test]
fn a_thousand_colours_become_256_that_are_near() {
    let grey = |i: u32| {
        let level = (i % 256) as u8;
        [
            level,
            level.saturating_add((i / 256) as u8 * 8),
            255 - level,
        ]
    };
    let picture = pixels(32, 32, (0..1024).flat_map(grey).collect());
    let animation = Animation::new(vec![picture.clone()], 20).unwrap();
    let (_, _, frames) = gif(&animation.gif().unwrap());
    let (most, mean) = apart(&frames[0], &picture);
    assert!(most <= 24 && mean < 3.0, "{most}, {mean}");
}

#[test]
fn a_picture_has_words_and_cells_and_a_formula_is_refused() {
    if !has_fonts() {
        return;
    }
    let colours = |line: &str| {
        let picture = png(&file(line, "png"));
        let colours: std::collections::HashSet<_> = picture.colours().collect();
        (picture.width, picture.height, colours.len())
    };
    // The cells are an image inside the SVG and have many colours.
    let (width, height, cells) = colours("figure heatmap --width 400 --height 300");
    assert_eq!((width, height), (400, 300));
    assert!(cells > 300, "{cells}");
    let (_, _, bench) = colours("figure bench");
    assert!(bench > 300, "{bench}");
    // Text in both languages, drawn with the fonts of the system: without it there would be only the background.
    for lang in ["en", "zh"] {
        assert!(colours(&format!("figure code --width 500 --lang {lang}")).2 > 5);
    }
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("formula.png");
    let refused = run("figure formula", &path);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("formula"));
    assert!(!path.exists());
}

#[test]
fn a_sweep_that_cannot_be_made_is_refused_by_name_and_nothing_is_written() {
    for (line, end, named) in [
        ("--sweep k", "gif", "--sweep"),
        ("--sweep k=0", "gif", "--sweep"),
        ("--sweep k=0..x", "gif", "--sweep"),
        ("--sweep k=0..inf", "gif", "--sweep"),
        ("--sweep k=0..4:0", "gif", "--sweep"),
        ("--sweep k=0..4:-1", "gif", "--sweep"),
        ("--sweep k=0..500", "gif", "--sweep"),
        ("--sweep k=0..4:0.5", "gif", "--sweep"),
        ("--sweep k=1048570..1048580", "gif", "--sweep"),
        ("--sweep q=0..4", "gif", "--sweep"),
        ("--sweep layout=0..4", "gif", "--sweep"),
        ("--sweep k=0..4", "svg", "--output"),
        ("--sweep k=0..4 --delay 10", "gif", "--delay"),
        ("--delay 100", "gif", "--sweep"),
        ("", "gif", "--output"),
    ] {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("never.{end}"));
        let output = run(&format!("figure rotation {line}"), &path);
        assert_eq!(output.status.code(), Some(2), "{line}: {output:?}");
        let words = String::from_utf8(output.stderr).unwrap();
        assert!(words.contains(named), "{line}: {words}");
        assert!(!path.exists(), "{line}");
    }
}
