use std::sync::Arc;

use crdgen_text::value::Value;

use super::shape::Shape;
use super::work::Work;
use super::{Error, Outcome, Val};

/// A list, which is a part of the object or was created at run time.
#[derive(Clone, Debug)]
pub struct List<'a> {
    items: Items<'a>,
    kind: ListKind<'a>,
}

/// How the schema identifies the elements of a list. This determines equality and `+`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListKind<'a> {
    /// Elements are identified by their place.
    Plain,
    /// Each element occurs once, and their order does not matter.
    Set,
    /// The elements are objects, identified by these properties, which are given as CEL identifiers.
    Map(&'a [String]),
}

#[derive(Clone, Debug)]
enum Items<'a> {
    Json(&'a [Value], &'a Shape),
    Own(Arc<Own<'a>>),
    Both(Arc<Both<'a>>),
}

/// Elements that were created at run time.
#[derive(Clone, Debug)]
struct Own<'a> {
    items: Vec<Val<'a>>,
    facts: Facts,
}

/// One list after another. `+` copies no elements, as in the server.
#[derive(Debug)]
struct Both<'a> {
    parts: [List<'a>; 2],
    len: usize,
    /// How deeply such lists are nested.
    height: u16,
    facts: Facts,
    /// Whether the server does not copy the elements either. Then equality and `in` have the rules of the parts.
    view: bool,
}

/// What is known about a value without a look at everything in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    /// How deeply lists, maps and optionals are nested.
    pub(super) depth: u16,
    /// Whether the value equals itself. NaN does not, and other values cannot be compared.
    pub(super) reflexive: bool,
}

impl Facts {
    /// The facts about an empty list or map.
    pub(super) const EMPTY: Facts = Facts { depth: 1, reflexive: true };

    /// Adds an element.
    pub(super) fn add(&mut self, element: &Val<'_>) {
        self.depth = self.depth.max(element.depth().saturating_add(1));
        self.reflexive &= element.is_reflexive();
    }

    pub(super) fn of<'v, 'a: 'v>(elements: impl Iterator<Item = &'v Val<'a>>) -> Facts {
        let mut facts = Facts::EMPTY;
        elements.for_each(|element| facts.add(element));
        facts
    }
}

/// How deeply concatenated lists may be nested. Beyond this, the elements are copied.
const HEIGHT: u16 = 500;

impl<'a> From<Vec<Val<'a>>> for List<'a> {
    fn from(items: Vec<Val<'a>>) -> Self {
        List::of_kind(items, ListKind::Plain)
    }
}

impl<'a> List<'a> {
    /// Creates a list from a list of the object, with the shape of its elements.
    pub fn json(items: &'a [Value], shape: &'a Shape, kind: ListKind<'a>) -> Self {
        List { items: Items::Json(items, shape), kind }
    }

    /// A list of this kind.
    fn of_kind(items: Vec<Val<'a>>, kind: ListKind<'a>) -> Self {
        let facts = Facts::of(items.iter());
        List { items: Items::Own(Arc::new(Own { items, facts })), kind }
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        match &self.items {
            Items::Json(items, _) => items.len(),
            Items::Own(own) => own.items.len(),
            Items::Both(both) => both.len,
        }
    }

    /// Whether the list has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns how the schema identifies the elements.
    pub fn kind(&self) -> ListKind<'a> {
        self.kind
    }

    /// Whether the list is a part of the object.
    pub fn is_json(&self) -> bool {
        matches!(self.items, Items::Json(..))
    }

    /// Whether comparing the list with a value of another type is an error.
    pub(crate) fn insists(&self) -> bool {
        self.kind != ListKind::Plain || matches!(self.items, Items::Json(_, items) if items.insists())
    }

    /// The JSON of the list, if it is from the object.
    pub(super) fn as_json(&self) -> Option<&'a [Value]> {
        match &self.items {
            Items::Json(items, _) => Some(items),
            Items::Own(_) | Items::Both(_) => None,
        }
    }

    /// The two parts of a list that the server concatenates without copying.
    pub(crate) fn view(&self) -> Option<&[List<'a>; 2]> {
        match &self.items {
            Items::Both(both) if both.view => Some(&both.parts),
            Items::Json(..) | Items::Own(_) | Items::Both(_) => None,
        }
    }

    pub(super) fn facts(&self) -> Facts {
        match &self.items {
            // Elements of the object may be errors.
            Items::Json(..) => Facts { reflexive: false, ..Facts::EMPTY },
            Items::Own(own) => own.facts,
            Items::Both(both) => both.facts,
        }
    }

    /// Whether the other list is the same value in memory, and equals itself.
    pub(super) fn is_same(&self, other: &List<'a>) -> bool {
        let shared = match (&self.items, &other.items) {
            (Items::Own(a), Items::Own(b)) => Arc::ptr_eq(a, b),
            (Items::Both(a), Items::Both(b)) => Arc::ptr_eq(a, b),
            _ => false,
        };
        shared && self.kind == ListKind::Plain && self.facts().reflexive
    }

    /// Returns an element. Panics if the index is out of bounds.
    pub fn at(&self, mut index: usize) -> Outcome<'a> {
        let mut list = self;
        loop {
            match &list.items {
                Items::Json(items, shape) => return shape.adapt(&items[index]),
                Items::Own(own) => return Ok(own.items[index].clone()),
                Items::Both(both) => {
                    let [left, right] = &both.parts;
                    match index.checked_sub(left.len()) {
                        None => list = left,
                        Some(rest) => (list, index) = (right, rest),
                    }
                }
            }
        }
    }

    /// Returns the elements. Those of the object may be errors.
    pub fn iter(&self) -> impl Iterator<Item = Outcome<'a>> + '_ {
        Elements { list: self, next: 0, later: Vec::new() }
    }

    /// Returns all elements as values, or the first error.
    pub(crate) fn to_vec(&self, work: &Work) -> Result<Vec<Val<'a>>, Error> {
        work.items(self.len())?;
        match &self.items {
            Items::Json(..) | Items::Both(_) => self.iter().collect(),
            Items::Own(own) => Ok(own.items.clone()),
        }
    }

    /// Converts a value to an index.
    pub(crate) fn index(key: &Val<'_>, work: &Work) -> Result<i64, Error> {
        let whole = |i: Option<i64>| match i {
            Some(i) => Ok(i),
            None => Err(Error::new(format!("unsupported index value {} in list", work.show(key)?))),
        };
        match key {
            Val::Int(i) => Ok(*i),
            Val::Uint(u) => whole(i64::try_from(*u).ok()),
            Val::Double(d) => whole(super::numbers::double_to_int(*d)),
            other => Err(Error::new(format!("unsupported index type '{}' in list", other.type_name()))),
        }
    }

    /// Adds an element at the end. Does so in place if the list is not shared.
    pub(crate) fn push(&mut self, item: Val<'a>, work: &Work) -> Result<(), Error> {
        let shared = match &mut self.items {
            Items::Json(..) | Items::Both(_) => true,
            Items::Own(own) => Arc::get_mut(own).is_none(),
        };
        if shared {
            *self = List::from(self.to_vec(work)?);
        }
        work.items(1)?;
        if let Items::Own(own) = &mut self.items {
            let own = Arc::make_mut(own);
            own.facts.add(&item);
            own.items.push(item);
        }
        Ok(())
    }

    /// Concatenates with `+`. Sets keep one of several equal elements, and map lists keep the later one of several
    /// elements with equal keys.
    pub(crate) fn concat(&self, other: &List<'a>, work: &Work) -> Outcome<'a> {
        let mut items = match self.kind {
            ListKind::Plain => return self.followed_by(other, work),
            ListKind::Set | ListKind::Map(_) => self.to_vec(work)?,
        };
        work.items(other.len())?;
        match self.kind {
            ListKind::Plain => {}
            ListKind::Set => {
                let mut seen = std::collections::HashSet::new();
                for item in &items {
                    seen.insert(item.set_key(work)?);
                }
                for item in other.iter() {
                    let item = item?;
                    if seen.insert(item.set_key(work)?) {
                        items.push(item);
                    }
                }
            }
            ListKind::Map(keys) => {
                let mut places = std::collections::HashMap::new();
                for (i, item) in items.iter().enumerate() {
                    places.insert(item.map_key(keys, work), i);
                }
                for item in other.iter() {
                    let item = item?;
                    match places.get(&item.map_key(keys, work)) {
                        Some(i) => items[*i] = item,
                        None => items.push(item),
                    }
                }
            }
        }
        Ok(Val::List(List::of_kind(items, self.kind)))
    }

    fn followed_by(&self, other: &List<'a>, work: &Work) -> Outcome<'a> {
        let view = !self.is_json();
        // For lists of the expression, adding an empty list returns the other one.
        if view && self.is_empty() {
            return Ok(Val::List(other.clone()));
        }
        if view && other.is_empty() {
            return Ok(Val::List(self.clone()));
        }
        let height = 1 + self.height().max(other.height());
        let len = self.len().saturating_add(other.len());
        if height > HEIGHT {
            work.items(len)?;
            let items: Result<Vec<_>, _> = self.iter().chain(other.iter()).collect();
            return items.map(Val::list);
        }
        work.bytes(size_of::<Both<'_>>())?;
        let (a, b) = (self.facts(), other.facts());
        let facts = Facts { depth: a.depth.max(b.depth), reflexive: a.reflexive && b.reflexive };
        let both = Both { parts: [self.clone(), other.clone()], len, height, facts, view };
        Ok(Val::List(List { items: Items::Both(Arc::new(both)), kind: ListKind::Plain }))
    }

    fn height(&self) -> u16 {
        match &self.items {
            Items::Json(..) | Items::Own(_) => 0,
            Items::Both(both) => both.height,
        }
    }
}

/// The elements of a list, in order.
struct Elements<'l, 'a> {
    list: &'l List<'a>,
    /// The next element of `list`.
    next: usize,
    /// The lists after `list`, the nearest one last.
    later: Vec<&'l List<'a>>,
}

impl<'a> Iterator for Elements<'_, 'a> {
    type Item = Outcome<'a>;

    fn next(&mut self) -> Option<Outcome<'a>> {
        loop {
            if let Items::Both(both) = &self.list.items {
                let [left, right] = &both.parts;
                self.later.push(right);
                self.list = left;
            } else if self.next < self.list.len() {
                self.next += 1;
                return Some(self.list.at(self.next - 1));
            } else {
                self.list = self.later.pop()?;
                self.next = 0;
            }
        }
    }
}
