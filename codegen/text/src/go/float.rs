/// Formats a float as Go's `%g` prints it, with as many digits as are needed. `scientific` is the float in Rust's
/// `{:e}` format. Whether it was an `f32` or an `f64` determines the number of digits.
pub fn float_g(scientific: &str) -> String {
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |m| ("-", m));
    let digits = mantissa.replace('.', "");
    if !(-4..6).contains(&exponent) {
        let letter = if exponent < 0 { "e-" } else { "e+" };
        return format!("{sign}{mantissa}{letter}{:02}", exponent.abs());
    }
    let Ok(point) = usize::try_from(exponent + 1) else {
        return format!("{sign}0.{}{digits}", "0".repeat((-exponent - 1) as usize));
    };
    match point {
        0 => format!("{sign}0.{digits}"),
        _ if point >= digits.len() => format!("{sign}{digits}{}", "0".repeat(point - digits.len())),
        _ => format!("{sign}{}.{}", &digits[..point], &digits[point..]),
    }
}
