//! Two versions of a shelf, between which a webhook converts.

use crdgen::{CustomResource, Schema, versioned};
use serde::{Deserialize, Serialize};

#[versioned(v1beta1, v1)]
pub mod shelves {
    #[derive(CustomResource, Deserialize, Schema, Serialize)]
    #[kube(
        group = "example.com",
        kind = "Shelf",
        plural = "shelves",
        conversion(webhook(service(namespace = "shelves", name = "webhook")), review_versions = ["v1"])
    )]
    pub struct ShelfSpec {
        #[versioned(renamed(since = "v1", from = "width"))]
        pub centimetres: i32,
    }
}
