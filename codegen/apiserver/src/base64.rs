//! Base64 in the alphabet of URLs, without its end.

use crdgen_core::go;

pub(crate) fn write(bytes: &[u8]) -> String {
    go::base64_encode(bytes).trim_end_matches('=').replace('+', "-").replace('/', "_")
}

pub(crate) fn read(text: &str) -> Option<Vec<u8>> {
    let end = "=".repeat(text.len().wrapping_neg() % 4);
    go::base64_decode(&(text.replace('-', "+").replace('_', "/") + &end))
}
