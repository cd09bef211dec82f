//! Which objects a list or a watch returns.

mod grammar;

use crate::meta;
use crate::registry::Kind;
use crate::status::Failure;
use crdgen_core::go;
use crdgen_core::object::selector::{Absent, FieldSelector, LabelSelector};
use crdgen_core::object::{Served, ServedVersion};
use crdgen_core::value::Value;

/// The selectors of a request.
#[derive(Clone, Debug)]
pub(crate) struct Selector {
    labels: Option<LabelSelector>,
    fields: Option<FieldSelector>,
    /// What fields count as that an object does not have.
    absent: Absent,
    version: String,
    /// The name in the path.
    name: String,
}

impl Selector {
    /// Whether an object in the version of the request is selected.
    pub(crate) fn matches(&self, served: &Served, object: &Value) -> bool {
        let fields = |fields: &FieldSelector| {
            let version = served.version(&self.version).ok()?;
            fields.of(served, version).ok().map(|selected| selected.matches_with(object, self.absent))
        };
        (self.name.is_empty() || meta::text(object, "name") == self.name)
            && self.labels.as_ref().is_none_or(|labels| labels.matches(object))
            && self.fields.as_ref().is_none_or(|it| fields(it).unwrap_or(false))
    }

    /// Whether every object is selected.
    pub(crate) fn is_everything(&self) -> bool {
        self.labels.is_none() && self.fields.is_none() && self.name.is_empty()
    }
}

impl Selector {
    /// The selector with these texts.
    pub(crate) fn read(
        labels: &str,
        fields: &str,
        absent: Absent,
        version: &str,
        name: &str,
    ) -> Result<Selector, Failure> {
        let labels = Some(labels).filter(|text| !text.is_empty());
        let labels = labels.map(|text| {
            if let Some(message) = grammar::mistake(text) {
                return Err(Failure::bad_request(message));
            }
            LabelSelector::parse(text)
                .map_err(|why| Failure::bad_request(format!("unable to parse requirement: {why}")))
        });
        let fields = Some(fields).filter(|text| !text.is_empty());
        let fields = fields.map(|text| {
            FieldSelector::parse(text).map_err(|_| {
                let wrong = text.split(',').filter(|part| !part.is_empty() && !part.contains('=')).min();
                let wrong = wrong.unwrap_or(text);
                Failure::bad_request(format!("invalid selector: '{text}'; can't understand '{wrong}'"))
            })
        });
        let (version, name) = (version.to_owned(), name.to_owned());
        Ok(Selector { labels: labels.transpose()?, fields: fields.transpose()?, absent, version, name })
    }

    /// Rejects fields that cannot be selected.
    pub(crate) fn check(&self, kind: &Kind, served: &Served, version: &ServedVersion) -> Result<(), Failure> {
        let Some(fields) = &self.fields else { return Ok(()) };
        let has_own = !kind.is_own() || !served.selectable_fields(version).is_empty();
        fields.of(served, version).map(drop).map_err(|why| {
            let (field, quoted) = (&why.field, go::quote(&why.field));
            Failure::bad_request(match &*kind.names.kind {
                "Job" if kind.is_own() => format!("field label {quoted} not supported for Job"),
                "ResourceSlice" if kind.is_own() => {
                    format!("field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: {field}")
                }
                _ if has_own => format!("field label not supported: {field}"),
                _ => format!(
                    "{quoted} is not a known field selector: only \"metadata.name\", \"metadata.namespace\""
                ),
            })
        })
    }
}
