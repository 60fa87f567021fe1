//! M-RoPE: text, pictures and video in one sequence. Every token has a time, a height and a width, and each pair of a
//! head is turned by one of them (Qwen2-VL, Wang et al. 2024, arXiv 2409.12191, §2.1; time in seconds: Qwen2.5-VL, Bai
//! et al. 2025, arXiv 2502.13923; `get_rope_index` and `apply_multimodal_rotary_pos_emb` of transformers).

use crate::{Pairing, Rope};

/// Width of a head in Qwen2-VL and Qwen2.5-VL, in dimensions.
pub const MROPE_D_HEAD: usize = 128;
/// Base of the frequencies there.
pub const MROPE_BASE: f64 = 1e6;
/// Pairs of such a head that carry time, height and width: a quarter and twice three eighths.
pub const MROPE_SECTIONS: [usize; 3] = [16, 24, 24];
/// Frames of a video that make one step in time.
pub const FRAMES_PER_STEP: usize = 2;

/// Where a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct MropePosition {
    /// Step in time.
    pub time: i64,
    /// Row.
    pub height: i64,
    /// Column.
    pub width: i64,
}

impl MropePosition {
    /// Text: one position for all three.
    pub fn text(position: i64) -> Self {
        Self {
            time: position,
            height: position,
            width: position,
        }
    }

    /// The position along an axis.
    pub fn along(self, axis: MropeAxis) -> i64 {
        match axis {
            MropeAxis::Time => self.time,
            MropeAxis::Height => self.height,
            MropeAxis::Width => self.width,
        }
    }

    fn largest(self) -> i64 {
        self.time.max(self.height).max(self.width)
    }
}

/// What a pair is turned by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MropeAxis {
    /// By time, the first section of pairs.
    Time,
    /// By the row, the second.
    Height,
    /// By the column, the third.
    Width,
}

/// Multimodal RoPE (Wang et al. 2024, arXiv 2409.12191, §2.1): a head that is turned by three-dimensional positions
/// instead of one number: the first section of pairs, the fastest, by time, the next by height, the last by width.
/// Pairs are halves, as in Qwen's code.
#[derive(Clone, Debug, PartialEq)]
pub struct Mrope {
    rope: Rope,
    sections: [usize; 3],
}

impl Mrope {
    /// Sections are 16, 24 and 24 at a width of 128 and in these proportions, rounded, at others.
    pub fn new(d_head: usize, base: f64) -> Self {
        let rope = Rope::new(d_head, base, Pairing::Halves);
        let time = (rope.pairs() + 2) / 4;
        let height = (rope.pairs() - time).div_ceil(2);
        Self {
            sections: [time, height, rope.pairs() - time - height],
            rope,
        }
    }

    /// Pairs that carry time, height and width.
    pub fn sections(&self) -> [usize; 3] {
        self.sections
    }

    /// The same head for text alone.
    pub fn rope(&self) -> &Rope {
        &self.rope
    }

    /// What a pair is turned by.
    pub fn axis(&self, pair: usize) -> MropeAxis {
        let [time, height, _] = self.sections;
        match pair {
            pair if pair < time => MropeAxis::Time,
            pair if pair < time + height => MropeAxis::Height,
            _ => MropeAxis::Width,
        }
    }

    /// A vector of a token at a position, turned.
    ///
    /// # Panics
    /// Unless it has `d_head` numbers, like everything here that takes vectors.
    pub fn rotated(&self, vector: &[f64], position: MropePosition) -> Vec<f64> {
        self.rope
            .rotated_by(vector, |pair| position.along(self.axis(pair)))
    }

    /// What each pair adds to the logit; `d_head`/2 numbers.
    pub fn contributions(
        &self,
        (q, at): (&[f64], MropePosition),
        (k, other): (&[f64], MropePosition),
    ) -> Vec<f64> {
        self.rope
            .shares(&self.rotated(q, at), &self.rotated(k, other))
    }

    /// The product of the turned vectors over √d_head: it depends on the three differences alone.
    pub fn logit(
        &self,
        (q, at): (&[f64], MropePosition),
        (k, other): (&[f64], MropePosition),
    ) -> f64 {
        let (q, k) = (self.rotated(q, at), self.rotated(k, other));
        let dot: f64 = q.iter().zip(&k).map(|(q, k)| q * k).sum();
        dot / (self.rope.d_head() as f64).sqrt()
    }
}

/// A part of a sequence. Rows and columns are those of tokens, after patches have been merged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segment {
    /// A run of words.
    Text {
        /// Its length.
        tokens: usize,
    },
    /// A picture.
    Image {
        /// Rows of tokens.
        rows: usize,
        /// Columns of tokens.
        columns: usize,
    },
    /// A video.
    Video {
        /// Steps in time, of [`FRAMES_PER_STEP`] frames each.
        steps: usize,
        /// Rows of tokens.
        rows: usize,
        /// Columns of tokens.
        columns: usize,
        /// From step to step: see [`seconds_per_step`].
        seconds_per_step: f64,
    },
}

/// Seconds from step to step of a video of so many frames a second.
pub fn seconds_per_step(frames_per_second: f64) -> f64 {
    FRAMES_PER_STEP as f64 / frames_per_second
}

/// What the time of a video counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VideoClock {
    /// Its steps, whatever time passes between them (Qwen2-VL).
    Steps,
    /// Seconds: ⌊step · seconds per step · tokens per second⌋ (Qwen2.5-VL, whose models have 2 tokens per second).
    Seconds {
        /// Numbers that a second counts.
        tokens_per_second: f64,
    },
}

/// A token of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MropeToken {
    /// Which segment it belongs to.
    pub segment: usize,
    /// Which step of a video; 0 elsewhere.
    pub step: usize,
    /// Where it is.
    pub position: MropePosition,
}

/// The positions of all tokens. A segment begins one after the largest of all three numbers so far; within a picture or
/// a video the numbers count from there on: time, rows and columns.
pub fn mrope_positions(segments: &[Segment], clock: VideoClock) -> Vec<MropeToken> {
    let mut all: Vec<MropeToken> = Vec::new();
    let mut next = 0;
    for (segment, &part) in segments.iter().enumerate() {
        let start = next;
        let mut push = |step: usize, time: i64, height: i64, width: i64| {
            let position = MropePosition {
                time: start + time,
                height: start + height,
                width: start + width,
            };
            next = next.max(position.largest() + 1);
            all.push(MropeToken {
                segment,
                step,
                position,
            });
        };
        match part {
            Segment::Text { tokens } => {
                for token in 0..tokens as i64 {
                    push(0, token, token, token);
                }
            }
            Segment::Image { rows, columns } => {
                for (row, column) in cells(rows, columns) {
                    push(0, 0, row, column);
                }
            }
            Segment::Video {
                steps,
                rows,
                columns,
                seconds_per_step,
            } => {
                for step in 0..steps {
                    let time = time_of(step, seconds_per_step, clock);
                    for (row, column) in cells(rows, columns) {
                        push(step, time, row, column);
                    }
                }
            }
        }
    }
    all
}

fn cells(rows: usize, columns: usize) -> impl Iterator<Item = (i64, i64)> {
    (0..rows as i64).flat_map(move |row| (0..columns as i64).map(move |column| (row, column)))
}

/// In f32, as the reference code.
fn time_of(step: usize, seconds_per_step: f64, clock: VideoClock) -> i64 {
    match clock {
        VideoClock::Steps => step as i64,
        VideoClock::Seconds { tokens_per_second } => {
            (step as f32 * seconds_per_step as f32 * tokens_per_second as f32) as i64
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_close::assert_close;

    fn vector(seed: f64, d_head: usize) -> Vec<f64> {
        (0..d_head).map(|i| (seed + 1.7 * i as f64).sin()).collect()
    }

    #[test]
    fn text_is_turned_as_by_rope() {
        for d_head in [1, 2, 8, 30, 128] {
            let mrope = Mrope::new(d_head, MROPE_BASE);
            let (q, k) = (vector(0.4, d_head), vector(3.0, d_head));
            for (m, n) in [(0, 0), (9, 2), (2, 900)] {
                let [at, other] = [m, n].map(MropePosition::text);
                assert_eq!(mrope.rotated(&q, at), mrope.rope().rotated(&q, m));
                let logit = mrope.rope().logit((&q, m), (&k, n));
                assert_eq!(mrope.logit((&q, at), (&k, other)), logit);
            }
        }
    }

    #[test]
    fn sections_of_qwen() {
        let mrope = Mrope::new(MROPE_D_HEAD, MROPE_BASE);
        assert_eq!(mrope.sections(), MROPE_SECTIONS);
        assert_eq!(mrope.axis(15), MropeAxis::Time);
        assert_eq!(mrope.axis(16), MropeAxis::Height);
        assert_eq!(mrope.axis(40), MropeAxis::Width);
        for d_head in 0..40 {
            let mrope = Mrope::new(d_head, MROPE_BASE);
            assert_eq!(mrope.sections().iter().sum::<usize>(), d_head.max(1) / 2);
        }
    }

    #[test]
    fn each_axis_moves_its_own_pairs() {
        let mrope = Mrope::new(16, 1e4);
        let (q, k) = (vector(0.4, 16), vector(3.0, 16));
        let here = MropePosition {
            time: 4,
            height: 2,
            width: 7,
        };
        let before = mrope.contributions((&q, here), (&k, MropePosition::default()));
        let later = MropePosition { time: 5, ..here };
        let after = mrope.contributions((&q, later), (&k, MropePosition::default()));
        for pair in 0..8 {
            let moved = (before[pair] - after[pair]).abs() > 1e-9;
            assert_eq!(moved, mrope.axis(pair) == MropeAxis::Time);
        }
        let sum: f64 = before.iter().sum();
        assert_close(
            sum,
            mrope.logit((&q, here), (&k, MropePosition::default())),
            1e-13,
        );
    }

    #[test]
    fn the_logit_depends_on_the_differences_alone() {
        let mrope = Mrope::new(16, 1e4);
        let (q, k) = (vector(0.4, 16), vector(3.0, 16));
        let at = |time, height, width| MropePosition {
            time,
            height,
            width,
        };
        let here = mrope.logit((&q, at(4, 2, 7)), (&k, at(1, 1, 9)));
        let there = mrope.logit((&q, at(104, 52, 7)), (&k, at(101, 51, 9)));
        assert_close(here, there, 1e-13);
    }

    fn triples(segments: &[Segment], clock: VideoClock) -> Vec<[i64; 3]> {
        let triple = |token: &MropeToken| {
            [
                token.position.time,
                token.position.height,
                token.position.width,
            ]
        };
        mrope_positions(segments, clock)
            .iter()
            .map(triple)
            .collect()
    }

    const SECONDS: VideoClock = VideoClock::Seconds {
        tokens_per_second: 2.0,
    };

    fn strip(steps: usize, frames_per_second: f64) -> [Segment; 3] {
        [
            Segment::Text { tokens: 2 },
            Segment::Video {
                steps,
                rows: 1,
                columns: 2,
                seconds_per_step: seconds_per_step(frames_per_second),
            },
            Segment::Text { tokens: 2 },
        ]
    }

    #[test]
    fn text_goes_on_after_the_largest_number() {
        let expected = [
            [0, 0, 0],
            [1, 1, 1],
            [2, 2, 2],
            [2, 2, 3],
            [4, 2, 2],
            [4, 2, 3],
            [6, 2, 2],
            [6, 2, 3],
            [7, 7, 7],
            [8, 8, 8],
        ];
        assert_eq!(triples(&strip(3, 2.0), SECONDS), expected);
        let steps = triples(&strip(3, 2.0), VideoClock::Steps);
        assert_eq!((steps[6], steps[8]), ([4, 2, 2], [5, 5, 5]));
        // A picture that is higher than anything else.
        let tall = [
            Segment::Image {
                rows: 3,
                columns: 1,
            },
            Segment::Text { tokens: 1 },
        ];
        assert_eq!(
            triples(&tall, SECONDS),
            [[0, 0, 0], [0, 1, 0], [0, 2, 0], [3, 3, 3]]
        );
    }

    #[test]
    fn two_frame_rates_give_the_same_seconds() {
        // Four seconds, at 1 and at 2 frames a second.
        let (slow, fast) = (
            triples(&strip(2, 1.0), SECONDS),
            triples(&strip(4, 2.0), SECONDS),
        );
        // The slow one's second step is the fast one's third.
        assert_eq!(slow[4][0], fast[6][0]);
        let by_steps = |segments: &[Segment]| triples(segments, VideoClock::Steps);
        assert_ne!(
            by_steps(&strip(2, 1.0))[4][0],
            by_steps(&strip(4, 2.0))[6][0]
        );
    }

    #[test]
    fn nothing_takes_no_positions() {
        let empty = [
            Segment::Text { tokens: 0 },
            Segment::Image {
                rows: 0,
                columns: 3,
            },
            Segment::Text { tokens: 1 },
        ];
        assert_eq!(triples(&empty, SECONDS), [[0, 0, 0]]);
    }
}
