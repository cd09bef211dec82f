//! The same source with two preludes: the only difference between a project on kube-derive and one on
//! crdgen is where three names come from.

/// With kube-derive.
pub mod kube_rs {
    use kube::{CustomResource, KubeSchema};
    use schemars::JsonSchema;

    include!("types.rs");
}

/// With crdgen.
pub mod crdgen {
    use crdgen::kube::{CustomResource, JsonSchema, KubeSchema};

    include!("types.rs");
}

/// With crdgen: types for which kube-derive and schemars generate worse CRDs. The deprecation is a warning of crdgen about a
/// flattened map (RST041). The source is also one of kube-derive, which has no attribute to allow it.
#[allow(deprecated)]
pub mod habits {
    use crdgen::kube::{CustomResource, JsonSchema, KubeSchema};

    include!("habits.rs");
}

/// The attributes in kube's own examples and tests, with both preludes.
pub mod examples {
    pub mod kube_rs {
        use kube::{CustomResource, KubeSchema};
        use schemars::JsonSchema;

        include!("examples.rs");
    }

    /// The deprecation is a warning about a rule for changes of an optional field (RST045).
    #[allow(deprecated)]
    pub mod crdgen {
        use crdgen::kube::{CustomResource, JsonSchema, KubeSchema};

        include!("examples.rs");
    }
}

pub mod patterns;

/// Crates that a framework crate reexports for its users.
pub mod framework {
    pub use ::crdgen;
    pub use k8s_openapi;
    pub use kube;
    pub use schemars;
    pub use serde;
    pub use serde_json;
}
