//! Conversions that the compiler rejects: something of a version is forgotten, or does not exist.

use crdgen::{Convert, CustomResource, Schema};
use serde::{Deserialize, Serialize};

pub mod v1beta1 {
    use super::*;

    #[derive(CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1beta1", kind = "Site", storage = false)]
    pub struct SiteSpec {
        pub host: String,
        pub theme: Option<String>,
        pub mode: Mode,
        pub scaling: Scaling,
        pub volume: Volume,
        pub low: i32,
    }

    #[derive(Deserialize, Schema, Serialize)]
    pub enum Mode {
        Fast,
        Slow,
        Custom { level: i32 },
    }

    #[derive(Deserialize, Schema, Serialize)]
    pub struct Scaling {
        pub min: i32,
        pub max: i32,
    }

    #[derive(Deserialize, Schema, Serialize)]
    pub struct Volume {
        pub size: i32,
    }
}

pub mod v1 {
    use super::*;

    #[derive(Convert, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1", kind = "Site")]
    #[convert(from = "v1beta1::SiteSpec", removed(them), inside(scaling = "v1beta1::Scaling"))]
    pub struct SiteSpec {
        #[convert(from = "hos")]
        pub name: String,
        pub paused: bool,
        pub mode: Mode,
        #[convert(from = "scaling.minimum")]
        pub minimum: i32,
        pub volume: Volume,
        #[convert(parts(lo = "low"))]
        pub range: Range,
        #[cfg(any())]
        pub unused: i32,
    }

    #[derive(Convert, Deserialize, Schema, Serialize)]
    #[convert(from = "v1beta1::Mode", removed(Sloow(as = "Turbo")))]
    pub enum Mode {
        Fast,
        Turbo,
        #[convert(as = "Custom")]
        Lazy,
        #[convert(as = "Quick")]
        Quicker,
        Custom {},
    }

    #[derive(Deserialize, Schema, Serialize)]
    pub struct Range {
        pub low: i32,
        pub high: i32,
    }

    #[derive(Convert, Deserialize, Schema, Serialize)]
    #[convert(from = "v1beta1::Mode")]
    pub struct Volume {
        pub size: i32,
    }
}
