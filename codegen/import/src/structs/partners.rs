//! Which attributes `#[derive(Apply)]` needs for a plan.

use super::mismatch::json;
use super::model::*;
use super::options::{Options, TimeType};
use crate::value::Value;
use std::collections::BTreeMap;

/// The attributes of `#[derive(Apply)]` for a plan.
#[derive(Clone, Debug, Default)]
pub(super) struct Partners {
    /// The keys by which lists identify their items, for the types of the items.
    keys: BTreeMap<TypeId, Vec<String>>,
}

/// The attribute of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Nothing.
    Inside,
    /// It identifies the items of a list.
    Key,
    /// Who sets it sets all of it.
    Whole,
}

impl Part {
    /// The attribute.
    pub(super) fn line(self) -> Option<&'static str> {
        match self {
            Part::Inside => None,
            Part::Key => Some("#[apply(key)]"),
            Part::Whole => Some("#[apply(whole)]"),
        }
    }
}

impl Partners {
    pub(super) fn of(plan: &Plan) -> Partners {
        let mut found: BTreeMap<TypeId, Option<Vec<String>>> = BTreeMap::new();
        let fields = plan.types.iter().flat_map(|def| match &def.body {
            Body::Struct(body) => &body.fields[..],
            Body::Union(body) => &body.variants[..],
            Body::Enum(_) | Body::IntOrString { .. } => &[],
        });
        for (id, keys) in fields.filter_map(|field| items(&field.usage)) {
            // Lists with other keys cannot share what the type says.
            found
                .entry(id)
                .and_modify(|known| *known = known.take().filter(|it| *it == keys))
                .or_insert(Some(keys));
        }
        let usable = |id: &TypeId, keys: &[String]| keys.iter().all(|key| is_scalar_field(plan, *id, key));
        let keys = found.into_iter().filter_map(|(id, keys)| Some((id, keys?)));
        Partners { keys: keys.filter(|(id, keys)| usable(id, keys)).collect() }
    }

    /// Returns the attribute of a field of a type.
    pub(super) fn field(&self, of: TypeId, field: &Field, options: &Options) -> Part {
        if self.keys.get(&of).is_some_and(|keys| keys.contains(&field.property)) {
            return Part::Key;
        }
        let has_other_keys = items(&field.usage).is_some_and(|(id, keys)| self.keys.get(&id) != Some(&keys));
        if field.has_null(options) || has_other_keys { Part::Whole } else { part(&field.usage, options) }
    }
}

/// The type of the items of a list, and the keys that identify them, in alphabetical order.
fn items(usage: &Use) -> Option<(TypeId, Vec<String>)> {
    let Ty::List(item) = &usage.ty else { return None };
    let Ty::Named(id) = item.ty else { return None };
    let Value::List(keys) = json(&usage.keywords, "list_map_keys")? else { return None };
    let mut keys: Vec<String> = keys.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    keys.sort();
    Some((id, keys))
}

fn is_scalar_field(plan: &Plan, of: TypeId, property: &str) -> bool {
    let Body::Struct(body) = &plan.types[of].body else { return false };
    let Some(field) = body.fields.iter().find(|field| field.property == property) else { return false };
    match &field.usage.ty {
        Ty::Bool | Ty::I32 | Ty::I64 | Ty::String | Ty::Time | Ty::Number => true,
        Ty::Named(id) => matches!(plan.types[*id].body, Body::Enum(_) | Body::IntOrString { .. }),
        Ty::Json | Ty::JsonObject | Ty::ObjectMeta | Ty::List(_) | Ty::Map(_) | Ty::Kubernetes(_) => false,
    }
}

/// Returns the attribute of what is used: a field or a variant of a union.
pub(super) fn part(usage: &Use, options: &Options) -> Part {
    let has_partner = match &usage.ty {
        Ty::Kubernetes(_) | Ty::ObjectMeta => false,
        Ty::Time => options.time == TimeType::String,
        other => other.inner().is_none_or(|it| !it.nullable && part(it, options) == Part::Inside),
    };
    if has_partner { Part::Inside } else { Part::Whole }
}
