//! The diverging colour map of values from −1 to 1.

use plotters::style::RGBColor;

/// A diverging map: equally light on both sides of zero, and distinguishable by people with red-green colour blindness.
pub struct ColourMap([[u8; 3]; ColourMap::STEPS]);

impl ColourMap {
    /// Odd, so that zero has a colour of its own.
    pub const STEPS: usize = 255;

    pub(super) fn through(stops: &[RGBColor; 5]) -> ColourMap {
        let channels = |c: RGBColor| [c.0, c.1, c.2].map(f64::from);
        ColourMap(std::array::from_fn(|step| {
            let at = step as f64 / (ColourMap::STEPS - 1) as f64 * (stops.len() - 1) as f64;
            let low = (at as usize).min(stops.len() - 2);
            let (a, b) = (channels(stops[low]), channels(stops[low + 1]));
            let fraction = at - low as f64;
            std::array::from_fn(|c| (a[c] + fraction * (b[c] - a[c])).round() as u8)
        }))
    }

    /// The colours of the values −1 … 1, evenly spaced.
    pub fn steps(&self) -> &[[u8; 3]] {
        &self.0
    }

    /// The colour of a value; beyond ±1 that of the nearer end.
    pub fn colour(&self, value: f32) -> [u8; 3] {
        const HALF: f32 = (ColourMap::STEPS / 2) as f32;
        // Rounds by adding a half and truncating: a cast is one instruction, whereas `round` is a call.
        let step = (value * HALF + (HALF + 0.5)) as usize;
        self.0[step.min(ColourMap::STEPS - 1)]
    }
}

/// Black or white, whichever has more contrast with a background colour.
pub fn readable_on(colour: [u8; 3]) -> RGBColor {
    // Linear light, approximated by a polynomial with an error below 0.002: a power would need a table of 4 KB.
    let [r, g, b] = colour.map(|channel| {
        let c = f64::from(channel) / 255.0;
        c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878)
    });
    // The luminance at which black and white have equal contrast: √(1.05 · 0.05) − 0.05.
    if 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.1791 {
        RGBColor(0, 0, 0)
    } else {
        RGBColor(255, 255, 255)
    }
}

/// Simulates red-green colour blindness.
#[cfg(test)]
pub(super) mod vision {
    /// Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
    pub const DEUTERANOPIA: [[f64; 3]; 3] = [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ];
    pub const PROTANOPIA: [[f64; 3]; 3] = [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ];

    fn linear(channel: u8) -> f64 {
        let c = f64::from(channel) / 255.0;
        if c <= 0.04045 {
            c / 12.92
        } else {
            ((c + 0.055) / 1.055).powf(2.4)
        }
    }

    /// Relative luminance as WCAG 2 defines it.
    pub fn luminance([r, g, b]: [u8; 3]) -> f64 {
        0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
    }

    /// A colour as it is perceived, channels in 0 … 1.
    pub fn seen(matrix: &[[f64; 3]; 3], rgb: [u8; 3]) -> [f64; 3] {
        let rgb = rgb.map(linear);
        matrix.map(|row| {
            let sum: f64 = row.iter().zip(rgb).map(|(m, v)| m * v).sum();
            sum.clamp(0.0, 1.0).powf(1.0 / 2.2)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::vision::luminance;
    use super::*;
    use crate::draw::Theme;
    use crate::field::ThemeName;

    #[test]
    fn lightness_moves_evenly_away_from_zero() {
        for theme in ThemeName::ALL {
            let map = Theme::named(theme).colour_map();
            let middle = ColourMap::STEPS / 2;
            let distance = |step: usize| (luminance(map.0[step]) - luminance(map.0[middle])).abs();
            for step in 1..=middle {
                assert!(
                    distance(middle + step) + 2e-3 >= distance(middle + step - 1),
                    "{step}"
                );
                assert!(
                    distance(middle - step) + 2e-3 >= distance(middle - step + 1),
                    "{step}"
                );
                // Neither sign may look stronger than the other.
                assert!(
                    (distance(middle + step) - distance(middle - step)).abs() < 0.16,
                    "{step}"
                );
            }
        }
    }

    #[test]
    fn the_signs_differ_for_people_who_see_red_and_green_alike() {
        for theme in ThemeName::ALL {
            let map = Theme::named(theme).colour_map();
            for matrix in [vision::DEUTERANOPIA, vision::PROTANOPIA] {
                let seen = |c: [u8; 3]| vision::seen(&matrix, c);
                for value in [0.4f32, 1.0] {
                    let (a, b) = (seen(map.colour(value)), seen(map.colour(-value)));
                    let distance = a
                        .iter()
                        .zip(b)
                        .map(|(a, b)| (a - b).powi(2))
                        .sum::<f64>()
                        .sqrt();
                    assert!(distance > 0.15, "{value}: {distance}");
                }
            }
        }
    }

    #[test]
    fn zero_is_neutral_and_the_ends_hold() {
        let map = Theme::named(ThemeName::Light).colour_map();
        assert_eq!(map.colour(0.0), [0xf9, 0xf8, 0xf5]);
        assert_eq!(map.colour(7.0), map.colour(1.0));
        assert_eq!(map.colour(-7.0), map.colour(-1.0));
        assert_ne!(map.colour(1.0), map.colour(-1.0));
    }
}
