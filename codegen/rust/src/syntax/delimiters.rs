//! Finds the bracket in a Rust source that has no partner. If one is missing, the lexer only reports that it cannot
//! read the text.

use crate::span::Pos;

/// Returns why the lexer cannot split a source into tokens, and where. `None` if it can.
pub fn no_tokens(text: &str) -> Option<(Pos, String)> {
    let error = text.parse::<proc_macro2::TokenStream>().err()?;
    if let Some(found) = unbalanced(text) {
        return Some(found);
    }
    let span = error.span();
    let at = Pos { line: span.start().line as u32, column: span.start().column as u32 + 1, ..Pos::default() };
    Some((at, "this is not a Rust token. Is a string or comment not closed?".to_owned()))
}

/// Returns the error in the brackets of a source, and its place. `None` if each bracket has its partner.
pub fn unbalanced(text: &str) -> Option<(Pos, String)> {
    let mut open: Vec<(usize, char)> = Vec::new();
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = &text[at..];
        match c {
            '(' | '[' | '{' => open.push((at, c)),
            ')' | ']' | '}' => {
                let expected = match open.pop() {
                    Some((_, '(')) => Some(')'),
                    Some((_, '[')) => Some(']'),
                    Some(_) => Some('}'),
                    None => None,
                };
                if expected != Some(c) {
                    let hint = expected.map_or_else(String::new, |e| format!(": `{e}` was expected here"));
                    return Some((Pos::at(text.as_bytes(), at), format!("unexpected closing `{c}`{hint}")));
                }
            }
            _ => {}
        }
        at += skip(rest, c);
    }
    let (at, c) = open.pop()?;
    Some((Pos::at(text.as_bytes(), at), format!("this `{c}` is not closed")))
}

/// The length of the token or comment that begins here, if brackets in it do not count.
fn skip(rest: &str, c: char) -> usize {
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return block_comment(rest);
    }
    match c {
        '"' => 1 + string(&rest[1..]),
        '\'' => character(rest),
        c if c.is_alphabetic() || c == '_' => {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            let hashes = after.len() - after.trim_start_matches('#').len();
            match word {
                "r" | "br" | "cr" if after[hashes..].starts_with('"') => {
                    let close = format!("\"{}", "#".repeat(hashes));
                    let start = end + hashes + 1;
                    rest[start..].find(&close).map_or(rest.len(), |found| start + found + close.len())
                }
                "b" | "c" if after.starts_with('"') => end + 1 + string(&after[1..]),
                "b" if after.starts_with('\'') => end + character(after),
                _ => end,
            }
        }
        c => c.len_utf8(),
    }
}

/// The length of the rest of a string, including its closing quote.
fn string(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The length of a character literal. For a lifetime, only its quote counts, because its name is skipped as a word.
fn character(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    match chars.next() {
        Some((_, '\\')) => {
            chars.next();
            chars.find(|(_, c)| *c == '\'').map_or(1, |(at, _)| at + 1)
        }
        Some(_) => match chars.next() {
            Some((at, '\'')) => at + 1,
            _ => 1,
        },
        None => 1,
    }
}

/// The length of a block comment, which may contain others.
fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(here) = rest.get(at..).filter(|here| !here.is_empty()) {
        if here.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if here.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += here.chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::unbalanced;

    #[test]
    fn finds_the_bracket_without_a_partner() {
        for (text, expected) in [
            ("struct A { a: u8 }\n}\n", Some((2, 1, "unexpected closing `}`"))),
            ("fn f() { g(1 }", Some((1, 14, "unexpected closing `}`: `)` was expected here"))),
            ("mod a {\n    fn f() {}\n", Some((1, 7, "this `{` is not closed"))),
            ("const A: &str = \"}\"; // }\n/* } /* ) */ ] */", None),
            ("const A: char = '}'; const B: char = '\\''; fn f<'a>(a: &'a str) {}", None),
            ("const A: &str = r#\"}\"]\"#; const B: u8 = b'}'; const C: &[u8] = b\"}\\\"}\";", None),
            ("\"\\", None),
            ("'", None),
            ("/*", None),
            ("r#\"", None),
        ] {
            let found = unbalanced(text);
            let found = found.as_ref().map(|(at, text)| (at.line, at.column, text.as_str()));
            assert_eq!(found, expected, "{text}");
        }
    }
}
