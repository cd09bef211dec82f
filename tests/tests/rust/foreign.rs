//! Types of other crates: on both routes, the schema accepts what their serde impl writes, and their serde impl reads
//! what the schema accepts. If no format describes a type, its schema has none.

use crdgen::source;
use crdgen::{CustomResource, Schema};
use crdgen_core::diag::Level;
use crdgen_core::object::validate::Validator;
use crdgen_core::path::Path;
use crdgen_core::{encode, json, recipe};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "foreign.example.com", version = "v1", kind = "Foreign")]
#[schema(test = false)]
struct ForeignSpec {
    chrono_utc: chrono::DateTime<chrono::Utc>,
    chrono_fixed: chrono::DateTime<chrono::FixedOffset>,
    chrono_date: chrono::NaiveDate,
    chrono_time: chrono::NaiveTime,
    chrono_naive: chrono::NaiveDateTime,
    chrono_weekday: chrono::Weekday,
    #[serde(with = "chrono::serde::ts_seconds")]
    chrono_seconds: chrono::DateTime<chrono::Utc>,
    jiff_timestamp: jiff::Timestamp,
    // The schema cannot list the names of all time zones.
    #[schema(example = "2026-01-31T12:00:00+00:00[UTC]")]
    jiff_zoned: jiff::Zoned,
    jiff_date: jiff::civil::Date,
    jiff_time: jiff::civil::Time,
    jiff_naive: jiff::civil::DateTime,
    jiff_span: jiff::Span,
    jiff_duration: jiff::SignedDuration,
    #[serde(with = "time::serde::rfc3339")]
    time: time::OffsetDateTime,
    #[serde(with = "time::serde::rfc3339::option")]
    time_option: Option<time::OffsetDateTime>,
    #[serde(with = "time::serde::timestamp")]
    time_seconds: time::OffsetDateTime,
    uuid: uuid::Uuid,
    url: url::Url,
    bytes: bytes::Bytes,
    version: semver::Version,
    requirement: semver::VersionReq,
    index_map: indexmap::IndexMap<String, i32>,
    index_set: indexmap::IndexSet<String>,
    array_vec: arrayvec::ArrayVec<i32, 4>,
    big_decimal: bigdecimal::BigDecimal,
    utf8_path: camino::Utf8PathBuf,
    net: ipnet::IpNet,
    net_v4: ipnet::Ipv4Net,
    net_v6: ipnet::Ipv6Net,
    ordered: ordered_float::OrderedFloat<f64>,
    not_nan: ordered_float::NotNan<f64>,
    decimal: rust_decimal::Decimal,
    small_vec: smallvec::SmallVec<[String; 4]>,
    small_text: smol_str::SmolStr,
    std_duration: std::time::Duration,
    std_system_time: std::time::SystemTime,
    std_ip: std::net::IpAddr,
    std_ipv4: std::net::Ipv4Addr,
    std_ipv6: std::net::Ipv6Addr,
    std_socket: std::net::SocketAddr,
}

/// The attributes in ATTRIBUTES.md for types without a schema. What kube has is tested in examples/kube.
#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "foreign.example.com", version = "v1", kind = "Documented")]
#[schema(test = false)]
struct DocumentedSpec {
    #[schema(as = "Vec<i64>", length(min = 2, max = 2), items(minimum = -9000000000000000, maximum = 9000000000000000), rule = "self[1] >= 0 && self[1] < 1000000000")]
    delta: chrono::TimeDelta,
    #[schema(as = "String", one_of_values = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])]
    day: chrono::Weekday,
    number: u64,
    small: std::num::NonZeroI8,
    map: std::collections::BTreeMap<String, Option<f32>>,
    pair: (char, char),
    range: std::ops::Range<u32>,
}

/// serde reads random objects that the server accepts, and the server accepts what serde writes then. The generated test of a kind
/// does the same.
#[test]
fn random_objects_come_back() {
    crdgen::__private::Reads::<Foreign>::test("");
    crdgen::__private::Reads::<Documented>::test("");
}

/// No object is valid, so there is nothing to test.
#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "foreign.example.com", version = "v1", kind = "Impossible")]
#[schema(test = false, rule = "self.a == 'x' && self.a.size() == 2")]
struct ImpossibleSpec {
    #[schema(max_length = 5)]
    a: String,
}

#[test]
#[should_panic = "Impossible: crdgen found no object that the server accepts: spec: Invalid value: "]
fn a_kind_without_objects_fails() {
    crdgen::__private::Reads::<Impossible>::test("");
}

#[test]
fn both_routes_give_the_same() {
    let options = source::Options {
        path: crdgen_tests::corpus::tests_dir().join("tests/rust/foreign.rs"),
        kinds: vec!["Foreign".to_owned()],
        ..source::Options::default()
    };
    let read = source::read(&options).unwrap_or_else(|e| panic!("{e}"));
    assert!(!read.has_errors(), "{}", source::render(&read.found));
    assert_eq!(json::to_string(&encode::crd(&read.crds[0])), json::to_string(&encode::crd(&Foreign::crd())));
}

/// `emit` only knows the types of a crate if crdgen has a feature for the crate.
#[test]
fn every_known_crate_has_a_feature() {
    let manifest = include_str!("../../../codegen/crdgen/Cargo.toml");
    let of_no_feature = ["std", "kube", "k8s_openapi", "crdgen"];
    for known in recipe::known::KNOWN {
        let Some((name, _)) = known.path.split_once("::") else { continue };
        let is_feature = |name: &str| manifest.contains(&format!("\n{name} = [\"crdgen-runtime/{name}\""));
        let has_one = is_feature(name) || is_feature(&name.replace('_', "-"));
        assert!(of_no_feature.contains(&name) || has_one, "{} is known, and has no feature", known.path);
    }
}

/// A field with a `with` module of its crate has the form of that module.
#[test]
fn modules_of_the_crates_have_their_forms() {
    let crd = Foreign::crd();
    let spec = crd.spec.schema_of(0).and_then(|s| s.properties.get("spec")).expect("a spec");
    let field = |name: &str| json::to_string(&encode::schema(spec.properties.get(name).expect("a field")));
    assert_eq!(field("chrono_seconds"), r#"{"format":"int64","type":"integer"}"#);
    assert_eq!(field("time"), r#"{"format":"date-time","type":"string"}"#);
    assert_eq!(field("time_option"), r#"{"format":"date-time","nullable":true,"type":"string"}"#);
    assert_eq!(field("time_seconds"), r#"{"format":"int64","type":"integer"}"#);
}

/// The form of these types depends on features of their crate, so the user has to choose one.
#[test]
fn a_form_that_cannot_be_known_is_an_error() {
    let (_, diags) = recipe::link_type::<time::OffsetDateTime>();
    let [only] = diags.as_slice() else { panic!("{diags:?}") };
    assert!(only.help.as_deref().is_some_and(|h| h.contains("time::serde::rfc3339")), "{only:?}");
}

/// Returns values that mean something to one of the types, and values that nearly do.
fn candidates() -> Vec<Json> {
    let texts = [
        "",
        "x",
        "2024-02-29",
        "2023-02-29",
        "2024-2-9",
        "0000-01-01",
        "9999-12-31",
        "-0001-01-01",
        "10000-01-01",
        "2024-02-29T12:30:45Z",
        "2024-02-29T12:30:45.123456789Z",
        "2024-02-29T12:30:45+02:00",
        "2024-02-29t12:30:45z",
        "2024-02-29T12:30:45",
        "2024-02-29 12:30:45Z",
        "2024-02-29T24:00:00Z",
        "2024-02-29T12:30Z",
        "2024-02-29T12:30:60Z",
        "2024-02-29T12:30:45-23:59",
        "2024-02-29T12:30:45+24:00",
        "0000-01-01T00:00:00Z",
        "9999-12-31T23:59:59Z",
        "2024-02-29T12:30:45[Europe/Berlin]",
        "2024-02-29T12:30:45+01:00[Europe/Berlin]",
        "2024-02-29T12:30:45+07:00[Europe/Berlin]",
        "2024-02-29T12:30:45+01:00[Nowhere/Land]",
        "2024-02-29T12:30:45+01:00[+01:00]",
        "2024-02-29T12:30:45Z[UTC]",
        "12:30:45",
        "12:30",
        "12:30:45.5",
        "P1Y2M",
        "PT1H30M",
        "P1D",
        "-PT5S",
        "1h 30m",
        "3 days",
        "67e55044-10b1-426f-9247-bb680e5fe0c8",
        "67E55044-10B1-426F-9247-BB680E5FE0C8",
        "67e5504410b1426f9247bb680e5fe0c8",
        "{67e55044-10b1-426f-9247-bb680e5fe0c8}",
        "urn:uuid:67e55044-10b1-426f-9247-bb680e5fe0c8",
        "67e55044-10b1-426f-9247-bb680e5fe0c",
        "https://example.com",
        "https://example.com/a?b=c#d",
        "mailto:a@b",
        "example.com",
        "/a/b",
        "urn:a:b",
        "http://[::1]:80/",
        "http://a b/",
        "1.2.3",
        "1.2.3-alpha.1",
        "1.2.3+build",
        "1.2",
        "01.2.3",
        "1.2.3-",
        "1.2.3-01",
        "1.2.3-a..b",
        "1.2.3-0a.-",
        "1.2.3+01.x-y",
        "99999999999999999999.0.0",
        "^1.2",
        ">=1, <2",
        "*",
        "10.0.0.1",
        "010.0.0.1",
        "10.0.0",
        "::1",
        "::ffff:10.0.0.1",
        "fe80::1%eth0",
        "2001:DB8::1",
        "10.0.0.1:80",
        "[::1]:80",
        "[::1%5]:80",
        "[::1%eth0]:80",
        "[1::2::3]:80",
        "[:::]:80",
        "[12345::]:80",
        "[::g]:80",
        "[::01.2.3.4]:80",
        "[::1.2.3]:80",
        "[::1]:65536",
        "[1.2.3.4]:80",
        "256.0.0.1",
        "10.0.0.0/8",
        "10.0.0.1/33",
        "2001:db8::/32",
        "-1.50",
        "1e-7",
    ];
    let others = [
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(255),
        json!(256),
        json!(1.5),
        json!(-129),
        json!(1700000000_i64),
        json!(i64::MIN),
        json!(i64::MAX),
        json!(u64::MAX),
        json!(1e30),
        json!(1e39),
        json!([]),
        json!([1, 2, 255]),
        json!([0, 1]),
        json!([-1, 2147483648_i64]),
        json!({ "start": 1, "end": 5 }),
        json!({ "Ok": 1 }),
        json!({ "Err": "x" }),
        json!({ "secs": u64::MAX, "nanos": 1 }),
        json!({ "secs": i64::MAX, "nanos": 999999999 }),
        json!({ "secs": i64::MAX, "nanos": 1000000000 }),
        json!({ "secs_since_epoch": i64::MAX, "nanos_since_epoch": 999999999 }),
        json!([256]),
        json!(["a", "b"]),
        json!({}),
        json!({ "a": 1 }),
        json!({ "a": "x" }),
        json!({ "secs": 1, "nanos": 5 }),
        json!({ "secs": 1 }),
        json!({ "secs": -1, "nanos": 0 }),
        json!({ "secs": 1, "nanos": 4294967296_i64 }),
        json!({ "secs_since_epoch": 1, "nanos_since_epoch": 5 }),
    ];
    texts.iter().map(|t| json!(t)).chain(addresses().map(Json::from)).chain(others).collect()
}

/// Addresses of IPv6 with each number of groups, on both sides of `::` or without it, and with an IPv4 address at the end.
fn addresses() -> impl Iterator<Item = String> {
    let counts = (0..=9).flat_map(|before| (0..=9).map(move |after| (before, after)));
    counts.flat_map(|(before, after)| {
        let [before, after] = [before, after].map(|count| vec!["a1"; count].join(":"));
        let with_v4 = |groups: &str| format!("{groups}{}1.2.3.4", if groups.is_empty() { "" } else { ":" });
        [
            format!("[{before}::{after}]:80"),
            format!("[{before}::{}]:80", with_v4(&after)),
            format!("[{before}]:80"),
            format!("[{}]:80", with_v4(&before)),
        ]
    })
}

/// Known differences between what a type's schema accepts and what its serde impl reads, with the reason.
#[derive(Default)]
struct Limits {
    /// serde reads any string into the type, though the type writes another form.
    reads_text: bool,
    /// serde reads any number into the type, though the type writes another form.
    reads_numbers: bool,
    /// serde also reads lists of what is in a struct, though the type writes objects.
    reads_lists: bool,
    /// serde also reads numbers that are greater than those that a server stores, or too large for the type: f32 makes them infinite.
    reads_large: bool,
    /// Only the server accepts these.
    by_server: &'static [&'static str],
    /// Only serde reads these.
    by_serde: &'static [&'static str],
}

fn compare<T: Schema + Serialize + DeserializeOwned>(name: &str, limits: Limits, wrong: &mut Vec<String>) {
    let (linked, diags) = recipe::link_type::<T>();
    assert!(diags.iter().all(|diag| diag.level == Level::Warning), "{name}: {diags:?}");
    let validator = Validator::new(&linked.schema, crdgen_core::server::Server::NEWEST);
    let takes = |value: &Json| {
        let value = json::read(value.to_string().as_bytes()).unwrap_or_else(|e| panic!("{e:?}"));
        validator.validate(&value, &Path::ROOT).is_empty()
    };
    let (mut read, mut unused) = (0, Vec::from(limits.by_server));
    unused.extend(limits.by_serde);
    for value in candidates() {
        let text = value.as_str().unwrap_or_default();
        let taken = takes(&value);
        match serde_json::from_value::<T>(value.clone()) {
            Ok(own) => {
                read += 1;
                let written = serde_json::to_value(&own).unwrap_or_default();
                let number = value.get("secs").unwrap_or(&value);
                let is_large = number.as_f64().is_some_and(|number| number >= i64::MAX as f64);
                let as_list = limits.reads_lists && value.is_array();
                let odd = limits.by_serde.contains(&text) || limits.reads_large && is_large || as_list;
                if !takes(&written) && !odd {
                    wrong.push(format!("{name}: serde writes {written}, which the schema refuses"));
                }
                let as_other =
                    limits.reads_text && value.is_string() || limits.reads_numbers && value.is_number();
                if !(taken || odd || as_other) {
                    wrong.push(format!("{name}: serde reads {value}, which the schema refuses"));
                }
            }
            Err(error) => {
                let known = limits.by_server.contains(&text);
                // The server accepts any list for a string with a format.
                let odd = value.is_array() && linked.schema.ty == Some(crdgen::ir::Type::String);
                if taken && !known && !odd {
                    wrong.push(format!("{name}: the schema takes {value}, and serde does not: {error}"));
                }
            }
        }
        let differs = taken != serde_json::from_value::<T>(value.clone()).is_ok();
        unused.retain(|known| !(differs && *known == text));
    }
    if read == 0 || !unused.is_empty() {
        wrong.push(format!("{name}: {read} candidates are read; no limits: {unused:?}"));
    }
}

#[test]
fn schemas_accept_what_serde_accepts() {
    let mut wrong = Vec::new();
    macro_rules! compare {
        ($($ty:ty $({ $($limit:ident: $value:expr),* })?;)*) => {$(
            compare::<$ty>(
                stringify!($ty),
                Limits { $($($limit: $value,)*)? ..Limits::default() },
                &mut wrong,
            );
        )*};
    }
    compare! {
        // serde reads leap seconds and blanks, and offsets must be less than a day.
        chrono::DateTime<chrono::Utc> {
            by_serde: &["2024-02-29 12:30:45Z", "2024-02-29T12:30:60Z"],
            by_server: &["2024-02-29T12:30:45+24:00"]
        };
        chrono::DateTime<chrono::FixedOffset> {
            by_serde: &["2024-02-29 12:30:45Z", "2024-02-29T12:30:60Z"],
            by_server: &["2024-02-29T12:30:45+24:00"]
        };
        chrono::NaiveDate { by_serde: &["2024-2-9", "-0001-01-01"] };
        chrono::NaiveTime { reads_text: true };
        chrono::NaiveDateTime { reads_text: true };
        // Its last moment is one day before the end of the year 9999.
        jiff::Timestamp {
            by_serde: &[
                "2024-02-29 12:30:45Z",
                "2024-02-29T12:30Z",
                "2024-02-29T12:30:60Z",
                "2024-02-29T12:30:45+01:00[Europe/Berlin]",
                "2024-02-29T12:30:45+07:00[Europe/Berlin]",
                "2024-02-29T12:30:45+01:00[Nowhere/Land]",
                "2024-02-29T12:30:45+01:00[+01:00]",
                "2024-02-29T12:30:45Z[UTC]"
            ],
            by_server: &["9999-12-31T23:59:59Z"]
        };
        // The server does not know the zones and their offsets.
        jiff::Zoned {
            by_server: &["2024-02-29T12:30:45+07:00[Europe/Berlin]", "2024-02-29T12:30:45+01:00[Nowhere/Land]"]
        };
        // serde also reads a date from a time.
        jiff::civil::Date {
            by_serde: &[
                "2024-02-29T12:30:45+02:00",
                "2024-02-29T12:30:45",
                "2024-02-29T12:30:45-23:59",
                "2024-02-29T12:30:45+24:00",
                "2024-02-29T12:30:45[Europe/Berlin]",
                "2024-02-29T12:30:45+01:00[Europe/Berlin]",
                "2024-02-29T12:30:45+07:00[Europe/Berlin]",
                "2024-02-29T12:30:45+01:00[Nowhere/Land]",
                "2024-02-29T12:30:45+01:00[+01:00]"
            ]
        };
        // serde also reads other notations, which it does not write.
        jiff::civil::Time { reads_text: true };
        jiff::civil::DateTime { reads_text: true };
        jiff::Span { reads_text: true };
        jiff::SignedDuration { reads_text: true };
        uuid::Uuid {
            by_serde: &[
                "{67e55044-10b1-426f-9247-bb680e5fe0c8}",
                "urn:uuid:67e55044-10b1-426f-9247-bb680e5fe0c8"
            ]
        };
        url::Url;
        bytes::Bytes { reads_text: true };
        semver::Version;
        semver::VersionReq { reads_text: true };
        indexmap::IndexMap<String, i32>;
        indexmap::IndexSet<String>;
        arrayvec::ArrayVec<i32, 4>;
        smallvec::SmallVec<[i32; 2]>;
        ordered_float::OrderedFloat<f64>;
        ordered_float::NotNan<f64>;
        bigdecimal::BigDecimal { reads_numbers: true };
        rust_decimal::Decimal { reads_numbers: true, by_serde: &["1e-7"] };
        camino::Utf8PathBuf;
        smol_str::SmolStr;
        ipnet::IpNet;
        ipnet::Ipv4Net;
        ipnet::Ipv6Net;
        std::time::Duration { reads_lists: true, reads_large: true };
        std::time::SystemTime { reads_lists: true };
        std::net::IpAddr;
        std::net::Ipv4Addr;
        std::net::Ipv6Addr;
        std::net::SocketAddr;
        std::net::SocketAddrV4;
        std::net::SocketAddrV6;
        i8;
        i16;
        i32;
        i64;
        u8;
        u16;
        u32;
        u64 { reads_large: true };
        f32 { reads_large: true };
        f64;
        bool;
        char;
        String;
        std::num::NonZeroI8;
        std::num::NonZeroU8;
        std::num::NonZeroI64;
        std::num::NonZeroU64 { reads_large: true };
        std::ffi::CString { reads_text: true };
        std::path::PathBuf;
        std::ops::Range<i32> { reads_lists: true };
        std::collections::BTreeMap<String, i32>;
        Result<i32, String>;
        [u8; 2];
        (i32, i32);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
