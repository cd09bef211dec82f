//! Escapes and classes in brackets.

use super::Parser;
use crate::go::regexp::class;
use crate::go::regexp::error::{Error, ErrorKind};
use regex_syntax::hir::{ClassUnicode, Look};

impl Parser<'_> {
    /// Parses `\…` outside of a class.
    pub(super) fn backslash(&mut self) -> Result<(), Error> {
        let text = self.rest;
        let look = match text.as_bytes().get(1) {
            Some(b'A') => Some(Look::Start),
            Some(b'z') => Some(Look::End),
            Some(b'b') => Some(Look::WordAscii),
            Some(b'B') => Some(Look::WordAsciiNegate),
            Some(b'C') => return Err(self.error(ErrorKind::InvalidEscape, &text[..2])),
            Some(b'Q') => {
                let (quoted, rest) = text[2..].split_once("\\E").unwrap_or((&text[2..], ""));
                self.rest = rest;
                for c in quoted.chars() {
                    self.literal(c)?;
                }
                return Ok(());
            }
            _ => None,
        };
        if let Some(look) = look {
            self.skip(2);
            return self.look(look);
        }
        if let Some(class) = self.class_escape()? {
            return self.push_class(class);
        }
        match char::from_u32(self.escape()?) {
            Some(c) => self.literal(c),
            None => self.push_class(ClassUnicode::empty()),
        }
    }

    /// Parses a class such as `\d` or `\pL`, if there is one.
    pub(super) fn class_escape(&mut self) -> Result<Option<ClassUnicode>, Error> {
        let text = self.rest;
        let [b'\\', letter, ..] = text.as_bytes() else { return Ok(None) };
        let mut negated = letter.is_ascii_uppercase();
        let mut class = match letter.to_ascii_lowercase() {
            b'p' => {
                self.skip(2);
                let mut name = "";
                match self.next() {
                    Some('{') => {
                        let Some(end) = text.find('}') else {
                            return Err(self.error(ErrorKind::InvalidCharRange, text));
                        };
                        self.rest = &text[end + 1..];
                        name = &text[3..end];
                    }
                    Some(_) => name = &text[2..text.len() - self.rest.len()],
                    None => {}
                }
                if let Some(inverse) = name.strip_prefix('^') {
                    negated = !negated;
                    name = inverse;
                }
                class::unicode(name).ok_or_else(|| self.error_since(ErrorKind::InvalidCharRange, text))?
            }
            letter => match class::perl(letter) {
                Some(class) => {
                    self.skip(2);
                    class
                }
                None => return Ok(None),
            },
        };
        if self.flags.fold {
            class::fold(&mut class);
        }
        if negated {
            class.negate();
        }
        Ok(Some(class))
    }

    /// Parses an escape, and returns its code point, which in Go may be a surrogate.
    fn escape(&mut self) -> Result<u32, Error> {
        let before = self.rest;
        self.skip(1);
        let Some(c) = self.next() else {
            return Err(self.error(ErrorKind::TrailingBackslash, ""));
        };
        let octal =
            |s: &str| s.bytes().next().filter(|b| (b'0'..=b'7').contains(b)).map(|b| u32::from(b - b'0'));
        let point = match c {
            '0'..='7' if c == '0' || octal(self.rest).is_some() => {
                let mut point = c as u32 - '0' as u32;
                for _ in 0..2 {
                    let Some(digit) = octal(self.rest) else { break };
                    point = point * 8 + digit;
                    self.skip(1);
                }
                Some(point)
            }
            'x' => self.hex(),
            'a' => Some(7),
            'f' => Some(0xc),
            'n' => Some(0xa),
            'r' => Some(0xd),
            't' => Some(9),
            'v' => Some(0xb),
            c if c.is_ascii() && !c.is_ascii_alphanumeric() => Some(c as u32),
            _ => None,
        };
        point.ok_or_else(|| self.error_since(ErrorKind::InvalidEscape, before))
    }

    /// Parses what follows `\x`: two digits, or any number of digits in braces.
    fn hex(&mut self) -> Option<u32> {
        match self.next()? {
            '{' => {
                let mut point = None;
                loop {
                    match self.next()? {
                        '}' => return point,
                        c => {
                            let next = point.unwrap_or(0) * 16 + c.to_digit(16)?;
                            point = Some(next).filter(|p| *p <= char::MAX as u32);
                            point?;
                        }
                    }
                }
            }
            high => {
                let low = self.next()?;
                Some(high.to_digit(16)? * 16 + low.to_digit(16)?)
            }
        }
    }

    pub(super) fn class(&mut self) -> Result<(), Error> {
        let whole = self.rest;
        self.skip(1);
        let negated = self.rest.starts_with('^');
        if negated {
            self.skip(1);
        }
        let mut ranges = vec![];
        let mut first = true;
        while first || !self.rest.starts_with(']') {
            first = false;
            let group = match self.posix()? {
                Some(class) => Some(class),
                None => self.class_escape()?,
            };
            if let Some(class) = group {
                ranges.extend_from_slice(class.ranges());
                continue;
            }
            let before = self.rest;
            let lo = self.class_char(whole)?;
            let mut hi = lo;
            if let [b'-', next, ..] = self.rest.as_bytes()
                && *next != b']'
            {
                self.skip(1);
                hi = self.class_char(whole)?;
                if hi < lo {
                    return Err(self.error_since(ErrorKind::InvalidCharRange, before));
                }
            }
            ranges.extend(class::range(lo, hi));
        }
        self.skip(1);
        let mut class = ClassUnicode::new(ranges);
        if self.flags.fold {
            class::fold(&mut class);
        }
        if negated {
            class.negate();
        }
        self.push_class(class)
    }

    fn class_char(&mut self, whole: &str) -> Result<u32, Error> {
        if self.rest.starts_with('\\') {
            return self.escape();
        }
        self.next().map(u32::from).ok_or_else(|| self.error(ErrorKind::MissingBracket, whole))
    }

    /// Parses a class such as `[:alnum:]`, if there is one.
    fn posix(&mut self) -> Result<Option<ClassUnicode>, Error> {
        let text = self.rest;
        let Some(end) = text.strip_prefix("[:").and_then(|t| t.find(":]")) else { return Ok(None) };
        self.skip(end + 4);
        let name = &text[2..end + 2];
        let (negated, name) = name.strip_prefix('^').map_or((false, name), |n| (true, n));
        let Some(mut class) = class::posix(name) else {
            return Err(self.error_since(ErrorKind::InvalidCharRange, text));
        };
        if self.flags.fold {
            class::fold(&mut class);
        }
        if negated {
            class.negate();
        }
        Ok(Some(class))
    }
}
