//! Scans directives, anchors, aliases and tags.

use super::chars::is_word;
use super::problem::Problem;
use super::scan::{Scanner, TagName, TokenKind};
use crate::go;

impl<'a> Scanner<'a> {
    /// `%YAML 1.1` or `%TAG !handle! prefix`.
    pub(super) fn scan_directive(&mut self) -> Result<(), Problem> {
        let start = self.mark();
        self.skip();
        let name = self.word();
        if name.is_empty() {
            return self.error("could not find expected directive name");
        }
        if !self.is_blank_or_end(0) {
            return self.error("found unexpected non-alphabetical character");
        }
        let kind = match name {
            "YAML" => {
                self.skip_blanks();
                let major = self.version_number()?;
                if self.byte(0) != b'.' {
                    return self.error("did not find expected digit or '.' character");
                }
                self.skip();
                TokenKind::Version { major, minor: self.version_number()? }
            }
            "TAG" => TokenKind::TagDirective(Box::new(self.tag_directive()?)),
            _ => return self.error("found unknown directive name"),
        };
        self.push(kind, start);
        self.skip_blanks();
        if self.byte(0) == b'#' {
            self.skip_to_break();
        }
        if !self.is_break_or_end() {
            return self.error("did not find expected comment or line break");
        }
        self.skip_break();
        Ok(())
    }

    fn version_number(&mut self) -> Result<u8, Problem> {
        let mut value = 0;
        let mut length = 0;
        while self.byte(0).is_ascii_digit() {
            length += 1;
            if length > 2 {
                return self.error("found extremely long version number");
            }
            value = value * 10 + (self.byte(0) - b'0');
            self.skip();
        }
        if length == 0 {
            return self.error("did not find expected version number");
        }
        Ok(value)
    }

    fn tag_directive(&mut self) -> Result<TagName, Problem> {
        self.skip_blanks();
        let handle = self.tag_handle()?;
        if handle != "!" && (handle.len() == 1 || !handle.ends_with('!')) {
            return self.error("did not find expected '!'");
        }
        if !matches!(self.byte(0), b' ' | b'\t') {
            return self.error("did not find expected whitespace");
        }
        self.skip_blanks();
        let suffix = self.tag_uri("")?;
        if !self.is_blank_or_end(0) {
            return self.error("did not find expected whitespace or line break");
        }
        Ok(TagName { handle, suffix })
    }

    /// `*name` or `&name`.
    pub(super) fn scan_anchor(&mut self, alias: bool) -> Result<(), Problem> {
        let start = self.mark();
        self.skip();
        let from = self.at;
        let len = self.word().len();
        let ends = self.is_blank_or_end(0) || b"?:,]}%@`".contains(&self.byte(0));
        if len == 0 || !ends {
            return self.error("did not find expected alphabetic or numeric character");
        }
        let name = &self.text[from..from + len];
        self.push(if alias { TokenKind::Alias(name) } else { TokenKind::Anchor(name) }, start);
        Ok(())
    }

    /// `!<uri>`, `!handle!suffix`, `!suffix` or `!`.
    pub(super) fn scan_tag(&mut self) -> Result<(), Problem> {
        let start = self.mark();
        let name = if self.byte(1) == b'<' {
            self.at += 2;
            let suffix = self.tag_uri("")?;
            if self.byte(0) != b'>' {
                return self.error("did not find the expected '>'");
            }
            self.skip();
            TagName { handle: String::new(), suffix }
        } else {
            let handle = self.tag_handle()?;
            if handle.len() > 1 && handle.ends_with('!') {
                let suffix = self.tag_uri("")?;
                TagName { handle, suffix }
            } else {
                // This was not a handle but the start of a suffix.
                let suffix = self.tag_uri(&handle)?;
                match suffix.is_empty() {
                    true => TagName { handle: suffix, suffix: "!".to_owned() },
                    false => TagName { handle: "!".to_owned(), suffix },
                }
            }
        };
        if !self.is_blank_or_end(0) {
            return self.error("did not find expected whitespace or line break");
        }
        self.push(TokenKind::Tag(Box::new(name)), start);
        Ok(())
    }

    /// `!`, letters and perhaps another `!`.
    fn tag_handle(&mut self) -> Result<String, Problem> {
        if self.byte(0) != b'!' {
            return self.error("did not find expected '!'");
        }
        let from = self.at;
        self.skip();
        self.word();
        if self.byte(0) == b'!' {
            self.skip();
        }
        Ok(self.text[from..self.at].to_owned())
    }

    /// The text of a tag after `head`, whose `!` is left out.
    fn tag_uri(&mut self, head: &str) -> Result<String, Problem> {
        let mut out = head.get(1..).unwrap_or_default().as_bytes().to_vec();
        let mut any = !head.is_empty();
        loop {
            match self.byte(0) {
                b'%' => self.uri_escape(&mut out)?,
                c if is_word(c) || b";/?:@&=+$,.!~*'()[]".contains(&c) => {
                    out.push(c);
                    self.skip();
                }
                _ => break,
            }
            any = true;
        }
        if !any {
            return self.error("did not find expected tag URI");
        }
        Ok(go::valid_utf8(&out).into_owned())
    }

    /// The `%xx` escapes of one character.
    fn uri_escape(&mut self, out: &mut Vec<u8>) -> Result<(), Problem> {
        let mut left = None;
        while left != Some(0) {
            let digits = [self.byte(1), self.byte(2)].map(|c| char::from(c).to_digit(16));
            let (b'%', [Some(high), Some(low)]) = (self.byte(0), digits) else {
                return self.error("did not find URI escaped octet");
            };
            let octet = (high << 4 | low) as u8;
            left = Some(match left {
                None => match octet {
                    0..0x80 => 0,
                    0xc0..0xe0 => 1,
                    0xe0..0xf0 => 2,
                    0xf0..0xf8 => 3,
                    _ => return self.error("found an incorrect leading UTF-8 octet"),
                },
                Some(_) if octet & 0xc0 != 0x80 => {
                    return self.error("found an incorrect trailing UTF-8 octet");
                }
                Some(left) => left - 1,
            });
            out.push(octet);
            self.at += 3;
        }
        Ok(())
    }

    /// Letters, digits, `_` and `-`.
    fn word(&mut self) -> &'a str {
        let from = self.at;
        while is_word(self.byte(0)) {
            self.skip();
        }
        &self.text[from..self.at]
    }
}
