//! The tasks that a model learns, on sequences of random tokens.

use crate::Batch;
use crate::random::Random;

/// Number of different tokens in sequences: the accuracy of guessing is 1/16.
pub const TOKENS: usize = 16;

/// What is to be predicted at each token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// The token `k` positions back. Position alone solves the task.
    Copy {
        /// The offset, query minus key, in positions.
        k: usize,
    },
    /// The next token of a periodic sequence, from its first repetition on. Induction heads solve it (Olsson et al.
    /// 2022, arXiv 2209.11895): they find the token after the last occurrence of the current one, which takes two
    /// layers.
    Induction {
        /// Smallest and largest period, the distance between a token and its repetition; drawn for each sequence. If
        /// they are equal, attending to a fixed distance solves the task without induction.
        periods: (usize, usize),
        /// Whether the tokens of one period are distinct, as far as [`TOKENS`] permits, so that each determines the
        /// next one. If they are not, only distance solves the task.
        distinct: bool,
    },
}

impl Task {
    /// Returns the name used on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Copy { .. } => "copy",
            Self::Induction { .. } => "induction",
        }
    }

    /// Returns whether there is a token to predict in every sequence of this length.
    pub(crate) fn asks_within(self, length: usize) -> bool {
        match self {
            Self::Copy { k } => k < length,
            Self::Induction {
                periods: (first, last),
                ..
            } => 0 < first && first <= last && last < length,
        }
    }

    /// Fills tokens and targets of a batch whose length and starts are set.
    pub(crate) fn fill(self, batch: &mut Batch, random: &mut Random) {
        batch.tokens.clear();
        batch.targets.clear();
        for _ in 0..batch.sequences() {
            let first = batch.tokens.len();
            match self {
                Self::Copy { k } => {
                    let tokens = (0..batch.length).map(|_| random.below(TOKENS));
                    batch.tokens.extend(tokens);
                    let tokens = &batch.tokens[first..];
                    let targets = (0..batch.length).map(|at| Some(tokens[at.checked_sub(k)?]));
                    batch.targets.extend(targets);
                }
                Self::Induction { periods, distinct } => {
                    let period = periods.0 + random.below(periods.1 - periods.0 + 1);
                    let tokens: Vec<_> = if distinct {
                        distinct_tokens(period, random)
                    } else {
                        (0..period).map(|_| random.below(TOKENS)).collect()
                    };
                    let token = |at| tokens[at % period];
                    batch.tokens.extend((0..batch.length).map(token));
                    let target = |at| (at >= period).then(|| token(at + 1));
                    batch.targets.extend((0..batch.length).map(target));
                }
            }
        }
    }
}

/// Returns random tokens, distinct as far as [`TOKENS`] permits.
fn distinct_tokens(count: usize, random: &mut Random) -> Vec<usize> {
    let mut tokens: Vec<usize> = Vec::with_capacity(count + TOKENS);
    while tokens.len() < count {
        let first = tokens.len();
        tokens.extend(0..TOKENS);
        random.shuffle(&mut tokens[first..]);
    }
    tokens.truncate(count);
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Purpose;

    fn batch(task: Task) -> Batch {
        let mut batch = Batch {
            length: 32,
            starts: vec![0; 8],
            ..Batch::default()
        };
        task.fill(&mut batch, &mut Random::new(5, Purpose::Training));
        batch
    }

    #[test]
    fn copying_asks_for_the_token_k_back() {
        let batch = batch(Task::Copy { k: 5 });
        assert_eq!(batch.asked(), 8 * 27);
        for (tokens, targets) in batch.tokens.chunks(32).zip(batch.targets.chunks(32)) {
            for at in 0..32 {
                assert!(tokens[at] < TOKENS);
                assert_eq!(targets[at], (at >= 5).then(|| tokens[at - 5]));
            }
        }
    }

    #[test]
    fn induction_asks_for_what_followed_the_token_before() {
        let batch = batch(Task::Induction {
            periods: (4, 16),
            distinct: true,
        });
        let mut periods = Vec::new();
        for (tokens, targets) in batch.tokens.chunks(32).zip(batch.targets.chunks(32)) {
            let period = (1..32).find(|&at| tokens[at] == tokens[0]).unwrap();
            assert!((4..=16).contains(&period));
            periods.push(period);
            for at in 0..31 {
                assert_eq!(targets[at], (at >= period).then(|| tokens[at + 1]));
                if at >= period {
                    let last = tokens[..at].iter().rposition(|token| *token == tokens[at]);
                    assert_eq!(targets[at], Some(tokens[last.unwrap() + 1]));
                }
            }
        }
        assert!(periods.iter().any(|period| *period != periods[0]));
    }

    /// Otherwise the token itself would determine the next one.
    #[test]
    fn only_distance_tells_what_comes_next_where_tokens_are_not_distinct() {
        let batch = batch(Task::Induction {
            periods: (16, 16),
            distinct: false,
        });
        let mut repeated = 0;
        for (tokens, targets) in batch.tokens.chunks(32).zip(batch.targets.chunks(32)) {
            for at in 0..32 {
                let target = (at >= 16).then(|| tokens[at - 15]);
                assert_eq!(targets[at], target);
            }
            let twice = |at: &usize| tokens[..*at].contains(&tokens[*at]);
            repeated += (0..16).filter(twice).count();
        }
        assert!(repeated > 8 * 2, "{repeated}");
    }
}
