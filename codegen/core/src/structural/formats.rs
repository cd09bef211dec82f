//! Which formats a server checks on which types.

use crate::ir::Type;
use crate::server::Server;
use crdgen_text::format::Format;

/// The first version that checks whether a format applies to the type.
const TYPED_SINCE: u32 = 36;

/// Returns whether the server checks a format on values of a type. Without a type, the format counts as a format of
/// strings.
pub fn is_supported(format: &str, ty: Option<&Type>, server: Server) -> bool {
    match ty {
        None | Some(Type::String) => Format::find(format, server.compatibility()).is_some(),
        Some(_) if server.is_before(TYPED_SINCE) => Format::find(format, server.compatibility()).is_some(),
        Some(Type::Integer) => matches!(format, "int32" | "int64"),
        Some(Type::Number) => matches!(format, "float" | "double"),
        Some(Type::Object | Type::Array | Type::Boolean | Type::Other(_)) => false,
    }
}
