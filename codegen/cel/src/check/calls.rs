//! Determines the types of calls, and the overloads that they may call.

use super::Checker;
use super::fields::Access;
use crate::ast::{Expr, ExprId, Literal, Reference, ops};
use crate::issue::{IssueKind, Role};
use crate::library::{Cost, Function, MOST_ARGS, Overload, Style};
use crate::types::Ty;

impl<'d> Checker<'_, 'd> {
    fn function(&self, name: &str) -> Option<&'d Function> {
        let libraries = self.env.libraries;
        let function = libraries.functions.find(name.strip_prefix('.').unwrap_or(name))?;
        function.in_version(libraries.kube).next().map(|_| function)
    }

    pub(super) fn call(&mut self, id: ExprId, function: &str, target: Option<ExprId>, args: &[ExprId]) {
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
                *self.ast.expr_mut(id) = Expr::Call { function: found.name.clone(), target: None, args };
            }
            return self.overload(id, found, None, args);
        };
        // `a.b.f()` is the function `a.b.f`, if there is one.
        if self.first_name(target).is_some_and(|first| self.env.libraries.functions.is_namespace(first)) {
            let name = self.qualified(target).map(|prefix| format!("{prefix}.{function}"));
            if let Some(found) = name.and_then(|name| self.function(&name)) {
                let args_boxed = args.into();
                *self.ast.expr_mut(id) =
                    Expr::Call { function: found.name.clone(), target: None, args: args_boxed };
                return self.overload(id, found, None, args);
            }
        }
        if self.reports_similar(id, target, function, Role::Function) {
            return;
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
        let ty = self.field(id, *operand, &name, Access::Optional);
        let ty = self.unifier.substitute(ty);
        self.set(id, ty);
        self.set(*field, Ty::STRING);
        let select = self.function(ops::OPT_SELECT);
        self.refer(id, Reference::Overloads(select.map_or(Box::new([]), |it| it.overloads.clone().into())));
    }

    /// Chooses the overloads of a call by its form and the types of its arguments.
    fn overload(&mut self, id: ExprId, function: &Function, target: Option<ExprId>, args: &[ExprId]) {
        let mut arg_types: Vec<Ty> = target.iter().chain(args).map(|a| self.ty(*a)).collect();
        let style = if target.is_some() { Style::Member } else { Style::Global };
        let mut result: Option<Ty> = None;
        let mut found = Vec::with_capacity(1);
        for overload in function.in_version(self.env.libraries.kube) {
            if overload.style != style || self.is_disabled(overload) {
                continue;
            }
            if matches!(overload.cost, Cost::Logic) {
                return self.logic(id, overload, args);
            }
            let mut params = [Ty::ERROR; 2];
            for param in params.iter_mut().take(overload.params as usize) {
                *param = self.unifier.fresh();
            }
            if overload.args.len() != arg_types.len() {
                continue;
            }
            let mut wanted = [Ty::ERROR; MOST_ARGS];
            for (place, arg) in wanted.iter_mut().zip(&*overload.args) {
                *place = arg.intern(self.unifier.types, params);
            }
            if !self.unifier.all_assignable(&arg_types, &wanted[..arg_types.len().min(MOST_ARGS)]) {
                continue;
            }
            found.push(overload.clone());
            let ty = overload.result.intern(self.unifier.types, params);
            let ty = self.unifier.substitute(ty);
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
            *ty = self.unifier.substitute_all(*ty);
        }
        let parts = target.iter().chain(args).zip(&arg_types);
        let kind = IssueKind::NoOverload {
            function: function.name.to_string(),
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
        let name = &function.name;
        self.error(id, kind, format!("found no matching overload for '{name}' applied to '{signature}'"));
        self.set(id, Ty::ERROR);
    }

    /// Environments before 1.28 do not compare numbers of different types.
    fn is_disabled(&self, overload: &Overload) -> bool {
        self.env.libraries.kube.minor < 28
            && !self.looped
            && matches!(
                &*overload.function,
                ops::LESS | ops::LESS_EQUALS | ops::GREATER | ops::GREATER_EQUALS
            )
            && matches!(&*overload.args, [a, b] if a != b)
    }

    fn logic(&mut self, id: ExprId, overload: &Overload, args: &[ExprId]) {
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
            self.refer(id, Reference::Overloads(Box::new([overload.clone()])));
        } else {
            self.set(id, Ty::ERROR);
        }
    }
}
