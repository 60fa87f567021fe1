//! Text, a video and text as one sequence (M-RoPE: Wang et al. 2024, arXiv 2409.12191; the clock in seconds: Bai et al.
//! 2025, arXiv 2502.13923): temporal, height and width position of every token.

use super::axes::number;
use super::query::picture;
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
    let below = wide.filter(|rect| rect.width > 400.0 && rect.y > title);
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
            // The clip has the place of the 16 tokens of the fast rate.
            let cell = rect.width / 22.0;
            let wide = 16.0 / (wanted.len() - 2 * TEXT) as f64;
            let middle = |token: usize| match token {
                _ if token < TEXT => token as f64 + 0.5,
                _ if token < wanted.len() - TEXT => 3.0 + ((token - TEXT) as f64 + 0.5) * wide,
                _ => (token + 22 - wanted.len()) as f64 + 0.5,
            };
            let levels = ["t", "h", "w"].map(|name| {
                let names = it.texts().filter(|words| words.text == name);
                let mut levels = names.map(|words| words.at.1);
                levels
                    .find(|y| (rect.y..rect.bottom()).contains(y))
                    .unwrap()
            });
            for (token, wanted) in wanted.iter().enumerate() {
                for (row, wanted) in wanted.iter().enumerate() {
                    let clip = (TEXT..positions(rate, seconds).len() - TEXT).contains(&token);
                    // The four tokens of a step have one time.
                    let token = match token.saturating_sub(TEXT) % 4 {
                        within if clip && row == 0 => token - within,
                        _ => token,
                    };
                    let half = if clip && row == 0 { 1.5 * wide } else { 0.0 };
                    let (x, y) = (rect.x + (middle(token) + half) * cell, levels[row]);
                    let said = it
                        .texts()
                        .find(|words| (words.at.0 - x).abs() < 0.3 && (words.at.1 - y).abs() < 0.3);
                    let said = said.unwrap();
                    assert_eq!(
                        number(&said.text),
                        Some(*wanted as f64),
                        "{clock} {rate} {token} {row}"
                    );
                    // What is compared has a colour.
                    let colour = match row {
                        0 => light().series[0],
                        _ => light().muted,
                    };
                    assert_eq!(said.rgb, rgb(colour));
                }
            }
            // In its first step a clip has the number of frames, in each other how much t has grown.
            for step in 0..4 * rate / 2 {
                let said = match (step, seconds) {
                    (0, _) => "2 frames".to_string(),
                    (_, true) => format!("+{} in {} s", 4 / rate, 2 / rate),
                    (_, false) => "+1 a step".to_string(),
                };
                let x = rect.x + (TEXT as f64 + (4.0 * step as f64 + 2.0) * wide) * cell;
                assert!(
                    it.says(&said, (x, levels[0] + 18.0), 4.0),
                    "{clock} {rate}: {said}"
                );
            }
            // A second has the same place at both rates, and one line is where they are compared.
            let at_two = rect.x + (TEXT + 8) as f64 * cell;
            assert!(it.upright_at(rgb(light().there), at_two));
            for second in 0..=4 {
                let x = rect.x + (TEXT + 4 * second) as f64 * cell;
                let at = it.words(&format!("{second} s")).at;
                assert!((at.0 - x).abs() < 0.5 && at.1 < rect.y, "{second}");
            }
        }
        let rect = frame(&it, 2);
        let cell = rect.width / positions(2, seconds).len() as f64;
        let (chosen, _) = it.fills(rgb(light().ink))[0];
        assert!((chosen.x - rect.x - 9.0 * cell).abs() < 0.3);
        assert!((chosen.width - cell).abs() < 0.3);
        assert!((chosen.bottom() - rect.bottom()).abs() < 0.3);
    }
}
