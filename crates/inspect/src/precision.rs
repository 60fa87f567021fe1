//! The number formats in which tables are computed and stored: IEEE 754 half, single and double precision, and bfloat16.

/// A floating-point format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precision {
    /// bfloat16: 8 significant bits.
    Bf16,
    /// Half precision: 11 significant bits.
    F16,
    /// Single precision: 24 significant bits.
    F32,
    /// Double precision: 53 significant bits.
    F64,
}

impl Precision {
    /// All formats, from the fewest significant bits to the most.
    pub const ALL: [Precision; 4] = [Self::Bf16, Self::F16, Self::F32, Self::F64];

    /// Returns the name used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bf16 => "bf16",
            Self::F16 => "f16",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    /// Returns half a unit in the last place of numbers from 1/2 to 1: the largest rounding error of a sine.
    pub const fn half_unit(self) -> f64 {
        match self {
            Self::Bf16 => 1.0 / 512.0,
            Self::F16 => 1.0 / 4096.0,
            Self::F32 => 1.0 / 33_554_432.0,
            Self::F64 => 1.0 / 18_014_398_509_481_984.0,
        }
    }

    /// Returns the nearest number of this format, ties to even.
    pub fn round(self, value: f64) -> f64 {
        match self {
            Self::Bf16 => round_bf16(value),
            Self::F16 => round_f16(value),
            Self::F32 => f64::from(value as f32),
            Self::F64 => value,
        }
    }

    /// Returns the size of a number in bytes.
    pub const fn bytes(self) -> usize {
        match self {
            Self::Bf16 | Self::F16 => 2,
            Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// Decodes a number from its bits, which are the lowest ones.
    pub(crate) fn decode(self, bits: u64) -> f64 {
        match self {
            Self::Bf16 => f64::from(f32::from_bits((bits as u32) << 16)),
            Self::F16 => from_f16(bits as u16),
            Self::F32 => f64::from(f32::from_bits(bits as u32)),
            Self::F64 => f64::from_bits(bits),
        }
    }
}

fn from_f16(bits: u16) -> f64 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let exponent = i32::from(bits >> 10 & 0x1f);
    let fraction = f64::from(bits & 0x3ff);
    sign * match exponent {
        0 => fraction * 2.0_f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2.0_f64.powi(exponent - 25),
    }
}

/// Rounds to single precision first, as common implementations do.
fn round_bf16(value: f64) -> f64 {
    let single = value as f32;
    if !single.is_finite() {
        return f64::from(single);
    }
    let bits = single.to_bits();
    let even = bits >> 16 & 1;
    f64::from(f32::from_bits((bits + 0x7fff + even) & 0xffff_0000))
}

fn round_f16(value: f64) -> f64 {
    let size = value.abs();
    if !size.is_finite() || size == 0.0 {
        return value;
    }
    if size >= 65_520.0 {
        return f64::INFINITY.copysign(value);
    }
    // A unit in the last place; numbers below 2⁻¹⁴ are subnormal.
    let exponent = (size.to_bits() >> 52) as i32 - 1023;
    let unit = 2.0_f64.powi(exponent.max(-14) - 10);
    (value / unit).round_ties_even() * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_ieee_754s() {
        for (bits, value) in [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65_504.0),
            (0x0001, 5.960_464_477_539_063e-8),
            (0x3555, 0.333_251_953_125),
        ] {
            assert_eq!(from_f16(bits), value);
            assert_eq!(round_f16(value), value);
        }
        assert_eq!(from_f16(0xfc00), f64::NEG_INFINITY);
        assert!(from_f16(0x7e00).is_nan());
        assert_eq!(round_f16(2049.0), 2048.0);
        assert_eq!(round_f16(2051.0), 2052.0);
        assert_eq!(round_f16(65_520.0), f64::INFINITY);
        assert_eq!(round_f16(1.0 / 3.0), 0.333_251_953_125);
    }

    #[test]
    fn bfloat16_counts_to_256() {
        assert_eq!(round_bf16(255.0), 255.0);
        assert_eq!(round_bf16(257.0), 256.0);
        assert_eq!(round_bf16(259.0), 260.0);
        // Of the positions 0 … 511, 385 remain distinct.
        let mut distinct: Vec<f64> = (0..512).map(|p| round_bf16(f64::from(p))).collect();
        distinct.dedup();
        assert_eq!(distinct.len(), 385);
    }

    #[test]
    fn every_half_reads_back() {
        for bits in 0..=u16::MAX {
            let value = from_f16(bits);
            assert!(value.is_nan() || round_f16(value) == value, "{bits:x}");
            let wide = Precision::Bf16.decode(u64::from(bits));
            assert!(wide.is_nan() || round_bf16(wide) == wide, "{bits:x}");
        }
    }
}
