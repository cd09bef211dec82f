//! Numbers with check digits: ISBNs and credit cards.

/// A credit card number. Other characters may be between the digits.
pub(super) fn is_credit_card(s: &str) -> bool {
    let digits: Vec<u8> = s.bytes().filter(u8::is_ascii_digit).map(|b| b - b'0').collect();
    if !is_issued(&digits) {
        return false;
    }
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(i, d)| match u32::from(*d) {
            d if i % 2 == 0 => d,
            d if d >= 5 => d * 2 - 9,
            d => d * 2,
        })
        .sum();
    sum.is_multiple_of(10)
}

/// Whether a card company uses this prefix and length.
fn is_issued(digits: &[u8]) -> bool {
    match digits {
        [4, ..] => matches!(digits.len(), 13 | 16),
        [5, 1..=5, ..] | [6, 0, 1, 1, ..] | [6, 5, ..] => digits.len() == 16,
        [3, 4 | 7, ..] => digits.len() == 15,
        [3, 0, 0..=5, ..] | [3, 6 | 8, ..] => digits.len() == 14,
        [3, 5, ..] => digits.len() == 16,
        [2, 1, 3, 1, ..] | [1, 8, 0, 0, ..] => digits.len() == 15,
        _ => false,
    }
}

/// Removes dashes and white space, which may be anywhere.
fn without_separators(s: &str) -> Vec<u8> {
    s.bytes().filter(|b| !matches!(b, b'-' | b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')).collect()
}

pub(super) fn is_isbn10(s: &str) -> bool {
    let digits = without_separators(s);
    let [body @ .., last] = &digits[..] else { return false };
    if body.len() != 9 || !body.iter().all(u8::is_ascii_digit) || !(last.is_ascii_digit() || *last == b'X') {
        return false;
    }
    let value = |b: u8| if b == b'X' { 10 } else { u32::from(b - b'0') };
    let sum: u32 = (1..).zip(&digits).map(|(i, b)| i * value(*b)).sum();
    sum.is_multiple_of(11)
}

pub(super) fn is_isbn13(s: &str) -> bool {
    let digits = without_separators(s);
    if digits.len() != 13 || !digits.iter().all(u8::is_ascii_digit) {
        return false;
    }
    let sum: u32 =
        [1, 3].into_iter().cycle().zip(&digits).map(|(factor, b)| factor * u32::from(b - b'0')).sum();
    sum.is_multiple_of(10)
}
