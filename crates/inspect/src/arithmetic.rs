//! Recognises the precision in which a table was computed, by its largest error and by the roundings that explain it.

use crate::fit::Fitted;
use crate::formula::{Formula, Rule};
use crate::precision::Precision;
use crate::table::Table;
use crate::view::View;
use posenc_sort::sorted;

/// Numbers of rows and columns on which arithmetics are compared.
const ROWS: usize = 96;
const COLUMNS: usize = 64;

/// How the frequencies were computed, as far as it affects the rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
enum FrequencyBy {
    /// In higher precision, then rounded or not.
    Wide,
    /// base^exponent in this precision, then its inverse.
    Power,
    /// exp(exponent · d · (−ln base / d)), as in "The Annotated Transformer".
    Exponential,
    /// The same, where ln base / d is a Python float, which is not rounded before the multiplication.
    ExponentialOfScalar,
}

/// Which results are rounded between the position and the sine.
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
    /// No rounding that is noticeable in double precision.
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
                    // Code in single precision rounds position, frequency and angle.
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

    /// Returns the number that the position is multiplied by or, if `divided`, divided by.
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

    /// Returns the angle at a position, in radians.
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

/// What is recognised of the arithmetic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Arithmetic {
    /// `None` if storage hides it, or no candidate explains the error.
    pub precision: Option<Precision>,
    /// The rounding in the verification of the table.
    pub rounding: Rounding,
    /// Whether several precisions give the same stored table.
    pub ambiguous: bool,
}

/// A sample of the cells: rows over the whole length, and columns.
#[derive(Debug)]
struct Cells {
    fitted: Fitted,
    rows: Vec<usize>,
    columns: Vec<usize>,
}

/// The difference between a table and its formula computed with some rounding.
#[derive(Clone, Copy, Debug)]
struct Distance {
    /// Mean and largest absolute difference, without the worst 1 % of the cells.
    mean: f64,
    largest: f64,
    largest_angle: f64,
}

impl Cells {
    /// Compares the sample with the formula; with `store`, expected numbers are rounded to the precision of the table.
    fn distance(&self, table: &Table, view: &View, rounding: &Rounding, store: bool) -> Distance {
        let formula = &self.fitted.formula;
        let mut far = Vec::with_capacity(self.rows.len() * self.columns.len());
        let mut largest_angle: f64 = 0.0;
        for &column in &self.columns {
            let Some(wave) = formula.column(view.columns, column) else {
                continue;
            };
            let factor = rounding.factor(formula, wave.exponent);
            for &row in &self.rows {
                let value = view.at(table, row, column);
                if !value.is_finite() {
                    continue;
                }
                let angle = rounding.angle(formula.position(row), factor);
                largest_angle = largest_angle.max(angle.abs());
                let wave_value = if wave.sine { angle.sin() } else { angle.cos() };
                let mut expected = self.fitted.scale.apply(wave.sine, wave_value);
                if store {
                    expected = view.precision.round(expected);
                }
                far.push((value - expected).abs());
            }
        }
        let mut far = sorted(&far, |it| *it);
        far.truncate((far.len() * 99).div_ceil(100));
        Distance {
            mean: far.iter().sum::<f64>() / far.len().max(1) as f64,
            largest: far.last().copied().unwrap_or_default(),
            largest_angle,
        }
    }
}

/// Returns the largest error that storage alone causes.
pub(crate) fn storage_bound(view: &View, fitted: &Fitted) -> f64 {
    let factor = fitted.scale.factor;
    // The unit in the last place doubles at powers of two.
    let units = if (factor - 1.0).abs() < 1e-12 && fitted.scale.offset == 0.0 {
        1.02
    } else {
        2.2
    };
    let size = factor + fitted.scale.offset.abs();
    units * view.rounding * size.max(f64::MIN_POSITIVE)
}

/// The question that the comparison of roundings answers.
#[derive(Clone, Copy, Debug)]
enum Question {
    /// Which of the 16-bit formats, if any.
    SixteenBit,
    /// Single or double precision, where both are within the rounding of the file.
    SingleOrDouble,
}

/// Roundings that are compared in a step.
const PER_STEP: usize = 4;

/// Recognises the arithmetic on a sample of the cells, in steps.
#[derive(Debug)]
pub(crate) struct Recognition {
    cells: Cells,
    exact: Distance,
    storage_bound: f64,
    question: Question,
    variants: Vec<Rounding>,
    next: usize,
    best: Option<(Rounding, Distance)>,
    answer: Option<Arithmetic>,
}

impl Recognition {
    pub fn new(table: &Table, view: &View, fitted: &Fitted) -> Recognition {
        let counted: Vec<usize> = (0..view.end).filter(|row| view.counts(*row)).collect();
        let last = counted.len().saturating_sub(1);
        let steps = last.clamp(1, ROWS - 1);
        let rows = (0..=steps).filter_map(|at| counted.get(at * last / steps).copied());
        let cells = Cells {
            fitted: *fitted,
            rows: rows.collect(),
            columns: view.some_columns(COLUMNS),
        };
        let exact = cells.distance(table, view, &Rounding::EXACT, false);
        let storage_bound = storage_bound(view, fitted);
        let factor = fitted.scale.factor;
        // NumPy's operations lose some units in the last place of exponent, power and angle.
        let double = factor * 1e-14 * (exact.largest_angle + 1.0);
        let single = factor * 0.5_f64.powi(25) * (exact.largest_angle + 1.0);
        let told = |precision| {
            Some(Arithmetic {
                precision: Some(precision),
                rounding: Rounding::EXACT,
                ambiguous: false,
            })
        };
        let variants = |precisions: &[Precision]| {
            let each = precisions.iter().copied();
            each.flat_map(Rounding::variants).collect()
        };
        let in_16_bits = matches!(view.precision, Precision::Bf16 | Precision::F16);
        let (question, variants, answer) = if in_16_bits
            && exact.largest > storage_bound + 16.0 * single
            && exact.largest <= 2.0 * storage_bound + 16.0 * single
        {
            // Rounding twice to the format of the file would have the same effect.
            let ambiguous = Arithmetic {
                precision: None,
                rounding: Rounding::EXACT,
                ambiguous: true,
            };
            (Question::SixteenBit, Vec::new(), Some(ambiguous))
        } else if exact.largest > storage_bound + 16.0 * single {
            let halves = variants(&[Precision::Bf16, Precision::F16]);
            (Question::SixteenBit, halves, None)
        } else if exact.largest > storage_bound + double {
            (Question::SixteenBit, Vec::new(), told(Precision::F32))
        } else if single > 8.0 * (storage_bound + double) {
            (Question::SixteenBit, Vec::new(), told(Precision::F64))
        } else {
            let singles = variants(&[Precision::F32]);
            (Question::SingleOrDouble, singles, None)
        };
        Recognition {
            cells,
            exact,
            storage_bound,
            question,
            variants,
            next: 0,
            best: None,
            answer,
        }
    }

    pub fn fitted(&self) -> &Fitted {
        &self.cells.fitted
    }

    /// Runs one step; returns the arithmetic once it is known.
    pub fn step(&mut self, table: &Table, view: &View) -> Option<Arithmetic> {
        if self.answer.is_some() {
            return self.answer;
        }
        let end = (self.next + PER_STEP).min(self.variants.len());
        for variant in self.variants.get(self.next..end).unwrap_or_default() {
            let distance = self.cells.distance(table, view, variant, true);
            let best = self.best.map_or(f64::INFINITY, |(_, best)| best.mean);
            if distance.mean < best {
                self.best = Some((*variant, distance));
            }
        }
        self.next = end;
        if end == self.variants.len() {
            self.answer = Some(match self.question {
                Question::SixteenBit => self.sixteen_bit(),
                Question::SingleOrDouble => self.single_or_double(table, view),
            });
        }
        self.answer
    }

    fn sixteen_bit(&self) -> Arithmetic {
        let of = |precision, rounding| Arithmetic {
            precision,
            rounding,
            ambiguous: false,
        };
        match self.best {
            Some((rounding, distance))
                if distance.mean < 0.4 * self.exact.mean
                    || distance.largest <= self.storage_bound =>
            {
                of(Some(rounding.precision), rounding)
            }
            _ => of(None, Rounding::EXACT),
        }
    }

    /// Decides where both precisions are within the rounding of the file: some cells are still rounded differently.
    fn single_or_double(&self, table: &Table, view: &View) -> Arithmetic {
        let cells = &self.cells;
        let double = cells.distance(table, view, &Rounding::EXACT, true).mean;
        let single = self.best.map_or(f64::INFINITY, |(_, best)| best.mean);
        // A few cells must differ, and nearly all of them must agree with the same precision.
        let count = (cells.rows.len() * cells.columns.len()) as f64;
        let error_per_cell = view.rounding * cells.fitted.scale.factor / count;
        let precision = if double + 8.0 * error_per_cell < single && double < 0.2 * single {
            Some(Precision::F64)
        } else if single + 8.0 * error_per_cell < double && single < 0.2 * double {
            Some(Precision::F32)
        } else {
            None
        };
        Arithmetic {
            precision,
            rounding: Rounding::EXACT,
            ambiguous: precision.is_none(),
        }
    }
}
