//! Runs the rules of a schema on an object.

use std::borrow::Cow;

use crate::cel::eval::{Evaluation, Limits, Program, STEPS};
use crate::cel::value::{Error, ErrorKind, Outcome, Val};
use crate::correlate::{self, Items};
use crate::diag::codes::cel::{OUT_OF_BUDGET, RULE_ERROR, RULE_FAILED, TOO_MUCH};
use crate::diag::{Code, Diag, Diags, Kind, Level};
use crate::go;
use crate::ir::{Rule, Schema, Type};
use crate::path::Path;
use crate::server::Server;
use crate::value::Value;
use std::fmt;

use super::{BUDGET, Compiled, RuledNode};

/// The maximum length of a message from an expression.
const MAX_MESSAGE: usize = 5 * 1024;

/// The maximum number of steps of all rules on one object together. The server does not count them.
const OBJECT_STEPS: u64 = 5 * STEPS;

/// The result of running rules on an object.
#[derive(Debug, Default, PartialEq)]
pub struct Findings {
    /// The errors for which the server rejects the object.
    pub errors: Diags,
    /// The errors that were there before the update. The server accepts them with a warning.
    pub warnings: Diags,
    /// The actual cost of the rules.
    pub cost: i64,
}

/// A value to check, and what it replaces.
#[derive(Clone, Copy)]
pub(super) struct Write<'v> {
    pub(super) value: &'v Value,
    pub(super) old: Option<&'v Value>,
    pub(super) ratcheting: Ratcheting,
}

/// What happens if a rule fails on a value that has not changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ratcheting {
    /// It is only a warning.
    On,
    /// It is an error.
    Off,
}

/// Runs all rules.
pub(super) fn run(root: At<'_>, write: Write<'_>, server: Server, path: &Path<'_>, findings: &mut Findings) {
    let Write { value, old, ratcheting } = write;
    let current =
        old.filter(|_| ratcheting == Ratcheting::On).map(|old| Pair { new: value, old, schema: root.schema });
    let mut runner = Runner { budget: BUDGET, steps: OBJECT_STEPS, server, findings };
    let _ = runner.node(root, value, old, path, Ratchet { current, above: None });
    findings.cost = runner_cost(runner.budget);
}

fn runner_cost(budget: i64) -> i64 {
    BUDGET - budget.max(0)
}

/// The cost budget is spent, so no more rules are evaluated.
struct Spent;

/// Rules, with the schema of their values.
#[derive(Clone, Copy)]
pub(super) struct At<'v> {
    pub(super) node: &'v RuledNode,
    pub(super) schema: &'v Schema,
}

/// A value where rules run.
#[derive(Clone, Copy)]
struct Spot<'p> {
    value: &'p Value,
    schema: &'p Schema,
    path: &'p Path<'p>,
}

/// A value and its old value.
#[derive(Clone, Copy)]
struct Pair<'v> {
    new: &'v Value,
    old: &'v Value,
    schema: &'v Schema,
}

impl<'v> Pair<'v> {
    fn member(self, name: &str) -> Option<Pair<'v>> {
        let (new, old) = (self.new.get(name)?, self.old.get(name)?);
        let schema = self.schema.properties.get(name).or_else(|| self.schema.value())?;
        Some(Pair { new, old, schema })
    }
}

/// Decides whether a failure is only a warning, because the value has not changed. It compares the current pair, or if
/// there is none, the nearest one above.
#[derive(Clone, Copy)]
struct Ratchet<'v> {
    current: Option<Pair<'v>>,
    above: Option<Pair<'v>>,
}

impl<'v> Ratchet<'v> {
    fn unchanged(self) -> bool {
        self.current.or(self.above).is_some_and(|p| correlate::same(p.new, p.old, p.schema))
    }

    fn member(self, name: &str) -> Ratchet<'v> {
        match self.current {
            None => self,
            Some(_) if self.above.is_none() && matches!(name, "apiVersion" | "kind") => {
                Ratchet { current: None, above: None }
            }
            Some(pair) => Ratchet { current: pair.member(name), above: self.current },
        }
    }

    fn item(self, pair: Option<Pair<'v>>) -> Ratchet<'v> {
        if self.current.is_none() { self } else { Ratchet { current: pair, above: self.current } }
    }
}

struct Runner<'f> {
    budget: i64,
    steps: u64,
    server: Server,
    findings: &'f mut Findings,
}

impl Runner<'_> {
    fn node<'v>(
        &mut self,
        at: At<'v>,
        value: &'v Value,
        old: Option<&'v Value>,
        path: &Path<'_>,
        ratchet: Ratchet<'v>,
    ) -> Result<(), Spent> {
        if value.is_null() {
            return Ok(());
        }
        let At { node, schema } = at;
        self.rules(at, value, old, path, ratchet)?;
        for nested in &node.all_of {
            // Inside allOf, a failure is only a warning if a value above has not changed.
            self.node(
                At { node: nested, schema },
                value,
                old,
                path,
                Ratchet { current: None, above: ratchet.above },
            )?;
        }
        match value {
            Value::List(list) => {
                let (Some(node), Some(of_item)) = (&node.items, schema.item()) else { return Ok(()) };
                let olds = Items::new(old, schema);
                for (i, item) in list.iter().enumerate() {
                    let old = olds.get(item);
                    let pair = old.map(|old| Pair { new: item, old, schema: of_item });
                    let at = At { node, schema: of_item };
                    self.node(at, item, old, &path.index(i), ratchet.item(pair))?;
                }
            }
            Value::Map(map) => {
                let correlates = matches!(schema.ext.map_type.as_deref(), None | Some("granular" | "atomic"));
                let old = |name: &str| old.filter(|_| correlates).and_then(|old| old.get(name));
                for (name, member) in map.iter() {
                    if let (Some(node), Some(schema)) = (&node.values, schema.value()) {
                        self.node(
                            At { node, schema },
                            member,
                            old(name),
                            &path.key(name),
                            ratchet.member(name),
                        )?;
                    }
                    if let (Some(node), Some(schema)) =
                        (node.properties.get(name), schema.properties.get(name))
                    {
                        self.node(
                            At { node, schema },
                            member,
                            old(name),
                            &path.child(name),
                            ratchet.member(name),
                        )?;
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {}
        }
        Ok(())
    }

    fn rules<'v>(
        &mut self,
        At { node, schema }: At<'v>,
        value: &'v Value,
        old: Option<&'v Value>,
        path: &Path<'_>,
        ratchet: Ratchet<'v>,
    ) -> Result<(), Spent> {
        if node.rules.is_empty() {
            return Ok(());
        }
        let old = old.filter(|old| !old.is_null());
        let ty = schema.type_name();
        if self.budget <= 0 {
            return self.spent(path, ty);
        }
        let this = node.shape.adapt(value);
        let that = old.filter(|_| node.uses_old_self).map(|old| node.shape.adapt(old));
        let variables = [Some(this.clone()), that.clone()];
        // If the old value does not match the schema, reading the optional's value is an error.
        let mismatch = |error: Error| match self.server.is_before(37) {
            // Older servers wrap the error in another one.
            true => Error::new(format!(
                "unsupported conversion to ref.Val: (*errors.errorString){}",
                error.text()
            )),
            false => error,
        };
        let optional = that.map_or(Val::Optional(None), |old| Val::some_outcome(old.map_err(mismatch)));
        let with_optional = [Some(this), node.uses_old_self.then_some(Ok(optional))];
        for compiled in &node.rules {
            let rule = &compiled.rule;
            let program = match &compiled.program {
                None => continue,
                Some(Ok(program)) => program,
                Some(Err(why)) => {
                    let detail = format!("rule compile error: {}", why.detail);
                    if path.has_room(self.findings.errors.len()) {
                        let diag = Diag::invalid(&RULE_ERROR, path, ty, detail);
                        self.findings.errors.push(of(rule, diag));
                    }
                    continue;
                }
            };
            let is_optional = rule.optional_old_self == Some(true);
            if compiled.uses_old_self && old.is_none() && !is_optional {
                continue;
            }
            let variables_of_rule = if is_optional { &with_optional } else { &variables };
            let Evaluation { value: result, cost, steps } = program.eval(variables_of_rule, self.limits());
            self.steps -= steps;
            match i64::try_from(cost) {
                Ok(cost) if cost <= self.budget => self.budget -= cost,
                _ => return self.spent(path, ty),
            }
            match result {
                Ok(Val::Bool(true)) => {}
                Ok(_) => self.failed(compiled, Spot { value, schema, path }, ratchet, &variables)?,
                Err(e) => self.erred(&e, rule, path, ty)?,
            }
        }
        Ok(())
    }

    /// What the next expression may take.
    fn limits(&self) -> Limits {
        Limits { steps: STEPS.min(self.steps), ..Limits::CALL }
    }

    fn error(&mut self, code: &'static Code, path: &Path<'_>, ty: &str, detail: String) {
        if path.has_room(self.findings.errors.len()) {
            self.findings.errors.push(Diag::invalid(code, path, ty, detail));
        }
    }

    fn spent(&mut self, path: &Path<'_>, ty: &str) -> Result<(), Spent> {
        let why =
            "validation failed due to running out of cost budget, no further validation rules will be run";
        self.error(&OUT_OF_BUDGET, path, ty, why.to_owned());
        Err(Spent)
    }

    /// Reports a rule that failed with an error.
    fn erred(&mut self, error: &Error, rule: &Rule, path: &Path<'_>, ty: &str) -> Result<(), Spent> {
        let ends = matches!(error.kind(), ErrorKind::CostLimit | ErrorKind::TooMuch);
        if !path.has_room(self.findings.errors.len()) {
            return if ends { Err(Spent) } else { Ok(()) };
        }
        let name = shown(rule);
        let text = error.text();
        if error.kind() == ErrorKind::NoOverload {
            let why =
                "call arguments did not match a supported operator, function or macro signature for rule";
            let help = "the rule passes a value to a function that does not take values of its type. If a field may be an integer or a \
                        string, convert it, as in `quantity(string(self.a))`";
            let diag = Diag::invalid(&RULE_ERROR, path, ty, format!("'{text}': {why}: {name}"));
            self.findings.errors.push(of(rule, diag.help(help)));
        } else if error.kind() == ErrorKind::CostLimit {
            let why = "no further validation rules will be run due to call cost exceeds limit for rule";
            self.error(&OUT_OF_BUDGET, path, ty, format!("'{text}': {why}: {name}"));
            return Err(Spent);
        } else if error.kind() == ErrorKind::TooMuch {
            let detail = format!("{text}, no further validation rules will be run: {name}");
            self.findings.errors.push(Diag::invalid(&TOO_MUCH, path, ty, detail).help(SIMPLIFY));
            return Err(Spent);
        } else {
            let diag = Diag::invalid(&RULE_ERROR, path, ty, format!("{text} evaluating rule: {name}"));
            let help = "the rule reads a field that the object does not have: add the field, or check for it in the rule with \
                        `has(…)`";
            let diag = match error.kind() {
                ErrorKind::NoKey => diag.help(help),
                _ => diag,
            };
            self.findings.errors.push(of(rule, diag));
        }
        Ok(())
    }

    /// Reports a rule that is false.
    fn failed<'v>(
        &mut self,
        compiled: &'v Compiled,
        spot: Spot<'_>,
        ratchet: Ratchet<'_>,
        variables: &[Option<Outcome<'v>>],
    ) -> Result<(), Spent> {
        let Spot { value, schema, path } = spot;
        let rule = &compiled.rule;
        let child = compiled.field_path.as_ref().filter(|p| !p.is_empty());
        let path = child.map_or(Cow::Borrowed(path), |child| Cow::Owned(path.child(child)));
        let add = |runner: &mut Self, diag: Diag| {
            if !compiled.uses_old_self && ratchet.unchanged() {
                runner.findings.warnings.push(Diag { level: Level::Warning, ..diag });
            } else {
                runner.findings.errors.push(diag);
            }
        };
        let message = match &compiled.message {
            None => None,
            Some(program) => match self.message(program, &rule.message_expression, variables) {
                Ok(message) => message,
                Err(why) => {
                    let diag = |code| Diag::invalid(code, &path, schema.type_name(), why.to_string());
                    match why {
                        OverBudget::All | OverBudget::Call(_) => add(self, diag(&OUT_OF_BUDGET)),
                        // The rule is false, so this is an error even if the message cannot be computed.
                        OverBudget::Work(..) => add(self, diag(&TOO_MUCH).help(SIMPLIFY)),
                    }
                    return Err(Spent);
                }
            },
        };
        let detail = message.unwrap_or_else(|| match rule.message.is_empty() {
            true => format!("failed rule: {}", shown(rule)),
            false => rule.message.trim().to_owned(),
        });
        let bad = match &schema.ty {
            // Before 1.35, the server shows the type instead of the value.
            _ if self.server.is_before(35) => Some(schema.type_name().into()),
            Some(Type::Object | Type::Array) => None,
            Some(Type::String | Type::Integer | Type::Number | Type::Boolean | Type::Other(_)) | None => {
                Some(value.clone().into())
            }
        };
        if !path.has_room(self.findings.errors.len() + self.findings.warnings.len()) {
            return Ok(());
        }
        let diag = match rule.reason.as_deref() {
            Some("FieldValueForbidden") => Diag::forbidden(&RULE_FAILED, &path, detail),
            Some("FieldValueRequired") => Diag::required(&RULE_FAILED, &path, detail),
            Some("FieldValueDuplicate") => Diag::field_error(&RULE_FAILED, Kind::Duplicate, &path, bad, ""),
            Some(_) | None => Diag::field_error(&RULE_FAILED, Kind::Invalid, &path, bad, detail),
        };
        add(self, of(rule, diag));
        Ok(())
    }

    /// The message from an expression, if it is valid. An error if the budget is spent.
    fn message<'v>(
        &mut self,
        program: &'v Program,
        expression: &str,
        variables: &[Option<Outcome<'v>>],
    ) -> Result<Option<String>, OverBudget> {
        let Evaluation { value, cost, steps } = program.eval(variables, self.limits());
        self.steps -= steps;
        match i64::try_from(cost) {
            Ok(cost) if cost <= self.budget => self.budget -= cost,
            _ => {
                return Err(OverBudget::All);
            }
        }
        match value {
            Err(e) if e.kind() == ErrorKind::CostLimit => Err(OverBudget::Call(expression.to_owned())),
            Err(e) if e.kind() == ErrorKind::TooMuch => Err(OverBudget::Work(e, expression.to_owned())),
            Ok(Val::Str(message)) => {
                let message = message.trim();
                let good = !message.is_empty() && message.len() <= MAX_MESSAGE && !message.contains('\n');
                Ok(good.then(|| message.to_owned()))
            }
            Ok(_) | Err(_) => Ok(None),
        }
    }
}

/// A messageExpression exceeded the cost limit, so no further rules are evaluated. [`Display`](fmt::Display) writes the
/// server's message.
enum OverBudget {
    /// The sum of all rules so far is too high.
    All,
    /// This expression alone is too expensive.
    Call(String),
    /// This expression takes too much time or memory, which only crdgen limits.
    Work(Error, String),
}

const SIMPLIFY: &str =
    "the server has no such limit, so a rule like this can make it slow or use all its memory: simplify it";

impl fmt::Display for OverBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OverBudget::All => f.write_str(
                "messageExpression evaluation failed due to running out of cost budget, no further validation rules will \
                 be run",
            ),
            OverBudget::Call(expression) => write!(
                f,
                "no further validation rules will be run due to call cost exceeds limit for messageExpression: {}",
                go::quote(expression)
            ),
            OverBudget::Work(error, expression) => write!(
                f,
                "{error}, no further validation rules will be run: messageExpression: {}",
                go::quote(expression)
            ),
        }
    }
}

/// A rule as the server names it in messages.
fn shown(rule: &Rule) -> &str {
    if rule.message.is_empty() { rule.rule.trim() } else { rule.message.trim() }
}

/// An error of a rule.
fn of(rule: &Rule, diag: Diag) -> Diag {
    Diag { rule: Some(rule.rule.clone()), ..diag }
}
