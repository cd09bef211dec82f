//! Rust types to Kubernetes CustomResourceDefinitions and back, checked exactly as the API server
//! checks them. If it compiles, it applies.

mod kind;
mod metadata;
mod to_value;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "kube")]
pub mod kube;
#[cfg(feature = "check")]
pub mod objects;
#[cfg(feature = "check")]
pub mod rules;
#[cfg(feature = "schemars")]
mod schemars;

/// What the derives write for schemars is left out, unless it was asked for.
#[cfg(not(feature = "schemars"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __schemars {
    (@wanted $($tokens:tt)*) => {
        ::core::compile_error!("#[schema(schemars)] needs crdgen's feature `schemars`");
    };
    ($($tokens:tt)*) => {};
}

/// The generated test of a kind. Without the feature `check` there is another one, which is ignored: it shows up in
/// every run and says how to get the whole check.
#[cfg(feature = "check")]
#[doc(hidden)]
#[macro_export]
macro_rules! __test {
    ($name:ident, $full:ident, $kind:ty) => {
        #[cfg(test)]
        #[::core::prelude::v1::test]
        fn $name() {
            $crate::__private::test::<$kind>();
        }
    };
}

#[cfg(not(feature = "check"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __test {
    ($name:ident, $full:ident, $kind:ty) => {
        #[cfg(test)]
        #[::core::prelude::v1::test]
        fn $name() {
            $crate::__private::test::<$kind>();
        }

        #[cfg(test)]
        #[::core::prelude::v1::test]
        #[ignore = "for all that the API server checks, add to [dev-dependencies]: crdgen = { features = [\"check\"] }"]
        fn $full() {
            $crate::__private::test_of_check();
        }
    };
}

pub use crdgen_runtime::recipe::Schema;
/// [`Schema`] under the name that schemars gives it.
pub use crdgen_runtime::recipe::Schema as JsonSchema;
pub use crdgen_runtime::{diag, ir, value};
#[cfg(feature = "check")]
pub use kind::check;
#[cfg(feature = "check")]
pub(crate) use kind::unguarded;
pub use kind::{CustomResource, Problems, merge, to_yaml};
pub use metadata::{ObjectMeta, OwnerReference};
#[cfg(feature = "schemars")]
pub use schemars::Schemars;

#[cfg(feature = "derive")]
pub use crdgen_derive::{CustomResource, JsonSchema, KubeSchema, Schema};

#[cfg(feature = "import")]
pub use crdgen_derive::import;

#[cfg(feature = "build")]
mod builder;
#[cfg(feature = "build")]
pub mod docs;
#[cfg(feature = "build")]
pub mod emit;
#[cfg(feature = "build")]
mod error;
#[cfg(feature = "build")]
mod generated;
#[cfg(feature = "build")]
pub mod import;
#[cfg(feature = "build")]
mod input;
#[cfg(feature = "build")]
pub mod output;
#[cfg(feature = "build")]
pub mod source;
#[cfg(feature = "build")]
pub mod suites;

#[cfg(feature = "build")]
pub use builder::Builder;
#[cfg(feature = "build")]
pub use error::Error;

/// The modules that `Builder::import` has made of a group's definitions, in the build script.
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
