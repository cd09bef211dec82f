//! Documents that are being written: whatever mistakes a text has, it has a tree with places.

use super::align::align;
use super::decode;
use super::parse;
use super::stream::{self, Splitter};
use super::tree::{Id, Kind, Node, Style, Tree};
use super::{Format, encoding, json_tree};
use crate::json;
use crate::path::Step;
use crate::value::Value;
use std::borrow::Cow;
use std::ops::Range;

/// A document of a text that is being written. For a document without mistakes, it has exactly what [`super::read`] reads. In any
/// other, it has everything before the first mistake, and of the rest as much as makes sense: keys without colons or values, open
/// brackets and quotes, lines with a wrong indentation.
#[derive(Clone, Debug)]
pub struct Draft {
    tree: Tree<'static>,
    range: Range<usize>,
}

/// A key, a value or a collection of a [`Draft`].
#[derive(Clone, Copy, Debug)]
pub struct Part<'d> {
    draft: &'d Draft,
    id: Id,
}

/// What a [`Part`] is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form<'d> {
    /// A scalar, or nothing at all, with its text.
    Scalar(&'d str),
    /// A list.
    List,
    /// A map.
    Map,
}

/// What is at a place of a [`Draft`].
#[derive(Clone, Debug)]
pub struct Spot<'d> {
    /// The steps to the value, or to the map of a key.
    pub steps: Vec<Step>,
    /// The collections from the document to the place, including one that starts at the place.
    pub around: Vec<Part<'d>>,
    /// The key of the value, or the key at the place.
    pub key: Option<Part<'d>>,
    /// What the place touches.
    pub touches: Touches<'d>,
}

/// What a place touches.
#[derive(Clone, Copy, Debug)]
pub enum Touches<'d> {
    /// The key of a member.
    Key(Part<'d>),
    /// A scalar.
    Value(Part<'d>),
    /// The space between them.
    Nothing,
}

/// The bytes of the documents of a text.
fn pieces(text: &str) -> (Format, Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    match stream::looks_like_json(bytes).then(|| json_ranges(bytes)).flatten() {
        Some(ranges) => (Format::Json, ranges),
        None => (Format::Yaml, yaml_ranges(bytes)),
    }
}

fn json_ranges(text: &[u8]) -> Option<Vec<Range<usize>>> {
    let (mut ranges, mut at) = (Vec::new(), 0);
    while let Some((_, len)) = json::read_first(&text[at..]).ok()? {
        ranges.push(at..at + len);
        at += len;
    }
    Some(ranges)
}

fn yaml_ranges(text: &[u8]) -> Vec<Range<usize>> {
    let mut pieces = Splitter::default();
    std::iter::from_fn(|| pieces.next(text)).filter_map(Result::ok).collect()
}

impl Draft {
    fn read(text: &str, format: Format, range: Range<usize>) -> Draft {
        let source = text.get(range.clone()).unwrap_or_default();
        let tree = match format {
            Format::Json => json_tree::parse(source.as_bytes()),
            Format::Yaml => parse::parse_tolerant(&readable(source)).into_owned(),
        };
        Draft { tree, range }
    }

    /// Reads all documents of a text.
    pub fn read_all(text: &str) -> Vec<Draft> {
        let (format, ranges) = pieces(text);
        ranges.into_iter().map(|range| Draft::read(text, format, range)).collect()
    }

    /// Reads the document of a text that contains a byte, or ends before it.
    pub fn read_at(text: &str, offset: usize) -> Option<Draft> {
        let (format, ranges) = pieces(text);
        let range = ranges.into_iter().rfind(|range| range.start <= offset)?;
        Some(Draft::read(text, format, range))
    }

    /// Returns the bytes of the document in its text.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Returns the value of the document, unless it is empty.
    pub fn root(&self) -> Option<Part<'_>> {
        self.tree.nodes.first().map(|_| Part { draft: self, id: 0 })
    }

    /// Returns what is at a byte of the text.
    pub fn spot(&self, offset: usize) -> Spot<'_> {
        let (steps, around) = (Vec::new(), Vec::new());
        let mut spot = Spot { steps, around, key: None, touches: Touches::Nothing };
        let mut here = self.root();
        while let Some(part) = here.take().filter(|part| part.starts_by(offset)) {
            let form = if part.is_alias() { Form::Scalar("") } else { part.form() };
            match form {
                Form::Scalar(_) if part.range().end >= offset => spot.touches = Touches::Value(part),
                Form::Scalar(_) => {}
                Form::List => {
                    spot.around.push(part);
                    if let Some((i, item)) =
                        part.items().enumerate().filter(|(_, it)| it.starts_by(offset)).last()
                    {
                        spot.steps.push(Step::Index(i));
                        spot.key = None;
                        here = Some(item);
                    }
                }
                Form::Map => {
                    spot.around.push(part);
                    let Some((key, value)) = part.members().filter(|(key, _)| key.starts_by(offset)).last()
                    else {
                        continue;
                    };
                    spot.key = Some(key);
                    if key.range().end >= offset && !key.range().is_empty() {
                        spot.touches = Touches::Key(key);
                        continue;
                    }
                    spot.steps.push(Step::Key(key.name().into_owned()));
                    here = Some(value);
                }
            }
        }
        spot
    }
}

impl<'d> Part<'d> {
    fn node(self) -> &'d Node<'static> {
        &self.draft.tree.nodes[self.id]
    }

    fn at(self, id: Id) -> Part<'d> {
        Part { id, ..self }
    }

    /// What an alias refers to, unless it contains the alias.
    fn resolved(self) -> Part<'d> {
        let target = self.draft.tree.resolve(self.id);
        if self.id < self.draft.tree.next(target) && target < self.id { self } else { self.at(target) }
    }

    fn starts_by(self, offset: usize) -> bool {
        self.range().start <= offset
    }

    /// Returns what the part is. An alias is what it refers to.
    pub fn form(self) -> Form<'d> {
        match &self.resolved().node().kind {
            Kind::Scalar { text, .. } => Form::Scalar(text),
            Kind::List { .. } => Form::List,
            Kind::Map { .. } => Form::Map,
            Kind::Alias { .. } => Form::Scalar(""),
        }
    }

    /// Whether the part is an alias. To visit every part once, do not visit the parts of what an alias refers to.
    pub fn is_alias(self) -> bool {
        matches!(self.node().kind, Kind::Alias { .. })
    }

    /// Whether the part is a scalar without quotes.
    pub fn is_plain(self) -> bool {
        matches!(self.node().kind, Kind::Scalar { style: Style::Plain, .. })
    }

    /// Returns the bytes of a scalar, or of the start of a collection.
    pub fn range(self) -> Range<usize> {
        let (node, base) = (self.node(), self.draft.range.start);
        base + node.start as usize..base + node.end as usize
    }

    /// Returns the bytes from the start of the part to the end of its last scalar.
    pub fn extent(self) -> Range<usize> {
        let last = self.draft.tree.next(self.id).saturating_sub(1).max(self.id);
        self.range().start..self.at(last).range().end
    }

    /// Returns the value, as the server reads it. `None` if it cannot read it.
    pub fn value(self) -> Option<Value> {
        decode::part(&self.draft.tree, self.id).ok()
    }

    /// Returns the place in a scalar's value for a byte of `text`, in which the document is.
    pub fn byte_of(self, text: &str, offset: usize) -> Option<usize> {
        let Kind::Scalar { text: value, style, .. } = &self.node().kind else { return None };
        let (range, value) = (self.range(), value.as_ref());
        let source = text.get(range.clone())?;
        let wanted = offset.checked_sub(range.start)?;
        let starts: Vec<usize> =
            value.char_indices().map(|(at, _)| at).chain(std::iter::once(value.len())).collect();
        let is_before =
            |at: &usize| align(source, value, *style, *at..*at).is_some_and(|found| found.start < wanted);
        let found = starts.partition_point(is_before);
        Some(starts.get(found).copied().unwrap_or(value.len()))
    }

    /// Returns the bytes of `text`, in which the document is, that produce some bytes of a scalar's value.
    pub fn source_of(self, text: &str, inside: Range<usize>) -> Option<Range<usize>> {
        let Kind::Scalar { text: value, style, .. } = &self.node().kind else { return None };
        let range = self.range();
        let found = align(text.get(range.clone())?, value, *style, inside)?;
        Some(range.start + found.start..range.start + found.end)
    }

    /// Returns the name of a key, as the server reads it.
    pub fn name(self) -> Cow<'d, str> {
        let part = self.resolved();
        match &part.node().kind {
            Kind::Scalar { text, style, tag } => {
                match decode::key(&part.draft.tree, part.id, text, *style, *tag) {
                    Ok(name) => Cow::Owned(name),
                    Err(_) => Cow::Borrowed(text),
                }
            }
            Kind::List { .. } | Kind::Map { .. } | Kind::Alias { .. } => Cow::Borrowed(""),
        }
    }

    /// Returns the keys and values of a map. Others have none.
    pub fn members(self) -> impl Iterator<Item = (Part<'d>, Part<'d>)> {
        let map = Some(self.resolved()).filter(|map| map.form() == Form::Map);
        map.into_iter().flat_map(|map| {
            map.draft.tree.members(map.id).map(move |(key, value)| (map.at(key), map.at(value)))
        })
    }

    /// Returns the items of a list. Others have none.
    pub fn items(self) -> impl Iterator<Item = Part<'d>> {
        let list = Some(self.resolved()).filter(|list| list.form() == Form::List);
        list.into_iter().flat_map(|list| list.draft.tree.children(list.id).map(move |item| list.at(item)))
    }

    /// Returns the key and the value of a member. The last one with the name counts.
    pub fn member(self, name: &str) -> Option<(Part<'d>, Part<'d>)> {
        self.members().filter(|(key, _)| key.name() == name).last()
    }

    /// Returns the part at the end of some steps.
    pub fn find(self, steps: &[Step]) -> Option<Part<'d>> {
        steps.iter().try_fold(self, |part, step| match step {
            Step::Key(name) => part.member(name).map(|(_, value)| value),
            Step::Index(i) => part.items().nth(*i),
        })
    }

    /// Returns the text of the scalar at the end of some keys.
    pub fn text_at(self, keys: &[&str]) -> Option<&'d str> {
        let found = keys.iter().try_fold(self, |part, name| part.member(name).map(|(_, value)| value))?;
        match found.form() {
            Form::Scalar(text) => Some(text),
            Form::List | Form::Map => None,
        }
    }
}

/// The text with other characters in place of those that YAML does not allow, each as long as what it replaces, and with a line break
/// at its end.
fn readable(text: &str) -> Cow<'_, str> {
    let (good, broken) = encoding::check(text.as_bytes());
    if broken.is_none() && (text.is_empty() || text.ends_with('\n')) {
        return Cow::Borrowed(good);
    }
    let mut out = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' | '\u{85}' => out.push(c),
            _ if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                out.extend(std::iter::repeat_n('?', c.len_utf8()));
            }
            _ => out.push(c),
        }
    }
    if !out.ends_with('\n') {
        out.push('\n');
    }
    Cow::Owned(out)
}
