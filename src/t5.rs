//! Relative position buckets of T5 (Raffel et al. 2020), by the rule of its reference code
//! (mesh-tensorflow): offsets share a bucket, a bucket and a head share one learned number, and
//! that number is added to the logit.

/// Buckets of a head, over both directions.
pub const BUCKETS: usize = 32;
/// From this distance on all offsets of a direction share the last bucket.
pub const MAX_DISTANCE: i64 = 128;

/// The bucket of the offset key minus query. Near offsets have one each, farther ones share
/// logarithmically wider ones; a causal model spends all buckets on the past and gives what lies
/// ahead bucket 0.
pub fn bucket(offset: i64, causal: bool) -> usize {
    let buckets = if causal { BUCKETS } else { BUCKETS / 2 };
    let ahead = if !causal && offset > 0 { buckets } else { 0 };
    let back = offset.saturating_neg();
    let distance = if causal {
        back.max(0)
    } else {
        back.saturating_abs()
    };
    let exact = buckets / 2;
    let within = if distance < exact as i64 {
        distance as usize
    } else {
        let share =
            (distance as f32 / exact as f32).ln() / (MAX_DISTANCE as f32 / exact as f32).ln();
        exact + (share * (buckets - exact) as f32) as usize
    };
    ahead + within.min(buckets - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    // First distances of the buckets that hold more than one, from the reference code.
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
            assert_eq!(bucket(-distance, false), expected(&BOTH, distance));
            assert_eq!(bucket(-distance, true), expected(&CAUSAL, distance));
        }
    }

    #[test]
    fn the_future_has_buckets_of_its_own_or_none() {
        for distance in 1..2000 {
            assert_eq!(bucket(distance, false), 16 + expected(&BOTH, distance));
            assert_eq!(bucket(distance, true), 0);
        }
        assert_eq!(bucket(i64::MIN, false), 15);
    }
}
