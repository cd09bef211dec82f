//! What policies decide without a cluster: all that exists are the given objects.

use super::authorizer::{Access, Permission};
use super::cluster::{Cluster, KindFacts, ParamKind};
use super::decide::{Decided, decide};
use super::evaluate::Seen;
use super::matching::{About, Target};
use super::mutate::{Evaluated, Objects, Part, Reinvocation, Round, mutate};
use super::policy::{Binding, Policy, Purpose};
use super::request::Request;
use crate::meta::{is_empty, map, text};
use crdgen_core::GroupVersion;
use crdgen_core::apply::library::Message;
use crdgen_core::apply::{BuiltIn, Writer};
use crdgen_core::metadata::Scope;
use crdgen_core::object::Served;
use crdgen_core::value::{Map, Value};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// Objects of any kind: policies, bindings, parameters and namespaces.
pub struct Offline<'d> {
    definitions: &'d dyn Definitions,
    /// By their names.
    namespaces: BTreeMap<String, Value>,
    /// The other objects, by their versions and kinds.
    objects: BTreeMap<(String, String), Vec<Value>>,
    policies: Vec<Policy>,
    bindings: Vec<Binding>,
    permissions: Permissions,
    /// The CRDs whose objects mutations merge, prepared once.
    writers: Mutex<Writers<'d>>,
}

/// CRDs by their groups and kinds, prepared for writes.
type Writers<'d> = HashMap<(String, String), Arc<Writer<&'d Served>>>;

/// Who may do what. Without a rule, nothing is allowed.
#[derive(Clone, Debug, Default)]
pub struct Permissions {
    /// What is allowed: names of fields of [`Access`] with their values, or `*` for any.
    pub allow: Vec<Map<Value>>,
    /// What is denied, whatever is allowed.
    pub deny: Vec<Map<Value>>,
    /// What all questions fail with, if it is not empty.
    pub error: String,
}

impl Permissions {
    fn decide(&self, access: &Access) -> Permission {
        if !self.error.is_empty() {
            return Permission { error: self.error.clone(), ..Permission::default() };
        }
        let matches = |rule: &Map<Value>| {
            rule.iter().all(|(name, value)| {
                let value = value.as_str().unwrap_or_default();
                value == "*" || access.text(name) == Some(value)
            })
        };
        let reason = |reason: &str| reason.to_owned();
        if self.deny.iter().any(matches) {
            return Permission { reason: reason("denied by a rule"), ..Permission::default() };
        }
        if self.allow.iter().any(matches) {
            return Permission {
                is_allowed: true,
                reason: reason("allowed by a rule"),
                ..Permission::default()
            };
        }
        Permission::default()
    }
}

/// The kinds of custom resources.
pub trait Definitions: Sync {
    /// The CRD of a kind, prepared.
    fn served(&self, group: &str, kind: &str) -> Option<&Served>;

    /// The CRDs with this name of their objects in URLs.
    fn of_resource(&self, plural: &str) -> Vec<&Served>;
}

impl Definitions for Vec<Served> {
    fn served(&self, group: &str, kind: &str) -> Option<&Served> {
        self.iter().find(|it| it.crd.spec.group == group && it.crd.spec.names.kind == kind)
    }

    fn of_resource(&self, plural: &str) -> Vec<&Served> {
        self.iter().filter(|it| it.crd.spec.names.plural == plural).collect()
    }
}

/// A write about which policies decide.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    /// `CREATE`, `UPDATE`, `DELETE` or `CONNECT`.
    pub operation: &'a str,
    /// The object after the write.
    pub object: Option<&'a Value>,
    /// The object before it.
    pub old: Option<&'a Value>,
    /// The group, version and name of the resource. Without them, those of the kind.
    pub resource: Option<[&'a str; 3]>,
    /// The name of the subresource, or an empty text.
    pub subresource: &'a str,
    /// The namespace of the request, or an empty text for that of the object.
    pub namespace: &'a str,
    /// The name of the request, or an empty text for that of the object.
    pub name: &'a str,
    /// Who asks, as a review has it.
    pub user: &'a Value,
    /// Whether nothing is stored.
    pub dry_run: bool,
}

/// What policies make of a write, and what they decide about it.
#[derive(Clone, Debug, Default)]
pub struct Admitted {
    /// The object after the mutations, or with its defaults alone. `None` if the write is rejected or deletes the object.
    pub object: Option<Value>,
    /// Whether mutating policies ran twice.
    pub is_reinvoked: bool,
    /// What was evaluated of mutating policies.
    pub evaluated: Vec<Evaluated>,
    /// What they decide.
    pub decided: Decided,
}

impl Admitted {
    /// Returns the object if mutations have changed it.
    pub fn mutated(&self) -> Option<&Value> {
        let is_done = |it: &Evaluated| matches!(&it.part, Part::Mutation { error: None, .. });
        self.object.as_ref().filter(|_| self.evaluated.iter().any(is_done))
    }
}

/// A kind that is known.
pub(super) enum Known<'k> {
    BuiltIn(BuiltIn),
    Custom(&'k Served),
}

impl Known<'_> {
    fn scope(&self) -> Scope {
        let is_namespaced = match self {
            Known::BuiltIn(of) => of.namespaced(),
            Known::Custom(served) => served.crd.spec.scope == "Namespaced",
        };
        if is_namespaced { Scope::Namespaced } else { Scope::Cluster }
    }
}

const GROUP: &str = "admissionregistration.k8s.io";

pub(super) fn known<'d>(
    definitions: &'d dyn Definitions,
    api_version: &str,
    kind: &str,
) -> Option<Known<'d>> {
    let group = GroupVersion::of(api_version).group;
    let custom = || definitions.served(group, kind).map(Known::Custom);
    BuiltIn::find(api_version, kind).map(Known::BuiltIn).or_else(custom)
}

/// Returns what a policy does. `None` for other objects.
pub fn of_policy(object: &Value) -> Option<Purpose> {
    let is_of_group = GroupVersion::of(object.text("apiVersion")).group == GROUP;
    Purpose::ALL.into_iter().find(|purpose| is_of_group && object.text("kind") == purpose.kind())
}

/// Returns what the policy of a binding does. `None` for other objects.
pub fn of_binding(object: &Value) -> Option<Purpose> {
    let kind = object.text("kind").strip_suffix("Binding");
    let is_of_group = GroupVersion::of(object.text("apiVersion")).group == GROUP;
    Purpose::ALL.into_iter().find(|purpose| is_of_group && kind == Some(purpose.kind()))
}

/// The version and the kind of the parameters of a policy.
pub fn param_kind(object: &Value) -> Option<(String, String)> {
    let kind =
        object.get("spec")?.get("paramKind").filter(|kind| of_policy(object).is_some() && !kind.is_null())?;
    Some((kind.text("apiVersion").to_owned(), kind.text("kind").to_owned()))
}

impl<'d> Offline<'d> {
    /// Prepares objects as users write them.
    pub fn new(definitions: &'d dyn Definitions, objects: &[Value]) -> Offline<'d> {
        let mut out = Offline {
            definitions,
            namespaces: BTreeMap::new(),
            objects: BTreeMap::new(),
            policies: Vec::new(),
            bindings: Vec::new(),
            permissions: Permissions::default(),
            writers: Mutex::default(),
        };
        for object in objects {
            let object = out.decoded(object);
            if let Some(purpose) = of_policy(&object) {
                out.policies.push(Policy::read(&object, purpose));
            } else if let Some(purpose) = of_binding(&object) {
                out.bindings.push(Binding::read(&object, purpose));
            } else if (object.text("apiVersion"), object.text("kind")) == ("v1", "Namespace") {
                out.add_namespace(object);
            } else {
                let key = ["apiVersion", "kind"].map(|name| object.text(name).to_owned());
                out.objects.entry(key.into()).or_default().push(object);
            }
        }
        out
    }

    /// Says who may do what.
    #[must_use]
    pub fn with_permissions(self, permissions: Permissions) -> Offline<'d> {
        Offline { permissions, ..self }
    }

    /// Adds a namespace as it is stored.
    pub fn add_namespace(&mut self, namespace: Value) {
        self.namespaces.insert(text(&namespace, "name").to_owned(), namespace);
    }

    fn known(&self, api_version: &str, kind: &str) -> Option<Known<'d>> {
        known(self.definitions, api_version, kind)
    }

    fn writer(&self, served: &'d Served) -> Result<Arc<Writer<&'d Served>>, Message> {
        let mut writers = self.writers.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (served.crd.spec.group.clone(), served.crd.spec.names.kind.clone());
        if let Some(writer) = writers.get(&key) {
            return Ok(Arc::clone(writer));
        }
        let writer = Arc::new(Writer::new(served).map_err(|why| Message(why.join("\n")))?);
        writers.insert(key, Arc::clone(&writer));
        Ok(writer)
    }

    /// The object with its defaults. One of an unknown kind stays as it is.
    fn decoded(&self, object: &Value) -> Value {
        let (api_version, kind) = (object.text("apiVersion"), object.text("kind"));
        match self.known(api_version, kind) {
            None => object.clone(),
            Some(Known::BuiltIn(of)) => {
                let mut object = of.decode(object.clone()).0;
                of.set_defaults(&mut object);
                object
            }
            Some(Known::Custom(served)) => {
                let version = GroupVersion::of(api_version).version;
                let decoded = served.decode(object.clone(), version).map(|decoded| decoded.object);
                decoded.unwrap_or_else(|_| object.clone())
            }
        }
    }

    fn in_version(&self, object: &Value, version: &str) -> Result<Value, String> {
        let (api_version, kind) = (object.text("apiVersion"), object.text("kind"));
        let GroupVersion { group, version: of_object } = GroupVersion::of(api_version);
        if version == of_object {
            return Ok(object.clone());
        }
        match self.known(api_version, kind) {
            Some(Known::Custom(served)) => {
                served.convert(object.clone(), version, None).map_err(|why| why.to_string())
            }
            Some(Known::BuiltIn(_)) | None => {
                let wanted = if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
                let converted = BuiltIn::find(&wanted, kind).and_then(|of| of.convert(object));
                converted.ok_or_else(|| format!("objects of {api_version} cannot be converted to {wanted}"))
            }
        }
    }

    /// Returns what the policies make of a write, and what they decide about it.
    pub fn admit(&self, asked: &Asked<'_>) -> Admitted {
        let (object, old) = (asked.object.map(|it| self.decoded(it)), asked.old.map(|it| self.decoded(it)));
        let Some(subject) = object.as_ref().or(old.as_ref()) else { return Admitted::default() };
        let (api_version, kind) = (subject.text("apiVersion"), subject.text("kind"));
        let GroupVersion { group, version } = GroupVersion::of(api_version);
        let (plural, scope, versions) = self.resource(api_version, kind);
        let [group_of_resource, version_of_resource, plural] =
            asked.resource.unwrap_or([group, version, &plural]);
        let first =
            |texts: [&'_ str; 2]| if texts[0].is_empty() { texts[1].to_owned() } else { texts[0].to_owned() };
        let name = first([asked.name, text(subject, "name")]);
        let mut namespace = match scope {
            Scope::Cluster => String::new(),
            Scope::Namespaced => first([asked.namespace, &first([text(subject, "namespace"), "default"])]),
        };
        if (group_of_resource, plural) == ("", "namespaces") {
            namespace.clone_from(&name);
        }
        let target = Target {
            operation: asked.operation,
            group: group_of_resource,
            version: version_of_resource,
            versions: versions.iter().map(String::as_str).collect(),
            plural,
            subresource: asked.subresource,
            namespace: &namespace,
            name: &name,
        };
        let in_version = |version: &str| [group, version, kind].map(str::to_owned);
        let review = |version: &str| {
            let (user, options) = (user_info(asked.user), options(asked.operation, asked.dry_run));
            let about = About { kind: &in_version, user, dry_run: asked.dry_run, options };
            target.review(about, version)
        };
        let kind = Subject { offline: self, api_version, kind };
        let see = |object: &Option<Value>, version: &str| {
            let in_version = |it: &Option<Value>| match it {
                Some(object) => self.in_version(object, version),
                None => Ok(Value::Null),
            };
            let (object, old) = (in_version(object)?, in_version(&old)?);
            let is_custom = !matches!(kind.known(), Some(Known::BuiltIn(_)));
            Ok(Seen { object, old, request: review(version), namespace: Value::Null, is_custom })
        };
        let mut out = Admitted::default();
        let mut object = object.clone();
        let mut reinvocation = Reinvocation::default();
        for round in [Round::First, Round::Second] {
            let seen = |version: &str| see(&object, version);
            let (object_now, old) = (object.as_ref(), old.as_ref());
            let request = Request { target: target.clone(), object: object_now, old, seen: &seen };
            let policies = self.policies(Purpose::Mutating);
            let mutated =
                mutate(&policies, &self.bindings, &request, (self, &kind), round, &mut reinvocation);
            out.evaluated.extend(mutated.evaluated);
            if let Some(refused) = mutated.refused {
                out.decided.denied = Some(refused.denied());
                return out;
            }
            object = mutated.object.or(object);
            if !reinvocation.is_wanted {
                break;
            }
            out.is_reinvoked = true;
        }
        let seen = |version: &str| see(&object, version);
        let request =
            Request { target: target.clone(), object: object.as_ref(), old: old.as_ref(), seen: &seen };
        out.decided = decide(&self.policies(Purpose::Validating), &self.bindings, &request, self);
        out.object = object;
        out
    }

    fn policies(&self, purpose: Purpose) -> Vec<&Policy> {
        self.policies.iter().filter(|policy| policy.purpose == purpose).collect()
    }

    /// The name of a kind in URLs, its scope, and the versions that are served.
    fn resource(&self, api_version: &str, kind: &str) -> (String, Scope, Vec<String>) {
        let known = self.known(api_version, kind);
        let scope = known.as_ref().map_or(Scope::Namespaced, Known::scope);
        match known {
            None => (format!("{}s", kind.to_lowercase()), scope, Vec::new()),
            Some(Known::BuiltIn(of)) => {
                let group = GroupVersion::of(api_version).group;
                let same = BuiltIn::all().filter(|it| it.kind() == kind);
                let versions = same.map(|it| GroupVersion::of(it.api_version()));
                let versions = versions.filter(|it| it.group == group).map(|it| it.version.to_owned());
                (of.plural().to_owned(), scope, versions.collect())
            }
            Some(Known::Custom(served)) => {
                let versions = served.versions().map(|it| it.name.clone()).collect();
                (served.crd.spec.names.plural.clone(), scope, versions)
            }
        }
    }
}

impl Cluster for Offline<'_> {
    /// Without one, as the server makes it.
    fn namespace(&self, name: &str) -> Option<Value> {
        let fresh = || {
            map([
                (
                    "metadata",
                    map([
                        ("name", name.into()),
                        ("labels", map([("kubernetes.io/metadata.name", name.into())])),
                    ]),
                ),
                ("spec", map([("finalizers", Value::List(vec!["kubernetes".into()]))])),
                ("status", map([("phase", "Active".into())])),
            ])
        };
        Some(self.namespaces.get(name).cloned().unwrap_or_else(fresh))
    }

    fn permission(&self, access: &Access) -> Permission {
        self.permissions.decide(access)
    }

    fn facts(&self, kind: &ParamKind) -> Option<KindFacts> {
        let known = self.known(&kind.api_version, &kind.kind)?;
        Some(KindFacts { scope: known.scope(), is_custom: matches!(known, Known::Custom(_)) })
    }

    fn objects(
        &self,
        kind: &ParamKind,
        namespace: Option<&str>,
        is_wanted: &dyn Fn(&Value) -> bool,
    ) -> Vec<Value> {
        let is_there = |object: &&Value| {
            let of_object = match text(object, "namespace") {
                "" => "default",
                namespace => namespace,
            };
            namespace.is_none_or(|namespace| namespace == of_object) && is_wanted(object)
        };
        let all = self.objects.get(&(kind.api_version.clone(), kind.kind.clone()));
        all.into_iter().flatten().filter(is_there).cloned().collect()
    }
}

/// The kind of the objects of a write.
struct Subject<'o, 'd> {
    offline: &'o Offline<'d>,
    api_version: &'o str,
    kind: &'o str,
}

impl<'d> Subject<'_, 'd> {
    fn known(&self) -> Option<Known<'d>> {
        self.offline.known(self.api_version, self.kind)
    }
}

impl Objects for Subject<'_, '_> {
    fn unknown(&self) -> Option<String> {
        let unknown = || {
            format!(
                "Resource kind {}, Kind={} not found. There can be a delay between when CustomResourceDefinitions are created \
                 and when they are available.",
                self.api_version, self.kind
            )
        };
        self.known().is_none().then(unknown)
    }

    fn convert(&self, object: Value, version: &str) -> Result<Value, Message> {
        self.offline.in_version(&object, version).map_err(Message)
    }

    fn overlay(&self, object: Value, configuration: Value) -> Result<Value, Message> {
        match self.known() {
            Some(Known::BuiltIn(of)) => of.overlay(object, configuration),
            Some(Known::Custom(served)) => self.offline.writer(served)?.overlay(object, configuration),
            None => Ok(object),
        }
    }

    fn read(&self, mut patched: Value) -> Result<Value, Message> {
        match self.known() {
            Some(Known::BuiltIn(of)) => of.decode_strictly(patched),
            Some(Known::Custom(served)) => {
                let version = GroupVersion::of(self.api_version).version;
                if let Ok(version) = served.version(version) {
                    // The storage rejects what is too large.
                    _ = served.default(&mut patched, version);
                }
                Ok(patched)
            }
            None => Ok(patched),
        }
    }
}

/// The options of a request as clients send them.
fn options(operation: &str, is_dry_run: bool) -> Value {
    let kind = match operation {
        "CREATE" => "CreateOptions",
        "UPDATE" => "UpdateOptions",
        "DELETE" => "DeleteOptions",
        _ => return Value::Null,
    };
    let mut options = map([("apiVersion", "meta.k8s.io/v1".into()), ("kind", kind.into())]);
    if let (Value::Map(options), true) = (&mut options, is_dry_run) {
        options.insert("dryRun", Value::List(vec!["All".into()]));
    }
    options
}

/// Who asks, as the server writes it: without what is empty.
fn user_info(user: &Value) -> Value {
    let members = user.as_map().into_iter().flat_map(Map::iter).filter(|(_, value)| !is_empty(value));
    Value::Map(members.map(|(name, value)| (name, value.clone())).collect())
}
