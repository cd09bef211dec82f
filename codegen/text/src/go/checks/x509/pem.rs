//! PEM, as Go's `encoding/pem` reads it.

use crate::go::base64_decode;

pub(super) struct Block<'a> {
    pub(super) kind: &'a [u8],
    pub(super) has_headers: bool,
    pub(super) bytes: Vec<u8>,
}

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"\n-----END ";
const DASHES: &[u8] = b"-----";

/// The next well-formed block, and the text after it.
pub(super) fn decode(data: &[u8]) -> Option<(Block<'_>, &[u8])> {
    let mut rest = data;
    loop {
        // The first end line, and the last begin line before it. A begin line without an end line is skipped.
        let end = find(rest, END)?;
        let after_end = &rest[end + END.len()..];
        let begin = rest[..end].windows(BEGIN.len()).rposition(|window| window == BEGIN);
        let block = begin
            .filter(|begin| *begin == 0 || rest[begin - 1] == b'\n')
            .map(|begin| block(&rest[begin + BEGIN.len()..], end - begin - BEGIN.len()));
        match block {
            Some(PemPart::Block(block, after)) => return Some((block, after)),
            Some(PemPart::End) => return None,
            Some(PemPart::Nothing) | None => rest = after_end,
        }
    }
}

enum PemPart<'a> {
    Block(Block<'a>, &'a [u8]),
    /// There is no block here or in the rest.
    End,
    /// There is no block here.
    Nothing,
}

/// The block after a begin line. `end` is the place of its end line.
fn block(text: &[u8], end: usize) -> PemPart<'_> {
    let (line, mut body) = line(text);
    let Some(kind) = line.strip_suffix(DASHES) else { return PemPart::Nothing };
    let mut has_headers = false;
    loop {
        if body.is_empty() {
            return PemPart::End;
        }
        let (line, next) = self::line(body);
        if !line.contains(&b':') {
            break;
        }
        (has_headers, body) = (true, next);
    }
    let begin = text.len() - body.len();
    // The line break before the end line may be the one after the begin line.
    if has_headers && end < begin {
        return PemPart::Nothing;
    }
    let trailer = &text[end + END.len()..];
    let Some(behind) = trailer.strip_prefix(kind).and_then(|rest| rest.strip_prefix(DASHES)) else {
        return PemPart::Nothing;
    };
    if !self::line(behind).0.is_empty() {
        return PemPart::Nothing;
    }
    let content = text.get(begin..end).unwrap_or_default();
    let packed: Vec<u8> = content.iter().filter(|b| !matches!(b, b' ' | b'\t')).copied().collect();
    match std::str::from_utf8(&packed).ok().and_then(base64_decode) {
        Some(bytes) => PemPart::Block(Block { kind, has_headers, bytes }, self::line(behind).1),
        None => PemPart::Nothing,
    }
}

/// The first line without white space at its end, and the text after it.
fn line(text: &[u8]) -> (&[u8], &[u8]) {
    let (line, rest) = match text.iter().position(|b| *b == b'\n') {
        Some(at) => (text[..at].strip_suffix(b"\r").unwrap_or(&text[..at]), &text[at + 1..]),
        None => (text, &[][..]),
    };
    let length = line.iter().rposition(|b| !matches!(b, b' ' | b'\t')).map_or(0, |at| at + 1);
    (&line[..length], rest)
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|window| window == what)
}
