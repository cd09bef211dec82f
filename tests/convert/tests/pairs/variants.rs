//! Variants of enums: renamed, added and removed ones, with and without fields.

use super::*;

pub mod v1beta1 {
    use super::*;

    #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1beta1", kind = "Choice", namespaced, storage = false)]
    pub struct ChoiceSpec {
        pub mode: Mode,
        pub policy: Policy,
        #[serde(default)]
        pub modes: Vec<Mode>,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Mode {
        Fast,
        Lazy,
        Wild,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub enum Policy {
        Always,
        Never,
        Legacy,
        Sometimes { percent: i32, seed: i64 },
        Custom(String),
    }
}

pub mod v1 {
    use super::*;

    #[derive(Clone, Debug, Convert, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1", kind = "Choice", namespaced)]
    #[convert(from = "v1beta1::ChoiceSpec")]
    pub struct ChoiceSpec {
        pub mode: Mode,
        pub policy: Policy,
        #[serde(default)]
        pub modes: Vec<Mode>,
    }

    #[derive(Clone, Debug, Convert, Deserialize, Schema, Serialize)]
    #[convert(from = "v1beta1::Mode", removed(Wild(as = "Fast")))]
    #[serde(rename_all = "UPPERCASE")]
    pub enum Mode {
        Fast,
        #[convert(from = "Lazy")]
        Slow,
        #[convert(as = "Lazy")]
        Slower,
    }

    #[derive(Clone, Debug, Convert, Deserialize, Schema, Serialize)]
    #[convert(from = "v1beta1::Policy", removed(Legacy(as = "Never")))]
    pub enum Policy {
        Always,
        Never,
        #[convert(as = "Always")]
        Often,
        #[convert(removed(seed))]
        Sometimes {
            #[convert(from = "percent")]
            share: i32,
        },
        #[convert(from = "Custom")]
        Other(String),
    }
}

pub fn versions() -> Versions {
    Versions::new().pair::<v1beta1::Choice, v1::Choice>()
}
