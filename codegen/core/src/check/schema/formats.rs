//! What the server warns about in schemas that it accepts: formats that it does not know, and therefore does not check,
//! and sets of items that are not scalars.

use crate::go;
use crate::ir::{Schema, Type};
use crate::server::{Server, is_supported};

/// The first version that warns about formats of strings, and the first that warns about all formats.
const STRING_FORMATS_SINCE: u32 = 34;
const ALL_FORMATS_SINCE: u32 = 36;

/// The first version that warns about sets of objects and arrays.
const SETS_SINCE: u32 = 37;

/// Returns the warning about the format of a node. `None` if the server knows the format.
pub fn format_warning(schema: &Schema, server: Server) -> Option<String> {
    let name = &schema.limits.format;
    let is_string = matches!(schema.ty, Some(Type::String));
    let since = if is_string { STRING_FORMATS_SINCE } else { ALL_FORMATS_SINCE };
    let unknown =
        !server.is_before(since) && !name.is_empty() && !is_supported(name, schema.ty.as_ref(), server);
    unknown.then(|| format!("unrecognized format {}", go::quote(name)))
}

/// Returns the warning about a node that is a set of objects or arrays.
pub fn set_warning(schema: &Schema, server: Server) -> Option<String> {
    if server.is_before(SETS_SINCE) || schema.ext.list_type.as_deref() != Some("set") {
        return None;
    }
    match schema.item()?.ty.as_ref()? {
        ty @ (Type::Object | Type::Array) => Some(format!(
            "x-kubernetes-list-type: set for items of type {} is not supported by server-side apply or CEL \
             validation rules",
            go::quote(ty.as_str())
        )),
        Type::String | Type::Integer | Type::Number | Type::Boolean | Type::Other(_) => None,
    }
}
