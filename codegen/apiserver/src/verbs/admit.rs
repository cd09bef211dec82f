//! Asks admission webhooks about writes.

use super::Call;
use super::quotas::Charged;
use crate::admission::{self, Admission, Attributes, Operation};
use crate::meta::{self, map};
use crate::registry::Subresource;
use crate::request::{DryRun, FieldValidation};
use crate::status::Failure;
use crdgen_core::value::Value;

impl Call<'_> {
    /// Admission of a write of an object with a name.
    pub(super) fn admission<'a>(&'a self, operation: Operation, name: &'a str) -> Admission<'a> {
        let attributes = Attributes {
            operation,
            user: &self.request.user,
            kind: &self.kind,
            version: &self.path.version,
            subresource: self.subresource,
            namespace: &self.path.namespace,
            name,
            dry_run: self.is_dry_run(),
            options: self.admission_options(operation),
        };
        Admission::new(self.state, self.hooks, attributes)
    }

    /// Whether policies or webhooks may have to be asked.
    pub(super) fn is_asked_about(&self) -> bool {
        admission::is_asked(&self.state.store)
    }

    /// What webhooks see of an object: its scale, if the request is about that.
    pub(super) fn admitted_form(&self, object: &Value) -> Result<Value, Failure> {
        match self.subresource {
            Some(Subresource::Scale) => self.scale_of(object),
            _ => Ok(object.clone()),
        }
    }

    /// An object after mutating admission of a write that changes its scale.
    pub(super) fn admit_scale(
        &self,
        admission: &Admission<'_>,
        mut object: Value,
        live: Option<&Value>,
    ) -> Result<Option<Value>, Failure> {
        let new = self.scale_of(&object)?;
        let old = live.map(|live| self.scale_of(live)).transpose()?;
        let Some(admitted) = admission.mutate(Some(new.clone()), old.as_ref()) else { return Ok(None) };
        let wanted = admitted.get("spec").and_then(|spec| spec.get("replicas")).cloned();
        let spec = &self.served().crd.spec;
        let version = spec.versions.iter().position(|version| version.name == self.path.version);
        let scale = version.and_then(|version| spec.subresources_of(version)?.scale.as_ref());
        if let (Some(wanted), Some(scale)) = (wanted, scale)
            && admitted.get("spec") != new.get("spec")
        {
            let path: Vec<&str> =
                scale.spec_replicas_path.split('.').filter(|name| !name.is_empty()).collect();
            meta::set_at(&mut object, &path, wanted);
        }
        Ok(Some(object))
    }

    /// Asks policies, validating webhooks and the server's own admission about an object that is about to be stored. The quotas that count it
    /// are to be stored with it.
    pub(super) fn validate(
        &mut self,
        operation: Operation,
        name: &str,
        object: Option<&Value>,
        old: Option<&Value>,
    ) -> Result<Charged, Failure> {
        self.check_limits(operation, object)?;
        self.check_runtime(operation, object)?;
        if self.is_asked_about() {
            let admission = self.admission(operation, name);
            let validated = admission.validate(object, old);
            let warnings = admission.warnings.take();
            self.warnings.extend(warnings);
            validated?;
        }
        self.check_quotas(operation, object, old)
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
            let in_body = operation == Operation::Delete && !self.request.body.is_empty();
            if query.dry_run == DryRun::All && !in_body {
                options.insert("dryRun", vec!["All"].into());
            }
            // Clients send the options of deletions in the body.
            if operation == Operation::Delete
                && let Ok(Value::Map(sent)) = self.deletion_options()
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
