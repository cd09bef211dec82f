//! The types of the example `versions`, in both notations.

#[path = "../../../examples/versions/src/history.rs"]
pub mod history;
#[path = "../../../examples/versions/src/v1.rs"]
pub mod v1;
#[path = "../../../examples/versions/src/v1alpha1.rs"]
pub mod v1alpha1;
#[path = "../../../examples/versions/src/v1beta1.rs"]
pub mod v1beta1;

use crdgen::convert::Versions;

/// Returns the versions of a site, in the notation with one type per version.
pub fn versions() -> Versions {
    Versions::new().pair::<v1alpha1::Site, v1beta1::Site>().pair::<v1beta1::Site, v1::Site>()
}

// The conversion of one of the pairs below is wrong. They are here, and not in a test, since the test that the derive writes would fail.

/// Two versions of a disk. `$back` divides by this number, where the other function multiplies by 1000.
macro_rules! disk {
    ($name:ident $back:literal) => {
        #[allow(missing_docs, reason = "test data")]
        pub mod $name {
            pub mod v1 {
                use crdgen::{CustomResource, Schema};
                use serde::{Deserialize, Serialize};

                #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
                #[kube(group = "example.com", version = "v1", kind = "Disk", storage = false)]
                pub struct DiskSpec {
                    pub size_gb: i64,
                    #[schema(max_length = 20)]
                    pub address: String,
                }
            }

            pub mod v2 {
                use super::v1;
                use crdgen::{Convert, CustomResource, Schema};
                use serde::{Deserialize, Serialize};

                #[derive(Clone, Debug, Convert, CustomResource, Deserialize, Schema, Serialize)]
                #[kube(group = "example.com", version = "v2", kind = "Disk")]
                #[convert(from = "v1::DiskSpec")]
                pub struct DiskSpec {
                    #[convert(from = "size_gb", with = "to_mb", back = "to_gb")]
                    pub size_mb: i64,
                    #[convert(from = "address", with = "port", back = "address")]
                    #[schema(minimum = 0, maximum = 65535)]
                    pub port: i32,
                }

                fn to_mb(gb: i64) -> i64 {
                    gb.saturating_mul(1000)
                }
                fn to_gb(mb: i64) -> i64 {
                    mb / $back
                }
                fn port(address: String) -> i32 {
                    let port = address.rsplit(':').next().and_then(|port| port.parse().ok());
                    port.filter(|port| (0..=65535).contains(port)).unwrap_or(0)
                }
                fn address(port: i32) -> String {
                    format!("localhost:{port}")
                }
            }

            pub fn versions() -> crdgen::convert::Versions {
                crdgen::convert::Versions::new().pair::<v1::Disk, v2::Disk>()
            }
        }
    };
}

disk!(right 1000);
disk!(wrong 1024);

/// Two versions of a host. The function for the port panics for texts without a number.
#[allow(missing_docs, reason = "test data")]
pub mod panics {
    pub mod v1 {
        use crdgen::{CustomResource, Schema};
        use serde::{Deserialize, Serialize};
        use std::collections::BTreeMap;

        #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
        #[kube(group = "example.com", version = "v1", kind = "Host", storage = false)]
        pub struct HostSpec {
            #[schema(max_length = 20)]
            pub port: String,
            #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
            pub labels: BTreeMap<String, String>,
        }
    }

    pub mod v2 {
        use super::v1;
        use crdgen::{Convert, CustomResource, Schema};
        use serde::{Deserialize, Serialize};
        use std::collections::BTreeMap;

        #[derive(Clone, Debug, Convert, CustomResource, Deserialize, Schema, Serialize)]
        #[kube(group = "example.com", version = "v2", kind = "Host")]
        #[convert(from = "v1::HostSpec")]
        pub struct HostSpec {
            #[convert(with = "parse", back = "print")]
            #[schema(minimum = 0, maximum = 65535)]
            pub port: i32,
            #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
            pub labels: BTreeMap<String, String>,
        }

        fn parse(port: String) -> i32 {
            port.parse().unwrap_or_else(|why| panic!("no number: {why}"))
        }
        fn print(port: i32) -> String {
            port.to_string()
        }
    }

    pub fn versions() -> crdgen::convert::Versions {
        crdgen::convert::Versions::new().pair::<v1::Host, v2::Host>()
    }
}

/// Two versions of a kind whose rules no object satisfies.
#[allow(missing_docs, reason = "test data")]
pub mod empty {
    pub mod v1 {
        use crdgen::{CustomResource, Schema};
        use serde::{Deserialize, Serialize};

        #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
        #[kube(group = "example.com", version = "v1", kind = "Never", storage = false)]
        #[schema(rule = "self.size != self.size")]
        pub struct NeverSpec {
            pub size: i32,
        }
    }

    pub mod v2 {
        use super::v1;
        use crdgen::{Convert, CustomResource, Schema};
        use serde::{Deserialize, Serialize};

        #[derive(Clone, Debug, Convert, CustomResource, Deserialize, Schema, Serialize)]
        #[kube(group = "example.com", version = "v2", kind = "Never")]
        #[convert(from = "v1::NeverSpec")]
        #[schema(rule = "self.size != self.size")]
        pub struct NeverSpec {
            pub size: i32,
        }
    }

    pub fn versions() -> crdgen::convert::Versions {
        crdgen::convert::Versions::new().pair::<v1::Never, v2::Never>()
    }
}

/// Two versions of a range, of which the older one has no lower end. An edit of it may go below what is kept for the newer one.
#[allow(missing_docs, reason = "test data")]
pub mod ranges {
    pub mod v1 {
        use crdgen::{CustomResource, Schema};
        use serde::{Deserialize, Serialize};

        #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
        #[kube(group = "example.com", version = "v1", kind = "Range", storage = false)]
        pub struct RangeSpec {
            #[schema(minimum = 1, maximum = 64)]
            pub max: i32,
        }
    }

    pub mod v2 {
        use super::v1;
        use crdgen::{Convert, CustomResource, Schema};
        use serde::{Deserialize, Serialize};

        #[derive(Clone, Debug, Convert, CustomResource, Deserialize, Schema, Serialize)]
        #[kube(group = "example.com", version = "v2", kind = "Range")]
        #[schema(rule(rule = "self.min <= self.max", message = "min must not exceed max"))]
        #[convert(from = "v1::RangeSpec")]
        pub struct RangeSpec {
            #[schema(minimum = 1, maximum = 64)]
            pub max: i32,
            #[schema(minimum = 1, maximum = 64)]
            #[convert(default = "one")]
            pub min: i32,
        }

        fn one() -> i32 {
            1
        }
    }

    pub fn versions() -> crdgen::convert::Versions {
        crdgen::convert::Versions::new().pair::<v1::Range, v2::Range>()
    }
}
