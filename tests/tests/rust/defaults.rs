//! Defaults that functions compute: crdgen reads the same value from the source as the program computes, or reports
//! that it is unknown.

use crdgen::{CustomResource, Schema};
use crdgen_core::{encode, json};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "defaults.example.com", version = "v1", kind = "Computed")]
#[schema(test = false)]
pub(crate) struct ComputedSpec {
    #[serde(default = "labels")]
    pub(crate) labels: BTreeMap<String, String>,
    #[serde(default = "collected")]
    pub(crate) collected: BTreeMap<String, Vec<u8>>,
    #[serde(default = "inserted")]
    pub(crate) inserted: BTreeMap<u8, Size>,
    #[serde(default = "pushed")]
    pub(crate) pushed: Vec<i32>,
    #[serde(default = "mapped")]
    pub(crate) mapped: Vec<String>,
    #[serde(default = "closed")]
    pub(crate) closed: Option<Vec<String>>,
    #[serde(default = "sorted")]
    pub(crate) sorted: BTreeSet<String>,
    #[serde(default = "counted")]
    pub(crate) counted: NonZeroU32,
    #[serde(default = "cast")]
    pub(crate) cast: u8,
    #[serde(default = "quarter")]
    pub(crate) quarter: u64,
    #[serde(default = "largest")]
    pub(crate) largest: u64,
    #[serde(default = "number")]
    pub(crate) number: String,
    #[serde(default = "name")]
    pub(crate) name: Name,
    #[serde(default = "computed")]
    pub(crate) computed: i32,
    #[serde(default = "Limits::standard")]
    pub(crate) limits: Limits,
    #[serde(default = "named")]
    pub(crate) named: BTreeMap<String, i32>,
    #[serde(default = "formatted")]
    pub(crate) formatted: String,
    #[serde(default = "expanded")]
    pub(crate) expanded: String,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub(crate) skipped: u8,
    #[serde(default = "one", skip_serializing_if = "is_two_or_three")]
    pub(crate) kept: u8,
    #[serde(default = "small", skip_serializing_if = "is_small")]
    pub(crate) small: Size,
    #[serde(default = "small", skip_serializing_if = "is_large")]
    pub(crate) not_large: Size,
    #[serde(default = "yes", skip_serializing_if = "is_off")]
    pub(crate) on: bool,
    #[serde(default = "yes", skip_serializing_if = "is_on")]
    pub(crate) off: bool,
    #[serde(default = "keys")]
    pub(crate) keys: Vec<Key>,
    #[serde(default = "checked")]
    pub(crate) checked: u64,
    #[serde(default = "overflown")]
    pub(crate) overflown: i32,
    #[serde(default = "smallest")]
    pub(crate) smallest: u8,
    #[serde(default = "read")]
    pub(crate) read: i64,
    #[serde(default = "read_text")]
    pub(crate) read_text: String,
    #[serde(default = "read_small")]
    pub(crate) read_small: u8,
    #[serde(default = "seconds")]
    pub(crate) seconds: u64,
    #[serde(default = "of_trait")]
    pub(crate) of_trait: String,
    #[serde(default = "guarded")]
    pub(crate) guarded: u8,
}

const HOUR: u64 = 3600;
const LARGE: i32 = 2_000_000_000;

fn checked() -> u64 {
    HOUR.checked_mul(24).unwrap_or(7)
}

fn overflown() -> i32 {
    LARGE.checked_mul(2).unwrap_or(-1)
}

fn smallest() -> u8 {
    200_u8.checked_add(100).unwrap_or(7)
}

fn read() -> i64 {
    i64::from_str("5").unwrap()
}

fn read_text() -> String {
    "x".parse::<String>().unwrap()
}

fn read_small() -> u8 {
    "9".parse().unwrap()
}

fn seconds() -> u64 {
    Duration::from_secs(60).as_secs()
}

trait Named {
    const NAME: &'static str;
}

impl Named for Limits {
    const NAME: &'static str = "limits";
}

fn of_trait() -> String {
    <Limits as Named>::NAME.to_string()
}

fn guarded() -> u8 {
    match one() {
        n if n > 5 => 1,
        n => n + 2,
    }
}

#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum Key {
    ClientIp,
    HttpHeader { header_name: String, weight: Option<i32> },
}

fn keys() -> Vec<Key> {
    vec![Key::ClientIp, Key::HttpHeader { header_name: "apikey".to_string(), weight: Some(one().into()) }]
}

fn one() -> u8 {
    1
}

fn is_one(it: &u8) -> bool {
    *it == 1
}

fn is_two_or_three(it: &u8) -> bool {
    *it == 2 || 3 == *it
}

fn small() -> Size {
    Size::Small
}

fn is_small(it: &Size) -> bool {
    matches!(it, Size::Small)
}

fn is_large(it: &Size) -> bool {
    it == &Size::Large
}

fn yes() -> bool {
    true
}

fn is_off(it: &bool) -> bool {
    !*it
}

fn is_on(it: &bool) -> bool {
    *it
}

#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub(crate) struct Limits {
    cpu: i32,
    memory: String,
}

impl Limits {
    fn of(cpu: i32, memory: &str) -> Limits {
        let cpu = cpu * 2;
        Limits { cpu, memory: memory.to_owned() }
    }

    fn standard() -> Limits {
        let memory = MEMORY;
        Limits::of(4, memory)
    }
}

const MEMORY: &str = "1Gi";

// This is the style of people who come from other languages.
#[allow(clippy::needless_return)]
fn computed() -> i32 {
    let hours = 2;
    let minutes: i32 = hours * 60;
    let minutes = twice(minutes) + 5;
    return minutes;
}

fn twice(it: i32) -> i32 {
    it * 2
}

fn named() -> BTreeMap<String, i32> {
    let key = "one";
    let mut out = BTreeMap::new();
    out.insert(key.to_string(), 1);
    let two = 1 + 1;
    out.insert("two".to_string(), two);
    out
}

fn formatted() -> String {
    let limits = Limits::standard();
    let memory = limits.memory;
    let size = limits.cpu;
    format!("{memory}: {size}/{{{}}}, {rest}", number(), rest = "more")
}

macro_rules! domain {
    () => {
        "example.com"
    };
    ($part:literal) => {
        concat!(domain!(), "/", $part)
    };
}

fn expanded() -> String {
    domain!("a").to_owned()
}

/// A name.
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub(crate) struct Name(String);

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
pub(crate) enum Size {
    #[default]
    Small,
    Large,
}

fn labels() -> BTreeMap<String, String> {
    BTreeMap::from([("tier".into(), "front".to_owned()), ("app".to_string(), String::from("shop"))])
}

fn collected() -> BTreeMap<String, Vec<u8>> {
    vec![("a".to_owned(), vec![1, 2]), ("b".to_owned(), Vec::new())].into_iter().collect()
}

fn inserted() -> BTreeMap<u8, Size> {
    let mut sizes = BTreeMap::new();
    sizes.insert(2, Size::Large);
    sizes.insert(1, Size::default());
    sizes
}

fn pushed() -> Vec<i32> {
    let mut numbers: Vec<i32> = vec![1];
    numbers.push(2 + 3);
    numbers
}

fn mapped() -> Vec<String> {
    ["b", "a"].iter().map(ToString::to_string).collect()
}

fn closed() -> Option<Vec<String>> {
    Some(["x", "y"].into_iter().map(|it| it.to_owned()).collect())
}

fn sorted() -> BTreeSet<String> {
    ["b".to_owned(), "a".to_owned(), "b".to_owned()].into()
}

fn counted() -> NonZeroU32 {
    NonZeroU32::new(3).unwrap()
}

fn cast() -> u8 {
    200_i32 as u8
}

/// Beyond 64 bits with a sign, on the way to the result.
fn quarter() -> u64 {
    const MOST: u64 = u64::MAX - 2;
    (MOST / 4) * 2 + u64::MAX % 7
}

fn largest() -> u64 {
    u64::MAX / 2 - 1
}

fn number() -> String {
    8080.to_string()
}

fn name() -> Name {
    Name("somebody".into())
}

#[test]
fn the_source_and_the_program_agree() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rust/defaults.rs");
    let options = crdgen::source::Options { path, unchecked: true, ..Default::default() };
    let read = crdgen::source::read(&options).unwrap_or_else(|e| panic!("{e}"));
    assert!(!read.has_errors(), "{}", crdgen::source::render(&read.found));
    let texts: Vec<String> = read.crds.iter().map(|crd| json::to_string(&encode::crd(crd))).collect();
    assert_eq!(texts, [Computed::crd_json()]);
    assert_eq!(texts[0].matches("\"default\":").count(), 31);
}

/// crdgen does not guess values that the program's own code computes.
#[test]
fn values_that_need_running_code_are_unknown() {
    for (ty, value) in [
        ("Name", r#""somebody".into()"#),
        ("Name", r#"Name::from("somebody")"#),
        ("u8", "300 as u8"),
        ("i32", "1.5 as i32"),
        ("String", "Size::Small.to_string()"),
        ("String", "format!(\"{:3}\", 1)"),
        ("String", "format!(\"{}\", 1.5)"),
        ("String", "let size = Size::Small; format!(\"{size}\")"),
        ("Vec<String>", r#"["a"].iter().map(|it| it.to_uppercase()).collect()"#),
        ("std::net::IpAddr", r#""0::0".parse().unwrap()"#),
        ("i32", "let mut it = 1; it += 1; it"),
        ("u8", r#""300".parse().unwrap()"#),
        ("i64", r#"i64::from_str("x").unwrap_or(5)"#),
        ("u64", "(60 * 60).checked_mul(24).unwrap_or(0)"),
        ("u64", "u64::from(60_u8.checked_mul(60).unwrap())"),
        ("String", r#"std::env::var("REGION").unwrap_or_else(|_| "a".to_owned())"#),
        ("String", r#"option_env!("REGION").unwrap_or("a").to_owned()"#),
        ("String", r#"match 1 { n if n > std::env::args().count() => "a", _ => "b" }.to_owned()"#),
        ("i32", "let it = if std::env::args().count() > 1 { 1 } else { 2 }; it"),
        ("Vec<i32>", "let mut it = vec![1]; it.reverse(); it"),
    ] {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("defaults");
        std::fs::create_dir_all(&folder).unwrap_or_else(|e| panic!("{e}"));
        let file = folder.join("unknown.rs");
        let text = format!(
            "use crdgen::{{CustomResource, Schema}};
             #[derive(CustomResource, Schema, Deserialize, Serialize)]
             #[kube(group = \"a.example.com\", version = \"v1\", kind = \"A\")]
             pub(crate) struct ASpec {{ #[serde(default = \"value\")] pub it: {ty} }}
             fn value() -> {ty} {{ {value} }}
             #[derive(Schema, Deserialize, Serialize)]
             pub(crate) struct Name(String);
             #[derive(Schema, Deserialize, Serialize)]
             pub(crate) enum Size {{ Small }}"
        );
        std::fs::write(&file, text).unwrap_or_else(|e| panic!("{e}"));
        let options = crdgen::source::Options { path: file, ..Default::default() };
        let read = crdgen::source::read(&options).unwrap_or_else(|e| panic!("{e}"));
        let message = crdgen::source::render(&read.found);
        let is_unknown = message.contains("RST012") && message.contains("without running code");
        assert!(is_unknown, "{ty} {value}: {message}");
    }
}
