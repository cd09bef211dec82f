//! Fields that move out of structs, and into them.

use super::*;

pub mod v1beta1 {
    use super::*;

    #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1beta1", kind = "Depth", namespaced, storage = false)]
    pub struct DepthSpec {
        pub storage: Storage,
        pub least: i32,
        pub most: Option<i32>,
        #[serde(default)]
        pub volumes: Vec<Volume>,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub struct Storage {
        pub class: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub size: Option<i64>,
        pub backup: Backup,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub struct Backup {
        pub daily: bool,
        pub keep: i32,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub struct Volume {
        pub path: String,
        pub read: bool,
    }
}

pub mod v1 {
    use super::*;

    #[derive(Clone, Debug, Convert, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1", kind = "Depth", namespaced)]
    #[convert(
        from = "v1beta1::DepthSpec",
        inside(storage = "v1beta1::Storage", "storage.backup" = "v1beta1::Backup"),
        removed("storage.backup.keep")
    )]
    pub struct DepthSpec {
        #[convert(from = "storage.class")]
        pub class: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[convert(from = "storage.size")]
        pub size: Option<i64>,
        #[convert(from = "storage.backup.daily")]
        pub daily: bool,
        #[convert(parts(least = "least", most = "most"))]
        pub scaling: Scaling,
        #[serde(default)]
        pub volumes: Vec<Volume>,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub struct Scaling {
        pub least: i32,
        pub most: Option<i32>,
    }

    #[derive(Clone, Debug, Convert, Deserialize, Schema, Serialize)]
    #[convert(from = "v1beta1::Volume")]
    pub struct Volume {
        #[convert(parts(path = "path", read = "read"))]
        pub mount: Mount,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub struct Mount {
        pub path: String,
        pub read: bool,
    }
}

pub fn versions() -> Versions {
    Versions::new().pair::<v1beta1::Depth, v1::Depth>()
}
