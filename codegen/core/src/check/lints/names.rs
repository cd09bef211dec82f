//! The lint for names.

use super::Lints;
use crate::diag::codes::lint::KIND_NAME;
use crate::diag::{Diag, Diags, Level};
use crate::ir::Crd;
use crate::path::Path;
use crate::server::kind_in_lower_case;

pub(super) fn check(crd: &Crd, lints: &Lints, out: &mut Diags) {
    if let Some((detail, help)) = kind_in_lower_case(&crd.spec.names.kind).filter(|_| lints.is_on(&KIND_NAME))
    {
        let spec = Path::ROOT.child("spec");
        let names = spec.child("names");
        out.push(Diag::own(&KIND_NAME, Level::Warning, &names.child("kind"), detail).help(help));
    }
}
