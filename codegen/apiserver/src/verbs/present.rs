//! Answers with objects in the form that the client accepts.

use super::Call;
use super::admit_own::{OF_CLAIMS, default_class};
use crate::answer::{Answer, Content, List};
use crate::meta::{self, map};
use crate::registry::Role;
use crate::request::{Form, MetaVersion};
use crate::show::{Columns, Rest, Rows, list_metadata, metadata_only};
use crate::status::Failure;
use crate::store::{Object, Resource};
use crdgen_core::value::Value;
use std::sync::Arc;

impl Call<'_> {
    fn rows(&self, form: MetaVersion) -> Result<Rows<'_>, Failure> {
        Ok(Rows {
            kind: &self.kind,
            served: self.served(),
            version: self.version()?,
            now: self.state.clock.seconds(),
            include: &self.request.query.include_object,
            form,
            default_class: String::new(),
        })
    }

    /// An answer with an object that is stored, in the version of the request.
    pub(super) fn found(&self, shown: Arc<Object>) -> Result<Answer, Failure> {
        match self.form {
            Form::Plain | Form::Discovery => Ok(Answer::new(200, Content::Object(shown))),
            Form::Metadata(_) | Form::Table(_) => self.one(200, Value::clone(&shown)),
        }
    }

    /// An answer with one object, in the version of the request.
    pub(super) fn one(&self, code: u16, shown: Value) -> Result<Answer, Failure> {
        let value = match self.form {
            Form::Plain | Form::Discovery => shown,
            Form::Metadata(form) => metadata_only(&shown, form),
            Form::Table(form) => {
                let version = meta::text(&shown, "resourceVersion");
                let metadata = map([("resourceVersion", version.into())]);
                self.rows(form)?.table(&[&shown], metadata, Columns::Described)?
            }
        };
        Ok(Answer { code, ..Answer::value(value) })
    }

    /// An answer with objects in the version of the request.
    pub(super) fn many(
        &self,
        objects: Vec<Arc<Object>>,
        revision: u64,
        rest: Option<Rest>,
    ) -> Result<Answer, Failure> {
        let mut metadata = list_metadata(revision, rest.as_ref());
        match self.form {
            Form::Table(form) => {
                let objects: Vec<&Value> = objects.iter().map(|object| &***object).collect();
                let mut rows = self.rows(form)?;
                if self.kind.resource == Resource::new("storage.k8s.io", "storageclasses") {
                    let class = default_class(objects.iter().copied(), OF_CLAIMS.marks);
                    rows.default_class = class.map_or("", |class| meta::text(class, "name")).to_owned();
                }
                rows.table(&objects, metadata, Columns::Described).map(Answer::value)
            }
            Form::Metadata(form) => Ok(Answer::value(map([
                ("apiVersion", form.api_version().into()),
                ("kind", "PartialObjectMetadataList".into()),
                ("metadata", metadata),
                // Go shows a list that nothing was added to as null.
                (
                    "items",
                    match &*objects {
                        [] => Value::Null,
                        all => Value::List(all.iter().map(|object| metadata_only(object, form)).collect()),
                    },
                ),
            ]))),
            Form::Plain | Form::Discovery => {
                let is_custom = self.kind.role == Role::Custom;
                if let (Value::Map(metadata), true) = (&mut metadata, is_custom) {
                    metadata.entry_or_insert_with("continue", || "".into());
                }
                Ok(Answer::new(
                    200,
                    Content::List(List {
                        api_version: self.kind.api_version(&self.path.version),
                        kind: self.kind.names.list_kind.clone(),
                        metadata,
                        has_types: is_custom,
                        items: objects,
                    }),
                ))
            }
        }
    }
}
