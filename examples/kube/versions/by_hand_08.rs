//! Schemas that are written by hand, for schemars 0.8.

use crdgen::kube::{CustomResource, JsonSchema};
use schemars::schema::{InstanceType, Schema, SchemaObject};
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

fn anything(_: &mut schemars::gen::SchemaGenerator) -> schemars::schema::Schema {
    let mut object = SchemaObject { instance_type: Some(InstanceType::Object.into()), ..SchemaObject::default() };
    object.extensions.insert("x-kubernetes-preserve-unknown-fields".into(), true.into());
    Schema::Object(object)
}

fn words(generator: &mut schemars::gen::SchemaGenerator) -> Schema {
    let items = generator.subschema_for::<String>();
    serde_json::from_value(serde_json::json!({
        "type": "array", "items": items, "x-kubernetes-list-type": "set"
    }))
    .unwrap()
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Cover(pub String);

impl schemars::JsonSchema for Cover {
    fn schema_name() -> String {
        "Cover".into()
    }

    fn json_schema(_: &mut schemars::gen::SchemaGenerator) -> Schema {
        serde_json::from_value(serde_json::json!({ "type": "string", "pattern": "^#[0-9a-f]{6}$" })).unwrap()
    }
}

crdgen::from_schemars!(Cover);

/// What schemars makes of a type is known to the program alone, not to its sources.
#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "shop.example.com", version = "v1", kind = "Album", namespaced, status = "Picture")]
#[schema(status_as = "crdgen::Schemars08<Picture>")]
pub struct AlbumSpec {
    #[schema(as = "crdgen::Schemars08<Picture>")]
    pub picture: Picture,
}

/// Still as it was.
#[derive(Clone, Debug, Deserialize, schemars::JsonSchema, Serialize)]
pub struct Picture {
    pub file: String,
    pub cover: Option<Cover>,
}
