//! `selectableFields`

use crate::diag::codes::crd::{
    JSON_PATH, SELECTABLE_MANY, SELECTABLE_PATH, SELECTABLE_SCHEMA, SELECTABLE_TWICE,
};
use crate::diag::{Diag, Diags};
use crate::ir::{Schema, SelectableField, Type};
use crate::path::Path;
use crate::server::MAX_SELECTABLE_FIELDS;
use crate::structural::{Brackets, convertible, field_path};
use std::collections::HashSet;

/// What the fields are checked against.
pub(super) struct Check<'a> {
    pub(super) schema: Option<&'a Schema>,
    pub(super) schema_path: Path<'a>,
    /// `schema` is set, but contains no `openAPIV3Schema`.
    pub(super) empty_box: bool,
    /// The server's message if there is no schema.
    pub(super) without_schema: &'a str,
    /// Whether the schemas are those of the versions, because they differ.
    pub(super) has_own_schemas: bool,
    pub(super) may_be_many: bool,
}

impl Check<'_> {
    pub(super) fn run(&self, fields: &[SelectableField], at: &Path<'_>, out: &mut Diags) {
        let Some(schema) = self.schema else { return self.without_schema(fields, at, out) };
        if let Err(why) = convertible(schema) {
            let help = "remove what the message names from the schema";
            out.push(Diag::invalid(&SELECTABLE_SCHEMA, &self.schema_path, "", why.to_string()).help(help));
        }
        let mut seen = HashSet::new();
        for (i, SelectableField { json_path }) in fields.iter().enumerate() {
            let at = at.index(i);
            field(json_path, schema, &at.child("jsonPath"), &mut seen, out);
        }
        if seen.len() > MAX_SELECTABLE_FIELDS && !self.may_be_many {
            out.push(
                Diag::too_many(&SELECTABLE_MANY, at, seen.len(), MAX_SELECTABLE_FIELDS)
                    .help(format!("keep the {MAX_SELECTABLE_FIELDS} most useful ones")),
            );
        }
    }

    /// If the schema that all versions share is empty, the server fails at the first path that it looks up.
    fn without_schema(&self, fields: &[SelectableField], at: &Path<'_>, out: &mut Diags) {
        let before = out.len();
        if self.empty_box {
            for (i, _) in fields.iter().enumerate().filter(|(_, f)| f.json_path.is_empty()) {
                no_path(&at.index(i).child("jsonPath"), out);
            }
        }
        if out.len() == before {
            let help = match self.has_own_schemas {
                true => {
                    "the server merges `selectableFields` that are equal in all versions, and then misses the schemas, which \
                         differ (kubernetes#140689). Make one of the lists differ: write its fields in another order, or add or \
                         remove a field in one version"
                }
                false => "give the version a schema with the fields",
            };
            out.push(Diag::invalid(&SELECTABLE_SCHEMA, at, "", self.without_schema).help(help));
        }
    }
}

fn no_path(at: &Path<'_>, out: &mut Diags) {
    out.push(Diag::required(&JSON_PATH, at, "").help("add the path of a field: `jsonPath: .spec.color`"));
}

fn field(text: &str, schema: &Schema, at: &Path<'_>, seen: &mut HashSet<String>, out: &mut Diags) {
    if text.is_empty() {
        return no_path(at, out);
    }
    let mut invalid = |detail: String, help: &str| {
        out.push(Diag::invalid(&SELECTABLE_PATH, at, text, detail).help(help));
    };
    let (path, found) = match field_path(text, schema, Brackets::Rejected) {
        Ok(found) => found,
        Err(why) => {
            let help = "write the path of a property that the schema has, such as `.spec.color`. It cannot go through lists";
            return invalid(format!("is an invalid path: {why}"), help);
        }
    };
    if path.root() == Some("metadata") {
        let help = "remove it: metadata.name and metadata.namespace can always be selected by";
        invalid("must not point to fields in metadata".to_owned(), help);
    }
    match found.and_then(|s| s.ty.as_ref()) {
        Some(Type::String | Type::Boolean | Type::Integer) => {}
        Some(Type::Object | Type::Array | Type::Number | Type::Other(_)) | None => {
            let detail = "must point to a field of type string, boolean or integer. Enum string fields and strings with \
                          formats are allowed.";
            invalid(detail.to_owned(), "choose a field that is a string, boolean or integer");
        }
    }
    if !seen.insert(path.to_string()) {
        out.push(Diag::duplicate(&SELECTABLE_TWICE, at, text).help("remove one of them"));
    }
}
