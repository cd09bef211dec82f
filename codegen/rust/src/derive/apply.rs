//! `#[derive(Apply)]`: the partner of a type for server-side apply, in which each field may be missing.

use super::tokens::krate;
use crate::attrs::{self, Attrs, place};
use crate::recipe::Root;
use crate::{Kind, Report, input, kind};
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::Token;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;

/// Generates the code of `#[derive(Apply)]`.
pub fn apply(input: TokenStream) -> TokenStream {
    let input = match input::parse(input) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    Item::new(&input).and_then(|item| item.code()).unwrap_or_else(|error| error.to_compile_error())
}

/// The item, and what its attributes say. Mistakes in the attributes of other derives are theirs to report.
struct Item<'a> {
    input: &'a syn::DeriveInput,
    attrs: Attrs,
    crdgen: syn::Path,
    partner: syn::Ident,
    /// Who applies a value applies all of it.
    is_whole: bool,
}

/// A field of the partner.
struct Field<'a> {
    field: &'a syn::Field,
    /// The type of the value, without the option around it.
    config: TokenStream,
    /// Attributes that the partner has too.
    kept: Vec<TokenStream>,
    is_key: bool,
    /// The whole value is applied, as its type is.
    is_whole: bool,
    merge: Merge,
}

/// How a field is merged with what is there.
enum Merge {
    /// As its type says.
    Inside,
    /// The value replaces what is there.
    Replace,
    Set,
    /// Items with the same keys are merged.
    Items(Vec<String>),
    /// Items replace those with the same keys.
    WholeItems(Vec<String>),
}

/// What `#[apply(…)]` says.
#[derive(Default)]
struct Keys {
    key: bool,
    whole: bool,
}

/// A key of `#[apply(…)]`.
struct Key {
    name: &'static str,
    /// Where it belongs.
    places: &'static str,
    meaning: &'static str,
    set: fn(&mut Keys),
}

const KEYS: [Key; 2] = [
    Key {
        name: "key",
        places: "fields",
        meaning: "The field identifies the items of a list with `list_type = \"map\"`. The partner requires it, unless its type is an `Option`.",
        set: |keys| keys.key = true,
    },
    Key {
        name: "whole",
        places: "types, fields, variants with one value",
        meaning: "Who applies the value applies all of it. The type of the value needs no partner.",
        set: |keys| keys.whole = true,
    },
];

impl Keys {
    fn read(attributes: &[syn::Attribute]) -> syn::Result<Keys> {
        let mut keys = Keys::default();
        for attribute in attributes.iter().filter(|it| it.path().is_ident("apply")) {
            attribute.parse_nested_meta(|meta| {
                let Some(known) = KEYS.iter().find(|key| meta.path.is_ident(key.name)) else {
                    return Err(meta.error("unknown key. Write `key` or `whole`."));
                };
                (known.set)(&mut keys);
                Ok(())
            })?;
        }
        Ok(keys)
    }
}

/// Returns the reference of `#[apply(…)]` as Markdown.
pub fn reference() -> String {
    let head = "\
## `#[apply(…)]`

`#[derive(Apply)]` (feature `apply`) gives a type a partner for server-side apply, in which each field may be missing: see
[APPLY.md](APPLY.md). Lists and maps merge by their `list_type`, `list_map_keys` and `map_type` in `#[schema(…)]`.

| key | on | meaning |
| --- | --- | --- |
";
    let row = |Key { name, places, meaning, .. }: &Key| format!("| `{name}` | {places} | {meaning} |\n");
    let rows = KEYS.iter().map(row);
    format!("{head}{}", rows.collect::<String>())
}

fn read(attributes: &[syn::Attribute], place: u8) -> Attrs {
    attrs::read(attributes, place, &mut Report::default(), &mut Vec::new(), &|_| true, false)
}

/// Whether a type is written as an option.
fn inside_option(ty: &syn::Type) -> Option<&syn::Type> {
    let syn::Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        syn::GenericArgument::Type(inside) if last.ident == "Option" => Some(inside),
        _ => None,
    }
}

/// The attributes of serde that the partner has too. A field that may be missing needs neither a default, nor a condition.
fn kept(attributes: &[syn::Attribute], keep: &[&str]) -> Vec<TokenStream> {
    let mut kept = Vec::new();
    for attribute in attributes {
        if attribute.path().is_ident("doc") || attribute.path().is_ident("cfg") {
            kept.push(attribute.to_token_stream());
        }
        if !attribute.path().is_ident("serde") {
            continue;
        }
        // serde reports what it cannot read.
        let metas = attribute.parse_args_with(Punctuated::<syn::Meta, Token![,]>::parse_terminated);
        for meta in metas.into_iter().flatten() {
            if meta.path().get_ident().is_some_and(|name| keep.iter().any(|it| name == it)) {
                kept.push(quote!(#[serde(#meta)]));
            }
        }
    }
    kept
}

const OF_TYPES: [&str; 7] =
    ["rename_all", "rename_all_fields", "tag", "content", "untagged", "crate", "deny_unknown_fields"];
const OF_FIELDS: [&str; 3] = ["rename", "alias", "flatten"];
/// What a field keeps too if its partner has the same type.
const OF_SAME_FIELDS: [&str; 6] =
    ["rename", "alias", "flatten", "with", "serialize_with", "deserialize_with"];
const OF_VARIANTS: [&str; 3] = ["rename", "alias", "rename_all"];

impl<'a> Item<'a> {
    fn new(input: &'a syn::DeriveInput) -> syn::Result<Item<'a>> {
        if let Some(parameter) = input.generics.params.first() {
            let text = "`Apply` cannot be derived for types with generics. Derive it for a type that names its types.";
            return Err(syn::Error::new(parameter.span(), text));
        }
        let attrs = read(&input.attrs, place::TYPE);
        let crdgen = krate(attrs.krate.as_ref());
        let keys = Keys::read(&input.attrs)?;
        if keys.key {
            let text = "`key` belongs on a field that identifies the items of a list";
            return Err(syn::Error::new(input.ident.span(), text));
        }
        Ok(Item {
            input,
            attrs,
            crdgen,
            partner: format_ident!("{}Apply", input.ident),
            is_whole: keys.whole,
        })
    }

    fn code(&self) -> syn::Result<TokenStream> {
        match &self.input.data {
            syn::Data::Struct(_) | syn::Data::Enum(_) if self.is_whole => Ok(self.whole()),
            syn::Data::Struct(syn::DataStruct { fields: syn::Fields::Named(fields), .. }) => {
                let fields = self.fields(fields)?;
                let (structure, root) = (self.structure(&fields), self.root());
                Ok(quote!(#structure #root))
            }
            syn::Data::Enum(of) if of.variants.iter().all(|it| it.fields.is_empty()) => Ok(self.whole()),
            syn::Data::Enum(of) => self.union(of),
            syn::Data::Struct(_) => Ok(self.whole()),
            syn::Data::Union(of) => {
                Err(syn::Error::new(of.union_token.span, "`Apply` cannot be derived for unions of Rust"))
            }
        }
    }

    fn fields(&self, fields: &'a syn::FieldsNamed) -> syn::Result<Vec<Field<'a>>> {
        let mut all = Vec::new();
        let is_object = self.whole_kind().is_some();
        for field in &fields.named {
            let attrs = read(&field.attrs, place::FIELD);
            let read = self.field(field, &attrs)?;
            let is_not_written = attrs.serde.skip_serializing && attrs.serde.skip_deserializing;
            // The server drops fields that are not in the schema, except metadata of objects and of embedded resources.
            if is_not_written || attrs.skip && !read.is_whole && !is_object {
                continue;
            }
            let function = attrs.serde.serialize_with.as_ref().or(attrs.serde.deserialize_with.as_ref());
            if let Some((path, _)) = function.filter(|_| !read.has_the_same_type()) {
                let text = "`Apply` does not know how a function writes this field. Give it a type that implements \
                            `Serialize` and `Deserialize` itself. If the type is an `Option`, `#[apply(whole)]` is enough.";
                return Err(syn::Error::new(path.span(), text));
            }
            all.push(read);
        }
        Ok(all)
    }

    fn field(&self, field: &'a syn::Field, attrs: &Attrs) -> syn::Result<Field<'a>> {
        let Keys { key: is_key, whole: is_whole } = Keys::read(&field.attrs)?;
        let (ty, crdgen) = (&field.ty, &self.crdgen);
        // Keys are scalars.
        let whole = is_whole || is_key;
        let config = match inside_option(ty) {
            Some(inside) if whole => inside.to_token_stream(),
            None if whole => ty.to_token_stream(),
            _ => quote!(<#ty as #crdgen::apply::Apply>::Config),
        };
        let ext = &attrs.patch.set.ext;
        let merge = match (ext.list_type.as_deref(), ext.map_type.as_deref()) {
            (Some("map"), _) if is_whole => Merge::WholeItems(ext.list_map_keys.clone()),
            (Some("map"), _) => Merge::Items(ext.list_map_keys.clone()),
            (Some("set"), _) => Merge::Set,
            (Some(_), _) | (_, Some("atomic")) => Merge::Replace,
            _ if whole => Merge::Replace,
            _ => Merge::Inside,
        };
        let mut read = Field { field, config, kept: Vec::new(), is_key, is_whole, merge };
        let keep: &[&str] = if read.has_the_same_type() { &OF_SAME_FIELDS } else { &OF_FIELDS };
        read.kept = kept(&field.attrs, keep);
        Ok(read)
    }

    /// The partner of a struct.
    fn structure(&self, fields: &[Field<'_>]) -> TokenStream {
        let Item { input, crdgen, partner, .. } = self;
        let (name, visibility) = (&input.ident, &input.vis);
        let (required, optional): (Vec<_>, Vec<_>) = fields.iter().partition(|it| it.is_required());
        let doc = format!("What a manager applies of [`{name}`]: the fields that are set.");
        let container = kept(&input.attrs, &OF_TYPES).into_iter().filter(|it| !is_doc(it));
        let default = required.is_empty().then(|| quote!(#[derive(::core::default::Default)]));
        let declared = fields.iter().map(|it| it.declared());
        let required_names: Vec<_> = required.iter().map(|it| &it.field.ident).collect();
        let required_types: Vec<_> = required.iter().map(|it| &it.config).collect();
        let optional_names: Vec<_> = optional.iter().map(|it| &it.field.ident).collect();
        let builders = optional.iter().map(|it| it.builder());
        let from = fields.iter().map(|it| it.from(crdgen));
        let merges = fields.iter().map(|it| it.merge(crdgen));
        let merge = match self.attrs.patch.set.ext.map_type.as_deref() {
            Some("atomic") => quote!(*self = applied;),
            _ => quote!(#(#merges)*),
        };
        let keys = fields.iter().filter(|it| it.is_key).map(|it| it.name_in_json(&self.attrs));
        let checks = fields.iter().filter_map(|it| it.check(crdgen));
        let kind = self.whole_kind();
        // A CRD may restrict the type of its own objects.
        let names_type = fields.iter().any(|it| it.name_in_json(&self.attrs) == "apiVersion");
        let default = default.filter(|_| kind.is_none());
        let Type { declared: type_declared, set: type_set } =
            kind.as_ref().filter(|_| !names_type).map(|of| Type::of(&of.kube.root)).unwrap_or_default();
        let configuration =
            kind.map(|_| quote!(impl #crdgen::apply::Configuration for #partner { type Object = #name; }));
        quote! {
            #[doc = #doc]
            #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq)]
            #[derive(::serde::Serialize, ::serde::Deserialize)]
            #default
            #(#container)*
            #visibility struct #partner { #type_declared #(#declared,)* }
            #[allow(dead_code)]
            impl #partner {
                /// Creates a configuration that sets nothing else.
                #visibility fn new(#(#required_names: impl ::core::convert::Into<#required_types>),*) -> Self {
                    Self {
                        #type_set
                        #(#required_names: ::core::convert::Into::into(#required_names),)*
                        #(#optional_names: ::core::option::Option::None,)*
                    }
                }
                #(#builders)*
            }
            impl #crdgen::apply::Apply for #name {
                type Config = #partner;
                const KEYS: &'static [&'static str] = &[#(#keys),*];
                fn into_config(self) -> ::core::option::Option<#partner> {
                    ::core::option::Option::Some(::core::convert::From::from(self))
                }
            }
            impl ::core::convert::From<#name> for #partner {
                fn from(it: #name) -> Self { Self { #type_set #(#from,)* } }
            }
            #configuration
            impl #crdgen::apply::Merge for #partner {
                fn merge(&mut self, applied: Self) { #merge }
            }
            #(#checks)*
        }
    }

    /// A type that is applied as a whole.
    fn whole(&self) -> TokenStream {
        let (name, crdgen) = (&self.input.ident, &self.crdgen);
        quote! {
            impl #crdgen::apply::Apply for #name {
                type Config = Self;
                fn into_config(self) -> ::core::option::Option<Self> { ::core::option::Option::Some(self) }
            }
            impl #crdgen::apply::Merge for #name {
                fn merge(&mut self, applied: Self) { *self = applied; }
            }
        }
    }

    /// The partner of an enum whose variants have values. It has the same variants, so exactly one is set.
    fn union(&self, of: &syn::DataEnum) -> syn::Result<TokenStream> {
        let Item { input, crdgen, partner, .. } = self;
        let (name, visibility) = (&input.ident, &input.vis);
        let doc = format!("What a manager applies of [`{name}`].");
        let container = kept(&input.attrs, &OF_TYPES).into_iter().filter(|it| !is_doc(it));
        let (mut declared, mut converted, mut merged) = (Vec::new(), Vec::new(), Vec::new());
        for variant in &of.variants {
            let (case, kept) = (&variant.ident, kept(&variant.attrs, &OF_VARIANTS));
            let is_whole = Keys::read(&variant.attrs)?.whole;
            match &variant.fields {
                syn::Fields::Unit => {
                    declared.push(quote!(#(#kept)* #case));
                    converted.push(quote!(#name::#case => #partner::#case));
                }
                syn::Fields::Unnamed(fields) if fields.unnamed.len() == 1 && is_whole => {
                    let ty = &fields.unnamed[0].ty;
                    declared.push(quote!(#(#kept)* #case(#ty)));
                    converted.push(quote!(#name::#case(it) => #partner::#case(it)));
                }
                syn::Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                    let ty = &fields.unnamed[0].ty;
                    declared.push(quote!(#(#kept)* #case(<#ty as #crdgen::apply::Apply>::Config)));
                    converted.push(
                        quote!(#name::#case(it) => #partner::#case(#crdgen::apply::Apply::into_config(it)?)),
                    );
                    merged.push(quote! {
                        (#partner::#case(it), #partner::#case(applied)) => #crdgen::apply::Merge::merge(it, applied),
                    });
                }
                syn::Fields::Unnamed(_) | syn::Fields::Named(_) => {
                    let text = "`Apply` needs variants with one value. Move the fields to a struct, and derive `Apply` \
                                for it.";
                    return Err(syn::Error::new(variant.fields.span(), text));
                }
            }
        }
        Ok(quote! {
            #[doc = #doc]
            #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq)]
            #[derive(::serde::Serialize, ::serde::Deserialize)]
            #(#container)*
            #visibility enum #partner { #(#declared,)* }
            impl #crdgen::apply::Apply for #name {
                type Config = #partner;
                fn into_config(self) -> ::core::option::Option<#partner> {
                    ::core::option::Option::Some(match self { #(#converted,)* })
                }
            }
            impl #crdgen::apply::Merge for #partner {
                fn merge(&mut self, applied: Self) {
                    match (self, applied) {
                        #(#merged)*
                        (it, applied) => *it = applied,
                    }
                }
            }
        })
    }

    /// The kind of the item, if it has one.
    fn kind(&self) -> Option<Kind> {
        if !self.input.attrs.iter().any(|it| it.path().is_ident("kube")) {
            return None;
        }
        let of = kind(self.input, &|_| true, &mut Report::default());
        (!of.kube.root.kind.is_empty()).then_some(of)
    }

    /// The kind of the item, if the item is the whole object.
    fn whole_kind(&self) -> Option<Kind> {
        self.kind().filter(|of| self.input.ident == of.own_name())
    }

    /// The configuration of a whole object, if the item is the spec of a kind.
    fn root(&self) -> Option<TokenStream> {
        let Item { input, crdgen, .. } = self;
        let of = self.kind().filter(|of| !of.kube.root.whole && input.ident != of.own_name())?;
        let root = &of.kube.root;
        let (object, visibility) = (format_ident!("{}", of.own_name()), &input.vis);
        let partner = format_ident!("{object}Apply");
        let doc = format!("What a manager applies of a [`{object}`]. It can be sent as it is.");
        let Type { declared: type_declared, set: type_set } = Type::of(root);
        let spec = self.part("spec", &self.input.ident.to_token_stream());
        let status = of.status.as_ref().map(|status| self.part("status", &status.to_token_stream()));
        let parts: Vec<_> = [Some(spec), status].into_iter().flatten().collect();
        let declared = parts.iter().map(|(declared, _, _)| declared);
        let builders = parts.iter().map(|(_, builder, _)| builder);
        let merges = parts
            .iter()
            .map(|(_, _, name)| quote!(#crdgen::apply::Merge::merge(&mut self.#name, applied.#name);));
        let unset = parts.iter().map(|(_, _, name)| quote!(#name: ::core::option::Option::None));
        Some(quote! {
            #[doc = #doc]
            #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq)]
            #[derive(::serde::Serialize, ::serde::Deserialize)]
            #visibility struct #partner {
                #type_declared
                /// The name, and other metadata to apply.
                #visibility metadata: #crdgen::ObjectMeta,
                #(#declared,)*
            }
            #[allow(dead_code)]
            impl #partner {
                /// Creates a configuration that sets nothing but the name.
                #visibility fn new(name: impl ::core::convert::Into<::std::string::String>) -> Self {
                    Self {
                        #type_set
                        metadata: #crdgen::apply::named(::core::convert::Into::into(name)),
                        #(#unset,)*
                    }
                }
                /// Sets the metadata with a function, such as `|metadata| metadata.namespace = Some("default".into())`.
                #visibility fn with_metadata(mut self, set: impl ::core::ops::FnOnce(&mut #crdgen::ObjectMeta)) -> Self {
                    set(&mut self.metadata);
                    self
                }
                #(#builders)*
            }
            impl #crdgen::apply::Merge for #partner {
                fn merge(&mut self, applied: Self) {
                    #crdgen::apply::merge_metadata(&mut self.metadata, applied.metadata);
                    #(#merges)*
                }
            }
            impl #crdgen::apply::Configuration for #partner {
                type Object = #object;
            }
        })
    }

    /// The declaration of a part of an object, its builder and its name.
    fn part(&self, name: &str, ty: &TokenStream) -> (TokenStream, TokenStream, syn::Ident) {
        let (crdgen, visibility) = (&self.crdgen, &self.input.vis);
        let (field, builder) = (format_ident!("{name}"), format_ident!("with_{name}"));
        let config = quote!(<#ty as #crdgen::apply::Apply>::Config);
        let doc = format!("Sets `{name}`.");
        let declared = quote! {
            #[allow(missing_docs)]
            #[serde(default, skip_serializing_if = "::core::option::Option::is_none")]
            #visibility #field: ::core::option::Option<#config>
        };
        let builder = quote! {
            #[doc = #doc]
            #visibility fn #builder(mut self, value: impl ::core::convert::Into<#config>) -> Self {
                self.#field = ::core::option::Option::Some(::core::convert::Into::into(value));
                self
            }
        };
        (declared, builder, field)
    }
}

fn is_doc(attribute: &TokenStream) -> bool {
    let attribute: Result<syn::Attribute, _> = syn::parse::Parser::parse2(
        |input: syn::parse::ParseStream<'_>| {
            let mut all = syn::Attribute::parse_outer(input)?;
            all.pop().ok_or_else(|| input.error("no attribute"))
        },
        attribute.clone(),
    );
    attribute.is_ok_and(|it| it.path().is_ident("doc"))
}

/// The fields of a whole object that name its type.
#[derive(Default)]
struct Type {
    declared: TokenStream,
    /// Their values in a struct expression.
    set: TokenStream,
}

impl Type {
    fn of(root: &Root) -> Type {
        let (api_version, kind) = (format!("{}/{}", root.group, root.version), &root.kind);
        Type {
            declared: quote! {
                #[serde(rename = "apiVersion")]
                api_version: ::std::string::String,
                #[serde(rename = "kind")]
                kind: ::std::string::String,
            },
            set: quote! {
                api_version: ::std::string::String::from(#api_version),
                kind: ::std::string::String::from(#kind),
            },
        }
    }
}

impl Field<'_> {
    /// Whether the partner always has a value: keys that have no default.
    fn is_required(&self) -> bool {
        self.is_key && inside_option(&self.field.ty).is_none()
    }

    /// Whether the partner's field has the type of this one, so that functions of serde work for it too.
    fn has_the_same_type(&self) -> bool {
        self.is_whole && inside_option(&self.field.ty).is_some()
    }

    fn declared(&self) -> TokenStream {
        let Field { field, config, kept, .. } = self;
        let (name, visibility) = (&field.ident, &field.vis);
        if self.is_required() {
            return quote!(#(#kept)* #visibility #name: #config);
        }
        quote! {
            #(#kept)*
            #[serde(default, skip_serializing_if = "::core::option::Option::is_none")]
            #visibility #name: ::core::option::Option<#config>
        }
    }

    fn builder(&self) -> Option<TokenStream> {
        let Field { field, config, .. } = self;
        let (name, visibility) = (field.ident.as_ref()?, &field.vis);
        let plain = syn::ext::IdentExt::unraw(name);
        let (builder, doc) = (format_ident!("with_{plain}"), format!("Sets `{plain}`."));
        Some(quote! {
            #[doc = #doc]
            #visibility fn #builder(mut self, value: impl ::core::convert::Into<#config>) -> Self {
                self.#name = ::core::option::Option::Some(::core::convert::Into::into(value));
                self
            }
        })
    }

    fn from(&self, crdgen: &syn::Path) -> TokenStream {
        let name = &self.field.ident;
        if self.is_required() {
            quote!(#name: it.#name)
        } else if !self.is_whole && !self.is_key {
            quote!(#name: #crdgen::apply::Apply::into_config(it.#name))
        } else if inside_option(&self.field.ty).is_some() {
            quote!(#name: it.#name)
        } else {
            quote!(#name: ::core::option::Option::Some(it.#name))
        }
    }

    fn merge(&self, crdgen: &syn::Path) -> TokenStream {
        let name = &self.field.ident;
        if self.is_required() {
            return quote!(self.#name = applied.#name;);
        }
        match &self.merge {
            Merge::Inside => quote!(#crdgen::apply::Merge::merge(&mut self.#name, applied.#name);),
            Merge::Replace => quote!(if applied.#name.is_some() { self.#name = applied.#name; }),
            Merge::Set => quote!(#crdgen::apply::merge_set(&mut self.#name, applied.#name);),
            Merge::Items(keys) => {
                quote!(#crdgen::apply::merge_items(&mut self.#name, applied.#name, &[#(#keys),*]);)
            }
            Merge::WholeItems(keys) => {
                quote!(#crdgen::apply::replace_items(&mut self.#name, applied.#name, &[#(#keys),*]);)
            }
        }
    }

    /// The name as serde writes it.
    fn name_in_json(&self, container: &Attrs) -> String {
        let attrs = read(&self.field.attrs, place::FIELD);
        let name =
            self.field.ident.as_ref().map(|it| syn::ext::IdentExt::unraw(it).to_string()).unwrap_or_default();
        attrs.serde.rename.unwrap_or_else(|| match container.serde.rename_all {
            Some(case) => case.field(&name),
            None => name,
        })
    }

    /// Requires that items of a list have the keys of the list.
    fn check(&self, crdgen: &syn::Path) -> Option<TokenStream> {
        let Merge::Items(keys) = &self.merge else { return None };
        let ty: &syn::Type = &self.field.ty;
        let same =
            quote!(#crdgen::apply::same_keys(<#ty as #crdgen::apply::Apply>::KEYS_OF_ITEMS, &[#(#keys),*]));
        let keys = keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(" and ");
        let text = format!(
            "the items of this list are identified by {keys}. Write `#[apply(key)]` on these fields of their type, and on no \
             others."
        );
        Some(quote::quote_spanned!(ty.span()=> const _: () = ::core::assert!(#same, #text);))
    }
}

#[cfg(test)]
mod tests {
    use super::apply;
    use std::str::FromStr;

    /// Each mistake is one error, which says what to do.
    #[test]
    fn reports_mistakes() {
        for (code, message) in [
            ("struct A<T> { a: T }", "`Apply` cannot be derived for types with generics. Derive it for"),
            ("union A { a: u8 }", "`Apply` cannot be derived for unions of Rust"),
            ("struct A { #[apply(kay)] a: u8 }", "unknown key. Write `key` or `whole`."),
            (
                "#[apply(key)] struct A { a: u8 }",
                "`key` belongs on a field that identifies the items of a list",
            ),
            (
                r#"struct A { #[serde(with = "hex")] a: u8 }"#,
                "`Apply` does not know how a function writes this",
            ),
            ("enum A { B { c: u8 } }", "`Apply` needs variants with one value. Move the fields to a struct"),
            ("enum A { B(u8, u8) }", "`Apply` needs variants with one value. Move the fields to a struct"),
        ] {
            let code = proc_macro2::TokenStream::from_str(code).expect("tokens");
            let out = apply(code.clone()).to_string();
            assert!(out.contains("compile_error") && out.contains(message), "{code}: {out}");
            assert_eq!(out.matches("compile_error").count(), 1, "{code}: {out}");
        }
    }

    #[test]
    fn generates_valid_code() {
        for code in [
            "struct A {}",
            "struct A(u8);",
            "enum A { B, C }",
            "enum A { B, C(D) }",
            "enum A { B, #[apply(whole)] C(D) }",
            r#"#[kube(group = "g.io", version = "v1", kind = "K", status = "S")] struct A { r#type: Option<u8> }"#,
            r#"#[apply(whole)] #[serde(untagged)] enum A { B(i64), C { d: String } }"#,
            r#"struct A { #[apply(whole)] #[serde(deserialize_with = "present")] a: Option<Option<u8>> }"#,
            r#"#[kube(group = "g.io", version = "v1", kind = "A", whole)] struct A { metadata: ObjectMeta, spec: B }"#,
            r#"struct A { #[schema(list_type = "map", list_map_keys = ["a"])] a: Vec<B>, #[apply(key)] b: u8 }"#,
        ] {
            let code = proc_macro2::TokenStream::from_str(code).expect("tokens");
            let out = apply(code.clone()).to_string();
            assert!(!out.contains("compile_error"), "{code}: {out}");
        }
    }
}
