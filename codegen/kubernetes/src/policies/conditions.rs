//! The conditions under which a policy applies or a webhook is called.

use super::cluster::Cluster;
use super::evaluate::{Evaluator, Expression, Given, Param, Seen, all};
use crate::expressions::{Age, Authorizer, Compiler, Output, Uses};
use crdgen_core::cel::types::Ty;
use crdgen_core::cel::value::Val;
use crdgen_core::value::Value;

/// What the conditions for one request may cost.
const BUDGET: u64 = 2_500_000;

/// Conditions, by their names.
#[derive(Debug)]
pub struct Conditions(Vec<(String, Expression)>);

/// A condition that was evaluated.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The name.
    pub name: String,
    /// Whether it is fulfilled, or why it cannot be evaluated.
    pub result: Result<bool, String>,
    /// What it costs.
    pub cost: u64,
}

impl Conditions {
    /// Reads the stored conditions of a webhook.
    pub fn of_webhook(conditions: &[Value]) -> Conditions {
        let mut compiler = Compiler::new(Uses::default());
        let compiled = |item: &Value| {
            let text = item.text("expression");
            let checked = compiler.compile(text, Output::One(Ty::BOOL), Authorizer::Known, Age::Stored);
            (item.text("name").to_owned(), Expression::new(text, checked))
        };
        Conditions(conditions.iter().map(compiled).collect())
    }

    pub(super) fn of_policy(conditions: Vec<(String, Expression)>) -> Conditions {
        Conditions(conditions)
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether all are fulfilled for a request about which a webhook may be asked.
    ///
    /// # Errors
    /// Fails if all that can be evaluated are fulfilled, and some cannot.
    pub fn are_met(&self, seen: &Seen, cluster: &dyn Cluster) -> Result<bool, String> {
        self.are_fulfilled(&[], seen, &Param::default(), cluster, &mut Vec::new())
    }

    /// The same for a policy. Adds what each condition gives.
    pub(super) fn are_fulfilled(
        &self,
        variables: &[(String, Expression)],
        seen: &Seen,
        param: &Param,
        cluster: &dyn Cluster,
        out: &mut Vec<Condition>,
    ) -> Result<bool, String> {
        // They do not see the namespace, and of the request its own resource.
        let mut request = seen.request.clone();
        let resource = request.get("requestResource").cloned();
        if let (Some(resource), Value::Map(request)) = (resource, &mut request) {
            request.insert("resource", resource);
        }
        let evaluator = Evaluator::new(variables, seen, param, cluster).with([&request, &Value::Null]);
        let given = all(evaluator, self.0.iter().map(|(_, it)| Some(it)), &mut { BUDGET })?;
        for ((name, _), given) in self.0.iter().zip(given) {
            let Some(Given { value, cost }) = given else { continue };
            let result = value.map(|it| matches!(it, Val::Bool(true))).map_err(|why| why.text().to_owned());
            out.push(Condition { name: name.clone(), result, cost });
        }
        if out.iter().any(|it| it.result == Ok(false)) {
            return Ok(false);
        }
        let mut errors: Vec<&str> = Vec::new();
        for why in out.iter().filter_map(|it| it.result.as_ref().err()) {
            if !errors.contains(&why.as_str()) {
                errors.push(why);
            }
        }
        match &errors[..] {
            [] => Ok(true),
            [one] => Err((*one).to_owned()),
            several => Err(format!("[{}]", several.join(", "))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policies::Offline;
    use crdgen_core::json;

    #[test]
    fn conditions_see_the_objects_and_the_request() {
        let read = |text: &str| json::read(text.as_bytes()).expect("JSON");
        let seen = Seen {
            object: read(r#"{"spec":{"size":3}}"#),
            request: read(r#"{"operation":"CREATE","userInfo":{"username":"admin"}}"#),
            is_custom: true,
            ..Seen::default()
        };
        let all = |expressions: &[&str]| {
            let condition = |it: &&str| crate::meta::map([("expression", (*it).into())]);
            let conditions: Vec<Value> = expressions.iter().map(condition).collect();
            Conditions::of_webhook(&conditions).are_met(&seen, &Offline::new(&Vec::new(), &[]))
        };
        assert_eq!(all(&["object.spec.size > 2", "oldObject == null"]), Ok(true));
        assert_eq!(all(&["request.operation == 'UPDATE'"]), Ok(false));
        assert_eq!(all(&["object.nothing", "request.operation == 'UPDATE'"]), Ok(false));
        let why = "expression 'object.nothing == 1' resulted in error: no such key: nothing";
        assert_eq!(all(&["object.nothing == 1"]), Err(why.to_owned()));
        assert!(all(&["object.spec +"]).is_err_and(|why| why.contains("compilation failed: ERROR")));
    }
}
