//! Two versions of a shelf, in both notations.

use crdgen::{Convert, CustomResource, Schema, versioned};
use serde::{Deserialize, Serialize};

pub mod v1beta1 {
    use super::*;

    #[derive(CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1beta1", kind = "Shelf", storage = false)]
    pub struct ShelfSpec {
        pub width: i32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub color: Option<String>,
        pub books: Vec<Book>,
    }

    #[derive(Deserialize, Schema, Serialize)]
    pub struct Book {
        pub title: String,
    }
}

pub mod v1 {
    use super::*;

    #[derive(Convert, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1", kind = "Shelf")]
    #[convert(from = "v1beta1::ShelfSpec", removed(color))]
    pub struct ShelfSpec {
        #[convert(from = "width")]
        #[schema(minimum = 1)]
        pub centimetres: i32,
        pub books: Vec<Book>,
    }

    #[derive(Convert, Deserialize, Schema, Serialize)]
    #[convert(from = "v1beta1::Book")]
    pub struct Book {
        #[convert(from = "title", with = "titles", back = "title")]
        pub titles: Vec<String>,
    }

    fn titles(title: String) -> Vec<String> {
        vec![title]
    }

    fn title(titles: Vec<String>) -> String {
        titles.join(", ")
    }
}

#[versioned(v1beta1, v1, preserve_module)]
pub mod lamps {
    #[derive(CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", kind = "Lamp")]
    pub struct LampSpec {
        #[versioned(renamed(since = "v1", from = "power"))]
        pub watts: i32,
        #[versioned(added(since = "v1"))]
        #[serde(default)]
        pub dimmed: bool,
        #[versioned(removed(since = "v1", lossy, reason = "it never did anything"))]
        #[serde(default)]
        pub debug: bool,
    }
}
