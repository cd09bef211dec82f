//! The well-known types: those of the standard library, and by name those of crates that controllers often use, for
//! reading sources. Both use the same function for each schema.

use super::node::{Enum, Field, Node, Struct, Tagging, Variant};
use super::types::{anything, null, opaque};
use super::{Patch, Schema, Shape, ShapeFn};
use crate::ir::{Keyword, Limits, Schema as Ir, Type};
use crate::value::Value;
use std::borrow::Cow;

/// A well-known type.
#[derive(Debug)]
pub struct Known {
    /// The full name, which begins with the crate.
    pub path: &'static str,
    /// The number of its type parameters that the recipe refers to.
    pub params: usize,
    /// Creates its recipe.
    pub node: fn() -> Node,
}

fn bounded(format: &str, min: Option<f64>, max: Option<f64>) -> Node {
    let limits = Limits { format: format.to_owned(), minimum: min, maximum: max, ..Limits::default() };
    Node::plain(Ir { limits, ..Ir::of(Type::Integer) })
}

fn string_with(format: &str) -> Node {
    let limits = Limits { format: format.to_owned(), ..Limits::default() };
    Node::plain(Ir { limits, ..Ir::of(Type::String) })
}

fn pattern(pattern: &str) -> Node {
    let limits = Limits { pattern: pattern.to_owned(), ..Limits::default() };
    Node::plain(Ir { limits, ..Ir::of(Type::String) })
}

// The server checks int32 and int64 by their format. Smaller and unsigned types need bounds.
fn i8_() -> Node {
    bounded("int32", Some(-128.0), Some(127.0))
}
fn i16_() -> Node {
    bounded("int32", Some(-32768.0), Some(32767.0))
}
fn i32_() -> Node {
    bounded("int32", None, None)
}
fn i64_() -> Node {
    bounded("int64", None, None)
}
fn i128_() -> Node {
    bounded("", None, None)
}
fn u8_() -> Node {
    bounded("int32", Some(0.0), Some(255.0))
}
fn u16_() -> Node {
    bounded("int32", Some(0.0), Some(65535.0))
}
fn u32_() -> Node {
    bounded("int64", Some(0.0), Some(4294967295.0))
}
fn u64_() -> Node {
    bounded("int64", Some(0.0), None)
}
fn u128_() -> Node {
    bounded("", Some(0.0), None)
}
fn non_zero(node: Node) -> Node {
    let Node::Plain(mut schema) = node else { return node };
    if schema.limits.minimum == Some(0.0) {
        schema.limits.minimum = Some(1.0);
    } else {
        let limits = Limits { enumeration: vec![Value::Int(0)], ..Limits::default() };
        schema.limits.not = Some(Box::new(Ir { limits, ..Ir::default() }));
    }
    Node::Plain(schema)
}
fn f32_() -> Node {
    let limits = Limits { format: "float".into(), ..Limits::default() };
    Node::plain(Ir { limits, ..Ir::of(Type::Number) })
}
fn f64_() -> Node {
    let limits = Limits { format: "double".into(), ..Limits::default() };
    Node::plain(Ir { limits, ..Ir::of(Type::Number) })
}
fn bool_() -> Node {
    Node::plain(Ir::of(Type::Boolean))
}
pub(super) fn string() -> Node {
    Node::plain(Ir::of(Type::String))
}
fn char_() -> Node {
    let limits = Limits { min_length: Some(1), max_length: Some(1), ..Limits::default() };
    Node::plain(Ir { limits, ..Ir::of(Type::String) })
}
fn unit() -> Node {
    Node::plain(null())
}
fn option() -> Node {
    Node::Option(Box::new(Node::Ref(0)))
}
pub(super) fn list() -> Node {
    Node::List(Box::new(Node::Ref(0)))
}
/// A list whose type argument is the array for its first items.
pub(super) fn unbounded() -> Node {
    let clear = vec![Keyword::MinItems, Keyword::MaxItems];
    Node::Ref(0).patched(Patch { clear, ..Patch::default() })
}
pub(super) fn set() -> Node {
    Node::Set(Box::new(Node::Ref(0)))
}
pub(super) fn map() -> Node {
    Node::Map(Box::new(Node::Ref(0)), Box::new(Node::Ref(1)))
}
pub(super) fn same() -> Node {
    Node::Ref(0)
}
fn structure(fields: &[(&str, Node)]) -> Node {
    let fields = fields.iter().map(|(name, node)| Field {
        name: (*name).to_owned(),
        node: node.clone(),
        ..Field::default()
    });
    Node::Struct(Box::new(Struct { fields: fields.collect(), ..Struct::default() }))
}
fn nanos() -> Node {
    bounded("int32", Some(0.0), Some(999_999_999.0))
}
fn duration() -> Node {
    Node::Odd(
        Box::new(structure(&[("secs", u64_()), ("nanos", nanos())])),
        "serde writes a `std::time::Duration` as an object with `secs` and `nanos`".to_owned(),
        "use an integer with the unit in its name, such as `timeout_seconds`, or a type that is written as text, such as \
         `kube::core::Duration`"
            .to_owned(),
    )
}
fn system_time() -> Node {
    Node::Odd(
        Box::new(structure(&[("secs_since_epoch", u64_()), ("nanos_since_epoch", nanos())])),
        "serde writes a `std::time::SystemTime` as an object with `secs_since_epoch` and `nanos_since_epoch`"
            .to_owned(),
        "use a type that is written as text, such as `chrono::DateTime<Utc>` or `jiff::Timestamp`".to_owned(),
    )
}
fn range() -> Node {
    structure(&[("start", Node::Ref(0)), ("end", Node::Ref(0))])
}
fn result() -> Node {
    let variant =
        |name: &str, n| Variant { name: name.into(), payload: Some(Node::Ref(n)), ..Variant::default() };
    let variants = vec![variant("Ok", 0), variant("Err", 1)];
    Node::Enum(Box::new(Enum { tagging: Tagging::External, variants, ..Enum::default() }))
}
/// A format with a pattern: the server accepts some texts that Rust does not read.
fn narrowed(format: &str, pattern: &str) -> Node {
    let limits = Limits { format: format.to_owned(), pattern: pattern.to_owned(), ..Limits::default() };
    Node::plain(Ir { limits, ..Ir::of(Type::String) })
}
/// An IPv4 address without leading zeros.
macro_rules! ipv4 {
    () => {
        r"((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])\.){3}(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
    };
}
/// The number of a port.
macro_rules! port {
    () => {
        "(6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5]?[0-9]{1,4})"
    };
}
fn ip() -> Node {
    let one = |format: &str, pattern: &str| {
        let limits = Limits { format: format.into(), pattern: pattern.into(), ..Limits::default() };
        Ir { limits, ..Ir::default() }
    };
    let any_of = vec![one("ipv4", concat!("^", ipv4!(), "$")), one("ipv6", "")];
    let limits = Limits { any_of, ..Limits::default() };
    Node::plain(Ir { limits, ..Ir::of(Type::String) })
}
fn ipv4() -> Node {
    narrowed("ipv4", concat!("^", ipv4!(), "$"))
}
fn socket_v4() -> Node {
    pattern(concat!("^", ipv4!(), ":", port!(), "$"))
}
fn socket_v6() -> Node {
    pattern(&["^", &ipv6_in_brackets(), ":", port!(), "$"].concat())
}
fn socket() -> Node {
    pattern(&["^(", ipv4!(), "|", &ipv6_in_brackets(), "):", port!(), "$"].concat())
}
/// An IPv6 address in brackets, perhaps with a scope. `G` is a group with a colon, and `H` one without it.
fn ipv6_in_brackets() -> String {
    let v6 = "G{7}H|G{1,7}:|G{1,6}:H|G{1,5}(:H){2}|G{1,4}(:H){3}|G{1,3}(:H){4}|G{1,2}(:H){5}|G(:H){6}|:((:H){1,7}|:)";
    let with_v4 = "(G{6}|:(:H){0,5}:|G{1,5}:|G{1,4}:H:|G{1,3}(:H){2}:|G{1,2}(:H){3}:|G(:H){4}:)V4";
    let template = format!(r"\[({v6}|{with_v4})(%[0-9]{{1,9}})?\]");
    template.replace('G', "(H:)").replace('H', "[0-9a-fA-F]{1,4}").replace("V4", ipv4!())
}
/// A date that exists, and a time of the day, as types without a time zone write them.
macro_rules! date {
    () => {
        concat!(
            "([0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))",
            "|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)"
        )
    };
}
macro_rules! time {
    () => {
        r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?"
    };
}
pub(super) fn time() -> Node {
    pattern(concat!("^", time!(), "$"))
}
pub(super) fn naive_date_time() -> Node {
    pattern(concat!("^", date!(), "T", time!(), "$"))
}
/// A time with the name of its zone. The server does not know which zones exist, and what their offsets are.
pub(super) fn zoned() -> Node {
    let offset = r"(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?)?\[[A-Za-z0-9_+/:.-]+\]$";
    pattern(&[concat!("^", date!(), "T", time!()), offset].concat())
}
macro_rules! clock {
    () => {
        concat!(
            r"T([0-9]{1,8}H([0-9]{1,9}M)?([0-9]{1,11}(\.[0-9]{1,9})?S)?",
            r"|[0-9]{1,9}M([0-9]{1,11}(\.[0-9]{1,9})?S)?|[0-9]{1,11}(\.[0-9]{1,9})?S)"
        )
    };
}
/// A duration of ISO 8601 without days.
pub(super) fn iso_duration() -> Node {
    pattern(concat!("^-?P", clock!(), "$"))
}
/// A duration of ISO 8601.
pub(super) fn iso_span() -> Node {
    pattern(concat!(
        "^-?P(([0-9]{1,4}Y([0-9]{1,5}M)?([0-9]{1,6}W)?([0-9]{1,6}D)?|[0-9]{1,5}M([0-9]{1,6}W)?([0-9]{1,6}D)?",
        "|[0-9]{1,6}W([0-9]{1,6}D)?|[0-9]{1,6}D)(",
        clock!(),
        ")?|",
        clock!(),
        ")$"
    ))
}
fn ipv6() -> Node {
    string_with("ipv6")
}
/// Any JSON.
pub(super) fn json() -> Node {
    Node::plain(Ir { nullable: true, ..anything() })
}
/// Any number.
pub(super) fn number() -> Node {
    Node::plain(Ir::of(Type::Number))
}
/// Any JSON object.
pub(super) fn object() -> Node {
    Node::plain(opaque())
}
pub(super) fn date_time() -> Node {
    string_with("date-time")
}
/// A type that serde writes differently, depending on the features of its crate.
pub(super) fn offset_date_time() -> Node {
    Node::Wrong(
        "the features of the crate `time` decide how `time::OffsetDateTime` is written".to_owned(),
        "write it on the field: #[serde(with = \"time::serde::rfc3339\")], or give the schema: #[schema(raw = { … })]"
            .to_owned(),
    )
}
pub(super) fn date() -> Node {
    string_with("date")
}
pub(super) fn weekday() -> Node {
    let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    let limits = Limits { enumeration: names.map(Value::from).to_vec(), ..Limits::default() };
    Node::plain(Ir { limits, ..Ir::of(Type::String) })
}
pub(super) fn uuid() -> Node {
    string_with("uuid")
}
/// A URL with a scheme. The format allows paths alone.
pub(super) fn uri() -> Node {
    narrowed("uri", "^[A-Za-z][A-Za-z0-9+.-]*:")
}
/// An IP address with a prefix length.
pub(super) fn cidr() -> Node {
    string_with("cidr")
}
/// The same of one family.
pub(super) fn cidr_v4() -> Node {
    narrowed("cidr", concat!("^", ipv4!(), "/"))
}
pub(super) fn cidr_v6() -> Node {
    narrowed("cidr", ":")
}
/// A number of 96 bits.
pub(super) fn decimal() -> Node {
    pattern(r"^-?[0-9]{1,28}(\.[0-9]{1,28})?$")
}
pub(super) fn big_decimal() -> Node {
    pattern(r"^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,9})?$")
}
/// A part of a version: a number of 64 bits.
macro_rules! part {
    () => {
        "(0|[1-9][0-9]{0,18})"
    };
}
/// What follows the three numbers of a version.
macro_rules! pre_and_build {
    () => {
        concat!(
            r"(-(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(\.(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?",
            r"(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?"
        )
    };
}
pub(super) fn semver() -> Node {
    pattern(concat!("^", part!(), r"\.", part!(), r"\.", part!(), pre_and_build!(), "$"))
}
macro_rules! comparator {
    () => {
        concat!(
            "(=|>=?|<=?|~|\\^)? *",
            part!(),
            r"(\.[*xX](\.[*xX])?|\.",
            part!(),
            r"(\.[*xX]|\.",
            part!(),
            pre_and_build!(),
            ")?)?"
        )
    };
}
pub(super) fn semver_req() -> Node {
    pattern(concat!("^([*xX]|", comparator!(), "( *, *", comparator!(), "){0,31})$"))
}
pub(super) fn bytes() -> Node {
    Node::List(Box::new(u8_()))
}
/// Bytes other than 0.
fn c_string() -> Node {
    Node::List(Box::new(bounded("int32", Some(1.0), Some(255.0))))
}
/// base64
pub(super) fn byte_string() -> Node {
    string_with("byte")
}

macro_rules! leaf {
    ($($ty:ty => $node:expr;)*) => {$(
        impl Schema for $ty {
            const SHAPE: &'static Shape = &Shape::known(stringify!($ty), $node, &[]);
        }
    )*};
}

leaf! {
    i8 => i8_; i16 => i16_; i32 => i32_; i64 => i64_; i128 => i128_; isize => i64_;
    u8 => u8_; u16 => u16_; u32 => u32_; u64 => u64_; u128 => u128_; usize => u64_;
    f32 => f32_; f64 => f64_; bool => bool_; char => char_; str => string; String => string; () => unit;
    std::num::NonZeroI8 => || non_zero(i8_()); std::num::NonZeroI16 => || non_zero(i16_());
    std::num::NonZeroI32 => || non_zero(i32_()); std::num::NonZeroI64 => || non_zero(i64_());
    std::num::NonZeroI128 => || non_zero(i128_()); std::num::NonZeroIsize => || non_zero(i64_());
    std::num::NonZeroU8 => || non_zero(u8_()); std::num::NonZeroU16 => || non_zero(u16_());
    std::num::NonZeroU32 => || non_zero(u32_()); std::num::NonZeroU64 => || non_zero(u64_());
    std::num::NonZeroU128 => || non_zero(u128_()); std::num::NonZeroUsize => || non_zero(u64_());
    std::sync::atomic::AtomicBool => bool_; std::sync::atomic::AtomicI32 => i32_;
    std::sync::atomic::AtomicI64 => i64_; std::sync::atomic::AtomicU32 => u32_;
    std::sync::atomic::AtomicU64 => u64_; std::sync::atomic::AtomicUsize => u64_;
    std::path::Path => string; std::path::PathBuf => string; std::ffi::CString => c_string;
    std::net::IpAddr => ip; std::net::Ipv4Addr => ipv4; std::net::Ipv6Addr => ipv6;
    std::net::SocketAddr => socket; std::net::SocketAddrV4 => socket_v4; std::net::SocketAddrV6 => socket_v6;
    std::time::Duration => duration; std::time::SystemTime => system_time;
}

macro_rules! generic {
    ($([$($param:ident $(+ ?$sized:ident)?),*] $ty:ty => $node:expr, $name:literal;)*) => {$(
        impl<$($param: Schema $(+ ?$sized)?),*> Schema for $ty {
            const SHAPE: &'static Shape = &Shape::known($name, $node, &[$($param::shape as ShapeFn),*]);
        }
    )*};
}

generic! {
    [T] Option<T> => option, "Option";
    [T] Vec<T> => list, "Vec";
    [T] [T] => list, "slice";
    [T] std::collections::VecDeque<T> => list, "VecDeque";
    [T] std::collections::LinkedList<T> => list, "LinkedList";
    [T] std::collections::BinaryHeap<T> => list, "BinaryHeap";
    [T] std::collections::BTreeSet<T> => set, "BTreeSet";
    [K, V] std::collections::BTreeMap<K, V> => map, "BTreeMap";
    [T + ?Sized] Box<T> => same, "Box";
    [T + ?Sized] std::rc::Rc<T> => same, "Rc";
    [T + ?Sized] std::sync::Arc<T> => same, "Arc";
    [T] std::cell::Cell<T> => same, "Cell";
    [T] std::cell::RefCell<T> => same, "RefCell";
    [T] std::sync::Mutex<T> => same, "Mutex";
    [T] std::sync::RwLock<T> => same, "RwLock";
    [T] std::num::Wrapping<T> => same, "Wrapping";
    [T] std::num::Saturating<T> => same, "Saturating";
    [T] std::cmp::Reverse<T> => same, "Reverse";
    [T] std::ops::Range<T> => range, "Range";
    [T] std::ops::RangeInclusive<T> => range, "RangeInclusive";
    [T, E] Result<T, E> => result, "Result";
    [A] (A,) => || Node::Tuple(vec![Node::Ref(0)]), "tuple";
    [A, B] (A, B) => || Node::Tuple((0..2).map(Node::Ref).collect()), "tuple";
    [A, B, C] (A, B, C) => || Node::Tuple((0..3).map(Node::Ref).collect()), "tuple";
    [A, B, C, D] (A, B, C, D) => || Node::Tuple((0..4).map(Node::Ref).collect()), "tuple";
    [A, B, C, D, E] (A, B, C, D, E) => || Node::Tuple((0..5).map(Node::Ref).collect()), "tuple";
    [A, B, C, D, E, F] (A, B, C, D, E, F) => || Node::Tuple((0..6).map(Node::Ref).collect()), "tuple";
}

impl<T: Schema, S> Schema for std::collections::HashSet<T, S> {
    const SHAPE: &'static Shape = &Shape::known("HashSet", set, &[T::shape as ShapeFn]);
}

impl<K: Schema, V: Schema, S> Schema for std::collections::HashMap<K, V, S> {
    const SHAPE: &'static Shape = &Shape::known("HashMap", map, &[K::shape as ShapeFn, V::shape as ShapeFn]);
}

impl<T: ?Sized> Schema for std::marker::PhantomData<T> {
    const SHAPE: &'static Shape = &Shape::known("PhantomData", unit, &[]);
}

impl<T: Schema, const N: usize> Schema for [T; N] {
    const SHAPE: &'static Shape =
        &Shape::known("array", || Node::Array(Box::new(Node::Ref(0)), N), &[T::shape as ShapeFn]);
}

impl<T: Schema + ?Sized> Schema for &T {
    const SHAPE: &'static Shape = T::SHAPE;
}

impl<T: Schema + ToOwned + ?Sized> Schema for Cow<'_, T> {
    const SHAPE: &'static Shape = T::SHAPE;
}

macro_rules! table {
    ($($node:expr, $params:literal: $($path:literal)*;)*) => {
        &[$($(Known { path: $path, params: $params, node: $node },)*)*]
    };
}

/// All known types, by name. `std` also means `core` and `alloc`.
pub static KNOWN: &[Known] = table! {
    i8_, 0: "i8"; i16_, 0: "i16"; i32_, 0: "i32" "std::sync::atomic::AtomicI32"; i128_, 0: "i128";
    i64_, 0: "i64" "isize" "std::sync::atomic::AtomicI64" "serde_json::value::Index";
    u8_, 0: "u8"; u16_, 0: "u16"; u32_, 0: "u32" "std::sync::atomic::AtomicU32"; u128_, 0: "u128";
    u64_, 0: "u64" "usize" "std::sync::atomic::AtomicU64" "std::sync::atomic::AtomicUsize";
    f32_, 0: "f32"; f64_, 0: "f64"; bool_, 0: "bool" "std::sync::atomic::AtomicBool"; char_, 0: "char";
    string, 0: "str" "std::string::String" "std::path::Path" "std::path::PathBuf";
    socket, 0: "std::net::SocketAddr"; socket_v4, 0: "std::net::SocketAddrV4"; socket_v6, 0: "std::net::SocketAddrV6";
    || non_zero(i8_()), 0: "std::num::NonZeroI8"; || non_zero(i16_()), 0: "std::num::NonZeroI16";
    || non_zero(i32_()), 0: "std::num::NonZeroI32"; || non_zero(i128_()), 0: "std::num::NonZeroI128";
    || non_zero(i64_()), 0: "std::num::NonZeroI64" "std::num::NonZeroIsize";
    || non_zero(u8_()), 0: "std::num::NonZeroU8"; || non_zero(u16_()), 0: "std::num::NonZeroU16";
    || non_zero(u32_()), 0: "std::num::NonZeroU32"; || non_zero(u128_()), 0: "std::num::NonZeroU128";
    || non_zero(u64_()), 0: "std::num::NonZeroU64" "std::num::NonZeroUsize";
    c_string, 0: "std::ffi::CString";
    ip, 0: "std::net::IpAddr"; ipv4, 0: "std::net::Ipv4Addr"; ipv6, 0: "std::net::Ipv6Addr";
    duration, 0: "std::time::Duration"; system_time, 0: "std::time::SystemTime";
    unit, 0: "std::marker::PhantomData";
    option, 1: "std::option::Option";
    list, 1: "std::vec::Vec" "std::collections::VecDeque" "std::collections::LinkedList"
        "std::collections::BinaryHeap" "std::collections::vec_deque::VecDeque" "arrayvec::ArrayVec";
    unbounded, 1: "smallvec::SmallVec";
    set, 1: "std::collections::BTreeSet" "std::collections::HashSet" "std::collections::btree_set::BTreeSet"
        "std::collections::hash_set::HashSet" "indexmap::IndexSet";
    map, 2: "std::collections::BTreeMap" "std::collections::HashMap" "std::collections::btree_map::BTreeMap"
        "std::collections::hash_map::HashMap" "indexmap::IndexMap";
    same, 1: "std::boxed::Box" "std::rc::Rc" "std::sync::Arc" "std::borrow::Cow" "std::cell::Cell"
        "std::cell::RefCell" "std::sync::Mutex" "std::sync::RwLock" "std::num::Wrapping" "std::num::Saturating"
        "std::cmp::Reverse" "ordered_float::OrderedFloat" "ordered_float::NotNan";
    range, 1: "std::ops::Range" "std::ops::RangeInclusive";
    result, 2: "std::result::Result";
    json, 0: "serde_json::Value" "serde_json::value::Value" "serde_json::value::RawValue";
    object, 0: "serde_json::Map" "serde_json::map::Map";
    number, 0: "serde_json::Number" "serde_json::value::Number";
    date_time, 0: "jiff::Timestamp" "chrono::DateTime";
    offset_date_time, 0: "time::OffsetDateTime";
    // These are only used inside `DateTime<Utc>`.
    unit, 0: "chrono::Utc" "chrono::Local" "chrono::FixedOffset";
    date, 0: "chrono::NaiveDate" "jiff::civil::Date";
    zoned, 0: "jiff::Zoned";
    string, 0: "camino::Utf8PathBuf" "smol_str::SmolStr";
    naive_date_time, 0: "chrono::NaiveDateTime" "jiff::civil::DateTime";
    time, 0: "chrono::NaiveTime" "jiff::civil::Time";
    iso_span, 0: "jiff::Span"; iso_duration, 0: "jiff::SignedDuration";
    semver_req, 0: "semver::VersionReq";
    uuid, 0: "uuid::Uuid";
    weekday, 0: "chrono::Weekday";
    cidr, 0: "ipnet::IpNet"; cidr_v4, 0: "ipnet::Ipv4Net"; cidr_v6, 0: "ipnet::Ipv6Net";
    decimal, 0: "rust_decimal::Decimal"; big_decimal, 0: "bigdecimal::BigDecimal";
    uri, 0: "url::Url";
    semver, 0: "semver::Version";
    bytes, 0: "bytes::Bytes" "bytes::BytesMut";
    byte_string, 0: "k8s_openapi::ByteString";
};

/// Crates that k8s-openapi re-exports.
const OF_K8S_OPENAPI: &[&str] = &["chrono", "jiff", "serde_json"];

/// Finds a known type by its full name.
pub fn find(path: &str) -> Option<&'static Known> {
    let is_passed_on = |rest: &&str| OF_K8S_OPENAPI.iter().any(|name| rest.split("::").next() == Some(*name));
    let path = path.strip_prefix("k8s_openapi::").filter(is_passed_on).unwrap_or(path);
    let rest = path.strip_prefix("core::").or_else(|| path.strip_prefix("alloc::"));
    let name = rest.map_or(Cow::Borrowed(path), |rest| Cow::Owned(format!("std::{rest}")));
    KNOWN.iter().find(|known| known.path == name)
}

/// Whether types of a crate are known by name.
pub fn has_crate(name: &str) -> bool {
    KNOWN.iter().any(|known| known.path.strip_prefix(name).is_some_and(|rest| rest.starts_with("::")))
}
