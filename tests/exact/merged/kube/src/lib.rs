//! What a program calls of kube.

pub mod core {
    /// The CRD of a kind.
    pub trait CustomResourceExt {
        fn crd() -> String;
    }

    impl<K: crdgen::CustomResource> CustomResourceExt for K {
        fn crd() -> String {
            K::crd_yaml()
        }
    }

    pub mod crd {
        /// Stores one of the versions.
        pub fn merge_crds(crds: Vec<String>, stored: &str) -> String {
            crds.join(stored)
        }
    }
}
