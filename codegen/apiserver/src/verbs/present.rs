//! Answers with objects in the form that the client accepts.

use super::Call;
use crate::answer::Answer;
use crate::meta::{self, map};
use crate::registry::Role;
use crate::request::Form;
use crate::show::{Rest, Rows, list_metadata, metadata_only};
use crate::status::Failure;
use crdgen_core::value::Value;

impl Call<'_> {
    fn rows(&self) -> Result<Rows<'_>, Failure> {
        Ok(Rows {
            kind: &self.kind,
            served: self.served(),
            version: self.version()?,
            now: self.state.clock.seconds(),
            include: &self.request.query.include_object,
        })
    }

    /// An answer with one object, in the version of the request.
    pub(super) fn one(&self, code: u16, shown: Value) -> Result<Answer, Failure> {
        let value = match self.form {
            Form::Plain | Form::Discovery => shown,
            Form::Metadata => metadata_only(&shown),
            Form::Table => {
                let version = meta::text(&shown, "resourceVersion");
                let metadata = map([("resourceVersion", version.into())]);
                self.rows()?.table(vec![shown], metadata, true)?
            }
        };
        Ok(Answer { code, ..Answer::value(value) })
    }

    /// An answer with objects in the version of the request.
    pub(super) fn many(
        &self,
        objects: Vec<Value>,
        revision: u64,
        rest: Option<Rest>,
    ) -> Result<Answer, Failure> {
        let metadata = list_metadata(revision, rest.as_ref());
        let (api_version, kind, items) = match self.form {
            Form::Table => return self.rows()?.table(objects, metadata, true).map(Answer::value),
            Form::Metadata => {
                let items = objects.iter().map(metadata_only).collect();
                ("meta.k8s.io/v1".to_owned(), "PartialObjectMetadataList", items)
            }
            Form::Plain | Form::Discovery => {
                let api_version = self.kind.api_version(&self.path.version);
                let items = if self.kind.role == Role::Custom { objects } else { without_types(objects) };
                (api_version, self.kind.names.list_kind.as_str(), items)
            }
        };
        Ok(Answer::value(map([
            ("apiVersion", api_version.into()),
            ("kind", kind.into()),
            ("metadata", metadata),
            ("items", Value::List(items)),
        ])))
    }
}

/// The objects as items of a list of Kubernetes' own kinds, which says once what they are.
fn without_types(mut objects: Vec<Value>) -> Vec<Value> {
    for object in &mut objects {
        if let Value::Map(map) = object {
            map.remove("apiVersion");
            map.remove("kind");
        }
    }
    objects
}
