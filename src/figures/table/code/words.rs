//! What each line of the code does.

use super::{Code, RUST, TORCH, Term};
use crate::text::Text;

impl Code {
    pub(super) fn says(&self, term: Term) -> Text {
        match term {
            Term::Position => Text::new(
                "All positions as one column, so that multiplying by a row gives a table.",
                "全部位置排成一列，与一行相乘便得到整张表。",
            ),
            Term::Even => Text::new(
                "2i for every pair i. An odd width has one more sine than cosines.",
                "每个维度对 i 的 2i。d_model 为奇数时，正弦比余弦多一个。",
            ),
            Term::Frequency => Text::new(
                "The frequency of every pair, made once from one exp each; all positions share them.",
                "每个维度对的频率，各用一次 exp 算出；所有位置共用。",
            ),
            Term::Table => Text::new(
                "Room for one row per position and one column per dimension.",
                "预留空间：每个位置一行，每个维度一列。",
            ),
            Term::Sine => Text::new(
                "Even dimensions hold the sines. A column times a row broadcasts to every position with every frequency.",
                "偶数维度存正弦。一列乘一行，广播成每个位置与每个频率的组合。",
            ),
            Term::Cosine => Text::new(
                "Odd dimensions hold the cosines of the same angles. The slice drops the last frequency where an odd width has no room for its cosine.",
                "奇数维度存同一角度的余弦。d_model 为奇数时，切片会去掉最后一个频率，因为它的余弦没有位置可放。",
            ),
            Term::Buffer if self.source == TORCH => Text::new(
                "A buffer moves to the GPU and is saved with the model, but no optimizer sees it: not trained. The first axis is for the batch.",
                "缓冲区会随模型搬到 GPU、随模型保存，但优化器看不到它，所以不参与训练。最前面的轴留给批次。",
            ),
            Term::Buffer => Text::new(
                "The table is computed once and kept; nothing here is trained.",
                "表只计算一次并保留下来；这里没有任何可训练的东西。",
            ),
            Term::Input => Text::new(
                "Embeddings of L tokens, one row each.",
                "L 个词元的嵌入，每个一行。",
            ),
            Term::Scale => Text::new(
                "The paper multiplies the embeddings by √d_model before the sum; many copies of this module leave it out.",
                "原论文在相加之前先把词嵌入乘以 √d_model；许多流传的代码漏掉了这一步。",
            ),
            Term::Sum if self.source == RUST => Text::new(
                "The first L rows are added, and the assertion refuses L beyond max_len.",
                "加上前 L 行；L 超过 max_len 时，断言会拒绝。",
            ),
            Term::Sum => Text::new(
                "The first L rows are cut out and added to every sequence of the batch. Beyond max_len the slice is too short and the shapes no longer fit.",
                "取出前 L 行，加到批次中的每个序列上。L 超过 max_len 时切片不够长，形状便对不上。",
            ),
            Term::Dropout => Text::new(
                "While training, a tenth of the sum’s numbers, chosen at random, become 0 and the others grow by 1/0.9.",
                "训练时，相加结果中十分之一的数被随机置零，其余放大 1/0.9 倍。",
            ),
        }
    }
}
