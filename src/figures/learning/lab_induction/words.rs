//! The texts of the induction lab: buttons, progress, caption, and the explanation of the maps.

use super::{EVERY, FIXED_OFFSET, FIXED_PERIOD, LENGTH, LONGER, LabInduction, RANDOM, STEPS};
use crate::field::ViewName;
use crate::figures::learning::training::{BACK_TO_STEP_0, CHANCE, seed_button};
use crate::text::markup::{Node, html};
use crate::text::number::fixed;
use crate::text::{Lang, Text};
use posenc_lab::TOKENS;

pub(super) const PERIOD: Text = Text::new("period of the repetition", "重复的周期");
pub(super) const MAPS: [Text; 2] = [
    Text::new("attention weights, layer 1", "第 1 层的注意力权重"),
    Text::new("attention weights, layer 2", "第 2 层的注意力权重"),
];
/// The same for small maps.
pub(super) const LOW_MAPS: [Text; 2] = [
    Text::new("weights, layer 1", "第 1 层的权重"),
    Text::new("weights, layer 2", "第 2 层的权重"),
];

/// Mean attention from which a head counts as attending to something; accuracy below which a test counts as failed.
const ATTENDS: f64 = 0.5;

impl LabInduction {
    /// The point of the picture in this state.
    pub(super) fn point(&self) -> Text {
        if !self.run.has_learned() || self.run.taken() == 0 {
            return ViewName::LabInduction.title();
        }
        let looks_back = self.shown.back(0).max(self.shown.back(1)) >= ATTENDS;
        match self.fixed {
            true if looks_back => Text::new(
                "It counts 16 back instead of searching",
                "它只会往回数 16 个，不会找",
            ),
            false if self.shown.after(1) >= ATTENDS => Text::new(
                "It looks at what followed last time",
                "它去看上次后面跟着谁",
            ),
            _ => ViewName::LabInduction.title(),
        }
    }

    pub(super) fn buttons(&self) -> Node {
        let progress = self.run.progress();
        let count = progress.count(self.lang);
        progress.buttons(self.lang, BACK_TO_STEP_0, None, count)
    }

    pub(super) fn recipe(&self) -> Node {
        let config = self.run.config();
        let (seed, chance) = (config.seed, fixed(CHANCE, 2));
        let ((first, last), step) = (RANDOM, self.tested().step);
        let text = match self.lang {
            Lang::En => format!(
                "Two layers of one head each, d_model = 32, causal, with skip connections; {STEPS} steps of 16 new sequences of {LENGTH} tokens; seed {seed}. The task is to name the next token, from the first repetition on. With repeats {FIXED_PERIOD} apart, tokens are drawn at random, so that only the distance tells what comes next; with repeats {first} to {last} apart, and in all sequences shown and tested, they are distinct, so that the current token tells it. Every {EVERY} steps sequences of {LENGTH} and {LONGER} tokens are tested, here after step {step}. The numbers in the maps are mean attention weights over the queries that are asked. Guessing among the {TOKENS} tokens is right in a share of {chance}."
            ),
            Lang::Zh => format!(
                "两层，每层一个头，d_model = 32，带因果掩码和残差连接；训练 {STEPS} 步，每步 16 个新的、长 {LENGTH} 的序列；种子 {seed}。从第一次重复起，要预测下一个词元。相隔 {FIXED_PERIOD} 的重复由随机抽取的词元组成，只有距离能说明下一个是什么；相隔 {first} 到 {last} 的重复由互不相同的词元组成，当前词元就能说明，图中显示和测试的序列都是这样。每 {EVERY} 步在长 {LENGTH} 和 {LONGER} 的序列上测试一次，图中是第 {step} 步之后的结果。注意力图中的数是所有被提问的查询的平均注意力权重。在 {TOKENS} 种词元中随机猜测，准确率是 {chance}。"
            ),
        };
        let seed = html::div("row", vec![seed_button(self.lang)]);
        html::div("", vec![seed, html::p(text).class("note")])
    }

    pub(super) fn describe(&self) -> String {
        let (taken, period) = (self.run.taken(), self.shown.period);
        let (first, last) = RANDOM;
        if taken == 0 {
            let apart = match (self.lang, self.fixed) {
                (Lang::En, true) => format!("always {FIXED_PERIOD} apart"),
                (Lang::En, false) => format!("{first} to {last} apart"),
                (Lang::Zh, true) => format!("总是相隔 {FIXED_PERIOD}"),
                (Lang::Zh, false) => format!("相隔 {first} 到 {last}"),
            };
            return match self.lang {
                Lang::En => format!(
                    "Two layers are to name the next token of a sequence that repeats itself; in training the repeats are {apart}. Predict where each layer will attend in a sequence of period {period}, and whether its answers will be right, then start."
                ),
                Lang::Zh => format!(
                    "两层模型要在自我重复的序列中说出下一个词元；训练时，重复之处{apart}。先猜一猜：在周期为 {period} 的序列中，每一层会注意哪里？答案会对吗？再点开始。"
                ),
            };
        }
        let accuracy = fixed(100.0 * self.run.now.accuracy, 0);
        let shown = &self.shown;
        let before = fixed(shown.previous(0), 2);
        let after = fixed(shown.after(1), 2);
        let back = [0, 1].map(|layer| fixed(shown.back(layer), 2));
        let said = match self.lang {
            Lang::En => format!(
                "After {taken} of {STEPS} steps {accuracy} % are right on sequences like those of the training. In the one shown, of period {period}, layer 1 has {before} of its attention on the token before, and layer 2 {after} on tokens after an earlier occurrence of the current one; on the key {FIXED_OFFSET} back, {FIXED_PERIOD} before the answer, they have {} and {}.",
                back[0], back[1]
            ),
            Lang::Zh => format!(
                "{STEPS} 步中已完成 {taken} 步，在与训练相同的序列上准确率为 {accuracy}%。在所示的周期为 {period} 的序列中，第 1 层有 {before} 的注意力在前一个词元上，第 2 层有 {after} 在当前词元以前出现处的后一个词元上；在往回 {FIXED_OFFSET} 处（答案之前 {FIXED_PERIOD} 处），两层分别有 {} 和 {}。",
                back[0], back[1]
            ),
        };
        let reason = match self.run.progress().is_done {
            true => self.reason(),
            false => "",
        };
        match self.lang {
            Lang::En if !reason.is_empty() => format!("{said} {reason}"),
            _ => format!("{said}{reason}"),
        }
    }

    /// Explains the maps and accuracies of a finished run.
    fn reason(&self) -> &'static str {
        let shown = &self.shown;
        let tested = self.tested().at(shown.period);
        let [accuracy, _] = tested.unwrap_or([0.0; 2]);
        let looks_back = shown.back(0).max(shown.back(1)) >= ATTENDS;
        let text = match (self.fixed, self.run.has_learned()) {
            (true, true)
                if shown.period < FIXED_PERIOD && FIXED_PERIOD.is_multiple_of(shown.period) =>
            {
                Text::new(
                    "From token 16 on, what lies 16 before the answer is the answer, so there the trap does not show; before that there is nothing 16 back.",
                    "从第 16 个词元起，答案之前 16 处正好就是答案，在那里看不出陷阱；再往前，答案之前 16 处还没有词元。",
                )
            }
            (true, true) if shown.period == FIXED_PERIOD => Text::new(
                "16 is a multiple of this period, so what lies 16 before the answer is the answer: here the trap does not show.",
                "16 是这个周期的倍数，答案之前 16 处正好就是答案：在这里看不出陷阱。",
            ),
            (true, true) if looks_back && accuracy < ATTENDS => Text::new(
                "So it has not learned to find repetitions. It has learned to look 16 back, and at this period that is the wrong token.",
                "可见它没有学会寻找重复，学会的只是往回看 16 个位置；在这个周期下，那里是错误的词元。",
            ),
            (false, true) if shown.after(1) >= ATTENDS && shown.previous(0) >= ATTENDS => {
                Text::new(
                    "Layer 1 tells every token which came before it; from this, layer 2 finds where the current token occurred before and attends to what followed, at any distance: an induction head (Olsson et al. 2022).",
                    "第 1 层让每个词元知道它前面是谁；第 2 层据此找到当前词元出现过的地方，注意其后的那个词元，无论相距多远：这就是归纳头（induction head，Olsson 等，2022）。",
                )
            }
            (false, true) if shown.after(1) >= ATTENDS => Text::new(
                "Layer 2 attends to what followed the current token, at any distance: an induction head (Olsson et al. 2022). Layer 1 does not look at the token before alone, but enough for layer 2 to tell.",
                "无论相距多远，第 2 层都注意当前词元上次出现之后的那个词元：这就是归纳头（induction head，Olsson 等，2022）。第 1 层并非只看前一个词元，但已足以让第 2 层分辨。",
            ),
            (_, false) => Text::new(
                "With this encoding and seed it has not learned the task in these steps.",
                "用这种编码和这个种子，在这些步数内没有学会这个任务。",
            ),
            _ => Text::new("", ""),
        };
        text.get(self.lang)
    }
}
