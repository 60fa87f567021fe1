//! The colours of values and of angles, as the bytes of a picture.

use std::f64::consts::TAU;

/// The colours of values in −1 … 1, three bytes each; `colours` are those of evenly spaced values, an odd number, so
/// that zero has one of its own. Beyond ±1 that of the end.
pub fn colour_values(values: &[f32], colours: &[[u8; 3]], rgb: &mut Vec<u8>) {
    rgb.resize(3 * values.len(), 0);
    let Some(last) = colours.len().checked_sub(1) else {
        return;
    };
    let half = (last / 2) as f32;
    for (pixel, &value) in rgb.chunks_exact_mut(3).zip(values) {
        // Rounds by cutting off: a cast is one instruction where `round` is a call.
        let step = (value * half + (half + 0.5)) as usize;
        pixel.copy_from_slice(&colours[step.min(last)]);
    }
}

/// The colours of mean vectors of angles, three bytes each: of the angle of (sine, cosine) in one turn of `colours`, evenly
/// spaced from 0 on, and the nearer to `neutral` the shorter the vector is.
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
        // A whole turn is added, so that casts round what is not negative.
        let step = sine.atan2(cosine) * per_radian + colours.len() as f64;
        let colour = colours[(step + 0.5) as usize % colours.len()];
        let length = (sine * sine + cosine * cosine).sqrt().min(1.0);
        for c in 0..3 {
            let (colour, neutral) = (f64::from(colour[c]), f64::from(neutral[c]));
            pixel[c] = (neutral + length * (colour - neutral) + 0.5) as u8;
        }
    }
}

/// Whether two pictures are the same, in steps of a SIMD register: on wasm `==` compares byte by byte.
pub fn same_bytes(a: &[u8], b: &[u8]) -> bool {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<16>(), b.as_chunks::<16>());
    let equal = |(a, b): (&[u8; 16], &[u8; 16])| u128::from_ne_bytes(*a) == u128::from_ne_bytes(*b);
    a.len() == b.len() && a_rest == b_rest && a.iter().zip(b).all(equal)
}

/// Three bytes a pixel to four, opaque; as many pixels as both hold.
pub fn with_opacity(rgb: &[u8], rgba: &mut [u8]) {
    let done = with_opacity_in_fours(rgb, rgba);
    for (to, from) in rgba[4 * done..]
        .chunks_exact_mut(4)
        .zip(rgb[3 * done..].chunks_exact(3))
    {
        to.copy_from_slice(&[from[0], from[1], from[2], 255]);
    }
}

/// Four pixels at a time, as long as 16 bytes can be read for the 12 that are used. Returns the number of pixels done.
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

/// Elsewhere the compiler does as well.
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
        // 40° is nearer to 0° than to 90°, −44° too, and rounding may leave a vector longer than 1.
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
