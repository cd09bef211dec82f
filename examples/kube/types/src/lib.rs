//! The same source with two preludes: the only difference between a project on kube-derive and one on
//! crdgen is where three names come from.

/// As it was.
pub mod kube_rs {
    use kube::{CustomResource, KubeSchema};
    use schemars::JsonSchema;

    include!("types.rs");
}

/// As it is with crdgen.
pub mod crdgen {
    use crdgen::kube::{CustomResource, JsonSchema, KubeSchema};

    include!("types.rs");
}

/// What kube-derive and schemars do badly, by crdgen.
pub mod habits {
    use crdgen::kube::{CustomResource, JsonSchema, KubeSchema};

    include!("habits.rs");
}

/// kube's own examples and tests, as far as attributes go: what each form makes. Both preludes again.
pub mod examples {
    pub mod kube_rs {
        use kube::{CustomResource, KubeSchema};
        use schemars::JsonSchema;

        include!("examples.rs");
    }

    pub mod crdgen {
        use crdgen::kube::{CustomResource, JsonSchema, KubeSchema};

        include!("examples.rs");
    }
}

pub mod patterns;

/// What a framework crate re-exports for those who build on it.
pub mod framework {
    pub use ::crdgen;
    pub use k8s_openapi;
    pub use kube;
    pub use schemars;
    pub use serde;
    pub use serde_json;
}
