//! Text, a video and text as one sequence (M-RoPE: Wang et al. 2024, arXiv 2409.12191; the clock in seconds: Bai et al.
//! 2025, arXiv 2502.13923): temporal, height and width position of every token.

use super::axes::{charts, number};
use super::curves::{assert_curve, assert_dot};
use super::query::{picture, same_rect};
use super::{light, rgb};
use crate::recording::Recording;
use posenc::{Rect, ViewName};

/// The number of text tokens before and after the video, and of patches along a side of a frame.
const TEXT: usize = 3;
const SIDE: usize = 2;

/// t, h and w of every token of a clip of four seconds at `rate` frames per second; two frames make a step.
fn positions(rate: usize, seconds: bool) -> Vec<[usize; 3]> {
    let mut all: Vec<[usize; 3]> = (0..TEXT).map(|p| [p; 3]).collect();
    for step in 0..4 * rate / 2 {
        // Two positions per second; a step is 2/rate seconds.
        let time = if seconds { step * 2 * 2 / rate } else { step };
        for patch in 0..SIDE * SIDE {
            all.push([TEXT + time, TEXT + patch / SIDE, TEXT + patch % SIDE]);
        }
    }
    // Text continues after the largest position so far.
    let next = all.iter().flatten().max().unwrap() + 1;
    all.extend((0..TEXT).map(|p| [next + p; 3]));
    all
}

/// The frame around a video's tokens, below the label of its rate.
fn frame(it: &Recording, rate: usize) -> Rect {
    let name = match rate {
        1 => "1 frame a second",
        _ => "2 frames a second",
    };
    let title = it.words(name).at.1;
    let wide = it.outlines(rgb(light().muted)).into_iter();
    let below = wide.filter(|rect| rect.width > 200.0 && rect.y > title);
    *below.min_by(|a, b| a.y.total_cmp(&b.y)).unwrap()
}

#[test]
fn every_token_has_its_three_positions() {
    for (clock, seconds) in [("seconds", true), ("steps", false)] {
        let it = picture(
            ViewName::Strip,
            &format!("clock={clock}&video=fast&pos=9"),
            720.0,
        );
        for rate in [1, 2] {
            let rect = frame(&it, rate);
            let wanted = positions(rate, seconds);
            let cell = rect.width / wanted.len() as f64;
            for (token, wanted) in wanted.iter().enumerate() {
                for (row, wanted) in wanted.iter().enumerate() {
                    let x = rect.x + (token as f64 + 0.5) * cell;
                    let y = rect.y + (row as f64 + 0.5) / 3.0 * rect.height;
                    let said = it
                        .texts()
                        .find(|words| (words.at.0 - x).abs() < 0.3 && (words.at.1 - y).abs() < 0.3);
                    let said = said.unwrap();
                    assert_eq!(
                        number(&said.text),
                        Some(*wanted as f64),
                        "{clock} {rate} {token} {row}"
                    );
                    assert_eq!(said.rgb, rgb(light().series[row]));
                }
            }
            // A step is labelled with its seconds.
            for step in 0..4 * rate / 2 {
                let x = rect.x + (TEXT + 4 * step + 2) as f64 * cell;
                let name = format!("{} s", step * 2 / rate);
                let named = it.texts().any(|words| {
                    words.text == name
                        && (words.at.0 - x).abs() < 0.5
                        && (0.0..20.0).contains(&(rect.y - words.at.1))
                });
                assert!(named, "{rate}: {name}");
            }
        }
        let rect = frame(&it, 2);
        let cell = rect.width / positions(2, seconds).len() as f64;
        let chosen = Rect::new(rect.x + 9.0 * cell, rect.y, cell, rect.height);
        assert!(
            it.outlines(rgb(light().accent))
                .iter()
                .any(|it| same_rect(it, &chosen))
        );
    }
}

/// Sections of 16, 24 and 24 pairs are rotated by t, h and w of the chosen token.
#[test]
fn each_section_turns_by_its_own_position() {
    for (clock, seconds) in [("seconds", true), ("steps", false)] {
        for (video, rate, token) in [("fast", 2, 14), ("slow", 1, 8), ("fast", 2, 21)] {
            let settings = format!("clock={clock}&video={video}&pos={token}");
            let it = picture(ViewName::Strip, &settings, 720.0);
            let plot = &charts(&it)[0];
            let position = positions(rate, seconds)[token];
            let mut start = 0.0;
            for (axis, pairs) in [16.0, 24.0, 24.0].into_iter().enumerate() {
                let ends = [start - 0.5, start + pairs - 0.5];
                let [from, to] = ends.map(|pair| plot.point((pair, position[axis] as f64)));
                let lines = it.paths(rgb(light().series[axis]));
                let level = lines.iter().any(|(line, _)| {
                    super::query::distance(line[0], from) < 0.3
                        && super::query::distance(line[line.len() - 1], to) < 0.3
                });
                assert!(level, "{settings}: axis {axis} at {}", position[axis]);
                start += pairs;
            }
        }
    }
}

/// With the clock in steps a video with twice the frame rate takes twice as long; in seconds both agree.
#[test]
fn clocks_of_two_rates_over_the_same_clip() {
    for (clock, seconds) in [("seconds", true), ("steps", false)] {
        let it = picture(ViewName::Strip, &format!("clock={clock}"), 720.0);
        let plot = charts(&it).pop().unwrap();
        for (rate, colour) in [(1, light().muted), (2, light().ink)] {
            let positions = positions(rate, seconds);
            let times: Vec<(f64, f64)> = (0..4 * rate / 2)
                .map(|step| {
                    let [time, ..] = positions[TEXT + step * SIDE * SIDE];
                    ((step * 2) as f64 / rate as f64, time as f64)
                })
                .collect();
            for time in &times {
                assert_dot(&it, &plot, rgb(colour), *time);
            }
            if times.len() > 2 {
                assert_curve(&it, &plot, rgb(colour), &times);
            }
        }
    }
}
