//! What the server warns about when it accepts a CRD.

use super::hoist::Hoisted;
use crate::check::schema::{format_warning, set_warning};
use crate::diag::codes::schema::{SET_OF_COMPOUNDS, UNRECOGNIZED_FORMAT};
use crate::diag::{Diag, Diags, Level};
use crate::server::{FORMAT_HELP, Server};
use crate::walk::each_schema;
use std::collections::BTreeSet;

/// The warnings about a new definition.
pub(crate) fn on_create(view: &Hoisted<'_>, server: Server) -> Diags {
    find(view, server)
}

/// The warnings about a changed CRD: only those that the old CRD did not have.
pub(crate) fn on_update(view: &Hoisted<'_>, old: &Hoisted<'_>, server: Server) -> Diags {
    let before: BTreeSet<String> = find(old, server).into_iter().map(|d| d.detail).collect();
    let mut now = find(view, server);
    now.retain(|d| !before.contains(&d.detail));
    now
}

/// One warning per unknown format, and one per type of set.
fn find(view: &Hoisted<'_>, server: Server) -> Diags {
    let mut formats = Diags::new();
    let mut sets = Diags::new();
    view.each_schema(&mut |schema, path| {
        each_schema(schema, path, &mut |node, path| {
            if let Some(detail) = format_warning(node, server) {
                let path = path.child("format");
                formats
                    .push(Diag::own(&UNRECOGNIZED_FORMAT, Level::Warning, &path, detail).help(FORMAT_HELP));
            }
            if let Some(detail) = set_warning(node, server)
                && sets.iter().all(|d| d.detail != detail)
            {
                let path = path.child("x-kubernetes-list-type");
                let help = "use `x-kubernetes-list-type: map` with keys, or atomic";
                sets.push(Diag::own(&SET_OF_COMPOUNDS, Level::Warning, &path, detail).help(help));
            }
        });
    });
    sets.sort_by(|a, b| a.detail.cmp(&b.detail));
    formats.append(&mut sets);
    formats
}
