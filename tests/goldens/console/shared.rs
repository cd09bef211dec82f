use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Cup")]
pub struct CupSpec { pub lid: Lid }

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Jar")]
pub struct JarSpec { pub lid: Lid }

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Mug")]
pub struct MugSpec { pub lid: Lid, pub spare: Option<Lid> }

#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub struct Lid {
    #[schema(maximum = 9)]
    pub size: i32,
}
