//! Finds places in a document. The index for this is built at the first search, and then kept.

use super::align::align;
use super::tag::Tag;
use super::text::Text;
use super::tree::{Id, Kind, Node, Style, Tree};
use super::{Format, decode, encoding, json_tree, parse};
use crate::path::Step;
use crate::span::Place;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Mutex;

/// The nodes of a document.
#[derive(Debug)]
pub(super) struct Index {
    tree: Tree<'static>,
    /// The members of large maps by name. A map is added at the first search in it, because a document may have errors
    /// at many members.
    large: Mutex<HashMap<Id, Members>>,
    /// The items of lists. A list is added at the first search for an item far from its start.
    items: Mutex<HashMap<Id, Vec<Id>>>,
}

/// The key and the value of each member of a map, by name.
type Members = HashMap<String, (Id, Id)>;

/// Maps and lists with at most this many members or items are searched one by one.
const SMALL: usize = 64;

impl Clone for Index {
    fn clone(&self) -> Index {
        Index { tree: self.tree.clone(), large: Mutex::default(), items: Mutex::default() }
    }
}

/// A member of a map or an item of a list.
#[derive(Clone, Copy)]
struct Child {
    /// The key, if it is a member.
    key: Option<Id>,
    /// The value. For an alias, the value it refers to.
    value: Id,
}

impl Index {
    /// The index of the document at `range`, which has been read before.
    pub(super) fn new(text: &[u8], range: Range<usize>, format: Format) -> Option<Index> {
        let source = &text[range];
        let tree = match format {
            Format::Json => json_tree::parse(source),
            Format::Yaml => {
                let (good, broken) = encoding::check(source);
                parse::parse(good, broken).ok()?
            }
        };
        if tree.nodes.is_empty() {
            return None;
        }
        Some(Index { tree: tree.into_owned(), large: Mutex::default(), items: Mutex::default() })
    }

    /// The member or item at the end of the steps, or if some steps do not exist, at the last one that does. Also
    /// returns the number of steps that exist.
    fn find(&self, steps: &[Step]) -> (Child, usize) {
        let mut found = Child { key: None, value: self.tree.resolve(0) };
        for (taken, step) in steps.iter().enumerate() {
            let next = match (&self.tree.nodes[found.value].kind, step) {
                (Kind::Map { .. }, Step::Key(name)) => self.member(found.value, name),
                (Kind::List { .. }, Step::Index(i)) => {
                    self.item(found.value, *i).map(|value| Child { key: None, value })
                }
                _ => None,
            };
            match next {
                Some(Child { key, value }) => found = Child { key, value: self.tree.resolve(value) },
                None => return (found, taken),
            }
        }
        (found, steps.len())
    }

    /// An item of a list. A document may have errors at many items.
    fn item(&self, list: Id, index: usize) -> Option<Id> {
        if index < SMALL {
            return self.tree.children(list).nth(index);
        }
        let mut items = self.items.lock().ok()?;
        let items = items.entry(list).or_insert_with(|| self.tree.children(list).collect());
        items.get(index).copied()
    }

    /// The member of a map by the rules for repeated keys: the last one with the name wins, and merged members count at
    /// the place of the merge key.
    fn member(&self, map: Id, name: &str) -> Option<Child> {
        let tree = &self.tree;
        if tree.members(map).nth(SMALL).is_some()
            && let Some(found) = self.member_of_large(map, name)
        {
            return found;
        }
        let mut found = None;
        for (key, value) in tree.members(map) {
            if !tree.is_merge(key) {
                if self.key_is(key, name) {
                    found = Some(Child { key: Some(key), value });
                }
                continue;
            }
            let merged = tree.resolve(value);
            match tree.nodes[merged].kind {
                Kind::Map { .. } => found = self.member(merged, name).or(found),
                Kind::List { .. } => {
                    // In a list of merged maps, the first one with the name wins.
                    let of_list =
                        tree.children(merged).find_map(|child| self.member(tree.resolve(child), name));
                    found = of_list.or(found);
                }
                Kind::Scalar { .. } | Kind::Alias { .. } => {}
            }
        }
        found
    }

    /// The same for a large map.
    fn member_of_large(&self, map: Id, name: &str) -> Option<Option<Child>> {
        let mut large = self.large.lock().ok()?;
        let members = large.entry(map).or_insert_with(|| {
            let mut members = Members::new();
            self.add_members(map, &mut members);
            members
        });
        let found = members.get(name);
        Some(found.map(|(key, value)| Child { key: Some(*key), value: *value }))
    }

    /// Adds the members of a map, also those that it merges. Later ones replace earlier ones.
    fn add_members(&self, map: Id, out: &mut Members) {
        let tree = &self.tree;
        for (key, value) in tree.members(map) {
            if !tree.is_merge(key) {
                out.extend(self.key_name(key).map(|name| (name, (key, value))));
                continue;
            }
            let merged = tree.resolve(value);
            let maps = match tree.nodes[merged].kind {
                Kind::List { .. } => tree.children(merged).map(|child| tree.resolve(child)).collect(),
                Kind::Map { .. } => vec![merged],
                Kind::Scalar { .. } | Kind::Alias { .. } => Vec::new(),
            };
            // In a list of merged maps, the first one with the name wins.
            for map in maps.into_iter().rev() {
                self.add_members(map, out);
            }
        }
    }

    fn key_is(&self, id: Id, name: &str) -> bool {
        self.key_name(id).is_some_and(|key| key == name)
    }

    fn key_name(&self, id: Id) -> Option<String> {
        let id = self.tree.resolve(id);
        match &self.tree.nodes[id].kind {
            Kind::Scalar { text, style, tag } => decode::key(&self.tree, id, text, *style, *tag).ok(),
            Kind::List { .. } | Kind::Map { .. } | Kind::Alias { .. } => None,
        }
    }

    /// The place of a value. For a block collection, this is the place of its key, because the collection itself starts
    /// on the next line and has many lines.
    pub(super) fn value(&self, text: &Text, base: usize, steps: &[Step]) -> Place {
        let (found, taken) = self.find(steps);
        let node = &self.tree.nodes[found.value];
        let is_value = taken == steps.len() || found.key.is_none();
        let id = match (&node.kind, found.key) {
            (Kind::Scalar { .. } | Kind::List { flow: true } | Kind::Map { flow: true }, _)
                if is_value && node.end > node.start =>
            {
                found.value
            }
            (_, Some(key)) => key,
            _ => found.value,
        };
        self.place_of(text, base, id)
    }

    /// The place of the key of a member. None for an item of a list.
    pub(super) fn key(&self, text: &Text, base: usize, steps: &[Step]) -> Option<Place> {
        let (found, taken) = self.find(steps);
        let key = found.key.filter(|_| taken == steps.len())?;
        Some(self.place_of(text, base, key))
    }

    /// The text of a key that YAML reads as another text, without quotes and tag. None if it is read as it is written.
    pub(super) fn key_as_written(&self, steps: &[Step]) -> Option<&str> {
        let (found, taken) = self.find(steps);
        let key = self.tree.resolve(found.key.filter(|_| taken == steps.len())?);
        match (&self.tree.nodes[key].kind, steps.last()?) {
            (Kind::Scalar { text, style: Style::Plain, tag: Tag::None }, Step::Key(name)) => {
                Some(text.as_ref()).filter(|text| text != name)
            }
            _ => None,
        }
    }

    fn place_of(&self, text: &Text, base: usize, id: Id) -> Place {
        text.place(shown(&self.tree, &text.bytes, base, id))
    }

    /// The place of a range of bytes inside a string.
    pub(super) fn inside(
        &self,
        text: &Text,
        base: usize,
        steps: &[Step],
        inside: Range<usize>,
    ) -> Option<Place> {
        let (found, taken) = self.find(steps);
        let node = &self.tree.nodes[found.value];
        let Kind::Scalar { text: value, style, .. } = &node.kind else { return None };
        if taken < steps.len() || inside.start > inside.end || inside.end > value.len() {
            return None;
        }
        let start = content_start(node, &text.bytes, base);
        let end = base + node.end as usize;
        let source = String::from_utf8_lossy(&text.bytes[start..end]);
        let range = align(&source, value, *style, inside)?;
        Some(text.place(start + range.start..start + range.end))
    }
}

/// The bytes that represent a node in messages. The document starts at `base`.
pub(super) fn shown(tree: &Tree<'_>, text: &[u8], base: usize, id: Id) -> Range<usize> {
    let mut id = id;
    let start = content_start(&tree.nodes[id], text, base);
    // A block collection is represented by its first scalar.
    while let Kind::List { flow: false } | Kind::Map { flow: false } = tree.nodes[id].kind
        && tree.next(id) > id + 1
    {
        id += 1;
    }
    let end = (base + tree.nodes[id].end as usize).max(start);
    // The last line break of a block is not part of its lines.
    let spaces = text[start..end].iter().rev().take_while(|c| c.is_ascii_whitespace()).count();
    start..end - spaces
}

/// The start of a node, after its anchor and its tag.
fn content_start(node: &Node<'_>, text: &[u8], base: usize) -> usize {
    let (start, end) = (base + node.start as usize, base + node.end as usize);
    let mut at = start;
    while at < end && matches!(text[at], b'&' | b'!') {
        while at < end && !text[at].is_ascii_whitespace() {
            at += 1;
        }
        while at < end && text[at].is_ascii_whitespace() {
            at += 1;
        }
    }
    if at < end { at } else { start }
}
