//! What the server warns about in schemas that it accepts: formats that it does not know and therefore
//! does not check, and sets of things that are no scalars.

use crate::go;
use crate::ir::{Schema, Type};
use crate::structural;

pub use crate::format::KUBE_DEFAULT;

/// The warning about the format of a node, if a server of version 1.`minor` does not know it.
pub fn format_warning(schema: &Schema, minor: u32) -> Option<String> {
    let name = &schema.limits.format;
    let unknown = !name.is_empty() && !structural::is_supported(name, schema.ty.as_ref(), minor);
    unknown.then(|| format!("unrecognized format {}", go::quote(name)))
}

/// The warning about a node that is a set of objects or arrays.
pub fn set_warning(schema: &Schema) -> Option<String> {
    if schema.ext.list_type.as_deref() != Some("set") {
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
