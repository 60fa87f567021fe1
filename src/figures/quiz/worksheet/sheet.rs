//! The questions of a worksheet and their numbers, which are determined by its seed, topic and count.

use crate::field::{Choice, Values};
use crate::figures::quiz::question::{Question, split_mix};
use crate::figures::quiz::questions::COUNT;
use crate::text::{Lang, Text};

/// The topics with their names; the first one is all questions.
pub const TOPICS: &[Choice] = &[
    ("all", Text::new("all", "全部")),
    ("table", Text::new("the table", "编码表")),
    ("rotation", Text::new("rotation and distance", "旋转与距离")),
    ("relatives", Text::new("RoPE and relatives", "RoPE 及其他")),
];

/// The questions of each topic, counted from 0.
const QUESTIONS: [&[usize]; 3] = [
    &[0, 1, 2, 3, 5, 6, 13, 22, 23, 25],
    &[4, 7, 8, 10, 11, 12, 14, 15],
    &[9, 16, 17, 18, 19, 20, 21, 24],
];

/// The largest seed.
pub const SEEDS: u64 = 9999;

/// A worksheet; `count` is at most the number of questions on its topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sheet {
    pub seed: u64,
    pub count: usize,
    /// Index into [`TOPICS`].
    pub topic: usize,
}

/// The selected topic, an index into [`TOPICS`].
fn topic(values: &Values) -> usize {
    let chosen = values.choice("topic");
    let place = TOPICS.iter().position(|(name, _)| *name == chosen);
    place.unwrap_or_default()
}

/// The number of questions on the selected topic.
pub fn question_count_of(values: &Values) -> usize {
    question_count(topic(values))
}

/// The number of questions on a topic.
pub fn question_count(topic: usize) -> usize {
    match topic {
        0 => COUNT,
        _ => QUESTIONS[topic - 1].len(),
    }
}

impl Sheet {
    /// The sheet that the fields of a figure determine.
    pub fn of(values: &Values) -> Sheet {
        Sheet {
            seed: values.count("seed") as u64,
            count: values.count("count"),
            topic: topic(values),
        }
    }

    /// The questions, counted from 0, in the order of the lesson.
    pub fn questions(&self) -> Vec<usize> {
        let mut all = match self.topic {
            0 => (0..COUNT).collect(),
            topic => QUESTIONS[topic - 1].to_vec(),
        };
        let mut state = self.seed;
        let count = self.count.min(all.len());
        // The first steps of a shuffle (Fisher and Yates).
        for place in 0..count {
            let left = (all.len() - place) as u64;
            let other = place + (split_mix(&mut state) % left) as usize;
            all.swap(place, other);
        }
        all.truncate(count);
        all.sort_unstable();
        all
    }

    /// Question `index`, with numbers from a seed that the quiz never uses.
    pub fn question(&self, index: usize, lang: Lang) -> Question {
        let mut state = !self.seed;
        Question::new(index, split_mix(&mut state) | 1 << 63, lang)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_question_is_of_one_topic() {
        let mut all = QUESTIONS.concat();
        all.sort_unstable();
        assert_eq!(all, (0..COUNT).collect::<Vec<_>>());
        assert_eq!(QUESTIONS.len() + 1, TOPICS.len());
    }

    #[test]
    fn a_sheet_asks_each_question_once_and_in_order() {
        for (topic, _) in TOPICS.iter().enumerate() {
            for count in 1..=question_count(topic) {
                for seed in [1, 2, 77, SEEDS] {
                    let questions = Sheet { seed, count, topic }.questions();
                    assert_eq!(questions.len(), count);
                    assert!(questions.windows(2).all(|pair| pair[0] < pair[1]));
                    assert!(
                        topic == 0 || questions.iter().all(|it| QUESTIONS[topic - 1].contains(it))
                    );
                }
            }
        }
    }

    #[test]
    fn each_question_comes_as_often_as_the_others() {
        let mut asked = [0; COUNT];
        let (seeds, count) = (2600, 10);
        for seed in 1..=seeds {
            let sheet = Sheet {
                seed,
                count,
                topic: 0,
            };
            for question in sheet.questions() {
                asked[question] += 1;
            }
        }
        // 1000 of each expected; six standard deviations of a binomial are 149.
        for times in asked {
            assert!((850..1150).contains(&times), "{asked:?}");
        }
    }

    #[test]
    fn seeds_give_other_numbers() {
        let ask = |seed| {
            let sheet = Sheet {
                seed,
                count: 10,
                topic: 0,
            };
            sheet.question(1, Lang::En).ask
        };
        let asks: std::collections::BTreeSet<_> = (1..40).map(ask).collect();
        assert!(asks.len() > 5, "{asks:?}");
    }
}
