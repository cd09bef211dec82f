//! Which policies decide about a request, with which parameters.

use super::cluster::{Cluster, KindFacts, ParamKind};
use super::evaluate::Param;
use super::policy::{Binding, Constraints, Policy};
use super::request::Request;
use crate::labels::of_labels;
use crate::meta::text;
use crdgen_core::metadata::Scope;
use crdgen_core::value::Value;

/// A policy that concerns a request.
pub(super) enum Selected<'s> {
    /// A binding brings it.
    Bound(Bound<'s>),
    /// It cannot be used.
    Misconfigured {
        policy: &'s Policy,
        /// The binding, if it is the reason.
        binding: Option<&'s Binding>,
        /// The server's words.
        why: String,
    },
}

/// The server's words about a policy, or a binding of it, that cannot be used.
pub(super) fn misconfigured(binding: Option<&Binding>, why: &str) -> String {
    let what = if binding.is_some() { "binding" } else { "policy" };
    format!("failed to configure {what}: {why}")
}

/// A policy with a binding.
pub(super) struct Bound<'s> {
    pub(super) policy: &'s Policy,
    pub(super) binding: &'s Binding,
    /// The version in which it sees the objects.
    pub(super) version: &'s str,
    pub(super) params: Vec<Param>,
}

/// Resources that are not stored, and those of policies, which policies do not concern.
const EXCLUDED: &[(&str, &str)] = &[
    ("admissionregistration.k8s.io", "mutatingadmissionpolicies"),
    ("admissionregistration.k8s.io", "mutatingadmissionpolicybindings"),
    ("admissionregistration.k8s.io", "validatingadmissionpolicies"),
    ("admissionregistration.k8s.io", "validatingadmissionpolicybindings"),
    ("authentication.k8s.io", "selfsubjectreviews"),
    ("authentication.k8s.io", "tokenreviews"),
    ("authorization.k8s.io", "localsubjectaccessreviews"),
    ("authorization.k8s.io", "selfsubjectaccessreviews"),
    ("authorization.k8s.io", "selfsubjectrulesreviews"),
    ("authorization.k8s.io", "subjectaccessreviews"),
];

/// The policies that concern a request, in their order. Those without a binding concern none.
pub(super) fn select<'s>(
    policies: &[&'s Policy],
    bindings: &'s [Binding],
    request: &'s Request<'s>,
    cluster: &'s dyn Cluster,
) -> Vec<Selected<'s>> {
    let mut selecting = Selecting { request, cluster, out: Vec::new() };
    if !EXCLUDED.contains(&(request.target.group, request.target.plural)) {
        for policy in policies {
            let own = bindings.iter().filter(|it| it.policy == policy.name && it.purpose == policy.purpose);
            let own: Vec<&Binding> = own.collect();
            if !own.is_empty() {
                selecting.policy(policy, &own);
            }
        }
    }
    selecting.out
}

struct Selecting<'s> {
    request: &'s Request<'s>,
    cluster: &'s dyn Cluster,
    out: Vec<Selected<'s>>,
}

impl<'s> Selecting<'s> {
    fn policy(&mut self, policy: &'s Policy, bindings: &[&'s Binding]) {
        let version = match &policy.constraints {
            None => Err("policy contained no match constraints, a required field".to_owned()),
            Some(constraints) => self.version(constraints),
        };
        let misconfigured = |binding, why| Selected::Misconfigured { policy, binding, why };
        let version = match version {
            Err(why) => return self.out.push(misconfigured(None, why)),
            Ok(None) => return,
            Ok(Some(version)) => version,
        };
        let params = match &policy.param_kind {
            None => None,
            Some(kind) => match self.cluster.facts(kind) {
                Some(facts) => Some((kind, facts)),
                None => {
                    let ParamKind { api_version, kind } = kind;
                    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
                    let why = format!(
                        "failed to find resource referenced by paramKind: '{group}/{version}, Kind={kind}'"
                    );
                    return self.out.push(misconfigured(None, why));
                }
            },
        };
        for binding in bindings {
            let concerns = match &binding.constraints {
                None => Ok(true),
                Some(constraints) => self.version(constraints).map(|version| version.is_some()),
            };
            let params = concerns.and_then(|it| it.then(|| self.params(params, binding)).transpose());
            match params {
                Err(why) => self.out.push(misconfigured(Some(binding), why)),
                Ok(None) => {}
                Ok(Some(params)) => {
                    self.out.push(Selected::Bound(Bound { policy, binding, version, params }))
                }
            }
        }
    }

    /// The version in which a policy or a binding concerns the request.
    fn version(&self, constraints: &Constraints) -> Result<Option<&'s str>, String> {
        let Request { target, object, old, .. } = self.request;
        let find = |name: &str| self.cluster.namespace(name);
        let selected = constraints.selectors.select_namespace(target, *object, find);
        if selected == Ok(false) || !constraints.selectors.select_objects(*object, *old) {
            return Ok(None);
        }
        if constraints.excluded.version(target).is_some() {
            return Ok(None);
        }
        let version = match constraints.rules.is_empty() {
            true => Some(target.version),
            false => constraints.rules.version(target),
        };
        match selected {
            Err(name) if version.is_some() => Err(format!("namespaces \"{name}\" not found")),
            Ok(_) | Err(_) => Ok(version),
        }
    }

    /// The parameters of a binding. One that is null if there are none.
    fn params(&self, kind: Option<(&ParamKind, KindFacts)>, binding: &Binding) -> Result<Vec<Param>, String> {
        let (Some((kind, KindFacts { scope, is_custom })), Some(reference)) = (kind, &binding.param) else {
            return Ok(vec![Param::default()]);
        };
        let namespace = reference.text("namespace");
        let namespace = match scope {
            Scope::Namespaced => match [namespace, self.request.target.namespace] {
                ["", ""] => {
                    let why = "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources";
                    return Err(why.to_owned());
                }
                ["", of_request] => Some(of_request),
                [namespace, _] => Some(namespace),
            },
            Scope::Cluster if !namespace.is_empty() => {
                let why = "paramRef.namespace must not be provided for a cluster-scoped `paramKind`";
                return Err(why.to_owned());
            }
            Scope::Cluster => None,
        };
        let name = reference.text("name");
        let selector = reference.get("selector").and_then(of_labels);
        let is_wanted = |param: &Value| match name {
            "" => selector.as_ref().is_none_or(|selector| selector.matches(param)),
            name => text(param, "name") == name,
        };
        let params = self.cluster.objects(kind, namespace, &is_wanted);
        if params.is_empty() && reference.text("parameterNotFoundAction") == "Deny" {
            return Err("no params found for policy binding with `Deny` parameterNotFoundAction".to_owned());
        }
        Ok(params.into_iter().map(|object| Param { object, is_custom }).collect())
    }
}
