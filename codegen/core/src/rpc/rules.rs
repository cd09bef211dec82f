//! The answer to a request about the rules of a CRD: the compiled form and the cost of each. It is JSON text, because
//! costs go up to 2⁶⁴ and a [`Value`] cannot contain such integers.

use crate::check::schema::defaults;
use crate::check::validations::{Checker, Report, walk};
use crate::diag::{Diag, Diags};
use crate::ir::{Crd, Schema};
use crate::json::{self, list, object};
use crate::path::Path;
use crate::rules::{Environments, Preexisting, RULE_LIMIT, Rejection, TOTAL_LIMIT};
use crate::server::Server;
use crate::structural;
use crate::value::{Map, Value};

/// Compiles all rules of a CRD and estimates their costs. Expressions that `old` has are compiled as stored ones.
/// `skip` returns why the rules of a schema are not checked, if so. The fields of the answer are JSON text.
pub(super) fn answer(
    crd: &Crd,
    old: Option<&Crd>,
    server: Server,
    skip: &dyn Fn(&Schema, Server) -> Option<String>,
) -> Map<String> {
    let mut environments = Environments::of_server(server);
    if let Some(old) = old {
        environments.preexisting = Preexisting::of(old);
    }
    let versions = crd.spec.versions.iter().enumerate().map(|(i, version)| {
        let mut fields = vec![("version", text(version.name.as_str()))];
        match crd.spec.schema_of(i) {
            None => fields.push(("rules", list([]))),
            Some(schema) => match skip(schema, server) {
                Some(reason) => {
                    fields.push(("rules", list([])));
                    fields.push(("skipped", text(reason)));
                }
                None => fields.extend(rules(schema, &environments)),
            },
        }
        object(fields)
    });
    let fields = [
        ("versions", list(versions)),
        ("ruleLimit", RULE_LIMIT.to_string()),
        ("crdLimit", TOTAL_LIMIT.to_string()),
    ];
    fields.into_iter().collect()
}

fn rules(schema: &Schema, environments: &Environments) -> Vec<(&'static str, String)> {
    let mut rules = Checker::new(environments);
    walk(schema, &Path::ROOT.child("openAPIV3Schema"), &mut rules, &mut Diags::new());
    let expensive = rules.total.most_expensive.iter();
    let expensive =
        expensive.map(|e| object([("path", text(e.path.as_str())), ("cost", e.cost.to_string())]));
    vec![
        ("rules", list(rules.reports.iter().map(report))),
        ("errors", text(std::mem::take(&mut rules.failures))),
        ("totalCost", rules.total.cost.to_string()),
        ("mostExpensive", list(expensive)),
        ("overLimit", text(rules.total.is_over())),
    ]
}

fn report(report: &Report) -> String {
    let compiled = &report.compiled;
    let mut fields = vec![
        ("path", text(report.path.as_str())),
        ("index", report.index.to_string()),
        ("rule", text(report.rule.rule.as_str())),
        ("transition", text(compiled.uses_old_self)),
        ("maxCost", compiled.max_cost().to_string()),
        ("maxCardinality", report.cardinality.map_or_else(|| text(Value::Null), |n| n.to_string())),
        ("sizeCardinality", compiled.size_cardinality.to_string()),
        ("cost", report.cost.to_string()),
        ("overLimit", text(report.cost > RULE_LIMIT)),
        ("messageExpressionCost", report.message_cost().unwrap_or(0).to_string()),
        ("messageExpressionOverLimit", text(report.message_cost().unwrap_or(0) > RULE_LIMIT)),
    ];
    if let Some(Err(rejection)) = &compiled.rule {
        fields.push(("error", error(rejection)));
    }
    if let Some(path) = &report.uncorrelatable {
        fields.push(("uncorrelatable", text(path.as_str())));
    }
    if !report.rule.message_expression.is_empty() {
        fields.push(("messageExpression", text(report.rule.message_expression.as_str())));
    }
    if let Some(Err(rejection)) = &compiled.message {
        fields.push(("messageExpressionError", error(rejection)));
    }
    if let Some(path) = &compiled.field_path {
        fields.push(("normalizedFieldPath", text(path.as_str())));
    }
    object(fields)
}

fn error(rejection: &Rejection) -> String {
    object([("type", text("RuleInvalid")), ("detail", text(rejection.detail.as_str()))])
}

fn text(value: impl Into<Value>) -> String {
    json::to_string(&value.into())
}

/// Why the server does not check the rules of a schema, if so.
pub(super) fn why_no_rules(schema: &Schema, server: Server) -> Option<String> {
    let path = Path::ROOT.child("openAPIV3Schema");
    if let Err(why) = structural::convertible(schema) {
        return Some(format!("not structural: {why}"));
    }
    let errors = structural::validate(&path, schema, server);
    if !errors.is_empty() {
        return Some(format!("not structural: {}", aggregate(&server.printed(errors))));
    }
    let environments = Environments::of_server(server);
    let errors = defaults::validate(&path, schema, true, server, &mut Checker::new(&environments));
    (!errors.is_empty()).then(|| format!("defaults: {}", aggregate(&server.printed(errors))))
}

/// Many errors as one text, each once.
fn aggregate(errors: &Diags) -> String {
    let mut texts: Vec<String> = Vec::new();
    for text in errors.iter().map(Diag::text) {
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    if let [one] = &texts[..] { one.clone() } else { format!("[{}]", texts.join(", ")) }
}
