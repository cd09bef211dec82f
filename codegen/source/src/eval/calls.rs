//! Evaluates calls of functions whose bodies can be read.

use super::block::Function;
use super::{Eval, Known, MAX_DEPTH, foreign, qualified, unknown};
use crate::modules::Module;
use crate::named::Named;
use crate::recipe::Unknown;
use crate::types::{Id, Instance, Scope};
use crate::value::Value;
use crdgen_rust::lower::plain;
use std::rc::Rc;
use syn::Expr;

impl Eval<'_, '_> {
    pub(super) fn function(
        &self,
        it: &syn::ExprCall,
        scope: &Scope,
        wanted: Option<Id>,
        depth: usize,
    ) -> Known {
        let Expr::Path(path) = &*it.func else { return unknown(it) };
        let Some(path) = qualified(path) else { return unknown(it) };
        let last = path.segments.last().map(|s| plain(&s.ident)).unwrap_or_default();
        let args: Vec<&Expr> = it.args.iter().collect();
        let value =
            |at: usize| args.get(at).map_or_else(|| unknown(it), |e| self.expr(e, scope, wanted, depth + 1));
        match (last.as_str(), args.len()) {
            ("Some" | "Ok" | "Box" | "Arc" | "Rc", 1) => return value(0),
            ("from" | "from_static", 1) if !self.is_of_own(&path, scope) => {
                let float = path.segments.iter().any(|s| s.ident == "f32" || s.ident == "f64");
                let value = self.gathered(value(0)?, wanted, it)?;
                return Ok(if float { value.as_float().map_or(value, Value::Float) } else { value });
            }
            ("from_str", 1) => {
                if let (Some(ty), Value::Str(text)) = (self.primitive(&path, scope), value(0)?)
                    && let Some(parsed) = self.parsed(&text, ty)
                {
                    return Ok(parsed);
                }
            }
            ("new", 1) if is_wrapper(&path) => return value(0),
            ("new", 1) if is_lazy(&path) => match args[0] {
                Expr::Closure(it) if it.inputs.is_empty() => {
                    return self.expr(&it.body, scope, wanted, depth + 1);
                }
                _ => return unknown(it),
            },
            _ => {}
        }
        if args.is_empty() {
            return self.call(&path, scope, wanted, depth + 1);
        }
        match self.named(&path, scope) {
            Some(Named::Member(of, name)) => match *of {
                Named::Item(item) => {
                    let full = format!("{}::{name}", self.program.world.name(item));
                    if let Some(known) = foreign::call(&full, &value) {
                        return known;
                    }
                    let given = |number: &str| {
                        let expr = number.parse().ok().and_then(|at: usize| args.get(at).copied());
                        expr.map(|expr| (expr.clone(), scope.clone()))
                    };
                    match self.variant_of(item, &name, &given, depth) {
                        Some(value) => value,
                        None => self
                            .method(&path, &self.all(&args, scope, depth)?, scope, depth)
                            .unwrap_or_else(|| unknown(it)),
                    }
                }
                _ => unknown(it),
            },
            Some(Named::Function(f, module)) => {
                let arguments = self.all(&args, scope, depth)?;
                let scope = self.scope_in(module);
                self.applied(Function::of(&f.sig, &f.block), &arguments, scope, wanted, depth + 1)
            }
            Some(Named::Foreign(full)) => foreign::call(&full, &value).unwrap_or_else(|| unknown(it)),
            Some(Named::Item(item)) if args.len() == 1 => {
                let ty = &path;
                let id = self.program.type_of(&syn::parse_quote!(#ty), scope);
                self.written(item, id, &|name| (name == "0").then(|| (args[0].clone(), scope.clone())), depth)
            }
            _ => unknown(it),
        }
    }

    /// The type of the standard library whose function a path names.
    fn primitive(&self, path: &syn::Path, scope: &Scope) -> Option<Id> {
        let mut ty = path.clone();
        ty.segments.pop();
        ty.segments.pop_punct();
        let id = self.quietly(|| self.program.type_of(&syn::parse_quote!(#ty), scope));
        matches!(self.program.value_instance(id), Instance::Known(..)).then_some(id)
    }

    /// Whether a path names a function of one of the program's own types.
    fn is_of_own(&self, path: &syn::Path, scope: &Scope) -> bool {
        path.segments.first().is_some_and(|s| s.ident == "Self")
            || matches!(self.named(path, scope), Some(Named::Member(of, _)) if matches!(*of, Named::Item(_)))
    }

    /// Evaluates a call without arguments, including `Default::default`.
    pub(super) fn call(&self, path: &syn::Path, scope: &Scope, wanted: Option<Id>, depth: usize) -> Known {
        if depth > MAX_DEPTH {
            return unknown(path);
        }
        self.effort().step()?;
        let names: Vec<String> = path.segments.iter().map(|s| plain(&s.ident)).collect();
        match (names.as_slice(), wanted) {
            ([.., ty, f], Some(wanted)) if f == "default" && ty == "Default" => {
                return self.default(wanted, depth + 1);
            }
            ([.., _, f], _) if f == "new" || f == "default" => {
                let mut ty = path.clone();
                ty.segments.pop();
                ty.segments.pop_punct();
                let own = self.method(path, &[], scope, depth);
                if let Some(own) = own {
                    return own;
                }
                if f == "default" || is_std_new(&names) {
                    let id = self.program.type_of(&syn::parse_quote!(#ty), scope);
                    return self.default(id, depth + 1);
                }
            }
            _ => {}
        }
        match self.named(path, scope) {
            Some(Named::Function(f, module)) => {
                let scope = self.scope_in(module);
                self.applied(Function::of(&f.sig, &f.block), &[], scope, wanted, depth + 1)
            }
            _ => match self.method(path, &[], scope, depth) {
                Some(value) => value,
                None => unknown(path),
            },
        }
    }

    /// Evaluates a function of an `impl` block.
    fn method(&self, path: &syn::Path, arguments: &[Value], scope: &Scope, depth: usize) -> Option<Known> {
        let Some(Named::Member(of, name)) = self.named(path, scope) else {
            let (module, function) = self.of_kind(path, scope)?;
            let scope = self.scope_in(module);
            return Some(self.applied(
                Function::of(&function.sig, &function.block),
                arguments,
                scope,
                None,
                depth + 1,
            ));
        };
        let Named::Item(item) = *of else { return None };
        let get = |home: &Module, of: String| home.methods.get(&(of, name.clone())).cloned();
        let (module, function) = self.implemented(item, get)?;
        let this = self.program.intern(Instance::Item(item, Vec::new()));
        let scope = self.scope_of(this, module);
        Some(self.applied(Function::of(&function.sig, &function.block), arguments, scope, None, depth + 1))
    }

    /// A function of the struct that a derive generates for a kind.
    pub(super) fn of_kind(&self, path: &syn::Path, scope: &Scope) -> Option<(usize, Rc<syn::ImplItemFn>)> {
        let names: Vec<String> = path.segments.iter().map(|s| plain(&s.ident)).collect();
        let leading = path.leading_colon.is_some();
        self.program.world.function_of_kind(scope.module, &names, leading)
    }

    /// Evaluates all arguments of a call.
    fn all(&self, args: &[&Expr], scope: &Scope, depth: usize) -> Result<Vec<Value>, Unknown> {
        args.iter().map(|arg| self.expr(arg, scope, None, depth + 1)).collect()
    }

    /// The type that a function returns, if its signature names one.
    pub(super) fn output(&self, signature: &syn::Signature, scope: &Scope) -> Option<Id> {
        match &signature.output {
            // The schema may not need this type, such as that of a value in a static.
            syn::ReturnType::Type(_, ty) => self.quietly(|| Some(self.program.type_of(ty, scope))),
            syn::ReturnType::Default => None,
        }
    }
}

fn is_wrapper(path: &syn::Path) -> bool {
    let names: Vec<String> = path.segments.iter().map(|s| plain(&s.ident)).collect();
    matches!(names.as_slice(), [.., ty, _] if matches!(ty.as_str(), "Box" | "Arc" | "Rc") || ty.starts_with("NonZero"))
}

/// Whether a path names `new` of a type that computes its value when it is first used.
fn is_lazy(path: &syn::Path) -> bool {
    let ty = path.segments.iter().rev().nth(1);
    ty.is_some_and(|ty| ["LazyLock", "LazyCell", "Lazy"].iter().any(|lazy| ty.ident == lazy))
}

fn is_std_new(names: &[String]) -> bool {
    const EMPTY: &[&str] =
        &["String", "Vec", "VecDeque", "BTreeMap", "HashMap", "BTreeSet", "HashSet", "IndexMap"];
    matches!(names, [.., ty, _] if EMPTY.contains(&ty.as_str()))
}
