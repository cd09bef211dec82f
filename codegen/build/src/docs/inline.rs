//! Finds markup in the lines of descriptions: code between backticks, links and emphasis.

/// A piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    Words(&'a str),
    Code(&'a str),
    Link(&'a str),
    /// Words between two asterisks on each side.
    Strong(&'a str),
    /// Words between asterisks or underscores.
    Emphasis(&'a str),
    /// The name of a kind, and the file of its page.
    Kind(&'a str, &'a str),
}

/// Splits a text into pieces, in order. Together they are the text, without the marks around code and emphasis.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut out = Vec::new();
    let (mut words, mut at) = (0, 0);
    while let Some(found) = text[at..].find(['`', 'h', '*', '_']) {
        let start = at + found;
        let piece = match text.as_bytes()[start] {
            b'`' => code(&text[start + 1..]).map(|code| (Piece::Code(code), code.len() + 2)),
            b'*' | b'_' => emphasis(&text[..start], &text[start..]),
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

/// The maximum length of emphasis, so that marks without an end do not make the search slow.
const MOST_EMPHASIS: usize = 200;

/// Returns emphasized words, and their length with the marks. The marks must be around whole words, because asterisks
/// and underscores are often part of names and patterns.
fn emphasis<'a>(before: &str, rest: &'a str) -> Option<(Piece<'a>, usize)> {
    let mark = ["**", "*", "_"].into_iter().find(|mark| rest.starts_with(mark))?;
    let is_start = |c: char| c.is_whitespace() || matches!(c, '(' | '[' | '"' | '\'');
    if !before.chars().next_back().is_none_or(is_start) {
        return None;
    }
    let inside = &rest[mark.len()..];
    let most = inside.char_indices().nth(MOST_EMPHASIS).map_or(inside.len(), |(at, _)| at);
    let stop = |c: char| mark.starts_with(c) || matches!(c, '`' | '\n');
    let end = inside[..most].find(stop).filter(|at| inside[*at..].starts_with(mark))?;
    let marked = &inside[..end];
    let after = rest[mark.len() + marked.len() + mark.len()..].chars().next();
    let is_good = marked.starts_with(char::is_alphanumeric)
        && !marked.ends_with(char::is_whitespace)
        && !marked.contains("://")
        && after.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '*' | '_'));
    let piece = if mark == "**" { Piece::Strong(marked) } else { Piece::Emphasis(marked) };
    is_good.then_some((piece, marked.len() + 2 * mark.len()))
}

#[cfg(test)]
mod tests {
    use super::{Piece, pieces};

    #[test]
    fn emphasis_is_around_whole_words() {
        for (text, wanted) in [
            ("**Note**: more", vec![Piece::Strong("Note"), Piece::Words(": more")]),
            (
                "a *b_c* (_d_)",
                vec![
                    Piece::Words("a "),
                    Piece::Emphasis("b_c"),
                    Piece::Words(" ("),
                    Piece::Emphasis("d"),
                    Piece::Words(")"),
                ],
            ),
            ("*.example.com and *.example.org", vec![Piece::Words("*.example.com and *.example.org")]),
            ("snake_case_name, 2*3*4, a * b * c", vec![Piece::Words("snake_case_name, 2*3*4, a * b * c")]),
            (
                "*a **b* _`c`_ __d__",
                vec![Piece::Words("*a **b* _"), Piece::Code("c"), Piece::Words("_ __d__")],
            ),
        ] {
            assert_eq!(pieces(text), wanted, "{text}");
        }
        let many = "*a ".repeat(100_000);
        assert_eq!(pieces(&many), [Piece::Words(&many)]);
    }
}
