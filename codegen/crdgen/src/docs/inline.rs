//! What stands in the texts of authors beside words: code between backticks, and links.

/// A piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    Words(&'a str),
    Code(&'a str),
    Link(&'a str),
}

/// The pieces of a text, in order; together they are the text, but for backticks around code.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut out = Vec::new();
    let (mut words, mut at) = (0, 0);
    while let Some(found) = text[at..].find(['`', 'h']) {
        let start = at + found;
        let piece = match text.as_bytes()[start] {
            b'`' => code(&text[start + 1..]).map(|code| (Piece::Code(code), code.len() + 2)),
            _ => link(&text[start..]).map(|link| (Piece::Link(link), link.len())),
        };
        let Some((piece, length)) = piece else {
            at = start + 1;
            continue;
        };
        if words < start {
            out.push(Piece::Words(&text[words..start]));
        }
        out.push(piece);
        at = start + length;
        words = at;
    }
    if words < text.len() {
        out.push(Piece::Words(&text[words..]));
    }
    out
}

/// Code up to the next backtick, on one line.
fn code(rest: &str) -> Option<&str> {
    let end = rest.find(['`', '\n'])?;
    (end > 0 && rest.as_bytes()[end] == b'`').then(|| &rest[..end])
}

/// An address, without the punctuation behind it.
fn link(rest: &str) -> Option<&str> {
    let name = rest.strip_prefix("https://").or(rest.strip_prefix("http://"))?;
    let stop = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '\'' | '`' | ')' | ']' | '}');
    let name = &name[..name.find(stop).unwrap_or(name.len())];
    let name = name.trim_end_matches(['.', ',', ';', ':', '!', '?', '*']);
    let start = rest.find("://").map_or(0, |at| at + "://".len());
    (!name.is_empty()).then(|| &rest[..start + name.len()])
}
