//! Compares objects of Kubernetes' own kinds with their published schemas: unknown fields, types and required fields.
//! The schemas do not contain the server's other checks.

use super::metadata::{self, Malformed, WrongTypes};
use super::nulls;
use super::unknown::{Owner, Unknown};
use super::validate::Validator;
use crate::diag::codes::object::{METADATA, REQUIRED};
use crate::diag::{Diag, Diags, Level};
use crate::go;
use crate::ir::{Additional, Schema};
use crate::json;
use crate::metadata::missing_name;
use crate::path::{Path, Step};
use crate::server::Server;
use crate::value::Value;
use std::collections::BTreeSet;

/// Returns the errors in the structure of an object, and warnings about unknown fields.
pub fn check(object: &Value, schema: &Schema, server: Server) -> (Diags, Diags) {
    let mut object = object.clone();
    // The server itself sets the status.
    if let Value::Map(map) = &mut object {
        map.remove("status");
    }
    let mut found = Found::default();
    walk(&mut object, schema, &Path::ROOT, &mut found);
    let mut errors = Validator::new(schema, server).validate(&object, &Path::ROOT);
    if found.errors.is_empty() && lacks_name(&object) {
        errors.push(missing_name(&Path::ROOT.child("metadata").child("name")));
    }
    let kind = object.text("kind");
    errors.retain(|diag| *diag.code != REQUIRED || !is_optional(kind, &diag.steps));
    errors.iter_mut().for_each(|diag| nulls::explain(diag, &found.nulls));
    errors.append(&mut found.errors);
    (errors, found.unknown)
}

/// Fields that the published schemas require, and that the server does not: its types always have a value for them, and no check
/// looks at it. Each was left out of an object that a server of 1.37 then accepted. These are the kinds, if only they have such a
/// field, and the last names of the paths.
const OPTIONAL: [(&str, &[&str]); 27] = [
    ("", &["configSource", "configMap", "kubeletConfigKey"]),
    ("", &["configSource", "configMap", "name"]),
    ("", &["configSource", "configMap", "namespace"]),
    ("", &["capacity", "*", "value"]),
    ("", &["counters", "*", "value"]),
    ("", &["fieldSelector", "requirements", "operator"]),
    ("", &["forZones", "name"]),
    ("", &["httpHeaders", "value"]),
    ("", &["iscsi", "lun"]),
    ("", &["labelSelector", "requirements", "operator"]),
    ("", &["metric", "selector", "matchExpressions", "key"]),
    ("", &["metric", "selector", "matchExpressions", "operator"]),
    ("", &["nodeAffinity", "preferredDuringSchedulingIgnoredDuringExecution", "preference"]),
    ("", &["podFailurePolicy", "rules"]),
    ("", &["scaleIO", "secretRef"]),
    ("", &["sleep", "seconds"]),
    ("", &["sysctls", "value"]),
    ("", &["tokenRequests", "audience"]),
    ("CSIDriver", &["spec"]),
    ("CSINode", &["spec"]),
    ("CSINode", &["spec", "drivers"]),
    ("Event", &["involvedObject"]),
    ("LimitRange", &["spec", "limits"]),
    ("PersistentVolumeClaim", &["spec", "dataSource", "kind"]),
    ("ResourceSlice", &["pool", "generation"]),
    ("StatefulSet", &["volumeClaimTemplates", "spec", "dataSource", "kind"]),
    ("StorageVersionMigration", &["resource", "group"]),
];

/// Whether the server accepts an object of a kind without a field that its schema requires.
fn is_optional(kind: &str, field: &[Step]) -> bool {
    let names = || {
        field.iter().rev().filter_map(|step| match step {
            Step::Key(name) => Some(name.as_str()),
            Step::Index(_) => None,
        })
    };
    let ends = |end: &[&str]| {
        names().count() >= end.len()
            && end.iter().rev().zip(names()).all(|(end, name)| *end == "*" || *end == name)
    };
    OPTIONAL.iter().any(|(of, end)| (of.is_empty() || *of == kind) && ends(end))
}

/// Kinds whose objects are not stored, or whose name is that in the URL.
const NAMELESS: [&str; 5] = ["Binding", "Eviction", "Scale", "SerializedReference", "TokenRequest"];

/// Whether an object has no name, although the server stores objects of its kind.
fn lacks_name(object: &Value) -> bool {
    let kind = object.text("kind");
    if NAMELESS.contains(&kind) || ["List", "Options", "Review"].iter().any(|it| kind.ends_with(it)) {
        return false;
    }
    let metadata = object.get("metadata");
    ["name", "generateName"].iter().all(|key| {
        let name = metadata.and_then(|metadata| metadata.get(key));
        name.is_none_or(|name| name.is_null() || name.as_str() == Some(""))
    })
}

#[derive(Default)]
struct Found {
    errors: Diags,
    unknown: Diags,
    /// The steps to required fields that are null.
    nulls: BTreeSet<Vec<Step>>,
}

/// Base64 that the format `byte` accepts.
const BASE64: &str = "AAAA";

/// Finds unknown fields, and converts values as Go's decoders accept them: nulls count as absent, quantities may be floats, and
/// base64 may be empty or have line breaks.
fn walk(value: &mut Value, schema: &Schema, path: &Path<'_>, found: &mut Found) {
    if schema.preserves_unknown_fields() {
        return;
    }
    match value {
        Value::Float(_) if schema.ext.int_or_string => *value = Value::Str(json::to_string(value)),
        Value::Str(text) if schema.limits.format == "byte" && go::base64_decode(text).is_some() => {
            *text = BASE64.to_owned();
        }
        Value::Map(map) => {
            let is_required = |name: &str| schema.limits.required.iter().any(|it| it == name);
            map.retain(|name, member| {
                if member.is_null() && is_required(name) {
                    found.nulls.insert(path.child(name).steps());
                }
                !member.is_null()
            });
            for (name, member) in map.iter_mut() {
                let at = path.child(name);
                match (schema.properties.get(name), &schema.additional_properties) {
                    (Some(property), _) if name == "metadata" && is_bare(property) => {
                        own_metadata(member, &at, found)
                    }
                    (Some(property), _) => walk(member, property, &at, found),
                    (None, Some(Additional::Schema(schema))) => walk(member, schema, &at, found),
                    (None, Some(Additional::Allow(true))) => {}
                    (None, Some(Additional::Allow(false)) | None) if !at.has_room(found.unknown.len()) => {}
                    (None, Some(Additional::Allow(false)) | None) => {
                        let known = schema.properties.iter().map(|(name, _)| name);
                        let unknown = Unknown::new(path, name, Owner::Kubernetes, known, found.unknown.len());
                        found.unknown.push(unknown.diag(Level::Warning));
                    }
                }
            }
        }
        Value::List(items) => {
            let Some(item_schema) = schema.item() else { return };
            for (i, item) in items.iter_mut().enumerate() {
                walk(item, item_schema, &path.index(i), found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {}
    }
}

/// Whether this is the schema of metadata, which does not list its fields.
fn is_bare(schema: &Schema) -> bool {
    schema.properties.is_empty() && schema.additional_properties.is_none()
}

fn own_metadata(value: &Value, path: &Path<'_>, found: &mut Found) {
    match metadata::decode(value, WrongTypes::Rejected, path) {
        Err(why) => {
            let diag = Diag::own(&METADATA, Level::Error, path, why.to_string());
            found.errors.push(match why {
                Malformed::Field(wrong) => wrong.locate(diag),
                Malformed::NoObject(_) => diag,
            });
        }
        Ok(decoded) => {
            found.unknown.extend(decoded.unknown.into_iter().map(|unknown| unknown.diag(Level::Warning)));
        }
    }
}

#[cfg(all(test, feature = "k8s"))]
mod tests {
    use super::check;
    use crate::diag::Diag;
    use crate::server::Server;
    use crate::{json, k8s};

    #[track_caller]
    fn errors(ty: &str, object: &str) -> Vec<String> {
        let object = json::read(object.as_bytes()).unwrap_or_else(|e| panic!("{e:?}"));
        let schema = k8s::schema(ty).unwrap_or_else(|| panic!("{ty}"));
        check(&object, &schema, Server::NEWEST).0.iter().map(Diag::text).collect()
    }

    /// The schemas require more than the server does.
    #[test]
    fn fields_that_the_server_does_without() {
        let pod = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"securityContext":{"sysctls":[{"name":"a"}]},
            "volumes":[{"name":"v","iscsi":{"iqn":"a","targetPortal":"b"}}],
            "containers":[{"name":"a","livenessProbe":{"httpGet":{"port":1,"httpHeaders":[{"name":"a"}]}}}]}}"#;
        assert_eq!(errors("core/v1.Pod", pod), Vec::<String>::new());
        let event = r#"{"apiVersion":"v1","kind":"Event","metadata":{"name":"a"}}"#;
        assert_eq!(errors("core/v1.Event", event), Vec::<String>::new());
        let pod = pod.replace(r#"{"name":"a"}]}}}]"#, r#"{"value":"a"}]}}}]"#);
        let name = "spec.containers[0].livenessProbe.httpGet.httpHeaders[0].name";
        assert!(matches!(&errors("core/v1.Pod", &pod)[..], [only] if only.contains(name)), "{pod}");
    }
}
