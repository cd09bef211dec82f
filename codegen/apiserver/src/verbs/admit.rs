//! Asks admission webhooks about writes.

use super::Call;
use crate::admission::{self, Admission, Attributes, Operation};
use crate::meta::map;
use crate::request::{Body, DryRun, FieldValidation, read_body};
use crate::status::Failure;
use crdgen_core::value::Value;
use http::header::CONTENT_TYPE;
use std::cell::RefCell;

impl Call<'_> {
    /// Admission of a write of an object with a name.
    pub(super) fn admission<'a>(&'a self, operation: Operation, name: &'a str) -> Admission<'a> {
        Admission {
            state: self.state,
            hooks: self.hooks,
            attributes: Attributes {
                operation,
                user: &self.request.user,
                kind: &self.kind,
                version: &self.path.version,
                subresource: self.subresource,
                namespace: &self.path.namespace,
                name,
                dry_run: self.is_dry_run(),
                options: self.admission_options(operation),
            },
            failure: RefCell::default(),
            warnings: RefCell::default(),
        }
    }

    /// Whether webhooks may have to be asked. About a scale they would get a Scale in place of the object.
    pub(super) fn is_admitted_by_webhooks(&self) -> bool {
        self.path.subresource != "scale" && admission::has_webhooks(&self.state.store)
    }

    /// Asks validating webhooks about an object that is about to be stored or deleted.
    pub(super) fn validate(
        &mut self,
        operation: Operation,
        name: &str,
        object: Option<&Value>,
        old: Option<&Value>,
    ) -> Result<(), Failure> {
        if !self.is_admitted_by_webhooks() {
            return Ok(());
        }
        let admission = self.admission(operation, name);
        let validated = admission.validate(object, old);
        let warnings = admission.warnings.take();
        self.warnings.extend(warnings);
        validated
    }

    /// The options of the request, as webhooks get them.
    fn admission_options(&self, operation: Operation) -> Value {
        let query = &self.request.query;
        let kind = match operation {
            Operation::Create => "CreateOptions",
            Operation::Update => "UpdateOptions",
            Operation::Delete => "DeleteOptions",
        };
        let mut options = map([("apiVersion", "meta.k8s.io/v1".into()), ("kind", kind.into())]);
        if let Value::Map(options) = &mut options {
            if query.dry_run == DryRun::All {
                options.insert("dryRun", vec!["All"].into());
            }
            // Clients send the options of deletions in the body.
            if operation == Operation::Delete
                && let Ok(Body { value: Value::Map(sent), .. }) =
                    read_body(self.request.header(CONTENT_TYPE), &self.request.body)
            {
                let sent = sent.into_iter().filter(|(name, _)| !matches!(&**name, "apiVersion" | "kind"));
                sent.for_each(|(name, value)| drop(options.insert(name, value)));
            }
            if operation != Operation::Delete {
                if let Some(manager) = &query.field_manager {
                    options.insert("fieldManager", Value::from(manager.as_str()));
                }
                if query.field_validation == FieldValidation::Strict {
                    options.insert("fieldValidation", "Strict".into());
                }
            }
        }
        options
    }
}
