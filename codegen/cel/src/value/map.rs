use std::collections::BTreeMap;
use std::sync::Arc;

use crate::escape;
use crdgen_text::value::{Map as JsonMap, Value};

use super::shape::{Shape, ShapeKind};
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
    Own(Arc<BTreeMap<Key<'a>, Val<'a>>>),
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
    pub fn of(value: &Val<'a>) -> Result<Key<'a>, Error> {
        Ok(match value {
            Val::Null => Key::Null,
            Val::Bool(b) => Key::Bool(*b),
            Val::Int(i) => Key::Int(*i),
            Val::Uint(u) => Key::Uint(*u),
            Val::Double(d) => Key::Double(if *d == 0.0 { 0 } else { d.to_bits() }),
            Val::Str(Text::Ref(s)) => Key::Str((*s).into()),
            Val::Str(Text::Own(s)) => Key::Str(s.to_string().into()),
            Val::Bytes(_) => return Err(UNHASHABLE_BYTES),
            Val::Opaque(Opaque::Semver(_)) => return Err(UNHASHABLE_SEMVER),
            Val::Opaque(Opaque::Format(_)) => return Err(UNHASHABLE_FORMAT),
            other => Key::Other(other.type_name(), other.to_string()),
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
        Map::Own(Arc::new(entries))
    }

    /// Returns the number of entries. For an object, this includes fields that the schema does not declare.
    pub fn len(&self) -> usize {
        match self {
            Map::Json(map, _) => map.len(),
            Map::Own(entries) => entries.len(),
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

    /// Returns the value of a key.
    pub fn find(&self, key: &Val<'a>) -> Result<Option<Val<'a>>, Error> {
        match self {
            Map::Json(..) => match key {
                Val::Str(s) => self.find_text(s),
                _ => Err(Error::NO_OVERLOAD),
            },
            // An empty map does not check whether the key can be hashed.
            Map::Own(entries) if entries.is_empty() => Ok(None),
            Map::Own(entries) => {
                let key = Key::of(key)?;
                if let Some(value) = entries.get(&key) {
                    return Ok(Some(value.clone()));
                }
                let found = key.same_numbers().into_iter().flatten().find_map(|k| entries.get(&k));
                Ok(found.cloned())
            }
        }
    }

    /// Returns the value of a string key. For an object, `key` is the CEL identifier of the property.
    pub fn find_text(&self, key: &str) -> Result<Option<Val<'a>>, Error> {
        match self {
            Map::Own(entries) => Ok(entries.get(&Key::Str(key.to_owned().into())).cloned()),
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
            Map::Own(entries) => entries.keys().map(Key::value).collect(),
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
            Map::Own(entries) => entries.iter().map(|(k, v)| (k.value(), Ok(v.clone()))).collect(),
            Map::Json(..) => {
                let value = |k: &Val<'a>| match self.find(k) {
                    Ok(Some(v)) => Ok(v),
                    Ok(None) => Err(Error::no_key(k)),
                    Err(e) => Err(e),
                };
                self.keys().into_iter().map(|k| (k.clone(), value(&k))).collect()
            }
        }
    }

    /// Adds an entry. Does so in place if the map is not shared. Fails if the key exists.
    pub fn insert(&mut self, key: Val<'a>, value: Val<'a>) -> Result<(), Error> {
        if self.find(&key)?.is_some() {
            return Err(Error::new(format!("insert failed: key {key} already exists")));
        }
        if let Map::Json(..) = self {
            let mut entries = BTreeMap::new();
            for (k, v) in self.entries() {
                entries.insert(Key::of(&k)?, v?);
            }
            *self = Map::own(entries);
        }
        if let Map::Own(entries) = self {
            Arc::make_mut(entries).insert(Key::of(&key)?, value);
        }
        Ok(())
    }
}
