//! Types with conversions of their own, inside of options, lists, maps and boxes.

use super::*;

#[versioned(v1beta1, v1, preserve_module)]
pub mod history {
    use super::*;

    #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", kind = "Nest", namespaced, status = "NestStatus")]
    pub struct NestSpec {
        pub part: Part,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub maybe: Option<Part>,
        #[serde(default)]
        pub list: Vec<Part>,
        #[serde(default)]
        pub gaps: Vec<Option<Part>>,
        #[serde(default)]
        pub lists: Vec<Vec<Part>>,
        #[serde(default)]
        pub map: BTreeMap<String, Part>,
        #[serde(default)]
        pub hashed: HashMap<String, Vec<Part>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub boxed: Option<Box<Part>>,
        #[versioned(changed(since = "v1", from_type = "String"))]
        pub text: Box<str>,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub struct Part {
        #[versioned(renamed(since = "v1", from = "port"))]
        pub number: i32,
        #[versioned(added(since = "v1"))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub protocol: Option<String>,
        #[versioned(removed(since = "v1"))]
        #[serde(default, skip_serializing_if = "String::is_empty")]
        pub note: String,
        pub inner: Inner,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub struct Inner {
        #[versioned(renamed(since = "v1", from = "flag"))]
        pub is_set: bool,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub struct NestStatus {
        #[serde(default)]
        pub parts: Vec<Part>,
    }
}

pub fn versions() -> Versions {
    history::v1::Nest::versions()
}
