//! Fields at the top level, functions that read the object's metadata, and accepted losses.

use super::*;

pub mod v1beta1 {
    use super::*;

    #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(
        group = "example.com",
        version = "v1beta1",
        kind = "Top",
        namespaced,
        no_spec,
        storage = false,
        status = "TopStatus"
    )]
    pub struct Body {
        pub size: i32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub link: Option<Link>,
        #[serde(default)]
        pub debug: bool,
        pub mode: Mode,
        #[serde(default)]
        pub lists: Vec<String>,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub struct Link {
        pub owner: String,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub enum Mode {
        Fast,
        Slow,
        Odd,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub struct TopStatus {
        pub ready: bool,
    }
}

pub mod v1 {
    use super::*;
    use crdgen::convert::Object;

    #[derive(Clone, Debug, Convert, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(
        group = "example.com",
        version = "v1",
        kind = "Top",
        root = "NewTop",
        namespaced,
        no_spec,
        status = "TopStatus"
    )]
    #[convert(
        from = "v1beta1::Body",
        kind = "v1beta1::Top",
        removed(debug(lossy, reason = "it never did anything"))
    )]
    pub struct Body {
        #[convert(from = "size")]
        pub total: i32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub link: Option<Link>,
        pub mode: Mode,
        #[serde(default)]
        pub lists: Vec<String>,
    }

    #[derive(Clone, Debug, Convert, Deserialize, Schema, Serialize)]
    #[convert(from = "v1beta1::Link")]
    pub struct Link {
        #[convert(with = "near", back = "far", object)]
        pub owner: String,
    }

    #[derive(Clone, Debug, Convert, Deserialize, Schema, Serialize)]
    #[convert(from = "v1beta1::Mode", removed(Odd(as = "Fast", lossy, reason = "nobody used it")))]
    pub enum Mode {
        Fast,
        Slow,
    }

    #[derive(Clone, Debug, Convert, Deserialize, Schema, Serialize)]
    #[convert(from = "v1beta1::TopStatus")]
    pub struct TopStatus {
        #[convert(from = "ready")]
        pub is_ready: bool,
    }

    fn near(owner: String, object: &Object) -> String {
        owner.strip_prefix(&prefix(object)).map_or(owner.clone(), str::to_owned)
    }
    fn far(owner: String, object: &Object) -> String {
        format!("{}{owner}", prefix(object))
    }
    fn prefix(object: &Object) -> String {
        format!("{}/", object.namespace().unwrap_or_default())
    }
}

pub fn versions() -> Versions {
    Versions::new().pair::<v1beta1::Top, v1::NewTop>()
}
