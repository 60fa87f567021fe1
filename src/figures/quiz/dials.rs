//! Questions answered by rotating a hand: by an offset forwards or back, a key under RoPE, an interpolated position.

use crate::figures::quiz::question::*;
use crate::figures::quiz::sketch::{Dial, Sketch};
use crate::text::Lang;
use posenc_encoding::wrap_to_2pi;
use std::f64::consts::TAU;

/// The tolerance of a hand, as a share of a turn.
const NEAR: f64 = 10.0 / 360.0;

fn share(angle: f64) -> f64 {
    wrap_to_2pi(angle) / TAU
}

fn tolerance(dice: &Dice) -> String {
    say!(dice, "Right within 10°.", "误差不超过 10° 算对。")
}

/// A dial that shows a turn, or one whose hand is dragged from `start`.
fn dial(title: String, [start, turn]: [f64; 2], names: [String; 2], dragged: bool) -> Dial {
    Dial {
        title,
        start,
        turn,
        names,
        known: !dragged,
        heights: false,
        dragged,
    }
}

fn pair_title(dice: &Dice, pos: i64, pair: usize) -> String {
    say!(dice, "PE({pos}), pair {pair}", "PE({pos})，维度对 {pair}")
}

/// M_k is the same at every position.
pub fn turn(dice: &mut Dice) -> Question {
    let pe = paper(64);
    let pair: usize = dice.pick(&[4, 6, 0, 8, 3]);
    let k: i64 = dice.pick(&[3, 2, 5, 4]);
    let from: i64 = dice.pick(&[5, 2, 9]);
    let to: i64 = dice.pick(&[43, 105, 77, 1024]);
    let turn = wrap_to_2pi(k as f64 * pe.frequency(pair));
    let [left, right] = [from, to].map(|pos| pe.angle(pair, pos));
    let (turned, ends) = (degrees(turn), degrees(share(right + turn) * TAU));
    let (from_k, to_k) = (from + k, to + k);
    let title = |pos: i64| pair_title(dice, pos, pair);
    Question {
        ask: say!(
            dice,
            "In the first dial the offset k = {k} turns pair {pair} from position {from} to {from_k}. Drag the hand of the second from position {to} to where it will be at {to_k}.",
            "第一个表盘上，偏移量 k = {k} 使维度对 {pair} 从位置 {from} 转到 {from_k}。请把第二个表盘的指针从位置 {to} 拖到它在位置 {to_k} 的方向。"
        ),
        answer: Answer::Mark {
            right: share(right + turn),
            near: NEAR,
            start: share(right),
            turns: true,
            tolerance: tolerance(dice),
            traps: vec![
                (
                    share(left + turn),
                    say!(
                        dice,
                        "That is where the first hand ends; what carries over is the turn, not the place.",
                        "那是第一个指针的终点；不变的是转过的角度，而不是终点。"
                    ),
                ),
                (
                    share(right - turn),
                    say!(
                        dice,
                        "That is the same angle the other way; going on, hands turn counter-clockwise.",
                        "角度对了，方向反了；位置增大时，指针逆时针转。"
                    ),
                ),
            ],
        },
        why: say!(
            dice,
            "The offset turns the hand by k·ω = {turned} wherever it stands: pos does not occur in the angle. The hand ends at {ends}.",
            "无论指针在哪里，偏移量都使它转过 k·ω = {turned}：这个角度里没有 pos。指针停在 {ends}。"
        ),
        caption_before: say!(
            dice,
            "First dial: pair {pair} turned from position {from} by {turned}. Second dial: the hand of position {to}.",
            "第一个表盘：维度对 {pair} 从位置 {from} 转过 {turned}；第二个表盘：位置 {to} 的指针。"
        ),
        caption_after: say!(
            dice,
            "Both hands have turned by {turned}.",
            "两个指针都转过了 {turned}。"
        ),
        sketch: Sketch::Dials([
            dial(
                title(from),
                [left, turn],
                [from.to_string(), from_k.to_string()],
                false,
            ),
            dial(
                title(to),
                [right, turn],
                [to.to_string(), to_k.to_string()],
                true,
            ),
        ]),
    }
}

/// M₋ₖ undoes Mₖ.
pub fn back(dice: &mut Dice) -> Question {
    let pe = paper(64);
    let pair: usize = dice.pick(&[4, 6, 3, 8]);
    let k: i64 = dice.pick(&[3, 2, 4]);
    let [from, to]: [i64; 2] = [dice.pick(&[10, 7, 12]), dice.pick(&[50, 83, 1001])];
    let turn = wrap_to_2pi(k as f64 * pe.frequency(pair));
    let [left, right] = [from, to].map(|pos| pe.angle(pair, pos));
    let turned = degrees(turn);
    let [there, before] = [from + k, to - k];
    let title = |pos: i64| pair_title(dice, pos, pair);
    Question {
        ask: say!(
            dice,
            "From position {from} to {there} pair {pair} rotates as in the first dial. Drag the hand of position {to} to where it stood at {before}.",
            "从位置 {from} 到 {there}，维度对 {pair} 如第一个表盘那样旋转。请把位置 {to} 的指针拖回它在位置 {before} 的方向。"
        ),
        answer: Answer::Mark {
            right: share(right - turn),
            near: NEAR,
            start: share(right),
            turns: true,
            tolerance: tolerance(dice),
            traps: vec![(
                share(right + turn),
                say!(
                    dice,
                    "That is where it will be further on; going back, it rotates the other way.",
                    "那是再往后走的位置；往回走，要朝另一边转。"
                ),
            )],
        },
        why: say!(
            dice,
            "A shift by −k rotates by −kω: the inverse of a rotation is the rotation back, here by {turned}.",
            "移 −k 就是转 −kω：旋转的逆就是转回去，这里是 {turned}。"
        ),
        caption_before: say!(
            dice,
            "First dial: pair {pair} from position {from} to {there}. Second dial: the hand of position {to}.",
            "第一个表盘：维度对 {pair} 从位置 {from} 到 {there}；第二个表盘：位置 {to} 的指针。"
        ),
        caption_after: say!(
            dice,
            "One hand has rotated by {turned}, the other by as much the other way.",
            "一根指针转过 {turned}，另一根朝反方向转过同样的角度。"
        ),
        sketch: Sketch::Dials([
            dial(
                title(from),
                [left, turn],
                [from.to_string(), there.to_string()],
                false,
            ),
            dial(
                title(to),
                [right, -turn],
                [to.to_string(), before.to_string()],
                true,
            ),
        ]),
    }
}

/// RoPE rotates a vector by an angle that depends on its position alone, from its own direction.
pub fn rope(dice: &mut Dice) -> Question {
    let pe = paper(16);
    let pair: usize = dice.pick(&[1, 2]);
    let [m, n]: [i64; 2] = [dice.pick(&[5, 7, 6]), dice.pick(&[3, 2])];
    let [query, key]: [f64; 2] = [dice.pick(&[0.4, 1.1, 5.6]), dice.pick(&[2.4, 3.3, 1.9])];
    let omega = pe.frequency(pair);
    let [by_m, by_n] = [m, n].map(|position| position as f64 * omega);
    let turned = degrees(by_n);
    let rotated = |name: &str| [name.to_string(), format!("{name}′")];
    Question {
        ask: say!(
            dice,
            "RoPE has rotated pair {pair} of the query at position {m} as in the first dial. Drag the key, at position {n}, to where RoPE puts it.",
            "位置 {m} 的查询，其维度对 {pair} 已由 RoPE 如第一个表盘那样旋转。请把位置 {n} 的键拖到 RoPE 旋转之后的方向。"
        ),
        answer: Answer::Mark {
            right: share(key + by_n),
            near: NEAR,
            start: share(key),
            turns: true,
            tolerance: tolerance(dice),
            traps: vec![
                (
                    share(key + by_m),
                    say!(
                        dice,
                        "That is the query’s rotation; every vector is rotated by its own position.",
                        "那是查询转过的角度；每个向量各按自己的位置旋转。"
                    ),
                ),
                (
                    share(by_n),
                    say!(
                        dice,
                        "That is the angle counted from zero; RoPE rotates the key from where it points.",
                        "那是从零算起的角度；RoPE 是从键原来所指的方向开始转。"
                    ),
                ),
            ],
        },
        why: say!(
            dice,
            "It rotates by n·ω = {turned}, whatever it holds. Move both positions on and both rotate alike: the angle between them, and so the logit, stays.",
            "无论键是什么，都转 n·ω = {turned}。两个位置一起移动，两者就一起转：夹角不变，注意力分数也就不变。"
        ),
        caption_before: say!(
            dice,
            "First dial: the query q and, rotated, q′. Second dial: the key k.",
            "第一个表盘：查询 q 以及转过之后的 q′；第二个表盘：键 k。"
        ),
        caption_after: say!(
            dice,
            "Query and key, each rotated by its own position.",
            "查询和键，各按自己的位置旋转。"
        ),
        sketch: Sketch::Dials([
            dial(
                say!(dice, "query, position {m}", "查询，位置 {m}"),
                [query, by_m],
                rotated("q"),
                false,
            ),
            dial(
                say!(dice, "key, position {n}", "键，位置 {n}"),
                [key, by_n],
                rotated("k"),
                true,
            ),
        ]),
    }
}

/// Position interpolation: position m/s (Chen et al. 2023).
pub fn interpolated(dice: &mut Dice) -> Question {
    let s: i64 = dice.pick(&[4, 8, 2]);
    let m: i64 = s * dice.pick(&[2, 1, 3]);
    // Pair 0: one radian per position.
    let (full, interpolated) = (m as f64, m as f64 / s as f64);
    let (unchanged, turned) = (degrees(full), degrees(interpolated));
    let names = || ["0".to_string(), m.to_string()];
    Question {
        ask: say!(
            dice,
            "Under RoPE pair 0 rotates by {unchanged} up to position {m}. Positions are now interpolated with s = {s}, for texts {s} times as long. Drag the hand from position 0 to where it stands at {m}.",
            "在 RoPE 下，维度对 0 到位置 {m} 时转过 {unchanged}。现在用 s = {s} 作位置插值，以便读 {s} 倍长的文本。请把指针从位置 0 拖到它在位置 {m} 的方向。"
        ),
        answer: Answer::Mark {
            right: share(interpolated),
            near: NEAR,
            start: 0.0,
            turns: true,
            tolerance: tolerance(dice),
            traps: vec![(
                share(full),
                say!(
                    dice,
                    "That is where it stood before; interpolation divides every position by s.",
                    "那是插值之前的位置；插值把每个位置除以 s。"
                ),
            )],
        },
        why: say!(
            dice,
            "The model is told position {m}/{s}, so the hand rotates by {turned}. Neighbours are {s} times closer to each other than in training.",
            "模型看到的是位置 {m}/{s}，所以指针转过 {turned}。相邻位置比训练时靠近到 1/{s}。"
        ),
        caption_before: say!(
            dice,
            "First dial: pair 0 from position 0 to {m}, unchanged. Second dial: the hand of position 0.",
            "第一个表盘：未作改动时，维度对 0 从位置 0 到 {m}；第二个表盘：位置 0 的指针。"
        ),
        caption_after: say!(
            dice,
            "The same position, unchanged and interpolated.",
            "同一个位置，不改动与插值之后。"
        ),
        sketch: Sketch::Dials([
            dial(
                say!(dice, "unchanged", "不改动"),
                [0.0, full],
                names(),
                false,
            ),
            dial(
                say!(dice, "interpolated, s = {s}", "插值，s = {s}"),
                [0.0, interpolated],
                names(),
                true,
            ),
        ]),
    }
}
