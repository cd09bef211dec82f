//! The derive macros of crdgen. Use them through the crate [`crdgen`](https://docs.rs/crdgen), whose guide lists [all
//! attributes](https://docs.rs/crdgen/latest/crdgen/guide/attributes/index.html).

#[cfg(feature = "import")]
mod import;
#[cfg(feature = "suites")]
mod suites;
#[cfg(feature = "testing")]
mod test;

use crdgen_rust::derive::item;
use proc_macro::TokenStream;

/// Derives the schema of a type: what serde reads and writes, with the constraints in attributes.
///
/// Use it for all types in a kind. [All attributes](https://docs.rs/crdgen/latest/crdgen/guide/attributes/index.html)
/// are in the guide.
///
/// # Warnings
///
/// Macros cannot print warnings. A warning, such as that about a rule that reads an optional field without `has()`,
/// appears as the use of a deprecated constant. If it does not matter, write
/// `#[schema(allow(LNT013, reason = "…"))]` with its code on the type or field.
#[proc_macro_derive(Schema, attributes(schema, kube, x_kube, cel_validate, schemars, validate, garde, serde))]
pub fn schema(input: TokenStream) -> TokenStream {
    item::schema(input.into()).into()
}

/// The same as [`macro@Schema`], under the name that schemars uses. With crdgen's feature `schemars`, the type also
/// implements `schemars::JsonSchema`.
#[proc_macro_derive(
    JsonSchema,
    attributes(schema, kube, x_kube, cel_validate, schemars, validate, garde, serde)
)]
pub fn json_schema(input: TokenStream) -> TokenStream {
    item::json_schema(input.into()).into()
}

/// The same as [`macro@JsonSchema`], under the name that kube-rs uses.
#[proc_macro_derive(
    KubeSchema,
    attributes(schema, kube, x_kube, cel_validate, schemars, validate, garde, serde)
)]
pub fn kube_schema(input: TokenStream) -> TokenStream {
    item::json_schema(input.into()).into()
}

/// Derives a kind from its spec: a struct for the whole object, its CRD, and a test of the CRD.
///
/// `#[kube(group = "…", version = "v1", kind = "…")]` is required. [All
/// attributes](https://docs.rs/crdgen/latest/crdgen/guide/attributes/index.html) are in the guide.
///
/// The generated test checks types and defaults. With crdgen's feature `check`, it checks everything that the API server
/// checks. Turn the feature on in `[dev-dependencies]`, so that your program does not get larger.
#[proc_macro_derive(CustomResource, attributes(kube, schema))]
pub fn custom_resource(input: TokenStream) -> TokenStream {
    item::custom_resource(input.into()).into()
}

/// Derives a kind for kube-rs: `crdgen::kube::CustomResource`.
#[cfg(feature = "kube")]
#[proc_macro_derive(KubeCustomResource, attributes(kube, schema))]
pub fn kube_custom_resource(input: TokenStream) -> TokenStream {
    crdgen_rust::derive::kube::custom_resource(input.into()).into()
}

/// Derives the partner of a type for server-side apply: `WebSpecApply` for `WebSpec`. All its fields are optional, and it
/// serializes only what is set. For the spec of a kind `Web`, it also derives `WebApply`, the configuration of a whole object.
///
/// Derive it for all types in a kind. `#[apply(key)]` marks the fields that identify the items of a list with
/// `list_type = "map"`: they are required. `#[apply(whole)]` applies a field as its type is, for types of other crates.
#[cfg(feature = "configurations")]
#[proc_macro_derive(Apply, attributes(apply, kube, schema, serde, x_kube))]
pub fn apply(input: TokenStream) -> TokenStream {
    crdgen_rust::derive::apply::apply(input.into()).into()
}

/// Derives the conversion from and to the type of an older version, which `#[convert(from = "…")]` names.
///
/// Fields and variants of the same name convert by their own type. If the compiler reports `missing field` at `from`, the older
/// version has a field that you have not declared: write `removed(field)` in `#[convert(…)]` on the type, or
/// `from = "field"` on the field that it becomes. `removed(Variant(as = "Other"))` does the same for a variant.
#[cfg(feature = "convert")]
#[proc_macro_derive(Convert, attributes(convert, kube, schema, serde))]
pub fn convert(input: TokenStream) -> TokenStream {
    crdgen_rust::derive::convert::convert(input.into()).into()
}

/// Generates the types of all versions from one type with its history, or from a module of such types.
///
/// ```ignore
/// #[crdgen::versioned(v1alpha1, v1beta1, v1)]
/// #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
/// #[kube(group = "example.com", kind = "Site", namespaced)]
/// pub struct SiteSpec {
///     #[versioned(changed(since = "v1beta1", from_name = "host", from_type = "String", with = "one", back = "first"))]
///     pub hosts: Vec<String>,
///     #[versioned(added(since = "v1"))]
///     pub paused: bool,
/// }
/// ```
///
/// The attribute must be above the derives. [All of its
/// keys](https://docs.rs/crdgen/latest/crdgen/guide/attributes/index.html) are in the guide.
#[cfg(feature = "convert")]
#[proc_macro_attribute]
pub fn versioned(arguments: TokenStream, item: TokenStream) -> TokenStream {
    crdgen_rust::derive::versioned::versioned(arguments.into(), item.into()).into()
}

/// Generates Rust types for the CRDs in files, like `crdgen import`: `crdgen::import!("crds/widgets.yaml");`. Paths are
/// relative to the folder of the crate.
#[cfg(feature = "import")]
#[proc_macro]
pub fn import(input: TokenStream) -> TokenStream {
    import::expand(input.into()).unwrap_or_else(|e| e.to_compile_error()).into()
}

/// Generates a test for each case of the suites in a folder of the package: `crdgen::suites!("tests/suites");`. The cases run
/// with the CRDs that the suites name, and with those in other files and Rust packages:
/// `crdgen::suites!("tests/suites", crds = ["."]);`.
#[cfg(feature = "suites")]
#[proc_macro]
pub fn suites(input: TokenStream) -> TokenStream {
    suites::expand(input.into()).unwrap_or_else(|e| e.to_compile_error()).into()
}

/// Runs an asynchronous test with an API server in its process: `#[crdgen::test] async fn reconciles(server: Server)`.
///
/// With `seeds = 100`, it runs a hundred times. Each seed has other uids and generated names, and from 1 on it shuffles the order
/// in which events of different resources and requests of different tasks arrive. If a test fails, it prints the seed;
/// `seed = 17` runs only that one. The time of tokio is paused, so waiting takes no time.
#[cfg(feature = "testing")]
#[proc_macro_attribute]
pub fn test(arguments: TokenStream, item: TokenStream) -> TokenStream {
    test::expand(arguments, item)
}
