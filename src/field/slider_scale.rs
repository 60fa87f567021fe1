//! Maps the positions of a slider to the values of a setting.

use posenc_sort::argsort;
use std::sync::LazyLock;

/// The value of each position of a slider; positions are whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SliderScale {
    /// The slider's position is the value.
    Linear,
    /// Every whole number up to 32, where position and value are equal; beyond, sixteen steps per
    /// octave and the round numbers 50, 100, 200, 500, … Negative values mirror the positive ones.
    Octaves,
    /// 2, 5, 10, 20, 50, … up to 10⁹.
    Decades,
}

static OCTAVES: LazyLock<Vec<f64>> = LazyLock::new(|| {
    let mut stops: Vec<f64> = (0..=32).map(f64::from).collect();
    for octave in 0..15 {
        let low = 32.0 * f64::from(1 << octave);
        stops.extend((1..=16).map(|step| low * (1.0 + f64::from(step) / 16.0)));
    }
    stops.extend(round_numbers(32.0, 1_048_576.0));
    let mut stops: Vec<f64> = argsort(&stops).into_iter().map(|i| stops[i]).collect();
    stops.dedup();
    stops
});

static DECADES: LazyLock<Vec<f64>> = LazyLock::new(|| round_numbers(1.5, 1e9).collect());

fn round_numbers(above: f64, to: f64) -> impl Iterator<Item = f64> {
    (0..10)
        .flat_map(|decade| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(decade)))
        .filter(move |&value| value > above && value <= to)
}

impl SliderScale {
    /// The value at a slider position.
    pub fn value(self, position: i64) -> f64 {
        let stop = |stops: &[f64], index: usize| stops[index.min(stops.len() - 1)];
        match self {
            SliderScale::Linear => position as f64,
            SliderScale::Octaves => {
                let size = stop(&OCTAVES, position.unsigned_abs() as usize);
                if position < 0 { -size } else { size }
            }
            SliderScale::Decades => stop(&DECADES, position.max(0) as usize),
        }
    }

    /// The slider position nearest to a value.
    pub fn position(self, value: f64) -> i64 {
        match self {
            SliderScale::Linear => value.round() as i64,
            SliderScale::Octaves => {
                let index = nearest(&OCTAVES, value.abs());
                if value < 0.0 { -index } else { index }
            }
            SliderScale::Decades => nearest(&DECADES, value),
        }
    }
}

fn nearest(stops: &[f64], value: f64) -> i64 {
    let above = stops.partition_point(|&stop| stop < value);
    let pick = match (above.checked_sub(1), stops.get(above)) {
        (Some(below), Some(&stop)) if value - stops[below] < stop - value => below,
        (Some(below), None) => below,
        _ => above,
    };
    pick as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_values_agree_up_to_32_and_at_every_stop() {
        for position in -32..=32 {
            assert_eq!(SliderScale::Octaves.value(position), position as f64);
        }
        let decades = DECADES.len() as i64;
        let octaves = SliderScale::Octaves.position(1e12) + 1;
        assert!(octaves > 32);
        for (scale, stops) in [
            (SliderScale::Octaves, octaves),
            (SliderScale::Decades, decades),
        ] {
            for position in 0..stops {
                assert_eq!(scale.position(scale.value(position)), position);
            }
        }
        assert_eq!(
            SliderScale::Octaves.value(SliderScale::Octaves.position(1e12)),
            1_048_576.0
        );
    }

    #[test]
    fn usual_sizes_are_stops() {
        for value in [
            50.0, 64.0, 100.0, 128.0, 500.0, 512.0, 768.0, 1000.0, 1024.0, 5000.0, 16384.0,
        ] {
            assert_eq!(
                SliderScale::Octaves.value(SliderScale::Octaves.position(value)),
                value
            );
        }
        for value in [10_000.0, 500_000.0, 1e9] {
            assert_eq!(
                SliderScale::Decades.value(SliderScale::Decades.position(value)),
                value
            );
        }
    }
}
