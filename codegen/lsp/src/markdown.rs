//! Text from inputs in Markdown, of which nothing becomes markup.

use crdgen_core::inert;
use gen_lsp_types as lsp;

/// What editors show as Markdown.
pub(crate) fn content(value: String) -> lsp::MarkupContent {
    lsp::MarkupContent { kind: lsp::MarkupKind::Markdown, value }
}

/// A text with a backslash before each character that could be markup. Links to the web stay links.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in inert::text(text).split_inclusive('\n') {
        // Four spaces would start a block of code.
        let line = line.trim_start_matches([' ', '\t']);
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        let mut before = ' ';
        for (i, c) in line.char_indices() {
            let after = line.get(i + 1..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
            let is_markup = match c {
                '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '&' | '|' | '~' => true,
                '_' => !(before.is_alphanumeric() && after.is_alphanumeric()),
                '#' | '-' | '+' | '=' => i == 0,
                '.' | ')' => i == digits && i > 0,
                _ => false,
            };
            if is_markup {
                out.push('\\');
            }
            out.push(c);
            before = c;
        }
    }
    out
}

/// A text as code.
pub(crate) fn code(text: &str) -> String {
    let text = inert::line(text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let space = if longest > 0 { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

#[cfg(test)]
mod tests {
    use super::{code, escaped};

    #[test]
    fn texts_are_no_markup() {
        for (text, expected) in [
            ("a_b _c_ *d*", "a_b \\_c\\_ \\*d\\*"),
            ("# a\n- b\n1. c 2. d\n    e", "\\# a\n\\- b\n1\\. c 2. d\ne"),
            ("![a](http://b) <img>", "!\\[a\\](http://b) \\<img\\>"),
            ("see https://a.b/c-d#e", "see https://a.b/c-d#e"),
        ] {
            assert_eq!(escaped(text), expected);
        }
        assert_eq!(code("a``b"), "``` a``b ```");
    }
}
