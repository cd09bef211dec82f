//! Two versions of a kind, whose definition build.rs writes into `crds/`.

/// What is served and stored.
pub mod v1 {
    use crdgen::{CustomResource, Schema};
    use serde::{Deserialize, Serialize};

    /// Copies a volume on a schedule.
    #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
    #[kube(group = "backups.example.com", version = "v1", kind = "Backup", namespaced)]
    #[serde(rename_all = "camelCase")]
    pub struct BackupSpec {
        /// The volume.
        #[schema(immutable, max_length = 63, column(name = "Volume"))]
        pub volume: String,
        /// How many copies are kept.
        #[schema(minimum = 1, maximum = 100)]
        #[serde(default = "three")]
        pub keep: u32,
        /// Where copies go.
        pub to: Target,
    }

    /// Where copies go.
    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub enum Target {
        /// A bucket.
        Bucket(String),
        /// Another volume.
        Volume {
            /// Its name.
            name: String,
        },
    }

    fn three() -> u32 {
        3
    }
}

/// What is still served.
pub mod v1beta1 {
    use crdgen::{CustomResource, Schema};
    use serde::{Deserialize, Serialize};

    /// Copies a volume on a schedule.
    #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
    #[kube(group = "backups.example.com", version = "v1beta1", kind = "Backup", namespaced)]
    #[kube(storage = false, deprecated = "backups.example.com/v1beta1 is deprecated: use v1")]
    pub struct BackupSpec {
        /// The volume.
        pub volume: String,
    }
}
