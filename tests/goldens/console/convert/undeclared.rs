//! A field that is an i32 in one version and an i64 in the other.

pub mod v1alpha1 {
    use crdgen::{CustomResource, Schema};
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1alpha1", kind = "Yard", storage = false)]
    pub struct YardSpec {
        pub a: i32,
        pub tracks: Vec<Track>,
    }

    #[derive(Deserialize, Schema, Serialize)]
    pub struct Track {
        pub name: String,
    }
}

pub mod v1 {
    use super::v1alpha1;
    use crdgen::{Convert, CustomResource, Schema};
    use serde::{Deserialize, Serialize};

    #[derive(Convert, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1", kind = "Yard")]
    #[convert(from = "v1alpha1::YardSpec")]
    pub struct YardSpec {
        pub a: i64,
        pub tracks: Vec<Track>,
    }

    #[derive(Deserialize, Schema, Serialize)]
    pub struct Track {
        pub name: String,
    }
}
