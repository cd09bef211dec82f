//! Writes of objects as a server without a cluster answers them: no admission, and nothing else exists.

use crate::finish::{Around, finish, stamped};
use crate::kinds::{Row, Subresource, api_version};
use crate::mistake::Mistake;
use crate::number::parse_uint;
use crate::services::{NotGiven, Used};
use crate::subject::Subject;
use crate::{meta, names};
use crdgen_core::apply::library::manager::Rejection;
use crdgen_core::apply::{self, BuiltIn, Hooks, Rejected, Verb};
use crdgen_core::diag::{Diags, Kind, codes};
use crdgen_core::object::write::NOW;
use crdgen_core::server::{self, Server};
use crdgen_core::value::{Map, Value};
use crdgen_core::{GroupVersion, go};
use std::cell::RefCell;

/// A write of an object.
#[derive(Clone, Debug)]
pub struct Write<'w> {
    /// The kind.
    pub row: &'static Row,
    /// The version of the request.
    pub version: &'static str,
    /// The subresource that is written, if it is one.
    pub subresource: Option<Subresource>,
    /// What the client sends.
    pub object: Value,
    /// The stored object that the write replaces. `None` to create one.
    pub old: Option<Value>,
    /// The namespace of the request. Empty for that of the object.
    pub namespace: &'w str,
    /// Who applies the object. `None` if the client sends all of it.
    pub applied: Option<Applied<'w>>,
    /// The server.
    pub server: Server,
}

/// A server-side apply.
#[derive(Clone, Copy, Debug)]
pub struct Applied<'w> {
    /// The name of the manager.
    pub manager: &'w str,
    /// Whether it takes fields from other managers.
    pub force: bool,
    /// The time.
    pub now: &'w str,
}

/// What the server answers.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The unknown fields in what the client sends.
    pub unknown: Vec<String>,
    /// The warnings, without those about unknown fields.
    pub warnings: Vec<Mistake>,
    /// The object that the server stores. It has the owners of fields only if it is applied.
    pub stored: Option<Value>,
    /// Why there is none.
    pub rejected: Option<Rejected>,
}

/// The user of these writes.
const USER: &str = "admin";
/// The uid of what they store.
const UID: &str = "00000000-0000-0000-0000-000000000001";
/// The address after which free ones are looked for.
const ADDRESS: u64 = 16;

impl Write<'_> {
    /// Returns the server's answer.
    pub fn answer(self) -> Answer {
        let namespace = self.namespace().to_owned();
        Write { namespace: &namespace, ..self }.answered()
    }

    /// The namespace of the request: without one, that of the objects.
    fn namespace(&self) -> &str {
        let is_namespaced = self.row.built_in(self.version).is_some_and(BuiltIn::namespaced);
        let of_objects = self.old.iter().chain([&self.object]).map(|it| meta::text(it, "namespace"));
        let mut all = [self.namespace].into_iter().chain(of_objects).filter(|it| !it.is_empty());
        if is_namespaced { all.next().unwrap_or("default") } else { "" }
    }

    fn answered(mut self) -> Answer {
        let mut answer = Answer::default();
        let deprecated = |text| Mistake { code: &codes::object::DEPRECATED_KIND, ..about_object(text) };
        answer.warnings.extend(self.row.deprecated.map(deprecated));
        match self.old.take() {
            None => names::generate(self.row.kind, &mut self.object, UID),
            Some(old) => {
                let old = self.stored_before(old);
                // Clients such as kubectl send the version that they have just read.
                let version =
                    self.object.get("metadata").and_then(|metadata| metadata.get("resourceVersion"));
                if version.is_none_or(|version| version.is_null() || version.as_str() == Some("")) {
                    meta::set(
                        &mut self.object,
                        "resourceVersion",
                        Some(meta::text(&old, "resourceVersion").into()),
                    );
                }
                self.old = Some(old);
            }
        }
        match self.made(&mut answer) {
            Ok(stored) => answer.stored = Some(stored),
            Err(why) => answer.rejected = Some(why),
        }
        answer
    }

    /// The object that was there. One without a uid and owners was not stored yet: it becomes what the server makes of it, with its
    /// status.
    fn stored_before(&self, mut old: Value) -> Value {
        let has_uid = !meta::text(&old, "uid").is_empty();
        let revision = meta::text(&old, "resourceVersion").to_owned();
        let status = old.get("status").cloned();
        let version = api_version(self.row.group, self.version);
        let version = self
            .row
            .version_of(old.text("apiVersion"))
            .map_or(version, |found| api_version(self.row.group, found));
        let is_new = !has_uid && !meta::has(&old, "managedFields");
        if is_new && let Some(version) = self.row.version_of(&version) {
            let (object, applied) = (old.clone(), None);
            let write = Write { version, subresource: None, object, old: None, applied, ..self.clone() };
            let created = write.made(&mut Answer::default());
            let is_created = created.is_ok();
            old = created.unwrap_or(old);
            if let (Value::Map(map), Some(status), true) = (&mut old, status, is_created) {
                map.insert("status", status);
            }
            if let Ok(of) = self.of() {
                old = of.decode(old).0;
                of.set_defaults(&mut old);
            }
        }
        if let Some(stored) = self.row.stored().and_then(|of| of.convert(&old)) {
            old = stored;
        }
        let sent = |name| Some(meta::text(&self.object, name)).filter(|text| !text.is_empty());
        for (name, own, text) in [("uid", "", UID), ("resourceVersion", revision.as_str(), "1")] {
            let known = Some(own).filter(|own| !own.is_empty());
            if meta::text(&old, name).is_empty() || !has_uid {
                meta::set(&mut old, name, Some(known.or(sent(name)).unwrap_or(text).into()));
            }
        }
        for (name, text) in [("creationTimestamp", NOW), ("namespace", self.namespace)] {
            if meta::text(&old, name).is_empty() && !text.is_empty() {
                meta::set(&mut old, name, Some(text.into()));
            }
        }
        old
    }

    fn of(&self) -> Result<BuiltIn, Rejected> {
        let missing = || Rejected::NotFound("the server could not find the requested resource".to_owned());
        self.row.built_in(self.version).ok_or_else(missing)
    }

    fn invalid(&self, mistakes: &[Mistake]) -> Rejected {
        let errors: Diags = mistakes.iter().map(Mistake::diag).collect();
        let (kind, group) = (self.row.kind, self.row.checked_group());
        let of = GroupVersion { group, version: self.version }.qualify(kind);
        let name = meta::text(self.old.as_ref().unwrap_or(&self.object), "name");
        Rejected::Invalid {
            kind: kind.to_owned(),
            message: server::invalid(&of, name, errors.iter()),
            errors,
        }
    }

    fn not_given(&self, why: NotGiven) -> Rejected {
        let failed = match why {
            NotGiven::Invalid(mistakes) => return self.invalid(&mistakes),
            NotGiven::Failed(message) => message,
            NotGiven::Internal(message) => format!("Internal error occurred: {message}"),
        };
        Rejection::Internal(failed).into()
    }

    /// The object that is stored.
    fn made(&self, answer: &mut Answer) -> Result<Value, Rejected> {
        let Write { row, version, subresource, server, .. } = *self;
        let of = self.of()?;
        let name = subresource.filter(|it| *it != Subresource::Finalize).map_or("", Subresource::name);
        let (verb, manager, now) = match self.applied {
            Some(Applied { manager, force, now }) => (Verb::Apply { force }, manager, now),
            None => (Verb::Update, "", NOW),
        };
        let write = apply::Write {
            verb,
            manager,
            body: self.object.clone(),
            live: self.old.clone(),
            subresource: name,
            namespace: self.namespace,
            now,
        };
        let meant: RefCell<Result<(), Rejected>> = RefCell::new(Ok(()));
        let admit = |mut object: Value, _: Option<&Value>| {
            *meant.borrow_mut() = self.check_identity(&object);
            if self.applied.is_some() && self.old.is_none() {
                of.protect(&mut object);
            }
            meant.borrow().is_ok().then_some(object)
        };
        let hooks = Hooks { admission: Some(&admit), ..Hooks::default() };
        let written = of.write_with(write, &hooks).map_err(|why| Rejected::Undecodable(Box::new(why)))?;
        meant.into_inner().inspect_err(|_| answer.unknown = of.decode(self.object.clone()).1)?;
        answer.unknown = written.unknown;
        answer.warnings.extend(written.warnings.into_iter().map(|warning| about_object(warning.text)));
        if let Some(why) = written.rejected {
            return Err(why);
        }
        let nothing = || Rejection::Internal("the write made nothing".to_owned());
        let mut object = written.object.ok_or_else(nothing)?;
        let live =
            self.old.as_ref().map(|live| of.convert(live).unwrap_or_else(|| of.decode(live.clone()).0));
        let groups = ["system:masters", "system:authenticated"].map(str::to_owned);
        let around = Around {
            user: USER,
            groups: &groups,
            uid: USER,
            now: NOW,
            used: &Used::default(),
            random: ADDRESS,
        };
        finish(row, subresource, &mut object, live.as_ref(), &around).map_err(|why| self.not_given(why))?;
        let subject = Subject {
            row,
            version,
            subresource,
            object: &object,
            live: live.as_ref(),
            allows_admin: false,
            server,
        };
        let mistakes = subject.mistakes();
        if !mistakes.is_empty() {
            return Err(self.invalid(&mistakes));
        }
        answer.warnings.extend(subject.warnings());
        of.forget_empty_lists(&mut object);
        let is_same = live.as_ref().is_some_and(|live| without_owners(live) == without_owners(&object));
        let revision =
            live.as_ref().map_or(0, |live| meta::text(live, "resourceVersion").parse().unwrap_or(0_u64));
        let revision = Value::from((revision + u64::from(!is_same)).to_string());
        if self.applied.is_none() {
            meta::set(&mut object, "managedFields", None);
        }
        for (name, value) in [("selfLink", None), ("resourceVersion", Some(revision))] {
            meta::set(&mut object, name, value);
        }
        if live.is_none() {
            meta::set(&mut object, "uid", Some(UID.into()));
        }
        stamped(&mut object);
        Ok(object)
    }

    /// Checks that an update means the stored object, once it is decoded.
    fn check_identity(&self, object: &Value) -> Result<(), Rejected> {
        let Some(old) = &self.old else { return Ok(()) };
        let (sent, wanted) = (meta::text(object, "name"), meta::text(old, "name"));
        if sent.is_empty() {
            let why = format!(
                "the name of the object ({wanted} based on URL) was undeterminable: name must be provided"
            );
            return Err(Rejection::BadRequest(why).into());
        }
        if sent != wanted {
            let why =
                format!("the name of the object ({sent}) does not match the name on the URL ({wanted})");
            return Err(Rejection::BadRequest(why).into());
        }
        let (uid, version) = (meta::text(&self.object, "uid"), meta::text(&self.object, "resourceVersion"));
        let Row { plural, group, .. } = *self.row;
        let resource = if group.is_empty() { plural.to_owned() } else { format!("{plural}.{group}") };
        let name = go::quote(meta::text(old, "name"));
        if !uid.is_empty() && uid != meta::text(old, "uid") {
            let found = meta::text(old, "uid");
            let why = format!("Precondition failed: UID in precondition: {uid}, UID in object meta: {found}");
            return Err(Rejected::Modified(format!(
                "Operation cannot be fulfilled on {resource} {name}: {why}"
            )));
        }
        if let (false, Err(why)) = (version.is_empty(), parse_uint(version)) {
            return Err(Rejection::Internal(why.to_string()).into());
        }
        if matches!(version, "" | "0") && self.row.needs_version && self.subresource.is_none() {
            let why = "0: must be specified for an update";
            return Err(self.invalid(&[Mistake::new("metadata.resourceVersion", Kind::Invalid, why)]));
        }
        Ok(())
    }
}

fn about_object(warning: impl Into<String>) -> Mistake {
    Mistake::warning("", warning)
}

/// A stored object without the addresses and the ports that a cluster gives out, as far as neither the client nor the old object has
/// them.
pub fn without_given(sent: &Value, old: Option<&Value>, mut stored: Value) -> Value {
    if sent.text("kind") != "Service" {
        return stored;
    }
    let specs: Vec<&Value> =
        [Some(sent), old].into_iter().flatten().filter_map(|it| it.get("spec")).collect();
    if let Some(Value::Map(spec)) = stored.as_map_mut().and_then(|map| map.get_mut("spec")) {
        keep_known(&specs, spec, &["clusterIP", "clusterIPs", "healthCheckNodePort"]);
        let Some(Value::List(ports)) = spec.get_mut("ports") else { return stored };
        for (i, port) in ports.iter_mut().enumerate() {
            let known: Vec<&Value> =
                specs.iter().filter_map(|spec| spec.get("ports")?.as_list()?.get(i)).collect();
            if let Value::Map(port) = port {
                keep_known(&known, port, &["nodePort"]);
            }
        }
    }
    stored
}

/// Removes the members with these names that none of the others has.
fn keep_known(known: &[&Value], stored: &mut Map<Value>, names: &[&str]) {
    for name in names.iter().filter(|name| known.iter().all(|it| it.get(name).is_none())) {
        stored.remove(name);
    }
}

/// An object without what the storage does not compare.
fn without_owners(object: &Value) -> Value {
    let mut object = object.clone();
    for name in ["managedFields", "resourceVersion", "selfLink"] {
        meta::set(&mut object, name, None);
    }
    object
}
