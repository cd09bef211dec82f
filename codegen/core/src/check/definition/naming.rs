//! `names`, in the spec and in the status.

use crate::diag::codes::crd::{LIST_KIND, NAMES_INVALID, NAMES_MISSING};
use crate::diag::{Diag, Diags};
use crate::ir::Names;
use crate::names;
use crate::path::Path;

/// Names that a spec must have.
pub(super) fn required(names: &Names, at: &Path<'_>, out: &mut Diags) {
    let Names { plural, singular, kind, list_kind, short_names: _, categories: _ } = names;
    let example = if kind.is_empty() { "widgets".to_owned() } else { format!("{}s", kind.to_lowercase()) };
    let all = [
        ("plural", plural, format!("add `plural: {example}`")),
        ("singular", singular, "add `kind`, from which the singular is derived".to_owned()),
        ("kind", kind, "add `kind: Widget`".to_owned()),
        ("listKind", list_kind, "add `kind`, from which the listKind is derived".to_owned()),
    ];
    for (name, _, help) in all.into_iter().filter(|(_, text, _)| text.is_empty()) {
        out.push(Diag::required(&NAMES_MISSING, &at.child(name), "").help(help));
    }
}

/// Checks the syntax of the names.
pub(super) fn valid(names: &Names, at: &Path<'_>, out: &mut Diags) {
    let Names { plural, singular, short_names, kind, list_kind, categories } = names;
    let help = "write lower-case letters, digits and dashes, beginning with a letter";
    for (field, name) in [("plural", plural), ("singular", singular)] {
        let errors = if name.is_empty() { Vec::new() } else { names::dns1035_label(name) };
        if !errors.is_empty() {
            let path = at.child(field);
            out.push(Diag::invalid(&NAMES_INVALID, &path, name.as_str(), errors.join(",")).help(help));
        }
    }
    for (field, name) in [("kind", kind), ("listKind", list_kind)] {
        let errors = if name.is_empty() { Vec::new() } else { names::dns1035_label(&name.to_lowercase()) };
        if !errors.is_empty() {
            let detail = format!("may have mixed case, but should otherwise match: {}", errors.join(","));
            let help = "write letters, digits and dashes, beginning with a letter: `CronTab`";
            out.push(Diag::invalid(&NAMES_INVALID, &at.child(field), name.as_str(), detail).help(help));
        }
    }
    for (field, list) in [("shortNames", short_names), ("categories", categories)] {
        let at = at.child(field);
        for (i, name) in list.iter().enumerate() {
            let errors = names::dns1035_label(name);
            if !errors.is_empty() {
                let path = at.index(i);
                out.push(Diag::invalid(&NAMES_INVALID, &path, name.as_str(), errors.join(",")).help(help));
            }
        }
    }
    if !kind.is_empty() && kind == list_kind {
        out.push(
            Diag::invalid(
                &LIST_KIND,
                &at.child("listKind"),
                list_kind.as_str(),
                "kind and listKind may not be the same",
            )
            .help(format!("write `listKind: {kind}List`, or leave it out")),
        );
    }
}
