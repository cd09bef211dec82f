//! Two versions of a kind, whose CRD build.rs writes into `crds/`, and kinds of other projects, for which build.rs and
//! a macro generate types.

/// Volumes. build.rs reads `imports/volumes.yaml`.
pub mod volumes {
    crdgen::include!("storage.example.org");
}

/// Snapshots. The macro reads the file.
pub mod snapshots {
    crdgen::import!("imports/snapshots.yaml");
}

/// The version that is stored.
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

/// The older version, which is still served.
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

/// Returns a new volume of the wanted size with the content of a snapshot.
pub fn restored(snapshot: &snapshots::v1::Snapshot, gigabytes: i64) -> volumes::v1::Volume {
    use volumes::v1::{Volume, VolumeSource, VolumeSpec};
    let name = snapshot.metadata.name.clone().unwrap_or_default();
    let source = VolumeSource::Snapshot(name);
    Volume::new(&snapshot.spec.volume, VolumeSpec { gigabytes, mode: None, source })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crdgen::CustomResource;

    #[test]
    fn what_is_imported_is_what_is_emitted() {
        for (crd, file) in [
            (volumes::v1::Volume::crd(), include_str!("../imports/volumes.yaml")),
            (snapshots::v1::Snapshot::crd(), include_str!("../imports/snapshots.yaml")),
        ] {
            assert!(file.contains(&crd.metadata.name), "{}", crd.metadata.name);
        }
        assert!(volumes::v1::Volume::crd_yaml().contains("oneOf:"));
    }

    #[test]
    fn types_of_both_work_together() {
        use snapshots::v1::{Snapshot, SnapshotSpec};
        let spec = SnapshotSpec { volume: "data".to_owned(), taken_at: None };
        let volume = restored(&Snapshot::new("monday", spec), 10);
        assert_eq!(volume.spec.source, volumes::v1::VolumeSource::Snapshot("monday".to_owned()));
    }
}
