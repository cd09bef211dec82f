//! Prints code of which there is no text, such as that of macros, as people write it.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// The text of code, in one line.
pub fn text(tokens: TokenStream) -> String {
    let mut out = String::new();
    write(tokens, &mut out);
    out
}

fn write(tokens: TokenStream, out: &mut String) {
    let mut before: Option<TokenTree> = None;
    for token in tokens {
        if before.as_ref().is_some_and(|before| is_apart(before, &token, out)) {
            out.push(' ');
        }
        match &token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{ ", " }"),
                    Delimiter::None => ("", ""),
                };
                out.push_str(open);
                write(group.stream(), out);
                out.push_str(close);
            }
            other => out.push_str(&other.to_string()),
        }
        before = Some(token);
    }
}

/// Whether there is a space between two tokens.
fn is_apart(before: &TokenTree, next: &TokenTree, out: &str) -> bool {
    match (before, next) {
        (TokenTree::Punct(it), _) if it.spacing() == Spacing::Joint => false,
        (_, TokenTree::Punct(it)) if matches!(it.as_char(), ',' | ';' | '.' | '?') => false,
        (_, TokenTree::Punct(it)) if it.as_char() == ':' => false,
        (TokenTree::Ident(_), TokenTree::Punct(it)) if it.as_char() == '!' => false,
        (TokenTree::Punct(it), _) if matches!(it.as_char(), '.' | '&' | '!' | '#' | '$' | '\'') => false,
        (TokenTree::Punct(it), _) if it.as_char() == ':' => !out.ends_with("::"),
        (TokenTree::Punct(it), _) if it.as_char() == '=' && out.ends_with("..=") => false,
        (TokenTree::Literal(_), TokenTree::Punct(it)) if it.as_char() == '.' => false,
        (TokenTree::Ident(_) | TokenTree::Group(_), TokenTree::Group(it)) => {
            it.delimiter() == Delimiter::Brace
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn code_is_printed_as_people_write_it() {
        for code in [
            "crate::schemars::json_schema!({ \"type\": \"string\", \"maxLength\": $name::MAX })",
            "days.checked_mul(Unit::Days.millis())",
            "let x = vec![1, 2]; x.len() + &y?",
            "(1..=4).product() + a[..=n].len()",
            "if a == b { Some(a) } else { None }",
        ] {
            assert_eq!(text(code.parse().unwrap_or_default()), code);
        }
    }
}
