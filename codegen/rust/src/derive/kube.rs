//! The code of `crdgen::kube::CustomResource`: the object around a spec, as programs with kube-rs expect it. It uses
//! the user's own kube and k8s-openapi, so crdgen does not depend on them.

use super::item::{JsonSchema, declared, default_of, documentation, expand, root_name, status_shape, wanted};
use super::tokens::crate_path;
use crate::Kind;
use crate::recipe::{Metadata, Node, Root};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// Generates the code of `#[derive(CustomResource)]` of `crdgen::kube`.
pub fn custom_resource(input: TokenStream) -> TokenStream {
    expand(input, root)
}

/// The paths of the crates.
struct Crates {
    krate: syn::Path,
    kube_core: TokenStream,
    k8s_openapi: TokenStream,
    serde: TokenStream,
}

impl Crates {
    fn of(it: &Kind) -> Crates {
        let krate = crate_path(it.kube.krate("crdgen").or(it.krate.as_ref()));
        let own =
            |name: &str, default: TokenStream| it.kube.krate(name).map_or(default, |path| quote!(#path));
        let kube = own("kube", quote!(::kube));
        Crates {
            kube_core: own("kube_core", quote!(#kube::core)),
            k8s_openapi: own("k8s_openapi", quote!(::k8s_openapi)),
            serde: own("serde", quote!(#krate::__private::serde)),
            krate,
        }
    }

    fn object_meta(&self) -> TokenStream {
        let k8s_openapi = &self.k8s_openapi;
        quote!(#k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta)
    }
}

/// Where the fields of the spec are in the object.
#[derive(Clone, Copy, PartialEq)]
enum SpecFields {
    /// In `spec`.
    Spec,
    /// In `spec`, which may be missing.
    Optional,
    /// In the object itself. The Rust struct still has a field `spec`.
    Flat,
    /// The type is the whole object.
    Whole,
}

fn root(it: &mut Kind, input: &syn::DeriveInput) -> TokenStream {
    let crates = Crates::of(it);
    // kube-derive's CRDs keep the fields in the metadata of embedded objects.
    it.kube.root.metadata.get_or_insert(Metadata::Settable);
    let root = &it.kube.root;
    let form = match (it.kube.no_spec, root.whole, root.spec_optional) {
        (true, ..) => SpecFields::Flat,
        (false, true, _) => SpecFields::Whole,
        (false, false, true) => SpecFields::Optional,
        (false, false, false) => SpecFields::Spec,
    };
    let own = it.name.clone();
    let name = if form == SpecFields::Whole {
        own.clone()
    } else {
        Ident::new(&root_name(it), it.kube.span("kind"))
    };
    let krate = &crates.krate;
    let mut refs = Vec::new();
    if it.kube.schema.as_deref() == Some("manual") && form != SpecFields::Whole {
        // As in kube-rs, a schema that is written by hand is the schema of the whole object.
        let root = &mut it.kube.root;
        (root.whole, root.spec) = (true, Node::Ref(0));
        if it.status.is_some() {
            root.subresource_status.get_or_insert(true);
        }
        root.status = None;
        refs.push(quote!(<#name as #krate::Schema>::shape));
    } else {
        refs.push(if it.kube.root.schemaless {
            quote!(<() as #krate::Schema>::shape)
        } else {
            quote!(<#own as #krate::Schema>::shape)
        });
        refs.extend(status_shape(it, krate));
    }
    let structure =
        if form == SpecFields::Whole { TokenStream::new() } else { structure(it, form, &name, &crates) };
    let declared = declared(it, input, &name, &refs, krate);
    let traits = traits(it, form, &name, &crates);
    let root = &it.kube.root;
    let own = root.schemaless || it.kube.schema.as_deref() == Some("manual") || form == SpecFields::Whole;
    let theirs = wanted(it.schemars, !own).map(|wanted| {
        let (params, ty, name) = (TokenStream::new(), quote!(#name), name.to_string());
        JsonSchema { wanted, params, ty, name, described: "of_kind" }.code(krate)
    });
    quote!(#structure #declared #traits #theirs)
}

fn structure(it: &Kind, form: SpecFields, name: &Ident, crates: &Crates) -> TokenStream {
    let Crates { krate, serde, .. } = crates;
    let meta = crates.object_meta();
    let (own, vis, attributes) = (&it.name, &it.visibility, &it.kube.attributes);
    let derives = it.kube.derives.iter().filter(|d| !d.is_ident("Default"));
    let root = &it.kube.root;
    let doc = documentation(root);
    let none = quote!(::core::option::Option::None);
    let (status_field, status_new, status_ty, status_read, status_written) = match &it.status {
        Some(ty) => (
            quote! {
                /// The observed state.
                #vis status: ::core::option::Option<#ty>,
            },
            quote!(status: #none,),
            quote!(#ty),
            quote!(status: parts.status,),
            quote!(::core::option::Option::as_ref(&self.status)),
        ),
        None => (quote!(), quote!(), quote!(#krate::__private::NoStatus), quote!(), none.clone()),
    };
    let (spec_ty, new_spec) = match form {
        SpecFields::Optional => {
            (quote!(::core::option::Option<#own>), quote!(spec: ::core::option::Option::Some(spec)))
        }
        SpecFields::Spec | SpecFields::Flat | SpecFields::Whole => (quote!(#own), quote!(spec)),
    };
    let parts = match form {
        SpecFields::Flat => quote!(#krate::__private::Flat),
        SpecFields::Spec | SpecFields::Optional | SpecFields::Whole => quote!(#krate::__private::Parts),
    };
    let written = serialized(root, form, crates, &status_ty, &status_written);
    // The approval annotation belongs to the CRD, not to its objects.
    let annotations = root
        .annotations
        .iter()
        .filter(|(k, _)| *k != "api-approved.kubernetes.io")
        .map(|(k, v)| quote!((#k, #v)));
    let labels = root.labels.iter().map(|(k, v)| quote!((#k, #v)));
    let has_default = it.kube.derives.iter().any(|d| d.is_ident("Default"));
    let default = has_default.then(|| default_of(name, &status_new));
    quote! {
        #doc
        #[derive(::core::clone::Clone, ::core::fmt::Debug, #(#derives),*)]
        #(#[#attributes])*
        #vis struct #name {
            /// The metadata of the object.
            #vis metadata: #meta,
            /// The desired state.
            #vis spec: #spec_ty,
            #status_field
        }
        impl #name {
            /// Creates an object with this name, and with the annotations and labels of the kind.
            #vis fn new(name: &str, spec: #own) -> Self {
                Self {
                    metadata: #meta {
                        name: ::core::option::Option::Some(::std::string::ToString::to_string(name)),
                        annotations: #krate::kube::texts(&[#(#annotations),*]),
                        labels: #krate::kube::texts(&[#(#labels),*]),
                        ..::core::default::Default::default()
                    },
                    #new_spec,
                    #status_new
                }
            }
        }
        #default
        #[automatically_derived]
        impl #serde::Serialize for #name {
            fn serialize<__S: #serde::Serializer>(&self, s: __S) -> ::core::result::Result<__S::Ok, __S::Error> {
                #written
            }
        }
        #[automatically_derived]
        impl<'de> #serde::Deserialize<'de> for #name {
            fn deserialize<__D: #serde::Deserializer<'de>>(d: __D) -> ::core::result::Result<Self, __D::Error> {
                let parts = <#parts<#meta, #spec_ty, #status_ty> as #serde::Deserialize>::deserialize(d)?;
                ::core::result::Result::Ok(Self { metadata: parts.metadata, spec: parts.spec, #status_read })
            }
        }
    }
}

/// How an object is serialized.
fn serialized(
    root: &Root,
    form: SpecFields,
    crates: &Crates,
    status_ty: &TokenStream,
    status_written: &TokenStream,
) -> TokenStream {
    let Crates { krate, .. } = crates;
    let (api_version, kind) = (format!("{}/{}", root.group, root.version), &root.kind);
    match form {
        SpecFields::Flat => quote! {
            #krate::__private::serialize_flat::<_, _, #status_ty, _>(
                s, #api_version, #kind, &self.metadata, &self.spec, #status_written)
        },
        SpecFields::Optional => quote! {
            #krate::__private::serialize::<_, _, #status_ty, _>(
                s, #api_version, #kind, &self.metadata, ::core::option::Option::as_ref(&self.spec), #status_written)
        },
        SpecFields::Spec | SpecFields::Whole => quote! {
            #krate::__private::serialize::<_, _, #status_ty, _>(
                s, #api_version, #kind, &self.metadata, ::core::option::Option::Some(&self.spec), #status_written)
        },
    }
}

/// Implements kube's traits.
fn traits(it: &Kind, form: SpecFields, name: &Ident, crates: &Crates) -> TokenStream {
    let Crates { krate, kube_core, k8s_openapi, .. } = crates;
    let meta = crates.object_meta();
    let root = &it.kube.root;
    let (group, version, kind) = (&root.group, &root.version, &root.kind);
    let api_version = format!("{group}/{version}");
    let plural = root.plural_name();
    let crd_name = format!("{plural}.{group}");
    let scope = match root.namespaced {
        true => quote!(NamespaceResourceScope),
        false => quote!(ClusterResourceScope),
    };
    let short_names = &root.short_names;
    let crd =
        quote!(#k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition);
    let texts = [
        ("group", group),
        ("kind", kind),
        ("version", version),
        ("api_version", &api_version),
        ("plural", &plural),
    ]
    .map(|(function, text)| {
        let function = Ident::new(function, proc_macro2::Span::call_site());
        quote! {
            fn #function(_: &()) -> ::std::borrow::Cow<'_, str> {
                ::std::borrow::Cow::Borrowed(#text)
            }
        }
    });
    let own = &it.name;
    let has_spec = (form == SpecFields::Spec || form == SpecFields::Flat).then(|| {
        quote! {
            #[automatically_derived]
            impl #kube_core::object::HasSpec for #name {
                type Spec = #own;
                fn spec(&self) -> &#own {
                    &self.spec
                }
                fn spec_mut(&mut self) -> &mut #own {
                    &mut self.spec
                }
            }
        }
    });
    let has_status = it.status.as_ref().filter(|_| form != SpecFields::Whole).map(|status| {
        quote! {
            #[automatically_derived]
            impl #kube_core::object::HasStatus for #name {
                type Status = #status;
                fn status(&self) -> ::core::option::Option<&#status> {
                    ::core::option::Option::as_ref(&self.status)
                }
                fn status_mut(&mut self) -> &mut ::core::option::Option<#status> {
                    &mut self.status
                }
            }
        }
    });
    quote! {
        const _: () = #krate::kube::versions::<#kube_core::ObjectMeta, #meta>();
        #[automatically_derived]
        impl #kube_core::Resource for #name {
            type DynamicType = ();
            type Scope = #kube_core::#scope;
            #(#texts)*
            fn meta(&self) -> &#meta {
                &self.metadata
            }
            fn meta_mut(&mut self) -> &mut #meta {
                &mut self.metadata
            }
        }
        #[automatically_derived]
        impl #kube_core::crd::v1::CustomResourceExt for #name {
            fn crd() -> #crd {
                #krate::kube::definition(&<Self as #krate::CustomResource>::crd())
            }
            fn crd_name() -> &'static str {
                #crd_name
            }
            fn api_resource() -> #kube_core::dynamic::ApiResource {
                #kube_core::dynamic::ApiResource::erase::<Self>(&())
            }
            fn shortnames() -> &'static [&'static str] {
                &[#(#short_names),*]
            }
        }
        #has_spec
        #has_status
    }
}
