//! Evaluates one expression on values of resources: its type, its estimated cost, its results, and why they are what they are.

use crate::compile::OldSelf;
use std::ops::Range;

use crate::cel::eval::{Explanation, Limits, cause, explain as explanation};
use crate::cel::hint::{Hints, other_field};
use crate::cel::value::{ErrorKind, Shape, ShapeKind, Val};
use crate::cel::{Candidate, Issue, IssueKind, Kube, Source, span};
use crate::diag::Code;
use crate::diag::codes::cel::{OUT_OF_BUDGET, RULE_ERROR, TOO_MUCH};
use crate::ir::{Schema, SchemaOf};
use crate::reads::uses_old_self;
use crate::value::Value;
use crate::walk::{Node, Via};
use crate::{Advice, CompiledRule, Compiler, DeclId, Decls, Environments, Expression, advise_at};

use super::fields::{self, FieldUse};
use super::place::{Place, PlaceStep, steps, values};
use super::shape;

/// An expression, and the values and schema on which it is evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// The expression.
    pub expression: &'q str,
    /// The schema of the resource. Without a schema, the types of values are those that they have in JSON.
    pub schema: Option<&'q Schema>,
    /// The path of `self` in the resource: `.spec.items[0]`. `[]` means every item of a list, and `.*` every value of a map.
    pub path: &'q str,
    /// The resource. Without it, the expression is only compiled. If there is no schema either, the expression runs
    /// without `self`.
    pub object: Option<&'q Value>,
    /// The old resource, in which `oldSelf` is found.
    pub old: Option<&'q Value>,
    /// The environment in which the expression is compiled.
    pub kube: Kube,
    /// What the expression is.
    pub purpose: Purpose,
    /// Which results to explain.
    pub explain: Explain,
}

/// What an expression is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// Any expression. It runs on every value.
    #[default]
    Any,
    /// A rule of a CRD. Like on the server, it does not run on null, and if it uses `oldSelf`, only on values that have an
    /// old value.
    Rule {
        /// Whether `oldSelf` is an optional, so that the rule always runs.
        optional_old_self: bool,
    },
}

impl Purpose {
    fn old_self(self) -> OldSelf {
        OldSelf::optional_if(self == Purpose::Rule { optional_old_self: true })
    }
}

/// Which results to explain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Explain {
    /// None.
    #[default]
    Nothing,
    /// Expressions that are false or that fail.
    Failures,
    /// All.
    Everything,
}

/// The result of compiling and running an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The type of the expression.
    pub ty: String,
    /// The maximum cost each time it runs.
    pub estimate: u64,
    /// The most expensive part, the number of values, and the bounds that would help if the expression is too
    /// expensive.
    pub advice: Advice,
    /// The result for each value on which the expression was run.
    pub runs: Vec<Run>,
}

impl Answer {
    /// Returns the maximum cost for all values for which the expression may run.
    pub fn total(&self) -> u64 {
        self.estimate.saturating_mul(self.advice.count)
    }
}

/// The outcome of running an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The path of `self`, as the server prints it: `spec.items[0]`.
    pub path: String,
    /// The result as a literal, or the server's error and the part that causes it.
    pub value: Result<String, Remark>,
    /// The code of the error, if the value is one.
    pub code: &'static Code,
    /// The result, if it is a boolean.
    pub truth: Option<bool>,
    /// The actual cost.
    pub cost: u64,
    /// Why the result is as it is, if that was wanted.
    pub why: Option<Explanation>,
}

impl Run {
    /// Whether the result is `false`.
    pub fn is_false(&self) -> bool {
        self.truth == Some(false)
    }
}

/// An error in an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The server's message.
    pub text: String,
    /// The place of the error, in bytes. `None` if the error has no place.
    pub at: Option<Range<usize>>,
    /// The help about the error, if there is any.
    pub help: Option<String>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// The path, schema or object cannot be used. The text explains why.
    Question(String),
    /// The expression cannot be compiled.
    Expression(Vec<Remark>),
}

/// Compiles an expression as the server would compile a rule at this place of a resource's schema, and runs it on the
/// value there.
pub fn ask(question: &Question<'_>) -> Result<Answer, Unanswered> {
    let mut prepared = Prepared::new(question)?;
    if let Some(object) = question.object {
        let runs = prepared.run(object, question.old);
        if runs.is_empty() && prepared.steps.iter().all(|step| !step.is_many()) {
            return Err(Unanswered::Question(format!("the object has no {}", question.path)));
        }
        prepared.answer.runs = runs;
    } else if question.schema.is_none() {
        // Without an object, the expression runs with null.
        prepared.answer.runs = prepared.run(&Value::Null, None);
    }
    Ok(prepared.answer)
}

/// A compiled expression, which runs on any number of objects.
#[derive(Debug)]
pub struct Prepared<'q> {
    question: Question<'q>,
    steps: Vec<PlaceStep<'q>>,
    compiled: Expression,
    shape: Shape,
    answer: Answer,
    /// Whether the expression uses `oldSelf`.
    uses_old_self: bool,
}

/// How many results for one object are explained.
const EXPLAINED: usize = 20;

impl<'q> Prepared<'q> {
    /// Compiles the expression of a question as the server would compile a rule at its place of the schema.
    pub fn new(question: &Question<'q>) -> Result<Prepared<'q>, Unanswered> {
        let steps = steps(question.path).ok_or_else(|| {
            Unanswered::Question(format!(
                "{} is not a path: write a dot before each field, as in .spec or .spec.items[0]",
                question.path
            ))
        })?;
        let (compiled, shape, answer) = match question.schema {
            Some(schema) => descend(question, &Node { schema, up: None }, &steps, |about, compiler| {
                about.prepare(compiler)
            })?,
            None => plain(question, |about, compiler| about.prepare(compiler))?,
        };
        let uses_old_self = uses_old_self(&compiled.checked);
        Ok(Prepared { question: *question, steps, compiled, shape, answer, uses_old_self })
    }

    /// Returns the type and the cost of the expression.
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// Runs the expression on each value of an object that the path names. Like the server, stops when the budget of an
    /// object is spent.
    pub fn run(&self, object: &Value, old: Option<&Value>) -> Vec<Run> {
        let Question { schema, purpose, .. } = self.question;
        let place = Place { this: Some(object), old };
        let by_index = purpose == Purpose::Any;
        let (mut out, mut spent, mut explained) = (Vec::new(), 0_u64, 0);
        for (path, place) in values(&self.steps, schema, place, by_index) {
            let Some(this) = place.this.filter(|this| self.runs_on(this, place.old)) else { continue };
            let explain = if explained < EXPLAINED { self.question.explain } else { Explain::Nothing };
            let run = self.run_at(path, this, place.old, explain);
            explained += usize::from(run.why.is_some());
            spent = spent.saturating_add(run.cost);
            out.push(run);
            if i64::try_from(spent).is_ok_and(|spent| spent > super::BUDGET) {
                let text = "the expression is not evaluated for the other values, because the cost budget of an object is spent";
                let remark = Remark { text: text.to_owned(), at: None, help: None };
                let path = String::new();
                out.push(Run {
                    path,
                    value: Err(remark),
                    code: &OUT_OF_BUDGET,
                    truth: None,
                    cost: 0,
                    why: None,
                });
                break;
            }
        }
        out
    }

    /// Whether the server would run a rule on a value.
    fn runs_on(&self, this: &Value, old: Option<&Value>) -> bool {
        match self.question.purpose {
            Purpose::Any => true,
            Purpose::Rule { optional_old_self } => {
                let has_old = old.is_some_and(|old| !old.is_null());
                !this.is_null() && (!self.uses_old_self || has_old || optional_old_self)
            }
        }
    }

    fn run_at(&self, path: String, this: &Value, old: Option<&Value>, explain: Explain) -> Run {
        let Question { expression, purpose, .. } = self.question;
        let Expression { checked, kube, program, .. } = &self.compiled;
        let old = match purpose {
            Purpose::Any => old.map(|old| self.shape.adapt(old)),
            Purpose::Rule { optional_old_self } => {
                let old = old.filter(|old| !old.is_null()).map(|old| self.shape.adapt(old));
                match optional_old_self {
                    true => Some(Ok(old.map_or(Val::Optional(None), Val::some_outcome))),
                    false => old,
                }
            }
        };
        let has_old = old.is_some();
        let globals = [Some(self.shape.adapt(this)), old];
        let evaluation = program.eval(&globals, Limits::CALL);
        let [this, old] = globals;
        let scope = [("self", this), ("oldSelf", old)];
        let truth = match evaluation.value {
            Ok(Val::Bool(truth) | Val::Preserved(&Value::Bool(truth))) => Some(truth),
            Ok(_) | Err(_) => None,
        };
        let value = evaluation.value.and_then(|v| v.literal());
        let code = match &value {
            Err(e) if e.kind() == ErrorKind::TooMuch => &TOO_MUCH,
            Ok(_) | Err(_) => &RULE_ERROR,
        };
        let is_failure = value.is_err() || truth == Some(false);
        let why = match explain {
            Explain::Everything => true,
            Explain::Failures => is_failure,
            Explain::Nothing => false,
        };
        let why = if why { explanation(expression, checked, *kube, &scope) } else { None };
        let value = value.map_err(|e| {
            let part = cause(checked, *kube, &scope, &e);
            let at = span::of_node(expression, &checked.ast, part);
            let is_old = expression.get(at.clone()) == Some("oldSelf");
            let help = if is_old && !has_old {
                Some("pass the old object with --old".to_owned())
            } else {
                let part = expression.get(at.clone()).unwrap_or_default();
                (e.kind() == ErrorKind::NoKey).then(|| absent(part))
            };
            Remark { text: e.to_string(), at: Some(at), help }
        });
        Run { path, value, code, truth, cost: evaluation.cost, why }
    }
}

/// Follows the path, and asks about the values at its end.
fn descend<T>(
    question: &Question<'_>,
    node: &Node<'_>,
    left: &[PlaceStep<'_>],
    at_end: impl FnOnce(About<'_, '_>, Compiler<'_>) -> Result<T, Unanswered>,
) -> Result<T, Unanswered> {
    let schema = node.schema;
    let Some((step, rest)) = left.split_first() else {
        let of = SchemaOf::resource_if(node.up.is_none()).or_nested(schema);
        let mut decls = Decls::default();
        let decl = decls.declare(schema, of);
        let path = if question.path.is_empty() { "." } else { question.path };
        let decl = decl.ok_or_else(|| Unanswered::Question(format!("{path} has no type for rules")))?;
        let environments = Environments::default();
        let compiler = Compiler::new(&decls, decl, &environments);
        let shape = || shape(schema, of, environments.server);
        return at_end(About { question, decls: &decls, decl, node: Some(node), shape: &shape }, compiler);
    };
    let via = match step {
        PlaceStep::Key(name) if schema.properties.contains_key(name) => Via::Property(name),
        PlaceStep::Key(_) | PlaceStep::Values => Via::Additional,
        PlaceStep::Index(_) | PlaceStep::Items => Via::Items,
    };
    let schema = step
        .below(schema)
        .ok_or_else(|| Unanswered::Question(format!("the schema has no {}", question.path)))?;
    descend(question, &Node { schema, up: Some((node, via)) }, rest, at_end)
}

/// Asks without a schema.
fn plain<T>(question: &Question<'_>, ask: impl FnOnce(About<'_, '_>, Compiler<'_>) -> T) -> T {
    let mut decls = Decls::default();
    let decl = decls.declare_anything();
    let environments = Environments::default();
    let mut compiler = Compiler::new(&decls, decl, &environments);
    if question.object.is_none() {
        compiler = compiler.without_self();
    }
    let shape = || Shape::of(ShapeKind::Any);
    ask(About { question, decls: &decls, decl, node: None, shape: &shape }, compiler)
}

/// Returns what may be written at a byte of the expression of a question. The expression need not be complete.
pub fn complete(question: &Question<'_>, offset: usize) -> Vec<Candidate> {
    let complete = |_: About<'_, '_>, mut compiler: Compiler<'_>| {
        compiler.complete(question.expression, offset, question.kube, question.purpose.old_self())
    };
    let Some(steps) = steps(question.path) else { return Vec::new() };
    match question.schema {
        Some(schema) => {
            let node = Node { schema, up: None };
            descend(question, &node, &steps, |about, compiler| Ok(complete(about, compiler)))
                .unwrap_or_default()
        }
        None => plain(question, complete),
    }
}

/// Returns the fields that the expression of a question reads, in the order of the text.
pub fn fields(question: &Question<'_>) -> Result<Vec<FieldUse>, Unanswered> {
    let fields = |_: About<'_, '_>, mut compiler: Compiler<'_>| {
        let compiled = compile(&mut compiler, question)?;
        Ok(fields::of(question.expression, &compiled.checked, &compiler.types))
    };
    let way = steps(question.path);
    match (question.schema, way) {
        (Some(schema), Some(steps)) => descend(question, &Node { schema, up: None }, &steps, fields),
        _ => plain(question, fields),
    }
}

/// What a question is about.
struct About<'a, 'q> {
    question: &'a Question<'q>,
    decls: &'a Decls,
    /// The type of `self`.
    decl: DeclId,
    /// The schema of `self`, if there is one.
    node: Option<&'a Node<'a>>,
    /// How values become `self`.
    shape: &'a dyn Fn() -> Shape,
}

impl About<'_, '_> {
    /// Compiles the expression, and returns what running it needs.
    fn prepare(self, mut compiler: Compiler<'_>) -> Result<(Expression, Shape, Answer), Unanswered> {
        let About { question, decls, decl, node, shape } = self;
        let compiled = compile(&mut compiler, question)?;
        let types = &compiler.types;
        let text = question.expression;
        let advice = advise_at(&CompiledRule { decls, root: decl, expression: &compiled, text, types }, node);
        let ty = types.display(compiled.checked.output());
        let answer = Answer { ty, estimate: compiled.estimate.total.max, advice, runs: Vec::new() };
        Ok((compiled, shape(), answer))
    }
}

fn compile(compiler: &mut Compiler<'_>, question: &Question<'_>) -> Result<Expression, Unanswered> {
    let text = question.expression;
    compiler.value(text, question.kube, question.purpose.old_self()).map_err(|rejection| {
        let (source, hints) = (Source::new(text), Hints::new(text));
        Unanswered::Expression(match rejection.issues.as_slice() {
            [] => {
                let at = rejection.at.map(|at| span::of_word(text, at));
                vec![Remark { text: rejection.detail, at, help: rejection.help }]
            }
            issues => issues
                .iter()
                .map(|issue| Remark {
                    text: issue.message.clone(),
                    at: issue.at.map(|at| span::of_word(text, source.byte(at))),
                    help: hints.of(issue).or_else(|| below(question, issue)).or_else(|| other_field(issue)),
                })
                .collect(),
        })
    })
}

/// Where the field is that an expression about the whole object does not find. For `self.replicas`, suggests
/// `self.spec.replicas`.
fn below(question: &Question<'_>, issue: &Issue) -> Option<String> {
    let IssueKind::UndefinedField { name, .. } = &issue.kind else { return None };
    let schema = question.schema.filter(|_| question.path.is_empty())?;
    let start = Source::new(question.expression).byte(issue.at?);
    // The type whose field is read is only known for `self`.
    let before = question.expression.get(..start)?.trim_end();
    before
        .rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.')
        .next()
        .filter(|it| *it == "self")?;
    let mut parents = schema.properties.iter().filter(|(_, own)| own.properties.contains_key(name));
    let (parent, _) = parents.next()?;
    Some(format!("write `self.{parent}.{name}`, or pass `--path .{parent}`"))
}

/// The help if the object does not have a field or a key.
fn absent(part: &str) -> String {
    let is_field =
        part.contains('.') && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'));
    match is_field {
        true => format!("the object does not have it: check for it first with `has({part})`"),
        false => {
            "the object does not have it: check for a field first with `has(…)`, for a key with `'key' in …`"
                .to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Items, Type};
    use crate::path::Step;

    #[test]
    fn type_cost_and_value() {
        let mut schema = Schema::of(Type::Object);
        let mut spec = Schema::of(Type::Object);
        spec.properties.insert("replicas", Schema::of(Type::Integer));
        schema.properties.insert("spec", spec);
        let replicas: Value =
            [("replicas", Value::Int(3))].into_iter().collect::<crate::value::Map<_>>().into();
        let object: Value = [("spec", replicas)].into_iter().collect::<crate::value::Map<_>>().into();
        let ask = |path, expression| {
            let object = Some(&object);
            let (purpose, explain) = (Purpose::Any, Explain::Nothing);
            let (schema, kube) = (Some(&schema), Kube::STORED);
            ask(&Question { expression, schema, path, object, old: None, kube, purpose, explain })
        };
        let answer = ask(".spec", "self.replicas + 1").unwrap();
        assert_eq!((answer.ty.as_str(), answer.estimate), ("int", 3));
        let (path, value) = ("spec".to_owned(), Ok("4".to_owned()));
        assert_eq!(answer.runs, [Run { path, value, code: &RULE_ERROR, truth: None, cost: 3, why: None }]);
        let error = ask(".", "[1, 0].map(x, self.spec.replicas / x)").unwrap().runs.pop().map(|r| r.value);
        let expected = Remark { text: "division by zero".to_owned(), at: Some(14..36), help: None };
        assert_eq!(error, Some(Err(expected)));
        assert_eq!(
            ask(".nothing", "true"),
            Err(Unanswered::Question("the schema has no .nothing".to_owned()))
        );
        let help = Some("the fields here are replicas".to_owned());
        let undefined = Remark { text: "undefined field 'x'".to_owned(), at: Some(4..5), help };
        assert_eq!(ask(".spec", "self.x"), Err(Unanswered::Expression(vec![undefined])));
    }

    #[test]
    fn fields_are_in_the_schema() {
        let with = |name: &str, of: Schema| {
            let mut schema = Schema::of(Type::Object);
            schema.properties.insert(name, of);
            schema
        };
        let mut list = Schema::of(Type::Array);
        list.items = Some(Items::One(Box::new(with("x-y", Schema::of(Type::Integer)))));
        let schema = with("spec", with("list", list));
        let of = |expression| {
            let (schema, kube, purpose) = (Some(&schema), Kube::STORED, Purpose::Any);
            let question = Question {
                expression,
                schema,
                path: "",
                object: None,
                old: None,
                kube,
                purpose,
                explain: Explain::Nothing,
            };
            let found = fields(&question).unwrap().into_iter().map(|it| {
                let steps = it.schema.map(|steps| {
                    steps
                        .iter()
                        .map(|step| match step {
                            Step::Key(name) => name.clone(),
                            Step::Index(i) => i.to_string(),
                        })
                        .collect::<Vec<_>>()
                        .join("/")
                });
                (expression.get(it.at).unwrap(), it.name, steps)
            });
            found.collect::<Vec<_>>()
        };
        let place = |steps: &str| Some(steps.to_owned());
        assert_eq!(
            of("self.spec.list.all(i, i.x__dash__y > 1) && dyn(self).a == 1"),
            [
                ("spec", "spec".to_owned(), place("properties/spec")),
                ("list", "list".to_owned(), place("properties/spec/properties/list")),
                (
                    "x__dash__y",
                    "x-y".to_owned(),
                    place("properties/spec/properties/list/items/properties/x-y")
                ),
                ("a", "a".to_owned(), None),
            ]
        );
    }

    #[test]
    fn without_a_schema() {
        let object: Value =
            [("a", Value::List(vec![Value::Int(1)]))].into_iter().collect::<crate::value::Map<_>>().into();
        let ask = |expression, object| {
            let (path, old, kube) = ("", None, Kube::CURRENT);
            let (purpose, explain) = (Purpose::Any, Explain::Nothing);
            let question = Question { expression, schema: None, path, object, old, kube, purpose, explain };
            ask(&question).map(|mut a| a.runs.pop().map(|r| r.value))
        };
        assert_eq!(ask("1 + 1", None), Ok(Some(Ok("2".to_owned()))));
        assert_eq!(ask("self.a[0] + 1", Some(&object)), Ok(Some(Ok("2".to_owned()))));
        assert!(matches!(ask("self", None), Err(Unanswered::Expression(_))));
    }
}
