//! Evaluates one expression on one value of a resource: its type, its estimated cost, and its result.

use std::ops::Range;

use crate::cel::eval::{Limits, cause};
use crate::cel::hint::{hint, other_field};
use crate::cel::value::{ErrorKind, Shape, ShapeKind};
use crate::cel::{Issue, IssueKind, Kube, Source, span};
use crate::diag::Code;
use crate::diag::codes::cel::{RULE_ERROR, TOO_MUCH};
use crate::ir::Schema;
use crate::rules::{Advice, Compiler, Decls, Environments, Expression, advise_at};
use crate::value::Value;
use crate::walk::{Node, Via};

use super::shape;

/// An expression, and the values and schema on which it is evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// The expression.
    pub expression: &'q str,
    /// The schema of the resource. Without a schema, the types of values are those that they have in JSON.
    pub schema: Option<&'q Schema>,
    /// The path of `self` in the resource: `.spec.items[0]`.
    pub path: &'q str,
    /// The resource. Without it, the expression is only compiled. If there is no schema either, the expression runs
    /// without `self`.
    pub object: Option<&'q Value>,
    /// The old resource, in which `oldSelf` is found.
    pub old: Option<&'q Value>,
    /// The environment in which the expression is compiled.
    pub kube: Kube,
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
    /// The result and the cost, if there is a value on which the expression was run.
    pub run: Option<Run>,
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
    /// The result as a literal, or the server's error and the part that causes it.
    pub value: Result<String, Remark>,
    /// The code of the error, if the value is one.
    pub code: &'static Code,
    /// The actual cost.
    pub cost: u64,
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
    let steps = steps(question.path).ok_or_else(|| {
        Unanswered::Question(format!(
            "{} is not a path: write a dot before each field, as in .spec or .spec.items[0]",
            question.path
        ))
    })?;
    let place = Place { this: question.object, old: question.old };
    match question.schema {
        Some(schema) => descend(question, &Node { schema, up: None }, place, &steps),
        None => {
            let place = steps.iter().try_fold(place, |at, step| at.down(step, question))?;
            plain(question, place)
        }
    }
}

/// Follows the path, and answers for the value at its end.
fn descend(
    question: &Question<'_>,
    node: &Node<'_>,
    place: Place<'_>,
    steps: &[Step<'_>],
) -> Result<Answer, Unanswered> {
    let Some((step, rest)) = steps.split_first() else { return about(question, node, place) };
    let schema = node.schema;
    let below = match step {
        Step::Key(name) => match schema.properties.get(name) {
            Some(property) => Some((property, Via::Property(name))),
            None => schema.value().map(|value| (value, Via::Additional)),
        },
        Step::Index(_) => schema.item().map(|item| (item, Via::Items)),
    };
    let (schema, via) =
        below.ok_or_else(|| Unanswered::Question(format!("the schema has no {}", question.path)))?;
    descend(question, &Node { schema, up: Some((node, via)) }, place.down(step, question)?, rest)
}

fn about(question: &Question<'_>, node: &Node<'_>, place: Place<'_>) -> Result<Answer, Unanswered> {
    let resource = node.up.is_none() || node.schema.ext.embedded_resource;
    let mut decls = Decls::default();
    let decl = decls.declare(node.schema, resource);
    let path = if question.path.is_empty() { "." } else { question.path };
    let decl = decl.ok_or_else(|| Unanswered::Question(format!("{path} has no type for rules")))?;
    let environments = Environments::default();
    let mut compiler = Compiler::new(&decls, decl, &environments);
    let compiled = compile(&mut compiler, question)?;
    let advice = advise_at(&decls, decl, &compiled, question.expression, &compiler.types, Some(node));
    answer(question, &compiler, &compiled, advice, &shape(node.schema, resource), place)
}

/// Answers without a schema.
fn plain(question: &Question<'_>, place: Place<'_>) -> Result<Answer, Unanswered> {
    let mut decls = Decls::default();
    let decl = decls.declare_anything();
    let environments = Environments::default();
    let mut compiler = Compiler::new(&decls, decl, &environments);
    if question.object.is_none() {
        compiler = compiler.without_self();
    }
    let compiled = compile(&mut compiler, question)?;
    let advice = advise_at(&decls, decl, &compiled, question.expression, &compiler.types, None);
    // Without an object, the expression runs with null.
    let place = Place { this: place.this.or(Some(&Value::Null)), ..place };
    answer(question, &compiler, &compiled, advice, &Shape::of(ShapeKind::Any), place)
}

fn compile(compiler: &mut Compiler<'_>, question: &Question<'_>) -> Result<Expression, Unanswered> {
    let text = question.expression;
    compiler.value(text, question.kube).map_err(|rejection| {
        let source = Source::new(text);
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
                    help: hint(text, issue).or_else(|| below(question, issue)).or_else(|| other_field(issue)),
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

fn answer(
    question: &Question<'_>,
    compiler: &Compiler<'_>,
    compiled: &Expression,
    advice: Advice,
    shape: &Shape,
    place: Place<'_>,
) -> Result<Answer, Unanswered> {
    let run = place.this.map(|this| {
        let globals = [Some(shape.adapt(this)), place.old.map(|old| shape.adapt(old))];
        let evaluation = compiled.program.eval(&globals, Limits::CALL);
        let [this, old] = globals;
        let value = evaluation.value.and_then(|v| v.literal());
        let code = match &value {
            Err(e) if e.kind() == ErrorKind::TooMuch => &TOO_MUCH,
            Ok(_) | Err(_) => &RULE_ERROR,
        };
        let value = value.map_err(|e| {
            let scope = [("self", this), ("oldSelf", old)];
            let part = cause(&compiled.checked, compiled.kube, &scope, &e);
            let at = span::of_node(question.expression, &compiled.checked.ast, part);
            let is_old = question.expression.get(at.clone()) == Some("oldSelf");
            let help = if is_old && question.old.is_none() {
                Some("pass the old object with --old".to_owned())
            } else {
                let part = question.expression.get(at.clone()).unwrap_or_default();
                (e.kind() == ErrorKind::NoKey).then(|| absent(part))
            };
            Remark { text: e.to_string(), at: Some(at), help }
        });
        Run { value, code, cost: evaluation.cost }
    });
    let ty = compiler.types.display(compiled.checked.output());
    Ok(Answer { ty, estimate: compiled.estimate.total.max, advice, run })
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

/// The values at a place.
#[derive(Clone, Copy)]
struct Place<'v> {
    this: Option<&'v Value>,
    old: Option<&'v Value>,
}

impl<'v> Place<'v> {
    /// Goes one step down. The object must have a value there, but the old object need not.
    fn down(self, step: &Step<'_>, question: &Question<'_>) -> Result<Place<'v>, Unanswered> {
        let below = |value: &'v Value| match step {
            Step::Key(name) => value.get(name),
            Step::Index(i) => value.as_list().and_then(|list| list.get((*i)?)),
        };
        let this = self.this.map(|this| {
            below(this).ok_or_else(|| Unanswered::Question(format!("the object has no {}", question.path)))
        });
        Ok(Place { this: this.transpose()?, old: self.old.and_then(below) })
    }
}

enum Step<'p> {
    Key(&'p str),
    /// Without an index, any item.
    Index(Option<usize>),
}

/// The steps of a path: `.name`, `[0]`, `[]`, `['any name']`.
fn steps(path: &str) -> Option<Vec<Step<'_>>> {
    let mut out = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(quoted) = rest.strip_prefix("['") {
            let (name, tail) = quoted.split_once("']")?;
            out.push(Step::Key(name));
            rest = tail;
        } else if let Some(inside) = rest.strip_prefix('[') {
            let (index, tail) = inside.split_once(']')?;
            out.push(Step::Index(if index.is_empty() { None } else { Some(index.parse().ok()?) }));
            rest = tail;
        } else {
            let name = rest.strip_prefix('.')?;
            let end = name.find(['.', '[']).unwrap_or(name.len());
            if end > 0 {
                out.push(Step::Key(&name[..end]));
            } else if !name.is_empty() || !out.is_empty() {
                return None;
            }
            rest = &name[end..];
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Type;

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
            ask(&Question { expression, schema: Some(&schema), path, object, old: None, kube: Kube::STORED })
        };
        let answer = ask(".spec", "self.replicas + 1").unwrap();
        assert_eq!((answer.ty.as_str(), answer.estimate), ("int", 3));
        assert_eq!(answer.run, Some(Run { value: Ok("4".to_owned()), code: &RULE_ERROR, cost: 3 }));
        let error = ask(".", "[1, 0].map(x, self.spec.replicas / x)").unwrap().run.map(|r| r.value);
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
    fn without_a_schema() {
        let object: Value =
            [("a", Value::List(vec![Value::Int(1)]))].into_iter().collect::<crate::value::Map<_>>().into();
        let ask = |expression, object| {
            let question =
                Question { expression, schema: None, path: "", object, old: None, kube: Kube::CURRENT };
            ask(&question).map(|a| a.run.map(|r| r.value))
        };
        assert_eq!(ask("1 + 1", None), Ok(Some(Ok("2".to_owned()))));
        assert_eq!(ask("self.a[0] + 1", Some(&object)), Ok(Some(Ok("2".to_owned()))));
        assert!(matches!(ask("self", None), Err(Unanswered::Expression(_))));
    }
}
