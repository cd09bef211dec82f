//! Scans scalars: plain, quoted, literal and folded ones.

use super::chars::{CLASS, STOP, STOP_DOUBLE, STOP_FLOW, STOP_PLAIN, STOP_SINGLE, is_blank};
use super::problem::Problem;
use super::scan::{Scanner, TokenKind};
use super::tree::Style;
use std::borrow::Cow;

/// The line breaks between parts of a scalar that are folded.
#[derive(Default)]
struct Breaks {
    first: &'static str,
    more: String,
}

impl Breaks {
    /// A single line feed becomes a space. If there are several, the first one is dropped.
    fn fold_into(&mut self, out: &mut String) {
        match (self.first, self.more.as_str()) {
            ("\n", "") => out.push(' '),
            ("\n", more) => out.push_str(more),
            (first, more) => out.extend([first, more]),
        }
        self.first = "";
        self.more.clear();
    }
}

impl<'a> Scanner<'a> {
    /// Scans a scalar without quotes. As long as no line is folded, it is a slice of the text.
    pub(super) fn scan_plain(&mut self) -> Result<(), Problem> {
        let start = self.mark();
        let mut end = start;
        let indent = self.indent + 1;
        let stop = if self.in_block() { STOP_PLAIN } else { STOP_FLOW };
        let mut folded: Option<String> = None;
        let mut piece = self.at;
        let mut breaks = Breaks::default();
        let mut breaks_before = false;
        let mut is_cut = false;
        loop {
            if self.is_document_indicator() || self.byte(0) == b'#' {
                break;
            }
            let to = self.plain_end(stop);
            if to > self.at {
                if breaks_before {
                    let out = folded.get_or_insert_with(String::new);
                    out.push_str(&self.text[piece..end.at as usize]);
                    breaks.fold_into(out);
                    piece = self.at;
                    breaks_before = false;
                }
                self.advance_to(to);
                end = self.mark();
            }
            if !is_blank(self.byte(0)) && self.break_len(0) == 0 {
                break;
            }
            loop {
                if is_blank(self.byte(0)) {
                    let is_tab = self.byte(0) == b'\t' && !self.tolerant;
                    if breaks_before && (self.column() as isize) < indent && is_tab {
                        return self.error("found a tab character that violates indentation");
                    }
                    self.at += 1;
                } else if self.break_len(0) == 0 {
                    break;
                } else if breaks_before {
                    let more = self.skip_break();
                    breaks.more.push_str(more);
                } else {
                    breaks.first = self.skip_break();
                    breaks_before = true;
                }
            }
            if (self.in_block() || self.tolerant) && (self.column() as isize) < indent {
                break;
            }
            if self.tolerant && breaks_before && self.starts_entry() {
                is_cut = true;
                break;
            }
        }
        if breaks_before {
            self.simple_key_allowed = true;
        }
        let last = &self.text[piece..end.at as usize];
        let text = match folded {
            Some(mut out) => {
                out.push_str(last);
                Cow::Owned(out)
            }
            None => Cow::Borrowed(last),
        };
        self.push_until(TokenKind::Scalar(text, Style::Plain), start, end);
        if is_cut {
            self.end_before_entry(start);
        }
        Ok(())
    }

    /// The end of a run of characters in a plain scalar.
    fn plain_end(&self, stop: u8) -> usize {
        let bytes = self.text.as_bytes();
        let mut end = self.at;
        loop {
            end +=
                bytes[end..].iter().position(|c| CLASS[*c as usize] & stop != 0).unwrap_or(bytes.len() - end);
            let ahead = end - self.at;
            let goes_on = match bytes.get(end) {
                // Between words.
                Some(b' ') => {
                    bytes.get(end + 1).is_some_and(|c| *c != b'#' && CLASS[*c as usize] & stop == 0)
                }
                Some(b':') => !self.is_blank_or_end(ahead + 1),
                Some(0xc2 | 0xe2) => self.break_len(ahead) == 0,
                _ => false,
            };
            if !goes_on {
                return end;
            }
            end += 1;
        }
    }

    /// Scans a scalar in quotes.
    pub(super) fn scan_quoted(&mut self, quote: u8) -> Result<(), Problem> {
        let start = self.mark();
        let (style, stop) =
            if quote == b'\'' { (Style::Single, STOP_SINGLE) } else { (Style::Double, STOP_DOUBLE) };
        self.skip();
        // Most are on one line and have no escapes.
        let bytes = self.text.as_bytes();
        if let Some(len) = bytes[self.at..].iter().position(|c| CLASS[*c as usize] & stop != 0)
            && self.byte(len) == quote
            && !(quote == b'\'' && self.byte(len + 1) == quote)
        {
            let text = Cow::Borrowed(&self.text[self.at..self.at + len]);
            self.advance_to(self.at + len);
            self.skip();
            self.push(TokenKind::Scalar(text, style), start);
            return Ok(());
        }
        let mut out = String::new();
        let mut breaks = Breaks::default();
        loop {
            if self.is_document_indicator() {
                return self.error("found unexpected document indicator");
            }
            if self.at_end() {
                return self.error("found unexpected end of stream");
            }
            let mut breaks_before = self.quoted_run(quote, &mut out)?;
            if self.byte(0) == quote {
                break;
            }
            let blanks = self.at;
            let mut blanks_end = self.at;
            loop {
                if is_blank(self.byte(0)) {
                    self.at += 1;
                    if !breaks_before {
                        blanks_end = self.at;
                    }
                } else if self.break_len(0) == 0 {
                    break;
                } else if breaks_before {
                    let more = self.skip_break();
                    breaks.more.push_str(more);
                } else {
                    breaks.first = self.skip_break();
                    breaks_before = true;
                }
            }
            if breaks_before && self.tolerant && self.byte(0) != quote && self.is_other_entry() {
                return self.error("found unexpected end of stream");
            }
            if breaks_before {
                breaks.fold_into(&mut out);
            } else {
                out.push_str(&self.text[blanks..blanks_end]);
            }
        }
        self.skip();
        self.push(TokenKind::Scalar(Cow::Owned(out), style), start);
        Ok(())
    }

    /// Reads text up to a blank, a line break or the closing quote. Returns true after an escaped line break.
    fn quoted_run(&mut self, quote: u8, out: &mut String) -> Result<bool, Problem> {
        let bytes = self.text.as_bytes();
        let stop = STOP | if quote == b'\'' { STOP_SINGLE } else { STOP_DOUBLE };
        loop {
            let len = bytes[self.at..]
                .iter()
                .position(|c| CLASS[*c as usize] & stop != 0)
                .unwrap_or(bytes.len() - self.at);
            out.push_str(&self.text[self.at..self.at + len]);
            self.advance_to(self.at + len);
            match self.byte(0) {
                b'\'' if quote == b'\'' && self.byte(1) == b'\'' => {
                    out.push('\'');
                    self.at += 2;
                }
                b'\\' if quote == b'"' => {
                    if self.break_len(1) > 0 {
                        self.skip();
                        self.skip_break();
                        return Ok(true);
                    }
                    out.push(self.escape()?);
                }
                0xc2 | 0xe2 if self.break_len(0) == 0 => {
                    let from = self.at;
                    self.skip_char();
                    out.push_str(&self.text[from..self.at]);
                }
                _ => return Ok(false),
            }
        }
    }

    /// Reads an escape sequence in a double-quoted scalar.
    fn escape(&mut self) -> Result<char, Problem> {
        let (c, digits) = match self.byte(1) {
            b'0' => ('\0', 0),
            b'a' => ('\u{7}', 0),
            b'b' => ('\u{8}', 0),
            b't' | b'\t' => ('\t', 0),
            b'n' => ('\n', 0),
            b'v' => ('\u{b}', 0),
            b'f' => ('\u{c}', 0),
            b'r' => ('\r', 0),
            b'e' => ('\u{1b}', 0),
            c @ (b' ' | b'"' | b'\'' | b'\\') => (char::from(c), 0),
            b'N' => ('\u{85}', 0),
            b'_' => ('\u{a0}', 0),
            b'L' => ('\u{2028}', 0),
            b'P' => ('\u{2029}', 0),
            b'x' => ('\0', 2),
            b'u' => ('\0', 4),
            b'U' => ('\0', 8),
            _ => return self.error("found unknown escape character"),
        };
        self.at += 2;
        if digits == 0 {
            return Ok(c);
        }
        let mut code = 0_u32;
        for i in 0..digits {
            match char::from(self.byte(i)).to_digit(16) {
                Some(digit) => code = code << 4 | digit,
                None => return self.error("did not find expected hexdecimal number"),
            }
        }
        let Some(c) = char::from_u32(code) else {
            return self.error("found invalid Unicode character escape code");
        };
        self.at += digits;
        Ok(c)
    }

    /// Scans a literal or folded block.
    pub(super) fn scan_block_scalar(&mut self, literal: bool) -> Result<(), Problem> {
        let start = self.mark();
        self.skip();
        let (chomp, increment) = self.block_header()?;
        self.skip_blanks();
        if self.byte(0) == b'#' {
            self.skip_to_break();
        }
        if !self.is_break_or_end() {
            return self.error("did not find expected comment or line break");
        }
        self.skip_break();
        let mut end = self.mark();
        let mut indent = match increment {
            0 => 0,
            _ => self.indent.max(0) as usize + increment,
        };
        let mut out = String::new();
        let mut first = "";
        let mut more = String::new();
        self.block_breaks(&mut indent, &mut more, &mut end)?;
        let mut was_blank = false;
        while self.column() == indent && !self.at_end() {
            let blank = is_blank(self.byte(0));
            if !literal && first == "\n" && !was_blank && !blank {
                if more.is_empty() {
                    out.push(' ');
                }
            } else {
                out.push_str(first);
            }
            out.push_str(&more);
            more.clear();
            was_blank = blank;
            let line_end = self.line_end();
            out.push_str(&self.text[self.at..line_end]);
            self.advance_to(line_end);
            first = self.skip_break();
            self.block_breaks(&mut indent, &mut more, &mut end)?;
        }
        if chomp != b'-' {
            out.push_str(first);
        }
        if chomp == b'+' {
            out.push_str(&more);
        }
        let style = if literal { Style::Literal } else { Style::Folded };
        self.push_until(TokenKind::Scalar(Cow::Owned(out), style), start, end);
        Ok(())
    }

    /// Reads the chomping indicator (NUL if there is none) and the indentation digit, in any order.
    fn block_header(&mut self) -> Result<(u8, usize), Problem> {
        let (mut chomp, mut increment) = (0, 0);
        let mut digit_seen = false;
        for _ in 0..2 {
            match self.byte(0) {
                c @ (b'+' | b'-') if chomp == 0 => chomp = c,
                b'0' if !digit_seen => return self.error("found an indentation indicator equal to 0"),
                c @ b'1'..=b'9' if !digit_seen => {
                    increment = usize::from(c - b'0');
                    digit_seen = true;
                }
                _ => break,
            }
            self.skip();
        }
        Ok((chomp, increment))
    }

    /// Skips the indentation and empty lines of a block. If the indentation is 0, it is determined here.
    fn block_breaks(
        &mut self,
        indent: &mut usize,
        breaks: &mut String,
        end: &mut super::scan::Mark,
    ) -> Result<(), Problem> {
        *end = self.mark();
        let mut deepest = 0;
        loop {
            while (*indent == 0 || self.column() < *indent) && self.byte(0) == b' ' {
                self.at += 1;
            }
            deepest = deepest.max(self.column());
            if (*indent == 0 || self.column() < *indent) && self.byte(0) == b'\t' && !self.tolerant {
                return self.error("found a tab character where an indentation space is expected");
            }
            let line_break = self.skip_break();
            if line_break.is_empty() {
                break;
            }
            breaks.push_str(line_break);
            *end = self.mark();
        }
        if *indent == 0 {
            *indent = deepest.max((self.indent + 1).max(1) as usize);
        }
        Ok(())
    }
}
