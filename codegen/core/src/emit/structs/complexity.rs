//! How complex clippy finds a type, so that generated code says where that is meant.

use super::{Field, Ty, Use};

/// Above this clippy warns (`type_complexity`).
const LIMIT: usize = 250;

/// Whether clippy would warn about a field.
pub(super) fn is_complex(fields: &[Field]) -> bool {
    fields.iter().any(|field| of_field(field) > LIMIT)
}

fn of_field(Field { required, usage, .. }: &Field) -> usize {
    if *required { of_use(usage, 1) } else { 10 + of_use(usage, 2) }
}

/// Every part of a type counts ten times its depth.
fn of_use(usage: &Use, depth: usize) -> usize {
    if usage.nullable { 10 * depth + of_type(&usage.ty, depth + 1) } else { of_type(&usage.ty, depth) }
}

fn of_type(ty: &Ty, depth: usize) -> usize {
    let own = 10 * depth;
    match ty {
        Ty::Bool
        | Ty::I32
        | Ty::I64
        | Ty::Number
        | Ty::String
        | Ty::Time
        | Ty::Json
        | Ty::Named(_)
        | Ty::Kubernetes(_) => own,
        Ty::JsonObject => own + 20 * (depth + 1),
        Ty::List(item) => own + of_use(item, depth + 1),
        Ty::Map(value) => own + 10 * (depth + 1) + of_use(value, depth + 1),
    }
}
