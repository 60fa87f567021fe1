//! Colours of angles: a cyclic map, and the wheel that is its legend.

use super::{Circle, Pen, Theme};
use crate::field::ThemeName;
use plotters::style::RGBColor;
use std::f64::consts::TAU;

/// The cyclic colour map “twilight” by Bastian Bechtold (2018, github.com/bastibe/twilight, in Matplotlib since 3.0; public
/// domain, CC0 1.0), from the lightest colour via the darkest and back: a closed curve in the colour space CAM02-UCS. The
/// speed of the original along that curve varies by a third; these 64 points of it are equally spaced in CAM02-UCS.
const KNOTS: [u32; 64] = [
    0xe2d9e2, 0xdad8df, 0xd0d4da, 0xc5cfd5, 0xb9c9d0, 0xadc3cd, 0xa2bdca, 0x97b7c7, //
    0x8eb0c5, 0x85a9c4, 0x7da2c3, 0x769bc1, 0x7094c0, 0x6b8dbf, 0x6785be, 0x647dbc, //
    0x6275ba, 0x606db8, 0x5f64b5, 0x5f5bb2, 0x5e53ae, 0x5e4aa9, 0x5d41a3, 0x5c389c, //
    0x5b2f94, 0x58268a, 0x541f7f, 0x501973, 0x4a1566, 0x431358, 0x3c114c, 0x35113f, //
    0x2f1436, 0x361139, 0x3f113c, 0x481341, 0x521545, 0x5c1749, 0x66194c, 0x701c4e, //
    0x792050, 0x822450, 0x8b2a50, 0x933050, 0x9a3750, 0xa13e50, 0xa74650, 0xad4e51, //
    0xb25652, 0xb65e54, 0xbb6757, 0xbe705b, 0xc17961, 0xc48267, 0xc78b6f, 0xc99578, //
    0xcb9e82, 0xcda78d, 0xcfaf99, 0xd2b8a6, 0xd5c0b3, 0xd9c8c1, 0xddd0ce, 0xe0d6da,
];

/// The colours of the angles of a full turn.
pub struct PhaseMap([[u8; 3]; PhaseMap::STEPS]);

impl PhaseMap {
    pub const STEPS: usize = 256;
    /// The colour of vectors that cancel: a grey with the mean lightness of the map.
    pub const NEUTRAL: [u8; 3] = [0x76; 3];

    /// Angle 0 has the lightest colour of the map, or the darkest in the dark theme, so that pairs that hardly rotate
    /// fade into the background in every theme.
    pub fn new(theme: &Theme) -> PhaseMap {
        let start = match theme.name {
            ThemeName::Dark => KNOTS.len() / 2,
            ThemeName::Light | ThemeName::Projector => 0,
        };
        let channels = |knot: usize| {
            let [_, rgb @ ..] = KNOTS[(start + knot) % KNOTS.len()].to_be_bytes();
            rgb.map(usize::from)
        };
        const PER_KNOT: usize = PhaseMap::STEPS / KNOTS.len();
        PhaseMap(std::array::from_fn(|step| {
            let (knot, part) = (step / PER_KNOT, step % PER_KNOT);
            let (a, b) = (channels(knot), channels(knot + 1));
            std::array::from_fn(|c| {
                let sum = a[c] * (PER_KNOT - part) + b[c] * part;
                ((2 * sum + PER_KNOT) / (2 * PER_KNOT)) as u8
            })
        }))
    }

    /// The colours of the angles 0 … 2π, evenly spaced; the last is followed by the first.
    pub fn steps(&self) -> &[[u8; 3]] {
        &self.0
    }

    /// The colour of an angle in radians, to draw with.
    pub fn ink(&self, angle: f64) -> RGBColor {
        let [r, g, b] = self.colour(angle);
        RGBColor(r, g, b)
    }

    /// The colour of an angle in radians.
    pub fn colour(&self, angle: f64) -> [u8; 3] {
        let step = (angle / TAU * PhaseMap::STEPS as f64).round() as i64;
        self.0[step.rem_euclid(PhaseMap::STEPS as i64) as usize]
    }

    /// Draws the map around a circle, counter-clockwise from the right, and the labels of the first `quarters` of 0°,
    /// 90°, 180° and 270°: two of them need no room at the left and below.
    pub fn wheel(&self, pen: &Pen, theme: &Theme, circle: Circle, quarters: usize) {
        self.rim(pen, theme, circle, HOLE);
        let Circle { centre, radius } = circle;
        let size = theme.label_size();
        let style = super::TextStyle::new(size, theme.muted);
        let (side, line) = (radius + 0.35 * size, radius + 0.75 * size);
        let places = [
            ((side, 0.0), style.align_left()),
            ((0.0, -line), style),
            ((-side, 0.0), style.align_right()),
            ((0.0, line), style),
        ];
        let degrees = ["0°", "90°", "180°", "270°"];
        for (degrees, (by, style)) in degrees.into_iter().zip(places).take(quarters) {
            pen.text(centre + by, degrees, style);
        }
    }

    /// Draws the map around a circle, counter-clockwise from the right, outside a hole of a fraction of its radius.
    pub fn rim(&self, pen: &Pen, theme: &Theme, circle: Circle, hole: f64) {
        // A part of the rim is a quadrilateral that extends under the next, so that no background shows between them.
        let each = TAU / KNOTS.len() as f64;
        for part in 0..KNOTS.len() {
            let (from, to) = ((part as f64 - 0.5) * each, (part as f64 + 0.8) * each);
            let corners = [(from, 1.0), (to, 1.0), (to, hole), (from, hole)];
            let corners = corners.map(|(angle, fraction)| circle.at(angle, fraction));
            pen.polygon(&corners, self.ink(part as f64 * each), 1.0);
        }
        for edge in [1.0, hole] {
            pen.ring(
                circle.centre,
                edge * circle.radius,
                theme.edge,
                theme.hairline(),
            );
        }
    }
}

/// Radius of the hole in the wheel's middle, as a fraction of the wheel's radius.
pub const HOLE: f64 = 0.6;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_ends_where_it_began() {
        for theme in ThemeName::ALL {
            let map = PhaseMap::new(Theme::named(theme));
            for angle in [0.0, 0.7, 3.0, 6.2] {
                for turns in [-2.0, -1.0, 1.0, 1e4] {
                    assert_eq!(
                        map.colour(angle + turns * TAU),
                        map.colour(angle),
                        "{angle}"
                    );
                }
            }
            // The steps next to angle 0 are no larger than the steps elsewhere.
            let difference = |a: [u8; 3], b: [u8; 3]| (0..3).map(|c| a[c].abs_diff(b[c])).max();
            let steps = map.steps();
            let next = |step: usize| difference(steps[step], steps[(step + 1) % PhaseMap::STEPS]);
            let largest = (0..PhaseMap::STEPS).map(next).max().flatten();
            assert_eq!(largest, Some(4));
        }
    }

    /// Converts sRGB to CAM02-UCS: CIECAM02 (CIE 159:2004) in an average surround with L_A = 64 lx / π / 5 and Y_b = 20
    /// under D65, the conditions of sRGB, and J′, a′, b′ of Luo, Cui and Li 2006, <https://doi.org/10.1002/col.20227>.
    fn cam02_ucs(rgb: [f64; 3]) -> [f64; 3] {
        let multiply = |m: [[f64; 3]; 3], v: [f64; 3]| {
            m.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
        };
        const XYZ: [[f64; 3]; 3] = [
            [41.24, 35.76, 18.05],
            [21.26, 71.52, 7.22],
            [1.93, 11.92, 95.05],
        ];
        const CAT02: [[f64; 3]; 3] = [
            [0.7328, 0.4296, -0.1624],
            [-0.7036, 1.6975, 0.0061],
            [0.0030, 0.0136, 0.9834],
        ];
        // The Hunt-Pointer-Estévez matrix `HPE` is applied after the inverse of CAT02.
        const CAT02_INVERSE: [[f64; 3]; 3] = [
            [1.096_124, -0.278_869, 0.182_745],
            [0.454_369, 0.473_533, 0.072_098],
            [-0.009_628, -0.005_698, 1.015_326],
        ];
        const HPE: [[f64; 3]; 3] = [
            [0.38971, 0.68898, -0.07868],
            [-0.22981, 1.18340, 0.04641],
            [0.0, 0.0, 1.0],
        ];
        let (adapting, background): (f64, f64) = (64.0 / std::f64::consts::PI / 5.0, 0.2);
        let (f, c, surround) = (1.0, 0.69, 1.0);
        let degree = f * (1.0 - (-(adapting + 42.0) / 92.0).exp() / 3.6);
        let k = 1.0 / (5.0 * adapting + 1.0);
        let level = 0.2 * k.powi(4) * 5.0 * adapting
            + 0.1 * (1.0 - k.powi(4)).powi(2) * (5.0 * adapting).cbrt();
        let (z, induction) = (
            1.48 + background.sqrt(),
            0.725 * (1.0 / background).powf(0.2),
        );
        let white = multiply(CAT02, [95.047, 100.0, 108.883]);
        let response = |xyz: [f64; 3]| {
            let cone = multiply(CAT02, xyz);
            let adapted = [0, 1, 2].map(|i| cone[i] * (degree * 100.0 / white[i] + 1.0 - degree));
            multiply(HPE, multiply(CAT02_INVERSE, adapted)).map(|x| {
                let power = (level * x.abs() / 100.0).powf(0.42);
                x.signum() * 400.0 * power / (power + 27.13) + 0.1
            })
        };
        let achromatic = |[r, g, b]: [f64; 3]| (2.0 * r + g + b / 20.0 - 0.305) * induction;
        let linear = rgb.map(|channel| {
            let c = channel / 255.0;
            if c <= 0.04045 {
                c / 12.92
            } else {
                ((c + 0.055) / 1.055).powf(2.4)
            }
        });
        let [r, g, b] = response(multiply(XYZ, linear));
        let of_white = achromatic(response([95.047, 100.0, 108.883]));
        let lightness = 100.0 * (achromatic([r, g, b]) / of_white).powf(c * z);
        let (red, yellow) = (r - 12.0 * g / 11.0 + b / 11.0, (r + g - 2.0 * b) / 9.0);
        let hue = yellow.atan2(red);
        let eccentricity = ((hue + 2.0).cos() + 3.8) / 4.0;
        let t = 50_000.0 / 13.0 * surround * induction * eccentricity * red.hypot(yellow)
            / (r + g + 21.0 * b / 20.0);
        let chroma =
            t.powf(0.9) * (lightness / 100.0).sqrt() * (1.64 - 0.29f64.powf(background)).powf(0.73);
        let colourfulness = (1.0 + 0.0228 * chroma * level.powf(0.25)).ln() / 0.0228;
        [
            1.7 * lightness / (1.0 + 0.007 * lightness),
            colourfulness * hue.cos(),
            colourfulness * hue.sin(),
        ]
    }

    fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
        (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
    }

    fn knots() -> Vec<[f64; 3]> {
        KNOTS
            .iter()
            .map(|knot| {
                let [_, rgb @ ..] = knot.to_be_bytes();
                rgb.map(f64::from)
            })
            .collect()
    }

    #[test]
    fn the_colour_space_is_that_of_others() {
        // colorspacious 1.1.2, cspace_convert(rgb, "sRGB255", "CAM02-UCS").
        for (rgb, known) in [
            (
                [226.0, 217.0, 226.0],
                [89.437_324_95, 2.602_389_8, -3.800_122_04],
            ),
            (
                [98.0, 117.0, 186.0],
                [52.484_518_63, -2.622_133_27, -24.158_734_28],
            ),
            (
                [178.0, 86.0, 82.0],
                [52.427_998_7, 21.897_861_35, 9.865_432_56],
            ),
        ] {
            assert!(
                distance(cam02_ucs(rgb), known) < 0.05,
                "{:?}",
                cam02_ucs(rgb)
            );
        }
    }

    /// The steps are equal up to the rounding of the channels to whole numbers, at most 0.5 at either end.
    #[test]
    fn every_step_is_as_large_as_every_other() {
        let knots = knots();
        let rounding = |rgb: [f64; 3]| {
            let corners = (0..8).map(|corner: usize| {
                let moved = [0, 1, 2].map(|c| rgb[c] + (corner >> c & 1) as f64 - 0.5);
                distance(cam02_ucs(moved), cam02_ucs(rgb))
            });
            corners.fold(0.0, f64::max)
        };
        let next = |i: usize| knots[(i + 1) % knots.len()];
        let steps: Vec<f64> = (0..knots.len())
            .map(|i| distance(cam02_ucs(knots[i]), cam02_ucs(next(i))))
            .collect();
        let mean = steps.iter().sum::<f64>() / steps.len() as f64;
        for (i, step) in steps.iter().enumerate() {
            let bound = rounding(knots[i]) + rounding(next(i));
            assert!(
                (step - mean).abs() <= bound,
                "{i}: {step} of {mean}, ± {bound}"
            );
            // The bound itself is small enough that rounding cannot hide an uneven map.
            assert!(bound < 0.4 * mean, "{i}: {bound}");
        }
    }

    #[test]
    fn no_vector_has_the_colour_of_no_angle() {
        let grey = cam02_ucs(PhaseMap::NEUTRAL.map(f64::from));
        let knots: Vec<_> = knots().into_iter().map(cam02_ucs).collect();
        let step = distance(knots[0], knots[1]);
        for knot in &knots {
            assert!(distance(*knot, grey) > 6.0 * step, "{knot:?}");
        }
        let mean = knots.iter().map(|knot| knot[0]).sum::<f64>() / knots.len() as f64;
        assert!((mean - grey[0]).abs() < step, "{mean} {}", grey[0]);
    }

    /// Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB: angles at least a quarter turn apart must also
    /// differ for people with red-green colour blindness.
    #[test]
    fn quarters_differ_for_people_who_see_red_and_green_alike() {
        use crate::draw::colour_map::vision;
        let knots = knots();
        for matrix in [vision::DEUTERANOPIA, vision::PROTANOPIA] {
            let seen = |i: usize| vision::seen(&matrix, knots[i % 64].map(|c| c as u8));
            for i in 0..64 {
                for further in 16..=48 {
                    let found = distance(seen(i), seen(i + further));
                    assert!(found > 0.15, "{i} and {further} on: {found}");
                }
            }
        }
    }
}
