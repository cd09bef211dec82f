//! Decides that values of one schema cannot break a rule of another one, because the rule is about fields that only the other
//! schema has.

use crate::cel::ast::{Ast, Expr, ExprId, Literal, ops};
use crate::cel::escape;
use crate::ir::Schema;
use std::borrow::Cow;

/// How deep expressions are read.
const DEEPEST: usize = 100;

/// Whether a rule of `tight` is true for all values that the server keeps by `loose`, whatever else is in them. `false` if this
/// is not known.
pub(super) fn is_always_true(ast: &Ast, tight: &Schema, loose: &Schema) -> bool {
    Absent { ast }.truth(ast.root(), Both { tight, loose }, 0) == Some(true)
}

/// The schemas of both sides for a value.
#[derive(Clone, Copy)]
struct Both<'s> {
    tight: &'s Schema,
    loose: &'s Schema,
}

/// A field that an expression names.
enum Field<'s> {
    /// Both schemas list it.
    Listed(Both<'s>),
    /// The server drops it by `loose`, and `tight` has no default for it.
    Dropped,
}

struct Absent<'a> {
    ast: &'a Ast,
}

impl Absent<'_> {
    /// The value of an expression, if it does not depend on the object. An expression with a value has no errors.
    fn truth(&self, id: ExprId, this: Both<'_>, depth: usize) -> Option<bool> {
        if depth > DEEPEST {
            return None;
        }
        let of = |id: ExprId| self.truth(id, this, depth + 1);
        match self.ast.expr(id) {
            Expr::Literal(Literal::Bool(value)) => Some(*value),
            Expr::Select { operand, field, test_only: true } => {
                let around = self.place(*operand, this, depth + 1)?;
                matches!(around.field(field), Some(Field::Dropped)).then_some(false)
            }
            Expr::Call { function, target: None, args } => match (&**function, &**args) {
                (ops::NOT, [inner]) => of(*inner).map(|value| !value),
                // If one side decides, errors of the other one do not matter.
                (ops::AND, [left, right]) => match (of(*left), of(*right)) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (Some(true), other) | (other, Some(true)) => other,
                    (None, None) => None,
                },
                (ops::OR, [left, right]) => match (of(*left), of(*right)) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (Some(false), other) | (other, Some(false)) => other,
                    (None, None) => None,
                },
                (ops::CONDITIONAL, [condition, yes, no]) => of(if of(*condition)? { *yes } else { *no }),
                _ => None,
            },
            _ => None,
        }
    }

    /// The schemas of a part of the object. `None` if an expression is something else.
    fn place<'s>(&self, id: ExprId, this: Both<'s>, depth: usize) -> Option<Both<'s>> {
        if depth > DEEPEST {
            return None;
        }
        match self.ast.expr(id) {
            Expr::Ident(name) if name == "self" => Some(this),
            Expr::Select { operand, field, test_only: false } => {
                match self.place(*operand, this, depth + 1)?.field(field)? {
                    Field::Listed(both) => Some(both),
                    Field::Dropped => None,
                }
            }
            _ => None,
        }
    }
}

impl<'s> Both<'s> {
    fn field(self, name: &str) -> Option<Field<'s>> {
        let name = escape::unescape(name).unwrap_or(Cow::Borrowed(name));
        let Both { tight, loose } = self;
        let own = tight.properties.get(&name)?;
        // A default of the object may contain the field.
        if own.default.is_some() || tight.default.is_some() {
            return None;
        }
        if let Some(other) = loose.properties.get(&name) {
            return Some(Field::Listed(Both { tight: own, loose: other }));
        }
        let keeps = loose.preserves_unknown_fields()
            || loose.additional_properties.is_some()
            || loose.ext.embedded_resource
            || loose.default.is_some()
            // All objects have them, whatever their schema lists.
            || matches!(&*name, "apiVersion" | "kind" | "metadata");
        (!keeps).then_some(Field::Dropped)
    }
}

#[cfg(test)]
mod tests {
    use super::is_always_true;
    use crate::cel::{self, Kube};
    use crate::{decode, json};

    fn decided(rule: &str, tight: &str, loose: &str) -> bool {
        let schema = |properties: &str| {
            let text = format!(r#"{{"type":"object","properties":{properties}}}"#);
            decode::schema(json::read(text.as_bytes()).expect("JSON")).0.expect("a schema")
        };
        let ast = cel::parse(rule, Kube::STORED).expect("a rule");
        is_always_true(&ast, &schema(tight), &schema(loose))
    }

    #[test]
    fn objects_without_a_field_follow_rules_about_it() {
        let (old, new) = (r#"{"a":{"type":"string"}}"#, r#"{"a":{"type":"string"},"b":{"type":"string"}}"#);
        for (rule, expected) in [
            ("!(has(self.a) && has(self.b))", true),
            ("!has(self.b) || self.b == self.a", true),
            ("has(self.b) ? self.a == self.b : true", true),
            ("!has(self.b) || !self.b.startsWith('x') || has(self.a)", true),
            ("has(self.b)", false),
            ("has(self.a) || !has(self.b) && has(self.a)", false),
            ("!has(self.a)", false),
            ("has(self.a) ? true : !has(self.b)", false),
        ] {
            assert_eq!(decided(rule, new, old), expected, "{rule}");
            assert!(!decided(rule, new, new), "{rule}");
        }
        let rule = "!has(self.b)";
        assert!(!decided(rule, r#"{"b":{"type":"string","default":"x"}}"#, "{}"), "the server fills it in");
        let kept = r#"{"o":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}"#;
        let listed = r#"{"o":{"type":"object","properties":{"b":{"type":"string"}}}}"#;
        assert!(!decided("!has(self.o.b)", listed, kept), "the server keeps it");
        assert!(decided("!has(self.o.b)", listed, r#"{"o":{"type":"object"}}"#));
    }
}
