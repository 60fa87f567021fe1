//! The parts of a question: answers and their grading, numbers from a seed, sentences in both
//! languages.

use crate::figures::quiz::sketch::{Colour, Given, Sketch};
use crate::text::number::fixed;
use crate::text::{Lang, Text};
use posenc_encoding::{Layout, Sinusoidal};

/// The step of an arrow key on a dial, as a share of a turn, and on an axis, as a share of its length.
const TURN_STEP: f64 = 1.0 / 360.0;
const AXIS_STEP: f64 = 1.0 / 200.0;

pub struct Question {
    pub ask: String,
    pub answer: Answer,
    /// The explanation of the right answer, shown after every answer.
    pub why: String,
    /// Captions of the picture before the answer is checked, and after.
    pub caption_before: String,
    pub caption_after: String,
    pub sketch: Sketch,
}

pub enum Answer {
    Number {
        right: f64,
        tolerance: f64,
        /// Typical wrong numbers, with their explanations.
        traps: Vec<(f64, String)>,
    },
    /// Options, each with the reason why it is wrong.
    Choice {
        options: Vec<(String, String)>,
        right: usize,
    },
    /// The position of a dragged point or hand; all numbers are shares of a turn if `turns`, otherwise of an axis.
    Mark {
        right: f64,
        near: f64,
        start: f64,
        turns: bool,
        tolerance: String,
        traps: Vec<(f64, String)>,
    },
}

impl Answer {
    pub fn is_right(&self, given: Given) -> bool {
        match (self, given) {
            (
                Answer::Number {
                    right, tolerance, ..
                },
                Given::Number(number),
            ) => (number - right).abs() <= *tolerance,
            (Answer::Choice { right, .. }, Given::Choice(choice)) => choice == *right,
            (
                Answer::Mark {
                    right, near, turns, ..
                },
                Given::Mark(share),
            ) => apart(share, *right, *turns) <= *near,
            _ => false,
        }
    }

    /// The right answer, without the tolerance that `is_right` allows.
    pub fn solution(&self) -> Given {
        match self {
            Answer::Number { right, .. } => Given::Number(*right),
            Answer::Choice { right, .. } => Given::Choice(*right),
            Answer::Mark { right, .. } => Given::Mark(*right),
        }
    }

    /// The share to which a key moves the dragged point or hand from `share`; `None` for keys that have no effect.
    pub fn moved(&self, share: f64, key: &str, shift: bool) -> Option<f64> {
        let Answer::Mark { turns, .. } = self else {
            return None;
        };
        let step = if *turns { TURN_STEP } else { AXIS_STEP } * if shift { 10.0 } else { 1.0 };
        let moved = match key {
            "ArrowLeft" | "ArrowDown" => share - step,
            "ArrowRight" | "ArrowUp" => share + step,
            _ => return None,
        };
        Some(if *turns {
            moved - moved.floor()
        } else {
            moved.clamp(0.0, 1.0)
        })
    }

    /// The explanation of a wrong answer, if it is a known one.
    pub fn trap(&self, given: Given) -> Option<&str> {
        match (self, given) {
            (
                Answer::Number {
                    tolerance, traps, ..
                },
                Given::Number(number),
            ) => {
                let near = |trap: f64| (number - trap).abs() <= tolerance.max(0.01 * trap.abs());
                let trap = traps.iter().find(|(trap, _)| near(*trap))?;
                Some(&trap.1)
            }
            (Answer::Choice { options, .. }, Given::Choice(choice)) => {
                options.get(choice).map(|(_, why)| why.as_str())
            }
            (
                Answer::Mark {
                    near, turns, traps, ..
                },
                Given::Mark(share),
            ) => {
                let trap = traps
                    .iter()
                    .find(|(trap, _)| apart(share, *trap, *turns) <= *near)?;
                Some(&trap.1)
            }
            _ => None,
        }
    }
}

pub fn apart(a: f64, b: f64, turns: bool) -> f64 {
    let distance = (a - b).abs();
    if turns {
        let distance = distance - distance.floor();
        distance.min(1.0 - distance)
    } else {
        distance
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014).
pub fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Random numbers for a question; with seed 1, `pick` returns the first of each list.
pub struct Dice {
    pub lang: Lang,
    pub seed: u64,
    pub state: u64,
}

impl Dice {
    /// A random number below `length`, the same on machines of 32 and of 64 bits.
    fn below(&mut self, length: usize) -> usize {
        split_mix(&mut self.state) as u32 as usize % length
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        let index = self.below(from.len());
        from[if self.seed == 1 { 0 } else { index }]
    }

    pub fn choice(&mut self, mut options: Vec<(String, String)>, right: usize) -> Answer {
        let by = self.below(options.len());
        options.rotate_right(by);
        let right = (right + by) % options.len();
        Answer::Choice { options, right }
    }
}

/// Formats a sentence in the language of the dice.
macro_rules! say {
    ($dice:expr, $en:literal, $zh:literal) => {
        match $dice.lang {
            Lang::En => format!($en),
            Lang::Zh => format!($zh),
        }
    };
}

pub(super) use say;

pub const OFFSET_AXIS: Text = Text::new("offset, positions", "偏移量（位置数）");
pub const BOTH: Text = Text::new("sine and cosine", "正弦和余弦");
pub const SINE_ALONE: Text = Text::new("sine alone", "只有正弦");

pub const INK: Colour = |theme| theme.ink;
pub const SINE: Colour = |theme| theme.sine;
pub const COSINE: Colour = |theme| theme.cosine;
pub const HERE: Colour = |theme| theme.here;
pub const THERE: Colour = |theme| theme.there;
pub const MUTED: Colour = |theme| theme.muted;

pub fn paper(d_model: usize) -> Sinusoidal {
    Sinusoidal::new(d_model, 10_000.0, Layout::Interleaved)
}

/// PE(position) for an even d_model, with the faster [`Sinusoidal::sin_cos_at`].
pub fn row(pe: &Sinusoidal, position: i64) -> Vec<f64> {
    let pair = |pair| {
        let (sin, cos) = pe.sin_cos_at(pair, position as f64);
        [sin, cos]
    };
    (0..pe.pairs()).flat_map(pair).collect()
}

pub fn vector(numbers: &[f64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|number| fixed(*number, 2)).collect();
    format!("[{}]", numbers.join(", "))
}

pub fn degrees(radians: f64) -> String {
    format!("{}°", fixed(radians.to_degrees(), 1))
}
