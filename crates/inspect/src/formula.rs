//! The formulas that a table is compared with.

/// Which waves a table is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waves {
    /// A sine and a cosine per pair.
    Both,
    /// Cosines alone: half of a cache for RoPE.
    Cosines,
    /// Sines alone: the other half.
    Sines,
}

/// The columns of the two dimensions of a pair, or in a RoPE cache, of the two copies of a wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Side by side.
    Interleaved,
    /// In the first and in the second half.
    Halves,
    /// A cache with one column per pair.
    Single,
    /// Cosines and sines of RoPE in one table: each half holds its wave twice.
    Quarters,
}

impl Order {
    /// Returns the d of the exponents of a table with so many columns.
    pub(crate) const fn divisor(self, columns: usize) -> usize {
        match self {
            Self::Single => 2 * columns,
            Self::Quarters => columns / 2,
            _ => columns,
        }
    }
}

/// How the exponent of the base is computed from the pair i = 0 … d/2 − 1 and its member m = 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// 2i/d, as in Vaswani et al. 2017.
    Paper,
    /// i/(d/2 − 1), as in tensor2tensor.
    Tensor2tensor,
    /// (2i + m)/d: sine and cosine have frequencies of their own.
    Column,
    /// c/d, where c is the index of the column: differs from [`Column`](Self::Column) in the order [`Order::Halves`].
    CountedColumn,
    /// (2i + 2m)/d: the cosine has the next pair's frequency.
    NextPair,
    /// 4i/d: the pair's first dimension, 2i, is used as i.
    Doubled,
    /// 2(2i + m)/d: the column is used as i.
    DoubledColumn,
    /// 2c/d.
    DoubledCountedColumn,
    /// (4i + m)/d.
    DoubledThenColumn,
    /// 0: every pair has the frequency 1.
    None,
}

impl Rule {
    /// The paper's first, then tensor2tensor's, then the mistakes, approximately by frequency.
    pub const ALL: [Rule; 10] = [
        Self::Paper,
        Self::Tensor2tensor,
        Self::Column,
        Self::CountedColumn,
        Self::Doubled,
        Self::DoubledColumn,
        Self::DoubledCountedColumn,
        Self::None,
        Self::NextPair,
        Self::DoubledThenColumn,
    ];

    /// Returns the name used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Paper => "2i/d",
            Self::Tensor2tensor => "i/(d/2-1)",
            Self::Doubled => "4i/d",
            Self::None => "none",
            Self::Column | Self::CountedColumn | Self::NextPair => "column/d",
            Self::DoubledColumn | Self::DoubledCountedColumn | Self::DoubledThenColumn => {
                "column/d"
            }
        }
    }

    /// Returns whether sine and cosine of a pair have different frequencies.
    pub const fn by_column(self) -> bool {
        !matches!(
            self,
            Self::Paper | Self::Tensor2tensor | Self::Doubled | Self::None
        )
    }

    /// Returns whether the exponent goes up to 2 instead of 1.
    pub const fn doubled(self) -> bool {
        matches!(
            self,
            Self::Doubled
                | Self::DoubledColumn
                | Self::DoubledCountedColumn
                | Self::DoubledThenColumn
        )
    }
}

/// A formula of a whole table, apart from its scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Formula {
    /// Sines and cosines, or one of them.
    pub waves: Waves,
    /// Their columns.
    pub order: Order,
    /// The exponents.
    pub rule: Rule,
    /// The d of the exponents: the number of columns, in a RoPE cache with one column per pair twice as many; one more or
    /// less in some code for odd widths, more in a table whose last columns have been cut off.
    pub divisor: usize,
    /// Whether the last column of an odd width is zero.
    pub padded: bool,
    /// Base of the frequencies.
    pub base: f64,
    /// The position of row 0.
    pub start: i64,
    /// Factor of the positions: 1, unless they are scaled or angles are in degrees.
    pub step: f64,
    /// Whether sine and cosine are exchanged.
    pub swapped: bool,
}

/// The wave in a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Column {
    /// The frequency is base^−exponent.
    pub exponent: f64,
    pub sine: bool,
}

impl Formula {
    /// Returns the paper's formula (Vaswani et al. 2017) for a number of columns.
    pub const fn paper(columns: usize) -> Formula {
        Formula {
            waves: Waves::Both,
            order: Order::Interleaved,
            rule: Rule::Paper,
            divisor: columns,
            padded: false,
            base: 10_000.0,
            start: 0,
            step: 1.0,
            swapped: false,
        }
    }

    /// Returns the formulas of a correct table in each layout: interleaved, concatenated and tensor2tensor's.
    pub(crate) fn in_each_layout(columns: usize) -> [Formula; 3] {
        let paper = Formula::paper(columns);
        let halves = Formula {
            order: Order::Halves,
            ..paper
        };
        let tensor2tensor = Formula {
            rule: Rule::Tensor2tensor,
            ..halves
        };
        [paper, halves, tensor2tensor]
    }

    /// Returns the wave in a column of a table with `columns` columns; `None` for a column of zeros.
    pub(crate) fn column(&self, columns: usize, column: usize) -> Option<Column> {
        if self.padded && columns % 2 == 1 && column + 1 == columns {
            return None;
        }
        let half = match self.padded {
            true => columns / 2,
            false => columns.div_ceil(2),
        };
        let (pair, member) = match self.order {
            Order::Interleaved => (column / 2, column % 2),
            Order::Halves if column < half => (column, 0),
            Order::Halves => (column - half, 1),
            Order::Single => (column, 0),
            Order::Quarters => (column % half % (columns / 4).max(1), column / half),
        };
        let d = self.divisor as f64;
        let (i, m, c) = (pair as f64, member as f64, column as f64);
        let exponent = match self.rule {
            Rule::Paper => 2.0 * i / d,
            Rule::Tensor2tensor => i / (self.divisor / 2).saturating_sub(1).max(1) as f64,
            Rule::Column => (2.0 * i + m) / d,
            Rule::CountedColumn => c / d,
            Rule::NextPair => (2.0 * i + 2.0 * m) / d,
            Rule::Doubled => 4.0 * i / d,
            Rule::DoubledColumn => 2.0 * (2.0 * i + m) / d,
            Rule::DoubledCountedColumn => 2.0 * c / d,
            Rule::DoubledThenColumn => (4.0 * i + m) / d,
            Rule::None => 0.0,
        };
        let sine = match self.waves {
            Waves::Both => (member == 0) != self.swapped,
            Waves::Cosines => false,
            Waves::Sines => true,
        };
        Some(Column { exponent, sine })
    }

    /// Returns the two columns of a pair in a table with `columns` columns, first the one that should hold the sine;
    /// `None` if there is no such pair, or the table has only sines or only cosines.
    pub fn pair_columns(&self, columns: usize, pair: usize) -> Option<[usize; 2]> {
        let pairs = match self.order {
            Order::Quarters => columns / 4,
            _ => columns / 2,
        };
        if self.waves != Waves::Both || pair >= pairs {
            return None;
        }
        match self.order {
            Order::Interleaved => Some([2 * pair, 2 * pair + 1]),
            Order::Halves if self.padded => Some([pair, columns / 2 + pair]),
            Order::Halves => Some([pair, columns.div_ceil(2) + pair]),
            Order::Quarters => Some([pair, columns / 2 + pair]),
            Order::Single => None,
        }
    }

    pub(crate) fn frequency(&self, exponent: f64) -> f64 {
        self.base.powf(-exponent)
    }

    /// Returns the formulas that give the same numbers with another rule and another base, and this one.
    pub(crate) fn equivalents(&self, columns: usize) -> Vec<Formula> {
        let rules: &[Rule] = match self.rule {
            Rule::Paper | Rule::Tensor2tensor | Rule::Doubled => {
                &[Rule::Paper, Rule::Tensor2tensor, Rule::Doubled]
            }
            Rule::Column | Rule::DoubledColumn => &[Rule::Column, Rule::DoubledColumn],
            Rule::CountedColumn | Rule::DoubledCountedColumn => {
                &[Rule::CountedColumn, Rule::DoubledCountedColumn]
            }
            _ => return vec![*self],
        };
        let last = |formula: &Formula| {
            let exponents = (0..columns).filter_map(|column| formula.column(columns, column));
            exponents.map(|it| it.exponent).fold(0.0, f64::max)
        };
        let rules = rules.iter().map(|rule| Formula {
            rule: *rule,
            ..*self
        });
        let like = rules.map(|formula| Formula {
            base: self.base.powf(last(self) / last(&formula)),
            ..formula
        });
        like.filter(|it| it.base.is_finite() && it.base > 1.0)
            .filter(|it| self.waves == Waves::Both || it.rule == self.rule)
            .collect()
    }

    /// Returns a cost that increases with the rarity of such code, to choose between formulas that give the same numbers:
    /// 10000^(4i/d) is (10⁸)^(2i/d), and the former, a mistake, is more likely.
    pub(crate) fn rarity(&self, columns: usize) -> f64 {
        let rope = self.waves != Waves::Both;
        let base = match self.base {
            10_000.0 => 0.0,
            500_000.0 | 1e6 if rope => 1.0,
            1000.0 | 100.0 => 2.0,
            _ => 4.0,
        };
        let rule = match self.rule {
            Rule::Paper | Rule::None => 0.0,
            Rule::Tensor2tensor | Rule::Column => 1.0,
            Rule::Doubled | Rule::DoubledColumn => 2.0,
            _ => 3.0,
        };
        let start = match self.start {
            0 => 0.0,
            1 => 1.0,
            2 => 1.5,
            _ => 2.5,
        };
        let odd = [
            (self.order != Order::Interleaved, 0.5),
            (rope, 0.5),
            (self.swapped, 1.0),
            (self.padded && self.rule != Rule::Tensor2tensor, 0.5),
            (self.step != 1.0, 3.0),
            (self.divisor != self.order.divisor(columns), 1.0),
        ];
        let odd = odd.iter().filter(|(is, _)| *is).map(|(_, cost)| cost);
        base + rule + start + odd.sum::<f64>()
    }

    /// Returns the number in a row and a column, in double precision and without scale or offset.
    pub fn value(&self, columns: usize, row: usize, column: usize) -> f64 {
        let Some(Column { exponent, sine }) = self.column(columns, column) else {
            return 0.0;
        };
        let angle = self.position(row) * self.frequency(exponent);
        if sine { angle.sin() } else { angle.cos() }
    }

    pub(crate) fn position(&self, row: usize) -> f64 {
        (row as i64).saturating_add(self.start) as f64 * self.step
    }

    /// Returns whether the table is a cache for RoPE, which has a base of its own. Sines and cosines in one table are one if
    /// the cosines come first and the base is larger than the paper's, as in vLLM's cos_sin_cache and Llama 3's freqs_cis.
    pub fn is_cache(&self) -> bool {
        let is_of_model = self.swapped && self.base > 10_000.0 && self.rule == Rule::Paper;
        self.waves != Waves::Both || self.order == Order::Quarters || is_of_model
    }

    /// Returns where a column of a block stands in a table of several axes, whose `blocks` have `width` columns each.
    pub(crate) fn column_of_block(
        &self,
        (blocks, width): (usize, usize),
        block: usize,
        column: usize,
    ) -> usize {
        // Each half of a cache has a half of every block.
        let in_halves = self.waves != Waves::Both && self.order == Order::Halves;
        let part = if in_halves { width / 2 } else { width }.max(1);
        (column / part * blocks + block) * part + column % part
    }

    /// Returns the formula of the corresponding correct table: the paper's in the same order, or tensor2tensor's; a RoPE
    /// cache keeps its base and its order.
    pub fn corrected(&self, columns: usize) -> Formula {
        let tensor2tensor = self.rule == Rule::Tensor2tensor && self.order == Order::Halves;
        Formula {
            rule: match tensor2tensor {
                true => Rule::Tensor2tensor,
                false => Rule::Paper,
            },
            divisor: self.order.divisor(columns),
            base: match self.is_cache() {
                true => self.base,
                false => 10_000.0,
            },
            padded: self.padded && tensor2tensor,
            start: 0,
            step: 1.0,
            swapped: self.swapped && self.is_cache(),
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_values() {
        // d = 4, from the paper's formula.
        let paper = Formula::paper(4);
        for (row, expected) in [
            [0.0, 1.0, 0.0, 1.0],
            [
                0.841_470_984_8,
                0.540_302_305_9,
                0.009_999_833_3,
                0.999_950_000_4,
            ],
        ]
        .iter()
        .enumerate()
        {
            for (column, expected) in expected.iter().enumerate() {
                assert!((paper.value(4, row, column) - expected).abs() < 1e-10);
            }
        }
        let other = Formula {
            rule: Rule::Tensor2tensor,
            order: Order::Halves,
            ..paper
        };
        let row: Vec<f64> = (0..4).map(|column| other.value(4, 1, column)).collect();
        let expected = [0.841_470_984_8, 0.000_1, 0.540_302_305_9, 1.0];
        let close = row.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-8);
        assert!(close, "{row:?}");
    }

    #[test]
    fn an_odd_width_ends_in_a_sine_or_in_zero() {
        let paper = Formula::paper(5);
        assert!(paper.column(5, 4).is_some_and(|column| column.sine));
        let padded = Formula {
            padded: true,
            order: Order::Halves,
            ..paper
        };
        assert_eq!(padded.column(5, 4), None);
        assert!(padded.column(5, 2).is_some_and(|column| !column.sine));
        assert_eq!(padded.pair_columns(5, 1), Some([1, 3]));
        assert_eq!(
            (paper.pair_columns(5, 1), paper.pair_columns(5, 2)),
            (Some([2, 3]), None)
        );
        let halves = Formula {
            padded: false,
            ..padded
        };
        assert_eq!(halves.pair_columns(5, 1), Some([1, 4]));
    }
}
