use super::{Fields, Problem, TypeMeta, type_meta, write};
use crdgen_core::ir::{Additional, Schema, Type};
use crdgen_core::json;
use crdgen_core::value::{MAX_DEPTH, Map, Value};

fn read(bytes: &[u8]) -> Result<Value, Problem> {
    super::read(bytes, None)
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter(u8::is_ascii_hexdigit).collect();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).expect("ASCII"), 16).expect("hex");
    digits.chunks(2).map(byte).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes are those of kube-apiserver.
#[test]
fn writes_the_shortest_form_in_the_order_of_bytes() {
    for (text, expected) in [
        ("null", "f6"),
        ("[true,false]", "82f5f4"),
        (r#"{"b":2,"aa":3,"a":1}"#, "a3 4161 01 4162 02 426161 03"),
        (r#""""#, "40"),
        (
            "[0,23,24,255,256,65535,65536,4294967296]",
            "88 00 17 1818 18ff 190100 19ffff 1a00010000 1b0000000100000000",
        ),
        ("[-1,-24,-25,-256,-257]", "85 20 37 3818 38ff 390100"),
        ("9223372036854775807", "1b7fffffffffffffff"),
        ("-9223372036854775808", "3b7fffffffffffffff"),
        // RFC 8949, appendix A.
        (
            "[1.0,1.1,1.5,65504.0,100000.0,3.4028234663852886e+38,1.0e+300]",
            "87 f93c00 fb3ff199999999999a f93e00 f97bff fa47c35000 fa7f7fffff fb7e37e43c8800759c",
        ),
        (
            "[5.960464477539063e-8,0.00006103515625,-4.0,-4.1,0.0]",
            "85 f90001 f90400 f9c400 fbc010666666666666 f90000",
        ),
    ] {
        let value = json::read(text.as_bytes()).expect(text);
        assert_eq!(hex(&write(&value)), hex(&bytes(&format!("d9d9f7{expected}"))), "{text}");
        assert_eq!(read(&write(&value)), Ok(value), "{text}");
    }
}

/// What kube-apiserver makes of the same bytes.
#[test]
fn reads_all_forms_of_values() {
    for (hex, expected) in [
        ("d9d9f7 01", "1"),
        ("d822 01", "1"),
        ("63616263", r#""abc""#),
        ("43616263", r#""abc""#),
        ("41ff", "\"\u{fffd}\""),
        ("d6 43616263", r#""YWJj""#),
        ("d5 42fbff", r#""-_8""#),
        ("d7 426162", r#""6162""#),
        ("d6 63616263", r#""abc""#),
        // A tag is about all bytes in its value, and an inner one wins.
        ("d5 82 42fbff 6161", r#"["-_8","a"]"#),
        ("d6 a1 6161 426162", r#"{"a":"YWI="}"#),
        ("d7 d6 426162", r#""YWI=""#),
        ("d6 d864 426162", r#""YWI=""#),
        // Names of members.
        ("a1 d6 426162 01", r#"{"YWI=":1}"#),
        ("a1 d864 6161 01", r#"{"a":1}"#),
        ("a1 f6 01", r#"{"":1}"#),
        ("c0 74323032302d30312d30315430303a30303a30305a", r#""2020-01-01T00:00:00Z""#),
        ("c1 1a5e0be100", r#""2020-01-01T00:00:00Z""#),
        ("c1 fb41d782f840200000", r#""2020-01-01T00:00:00.5Z""#),
        ("c1 fbbfe0000000000000", r#""1969-12-31T23:59:59.5Z""#),
        ("7f 6161 6162 ff", r#""ab""#),
        ("5f 4161 4162 ff", r#""ab""#),
        ("9f 01 02 ff", "[1,2]"),
        ("bf 6161 01 ff", r#"{"a":1}"#),
        ("a2 4161 01 6162 f6", r#"{"a":1,"b":null}"#),
        ("f97bff", "65504.0"),
        ("f90001", "5.960464477539063e-8"),
        ("fa7f7fffff", "3.4028234663852886e+38"),
    ] {
        assert_eq!(read(&bytes(hex)), Ok(json::read(expected.as_bytes()).expect(expected)), "{hex}");
    }
}

/// What kube-apiserver rejects, too.
#[test]
fn rejects_what_is_not_cbor() {
    for (hex, why) in [
        ("", "EOF"),
        ("c0", "unexpected EOF"),
        ("a1 6161", "unexpected EOF"),
        ("9f 01", "unexpected EOF"),
        ("7f 6161", "unexpected EOF"),
        ("1b ffffffffffffff", "unexpected EOF"),
        ("9903e8", "unexpected EOF"),
        ("01 02", "cbor: 1 bytes of extraneous data starting at index 1"),
        ("f97e00", "cbor: data item of cbor type primitives is not accepted by protocol: floating-point NaN"),
        (
            "f97c00",
            "cbor: data item of cbor type primitives is not accepted by protocol: floating-point infinity",
        ),
        ("c2 4101", "cbor: data item of cbor type tag is not accepted by protocol: bignum"),
        ("f818", "cbor: invalid simple value 24 for type primitives"),
        ("ff", "cbor: unexpected \"break\" code"),
        ("82 01 ff", "cbor: unexpected \"break\" code"),
        ("bf 6161 ff", "cbor: unexpected \"break\" code"),
        ("1c", "cbor: invalid additional information 28 for type positive integer"),
        ("df01", "cbor: invalid additional information 31 for type tag"),
        ("fc", "cbor: invalid additional information 28 for type primitives"),
        ("7f 4161 ff", "cbor: wrong element type byte string for indefinite-length UTF-8 text string"),
        ("7f 7f 6161 ff ff", "cbor: indefinite-length UTF-8 text string chunk is not definite-length"),
        // Lengths that are not there take no memory.
        ("9b7fffffffffffffff", "cbor: exceeded max number of elements 2147483647 for CBOR array"),
        (
            "9bffffffffffffffff",
            "cbor: array length 18446744073709551615 is too large, it would cause integer overflow",
        ),
        ("bb7fffffffffffffff", "cbor: exceeded max number of key-value pairs 2097152 for CBOR map"),
        (
            "5bffffffffffffffff",
            "cbor: byte string length 18446744073709551615 is too large, causing integer overflow",
        ),
        ("7b7fffffffffffffff", "unexpected EOF"),
        // The whole text is looked at before a value in it.
        ("82 f7 1c", "cbor: invalid additional information 28 for type positive integer"),
    ] {
        assert_eq!(read(&bytes(hex)), Err(Problem::Malformed(why.to_owned())), "{hex}");
    }
    for (byte, count) in [(0x81, 10_001), (0xc7, 10_002), (0x9f, 20_000)] {
        let deep = [vec![byte; count], vec![0x01]].concat();
        let why = "cbor: exceeded max nested level 10000".to_owned();
        assert_eq!(read(&deep), Err(Problem::Malformed(why)));
    }
    let tags = [vec![0xc7; 10_000], vec![0x01]].concat();
    assert_eq!(read(&tags), Ok(Value::Int(1)));
    // Values have the depth of those in JSON.
    let deep = [vec![0x81; MAX_DEPTH + 1], vec![0x01]].concat();
    assert_eq!(read(&deep), Err(Problem::Value(format!("cbor: exceeded max nested level {MAX_DEPTH}"))));
}

/// What kube-apiserver rejects, too.
#[test]
fn rejects_what_json_cannot_say() {
    let simple = |number: u8| {
        format!(
            "cbor: data item of cbor type primitives is not accepted by protocol: simple value {number} is not recognized"
        )
    };
    let name = |found: &str| format!("cbor: cannot unmarshal {found} into Go value of type string");
    for (hex, why) in [
        ("a2 6161 01 4161 01", r#"cbor: found duplicate map key "a" at map element index 1"#.to_owned()),
        ("a1 01 01", name("positive integer")),
        ("a1 20 01", name("negative integer")),
        ("a1 80 01", name("array")),
        ("a1 a0 01", name("map")),
        ("a1 f5 01", name("primitives")),
        ("a1 f93c00 01", name("primitives")),
        ("a1 e0 01", simple(0)),
        ("f7", simple(23)),
        ("e5", simple(5)),
        ("f820", simple(32)),
        ("61ff", "cbor: invalid UTF-8 string".to_owned()),
        ("7f 61c3 61a9 ff", "cbor: invalid UTF-8 string".to_owned()),
        (
            "1b ffffffffffffffff",
            "cbor: cannot unmarshal positive integer into Go value of type int64 (18446744073709551615 overflows Go's int64)".to_owned(),
        ),
        (
            "3b ffffffffffffffff",
            "cbor: cannot unmarshal negative integer into Go value of type int64 (-18446744073709551616 overflows Go's int64)".to_owned(),
        ),
        (
            "c0 60",
            r#"cbor: cannot set  for time.Time: parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006""#.to_owned(),
        ),
        ("c0 4161", "cbor: tag number 0 must be followed by text string, got byte string".to_owned()),
        (
            "c1 6161",
            "cbor: tag number 1 must be followed by integer or floating-point number, got UTF-8 text string"
                .to_owned(),
        ),
        (
            "c1 1b0000010000000000",
            "cbor: decoded time cannot be represented in RFC3339 format with sub-second precision: Time.MarshalText: year outside of range [0,9999]"
                .to_owned(),
        ),
    ] {
        assert_eq!(read(&bytes(hex)), Err(Problem::Value(why)), "{hex}");
    }
}

/// A schema of secrets, of which only the bytes matter.
fn secrets() -> Schema {
    let mut bytes = Schema { ty: Some(Type::String), ..Schema::default() };
    bytes.limits.format = "byte".to_owned();
    let data =
        Schema { additional_properties: Some(Additional::Schema(Box::new(bytes))), ..Schema::default() };
    Schema { properties: Map::from_iter([("data".to_owned(), data)]), ..Schema::default() }
}

/// What kube-apiserver makes of the data of secrets.
#[test]
fn bytes_are_base64_unless_a_tag_says_otherwise() {
    let schema = secrets();
    let fields = Fields { schema: &schema, version: "v1", kind: "Secret" };
    let into = |found: &str, ty: &str| {
        Err(format!("cbor: cannot unmarshal {found} into Go struct field v1.Secret.data of type {ty}"))
    };
    for (hex, expected) in [
        ("44 59574a6a", Ok("YWJj")),
        ("40", Ok("")),
        ("d5 42fbff", Ok("+/8=")),
        ("d6 42fbff", Ok("+/8=")),
        ("d7 42fbff", Ok("+/8=")),
        ("d864 44 59574a6a", Ok("YWJj")),
        ("82 01 02", Ok("AQI=")),
        ("80", Ok("")),
        (
            "43 616263",
            Err("cbor: failed to decode base64 from byte string: illegal base64 data at input byte 0"
                .to_owned()),
        ),
        ("64 59574a6a", into("UTF-8 text string", "[]uint8")),
        ("d6 64 59574a6a", into("UTF-8 text string", "[]uint8")),
        ("c0 6161", into("UTF-8 text string", "[]uint8")),
        ("01", into("positive integer", "[]uint8")),
        ("f5", into("primitives", "[]uint8")),
        ("a0", into("map", "[]uint8")),
        ("81 6161", into("UTF-8 text string", "uint8")),
        ("81 190100", into("positive integer", "uint8 (256 overflows uint8)")),
    ] {
        let found = super::read(&bytes(&format!("a1 6464617461 a1 616b {hex}")), Some(fields));
        let found = found.map(|object| object.get("data").and_then(|data| data.get("k")).cloned());
        let expected = expected.map(|text| Some(Value::from(text))).map_err(Problem::Value);
        assert_eq!(found, expected, "{hex}");
    }
}

#[test]
fn fields_have_the_types_of_go() {
    let of = |ty| Schema { ty: Some(ty), ..Schema::default() };
    let mut number = of(Type::Integer);
    number.limits.format = "int32".to_owned();
    let fields = [("b", of(Type::Boolean)), ("n", number), ("s", of(Type::String))];
    let properties = fields.map(|(name, schema)| (name.to_owned(), schema));
    let schema = Schema { properties: Map::from_iter(properties), ..Schema::default() };
    let fields = Fields { schema: &schema, version: "v1", kind: "Thing" };
    for (hex, why) in [
        ("6162 f5", None),
        ("6162 f6", None),
        ("6162 01", Some("positive integer into Go struct field v1.Thing.b of type bool")),
        ("6162 6161", Some("UTF-8 text string into Go struct field v1.Thing.b of type bool")),
        ("616e 20", None),
        ("616e f93c00", Some("primitives into Go struct field v1.Thing.n of type int32")),
        ("6173 4161", None),
        ("6173 d6 4161", None),
        ("6173 d6 01", Some("positive integer into Go struct field v1.Thing.s of type string")),
        ("6173 80", Some("array into Go struct field v1.Thing.s of type string")),
    ] {
        let found = super::read(&bytes(&format!("a1 {hex}")), Some(fields));
        let why = why.map(|why| Problem::Value(format!("cbor: cannot unmarshal {why}")));
        assert_eq!(found.err(), why, "{hex}");
    }
}

#[test]
fn a_broken_object_has_a_kind() {
    let of = |kind: &str| TypeMeta { api_version: "v".to_owned(), kind: kind.to_owned() };
    for (hex, kind) in [
        ("a3 6178 f7 6a61706956657273696f6e 6176 646b696e64 614b", "K"),
        ("d9d9f7 bf 6178 f7 6a61706956657273696f6e 6176 646b696e64 414b ff", "K"),
        ("a3 6a61706956657273696f6e 6176 646b696e64 01 6178 f7", ""),
    ] {
        assert_eq!(type_meta(&bytes(hex)), Ok(of(kind)), "{hex}");
    }
    assert_eq!(type_meta(&bytes("f6")), Ok(TypeMeta::default()));
    for (hex, what) in [
        ("01", "positive integer into Go value of type v1.TypeMeta"),
        ("d818 40", "byte string into Go value of type v1.TypeMeta"),
        (
            "80",
            "array into Go value of type v1.TypeMeta (cannot decode CBOR array to struct without toarray option)",
        ),
    ] {
        let why = format!("cbor: cannot unmarshal {what}");
        assert_eq!(type_meta(&bytes(hex)), Err(Problem::Value(why)), "{hex}");
    }
}

#[test]
fn broken_bytes_are_no_panic() {
    let good = write(&json::read(br#"{"a":[1,-2,0.1,"x",{"b":null}],"c":true}"#).expect("JSON"));
    for index in 0..good.len() {
        _ = read(&good[..index]);
        for byte in 0..=255 {
            let mut bad = good.clone();
            bad[index] = byte;
            if let Ok(value) = read(&bad) {
                assert_eq!(read(&write(&value)), Ok(value));
            }
        }
    }
    assert_eq!(read(&write(&Value::Null)), Ok(Value::Null));
}
