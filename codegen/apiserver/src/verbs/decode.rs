//! Decodes objects of Kubernetes' own kinds: the server takes them for what they say they are, and for what the path expects if
//! they do not say it.

use super::Call;
use crate::registry::{Mismatch, ObjectType, Role, Subresource};
use crate::request::{Body, BodyError, BodySyntax, Expected};
use crate::status::{Failure, Mistake};
use crate::store::Object;
use crdgen_core::diag::Kind;
use crdgen_core::value::Value;
use crdgen_core::{GroupVersion, go, json};
use crdgen_kubernetes::decode::{self, check_type_meta};
use std::sync::Arc;

impl Call<'_> {
    /// Reads the object that a client sends.
    pub(super) fn read_object(&self) -> Result<Body, Failure> {
        let is_scale = self.subresource == Some(Subresource::Scale);
        let is_custom = self.kind.role == Role::Custom;
        if is_custom && !is_scale && self.request.body_syntax()? == BodySyntax::Protobuf {
            return Err(self.request.unsupported_body());
        }
        let wanted = match (self.own_type(), is_scale) {
            (Some(wanted), _) => wanted,
            (None, true) => ObjectType { api_version: "autoscaling/v1".to_owned(), kind: "Scale".to_owned() },
            (None, false) => ObjectType { api_version: String::new(), kind: self.kind.names.kind.clone() },
        };
        let mut body = self.read_body(&wanted.api_version, &wanted.kind)?;
        if !is_custom {
            body.value = self.decoded(body.value, &wanted)?;
        }
        Ok(body)
    }

    /// Reads a body that should be an object of a kind.
    pub(super) fn read_body(&self, api_version: &str, kind: &str) -> Result<Body, Failure> {
        let expected = Expected { api_version, kind };
        let of_kind = |why: BodyError| why.for_kind(kind, &self.request.body);
        self.request.check_body().map_err(of_kind)?;
        self.request.read_body(expected).map_err(of_kind)
    }

    /// What objects have to be. `None` for custom resources, which their writer checks, and for a Scale.
    fn own_type(&self) -> Option<ObjectType> {
        if self.kind.role == Role::Custom || self.subresource == Some(Subresource::Scale) {
            return None;
        }
        let api_version = self.kind.api_version(&self.path.version);
        Some(ObjectType { api_version, kind: self.kind.names.kind.clone() })
    }

    pub(super) fn decoded(&self, value: Value, wanted: &ObjectType) -> Result<Value, Failure> {
        match self.kind.own_row() {
            None => Ok(value),
            Some(row) => {
                decode::decoded(value, row, wanted, &self.request.body).map_err(Failure::bad_request)
            }
        }
    }

    /// Checks the kind and the version of an object that a JSON patch or a merge patch has changed.
    pub(super) fn check_patched_type(&self, object: &mut Value, live: &Arc<Object>) -> Result<(), Failure> {
        let Some(wanted) = self.own_type() else { return Ok(()) };
        let invalid = |object: &Value, why: String| {
            let before = self.shown_or_scale(live).ok();
            let shown = before.and_then(|before| self.shown_patched(&before));
            let why = format!("{}: {why}", go::quote(&shown.unwrap_or_else(|| json::to_string(object))));
            Failure::invalid_field("", "", "", Mistake::new("patch", Kind::Invalid, why))
        };
        check_type_meta(object).map_err(|why| invalid(object, why.to_string()))?;
        if object.text("apiVersion").is_empty() {
            // The server decodes it as its internal version, whose fields have no names.
            return Err(self.without_name());
        }
        wanted.complete(object);
        let found = ObjectType::of(object);
        if found == wanted {
            return Ok(());
        }
        let (Mismatch::Unknown(why) | Mismatch::Kind(why) | Mismatch::Version(why)) =
            self.kind.mismatch(&found, &wanted);
        Err(invalid(object, why))
    }

    /// Strategic merge patches change neither the kind nor the version.
    pub(super) fn keep_type(&self, object: &mut Value) {
        if let Some(wanted) = self.own_type() {
            wanted.set(object);
        }
    }

    /// Checks the kind and the version of a configuration that is applied.
    pub(super) fn check_applied_type(&self, config: &Value) -> Result<(), Failure> {
        let found = ObjectType::of(config);
        if self.own_type().is_none_or(|wanted| found == wanted) {
            return Ok(());
        }
        let GroupVersion { group, version } = GroupVersion::of(&found.api_version);
        Err(Failure::bad_request(format!("invalid object type: {group}/{version}, Kind={}", found.kind)))
    }

    /// The failure for an object that has no name.
    pub(super) fn without_name(&self) -> Failure {
        Failure::bad_request(format!(
            "the name of the object ({} based on URL) was undeterminable: name must be provided",
            self.path.name
        ))
    }
}
