//! Converts the bytes of a text to UTF-8, and checks that YAML allows its characters.

use super::problem::Problem;
use std::sync::Arc;

/// Converts UTF-16 with a byte order mark to UTF-8. None for anything else, which stays as it is. Invalid UTF-16
/// becomes U+FFFE, which YAML does not allow.
pub fn to_utf8(bytes: &[u8]) -> Option<Vec<u8>> {
    let unit: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return None,
    };
    let units = bytes[2..].chunks(2).map(|c| match c {
        [a, b] => unit([*a, *b]),
        _ => 0xfffe,
    });
    let text: String = char::decode_utf16(units).map(|c| c.unwrap_or('\u{fffe}')).collect();
    Some(text.into_bytes())
}

/// Adds a line break at the end if it is missing, like kubectl. (It matters for a block scalar at the end of a file.)
pub(super) fn with_line_break(text: Arc<Vec<u8>>) -> Arc<Vec<u8>> {
    if text.is_empty() || text.ends_with(b"\n") { text } else { Arc::new([&text, &b"\n"[..]].concat()) }
}

/// The part of a document that contains only characters that YAML allows, and the error after it.
///
/// go-yaml reads [`CHUNK`] bytes at a time, so it stops at the start of a chunk with an invalid character. It does not
/// read chunks that are farther after the document.
pub(super) fn check(bytes: &[u8]) -> (&str, Option<Problem>) {
    let (good, broken) = match std::str::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(e) => {
            let (good, bad) = bytes.split_at(e.valid_up_to());
            (std::str::from_utf8(good).unwrap_or_default(), Some((good.len(), broken_utf8(bad))))
        }
    };
    let broken = match forbidden(good) {
        Some(at) => Some((at, "yaml: control characters are not allowed")),
        None => broken,
    };
    match broken {
        None => (good, None),
        Some((at, text)) => {
            let mut end = at - at % CHUNK;
            while !good.is_char_boundary(end) {
                end -= 1;
            }
            (&good[..end], Some(Problem::at(at, text)))
        }
    }
}

/// How many bytes go-yaml reads at a time.
pub(super) const CHUNK: usize = 512;

/// The error in the first character of some bytes.
fn broken_utf8(bytes: &[u8]) -> &'static str {
    let width = match bytes[0] {
        0..0x80 => 1,
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0..0xf8 => 4,
        _ => return "yaml: invalid leading UTF-8 octet",
    };
    if bytes.len() < width {
        return "yaml: incomplete UTF-8 octet sequence";
    }
    if bytes[1..width].iter().any(|c| c & 0xc0 != 0x80) {
        return "yaml: invalid trailing UTF-8 octet";
    }
    match bytes {
        [0xed, 0xa0..=0xbf, ..] | [0xf4, 0x90..=0xbf, ..] | [0xf5..=0xf7, ..] => {
            "yaml: invalid Unicode character"
        }
        _ => "yaml: invalid length of a UTF-8 sequence",
    }
}

/// The place of the first character that YAML does not allow.
fn forbidden(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        // Most text is plain. The loop has no early exit, so that compilers can check many bytes at once.
        let plain = |chunk: &&[u8]| {
            chunk.iter().fold(true, |all, c| all & ((*c >= b' ') & (*c < 0x7f) | (*c == b'\n')))
        };
        at += bytes[at..].chunks(32).take_while(plain).map(<[u8]>::len).sum::<usize>();
        at += bytes[at..].iter().position(|c| SUSPECT[*c as usize])?;
        let wrong = match bytes[at] {
            // U+0080 to U+009F, except U+0085
            0xc2 => bytes[at + 1] < 0xa0 && bytes[at + 1] != 0x85,
            // U+FFFE and U+FFFF
            0xef => bytes[at + 1] == 0xbf && bytes[at + 2] >= 0xbe,
            _ => true,
        };
        if wrong {
            return Some(at);
        }
        at += 1;
    }
}

/// Bytes that are invalid characters, or may be the first byte of one.
const SUSPECT: [bool; 256] = {
    let mut table = [false; 256];
    let mut i = 0;
    while i < 0x20 {
        table[i] = !matches!(i, 0x09 | 0x0a | 0x0d);
        i += 1;
    }
    table[0x7f] = true;
    table[0xc2] = true;
    table[0xef] = true;
    table
};
