//! Which formats a server checks on which types.

use super::Server;
use crate::ir::Type;
use crdgen_text::format::Format;

/// What to do about a format that a server does not check.
pub const FORMAT_HELP: &str =
    "the server does not check this format. To check the value, use a pattern or a rule";

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
