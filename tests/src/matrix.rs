//! Kinds for the serde matrix: each representation of each type in each container, as Rust source. The source is
//! committed (`tests/tests/rust/matrix.rs`), because tests compile it and also read it as a source.

use std::fmt::Write;

/// The types, and whether they can be flattened.
const TYPES: &str = r#"
/// Unit variants.
pub enum Units { #[doc = "First."] Alpha, #[serde(rename = "b")] Beta, #[serde(alias = "gam")] Gamma }
#[serde(rename_all = "kebab-case")]
pub enum Cased { FirstOne, SecondOne }
pub enum OnlyData { One(i32), Two { x: String, y: Option<bool> }, Three(Inner) }
pub enum OneData { Single(Inner) }
pub enum Mixed { Nothing, Empty, Some(i32), Full { a: String } }
pub enum MixedDeep { Off, On(Units), List(Vec<String>), Maybe(Option<i32>) }
#[serde(tag = "type")]
pub enum Internal { Plain, Wrapped(Inner), Named { x: i32 }, Other { x: String, z: Option<i32> } }
#[serde(tag = "type")]
pub enum InternalSame { A { a: String, b: i32 }, B { a: String } }
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum InternalCased { FirstCase { some_name: String }, SecondCase { other_name: Vec<i32> } }
#[serde(tag = "type", deny_unknown_fields)]
pub enum InternalStrict { A { a: String }, B { b: i32 } }
#[serde(tag = "type")]
pub enum InternalNested { In(Internal2), Out { q: bool } }
#[serde(tag = "inner")]
pub enum Internal2 { P { p: i32 }, R }
#[serde(tag = "t", content = "c")]
pub enum Adjacent { Unit, Number(i32), Text(String), Obj { a: bool } }
#[serde(tag = "t", content = "c")]
pub enum AdjacentSame { A(Inner), B(Inner) }
#[serde(untagged)]
pub enum UntaggedStructs { A { a: String }, B { b: i32 }, C { c: Inner, d: Option<i32> } }
#[serde(untagged)]
pub enum UntaggedIntString { I(i32), S(String) }
#[serde(untagged)]
pub enum UntaggedNumbers { I(i64), F(f64) }
#[serde(untagged)]
pub enum UntaggedScalars { B(bool), I(i32), S(String) }
#[serde(untagged)]
pub enum UntaggedStringOrStruct { S(String), O(Inner) }
#[serde(untagged)]
pub enum UntaggedOneOrMany { One(String), Many(Vec<String>) }
#[serde(untagged)]
pub enum UntaggedLists { I(Vec<i32>), S(Vec<String>) }
#[serde(untagged)]
pub enum UntaggedSameField { A { a: String }, B { a: i32 } }
#[serde(untagged)]
pub enum UntaggedEnums { U(Units), C(Cased) }
pub enum PartlyUntagged { A(i32), B, #[serde(untagged)] Text(i64) }
pub struct Inner { pub s: String, #[serde(default)] pub n: i32, pub o: Option<bool> }
#[serde(rename_all = "camelCase")]
pub struct Defaults { #[serde(default)] pub some_flag: bool, #[serde(default = "seven")] pub some_number: i32, #[serde(default, skip_serializing_if = "Vec::is_empty")] pub some_list: Vec<String>, #[serde(default)] pub inner: Defaulted }
#[serde(default)]
pub struct Defaulted { pub a: i32, pub b: String, pub c: Option<i32> }
#[serde(deny_unknown_fields)]
pub struct Strict { pub a: String }
pub struct Optional { #[serde(skip_serializing_if = "Option::is_none")] pub a: Option<String>, pub b: Option<i32>, #[serde(skip)] pub c: i32 }
pub struct Newtype(pub i32);
pub struct NewtypeOption(pub Option<i32>);
#[serde(transparent)]
pub struct Transparent { pub it: Option<Inner> }
pub struct Pair(pub i32, pub i32);
pub struct Unit;
pub struct Aliased { #[serde(alias = "old_name", alias = "older")] pub name: String, #[serde(alias = "was")] pub maybe: Option<i32> }
#[serde(tag = "apiKind")]
pub struct TaggedStruct { pub a: i32 }
#[serde(from = "Proxy", into = "Proxy")]
pub struct FromProxy { pub hidden: i32 }
pub struct Proxy { pub shown: i32 }
pub struct FlatStruct { pub own: i32, #[serde(flatten)] pub inner: Inner }
pub struct FlatOption { pub own: i32, #[serde(flatten)] pub inner: Option<Inner> }
pub struct FlatMap { pub own: i32, #[serde(flatten)] pub rest: BTreeMap<String, serde_json::Value> }
pub struct FlatEnum { pub own: i32, #[serde(flatten)] pub which: OnlyData }
pub struct FlatInternal { pub own: i32, #[serde(flatten)] pub which: Internal }
pub struct FlatTwo { #[serde(flatten)] pub one: OnlyData, #[serde(flatten)] pub two: AdjacentSame }
"#;

/// Types of the standard library.
const SCALARS: &[&str] = &[
    "bool",
    "i8",
    "i16",
    "i32",
    "i64",
    "u8",
    "u16",
    "u32",
    "f32",
    "f64",
    "char",
    "String",
    "std::num::NonZeroU8",
    "std::num::NonZeroI32",
    "std::net::Ipv4Addr",
    "std::net::IpAddr",
    "std::path::PathBuf",
    "std::time::Duration",
    "serde_json::Value",
    "Result<i32, String>",
    "[i32; 2]",
    "(i32, i32)",
    "BTreeMap<Units, i32>",
    "BTreeSet<String>",
    "BTreeMap<String, Vec<Inner>>",
    "std::ops::Range<i32>",
    "std::sync::Arc<str>",
    "Generic<i32>",
    "Generic<Vec<Inner>>",
    "Fixed<3>",
    "BTreeMap<u8, i32>",
    "BTreeMap<i32, i32>",
    "BTreeMap<u64, i32>",
    "BTreeMap<i64, i32>",
    "BTreeMap<u128, i32>",
    "BTreeMap<std::num::NonZeroI8, i32>",
    "BTreeMap<char, i32>",
    "BTreeMap<bool, i32>",
];

/// The fields of each kind, with `$` for the type.
const CONTAINERS: &[(&str, &str)] = &[
    ("plain", "$"),
    ("maybe", "Option<$>"),
    ("list", "Vec<$>"),
    ("map", "BTreeMap<String, $>"),
    ("maybe_list", "Option<Vec<$>>"),
    ("list_of_maybe", "Vec<Option<$>>"),
];

/// The source of all kinds.
pub fn source() -> String {
    let mut out = String::from(
        "//! The serde matrix. Made by `crdgen_tests::matrix`: `UPDATE=1 cargo test -p crdgen-tests matrix`.\n\n\
         #![allow(missing_docs, dead_code, unreachable_pub, clippy::enum_variant_names, reason = \"test data\")]\n\n\
         use super::{Kind, kind, one};\nuse crdgen::{CustomResource, Schema};\nuse serde::{Deserialize, Serialize};\n\
         use std::collections::{BTreeMap, BTreeSet};\n\n",
    );
    let mut names = Vec::new();
    let mut attributes = String::new();
    for line in TYPES.lines().map(str::trim_end) {
        let name = ["pub enum ", "pub struct "].iter().find_map(|p| line.strip_prefix(p));
        match name {
            None => _ = writeln!(attributes, "{line}"),
            Some(rest) => {
                let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
                let name = &rest[..end];
                names.push(name.to_owned());
                let ordered = if name == "Units" { ", PartialEq, Eq, PartialOrd, Ord" } else { "" };
                _ = write!(
                    out,
                    "#[derive(Clone, Debug{ordered}, Deserialize, Schema, Serialize)]\n{}{line}\n",
                    attributes.trim_start()
                );
                attributes.clear();
            }
        }
    }
    out.push_str(EXTRA);
    let (mut kinds, mut fields) = (String::new(), String::new());
    for (number, ty) in names.iter().map(String::as_str).chain(SCALARS.iter().copied()).enumerate() {
        _ = writeln!(
            out,
            "\n#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]\n\
             #[kube(group = \"matrix.example.com\", version = \"v1\", kind = \"K{number:02}\", namespaced)]\n\
             pub struct K{number:02}Spec {{"
        );
        _ = writeln!(kinds, "        kind::<K{number:02}, K{number:02}Spec>({ty:?}),");
        for (name, container) in CONTAINERS {
            let field = container.replace('$', ty);
            _ = writeln!(out, "    pub {name}: {field},");
            _ = writeln!(fields, "        one::<{field}>({field:?}),");
        }
        out.push_str("}\n");
    }
    _ = write!(
        out,
        "\n/// A kind per type, with the type in each container.\npub(crate) fn kinds() -> Vec<Kind> {{\n    vec![\n{kinds}    ]\n}}\n\n\
         /// Each type in each container, alone.\npub(crate) fn fields() -> Vec<Kind> {{\n    vec![\n{fields}    ]\n}}\n"
    );
    out
}

const EXTRA: &str = r#"
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
"#;
