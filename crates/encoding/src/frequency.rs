//! Frequencies of all pairs in double-double.

use crate::double_double::DoubleDouble;

/// Every 64th frequency is computed by the exponential function, the others as products.
const STRIDE: usize = 64;

/// Returns base^(−i/n) for i = 0, 1, … in radians per position, with a relative error of about 1e-29.
pub(crate) fn frequencies(pairs: usize, base: f64, n: f64) -> Vec<DoubleDouble> {
    let ln_base = DoubleDouble::ln(base);
    let power = |i: usize| (ln_base * -(i as f64)).divided_by(n).exp();
    // base^(−i/n) for i < STRIDE, which multiply every anchor: products are ten times cheaper than exponentials.
    let mut steps = vec![DoubleDouble::ONE];
    if pairs > 1 {
        let ratio = power(1);
        for _ in 1..pairs.min(STRIDE) {
            steps.push(steps[steps.len() - 1] * ratio);
        }
    }
    let mut all = Vec::with_capacity(pairs);
    for first in (0..pairs).step_by(STRIDE) {
        let anchor = if first == 0 {
            DoubleDouble::ONE
        } else {
            power(first)
        };
        all.extend(steps.iter().take(pairs - first).map(|&step| anchor * step));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_and_exponentials_give_the_same_ladder() {
        let n = 200.0;
        let all = frequencies(200, 10_000.0, n);
        for (i, frequency) in all.iter().enumerate() {
            let alone = (DoubleDouble::ln(10_000.0) * -(i as f64))
                .divided_by(n)
                .exp();
            let difference = *frequency - alone;
            assert!(
                difference.hi.abs() <= 1e-29 * alone.hi,
                "{i}: {difference:?}"
            );
        }
    }

    #[test]
    fn short_ladders() {
        assert!(frequencies(0, 10_000.0, 1.0).is_empty());
        assert_eq!(frequencies(1, 10_000.0, 1.0), [DoubleDouble::ONE]);
    }
}
