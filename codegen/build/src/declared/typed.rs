//! Reads and writes values as serde does for a type of the sources.

use super::Error;
use crdgen_core::value::{Map, Value};
use crdgen_kinds::convert::{Failure, Fields, Step};
use crdgen_source::declared::{Enum, Field, Shape, Skip, Struct, Tagging, Type, TypeId, Variant};
use std::cmp::Ordering;

/// A value of a type.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Typed {
    /// A value with nothing inside that converts.
    Plain(Value),
    None,
    Some(Box<Typed>),
    List(Vec<Typed>),
    Map(Map<Typed>),
    /// The fields of a struct, by their names in Rust.
    Struct(Map<Typed>),
    /// A variant, by its name in Rust, and its fields.
    Variant(String, Map<Typed>),
}

/// Reads and writes values.
pub(super) struct Reader<'a> {
    types: &'a [Type],
    /// Whether something was skipped, or may have been skipped. Compiled types note the same when they read.
    unknown: bool,
    /// The values that were read as fields of structs.
    fields: Vec<*const Value>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(types: &'a [Type]) -> Reader<'a> {
        Reader { types, unknown: false, fields: Vec::new() }
    }

    /// Returns the values that were read as fields of structs so far.
    pub(super) fn fields_read(&self) -> Fields {
        Fields::new(self.fields.clone())
    }

    /// Notes that the type of a value is not known.
    pub(super) fn note_unknown(&mut self) {
        self.unknown = true;
    }

    pub(super) fn knows_all(&self) -> bool {
        !self.unknown
    }

    pub(super) fn ty(&self, ty: TypeId) -> &'a Type {
        self.types.get(ty).unwrap_or(&Type::Any)
    }

    pub(super) fn read(&mut self, ty: TypeId, value: &Value) -> Result<Typed, Error> {
        let wrong = |expected: &str| {
            Err(Error::new(format!("invalid type: {}, expected {expected}", kind_of(value))))
        };
        match (self.ty(ty), value) {
            (Type::Any, _) => Ok(Typed::Plain(value.clone())),
            (Type::Code(code), _) => Err(code.clone().into()),
            (Type::Bool, Value::Bool(_)) | (Type::Text, Value::Str(_)) | (Type::Unit, Value::Null) => {
                Ok(Typed::Plain(value.clone()))
            }
            (Type::Int(least, most), Value::Int(n)) => match (least..=most).contains(&n) {
                true => Ok(Typed::Plain(value.clone())),
                false => Err(Error::new(format!("invalid value: {n}, expected {least} to {most}"))),
            },
            (Type::Float { single }, Value::Int(_) | Value::Float(_)) => {
                let n = value.as_float().unwrap_or_default();
                let n = if *single { (n as f32).to_string().parse().unwrap_or(n) } else { n };
                Ok(Typed::Plain(Value::Float(n)))
            }
            (Type::Option(_), Value::Null) => {
                self.unknown = true;
                Ok(Typed::None)
            }
            (Type::Option(inner), _) => Ok(Typed::Some(Box::new(self.read(*inner, value)?))),
            (Type::List(item), Value::List(items)) => self.items(*item, items).map(Typed::List),
            (Type::Set(item), Value::List(items)) => {
                let mut items: Vec<Typed> = self.items(*item, items)?;
                items.sort_by(order);
                items.dedup();
                Ok(Typed::List(items))
            }
            (Type::Tuple(parts), Value::List(items)) if parts.len() == items.len() => {
                let items =
                    parts.iter().zip(items).enumerate().map(|(i, (ty, item))| self.item(i, *ty, item));
                items.collect::<Result<_, _>>().map(Typed::List)
            }
            (Type::Map(of), Value::Map(members)) => {
                self.unknown = true;
                let members = members.iter().map(|(name, value)| {
                    let value = self.read(*of, value).map_err(|e| e.below(Step::Key(name)))?;
                    Ok((name.to_owned(), value))
                });
                members.collect::<Result<_, Error>>().map(Typed::Map)
            }
            (Type::Struct(it), _) => self.content(it, value).map(Typed::Struct),
            (Type::Enum(it), _) => self.variant(it, value),
            (Type::Bool, _) => wrong("a boolean"),
            (Type::Text, _) => wrong("a string"),
            (Type::Unit, _) => wrong("null"),
            (Type::Int(..), _) => wrong("an integer"),
            (Type::Float { .. }, _) => wrong("a number"),
            (Type::List(_) | Type::Set(_), _) => wrong("a list"),
            (Type::Tuple(parts), _) => wrong(&format!("a list of {}", parts.len())),
            (Type::Map(_), _) => wrong("an object"),
        }
    }

    fn item(&mut self, i: usize, ty: TypeId, item: &Value) -> Result<Typed, Error> {
        self.read(ty, item).map_err(|e| e.below(Step::Item(i)))
    }

    fn items(&mut self, ty: TypeId, items: &[Value]) -> Result<Vec<Typed>, Error> {
        items.iter().enumerate().map(|(i, item)| self.item(i, ty, item)).collect()
    }

    /// Returns the value of a field that is missing.
    pub(super) fn missing(&mut self, ty: TypeId, name: &str) -> Result<Typed, Error> {
        match self.ty(ty) {
            Type::Option(_) => Ok(Typed::None),
            Type::Code(code) => Err(code.clone().into()),
            _ => Err(Error::new(format!("missing field `{name}`"))),
        }
    }

    /// Reads the fields of a struct or a variant as serde does.
    fn content(&mut self, it: &Struct, value: &Value) -> Result<Map<Typed>, Error> {
        match (it.shape, it.fields.as_slice(), value) {
            (Shape::Unit, ..) => Ok(Map::new()),
            (Shape::Newtype, [field], _) => {
                let value = self.read(field.ty, value)?;
                Ok(Map::from_iter([(field.member.as_str(), value)]))
            }
            (Shape::Tuple, fields, Value::List(items)) if fields.len() == items.len() => {
                let read = fields.iter().zip(items).enumerate();
                let read =
                    read.map(|(i, (field, item))| Ok((field.member.clone(), self.item(i, field.ty, item)?)));
                read.collect()
            }
            (Shape::Named, fields, Value::Map(members)) => {
                let mut rest: Map<Value> = members.clone();
                let is_flat = fields.iter().any(|field| field.flatten);
                let out = self.fields(fields, it.default.as_ref(), members, &mut rest)?;
                if is_flat || !rest.is_empty() {
                    self.unknown = true;
                }
                if !is_flat {
                    let read =
                        members.iter().filter(|(name, value)| rest.get(name).is_none() && !value.is_null());
                    self.fields.extend(read.map(|(_, value)| std::ptr::from_ref(value)));
                }
                Ok(out)
            }
            (Shape::Named, ..) => {
                Err(Error::new(format!("invalid type: {}, expected an object", kind_of(value))))
            }
            (Shape::Newtype | Shape::Tuple, fields, _) => {
                let message =
                    format!("invalid type: {}, expected a list of {}", kind_of(value), fields.len());
                Err(Error::new(message))
            }
        }
    }

    /// Reads the fields of a struct from the members of an object. Removes them from the rest.
    fn fields(
        &mut self,
        fields: &[Field],
        default: Option<&Result<Value, super::Code>>,
        members: &Map<Value>,
        rest: &mut Map<Value>,
    ) -> Result<Map<Typed>, Error> {
        let mut out = Map::new();
        for field in fields.iter().filter(|field| !field.flatten) {
            let mut names = std::iter::once(&field.name).chain(&field.aliases);
            let found = match field.is_read {
                true => names.find(|name| rest.remove(name).is_some()),
                false => None,
            };
            let value = match found.and_then(|name| members.get(name)) {
                Some(value) => self.read(field.ty, value),
                None => self.absent(field, default),
            };
            out.insert(field.member.clone(), value.map_err(|e| e.below(Step::Field(&field.name)))?);
        }
        for field in fields.iter().filter(|field| field.flatten) {
            out.insert(field.member.clone(), self.lifted(field.ty, rest)?);
        }
        Ok(out)
    }

    fn absent(
        &mut self,
        field: &Field,
        default: Option<&Result<Value, super::Code>>,
    ) -> Result<Typed, Error> {
        let of_struct = match default {
            Some(Ok(default)) => default.get(&field.name).cloned().map(Ok),
            Some(Err(code)) => Some(Err(code.clone())),
            None => None,
        };
        match field.default.clone().or(of_struct) {
            // This value is not part of the document.
            Some(Ok(value)) => Reader::new(self.types).read(field.ty, &value),
            Some(Err(code)) => Err(code.into()),
            None => self.missing(field.ty, &field.name),
        }
    }

    /// Reads a type whose fields are those of the object. serde copies them first, and does not note what it skips in a
    /// copy.
    pub(super) fn flattened(&mut self, ty: TypeId, members: &Map<Value>) -> Result<Typed, Error> {
        let noted = (self.unknown, self.fields.len());
        let value = self.lifted(ty, &mut members.clone());
        self.forget(noted);
        value
    }

    /// Reads a type whose fields are those of the struct around it.
    fn lifted(&mut self, ty: TypeId, rest: &mut Map<Value>) -> Result<Typed, Error> {
        match self.ty(ty) {
            Type::Struct(it) if it.shape == Shape::Named => {
                let members = rest.clone();
                self.fields(&it.fields, it.default.as_ref(), &members, rest).map(Typed::Struct)
            }
            Type::Struct(Struct { shape: Shape::Newtype, fields, .. }) => match fields.as_slice() {
                [field] => {
                    let value = self.lifted(field.ty, rest)?;
                    Ok(Typed::Struct(Map::from_iter([(field.member.as_str(), value)])))
                }
                _ => Err(Error::new("this type cannot be flattened")),
            },
            Type::Option(inner) => {
                let mut tried = rest.clone();
                match self.lifted(*inner, &mut tried) {
                    Ok(value) => {
                        *rest = tried;
                        Ok(Typed::Some(Box::new(value)))
                    }
                    Err(Error::Value(_)) => Ok(Typed::None),
                    Err(error) => Err(error),
                }
            }
            Type::Enum(it) if it.tagging == Tagging::External => {
                let known = |name: &str| it.variants.iter().any(|v| v.is_named(name));
                let Some(name) = rest.keys().find(|name| known(name)).map(str::to_owned) else {
                    return Err(Error::new("no variant is there"));
                };
                let value = rest.remove(&name).unwrap_or(Value::Null);
                self.variant(it, &Value::Map(Map::from_iter([(name, value)])))
            }
            // Such enums remove no members, so that other fields can read them too.
            Type::Enum(it) => self.variant(it, &Value::Map(rest.clone())),
            Type::Map(_) | Type::Any => {
                let all = Value::Map(std::mem::take(rest));
                self.read(ty, &all)
            }
            Type::Code(code) => Err(code.clone().into()),
            _ => Err(Error::new("this type cannot be flattened")),
        }
    }

    fn variant(&mut self, it: &Enum, value: &Value) -> Result<Typed, Error> {
        let find = |name: &str| {
            let found = it.variants.iter().find(|variant| variant.is_named(name));
            let found = found.or_else(|| it.variants.iter().find(|variant| variant.other));
            found.ok_or_else(|| {
                let names: Vec<&str> = it.variants.iter().map(|variant| &*variant.name).collect();
                Error::new(format!("unknown variant `{name}`, expected one of {}", names.join(", ")))
            })
        };
        let typed = |variant: &Variant, fields| Typed::Variant(variant.member.clone(), fields);
        let no_variant = || Error::new(format!("invalid type: {}, expected a variant", kind_of(value)));
        match &it.tagging {
            Tagging::External => match value {
                Value::Str(name) => {
                    let variant = find(name)?;
                    match variant.content.shape {
                        Shape::Unit => Ok(typed(variant, Map::new())),
                        _ => Err(Error::new("expected a variant with a value")),
                    }
                }
                Value::Map(members) => match members.iter().next() {
                    Some((name, value)) if members.len() == 1 => {
                        let variant = find(name)?;
                        Ok(typed(variant, self.content(&variant.content, value)?))
                    }
                    _ => Err(no_variant()),
                },
                _ => Err(no_variant()),
            },
            Tagging::Internal(tag) => {
                let Value::Map(members) = value else { return Err(no_variant()) };
                let mut rest = members.clone();
                let Some(Value::Str(name)) = rest.remove(tag) else {
                    return Err(Error::new(format!("missing field `{tag}`")));
                };
                let variant = find(&name)?;
                // serde copies these values first, and does not note what it skips in a copy.
                let noted = (self.unknown, self.fields.len());
                let fields = self.content(&variant.content, &Value::Map(rest));
                self.forget(noted);
                Ok(typed(variant, fields?))
            }
            Tagging::Adjacent(tag, content) => {
                let Value::Map(members) = value else { return Err(no_variant()) };
                let Some(Value::Str(name)) = members.get(tag) else {
                    return Err(Error::new(format!("missing field `{tag}`")));
                };
                self.unknown |= members.keys().any(|name| name != tag && name != content);
                let variant = find(name)?;
                let fields = match (members.get(content), variant.content.shape) {
                    (_, Shape::Unit) => Map::new(),
                    (Some(value), _) => self.content(&variant.content, value)?,
                    (None, _) => return Err(Error::new(format!("missing field `{content}`"))),
                };
                Ok(typed(variant, fields))
            }
            Tagging::Untagged => {
                let noted = (self.unknown, self.fields.len());
                for variant in &it.variants {
                    match (variant.content.shape, value) {
                        (Shape::Unit, Value::Null) => return Ok(typed(variant, Map::new())),
                        (Shape::Unit, _) => continue,
                        _ => {}
                    }
                    let fields = self.content(&variant.content, value);
                    self.forget(noted);
                    match fields {
                        Ok(fields) => return Ok(typed(variant, fields)),
                        Err(Error::Value(_)) => {}
                        Err(error) => return Err(error),
                    }
                }
                Err(Error::new("data did not match any variant"))
            }
        }
    }

    /// Drops what was noted since then.
    fn forget(&mut self, (unknown, fields): (bool, usize)) {
        self.unknown = unknown;
        self.fields.truncate(fields);
    }

    /// Returns the value as serde writes it.
    pub(super) fn write(&self, ty: TypeId, value: &Typed) -> Result<Value, Error> {
        Ok(match (self.ty(ty), value) {
            (Type::Code(code), _) => return Err(code.clone().into()),
            (_, Typed::Plain(value)) => value.clone(),
            (_, Typed::None) => Value::Null,
            (Type::Option(inner), Typed::Some(value)) => self.write(*inner, value)?,
            (Type::List(item) | Type::Set(item), Typed::List(items)) => {
                Value::List(items.iter().map(|it| self.write(*item, it)).collect::<Result<_, _>>()?)
            }
            (Type::Tuple(parts), Typed::List(items)) => {
                let items = parts.iter().zip(items).map(|(ty, item)| self.write(*ty, item));
                Value::List(items.collect::<Result<_, _>>()?)
            }
            (Type::Map(of), Typed::Map(members)) => {
                let members = members.iter().map(|(name, it)| Ok((name.to_owned(), self.write(*of, it)?)));
                Value::Map(members.collect::<Result<_, Error>>()?)
            }
            (Type::Struct(it), Typed::Struct(fields)) => self.write_content(it, fields)?,
            (Type::Enum(it), Typed::Variant(name, fields)) => self.write_variant(it, name, fields)?,
            _ => return Err(Error::new("the value is not of the type that is declared")),
        })
    }

    fn write_content(&self, it: &Struct, values: &Map<Typed>) -> Result<Value, Error> {
        let of =
            |field: &Field| values.get(&field.member).map_or(Ok(Value::Null), |it| self.write(field.ty, it));
        Ok(match (it.shape, it.fields.as_slice()) {
            (Shape::Unit, _) => Value::Null,
            (Shape::Newtype, [field]) => of(field)?,
            (Shape::Tuple | Shape::Newtype, fields) => {
                Value::List(fields.iter().map(of).collect::<Result<_, _>>()?)
            }
            (Shape::Named, fields) => {
                let mut out = Map::new();
                for field in fields.iter().filter(|field| field.is_written) {
                    let value = of(field)?;
                    let skips = match &field.skip {
                        Ok(skip) => skips(skip, &value),
                        Err(code) => return Err(code.clone().into()),
                    };
                    match value {
                        _ if skips => {}
                        Value::Map(members) if field.flatten => add(&mut out, members),
                        Value::Null if field.flatten => {}
                        value => _ = out.insert(field.name.clone(), value),
                    }
                }
                Value::Map(out)
            }
        })
    }

    fn write_variant(&self, it: &Enum, name: &str, fields: &Map<Typed>) -> Result<Value, Error> {
        let Some(variant) = it.variants.iter().find(|variant| variant.member == name) else {
            return Err(Error::new(format!("serde does not write the variant `{name}`")));
        };
        let content = self.write_content(&variant.content, fields)?;
        let own = || Value::from(&*variant.name);
        let is_unit = variant.content.shape == Shape::Unit;
        Ok(match &it.tagging {
            Tagging::External if is_unit => own(),
            Tagging::External => Value::Map(Map::from_iter([(variant.name.as_str(), content)])),
            Tagging::Internal(tag) => {
                let mut out = Map::from_iter([(tag.as_str(), own())]);
                if let Value::Map(members) = content {
                    add(&mut out, members);
                }
                Value::Map(out)
            }
            Tagging::Adjacent(tag, _) if is_unit => Value::Map(Map::from_iter([(tag.as_str(), own())])),
            Tagging::Adjacent(tag, name) => {
                Value::Map(Map::from_iter([(tag.as_str(), own()), (name.as_str(), content)]))
            }
            Tagging::Untagged => content,
        })
    }
}

/// Whether serde leaves a value out.
fn skips(skip: &Skip, value: &Value) -> bool {
    match (skip, value) {
        (Skip::Always(answer), _) => *answer,
        (Skip::Null, value) => value.is_null(),
        (Skip::Empty, Value::Str(text)) => text.is_empty(),
        (Skip::Empty, Value::List(items)) => items.is_empty(),
        (Skip::Empty, Value::Map(members)) => members.is_empty(),
        (Skip::Empty, _) => false,
        (Skip::Value(other), value) => other == value,
    }
}

fn order(a: &Typed, b: &Typed) -> Ordering {
    match (a, b) {
        (Typed::Plain(Value::Str(a)), Typed::Plain(Value::Str(b))) => a.cmp(b),
        (Typed::Plain(Value::Int(a)), Typed::Plain(Value::Int(b))) => a.cmp(b),
        (Typed::Plain(Value::Bool(a)), Typed::Plain(Value::Bool(b))) => a.cmp(b),
        _ => Ordering::Equal,
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Int(_) | Value::Float(_) => "a number",
        Value::Str(_) => "a string",
        Value::List(_) => "a list",
        Value::Map(_) => "an object",
    }
}

fn add(out: &mut Map<Value>, members: Map<Value>) {
    for (name, value) in members {
        out.insert(name, value);
    }
}
