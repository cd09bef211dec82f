//! How the scanner goes on after mistakes, for texts that are being written. Each text is read once from start to end: what cannot
//! be scanned becomes a plain scalar up to the end of its line.

use super::{Mark, Problem, Scanner, Token, TokenKind};
use crate::yaml::reader::tree::Style;
use std::borrow::Cow;

/// Where the scanner is.
#[derive(Clone, Copy)]
pub(super) struct Here {
    at: usize,
    line: usize,
    line_start: usize,
    continued: usize,
}

impl<'a> Scanner<'a> {
    /// Scans a text that may have mistakes.
    pub(in crate::yaml::reader) fn tolerant(text: &'a str) -> Scanner<'a> {
        Scanner { tolerant: true, ..Scanner::new(text, None) }
    }

    pub(super) fn here(&self) -> Here {
        Here { at: self.at, line: self.line, line_start: self.line_start, continued: self.continued }
    }

    /// Makes a scalar of the rest of the line, because no token starts here.
    pub(super) fn fetch_rest_of_line(&mut self, here: Here) {
        Here { at: self.at, line: self.line, line_start: self.line_start, continued: self.continued } = here;
        let start = self.mark();
        let mut rest = &self.text[self.at..self.line_end()];
        if !self.in_block() {
            // At least one character, so that this comes to an end.
            let end = rest.char_indices().skip(1).find(|(_, c)| matches!(c, ',' | ']' | '}'));
            rest = end.map_or(rest, |(end, _)| &rest[..end]);
        }
        let text = rest.trim_end_matches([' ', '\t']);
        self.advance_to(self.at + text.len());
        self.simple_key_allowed = false;
        self.push(TokenKind::Scalar(Cow::Borrowed(text), Style::Plain), start);
        self.advance_to(self.at + rest.len() - text.len());
        self.skip_to_token();
        if self.is_first() && self.starts_entry() {
            self.end_before_entry(start);
        }
    }

    /// The error for text that must be a key but has no colon. Texts that are being written often have such keys, so the tolerant
    /// scanner takes it as a key without a value.
    pub(super) fn missing_colon(&mut self, i: usize) -> Result<(), Problem> {
        if !self.tolerant {
            return self.error("could not find expected ':'");
        }
        self.complete_key(i);
        Ok(())
    }

    /// Adds the tokens of a key around the scalar of a simple key.
    fn complete_key(&mut self, i: usize) {
        let key = self.simple_keys[i];
        self.simple_keys[i].possible = false;
        self.simple_keys[i].waited_for = false;
        let Some(first) = key.token.checked_sub(self.taken) else { return };
        let mut properties = self.tokens.iter().skip(first);
        let is_property = |token: &&Token<'_>| matches!(token.kind, TokenKind::Anchor(_) | TokenKind::Tag(_));
        let len = properties.by_ref().take_while(is_property).count();
        let Some(Token { kind: TokenKind::Scalar(..), end, .. }) = self.tokens.get(first + len) else {
            return;
        };
        let (end, before) = (*end, self.tokens.len());
        self.tokens.insert(first + len + 1, Token { kind: TokenKind::Value, start: end, end });
        self.tokens.insert(first, Token { kind: TokenKind::Key, start: key.mark, end: key.mark });
        if i == 0 && self.indent < key.column as isize {
            self.indents.push(self.indent);
            self.indent = key.column as isize;
            self.tokens
                .insert(first, Token { kind: TokenKind::BlockMapStart, start: key.mark, end: key.mark });
        }
        let added = self.tokens.len() - before;
        self.simple_keys[i + 1..].iter_mut().for_each(|later| later.token += added);
    }

    /// Whether what is here starts an entry of a block collection: `key:` or `-`.
    pub(in crate::yaml::reader) fn starts_entry(&self) -> bool {
        if !self.in_block() {
            return false;
        }
        let line = &self.bytes[self.at..self.line_end()];
        let is_blank = |at: usize| line.get(at).is_none_or(|c| matches!(c, b' ' | b'\t'));
        if line.starts_with(b"-") && is_blank(1) {
            return true;
        }
        let is_key = |c: &u8| c.is_ascii_alphanumeric() || b"_-./$".contains(c);
        let len = line.iter().take_while(|c| is_key(c)).count();
        len > 0 && line.get(len) == Some(&b':') && is_blank(len + 1)
    }

    /// Ends a plain scalar before a line that is an entry. If the scalar is where a key may be, it is a key without a colon: its
    /// siblings or children follow.
    pub(in crate::yaml::reader) fn end_before_entry(&mut self, start: Mark) {
        let is_key = |key: &super::SimpleKey| key.possible && key.mark.at == start.at;
        if self.simple_keys.last().is_some_and(|key| is_key(key) && key.column <= self.column()) {
            self.complete_key(self.simple_keys.len() - 1);
        }
    }

    /// Whether a line that is not deeper than the block collection around it starts here. Flow collections do not go on there.
    fn is_outside(&self) -> bool {
        self.at_end() || self.column() as isize <= self.indent
    }

    /// Whether an entry around a quoted scalar starts here, so that its closing quote is missing. Real texts have quoted scalars with
    /// lines that are not indented more.
    pub(in crate::yaml::reader) fn is_other_entry(&self) -> bool {
        self.is_outside() && (!self.in_block() || self.starts_entry())
    }

    /// Closes the flow collections that have no closing brackets: at the end of the text, and before a line that is outside of them.
    pub(super) fn close_unfinished_flow(&mut self) {
        let is_first = || self.bytes[self.line_start..self.at].trim_ascii().is_empty();
        let goes_on = matches!(self.byte(0), b']' | b'}' | b',');
        if self.in_block() || !(self.at_end() || is_first() && self.is_outside() && !goes_on) {
            return;
        }
        let mark = self.mark();
        for _ in 1..self.simple_keys.len() {
            // The parser takes it as the end of any flow collection.
            self.push_until(TokenKind::FlowListEnd, mark, mark);
        }
        self.simple_keys.truncate(1);
        self.simple_keys[0].waited_for &= !self.simple_keys[0].possible;
        self.simple_keys[0].possible = false;
        self.simple_key_allowed = true;
    }
}
