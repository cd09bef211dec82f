//! Values of the program's own types, as serde writes them: variants, structs, and their defaults.

use super::{Eval, Known, MAX_DEPTH, unknown};
use crate::modules::derives;
use crate::named::Named;
use crate::recipe::Unknown;
use crate::types::{Id, Instance, Local, Scope};
use crate::value::{Map, Value};
use crdgen_rust::attrs::{self, place};
use crdgen_rust::lower::{cfg_enabled, plain};
use crdgen_rust::names::Case;
use quote::ToTokens;
use syn::Expr;

/// The values of fields, by name or number, with the scopes of their code.
pub(super) type Given<'g> = dyn Fn(&str) -> Option<(Expr, Scope)> + 'g;

/// The value of a field in a literal of a struct or variant.
fn given(it: &syn::ExprStruct, name: &str) -> Option<Expr> {
    let is_it = |member: &syn::Member| match member {
        syn::Member::Named(own) => plain(own) == name,
        syn::Member::Unnamed(number) => number.index.to_string() == name,
    };
    it.fields.iter().find(|field| is_it(&field.member)).map(|field| field.expr.clone())
}

/// What the attributes of a type say about its fields, and where these are.
#[derive(Clone, Copy)]
struct FieldAttributes<'f> {
    case: Option<Case>,
    transparent: bool,
    scope: &'f Scope,
    /// Whether a condition of `cfg_attr` is true there.
    enabled: &'f dyn Fn(&proc_macro2::TokenStream) -> bool,
}

impl Eval<'_, '_> {
    /// A variant as serde writes it.
    pub(super) fn variant(&self, item: usize, name: &str, inner: Option<Value>) -> Option<Known> {
        let (input, cfg) = self.program.world.input(item);
        let syn::Data::Enum(data) = &input.data else { return None };
        let variant = data.variants.iter().find(|v| plain(&v.ident) == name)?;
        if self.program.derives_renamed(item, "serde_repr", "Serialize_repr") {
            let number = self.program.numbers(item)?.into_iter().find(|(own, _)| own == name)?.1;
            return Some(Ok(Value::Int(number)));
        }
        // crdgen does not know which variant code of `serialize` would write.
        if let Some((_, block)) = self.implemented(item, |home, of| home.serializers.get(&of).cloned()) {
            return Some(unknown(&*block));
        }
        let enabled = |tokens: &proc_macro2::TokenStream| cfg.enabled(tokens);
        let outer = attrs::peek(&input.attrs, place::TYPES, &enabled).serde;
        let own = attrs::peek(&variant.attrs, place::VARIANT, &enabled).serde;
        let wire =
            own.rename.unwrap_or_else(|| outer.rename_all.map_or(name.to_owned(), |c| c.variant(name)));
        let one = |k: &str, v: Value| Value::Map(std::iter::once((k, v)).collect::<Map<_>>());
        if outer.into.is_some() || outer.from.is_some() || self.is_written_as_displayed(item) {
            return Some(unknown(&variant.ident));
        }
        Some(Ok(match (&outer.tag, &outer.content, outer.untagged || own.untagged, inner) {
            (_, _, true, inner) => inner.unwrap_or(Value::Null),
            (None, _, _, None) => Value::Str(wire),
            (None, _, _, Some(inner)) => one(&wire, inner),
            (Some(tag), None, _, None) => one(tag, Value::Str(wire)),
            (Some(tag), None, _, Some(Value::Map(mut inner))) => {
                inner.insert(tag.as_str(), Value::Str(wire));
                Value::Map(inner)
            }
            (Some(tag), Some(_), _, None) => one(tag, Value::Str(wire)),
            (Some(tag), Some(content), _, Some(inner)) => Value::Map(
                [(tag.as_str(), Value::Str(wire)), (content.as_str(), inner)].into_iter().collect::<Map<_>>(),
            ),
            (Some(_), None, _, Some(_)) => return Some(unknown(&variant.ident)),
        }))
    }

    /// `Default::default()` of a type, as serde writes it.
    pub(super) fn default(&self, id: Id, depth: usize) -> Known {
        if depth > MAX_DEPTH {
            return Err(Unknown::TooDeep);
        }
        self.effort().step()?;
        match self.program.value_instance(id) {
            Instance::Known(path, parts) => match path {
                "std::option::Option" => Ok(Value::Null),
                "std::boxed::Box" | "std::sync::Arc" | "std::rc::Rc" | "std::borrow::Cow" => {
                    match parts.first() {
                        Some(inner) => self.default(*inner, depth + 1),
                        None => Ok(Value::Null),
                    }
                }
                "std::string::String" | "str" | "std::path::PathBuf" => Ok(Value::from("")),
                "bool" => Ok(Value::Bool(false)),
                "f32" | "f64" => Ok(Value::Float(0.0)),
                "serde_json::Value" => Ok(Value::Null),
                "char" => Ok(Value::from("\0")),
                "std::time::Duration" => Ok(Value::Map(
                    [("secs", Value::Int(0)), ("nanos", Value::Int(0))].into_iter().collect::<Map<_>>(),
                )),
                p if p.starts_with(['i', 'u']) && !p.contains(':') => Ok(Value::Int(0)),
                p if ["Vec", "VecDeque", "LinkedList", "BinaryHeap", "Set"]
                    .iter()
                    .any(|e| p.ends_with(e)) =>
                {
                    Ok(Value::List(Vec::new()))
                }
                p if p.ends_with("Map") => Ok(Value::Map(Map::new())),
                p => Err(Unknown::Default(Some(p.to_owned()))),
            },
            Instance::Item(item, _) => self.item_default(id, item, depth),
            Instance::Tuple(parts) if parts.is_empty() => Ok(Value::Null),
            Instance::Tuple(parts) => {
                parts.iter().map(|p| self.default(*p, depth + 1)).collect::<Result<_, _>>().map(Value::List)
            }
            Instance::Array(item, len) if len <= 32 => {
                (0..len).map(|_| self.default(item, depth + 1)).collect::<Result<_, _>>().map(Value::List)
            }
            Instance::Kubernetes(name) => match default_of_kubernetes(name) {
                Some(value) => Ok(Value::Map(value)),
                None => Err(Unknown::Default(Some(name.to_owned()))),
            },
            Instance::Written(item) => {
                self.item_default(self.program.intern(Instance::Item(item, Vec::new())), item, depth)
            }
            Instance::Array(..)
            | Instance::Slice(_)
            | Instance::BySchemars(_)
            | Instance::Root(_)
            | Instance::Unknown => Err(Unknown::Default(None)),
        }
    }

    fn item_default(&self, id: Id, item: usize, depth: usize) -> Known {
        let (input, cfg) = self.program.world.input(item);
        let Some(scope) = self.scope_inside(id) else { return unknown(&input.ident) };
        if let Some((module, block)) = self.implemented(item, |home, of| home.defaults.get(&of).cloned()) {
            return self.block(&block, &Scope { module, ..scope }, Some(id), depth + 1);
        }
        if !derives(&input.attrs, &cfg).iter().any(|d| d == "Default") && !has_default_of_educe(&input) {
            let is_enum = matches!(input.data, syn::Data::Enum(_));
            return Err(Unknown::NoDefault { ty: plain(&input.ident), is_enum });
        }
        match &input.data {
            syn::Data::Enum(data) => {
                let chosen =
                    data.variants.iter().find(|v| v.attrs.iter().any(|a| a.path().is_ident("default")));
                match chosen {
                    Some(v) => {
                        self.variant(item, &plain(&v.ident), None).unwrap_or_else(|| unknown(&v.ident))
                    }
                    None => Err(Unknown::NoVariant(plain(&input.ident))),
                }
            }
            syn::Data::Struct(_) => self.written(item, id, &|_| None, depth),
            syn::Data::Union(_) => unknown(&input.ident),
        }
    }

    pub(super) fn structure(
        &self,
        it: &syn::ExprStruct,
        scope: &Scope,
        _wanted: Option<Id>,
        depth: usize,
    ) -> Known {
        if let Some(Named::Member(of, name)) = self.named(&it.path, scope)
            && let Named::Item(item) = *of
        {
            let given = |name: &str| given(it, name).map(|expr| (expr, scope.clone()));
            return match it.rest {
                None => self.variant_of(item, &name, &given, depth).unwrap_or_else(|| unknown(it)),
                Some(_) => unknown(it),
            };
        }
        let own = it.path.is_ident("Self");
        let id = match scope.this {
            Some(this) if own => this,
            _ => {
                let path = &it.path;
                self.program.type_of(&syn::parse_quote!(#path), scope)
            }
        };
        if let Some(rest) = &it.rest {
            let text = rest.to_token_stream().to_string().replace(' ', "");
            if !text.ends_with("default()") {
                return unknown(rest);
            }
        }
        let item = match self.program.value_instance(id) {
            Instance::Item(item, _) => item,
            Instance::Kubernetes(name) => return self.of_kubernetes(name, it, scope, depth),
            _ => return unknown(it),
        };
        self.written(item, id, &|name| given(it, name).map(|expr| (expr, scope.clone())), depth)
    }

    /// A variant with these fields by name or number, as serde writes it.
    pub(super) fn variant_of(
        &self,
        item: usize,
        name: &str,
        given: &Given<'_>,
        depth: usize,
    ) -> Option<Known> {
        let (input, cfg) = self.program.world.input(item);
        let syn::Data::Enum(data) = &input.data else { return None };
        let variant = data.variants.iter().find(|v| plain(&v.ident) == name)?;
        let enabled = |tokens: &proc_macro2::TokenStream| cfg.enabled(tokens);
        let outer = attrs::peek(&input.attrs, place::TYPES, &enabled).serde;
        let own = attrs::peek(&variant.attrs, place::VARIANT, &enabled).serde;
        // The type parameters of the enum are not known here.
        let id = self.program.intern(Instance::Item(item, Vec::new()));
        let scope = self.scope_inside(id)?;
        let case = own.rename_all.or(outer.rename_all_fields);
        let container = FieldAttributes { case, transparent: false, scope: &scope, enabled: &enabled };
        let fields = self.quietly(|| self.fields(&variant.fields, container, given, depth));
        Some(match fields {
            Ok(inner) => self.variant(item, name, inner)?,
            Err(why) => Err(why),
        })
    }

    /// The default of a type of another crate that serde does not know.
    fn default_of_foreign(&self, ty: &syn::Type, scope: &Scope) -> Option<Value> {
        let syn::Type::Path(syn::TypePath { qself: None, path, .. }) = ty else { return None };
        let is_set = path.segments.last().is_some_and(|last| last.ident == "RegexSet")
            && match self.named(path, scope)? {
                Named::Item(item) => self.program.world.is_of_crate(item, "regex"),
                Named::Foreign(full) => full.starts_with("regex::"),
                _ => false,
            };
        is_set.then(|| Value::List(Vec::new()))
    }

    /// A struct of k8s-openapi. Its fields have the API's names in another case, and it does not write fields that are
    /// `None`.
    fn of_kubernetes(&self, name: &str, it: &syn::ExprStruct, scope: &Scope, depth: usize) -> Known {
        let Some(schema) = crate::k8s::shallow(name) else { return unknown(it) };
        let letters = |name: &str| name.replace(['_', '$'], "").to_lowercase();
        let mut out = Map::new();
        for field in &it.fields {
            let syn::Member::Named(ident) = &field.member else { return unknown(it) };
            let own = letters(&plain(ident));
            let known = schema.properties.iter().map(|(property, _)| property);
            let Some(property) = known.into_iter().find(|property| letters(property) == own) else {
                return unknown(it);
            };
            let value = self.expr(&field.expr, scope, None, depth + 1)?;
            if !value.is_null() {
                out.insert(property, value);
            }
        }
        Ok(Value::Map(out))
    }

    /// A struct as serde writes it, with the given fields by name or number, and the defaults of the others.
    pub(super) fn written(&self, item: usize, id: Id, given: &Given<'_>, depth: usize) -> Known {
        let (input, cfg) = self.program.world.input(item);
        let enabled = |tokens: &proc_macro2::TokenStream| cfg.enabled(tokens);
        let syn::Data::Struct(data) = &input.data else { return unknown(&input.ident) };
        let Some(scope) = self.scope_inside(id) else { return unknown(&input.ident) };
        let outer = attrs::peek(&input.attrs, place::TYPES, &enabled).serde;
        if outer.into.is_some() || outer.from.is_some() || self.is_written_as_displayed(item) {
            return unknown(&input.ident);
        }
        let (case, transparent) = (outer.rename_all, outer.transparent);
        let container = FieldAttributes { case, transparent, scope: &scope, enabled: &enabled };
        let inner = self.fields(&data.fields, container, given, depth)?;
        if let Some((module, block)) = self.implemented(item, |home, of| home.serializers.get(&of).cloned()) {
            return self.serialized(&block, inner, &self.scope_of(id, module), depth);
        }
        match (inner, outer.tag) {
            (None, None) => Ok(Value::Map(Map::new())),
            (None, Some(tag)) => Ok(Value::Map(
                std::iter::once((tag, Value::Str(outer.rename.unwrap_or_else(|| plain(&input.ident)))))
                    .collect(),
            )),
            (Some(Value::Map(mut map)), Some(tag)) if matches!(data.fields, syn::Fields::Named(_)) => {
                map.insert(tag, Value::Str(outer.rename.unwrap_or_else(|| plain(&input.ident))));
                Ok(Value::Map(map))
            }
            (Some(value), _) => Ok(value),
        }
    }

    /// Whether serde writes what the `Display` of a type returns, which crdgen does not run.
    fn is_written_as_displayed(&self, item: usize) -> bool {
        self.program.derives_renamed(item, "serde_with", "SerializeDisplay")
    }

    /// What a `serialize` that is written by hand writes, if it writes another value: `self.0.serialize(serializer)`.
    fn serialized(&self, block: &syn::Block, inner: Option<Value>, scope: &Scope, depth: usize) -> Known {
        let ([syn::Stmt::Expr(Expr::MethodCall(call), None)], Some(inner)) = (block.stmts.as_slice(), inner)
        else {
            return unknown(block);
        };
        if call.method != "serialize" {
            return unknown(block);
        }
        let own = Local { name: "self".to_owned(), ty: scope.this, value: std::rc::Rc::new(inner) };
        let scope = Scope { locals: vec![own], ..scope.clone() };
        self.expr(&call.receiver, &scope, None, depth + 1)
    }

    /// The fields of a struct or variant as serde writes them, with the given ones by name or number, and the defaults of
    /// the others. `None` if there are none.
    fn fields(
        &self,
        all: &syn::Fields,
        container: FieldAttributes<'_>,
        given: &Given<'_>,
        depth: usize,
    ) -> Result<Option<Value>, Unknown> {
        let FieldAttributes { case, transparent, scope, enabled } = container;
        let mut out: Vec<(String, Value)> = Vec::new();
        let mut unnamed: Vec<Value> = Vec::new();
        if matches!(all, syn::Fields::Unit) {
            return Ok(None);
        }
        for (number, field) in all.iter().enumerate() {
            if !cfg_enabled(&field.attrs, enabled) {
                continue;
            }
            let own = attrs::peek(&field.attrs, place::FIELD, enabled).serde;
            let ident = field.ident.as_ref().map(|i| i.to_string().trim_start_matches("r#").to_owned());
            if own.skip_serializing {
                continue;
            }
            // An attribute may give the schema of the field, so crdgen need not know its type.
            let ty = self.quietly(|| self.program.type_of(&field.ty, scope));
            let value = match given(&ident.clone().unwrap_or_else(|| number.to_string())) {
                Some((expr, scope)) => self.expr(&expr, &scope, Some(ty), depth + 1)?,
                None => match self.default_of_foreign(&field.ty, scope) {
                    Some(value) => value,
                    None => self.default(ty, depth + 1)?,
                },
            };
            if own.serialize_with.is_some() && !value.is_null() {
                return unknown(&field.ty);
            }
            let Some(ident) = ident else {
                unnamed.push(value);
                continue;
            };
            if transparent {
                return Ok(Some(value));
            }
            if let Some(skip) = &own.skip_if
                && self.skips(skip, &value, ty, scope)?
            {
                continue;
            }
            if own.flatten {
                if let Value::Map(inner) = value {
                    out.extend(inner);
                }
                continue;
            }
            let name = own.rename.unwrap_or_else(|| case.map_or(ident.clone(), |c| c.field(&ident)));
            out.push((name, value));
        }
        Ok(Some(match all {
            // A newtype is written as its inner value.
            syn::Fields::Unnamed(it) if it.unnamed.len() == 1 && unnamed.len() == 1 => unnamed.remove(0),
            syn::Fields::Unnamed(_) => Value::List(unnamed),
            syn::Fields::Named(_) | syn::Fields::Unit => Value::Map(out.into_iter().collect()),
        }))
    }
}

/// Whether educe derives a `Default` that is the same as Rust's.
fn has_default_of_educe(input: &syn::DeriveInput) -> bool {
    let of_educe = |attrs: &[syn::Attribute]| attrs.iter().any(|attr| attr.path().is_ident("educe"));
    let syn::Data::Struct(data) = &input.data else { return false };
    let is_default = |part: &Vec<proc_macro2::TokenTree>| matches!(part.first(), Some(proc_macro2::TokenTree::Ident(name)) if name == "Default");
    !data.fields.iter().any(|field| of_educe(&field.attrs))
        && input.attrs.iter().any(|attr| match &attr.meta {
            syn::Meta::List(list) if list.path.is_ident("educe") => {
                attrs::meta::split(list.tokens.clone()).iter().any(is_default)
                    && !list.tokens.to_string().contains("expression")
            }
            syn::Meta::List(_) | syn::Meta::Path(_) | syn::Meta::NameValue(_) => false,
        })
}

/// What k8s-openapi writes for the default of one of Kubernetes' own types: the fields that are always there. These are the
/// version, kind and metadata of a whole object. Those that the schema requires or has a default for are unknown.
fn default_of_kubernetes(name: &str) -> Option<Map<Value>> {
    let schema = crate::k8s::shallow(name)?;
    let is_object = schema.ty == Some(crate::ir::Type::Object);
    if !is_object
        || !schema.limits.required.is_empty()
        || schema.properties.iter().any(|(_, field)| field.default.is_some())
    {
        return None;
    }
    if !["apiVersion", "kind", "metadata"].iter().all(|key| schema.properties.contains_key(key)) {
        return Some(Map::new());
    }
    let (version, kind) = super::foreign::version_and_kind(name)?;
    let metadata = Value::Map(Map::new());
    Some(
        [("apiVersion", version.into()), ("kind", kind.into()), ("metadata", metadata)].into_iter().collect(),
    )
}
