//! The nodes of one YAML document, in the order of the text. Children follow their parent, and each node knows the
//! index of the node after its subtree. Decoding and finding places need nothing else, and all nodes are in one
//! allocation.

use super::problem::Problem;
use super::tag::Tag;
use std::borrow::Cow;

/// The index of a node.
pub(super) type Id = usize;

/// The maximum number of keys, values and collections in a document. It limits the memory.
pub(super) const MAX_NODES: usize = 4_000_000;

/// The nodes of a document. The root is the first. An empty text has no nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree<'a> {
    /// The text, for messages.
    pub(super) text: &'a str,
    pub(super) nodes: Vec<Node<'a>>,
    /// Whether there are aliases.
    pub(super) aliases: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Node<'a> {
    pub(super) kind: Kind<'a>,
    /// The index of the node after this one and all nodes below it.
    pub(super) next: u32,
    /// The first byte, including an anchor or a tag.
    pub(super) start: u32,
    /// The byte after a scalar or an alias, or after the token that opens a collection.
    pub(super) end: u32,
    /// The line of the first byte, from 1.
    pub(super) line: u32,
}

#[derive(Clone, Debug)]
pub(super) enum Kind<'a> {
    Scalar { text: Cow<'a, str>, style: Style, tag: Tag },
    List { flow: bool },
    Map { flow: bool },
    Alias { target: u32 },
}

/// The style of a scalar in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    Single,
    Double,
    Literal,
    Folded,
}

impl<'a> Tree<'a> {
    /// The same nodes with owned texts.
    pub(super) fn into_owned(self) -> Tree<'static> {
        let own = |node: Node<'a>| {
            let kind = match node.kind {
                Kind::Scalar { text, style, tag } => {
                    Kind::Scalar { text: Cow::Owned(text.into_owned()), style, tag }
                }
                Kind::List { flow } => Kind::List { flow },
                Kind::Map { flow } => Kind::Map { flow },
                Kind::Alias { target } => Kind::Alias { target },
            };
            Node { kind, next: node.next, start: node.start, end: node.end, line: node.line }
        };
        Tree { text: "", nodes: self.nodes.into_iter().map(own).collect(), aliases: self.aliases }
    }

    pub(super) fn next(&self, id: Id) -> Id {
        self.nodes[id].next as usize
    }

    /// The children of a node.
    pub(super) fn children(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        let end = self.next(id);
        let mut at = id + 1;
        std::iter::from_fn(move || {
            (at < end).then(|| {
                let child = at;
                at = self.next(child);
                child
            })
        })
    }

    /// The keys and values of a map.
    pub(super) fn members(&self, id: Id) -> impl Iterator<Item = (Id, Id)> + '_ {
        let mut children = self.children(id);
        std::iter::from_fn(move || Some((children.next()?, children.next()?)))
    }

    /// Whether a key is the merge key.
    pub(super) fn is_merge(&self, id: Id) -> bool {
        match &self.nodes[id].kind {
            Kind::Scalar { text, style, tag } => {
                text == "<<"
                    && (*style == Style::Plain && *tag == Tag::None || matches!(tag, Tag::Bang | Tag::Merge))
            }
            Kind::List { .. } | Kind::Map { .. } | Kind::Alias { .. } => false,
        }
    }

    /// The node to which an alias refers. For any other node, the node itself.
    pub(super) fn resolve(&self, id: Id) -> Id {
        match self.nodes[id].kind {
            Kind::Alias { target } => target as usize,
            Kind::Scalar { .. } | Kind::List { .. } | Kind::Map { .. } => id,
        }
    }

    pub(super) fn problem(&self, id: Id, text: impl Into<String>) -> Problem {
        let node = &self.nodes[id];
        Problem::between(node.start as usize..node.end as usize, text)
    }
}
