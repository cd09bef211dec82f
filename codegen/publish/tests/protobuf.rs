//! OpenAPI v2 in protobuf, compared with what the server's library (`handler.ToProtoBinary`) makes of the same document.

use crdgen_publish::openapi::to_protobuf;
use crdgen_text::json;
use std::fmt::Write;

#[test]
fn writes_what_the_server_writes() {
    let document = json::read(include_bytes!("openapi_v2/document.json")).expect("JSON");
    let mut hex = String::new();
    for byte in to_protobuf(&document) {
        write!(hex, "{byte:02x}").expect("a string");
    }
    let expected: String = include_str!("openapi_v2/protobuf.hex").split_whitespace().collect();
    assert_eq!(hex, expected);
}
