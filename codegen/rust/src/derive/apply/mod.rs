//! `#[derive(Apply)]`: the partner of a type for server-side apply, in which each field may be missing.

mod field;
mod keys;
mod written;

pub use keys::reference;

use super::tokens::crate_path;
use crate::attrs::{Attrs, place};
use crate::recipe::Root;
use crate::{Kind, Report, input, kind};
use field::{Field, Merge};
use keys::Keys;
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::spanned::Spanned;
use written::{inside_option, kept, read};

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
    krate: syn::Path,
    partner: syn::Ident,
    /// Who applies a value applies all of it.
    is_whole: bool,
    /// The kind of the item, if it has one.
    kind: Option<Kind>,
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
        let krate = crate_path(attrs.krate.as_ref());
        let keys = Keys::read(&input.attrs)?;
        if keys.key {
            let text = "`key` belongs on a field that identifies the items of a list";
            return Err(syn::Error::new(input.ident.span(), text));
        }
        let is_kind = input.attrs.iter().any(|it| it.path().is_ident("kube"));
        let is_named = |of: &Kind| !of.kube.root.kind.is_empty();
        Ok(Item {
            input,
            attrs,
            krate,
            partner: format_ident!("{}Apply", input.ident),
            is_whole: keys.whole,
            kind: is_kind.then(|| kind(input, &|_| true, &mut Report::default())).filter(is_named),
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
        let (ty, krate) = (&field.ty, &self.krate);
        // Keys are scalars.
        let whole = is_whole || is_key;
        let config = match inside_option(ty) {
            Some(inside) if whole => inside.to_token_stream(),
            None if whole => ty.to_token_stream(),
            _ => quote!(<#ty as #krate::apply::Apply>::Config),
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
        let Item { input, krate, partner, .. } = self;
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
        let from = fields.iter().map(|it| it.from(krate));
        let merges = fields.iter().map(|it| it.merge(krate));
        let merge = match self.attrs.patch.set.ext.map_type.as_deref() {
            Some("atomic") => quote!(*self = applied;),
            _ => quote!(#(#merges)*),
        };
        let keys = fields.iter().filter(|it| it.is_key).map(|it| it.name_in_json(&self.attrs));
        let checks = fields.iter().filter_map(|it| it.check(krate));
        let kind = self.whole_kind();
        // A CRD may restrict the type of its own objects.
        let names_type = fields.iter().any(|it| it.name_in_json(&self.attrs) == "apiVersion");
        let default = default.filter(|_| kind.is_none());
        let Type { declared: type_declared, set: type_set } =
            kind.filter(|_| !names_type).map(|of| Type::of(&of.kube.root)).unwrap_or_default();
        let configuration =
            kind.map(|_| quote!(impl #krate::apply::Configuration for #partner { type Object = #name; }));
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
            impl #krate::apply::Apply for #name {
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
            impl #krate::apply::Merge for #partner {
                fn merge(&mut self, applied: Self) { #merge }
            }
            #(#checks)*
        }
    }

    /// A type that is applied as a whole.
    fn whole(&self) -> TokenStream {
        let (name, krate) = (&self.input.ident, &self.krate);
        quote! {
            impl #krate::apply::Apply for #name {
                type Config = Self;
                fn into_config(self) -> ::core::option::Option<Self> { ::core::option::Option::Some(self) }
            }
            impl #krate::apply::Merge for #name {
                fn merge(&mut self, applied: Self) { *self = applied; }
            }
        }
    }

    /// The partner of an enum whose variants have values. It has the same variants, so exactly one is set.
    fn union(&self, of: &syn::DataEnum) -> syn::Result<TokenStream> {
        let Item { input, krate, partner, .. } = self;
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
                    declared.push(quote!(#(#kept)* #case(<#ty as #krate::apply::Apply>::Config)));
                    converted.push(
                        quote!(#name::#case(it) => #partner::#case(#krate::apply::Apply::into_config(it)?)),
                    );
                    merged.push(quote! {
                        (#partner::#case(it), #partner::#case(applied)) => #krate::apply::Merge::merge(it, applied),
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
            impl #krate::apply::Apply for #name {
                type Config = #partner;
                fn into_config(self) -> ::core::option::Option<#partner> {
                    ::core::option::Option::Some(match self { #(#converted,)* })
                }
            }
            impl #krate::apply::Merge for #partner {
                fn merge(&mut self, applied: Self) {
                    match (self, applied) {
                        #(#merged)*
                        (it, applied) => *it = applied,
                    }
                }
            }
        })
    }

    /// The kind of the item, if the item is the whole object.
    fn whole_kind(&self) -> Option<&Kind> {
        self.kind.as_ref().filter(|of| self.input.ident == of.own_name())
    }

    /// The configuration of a whole object, if the item is the spec of a kind.
    fn root(&self) -> Option<TokenStream> {
        let Item { input, krate, .. } = self;
        let of = self.kind.as_ref().filter(|of| !of.kube.root.whole && input.ident != of.own_name())?;
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
            .map(|(_, _, name)| quote!(#krate::apply::Merge::merge(&mut self.#name, applied.#name);));
        let unset = parts.iter().map(|(_, _, name)| quote!(#name: ::core::option::Option::None));
        Some(quote! {
            #[doc = #doc]
            #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq)]
            #[derive(::serde::Serialize, ::serde::Deserialize)]
            #visibility struct #partner {
                #type_declared
                /// The name, and other metadata to apply.
                #visibility metadata: #krate::ObjectMeta,
                #(#declared,)*
            }
            #[allow(dead_code)]
            impl #partner {
                /// Creates a configuration that sets nothing but the name.
                #visibility fn new(name: impl ::core::convert::Into<::std::string::String>) -> Self {
                    Self {
                        #type_set
                        metadata: #krate::apply::named(::core::convert::Into::into(name)),
                        #(#unset,)*
                    }
                }
                /// Sets the metadata with a function, such as `|metadata| metadata.namespace = Some("default".into())`.
                #visibility fn with_metadata(mut self, set: impl ::core::ops::FnOnce(&mut #krate::ObjectMeta)) -> Self {
                    set(&mut self.metadata);
                    self
                }
                #(#builders)*
            }
            impl #krate::apply::Merge for #partner {
                fn merge(&mut self, applied: Self) {
                    #krate::apply::merge_metadata(&mut self.metadata, applied.metadata);
                    #(#merges)*
                }
            }
            impl #krate::apply::Configuration for #partner {
                type Object = #object;
            }
        })
    }

    /// The declaration of a part of an object, its builder and its name.
    fn part(&self, name: &str, ty: &TokenStream) -> (TokenStream, TokenStream, syn::Ident) {
        let (krate, visibility) = (&self.krate, &self.input.vis);
        let (field, builder) = (format_ident!("{name}"), format_ident!("with_{name}"));
        let config = quote!(<#ty as #krate::apply::Apply>::Config);
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
