//! Associated types: `<Cpu as FromFragment>::Fragment`, or `T::Fragment`. The impl for the type counts, or otherwise the
//! one for every type with some trait. The compiler has checked that exactly one applies.

use super::Program;
use super::instances::{Argument, Id, Instance, SchemaBy};
use super::named::Named;
use super::types::Scope;
use crdgen_rust::facts;
use crdgen_rust::lower::plain;
use proc_macro2::Span;

impl Program<'_> {
    /// The type that `<… as Trait>::Name` means.
    pub(super) fn qualified(&self, ty: &syn::TypePath, scope: &Scope, span: Span) -> Option<Id> {
        let (qself, path) = (ty.qself.as_ref()?, &ty.path);
        let name = plain(&path.segments.last()?.ident);
        let names: Vec<String> =
            path.segments.iter().take(qself.position).map(|it| plain(&it.ident)).collect();
        // This reads the crate of the trait, and with it the impls there.
        let leading = path.leading_colon.is_some();
        if let Some(Named::Foreign(full)) = self.world.resolve(scope.module, &names, leading) {
            self.world.resolve_in_crate(scope.module, &full);
        }
        self.found.in_files(self.world.take_found());
        let own = self.type_of(&qself.ty, &scope.clone().schema_by(SchemaBy::Nobody));
        self.associated(own, names.last().map(String::as_str), &name, scope, span)
    }

    /// The associated type of a type, of any trait if none is named.
    pub(super) fn associated(
        &self,
        own: Id,
        of: Option<&str>,
        name: &str,
        scope: &Scope,
        span: Span,
    ) -> Option<Id> {
        let own_name = self.last_name(own)?;
        let mut for_all = None;
        for it in self.world.associated(name) {
            if of.is_some_and(|of| of != it.of) {
                continue;
            }
            if let Some(parameter) = it.for_all() {
                for_all = Some((it, parameter));
                continue;
            }
            let arguments = match self.instance(own) {
                Instance::Item(_, arguments) => arguments,
                Instance::Known(_, parts) => parts.into_iter().map(Argument::Type).collect(),
                _ => Vec::new(),
            };
            let Some((_, written)) = facts::name_of(&it.own).filter(|(name, _)| *name == own_name) else {
                continue;
            };
            let parameters = written.iter().zip(arguments).filter_map(|(ty, argument)| {
                let (name, inner) = facts::name_of(ty)?;
                inner.is_empty().then_some((name, argument))
            });
            let inside = Scope { this: Some(own), ..Scope::new(it.module, parameters.collect()) };
            let bare = inside.clone().schema_by(SchemaBy::Nobody);
            if self.found.apart(|| self.type_of(&it.own, &bare)).0 == own {
                return Some(self.type_of(&it.ty, &inside.schema_by(scope.schema_by)));
            }
        }
        let (it, parameter) = for_all?;
        let own = self.with_schema(own, scope, span);
        let inside = Scope {
            this: Some(own),
            ..Scope::new(it.module, vec![(parameter, Argument::Type(own))]).schema_by(scope.schema_by)
        };
        Some(self.type_of(&it.ty, &inside))
    }

    fn last_name(&self, id: Id) -> Option<String> {
        Some(match self.instance(id) {
            Instance::Item(item, _) => plain(&self.world.item(item).input.ident),
            Instance::Known(path, _) => path.rsplit("::").next()?.to_owned(),
            Instance::Kubernetes(name) => name.rsplit('.').next()?.to_owned(),
            Instance::Written(_) | Instance::BySchemars(_) | Instance::Root(_) => String::new(),
            Instance::Tuple(_) | Instance::Array(..) | Instance::Slice(_) => String::new(),
            Instance::Unknown => return None,
        })
    }

    /// The type with its schema, for a type that was looked up without one.
    fn with_schema(&self, id: Id, scope: &Scope, span: Span) -> Id {
        match self.instance(id) {
            Instance::Item(item, arguments) => {
                let arguments = arguments.into_iter().map(|argument| match argument {
                    Argument::Type(id) => Argument::Type(self.with_schema(id, scope, span)),
                    number @ Argument::Const(_) => number,
                });
                self.item_type(item, arguments.collect(), scope, span)
            }
            Instance::Known(path, parts) => {
                let parts = parts.into_iter().map(|id| self.with_schema(id, scope, span));
                self.intern(Instance::Known(path, parts.collect()))
            }
            _ => id,
        }
    }
}
