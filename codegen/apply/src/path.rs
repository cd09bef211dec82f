//! Paths in objects, as managed fields name them.

use crate::order;
use crdgen_text::value::Value;
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// One step of a path. Elements are shared, because sets copy them often.
#[derive(Clone, Debug)]
pub enum PathElement {
    /// A field of an object.
    Field(Arc<str>),
    /// The item of a list map that has these keys. They are sorted by name.
    Key(Arc<[(String, Value)]>),
    /// The item of a set that has this value.
    Value(Arc<Value>),
    /// The item of a list at an index.
    Index(i64),
}

impl PathElement {
    /// Creates the element of a field.
    pub fn field(name: &str) -> PathElement {
        PathElement::Field(Arc::from(name))
    }

    /// Creates the element of an item with keys, in any order.
    pub fn key(mut keys: Vec<(String, Value)>) -> PathElement {
        keys.sort_by(|(a, _), (b, _)| a.cmp(b));
        PathElement::Key(Arc::from(keys))
    }

    /// Creates the element of an item of a set.
    pub fn value(value: Value) -> PathElement {
        PathElement::Value(Arc::new(value))
    }

    /// Whether the element names this item of a list. An index names none, because it is not known.
    pub fn is_of(&self, item: &Value) -> bool {
        match self {
            PathElement::Key(keys) => {
                keys.iter().all(|(name, key)| item.get(name).is_some_and(|it| order::equal(it, key)))
            }
            PathElement::Value(value) => order::equal(value, item),
            PathElement::Field(_) | PathElement::Index(_) => false,
        }
    }

    fn rank(&self) -> u8 {
        match self {
            PathElement::Field(_) => 0,
            PathElement::Key(_) => 1,
            PathElement::Value(_) => 2,
            PathElement::Index(_) => 3,
        }
    }

    /// About as many bytes as its text has.
    pub(crate) fn length(&self) -> usize {
        match self {
            PathElement::Field(name) => name.len(),
            PathElement::Key(keys) => keys_length(borrowed(keys)),
            PathElement::Value(value) => value_length(value),
            PathElement::Index(_) => SHORT,
        }
    }
}

/// About as many bytes as the text of a number has.
const SHORT: usize = 8;

fn value_length(value: &Value) -> usize {
    value.as_str().map_or(SHORT, str::len)
}

fn keys_length<'v>(keys: impl Iterator<Item = (&'v str, &'v Value)>) -> usize {
    keys.map(|(name, value)| name.len() + value_length(value)).sum()
}

/// The order in which the server writes elements.
impl Ord for PathElement {
    fn cmp(&self, other: &PathElement) -> Ordering {
        match (self, other) {
            (PathElement::Field(a), PathElement::Field(b)) => a.cmp(b),
            (PathElement::Key(a), PathElement::Key(b)) => compare_keys(borrowed(a), borrowed(b)),
            (PathElement::Value(a), PathElement::Value(b)) => order::compare(a, b),
            (PathElement::Index(a), PathElement::Index(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

fn borrowed(keys: &[(String, Value)]) -> impl Iterator<Item = (&str, &Value)> {
    keys.iter().map(|(name, value)| (name.as_str(), value))
}

fn compare_keys<'v>(
    mut a: impl Iterator<Item = (&'v str, &'v Value)>,
    mut b: impl Iterator<Item = (&'v str, &'v Value)>,
) -> Ordering {
    loop {
        let order = match (a.next(), b.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some((a, x)), Some((b, y))) => a.cmp(b).then_with(|| order::compare(x, y)),
        };
        if order.is_ne() {
            return order;
        }
    }
}

impl PartialOrd for PathElement {
    fn partial_cmp(&self, other: &PathElement) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for PathElement {
    fn eq(&self, other: &PathElement) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for PathElement {}

/// The text in the server's messages: `.spec`, `[name="a"]`, `[="a"]` or `[0]`.
impl fmt::Display for PathElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathElement::Field(name) => write!(f, ".{name}"),
            PathElement::Key(keys) => {
                f.write_str("[")?;
                for (i, (name, value)) in keys.iter().enumerate() {
                    let comma = if i > 0 { "," } else { "" };
                    write!(f, "{comma}{name}={}", order::text(value))?;
                }
                f.write_str("]")
            }
            PathElement::Value(value) => write!(f, "[={}]", order::text(value)),
            PathElement::Index(index) => write!(f, "[{index}]"),
        }
    }
}

/// A path from the root of an object.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Path(pub Vec<PathElement>);

impl Path {
    /// Creates the path of nested fields.
    pub fn fields(names: &[&str]) -> Path {
        Path(names.iter().map(|name| PathElement::field(name)).collect())
    }
}

/// The elements without a separator: `.spec.ports[port=80]`.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|element| write!(f, "{element}"))
    }
}

/// A step of a walk through a value. It borrows from the value, so that a walk copies only the paths that it keeps.
#[derive(Clone, Debug)]
pub(crate) enum Step<'v> {
    Field(&'v str),
    /// The keys of an item, sorted by name.
    Key(Vec<(&'v str, &'v Value)>),
    Value(&'v Value),
    Index(i64),
}

impl Step<'_> {
    fn rank(&self) -> u8 {
        match self {
            Step::Field(_) => 0,
            Step::Key(_) => 1,
            Step::Value(_) => 2,
            Step::Index(_) => 3,
        }
    }

    /// About as many bytes as its text has.
    pub(crate) fn length(&self) -> usize {
        match self {
            Step::Field(name) => name.len(),
            Step::Key(keys) => keys_length(keys.iter().copied()),
            Step::Value(value) => value_length(value),
            Step::Index(_) => SHORT,
        }
    }
}

/// The same order as that of elements.
impl Ord for Step<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Step::Field(a), Step::Field(b)) => a.cmp(b),
            (Step::Key(a), Step::Key(b)) => compare_keys(a.iter().copied(), b.iter().copied()),
            (Step::Value(a), Step::Value(b)) => order::compare(a, b),
            (Step::Index(a), Step::Index(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for Step<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Step<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Step<'_> {}

impl fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.element().fmt(f)
    }
}

/// What a set can find and insert: an element, or a step of a walk.
pub(crate) trait Locate {
    fn order(&self, element: &PathElement) -> Ordering;
    fn element(&self) -> PathElement;
}

impl Locate for PathElement {
    fn order(&self, element: &PathElement) -> Ordering {
        self.cmp(element)
    }

    fn element(&self) -> PathElement {
        self.clone()
    }
}

impl Locate for Step<'_> {
    fn order(&self, element: &PathElement) -> Ordering {
        match (self, element) {
            (Step::Field(a), PathElement::Field(b)) => (*a).cmp(b),
            (Step::Key(a), PathElement::Key(b)) => compare_keys(a.iter().copied(), borrowed(b)),
            (Step::Value(a), PathElement::Value(b)) => order::compare(a, b),
            (Step::Index(a), PathElement::Index(b)) => a.cmp(b),
            _ => self.rank().cmp(&element.rank()),
        }
    }

    fn element(&self) -> PathElement {
        match self {
            Step::Field(name) => PathElement::field(name),
            Step::Key(keys) => PathElement::Key(
                keys.iter().map(|(name, value)| ((*name).to_owned(), (*value).clone())).collect(),
            ),
            Step::Value(value) => PathElement::value((*value).clone()),
            Step::Index(index) => PathElement::Index(*index),
        }
    }
}

/// A name that only has to be found.
impl Locate for str {
    fn order(&self, element: &PathElement) -> Ordering {
        Step::Field(self).order(element)
    }

    fn element(&self) -> PathElement {
        PathElement::field(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_paths() {
        let keys = vec![("protocol".to_owned(), "TCP".into()), ("port".to_owned(), Value::Float(80.0))];
        let path = Path(vec![
            PathElement::field("spec"),
            PathElement::key(keys),
            PathElement::value("a\"b".into()),
            PathElement::Index(3),
        ]);
        assert_eq!(path.to_string(), r#".spec[port=80,protocol="TCP"][="a\"b"][3]"#);
    }

    #[test]
    fn sorts_fields_first() {
        let sorted = [
            PathElement::field("a"),
            PathElement::field("b"),
            PathElement::key(vec![("a".to_owned(), Value::Int(1))]),
            PathElement::key(vec![("a".to_owned(), Value::Int(1)), ("b".to_owned(), Value::Int(0))]),
            PathElement::key(vec![("b".to_owned(), Value::Int(0))]),
            PathElement::value(Value::Int(1)),
            PathElement::value("a".into()),
            PathElement::Index(0),
            PathElement::Index(10),
        ];
        assert!(sorted.is_sorted_by(|a, b| a < b));
    }
}
