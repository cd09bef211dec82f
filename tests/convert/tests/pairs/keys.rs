//! A map that becomes a list of items with names, and lists whose items are identified by keys.

use super::*;

pub mod v1beta1 {
    use super::*;

    #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1beta1", kind = "Ring", namespaced, storage = false)]
    pub struct RingSpec {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub ports: Option<Ports>,
        #[serde(default)]
        #[schema(list_type = "map", list_map_keys = ["name"])]
        pub backends: Vec<Backend>,
        #[serde(default)]
        pub by_name: BTreeMap<String, Backend>,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub struct Ports {
        pub ports: BTreeMap<String, i32>,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub struct Backend {
        pub name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub note: Option<String>,
    }
}

pub mod v1 {
    use super::*;

    #[derive(Clone, Debug, Convert, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1", kind = "Ring", namespaced)]
    #[convert(from = "v1beta1::RingSpec")]
    pub struct RingSpec {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub ports: Option<Ports>,
        #[serde(default)]
        #[schema(list_type = "map", list_map_keys = ["name"])]
        pub backends: Vec<Backend>,
        #[serde(default)]
        pub by_name: BTreeMap<String, Backend>,
    }

    #[derive(Clone, Debug, Convert, Deserialize, Schema, Serialize)]
    #[convert(from = "v1beta1::Ports")]
    pub struct Ports {
        #[schema(list_type = "map", list_map_keys = ["name"])]
        #[convert(with = "named", back = "by_names")]
        pub ports: Vec<Port>,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub struct Port {
        pub name: String,
        pub number: i32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub protocol: Option<String>,
    }

    #[derive(Clone, Debug, Convert, Deserialize, Schema, Serialize)]
    #[convert(from = "v1beta1::Backend", removed(note))]
    pub struct Backend {
        pub name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[convert(default)]
        pub weight: Option<i32>,
    }

    fn named(ports: BTreeMap<String, i32>) -> Vec<Port> {
        ports.into_iter().map(|(name, number)| Port { name, number, protocol: None }).collect()
    }
    fn by_names(ports: Vec<Port>) -> BTreeMap<String, i32> {
        ports.into_iter().map(|port| (port.name, port.number)).collect()
    }
}

pub fn versions() -> Versions {
    Versions::new().pair::<v1beta1::Ring, v1::Ring>()
}
