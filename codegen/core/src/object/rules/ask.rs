//! One expression about one value of a resource: its type, what it may cost, and what it gives.

use crate::cel::Kube;
use crate::cel::eval::CALL_LIMIT;
use crate::check::rules::{Compiler, Decls, Environments, Failure};
use crate::ir::Schema;
use crate::value::Value;

use super::shape;

/// What there is to say of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Its type.
    pub ty: String,
    /// What it may cost at most.
    pub estimate: u64,
    /// What it gives and costs, if there is a value to run it on.
    pub run: Option<Run>,
}

/// A run of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The value as a literal, or the server's error.
    pub value: Result<String, String>,
    /// What it has cost.
    pub cost: u64,
}

/// Compiles an expression as a rule at `path` (`.spec.items[0]`) of a resource's schema would be, and runs
/// it on the value that stands there.
pub fn ask(
    schema: &Schema,
    path: &str,
    expression: &str,
    object: Option<&Value>,
    old: Option<&Value>,
    kube: Kube,
) -> Result<Answer, Failure> {
    let failure = |detail: String| Failure { detail, at: None };
    let steps = steps(path).ok_or_else(|| failure(format!("{path} is no path such as .spec.items[0]")))?;
    let mut at = Place { schema, this: object, old };
    for step in &steps {
        at = at.down(step).ok_or_else(|| failure(format!("the schema has no {path}")))?;
    }
    let resource = steps.is_empty() || at.schema.ext.embedded_resource;
    let mut decls = Decls::default();
    let decl = decls.declare(at.schema, resource);
    let decl = decl.ok_or_else(|| failure(format!("{path} has no type for rules")))?;
    let environments = Environments::default();
    let mut compiler = Compiler::new(&decls, decl, &environments);
    let compiled = compiler.value(expression, kube).map_err(|refusal| refusal.failure)?;
    let shape = shape(at.schema, resource);
    let run = at.this.map(|this| {
        let globals = [Some(shape.adapt(this)), at.old.map(|old| shape.adapt(old))];
        let evaluation = compiled.program.eval(&globals, CALL_LIMIT);
        let value = evaluation.value.map(|v| v.literal()).map_err(|e| e.to_string());
        Run { value, cost: evaluation.cost }
    });
    let ty = compiler.types.display(compiled.checked.output());
    Ok(Answer { ty, estimate: compiled.estimate.total.max, run })
}

/// Where a path leads: a schema, and what stands there.
struct Place<'v> {
    schema: &'v Schema,
    this: Option<&'v Value>,
    old: Option<&'v Value>,
}

impl<'v> Place<'v> {
    fn down(self, step: &Step<'_>) -> Option<Place<'v>> {
        Some(match step {
            Step::Key(name) => Place {
                schema: self.schema.properties.get(name).or_else(|| self.schema.value())?,
                this: self.this.and_then(|v| v.get(name)),
                old: self.old.and_then(|v| v.get(name)),
            },
            Step::Index(i) => {
                let item = |v: &'v Value| v.as_list().and_then(|list| list.get(*i));
                Place {
                    schema: self.schema.item()?,
                    this: self.this.and_then(item),
                    old: self.old.and_then(item),
                }
            }
        })
    }
}

enum Step<'p> {
    Key(&'p str),
    Index(usize),
}

/// The steps of a path: `.name`, `[0]`, `['any name']`.
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
            out.push(Step::Index(index.parse().ok()?));
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
        let ask = |path, expression| ask(&schema, path, expression, Some(&object), None, Kube::STORED);
        let answer = ask(".spec", "self.replicas + 1").unwrap();
        assert_eq!((answer.ty.as_str(), answer.estimate), ("int", 3));
        assert_eq!(answer.run, Some(Run { value: Ok("4".to_owned()), cost: 3 }));
        let error = ask(".", "self.spec.replicas / 0").unwrap().run.map(|r| r.value);
        assert_eq!(error, Some(Err("division by zero".to_owned())));
        assert!(ask(".nothing", "true").is_err());
        assert!(ask(".spec", "self.x").unwrap_err().detail.contains("undefined field 'x'"));
    }
}
