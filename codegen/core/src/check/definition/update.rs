//! Checks that fields which must not change have not changed.

use super::demands::Demands;
use super::hoist::Hoisted;
use crate::diag::codes::crd::NAMES_IMMUTABLE;
use crate::diag::{Diag, Diags};
use crate::path::Path;

pub(super) fn check(new: &Hoisted<'_>, old: &Hoisted<'_>, demands: &Demands, out: &mut Diags) {
    let (new, old) = (&new.crd.spec, &old.crd.spec);
    let spec = Path::ROOT.child("spec");
    let names = spec.child("names");
    let mut same = |path: Path<'_>, new: &str, old: &str| {
        if new != old {
            let help = format!("keep {old:?}, or define a new resource");
            out.push(Diag::invalid(&NAMES_IMMUTABLE, &path, new, "field is immutable").help(help));
        }
    };
    if demands.immutable_names {
        same(spec.child("scope"), &new.scope, &old.scope);
        same(names.child("kind"), &new.names.kind, &old.names.kind);
    }
    same(spec.child("group"), &new.group, &old.group);
    same(names.child("plural"), &new.names.plural, &old.names.plural);
}
