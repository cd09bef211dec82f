//! Values that are left out if they are empty, and fields that a type reads but does not write.

use super::*;

pub mod v1beta1 {
    use super::*;

    #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1beta1", kind = "Crate", namespaced, storage = false)]
    pub struct CrateSpec {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub network: Option<Network>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub labels: Option<BTreeMap<String, String>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub notes: Option<Vec<String>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub inner: Option<Box<Network>>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        pub muted: bool,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub struct Network {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub port: Option<i32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub proxy: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub ranges: Option<Ranges>,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub struct Ranges {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub blocks: Vec<String>,
    }
}

pub mod v1 {
    use super::*;

    #[derive(Clone, Debug, Convert, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1", kind = "Crate", namespaced)]
    #[convert(from = "v1beta1::CrateSpec", removed(muted))]
    pub struct CrateSpec {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[convert(omit_empty)]
        pub network: Option<Network>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[convert(omit_empty)]
        #[schema(min_properties = 1)]
        pub labels: Option<BTreeMap<String, String>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[convert(from = "notes", omit_empty)]
        #[schema(min_items = 1)]
        pub remarks: Option<Vec<String>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[convert(omit_empty)]
        pub inner: Option<Box<Network>>,
        // Not the field that v1beta1 has by this name.
        #[serde(default, rename = "muted", skip_serializing_if = "Option::is_none")]
        #[convert(default)]
        pub is_muted: Option<bool>,
    }

    #[derive(Clone, Debug, Convert, Deserialize, Schema, Serialize)]
    #[convert(from = "v1beta1::Network", removed(proxy))]
    #[schema(min_properties = 1)]
    pub struct Network {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub port: Option<i32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[convert(default)]
        pub zone: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[convert(omit_empty)]
        pub ranges: Option<Ranges>,
    }

    #[derive(Clone, Debug, Convert, Deserialize, Schema, Serialize)]
    #[convert(from = "v1beta1::Ranges")]
    #[schema(min_properties = 1)]
    pub struct Ranges {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[schema(min_items = 1)]
        pub blocks: Vec<String>,
    }
}

/// The versions of a crate.
pub fn versions() -> Versions {
    Versions::new().pair::<v1beta1::Crate, v1::Crate>()
}
