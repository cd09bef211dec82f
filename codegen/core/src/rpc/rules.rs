//! The answer to a request about the rules of a definition: what each compiles to and costs.

use crate::check::schema::defaults;
use crate::check::validations::{Checker, Report, walk};
use crate::diag::{Diag, Diags};
use crate::ir::{Crd, Schema};
use crate::path::Path;
use crate::rules::{Environments, Failure, Preexisting, RULE_LIMIT, TOTAL_LIMIT};
use crate::server::Server;
use crate::structural;
use crate::value::{Map, Value};

/// Compiles and costs all rules of a definition. Expressions that `old` has are compiled as stored
/// ones. `skip` says why no rule of a schema is looked at, if so.
pub(super) fn answer(
    crd: &Crd,
    old: Option<&Crd>,
    server: Server,
    skip: &dyn Fn(&Schema, Server) -> Option<String>,
) -> Value {
    let mut environments = Environments::of_server(server);
    if let Some(old) = old {
        environments.preexisting = Preexisting::of(old);
    }
    let versions = crd.spec.versions.iter().enumerate().map(|(i, version)| {
        let mut fields = vec![("version", Value::from(version.name.as_str()))];
        match crd.spec.schema_of(i) {
            None => fields.push(("rules", Value::List(Vec::new()))),
            Some(schema) => match skip(schema, server) {
                Some(reason) => {
                    fields.push(("rules", Value::List(Vec::new())));
                    fields.push(("skipped", Value::from(reason)));
                }
                None => fields.extend(rules(schema, &environments)),
            },
        }
        object(fields)
    });
    let versions: Vec<Value> = versions.collect();
    object([
        ("versions", versions.into()),
        ("ruleLimit", number(RULE_LIMIT)),
        ("crdLimit", number(TOTAL_LIMIT)),
    ])
}

fn rules(schema: &Schema, environments: &Environments) -> Vec<(&'static str, Value)> {
    let mut rules = Checker::new(environments);
    walk(schema, &Path::ROOT.child("openAPIV3Schema"), &mut rules, &mut Diags::new());
    let expensive = rules.total.most_expensive.iter();
    let expensive: Vec<Value> = expensive
        .map(|e| object([("path", Value::from(e.path.as_str())), ("cost", number(e.cost))]))
        .collect();
    vec![
        ("rules", Value::List(rules.reports.iter().map(report).collect())),
        ("errors", std::mem::take(&mut rules.failures).into()),
        ("totalCost", number(rules.total.cost)),
        ("mostExpensive", expensive.into()),
        ("overLimit", rules.total.is_over().into()),
    ]
}

fn report(report: &Report) -> Value {
    let compiled = &report.compiled;
    let mut fields = vec![
        ("path", Value::from(report.path.as_str())),
        ("index", Value::Int(report.index as i64)),
        ("rule", Value::from(report.rule.rule.as_str())),
        ("transition", compiled.uses_old_self.into()),
        ("maxCost", number(compiled.max_cost())),
        ("maxCardinality", report.cardinality.map_or(Value::Null, number)),
        ("sizeCardinality", number(compiled.size_cardinality)),
        ("cost", number(report.cost)),
        ("overLimit", (report.cost > RULE_LIMIT).into()),
        ("messageExpressionCost", number(report.message_cost().unwrap_or(0))),
        ("messageExpressionOverLimit", (report.message_cost().unwrap_or(0) > RULE_LIMIT).into()),
    ];
    if let Some(Err(failure)) = &compiled.rule {
        fields.push(("error", error(failure)));
    }
    if let Some(path) = &report.uncorrelatable {
        fields.push(("uncorrelatable", path.as_str().into()));
    }
    if !report.rule.message_expression.is_empty() {
        fields.push(("messageExpression", report.rule.message_expression.as_str().into()));
    }
    if let Some(Err(failure)) = &compiled.message {
        fields.push(("messageExpressionError", error(failure)));
    }
    if let Some(path) = &compiled.field_path {
        fields.push(("normalizedFieldPath", path.as_str().into()));
    }
    object(fields)
}

fn error(failure: &Failure) -> Value {
    object([("type", "RuleInvalid".into()), ("detail", failure.detail.as_str().into())])
}

/// A number of 64 bits without a sign; what is too large for one with a sign becomes a float.
fn number(n: u64) -> Value {
    i64::try_from(n).map_or(Value::Float(n as f64), Value::Int)
}

fn object(fields: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    Value::Map(fields.into_iter().collect::<Map<Value>>())
}

/// Why the server looks at no rule of a schema, if so.
pub(super) fn why_no_rules(schema: &Schema, server: Server) -> Option<String> {
    let path = Path::ROOT.child("openAPIV3Schema");
    if let Err(why) = structural::convertible(schema) {
        return Some(format!("not structural: {why}"));
    }
    let errors = structural::validate(&path, schema);
    if !errors.is_empty() {
        return Some(format!("not structural: {}", aggregate(&errors)));
    }
    let environments = Environments::of_server(server);
    let errors = defaults::validate(&path, schema, true, server, &mut Checker::new(&environments));
    (!errors.is_empty()).then(|| format!("defaults: {}", aggregate(&errors)))
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
