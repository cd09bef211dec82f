//! Generates Kubernetes CustomResourceDefinitions (CRDs) from Rust types, and Rust types from CRDs, and checks both
//! exactly as the API server does. If it compiles, it applies.
//!
//! ```
//! use crdgen::{CustomResource, Schema};
//! use serde::{Deserialize, Serialize};
//!
//! /// Runs an image on a schedule.
//! #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
//! #[kube(group = "stable.example.com", version = "v1", kind = "CronTab", namespaced)]
//! pub struct CronTabSpec {
//!     /// What to run.
//!     #[schema(min_length = 1)]
//!     pub image: String,
//! }
//!
//! println!("{}", CronTab::crd_yaml());
//! ```
//!
//! # How do I …
//!
//! | I want to … | Guide |
//! | --- | --- |
//! | write my first kind | [in five minutes][first_kind] |
//! | look up an attribute | [all attributes][attributes] |
//! | write CRDs in a build script | [build.rs][build_script] |
//! | use crdgen with kube-rs | [kube-rs][kube_rs] |
//! | get Rust types for the CRDs of others | [import][import_guide] |
//! | check CRDs and objects in tests | [tests][testing] |
//! | support several versions of a kind | [versions][versions] |
//!
//! The command `crdgen` (`cargo install crdgen-cli`) does most of this without compiling your code.
//!
//! # Features
//!
//! | Feature | Adds |
//! | --- | --- |
//! | `derive` (default) | the derives |
//! | `check` | the checks of the API server: `check`, `objects`, `installed`, and generated tests that check everything |
//! | `kube` | derives for kube-rs, in the module `kube`; with `check`, `check_installed!` |
//! | `import` | `import!`, which generates types for CRDs while your crate is compiled |
//! | `apply` | `derive(Apply)`: typed configurations for server-side apply; with `check`, `apply::extract` |
//! | `convert` | `derive(Convert)` and `versioned`: conversion between the versions of a kind |
//! | `webhook` | conversion and admission webhooks, as a service for any HTTP server |
//! | `serve` | a server for these webhooks, with TLS |
//! | `self-signed` | certificates that this server makes itself |
//! | `build` | `Builder` for build scripts, and the modules `docs`, `emit`, `import`, `output`, `source` and `suites`; with `derive`, `suites!`, which generates a test for each case of your test suites |
//! | `testing` | the module `testing`: an API server in the process of a test; with `derive`, `#[crdgen::test]`; with `check`, Kubernetes' own kinds in `objects` and assertions |
//! | `schemars`, `schemars-08` | `JsonSchema` of schemars 1 or 0.8: use types that implement it, and implement it for your types |
//! | `k8s-openapi` | Kubernetes' own types as fields |
//! | `arrayvec`, `bigdecimal`, `bytes`, `camino`, `chrono`, `indexmap`, `ipnet`, `jiff`, `ordered-float`, `rust_decimal`, `semver`, `serde_json`, `smallvec`, `smol_str`, `time`, `url`, `uuid` | types of these crates as fields |
//!
//! # Stability
//!
//! The derives, their attributes, [`CustomResource`], [`Schema`], and the functions and macros of this crate follow semantic
//! versioning. What can grow with Kubernetes is `#[non_exhaustive]`, such as the errors and what `installed` finds. A struct
//! `Options` may get fields in any release: end its literals with `..Default::default()`.
//!
//! The modules [`ir`], [`diag`] and [`value`] are **unstable**: you can read what they contain, but any release may add fields
//! and variants, since each Kubernetes version may add some to CRDs. The modules `source`, `suites` and
//! `testing` are unstable too: what the command needs changes them. The macro `suites!` is stable.
//!
//! [first_kind]: https://docs.rs/crdgen/latest/crdgen/guide/first_kind/index.html
//! [attributes]: https://docs.rs/crdgen/latest/crdgen/guide/attributes/index.html
//! [build_script]: https://docs.rs/crdgen/latest/crdgen/guide/build_script/index.html
//! [kube_rs]: https://docs.rs/crdgen/latest/crdgen/guide/kube_rs/index.html
//! [import_guide]: https://docs.rs/crdgen/latest/crdgen/guide/import/index.html
//! [testing]: https://docs.rs/crdgen/latest/crdgen/guide/testing/index.html
//! [versions]: https://docs.rs/crdgen/latest/crdgen/guide/versions/index.html

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "apply")]
pub mod apply;
#[cfg(feature = "convert")]
pub mod convert;
mod metadata;
#[cfg(feature = "webhook")]
pub mod webhook;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
#[cfg(all(any(doc, doctest), feature = "build", feature = "derive"))]
pub mod guide;
#[cfg(feature = "kube")]
pub mod kube;
#[cfg(feature = "schemars")]
mod schemars;
#[cfg(feature = "schemars-08")]
mod schemars_08;

/// Implements the traits of schemars for the derives, for the versions of schemars whose features are on.
#[cfg(any(feature = "schemars", feature = "schemars-08"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __schemars {
    ($(@wanted)? {$($params:tt)*} {$($ty:tt)*} $name:literal $described:ident) => {
        $crate::__schemars_1! {{$($params)*} {$($ty)*} $name $described}
        $crate::__schemars_08! {{$($params)*} {$($ty)*} $name $described}
    };
}

/// Drops the impls for schemars, because no feature for it is on. If the user asked for them, this is an error.
#[cfg(not(any(feature = "schemars", feature = "schemars-08")))]
#[doc(hidden)]
#[macro_export]
macro_rules! __schemars {
    (@wanted $($tokens:tt)*) => {
        ::core::compile_error!("#[schema(schemars)] needs crdgen's feature `schemars`, or `schemars-08`");
    };
    ($($tokens:tt)*) => {};
}

#[cfg(feature = "schemars")]
#[doc(hidden)]
#[macro_export]
macro_rules! __schemars_1 {
    ({$($params:tt)*} {$($ty:tt)*} $name:literal $described:ident) => {
        #[automatically_derived]
        #[allow(deprecated)]
        impl $($params)* $crate::__private::schemars::JsonSchema for $($ty)* {
            fn schema_name() -> ::std::borrow::Cow<'static, str> { ::std::borrow::Cow::Borrowed($name) }
            fn schema_id() -> ::std::borrow::Cow<'static, str> {
                ::std::borrow::Cow::Borrowed(::core::any::type_name::<Self>())
            }
            fn json_schema(_: &mut $crate::__private::schemars::SchemaGenerator) -> $crate::__private::schemars::Schema {
                $crate::__private::schemars::$described::<Self>()
            }
        }
    };
}

#[cfg(not(feature = "schemars"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __schemars_1 {
    ($($tokens:tt)*) => {};
}

#[cfg(feature = "schemars-08")]
#[doc(hidden)]
#[macro_export]
macro_rules! __schemars_08 {
    ({$($params:tt)*} {$($ty:tt)*} $name:literal $described:ident) => {
        #[automatically_derived]
        #[allow(deprecated)]
        impl $($params)* $crate::__private::schemars_08::JsonSchema for $($ty)* {
            fn schema_name() -> ::std::string::String { ::std::string::String::from($name) }
            fn schema_id() -> ::std::borrow::Cow<'static, str> {
                ::std::borrow::Cow::Borrowed(::core::any::type_name::<Self>())
            }
            fn json_schema(
                _: &mut $crate::__private::schemars_08::SchemaGenerator,
            ) -> $crate::__private::schemars_08::Schema {
                $crate::__private::schemars_08::$described::<Self>()
            }
        }
    };
}

#[cfg(not(feature = "schemars-08"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __schemars_08 {
    ($($tokens:tt)*) => {};
}

/// Defines a type that has the schema of a type of Kubernetes. crdgen does not depend on k8s-openapi, so the types of
/// k8s-openapi cannot implement a trait of crdgen.
#[cfg(feature = "k8s-openapi")]
#[doc(hidden)]
#[macro_export]
macro_rules! __kubernetes {
    ($own:ident [$($id:ident)*] $ty:ty) => {
        enum $own {}
        impl $crate::__private::k8s::Named for $own {
            const TYPES: &'static [&'static $crate::__private::k8s::Type] =
                &[$(&$crate::__private::k8s::types::$id),*];
        }
        impl $crate::Schema for $own {
            const SHAPE: &'static $crate::__private::Shape = {
                #[allow(unused_imports)]
                use $crate::__private::k8s_openapi::ByPath as _;
                $crate::__private::k8s_openapi::Of::<$ty, $own>::SHAPE
            };
        }
    };
}

#[cfg(not(feature = "k8s-openapi"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __kubernetes {
    ($own:ident [$($id:ident)*] $ty:ty) => {
        type $own = $ty;
    };
}

/// The generated test of a kind. Without the feature `check`, a test that is ignored takes its place. It appears in
/// every run, with a message on how to get the full check.
#[cfg(feature = "check")]
#[doc(hidden)]
#[macro_export]
macro_rules! __test {
    ($name:ident, $full:ident, $kind:ty, $at:literal, $deny:literal, $is_derived:literal) => {
        #[cfg(test)]
        #[::core::prelude::v1::test]
        fn $name() {
            #[allow(unused_imports)]
            use $crate::__private::Unread as _;
            $crate::__private::test::<$kind>($at, $deny);
            if $is_derived {
                $crate::__private::Reads::<$kind>::test($at);
            }
        }
    };
}

#[cfg(not(feature = "check"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __test {
    ($name:ident, $full:ident, $kind:ty, $at:literal, $deny:literal, $is_derived:literal) => {
        #[cfg(test)]
        #[::core::prelude::v1::test]
        fn $name() {
            $crate::__private::test::<$kind>($at, $deny);
        }

        #[cfg(test)]
        #[::core::prelude::v1::test]
        #[ignore = "to check all that the API server checks, add to [dev-dependencies]: crdgen = { features = [\"check\"] }"]
        fn $full() {
            $crate::__private::test_of_check();
        }
    };
}

/// **Unstable**: any release may add fields and variants.
#[doc(inline)]
pub use crdgen_runtime::diag;
/// **Unstable**: any release may add fields and variants.
#[doc(inline)]
pub use crdgen_runtime::ir;
/// Asks a cluster for the CRD of a kind. The client is that of the caller's kube.
#[cfg(all(feature = "check", feature = "kube"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __check_installed {
    ($kind:ty, $client:expr) => {
        $crate::kube::installed::<$kind, _, _, _>({
            let client: ::kube::Client = ::core::clone::Clone::clone($client);
            move |name: ::std::string::String| async move {
                let gvk = ::kube::core::GroupVersionKind::gvk(
                    "apiextensions.k8s.io",
                    "v1",
                    "CustomResourceDefinition",
                );
                let crds = ::kube::core::ApiResource::from_gvk_with_plural(&gvk, "customresourcedefinitions");
                let crds = ::kube::Api::<::kube::core::DynamicObject>::all_with(client, &crds);
                crds.get_opt(&name).await
            }
        })
    };
}

/// The generated test of a conversion, which needs the feature `check`.
#[cfg(all(feature = "check", feature = "convert"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __conversion_test {
    ($name:ident, $old:ty, $new:ty, $at:literal) => {
        #[cfg(test)]
        #[::core::prelude::v1::test]
        fn $name() {
            $crate::convert::Versions::new().pair::<$old, $new>().test($at);
        }
    };
}

#[cfg(not(all(feature = "check", feature = "convert")))]
#[doc(hidden)]
#[macro_export]
macro_rules! __conversion_test {
    ($($tokens:tt)*) => {};
}

pub use crdgen_kinds::{CustomResource, Problems, merge, to_yaml};
#[cfg(feature = "check")]
pub use crdgen_kinds::{Report, assert_admitted, assert_refused, check, installed, objects, rules};
pub use crdgen_runtime::recipe::Schema;
/// The same as [`Schema`], under the name that schemars uses.
pub use crdgen_runtime::recipe::Schema as JsonSchema;
#[cfg(feature = "k8s-openapi")]
pub use crdgen_runtime::recipe::k8s_openapi::K8sOpenapi;
/// **Unstable**: any release may add functions and variants.
#[doc(inline)]
pub use crdgen_runtime::value;
pub use metadata::{ObjectMeta, OwnerReference};
#[cfg(feature = "schemars")]
pub use schemars::Schemars;
#[cfg(feature = "schemars-08")]
pub use schemars_08::Schemars08;

#[cfg(feature = "derive")]
pub use crdgen_derive::{CustomResource, JsonSchema, KubeSchema, Schema};

#[cfg(feature = "apply")]
pub use apply::Apply;
#[cfg(feature = "convert")]
pub use convert::Convert;
#[cfg(feature = "convert")]
pub use crdgen_derive::versioned;

#[cfg(feature = "import")]
pub use crdgen_derive::import;

#[cfg(all(feature = "build", feature = "derive"))]
pub use crdgen_derive::suites;

/// An API server in the process of a test. It is unstable.
#[cfg(feature = "testing")]
pub use crdgen_apiserver as testing;
#[cfg(all(feature = "testing", feature = "derive"))]
pub use crdgen_derive::test;

#[cfg(feature = "build")]
pub use crdgen_build::{Builder, Error, docs, emit, import, output, source, suites};

/// Includes the Rust types that `Builder::import` generated for an API group in the build script.
///
/// ```ignore
/// mod cert_manager {
///     crdgen::include!("cert-manager.io");
/// }
/// ```
#[macro_export]
macro_rules! include {
    ($group:literal) => {
        ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/crdgen/", $group, ".rs"));
    };
}
