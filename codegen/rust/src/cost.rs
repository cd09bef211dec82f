//! The estimated cost of a rule, as far as its own item shows it. Sizes that another item determines are unknown here,
//! so rules that read them are only checked once the whole CRD is known.

use crate::cel::ast::{Checked, Expr};
use crate::cel::cost::{self, RULE_LIMIT, exceeds};
use crate::cel::escape::escape;
use crate::cel::types::Types;
use crate::ir::{Schema, Type};
use crdgen_rules::{DeclId, DeclSizes, Decls};

/// How many values a place can have: the product of the sizes of the lists and maps around it in the item.
#[derive(Clone, Copy, Debug)]
pub(super) enum Count {
    /// At most this many.
    Bounded(u64),
    /// As many as one request can contain.
    Unbounded,
}

impl Count {
    /// The number of values below a schema.
    pub(super) fn below(self, schema: &Schema) -> Count {
        let max = match schema.ty {
            Some(Type::Array) => schema.limits.max_items,
            Some(Type::Object) if schema.additional_properties.is_some() => schema.limits.max_properties,
            Some(
                Type::Object | Type::String | Type::Integer | Type::Number | Type::Boolean | Type::Other(_),
            )
            | None => return self,
        };
        match (self, max) {
            (Count::Bounded(count), Some(max)) => {
                Count::Bounded(count.saturating_mul(u64::try_from(max).unwrap_or(0)))
            }
            (Count::Unbounded, _) | (_, None) => Count::Unbounded,
        }
    }
}

/// The server's message if an expression exceeds its cost limit for certain, whatever the rest of the CRD is.
pub(super) fn over_budget(
    checked: &Checked,
    types: &Types,
    (decls, root): (&Decls, DeclId),
    schema: &Schema,
    count: Option<Count>,
) -> Option<String> {
    let (names, whole) = looked_at(checked);
    let looks = |name: &str| whole || escape(name).is_some_and(|escaped| names.iter().any(|n| *n == escaped));
    let decided_elsewhere = if schema.properties.is_empty() {
        is_open(schema)
    } else {
        schema.properties.iter().any(|(name, property)| looks(name) && is_open(property))
    };
    if decided_elsewhere {
        return None;
    }
    let most = decls.cardinality(root);
    let (what, count) = match count {
        None => ("estimated messageExpression cost", 1),
        // The sizes that are unknown here may be large, and then a request can contain fewer values.
        Some(_) if is_open(schema) => ("estimated rule cost", 1),
        Some(Count::Unbounded) => ("estimated rule cost", most),
        // The lists around the item may be unlimited. Then the size of a request is the limit.
        Some(Count::Bounded(count)) => ("estimated rule cost", count.min(most)),
    };
    let estimate = cost::estimate(checked, types, &DeclSizes { decls, root });
    let cost = estimate.total.max.saturating_mul(count);
    (cost > RULE_LIMIT).then(|| exceeds(what, cost, RULE_LIMIT))
}

/// The fields of `self` that an expression reads, and whether it reads `self` as a whole.
fn looked_at(checked: &Checked) -> (Vec<String>, bool) {
    let ast = &checked.ast;
    let is_self = |id| matches!(ast.expr(id), Expr::Ident(name) if name == "self" || name == "oldSelf");
    let (mut names, mut whole) = (Vec::new(), false);
    let mut stack = vec![ast.root()];
    while let Some(id) = stack.pop() {
        match ast.expr(id) {
            Expr::Select { operand, field, .. } if is_self(*operand) => names.push(field.to_string()),
            _ => {
                whole |= is_self(id);
                ast.children(id, &mut |child| stack.push(child));
            }
        }
    }
    (names, whole)
}

/// Whether another item determines any part of a schema.
fn is_open(schema: &Schema) -> bool {
    let unknown = schema.ext.int_or_string && schema.ext.preserve_unknown_fields == Some(true);
    unknown || schema.parts().any(is_open)
}
