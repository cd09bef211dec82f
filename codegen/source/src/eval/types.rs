//! Finds the types of values if the code names them. They determine the name that a field has in the value, and the
//! text of a value.

use super::{Eval, Known, bare, unknown};
use crate::modules::Module;
use crate::named::Named;
use crate::recipe::Unknown;
use crate::types::{Id, Instance, Scope};
use crate::value::Value;
use crdgen_rust::attrs::{self, place};
use crdgen_rust::lower::plain;
use syn::Expr;

/// Longer chains of calls are not evaluated.
const MAX_DEPTH: usize = 40;

impl Eval<'_, '_> {
    /// The type of a value, if the code names it.
    pub(super) fn type_of_value(&self, expr: &Expr, scope: &Scope, depth: usize) -> Option<Id> {
        if depth > MAX_DEPTH {
            return None;
        }
        let of = |expr: &Expr| self.type_of_value(expr, scope, depth + 1);
        let known = |path| Some(self.program.intern(Instance::Known(path, Vec::new())));
        match expr {
            Expr::Paren(it) => of(&it.expr),
            Expr::Group(it) => of(&it.expr),
            Expr::Reference(it) => of(&it.expr),
            Expr::Lit(it) => match &it.lit {
                syn::Lit::Str(_) => known("str"),
                syn::Lit::Int(_) => known("i64"),
                syn::Lit::Bool(_) => known("bool"),
                _ => None,
            },
            Expr::Path(it) => match it.path.get_ident().and_then(|name| scope.local(name)) {
                Some(local) => local.ty,
                None => match self.named(&it.path, scope)? {
                    Named::Constant(value, module) => {
                        self.type_of_value(&value, &self.scope_in(module), depth + 1)
                    }
                    Named::Member(of, name) => self.enum_of(&it.path, scope).or_else(|| {
                        let Named::Item(item) = *of else { return None };
                        let (value, scope) = self.associated(item, &name)?;
                        self.type_of_value(&value, &scope, depth + 1)
                    }),
                    _ => self.enum_of(&it.path, scope),
                },
            },
            Expr::Call(it) => {
                let Expr::Path(function) = &*it.func else { return None };
                if let Some(own) = self.enum_of(&function.path, scope) {
                    return Some(own);
                }
                let (signature, scope) = self.signature(&function.path, scope)?;
                self.quietly(|| self.output(&signature, &scope))
            }
            Expr::MethodCall(it) => match (it.method.to_string().as_str(), it.args.len()) {
                ("clone" | "to_owned" | "as_str" | "as_ref", 0) => of(&it.receiver),
                ("unwrap", 0) | ("expect", 1) => of(&it.receiver).map(|id| self.inside(id)),
                ("to_string", 0) => known("std::string::String"),
                _ => None,
            },
            Expr::Macro(it) if it.mac.path.is_ident("format") => known("std::string::String"),
            Expr::Macro(it) if it.mac.path.is_ident("concat") => known("str"),
            Expr::Struct(it) if it.path.is_ident("Self") => scope.this,
            Expr::Struct(it) => {
                let path = &it.path;
                self.quietly(|| Some(self.program.type_of(&syn::parse_quote!(#path), scope)))
            }
            Expr::Field(it) => self.member(it, scope, depth).map(|member| member.ty),
            _ => None,
        }
    }

    /// The type of an integer, if the code names it.
    pub(super) fn integer_type(&self, expr: &Expr, scope: &Scope, depth: usize) -> Option<Id> {
        if depth > MAX_DEPTH {
            return None;
        }
        match bare(expr) {
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(number), .. }) => {
                let ty = syn::parse_str(number.suffix()).ok()?;
                Some(self.program.type_of(&ty, scope))
            }
            Expr::Cast(it) => Some(self.program.type_of(&it.ty, scope)),
            Expr::Path(path) => match (
                path.path.get_ident().and_then(|name| scope.local(name)),
                self.named(&path.path, scope),
            ) {
                (Some(local), _) => local.ty,
                (None, Some(Named::Constant(value, module))) => {
                    self.integer_type(&value, &self.scope_in(module), depth + 1)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The value of a field.
    pub(super) fn field(&self, it: &syn::ExprField, scope: &Scope, depth: usize) -> Known {
        let Some(member) = self.member(it, scope, depth) else { return unknown(it) };
        let value = self.expr(&it.base, scope, None, depth + 1)?;
        match (value, member.name) {
            (Value::Map(mut value), Some(name)) => match value.remove(&name) {
                Some(value) => Ok(value),
                // Serde leaves `None` out.
                None if member.skips_none => Ok(Value::Null),
                None => unknown(it),
            },
            (value, None) => Ok(value),
            _ => unknown(it),
        }
    }

    /// The field that an expression accesses, if serde writes the struct as an object.
    fn member(&self, it: &syn::ExprField, scope: &Scope, depth: usize) -> Option<Member> {
        let base = self.type_of_value(&it.base, scope, depth + 1)?;
        let Instance::Item(item, _) = self.program.value_instance(base) else { return None };
        let (input, cfg) = self.program.world.input(item);
        let syn::Data::Struct(data) = &input.data else { return None };
        let enabled = |tokens: &proc_macro2::TokenStream| cfg.enabled(tokens);
        let outer = attrs::peek(&input.attrs, place::TYPES, &enabled).serde;
        let field = match &it.member {
            syn::Member::Named(name) => data
                .fields
                .iter()
                .find(|field| field.ident.as_ref().is_some_and(|own| plain(own) == plain(name))),
            syn::Member::Unnamed(index) => data.fields.iter().nth(index.index as usize),
        }?;
        let own = attrs::peek(&field.attrs, place::FIELD, &enabled).serde;
        let is_as_it_is = outer.into.is_none()
            && outer.from.is_none()
            && !own.flatten
            && !own.skip_serializing
            && own.serialize_with.is_none();
        let scope = self.scope_inside(base)?;
        let ty = self.quietly(|| self.program.type_of(&field.ty, &scope));
        let name = match &field.ident {
            _ if outer.transparent => None,
            Some(name) => {
                let name = plain(name);
                Some(
                    own.rename
                        .unwrap_or_else(|| outer.rename_all.map_or(name.clone(), |case| case.field(&name))),
                )
            }
            // A newtype is written as its inner value.
            None if data.fields.len() == 1 => None,
            None => return None,
        };
        let skips_none =
            own.skip_if.is_some_and(|path| path.segments.last().is_some_and(|s| s.ident == "is_none"));
        is_as_it_is.then_some(Member { name, ty, skips_none })
    }

    /// The signature of the function at a path, and the function's scope.
    fn signature(&self, path: &syn::Path, scope: &Scope) -> Option<(syn::Signature, Scope)> {
        match self.named(path, scope)? {
            Named::Function(function, module) => Some((function.sig.clone(), self.scope_in(module))),
            Named::Member(of, name) => {
                let Named::Item(item) = *of else { return None };
                let get = |home: &Module, of: String| home.methods.get(&(of, name.clone())).cloned();
                let (module, function) = self.implemented(item, get)?;
                let this = self.program.intern(Instance::Item(item, Vec::new()));
                Some((function.sig.clone(), self.scope_of(this, module)))
            }
            _ => None,
        }
    }

    /// The text of a value, if its type displays it as it is written.
    pub(super) fn displayed(
        &self,
        expr: &Expr,
        scope: &Scope,
        depth: usize,
    ) -> Option<Result<String, Unknown>> {
        let Instance::Known(path, _) = self.program.value_instance(self.type_of_value(expr, scope, depth)?)
        else {
            return None;
        };
        let is_number = path.starts_with(['i', 'u']) && !path.contains(':');
        match self.expr(expr, scope, None, depth + 1) {
            Ok(Value::Str(text)) if matches!(path, "str" | "std::string::String") => Some(Ok(text)),
            Ok(Value::Int(int)) if is_number => Some(Ok(int.to_string())),
            Ok(Value::Bool(bool)) if path == "bool" => Some(Ok(bool.to_string())),
            Ok(_) => None,
            Err(why) => Some(Err(why)),
        }
    }

    /// Looks up a type without reporting an error, because the type may not matter.
    pub(super) fn quietly<T>(&self, ask: impl FnOnce() -> T) -> T {
        self.program.found.apart(ask).0
    }
}

/// A field as serde writes it: its name and type. The name is none if the field is written instead of the struct.
struct Member {
    name: Option<String>,
    ty: Id,
    /// Whether serde leaves the field out if it is `None`.
    skips_none: bool,
}
