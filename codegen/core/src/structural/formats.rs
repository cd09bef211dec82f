//! Which formats a server checks on which types.

use crate::ir::Type;
use crdgen_text::format::Format;

/// Whether servers from 1.`minor` on check a format on values of a type. Without a type it counts as one of strings.
pub fn is_supported(format: &str, ty: Option<&Type>, minor: u32) -> bool {
    match ty {
        None | Some(Type::String) => Format::find(format, minor).is_some(),
        Some(Type::Integer) => matches!(format, "int32" | "int64"),
        Some(Type::Number) => matches!(format, "float" | "double"),
        Some(Type::Object | Type::Array | Type::Boolean | Type::Other(_)) => false,
    }
}
