//! Evaluates `match` with patterns of literals, names, variants and tuples.

use super::block::Function;
use super::{Eval, Known, literal, unknown};
use crate::modules::Module;
use crate::named::Named;
use crate::types::{Id, Instance, Local, Scope};
use crate::value::Value;
use crdgen_rust::lower::plain;
use std::rc::Rc;
use syn::{Expr, Pat};

impl Eval<'_, '_> {
    /// `match … { … => …, … }`
    pub(super) fn matched(
        &self,
        it: &syn::ExprMatch,
        scope: &Scope,
        wanted: Option<Id>,
        depth: usize,
    ) -> Known {
        let value = self.expr(&it.expr, scope, None, depth + 1)?;
        for arm in &it.arms {
            self.effort().spend(scope.locals.len())?;
            let mut inside = scope.clone();
            match self.binds(&arm.pat, &value, &mut inside, depth + 1) {
                Some(true) => return self.expr(&arm.body, &inside, wanted, depth + 1),
                Some(false) => {}
                None => return unknown(it),
            }
        }
        unknown(it)
    }

    /// Whether a value matches a pattern, which adds the variables of the pattern. None if crdgen cannot determine it.
    pub(super) fn binds(&self, pat: &Pat, value: &Value, scope: &mut Scope, depth: usize) -> Option<bool> {
        self.effort().step().ok()?;
        if depth > super::MAX_DEPTH {
            return None;
        }
        match pat {
            Pat::Wild(_) => Some(true),
            Pat::Guard(it) => match self.binds(&it.pat, value, scope, depth + 1)? {
                true => self.expr(&it.guard, scope, None, depth + 1).ok()?.as_bool(),
                false => Some(false),
            },
            Pat::Paren(it) => self.binds(&it.pat, value, scope, depth + 1),
            Pat::Reference(it) => self.binds(&it.pat, value, scope, depth + 1),
            Pat::Lit(it) => Some(literal(&it.lit)? == *value),
            Pat::Or(it) => {
                for case in &it.cases {
                    if self.binds(case, value, scope, depth + 1)? {
                        return Some(true);
                    }
                }
                Some(false)
            }
            Pat::Ident(it) if it.ident == "None" => Some(value.is_null()),
            Pat::Ident(it) => {
                let path: syn::Path = it.ident.clone().into();
                if it.subpat.is_some() {
                    return None;
                }
                if matches!(self.named(&path, scope), Some(Named::Constant(..) | Named::Member(..))) {
                    return self.is_value_of(&path, value, scope, depth);
                }
                let value = Rc::new(self.effort().copy(value).ok()?);
                scope.locals.push(Local { name: it.ident.to_string(), ty: None, value });
                Some(true)
            }
            Pat::Path(it) => self.is_value_of(&it.path, value, scope, depth),
            Pat::TupleStruct(it) => {
                let mut elements = it.elems.iter();
                let (Some(inner), None) = (elements.next(), elements.next()) else { return None };
                if it.path.is_ident("Some") {
                    return if value.is_null() {
                        Some(false)
                    } else {
                        self.binds(inner, value, scope, depth + 1)
                    };
                }
                let Named::Member(of, name) = self.named(&it.path, scope)? else { return None };
                let Named::Item(item) = *of else { return None };
                // serde writes the variant as an object with its name.
                let Value::Map(written) = self.variant(item, &name, Some(Value::Null))?.ok()? else {
                    return None;
                };
                let mut keys = written.keys();
                let (Some(key), None) = (keys.next(), keys.next()) else { return None };
                match value.get(key) {
                    Some(content) => self.binds(inner, content, scope, depth + 1),
                    None => Some(false),
                }
            }
            Pat::Tuple(it) => {
                let parts = value.as_list().filter(|parts| parts.len() == it.elems.len())?;
                for (pat, part) in it.elems.iter().zip(parts) {
                    if !self.binds(pat, part, scope, depth + 1)? {
                        return Some(false);
                    }
                }
                Some(true)
            }
            _ => None,
        }
    }

    /// Whether a value is that of a constant or of a variant without fields.
    fn is_value_of(&self, path: &syn::Path, value: &Value, scope: &Scope, depth: usize) -> Option<bool> {
        Some(self.path(path, scope, None, depth + 1).ok()? == *value)
    }

    /// The type of the variant that a path names.
    pub(super) fn enum_of(&self, path: &syn::Path, scope: &Scope) -> Option<Id> {
        let Named::Member(of, name) = self.named(path, scope)? else { return None };
        let Named::Item(item) = *of else { return None };
        self.variant(item, &name, None)?.ok()?;
        Some(self.program.intern(Instance::Item(item, Vec::new())))
    }

    /// Evaluates a method of one of the program's own types.
    pub(super) fn own_method(&self, it: &syn::ExprMethodCall, scope: &Scope, depth: usize) -> Option<Known> {
        let own = self.type_of_value(&it.receiver, scope, depth + 1)?;
        let Instance::Item(item, _) = self.program.value_instance(own) else { return None };
        let name = plain(&it.method);
        let get = |home: &Module, of: String| home.methods.get(&(of, name.clone())).cloned();
        let (module, function) = self.implemented(item, get)?;
        let values = std::iter::once(&*it.receiver).chain(&it.args);
        let values: Result<Vec<Value>, _> =
            values.map(|value: &Expr| self.expr(value, scope, None, depth + 1)).collect();
        Some(values.and_then(|values| {
            let scope = self.scope_of(own, module);
            self.applied(Function::of(&function.sig, &function.block), &values, scope, None, depth + 1)
        }))
    }
}
