//! Uses types of the crate `k8s_openapi` instead of generated ones, if they can represent everything that the schema
//! allows and write it back unchanged.
//!
//! They drop unknown fields and do not allow `null`, so a node must be a subset of the type as Kubernetes defines it.
//! Three of them change what they read: times become UTC without fractions, quantities become strings, and integers in
//! int-or-string have 32 bits. Kubernetes does the same to its own objects. [`KubernetesTypes::All`] is for users who
//! want that.

use super::keywords::difference;
use super::kubernetes;
use super::model::{Arg, Keyword};
use super::options::{KubernetesTypes, Options};
use crate::ir::{Schema, Type};
use crate::k8s;
use crate::value::Value;

/// The name of the type that is an integer or a string.
pub(super) const INT_OR_STRING: &str = "intstr.IntOrString";
/// The name of the type of quantities.
pub(super) const QUANTITY: &str = "resource.Quantity";
/// The name of the type of metadata.
pub(super) const OBJECT_META: &str = "meta/v1.ObjectMeta";
const CONDITION: &str = "meta/v1.Condition";
const OBJECT_REFERENCE: &str = "core/v1.ObjectReference";

/// In exact code, a foreign type is used only if at most this many keys describe how the schema differs.
const MOST_KEYS: usize = 4;

/// Which foreign types may be used where.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Foreign {
    types: KubernetesTypes,
    exact: bool,
    kopium: bool,
}

impl Foreign {
    /// The choice in the options.
    pub(super) fn new(options: &Options) -> Foreign {
        Foreign { types: options.kubernetes, exact: options.schema, kopium: options.kopium }
    }

    /// The foreign type of an object, with its schema. In exact code, this is the schema that the code need not repeat.
    /// `words` and `path` are those of the path to it.
    pub(super) fn object(
        &self,
        schema: &Schema,
        words: &[String],
        path: &[String],
    ) -> Option<(&'static str, Schema)> {
        let rewrites = match self.types {
            KubernetesTypes::Own => return None,
            KubernetesTypes::Lossless => false,
            KubernetesTypes::All => true,
        };
        let names: Vec<&str> = schema.properties.keys().collect();
        let name = if self.kopium {
            kopium(&names, path)?
        } else if names == ["name"] {
            // Every object may have a `name`, so only an atomic map is considered a reference.
            let atomic = schema.ext.map_type.as_deref() == Some("atomic");
            atomic.then_some("core/v1.LocalObjectReference")?
        } else {
            kubernetes::name_of(&names, words)?.full
        };
        let known = k8s::find(name)?.shallow();
        // kopium's users get these types even if they lose data.
        (self.kopium || represents(known, schema, rewrites)).then_some(())?;
        self.choose(name, schema)
    }

    /// The foreign type of an integer or string.
    pub(super) fn int_or_string(&self, schema: &Schema, quantity: bool) -> Option<(&'static str, Schema)> {
        // For kopium's users, quantities are strings.
        let name = if quantity && !self.kopium { QUANTITY } else { INT_OR_STRING };
        if self.types != KubernetesTypes::All {
            return None;
        }
        self.choose(name, schema)
    }

    fn choose(&self, name: &'static str, schema: &Schema) -> Option<(&'static str, Schema)> {
        if !self.exact {
            return Some((name, Schema { properties: Default::default(), ..schema.clone() }));
        }
        let base = k8s::find(name)?.embedded(None);
        let mut keys = difference(&base, schema).len();
        let overrides = overrides(&base, schema)?;
        for keyword in &overrides {
            if let Arg::At(_, inner) = &keyword.arg {
                keys += inner.len();
            }
        }
        (self.kopium || keys <= MOST_KEYS).then_some((name, base))
    }
}

/// The types for which kopium uses those of Kubernetes.
fn kopium(names: &[&str], path: &[String]) -> Option<&'static str> {
    let has = |wanted: &[&str]| wanted.iter().all(|w| names.binary_search(w).is_ok());
    let listed = path.last().is_some_and(|step| step == "[]");
    let of_conditions = listed && path.len() > 1 && path[path.len() - 2] == "conditions";
    if of_conditions && has(&["lastTransitionTime", "message", "reason", "status", "type"]) {
        return Some(CONDITION);
    }
    let reference = ["apiVersion", "fieldPath", "kind", "name", "namespace", "resourceVersion", "uid"];
    (names == reference).then_some(OBJECT_REFERENCE)
}

/// The keys for the differences between a node and the schema of a foreign type. None if crdgen cannot express them.
pub(super) fn overrides(base: &Schema, wanted: &Schema) -> Option<Vec<Keyword>> {
    let mut out = Vec::new();
    inside(base, wanted, &mut String::new(), &mut out).then_some(out)
}

fn differs(base: &Schema, wanted: &Schema, path: &mut String, out: &mut Vec<Keyword>) -> bool {
    let mut keys = Vec::new();
    if base.description != wanted.description {
        keys.push(Keyword::json("description", wanted.description.as_str()));
    }
    keys.extend(difference(base, wanted));
    if !keys.is_empty() {
        out.push(Keyword { key: "override", arg: Arg::At(path.clone(), keys) });
    }
    inside(base, wanted, path, out)
}

fn inside(base: &Schema, wanted: &Schema, path: &mut String, out: &mut Vec<Keyword>) -> bool {
    let length = path.len();
    // Keys can only add required fields, and cannot add or remove properties.
    if !base.properties.keys().eq(wanted.properties.keys()) || base.limits.required != wanted.limits.required
    {
        return false;
    }
    for ((name, base), wanted) in base.properties.iter().zip(wanted.properties.values()) {
        if name.contains(['.', '[', '{']) {
            return false;
        }
        path.push('.');
        path.push_str(name);
        if !differs(base, wanted, path, out) {
            return false;
        }
        path.truncate(length);
    }
    for (mark, base, wanted) in [("[]", base.item(), wanted.item()), ("{}", base.value(), wanted.value())] {
        match (base, wanted) {
            (Some(base), Some(wanted)) => {
                path.push_str(mark);
                if !differs(base, wanted, path, out) {
                    return false;
                }
                path.truncate(length);
            }
            (None, None) => {}
            (Some(_), None) | (None, Some(_)) => return false,
        }
    }
    true
}

/// The schema that a name refers to.
fn followed(mut known: &'static Schema) -> Option<&'static Schema> {
    while let Some(name) = known.foreign.as_ref().and_then(|f| f.reference.as_deref()) {
        known = k8s::find(name)?.shallow();
    }
    Some(known)
}

/// Whether the Rust form of a known type can read every value that a schema allows, and writes it back unchanged, or
/// with `rewrites`, in the form that Kubernetes gives it.
fn represents(known: &'static Schema, schema: &Schema, rewrites: bool) -> bool {
    let Some(known) = followed(known) else { return false };
    let plain = schema.foreign.is_none()
        && !schema.preserves_unknown_fields()
        && !schema.ext.embedded_resource
        && schema.ext.int_or_string == known.ext.int_or_string;
    if !plain || known.ext.int_or_string {
        return plain && rewrites;
    }
    let part =
        |known: &'static Schema, schema: &Schema| !schema.nullable && represents(known, schema, rewrites);
    let both = |known: Option<&'static Schema>, schema: Option<&Schema>| match (known, schema) {
        (Some(known), Some(schema)) => part(known, schema),
        (Some(_), None) | (None, _) => false,
    };
    if known.ty != schema.ty {
        return false;
    }
    match &known.ty {
        Some(Type::Boolean) => true,
        Some(Type::Integer) => known.limits.format != "int32" || small(schema),
        Some(Type::String) => match known.limits.format.as_str() {
            "" => true,
            "date-time" => rewrites && schema.limits.format == "date-time",
            _ => false,
        },
        Some(Type::Array) => both(known.item(), schema.item()),
        Some(Type::Object) if known.additional_properties.is_some() => both(known.value(), schema.value()),
        Some(Type::Object) if schema.additional_properties.is_some() => false,
        // The metadata of templates, about which CRDs specify little or nothing.
        Some(Type::Object) if known.properties.is_empty() => {
            !known.preserves_unknown_fields() && schema.properties.iter().all(|(n, s)| of_metadata(n, s))
        }
        Some(Type::Object) => {
            let written = known.properties.iter().filter(|(name, part)| always(known, name, part));
            schema.properties.iter().all(|(n, s)| known.properties.get(n).is_some_and(|k| part(k, s)))
                && written.into_iter().all(|(name, _)| there(schema, name, rewrites))
        }
        Some(Type::Number | Type::Other(_)) | None => false,
    }
}

/// Whether the Rust type has no `Option` for a property, so that it writes the property even if it was absent.
fn always(known: &Schema, name: &str, part: &Schema) -> bool {
    known.limits.required.iter().any(|r| r == name) || part.default == Some(Value::from(""))
}

/// Whether every object from a server has the property: it is required, or its default is the value that the Rust type
/// would write.
fn there(schema: &Schema, name: &str, rewrites: bool) -> bool {
    let empty = |s: &Schema| rewrites || s.default == Some(Value::from(""));
    schema.limits.required.iter().any(|r| r == name) || schema.properties.get(name).is_some_and(empty)
}

/// Whether an integer has at most 32 bits.
fn small(schema: &Schema) -> bool {
    let (least, most) = (f64::from(i32::MIN), f64::from(i32::MAX));
    schema.limits.format == "int32"
        || (schema.limits.minimum.is_some_and(|m| m >= least)
            && schema.limits.maximum.is_some_and(|m| m <= most))
}

/// Whether `ObjectMeta` has a certain property of metadata.
fn of_metadata(name: &str, schema: &Schema) -> bool {
    let string = |s: &Schema| s.ty == Some(Type::String) && !s.nullable;
    let inside = match name {
        "generateName" | "name" | "namespace" => Some(schema),
        "annotations" | "labels" => schema.value(),
        "finalizers" => schema.item(),
        _ => None,
    };
    inside.is_some_and(string) && !schema.nullable
}

/// The path of the Rust form of a type: a module, the name under which it is imported, and the name of the type.
pub(super) fn rust(name: &str) -> (String, String, &str) {
    let (place, ty) = match name.split_once('/') {
        Some((group, rest)) => {
            let (version, ty) = rest.split_once('.').unwrap_or(("", rest));
            ((group, version), ty)
        }
        None => {
            let (place, ty) = name.split_once('.').unwrap_or(("", name));
            ((place, ""), ty)
        }
    };
    let (path, alias) = match place {
        ("meta", version) => (format!("apimachinery::pkg::apis::meta::{version}"), format!("meta{version}")),
        ("resource", "") => ("apimachinery::pkg::api::resource".to_owned(), "resource".to_owned()),
        ("intstr", "") => ("apimachinery::pkg::util::intstr".to_owned(), "intstr".to_owned()),
        (group, version) => (format!("api::{group}::{version}"), format!("{group}{version}")),
    };
    (path, alias, ty)
}

/// Whether the Rust type has a default.
pub(super) fn has_default(name: &str) -> bool {
    name != CONDITION
}
