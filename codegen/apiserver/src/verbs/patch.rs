//! Patches objects, and applies configurations.

use super::{Call, strategic};
use crate::answer::Answer;
use crate::meta;
use crate::registry::{Role, Subresource};
use crate::request::{Body, PatchType, read_body};
use crate::status::{Details, Failure, Mistake};
use crdgen_core::apply::Verb;
use crdgen_core::diag::Kind;
use crdgen_core::json_patch::{Copied, Patch};
use crdgen_core::value::Value;
use http::header::CONTENT_TYPE;

impl Call<'_> {
    pub(super) fn patch(&mut self) -> Result<Answer, Failure> {
        let content_type = self.request.header(CONTENT_TYPE);
        let patch_type = PatchType::of(content_type).ok_or_else(|| self.unsupported())?;
        if patch_type == PatchType::Strategic && self.kind.role == Role::Custom {
            return Err(self.unsupported());
        }
        let body = read_body(content_type, &self.request.body).map_err(|why| match patch_type {
            PatchType::Merge if why.code == 400 => Failure::bad_request("invalid JSON patch"),
            _ => why,
        })?;
        match patch_type {
            PatchType::Apply => self.apply(body),
            PatchType::Merge => self.merge(body),
            PatchType::Json => {
                let live = self.live()?;
                let mut object = self.shown_or_scale(&live)?;
                json_patch(&mut object, &body.value)?;
                let made = self.write(Verb::Patched, object, body.strict, Some(&live))?;
                self.finish(made, &live)
            }
            PatchType::Strategic => {
                let live = self.live()?;
                let mut object = self.shown_or_scale(&live)?;
                let schema = self.served().crd.spec.schema_of(0);
                strategic::merge(&mut object, &body.value, schema);
                let made = self.write(Verb::Patched, object, body.strict, Some(&live))?;
                self.finish(made, &live)
            }
        }
    }

    fn unsupported(&self) -> Failure {
        let mut types = vec!["application/json-patch+json", "application/merge-patch+json"];
        if self.kind.role != Role::Custom {
            types.push("application/strategic-merge-patch+json");
        }
        types.push("application/apply-patch+yaml");
        let message = format!(
            "the body of the request was in an unknown format - accepted media types include: {}",
            types.join(", ")
        );
        Failure::new(415, "UnsupportedMediaType", message)
    }

    fn shown_or_scale(&self, live: &Value) -> Result<Value, Failure> {
        let shown = self.shown(live)?;
        if self.subresource == Some(Subresource::Scale) { self.scale_of(&shown) } else { Ok(shown) }
    }

    fn merge(&mut self, body: Body) -> Result<Answer, Failure> {
        let live = self.live()?;
        if !matches!(body.value, Value::Map(_)) {
            return Err(Failure::bad_request("the patch is not an object"));
        }
        self.check_uid(&body.value, &live)?;
        let made = self.write(Verb::MergePatch, body.value, body.strict, Some(&live))?;
        self.finish(made, &live)
    }

    fn apply(&mut self, body: Body) -> Result<Answer, Failure> {
        if self.request.query.field_manager.is_none() {
            let mistake = Mistake::new("fieldManager", Kind::Required, "is required for apply patch");
            return Err(Failure::invalid_option("PatchOptions", mistake));
        }
        let verb = Verb::Apply { force: self.request.query.force == Some(true) };
        let mut config = body.value;
        if !matches!(config, Value::Map(_)) {
            return Err(Failure::bad_request("error decoding YAML: the configuration is not an object"));
        }
        if let Some(first) = body.strict.first() {
            // The server never ignores repeated fields of an apply.
            return Err(Failure::bad_request(format!("error decoding YAML: {first}")));
        }
        let name = meta::text(&config, "name");
        if name.is_empty() {
            meta::set(&mut config, "name", Some(self.path.name.as_str().into()));
        } else if name != self.path.name {
            return Err(Failure::bad_request(format!(
                "the name of the object ({name}) does not match the name on the URL ({})",
                self.path.name
            )));
        }
        if self.kind.role != Role::Custom && meta::text(&config, "resourceVersion").is_empty() {
            // The types of Go have no empty version.
            meta::set(&mut config, "resourceVersion", None);
        }
        match self.live() {
            Ok(live) => {
                self.check_uid(&config, &live)?;
                let made = self.write(verb, config, Vec::new(), Some(&live))?;
                self.finish(made, &live)
            }
            Err(missing) if !self.path.subresource.is_empty() => Err(missing),
            Err(_) if !meta::text(&config, "uid").is_empty() => {
                let (plural, group) = (&self.kind.resource.plural, &self.kind.resource.group);
                let why = format!(
                    "uid mismatch: the provided object specified uid {}, and no existing object was found",
                    meta::text(&config, "uid")
                );
                Err(Failure::conflict(plural, group, &self.path.name, &why))
            }
            Err(_) => {
                let object = self.create_as(verb, config, Vec::new())?;
                self.one(201, object)
            }
        }
    }
}

/// Applies a JSON patch (RFC 6902).
fn json_patch(object: &mut Value, patch: &Value) -> Result<(), Failure> {
    let Value::List(steps) = patch else {
        return Err(Failure::bad_request("a JSON patch is a list of operations"));
    };
    // The server has the same limit.
    if steps.len() > 10_000 {
        let message = format!("The allowed maximum operations in a JSON patch is 10000, got {}", steps.len());
        return Err(Failure::new(413, "RequestEntityTooLarge", message));
    }
    // The server does not say why a step is not possible.
    let rejected = || {
        let message = "the server rejected our request due to an error in our request";
        Failure::new(422, "Invalid", message).with(Details::default())
    };
    let mut copied = Copied::default();
    for step in steps {
        let step = step.as_map().map(Patch::read).ok_or_else(rejected)?;
        step.apply(object, &mut copied).map_err(|_| rejected())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crdgen_core::json;

    #[test]
    fn json_patches_change_objects() {
        let patched = |patch: &str| {
            let read = |text: &str| json::read(text.as_bytes()).expect("JSON");
            let mut object = read(r#"{"a":{"b/c":1,"l":[1,2]}}"#);
            json_patch(&mut object, &read(patch)).map(|()| json::to_string(&object)).ok()
        };
        for (patch, expected) in [
            (r#"[{"op":"add","path":"/a/l/-","value":3}]"#, Some(r#"{"a":{"b/c":1,"l":[1,2,3]}}"#)),
            (r#"[{"op":"add","path":"/a/l/0","value":0}]"#, Some(r#"{"a":{"b/c":1,"l":[0,1,2]}}"#)),
            (r#"[{"op":"remove","path":"/a/b~1c"}]"#, Some(r#"{"a":{"l":[1,2]}}"#)),
            (r#"[{"op":"move","from":"/a/l/0","path":"/z"}]"#, Some(r#"{"a":{"b/c":1,"l":[2]},"z":1}"#)),
            (
                r#"[{"op":"test","path":"/a/l/0","value":1},{"op":"replace","path":"/a","value":1}]"#,
                Some(r#"{"a":1}"#),
            ),
            (r#"[{"op":"test","path":"/a/l/0","value":2}]"#, None),
            (r#"[{"op":"replace","path":"/x","value":1}]"#, None),
            (r#"[{"op":"add","path":"/a/l/9","value":1}]"#, None),
            (r#"[{"op":"wrong","path":"/a"}]"#, None),
            (r#"{}"#, None),
        ] {
            assert_eq!(patched(patch).as_deref(), expected, "{patch}");
        }
    }
}
