//! The nodes of a valid JSON text, for finding places in it.

use super::tag::Tag;
use super::tree::{Kind, Node, Style, Tree};
use crate::json;
use crate::value::Value;
use std::borrow::Cow;

/// The nodes of the JSON value at the start of a text.
pub(super) fn parse(text: &[u8]) -> Tree<'static> {
    let mut walk = Walk { text, at: 0, tree: Tree::default() };
    walk.value();
    walk.tree
}

struct Walk<'a> {
    text: &'a [u8],
    at: usize,
    tree: Tree<'static>,
}

impl Walk<'_> {
    /// The next byte that is not a space, comma or colon.
    fn peek(&mut self) -> u8 {
        while let Some(b' ' | b'\t' | b'\n' | b'\r' | b',' | b':') = self.text.get(self.at) {
            self.at += 1;
        }
        self.text.get(self.at).copied().unwrap_or(0)
    }

    fn push(&mut self, kind: Kind<'static>, start: usize) -> usize {
        let id = self.tree.nodes.len();
        let node = Node { kind, next: id as u32 + 1, start: start as u32, end: self.at as u32, line: 0 };
        self.tree.nodes.push(node);
        id
    }

    /// Reads a value or a key. Returns false at the end of a collection.
    fn value(&mut self) -> bool {
        let start = match self.peek() {
            0 | b'}' | b']' => return false,
            _ => self.at,
        };
        match self.text[start] {
            open @ (b'{' | b'[') => {
                self.at += 1;
                let kind = if open == b'{' { Kind::Map { flow: true } } else { Kind::List { flow: true } };
                let id = self.push(kind, start);
                while self.value() {}
                self.at += 1;
                self.tree.nodes[id].next = self.tree.nodes.len() as u32;
            }
            b'"' => {
                self.at += 1;
                while self.text.get(self.at).is_some_and(|c| *c != b'"') {
                    self.at += 1 + usize::from(self.text[self.at] == b'\\');
                }
                self.at = (self.at + 1).min(self.text.len());
                let text = match json::read(&self.text[start..self.at]) {
                    Ok(Value::Str(text)) => text,
                    _ => String::new(),
                };
                self.push(
                    Kind::Scalar { text: Cow::Owned(text), style: Style::Double, tag: Tag::None },
                    start,
                );
            }
            _ => {
                while self.text.get(self.at).is_some_and(|c| !b" \t\r\n,:]}".contains(c)) {
                    self.at += 1;
                }
                let text = String::from_utf8_lossy(&self.text[start..self.at]).into_owned();
                self.push(
                    Kind::Scalar { text: Cow::Owned(text), style: Style::Plain, tag: Tag::None },
                    start,
                );
            }
        }
        true
    }
}
