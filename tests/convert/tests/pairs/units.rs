//! Other units and types, converted by functions. Some of the functions can fail.

use super::*;

pub mod v1beta1 {
    use super::*;

    #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1beta1", kind = "Unit", namespaced, storage = false)]
    pub struct UnitSpec {
        pub name: String,
        #[serde(default)]
        pub waits: Vec<Wait>,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub struct Wait {
        #[schema(minimum = 0, maximum = 1000)]
        pub seconds: i64,
        pub share: f64,
        pub ready: bool,
    }
}

pub mod v1 {
    use super::*;

    #[derive(Clone, Debug, Convert, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1", kind = "Unit", namespaced)]
    #[convert(from = "v1beta1::UnitSpec", fallible)]
    pub struct UnitSpec {
        pub name: String,
        #[serde(default)]
        pub waits: Vec<Wait>,
    }

    #[derive(Clone, Debug, Convert, Deserialize, Schema, Serialize)]
    #[convert(from = "v1beta1::Wait", fallible)]
    pub struct Wait {
        #[schema(minimum = 0, maximum = 1000000)]
        #[convert(from = "seconds", with = "to_millis", back = "to_seconds")]
        pub millis: i64,
        #[convert(from = "share", with = "per_cent", back = "share")]
        pub percent: i64,
        #[schema(one_of_values = ["Ready", "Waiting"])]
        #[convert(from = "ready", with = "to_state", try_back = "to_ready")]
        pub state: String,
    }

    fn to_millis(seconds: i64) -> i64 {
        seconds * 1000
    }
    fn to_seconds(millis: i64) -> i64 {
        millis / 1000
    }
    fn per_cent(share: f64) -> i64 {
        (share * 100.0) as i64
    }
    fn share(percent: i64) -> f64 {
        percent as f64 / 100.0
    }
    fn to_state(ready: bool) -> String {
        if ready { "Ready" } else { "Waiting" }.to_owned()
    }
    fn to_ready(state: String) -> Result<bool, String> {
        match &*state {
            "Ready" => Ok(true),
            "Waiting" => Ok(false),
            other => Err(format!("`{other}` is no state of v1beta1")),
        }
    }
}

pub fn versions() -> Versions {
    Versions::new().pair::<v1beta1::Unit, v1::Unit>()
}
