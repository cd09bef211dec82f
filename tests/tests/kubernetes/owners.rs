//! Writes of Kubernetes' own kinds: `owners.txt` has the steps, and `owners.recorded` the answers of a control plane. The
//! tests compare crdgen's answers with these, and with those of the control plane in `$CRDGEN_CONTROL_PLANE`, a kubeconfig.
//! `UPDATE=1` then records them again. Run it without a controller manager, because controllers write objects too.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crdgen_core::json::to_string;
use crdgen_core::value::{Map, Value};
use crdgen_core::yaml;
use crdgen_tests::json::parse;
use crdgen_tests::ours;

use super::here;

/// What the server sets, and the recording replaces.
const UID: &str = "00000000-0000-0000-0000-000000000000";
const NOW: &str = "2023-11-14T22:13:20Z";

/// The arguments of kubectl, and its input.
struct Step {
    arguments: Vec<String>,
    input: String,
}

/// Steps that write one object, which does not exist before.
struct History {
    name: String,
    steps: Vec<Step>,
}

fn read(file: &str) -> String {
    let path = here("tests/kubernetes").join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn histories() -> Vec<History> {
    let mut all: Vec<History> = Vec::new();
    for line in read("owners.txt").lines() {
        if let Some(name) = line.strip_prefix("## ") {
            all.push(History { name: name.to_owned(), steps: Vec::new() });
        } else if let (Some(line), Some(history)) = (line.strip_prefix("$ "), all.last_mut()) {
            // A patch may contain spaces.
            let (head, patch) = line.split_once(" -p ").unwrap_or((line, ""));
            let mut arguments: Vec<String> = head.split(' ').map(str::to_owned).collect();
            if !patch.is_empty() {
                arguments.extend(["-p".to_owned(), patch.to_owned()]);
            }
            history.steps.push(Step { arguments, input: String::new() });
        } else if let Some(step) = all.last_mut().and_then(|history| history.steps.last_mut()) {
            _ = writeln!(step.input, "{line}");
        }
    }
    all
}

impl Step {
    /// What kubectl gets as arguments, and the editor that it starts: `edit KIND NAME SCRIPT -p PATCH` edits with sed. The patch
    /// says what this changes.
    fn command(&self) -> (Vec<&str>, String) {
        let all: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        match all.as_slice() {
            ["edit", kind, name, script, ..] => (vec!["edit", kind, name], format!("sed -i '{script}'")),
            _ => (all, String::new()),
        }
    }

    fn option(&self, name: &str) -> Option<&str> {
        self.arguments.iter().find_map(|it| it.strip_prefix("--")?.strip_prefix(name)?.strip_prefix('='))
    }

    /// The request that kubectl makes, in the protocol of `crdgen rpc`.
    fn request(&self, live: Option<&Value>) -> Value {
        let verb = self.arguments[0].as_str();
        let last = self.arguments.last().map_or("", String::as_str);
        let metadata = |field: &str| {
            let (name, text) = last.split_once('=').expect("name=value");
            object([("metadata", object([(field, object([(name, Value::from(text))]))]))])
        };
        let (kind, manager, body) = match verb {
            "apply" => ("apply", "kubectl", self.input.clone()),
            "create" => ("update", "kubectl-create", self.input.clone()),
            "replace" => ("update", "kubectl-replace", self.input.clone()),
            "patch" => ("patch-merge", "kubectl-patch", last.to_owned()),
            "edit" => ("patch-merge", "kubectl-edit", last.to_owned()),
            "label" => ("patch-merge", "kubectl-label", to_string(&metadata("labels"))),
            "annotate" => ("patch-merge", "kubectl-annotate", to_string(&metadata("annotations"))),
            "scale" => {
                let replicas = self.option("replicas").expect("a number");
                ("patch-merge", "kubectl", format!(r#"{{"spec":{{"replicas":{replicas}}}}}"#))
            }
            other => panic!("kubectl {other}"),
        };
        let mut request: Map<Value> = [
            ("op", "apply"),
            ("kind", kind),
            ("manager", self.option("field-manager").unwrap_or(manager)),
            ("request", &body),
        ]
        .into_iter()
        .map(|(name, text)| (name, Value::from(text)))
        .collect();
        if self.arguments.iter().any(|it| it == "--force-conflicts") {
            request.insert("force", Value::Bool(true));
        }
        if let Some(subresource) = self.option("subresource").or((verb == "scale").then_some("scale")) {
            request.insert("subresource", Value::from(subresource));
        }
        if let Some(live) = live.filter(|_| verb != "create") {
            request.insert("live", to_string(live).into());
        }
        Value::Map(request)
    }
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Map(members.into_iter().collect())
}

/// What was recorded of a step.
fn recorded() -> Vec<Value> {
    read("owners.recorded").lines().map(|line| parse(line).expect("JSON")).collect()
}

/// crdgen's answer, with the placeholders of the recording.
fn answer(request: &Value) -> Result<Value, String> {
    let answer = ours::answer(request);
    match answer.get("error").and_then(Value::as_str) {
        Some(error) => Err(error.to_owned()),
        None => Ok(answer.get("object").cloned().unwrap_or_default()),
    }
}

#[test]
fn writes_have_the_answers_of_the_server() {
    let all = recorded();
    assert!(all.len() > 50, "{}", all.len());
    let mut different = String::new();
    for step in &all {
        let text = |name: &str| step.get(name).and_then(Value::as_str).unwrap_or_default();
        let ours = answer(step.get("request").expect("a request"));
        let is_same = match (&ours, step.get("object")) {
            (Ok(ours), Some(theirs)) => ours == theirs,
            (Err(ours), None) => ours == text("error"),
            (Ok(_), None) | (Err(_), Some(_)) => false,
        };
        if !is_same {
            let theirs = step.get("object").map_or_else(|| text("error").to_owned(), to_string);
            let ours = ours.map_or_else(|error| error, |object| to_string(&object));
            _ = writeln!(
                different,
                "{}: {}\n  server: {theirs}\n  crdgen: {ours}",
                text("history"),
                text("step")
            );
        }
    }
    assert!(different.is_empty(), "{different}");
}

/// The control plane.
struct Server {
    kubeconfig: String,
}

impl Server {
    fn kubectl(&self, arguments: &[&str], input: &str) -> Result<String, String> {
        self.kubectl_with("", arguments, input)
    }

    fn kubectl_with(&self, editor: &str, arguments: &[&str], input: &str) -> Result<String, String> {
        let mut child = Command::new("kubectl")
            .args(arguments)
            .env("KUBECONFIG", &self.kubeconfig)
            .env("KUBE_EDITOR", editor)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("kubectl starts");
        child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("kubectl reads");
        let out = child.wait_with_output().expect("kubectl ends");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if out.status.success() { Ok(text(&out.stdout)) } else { Err(text(&out.stderr)) }
    }

    fn delete(&self, kind: &str, name: &str) {
        // Deletes it in any case: it may not exist, or wait for its finalizers.
        _ = self.kubectl(&["delete", kind, name, "--wait=false"], "");
        if kind == "Namespace" {
            let finalized = r#"{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"NAME"},"spec":{"finalizers":[]}}"#;
            let path = format!("/api/v1/namespaces/{name}/finalize");
            _ = self.kubectl(&["replace", "--raw", &path, "-f", "-"], &finalized.replace("NAME", name));
        }
        _ = self
            .kubectl(&["patch", kind, name, "--type=merge", "-p", r#"{"metadata":{"finalizers":null}}"#], "");
    }
}

/// Replaces what differs in each recording: times by when they were first seen, and the rest by placeholders.
fn normalized(object: &str, times: &mut BTreeMap<String, String>) -> Value {
    let object = parse(object).expect("JSON");
    let uid = object.get("metadata").and_then(|m| m.get("uid")).and_then(Value::as_str).unwrap_or_default();
    let mut object = parse(&to_string(&object).replace(uid, UID)).expect("JSON");
    if let Some(Value::Map(metadata)) = object.as_map_mut().and_then(|map| map.get_mut("metadata")) {
        metadata.insert("creationTimestamp", NOW.into());
        metadata.insert("resourceVersion", "1".into());
    }
    each_time(&mut object, |time| {
        let next = format!("2001-01-01T00:00:{:02}Z", times.len());
        *time = times.entry(time.clone()).or_insert(next).clone();
    });
    object
}

/// Changes the times that writes set: those of managed fields, and of the phases of volumes.
fn each_time(object: &mut Value, mut change: impl FnMut(&mut String)) {
    let mut of_field = |map: &mut Map<Value>, name: &str| {
        if let Some(Value::Str(time)) = map.get_mut(name) {
            change(time);
        }
    };
    let Value::Map(object) = object else { return };
    let metadata = object.get_mut("metadata").and_then(Value::as_map_mut);
    if let Some(Value::List(entries)) = metadata.and_then(|metadata| metadata.get_mut("managedFields")) {
        entries.iter_mut().filter_map(Value::as_map_mut).for_each(|entry| of_field(entry, "time"));
    }
    if let Some(Value::Map(status)) = object.get_mut("status") {
        of_field(status, "lastPhaseTransitionTime");
    }
}

/// What crdgen should answer if this is stored afterwards: new times are now, and without what only a server knows.
fn expected(mut stored: Value, before: &[String]) -> Value {
    each_time(&mut stored, |time| {
        if !before.contains(time) {
            NOW.clone_into(time);
        }
    });
    if let Some(Value::Map(metadata)) = stored.as_map_mut().and_then(|map| map.get_mut("metadata")) {
        for name in ["uid", "resourceVersion", "creationTimestamp"] {
            metadata.remove(name);
        }
    }
    stored
}

#[test]
fn control_plane() {
    let Some(kubeconfig) = std::env::var("CRDGEN_CONTROL_PLANE").ok().filter(|it| !it.is_empty()) else {
        return crdgen_tests::skip("owners on a control plane", "$CRDGEN_CONTROL_PLANE is not set");
    };
    let server = Server { kubeconfig };
    let (mut lines, mut different) = (String::new(), String::new());
    for history in histories() {
        let (documents, _) = yaml::read(history.steps[0].input.as_bytes());
        let first = &documents[0].value;
        let kind = first.get("kind").and_then(Value::as_str).expect("a kind").to_owned();
        let name = first.get("metadata").and_then(|m| m.get("name")).and_then(Value::as_str).expect("a name");
        server.delete(&kind, name);
        let (mut live, mut times) = (None, BTreeMap::new());
        for step in &history.steps {
            // Entries are sorted by their times, which are in seconds.
            std::thread::sleep(Duration::from_millis(1100));
            let request = step.request(live.as_ref());
            let (arguments, editor) = step.command();
            let done = server.kubectl_with(&editor, &arguments, &step.input);
            let ours = answer(&request);
            let mut line: Map<Value> =
                [("history", history.name.clone()), ("step", step.arguments.join(" "))]
                    .into_iter()
                    .map(|(name, text)| (name, text.into()))
                    .collect();
            line.insert("request", request);
            let is_same = match &done {
                Err(error) => {
                    let ours = ours.as_ref().err().cloned().unwrap_or_default();
                    line.insert("error", ours.as_str().into());
                    !ours.is_empty() && error.contains(&ours)
                }
                Ok(_) => {
                    let stored = ["get", &kind, name, "-o", "json", "--show-managed-fields"];
                    let stored = server.kubectl(&stored, "").unwrap_or_else(|e| panic!("{e}"));
                    let before: Vec<String> = times.values().cloned().collect();
                    let stored = normalized(&stored, &mut times);
                    live = Some(stored.clone());
                    let theirs = expected(stored, &before);
                    line.insert("object", theirs.clone());
                    ours.as_ref() == Ok(&theirs)
                }
            };
            if !is_same {
                _ = writeln!(different, "{}: {}\n  server: {done:?}", history.name, step.arguments.join(" "));
                _ = writeln!(different, "  crdgen: {}", ours.map_or_else(|e| e, |it| to_string(&it)));
            }
            _ = writeln!(lines, "{}", to_string(&Value::Map(line)));
        }
        server.delete(&kind, name);
    }
    if std::env::var_os("UPDATE").is_some() {
        let path: &Path = &here("tests/kubernetes").join("owners.recorded");
        std::fs::write(path, lines).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
    assert!(different.is_empty(), "{different}");
}
