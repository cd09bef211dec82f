use super::{read, write};
use crdgen_core::json;
use crdgen_core::value::Value;

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
fn rejects_what_json_cannot_say() {
    for (hex, why) in [
        ("", "unexpected EOF"),
        ("a1 6161", "unexpected EOF"),
        ("9f 01", "unexpected EOF"),
        ("1b ffffffffffffff", "unexpected EOF"),
        ("01 02", "cbor: 1 bytes of extraneous data starting at index 1"),
        ("a2 6161 01 4161 01", r#"cbor: found duplicate map key "a" at map element index 1"#),
        ("a1 01 01", "cbor: cannot unmarshal positive integer into Go value of type string"),
        (
            "f7",
            "cbor: data item of cbor type primitives is not accepted by protocol: simple value 23 is not recognized",
        ),
        (
            "e5",
            "cbor: data item of cbor type primitives is not accepted by protocol: simple value 5 is not recognized",
        ),
        ("f97e00", "cbor: data item of cbor type primitives is not accepted by protocol: floating-point NaN"),
        (
            "f97c00",
            "cbor: data item of cbor type primitives is not accepted by protocol: floating-point infinity",
        ),
        ("c2 4101", "cbor: data item of cbor type tag is not accepted by protocol: bignum"),
        ("61ff", "cbor: invalid UTF-8 string"),
        (
            "1b ffffffffffffffff",
            "cbor: cannot unmarshal positive integer into Go value of type int64 (18446744073709551615 overflows Go's int64)",
        ),
        (
            "3b ffffffffffffffff",
            "cbor: cannot unmarshal negative integer into Go value of type int64 (-18446744073709551616 overflows Go's int64)",
        ),
        ("c0 6161", "cbor: cannot set a for time.Time"),
        ("ff", "cbor: unexpected \"break\" code"),
        ("1c", "cbor: invalid additional information 28 for type positive integer"),
        ("7f 4161 ff", "cbor: wrong element type byte string for indefinite-length UTF-8 text string"),
    ] {
        assert_eq!(read(&bytes(hex)), Err(why.to_owned()), "{hex}");
    }
    let deep = [vec![0x81; 100_000], vec![0x01]].concat();
    assert!(read(&deep).is_err_and(|why| why.contains("max nested level")));
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
    // A long list that is not there takes no memory.
    assert!(read(&bytes("9bffffffffffffffff")).is_err());
    assert_eq!(read(&write(&Value::Null)), Ok(Value::Null));
}
