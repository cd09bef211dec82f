//! Resolves types in the sources, and answers the linker's questions about them.

use super::foreign::{kubernetes, without_prelude};
use super::instances::Excess;
pub(super) use super::instances::{Argument, Id, Instance, SchemaBy};
use super::modules::{derive_paths, derives_schema};
use super::named::Named;
use super::{Found, Program};
use crate::diag::codes::rust as codes;
use crate::diag::{Diag, Level};
use crate::path::Path;
use crate::recipe::known::{self, Known};
use crate::recipe::{self, Node, Opened, Types, Unknown};
use crate::value::Value;
use crdgen_rust::lower::plain;
use proc_macro2::Span;
use std::borrow::Cow;
use std::rc::Rc;
use syn::spanned::Spanned;

/// The context of a type in the source: the module, and the arguments for the type parameters of the item around it.
#[derive(Clone)]
pub(super) struct Scope {
    pub(super) module: usize,
    /// The item that contains the types.
    pub(super) item: Option<usize>,
    pub(super) params: Vec<(String, Argument)>,
    /// The type that `Self` means.
    pub(super) this: Option<Id>,
    /// Local variables. If several have the same name, the last one is used.
    pub(super) locals: Vec<Local>,
    /// Who generates the schemas of the types.
    pub(super) schema_by: SchemaBy,
}

/// A local variable of code that is evaluated.
#[derive(Clone)]
pub(super) struct Local {
    pub(super) name: String,
    /// Its type, where that is known.
    pub(super) ty: Option<Id>,
    pub(super) value: Rc<Value>,
}

impl Scope {
    /// A scope outside of any item.
    pub(super) fn new(module: usize, params: Vec<(String, Argument)>) -> Scope {
        Scope { module, item: None, params, this: None, locals: Vec::new(), schema_by: SchemaBy::Crdgen }
    }

    /// The same scope, with schemas by somebody else.
    pub(super) fn schema_by(self, schema_by: SchemaBy) -> Scope {
        Scope { schema_by, ..self }
    }

    /// The scope of the target of an alias.
    fn aliased(&self, module: usize, params: &[(String, Argument)]) -> Scope {
        Scope { item: self.item, ..Scope::new(module, params.to_vec()) }.schema_by(self.schema_by)
    }

    /// A local variable.
    pub(super) fn local(&self, name: &syn::Ident) -> Option<&Local> {
        self.locals.iter().rev().find(|local| name == &local.name)
    }

    /// The value of a local variable, to change it.
    pub(super) fn local_mut(&mut self, name: &syn::Ident) -> Option<&mut Value> {
        self.locals.iter_mut().rev().find(|local| name == &local.name).map(|it| Rc::make_mut(&mut it.value))
    }
}

/// The derives of crdgen that make schemas.
const SCHEMAS: [&str; 4] = ["Schema", "JsonSchema", "KubeSchema", "CELSchema"];

impl Program<'_> {
    /// The type as serde sees it. For serde it does not matter who writes the schema.
    pub(super) fn value_instance(&self, id: Id) -> Instance {
        match self.instance(id) {
            Instance::BySchemars(inner) => self.instance(inner),
            other => other,
        }
    }

    /// The scope inside an item with these arguments.
    pub(super) fn scope(&self, id: Id) -> Option<Scope> {
        let Instance::Item(item, arguments) = self.value_instance(id) else { return None };
        let world = &self.world;
        let it = world.item(item);
        let names = it.input.generics.params.iter().filter_map(|p| match p {
            syn::GenericParam::Type(t) => Some(plain(&t.ident)),
            syn::GenericParam::Const(c) => Some(plain(&c.ident)),
            syn::GenericParam::Lifetime(_) => None,
        });
        Some(Scope {
            item: Some(item),
            this: Some(id),
            ..Scope::new(it.module, names.zip(arguments).collect())
        })
    }

    /// Replaces a type by an unknown one if there is no end to the types, as for a generic type that contains itself with
    /// other arguments.
    fn bounded(&self, id: Id, ty: &syn::Type, scope: &Scope) -> Id {
        let Some(excess) = self.instances.excess(id) else { return id };
        let text = ty.span().source_text().unwrap_or_default();
        let message = match excess {
            Excess::Depth(most) => format!("`{text}` has more than {most} types inside of each other"),
            Excess::Number(most) => format!("`{text}` is one of more than {most} types"),
        };
        let help = "the compiler rejects a generic type that contains itself with other arguments, because there is no \
                    end to such types. Otherwise write #[schema(opaque)] on one of the fields that contain it";
        self.report_unknown(scope, ty.span(), message, help);
        self.intern(Instance::Unknown)
    }

    /// The number of a type in the source.
    pub(super) fn type_of(&self, ty: &syn::Type, scope: &Scope) -> Id {
        self.bounded(self.any_type(ty, scope), ty, scope)
    }

    /// The same for a type that needs no schema, because attributes give the schema.
    pub(super) fn type_without_schema(&self, ty: &syn::Type, scope: &Scope) -> Id {
        self.allowing_unknown(|| self.type_of(ty, scope))
    }

    /// Looks up types that need not be known.
    fn allowing_unknown<T>(&self, look_up: impl FnOnce() -> T) -> T {
        let (found, errors) = self.found.apart(look_up);
        self.found.extend(errors.into_iter().filter(|it| it.found.diag.code != &codes::UNKNOWN_TYPE));
        found
    }

    fn any_type(&self, ty: &syn::Type, scope: &Scope) -> Id {
        match ty {
            syn::Type::Path(path) if path.qself.is_none() => self.path_type(&path.path, scope, ty.span(), 0),
            syn::Type::Path(path) => {
                let found = self.qualified(path, scope, ty.span());
                found.unwrap_or_else(|| self.unknown(ty, scope, ty.span()))
            }
            syn::Type::Reference(it) => self.type_of(&it.elem, scope),
            syn::Type::Paren(it) => self.type_of(&it.elem, scope),
            syn::Type::Group(it) => self.type_of(&it.elem, scope),
            syn::Type::Slice(it) => {
                let item = self.type_of(&it.elem, scope);
                self.intern(Instance::Slice(item))
            }
            syn::Type::Array(it) => {
                let item = self.type_of(&it.elem, scope);
                match self.int(&it.len, scope) {
                    Some(len) => self.intern(Instance::Array(item, usize::try_from(len).unwrap_or(0))),
                    None => self.unknown(ty, scope, ty.span()),
                }
            }
            syn::Type::Tuple(it) => {
                let parts = it.elems.iter().map(|t| self.type_of(t, scope)).collect();
                self.intern(Instance::Tuple(parts))
            }
            _ => self.unknown(ty, scope, ty.span()),
        }
    }

    fn unknown(&self, ty: &syn::Type, scope: &Scope, span: Span) -> Id {
        let tokens = || quote::ToTokens::to_token_stream(ty).to_string().replace(' ', "");
        let text = span.source_text().unwrap_or_else(tokens);
        if matches!(ty, syn::Type::Macro(_) | syn::Type::Path(_)) {
            return self.unseen(&text, scope, span);
        }
        let help =
            "serde cannot read or write it. Use a type for data, or leave the field out with #[serde(skip)]";
        self.report_unknown(scope, span, format!("the type `{text}` does not contain data"), help);
        self.intern(Instance::Unknown)
    }

    fn unseen(&self, name: &str, scope: &Scope, span: Span) -> Id {
        if name == "either::Either" {
            let message =
                "nothing on the field says in which of its forms serde writes `either::Either`".to_owned();
            let help = "add #[serde(with = \"either::serde_untagged\")], or use `crdgen emit --exact`";
            self.report_unknown(scope, span, message, help);
            return self.intern(Instance::Unknown);
        }
        self.report_unknown(scope, span, format!("crdgen cannot find the type `{name}` in the sources"), "if a macro or a build script generates it, use `crdgen emit --exact`. Or write the schema on the field: #[schema(as = \"Type\")], #[schema(raw = { … })] or #[schema(opaque)]");
        self.intern(Instance::Unknown)
    }

    fn report_unknown(&self, scope: &Scope, span: Span, message: String, help: &str) {
        let diag = Diag::own(&codes::UNKNOWN_TYPE, Level::Error, &Path::ROOT, message).help(help);
        let at = self.world.at_module(scope.module, span);
        self.found.add(Found { diag, at }, scope.item);
    }

    fn path_type(&self, path: &syn::Path, scope: &Scope, span: Span, depth: usize) -> Id {
        let names: Vec<String> = path.segments.iter().map(|s| plain(&s.ident)).collect();
        if depth > 64 {
            return self.unseen(&names.join("::"), scope, span);
        }
        if let [name] = names.as_slice() {
            if name == "Self"
                && let Some(this) = scope.this
            {
                return this;
            }
            if let Some((_, Argument::Type(id))) = scope.params.iter().find(|(p, _)| p == name) {
                return *id;
            }
        }
        if let [parameter, name] = names.as_slice()
            && let Some((_, Argument::Type(own))) = scope.params.iter().find(|(p, _)| p == parameter)
        {
            let found = self.associated(*own, None, name, scope, span);
            return found.unwrap_or_else(|| self.unseen(&names.join("::"), scope, span));
        }
        let leading = path.leading_colon.is_some();
        let named = self.world.resolve(scope.module, &names, leading);
        self.found.in_files(self.world.take_found());
        let is_by_schemars = named.as_ref().is_some_and(|named| self.is_by_schemars(named));
        let arguments = path.segments.last().map_or_else(Vec::new, |last| match is_by_schemars {
            // schemars generates the schema of the argument, so it is not an error if crdgen does not know it.
            true => self.allowing_unknown(|| {
                self.arguments(&last.arguments, &scope.clone().schema_by(SchemaBy::Schemars))
            }),
            false => self.arguments(&last.arguments, scope),
        });
        match named {
            Some(Named::Item(item)) => self.item_type(item, arguments, scope, span),
            Some(Named::Alias(alias, module)) => {
                let params = self.parameters(&alias.generics, arguments, module, scope.schema_by);
                self.aliased(&alias, &params, scope.schema_by, || {
                    let inner = scope.aliased(module, &params);
                    match &*alias.ty {
                        syn::Type::Path(target) if target.qself.is_none() => {
                            self.path_type(&target.path, &inner, span, depth + 1)
                        }
                        other => self.type_of(other, &inner),
                    }
                })
            }
            Some(Named::Foreign(full)) => match self.foreign_type(&full, arguments, scope, span) {
                Some(id) => id,
                None => self
                    .kind_type(scope.module, &names, leading)
                    .unwrap_or_else(|| self.unseen(&full, scope, span)),
            },
            Some(Named::Module(_) | Named::Function(..) | Named::Constant(..) | Named::Member(..)) => {
                self.unseen(&names.join("::"), scope, span)
            }
            // A type of a crate that cannot be read may still be known by its path.
            None => match known::find(&names.join("::")) {
                Some(known) if names.len() > 1 => self.known_type(known, arguments),
                _ => self
                    .kind_type(scope.module, &names, leading)
                    .unwrap_or_else(|| self.unseen(&names.join("::"), scope, span)),
            },
        }
    }

    /// The struct that a derive generates for a kind, of which the sources contain no item.
    fn kind_type(&self, module: usize, path: &[String], leading: bool) -> Option<Id> {
        let (item, kind) = {
            let world = &self.world;
            let item = world.kind_named(module, path, leading)?;
            (item, world.own_kind(item))
        };
        // The schema of the object is an impl, or that of the type itself.
        if kind.kube.schema.as_deref() == Some("manual") {
            return None;
        }
        Some(self.embedded.get(item, || self.intern(Instance::Root(self.roots.add(item, kind)))))
    }

    /// The type with a path in a crate whose source has not been read yet.
    fn foreign_type(&self, full: &str, arguments: Vec<Argument>, scope: &Scope, span: Span) -> Option<Id> {
        if let Some(known) = known::find(full).or_else(|| known::find(&without_prelude(full))) {
            return Some(self.known_type(known, arguments));
        }
        if let Some(id) = self.by_crdgen(full, &arguments) {
            return Some(id);
        }
        if let Some(ty) = kubernetes(full) {
            return Some(self.intern(Instance::Kubernetes(ty.name)));
        }
        let named = self.world.resolve_in_crate(scope.module, full);
        match named {
            Some(Named::Item(item)) => Some(self.item_type(item, arguments, scope, span)),
            Some(Named::Alias(alias, module)) => {
                let params = self.parameters(&alias.generics, arguments, module, scope.schema_by);
                Some(self.aliased(&alias, &params, scope.schema_by, || {
                    self.type_of(&alias.ty, &scope.aliased(module, &params))
                }))
            }
            _ => None,
        }
    }

    /// The type for one of crdgen's wrappers that have the schema of their argument.
    fn by_crdgen(&self, full: &str, arguments: &[Argument]) -> Option<Id> {
        let [Argument::Type(inner)] = arguments else { return None };
        let (krate, name) = ends(full);
        let same_schema = match (krate, name, self.instance(*inner)) {
            ("crdgen", "Schemars" | "Schemars08", Instance::Written(_)) => true,
            ("crdgen", "Schemars", _) if self.generated(*inner).is_ok() => {
                return Some(self.intern(Instance::BySchemars(*inner)));
            }
            ("crdgen", "Schemars" | "Schemars08", Instance::Known(..)) => true,
            ("crdgen" | "crdgen_runtime", "K8sOpenapi", Instance::Kubernetes(_)) => true,
            ("crdgen" | "crdgen_runtime", "K8sOpenapi", Instance::Known("k8s_openapi::ByteString", _)) => {
                true
            }
            _ => false,
        };
        same_schema.then_some(*inner)
    }

    /// Whether this is crdgen's wrapper for types whose schema schemars generates.
    fn is_by_schemars(&self, named: &Named) -> bool {
        let full = match named {
            Named::Item(item) => self.world.name(*item),
            Named::Foreign(full) => full.clone(),
            _ => return false,
        };
        matches!(ends(&full), ("crdgen", "Schemars" | "Schemars08"))
    }

    fn known_type(&self, known: &'static Known, arguments: Vec<Argument>) -> Id {
        let types =
            arguments.into_iter().filter_map(|a| if let Argument::Type(id) = a { Some(id) } else { None });
        self.intern(Instance::Known(known.path, types.take(known.params).collect()))
    }

    /// The schema that an impl of an item writes by hand, or schemars for the numbers of its variants, with its name.
    pub(super) fn written(&self, item: usize) -> Option<String> {
        if self.derives_renamed(item, "schemars", "JsonSchema_repr") {
            let numbers = self.numbers(item)?.into_iter().map(|(_, number)| Value::Int(number)).collect();
            let schema = [("type", Value::from("integer")), ("enum", Value::List(numbers))];
            let schema = Value::Map(schema.into_iter().collect());
            let name = plain(&self.world.item(item).input.ident);
            return Some(format!("{name}\n{}", crate::json::to_string(&schema)));
        }
        self.by_hand.get_or(item, || {
            let homes = self.world.homes(item);
            let this = Some(self.intern(Instance::Item(item, Vec::new())));
            let text = homes.into_iter().find_map(|(module, name)| self.written_in(module, &name, this));
            (text.clone(), text.is_some())
        })
    }

    /// Whether the schema of an item is written by hand. crdgen may not be able to read it.
    fn has_schema_by_hand(&self, item: usize) -> bool {
        let homes = self.world.homes(item);
        let world = &self.world;
        homes.into_iter().any(|(module, name)| world.module(module, |it| it.schemas.contains_key(&name)))
    }

    /// The same for a type by its name in a module. A derive may generate the type. `own` is the meaning of `Self`.
    pub(super) fn written_in(&self, module: usize, name: &str, own: Option<Id>) -> Option<String> {
        let block = self.world.module(module, |it| it.schemas.get(name).cloned())?;
        let this = (module, name.to_owned());
        let scope = Scope { this: own, ..Scope::new(module, Vec::new()) };
        // A schema that contains itself has no text.
        self.writing.enter(this, || self.schema_text(name, &block, &scope))?
    }

    pub(super) fn item_type(&self, item: usize, arguments: Vec<Argument>, scope: &Scope, span: Span) -> Id {
        let (name, cfgs, generics, module) = {
            let world = &self.world;
            let it = world.item(item);
            (world.name(item), world.cfg_of(item), it.input.generics.clone(), it.module)
        };
        // A type of another crate may be well-known, wherever it is defined.
        if let Some(known) = known::find(&name) {
            return self.known_type(known, arguments);
        }
        if let Some(id) = self.by_crdgen(&name, &arguments) {
            return id;
        }
        let own = |arguments| {
            let params = self.parameters(&generics, arguments, module, scope.schema_by);
            self.intern(Instance::Item(item, params.into_iter().map(|(_, a)| a).collect()))
        };
        if scope.schema_by == SchemaBy::Nobody {
            return own(arguments);
        }
        let is_of_numbers = self.derives_renamed(item, "schemars", "JsonSchema_repr");
        if is_of_numbers || !derives_schema(&self.world.item(item).input.attrs, &cfgs) {
            if self.written(item).is_some() {
                return self.intern(Instance::Written(item));
            }
            if self.is_by_schemars(&Named::Item(item)) {
                let message =
                    "crdgen cannot determine the schema that schemars generates without running code"
                        .to_owned();
                self.report_unknown(scope, span, message, "use `crdgen emit --exact`, which runs it");
            } else if self.has_schema_by_hand(item) {
                let message = self.not_evaluated(&name);
                let help = "use `crdgen emit --exact`, which runs it, or write the schema on the field: #[schema(raw = { … })] or #[schema(opaque)]";
                self.report_unknown(scope, span, message, help);
            } else {
                self.underived(&name, scope, span);
            }
            return self.intern(Instance::Unknown);
        }
        let is_by_schemars = self.derives_only_for_schemars(item);
        if is_by_schemars && scope.schema_by == SchemaBy::Crdgen && self.has_moved() {
            self.derived_for_schemars(&name, scope, span);
            return self.intern(Instance::Unknown);
        }
        let own = own(arguments);
        if !is_by_schemars || scope.schema_by == SchemaBy::Schemars {
            return own;
        }
        // Otherwise the type is read as the project's own types are.
        match self.generated(own) {
            Ok(_) => self.intern(Instance::BySchemars(own)),
            Err(_) => own,
        }
    }

    pub(super) fn underived(&self, name: &str, scope: &Scope, span: Span) {
        if self.is_by_kube() {
            let message = format!("`{name}` does not derive JsonSchema");
            let help = "add JsonSchema to its #[derive(…)]. If code implements JsonSchema for it, use `crdgen emit --exact`";
            return self.report_unknown(scope, span, message, help);
        }
        self.report_unknown(scope, span, format!("`{name}` does not derive Schema"), "add Schema to its #[derive(…)]; for a type of another crate give the schema on the field: #[schema(as = \"Type\")], #[schema(raw = { … })] or #[schema(opaque)]. If code implements Schema for it, use `crdgen emit --exact`");
    }

    /// Whether an item only derives a schema for schemars, which crdgen's derives do not see. In the project's own
    /// crate, the derive becomes crdgen's once the project has moved, but dependencies stay the same.
    pub(super) fn derives_only_for_schemars(&self, item: usize) -> bool {
        self.derives_of(item, &["JsonSchema"], "schemars")
            && !self.derives_schema_of_crdgen(item)
            && (self.world.is_of_dependency(item) || self.has_moved())
    }

    /// Whether the kinds already use crdgen's derive.
    pub(super) fn has_moved(&self) -> bool {
        *self.has_moved.get_or_init(|| {
            let kinds = self.world.kinds();
            kinds.into_iter().any(|kind| self.derives_of(kind, &["CustomResource"], "crdgen"))
        })
    }

    /// Whether an item has a derive with one of these names from a crate.
    pub(super) fn derives_of(&self, item: usize, names: &[&str], krate: &str) -> bool {
        let world = &self.world;
        let it = world.item(item);
        derive_paths(&it.input.attrs, &world.cfg_of(item)).into_iter().any(|path| {
            path.names.last().is_some_and(|last| names.contains(&last.as_str()))
                && world.spelled(it.module, &path.names).iter().any(|step| step == krate)
        })
    }

    /// Whether an item has a derive of a crate, also under another name.
    pub(super) fn derives_renamed(&self, item: usize, krate: &str, name: &str) -> bool {
        let world = &self.world;
        let it = world.item(item);
        derive_paths(&it.input.attrs, &world.cfg_of(item)).iter().any(|path| {
            let spelled = world.spelled(it.module, &path.names);
            spelled.first().is_some_and(|first| first == krate)
                && spelled.last().is_some_and(|last| last == name)
        })
    }

    /// The variants of an enum with their numbers, if all of them have no fields.
    pub(super) fn numbers(&self, item: usize) -> Option<Vec<(String, i64)>> {
        let (input, module) = {
            let it = self.world.item(item);
            (Rc::clone(&it.input), it.module)
        };
        let syn::Data::Enum(data) = &input.data else { return None };
        let mut next = Some(0);
        let one = |variant: &syn::Variant| {
            let number = match &variant.discriminant {
                Some((_, expr)) => self.eval(expr, &Scope::new(module, Vec::new())).ok()?.as_int()?,
                None => next?,
            };
            next = number.checked_add(1);
            matches!(variant.fields, syn::Fields::Unit).then(|| (plain(&variant.ident), number))
        };
        data.variants.iter().map(one).collect()
    }

    /// Whether a derive of crdgen makes the schema of an item, so that `#[schema(…)]` is an attribute there.
    pub(super) fn derives_schema_of_crdgen(&self, item: usize) -> bool {
        self.derives_of(item, &SCHEMAS, "crdgen")
    }

    /// Whether the item at a place has its attributes for schemars: those of kube-derive and not of crdgen.
    pub fn is_of_schemars(&self, at: &super::At) -> bool {
        self.item_at(at)
            .is_some_and(|item| !self.derives_schema_of_crdgen(item) && self.derives_schema_of_schemars(item))
    }

    /// Whether a derive of schemars or kube makes the schema of an item, so that `#[schemars(…)]` is an attribute there.
    pub(super) fn derives_schema_of_schemars(&self, item: usize) -> bool {
        self.derives_of(item, &["JsonSchema"], "schemars")
            || self.derives_of(item, &["KubeSchema", "CELSchema"], "kube")
    }

    pub(super) fn derived_for_schemars(&self, name: &str, scope: &Scope, span: Span) {
        self.report_unknown(
            scope,
            span,
            format!(
                "`{name}` derives `JsonSchema` of schemars, which crdgen cannot read without running code"
            ),
            "derive crdgen::kube::JsonSchema, or write #[schema(as = \"crdgen::Schemars<T>\")] on the field",
        );
    }

    /// The type parameters with their arguments, or their defaults.
    pub(super) fn parameters(
        &self,
        generics: &syn::Generics,
        arguments: Vec<Argument>,
        module: usize,
        schema_by: SchemaBy,
    ) -> Vec<(String, Argument)> {
        let mut given = arguments.into_iter();
        let mut out: Vec<(String, Argument)> = Vec::new();
        for param in &generics.params {
            match param {
                syn::GenericParam::Lifetime(_) => {}
                syn::GenericParam::Type(t) => {
                    let argument = given.next().or_else(|| {
                        let scope = Scope::new(module, out.clone()).schema_by(schema_by);
                        t.default.as_ref().map(|(_, ty)| Argument::Type(self.type_of(ty, &scope)))
                    });
                    let argument = argument.unwrap_or_else(|| Argument::Type(self.intern(Instance::Unknown)));
                    out.push((plain(&t.ident), argument));
                }
                syn::GenericParam::Const(c) => {
                    out.push((plain(&c.ident), given.next().unwrap_or(Argument::Const(0))));
                }
            }
        }
        out
    }

    pub(super) fn arguments(&self, arguments: &syn::PathArguments, scope: &Scope) -> Vec<Argument> {
        let syn::PathArguments::AngleBracketed(list) = arguments else { return Vec::new() };
        let one = |argument: &syn::GenericArgument| match argument {
            syn::GenericArgument::Type(syn::Type::Path(path))
                if path.path.get_ident().is_some_and(|i| {
                    scope.params.iter().any(|(p, a)| i == p && matches!(a, Argument::Const(_)))
                }) =>
            {
                let ident = path.path.get_ident()?;
                scope.params.iter().find(|(p, _)| ident == p).map(|(_, a)| a.clone())
            }
            // The hasher of a map does not affect the schema.
            syn::GenericArgument::Type(ty) => Some(Argument::Type(self.type_of(ty, scope))),
            syn::GenericArgument::Const(expr) => self.int(expr, scope).map(Argument::Const),
            _ => None,
        };
        list.args.iter().filter_map(one).collect()
    }

    fn int(&self, expr: &syn::Expr, scope: &Scope) -> Option<i64> {
        if let syn::Expr::Path(path) = expr
            && let Some(ident) = path.path.get_ident()
            && let Some((_, Argument::Const(n))) = scope.params.iter().find(|(p, _)| ident == p)
        {
            return Some(*n);
        }
        self.eval(expr, scope).ok()?.as_int()
    }
}

const STATUS_HELP: &str = "derive Schema for the type, or write #[schema(status_as = \"Type\")] next to #[kube(…)], or \
                           #[schema(status_as = \"crdgen::Schemars<T>\")] if only schemars knows its schema. If a macro \
                           or a build script generates the type, use `crdgen emit --exact`";

/// The first and the last segment of a path.
fn ends(path: &str) -> (&str, &str) {
    let last = path.rsplit("::").next().unwrap_or_default();
    (path.split("::").next().unwrap_or_default(), last)
}

/// The recipe for a schema that is written for schemars.
pub(super) fn by_hand(text: &str) -> Node {
    crate::recipe::json_schema::read::read_text(text)
}

impl Types for Program<'_> {
    fn open(&self, id: Id) -> Opened<'_> {
        let instance = self.instance(id);
        let (name, node) = match instance.clone() {
            Instance::Item(item, _) => {
                let lowered = self.lower(item);
                (lowered.name.to_string(), Some(lowered.node.clone()))
            }
            Instance::Known(path, _) => {
                let known = known::find(path);
                (path.to_owned(), known.map(|k| (k.node)()))
            }
            Instance::Tuple(parts) => {
                ("tuple".to_owned(), Some(Node::Tuple((0..parts.len()).map(Node::Ref).collect())))
            }
            Instance::Array(_, len) => ("array".to_owned(), Some(Node::Array(Box::new(Node::Ref(0)), len))),
            Instance::Slice(_) => ("slice".to_owned(), Some(Node::List(Box::new(Node::Ref(0))))),
            Instance::Kubernetes(name) => {
                let minor = self.world.kubernetes();
                let node = crate::k8s::find(name).map(|ty| Node::plain(ty.embedded(minor)));
                (name.to_owned(), node)
            }
            Instance::Written(item) => {
                let name = self.world.name(item);
                (name, self.written(item).map(|text| by_hand(&text)))
            }
            Instance::BySchemars(inner) => {
                ("Schemars".to_owned(), self.generated(inner).ok().map(|text| by_hand(&text)))
            }
            Instance::Root(number) => {
                let kind = self.roots.get(number);
                let root = kind.as_ref().map(|(_, kind)| &kind.kube.root);
                (root.map_or_else(String::new, |it| it.kind.clone()), root.map(recipe::Root::embedded))
            }
            Instance::Unknown => (String::new(), None),
        };
        let node = match self.as_schemars() {
            Some(schemars) => node.map(|node| schemars.rewritten(&instance, node)),
            None => node,
        };
        Opened { name: Cow::Owned(name), node: node.map(Cow::Owned) }
    }

    fn reference(&self, id: Id, number: usize) -> Option<Id> {
        self.reference_for(id, number, SchemaBy::Crdgen)
    }

    fn default(&self, id: Id, number: usize) -> Result<Option<Value>, Unknown> {
        self.code_value(id, number)
    }
}

impl Program<'_> {
    /// The type to which a type refers.
    pub(super) fn reference_for(&self, id: Id, number: usize, schema_by: SchemaBy) -> Option<Id> {
        self.references.get_or((id, number, schema_by), || {
            let (target, keep) = self.remember(|| self.refer(id, number, schema_by));
            (target, keep && target.is_some())
        })
    }

    fn refer(&self, id: Id, number: usize, schema_by: SchemaBy) -> Option<Id> {
        match self.instance(id) {
            Instance::Item(item, _) => {
                let lowered = self.lower(item);
                Some(self.type_of(lowered.refs.get(number)?, &self.scope(id)?.schema_by(schema_by)))
            }
            Instance::Known(_, parts) | Instance::Tuple(parts) => parts.get(number).copied(),
            Instance::Array(item, _) | Instance::Slice(item) => Some(item),
            Instance::Root(number_of_root) => {
                let (item, kind) = self.roots.get(number_of_root)?;
                let (module, generics) = {
                    let world = &self.world;
                    (world.item(item).module, world.item(item).input.generics.clone())
                };
                if number == 0 {
                    let params = self.parameters(&generics, Vec::new(), module, schema_by);
                    let arguments = params.into_iter().map(|(_, argument)| argument).collect();
                    return Some(self.intern(Instance::Item(item, arguments)));
                }
                let status = kind.status_as.as_ref().or(kind.status.as_ref())?;
                let scope = Scope { item: Some(item), ..Scope::new(module, Vec::new()) }.schema_by(schema_by);
                let (id, mut errors) = self.found.apart(|| self.type_of(status, &scope));
                // The usual help suggests an attribute on the field, but a status has no field.
                for unknown in &mut errors {
                    unknown.found.diag.help = Some(STATUS_HELP.to_owned());
                }
                self.found.extend(errors);
                Some(id)
            }
            Instance::Kubernetes(_) => None,
            Instance::Written(_) | Instance::BySchemars(_) | Instance::Unknown => None,
        }
    }
}
