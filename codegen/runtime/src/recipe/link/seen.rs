//! The types that were linked before, so that a type that occurs many times is read only twice.

use super::{Id, Linked};
use crate::ir::Allowed;
use crate::recipe::places::PlacedTypes;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Where a type occurs, as far as this changes its schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Occurrence {
    pub(super) id: Id,
    /// Whether the type is inside a list or map.
    pub(super) is_repeated: bool,
}

/// The types that were linked before. What a type that occurs only once has become is not kept, because with each of the
/// types around it, the same nodes would be kept once more.
#[derive(Debug)]
pub(super) struct Seen {
    types: HashMap<Occurrence, Option<Again>>,
    /// How many more nodes may be kept.
    budget: usize,
}

/// What a type has become.
#[derive(Clone, Debug)]
pub(super) struct Again {
    pub(super) linked: Linked,
    /// The number of nodes in its schema.
    pub(super) nodes: usize,
    /// How many types are inside of each other in it.
    pub(super) height: usize,
    /// Whether a part of its schema is only a replacement.
    pub(super) is_unknown: bool,
    /// Whether linking it reported mistakes.
    pub(super) has_mistakes: bool,
    /// The warnings that are allowed in it, with the steps from the type.
    pub(super) allowed: Vec<Allowed>,
    /// The types in it whose places are known, with the steps from the type.
    pub(super) placed: PlacedTypes,
}

impl Seen {
    pub(super) fn new(budget: usize) -> Seen {
        Seen { types: HashMap::new(), budget }
    }

    /// Returns what a type has become, if this is known. A type with mistakes is linked again, so that they are reported at
    /// each place, unless there are `enough` mistakes already.
    pub(super) fn get(&self, place: Occurrence, enough: bool) -> Option<Again> {
        self.types.get(&place)?.as_ref().filter(|it| enough || !it.has_mistakes).cloned()
    }

    /// Notes that a type was linked. If it was linked before, calls `again` for what to keep.
    pub(super) fn add(&mut self, place: Occurrence, again: impl FnOnce() -> Again) {
        match self.types.entry(place) {
            Entry::Vacant(entry) => {
                entry.insert(None);
            }
            Entry::Occupied(mut entry) if entry.get().is_none() && self.budget > 0 => {
                let again = again();
                self.budget = self.budget.saturating_sub(again.nodes);
                entry.insert(Some(again));
            }
            Entry::Occupied(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Id, Linked, Linker, Opened, Types, Unknown};
    use crate::diag::{Diags, codes};
    use crate::ir::{Schema, Type};
    use crate::recipe::node::{Enum, Field, Node, Struct, Tagging, Variant};
    use crate::value::Value;
    use std::borrow::Cow;

    /// Types of which each contains the one with the number before it, or the one that is this many before it.
    struct Chain(fn() -> Node);

    impl Types for Chain {
        fn open(&self, id: Id) -> Opened<'_> {
            let node = if id == 0 { Node::plain(Schema::of(Type::Object)) } else { (self.0)() };
            Opened { name: Cow::Borrowed("T"), node: Some(Cow::Owned(node)) }
        }

        fn reference(&self, id: Id, number: usize) -> Option<Id> {
            id.checked_sub(number + 1)
        }

        fn default(&self, _: Id, _: usize) -> Result<Option<Value>, Unknown> {
            Ok(None)
        }
    }

    fn link(node: fn() -> Node, id: Id) -> (Linked, Diags) {
        let types = Chain(node);
        let mut linker = Linker::new(&types, Vec::new());
        let linked = linker.link(id);
        (linked, linker.diags)
    }

    fn structure(numbers: &[usize]) -> Node {
        let field = |(at, number): (usize, &usize)| Field {
            name: format!("f{at}"),
            node: Node::Ref(*number),
            ..Field::default()
        };
        let fields = numbers.iter().enumerate().map(field).collect();
        Node::Struct(Box::new(Struct { fields, ..Struct::default() }))
    }

    #[test]
    fn types_that_occur_many_times_are_read_twice() {
        let (linked, diags) = link(|| Node::Tuple(vec![Node::Ref(0), Node::Ref(0)]), 40);
        assert_eq!((linked.schema.nodes(), diags), (41, Vec::new()));
        let (linked, diags) =
            link(|| Node::Map(Box::new(Node::plain(Schema::of(Type::String))), Box::new(Node::Ref(0))), 40);
        assert_eq!((linked.schema.nodes(), diags.len()), (41, 0));
    }

    #[test]
    fn a_schema_that_doubles_is_too_big() {
        let (_, diags) = link(|| structure(&[0, 0]), 15);
        assert_eq!(diags, Vec::new());
        for level in [20, 40] {
            let (linked, diags) = link(|| structure(&[0, 0]), level);
            assert_eq!(diags.iter().map(|diag| diag.code).collect::<Vec<_>>(), [&codes::rust::TOO_BIG]);
            assert!(linked.schema.nodes() < 400_000, "{}", linked.schema.nodes());
        }
    }

    #[test]
    fn mistakes_of_a_type_are_not_repeated_without_end() {
        let (_, diags) =
            link(|| Node::Tuple(vec![Node::Ref(0), Node::Ref(0), Node::Wrong("w".into(), "h".into())]), 40);
        assert!((1000..10_000).contains(&diags.len()), "{}", diags.len());
    }

    #[test]
    fn types_cannot_become_deeper_by_being_read_once() {
        // The one before it and the one 30 before it: known types are put into known types.
        let (linked, diags) = link(|| structure(&[0, 29]), 50);
        assert!(diags.iter().any(|diag| diag.code == &codes::rust::RECURSIVE), "{diags:?}");
        assert!(depth(&linked.schema) <= 2 * 41, "{}", depth(&linked.schema));
    }

    /// A struct with an optional list of the type before it.
    fn nested() -> Node {
        let node = Node::Option(Box::new(Node::List(Box::new(Node::Ref(0)))));
        let fields = vec![Field { name: "f".into(), node, ..Field::default() }];
        Node::Struct(Box::new(Struct { fields, ..Struct::default() }))
    }

    fn union(tagging: Tagging) -> Node {
        let variant = Variant { name: "V".into(), payload: Some(nested()), ..Variant::default() };
        Node::Enum(Box::new(Enum { tagging, variants: vec![variant], ..Enum::default() }))
    }

    #[test]
    fn types_that_contain_each_other_fit_on_the_stack() {
        let unions: [fn() -> Node; 4] = [
            || union(Tagging::External),
            || union(Tagging::Internal("t".into())),
            || union(Tagging::Adjacent("t".into(), "c".into())),
            || union(Tagging::Untagged),
        ];
        for node in [nested as fn() -> Node].into_iter().chain(unions) {
            let (linked, diags) = link(node, super::super::MAX_DEPTH);
            assert!(diags.is_empty(), "{diags:?}");
            assert!(linked.schema.nodes() > super::super::MAX_DEPTH);
        }
    }

    fn depth(schema: &Schema) -> usize {
        1 + schema.properties.values().map(depth).max().unwrap_or(0)
    }
}
