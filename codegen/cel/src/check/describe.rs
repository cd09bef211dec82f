//! Describes parts of an expression for issues: their text, and similar names.

use super::Checker;
use crate::ast::{Expr, ExprId, Literal, ops};
use crate::issue::{Operand, Presence, Role};
use crate::library::{Function, Style};
use crate::types::{Kind, Ty};

/// Parts of an expression that are longer than this are not repeated in a hint.
const LONGEST: usize = 60;

impl Checker<'_, '_> {
    pub(super) fn operand(&self, id: ExprId, ty: Ty) -> Operand {
        let text = self.written(id).filter(|text| text.len() <= LONGEST);
        let presence = text.as_ref().and_then(|text| self.presence(id, text));
        Operand { kind: self.unifier.types.kind(ty).clone(), text, presence }
    }

    /// How to check that a field or a key is set.
    fn presence(&self, id: ExprId, text: &str) -> Option<Presence> {
        match self.ast.expr(id) {
            Expr::Select { .. } => Some(Presence::Field(format!("has({text})"))),
            Expr::Call { function, target: None, args } if function == ops::INDEX => {
                let [map, key] = &**args else { return None };
                let is_map = matches!(self.unifier.types.kind(self.ty(*map)), Kind::Map(..));
                let key = self.key(*key).filter(|_| is_map)?;
                Some(Presence::Key(format!("{key} in {}", self.written(*map)?)))
            }
            _ => None,
        }
    }

    /// The text of a key or an index.
    fn key(&self, id: ExprId) -> Option<String> {
        match self.ast.expr(id) {
            Expr::Literal(Literal::String(key)) => {
                (!key.contains(['\'', '\\', '\n'])).then(|| format!("'{key}'"))
            }
            Expr::Literal(Literal::Int(i)) => Some(i.to_string()),
            _ => self.written(id),
        }
    }

    /// The text of a name with its fields, keys or indices.
    fn written(&self, id: ExprId) -> Option<String> {
        match self.ast.expr(id) {
            Expr::Ident(name) => Some(name.to_string()),
            Expr::Select { operand, field, test_only: false } => {
                Some(format!("{}.{field}", self.written(*operand)?))
            }
            Expr::Call { function, target: None, args } if function == ops::INDEX => {
                let [of, index] = &**args else { return None };
                Some(format!("{}[{}]", self.written(*of)?, self.key(*index)?))
            }
            Expr::Unspecified
            | Expr::Literal(_)
            | Expr::Select { .. }
            | Expr::Call { .. }
            | Expr::List { .. }
            | Expr::Map(_)
            | Expr::Struct { .. }
            | Expr::Comprehension(_) => None,
        }
    }

    /// The known names for a role.
    pub(super) fn names(&self, role: Role) -> Vec<String> {
        let style = match role {
            Role::Variable => {
                let local = self.scopes.iter().map(|(name, _)| name.to_string());
                let local = local.filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()));
                return local.chain(self.env.variables.iter().map(|(name, _)| (*name).to_owned())).collect();
            }
            Role::Function => Style::Global,
            Role::Member => Style::Member,
            Role::Message => return Vec::new(),
        };
        let libraries = self.env.libraries;
        let exists = |f: &&Function| {
            f.name.starts_with(|c: char| c.is_ascii_alphabetic())
                && f.in_version(libraries.kube).any(|overload| overload.style == style)
        };
        libraries.functions.all().iter().filter(exists).map(|f| f.name.to_string()).collect()
    }

    pub(super) fn fields_of_self(&self) -> Vec<String> {
        let this = self.env.variables.iter().find(|(name, _)| *name == "self");
        match this.map(|(_, ty)| self.unifier.types.kind(*ty)) {
            Some(Kind::Object { decl, name: _ }) => self.env.declarations.fields(*decl),
            Some(_) | None => Vec::new(),
        }
    }
}
