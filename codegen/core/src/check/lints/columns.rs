//! Lints for columns whose path does not lead to a field: the server shows them empty.

use super::Lints;
use crate::diag::codes::lint::COLUMN;
use crate::diag::{Diag, Diags, Level};
use crate::ir::{ApiVersion, Crd};
use crate::nearest::did_you_mean;
use crate::object::jsonpath::JsonPath;
use crate::path::Path;
use std::collections::HashSet;

pub(super) fn check(crd: &Crd, lints: &Lints, out: &mut Diags) {
    // The server then keeps unknown fields, so the column may have a value.
    if !lints.is_on(&COLUMN) || crd.spec.preserve_unknown_fields == Some(true) {
        return;
    }
    let spec = Path::ROOT.child("spec");
    let versions = spec.child("versions");
    let mut reported = HashSet::new();
    for (i, version) in crd.spec.versions.iter().enumerate() {
        let Some(schema) = crd.spec.schema_of(i) else { continue };
        let of_version = versions.index(i);
        let is_own = version.body.columns.is_some();
        let columns = if is_own { &of_version } else { &spec }.child("additionalPrinterColumns");
        for (j, column) in crd.spec.columns_of(i).iter().enumerate() {
            let Some(absent) = JsonPath::parse(&column.json_path).and_then(|path| path.absent(schema)) else {
                continue;
            };
            let at = columns.index(j);
            let name = match crd.api_version {
                ApiVersion::V1 => "jsonPath",
                ApiVersion::V1beta1 => "JSONPath",
            };
            let place = at.child(name);
            // Versions may share their columns.
            if !is_own && !reported.insert(j) {
                continue;
            }
            let whole = if absent.parent.is_empty() { "the schema" } else { &absent.parent };
            let name = &absent.name;
            let detail = match absent.is_deep {
                true => format!("nothing in {whole} has a field {name}, so the column is always empty"),
                false => format!("{whole} has no field {name}, so the column is always empty"),
            };
            let help = did_you_mean(&absent.name, absent.known.iter().copied()).unwrap_or_else(|| {
                "write the path of a field that the schema has, or add the field to the schema".to_owned()
            });
            out.push(Diag::own(&COLUMN, Level::Warning, &place, detail).help(help));
        }
    }
}
