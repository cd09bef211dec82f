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
use crdgen_core::diag::Kind;
use crdgen_core::go;
use crdgen_core::object::Refusal;
use crdgen_core::object::write::NOW;
use crdgen_core::value::Value;
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
}

/// What the server answers.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The unknown fields in what the client sends.
    pub unknown: Vec<String>,
    /// The warnings, without those about unknown fields.
    pub warnings: Vec<Mistake>,
    /// The object that the server stores.
    pub stored: Option<Value>,
    /// Why there is none.
    pub failure: Option<Failure>,
}

/// Why the server does not store an object.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The object cannot be decoded: status 400.
    Undecodable(Box<Refusal>),
    /// The object is invalid: status 422.
    Invalid(Vec<Mistake>),
    /// Another reason, with its status.
    Other(u16, String),
}

impl From<NotGiven> for Failure {
    fn from(why: NotGiven) -> Failure {
        match why {
            NotGiven::Invalid(mistakes) => Failure::Invalid(mistakes),
            NotGiven::Failed(message) => Failure::Other(500, message),
            NotGiven::Internal(message) => Failure::Other(500, format!("Internal error occurred: {message}")),
        }
    }
}

impl From<Rejected> for Failure {
    fn from(why: Rejected) -> Failure {
        match why {
            Rejected::Undecodable(why) => Failure::Undecodable(why),
            Rejected::Request(Rejection::BadRequest(message)) => Failure::Other(400, message),
            why => Failure::Other(why.code(), why.message()),
        }
    }
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
        answer.warnings.extend(self.row.deprecated.map(about_object));
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
            Err(failure) => answer.failure = Some(failure),
        }
        answer
    }

    /// The object that was there. One without a uid was not stored yet: it becomes what the server makes of it, with its status.
    fn stored_before(&self, mut old: Value) -> Value {
        let has_uid = !meta::text(&old, "uid").is_empty();
        let revision = meta::text(&old, "resourceVersion").to_owned();
        let status = old.get("status").cloned();
        let version = api_version(self.row.group, self.version);
        let version = self
            .row
            .version_of(meta::own(&old, "apiVersion"))
            .map_or(version, |found| api_version(self.row.group, found));
        if !has_uid && let Some(version) = self.row.version_of(&version) {
            let write = Write { version, subresource: None, object: old.clone(), old: None, ..self.clone() };
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
            meta::set(
                &mut old,
                "namespace",
                Some(self.namespace.into()).filter(|_| !self.namespace.is_empty()),
            );
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
        if meta::text(&old, "creationTimestamp").is_empty() {
            meta::set(&mut old, "creationTimestamp", Some(NOW.into()));
        }
        old
    }

    fn of(&self) -> Result<BuiltIn, Failure> {
        let missing = || Failure::Other(404, "the server could not find the requested resource".to_owned());
        self.row.built_in(self.version).ok_or_else(missing)
    }

    /// The object that is stored.
    fn made(&self, answer: &mut Answer) -> Result<Value, Failure> {
        let Write { row, version, subresource, .. } = *self;
        let of = self.of()?;
        let name = subresource.filter(|it| *it != Subresource::Finalize).map_or("", Subresource::name);
        let write = apply::Write {
            verb: Verb::Update,
            manager: "",
            body: self.object.clone(),
            live: self.old.clone(),
            subresource: name,
            namespace: self.namespace,
            now: NOW,
        };
        let meant: RefCell<Result<(), Failure>> = RefCell::new(Ok(()));
        let admit = |object: Value, _: Option<&Value>| {
            *meant.borrow_mut() = self.check_identity(&object);
            meant.borrow().is_ok().then_some(object)
        };
        let hooks = Hooks { admission: Some(&admit), ..Hooks::default() };
        let written = of.write_with(write, &hooks).map_err(|why| Failure::Undecodable(Box::new(why)))?;
        meant.into_inner().inspect_err(|_| answer.unknown = of.decode(self.object.clone()).1)?;
        answer.unknown = written.unknown;
        answer.warnings.extend(written.warnings.into_iter().map(|warning| about_object(warning.text)));
        if let Some(why) = written.rejected {
            return Err(why.into());
        }
        let mut object =
            written.object.ok_or_else(|| Failure::Other(500, "the write made nothing".to_owned()))?;
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
        finish(row, subresource, &mut object, live.as_ref(), &around)?;
        let subject =
            Subject { row, version, subresource, object: &object, live: live.as_ref(), allows_admin: false };
        let mistakes = subject.mistakes();
        if !mistakes.is_empty() {
            return Err(Failure::Invalid(mistakes));
        }
        answer.warnings.extend(subject.warnings());
        of.forget_empty_lists(&mut object);
        let is_same = live.as_ref().is_some_and(|live| without_owners(live) == without_owners(&object));
        let revision =
            live.as_ref().map_or(0, |live| meta::text(live, "resourceVersion").parse().unwrap_or(0_u64));
        let revision = Value::from((revision + u64::from(!is_same)).to_string());
        for (name, value) in
            [("managedFields", None), ("selfLink", None), ("resourceVersion", Some(revision))]
        {
            meta::set(&mut object, name, value);
        }
        if live.is_none() {
            meta::set(&mut object, "uid", Some(UID.into()));
        }
        stamped(&mut object);
        Ok(object)
    }

    /// Checks that an update means the stored object, once it is decoded.
    fn check_identity(&self, object: &Value) -> Result<(), Failure> {
        let Some(old) = &self.old else { return Ok(()) };
        let (sent, wanted) = (meta::text(object, "name"), meta::text(old, "name"));
        if sent.is_empty() {
            let why = format!(
                "the name of the object ({wanted} based on URL) was undeterminable: name must be provided"
            );
            return Err(Failure::Other(400, why));
        }
        if sent != wanted {
            let why =
                format!("the name of the object ({sent}) does not match the name on the URL ({wanted})");
            return Err(Failure::Other(400, why));
        }
        let (uid, version) = (meta::text(&self.object, "uid"), meta::text(&self.object, "resourceVersion"));
        let Row { plural, group, .. } = *self.row;
        let resource = if group.is_empty() { plural.to_owned() } else { format!("{plural}.{group}") };
        let name = go::quote(meta::text(old, "name"));
        if !uid.is_empty() && uid != meta::text(old, "uid") {
            let found = meta::text(old, "uid");
            let why = format!("Precondition failed: UID in precondition: {uid}, UID in object meta: {found}");
            return Err(Failure::Other(
                409,
                format!("Operation cannot be fulfilled on {resource} {name}: {why}"),
            ));
        }
        if let (false, Err(why)) = (version.is_empty(), parse_uint(version)) {
            return Err(Failure::Other(500, why.to_string()));
        }
        if matches!(version, "" | "0") && self.row.needs_version && self.subresource.is_none() {
            let why = "0: must be specified for an update";
            return Err(Failure::Invalid(vec![Mistake::new("metadata.resourceVersion", Kind::Invalid, why)]));
        }
        Ok(())
    }
}

fn about_object(warning: impl Into<String>) -> Mistake {
    Mistake::warning("", warning)
}

/// An object without what the storage does not compare.
fn without_owners(object: &Value) -> Value {
    let mut object = object.clone();
    for name in ["managedFields", "resourceVersion", "selfLink"] {
        meta::set(&mut object, name, None);
    }
    object
}
