//! Conversions that call functions, for `crdgen convert --exact`.

/// The older version.
pub mod v1 {
    use crdgen::{CustomResource, Schema};
    use serde::{Deserialize, Serialize};

    /// A timer.
    #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
    #[kube(group = "exact.example.com", version = "v1", kind = "Timer", namespaced)]
    pub struct TimerSpec {
        /// How long it runs.
        pub seconds: i64,
    }
}

/// The newer version.
pub mod v2 {
    use crdgen::convert::Convert;
    use crdgen::{CustomResource, Schema};
    use serde::{Deserialize, Serialize};

    /// A timer.
    #[derive(Clone, Convert, CustomResource, Debug, Deserialize, Schema, Serialize)]
    #[kube(group = "exact.example.com", version = "v2", kind = "Timer", namespaced)]
    #[convert(from = "crate::v1::TimerSpec")]
    pub struct TimerSpec {
        /// How long it runs.
        #[convert(from = "seconds", with = "to_millis", back = "to_seconds")]
        pub millis: i64,
        /// What it is for.
        #[convert(default)]
        pub label: String,
    }

    fn to_millis(seconds: i64) -> i64 {
        println!("converting {seconds}");
        assert!(seconds >= 0, "time does not run backwards");
        seconds * 1000
    }

    fn to_seconds(millis: i64) -> i64 {
        print!("no line");
        millis / 1000
    }
}

mod hidden {
    /// The older version.
    pub mod v1 {
        use crdgen::{CustomResource, Schema};
        use serde::{Deserialize, Serialize};

        /// Visible only here.
        #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
        #[kube(group = "exact.example.com", version = "v1", kind = "Secretive")]
        pub struct SecretiveSpec {
            /// Something.
            pub a: String,
        }
    }

    /// The newer version.
    pub mod v2 {
        use crdgen::convert::Convert;
        use crdgen::{CustomResource, Schema};
        use serde::{Deserialize, Serialize};

        /// Visible only here.
        #[derive(Clone, Convert, CustomResource, Debug, Deserialize, Schema, Serialize)]
        #[kube(group = "exact.example.com", version = "v2", kind = "Secretive")]
        #[convert(from = "super::v1::SecretiveSpec")]
        pub struct SecretiveSpec {
            /// Something.
            #[convert(from = "a")]
            pub b: String,
        }
    }
}
