//! The conversions that the sources declare: each plan with its types.

mod model;
mod total;
mod types;

pub use model::*;

use super::modules::derives;
use super::types::{Id, Instance, Scope};
use super::{At, FoundKind, Program};
use crate::recipe::Unknown;
use crate::value::Value;
use crdgen_rust::convert::{self, Plan, Variant as PlanVariant};
use crdgen_rust::kind;
use crdgen_rust::lower::plain;
use crdgen_rust::report::Report;
use proc_macro2::Span;
use quote::ToTokens;
use std::collections::HashMap;
use syn::Member;
use syn::spanned::Spanned;
use total::Pending;

impl Program<'_> {
    /// Returns the conversions between the kinds of the crate. Errors in them are added to the diagnostics.
    pub fn declared(&self) -> Declared {
        let mut builder =
            Builder { program: self, out: Declared::default(), numbers: HashMap::new(), read: Vec::new() };
        let items: Vec<usize> = self.world.kinds();
        items.into_iter().for_each(|item| builder.kind(item));
        std::mem::take(&mut builder.read).iter().for_each(|pending| builder.check(pending));
        builder.out
    }

    /// Returns the same conversions with the schemas of the versions. Errors that are only about schemas are not
    /// reported.
    pub fn declared_with_schemas(&self) -> Declared {
        let mut declared = self.declared();
        let is_declared = |kind: &str| declared.pairs.iter().any(|pair| pair.kind == kind);
        let (kinds, _) = self.found.apart(|| self.kinds(&|kind, _| is_declared(kind)));
        for pair in &mut declared.pairs {
            for version in [&mut pair.old, &mut pair.new] {
                let is_one = |kind: &&FoundKind| {
                    let spec = &kind.crd.spec;
                    let name = spec.versions.first().map(|it| it.name.as_str());
                    spec.group == pair.group
                        && spec.names.kind == pair.kind
                        && name == Some(version.name.as_str())
                };
                let kind = kinds.known.iter().find(is_one);
                version.schema = kind.and_then(|kind| kind.crd.spec.schema_of(0)).cloned().map(Box::new);
            }
        }
        declared
    }
}

struct Builder<'p, 's> {
    program: &'p Program<'s>,
    out: Declared,
    /// The numbers of the types that have been read, or are being read.
    numbers: HashMap<Id, TypeId>,
    /// The conversions that have been read.
    read: Vec<Pending>,
}

impl Builder<'_, '_> {
    /// Reads the kind of a spec, if it converts from an older one.
    fn kind(&mut self, item: usize) {
        let Some(plan) = self.plan(item) else { return };
        if plan.kind.is_none() {
            return;
        }
        let new = self.program.intern(Instance::Item(item, Vec::new()));
        let Some(scope) = self.program.scope(new) else { return };
        let Some(old) = self.older(&plan, &scope) else { return };
        let Instance::Item(old_item, _) = self.program.instance(old) else { return };
        let Some((group, kind, new)) = self.version(item) else { return };
        let Some((_, _, old)) = self.version(old_item) else {
            let message = format!("`{}` is not the spec of a kind", spelled(&plan.old));
            let help = "a kind converts from the spec of its older version, which has #[kube(…)], too";
            return self.report(item, plan.old.span(), (message, help.to_owned()));
        };
        self.out.pairs.push(Pair { group, kind, old, new });
    }

    /// The type from which a plan converts.
    fn older(&self, plan: &Plan, scope: &Scope) -> Option<Id> {
        let id = self.type_at_path(&plan.old, scope);
        (!matches!(self.program.instance(id), Instance::Unknown)).then_some(id)
    }

    fn type_at_path(&self, path: &syn::Path, scope: &Scope) -> Id {
        let path = syn::TypePath { attrs: Vec::new(), qself: None, path: path.clone() };
        self.program.type_of(&syn::Type::Path(path), scope)
    }

    /// The group, the kind, and the version of a spec.
    fn version(&mut self, item: usize) -> Option<(String, String, Version)> {
        let (input, cfg) = {
            let world = &self.program.world;
            (world.item(item).input.clone(), world.cfg_of(item))
        };
        let kind = kind::kind(&input, &|tokens| cfg.enabled(tokens), &mut Report::default());
        let own = self.program.intern(Instance::Item(item, Vec::new()));
        let scope = self.program.scope(own)?;
        let root = kind.kube.root;
        if root.group.is_empty() || root.version.is_empty() || root.kind.is_empty() {
            return None;
        }
        let mut spec = self.ty(own);
        let no_spec = kind.kube.no_spec;
        if root.spec_optional && !no_spec {
            spec = self.add(Type::Option(spec));
        }
        let status = kind.status.map(|ty| self.program.type_of(&ty, &scope)).map(|id| self.ty(id));
        Some((
            root.group,
            root.kind,
            Version {
                name: root.version,
                spec,
                no_spec,
                status,
                asked: self.program.ask(item),
                schema: None,
            },
        ))
    }

    /// The plan of an item, if it derives `Convert`.
    fn plan(&self, item: usize) -> Option<Plan> {
        let (input, cfg) = {
            let world = &self.program.world;
            (world.item(item).input.clone(), world.cfg_of(item))
        };
        if !derives(&input.attrs, &cfg).iter().any(|name| name == "Convert") {
            return None;
        }
        let mut report = Report::default();
        let input = total::compiled(&input, &cfg);
        let plan = convert::plan(&input, &|tokens| cfg.enabled(tokens), &mut report);
        let is_wrong = report.has_errors();
        self.program.take(report, item);
        plan.filter(|_| !is_wrong)
    }

    /// Reads the conversion of an item, once the item's type is known.
    fn conversion(&mut self, item: usize, new: Id) {
        let (Some(plan), Some(scope)) = (self.plan(item), self.program.scope(new)) else { return };
        let Some(old_id) = self.older(&plan, &scope) else { return };
        let (new, old) = (self.ty(new), self.ty(old_id));
        let body = match &plan.body {
            convert::Body::Struct(fields) => {
                Body::Struct(self.moves(fields, &scope, item, &|builder| builder.fields_of(old, None)))
            }
            convert::Body::Enum(variants) => {
                Body::Enum(variants.iter().map(|variant| self.turn(variant, &scope, item, old)).collect())
            }
        };
        self.out.conversions.push(Conversion { new, old, body });
        self.read.push(Pending { item, plan, scope, old: old_id });
    }

    fn turn(&mut self, variant: &PlanVariant, scope: &Scope, item: usize, old_type: TypeId) -> Turn {
        match variant {
            PlanVariant::Both { new, old, label, fields } => {
                let old_name = plain(old);
                let of_old = |builder: &Builder<'_, '_>| builder.fields_of(old_type, Some(&old_name));
                let moves = self.moves(fields, scope, item, &of_old);
                Turn::Both { new: plain(new), old: old_name.clone(), label: label.clone(), moves }
            }
            PlanVariant::Added { new, instead, lossy } => {
                let at = self.at(new.span(), item);
                Turn::Added { new: plain(new), instead: plain(instead), lossy: *lossy, at }
            }
            PlanVariant::Removed { old, instead, lossy } => {
                let at = self.at(old.span(), item);
                Turn::Removed { old: plain(old), instead: plain(instead), lossy: *lossy, at }
            }
        }
    }

    /// The fields of a struct, or of a variant.
    fn fields_of(&self, ty: TypeId, variant: Option<&str>) -> Vec<(String, TypeId)> {
        let fields = match (self.out.types.get(ty), variant) {
            (Some(Type::Struct(it)), None) => &it.fields,
            (Some(Type::Enum(it)), Some(name)) => {
                match it.variants.iter().find(|variant| variant.member == name) {
                    Some(variant) => &variant.content.fields,
                    None => return Vec::new(),
                }
            }
            _ => return Vec::new(),
        };
        fields.iter().map(|field| (field.member.clone(), field.ty)).collect()
    }

    /// The type at a path of fields.
    fn at_path(&self, mut fields: Vec<(String, TypeId)>, path: &[String]) -> Option<TypeId> {
        let mut found = None;
        for name in path {
            let (_, ty) = fields.iter().find(|(member, _)| member == name)?;
            found = Some(*ty);
            fields = self.fields_of(*ty, None);
        }
        found
    }

    fn moves(
        &mut self,
        fields: &convert::Fields,
        scope: &Scope,
        item: usize,
        of_old: &dyn Fn(&Self) -> Vec<(String, TypeId)>,
    ) -> Vec<Move> {
        let moves = fields.moves.iter().map(|it| {
            let old: Vec<Vec<String>> =
                it.old.iter().map(|old| old.path.iter().map(member).collect()).collect();
            let how = match &it.how {
                convert::How::Own { keys, omit_empty } => {
                    How::Own { keys: keys.clone(), omit_empty: *omit_empty }
                }
                convert::How::Parts(parts) => {
                    How::Parts(parts.iter().map(|(name, label)| (plain(name), label.clone())).collect())
                }
                convert::How::Functions { with, back, .. } => {
                    How::Functions(self.function(&with.path, item), self.function(&back.path, item))
                }
                convert::How::Default(path) => {
                    // If the type needs a schema, its field in the struct reports it.
                    let of = |ty: &syn::Type| self.program.type_without_schema(ty, scope);
                    let new = it.new.first().map(|new| of(&new.ty));
                    let of_new = new.map(|id| self.default(path.as_ref(), id, scope, item));
                    // Only the older type has the type of a removed field.
                    let of_old = || {
                        let ty = self.at_path(of_old(self), old.first()?)?;
                        let id = self.numbers.iter().find(|(_, number)| **number == ty).map(|(id, _)| *id)?;
                        Some(self.default(path.as_ref(), id, scope, item))
                    };
                    let missing = || Err(self.code("the default of the field", Span::call_site(), item));
                    How::Default(of_new.or_else(of_old).unwrap_or_else(missing))
                }
            };
            let span = match (it.new.first(), it.old.first()) {
                (Some(new), _) => new.member.span(),
                (None, Some(old)) => old.span,
                (None, None) => Span::call_site(),
            };
            Move {
                new: it.new.iter().map(|new| member(&new.member)).collect(),
                old,
                label: it.label.clone(),
                how,
                lossy: it.lossy,
                at: self.at(span, item),
            }
        });
        moves.collect()
    }

    fn default(&self, path: Option<&syn::Path>, ty: Id, scope: &Scope, item: usize) -> Result<Value, Code> {
        self.program.value_of(path, ty, scope).map_err(|why| {
            let text = match (path, why) {
                (Some(path), _) => spelled(path),
                (None, Unknown::Code(code)) => code,
                (None, _) => "Default::default".to_owned(),
            };
            let span = path.map_or_else(Span::call_site, Spanned::span);
            self.code(&text, span, item)
        })
    }

    fn function(&self, path: &syn::Path, item: usize) -> Code {
        self.code(&spelled(path), path.span(), item)
    }

    fn code(&self, text: &str, span: Span, item: usize) -> Code {
        Code { text: text.to_owned(), at: self.at(span, item) }
    }

    fn at(&self, span: Span, item: usize) -> Option<At> {
        let world = &self.program.world;
        let span = if span.byte_range().is_empty() { world.item(item).input.ident.span() } else { span };
        world.at(item, span)
    }

    fn add(&mut self, ty: Type) -> TypeId {
        self.out.types.push(ty);
        self.out.types.len() - 1
    }
}

fn spelled(path: &syn::Path) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}

fn member(member: &Member) -> String {
    match member {
        Member::Named(name) => plain(name),
        Member::Unnamed(index) => index.index.to_string(),
    }
}
