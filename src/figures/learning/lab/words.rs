//! The texts of the lab: buttons, progress, caption, and the explanation of the result.

use super::{LENGTH, Lab, STEPS, noise};
use crate::figures::learning::training::{BACK_TO_STEP_0, CHANCE, CONSTANT, seed_button};
use crate::text::markup::{Node, html};
use crate::text::number::fixed;
use crate::text::{Lang, Text};
use posenc_lab::{Encoding, PairAnalysis, TOKENS};

pub(super) const MAP: Text = Text::new("attention weights", "注意力权重");
pub(super) const CLOCKS: Text = Text::new(
    "W_QᵀW_K pair by pair: hand learned, wedge kω of Mₖ",
    "W_QᵀW_K 的各个维度对：指针是学到的，扇形是 Mₖ 的 kω",
);

/// Mean error in radians below which the angles of the fastest pairs count as those of M_k.
const CLOSE: f64 = 0.2;

impl Lab {
    /// The label of the band in the map, shortened for a small map.
    pub(super) fn target(&self, low: bool) -> String {
        match self.lang {
            Lang::En if low => format!("{} back", self.k),
            Lang::Zh if low => format!("往回 {} 个", self.k),
            Lang::En => format!("should end up here: {} back", self.k),
            Lang::Zh => format!("应落在这里：往回 {} 个位置", self.k),
        }
    }

    /// The accuracy, in large type.
    pub(super) fn right(&self) -> String {
        let accuracy = fixed(100.0 * self.run.now.accuracy, 0);
        match self.lang {
            Lang::En => format!("{accuracy} %"),
            Lang::Zh => format!("{accuracy}%"),
        }
    }

    pub(super) fn buttons(&self) -> Node {
        let progress = self.run.progress();
        let step = Some(progress.step_button(self.lang));
        let count = progress.count(self.lang);
        progress.buttons(self.lang, BACK_TO_STEP_0, step, count)
    }

    pub(super) fn recipe(&self) -> Node {
        let config = self.run.config();
        let (d_model, seed, sequences) = (config.model.d_model, config.seed, config.sequences);
        let constant = CONSTANT.get(self.lang);
        let text = match self.lang {
            Lang::En => format!(
                "One layer, one head, d_model = {d_model}, causal, with a skip connection; {sequences} new random sequences of {LENGTH} tokens in each of {STEPS} steps of Adam; seed {seed}. Loss and accuracy are those of sequences that it is not trained on. The square of a hand's length is in proportion to the amplitude of its pair in W_QᵀW_K; below it stands its angle minus kω. {constant}"
            ),
            Lang::Zh => format!(
                "一层，一个头，d_model = {d_model}，带因果掩码和残差连接；用 Adam 训练 {STEPS} 步，每步用 {sequences} 个长 {LENGTH} 的新随机序列；种子 {seed}。损失和准确率都在没有训练过的序列上计算。指针长度的平方与该维度对在 W_QᵀW_K 中的幅值成正比；下方是它的角度减去 kω。{constant}"
            ),
        };
        let seed = html::div("row", vec![seed_button(self.lang)]);
        html::div("", vec![seed, html::p(text).class("note")])
    }

    pub(super) fn describe(&self) -> String {
        let taken = self.run.taken();
        let (loss, accuracy) = (
            fixed(self.run.now.loss, 3),
            fixed(100.0 * self.run.now.accuracy, 1),
        );
        let (k, chance) = (self.k, fixed(100.0 * CHANCE, 0));
        if taken == 0 {
            let with = self.with();
            return match self.lang {
                Lang::En => format!(
                    "A single head is to name the token {k} back, of {TOKENS} kinds. Untrained, it is right in {accuracy} % of cases; guessing is right in {chance} %. Predict whether it learns this {with}, then start."
                ),
                Lang::Zh => format!(
                    "单独一个头要在每个位置说出往回 {k} 个位置的那个词元，词元共 {TOKENS} 种。训练之前准确率为 {accuracy}%，随机猜测为 {chance}%。先猜一猜：{with}，它学得会吗？再点开始。"
                ),
            };
        }
        let mut said = match self.lang {
            Lang::En => format!(
                "After {taken} of {STEPS} steps the loss is {loss} nats and the accuracy {accuracy} % (guessing: {chance} %)."
            ),
            Lang::Zh => format!(
                "{STEPS} 步中已完成 {taken} 步：损失为 {loss} 奈特，准确率为 {accuracy}%（随机猜测为 {chance}%）。"
            ),
        };
        let mut add = |sentence: String| {
            if self.lang == Lang::En && !sentence.is_empty() {
                said.push(' ');
            }
            said += &sentence;
        };
        if let Some(pairs) = &self.seen.pairs {
            add(self.angles(pairs));
        }
        if self.run.progress().is_done {
            add(self.reason());
        }
        said
    }

    /// Describes the error of the fastest pairs' angles, relative to M_k.
    fn angles(&self, pairs: &PairAnalysis) -> String {
        let error = pairs.fast_error();
        let (radians, degrees) = (fixed(error, 2), fixed(error.to_degrees(), 0));
        let all = pairs.pairs.len();
        let noise = noise(pairs);
        let pale = pairs.pairs.iter().filter(|pair| pair.amplitude < noise);
        let pale = pale.count();
        let noisy = self.run.progress().is_done && pale > 0;
        match self.lang {
            Lang::En if noisy => format!(
                "The hands of the three fastest pairs are {radians} rad ({degrees}°) from kω on average, weighted by energy; those of {pale} of the {all} pairs, pale here, carry too little to be more than noise."
            ),
            Lang::Zh if noisy => format!(
                "最快的三个维度对，指针与 kω 平均相差 {radians} rad（{degrees}°，按能量加权）；{all} 个维度对中有 {pale} 个幅值太小，只是噪声，画得很淡。"
            ),
            Lang::En => format!(
                "The hands of the three fastest pairs are {radians} rad ({degrees}°) from kω on average, weighted by energy."
            ),
            Lang::Zh => format!(
                "最快的三个维度对，指针与 kω 平均相差 {radians} rad（{degrees}°，按能量加权）。"
            ),
        }
    }

    /// The encoding as a phrase within a sentence.
    fn with(&self) -> &'static str {
        let text = match self.encoding {
            Encoding::None => Text::new("without any positional encoding", "不用任何位置编码"),
            Encoding::Sinusoidal => Text::new("with the sinusoidal encoding", "用正弦位置编码"),
            Encoding::Learned => Text::new("with a learned table", "用可学习位置表"),
            Encoding::Rope => Text::new("with RoPE", "用 RoPE"),
            Encoding::Alibi => Text::new("with ALiBi", "用 ALiBi"),
            Encoding::T5 => Text::new("with the bias of T5", "用 T5 的偏置"),
        };
        text.get(self.lang)
    }

    /// Whether the angles of the fastest pairs are those of M_k.
    pub(super) fn finds_m_k(&self) -> bool {
        let close = |pairs: &PairAnalysis| pairs.fast_error() < CLOSE;
        self.seen.pairs.as_ref().is_some_and(close)
    }

    /// Whether a single head cannot learn it with this encoding.
    pub(super) fn is_impossible(&self) -> bool {
        match self.encoding {
            Encoding::None => true,
            Encoding::Alibi => self.k > 1,
            _ => false,
        }
    }

    /// Explains the result of a finished run.
    fn reason(&self) -> String {
        let (lang, k) = (self.lang, self.k);
        match (self.encoding, self.run.has_learned()) {
            (Encoding::Sinusoidal, true) if self.finds_m_k() => Text::new(
                "As PE(pos) = Mₖ·PE(pos−k), the logit is largest k back if W_QᵀW_K turns the pairs as Mₖ does: that is what it has learned.",
                "因为 PE(pos) = Mₖ·PE(pos−k)，只要 W_QᵀW_K 像 Mₖ 那样旋转各个维度对，注意力分数就在往回 k 处最大：它学到的正是这个。",
            )
            .get(lang)
            .into(),
            (Encoding::Sinusoidal, true) => Text::new(
                "It has learned the task, though not with the angles of Mₖ: others serve as well here.",
                "任务学会了，但用的不是 Mₖ 的角度：在这里别的角度也管用。",
            )
            .get(lang)
            .into(),
            (Encoding::Learned, true) => Text::new(
                "Every position has learned a row of its own, and W_QᵀW_K matches row pos with row pos−k. Its dimensions form no pairs, so there are no clocks to draw.",
                "每个位置都学到了自己的一行，W_QᵀW_K 让第 pos 行与第 pos−k 行相配。它的维度不成对，所以没有钟可画。",
            )
            .get(lang)
            .into(),
            (Encoding::Rope, true) => Text::new(
                "Queries and keys are rotated by their positions, so one and the same query looks k back from anywhere. The rotation acts after W_Q and W_K, so their product has no angles to be drawn.",
                "查询和键按各自的位置旋转，同一个查询向量在任何位置都能看到往回 k 处。旋转发生在 W_Q 和 W_K 之后，所以两者的乘积里没有角度可画。",
            )
            .get(lang)
            .into(),
            (Encoding::T5, true) => match lang {
                Lang::En => format!(
                    "Each offset up to 15 has a bias of its own here, and that of offset {k} has outgrown the others. A bias has no pairs, so there are no clocks to draw."
                ),
                Lang::Zh => format!(
                    "这里 15 以内的每个偏移量各有一个偏置，偏移量 {k} 的偏置长得比其他的都大。偏置没有维度对，所以没有钟可画。"
                ),
            },
            (Encoding::Alibi, true) => Text::new(
                "The nearest keys have the largest weights, and the token nearest of all, its own, the layer knows and can subtract: the one before it decides.",
                "最近的键权重最大；其中最近的就是当前词元自己，这一层知道它，可以减掉，于是由前一个词元决定。",
            )
            .get(lang)
            .into(),
            (Encoding::Alibi, false) if self.is_impossible() => match lang {
                Lang::En => format!(
                    "ALiBi cannot: its bias always prefers the nearest keys. The key {k} back is neither the nearest nor known by its content, so a single head cannot pick it out."
                ),
                Lang::Zh => format!(
                    "ALiBi 做不到：它的偏置总是偏向最近的键。往回 {k} 处的键既不是最近的，也不能凭内容认出来，单独一个头挑不出它。"
                ),
            },
            (Encoding::None, false) => match lang {
                Lang::En => format!(
                    "It cannot be done: without positions equal tokens have equal keys, and nothing tells the one {k} back from the others. It does better than guessing only because it names tokens that have occurred."
                ),
                Lang::Zh => format!(
                    "这做不到：没有位置，相同词元的键也相同，没有什么能把往回 {k} 处的那个与其他的区分开。它比随机猜测强，只因为它说的是出现过的词元。"
                ),
            },
            (_, false) | (Encoding::None, true) => match lang {
                Lang::En => format!("With this seed {STEPS} steps were not enough."),
                Lang::Zh => format!("用这个种子，{STEPS} 步还不够。"),
            },
        }
    }
}
