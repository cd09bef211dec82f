//! The fields that an expression reads, and where they are in the schema.

use std::ops::Range;

use crate::cel::escape::unescape;
use crate::cel::span;
use crate::cel::types::{Kind, Ty, Types};
use crate::path::Step;

/// A field that an expression reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldUse {
    /// The name of the field in the schema.
    pub name: String,
    /// Where its name is in the expression, in bytes.
    pub at: Range<usize>,
    /// The steps from the schema of `self` to that of the field. `None` if the value before the dot may have any type.
    pub schema: Option<Vec<Step>>,
}

/// The fields that a compiled expression reads.
pub(super) fn of(text: &str, checked: &crate::cel::Checked, types: &Types) -> Vec<FieldUse> {
    let mut out: Vec<FieldUse> = Vec::new();
    for span::Selection { operand, field, at } in span::selections(text, &checked.ast) {
        let of = checked.ty(operand);
        let name = unescape(&field).map_or_else(|| field.clone(), |name| name.into_owned());
        let schema = match types.kind(types.unwrap_optional(of).unwrap_or(of)) {
            Kind::Object { name: place, .. } => {
                let mut steps = steps(place);
                steps.extend([Step::Key("properties".to_owned()), Step::Key(name.clone())]);
                Some(steps)
            }
            _ if of == Ty::DYN || types.has_dyn(of) => None,
            // The keys of maps are not in the schema.
            _ => continue,
        };
        if !out.iter().any(|known| known.at == at && known.schema == schema) {
            out.push(FieldUse { name, at, schema });
        }
    }
    out
}

/// The steps from the schema of `self` to the place after which a type is named.
fn steps(place: &str) -> Vec<Step> {
    let key = |name: &str| Step::Key(name.to_owned());
    let mut out = Vec::new();
    for part in place.split('.').skip(1) {
        match part {
            "@idx" => out.push(key("items")),
            "@elem" => out.push(key("additionalProperties")),
            name => {
                out.push(key("properties"));
                out.push(unescape(name).map_or_else(|| key(name), |name| Step::Key(name.into_owned())));
            }
        }
    }
    out
}
