//! Decodes objects of Kubernetes' own kinds: the server takes them for what they say they are, and for what the path expects if
//! they do not say it.

use super::Call;
use crate::meta;
use crate::registry::{Mismatch, ObjectType, Role, Subresource};
use crate::request::Body;
use crate::status::{Failure, Mistake};
use crdgen_core::diag::Kind;
use crdgen_core::object::Refusal;
use crdgen_core::value::{Map, Value};
use crdgen_core::{GroupVersion, go, json};
use std::fmt::Write as _;

impl Call<'_> {
    /// Reads the object that a client sends.
    pub(super) fn read_object(&self) -> Result<Body, Failure> {
        let mut body = self.request.read_body()?;
        if let Some(wanted) = self.own_type() {
            body.value = self.decoded(body.value, &wanted)?;
        }
        Ok(body)
    }

    /// What objects have to be. `None` for custom resources, which their writer checks, and for a Scale.
    fn own_type(&self) -> Option<ObjectType> {
        if self.kind.role == Role::Custom || self.subresource == Some(Subresource::Scale) {
            return None;
        }
        let api_version = self.kind.api_version(&self.path.version);
        Some(ObjectType { api_version, kind: self.kind.names.kind.clone() })
    }

    fn decoded(&self, value: Value, wanted: &ObjectType) -> Result<Value, Failure> {
        let kind = &wanted.kind;
        let unrecognized = |why: &str| {
            let sent = summary(&self.request.body);
            Failure::bad_request(format!(
                "the object provided is unrecognized (must be of type {kind}): {why} ({sent})"
            ))
        };
        if self.request.body.iter().all(u8::is_ascii_whitespace) {
            return Err(unrecognized(
                "couldn't get version/kind; json parse error: unexpected end of JSON input",
            ));
        }
        let mut object = match value {
            Value::Null => Value::Map(Map::new()),
            value => value,
        };
        check_type_meta(&object).map_err(|why| unrecognized(&why.to_string()))?;
        wanted.complete(&mut object);
        let found = ObjectType::of(&object);
        if found == *wanted {
            return Ok(object);
        }
        Err(Failure::bad_request(match found.mismatch(&self.state.registry, &self.kind, wanted) {
            Mismatch::Version(why) => why,
            Mismatch::Unknown(why) | Mismatch::Kind(why) => {
                let version = go::quote(GroupVersion::of(&found.api_version).version);
                format!("{} in version {version} cannot be handled as a {kind}: {why}", found.kind)
            }
        }))
    }

    /// Checks the kind and the version of an object that a JSON patch or a merge patch has changed.
    pub(super) fn check_patched_type(&self, object: &mut Value) -> Result<(), Failure> {
        let Some(wanted) = self.own_type() else { return Ok(()) };
        let invalid = |object: &Value, why: String| {
            let why = format!("{}: {why}", go::quote(&json::to_string(object)));
            Failure::invalid_field("", "", "", Mistake::new("patch", Kind::Invalid, why))
        };
        check_type_meta(object).map_err(|why| invalid(object, why.to_string()))?;
        if meta::own(object, "apiVersion").is_empty() {
            // The server decodes it as its internal version, whose fields have no names.
            return Err(self.without_name());
        }
        wanted.complete(object);
        let found = ObjectType::of(object);
        if found == wanted {
            return Ok(());
        }
        let (Mismatch::Unknown(why) | Mismatch::Kind(why) | Mismatch::Version(why)) =
            found.mismatch(&self.state.registry, &self.kind, &wanted);
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

/// Checks that the kind and the version can be read.
fn check_type_meta(object: &Value) -> Result<(), Refusal> {
    let Value::Map(map) = object else { return Err(Refusal::NoObject(object.json_type())) };
    for field in ["apiVersion", "kind"] {
        if let Some(other) = map.get(field).filter(|it| !matches!(it, Value::Str(_) | Value::Null)) {
            return Err(Refusal::TypeMeta { field, found: other.json_type() });
        }
    }
    let api_version = meta::own(object, "apiVersion");
    match GroupVersion::read(api_version) {
        Some(_) => Ok(()),
        None => Err(Refusal::ApiVersion(api_version.to_owned())),
    }
}

/// The beginning of a body, as the server shows it.
fn summary(body: &[u8]) -> String {
    const MOST: usize = 30;
    let start = body.get(..MOST).unwrap_or(body);
    let mut text = match body.first() {
        None => "<empty>".to_owned(),
        Some(b'{') => String::from_utf8_lossy(start).into_owned(),
        Some(_) => start.iter().fold(String::new(), |mut text, byte| {
            // Writing to a string cannot fail.
            _ = write!(text, "{byte:02x}");
            text
        }),
    };
    if body.len() > MOST {
        text.push_str(" ...");
    }
    text
}
