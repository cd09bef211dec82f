// A rule that reads an optional field without a guard is a warning of the compiler, at the rule.
#![deny(warnings)]

use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Deserialize, Schema, Serialize)]
#[schema(rule = "self.most > 1", rule = "!has(self.least) || self.least > 1")]
struct Range {
    least: Option<i32>,
    most: Option<i32>,
    #[serde(default)]
    step: i32,
}

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "ui.example.com", version = "v1", kind = "Foo")]
#[kube(validation = "self.spec.a > self.spec.b")]
struct FooSpec {
    a: i32,
    b: Option<i32>,
    #[schema(rule = "self.all(item, item.size() > 1)")]
    list: Option<Vec<String>>,
    #[schema(minimum = 9007199254740993)]
    big: i64,
}

#[derive(Deserialize, Schema, Serialize)]
#[schema(rule = r#"
    self.kept &&
        self.object.name != ''
"#)]
struct Lines {
    kept: bool,
    object: Option<Object>,
}

#[derive(Deserialize, Schema, Serialize)]
struct Object {
    name: String,
}

/// No warning: it is silenced, or nothing is wrong.
#[derive(Deserialize, Schema, Serialize)]
#[schema(rule = "self.a > 1")]
#[allow(deprecated)]
struct Silenced {
    a: Option<i32>,
}

#[derive(Default, Deserialize, Schema, Serialize)]
#[serde(default)]
#[schema(rule = "self.a > 1 && self.b.c > 1 && self.d == 'x' && self.e.f > 1")]
struct Defaults {
    a: i32,
    b: Inner,
    #[serde(default = "d")]
    d: String,
    #[schema(default = { "f": 2 })]
    e: Option<Inner>,
}

#[derive(Default, Deserialize, Schema, Serialize)]
struct Inner {
    #[serde(default)]
    c: i32,
    f: Option<i32>,
}

fn d() -> String {
    "d".to_owned()
}

fn main() {}
