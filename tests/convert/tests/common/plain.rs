//! Every kind of move that needs no function, and everything that serde can do with types.

#![allow(unreachable_pub, dead_code)]

use crdgen::convert::Versions;
use crdgen::{CustomResource, Schema, versioned};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};

#[versioned(v1alpha1, v1beta1, v1, preserve_module)]
mod history {
    use super::*;

    #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", kind = "Parcel", namespaced)]
    #[serde(rename_all = "camelCase")]
    #[versioned(attr(since = "v1beta1", kube(status = "ParcelStatus")))]
    pub struct ParcelSpec {
        #[versioned(renamed(since = "v1beta1", from = "width"), renamed(since = "v1", from = "size"))]
        pub outer_size: i32,
        #[versioned(added(since = "v1beta1"))]
        #[serde(default)]
        pub paused: bool,
        #[versioned(added(since = "v1", default = "three"))]
        #[serde(default = "three")]
        pub retries: i64,
        #[versioned(removed(since = "v1"))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub theme: Option<String>,
        #[versioned(removed(since = "v1beta1", lossy, reason = "nobody used it"))]
        #[serde(default, skip_serializing_if = "is_default")]
        pub count: u16,
        #[versioned(removed(since = "v1", default = "dark"))]
        pub look: String,
        /// Written as null.
        pub maybe: Option<i32>,
        pub ratio: f64,
        #[serde(default)]
        pub single: f32,
        #[serde(default)]
        pub parts: Vec<Part>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub few: Vec<Option<Part>>,
        #[serde(default)]
        #[schema(list_type = "map", list_map_keys = ["name"])]
        pub keyed: Vec<Part>,
        #[serde(default)]
        pub by_name: BTreeMap<String, Part>,
        #[serde(default)]
        pub hashed: HashMap<String, Vec<Part>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub main: Option<Box<Part>>,
        #[serde(default)]
        // A set has its own order.
        #[schema(max_items = 1)]
        pub tags: BTreeSet<String>,
        pub mode: Mode,
        pub shape: Shape,
        pub tagged: Tagged,
        pub adjacent: Adjacent,
        pub either: Either,
        pub pair: Pair,
        pub wrapped: Wrapped,
        #[serde(flatten)]
        pub more: More,
        #[serde(default)]
        pub defaults: Defaults,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub struct Part {
        pub name: String,
        #[versioned(renamed(since = "v1", from = "port"))]
        pub port_number: i32,
        #[versioned(added(since = "v1beta1"))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub protocol: Option<String>,
        #[versioned(removed(since = "v1beta1"))]
        #[serde(default, skip_serializing_if = "String::is_empty")]
        pub note: String,
    }

    #[derive(Clone, Debug, Default, Deserialize, Schema, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Mode {
        #[default]
        Fast,
        #[versioned(renamed(since = "v1beta1", from = "Lazy"))]
        Slow,
        #[versioned(added(since = "v1", as = "Slow"))]
        Slower,
        #[versioned(removed(since = "v1beta1", as = "Fast"))]
        Wild,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub enum Shape {
        None,
        Text(String),
        Round {
            #[versioned(renamed(since = "v1", from = "r"))]
            radius: i32,
            #[versioned(removed(since = "v1"))]
            #[serde(default)]
            color: String,
        },
        Of(Part),
        #[versioned(added(since = "v1", as = "None"))]
        Square {
            side: i32,
        },
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    #[serde(tag = "type", rename_all = "camelCase")]
    pub enum Tagged {
        Plain {},
        WithPart(Part),
        Named {
            #[versioned(added(since = "v1"))]
            #[serde(default, skip_serializing_if = "Option::is_none")]
            level: Option<i32>,
        },
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    #[serde(tag = "kind", content = "value")]
    pub enum Adjacent {
        Nothing,
        #[versioned(renamed(since = "v1", from = "Number"))]
        Int(i32),
        Part(Part),
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    #[serde(untagged)]
    pub enum Either {
        Number(i32),
        Text(String),
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub struct Pair(pub i32, #[versioned(removed(since = "v1"))] pub i32, pub i32);

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub struct Wrapped(pub Part);

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct More {
        #[versioned(renamed(since = "v1", from = "old_flat"))]
        pub new_flat: i32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub flat_maybe: Option<String>,
    }

    #[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
    #[serde(default)]
    pub struct Defaults {
        pub a: i32,
        #[versioned(added(since = "v1"))]
        pub b: String,
    }

    mod v1alpha1 {
        impl Default for Defaults {
            fn default() -> Self {
                Self { a: 7 }
            }
        }
    }
    impl Default for v1beta1::Defaults {
        fn default() -> Self {
            Self { a: 8 }
        }
    }
    impl Default for v1::Defaults {
        fn default() -> Self {
            Self { a: 9, b: "b".to_owned() }
        }
    }

    #[derive(Clone, Debug, Default, Deserialize, Schema, Serialize)]
    pub struct ParcelStatus {
        pub ready: bool,
        #[versioned(added(since = "v1"))]
        #[serde(default)]
        pub seen: Option<String>,
    }

    fn three() -> i64 {
        3
    }
    fn dark() -> String {
        "dark".to_owned()
    }
    fn is_default<T: Default + PartialEq>(value: &T) -> bool {
        *value == T::default()
    }
}

/// The moves that are only possible with one type per version.
pub fn versions() -> Versions {
    history::v1::Parcel::versions()
}
