//! Answers reviews: who somebody is, and who may do what.

use super::Call;
use crate::answer::Answer;
use crate::meta::{self, map};
use crate::rbac::{self, Action, Attributes, Authorization, Decision, ResourceAction, Rule};
use crate::state::Unknown;
use crate::status::{Failure, Mistake};
use crate::tokens::ISSUER;
use crate::user::User;
use crdgen_core::diag::Kind;
use crdgen_core::go;
use crdgen_core::value::{Map, Value};
use std::collections::BTreeMap;

impl Call<'_> {
    /// Answers a review. It is not stored.
    pub(super) fn review(&self, mut review: Value) -> Result<Answer, Failure> {
        let nothing = Value::Null;
        let spec = review.get("spec").unwrap_or(&nothing);
        let user = &self.request.user;
        let status = match &*self.kind.names.kind {
            "TokenReview" if spec.text("token").is_empty() => {
                let why = "token is required for TokenReview in authentication";
                return Err(Failure::bad_request(why));
            }
            "TokenReview" => self.token_status(spec),
            "SelfSubjectReview" => map([("userInfo", user.to_value())]),
            "SelfSubjectRulesReview" => self.rules_status(spec.text("namespace"))?,
            "SelfSubjectAccessReview" => {
                self.check_review(&review)?;
                self.access_status(user, spec)
            }
            _ => {
                self.check_review(&review)?;
                self.access_status(&subject(spec), spec)
            }
        };
        if &*self.kind.names.kind == "SelfSubjectReview" {
            // The server answers with a new object, which has a time.
            let time = self.state.clock.now();
            meta::set_at(&mut review, &["metadata"], map([("creationTimestamp", time.into())]));
        }
        if &*self.kind.names.kind == "SelfSubjectRulesReview" {
            // The server answers with a new object.
            for name in ["metadata", "spec"] {
                meta::set_at(&mut review, &[name], Value::Map(Map::new()));
            }
        }
        if let Value::Map(map) = &mut review {
            map.insert("status", status);
        }
        Ok(Answer { code: 201, ..Answer::value(review) })
    }

    /// Whether a user may do what a review asks.
    fn access_status(&self, user: &User, spec: &Value) -> Value {
        let action = asked(spec);
        let attributes = Attributes { user, action: &action };
        let decision = self.state.authorization.decide(&self.state.store, attributes);
        let (allowed, reason) = match decision {
            Decision::Allowed(reason) => (true, reason),
            Decision::NotAllowed(reason) => (false, reason),
        };
        let mut status = map([("allowed", allowed.into())]);
        if let (Value::Map(status), false) = (&mut status, reason.is_empty()) {
            status.insert("reason", reason.into());
        }
        status
    }

    /// What the user may do in a namespace.
    fn rules_status(&self, namespace: &str) -> Result<Value, Failure> {
        if namespace.is_empty() {
            return Err(Failure::bad_request("no namespace on request"));
        }
        let everything = rbac::full_authority().to_vec();
        let (rules, problem) = match self.state.authorization {
            Authorization::AlwaysAllow => (everything, None),
            Authorization::Rbac => {
                let found = rbac::rules_for(&self.state.store, &self.request.user, namespace);
                let problem = found.problem();
                (found.granted.into_iter().map(|granted| granted.rule).collect(), problem)
            }
        };
        let list = |texts: &[&str]| Value::from(texts.to_vec());
        let members = |lists: &[(&str, &Vec<&str>)]| {
            let lists = lists.iter().filter(|(_, texts)| !texts.is_empty());
            Value::Map(lists.map(|(name, texts)| (*name, list(texts))).collect::<Map<Value>>())
        };
        let resource = |rule: &Rule<'_>| {
            members(&[
                ("verbs", &rule.verbs),
                ("apiGroups", &rule.groups),
                ("resources", &rule.resources),
                ("resourceNames", &rule.names),
            ])
        };
        let path = |rule: &Rule<'_>| members(&[("verbs", &rule.verbs), ("nonResourceURLs", &rule.paths)]);
        let resources = rules.iter().filter(|rule| !rule.resources.is_empty()).map(resource).collect();
        let paths = rules.iter().filter(|rule| !rule.paths.is_empty()).map(path).collect();
        let mut status = map([
            ("incomplete", false.into()),
            ("nonResourceRules", Value::List(paths)),
            ("resourceRules", Value::List(resources)),
        ]);
        if let (Value::Map(status), Some(problem)) = (&mut status, problem) {
            status.insert("evaluationError", problem.into());
        }
        Ok(status)
    }

    /// Whose token it is, as a review has it.
    fn token_status(&self, spec: &Value) -> Value {
        let asked = meta::texts(spec, "audiences");
        let asked = if asked.is_empty() { vec![ISSUER] } else { asked };
        let token = spec.text("token");
        let all = || asked.iter().map(|&audience| audience.to_owned()).collect::<Vec<_>>();
        let client = self.state.tokens.client(token).map(|user| (user, all()));
        let (user, audiences) = match client.map_or_else(|| self.state.account(token, &asked), Ok) {
            Ok(found) => found,
            Err(why) => {
                let why = match why {
                    Unknown::Token => "invalid bearer token".to_owned(),
                    Unknown::Gone(why) => format!("[invalid bearer token, {why}]"),
                };
                return map([("error", why.into()), ("user", map([]))]);
            }
        };
        map([("authenticated", true.into()), ("audiences", audiences.into()), ("user", user.to_value())])
    }

    /// Checks a review of access.
    fn check_review(&self, review: &Value) -> Result<(), Failure> {
        let kind = &*self.kind.names.kind;
        let spec = review.get("spec").unwrap_or(&Value::Null);
        let of = |name: &str| spec.get(name).filter(|it| !it.is_null());
        let printed = |path: &Value| {
            let text = |name: &str| go::quote(path.text(name));
            format!(r#"{{"Path":{},"Verb":{}}}"#, text("path"), text("verb"))
        };
        let mut mistakes = Vec::new();
        let (resource, path) = (of("resourceAttributes"), of("nonResourceAttributes"));
        if resource.is_some() == path.is_some() {
            let value = path.map_or_else(|| "null".to_owned(), printed);
            let why = format!(
                "{value}: exactly one of nonResourceAttributes or resourceAttributes must be specified"
            );
            mistakes.push(Mistake::new("spec", Kind::Invalid, why));
        }
        if kind != "SelfSubjectAccessReview"
            && spec.text("user").is_empty()
            && meta::texts(spec, "groups").is_empty()
        {
            let why = "\"\": at least one of user or group must be specified";
            mistakes.push(Mistake::new("spec.user", Kind::Invalid, why));
        }
        if kind == "LocalSubjectAccessReview" {
            let (wanted, found) = (meta::text(review, "namespace"), resource.map(|it| it.text("namespace")));
            if let Some(found) = found.filter(|found| *found != wanted) {
                let why = format!("{}: must match metadata.namespace", go::quote(found));
                mistakes.push(Mistake::new("spec.resourceAttributes.namespace", Kind::Invalid, why));
            }
            if let Some(path) = path {
                let why = format!("{}: disallowed on this kind of request", printed(path));
                mistakes.push(Mistake::new("spec.nonResourceAttributes", Kind::Invalid, why));
            }
        }
        if mistakes.is_empty() {
            return Ok(());
        }
        // The server does not name the kind.
        Err(Failure::invalid_fields("", &self.kind.resource.group, "", &mistakes))
    }
}

/// The user whom a review is about.
fn subject(spec: &Value) -> User {
    let owned = |texts: Vec<&str>| texts.into_iter().map(str::to_owned).collect::<Vec<_>>();
    let extra = spec.get("extra").and_then(Value::as_map);
    let extra: BTreeMap<_, _> = extra
        .into_iter()
        .flat_map(|map| map.iter())
        .map(|(key, values)| {
            let values = values.as_list().unwrap_or_default().iter().filter_map(Value::as_str);
            (key.to_string(), owned(values.collect()))
        })
        .collect();
    User {
        name: spec.text("user").to_owned(),
        uid: spec.text("uid").to_owned(),
        groups: owned(meta::texts(spec, "groups")),
        extra,
    }
}

/// What a review asks.
fn asked(spec: &Value) -> Action {
    let Some(resource) = spec.get("resourceAttributes").filter(|it| !it.is_null()) else {
        let path = spec.get("nonResourceAttributes").unwrap_or(&Value::Null);
        return Action::Path { verb: path.text("verb").to_owned(), path: path.text("path").to_owned() };
    };
    let text = |name: &str| resource.text(name).to_owned();
    Action::Resource(ResourceAction {
        verb: text("verb"),
        group: text("group"),
        resource: text("resource"),
        subresource: text("subresource"),
        namespace: text("namespace"),
        name: text("name"),
    })
}
