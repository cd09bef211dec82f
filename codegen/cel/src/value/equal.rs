//! Equality and order of values, also between different numeric types, and between values of the object and of the
//! expression.

use std::cmp::Ordering;

use crdgen_text::value::Value;

use super::list::ListKind;
use super::numbers::{double_double, double_int, double_uint, int_uint};
use super::shape::{Shape, ShapeKind};
use super::work::Work;
use super::{Error, Key, List, Map, Opaque, Outcome, Val};

impl<'a> Val<'a> {
    /// Compares with `==`. Null equals only null.
    pub(crate) fn equals(&self, other: &Val<'a>, work: &Work) -> Result<bool, Error> {
        match (self, other) {
            (Val::Null, Val::Null) => Ok(true),
            (Val::Null, _) | (_, Val::Null) => Ok(false),
            _ => self.equals_value(other, work),
        }
    }

    /// Equality by the rules of the left value's type.
    fn equals_value(&self, other: &Val<'a>, work: &Work) -> Result<bool, Error> {
        work.steps(1)?;
        Ok(match (self, other) {
            (Val::Null, other) => matches!(other, Val::Null),
            (Val::Bool(a), Val::Bool(b)) => a == b,
            (Val::Int(a), Val::Int(b)) => a == b,
            (Val::Uint(a), Val::Uint(b)) => a == b,
            (Val::Double(a), Val::Double(b)) => a == b,
            (Val::Int(i), Val::Uint(u)) | (Val::Uint(u), Val::Int(i)) => int_uint(*i, *u).is_eq(),
            (Val::Double(d), Val::Int(i)) | (Val::Int(i), Val::Double(d)) => {
                !d.is_nan() && double_int(*d, *i).is_eq()
            }
            (Val::Double(d), Val::Uint(u)) | (Val::Uint(u), Val::Double(d)) => {
                !d.is_nan() && double_uint(*d, *u).is_eq()
            }
            (Val::Str(a), Val::Str(b)) => a.len() == b.len() && work.read(a).map(|()| **a == **b)?,
            (Val::Bytes(a), Val::Bytes(b)) => a == b,
            (Val::Duration(a), Val::Duration(b)) => a == b,
            (Val::Timestamp(a), Val::Timestamp(b)) => a.same_instant(b),
            (Val::Type(a), Val::Type(b)) => **a == **b,
            (Val::List(a), Val::List(b)) => return a.equals(b, work),
            // Comparing a list of the object with another value is an error. A list of the expression is only unequal.
            (Val::List(a), _) => return if a.insists() { Err(Error::NO_OVERLOAD) } else { Ok(false) },
            (Val::Map(a), Val::Map(b)) => return a.equals(b, work),
            (Val::Map(a), _) => return if a.insists() { Err(Error::NO_OVERLOAD) } else { Ok(false) },
            (Val::Optional(None), Val::Optional(None)) => true,
            (Val::Optional(Some(a)), Val::Optional(Some(b))) => return a.equals_value(b, work),
            (Val::Opaque(Opaque::Object(a)), _) => return a.equals(other),
            (Val::Opaque(a), Val::Opaque(b)) => return a.equals(b, work),
            (Val::Opaque(Opaque::Message(_) | Opaque::Error(_)), _) => false,
            (Val::Opaque(_), _) => return Err(Error::NO_OVERLOAD),
            (Val::Preserved(a), b) => preserved_equals(a, b),
            (
                Val::Bool(_)
                | Val::Int(_)
                | Val::Uint(_)
                | Val::Double(_)
                | Val::Str(_)
                | Val::Bytes(_)
                | Val::Duration(_)
                | Val::Timestamp(_)
                | Val::Optional(_)
                | Val::Type(_),
                _,
            ) => false,
        })
    }

    /// Equality with an element or member that does not match its schema: a list or map of the object reports the
    /// error, and all other values are only unequal.
    fn equals_error(&self, error: Error) -> Result<bool, Error> {
        match self {
            Val::List(list) if list.insists() => Err(error),
            Val::Map(map) if map.insists() => Err(error),
            _ => Ok(false),
        }
    }

    /// Compares with `<` and the other order operators. Fails if the types have no order.
    pub fn compare(&self, other: &Val<'a>) -> Result<Ordering, Error> {
        const NAN: Error = Error::fixed("NaN values cannot be ordered");
        Ok(match (self, other) {
            (Val::Bool(a), Val::Bool(b)) => a.cmp(b),
            (Val::Int(a), Val::Int(b)) => a.cmp(b),
            (Val::Uint(a), Val::Uint(b)) => a.cmp(b),
            // A double looks at itself first, and only then at what it is compared with.
            (Val::Double(a), _) if a.is_nan() => return Err(NAN),
            (Val::Int(_) | Val::Uint(_) | Val::Double(_), Val::Double(b)) if b.is_nan() => return Err(NAN),
            (Val::Double(a), Val::Double(b)) => double_double(*a, *b),
            (Val::Int(i), Val::Uint(u)) => int_uint(*i, *u),
            (Val::Uint(u), Val::Int(i)) => int_uint(*i, *u).reverse(),
            (Val::Double(d), Val::Int(i)) => double_int(*d, *i),
            (Val::Int(i), Val::Double(d)) => double_int(*d, *i).reverse(),
            (Val::Double(d), Val::Uint(u)) => double_uint(*d, *u),
            (Val::Uint(u), Val::Double(d)) => double_uint(*d, *u).reverse(),
            (Val::Str(a), Val::Str(b)) => (**a).cmp(&**b),
            (Val::Bytes(a), Val::Bytes(b)) => a.cmp(b),
            (Val::Duration(a), Val::Duration(b)) => a.cmp(b),
            (Val::Timestamp(a), Val::Timestamp(b)) => a.instant().cmp(&b.instant()),
            _ => return Err(Error::NO_OVERLOAD),
        })
    }

    /// Evaluates `value in self`.
    pub(crate) fn contains(&self, value: &Val<'a>, work: &Work) -> Result<bool, Error> {
        match self {
            Val::List(list) => list.contains(value, work),
            Val::Map(map) => map.find(value, work).map(|found| found.is_some()),
            _ => Err(Error::NO_OVERLOAD),
        }
    }

    /// Whether two values are equal, where values that cannot be compared are not.
    pub(crate) fn same(&self, other: &Val<'a>, work: &Work) -> Result<bool, Error> {
        self.equals_value(other, work).otherwise(false)
    }

    /// The key that identifies an element of a set.
    pub(super) fn set_key(&self, work: &Work) -> Result<Key<'a>, Error> {
        match self {
            Val::List(_) | Val::Map(_) => {
                Err(Error::fixed("listSet operations are only supported on lists of scalar values"))
            }
            Val::Bytes(b) => Ok(Key::Other("bytes", work.show(&format_args!("{b:?}"))?)),
            other => Key::of(other, work),
        }
    }

    /// The key that identifies an element of a map list.
    pub(super) fn map_key(&self, keys: &[String], work: &Work) -> Vec<Option<Key<'a>>> {
        let get = |key: &String| match self {
            Val::Map(m) => m.find_text(key).ok().flatten().and_then(|v| v.set_key(work).ok()),
            _ => None,
        };
        keys.iter().map(get).collect()
    }
}

impl<'a> List<'a> {
    fn contains(&self, value: &Val<'a>, work: &Work) -> Result<bool, Error> {
        if let Some([left, right]) = self.view() {
            // An error in the first part is only hidden if the second part contains the value.
            let first = match left.contains(value, work) {
                Ok(false) => Ok(false),
                Err(e) if !e.is_fatal() => Err(e),
                found => return found,
            };
            return if right.contains(value, work)? { Ok(true) } else { first };
        }
        let mut error = None;
        for item in self.iter() {
            let same = item.and_then(|item| match self.is_json() {
                true => item.equals_value(value, work),
                false => value.equals_value(&item, work),
            });
            match same {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(e) if e.is_fatal() => return Err(e),
                Err(e) => error = error.or(Some(e)),
            }
        }
        // In a list of the expression, a value that cannot be compared is not the element.
        error.filter(|_| self.is_json()).map_or(Ok(false), Err)
    }

    fn equals(&self, other: &List<'a>, work: &Work) -> Result<bool, Error> {
        if self.len() != other.len() {
            return Ok(false);
        }
        if self.is_same(other) {
            return Ok(true);
        }
        match self.kind() {
            ListKind::Plain => {
                let mut error = None;
                for (a, b) in self.iter().zip(other.iter()) {
                    let same = match (a, b) {
                        (Ok(a), Ok(b)) if self.is_json() => a.equals_value(&b, work),
                        (Ok(a), Ok(b)) => a.equals(&b, work),
                        (Ok(a), Err(e)) => a.equals_error(e),
                        (Err(_), Ok(Val::Null)) if !self.is_json() => Ok(false),
                        (Err(e), _) => Err(e),
                    };
                    match same {
                        Ok(true) => {}
                        Ok(false) => return Ok(false),
                        Err(e) if e.is_fatal() || self.is_json() => return Err(e),
                        Err(e) => error = error.or(Some(e)),
                    }
                }
                // In a list of the expression, values that cannot be compared count as equal.
                error.filter(|_| self.view().is_some()).map_or(Ok(true), Err)
            }
            ListKind::Set => {
                let mut mine = std::collections::HashSet::new();
                // An element that does not match the schema has no key.
                let mut without_keys = 0;
                for item in self.iter() {
                    match item {
                        Ok(item) => drop(mine.insert(item.set_key(work)?)),
                        Err(_) => without_keys += 1,
                    }
                }
                let mut seen = std::collections::HashSet::new();
                for item in other.iter() {
                    let Ok(item) = item else { return Ok(false) };
                    let key = item.set_key(work)?;
                    if !mine.contains(&key) {
                        return Ok(false);
                    }
                    seen.insert(key);
                }
                Ok(seen.len() == mine.len() + without_keys)
            }
            ListKind::Map(keys) => {
                let mut mine = std::collections::HashMap::new();
                // An element that does not match the schema has no keys.
                let mut without_keys = 0;
                for item in self.iter() {
                    match item {
                        Ok(item) => drop(mine.insert(item.map_key(keys, work), item)),
                        Err(_) => without_keys += 1,
                    }
                }
                let mut seen = std::collections::HashSet::new();
                for item in other.iter() {
                    let Ok(item) = item else { return Ok(false) };
                    let key = item.map_key(keys, work);
                    let Some(value) = mine.get(&key) else { return Ok(false) };
                    if !value.equals_value(&item, work)? {
                        return Ok(false);
                    }
                    seen.insert(key);
                }
                Ok(seen.len() == mine.len() + without_keys)
            }
        }
    }
}

impl<'a> Map<'a> {
    fn equals(&self, other: &Map<'a>, work: &Work) -> Result<bool, Error> {
        if self.len() != other.len() {
            return Ok(false);
        }
        match self {
            Map::Own(own) => {
                if let Map::Own(theirs) = other
                    && std::sync::Arc::ptr_eq(own, theirs)
                    && self.facts().reflexive
                {
                    return Ok(true);
                }
                for (key, value) in own.entries() {
                    let same = match other.find(&key.value(), work) {
                        Ok(Some(theirs)) => value.equals(&theirs, work),
                        Ok(None) => return Ok(false),
                        Err(e) if e.is_fatal() => Err(e),
                        Err(e) => value.equals_error(e),
                    };
                    // As in lists of the expression, values that cannot be compared count as equal.
                    if !same.otherwise(true)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Map::Json(map, shape) => {
                let mut error = None;
                for (i, (name, value)) in map.iter().enumerate() {
                    match self.has_equal(other, shape, Member { at: i, name, value }, work) {
                        Ok(true) => {}
                        Ok(false) => return Ok(false),
                        Err(e) if e.is_fatal() => return Err(e),
                        // The server compares members in random order, and stops at the first one that is unequal or
                        // invalid. So it can answer differently each time. This code always reports that the values
                        // differ.
                        Err(e) => error = error.or(Some(e)),
                    }
                }
                error.map_or(Ok(true), Err)
            }
        }
    }

    /// Whether another map has an equal member.
    fn has_equal(
        &self,
        other: &Map<'a>,
        shape: &'a Shape,
        member: Member<'_, 'a>,
        work: &Work,
    ) -> Result<bool, Error> {
        let Member { at, name, value } = member;
        let Some(of) = shape.member(name) else {
            let Map::Json(theirs, _) = other else { return Err(Error::NO_OVERLOAD) };
            return Ok(theirs.get(name).is_none_or(|v| v == value));
        };
        let (mine, theirs) = match other {
            // A name without double underscores needs no unescaping.
            Map::Json(theirs, their_shape) if !name.contains("__") => (
                present(value, of, shape),
                match theirs.get_at(name, at) {
                    None => None,
                    Some(value) if std::ptr::eq(shape, *their_shape) => present(value, of, shape),
                    Some(value) => their_shape.member(name).and_then(|of| present(value, of, their_shape)),
                },
            ),
            Map::Json(..) | Map::Own(_) => {
                (self.find_text(name).transpose(), other.find_text(name).transpose())
            }
        };
        match (mine, theirs) {
            (None, None) => Ok(true),
            (Some(_), None) | (None, Some(_)) => Ok(false),
            (Some(Ok(a)), Some(Ok(b))) => a.equals_value(&b, work),
            (Some(Ok(a)), Some(Err(e))) => a.equals_error(e),
            (Some(Err(e)), Some(_)) => Err(e),
        }
    }
}

/// A member of the object. In objects, null counts as absent.
fn present<'a>(value: &'a Value, of: &'a Shape, owner: &Shape) -> Option<Outcome<'a>> {
    let is_absent = value.is_null() && matches!(owner.kind, ShapeKind::Object(_));
    (!is_absent).then(|| of.adapt(value))
}

impl Opaque {
    fn equals(&self, other: &Opaque, work: &Work) -> Result<bool, Error> {
        Ok(match (self, other) {
            (Opaque::Ip(a), Opaque::Ip(b)) => a == b,
            (Opaque::Cidr(a), Opaque::Cidr(b)) => a == b,
            (Opaque::Url(a), Opaque::Url(b)) => a.to_string() == b.to_string(),
            (Opaque::Quantity { quantity: a, .. }, Opaque::Quantity { quantity: b, computed: false }) => {
                a.compare(b).is_eq()
            }
            (Opaque::Semver(a), Opaque::Semver(b)) => a.compare(b).is_eq(),
            (Opaque::Format(a), Opaque::Format(b)) => a.name == b.name,
            (Opaque::Message(a), Opaque::Message(b)) => a.equals(b, work)?,
            (Opaque::Message(_) | Opaque::Error(_), _) => false,
            _ => return Err(Error::NO_OVERLOAD),
        })
    }
}

/// Whether JSON that the schema does not describe equals another value.
fn preserved_equals(json: &Value, other: &Val<'_>) -> bool {
    match (json, other) {
        (a, Val::Preserved(b)) => a == *b,
        (Value::Bool(a), Val::Bool(b)) => a == b,
        (Value::Int(a), Val::Int(b)) => a == b,
        (Value::Float(a), Val::Double(b)) => a == b,
        (Value::Str(a), Val::Str(b)) => **a == **b,
        (Value::List(a), Val::List(b)) => b.as_json().is_some_and(|b| a == b),
        (Value::Map(a), Val::Map(Map::Json(b, _))) => a == *b,
        _ => false,
    }
}

/// A member of a JSON object, and its index.
#[derive(Clone, Copy)]
struct Member<'n, 'a> {
    at: usize,
    name: &'n str,
    value: &'a Value,
}

/// What an error means where the server ignores values that cannot be compared.
pub(super) trait Otherwise {
    /// This value instead of an error, unless the error ends the evaluation.
    fn otherwise(self, value: bool) -> Self;
}

impl Otherwise for Result<bool, Error> {
    fn otherwise(self, value: bool) -> Self {
        match self {
            Err(e) if !e.is_fatal() => Ok(value),
            other => other,
        }
    }
}
