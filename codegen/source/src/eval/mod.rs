//! Evaluates simple code without running it: defaults are nearly always literals, constants, constructors and variants.
//! Everything else is reported as unknown and never guessed.

mod block;
mod calls;
mod effort;
mod foreign;
mod integers;
mod items;
mod macros;
mod matches;
mod methods;
mod schema;
mod skip;
mod types;

pub(super) use effort::Effort;
pub use skip::Skip;

use super::Program;
use super::modules::Module;
use super::named::Named;
use super::types::{Argument, Id, Instance, SchemaBy, Scope};
use crate::recipe::Unknown;
use crate::value::Value;
use crdgen_rust::attrs::Code;
use crdgen_rust::lower::plain;
use crdgen_rust::syntax::{code, nesting};
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::borrow::Cow;
use std::rc::Rc;
use syn::Expr;
use syn::spanned::Spanned;

type Known = Result<Value, Unknown>;

pub(super) fn unknown<T>(expr: &impl ToTokens) -> Result<T, Unknown> {
    let tokens = expr.to_token_stream().to_string();
    let is_same = |text: &str| text.parse().is_ok_and(|code: TokenStream| code.to_string() == tokens);
    let unquoted =
        |text: &str| text.strip_prefix('"').and_then(|it| it.strip_suffix('"')).is_some_and(is_same);
    // The span of code that a macro generates is that of the call, so its source text is different.
    let is_it = |text: &String| is_same(text) || unquoted(text);
    let written =
        expr.span().source_text().filter(is_it).unwrap_or_else(|| code::text(expr.to_token_stream()));
    let one_line = written.split_whitespace().collect::<Vec<_>>().join(" ");
    // Paths in attributes are strings, which are shown without quotes.
    let path = one_line.strip_prefix('"').and_then(|s| s.strip_suffix('"')).filter(|s| !s.contains('"'));
    let code = path.unwrap_or(&one_line);
    let short = code.char_indices().nth(60).map(|(at, _)| format!("{}…", code[..at].trim_end()));
    Err(Unknown::Code(short.unwrap_or_else(|| code.to_owned())))
}

/// Longer chains of calls are not evaluated.
const MAX_DEPTH: usize = 40;

impl Program<'_> {
    /// The value of an item's code, as serde would write it. None if serde would leave it out.
    pub(super) fn code_value(&self, id: Id, number: usize) -> Result<Option<Value>, Unknown> {
        let Instance::Item(item, _) = self.instance(id) else { return Ok(None) };
        let lowered = self.lower(item);
        let (Some(code), Some(scope)) = (lowered.code.get(number), self.scope(id)) else { return Ok(None) };
        self.value_of_code(code, &scope)
    }

    /// The value of code. None if serde leaves the field out.
    pub(super) fn value_of_code(&self, code: &Code, scope: &Scope) -> Result<Option<Value>, Unknown> {
        let eval = Eval { program: self, schema_by: scope.schema_by };
        match code {
            Code::Default { path, ty, skip_if, serialize_with } => {
                let ty_id = self.type_of(ty, scope);
                let value = match path {
                    Some(path) => eval.call(path, scope, Some(ty_id), 0)?,
                    None => eval.default(ty_id, 0)?,
                };
                if let Some(skip) = skip_if
                    && eval.skips(skip, &value, ty_id, scope)?
                {
                    return Ok(None);
                }
                if serialize_with.is_some() && !value.is_null() {
                    return unknown(ty);
                }
                Ok(Some(value))
            }
            Code::Text(tokens) => match nesting::parse2::<Expr>(tokens.clone()) {
                Ok(expr) => eval.text(&expr, scope, 0).map(|t| Some(Value::Str(t))),
                Err(_) => unknown(tokens),
            },
            Code::Value(tokens) => match nesting::parse2::<Expr>(tokens.clone()) {
                Ok(expr) => eval.expr(&expr, scope, None, 0).map(Some),
                Err(_) => unknown(tokens),
            },
            Code::Schema(path) => eval.schema(path, scope).map(Some),
        }
    }

    /// The value that a function without arguments returns, or the default of a type.
    pub(super) fn value_of(&self, path: Option<&syn::Path>, ty: Id, scope: &Scope) -> Known {
        let eval = Eval { program: self, schema_by: scope.schema_by };
        match path {
            Some(path) => eval.call(path, scope, Some(ty), 0),
            None => eval.default(ty, 0),
        }
    }

    /// The value of an expression.
    pub(super) fn eval(&self, expr: &Expr, scope: &Scope) -> Known {
        Eval { program: self, schema_by: scope.schema_by }.expr(expr, scope, None, 0)
    }
}

struct Eval<'p, 's> {
    program: &'p Program<'s>,
    schema_by: SchemaBy,
}

impl Eval<'_, '_> {
    /// The scope of code in another module.
    fn scope_in(&self, module: usize) -> Scope {
        Scope::new(module, Vec::new()).schema_by(self.schema_by)
    }

    /// The scope of a function of a type in another module.
    fn scope_of(&self, this: Id, module: usize) -> Scope {
        Scope { this: Some(this), ..self.scope_in(module) }
    }

    /// The scope inside an item with its arguments.
    fn scope_inside(&self, id: Id) -> Option<Scope> {
        Some(self.program.scope(id)?.schema_by(self.schema_by))
    }

    fn effort(&self) -> &Effort {
        &self.program.effort
    }

    fn expr(&self, expr: &Expr, scope: &Scope, wanted: Option<Id>, depth: usize) -> Known {
        if depth > MAX_DEPTH {
            return unknown(expr);
        }
        self.effort().step()?;
        // A call without arguments may return the wrapper itself, such as `Default::default()` for an `Option`.
        if let Expr::Call(it) = expr
            && it.args.is_empty()
        {
            return self.function(it, scope, wanted, depth + 1);
        }
        let wanted = wanted.map(|id| self.inside(id));
        match expr {
            Expr::Lit(lit) => {
                let value = literal(&lit.lit).map_or_else(|| unknown(expr), Ok)?;
                self.effort().spend(value.as_str().map_or(0, str::len))?;
                Ok(value)
            }
            Expr::Paren(it) => self.expr(&it.expr, scope, wanted, depth + 1),
            Expr::Group(it) => self.expr(&it.expr, scope, wanted, depth + 1),
            Expr::Reference(it) => self.expr(&it.expr, scope, wanted, depth + 1),
            Expr::Cast(it) => {
                let value = self.expr(&it.expr, scope, None, depth + 1)?;
                let ty = self.program.type_of(&it.ty, scope);
                self.cast(value, ty).map_or_else(|| unknown(expr), Ok)
            }
            Expr::Block(it) => self.block(&it.block, scope, wanted, depth + 1),
            Expr::If(it) => self.branch(it, scope, wanted, depth + 1),
            Expr::Match(it) => self.matched(it, scope, wanted, depth + 1),
            Expr::Unary(it) => match (it.op, self.expr(&it.expr, scope, wanted, depth + 1)?) {
                (syn::UnOp::Neg(_), Value::Int(i)) => {
                    i.checked_neg().map_or_else(|| unknown(expr), |i| Ok(Value::Int(i)))
                }
                (syn::UnOp::Neg(_), Value::Float(f)) => Ok(Value::Float(-f)),
                (syn::UnOp::Not(_), Value::Bool(b)) => Ok(Value::Bool(!b)),
                (syn::UnOp::Deref(_), value) => Ok(value),
                _ => unknown(expr),
            },
            Expr::Binary(it) if is_condition(&it.op) => self.comparison(it, scope, depth),
            Expr::Binary(it) => {
                let a = self.expr(&it.left, scope, wanted, depth + 1)?;
                let b = self.expr(&it.right, scope, wanted, depth + 1)?;
                if let (syn::BinOp::Add(_), Value::Str(a), Value::Str(b)) = (&it.op, &a, &b) {
                    self.effort().spend(a.len() + b.len())?;
                    return Ok(Value::Str(format!("{a}{b}")));
                }
                let value = binary(&it.op, &a, &b);
                value.or_else(|| self.large(it, scope, depth)).map_or_else(|| unknown(expr), Ok)
            }
            Expr::Array(it) => self.elements(it.elems.iter(), scope, wanted, depth + 1),
            Expr::Macro(it) => self.macro_call(&it.mac, scope, wanted, depth + 1),
            Expr::Path(it) => match qualified(it) {
                Some(path) => self.path(&path, scope, wanted, depth + 1),
                None => unknown(expr),
            },
            Expr::Call(it) => self.function(it, scope, wanted, depth + 1),
            Expr::MethodCall(it) => self.method_call(it, scope, wanted, depth + 1),
            Expr::Struct(it) => self.structure(it, scope, wanted, depth + 1),
            Expr::Field(it) => self.field(it, scope, depth + 1),
            Expr::Tuple(it) if it.elems.is_empty() => Ok(Value::Null),
            Expr::Tuple(it) => {
                let parts = it.elems.iter().map(|part| self.expr(part, scope, None, depth + 1));
                parts.collect::<Result<_, _>>().map(Value::List)
            }
            _ => unknown(expr),
        }
    }

    /// The result of `==` and other operators that compare, and of `&&` and `||`.
    fn comparison(&self, it: &syn::ExprBinary, scope: &Scope, depth: usize) -> Known {
        let ty = self.type_of_value(&it.left, scope, depth + 1);
        let a = self.expr(&it.left, scope, None, depth + 1)?;
        match (&it.op, &a) {
            (syn::BinOp::And(_), Value::Bool(false)) | (syn::BinOp::Or(_), Value::Bool(true)) => {
                return Ok(a);
            }
            _ => {}
        }
        let b = self.expr(&it.right, scope, ty, depth + 1)?;
        let order = match (&a, &b) {
            (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
            _ => a.as_float().zip(b.as_float()).and_then(|(a, b)| a.partial_cmp(&b)),
        };
        let answer = match &it.op {
            syn::BinOp::And(_) | syn::BinOp::Or(_) => b.as_bool(),
            syn::BinOp::Eq(_) => Some(order.map_or(a == b, |order| order.is_eq())),
            syn::BinOp::Ne(_) => Some(order.map_or(a != b, |order| order.is_ne())),
            syn::BinOp::Lt(_) => order.map(|order| order.is_lt()),
            syn::BinOp::Le(_) => order.map(|order| order.is_le()),
            syn::BinOp::Gt(_) => order.map(|order| order.is_gt()),
            syn::BinOp::Ge(_) => order.map(|order| order.is_ge()),
            _ => None,
        };
        answer.map_or_else(|| unknown(it), |answer| Ok(Value::Bool(answer)))
    }

    /// The text of a pattern. In `LazyLock::new(|| Regex::new("…").unwrap())` it is the only string.
    fn text(&self, expr: &Expr, scope: &Scope, depth: usize) -> Result<String, Unknown> {
        match self.expr(expr, scope, None, depth) {
            Ok(Value::Str(text)) => return Ok(text),
            Err(outside @ Unknown::Outside(_)) => return Err(outside),
            Ok(_) | Err(_) => {}
        }
        let mut expr = expr;
        while let Expr::Unary(syn::ExprUnary { expr: inner, .. })
        | Expr::Reference(syn::ExprReference { expr: inner, .. })
        | Expr::Paren(syn::ExprParen { expr: inner, .. }) = expr
        {
            expr = inner;
        }
        if let Expr::Path(path) = expr
            && let Some(Named::Constant(value, module)) = self.named(&path.path, scope)
            && let Some(pattern) =
                foreign::regex_new(&value.to_token_stream(), &|path| self.is_regex(path, module))
        {
            return Ok(pattern);
        }
        unknown(expr)
    }

    /// Whether a path names a type that is made from a pattern.
    fn is_regex(&self, path: &[String], module: usize) -> bool {
        let world = &self.program.world;
        let is_name = |name: &str| matches!(name, "Regex" | "RegexBuilder");
        let leading = false;
        match world.resolve(module, path, leading) {
            Some(Named::Item(item)) => {
                let is_of = |name: &&str| world.is_of_crate(item, name);
                is_name(&world.name(item)) && ["regex", "regex_lite", "fancy_regex"].iter().any(is_of)
            }
            Some(Named::Foreign(full)) => full.rsplit("::").next().is_some_and(is_name),
            // The source of its crate is not read, so only its name says what it is.
            None => path.last().is_some_and(|name| is_name(name)),
            Some(
                Named::Module(_)
                | Named::Alias(..)
                | Named::Function(..)
                | Named::Constant(..)
                | Named::Member(..),
            ) => false,
        }
    }

    fn named(&self, path: &syn::Path, scope: &Scope) -> Option<Named> {
        let mut names: Vec<String> = path.segments.iter().map(|s| plain(&s.ident)).collect();
        let mut module = scope.module;
        let argument = |name: &str| match scope.params.iter().find(|(parameter, _)| parameter == name) {
            Some((_, Argument::Type(id))) => Some(*id),
            Some((_, Argument::Const(_))) | None => None,
        };
        if let Some(first) = names.first_mut()
            && let Some(id) = if first == "Self" { scope.this } else { argument(first) }
            && let Instance::Item(item, _) = self.program.value_instance(id)
        {
            // The impl may be in another module.
            let world = &self.program.world;
            (*first, module) = (plain(&world.item(item).input.ident), world.item(item).module);
        }
        let leading = path.leading_colon.is_some();
        self.program.world.resolve(module, &names, leading)
    }

    fn path(&self, path: &syn::Path, scope: &Scope, wanted: Option<Id>, depth: usize) -> Known {
        if let Some(local) = path.get_ident().and_then(|ident| scope.local(ident)) {
            self.effort().spend(scope.locals.len())?;
            return self.effort().copy(&local.value);
        }
        if let Some(ident) = path.get_ident()
            && let Some((_, Argument::Const(n))) = scope.params.iter().find(|(p, _)| ident == p)
        {
            return Ok(Value::Int(*n));
        }
        match self.named(path, scope) {
            Some(Named::Constant(expr, module)) => {
                self.expr(&expr, &self.scope_in(module), wanted, depth + 1)
            }
            Some(Named::Foreign(full)) => foreign::constant(&full).map_or_else(|| unknown(path), Ok),
            Some(Named::Member(of, name)) => match *of {
                Named::Item(item) => {
                    if let Some(value) = self.variant(item, &name, None) {
                        return value;
                    }
                    match self.associated(item, &name) {
                        Some((expr, scope)) => self.expr(&expr, &scope, wanted, depth + 1),
                        None => unknown(path),
                    }
                }
                _ => unknown(path),
            },
            _ => unknown(path),
        }
    }

    /// A constant of a type, and the scope of its value.
    fn associated(&self, item: usize, name: &str) -> Option<(Rc<Expr>, Scope)> {
        let get = |home: &Module, of: String| home.assoc_constants.get(&(of, name.to_owned())).cloned();
        let (module, value) = self.implemented(item, get)?;
        let this = self.program.intern(Instance::Item(item, Vec::new()));
        Some((value, self.scope_of(this, module)))
    }

    /// The type inside wrappers.
    fn inside(&self, id: Id) -> Id {
        match self.program.value_instance(id) {
            Instance::Known(path, parts)
                if parts.len() == 1
                    && (path == "std::option::Option"
                        || path == "std::boxed::Box"
                        || path == "std::sync::Arc"
                        || path == "std::rc::Rc") =>
            {
                self.inside(parts[0])
            }
            _ => id,
        }
    }

    /// Finds something in the `impl` blocks of an item, anywhere in its crate. Also returns the module.
    fn implemented<T>(&self, item: usize, get: impl Fn(&Module, String) -> Option<T>) -> Option<(usize, T)> {
        let homes = self.program.world.homes(item);
        let world = &self.program.world;
        homes.into_iter().find_map(|(home, name)| Some((home, world.module(home, |it| get(it, name))?)))
    }
}

impl Program<'_> {
    fn reference_of(&self, id: Id, number: usize) -> Option<Id> {
        match self.instance(id) {
            Instance::Known(_, parts) => parts.get(number).copied(),
            Instance::Array(item, _) | Instance::Slice(item) => Some(item),
            Instance::Kubernetes(_) => None,
            Instance::Item(..)
            | Instance::Tuple(_)
            | Instance::Written(_)
            | Instance::BySchemars(_)
            | Instance::Root(_)
            | Instance::Unknown => None,
        }
    }
}

fn literal(lit: &syn::Lit) -> Option<Value> {
    match lit {
        syn::Lit::Str(s) => Some(Value::Str(s.value())),
        syn::Lit::Int(i) => i.base10_parse().ok().map(Value::Int),
        syn::Lit::Float(f) => f.base10_parse().ok().map(Value::Float),
        syn::Lit::Bool(b) => Some(Value::Bool(b.value)),
        syn::Lit::Char(c) => Some(Value::Str(c.value().to_string())),
        _ => None,
    }
}

/// The path of what an expression names: `Type::name` for `<Type as Trait>::name`.
fn qualified(it: &syn::ExprPath) -> Option<Cow<'_, syn::Path>> {
    let Some(qself) = &it.qself else { return Some(Cow::Borrowed(&it.path)) };
    let syn::Type::Path(syn::TypePath { qself: None, path, .. }) = &*qself.ty else { return None };
    let mut path = path.clone();
    path.segments.extend(it.path.segments.iter().skip(qself.position).cloned());
    Some(Cow::Owned(path))
}

/// Returns the expression inside of references, dereferences and parentheses.
fn bare(mut expr: &Expr) -> &Expr {
    while let Expr::Reference(syn::ExprReference { expr: inner, .. })
    | Expr::Paren(syn::ExprParen { expr: inner, .. })
    | Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr: inner, .. }) = expr
    {
        expr = inner;
    }
    expr
}

/// Whether an operator has a boolean as its result.
fn is_condition(op: &syn::BinOp) -> bool {
    use syn::BinOp::{And, Eq, Ge, Gt, Le, Lt, Ne, Or};
    matches!(op, And(_) | Or(_) | Eq(_) | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_))
}

fn binary(op: &syn::BinOp, a: &Value, b: &Value) -> Option<Value> {
    if let (Value::Int(a), Value::Int(b)) = (a, b) {
        return match op {
            syn::BinOp::Add(_) => a.checked_add(*b),
            syn::BinOp::Sub(_) => a.checked_sub(*b),
            syn::BinOp::Mul(_) => a.checked_mul(*b),
            syn::BinOp::Div(_) => a.checked_div(*b),
            syn::BinOp::Rem(_) => a.checked_rem(*b),
            syn::BinOp::Shl(_) => u32::try_from(*b).ok().and_then(|b| a.checked_shl(b)),
            _ => None,
        }
        .map(Value::Int);
    }
    let (a, b) = (a.as_float()?, b.as_float()?);
    // This may be an integer beyond 64 bits, which a float does not represent exactly.
    if a.abs().max(b.abs()) >= i64::MAX as f64 {
        return None;
    }
    Some(Value::Float(match op {
        syn::BinOp::Add(_) => a + b,
        syn::BinOp::Sub(_) => a - b,
        syn::BinOp::Mul(_) => a * b,
        syn::BinOp::Div(_) => a / b,
        _ => return None,
    }))
}
