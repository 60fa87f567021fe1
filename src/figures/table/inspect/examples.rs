//! Example tables for the inspection, computed as in common code, with common mistakes.

use crate::field::choices;
use crate::math::Normals;
use posenc_encoding::{Matrix, RopeContext, RopeScaling, WhisperComponents};
use posenc_inspect::{Precision, Storage, Table};

const POSITIONS: usize = 128;
const WIDTH: usize = 64;
const SEED: u64 = 1;
/// The wrong cell of the example `corrupt`: position and dimension.
const CORRUPT: (usize, usize) = (85, 20);

choices! {
    /// An example table, or the mistake in its code; the one that the lesson asks about does not name it.
    pub enum Example {
        Paper "paper" "The paper’s table" "论文中的表";
        Start "start" "One row off" "错开一行";
        Swapped "swapped" "Cosine first" "余弦在前";
        Column "column" "A table from GitHub" "GitHub 上的一张表";
        Doubled "doubled" "Exponent 2·column/d" "指数为 2·列号/d";
        Undivided "undivided" "No division" "没有除法";
        Half "half" "Angles in bfloat16" "用 bfloat16 算角度";
        Tensor2tensor "tensor2tensor" "tensor2tensor’s layout" "tensor2tensor 排列";
        Corrupt "corrupt" "One corrupt cell" "一个坏单元格";
        Repeated "repeated" "The same row for all" "所有行都相同";
        Degrees "degrees" "Angles in degrees" "角度当作度数";
        Transposed "transposed" "Transposed" "转置";
        Rope "rope" "A cache for RoPE" "RoPE 的缓存";
        Llama3 "llama3" "A cache scaled like Llama 3.1’s" "按 Llama 3.1 缩放的缓存";
        Whisper "whisper" "Learned by Whisper’s decoder" "Whisper 解码器学到的表";
        Noise "noise" "Random numbers" "随机数";
        Puzzle "puzzle" "Find out for yourself" "自己找出错误";
    }
}

/// Returns the sine of an angle, or its cosine if `column` is odd.
fn wave(angle: f64, column: usize) -> f64 {
    match column % 2 {
        0 => angle.sin(),
        _ => angle.cos(),
    }
}

/// Returns a cell of a table of this width as computed by code with the mistake of an example; `None` for examples that are not
/// computed cell by cell.
fn cell(example: Example, (pos, column): (usize, usize), width: usize) -> Option<f64> {
    let (at, d) = (pos as f64, width as f64);
    let (pair, half) = ((column / 2) as f64, width / 2);
    let power = |exponent: f64| 10_000_f64.powf(exponent);
    Some(match example {
        Example::Start => wave((at + 1.0) / power(2.0 * pair / d), column),
        Example::Swapped => wave(at / power(2.0 * pair / d), column + 1),
        Example::Column => wave(at / power(column as f64 / d), column),
        // 2i/d with the column for i.
        Example::Doubled => wave(at / power(2.0 * column as f64 / d), column),
        // 10000 ** (2 * i // d), where the division rounds down.
        Example::Undivided => wave(at / power((2.0 * pair / d).floor()), column),
        Example::Half => {
            let round = |it: f64| Precision::Bf16.round(it);
            let angle = round(round(at) * round(power(-2.0 * pair / d)));
            round(wave(angle, column))
        }
        Example::Tensor2tensor => {
            let (i, member) = (column % half, column / half);
            wave(at / power(i as f64 / (half as f64 - 1.0)), member)
        }
        Example::Corrupt if (pos, column) == CORRUPT => 0.75,
        Example::Repeated => wave(7.0 / power(2.0 * pair / d), column),
        Example::Degrees => wave((at / power(2.0 * pair / d)).to_radians(), column),
        Example::Rope => (at / 500_000_f64.powf(2.0 * (column % half) as f64 / d)).cos(),
        // for i in range(0, d, 2): 10000 ** (2 * i / d)
        Example::Puzzle => wave(at / power(2.0 * (2.0 * pair) / d), column),
        Example::Paper | Example::Corrupt => wave(at / power(2.0 * pair / d), column),
        _ => return None,
    })
}

/// Returns the cosines of a head of [`WIDTH`] dimensions with the frequencies of Llama 3.1, in both halves.
fn llama3() -> Matrix<f64> {
    let context = RopeContext {
        d_head: WIDTH,
        base: 500_000.0,
        trained: 8192.0,
        factor: 8.0,
        length: 65_536.0,
    };
    let frequencies = context.scaled(RopeScaling::Llama3).after;
    Matrix::from_fn(4 * POSITIONS, WIDTH, |pos, column| {
        (pos as f64 * frequencies[column % (WIDTH / 2)]).cos()
    })
}

fn stored(table: &Matrix<f64>) -> Table {
    let numbers = table.values.iter().map(|value| f64::from(*value as f32));
    let shape = (table.positions, table.dimensions);
    match Table::new(shape, numbers.collect(), Storage::Binary(Precision::F32)) {
        Ok(table) => table,
        // Not `expect`: it would add the debug output of all faults to the binary.
        Err(_) => unreachable!("an example has cells, and not too many"),
    }
}

/// Returns an example, rounded to single precision as in files.
pub fn example(example: Example) -> Table {
    let of = |positions: usize, width: usize, example: Example| {
        let cells = (0..positions).flat_map(|pos| (0..width).map(move |column| (pos, column)));
        let values = cells.map(|at| cell(example, at, width).unwrap_or_default());
        stored(&Matrix {
            positions,
            dimensions: width,
            values: values.collect(),
        })
    };
    match example {
        Example::Whisper => stored(&WhisperComponents::new().rows()),
        Example::Noise => stored(&Normals::seeded(SEED).matrix(POSITIONS, WIDTH, 1.0)),
        Example::Transposed => {
            let table = of(POSITIONS, WIDTH, Example::Paper);
            let cells = (0..WIDTH).flat_map(|column| (0..POSITIONS).map(move |pos| (pos, column)));
            stored(&Matrix {
                positions: WIDTH,
                dimensions: POSITIONS,
                values: cells.map(|(pos, column)| table.at(pos, column)).collect(),
            })
        }
        Example::Llama3 => stored(&llama3()),
        // More rows than 256, up to which bfloat16 represents all positions exactly.
        Example::Half => of(4 * POSITIONS, WIDTH, example),
        _ => of(POSITIONS, WIDTH, example),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Choice;
    use std::fs;

    /// Compares with tables of the same mistakes by other code (`tests/reference/mistakes.py`).
    #[test]
    fn examples_are_what_people_wrote() {
        for (example, file) in [
            (Example::Start, "from_one-16x8"),
            (Example::Swapped, "cosine_first-16x8"),
            (Example::Column, "exponent_of_the_column-16x8"),
            (Example::Doubled, "deepctr-16x8"),
            (Example::Undivided, "no_division-16x8"),
            (Example::Half, "bfloat16_throughout-300x8"),
            (Example::Degrees, "degrees-16x8"),
            (Example::Puzzle, "doubled-16x8"),
            (Example::Paper, "double_loop-8x4"),
        ] {
            let bytes = fs::read(format!("tests/corpus/tables/{file}.npy")).unwrap();
            let table = posenc_inspect::read(&bytes, None).unwrap();
            let mut far = 0;
            for row in 0..table.rows() {
                for column in 0..table.columns() {
                    let own = cell(example, (row, column), table.columns()).unwrap();
                    far += usize::from((own - table.at(row, column)).abs() > 2e-5);
                }
            }
            // The other code computes the frequencies for bfloat16 by exp, which may round differently.
            let most = if example == Example::Half {
                table.rows() * 4
            } else {
                0
            };
            assert!(far <= most, "{example:?}: {far} cells");
        }
    }

    #[test]
    fn every_choice_is_a_table() {
        for &name in Example::ALL {
            let table = example(name);
            assert!(table.values().iter().all(|it| it.is_finite()), "{name:?}");
            assert!(table.values().iter().any(|it| *it != 0.0), "{name:?}");
        }
    }
}
