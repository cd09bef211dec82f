//! Checks object metadata by the rules that apply to objects of all kinds.

use crate::diag::codes::crd::{
    ANNOTATION, ANNOTATIONS_SIZE, FINALIZER, GENERATION, LABEL, METADATA_IMMUTABLE, NAMESPACE, OBJECT_NAME,
    OWNER,
};
use crate::diag::{BadValue, Diag, Diags, Kind};
use crate::go;
use crate::ir::{Metadata, OwnerReference};
use crate::names;
use crate::path::{Path, Step};
use crate::server::Server;
use crate::value::{Map, Value};
use std::collections::HashSet;

/// The first version that declares some checks of metadata in the types.
const DECLARED_SINCE: u32 = 38;

/// The maximum size of all annotations together, in bytes.
pub const MAX_ANNOTATIONS: usize = 256 * 1024;

/// What a name is checked as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameForm {
    /// The complete name.
    Whole,
    /// `generateName`, to which the server appends something.
    Prefix,
}

/// A function that returns what is wrong with a name.
pub type NameCheck<'a> = &'a dyn Fn(&str, NameForm) -> Vec<String>;

/// Returns what is wrong with the name of an object that is a segment of a path.
pub fn path_segment(name: &str, form: NameForm) -> Vec<String> {
    match form {
        NameForm::Whole => names::path_segment(name),
        NameForm::Prefix => names::path_segment_prefix(name),
    }
}

/// Returns what is wrong with the name of an object that is a DNS subdomain.
pub fn subdomain(name: &str, form: NameForm) -> Vec<String> {
    match form {
        NameForm::Whole => names::dns1123_subdomain(name),
        NameForm::Prefix => names::dns1123_subdomain(&names::mask_trailing_dash(name)),
    }
}

/// Whether the objects of a kind are in namespaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// They are not.
    Cluster,
    /// Each is in one.
    Namespaced,
}

impl Scope {
    /// Returns `Namespaced` if a condition is true.
    pub fn namespaced_if(is_namespaced: bool) -> Scope {
        if is_namespaced { Scope::Namespaced } else { Scope::Cluster }
    }
}

/// What the metadata of all objects of a kind must have.
#[derive(Clone, Copy)]
pub struct MetadataRules<'a> {
    /// Whether they are in namespaces.
    pub scope: Scope,
    /// The check of their names.
    pub name: NameCheck<'a>,
}

/// Checks the metadata of an object that is written. Managed fields are not checked, because only the server writes
/// them.
pub fn validate(
    metadata: &Metadata,
    rules: MetadataRules<'_>,
    at: &Path<'_>,
    server: Server,
    out: &mut Diags,
) {
    let MetadataRules { scope, name } = rules;
    let Metadata {
        name: own_name,
        generate_name,
        namespace,
        self_link: _,
        uid: _,
        resource_version: _,
        generation,
        creation_timestamp: _,
        deletion_timestamp: _,
        deletion_grace_period_seconds: _,
        labels: _,
        annotations: _,
        owner_references: _,
        finalizers,
        managed_fields: _,
    } = metadata;
    let name_help = "write lower-case letters, digits, dashes and dots";
    if !generate_name.is_empty() {
        for error in name(generate_name, NameForm::Prefix) {
            let path = at.child("generateName");
            out.push(Diag::invalid(&OBJECT_NAME, &path, generate_name.as_str(), error).help(name_help));
        }
    }
    let path = at.child("name");
    if own_name.is_empty() {
        out.push(missing_name(&path));
    } else {
        for error in name(own_name, NameForm::Whole) {
            out.push(Diag::invalid(&OBJECT_NAME, &path, own_name.as_str(), error).help(name_help));
        }
    }
    let path = at.child("namespace");
    let namespaced = scope == Scope::Namespaced;
    if !namespaced && !namespace.is_empty() {
        let detail = "not allowed on this type";
        out.push(Diag::forbidden(&NAMESPACE, &path, detail).help("remove the namespace"));
    } else if namespaced && namespace.is_empty() {
        out.push(Diag::required(&NAMESPACE, &path, "").help("add the namespace"));
    } else if namespaced {
        for error in names::dns1123_label(namespace) {
            let help = "write lower-case letters, digits and dashes";
            out.push(Diag::invalid(&NAMESPACE, &path, namespace.as_str(), error).help(help));
        }
    }
    check_generation(*generation, at, out);
    check_annotated(metadata, at, server, out);
    check_finalizers(finalizers, &at.child("finalizers"), server, out);
}

/// Runs a check of the metadata of a CRD or of a custom resource. Since 1.37, the server reports each text once, for example if two
/// labels have the same wrong value.
pub fn distinct(server: Server, out: &mut Diags, check: impl FnOnce(&mut Diags)) {
    distinct_of(server, false, out, check);
}

/// Like [`distinct`] with [`validate_update`].
pub fn distinct_update(new: &Metadata, old: &Metadata, at: &Path<'_>, server: Server, out: &mut Diags) {
    let owners = |all: &[OwnerReference]| all.iter().map(owner_value).collect::<Vec<_>>();
    // The checks that are declared in the types do not run again on owners that have not changed.
    let same_owners = owners(&new.owner_references) == owners(&old.owner_references);
    distinct_of(server, same_owners, out, |out| validate_update(new, old, at, server, out));
}

fn distinct_of(server: Server, same_owners: bool, out: &mut Diags, check: impl FnOnce(&mut Diags)) {
    let mut found = Diags::new();
    check(&mut found);
    let mut seen = HashSet::new();
    if !server.is_before(DECLARED_SINCE) {
        found.iter_mut().for_each(|error| declared(error, same_owners));
    }
    found.retain(|error| server.is_before(37) || seen.insert(error.text()));
    out.extend(found);
}

/// Changes an error of a check that the server declares in the types to the words of such a check.
fn declared(error: &mut Diag, same_owners: bool) {
    let is_checked_by_code = || error.field.ends_with(".name") || error.field.ends_with(".namespace");
    if error.code == &OWNER && error.kind == Some(Kind::Required) && !same_owners {
        error.detail.clear();
    } else if error.code == &METADATA_IMMUTABLE && !is_checked_by_code() {
        error.bad = Some(BadValue::Plain(Value::Null));
    }
}

/// The error about an object without a name. `path` is that of the name.
pub(crate) fn missing_name(path: &Path<'_>) -> Diag {
    Diag::required(&OBJECT_NAME, path, "name or generateName is required").help("add `name`")
}

/// Checks the metadata of an object that replaces `old`. The names of both must have been checked before.
pub fn validate_update(new: &Metadata, old: &Metadata, at: &Path<'_>, server: Server, out: &mut Diags) {
    let Metadata {
        name,
        generate_name: _,
        namespace,
        self_link: _,
        uid,
        resource_version: _,
        generation,
        creation_timestamp,
        deletion_timestamp,
        deletion_grace_period_seconds: grace,
        labels: _,
        annotations: _,
        owner_references: _,
        finalizers,
        managed_fields: _,
    } = new;
    if !old.deletion_timestamp.is_null() {
        let known: HashSet<&String> = old.finalizers.iter().collect();
        let mut extra: Vec<&String> = finalizers.iter().filter(|f| !known.contains(f)).collect();
        extra.sort_unstable();
        extra.dedup();
        if !extra.is_empty() {
            let list: Vec<String> = extra.iter().map(|f| go::quote(f)).collect();
            let detail = format!(
                "no new finalizers can be added if the object is being deleted, found new finalizers []string{{{}}}",
                list.join(", ")
            );
            let path = at.child("finalizers");
            out.push(Diag::forbidden(&FINALIZER, &path, detail).help("remove the new finalizers"));
        }
    }
    // Older servers check the sign only when they validate the metadata itself.
    if !server.is_before(37) {
        check_generation(*generation, at, out);
    }
    if *generation < old.generation {
        let detail = match *generation == 0 && !server.is_before(DECLARED_SINCE) {
            true => "field cannot be cleared once set",
            false => "must not be decremented",
        };
        let path = at.child("generation");
        out.push(Diag::invalid(&GENERATION, &path, *generation, detail).help("leave it out"));
    }
    let seconds = |s: Option<i64>| BadValue::Json(s.map_or(Value::Null, Value::Int));
    let json = |value: &Value| BadValue::Json(value.clone());
    let time = |value: &Value| BadValue::Time(value.clone());
    let fixed = [
        ("name", BadValue::from(name.as_str()), BadValue::from(old.name.as_str())),
        ("namespace", namespace.as_str().into(), old.namespace.as_str().into()),
        ("uid", json(&uid.as_str().into()), json(&old.uid.as_str().into())),
        ("creationTimestamp", time(creation_timestamp), time(&old.creation_timestamp)),
        ("deletionTimestamp", time(deletion_timestamp), time(&old.deletion_timestamp)),
        ("deletionGracePeriodSeconds", seconds(*grace), seconds(old.deletion_grace_period_seconds)),
    ];
    for (field, new, _) in fixed.into_iter().filter(|(_, new, old)| new != old) {
        let diag = Diag::invalid(&METADATA_IMMUTABLE, &at.child(field), new, "field is immutable");
        out.push(diag.help("keep the old value"));
    }
    check_annotated(new, at, server, out);
}

fn check_generation(generation: i64, at: &Path<'_>, out: &mut Diags) {
    if generation < 0 {
        let detail = "must be greater than or equal to 0";
        let diag = Diag::invalid(&GENERATION, &at.child("generation"), generation, detail);
        out.push(diag.help("leave it out"));
    }
}

/// Labels, annotations and owners.
fn check_annotated(metadata: &Metadata, at: &Path<'_>, server: Server, out: &mut Diags) {
    check_labels(&metadata.labels, &at.child("labels"), server, out);
    check_annotations(&metadata.annotations, &at.child("annotations"), server, out);
    check_owners(&metadata.owner_references, &at.child("ownerReferences"), server, out);
}

/// The server reports the field that contains all labels. The steps point to the one label.
fn entry(mut diag: Diag, key: &str) -> Diag {
    diag.steps.push(Step::Key(key.to_owned()));
    diag
}

/// Returns what is wrong with a qualified name, in the server's words.
pub fn qualified_name(key: &str, server: Server) -> Vec<String> {
    if server.is_before(35) { names::qualified_name_before_35(key) } else { names::qualified_name(key) }
}

fn label_value(value: &str, server: Server) -> Vec<String> {
    if server.is_before(35) { names::label_value_before_35(value) } else { names::label_value(value) }
}

/// Checks labels.
pub fn check_labels(labels: &Map<String>, at: &Path<'_>, server: Server, out: &mut Diags) {
    let help = "write at most 63 letters, digits, dashes, underscores and dots";
    for (key, value) in labels.iter() {
        for error in qualified_name(key, server) {
            out.push(entry(Diag::invalid(&LABEL, at, key, error).help(help), key));
        }
        for error in label_value(value, server) {
            out.push(entry(Diag::invalid(&LABEL, at, value.as_str(), error).help(help), key));
        }
    }
}

/// Checks annotations.
pub fn check_annotations(annotations: &Map<String>, at: &Path<'_>, server: Server, out: &mut Diags) {
    for (key, _) in annotations.iter() {
        for error in qualified_name(&key.to_lowercase(), server) {
            let help = "write the key as name or example.com/name";
            out.push(entry(Diag::invalid(&ANNOTATION, at, key, error).help(help), key));
        }
    }
    let size: usize = annotations.iter().map(|(key, value)| key.len() + value.len()).sum();
    if size > MAX_ANNOTATIONS {
        out.push(
            Diag::too_long(&ANNOTATIONS_SIZE, at, MAX_ANNOTATIONS as i64).help(
                "use `kubectl apply --server-side`, which keeps no copy of the object in an annotation",
            ),
        );
    }
}

fn check_finalizers(finalizers: &[String], at: &Path<'_>, server: Server, out: &mut Diags) {
    const BOTH: [&str; 2] = ["orphan", "foregroundDeletion"];
    for (i, finalizer) in finalizers.iter().enumerate() {
        for error in qualified_name(finalizer, server) {
            let help = "write it as example.com/name";
            let mut diag = Diag::invalid(&FINALIZER, at, finalizer.as_str(), error).help(help);
            diag.steps.push(Step::Index(i));
            out.push(diag);
        }
    }
    if BOTH.iter().all(|name| finalizers.iter().any(|f| f == name)) {
        let detail = "finalizer orphan and foregroundDeletion cannot be both set";
        let all = BadValue::Strings(Some(finalizers.to_vec()));
        out.push(Diag::invalid(&FINALIZER, at, all, detail).help("remove one of them"));
    }
}

/// The greatest number of errors about more than one controller. Each contains all owners.
const MAX_CONTROLLERS: usize = 10;

fn check_owners(owners: &[OwnerReference], at: &Path<'_>, server: Server, out: &mut Diags) {
    let mut controller: Option<String> = None;
    let mut errors = 0;
    for (i, owner) in owners.iter().enumerate() {
        if server.is_before(37) {
            check_owner_before_37(owner, at, server, out);
        } else {
            check_owner(owner, &at.index(i), out);
        }
        if owner.controller != Some(true) {
            continue;
        }
        let name = format!("{}/{}", owner.kind, owner.name);
        match &controller {
            None => controller = Some(name),
            // The server also repeats the whole list in all other errors.
            Some(_) if errors == MAX_CONTROLLERS => {}
            Some(first) => {
                errors += 1;
                let detail = format!(
                    "Only one reference can have Controller set to true. Found \"true\" in references for {first} and {name}"
                );
                let all = BadValue::List(owners.iter().map(owner_value).collect());
                out.push(
                    Diag::invalid(&OWNER, at, all, detail)
                        .help("write `controller: false` at all owners but one"),
                );
            }
        }
    }
}

fn check_owner(owner: &OwnerReference, at: &Path<'_>, out: &mut Diags) {
    let OwnerReference { api_version, kind, name, uid, controller: _, block_owner_deletion: _ } = owner;
    let (path, slashes) = (at.child("apiVersion"), api_version.matches('/').count());
    if api_version.is_empty() {
        out.push(Diag::required(&OWNER, &path, "must not be empty").help("add `apiVersion`"));
    } else if slashes > 1 || api_version.ends_with('/') {
        let detail = "must be <group>/<version> or <version>";
        out.push(
            Diag::invalid(&OWNER, &path, api_version.as_str(), detail).help("write `apiVersion: apps/v1`"),
        );
    }
    for (field, _) in [("kind", kind), ("name", name), ("uid", uid)].into_iter().filter(|(_, t)| t.is_empty())
    {
        let diag = Diag::required(&OWNER, &at.child(field), "must not be empty");
        out.push(diag.help(format!("add `{field}`")));
    }
    check_owner_kind(owner, at, out);
}

/// The same check before 1.37, with another message and without the index of the owner.
fn check_owner_before_37(owner: &OwnerReference, at: &Path<'_>, server: Server, out: &mut Diags) {
    let OwnerReference { api_version, kind, name, uid, controller: _, block_owner_deletion: _ } = owner;
    if api_version.is_empty() || api_version.matches('/').count() > 1 || api_version.ends_with('/') {
        let detail = "version must not be empty";
        let diag = Diag::invalid(&OWNER, &at.child("apiVersion"), api_version.as_str(), detail);
        out.push(diag.help("write `apiVersion: apps/v1`"));
    }
    for (field, bad) in [
        ("kind", BadValue::from(kind.as_str())),
        ("name", BadValue::from(name.as_str())),
        ("uid", BadValue::Json(uid.as_str().into())),
    ] {
        if bad.to_value().as_str() == Some("") {
            let name = if server.is_before(34) { format!("{field} ") } else { String::new() };
            let diag = Diag::invalid(&OWNER, &at.child(field), bad, format!("{name}must not be empty"));
            out.push(diag.help(format!("add `{field}`")));
        }
    }
    check_owner_kind(owner, at, out);
}

/// Rejects events as owners.
fn check_owner_kind(owner: &OwnerReference, at: &Path<'_>, out: &mut Diags) {
    if owner.api_version == "v1" && owner.kind == "Event" {
        let detail = "/v1, Kind=Event is disallowed from being an owner";
        out.push(Diag::invalid(&OWNER, at, owner_value(owner), detail).help("remove the reference"));
    }
}

/// An owner as the server prints it in messages.
fn owner_value(owner: &OwnerReference) -> BadValue {
    let OwnerReference { api_version, kind, name, uid, controller, block_owner_deletion } = owner;
    let texts = [("apiVersion", api_version), ("kind", kind), ("name", name), ("uid", uid)];
    let flags = [("controller", controller), ("blockOwnerDeletion", block_owner_deletion)];
    let texts = texts.into_iter().map(|(key, text)| (key, text.as_str().into()));
    let flags = flags.into_iter().filter_map(|(key, flag)| Some((key, (*flag)?.into())));
    BadValue::Struct(texts.chain(flags).collect())
}

#[cfg(test)]
mod tests {
    use super::{check_labels, distinct};
    use crate::diag::Diags;
    use crate::path::Path;
    use crate::server::Server;

    #[test]
    fn the_same_mistake_is_reported_once_since_1_37() {
        let labels = [("a", "b c"), ("b", "b c"), ("c", "-x")];
        let labels = labels.map(|(key, value)| (key.to_owned(), value.to_owned())).into_iter().collect();
        for (server, expected) in [(Server::NEWEST, 2), (Server::of(36), 3)] {
            let mut out = Diags::new();
            distinct(server, &mut out, |out| check_labels(&labels, &Path::ROOT, server, out));
            assert_eq!(out.len(), expected, "{out:?}");
        }
    }
}
