//! Splits a text into tokens. The longest token wins. If no token starts at a place, the text up to the offending
//! character is reported and skipped.

use super::MAX_ISSUES;
use super::issue::{Issue, IssueKind};

/// The kinds of tokens, in the order in which messages list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub(crate) enum Kind {
    /// The end of the text.
    Eof,
    /// `==`
    Equals,
    /// `!=`
    NotEquals,
    /// `in`
    In,
    /// `<`
    Less,
    /// `<=`
    LessEquals,
    /// `>=`
    GreaterEquals,
    /// `>`
    Greater,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `[`
    LBracket,
    /// `]`
    RBracket,
    /// `{`
    LBrace,
    /// `}`
    RBrace,
    /// `(`
    LParen,
    /// `)`
    RParen,
    /// `.`
    Dot,
    /// `,`
    Comma,
    /// `-`
    Minus,
    /// `!`
    Exclam,
    /// `?`
    Question,
    /// `:`
    Colon,
    /// `+`
    Plus,
    /// `*`
    Star,
    /// `/`
    Slash,
    /// `%`
    Percent,
    /// `true`
    True,
    /// `false`
    False,
    /// `null`
    Null,
    /// `1.5`
    Float,
    /// `1`
    Int,
    /// `1u`
    Uint,
    /// `'a'`
    String,
    /// `b'a'`
    Bytes,
    /// `a`
    Ident,
    /// A name in backquotes.
    EscIdent,
}

impl Kind {
    /// The name in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Eof => "<EOF>",
            Kind::Equals => "'=='",
            Kind::NotEquals => "'!='",
            Kind::In => "'in'",
            Kind::Less => "'<'",
            Kind::LessEquals => "'<='",
            Kind::GreaterEquals => "'>='",
            Kind::Greater => "'>'",
            Kind::And => "'&&'",
            Kind::Or => "'||'",
            Kind::LBracket => "'['",
            Kind::RBracket => "']'",
            Kind::LBrace => "'{'",
            Kind::RBrace => "'}'",
            Kind::LParen => "'('",
            Kind::RParen => "')'",
            Kind::Dot => "'.'",
            Kind::Comma => "','",
            Kind::Minus => "'-'",
            Kind::Exclam => "'!'",
            Kind::Question => "'?'",
            Kind::Colon => "':'",
            Kind::Plus => "'+'",
            Kind::Star => "'*'",
            Kind::Slash => "'/'",
            Kind::Percent => "'%'",
            Kind::True => "'true'",
            Kind::False => "'false'",
            Kind::Null => "'null'",
            Kind::Float => "NUM_FLOAT",
            Kind::Int => "NUM_INT",
            Kind::Uint => "NUM_UINT",
            Kind::String => "STRING",
            Kind::Bytes => "BYTES",
            Kind::Ident => "IDENTIFIER",
            Kind::EscIdent => "ESC_IDENTIFIER",
        }
    }
}

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where it starts, in bytes.
    pub start: u32,
    /// Where it ends, in bytes.
    pub end: u32,
    /// Where it starts, in code points.
    pub at: u32,
}

/// The result of splitting a text.
#[derive(Debug, Default)]
pub(crate) struct Lexed {
    /// The tokens. The last one is the end.
    pub tokens: Vec<Token>,
    /// The byte range of each issue's text.
    pub skipped: Vec<std::ops::Range<usize>>,
    /// An issue for each text that is not a token, up to a limit.
    pub issues: Vec<Issue>,
}

/// Splits a text into tokens.
pub(crate) fn lex(text: &str) -> Lexed {
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        ascii: text.is_ascii(),
        counted: (0, 0),
        out: Lexed { tokens: Vec::with_capacity(text.len() / 3 + 2), ..Lexed::default() },
    };
    let mut pos = 0;
    while pos < text.len() {
        pos = lexer.next(pos);
    }
    let at = lexer.code_point(text.len());
    lexer.out.tokens.push(Token { kind: Kind::Eof, start: text.len() as u32, end: text.len() as u32, at });
    lexer.out
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    ascii: bool,
    /// A byte offset, and the number of code points before it.
    counted: (usize, u32),
    out: Lexed,
}

/// What was found at a place.
enum Found {
    Token(Kind, usize),
    Hidden(usize),
    /// No token starts with this character.
    Nothing(usize),
}

impl Lexer<'_> {
    fn code_point(&mut self, byte: usize) -> u32 {
        if self.ascii {
            return byte as u32;
        }
        let (from, count) = self.counted;
        let more = self.text[from..byte].chars().count() as u32;
        self.counted = (byte, count + more);
        count + more
    }

    /// Reads one token and returns the place after it.
    fn next(&mut self, start: usize) -> usize {
        match self.find(start) {
            Found::Token(kind, end) => {
                let at = self.code_point(start);
                self.out.tokens.push(Token { kind, start: start as u32, end: end as u32, at });
                end
            }
            Found::Hidden(end) => end,
            Found::Nothing(bad) => {
                let end = bad + self.text[bad..].chars().next().map_or(0, char::len_utf8);
                // One issue more than can be reported is enough: reading ends then. Otherwise, a text without any token
                // would be split again for each issue.
                if self.out.issues.len() > MAX_ISSUES {
                    return end;
                }
                let at = self.code_point(start);
                let skipped = &self.text[start..end];
                let message = format!("Syntax error: token recognition error at: '{skipped}'");
                let kind = IssueKind::Characters(skipped.to_owned());
                self.out.issues.push(Issue::new(at, kind, message));
                self.out.skipped.push(start..end);
                end
            }
        }
    }

    fn byte(&self, pos: usize) -> Option<u8> {
        self.bytes.get(pos).copied()
    }

    /// The first place from `pos` on with another byte than the wanted ones.
    fn skip(&self, pos: usize, wanted: impl Fn(u8) -> bool) -> usize {
        self.bytes[pos..].iter().position(|b| !wanted(*b)).map_or(self.bytes.len(), |n| pos + n)
    }

    fn find(&self, start: usize) -> Found {
        let byte = self.bytes[start];
        let second = self.byte(start + 1);
        let one = |kind| Found::Token(kind, start + 1);
        let two = |kind| Found::Token(kind, start + 2);
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' | b'\x0c' => {
                Found::Hidden(self.skip(start, |b| matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b'\x0c')))
            }
            b'/' if second == Some(b'/') => Found::Hidden(self.skip(start, |b| b != b'\n')),
            b'=' | b'&' | b'|' => match (byte, second) {
                (b'=', Some(b'=')) => two(Kind::Equals),
                (b'&', Some(b'&')) => two(Kind::And),
                (b'|', Some(b'|')) => two(Kind::Or),
                _ => Found::Nothing(start + 1),
            },
            b'!' if second == Some(b'=') => two(Kind::NotEquals),
            b'<' if second == Some(b'=') => two(Kind::LessEquals),
            b'>' if second == Some(b'=') => two(Kind::GreaterEquals),
            b'!' => one(Kind::Exclam),
            b'<' => one(Kind::Less),
            b'>' => one(Kind::Greater),
            b'[' => one(Kind::LBracket),
            b']' => one(Kind::RBracket),
            b'{' => one(Kind::LBrace),
            b'}' => one(Kind::RBrace),
            b'(' => one(Kind::LParen),
            b')' => one(Kind::RParen),
            b',' => one(Kind::Comma),
            b'-' => one(Kind::Minus),
            b'?' => one(Kind::Question),
            b':' => one(Kind::Colon),
            b'+' => one(Kind::Plus),
            b'*' => one(Kind::Star),
            b'/' => one(Kind::Slash),
            b'%' => one(Kind::Percent),
            b'.' if second.is_some_and(|b| b.is_ascii_digit()) => {
                Found::Token(Kind::Float, self.exponent(self.digits(start + 1)))
            }
            b'.' => one(Kind::Dot),
            b'0'..=b'9' => self.number(start),
            b'"' | b'\'' => self.string(start, start, Kind::String),
            b'`' => {
                let end = self.skip(start + 1, |b| {
                    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-' | b'/' | b' ')
                });
                match self.byte(end) {
                    Some(b'`') if end > start + 1 => Found::Token(Kind::EscIdent, end + 1),
                    _ => Found::Nothing(end),
                }
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(start),
            _ => Found::Nothing(start),
        }
    }

    fn digits(&self, pos: usize) -> usize {
        self.skip(pos, |b| b.is_ascii_digit())
    }

    /// The place after an exponent, if there is one.
    fn exponent(&self, pos: usize) -> usize {
        if !matches!(self.byte(pos), Some(b'e' | b'E')) {
            return pos;
        }
        let sign = usize::from(matches!(self.byte(pos + 1), Some(b'+' | b'-')));
        let end = self.digits(pos + 1 + sign);
        if end > pos + 1 + sign { end } else { pos }
    }

    fn number(&self, start: usize) -> Found {
        if self.bytes[start] == b'0' && self.byte(start + 1) == Some(b'x') {
            let end = self.skip(start + 2, |b| b.is_ascii_hexdigit());
            if end > start + 2 {
                return self.integer(end);
            }
        }
        let whole = self.digits(start);
        let fraction = if self.byte(whole) == Some(b'.') { self.digits(whole + 1) } else { whole };
        let mantissa = if fraction > whole + 1 { fraction } else { whole };
        let end = self.exponent(mantissa);
        if end > whole { Found::Token(Kind::Float, end) } else { self.integer(whole) }
    }

    fn integer(&self, end: usize) -> Found {
        if matches!(self.byte(end), Some(b'u' | b'U')) {
            Found::Token(Kind::Uint, end + 1)
        } else {
            Found::Token(Kind::Int, end)
        }
    }

    /// Reads a name, a keyword, or a string with a prefix.
    fn word(&self, start: usize) -> Found {
        let end = self.skip(start, |b| b.is_ascii_alphanumeric() || b == b'_');
        if matches!(self.byte(end), Some(b'"' | b'\'')) && end - start <= 2 {
            let kind = match &self.bytes[start..end] {
                [b'r' | b'R'] => Some(Kind::String),
                [b'b' | b'B'] | [b'b' | b'B', b'r' | b'R'] => Some(Kind::Bytes),
                _ => None,
            };
            if let Some(kind) = kind {
                let raw = end - usize::from(self.bytes[end - 1] | 0x20 == b'r');
                if let Found::Token(kind, end) = self.string(raw, end, kind) {
                    return Found::Token(kind, end);
                }
            }
        }
        let kind = match &self.bytes[start..end] {
            b"in" => Kind::In,
            b"true" => Kind::True,
            b"false" => Kind::False,
            b"null" => Kind::Null,
            _ => Kind::Ident,
        };
        Found::Token(kind, end)
    }

    /// Reads a string whose quotes begin at `quote`. If `start` is before that, the string is raw.
    fn string(&self, start: usize, quote: usize, kind: Kind) -> Found {
        let raw = start < quote;
        let mark = self.bytes[quote];
        let triple = [mark; 3];
        if self.bytes[quote..].starts_with(&triple) {
            let mut pos = quote + 3;
            while pos < self.bytes.len() {
                if self.bytes[pos..].starts_with(&triple) {
                    return Found::Token(kind, pos + 3);
                }
                match self.bytes[pos] {
                    b'\\' if !raw => match self.escape(pos) {
                        Ok(end) => pos = end,
                        Err(_) => break,
                    },
                    _ => pos += 1,
                }
            }
            // The string is not closed, so the quotes count as an empty string, and a third quote begins another
            // string.
            return Found::Token(kind, quote + 2);
        }
        let mut pos = quote + 1;
        while pos < self.bytes.len() {
            match self.bytes[pos] {
                b if b == mark => return Found::Token(kind, pos + 1),
                b'\n' | b'\r' => break,
                b'\\' if !raw => match self.escape(pos) {
                    Ok(end) => pos = end,
                    Err(bad) => return Found::Nothing(bad),
                },
                _ => pos += 1,
            }
        }
        Found::Nothing(pos)
    }

    /// The place after an escape sequence, or the character that makes it invalid.
    fn escape(&self, pos: usize) -> Result<usize, usize> {
        let (first, more): (usize, usize) = match self.byte(pos + 1) {
            Some(b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'"' | b'\'' | b'\\' | b'?' | b'`') => {
                return Ok(pos + 2);
            }
            Some(b'x' | b'X') => (pos + 2, 2),
            Some(b'u') => (pos + 2, 4),
            Some(b'U') => (pos + 2, 8),
            Some(b'0'..=b'3') => {
                let octal = |b: u8| (b'0'..=b'7').contains(&b);
                let end = self.skip(pos + 2, octal).min(pos + 4);
                return if end == pos + 4 { Ok(end) } else { Err(end) };
            }
            _ => return Err(pos + 1),
        };
        let end = self.skip(first, |b| b.is_ascii_hexdigit()).min(first + more);
        if end == first + more { Ok(end) } else { Err(end) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, tokens: &str, errors: &[&str]) {
        let Lexed { tokens: found, issues, .. } = lex(text);
        let kinds: Vec<String> = found
            .iter()
            .map(|t| {
                format!(
                    "{}{}",
                    t.kind.name().trim_matches('\''),
                    if t.kind >= Kind::Float {
                        format!(":{}", &text[t.start as usize..t.end as usize])
                    } else {
                        String::new()
                    }
                )
            })
            .collect();
        assert_eq!(kinds.join(" "), tokens);
        let errors: Vec<String> =
            errors.iter().map(|e| format!("Syntax error: token recognition error at: '{e}'")).collect();
        assert_eq!(issues.into_iter().map(|i| i.message).collect::<Vec<_>>(), errors);
    }

    /// The places of issues are found by splitting the text again, so a text without any token would take quadratic
    /// time.
    #[test]
    fn stops_one_issue_after_the_last_that_is_reported() {
        let lexed = lex(&"@".repeat(100_000));
        assert_eq!(lexed.issues.len(), MAX_ISSUES + 1);
        assert_eq!(lexed.tokens.len(), 1, "the end");
    }

    #[test]
    fn the_longest_token_wins() {
        check(
            "1.5.2 1e5 1e 0x1fu 0xg",
            "NUM_FLOAT:1.5 NUM_FLOAT:.2 NUM_FLOAT:1e5 NUM_INT:1 IDENTIFIER:e NUM_UINT:0x1fu NUM_INT:0 IDENTIFIER:xg <EOF>",
            &[],
        );
        check(
            "r'\\q' b\"x\" br'y' rb'z'",
            "STRING:r'\\q' BYTES:b\"x\" BYTES:br'y' IDENTIFIER:rb STRING:'z' <EOF>",
            &[],
        );
        check("'''a'b''' \"\"\"open", "STRING:'''a'b''' STRING:\"\" <EOF>", &["\"open"]);
        check("a &b | c", "IDENTIFIER:a IDENTIFIER:c <EOF>", &["&b", "| "]);
    }
}
