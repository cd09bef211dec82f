use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};

/// All there is to say of a kind.
#[derive(Clone, CustomResource, Debug, Deserialize, KubeSchema, PartialEq, Serialize)]
#[kube(
    group = "shop.example.com",
    version = "v1alpha1",
    kind = "Order",
    plural = "orderz",
    singular = "order",
    namespaced,
    doc = "What somebody wants",
    derive = "PartialEq",
    shortname = "od",
    shortname = "o",
    category = "shop",
    served = false,
    storage = false,
    deprecated = "use Basket",
    selectable = ".spec.customer",
    annotation("shop.example.com/made-by", "hand"),
    label("tier", "front"),
    validation = "self.metadata.name != 'all'",
    validation = Rule::new("self.spec.customer != self.metadata.name").message("an order is not its customer"),
    status = "OrderStatus",
    printcolumn(name = "Customer", type_ = "string", json_path = ".spec.customer", description = "who", priority = 1),
    printcolumn = r#"{"name": "Items", "type": "integer", "jsonPath": ".spec.count"}"#,
    scale(
        spec_replicas_path = ".spec.count",
        status_replicas_path = ".status.packed",
        label_selector_path = ".status.labelSelector"
    )
)]
#[x_kube(validation = "has(self.customer)")]
#[x_kube(validation = ("self.count > 0", "an order has something in it"))]
#[serde(rename_all = "camelCase")]
pub struct OrderSpec {
    /// Who wants it.
    #[x_kube(validation = Rule::new("self == oldSelf").message("a customer stays").reason(Reason::FieldValueForbidden))]
    pub customer: String,
    #[x_kube(validation = "self < 1000")]
    pub count: i32,
    #[serde(default = "gift_default")]
    pub gift_wrap: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    pub always_written: Option<String>,
    #[x_kube(merge_strategy = ListMerge::Map(vec!["sku".into()]))]
    pub lines: Vec<Line>,
    #[x_kube(merge_strategy = ListMerge::Set)]
    #[serde(default)]
    pub tags: Vec<String>,
    #[serde(default, skip_serializing_if = "HashSet::is_empty")]
    pub words: HashSet<String>,
    #[x_kube(merge_strategy = MapMerge::Atomic)]
    #[serde(default)]
    pub extra: BTreeMap<String, String>,
    pub delivery: Delivery,
    pub speed: Option<Speed>,
}

fn gift_default() -> bool {
    true
}

#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
pub struct Line {
    #[validate(length(min = 3, max = 12))]
    pub sku: String,
    #[schemars(range(min = 1, max = 99))]
    pub amount: i32,
}

/// Where to.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Delivery {
    /// By post.
    Post { address: String },
    /// To a counter.
    Counter { number: i32 },
    /// Not at all.
    Nowhere {},
}

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
pub enum Speed {
    #[default]
    Slow,
    Fast,
}

#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OrderStatus {
    pub packed: i32,
    pub label_selector: String,
}

/// Only what is required; cluster-wide.
#[derive(Clone, CustomResource, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[kube(group = "shop.example.com", version = "v1", kind = "City", derive = "Default")]
pub struct CitySpec {
    pub name: String,
}

/// Paths to types, a root of another name, attributes and derives for it.
#[derive(Clone, CustomResource, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[kube(
    group = "shop.example.com",
    version = "v1",
    kind = "Basket",
    root = "ShoppingBasket",
    namespaced,
    status = "inner::BasketStatus",
    derive = "Default",
    derive = "PartialEq",
    attr = "allow(dead_code)",
    deprecated,
    scale = r#"{"specReplicasPath": ".spec.size", "statusReplicasPath": ".status.size"}"#
)]
#[derive(PartialEq)]
pub struct Basket {
    pub size: i32,
    #[serde(flatten)]
    pub rest: HashMap<String, serde_json::Value>,
}

pub mod inner {
    #[derive(Clone, Debug, Default, PartialEq, super::Deserialize, super::JsonSchema, super::Serialize)]
    pub struct BasketStatus {
        pub size: i32,
    }
}

/// The path without quotes.
#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "shop.example.com", version = "v2", kind = "Till", status = inner::BasketStatus)]
#[kube(namespaced, shortname = "t")]
struct TillSpec {
    open: bool,
}

impl TillSpec {
    pub fn open() -> serde_json::Value {
        let mut till = Till::new("one", TillSpec { open: true });
        till.status = Some(inner::BasketStatus { size: 3 });
        serde_json::to_value(till).unwrap()
    }
}

pub fn till() -> serde_json::Value {
    TillSpec::open()
}

/// An enum as spec.
#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "shop.example.com", version = "v1", kind = "Payment", namespaced)]
#[serde(rename_all = "camelCase")]
pub enum PaymentSpec {
    Cash { coins: i32 },
    Card { number: String },
}

/// Fields in the object itself.
#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[kube(group = "shop.example.com", version = "v1", kind = "Shelf", namespaced, no_spec, derive = "PartialEq")]
pub struct ShelfFields {
    pub place: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<i32>,
}

/// The same with a status and rules.
#[derive(Clone, CustomResource, Debug, Deserialize, KubeSchema, PartialEq, Serialize)]
#[kube(
    group = "shop.example.com",
    version = "v1",
    kind = "Crate",
    no_spec,
    status = "CrateStatus",
    derive = "PartialEq",
    validation = "has(self.boxes)"
)]
pub struct CrateFields {
    #[x_kube(validation = Rule::new("self >= 1").message("at least one box"))]
    pub boxes: i32,
}

#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
pub struct CrateStatus {
    pub shipped: bool,
}

/// No schema wanted.
#[derive(Clone, CustomResource, Debug, Deserialize, Serialize)]
#[kube(group = "shop.example.com", version = "v1", kind = "Anything", schema = "disabled")]
pub struct AnythingSpec {
    pub whatever: i32,
}

/// All crates out of a framework's hands.
#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(
    group = "shop.example.com",
    version = "v1",
    kind = "Framed",
    crates(
        kube = "crate::framework::kube",
        kube_core = "crate::framework::kube::core",
        k8s_openapi = "crate::framework::k8s_openapi",
        schemars = "crate::framework::schemars",
        serde = "crate::framework::serde",
        serde_json = "crate::framework::serde_json",
        std = "std",
    )
)]
#[schemars(crate = "crate::framework::schemars")]
pub struct FramedSpec {
    pub inner: Option<Line>,
}
