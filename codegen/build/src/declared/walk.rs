//! Converts values as declared, in the same way as the code of the derive.

use super::Error;
use super::typed::{Reader, Typed};
use crdgen_core::value::{Map, Value};
use crdgen_kinds::convert::{Context, is_empty};
use crdgen_source::declared::{Body, Declared, How, Move, Turn, Type, TypeId};

/// Why a value does not convert.
pub(super) const UNDECLARED: &str = "the types do not declare how it converts";

/// The direction of a conversion.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum To {
    New,
    Old,
}

pub(super) struct Walk<'a> {
    pub(super) declared: &'a Declared,
    pub(super) to: To,
    pub(super) reader: &'a Reader<'a>,
}

/// The fields of both sides of some moves.
struct Sides<'t> {
    new: &'t [(String, TypeId)],
    old: &'t [(String, TypeId)],
}

/// The types of the fields that a move is about, in both versions.
#[derive(Clone, Copy)]
struct MovedTypes<'t> {
    new: &'t [TypeId],
    old: &'t [TypeId],
}

impl Walk<'_> {
    /// Returns the source and the target of a conversion.
    fn directed<T>(&self, new: T, old: T) -> (T, T) {
        if self.to == To::New { (old, new) } else { (new, old) }
    }

    /// Converts a value by its type: containers item by item, and everything else by its own conversion.
    pub(super) fn value(
        &self,
        value: Typed,
        new: TypeId,
        old: TypeId,
        keys: &[String],
        context: &mut Context,
    ) -> Result<Typed, Error> {
        if new == old {
            return Ok(value);
        }
        if let Some(it) = self.declared.conversions.iter().find(|it| it.new == new && it.old == old) {
            return self.body(&it.body, value, new, old, context);
        }
        match (self.reader.ty(new), self.reader.ty(old), value) {
            (Type::Option(_), Type::Option(_), Typed::None) => Ok(Typed::None),
            (Type::Option(new), Type::Option(old), Typed::Some(value)) => {
                self.value(*value, *new, *old, keys, context).map(|value| Typed::Some(Box::new(value)))
            }
            (Type::List(new), Type::List(old), Typed::List(items)) => {
                let (source, target) = self.directed(*new, *old);
                let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
                let each = |context: &mut Context, item| self.value(item, *new, *old, &[], context);
                let items = context.items_as(
                    items,
                    &keys,
                    each,
                    &|item| self.reader.write(source, item).ok(),
                    &|item| self.reader.write(target, item).ok(),
                )?;
                Ok(Typed::List(items))
            }
            (Type::Map(new), Type::Map(old), Typed::Map(members)) => {
                let mut out = Map::new();
                for (name, value) in members {
                    let value = context.field(&name, |context| self.value(value, *new, *old, &[], context));
                    out.insert(name, value?);
                }
                Ok(Typed::Map(out))
            }
            _ => Err(Error::new(UNDECLARED)),
        }
    }

    fn body(
        &self,
        body: &Body,
        value: Typed,
        new: TypeId,
        old: TypeId,
        context: &mut Context,
    ) -> Result<Typed, Error> {
        match (body, value) {
            (Body::Struct(moves), Typed::Struct(fields)) => {
                let (new, old) = (self.members(new, None), self.members(old, None));
                self.moves(moves, fields, &Sides { new: &new, old: &old }, context).map(Typed::Struct)
            }
            (Body::Enum(turns), variant @ Typed::Variant(..)) => {
                self.turns(turns, variant, new, old, context)
            }
            _ => Err(Error::new("the value is not of the type that is declared")),
        }
    }

    /// Returns the fields of a struct or a variant, with their types.
    fn members(&self, ty: TypeId, variant: Option<&str>) -> Vec<(String, TypeId)> {
        let fields = match (self.reader.ty(ty), variant) {
            (Type::Struct(it), None) => &it.fields,
            (Type::Enum(it), Some(name)) => match it.variants.iter().find(|it| it.member == name) {
                Some(variant) => &variant.content.fields,
                None => return Vec::new(),
            },
            _ => return Vec::new(),
        };
        fields.iter().map(|field| (field.member.clone(), field.ty)).collect()
    }

    /// Returns the type at the end of a path of field names.
    fn type_at(&self, members: &[(String, TypeId)], path: &[String]) -> Option<TypeId> {
        let (first, rest) = path.split_first()?;
        let (_, ty) = members.iter().find(|(name, _)| name == first)?;
        if rest.is_empty() { Some(*ty) } else { self.type_at(&self.members(*ty, None), rest) }
    }

    fn moves(
        &self,
        moves: &[Move],
        mut source: Map<Typed>,
        sides: &Sides<'_>,
        context: &mut Context,
    ) -> Result<Map<Typed>, Error> {
        let mut out = Map::new();
        for it in moves {
            let new: Vec<Vec<String>> = it.new.iter().map(|name| vec![name.clone()]).collect();
            let new_types: Option<Vec<TypeId>> =
                new.iter().map(|path| self.type_at(sides.new, path)).collect();
            let old_types: Option<Vec<TypeId>> =
                it.old.iter().map(|path| self.type_at(sides.old, path)).collect();
            let (Some(new_types), Some(old_types)) = (new_types, old_types) else {
                let message = format!("`{}` names a field that the other version does not have", it.label);
                return Err(Error::new(message));
            };
            let (from, to) = self.directed(&new, &it.old);
            let values: Option<Vec<Typed>> = from.iter().map(|path| take(&mut source, path)).collect();
            let Some(values) = values else { return Err(Error::new("a field is missing")) };
            let results = self.one(it, values, &new_types, &old_types, context)?;
            for (path, value) in to.iter().zip(results) {
                put(&mut out, path, value);
            }
        }
        Ok(out)
    }

    /// Converts the values of one move.
    fn one(
        &self,
        it: &Move,
        mut values: Vec<Typed>,
        new: &[TypeId],
        old: &[TypeId],
        context: &mut Context,
    ) -> Result<Vec<Typed>, Error> {
        let (sources, targets) = self.directed(new, old);
        match &it.how {
            How::Own { keys, omit_empty } => {
                let ([new], [old], Some(value)) = (new, old, values.pop()) else { return Ok(Vec::new()) };
                if *omit_empty {
                    let value = context
                        .field(&it.label, |context| self.unless_empty(value, *new, *old, keys, context))?;
                    return Ok(vec![value]);
                }
                // A plain value has nothing to keep, so it needs no context.
                if new == old {
                    return Ok(vec![value]);
                }
                let value =
                    context.field(&it.label, |context| self.value(value, *new, *old, keys, context))?;
                Ok(vec![value])
            }
            How::Parts(parts) => self.parts(it, parts, values, MovedTypes { new, old }, context),
            How::Functions(with, back) => {
                let code = if self.to == To::New { with } else { back };
                context.field(&it.label, |context| {
                    // If the annotation keeps the result for this value, the function need not run.
                    let seen = self.written(sources, &values)?;
                    let given = if it.lossy { None } else { context.given_for(Some(&seen)) };
                    let given = given.and_then(|value| self.read(targets, &value));
                    given.ok_or_else(|| Error::from(code.clone()))
                })
            }
            How::Default(default) => match (targets, sources) {
                ([target], []) => {
                    let default = || match default {
                        Ok(value) => Reader::new(&self.declared.types).read(*target, value),
                        Err(code) => Err(code.clone().into()),
                    };
                    if it.lossy {
                        return Ok(vec![default()?]);
                    }
                    let value = context.field(&it.label, |context| {
                        let given = context.given();
                        let given = given
                            .and_then(|value| Reader::new(&self.declared.types).read(*target, &value).ok());
                        given.map_or_else(default, Ok)
                    })?;
                    Ok(vec![value])
                }
                ([], [source]) => {
                    if it.lossy {
                        context.accept_loss();
                        return Ok(Vec::new());
                    }
                    context.field(&it.label, |context| {
                        let value =
                            values.pop().map(|value| self.reader.write(*source, &value)).transpose()?;
                        let default = match default {
                            Ok(value) => Reader::new(&self.declared.types).read(*source, value)?,
                            Err(code) => return Err(Error::from(code.clone())),
                        };
                        let default = self.reader.write(*source, &default)?;
                        context.keep_unless(value, Some(&default));
                        Ok(())
                    })?;
                    Ok(Vec::new())
                }
                _ => Ok(Vec::new()),
            },
        }
    }

    /// Does the same for an `Option` whose value the newer version leaves out if it is empty, as
    /// [`Context::unless_empty`] and [`Context::even_if_empty`] do.
    fn unless_empty(
        &self,
        value: Typed,
        new: TypeId,
        old: TypeId,
        keys: &[String],
        context: &mut Context,
    ) -> Result<Typed, Error> {
        let (source, target) = self.directed(new, old);
        let seen = self.reader.write(source, &value)?;
        if let Some(it) = context.given_for(Some(&seen))
            && let Ok(it) = Reader::new(&self.declared.types).read(target, &it)
        {
            return Ok(it);
        }
        let it = self.value(value, new, old, keys, context)?;
        let written = self.reader.write(target, &it)?;
        match self.to {
            To::New if is_empty(&written) => {
                context.keep_instead(Some(seen), &Value::Null);
                Ok(Typed::None)
            }
            To::Old if is_empty(&seen) => {
                context.keep_instead(Some(seen), &written);
                Ok(it)
            }
            To::New | To::Old => Ok(it),
        }
    }

    /// Converts a struct that the older version has as several fields.
    fn parts(
        &self,
        it: &Move,
        parts: &[(String, String)],
        mut values: Vec<Typed>,
        types: MovedTypes<'_>,
        context: &mut Context,
    ) -> Result<Vec<Typed>, Error> {
        let MovedTypes { new, old } = types;
        let [whole] = new else { return Ok(Vec::new()) };
        let members = self.members(*whole, None);
        context.field(&it.label, |context| match self.to {
            To::New => {
                let mut out = Map::new();
                for (((name, label), value), old) in parts.iter().zip(values).zip(old) {
                    let Some(new) = self.type_at(&members, std::slice::from_ref(name)) else { continue };
                    let value = context.field(label, |context| self.value(value, new, *old, &[], context))?;
                    out.insert(name.clone(), value);
                }
                Ok(vec![Typed::Struct(out)])
            }
            To::Old => {
                let Some(Typed::Struct(mut fields)) = values.pop() else { return Ok(Vec::new()) };
                let mut out = Vec::new();
                for ((name, label), old) in parts.iter().zip(old) {
                    let new = self.type_at(&members, std::slice::from_ref(name));
                    let (Some(new), Some(value)) = (new, fields.remove(name)) else { continue };
                    out.push(context.field(label, |context| self.value(value, new, *old, &[], context))?);
                }
                Ok(out)
            }
        })
    }

    fn turns(
        &self,
        turns: &[Turn],
        whole: Typed,
        new_type: TypeId,
        old_type: TypeId,
        context: &mut Context,
    ) -> Result<Typed, Error> {
        let is_kept = |turn: &Turn, of_new: bool| match turn {
            Turn::Both { .. } => false,
            Turn::Added { lossy, .. } => of_new && !lossy,
            Turn::Removed { lossy, .. } => !of_new && !lossy,
        };
        let (source_type, target_type) = self.directed(new_type, old_type);
        let comes_back = turns.iter().any(|turn| is_kept(turn, self.to == To::New));
        let goes_away = turns.iter().any(|turn| is_kept(turn, self.to == To::Old));
        let seen = match comes_back || goes_away {
            true => Some(self.reader.write(source_type, &whole)?),
            false => None,
        };
        if comes_back
            && let Some(value) = context.given_for(seen.as_ref())
            && let Ok(value) = Reader::new(&self.declared.types).read(target_type, &value)
        {
            return Ok(value);
        }
        let Typed::Variant(name, fields) = whole else { return Ok(whole) };
        for turn in turns {
            let instead = match turn {
                Turn::Both { new, old, label, moves } => {
                    let (from, to) = self.directed(new, old);
                    if *from != name {
                        continue;
                    }
                    let (new, old) = (self.members(new_type, Some(new)), self.members(old_type, Some(old)));
                    let sides = Sides { new: &new, old: &old };
                    let fields =
                        context.field(label, |context| self.moves(moves, fields, &sides, context))?;
                    return Ok(Typed::Variant(to.clone(), fields));
                }
                Turn::Added { new, instead, lossy, .. } if self.to == To::Old && *new == name => {
                    (instead, lossy)
                }
                Turn::Removed { old, instead, lossy, .. } if self.to == To::New && *old == name => {
                    (instead, lossy)
                }
                Turn::Added { .. } | Turn::Removed { .. } => continue,
            };
            let (instead, lossy) = instead;
            let it = Typed::Variant(instead.clone(), Map::new());
            match lossy {
                true => context.accept_loss(),
                false => context.keep_as(seen, Some(&self.reader.write(target_type, &it)?)),
            }
            return Ok(it);
        }
        Err(Error::new(format!("the variant `{name}` converts to nothing")))
    }

    /// Returns several values as one: a list, or the value itself if there is only one.
    fn written(&self, types: &[TypeId], values: &[Typed]) -> Result<Value, Error> {
        match (types, values) {
            ([ty], [value]) => self.reader.write(*ty, value),
            (types, values) => {
                let all = types.iter().zip(values).map(|(ty, value)| self.reader.write(*ty, value));
                all.collect::<Result<_, _>>().map(Value::List)
            }
        }
    }

    fn read(&self, types: &[TypeId], value: &Value) -> Option<Vec<Typed>> {
        let mut reader = Reader::new(&self.declared.types);
        match (types, value) {
            ([ty], value) => Some(vec![reader.read(*ty, value).ok()?]),
            (types, Value::List(items)) if types.len() == items.len() => {
                types.iter().zip(items).map(|(ty, item)| reader.read(*ty, item).ok()).collect()
            }
            _ => None,
        }
    }
}

/// Removes a field from a struct, or from a struct inside of it, and returns it.
fn take(fields: &mut Map<Typed>, path: &[String]) -> Option<Typed> {
    let (first, rest) = path.split_first()?;
    if rest.is_empty() {
        return fields.remove(first);
    }
    match fields.get_mut(first)? {
        Typed::Struct(inner) => take(inner, rest),
        _ => None,
    }
}

/// Adds a field to a struct. Creates the structs around the field.
fn put(fields: &mut Map<Typed>, path: &[String], value: Typed) {
    match path {
        [] => {}
        [name] => _ = fields.insert(name.clone(), value),
        [name, rest @ ..] => {
            if !matches!(fields.get(name), Some(Typed::Struct(_))) {
                fields.insert(name.clone(), Typed::Struct(Map::new()));
            }
            if let Some(Typed::Struct(inner)) = fields.get_mut(name) {
                put(inner, rest, value);
            }
        }
    }
}
