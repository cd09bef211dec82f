//! Integers beyond 64 bits, such as `u64::MAX` in `u64::MAX / 4`. A value contains them only as floats.

use super::{Eval, MAX_DEPTH};
use crate::named::Named;
use crate::types::Scope;
use crate::value::Value;
use syn::{BinOp, Expr};

impl Eval<'_, '_> {
    /// The result of an operation with such integers.
    pub(super) fn large(&self, it: &syn::ExprBinary, scope: &Scope, depth: usize) -> Option<Value> {
        let number = self.operation(it, scope, depth)?;
        match i64::try_from(number) {
            Ok(number) => Some(Value::Int(number)),
            Err(_) => u64::try_from(number).ok().map(|number| Value::Float(number as f64)),
        }
    }

    fn operation(&self, it: &syn::ExprBinary, scope: &Scope, depth: usize) -> Option<i128> {
        let (a, b) = (self.integer(&it.left, scope, depth + 1)?, self.integer(&it.right, scope, depth + 1)?);
        match it.op {
            BinOp::Add(_) => a.checked_add(b),
            BinOp::Sub(_) => a.checked_sub(b),
            BinOp::Mul(_) => a.checked_mul(b),
            BinOp::Div(_) => a.checked_div(b),
            BinOp::Rem(_) => a.checked_rem(b),
            _ => None,
        }
    }

    fn integer(&self, expr: &Expr, scope: &Scope, depth: usize) -> Option<i128> {
        if depth > MAX_DEPTH {
            return None;
        }
        self.effort().step().ok()?;
        match expr {
            Expr::Paren(it) => self.integer(&it.expr, scope, depth + 1),
            Expr::Group(it) => self.integer(&it.expr, scope, depth + 1),
            Expr::Binary(it) => self.operation(it, scope, depth),
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(number), .. }) => number.base10_parse().ok(),
            // A local variable contains what is already a float.
            Expr::Path(it) if it.path.get_ident().is_none_or(|name| scope.local(name).is_none()) => {
                match self.named(&it.path, scope)? {
                    Named::Foreign(full)
                        if matches!(full.as_str(), "u64::MAX" | "usize::MAX" | "std::u64::MAX") =>
                    {
                        Some(u64::MAX.into())
                    }
                    Named::Constant(value, module) => self.integer(&value, &self.scope_in(module), depth + 1),
                    _ => self.path(&it.path, scope, None, depth).ok()?.as_int().map(i128::from),
                }
            }
            other => match self.expr(other, scope, None, depth + 1).ok()? {
                Value::Int(number) => Some(number.into()),
                Value::Null
                | Value::Bool(_)
                | Value::Float(_)
                | Value::Str(_)
                | Value::List(_)
                | Value::Map(_) => None,
            },
        }
    }
}
