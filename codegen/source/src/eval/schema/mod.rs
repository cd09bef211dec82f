//! Reads code that builds a schema: `json_schema!({ … })`, the structs of schemars 0.8, and calls of the generator for
//! the schemas of other types. The result is the JSON that the program would write.

mod places;

use self::places::Variable;
use super::effort::size;
use super::{Eval, Known, MAX_DEPTH, unknown};
use crate::Program;
use crate::encode;
use crate::modules::Module;
use crate::named::Named;
use crate::recipe::{Linker, Node, Unknown, known};
use crate::types::{Id, Instance, Local, SchemaBy, Scope};
use crate::value::{Map, Value};
use crdgen_rust::attrs;
use crdgen_rust::lower::plain;
use crdgen_rust::syntax::nesting;
use proc_macro2::{TokenStream, TokenTree};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::rc::Rc;
use syn::punctuated::Punctuated;
use syn::{Expr, Stmt};

impl Program<'_> {
    /// The schema that a block of code builds, as text, with the name of its type.
    pub(crate) fn schema_text(&self, name: &str, block: &syn::Block, scope: &Scope) -> Option<String> {
        let mut code = Code::new(Eval { program: self, schema_by: scope.schema_by }, scope.clone());
        let written = code.block(block, 0);
        self.unread.replace(if written.is_none() { code.unread } else { None });
        Some(format!("{name}\n{}", crate::json::to_string(&written?)))
    }

    /// The message about a type whose schema code writes. It has just been tried to evaluate the code.
    pub(crate) fn not_evaluated(&self, name: &str) -> String {
        let message = format!("crdgen cannot determine the schema of `{name}` without running code");
        match self.unread.take() {
            Some(code) => format!("{message}: it does not evaluate `{code}`"),
            None => message,
        }
    }
}

impl Eval<'_, '_> {
    /// The schema of a function that only builds a schema.
    pub(super) fn schema(&self, path: &syn::Path, scope: &Scope) -> Known {
        let name = path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        let text = self
            .writer(path, scope)
            .and_then(|(scope, writer)| self.program.schema_text(&name, writer.block(), &scope));
        match text {
            Some(text) => Ok(Value::Str(text)),
            None => unknown(path),
        }
    }

    /// The function that a path names, with the scope of its code.
    fn writer(&self, path: &syn::Path, scope: &Scope) -> Option<(Scope, Writer)> {
        match self.named(path, scope) {
            Some(Named::Function(f, module)) => {
                // `schema_with = "set_of::<String>"`
                let last = path.segments.last().map(|segment| &segment.arguments);
                let arguments = last.map_or_else(Vec::new, |list| self.program.arguments(list, scope));
                let parameters = self.program.parameters(&f.sig.generics, arguments, module, self.schema_by);
                Some((Scope::new(module, parameters).schema_by(self.schema_by), Writer::Function(f)))
            }
            Some(Named::Member(of, name)) => {
                let Named::Item(item) = *of else { return None };
                let get = |home: &Module, of: String| home.methods.get(&(of, name.clone())).cloned();
                let (module, f) = self.implemented(item, get)?;
                let this = self.program.intern(Instance::Item(item, Vec::new()));
                Some((self.scope_of(this, module), Writer::Method(f)))
            }
            _ => {
                let (module, f) = self.of_kind(path, scope)?;
                Some((self.scope_in(module), Writer::Method(f)))
            }
        }
    }
}

/// A function that writes a schema.
enum Writer {
    Function(Rc<syn::ItemFn>),
    Method(Rc<syn::ImplItemFn>),
}

impl Writer {
    fn inputs(&self) -> &Punctuated<syn::FnArg, syn::Token![,]> {
        match self {
            Writer::Function(f) => &f.sig.inputs,
            Writer::Method(f) => &f.sig.inputs,
        }
    }

    fn block(&self) -> &syn::Block {
        match self {
            Writer::Function(f) => &f.block,
            Writer::Method(f) => &f.block,
        }
    }
}

/// The code to read, with its variables.
struct Code<'p, 's> {
    eval: Eval<'p, 's>,
    scope: Scope,
    variables: Vec<(String, Variable)>,
    /// The statement of the outermost block that could not be evaluated.
    unread: Option<String>,
    /// If this is the code of an inline type, the number of inline types around it.
    inside: usize,
}

/// The limit for inline types inside each other. Kubernetes has fewer.
const MAX_INLINE: usize = 24;

impl<'p, 's> Code<'p, 's> {
    fn new(eval: Eval<'p, 's>, scope: Scope) -> Self {
        Code { eval, scope, variables: Vec::new(), unread: None, inside: 0 }
    }

    fn block(&mut self, block: &syn::Block, depth: usize) -> Option<Value> {
        let module = self.eval.in_block(self.scope.module, block).ok()?;
        let around = std::mem::replace(&mut self.scope.module, module);
        let known = self.variables.len();
        let value = self.statements(block, depth);
        self.variables.truncate(known);
        self.scope.module = around;
        value
    }

    fn statements(&mut self, block: &syn::Block, depth: usize) -> Option<Value> {
        let (last, before) = block.stmts.split_last()?;
        for statement in before {
            if self.statement(statement, depth).is_none() {
                return self.stopped(statement, depth);
            }
        }
        let value = match last {
            Stmt::Macro(it) if it.semi_token.is_none() => {
                self.value(&Expr::Macro(syn::ExprMacro { attrs: Vec::new(), mac: it.mac.clone() }), depth + 1)
            }
            Stmt::Expr(Expr::Return(it), _) => it.expr.as_deref().and_then(|it| self.value(it, depth + 1)),
            Stmt::Expr(expr, None) => self.value(expr, depth + 1),
            _ => None,
        };
        value.or_else(|| self.stopped(last, depth))
    }

    /// Remembers the statement at which the evaluation stopped.
    fn stopped(&mut self, at: &Stmt, depth: usize) -> Option<Value> {
        if depth == 0 {
            let Err(Unknown::Code(text)) = unknown::<Value>(at) else { return None };
            self.unread = Some(text);
        }
        None
    }

    /// The value of `match schema { Schema::Bool(it) => …, Schema::Object(it) => … }`, where the schemas that are read here are
    /// objects, or of a `match` for another value.
    fn matched(&mut self, it: &syn::ExprMatch, depth: usize) -> Option<Value> {
        let known = self.variables.len();
        let body = self.arm(it, depth)?;
        let value = self.value(body, depth + 1);
        self.variables.truncate(known);
        value
    }

    /// The body of the arm that matches, whose names are now variables.
    fn arm<'m>(&mut self, it: &'m syn::ExprMatch, depth: usize) -> Option<&'m Expr> {
        let value = match self.plain(&it.expr, depth) {
            Some(value) => value,
            None => self.value(&it.expr, depth + 1).filter(|value| matches!(value, Value::Map(_)))?,
        };
        for arm in &it.arms {
            let mut scope = self.scope_with_variables(&arm.pat)?;
            let known = scope.locals.len();
            let is_it = match (bound(&arm.pat, "Object"), bound(&arm.pat, "Bool"), &value) {
                (Some(name), _, Value::Map(_)) => {
                    self.variables.push((plain(name), Variable::Value(value)));
                    return Some(&arm.body);
                }
                (_, Some(_), Value::Map(_)) => false,
                _ => self.eval.binds(&arm.pat, &value, &mut scope, depth + 1)?,
            };
            if is_it {
                let names = scope.locals.drain(known..);
                self.variables.extend(
                    names.map(|local| (local.name, Variable::Value(Rc::unwrap_or_clone(local.value)))),
                );
                return Some(&arm.body);
            }
        }
        None
    }

    /// The value of an `if` whose condition uses no schemas.
    fn branch(&mut self, it: &syn::ExprIf, depth: usize) -> Option<Value> {
        match (self.plain(&it.cond, depth)?, &it.else_branch) {
            (Value::Bool(true), _) => self.block(&it.then_branch, depth + 1),
            (Value::Bool(false), Some((_, otherwise))) => self.value(otherwise, depth + 1),
            _ => None,
        }
    }

    fn value(&mut self, expr: &Expr, depth: usize) -> Option<Value> {
        if depth > MAX_DEPTH {
            return None;
        }
        self.eval.effort().step().ok()?;
        match expr {
            Expr::Macro(it) if it.mac.path.segments.last().is_some_and(|s| s.ident == "vec") => {
                let parts = attrs::meta::split(it.mac.tokens.clone()).into_iter();
                let values = parts.map(|part| {
                    let expr: Expr = nesting::parse2(part.into_iter().collect()).ok()?;
                    self.value(&expr, depth + 1)
                });
                values.collect::<Option<_>>().map(Value::List)
            }
            Expr::Macro(it) if is_json(&it.mac) => self.json(&it.mac, depth),
            Expr::Paren(it) => self.value(&it.expr, depth + 1),
            Expr::Group(it) => self.value(&it.expr, depth + 1),
            Expr::Reference(it) => self.value(&it.expr, depth + 1),
            Expr::Block(it) => self.block(&it.block, depth + 1),
            Expr::If(it) if !matches!(*it.cond, Expr::Let(_)) => self.branch(it, depth),
            Expr::Match(it) => self.matched(it, depth).or_else(|| self.plain(expr, depth)),
            Expr::Array(it) => self.all(it.elems.iter(), depth),
            Expr::Tuple(it) => self.all(it.elems.iter(), depth),
            Expr::MethodCall(it) => self.method(it, depth),
            Expr::Call(it) => self.call(it, depth),
            Expr::Struct(it) => self.structure(it, depth),
            Expr::Path(it) => self.path(it, depth),
            Expr::Field(it) if matches!(&it.member, syn::Member::Named(name) if name == "schema") => {
                self.value(&it.base, depth + 1)
            }
            other => self.plain(other, depth),
        }
    }

    /// The value of an expression that uses no schemas.
    fn plain(&self, expr: &Expr, depth: usize) -> Option<Value> {
        self.eval.expr(expr, &self.scope_with_variables(expr)?, None, depth + 1).ok()
    }

    /// The scope for code that uses no schemas, with the variables that it names. None if crdgen does not know one of them.
    fn scope_with_variables(&self, code: &impl quote::ToTokens) -> Option<Scope> {
        let mut scope = self.scope.clone();
        let mut open = vec![code.to_token_stream()];
        let mut names = BTreeSet::new();
        while let Some(tokens) = open.pop() {
            for token in tokens {
                match token {
                    TokenTree::Ident(name) => _ = names.insert(plain(&name)),
                    TokenTree::Group(group) => open.push(group.stream()),
                    // `format!("{name}")`
                    TokenTree::Literal(text) => {
                        let text = text.to_string();
                        let inside =
                            self.variables.iter().filter(|(name, _)| text.contains(&format!("{{{name}")));
                        names.extend(inside.map(|(name, _)| name.clone()));
                    }
                    TokenTree::Punct(_) => {}
                }
            }
        }
        for name in names {
            let value = match self.variable(&name) {
                None => continue,
                Some((_, Variable::Value(value))) => value,
                Some((_, Variable::Reference(place))) => self.get(place)?,
                Some((_, Variable::Unknown { .. })) => return None,
            };
            let value = Rc::new(self.eval.effort().copy(value).ok()?);
            scope.locals.push(Local { name, ty: None, value });
        }
        Some(scope)
    }

    fn all<'e>(&mut self, all: impl Iterator<Item = &'e Expr>, depth: usize) -> Option<Value> {
        all.map(|expr| self.value(expr, depth + 1)).collect::<Option<_>>().map(Value::List)
    }

    fn path(&mut self, it: &syn::ExprPath, depth: usize) -> Option<Value> {
        if let Some(name) = it.path.get_ident().map(plain) {
            match self.variable(&name) {
                Some((_, Variable::Value(value))) => return self.eval.effort().copy(value).ok(),
                Some((_, Variable::Reference(place))) => {
                    return self.eval.effort().copy(self.get(place)?).ok();
                }
                Some((_, Variable::Unknown { .. })) => return None,
                None => {}
            }
            if name == "None" {
                return Some(Value::Null);
            }
        }
        // `InstanceType::Object`
        let mut last = it.path.segments.iter().rev();
        if let (Some(name), Some(ty)) = (last.next(), last.next())
            && ty.ident == "InstanceType"
        {
            return Some(Value::Str(name.ident.to_string().to_lowercase()));
        }
        self.eval.path(&it.path, &self.scope, None, depth + 1).ok()
    }

    fn method(&mut self, it: &syn::ExprMethodCall, depth: usize) -> Option<Value> {
        const SAME: [&str; 17] = [
            "unwrap",
            "expect",
            "try_into",
            "into",
            "clone",
            "to_owned",
            "to_string",
            "into_object",
            "to_value",
            "into_iter",
            "iter",
            "cloned",
            "collect",
            "as_str",
            "unwrap_or_default",
            "into_boxed_str",
            "as_ref",
        ];
        // The program would not use the other value, because reading JSON that is a schema does not fail.
        if ["unwrap_or", "unwrap_or_else"].iter().any(|name| it.method == name) && it.args.len() == 1 {
            return self.value(&it.receiver, depth + 1).filter(|value| matches!(value, Value::Map(_)));
        }
        if ["subschema_for", "into_root_schema_for", "root_schema_for"].iter().any(|name| it.method == name) {
            let syn::GenericArgument::Type(ty) = it.turbofish.as_ref()?.args.first()? else { return None };
            let is_inline = it.method != "subschema_for";
            let inlines = match &*it.receiver {
                Expr::Path(generator) => generator.path.get_ident().is_some_and(|name| {
                    let generator = self.variable(&plain(name));
                    matches!(generator, Some((_, Variable::Unknown { inlines: true })))
                }),
                _ => false,
            };
            if (self.inside > 0 || inlines)
                && let Some((name, mut schema)) = self.inline(ty)
            {
                if is_inline {
                    schema.as_map_mut()?.entry_or_insert_with("title", || name.into());
                }
                return Some(schema);
            }
            return self.schema_of(ty, if is_inline { Written::Inline } else { Written::Reference });
        }
        if SAME.iter().any(|name| it.method == name) { self.value(&it.receiver, depth + 1) } else { None }
    }

    fn call(&mut self, it: &syn::ExprCall, depth: usize) -> Option<Value> {
        let Expr::Path(function) = &*it.func else { return None };
        let name = plain(&function.path.segments.last()?.ident);
        match (name.as_str(), it.args.len()) {
            ("json_schema", 1) => {
                if let Some(qself) = &function.qself {
                    return self.schema_of(&qself.ty, Written::Inline);
                }
                let mut path = function.path.clone();
                path.segments.pop();
                path.segments.pop_punct();
                self.schema_of(&syn::parse_quote!(#path), Written::Inline)
            }
            ("from_str", 1) => {
                let text = self.value(it.args.first()?, depth + 1)?;
                crate::json::read(text.as_str()?.as_bytes()).ok()
            }
            ("default" | "new", 0) => {
                let ty = plain(&function.path.segments.iter().rev().nth(1)?.ident);
                if ["Vec", "BTreeSet", "Set"].contains(&ty.as_str()) {
                    return Some(Value::List(Vec::new()));
                }
                let empty = ["SchemaObject", "Map", "BTreeMap", "Schema", "Default"].contains(&ty.as_str());
                empty.then(|| Value::Map(Map::new()))
            }
            (
                "from_value" | "try_from" | "from" | "from_iter" | "Some" | "Ok" | "Object" | "Bool"
                | "String" | "Single" | "Vec" | "new" | "Number" | "Array",
                1,
            ) => self.value(it.args.first()?, depth + 1),
            _ => match self.called(it, function, depth) {
                Some(schema) => Some(schema),
                None => self.plain(&Expr::Call(it.clone()), depth),
            },
        }
    }

    /// The schema that a function of the program writes. It may get the generator.
    fn called(&mut self, it: &syn::ExprCall, function: &syn::ExprPath, depth: usize) -> Option<Value> {
        if function.qself.is_some() {
            return None;
        }
        let (scope, writer) = self.eval.writer(&function.path, &self.scope)?;
        if depth > MAX_DEPTH || writer.inputs().len() != it.args.len() {
            return None;
        }
        let mut variables = Vec::new();
        for (parameter, argument) in writer.inputs().iter().zip(&it.args) {
            let syn::FnArg::Typed(parameter) = parameter else { return None };
            let name = match &*parameter.pat {
                syn::Pat::Ident(name) => plain(&name.ident),
                syn::Pat::Wild(_) => continue,
                _ => return None,
            };
            let variable = match argument {
                // The function could change what is in the variable.
                Expr::Reference(it) if it.mutability.is_some() => self.generator(&it.expr)?,
                _ => match self.value(argument, depth + 1) {
                    Some(value) => Variable::Value(value),
                    None => self.generator(argument)?,
                },
            };
            variables.push((name, variable));
        }
        let mut code = Code { inside: self.inside, variables, ..Code::new(Eval { ..self.eval }, scope) };
        code.block(writer.block(), depth + 1)
    }

    /// The generator that a variable or a parameter contains.
    fn generator(&self, expr: &Expr) -> Option<Variable> {
        let Expr::Path(path) = expr else { return None };
        match self.variable(&plain(path.path.get_ident()?)) {
            Some((_, Variable::Unknown { inlines })) => Some(Variable::Unknown { inlines: *inlines }),
            Some(_) => None,
            // A parameter of `json_schema`.
            None => Some(Variable::Unknown { inlines: false }),
        }
    }

    /// A struct of schemars 0.8.
    fn structure(&mut self, it: &syn::ExprStruct, depth: usize) -> Option<Value> {
        const STRUCTS: [&str; 7] = [
            "SchemaObject",
            "Metadata",
            "ObjectValidation",
            "ArrayValidation",
            "StringValidation",
            "NumberValidation",
            "SubschemaValidation",
        ];
        let name = &it.path.segments.last()?.ident;
        if !STRUCTS.iter().any(|known| name == known) {
            return None;
        }
        if let Some(rest) = &it.rest
            && !matches!(&**rest, Expr::Call(call) if call.args.is_empty())
        {
            return None;
        }
        let mut out = Map::new();
        for field in &it.fields {
            let syn::Member::Named(name) = &field.member else { return None };
            let value = self.value(&field.expr, depth + 1)?;
            put(&mut out, &plain(name), value)?;
        }
        Some(Value::Map(out))
    }

    /// JSON in a macro, which may contain expressions.
    fn json(&mut self, mac: &syn::Macro, depth: usize) -> Option<Value> {
        let name = &mac.path.segments.last()?.ident;
        if depth > MAX_DEPTH {
            return None;
        }
        let mut expression = |tokens: &[TokenTree]| {
            let expr: Expr = nesting::parse2(tokens.iter().cloned().collect()).ok()?;
            self.value(&expr, depth + 1)
        };
        let mut value = attrs::meta::json_with(mac.tokens.clone(), &mut expression).ok()?;
        // A keyword that is `None` is as one that is not there.
        if let (true, Value::Map(schema)) = (name == "json_schema", &mut value) {
            schema.retain(|key, value| !value.is_null() || matches!(key, "default" | "const" | "example"));
        }
        Some(value)
    }

    /// The schema that k8s-openapi writes for a type, with everything inlined, and its name. In other places the types
    /// of k8s-openapi are recognized by their names, but inline schemas have none.
    fn inline(&mut self, ty: &syn::Type) -> Option<(String, Value)> {
        let syn::Type::Path(syn::TypePath { qself: None, path, .. }) = ty else { return None };
        if self.inside > MAX_INLINE {
            return None;
        }
        let names: Vec<String> = path.segments.iter().map(|s| plain(&s.ident)).collect();
        let program = self.eval.program;
        let item = {
            let world = &program.world;
            let found = world.resolve(self.scope.module, &names, path.leading_colon.is_some());
            let found = match found {
                Some(Named::Foreign(full)) => world.resolve_in_crate(self.scope.module, &full),
                found => found,
            };
            match found {
                Some(Named::Item(item)) if world.is_of_crate(item, "k8s_openapi") => item,
                _ => return None,
            }
        };
        let get =
            |home: &Module, of: String| Some((home.schemas.get(&of)?.clone(), home.names.get(&of)?.clone()));
        let (module, (block, name)) = self.eval.implemented(item, get)?;
        let scope = self.eval.scope_in(module);
        let mut code = Code { inside: self.inside + 1, ..Code::new(Eval { ..self.eval }, scope) };
        let schema = code.block(&block, 0)?;
        // kube's generator rewrites schemas for the server. This is not done here, and it changes nothing in schemas
        // without alternatives.
        is_as_rewritten(&schema).then_some(())?;
        Some((code.value(&name, 0)?.as_str()?.to_owned(), schema))
    }

    /// The schema that the generator returns for a type: a reference, unless it writes all schemas inline.
    fn schema_of(&self, ty: &syn::Type, written: Written) -> Option<Value> {
        let program = self.eval.program;
        let (id, errors) = program.found.apart(|| program.type_of(ty, &self.scope));
        // The schema of k8s-openapi differs from the one in the table, and an inline schema has no name by which it
        // could be recognized.
        if !errors.is_empty()
            || written == Written::Inline && program.is_kubernetes(id)
            || !program.is_plain(id, self.scope.schema_by, &mut Vec::new())
        {
            return None;
        }
        let mut linker = Linker::new(program, Vec::new());
        let linked = linker.link(id);
        if !linker.diags.is_empty() {
            return None;
        }
        let schema = encode::schema(&linked.with_null());
        self.eval.effort().spend(size(&schema)).ok()?;
        Some(schema)
    }
}

fn is_json(mac: &syn::Macro) -> bool {
    mac.path.segments.last().is_some_and(|it| it.ident == "json_schema" || it.ident == "json")
}

/// How a generator writes a schema inside of another one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    Inline,
    Reference,
}

impl Program<'_> {
    /// Whether a type is one of Kubernetes' own, or a pointer to one, which has the same schema.
    fn is_kubernetes(&self, id: Id) -> bool {
        match self.instance(id) {
            Instance::Kubernetes(_) => true,
            Instance::Known(path, parts) => {
                let is_same = known::find(path).is_some_and(|known| matches!((known.node)(), Node::Ref(0)));
                is_same && parts.first().is_some_and(|id| self.is_kubernetes(*id))
            }
            _ => false,
        }
    }

    /// Whether all parts of a type are known.
    fn is_plain(&self, id: Id, schema_by: SchemaBy, seen: &mut Vec<Id>) -> bool {
        if seen.contains(&id) {
            return true;
        }
        seen.push(id);
        match self.instance(id) {
            // crdgen's schema differs from the one that schemars derives, which only the program itself can generate.
            Instance::Item(item, _) if self.derives_only_for_schemars(item) => false,
            Instance::Item(item, _) => {
                let count = self.lower(item).refs.len();
                (0..count).all(|number| {
                    self.reference_for(id, number, schema_by)
                        .is_none_or(|id| self.is_plain(id, schema_by, seen))
                })
            }
            Instance::Known(_, parts) | Instance::Tuple(parts) => {
                parts.iter().all(|id| self.is_plain(*id, schema_by, seen))
            }
            Instance::Array(item, _) | Instance::Slice(item) => self.is_plain(item, schema_by, seen),
            Instance::Written(_) => true,
            // Its schema has its own `$defs`.
            Instance::BySchemars(_) => false,
            // These are recognized by their names, whatever schema schemars generates.
            Instance::Kubernetes(_) => true,
            // The spec and the status. The rest of an object is the same for all kinds.
            Instance::Root(_) => [0, 1].into_iter().all(|number| {
                self.reference_for(id, number, schema_by).is_none_or(|id| self.is_plain(id, schema_by, seen))
            }),
            Instance::Unknown => false,
        }
    }
}

/// Whether an expression creates a generator that writes all schemas inline: `s.inline_subschemas = true`.
fn sets_inline(tokens: TokenStream) -> bool {
    let mut open = vec![tokens];
    while let Some(tokens) = open.pop() {
        let all: Vec<TokenTree> = tokens.into_iter().collect();
        let is = |token: &TokenTree, text: &str| token.to_string() == text;
        let is_set = |three: &[TokenTree]| matches!(three, [name, eq, value] if is(name, "inline_subschemas") && is(eq, "=") && is(value, "true"));
        if all.windows(3).any(is_set) {
            return true;
        }
        open.extend(all.into_iter().filter_map(|token| match token {
            TokenTree::Group(group) => Some(group.stream()),
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
        }));
    }
    false
}

/// Whether kube's generator does not change a schema: it has no alternatives, and no keyword that kube rewrites.
fn is_as_rewritten(schema: &Value) -> bool {
    let Value::Map(map) = schema else { return false };
    map.iter().all(|(key, value)| match (key, value) {
        ("properties", Value::Map(all)) => all.values().all(is_as_rewritten),
        ("items" | "additionalProperties", one) => is_as_rewritten(one),
        ("anyOf" | "oneOf" | "allOf" | "not" | "$ref" | "patternProperties" | "examples", _) => false,
        _ => true,
    })
}

/// Sets a field of schemars' structs as JSON. The structs for each type are not separate objects in JSON.
fn put(map: &mut Map<Value>, field: &str, value: Value) -> Option<()> {
    if value.is_null() {
        return Some(());
    }
    match field {
        "extensions" | "metadata" | "object" | "array" | "string" | "number" | "subschemas" => {
            pairs(value)?.into_iter().for_each(|(key, value)| _ = map.insert(key, value));
        }
        "properties" => _ = map.insert("properties", Value::Map(pairs(value)?.into_iter().collect())),
        other => _ = map.insert(&*key(other), value),
    }
    Some(())
}

/// The keyword that a field of schemars' structs is in JSON.
fn key(field: &str) -> Cow<'_, str> {
    match field {
        "instance_type" => "type".into(),
        "enum_values" => "enum".into(),
        "const_value" => "const".into(),
        "reference" => "$ref".into(),
        other => {
            let mut words = other.split('_');
            let first = words.next().unwrap_or_default().to_owned();
            let camel = words.fold(first, |out, word| {
                let (start, rest) = word.split_at(word.len().min(1));
                out + &start.to_uppercase() + rest
            });
            camel.into()
        }
    }
}

/// The name that a pattern binds to the content of a variant: `Schema::Object(name)`.
fn bound<'p>(pat: &'p syn::Pat, variant: &str) -> Option<&'p syn::Ident> {
    let syn::Pat::TupleStruct(syn::PatTupleStruct { path, elems, .. }) = pat else { return None };
    let mut elems = elems.iter();
    match (elems.next(), elems.next()) {
        (Some(syn::Pat::Ident(it)), None) if path.segments.last()?.ident == variant => Some(&it.ident),
        _ => None,
    }
}

/// The entries of a map, or of a list of pairs that is collected into one.
fn pairs(value: Value) -> Option<Vec<(String, Value)>> {
    match value {
        Value::Map(map) => Some(map.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()),
        Value::List(items) => items
            .into_iter()
            .map(|item| match item {
                Value::List(pair) => match <[Value; 2]>::try_from(pair) {
                    Ok([Value::Str(key), value]) => Some((key, value)),
                    _ => None,
                },
                _ => None,
            })
            .collect(),
        _ => None,
    }
}
