//! M-RoPE for text, a video and text as one sequence, at two frame rates: time, height and width of every token.

mod picture;
mod words;

use crate::draw::{DrawContext, Pen, Rect, Theme};
use crate::field::{Choice, Field, Key, Values, ViewName, choices, fields};
use crate::figure::{Figure, Handle, Mapping};
use crate::math::random::Normals;
use crate::text::markup::Node;
use crate::text::{Lang, Text};
use picture::cells_of;
use posenc_encoding::{
    MROPE_BASE, MROPE_D_HEAD, Mrope, MropePosition, MropeToken, Segment, VideoClock,
    mrope_positions, seconds_per_step,
};
use words::{SIDE, TEXT};

const SECONDS: f64 = 4.0;
/// The increase of t per second, if t counts seconds.
const TOKENS_PER_SECOND: f64 = 2.0;
/// Frames per second, and the number of steps of two frames in the clip.
const RATES: [(f64, usize); 2] = [(1.0, 2), (2.0, 4)];
const SEED: u64 = 1;

const fn length(video: usize) -> usize {
    2 * TEXT + RATES[video].1 * SIDE * SIDE
}

pub struct Strip {
    lang: Lang,
    seconds: bool,
    /// Tokens at the slow rate and at the fast one.
    tokens: [Vec<MropeToken>; 2],
    video: usize,
    pos: usize,
    mrope: Mrope,
    /// The largest difference between the selected token's rotated vector and that of RoPE at position t.
    max_difference: f64,
}

fn tokens(video: usize, clock: VideoClock) -> Vec<MropeToken> {
    let (rate, steps) = RATES[video];
    let text = Segment::Text { tokens: TEXT };
    let clip = Segment::Video {
        steps,
        rows: SIDE,
        columns: SIDE,
        seconds_per_step: seconds_per_step(rate),
    };
    mrope_positions(&[text, clip, text], clock)
}

/// The largest difference between a seeded vector rotated by M-RoPE at a position and by RoPE at its t.
fn max_difference(mrope: &Mrope, position: MropePosition) -> f64 {
    let vector: Vec<f64> = Normals::seeded(SEED).take(MROPE_D_HEAD).collect();
    let turned = mrope.rotated(&vector, position);
    let plain = mrope.rope().rotated(&vector, position.time);
    let pairs = turned.iter().zip(&plain);
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

impl Strip {
    fn chosen(&self) -> &MropeToken {
        &self.tokens[self.video][self.pos]
    }

    /// Seconds into the clip, and t, of each step of a video.
    fn times(&self, video: usize) -> Vec<(f64, f64)> {
        let step = seconds_per_step(RATES[video].0);
        let clip = self.tokens[video].iter().filter(|token| token.segment == 1);
        clip.step_by(SIDE * SIDE)
            .map(|token| (token.step as f64 * step, token.position.time as f64))
            .collect()
    }

    fn rate(&self, video: usize) -> &'static str {
        VIDEOS[video].label().get(self.lang)
    }
}

choices! {
    enum Clock {
        Seconds "seconds" "Seconds (Qwen2.5-VL)" "秒（Qwen2.5-VL）";
        Steps "steps" "Steps (Qwen2-VL)" "步（Qwen2-VL）";
    }
}

choices! {
    enum Video {
        Fast "fast" "2 frames a second" "每秒 2 帧";
        Slow "slow" "1 frame a second" "每秒 1 帧";
    }
}

/// The videos from the slow rate to the fast one, in the order of [`RATES`].
const VIDEOS: [Video; 2] = [Video::Slow, Video::Fast];

fn index_of(video: Video) -> usize {
    usize::from(video == Video::Fast)
}

fields! {
    CLOCK: Clock = Key::choice("clock", "The video’s t counts", "视频的 t 按什么计");
    VIDEO: Video = Key::choice("video", "Video", "视频").without_control();
    POS: i64 = Key::whole("pos", "token", "词元", 13, |v| {
        (0, length(index_of(v.get(VIDEO))) as i64 - 1)
    })
    .without_control();
}

impl Figure for Strip {
    const NAME: ViewName = ViewName::Strip;
    const FIELDS: &'static [Field] = FIELDS;

    /// The two strips, with a row each for t, h and w. Both are equally wide: a second of the clip has the same place in them.
    type Layout = [Rect; 2];

    fn new(values: &Values, lang: Lang, _: Option<Strip>) -> Strip {
        let seconds = values.get(CLOCK) == Clock::Seconds;
        let clock = if seconds {
            VideoClock::Seconds {
                tokens_per_second: TOKENS_PER_SECOND,
            }
        } else {
            VideoClock::Steps
        };
        let mut strip = Strip {
            lang,
            seconds,
            tokens: [0, 1].map(|video| tokens(video, clock)),
            video: index_of(values.get(VIDEO)),
            pos: values.count(POS),
            mrope: Mrope::new(MROPE_D_HEAD, MROPE_BASE),
            max_difference: 0.0,
        };
        strip.max_difference = max_difference(&strip.mrope, strip.chosen().position);
        strip
    }

    fn title(&self) -> Text {
        match self.seconds {
            true => Text::new("Same second, same t", "同一秒，同一个 t"),
            false => Text::new("Same second, another t", "同一秒，t 却不同"),
        }
    }

    fn caption(&self) -> String {
        self.describe()
    }

    fn more(&self) -> Option<Node> {
        self.elements_above()
    }

    fn height(&self, _: f64, theme: &Theme) -> Option<f64> {
        Some(picture::height(theme))
    }

    fn layout(&self, context: &DrawContext) -> [Rect; 2] {
        self.strips(context)
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, strips: &[Rect; 2]) {
        self.draw_all(pen, context, *strips);
    }

    fn handles(&self, _: &DrawContext, strips: &[Rect; 2]) -> Vec<Handle> {
        let strips = strips.iter().copied().enumerate();
        let tokens = strips.map(|(video, rect)| {
            let video_first = Handle::area(rect).sets_choice(VIDEO, VIDEOS[video]);
            let cells = |token| std::iter::repeat_n(Some(token as i64), cells_of(video, token).1);
            video_first.sets(
                POS,
                Mapping::Lookup {
                    shape: (1, length(1)),
                    numbers: (0..length(video)).flat_map(cells).collect(),
                },
            )
        });
        tokens.collect()
    }

    fn key(&self, key: &str, shift: bool, values: &mut Values) -> bool {
        match key {
            "ArrowUp" => values.set_to(VIDEO, VIDEOS[0]),
            "ArrowDown" => values.set_to(VIDEO, VIDEOS[1]),
            _ => return crate::figure::arrows([Some(POS), None], key, shift, values),
        };
        true
    }

    /// `mrope_wavelength(pair)`, `mrope_pairs(section)`, `clip_pace()`, and `clip_time(seconds clock, video, step)`.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        match (name, arguments) {
            ("mrope_wavelength", &[pair]) => {
                let mrope = Mrope::new(MROPE_D_HEAD, MROPE_BASE);
                Some(mrope.rope().wavelength(pair as usize))
            }
            ("mrope_pairs", &[section]) => {
                let mrope = Mrope::new(MROPE_D_HEAD, MROPE_BASE);
                Some(mrope.sections()[section as usize] as f64)
            }
            ("clip_pace", []) => Some(TOKENS_PER_SECOND),
            ("clip_time", &[seconds, video, step]) => {
                let mut values = Values::new(Strip::FIELDS);
                let clock = if seconds > 0.0 {
                    Clock::Seconds
                } else {
                    Clock::Steps
                };
                values.set_to(CLOCK, clock);
                let strip = Strip::new(&values, Lang::En, None);
                Some(strip.times(video as usize)[step as usize].1)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(changes: &str) -> (Strip, Values) {
        let values = Values::with(Strip::FIELDS, changes);
        (Strip::new(&values, Lang::En, None), values)
    }

    /// ⌊step · seconds per step · 2⌋ after three text tokens, calculated by hand.
    #[test]
    fn seconds_are_the_same_at_two_rates_and_steps_are_not() {
        let (seconds, _) = shown("");
        assert_eq!(seconds.times(0), [(0.0, 3.0), (2.0, 7.0)]);
        let fast = [(0.0, 3.0), (1.0, 5.0), (2.0, 7.0), (3.0, 9.0)];
        assert_eq!(seconds.times(1), fast);
        let (steps, _) = shown("clock=steps");
        assert_eq!(steps.times(0)[1], (2.0, 4.0));
        assert_eq!(steps.times(1)[2], (2.0, 5.0));
    }

    #[test]
    fn on_text_it_is_rope_and_on_patches_it_is_not() {
        for video in VIDEOS.map(Choice::name) {
            let (_, values) = shown(&format!("video={video}"));
            let (_, last) = values.limits(POS.name());
            for pos in 0..=last {
                let (strip, _) = shown(&format!("video={video} pos={pos}"));
                let MropePosition {
                    time,
                    height,
                    width,
                } = strip.chosen().position;
                let text = strip.chosen().segment != 1;
                assert_eq!(text, strip.caption().contains("text token"));
                assert_eq!(strip.max_difference == 0.0, time == height && time == width);
                assert!(!text || strip.max_difference == 0.0);
            }
        }
    }

    #[test]
    fn every_token_is_reached_by_keys() {
        let (strip, mut values) = shown("");
        assert!(strip.key("End", false, &mut values));
        assert_eq!(values.get(POS), 21);
        assert!(strip.key("ArrowUp", false, &mut values));
        assert_eq!((values.get(VIDEO), values.get(POS)), (Video::Slow, 13));
    }
}
