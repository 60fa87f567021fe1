//! The angles of a table's pairs, if its formula has pairs of a sine and a cosine.

use super::{LOOKED_AT, MAX_BLOCKS};
use posenc_inspect::{Formula, Report, Table};

/// Mean vectors (cosine, sine) of angles in blocks of cells, positions down and pairs across even in a transposed table.
pub struct Phases {
    /// Number of positions and of pairs.
    pub shape: (usize, usize),
    /// Number of blocks down and across.
    pub blocks: (usize, usize),
    /// One vector per block, row-major, of length 1 if all its cells have the same angle and the amplitude of the formula.
    pub sines: Vec<f32>,
    pub cosines: Vec<f32>,
    counts: Vec<f32>,
    formula: Formula,
    width: usize,
    transposed: bool,
    /// Subtracted from every number; `scale` is the amplitude by which the difference is divided.
    offset: f64,
    scale: f64,
    /// The next position.
    next: usize,
}

impl Phases {
    /// Returns `None` for a table without a recognised formula, and for one with only sines or only cosines.
    pub fn new(table: &Table, report: &Report) -> Option<Phases> {
        let formula = report.formula.filter(|_| report.is_recognised())?;
        let (mut positions, mut width) = (table.rows(), table.columns());
        if report.transposed {
            (positions, width) = (width, positions);
        }
        formula.pair_columns(width, 0)?;
        let shape = (positions, width / 2);
        let blocks = (shape.0.min(MAX_BLOCKS), shape.1.min(MAX_BLOCKS));
        let zeros = vec![0.0; blocks.0 * blocks.1];
        Some(Phases {
            shape,
            blocks,
            sines: zeros.clone(),
            cosines: zeros.clone(),
            counts: zeros,
            formula,
            width,
            transposed: report.transposed,
            offset: report.offset.unwrap_or(0.0),
            scale: report.scale.map_or(1.0, f64::abs),
            next: 0,
        })
    }

    /// Adds some positions; returns true while there are more.
    pub fn step(&mut self, table: &Table) -> bool {
        let (positions, pairs) = self.shape;
        let end = (self.next + (LOOKED_AT / self.width).max(1)).min(positions);
        for position in self.next..end {
            let down = position * self.blocks.0 / positions;
            for pair in 0..pairs {
                let Some(columns) = self.formula.pair_columns(self.width, pair) else {
                    continue;
                };
                let [sine, cosine] = columns.map(|column| {
                    let number = match self.transposed {
                        false => table.at(position, column),
                        true => table.at(column, position),
                    };
                    ((number - self.offset) / self.scale) as f32
                });
                if sine.is_finite() && cosine.is_finite() {
                    let at = down * self.blocks.1 + pair * self.blocks.1 / pairs;
                    self.sines[at] += sine;
                    self.cosines[at] += cosine;
                    self.counts[at] += 1.0;
                }
            }
        }
        self.next = end;
        if end < positions {
            return true;
        }
        for ((sine, cosine), count) in self
            .sines
            .iter_mut()
            .zip(&mut self.cosines)
            .zip(&self.counts)
        {
            *sine /= count.max(1.0);
            *cosine /= count.max(1.0);
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::{Example, example};
    use super::*;
    use crate::field::Choice;
    use posenc_inspect::Inspector;

    fn of(name: &str) -> Option<Phases> {
        let table = || example(Example::named(name).unwrap());
        let report = Inspector::new(table()).run();
        let table = table();
        let mut phases = Phases::new(&table, &report)?;
        while phases.step(&table) {}
        Some(phases)
    }

    /// Returns the angle of a pair at d_model = 64, by the paper's formula.
    fn angle(position: usize, pair: usize) -> f64 {
        position as f64 * 1e4f64.powf(-2.0 * pair as f64 / 64.0)
    }

    fn assert_angles(phases: &Phases, wanted: impl Fn(usize, usize) -> f64) {
        assert_eq!(phases.shape, phases.blocks);
        for position in 0..phases.shape.0 {
            for pair in 0..phases.shape.1 {
                let at = position * phases.shape.1 + pair;
                let (sine, cosine) = wanted(position, pair).sin_cos();
                assert!((f64::from(phases.sines[at]) - sine).abs() < 1e-5, "{at}");
                assert!(
                    (f64::from(phases.cosines[at]) - cosine).abs() < 1e-5,
                    "{at}"
                );
            }
        }
    }

    #[test]
    fn an_angle_is_that_of_the_formula_however_pairs_stand() {
        for name in ["paper", "transposed"] {
            assert_angles(&of(name).unwrap(), angle);
        }
        let tensor2tensor = of("tensor2tensor").unwrap();
        assert_angles(&tensor2tensor, |position, pair| {
            position as f64 * 1e4f64.powf(-(pair as f64) / 31.0)
        });
    }

    #[test]
    fn mistakes_have_other_angles() {
        let quarter = std::f64::consts::FRAC_PI_2;
        assert_angles(&of("swapped").unwrap(), |position, pair| {
            quarter - angle(position, pair)
        });
        assert_angles(&of("start").unwrap(), |position, pair| {
            angle(position + 1, pair)
        });
    }

    #[test]
    fn what_has_no_pairs_has_no_angles() {
        for name in ["whisper", "noise", "rope"] {
            assert!(of(name).is_none(), "{name}");
        }
    }
}
