//! Computes the length of JSON text in bytes without writing it.

use super::write::write_float;
use crate::value::Value;

/// Returns the length of the compact JSON text in bytes.
pub fn length(value: &Value) -> usize {
    of(value, text_length)
}

/// Returns the length of the text of [`to_html_safe`](super::to_html_safe) in bytes.
pub fn length_html_safe(value: &Value) -> usize {
    of(value, text_length_html_safe)
}

/// Returns the length of compact JSON text in bytes after it was made safe for HTML.
pub fn html_safe_len(text: &str) -> usize {
    text.len() + sum(text, 1, |b| u8::from(b == b'<') + u8::from(b == b'>') + u8::from(b == b'&')) * 5
}

/// Returns the length in bytes of a text as a JSON string that is safe for HTML.
pub fn text_length_html_safe(text: &str) -> usize {
    text_length(text) + html_safe_len(text) - text.len()
}

/// The length of a text as a JSON string, with its quotes and escapes.
fn text_length(text: &str) -> usize {
    let added = sum(text, 5, |b| {
        let short = (b == 8) | (b == b'\t') | (b == b'\n') | (b == 12) | (b == b'\r');
        u8::from(b < 0x20) * 5 - u8::from(short) * 4 + u8::from(b == b'"') + u8::from(b == b'\\')
    });
    // These are escaped like control characters, which takes three bytes more than they have.
    let separators = match text.as_bytes().contains(&0xe2) {
        true => text.matches(['\u{2028}', '\u{2029}']).count(),
        false => 0,
    };
    2 + text.len() + added + 3 * separators
}

/// The sum of a number for each byte, which is `most` at most. Partial sums below 256 have one byte each. Without
/// branches in the loop, compilers can add many bytes at a time.
fn sum(text: &str, most: u8, of: impl Fn(u8) -> u8) -> usize {
    let part = |part: &[u8]| usize::from(part.iter().map(|b| of(*b)).sum::<u8>());
    text.as_bytes().chunks(usize::from(u8::MAX / most / 16 * 16)).map(part).sum()
}

fn of(value: &Value, text: fn(&str) -> usize) -> usize {
    // Brackets and commas.
    let around = |items: usize| 1 + items.max(1);
    match value {
        Value::Null | Value::Bool(true) => 4,
        Value::Bool(false) => 5,
        Value::Int(i) => {
            let digits = 1 + i.unsigned_abs().checked_ilog10().unwrap_or_default() as usize;
            usize::from(*i < 0) + digits
        }
        Value::Float(f) => {
            let mut out = String::new();
            write_float(*f, &mut out);
            out.len()
        }
        Value::Str(s) => text(s),
        Value::List(items) => around(items.len()) + items.iter().map(|item| of(item, text)).sum::<usize>(),
        Value::Map(map) => {
            let member = |(key, value): (&str, &Value)| text(key) + 1 + of(value, text);
            around(map.len()) + map.iter().map(member).sum::<usize>()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{to_html_safe, to_string};
    use crate::value::Map;

    #[test]
    fn lengths_are_those_of_the_texts() {
        let mut texts: Vec<String> = (0..0x3000).filter_map(char::from_u32).map(String::from).collect();
        texts.push(texts.concat());
        texts.push("x".repeat(1000) + "\"\\<&>\u{1}\n");
        let mut all: Vec<Value> = texts.iter().map(|text| text.as_str().into()).collect();
        all.extend([0, 7, 10, 99, -1, -100, i64::MIN, i64::MAX].map(Value::Int));
        all.extend([0.0, -0.0, 1.5, 1e300, -1e-9, f64::NAN].map(Value::Float));
        all.extend([Value::Null, Value::Bool(true), Value::Bool(false), Value::List(Vec::new())]);
        all.push(Value::Map(Map::new()));
        all.push(Value::Map(texts.iter().map(|text| (text.as_str(), Value::Null)).collect()));
        all.push(Value::List(all.clone()));
        for value in all {
            assert_eq!(length(&value), to_string(&value).len(), "{value}");
            assert_eq!(length_html_safe(&value), to_html_safe(&value).len(), "{value}");
            assert_eq!(html_safe_len(&to_string(&value)), to_html_safe(&value).len(), "{value}");
        }
    }
}
