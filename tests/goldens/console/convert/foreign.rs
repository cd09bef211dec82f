//! A field whose attributes give the schema, because its type has none.

use crdgen::{Convert, CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Deserialize, Serialize)]
#[serde(transparent)]
pub struct Span(String);

pub mod v1alpha1 {
    use super::*;

    #[derive(CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1alpha1", kind = "Clock", storage = false)]
    pub struct ClockSpec {
        #[schema(as = "String", format = "duration")]
        pub every: Span,
    }
}

pub mod v1 {
    use super::*;

    #[derive(Convert, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1", kind = "Clock")]
    #[convert(from = "v1alpha1::ClockSpec")]
    pub struct ClockSpec {
        #[convert(from = "every")]
        #[schema(as = "String", format = "duration")]
        pub period: Span,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(raw = { "type": "string" })]
        #[convert(default)]
        pub offset: Option<Span>,
    }
}
