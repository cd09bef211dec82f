//! `skip_serializing_if`: determines whether serde leaves a value out.

use super::{Eval, MAX_DEPTH, bare, unknown};
use crate::Program;
use crate::modules::Module;
use crate::named::Named;
use crate::recipe::Unknown;
use crate::types::{Id, Local, Scope};
use crate::value::Value;
use crdgen_rust::attrs::meta::split;
use crdgen_rust::lower::{cfg_enabled, plain};
use crdgen_rust::syntax::nesting;
use proc_macro2::TokenTree;
use syn::{Expr, Stmt};

/// The values that a function of `skip_serializing_if` leaves out.
#[derive(Clone, Debug, PartialEq)]
pub enum Skip {
    /// All values, or none.
    Always(bool),
    /// The value `null`.
    Null,
    /// Empty strings, lists and maps.
    Empty,
    /// Only this value.
    Value(Value),
}

impl Program<'_> {
    /// The values of a type that a function leaves out.
    pub(crate) fn skip_of(&self, path: &syn::Path, ty: Id, scope: &Scope) -> Result<Skip, Unknown> {
        let name = path.segments.last().map(|s| plain(&s.ident)).unwrap_or_default();
        let eval = Eval { program: self, schema_by: scope.schema_by };
        Ok(match name.as_str() {
            "is_none" => Skip::Null,
            "is_empty" => Skip::Empty,
            "not" | "is_false" => Skip::Value(Value::Bool(false)),
            "is_true" => Skip::Value(Value::Bool(true)),
            "is_zero" => Skip::Value(Value::Int(0)),
            _ => match eval.predicate(path, ty, scope) {
                Some(Predicate::Always(answer)) => Skip::Always(answer),
                Some(Predicate::IsDefault) => Skip::Value(eval.default(ty, 0)?),
                Some(Predicate::IsOneOf(mut values)) if values.len() == 1 => Skip::Value(values.remove(0)),
                Some(Predicate::IsOneOf(_)) | None => return unknown(path),
            },
        })
    }
}

impl Eval<'_, '_> {
    /// Whether the function leaves this value out.
    pub(super) fn skips(
        &self,
        path: &syn::Path,
        value: &Value,
        ty: Id,
        scope: &Scope,
    ) -> Result<bool, Unknown> {
        let name = path.segments.last().map(|s| plain(&s.ident)).unwrap_or_default();
        match (name.as_str(), value) {
            ("is_none", value) => Ok(value.is_null()),
            ("is_empty", Value::Str(s)) => Ok(s.is_empty()),
            ("is_empty", Value::List(l)) => Ok(l.is_empty()),
            ("is_empty", Value::Map(m)) => Ok(m.is_empty()),
            ("not" | "is_false", Value::Bool(b)) => Ok(!b),
            ("is_true", Value::Bool(b)) => Ok(*b),
            ("is_zero", Value::Int(i)) => Ok(*i == 0),
            _ => match self.predicate(path, ty, scope) {
                Some(Predicate::Always(answer)) => Ok(answer),
                Some(Predicate::IsDefault) => Ok(*value == self.default(ty, 0)?),
                Some(Predicate::IsOneOf(values)) => Ok(values.contains(value)),
                None => self.answer(path, value, ty, scope).map_or_else(|| unknown(path), Ok),
            },
        }
    }

    /// What a function of the program returns for a value.
    fn answer(&self, path: &syn::Path, value: &Value, ty: Id, scope: &Scope) -> Option<bool> {
        let Test { mut scope, block, argument } = self.test(path, ty, scope)?;
        let value = std::rc::Rc::new(self.effort().copy(value).ok()?);
        scope.locals.push(Local { name: argument, ty: Some(ty), value });
        self.block(&block, &scope, None, 0).ok()?.as_bool()
    }

    /// The condition in a function of the program for values of a type.
    fn predicate(&self, path: &syn::Path, ty: Id, scope: &Scope) -> Option<Predicate> {
        let Test { scope, block, argument } = self.test(path, ty, scope)?;
        self.condition(
            &self.result(&block, scope.module)?,
            &Argument { name: &argument, ty, scope: &scope },
            0,
        )
    }

    /// The function with a path, if the program has it.
    fn test(&self, path: &syn::Path, ty: Id, scope: &Scope) -> Option<Test> {
        let (module, signature, block) = match self.named(path, scope)? {
            Named::Function(f, module) => (module, f.sig.clone(), (*f.block).clone()),
            Named::Member(of, name) => {
                let Named::Item(item) = *of else { return None };
                let get = |home: &Module, of: String| home.methods.get(&(of, name.clone())).cloned();
                let (module, f) = self.implemented(item, get)?;
                (module, f.sig.clone(), f.block.clone())
            }
            Named::Module(_)
            | Named::Item(_)
            | Named::Alias(..)
            | Named::Constant(..)
            | Named::Foreign(_) => {
                return None;
            }
        };
        let argument = match signature.inputs.first()? {
            syn::FnArg::Typed(typed) => match &*typed.pat {
                syn::Pat::Ident(it) => plain(&it.ident),
                _ => return None,
            },
            syn::FnArg::Receiver(_) => "self".to_owned(),
        };
        Some(Test { scope: self.scope_of(ty, module), block, argument })
    }

    fn condition(&self, expr: &Expr, argument: &Argument<'_>, depth: usize) -> Option<Predicate> {
        if depth > MAX_DEPTH {
            return None;
        }
        self.effort().step().ok()?;
        let value = |expr: &Expr| self.expr(bare(expr), argument.scope, Some(argument.ty), depth + 1).ok();
        match bare(expr) {
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Bool(b), .. }) => Some(Predicate::Always(b.value)),
            // The value itself is a boolean.
            it if argument.is(it) => Some(Predicate::IsOneOf(vec![Value::Bool(true)])),
            Expr::Unary(syn::ExprUnary { op: syn::UnOp::Not(_), expr, .. }) if argument.is(expr) => {
                Some(Predicate::IsOneOf(vec![Value::Bool(false)]))
            }
            Expr::Binary(syn::ExprBinary { left, op: syn::BinOp::Eq(_), right, .. }) => {
                let other = match (argument.is(left), argument.is(right)) {
                    (true, false) => right,
                    (false, true) => left,
                    _ => return None,
                };
                if is_default(other) {
                    return Some(Predicate::IsDefault);
                }
                Some(Predicate::IsOneOf(vec![value(other)?]))
            }
            Expr::Binary(syn::ExprBinary { left, op: syn::BinOp::Or(_), right, .. }) => {
                let sides =
                    (self.condition(left, argument, depth + 1)?, self.condition(right, argument, depth + 1)?);
                match sides {
                    (Predicate::IsOneOf(mut all), Predicate::IsOneOf(more)) => {
                        all.extend(more);
                        Some(Predicate::IsOneOf(all))
                    }
                    _ => None,
                }
            }
            Expr::Macro(it) if it.mac.path.is_ident("matches") => {
                let parts = split(it.mac.tokens.clone());
                let [matched, pattern] = parts.as_slice() else { return None };
                let matched: Expr = nesting::parse2(matched.iter().cloned().collect()).ok()?;
                if !argument.is(&matched) {
                    return None;
                }
                // An alternative that is a path or a literal is an expression, too. Other patterns have no single value.
                let is_or = |token: &TokenTree| matches!(token, TokenTree::Punct(it) if it.as_char() == '|');
                let alternatives = pattern.split(is_or).map(|part| {
                    let part: Expr = nesting::parse2(part.iter().cloned().collect()).ok()?;
                    matches!(bare(&part), Expr::Path(_) | Expr::Lit(_)).then(|| value(&part))?
                });
                alternatives.collect::<Option<_>>().map(Predicate::IsOneOf)
            }
            _ => None,
        }
    }

    /// The expression that a block returns, without the parts that `#[cfg]` removes.
    fn result(&self, block: &syn::Block, module: usize) -> Option<Expr> {
        let cfgs = self.program.world.cfgs(module);
        let enabled = |attrs: &[syn::Attribute]| cfg_enabled(attrs, &|tokens| cfgs.enabled(tokens));
        let mut left = block.stmts.iter().filter_map(|statement| match statement {
            Stmt::Expr(Expr::Block(it), _) if enabled(&it.attrs) => Some(Expr::Block(it.clone())),
            Stmt::Expr(Expr::Block(_), _) => None,
            // `let _ = argument;` changes nothing.
            Stmt::Local(it) if matches!(it.pat, syn::Pat::Wild(_)) => None,
            Stmt::Expr(expr, _) => Some(expr.clone()),
            // crdgen cannot read these, so the result is unknown.
            Stmt::Local(_) | Stmt::Item(_) | Stmt::Macro(_) => Some(Expr::Verbatim(Default::default())),
        });
        match (left.next()?, left.next()) {
            (Expr::Block(inner), None) => self.result(&inner.block, module),
            (Expr::Return(it), None) => it.expr.map(|expr| *expr),
            (expr, None) => Some(expr),
            (_, Some(_)) => None,
        }
    }
}

/// A function that decides whether serde leaves a value out.
struct Test {
    scope: Scope,
    block: syn::Block,
    argument: String,
}

/// The condition of a predicate.
enum Predicate {
    /// The result is always the same.
    Always(bool),
    /// Whether the value is the default of its type.
    IsDefault,
    /// Whether the value is one of these.
    IsOneOf(Vec<Value>),
}

/// The argument of a predicate.
struct Argument<'a> {
    name: &'a str,
    ty: Id,
    /// The scope of the function.
    scope: &'a Scope,
}

impl Argument<'_> {
    /// Whether an expression is the argument.
    fn is(&self, expr: &Expr) -> bool {
        matches!(bare(expr), Expr::Path(path) if path.path.is_ident(self.name))
    }
}

/// Whether this is `T::default()`. The type is that of the argument, because the code could not compare them otherwise.
fn is_default(expr: &Expr) -> bool {
    let Expr::Call(syn::ExprCall { func, args, .. }) = bare(expr) else { return false };
    matches!(&**func, Expr::Path(p) if p.path.segments.len() > 1
        && p.path.segments.last().is_some_and(|s| s.ident == "default"))
        && args.is_empty()
}
