//! The classes of characters in YAML. Text is read byte by byte. NUL marks its end, because it cannot occur in the
//! text.

/// A space, a tab, or a possible line break or end: characters at which a run of text must be checked.
pub(super) const STOP: u8 = 1;
/// The same and a colon, which may end a plain scalar.
pub(super) const STOP_PLAIN: u8 = 2;
/// The same and the characters that end a plain scalar in a flow collection.
pub(super) const STOP_FLOW: u8 = 4;
/// A possible line break or end.
pub(super) const STOP_LINE: u8 = 8;
/// The same and a single quote.
pub(super) const STOP_SINGLE: u8 = 16;
/// The same and a double quote or a backslash.
pub(super) const STOP_DOUBLE: u8 = 32;

pub(super) static CLASS: [u8; 256] = {
    let mut table = [0; 256];
    // U+0085, U+2028 and U+2029 start with 0xc2 and 0xe2.
    let breaks = [0, b'\r', b'\n', 0xc2, 0xe2];
    let mut i = 0;
    while i < breaks.len() {
        table[breaks[i] as usize] = STOP | STOP_PLAIN | STOP_FLOW | STOP_LINE | STOP_SINGLE | STOP_DOUBLE;
        i += 1;
    }
    table[b' ' as usize] = STOP | STOP_PLAIN | STOP_FLOW;
    table[b'\t' as usize] = STOP | STOP_PLAIN | STOP_FLOW;
    table[b':' as usize] = STOP_PLAIN | STOP_FLOW;
    let flow = b",?[]{}";
    i = 0;
    while i < flow.len() {
        table[flow[i] as usize] = STOP_FLOW;
        i += 1;
    }
    table[b'\'' as usize] = STOP_SINGLE;
    table[b'"' as usize] = STOP_DOUBLE;
    table[b'\\' as usize] = STOP_DOUBLE;
    table
};

/// A letter, a digit, `_` or `-`.
pub(super) fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_' || c == b'-'
}

/// A space or a tab.
pub(super) fn is_blank(c: u8) -> bool {
    c == b' ' || c == b'\t'
}
