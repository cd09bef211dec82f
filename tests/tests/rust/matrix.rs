//! The serde matrix. Made by `crdgen_tests::matrix`: `UPDATE=1 cargo test -p crdgen-tests matrix`.

#![allow(missing_docs, dead_code, unreachable_pub, clippy::enum_variant_names, reason = "test data")]

use super::{Kind, kind};
use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Schema, Serialize)]
/// Unit variants.
pub enum Units { #[doc = "First."] Alpha, #[serde(rename = "b")] Beta, #[serde(alias = "gam")] Gamma }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cased { FirstOne, SecondOne }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub enum OnlyData { One(i32), Two { x: String, y: Option<bool> }, Three(Inner) }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub enum OneData { Single(Inner) }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub enum Mixed { Nothing, Empty, Some(i32), Full { a: String } }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub enum MixedDeep { Off, On(Units), List(Vec<String>), Maybe(Option<i32>) }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[serde(tag = "type")]
pub enum Internal { Plain, Wrapped(Inner), Named { x: i32 }, Other { x: String, z: Option<i32> } }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[serde(tag = "type")]
pub enum InternalSame { A { a: String, b: i32 }, B { a: String } }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum InternalCased { FirstCase { some_name: String }, SecondCase { other_name: Vec<i32> } }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum InternalStrict { A { a: String }, B { b: i32 } }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[serde(tag = "type")]
pub enum InternalNested { In(Internal2), Out { q: bool } }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[serde(tag = "inner")]
pub enum Internal2 { P { p: i32 }, R }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[serde(tag = "t", content = "c")]
pub enum Adjacent { Unit, Number(i32), Text(String), Obj { a: bool } }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[serde(tag = "t", content = "c")]
pub enum AdjacentSame { A(Inner), B(Inner) }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[serde(untagged)]
pub enum UntaggedStructs { A { a: String }, B { b: i32 }, C { c: Inner, d: Option<i32> } }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[serde(untagged)]
pub enum UntaggedIntString { I(i32), S(String) }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[serde(untagged)]
pub enum UntaggedNumbers { I(i64), F(f64) }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[serde(untagged)]
pub enum UntaggedScalars { B(bool), I(i32), S(String) }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[serde(untagged)]
pub enum UntaggedStringOrStruct { S(String), O(Inner) }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[serde(untagged)]
pub enum UntaggedOneOrMany { One(String), Many(Vec<String>) }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[serde(untagged)]
pub enum UntaggedLists { I(Vec<i32>), S(Vec<String>) }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[serde(untagged)]
pub enum UntaggedSameField { A { a: String }, B { a: i32 } }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[serde(untagged)]
pub enum UntaggedEnums { U(Units), C(Cased) }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub enum PartlyUntagged { A(i32), B, #[serde(untagged)] Text(i64) }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub struct Inner { pub s: String, #[serde(default)] pub n: i32, pub o: Option<bool> }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Defaults { #[serde(default)] pub some_flag: bool, #[serde(default = "seven")] pub some_number: i32, #[serde(default, skip_serializing_if = "Vec::is_empty")] pub some_list: Vec<String>, #[serde(default)] pub inner: Defaulted }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[serde(default)]
pub struct Defaulted { pub a: i32, pub b: String, pub c: Option<i32> }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Strict { pub a: String }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub struct Optional { #[serde(skip_serializing_if = "Option::is_none")] pub a: Option<String>, pub b: Option<i32>, #[serde(skip)] pub c: i32 }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub struct Newtype(pub i32);
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub struct NewtypeOption(pub Option<i32>);
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[serde(transparent)]
pub struct Transparent { pub it: Option<Inner> }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub struct Pair(pub i32, pub i32);
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub struct Unit;
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub struct Aliased { #[serde(alias = "old_name", alias = "older")] pub name: String, #[serde(alias = "was")] pub maybe: Option<i32> }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[serde(tag = "apiKind")]
pub struct TaggedStruct { pub a: i32 }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[serde(from = "Proxy", into = "Proxy")]
pub struct FromProxy { pub hidden: i32 }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub struct Proxy { pub shown: i32 }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub struct FlatStruct { pub own: i32, #[serde(flatten)] pub inner: Inner }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub struct FlatOption { pub own: i32, #[serde(flatten)] pub inner: Option<Inner> }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub struct FlatMap { pub own: i32, #[serde(flatten)] pub rest: BTreeMap<String, serde_json::Value> }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub struct FlatEnum { pub own: i32, #[serde(flatten)] pub which: OnlyData }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub struct FlatInternal { pub own: i32, #[serde(flatten)] pub which: Internal }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub struct FlatTwo { #[serde(flatten)] pub one: OnlyData, #[serde(flatten)] pub two: AdjacentSame }

#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub struct Generic<T> { pub it: T, pub list: Vec<T> }
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub struct Fixed<const N: usize> { pub name: String }
fn seven() -> i32 { 7 }
impl Default for Defaulted {
    fn default() -> Self { Defaulted { a: 5, b: "five".to_string(), c: None } }
}
impl From<Proxy> for FromProxy {
    fn from(p: Proxy) -> Self { FromProxy { hidden: p.shown } }
}
impl From<FromProxy> for Proxy {
    fn from(p: FromProxy) -> Self { Proxy { shown: p.hidden } }
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K001", namespaced)]
pub struct K001Spec { pub v: Units }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K002", namespaced)]
pub struct K002Spec { pub v: Option<Units> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K003", namespaced)]
pub struct K003Spec { pub v: Vec<Units> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K004", namespaced)]
pub struct K004Spec { pub v: BTreeMap<String, Units> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K005", namespaced)]
pub struct K005Spec { pub v: Option<Vec<Units>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K006", namespaced)]
pub struct K006Spec { pub v: Vec<Option<Units>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K007", namespaced)]
pub struct K007Spec { pub v: Cased }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K008", namespaced)]
pub struct K008Spec { pub v: Option<Cased> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K009", namespaced)]
pub struct K009Spec { pub v: Vec<Cased> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K010", namespaced)]
pub struct K010Spec { pub v: BTreeMap<String, Cased> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K011", namespaced)]
pub struct K011Spec { pub v: Option<Vec<Cased>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K012", namespaced)]
pub struct K012Spec { pub v: Vec<Option<Cased>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K013", namespaced)]
pub struct K013Spec { pub v: OnlyData }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K014", namespaced)]
pub struct K014Spec { pub v: Option<OnlyData> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K015", namespaced)]
pub struct K015Spec { pub v: Vec<OnlyData> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K016", namespaced)]
pub struct K016Spec { pub v: BTreeMap<String, OnlyData> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K017", namespaced)]
pub struct K017Spec { pub v: Option<Vec<OnlyData>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K018", namespaced)]
pub struct K018Spec { pub v: Vec<Option<OnlyData>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K019", namespaced)]
pub struct K019Spec { pub v: OneData }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K020", namespaced)]
pub struct K020Spec { pub v: Option<OneData> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K021", namespaced)]
pub struct K021Spec { pub v: Vec<OneData> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K022", namespaced)]
pub struct K022Spec { pub v: BTreeMap<String, OneData> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K023", namespaced)]
pub struct K023Spec { pub v: Option<Vec<OneData>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K024", namespaced)]
pub struct K024Spec { pub v: Vec<Option<OneData>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K025", namespaced)]
pub struct K025Spec { pub v: Mixed }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K026", namespaced)]
pub struct K026Spec { pub v: Option<Mixed> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K027", namespaced)]
pub struct K027Spec { pub v: Vec<Mixed> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K028", namespaced)]
pub struct K028Spec { pub v: BTreeMap<String, Mixed> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K029", namespaced)]
pub struct K029Spec { pub v: Option<Vec<Mixed>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K030", namespaced)]
pub struct K030Spec { pub v: Vec<Option<Mixed>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K031", namespaced)]
pub struct K031Spec { pub v: MixedDeep }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K032", namespaced)]
pub struct K032Spec { pub v: Option<MixedDeep> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K033", namespaced)]
pub struct K033Spec { pub v: Vec<MixedDeep> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K034", namespaced)]
pub struct K034Spec { pub v: BTreeMap<String, MixedDeep> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K035", namespaced)]
pub struct K035Spec { pub v: Option<Vec<MixedDeep>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K036", namespaced)]
pub struct K036Spec { pub v: Vec<Option<MixedDeep>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K037", namespaced)]
pub struct K037Spec { pub v: Internal }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K038", namespaced)]
pub struct K038Spec { pub v: Option<Internal> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K039", namespaced)]
pub struct K039Spec { pub v: Vec<Internal> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K040", namespaced)]
pub struct K040Spec { pub v: BTreeMap<String, Internal> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K041", namespaced)]
pub struct K041Spec { pub v: Option<Vec<Internal>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K042", namespaced)]
pub struct K042Spec { pub v: Vec<Option<Internal>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K043", namespaced)]
pub struct K043Spec { pub v: InternalSame }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K044", namespaced)]
pub struct K044Spec { pub v: Option<InternalSame> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K045", namespaced)]
pub struct K045Spec { pub v: Vec<InternalSame> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K046", namespaced)]
pub struct K046Spec { pub v: BTreeMap<String, InternalSame> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K047", namespaced)]
pub struct K047Spec { pub v: Option<Vec<InternalSame>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K048", namespaced)]
pub struct K048Spec { pub v: Vec<Option<InternalSame>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K049", namespaced)]
pub struct K049Spec { pub v: InternalCased }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K050", namespaced)]
pub struct K050Spec { pub v: Option<InternalCased> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K051", namespaced)]
pub struct K051Spec { pub v: Vec<InternalCased> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K052", namespaced)]
pub struct K052Spec { pub v: BTreeMap<String, InternalCased> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K053", namespaced)]
pub struct K053Spec { pub v: Option<Vec<InternalCased>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K054", namespaced)]
pub struct K054Spec { pub v: Vec<Option<InternalCased>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K055", namespaced)]
pub struct K055Spec { pub v: InternalStrict }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K056", namespaced)]
pub struct K056Spec { pub v: Option<InternalStrict> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K057", namespaced)]
pub struct K057Spec { pub v: Vec<InternalStrict> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K058", namespaced)]
pub struct K058Spec { pub v: BTreeMap<String, InternalStrict> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K059", namespaced)]
pub struct K059Spec { pub v: Option<Vec<InternalStrict>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K060", namespaced)]
pub struct K060Spec { pub v: Vec<Option<InternalStrict>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K061", namespaced)]
pub struct K061Spec { pub v: InternalNested }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K062", namespaced)]
pub struct K062Spec { pub v: Option<InternalNested> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K063", namespaced)]
pub struct K063Spec { pub v: Vec<InternalNested> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K064", namespaced)]
pub struct K064Spec { pub v: BTreeMap<String, InternalNested> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K065", namespaced)]
pub struct K065Spec { pub v: Option<Vec<InternalNested>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K066", namespaced)]
pub struct K066Spec { pub v: Vec<Option<InternalNested>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K067", namespaced)]
pub struct K067Spec { pub v: Internal2 }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K068", namespaced)]
pub struct K068Spec { pub v: Option<Internal2> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K069", namespaced)]
pub struct K069Spec { pub v: Vec<Internal2> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K070", namespaced)]
pub struct K070Spec { pub v: BTreeMap<String, Internal2> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K071", namespaced)]
pub struct K071Spec { pub v: Option<Vec<Internal2>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K072", namespaced)]
pub struct K072Spec { pub v: Vec<Option<Internal2>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K073", namespaced)]
pub struct K073Spec { pub v: Adjacent }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K074", namespaced)]
pub struct K074Spec { pub v: Option<Adjacent> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K075", namespaced)]
pub struct K075Spec { pub v: Vec<Adjacent> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K076", namespaced)]
pub struct K076Spec { pub v: BTreeMap<String, Adjacent> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K077", namespaced)]
pub struct K077Spec { pub v: Option<Vec<Adjacent>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K078", namespaced)]
pub struct K078Spec { pub v: Vec<Option<Adjacent>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K079", namespaced)]
pub struct K079Spec { pub v: AdjacentSame }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K080", namespaced)]
pub struct K080Spec { pub v: Option<AdjacentSame> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K081", namespaced)]
pub struct K081Spec { pub v: Vec<AdjacentSame> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K082", namespaced)]
pub struct K082Spec { pub v: BTreeMap<String, AdjacentSame> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K083", namespaced)]
pub struct K083Spec { pub v: Option<Vec<AdjacentSame>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K084", namespaced)]
pub struct K084Spec { pub v: Vec<Option<AdjacentSame>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K085", namespaced)]
pub struct K085Spec { pub v: UntaggedStructs }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K086", namespaced)]
pub struct K086Spec { pub v: Option<UntaggedStructs> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K087", namespaced)]
pub struct K087Spec { pub v: Vec<UntaggedStructs> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K088", namespaced)]
pub struct K088Spec { pub v: BTreeMap<String, UntaggedStructs> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K089", namespaced)]
pub struct K089Spec { pub v: Option<Vec<UntaggedStructs>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K090", namespaced)]
pub struct K090Spec { pub v: Vec<Option<UntaggedStructs>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K091", namespaced)]
pub struct K091Spec { pub v: UntaggedIntString }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K092", namespaced)]
pub struct K092Spec { pub v: Option<UntaggedIntString> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K093", namespaced)]
pub struct K093Spec { pub v: Vec<UntaggedIntString> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K094", namespaced)]
pub struct K094Spec { pub v: BTreeMap<String, UntaggedIntString> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K095", namespaced)]
pub struct K095Spec { pub v: Option<Vec<UntaggedIntString>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K096", namespaced)]
pub struct K096Spec { pub v: Vec<Option<UntaggedIntString>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K097", namespaced)]
pub struct K097Spec { pub v: UntaggedNumbers }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K098", namespaced)]
pub struct K098Spec { pub v: Option<UntaggedNumbers> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K099", namespaced)]
pub struct K099Spec { pub v: Vec<UntaggedNumbers> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K100", namespaced)]
pub struct K100Spec { pub v: BTreeMap<String, UntaggedNumbers> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K101", namespaced)]
pub struct K101Spec { pub v: Option<Vec<UntaggedNumbers>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K102", namespaced)]
pub struct K102Spec { pub v: Vec<Option<UntaggedNumbers>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K103", namespaced)]
pub struct K103Spec { pub v: UntaggedScalars }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K104", namespaced)]
pub struct K104Spec { pub v: Option<UntaggedScalars> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K105", namespaced)]
pub struct K105Spec { pub v: Vec<UntaggedScalars> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K106", namespaced)]
pub struct K106Spec { pub v: BTreeMap<String, UntaggedScalars> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K107", namespaced)]
pub struct K107Spec { pub v: Option<Vec<UntaggedScalars>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K108", namespaced)]
pub struct K108Spec { pub v: Vec<Option<UntaggedScalars>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K109", namespaced)]
pub struct K109Spec { pub v: UntaggedStringOrStruct }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K110", namespaced)]
pub struct K110Spec { pub v: Option<UntaggedStringOrStruct> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K111", namespaced)]
pub struct K111Spec { pub v: Vec<UntaggedStringOrStruct> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K112", namespaced)]
pub struct K112Spec { pub v: BTreeMap<String, UntaggedStringOrStruct> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K113", namespaced)]
pub struct K113Spec { pub v: Option<Vec<UntaggedStringOrStruct>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K114", namespaced)]
pub struct K114Spec { pub v: Vec<Option<UntaggedStringOrStruct>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K115", namespaced)]
pub struct K115Spec { pub v: UntaggedOneOrMany }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K116", namespaced)]
pub struct K116Spec { pub v: Option<UntaggedOneOrMany> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K117", namespaced)]
pub struct K117Spec { pub v: Vec<UntaggedOneOrMany> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K118", namespaced)]
pub struct K118Spec { pub v: BTreeMap<String, UntaggedOneOrMany> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K119", namespaced)]
pub struct K119Spec { pub v: Option<Vec<UntaggedOneOrMany>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K120", namespaced)]
pub struct K120Spec { pub v: Vec<Option<UntaggedOneOrMany>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K121", namespaced)]
pub struct K121Spec { pub v: UntaggedLists }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K122", namespaced)]
pub struct K122Spec { pub v: Option<UntaggedLists> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K123", namespaced)]
pub struct K123Spec { pub v: Vec<UntaggedLists> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K124", namespaced)]
pub struct K124Spec { pub v: BTreeMap<String, UntaggedLists> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K125", namespaced)]
pub struct K125Spec { pub v: Option<Vec<UntaggedLists>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K126", namespaced)]
pub struct K126Spec { pub v: Vec<Option<UntaggedLists>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K127", namespaced)]
pub struct K127Spec { pub v: UntaggedSameField }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K128", namespaced)]
pub struct K128Spec { pub v: Option<UntaggedSameField> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K129", namespaced)]
pub struct K129Spec { pub v: Vec<UntaggedSameField> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K130", namespaced)]
pub struct K130Spec { pub v: BTreeMap<String, UntaggedSameField> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K131", namespaced)]
pub struct K131Spec { pub v: Option<Vec<UntaggedSameField>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K132", namespaced)]
pub struct K132Spec { pub v: Vec<Option<UntaggedSameField>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K133", namespaced)]
pub struct K133Spec { pub v: UntaggedEnums }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K134", namespaced)]
pub struct K134Spec { pub v: Option<UntaggedEnums> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K135", namespaced)]
pub struct K135Spec { pub v: Vec<UntaggedEnums> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K136", namespaced)]
pub struct K136Spec { pub v: BTreeMap<String, UntaggedEnums> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K137", namespaced)]
pub struct K137Spec { pub v: Option<Vec<UntaggedEnums>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K138", namespaced)]
pub struct K138Spec { pub v: Vec<Option<UntaggedEnums>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K139", namespaced)]
pub struct K139Spec { pub v: PartlyUntagged }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K140", namespaced)]
pub struct K140Spec { pub v: Option<PartlyUntagged> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K141", namespaced)]
pub struct K141Spec { pub v: Vec<PartlyUntagged> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K142", namespaced)]
pub struct K142Spec { pub v: BTreeMap<String, PartlyUntagged> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K143", namespaced)]
pub struct K143Spec { pub v: Option<Vec<PartlyUntagged>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K144", namespaced)]
pub struct K144Spec { pub v: Vec<Option<PartlyUntagged>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K145", namespaced)]
pub struct K145Spec { pub v: Inner }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K146", namespaced)]
pub struct K146Spec { pub v: Option<Inner> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K147", namespaced)]
pub struct K147Spec { pub v: Vec<Inner> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K148", namespaced)]
pub struct K148Spec { pub v: BTreeMap<String, Inner> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K149", namespaced)]
pub struct K149Spec { pub v: Option<Vec<Inner>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K150", namespaced)]
pub struct K150Spec { pub v: Vec<Option<Inner>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K151", namespaced)]
pub struct K151Spec { pub v: Defaults }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K152", namespaced)]
pub struct K152Spec { pub v: Option<Defaults> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K153", namespaced)]
pub struct K153Spec { pub v: Vec<Defaults> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K154", namespaced)]
pub struct K154Spec { pub v: BTreeMap<String, Defaults> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K155", namespaced)]
pub struct K155Spec { pub v: Option<Vec<Defaults>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K156", namespaced)]
pub struct K156Spec { pub v: Vec<Option<Defaults>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K157", namespaced)]
pub struct K157Spec { pub v: Defaulted }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K158", namespaced)]
pub struct K158Spec { pub v: Option<Defaulted> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K159", namespaced)]
pub struct K159Spec { pub v: Vec<Defaulted> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K160", namespaced)]
pub struct K160Spec { pub v: BTreeMap<String, Defaulted> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K161", namespaced)]
pub struct K161Spec { pub v: Option<Vec<Defaulted>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K162", namespaced)]
pub struct K162Spec { pub v: Vec<Option<Defaulted>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K163", namespaced)]
pub struct K163Spec { pub v: Strict }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K164", namespaced)]
pub struct K164Spec { pub v: Option<Strict> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K165", namespaced)]
pub struct K165Spec { pub v: Vec<Strict> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K166", namespaced)]
pub struct K166Spec { pub v: BTreeMap<String, Strict> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K167", namespaced)]
pub struct K167Spec { pub v: Option<Vec<Strict>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K168", namespaced)]
pub struct K168Spec { pub v: Vec<Option<Strict>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K169", namespaced)]
pub struct K169Spec { pub v: Optional }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K170", namespaced)]
pub struct K170Spec { pub v: Option<Optional> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K171", namespaced)]
pub struct K171Spec { pub v: Vec<Optional> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K172", namespaced)]
pub struct K172Spec { pub v: BTreeMap<String, Optional> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K173", namespaced)]
pub struct K173Spec { pub v: Option<Vec<Optional>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K174", namespaced)]
pub struct K174Spec { pub v: Vec<Option<Optional>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K175", namespaced)]
pub struct K175Spec { pub v: Newtype }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K176", namespaced)]
pub struct K176Spec { pub v: Option<Newtype> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K177", namespaced)]
pub struct K177Spec { pub v: Vec<Newtype> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K178", namespaced)]
pub struct K178Spec { pub v: BTreeMap<String, Newtype> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K179", namespaced)]
pub struct K179Spec { pub v: Option<Vec<Newtype>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K180", namespaced)]
pub struct K180Spec { pub v: Vec<Option<Newtype>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K181", namespaced)]
pub struct K181Spec { pub v: NewtypeOption }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K182", namespaced)]
pub struct K182Spec { pub v: Option<NewtypeOption> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K183", namespaced)]
pub struct K183Spec { pub v: Vec<NewtypeOption> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K184", namespaced)]
pub struct K184Spec { pub v: BTreeMap<String, NewtypeOption> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K185", namespaced)]
pub struct K185Spec { pub v: Option<Vec<NewtypeOption>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K186", namespaced)]
pub struct K186Spec { pub v: Vec<Option<NewtypeOption>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K187", namespaced)]
pub struct K187Spec { pub v: Transparent }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K188", namespaced)]
pub struct K188Spec { pub v: Option<Transparent> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K189", namespaced)]
pub struct K189Spec { pub v: Vec<Transparent> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K190", namespaced)]
pub struct K190Spec { pub v: BTreeMap<String, Transparent> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K191", namespaced)]
pub struct K191Spec { pub v: Option<Vec<Transparent>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K192", namespaced)]
pub struct K192Spec { pub v: Vec<Option<Transparent>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K193", namespaced)]
pub struct K193Spec { pub v: Pair }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K194", namespaced)]
pub struct K194Spec { pub v: Option<Pair> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K195", namespaced)]
pub struct K195Spec { pub v: Vec<Pair> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K196", namespaced)]
pub struct K196Spec { pub v: BTreeMap<String, Pair> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K197", namespaced)]
pub struct K197Spec { pub v: Option<Vec<Pair>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K198", namespaced)]
pub struct K198Spec { pub v: Vec<Option<Pair>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K199", namespaced)]
pub struct K199Spec { pub v: Unit }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K200", namespaced)]
pub struct K200Spec { pub v: Option<Unit> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K201", namespaced)]
pub struct K201Spec { pub v: Vec<Unit> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K202", namespaced)]
pub struct K202Spec { pub v: BTreeMap<String, Unit> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K203", namespaced)]
pub struct K203Spec { pub v: Option<Vec<Unit>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K204", namespaced)]
pub struct K204Spec { pub v: Vec<Option<Unit>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K205", namespaced)]
pub struct K205Spec { pub v: Aliased }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K206", namespaced)]
pub struct K206Spec { pub v: Option<Aliased> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K207", namespaced)]
pub struct K207Spec { pub v: Vec<Aliased> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K208", namespaced)]
pub struct K208Spec { pub v: BTreeMap<String, Aliased> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K209", namespaced)]
pub struct K209Spec { pub v: Option<Vec<Aliased>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K210", namespaced)]
pub struct K210Spec { pub v: Vec<Option<Aliased>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K211", namespaced)]
pub struct K211Spec { pub v: TaggedStruct }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K212", namespaced)]
pub struct K212Spec { pub v: Option<TaggedStruct> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K213", namespaced)]
pub struct K213Spec { pub v: Vec<TaggedStruct> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K214", namespaced)]
pub struct K214Spec { pub v: BTreeMap<String, TaggedStruct> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K215", namespaced)]
pub struct K215Spec { pub v: Option<Vec<TaggedStruct>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K216", namespaced)]
pub struct K216Spec { pub v: Vec<Option<TaggedStruct>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K217", namespaced)]
pub struct K217Spec { pub v: FromProxy }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K218", namespaced)]
pub struct K218Spec { pub v: Option<FromProxy> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K219", namespaced)]
pub struct K219Spec { pub v: Vec<FromProxy> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K220", namespaced)]
pub struct K220Spec { pub v: BTreeMap<String, FromProxy> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K221", namespaced)]
pub struct K221Spec { pub v: Option<Vec<FromProxy>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K222", namespaced)]
pub struct K222Spec { pub v: Vec<Option<FromProxy>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K223", namespaced)]
pub struct K223Spec { pub v: Proxy }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K224", namespaced)]
pub struct K224Spec { pub v: Option<Proxy> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K225", namespaced)]
pub struct K225Spec { pub v: Vec<Proxy> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K226", namespaced)]
pub struct K226Spec { pub v: BTreeMap<String, Proxy> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K227", namespaced)]
pub struct K227Spec { pub v: Option<Vec<Proxy>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K228", namespaced)]
pub struct K228Spec { pub v: Vec<Option<Proxy>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K229", namespaced)]
pub struct K229Spec { pub v: FlatStruct }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K230", namespaced)]
pub struct K230Spec { pub v: Option<FlatStruct> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K231", namespaced)]
pub struct K231Spec { pub v: Vec<FlatStruct> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K232", namespaced)]
pub struct K232Spec { pub v: BTreeMap<String, FlatStruct> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K233", namespaced)]
pub struct K233Spec { pub v: Option<Vec<FlatStruct>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K234", namespaced)]
pub struct K234Spec { pub v: Vec<Option<FlatStruct>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K235", namespaced)]
pub struct K235Spec { pub v: FlatOption }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K236", namespaced)]
pub struct K236Spec { pub v: Option<FlatOption> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K237", namespaced)]
pub struct K237Spec { pub v: Vec<FlatOption> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K238", namespaced)]
pub struct K238Spec { pub v: BTreeMap<String, FlatOption> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K239", namespaced)]
pub struct K239Spec { pub v: Option<Vec<FlatOption>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K240", namespaced)]
pub struct K240Spec { pub v: Vec<Option<FlatOption>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K241", namespaced)]
pub struct K241Spec { pub v: FlatMap }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K242", namespaced)]
pub struct K242Spec { pub v: Option<FlatMap> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K243", namespaced)]
pub struct K243Spec { pub v: Vec<FlatMap> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K244", namespaced)]
pub struct K244Spec { pub v: BTreeMap<String, FlatMap> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K245", namespaced)]
pub struct K245Spec { pub v: Option<Vec<FlatMap>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K246", namespaced)]
pub struct K246Spec { pub v: Vec<Option<FlatMap>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K247", namespaced)]
pub struct K247Spec { pub v: FlatEnum }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K248", namespaced)]
pub struct K248Spec { pub v: Option<FlatEnum> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K249", namespaced)]
pub struct K249Spec { pub v: Vec<FlatEnum> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K250", namespaced)]
pub struct K250Spec { pub v: BTreeMap<String, FlatEnum> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K251", namespaced)]
pub struct K251Spec { pub v: Option<Vec<FlatEnum>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K252", namespaced)]
pub struct K252Spec { pub v: Vec<Option<FlatEnum>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K253", namespaced)]
pub struct K253Spec { pub v: FlatInternal }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K254", namespaced)]
pub struct K254Spec { pub v: Option<FlatInternal> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K255", namespaced)]
pub struct K255Spec { pub v: Vec<FlatInternal> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K256", namespaced)]
pub struct K256Spec { pub v: BTreeMap<String, FlatInternal> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K257", namespaced)]
pub struct K257Spec { pub v: Option<Vec<FlatInternal>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K258", namespaced)]
pub struct K258Spec { pub v: Vec<Option<FlatInternal>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K259", namespaced)]
pub struct K259Spec { pub v: FlatTwo }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K260", namespaced)]
pub struct K260Spec { pub v: Option<FlatTwo> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K261", namespaced)]
pub struct K261Spec { pub v: Vec<FlatTwo> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K262", namespaced)]
pub struct K262Spec { pub v: BTreeMap<String, FlatTwo> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K263", namespaced)]
pub struct K263Spec { pub v: Option<Vec<FlatTwo>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K264", namespaced)]
pub struct K264Spec { pub v: Vec<Option<FlatTwo>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K265", namespaced)]
pub struct K265Spec { pub v: bool }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K266", namespaced)]
pub struct K266Spec { pub v: Option<bool> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K267", namespaced)]
pub struct K267Spec { pub v: Vec<bool> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K268", namespaced)]
pub struct K268Spec { pub v: BTreeMap<String, bool> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K269", namespaced)]
pub struct K269Spec { pub v: Option<Vec<bool>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K270", namespaced)]
pub struct K270Spec { pub v: Vec<Option<bool>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K271", namespaced)]
pub struct K271Spec { pub v: i8 }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K272", namespaced)]
pub struct K272Spec { pub v: Option<i8> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K273", namespaced)]
pub struct K273Spec { pub v: Vec<i8> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K274", namespaced)]
pub struct K274Spec { pub v: BTreeMap<String, i8> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K275", namespaced)]
pub struct K275Spec { pub v: Option<Vec<i8>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K276", namespaced)]
pub struct K276Spec { pub v: Vec<Option<i8>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K277", namespaced)]
pub struct K277Spec { pub v: i16 }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K278", namespaced)]
pub struct K278Spec { pub v: Option<i16> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K279", namespaced)]
pub struct K279Spec { pub v: Vec<i16> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K280", namespaced)]
pub struct K280Spec { pub v: BTreeMap<String, i16> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K281", namespaced)]
pub struct K281Spec { pub v: Option<Vec<i16>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K282", namespaced)]
pub struct K282Spec { pub v: Vec<Option<i16>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K283", namespaced)]
pub struct K283Spec { pub v: i32 }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K284", namespaced)]
pub struct K284Spec { pub v: Option<i32> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K285", namespaced)]
pub struct K285Spec { pub v: Vec<i32> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K286", namespaced)]
pub struct K286Spec { pub v: BTreeMap<String, i32> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K287", namespaced)]
pub struct K287Spec { pub v: Option<Vec<i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K288", namespaced)]
pub struct K288Spec { pub v: Vec<Option<i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K289", namespaced)]
pub struct K289Spec { pub v: i64 }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K290", namespaced)]
pub struct K290Spec { pub v: Option<i64> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K291", namespaced)]
pub struct K291Spec { pub v: Vec<i64> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K292", namespaced)]
pub struct K292Spec { pub v: BTreeMap<String, i64> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K293", namespaced)]
pub struct K293Spec { pub v: Option<Vec<i64>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K294", namespaced)]
pub struct K294Spec { pub v: Vec<Option<i64>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K295", namespaced)]
pub struct K295Spec { pub v: u8 }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K296", namespaced)]
pub struct K296Spec { pub v: Option<u8> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K297", namespaced)]
pub struct K297Spec { pub v: Vec<u8> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K298", namespaced)]
pub struct K298Spec { pub v: BTreeMap<String, u8> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K299", namespaced)]
pub struct K299Spec { pub v: Option<Vec<u8>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K300", namespaced)]
pub struct K300Spec { pub v: Vec<Option<u8>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K301", namespaced)]
pub struct K301Spec { pub v: u16 }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K302", namespaced)]
pub struct K302Spec { pub v: Option<u16> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K303", namespaced)]
pub struct K303Spec { pub v: Vec<u16> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K304", namespaced)]
pub struct K304Spec { pub v: BTreeMap<String, u16> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K305", namespaced)]
pub struct K305Spec { pub v: Option<Vec<u16>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K306", namespaced)]
pub struct K306Spec { pub v: Vec<Option<u16>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K307", namespaced)]
pub struct K307Spec { pub v: u32 }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K308", namespaced)]
pub struct K308Spec { pub v: Option<u32> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K309", namespaced)]
pub struct K309Spec { pub v: Vec<u32> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K310", namespaced)]
pub struct K310Spec { pub v: BTreeMap<String, u32> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K311", namespaced)]
pub struct K311Spec { pub v: Option<Vec<u32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K312", namespaced)]
pub struct K312Spec { pub v: Vec<Option<u32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K313", namespaced)]
pub struct K313Spec { pub v: f32 }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K314", namespaced)]
pub struct K314Spec { pub v: Option<f32> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K315", namespaced)]
pub struct K315Spec { pub v: Vec<f32> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K316", namespaced)]
pub struct K316Spec { pub v: BTreeMap<String, f32> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K317", namespaced)]
pub struct K317Spec { pub v: Option<Vec<f32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K318", namespaced)]
pub struct K318Spec { pub v: Vec<Option<f32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K319", namespaced)]
pub struct K319Spec { pub v: f64 }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K320", namespaced)]
pub struct K320Spec { pub v: Option<f64> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K321", namespaced)]
pub struct K321Spec { pub v: Vec<f64> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K322", namespaced)]
pub struct K322Spec { pub v: BTreeMap<String, f64> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K323", namespaced)]
pub struct K323Spec { pub v: Option<Vec<f64>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K324", namespaced)]
pub struct K324Spec { pub v: Vec<Option<f64>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K325", namespaced)]
pub struct K325Spec { pub v: char }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K326", namespaced)]
pub struct K326Spec { pub v: Option<char> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K327", namespaced)]
pub struct K327Spec { pub v: Vec<char> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K328", namespaced)]
pub struct K328Spec { pub v: BTreeMap<String, char> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K329", namespaced)]
pub struct K329Spec { pub v: Option<Vec<char>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K330", namespaced)]
pub struct K330Spec { pub v: Vec<Option<char>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K331", namespaced)]
pub struct K331Spec { pub v: String }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K332", namespaced)]
pub struct K332Spec { pub v: Option<String> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K333", namespaced)]
pub struct K333Spec { pub v: Vec<String> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K334", namespaced)]
pub struct K334Spec { pub v: BTreeMap<String, String> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K335", namespaced)]
pub struct K335Spec { pub v: Option<Vec<String>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K336", namespaced)]
pub struct K336Spec { pub v: Vec<Option<String>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K337", namespaced)]
pub struct K337Spec { pub v: std::num::NonZeroU8 }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K338", namespaced)]
pub struct K338Spec { pub v: Option<std::num::NonZeroU8> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K339", namespaced)]
pub struct K339Spec { pub v: Vec<std::num::NonZeroU8> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K340", namespaced)]
pub struct K340Spec { pub v: BTreeMap<String, std::num::NonZeroU8> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K341", namespaced)]
pub struct K341Spec { pub v: Option<Vec<std::num::NonZeroU8>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K342", namespaced)]
pub struct K342Spec { pub v: Vec<Option<std::num::NonZeroU8>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K343", namespaced)]
pub struct K343Spec { pub v: std::num::NonZeroI32 }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K344", namespaced)]
pub struct K344Spec { pub v: Option<std::num::NonZeroI32> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K345", namespaced)]
pub struct K345Spec { pub v: Vec<std::num::NonZeroI32> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K346", namespaced)]
pub struct K346Spec { pub v: BTreeMap<String, std::num::NonZeroI32> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K347", namespaced)]
pub struct K347Spec { pub v: Option<Vec<std::num::NonZeroI32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K348", namespaced)]
pub struct K348Spec { pub v: Vec<Option<std::num::NonZeroI32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K349", namespaced)]
pub struct K349Spec { pub v: std::net::Ipv4Addr }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K350", namespaced)]
pub struct K350Spec { pub v: Option<std::net::Ipv4Addr> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K351", namespaced)]
pub struct K351Spec { pub v: Vec<std::net::Ipv4Addr> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K352", namespaced)]
pub struct K352Spec { pub v: BTreeMap<String, std::net::Ipv4Addr> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K353", namespaced)]
pub struct K353Spec { pub v: Option<Vec<std::net::Ipv4Addr>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K354", namespaced)]
pub struct K354Spec { pub v: Vec<Option<std::net::Ipv4Addr>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K355", namespaced)]
pub struct K355Spec { pub v: std::net::IpAddr }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K356", namespaced)]
pub struct K356Spec { pub v: Option<std::net::IpAddr> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K357", namespaced)]
pub struct K357Spec { pub v: Vec<std::net::IpAddr> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K358", namespaced)]
pub struct K358Spec { pub v: BTreeMap<String, std::net::IpAddr> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K359", namespaced)]
pub struct K359Spec { pub v: Option<Vec<std::net::IpAddr>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K360", namespaced)]
pub struct K360Spec { pub v: Vec<Option<std::net::IpAddr>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K361", namespaced)]
pub struct K361Spec { pub v: std::path::PathBuf }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K362", namespaced)]
pub struct K362Spec { pub v: Option<std::path::PathBuf> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K363", namespaced)]
pub struct K363Spec { pub v: Vec<std::path::PathBuf> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K364", namespaced)]
pub struct K364Spec { pub v: BTreeMap<String, std::path::PathBuf> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K365", namespaced)]
pub struct K365Spec { pub v: Option<Vec<std::path::PathBuf>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K366", namespaced)]
pub struct K366Spec { pub v: Vec<Option<std::path::PathBuf>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K367", namespaced)]
pub struct K367Spec { pub v: std::time::Duration }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K368", namespaced)]
pub struct K368Spec { pub v: Option<std::time::Duration> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K369", namespaced)]
pub struct K369Spec { pub v: Vec<std::time::Duration> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K370", namespaced)]
pub struct K370Spec { pub v: BTreeMap<String, std::time::Duration> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K371", namespaced)]
pub struct K371Spec { pub v: Option<Vec<std::time::Duration>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K372", namespaced)]
pub struct K372Spec { pub v: Vec<Option<std::time::Duration>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K373", namespaced)]
pub struct K373Spec { pub v: serde_json::Value }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K374", namespaced)]
pub struct K374Spec { pub v: Option<serde_json::Value> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K375", namespaced)]
pub struct K375Spec { pub v: Vec<serde_json::Value> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K376", namespaced)]
pub struct K376Spec { pub v: BTreeMap<String, serde_json::Value> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K377", namespaced)]
pub struct K377Spec { pub v: Option<Vec<serde_json::Value>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K378", namespaced)]
pub struct K378Spec { pub v: Vec<Option<serde_json::Value>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K379", namespaced)]
pub struct K379Spec { pub v: Result<i32, String> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K380", namespaced)]
pub struct K380Spec { pub v: Option<Result<i32, String>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K381", namespaced)]
pub struct K381Spec { pub v: Vec<Result<i32, String>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K382", namespaced)]
pub struct K382Spec { pub v: BTreeMap<String, Result<i32, String>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K383", namespaced)]
pub struct K383Spec { pub v: Option<Vec<Result<i32, String>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K384", namespaced)]
pub struct K384Spec { pub v: Vec<Option<Result<i32, String>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K385", namespaced)]
pub struct K385Spec { pub v: [i32; 2] }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K386", namespaced)]
pub struct K386Spec { pub v: Option<[i32; 2]> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K387", namespaced)]
pub struct K387Spec { pub v: Vec<[i32; 2]> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K388", namespaced)]
pub struct K388Spec { pub v: BTreeMap<String, [i32; 2]> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K389", namespaced)]
pub struct K389Spec { pub v: Option<Vec<[i32; 2]>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K390", namespaced)]
pub struct K390Spec { pub v: Vec<Option<[i32; 2]>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K391", namespaced)]
pub struct K391Spec { pub v: (i32, i32) }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K392", namespaced)]
pub struct K392Spec { pub v: Option<(i32, i32)> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K393", namespaced)]
pub struct K393Spec { pub v: Vec<(i32, i32)> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K394", namespaced)]
pub struct K394Spec { pub v: BTreeMap<String, (i32, i32)> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K395", namespaced)]
pub struct K395Spec { pub v: Option<Vec<(i32, i32)>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K396", namespaced)]
pub struct K396Spec { pub v: Vec<Option<(i32, i32)>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K397", namespaced)]
pub struct K397Spec { pub v: BTreeMap<Units, i32> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K398", namespaced)]
pub struct K398Spec { pub v: Option<BTreeMap<Units, i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K399", namespaced)]
pub struct K399Spec { pub v: Vec<BTreeMap<Units, i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K400", namespaced)]
pub struct K400Spec { pub v: BTreeMap<String, BTreeMap<Units, i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K401", namespaced)]
pub struct K401Spec { pub v: Option<Vec<BTreeMap<Units, i32>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K402", namespaced)]
pub struct K402Spec { pub v: Vec<Option<BTreeMap<Units, i32>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K403", namespaced)]
pub struct K403Spec { pub v: BTreeSet<String> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K404", namespaced)]
pub struct K404Spec { pub v: Option<BTreeSet<String>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K405", namespaced)]
pub struct K405Spec { pub v: Vec<BTreeSet<String>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K406", namespaced)]
pub struct K406Spec { pub v: BTreeMap<String, BTreeSet<String>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K407", namespaced)]
pub struct K407Spec { pub v: Option<Vec<BTreeSet<String>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K408", namespaced)]
pub struct K408Spec { pub v: Vec<Option<BTreeSet<String>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K409", namespaced)]
pub struct K409Spec { pub v: BTreeMap<String, Vec<Inner>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K410", namespaced)]
pub struct K410Spec { pub v: Option<BTreeMap<String, Vec<Inner>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K411", namespaced)]
pub struct K411Spec { pub v: Vec<BTreeMap<String, Vec<Inner>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K412", namespaced)]
pub struct K412Spec { pub v: BTreeMap<String, BTreeMap<String, Vec<Inner>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K413", namespaced)]
pub struct K413Spec { pub v: Option<Vec<BTreeMap<String, Vec<Inner>>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K414", namespaced)]
pub struct K414Spec { pub v: Vec<Option<BTreeMap<String, Vec<Inner>>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K415", namespaced)]
pub struct K415Spec { pub v: std::ops::Range<i32> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K416", namespaced)]
pub struct K416Spec { pub v: Option<std::ops::Range<i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K417", namespaced)]
pub struct K417Spec { pub v: Vec<std::ops::Range<i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K418", namespaced)]
pub struct K418Spec { pub v: BTreeMap<String, std::ops::Range<i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K419", namespaced)]
pub struct K419Spec { pub v: Option<Vec<std::ops::Range<i32>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K420", namespaced)]
pub struct K420Spec { pub v: Vec<Option<std::ops::Range<i32>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K421", namespaced)]
pub struct K421Spec { pub v: std::sync::Arc<str> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K422", namespaced)]
pub struct K422Spec { pub v: Option<std::sync::Arc<str>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K423", namespaced)]
pub struct K423Spec { pub v: Vec<std::sync::Arc<str>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K424", namespaced)]
pub struct K424Spec { pub v: BTreeMap<String, std::sync::Arc<str>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K425", namespaced)]
pub struct K425Spec { pub v: Option<Vec<std::sync::Arc<str>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K426", namespaced)]
pub struct K426Spec { pub v: Vec<Option<std::sync::Arc<str>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K427", namespaced)]
pub struct K427Spec { pub v: Generic<i32> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K428", namespaced)]
pub struct K428Spec { pub v: Option<Generic<i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K429", namespaced)]
pub struct K429Spec { pub v: Vec<Generic<i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K430", namespaced)]
pub struct K430Spec { pub v: BTreeMap<String, Generic<i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K431", namespaced)]
pub struct K431Spec { pub v: Option<Vec<Generic<i32>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K432", namespaced)]
pub struct K432Spec { pub v: Vec<Option<Generic<i32>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K433", namespaced)]
pub struct K433Spec { pub v: Generic<Vec<Inner>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K434", namespaced)]
pub struct K434Spec { pub v: Option<Generic<Vec<Inner>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K435", namespaced)]
pub struct K435Spec { pub v: Vec<Generic<Vec<Inner>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K436", namespaced)]
pub struct K436Spec { pub v: BTreeMap<String, Generic<Vec<Inner>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K437", namespaced)]
pub struct K437Spec { pub v: Option<Vec<Generic<Vec<Inner>>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K438", namespaced)]
pub struct K438Spec { pub v: Vec<Option<Generic<Vec<Inner>>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K439", namespaced)]
pub struct K439Spec { pub v: Fixed<3> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K440", namespaced)]
pub struct K440Spec { pub v: Option<Fixed<3>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K441", namespaced)]
pub struct K441Spec { pub v: Vec<Fixed<3>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K442", namespaced)]
pub struct K442Spec { pub v: BTreeMap<String, Fixed<3>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K443", namespaced)]
pub struct K443Spec { pub v: Option<Vec<Fixed<3>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K444", namespaced)]
pub struct K444Spec { pub v: Vec<Option<Fixed<3>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K445", namespaced)]
pub struct K445Spec { pub v: BTreeMap<u8, i32> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K446", namespaced)]
pub struct K446Spec { pub v: Option<BTreeMap<u8, i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K447", namespaced)]
pub struct K447Spec { pub v: Vec<BTreeMap<u8, i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K448", namespaced)]
pub struct K448Spec { pub v: BTreeMap<String, BTreeMap<u8, i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K449", namespaced)]
pub struct K449Spec { pub v: Option<Vec<BTreeMap<u8, i32>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K450", namespaced)]
pub struct K450Spec { pub v: Vec<Option<BTreeMap<u8, i32>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K451", namespaced)]
pub struct K451Spec { pub v: BTreeMap<i32, i32> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K452", namespaced)]
pub struct K452Spec { pub v: Option<BTreeMap<i32, i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K453", namespaced)]
pub struct K453Spec { pub v: Vec<BTreeMap<i32, i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K454", namespaced)]
pub struct K454Spec { pub v: BTreeMap<String, BTreeMap<i32, i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K455", namespaced)]
pub struct K455Spec { pub v: Option<Vec<BTreeMap<i32, i32>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K456", namespaced)]
pub struct K456Spec { pub v: Vec<Option<BTreeMap<i32, i32>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K457", namespaced)]
pub struct K457Spec { pub v: BTreeMap<u64, i32> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K458", namespaced)]
pub struct K458Spec { pub v: Option<BTreeMap<u64, i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K459", namespaced)]
pub struct K459Spec { pub v: Vec<BTreeMap<u64, i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K460", namespaced)]
pub struct K460Spec { pub v: BTreeMap<String, BTreeMap<u64, i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K461", namespaced)]
pub struct K461Spec { pub v: Option<Vec<BTreeMap<u64, i32>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K462", namespaced)]
pub struct K462Spec { pub v: Vec<Option<BTreeMap<u64, i32>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K463", namespaced)]
pub struct K463Spec { pub v: BTreeMap<i64, i32> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K464", namespaced)]
pub struct K464Spec { pub v: Option<BTreeMap<i64, i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K465", namespaced)]
pub struct K465Spec { pub v: Vec<BTreeMap<i64, i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K466", namespaced)]
pub struct K466Spec { pub v: BTreeMap<String, BTreeMap<i64, i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K467", namespaced)]
pub struct K467Spec { pub v: Option<Vec<BTreeMap<i64, i32>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K468", namespaced)]
pub struct K468Spec { pub v: Vec<Option<BTreeMap<i64, i32>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K469", namespaced)]
pub struct K469Spec { pub v: BTreeMap<u128, i32> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K470", namespaced)]
pub struct K470Spec { pub v: Option<BTreeMap<u128, i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K471", namespaced)]
pub struct K471Spec { pub v: Vec<BTreeMap<u128, i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K472", namespaced)]
pub struct K472Spec { pub v: BTreeMap<String, BTreeMap<u128, i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K473", namespaced)]
pub struct K473Spec { pub v: Option<Vec<BTreeMap<u128, i32>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K474", namespaced)]
pub struct K474Spec { pub v: Vec<Option<BTreeMap<u128, i32>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K475", namespaced)]
pub struct K475Spec { pub v: BTreeMap<std::num::NonZeroI8, i32> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K476", namespaced)]
pub struct K476Spec { pub v: Option<BTreeMap<std::num::NonZeroI8, i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K477", namespaced)]
pub struct K477Spec { pub v: Vec<BTreeMap<std::num::NonZeroI8, i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K478", namespaced)]
pub struct K478Spec { pub v: BTreeMap<String, BTreeMap<std::num::NonZeroI8, i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K479", namespaced)]
pub struct K479Spec { pub v: Option<Vec<BTreeMap<std::num::NonZeroI8, i32>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K480", namespaced)]
pub struct K480Spec { pub v: Vec<Option<BTreeMap<std::num::NonZeroI8, i32>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K481", namespaced)]
pub struct K481Spec { pub v: BTreeMap<char, i32> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K482", namespaced)]
pub struct K482Spec { pub v: Option<BTreeMap<char, i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K483", namespaced)]
pub struct K483Spec { pub v: Vec<BTreeMap<char, i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K484", namespaced)]
pub struct K484Spec { pub v: BTreeMap<String, BTreeMap<char, i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K485", namespaced)]
pub struct K485Spec { pub v: Option<Vec<BTreeMap<char, i32>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K486", namespaced)]
pub struct K486Spec { pub v: Vec<Option<BTreeMap<char, i32>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K487", namespaced)]
pub struct K487Spec { pub v: BTreeMap<bool, i32> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K488", namespaced)]
pub struct K488Spec { pub v: Option<BTreeMap<bool, i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K489", namespaced)]
pub struct K489Spec { pub v: Vec<BTreeMap<bool, i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K490", namespaced)]
pub struct K490Spec { pub v: BTreeMap<String, BTreeMap<bool, i32>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K491", namespaced)]
pub struct K491Spec { pub v: Option<Vec<BTreeMap<bool, i32>>> }

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K492", namespaced)]
pub struct K492Spec { pub v: Vec<Option<BTreeMap<bool, i32>>> }

/// All kinds.
pub(crate) fn kinds() -> Vec<Kind> {
    vec![
        kind::<K001, K001Spec>("Units"),
        kind::<K002, K002Spec>("Option<Units>"),
        kind::<K003, K003Spec>("Vec<Units>"),
        kind::<K004, K004Spec>("BTreeMap<String, Units>"),
        kind::<K005, K005Spec>("Option<Vec<Units>>"),
        kind::<K006, K006Spec>("Vec<Option<Units>>"),
        kind::<K007, K007Spec>("Cased"),
        kind::<K008, K008Spec>("Option<Cased>"),
        kind::<K009, K009Spec>("Vec<Cased>"),
        kind::<K010, K010Spec>("BTreeMap<String, Cased>"),
        kind::<K011, K011Spec>("Option<Vec<Cased>>"),
        kind::<K012, K012Spec>("Vec<Option<Cased>>"),
        kind::<K013, K013Spec>("OnlyData"),
        kind::<K014, K014Spec>("Option<OnlyData>"),
        kind::<K015, K015Spec>("Vec<OnlyData>"),
        kind::<K016, K016Spec>("BTreeMap<String, OnlyData>"),
        kind::<K017, K017Spec>("Option<Vec<OnlyData>>"),
        kind::<K018, K018Spec>("Vec<Option<OnlyData>>"),
        kind::<K019, K019Spec>("OneData"),
        kind::<K020, K020Spec>("Option<OneData>"),
        kind::<K021, K021Spec>("Vec<OneData>"),
        kind::<K022, K022Spec>("BTreeMap<String, OneData>"),
        kind::<K023, K023Spec>("Option<Vec<OneData>>"),
        kind::<K024, K024Spec>("Vec<Option<OneData>>"),
        kind::<K025, K025Spec>("Mixed"),
        kind::<K026, K026Spec>("Option<Mixed>"),
        kind::<K027, K027Spec>("Vec<Mixed>"),
        kind::<K028, K028Spec>("BTreeMap<String, Mixed>"),
        kind::<K029, K029Spec>("Option<Vec<Mixed>>"),
        kind::<K030, K030Spec>("Vec<Option<Mixed>>"),
        kind::<K031, K031Spec>("MixedDeep"),
        kind::<K032, K032Spec>("Option<MixedDeep>"),
        kind::<K033, K033Spec>("Vec<MixedDeep>"),
        kind::<K034, K034Spec>("BTreeMap<String, MixedDeep>"),
        kind::<K035, K035Spec>("Option<Vec<MixedDeep>>"),
        kind::<K036, K036Spec>("Vec<Option<MixedDeep>>"),
        kind::<K037, K037Spec>("Internal"),
        kind::<K038, K038Spec>("Option<Internal>"),
        kind::<K039, K039Spec>("Vec<Internal>"),
        kind::<K040, K040Spec>("BTreeMap<String, Internal>"),
        kind::<K041, K041Spec>("Option<Vec<Internal>>"),
        kind::<K042, K042Spec>("Vec<Option<Internal>>"),
        kind::<K043, K043Spec>("InternalSame"),
        kind::<K044, K044Spec>("Option<InternalSame>"),
        kind::<K045, K045Spec>("Vec<InternalSame>"),
        kind::<K046, K046Spec>("BTreeMap<String, InternalSame>"),
        kind::<K047, K047Spec>("Option<Vec<InternalSame>>"),
        kind::<K048, K048Spec>("Vec<Option<InternalSame>>"),
        kind::<K049, K049Spec>("InternalCased"),
        kind::<K050, K050Spec>("Option<InternalCased>"),
        kind::<K051, K051Spec>("Vec<InternalCased>"),
        kind::<K052, K052Spec>("BTreeMap<String, InternalCased>"),
        kind::<K053, K053Spec>("Option<Vec<InternalCased>>"),
        kind::<K054, K054Spec>("Vec<Option<InternalCased>>"),
        kind::<K055, K055Spec>("InternalStrict"),
        kind::<K056, K056Spec>("Option<InternalStrict>"),
        kind::<K057, K057Spec>("Vec<InternalStrict>"),
        kind::<K058, K058Spec>("BTreeMap<String, InternalStrict>"),
        kind::<K059, K059Spec>("Option<Vec<InternalStrict>>"),
        kind::<K060, K060Spec>("Vec<Option<InternalStrict>>"),
        kind::<K061, K061Spec>("InternalNested"),
        kind::<K062, K062Spec>("Option<InternalNested>"),
        kind::<K063, K063Spec>("Vec<InternalNested>"),
        kind::<K064, K064Spec>("BTreeMap<String, InternalNested>"),
        kind::<K065, K065Spec>("Option<Vec<InternalNested>>"),
        kind::<K066, K066Spec>("Vec<Option<InternalNested>>"),
        kind::<K067, K067Spec>("Internal2"),
        kind::<K068, K068Spec>("Option<Internal2>"),
        kind::<K069, K069Spec>("Vec<Internal2>"),
        kind::<K070, K070Spec>("BTreeMap<String, Internal2>"),
        kind::<K071, K071Spec>("Option<Vec<Internal2>>"),
        kind::<K072, K072Spec>("Vec<Option<Internal2>>"),
        kind::<K073, K073Spec>("Adjacent"),
        kind::<K074, K074Spec>("Option<Adjacent>"),
        kind::<K075, K075Spec>("Vec<Adjacent>"),
        kind::<K076, K076Spec>("BTreeMap<String, Adjacent>"),
        kind::<K077, K077Spec>("Option<Vec<Adjacent>>"),
        kind::<K078, K078Spec>("Vec<Option<Adjacent>>"),
        kind::<K079, K079Spec>("AdjacentSame"),
        kind::<K080, K080Spec>("Option<AdjacentSame>"),
        kind::<K081, K081Spec>("Vec<AdjacentSame>"),
        kind::<K082, K082Spec>("BTreeMap<String, AdjacentSame>"),
        kind::<K083, K083Spec>("Option<Vec<AdjacentSame>>"),
        kind::<K084, K084Spec>("Vec<Option<AdjacentSame>>"),
        kind::<K085, K085Spec>("UntaggedStructs"),
        kind::<K086, K086Spec>("Option<UntaggedStructs>"),
        kind::<K087, K087Spec>("Vec<UntaggedStructs>"),
        kind::<K088, K088Spec>("BTreeMap<String, UntaggedStructs>"),
        kind::<K089, K089Spec>("Option<Vec<UntaggedStructs>>"),
        kind::<K090, K090Spec>("Vec<Option<UntaggedStructs>>"),
        kind::<K091, K091Spec>("UntaggedIntString"),
        kind::<K092, K092Spec>("Option<UntaggedIntString>"),
        kind::<K093, K093Spec>("Vec<UntaggedIntString>"),
        kind::<K094, K094Spec>("BTreeMap<String, UntaggedIntString>"),
        kind::<K095, K095Spec>("Option<Vec<UntaggedIntString>>"),
        kind::<K096, K096Spec>("Vec<Option<UntaggedIntString>>"),
        kind::<K097, K097Spec>("UntaggedNumbers"),
        kind::<K098, K098Spec>("Option<UntaggedNumbers>"),
        kind::<K099, K099Spec>("Vec<UntaggedNumbers>"),
        kind::<K100, K100Spec>("BTreeMap<String, UntaggedNumbers>"),
        kind::<K101, K101Spec>("Option<Vec<UntaggedNumbers>>"),
        kind::<K102, K102Spec>("Vec<Option<UntaggedNumbers>>"),
        kind::<K103, K103Spec>("UntaggedScalars"),
        kind::<K104, K104Spec>("Option<UntaggedScalars>"),
        kind::<K105, K105Spec>("Vec<UntaggedScalars>"),
        kind::<K106, K106Spec>("BTreeMap<String, UntaggedScalars>"),
        kind::<K107, K107Spec>("Option<Vec<UntaggedScalars>>"),
        kind::<K108, K108Spec>("Vec<Option<UntaggedScalars>>"),
        kind::<K109, K109Spec>("UntaggedStringOrStruct"),
        kind::<K110, K110Spec>("Option<UntaggedStringOrStruct>"),
        kind::<K111, K111Spec>("Vec<UntaggedStringOrStruct>"),
        kind::<K112, K112Spec>("BTreeMap<String, UntaggedStringOrStruct>"),
        kind::<K113, K113Spec>("Option<Vec<UntaggedStringOrStruct>>"),
        kind::<K114, K114Spec>("Vec<Option<UntaggedStringOrStruct>>"),
        kind::<K115, K115Spec>("UntaggedOneOrMany"),
        kind::<K116, K116Spec>("Option<UntaggedOneOrMany>"),
        kind::<K117, K117Spec>("Vec<UntaggedOneOrMany>"),
        kind::<K118, K118Spec>("BTreeMap<String, UntaggedOneOrMany>"),
        kind::<K119, K119Spec>("Option<Vec<UntaggedOneOrMany>>"),
        kind::<K120, K120Spec>("Vec<Option<UntaggedOneOrMany>>"),
        kind::<K121, K121Spec>("UntaggedLists"),
        kind::<K122, K122Spec>("Option<UntaggedLists>"),
        kind::<K123, K123Spec>("Vec<UntaggedLists>"),
        kind::<K124, K124Spec>("BTreeMap<String, UntaggedLists>"),
        kind::<K125, K125Spec>("Option<Vec<UntaggedLists>>"),
        kind::<K126, K126Spec>("Vec<Option<UntaggedLists>>"),
        kind::<K127, K127Spec>("UntaggedSameField"),
        kind::<K128, K128Spec>("Option<UntaggedSameField>"),
        kind::<K129, K129Spec>("Vec<UntaggedSameField>"),
        kind::<K130, K130Spec>("BTreeMap<String, UntaggedSameField>"),
        kind::<K131, K131Spec>("Option<Vec<UntaggedSameField>>"),
        kind::<K132, K132Spec>("Vec<Option<UntaggedSameField>>"),
        kind::<K133, K133Spec>("UntaggedEnums"),
        kind::<K134, K134Spec>("Option<UntaggedEnums>"),
        kind::<K135, K135Spec>("Vec<UntaggedEnums>"),
        kind::<K136, K136Spec>("BTreeMap<String, UntaggedEnums>"),
        kind::<K137, K137Spec>("Option<Vec<UntaggedEnums>>"),
        kind::<K138, K138Spec>("Vec<Option<UntaggedEnums>>"),
        kind::<K139, K139Spec>("PartlyUntagged"),
        kind::<K140, K140Spec>("Option<PartlyUntagged>"),
        kind::<K141, K141Spec>("Vec<PartlyUntagged>"),
        kind::<K142, K142Spec>("BTreeMap<String, PartlyUntagged>"),
        kind::<K143, K143Spec>("Option<Vec<PartlyUntagged>>"),
        kind::<K144, K144Spec>("Vec<Option<PartlyUntagged>>"),
        kind::<K145, K145Spec>("Inner"),
        kind::<K146, K146Spec>("Option<Inner>"),
        kind::<K147, K147Spec>("Vec<Inner>"),
        kind::<K148, K148Spec>("BTreeMap<String, Inner>"),
        kind::<K149, K149Spec>("Option<Vec<Inner>>"),
        kind::<K150, K150Spec>("Vec<Option<Inner>>"),
        kind::<K151, K151Spec>("Defaults"),
        kind::<K152, K152Spec>("Option<Defaults>"),
        kind::<K153, K153Spec>("Vec<Defaults>"),
        kind::<K154, K154Spec>("BTreeMap<String, Defaults>"),
        kind::<K155, K155Spec>("Option<Vec<Defaults>>"),
        kind::<K156, K156Spec>("Vec<Option<Defaults>>"),
        kind::<K157, K157Spec>("Defaulted"),
        kind::<K158, K158Spec>("Option<Defaulted>"),
        kind::<K159, K159Spec>("Vec<Defaulted>"),
        kind::<K160, K160Spec>("BTreeMap<String, Defaulted>"),
        kind::<K161, K161Spec>("Option<Vec<Defaulted>>"),
        kind::<K162, K162Spec>("Vec<Option<Defaulted>>"),
        kind::<K163, K163Spec>("Strict"),
        kind::<K164, K164Spec>("Option<Strict>"),
        kind::<K165, K165Spec>("Vec<Strict>"),
        kind::<K166, K166Spec>("BTreeMap<String, Strict>"),
        kind::<K167, K167Spec>("Option<Vec<Strict>>"),
        kind::<K168, K168Spec>("Vec<Option<Strict>>"),
        kind::<K169, K169Spec>("Optional"),
        kind::<K170, K170Spec>("Option<Optional>"),
        kind::<K171, K171Spec>("Vec<Optional>"),
        kind::<K172, K172Spec>("BTreeMap<String, Optional>"),
        kind::<K173, K173Spec>("Option<Vec<Optional>>"),
        kind::<K174, K174Spec>("Vec<Option<Optional>>"),
        kind::<K175, K175Spec>("Newtype"),
        kind::<K176, K176Spec>("Option<Newtype>"),
        kind::<K177, K177Spec>("Vec<Newtype>"),
        kind::<K178, K178Spec>("BTreeMap<String, Newtype>"),
        kind::<K179, K179Spec>("Option<Vec<Newtype>>"),
        kind::<K180, K180Spec>("Vec<Option<Newtype>>"),
        kind::<K181, K181Spec>("NewtypeOption"),
        kind::<K182, K182Spec>("Option<NewtypeOption>"),
        kind::<K183, K183Spec>("Vec<NewtypeOption>"),
        kind::<K184, K184Spec>("BTreeMap<String, NewtypeOption>"),
        kind::<K185, K185Spec>("Option<Vec<NewtypeOption>>"),
        kind::<K186, K186Spec>("Vec<Option<NewtypeOption>>"),
        kind::<K187, K187Spec>("Transparent"),
        kind::<K188, K188Spec>("Option<Transparent>"),
        kind::<K189, K189Spec>("Vec<Transparent>"),
        kind::<K190, K190Spec>("BTreeMap<String, Transparent>"),
        kind::<K191, K191Spec>("Option<Vec<Transparent>>"),
        kind::<K192, K192Spec>("Vec<Option<Transparent>>"),
        kind::<K193, K193Spec>("Pair"),
        kind::<K194, K194Spec>("Option<Pair>"),
        kind::<K195, K195Spec>("Vec<Pair>"),
        kind::<K196, K196Spec>("BTreeMap<String, Pair>"),
        kind::<K197, K197Spec>("Option<Vec<Pair>>"),
        kind::<K198, K198Spec>("Vec<Option<Pair>>"),
        kind::<K199, K199Spec>("Unit"),
        kind::<K200, K200Spec>("Option<Unit>"),
        kind::<K201, K201Spec>("Vec<Unit>"),
        kind::<K202, K202Spec>("BTreeMap<String, Unit>"),
        kind::<K203, K203Spec>("Option<Vec<Unit>>"),
        kind::<K204, K204Spec>("Vec<Option<Unit>>"),
        kind::<K205, K205Spec>("Aliased"),
        kind::<K206, K206Spec>("Option<Aliased>"),
        kind::<K207, K207Spec>("Vec<Aliased>"),
        kind::<K208, K208Spec>("BTreeMap<String, Aliased>"),
        kind::<K209, K209Spec>("Option<Vec<Aliased>>"),
        kind::<K210, K210Spec>("Vec<Option<Aliased>>"),
        kind::<K211, K211Spec>("TaggedStruct"),
        kind::<K212, K212Spec>("Option<TaggedStruct>"),
        kind::<K213, K213Spec>("Vec<TaggedStruct>"),
        kind::<K214, K214Spec>("BTreeMap<String, TaggedStruct>"),
        kind::<K215, K215Spec>("Option<Vec<TaggedStruct>>"),
        kind::<K216, K216Spec>("Vec<Option<TaggedStruct>>"),
        kind::<K217, K217Spec>("FromProxy"),
        kind::<K218, K218Spec>("Option<FromProxy>"),
        kind::<K219, K219Spec>("Vec<FromProxy>"),
        kind::<K220, K220Spec>("BTreeMap<String, FromProxy>"),
        kind::<K221, K221Spec>("Option<Vec<FromProxy>>"),
        kind::<K222, K222Spec>("Vec<Option<FromProxy>>"),
        kind::<K223, K223Spec>("Proxy"),
        kind::<K224, K224Spec>("Option<Proxy>"),
        kind::<K225, K225Spec>("Vec<Proxy>"),
        kind::<K226, K226Spec>("BTreeMap<String, Proxy>"),
        kind::<K227, K227Spec>("Option<Vec<Proxy>>"),
        kind::<K228, K228Spec>("Vec<Option<Proxy>>"),
        kind::<K229, K229Spec>("FlatStruct"),
        kind::<K230, K230Spec>("Option<FlatStruct>"),
        kind::<K231, K231Spec>("Vec<FlatStruct>"),
        kind::<K232, K232Spec>("BTreeMap<String, FlatStruct>"),
        kind::<K233, K233Spec>("Option<Vec<FlatStruct>>"),
        kind::<K234, K234Spec>("Vec<Option<FlatStruct>>"),
        kind::<K235, K235Spec>("FlatOption"),
        kind::<K236, K236Spec>("Option<FlatOption>"),
        kind::<K237, K237Spec>("Vec<FlatOption>"),
        kind::<K238, K238Spec>("BTreeMap<String, FlatOption>"),
        kind::<K239, K239Spec>("Option<Vec<FlatOption>>"),
        kind::<K240, K240Spec>("Vec<Option<FlatOption>>"),
        kind::<K241, K241Spec>("FlatMap"),
        kind::<K242, K242Spec>("Option<FlatMap>"),
        kind::<K243, K243Spec>("Vec<FlatMap>"),
        kind::<K244, K244Spec>("BTreeMap<String, FlatMap>"),
        kind::<K245, K245Spec>("Option<Vec<FlatMap>>"),
        kind::<K246, K246Spec>("Vec<Option<FlatMap>>"),
        kind::<K247, K247Spec>("FlatEnum"),
        kind::<K248, K248Spec>("Option<FlatEnum>"),
        kind::<K249, K249Spec>("Vec<FlatEnum>"),
        kind::<K250, K250Spec>("BTreeMap<String, FlatEnum>"),
        kind::<K251, K251Spec>("Option<Vec<FlatEnum>>"),
        kind::<K252, K252Spec>("Vec<Option<FlatEnum>>"),
        kind::<K253, K253Spec>("FlatInternal"),
        kind::<K254, K254Spec>("Option<FlatInternal>"),
        kind::<K255, K255Spec>("Vec<FlatInternal>"),
        kind::<K256, K256Spec>("BTreeMap<String, FlatInternal>"),
        kind::<K257, K257Spec>("Option<Vec<FlatInternal>>"),
        kind::<K258, K258Spec>("Vec<Option<FlatInternal>>"),
        kind::<K259, K259Spec>("FlatTwo"),
        kind::<K260, K260Spec>("Option<FlatTwo>"),
        kind::<K261, K261Spec>("Vec<FlatTwo>"),
        kind::<K262, K262Spec>("BTreeMap<String, FlatTwo>"),
        kind::<K263, K263Spec>("Option<Vec<FlatTwo>>"),
        kind::<K264, K264Spec>("Vec<Option<FlatTwo>>"),
        kind::<K265, K265Spec>("bool"),
        kind::<K266, K266Spec>("Option<bool>"),
        kind::<K267, K267Spec>("Vec<bool>"),
        kind::<K268, K268Spec>("BTreeMap<String, bool>"),
        kind::<K269, K269Spec>("Option<Vec<bool>>"),
        kind::<K270, K270Spec>("Vec<Option<bool>>"),
        kind::<K271, K271Spec>("i8"),
        kind::<K272, K272Spec>("Option<i8>"),
        kind::<K273, K273Spec>("Vec<i8>"),
        kind::<K274, K274Spec>("BTreeMap<String, i8>"),
        kind::<K275, K275Spec>("Option<Vec<i8>>"),
        kind::<K276, K276Spec>("Vec<Option<i8>>"),
        kind::<K277, K277Spec>("i16"),
        kind::<K278, K278Spec>("Option<i16>"),
        kind::<K279, K279Spec>("Vec<i16>"),
        kind::<K280, K280Spec>("BTreeMap<String, i16>"),
        kind::<K281, K281Spec>("Option<Vec<i16>>"),
        kind::<K282, K282Spec>("Vec<Option<i16>>"),
        kind::<K283, K283Spec>("i32"),
        kind::<K284, K284Spec>("Option<i32>"),
        kind::<K285, K285Spec>("Vec<i32>"),
        kind::<K286, K286Spec>("BTreeMap<String, i32>"),
        kind::<K287, K287Spec>("Option<Vec<i32>>"),
        kind::<K288, K288Spec>("Vec<Option<i32>>"),
        kind::<K289, K289Spec>("i64"),
        kind::<K290, K290Spec>("Option<i64>"),
        kind::<K291, K291Spec>("Vec<i64>"),
        kind::<K292, K292Spec>("BTreeMap<String, i64>"),
        kind::<K293, K293Spec>("Option<Vec<i64>>"),
        kind::<K294, K294Spec>("Vec<Option<i64>>"),
        kind::<K295, K295Spec>("u8"),
        kind::<K296, K296Spec>("Option<u8>"),
        kind::<K297, K297Spec>("Vec<u8>"),
        kind::<K298, K298Spec>("BTreeMap<String, u8>"),
        kind::<K299, K299Spec>("Option<Vec<u8>>"),
        kind::<K300, K300Spec>("Vec<Option<u8>>"),
        kind::<K301, K301Spec>("u16"),
        kind::<K302, K302Spec>("Option<u16>"),
        kind::<K303, K303Spec>("Vec<u16>"),
        kind::<K304, K304Spec>("BTreeMap<String, u16>"),
        kind::<K305, K305Spec>("Option<Vec<u16>>"),
        kind::<K306, K306Spec>("Vec<Option<u16>>"),
        kind::<K307, K307Spec>("u32"),
        kind::<K308, K308Spec>("Option<u32>"),
        kind::<K309, K309Spec>("Vec<u32>"),
        kind::<K310, K310Spec>("BTreeMap<String, u32>"),
        kind::<K311, K311Spec>("Option<Vec<u32>>"),
        kind::<K312, K312Spec>("Vec<Option<u32>>"),
        kind::<K313, K313Spec>("f32"),
        kind::<K314, K314Spec>("Option<f32>"),
        kind::<K315, K315Spec>("Vec<f32>"),
        kind::<K316, K316Spec>("BTreeMap<String, f32>"),
        kind::<K317, K317Spec>("Option<Vec<f32>>"),
        kind::<K318, K318Spec>("Vec<Option<f32>>"),
        kind::<K319, K319Spec>("f64"),
        kind::<K320, K320Spec>("Option<f64>"),
        kind::<K321, K321Spec>("Vec<f64>"),
        kind::<K322, K322Spec>("BTreeMap<String, f64>"),
        kind::<K323, K323Spec>("Option<Vec<f64>>"),
        kind::<K324, K324Spec>("Vec<Option<f64>>"),
        kind::<K325, K325Spec>("char"),
        kind::<K326, K326Spec>("Option<char>"),
        kind::<K327, K327Spec>("Vec<char>"),
        kind::<K328, K328Spec>("BTreeMap<String, char>"),
        kind::<K329, K329Spec>("Option<Vec<char>>"),
        kind::<K330, K330Spec>("Vec<Option<char>>"),
        kind::<K331, K331Spec>("String"),
        kind::<K332, K332Spec>("Option<String>"),
        kind::<K333, K333Spec>("Vec<String>"),
        kind::<K334, K334Spec>("BTreeMap<String, String>"),
        kind::<K335, K335Spec>("Option<Vec<String>>"),
        kind::<K336, K336Spec>("Vec<Option<String>>"),
        kind::<K337, K337Spec>("std::num::NonZeroU8"),
        kind::<K338, K338Spec>("Option<std::num::NonZeroU8>"),
        kind::<K339, K339Spec>("Vec<std::num::NonZeroU8>"),
        kind::<K340, K340Spec>("BTreeMap<String, std::num::NonZeroU8>"),
        kind::<K341, K341Spec>("Option<Vec<std::num::NonZeroU8>>"),
        kind::<K342, K342Spec>("Vec<Option<std::num::NonZeroU8>>"),
        kind::<K343, K343Spec>("std::num::NonZeroI32"),
        kind::<K344, K344Spec>("Option<std::num::NonZeroI32>"),
        kind::<K345, K345Spec>("Vec<std::num::NonZeroI32>"),
        kind::<K346, K346Spec>("BTreeMap<String, std::num::NonZeroI32>"),
        kind::<K347, K347Spec>("Option<Vec<std::num::NonZeroI32>>"),
        kind::<K348, K348Spec>("Vec<Option<std::num::NonZeroI32>>"),
        kind::<K349, K349Spec>("std::net::Ipv4Addr"),
        kind::<K350, K350Spec>("Option<std::net::Ipv4Addr>"),
        kind::<K351, K351Spec>("Vec<std::net::Ipv4Addr>"),
        kind::<K352, K352Spec>("BTreeMap<String, std::net::Ipv4Addr>"),
        kind::<K353, K353Spec>("Option<Vec<std::net::Ipv4Addr>>"),
        kind::<K354, K354Spec>("Vec<Option<std::net::Ipv4Addr>>"),
        kind::<K355, K355Spec>("std::net::IpAddr"),
        kind::<K356, K356Spec>("Option<std::net::IpAddr>"),
        kind::<K357, K357Spec>("Vec<std::net::IpAddr>"),
        kind::<K358, K358Spec>("BTreeMap<String, std::net::IpAddr>"),
        kind::<K359, K359Spec>("Option<Vec<std::net::IpAddr>>"),
        kind::<K360, K360Spec>("Vec<Option<std::net::IpAddr>>"),
        kind::<K361, K361Spec>("std::path::PathBuf"),
        kind::<K362, K362Spec>("Option<std::path::PathBuf>"),
        kind::<K363, K363Spec>("Vec<std::path::PathBuf>"),
        kind::<K364, K364Spec>("BTreeMap<String, std::path::PathBuf>"),
        kind::<K365, K365Spec>("Option<Vec<std::path::PathBuf>>"),
        kind::<K366, K366Spec>("Vec<Option<std::path::PathBuf>>"),
        kind::<K367, K367Spec>("std::time::Duration"),
        kind::<K368, K368Spec>("Option<std::time::Duration>"),
        kind::<K369, K369Spec>("Vec<std::time::Duration>"),
        kind::<K370, K370Spec>("BTreeMap<String, std::time::Duration>"),
        kind::<K371, K371Spec>("Option<Vec<std::time::Duration>>"),
        kind::<K372, K372Spec>("Vec<Option<std::time::Duration>>"),
        kind::<K373, K373Spec>("serde_json::Value"),
        kind::<K374, K374Spec>("Option<serde_json::Value>"),
        kind::<K375, K375Spec>("Vec<serde_json::Value>"),
        kind::<K376, K376Spec>("BTreeMap<String, serde_json::Value>"),
        kind::<K377, K377Spec>("Option<Vec<serde_json::Value>>"),
        kind::<K378, K378Spec>("Vec<Option<serde_json::Value>>"),
        kind::<K379, K379Spec>("Result<i32, String>"),
        kind::<K380, K380Spec>("Option<Result<i32, String>>"),
        kind::<K381, K381Spec>("Vec<Result<i32, String>>"),
        kind::<K382, K382Spec>("BTreeMap<String, Result<i32, String>>"),
        kind::<K383, K383Spec>("Option<Vec<Result<i32, String>>>"),
        kind::<K384, K384Spec>("Vec<Option<Result<i32, String>>>"),
        kind::<K385, K385Spec>("[i32; 2]"),
        kind::<K386, K386Spec>("Option<[i32; 2]>"),
        kind::<K387, K387Spec>("Vec<[i32; 2]>"),
        kind::<K388, K388Spec>("BTreeMap<String, [i32; 2]>"),
        kind::<K389, K389Spec>("Option<Vec<[i32; 2]>>"),
        kind::<K390, K390Spec>("Vec<Option<[i32; 2]>>"),
        kind::<K391, K391Spec>("(i32, i32)"),
        kind::<K392, K392Spec>("Option<(i32, i32)>"),
        kind::<K393, K393Spec>("Vec<(i32, i32)>"),
        kind::<K394, K394Spec>("BTreeMap<String, (i32, i32)>"),
        kind::<K395, K395Spec>("Option<Vec<(i32, i32)>>"),
        kind::<K396, K396Spec>("Vec<Option<(i32, i32)>>"),
        kind::<K397, K397Spec>("BTreeMap<Units, i32>"),
        kind::<K398, K398Spec>("Option<BTreeMap<Units, i32>>"),
        kind::<K399, K399Spec>("Vec<BTreeMap<Units, i32>>"),
        kind::<K400, K400Spec>("BTreeMap<String, BTreeMap<Units, i32>>"),
        kind::<K401, K401Spec>("Option<Vec<BTreeMap<Units, i32>>>"),
        kind::<K402, K402Spec>("Vec<Option<BTreeMap<Units, i32>>>"),
        kind::<K403, K403Spec>("BTreeSet<String>"),
        kind::<K404, K404Spec>("Option<BTreeSet<String>>"),
        kind::<K405, K405Spec>("Vec<BTreeSet<String>>"),
        kind::<K406, K406Spec>("BTreeMap<String, BTreeSet<String>>"),
        kind::<K407, K407Spec>("Option<Vec<BTreeSet<String>>>"),
        kind::<K408, K408Spec>("Vec<Option<BTreeSet<String>>>"),
        kind::<K409, K409Spec>("BTreeMap<String, Vec<Inner>>"),
        kind::<K410, K410Spec>("Option<BTreeMap<String, Vec<Inner>>>"),
        kind::<K411, K411Spec>("Vec<BTreeMap<String, Vec<Inner>>>"),
        kind::<K412, K412Spec>("BTreeMap<String, BTreeMap<String, Vec<Inner>>>"),
        kind::<K413, K413Spec>("Option<Vec<BTreeMap<String, Vec<Inner>>>>"),
        kind::<K414, K414Spec>("Vec<Option<BTreeMap<String, Vec<Inner>>>>"),
        kind::<K415, K415Spec>("std::ops::Range<i32>"),
        kind::<K416, K416Spec>("Option<std::ops::Range<i32>>"),
        kind::<K417, K417Spec>("Vec<std::ops::Range<i32>>"),
        kind::<K418, K418Spec>("BTreeMap<String, std::ops::Range<i32>>"),
        kind::<K419, K419Spec>("Option<Vec<std::ops::Range<i32>>>"),
        kind::<K420, K420Spec>("Vec<Option<std::ops::Range<i32>>>"),
        kind::<K421, K421Spec>("std::sync::Arc<str>"),
        kind::<K422, K422Spec>("Option<std::sync::Arc<str>>"),
        kind::<K423, K423Spec>("Vec<std::sync::Arc<str>>"),
        kind::<K424, K424Spec>("BTreeMap<String, std::sync::Arc<str>>"),
        kind::<K425, K425Spec>("Option<Vec<std::sync::Arc<str>>>"),
        kind::<K426, K426Spec>("Vec<Option<std::sync::Arc<str>>>"),
        kind::<K427, K427Spec>("Generic<i32>"),
        kind::<K428, K428Spec>("Option<Generic<i32>>"),
        kind::<K429, K429Spec>("Vec<Generic<i32>>"),
        kind::<K430, K430Spec>("BTreeMap<String, Generic<i32>>"),
        kind::<K431, K431Spec>("Option<Vec<Generic<i32>>>"),
        kind::<K432, K432Spec>("Vec<Option<Generic<i32>>>"),
        kind::<K433, K433Spec>("Generic<Vec<Inner>>"),
        kind::<K434, K434Spec>("Option<Generic<Vec<Inner>>>"),
        kind::<K435, K435Spec>("Vec<Generic<Vec<Inner>>>"),
        kind::<K436, K436Spec>("BTreeMap<String, Generic<Vec<Inner>>>"),
        kind::<K437, K437Spec>("Option<Vec<Generic<Vec<Inner>>>>"),
        kind::<K438, K438Spec>("Vec<Option<Generic<Vec<Inner>>>>"),
        kind::<K439, K439Spec>("Fixed<3>"),
        kind::<K440, K440Spec>("Option<Fixed<3>>"),
        kind::<K441, K441Spec>("Vec<Fixed<3>>"),
        kind::<K442, K442Spec>("BTreeMap<String, Fixed<3>>"),
        kind::<K443, K443Spec>("Option<Vec<Fixed<3>>>"),
        kind::<K444, K444Spec>("Vec<Option<Fixed<3>>>"),
        kind::<K445, K445Spec>("BTreeMap<u8, i32>"),
        kind::<K446, K446Spec>("Option<BTreeMap<u8, i32>>"),
        kind::<K447, K447Spec>("Vec<BTreeMap<u8, i32>>"),
        kind::<K448, K448Spec>("BTreeMap<String, BTreeMap<u8, i32>>"),
        kind::<K449, K449Spec>("Option<Vec<BTreeMap<u8, i32>>>"),
        kind::<K450, K450Spec>("Vec<Option<BTreeMap<u8, i32>>>"),
        kind::<K451, K451Spec>("BTreeMap<i32, i32>"),
        kind::<K452, K452Spec>("Option<BTreeMap<i32, i32>>"),
        kind::<K453, K453Spec>("Vec<BTreeMap<i32, i32>>"),
        kind::<K454, K454Spec>("BTreeMap<String, BTreeMap<i32, i32>>"),
        kind::<K455, K455Spec>("Option<Vec<BTreeMap<i32, i32>>>"),
        kind::<K456, K456Spec>("Vec<Option<BTreeMap<i32, i32>>>"),
        kind::<K457, K457Spec>("BTreeMap<u64, i32>"),
        kind::<K458, K458Spec>("Option<BTreeMap<u64, i32>>"),
        kind::<K459, K459Spec>("Vec<BTreeMap<u64, i32>>"),
        kind::<K460, K460Spec>("BTreeMap<String, BTreeMap<u64, i32>>"),
        kind::<K461, K461Spec>("Option<Vec<BTreeMap<u64, i32>>>"),
        kind::<K462, K462Spec>("Vec<Option<BTreeMap<u64, i32>>>"),
        kind::<K463, K463Spec>("BTreeMap<i64, i32>"),
        kind::<K464, K464Spec>("Option<BTreeMap<i64, i32>>"),
        kind::<K465, K465Spec>("Vec<BTreeMap<i64, i32>>"),
        kind::<K466, K466Spec>("BTreeMap<String, BTreeMap<i64, i32>>"),
        kind::<K467, K467Spec>("Option<Vec<BTreeMap<i64, i32>>>"),
        kind::<K468, K468Spec>("Vec<Option<BTreeMap<i64, i32>>>"),
        kind::<K469, K469Spec>("BTreeMap<u128, i32>"),
        kind::<K470, K470Spec>("Option<BTreeMap<u128, i32>>"),
        kind::<K471, K471Spec>("Vec<BTreeMap<u128, i32>>"),
        kind::<K472, K472Spec>("BTreeMap<String, BTreeMap<u128, i32>>"),
        kind::<K473, K473Spec>("Option<Vec<BTreeMap<u128, i32>>>"),
        kind::<K474, K474Spec>("Vec<Option<BTreeMap<u128, i32>>>"),
        kind::<K475, K475Spec>("BTreeMap<std::num::NonZeroI8, i32>"),
        kind::<K476, K476Spec>("Option<BTreeMap<std::num::NonZeroI8, i32>>"),
        kind::<K477, K477Spec>("Vec<BTreeMap<std::num::NonZeroI8, i32>>"),
        kind::<K478, K478Spec>("BTreeMap<String, BTreeMap<std::num::NonZeroI8, i32>>"),
        kind::<K479, K479Spec>("Option<Vec<BTreeMap<std::num::NonZeroI8, i32>>>"),
        kind::<K480, K480Spec>("Vec<Option<BTreeMap<std::num::NonZeroI8, i32>>>"),
        kind::<K481, K481Spec>("BTreeMap<char, i32>"),
        kind::<K482, K482Spec>("Option<BTreeMap<char, i32>>"),
        kind::<K483, K483Spec>("Vec<BTreeMap<char, i32>>"),
        kind::<K484, K484Spec>("BTreeMap<String, BTreeMap<char, i32>>"),
        kind::<K485, K485Spec>("Option<Vec<BTreeMap<char, i32>>>"),
        kind::<K486, K486Spec>("Vec<Option<BTreeMap<char, i32>>>"),
        kind::<K487, K487Spec>("BTreeMap<bool, i32>"),
        kind::<K488, K488Spec>("Option<BTreeMap<bool, i32>>"),
        kind::<K489, K489Spec>("Vec<BTreeMap<bool, i32>>"),
        kind::<K490, K490Spec>("BTreeMap<String, BTreeMap<bool, i32>>"),
        kind::<K491, K491Spec>("Option<Vec<BTreeMap<bool, i32>>>"),
        kind::<K492, K492Spec>("Vec<Option<BTreeMap<bool, i32>>>"),
    ]
}
