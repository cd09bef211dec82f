//! Floats of 16 bits.

/// The bits of a float of 16 bits with the same value. `None` if there is none.
pub(super) fn half(float: f32) -> Option<u16> {
    let bits = float.to_bits();
    let sign = (bits >> 16) as u16 & 0x8000;
    let (exponent, fraction) = ((bits >> 23 & 0xff) as i32 - 127, bits & 0x007f_ffff);
    match exponent {
        _ if bits << 1 == 0 => Some(sign),
        -14..=15 if fraction & 0x1fff == 0 => {
            Some(sign | ((exponent + 15) as u16) << 10 | (fraction >> 13) as u16)
        }
        // Below the smallest normal number, the fraction has fewer bits.
        -24..=-15 => {
            let (whole, shift) = (fraction | 0x0080_0000, -exponent - 1);
            (whole.trailing_zeros() as i32 >= shift).then(|| sign | (whole >> shift) as u16)
        }
        _ => None,
    }
}

/// The value of a float of 16 bits.
pub(super) fn of_half(bits: u16) -> f64 {
    let (exponent, fraction) = (bits >> 10 & 0x1f, f64::from(bits & 0x3ff));
    let size = match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        exponent => (fraction + 1024.0) * 2f64.powi(i32::from(exponent) - 25),
    };
    if bits & 0x8000 == 0 { size } else { -size }
}
