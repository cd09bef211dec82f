//! String literals: their text, and which characters of the source produce which part of the text.

use proc_macro2::Literal;
use std::ops::Range;

/// The text of a literal, if it is a string's.
pub(super) fn text_of(literal: &Literal) -> Option<String> {
    let written = literal.to_string();
    // Most literals have no escapes, so they need no parser. The same is true for comments, which the compiler turns
    // into `r"…"`.
    let raw = written.strip_prefix('r').map(|rest| rest.trim_start_matches('#'));
    let quoted = match raw {
        Some(raw) => raw.strip_prefix('"').and_then(|rest| rest.trim_end_matches('#').strip_suffix('"')),
        None => {
            written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).filter(|t| !t.contains('\\'))
        }
    };
    match quoted {
        Some(text) if !text.contains('\r') => Some(text.to_owned()),
        _ => match syn::Lit::new(literal.clone()) {
            syn::Lit::Str(s) => Some(s.value()),
            _ => None,
        },
    }
}

/// Returns the bytes of a written literal, quotes included, that produce these bytes of its text. `None` if it is not
/// a string literal, or if its text is shorter.
pub fn written(literal: &str, text: Range<usize>) -> Option<Range<usize>> {
    let (start, end) = (place(literal, text.start, Side::Before)?, place(literal, text.end, Side::Behind)?);
    Some(start..end.max(start))
}

/// The side of a place in a text.
#[derive(Clone, Copy)]
enum Side {
    /// The start of what follows.
    Before,
    /// The end of what precedes.
    Behind,
}

impl Side {
    fn of(self, start: usize, end: usize) -> usize {
        match self {
            Side::Before => start,
            Side::Behind => end,
        }
    }
}

/// Where a byte of the text is written in the literal.
fn place(literal: &str, byte: usize, side: Side) -> Option<usize> {
    let open = literal.find('"')? + 1;
    let close = literal.rfind('"').filter(|close| *close >= open)?;
    let raw = literal.starts_with('r');
    let (mut at, mut produced, mut end) = (open, 0, open);
    while at < close {
        let (next, bytes) = if raw { plain(literal, at) } else { one(literal, at)? };
        // A line continuation produces nothing, so it counts as part of what follows.
        if bytes > 0 {
            if produced >= byte {
                return Some(side.of(at, end));
            }
            produced += bytes;
            end = next;
        }
        at = next;
    }
    (produced >= byte).then_some(side.of(close, end))
}

/// A character without escape: where it ends, and how many bytes it produces.
fn plain(literal: &str, at: usize) -> (usize, usize) {
    let rest = &literal[at..];
    // Rust reads line breaks of Windows as `\n`.
    if rest.starts_with("\r\n") {
        return (at + 2, 1);
    }
    let len = rest.chars().next().map_or(1, char::len_utf8);
    (at + len, len)
}

/// A character or an escape.
fn one(literal: &str, at: usize) -> Option<(usize, usize)> {
    let rest = literal[at..].strip_prefix('\\');
    let Some(rest) = rest else { return Some(plain(literal, at)) };
    Some(match rest.chars().next()? {
        'x' => (at + 4, 1),
        'u' => {
            let digits = rest.strip_prefix("u{")?;
            let end = digits.find('}')?;
            let code = u32::from_str_radix(&digits[..end].replace('_', ""), 16).ok()?;
            (at + 3 + end + 1, char::from_u32(code)?.len_utf8())
        }
        '\n' | '\r' => (literal.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len(), 0),
        c => (at + 1 + c.len_utf8(), 1),
    })
}

#[cfg(test)]
mod tests {
    use super::written;

    #[test]
    fn places() {
        for (literal, text, expected) in [
            ("\"abc\"", 1..2, "b"),
            ("r\"a\\c\"", 1..2, "\\"),
            ("r##\"a\"b\"##", 1..3, "\"b"),
            ("\"a\\nb\"", 1..2, "\\n"),
            ("\"a\\nb\"", 2..3, "b"),
            ("\"a\\\"b\"", 2..3, "b"),
            ("\"\\u{e4}b\"", 2..3, "b"),
            ("\"\\u{e4}b\"", 0..2, "\\u{e4}"),
            ("\"ä\\x41b\"", 3..4, "b"),
            ("\"a \\\n   b\"", 2..3, "b"),
            ("\"a \\\n   b\"", 0..1, "a"),
            ("\"abc\"", 3..3, ""),
        ] {
            let found = written(literal, text.clone());
            assert_eq!(found.map(|r| &literal[r]), Some(expected), "{literal} {text:?}");
        }
        assert_eq!(written("\"abc\"", 4..5), None);
        assert_eq!(written("abc", 0..1), None);
    }
}
