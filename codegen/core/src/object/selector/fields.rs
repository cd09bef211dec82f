//! Field selectors: `metadata.name=x,spec.color!=red`. Each kind has fields that can be selected.

use crate::ir::{Schema, Type};
use crate::object::jsonpath::JsonPath;
use crate::object::{Served, ServedVersion};
use crate::value::Value;
use std::collections::HashMap;
use std::fmt;

/// What fields must be: the names, each with whether it must be equal to a value.
#[derive(Clone, Debug)]
pub struct FieldSelector(Vec<(String, Vec<(bool, String)>)>);

/// The error for a text that is not a selector of fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadFields;

impl fmt::Display for BadFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("write one such as metadata.name=x")
    }
}

impl std::error::Error for BadFields {}

/// The error for a field that cannot be selected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unselectable {
    /// The field.
    pub field: String,
    /// The kind.
    pub kind: String,
    /// The fields of the kind that can be selected.
    pub known: Vec<String>,
}

impl fmt::Display for Unselectable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unselectable { field, kind, known } = self;
        write!(f, "field label not supported: {field}; {kind} has {}", known.join(", "))
    }
}

impl std::error::Error for Unselectable {}

impl FieldSelector {
    /// Reads a selector. Its parts are separated with commas, and an object must match all of them.
    pub fn parse(text: &str) -> Result<FieldSelector, BadFields> {
        let part = |part: &str| {
            let (name, equal, value) = match part.split_once("!=") {
                Some((name, value)) => (name, false, value),
                None => {
                    let (name, value) = part.split_once('=').ok_or(BadFields)?;
                    (name, true, value.strip_prefix('=').unwrap_or(value))
                }
            };
            Ok((name.trim().to_owned(), equal, value.to_owned()))
        };
        let mut all: Vec<(String, Vec<(bool, String)>)> = Vec::new();
        let mut places = HashMap::new();
        for part in text.split(',').filter(|p| !p.is_empty()).map(part) {
            let (name, equal, value) = part?;
            let place = *places.entry(name.clone()).or_insert(all.len());
            if place == all.len() {
                all.push((name, Vec::new()));
            }
            all[place].1.push((equal, value));
        }
        Ok(FieldSelector(all))
    }

    /// Finds the fields in a version of a kind.
    pub fn of<'s>(&'s self, served: &Served, version: &ServedVersion) -> Result<Selected<'s>, Unselectable> {
        let find = |(name, values): &'s (String, Vec<(bool, String)>)| {
            Ok((Field::find(served, version, name)?, values.as_slice()))
        };
        self.0.iter().map(find).collect::<Result<_, _>>().map(Selected)
    }
}

/// A selector for the objects of one version of a kind.
pub struct Selected<'s>(Vec<(Field, &'s [(bool, String)])>);

/// What a field counts as that an object does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent {
    /// An empty text. So it is for custom resources.
    Empty,
    /// The zero of its type, such as `false`. So it is for Kubernetes' own kinds, which are structs in Go.
    Zero,
}

impl Selected<'_> {
    /// Whether a custom resource, as the server stores it, has the values.
    pub fn matches(&self, object: &Value) -> bool {
        self.matches_with(object, Absent::Empty)
    }

    /// The same for objects of other kinds.
    pub fn matches_with(&self, object: &Value, absent: Absent) -> bool {
        self.0.iter().all(|(field, values)| {
            let found = field.value(object, absent);
            values.iter().all(|(equal, value)| (found == *value) == *equal)
        })
    }
}

enum Field {
    /// A field of the metadata that every kind has.
    Metadata(&'static str),
    At {
        path: JsonPath,
        /// The zero of its type.
        zero: &'static str,
    },
}

impl Field {
    fn find(served: &Served, version: &ServedVersion, name: &str) -> Result<Field, Unselectable> {
        match name {
            "metadata.name" => return Ok(Field::Metadata("name")),
            "metadata.namespace" => return Ok(Field::Metadata("namespace")),
            _ => {}
        }
        let fields = served.selectable_fields(version);
        let found = fields.iter().find(|field| field.json_path.strip_prefix('.') == Some(name));
        let schema = served.schema(version);
        let place = match NAMES.iter().find(|(own, _)| *own == name && field(schema, own).is_none()) {
            Some((_, place)) => place,
            None => name,
        };
        let at = |path| Field::At { path, zero: zero(field(schema, place)) };
        let path = found.and_then(|_| JsonPath::parse(&format!(".{place}"))).map(at);
        path.ok_or_else(|| {
            let own = fields.iter().filter_map(|field| field.json_path.strip_prefix('.'));
            let known =
                ["metadata.name", "metadata.namespace"].into_iter().chain(own).map(str::to_owned).collect();
            Unselectable { field: name.to_owned(), kind: served.crd.spec.names.kind.clone(), known }
        })
    }

    fn value(&self, object: &Value, absent: Absent) -> String {
        match self {
            Field::Metadata(name) => {
                let value = object.get("metadata").and_then(|metadata| metadata.get(name)?.as_str());
                value.unwrap_or_default().to_owned()
            }
            Field::At { path, zero } => match (path.first(object), absent) {
                (Some(found), _) => found.printed(),
                (None, Absent::Empty) => String::new(),
                (None, Absent::Zero) => (*zero).to_owned(),
            },
        }
    }
}

/// Names of fields in selectors that no field has, and the fields that are meant.
const NAMES: [(&str, &str); 1] = [("status.successful", "status.succeeded")];

/// The schema of a field.
fn field<'s>(schema: Option<&'s Schema>, name: &str) -> Option<&'s Schema> {
    name.split('.').try_fold(schema?, |schema, name| schema.properties.get(name))
}

/// The zero of the type of a field, as Go prints it.
fn zero(field: Option<&Schema>) -> &'static str {
    match field.and_then(|field| field.ty.as_ref()) {
        Some(Type::Boolean) => "false",
        Some(Type::Integer | Type::Number) => "0",
        _ => "",
    }
}
