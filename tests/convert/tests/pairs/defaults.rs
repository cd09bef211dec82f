//! Fields that only one version has, and a status that only one version has.

use super::*;

pub mod v1beta1 {
    use super::*;

    #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1beta1", kind = "Lack", namespaced, storage = false)]
    pub struct LackSpec {
        pub kept: i32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub theme: Option<String>,
        pub look: String,
        #[serde(default)]
        pub few: Few,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    #[serde(default)]
    pub struct Few {
        pub a: i32,
    }

    impl Default for Few {
        fn default() -> Few {
            Few { a: 7 }
        }
    }
}

pub mod v1 {
    use super::*;

    #[derive(Clone, Debug, Convert, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1", kind = "Lack", namespaced, status = "LackStatus")]
    #[convert(from = "v1beta1::LackSpec", status = "added", removed(theme, look(default = "dark")))]
    pub struct LackSpec {
        pub kept: i32,
        #[convert(default)]
        pub paused: bool,
        #[serde(default = "three")]
        #[convert(default = "three")]
        pub retries: i64,
        #[serde(default)]
        pub few: Few,
        // Not the field that v1beta1 has by this name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[convert(default)]
        pub theme: Option<i32>,
    }

    #[derive(Clone, Debug, Convert, Deserialize, Schema, Serialize)]
    #[convert(from = "v1beta1::Few")]
    #[serde(default)]
    pub struct Few {
        pub a: i32,
        #[convert(default)]
        pub b: String,
    }

    impl Default for Few {
        fn default() -> Few {
            Few { a: 9, b: "b".to_owned() }
        }
    }

    #[derive(Clone, Debug, Default, Deserialize, Schema, Serialize)]
    pub struct LackStatus {
        pub ready: bool,
    }

    fn three() -> i64 {
        3
    }
    fn dark() -> String {
        "dark".to_owned()
    }
}

pub fn versions() -> Versions {
    Versions::new().pair::<v1beta1::Lack, v1::Lack>()
}
