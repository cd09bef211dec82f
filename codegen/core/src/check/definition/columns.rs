//! `additionalPrinterColumns`

use super::hoist::{Hoisted, Place};
use crate::diag::codes::crd::{COLUMN_FORMAT, COLUMN_NAME, COLUMN_TYPE, JSON_PATH};
use crate::diag::{Diag, Diags};
use crate::ir::{ApiVersion, Column};
use crate::nearest::did_you_mean;
use crate::object::jsonpath::JsonPath;
use crate::path::Path;

const TYPES: &[&str] = &["boolean", "date", "integer", "number", "string"];
const FORMATS: &[&str] = &["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];

pub(super) fn check(view: &Hoisted<'_>, columns: &[Column], at: &Path<'_>, out: &mut Diags) {
    // Messages use the spelling of v1beta1.
    let written = match view.crd.api_version {
        ApiVersion::V1 => "jsonPath",
        ApiVersion::V1beta1 => "JSONPath",
    };
    for (i, column) in columns.iter().enumerate() {
        let at = at.index(i);
        let Column { name, ty, format, description: _, priority: _, json_path } = column;
        if name.is_empty() {
            let help = "add a heading: `name: Ready`";
            out.push(Diag::required(&COLUMN_NAME, &at.child("name"), "").help(help));
        }
        let path = at.child("type");
        let detail = format!("must be one of {}", TYPES.join(","));
        if ty.is_empty() {
            out.push(Diag::required(&COLUMN_TYPE, &path, detail).help("add `type: string`"));
        } else if !TYPES.contains(&ty.as_str()) {
            let help = match ty.as_str() {
                "object" | "array" => {
                    "choose a path that leads to a scalar; `type: string` shows anything".to_owned()
                }
                "date-time" | "time" | "timestamp" => "write `type: date`".to_owned(),
                ty => did_you_mean(ty, TYPES.iter().copied())
                    .unwrap_or_else(|| "write `type: string`".to_owned()),
            };
            out.push(Diag::invalid(&COLUMN_TYPE, &path, ty.as_str(), detail).help(help));
        }
        if !format.is_empty() && !FORMATS.contains(&format.as_str()) {
            let detail = format!("must be one of {}", FORMATS.join(","));
            out.push(
                Diag::invalid(&COLUMN_FORMAT, &at.child("format"), format.as_str(), detail)
                    .help("remove the format; the type decides how the column is shown"),
            );
        }
        let place = Place::child(&at, "JSONPath", &[written]);
        if json_path.is_empty() {
            let help = format!("add the path of the value: `{written}: .spec.replicas`");
            out.push(Diag::required(&JSON_PATH, &place.path(), "").help(help));
        } else {
            simple_path(json_path, &place.path(), out);
        }
    }
}

/// Reports a path that does not begin with a dot, which is all that the server checks. Returns whether it begins with
/// one.
pub(super) fn simple_path(text: &str, at: &Path<'_>, out: &mut Diags) -> bool {
    let good = text.starts_with('.');
    if !good {
        let (with_dot, without_braces) = match text.trim_matches(['{', '}']) {
            inner if inner.starts_with('.') => (inner.to_owned(), ", without braces"),
            inner => (format!(".{}", inner.trim_start_matches(['$', '.'])), ""),
        };
        let help = match JsonPath::parse(&with_dot) {
            Some(_) => format!("write `{with_dot}`{without_braces}"),
            None => "write a path such as `.spec.replicas`".to_owned(),
        };
        let detail = "must be a simple json path starting with .";
        out.push(Diag::invalid(&JSON_PATH, at, text, detail).help(help));
    }
    good
}
