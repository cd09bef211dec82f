//! Two versions whose schemas allow different values.

#![allow(unreachable_pub, dead_code)]

use crdgen::convert::Versions;
use crdgen::{Convert, CustomResource, Schema};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What both versions have as it is. Its own limits are in both.
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub struct Shared {
    #[schema(max_length = 3)]
    pub same: String,
}

pub mod v1beta1 {
    use super::*;

    #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1beta1", kind = "Limit", namespaced, storage = false)]
    #[serde(rename_all = "camelCase")]
    pub struct LimitSpec {
        pub title: String,
        #[schema(minimum = 0, maximum = 1000)]
        pub size: i64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub color: Option<String>,
        #[schema(max_items = 2)]
        pub tags: Vec<String>,
        pub by_name: BTreeMap<String, i32>,
        pub parts: Vec<Part>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub maybe: Option<i32>,
        pub shared: Shared,
        #[serde(flatten)]
        pub more: More,
        pub mode: Mode,
        #[schema(min_length = 2)]
        pub note: String,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub struct Part {
        pub name: String,
        pub ports: Vec<i32>,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub struct More {
        pub flat: i32,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub enum Mode {
        Fast,
        Of { depth: i32 },
    }
}

pub mod v1 {
    use super::*;

    #[derive(Clone, Debug, Convert, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1", kind = "Limit", namespaced)]
    #[convert(from = "v1beta1::LimitSpec", removed(note))]
    #[serde(rename_all = "camelCase")]
    #[schema(rule = "self.heading != self.reason", test = false)]
    pub struct LimitSpec {
        #[convert(from = "title")]
        #[schema(pattern = "^[a-z ]*$")]
        pub heading: String,
        #[schema(minimum = 1)]
        pub size: i64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(one_of_values = ["red", "a"])]
        pub color: Option<String>,
        #[schema(list_type = "set", items(max_length = 3))]
        pub tags: Vec<String>,
        #[schema(max_properties = 1)]
        pub by_name: BTreeMap<String, i32>,
        #[schema(list_type = "map", list_map_keys = ["name"])]
        pub parts: Vec<Part>,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(required)]
        pub maybe: Option<i32>,
        pub shared: Shared,
        #[serde(flatten)]
        pub more: More,
        pub mode: Mode,
        #[convert(default)]
        #[schema(min_length = 1)]
        pub reason: String,
    }

    #[derive(Clone, Debug, Convert, Deserialize, Schema, Serialize)]
    #[convert(from = "v1beta1::Part")]
    pub struct Part {
        pub name: String,
        #[schema(items(minimum = 1, maximum = 65535))]
        pub ports: Vec<i32>,
    }

    #[derive(Clone, Debug, Convert, Deserialize, Schema, Serialize)]
    #[convert(from = "v1beta1::More")]
    pub struct More {
        #[schema(multiple_of = 5.0)]
        pub flat: i32,
    }

    #[derive(Clone, Debug, Convert, Deserialize, Schema, Serialize)]
    #[convert(from = "v1beta1::Mode")]
    pub enum Mode {
        Fast,
        Of {
            #[schema(maximum = 9)]
            depth: i32,
        },
    }
}

pub fn versions() -> Versions {
    Versions::new().pair::<v1beta1::Limit, v1::Limit>()
}
