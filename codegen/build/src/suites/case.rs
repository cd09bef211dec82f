//! One test case: what is written, what is expected, and the result.

use super::columns::{self, Columns};
use super::difference::difference;
use super::failure::{ERROR, EXPECTED, Failure, PRUNED, STATUS_ERROR, WARNINGS};
use super::kind;
use crdgen_core::json;
use crdgen_core::json_patch::{Copied, Patch};
use crdgen_core::object::Action;
use crdgen_core::server::Server;
use crdgen_core::value::{Map, Value};
use crdgen_core::yaml;
use crdgen_kinds::objects::{CompiledKind, Refusal, Verdict};
use crdgen_runtime::GroupVersion;
use std::path::PathBuf;
use std::sync::Arc;

/// A test case.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name, with the list that contains the case.
    pub name: String,
    /// The line in its file.
    pub line: Option<u32>,
    /// Its file, if the suite is a folder.
    pub file: Option<PathBuf>,
    /// The name of its list, and its index there.
    pub(super) at: Option<(String, usize)>,
    pub(super) what: What,
    /// The kind of its object, if that is one of Kubernetes' own kinds.
    pub(super) own: Option<Arc<CompiledKind>>,
    /// The oldest server that it is for.
    pub(super) oldest: Option<Server>,
}

/// The result of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The case passed.
    Passed,
    /// The case passed, with an error in the words of an older server.
    PassedInOlderWords,
    /// The case failed.
    Failed(Failure),
    /// The case cannot run, for this reason, because the server rejects the CRD. Another case reports that.
    NotRun(String),
    /// The case is for this server and newer ones.
    NeedsNewer(Server),
}

/// What is written, and what is expected. Objects are YAML. Empty texts were left out in the suite.
#[derive(Clone, Debug)]
pub(super) enum What {
    Create {
        initial: String,
        expected: String,
        expected_error: String,
        warnings: Option<Vec<String>>,
        pruned: Option<Vec<String>>,
        columns: Option<Columns>,
    },
    Update {
        patches: Vec<Patch>,
        initial: String,
        updated: String,
        expected: String,
        expected_error: String,
        expected_status_error: String,
        warnings: Option<Vec<String>>,
        columns: Option<Columns>,
    },
    StatusUpdate {
        initial: String,
        updated: String,
        expected: String,
        expected_error: String,
        columns: Option<Columns>,
    },
    Scale {
        initial: String,
        replicas: i64,
        expected: String,
        expected_error: String,
    },
    Convert {
        initial: String,
        version: String,
        expected: String,
    },
    /// The server accepts the object, and knows all of its fields.
    Valid(Value),
    /// The server rejects the object, with a message that contains these parts.
    Invalid(Value, Vec<String>),
    /// The case cannot run, for this reason.
    Broken(String),
}

/// Converts an object to a version as a webhook does, with the conversions that Rust types declare. `None` if they declare none.
pub(super) type Convert<'c> = dyn Fn(&Value, &str) -> Result<Option<Value>, Failure> + 'c;

/// `Ok` if something is as expected, otherwise what there is instead.
type Checked<T = ()> = Result<T, Failure>;

impl Case {
    /// Returns a case without a place.
    pub(super) fn new(name: String, what: What) -> Case {
        let own = what.own().map(Arc::new);
        Case { name, line: None, file: None, at: None, what, own, oldest: None }
    }

    /// Returns a case that always fails.
    pub(super) fn broken(name: &str, why: String) -> Case {
        Case::new(name.to_owned(), What::Broken(why))
    }

    /// The server that it needs, if this one is older.
    pub(super) fn needs_newer(&self, minor: u32) -> Option<Server> {
        self.oldest.filter(|oldest| Server::of(minor) < *oldest)
    }

    /// Whether it needs no CRD: its object is of one of Kubernetes' own kinds, or it cannot run.
    pub(super) fn needs_no_crd(&self) -> bool {
        self.own.is_some() || self.is_broken()
    }

    /// Whether the case cannot run.
    pub(super) fn is_broken(&self) -> bool {
        matches!(self.what, What::Broken(_))
    }

    /// Whether it converts an object to another version.
    pub(super) fn is_conversion(&self) -> bool {
        matches!(self.what, What::Convert { .. })
    }

    /// Whether it expects an error with certain words.
    pub(super) fn expects_words(&self) -> bool {
        match &self.what {
            What::Create { expected_error, .. }
            | What::StatusUpdate { expected_error, .. }
            | What::Scale { expected_error, .. } => !expected_error.is_empty(),
            What::Update { expected_error, expected_status_error, .. } => {
                !expected_error.is_empty() || !expected_status_error.is_empty()
            }
            What::Invalid(_, parts) => !parts.is_empty(),
            What::Convert { .. } | What::Valid(_) | What::Broken(_) => false,
        }
    }

    /// Runs a case without a CRD.
    pub(super) fn run_alone(&self) -> Outcome {
        let convert = |_: &Value, _: &str| Ok(None);
        self.run(|| Err("there is no CRD".to_owned().into()), &Value::Null, &convert)
    }

    /// Runs the case with the kind of a CRD, or with that of its object.
    pub(super) fn run<'k>(
        &self,
        kind: impl Fn() -> Result<&'k CompiledKind, Failure>,
        crd: &Value,
        convert: &Convert<'_>,
    ) -> Outcome {
        let kind = || match (&self.what, &self.own) {
            (What::Broken(why), _) => Err(why.clone().into()),
            (_, Some(own)) => Ok(&**own),
            (_, None) => kind(),
        };
        match kind().and_then(|kind| self.check(kind, crd, convert)) {
            Ok(()) => Outcome::Passed,
            Err(why) => Outcome::Failed(why),
        }
    }

    fn check(&self, kind: &CompiledKind, crd: &Value, convert: &Convert<'_>) -> Checked {
        let server = Writer { kind, convert };
        match &self.what {
            What::Create { initial, expected, expected_error, warnings, pruned, columns } => {
                let verdict = kind.create(&object(initial)?);
                if let Some(pruned) = pruned {
                    let found: Vec<&str> = verdict.unknown.iter().map(|diag| diag.field.as_str()).collect();
                    same_texts("pruned fields", PRUNED, pruned, &found)?;
                }
                warns(&verdict, warnings.as_deref())?;
                let Some(stored) = server.rejected(verdict, expected_error, ERROR)? else { return Ok(()) };
                columns::check(kind, &stored, columns.as_ref())?;
                server.stored_as(&stored, expected, initial)
            }
            What::Update {
                patches,
                initial,
                updated,
                expected,
                expected_error,
                expected_status_error,
                warnings,
                columns,
            } => {
                let stored = server.before(crd, patches, initial)?;
                let mut new = object(updated)?;
                take_name(&mut new, &stored);
                let old = server.old_for(&new, stored)?;
                let verdict = kind.write(new.clone(), Action::Update(old), "");
                warns(&verdict, warnings.as_deref())?;
                let Some(mut stored) = server.rejected(verdict, expected_error, ERROR)? else {
                    return Ok(());
                };
                if let Some(status) = new.get("status") {
                    let mut with_status = stored.clone();
                    set(&mut with_status, "status", status.clone());
                    let verdict = kind.write(with_status, Action::UpdateStatus(stored), "");
                    match server.rejected(verdict, expected_status_error, STATUS_ERROR)? {
                        Some(result) => stored = result,
                        None => return Ok(()),
                    }
                }
                columns::check(kind, &stored, columns.as_ref())?;
                server.stored_as(&stored, expected, updated)
            }
            What::StatusUpdate { initial, updated, expected, expected_error, columns } => {
                let stored = server.before(crd, &[], initial)?;
                let mut new = object(updated)?;
                take_name(&mut new, &stored);
                let old = server.old_for(&new, stored)?;
                let verdict = kind.write(new, Action::UpdateStatus(old), "");
                let Some(stored) = server.rejected(verdict, expected_error, ERROR)? else { return Ok(()) };
                columns::check(kind, &stored, columns.as_ref())?;
                server.stored_as(&stored, expected, updated)
            }
            What::Scale { initial, replicas, expected, expected_error } => {
                let stored = server.before(crd, &[], initial)?;
                let verdict = kind.scale(&stored, *replicas);
                match server.rejected(verdict, expected_error, ERROR)? {
                    Some(stored) if !expected.trim().is_empty() => stored_as(&stored, expected),
                    Some(_) | None => Ok(()),
                }
            }
            What::Convert { initial, version, expected } => {
                let stored = server.before(crd, &[], initial)?;
                stored_as(&server.read_as(&stored, version)?, expected)
            }
            What::Valid(object) => kind
                .validate(object)
                .map_err(|invalid| format!("the server rejects the object:\n{invalid}").into()),
            What::Invalid(object, parts) => is_rejected(kind, object, parts),
            What::Broken(why) => Err(why.clone().into()),
        }
    }
}

impl What {
    /// The kind of the object, if that is one of Kubernetes' own kinds.
    fn own(&self) -> Option<CompiledKind> {
        let own = |object: &Value| {
            let text = |name: &str| object.get(name).and_then(Value::as_str);
            CompiledKind::own(text("apiVersion")?, text("kind")?)
        };
        match self {
            What::Create { initial, .. }
            | What::Update { initial, .. }
            | What::StatusUpdate { initial, .. }
            | What::Scale { initial, .. }
            | What::Convert { initial, .. } => own(&object(initial).ok()?),
            What::Valid(object) | What::Invalid(object, _) => own(object),
            What::Broken(_) => None,
        }
    }
}

/// Checks that the server rejects an object, and that its answer has some parts.
fn is_rejected(kind: &CompiledKind, object: &Value, parts: &[String]) -> Checked {
    let Err(invalid) = kind.validate(object) else {
        return Err("the server accepts the object".to_owned().into());
    };
    let answer = invalid.to_string();
    match parts.iter().find(|part| !answer.contains(part.as_str())) {
        Some(part) => Err(format!("expected an error with: {part}\nthe server's answer: {answer}").into()),
        None => Ok(()),
    }
}

/// What a case writes to.
struct Writer<'k> {
    kind: &'k CompiledKind,
    convert: &'k Convert<'k>,
}

impl Writer<'_> {
    /// Returns the object that exists before an update, with its status. If the CRD was changed in order to create the
    /// object, the real CRD must also accept it in an update.
    fn before(&self, crd: &Value, patches: &[Patch], initial: &str) -> Checked<Value> {
        let (now, patched) = (self.kind, None::<CompiledKind>);
        let patched = match patches {
            [] => patched,
            _ => {
                let none = "initialCRDPatches: Kubernetes' own kinds have no CRD to patch";
                let minor = now.served().ok_or_else(|| none.to_owned())?.minor();
                let (mut document, mut copied) = (crd.clone(), Copied::default());
                patches
                    .iter()
                    .try_for_each(|patch| {
                        patch.apply(&mut document, &mut copied).map_err(|why| Failure::from(why.to_string()))
                    })
                    .map_err(|why| format!("initialCRDPatches: {why}"))?;
                Some(kind(&document, "", minor)?)
            }
        };
        let server = Writer { kind: patched.as_ref().unwrap_or(now), ..*self };
        let new = object(initial)?;
        let initial = |why| Failure::from(format!("the initial object: {why}"));
        let mut stored = server.taken(server.kind.create(&new)).map_err(initial)?;
        if let Some(status) = new.get("status") {
            let mut with_status = stored.clone();
            set(&mut with_status, "status", status.clone());
            let written = server.kind.write(with_status, Action::UpdateStatus(stored), "");
            stored = server.taken(written).map_err(initial)?;
        }
        if patched.is_some() {
            let updated = now.write(stored.clone(), Action::Update(stored), "");
            stored = self.taken(updated).map_err(initial)?;
        }
        Ok(stored)
    }

    /// Checks that an object is stored as expected. Without an expectation, a custom resource must be stored as it was sent. The server
    /// sets something in nearly all objects of its own kinds.
    fn stored_as(&self, stored: &Value, expected: &str, sent: &str) -> Checked {
        match (expected.trim().is_empty(), self.kind.served()) {
            (false, _) => stored_as(stored, expected),
            (true, Some(_)) => stored_as(stored, sent),
            (true, None) => Ok(()),
        }
    }

    /// Returns an object as the server does after a conversion: without unknown fields, and with defaults. `None` if nothing can
    /// convert it.
    fn converted(&self, object: &Value, version: &str) -> Checked<Option<Value>> {
        Ok((self.convert)(object, version)?.map(|converted| as_read(self.kind, converted)))
    }

    /// Returns a stored object in a version.
    fn read_as(&self, object: &Value, version: &str) -> Checked<Value> {
        match self.kind.convert(object, version) {
            Err(why @ Refusal::Conversion(_)) => Ok(self.converted(object, version)?.ok_or(why)?),
            converted => Ok(converted?),
        }
    }

    /// Returns the old object for an update, in the version of the new one if a webhook converts it.
    fn old_for(&self, new: &Value, stored: Value) -> Checked<Value> {
        let version = version(new);
        match self.kind.convert(&stored, version) {
            Err(Refusal::Conversion(_)) => self.read_as(&stored, version),
            Ok(_) | Err(_) => Ok(stored),
        }
    }

    /// Returns the object that a client gets after a write: a webhook converts it to the stored version, and back. If nothing can
    /// convert it, the object stays in its own version.
    fn taken(&self, verdict: Verdict) -> Checked<Value> {
        if let (Some(Refusal::Conversion(_)), Some(prepared)) = (&verdict.undecided, &verdict.prepared)
            && verdict.errors.is_empty()
        {
            let stored = self.kind.crd().spec.versions.iter().find(|version| version.storage);
            let stored = stored.map_or("", |version| &version.name);
            return match self.converted(prepared, stored)? {
                Some(stored) => self.read_as(&stored, version(prepared)),
                None => Ok(prepared.clone()),
            };
        }
        let answer = verdict.message();
        verdict.result.filter(|_| verdict.errors.is_empty()).ok_or_else(|| Failure::from(answer))
    }

    /// Returns the stored object, or `None` if the server rejects it with an error that is expected under `key`.
    fn rejected(&self, verdict: Verdict, expected: &str, key: &'static str) -> Checked<Option<Value>> {
        let answer = verdict.message();
        let first = verdict.errors.first().map(|error| (key, error.text()));
        let is_accepted =
            verdict.errors.is_empty() && matches!(verdict.undecided, None | Some(Refusal::Conversion(_)));
        if expected.is_empty() {
            let failure = |Failure { why, .. }| Failure {
                why: format!("the server rejects the object: {why}"),
                actual: first,
            };
            return match is_accepted {
                true => self.taken(verdict).map(Some),
                false => self.taken(verdict).map(Some).map_err(failure),
            };
        }
        if is_accepted {
            let actual =
                self.taken(verdict).ok().map(|stored| (EXPECTED, as_expected(without_generated(stored))));
            return Err(Failure {
                why: format!("expected an error with: {expected}\nthe server accepts the object"),
                actual,
            });
        }
        match answer.contains(expected) {
            true => Ok(None),
            false => Err(Failure {
                why: format!("expected an error with: {expected}\nthe server's answer: {answer}"),
                actual: first,
            }),
        }
    }
}

/// The version in the `apiVersion` of an object.
fn version(object: &Value) -> &str {
    let api_version = object.text("apiVersion");
    GroupVersion::of(api_version).version
}

/// Parses an object of a suite. The server generates its name.
fn object(text: &str) -> Checked<Value> {
    let mut object =
        yaml::read_one(text.as_bytes()).map_err(|e| format!("the object is not valid YAML: {e}"))?.value;
    let Value::Map(map) = &mut object else {
        return Err("the text of the object is not a map of fields, such as `apiVersion: example.com/v1`"
            .to_owned()
            .into());
    };
    let metadata = map.entry_or_insert_with("metadata", || Value::Map(Map::new()));
    if let Value::Map(metadata) = metadata {
        metadata.insert("generateName", "test-".into());
        metadata.insert("namespace", "default".into());
    }
    Ok(object)
}

/// Copies the name and the namespace of another object.
fn take_name(object: &mut Value, other: &Value) {
    let metadata = other.get("metadata");
    for name in ["name", "namespace"] {
        let value = metadata.and_then(|m| m.get(name)).cloned();
        let own = object.as_map_mut().map(|o| o.entry_or_insert_with("metadata", || Value::Map(Map::new())));
        if let Some(Value::Map(own)) = own {
            match value {
                Some(value) => drop(own.insert(name, value)),
                None => drop(own.remove(name)),
            }
        }
    }
}

fn set(object: &mut Value, name: &str, value: Value) {
    if let Value::Map(map) = object {
        map.insert(name, value);
    }
}

/// Processes an object after conversion by a webhook, as the server does: drops unknown fields, and adds defaults.
fn as_read(kind: &CompiledKind, converted: Value) -> Value {
    let Some(mut out) = kind.create(&converted).prepared else { return converted };
    if let (Some(status), None) = (converted.get("status"), out.get("status")) {
        set(&mut out, "status", status.clone());
    }
    out
}

fn warns(verdict: &Verdict, expected: Option<&[String]>) -> Checked {
    let Some(expected) = expected else { return Ok(()) };
    let found: Vec<&str> = verdict.warnings.iter().map(String::as_str).collect();
    same_texts("warnings", WARNINGS, expected, &found)
}

fn same_texts(what: &str, key: &'static str, expected: &[String], found: &[&str]) -> Checked {
    if expected == found {
        return Ok(());
    }
    let all = Value::List(found.iter().map(|text| Value::from(*text)).collect());
    Err(Failure {
        why: format!(
            "expected {what}: {}\nfound: {}",
            or_none(expected.join(", ")),
            or_none(found.join(", "))
        ),
        actual: Some((key, json::to_string(&all))),
    })
}

fn or_none(list: String) -> String {
    if list.is_empty() { "none".to_owned() } else { list }
}

/// Checks that an object is stored as expected, apart from what the server fills in.
fn stored_as(stored: &Value, expected: &str) -> Checked {
    let mut expected = object(expected).map_err(|e| format!("expected: {}", e.why))?;
    take_name(&mut expected, stored);
    let (expected, stored) = (without_generated(expected), without_generated(stored.clone()));
    if expected == stored {
        return Ok(());
    }
    Err(Failure { why: difference(&expected, &stored), actual: Some((EXPECTED, as_expected(stored))) })
}

/// Formats an object as suites write it: without the name that the server generates.
fn as_expected(mut object: Value) -> String {
    if let Value::Map(map) = &mut object {
        let is_empty = map.get_mut("metadata").and_then(Value::as_map_mut).is_none_or(|metadata| {
            metadata.retain(|name, _| !matches!(name, "name" | "namespace"));
            metadata.is_empty()
        });
        if is_empty {
            map.remove("metadata");
        }
    }
    yaml::write_object(&object)
}

fn without_generated(mut object: Value) -> Value {
    const GENERATED: &[&str] = &[
        "creationTimestamp",
        "deletionGracePeriodSeconds",
        "deletionTimestamp",
        "generateName",
        "generation",
        "managedFields",
        "resourceVersion",
        "selfLink",
        "uid",
    ];
    if let Some(Value::Map(metadata)) = object.as_map_mut().and_then(|object| object.get_mut("metadata")) {
        metadata.retain(|name, _| !GENERATED.contains(&name));
    }
    object
}
