//! The generated test of a kind with the default features: its messages about mistakes that involve several items.

use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const SOURCE: &str = include_str!("generated.rs");

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
    let panic = std::panic::catch_unwind(|| crdgen::__private::test::<K>("kind.rs:1:2", false))
        .expect_err("the definition is wrong");
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

/// The messages name the places of the field and of the rule.
#[test]
fn names_the_places_of_attributes() {
    let place = |text: &str| {
        let before = &SOURCE[..SOURCE.find(text).unwrap_or_else(|| panic!("{text}"))];
        let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1;
        format!("{}:{}:{column}", file!(), before.lines().count())
    };
    for (message, wanted) in [
        (message::<WrongDefaults>(), place("number: i32,")),
        (message::<WrongDefaults>(), place("inner: Inner")),
        (message::<WrongRule>(), place("\"self == oldSelf\"")),
    ] {
        let wanted = format!("--> {wanted}\n");
        assert!(message.contains(&wanted), "{wanted} is missing: {message}");
    }
}

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "test.example.com", version = "v1", kind = "Advised")]
#[schema(test = false, allow(LNT007, reason = "a ratio"))]
struct AdvisedSpec {
    a: f64,
    #[schema(allow(RST041, reason = "clients write strings only"))]
    #[serde(flatten)]
    more: BTreeMap<String, String>,
}

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "test.example.com", version = "v1", kind = "Warned")]
#[schema(test = false)]
struct WarnedSpec {
    more: More,
}

#[allow(deprecated)]
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
struct More {
    a: i32,
    #[serde(flatten)]
    more: BTreeMap<String, String>,
}

/// Warnings do not fail the test, unless its kind asks for that. Warnings that are allowed never do.
#[test]
fn fails_for_warnings_only_on_request() {
    crdgen::__private::test::<Warned>("", false);
    let denied = std::panic::catch_unwind(|| crdgen::__private::test::<Warned>("", true));
    assert!(
        denied.is_err_and(|panic| panic.downcast_ref::<String>().is_some_and(|text| text.contains("RST041")))
    );
    crdgen::__private::test::<Advised>("", true);
    let yaml = Advised::crd_yaml();
    assert!(yaml.starts_with("# crdgen:allow LNT007 a ratio\napiVersion"), "{yaml}");
}

/// Calls the same function as the test that the derive generates for `Right`.
#[test]
fn accepts_what_is_right() {
    crdgen::__private::test::<Right>("", false);
}

mod first {
    use super::*;

    #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
    #[kube(group = "test.example.com", version = "v1", kind = "Twice")]
    #[schema(test = false)]
    pub(super) struct TwiceSpec {
        a: i32,
    }
}

mod second {
    use super::*;

    #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
    #[kube(group = "test.example.com", version = "v1", kind = "Twice")]
    #[schema(test = false)]
    pub(super) struct TwiceSpec {
        a: i32,
    }

    #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
    #[kube(group = "test.example.com", version = "v2", kind = "Twice", root = "Newer")]
    #[schema(test = false)]
    pub(super) struct NewerSpec {
        a: i32,
    }
}

/// The tests of a program see all of its kinds.
#[test]
fn reports_the_same_kind_twice_and_two_stored_versions() {
    let run = |test: fn(&str, bool), at: &str, deny: bool| {
        let panic = std::panic::catch_unwind(|| test(at, deny)).err()?;
        panic.downcast_ref::<String>().cloned()
    };
    assert_eq!(run(crdgen::__private::test::<first::Twice>, "twice.rs:1:2", false), None);
    assert_eq!(run(crdgen::__private::test::<first::Twice>, "twice.rs:1:2", false), None);
    let twice = run(crdgen::__private::test::<second::Twice>, "twice.rs:9:9", false).expect("it is there");
    assert!(twice.contains("RST020") && twice.contains("declared twice, also at twice.rs:1:2"), "{twice}");
    assert_eq!(run(crdgen::__private::test::<second::Newer>, "twice.rs:5:5", false), None);
    let stored = run(crdgen::__private::test::<second::Newer>, "twice.rs:6:6", true).expect("it is there");
    assert!(stored.contains("RST019") && stored.contains("v1 at twice.rs:1:2"), "{stored}");
}
