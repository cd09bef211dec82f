//! Subresources that are actions: something is created, and happens to an object.

use super::Call;
use crate::admission::Operation;
use crate::answer::Answer;
use crate::meta;
use crate::registry::{ObjectType, Subresource};
use crate::request::Expected;
use crate::status::Failure;
use crate::store::Resource;
use crdgen_core::value::{Map, Value};

impl Call<'_> {
    pub(super) fn act(&mut self, subresource: Subresource) -> Result<Answer, Failure> {
        let (api_version, kind) = match subresource {
            Subresource::Eviction => (self.version_of_eviction(), "Eviction"),
            Subresource::Token => ("authentication.k8s.io/v1", "TokenRequest"),
            _ => ("v1", "Binding"),
        };
        let wanted = ObjectType { api_version: api_version.to_owned(), kind: kind.to_owned() };
        let body = self.read_body(api_version, kind)?.value;
        let body = self.decoded(body, &wanted)?;
        match subresource {
            Subresource::Binding => self.bind(&self.path.name, &body),
            Subresource::Eviction => self.evict(&body),
            Subresource::Token => self.token(body),
            _ => Err(Failure::method_not_allowed()),
        }
    }

    /// The version of an eviction: clients may send the old one, too.
    fn version_of_eviction(&self) -> &'static str {
        const OLD: &str = "policy/v1beta1";
        let expected = Expected { api_version: "policy/v1", kind: "Eviction" };
        let sent = self.request.read_body(expected);
        if sent.is_ok_and(|sent| sent.value.text("apiVersion") == OLD) { OLD } else { "policy/v1" }
    }

    /// What is created, after admission. If it fails, the action does not happen.
    pub(super) fn admit_action(&mut self, name: &str, sent: &Value) -> Result<Value, Failure> {
        let mut object = sent.clone();
        if self.is_asked_about() {
            let admission = self.admission(Operation::Create, name);
            let admitted = admission.mutate(Some(object), None);
            let (denied, warnings) = (admission.take_failure(), admission.warnings.take());
            self.ready()?;
            self.warnings.extend(warnings);
            object = match (admitted, denied) {
                (_, Some(denied)) => return Err(denied),
                (Some(admitted), None) => admitted,
                (None, None) => sent.clone(),
            };
            // No quota counts actions.
            _ = self.validate(Operation::Create, name, Some(&object), None)?;
        }
        Ok(object)
    }

    /// An object of Kubernetes' own kinds as the server's code encodes it.
    pub(super) fn encoded(&self, resource: &Resource, object: Value) -> Value {
        match self.state.registry.get(resource).and_then(|kind| kind.built_in(kind.storage_version())) {
            Some(of) => of.decode(object).0,
            None => object,
        }
    }

    /// The answer to an action that has happened.
    pub(super) fn done(&self) -> Answer {
        let done = meta::map([
            ("apiVersion", "v1".into()),
            ("kind", "Status".into()),
            ("metadata", Value::Map(Map::new())),
            ("status", "Success".into()),
            ("code", Value::Int(201)),
        ]);
        Answer { code: 201, ..Answer::value(done) }
    }
}
