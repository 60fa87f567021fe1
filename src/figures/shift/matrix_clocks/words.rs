//! The caption of the matrix of clocks.

use super::MatrixClocks;
use crate::text::number::whole;
use crate::text::{Lang, labels};

impl MatrixClocks {
    pub(super) fn describe(&self) -> String {
        let model = &self.model;
        let (k, pos, target) = (
            whole(model.state.k()),
            whole(model.state.pos() as i64),
            whole(model.target()),
        );
        let pair = model.state.pair();
        let Some((_, turn)) = self.row(pair).angles else {
            return match model.lang {
                Lang::En => format!(
                    "The sine of pair {pair} has no cosine in an odd width: its row and column of Mₖ are zero."
                ),
                Lang::Zh => format!(
                    "d_model 为奇数，维度对 {pair} 的正弦没有余弦与之配对：它在 Mₖ 中的行和列都为零。"
                ),
            };
        };
        let turn = labels::turn(model.lang, turn);
        match model.lang {
            Lang::En => format!(
                "Mₖ for k = {k}: a 2 × 2 rotation for each pair on the diagonal, zeros elsewhere. Pair {pair} goes on by {turn} from PE({pos}) to PE({target}). Move pos, and the hands on both sides move while the matrix stands still: k alone opens its wedges."
            ),
            Lang::Zh => format!(
                "k = {k} 时的 Mₖ：对角线上每个维度对一个 2 × 2 旋转，其余全是零。维度对 {pair} 转 {turn}，从 PE({pos}) 转到 PE({target})。移动 pos，两侧的指针都动，中间的矩阵不动：只有 k 能张开它的扇形。"
            ),
        }
    }
}
