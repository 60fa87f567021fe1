//! M-RoPE: text, images and video in one sequence. Every token has a time, a height and a width, and each pair of a head
//! is rotated by one of them (Qwen2-VL, Wang et al. 2024, arXiv 2409.12191, §2.1; time in seconds: Qwen2.5-VL, Bai et al.
//! 2025, arXiv 2502.13923; `get_rope_index` and `apply_multimodal_rotary_pos_emb` of transformers).

use crate::{Pairing, Rope};

/// Width of a head in Qwen2-VL and Qwen2.5-VL, in dimensions.
pub const MROPE_D_HEAD: usize = 128;
/// Base of the frequencies in these models.
pub const MROPE_BASE: f64 = 1e6;
/// Numbers of pairs of such a head for time, height and width: a quarter and twice three eighths.
pub const MROPE_SECTIONS: [usize; 3] = [16, 24, 24];
/// Video frames per step in time.
pub const FRAMES_PER_STEP: usize = 2;

/// The three-dimensional position of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct MropePosition {
    /// Time; in videos by a [`VideoClock`].
    pub time: i64,
    /// Row.
    pub height: i64,
    /// Column.
    pub width: i64,
}

impl MropePosition {
    /// Returns the position of a text token, which is the same along all axes.
    pub fn text(position: i64) -> Self {
        Self {
            time: position,
            height: position,
            width: position,
        }
    }

    /// Returns the position along an axis.
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

/// The axis whose position rotates a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MropeAxis {
    /// Time, for the first section of pairs.
    Time,
    /// Row, for the second section.
    Height,
    /// Column, for the third section.
    Width,
}

/// Multimodal RoPE (Wang et al. 2024, arXiv 2409.12191, §2.1): a head that is rotated by three-dimensional positions.
/// Time rotates the first section of pairs, which has the highest frequencies, height the next and width the last.
/// The pairing is [`Pairing::Halves`], as in Qwen's code.
#[derive(Clone, Debug, PartialEq)]
pub struct Mrope {
    rope: Rope,
    sections: [usize; 3],
}

impl Mrope {
    /// Creates a head with sections of 16, 24 and 24 pairs for `d_head` = 128, else in these proportions, rounded.
    pub fn new(d_head: usize, base: f64) -> Self {
        let rope = Rope::new(d_head, base, Pairing::Halves);
        let time = (rope.pairs() + 2) / 4;
        let height = (rope.pairs() - time).div_ceil(2);
        Self {
            sections: [time, height, rope.pairs() - time - height],
            rope,
        }
    }

    /// Numbers of pairs for time, height and width.
    pub fn sections(&self) -> [usize; 3] {
        self.sections
    }

    /// The equivalent RoPE for text.
    pub fn rope(&self) -> &Rope {
        &self.rope
    }

    /// Returns the axis whose position rotates a pair.
    pub fn axis(&self, pair: usize) -> MropeAxis {
        let [time, height, _] = self.sections;
        match pair {
            pair if pair < time => MropeAxis::Time,
            pair if pair < time + height => MropeAxis::Height,
            _ => MropeAxis::Width,
        }
    }

    /// Rotates a query or key of a token at a position.
    ///
    /// # Panics
    /// Unless it has `d_head` numbers; so do the other methods that take vectors.
    pub fn rotated(&self, vector: &[f64], position: MropePosition) -> Vec<f64> {
        self.rope
            .rotated_by(vector, |pair| position.along(self.axis(pair)))
    }

    /// Returns what each pair contributes to the logit; ⌊d_head/2⌋ numbers.
    pub fn contributions(
        &self,
        (q, at): (&[f64], MropePosition),
        (k, other): (&[f64], MropePosition),
    ) -> Vec<f64> {
        self.rope
            .shares(&self.rotated(q, at), &self.rotated(k, other))
    }

    /// Returns the logit, the dot product of the rotated vectors over √d_head. It depends on positions by their
    /// differences along the three axes only.
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

/// A part of a sequence. Rows and columns count tokens, that is, patches after merging.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segment {
    /// Text.
    Text {
        /// Number of tokens.
        tokens: usize,
    },
    /// An image.
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
        /// Seconds from one step to the next: see [`seconds_per_step`].
        seconds_per_step: f64,
    },
}

/// Returns the seconds from one step to the next of a video with this frame rate.
pub fn seconds_per_step(frames_per_second: f64) -> f64 {
    FRAMES_PER_STEP as f64 / frames_per_second
}

/// How time is measured in videos.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VideoClock {
    /// In steps, regardless of the seconds between them (Qwen2-VL).
    Steps,
    /// By the seconds elapsed: ⌊step · seconds per step · tokens per second⌋ (Qwen2.5-VL, with 2 tokens per second).
    Seconds {
        /// Increase of the time position per second.
        tokens_per_second: f64,
    },
}

/// A token of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MropeToken {
    /// Index of the segment it belongs to.
    pub segment: usize,
    /// Index of the step within a video; 0 in text and images.
    pub step: usize,
    /// Its three-dimensional position.
    pub position: MropePosition,
}

/// Returns the positions of all tokens. A segment starts one after the largest position so far along any axis; within an
/// image or a video, time, row and column are counted from this start.
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

/// Computes the time of a step, in f32 like the reference code.
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
        // An image in which the row is the largest coordinate.
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
        // Four seconds, at 1 and at 2 frames per second.
        let (slow, fast) = (
            triples(&strip(2, 1.0), SECONDS),
            triples(&strip(4, 2.0), SECONDS),
        );
        // The second step of the slow video is simultaneous with the third of the fast one.
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
