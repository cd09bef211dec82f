//! The code that the derives write: a constant with the recipe in one string, and pointers to other recipes. All paths
//! are absolute, so the code compiles in any module, even if that module has its own `Option` or `String`.

use super::assertions::assertions;
use super::kubernetes::{Local, is_kubernetes};
use super::tokens::{Tokens, crate_path};
use crate::attrs::{Code, Test};
use crate::recipe::outline::outline;
use crate::recipe::places::{Place, Places};
use crate::recipe::{Node, Root, encode};
use crate::syntax::{doc, nesting};
use crate::value::Map;
use crate::{Item, Kind, Report, facts, file, input, item, kind, line_and_column, reach};
use proc_macro2::{Delimiter, Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use std::borrow::Cow;
use syn::spanned::Spanned;

/// Generates the code of `#[derive(Schema)]`.
pub fn schema(input: TokenStream) -> TokenStream {
    derive(input, Called::Schema)
}

/// Generates the same code for the derive with the name that schemars and kube-rs use. With crdgen's features for
/// schemars, the type implements schemars' trait too, for other code that needs it.
pub fn json_schema(input: TokenStream) -> TokenStream {
    derive(input, Called::JsonSchema)
}

/// The name under which the derive is called.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Called {
    Schema,
    JsonSchema,
}

fn derive(input: TokenStream, called: Called) -> TokenStream {
    let input = match input::parse(input) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let mut report = Report::of_one_item();
    let it = item(&input, &|_| true, &mut report);
    let mut errors = report.compile_errors();
    errors.extend(report.compile_warnings(&input.attrs));
    // Users of an item with errors do not report them again.
    let code = if report.has_errors() { body(&it, None) } else { implementation(&it) };
    let krate = crate_path(it.krate.as_ref());
    let theirs = wanted(it.schemars, called == Called::JsonSchema).map(|wanted| {
        let generics = bounded(&it).unwrap_or_default();
        let (params, _, bounds) = generics.split_for_impl();
        let (_, args, _) = it.generics.split_for_impl();
        let name = &it.name;
        let (params, ty, name) = (quote!(#params), quote!(#name #args #bounds), name.to_string());
        JsonSchema { wanted, params, ty, name, described: "described" }.code(&krate)
    });
    if errors.is_empty() && theirs.is_none() { code } else { quote!(#errors #code #theirs) }
}

/// Whether to implement schemars' trait, and whether it is an error if crdgen's feature is off.
pub(super) fn wanted(errors: Option<bool>, by_name: bool) -> Option<Option<TokenStream>> {
    match errors {
        Some(true) => Some(Some(quote!(@wanted))),
        Some(false) => None,
        None => by_name.then_some(None),
    }
}

/// The impl of `schemars::JsonSchema` for a type.
pub(super) struct JsonSchema {
    /// Whether it is an error if crdgen's feature is off.
    pub(super) wanted: Option<TokenStream>,
    /// The parameters of the impl.
    pub(super) params: TokenStream,
    /// The type with its arguments and bounds.
    pub(super) ty: TokenStream,
    /// The name of the schema.
    pub(super) name: String,
    /// What crdgen describes: a type, or a kind.
    pub(super) described: &'static str,
}

impl JsonSchema {
    /// Returns the code. It generates nothing if crdgen's features for schemars are off.
    pub(super) fn code(&self, krate: &syn::Path) -> TokenStream {
        let JsonSchema { wanted, params, ty, name, described } = self;
        let described = Ident::new(described, Span::call_site());
        quote!(#krate::__schemars! { #wanted {#params} {#ty} #name #described })
    }
}

/// Generates the code of `#[derive(CustomResource)]`.
pub fn custom_resource(input: TokenStream) -> TokenStream {
    expand(input, |it, input| root(it, input))
}

/// Reads a kind and calls `write` to generate its code, if the kind has a name.
pub(super) fn expand(
    input: TokenStream,
    write: fn(&mut Kind, &syn::DeriveInput) -> TokenStream,
) -> TokenStream {
    let input = match input::parse(input) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let mut report = Report::of_one_item();
    let mut it = kind(&input, &|_| true, &mut report);
    reach::check(&it, &input, &|_| true, &mut report);
    let name = root_name(&it);
    // If a struct has the same name already, or if the spec cannot be named, generating the object would only repeat
    // the error.
    let whole = it.kube.root.whole && !it.kube.no_spec;
    let hopeless =
        report.has_errors() && (!whole && input.ident == name || !input.generics.params.is_empty());
    let code = if hopeless || it.kube.root.kind.is_empty() || !nesting::is_identifier(&name) {
        TokenStream::new()
    } else {
        let status = named_once(&mut it, &name);
        let code = write(&mut it, &input);
        quote!(#status #code)
    };
    let (errors, warnings) = (report.compile_errors(), report.compile_warnings(&input.attrs));
    quote!(#errors #warnings #code)
}

/// Declares an alias for the type of the status, and uses the alias from here on. If the type does not exist, the
/// compiler then reports it once, where the user wrote it, and does not suggest making it a type parameter. The alias
/// has an unusual name so that the compiler does not suggest it. The documentation shows the type itself.
fn named_once(it: &mut Kind, name: &str) -> Option<TokenStream> {
    if it.kube.root.whole {
        return None;
    }
    let status = it.status.take()?;
    if is_kubernetes(&status) {
        it.status_as.get_or_insert(status.clone());
    }
    let alias = format_ident!("__crdgen_status_of_{name}", span = status.span());
    it.status = Some(syn::parse_quote!(#alias));
    Some(quote!(#[allow(non_camel_case_types)] type #alias = #status;))
}

/// The generics with the bounds that a schema needs. If the user gives no bounds, they are chosen as serde does: for
/// the type parameters that fields use, and for associated types of parameters.
fn bounded(it: &Item) -> Option<syn::Generics> {
    if it.generics.params.is_empty() && it.generics.where_clause.is_none() && it.bounds.is_none() {
        return None;
    }
    let krate = crate_path(it.krate.as_ref());
    let mut generics = it.generics.clone();
    generics.type_params_mut().for_each(|param| param.default = None);
    if let Some(bounds) = &it.bounds {
        generics.make_where_clause().predicates.extend(bounds.iter().cloned());
    } else if generics.type_params().next().is_some() {
        let params: Vec<&Ident> = it.generics.type_params().map(|p| &p.ident).collect();
        let mut types = Map::new();
        it.refs.iter().for_each(|ty| used(ty, &params, &mut types));
        let bounds =
            types.values().map(|ty| -> syn::WherePredicate { syn::parse_quote!(#ty: #krate::Schema) });
        generics.make_where_clause().predicates.extend(bounds);
    }
    Some(generics)
}

/// Collects the type parameters in a type, and the associated types of parameters.
fn used(ty: &syn::Type, params: &[&Ident], out: &mut Map<syn::Type>) {
    match ty {
        syn::Type::Path(path) => {
            let is_param = |segment: &syn::PathSegment| params.contains(&&segment.ident);
            let first = path.path.segments.first().filter(|_| path.path.leading_colon.is_none());
            let found = match &path.qself {
                // `<T as Trait>::Type`
                Some(own) => {
                    matches!(&*own.ty, syn::Type::Path(own) if own.path.segments.iter().any(is_param))
                }
                None => first.is_some_and(is_param),
            };
            if found {
                out.insert(ty.to_token_stream().to_string(), ty.clone());
            }
            let last = path.path.segments.last();
            if let Some(syn::PathArguments::AngleBracketed(arguments)) = last.map(|s| &s.arguments)
                && last.is_some_and(|s| s.ident != "PhantomData")
            {
                for argument in &arguments.args {
                    if let syn::GenericArgument::Type(ty) = argument {
                        used(ty, params, out);
                    }
                }
            }
        }
        syn::Type::Array(it) => used(&it.elem, params, out),
        syn::Type::Group(it) => used(&it.elem, params, out),
        syn::Type::Paren(it) => used(&it.elem, params, out),
        syn::Type::Reference(it) => used(&it.elem, params, out),
        syn::Type::Slice(it) => used(&it.elem, params, out),
        syn::Type::Tuple(it) => it.elems.iter().for_each(|ty| used(ty, params, out)),
        // Other types cannot have a schema.
        _ => {}
    }
}

fn implementation(it: &Item) -> TokenStream {
    let mut body = body(it, Some(&text(it)));
    // Constants outside of an impl cannot use the generic parameters of an item.
    if !it.assertions.is_empty() && it.generics.params.is_empty() {
        body.extend(assertions(&it.assertions, it.krate.as_ref()));
    }
    if !it.cel {
        return body;
    }
    let checks = checks(it, &crate_path(it.krate.as_ref()));
    quote!(#body #checks)
}

/// Returns the recipe of an item and its outline, as the generated code contains them.
pub fn text(it: &Item) -> String {
    outline(&it.node, &|node| is_option(it, node), &|node| facts::types(node, &it.refs)) + &encode(&it.node)
}

/// Whether the recipe is an `Option`.
fn is_option(it: &Item, node: &Node) -> bool {
    match node {
        Node::Option(_) => true,
        Node::Ref(number) => it.refs.get(*number).is_some_and(facts::is_option),
        _ => false,
    }
}

/// `#[x_kube(cel)]`: a method that checks values with the rules of their type.
fn checks(it: &Item, krate: &syn::Path) -> TokenStream {
    let generics = bounded(it).unwrap_or_default();
    let (params, _, bounds) = generics.split_for_impl();
    let (_, args, _) = it.generics.split_for_impl();
    let name = &it.name;
    let serde = quote!(#krate::__private::serde);
    // All instances of a generic type would share a static.
    let validate = if it.generics.type_params().next().is_none() {
        quote! {{
            static RULES: #krate::rules::Cached = #krate::rules::Cached::new();
            RULES.of_type::<Self>().validate(value, old)
        }}
    } else {
        quote!(#krate::rules::validate_once::<Self, __V>(value, old))
    };
    quote! {
        impl #params #name #args #bounds {
            /// Checks a value, as serde writes it, with the rules of this type. Rules that use `oldSelf` are checked only if
            /// there is an old value.
            pub fn validate_cel<__V: #serde::Serialize + ?::core::marker::Sized>(
                value: &__V,
                old: ::core::option::Option<&__V>,
            ) -> ::core::result::Result<(), #krate::rules::ValidationErrors> {
                #validate
            }
        }
    }
}

fn body(it: &Item, text: Option<&str>) -> TokenStream {
    // Without a recipe, the references and the code that it would use are left out.
    let some = |all: usize| if text.is_some() { all } else { 0 };
    let (refs, code) = (&it.refs[..some(it.refs.len())], &it.code[..some(it.code.len())]);
    let mut out = Tokens::new(it.krate.as_ref());
    out.code("#[automatically_derived] #[allow(deprecated)] impl");
    let bounded = bounded(it);
    let generics = bounded.as_ref().map(syn::Generics::split_for_impl);
    if let Some((params, ..)) = &generics {
        out.tokens(params);
    }
    out.code(" $::Schema for");
    out.tokens(&it.name);
    if let Some((_, _, bounds)) = &generics {
        out.tokens(&it.generics.split_for_impl().1);
        out.tokens(bounds);
    }
    let mut local = Local::new(&it.generics);
    let types: Vec<Cow<'_, syn::Type>> = refs.iter().map(|ty| local.replace(ty)).collect();
    out.group(Delimiter::Brace, |out| {
        if let Some(places) = text.and_then(|_| places(it)) {
            out.code("#[cfg(test)] const PLACES: &'static str =");
            out.literal(&places);
            out.code(";");
        }
        out.code("const SHAPE: &'static $::__private::Shape =");
        if local.is_empty() {
            shape(it, text, code, &types, out);
        } else {
            out.group(Delimiter::Brace, |out| {
                local.declare(out);
                shape(it, text, code, &types, out);
            });
        }
        out.code(";");
    });
    out.finish()
}

/// The shape of an item.
fn shape(it: &Item, text: Option<&str>, code: &[Code], types: &[Cow<'_, syn::Type>], out: &mut Tokens<'_>) {
    out.code("&$::__private::Shape::text");
    out.group(Delimiter::Parenthesis, |out| {
        out.literal(&it.name.to_string());
        out.code(",");
        out.literal(text.unwrap_or_default());
        out.code(",&");
        if code.is_empty() {
            out.code("[]");
        } else {
            let krate = crate_path(out.krate());
            let code = code.iter().map(|code| closure(code, &krate));
            out.tokens(&quote!([#(#code),*]));
        }
        out.code(",&");
        out.group(Delimiter::Bracket, |out| shapes(types, &it.texts, out));
    });
    if text.is_some() {
        out.code(".at");
        out.group(Delimiter::Parenthesis, |out| out.code("<Self as $::Schema>::PLACES"));
    }
}

/// The places of an item's fields and rules, for the generated test. None if the file is not known.
fn places(it: &Item) -> Option<String> {
    let file = file(it.name.span());
    let place = |name: &str, span: Span| {
        let (line, column) = line_and_column(span);
        Place { name: name.to_owned(), line, column }
    };
    let fields = it.places.iter().map(|(name, span)| place(name, *span)).collect();
    let rules = it.rules.iter().map(|rule| place(&rule.text, rule.span)).collect();
    (!file.is_empty()).then(|| Places { file, fields, rules }.text())
}

/// The file, line and column of a span, as text. Empty if the file is not known.
pub(super) fn location(span: Span) -> String {
    let (file, (line, column)) = (file(span), line_and_column(span));
    if file.is_empty() { file } else { format!("{file}:{line}:{column}") }
}

/// Writes pointers to the shapes of types, which are the largest part of what a derive writes. The types of the user
/// keep their tokens, so that an error about a missing schema points to them. Well-known types always have a schema, so
/// they are written as text, which is faster.
fn shapes(types: &[Cow<'_, syn::Type>], texts: &[Option<String>], out: &mut Tokens<'_>) {
    for (ty, text) in types.iter().zip(texts) {
        out.code("<");
        match text {
            Some(text) => out.code(text),
            None => out.tokens(ty.as_ref()),
        }
        out.code(" as $::Schema>::shape,");
    }
}

/// Code that computes a value, as a function without captures.
fn closure(code: &Code, krate: &syn::Path) -> TokenStream {
    let private = quote!(#krate::__private);
    match code {
        Code::Default { path, ty, skip_if, serialize_with } => {
            let value = match path {
                Some(path) => quote!(#path()),
                None => quote!(<#ty as ::core::default::Default>::default()),
            };
            let skip =
                skip_if.as_ref().map(|f| quote!(if #f(&value) { return ::core::option::Option::None; }));
            let written = match serialize_with {
                Some(f) => quote!(::core::result::Result::ok(#f(&value, #private::Writer))),
                None => quote!(#private::to_value(&value)),
            };
            quote!(|| { let value: #ty = #value; #skip #written })
        }
        Code::Text(tokens) => quote!(|| #private::text(&(#tokens))),
        Code::Value(tokens) => quote!(|| #private::to_value(&(#tokens))),
        Code::Schema(path) => quote_spanned!(path.span()=> || #private::schema(#path)),
    }
}

pub(super) fn root_name(it: &Kind) -> String {
    it.kube.struct_name.clone().unwrap_or_else(|| it.kube.root.kind.clone())
}

/// The root: the struct of the object, unless the type is the object itself, and the implementations for it.
fn root(it: &Kind, input: &syn::DeriveInput) -> TokenStream {
    let krate = crate_path(it.kube.krate("crdgen").or(it.krate.as_ref()));
    let own = &it.name;
    let whole = it.kube.root.whole && !it.kube.no_spec;
    let name = if whole { own.clone() } else { Ident::new(&root_name(it), it.kube.span("kind")) };
    let mut refs = vec![if it.kube.root.schemaless {
        quote!(<() as #krate::Schema>::shape)
    } else {
        quote!(<#own as #krate::Schema>::shape)
    }];
    refs.extend(status_shape(it, &krate));
    let structure = if whole { TokenStream::new() } else { structure(it, &name, &krate) };
    let declared = declared(it, input, &name, &refs, &krate);
    quote!(#structure #declared)
}

/// The shape of the status, if the root refers to it.
pub(super) fn status_shape(it: &Kind, krate: &syn::Path) -> Option<TokenStream> {
    if it.kube.root.schemaless {
        return None;
    }
    let status = it.status_as.as_ref().or(it.status.as_ref())?;
    let mut local = Local::new(&syn::Generics::default());
    let status = local.replace(status);
    let mut types = Tokens::new(Some(krate));
    local.declare(&mut types);
    let types = types.finish();
    Some(quote!({ #types <#status as #krate::Schema>::shape }))
}

/// Implements the kind's traits, and writes its test and checks. `refs` are the shapes that its root refers to.
pub(super) fn declared(
    it: &Kind,
    input: &syn::DeriveInput,
    name: &Ident,
    refs: &[TokenStream],
    krate: &syn::Path,
) -> TokenStream {
    let Root { group, version, kind, .. } = &it.kube.root;
    let text = encode(&it.kube.root);
    let test = (it.test != Test::Off && input.generics.params.is_empty()).then(|| test(it, name, krate));
    let checks = it.kube.cel.then(|| root_checks(it, name, krate));
    // Users implement the schema themselves, or derive it for the type that is the whole object.
    let has_schema = it.kube.schema.as_deref() == Some("manual") || it.kube.root.whole && !it.kube.no_spec;
    let embedded = (!has_schema).then(|| {
        let node = it.kube.root.embedded();
        let (kind, text) = (name.to_string(), outline(&node, &|_| false, &|_| None) + &encode(&node));
        quote! {
            #[automatically_derived]
            impl #krate::Schema for #name {
                const SHAPE: &'static #krate::__private::Shape =
                    &#krate::__private::Shape::text(#kind, #text, &[], &[#(#refs),*]);
            }
        }
    });
    quote! {
        #embedded
        #[automatically_derived]
        impl #krate::CustomResource for #name {
            const GROUP: &'static str = #group;
            const VERSION: &'static str = #version;
            const KIND: &'static str = #kind;
            fn declared() -> #krate::__private::Declared {
                #krate::__private::Declared {
                    text: #text,
                    shape: const { &#krate::__private::Shape::text(#kind, "", &[], &[#(#refs),*]) },
                }
            }
        }
        #test
        #checks
    }
}

/// `#[kube(cel)]`: methods that check objects with the rules of their kind.
fn root_checks(it: &Kind, name: &Ident, krate: &syn::Path) -> TokenStream {
    let vis = &it.visibility;
    let result = quote!(::core::result::Result<(), #krate::rules::ValidationErrors>);
    quote! {
        impl #name {
            fn __rules() -> #krate::rules::Validator<'static> {
                static RULES: #krate::rules::Cached = #krate::rules::Cached::new();
                RULES.of_kind::<Self>()
            }
            /// Checks the object with the rules of this kind, as when it is created.
            #vis fn validate_cel(&self) -> #result {
                Self::__rules().validate(self, ::core::option::Option::None)
            }
            /// Checks the object with the rules of this kind, as when it replaces `old`.
            #vis fn validate_cel_update(&self, old: &Self) -> #result {
                Self::__rules().validate(self, ::core::option::Option::Some(old))
            }
        }
    }
}

/// The test is in the user's crate. Which checks it runs depends on crdgen's feature `check`, so the facade's macro
/// writes it.
fn test(it: &Kind, name: &Ident, krate: &syn::Path) -> TokenStream {
    let deny = it.test == Test::DenyWarnings;
    // Whoever writes a schema by hand says what the server accepts, whatever the type reads.
    let is_derived = !matches!(it.kube.schema.as_deref(), Some("manual" | "disabled"));
    let (lower, at) = (name.to_string().to_lowercase(), location(name.span()));
    let test = format_ident!("crd_of_{lower}", span = Span::call_site());
    let full = format_ident!("crd_of_{lower}_as_the_server_checks_it", span = Span::call_site());
    quote_spanned!(name.span()=> #krate::__test!(#test, #full, #name, #at, #deny, #is_derived);)
}

/// The documentation of a kind.
pub(super) fn documentation(root: &Root) -> TokenStream {
    match root.patch.set.description.as_str() {
        "" => doc::attributes(&format!("The kind `{}`.", root.kind)),
        description => doc::described(description),
    }
}

fn structure(it: &Kind, name: &Ident, krate: &syn::Path) -> TokenStream {
    let (own, vis) = (&it.name, &it.visibility);
    let (attributes, derives) = (&it.kube.attributes, &it.kube.derives);
    let serde = it.kube.krate("serde").map_or_else(|| quote!(#krate::__private::serde), |path| quote!(#path));
    let status = it.status.as_ref().map(|ty| {
        quote! {
            /// The observed state.
            pub status: ::core::option::Option<#ty>,
        }
    });
    let (status_ty, from_parts, to_parts) = match &it.status {
        Some(ty) => {
            (quote!(#ty), quote!(status: parts.status,), quote!(::core::option::Option::as_ref(&self.status)))
        }
        None => (quote!(#krate::__private::NoStatus), quote!(), quote!(::core::option::Option::None)),
    };
    let flat = it.kube.no_spec;
    let optional = it.kube.root.spec_optional && !flat;
    let spec_ty = if optional { quote!(::core::option::Option<#own>) } else { quote!(#own) };
    let private = quote!(#krate::__private);
    let (parts, serialize) = match flat {
        true => (quote!(#private::Flat), quote!(#private::serialize_flat)),
        false => (quote!(#private::Parts), quote!(#private::serialize)),
    };
    let (new_spec, spec) = if flat {
        (quote!(spec), quote!(&self.spec))
    } else if optional {
        (quote!(spec: ::core::option::Option::Some(spec)), quote!(::core::option::Option::as_ref(&self.spec)))
    } else {
        (quote!(spec), quote!(::core::option::Option::Some(&self.spec)))
    };
    let new_status =
        it.status.as_ref().map(|_| quote!(status: ::core::option::Option::None,)).unwrap_or_default();
    let derives: Vec<_> = derives.iter().filter(|d| !d.is_ident("Default")).collect();
    let doc = documentation(&it.kube.root);
    let wants_default = it.kube.derives.iter().any(|d| d.is_ident("Default"));
    let default = wants_default.then(|| default_of(name, &new_status));
    let type_meta = (format!("{}/{}", it.kube.root.group, it.kube.root.version), &it.kube.root.kind);
    let (api_version, kind) = type_meta;
    quote! {
        #doc
        #[::core::prelude::v1::derive(::core::clone::Clone, ::core::fmt::Debug, #(#derives),*)]
        #(#[#attributes])*
        #vis struct #name {
            /// The metadata of the object.
            pub metadata: #krate::ObjectMeta,
            /// The desired state.
            pub spec: #spec_ty,
            #status
        }
        impl #name {
            /// Creates an object with this name.
            #vis fn new(name: &str, spec: #own) -> Self {
                Self { metadata: #krate::ObjectMeta::named(name), #new_spec, #new_status }
            }
        }
        #default
        #[automatically_derived]
        impl #serde::Serialize for #name {
            fn serialize<__S: #serde::Serializer>(&self, s: __S) -> ::core::result::Result<__S::Ok, __S::Error> {
                #serialize::<_, _, #status_ty, _>(s, #api_version, #kind, &self.metadata, #spec, #to_parts)
            }
        }
        #[automatically_derived]
        impl<'de> #serde::Deserialize<'de> for #name {
            fn deserialize<__D: #serde::Deserializer<'de>>(d: __D) -> ::core::result::Result<Self, __D::Error> {
                let parts = <#parts<#krate::ObjectMeta, #spec_ty, #status_ty> as #serde::Deserialize>::deserialize(d)?;
                ::core::result::Result::Ok(Self { metadata: parts.metadata, spec: parts.spec, #from_parts })
            }
        }
    }
}

/// Implements `Default` for a kind.
pub(super) fn default_of(name: &Ident, status_new: &TokenStream) -> TokenStream {
    quote! {
        #[automatically_derived]
        impl ::core::default::Default for #name {
            fn default() -> Self {
                Self {
                    metadata: ::core::default::Default::default(),
                    spec: ::core::default::Default::default(),
                    #status_new
                }
            }
        }
    }
}
