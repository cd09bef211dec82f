//! Patches objects, and applies configurations.

use super::patched::Decoded;
use super::{Call, strategic};
use crate::answer::Answer;
use crate::registry::{Role, Subresource};
use crate::request::{Body, BodyError, Expected, FieldValidation, PatchType, Repeated, unsupported};
use crate::status::{Details, Failure, Mistake};
use crate::store::Object;
use crate::{json_patch, meta};
use crdgen_core::apply::{BuiltIn, FieldType, Verb, merge_patch};
use crdgen_core::diag::Kind;
use crdgen_core::json;
use crdgen_core::value::{Map, Value};
use http::header::CONTENT_TYPE;
use std::sync::Arc;

/// Why no route of Kubernetes' own kinds takes a patch: routes say which media types they have, and the handler compares exactly.
pub(super) fn without_route(request: &super::Request) -> Option<Failure> {
    let sent = request.header(CONTENT_TYPE).split(';').next().unwrap_or_default();
    let failure = || {
        let failure = Failure::new(415, "UnsupportedMediaType", "415: Unsupported Media Type");
        failure.with(Details::default())
    };
    PatchType::of(sent.trim()).is_none().then(failure)
}

impl Call<'_> {
    pub(super) fn patch(&mut self) -> Result<Answer, Failure> {
        let patch_type = self.request.patch_type().ok_or_else(|| self.unsupported())?;
        if patch_type == PatchType::Strategic && self.kind.role == Role::Custom {
            return Err(self.unsupported());
        }
        if patch_type != PatchType::Apply && self.request.query.force.is_some() {
            let why = "may not be specified for non-apply patch";
            let mistake = Mistake::new("force", Kind::Forbidden, why);
            return Err(Failure::invalid_option("PatchOptions", mistake));
        }
        let expected = Expected { api_version: "", kind: "" };
        self.request.body_syntax()?;
        let body = self.request.read_body(expected).map_err(|why| match (patch_type, why) {
            (_, BodyError::Rejected(failure)) => failure,
            (PatchType::Merge | PatchType::Json | PatchType::Strategic, _) => {
                Failure::bad_request("invalid JSON patch")
            }
            // The server makes JSON of what does not begin like it, and reads all as YAML then.
            (PatchType::Apply, why) if self.request.body.trim_ascii_start().starts_with(b"{") => {
                why.reason_after("error decoding patch: error converting YAML to JSON: ")
            }
            (PatchType::Apply, why) => why.reason_after("error encoding patch: "),
        })?;
        if patch_type != PatchType::Apply && self.request.is_blank() {
            return Err(Failure::bad_request("invalid JSON patch"));
        }
        match patch_type {
            PatchType::Apply => self.apply(body),
            PatchType::Merge => self.merge(body),
            PatchType::Json => {
                let live = self.live()?;
                let mut object = self.shown_or_scale(&live)?;
                json_patched(&mut object, &body.value)?;
                let repeated = body.repeated.in_json_patch(&body.value);
                self.warn_repeated(&repeated);
                self.check_patched_type(&mut object, &live)?;
                self.check_patched_name(&object)?;
                let made = self.write(Verb::Patched, object, repeated, Some(&live))?;
                self.finish(made, &live)
            }
            PatchType::Strategic => {
                let live = self.live()?;
                self.warn_repeated(&body.repeated);
                let mut object = self.shown_or_scale(&live)?;
                match &body.value {
                    Value::Map(patch) => strategic::apply(&mut object, patch, self.field_types())?,
                    Value::Null => {}
                    other => return Err(Failure::bad_request(no_map(other))),
                }
                self.keep_type(&mut object);
                self.check_patched_name(&object)?;
                let made = self.write(Verb::Patched, object, body.repeated, Some(&live))?;
                self.finish(made, &live)
            }
        }
    }

    /// The types of the fields of what a strategic merge patch changes.
    fn field_types(&self) -> Option<FieldType> {
        match self.subresource {
            Some(Subresource::Scale) => FieldType::scale(),
            _ => self.kind.built_in(&self.path.version).and_then(BuiltIn::fields),
        }
    }

    fn unsupported(&self) -> Failure {
        if self.kind.role != Role::Custom
            && let Some(failure) = without_route(self.request)
        {
            return failure;
        }
        let mut types = vec!["application/json-patch+json", "application/merge-patch+json"];
        if self.kind.role != Role::Custom {
            types.push("application/strategic-merge-patch+json");
        }
        types.push("application/apply-patch+yaml");
        unsupported(&types.join(", "))
    }

    pub(super) fn shown_or_scale(&self, live: &Arc<Object>) -> Result<Value, Failure> {
        let shown = self.shown(live).map_err(|why| Failure::undecodable(&why))?;
        let is_scale = self.subresource == Some(Subresource::Scale);
        if is_scale { self.scale_of(&shown) } else { Ok(Value::clone(&shown)) }
    }

    fn merge(&mut self, mut body: Body) -> Result<Answer, Failure> {
        let live = self.live()?;
        self.warn_repeated(&body.repeated);
        if body.value.is_null() {
            // The library that merges says so.
            return Err(Failure::bad_request("Invalid JSON Patch"));
        }
        if !matches!(body.value, Value::Map(_)) {
            let why = format!("error decoding patch: {}", no_map(&body.value));
            return Err(Failure::bad_request(why));
        }
        self.check_merged_type(&mut body.value, &live)?;
        match body.value.get("metadata") {
            Some(Value::Null) => return Err(self.without_name()),
            Some(Value::Map(metadata)) if metadata.get("name").is_some() => {
                self.check_patched_name(&body.value)?;
            }
            _ => {}
        }
        let made = self.write(Verb::MergePatch, body.value, body.repeated, Some(&live))?;
        self.finish(made, &live)
    }

    /// Checks the kind and the version that a merge patch leads to. Afterwards it does not remove them.
    fn check_merged_type(&self, patch: &mut Value, live: &Arc<Object>) -> Result<(), Failure> {
        let fields = ["apiVersion", "kind"];
        if self.kind.role == Role::Custom || fields.iter().all(|field| patch.get(field).is_none()) {
            return Ok(());
        }
        let mut merged = self.shown_or_scale(live)?;
        merge_patch(&mut merged, patch);
        self.check_patched_type(&mut merged, live)?;
        if let Value::Map(patch) = patch {
            for field in fields {
                if patch.get(field).is_some_and(Value::is_null) {
                    patch.remove(field);
                }
            }
        }
        Ok(())
    }

    /// The object that a JSON patch or a merge patch makes, as messages show it.
    pub(super) fn shown_patched(&self, live: &Value) -> Option<String> {
        let patch = json::read(&self.request.body).ok()?;
        let decoded = match self.request.patch_type()? {
            PatchType::Json => Decoded::by_steps(&patch),
            PatchType::Merge => Decoded::by_merge(live, &patch),
            PatchType::Strategic | PatchType::Apply => return None,
        };
        Some(decoded.shown(&self.patched(live)?, self.field_types()))
    }

    /// The object that a JSON patch or a merge patch makes.
    pub(super) fn patched(&self, live: &Value) -> Option<Value> {
        let patch = json::read(&self.request.body).ok()?;
        let mut object = live.clone();
        match self.request.patch_type()? {
            PatchType::Json => json_patched(&mut object, &patch).ok()?,
            PatchType::Merge => merge_patch(&mut object, &patch),
            PatchType::Strategic | PatchType::Apply => return None,
        }
        Some(object)
    }

    /// Checks the name that an object has after a patch.
    fn check_patched_name(&self, object: &Value) -> Result<(), Failure> {
        match object.get("metadata") {
            // Its decoder rejects it.
            Some(metadata) if !matches!(metadata, Value::Map(_) | Value::Null) => Ok(()),
            _ => self.check_name(meta::text(object, "name")),
        }
    }

    /// Rejects a configuration with fields that are repeated, or warns about them.
    fn check_repeated(&mut self, found: &Repeated) -> Result<(), Failure> {
        self.warn_repeated(found);
        if self.request.query.field_validation != FieldValidation::Strict || found.errors.is_empty() {
            return Ok(());
        }
        let why = found.errors.join(", ");
        Err(Failure::bad_request(format!(
            "error strict decoding patch: error converting YAML to JSON: {why}"
        )))
    }

    fn apply(&mut self, body: Body) -> Result<Answer, Failure> {
        if self.request.query.field_manager.is_none() {
            let mistake = Mistake::new("fieldManager", Kind::Required, "is required for apply patch");
            return Err(Failure::invalid_option("PatchOptions", mistake));
        }
        let verb = Verb::Apply { force: self.request.query.force == Some(true) };
        let mut config = body.value;
        if config.is_null() {
            config = Value::Map(Map::new());
        }
        if !matches!(config, Value::Map(_)) {
            let why = no_map(&config);
            return Err(Failure::bad_request(format!(
                "error decoding patch: error unmarshaling JSON: while decoding JSON: {why}"
            )));
        }
        self.check_applied_type(&config)?;
        self.check_repeated(&body.repeated)?;
        let name = meta::text(&config, "name");
        let is_nameless = name.is_empty();
        if is_nameless && config.get("metadata").is_some_and(|metadata| metadata.get("name").is_some()) {
            return Err(self.without_name());
        }
        if is_nameless {
            meta::set(&mut config, "name", Some(self.path.name.as_str().into()));
        } else {
            self.check_name(name)?;
        }
        if self.kind.role != Role::Custom && meta::text(&config, "resourceVersion").is_empty() {
            // The types of Go have no empty version.
            meta::set(&mut config, "resourceVersion", None);
        }
        match self.live() {
            Ok(live) => {
                let made = self.write(verb, config, Repeated::default(), Some(&live))?;
                self.finish(made, &live)
            }
            Err(missing) if !self.path.subresource.is_empty() => Err(missing),
            // A new object has only what is applied.
            Err(_) if is_nameless => Err(self.without_name()),
            Err(_) => {
                let object = self.create_as(verb, config, Repeated::default())?;
                self.one(201, object)
            }
        }
    }
}

/// Why Go does not decode a patch into an object.
fn no_map(patch: &Value) -> String {
    let ty = patch.json_type();
    format!("json: cannot unmarshal {ty} into Go value of type map[string]interface {{}}")
}

/// Applies a JSON patch.
fn json_patched(object: &mut Value, patch: &Value) -> Result<(), Failure> {
    let undecodable =
        |why: String| Failure::bad_request(format!("error decoding patch: json: cannot unmarshal {why}"));
    let steps = match patch {
        Value::List(steps) => steps.as_slice(),
        Value::Null => &[],
        other => {
            let ty = other.json_type();
            return Err(undecodable(format!("{ty} into Go value of type []handlers.jsonPatchOp")));
        }
    };
    // The server has the same limit.
    if steps.len() > 10_000 {
        return Err(Failure::too_large(format_args!(
            "The allowed maximum operations in a JSON patch is 10000, got {}",
            steps.len()
        )));
    }
    for step in steps {
        if !matches!(step, Value::Map(_) | Value::Null) {
            let ty = step.json_type();
            return Err(undecodable(format!("{ty} into Go value of type handlers.jsonPatchOp")));
        }
        for name in ["op", "path", "from"] {
            if let Some(ty) = step.get(name).filter(|it| !matches!(it, Value::Str(_) | Value::Null)) {
                let ty = ty.json_type();
                return Err(undecodable(format!(
                    "{ty} into Go struct field jsonPatchOp.{name} of type string"
                )));
            }
        }
    }
    // The server does not say why a step is not possible.
    json_patch::apply(object, steps).map_err(|_| {
        let message = "the server rejected our request due to an error in our request";
        Failure::new(422, "Invalid", message).with(Details::default())
    })
}
