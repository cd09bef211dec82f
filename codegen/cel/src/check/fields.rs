//! Determines the types of selections and messages from their fields.

use super::{CURSOR, Checker, names};
use crate::ast::{Expr, ExprId, Field, Reference};
use crate::issue::{Issue, IssueKind, Role};
use crate::types::{Kind, Ty};

/// How an expression reads a field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// `a.b`
    Plain,
    /// `a.?b`, which is always an optional.
    Optional,
}

/// A field that its object does not have, or that rules cannot read, and the fields that they can read.
struct UndefinedField<'n> {
    name: &'n str,
    known: Vec<String>,
    is_untyped: bool,
}

impl Checker<'_, '_> {
    /// The name that a chain of selections spells, if it contains nothing else.
    pub(super) fn qualified(&self, id: ExprId) -> Option<String> {
        let mut parts = Vec::new();
        let first = self.selections(id, |field| parts.push(field))?;
        parts.push(first);
        parts.reverse();
        Some(parts.join("."))
    }

    /// The identifier at the start of a chain of selections.
    pub(super) fn first_name(&self, id: ExprId) -> Option<&str> {
        self.selections(id, |_| {})
    }

    /// Follows a chain of selections from its last field to the identifier at its start.
    fn selections<'e>(&'e self, id: ExprId, mut each: impl FnMut(&'e str)) -> Option<&'e str> {
        let mut next = id;
        loop {
            match self.ast.expr(next) {
                Expr::Ident(name) => return Some(name),
                Expr::Select { operand, field, test_only: false } => {
                    each(field);
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

    /// The type of a variable whose name has dots, such as `authorizer.requestResource`.
    fn dotted_variable(&self, operand: ExprId, field: &str) -> Option<(String, Ty)> {
        let all = self.env.variables;
        if !all.iter().any(|(name, _)| name.contains('.')) || self.local(self.first_name(operand)?).is_some()
        {
            return None;
        }
        let name = format!("{}.{field}", self.qualified(operand)?);
        all.iter().find(|(known, _)| *known == name).map(|(_, ty)| (name, *ty))
    }

    pub(super) fn select(&mut self, id: ExprId, operand: ExprId, field: &str, test_only: bool) {
        if let Some((name, ty)) = self.dotted_variable(operand, field).filter(|_| !test_only) {
            self.set(id, ty);
            self.refer(id, Reference::Variable);
            *self.ast.expr_mut(id) = Expr::Ident(name.into());
            return;
        }
        if !test_only && self.first_name(operand).is_some_and(names::is_namespace) {
            let first = self.first_name(operand).unwrap_or_default().to_owned();
            let bare = first.strip_prefix('.').unwrap_or(&first);
            let shadowed = self.local(bare).is_some();
            if (!shadowed || bare.len() < first.len())
                && let Some(of) = self.qualified(operand)
            {
                let name = format!("{}.{field}", of.strip_prefix('.').unwrap_or(&of));
                if self.resolve_global(id, &name, shadowed) {
                    return;
                }
            }
        }
        if !test_only && self.reports_similar(id, operand, field, Role::Variable) {
            return;
        }
        let ty = self.field(id, operand, field, Access::Plain);
        let ty = if test_only { Ty::BOOL } else { self.unifier.substitute(ty) };
        self.set(id, ty);
    }

    /// The type of a field of an operand.
    pub(super) fn field(&mut self, id: ExprId, operand: ExprId, field: &str, access: Access) -> Ty {
        self.check(operand);
        let of = self.unifier.substitute(self.ty(operand));
        if field == CURSOR {
            self.seen.receiver = Some((of, self.qualified(operand)));
        }
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
                        self.undefined_field(id, UndefinedField { name: field, known, is_untyped })
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
        if access == Access::Optional || unwrapped.is_some() { self.unifier.types.optional(ty) } else { ty }
    }

    fn message_field(&mut self, id: ExprId, message: &str, field: &str) -> Ty {
        match names::message_field(message, field, self.unifier.types) {
            Some(Ok(ty)) => ty,
            Some(Err(())) => {
                self.undefined_field(id, UndefinedField { name: field, known: Vec::new(), is_untyped: false })
            }
            None => {
                self.error(id, IssueKind::Message, format!("unexpected failed resolution of '{message}'"));
                Ty::ERROR
            }
        }
    }

    fn undefined_field(&mut self, id: ExprId, field: UndefinedField<'_>) -> Ty {
        let UndefinedField { name, known, is_untyped } = field;
        let kind = IssueKind::UndefinedField { name: name.to_owned(), known, is_untyped };
        self.error(id, kind, format!("undefined field '{name}'"));
        Ty::ERROR
    }

    pub(super) fn message(&mut self, id: ExprId, name: &str, fields: &[Field]) {
        let full = name.strip_prefix('.').unwrap_or(name).to_owned();
        let constructed = match self.env.declarations.constructed(self.unifier.types, &full) {
            Some(ty) => Some(Ok((ty, ""))),
            None => names::constructed(name, self.unifier.types),
        };
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
        *self.ast.expr_mut(id) = Expr::Struct { name: full.clone().into(), fields: fields.into() };
        let known = if known.is_empty() { full.as_str() } else { known };
        for f in fields {
            self.check(f.value);
            let wanted = self.wanted(ty, known, f);
            self.value_of_field(f, wanted);
        }
    }

    /// The type of a field of a constructed object.
    fn wanted(&mut self, ty: Ty, known: &str, f: &Field) -> Ty {
        let undefined = || format!("undefined field '{}'", f.name);
        if let Kind::Object { decl, name } = self.unifier.types.kind(ty).clone() {
            if let Some(ty) = self.env.declarations.field(self.unifier.types, decl, &name, &f.name) {
                return ty;
            }
            return self.without_type(f, undefined());
        }
        match names::message_field(known, &f.name, self.unifier.types) {
            Some(Ok(ty)) => ty,
            Some(Err(())) => self.without_type(f, undefined()),
            // A map type accepts any name as a field.
            None if known == "map" => Ty::ANY,
            None if names::is_scalar(known) => self.without_type(f, undefined()),
            None => self.without_type(f, format!("unexpected failed resolution of '{known}'")),
        }
    }

    fn without_type(&mut self, f: &Field, why: String) -> Ty {
        self.issues.push(Issue::new(f.at, IssueKind::Message, why));
        Ty::ERROR
    }

    fn value_of_field(&mut self, f: &Field, wanted: Ty) {
        let given = self.element(f.value, f.optional);
        if self.unifier.assignable(wanted, given) {
            return;
        }
        let kind = IssueKind::WrongType {
            expected: self.unifier.types.kind(wanted).clone(),
            found: self.operand(f.value, given),
            is_dynamic: self.unifier.types.has_dyn(wanted) || self.unifier.types.has_dyn(given),
        };
        let (wanted, given) = (self.show(wanted), self.show(given));
        let message =
            format!("expected type of field '{}' is '{wanted}' but provided type is '{given}'", f.name);
        self.issues.push(Issue::new(f.at, kind, message));
    }
}
