//! What users do with kubectl, step by step, on a real server. The library predicts each step: real and mutated objects
//! are created, replaced, scaled, read and deleted.

use super::Server;
use crdgen::objects::{CompiledKind, Verdict};
use crdgen_core::decode;
use crdgen_core::json::{self, to_string};
use crdgen_core::value::Value;
use crdgen_tests::corpus::{self, Seed};
use crdgen_tests::mutate::object::of_seed;
use crdgen_tests::rng::Rng;
use std::process::Output;

/// How many kinds are tested. The next constant limits the objects of each.
const KINDS: usize = 9;
const OBJECTS: usize = 3;

/// Counts steps, and keeps those with a wrong prediction.
#[derive(Default)]
struct Steps {
    count: usize,
    wrong: Vec<String>,
}

impl Steps {
    /// Compares an answer of kubectl with a prediction: whether the server accepts the object, and the words of each
    /// error.
    fn compare(&mut self, what: &str, predicted: &Verdict, answer: &Output) {
        self.count += 1;
        let message = String::from_utf8_lossy(&answer.stderr);
        let same_end = predicted.is_accepted() == answer.status.success();
        // kubectl prints its own message if it sends no request, because it cannot find a kind or a version.
        let sent = !message.starts_with("error: ");
        let missing = predicted.errors.iter().filter(|_| sent).find(|error| {
            let text = error.text();
            // kubectl prints errors without a field without the server's prefix.
            let text = text.strip_prefix("<nil>: ").unwrap_or(&text);
            !answer.status.success() && !message.contains(text)
        });
        if !same_end || missing.is_some() {
            let errors: Vec<String> = predicted.errors.iter().map(|error| error.text()).collect();
            self.wrong
                .push(format!("{what}\npredicted: {errors:?} {:?}\nkubectl: {message}", predicted.undecided));
        }
    }

    /// Compares the stored object with the prediction.
    fn stored(&mut self, what: &str, predicted: Option<&Value>, answer: &Output) {
        self.count += 1;
        let read = json::read(&answer.stdout).map(without_generated).ok();
        let wanted = predicted.cloned().map(without_generated);
        if read != wanted {
            let text = |value: Option<Value>| value.map(|value| to_string(&value)).unwrap_or_default();
            self.wrong.push(format!("{what}\npredicted: {}\nstored: {}", text(wanted), text(read)));
        }
    }
}

/// Returns an object without the fields that only a running server sets.
fn without_generated(mut object: Value) -> Value {
    let metadata =
        object.as_map_mut().and_then(|object| object.get_mut("metadata")).and_then(Value::as_map_mut);
    if let Some(metadata) = metadata {
        metadata.retain(|name, _| {
            !["uid", "resourceVersion", "creationTimestamp", "managedFields", "generation"].contains(&name)
        });
    }
    object
}

fn text(request: &Value, name: &str) -> String {
    request.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Returns an object with this name in the default namespace.
fn named(object: &str, name: &str) -> Option<Value> {
    let mut object = crdgen_core::yaml::read_one(object.as_bytes()).ok()?.value;
    let metadata = object.as_map_mut()?.get_mut("metadata")?.as_map_mut()?;
    metadata.insert("name", name.into());
    metadata.remove("generateName");
    metadata.remove("namespace");
    Some(object)
}

#[test]
fn steps_are_predicted() {
    let server = server!("steps");
    let (Some(mut crds), Some(objects)) = (corpus::shared_crds(), corpus::shared_objects()) else {
        return crdgen_tests::skip("live steps", "no shared corpus; set $CRDGEN_CORPUS");
    };
    crds.retain(|crd| crd.text.len() < 60_000);
    let mut steps = Steps::default();
    let mut rng = Rng::new(17);
    let mut kinds = 0;
    for crd in &crds {
        let one = std::slice::from_ref(crd);
        let own: Vec<&Seed> =
            objects.iter().filter(|o| of_seed(one, o, None).is_some()).take(OBJECTS).collect();
        let kind = decode::crd(crd.value.clone()).0.and_then(|crd| CompiledKind::new(crd).ok());
        let Some(kind) = kind.filter(|_| own.len() >= 2 && kinds < KINDS) else { continue };
        if !server.kubectl(&["create", "-f", "-"], &crd.text).status.success() {
            continue;
        }
        kinds += 1;
        let spec = &kind.crd().spec;
        let resource = format!("{}.{}", spec.names.plural, spec.group);
        server.until_served(&resource);
        for (i, object) in own.iter().enumerate() {
            one_object(&server, &kind, &resource, one, object, &format!("object-{i}"), &mut rng, &mut steps);
        }
    }
    eprintln!("{} steps with {kinds} kinds, {} were not predicted", steps.count, steps.wrong.len());
    assert!(steps.wrong.is_empty(), "{}", steps.wrong.join("\n=====\n"));
    assert!(steps.count >= 300, "{} steps", steps.count);
}

/// Creates an object with and without edits, replaces it, writes its scale and its status, and deletes it.
#[allow(clippy::too_many_arguments, reason = "they are what the steps need")]
fn one_object(
    server: &Server,
    kind: &CompiledKind,
    resource: &str,
    crd: &[Seed],
    object: &Seed,
    name: &str,
    rng: &mut Rng,
    steps: &mut Steps,
) {
    let edited = |rng: &mut Rng| named(&text(&of_seed(crd, object, Some(rng))?.request, "object"), name);
    let Some(plain) = of_seed(crd, object, None).and_then(|case| named(&text(&case.request, "object"), name))
    else {
        return;
    };
    for tried in [edited(rng), Some(plain.clone())].into_iter().flatten() {
        let what = format!("create {resource} {}", to_string(&tried));
        for validation in ["strict", "false"] {
            let verdict = kind.create(&tried);
            let verdict = if validation == "strict" { verdict.strict() } else { verdict };
            let flag = format!("--validate={validation}");
            let answer = server.kubectl(&["create", &flag, "-f", "-"], &to_string(&tried));
            if validation == "strict" {
                // kubectl reports unknown fields in one line, with words of its own.
                steps.count += 1;
                if verdict.is_accepted() != answer.status.success() {
                    let message = String::from_utf8_lossy(&answer.stderr);
                    steps.wrong.push(format!("strict {what}\npredicted {}\n{message}", verdict.message()));
                }
            } else {
                steps.compare(&what, &verdict, &answer);
            }
            if answer.status.success() {
                let read = server.kubectl(&["get", resource, name, "-o", "json"], "");
                steps.stored(&what, verdict.result.as_ref(), &read);
                changes(server, kind, resource, name, edited(rng), steps);
                // An object with finalizers remains until they are removed.
                let free = r#"{"metadata":{"finalizers":null}}"#;
                for args in [
                    &["patch", resource, name, "--type=merge", "--patch", free][..],
                    &["delete", resource, name, "--timeout=60s"],
                ] {
                    steps.count += 1;
                    let answer = server.kubectl(args, "");
                    if !answer.status.success() {
                        let message = String::from_utf8_lossy(&answer.stderr).into_owned();
                        steps.wrong.push(format!("{args:?}\n{message}"));
                    }
                }
            }
        }
    }
}

/// Changes an object that exists.
fn changes(
    server: &Server,
    kind: &CompiledKind,
    resource: &str,
    name: &str,
    new: Option<Value>,
    steps: &mut Steps,
) {
    let stored = || json::read(&server.kubectl(&["get", resource, name, "-o", "json"], "").stdout).ok();
    let Some(new) = new else { return };
    if let Some(old) = stored() {
        let what = format!("replace {resource} {} by {}", to_string(&old), to_string(&new));
        let verdict = kind.update(&new, &old);
        let answer = server.kubectl(&["replace", "--validate=false", "-f", "-"], &to_string(&new));
        steps.compare(&what, &verdict, &answer);
        if answer.status.success() {
            let read = server.kubectl(&["get", resource, name, "-o", "json"], "");
            steps.stored(&what, verdict.result.as_ref(), &read);
        }
    }
    let body = kind.crd().spec.versions.iter().find(|v| v.storage).map(|v| &v.body);
    let subresources = body.and_then(|body| body.subresources.as_ref());
    if subresources.is_some_and(|s| s.status)
        && new.get("status").is_some()
        && let Some(old) = stored()
    {
        let what = format!("status of {resource} by {}", to_string(&new));
        let verdict = kind.update_status(&new, &old);
        let args = ["replace", "--validate=false", "--subresource=status", "-f", "-"];
        steps.compare(&what, &verdict, &server.kubectl(&args, &to_string(&new)));
    }
    if subresources.is_some_and(|s| s.scale.is_some())
        && let Some(old) = stored()
    {
        let verdict = kind.scale(&old, 3);
        steps.compare(
            &format!("scale {resource}"),
            &verdict,
            &server.kubectl(&["scale", resource, name, "--replicas=3"], ""),
        );
    }
}
