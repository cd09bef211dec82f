use std::sync::Arc;

use crdgen_text::value::Value;

use super::shape::Shape;
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
    Own(Arc<Vec<Val<'a>>>),
}

impl<'a> From<Vec<Val<'a>>> for List<'a> {
    fn from(items: Vec<Val<'a>>) -> Self {
        List { items: Items::Own(Arc::new(items)), kind: ListKind::Plain }
    }
}

impl<'a> List<'a> {
    /// Creates a list from a list of the object, with the shape of its elements.
    pub fn json(items: &'a [Value], shape: &'a Shape, kind: ListKind<'a>) -> Self {
        List { items: Items::Json(items, shape), kind }
    }

    /// A list of this kind.
    pub(super) fn of_kind(items: Vec<Val<'a>>, kind: ListKind<'a>) -> Self {
        List { items: Items::Own(Arc::new(items)), kind }
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        match &self.items {
            Items::Json(items, _) => items.len(),
            Items::Own(items) => items.len(),
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

    /// The JSON of the list, if it is from the object.
    pub(super) fn as_json(&self) -> Option<&'a [Value]> {
        match &self.items {
            Items::Json(items, _) => Some(items),
            Items::Own(_) => None,
        }
    }

    /// Returns an element. Panics if the index is out of bounds.
    pub fn at(&self, index: usize) -> Outcome<'a> {
        match &self.items {
            Items::Json(items, shape) => shape.adapt(&items[index]),
            Items::Own(items) => Ok(items[index].clone()),
        }
    }

    /// Returns the elements. Those of the object may be errors.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Outcome<'a>> + '_ {
        (0..self.len()).map(|i| self.at(i))
    }

    /// Returns all elements as values, or the first error.
    pub fn to_vec(&self) -> Result<Vec<Val<'a>>, Error> {
        match &self.items {
            Items::Json(..) => self.iter().collect(),
            Items::Own(items) => Ok(items.to_vec()),
        }
    }

    /// Converts a value to an index.
    pub fn index(key: &Val<'_>) -> Result<i64, Error> {
        let whole =
            |i: Option<i64>| i.ok_or_else(|| Error::new(format!("unsupported index value {key} in list")));
        match key {
            Val::Int(i) => Ok(*i),
            Val::Uint(u) => whole(i64::try_from(*u).ok()),
            Val::Double(d) => whole(super::numbers::double_to_int(*d)),
            other => Err(Error::new(format!("unsupported index type '{}' in list", other.type_name()))),
        }
    }

    /// Adds elements at the end. Does so in place if the list is not shared.
    pub fn push(&mut self, more: impl IntoIterator<Item = Val<'a>>) -> Result<(), Error> {
        if let Items::Json(..) = self.items {
            self.items = Items::Own(Arc::new(self.to_vec()?));
        }
        if let Items::Own(items) = &mut self.items {
            Arc::make_mut(items).extend(more);
        }
        Ok(())
    }

    /// Concatenates with `+`. Sets keep one of several equal elements, and map lists keep the later one of several
    /// elements with equal keys.
    pub fn concat(&self, other: &List<'a>) -> Outcome<'a> {
        // For lists of the expression, adding an empty list returns the other one.
        if !self.is_json() && self.kind == ListKind::Plain {
            if self.is_empty() {
                return Ok(Val::List(other.clone()));
            }
            if other.is_empty() {
                return Ok(Val::List(self.clone()));
            }
        }
        let mut items = self.to_vec()?;
        match self.kind {
            ListKind::Plain => {
                items.extend(other.to_vec()?);
            }
            ListKind::Set => {
                let mut seen = std::collections::HashSet::new();
                for item in &items {
                    seen.insert(item.set_key()?);
                }
                for item in other.iter() {
                    let item = item?;
                    if seen.insert(item.set_key()?) {
                        items.push(item);
                    }
                }
            }
            ListKind::Map(keys) => {
                let mut places = std::collections::HashMap::new();
                for (i, item) in items.iter().enumerate() {
                    places.insert(item.map_key(keys), i);
                }
                for item in other.iter() {
                    let item = item?;
                    match places.get(&item.map_key(keys)) {
                        Some(i) => items[*i] = item,
                        None => items.push(item),
                    }
                }
            }
        }
        Ok(Val::List(List::of_kind(items, self.kind)))
    }
}
