//! Text, a video and text as one sequence, at two frame rates: time, height and width of every token, what each pair of
//! a head is turned by, and the clock of the video.

use crate::draw::chart::{Chart, Scale, cell_rect};
use crate::draw::pen::text_width;
use crate::draw::{DrawContext, DrawResult, Pen, Picture, Rect, Theme, Words};
use crate::field::{Field, Values, ViewName};
use crate::figure::{Figure, Handle, Mapping};
use crate::math::random::Normals;
use crate::text::markup::{Node, html};
use crate::text::number::fixed;
use crate::text::{Lang, Text};
use plotters::style::RGBColor;
use posenc_encoding::{
    MROPE_BASE, MROPE_D_HEAD, Mrope, MropeAxis, MropePosition, MropeToken, Segment, VideoClock,
    mrope_positions, seconds_per_step,
};

const SECONDS: f64 = 4.0;
/// Frames a second, and steps of two frames in the clip.
const RATES: [(f64, usize); 2] = [(1.0, 2), (2.0, 4)];
const TEXT: usize = 3;
const SIDE: usize = 2;
const SEED: u64 = 1;

const AXES: [(MropeAxis, &str, Text); 3] = [
    (MropeAxis::Time, "t", Text::new("time t", "时间 t")),
    (MropeAxis::Height, "h", Text::new("height h", "高 h")),
    (MropeAxis::Width, "w", Text::new("width w", "宽 w")),
];
const TURNS: Text = Text::new("position it is turned by", "转动所用的位置");
const PAIR: Text = Text::new("pair i", "维度对 i");
const CLOCK: Text = Text::new("t", "t");
const CLIP: Text = Text::new("seconds into the clip", "片中时间（秒）");

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
    /// How far the chosen token's turned vector is from RoPE's at position t.
    apart: f64,
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

/// The largest difference of a seeded vector turned by a place and by RoPE at position t.
fn apart(mrope: &Mrope, position: MropePosition) -> f64 {
    let vector: Vec<f64> = Normals::seeded(SEED).take(MROPE_D_HEAD).collect();
    let turned = mrope.rotated(&vector, position);
    let plain = mrope.rope().rotated(&vector, position.time);
    let pairs = turned.iter().zip(&plain);
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

struct Plan {
    /// Tokens across, t, h and w down.
    strips: [Rect; 2],
    turns: Chart,
    clock: Chart,
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

    fn plan(&self, context: &DrawContext) -> Plan {
        let size = context.theme.label_size();
        let (width, height) = (context.frame.width, context.frame.height);
        let left = 1.6 * size;
        let cell = (width - left - 0.3 * size) / length(1) as f64;
        let strip = |video: usize| {
            Rect::new(
                left,
                (2.8 + 7.8 * video as f64) * size,
                cell * length(video) as f64,
                4.5 * size,
            )
        };
        let top = STRIPS * size;
        let room = if beside(width, context.theme) {
            let half = |x: f64| Rect::new(x, top, width / 2.0, height - top);
            [half(0.0), half(width / 2.0)]
        } else {
            let half = |y: f64| Rect::new(0.0, y, width, (height - top) / 2.0);
            [half(top), half((top + height) / 2.0)]
        };
        let pairs = Scale::linear(-0.5, self.mrope.rope().pairs() as f64 - 0.5);
        let most = self
            .tokens
            .iter()
            .flatten()
            .map(|token| token.position.time);
        let most = most.max().unwrap_or_default() as f64 + 2.0;
        let positions = Scale::linear(0.0, most);
        Plan {
            strips: [strip(0), strip(1)],
            turns: Chart::new(context, room[0], pairs, positions),
            clock: Chart::new(context, room[1], Scale::linear(0.0, SECONDS), positions),
        }
    }

    fn rate(&self, video: usize) -> &'static str {
        let text = [
            Text::new("1 frame a second", "每秒 1 帧"),
            Text::new("2 frames a second", "每秒 2 帧"),
        ];
        text[video].get(self.lang)
    }

    fn draw_strip<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        context: &DrawContext,
        rect: Rect,
        video: usize,
    ) -> DrawResult<DB> {
        let (theme, size) = (context.theme, context.theme.label_size());
        let tokens = &self.tokens[video];
        let grid = (1, tokens.len());
        let words = Words::new(size, theme.muted);
        let title = (0.3 * size, rect.y - 2.0 * size);
        pen.words(
            title,
            self.rate(video),
            Words::new(size, theme.ink).bold().starting(),
        )?;
        let line = rect.height / 3.0;
        for (row, (_, name, _)) in AXES.iter().enumerate() {
            let at = (rect.x - 0.5 * size, rect.y + (row as f64 + 0.5) * line);
            let words = Words::new(size, colours(theme)[row]).bold();
            pen.words(at, name, words.ending())?;
        }
        let span = |first: usize, last: usize| {
            let (a, b) = (
                cell_rect(rect, grid, 0, first),
                cell_rect(rect, grid, 0, last),
            );
            a.with_width(b.right() - a.x)
        };
        let step = seconds_per_step(RATES[video].0);
        for (first, token) in tokens.iter().enumerate() {
            if token.segment == 1 && (first - TEXT).is_multiple_of(SIDE * SIDE) {
                let part = span(first, first + SIDE * SIDE - 1);
                if token.step % 2 == 0 {
                    pen.fill(part, theme.muted, 0.16)?;
                } else {
                    pen.fill(part, theme.muted, 0.07)?;
                }
                let second = fixed(token.step as f64 * step, 0);
                let name = match self.lang {
                    Lang::En => format!("{second} s"),
                    Lang::Zh => format!("{second} 秒"),
                };
                pen.words((part.centre_x(), rect.y - 0.7 * size), &name, words)?;
            }
        }
        let text = match self.lang {
            Lang::En => "text",
            Lang::Zh => "文字",
        };
        for first in [0, tokens.len() - TEXT] {
            let part = span(first, first + TEXT - 1);
            pen.words((part.centre_x(), rect.y - 0.7 * size), text, words)?;
        }
        let cell = rect.width / tokens.len() as f64;
        // Two digits leave a gap to the next two.
        let small = size.min(0.78 * cell / text_width("00", 1.0));
        for (index, token) in tokens.iter().enumerate() {
            let part = cell_rect(rect, grid, 0, index);
            for (row, (axis, ..)) in AXES.iter().enumerate() {
                let at = (part.x + cell / 2.0, rect.y + (row as f64 + 0.5) * line);
                let name = token.position.along(*axis).to_string();
                pen.words(at, &name, Words::new(small, colours(theme)[row]))?;
            }
            pen.outline(part, theme.rule, 1.0, theme.hairline())?;
        }
        pen.outline(rect, theme.muted, 0.8, theme.hairline())?;
        if video == self.video {
            let part = cell_rect(rect, grid, 0, self.pos);
            pen.outline(part, theme.there, 1.0, 1.2 * theme.stroke())?;
        }
        Ok(())
    }

    /// The position that each pair is turned by, a step per section.
    fn draw_turns<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        context: &DrawContext,
        chart: &Chart,
    ) -> DrawResult<DB> {
        let (theme, size) = (context.theme, context.theme.label_size());
        chart.axes(pen, context, [TURNS, PAIR].map(|text| text.get(self.lang)))?;
        let mut start = 0.0;
        for (index, (axis, _, name)) in AXES.into_iter().enumerate() {
            let pairs = self.mrope.sections()[index] as f64;
            let (from, to) = (start - 0.5, start + pairs - 0.5);
            let position = self.chosen().position.along(axis) as f64;
            let (left, y) = chart.at((from, position));
            let part = Rect::new(left, y, chart.x.pixel(to) - left, chart.plot.bottom() - y);
            let colour = colours(theme)[index];
            pen.fill(part, colour, 0.2)?;
            chart.curve(
                pen,
                [(from, position), (to, position)],
                colour,
                1.4 * theme.stroke(),
            )?;
            let at = (part.centre_x(), chart.plot.y + 0.8 * size);
            let words = Words::new(0.9 * size, colour).bold();
            pen.words(at, name.get(self.lang), words)?;
            start += pairs;
        }
        Ok(())
    }

    fn draw_clock<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        context: &DrawContext,
        chart: &Chart,
    ) -> DrawResult<DB> {
        let (theme, size) = (context.theme, context.theme.label_size());
        chart.axes(pen, context, [CLOCK, CLIP].map(|text| text.get(self.lang)))?;
        let kinds = [(theme.muted, 5.0), (theme.ink, 2.2)];
        for (video, (colour, radius)) in kinds.into_iter().enumerate() {
            let times = self.times(video);
            chart.dots(pen, times.iter().copied(), colour, radius * theme.scale)?;
            chart.curve(pen, times, colour, 0.6 * theme.stroke())?;
            let at = (
                chart.plot.x + 1.6 * size,
                chart.plot.y + (0.8 + 1.3 * video as f64) * size,
            );
            pen.disc((at.0 - 0.8 * size, at.1), radius * theme.scale, colour)?;
            pen.words(at, self.rate(video), Words::new(size, theme.ink).starting())?;
        }
        Ok(())
    }
}

/// Height of the two strips in sizes of a label.
const STRIPS: f64 = 16.4;

/// Whether the charts stand beside each other.
fn beside(width: f64, theme: &Theme) -> bool {
    width > 42.0 * theme.label_size()
}

fn colours(theme: &Theme) -> [RGBColor; 3] {
    [theme.sine, theme.cosine, theme.accent]
}

impl Figure for Strip {
    const NAME: ViewName = ViewName::Strip;
    const FIELDS: &'static [Field] = &[
        Field::choice(
            "clock",
            "The video’s t counts",
            "视频的 t 按什么计",
            &[
                (
                    "seconds",
                    Text::new("Seconds (Qwen2.5-VL)", "秒（Qwen2.5-VL）"),
                ),
                ("steps", Text::new("Steps (Qwen2-VL)", "步（Qwen2-VL）")),
            ],
        ),
        Field::choice(
            "video",
            "Video",
            "视频",
            &[
                ("fast", Text::new("2 frames a second", "每秒 2 帧")),
                ("slow", Text::new("1 frame a second", "每秒 1 帧")),
            ],
        )
        .linked(),
        Field::whole("pos", "token", "词元", 13, |v| {
            (
                0,
                length(usize::from(v.choice("video") == "fast")) as i64 - 1,
            )
        })
        .linked(),
    ];

    fn new(values: &Values, lang: Lang, _: Option<Strip>) -> Strip {
        let seconds = values.choice("clock") == "seconds";
        let clock = if seconds {
            VideoClock::Seconds {
                tokens_per_second: 2.0,
            }
        } else {
            VideoClock::Steps
        };
        let mut strip = Strip {
            lang,
            seconds,
            tokens: [0, 1].map(|video| tokens(video, clock)),
            video: usize::from(values.choice("video") == "fast"),
            pos: values.count("pos"),
            mrope: Mrope::new(MROPE_D_HEAD, MROPE_BASE),
            apart: 0.0,
        };
        strip.apart = apart(&strip.mrope, strip.chosen().position);
        strip
    }

    fn caption(&self) -> String {
        let token = self.chosen();
        let MropePosition {
            time,
            height,
            width,
        } = token.position;
        let at_two = [0, 1].map(|video| {
            let times = self.times(video);
            let found = times.iter().find(|(second, _)| *second == 2.0);
            found.map_or(0.0, |(_, time)| *time)
        });
        let first = match (self.lang, token.segment) {
            (Lang::En, 1) => format!(
                "This patch has t = {time}, h = {height}, w = {width}, each turning its own pairs; RoPE at position {time} differs by up to {}.",
                fixed(self.apart, 2)
            ),
            (Lang::Zh, 1) => format!(
                "这个图块 t = {time}，h = {height}，w = {width}，各转各的维度对；与位置 {time} 上的 RoPE 最多相差 {}。",
                fixed(self.apart, 2)
            ),
            (Lang::En, _) => format!(
                "This text token has t = h = w = {time}: every pair is turned as by RoPE at position {time}, with a difference of {}.",
                self.apart
            ),
            (Lang::Zh, _) => format!(
                "这个文字词元 t = h = w = {time}：每个维度对都与位置 {time} 上的 RoPE 转得一样，相差 {}。",
                self.apart
            ),
        };
        let second = match (self.lang, self.seconds) {
            (Lang::En, true) => {
                format!(" Two seconds in, t is {} at either frame rate.", at_two[0])
            }
            (Lang::Zh, true) => format!("片中第 2 秒，两种帧率下 t 都是 {}。", at_two[0]),
            (Lang::En, false) => format!(
                " Two seconds in, t is {} at one frame a second and {} at two: steps are counted, whatever time they take.",
                at_two[0], at_two[1]
            ),
            (Lang::Zh, false) => format!(
                "片中第 2 秒，每秒 1 帧时 t 为 {}，每秒 2 帧时为 {}：数的是步，不管一步有多久。",
                at_two[0], at_two[1]
            ),
        };
        first + &second
    }

    fn above(&self) -> Option<Node> {
        let note = match self.lang {
            Lang::En => {
                "Three text tokens, a clip of four seconds, three text tokens. Two frames make one step of 2 × 2 tokens. Click a token, or choose with ← → and ↑ ↓."
            }
            Lang::Zh => {
                "三个文字词元、四秒视频、三个文字词元。每两帧合为一步，一步有 2 × 2 个词元。点击词元，或用 ← → 与 ↑ ↓ 选择。"
            }
        };
        Some(html::p(note).class("note"))
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        let charts = if beside(width, theme) { 17.0 } else { 30.0 };
        Some((STRIPS + charts) * theme.label_size())
    }

    fn draw<DB: Picture>(&self, pen: &Pen<DB>, context: &DrawContext) -> DrawResult<DB> {
        let plan = self.plan(context);
        for (video, rect) in plan.strips.into_iter().enumerate() {
            self.draw_strip(pen, context, rect, video)?;
        }
        self.draw_turns(pen, context, &plan.turns)?;
        self.draw_clock(pen, context, &plan.clock)
    }

    fn handles(&self, context: &DrawContext) -> Vec<Handle> {
        let strips = self.plan(context).strips.into_iter().enumerate();
        let tokens = strips.map(|(video, rect)| {
            let video_first = Handle::area(rect).sets_text("video", NAMES[video]);
            video_first.sets("pos", Mapping::column((1, length(video))))
        });
        tokens.collect()
    }

    fn key(&self, key: &str, shift: bool, values: &mut Values) -> bool {
        match key {
            "ArrowUp" => values.set("video", NAMES[0]),
            "ArrowDown" => values.set("video", NAMES[1]),
            _ => return crate::figure::arrows(["pos", ""], key, shift, values),
        };
        true
    }
}

const NAMES: [&str; 2] = ["slow", "fast"];

/// `mrope_wavelength(pair)`, and `clip_time(seconds clock, video, step)`.
#[cfg(test)]
pub fn numbers(name: &str, arguments: &[f64]) -> Option<f64> {
    match (name, arguments) {
        ("mrope_wavelength", &[pair]) => {
            let mrope = Mrope::new(MROPE_D_HEAD, MROPE_BASE);
            Some(mrope.rope().wavelength(pair as usize))
        }
        ("mrope_pairs", &[section]) => {
            let mrope = Mrope::new(MROPE_D_HEAD, MROPE_BASE);
            Some(mrope.sections()[section as usize] as f64)
        }
        ("clip_time", &[seconds, video, step]) => {
            let mut values = Values::new(Strip::FIELDS);
            values.set("clock", if seconds > 0.0 { "seconds" } else { "steps" });
            let strip = Strip::new(&values, Lang::En, None);
            Some(strip.times(video as usize)[step as usize].1)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(changes: &str) -> (Strip, Values) {
        let values = Values::with(Strip::FIELDS, changes);
        (Strip::new(&values, Lang::En, None), values)
    }

    /// ⌊step · seconds per step · 2⌋ after three text tokens, worked by hand.
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
        for video in NAMES {
            let (_, values) = shown(&format!("video={video}"));
            let (_, last) = values.limits("pos");
            for pos in 0..=last {
                let (strip, _) = shown(&format!("video={video} pos={pos}"));
                let MropePosition {
                    time,
                    height,
                    width,
                } = strip.chosen().position;
                let text = strip.chosen().segment != 1;
                assert_eq!(text, strip.caption().contains("text token"));
                assert_eq!(strip.apart == 0.0, time == height && time == width);
                assert!(!text || strip.apart == 0.0);
            }
        }
    }

    #[test]
    fn every_token_is_reached_by_keys() {
        let (strip, mut values) = shown("");
        assert!(strip.key("End", false, &mut values));
        assert_eq!(values.whole("pos"), 21);
        assert!(strip.key("ArrowUp", false, &mut values));
        assert_eq!((values.choice("video"), values.whole("pos")), ("slow", 13));
    }
}
