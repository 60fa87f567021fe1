//! The bench's texts in both languages. Functions that quote a number read it from the model.

use crate::field::{ViewName, encoding_name};
use crate::figures::bench::bias_window::note;
use crate::figures::bench::formula;
use crate::figures::bench::model::{HEADS, Model};
use crate::text::labels;
use crate::text::number::{noun, short, tiny, whole};
use crate::text::{Lang, Text};
use posenc_encoding::{Layout, PositionSignal, SimulatedTable, WhisperComponents};

const fn t(en: &'static str, zh: &'static str) -> Text {
    Text::new(en, zh)
}

/// Label of the bracket above the waves; `shown` is how many positions are in view.
pub fn wavelength_bracket(lang: Lang, wavelength: f64, shown: f64) -> String {
    let length = short(wavelength, 4);
    let share = shown / wavelength;
    match (lang, share < 1.0) {
        (Lang::En, false) => format!("wavelength {length} positions"),
        (Lang::Zh, false) => format!("波长 {length} 个位置"),
        (Lang::En, true) => format!(
            "wavelength {length} positions, {} of it in view",
            percent(share)
        ),
        (Lang::Zh, true) => format!(
            "波长 {length} 个位置，图中只显示了一个波长的 {}",
            percent(share)
        ),
    }
}

fn percent(share: f64) -> String {
    format!("{}%", short(100.0 * share, 2))
}

/// The reason why the selected dimension has no dial, in two lines.
pub fn no_partner(model: &Model) -> [&'static str; 2] {
    match (model.lang, model.pair.is_some()) {
        (Lang::En, _) if matches!(model.signal, PositionSignal::Rotation(_)) => {
            ["This dimension has no partner:", "it is not rotated"]
        }
        (Lang::Zh, _) if matches!(model.signal, PositionSignal::Rotation(_)) => {
            ["这一维没有配对，", "因此不旋转"]
        }
        (Lang::En, true) => ["This sine has no cosine:", "there is nothing to rotate"],
        (Lang::Zh, true) => ["这个正弦没有对应的余弦，", "因此无法旋转"],
        (Lang::En, false) => ["This column is always zero:", "there is nothing to rotate"],
        (Lang::Zh, false) => ["这一列恒为零，", "因此无法旋转"],
    }
}

pub const BIAS_AXIS: Text = t("bias", "偏置");
pub const QUERY_AXIS: Text = t("query", "查询");
pub const KEY_AXIS: Text = t("key", "键");
/// Of the keys that causal attention does not let a query see.
pub const MASKED: Text = t("later keys: masked", "之后的键被掩码遮住");
pub const OFFSET_AXIS: Text = t("offset k, query − key", "偏移量 k，查询 − 键");

/// The title of a pair's columns as points, of a table in which nothing rotates.
pub fn points_title(model: &Model) -> &'static str {
    let title = match model.is_simulated() {
        true => t(
            "No one turn leads from every pos to pos+k: the rows are random",
            "没有一个旋转能从每个 pos 转到 pos+k：各行是随机数",
        ),
        false => t(
            "No one turn leads exactly from every pos to pos+k: the path is no circle",
            "没有一个旋转能从每个 pos 精确地转到 pos+k：路径不是圆",
        ),
    };
    title.get(model.lang)
}

/// The title of the formula.
pub fn formula_title(model: &Model) -> &'static str {
    let title = match model.signal {
        PositionSignal::Sinusoids(_) | PositionSignal::Table(_) => labels::CELL,
        PositionSignal::Rotation(_) => labels::TURNED_PAIR,
        PositionSignal::Bias => labels::ADDED,
    };
    title.get(model.lang)
}

/// The message shown instead of a view that does not apply to the encoding; `None` if it does.
pub fn unavailable_message(model: &Model, view: ViewName) -> Option<&'static str> {
    if model.shows(view) {
        return None;
    }
    let words = match (model.signal, view) {
        _ if model.loading => t("loading …", "正在加载……"),
        (_, ViewName::Rotation | ViewName::Clocks) if model.is_pretrained() => {
            t("no exact Mₖ", "没有精确的 Mₖ")
        }
        (_, ViewName::Rotation | ViewName::Clocks) => t("no Mₖ", "没有 Mₖ"),
        (PositionSignal::Table(_), _) if !model.is_simulated() => {
            t("too large to be shown here", "表太大，这里显示不了")
        }
        (PositionSignal::Table(_), _) => t("too large to be stored here", "表太大，这里存不下"),
        _ => t("no table", "没有表"),
    };
    Some(words.get(model.lang))
}

const LOADING: Text = t(
    "What this encoding shows is still loading. Everything else can be used meanwhile.",
    "这种编码要显示的内容还在加载，其余功能照常可用。",
);

/// The heatmap's caption for encodings other than sinusoids: the origin of the table, or why there is none. It comes with the
/// second file of the core.
#[inline(never)]
fn rows_caption(model: &Model) -> String {
    let count = whole(model.state.max_len() as i64 * model.state.d_model() as i64);
    let (most, seed) = (
        whole(SimulatedTable::MAX_VALUES as i64),
        SimulatedTable::SEED,
    );
    let name = encoding_name(model.state.encoding()).get(model.lang);
    let (components, kept) = (
        WhisperComponents::COUNT,
        whole((100.0 * WhisperComponents::KEPT) as i64),
    );
    match (model.lang, model.signal) {
        (Lang::En, PositionSignal::Table(_)) if model.is_pretrained() => format!(
            "What Whisper’s decoder (tiny.en) has learned, at its one size of 448 × 384: an approximation from {components} principal components, which hold {kept}% of the variance."
        ),
        (Lang::Zh, PositionSignal::Table(_)) if model.is_pretrained() => format!(
            "Whisper 解码器（tiny.en）学到的位置表，只有 448 × 384 这一种大小。这里由 {components} 个主成分近似，保留了 {kept}% 的方差。"
        ),
        (Lang::En, PositionSignal::Table(_)) if !model.is_simulated() => {
            format!("Each row encodes one position, by the rule of this encoding: {name}.")
        }
        (Lang::Zh, PositionSignal::Table(_)) if !model.is_simulated() => {
            format!("每一行是一个位置的编码，按这种编码自己的规则算出：{name}。")
        }
        (Lang::En, PositionSignal::Table(_)) if model.has_table() => format!(
            "Random numbers (seed {seed}) stand in for a learned table: no row follows from another."
        ),
        (Lang::Zh, PositionSignal::Table(_)) if model.has_table() => {
            format!("用随机数（种子 {seed}）模拟的可学习位置表：没有哪一行能由别的行推出。")
        }
        (Lang::En, PositionSignal::Table(_)) => format!(
            "A learned table is stored number by number: this one has {count}, and up to {most} are simulated here."
        ),
        (Lang::Zh, PositionSignal::Table(_)) => {
            format!("可学习位置表要逐个数存下来：这张表有 {count} 个数，这里最多模拟 {most} 个。")
        }
        (Lang::En, PositionSignal::Bias) => format!(
            "{name} adds no vector to the embedding but a number to each logit: in each of {HEADS} heads another curve of k, the first in blue."
        ),
        (Lang::Zh, PositionSignal::Bias) => {
            format!(
                "{name}：不向词嵌入加向量，而是给每个注意力分数加一个数：{HEADS} 个头各有一条随 k 变化的曲线，蓝色是第一个头。"
            )
        }
        (Lang::En, _) => format!(
            "{name} adds nothing to the embedding: it rotates the pairs of queries and keys. A cell's colour is the angle pos·ωᵢ of a pair."
        ),
        (Lang::Zh, _) => format!(
            "{name}：不向词嵌入加任何东西，而是逐对旋转查询和键。每格的颜色是该维度对转过的角度 pos·ωᵢ。"
        ),
    }
}

/// What to look for in the heatmap.
pub fn heatmap_caption(model: &Model) -> String {
    if model.loading {
        return LOADING.get(model.lang).into();
    }
    if !matches!(model.signal, PositionSignal::Sinusoids(_)) {
        return rows_caption(model) + &note(model, ViewName::Heatmap);
    }
    if model.state.shows_phase() {
        return phase_caption(model);
    }
    let words = match (model.lang, model.column_order()) {
        // Its frequency is 1 in every layout.
        (Lang::En, Layout::Tensor2tensor) if model.pairs() < 2 => "Sines, then cosines.",
        (Lang::Zh, Layout::Tensor2tensor) if model.pairs() < 2 => "先正弦后余弦。",
        (Lang::En, Layout::Interleaved) => {
            "Each row encodes one position. Left columns change fast, right ones slowly."
        }
        (Lang::Zh, Layout::Interleaved) => {
            "每一行是一个位置的编码：左边的列变化快，右边的列变化慢。"
        }
        (Lang::En, Layout::Concatenated) => {
            "The same numbers in another order: all sines, then all cosines, each from fast to slow."
        }
        (Lang::Zh, Layout::Concatenated) => {
            "同样的数，另一种顺序：先是全部正弦，再是全部余弦，各自从高频到低频。"
        }
        (Lang::En, Layout::Tensor2tensor) => {
            "Sines, then cosines, at slightly different frequencies: the longest wavelength is exactly 2π · base."
        }
        (Lang::Zh, Layout::Tensor2tensor) => {
            "先正弦后余弦，频率也略有不同：最长的波长恰好是 2π × 底数。"
        }
    };
    words.into()
}

/// What to look for in the heatmap of angles.
fn phase_caption(model: &Model) -> String {
    let Some(pair) = &model.pair else {
        let words = t(
            "One cell for each pair, its colour the angle pos·ωᵢ. This column is always zero and has none: it is grey.",
            "一个维度对占一格，颜色是角度 pos·ωᵢ。这一列恒为零，没有角度，所以是灰色。",
        );
        return words.get(model.lang).into();
    };
    let turn = labels::turn(model.lang, pair.rotation_angle);
    let k = whole(model.state.k());
    match model.lang {
        Lang::En => format!(
            "One cell for each pair, its colour the angle pos·ωᵢ on the wheel. A shift by k moves a whole column on by one and the same angle: pair {} by {turn} for k = {k}, whatever pos.",
            pair.index
        ),
        Lang::Zh => format!(
            "一个维度对占一格，颜色是角度 pos·ωᵢ，对照色轮读出。移动 k，整列颜色在色轮上转过同一个角度：k = {k} 时，维度对 {} 转 {turn}，与 pos 无关。",
            pair.index
        ),
    }
}

/// The caption of the waves of encodings other than sinusoids, with the second file of the core.
#[inline(never)]
fn columns_caption(model: &Model) -> String {
    let words = match model.signal {
        PositionSignal::Table(_) if !model.has_table() => {
            t("No table, no columns.", "没有表，也就没有列。")
        }
        PositionSignal::Table(_) if model.is_pretrained() => t(
            "Two columns, number by number: no sinusoids, but smooth, as neighbouring positions have learned similar rows.",
            "逐个位置的两列数：不是正弦波，却很平滑，因为相邻的位置学到了相近的行。",
        ),
        PositionSignal::Table(_) if !model.is_simulated() => t(
            "Two columns, position by position.",
            "两列数，逐个位置画出。",
        ),
        PositionSignal::Table(_) => t(
            "Two columns, number by number: no wave, and nothing beyond max_len.",
            "逐个位置的两列数：没有波形，超出 max_len 便没有了。",
        ),
        PositionSignal::Bias => t(
            "What the query at pos+k adds for the key at each position.",
            "位于 pos+k 的查询对每个位置的键所加的数。",
        ),
        _ => t(
            "Sine and cosine of the angle pos·ωᵢ by which a pair of a query or key is rotated.",
            "查询或键的一个维度对转过 pos·ωᵢ，图中是这个角的正弦和余弦。",
        ),
    };
    words.get(model.lang).to_string() + &note(model, ViewName::Waves)
}

pub fn waves_caption(model: &Model) -> String {
    if model.loading {
        return LOADING.get(model.lang).into();
    }
    if !matches!(model.signal, PositionSignal::Sinusoids(_)) {
        return columns_caption(model);
    }
    let cycles = model.complete_cycles();
    let pairs = model.pairs().to_string();
    let len = whole(model.state.max_len() as i64);
    let verb = if cycles == 1 { "completes" } else { "complete" };
    match model.lang {
        Lang::En => {
            let of = noun(&pairs, "pair", "pairs");
            let within = noun(&len, "position", "positions");
            format!("{cycles} of {pairs} {of} {verb} a full cycle within {len} {within}.")
        }
        Lang::Zh => {
            format!("{pairs} 个维度对中，有 {cycles} 个在 {len} 个位置内走完一个完整周期。")
        }
    }
}

/// The caption of the rotation for encodings other than sinusoids. It comes with the second file of the core.
#[inline(never)]
fn shift_caption(model: &Model) -> String {
    let turned = model
        .rotated_pair()
        .map(|(pair, _)| labels::turn(model.lang, pair.rotation_angle));
    let simulated = model.is_simulated();
    match (model.lang, model.signal, turned) {
        (Lang::En, PositionSignal::Rotation(_), Some(angle)) => format!(
            "A query or key at pos is rotated by pos·ωᵢ, one at pos+k by kωᵢ = {angle} more, whatever pos. The arrows show where (1, 0) comes to lie."
        ),
        (Lang::Zh, PositionSignal::Rotation(_), Some(angle)) => format!(
            "位置 pos 的查询或键转过 pos·ωᵢ，位置 pos+k 的再多转 kωᵢ = {angle}，与 pos 无关。箭头表示 (1, 0) 转到了哪里。"
        ),
        (Lang::En, PositionSignal::Rotation(_), None) => {
            "An odd width leaves the last dimension without a partner: it is not rotated.".into()
        }
        (Lang::Zh, PositionSignal::Rotation(_), None) => "d_model 为奇数时，最后一维没有配对，不参与旋转。".into(),
        (Lang::En, PositionSignal::Bias, _) if simulated => {
            format!("What a query adds for a key, in the first of {HEADS} heads. It was learned (here it is simulated) and depends on k alone: each diagonal has one colour.")
        }
        (Lang::Zh, PositionSignal::Bias, _) if simulated => {
            format!("{HEADS} 个头中的第一个：每个查询对每个键所加的数。它是学得的（这里用模拟值），只取决于 k，所以每条对角线同色。")
        }
        (Lang::En, PositionSignal::Bias, _) => {
            format!("What a query adds for a key, in the first of {HEADS} heads. It depends on k alone: each diagonal has one colour.")
        }
        (Lang::Zh, PositionSignal::Bias, _) => {
            format!("{HEADS} 个头中的第一个：每个查询对每个键所加的数。它只取决于 k，所以每条对角线同色。")
        }
        (Lang::En, ..) if model.is_pretrained() => {
            "These rows were learned, and no Mₖ is exact for them. The figure in the lesson fits the best one and shows its error on rows held out.".into()
        }
        (Lang::Zh, ..) if model.is_pretrained() => {
            "这些行是学到的，没有哪个 Mₖ 对它们精确成立。讲解中的对应图拟合出最佳的 Mₖ，并给出它在未参与拟合的行上的误差。".into()
        }
        (Lang::En, ..) if !simulated => {
            "No matrix that depends on k alone is known for these rows.".into()
        }
        (Lang::Zh, ..) if !simulated => "对于这些行，没有已知的、只取决于 k 的矩阵。".into(),
        (Lang::En, ..) => {
            "These rows are random, as before training: nothing ties a row to the one k further on. Training can make an approximate Mₖ of them.".into()
        }
        (Lang::Zh, ..) => "这里的各行是随机数，如同训练之前：一行与往后 k 个位置的那一行没有规律可循。经过训练，可能形成近似的 Mₖ。".into(),
    }
}

/// The caption of the rotation, with the current angle kω.
pub fn rotation_caption(model: &Model) -> String {
    if model.loading {
        return LOADING.get(model.lang).into();
    }
    if !matches!(model.signal, PositionSignal::Sinusoids(_)) {
        return shift_caption(model) + &note(model, ViewName::Rotation);
    }
    let Some((pair, _)) = model.rotated_pair() else {
        return match model.lang {
            Lang::En => "This dimension has no partner: its row and column of Mₖ are zero, and it is left out of the residual.",
            Lang::Zh => "这一维没有配对：它在 Mₖ 中的行和列都为零，下方的残差也不计入这一维。",
        }
        .into();
    };
    let angle = labels::turn(model.lang, pair.rotation_angle);
    let index = whole(pair.index as i64);
    let [pos, target] = [model.state.pos() as i64, model.target()].map(whole);
    match model.lang {
        Lang::En => {
            format!("From position {pos} to {target} the turn of pair {index} is kωᵢ = {angle}.")
        }
        Lang::Zh => {
            format!("从位置 {pos} 到 {target}，维度对 {index} 的转角 kωᵢ = {angle}。")
        }
    }
}

/// The caption of the clocks: the effects of changing pos and of changing k.
pub fn clocks_caption(model: &Model) -> String {
    let Some((pair, _)) = model.rotated_pair() else {
        return rotation_caption(model);
    };
    let angle = labels::turn(model.lang, pair.rotation_angle);
    let index = whole(pair.index as i64);
    match model.lang {
        Lang::En => format!(
            "One clock for each pair, its hand at pos·ωᵢ. Changing pos turns every hand and leaves the size of every wedge as it is; changing k opens the wedges: pair {index}'s is {angle} now."
        ),
        Lang::Zh => format!(
            "每个维度对是一个钟，指针在 pos·ωᵢ 处。改变 pos，所有指针都转，扇形的大小却不变；改变 k，每个扇形张开的角度都变，第 {index} 对现在是 {angle}。"
        ),
    }
}

/// The label of the button that sets pos to pos + k.
pub fn apply_shift(model: &Model) -> String {
    let matrix = formula::letter(model);
    match model.lang {
        Lang::En => format!("Apply {matrix}ₖ"),
        Lang::Zh => format!("乘以 {matrix}ₖ"),
    }
}

/// Why pos cannot be set to pos + k, if the table has no such row.
pub fn why_no_shift(model: &Model) -> Option<String> {
    let target = whole(model.target());
    model.target_row().is_none().then(|| match model.lang {
        Lang::En => format!("There is no position {target}."),
        Lang::Zh => format!("没有位置 {target}。"),
    })
}

/// The caption of the rotation on the bench. It says that pos+k is outside the table only if there is no dial, so that
/// the layout does not shift.
pub fn rotation_panel_caption(model: &Model) -> String {
    let shift = rotation_caption(model);
    match outside_table_note(model) {
        Some(outside) if model.rotated_pair().is_none() => format!("{shift} {outside}"),
        _ => shift,
    }
}

/// Whether the product equals PE(pos+k): exact to rounding, or else the residual; where the table has no such row, that:
/// nothing can move there. `None` if there is no product.
pub fn exactness(model: &Model) -> Option<String> {
    // Four products of rounded sines and cosines and two sums, each within half a unit in the last place.
    const ROUNDING: f64 = 4.0 * f64::EPSILON;
    let (_, block) = model.rotated_pair()?;
    if let Some(why) = why_no_shift(model) {
        return Some(why);
    }
    Some(match (model.lang, block.residual <= ROUNDING) {
        (Lang::En, true) => "✓ exact to rounding".into(),
        (Lang::Zh, true) => "✓ 精确到舍入误差".into(),
        (Lang::En, false) => format!("off by {}", tiny(block.residual)),
        (Lang::Zh, false) => format!("相差 {}", tiny(block.residual)),
    })
}

/// |M_k·PE(pos) − PE(pos+k)| in a sentence, shown beside the equation; `None` without a complete pair or without
/// rotation.
pub fn residual(model: &Model) -> Option<String> {
    let count = model.complete_pairs();
    if count == 0 || model.waves.is_none() {
        return None;
    }
    let worst = tiny(model.residual);
    let here = model.rotated_pair().map(|(_, block)| tiny(block.residual));
    Some(match (model.lang, here) {
        (Lang::En, Some(here)) if count == 1 => {
            format!("Residual in 64-bit floats: {here}.")
        }
        (Lang::En, None) if count == 1 => {
            format!("Residual in 64-bit floats: {worst} in the only complete pair.")
        }
        (Lang::En, Some(here)) => {
            format!(
                "Residual in 64-bit floats: {here} here, at most {worst} over all {count} pairs."
            )
        }
        (Lang::En, None) => {
            format!("Residual in 64-bit floats: at most {worst} over all {count} complete pairs.")
        }
        (Lang::Zh, Some(here)) => {
            format!("残差（64 位浮点）：此处 {here}，全部 {count} 个维度对中最大 {worst}。")
        }
        (Lang::Zh, None) => {
            format!("残差（64 位浮点）：全部 {count} 个完整的维度对中最大 {worst}。")
        }
    })
}

/// Why the signs of RoPE's matrix are not those of M_k; `None` for other encodings.
pub fn rotation_acts_on(model: &Model) -> Option<&'static str> {
    matches!(model.signal, PositionSignal::Rotation(_)).then(|| match model.lang {
        Lang::En => "Rₖ acts on (x, y), Mₖ on (sin, cos): the minus sign changes places.",
        Lang::Zh => "Rₖ 作用于 (x, y)，Mₖ 作用于 (sin, cos)：负号换了位置。",
    })
}

/// The note that pos + k is outside the table; `None` if it is inside, or if there is no table.
pub fn outside_table_note(model: &Model) -> Option<String> {
    if model.target_row().is_some() || !model.has_table() {
        return None;
    }
    let target = whole(model.target());
    Some(match (model.lang, model.signal) {
        (Lang::En, PositionSignal::Table(_)) if model.is_simulated() || model.is_pretrained() => {
            format!(
                "pos+k = {target} lies outside the table, and there is nothing to compute it from."
            )
        }
        (Lang::Zh, PositionSignal::Table(_)) if model.is_simulated() || model.is_pretrained() => {
            format!("pos+k = {target} 超出表的范围，而且无从算起。")
        }
        (Lang::En, _) => {
            format!("pos+k = {target} lies outside the table; the formula still has a value there.")
        }
        (Lang::Zh, _) => format!("pos+k = {target} 超出表的范围，但公式在那里仍然有值。"),
    })
}
