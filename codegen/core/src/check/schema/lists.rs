//! List types, their keys, and map types.

use std::collections::HashSet;

use super::{SchemaOptions, as_go};
use crate::diag::codes::schema as codes;
use crate::diag::{BadValue, Diag, Diags};
use crate::ir::{Items, Schema, Type};
use crate::nearest::did_you_mean;
use crate::path::Path;
use crate::value::Value;

pub(super) fn check(schema: &Schema, options: &SchemaOptions, path: &Path<'_>, out: &mut Diags) {
    map_type(schema, path, out);
    list_type(schema, options.atomic_sets, path, out);
    map_keys(schema, path, out);
    if options.list_keys {
        loose_keys(schema, path, out);
    }
}

/// Reports that `extension` needs the type `wanted`, if the schema has another one.
fn needs_type(schema: &Schema, wanted: Type, extension: &str, path: &Path<'_>) -> Option<Diag> {
    let name = wanted.as_str();
    let detail = format!("must be {name} if {extension} is specified");
    let code = if wanted == Type::Array { &codes::LIST_TYPE } else { &codes::MAP_TYPE };
    let at = path.child("type");
    match &schema.ty {
        Some(ty) if *ty == wanted => None,
        Some(ty) => Some(Diag::invalid(code, &at, ty.as_str(), detail)),
        None => Some(Diag::required(code, &at, detail)),
    }
    .map(|d| d.help(format!("write `type: {name}`, or remove `{extension}`")))
}

fn map_type(schema: &Schema, path: &Path<'_>, out: &mut Diags) {
    let Some(map_type) = &schema.ext.map_type else { return };
    out.extend(needs_type(schema, Type::Object, "x-kubernetes-map-type", path));
    let known = ["atomic", "granular"];
    if !known.contains(&map_type.as_str()) {
        let at = path.child("x-kubernetes-map-type");
        out.push(
            Diag::not_supported(&codes::MAP_TYPE, &at, map_type.as_str(), &known)
                .help("use atomic, or leave it out for granular"),
        );
    }
}

fn list_type(schema: &Schema, atomic_sets: bool, path: &Path<'_>, out: &mut Diags) {
    let Some(list_type) = &schema.ext.list_type else { return };
    if schema.ty != Some(Type::Array) {
        out.extend(needs_type(schema, Type::Array, "x-kubernetes-list-type", path));
    } else if atomic_sets && is_loose_set(schema) {
        let item = schema.item();
        // The server prints the list type of the items in both cases.
        let bad = item.and_then(|i| i.ext.list_type.as_deref()).map_or(Value::Null, Value::from);
        let bad = BadValue::Json(bad);
        let of_lists = item.is_some_and(|i| i.ty == Some(Type::Array));
        let name = if of_lists { "x-kubernetes-list-type" } else { "x-kubernetes-map-type" };
        out.push(
            Diag::invalid(
                &codes::SET_ITEMS,
                &path.child("items").child(name),
                bad,
                "must be atomic as item of a list with x-kubernetes-list-type=set",
            )
            .help(format!("write `x-kubernetes-list-type: map` with keys, or `{name}: atomic` in the items")),
        );
    }
    let known = ["atomic", "set", "map"];
    if !known.contains(&list_type.as_str()) {
        let at = path.child("x-kubernetes-list-type");
        out.push(
            Diag::not_supported(&codes::LIST_TYPE, &at, list_type.as_str(), &known)
                .help("use atomic, set or map"),
        );
    }
}

/// Whether this is a set whose items are objects or lists that are not atomic.
pub(super) fn is_loose_set(schema: &Schema) -> bool {
    if schema.ext.list_type.as_deref() != Some("set") {
        return false;
    }
    let Some(item) = schema.item() else { return false };
    match &item.ty {
        Some(Type::Array) => item.ext.list_type.as_deref().is_some_and(|t| t != "atomic"),
        Some(Type::Object) => item.ext.map_type.as_deref() != Some("atomic"),
        Some(Type::String | Type::Integer | Type::Number | Type::Boolean | Type::Other(_)) | None => false,
    }
}

fn map_keys(schema: &Schema, path: &Path<'_>, out: &mut Diags) {
    let ext = &schema.ext;
    let at_keys = path.child("x-kubernetes-list-map-keys");
    let at_type = path.child("x-kubernetes-list-type");
    if !ext.list_map_keys.is_empty() {
        let detail = "must be map if x-kubernetes-list-map-keys is non-empty";
        let help = "write `x-kubernetes-list-type: map`, or remove the keys";
        match ext.list_type.as_deref() {
            Some("map") => {}
            Some(other) => out.push(Diag::invalid(&codes::LIST_TYPE, &at_type, other, detail).help(help)),
            None => out.push(Diag::required(&codes::LIST_TYPE, &at_type, detail).help(help)),
        }
    }
    if ext.list_type.as_deref() != Some("map") {
        return;
    }
    if ext.list_map_keys.is_empty() {
        out.push(
            Diag::required(
                &codes::LIST_MAP_KEYS,
                &at_keys,
                "must not be empty if x-kubernetes-list-type is map",
            )
            .help("list the properties that identify an item, such as `[name]`"),
        );
    }
    let at_items = path.child("items");
    let item = match &schema.items {
        None => {
            out.push(
                Diag::required(
                    &codes::LIST_MAP_KEYS,
                    &at_items,
                    "must have a schema if x-kubernetes-list-type is map",
                )
                .help("add `items` of type object"),
            );
            return;
        }
        Some(Items::Many(_)) => {
            let detail = "must only have a single schema if x-kubernetes-list-type is map";
            out.push(
                Diag::invalid(
                    &codes::ITEMS_ARRAY,
                    &at_items,
                    as_go::items(schema.items.as_ref(), schema.empty),
                    detail,
                )
                .help("write one schema for all items, without the brackets of a list"),
            );
            return;
        }
        Some(Items::One(item)) => item,
    };
    if item.ty != Some(Type::Object) {
        out.push(
            Diag::invalid(
                &codes::LIST_MAP_KEYS,
                &at_items.child("type"),
                item.type_name(),
                "must be object if parent array's x-kubernetes-list-type is map",
            )
            .help("for scalar items write `x-kubernetes-list-type: set`"),
        );
        return;
    }
    keys_of_items(&ext.list_map_keys, item, [&at_keys, &at_items], out);
}

/// The keys of a list must be scalar properties of its items.
fn keys_of_items(names: &[String], item: &Schema, [at_keys, at_items]: [&Path<'_>; 2], out: &mut Diags) {
    let keys = || BadValue::Strings(Some(names.to_vec()));
    let at_properties = at_items.child("properties");
    let mut seen = HashSet::new();
    for key in names {
        match item.properties.get(key) {
            Some(property) if matches!(property.ty, Some(Type::Array | Type::Object)) => out.push(
                Diag::invalid(
                    &codes::LIST_MAP_KEYS,
                    &at_properties.key(key).child("type"),
                    item.type_name(),
                    "must be a scalar type if parent array's x-kubernetes-list-type is map",
                )
                .help("choose another key"),
            ),
            Some(_) => {}
            None => out.push(
                Diag::invalid(
                    &codes::LIST_MAP_KEYS,
                    at_keys,
                    keys(),
                    "entries must all be names of item properties",
                )
                .help(no_such_key(key, item)),
            ),
        }
        if !seen.insert(key) {
            out.push(
                Diag::invalid(&codes::LIST_MAP_KEYS, at_keys, keys(), "must not contain duplicate entries")
                    .help(format!("name `{key}` once")),
            );
        }
    }
}

fn no_such_key(key: &str, item: &Schema) -> String {
    let near = did_you_mean(key, item.properties.iter().map(|(name, _)| name));
    let near = near.unwrap_or_else(|| "name properties of the items".to_owned());
    format!("the items have no property `{key}`: {near}")
}

/// Reports keys that may be missing, and items and keys that may be null.
pub(super) fn loose_keys(schema: &Schema, path: &Path<'_>, out: &mut Diags) {
    let Some(item) = schema.item() else { return };
    let Some(list_type @ ("set" | "map")) = schema.ext.list_type.as_deref() else { return };
    let at_items = path.child("items");
    if item.nullable {
        out.push(
            Diag::forbidden(
                &codes::LIST_ITEM_NULLABLE,
                &at_items.child("nullable"),
                format!("cannot be nullable when x-kubernetes-list-type is {list_type}"),
            )
            .help("remove `nullable` from the items"),
        );
    }
    if list_type != "map" {
        return;
    }
    let at_properties = at_items.child("properties");
    let required: HashSet<&String> = item.limits.required.iter().collect();
    for key in &schema.ext.list_map_keys {
        let Some(property) = item.properties.get(key) else { continue };
        let at = at_properties.key(key);
        if property.default.is_none() && !required.contains(key) {
            out.push(
                Diag::required(
                    &codes::LIST_KEY_OPTIONAL,
                    &at.child("default"),
                    "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required \
                     property",
                )
                .help(format!("add `{key}` to `required` of the items, or give it a default")),
            );
        }
        if property.nullable {
            out.push(
                Diag::forbidden(
                    &codes::LIST_KEY_OPTIONAL,
                    &at.child("nullable"),
                    "this property is in x-kubernetes-list-map-keys, so it cannot be nullable",
                )
                .help("remove `nullable`"),
            );
        }
    }
}
