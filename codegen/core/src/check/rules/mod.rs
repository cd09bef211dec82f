//! Validation rules of schemas: the bridge between schemas and [`crate::cel`], which knows nothing of
//! them. A walk over a schema carries a [`Scope`] and gives every node to [`Rules`].

mod advice;
mod answer;
mod budget;
mod compile;
mod decl;
mod field_path;
mod names;
mod shape;

use std::cell::OnceCell;

use crate::diag::codes::cel::{
    BAD_MESSAGE_EXPRESSION, BAD_OLD_SELF, BAD_RULE, NO_TYPES, TOO_EXPENSIVE, TOTAL_TOO_EXPENSIVE,
};
use crate::diag::{Diag, Diags, Kind};
use crate::ir::{Additional, Items, Rule, Schema, Type};
use crate::path::Path;
use crate::value::{Map, Value};
pub use advice::{Advice, Bound};
pub use answer::{answer, preexisting};
pub use budget::{RULE_LIMIT, TOTAL_LIMIT, Total};
pub use compile::{Compiled, Compiler, Environments, Expression, Failure, Preexisting};
pub use decl::{DeclId, Decls};
pub use field_path::normalize as normalize_field_path;
pub use names::{escape, is_reserved};
pub use shape::check as check_shape;

/// Where a walk over a schema is, as far as rules are concerned.
#[derive(Debug)]
pub struct Scope<'p> {
    parent: Option<&'p Scope<'p>>,
    schema: &'p Schema,
    step: Step<'p>,
    /// How many values there can be at most, if all lists and maps above are bounded.
    pub cardinality: Option<u64>,
    /// Whether there are rules here or above.
    within_rules: bool,
    /// The highest place above whose values cannot be matched between two revisions.
    uncorrelatable: Option<Path<'p>>,
    decl: OnceCell<Option<DeclId>>,
}

/// How a scope is reached from its parent.
#[derive(Clone, Copy, Debug)]
enum Step<'p> {
    Root,
    Property(&'p str),
    Items,
    Values,
}

impl<'p> Scope<'p> {
    /// The scope of a resource's schema.
    pub fn root(schema: &'p Schema) -> Scope<'p> {
        Scope {
            parent: None,
            schema,
            step: Step::Root,
            cardinality: Some(1),
            within_rules: !schema.rules.is_empty(),
            uncorrelatable: None,
            decl: OnceCell::new(),
        }
    }

    fn child(&'p self, schema: &'p Schema, step: Step<'p>, uncorrelatable: Option<Path<'p>>) -> Scope<'p> {
        let factor = elements(self.schema);
        Scope {
            parent: Some(self),
            schema,
            step,
            cardinality: self.cardinality.and_then(|c| Some(c.saturating_mul(factor?))),
            within_rules: self.within_rules || !schema.rules.is_empty(),
            uncorrelatable,
            decl: OnceCell::new(),
        }
    }

    /// The scope of a property; `path` is this node's.
    pub fn property(&'p self, name: &'p str, schema: &'p Schema, path: &Path<'p>) -> Scope<'p> {
        let correlatable = matches!(self.schema.ext.map_type.as_deref(), None | Some("granular" | "atomic"));
        let below = if correlatable { self.uncorrelatable } else { self.uncorrelatable.or(Some(*path)) };
        self.child(schema, Step::Property(name), below)
    }

    /// The scope of a list's items; `path` is this node's.
    pub fn items(&'p self, schema: &'p Schema, path: &Path<'p>) -> Scope<'p> {
        let correlatable = self.schema.ext.list_type.as_deref() == Some("map");
        let below = if correlatable { self.uncorrelatable } else { self.uncorrelatable.or(Some(*path)) };
        self.child(schema, Step::Items, below)
    }

    /// The scope of a map's values.
    pub fn values(&'p self, schema: &'p Schema) -> Scope<'p> {
        self.child(schema, Step::Values, self.uncorrelatable)
    }

    /// What rules see of the node. Taken from what they see of the parent if rules are there or above;
    /// none if they see nothing.
    fn decl(&self, decls: &mut Decls) -> Option<DeclId> {
        if let Some(known) = self.decl.get() {
            return *known;
        }
        let above = self.parent.filter(|p| p.within_rules);
        let inherited = above.and_then(|parent| {
            let of = parent.decl(decls)?;
            match self.step {
                Step::Root => None,
                Step::Property(name) => decls.property(of, name),
                Step::Items | Step::Values => decls.element(of),
            }
        });
        let root = self.parent.is_none() || self.schema.ext.embedded_resource;
        let decl = inherited.or_else(|| decls.declare(self.schema, root));
        let _ = self.decl.set(decl);
        decl
    }
}

/// By how much a schema multiplies the number of values below it; none if by any number.
fn elements(schema: &Schema) -> Option<u64> {
    let bounded = |max: Option<i64>| max.map(|n| n.max(0) as u64);
    match schema.ty {
        Some(Type::Object) if schema.additional_properties.is_some() => bounded(schema.limits.max_properties),
        Some(Type::Array) => bounded(schema.limits.max_items),
        Some(Type::Object | Type::String | Type::Integer | Type::Number | Type::Boolean | Type::Other(_))
        | None => Some(1),
    }
}

/// What there is to say of one rule.
#[derive(Debug)]
pub struct Report {
    /// The path of the list that the rule is in, as the server prints it.
    pub path: String,
    /// Which one of the list.
    pub index: usize,
    /// The rule.
    pub rule: Rule,
    /// What became of it.
    pub compiled: Compiled,
    /// How many values it may run for, if that is bounded.
    pub cardinality: Option<u64>,
    /// What it may cost for all of them.
    pub cost: u64,
    /// The path above, where it looks at an old value that cannot be found.
    pub uncorrelatable: Option<String>,
    /// What would make it cheaper, where it is too expensive.
    pub advice: Option<Advice>,
}

/// The rules of one schema, checked node by node.
#[derive(Debug)]
pub struct Rules<'e> {
    environments: &'e Environments,
    decls: Decls,
    /// The costs so far.
    pub total: Total,
    /// The rules so far, in the order of the walk.
    pub reports: Vec<Report>,
    /// Nodes whose rules could not be compiled at all, and why.
    pub failures: Vec<String>,
}

impl<'e> Rules<'e> {
    /// Nothing checked yet.
    pub fn new(environments: &'e Environments) -> Self {
        Rules {
            environments,
            decls: Decls::default(),
            total: Total::default(),
            reports: Vec::new(),
            failures: Vec::new(),
        }
    }

    /// Compiles the rules of a node whose schema is otherwise right, as is everything below it.
    pub fn node(&mut self, scope: &Scope<'_>, path: &Path<'_>, diags: &mut Diags) {
        let schema = scope.schema;
        if schema.rules.is_empty() {
            return;
        }
        let rules = path.child("x-kubernetes-validations");
        let Some(decl) = scope.decl(&mut self.decls) else {
            let why = "unable to convert structural schema to CEL declarations";
            self.failures.push(format!("{rules}: {why}"));
            let detail = format!(
                "internal error: failed to construct type information for x-kubernetes-validations rules: \
                 {why}"
            );
            diags.push(Diag::field_error(&NO_TYPES, Kind::Internal, &rules, None, detail));
            return;
        };
        let mut compiler = Compiler::new(&self.decls, decl, self.environments);
        for (i, rule) in schema.rules.iter().enumerate() {
            let at = rules.index(i);
            let compiled = compiler.rule(rule, schema);
            let cardinality = scope.cardinality.unwrap_or(compiled.size_cardinality);
            let cost = compiled.max_cost().saturating_mul(cardinality);
            let uncorrelatable = scope.uncorrelatable.filter(|_| compiled.uses_old_self);
            let mut report = Report {
                path: rules.to_string(),
                index: i,
                rule: rule.clone(),
                compiled,
                cardinality: scope.cardinality,
                cost,
                uncorrelatable: uncorrelatable.map(|p| p.to_string()),
                advice: None,
            };
            self.total.add(cost, || at.child("rule").to_string());
            let message_cost = report.message_cost();
            if let Some(cost) = message_cost {
                self.total.add(cost, || at.child("messageExpression").to_string());
            }
            if cost > RULE_LIMIT {
                if let Some(Ok(expression)) = &report.compiled.rule {
                    let types = &compiler.types;
                    report.advice =
                        Some(advice::advise(&self.decls, decl, expression, types, scope, cardinality));
                }
            }
            diagnose(&report, &at, diags);
            self.reports.push(report);
        }
    }

    /// What there is to say when all nodes are checked; `path` is the root's.
    pub fn finish(&self, path: &Path<'_>, diags: &mut Diags) {
        if !self.total.is_over() {
            return;
        }
        for (field, _) in &self.total.most_expensive {
            let detail = "contributed to estimated rule cost total exceeding cost limit for entire \
                          OpenAPIv3 schema";
            let mut diag = Diag::forbidden(&TOTAL_TOO_EXPENSIVE, path, detail);
            diag.field.clone_from(field);
            diags.push(diag);
        }
        let what = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
        let detail = budget::exceeds(what, self.total.cost, TOTAL_LIMIT);
        diags.push(Diag::forbidden(&TOTAL_TOO_EXPENSIVE, path, detail));
    }

    /// Checks all nodes of a schema that is right otherwise: children before parents.
    pub fn walk(&mut self, scope: &Scope<'_>, path: &Path<'_>, diags: &mut Diags) {
        if let Some(Additional::Schema(values)) = &scope.schema.additional_properties {
            self.walk(&scope.values(values), &path.child("additionalProperties"), diags);
        }
        let properties = path.child("properties");
        for (name, property) in scope.schema.properties.iter() {
            self.walk(&scope.property(name, property, path), &properties.key(name), diags);
        }
        if let Some(Items::One(items)) = &scope.schema.items {
            self.walk(&scope.items(items, path), &path.child("items"), diags);
        }
        self.node(scope, path, diags);
    }
}

impl Report {
    /// What the message's expression may cost, if there is one and it is good.
    pub fn message_cost(&self) -> Option<u64> {
        match &self.compiled.message {
            Some(Ok(message)) => Some(message.estimate.total.max),
            Some(Err(_)) | None => None,
        }
    }
}

/// The errors of one rule.
fn diagnose(report: &Report, at: &Path<'_>, diags: &mut Diags) {
    let (rule_at, message_at) = (at.child("rule"), at.child("messageExpression"));
    let compiled = &report.compiled;
    if report.cost > RULE_LIMIT {
        let detail = budget::exceeds("estimated rule cost", report.cost, RULE_LIMIT);
        let mut diag = Diag::forbidden(&TOO_EXPENSIVE, &rule_at, detail);
        diag.help = report.advice.as_ref().map(ToString::to_string);
        diags.push(diag);
    }
    if let Some(Err(failure)) = &compiled.rule {
        let diag = Diag::invalid(&BAD_RULE, &rule_at, go_value(&report.rule), failure.detail.as_str());
        diags.push(point(diag, failure, &report.rule.rule));
    }
    match &compiled.message {
        Some(Err(failure)) => {
            let value = go_value(&report.rule);
            let diag = Diag::invalid(&BAD_MESSAGE_EXPRESSION, &message_at, value, failure.detail.as_str());
            diags.push(point(diag, failure, &report.rule.message_expression));
        }
        Some(Ok(message)) if message.estimate.total.max > RULE_LIMIT => {
            let cost = message.estimate.total.max;
            let detail = budget::exceeds("estimated messageExpression cost", cost, RULE_LIMIT);
            diags.push(Diag::forbidden(&TOO_EXPENSIVE, &message_at, detail));
        }
        Some(Ok(_)) | None => {}
    }
    if compiled.uses_old_self {
        if let Some(above) = &report.uncorrelatable {
            let detail =
                format!("oldSelf cannot be used on the uncorrelatable portion of the schema within {above}");
            diags.push(Diag::invalid(&BAD_OLD_SELF, &rule_at, report.rule.rule.as_str(), detail));
        }
    } else if let Some(optional) = report.rule.optional_old_self {
        let at = at.child("optionalOldSelf");
        let detail = "may not be set if oldSelf is not used in rule";
        diags.push(Diag::invalid(&BAD_OLD_SELF, &at, optional, detail));
    }
}

/// Points to the word of an expression at which it went wrong.
fn point(diag: Diag, failure: &Failure, text: &str) -> Diag {
    let Some(at) = failure.at.filter(|at| *at < text.len()) else { return diag };
    let word = text[at..].find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len() - at);
    let first = text[at..].chars().next().map_or(1, char::len_utf8);
    diag.inside(at..at + word.max(first))
}

/// A rule as the server shows it: with the names that its own structures have.
fn go_value(rule: &Rule) -> Value {
    let Rule { rule, message, message_expression, reason, field_path, optional_old_self } = rule;
    let text = |s: &str| Value::from(s);
    let fields = [
        ("Rule", text(rule)),
        ("Message", text(message)),
        ("MessageExpression", text(message_expression)),
        ("Reason", reason.as_deref().map_or(Value::Null, Value::from)),
        ("FieldPath", text(field_path)),
        ("OptionalOldSelf", optional_old_self.map_or(Value::Null, Value::from)),
    ];
    Value::Map(fields.into_iter().collect::<Map<Value>>())
}

/// Checks the rules of a schema that is right otherwise; `path` is its own.
pub fn check(schema: &Schema, path: &Path<'_>, environments: &Environments) -> (Vec<Report>, Total, Diags) {
    let mut rules = Rules::new(environments);
    let mut diags = Diags::new();
    rules.walk(&Scope::root(schema), path, &mut diags);
    rules.finish(path, &mut diags);
    (rules.reports, rules.total, diags)
}
