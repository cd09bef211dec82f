//! Reports rules that read an optional field without checking that it is set. The server then rejects every object
//! without the field, with "no such key".
//!
//! There are two steps. `rules::reads` lists the reads of a rule that must fail if the field is absent, whatever the
//! other values are. Then the rule runs on an object that has all fields except this one. The lint only reports it if
//! the rule fails with "no such key". So everything that it reports is a mistake, but it does not find mistakes that
//! depend on other values. Of a rule that reads more than 100 fields, it only examines the first 100.
//!
//! The same samples show rules that only work for one type of a field that may be an integer or a string.

mod sample;

use std::collections::BTreeSet;
use std::ops::Range;

use super::Lints;
use super::walk::{self, Node};
use crate::cel::eval::Limits;
use crate::cel::types::Ty;
use crate::cel::value::{Error, ErrorKind, Shape, Val};
use crate::cel::{Kube, span};
use crate::diag::codes::lint::{ONE_TYPE, UNGUARDED};
use crate::diag::{Diag, Diags, Level};
use crate::ir::{Rule, Schema, SchemaOf};
use crate::path::Path;
use crate::rules::demands::Demands;
use crate::rules::reads::{self, Step};
use crate::rules::run::shape;
use crate::rules::{Compiler, Decls, Environments, Expression};
use crate::value::Value;

/// What a rule may take on a sample. Samples are small.
const LIMITS: Limits = Limits { steps: 100_000, ..Limits::CALL };

/// A rule that reads an optional field without a guard.
#[derive(Clone, Debug)]
pub struct Unguarded {
    /// The index of the rule in the node.
    pub rule: usize,
    /// The field as rules write it, such as `self.a.b`.
    pub field: String,
    /// The place where the rule reads the field, in bytes.
    pub read: Range<usize>,
    /// The expression that checks whether the field is set.
    pub test: String,
    /// A value of the node without the field, on which the rule fails with "no such key".
    pub witness: Value,
}

pub(super) fn check(schema: &Schema, path: &Path<'_>, lints: &Lints, out: &mut Diags) {
    if !lints.is_on(&UNGUARDED) && !lints.is_on(&ONE_TYPE) {
        return;
    }
    walk::each_node(schema, path, &mut |node, path| {
        if node.schema.rules.is_empty() {
            return;
        }
        let (unguarded, of_one_type) = examine(node.schema, is_resource(node));
        let unguarded = unguarded.iter().map(|found| diag(found, node.schema, path));
        let of_one_type = of_one_type.iter().map(|(rule, error)| only_one_type(*rule, error, path));
        out.extend(unguarded.chain(of_one_type).filter(|diag| lints.is_on(diag.code)));
    });
}

fn is_resource(node: &Node<'_>) -> bool {
    node.up.is_none() || node.schema.ext.embedded_resource
}

fn diag(found: &Unguarded, schema: &Schema, path: &Path<'_>) -> Diag {
    let Unguarded { rule, field, read, test, witness: _ } = found;
    let text = schema.rules.get(*rule).map_or("", |rule| rule.rule.as_str());
    let written = text.get(read.clone()).unwrap_or(field);
    let (detail, help) = reads::words(field, written, test);
    let rules = path.child("x-kubernetes-validations");
    let rule = rules.index(*rule);
    let at = rule.child("rule");
    Diag::own(&UNGUARDED, Level::Warning, &at, detail).help(help).inside(read.clone())
}

fn only_one_type(rule: usize, error: &Error, path: &Path<'_>) -> Diag {
    let rules = path.child("x-kubernetes-validations");
    let rule = rules.index(rule);
    let detail = format!(
        "fails with \"{error}\" for some values that the schema accepts: the server then rejects the object with this message"
    );
    Diag::own(&ONE_TYPE, Level::Warning, &rule.child("rule"), detail).help(
        "a field that may be an integer or a string has either type in rules. Convert it, as in \
         `quantity(string(self.a))`, or check its type first, as in `type(self.a) == string`",
    )
}

/// Returns the rules of a node that read optional fields without a guard. `resource` is `true` if the node is the root
/// of a resource.
pub fn of_node(schema: &Schema, resource: bool) -> Vec<Unguarded> {
    examine(schema, resource).0
}

/// The same, and the rules that fail for one type of a field, with the error.
fn examine(schema: &Schema, resource: bool) -> (Vec<Unguarded>, Vec<(usize, Error)>) {
    let mut decls = Decls::default();
    let Some(decl) = decls.declare(schema, SchemaOf::resource_if(resource)) else {
        return Default::default();
    };
    let environments = Environments { new: Kube::STORED, stored: Kube::STORED, ..Environments::default() };
    let mut compiler = Compiler::new(&decls, decl, &environments);
    let rules: Vec<(&Rule, Option<Expression>)> = schema
        .rules
        .iter()
        .map(|rule| (rule, compiler.rule(rule, schema).rule.and_then(Result::ok)))
        .collect();
    let types = &compiler.types;
    let checked = rules.iter().filter_map(|(_, expression)| Some((&expression.as_ref()?.checked, types)));
    let mut demands = Demands::new(checked);
    let mut samples = Samples {
        schema,
        resource,
        shape: shape(schema, SchemaOf::resource_if(resource), environments.server),
        left: sample::MOST_NODES,
    };
    let (mut out, mut of_one_type) = (Vec::new(), Vec::new());
    for (i, (rule, expression)) in rules.iter().enumerate() {
        let Some(expression) = expression else { continue };
        let all = reads::of(&expression.checked, types);
        let places: Vec<&[Step]> = all.iter().map(|read| &*read.place).collect();
        let fields = reads::fields(&expression.checked, types);
        let subject = Subject { rule, expression, reads: &places, fields: fields.as_ref() };
        for read in all.iter().take(reads::MOST) {
            if !reads::is_optional(schema, SchemaOf::resource_if(resource), &read.place) {
                continue;
            }
            // Another rule may require the field, with a message of its own.
            let fails = || reads::without(&expression.checked, types, &read.place).fails();
            if demands.require(&read.place) || !fails() {
                continue;
            }
            let Some(witness) = samples.witness(&subject, &read.place) else { continue };
            out.push(Unguarded {
                rule: i,
                field: read.field(),
                read: span::of_node(&rule.rule, &expression.checked.ast, read.id),
                test: read.test(&rule.rule, &expression.checked.ast),
                witness,
            });
        }
        if expression.checked.node_types.contains(&Ty::DYN) {
            of_one_type.extend(samples.rejected_type(&subject).map(|error| (i, error)));
        }
    }
    (out, of_one_type)
}

/// A rule to run.
struct Subject<'r> {
    rule: &'r Rule,
    expression: &'r Expression,
    /// All fields that the rule reads.
    reads: &'r [&'r [Step]],
    /// The names of all fields that the rule uses. `None` if it may use others.
    fields: Option<&'r BTreeSet<String>>,
}

/// Values of one schema on which rules run.
struct Samples<'s> {
    schema: &'s Schema,
    resource: bool,
    shape: Shape,
    /// How many nodes may still be made.
    left: usize,
}

impl Samples<'_> {
    /// A value on which the rule fails only because the field is absent.
    fn witness(&mut self, subject: &Subject<'_>, absent: &[Step]) -> Option<Value> {
        (0..sample::VARIANTS).find_map(|variant| {
            let full = self.value(subject, &[], variant)?;
            let without = self.value(subject, absent, variant)?;
            (!self.lacks_a_key(subject, &full, &full) && self.lacks_a_key(subject, &without, &full))
                .then_some(without)
        })
    }

    fn value(&mut self, subject: &Subject<'_>, absent: &[Step], variant: usize) -> Option<Value> {
        let wanted = sample::Wanted { absent, reads: subject.reads, fields: subject.fields, variant };
        sample::value(self.schema, self.resource, wanted, &mut self.left)
    }

    /// The error, if the rule fails for the types of some samples only.
    fn rejected_type(&mut self, subject: &Subject<'_>) -> Option<Error> {
        let (mut error, mut works) = (None, false);
        for variant in 0..sample::VARIANTS {
            let value = self.value(subject, &[], variant)?;
            match self.error(subject, &value, &value) {
                Some(why) if why.kind() == ErrorKind::NoOverload => error = Some(why),
                Some(_) | None => works = true,
            }
        }
        error.filter(|_| works)
    }

    /// Whether the rule fails with "no such key".
    fn lacks_a_key(&self, subject: &Subject<'_>, value: &Value, old: &Value) -> bool {
        self.error(subject, value, old).is_some_and(|error| error.kind() == ErrorKind::NoKey)
    }

    fn error(&self, subject: &Subject<'_>, value: &Value, old: &Value) -> Option<Error> {
        let old = match subject.rule.optional_old_self {
            Some(true) => Ok(Val::Optional(None)),
            Some(false) | None => self.shape.adapt(old),
        };
        subject.expression.program.eval(&[Some(self.shape.adapt(value)), Some(old)], LIMITS).value.err()
    }
}
