//! Decides whether a cell is the number of a formula, given how code computes such tables and how the file rounds them.

use crate::arithmetic::Arithmetic;
use crate::precision::Precision;
use crate::table::{Storage, Table};
use crate::view::View;

/// Roundings between ln(base) and an exponent of e, as in `exp(2i · (−ln(base) / d))`: of the logarithm, the quotient, the
/// product and, where the logarithm is rounded to single precision as well, its function. Each is relative to the exponent,
/// and so changes the frequency by as many times its magnitude.
const EXPONENT: f64 = 4.0;
/// Roundings of a frequency after its exponent: `pow` is exact to four units in the last place, each twice the largest
/// rounding error, `exp` to three; then come the reciprocal and the product with the position.
const FREQUENCY: f64 = 10.0;
/// Rounding errors of a sine or cosine, which is exact to four units in the last place.
const SINE: f64 = 4.0;

/// The errors of a table that is computed in single or double precision and stored in the file. They follow from the
/// number of roundings, and are not fitted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tolerance {
    /// The largest relative rounding error of frequencies and angles.
    angle: f64,
    /// The error of a sine or cosine.
    sine: f64,
    storage: Storage,
    /// The format that holds the numbers of the file, as far as they have been looked at, and the one that holds any.
    precision: Precision,
    widest: Precision,
}

const SINGLE: f64 = 1.0 / 16_777_216.0;
/// Eight times the rounding error: the formula that the table is compared with is computed in double precision, too.
const DOUBLE: f64 = SINGLE * SINGLE / 4.0;

impl Tolerance {
    pub fn new(table: &Table, view: &View, arithmetic: &Arithmetic) -> Tolerance {
        let double = arithmetic.precision == Some(Precision::F64);
        let storage = table.storage();
        let (widest, double_sine) = match storage {
            Storage::Binary(precision) => (precision, view.precision == Precision::F64),
            Storage::Text { .. } => (Precision::F64, double),
        };
        Tolerance {
            angle: if double { DOUBLE } else { SINGLE },
            sine: SINE * if double_sine { DOUBLE } else { SINGLE },
            storage,
            precision: view.precision,
            widest,
        }
    }

    /// Returns the number of rounding errors of an angle that has this frequency. Single precision holds the frequency 1 and
    /// the positions of a table.
    pub fn roundings(frequency: f64) -> f64 {
        match frequency == 1.0 {
            true => 0.0,
            false => EXPONENT * frequency.ln().abs() + FREQUENCY,
        }
    }

    /// Returns whether a cell is `expected`, the sine or cosine of an angle with so many rounding errors, as the file
    /// rounds it.
    pub fn accepts(&self, found: f64, expected: f64, angle: f64, roundings: f64) -> bool {
        let angle = roundings * angle.abs();
        // Errors in single precision that the file's rounding hides are no sign that there are none.
        let decimal = self.storage.decimal_error(expected);
        let rounding = match self.storage {
            Storage::Binary(_) => self.precision.half_unit(),
            Storage::Text { .. } => decimal,
        };
        let hidden = (SINE * SINGLE + SINGLE * angle).min(rounding);
        let error = (self.sine + self.angle * angle).max(hidden);
        if (found - expected).abs() <= error + decimal {
            return true;
        }
        let precision = match self.precision.round(found) == found {
            true => self.precision,
            false => self.widest,
        };
        // A text is rounded to the precision, to decimals, and when it is read to the precision again.
        let rounded =
            |expected: f64, decimal: f64| precision.round(precision.round(expected) + decimal);
        let (low, high) = (
            rounded(expected - error, -decimal),
            rounded(expected + error, decimal),
        );
        (low..=high).contains(&found)
    }
}
