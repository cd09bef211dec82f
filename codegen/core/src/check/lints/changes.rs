//! Lints for updates that the server accepts, but that break existing objects, clients or habits.

use super::Lints;
use crate::compare::changes;
use crate::diag::Diags;
use crate::ir::Crd;

pub(super) fn check(crd: &Crd, old: &Crd, lints: &Lints, out: &mut Diags) {
    let is_on = |class: changes::Class| class.reported().is_some_and(|(code, _)| lints.is_on(code));
    if changes::Class::ALL.into_iter().any(is_on) {
        let found = changes::between(old, crd);
        out.extend(found.iter().filter(|change| is_on(change.class)).filter_map(changes::Change::diag));
    }
}
