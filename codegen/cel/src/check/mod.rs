//! The type checker. It finds a type for every node, the overloads that calls may use, and the full names.

mod calls;
mod complete;
mod describe;
mod fields;
mod format;
mod literals;
mod names;
mod similar;
mod unify;

use super::ast::{Ast, Checked, Comprehension, Entry, Expr, ExprId, Literal, Name, Reference};
use super::issue::{Issue, IssueKind, Role};
use super::library::Libraries;
use super::types::{Kind, Ty, Types};
use complete::{CURSOR, Seen};
pub use complete::{CallAround, Candidate, CandidateKind, Signature, call_around, complete};
use names::Meaning;
use unify::Unifier;

/// The fields of types that an environment declares.
pub trait Declarations {
    /// Returns the type of a field of a declared object type. `name` is the name of the object type, from which those
    /// of its fields' types are formed.
    fn field(&self, types: &mut Types, decl: u32, name: &str, field: &str) -> Option<Ty>;

    /// Returns the names of all fields of a declared object type, for suggestions.
    fn fields(&self, decl: u32) -> Vec<String>;

    /// Whether an object has a field with this name that has no type.
    fn is_untyped(&self, decl: u32, field: &str) -> bool;

    /// Returns what a field means, for completion.
    fn documentation(&self, _decl: u32, _field: &str) -> Option<String> {
        None
    }

    /// Returns the object type that expressions construct by this full name.
    fn constructed(&self, _types: &mut Types, _name: &str) -> Option<Ty> {
        None
    }
}

/// An environment without declared types.
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

/// The environment of an expression: the names to which it may refer.
pub struct Env<'d> {
    /// The functions that expressions can call.
    pub libraries: Libraries<'d>,
    /// The variables with their types.
    pub variables: &'d [(&'d str, Ty)],
    /// The fields of the declared types.
    pub declarations: &'d dyn Declarations,
}

/// Checks a parsed expression. Returns all issues if it is not valid.
pub fn check(mut ast: Ast, env: &Env<'_>, types: &mut Types) -> Result<Checked, Vec<Issue>> {
    let root = ast.root();
    let size = ast.len();
    let mut c = Checker::new(&mut ast, env, types);
    c.check(root);
    if c.issues.is_empty() {
        for i in 0..size {
            c.node_types[i] = c.unifier.substitute_all(c.node_types[i]);
        }
    }
    if c.unifier.is_exhausted() {
        let message = "the types of the values in this expression have too many parts for crdgen, and take the server as long";
        return Err(vec![Issue::nowhere(IssueKind::Limit, message)]);
    }
    if !c.issues.is_empty() {
        return Err(c.issues);
    }
    let (node_types, references) = (c.node_types, c.references);
    let checked = Checked { ast, node_types, references, kube: env.libraries.kube };
    let issues = literals::check(&checked, types, env.libraries.kube);
    if issues.is_empty() { Ok(checked) } else { Err(issues) }
}

/// Checks an expression with errors, and looks at what the check found.
fn explore<T>(
    mut ast: Ast,
    env: &Env<'_>,
    types: &mut Types,
    look: impl FnOnce(&mut Checker<'_, '_>) -> T,
) -> T {
    let root = ast.root();
    let mut checker = Checker::new(&mut ast, env, types);
    checker.check(root);
    look(&mut checker)
}

struct Checker<'a, 'd> {
    env: &'a Env<'d>,
    ast: &'a mut Ast,
    unifier: Unifier<'a>,
    node_types: Vec<Ty>,
    references: Vec<Reference>,
    /// The variables of comprehensions, innermost last.
    scopes: Vec<(Name, Ty)>,
    /// Whether there was a comprehension before. After one, cel-go no longer rejects comparisons of different numeric
    /// types.
    looped: bool,
    /// What is where a name is completed.
    seen: Seen,
    issues: Vec<Issue>,
}

impl<'a, 'd> Checker<'a, 'd> {
    fn new(ast: &'a mut Ast, env: &'a Env<'d>, types: &'a mut Types) -> Self {
        let size = ast.len();
        Checker {
            env,
            ast,
            unifier: Unifier::new(types, size, env.libraries.kube),
            node_types: vec![Ty::ERROR; size],
            references: vec![Reference::None; size],
            scopes: Vec::new(),
            looped: false,
            seen: Seen::default(),
            issues: Vec::new(),
        }
    }

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
        if name == CURSOR {
            self.seen.scopes.clone_from(&self.scopes);
        }
        let kind = IssueKind::Undeclared {
            name: name.to_owned(),
            role,
            known: self.names(role),
            is_field_of_self: self.fields_of_self().iter().any(|field| field == name),
        };
        let suggestion = self.suggestion(name);
        self.error(id, kind, format!("undeclared reference to '{name}'{suggestion}"));
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
        // The check of a node only looks at the nodes below. It may replace the node by one with a full name.
        let expr = std::mem::replace(self.ast.expr_mut(id), Expr::Unspecified);
        match &expr {
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
                if !self.resolve(id, name) {
                    self.undeclared(id, name, Role::Variable);
                }
            }
            Expr::Select { operand, field, test_only } => self.select(id, *operand, field, *test_only),
            Expr::Call { function, target, args } => self.call(id, function, *target, args),
            Expr::List { elements, optional } => self.list(id, elements, optional),
            Expr::Map(entries) => self.map(id, entries),
            Expr::Struct { name, fields } => self.message(id, name, fields),
            Expr::Comprehension(c) => self.comprehension(id, c),
        }
        if matches!(self.ast.expr(id), Expr::Unspecified) {
            *self.ast.expr_mut(id) = expr;
        }
    }

    fn map(&mut self, id: ExprId, entries: &[Entry]) {
        let (mut key, mut value) = (None, None);
        for e in entries {
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

    fn local(&self, name: &str) -> Option<Ty> {
        self.scopes.iter().rev().find(|(n, _)| n == name).map(|(_, ty)| *ty)
    }

    /// Resolves a name to a variable or a type. Returns whether it exists.
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
            None => match self.global(name) {
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

    /// The meaning of a full name that is not a variable.
    fn global(&mut self, name: &str) -> Option<Meaning> {
        let declared = self.env.declarations.constructed(self.unifier.types, name);
        declared.map(Meaning::Type).or_else(|| names::global(name, self.unifier.types))
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

    /// The common type of the elements so far and another one.
    fn join(&mut self, before: Option<Ty>, ty: Ty) -> Ty {
        let Some(before) = before else { return ty };
        // Mixed types are reported later, if there are no other errors.
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

    fn comprehension(&mut self, id: ExprId, c: &Comprehension) {
        self.check(c.range);
        self.check(c.init);
        let range = self.unifier.substitute(self.ty(c.range));
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
        let ty = self.unifier.substitute(self.ty(c.result));
        self.set(id, ty);
    }

    fn assert(&mut self, id: ExprId, wanted: Ty) {
        let ty = self.ty(id);
        if !self.unifier.assignable(wanted, ty) {
            self.mismatch(id, wanted, ty);
        }
    }
}
