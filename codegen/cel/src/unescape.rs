//! The values of string and bytes literals.

/// The type of a literal. Escapes mean characters in strings, and single bytes in bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LiteralOf {
    String,
    Bytes,
}

/// The value of a literal. The literal has its quotes and its `r`, but not its `b`.
pub(super) fn unescape(literal: &str, of: LiteralOf) -> Result<Vec<u8>, &'static str> {
    let normalized;
    let literal = if literal.contains('\r') {
        normalized = literal.replace("\r\n", "\n").replace('\r', "\n");
        &normalized
    } else {
        literal
    };
    let quoted = literal.trim_start_matches(['r', 'R']);
    let raw = quoted.len() < literal.len();
    let triple = quoted.len() >= 6 && (quoted.starts_with("'''") || quoted.starts_with("\"\"\""));
    let marks = if triple { 3 } else { 1 };
    let Some(inner) = quoted.get(marks..quoted.len().saturating_sub(marks)) else {
        return Err("unable to unescape string");
    };
    if raw || !inner.contains('\\') {
        return Ok(inner.as_bytes().to_vec());
    }
    let mut out = Vec::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        out.extend_from_slice(&rest.as_bytes()[..at]);
        rest = escape(&rest[at + 1..], of, &mut out)?;
    }
    out.extend_from_slice(rest.as_bytes());
    Ok(out)
}

/// Appends the character of an escape sequence and returns the text after it.
fn escape<'a>(text: &'a str, of: LiteralOf, out: &mut Vec<u8>) -> Result<&'a str, &'static str> {
    let Some(c) = text.chars().next() else {
        return Err("unable to unescape string, found '\\' as last character");
    };
    let rest = &text[c.len_utf8()..];
    let (digits, radix) = match c {
        'a' => return Ok(push(7, rest, out)),
        'b' => return Ok(push(8, rest, out)),
        'f' => return Ok(push(12, rest, out)),
        'n' => return Ok(push(b'\n', rest, out)),
        'r' => return Ok(push(b'\r', rest, out)),
        't' => return Ok(push(b'\t', rest, out)),
        'v' => return Ok(push(11, rest, out)),
        '\\' | '\'' | '"' | '`' | '?' => return Ok(push(c as u8, rest, out)),
        'x' | 'X' => (rest.get(..2), 16),
        'u' if of == LiteralOf::String => (rest.get(..4), 16),
        'U' if of == LiteralOf::String => (rest.get(..8), 16),
        '0'..='3' => (text.get(..3), 8),
        _ => return Err("unable to unescape string"),
    };
    let failure =
        if radix == 8 { "unable to unescape octal sequence in string" } else { "unable to unescape string" };
    let digits = digits.filter(|d| d.bytes().all(|b| (b as char).is_digit(radix))).ok_or(failure)?;
    let value = u32::from_str_radix(digits, radix).map_err(|_| failure)?;
    let behind = if radix == 8 { &text[3..] } else { &rest[digits.len()..] };
    if of == LiteralOf::Bytes {
        return Ok(push(value as u8, behind, out));
    }
    let c = char::from_u32(value).ok_or("invalid unicode code point")?;
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    Ok(behind)
}

fn push<'a>(byte: u8, rest: &'a str, out: &mut Vec<u8>) -> &'a str {
    out.push(byte);
    rest
}
