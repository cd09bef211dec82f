//! The operation `policy` of `crdgen rpc`: what admission policies make of a write, and what they decide about it.

use super::conditions::Condition;
use super::decide::{Annotation, Decided, Decision, Judged};
use super::mutate::{Evaluated, Part};
use super::offline::{Admitted, Asked, Offline, Permissions, of_policy};
use super::policy::Purpose;
use super::types::{TypeWarning, type_warnings};
use crate::meta::{map, text};
use crdgen_core::object::Served;
use crdgen_core::rpc::{BadRequest, Other};
use crdgen_core::server::Server;
use crdgen_core::value::{Map, Value};
use crdgen_core::{decode, yaml};

/// The operation, for `crdgen_core::rpc`.
pub const POLICY: Other = Other { name: "policy", needs: &["policy"], answer };

fn answer(request: &Value) -> Result<Map<Value>, BadRequest> {
    let text_of = |name: &str| match request.get(name) {
        Some(Value::Str(text)) => Ok(text.as_str()),
        None | Some(Value::Null) => Ok(""),
        Some(_) => Err(BadRequest(format!("{name} must be a string"))),
    };
    let list = |name: &str| request.get(name).and_then(Value::as_list).unwrap_or_default();
    let all = |text: &str| -> Result<Vec<Value>, BadRequest> {
        let (documents, problems) = yaml::read(text.as_bytes());
        match problems.first() {
            Some(problem) => Err(BadRequest(problem.text.clone())),
            None => Ok(documents.into_iter().map(|document| document.value).collect()),
        }
    };
    let one = |name: &str| Ok(all(text_of(name)?)?.into_iter().next());
    let mut crds = Vec::new();
    for text in [text_of("crd")?].into_iter().chain(list("crds").iter().filter_map(Value::as_str)) {
        for document in all(text)? {
            let (crd, _) = decode::crd(document);
            crds.push(crd.ok_or_else(|| BadRequest("crd: it cannot be decoded".to_owned()))?);
        }
    }
    let mut objects = all(text_of("policy")?)?;
    let number = objects.len();
    objects.extend(all(text_of("binding")?)?);
    for param in list("params").iter().filter_map(Value::as_str) {
        objects.extend(all(param)?);
    }
    let (object, old) = (one("object")?, one("oldObject")?);
    let served = crds.into_iter().map(Served::new).collect::<Result<Vec<_>, _>>();
    let served = served.map_err(|why| BadRequest(format!("crd: {why}")))?;
    let mut offline = Offline::new(&served, &objects).with_permissions(permissions(request));
    if let Some(namespace) = one("namespaceObject")? {
        offline.add_namespace(named(namespace, request, &object));
    }
    let are = |purpose: Purpose| move |object: &&Value| of_policy(object) == Some(purpose);
    let warnings = objects[..number].iter().filter(are(Purpose::Validating)).flat_map(|policy| {
        let shown = |warning: TypeWarning| type_warning(policy, &warning);
        type_warnings(policy, &served, Server::NEWEST).into_iter().map(shown)
    });
    let warnings = Value::List(warnings.collect());
    let mut out = Map::from_iter([("typeWarnings", warnings)]);
    if object.is_none() && old.is_none() {
        return Ok(out);
    }
    let resource = request.get("resource").filter(|it| !it.is_null());
    let resource = resource.map(|it| [it.text("group"), it.text("version"), it.text("resource")]);
    let anonymous = map([
        ("username", "system:anonymous".into()),
        ("groups", Value::List(vec!["system:unauthenticated".into()])),
    ]);
    let operation = text_of("operation")?;
    let asked = Asked {
        operation: if operation.is_empty() { "CREATE" } else { operation },
        object: object.as_ref(),
        old: old.as_ref(),
        resource,
        subresource: text_of("subresource")?,
        namespace: text_of("namespace")?,
        name: text_of("name")?,
        user: request.get("userInfo").filter(|it| !it.is_null()).unwrap_or(&anonymous),
        dry_run: request.get("dryRun").and_then(Value::as_bool).unwrap_or_default(),
    };
    let admitted = offline.admit(&asked);
    let mut decision = shown(&admitted);
    if let Value::Map(decision) = &mut decision
        && objects[..number].iter().any(|object| are(Purpose::Mutating)(&object))
        && admitted.decided.denied.is_none()
    {
        decision.insert("object", admitted.object.unwrap_or_default());
        decision.insert("reinvoked", Value::Bool(admitted.is_reinvoked));
    }
    out.insert("decision", decision);
    Ok(out)
}

fn permissions(request: &Value) -> Permissions {
    let Some(authorizer) = request.get("authorizer") else { return Permissions::default() };
    let rules = |name: &str| {
        let rules = authorizer.get(name).and_then(Value::as_list).unwrap_or_default();
        rules.iter().filter_map(|rule| rule.as_map().cloned()).collect()
    };
    Permissions { allow: rules("allow"), deny: rules("deny"), error: authorizer.text("error").to_owned() }
}

fn type_warning(policy: &Value, warning: &TypeWarning) -> Value {
    let TypeWarning { field, kind, wrong } = warning;
    let why = &wrong.why;
    map([
        ("policy", text(policy, "name").into()),
        ("fieldRef", field.to_string().into()),
        ("warning", format!("{kind}: {why}\n").into()),
    ])
}

/// A namespace without a name has that of the request.
fn named(mut namespace: Value, request: &Value, object: &Option<Value>) -> Value {
    let of_object = object.as_ref().map(|it| text(it, "namespace")).unwrap_or_default();
    let of_request = request.text("namespace");
    let name = [of_request, of_object, "default"].into_iter().find(|it| !it.is_empty());
    if text(&namespace, "name").is_empty() {
        crate::meta::set(&mut namespace, "name", name.map(Value::from));
    }
    if let Value::Map(map) = &mut namespace {
        map.insert("apiVersion", "v1".into());
        map.insert("kind", "Namespace".into());
    }
    namespace
}

fn shown(admitted: &Admitted) -> Value {
    let Decided { denied, warnings, annotations, judged } = &admitted.decided;
    let evaluations = admitted.evaluated.iter().map(evaluated).chain(judged.iter().map(evaluation)).collect();
    let texts = annotations.iter().map(|(key, value)| (key.as_str(), Value::from(value.as_str())));
    let mut out = map([
        ("allowed", Value::Bool(denied.is_none())),
        ("warnings", Value::List(warnings.iter().map(|said| said.text.as_str().into()).collect())),
        ("auditAnnotations", Value::Map(texts.collect())),
        ("evaluations", Value::List(evaluations)),
    ]);
    if let (Some(denied), Value::Map(out)) = (denied, &mut out) {
        let status =
            [("reason", denied.reason.as_str().into()), ("message", denied.said.text.as_str().into())];
        out.insert("status", map(status));
    }
    out
}

fn cost(cost: Option<u64>) -> Value {
    Value::Int(cost.and_then(|cost| i64::try_from(cost).ok()).unwrap_or(-1))
}

/// The members that are there.
fn some<const N: usize>(members: [(&str, Option<Value>); N]) -> Value {
    Value::Map(members.into_iter().filter_map(|(name, value)| Some((name, value?))).collect())
}

fn not_empty(text: &str) -> Option<Value> {
    (!text.is_empty()).then(|| text.into())
}

fn list(items: Vec<Value>) -> Option<Value> {
    Some(Value::List(items)).filter(|it| it.as_list() != Some(&[]))
}

/// What was evaluated of a mutating policy.
fn evaluated(Evaluated { policy, param, part }: &Evaluated) -> Value {
    let (conditions, matched, mutation) = match part {
        Part::Conditions { conditions, matched } => (conditions.as_slice(), Some(matched), None),
        Part::Mutation { index, patch, value, error, cost: own } => {
            let mutation = some([
                ("index", Some(Value::Int(*index as i64))),
                ("type", Some(patch.name().into())),
                ("value", value.clone()),
                ("error", error.as_deref().map(Value::from)),
                ("cost", Some(cost(*own))),
            ]);
            (&[][..], None, Some(mutation))
        }
    };
    some([
        ("policy", Some(policy.as_str().into())),
        ("param", param.as_deref().map(Value::from)),
        ("matchConditions", list(conditions.iter().map(condition).collect())),
        ("matched", matched.map(|it| Value::Bool(*it == Ok(true)))),
        ("matchError", matched.and_then(|it| it.as_ref().err()).map(|why| why.as_str().into())),
        ("mutation", mutation),
    ])
}

fn evaluation(judged: &Judged) -> Value {
    let Judged { policy, param, conditions, matched, match_error, decisions, annotations } = judged;
    some([
        ("policy", Some(policy.as_str().into())),
        ("param", param.as_deref().map(Value::from)),
        ("matchConditions", list(conditions.iter().map(condition).collect())),
        ("matched", matched.map(Value::Bool)),
        ("matchError", match_error.as_deref().map(Value::from)),
        ("validations", list(decisions.iter().map(decision).collect())),
        ("auditAnnotations", list(annotations.iter().map(annotation).collect())),
    ])
}

fn condition(condition: &Condition) -> Value {
    let Condition { name, result, cost: own } = condition;
    some([
        ("name", Some(name.as_str().into())),
        ("result", Some(result.as_ref().map_or(Value::Null, |it| Value::Bool(*it)))),
        ("error", result.as_ref().err().map(|why| why.as_str().into())),
        ("cost", Some(cost(Some(*own)))),
    ])
}

fn decision(decision: &Decision) -> Value {
    let Decision { denies, is_error, message, reason, cost: own, message_cost } = decision;
    let evaluation = match (is_error, denies) {
        (true, _) => "error",
        (false, true) => "deny",
        (false, false) => "admit",
    };
    some([
        ("action", Some(if *denies { "deny" } else { "admit" }.into())),
        ("evaluation", Some(evaluation.into())),
        ("message", not_empty(message)),
        ("reason", not_empty(reason)),
        ("cost", Some(cost(*own))),
        ("messageCost", message_cost.map(|own| cost(Some(own)))),
    ])
}

fn annotation(annotation: &Annotation) -> Value {
    let Annotation { key, value, denies, cost: own } = annotation;
    let action = match value {
        Ok(Some(_)) => "publish",
        Err(_) if *denies => "error",
        Ok(None) | Err(_) => "exclude",
    };
    some([
        ("key", Some(key.as_str().into())),
        ("action", Some(action.into())),
        ("value", value.as_ref().ok().and_then(|it| it.as_deref().map(Value::from))),
        ("error", value.as_ref().err().map(|why| why.as_str().into())),
        ("cost", Some(cost(Some(*own)))),
    ])
}
