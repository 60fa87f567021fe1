//! Screen-reader descriptions of the bench's pictures, and of the selection.

use super::points;
use super::words::{
    heatmap_caption, no_partner, points_title, rotation_caption, unavailable_message, waves_caption,
};
use crate::field::ViewName;
use crate::figures::bench::heatmap::Grain;
use crate::figures::bench::model::Model;
use crate::text::labels;
use crate::text::number::{self, noun, short, trimmed, whole};
use crate::text::{Lang, Text};
use posenc_encoding::{Column, PositionSignal};

fn colon(lang: Lang) -> &'static str {
    match lang {
        Lang::En => ": ",
        Lang::Zh => "：",
    }
}

/// A position and a pair in words.
fn place(model: &Model, position: usize, pair: usize) -> String {
    let (pos, pair) = (whole(position as i64), labels::pair_tag(model.lang, pair));
    match model.lang {
        Lang::En => format!("position {pos}, {pair}"),
        Lang::Zh => format!("位置 {pos}，{pair}"),
    }
}

/// The query at pos + k and the key at pos, and the bias between them unless the key is masked.
fn bias(model: &Model) -> String {
    let [query, key] = [model.target(), model.state.pos() as i64].map(whole);
    let value = model
        .bias
        .map(|bias| colon(model.lang).to_string() + &trimmed(bias, 5))
        .unwrap_or_default();
    match model.lang {
        Lang::En => format!("query {query}, key {key}{value}"),
        Lang::Zh => format!("查询 {query}，键 {key}{value}"),
    }
}

/// Position, dimension and value of a cell, for the readout at the pointer; the selected position and pair, or query and
/// key, if the cell has no value.
pub fn cell(model: &Model, position: usize, dimension: usize) -> String {
    let pair = match model.column(dimension) {
        Column::Wave { pair, .. } => Some(pair),
        Column::Zero => None,
    };
    if let (true, Some(pair), Some(waves)) = (model.state.shows_phase(), pair, &model.waves) {
        let angle = labels::direction(waves.angle(pair, position as i64));
        return place(model, position, pair) + colon(model.lang) + &angle;
    }
    let Some(value) = model.cell(position as i64, dimension) else {
        return match model.signal {
            PositionSignal::Bias => bias(model),
            _ => place(model, model.state.pos(), model.state.pair()),
        };
    };
    let value = number::fixed(value, 4);
    let pair = pair.map(|pair| labels::pair_tag(model.lang, pair));
    let (position, dimension) = (whole(position as i64), whole(dimension as i64));
    match (model.lang, pair) {
        (Lang::En, Some(pair)) => {
            format!("position {position}, dimension {dimension} ({pair}): {value}")
        }
        (Lang::Zh, Some(pair)) => format!("位置 {position}，维度 {dimension}（{pair}）：{value}"),
        (Lang::En, None) => format!("position {position}, dimension {dimension}: {value}"),
        (Lang::Zh, None) => format!("位置 {position}，维度 {dimension}：{value}"),
    }
}

/// The selected cell in words, announced when it changes.
pub fn selection(model: &Model) -> String {
    cell(model, model.state.pos(), model.dimension())
}

/// The words at pos and at pos + k.
pub fn tokens(model: &Model) -> String {
    let (pos, target) = (model.state.pos() as i64, model.target());
    let word = |position: i64| {
        let word = usize::try_from(position).ok();
        word.and_then(|at| model.tokens.get(at).map(String::as_str))
    };
    let named = |position: i64| match (model.lang, word(position)) {
        (Lang::En, Some(word)) => format!("“{word}” at position {}", whole(position)),
        (Lang::Zh, Some(word)) => format!("位置 {} 的“{word}”", whole(position)),
        (Lang::En, None) => format!("position {}", whole(position)),
        (Lang::Zh, None) => format!("位置 {}", whole(position)),
    };
    let (here, there, k) = (named(pos), named(target), whole(model.state.k()));
    match model.lang {
        Lang::En => format!("From {here} to {there}: k = {k}."),
        Lang::Zh => format!("从{here}到{there}：k = {k}。"),
    }
}

/// Describes the canvas of the tokens for screen readers.
pub fn describe_tokens(model: &Model) -> String {
    let gap = match model.lang {
        Lang::En => " ",
        Lang::Zh => "",
    };
    tokens(model) + gap + labels::TOKENS_KEYS.get(model.lang)
}

/// Describes the heatmap's canvas for screen readers.
pub fn describe_heatmap(model: &Model) -> String {
    if model.shows_biases(ViewName::Heatmap) {
        return heatmap_caption(model);
    }
    if let Some(words) = unavailable_message(model, ViewName::Heatmap) {
        return join(model.lang, words, &heatmap_caption(model));
    }
    let columns = match model.state.shows_phase() {
        true => model.pairs(),
        false => model.state.d_model(),
    };
    let (len, d) = (whole(model.state.max_len() as i64), whole(columns as i64));
    let columns = match (model.lang, model.state.shows_phase()) {
        (Lang::En, false) => {
            let order = if model.state.shows_halves() {
                ", all sines before all cosines"
            } else {
                ""
            };
            format!("{d} {}{order}", noun(&d, "dimension", "dimensions"))
        }
        (Lang::Zh, false) if model.state.shows_halves() => format!("{d} 个维度，先正弦后余弦"),
        (Lang::Zh, false) => format!("{d} 个维度"),
        (Lang::En, true) => format!("the angles of {d} {}", noun(&d, "pair", "pairs")),
        (Lang::Zh, true) => format!("{d} 个维度对的角度"),
    };
    match model.lang {
        Lang::En => format!(
            "Heatmap of {len} {} by {columns}. Selected: {}. {}",
            noun(&len, "position", "positions"),
            selection(model),
            labels::HEATMAP_KEYS.en
        ),
        Lang::Zh => format!(
            "热力图，{len} 个位置 × {columns}。已选：{}。{}",
            selection(model),
            labels::HEATMAP_KEYS.zh
        ),
    }
}

/// Describes the waves, and the keys that work there.
pub fn describe_waves(model: &Model, keys: Text) -> String {
    if model.shows_biases(ViewName::Waves) {
        return waves_caption(model);
    }
    if let Some(words) = unavailable_message(model, ViewName::Waves) {
        return join(model.lang, words, &waves_caption(model));
    }
    if matches!(model.signal, PositionSignal::Table(_)) {
        return points::describe_columns(model, keys);
    }
    let Some(pair) = &model.pair else {
        return labels::ZERO_COLUMN.get(model.lang).into();
    };
    let (index, length) = (pair.index, short(pair.wavelength, 4));
    let [sine, cosine] = pair.at_pos.map(|v| number::fixed(v, 3));
    let pos = whole(model.state.pos() as i64);
    // The last sine of an odd width has no cosine.
    let (names, cosine) = match (model.lang, &pair.block) {
        (Lang::En, Some(_)) => ("Sine and cosine", format!(", cosine {cosine}")),
        (Lang::En, None) => ("Sine", String::new()),
        (Lang::Zh, Some(_)) => ("正弦和余弦", format!("，余弦 {cosine}")),
        (Lang::Zh, None) => ("正弦", String::new()),
    };
    match model.lang {
        Lang::En => format!(
            "{names} of pair {index} along the positions, wavelength {length} positions. At position {pos}: sine {sine}{cosine}. {}",
            keys.en
        ),
        Lang::Zh => format!(
            "维度对 {index} 的{names}随位置的变化，波长 {length} 个位置。位置 {pos} 处：正弦 {sine}{cosine}。{}",
            keys.zh
        ),
    }
}

fn join(lang: Lang, title: &str, sentence: &str) -> String {
    match lang {
        Lang::En => format!("{title}: {sentence}"),
        Lang::Zh => format!("{title}：{sentence}"),
    }
}

pub fn describe_rotation(model: &Model) -> String {
    if model.shows_biases(ViewName::Rotation) {
        return rotation_caption(model);
    }
    if let Some(words) = unavailable_message(model, ViewName::Rotation) {
        return join(model.lang, words, &rotation_caption(model));
    }
    if model.waves.is_none() {
        return join(
            model.lang,
            points_title(model),
            &points::describe_points(model),
        );
    }
    let Some((pair, _)) = model.rotated_pair() else {
        let gap = match model.lang {
            Lang::En => " ",
            Lang::Zh => "",
        };
        return no_partner(model).join(gap);
    };
    if matches!(model.signal, PositionSignal::Rotation(_)) {
        return format!(
            "{} {}",
            rotation_caption(model),
            labels::ROTATION_KEYS.get(model.lang)
        );
    }
    let index = pair.index;
    let (pos, target, k) = (
        whole(model.state.pos() as i64),
        whole(model.target()),
        whole(model.state.k()),
    );
    let degrees = labels::turn(model.lang, pair.rotation_angle);
    match model.lang {
        Lang::En => format!(
            "Unit circle of pair {index}: PE({pos}) rotated by {degrees} is PE({target}), k = {k}. {}",
            labels::ROTATION_KEYS.en
        ),
        Lang::Zh => format!(
            "维度对 {index} 的单位圆：PE({pos}) 旋转 {degrees} 得到 PE({target})，k = {k}。{}",
            labels::ROTATION_KEYS.zh
        ),
    }
}

/// The note that pixels show means of cells; `None` if no pixel covers more than a cell.
pub fn downsampling_note(lang: Lang, grain: &Grain) -> Option<String> {
    if grain.positions <= 1.0 && grain.columns <= 1.0 {
        return None;
    }
    let (rows, columns) = (
        short(grain.positions.max(1.0), 3),
        short(grain.columns.max(1.0), 3),
    );
    if grain.angles {
        return Some(match lang {
            Lang::En => format!(
                "each pixel averages {rows} × {columns} angles as vectors, the greyer the less they agree"
            ),
            Lang::Zh => {
                format!("每个像素是 {rows} × {columns} 个角度的向量平均，越灰表示方向越不一致")
            }
        });
    }
    Some(match (lang, grain.whole_pairs) {
        (Lang::En, false) => format!("each pixel averages {rows} × {columns} cells"),
        (Lang::En, true) => format!("each pixel averages {rows} × {columns} cells, in whole pairs"),
        (Lang::Zh, false) => format!("每个像素是 {rows} × {columns} 个单元格的平均值"),
        (Lang::Zh, true) => format!("每个像素是 {rows} × {columns} 个单元格的平均值，按整对计算"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_points_of_a_table_are_described_by_both_rows() {
        let described = |link: &str| {
            let model = Model::linked(link);
            let numbers = |position| {
                let values = model.pair_at(4, position).map(Option::unwrap);
                values.map(|value| number::fixed(value, 3)).join(", ")
            };
            let words = describe_rotation(&model);
            assert!(words.contains(&format!("position 10: {};", numbers(10.0))));
            assert!(words.ends_with(labels::ROTATION_KEYS.en), "{words}");
            words.contains(&format!("position 13: {}.", numbers(13.0)))
        };
        assert!(described("encoding=learned&lang=en"));
        assert!(described("encoding=whisper&lang=en"));
        let beyond = describe_rotation(&Model::linked("encoding=learned&k=90&lang=en"));
        assert!(beyond.contains("position 100: no numbers."), "{beyond}");
    }

    #[test]
    fn the_lines_without_a_partner_are_a_sentence() {
        let model = Model::linked("d_model=5&pair=2&lang=en");
        assert_eq!(
            describe_rotation(&model),
            "This sine has no cosine: there is nothing to rotate"
        );
    }
}
