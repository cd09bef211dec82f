//! Subresources that are actions: something is created, and happens to an object.

use super::Call;
use crate::admission::Operation;
use crate::answer::Answer;
use crate::meta;
use crate::registry::Subresource;
use crate::state::Unknown;
use crate::status::Failure;
use crate::store::Resource;
use crate::tokens::ISSUER;
use crdgen_core::value::{Map, Value};

impl Call<'_> {
    pub(super) fn act(&mut self, subresource: Subresource) -> Result<Answer, Failure> {
        let body = self.request.read_body()?.value;
        match subresource {
            Subresource::Binding => self.bind(&self.path.name, &body),
            Subresource::Eviction => self.evict(&body),
            Subresource::Token => self.token(body),
            _ => Err(Failure::method_not_allowed()),
        }
    }

    /// What is created, after admission. If it fails, the action does not happen.
    pub(super) fn admit_action(&mut self, name: &str, sent: &Value) -> Result<Value, Failure> {
        let mut object = sent.clone();
        if self.is_admitted_by_webhooks() {
            let admission = self.admission(Operation::Create, name);
            let admitted = admission.mutate(Some(object), None);
            let (denied, warnings) = (admission.take_failure(), admission.warnings.take());
            self.ready()?;
            self.warnings.extend(warnings);
            object = match (admitted, denied) {
                (_, Some(denied)) => return Err(denied),
                (Some(admitted), None) => admitted,
                (None, None) => sent.clone(),
            };
            self.validate(Operation::Create, name, Some(&object), None)?;
        }
        Ok(object)
    }

    /// An object of Kubernetes' own kinds as the server's code encodes it.
    pub(super) fn encoded(&self, resource: &Resource, object: Value) -> Value {
        match self.state.registry.get(resource).and_then(|kind| kind.built_in()) {
            Some(of) => of.decode(object).0,
            None => object,
        }
    }

    /// The answer to an action that has happened.
    pub(super) fn done(&self) -> Answer {
        let done = meta::map([
            ("apiVersion", "v1".into()),
            ("kind", "Status".into()),
            ("metadata", Value::Map(Map::new())),
            ("status", "Success".into()),
            ("code", Value::Int(201)),
        ]);
        Answer { code: 201, ..Answer::value(done) }
    }

    /// Answers a review: everything is allowed.
    pub(super) fn review(&self, mut review: Value) -> Answer {
        let status = match meta::own(&review, "kind") {
            "TokenReview" => self.token_status(review.get("spec").unwrap_or(&Value::Null)),
            "SelfSubjectReview" => meta::map([("userInfo", self.request.user.to_value())]),
            "SelfSubjectRulesReview" => {
                let everything = || Value::List(vec!["*".into()]);
                let resources = meta::map([
                    ("apiGroups", everything()),
                    ("resources", everything()),
                    ("verbs", everything()),
                ]);
                let others = meta::map([("nonResourceURLs", everything()), ("verbs", everything())]);
                meta::map([
                    ("incomplete", false.into()),
                    ("nonResourceRules", Value::List(vec![others])),
                    ("resourceRules", Value::List(vec![resources])),
                ])
            }
            _ => meta::map([("allowed", true.into())]),
        };
        if let Value::Map(map) = &mut review {
            map.insert("status", status);
        }
        Answer { code: 201, ..Answer::value(review) }
    }

    /// Whose token it is, as a review has it.
    fn token_status(&self, spec: &Value) -> Value {
        let asked = spec.get("audiences").and_then(Value::as_list).unwrap_or_default();
        let asked: Vec<&str> = asked.iter().filter_map(Value::as_str).collect();
        let asked = if asked.is_empty() { vec![ISSUER] } else { asked };
        let token = meta::own(spec, "token");
        let all = || asked.iter().map(|&audience| audience.to_owned()).collect::<Vec<_>>();
        let client = self.state.tokens.client(token).map(|user| (user, all()));
        let (user, audiences) = match client.map_or_else(|| self.state.account(token, &asked), Ok) {
            Ok(found) => found,
            Err(why) => {
                let why = match why {
                    Unknown::Token => "invalid bearer token".to_owned(),
                    Unknown::Gone(why) => format!("[invalid bearer token, {why}]"),
                };
                return meta::map([("error", why.into()), ("user", meta::map([]))]);
            }
        };
        meta::map([
            ("authenticated", true.into()),
            ("audiences", audiences.into()),
            ("user", user.to_value()),
        ])
    }
}
