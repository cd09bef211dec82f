//! Evaluates the expressions of one policy for one request.

use super::authorizer::{self, Questions};
use super::cluster::Cluster;
use crate::expressions::Wrong;
use crate::meta::text;
use crdgen_core::cel::eval::{Evaluation, Limits, Program};
use crdgen_core::cel::value::{Error, ErrorKind, Key, Map, Opaque, Outcome, Shape, ShapeKind, Val};
use crdgen_core::cel::{Checked, Kube};
use crdgen_core::go;
use crdgen_core::value::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What all expressions for one request may cost, but those of conditions.
pub(super) const BUDGET: u64 = 10_000_000;

const OUT_OF_BUDGET: &str =
    "validation failed due to running out of cost budget, no further validation rules will be run";

/// The names of what expressions can read.
const GLOBALS: [&str; 8] = [
    "object",
    "oldObject",
    "params",
    "request",
    "namespaceObject",
    "variables",
    "authorizer",
    "authorizer.requestResource",
];

/// Custom resources are JSON, and all else has types of the server's code.
static ANY: Shape = Shape { nullable: true, kind: ShapeKind::Any };
static NATIVE: Shape = Shape { nullable: true, kind: ShapeKind::Native };

/// A compiled expression.
#[derive(Debug)]
pub(super) struct Expression {
    pub(super) text: String,
    /// An error if it cannot be compiled.
    program: Result<Program, String>,
}

impl Expression {
    /// Why it cannot be compiled.
    pub(super) fn mistake(&self) -> Option<&str> {
        self.program.as_ref().err().map(String::as_str)
    }

    pub(super) fn new(text: &str, checked: Result<Checked, Wrong>) -> Expression {
        let program = checked.map_err(|wrong| wrong.text()).and_then(|checked| {
            let program = Program::new(&checked, &GLOBALS, Kube::CURRENT);
            program.map_err(|why| format!("program instantiation failed: {why}"))
        });
        Expression { text: text.to_owned(), program }
    }
}

/// The objects of a request, as expressions read them. What is missing is null.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The object after the request.
    pub object: Value,
    /// The object before it.
    pub old: Value,
    /// The request itself.
    pub request: Value,
    /// The namespace of the object.
    pub namespace: Value,
    /// Whether the objects are custom resources.
    pub is_custom: bool,
}

/// A parameter of a policy. Null if there is none.
#[derive(Clone, Debug, Default)]
pub(super) struct Param {
    pub(super) object: Value,
    /// Whether it is a custom resource.
    pub(super) is_custom: bool,
}

impl Param {
    /// The namespace and the name.
    pub(super) fn shown(&self) -> Option<String> {
        let shown = ["namespace", "name"].map(|name| text(&self.object, name));
        let shown: Vec<&str> = shown.into_iter().filter(|it| !it.is_empty()).collect();
        Some(shown.join("/")).filter(|it| !it.is_empty())
    }
}

/// What an expression gives, and its cost.
pub(super) struct Given<'v> {
    pub(super) value: Outcome<'v>,
    pub(super) cost: u64,
}

/// The evaluation of the expressions of a policy. Variables are evaluated when they are read first.
pub(super) struct Evaluator<'v> {
    variables: &'v [(String, Expression)],
    globals: [Outcome<'v>; 5],
    known: Map<'v>,
    /// The request about which expressions ask for permissions, and who answers.
    authority: Option<(&'v Value, &'v dyn Cluster)>,
    questions: Arc<Questions>,
    /// The cost of variables that is not counted yet.
    pending: u64,
}

impl<'v> Evaluator<'v> {
    pub(super) fn new(
        variables: &'v [(String, Expression)],
        seen: &'v Seen,
        param: &'v Param,
        cluster: &'v dyn Cluster,
    ) -> Evaluator<'v> {
        let Seen { object, old, request, namespace, is_custom } = seen;
        let objects = [(object, *is_custom), (old, *is_custom), (&param.object, param.is_custom)];
        let [object, old, param] = objects.map(adapted);
        let [request, namespace] = [request, namespace].map(|value| adapted((value, false)));
        let unknown = |(number, (name, _)): (usize, &'v (String, Expression))| {
            let needed = Val::Opaque(Opaque::Error(Arc::new(Error::needed(number))));
            (Key::Str(name.into()), needed)
        };
        Evaluator {
            variables,
            globals: [object, old, param, request, namespace],
            authority: Some((&seen.request, cluster)),
            questions: Questions::new(variables.len()),
            known: Map::own(variables.iter().enumerate().map(unknown).collect::<BTreeMap<_, _>>()),
            pending: 0,
        }
    }

    /// The same for expressions that cannot ask for permissions.
    pub(super) fn without_authority(self) -> Evaluator<'v> {
        Evaluator { authority: None, ..self }
    }

    /// The same for another request and namespace.
    pub(super) fn with(self, others: [&'v Value; 2]) -> Evaluator<'v> {
        let [object, old, param, ..] = self.globals;
        let [request, namespace] = others.map(|value| adapted((value, false)));
        Evaluator { globals: [object, old, param, request, namespace], ..self }
    }

    /// Evaluates an expression, whose cost a budget pays.
    ///
    /// # Errors
    /// Fails if the budget does not suffice.
    pub(super) fn give(
        &mut self,
        expression: &'v Expression,
        budget: &mut u64,
    ) -> Result<Given<'v>, &'static str> {
        let program = match &expression.program {
            Ok(program) => program,
            Err(why) => {
                let value = Err(Error::new(format!("compilation error: {why}")));
                return Ok(Given { value, cost: 0 });
            }
        };
        let Evaluation { value, cost, .. } = self.eval(program);
        let cost = cost.saturating_add(std::mem::take(&mut self.pending));
        *budget = budget.checked_sub(cost).ok_or(OUT_OF_BUDGET)?;
        let failed =
            |why: Error| Error::new(format!("expression '{}' resulted in error: {why}", expression.text));
        Ok(Given { value: value.map_err(failed), cost })
    }

    /// Runs a program, and first those of the variables that it reads, each once.
    fn eval(&mut self, program: &'v Program) -> Evaluation<'v> {
        let variables = self.variables;
        let mut stack: Vec<(&'v str, &'v Program)> = Vec::new();
        loop {
            let current = stack.last().map_or(program, |(_, program)| *program);
            let result = self.run(current);
            if let Err(why) = &result.value
                && let ErrorKind::Needed(number) = why.kind()
            {
                match (variables.get(number), self.authority) {
                    (Some(variable), _) => self.prepare(variable, &mut stack),
                    (None, Some((_, cluster))) => {
                        self.questions.learn(number, |access| cluster.permission(access));
                    }
                    (None, None) => return result,
                }
                continue;
            }
            let Some((name, _)) = stack.pop() else { return result };
            self.pending = self.pending.saturating_add(result.cost);
            let why =
                |why: Error| format!("composited variable {} fails to evaluate: {why}", go::quote(name));
            self.learn(name, result.value.map_err(|it| Error::new(why(it))));
        }
    }

    /// Puts a variable on the stack, unless its value is known to be an error.
    fn prepare(
        &mut self,
        (name, expression): &'v (String, Expression),
        stack: &mut Vec<(&'v str, &'v Program)>,
    ) {
        let failed = |why: &str| Err(Error::new(format!("composited variable {} {why}", go::quote(name))));
        match &expression.program {
            Err(why) => self.learn(name, failed(&format!("fails to compile: {why}"))),
            // The server never ends.
            Ok(_) if stack.iter().any(|(other, _)| other == name) => self.learn(name, failed("reads itself")),
            Ok(program) => stack.push((name, program)),
        }
    }

    fn learn(&mut self, name: &'v str, value: Outcome<'v>) {
        let value = value.unwrap_or_else(|why| Val::Opaque(Opaque::Error(Arc::new(why))));
        self.known.set(Key::Str(name.into()), value);
    }

    fn run(&self, program: &'v Program) -> Evaluation<'v> {
        let variables = Ok(Val::Map(self.known.clone()));
        let mut globals: Vec<Option<Outcome<'v>>> =
            self.globals.iter().cloned().chain([variables]).map(Some).collect();
        for asker in [authorizer::authorizer, authorizer::of_request] {
            // Most expressions do not ask.
            let request = self.authority.filter(|_| program.uses(globals.len())).map(|(request, _)| request);
            globals.push(request.map(|request| Ok(asker(request, &self.questions))));
        }
        program.eval(&globals, Limits::CALL)
    }
}

/// The values of expressions, with their costs. `None` where there is no expression.
pub(super) fn all<'v>(
    mut evaluator: Evaluator<'v>,
    expressions: impl Iterator<Item = Option<&'v Expression>>,
    budget: &mut u64,
) -> Result<Vec<Option<Given<'v>>>, &'static str> {
    expressions
        .map(|expression| expression.map(|expression| evaluator.give(expression, budget)).transpose())
        .collect()
}

fn adapted((value, is_custom): (&Value, bool)) -> Outcome<'_> {
    match (value, is_custom) {
        (Value::Null, _) => Ok(Val::Null),
        (value, true) => ANY.adapt(value),
        (value, false) => NATIVE.adapt(value),
    }
}
