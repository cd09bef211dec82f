//! Simple code, read instead of run: defaults are literals, constants, constructors and variants almost
//! always. What is not simple is said to be unknown, never guessed.

use super::Program;
use super::paths::Named;
use super::types::{Argument, Id, Instance, Scope};
use crate::read::rust::attrs::{self, Code, place};
use crate::read::rust::lower::plain;
use crate::read::rust::report::Report;
use crate::value::{Map, Value};
use quote::ToTokens;
use syn::Expr;

type Known = Result<Value, String>;

fn unknown<T>(expr: &impl ToTokens) -> Result<T, String> {
    let text = expr.to_token_stream().to_string();
    let short: String = text.chars().take(60).collect();
    Err(format!("the value of `{short}` cannot be told without running it"))
}

/// Longer chains of calls are not read.
const MAX_DEPTH: usize = 40;

impl Program<'_> {
    /// The value of code of an item, as serde would write it; none if serde would not write it.
    pub(super) fn code_value(&self, id: Id, number: usize) -> Result<Option<Value>, String> {
        let Instance::Item(item, _) = self.instance(id) else { return Ok(None) };
        let lowered = self.lower(item);
        let (Some(code), Some(scope)) = (lowered.code.get(number), self.scope(id)) else { return Ok(None) };
        let eval = Eval { program: self };
        match code {
            Code::Default { path, ty, skip_if, serialize_with } => {
                let ty_id = self.type_of(ty, &scope);
                let value = match path {
                    Some(path) => eval.call(path, &scope, Some(ty_id), 0)?,
                    None => eval.default(ty_id, 0)?,
                };
                if let Some(skip) = skip_if
                    && skips(skip, &value)?
                {
                    return Ok(None);
                }
                if serialize_with.is_some() && !value.is_null() {
                    return unknown(ty);
                }
                Ok(Some(value))
            }
            Code::Text(tokens) => match syn::parse2::<Expr>(tokens.clone()) {
                Ok(expr) => eval.text(&expr, &scope, 0).map(|t| Some(Value::Str(t))),
                Err(_) => unknown(tokens),
            },
            Code::Value(tokens) => match syn::parse2::<Expr>(tokens.clone()) {
                Ok(expr) => eval.expr(&expr, &scope, None, 0).map(Some),
                Err(_) => unknown(tokens),
            },
            Code::Schema(path) => eval.schema(path, &scope).map(Some),
        }
    }

    /// The value of an expression.
    pub(super) fn eval(&self, expr: &Expr, scope: &Scope) -> Known {
        Eval { program: self }.expr(expr, scope, None, 0)
    }
}

/// Whether serde leaves the value out.
fn skips(path: &syn::Path, value: &Value) -> Result<bool, String> {
    let name = path.segments.last().map(|s| plain(&s.ident)).unwrap_or_default();
    match (name.as_str(), value) {
        ("is_none", value) => Ok(value.is_null()),
        ("is_empty", Value::Str(s)) => Ok(s.is_empty()),
        ("is_empty", Value::List(l)) => Ok(l.is_empty()),
        ("is_empty", Value::Map(m)) => Ok(m.is_empty()),
        ("not" | "is_false", Value::Bool(b)) => Ok(!b),
        ("is_true", Value::Bool(b)) => Ok(*b),
        ("is_zero", Value::Int(i)) => Ok(*i == 0),
        _ => unknown(path),
    }
}

/// The schema in code that does nothing but write it, `json_schema!({ … })`, as core reads it: with the name of
/// what has it.
pub(super) fn schema_text(name: &str, block: &syn::Block) -> Option<String> {
    let mut stmts = block.stmts.iter().filter(|s| !matches!(s, syn::Stmt::Item(_)));
    let (Some(only), None) = (stmts.next(), stmts.next()) else { return None };
    let written = match only {
        syn::Stmt::Macro(it) if it.semi_token.is_none() => json_of_macro(&it.mac),
        syn::Stmt::Expr(expr, _) => json_of_code(expr, 0),
        _ => None,
    };
    Some(format!("{name}\n{}", crate::json::to_string(&written?)))
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

struct Eval<'p, 's> {
    program: &'p Program<'s>,
}

impl Eval<'_, '_> {
    fn expr(&self, expr: &Expr, scope: &Scope, wanted: Option<Id>, depth: usize) -> Known {
        if depth > MAX_DEPTH {
            return unknown(expr);
        }
        let wanted = wanted.map(|id| self.inside(id));
        match expr {
            Expr::Lit(lit) => literal(&lit.lit).map_or_else(|| unknown(expr), Ok),
            Expr::Paren(it) => self.expr(&it.expr, scope, wanted, depth + 1),
            Expr::Group(it) => self.expr(&it.expr, scope, wanted, depth + 1),
            Expr::Reference(it) => self.expr(&it.expr, scope, wanted, depth + 1),
            Expr::Cast(it) => self.expr(&it.expr, scope, wanted, depth + 1),
            Expr::Block(it) => self.block(&it.block, scope, wanted, depth + 1),
            Expr::Unary(it) => match (it.op, self.expr(&it.expr, scope, wanted, depth + 1)?) {
                (syn::UnOp::Neg(_), Value::Int(i)) => {
                    i.checked_neg().map_or_else(|| unknown(expr), |i| Ok(Value::Int(i)))
                }
                (syn::UnOp::Neg(_), Value::Float(f)) => Ok(Value::Float(-f)),
                (syn::UnOp::Not(_), Value::Bool(b)) => Ok(Value::Bool(!b)),
                (syn::UnOp::Deref(_), value) => Ok(value),
                _ => unknown(expr),
            },
            Expr::Binary(it) => {
                let a = self.expr(&it.left, scope, wanted, depth + 1)?;
                let b = self.expr(&it.right, scope, wanted, depth + 1)?;
                binary(&it.op, &a, &b).map_or_else(|| unknown(expr), Ok)
            }
            Expr::Array(it) => {
                let item = wanted.and_then(|w| self.program.reference_of(w, 0));
                it.elems
                    .iter()
                    .map(|e| self.expr(e, scope, item, depth + 1))
                    .collect::<Result<_, _>>()
                    .map(Value::List)
            }
            Expr::Macro(it) => self.macro_call(&it.mac, scope, wanted, depth + 1),
            Expr::Path(it) => self.path(&it.path, scope, wanted, depth + 1),
            Expr::Call(it) => self.function(it, scope, wanted, depth + 1),
            Expr::MethodCall(it) => {
                let plain = ["to_string", "to_owned", "into", "clone", "to_vec", "unwrap", "expect"];
                if plain.iter().any(|m| it.method == m) && (it.args.is_empty() || it.method == "expect") {
                    return self.expr(&it.receiver, scope, wanted, depth + 1);
                }
                unknown(expr)
            }
            Expr::Struct(it) => self.structure(it, scope, wanted, depth + 1),
            Expr::Tuple(it) if it.elems.is_empty() => Ok(Value::Null),
            _ => unknown(expr),
        }
    }

    /// The text of a pattern: `LazyLock::new(|| Regex::new("…").unwrap())` has one string in it.
    fn text(&self, expr: &Expr, scope: &Scope, depth: usize) -> Result<String, String> {
        if let Ok(Value::Str(text)) = self.expr(expr, scope, None, depth) {
            return Ok(text);
        }
        let mut expr = expr;
        while let Expr::Unary(syn::ExprUnary { expr: inner, .. })
        | Expr::Reference(syn::ExprReference { expr: inner, .. })
        | Expr::Paren(syn::ExprParen { expr: inner, .. }) = expr
        {
            expr = inner;
        }
        if let Expr::Path(path) = expr
            && let Some(Named::Constant(value, _)) = self.named(&path.path, scope)
            && let Some(pattern) = regex_new(&value.to_token_stream())
        {
            return Ok(pattern);
        }
        unknown(expr)
    }

    fn block(&self, block: &syn::Block, scope: &Scope, wanted: Option<Id>, depth: usize) -> Known {
        match block.stmts.as_slice() {
            [syn::Stmt::Expr(expr, None)] => self.expr(expr, scope, wanted, depth + 1),
            [syn::Stmt::Expr(Expr::Return(it), _)] => match &it.expr {
                Some(expr) => self.expr(expr, scope, wanted, depth + 1),
                None => Ok(Value::Null),
            },
            [syn::Stmt::Macro(it)] => self.macro_call(&it.mac, scope, wanted, depth + 1),
            _ => unknown(block),
        }
    }

    /// The macros that make values of what they are given.
    fn macro_call(&self, mac: &syn::Macro, scope: &Scope, wanted: Option<Id>, depth: usize) -> Known {
        let name = mac.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        let parts = || {
            let item = wanted.filter(|_| name == "vec").and_then(|w| self.program.reference_of(w, 0));
            let parts = attrs::meta::split(mac.tokens.clone()).into_iter();
            let values = parts.map(|part| match syn::parse2::<Expr>(part.into_iter().collect()) {
                Ok(expr) => self.expr(&expr, scope, item, depth + 1),
                Err(_) => unknown(mac),
            });
            values.collect::<Result<Vec<Value>, _>>()
        };
        match name.as_str() {
            "vec" => parts().map(Value::List),
            "concat" => {
                let texts = parts()?.into_iter().map(|part| match part {
                    Value::Str(text) => Some(text),
                    Value::Int(_) | Value::Bool(_) => Some(crate::json::to_string(&part)),
                    Value::Null | Value::Float(_) | Value::List(_) | Value::Map(_) => None,
                });
                texts.collect::<Option<String>>().map_or_else(|| unknown(mac), |text| Ok(Value::Str(text)))
            }
            "stringify" => Ok(Value::Str(mac.tokens.to_string())),
            "include_str" => {
                let path = attrs::string_of(mac.tokens.clone());
                let text = path.and_then(|path| self.program.world.borrow_mut().beside(scope.module, &path));
                text.map_or_else(|| unknown(mac), |text| Ok(Value::Str(text)))
            }
            _ => unknown(mac),
        }
    }

    fn named(&self, path: &syn::Path, scope: &Scope) -> Option<Named> {
        let mut names: Vec<String> = path.segments.iter().map(|s| plain(&s.ident)).collect();
        if let Some(first) = names.first_mut()
            && first == "Self"
            && let Some(Instance::Item(item, _)) = scope.this.map(|id| self.program.instance(id))
        {
            *first = plain(&self.program.world.borrow().item(item).input.ident);
        }
        let leading = path.leading_colon.is_some();
        self.program.world.borrow_mut().resolve(scope.module, &names, leading)
    }

    fn path(&self, path: &syn::Path, scope: &Scope, wanted: Option<Id>, depth: usize) -> Known {
        if let Some(ident) = path.get_ident()
            && let Some((_, Argument::Const(n))) = scope.params.iter().find(|(p, _)| ident == p)
        {
            return Ok(Value::Int(*n));
        }
        match self.named(path, scope) {
            Some(Named::Constant(expr, module)) => {
                self.expr(&expr, &Scope { module, params: Vec::new(), this: None }, wanted, depth + 1)
            }
            Some(Named::Foreign(full)) => foreign_constant(&full).map_or_else(|| unknown(path), Ok),
            Some(Named::Member(of, name)) => match *of {
                Named::Item(item) => {
                    if let Some(value) = self.variant(item, &name, None) {
                        return value;
                    }
                    let (module, ident) = self.home(item);
                    let constant = self.program.world.borrow().modules[module]
                        .assoc_constants
                        .get(&(ident, name))
                        .cloned();
                    match constant {
                        Some(expr) => {
                            let this = self.program.intern(Instance::Item(item, Vec::new()));
                            self.expr(
                                &expr,
                                &Scope { module, params: Vec::new(), this: Some(this) },
                                wanted,
                                depth + 1,
                            )
                        }
                        None => unknown(path),
                    }
                }
                _ => unknown(path),
            },
            _ => unknown(path),
        }
    }

    fn home(&self, item: usize) -> (usize, String) {
        let world = self.program.world.borrow();
        let it = world.item(item);
        (it.module, plain(&it.input.ident))
    }

    fn function(&self, it: &syn::ExprCall, scope: &Scope, wanted: Option<Id>, depth: usize) -> Known {
        let Expr::Path(path) = &*it.func else { return unknown(it) };
        let last = path.path.segments.last().map(|s| plain(&s.ident)).unwrap_or_default();
        let args: Vec<&Expr> = it.args.iter().collect();
        let value =
            |at: usize| args.get(at).map_or_else(|| unknown(it), |e| self.expr(e, scope, wanted, depth + 1));
        match (last.as_str(), args.len()) {
            ("Some" | "Box" | "Arc" | "Rc", 1) => return value(0),
            ("from" | "from_static", 1) => return value(0),
            ("new", 1) if is_wrapper(&path.path) => return value(0),
            _ => {}
        }
        if args.is_empty() {
            return self.call(&path.path, scope, wanted, depth + 1);
        }
        match self.named(&path.path, scope) {
            Some(Named::Member(of, name)) => match *of {
                Named::Item(item) => {
                    let inner = value(0)?;
                    self.variant(item, &name, Some(inner)).unwrap_or_else(|| unknown(it))
                }
                _ => unknown(it),
            },
            Some(Named::Foreign(full)) => self.foreign_call(&full, &value).unwrap_or_else(|| unknown(it)),
            // A newtype.
            Some(Named::Item(_)) if args.len() == 1 => value(0),
            _ => unknown(it),
        }
    }

    fn foreign_call(&self, full: &str, value: &dyn Fn(usize) -> Known) -> Option<Known> {
        let duration = |secs: i64, nanos: i64| {
            Value::Map(
                [("secs", Value::Int(secs)), ("nanos", Value::Int(nanos))].into_iter().collect::<Map<_>>(),
            )
        };
        Some(match full {
            "std::time::Duration::from_secs" => value(0).map(|v| duration(v.as_int().unwrap_or(0), 0)),
            "std::time::Duration::from_millis" => value(0).map(|v| {
                duration(v.as_int().unwrap_or(0) / 1000, v.as_int().unwrap_or(0) % 1000 * 1_000_000)
            }),
            f if f.ends_with("IntOrString::Int")
                || f.ends_with("IntOrString::String")
                || f.ends_with("::Quantity") =>
            {
                value(0)
            }
            _ => return None,
        })
    }

    /// The schema of a function that does nothing but write it.
    fn schema(&self, path: &syn::Path, scope: &Scope) -> Known {
        let block = match self.named(path, scope) {
            Some(Named::Function(f, _)) => Some(std::rc::Rc::new((*f.block).clone())),
            Some(Named::Member(of, name)) => match *of {
                Named::Item(item) => {
                    let (module, ident) = self.home(item);
                    self.program.world.borrow().modules[module].methods.get(&(ident, name)).cloned()
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

    /// A function without arguments, or `Default::default`.
    fn call(&self, path: &syn::Path, scope: &Scope, wanted: Option<Id>, depth: usize) -> Known {
        if depth > MAX_DEPTH {
            return unknown(path);
        }
        let names: Vec<String> = path.segments.iter().map(|s| plain(&s.ident)).collect();
        match (names.as_slice(), wanted) {
            ([.., ty, f], Some(wanted)) if f == "default" && ty == "Default" => {
                return self.default(wanted, depth + 1);
            }
            ([.., _, f], _) if f == "new" || f == "default" => {
                let mut ty = path.clone();
                ty.segments.pop();
                ty.segments.pop_punct();
                let own = self.method(path, scope, depth);
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
                let scope = Scope { module, params: Vec::new(), this: None };
                let wanted = match &f.sig.output {
                    syn::ReturnType::Type(_, ty) => Some(self.program.type_of(ty, &scope)),
                    syn::ReturnType::Default => wanted,
                };
                self.block(&f.block, &scope, wanted, depth + 1)
            }
            _ => match self.method(path, scope, depth) {
                Some(value) => value,
                None => unknown(path),
            },
        }
    }

    /// A function of an `impl` block.
    fn method(&self, path: &syn::Path, scope: &Scope, depth: usize) -> Option<Known> {
        let Some(Named::Member(of, name)) = self.named(path, scope) else { return None };
        let Named::Item(item) = *of else { return None };
        let (module, ident) = self.home(item);
        let block = self.program.world.borrow().modules[module].methods.get(&(ident, name)).cloned()?;
        let this = self.program.intern(Instance::Item(item, Vec::new()));
        let scope = Scope { module, params: Vec::new(), this: Some(this) };
        Some(self.block(&block, &scope, Some(this), depth + 1))
    }

    /// A variant as serde writes it.
    fn variant(&self, item: usize, name: &str, inner: Option<Value>) -> Option<Known> {
        let (input, cfg) = {
            let world = self.program.world.borrow();
            (std::rc::Rc::clone(&world.item(item).input), world.cfg_of(item))
        };
        let syn::Data::Enum(data) = &input.data else { return None };
        let variant = data.variants.iter().find(|v| plain(&v.ident) == name)?;
        let (mut report, mut code) = (Report::default(), Vec::new());
        let holds = |tokens: &proc_macro2::TokenStream| cfg.holds(tokens);
        let outer = attrs::read(&input.attrs, place::TYPES, &mut report, &mut code, &holds, false).serde;
        let own = attrs::read(&variant.attrs, place::VARIANT, &mut report, &mut code, &holds, false).serde;
        let wire =
            own.rename.unwrap_or_else(|| outer.rename_all.map_or(name.to_owned(), |c| c.variant(name)));
        let one = |k: &str, v: Value| Value::Map(std::iter::once((k, v)).collect::<Map<_>>());
        if outer.into.is_some() || outer.from.is_some() {
            return Some(unknown(&variant.ident));
        }
        Some(Ok(match (&outer.tag, &outer.content, outer.untagged || own.untagged, inner) {
            (_, _, true, inner) => inner.unwrap_or(Value::Null),
            (None, _, _, None) => Value::Str(wire),
            (None, _, _, Some(inner)) => one(&wire, inner),
            (Some(tag), None, _, None) => one(tag, Value::Str(wire)),
            (Some(tag), None, _, Some(Value::Map(mut inner))) => {
                inner.insert(tag.as_str(), Value::Str(wire));
                Value::Map(inner)
            }
            (Some(tag), Some(_), _, None) => one(tag, Value::Str(wire)),
            (Some(tag), Some(content), _, Some(inner)) => Value::Map(
                [(tag.as_str(), Value::Str(wire)), (content.as_str(), inner)].into_iter().collect::<Map<_>>(),
            ),
            (Some(_), None, _, Some(_)) => return Some(unknown(&variant.ident)),
        }))
    }

    /// A type without what only wraps it.
    fn inside(&self, id: Id) -> Id {
        match self.program.instance(id) {
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

    /// `Default::default()` of a type, as serde writes it.
    fn default(&self, id: Id, depth: usize) -> Known {
        if depth > MAX_DEPTH {
            return Err("the default is nested too deep".to_owned());
        }
        match self.program.instance(id) {
            Instance::Known(path, parts) => match path {
                "std::option::Option" => Ok(Value::Null),
                "std::boxed::Box" | "std::sync::Arc" | "std::rc::Rc" | "std::borrow::Cow" => {
                    match parts.first() {
                        Some(inner) => self.default(*inner, depth + 1),
                        None => Ok(Value::Null),
                    }
                }
                "std::string::String" | "str" | "std::path::PathBuf" => Ok(Value::from("")),
                "bool" => Ok(Value::Bool(false)),
                "f32" | "f64" => Ok(Value::Float(0.0)),
                "serde_json::Value" => Ok(Value::Null),
                "char" => Ok(Value::from("\0")),
                "std::time::Duration" => Ok(Value::Map(
                    [("secs", Value::Int(0)), ("nanos", Value::Int(0))].into_iter().collect::<Map<_>>(),
                )),
                p if p.starts_with(['i', 'u']) && !p.contains(':') => Ok(Value::Int(0)),
                p if ["Vec", "VecDeque", "LinkedList", "BinaryHeap", "Set"]
                    .iter()
                    .any(|e| p.ends_with(e)) =>
                {
                    Ok(Value::List(Vec::new()))
                }
                p if p.ends_with("Map") => Ok(Value::Map(Map::new())),
                p => Err(format!("the default of `{p}` cannot be told without running it")),
            },
            Instance::Item(item, _) => self.item_default(id, item, depth),
            Instance::Tuple(parts) if parts.is_empty() => Ok(Value::Null),
            Instance::Tuple(parts) => {
                parts.iter().map(|p| self.default(*p, depth + 1)).collect::<Result<_, _>>().map(Value::List)
            }
            Instance::Array(item, len) if len <= 32 => {
                (0..len).map(|_| self.default(item, depth + 1)).collect::<Result<_, _>>().map(Value::List)
            }
            #[cfg(feature = "k8s")]
            Instance::Kubernetes(_) => Ok(Value::Map(Map::new())),
            Instance::Array(..)
            | Instance::Slice(_)
            | Instance::Written(_)
            | Instance::Root(_)
            | Instance::Unknown => {
                Err("the default of this type cannot be told without running it".to_owned())
            }
        }
    }

    fn item_default(&self, id: Id, item: usize, depth: usize) -> Known {
        let (module, ident) = self.home(item);
        let (input, cfg, block) = {
            let world = self.program.world.borrow();
            let block = world.modules[module].defaults.get(&ident).cloned();
            (std::rc::Rc::clone(&world.item(item).input), world.cfg_of(item), block)
        };
        let Some(scope) = self.program.scope(id) else { return unknown(&input.ident) };
        if let Some(block) = block {
            return self.block(&block, &scope, Some(id), depth + 1);
        }
        if !super::modules::derives(&input.attrs, &cfg).iter().any(|d| d == "Default") {
            return unknown(&input.ident);
        }
        match &input.data {
            syn::Data::Enum(data) => {
                let chosen =
                    data.variants.iter().find(|v| v.attrs.iter().any(|a| a.path().is_ident("default")));
                match chosen {
                    Some(v) => {
                        self.variant(item, &plain(&v.ident), None).unwrap_or_else(|| unknown(&v.ident))
                    }
                    None => unknown(&input.ident),
                }
            }
            syn::Data::Struct(_) => self.written(item, id, &|_| None, depth),
            syn::Data::Union(_) => unknown(&input.ident),
        }
    }

    fn structure(&self, it: &syn::ExprStruct, scope: &Scope, _wanted: Option<Id>, depth: usize) -> Known {
        let own = it.path.is_ident("Self");
        let id = match scope.this {
            Some(this) if own => this,
            _ => {
                let path = &it.path;
                self.program.type_of(&syn::parse_quote!(#path), scope)
            }
        };
        let Instance::Item(item, _) = self.program.instance(id) else { return unknown(it) };
        if let Some(rest) = &it.rest {
            let text = rest.to_token_stream().to_string().replace(' ', "");
            if !text.ends_with("default()") {
                return unknown(rest);
            }
        }
        let given = |name: &str| {
            it.fields
                .iter()
                .find(|f| matches!(&f.member, syn::Member::Named(n) if plain(n) == name))
                .map(|f| f.expr.clone())
        };
        self.written(item, id, &|name| given(name).map(|e| (e, scope.clone())), depth)
    }

    /// A struct as serde writes it: fields that are given, the others by their defaults.
    fn written(
        &self,
        item: usize,
        id: Id,
        given: &dyn Fn(&str) -> Option<(Expr, Scope)>,
        depth: usize,
    ) -> Known {
        let (input, cfg) = {
            let world = self.program.world.borrow();
            (std::rc::Rc::clone(&world.item(item).input), world.cfg_of(item))
        };
        let holds = |tokens: &proc_macro2::TokenStream| cfg.holds(tokens);
        let syn::Data::Struct(data) = &input.data else { return unknown(&input.ident) };
        let Some(scope) = self.program.scope(id) else { return unknown(&input.ident) };
        let (mut report, mut code) = (Report::default(), Vec::new());
        let outer = attrs::read(&input.attrs, place::TYPES, &mut report, &mut code, &holds, false).serde;
        if outer.into.is_some() || outer.from.is_some() {
            return unknown(&input.ident);
        }
        let mut out: Vec<(String, Value)> = Vec::new();
        for field in &data.fields {
            if !crate::read::rust::lower::cfg_holds(&field.attrs, &holds) {
                continue;
            }
            let own = attrs::read(&field.attrs, place::FIELD, &mut report, &mut code, &holds, false).serde;
            let ident = field.ident.as_ref().map(|i| i.to_string().trim_start_matches("r#").to_owned());
            if own.skip_serializing {
                continue;
            }
            let ty = self.program.type_of(&field.ty, &scope);
            let value = match ident.as_deref().and_then(given) {
                Some((expr, scope)) => self.expr(&expr, &scope, Some(ty), depth + 1)?,
                None => self.default(ty, depth + 1)?,
            };
            if own.serialize_with.is_some() && !value.is_null() {
                return unknown(&field.ty);
            }
            let Some(ident) = ident else {
                // A newtype is written as what it wraps.
                if data.fields.len() == 1 {
                    return Ok(value);
                }
                return unknown(&input.ident);
            };
            if outer.transparent {
                return Ok(value);
            }
            if let Some(skip) = &own.skip_if
                && skips(skip, &value)?
            {
                continue;
            }
            if own.flatten {
                if let Value::Map(inner) = value {
                    out.extend(inner);
                }
                continue;
            }
            let name =
                own.rename.unwrap_or_else(|| outer.rename_all.map_or(ident.clone(), |c| c.field(&ident)));
            out.push((name, value));
        }
        if let Some(tag) = outer.tag {
            out.push((tag, Value::Str(outer.rename.unwrap_or_else(|| plain(&input.ident)))));
        }
        Ok(Value::Map(out.into_iter().collect()))
    }
}

impl Program<'_> {
    fn reference_of(&self, id: Id, number: usize) -> Option<Id> {
        match self.instance(id) {
            Instance::Known(_, parts) => parts.get(number).copied(),
            Instance::Array(item, _) | Instance::Slice(item) => Some(item),
            #[cfg(feature = "k8s")]
            Instance::Kubernetes(_) => None,
            Instance::Item(..)
            | Instance::Tuple(_)
            | Instance::Written(_)
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
    Some(Value::Float(match op {
        syn::BinOp::Add(_) => a + b,
        syn::BinOp::Sub(_) => a - b,
        syn::BinOp::Mul(_) => a * b,
        syn::BinOp::Div(_) => a / b,
        _ => return None,
    }))
}

fn foreign_constant(full: &str) -> Option<Value> {
    let (ty, name) = full.rsplit_once("::")?;
    let ty = ty.rsplit("::").next()?;
    Some(match (ty, name) {
        ("Option", "None") => Value::Null,
        ("i8", "MAX") => Value::Int(i8::MAX.into()),
        ("i8", "MIN") => Value::Int(i8::MIN.into()),
        ("i16", "MAX") => Value::Int(i16::MAX.into()),
        ("i16", "MIN") => Value::Int(i16::MIN.into()),
        ("i32", "MAX") => Value::Int(i32::MAX.into()),
        ("i32", "MIN") => Value::Int(i32::MIN.into()),
        ("i64" | "isize", "MAX") => Value::Int(i64::MAX),
        ("i64" | "isize", "MIN") => Value::Int(i64::MIN),
        ("u8", "MAX") => Value::Int(u8::MAX.into()),
        ("u16", "MAX") => Value::Int(u16::MAX.into()),
        ("u32", "MAX") => Value::Int(u32::MAX.into()),
        ("u8" | "u16" | "u32" | "u64" | "usize", "MIN") => Value::Int(0),
        _ => return None,
    })
}

fn is_wrapper(path: &syn::Path) -> bool {
    let names: Vec<String> = path.segments.iter().map(|s| plain(&s.ident)).collect();
    matches!(names.as_slice(), [.., ty, _] if matches!(ty.as_str(), "Box" | "Arc" | "Rc" | "String" | "PathBuf"))
}

fn is_std_new(names: &[String]) -> bool {
    const EMPTY: &[&str] =
        &["String", "Vec", "VecDeque", "BTreeMap", "HashMap", "BTreeSet", "HashSet", "IndexMap"];
    matches!(names, [.., ty, _] if EMPTY.contains(&ty.as_str()))
}

/// The one string in `Regex::new("…")`, wherever it stands.
fn regex_new(tokens: &proc_macro2::TokenStream) -> Option<String> {
    let text = tokens.to_string();
    if !text.contains("Regex") {
        return None;
    }
    let mut found = Vec::new();
    strings(tokens.clone(), &mut found);
    found.into_iter().next()
}

fn strings(tokens: proc_macro2::TokenStream, out: &mut Vec<String>) {
    for token in tokens {
        match token {
            proc_macro2::TokenTree::Group(g) => strings(g.stream(), out),
            proc_macro2::TokenTree::Literal(l) => {
                out.extend(attrs::string_of(proc_macro2::TokenTree::from(l).into()))
            }
            proc_macro2::TokenTree::Ident(_) | proc_macro2::TokenTree::Punct(_) => {}
        }
    }
}
