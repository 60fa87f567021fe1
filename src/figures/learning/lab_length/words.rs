//! The texts of the comparison of lengths: legend, buttons, progress and results.

use super::{ENCODINGS, LAST_START, LENGTHS, LONGEST, LabLength, STEPS, TRAINED};
use crate::figures::learning::training::{CHANCE, CONSTANT, FROM_THE_BEGINNING, LEARNED};
use crate::text::markup::{Node, html};
use crate::text::number::fixed;
use crate::text::{Lang, Text};
use posenc_lab::{EVALUATED, Encoding};

pub(super) const LENGTH: Text = Text::new("tokens of the sequence", "序列的词元数");

/// The name of an encoding as the title of its panel.
pub(super) fn name(encoding: Encoding) -> Text {
    match encoding {
        Encoding::None => Text::new("None", "不编码"),
        Encoding::Sinusoidal => Text::new("Sinusoidal", "正弦编码"),
        Encoding::Learned => Text::new("Learned table", "可学习位置表"),
        Encoding::Rope => Text::new("RoPE", "RoPE"),
        Encoding::Alibi => Text::new("ALiBi", "ALiBi"),
        Encoding::T5 => Text::new("T5", "T5"),
    }
}

/// Joins names to a list: "a, b and c".
fn listed(lang: Lang, names: &[String]) -> String {
    let (comma, and) = match lang {
        Lang::En => (", ", " and "),
        Lang::Zh => ("，", "，"),
    };
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{}{and}{last}", first.join(comma)),
    }
}

impl LabLength {
    pub(super) fn of_median(&self) -> String {
        match (self.lang, self.progress().is_done) {
            (Lang::En, true) => format!("median of {} seeds", self.seeds),
            (Lang::Zh, true) => format!("{} 个种子的中位数", self.seeds),
            (Lang::En, false) => "median so far".into(),
            (Lang::Zh, false) => "目前的中位数".into(),
        }
    }

    pub(super) fn of_seed(&self) -> String {
        Text::new("a single seed", "单个种子").get(self.lang).into()
    }

    pub(super) fn of_seen(&self) -> String {
        let last = self.seen() - 1;
        match self.lang {
            Lang::En => format!("trained: 0–{last}"),
            Lang::Zh => format!("训练 0～{last}"),
        }
    }

    pub(super) fn of_ghost(&self) -> String {
        Text::new("three finished seeds, median", "练完的三个种子的中位数")
            .get(self.lang)
            .into()
    }

    pub(super) fn of_other(&self) -> String {
        let text = match self.random {
            true => Text::new("median without random starts", "不用随机起点时的中位数"),
            false => Text::new("median with random starts", "用随机起点时的中位数"),
        };
        text.get(self.lang).into()
    }

    pub(super) fn buttons(&self) -> Node {
        let [all, over] = self.count();
        let count = match self.lang {
            Lang::En => format!("{over} of {all} runs"),
            Lang::Zh => format!("{over} / {all} 次训练"),
        };
        let progress = self.progress();
        progress.buttons(self.lang, FROM_THE_BEGINNING, None, count)
    }

    pub(super) fn recipe(&self) -> Node {
        let (last, chance) = (TRAINED - 1, fixed(CHANCE, 2));
        let constant = CONSTANT.get(self.lang);
        let text = match self.lang {
            Lang::En => format!(
                "Each run trains one layer with one head, d_model = 32, for {STEPS} steps of 16 sequences of {TRAINED} tokens, as the figure “Learn to look back” does. It is then tested on {EVALUATED} sequences of each length, all starting at position 0. With random starts, the first token of a training sequence is at a random position from 0 to {LAST_START}. The learned table has rows for all tested positions; rows that training never reaches keep their random initial numbers. ALiBi’s only head has slope 1. Guessing is right in a share of {chance}. Offsets in training are never larger than {last}, wherever a sequence starts. {constant}"
            ),
            Lang::Zh => format!(
                "每次训练的都是一层、一个头、d_model = 32 的模型，训练 {STEPS} 步，每步 16 个长 {TRAINED} 的序列，与“学会往回看”一图相同；然后在每种长度上各测 {EVALUATED} 个序列，都从位置 0 开始。用随机起点时，训练序列的第一个词元位于 0 到 {LAST_START} 之间的随机位置。可学习位置表为所有测试位置都备有行，训练没有到过的行保持随机初值。ALiBi 只有一个头，斜率为 1。随机猜测的准确率是 {chance}。无论序列从哪里开始，训练中的偏移量都不超过 {last}。{constant}"
            ),
        };
        html::p(text).class("note")
    }

    pub(super) fn describe(&self) -> String {
        let [all, over] = self.count();
        let (k, seeds, last) = (self.k, self.seeds, self.seen() - 1);
        if self.progress().is_done {
            return self.outcome();
        }
        if self.taken() == 0 {
            return match self.lang {
                Lang::En => format!(
                    "Every encoding is to learn, from {seeds} seeds, to name the token {k} back in sequences of {TRAINED} tokens, at positions 0 to {last}, and is then tested on up to {LONGEST} tokens. Predict which of them still do it at four times the length, then start."
                ),
                Lang::Zh => format!(
                    "每种编码各用 {seeds} 个种子，在长 {TRAINED} 的序列上（位置 0 到 {last}）学习说出往回 {k} 个位置的词元，然后在最长 {LONGEST} 的序列上测试。先猜一猜：长度到了四倍，哪几种仍然做得到？再点开始。"
                ),
            };
        }
        let current = self.shown().current.as_ref();
        match (self.lang, current) {
            (Lang::En, Some(run)) => {
                let config = run.trainer.config();
                format!(
                    "{over} of {all} runs are finished. In training: {}, seed {}, step {} of {STEPS}.",
                    name(config.model.encoding).get(Lang::En),
                    config.seed,
                    run.trainer.step(),
                )
            }
            (Lang::Zh, Some(run)) => {
                let config = run.trainer.config();
                format!(
                    "{all} 次训练已完成 {over} 次。正在训练：{}，种子 {}，第 {} / {STEPS} 步。",
                    name(config.model.encoding).get(Lang::Zh),
                    config.seed,
                    run.trainer.step(),
                )
            }
            (Lang::En, None) => format!("{over} of {all} runs are finished."),
            (Lang::Zh, None) => format!("{all} 次训练已完成 {over} 次。"),
        }
    }

    /// Describes the accuracies at the greatest length, and what they show.
    fn outcome(&self) -> String {
        let spreads = ENCODINGS.map(|encoding| {
            let spread = self.shown().spread(encoding, self.seeds);
            (encoding, spread.expect("all its runs are over"))
        });
        let (mut solved, failed): (Vec<_>, Vec<_>) = spreads
            .into_iter()
            .partition(|(_, spread)| spread.median[0] >= LEARNED);
        let last = LENGTHS.len() - 1;
        solved.sort_by(|a, b| b.1.median[last].total_cmp(&a.1.median[last]));
        let ends: Vec<_> = solved
            .iter()
            .map(|(encoding, it)| {
                let [median, worst, best] =
                    [it.median, it.worst, it.best].map(|all| fixed(all[last], 2));
                match self.lang {
                    Lang::En => {
                        format!("{} {median} ({worst} to {best})", self.said(*encoding))
                    }
                    Lang::Zh => format!("{} {median}（{worst}～{best}）", self.said(*encoding)),
                }
            })
            .collect();
        let mut said = match self.lang {
            Lang::En => format!(
                "Accuracy at {LONGEST} tokens, four times the trained length, median and range of {} seeds: {}.",
                self.seeds,
                listed(Lang::En, &ends)
            ),
            Lang::Zh => format!(
                "在 {LONGEST} 个词元（训练长度的四倍）上的准确率，{} 个种子的中位数和范围：{}。",
                self.seeds,
                listed(Lang::Zh, &ends)
            ),
        };
        if !failed.is_empty() {
            let failed: Vec<_> = failed
                .iter()
                .map(|(encoding, it)| {
                    let first = fixed(it.median[0], 2);
                    match self.lang {
                        Lang::En => format!("{} {first}", self.said(*encoding)),
                        Lang::Zh => format!("{} {first}", self.said(*encoding)),
                    }
                })
                .collect();
            let failed = listed(self.lang, &failed);
            said += &match self.lang {
                Lang::En => format!(" Not learned even at {TRAINED} tokens: {failed}."),
                Lang::Zh => format!("在 {TRAINED} 个词元上就没有学会的：{failed}。"),
            };
        }
        said += match (self.lang, self.random) {
            (Lang::En, false) => {
                " A longer sequence has positions that no training sequence had, and offsets, too."
            }
            (Lang::Zh, false) => "更长的序列里，有些位置是训练时从未出现的，有些偏移量也是。",
            (Lang::En, true) => {
                " All tested positions were seen in training now, but no new offsets: what sees only offsets gains nothing."
            }
            (Lang::Zh, true) => {
                "现在测试的所有位置都在训练中出现过，但偏移量并没有增加：只看偏移量的编码一无所获。"
            }
        };
        said
    }

    /// The name of an encoding within a sentence.
    fn said(&self, encoding: Encoding) -> String {
        let text = match encoding {
            Encoding::None => Text::new("no encoding", "不编码"),
            Encoding::Sinusoidal => Text::new("sinusoidal", "正弦编码"),
            Encoding::Learned => Text::new("learned table", "可学习位置表"),
            _ => name(encoding),
        };
        text.get(self.lang).into()
    }
}
