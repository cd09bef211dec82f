//! Finds markup in the descriptions of CRDs: code between backticks, and links.

/// A piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    Words(&'a str),
    Code(&'a str),
    Link(&'a str),
    /// The name of a kind, and the file of its page.
    Kind(&'a str, &'a str),
}

/// A line that is shorter than this was not wrapped by an editor.
const WRAPPED: usize = 48;

/// Joins lines, except where the author wanted a line to end.
pub(super) fn reflowed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut is_wrapped, mut is_code) = (false, false);
    for line in text.trim().lines() {
        let is_fence = line.trim_start().starts_with("```");
        let is_plain = line.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '(' | '`' | '"' | '\''))
            && !is_fence;
        let is_numbered = line.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(['.', ')']);
        if !out.is_empty() {
            out.push(if is_wrapped && is_plain && !is_numbered && !is_code { ' ' } else { '\n' });
        }
        out.push_str(line.trim_end());
        is_code ^= is_fence;
        is_wrapped = line.chars().count() >= WRAPPED && !is_fence;
    }
    out
}

/// Splits a text into pieces, in order. Together they are the text, without the backticks around code.
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

/// Returns the code up to the next backtick on the same line.
fn code(rest: &str) -> Option<&str> {
    let end = rest.find(['`', '\n'])?;
    (end > 0 && rest.as_bytes()[end] == b'`').then(|| &rest[..end])
}

/// Returns an address, without punctuation after it.
fn link(rest: &str) -> Option<&str> {
    let name = rest.strip_prefix("https://").or(rest.strip_prefix("http://"))?;
    let stop = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '\'' | '`' | ')' | ']' | '}');
    let name = &name[..name.find(stop).unwrap_or(name.len())];
    let name = name.trim_end_matches(['.', ',', ';', ':', '!', '?', '*']);
    let start = rest.find("://").map_or(0, |at| at + "://".len());
    (!name.is_empty()).then(|| &rest[..start + name.len()])
}

#[cfg(test)]
mod tests {
    use super::reflowed;

    #[test]
    fn only_wrapped_lines_are_joined() {
        let long = "a line that is as long as the editor of its author allows";
        for (text, wanted) in [
            (format!("{long}\nand goes on"), format!("{long} and goes on")),
            (format!("{long}\n\nA paragraph"), format!("{long}\n\nA paragraph")),
            (format!("{long}\n- an entry\n  goes on"), format!("{long}\n- an entry\n  goes on")),
            (format!("{long}\n1. first"), format!("{long}\n1. first")),
            ("short\nlines".to_owned(), "short\nlines".to_owned()),
            (format!("```\n{long}\ncode\n```"), format!("```\n{long}\ncode\n```")),
        ] {
            assert_eq!(reflowed(&text), wanted);
        }
    }
}
