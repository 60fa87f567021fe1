//! What rounding does to the table: numbers that the lesson quotes and no figure shows.

use crate::math::rotation::Rotation;
use posenc_encoding::{Layout, Sinusoidal, sin_cos};

/// Number of positions over which the error of a table is measured.
const WINDOW: i64 = 16;

/// Returns ω of a pair in `f32`, by exp as in the usual code and by pow. Both functions are evaluated in `f64` and
/// rounded, since their `f32` versions differ between platforms.
fn frequencies(pair: usize, d_model: usize) -> [f32; 2] {
    let even = (2 * pair) as f32;
    let step = (-10_000f64.ln() / d_model as f64) as f32;
    let exp = f64::from(even * step).exp() as f32;
    let pow = 1.0 / 10_000f64.powf(f64::from(even / d_model as f32)) as f32;
    [exp, pow]
}

fn rounded_sin_cos(angle: f32) -> (f32, f32) {
    let (sin, cos) = sin_cos(f64::from(angle));
    (sin as f32, cos as f32)
}

/// Returns the largest error of the table in `f32` over the positions just before `far`: with ω by exp, by pow, and
/// exact with only the angle rounded.
fn table_errors(d_model: usize, far: i64) -> [f64; 3] {
    let pe = Sinusoidal::new(d_model, 10_000.0, Layout::Interleaved);
    let mut largest = [0.0_f64; 3];
    for pair in 0..pe.pairs() {
        let ([exp, pow], omega) = (frequencies(pair, d_model), pe.frequency(pair));
        for pos in far - WINDOW..far {
            let (sin, cos) = pe.sin_cos_at(pair, pos as f64);
            let angles = [
                exp * pos as f32,
                pow * pos as f32,
                (omega * pos as f64) as f32,
            ];
            for (angle, largest) in angles.into_iter().zip(&mut largest) {
                let (s, c) = rounded_sin_cos(angle);
                let errors = [f64::from(s) - sin, f64::from(c) - cos].map(f64::abs);
                *largest = errors.into_iter().fold(*largest, f64::max);
            }
        }
    }
    largest
}

/// Returns the largest absolute component of M_k · PE(pos) − PE(pos + k) over the positions below `len`, in 64 and in 32
/// bits.
fn residuals(d_model: usize, len: i64, k: i64) -> [f64; 2] {
    let pe = Sinusoidal::new(d_model, 10_000.0, Layout::Interleaved);
    let rotation = Rotation::new(&pe, k);
    let mut largest = [0.0_f64; 2];
    for pos in 0..len {
        let (turned, there) = (rotation.apply(&pe.row(pos)), pe.row(pos + k));
        let off = turned.iter().zip(&there).map(|(a, b)| (a - b).abs());
        largest[0] = off.fold(largest[0], f64::max);
        for pair in 0..pe.pairs() {
            let [omega, _] = frequencies(pair, d_model);
            let at = |position: i64| rounded_sin_cos(position as f32 * omega);
            let ((sin, cos), (sin_k, cos_k), (sin_there, cos_there)) =
                (at(pos), at(k), at(pos + k));
            let off = [
                cos_k * sin + sin_k * cos - sin_there,
                cos_k * cos - sin_k * sin - cos_there,
            ];
            let off = off.map(|off| f64::from(off.abs()));
            largest[1] = off.into_iter().fold(largest[1], f64::max);
        }
    }
    largest
}

/// Rounds a whole number to bfloat16: 8 significant bits, ties to even.
fn bfloat16(value: usize) -> f32 {
    let bits = (value as f32).to_bits();
    let even = (bits >> 16) & 1;
    f32::from_bits((bits + 0x7fff + even) & 0xffff_0000)
}

/// Returns the number of distinct values of the positions 0 … len − 1 in bfloat16.
fn distinct(len: usize) -> usize {
    let values: Vec<u32> = (0..len).map(|pos| bfloat16(pos).to_bits()).collect();
    values.len() - values.windows(2).filter(|pair| pair[0] == pair[1]).count()
}

/// The table's error before a position (`f32_table(d, position, way)`), the residual of M_k in 64 and in 32 bits
/// (`residual64(d, len, k)`, `residual32(d, len, k)`), the argument of exp with the largest magnitude (`log_step(d)`) and the
/// number of distinct positions in bfloat16 (`bf16(len)`).
pub fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
    Some(match (name, arguments) {
        ("f32_table", &[d, pos, way]) => table_errors(d as usize, pos as i64)[way as usize],
        ("residual64", &[d, len, k]) => residuals(d as usize, len as i64, k as i64)[0],
        ("residual32", &[d, len, k]) => residuals(d as usize, len as i64, k as i64)[1],
        ("log_step", &[d]) => (-10_000f64.ln() / d) * (d - 2.0),
        ("bf16", &[len]) => distinct(len as usize) as f64,
        _ => return None,
    })
}

#[test]
fn exp_is_less_accurate_than_pow() {
    // Worst relative errors: 5.8e-7 with NumPy's exp, 8e-8 … 1.2e-7 with its pow: libraries differ in the last bit.
    let pe = Sinusoidal::new(512, 10_000.0, Layout::Interleaved);
    let mut worst = [0.0_f64; 2];
    for pair in 0..256 {
        for (omega, worst) in frequencies(pair, 512).into_iter().zip(&mut worst) {
            *worst = worst.max((f64::from(omega) / pe.frequency(pair) - 1.0).abs());
        }
    }
    let [exp, pow] = worst;
    assert!((5.0e-7..6.5e-7).contains(&exp), "{exp}");
    assert!((6.0e-8..1.3e-7).contains(&pow), "{pow}");
}

#[test]
fn angles_of_far_positions_are_rounded_away() {
    // NumPy in float32, over the 16 positions before each, by exp: 4.2e-4, 9.8e-4, 8.6e-3, 8.7e-2; by pow 1.4 to 1.8 times
    // as much. With the exact frequency, only the rounding of the angle remains, half a unit in its last place. Libraries
    // differ in the last bit of exp and pow, and the position multiplies that difference.
    for (far, half, measured) in [
        (5_000, 2.44e-4, 4.2e-4),
        (10_000, 4.88e-4, 9.8e-4),
        (100_000, 3.91e-3, 8.6e-3),
        (1_000_000, 3.13e-2, 8.7e-2),
    ] {
        let [exp, pow, exact] = table_errors(512, far);
        assert!((0.9 * half..1.001 * half).contains(&exact), "{exact}");
        assert!((0.5 * measured..1.5 * measured).contains(&exp), "{exp}");
        assert!((0.5 * measured..2.5 * measured).contains(&pow), "{pow}");
    }
}

#[test]
fn rounding_is_all_that_is_left_of_a_shift() {
    // The 32-bit number is NumPy's: float32 throughout, exp, sin and cos rounded from float64.
    let [double, single] = residuals(512, 5000, 3);
    assert!(double < 1e-12);
    assert!(
        (single - 4.301_024_600_863_456_7e-4).abs() < 1e-15,
        "{single}"
    );
}

#[test]
fn bfloat16_counts_singly_up_to_256() {
    assert_eq!(distinct(257), 257);
    assert_eq!(distinct(258), 257);
    assert_eq!(distinct(4096), 769);
    assert_eq!(bfloat16(4095), 4096.0);
    assert_eq!(bfloat16(259), 260.0);
}
