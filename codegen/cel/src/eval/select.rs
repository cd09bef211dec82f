//! Evaluates selections: fields, keys and indices of values, and whether they exist.

use std::sync::Arc;

use crate::value::{Behavior, Error, List, Map, Message, Opaque, Outcome, Shape, ShapeKind, Text, Val, Work};
use crdgen_text::value::{Map as JsonMap, Value};

use super::run::{Cx, Fatal};
use super::{Attr, Hints, Qualifier, QualifierKey};

impl<'a> Cx<'a> {
    /// The value of an attribute, without the cost of its last selection.
    pub(super) fn resolve(&mut self, attr: &'a Attr) -> Outcome<'a> {
        match attr {
            Attr::Variable { slot, path } => match &self.slots[*slot] {
                Ok(Val::Map(Map::Json(map, shape))) if !path.is_empty() => {
                    let (map, shape) = (*map, *shape);
                    self.descend(map, shape, path)
                }
                base if path.is_empty() => base.clone(),
                base => {
                    let base = base.clone()?;
                    self.walk(base, path)
                }
            },
            Attr::Value { node, path } if path.is_empty() => self.node(node),
            Attr::Value { node, path } => {
                let base = self.node(node)?;
                self.walk(base, path)
            }
            Attr::Has(attr) => self.test(attr),
            Attr::Choice { condition, sides } => match self.node(condition)? {
                Val::Bool(true) => self.resolve(&sides[0]),
                Val::Bool(false) => self.resolve(&sides[1]),
                _ => Err(Error::NO_OVERLOAD),
            },
        }
    }

    /// Follows constant names through the object without creating CEL values for the steps between.
    fn descend(
        &mut self,
        mut map: &'a JsonMap<Value>,
        mut shape: &'a Shape,
        path: &'a [Qualifier],
    ) -> Outcome<'a> {
        for (i, step) in path.iter().enumerate() {
            let QualifierKey::Field { name, property, hints } = &step.key else {
                return self.walk(Val::Map(Map::Json(map, shape)), &path[i..]);
            };
            if step.optional {
                return self.walk(Val::Map(Map::Json(map, shape)), &path[i..]);
            }
            let found = member(map, shape, name, property.as_deref(), hints);
            self.meter.spend(1)?;
            let Some((value, of)) = found else {
                return Err(Error::no_key(name));
            };
            match (value, &of.kind) {
                (Value::Map(inner), ShapeKind::Object(_) | ShapeKind::Map(_) | ShapeKind::Opaque) => {
                    (map, shape) = (inner, of);
                }
                _ => {
                    let value = of.adapt(value)?;
                    return if i + 1 == path.len() { Ok(value) } else { self.walk(value, &path[i + 1..]) };
                }
            }
        }
        Ok(Val::Map(Map::Json(map, shape)))
    }

    fn walk(&mut self, base: Val<'a>, path: &'a [Qualifier]) -> Outcome<'a> {
        let (mut value, mut optional) = match base {
            Val::Optional(None) => return Ok(Val::Optional(None)),
            Val::Optional(Some(inner)) => ((*inner).clone().of_its_type()?, true),
            base => (base, false),
        };
        for step in path {
            optional |= step.optional;
            value = match self.step(&value, step, optional)? {
                Some(next) => next,
                None => return Ok(Val::Optional(None)),
            };
        }
        Ok(if optional { Val::some(value) } else { value })
    }

    /// Counts the cost of a selection. An optional one that finds nothing costs nothing.
    fn paid_selection(
        &mut self,
        found: &Result<Option<Val<'a>>, Error>,
        optional: bool,
    ) -> Result<(), Error> {
        let costs = match found {
            Ok(found) => found.is_some(),
            Err(_) => self.stops_at_errors(),
        };
        if costs || !optional { self.meter.spend(1) } else { Ok(()) }
    }

    /// Applies one selection. None if it is optional and finds nothing.
    fn step(
        &mut self,
        value: &Val<'a>,
        step: &'a Qualifier,
        optional: bool,
    ) -> Result<Option<Val<'a>>, Error> {
        if let (QualifierKey::Field { name, property, hints }, Val::Map(Map::Json(map, shape))) =
            (&step.key, value)
        {
            let found = member(map, shape, name, property.as_deref(), hints);
            let found = found.map(|(value, of)| of.adapt(value)).transpose();
            self.paid_selection(&found, optional)?;
            return match found? {
                None if !optional => Err(Error::no_key(name)),
                found => Ok(found),
            };
        }
        let key = self.key(&step.key).fatal()?;
        if optional {
            let found = key.and_then(|key| find(value, &key, &self.work));
            self.paid_selection(&found, optional)?;
            return found;
        }
        self.meter.spend(1)?;
        let key = key?;
        match (find(value, &key, &self.work)?, value, &key) {
            (Some(found), _, _) => Ok(Some(found)),
            (None, Val::Opaque(Opaque::Message(message)), Val::Str(field)) => match &**message {
                Message::Object { .. } => Err(Error::no_key(key)),
                message => Ok(message.unset(field)),
            },
            (None, Val::List(_), _) => Err(Error::new(format!("index out of bounds: {key}"))),
            (None, _, _) => Err(Error::no_key(key)),
        }
    }

    fn key(&mut self, key: &'a QualifierKey) -> Outcome<'a> {
        let value = match key {
            QualifierKey::Field { name, property: _, hints: _ } => return Ok(Val::Str(Text::Ref(name))),
            QualifierKey::Const(value) => return Ok(value.borrowed()),
            QualifierKey::Attr(attr) => self.resolve(attr)?,
            QualifierKey::Node(node) => self.node(node)?,
        };
        qualifying(value, self.work.behavior())
    }

    /// `has(a.b)`. For an optional, returns the value that was found, as an optional.
    pub(super) fn test(&mut self, attr: &'a Attr) -> Outcome<'a> {
        // The usual case is a property of a variable.
        if let Attr::Variable { slot, path } = attr
            && let [Qualifier { key: QualifierKey::Field { name, property, hints }, optional: _ }] = &path[..]
            && let Ok(Val::Map(Map::Json(map, shape))) = &self.slots[*slot]
        {
            let found = member(map, shape, name, property.as_deref(), hints);
            let found = found.map_or(Ok(false), |(value, of)| of.adapt(value).map(|_| true));
            self.meter.spend(1)?;
            return found.map(Val::Bool);
        }
        let (base, path) = match attr {
            Attr::Variable { slot, path } => (self.slots[*slot].clone()?, path),
            Attr::Value { node, path } => (self.node(node)?, path),
            Attr::Has(_) => return Err(Error::NO_OVERLOAD),
            Attr::Choice { condition, sides } => {
                return match self.node(condition)? {
                    Val::Bool(true) => self.test(&sides[0]),
                    Val::Bool(false) => self.test(&sides[1]),
                    _ => Err(Error::NO_OVERLOAD),
                };
            }
        };
        let Some((last, before)) = path.split_last() else { return Err(Error::NO_OVERLOAD) };
        let of = match base {
            Val::Map(Map::Json(map, shape)) => self.descend(map, shape, before)?,
            base => self.walk(base, before)?,
        };
        let (value, optional) = match of {
            none @ Val::Optional(None) => return Ok(none),
            Val::Optional(Some(inner)) => ((*inner).clone().of_its_type()?, true),
            value => (value, false),
        };
        let found = match (&last.key, &value) {
            (QualifierKey::Field { name, property, hints }, Val::Map(Map::Json(map, shape))) => {
                match member(map, shape, name, property.as_deref(), hints) {
                    Some((value, of)) => of.adapt(value).map(Some),
                    None => Ok(None),
                }
            }
            (key, value) => {
                let key = self.key(key)?;
                find(value, &key, &self.work)
            }
        };
        self.paid_selection(&found, optional)?;
        found.map(|found| match optional {
            true => Val::Optional(found.map(Arc::new)),
            false => Val::Bool(found.is_some()),
        })
    }
}

/// The value of a name in the object: a property, or an entry of a map.
fn member<'a>(
    map: &'a JsonMap<Value>,
    shape: &'a Shape,
    name: &str,
    property: Option<&str>,
    hints: &Hints,
) -> Option<(&'a Value, &'a Shape)> {
    match &shape.kind {
        ShapeKind::Object(fields) => {
            let property = property?;
            let value = map.get_near(property, &hints.object).filter(|v| !v.is_null())?;
            Some((value, fields.get_near(property, &hints.shape)?))
        }
        _ => Some((map.get_near(name, &hints.object)?, shape.member(name)?)),
    }
}

/// The value at a key.
fn find<'a>(value: &Val<'a>, key: &Val<'a>, work: &Work) -> Result<Option<Val<'a>>, Error> {
    match value {
        Val::Map(map) => match key {
            Val::Str(Text::Ref(key)) => map.find_text(key),
            key => map.find(key, work),
        },
        Val::List(list) => {
            let index = usize::try_from(List::index(key, work)?).ok().filter(|i| *i < list.len());
            match index {
                Some(_) if list.is_json() && !matches!(key, Val::Int(_)) => {
                    Err(Error::new(format!("unsupported index: {key}")))
                }
                Some(index) => list.at(index).map(Some),
                None => Ok(None),
            }
        }
        // The server's objects of declared types do not give their fields.
        Val::Opaque(Opaque::Message(message)) if !matches!(**message, Message::Object { .. }) => {
            let field = key.as_str().ok_or(Error::NO_OVERLOAD)?;
            if message.unset(field).is_none() {
                return Err(Error::new(format!("no such field '{field}'")));
            }
            Ok(message.set().into_iter().find(|(name, _)| *name == field).map(|(_, value)| value))
        }
        _ => Ok(None),
    }
}

/// A value as a key or an index, if its type allows that.
pub(super) fn qualifying(value: Val<'_>, behavior: Behavior) -> Outcome<'_> {
    match value {
        Val::Str(_) | Val::Int(_) | Val::Uint(_) | Val::Bool(_) | Val::Double(_) => Ok(value),
        other => Err(Error::new(format!("invalid qualifier type: {}", go_type(&other, behavior)))),
    }
}

/// The Go type of a value, for messages.
pub(super) fn go_type(value: &Val<'_>, behavior: Behavior) -> &'static str {
    match value {
        Val::Null => "types.Null",
        Val::Bool(_) => "types.Bool",
        Val::Int(_) => "types.Int",
        Val::Uint(_) => "types.Uint",
        Val::Double(_) => "types.Double",
        Val::Str(_) => "types.String",
        Val::Bytes(_) => "types.Bytes",
        Val::Duration(_) => "types.Duration",
        Val::Timestamp(_) => "types.Timestamp",
        Val::List(list) if list.is_json() && list.insists() => "*common.unstructuredList",
        Val::List(list) if list.view().is_some() => "*types.concatList",
        Val::List(_) if behavior.names_elements() => "*types.sliceList[cel.dev/cel-go/common/types/ref.Val]",
        Val::List(_) => "*types.baseList",
        Val::Map(map) if map.is_json() && map.insists() => "*common.unstructuredMap",
        Val::Map(_) if behavior.names_elements() => {
            "*types.nativeMap[cel.dev/cel-go/common/types/ref.Val,cel.dev/cel-go/common/types/ref.Val]"
        }
        Val::Map(_) => "*types.baseMap",
        Val::Optional(_) => "*types.Optional",
        Val::Type(_) => "*types.Type",
        Val::Opaque(Opaque::Ip(_)) => "cel.IP",
        Val::Opaque(Opaque::Cidr(_)) => "cel.CIDR",
        Val::Opaque(Opaque::Url(_)) => "cel.URL",
        Val::Opaque(Opaque::Quantity { .. }) => "cel.Quantity",
        Val::Opaque(Opaque::Semver(_)) => "cel.Semver",
        Val::Opaque(Opaque::Format(_)) => "cel.Format",
        Val::Opaque(Opaque::Message(_)) => "*types.protoObj",
        Val::Opaque(Opaque::Object(object)) => object.type_name(),
        Val::Opaque(Opaque::Error(_)) => "*types.Err",
        Val::Preserved(_) => "*common.unknownPreserved",
    }
}
