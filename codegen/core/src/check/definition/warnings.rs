//! What the server warns about when it takes a definition.

use super::hoist::Hoisted;
use crate::check::schema::{set_warnings, unrecognized_formats};
use crate::diag::codes::schema::{SET_OF_COMPOUNDS, UNRECOGNIZED_FORMAT};
use crate::diag::{Code, Diag, Diags, Level};
use crate::go;
use crate::path::Path;

/// The warnings about a new definition.
pub(crate) fn on_create(view: &Hoisted<'_>, minor: u32) -> Diags {
    let formats = formats(view, minor).into_iter().map(format_warning);
    formats.chain(sets(view).into_iter().map(set_warning)).collect()
}

/// The warnings about a changed definition: only of what is new.
pub(crate) fn on_update(view: &Hoisted<'_>, old: &Hoisted<'_>, minor: u32) -> Diags {
    let (old_formats, old_sets) = (formats(old, minor), sets(old));
    let formats = formats(view, minor).into_iter().filter(|f| !old_formats.contains(f)).map(format_warning);
    formats.chain(sets(view).into_iter().filter(|s| !old_sets.contains(s)).map(set_warning)).collect()
}

fn formats<'a>(view: &Hoisted<'a>, minor: u32) -> Vec<&'a str> {
    view.schemas().flat_map(|schema| unrecognized_formats(schema, minor)).collect()
}

fn sets(view: &Hoisted<'_>) -> Vec<String> {
    set_warnings(view.schemas()).into_iter().collect()
}

fn format_warning(format: &str) -> Diag {
    let detail = format!("unrecognized format {}", go::quote(format));
    warning(
        &UNRECOGNIZED_FORMAT,
        detail,
        "the format is not checked; use a pattern or a rule where it has to be",
    )
}

fn set_warning(detail: String) -> Diag {
    warning(&SET_OF_COMPOUNDS, detail, "use `x-kubernetes-list-type: map` with keys, or atomic")
}

fn warning(code: &'static Code, detail: String, help: &str) -> Diag {
    Diag::own(code, Level::Warning, &Path::ROOT, detail).help(help)
}
