//! In which precision a table was computed: by its largest error, and by which rounding explains it.

use crate::fit::Fitted;
use crate::formula::{Formula, Rule};
use crate::half::Precision;
use crate::table::Table;
use crate::view::View;

/// Rows and columns that the arithmetics are compared on.
const ROWS: usize = 96;
const COLUMNS: usize = 64;

/// How the frequencies were computed where that shows.
#[derive(Clone, Copy, Debug, PartialEq)]
enum FrequencyBy {
    /// In higher precision, rounded or not.
    Wide,
    /// base^exponent in this precision, then its inverse.
    Power,
    /// The exponential of the exponent times the logarithm, as in "The Annotated Transformer".
    Exponential,
    /// The same where the logarithm is a number of Python's, which is multiplied in higher precision.
    ExponentialOfScalar,
}

/// Where code rounds between the position and the sine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rounding {
    precision: Precision,
    position: bool,
    frequency: bool,
    by: FrequencyBy,
    angle: bool,
    /// position / power instead of position · frequency.
    divided: bool,
}

impl Rounding {
    /// None that shows in double precision.
    pub const EXACT: Rounding = Rounding {
        precision: Precision::F64,
        position: false,
        frequency: false,
        by: FrequencyBy::Wide,
        angle: false,
        divided: false,
    };

    fn variants(precision: Precision) -> Vec<Rounding> {
        let mut all = Vec::new();
        for by in [
            FrequencyBy::Wide,
            FrequencyBy::Power,
            FrequencyBy::Exponential,
            FrequencyBy::ExponentialOfScalar,
        ] {
            for bits in 1..8 {
                let [position, frequency, angle] = [1, 2, 4].map(|bit| bits & bit != 0);
                for divided in [false, true] {
                    let wide = by == FrequencyBy::Wide;
                    if (!wide && !frequency) || (divided && !(angle && frequency)) {
                        continue;
                    }
                    // Single precision always rounds the angle.
                    if precision == Precision::F32 && !(angle && frequency && position) {
                        continue;
                    }
                    all.push(Rounding {
                        precision,
                        position,
                        frequency,
                        by,
                        angle,
                        divided,
                    });
                }
            }
        }
        all
    }

    /// What the position is multiplied by, or divided by.
    pub fn factor(&self, formula: &Formula, exponent: f64) -> f64 {
        let round = |it: f64| match self.frequency {
            true => self.precision.round(it),
            false => it,
        };
        let base = formula.base;
        let power = match self.by {
            FrequencyBy::Wide => round(base.powf(exponent)),
            FrequencyBy::Power => round(base.powf(round(exponent))),
            FrequencyBy::Exponential | FrequencyBy::ExponentialOfScalar => {
                let d = match formula.rule {
                    Rule::Tensor2tensor => (formula.divisor / 2).saturating_sub(1).max(1) as f64,
                    _ => formula.divisor as f64,
                };
                let numerator = round(exponent * d);
                let sign = if self.divided { 1.0 } else { -1.0 };
                let slope = sign * base.ln() / d;
                let slope = match self.by {
                    FrequencyBy::Exponential => round(slope),
                    _ => slope,
                };
                return round(round(numerator * slope).exp());
            }
        };
        if self.divided {
            power
        } else if self.by == FrequencyBy::Wide {
            round(base.powf(-exponent))
        } else {
            round(1.0 / power)
        }
    }

    /// The angle at a position.
    pub fn angle(&self, position: f64, factor: f64) -> f64 {
        let position = match self.position {
            true => self.precision.round(position),
            false => position,
        };
        let angle = match self.divided {
            true => position / factor,
            false => position * factor,
        };
        match self.angle {
            true => self.precision.round(angle),
            false => angle,
        }
    }
}

/// What can be said of the arithmetic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Arithmetic {
    /// `None` where storage hides it, or nothing explains the error.
    pub precision: Option<Precision>,
    /// What the table is compared with from here on.
    pub rounding: Rounding,
    /// Single and double precision could not be told apart.
    pub hidden: bool,
}

/// Cells of rows from the whole length.
struct Cells<'a> {
    table: &'a Table,
    view: &'a View,
    fitted: &'a Fitted,
    rows: Vec<usize>,
    columns: Vec<usize>,
}

/// How far a table is from one made with some rounding.
struct Distance {
    /// Mean and largest distance, without the worst in a hundred.
    mean: f64,
    largest: f64,
    largest_angle: f64,
}

impl Cells<'_> {
    /// Compares after rounding to what the table holds, if asked to.
    fn distance(&self, rounding: &Rounding, store: bool) -> Distance {
        let formula = &self.fitted.formula;
        let mut far = Vec::with_capacity(self.rows.len() * self.columns.len());
        let mut largest_angle: f64 = 0.0;
        for &column in &self.columns {
            let Some(wave) = formula.column(self.view.columns, column) else {
                continue;
            };
            let factor = rounding.factor(formula, wave.exponent);
            for &row in &self.rows {
                let value = self.view.at(self.table, row, column);
                if !value.is_finite() {
                    continue;
                }
                let angle = rounding.angle(formula.position(row), factor);
                largest_angle = largest_angle.max(angle.abs());
                let wave_value = if wave.sine { angle.sin() } else { angle.cos() };
                let mut expected = self.fitted.scale.apply(wave.sine, wave_value);
                if store {
                    expected = self.view.precision.round(expected);
                }
                far.push((value - expected).abs());
            }
        }
        far.sort_by(f64::total_cmp);
        far.truncate((far.len() * 99).div_ceil(100));
        Distance {
            mean: far.iter().sum::<f64>() / far.len().max(1) as f64,
            largest: far.last().copied().unwrap_or_default(),
            largest_angle,
        }
    }

    fn best_of(&self, precision: Precision) -> Option<(Rounding, Distance)> {
        let variants = Rounding::variants(precision).into_iter();
        let measured = variants.map(|it| (it, self.distance(&it, true)));
        measured.min_by(|a, b| a.1.mean.total_cmp(&b.1.mean))
    }
}

/// How far storing alone may move a number of the table.
pub(crate) fn storage_bound(view: &View, fitted: &Fitted) -> f64 {
    let factor = fitted.scale.factor;
    let units = if (factor - 1.0).abs() < 1e-12 {
        1.02
    } else {
        2.2
    };
    let size = factor + fitted.scale.offset.abs();
    units * view.rounding * size.max(f64::MIN_POSITIVE)
}

/// Decides by the rows of the whole length.
pub(crate) fn recognise(table: &Table, view: &View, fitted: &Fitted) -> Arithmetic {
    let counted: Vec<usize> = (0..view.end).filter(|row| view.counts(*row)).collect();
    let last = counted.len().saturating_sub(1);
    let steps = last.clamp(1, ROWS - 1);
    let rows = (0..=steps).filter_map(|at| counted.get(at * last / steps).copied());
    let cells = Cells {
        table,
        view,
        fitted,
        rows: rows.collect(),
        columns: view.some_columns(COLUMNS),
    };
    let of = |precision, rounding| Arithmetic {
        precision,
        rounding,
        hidden: false,
    };
    let exact = cells.distance(&Rounding::EXACT, false);
    let stored = storage_bound(view, fitted);
    let factor = fitted.scale.factor;
    // NumPy's own steps lose some units in the last place of exponent, power and angle.
    let double = factor * 1e-14 * (exact.largest_angle + 1.0);
    let single = factor * 0.5_f64.powi(25) * (exact.largest_angle + 1.0);
    if exact.largest <= stored + double {
        if single > 8.0 * (stored + double) {
            return of(Some(Precision::F64), Rounding::EXACT);
        }
        return told_by_votes(&cells);
    }
    if exact.largest <= stored + 16.0 * single {
        return of(Some(Precision::F32), Rounding::EXACT);
    }
    let halves = [Precision::Bf16, Precision::F16]
        .into_iter()
        .filter_map(|precision| cells.best_of(precision).map(|best| (precision, best)));
    let best = halves.min_by(|a, b| a.1.1.mean.total_cmp(&b.1.1.mean));
    match best {
        Some((precision, (rounding, distance)))
            if distance.mean < 0.4 * exact.mean || distance.largest <= stored =>
        {
            of(Some(precision), rounding)
        }
        _ => of(None, Rounding::EXACT),
    }
}

/// Where both arithmetics are within the rounding of the file, single cells still round one way or the other.
fn told_by_votes(cells: &Cells) -> Arithmetic {
    let double = cells.distance(&Rounding::EXACT, true).mean;
    let single = cells.best_of(Precision::F32);
    let single = single.map_or(f64::INFINITY, |(_, distance)| distance.mean);
    // A few of the cells compared must speak, and nearly all of them for one side.
    let count = (cells.rows.len() * cells.columns.len()) as f64;
    let vote = cells.view.rounding * cells.fitted.scale.factor / count;
    let precision = if double + 8.0 * vote < single && double < 0.2 * single {
        Some(Precision::F64)
    } else if single + 8.0 * vote < double && single < 0.2 * double {
        Some(Precision::F32)
    } else {
        None
    };
    Arithmetic {
        precision,
        rounding: Rounding::EXACT,
        hidden: precision.is_none(),
    }
}
