//! Schemas that are written by hand, for schemars 1.

use crdgen::kube::{CustomResource, JsonSchema};
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "shop.example.com", version = "v1", kind = "Poster", namespaced)]
pub struct PosterSpec {
    #[schemars(schema_with = "anything")]
    pub ink: serde_json::Value,
    #[schemars(schema_with = "words")]
    pub words: Vec<String>,
    pub cover: Cover,
}

fn anything(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true })
}

fn words(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let items = generator.subschema_for::<String>();
    schemars::json_schema!({ "type": "array", "items": items, "x-kubernetes-list-type": "set" })
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Cover(pub String);

impl schemars::JsonSchema for Cover {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Cover".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^#[0-9a-f]{6}$" })
    }
}

crdgen::from_schemars!(Cover);

/// What schemars makes of a type is known to the program alone, not to its sources.
#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "shop.example.com", version = "v1", kind = "Album", namespaced, status = "Picture")]
#[schema(status_as = "crdgen::Schemars<Picture>")]
pub struct AlbumSpec {
    #[schema(as = "crdgen::Schemars<Picture>")]
    pub picture: Picture,
}

/// Still as it was.
#[derive(Clone, Debug, Deserialize, schemars::JsonSchema, Serialize)]
pub struct Picture {
    pub file: String,
    pub cover: Option<Cover>,
}
