//! Derives a [`Schema`] from published OpenAPI v3, as the server does for all kinds.

use super::{ATOMIC, Atom, Builder, DEDUCED, Field, List, Map, Relation, Scalar, Schema, TypeId};
use crdgen_text::value::Value;

/// Types that OpenAPI does not describe as the server merges them.
const QUANTITY: &str = "io.k8s.apimachinery.pkg.api.resource.Quantity";
const RAW_EXTENSION: &str = "io.k8s.apimachinery.pkg.runtime.RawExtension";

/// Whether objects may have fields that their schema does not declare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undeclared {
    /// They may have them everywhere.
    Accepted,
    /// They may have them where `x-kubernetes-preserve-unknown-fields` is set.
    Declared,
}

/// Returns the schema for the models of an OpenAPI v3 document, by their names.
///
/// # Errors
/// Fails with all mistakes in the models: unknown types and relations, and arrays without items.
pub fn from_openapi<'m>(
    models: impl IntoIterator<Item = (&'m str, &'m Value)>,
    undeclared: Undeclared,
) -> Result<Schema, Vec<String>> {
    let mut conversion = Conversion { builder: Builder::default(), mistakes: Vec::new() };
    for (name, model) in models {
        if text(model, "$ref").is_some() {
            continue;
        }
        let atom = match name {
            QUANTITY => Atom { scalar: Some(Scalar::Untyped), ..Atom::default() },
            RAW_EXTENSION => {
                let atomic = conversion.builder.named(ATOMIC);
                let list = List { items: Some(atomic), relation: Relation::Atomic, keys: Vec::new() };
                let map = Map { others: Some(atomic), relation: Relation::Atomic, ..Map::default() };
                Atom { scalar: Some(Scalar::Untyped), list: Some(list), map: Some(map) }
            }
            _ => conversion.atom(model, undeclared, name),
        };
        conversion.builder.define(name, atom);
    }
    let Conversion { builder, mistakes } = conversion;
    if mistakes.is_empty() { Ok(builder.finish()) } else { Err(mistakes) }
}

fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
}

struct Conversion {
    builder: Builder,
    mistakes: Vec<String>,
}

impl Conversion {
    /// The forms of a schema. `undeclared` is what the schemas above it allow, and `place` is for messages.
    fn atom(&mut self, schema: &Value, undeclared: Undeclared, place: &str) -> Atom {
        let undeclared = match schema.get("x-kubernetes-preserve-unknown-fields") {
            Some(Value::Bool(true)) => Undeclared::Accepted,
            _ => undeclared,
        };
        match text(schema, "type") {
            None => Atom {
                scalar: Some(Scalar::Untyped),
                list: Some(self.list(schema, undeclared, place)),
                map: Some(self.map(schema, undeclared, place)),
            },
            Some("object") => Atom { map: Some(self.map(schema, undeclared, place)), ..Atom::default() },
            Some("array") => Atom { list: Some(self.list(schema, undeclared, place)), ..Atom::default() },
            Some(name) => {
                let scalar = match (name, text(schema, "format")) {
                    ("integer" | "number", _) => Scalar::Numeric,
                    ("boolean", _) => Scalar::Boolean,
                    ("string", None | Some("byte")) => Scalar::String,
                    ("string", Some(_)) => Scalar::Untyped,
                    (other, _) => {
                        self.mistakes.push(format!("{place}: unrecognized type: '{other}'"));
                        Scalar::Untyped
                    }
                };
                Atom { scalar: Some(scalar), ..Atom::default() }
            }
        }
    }

    /// The type at a place, which is a reference or has its own schema.
    fn reference(&mut self, schema: &Value, undeclared: Undeclared, place: &str) -> TypeId {
        let alone = schema.get("allOf").and_then(Value::as_list).filter(|all| all.len() == 1);
        let target = text(schema, "$ref").or_else(|| text(alone?.first()?, "$ref"));
        // The name is what follows the last slash.
        let name = target.map(|target| target.rsplit('/').next().unwrap_or_default());
        let Some(name) = name.filter(|name| !name.is_empty()) else {
            let atom = self.atom(schema, undeclared, &format!("inlined in {place}"));
            return self.builder.inline(atom);
        };
        let ty = self.builder.named(name);
        match self.map_relation(schema, place) {
            Some(relation) => self.builder.related(ty, relation),
            None => ty,
        }
    }

    fn map(&mut self, schema: &Value, undeclared: Undeclared, place: &str) -> Map {
        let properties = schema.get("properties").and_then(Value::as_map);
        let mut fields = Vec::new();
        for (name, member) in properties.into_iter().flat_map(|properties| properties.iter()) {
            let ty = Some(self.reference(member, undeclared, place));
            let default = member.get("default").filter(|default| !default.is_null()).cloned();
            fields.push((name.to_owned(), Field { ty, default }));
        }
        let others = match schema.get("additionalProperties") {
            Some(Value::Bool(false)) => None,
            Some(Value::Bool(true)) => Some(self.builder.named(DEDUCED)),
            Some(values) => Some(self.reference(values, undeclared, place)),
            None if undeclared == Undeclared::Accepted || fields.is_empty() => {
                Some(self.builder.named(DEDUCED))
            }
            None => None,
        };
        let relation = self.map_relation(schema, place).unwrap_or_default();
        Map { fields: fields.into_iter().collect(), others, relation }
    }

    fn map_relation(&mut self, schema: &Value, place: &str) -> Option<Relation> {
        match text(schema, "x-kubernetes-map-type")? {
            "atomic" => Some(Relation::Atomic),
            "granular" => Some(Relation::Separable),
            other => {
                self.mistakes.push(format!("{place}: unknown map type {other}"));
                None
            }
        }
    }

    fn list(&mut self, schema: &Value, undeclared: Undeclared, place: &str) -> List {
        let (relation, keys) = self.list_relation(schema, place);
        let items = match schema.get("items") {
            Some(items) => self.reference(items, undeclared, place),
            None => {
                if text(schema, "type").is_some() {
                    self.mistakes.push(format!("{place}: `items` must be specified on arrays"));
                }
                self.builder.named(ATOMIC)
            }
        };
        List { items: Some(items), relation, keys }
    }

    fn list_relation(&mut self, schema: &Value, place: &str) -> (Relation, Vec<String>) {
        if let Some(list_type) = text(schema, "x-kubernetes-list-type") {
            return match list_type {
                "atomic" => (Relation::Atomic, Vec::new()),
                "set" => (Relation::Associative, Vec::new()),
                "map" => {
                    let keys = schema.get("x-kubernetes-list-map-keys").and_then(Value::as_list);
                    if keys.is_none() {
                        self.mistakes.push(format!("{place}: missing map keys"));
                    }
                    let keys = keys.unwrap_or_default().iter().filter_map(Value::as_str);
                    (Relation::Associative, keys.map(str::to_owned).collect())
                }
                other => {
                    self.mistakes.push(format!("{place}: unknown list type {other}"));
                    (Relation::Atomic, Vec::new())
                }
            };
        }
        match text(schema, "x-kubernetes-patch-strategy") {
            Some("merge" | "merge,retainKeys") => {
                let key = text(schema, "x-kubernetes-patch-merge-key");
                (Relation::Associative, key.map(str::to_owned).into_iter().collect())
            }
            None | Some("retainKeys") => (Relation::Atomic, Vec::new()),
            Some(other) => {
                self.mistakes.push(format!("{place}: unknown patch strategy {other}"));
                (Relation::Atomic, Vec::new())
            }
        }
    }
}
