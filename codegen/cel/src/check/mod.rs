//! The type check: a type for every node, the overloads that calls may mean, and full names.

mod describe;
mod format;
mod literals;
mod names;
mod unify;

use super::ast::{Ast, Checked, Comprehension, Expr, ExprId, Field, Literal, Name, Reference, ops};
use super::issue::{Issue, IssueKind, Role};
use super::stdlib::{self, Function, Kube, Overload, Style};
use super::types::{Kind, Ty, Types};
use names::Meaning;
use unify::Unifier;

/// The fields of types that an environment declares.
pub trait Declarations {
    /// The type of a field of a declared object type, whose name is given to name the types of its
    /// fields.
    fn field(&self, types: &mut Types, decl: u32, name: &str, field: &str) -> Option<Ty>;

    /// The names of all fields of a declared object type, to suggest one.
    fn fields(&self, decl: u32) -> Vec<String>;

    /// Whether an object has a field of that name which has no type.
    fn is_untyped(&self, decl: u32, field: &str) -> bool;
}

/// No declared types.
pub struct NoDeclarations;

impl Declarations for NoDeclarations {
    fn field(&self, _: &mut Types, _: u32, _: &str, _: &str) -> Option<Ty> {
        None
    }

    fn fields(&self, _: u32) -> Vec<String> {
        Vec::new()
    }

    fn is_untyped(&self, _: u32, _: &str) -> bool {
        false
    }
}

/// What an expression may refer to.
pub struct Env<'d> {
    /// Which functions and macros there are.
    pub kube: Kube,
    /// The variables.
    pub variables: &'d [(&'d str, Ty)],
    /// The fields of their types.
    pub declarations: &'d dyn Declarations,
}

/// Checks a parsed expression.
pub fn check(mut ast: Ast, env: &Env<'_>, types: &mut Types) -> Result<Checked, Vec<Issue>> {
    let root = ast.root();
    let size = ast.len();
    let mut c = Checker {
        env,
        ast: &mut ast,
        unifier: Unifier::new(types),
        node_types: vec![Ty::ERROR; size],
        references: vec![Reference::None; size],
        scopes: Vec::new(),
        looped: false,
        issues: Vec::new(),
    };
    c.check(root);
    if !c.issues.is_empty() {
        return Err(c.issues);
    }
    for i in 0..size {
        c.node_types[i] = c.unifier.substitute(c.node_types[i], true);
    }
    let (node_types, references) = (c.node_types, c.references);
    let checked = Checked { ast, node_types, references };
    let issues = literals::check(&checked, types, env.kube);
    if issues.is_empty() { Ok(checked) } else { Err(issues) }
}

struct Checker<'a, 'd> {
    env: &'a Env<'d>,
    ast: &'a mut Ast,
    unifier: Unifier<'a>,
    node_types: Vec<Ty>,
    references: Vec<Reference>,
    /// The variables of comprehensions, innermost last.
    scopes: Vec<(Name, Ty)>,
    /// Whether there was a comprehension before: cel-go then forgets which comparisons it does not
    /// allow.
    looped: bool,
    issues: Vec<Issue>,
}

impl Checker<'_, '_> {
    fn error(&mut self, id: ExprId, kind: IssueKind, message: String) {
        self.issues.push(Issue::new(self.ast.offset(id), kind, message));
    }

    fn ty(&self, id: ExprId) -> Ty {
        self.node_types[id.index()]
    }

    fn set(&mut self, id: ExprId, ty: Ty) {
        self.node_types[id.index()] = ty;
    }

    fn refer(&mut self, id: ExprId, reference: Reference) {
        self.references[id.index()] = reference;
    }

    fn show(&self, ty: Ty) -> String {
        self.unifier.types.display(ty)
    }

    fn undeclared(&mut self, id: ExprId, name: &str, role: Role) {
        let kind = IssueKind::Undeclared {
            name: name.to_owned(),
            role,
            known: self.names(role),
            is_field_of_self: self.fields_of_self().iter().any(|field| field == name),
        };
        self.error(id, kind, format!("undeclared reference to '{name}' (in container '')"));
        self.set(id, Ty::ERROR);
    }

    fn mismatch(&mut self, id: ExprId, expected: Ty, found: Ty) {
        let kind = IssueKind::WrongType {
            expected: self.unifier.types.kind(expected).clone(),
            found: self.operand(id, found),
            is_dynamic: self.unifier.types.has_dyn(expected) || self.unifier.types.has_dyn(found),
        };
        let message = format!("expected type '{}' but found '{}'", self.show(expected), self.show(found));
        self.error(id, kind, message);
    }

    fn check(&mut self, id: ExprId) {
        match self.ast.expr(id) {
            Expr::Unspecified => {}
            Expr::Literal(literal) => {
                let ty = match literal {
                    Literal::Null => Ty::NULL,
                    Literal::Bool(_) => Ty::BOOL,
                    Literal::Int(_) => Ty::INT,
                    Literal::Uint(_) => Ty::UINT,
                    Literal::Double(_) => Ty::DOUBLE,
                    Literal::String(_) => Ty::STRING,
                    Literal::Bytes(_) => Ty::BYTES,
                };
                self.set(id, ty);
            }
            Expr::Ident(name) => {
                let name = name.clone();
                if !self.resolve(id, &name) {
                    self.undeclared(id, &name, Role::Variable);
                }
            }
            Expr::Select { operand, field, test_only } => {
                let (operand, field, test_only) = (*operand, field.clone(), *test_only);
                self.select(id, operand, &field, test_only);
            }
            Expr::Call { function, target, args } => {
                let (function, target, args) = (function.clone(), *target, args.clone());
                self.call(id, &function, target, &args);
            }
            Expr::List { elements, optional } => {
                let (elements, optional) = (elements.clone(), optional.clone());
                self.list(id, &elements, &optional);
            }
            Expr::Map(entries) => {
                let entries = entries.clone();
                let (mut key, mut value) = (None, None);
                for e in &entries {
                    self.check(e.key);
                    key = Some(self.join(key, self.ty(e.key)));
                    self.check(e.value);
                    let ty = self.element(e.value, e.optional);
                    value = Some(self.join(value, ty));
                }
                let key = key.unwrap_or_else(|| self.unifier.fresh());
                let value = value.unwrap_or_else(|| self.unifier.fresh());
                let ty = self.unifier.types.map(key, value);
                self.set(id, ty);
            }
            Expr::Struct { name, fields } => {
                let (name, fields) = (name.clone(), fields.clone());
                self.message(id, &name, &fields);
            }
            Expr::Comprehension(c) => {
                let c = c.clone();
                self.comprehension(id, &c);
            }
        }
    }

    fn local(&self, name: &str) -> Option<Ty> {
        self.scopes.iter().rev().find(|(n, _)| n == name).map(|(_, ty)| *ty)
    }

    /// Resolves a name to a variable or a type; says whether it could.
    fn resolve(&mut self, id: ExprId, name: &str) -> bool {
        let bare = name.strip_prefix('.').unwrap_or(name);
        let local = self.local(bare);
        if let Some(ty) = local.filter(|_| bare.len() == name.len()) {
            self.set(id, ty);
            self.refer(id, Reference::Variable);
            return true;
        }
        self.resolve_global(id, bare, local.is_some())
    }

    fn resolve_global(&mut self, id: ExprId, name: &str, shadowed: bool) -> bool {
        let declared = self.env.variables.iter().find(|(n, _)| *n == name);
        let (ty, reference) = match declared {
            Some((_, ty)) => (*ty, Reference::Variable),
            None => match names::global(name, self.unifier.types) {
                Some(Meaning::Type(ty)) => (self.unifier.types.type_of(ty), Reference::Type),
                Some(Meaning::Constant(value)) => (Ty::INT, Reference::Constant(value)),
                None => return false,
            },
        };
        self.set(id, ty);
        self.refer(id, reference);
        let name = if shadowed { format!(".{name}") } else { name.to_owned() };
        *self.ast.expr_mut(id) = Expr::Ident(name.into());
        true
    }

    /// The name that a chain of selections spells, if nothing else is in it.
    fn qualified(&self, id: ExprId) -> Option<String> {
        let mut parts = Vec::new();
        let mut next = id;
        loop {
            match self.ast.expr(next) {
                Expr::Ident(name) => {
                    parts.push(&**name);
                    parts.reverse();
                    return Some(parts.join("."));
                }
                Expr::Select { operand, field, test_only: false } => {
                    parts.push(&**field);
                    next = *operand;
                }
                Expr::Unspecified
                | Expr::Literal(_)
                | Expr::Select { .. }
                | Expr::Call { .. }
                | Expr::List { .. }
                | Expr::Map(_)
                | Expr::Struct { .. }
                | Expr::Comprehension(_) => return None,
            }
        }
    }

    /// The identifier that a chain of selections starts from.
    fn first_name(&self, id: ExprId) -> Option<&str> {
        let mut next = id;
        loop {
            match self.ast.expr(next) {
                Expr::Ident(name) => return Some(name),
                Expr::Select { operand, field: _, test_only: false } => next = *operand,
                Expr::Unspecified
                | Expr::Literal(_)
                | Expr::Select { .. }
                | Expr::Call { .. }
                | Expr::List { .. }
                | Expr::Map(_)
                | Expr::Struct { .. }
                | Expr::Comprehension(_) => return None,
            }
        }
    }

    fn select(&mut self, id: ExprId, operand: ExprId, field: &str, test_only: bool) {
        if !test_only && self.first_name(operand).is_some_and(names::is_namespace) {
            let first = self.first_name(operand).unwrap_or_default().to_owned();
            let bare = first.strip_prefix('.').unwrap_or(&first);
            let shadowed = self.local(bare).is_some();
            if (!shadowed || bare.len() < first.len())
                && let Some(name) = self.qualified(id)
            {
                let name = name.strip_prefix('.').unwrap_or(&name).to_owned();
                if self.resolve_global(id, &name, shadowed) {
                    return;
                }
            }
        }
        let ty = self.field(id, operand, field, false);
        let ty = if test_only { Ty::BOOL } else { self.unifier.substitute(ty, false) };
        self.set(id, ty);
    }

    /// The type of a field of an operand.
    fn field(&mut self, id: ExprId, operand: ExprId, field: &str, optional: bool) -> Ty {
        self.check(operand);
        let of = self.unifier.substitute(self.ty(operand), false);
        let unwrapped = self.unifier.types.unwrap_optional(of);
        let target = unwrapped.unwrap_or(of);
        let ty = match self.unifier.types.kind(target).clone() {
            Kind::Map(_, value) => value,
            Kind::Struct(name) => self.message_field(id, name, field),
            Kind::Object { decl, name } => {
                match self.env.declarations.field(self.unifier.types, decl, &name, field) {
                    Some(ty) => ty,
                    None => {
                        let known = self.env.declarations.fields(decl);
                        let is_untyped = self.env.declarations.is_untyped(decl, field);
                        self.undefined_field(id, field, known, is_untyped)
                    }
                }
            }
            Kind::Var(_) | Kind::Param(_) => {
                self.unifier.assignable(Ty::DYN, target);
                Ty::DYN
            }
            Kind::Dyn | Kind::Any | Kind::Error => Ty::DYN,
            Kind::Null
            | Kind::Bool
            | Kind::Int
            | Kind::Uint
            | Kind::Double
            | Kind::String
            | Kind::Bytes
            | Kind::Duration
            | Kind::Timestamp
            | Kind::Wrapper(_)
            | Kind::Type(_)
            | Kind::List(_)
            | Kind::Optional(_)
            | Kind::Opaque(_) => {
                let kind = IssueKind::NoFields { field: field.to_owned(), of: self.operand(operand, target) };
                let message = format!("type '{}' does not support field selection", self.show(target));
                self.error(id, kind, message);
                Ty::DYN
            }
        };
        if optional || unwrapped.is_some() { self.unifier.types.optional(ty) } else { ty }
    }

    fn message_field(&mut self, id: ExprId, message: &str, field: &str) -> Ty {
        match names::message_field(message, field, self.unifier.types) {
            Some(Ok(ty)) => ty,
            Some(Err(())) => self.undefined_field(id, field, Vec::new(), false),
            None => {
                self.error(id, IssueKind::Message, format!("unexpected failed resolution of '{message}'"));
                Ty::ERROR
            }
        }
    }

    fn undefined_field(&mut self, id: ExprId, field: &str, known: Vec<String>, is_untyped: bool) -> Ty {
        let kind = IssueKind::UndefinedField { name: field.to_owned(), known, is_untyped };
        self.error(id, kind, format!("undefined field '{field}'"));
        Ty::ERROR
    }

    fn function(&self, name: &str) -> Option<&'static Function> {
        let function = stdlib::function(name.strip_prefix('.').unwrap_or(name))?;
        function.overloads.iter().any(|o| o.exists_in(self.env.kube)).then_some(function)
    }

    fn call(&mut self, id: ExprId, function: &str, target: Option<ExprId>, args: &[ExprId]) {
        if function == ops::OPT_SELECT {
            return self.optional_select(id, args);
        }
        for arg in args {
            self.check(*arg);
        }
        let Some(target) = target else {
            let Some(found) = self.function(function) else {
                return self.undeclared(id, function, Role::Function);
            };
            if found.name != function {
                let args = args.into();
                *self.ast.expr_mut(id) = Expr::Call { function: found.name.into(), target: None, args };
            }
            return self.overload(id, found, None, args);
        };
        // `a.b.f()` is the function `a.b.f`, if there is one.
        if self.first_name(target).is_some_and(stdlib::is_namespace) {
            let name = self.qualified(target).map(|prefix| format!("{prefix}.{function}"));
            if let Some(found) = name.and_then(|name| self.function(&name)) {
                let args_boxed = args.into();
                *self.ast.expr_mut(id) =
                    Expr::Call { function: found.name.into(), target: None, args: args_boxed };
                return self.overload(id, found, None, args);
            }
        }
        self.check(target);
        match self.function(function) {
            Some(found) => self.overload(id, found, Some(target), args),
            None => self.undeclared(id, function, Role::Member),
        }
    }

    fn optional_select(&mut self, id: ExprId, args: &[ExprId]) {
        let [operand, field] = args else { return };
        let Expr::Literal(Literal::String(name)) = self.ast.expr(*field) else { return };
        let name = name.clone();
        let ty = self.field(id, *operand, &name, true);
        let ty = self.unifier.substitute(ty, false);
        self.set(id, ty);
        self.set(*field, Ty::STRING);
        self.refer(id, Reference::Overloads(Box::new([Overload::SelectOptionalField])));
    }

    /// Chooses the overloads of a call by its style and the types of its arguments.
    fn overload(&mut self, id: ExprId, function: &Function, target: Option<ExprId>, args: &[ExprId]) {
        let mut arg_types: Vec<Ty> = target.iter().chain(args).map(|a| self.ty(*a)).collect();
        let style = if target.is_some() { Style::Member } else { Style::Global };
        let mut result: Option<Ty> = None;
        let mut found = Vec::new();
        for overload in function.overloads {
            let decl = overload.decl();
            if decl.style != style || !overload.exists_in(self.env.kube) || self.is_disabled(*overload) {
                continue;
            }
            if matches!(overload, Overload::LogicalAnd | Overload::LogicalOr) {
                return self.logic(id, *overload, args);
            }
            let mut params = [Ty::ERROR; 2];
            for param in params.iter_mut().take(decl.params as usize) {
                *param = self.unifier.fresh();
            }
            if decl.args.len() != arg_types.len() {
                continue;
            }
            let wanted: Vec<Ty> = decl.args.iter().map(|a| self.unifier.instantiate(a, &params)).collect();
            if !self.unifier.all_assignable(&arg_types, &wanted) {
                continue;
            }
            found.push(*overload);
            let ty = self.unifier.instantiate(&decl.result, &params);
            let ty = self.unifier.substitute(ty, false);
            result = Some(match result {
                None => ty,
                Some(r) if !self.unifier.types.is_dyn(r) && !self.unifier.types.same(ty, r) => Ty::DYN,
                Some(r) => r,
            });
        }
        if let Some(ty) = result {
            self.set(id, ty);
            return self.refer(id, Reference::Overloads(found.into()));
        }
        for ty in &mut arg_types {
            *ty = self.unifier.substitute(*ty, true);
        }
        let parts = target.iter().chain(args).zip(&arg_types);
        let kind = IssueKind::NoOverload {
            function: function.name,
            is_member: target.is_some(),
            operands: parts.map(|(id, ty)| self.operand(*id, *ty)).collect(),
            is_dynamic: arg_types.iter().any(|ty| self.unifier.types.has_dyn(*ty)),
        };
        let mut signature = String::new();
        let mut shown = &arg_types[..];
        if let (Some(_), Some((first, rest))) = (target, arg_types.split_first()) {
            self.unifier.types.write(*first, &mut signature);
            signature.push('.');
            shown = rest;
        }
        signature.push('(');
        for (i, ty) in shown.iter().enumerate() {
            signature.push_str(if i > 0 { ", " } else { "" });
            self.unifier.types.write(*ty, &mut signature);
        }
        signature.push(')');
        let name = function.name;
        self.error(id, kind, format!("found no matching overload for '{name}' applied to '{signature}'"));
        self.set(id, Ty::ERROR);
    }

    /// Environments before 1.28 do not compare numbers of different types.
    fn is_disabled(&self, overload: Overload) -> bool {
        let decl = overload.decl();
        self.env.kube.minor < 28
            && !self.looped
            && matches!(decl.function, ops::LESS | ops::LESS_EQUALS | ops::GREATER | ops::GREATER_EQUALS)
            && matches!(decl.args, [a, b] if a != b)
    }

    fn logic(&mut self, id: ExprId, overload: Overload, args: &[ExprId]) {
        let mut are_bools = true;
        for arg in args {
            let ty = self.ty(*arg);
            if !self.unifier.assignable(ty, Ty::BOOL) {
                self.mismatch(*arg, Ty::BOOL, ty);
                are_bools = false;
            }
        }
        if are_bools {
            self.set(id, Ty::BOOL);
            self.refer(id, Reference::Overloads(Box::new([overload])));
        } else {
            self.set(id, Ty::ERROR);
        }
    }

    /// The type of an element. For an optional one, the type of its content.
    fn element(&mut self, id: ExprId, optional: bool) -> Ty {
        let ty = self.ty(id);
        if !optional {
            return ty;
        }
        if let Some(inner) = self.unifier.types.unwrap_optional(ty) {
            return inner;
        }
        if !self.unifier.types.is_dyn(ty) {
            let expected = self.unifier.types.optional(ty);
            self.mismatch(id, expected, ty);
        }
        ty
    }

    /// The type of elements so far and one more.
    fn join(&mut self, before: Option<Ty>, ty: Ty) -> Ty {
        let Some(before) = before else { return ty };
        // Mixed types are looked for later, when all else is right.
        if self.unifier.assignable(before, ty) { self.unifier.most_general(before, ty) } else { Ty::DYN }
    }

    fn list(&mut self, id: ExprId, elements: &[ExprId], optional: &[u32]) {
        let mut ty = None;
        for (i, e) in elements.iter().enumerate() {
            self.check(*e);
            let element = self.element(*e, optional.contains(&(i as u32)));
            ty = Some(self.join(ty, element));
        }
        let ty = ty.unwrap_or_else(|| self.unifier.fresh());
        let ty = self.unifier.types.list(ty);
        self.set(id, ty);
    }

    fn message(&mut self, id: ExprId, name: &str, fields: &[Field]) {
        let constructed = names::constructed(name, self.unifier.types);
        let (ty, known) = match constructed {
            None => return self.undeclared(id, name, Role::Message),
            Some(Ok((ty, known))) => (ty, known),
            Some(Err(ty)) => {
                let shown = self.unifier.types.runtime_name(ty).to_owned();
                self.error(id, IssueKind::Message, format!("'{shown}' is not a message type"));
                (Ty::ERROR, "")
            }
        };
        self.refer(id, Reference::Type);
        self.set(id, ty);
        let full = name.strip_prefix('.').unwrap_or(name).to_owned();
        if let Expr::Struct { name, fields: _ } = self.ast.expr_mut(id) {
            *name = full.clone().into();
        }
        let known = if known.is_empty() { full.as_str() } else { known };
        for f in fields {
            self.check(f.value);
            let at = f.at;
            let wanted = match names::message_field(known, &f.name, self.unifier.types) {
                Some(Ok(ty)) => ty,
                Some(Err(())) => {
                    self.issues.push(Issue::new(
                        at,
                        IssueKind::Message,
                        format!("undefined field '{}'", f.name),
                    ));
                    Ty::ERROR
                }
                // Of a map's type, any name is a field.
                None if known == "map" => Ty::ANY,
                None => {
                    let message = if names::is_scalar(known) {
                        format!("undefined field '{}'", f.name)
                    } else {
                        format!("unexpected failed resolution of '{known}'")
                    };
                    self.issues.push(Issue::new(at, IssueKind::Message, message));
                    Ty::ERROR
                }
            };
            let given = self.element(f.value, f.optional);
            if !self.unifier.assignable(wanted, given) {
                let kind = IssueKind::WrongType {
                    expected: self.unifier.types.kind(wanted).clone(),
                    found: self.operand(f.value, given),
                    is_dynamic: self.unifier.types.has_dyn(wanted) || self.unifier.types.has_dyn(given),
                };
                let (wanted, given) = (self.show(wanted), self.show(given));
                let message = format!(
                    "expected type of field '{}' is '{wanted}' but provided type is '{given}'",
                    f.name
                );
                self.issues.push(Issue::new(at, kind, message));
            }
        }
    }

    fn comprehension(&mut self, id: ExprId, c: &Comprehension) {
        self.check(c.range);
        self.check(c.init);
        let range = self.unifier.substitute(self.ty(c.range), false);
        let accu = self.ty(c.init);
        let scope = self.scopes.len();
        self.scopes.push((c.accu.clone(), accu));
        self.looped = true;
        let (first, second) = match *self.unifier.types.kind(range) {
            Kind::List(t) if c.var2.is_some() => (Ty::INT, t),
            Kind::List(t) => (t, t),
            Kind::Map(k, v) => (k, v),
            Kind::Dyn | Kind::Error | Kind::Var(_) | Kind::Param(_) => {
                self.unifier.assignable(Ty::DYN, range);
                (Ty::DYN, Ty::DYN)
            }
            _ => {
                let message = format!(
                    "expression of type '{}' cannot be range of a comprehension (must be list, map, or \
                     dynamic)",
                    self.show(range)
                );
                let kind = IssueKind::Range(self.operand(c.range, range));
                self.error(c.range, kind, message);
                (Ty::ERROR, Ty::ERROR)
            }
        };
        let inner = self.scopes.len();
        self.scopes.push((c.var.clone(), first));
        if let Some(var2) = &c.var2 {
            self.scopes.push((var2.clone(), second));
        }
        self.check(c.condition);
        self.assert(c.condition, Ty::BOOL);
        self.check(c.step);
        self.assert(c.step, accu);
        self.scopes.truncate(inner);
        self.check(c.result);
        self.scopes.truncate(scope);
        let ty = self.unifier.substitute(self.ty(c.result), false);
        self.set(id, ty);
    }

    fn assert(&mut self, id: ExprId, wanted: Ty) {
        let ty = self.ty(id);
        if !self.unifier.assignable(wanted, ty) {
            self.mismatch(id, wanted, ty);
        }
    }
}
