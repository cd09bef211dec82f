//! Deletes objects.

use super::Call;
use super::list::Page;
use crate::admission::Operation;
use crate::answer::Answer;
use crate::controllers::mark;
use crate::lifecycle::{self, FOREGROUND, ORPHAN, keeps};
use crate::meta;
use crate::registry::{ObjectType, Role};
use crate::request::{BodyError, DryRun, Expected, IGNORES_UNREADABLE};
use crate::status::{Details, Failure, Mistake, success};
use crate::store::{Object, Resource};
use crdgen_core::diag::Kind;
use crdgen_core::go;
use crdgen_core::value::{Map, Value};
use crdgen_kubernetes::decode::check_type_meta;
use std::fmt;
use std::sync::Arc;

/// What happens to the objects that the deleted one owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Propagation {
    Background,
    Foreground,
    Orphan,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Options {
    /// What the client wants.
    propagation: Option<Propagation>,
    uid: Option<String>,
    version: Option<String>,
    /// How many seconds the containers of a pod get to end.
    grace: Option<i64>,
    pub(super) dry_run: DryRun,
    /// Whether an object should be deleted that the server cannot read.
    ignores_unreadable: bool,
}

/// What becomes of an object that is deleted.
pub(super) enum Deletion {
    /// Something keeps it. It is stored with the mark of its deletion.
    Stays(Value),
    /// It is removed. Pods are stored with the mark first.
    Goes(Option<Value>),
}

impl Deletion {
    /// The object with the mark, if it is stored with it.
    fn marked(&self) -> Option<&Value> {
        match self {
            Deletion::Stays(object) => Some(object),
            Deletion::Goes(last) => last.as_ref(),
        }
    }
}

/// Why an object is not the one that a client means.
#[derive(Debug)]
pub(super) enum Other<'o> {
    /// It has another uid.
    Uid { wanted: &'o str, found: &'o str },
    /// It has changed.
    Version { wanted: &'o str, found: &'o str },
}

impl fmt::Display for Other<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, wanted, found, end) = match self {
            Other::Uid { wanted, found } => ("UID", wanted, found, "deleted and then recreated"),
            Other::Version { wanted, found } => ("ResourceVersion", wanted, found, "modified"),
        };
        write!(
            f,
            "the {what} in the precondition ({wanted}) does not match the {what} in record ({found}). The object might have been {end}"
        )
    }
}

impl Options {
    /// Whether the client means another object, or another state of it.
    pub(super) fn other<'o>(&'o self, live: &'o Value) -> Option<Other<'o>> {
        let (uid, version) = (meta::text(live, "uid"), meta::text(live, "resourceVersion"));
        let other_uid = self.uid.as_deref().filter(|wanted| *wanted != uid);
        let other_version = self.version.as_deref().filter(|wanted| *wanted != version);
        let is_other = other_uid.map(|wanted| Other::Uid { wanted, found: uid });
        is_other.or_else(|| other_version.map(|wanted| Other::Version { wanted, found: version }))
    }
    /// The options in a body.
    pub(super) fn of_body(body: &Value, in_query: DryRun) -> Result<Options, Failure> {
        let orphan = body.get("orphanDependents").and_then(Value::as_bool);
        let policy = body.text("propagationPolicy");
        if orphan.is_some() && !policy.is_empty() {
            let why =
                format!("{}: orphanDependents and deletionPropagation cannot be both set", go::quote(policy));
            let mistake = Mistake::new("propagationPolicy", Kind::Invalid, why);
            return Err(Failure::invalid_option("DeleteOptions", mistake));
        }
        let propagation = match (policy, orphan) {
            ("", None) => None,
            ("", Some(true)) | ("Orphan", _) => Some(Propagation::Orphan),
            ("Foreground", _) => Some(Propagation::Foreground),
            ("", Some(false)) | ("Background", _) => Some(Propagation::Background),
            (other, _) => {
                let why = format!(
                    "{}: supported values: \"Foreground\", \"Background\", \"Orphan\", \"nil\"",
                    go::quote(other)
                );
                let mistake = Mistake::new("propagationPolicy", Kind::NotSupported, why);
                return Err(Failure::invalid_option("DeleteOptions", mistake));
            }
        };
        let conditions = body.get("preconditions");
        let text = |name: &str| conditions?.get(name)?.as_str().map(str::to_owned);
        let stages = body.get("dryRun").and_then(Value::as_list).unwrap_or_default();
        let in_body = DryRun::of(stages.iter().filter_map(Value::as_str), "DeleteOptions")?;
        Ok(Options {
            propagation,
            uid: text("uid"),
            version: text("resourceVersion"),
            grace: body.get("gracePeriodSeconds").and_then(Value::as_int),
            dry_run: if in_body == DryRun::All { in_body } else { in_query },
            ignores_unreadable: ignores_unreadable(body)?,
        })
    }
}

/// Whether the options ask to delete an object that the server cannot read. Few other options go with that.
fn ignores_unreadable(body: &Value) -> Result<bool, Failure> {
    if body.get(IGNORES_UNREADABLE).and_then(Value::as_bool) != Some(true) {
        return Ok(false);
    }
    let others = ["propagationPolicy", "gracePeriodSeconds", "preconditions", "orphanDependents"];
    let found = others.into_iter().filter(|name| body.get(name).is_some_and(|value| !value.is_null()));
    let mistakes: Vec<Mistake> =
        found.map(|name| unreadable_mistake(&format!("cannot be set together with .{name}"))).collect();
    Failure::check_options("DeleteOptions", &mistakes).map(|()| true)
}

fn unreadable_mistake(why: &str) -> Mistake {
    Mistake::new(IGNORES_UNREADABLE, Kind::Invalid, format!("true: {why}"))
}

/// The namespaces that a cluster always has.
const IMMORTAL: [&str; 3] = ["default", "kube-public", "kube-system"];

impl Call<'_> {
    pub(super) fn delete(&mut self) -> Result<Answer, Failure> {
        let options = self.options()?;
        let is_permission = matches!(self.kind.role, Role::Permissions | Role::PermissionBinding);
        if options.ignores_unreadable && is_permission {
            let why = format!("no unsafe deleter provided, can not honor {IGNORES_UNREADABLE}");
            return Err(Failure::internal(why));
        }
        if options.propagation.is_none() && self.usual_propagation() == Propagation::Orphan {
            let why = "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set \
                       propagationPolicy=Orphan to suppress this warning";
            self.warnings.push(why.to_owned());
        }
        let live = self.live()?;
        if options.ignores_unreadable {
            return Err(self.is_readable());
        }
        // The server reads the object in the version of the request, also if it does not return it.
        let read = self.shown(&live);
        self.ready()?;
        let read = read?;
        let Resource { plural, group } = self.kind.resource.clone();
        if let Some(other) = options.other(&live) {
            let (kind, name) = (&self.kind.names.kind, &self.path.name);
            return Err(Failure::conflict(kind, &group, name, &other.to_string()));
        }
        if self.kind.role == Role::Namespace && IMMORTAL.contains(&self.path.name.as_str()) {
            let why = "this namespace may not be deleted";
            return Err(Failure::forbidden(&plural, &group, &self.path.name, why));
        }
        self.admit_deletion(&live, &self.path.name, &options)?;
        let deletion = self.deletion(&live, &options);
        let marked = deletion.marked();
        let shown = marked.map(|marked| self.hooks.read_value(&self.kind, marked, &self.path.version));
        let shown: Option<Value> = shown.transpose()?;
        self.ready()?;
        let version = self.delete_one(&live, deletion, &options);
        let shown = match shown {
            None if self.kind.returns_deleted() => Some(Value::clone(&read)),
            shown => shown,
        };
        match shown {
            Some(mut shown) => {
                meta::set(&mut shown, "resourceVersion", Some(version.into()));
                self.one(200, shown)
            }
            None => Ok(Answer::value(success(&Details {
                name: self.path.name.clone(),
                group: group.to_string(),
                kind: plural.to_string(),
                uid: meta::text(&live, "uid").to_owned(),
                ..Details::default()
            }))),
        }
    }

    /// The failure for an object that should be deleted because it cannot be read: here all objects can be.
    fn is_readable(&self) -> Failure {
        let Resource { plural, group } = &self.kind.resource;
        let why = format!(
            "StorageError: invalid object, Code: 4, Key: /registry/{}, ResourceVersion: 0, AdditionalErrorMsg: unsafe \
             deletion is not allowed because the object is decodable from storage",
            self.place()
        );
        Failure::conflict(plural, group, &self.path.name, &why)
    }

    pub(super) fn delete_collection(&mut self) -> Result<Answer, Failure> {
        let options = self.options()?;
        if options.ignores_unreadable {
            let why = "is not allowed with DELETECOLLECTION, try again after removing the option";
            return Err(Failure::invalid_option("DeleteOptions", unreadable_mistake(why)));
        }
        let Page { objects, revision, rest } = self.page()?;
        let (lives, deleted): (Vec<_>, Vec<_>) = objects.into_iter().unzip();
        // All webhooks are asked about all objects at once.
        for live in &lives {
            // The server names none of them.
            let admitted = self.admit_deletion(live, "", &options);
            if !self.hooks.is_waiting() {
                admitted?;
            }
        }
        self.ready()?;
        for live in &lives {
            let deletion = self.deletion(live, &options);
            self.delete_one(live, deletion, &options);
        }
        self.many(deleted, revision, rest)
    }

    /// Asks webhooks about the deletion of an object.
    fn admit_deletion(&mut self, live: &Arc<Object>, name: &str, options: &Options) -> Result<(), Failure> {
        if !self.is_asked_about() {
            return Ok(());
        }
        let old = self.shown(live)?;
        let mut admission = self.admission(Operation::Delete, name);
        admission.attributes.dry_run = options.dry_run == DryRun::All;
        self.mean_this(live, &mut admission.attributes.options);
        admission.mutate(None, Some(&old));
        let denied = admission.take_failure().or_else(|| admission.validate(None, Some(&old)).err());
        let warnings = admission.warnings.take();
        self.ready()?;
        self.warnings.extend(warnings);
        denied.map_or(Ok(()), Err)
    }

    /// Namespaces and CRDs take others with them, so the server deletes none of the same name that comes later. Webhooks see that.
    fn mean_this(&self, live: &Value, options: &mut Value) {
        let Value::Map(options) = options else { return };
        if !matches!(self.kind.role, Role::Definition | Role::Namespace) {
            return;
        }
        if let Value::Map(conditions) =
            options.entry_or_insert_with("preconditions", || Value::Map(Map::new()))
        {
            conditions.entry_or_insert_with("uid", || meta::text(live, "uid").into());
        }
    }

    /// What happens to dependents if the client does not choose. Pods of jobs stay, as in the first version of jobs.
    fn usual_propagation(&self) -> Propagation {
        let is_job = self.kind.resource == Resource::new("batch", "jobs");
        if is_job { Propagation::Orphan } else { Propagation::Background }
    }

    /// What becomes of an object when it is deleted.
    pub(super) fn deletion(&self, live: &Arc<Object>, options: &Options) -> Deletion {
        let resource = self.resource();
        let mut finalizers: Vec<String> = meta::finalizers(live).into_iter().map(str::to_owned).collect();
        let marked = finalizers.iter().find_map(|name| match name.as_str() {
            FOREGROUND => Some(Propagation::Foreground),
            ORPHAN => Some(Propagation::Orphan),
            _ => None,
        });
        finalizers.retain(|name| name != FOREGROUND && name != ORPHAN);
        match options.propagation.or(marked).unwrap_or(self.usual_propagation()) {
            Propagation::Background => {}
            Propagation::Foreground => finalizers.push(FOREGROUND.to_owned()),
            Propagation::Orphan => finalizers.push(ORPHAN.to_owned()),
        }
        let clock = &self.state.clock;
        let grace = lifecycle::grace(&resource, live, options.grace);
        let keeps = !finalizers.is_empty() || keeps(&resource, live) || grace.is_some();
        if !keeps {
            return Deletion::Goes(lifecycle::last_of_pod(&resource, live, clock));
        }
        let mut object = Value::clone(live);
        meta::set_finalizers(&mut object, finalizers);
        if !meta::is_deleting(&object) || lifecycle::pending_grace(&object) > grace.unwrap_or_default() {
            lifecycle::mark_deleted(&mut object, clock, grace.unwrap_or_default());
        }
        mark(&resource, &mut object);
        Deletion::Stays(object)
    }

    /// Deletes an object, or stores it with its mark if something keeps it. Returns its version.
    pub(super) fn delete_one(&mut self, live: &Arc<Object>, deletion: Deletion, options: &Options) -> String {
        let resource = self.resource();
        let version = || meta::text(live, "resourceVersion").to_owned();
        match deletion {
            _ if options.dry_run == DryRun::All => version(),
            Deletion::Stays(kept) if kept == ***live => version(),
            Deletion::Stays(kept) => {
                meta::text(&self.state.put(&resource, kept), "resourceVersion").to_owned()
            }
            Deletion::Goes(last) => {
                self.state.delete(&resource, live, last);
                self.state.store.revision().to_string()
            }
        }
    }

    /// The options in the body. Null if there are none.
    pub(super) fn deletion_options(&self) -> Result<Value, Failure> {
        if self.request.body.is_empty() {
            return Ok(Value::Null);
        }
        let expected = Expected { api_version: "meta.k8s.io/v1", kind: "DeleteOptions" };
        self.request.check_body().map_err(BodyError::for_options)?;
        let value = match self.request.read_body(expected) {
            Ok(body) => body.value,
            Err(BodyError::Undecodable { api_version, kind, .. }) if kind != expected.kind => {
                return Err(Failure::bad_request(ObjectType { api_version, kind }.unknown()));
            }
            Err(why) => return Err(why.for_options()),
        };
        if !value.is_null() {
            check_type_meta(&value).map_err(|why| Failure::bad_request(why.to_string()))?;
        }
        Ok(value)
    }

    /// The options in the body or, without a body, those in the query.
    fn options(&self) -> Result<Options, Failure> {
        let query = &self.request.query;
        let body = self.deletion_options()?;
        if !self.request.body.is_empty() {
            let found = ObjectType::of(&body);
            if !matches!(found.kind.as_str(), "" | "DeleteOptions") {
                return Err(Failure::bad_request(found.unknown()));
            }
            return Options::of_body(&body, DryRun::No);
        }
        let mut options = Map::new();
        for (name, value) in [
            ("propagationPolicy", query.propagation_policy.as_deref().map(Value::from)),
            ("orphanDependents", query.orphan_dependents.map(Value::Bool)),
            ("gracePeriodSeconds", query.grace.map(Value::Int)),
            (IGNORES_UNREADABLE, query.ignores_unreadable.map(Value::Bool)),
        ] {
            if let Some(value) = value {
                options.insert(name, value);
            }
        }
        Options::of_body(&Value::Map(options), query.dry_run)
    }
}
