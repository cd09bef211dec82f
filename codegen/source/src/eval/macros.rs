//! Macros that return values: those of the standard library and of well-known crates, and those that the sources
//! declare.

use super::{Eval, Known, unknown};
use crate::modules::{MacroScope, Unread};
use crate::recipe::Unknown;
use crate::types::{Id, Scope};
use crate::value::{Map, Value};
use crdgen_rust::attrs;
use crdgen_rust::syntax::nesting;
use proc_macro2::{TokenStream, TokenTree};
use syn::Expr;

impl Eval<'_, '_> {
    /// Evaluates a macro call.
    pub(super) fn macro_call(
        &self,
        mac: &syn::Macro,
        scope: &Scope,
        wanted: Option<Id>,
        depth: usize,
    ) -> Known {
        if let Some(value) = self.expanded(mac, scope, wanted, MacroScope::Crate, depth) {
            return value;
        }
        let name = mac.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        let parts = || {
            let parts = attrs::meta::split(mac.tokens.clone()).into_iter();
            let parts: Result<Vec<Expr>, _> =
                parts.map(|part| nesting::parse2(part.into_iter().collect())).collect();
            parts.or_else(|_| unknown(mac))
        };
        match name.as_str() {
            "vec" | "btreeset" | "hashset" | "indexset" => {
                let value = self.elements(parts()?.iter(), scope, wanted, depth)?;
                if name == "vec" { Ok(value) } else { self.gathered(value, wanted, mac) }
            }
            "btreemap" | "hashmap" | "indexmap" => self.map_of(mac, scope, wanted, depth),
            "concat" => {
                let values: Result<Vec<Value>, _> =
                    parts()?.iter().map(|part| self.expr(part, scope, None, depth + 1)).collect();
                let texts = values?.into_iter().map(|part| match part {
                    Value::Str(text) => Some(text),
                    Value::Int(_) | Value::Bool(_) => Some(crate::json::to_string(&part)),
                    Value::Null | Value::Float(_) | Value::List(_) | Value::Map(_) => None,
                });
                texts.collect::<Option<String>>().map_or_else(|| unknown(mac), |text| Ok(Value::Str(text)))
            }
            "format" => self.format(mac, &parts()?, scope, depth),
            "json" => {
                let mut part = |tokens: &[TokenTree]| {
                    let expr: Expr = nesting::parse2(tokens.iter().cloned().collect()).ok()?;
                    self.expr(&expr, scope, None, depth + 1).ok()
                };
                attrs::meta::json_with(mac.tokens.clone(), &mut part).or_else(|_| unknown(mac))
            }
            "cfg" => {
                let cfgs = self.program.world.cfgs(scope.module);
                cfgs.known(&mac.tokens).map_or_else(|| unknown(mac), |is| Ok(Value::Bool(is)))
            }
            "env" | "option_env" => {
                let known = attrs::string_of(mac.tokens.clone())
                    .and_then(|name| self.program.world.variable(scope.module, &name));
                known.map_or_else(|| unknown(mac), |value| Ok(Value::Str(value)))
            }
            "stringify" => Ok(Value::Str(mac.tokens.to_string())),
            "include_str" => {
                let Some(path) = attrs::string_of(mac.tokens.clone()) else { return unknown(mac) };
                let read = self.program.world.beside(scope.module, &path);
                let text = match read {
                    Ok(text) => text,
                    Err(Unread::Missing | Unread::Failed(_)) => return unknown(mac),
                    Err(Unread::Outside) => return Err(Unknown::Outside(path)),
                };
                self.effort().spend(text.len())?;
                Ok(Value::Str(text))
            }
            _ => self
                .expanded(mac, scope, wanted, MacroScope::AllCrates, depth)
                .unwrap_or_else(|| unknown(mac)),
        }
    }

    /// Evaluates a call of a macro that the sources declare.
    fn expanded(
        &self,
        mac: &syn::Macro,
        scope: &Scope,
        wanted: Option<Id>,
        among: MacroScope,
        depth: usize,
    ) -> Option<Known> {
        let code = self.program.world.expanded(scope.module, mac, among)?;
        // The variables of a macro are different from those of the code around it, even if they have the same names.
        if declares_variables(&code) {
            return Some(unknown(mac));
        }
        Some(match nesting::parse2::<Expr>(code) {
            Ok(expr) => self.expr(&expr, scope, wanted, depth + 1),
            Err(_) => unknown(mac),
        })
    }

    /// `key => value`, as in the macros of maplit and indexmap.
    fn map_of(&self, mac: &syn::Macro, scope: &Scope, wanted: Option<Id>, depth: usize) -> Known {
        let mut out = Map::new();
        for part in attrs::meta::split(mac.tokens.clone()) {
            let is =
                |token: &TokenTree, sign: char| matches!(token, TokenTree::Punct(it) if it.as_char() == sign);
            let arrow = part.windows(2).position(|two| is(&two[0], '=') && is(&two[1], '>'));
            let expr = |tokens: &[TokenTree]| nesting::parse2::<Expr>(tokens.iter().cloned().collect()).ok();
            let pair = arrow.and_then(|at| Some((expr(&part[..at])?, expr(&part[at + 2..])?)));
            let Some((key, value)) = pair else { return unknown(mac) };
            let (key, value) = self.entry(&key, &value, scope, wanted, depth)?;
            out.insert(key, value);
        }
        Ok(Value::Map(out))
    }

    /// `format!` with texts and integers, without widths and other options.
    fn format(&self, mac: &syn::Macro, parts: &[Expr], scope: &Scope, depth: usize) -> Known {
        let Some((Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }), arguments)) = parts.split_first()
        else {
            return unknown(mac);
        };
        let (text, mut next, mut out) = (text.value(), 0, String::new());
        let mut rest = text.as_str();
        while let Some(at) = rest.find(['{', '}']) {
            let (before, after) = rest.split_at(at);
            out.push_str(before);
            if after.starts_with("{{") || after.starts_with("}}") {
                out.push_str(&after[..1]);
                rest = &after[2..];
                continue;
            }
            let Some((name, after)) = after.strip_prefix('{').and_then(|it| it.split_once('}')) else {
                return unknown(mac);
            };
            let argument = match (name, name.parse::<usize>()) {
                ("", _) => {
                    next += 1;
                    arguments.get(next - 1).map(value_of)
                }
                (_, Ok(number)) => arguments.get(number).map(value_of),
                (name, Err(_)) => given(arguments, name),
            };
            let shown = argument.and_then(|argument| self.displayed(&argument, scope, depth + 1));
            let Some(shown) = shown else { return unknown(mac) };
            let shown = shown?;
            self.effort().spend(shown.len())?;
            out.push_str(&shown);
            rest = after;
        }
        out.push_str(rest);
        Ok(Value::Str(out))
    }
}

/// The value of an argument of `format!`: `value` or `name = value`.
fn value_of(argument: &Expr) -> Expr {
    match argument {
        Expr::Assign(it) => (*it.right).clone(),
        other => other.clone(),
    }
}

/// The value for `{name}`: the argument with this name, or the variable.
fn given(arguments: &[Expr], name: &str) -> Option<Expr> {
    let is_it = |expr: &Expr| matches!(expr, Expr::Path(path) if path.path.is_ident(name));
    let named = arguments.iter().find_map(|argument| match argument {
        Expr::Assign(it) if is_it(&it.left) => Some((*it.right).clone()),
        _ => None,
    });
    named.or_else(|| nesting::parse2(name.parse().ok()?).ok().filter(|it| matches!(it, Expr::Path(_))))
}

fn declares_variables(code: &TokenStream) -> bool {
    code.clone().into_iter().any(|token| match token {
        TokenTree::Ident(word) => word == "let",
        TokenTree::Punct(it) => it.as_char() == '|',
        TokenTree::Group(group) => declares_variables(&group.stream()),
        TokenTree::Literal(_) => false,
    })
}
