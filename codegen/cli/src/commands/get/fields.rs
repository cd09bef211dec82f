//! Field selectors: `metadata.name=x,spec.color!=red`. Each kind has fields that can be selected.

use super::chosen::{Group, Object};
use crdgen::Error;
use crdgen_core::object::jsonpath::JsonPath;

/// What fields must be: name, whether they must be equal, and the value.
#[derive(Debug)]
pub(super) struct FieldSelector(Vec<(String, bool, String)>);

impl FieldSelector {
    pub(super) fn parse(text: &str) -> Result<FieldSelector, Error> {
        let part = |part: &str| {
            let (name, equal, value) = match part.split_once("!=") {
                Some((name, value)) => (name, false, value),
                None => {
                    let (name, value) = part.split_once('=')?;
                    (name, true, value.strip_prefix('=').unwrap_or(value))
                }
            };
            Some((name.trim().to_owned(), equal, value.to_owned()))
        };
        let parts: Option<Vec<_>> = text.split(',').filter(|p| !p.is_empty()).map(part).collect();
        let wrong = || Error::Argument(format!("--field-selector {text}: write one such as metadata.name=x"));
        parts.map(FieldSelector).ok_or_else(wrong)
    }

    /// Keeps the objects that match. Fails for a field that cannot be selected.
    pub(super) fn apply(&self, group: &mut Group<'_>) -> Result<(), Error> {
        for (name, equal, value) in &self.0 {
            let field = Field::find(group, name)?;
            group.objects.retain(|object| (field.value(object) == *value) == *equal);
        }
        Ok(())
    }
}

enum Field {
    Name,
    Namespace,
    At(JsonPath),
}

impl Field {
    fn find(group: &Group<'_>, name: &str) -> Result<Field, Error> {
        match name {
            "metadata.name" => return Ok(Field::Name),
            "metadata.namespace" => return Ok(Field::Namespace),
            _ => {}
        }
        let fields = group.served.selectable_fields(group.version);
        let found = fields.iter().find(|field| field.json_path.strip_prefix('.') == Some(name));
        let path = found.and_then(|field| JsonPath::parse(&field.json_path)).map(Field::At);
        path.ok_or_else(|| {
            let own = fields.iter().filter_map(|field| field.json_path.strip_prefix('.'));
            let known: Vec<&str> = ["metadata.name", "metadata.namespace"].into_iter().chain(own).collect();
            let kind = &group.served.crd.spec.names.kind;
            Error::Argument(format!("field label not supported: {name}; {kind} has {}", known.join(", ")))
        })
    }

    fn value(&self, object: &Object) -> String {
        match self {
            Field::Name => object.name().to_owned(),
            Field::Namespace => object.namespace().to_owned(),
            Field::At(path) => path.first(&object.0).map(|found| found.printed()).unwrap_or_default(),
        }
    }
}
