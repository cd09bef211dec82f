//! The generated test of a kind with the default features: its messages about mistakes that involve several items.

use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[schema(rule = "self == oldSelf")]
struct Item {
    #[schema(max_length = 20)]
    name: String,
}

#[derive(Clone, Debug, Default, Deserialize, Schema, Serialize)]
struct Inner {
    #[schema(min_length = 3)]
    name: String,
}

fn fifty() -> i32 {
    50
}

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "test.example.com", version = "v1", kind = "WrongDefaults")]
#[schema(test = false)]
struct WrongDefaultsSpec {
    #[serde(default = "fifty")]
    #[schema(maximum = 10)]
    number: i32,
    #[serde(default)]
    inner: Inner,
}

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "test.example.com", version = "v1", kind = "WrongRule")]
#[schema(test = false)]
struct WrongRuleSpec {
    items: Vec<Item>,
}

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "test.example.com", version = "v1", kind = "Right")]
struct RightSpec {
    #[serde(default = "fifty")]
    #[schema(maximum = 50)]
    number: i32,
    #[schema(list_type = "map", list_map_keys = ["name"], max_items = 10)]
    items: Vec<Item>,
}

/// Returns the message of a kind's generated test. If another package of the workspace turns on the feature `check`,
/// the message has the server's words.
fn message<K: CustomResource>() -> String {
    let panic = std::panic::catch_unwind(crdgen::__private::test::<K>).expect_err("the definition is wrong");
    panic.downcast_ref::<String>().expect("a text").clone()
}

#[test]
fn reports_what_items_have_wrong_together() {
    for (text, parts) in [
        (message::<WrongDefaults>(), &["SCH026", "number", "inner"][..]),
        (message::<WrongRule>(), &["CEL005", "items"]),
    ] {
        for part in parts {
            assert!(text.contains(part), "{part} is missing: {text}");
        }
    }
}

/// Calls the same function as the test that the derive generates for `Right`.
#[test]
fn accepts_what_is_right() {
    crdgen::__private::test::<Right>();
}
