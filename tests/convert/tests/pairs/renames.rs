//! Renamed fields: in Rust, with serde, in tuples and in flattened structs.

use super::*;

pub mod v1beta1 {
    use super::*;

    #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1beta1", kind = "Rename", namespaced, storage = false)]
    #[serde(rename_all = "camelCase")]
    pub struct RenameSpec {
        pub outer_size: i32,
        #[serde(rename = "class")]
        pub kind_of: String,
        pub pair: Pair,
        pub name: Name,
        #[serde(flatten)]
        pub more: More,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub same: Option<f64>,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub struct Pair(pub i32, pub i32);

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub struct Name {
        #[serde(alias = "forename")]
        pub first: String,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub struct More {
        // serde copies what it reads of a flattened struct.
        #[serde(alias = "flatter")]
        pub flat: i32,
        #[serde(default)]
        pub tags: Vec<String>,
    }
}

pub mod v1 {
    use super::*;

    #[derive(Clone, Debug, Convert, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1", kind = "Rename", namespaced)]
    #[convert(from = "v1beta1::RenameSpec")]
    #[serde(rename_all = "kebab-case")]
    pub struct RenameSpec {
        #[convert(from = "outer_size")]
        pub total_size: i32,
        #[convert(from = "kind_of")]
        pub class: String,
        pub pair: Pair,
        pub name: Name,
        #[serde(flatten)]
        pub more: More,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub same: Option<f64>,
    }

    #[derive(Clone, Debug, Convert, Deserialize, Schema, Serialize)]
    #[convert(from = "v1beta1::Pair")]
    pub struct Pair(#[convert(from = "1")] pub i32, #[convert(from = "0")] pub i32);

    #[derive(Clone, Debug, Convert, Deserialize, Schema, Serialize)]
    #[convert(from = "v1beta1::Name")]
    pub struct Name {
        #[serde(alias = "forename")]
        #[convert(from = "first")]
        pub given: String,
    }

    #[derive(Clone, Debug, Convert, Deserialize, Schema, Serialize)]
    #[convert(from = "v1beta1::More")]
    pub struct More {
        #[convert(from = "flat")]
        pub lifted: i32,
        #[serde(default)]
        pub tags: Vec<String>,
    }
}

pub fn versions() -> Versions {
    Versions::new().pair::<v1beta1::Rename, v1::Rename>()
}
