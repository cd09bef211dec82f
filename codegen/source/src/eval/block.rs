//! Evaluates blocks: variables, collections that are filled, and a value at the end, also of branches. Blocks with loops
//! are not evaluated.

use super::{Eval, Known, MAX_DEPTH, unknown};
use crate::modules::MacroScope;
use crate::recipe::Unknown;
use crate::types::{Id, Local, Scope};
use crate::value::Value;
use crdgen_rust::syntax::nesting;
use quote::ToTokens;
use std::rc::Rc;
use syn::{Expr, Stmt};

impl Eval<'_, '_> {
    /// Evaluates a block.
    pub(super) fn block(&self, block: &syn::Block, scope: &Scope, wanted: Option<Id>, depth: usize) -> Known {
        let Some((last, statements)) = block.stmts.split_last() else { return Ok(Value::Null) };
        let gives = match last {
            Stmt::Expr(Expr::Return(it), _) => it.expr.as_deref(),
            Stmt::Expr(expr, None) => Some(expr),
            Stmt::Macro(it) if statements.is_empty() => {
                return self.macro_call(&it.mac, scope, wanted, depth + 1);
            }
            _ => return unknown(block),
        };
        self.effort().spend(scope.locals.len())?;
        let mut scope = scope.clone();
        scope.module = self.in_block(scope.module, block)?;
        for statement in statements {
            match statement {
                Stmt::Item(_) => {}
                Stmt::Local(local) => self.bind(local, gives, &mut scope, wanted, depth + 1)?,
                Stmt::Expr(Expr::MethodCall(call), Some(_)) => self.fill(call, &mut scope, depth + 1)?,
                statement if self.only_checks(statement, &scope, depth) => {}
                _ => return unknown(block),
            }
        }
        gives.map_or(Ok(Value::Null), |expr| self.expr(expr, &scope, wanted, depth + 1))
    }

    /// Whether a statement does nothing, or otherwise ends the function with an error. A value is then not used: crdgen does
    /// not evaluate what the caller does with an error.
    fn only_checks(&self, statement: &Stmt, scope: &Scope, depth: usize) -> bool {
        const CHECKS: [&str; 4] = ["ensure", "assert", "assert_eq", "assert_ne"];
        let Stmt::Macro(it) = statement else {
            return matches!(statement, Stmt::Expr(Expr::Try(_), Some(_)));
        };
        if it.mac.path.segments.last().is_some_and(|last| CHECKS.iter().any(|check| last.ident == check)) {
            return true;
        }
        let code = self.program.world.expanded(scope.module, &it.mac, MacroScope::AllCrates);
        let code = code.filter(|_| depth < MAX_DEPTH && self.effort().step().is_ok());
        let Some(block) = code.and_then(|code| nesting::parse2::<syn::Block>(quote::quote!({ #code })).ok())
        else {
            return false;
        };
        block.stmts.iter().all(|statement| match statement {
            Stmt::Local(local) => named(&local.pat).is_some_and(|name| scope.local(name).is_none()),
            statement => self.only_checks(statement, scope, depth + 1),
        })
    }

    /// The module for the names in a block.
    pub(super) fn in_block(&self, module: usize, block: &syn::Block) -> Result<usize, Unknown> {
        if !block.stmts.iter().any(|statement| matches!(statement, Stmt::Item(_))) {
            return Ok(module);
        }
        let text = block.to_token_stream().to_string();
        self.effort().spend(text.len())?;
        Ok(self.program.world.in_block(module, block, text))
    }

    /// `if … { … } else { … }`
    pub(super) fn branch(&self, it: &syn::ExprIf, scope: &Scope, wanted: Option<Id>, depth: usize) -> Known {
        match (self.expr(&it.cond, scope, None, depth + 1)?, &it.else_branch) {
            (Value::Bool(true), _) => self.block(&it.then_branch, scope, wanted, depth + 1),
            (Value::Bool(false), Some((_, otherwise))) => self.expr(otherwise, scope, wanted, depth + 1),
            _ => unknown(it),
        }
    }

    /// `let name = …;`. A variable that the block returns has the wanted type.
    fn bind(
        &self,
        local: &syn::Local,
        gives: Option<&Expr>,
        scope: &mut Scope,
        wanted: Option<Id>,
        depth: usize,
    ) -> Result<(), Unknown> {
        let (pat, ty) = match &local.pat {
            syn::Pat::Type(it) => (&*it.pat, Some(&*it.ty)),
            pat => (pat, None),
        };
        let Some((name, init)) = named(pat).zip(local.init.as_ref().filter(|init| init.diverge.is_none()))
        else {
            return unknown(local);
        };
        let is_given = matches!(gives, Some(Expr::Path(path)) if path.path.is_ident(name));
        let ty = match ty {
            Some(ty) => Some(self.program.type_of(ty, scope)),
            None => wanted.filter(|_| is_given).or_else(|| self.type_of_value(&init.expr, scope, depth)),
        };
        let value = Rc::new(self.expr(&init.expr, scope, ty, depth)?);
        scope.locals.push(Local { name: name.to_string(), ty, value });
        Ok(())
    }

    /// `name.insert(…);` or `name.push(…);`
    fn fill(&self, call: &syn::ExprMethodCall, scope: &mut Scope, depth: usize) -> Result<(), Unknown> {
        let name = match &*call.receiver {
            Expr::Path(path) => path.path.get_ident(),
            _ => None,
        };
        self.effort().spend(scope.locals.len())?;
        let Some((name, ty)) = name.and_then(|name| Some((name, scope.local(name)?.ty))) else {
            return unknown(call);
        };
        let args: Vec<&Expr> = call.args.iter().collect();
        match (call.method.to_string().as_str(), &args[..]) {
            ("insert", [key, item]) => {
                let (key, item) = self.entry(key, item, scope, ty, depth)?;
                match scope.local_mut(name) {
                    Some(Value::Map(map)) => _ = map.insert(key, item),
                    _ => return unknown(call),
                }
            }
            ("push", [item]) => {
                let part = ty.and_then(|ty| self.program.reference_of(ty, 0));
                let item = self.expr(item, scope, part, depth)?;
                match scope.local_mut(name) {
                    Some(Value::List(list)) => list.push(item),
                    _ => return unknown(call),
                }
            }
            _ => return unknown(call),
        }
        Ok(())
    }

    /// Evaluates a function with these arguments.
    pub(super) fn applied(
        &self,
        Function { signature, block }: Function<'_>,
        arguments: &[Value],
        mut scope: Scope,
        wanted: Option<Id>,
        depth: usize,
    ) -> Known {
        let parameter = |input: &syn::FnArg| match input {
            syn::FnArg::Typed(it) => named(&it.pat).map(ToString::to_string),
            syn::FnArg::Receiver(_) => Some("self".to_owned()),
        };
        let this = scope.this;
        let names: Option<Vec<String>> = signature.inputs.iter().map(parameter).collect();
        let Some(names) = names.filter(|names| names.len() == arguments.len()) else {
            return unknown(signature);
        };
        let local = |(name, value): (String, &Value)| {
            let ty = this.filter(|_| name == "self");
            Ok(Local { name, ty, value: Rc::new(self.effort().copy(value)?) })
        };
        scope.locals = names.into_iter().zip(arguments).map(local).collect::<Result<_, Unknown>>()?;
        let gives = self.output(signature, &scope).or(wanted);
        self.block(block, &scope, gives, depth + 1)
    }
}

/// A function that has a body.
#[derive(Clone, Copy)]
pub(super) struct Function<'s> {
    signature: &'s syn::Signature,
    block: &'s syn::Block,
}

impl Function<'_> {
    pub(super) fn of<'s>(signature: &'s syn::Signature, block: &'s syn::Block) -> Function<'s> {
        Function { signature, block }
    }
}

/// The name, if a pattern is only a name.
fn named(pat: &syn::Pat) -> Option<&syn::Ident> {
    match pat {
        syn::Pat::Ident(it) if it.subpat.is_none() && it.by_ref.is_none() => Some(&it.ident),
        _ => None,
    }
}
