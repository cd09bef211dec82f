//! What the server's own admission does: priorities, what pods tolerate, what new nodes do not take, default classes, and the labels of
//! namespaces about security.

use super::Call;
use crate::admission::Operation;
use crate::meta::{map, set_at, text};
use crate::registry::Role;
use crate::status::{Failure, Field, Mistake};
use crate::store::{Key, Resource};
use crdgen_core::go;
use crdgen_core::value::{Map, Value};
use std::cmp::Reverse;
use std::fmt;

/// The keys of the taints that a new pod tolerates for five minutes.
const TAINTS: [&str; 2] = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];
const SECONDS: i64 = 300;

/// Where objects name a class, and which class is the default.
pub(super) struct Classes {
    group: &'static str,
    plural: &'static str,
    /// The field of the spec.
    field: &'static str,
    /// The annotation that was in its place.
    old: &'static str,
    /// The annotations of the default class.
    pub(super) marks: &'static [&'static str],
}

pub(super) const OF_CLAIMS: Classes = Classes {
    group: "storage.k8s.io",
    plural: "storageclasses",
    field: "storageClassName",
    old: "volume.beta.kubernetes.io/storage-class",
    marks: &[
        "storageclass.kubernetes.io/is-default-class",
        "storageclass.beta.kubernetes.io/is-default-class",
    ],
};

const OF_INGRESSES: Classes = Classes {
    group: "networking.k8s.io",
    plural: "ingressclasses",
    field: "ingressClassName",
    old: "kubernetes.io/ingress.class",
    marks: &["ingressclass.kubernetes.io/is-default-class"],
};

fn annotation<'v>(object: &'v Value, name: &str) -> Option<&'v str> {
    object.get("metadata")?.get("annotations")?.get(name)?.as_str()
}

/// The class that counts for objects without one: of those with a mark, the newest one and then the first one by its name.
pub(super) fn default_class<'v>(
    classes: impl Iterator<Item = &'v Value>,
    marks: &[&str],
) -> Option<&'v Value> {
    let is_default = |class: &&Value| marks.iter().any(|mark| annotation(class, mark) == Some("true"));
    classes
        .filter(is_default)
        .min_by_key(|class| (Reverse(text(class, "creationTimestamp")), text(class, "name")))
}

/// How labels of namespaces about the security of pods begin.
const SECURITY: &str = "pod-security.kubernetes.io/";
const LEVELS: [&str; 3] = ["privileged", "baseline", "restricted"];

fn is_policy_version(text: &str) -> bool {
    let minor = text.strip_prefix("v1.").filter(|it| !it.starts_with('0') || *it == "0");
    text == "latest" || minor.is_some_and(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The priority of a pod, with the class from which it has it.
struct Priority {
    class: String,
    value: i64,
    policy: String,
}

impl Call<'_> {
    /// Whether the server's own admission changes the object of the request.
    pub(super) fn is_admitted_by_itself(&self) -> bool {
        self.subresource.is_none() && self.kind.has_code()
    }

    /// An object after the server's own admission.
    pub(super) fn admit_itself(&self, object: Value, live: Option<&Value>) -> Result<Value, Failure> {
        match (&*self.kind.names.kind, live) {
            ("Node", None) => Ok(not_ready(object)),
            ("Pod", live) => self.admit_pod(object, live),
            ("Namespace", _) => check_security(object),
            ("PersistentVolumeClaim", None) => Ok(self.protected(self.with_class(object, &OF_CLAIMS))),
            ("PersistentVolume", None) => Ok(self.protected(object)),
            ("Ingress", None) => Ok(self.with_class(object, &OF_INGRESSES)),
            _ => Ok(object),
        }
    }

    /// A new volume or claim that stays as long as it is used.
    fn protected(&self, mut object: Value) -> Value {
        self.kind.built_in(&self.path.version).into_iter().for_each(|of| of.protect(&mut object));
        object
    }

    /// Gives an object the default class, if it names none.
    fn with_class(&self, mut object: Value, classes: &Classes) -> Value {
        let named = object.get("spec").and_then(|spec| spec.get(classes.field)).filter(|it| !it.is_null());
        if named.is_some() || annotation(&object, classes.old).is_some() {
            return object;
        }
        let resource = Resource::new(classes.group, classes.plural);
        let all = self.state.store.objects(&resource, "").map(|(_, class)| &***class);
        let newest = default_class(all, classes.marks);
        if let Some(class) = newest {
            set_at(&mut object, &["spec", classes.field], text(class, "name").into());
        }
        object
    }

    /// Copies the labels about the place of a node to a pod on it, or to its binding.
    pub(super) fn copy_topology(&self, node: &str, object: &mut Value) {
        let Some(node) = self.state.store.get(&Resource::new("", "nodes"), &Key::new("", node)) else {
            return;
        };
        for name in ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"] {
            if let Some(place) = node.get("metadata").and_then(|it| it.get("labels")?.get(name)) {
                set_at(object, &["metadata", "labels", name], place.clone());
            }
        }
    }

    fn admit_pod(&self, mut object: Value, live: Option<&Value>) -> Result<Value, Failure> {
        let name = text(&object, "name").to_owned();
        if live.is_none() {
            self.set_default_resources(&mut object);
            let node = object.get("spec").map_or("", |spec| spec.text("nodeName")).to_owned();
            self.copy_topology(&node, &mut object);
        }
        let Some(spec) = object.as_map_mut().and_then(|map| map.get_mut("spec")) else { return Ok(object) };
        match live.and_then(|live| live.get("spec")) {
            None => self.give_priority(&name, spec)?,
            Some(old) => keep_priority(spec, old),
        }
        tolerate(spec);
        if live.is_none() {
            self.set_runtime(&name, spec)?;
        }
        Ok(object)
    }

    /// The class of the runtime of a pod, if it names one.
    fn runtime(&self, pod: &str, spec: &Value) -> Result<Option<&Value>, Failure> {
        let Some(name) = spec.get("runtimeClassName").and_then(Value::as_str) else { return Ok(None) };
        let resource = Resource::new("node.k8s.io", "runtimeclasses");
        let mut classes = self.state.store.objects(&resource, "").map(|(_, class)| &***class);
        let missing = || {
            let why = format!("pod rejected: RuntimeClass {} not found", go::quote(name));
            Failure::forbidden("pods", "", pod, &why)
        };
        classes.find(|class| text(class, "name") == name).map(Some).ok_or_else(missing)
    }

    /// Checks that a new pod has only the overhead of its runtime. This comes after all other checks.
    pub(super) fn check_runtime(&self, operation: Operation, pod: Option<&Value>) -> Result<(), Failure> {
        let is_pod = self.subresource.is_none() && self.kind.role == Role::Pod;
        let Some(pod) = pod.filter(|_| is_pod && operation == Operation::Create) else { return Ok(()) };
        let (name, spec) = (text(pod, "name"), pod.get("spec").unwrap_or(&Value::Null));
        let class = self.runtime(name, spec)?;
        let fixed = class.and_then(|class| class.get("overhead")?.get("podFixed"));
        let sent = spec.get("overhead").filter(|it| !it.is_null());
        if sent.is_some() && fixed.is_none() {
            let why = "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead";
            return Err(Failure::forbidden("pods", "", name, why));
        }
        Ok(())
    }

    /// Gives a pod what its class of runtimes says: what the runtime needs itself, and where it is.
    fn set_runtime(&self, pod: &str, spec: &mut Value) -> Result<(), Failure> {
        let forbidden = |why: &str| Failure::forbidden("pods", "", pod, why);
        let Some(class) = self.runtime(pod, spec)? else { return Ok(()) };
        let Value::Map(spec) = spec else { return Ok(()) };
        let overhead = class.get("overhead").and_then(|overhead| overhead.get("podFixed"));
        match (overhead, spec.get("overhead").filter(|it| !it.is_null())) {
            (Some(fixed), Some(sent)) if fixed != sent => {
                return Err(forbidden(
                    "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
                ));
            }
            (Some(fixed), _) => drop(spec.insert("overhead", fixed.clone())),
            (None, _) => {}
        }
        let Some(scheduling) = class.get("scheduling").filter(|it| !it.is_null()) else { return Ok(()) };
        let wanted = scheduling.get("nodeSelector").and_then(Value::as_map);
        let selector = spec.entry_or_insert_with("nodeSelector", || Value::Map(Map::new()));
        for (key, value) in wanted.into_iter().flat_map(Map::iter) {
            let Value::Map(selector) = &mut *selector else { break };
            if let Some(sent) = selector.get(key).filter(|sent| *sent != value) {
                let (value, sent) = (value.as_str().unwrap_or_default(), sent.as_str().unwrap_or_default());
                return Err(forbidden(&format!(
                    "conflict: runtimeClass.scheduling.nodeSelector[{key}] = {value}; pod.spec.nodeSelector[{key}] = {sent}"
                )));
            }
            selector.insert(key, value.clone());
        }
        let mut tolerations = spec.get("tolerations").and_then(Value::as_list).unwrap_or_default().to_vec();
        let others = scheduling.get("tolerations").and_then(Value::as_list).unwrap_or_default();
        let new: Vec<Value> = others.iter().filter(|it| !tolerations.contains(it)).cloned().collect();
        tolerations.extend(new);
        spec.insert("tolerations", Value::List(tolerations));
        Ok(())
    }

    fn give_priority(&self, pod: &str, spec: &mut Value) -> Result<(), Failure> {
        let forbidden = |why: String| Failure::forbidden("pods", "", pod, &why);
        let Priority { class, value, policy } =
            self.priority(spec.text("priorityClassName")).map_err(|why| forbidden(why.to_string()))?;
        let refused = |what: &str, sent: &str, computed: &str| {
            forbidden(format!(
                "the {what} ({sent}) must not be provided in pod spec; priority admission controller computed {computed} from the \
                 given PriorityClass name"
            ))
        };
        if let Some(sent) = spec.get("priority").and_then(Value::as_int).filter(|sent| *sent != value) {
            return Err(refused("integer value of priority", &sent.to_string(), &value.to_string()));
        }
        if let Some(sent) =
            spec.get("preemptionPolicy").and_then(Value::as_str).filter(|sent| **sent != policy)
        {
            return Err(refused("string value of PreemptionPolicy", sent, &policy));
        }
        let Value::Map(spec) = spec else { return Ok(()) };
        if !class.is_empty() {
            spec.insert("priorityClassName", class.into());
        }
        spec.insert("priority", Value::Int(value));
        spec.insert("preemptionPolicy", policy.into());
        Ok(())
    }

    /// The priority of a class or, without a name, of the default.
    fn priority(&self, name: &str) -> Result<Priority, NoClass> {
        let resource = Resource::new("scheduling.k8s.io", "priorityclasses");
        let classes = self.state.store.objects(&resource, "").map(|(_, class)| &***class);
        let value = |class: &Value| class.get("value").and_then(Value::as_int).unwrap_or_default();
        let is_default = |class: &Value| class.get("globalDefault") == Some(&Value::Bool(true));
        let found = match name {
            "" => classes.filter(|class| is_default(class)).min_by_key(|class| value(class)),
            name => match classes.into_iter().find(|class| text(class, "name") == name) {
                None => return Err(NoClass(name.to_owned())),
                found => found,
            },
        };
        let policy = found.map_or("", |class| class.text("preemptionPolicy"));
        Ok(Priority {
            class: found.map_or("", |class| text(class, "name")).to_owned(),
            value: found.map_or(0, value),
            policy: if policy.is_empty() { "PreemptLowerPriority" } else { policy }.to_owned(),
        })
    }
}

/// Checks the levels of security that the labels of a namespace name.
fn check_security(object: Value) -> Result<Value, Failure> {
    let label = |object: &Value, name: &str| -> Option<String> {
        Some(object.get("metadata")?.get("labels")?.get(name)?.as_str()?.to_owned())
    };
    let mut mistakes = Vec::new();
    for mode in ["enforce", "audit", "warn"] {
        let name = format!("{SECURITY}{mode}");
        let field = |name: &str| Field::from("metadata.labels").key(name);
        if let Some(level) = label(&object, &name).filter(|level| !LEVELS.contains(&level.as_str())) {
            let why = format!("must be one of {}", LEVELS.join(", "));
            mistakes.push(Mistake::invalid(field(&name), &level.into(), &why));
        }
        let name = format!("{name}-version");
        if let Some(version) = label(&object, &name).filter(|version| !is_policy_version(version)) {
            let why = "must be \"latest\" or \"v1.x\"";
            mistakes.push(Mistake::invalid(field(&name), &version.into(), why));
        }
    }
    if !mistakes.is_empty() {
        return Err(Failure::invalid_fields("Namespace", "", text(&object, "name"), &mistakes));
    }
    Ok(object)
}

/// There is no PriorityClass of this name.
#[derive(Clone, Debug, PartialEq, Eq)]
struct NoClass(String);

impl fmt::Display for NoClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no PriorityClass with name {} was found", self.0)
    }
}

/// Clients may leave out the priority in updates.
fn keep_priority(spec: &mut Value, old: &Value) {
    let Value::Map(spec) = spec else { return };
    for name in ["priority", "preemptionPolicy"] {
        if let (None, Some(was)) = (spec.get(name), old.get(name)) {
            spec.insert(name, was.clone());
        }
    }
}

/// Pods stay for some time on nodes that are not ready, unless they say something else.
fn tolerate(spec: &mut Value) {
    let Value::Map(spec) = spec else { return };
    let old = spec.get("tolerations").and_then(Value::as_list).unwrap_or_default();
    let is_said = |taint: &str| {
        old.iter().any(|toleration| {
            let (key, effect) = (toleration.text("key"), toleration.text("effect"));
            (key == taint || key.is_empty()) && matches!(effect, "" | "NoExecute")
        })
    };
    let new = TAINTS.into_iter().filter(|taint| !is_said(taint)).map(|taint| {
        map([
            ("effect", "NoExecute".into()),
            ("key", taint.into()),
            ("operator", "Exists".into()),
            ("tolerationSeconds", Value::Int(SECONDS)),
        ])
    });
    let all: Vec<Value> = old.iter().cloned().chain(new).collect();
    if !all.is_empty() {
        spec.insert("tolerations", Value::List(all));
    }
}

/// A new node takes no pods until it is ready.
fn not_ready(mut node: Value) -> Value {
    let taint = map([("effect", "NoSchedule".into()), ("key", TAINTS[0].into())]);
    let Value::Map(object) = &mut node else { return node };
    let Value::Map(spec) = object.entry_or_insert_with("spec", || Value::Map(Map::new())) else {
        return node;
    };
    if let Value::List(taints) = spec.entry_or_insert_with("taints", || Value::List(Vec::new())) {
        let is_same = |it: &Value| it.text("key") == TAINTS[0] && it.text("effect") == "NoSchedule";
        if !taints.iter().any(is_same) {
            taints.push(taint);
        }
    }
    node
}
