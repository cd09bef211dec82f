//! The canonical form of quantities, in which the server writes them: `1000m` is `1`, and `1.5Gi` is `1536Mi`.

/// The suffixes of decimal quantities with their powers of ten.
const DECIMAL: [(&str, i32); 10] =
    [("n", -9), ("u", -6), ("m", -3), ("", 0), ("k", 3), ("M", 6), ("G", 9), ("T", 12), ("P", 15), ("E", 18)];

/// The suffixes of binary quantities, the smallest first.
const BINARY: [&str; 7] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/// Returns the canonical form of a quantity. `None` if the text is not a quantity, or has so many digits that the server
/// rounds it.
pub fn canonical(text: &str) -> Option<String> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    let end = digits.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(digits.len());
    let (number, suffix) = digits.split_at(end);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let all = format!("{whole}{fraction}");
    if all.is_empty() || all.len() > 18 {
        return None;
    }
    let number = sign * all.parse::<i128>().ok()?;
    let places = i32::try_from(fraction.len()).ok()?;
    if let Some(power) = BINARY.iter().position(|name| *name == suffix).filter(|power| *power > 0) {
        return binary(number * 1024i128.pow(u32::try_from(power).ok()?), places);
    }
    if let Some((_, exponent)) = DECIMAL.iter().find(|(name, _)| *name == suffix) {
        return decimal(number, exponent - places);
    }
    let exponent: i32 = suffix.strip_prefix(['e', 'E'])?.parse().ok()?;
    let (number, exponent) = in_thousands(number, exponent.checked_sub(places)?)?;
    Some(if exponent == 0 { number.to_string() } else { format!("{number}e{exponent}") })
}

/// The number without factors of ten, as far as the exponent is divisible by three.
fn in_thousands(mut number: i128, mut exponent: i32) -> Option<(i128, i32)> {
    if number == 0 {
        return Some((0, 0));
    }
    while number % 10 == 0 {
        (number, exponent) = (number / 10, exponent + 1);
    }
    while exponent.rem_euclid(3) != 0 {
        (number, exponent) = (number.checked_mul(10)?, exponent - 1);
    }
    Some((number, exponent))
}

fn decimal(number: i128, exponent: i32) -> Option<String> {
    let (number, exponent) = in_thousands(number, exponent)?;
    let (suffix, _) = DECIMAL.iter().find(|(_, it)| *it == exponent)?;
    Some(format!("{number}{suffix}"))
}

/// The canonical form of `number` without its last decimal places.
fn binary(number: i128, places: i32) -> Option<String> {
    let divisor = 10i128.checked_pow(u32::try_from(places).ok()?)?;
    if number.abs() < 1024 * divisor {
        return decimal(number, -places);
    }
    // The server rounds away from zero.
    let rest = i128::from(number % divisor != 0) * number.signum();
    let (mut number, mut power) = (number / divisor + rest, 0);
    while number % 1024 == 0 && power + 1 < BINARY.len() {
        (number, power) = (number / 1024, power + 1);
    }
    Some(format!("{number}{}", BINARY[power]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The results are those of `resource.ParseQuantity(text).String()` in Go.
    #[test]
    fn writes_quantities_as_the_server() {
        for (text, written) in [
            ("1000m", "1"),
            ("0.5", "500m"),
            ("1500m", "1500m"),
            ("1000", "1k"),
            ("64Mi", "64Mi"),
            ("1.5Gi", "1536Mi"),
            ("1024Mi", "1Gi"),
            ("0.5Ki", "512"),
            ("1e3", "1e3"),
            ("12e2", "1200"),
            ("-2.50", "-2500m"),
            ("0", "0"),
            ("1E", "1E"),
        ] {
            assert_eq!(canonical(text).as_deref(), Some(written), "{text}");
        }
        // The server keeps the plus sign.
        for text in ["", "+1", "x", "1x", "1.2.3", "1e", "."] {
            assert_eq!(canonical(text), None, "{text}");
        }
    }
}
