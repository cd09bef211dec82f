//! The canonical form of quantities, in which the server writes them: `1000m` is `1`, and `1.5Gi` is `1536Mi`. A text that
//! is canonical enough for Go is kept as it is, such as `+5` and `1E3`.

/// The suffixes of decimal quantities with their powers of ten.
const DECIMAL: [(&str, i32); 10] =
    [("n", -9), ("u", -6), ("m", -3), ("", 0), ("k", 3), ("M", 6), ("G", 9), ("T", 12), ("P", 15), ("E", 18)];

/// The suffixes of binary quantities, the smallest first.
const BINARY: [&str; 7] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/// The power of ten below which the server has no digits.
const NANO: i32 = -9;
/// The power of ten to which the server rounds resources.
const MILLI: i32 = -3;

/// Returns the canonical form of a quantity. `None` if the text is not a quantity, or has more digits than any amount.
pub fn canonical(text: &str) -> Option<String> {
    let parsed = Parsed::read(text)?;
    if parsed.is_kept { Some(text.to_owned()) } else { parsed.written() }
}

/// Like [`canonical`], for an amount of a resource: the server rounds these up to thousandths.
pub fn canonical_resource(text: &str) -> Option<String> {
    let mut parsed = Parsed::read(text)?;
    if parsed.is_kept && parsed.power >= MILLI {
        return Some(text.to_owned());
    }
    parsed.round_up(MILLI)?;
    parsed.written()
}

/// Returns the text of a number times a power of ten, in units of 1024 or of 1000. `None` if it has more digits than any amount.
pub(super) fn written(number: i128, power: i32, is_binary: bool) -> Option<String> {
    let format = if is_binary { Format::Binary } else { Format::Decimal };
    Parsed { number, power, format, is_kept: false }.written()
}

/// How a quantity is written.
#[derive(Clone, Copy)]
enum Format {
    Exponent,
    Decimal,
    Binary,
}

/// A quantity: a number times a power of ten.
struct Parsed {
    number: i128,
    power: i32,
    format: Format,
    /// Whether Go keeps the text.
    is_kept: bool,
}

impl Parsed {
    fn read(text: &str) -> Option<Parsed> {
        let (sign, digits) = match text.strip_prefix(['-', '+']) {
            Some(rest) if text.starts_with('-') => (-1, rest),
            Some(rest) => (1, rest),
            None => (1, text),
        };
        let end = digits.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(digits.len());
        let (number, suffix) = digits.split_at(end);
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let whole = Some(whole.trim_start_matches('0')).filter(|whole| !whole.is_empty()).unwrap_or("0");
        let all = format!("{whole}{fraction}");
        let value = all.parse::<i128>().ok()?;
        let power = i32::try_from(fraction.len()).ok()?.checked_neg()?;
        let length = i64::try_from(all.len()).ok()?;
        if let Some(times) = BINARY.iter().position(|name| *name == suffix).filter(|times| *times > 0) {
            let times = u32::try_from(times).ok()?;
            let number = sign * value.checked_mul(1024i128.pow(times))?;
            // Go counts the digits that the number may have.
            let is_small = fraction.is_empty() && length + i64::from(times) * 3 < 15;
            let mut parsed =
                Parsed { number, power, format: Format::Binary, is_kept: is_small && value % 8 != 0 };
            if !is_small {
                parsed.round_up(NANO)?;
                parsed.cap();
            }
            return Some(parsed);
        }
        let (format, exponent) = match DECIMAL.iter().find(|(name, _)| *name == suffix) {
            Some((_, exponent)) => (Format::Decimal, *exponent),
            None => (Format::Exponent, suffix.strip_prefix(['e', 'E'])?.parse().ok()?),
        };
        let power = power.checked_add(exponent)?;
        let is_small = length <= 18 && power >= NANO;
        let is_canonical = power % 3 == 0 && !all.ends_with("000") && !all.starts_with('0');
        let mut parsed = Parsed { number: sign * value, power, format, is_kept: is_small && is_canonical };
        parsed.round_up(NANO)?;
        Some(parsed)
    }

    /// Rounds the number, away from zero, to one without digits below a power of ten.
    fn round_up(&mut self, power: i32) -> Option<()> {
        if self.power >= power {
            return Some(());
        }
        let places = u32::try_from(power.checked_sub(self.power)?).ok()?;
        self.number = match 10i128.checked_pow(places) {
            Some(divisor) => {
                self.number / divisor + i128::from(self.number % divisor != 0) * self.number.signum()
            }
            None => self.number.signum(),
        };
        self.power = power;
        Some(())
    }

    /// Binary quantities are at most the greatest number of 64 bits.
    fn cap(&mut self) {
        let most = i128::from(i64::MAX);
        if self.units().is_some_and(|(units, _)| units.abs() >= most) {
            (self.number, self.power) = (most * self.number.signum(), 0);
        }
    }

    /// The whole part of the number, and whether there is nothing else.
    fn units(&self) -> Option<(i128, bool)> {
        let factor = 10i128.checked_pow(self.power.unsigned_abs())?;
        if self.power > 0 {
            return Some((self.number.checked_mul(factor)?, true));
        }
        Some((self.number / factor, self.number % factor == 0))
    }

    fn written(&self) -> Option<String> {
        if let Format::Binary = self.format {
            let (mut number, is_whole) = self.units()?;
            if is_whole && number.abs() >= 1024 {
                let mut times = 0;
                while number % 1024 == 0 && times + 1 < BINARY.len() {
                    (number, times) = (number / 1024, times + 1);
                }
                return Some(format!("{number}{}", BINARY[times]));
            }
        }
        let (number, exponent) = in_thousands(self.number, self.power)?;
        if let Format::Exponent = self.format {
            return Some(if exponent == 0 { number.to_string() } else { format!("{number}e{exponent}") });
        }
        let (suffix, _) = DECIMAL.iter().find(|(_, it)| *it == exponent)?;
        Some(format!("{number}{suffix}"))
    }
}

/// The number without factors of ten, as far as the exponent is divisible by three.
fn in_thousands(mut number: i128, mut exponent: i32) -> Option<(i128, i32)> {
    if number == 0 {
        return Some((0, 0));
    }
    while number % 10 == 0 {
        (number, exponent) = (number / 10, exponent.checked_add(1)?);
    }
    while exponent.rem_euclid(3) != 0 {
        (number, exponent) = (number.checked_mul(10)?, exponent.checked_sub(1)?);
    }
    Some((number, exponent))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The results are those of Go: of a quantity that was read and written, and of one that was rounded up in between.
    const QUANTITIES: &str = include_str!("quantities.txt");

    #[test]
    fn writes_quantities_as_the_server() {
        let mut lines = 0;
        for line in QUANTITIES.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let [text, written, rounded] = words[..] else { panic!("{line}") };
            assert_eq!(canonical(text).as_deref(), Some(written), "{text}");
            assert_eq!(canonical_resource(text).as_deref(), Some(rounded), "{text}");
            lines += 1;
        }
        assert!(lines > 100, "{lines}");
        for text in ["", "x", "1x", "1.2.3", "1e", ".", "-", "1e99999999999", "1.0e-2147483648"] {
            assert_eq!(canonical(text), None, "{text}");
        }
    }
}
