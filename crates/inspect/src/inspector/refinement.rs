//! Fits bases that are not common ones, and snaps what is fitted to round numbers.

use super::{Inspector, Stage};
use crate::decimal;
use crate::fit::{Fitted, RADIANS, fit};
use crate::formula::{Formula, Order};
use posenc_sort::sorted;

/// A formula whose base is being fitted on more and more radians of the columns.
pub(super) struct Refinement {
    pub best: Fitted,
    pub with_offset: bool,
    /// Each column is compared on its first so many radians.
    pub radians: f64,
    pub width: f64,
}

impl Inspector {
    /// Fits a base from a grid to the table, on four times as many radians in each step for as long as the formula holds in
    /// the arithmetic of the table.
    pub(super) fn refine(&mut self, mut refinement: Refinement) {
        let Refinement {
            best,
            with_offset,
            radians,
            width,
        } = refinement;
        let formula = best.formula;
        let measure =
            |formula: Formula| fit(&self.table, &self.view, formula, with_offset, radians);
        let mut refitted = measure(formula);
        let mut step = width;
        while step > 1e-12 {
            let log = refitted.formula.base.ln();
            for log in [log - step, log + step] {
                let base = log.exp();
                let tried = measure(Formula { base, ..formula });
                if tried.trimmed < refitted.trimmed {
                    refitted = tried;
                }
            }
            step *= 0.6;
        }
        if radians > RADIANS && refitted.trimmed > 2.0 * best.trimmed + 0.02 {
            refinement.radians /= 4.0;
        } else {
            refinement.best = refitted;
            if radians <= 1e5 {
                refinement.radians *= 4.0;
                refinement.width = (4.0 * refitted.trimmed / refinement.radians).clamp(1e-9, 0.1);
                self.stage = Stage::Refine(refinement);
                return;
            }
        }
        let fitted = self.round_base(refinement);
        self.begin_recognition(fitted);
    }

    /// Replaces a base by a round one if that fits as well, possibly with another rule.
    fn round_base(&self, refinement: Refinement) -> Fitted {
        let Refinement { best, radians, .. } = refinement;
        let formula = best.formula;
        let measure = |formula: Formula| {
            let with_offset = refinement.with_offset;
            fit(&self.table, &self.view, formula, with_offset, radians)
        };
        let columns = self.view.columns;
        // The rounding of the file weighs little where a common base has failed by little more than that.
        let loose = if self.unproven.is_some() { 0.1 } else { 1.0 };
        let good = (1.0 + 0.3 * loose) * best.trimmed;
        let good = good.max(best.trimmed + 0.3 * loose * self.view.rounding);
        let failed = self.unproven.as_ref().map(|it| it.fitted().formula);
        let mut candidates: Vec<(f64, Formula)> = Vec::new();
        for formula in best.formula.equivalents(columns) {
            for digits in 1..6 {
                let base = decimal::round(formula.base, digits);
                let formula = Formula { base, ..formula };
                candidates.push((f64::from(digits) + formula.rarity(columns), formula));
            }
        }
        // The first columns of a wider table of the paper.
        let wider = columns as f64 * 10_000.0_f64.ln() / best.formula.base.ln();
        let wider = 2.0 * (wider / 2.0).round();
        if wider > columns as f64 && wider < 1e5 && formula.order == Order::Interleaved {
            let cut = Formula {
                base: 10_000.0,
                divisor: wider as usize,
                ..formula
            };
            candidates.push((3.0 + cut.rarity(columns), cut));
        }
        let candidates = sorted(&candidates, |(cost, _)| *cost);
        let candidates = candidates.into_iter().map(|(_, formula)| formula);
        let others = candidates.filter(|formula| Some(*formula) != failed);
        let measured = others.map(measure);
        let chosen = measured.into_iter().find(|tried| tried.trimmed <= good);
        chosen.unwrap_or(best)
    }

    /// Replaces a factor close to 1, or without an offset to another common one, by it, and an offset close to 0 by 0.
    pub(super) fn snap_scale(&self, mut fitted: Fitted) -> Fitted {
        let close = 0.5 * self.view.rounding + 2.0 * fitted.trimmed.min(0.02) + 1e-9;
        let scale = &mut fitted.scale;
        if (scale.factor - 1.0).abs() <= close {
            scale.factor = 1.0;
        } else if scale.offset == 0.0 {
            let d = self.view.columns as f64;
            let known = [
                d.sqrt(),
                1.0 / d.sqrt(),
                (2.0 / d).sqrt(),
                0.02,
                0.1,
                0.5,
                2.0,
                0.01,
                0.05,
                0.2,
                10.0,
                std::f64::consts::FRAC_1_SQRT_2,
                std::f64::consts::SQRT_2,
            ];
            let near = |it: &&f64| (scale.factor / **it - 1.0).abs() <= close;
            if let Some(known) = known.iter().find(near) {
                scale.factor = *known;
            }
        }
        if scale.offset.abs() <= close * scale.factor {
            scale.offset = 0.0;
        }
        fitted
    }
}
