//! Checks literals in addition to their types: durations, timestamps, patterns and format texts, which would otherwise
//! fail at run time, and lists and maps of mixed types.

use super::format;
use crate::ast::{Checked, Expr, ExprId, Literal};
use crate::issue::{Issue, IssueKind, Operand};
use crate::library::Kube;
use crate::types::{Ty, Types};
use crdgen_text::go;

/// Checks all literals of a checked expression.
pub(super) fn check(checked: &Checked, types: &Types, kube: Kube) -> Vec<Issue> {
    let mut c = Literals { checked, types, all: kube.minor >= 29, issues: Vec::new() };
    c.walk(checked.ast.root(), Mixed::Rejected);
    c.issues
}

/// The seconds from the year 1 to the year 9999.
const SECONDS: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;

/// Whether a time in normal form is between the years 1 and 9999.
fn in_range(time: &str) -> bool {
    time.len() == "0001-01-01T00:00:00Z".len() && !time.starts_with("0000")
}

struct Literals<'a> {
    checked: &'a Checked,
    types: &'a Types,
    /// Whether all checks run, or only that for mixed types.
    all: bool,
    issues: Vec<Issue>,
}

/// Whether the literal of a list or map may have elements of several types, as in the arguments of `format`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mixed {
    Allowed,
    Rejected,
}

impl Literals<'_> {
    fn error(&mut self, id: ExprId, kind: IssueKind, message: String) {
        self.issues.push(Issue::new(self.checked.ast.offset(id), kind, message));
    }

    /// Visits a node and all nodes below.
    fn walk(&mut self, id: ExprId, mixed: Mixed) {
        let ast = &self.checked.ast;
        let mut below = mixed;
        match ast.expr(id) {
            Expr::Call { function, target, args } => {
                if self.all {
                    if function == "format" {
                        below = Mixed::Allowed;
                    }
                    self.call(id, function, *target, args);
                }
            }
            Expr::List { elements, optional } if mixed == Mixed::Rejected => {
                let mut ty = None;
                for (i, e) in elements.iter().enumerate() {
                    let element = self.value_type(*e, optional.contains(&(i as u32)));
                    let first = *ty.get_or_insert(element);
                    if !self.types.same(first, element) {
                        self.mismatch(*e, first, element);
                        break;
                    }
                }
            }
            Expr::Map(entries) if mixed == Mixed::Rejected => {
                let mut first = None;
                for e in entries {
                    let (key, value) = (self.checked.ty(e.key), self.value_type(e.value, e.optional));
                    let (first_key, first_value) = *first.get_or_insert((key, value));
                    if !self.types.same(first_key, key) {
                        self.mismatch(e.key, first_key, key);
                    }
                    if !self.types.same(first_value, value) {
                        self.mismatch(e.value, first_value, value);
                    }
                }
            }
            Expr::Unspecified
            | Expr::Literal(_)
            | Expr::Ident(_)
            | Expr::Select { .. }
            | Expr::List { .. }
            | Expr::Map(_)
            | Expr::Struct { .. }
            | Expr::Comprehension(_) => {}
        }
        ast.children(id, &mut |child| self.walk(child, below));
    }

    fn value_type(&self, id: ExprId, optional: bool) -> Ty {
        let ty = self.checked.ty(id);
        if optional { self.types.unwrap_optional(ty).unwrap_or(ty) } else { ty }
    }

    fn mismatch(&mut self, id: ExprId, expected: Ty, found: Ty) {
        let kind = IssueKind::WrongType {
            expected: self.types.kind(expected).clone(),
            found: Operand { kind: self.types.kind(found).clone(), text: None, presence: None },
            is_dynamic: self.types.has_dyn(expected) || self.types.has_dyn(found),
        };
        let (expected, found) = (self.types.display(expected), self.types.display(found));
        self.error(id, kind, format!("expected type '{expected}' but found '{found}'"));
    }

    fn call(&mut self, id: ExprId, function: &str, target: Option<ExprId>, args: &[ExprId]) {
        if function == "format" {
            if let (Some(target), [list]) = (target, args) {
                let ast = &self.checked.ast;
                if let (Expr::Literal(Literal::String(text)), Expr::List { elements, .. }) =
                    (ast.expr(target), ast.expr(*list))
                    && let Err((at, message)) = format::check(text, elements, self.checked, self.types)
                {
                    self.error(at.unwrap_or(id), IssueKind::Format, message);
                }
            }
            return;
        }
        let Some(Expr::Literal(literal)) = args.first().map(|a| self.checked.ast.expr(*a)) else { return };
        let valid = match (function, literal) {
            ("duration", Literal::String(text)) => go::duration(text).is_some(),
            ("timestamp", Literal::String(text)) => go::rfc3339(text).is_some_and(|t| in_range(&t)),
            ("timestamp", Literal::Int(seconds)) => SECONDS.contains(seconds),
            // Null passes the type check for both types, but is not a valid value.
            ("duration" | "timestamp", Literal::Null) => false,
            #[cfg(feature = "eval")]
            ("matches", Literal::String(pattern)) => go::regexp::validate(pattern).is_ok(),
            _ => true,
        };
        if !valid {
            let kind = IssueKind::Argument(function.to_owned());
            self.error(args[0], kind, format!("invalid {function} argument"));
        }
    }
}
