//! The questions of a worksheet and their numbers, which are determined by its seed, topic and count.

use super::{SEED, TOPIC};
use crate::field::{Values, choices};
use crate::figures::quiz::question::{Question, split_mix};
use crate::figures::quiz::questions::COUNT;
use crate::text::Lang;

choices! {
    /// The topic of a worksheet.
    pub enum Topic {
        All "all" "all" "全部";
        Table "table" "the table" "编码表";
        Rotation "rotation" "rotation and distance" "旋转与距离";
        Relatives "relatives" "RoPE and relatives" "RoPE 及其他";
    }
}

impl Topic {
    /// The questions on it, counted from 0; `None` if these are all questions.
    fn questions(self) -> Option<&'static [usize]> {
        Some(match self {
            Topic::All => return None,
            Topic::Table => &[0, 1, 2, 3, 5, 6, 13, 22, 23, 25],
            Topic::Rotation => &[4, 7, 8, 10, 11, 12, 14, 15],
            Topic::Relatives => &[9, 16, 17, 18, 19, 20, 21, 24],
        })
    }

    pub fn question_count(self) -> usize {
        self.questions().map_or(COUNT, <[usize]>::len)
    }
}

/// The largest seed.
pub const SEEDS: u64 = 9999;

/// A worksheet; `count` is at most the number of questions on its topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sheet {
    pub seed: u64,
    pub count: usize,
    pub topic: Topic,
}

impl Sheet {
    /// The sheet that the fields of a figure determine.
    pub fn of(values: &Values) -> Sheet {
        Sheet {
            seed: values.count(SEED) as u64,
            count: values.count(super::COUNT),
            topic: values.get(TOPIC),
        }
    }

    /// The questions, counted from 0, in the order of the lesson.
    pub fn questions(&self) -> Vec<usize> {
        let mut all = match self.topic.questions() {
            Some(questions) => questions.to_vec(),
            None => (0..COUNT).collect(),
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
    use crate::field::Choice;

    #[test]
    fn every_question_is_of_one_topic() {
        let questions = Topic::ALL.iter().filter_map(|topic| topic.questions());
        let mut all: Vec<usize> = questions.flatten().copied().collect();
        all.sort_unstable();
        assert_eq!(all, (0..COUNT).collect::<Vec<_>>());
    }

    #[test]
    fn a_sheet_asks_each_question_once_and_in_order() {
        for &topic in Topic::ALL {
            for count in 1..=topic.question_count() {
                for seed in [1, 2, 77, SEEDS] {
                    let questions = Sheet { seed, count, topic }.questions();
                    assert_eq!(questions.len(), count);
                    assert!(questions.windows(2).all(|pair| pair[0] < pair[1]));
                    assert!(
                        topic
                            .questions()
                            .is_none_or(|all| questions.iter().all(|it| all.contains(it)))
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
                topic: Topic::All,
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
                topic: Topic::All,
            };
            sheet.question(1, Lang::En).ask
        };
        let asks: std::collections::BTreeSet<_> = (1..40).map(ask).collect();
        assert!(asks.len() > 5, "{asks:?}");
    }
}
