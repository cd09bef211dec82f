//! Why a text is not a selector of labels, in the words of the server's parser.

use std::fmt;

/// Returns the server's message. `None` if the form of the text is right.
pub(super) fn mistake(text: &str) -> Option<String> {
    let mut parser = Parser { tokens: tokens(text), next: 0 };
    loop {
        match parser.peek() {
            "" => return None,
            token if token == "!" || is_identifier(token) => {
                if let Err(why) = parser.requirement() {
                    return Some(format!("unable to parse requirement: {why}"));
                }
            }
            token => return Some(format!("found '{token}', expected: !, identifier, or 'end of string'")),
        }
        match parser.take() {
            "" => return None,
            "," => {
                let token = parser.peek();
                if token != "!" && !is_identifier(token) {
                    return Some(format!("found '{token}', expected: identifier after ','"));
                }
            }
            token => return Some(format!("found '{token}', expected: ',' or 'end of string'")),
        }
    }
}

const OPERATORS: &str = "in, notin, =, ==, !=, gt, lt";

fn is_special(c: char) -> bool {
    matches!(c, '=' | '!' | '(' | ')' | ',' | '>' | '<')
}

fn is_identifier(token: &str) -> bool {
    token.chars().next().is_some_and(|first| !is_special(first))
}

/// The words and signs of a text.
fn tokens(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '=' | '!' if rest[1..].starts_with('=') => 2,
            first if is_special(first) => 1,
            _ => rest.find(|c: char| c.is_ascii_whitespace() || is_special(c)).unwrap_or(rest.len()),
        };
        let (token, after) = rest.split_at(end);
        out.push(token);
        rest = after.trim_start();
    }
    out
}

/// A token where another one should be.
#[derive(Clone, Copy, Debug)]
struct Unexpected<'t> {
    found: &'t str,
    wanted: Wanted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Identifier,
    Operator,
    Open,
    Value,
    CommaOrClose,
    CommaOrIdentifier,
}

impl fmt::Display for Unexpected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unexpected { found, wanted } = self;
        match wanted {
            Wanted::Identifier => write!(f, "found '{found}', expected: identifier"),
            Wanted::Operator => write!(f, "found '{found}', expected: {OPERATORS}"),
            Wanted::Open => write!(f, "found '{found}' expected: '('"),
            Wanted::Value => write!(f, "found '{found}', expected: ',', ')' or identifier"),
            Wanted::CommaOrClose => write!(f, "found '{found}', expected: ',' or ')'"),
            Wanted::CommaOrIdentifier => write!(f, "found '{found}', expected: ',', or identifier"),
        }
    }
}

struct Parser<'t> {
    tokens: Vec<&'t str>,
    next: usize,
}

impl<'t> Parser<'t> {
    /// The next token, which is empty at the end.
    fn peek(&self) -> &'t str {
        self.tokens.get(self.next).copied().unwrap_or_default()
    }

    fn take(&mut self) -> &'t str {
        let token = self.peek();
        self.next += 1;
        token
    }

    fn requirement(&mut self) -> Result<(), Unexpected<'t>> {
        let is_missing = self.peek() == "!";
        if is_missing {
            self.take();
        }
        let name = self.take();
        if !is_identifier(name) {
            return Err(Unexpected { found: name, wanted: Wanted::Identifier });
        }
        if is_missing || matches!(self.peek(), "" | ",") {
            return Ok(());
        }
        match self.take() {
            "in" | "notin" => self.values(),
            "=" | "==" | "!=" | ">" | "<" => match self.peek() {
                "" | "," => Ok(()),
                _ => match self.take() {
                    token if is_identifier(token) => Ok(()),
                    token => Err(Unexpected { found: token, wanted: Wanted::Identifier }),
                },
            },
            token => Err(Unexpected { found: token, wanted: Wanted::Operator }),
        }
    }

    fn values(&mut self) -> Result<(), Unexpected<'t>> {
        let open = self.take();
        if open != "(" {
            return Err(Unexpected { found: open, wanted: Wanted::Open });
        }
        match self.peek() {
            ")" => {
                self.take();
                Ok(())
            }
            token if token == "," || is_identifier(token) => self.list(),
            _ => Err(Unexpected { found: open, wanted: Wanted::Value }),
        }
    }

    fn list(&mut self) -> Result<(), Unexpected<'t>> {
        loop {
            match self.take() {
                "," if self.peek() == ")" => break,
                "," => {}
                token if is_identifier(token) => match self.peek() {
                    "," => {}
                    ")" => break,
                    other => return Err(Unexpected { found: other, wanted: Wanted::CommaOrClose }),
                },
                token => return Err(Unexpected { found: token, wanted: Wanted::CommaOrIdentifier }),
            }
        }
        self.take();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_the_server_expected() {
        for (text, expected) in [
            ("", None),
            ("a", None),
            ("a=b, c != d ,!e, f in (g,h),i notin (j), k>1", None),
            ("a in ()", None),
            ("a in (,b,)", None),
            ("app notin", Some("unable to parse requirement: found '' expected: '('")),
            ("app in (a", Some("unable to parse requirement: found '', expected: ',' or ')'")),
            ("a b", Some("unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt")),
            ("a=b c", Some("found 'c', expected: ',' or 'end of string'")),
            ("a,", Some("found '', expected: identifier after ','")),
            ("=a", Some("found '=', expected: !, identifier, or 'end of string'")),
            ("a=!", Some("unable to parse requirement: found '!', expected: identifier")),
            ("!", Some("unable to parse requirement: found '', expected: identifier")),
        ] {
            assert_eq!(mistake(text).as_deref(), expected, "{text}");
        }
    }
}
