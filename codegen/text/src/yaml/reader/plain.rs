//! Reads the nodes of a document that consists of block maps with simple keys, block lists and scalars, as nearly all
//! documents do. In these, the end of a key is known at once, so tokens do not have to wait for a colon. This takes
//! only 60% of the parser's time. The scanner reads the scalars.
//!
//! For all other documents, valid or not, this module returns no nodes. The parser then reads the document from its
//! start.

use super::scan::{Mark, Scanner, Token, TokenKind};
use super::tag::Tag;
use super::tree::{Kind, MAX_NODES, Node, Style};
use std::borrow::Cow;

/// Reads the nodes of the whole text. None if the document has another form.
pub(super) fn nodes(text: &str) -> Option<Vec<Node<'_>>> {
    if text.starts_with('\u{feff}') {
        return None;
    }
    let nodes = Vec::with_capacity(text.len() / 24);
    let mut reader = Reader { scanner: Scanner::new(text, None), nodes, depth: 0 };
    if reader.scanner.is_document_indicator() {
        reader.document_start()?;
    }
    let column = reader.next_line()?;
    reader.block(column)?;
    reader.scanner.at_end().then_some(reader.nodes)
}

/// The maximum nesting of collections. Real documents reach 60.
const MAX_DEPTH: usize = 120;

/// The maximum length of a key. YAML does not allow simple keys of more than 1,024 characters.
const MAX_KEY: usize = 1000;

struct Reader<'a> {
    scanner: Scanner<'a>,
    nodes: Vec<Node<'a>>,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn document_start(&mut self) -> Option<()> {
        (self.scanner.byte(0) == b'-' && self.scanner.byte(3) == b'\n').then_some(())?;
        self.scanner.at += 3;
        Some(())
    }

    /// Skips spaces, comments and line breaks. Returns the column of the next token, or 0 at the end of the text.
    fn next_line(&mut self) -> Option<usize> {
        self.scanner.simple_key_allowed = true;
        self.scanner.skip_to_token();
        Some(if self.scanner.at_end() { 0 } else { self.scanner.column() })
    }

    fn push(&mut self, kind: Kind<'a>, start: Mark, end: Mark) -> usize {
        let id = self.nodes.len();
        self.nodes.push(Node {
            kind,
            next: id as u32 + 1,
            start: start.at,
            end: end.at,
            line: start.line + 1,
        });
        id
    }

    /// Adds a missing value.
    fn empty(&mut self, at: Mark) {
        self.push(Kind::Scalar { text: Cow::Borrowed(""), style: Style::Plain, tag: Tag::None }, at, at);
    }

    /// Reads a map or a list that starts here.
    fn block(&mut self, column: usize) -> Option<()> {
        self.depth += 1;
        (self.depth <= MAX_DEPTH).then_some(())?;
        if self.is_entry() {
            let start = self.scanner.mark();
            self.list(column, start)?;
        } else {
            self.map(column)?;
        }
        self.depth -= 1;
        Some(())
    }

    fn skip_spaces(&mut self) {
        while self.scanner.byte(0) == b' ' {
            self.scanner.skip();
        }
    }

    fn is_entry(&self) -> bool {
        self.scanner.byte(0) == b'-' && matches!(self.scanner.byte(1), b' ' | b'\n')
    }

    /// The length of the key here. None if it is not a simple one.
    fn key_len(&self) -> Option<usize> {
        let is_start = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'/' | b'$');
        let is_inside = |c: u8| is_start(c) || matches!(c, b'-' | b'.');
        let rest = &self.scanner.text.as_bytes()[self.scanner.at..];
        let len = rest.iter().position(|c| !is_inside(*c))?;
        let is_key = is_start(rest[0]) && len <= MAX_KEY && rest[len] == b':';
        (is_key && matches!(rest.get(len + 1), Some(b' ' | b'\n'))).then_some(len)
    }

    fn map(&mut self, column: usize) -> Option<()> {
        let start = self.scanner.mark();
        let id = self.push(Kind::Map { flow: false }, start, start);
        loop {
            let len = self.key_len().filter(|_| self.nodes.len() <= MAX_NODES)?;
            let start = self.scanner.mark();
            let text = Cow::Borrowed(&self.scanner.text[self.scanner.at..self.scanner.at + len]);
            self.scanner.at += len;
            let end = self.scanner.mark();
            self.push(Kind::Scalar { text, style: Style::Plain, tag: Tag::None }, start, end);
            self.scanner.skip();
            let behind = self.scanner.mark();
            self.skip_spaces();
            let below = if self.is_line_end() {
                let below = self.next_line()?;
                let is_list = below == column && self.is_entry();
                match below > column {
                    _ if self.scanner.at_end() => self.empty(behind),
                    true => self.block(below)?,
                    // The entries of a list may be in the same column as its key.
                    false if is_list => {
                        let start = self.scanner.mark();
                        self.list(column, Mark { at: start.at + 1, ..start })?;
                    }
                    false => self.empty(behind),
                }
                self.next_line()?
            } else {
                self.scalar(column)?
            };
            if self.scanner.at_end() || below < column {
                break;
            }
            (below == column).then_some(())?;
        }
        self.close(id)
    }

    /// Reads a list with its entries in a column. `end` is the end of the token that opens it.
    fn list(&mut self, column: usize, end: Mark) -> Option<()> {
        let start = self.scanner.mark();
        let id = self.push(Kind::List { flow: false }, start, end);
        while !self.scanner.at_end() && self.scanner.column() == column && self.is_entry() {
            self.scanner.skip();
            let behind = self.scanner.mark();
            self.skip_spaces();
            let here = self.scanner.column();
            let below = if self.is_line_end() {
                let below = self.next_line()?;
                if below > column && !self.scanner.at_end() {
                    self.block(below)?
                } else {
                    self.empty(behind)
                }
                self.next_line()?
            } else if self.is_entry() || self.key_len().is_some() {
                self.block(here)?;
                self.next_line()?
            } else {
                self.scalar(column)?
            };
            (below <= column && self.nodes.len() <= MAX_NODES).then_some(())?;
        }
        self.close(id)
    }

    fn close(&mut self, id: usize) -> Option<()> {
        self.nodes[id].next = self.nodes.len() as u32;
        Some(())
    }

    fn is_line_end(&self) -> bool {
        matches!(self.scanner.byte(0), b'\n' | b'#') || self.scanner.at_end()
    }

    /// Reads a scalar or an empty collection, inside a collection in this column. Returns the column of the next token.
    fn scalar(&mut self, column: usize) -> Option<usize> {
        self.scanner.indent = column as isize;
        let start = self.scanner.mark();
        let first = self.scanner.byte(0);
        if self.scanner.break_len(0) > 0 {
            return None;
        }
        match first {
            b'[' | b'{' => {
                let flow = match (first, self.scanner.byte(1)) {
                    (b'[', b']') => Kind::List { flow: true },
                    (b'{', b'}') => Kind::Map { flow: true },
                    _ => return None,
                };
                self.push(flow, start, Mark { at: start.at + 1, ..start });
                self.scanner.at += 2;
            }
            b'|' | b'>' => self.scanner.scan_block_scalar(first == b'|').ok()?,
            b'"' | b'\'' => self.scanner.scan_quoted(first).ok()?,
            b'-' | b'?' | b':' if self.scanner.is_blank_or_end(1) => return None,
            b'&' | b'*' | b'!' | b',' | b']' | b'}' | b'%' | b'@' | b'`' | b'\t' => return None,
            _ => self.scanner.scan_plain().ok()?,
        }
        if let Some(Token { kind: TokenKind::Scalar(text, style), start, end }) = self.scanner.take() {
            self.push(Kind::Scalar { text, style, tag: Tag::None }, start, end);
        }
        let line = self.scanner.mark().line;
        let below = self.next_line()?;
        // Nothing may follow on the same line, unless a scalar ended at the start of this line.
        let is_next = self.scanner.at_end() || self.scanner.mark().line > line || self.scanner.is_first();
        (is_next && below <= column).then_some(below)
    }
}
