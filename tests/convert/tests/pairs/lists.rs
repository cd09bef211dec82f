//! A value that becomes a list, and a list that becomes a value.

use super::*;

pub mod v1beta1 {
    use super::*;

    #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1beta1", kind = "Roll", namespaced, storage = false)]
    pub struct RollSpec {
        pub name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub hosts: Option<Hosts>,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub struct Hosts {
        pub host: String,
        #[serde(default)]
        pub mirrors: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub port: Option<i32>,
    }
}

pub mod v1 {
    use super::*;

    #[derive(Clone, Debug, Convert, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1", kind = "Roll", namespaced)]
    #[convert(from = "v1beta1::RollSpec")]
    pub struct RollSpec {
        pub name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub hosts: Option<Hosts>,
    }

    #[derive(Clone, Debug, Convert, Deserialize, Schema, Serialize)]
    #[convert(from = "v1beta1::Hosts")]
    pub struct Hosts {
        #[convert(from = "host", with = "one", back = "first")]
        pub hosts: Vec<String>,
        #[convert(from = "mirrors", with = "first", back = "one")]
        pub mirror: String,
        #[serde(default)]
        #[convert(from = "port", with = "all", back = "any")]
        pub ports: Vec<i32>,
    }

    fn one(host: String) -> Vec<String> {
        vec![host]
    }
    fn first(hosts: Vec<String>) -> String {
        hosts.into_iter().next().unwrap_or_default()
    }
    fn all(port: Option<i32>) -> Vec<i32> {
        port.into_iter().collect()
    }
    fn any(ports: Vec<i32>) -> Option<i32> {
        ports.into_iter().next()
    }
}

pub fn versions() -> Versions {
    Versions::new().pair::<v1beta1::Roll, v1::Roll>()
}
