//! Five ways to encode a position as numbers, compared by the same measures: four obvious ones and
//! the sinusoidal encoding.

use posenc_encoding::{Layout, Sinusoidal};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// The position itself.
    Integer,
    /// The position divided by the last position: 0 … 1.
    Scaled,
    /// One component per position: 1 for the encoded position, 0 for all others.
    OneHot,
    /// ⌈log₂ max_len⌉ bits, least significant first.
    Binary,
    Sinusoidal,
}

impl Code {
    pub const ALL: [Code; 5] = [
        Code::Integer,
        Code::Scaled,
        Code::OneHot,
        Code::Binary,
        Code::Sinusoidal,
    ];
}

/// The codes of the positions 0 … max_len − 1.
pub struct Codes {
    max_len: usize,
    pub pe: Sinusoidal,
}

impl Codes {
    /// `max_len` is raised to 2 if it is less. With an even `d_model`, every sine has its cosine.
    pub fn new(max_len: usize, d_model: usize, base: f64) -> Codes {
        Codes {
            max_len: max_len.max(2),
            pe: Sinusoidal::new(d_model, base, Layout::Interleaved),
        }
    }

    /// The number of components of a code.
    pub fn cells(&self, code: Code) -> usize {
        match code {
            Code::Integer | Code::Scaled => 1,
            Code::OneHot => self.max_len,
            Code::Binary => (self.max_len - 1).ilog2() as usize + 1,
            Code::Sinusoidal => self.pe.d_model(),
        }
    }

    /// The smallest and the largest value of a component.
    pub fn range(&self, code: Code) -> (f64, f64) {
        match code {
            Code::Integer => (0.0, (self.max_len - 1) as f64),
            Code::Sinusoidal => (-1.0, 1.0),
            _ => (0.0, 1.0),
        }
    }

    /// Whether the code is defined for a position; some codes cover a limited number of positions.
    pub fn reaches(&self, code: Code, position: usize) -> bool {
        match code {
            Code::Integer | Code::Sinusoidal => true,
            Code::Scaled | Code::OneHot => position < self.max_len,
            Code::Binary => position >> self.cells(code) == 0,
        }
    }

    /// One component of the code of a position.
    pub fn value(&self, code: Code, position: usize, cell: usize) -> f64 {
        match code {
            Code::Integer => position as f64,
            Code::Scaled => position as f64 / (self.max_len - 1) as f64,
            Code::OneHot => f64::from(position == cell),
            Code::Binary => (position >> cell & 1) as f64,
            Code::Sinusoidal => {
                let (sin, cos) = self.pe.sin_cos_at(cell / 2, position as f64);
                if cell.is_multiple_of(2) { sin } else { cos }
            }
        }
    }

    /// The Euclidean distance between the codes of two positions; `None` if the code is
    /// not defined for both.
    pub fn distance(&self, code: Code, p: usize, q: usize) -> Option<f64> {
        if !self.reaches(code, p.max(q)) {
            return None;
        }
        match code {
            Code::OneHot => return Some(if p == q { 0.0 } else { 2f64.sqrt() }),
            // The distance between two points of the unit circle is twice the sine of half the
            // angle between them.
            Code::Sinusoidal => {
                let half = |pair| self.pe.sin_cos_at(pair, p.abs_diff(q) as f64 / 2.0).0;
                let squares = (0..self.pe.pairs()).map(|pair| half(pair).powi(2));
                return Some(2.0 * squares.sum::<f64>().sqrt());
            }
            _ => {}
        }
        let difference = |cell| self.value(code, p, cell) - self.value(code, q, cell);
        let squares = (0..self.cells(code)).map(|cell| difference(cell).powi(2));
        Some(squares.sum::<f64>().sqrt())
    }

    /// The smallest and the largest distance between the codes of adjacent positions.
    pub fn steps(&self, code: Code) -> (f64, f64) {
        let step = |p| self.distance(code, p, p + 1).unwrap_or_default();
        // Only the steps of the binary code differ in length; the longest is the
        // carry into the highest bit.
        let last_carry = (1 << (self.cells(Code::Binary) - 1)) - 1;
        match code {
            Code::Binary => (step(0), step(last_carry)),
            _ => (step(0), step(0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_close::assert_close;

    #[test]
    fn the_shortest_and_longest_steps_are_those_of_all_positions() {
        for max_len in [2, 3, 8, 9, 1000] {
            let codes = Codes::new(max_len, 16, 10_000.0);
            for code in Code::ALL {
                let (low, high) = codes.steps(code);
                let all: Vec<f64> = (0..max_len - 1)
                    .map(|p| codes.distance(code, p, p + 1).unwrap())
                    .collect();
                assert_close(all.iter().copied().fold(f64::MAX, f64::min), low, 1e-12);
                assert_close(all.iter().copied().fold(0.0, f64::max), high, 1e-12);
            }
        }
    }

    #[test]
    fn sizes_grow_as_they_must() {
        let cells = |len, code| Codes::new(len, 16, 10_000.0).cells(code);
        for (len, bits) in [(2, 1), (4, 2), (5, 3), (5000, 13), (8192, 13), (8193, 14)] {
            assert_eq!(cells(len, Code::Binary), bits);
            assert_eq!(cells(len, Code::OneHot), len);
            assert_eq!(cells(len, Code::Sinusoidal), 16);
        }
    }

    #[test]
    fn codes_made_for_a_length_end_with_it() {
        let codes = Codes::new(5000, 16, 10_000.0);
        assert_eq!(codes.distance(Code::OneHot, 5000, 5001), None);
        assert_eq!(codes.distance(Code::Scaled, 5000, 5001), None);
        // 13 bits count to 8191.
        assert_eq!(codes.distance(Code::Binary, 5000, 5001), Some(1.0));
        assert!(!codes.reaches(Code::Binary, 8192));
        let (near, far) = (
            codes.distance(Code::Sinusoidal, 5, 6).unwrap(),
            codes.distance(Code::Sinusoidal, 5000, 5001).unwrap(),
        );
        assert_close(near, far, 1e-12);
    }
}
