use std::collections::BTreeMap;
use std::sync::Arc;

use crate::escape;
use crdgen_text::value::{Map as JsonMap, Value};

use super::list::Facts;
use super::shape::{Shape, ShapeKind};
use super::work::Work;
use super::{Error, Opaque, Outcome, Text, Val};

const UNHASHABLE_BYTES: Error =
    Error::crash("internal error: runtime error: hash of unhashable type types.Bytes");
const UNHASHABLE_SEMVER: Error =
    Error::crash("internal error: runtime error: hash of unhashable type cel.Semver");
const UNHASHABLE_FORMAT: Error =
    Error::crash("internal error: runtime error: hash of unhashable type cel.Format");

/// A map or an object, which is a part of the user's object or was created at run time.
#[derive(Clone, Debug)]
pub enum Map<'a> {
    /// A part of the object, with the shape of its members.
    Json(&'a JsonMap<Value>, &'a Shape),
    /// A map that was created at run time.
    Own(Arc<Own<'a>>),
}

/// Entries that were created at run time.
#[derive(Clone, Debug)]
pub struct Own<'a> {
    entries: BTreeMap<Key<'a>, Val<'a>>,
    facts: Facts,
}

impl<'a> Own<'a> {
    /// The entries, by their keys.
    pub(super) fn entries(&self) -> &BTreeMap<Key<'a>, Val<'a>> {
        &self.entries
    }
}

/// A key of a map that was created at run time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key<'a> {
    /// `null`
    Null,
    /// `bool`
    Bool(bool),
    /// `int`
    Int(i64),
    /// `uint`
    Uint(u64),
    /// `double`, as its bits; zero has no sign
    Double(u64),
    /// `string`, and the texts of other values
    Str(std::borrow::Cow<'a, str>),
    /// Any other value, which equals only itself.
    Other(&'static str, String),
}

impl<'a> Key<'a> {
    /// Converts a value to a key. Fails if values of its type cannot be keys.
    pub(crate) fn of(value: &Val<'a>, work: &Work) -> Result<Key<'a>, Error> {
        Ok(match value {
            Val::Null => Key::Null,
            Val::Bool(b) => Key::Bool(*b),
            Val::Int(i) => Key::Int(*i),
            Val::Uint(u) => Key::Uint(*u),
            Val::Double(d) => Key::Double(if *d == 0.0 { 0 } else { d.to_bits() }),
            Val::Str(Text::Ref(s)) => Key::Str((*s).into()),
            Val::Str(Text::Own(s)) => {
                work.read(s)?;
                Key::Str(s.to_string().into())
            }
            Val::Bytes(_) => return Err(UNHASHABLE_BYTES),
            Val::Opaque(Opaque::Semver(_)) => return Err(UNHASHABLE_SEMVER),
            Val::Opaque(Opaque::Format(_)) => return Err(UNHASHABLE_FORMAT),
            other => Key::Other(other.type_name(), work.show(other)?),
        })
    }

    /// Converts the key to a value.
    pub fn value(&self) -> Val<'a> {
        match self {
            Key::Null => Val::Null,
            Key::Bool(b) => Val::Bool(*b),
            Key::Int(i) => Val::Int(*i),
            Key::Uint(u) => Val::Uint(*u),
            Key::Double(d) => Val::Double(f64::from_bits(*d)),
            Key::Str(s) => Val::Str(s.clone().into()),
            Key::Other(_, text) => Val::text(text.clone()),
        }
    }

    /// The other keys that are the same number, in another type.
    fn same_numbers(&self) -> [Option<Key<'static>>; 2] {
        match self {
            Key::Int(i) => [u64::try_from(*i).ok().map(Key::Uint), None],
            Key::Uint(u) => [i64::try_from(*u).ok().map(Key::Int), None],
            Key::Double(bits) => {
                let d = f64::from_bits(*bits);
                [
                    super::numbers::double_to_int(d).map(Key::Int),
                    super::numbers::double_to_uint(d).map(Key::Uint),
                ]
            }
            Key::Null | Key::Bool(_) | Key::Str(_) | Key::Other(..) => [None, None],
        }
    }
}

impl<'a> Map<'a> {
    /// Creates a map of entries.
    pub fn own(entries: BTreeMap<Key<'a>, Val<'a>>) -> Self {
        let facts = Facts::of(entries.values());
        Map::Own(Arc::new(Own { entries, facts }))
    }

    /// Returns the number of entries. For an object, this includes fields that the schema does not declare.
    pub fn len(&self) -> usize {
        match self {
            Map::Json(map, _) => map.len(),
            Map::Own(own) => own.entries.len(),
        }
    }

    /// Whether the map has no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the map is a part of the object.
    pub fn is_json(&self) -> bool {
        matches!(self, Map::Json(..))
    }

    /// Whether comparing the map with a value of another type is an error.
    pub(crate) fn insists(&self) -> bool {
        matches!(self, Map::Json(_, shape) if shape.insists())
    }

    pub(super) fn facts(&self) -> Facts {
        match self {
            // Members of the object may be errors.
            Map::Json(..) => Facts { reflexive: false, ..Facts::EMPTY },
            Map::Own(own) => own.facts,
        }
    }

    /// Returns the value of a key.
    pub(crate) fn find(&self, key: &Val<'a>, work: &Work) -> Result<Option<Val<'a>>, Error> {
        match self {
            Map::Json(..) => match key {
                Val::Str(s) => self.find_text(s),
                _ => Err(Error::NO_OVERLOAD),
            },
            // An empty map does not check whether the key can be hashed.
            Map::Own(own) if own.entries.is_empty() => Ok(None),
            Map::Own(own) => {
                let key = Key::of(key, work)?;
                let same = || key.same_numbers().into_iter().flatten().find_map(|k| own.entries.get(&k));
                let found = own.entries.get(&key).or_else(same);
                found.cloned().map(Val::of_its_type).transpose()
            }
        }
    }

    /// Returns the value of a string key. For an object, `key` is the CEL identifier of the property.
    pub fn find_text(&self, key: &str) -> Result<Option<Val<'a>>, Error> {
        match self {
            Map::Own(own) => {
                let found = own.entries.get(&Key::Str(key.to_owned().into()));
                found.cloned().map(Val::of_its_type).transpose()
            }
            Map::Json(map, shape) => {
                if let ShapeKind::Object(fields) = &shape.kind {
                    let Some(name) = escape::unescape(key) else { return Ok(None) };
                    let Some(value) = map.get(&name).filter(|v| !v.is_null()) else { return Ok(None) };
                    return fields.get(&name).map(|s| s.adapt(value)).transpose();
                }
                let Some(value) = map.get(key) else { return Ok(None) };
                shape.member(key).map(|s| s.adapt(value)).transpose()
            }
        }
    }

    /// Returns the keys for a loop. For an object, these are the CEL identifiers of the declared properties.
    pub fn keys(&self) -> Vec<Val<'a>> {
        match self {
            Map::Own(own) => own.entries.keys().map(Key::value).collect(),
            Map::Json(map, shape) => {
                let object = matches!(shape.kind, ShapeKind::Object(_));
                let name = |k: &'a str| match escape::escape(k).filter(|_| object) {
                    Some(identifier) => Val::text(identifier),
                    None => Val::text(k),
                };
                map.keys().filter(|k| shape.member(k).is_some()).map(name).collect()
            }
        }
    }

    /// Returns the entries for a loop with two variables.
    pub fn entries(&self) -> Vec<(Val<'a>, Outcome<'a>)> {
        match self {
            Map::Own(own) => own.entries.iter().map(|(k, v)| (k.value(), Ok(v.clone()))).collect(),
            Map::Json(..) => {
                let value = |k: &Val<'a>| match k.as_str().map(|k| self.find_text(k)) {
                    Some(Ok(Some(v))) => Ok(v),
                    Some(Ok(None)) => Err(Error::no_key(k)),
                    Some(Err(e)) => Err(e),
                    None => Err(Error::NO_OVERLOAD),
                };
                self.keys().into_iter().map(|k| (k.clone(), value(&k))).collect()
            }
        }
    }

    /// Sets the value of a key of a map that was created at run time. Does so in place if the map is not shared.
    pub fn set(&mut self, key: Key<'a>, value: Val<'a>) {
        if let Map::Own(own) = self {
            let own = Arc::make_mut(own);
            own.facts.add(&value);
            own.entries.insert(key, value);
        }
    }

    /// Adds an entry. Does so in place if the map is not shared. Fails if the key exists.
    pub(crate) fn insert(&mut self, key: Val<'a>, value: Val<'a>, work: &Work) -> Result<(), Error> {
        if self.find(&key, work)?.is_some() {
            return Err(Error::new(format!("insert failed: key {} already exists", work.show(&key)?)));
        }
        let shared = match self {
            Map::Json(..) => true,
            Map::Own(own) => Arc::get_mut(own).is_none(),
        };
        if shared {
            let mut entries = BTreeMap::new();
            for (k, v) in self.entries() {
                work.entry()?;
                entries.insert(Key::of(&k, work)?, v?);
            }
            *self = Map::own(entries);
        }
        work.entry()?;
        if let Map::Own(own) = self {
            let own = Arc::make_mut(own);
            own.facts.add(&value);
            own.entries.insert(Key::of(&key, work)?, value);
        }
        Ok(())
    }
}
