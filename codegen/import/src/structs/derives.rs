//! Determines which traits each type can derive. Types come after the types that they use, so one pass is enough.

use super::foreign;
use super::model::*;
use super::options::{MapType, Numbers, Options};

/// The traits that a type can derive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Abilities {
    /// `Default`
    pub(super) default: bool,
    /// `Eq`
    pub(super) eq: bool,
    /// `Hash`
    pub(super) hash: bool,
    /// `Copy`
    pub(super) copy: bool,
}

/// The traits that each type can derive.
pub(super) fn all(plan: &Plan, options: &Options) -> Vec<Abilities> {
    let mut found: Vec<Abilities> = Vec::with_capacity(plan.types.len());
    for def in &plan.types {
        let abilities = match &def.body {
            Body::Struct(body) => {
                let mut all = Abilities { default: true, eq: true, hash: true, copy: false };
                for field in &body.fields {
                    let one = of(&field.usage, &found, options);
                    let optional = field.may_be_absent(options) || field.usage.nullable;
                    all.default &= optional || one.default;
                    all.eq &= one.eq;
                    all.hash &= one.hash;
                }
                if let Some(id) = body.choice {
                    let one: Abilities = found[id];
                    all.default = false;
                    all.eq &= one.eq;
                    all.hash &= one.hash;
                }
                all
            }
            Body::Union(body) => {
                let mut all = Abilities { default: false, eq: true, hash: true, copy: false };
                for variant in &body.variants {
                    let one = of(&variant.usage, &found, options);
                    all.eq &= one.eq;
                    all.hash &= one.hash;
                }
                all
            }
            Body::Enum(body) => {
                Abilities { default: body.default.is_some(), eq: true, hash: true, copy: !options.open_enums }
            }
            Body::IntOrString { .. } => Abilities { default: false, eq: true, hash: true, copy: false },
        };
        found.push(abilities);
    }
    found
}

fn of(usage: &Use, found: &[Abilities], options: &Options) -> Abilities {
    let plain = Abilities { default: true, eq: true, hash: true, copy: false };
    match &usage.ty {
        Ty::Bool | Ty::I32 | Ty::I64 | Ty::String | Ty::Time | Ty::Json | Ty::JsonObject => plain,
        Ty::Number => {
            // serde_json's Number has no default.
            let exact = options.numbers == Numbers::Json;
            Abilities { default: !exact, eq: exact, hash: exact, copy: false }
        }
        Ty::ObjectMeta => Abilities { default: true, eq: false, hash: false, copy: false },
        Ty::List(item) => Abilities { default: true, ..of(item, found, options) },
        Ty::Map(value) => {
            let inner = of(value, found, options);
            let hash = inner.hash && options.map == MapType::BTreeMap;
            Abilities { default: true, eq: inner.eq, hash, copy: false }
        }
        Ty::Named(id) => found[*id],
        Ty::Kubernetes(name) => {
            Abilities { default: foreign::has_default(name), eq: false, hash: false, copy: false }
        }
    }
}

/// The derives that the user's patterns add to a type.
pub(super) fn chosen<'a>(name: &str, options: &'a Options) -> Vec<&'a str> {
    let is_named = |(pattern, _): &&(String, String)| matches(pattern, name);
    let mut out: Vec<&str> = Vec::new();
    for (_, path) in options.derives.iter().filter(is_named) {
        if !out.contains(&path.as_str()) {
            out.push(path);
        }
    }
    out
}

/// Whether a pattern, in which `*` matches anything, matches a name.
fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(rest) = name.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut rest = rest;
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}
