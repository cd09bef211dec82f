//! Code that does nothing but write a schema.

use super::{Eval, Known, MAX_DEPTH, unknown};
use crate::read::rust::attrs;
use crate::read::rust::resolve::modules::Module;
use crate::read::rust::resolve::paths::Named;
use crate::read::rust::resolve::types::Scope;
use crate::value::Value;
use syn::Expr;

/// The schema in code that does nothing but write it, `json_schema!({ … })`, as core reads it: with the name of
/// what has it.
pub(in crate::read::rust::resolve) fn schema_text(name: &str, block: &syn::Block) -> Option<String> {
    let mut stmts = block.stmts.iter().filter(|s| !matches!(s, syn::Stmt::Item(_)));
    let (Some(only), None) = (stmts.next(), stmts.next()) else { return None };
    let written = match only {
        syn::Stmt::Macro(it) if it.semi_token.is_none() => json_of_macro(&it.mac),
        syn::Stmt::Expr(expr, _) => json_of_code(expr, 0),
        _ => None,
    };
    Some(format!("{name}\n{}", crate::json::to_string(&written?)))
}

impl Eval<'_, '_> {
    /// The schema of a function that does nothing but write it.
    pub(super) fn schema(&self, path: &syn::Path, scope: &Scope) -> Known {
        let block = match self.named(path, scope) {
            Some(Named::Function(f, _)) => Some(std::rc::Rc::new((*f.block).clone())),
            Some(Named::Member(of, name)) => match *of {
                Named::Item(item) => {
                    let get = |home: &Module, of: String| home.methods.get(&(of, name.clone())).cloned();
                    self.implemented(item, get).map(|(_, f)| std::rc::Rc::new(f.block.clone()))
                }
                _ => None,
            },
            _ => None,
        };
        let name = path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        match block.and_then(|block| schema_text(&name, &block)) {
            Some(text) => Ok(Value::Str(text)),
            None => unknown(path),
        }
    }
}

/// JSON in a macro, and what turns it into a schema around it.
fn json_of_code(expr: &Expr, depth: usize) -> Option<Value> {
    let inner = match expr {
        _ if depth > MAX_DEPTH => return None,
        Expr::Macro(it) => return json_of_macro(&it.mac),
        Expr::Return(it) => it.expr.as_deref()?,
        Expr::MethodCall(it) if ["unwrap", "expect", "try_into", "into"].iter().any(|m| it.method == m) => {
            &it.receiver
        }
        Expr::Call(it) => match (&*it.func, it.args.len()) {
            (Expr::Path(path), 1)
                if ["from_value", "try_from", "from"]
                    .iter()
                    .any(|f| path.path.segments.last().is_some_and(|s| s.ident == f)) =>
            {
                it.args.first()?
            }
            _ => return None,
        },
        _ => return None,
    };
    json_of_code(inner, depth + 1)
}

fn json_of_macro(mac: &syn::Macro) -> Option<Value> {
    let name = &mac.path.segments.last()?.ident;
    (name == "json_schema" || name == "json").then(|| attrs::meta::json_of(mac.tokens.clone()).ok())?
}
