//! Relative position buckets of T5 (Raffel et al. 2020, arXiv 1910.10683, §2.1), by the rule of its reference code
//! (mesh-tensorflow, `_relative_position_bucket`): offsets are grouped into buckets, each head has one learned number per
//! bucket, and that number is added to the logit. All layers share the numbers.

use crate::head::scaled_dot;
use crate::{AttentionHead, EncodingInfo, HeadConfig, Matrix, Operation, PositionSignal, Target};

/// Number of buckets of a head of T5, over both directions.
pub const T5_BUCKETS: usize = 32;
/// Distance from which on all offsets of a direction share the last bucket.
pub const T5_MAX_DISTANCE: i64 = 128;

/// Returns the bucket of the offset key minus query, with T5's own parameters (Raffel et al. 2020, arXiv 1910.10683, §2.1).
pub fn t5_bucket(offset: i64, causal: bool) -> usize {
    T5Buckets::new(T5_BUCKETS, T5_MAX_DISTANCE, causal).bucket(offset)
}

/// A division of the offsets into buckets (Raffel et al. 2020, §2.1; `_relative_position_bucket` of mesh-tensorflow).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct T5Buckets {
    buckets: usize,
    max_distance: i64,
    causal: bool,
}

/// The distances of one bucket of one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BucketDistances {
    /// Index of the bucket within its direction, from 0.
    pub bucket: usize,
    /// The smallest distance.
    pub first: i64,
    /// The largest distance; `None` if unlimited.
    pub last: Option<i64>,
}

impl T5Buckets {
    /// Creates a division into buckets. A causal one (of a decoder) uses all buckets for keys before the query and puts
    /// keys after it into bucket 0; otherwise (in an encoder) each direction has half of them. Each direction has at
    /// least two buckets.
    pub fn new(buckets: usize, max_distance: i64, causal: bool) -> Self {
        Self {
            buckets: buckets.max(if causal { 2 } else { 4 }),
            max_distance: max_distance.max(1),
            causal,
        }
    }

    /// Number of buckets, over both directions; if it is odd, an encoder leaves the last unused.
    pub fn buckets(&self) -> usize {
        self.buckets
    }

    /// Whether all buckets are for keys before the query.
    pub fn causal(&self) -> bool {
        self.causal
    }

    /// Number of buckets of one direction; half of them hold one distance each.
    fn side(&self) -> usize {
        if self.causal {
            self.buckets
        } else {
            self.buckets / 2
        }
    }

    /// Returns the bucket of the offset key minus query. Small offsets have a bucket each; the buckets of larger ones
    /// widen logarithmically.
    pub fn bucket(&self, offset: i64) -> usize {
        let ahead = if !self.causal && offset > 0 {
            self.side()
        } else {
            0
        };
        let back = offset.saturating_neg();
        let distance = if self.causal {
            back.max(0)
        } else {
            back.saturating_abs()
        };
        ahead + self.within(distance)
    }

    /// Returns the bucket of a distance, as index within its direction.
    fn within(&self, distance: i64) -> usize {
        let exact = self.side() / 2;
        if distance < exact as i64 {
            return distance as usize;
        }
        if self.max_distance <= exact as i64 {
            return self.side() - 1;
        }
        // The reference code computes in f32, to which these logarithms are rounded.
        let log = |x: f64| x.ln() as f32;
        let share = log(f64::from(distance as f32 / exact as f32))
            / log(self.max_distance as f64 / exact as f64);
        let wide = (share * (self.side() - exact) as f32) as usize;
        (exact + wide).min(self.side() - 1)
    }

    /// Returns the distances of each bucket of one direction, in ascending order, without empty buckets. In an encoder
    /// these are the buckets of keys before the query; indices for keys after it are larger by half the number of
    /// buckets, and distance 0 does not occur.
    pub fn distances(&self) -> Vec<BucketDistances> {
        // Smallest distance in this bucket or a later one; bucket indices never decrease with distance.
        let first = |bucket: usize| -> i64 {
            let (mut low, mut high) = (0, self.max_distance.max(self.side() as i64));
            while low < high {
                let middle = low + (high - low) / 2;
                if self.within(middle) >= bucket {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            low
        };
        let side = self.side();
        let all = (0..side).map(|bucket| BucketDistances {
            bucket,
            first: first(bucket),
            last: (bucket + 1 < side).then(|| first(bucket + 1) - 1),
        });
        all.filter(|distances| distances.last.is_none_or(|last| last >= distances.first))
            .collect()
    }

    /// Returns the buckets of all queries and keys, queries × keys; constant along diagonals.
    pub fn map(&self, queries: usize, keys: usize) -> Matrix<usize> {
        let mut map = Matrix::zeros(queries, keys);
        for query in 0..queries {
            for key in 0..keys {
                *map.at_mut(query, key) = self.bucket(key as i64 - query as i64);
            }
        }
        map
    }

    /// Returns the biases of all logits, queries × keys, of a head with these learned numbers, one per bucket; missing
    /// numbers are 0.
    pub fn bias(&self, learned: &[f64], queries: usize, keys: usize) -> Matrix<f64> {
        let map = self.map(queries, keys);
        let value = |&bucket: &usize| learned.get(bucket).copied().unwrap_or_default();
        Matrix {
            positions: queries,
            dimensions: keys,
            values: map.values.iter().map(value).collect(),
        }
    }
}

/// All layers share the parameters; each head has one per bucket.
pub(crate) const INFO: EncodingInfo = EncodingInfo {
    name: "t5",
    source: "Raffel et al. 2020",
    operation: Operation::Adds,
    target: Target::Logits,
    every_layer: true,
    bounded: true,
    relative: true,
    signal: Some(PositionSignal::Bias),
    shape: None,
    uses_base: false,
    layouts: EncodingInfo::EQUIVALENT_LAYOUTS,
    parameters: |size| T5_BUCKETS * size.heads,
    head,
};

fn head(size: &HeadConfig, standard_normal: &mut dyn FnMut() -> f64) -> Box<dyn AttentionHead> {
    Box::new(T5Head {
        t5: T5Buckets::new(T5_BUCKETS, T5_MAX_DISTANCE, size.causal),
        learned: [(); T5_BUCKETS].map(|()| standard_normal()),
    })
}

struct T5Head {
    t5: T5Buckets,
    learned: [f64; T5_BUCKETS],
}

impl AttentionHead for T5Head {
    fn logit(&self, (q, m): (&[f64], i64), (k, n): (&[f64], i64)) -> Option<f64> {
        Some(scaled_dot(q, k) + self.bias(m, n)?)
    }

    fn bias(&self, m: i64, n: i64) -> Option<f64> {
        Some(self.learned[self.t5.bucket(n.saturating_sub(m))])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Smallest distances of the buckets with several distances, from the reference code.
    const BOTH: [i64; 8] = [8, 12, 16, 23, 32, 46, 64, 91];
    const CAUSAL: [i64; 16] = [
        16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113,
    ];

    fn expected(firsts: &[i64], distance: i64) -> usize {
        let exact = firsts.len() as i64;
        let wide = firsts.iter().filter(|&&first| first <= distance).count();
        if distance < exact {
            distance as usize
        } else {
            firsts.len() + wide - 1
        }
    }

    #[test]
    fn buckets_begin_where_the_reference_code_begins_them() {
        for distance in 0..2000 {
            assert_eq!(t5_bucket(-distance, false), expected(&BOTH, distance));
            assert_eq!(t5_bucket(-distance, true), expected(&CAUSAL, distance));
        }
    }

    #[test]
    fn the_future_has_buckets_of_its_own_or_none() {
        for distance in 1..2000 {
            assert_eq!(t5_bucket(distance, false), 16 + expected(&BOTH, distance));
            assert_eq!(t5_bucket(distance, true), 0);
        }
        assert_eq!(t5_bucket(i64::MIN, false), 15);
    }

    fn divisions() -> impl Iterator<Item = T5Buckets> {
        let sizes = [
            (0, 0),
            (4, 1),
            (6, 7),
            (32, 8),
            (32, 128),
            (33, 129),
            (64, 5000),
        ];
        sizes.into_iter().flat_map(|(buckets, max_distance)| {
            [false, true].map(|causal| T5Buckets::new(buckets, max_distance, causal))
        })
    }

    #[test]
    fn buckets_never_fall_with_the_distance_and_end_with_the_last() {
        for t5 in divisions() {
            let mut before = 0;
            for distance in 0..6000 {
                let bucket = t5.bucket(-distance);
                assert!(bucket >= before && bucket < t5.buckets());
                before = bucket;
            }
            assert_eq!(before, t5.side() - 1);
            assert!(t5.bucket(i64::MAX) < t5.buckets());
        }
    }

    #[test]
    fn distances_are_those_that_fall_into_the_bucket() {
        for t5 in divisions() {
            let mut next = 0;
            for BucketDistances {
                bucket,
                first,
                last,
            } in t5.distances()
            {
                assert_eq!(first, next);
                let end = last.unwrap_or(first + 3000);
                for distance in first..=end {
                    assert_eq!(t5.bucket(-distance), bucket, "{t5:?}");
                }
                next = end + 1;
            }
            assert_eq!(t5.distances().last().map(|last| last.last), Some(None));
        }
    }

    #[test]
    fn the_map_is_constant_along_diagonals_and_picks_the_numbers() {
        let t5 = T5Buckets::new(8, 16, false);
        let learned: Vec<f64> = (0..7).map(|bucket| 10.0 * bucket as f64).collect();
        let (map, bias) = (t5.map(20, 30), t5.bias(&learned, 20, 30));
        for query in 1..20 {
            for key in 1..30 {
                assert_eq!(map.at(query, key), map.at(query - 1, key - 1));
                let expected = if map.at(query, key) == 7 {
                    0.0
                } else {
                    10.0 * map.at(query, key) as f64
                };
                assert_eq!(bias.at(query, key), expected);
            }
        }
        assert_eq!((map.at(0, 29), map.at(19, 0)), (7, 3));
    }
}
