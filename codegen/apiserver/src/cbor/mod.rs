//! CBOR (RFC 8949), by the rules of `k8s.io/apimachinery/pkg/runtime/serializer/cbor`.

mod bytes;
mod head;
mod item;
mod number;
mod read;
mod scan;
mod write;

pub(crate) use read::{Fields, TypeMeta, read, type_meta};
pub(crate) use write::{event, write};

/// What each document begins with: the tag of CBOR itself.
const SELF_DESCRIBED: [u8; 3] = [0xd9, 0xd9, 0xf7];

/// The major types of items.
mod major {
    pub(super) const POSITIVE: u8 = 0;
    pub(super) const NEGATIVE: u8 = 1;
    pub(super) const BYTES: u8 = 2;
    pub(super) const TEXT: u8 = 3;
    pub(super) const LIST: u8 = 4;
    pub(super) const MAP: u8 = 5;
    pub(super) const TAG: u8 = 6;
    pub(super) const SIMPLE: u8 = 7;
}

/// Why bytes are not accepted, in the words of the server's library where it has such.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// The bytes are not one item of CBOR.
    Malformed(String),
    /// The item cannot be the object.
    Value(String),
}

#[cfg(test)]
mod tests;
