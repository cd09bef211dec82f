//! Email addresses that Go's `mail.ParseAddress` accepts: one mailbox of RFC 5322, with or without a name, or a group
//! with one mailbox.

use super::base64;
use super::net;

/// Whether a text is exactly one address.
pub(super) fn is_email(s: &str) -> bool {
    let mut parser = Parser(s);
    parser.address(Groups::Allowed) == Some(1) && parser.skip_comments() && parser.0.is_empty()
}

/// Whether a group of addresses may be in the place of an address.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Groups {
    Allowed,
    Rejected,
}

/// Where an atom may have dots.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dots {
    /// Each dot must be between other characters.
    Between,
    Anywhere,
}

struct Parser<'t>(&'t str);

impl<'t> Parser<'t> {
    /// Parses an address or a group. Returns the number of addresses.
    fn address(&mut self, groups: Groups) -> Option<usize> {
        self.skip_space();
        if self.0.is_empty() {
            return None;
        }
        if self.addr_spec() {
            self.skip_space();
            if self.0.starts_with('(') && !self.name_comment() {
                return None;
            }
            return Some(1);
        }
        if !self.0.starts_with('<') {
            self.phrase()?;
        }
        self.skip_space();
        if groups == Groups::Allowed && self.consume(':') {
            return self.group();
        }
        (self.consume('<') && self.addr_spec() && self.consume('>')).then_some(1)
    }

    fn group(&mut self) -> Option<usize> {
        self.skip_space();
        if self.consume(';') {
            return self.skip_comments().then_some(0);
        }
        let mut count = 0;
        loop {
            self.skip_space();
            count += self.address(Groups::Rejected)?;
            if !self.skip_comments() {
                return None;
            }
            if self.consume(';') {
                return self.skip_comments().then_some(count);
            }
            if !self.consume(',') {
                return None;
            }
        }
    }

    /// Parses `local@domain`. If there is none, goes back to the start.
    fn addr_spec(&mut self) -> bool {
        let start = self.0;
        let found = self.local_part() && self.consume('@') && self.domain();
        if !found {
            self.0 = start;
        }
        found
    }

    fn local_part(&mut self) -> bool {
        self.skip_space();
        if self.0.starts_with('"') {
            self.quoted().is_some_and(|text| !text.is_empty())
        } else {
            self.atom(Dots::Between).is_some()
        }
    }

    fn domain(&mut self) -> bool {
        self.skip_space();
        let Some(literal) = self.0.strip_prefix('[') else { return self.atom(Dots::Between).is_some() };
        let Some(end) = literal.find(']') else { return false };
        let good = literal[..end].chars().all(|c| is_visible(c) && !matches!(c, '[' | '\\'));
        self.0 = &literal[end + 1..];
        good && net::is_ip(&literal[..end])
    }

    /// Parses one or more words.
    fn phrase(&mut self) -> Option<()> {
        let mut any = false;
        loop {
            if any && !self.skip_comments() {
                return None;
            }
            self.skip_space();
            if self.0.is_empty() {
                // An empty phrase is not an error here, because the code after it fails.
                return Some(());
            }
            let word = if self.0.starts_with('"') {
                self.quoted().map(drop)
            } else {
                self.atom(Dots::Anywhere).filter(|word| encoded_word(word) != Encoded::Unreadable).map(drop)
            };
            match word {
                Some(()) => any = true,
                None => return any.then_some(()),
            }
        }
    }

    /// Parses a quoted string, and returns its content.
    fn quoted(&mut self) -> Option<&'t str> {
        let text = &self.0[1..];
        let mut escaped = false;
        for (i, c) in text.char_indices() {
            match c {
                c if escaped => {
                    if !is_visible(c) && !matches!(c, ' ' | '\t') {
                        return None;
                    }
                    escaped = false;
                }
                '"' => {
                    self.0 = &text[i + 1..];
                    return Some(&text[..i]);
                }
                '\\' => escaped = true,
                c if is_visible(c) || matches!(c, ' ' | '\t') => {}
                _ => return None,
            }
        }
        None
    }

    /// Parses an atom with dots. An atom with wrong dots is rejected, but its text has been read.
    fn atom(&mut self, dots: Dots) -> Option<&'t str> {
        let end = self.0.find(|c: char| !is_atom_char(c)).unwrap_or(self.0.len());
        if end == 0 {
            return None;
        }
        let (atom, rest) = self.0.split_at(end);
        self.0 = rest;
        (dots == Dots::Anywhere || !(atom.starts_with('.') || atom.contains("..") || atom.ends_with('.')))
            .then_some(atom)
    }

    /// Parses a comment that is the name of the address before it.
    fn name_comment(&mut self) -> bool {
        self.0 = &self.0[1..];
        let Some(comment) = self.comment() else { return false };
        comment.split([' ', '\t']).all(|word| encoded_word(word) != Encoded::Unreadable)
    }

    /// Parses the rest of a comment after its parenthesis. Returns its text without escapes.
    fn comment(&mut self) -> Option<String> {
        let mut depth = 1;
        let mut text = String::new();
        let mut chars = self.0.chars();
        while let Some(c) = chars.next() {
            let mut c = c;
            match c {
                '\\' => c = chars.next().unwrap_or(c),
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.0 = chars.as_str();
                return Some(text);
            }
            text.push(c);
        }
        None
    }

    fn skip_comments(&mut self) -> bool {
        self.skip_space();
        while self.consume('(') {
            if self.comment().is_none() {
                return false;
            }
            self.skip_space();
        }
        true
    }

    fn skip_space(&mut self) {
        self.0 = self.0.trim_start_matches([' ', '\t']);
    }

    fn consume(&mut self, c: char) -> bool {
        match self.0.strip_prefix(c) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }
}

fn is_visible(c: char) -> bool {
    ('!'..='~').contains(&c) || !c.is_ascii()
}

fn is_atom_char(c: char) -> bool {
    is_visible(c) && !"()<>[]:;@\\,\"".contains(c)
}

#[derive(PartialEq, Eq)]
enum Encoded {
    /// An ordinary word, or an encoded word that can be decoded.
    Fine,
    /// An encoded word in an unknown charset.
    Unreadable,
}

/// Checks words such as `=?utf-8?q?text?=`. Only an unknown charset is an error, and only if the rest is valid.
fn encoded_word(word: &str) -> Encoded {
    let parts: Option<Vec<&str>> =
        word.strip_prefix("=?").and_then(|w| w.strip_suffix("?=")).map(|w| w.split('?').collect());
    match parts.as_deref() {
        Some([charset, encoding, text]) if word.len() >= 8 && !charset.is_empty() => {
            let decodes = match *encoding {
                "B" | "b" => is_base64(text),
                "Q" | "q" => is_quoted_printable(text),
                _ => false,
            };
            let known = ["utf-8", "iso-8859-1", "us-ascii"].iter().any(|c| c.eq_ignore_ascii_case(charset));
            if decodes && !known { Encoded::Unreadable } else { Encoded::Fine }
        }
        _ => Encoded::Fine,
    }
}

/// Padded base64. Line breaks are ignored.
fn is_base64(text: &str) -> bool {
    let text: String = text.chars().filter(|c| !matches!(c, '\r' | '\n')).collect();
    text.is_empty() || base64::is_base64(&text)
}

fn is_quoted_printable(text: &str) -> bool {
    let mut rest = text.as_bytes();
    while let [b, after @ ..] = rest {
        rest = after;
        match b {
            b'=' => match after {
                [h, l, after @ ..] if h.is_ascii_hexdigit() && l.is_ascii_hexdigit() => rest = after,
                _ => return false,
            },
            b' '..=b'~' | b'\n' | b'\r' | b'\t' => {}
            _ => return false,
        }
    }
    true
}
