//! Colours of values and of angles, as the bytes of an image.

use std::f64::consts::TAU;

/// Writes the RGB colours of values in −1 … 1, three bytes each; values beyond ±1 have the outermost colours. `colours`
/// belong to evenly spaced values and are odd in number, so that zero has a colour of its own.
pub fn colour_values(values: &[f32], colours: &[[u8; 3]], rgb: &mut Vec<u8>) {
    rgb.resize(3 * values.len(), 0);
    let Some(last) = colours.len().checked_sub(1) else {
        return;
    };
    let half = (last / 2) as f32;
    for (pixel, &value) in rgb.chunks_exact_mut(3).zip(values) {
        // Rounds by adding 0.5 and truncating: the cast is one instruction, `round` a call.
        let step = (value * half + (half + 0.5)) as usize;
        pixel.copy_from_slice(&colours[step.min(last)]);
    }
}

/// Writes the RGB colours of mean vectors (sine, cosine), three bytes each: the angle of a vector selects one of `colours`,
/// which are evenly spaced over a turn from 0 on; the shorter the vector, the nearer its colour is to `neutral`.
pub fn colour_angles(
    (sines, cosines): (&[f32], &[f32]),
    colours: &[[u8; 3]],
    neutral: [u8; 3],
    rgb: &mut Vec<u8>,
) {
    rgb.resize(3 * sines.len(), 0);
    if colours.is_empty() {
        return;
    }
    let per_radian = colours.len() as f64 / TAU;
    let vectors = sines.iter().zip(cosines);
    for (pixel, (&sine, &cosine)) in rgb.chunks_exact_mut(3).zip(vectors) {
        let (sine, cosine) = (f64::from(sine), f64::from(cosine));
        // Adds a whole turn, since truncation rounds only non-negative numbers correctly.
        let step = sine.atan2(cosine) * per_radian + colours.len() as f64;
        let colour = colours[(step + 0.5) as usize % colours.len()];
        let length = (sine * sine + cosine * cosine).sqrt().min(1.0);
        for c in 0..3 {
            let (colour, neutral) = (f64::from(colour[c]), f64::from(neutral[c]));
            pixel[c] = (neutral + length * (colour - neutral) + 0.5) as u8;
        }
    }
}

/// Returns whether two images are equal, comparing 16 bytes at a time: on wasm `==` compares byte by byte.
pub fn same_bytes(a: &[u8], b: &[u8]) -> bool {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<16>(), b.as_chunks::<16>());
    let equal = |(a, b): (&[u8; 16], &[u8; 16])| u128::from_ne_bytes(*a) == u128::from_ne_bytes(*b);
    a.len() == b.len() && a_rest == b_rest && a.iter().zip(b).all(equal)
}

/// Converts RGB to opaque RGBA, for as many pixels as both slices hold.
pub fn with_opacity(rgb: &[u8], rgba: &mut [u8]) {
    let done = with_opacity_in_fours(rgb, rgba);
    for (to, from) in rgba[4 * done..]
        .chunks_exact_mut(4)
        .zip(rgb[3 * done..].chunks_exact(3))
    {
        to.copy_from_slice(&[from[0], from[1], from[2], 255]);
    }
}

/// Converts four pixels at a time while 16 bytes can be read, of which 12 are used. Returns the number of pixels done.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
fn with_opacity_in_fours(rgb: &[u8], rgba: &mut [u8]) -> usize {
    use std::arch::wasm32::{u8x16_shuffle, u8x16_splat, v128_load, v128_store};
    let opaque = u8x16_splat(255);
    let pixels = (rgb.len() / 3).min(rgba.len() / 4);
    let mut done = 0;
    while done + 4 <= pixels && 3 * done + 16 <= rgb.len() {
        let (from, to) = (
            &rgb[3 * done..3 * done + 16],
            &mut rgba[4 * done..4 * done + 16],
        );
        // SAFETY: both slices are 16 bytes long, and these accesses need no alignment.
        unsafe {
            let three = v128_load(from.as_ptr().cast());
            let four = u8x16_shuffle::<0, 1, 2, 16, 3, 4, 5, 16, 6, 7, 8, 16, 9, 10, 11, 16>(
                three, opaque,
            );
            v128_store(to.as_mut_ptr().cast(), four);
        }
        done += 4;
    }
    done
}

/// Does nothing on other targets, for which the compiler optimizes the plain loop equally well.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
fn with_opacity_in_fours(_: &[u8], _: &mut [u8]) -> usize {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_find_their_colours() {
        let colours = [[0, 0, 0], [9, 9, 9], [20, 20, 20]];
        let mut rgb = Vec::new();
        colour_values(&[-1.0, -0.4, 0.0, 0.6, 7.0, -7.0], &colours, &mut rgb);
        let shades: Vec<u8> = rgb.chunks_exact(3).map(|pixel| pixel[0]).collect();
        assert_eq!(shades, [0, 9, 9, 20, 20, 0]);
    }

    #[test]
    fn angles_find_their_colours_and_short_vectors_are_neutral() {
        // At 0, 90, 180 and 270 degrees.
        let colours = [[0, 0, 0], [40, 0, 0], [80, 0, 0], [120, 0, 0]];
        let shade = |sine: f32, cosine: f32| {
            let mut rgb = Vec::new();
            colour_angles((&[sine], &[cosine]), &colours, [200; 3], &mut rgb);
            rgb[0]
        };
        assert_eq!([shade(0.0, 1.0), shade(1.0, 0.0)], [0, 40]);
        assert_eq!([shade(0.0, -1.0), shade(-1.0, 0.0)], [80, 120]);
        // 40° and −44° are nearest to 0°; rounding may leave a vector longer than 1.
        assert_eq!(shade(0.6428, 0.7661), 0);
        assert_eq!(shade(-0.6947, 0.7194), 0);
        assert_eq!(shade(0.0, -1.0001), 80);
        assert_eq!([shade(0.0, 0.0), shade(0.5, 0.0)], [200, 120]);
    }

    #[test]
    fn one_byte_makes_a_difference() {
        let a: Vec<u8> = (0..50).collect();
        let mut b = a.clone();
        assert!(same_bytes(&a, &b));
        b[49] = 0;
        assert!(!same_bytes(&a, &b) && !same_bytes(&a, &a[..49]));
    }
}
