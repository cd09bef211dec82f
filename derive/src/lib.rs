//! The derive macros of crdgen: a shell over `crdgen-core`.

#[cfg(feature = "import")]
mod import;

use crdgen_core::derive::item;
use proc_macro::TokenStream;

/// The schema of a type: what serde reads and writes, and what the attributes say of it.
///
/// Macros cannot warn. So a warning, such as the one about a rule that reads an optional field without `has()`, is the
/// compiler's about a deprecated constant of the warning's code. `#[allow(deprecated)]` on the type silences it.
#[proc_macro_derive(Schema, attributes(schema, kube, x_kube, schemars, validate, garde, serde))]
pub fn schema(input: TokenStream) -> TokenStream {
    item::schema(input.into()).into()
}

/// [`macro@Schema`] under the name that schemars gives it. With crdgen's feature `schemars` the type has that
/// trait too.
#[proc_macro_derive(JsonSchema, attributes(schema, kube, x_kube, schemars, validate, garde, serde))]
pub fn json_schema(input: TokenStream) -> TokenStream {
    item::json_schema(input.into()).into()
}

/// [`macro@Schema`] under the name that kube-rs gives it; else as [`macro@JsonSchema`].
#[proc_macro_derive(KubeSchema, attributes(schema, kube, x_kube, schemars, validate, garde, serde))]
pub fn kube_schema(input: TokenStream) -> TokenStream {
    item::json_schema(input.into()).into()
}

/// A kind: the object around a spec, its definition, and a test of the definition. The test checks everything that a
/// server does if crdgen's feature `check` is on; turn it on in `[dev-dependencies]`, where it costs the program
/// nothing. Without it the test checks types and defaults, and an ignored test says what to turn on.
#[proc_macro_derive(CustomResource, attributes(kube, schema))]
pub fn custom_resource(input: TokenStream) -> TokenStream {
    item::custom_resource(input.into()).into()
}

/// A kind for programs on kube-rs: `crdgen::kube::CustomResource`.
#[cfg(feature = "kube")]
#[proc_macro_derive(KubeCustomResource, attributes(kube, schema))]
pub fn kube_custom_resource(input: TokenStream) -> TokenStream {
    crdgen_core::derive::kube::custom_resource(input.into()).into()
}

/// The conversion from and to the type of an older version, which `#[convert(from = "…")]` names.
#[cfg(feature = "convert")]
#[proc_macro_derive(Convert, attributes(convert, kube, schema, serde))]
pub fn convert(input: TokenStream) -> TokenStream {
    crdgen_core::derive::convert::convert(input.into()).into()
}

/// Types for the definitions in files, by their paths from the folder of the crate:
/// `crdgen::import!("crds/widgets.yaml");` is what `crdgen import` writes.
#[cfg(feature = "import")]
#[proc_macro]
pub fn import(input: TokenStream) -> TokenStream {
    import::expand(input.into()).unwrap_or_else(|e| e.to_compile_error()).into()
}
