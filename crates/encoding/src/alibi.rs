//! ALiBi (Press et al. 2022, arXiv 2108.12409, §3): nothing is added to embeddings; the logit of a key decreases in
//! proportion to its distance, with a fixed slope per head.

use crate::head::scaled_dot;
use crate::{AttentionHead, EncodingInfo, HeadConfig, Operation, PositionSignal, Target};

/// Returns the slopes of the heads of ALiBi (Press et al. 2022, arXiv 2108.12409, §3) by the rule of the authors' code. If
/// the number of heads n is a power of two, they are 2^(−8h/n), h = 1 … n; otherwise the slopes of the next lower power of
/// two, followed by every second slope of twice that power.
pub fn alibi_slopes(heads: usize) -> Vec<f64> {
    let Some(log) = heads.checked_ilog2() else {
        return Vec::new();
    };
    let power = 1 << log;
    let mut slopes: Vec<f64> = (1..=power)
        .map(|head| (-8.0 * head as f64 / power as f64).exp2())
        .collect();
    if heads > power {
        let denser = alibi_slopes(2 * power);
        slopes.extend(denser.iter().step_by(2).take(heads - power));
    }
    slopes
}

/// Returns the bias of a logit, −slope·(query − key) (Press et al. 2022, §3); `None` for keys after the query, for which
/// ALiBi is undefined.
pub fn alibi_bias(slope: f64, query: i64, key: i64) -> Option<f64> {
    (key <= query).then(|| -slope * (query - key) as f64)
}

/// Returns how many of the nearest keys, beginning at the query's own position, together receive at least `share` (0 … 1)
/// of the softmax weight over `keys` keys with equal content logits.
pub fn alibi_window(slope: f64, share: f64, keys: usize) -> usize {
    if share <= 0.0 || keys == 0 {
        return 0;
    }
    // The first w of N hold (1 − e^(−mw)) / (1 − e^(−mN)); exp_m1 and ln_1p are accurate for small slopes m.
    let all = -(-slope * keys as f64).exp_m1();
    let window = if slope * keys as f64 > 1e-12 {
        -(-share.min(1.0) * all).ln_1p() / slope
    } else {
        share * keys as f64
    };
    // Keeps `ceil` from raising a whole number that is slightly too large through rounding.
    (window - 1e-9).ceil().clamp(1.0, keys as f64) as usize
}

pub(crate) const INFO: EncodingInfo = EncodingInfo {
    name: "alibi",
    source: "Press et al. 2022",
    operation: Operation::Adds,
    target: Target::Logits,
    every_layer: true,
    bounded: false,
    relative: true,
    signal: Some(PositionSignal::Bias),
    shape: None,
    uses_base: false,
    layouts: EncodingInfo::EQUIVALENT_LAYOUTS,
    parameters: |_| 0,
    head,
};

fn head(size: &HeadConfig, _: &mut dyn FnMut() -> f64) -> Box<dyn AttentionHead> {
    let slopes = alibi_slopes(size.heads.max(1));
    let last = slopes.len() - 1;
    Box::new(AlibiHead {
        slope: slopes[size.head.min(last)],
    })
}

struct AlibiHead {
    slope: f64,
}

impl AttentionHead for AlibiHead {
    fn logit(&self, (q, m): (&[f64], i64), (k, n): (&[f64], i64)) -> Option<f64> {
        Some(scaled_dot(q, k) + self.bias(m, n)?)
    }

    fn bias(&self, m: i64, n: i64) -> Option<f64> {
        alibi_bias(self.slope, m, n)
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_1_SQRT_2;

    use super::*;
    use crate::assert_close::assert_close;

    #[test]
    fn slopes_of_8_and_12_heads() {
        let eight = [1, 2, 3, 4, 5, 6, 7, 8].map(|head| 0.5f64.powi(head));
        assert_eq!(alibi_slopes(8), eight);
        let twelve = alibi_slopes(12);
        assert_eq!(twelve[..8], eight);
        for (slope, expected) in twelve[8..]
            .iter()
            .zip([FRAC_1_SQRT_2, 0.3536, 0.1768, 0.0884])
        {
            assert_close(*slope, expected, 5e-5);
        }
        assert_eq!(alibi_slopes(1), [1.0 / 256.0]);
        assert!(alibi_slopes(0).is_empty());
    }

    #[test]
    fn every_head_has_a_slope_of_its_own() {
        for heads in 1..70 {
            let mut slopes = alibi_slopes(heads);
            assert_eq!(slopes.len(), heads);
            slopes.sort_by(f64::total_cmp);
            slopes.dedup();
            assert_eq!(slopes.len(), heads);
            assert!(slopes[0] > 0.0 && slopes[heads - 1] < 1.0);
        }
    }

    #[test]
    fn the_bias_is_linear_in_the_distance() {
        for slope in alibi_slopes(12) {
            let bias = |distance| alibi_bias(slope, 100, 100 - distance).unwrap();
            for distance in 0..100_i64 {
                let (one, other) = (bias(distance), bias(distance + 1));
                assert_close(one - other, slope, 1e-13);
            }
            assert_eq!(alibi_bias(slope, 7, 7), Some(0.0));
            assert_eq!(alibi_bias(slope, 7, 8), None);
        }
    }

    #[test]
    fn windows_are_those_of_the_summed_softmax() {
        for slope in alibi_slopes(8).into_iter().chain([0.0, 1e-9, 3.0]) {
            for keys in [1, 2, 10, 1000] {
                let weights: Vec<f64> = (0..keys).map(|d| (-slope * d as f64).exp()).collect();
                let total: f64 = weights.iter().sum();
                for share in [0.13, 0.5, 0.9, 1.0] {
                    let mut held = 0.0;
                    let reached = weights.iter().position(|weight| {
                        held += weight / total;
                        held >= share - 1e-9
                    });
                    let expected = reached.unwrap_or(keys - 1) + 1;
                    let window = alibi_window(slope, share, keys);
                    // For a share of 1 the sum reaches 1 − 1e-9 before the last key.
                    assert!(
                        window == expected || share == 1.0 && window >= expected,
                        "{slope} {keys} {share}: {window} {expected}"
                    );
                }
            }
        }
        assert_eq!(alibi_window(0.5, 0.0, 9), 0);
        assert_eq!(alibi_window(0.5, 0.5, 0), 0);
    }
}
