//! The serde matrix. Made by `crdgen_tests::matrix`: `UPDATE=1 cargo test -p crdgen-tests matrix`.

#![allow(missing_docs, dead_code, unreachable_pub, clippy::enum_variant_names, reason = "test data")]

use super::{Kind, kind, one};
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
#[kube(group = "matrix.example.com", version = "v1", kind = "K00", namespaced)]
pub struct K00Spec {
    pub plain: Units,
    pub maybe: Option<Units>,
    pub list: Vec<Units>,
    pub map: BTreeMap<String, Units>,
    pub maybe_list: Option<Vec<Units>>,
    pub list_of_maybe: Vec<Option<Units>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K01", namespaced)]
pub struct K01Spec {
    pub plain: Cased,
    pub maybe: Option<Cased>,
    pub list: Vec<Cased>,
    pub map: BTreeMap<String, Cased>,
    pub maybe_list: Option<Vec<Cased>>,
    pub list_of_maybe: Vec<Option<Cased>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K02", namespaced)]
pub struct K02Spec {
    pub plain: OnlyData,
    pub maybe: Option<OnlyData>,
    pub list: Vec<OnlyData>,
    pub map: BTreeMap<String, OnlyData>,
    pub maybe_list: Option<Vec<OnlyData>>,
    pub list_of_maybe: Vec<Option<OnlyData>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K03", namespaced)]
pub struct K03Spec {
    pub plain: OneData,
    pub maybe: Option<OneData>,
    pub list: Vec<OneData>,
    pub map: BTreeMap<String, OneData>,
    pub maybe_list: Option<Vec<OneData>>,
    pub list_of_maybe: Vec<Option<OneData>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K04", namespaced)]
pub struct K04Spec {
    pub plain: Mixed,
    pub maybe: Option<Mixed>,
    pub list: Vec<Mixed>,
    pub map: BTreeMap<String, Mixed>,
    pub maybe_list: Option<Vec<Mixed>>,
    pub list_of_maybe: Vec<Option<Mixed>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K05", namespaced)]
pub struct K05Spec {
    pub plain: MixedDeep,
    pub maybe: Option<MixedDeep>,
    pub list: Vec<MixedDeep>,
    pub map: BTreeMap<String, MixedDeep>,
    pub maybe_list: Option<Vec<MixedDeep>>,
    pub list_of_maybe: Vec<Option<MixedDeep>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K06", namespaced)]
pub struct K06Spec {
    pub plain: Internal,
    pub maybe: Option<Internal>,
    pub list: Vec<Internal>,
    pub map: BTreeMap<String, Internal>,
    pub maybe_list: Option<Vec<Internal>>,
    pub list_of_maybe: Vec<Option<Internal>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K07", namespaced)]
pub struct K07Spec {
    pub plain: InternalSame,
    pub maybe: Option<InternalSame>,
    pub list: Vec<InternalSame>,
    pub map: BTreeMap<String, InternalSame>,
    pub maybe_list: Option<Vec<InternalSame>>,
    pub list_of_maybe: Vec<Option<InternalSame>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K08", namespaced)]
pub struct K08Spec {
    pub plain: InternalCased,
    pub maybe: Option<InternalCased>,
    pub list: Vec<InternalCased>,
    pub map: BTreeMap<String, InternalCased>,
    pub maybe_list: Option<Vec<InternalCased>>,
    pub list_of_maybe: Vec<Option<InternalCased>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K09", namespaced)]
pub struct K09Spec {
    pub plain: InternalStrict,
    pub maybe: Option<InternalStrict>,
    pub list: Vec<InternalStrict>,
    pub map: BTreeMap<String, InternalStrict>,
    pub maybe_list: Option<Vec<InternalStrict>>,
    pub list_of_maybe: Vec<Option<InternalStrict>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K10", namespaced)]
pub struct K10Spec {
    pub plain: InternalNested,
    pub maybe: Option<InternalNested>,
    pub list: Vec<InternalNested>,
    pub map: BTreeMap<String, InternalNested>,
    pub maybe_list: Option<Vec<InternalNested>>,
    pub list_of_maybe: Vec<Option<InternalNested>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K11", namespaced)]
pub struct K11Spec {
    pub plain: Internal2,
    pub maybe: Option<Internal2>,
    pub list: Vec<Internal2>,
    pub map: BTreeMap<String, Internal2>,
    pub maybe_list: Option<Vec<Internal2>>,
    pub list_of_maybe: Vec<Option<Internal2>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K12", namespaced)]
pub struct K12Spec {
    pub plain: Adjacent,
    pub maybe: Option<Adjacent>,
    pub list: Vec<Adjacent>,
    pub map: BTreeMap<String, Adjacent>,
    pub maybe_list: Option<Vec<Adjacent>>,
    pub list_of_maybe: Vec<Option<Adjacent>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K13", namespaced)]
pub struct K13Spec {
    pub plain: AdjacentSame,
    pub maybe: Option<AdjacentSame>,
    pub list: Vec<AdjacentSame>,
    pub map: BTreeMap<String, AdjacentSame>,
    pub maybe_list: Option<Vec<AdjacentSame>>,
    pub list_of_maybe: Vec<Option<AdjacentSame>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K14", namespaced)]
pub struct K14Spec {
    pub plain: UntaggedStructs,
    pub maybe: Option<UntaggedStructs>,
    pub list: Vec<UntaggedStructs>,
    pub map: BTreeMap<String, UntaggedStructs>,
    pub maybe_list: Option<Vec<UntaggedStructs>>,
    pub list_of_maybe: Vec<Option<UntaggedStructs>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K15", namespaced)]
pub struct K15Spec {
    pub plain: UntaggedIntString,
    pub maybe: Option<UntaggedIntString>,
    pub list: Vec<UntaggedIntString>,
    pub map: BTreeMap<String, UntaggedIntString>,
    pub maybe_list: Option<Vec<UntaggedIntString>>,
    pub list_of_maybe: Vec<Option<UntaggedIntString>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K16", namespaced)]
pub struct K16Spec {
    pub plain: UntaggedNumbers,
    pub maybe: Option<UntaggedNumbers>,
    pub list: Vec<UntaggedNumbers>,
    pub map: BTreeMap<String, UntaggedNumbers>,
    pub maybe_list: Option<Vec<UntaggedNumbers>>,
    pub list_of_maybe: Vec<Option<UntaggedNumbers>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K17", namespaced)]
pub struct K17Spec {
    pub plain: UntaggedScalars,
    pub maybe: Option<UntaggedScalars>,
    pub list: Vec<UntaggedScalars>,
    pub map: BTreeMap<String, UntaggedScalars>,
    pub maybe_list: Option<Vec<UntaggedScalars>>,
    pub list_of_maybe: Vec<Option<UntaggedScalars>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K18", namespaced)]
pub struct K18Spec {
    pub plain: UntaggedStringOrStruct,
    pub maybe: Option<UntaggedStringOrStruct>,
    pub list: Vec<UntaggedStringOrStruct>,
    pub map: BTreeMap<String, UntaggedStringOrStruct>,
    pub maybe_list: Option<Vec<UntaggedStringOrStruct>>,
    pub list_of_maybe: Vec<Option<UntaggedStringOrStruct>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K19", namespaced)]
pub struct K19Spec {
    pub plain: UntaggedOneOrMany,
    pub maybe: Option<UntaggedOneOrMany>,
    pub list: Vec<UntaggedOneOrMany>,
    pub map: BTreeMap<String, UntaggedOneOrMany>,
    pub maybe_list: Option<Vec<UntaggedOneOrMany>>,
    pub list_of_maybe: Vec<Option<UntaggedOneOrMany>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K20", namespaced)]
pub struct K20Spec {
    pub plain: UntaggedLists,
    pub maybe: Option<UntaggedLists>,
    pub list: Vec<UntaggedLists>,
    pub map: BTreeMap<String, UntaggedLists>,
    pub maybe_list: Option<Vec<UntaggedLists>>,
    pub list_of_maybe: Vec<Option<UntaggedLists>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K21", namespaced)]
pub struct K21Spec {
    pub plain: UntaggedSameField,
    pub maybe: Option<UntaggedSameField>,
    pub list: Vec<UntaggedSameField>,
    pub map: BTreeMap<String, UntaggedSameField>,
    pub maybe_list: Option<Vec<UntaggedSameField>>,
    pub list_of_maybe: Vec<Option<UntaggedSameField>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K22", namespaced)]
pub struct K22Spec {
    pub plain: UntaggedEnums,
    pub maybe: Option<UntaggedEnums>,
    pub list: Vec<UntaggedEnums>,
    pub map: BTreeMap<String, UntaggedEnums>,
    pub maybe_list: Option<Vec<UntaggedEnums>>,
    pub list_of_maybe: Vec<Option<UntaggedEnums>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K23", namespaced)]
pub struct K23Spec {
    pub plain: PartlyUntagged,
    pub maybe: Option<PartlyUntagged>,
    pub list: Vec<PartlyUntagged>,
    pub map: BTreeMap<String, PartlyUntagged>,
    pub maybe_list: Option<Vec<PartlyUntagged>>,
    pub list_of_maybe: Vec<Option<PartlyUntagged>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K24", namespaced)]
pub struct K24Spec {
    pub plain: Inner,
    pub maybe: Option<Inner>,
    pub list: Vec<Inner>,
    pub map: BTreeMap<String, Inner>,
    pub maybe_list: Option<Vec<Inner>>,
    pub list_of_maybe: Vec<Option<Inner>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K25", namespaced)]
pub struct K25Spec {
    pub plain: Defaults,
    pub maybe: Option<Defaults>,
    pub list: Vec<Defaults>,
    pub map: BTreeMap<String, Defaults>,
    pub maybe_list: Option<Vec<Defaults>>,
    pub list_of_maybe: Vec<Option<Defaults>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K26", namespaced)]
pub struct K26Spec {
    pub plain: Defaulted,
    pub maybe: Option<Defaulted>,
    pub list: Vec<Defaulted>,
    pub map: BTreeMap<String, Defaulted>,
    pub maybe_list: Option<Vec<Defaulted>>,
    pub list_of_maybe: Vec<Option<Defaulted>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K27", namespaced)]
pub struct K27Spec {
    pub plain: Strict,
    pub maybe: Option<Strict>,
    pub list: Vec<Strict>,
    pub map: BTreeMap<String, Strict>,
    pub maybe_list: Option<Vec<Strict>>,
    pub list_of_maybe: Vec<Option<Strict>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K28", namespaced)]
pub struct K28Spec {
    pub plain: Optional,
    pub maybe: Option<Optional>,
    pub list: Vec<Optional>,
    pub map: BTreeMap<String, Optional>,
    pub maybe_list: Option<Vec<Optional>>,
    pub list_of_maybe: Vec<Option<Optional>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K29", namespaced)]
pub struct K29Spec {
    pub plain: Newtype,
    pub maybe: Option<Newtype>,
    pub list: Vec<Newtype>,
    pub map: BTreeMap<String, Newtype>,
    pub maybe_list: Option<Vec<Newtype>>,
    pub list_of_maybe: Vec<Option<Newtype>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K30", namespaced)]
pub struct K30Spec {
    pub plain: NewtypeOption,
    pub maybe: Option<NewtypeOption>,
    pub list: Vec<NewtypeOption>,
    pub map: BTreeMap<String, NewtypeOption>,
    pub maybe_list: Option<Vec<NewtypeOption>>,
    pub list_of_maybe: Vec<Option<NewtypeOption>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K31", namespaced)]
pub struct K31Spec {
    pub plain: Transparent,
    pub maybe: Option<Transparent>,
    pub list: Vec<Transparent>,
    pub map: BTreeMap<String, Transparent>,
    pub maybe_list: Option<Vec<Transparent>>,
    pub list_of_maybe: Vec<Option<Transparent>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K32", namespaced)]
pub struct K32Spec {
    pub plain: Pair,
    pub maybe: Option<Pair>,
    pub list: Vec<Pair>,
    pub map: BTreeMap<String, Pair>,
    pub maybe_list: Option<Vec<Pair>>,
    pub list_of_maybe: Vec<Option<Pair>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K33", namespaced)]
pub struct K33Spec {
    pub plain: Unit,
    pub maybe: Option<Unit>,
    pub list: Vec<Unit>,
    pub map: BTreeMap<String, Unit>,
    pub maybe_list: Option<Vec<Unit>>,
    pub list_of_maybe: Vec<Option<Unit>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K34", namespaced)]
pub struct K34Spec {
    pub plain: Aliased,
    pub maybe: Option<Aliased>,
    pub list: Vec<Aliased>,
    pub map: BTreeMap<String, Aliased>,
    pub maybe_list: Option<Vec<Aliased>>,
    pub list_of_maybe: Vec<Option<Aliased>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K35", namespaced)]
pub struct K35Spec {
    pub plain: TaggedStruct,
    pub maybe: Option<TaggedStruct>,
    pub list: Vec<TaggedStruct>,
    pub map: BTreeMap<String, TaggedStruct>,
    pub maybe_list: Option<Vec<TaggedStruct>>,
    pub list_of_maybe: Vec<Option<TaggedStruct>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K36", namespaced)]
pub struct K36Spec {
    pub plain: FromProxy,
    pub maybe: Option<FromProxy>,
    pub list: Vec<FromProxy>,
    pub map: BTreeMap<String, FromProxy>,
    pub maybe_list: Option<Vec<FromProxy>>,
    pub list_of_maybe: Vec<Option<FromProxy>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K37", namespaced)]
pub struct K37Spec {
    pub plain: Proxy,
    pub maybe: Option<Proxy>,
    pub list: Vec<Proxy>,
    pub map: BTreeMap<String, Proxy>,
    pub maybe_list: Option<Vec<Proxy>>,
    pub list_of_maybe: Vec<Option<Proxy>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K38", namespaced)]
pub struct K38Spec {
    pub plain: FlatStruct,
    pub maybe: Option<FlatStruct>,
    pub list: Vec<FlatStruct>,
    pub map: BTreeMap<String, FlatStruct>,
    pub maybe_list: Option<Vec<FlatStruct>>,
    pub list_of_maybe: Vec<Option<FlatStruct>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K39", namespaced)]
pub struct K39Spec {
    pub plain: FlatOption,
    pub maybe: Option<FlatOption>,
    pub list: Vec<FlatOption>,
    pub map: BTreeMap<String, FlatOption>,
    pub maybe_list: Option<Vec<FlatOption>>,
    pub list_of_maybe: Vec<Option<FlatOption>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K40", namespaced)]
pub struct K40Spec {
    pub plain: FlatMap,
    pub maybe: Option<FlatMap>,
    pub list: Vec<FlatMap>,
    pub map: BTreeMap<String, FlatMap>,
    pub maybe_list: Option<Vec<FlatMap>>,
    pub list_of_maybe: Vec<Option<FlatMap>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K41", namespaced)]
pub struct K41Spec {
    pub plain: FlatEnum,
    pub maybe: Option<FlatEnum>,
    pub list: Vec<FlatEnum>,
    pub map: BTreeMap<String, FlatEnum>,
    pub maybe_list: Option<Vec<FlatEnum>>,
    pub list_of_maybe: Vec<Option<FlatEnum>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K42", namespaced)]
pub struct K42Spec {
    pub plain: FlatInternal,
    pub maybe: Option<FlatInternal>,
    pub list: Vec<FlatInternal>,
    pub map: BTreeMap<String, FlatInternal>,
    pub maybe_list: Option<Vec<FlatInternal>>,
    pub list_of_maybe: Vec<Option<FlatInternal>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K43", namespaced)]
pub struct K43Spec {
    pub plain: FlatTwo,
    pub maybe: Option<FlatTwo>,
    pub list: Vec<FlatTwo>,
    pub map: BTreeMap<String, FlatTwo>,
    pub maybe_list: Option<Vec<FlatTwo>>,
    pub list_of_maybe: Vec<Option<FlatTwo>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K44", namespaced)]
pub struct K44Spec {
    pub plain: bool,
    pub maybe: Option<bool>,
    pub list: Vec<bool>,
    pub map: BTreeMap<String, bool>,
    pub maybe_list: Option<Vec<bool>>,
    pub list_of_maybe: Vec<Option<bool>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K45", namespaced)]
pub struct K45Spec {
    pub plain: i8,
    pub maybe: Option<i8>,
    pub list: Vec<i8>,
    pub map: BTreeMap<String, i8>,
    pub maybe_list: Option<Vec<i8>>,
    pub list_of_maybe: Vec<Option<i8>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K46", namespaced)]
pub struct K46Spec {
    pub plain: i16,
    pub maybe: Option<i16>,
    pub list: Vec<i16>,
    pub map: BTreeMap<String, i16>,
    pub maybe_list: Option<Vec<i16>>,
    pub list_of_maybe: Vec<Option<i16>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K47", namespaced)]
pub struct K47Spec {
    pub plain: i32,
    pub maybe: Option<i32>,
    pub list: Vec<i32>,
    pub map: BTreeMap<String, i32>,
    pub maybe_list: Option<Vec<i32>>,
    pub list_of_maybe: Vec<Option<i32>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K48", namespaced)]
pub struct K48Spec {
    pub plain: i64,
    pub maybe: Option<i64>,
    pub list: Vec<i64>,
    pub map: BTreeMap<String, i64>,
    pub maybe_list: Option<Vec<i64>>,
    pub list_of_maybe: Vec<Option<i64>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K49", namespaced)]
pub struct K49Spec {
    pub plain: u8,
    pub maybe: Option<u8>,
    pub list: Vec<u8>,
    pub map: BTreeMap<String, u8>,
    pub maybe_list: Option<Vec<u8>>,
    pub list_of_maybe: Vec<Option<u8>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K50", namespaced)]
pub struct K50Spec {
    pub plain: u16,
    pub maybe: Option<u16>,
    pub list: Vec<u16>,
    pub map: BTreeMap<String, u16>,
    pub maybe_list: Option<Vec<u16>>,
    pub list_of_maybe: Vec<Option<u16>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K51", namespaced)]
pub struct K51Spec {
    pub plain: u32,
    pub maybe: Option<u32>,
    pub list: Vec<u32>,
    pub map: BTreeMap<String, u32>,
    pub maybe_list: Option<Vec<u32>>,
    pub list_of_maybe: Vec<Option<u32>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K52", namespaced)]
pub struct K52Spec {
    pub plain: f32,
    pub maybe: Option<f32>,
    pub list: Vec<f32>,
    pub map: BTreeMap<String, f32>,
    pub maybe_list: Option<Vec<f32>>,
    pub list_of_maybe: Vec<Option<f32>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K53", namespaced)]
pub struct K53Spec {
    pub plain: f64,
    pub maybe: Option<f64>,
    pub list: Vec<f64>,
    pub map: BTreeMap<String, f64>,
    pub maybe_list: Option<Vec<f64>>,
    pub list_of_maybe: Vec<Option<f64>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K54", namespaced)]
pub struct K54Spec {
    pub plain: char,
    pub maybe: Option<char>,
    pub list: Vec<char>,
    pub map: BTreeMap<String, char>,
    pub maybe_list: Option<Vec<char>>,
    pub list_of_maybe: Vec<Option<char>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K55", namespaced)]
pub struct K55Spec {
    pub plain: String,
    pub maybe: Option<String>,
    pub list: Vec<String>,
    pub map: BTreeMap<String, String>,
    pub maybe_list: Option<Vec<String>>,
    pub list_of_maybe: Vec<Option<String>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K56", namespaced)]
pub struct K56Spec {
    pub plain: std::num::NonZeroU8,
    pub maybe: Option<std::num::NonZeroU8>,
    pub list: Vec<std::num::NonZeroU8>,
    pub map: BTreeMap<String, std::num::NonZeroU8>,
    pub maybe_list: Option<Vec<std::num::NonZeroU8>>,
    pub list_of_maybe: Vec<Option<std::num::NonZeroU8>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K57", namespaced)]
pub struct K57Spec {
    pub plain: std::num::NonZeroI32,
    pub maybe: Option<std::num::NonZeroI32>,
    pub list: Vec<std::num::NonZeroI32>,
    pub map: BTreeMap<String, std::num::NonZeroI32>,
    pub maybe_list: Option<Vec<std::num::NonZeroI32>>,
    pub list_of_maybe: Vec<Option<std::num::NonZeroI32>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K58", namespaced)]
pub struct K58Spec {
    pub plain: std::net::Ipv4Addr,
    pub maybe: Option<std::net::Ipv4Addr>,
    pub list: Vec<std::net::Ipv4Addr>,
    pub map: BTreeMap<String, std::net::Ipv4Addr>,
    pub maybe_list: Option<Vec<std::net::Ipv4Addr>>,
    pub list_of_maybe: Vec<Option<std::net::Ipv4Addr>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K59", namespaced)]
pub struct K59Spec {
    pub plain: std::net::IpAddr,
    pub maybe: Option<std::net::IpAddr>,
    pub list: Vec<std::net::IpAddr>,
    pub map: BTreeMap<String, std::net::IpAddr>,
    pub maybe_list: Option<Vec<std::net::IpAddr>>,
    pub list_of_maybe: Vec<Option<std::net::IpAddr>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K60", namespaced)]
pub struct K60Spec {
    pub plain: std::path::PathBuf,
    pub maybe: Option<std::path::PathBuf>,
    pub list: Vec<std::path::PathBuf>,
    pub map: BTreeMap<String, std::path::PathBuf>,
    pub maybe_list: Option<Vec<std::path::PathBuf>>,
    pub list_of_maybe: Vec<Option<std::path::PathBuf>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K61", namespaced)]
pub struct K61Spec {
    pub plain: std::time::Duration,
    pub maybe: Option<std::time::Duration>,
    pub list: Vec<std::time::Duration>,
    pub map: BTreeMap<String, std::time::Duration>,
    pub maybe_list: Option<Vec<std::time::Duration>>,
    pub list_of_maybe: Vec<Option<std::time::Duration>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K62", namespaced)]
pub struct K62Spec {
    pub plain: serde_json::Value,
    pub maybe: Option<serde_json::Value>,
    pub list: Vec<serde_json::Value>,
    pub map: BTreeMap<String, serde_json::Value>,
    pub maybe_list: Option<Vec<serde_json::Value>>,
    pub list_of_maybe: Vec<Option<serde_json::Value>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K63", namespaced)]
pub struct K63Spec {
    pub plain: Result<i32, String>,
    pub maybe: Option<Result<i32, String>>,
    pub list: Vec<Result<i32, String>>,
    pub map: BTreeMap<String, Result<i32, String>>,
    pub maybe_list: Option<Vec<Result<i32, String>>>,
    pub list_of_maybe: Vec<Option<Result<i32, String>>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K64", namespaced)]
pub struct K64Spec {
    pub plain: [i32; 2],
    pub maybe: Option<[i32; 2]>,
    pub list: Vec<[i32; 2]>,
    pub map: BTreeMap<String, [i32; 2]>,
    pub maybe_list: Option<Vec<[i32; 2]>>,
    pub list_of_maybe: Vec<Option<[i32; 2]>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K65", namespaced)]
pub struct K65Spec {
    pub plain: (i32, i32),
    pub maybe: Option<(i32, i32)>,
    pub list: Vec<(i32, i32)>,
    pub map: BTreeMap<String, (i32, i32)>,
    pub maybe_list: Option<Vec<(i32, i32)>>,
    pub list_of_maybe: Vec<Option<(i32, i32)>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K66", namespaced)]
pub struct K66Spec {
    pub plain: BTreeMap<Units, i32>,
    pub maybe: Option<BTreeMap<Units, i32>>,
    pub list: Vec<BTreeMap<Units, i32>>,
    pub map: BTreeMap<String, BTreeMap<Units, i32>>,
    pub maybe_list: Option<Vec<BTreeMap<Units, i32>>>,
    pub list_of_maybe: Vec<Option<BTreeMap<Units, i32>>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K67", namespaced)]
pub struct K67Spec {
    pub plain: BTreeSet<String>,
    pub maybe: Option<BTreeSet<String>>,
    pub list: Vec<BTreeSet<String>>,
    pub map: BTreeMap<String, BTreeSet<String>>,
    pub maybe_list: Option<Vec<BTreeSet<String>>>,
    pub list_of_maybe: Vec<Option<BTreeSet<String>>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K68", namespaced)]
pub struct K68Spec {
    pub plain: BTreeMap<String, Vec<Inner>>,
    pub maybe: Option<BTreeMap<String, Vec<Inner>>>,
    pub list: Vec<BTreeMap<String, Vec<Inner>>>,
    pub map: BTreeMap<String, BTreeMap<String, Vec<Inner>>>,
    pub maybe_list: Option<Vec<BTreeMap<String, Vec<Inner>>>>,
    pub list_of_maybe: Vec<Option<BTreeMap<String, Vec<Inner>>>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K69", namespaced)]
pub struct K69Spec {
    pub plain: std::ops::Range<i32>,
    pub maybe: Option<std::ops::Range<i32>>,
    pub list: Vec<std::ops::Range<i32>>,
    pub map: BTreeMap<String, std::ops::Range<i32>>,
    pub maybe_list: Option<Vec<std::ops::Range<i32>>>,
    pub list_of_maybe: Vec<Option<std::ops::Range<i32>>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K70", namespaced)]
pub struct K70Spec {
    pub plain: std::sync::Arc<str>,
    pub maybe: Option<std::sync::Arc<str>>,
    pub list: Vec<std::sync::Arc<str>>,
    pub map: BTreeMap<String, std::sync::Arc<str>>,
    pub maybe_list: Option<Vec<std::sync::Arc<str>>>,
    pub list_of_maybe: Vec<Option<std::sync::Arc<str>>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K71", namespaced)]
pub struct K71Spec {
    pub plain: Generic<i32>,
    pub maybe: Option<Generic<i32>>,
    pub list: Vec<Generic<i32>>,
    pub map: BTreeMap<String, Generic<i32>>,
    pub maybe_list: Option<Vec<Generic<i32>>>,
    pub list_of_maybe: Vec<Option<Generic<i32>>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K72", namespaced)]
pub struct K72Spec {
    pub plain: Generic<Vec<Inner>>,
    pub maybe: Option<Generic<Vec<Inner>>>,
    pub list: Vec<Generic<Vec<Inner>>>,
    pub map: BTreeMap<String, Generic<Vec<Inner>>>,
    pub maybe_list: Option<Vec<Generic<Vec<Inner>>>>,
    pub list_of_maybe: Vec<Option<Generic<Vec<Inner>>>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K73", namespaced)]
pub struct K73Spec {
    pub plain: Fixed<3>,
    pub maybe: Option<Fixed<3>>,
    pub list: Vec<Fixed<3>>,
    pub map: BTreeMap<String, Fixed<3>>,
    pub maybe_list: Option<Vec<Fixed<3>>>,
    pub list_of_maybe: Vec<Option<Fixed<3>>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K74", namespaced)]
pub struct K74Spec {
    pub plain: BTreeMap<u8, i32>,
    pub maybe: Option<BTreeMap<u8, i32>>,
    pub list: Vec<BTreeMap<u8, i32>>,
    pub map: BTreeMap<String, BTreeMap<u8, i32>>,
    pub maybe_list: Option<Vec<BTreeMap<u8, i32>>>,
    pub list_of_maybe: Vec<Option<BTreeMap<u8, i32>>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K75", namespaced)]
pub struct K75Spec {
    pub plain: BTreeMap<i32, i32>,
    pub maybe: Option<BTreeMap<i32, i32>>,
    pub list: Vec<BTreeMap<i32, i32>>,
    pub map: BTreeMap<String, BTreeMap<i32, i32>>,
    pub maybe_list: Option<Vec<BTreeMap<i32, i32>>>,
    pub list_of_maybe: Vec<Option<BTreeMap<i32, i32>>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K76", namespaced)]
pub struct K76Spec {
    pub plain: BTreeMap<u64, i32>,
    pub maybe: Option<BTreeMap<u64, i32>>,
    pub list: Vec<BTreeMap<u64, i32>>,
    pub map: BTreeMap<String, BTreeMap<u64, i32>>,
    pub maybe_list: Option<Vec<BTreeMap<u64, i32>>>,
    pub list_of_maybe: Vec<Option<BTreeMap<u64, i32>>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K77", namespaced)]
pub struct K77Spec {
    pub plain: BTreeMap<i64, i32>,
    pub maybe: Option<BTreeMap<i64, i32>>,
    pub list: Vec<BTreeMap<i64, i32>>,
    pub map: BTreeMap<String, BTreeMap<i64, i32>>,
    pub maybe_list: Option<Vec<BTreeMap<i64, i32>>>,
    pub list_of_maybe: Vec<Option<BTreeMap<i64, i32>>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K78", namespaced)]
pub struct K78Spec {
    pub plain: BTreeMap<u128, i32>,
    pub maybe: Option<BTreeMap<u128, i32>>,
    pub list: Vec<BTreeMap<u128, i32>>,
    pub map: BTreeMap<String, BTreeMap<u128, i32>>,
    pub maybe_list: Option<Vec<BTreeMap<u128, i32>>>,
    pub list_of_maybe: Vec<Option<BTreeMap<u128, i32>>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K79", namespaced)]
pub struct K79Spec {
    pub plain: BTreeMap<std::num::NonZeroI8, i32>,
    pub maybe: Option<BTreeMap<std::num::NonZeroI8, i32>>,
    pub list: Vec<BTreeMap<std::num::NonZeroI8, i32>>,
    pub map: BTreeMap<String, BTreeMap<std::num::NonZeroI8, i32>>,
    pub maybe_list: Option<Vec<BTreeMap<std::num::NonZeroI8, i32>>>,
    pub list_of_maybe: Vec<Option<BTreeMap<std::num::NonZeroI8, i32>>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K80", namespaced)]
pub struct K80Spec {
    pub plain: BTreeMap<char, i32>,
    pub maybe: Option<BTreeMap<char, i32>>,
    pub list: Vec<BTreeMap<char, i32>>,
    pub map: BTreeMap<String, BTreeMap<char, i32>>,
    pub maybe_list: Option<Vec<BTreeMap<char, i32>>>,
    pub list_of_maybe: Vec<Option<BTreeMap<char, i32>>>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "matrix.example.com", version = "v1", kind = "K81", namespaced)]
pub struct K81Spec {
    pub plain: BTreeMap<bool, i32>,
    pub maybe: Option<BTreeMap<bool, i32>>,
    pub list: Vec<BTreeMap<bool, i32>>,
    pub map: BTreeMap<String, BTreeMap<bool, i32>>,
    pub maybe_list: Option<Vec<BTreeMap<bool, i32>>>,
    pub list_of_maybe: Vec<Option<BTreeMap<bool, i32>>>,
}

/// A kind per type, with the type in each container.
pub(crate) fn kinds() -> Vec<Kind> {
    vec![
        kind::<K00, K00Spec>("Units"),
        kind::<K01, K01Spec>("Cased"),
        kind::<K02, K02Spec>("OnlyData"),
        kind::<K03, K03Spec>("OneData"),
        kind::<K04, K04Spec>("Mixed"),
        kind::<K05, K05Spec>("MixedDeep"),
        kind::<K06, K06Spec>("Internal"),
        kind::<K07, K07Spec>("InternalSame"),
        kind::<K08, K08Spec>("InternalCased"),
        kind::<K09, K09Spec>("InternalStrict"),
        kind::<K10, K10Spec>("InternalNested"),
        kind::<K11, K11Spec>("Internal2"),
        kind::<K12, K12Spec>("Adjacent"),
        kind::<K13, K13Spec>("AdjacentSame"),
        kind::<K14, K14Spec>("UntaggedStructs"),
        kind::<K15, K15Spec>("UntaggedIntString"),
        kind::<K16, K16Spec>("UntaggedNumbers"),
        kind::<K17, K17Spec>("UntaggedScalars"),
        kind::<K18, K18Spec>("UntaggedStringOrStruct"),
        kind::<K19, K19Spec>("UntaggedOneOrMany"),
        kind::<K20, K20Spec>("UntaggedLists"),
        kind::<K21, K21Spec>("UntaggedSameField"),
        kind::<K22, K22Spec>("UntaggedEnums"),
        kind::<K23, K23Spec>("PartlyUntagged"),
        kind::<K24, K24Spec>("Inner"),
        kind::<K25, K25Spec>("Defaults"),
        kind::<K26, K26Spec>("Defaulted"),
        kind::<K27, K27Spec>("Strict"),
        kind::<K28, K28Spec>("Optional"),
        kind::<K29, K29Spec>("Newtype"),
        kind::<K30, K30Spec>("NewtypeOption"),
        kind::<K31, K31Spec>("Transparent"),
        kind::<K32, K32Spec>("Pair"),
        kind::<K33, K33Spec>("Unit"),
        kind::<K34, K34Spec>("Aliased"),
        kind::<K35, K35Spec>("TaggedStruct"),
        kind::<K36, K36Spec>("FromProxy"),
        kind::<K37, K37Spec>("Proxy"),
        kind::<K38, K38Spec>("FlatStruct"),
        kind::<K39, K39Spec>("FlatOption"),
        kind::<K40, K40Spec>("FlatMap"),
        kind::<K41, K41Spec>("FlatEnum"),
        kind::<K42, K42Spec>("FlatInternal"),
        kind::<K43, K43Spec>("FlatTwo"),
        kind::<K44, K44Spec>("bool"),
        kind::<K45, K45Spec>("i8"),
        kind::<K46, K46Spec>("i16"),
        kind::<K47, K47Spec>("i32"),
        kind::<K48, K48Spec>("i64"),
        kind::<K49, K49Spec>("u8"),
        kind::<K50, K50Spec>("u16"),
        kind::<K51, K51Spec>("u32"),
        kind::<K52, K52Spec>("f32"),
        kind::<K53, K53Spec>("f64"),
        kind::<K54, K54Spec>("char"),
        kind::<K55, K55Spec>("String"),
        kind::<K56, K56Spec>("std::num::NonZeroU8"),
        kind::<K57, K57Spec>("std::num::NonZeroI32"),
        kind::<K58, K58Spec>("std::net::Ipv4Addr"),
        kind::<K59, K59Spec>("std::net::IpAddr"),
        kind::<K60, K60Spec>("std::path::PathBuf"),
        kind::<K61, K61Spec>("std::time::Duration"),
        kind::<K62, K62Spec>("serde_json::Value"),
        kind::<K63, K63Spec>("Result<i32, String>"),
        kind::<K64, K64Spec>("[i32; 2]"),
        kind::<K65, K65Spec>("(i32, i32)"),
        kind::<K66, K66Spec>("BTreeMap<Units, i32>"),
        kind::<K67, K67Spec>("BTreeSet<String>"),
        kind::<K68, K68Spec>("BTreeMap<String, Vec<Inner>>"),
        kind::<K69, K69Spec>("std::ops::Range<i32>"),
        kind::<K70, K70Spec>("std::sync::Arc<str>"),
        kind::<K71, K71Spec>("Generic<i32>"),
        kind::<K72, K72Spec>("Generic<Vec<Inner>>"),
        kind::<K73, K73Spec>("Fixed<3>"),
        kind::<K74, K74Spec>("BTreeMap<u8, i32>"),
        kind::<K75, K75Spec>("BTreeMap<i32, i32>"),
        kind::<K76, K76Spec>("BTreeMap<u64, i32>"),
        kind::<K77, K77Spec>("BTreeMap<i64, i32>"),
        kind::<K78, K78Spec>("BTreeMap<u128, i32>"),
        kind::<K79, K79Spec>("BTreeMap<std::num::NonZeroI8, i32>"),
        kind::<K80, K80Spec>("BTreeMap<char, i32>"),
        kind::<K81, K81Spec>("BTreeMap<bool, i32>"),
    ]
}

/// Each type in each container, alone.
pub(crate) fn fields() -> Vec<Kind> {
    vec![
        one::<Units>("Units"),
        one::<Option<Units>>("Option<Units>"),
        one::<Vec<Units>>("Vec<Units>"),
        one::<BTreeMap<String, Units>>("BTreeMap<String, Units>"),
        one::<Option<Vec<Units>>>("Option<Vec<Units>>"),
        one::<Vec<Option<Units>>>("Vec<Option<Units>>"),
        one::<Cased>("Cased"),
        one::<Option<Cased>>("Option<Cased>"),
        one::<Vec<Cased>>("Vec<Cased>"),
        one::<BTreeMap<String, Cased>>("BTreeMap<String, Cased>"),
        one::<Option<Vec<Cased>>>("Option<Vec<Cased>>"),
        one::<Vec<Option<Cased>>>("Vec<Option<Cased>>"),
        one::<OnlyData>("OnlyData"),
        one::<Option<OnlyData>>("Option<OnlyData>"),
        one::<Vec<OnlyData>>("Vec<OnlyData>"),
        one::<BTreeMap<String, OnlyData>>("BTreeMap<String, OnlyData>"),
        one::<Option<Vec<OnlyData>>>("Option<Vec<OnlyData>>"),
        one::<Vec<Option<OnlyData>>>("Vec<Option<OnlyData>>"),
        one::<OneData>("OneData"),
        one::<Option<OneData>>("Option<OneData>"),
        one::<Vec<OneData>>("Vec<OneData>"),
        one::<BTreeMap<String, OneData>>("BTreeMap<String, OneData>"),
        one::<Option<Vec<OneData>>>("Option<Vec<OneData>>"),
        one::<Vec<Option<OneData>>>("Vec<Option<OneData>>"),
        one::<Mixed>("Mixed"),
        one::<Option<Mixed>>("Option<Mixed>"),
        one::<Vec<Mixed>>("Vec<Mixed>"),
        one::<BTreeMap<String, Mixed>>("BTreeMap<String, Mixed>"),
        one::<Option<Vec<Mixed>>>("Option<Vec<Mixed>>"),
        one::<Vec<Option<Mixed>>>("Vec<Option<Mixed>>"),
        one::<MixedDeep>("MixedDeep"),
        one::<Option<MixedDeep>>("Option<MixedDeep>"),
        one::<Vec<MixedDeep>>("Vec<MixedDeep>"),
        one::<BTreeMap<String, MixedDeep>>("BTreeMap<String, MixedDeep>"),
        one::<Option<Vec<MixedDeep>>>("Option<Vec<MixedDeep>>"),
        one::<Vec<Option<MixedDeep>>>("Vec<Option<MixedDeep>>"),
        one::<Internal>("Internal"),
        one::<Option<Internal>>("Option<Internal>"),
        one::<Vec<Internal>>("Vec<Internal>"),
        one::<BTreeMap<String, Internal>>("BTreeMap<String, Internal>"),
        one::<Option<Vec<Internal>>>("Option<Vec<Internal>>"),
        one::<Vec<Option<Internal>>>("Vec<Option<Internal>>"),
        one::<InternalSame>("InternalSame"),
        one::<Option<InternalSame>>("Option<InternalSame>"),
        one::<Vec<InternalSame>>("Vec<InternalSame>"),
        one::<BTreeMap<String, InternalSame>>("BTreeMap<String, InternalSame>"),
        one::<Option<Vec<InternalSame>>>("Option<Vec<InternalSame>>"),
        one::<Vec<Option<InternalSame>>>("Vec<Option<InternalSame>>"),
        one::<InternalCased>("InternalCased"),
        one::<Option<InternalCased>>("Option<InternalCased>"),
        one::<Vec<InternalCased>>("Vec<InternalCased>"),
        one::<BTreeMap<String, InternalCased>>("BTreeMap<String, InternalCased>"),
        one::<Option<Vec<InternalCased>>>("Option<Vec<InternalCased>>"),
        one::<Vec<Option<InternalCased>>>("Vec<Option<InternalCased>>"),
        one::<InternalStrict>("InternalStrict"),
        one::<Option<InternalStrict>>("Option<InternalStrict>"),
        one::<Vec<InternalStrict>>("Vec<InternalStrict>"),
        one::<BTreeMap<String, InternalStrict>>("BTreeMap<String, InternalStrict>"),
        one::<Option<Vec<InternalStrict>>>("Option<Vec<InternalStrict>>"),
        one::<Vec<Option<InternalStrict>>>("Vec<Option<InternalStrict>>"),
        one::<InternalNested>("InternalNested"),
        one::<Option<InternalNested>>("Option<InternalNested>"),
        one::<Vec<InternalNested>>("Vec<InternalNested>"),
        one::<BTreeMap<String, InternalNested>>("BTreeMap<String, InternalNested>"),
        one::<Option<Vec<InternalNested>>>("Option<Vec<InternalNested>>"),
        one::<Vec<Option<InternalNested>>>("Vec<Option<InternalNested>>"),
        one::<Internal2>("Internal2"),
        one::<Option<Internal2>>("Option<Internal2>"),
        one::<Vec<Internal2>>("Vec<Internal2>"),
        one::<BTreeMap<String, Internal2>>("BTreeMap<String, Internal2>"),
        one::<Option<Vec<Internal2>>>("Option<Vec<Internal2>>"),
        one::<Vec<Option<Internal2>>>("Vec<Option<Internal2>>"),
        one::<Adjacent>("Adjacent"),
        one::<Option<Adjacent>>("Option<Adjacent>"),
        one::<Vec<Adjacent>>("Vec<Adjacent>"),
        one::<BTreeMap<String, Adjacent>>("BTreeMap<String, Adjacent>"),
        one::<Option<Vec<Adjacent>>>("Option<Vec<Adjacent>>"),
        one::<Vec<Option<Adjacent>>>("Vec<Option<Adjacent>>"),
        one::<AdjacentSame>("AdjacentSame"),
        one::<Option<AdjacentSame>>("Option<AdjacentSame>"),
        one::<Vec<AdjacentSame>>("Vec<AdjacentSame>"),
        one::<BTreeMap<String, AdjacentSame>>("BTreeMap<String, AdjacentSame>"),
        one::<Option<Vec<AdjacentSame>>>("Option<Vec<AdjacentSame>>"),
        one::<Vec<Option<AdjacentSame>>>("Vec<Option<AdjacentSame>>"),
        one::<UntaggedStructs>("UntaggedStructs"),
        one::<Option<UntaggedStructs>>("Option<UntaggedStructs>"),
        one::<Vec<UntaggedStructs>>("Vec<UntaggedStructs>"),
        one::<BTreeMap<String, UntaggedStructs>>("BTreeMap<String, UntaggedStructs>"),
        one::<Option<Vec<UntaggedStructs>>>("Option<Vec<UntaggedStructs>>"),
        one::<Vec<Option<UntaggedStructs>>>("Vec<Option<UntaggedStructs>>"),
        one::<UntaggedIntString>("UntaggedIntString"),
        one::<Option<UntaggedIntString>>("Option<UntaggedIntString>"),
        one::<Vec<UntaggedIntString>>("Vec<UntaggedIntString>"),
        one::<BTreeMap<String, UntaggedIntString>>("BTreeMap<String, UntaggedIntString>"),
        one::<Option<Vec<UntaggedIntString>>>("Option<Vec<UntaggedIntString>>"),
        one::<Vec<Option<UntaggedIntString>>>("Vec<Option<UntaggedIntString>>"),
        one::<UntaggedNumbers>("UntaggedNumbers"),
        one::<Option<UntaggedNumbers>>("Option<UntaggedNumbers>"),
        one::<Vec<UntaggedNumbers>>("Vec<UntaggedNumbers>"),
        one::<BTreeMap<String, UntaggedNumbers>>("BTreeMap<String, UntaggedNumbers>"),
        one::<Option<Vec<UntaggedNumbers>>>("Option<Vec<UntaggedNumbers>>"),
        one::<Vec<Option<UntaggedNumbers>>>("Vec<Option<UntaggedNumbers>>"),
        one::<UntaggedScalars>("UntaggedScalars"),
        one::<Option<UntaggedScalars>>("Option<UntaggedScalars>"),
        one::<Vec<UntaggedScalars>>("Vec<UntaggedScalars>"),
        one::<BTreeMap<String, UntaggedScalars>>("BTreeMap<String, UntaggedScalars>"),
        one::<Option<Vec<UntaggedScalars>>>("Option<Vec<UntaggedScalars>>"),
        one::<Vec<Option<UntaggedScalars>>>("Vec<Option<UntaggedScalars>>"),
        one::<UntaggedStringOrStruct>("UntaggedStringOrStruct"),
        one::<Option<UntaggedStringOrStruct>>("Option<UntaggedStringOrStruct>"),
        one::<Vec<UntaggedStringOrStruct>>("Vec<UntaggedStringOrStruct>"),
        one::<BTreeMap<String, UntaggedStringOrStruct>>("BTreeMap<String, UntaggedStringOrStruct>"),
        one::<Option<Vec<UntaggedStringOrStruct>>>("Option<Vec<UntaggedStringOrStruct>>"),
        one::<Vec<Option<UntaggedStringOrStruct>>>("Vec<Option<UntaggedStringOrStruct>>"),
        one::<UntaggedOneOrMany>("UntaggedOneOrMany"),
        one::<Option<UntaggedOneOrMany>>("Option<UntaggedOneOrMany>"),
        one::<Vec<UntaggedOneOrMany>>("Vec<UntaggedOneOrMany>"),
        one::<BTreeMap<String, UntaggedOneOrMany>>("BTreeMap<String, UntaggedOneOrMany>"),
        one::<Option<Vec<UntaggedOneOrMany>>>("Option<Vec<UntaggedOneOrMany>>"),
        one::<Vec<Option<UntaggedOneOrMany>>>("Vec<Option<UntaggedOneOrMany>>"),
        one::<UntaggedLists>("UntaggedLists"),
        one::<Option<UntaggedLists>>("Option<UntaggedLists>"),
        one::<Vec<UntaggedLists>>("Vec<UntaggedLists>"),
        one::<BTreeMap<String, UntaggedLists>>("BTreeMap<String, UntaggedLists>"),
        one::<Option<Vec<UntaggedLists>>>("Option<Vec<UntaggedLists>>"),
        one::<Vec<Option<UntaggedLists>>>("Vec<Option<UntaggedLists>>"),
        one::<UntaggedSameField>("UntaggedSameField"),
        one::<Option<UntaggedSameField>>("Option<UntaggedSameField>"),
        one::<Vec<UntaggedSameField>>("Vec<UntaggedSameField>"),
        one::<BTreeMap<String, UntaggedSameField>>("BTreeMap<String, UntaggedSameField>"),
        one::<Option<Vec<UntaggedSameField>>>("Option<Vec<UntaggedSameField>>"),
        one::<Vec<Option<UntaggedSameField>>>("Vec<Option<UntaggedSameField>>"),
        one::<UntaggedEnums>("UntaggedEnums"),
        one::<Option<UntaggedEnums>>("Option<UntaggedEnums>"),
        one::<Vec<UntaggedEnums>>("Vec<UntaggedEnums>"),
        one::<BTreeMap<String, UntaggedEnums>>("BTreeMap<String, UntaggedEnums>"),
        one::<Option<Vec<UntaggedEnums>>>("Option<Vec<UntaggedEnums>>"),
        one::<Vec<Option<UntaggedEnums>>>("Vec<Option<UntaggedEnums>>"),
        one::<PartlyUntagged>("PartlyUntagged"),
        one::<Option<PartlyUntagged>>("Option<PartlyUntagged>"),
        one::<Vec<PartlyUntagged>>("Vec<PartlyUntagged>"),
        one::<BTreeMap<String, PartlyUntagged>>("BTreeMap<String, PartlyUntagged>"),
        one::<Option<Vec<PartlyUntagged>>>("Option<Vec<PartlyUntagged>>"),
        one::<Vec<Option<PartlyUntagged>>>("Vec<Option<PartlyUntagged>>"),
        one::<Inner>("Inner"),
        one::<Option<Inner>>("Option<Inner>"),
        one::<Vec<Inner>>("Vec<Inner>"),
        one::<BTreeMap<String, Inner>>("BTreeMap<String, Inner>"),
        one::<Option<Vec<Inner>>>("Option<Vec<Inner>>"),
        one::<Vec<Option<Inner>>>("Vec<Option<Inner>>"),
        one::<Defaults>("Defaults"),
        one::<Option<Defaults>>("Option<Defaults>"),
        one::<Vec<Defaults>>("Vec<Defaults>"),
        one::<BTreeMap<String, Defaults>>("BTreeMap<String, Defaults>"),
        one::<Option<Vec<Defaults>>>("Option<Vec<Defaults>>"),
        one::<Vec<Option<Defaults>>>("Vec<Option<Defaults>>"),
        one::<Defaulted>("Defaulted"),
        one::<Option<Defaulted>>("Option<Defaulted>"),
        one::<Vec<Defaulted>>("Vec<Defaulted>"),
        one::<BTreeMap<String, Defaulted>>("BTreeMap<String, Defaulted>"),
        one::<Option<Vec<Defaulted>>>("Option<Vec<Defaulted>>"),
        one::<Vec<Option<Defaulted>>>("Vec<Option<Defaulted>>"),
        one::<Strict>("Strict"),
        one::<Option<Strict>>("Option<Strict>"),
        one::<Vec<Strict>>("Vec<Strict>"),
        one::<BTreeMap<String, Strict>>("BTreeMap<String, Strict>"),
        one::<Option<Vec<Strict>>>("Option<Vec<Strict>>"),
        one::<Vec<Option<Strict>>>("Vec<Option<Strict>>"),
        one::<Optional>("Optional"),
        one::<Option<Optional>>("Option<Optional>"),
        one::<Vec<Optional>>("Vec<Optional>"),
        one::<BTreeMap<String, Optional>>("BTreeMap<String, Optional>"),
        one::<Option<Vec<Optional>>>("Option<Vec<Optional>>"),
        one::<Vec<Option<Optional>>>("Vec<Option<Optional>>"),
        one::<Newtype>("Newtype"),
        one::<Option<Newtype>>("Option<Newtype>"),
        one::<Vec<Newtype>>("Vec<Newtype>"),
        one::<BTreeMap<String, Newtype>>("BTreeMap<String, Newtype>"),
        one::<Option<Vec<Newtype>>>("Option<Vec<Newtype>>"),
        one::<Vec<Option<Newtype>>>("Vec<Option<Newtype>>"),
        one::<NewtypeOption>("NewtypeOption"),
        one::<Option<NewtypeOption>>("Option<NewtypeOption>"),
        one::<Vec<NewtypeOption>>("Vec<NewtypeOption>"),
        one::<BTreeMap<String, NewtypeOption>>("BTreeMap<String, NewtypeOption>"),
        one::<Option<Vec<NewtypeOption>>>("Option<Vec<NewtypeOption>>"),
        one::<Vec<Option<NewtypeOption>>>("Vec<Option<NewtypeOption>>"),
        one::<Transparent>("Transparent"),
        one::<Option<Transparent>>("Option<Transparent>"),
        one::<Vec<Transparent>>("Vec<Transparent>"),
        one::<BTreeMap<String, Transparent>>("BTreeMap<String, Transparent>"),
        one::<Option<Vec<Transparent>>>("Option<Vec<Transparent>>"),
        one::<Vec<Option<Transparent>>>("Vec<Option<Transparent>>"),
        one::<Pair>("Pair"),
        one::<Option<Pair>>("Option<Pair>"),
        one::<Vec<Pair>>("Vec<Pair>"),
        one::<BTreeMap<String, Pair>>("BTreeMap<String, Pair>"),
        one::<Option<Vec<Pair>>>("Option<Vec<Pair>>"),
        one::<Vec<Option<Pair>>>("Vec<Option<Pair>>"),
        one::<Unit>("Unit"),
        one::<Option<Unit>>("Option<Unit>"),
        one::<Vec<Unit>>("Vec<Unit>"),
        one::<BTreeMap<String, Unit>>("BTreeMap<String, Unit>"),
        one::<Option<Vec<Unit>>>("Option<Vec<Unit>>"),
        one::<Vec<Option<Unit>>>("Vec<Option<Unit>>"),
        one::<Aliased>("Aliased"),
        one::<Option<Aliased>>("Option<Aliased>"),
        one::<Vec<Aliased>>("Vec<Aliased>"),
        one::<BTreeMap<String, Aliased>>("BTreeMap<String, Aliased>"),
        one::<Option<Vec<Aliased>>>("Option<Vec<Aliased>>"),
        one::<Vec<Option<Aliased>>>("Vec<Option<Aliased>>"),
        one::<TaggedStruct>("TaggedStruct"),
        one::<Option<TaggedStruct>>("Option<TaggedStruct>"),
        one::<Vec<TaggedStruct>>("Vec<TaggedStruct>"),
        one::<BTreeMap<String, TaggedStruct>>("BTreeMap<String, TaggedStruct>"),
        one::<Option<Vec<TaggedStruct>>>("Option<Vec<TaggedStruct>>"),
        one::<Vec<Option<TaggedStruct>>>("Vec<Option<TaggedStruct>>"),
        one::<FromProxy>("FromProxy"),
        one::<Option<FromProxy>>("Option<FromProxy>"),
        one::<Vec<FromProxy>>("Vec<FromProxy>"),
        one::<BTreeMap<String, FromProxy>>("BTreeMap<String, FromProxy>"),
        one::<Option<Vec<FromProxy>>>("Option<Vec<FromProxy>>"),
        one::<Vec<Option<FromProxy>>>("Vec<Option<FromProxy>>"),
        one::<Proxy>("Proxy"),
        one::<Option<Proxy>>("Option<Proxy>"),
        one::<Vec<Proxy>>("Vec<Proxy>"),
        one::<BTreeMap<String, Proxy>>("BTreeMap<String, Proxy>"),
        one::<Option<Vec<Proxy>>>("Option<Vec<Proxy>>"),
        one::<Vec<Option<Proxy>>>("Vec<Option<Proxy>>"),
        one::<FlatStruct>("FlatStruct"),
        one::<Option<FlatStruct>>("Option<FlatStruct>"),
        one::<Vec<FlatStruct>>("Vec<FlatStruct>"),
        one::<BTreeMap<String, FlatStruct>>("BTreeMap<String, FlatStruct>"),
        one::<Option<Vec<FlatStruct>>>("Option<Vec<FlatStruct>>"),
        one::<Vec<Option<FlatStruct>>>("Vec<Option<FlatStruct>>"),
        one::<FlatOption>("FlatOption"),
        one::<Option<FlatOption>>("Option<FlatOption>"),
        one::<Vec<FlatOption>>("Vec<FlatOption>"),
        one::<BTreeMap<String, FlatOption>>("BTreeMap<String, FlatOption>"),
        one::<Option<Vec<FlatOption>>>("Option<Vec<FlatOption>>"),
        one::<Vec<Option<FlatOption>>>("Vec<Option<FlatOption>>"),
        one::<FlatMap>("FlatMap"),
        one::<Option<FlatMap>>("Option<FlatMap>"),
        one::<Vec<FlatMap>>("Vec<FlatMap>"),
        one::<BTreeMap<String, FlatMap>>("BTreeMap<String, FlatMap>"),
        one::<Option<Vec<FlatMap>>>("Option<Vec<FlatMap>>"),
        one::<Vec<Option<FlatMap>>>("Vec<Option<FlatMap>>"),
        one::<FlatEnum>("FlatEnum"),
        one::<Option<FlatEnum>>("Option<FlatEnum>"),
        one::<Vec<FlatEnum>>("Vec<FlatEnum>"),
        one::<BTreeMap<String, FlatEnum>>("BTreeMap<String, FlatEnum>"),
        one::<Option<Vec<FlatEnum>>>("Option<Vec<FlatEnum>>"),
        one::<Vec<Option<FlatEnum>>>("Vec<Option<FlatEnum>>"),
        one::<FlatInternal>("FlatInternal"),
        one::<Option<FlatInternal>>("Option<FlatInternal>"),
        one::<Vec<FlatInternal>>("Vec<FlatInternal>"),
        one::<BTreeMap<String, FlatInternal>>("BTreeMap<String, FlatInternal>"),
        one::<Option<Vec<FlatInternal>>>("Option<Vec<FlatInternal>>"),
        one::<Vec<Option<FlatInternal>>>("Vec<Option<FlatInternal>>"),
        one::<FlatTwo>("FlatTwo"),
        one::<Option<FlatTwo>>("Option<FlatTwo>"),
        one::<Vec<FlatTwo>>("Vec<FlatTwo>"),
        one::<BTreeMap<String, FlatTwo>>("BTreeMap<String, FlatTwo>"),
        one::<Option<Vec<FlatTwo>>>("Option<Vec<FlatTwo>>"),
        one::<Vec<Option<FlatTwo>>>("Vec<Option<FlatTwo>>"),
        one::<bool>("bool"),
        one::<Option<bool>>("Option<bool>"),
        one::<Vec<bool>>("Vec<bool>"),
        one::<BTreeMap<String, bool>>("BTreeMap<String, bool>"),
        one::<Option<Vec<bool>>>("Option<Vec<bool>>"),
        one::<Vec<Option<bool>>>("Vec<Option<bool>>"),
        one::<i8>("i8"),
        one::<Option<i8>>("Option<i8>"),
        one::<Vec<i8>>("Vec<i8>"),
        one::<BTreeMap<String, i8>>("BTreeMap<String, i8>"),
        one::<Option<Vec<i8>>>("Option<Vec<i8>>"),
        one::<Vec<Option<i8>>>("Vec<Option<i8>>"),
        one::<i16>("i16"),
        one::<Option<i16>>("Option<i16>"),
        one::<Vec<i16>>("Vec<i16>"),
        one::<BTreeMap<String, i16>>("BTreeMap<String, i16>"),
        one::<Option<Vec<i16>>>("Option<Vec<i16>>"),
        one::<Vec<Option<i16>>>("Vec<Option<i16>>"),
        one::<i32>("i32"),
        one::<Option<i32>>("Option<i32>"),
        one::<Vec<i32>>("Vec<i32>"),
        one::<BTreeMap<String, i32>>("BTreeMap<String, i32>"),
        one::<Option<Vec<i32>>>("Option<Vec<i32>>"),
        one::<Vec<Option<i32>>>("Vec<Option<i32>>"),
        one::<i64>("i64"),
        one::<Option<i64>>("Option<i64>"),
        one::<Vec<i64>>("Vec<i64>"),
        one::<BTreeMap<String, i64>>("BTreeMap<String, i64>"),
        one::<Option<Vec<i64>>>("Option<Vec<i64>>"),
        one::<Vec<Option<i64>>>("Vec<Option<i64>>"),
        one::<u8>("u8"),
        one::<Option<u8>>("Option<u8>"),
        one::<Vec<u8>>("Vec<u8>"),
        one::<BTreeMap<String, u8>>("BTreeMap<String, u8>"),
        one::<Option<Vec<u8>>>("Option<Vec<u8>>"),
        one::<Vec<Option<u8>>>("Vec<Option<u8>>"),
        one::<u16>("u16"),
        one::<Option<u16>>("Option<u16>"),
        one::<Vec<u16>>("Vec<u16>"),
        one::<BTreeMap<String, u16>>("BTreeMap<String, u16>"),
        one::<Option<Vec<u16>>>("Option<Vec<u16>>"),
        one::<Vec<Option<u16>>>("Vec<Option<u16>>"),
        one::<u32>("u32"),
        one::<Option<u32>>("Option<u32>"),
        one::<Vec<u32>>("Vec<u32>"),
        one::<BTreeMap<String, u32>>("BTreeMap<String, u32>"),
        one::<Option<Vec<u32>>>("Option<Vec<u32>>"),
        one::<Vec<Option<u32>>>("Vec<Option<u32>>"),
        one::<f32>("f32"),
        one::<Option<f32>>("Option<f32>"),
        one::<Vec<f32>>("Vec<f32>"),
        one::<BTreeMap<String, f32>>("BTreeMap<String, f32>"),
        one::<Option<Vec<f32>>>("Option<Vec<f32>>"),
        one::<Vec<Option<f32>>>("Vec<Option<f32>>"),
        one::<f64>("f64"),
        one::<Option<f64>>("Option<f64>"),
        one::<Vec<f64>>("Vec<f64>"),
        one::<BTreeMap<String, f64>>("BTreeMap<String, f64>"),
        one::<Option<Vec<f64>>>("Option<Vec<f64>>"),
        one::<Vec<Option<f64>>>("Vec<Option<f64>>"),
        one::<char>("char"),
        one::<Option<char>>("Option<char>"),
        one::<Vec<char>>("Vec<char>"),
        one::<BTreeMap<String, char>>("BTreeMap<String, char>"),
        one::<Option<Vec<char>>>("Option<Vec<char>>"),
        one::<Vec<Option<char>>>("Vec<Option<char>>"),
        one::<String>("String"),
        one::<Option<String>>("Option<String>"),
        one::<Vec<String>>("Vec<String>"),
        one::<BTreeMap<String, String>>("BTreeMap<String, String>"),
        one::<Option<Vec<String>>>("Option<Vec<String>>"),
        one::<Vec<Option<String>>>("Vec<Option<String>>"),
        one::<std::num::NonZeroU8>("std::num::NonZeroU8"),
        one::<Option<std::num::NonZeroU8>>("Option<std::num::NonZeroU8>"),
        one::<Vec<std::num::NonZeroU8>>("Vec<std::num::NonZeroU8>"),
        one::<BTreeMap<String, std::num::NonZeroU8>>("BTreeMap<String, std::num::NonZeroU8>"),
        one::<Option<Vec<std::num::NonZeroU8>>>("Option<Vec<std::num::NonZeroU8>>"),
        one::<Vec<Option<std::num::NonZeroU8>>>("Vec<Option<std::num::NonZeroU8>>"),
        one::<std::num::NonZeroI32>("std::num::NonZeroI32"),
        one::<Option<std::num::NonZeroI32>>("Option<std::num::NonZeroI32>"),
        one::<Vec<std::num::NonZeroI32>>("Vec<std::num::NonZeroI32>"),
        one::<BTreeMap<String, std::num::NonZeroI32>>("BTreeMap<String, std::num::NonZeroI32>"),
        one::<Option<Vec<std::num::NonZeroI32>>>("Option<Vec<std::num::NonZeroI32>>"),
        one::<Vec<Option<std::num::NonZeroI32>>>("Vec<Option<std::num::NonZeroI32>>"),
        one::<std::net::Ipv4Addr>("std::net::Ipv4Addr"),
        one::<Option<std::net::Ipv4Addr>>("Option<std::net::Ipv4Addr>"),
        one::<Vec<std::net::Ipv4Addr>>("Vec<std::net::Ipv4Addr>"),
        one::<BTreeMap<String, std::net::Ipv4Addr>>("BTreeMap<String, std::net::Ipv4Addr>"),
        one::<Option<Vec<std::net::Ipv4Addr>>>("Option<Vec<std::net::Ipv4Addr>>"),
        one::<Vec<Option<std::net::Ipv4Addr>>>("Vec<Option<std::net::Ipv4Addr>>"),
        one::<std::net::IpAddr>("std::net::IpAddr"),
        one::<Option<std::net::IpAddr>>("Option<std::net::IpAddr>"),
        one::<Vec<std::net::IpAddr>>("Vec<std::net::IpAddr>"),
        one::<BTreeMap<String, std::net::IpAddr>>("BTreeMap<String, std::net::IpAddr>"),
        one::<Option<Vec<std::net::IpAddr>>>("Option<Vec<std::net::IpAddr>>"),
        one::<Vec<Option<std::net::IpAddr>>>("Vec<Option<std::net::IpAddr>>"),
        one::<std::path::PathBuf>("std::path::PathBuf"),
        one::<Option<std::path::PathBuf>>("Option<std::path::PathBuf>"),
        one::<Vec<std::path::PathBuf>>("Vec<std::path::PathBuf>"),
        one::<BTreeMap<String, std::path::PathBuf>>("BTreeMap<String, std::path::PathBuf>"),
        one::<Option<Vec<std::path::PathBuf>>>("Option<Vec<std::path::PathBuf>>"),
        one::<Vec<Option<std::path::PathBuf>>>("Vec<Option<std::path::PathBuf>>"),
        one::<std::time::Duration>("std::time::Duration"),
        one::<Option<std::time::Duration>>("Option<std::time::Duration>"),
        one::<Vec<std::time::Duration>>("Vec<std::time::Duration>"),
        one::<BTreeMap<String, std::time::Duration>>("BTreeMap<String, std::time::Duration>"),
        one::<Option<Vec<std::time::Duration>>>("Option<Vec<std::time::Duration>>"),
        one::<Vec<Option<std::time::Duration>>>("Vec<Option<std::time::Duration>>"),
        one::<serde_json::Value>("serde_json::Value"),
        one::<Option<serde_json::Value>>("Option<serde_json::Value>"),
        one::<Vec<serde_json::Value>>("Vec<serde_json::Value>"),
        one::<BTreeMap<String, serde_json::Value>>("BTreeMap<String, serde_json::Value>"),
        one::<Option<Vec<serde_json::Value>>>("Option<Vec<serde_json::Value>>"),
        one::<Vec<Option<serde_json::Value>>>("Vec<Option<serde_json::Value>>"),
        one::<Result<i32, String>>("Result<i32, String>"),
        one::<Option<Result<i32, String>>>("Option<Result<i32, String>>"),
        one::<Vec<Result<i32, String>>>("Vec<Result<i32, String>>"),
        one::<BTreeMap<String, Result<i32, String>>>("BTreeMap<String, Result<i32, String>>"),
        one::<Option<Vec<Result<i32, String>>>>("Option<Vec<Result<i32, String>>>"),
        one::<Vec<Option<Result<i32, String>>>>("Vec<Option<Result<i32, String>>>"),
        one::<[i32; 2]>("[i32; 2]"),
        one::<Option<[i32; 2]>>("Option<[i32; 2]>"),
        one::<Vec<[i32; 2]>>("Vec<[i32; 2]>"),
        one::<BTreeMap<String, [i32; 2]>>("BTreeMap<String, [i32; 2]>"),
        one::<Option<Vec<[i32; 2]>>>("Option<Vec<[i32; 2]>>"),
        one::<Vec<Option<[i32; 2]>>>("Vec<Option<[i32; 2]>>"),
        one::<(i32, i32)>("(i32, i32)"),
        one::<Option<(i32, i32)>>("Option<(i32, i32)>"),
        one::<Vec<(i32, i32)>>("Vec<(i32, i32)>"),
        one::<BTreeMap<String, (i32, i32)>>("BTreeMap<String, (i32, i32)>"),
        one::<Option<Vec<(i32, i32)>>>("Option<Vec<(i32, i32)>>"),
        one::<Vec<Option<(i32, i32)>>>("Vec<Option<(i32, i32)>>"),
        one::<BTreeMap<Units, i32>>("BTreeMap<Units, i32>"),
        one::<Option<BTreeMap<Units, i32>>>("Option<BTreeMap<Units, i32>>"),
        one::<Vec<BTreeMap<Units, i32>>>("Vec<BTreeMap<Units, i32>>"),
        one::<BTreeMap<String, BTreeMap<Units, i32>>>("BTreeMap<String, BTreeMap<Units, i32>>"),
        one::<Option<Vec<BTreeMap<Units, i32>>>>("Option<Vec<BTreeMap<Units, i32>>>"),
        one::<Vec<Option<BTreeMap<Units, i32>>>>("Vec<Option<BTreeMap<Units, i32>>>"),
        one::<BTreeSet<String>>("BTreeSet<String>"),
        one::<Option<BTreeSet<String>>>("Option<BTreeSet<String>>"),
        one::<Vec<BTreeSet<String>>>("Vec<BTreeSet<String>>"),
        one::<BTreeMap<String, BTreeSet<String>>>("BTreeMap<String, BTreeSet<String>>"),
        one::<Option<Vec<BTreeSet<String>>>>("Option<Vec<BTreeSet<String>>>"),
        one::<Vec<Option<BTreeSet<String>>>>("Vec<Option<BTreeSet<String>>>"),
        one::<BTreeMap<String, Vec<Inner>>>("BTreeMap<String, Vec<Inner>>"),
        one::<Option<BTreeMap<String, Vec<Inner>>>>("Option<BTreeMap<String, Vec<Inner>>>"),
        one::<Vec<BTreeMap<String, Vec<Inner>>>>("Vec<BTreeMap<String, Vec<Inner>>>"),
        one::<BTreeMap<String, BTreeMap<String, Vec<Inner>>>>("BTreeMap<String, BTreeMap<String, Vec<Inner>>>"),
        one::<Option<Vec<BTreeMap<String, Vec<Inner>>>>>("Option<Vec<BTreeMap<String, Vec<Inner>>>>"),
        one::<Vec<Option<BTreeMap<String, Vec<Inner>>>>>("Vec<Option<BTreeMap<String, Vec<Inner>>>>"),
        one::<std::ops::Range<i32>>("std::ops::Range<i32>"),
        one::<Option<std::ops::Range<i32>>>("Option<std::ops::Range<i32>>"),
        one::<Vec<std::ops::Range<i32>>>("Vec<std::ops::Range<i32>>"),
        one::<BTreeMap<String, std::ops::Range<i32>>>("BTreeMap<String, std::ops::Range<i32>>"),
        one::<Option<Vec<std::ops::Range<i32>>>>("Option<Vec<std::ops::Range<i32>>>"),
        one::<Vec<Option<std::ops::Range<i32>>>>("Vec<Option<std::ops::Range<i32>>>"),
        one::<std::sync::Arc<str>>("std::sync::Arc<str>"),
        one::<Option<std::sync::Arc<str>>>("Option<std::sync::Arc<str>>"),
        one::<Vec<std::sync::Arc<str>>>("Vec<std::sync::Arc<str>>"),
        one::<BTreeMap<String, std::sync::Arc<str>>>("BTreeMap<String, std::sync::Arc<str>>"),
        one::<Option<Vec<std::sync::Arc<str>>>>("Option<Vec<std::sync::Arc<str>>>"),
        one::<Vec<Option<std::sync::Arc<str>>>>("Vec<Option<std::sync::Arc<str>>>"),
        one::<Generic<i32>>("Generic<i32>"),
        one::<Option<Generic<i32>>>("Option<Generic<i32>>"),
        one::<Vec<Generic<i32>>>("Vec<Generic<i32>>"),
        one::<BTreeMap<String, Generic<i32>>>("BTreeMap<String, Generic<i32>>"),
        one::<Option<Vec<Generic<i32>>>>("Option<Vec<Generic<i32>>>"),
        one::<Vec<Option<Generic<i32>>>>("Vec<Option<Generic<i32>>>"),
        one::<Generic<Vec<Inner>>>("Generic<Vec<Inner>>"),
        one::<Option<Generic<Vec<Inner>>>>("Option<Generic<Vec<Inner>>>"),
        one::<Vec<Generic<Vec<Inner>>>>("Vec<Generic<Vec<Inner>>>"),
        one::<BTreeMap<String, Generic<Vec<Inner>>>>("BTreeMap<String, Generic<Vec<Inner>>>"),
        one::<Option<Vec<Generic<Vec<Inner>>>>>("Option<Vec<Generic<Vec<Inner>>>>"),
        one::<Vec<Option<Generic<Vec<Inner>>>>>("Vec<Option<Generic<Vec<Inner>>>>"),
        one::<Fixed<3>>("Fixed<3>"),
        one::<Option<Fixed<3>>>("Option<Fixed<3>>"),
        one::<Vec<Fixed<3>>>("Vec<Fixed<3>>"),
        one::<BTreeMap<String, Fixed<3>>>("BTreeMap<String, Fixed<3>>"),
        one::<Option<Vec<Fixed<3>>>>("Option<Vec<Fixed<3>>>"),
        one::<Vec<Option<Fixed<3>>>>("Vec<Option<Fixed<3>>>"),
        one::<BTreeMap<u8, i32>>("BTreeMap<u8, i32>"),
        one::<Option<BTreeMap<u8, i32>>>("Option<BTreeMap<u8, i32>>"),
        one::<Vec<BTreeMap<u8, i32>>>("Vec<BTreeMap<u8, i32>>"),
        one::<BTreeMap<String, BTreeMap<u8, i32>>>("BTreeMap<String, BTreeMap<u8, i32>>"),
        one::<Option<Vec<BTreeMap<u8, i32>>>>("Option<Vec<BTreeMap<u8, i32>>>"),
        one::<Vec<Option<BTreeMap<u8, i32>>>>("Vec<Option<BTreeMap<u8, i32>>>"),
        one::<BTreeMap<i32, i32>>("BTreeMap<i32, i32>"),
        one::<Option<BTreeMap<i32, i32>>>("Option<BTreeMap<i32, i32>>"),
        one::<Vec<BTreeMap<i32, i32>>>("Vec<BTreeMap<i32, i32>>"),
        one::<BTreeMap<String, BTreeMap<i32, i32>>>("BTreeMap<String, BTreeMap<i32, i32>>"),
        one::<Option<Vec<BTreeMap<i32, i32>>>>("Option<Vec<BTreeMap<i32, i32>>>"),
        one::<Vec<Option<BTreeMap<i32, i32>>>>("Vec<Option<BTreeMap<i32, i32>>>"),
        one::<BTreeMap<u64, i32>>("BTreeMap<u64, i32>"),
        one::<Option<BTreeMap<u64, i32>>>("Option<BTreeMap<u64, i32>>"),
        one::<Vec<BTreeMap<u64, i32>>>("Vec<BTreeMap<u64, i32>>"),
        one::<BTreeMap<String, BTreeMap<u64, i32>>>("BTreeMap<String, BTreeMap<u64, i32>>"),
        one::<Option<Vec<BTreeMap<u64, i32>>>>("Option<Vec<BTreeMap<u64, i32>>>"),
        one::<Vec<Option<BTreeMap<u64, i32>>>>("Vec<Option<BTreeMap<u64, i32>>>"),
        one::<BTreeMap<i64, i32>>("BTreeMap<i64, i32>"),
        one::<Option<BTreeMap<i64, i32>>>("Option<BTreeMap<i64, i32>>"),
        one::<Vec<BTreeMap<i64, i32>>>("Vec<BTreeMap<i64, i32>>"),
        one::<BTreeMap<String, BTreeMap<i64, i32>>>("BTreeMap<String, BTreeMap<i64, i32>>"),
        one::<Option<Vec<BTreeMap<i64, i32>>>>("Option<Vec<BTreeMap<i64, i32>>>"),
        one::<Vec<Option<BTreeMap<i64, i32>>>>("Vec<Option<BTreeMap<i64, i32>>>"),
        one::<BTreeMap<u128, i32>>("BTreeMap<u128, i32>"),
        one::<Option<BTreeMap<u128, i32>>>("Option<BTreeMap<u128, i32>>"),
        one::<Vec<BTreeMap<u128, i32>>>("Vec<BTreeMap<u128, i32>>"),
        one::<BTreeMap<String, BTreeMap<u128, i32>>>("BTreeMap<String, BTreeMap<u128, i32>>"),
        one::<Option<Vec<BTreeMap<u128, i32>>>>("Option<Vec<BTreeMap<u128, i32>>>"),
        one::<Vec<Option<BTreeMap<u128, i32>>>>("Vec<Option<BTreeMap<u128, i32>>>"),
        one::<BTreeMap<std::num::NonZeroI8, i32>>("BTreeMap<std::num::NonZeroI8, i32>"),
        one::<Option<BTreeMap<std::num::NonZeroI8, i32>>>("Option<BTreeMap<std::num::NonZeroI8, i32>>"),
        one::<Vec<BTreeMap<std::num::NonZeroI8, i32>>>("Vec<BTreeMap<std::num::NonZeroI8, i32>>"),
        one::<BTreeMap<String, BTreeMap<std::num::NonZeroI8, i32>>>("BTreeMap<String, BTreeMap<std::num::NonZeroI8, i32>>"),
        one::<Option<Vec<BTreeMap<std::num::NonZeroI8, i32>>>>("Option<Vec<BTreeMap<std::num::NonZeroI8, i32>>>"),
        one::<Vec<Option<BTreeMap<std::num::NonZeroI8, i32>>>>("Vec<Option<BTreeMap<std::num::NonZeroI8, i32>>>"),
        one::<BTreeMap<char, i32>>("BTreeMap<char, i32>"),
        one::<Option<BTreeMap<char, i32>>>("Option<BTreeMap<char, i32>>"),
        one::<Vec<BTreeMap<char, i32>>>("Vec<BTreeMap<char, i32>>"),
        one::<BTreeMap<String, BTreeMap<char, i32>>>("BTreeMap<String, BTreeMap<char, i32>>"),
        one::<Option<Vec<BTreeMap<char, i32>>>>("Option<Vec<BTreeMap<char, i32>>>"),
        one::<Vec<Option<BTreeMap<char, i32>>>>("Vec<Option<BTreeMap<char, i32>>>"),
        one::<BTreeMap<bool, i32>>("BTreeMap<bool, i32>"),
        one::<Option<BTreeMap<bool, i32>>>("Option<BTreeMap<bool, i32>>"),
        one::<Vec<BTreeMap<bool, i32>>>("Vec<BTreeMap<bool, i32>>"),
        one::<BTreeMap<String, BTreeMap<bool, i32>>>("BTreeMap<String, BTreeMap<bool, i32>>"),
        one::<Option<Vec<BTreeMap<bool, i32>>>>("Option<Vec<BTreeMap<bool, i32>>>"),
        one::<Vec<Option<BTreeMap<bool, i32>>>>("Vec<Option<BTreeMap<bool, i32>>>"),
    ]
}
