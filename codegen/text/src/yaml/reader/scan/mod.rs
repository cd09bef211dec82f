//! Scans text into tokens, with exactly the limits of libyaml's scanner, which go-yaml ported. A key is only recognized
//! at its colon, so tokens wait in a queue until then.

mod fetch;
mod recover;

use super::chars::{CLASS, STOP_LINE, is_blank};
use super::encoding::CHUNK;
use super::problem::Problem;
use super::tree::Style;
use std::borrow::Cow;
use std::collections::VecDeque;

/// A place in the text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    /// The byte.
    pub(super) at: u32,
    /// The line, from 0.
    pub(super) line: u32,
}

#[derive(Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: TokenKind<'a>,
    pub(super) start: Mark,
    pub(super) end: Mark,
}

#[derive(Debug)]
pub(super) enum TokenKind<'a> {
    StreamEnd,
    Version { major: u8, minor: u8 },
    TagDirective(Box<TagName>),
    DocumentStart,
    DocumentEnd,
    BlockListStart,
    BlockMapStart,
    BlockEnd,
    FlowListStart,
    FlowListEnd,
    FlowMapStart,
    FlowMapEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias(&'a str),
    Anchor(&'a str),
    Tag(Box<TagName>),
    Scalar(Cow<'a, str>, Style),
}

/// A tag's handle and suffix, or a directive's handle and prefix.
#[derive(Debug)]
pub(super) struct TagName {
    pub(super) handle: String,
    pub(super) suffix: String,
}

/// A position at which a key without `?` may have started.
#[derive(Clone, Copy, Debug, Default)]
struct SimpleKey {
    possible: bool,
    /// Whether the first token of the key waits for a colon.
    waited_for: bool,
    /// Whether only a key is allowed: in block context, at the indentation.
    required: bool,
    /// The number of its first token.
    token: usize,
    mark: Mark,
    column: usize,
}

/// The maximum nesting of flow collections, and of block collections.
const MAX_LEVELS: usize = 10_000;

pub(super) struct Scanner<'a> {
    pub(super) text: &'a str,
    /// Whether to go on after mistakes. No method fails then.
    pub(super) tolerant: bool,
    bytes: &'a [u8],
    /// The error to report at the end of the text, if the text is incomplete.
    broken: Option<Problem>,
    pub(super) at: usize,
    /// If a text has a second byte order mark, the end of go-yaml's first chunk. go-yaml searches for marks at the
    /// start of its buffer and not of the line, so there it considers the first character of each line a mark.
    marked: usize,
    line: usize,
    line_start: usize,
    /// The number of bytes since the start of the line that continue a character.
    continued: usize,
    tokens: VecDeque<Token<'a>>,
    /// The number of tokens that have left the queue.
    taken: usize,
    /// Whether the first token of the queue is complete.
    ready: bool,
    /// The columns of the open block collections. `indent` is that of the innermost one.
    indents: Vec<isize>,
    pub(super) indent: isize,
    /// One entry for each open flow collection, and one for the block context.
    simple_keys: Vec<SimpleKey>,
    pub(super) simple_key_allowed: bool,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str, broken: Option<Problem>) -> Self {
        // A byte order mark is not part of the text.
        let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
        Scanner {
            text,
            tolerant: false,
            bytes: text.as_bytes(),
            broken,
            at: start,
            marked: if text[start..].starts_with('\u{feff}') { CHUNK } else { 0 },
            line: 0,
            line_start: start,
            continued: 0,
            tokens: VecDeque::new(),
            taken: 0,
            ready: false,
            indents: Vec::new(),
            indent: -1,
            simple_keys: vec![SimpleKey::default()],
            simple_key_allowed: true,
        }
    }

    /// The next token.
    pub(super) fn peek(&mut self) -> Result<&Token<'a>, Problem> {
        if !self.ready {
            self.fetch_enough()?;
            self.ready = true;
        }
        // `fetch_enough` has added one.
        Ok(&self.tokens[0])
    }

    /// Removes the token that `peek` returned.
    pub(super) fn take(&mut self) -> Option<Token<'a>> {
        self.ready = false;
        self.taken += 1;
        self.tokens.pop_front()
    }

    // Characters.

    /// The byte at `ahead` from here. NUL after the end.
    pub(super) fn byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    pub(super) fn at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// The length of the line break at a byte. 0 if there is none.
    pub(super) fn break_len(&self, ahead: usize) -> usize {
        match self.byte(ahead) {
            b'\n' => 1,
            b'\r' => 1 + usize::from(self.byte(ahead + 1) == b'\n'),
            0xc2 if self.byte(ahead + 1) == 0x85 => 2,
            0xe2 if self.byte(ahead + 1) == 0x80 && self.byte(ahead + 2) & 0xfe == 0xa8 => 3,
            _ => 0,
        }
    }

    /// Whether the next character is a space, a tab, a line break or the end.
    pub(super) fn is_blank_or_end(&self, ahead: usize) -> bool {
        match self.byte(ahead) {
            b' ' | b'\t' | b'\n' | b'\r' => true,
            0 => true,
            0xc2 | 0xe2 => self.break_len(ahead) > 0,
            _ => false,
        }
    }

    pub(super) fn is_break_or_end(&self) -> bool {
        self.byte(0) == 0 || self.break_len(0) > 0
    }

    pub(super) fn column(&self) -> usize {
        self.at - self.line_start - self.continued
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { at: self.at as u32, line: self.line as u32 }
    }

    /// Skips text without line breaks.
    pub(super) fn advance_to(&mut self, end: usize) {
        let passed = &self.bytes[self.at..end];
        if !passed.is_ascii() {
            self.continued += passed.iter().filter(|c| **c & 0xc0 == 0x80).count();
        }
        self.at = end;
    }

    /// Skips a byte that is a whole character.
    pub(super) fn skip(&mut self) {
        self.at += 1;
    }

    /// Skips one character of any kind.
    pub(super) fn skip_char(&mut self) {
        let len = self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        self.advance_to(self.at + len);
    }

    pub(super) fn skip_blanks(&mut self) {
        while is_blank(self.byte(0)) {
            self.at += 1;
        }
    }

    /// Whether there are only spaces before this place on its line.
    pub(super) fn is_first(&self) -> bool {
        self.bytes[self.line_start..self.at].iter().all(|c| *c == b' ')
    }

    /// Skips the rest of the line.
    pub(super) fn skip_to_break(&mut self) {
        let end = self.line_end();
        self.advance_to(end);
    }

    /// The end of the text on this line.
    pub(super) fn line_end(&self) -> usize {
        let mut end = self.at;
        loop {
            end += self.bytes[end..]
                .iter()
                .position(|c| CLASS[*c as usize] & STOP_LINE != 0)
                .unwrap_or(self.bytes.len() - end);
            let ahead = end - self.at;
            if end >= self.bytes.len() || self.break_len(ahead) > 0 {
                return end;
            }
            end += 1;
        }
    }

    /// Skips a line break, if there is one here. Returns it in the form that it has in the value.
    pub(super) fn skip_break(&mut self) -> &'static str {
        let len = self.break_len(0);
        if len == 0 {
            return "";
        }
        let as_text = match (len, self.byte(2)) {
            (3, 0xa8) => "\u{2028}",
            (3, _) => "\u{2029}",
            _ => "\n",
        };
        self.at += len;
        self.line += 1;
        self.line_start = self.at;
        self.continued = 0;
        as_text
    }

    /// Whether there is a document indicator here: three dashes or dots alone at the start of a line.
    pub(super) fn is_document_indicator(&self) -> bool {
        self.at == self.line_start
            && matches!(self.bytes.get(self.at..self.at + 3), Some(b"---" | b"..."))
            && self.is_blank_or_end(3)
    }

    /// The error for text that cannot be scanned, with go-yaml's message, which does not contain the number of the
    /// first line.
    pub(super) fn error<T>(&self, text: &str) -> Result<T, Problem> {
        if self.at_end()
            && let Some(broken) = &self.broken
        {
            return Err(broken.clone());
        }
        let text = match self.line {
            0 => format!("yaml: {text}"),
            line => format!("yaml: line {}: {text}", line + 1),
        };
        Err(Problem::at(self.at, text))
    }

    // Simple keys.

    /// Fetches tokens until the first one in the queue is complete. It is not complete if it may be the start of a key.
    fn fetch_enough(&mut self) -> Result<(), Problem> {
        loop {
            if !self.tokens.is_empty() && !self.may_be_key(self.taken)? {
                return Ok(());
            }
            self.fetch_next()?;
        }
    }

    /// Whether a token may still be the start of a key.
    fn may_be_key(&mut self, token: usize) -> Result<bool, Problem> {
        // The numbers grow with the level, but a new level starts with the number of its bracket.
        let first = self.simple_keys.partition_point(|k| k.token < token);
        let found = self.simple_keys[first..]
            .iter()
            .take_while(|k| k.token == token)
            .position(|k| k.waited_for)
            .map(|i| first + i);
        found.map_or(Ok(false), |i| self.is_valid(i))
    }

    /// Whether a key may still be valid: it must be on one line, and not longer than 1024 characters.
    fn is_valid(&mut self, i: usize) -> Result<bool, Problem> {
        let key = self.simple_keys[i];
        if !key.possible {
            return Ok(false);
        }
        if (key.mark.line as usize) < self.line || key.column + 1024 < self.column() {
            if key.required {
                self.missing_colon(i)?;
            }
            self.simple_keys[i].possible = false;
        }
        Ok(self.simple_keys[i].possible)
    }

    fn save_simple_key(&mut self) -> Result<(), Problem> {
        if !self.simple_key_allowed {
            return Ok(());
        }
        let column = self.column();
        let required = self.in_block() && self.indent == column as isize;
        let token = self.taken + self.tokens.len();
        self.remove_simple_key()?;
        let mark = self.mark();
        if let Some(last) = self.simple_keys.last_mut() {
            *last = SimpleKey { possible: true, waited_for: true, required, token, mark, column };
        }
        Ok(())
    }

    fn remove_simple_key(&mut self) -> Result<(), Problem> {
        match self.simple_keys.last_mut() {
            Some(key) if key.possible && key.required => self.missing_colon(self.simple_keys.len() - 1),
            Some(key) => {
                key.waited_for &= !key.possible;
                key.possible = false;
                Ok(())
            }
            None => Ok(()),
        }
    }

    // Indentation.

    pub(super) fn in_block(&self) -> bool {
        self.simple_keys.len() == 1
    }

    /// Opens a block collection if this column is deeper than the current one. Its token is inserted before the token
    /// with the number `before`, or added at the end.
    fn roll_indent(
        &mut self,
        column: usize,
        before: Option<usize>,
        kind: TokenKind<'a>,
        mark: Mark,
    ) -> Result<(), Problem> {
        if !self.in_block() || self.indent >= column as isize {
            return Ok(());
        }
        self.indents.push(self.indent);
        self.indent = column as isize;
        if self.indents.len() > MAX_LEVELS {
            return self.error(&format!("exceeded max depth of {MAX_LEVELS}"));
        }
        self.insert(before, Token { kind, start: mark, end: mark });
        Ok(())
    }

    /// Inserts a token before the one with a number. If that token has left the queue, go-yaml appends the new one.
    /// This code does the same, and then the parser reports an error.
    fn insert(&mut self, before: Option<usize>, token: Token<'a>) {
        match before.and_then(|number| number.checked_sub(self.taken)) {
            Some(index) if index < self.tokens.len() => self.tokens.insert(index, token),
            _ => self.tokens.push_back(token),
        }
    }

    /// Closes the block collections that are deeper than a column.
    fn unroll_indent(&mut self, column: isize) {
        if !self.in_block() {
            return;
        }
        while self.indent > column {
            let mark = self.mark();
            self.tokens.push_back(Token { kind: TokenKind::BlockEnd, start: mark, end: mark });
            self.indent = self.indents.pop().unwrap_or(-1);
        }
    }

    pub(super) fn push(&mut self, kind: TokenKind<'a>, start: Mark) {
        let end = self.mark();
        self.tokens.push_back(Token { kind, start, end });
    }

    pub(super) fn push_until(&mut self, kind: TokenKind<'a>, start: Mark, end: Mark) {
        self.tokens.push_back(Token { kind, start, end });
    }

    /// Skips spaces, comments and line breaks.
    pub(super) fn skip_to_token(&mut self) {
        loop {
            if self.at < self.marked && self.at == self.line_start && !self.at_end() {
                self.skip_char();
            }
            // Tabs are not indentation, so they are not skipped where a key may start.
            let may_be_tab = self.tolerant || !self.in_block() || !self.simple_key_allowed;
            while self.byte(0) == b' ' || self.byte(0) == b'\t' && may_be_tab {
                self.at += 1;
            }
            if self.byte(0) == b'#' {
                self.skip_to_break();
            }
            if self.skip_break().is_empty() {
                return;
            }
            if self.in_block() {
                self.simple_key_allowed = true;
            }
        }
    }
}
