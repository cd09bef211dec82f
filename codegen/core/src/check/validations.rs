//! `x-kubernetes-validations`. The walk of the schema check passes every node to a [`Checker`], which compiles the
//! node's rules and adds up their estimated costs. [`walk`] is a separate walk, for schemas that have no other errors.

use std::collections::HashMap;

use crate::cel::span;
use crate::check::schema::{Rules, rule_as_go};
use crate::diag::codes::cel::{
    BAD_MESSAGE_EXPRESSION, BAD_OLD_SELF, BAD_RULE, NO_TYPES, TOO_EXPENSIVE, TOTAL_TOO_EXPENSIVE,
};
use crate::diag::{Diag, Diags, Kind};
use crate::ir::{Additional, Items, Rule, Schema, SchemaOf};
use crate::path::{Path, Step};
use crate::rules::{
    Advice, Compiled, CompiledRule, Compiler, DeclId, Decls, Environments, Expensive, RULE_LIMIT, Rejection,
    TOTAL_LIMIT, Total, advise, cardinality, exceeds, run, words,
};
use crate::value::{Map, Value};
use crate::walk::{Node, Via};

/// The result of checking one rule.
#[derive(Debug)]
pub struct Report {
    /// The path of the list that contains the rule, as the server prints it.
    pub path: String,
    /// The steps to the rule in the author's document.
    pub steps: Vec<Step>,
    /// The index of the rule in the list.
    pub index: usize,
    /// The rule.
    pub rule: Rule,
    /// The compiled rule, or why it was rejected.
    pub compiled: Compiled,
    /// The maximum number of values for which the rule runs. `None` if that is unlimited.
    pub cardinality: Option<u64>,
    /// The maximum cost of the rule for all values together.
    pub cost: u64,
    /// The path of the node above from which the server cannot match old and new values, if there is one and the rule
    /// uses `oldSelf`.
    pub uncorrelatable: Option<String>,
    /// How to make the rule cheaper, if it is too expensive.
    pub advice: Option<Advice>,
    /// How to make the message expression cheaper, if it is too expensive.
    pub message_advice: Option<Advice>,
}

/// Why a node has no type for rules.
#[derive(Clone, Copy, Debug)]
enum NoType {
    /// Neither the node nor a node above it can be declared.
    Unknown,
    /// The node above has rules and elements, but its declared type has no elements.
    NoElement,
}

/// Checks the rules of one schema, node by node.
#[derive(Debug)]
pub struct Checker<'e> {
    environments: &'e Environments,
    /// Whether the cost of a single expression is unlimited, because the server has accepted the expression before.
    any_cost: bool,
    decls: Decls,
    /// The declarations so far, by the address of the schema.
    known: HashMap<*const Schema, Result<DeclId, NoType>>,
    /// The total cost so far.
    pub total: Total,
    /// The results for the rules so far, in the order in which they were checked.
    pub reports: Vec<Report>,
    /// The nodes whose rules could not be compiled at all, each with the reason.
    pub failures: Vec<String>,
}

impl<'e> Checker<'e> {
    /// Creates a checker that has not checked any rules yet.
    pub fn new(environments: &'e Environments) -> Self {
        Checker {
            environments,
            any_cost: false,
            decls: Decls::of_server(environments.server),
            known: HashMap::new(),
            total: Total::default(),
            reports: Vec::new(),
            failures: Vec::new(),
        }
    }

    /// Sets whether the cost of single expressions is unlimited.
    #[must_use]
    pub fn any_cost(self, any_cost: bool) -> Self {
        Checker { any_cost, ..self }
    }

    /// The declared type of a node. If there are rules above the node, its type is a part of the type of the node
    /// above.
    fn decl(&mut self, node: &Node<'_>) -> Result<DeclId, NoType> {
        if let Some(known) = self.known.get(&std::ptr::from_ref(node.schema)) {
            return *known;
        }
        let decl = match node.up.filter(|(up, _)| is_within_rules(up)) {
            None => self.declare(node),
            // If the node above cannot be declared, no node below it can.
            Some((up, via)) => self.decl(up).and_then(|of| match via {
                Via::Property(name) => self.decls.property(of, name).map_or_else(|| self.declare(node), Ok),
                Via::Items | Via::Additional => self.decls.element(of).ok_or(NoType::NoElement),
            }),
        };
        self.known.insert(std::ptr::from_ref(node.schema), decl);
        decl
    }

    fn declare(&mut self, node: &Node<'_>) -> Result<DeclId, NoType> {
        let of = SchemaOf::resource_if(node.up.is_none()).or_nested(node.schema);
        self.decls.declare(node.schema, of).ok_or(NoType::Unknown)
    }
}

/// Whether there are rules at a node or above.
fn is_within_rules(node: &Node<'_>) -> bool {
    !node.schema.rules.is_empty() || node.up.is_some_and(|(up, _)| is_within_rules(up))
}

impl Rules for Checker<'_> {
    fn check(
        &mut self,
        node: &Node<'_>,
        path: &Path<'_>,
        uncorrelatable: Option<&Path<'_>>,
        out: &mut Diags,
    ) {
        let schema = node.schema;
        let rules = path.child("x-kubernetes-validations");
        let decl = match self.decl(node) {
            Ok(decl) => decl,
            Err(none) => {
                let (why, what) = match none {
                    NoType::Unknown => (
                        "unable to convert structural schema to CEL declarations",
                        "internal error: failed to construct type information for x-kubernetes-validations rules: ",
                    ),
                    NoType::NoElement => ("failed to convert to declType for CEL validation rules", ""),
                };
                self.failures.push(format!("{rules}: {why}"));
                // The server's value is its error, which prints as an empty object. Before 1.36 there is no value.
                let no_value = self.environments.server.is_before(36);
                let bad = Some(if no_value { Value::Null } else { Value::Map(Map::new()) }.into());
                out.push(Diag::field_error(&NO_TYPES, Kind::Internal, &rules, bad, format!("{what}{why}")));
                return;
            }
        };
        let bounded = cardinality(node);
        let mut compiler = Compiler::new(&self.decls, decl, self.environments);
        for (i, rule) in schema.rules.iter().enumerate() {
            let at = rules.index(i);
            let compiled = compiler.rule(rule, schema);
            let count = bounded.unwrap_or(compiled.size_cardinality);
            let cost = compiled.max_cost().saturating_mul(count);
            let uncorrelatable = uncorrelatable.filter(|_| compiled.uses_old_self);
            let mut report = Report {
                path: rules.to_string(),
                steps: at.child("rule").steps(),
                index: i,
                rule: rule.clone(),
                compiled,
                cardinality: bounded,
                cost,
                uncorrelatable: uncorrelatable.map(ToString::to_string),
                advice: None,
                message_advice: None,
            };
            self.total.add(cost, &at.child("rule"));
            if let Some(cost) = report.message_cost() {
                self.total.add(cost, &at.child("messageExpression"));
            }
            let (decls, types) = (&self.decls, &compiler.types);
            let rule_of = |expression, text| CompiledRule { decls, root: decl, expression, text, types };
            if let (true, Some(Ok(expression))) = (cost > RULE_LIMIT, &report.compiled.rule) {
                report.advice = Some(advise(&rule_of(expression, &rule.rule), Some((node, count))));
            }
            if let (Some(true), Some(Ok(message))) =
                (report.message_cost().map(|cost| cost > RULE_LIMIT), &report.compiled.message)
            {
                let text = &rule.message_expression;
                report.message_advice = Some(advise(&rule_of(message, text), None));
            }
            diagnose(&report, self.any_cost, &at, out);
            self.reports.push(report);
        }
    }

    fn check_default(
        &mut self,
        schema: &Schema,
        of: SchemaOf,
        default: &Value,
        path: &Path<'_>,
        out: &mut Diags,
    ) {
        let rules = run::Rules::of(schema, of, self.environments.server);
        out.append(&mut rules.validate_default(schema, default, path));
    }

    fn finish(&mut self, path: &Path<'_>, out: &mut Diags) {
        if !self.total.is_over() {
            return;
        }
        for Expensive { path: field, steps, cost } in &self.total.most_expensive {
            let detail = "contributed to estimated rule cost total exceeding cost limit for entire \
                          OpenAPIv3 schema";
            let mut diag = Diag::forbidden(&TOTAL_TOO_EXPENSIVE, path, detail);
            diag.field.clone_from(field);
            diag.steps.clone_from(steps);
            out.push(diag.help(format!(
                "it may cost {}, and all rules together may cost {TOTAL_LIMIT}",
                words(*cost)
            )));
        }
        let what = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
        let detail = exceeds(what, self.total.cost, TOTAL_LIMIT);
        out.push(Diag::forbidden(&TOTAL_TOO_EXPENSIVE, path, detail));
    }
}

/// Checks the rules of all nodes of a schema, children before parents. The schema must have no other errors.
pub fn walk(schema: &Schema, path: &Path<'_>, rules: &mut dyn Rules, out: &mut Diags) {
    visit(&Node { schema, up: None }, path, None, rules, out);
}

fn visit(
    node: &Node<'_>,
    path: &Path<'_>,
    uncorrelatable: Option<&Path<'_>>,
    rules: &mut dyn Rules,
    out: &mut Diags,
) {
    let schema = node.schema;
    let below = |schema, via| Node { schema, up: Some((node, via)) };
    if let Some(Additional::Schema(values)) = &schema.additional_properties {
        let path = path.child("additionalProperties");
        visit(&below(values, Via::Additional), &path, uncorrelatable, rules, out);
    }
    let properties = path.child("properties");
    let granular = matches!(schema.ext.map_type.as_deref(), None | Some("granular" | "atomic"));
    let lost = if granular { uncorrelatable } else { uncorrelatable.or(Some(path)) };
    for (name, property) in schema.properties.iter() {
        visit(&below(property, Via::Property(name)), &properties.key(name), lost, rules, out);
    }
    if let Some(Items::One(items)) = &schema.items {
        let keyed = schema.ext.list_type.as_deref() == Some("map");
        let lost = if keyed { uncorrelatable } else { uncorrelatable.or(Some(path)) };
        visit(&below(items, Via::Items), &path.child("items"), lost, rules, out);
    }
    if !schema.rules.is_empty() {
        rules.check(node, path, uncorrelatable, out);
    }
}

impl Report {
    /// Returns the number of values for which the cost of the rule is estimated.
    pub fn count(&self) -> u64 {
        self.cardinality.unwrap_or(self.compiled.size_cardinality)
    }

    /// Returns why the expression at a field cannot be compiled. `field` is the path as the server prints it.
    pub fn rejection_at(&self, field: &str) -> Option<&Rejection> {
        let is = |name: &str| field == format!("{}[{}].{name}", self.path, self.index);
        match (&self.compiled.rule, &self.compiled.message) {
            (Some(Err(rejection)), _) if is("rule") => Some(rejection),
            (_, Some(Err(rejection))) if is("messageExpression") => Some(rejection),
            _ => None,
        }
    }

    /// Returns the maximum cost of the message expression. `None` if there is none, or if it was rejected.
    pub fn message_cost(&self) -> Option<u64> {
        match &self.compiled.message {
            Some(Ok(message)) => Some(message.estimate.total.max),
            Some(Err(_)) | None => None,
        }
    }
}

/// The errors of one rule.
fn diagnose(report: &Report, any_cost: bool, at: &Path<'_>, diags: &mut Diags) {
    let (rule_at, message_at) = (at.child("rule"), at.child("messageExpression"));
    let compiled = &report.compiled;
    if report.cost > RULE_LIMIT && !any_cost {
        let detail = exceeds("estimated rule cost", report.cost, RULE_LIMIT);
        diags.push(advised(Diag::forbidden(&TOO_EXPENSIVE, &rule_at, detail), report.advice.as_ref()));
    }
    if let Some(Err(rejection)) = &compiled.rule {
        let diag = Diag::invalid(&BAD_RULE, &rule_at, rule_as_go(&report.rule), rejection.detail.as_str());
        diags.push(point(diag, rejection, &report.rule.rule));
    }
    match &compiled.message {
        Some(Err(rejection)) => {
            let value = rule_as_go(&report.rule);
            let diag = Diag::invalid(&BAD_MESSAGE_EXPRESSION, &message_at, value, rejection.detail.as_str());
            diags.push(point(diag, rejection, &report.rule.message_expression));
        }
        Some(Ok(message)) if message.estimate.total.max > RULE_LIMIT && !any_cost => {
            let cost = message.estimate.total.max;
            let detail = exceeds("estimated messageExpression cost", cost, RULE_LIMIT);
            let diag = Diag::forbidden(&TOO_EXPENSIVE, &message_at, detail);
            diags.push(advised(diag, report.message_advice.as_ref()));
        }
        Some(Ok(_)) | None => {}
    }
    if compiled.uses_old_self {
        if let Some(above) = &report.uncorrelatable {
            let detail =
                format!("oldSelf cannot be used on the uncorrelatable portion of the schema within {above}");
            let diag = Diag::invalid(&BAD_OLD_SELF, &rule_at, report.rule.rule.as_str(), detail);
            diags.push(diag.help("the server finds the old value of a list item by the keys of the list. Add `x-kubernetes-list-type: map` and `x-kubernetes-list-map-keys` to the list, or move the rule out of the list or atomic map"));
        }
    } else if let Some(optional) = report.rule.optional_old_self {
        let at = at.child("optionalOldSelf");
        let detail = "may not be set if oldSelf is not used in rule";
        let help = "remove `optionalOldSelf`, or compare with oldSelf";
        diags.push(Diag::invalid(&BAD_OLD_SELF, &at, optional, detail).help(help));
    }
}

/// Points to the word in the expression that caused the error, and adds help.
fn point(mut diag: Diag, rejection: &Rejection, text: &str) -> Diag {
    diag.help.clone_from(&rejection.help);
    match rejection.at.filter(|at| *at < text.len()) {
        Some(at) => diag.inside(span::of_word(text, at)),
        None => diag,
    }
}

/// Points to the part of the expression that costs most, and adds help.
fn advised(diag: Diag, advice: Option<&Advice>) -> Diag {
    match advice {
        Some(advice) => diag.inside(advice.part.clone()).help(advice.to_string()),
        None => diag,
    }
}

/// Checks the rules of a schema at `path`. The schema must have no other errors.
pub fn check(schema: &Schema, path: &Path<'_>, environments: &Environments) -> (Vec<Report>, Total, Diags) {
    let mut checker = Checker::new(environments);
    let mut diags = Diags::new();
    walk(schema, path, &mut checker, &mut diags);
    checker.finish(path, &mut diags);
    (checker.reports, checker.total, diags)
}
