//! A program gets the same results for a kind from both derives.

use kube::core::object::{HasSpec, HasStatus};
use kube::core::{CustomResourceExt, Resource};
use kube_types::examples::{crdgen as our_examples, kube_rs as their_examples};
use kube_types::{crdgen as ours, kube_rs as theirs};
use serde::Serialize;
use serde_json::{Value, json};

fn written(value: impl Serialize) -> Value {
    serde_json::to_value(value).expect("it can be JSON")
}

macro_rules! kinds {
    ($name:ident: $ours:ident $theirs:ident: $($kind:ident)*) => {
        mod $name {
            use super::*;

            /// Compares names, scope and API resource, which clients use for their requests.
            #[test]
            fn names() {
                $({
                    type Ours = $ours::$kind;
                    type Theirs = $theirs::$kind;
                    let all = |group: [std::borrow::Cow<'static, str>; 5]| group;
                    assert_eq!(
                        all([Ours::group(&()), Ours::version(&()), Ours::kind(&()), Ours::api_version(&()), Ours::plural(&())]),
                        all([Theirs::group(&()), Theirs::version(&()), Theirs::kind(&()), Theirs::api_version(&()), Theirs::plural(&())]),
                    );
                    assert_eq!(Ours::crd_name(), Theirs::crd_name());
                    assert_eq!(Ours::shortnames(), Theirs::shortnames());
                    assert_eq!(Ours::api_resource(), Theirs::api_resource());
                })*
            }

            /// Compares the CRDs without their schemas.
            #[test]
            fn around_the_schema() {
                let bare = |mut crd: Value| {
                    let version = &mut crd["spec"]["versions"][0];
                    version["schema"] = Value::Null;
                    crd
                };
                $(assert_eq!(bare(written($ours::$kind::crd())), bare(written($theirs::$kind::crd())), stringify!($kind));)*
            }

            /// The API server accepts these CRDs. In the old ones it rejects mistakes, or overlooks them.
            #[test]
            fn the_server_takes_ours() {
                $(
                    let mut crd = <$ours::$kind as crdgen::CustomResource>::crd();
                    crd.spec.versions[0].storage = true;
                    let report = crdgen::check(&crd);
                    let texts: Vec<String> = report.errors.iter().map(|e| e.text()).collect();
                    assert!(texts.is_empty(), "{}: {texts:?}", stringify!($kind));
                    assert_eq!(written($ours::$kind::crd())["metadata"]["name"], crd.metadata.name);
                )*
            }
        }
    };
}
kinds! { types: ours theirs: Order City ShoppingBasket Payment Shelf Crate Anything Framed }
kinds! { examples: our_examples their_examples: LedgerObject Entry Page Bound Compat Binding Choice }

/// Reads, changes and writes the same object with both types.
macro_rules! both {
    ($kind:ident, $object:expr, $change:expr) => {{
        let ours = {
            use ours::*;
            let mut object: $kind = serde_json::from_value($object.clone()).expect("ours reads it");
            ($change as fn(&mut $kind))(&mut object);
            (written(&object), format!("{object:?}"))
        };
        let theirs = {
            use theirs::*;
            let mut object: $kind = serde_json::from_value($object.clone()).expect("theirs reads it");
            ($change as fn(&mut $kind))(&mut object);
            (written(&object), format!("{object:?}"))
        };
        assert_eq!(ours, theirs);
        ours.0
    }};
}

#[test]
fn objects() {
    let order = json!({
        "apiVersion": "shop.example.com/v1alpha1",
        "kind": "Order",
        "metadata": { "name": "first", "namespace": "here", "finalizers": ["x"], "generation": 3 },
        "spec": {
            "customer": "ada", "count": 2, "giftWrap": false, "alwaysWritten": null,
            "lines": [{ "sku": "abc", "amount": 1 }], "tags": ["a"], "extra": { "k": "v" },
            "delivery": { "post": { "address": "here" } }, "speed": "Fast", "unknown": 1
        },
        "status": { "packed": 1, "labelSelector": "a=b" }
    });
    let back = both!(Order, order, |o| {
        o.spec_mut().count = 3;
        o.status_mut().as_mut().unwrap().packed = 2;
        o.meta_mut().labels = None;
    });
    assert_eq!(back["spec"]["count"], 3);
    let shelf =
        json!({ "apiVersion": "x", "kind": "y", "metadata": { "name": "s" }, "place": "left", "height": 2 });
    let back = both!(Shelf, shelf, |s| s.spec.height = None);
    let expected = json!({ "apiVersion": "shop.example.com/v1", "kind": "Shelf", "metadata": { "name": "s" }, "place": "left" });
    assert_eq!(back, expected);
    let full = json!({ "metadata": { "name": "c" }, "boxes": 3, "status": { "shipped": true } });
    let back = both!(Crate, full, |c| assert!(c.status().unwrap().shipped));
    assert_eq!(back["status"]["shipped"], true);
    let basket = json!({ "metadata": {}, "spec": { "size": 1, "more": { "a": [1, null] } } });
    let back = both!(ShoppingBasket, basket, |b| b.status = Some(inner::BasketStatus { size: 4 }));
    assert_eq!(back["spec"]["more"], json!({ "a": [1, null] }));
    both!(Payment, json!({ "metadata": { "name": "p" }, "spec": { "cash": { "coins": 1 } } }), |_| {});
    both!(Anything, json!({ "metadata": { "name": "p" }, "spec": { "whatever": 1 } }), |_| {});
}

#[test]
fn made() {
    macro_rules! make {
        ($from:ident) => {{
            use kube_types::$from::*;
            let line = Line { sku: "abc".into(), amount: 1 };
            let spec = OrderSpec {
                customer: "ada".into(),
                count: 1,
                gift_wrap: true,
                note: None,
                always_written: None,
                lines: vec![line],
                tags: vec![],
                words: Default::default(),
                extra: Default::default(),
                delivery: Delivery::Counter { number: 2 },
                speed: None,
            };
            let order = Order::new("first", spec);
            assert_eq!(order.clone(), order);
            [
                written(order),
                written(City::default()),
                written(ShoppingBasket::default()),
                written(Shelf::new("s", ShelfFields { place: "l".into(), height: None })),
                till(),
            ]
        }};
    }
    let ours = make!(crdgen);
    assert_eq!(ours, make!(kube_rs));
    assert_eq!(ours[0]["metadata"]["annotations"], json!({ "shop.example.com/made-by": "hand" }));
}

/// Rules reach the schema unchanged.
#[test]
fn rules() {
    let schema = |crd: Value| crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"].clone();
    let (ours, theirs) = (schema(written(ours::Order::crd())), schema(written(theirs::Order::crd())));
    for place in
        ["", "/properties/spec", "/properties/spec/properties/customer", "/properties/spec/properties/count"]
    {
        let rules = |schema: &Value| schema.pointer(place).map(|at| at["x-kubernetes-validations"].clone());
        assert_eq!(rules(&ours), rules(&theirs), "{place}");
        assert!(rules(&ours).is_some_and(|r| r.is_array()), "{place}");
    }
    let lists = "/properties/spec/properties/lines";
    let (ours, theirs) = (ours.pointer(lists).unwrap(), theirs.pointer(lists).unwrap());
    assert_eq!(ours["x-kubernetes-list-map-keys"], json!(["sku"]));
    assert_eq!(ours["x-kubernetes-list-map-keys"], theirs["x-kubernetes-list-map-keys"]);
}

/// The same fields may be absent or null and have the same defaults. But if serde never writes null, the field is not
/// nullable.
#[test]
fn missing_null_and_default() {
    let properties =
        |crd: Value| crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"].clone();
    let (ours, theirs) =
        (properties(written(our_examples::Entry::crd())), properties(written(their_examples::Entry::crd())));
    assert_eq!(ours["required"], theirs["required"]);
    let listed = |schema: &Value| -> Vec<(String, Value, Value, Value)> {
        let all = schema["properties"].as_object().expect("properties");
        let one = |(name, p): (&String, &Value)| {
            (name.clone(), p["default"].clone(), p["nullable"].clone(), p["x-kubernetes-validations"].clone())
        };
        all.iter().map(one).collect()
    };
    let differ: Vec<String> = listed(&ours)
        .into_iter()
        .zip(listed(&theirs))
        .filter(|(a, b)| a != b)
        .map(|(a, b)| format!("{}: {}, {} instead of {}, {}", a.0, a.1, a.2, b.1, b.2))
        .collect();
    assert_eq!(
        differ,
        [
            "nullableSkipped: null, null instead of null, true",
            "nullableSkippedWithDefault: \"some value\", null instead of \"some value\", true",
        ]
    );
}

/// Merges several versions of one kind with kube's own function and with crdgen's.
#[test]
fn versions() {
    use our_examples::{v1, v2};
    let crds = || vec![v1::Many::crd(), v2::Many::crd()];
    let merged = kube::core::crd::merge_crds(crds(), "v2").expect("versions of one kind");
    let stored = |crd: &Value| -> Vec<(Value, Value)> {
        let versions = crd["spec"]["versions"].as_array().cloned().unwrap_or_default();
        let mut all: Vec<_> = versions.iter().map(|v| (v["name"].clone(), v["storage"].clone())).collect();
        all.sort_by_key(|(name, _)| name.to_string());
        all
    };
    let expected = [(json!("v1"), json!(false)), (json!("v2"), json!(true))];
    assert_eq!(stored(&written(&merged)), expected);
    let theirs = vec![their_examples::v1::Many::crd(), their_examples::v2::Many::crd()];
    let theirs = kube::core::crd::merge_crds(theirs, "v2").expect("versions of one kind");
    assert_eq!(stored(&written(theirs)), expected);
}

/// Compares schemas that are written by hand, and schemars' trait for types with the derive.
#[test]
fn schemas_of_schemars() {
    fn has<T: schemars::JsonSchema>() -> Value {
        written(schemars::schema_for!(T))
    }
    let page = written(our_examples::Page::crd());
    let spec = &page["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
    assert_eq!(
        *spec,
        json!({ "properties": { "words": { "type": "integer" } }, "required": ["words"], "type": "object" })
    );
    assert_eq!(has::<our_examples::EntrySpec>()["title"], "EntrySpec");
    assert_eq!(has::<our_examples::Entry>()["properties"]["spec"]["type"], "object");
    fn implements<T: crdgen::kube::JsonSchema>() {}
    implements::<our_examples::Page>();
}
