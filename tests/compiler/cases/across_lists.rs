//! Attributes for lists on another type.
use crdgen::Schema;

#[derive(Schema)]
struct Item {
    name: String,
    zone: Option<String>,
}

#[derive(Schema)]
struct Lists {
    #[schema(list_type = "map", list_map_keys = ["nmae"])]
    unknown: Vec<Item>,
    #[schema(list_type = "map", list_map_keys = ["name", "zone"])]
    optional: Vec<Item>,
    #[schema(list_type = "set")]
    set: Option<Vec<Item>>,
    #[schema(list_type = "map", list_map_keys = ["name"])]
    fine: Vec<Item>,
}

fn main() {}
