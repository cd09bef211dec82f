//! What mutating policies make of the object of a request.

use super::cluster::Cluster;
use super::conditions::Condition;
use super::decide::{Denied, Said};
use super::evaluate::{BUDGET, Evaluator, Param, Seen};
use super::patch;
use super::policy::{Binding, Mutation, PatchType, Policy};
use super::request::Request;
use super::select::{Bound, Selected, misconfigured, select};
use crate::json_patch;
use crate::kinds::ObjectType;
use crdgen_core::apply::library::Message;
use crdgen_core::cel::value::Val;
use crdgen_core::json;
use crdgen_core::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What is done with the objects of the kind of a request.
pub trait Objects {
    /// What the server says if it does not know the kind.
    fn unknown(&self) -> Option<String> {
        None
    }

    /// The object in another version.
    ///
    /// # Errors
    /// Fails if it cannot be converted.
    fn convert(&self, object: Value, version: &str) -> Result<Value, Message>;

    /// The object with everything that a configuration contains, and with defaults.
    ///
    /// # Errors
    /// Fails with the server's message.
    fn overlay(&self, object: Value, configuration: Value) -> Result<Value, Message>;

    /// An object after a patch, which says its type, with defaults.
    ///
    /// # Errors
    /// Fails with the server's message if it is not one of the kind any more.
    fn read(&self, patched: Value) -> Result<Value, Message>;
}

/// What mutating policies make of a request.
#[derive(Clone, Debug, Default)]
pub struct Mutated {
    /// The object after the mutations. `None` if there is none.
    pub object: Option<Value>,
    /// Why the request is rejected.
    pub refused: Option<Refused>,
    /// What was evaluated.
    pub evaluated: Vec<Evaluated>,
}

/// Why mutating policies reject a request.
#[derive(Clone, Debug)]
pub enum Refused {
    /// Policies cannot be evaluated.
    Denied {
        /// The reason in the status.
        reason: &'static str,
        /// What each of them says.
        said: Vec<Said>,
    },
    /// The namespace of the object does not exist.
    NoNamespace(String),
    /// The server cannot read the object after a patch, or it cannot convert it.
    Internal(String),
    /// The server does not know the kind of the object.
    Unavailable(String),
}

impl Refused {
    /// The same as a denial, for those who only report it.
    pub(super) fn denied(self) -> Denied {
        let of = |reason: &str, text| {
            let said = Said { policy: String::new(), validation: None, text };
            Denied { reason: reason.to_owned(), said }
        };
        match self {
            Refused::Denied { reason, said } => match said.into_iter().next() {
                Some(said) => Denied { reason: reason.to_owned(), said },
                None => of(reason, String::new()),
            },
            Refused::NoNamespace(name) => of("NotFound", format!("namespaces \"{name}\" not found")),
            Refused::Internal(why) => of("InternalError", format!("Internal error occurred: {why}")),
            Refused::Unavailable(why) => of("ServiceUnavailable", why),
        }
    }
}

/// What was evaluated of a policy with a parameter.
#[derive(Clone, Debug)]
pub struct Evaluated {
    /// The name of the policy.
    pub policy: String,
    /// The namespace and name of the parameter.
    pub param: Option<String>,
    /// The expressions.
    pub part: Part,
}

/// A part of a policy.
#[derive(Clone, Debug)]
pub enum Part {
    /// The conditions.
    Conditions {
        /// Each with its result.
        conditions: Vec<Condition>,
        /// Whether all are fulfilled.
        matched: Result<bool, String>,
    },
    /// A mutation.
    Mutation {
        /// Its index.
        index: usize,
        /// Its kind.
        patch: PatchType,
        /// The fields to set. `None` for a JSON patch, and if there is no value.
        value: Option<Value>,
        /// Why the object cannot be changed.
        error: Option<String>,
        /// What the expression costs. `None` if it costs more than the budget.
        cost: Option<u64>,
    },
}

/// How many bytes of JSON an object may have after a mutation. No server stores as many, and each mutation may double an object.
const MOST_BYTES: usize = 4 << 20;

/// A policy with its binding and its parameter.
type Key = (String, String, Option<String>);

/// Which policies see an object once more, because others have changed it.
#[derive(Clone, Debug, Default)]
pub struct Reinvocation {
    /// Whether the policies and webhooks of mutating admission run a second time.
    pub is_wanted: bool,
    /// What the policies have made of the object.
    last: Option<Value>,
    invoked: BTreeSet<Key>,
    again: BTreeSet<Key>,
}

/// How often the policies have run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    /// Not yet.
    First,
    /// Once.
    Second,
}

impl Reinvocation {
    /// What was invoked before runs again.
    fn require(&mut self) {
        self.again.append(&mut self.invoked);
    }
}

/// Returns what policies make of a request. Those without a binding do nothing.
pub fn mutate(
    policies: &[&Policy],
    bindings: &[Binding],
    request: &Request<'_>,
    (cluster, objects): (&dyn Cluster, &dyn Objects),
    round: Round,
    reinvocation: &mut Reinvocation,
) -> Mutated {
    let mut mutating = Mutating {
        request,
        cluster,
        objects,
        seen: BTreeMap::new(),
        last: None,
        errors: Vec::new(),
        out: Mutated::default(),
    };
    // Nothing of an object that is deleted can be changed.
    let policies = if request.target.operation == "DELETE" { &[] } else { policies };
    let bound = mutating.bound(select(policies, bindings, request, cluster));
    if !bound.is_empty()
        && let Err(refused) = mutating.run(&bound, round, reinvocation)
    {
        mutating.out.refused = Some(refused);
    }
    mutating.end()
}

/// The objects in a version, and whether a mutation has changed them.
struct Version {
    seen: Seen,
    is_changed: bool,
}

struct Mutating<'m> {
    request: &'m Request<'m>,
    cluster: &'m dyn Cluster,
    objects: &'m dyn Objects,
    seen: BTreeMap<&'m str, Version>,
    /// The version of the last mutation.
    last: Option<&'m str>,
    /// What policies say that cannot be evaluated, with the reason if there is one.
    errors: Vec<(Said, Option<&'static str>)>,
    out: Mutated,
}

impl<'m> Mutating<'m> {
    /// The policies that can be used.
    fn bound(&mut self, selected: Vec<Selected<'m>>) -> Vec<Bound<'m>> {
        let mut out = Vec::new();
        for selected in selected {
            match selected {
                Selected::Misconfigured { policy, binding, why } => {
                    self.fail(policy, binding, &misconfigured(binding, &why), None);
                }
                Selected::Bound(bound) => match self.prepare(bound.version) {
                    Ok(()) => out.push(bound),
                    Err(why) => self.fail(bound.policy, None, &misconfigured(None, &why), None),
                },
            }
        }
        out
    }

    fn prepare(&mut self, version: &'m str) -> Result<(), String> {
        if !self.seen.contains_key(version) {
            let seen = (self.request.seen)(version)?;
            self.seen.insert(version, Version { seen, is_changed: false });
        }
        Ok(())
    }

    /// A policy that cannot be used denies the request, unless it ignores failures.
    fn fail(&mut self, policy: &Policy, binding: Option<&Binding>, why: &str, reason: Option<&'static str>) {
        if policy.ignores_failures {
            return;
        }
        let who = match binding {
            Some(binding) => format!("'{}' with binding '{}'", policy.name, binding.name),
            None => crdgen_core::go::quote(&policy.name),
        };
        let text = format!("policy {who} denied request: {why}");
        self.errors.push((Said { policy: policy.name.clone(), validation: None, text }, reason));
    }

    fn run(
        &mut self,
        bound: &[Bound<'m>],
        round: Round,
        reinvocation: &mut Reinvocation,
    ) -> Result<(), Refused> {
        let namespace = self.request.namespace(self.cluster);
        let namespace =
            namespace.ok_or_else(|| Refused::NoNamespace(self.request.target.namespace.to_owned()))?;
        for version in self.seen.values_mut() {
            version.seen.namespace = namespace.clone();
        }
        if round == Round::Second && reinvocation.last.as_ref() != self.request.object {
            reinvocation.require();
        }
        for bound in bound {
            for param in &bound.params {
                self.invoke(bound, param, round, reinvocation)?;
            }
        }
        let object = self.object()?;
        if object.is_some() {
            reinvocation.require();
            reinvocation.is_wanted = true;
        }
        reinvocation.last = object.clone().or_else(|| self.request.object.cloned());
        self.out.object = object;
        Ok(())
    }

    /// The object that the last mutation has changed, in the version of the request.
    fn object(&self) -> Result<Option<Value>, Refused> {
        let last = self.last.and_then(|version| Some((version, self.seen.get(version)?)));
        match last {
            Some((version, Version { seen, is_changed: true })) if !seen.object.is_null() => {
                let object = seen.object.clone();
                if version == self.request.target.version {
                    return Ok(Some(object));
                }
                let converted = self.objects.convert(object, self.request.target.version);
                let failed = |why: Message| Refused::Internal(format!("failed to convert object: {why}"));
                converted.map(Some).map_err(failed)
            }
            _ => Ok(None),
        }
    }

    /// Applies the mutations of a policy with a parameter, one after the other.
    fn invoke(
        &mut self,
        Bound { policy, binding, version, .. }: &Bound<'m>,
        param: &Param,
        round: Round,
        reinvocation: &mut Reinvocation,
    ) -> Result<(), Refused> {
        let Some(Version { mut seen, mut is_changed }) = self.seen.remove(version) else { return Ok(()) };
        let key = (policy.name.clone(), binding.name.clone(), param.shown());
        let is_concerned = self.is_met(policy, binding, &seen, param)
            && (round == Round::First || reinvocation.again.contains(&key));
        let mut result = Ok(());
        if is_concerned {
            let before = seen.object.clone();
            for (index, mutation) in policy.mutations.iter().enumerate() {
                self.last = Some(version);
                if seen.object.is_null() {
                    continue;
                }
                match self.apply(policy, (index, mutation), &seen, param) {
                    Ok(object) => {
                        seen.object = object;
                        is_changed = true;
                    }
                    Err(NotApplied::Policy(why)) => self.fail(policy, Some(binding), &why, Some("Invalid")),
                    Err(NotApplied::Object(refused)) => {
                        result = Err(refused);
                        break;
                    }
                }
            }
            if seen.object != before {
                reinvocation.require();
                reinvocation.is_wanted = true;
            }
            if policy.is_reinvoked {
                reinvocation.invoked.insert(key);
            }
        }
        self.seen.insert(version, Version { seen, is_changed });
        result
    }

    fn is_met(&mut self, policy: &Policy, binding: &Binding, seen: &Seen, param: &Param) -> bool {
        if policy.conditions.is_empty() {
            return true;
        }
        let mut conditions = Vec::new();
        let matched =
            policy.conditions.are_fulfilled(&policy.variables, seen, param, self.cluster, &mut conditions);
        let matched = match matched {
            Err(_) if policy.ignores_failures => Ok(false),
            matched => matched,
        };
        let is_met = matches!(matched, Ok(true));
        if let Err(why) = &matched {
            self.fail(policy, Some(binding), why, Some("Invalid"));
        }
        let (policy, param) = (policy.name.clone(), param.shown());
        self.out.evaluated.push(Evaluated { policy, param, part: Part::Conditions { conditions, matched } });
        is_met
    }

    fn apply(
        &mut self,
        policy: &Policy,
        (index, mutation): (usize, &Mutation),
        seen: &Seen,
        param: &Param,
    ) -> Result<Value, NotApplied> {
        if let Some(why) = self.objects.unknown() {
            return Err(NotApplied::Object(Refused::Unavailable(why)));
        }
        let mut cost = None;
        let value = evaluated((policy, mutation), seen, param, self.cluster, &mut cost);
        let mut shown = None;
        let result = match value {
            Err(why) => Err(NotApplied::Policy(why)),
            Ok(value) => match mutation.patch {
                PatchType::ApplyConfiguration => {
                    let configuration = patch::configuration(&value);
                    shown =
                        configuration.as_ref().ok().filter(|(_, is_json)| *is_json).map(|(it, _)| it.clone());
                    let made =
                        patch::check_types(&value).and(configuration).and_then(|(configuration, _)| {
                            self.objects.overlay(seen.object.clone(), configuration).map_err(|why| why.0)
                        });
                    made.map_err(NotApplied::Policy)
                }
                PatchType::JsonPatch => self.patched(&value, seen),
            },
        };
        let result = result.and_then(|object| match json::length(&object) {
            0..=MOST_BYTES => Ok(object),
            _ => Err(NotApplied::Object(Refused::Internal(
                "crdgen ends mutations that make an object larger than any that a server stores".to_owned(),
            ))),
        });
        let error = result.as_ref().err().map(|why| match why {
            NotApplied::Policy(why) => why.clone(),
            NotApplied::Object(refused) => refused.clone().denied().said.text,
        });
        let part = Part::Mutation { index, patch: mutation.patch, value: shown, error, cost };
        let (policy, param) = (policy.name.clone(), param.shown());
        self.out.evaluated.push(Evaluated { policy, param, part });
        result
    }

    /// The object after a JSON patch.
    fn patched(&self, value: &Val<'_>, seen: &Seen) -> Result<Value, NotApplied> {
        let steps = patch::steps(value).map_err(NotApplied::Policy)?;
        let mut patched = seen.object.clone();
        match json_patch::apply(&mut patched, &steps) {
            Ok(()) => {}
            Err(why) if why.is_failed_test() => return Ok(seen.object.clone()),
            Err(why) => return Err(NotApplied::Policy(format!("JSON Patch: {why}"))),
        }
        let failed = |why| NotApplied::Object(Refused::Internal(why));
        if !seen.is_custom {
            ObjectType::of(&seen.object).complete(&mut patched);
        } else if patched.text("kind").is_empty() {
            return Err(failed(format!("Object 'Kind' is missing in '{}'", json::to_string(&patched))));
        }
        self.objects.read(patched).map_err(|why| failed(why.0))
    }

    fn end(self) -> Mutated {
        let mut out = self.out;
        if out.refused.is_none()
            && let Some((_, reason)) = self.errors.first()
        {
            let reason = reason.unwrap_or("Forbidden");
            let said = self.errors.into_iter().map(|(said, _)| said).collect();
            out.refused = Some(Refused::Denied { reason, said });
        }
        out
    }
}

/// Why a mutation is not applied.
enum NotApplied {
    /// The policy is wrong about the object.
    Policy(String),
    /// The server fails, which no policy ignores.
    Object(Refused),
}

/// The value of the expression of a mutation.
fn evaluated<'v>(
    (policy, mutation): (&'v Policy, &'v Mutation),
    seen: &'v Seen,
    param: &'v Param,
    cluster: &'v dyn Cluster,
    cost: &mut Option<u64>,
) -> Result<Val<'v>, String> {
    if let Some(mistake) = mutation.expression.mistake() {
        *cost = Some(0);
        return Err(mistake.to_owned());
    }
    let mut evaluator = Evaluator::new(&policy.variables, seen, param, cluster);
    let given = evaluator.give(&mutation.expression, &mut { BUDGET })?;
    *cost = Some(given.cost);
    given.value.map_err(|why| why.text().to_owned())
}

#[cfg(test)]
mod tests {
    use crate::policies::{Asked, Offline};
    use crdgen_core::json;
    use crdgen_core::value::Value;

    /// Each mutation may double an object, and a policy may have any number of them.
    #[test]
    fn mutations_double_no_object_without_end() {
        let double = r#"{"patchType":"JSONPatch","jsonPatch":{"expression":"[JSONPatch{op:'add',path:'/data/'+string(object.data.size()),value:object.data['0']+object.data['0']},JSONPatch{op:'copy',from:'/data/'+string(object.data.size()),path:'/data/0'}]"}}"#;
        let policy = format!(
            r#"{{"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingAdmissionPolicy","metadata":{{"name":"p"}},"spec":{{
                "reinvocationPolicy":"Never","failurePolicy":"Ignore","matchConstraints":{{"resourceRules":[{{"apiGroups":[""],
                "apiVersions":["v1"],"operations":["*"],"resources":["configmaps"]}}]}},"mutations":[{}]}}}}"#,
            [double; 40].join(",")
        );
        let binding = r#"{"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingAdmissionPolicyBinding",
            "metadata":{"name":"b"},"spec":{"policyName":"p"}}"#;
        let object = r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"0":"aaaa"}}"#;
        let [policy, binding, object] =
            [&*policy, binding, object].map(|text| json::read(text.as_bytes()).expect("JSON"));
        let (definitions, user) = (Vec::new(), Value::Null);
        let asked = Asked {
            operation: "CREATE",
            object: Some(&object),
            old: None,
            resource: None,
            subresource: "",
            namespace: "",
            name: "",
            user: &user,
            dry_run: false,
        };
        let denied = Offline::new(&definitions, &[policy, binding]).admit(&asked).decided.denied;
        assert!(
            denied.is_some_and(|denied| denied.said.text.contains("larger than any that a server stores"))
        );
    }
}
