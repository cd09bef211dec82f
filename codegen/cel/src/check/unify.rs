//! Determines whether a type can be used where another one is expected, and what this implies for type variables.

use crate::library::Kube;
use crate::types::{Kind, Ty, Types};
use std::cell::Cell;

/// The types of one check, and the known types of its type variables.
pub(super) struct Unifier<'t> {
    pub(super) types: &'t mut Types,
    bound: Vec<Option<Ty>>,
    /// The bindings to restore if an attempt fails.
    trail: Vec<(u32, Option<Ty>)>,
    /// How many parts of types may still be looked at.
    steps: Cell<usize>,
    kube: Kube,
}

/// How many parts of types may be looked at for each node of an expression. Equal types are the same, so that nearly all are compared in
/// one step. But types with variables may have twice as many parts after each macro. The server is as slow then, and has no bound.
const STEPS: usize = 500;

/// What becomes of a type variable without a known type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unknown {
    Variable,
    Dyn,
}

impl<'t> Unifier<'t> {
    /// Compares the types of an expression with this number of nodes.
    pub(super) fn new(types: &'t mut Types, nodes: usize, kube: Kube) -> Self {
        let steps = Cell::new(STEPS * (nodes + 100));
        Unifier { types, bound: Vec::new(), trail: Vec::new(), steps, kube }
    }

    /// Whether the types were too large, so that nothing is known about the expression.
    pub(super) fn is_exhausted(&self) -> bool {
        self.steps.get() == 0
    }

    /// Counts a step. Returns false if there are no more.
    fn step(&self) -> bool {
        self.steps.set(self.steps.get().saturating_sub(1));
        !self.is_exhausted()
    }

    pub(super) fn fresh(&mut self) -> Ty {
        let n = self.bound.len() as u32;
        self.bound.push(None);
        self.types.var(n)
    }

    fn kind(&self, ty: Ty) -> Kind {
        self.types.kind(ty).clone()
    }

    /// Whether a value of type `b` can be used where `a` is expected, or the other way round. If so, the new bindings
    /// of type variables are kept.
    pub(super) fn assignable(&mut self, a: Ty, b: Ty) -> bool {
        a == b && !self.types.is_open(a) || self.all_assignable(&[a], &[b])
    }

    /// The same for lists of types, pair by pair.
    pub(super) fn all_assignable(&mut self, a: &[Ty], b: &[Ty]) -> bool {
        let agrees = a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.agrees(*a, *b));
        if !agrees {
            while let Some((var, was)) = self.trail.pop() {
                self.bound[var as usize] = was;
            }
        }
        self.trail.clear();
        agrees
    }

    fn agrees(&mut self, a: Ty, b: Ty) -> bool {
        if !self.step() {
            return false;
        }
        if a == b && !self.types.is_open(a) {
            return true;
        }
        if let Kind::Var(var) = *self.types.kind(b) {
            let (valid, known) = self.solve(a, b, var);
            if valid || known {
                return valid;
            }
        }
        if let Kind::Var(var) = *self.types.kind(a) {
            return self.solve(b, a, var).0;
        }
        let anything = |t: &Kind| matches!(t, Kind::Dyn | Kind::Any | Kind::Error | Kind::Param(_));
        let (x, y) = (self.kind(a), self.kind(b));
        if anything(&x) || anything(&y) {
            return true;
        }
        match (x, y) {
            (Kind::Null, other) | (other, Kind::Null) => matches!(
                other,
                Kind::Null
                    | Kind::Opaque(_)
                    | Kind::Optional(_)
                    | Kind::Struct(_)
                    | Kind::Object { .. }
                    | Kind::Duration
                    | Kind::Timestamp
                    | Kind::Wrapper(_)
            ),
            (Kind::List(x), Kind::List(y)) | (Kind::Optional(x), Kind::Optional(y)) => self.agrees(x, y),
            (Kind::Map(k, v), Kind::Map(l, w)) => self.agrees(k, l) && self.agrees(v, w),
            (Kind::Type(Some(x)), Kind::Type(Some(y))) if self.kube.compares_types() => {
                !self.types.is_open(x) && !self.types.is_open(y) || self.agrees(x, y)
            }
            (Kind::Type(_), Kind::Type(of)) => of.is_none() || !self.kube.compares_types(),
            // A wrapper and the type inside it can replace each other.
            (Kind::Wrapper(x), Kind::Wrapper(y)) => x == y,
            (_, Kind::Wrapper(y)) => a == y,
            (Kind::Wrapper(x), _) => x == b,
            _ => a == b,
        }
    }

    /// Whether a type variable can have this type, and whether it was bound before.
    fn solve(&mut self, ty: Ty, unknown: Ty, var: u32) -> (bool, bool) {
        if ty == unknown {
            return (true, true);
        }
        if let Some(known) = self.bound[var as usize] {
            if self.types.same(ty, known) {
                return (true, true);
            }
            if !self.agrees(ty, known) {
                return (false, true);
            }
            let general = self.most_general(ty, known);
            if !self.occurs(unknown, general) {
                self.bind(var, general);
            }
            return (true, true);
        }
        if self.occurs(unknown, ty) {
            return (false, false);
        }
        self.bind(var, ty);
        (true, false)
    }

    fn bind(&mut self, var: u32, ty: Ty) {
        self.trail.push((var, self.bound[var as usize]));
        self.bound[var as usize] = Some(ty);
    }

    /// Whether a type contains a type variable.
    fn occurs(&self, unknown: Ty, within: Ty) -> bool {
        if unknown == within {
            return true;
        }
        if !self.types.is_open(within) || !self.step() {
            return false;
        }
        match *self.types.kind(within) {
            Kind::Var(var) => self.bound[var as usize].is_some_and(|t| self.occurs(unknown, t)),
            Kind::List(t) | Kind::Optional(t) | Kind::Type(Some(t)) => self.occurs(unknown, t),
            Kind::Map(k, v) => self.occurs(unknown, k) || self.occurs(unknown, v),
            _ => false,
        }
    }

    /// The more general of two compatible types.
    pub(super) fn most_general(&self, a: Ty, b: Ty) -> Ty {
        if self.less_specific(a, b) { a } else { b }
    }

    fn less_specific(&self, a: Ty, b: Ty) -> bool {
        if !self.step() {
            return false;
        }
        let anything = |t| matches!(t, Kind::Dyn | Kind::Any | Kind::Var(_) | Kind::Param(_));
        let (x, y) = (self.kind(a), self.kind(b));
        if anything(x.clone()) {
            return true;
        }
        if anything(y.clone()) {
            return false;
        }
        match (x, y) {
            (Kind::List(x), Kind::List(y)) | (Kind::Optional(x), Kind::Optional(y)) => {
                self.less_specific(x, y)
            }
            (Kind::Map(k, v), Kind::Map(l, w)) => self.less_specific(k, l) && self.less_specific(v, w),
            (Kind::Type(Some(x)), Kind::Type(Some(y))) if self.kube.compares_types() => {
                self.less_specific(x, y)
            }
            (Kind::Type(of), Kind::Type(_)) => of.is_none() || !self.kube.compares_types(),
            _ => self.types.same(a, b),
        }
    }

    /// Replaces all type variables by their known types, and keeps the unknown ones.
    pub(super) fn substitute(&mut self, ty: Ty) -> Ty {
        self.substitute_with(ty, Unknown::Variable)
    }

    /// Replaces all type variables by their known types. The unknown ones become `dyn`.
    pub(super) fn substitute_all(&mut self, ty: Ty) -> Ty {
        self.substitute_with(ty, Unknown::Dyn)
    }

    fn substitute_with(&mut self, ty: Ty, unknown: Unknown) -> Ty {
        if !self.types.is_open(ty) {
            return ty;
        }
        if !self.step() {
            return Ty::ERROR;
        }
        match *self.types.kind(ty) {
            Kind::Var(var) => match self.bound[var as usize] {
                Some(known) => self.substitute_with(known, unknown),
                None if unknown == Unknown::Dyn => Ty::DYN,
                None => ty,
            },
            Kind::Param(_) if unknown == Unknown::Dyn => Ty::DYN,
            Kind::List(t) => {
                let t = self.substitute_with(t, unknown);
                self.types.list(t)
            }
            Kind::Optional(t) => {
                let t = self.substitute_with(t, unknown);
                self.types.optional(t)
            }
            Kind::Type(Some(t)) => {
                let t = self.substitute_with(t, unknown);
                self.types.type_of(t)
            }
            Kind::Map(k, v) => {
                let (k, v) = (self.substitute_with(k, unknown), self.substitute_with(v, unknown));
                self.types.map(k, v)
            }
            _ => ty,
        }
    }
}
