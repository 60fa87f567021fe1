//! Questions about the map from one position to another.

use crate::draw::Scale;
use crate::figures::quiz::question::*;
use crate::figures::quiz::sketch::{Curve, Dial, Dot, Plot, Sketch};
use crate::math::linear::{least_squares, product};
use crate::text::labels::POSITION_AXIS;
use crate::text::number::{fixed, short, tiny};
use crate::text::{Lang, Text};
use posenc_encoding::{Matrix, Sinusoidal, sin_cos};
use std::f64::consts::PI;

pub fn sine_alone(dice: &mut Dice) -> Question {
    let pe = paper(64);
    let pair: usize = dice.pick(&[4, 5, 6]);
    let pos: i64 = dice.pick(&[2, 1, 3]);
    let k: i64 = dice.pick(&[3, 2, 4]);
    let sine = |pair: usize, position: i64| pe.sin_cos(pair, position).0;
    let zero = (0..pe.pairs()).all(|pair| sine(pair, 0) == 0.0);
    let leaves = (0..pe.pairs()).any(|pair| sine(pair, k) != 0.0);
    let right = if zero && leaves { 2 } else { 1 };
    let options = vec![
        (
            say!(
                dice,
                "Yes, the map is the same as with cosines",
                "能，映射与有余弦时相同"
            ),
            say!(
                dice,
                "sin((pos+k)ω) = sin(pos·ω)·cos kω + cos(pos·ω)·sin kω: the second term needs the cosine.",
                "sin((pos+k)ω) = sin(pos·ω)·cos kω + cos(pos·ω)·sin kω：第二项要用到余弦。"
            ),
        ),
        (
            say!(
                dice,
                "Yes, but a different map for each k",
                "能，但每个 k 各有一个映射"
            ),
            say!(
                dice,
                "It fails for one k already.",
                "哪怕只对一个 k 也做不到。"
            ),
        ),
        (say!(dice, "No", "不能"), String::new()),
    ];
    let angle = pe.angle(pair, pos);
    let turn = k as f64 * pe.frequency(pair);
    let (height, one, other) = (
        fixed(sin_cos(angle).0, 2),
        fixed(sin_cos(angle + turn).0, 2),
        fixed(sin_cos(PI - angle + turn).0, 2),
    );
    let dial = |start: f64| Dial {
        title: say!(dice, "sine {height}", "正弦 {height}"),
        start,
        turn,
        names: [start, start + turn].map(|angle| format!("{}°", fixed(angle.to_degrees(), 0))),
        known: false,
        heights: true,
        dragged: false,
    };
    let sketch = Sketch::Dials([dial(angle), dial(PI - angle)]);
    Question {
        ask: say!(
            dice,
            "Is sine alone enough? Leave the cosines out. Is there a linear map from PE(pos) to PE(pos + {k}), the same for all pos?",
            "只用正弦行不行？去掉全部余弦，是否有一个对所有 pos 都相同的线性映射，把 PE(pos) 变为 PE(pos + {k})？"
        ),
        answer: dice.choice(options, right),
        why: say!(
            dice,
            "PE(0) would be all zeros. A linear map leaves zeros where they are, and PE({k}) is not zero.",
            "那样 PE(0) 就是零向量。线性映射把零向量仍变为零向量，而 PE({k}) 不是零向量。"
        ),
        caption_before: say!(
            dice,
            "Two angles with the same sine, {height}, the dashed height.",
            "两个角度的正弦相同，都是虚线所示的 {height}。"
        ),
        caption_after: say!(
            dice,
            "Turned by the same k·ω, one goes to a sine of {one}, the other to {other}. From the sine alone nobody knows which; the cosine decides.",
            "同样转过 k·ω，一个的正弦变为 {one}，另一个变为 {other}。只凭正弦无从判断，要靠余弦来区分。"
        ),
        sketch,
    }
}

/// The largest error on the ten positions from each of `ends`, of the linear map from PE(pos) to
/// PE(pos + k) that was fitted by least squares on the positions before `fitted`.
fn map_errors(
    pe: &Sinusoidal,
    k: i64,
    fitted: i64,
    dimensions: &[usize],
    ends: &[i64],
) -> Vec<f64> {
    let table = |from: i64, count: i64| Matrix {
        positions: count as usize,
        dimensions: dimensions.len(),
        values: (from..from + count)
            .flat_map(|pos| {
                let row = row(pe, pos);
                dimensions.iter().map(move |&dimension| row[dimension])
            })
            .collect(),
    };
    let map = least_squares(&table(0, fitted), &table(k, fitted));
    let error = |&from: &i64| {
        let (mapped, wanted) = (product(&table(from, 10), &map), table(from + k, 10));
        let differences = mapped
            .values
            .iter()
            .zip(&wanted.values)
            .map(|(a, b)| (a - b).abs());
        differences.fold(1e-17, f64::max)
    };
    ends.iter().map(error).collect()
}

pub fn longer(dice: &mut Dice) -> Question {
    const FITTED: i64 = 50;
    let k: i64 = dice.pick(&[3, 1, 5, 7]);
    let places: Vec<i64> = (0..=50).map(|step| 100 * step).collect();
    // Both have four numbers per position: two pairs, or four sines.
    let both = map_errors(&paper(4), k, FITTED, &[0, 1, 2, 3], &places);
    let sines = map_errors(&paper(8), k, FITTED, &[0, 2, 4, 6], &places);
    let last = places.len() - 1;
    let (both_far, sine_far) = (both[last], sines[last]);
    let right = match both_far {
        error if error < 1e-6 => 0,
        error if error < 0.1 => 1,
        _ => 2,
    };
    let why_not = say!(
        dice,
        "Mₖ does not contain pos, so what was fitted on the first positions holds for all.",
        "Mₖ 中没有 pos，所以在开头那些位置上拟合出的映射处处成立。"
    );
    let options = vec![
        (
            say!(
                dice,
                "As well as before, up to rounding",
                "和原来一样好，只差舍入误差"
            ),
            String::new(),
        ),
        (
            say!(dice, "Worse, but still roughly right", "差一些，但大致正确"),
            why_not.clone(),
        ),
        (say!(dice, "Not at all", "完全不行"), why_not),
    ];
    let both_text = tiny(both_far);
    let (sine_near, sine_text) = (fixed(sines[0], 2), short(sine_far, 3));
    let fitted = FITTED - 1;
    let curve = |name: Text, colour, errors: &[f64]| Curve {
        name: name.get(dice.lang).into(),
        colour,
        points: places
            .iter()
            .map(|pos| *pos as f64)
            .zip(errors.iter().copied())
            .collect(),
        known: 0,
    };
    let error_axis = Text::new("largest error of the map", "映射的最大误差").get(dice.lang);
    let sketch = Sketch::Plot(Plot {
        x: Scale::linear(0.0, 5000.0),
        y: Scale::log(1e-20, 1e14),
        titles: [error_axis, POSITION_AXIS.get(dice.lang)],
        curves: vec![curve(SINE_ALONE, SINE, &sines), curve(BOTH, INK, &both)],
        dots: vec![Dot {
            at: (5000.0, both_far),
            name: both_text.clone(),
            colour: THERE,
            hidden: true,
        }],
        line: Some((fitted as f64, String::new())),
        dragged: None,
    });
    Question {
        ask: say!(
            dice,
            "Why do sine and cosine matter for longer sequences? On positions 0 to {fitted} (d_model = 4) the linear map from PE(pos) to PE(pos + {k}) was fitted by least squares. How well does it do at position 5000?",
            "为什么对更长的序列来说，正弦和余弦缺一不可？在位置 0 到 {fitted} 上（d_model = 4）用最小二乘拟合了从 PE(pos) 到 PE(pos + {k}) 的线性映射。它在位置 5000 处效果如何？"
        ),
        answer: dice.choice(options, right),
        why: say!(
            dice,
            "With sine and cosine the map is Mₖ, the same at every position: the error at 5000 is {both_text}. With four sines alone it is {sine_near} where they were fitted and {sine_text} at 5000. What a model makes of positions it never saw is another matter.",
            "正弦和余弦齐全时，这个映射就是 Mₖ，在每个位置都一样：5000 处的误差为 {both_text}。只用四个正弦，在拟合过的位置上误差就有 {sine_near}，到 5000 处为 {sine_text}。至于模型会不会用没见过的位置，那是另一回事。"
        ),
        caption_before: say!(
            dice,
            "Axes for the error over the position, logarithmic; the dashed line ends the positions of the fit.",
            "误差随位置变化的坐标轴（误差为对数刻度）；虚线左侧是拟合所用的位置。"
        ),
        caption_after: say!(
            dice,
            "With sine and cosine the error stays at rounding up to position 5000; with as many numbers of sine alone it is large at once and grows.",
            "正弦和余弦齐全时，直到位置 5000 误差都只是舍入误差；换成同样多的正弦，误差一开始就大，而且越来越大。"
        ),
        sketch,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_close::assert_close;

    #[test]
    fn a_map_fitted_on_sine_and_cosine_holds_everywhere() {
        let ends = [0, 5000, 100_000];
        let both = map_errors(&paper(4), 3, 50, &[0, 1, 2, 3], &ends);
        assert!(both.iter().all(|error| *error < 1e-9), "{both:?}");
        // Four sines, by NumPy's least squares.
        let sines = map_errors(&paper(8), 3, 50, &[0, 2, 4, 6], &ends);
        assert_close(sines[0], 0.296, 5e-4);
        assert_close(sines[1] / 776.188, 1.0, 1e-3);
        // The best map over 2000 positions misses by 0.30 somewhere.
        let places: Vec<i64> = (0..2000).step_by(10).collect();
        let worst = map_errors(&paper(8), 3, 2000, &[0, 2, 4, 6], &places);
        assert_close(worst.into_iter().fold(0.0, f64::max), 0.30, 0.005);
    }
}
