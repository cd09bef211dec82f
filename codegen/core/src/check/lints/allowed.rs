//! Warnings that the author of a CRD allows.

use crate::check::lints::Lints;
use crate::diag::{Diag, Level};
use crate::ir::{Allowed, Crd};
use crate::path::Step;

/// An allowed warning that there is not.
#[derive(Clone, Debug)]
pub struct InVain {
    /// The number of the version that allows it.
    pub version: usize,
    /// What it allows.
    pub allowed: Allowed,
}

/// Removes the warnings that are allowed at their places. Returns what is allowed although there is no such warning.
pub(super) fn remove<D>(
    crd: &Crd,
    lints: &Lints,
    all_diags: &mut Vec<D>,
    diag_of: impl Fn(&D) -> &Diag,
) -> Vec<InVain> {
    let all = || {
        let versions = crd.spec.versions.iter().enumerate();
        versions.flat_map(|(version, it)| it.allowed.iter().map(move |allowed| (version, allowed)))
    };
    if all().next().is_none() {
        return Vec::new();
    }
    let mut used: Vec<bool> = all().map(|(_, allowed)| allowed.used).collect();
    all_diags.retain(|it| {
        let diag = diag_of(it);
        let of = version_of(diag);
        let mut hides = false;
        for ((version, allowed), used) in all().zip(&mut used) {
            if diag.level != Level::Error
                && of.is_none_or(|of| of == version)
                && allowed.allows(diag.code.id, &diag.steps)
            {
                (hides, *used) = (true, true);
            }
        }
        !hides
    });
    // Nothing is known about lints that did not run.
    let ran = |code: &str| Lints::known().find(|it| it.id == code).is_none_or(|it| lints.is_on(it));
    let unused = all().zip(used).filter(|((_, allowed), used)| !used && ran(&allowed.code));
    unused.map(|((version, allowed), _)| InVain { version, allowed: allowed.clone() }).collect()
}

/// The number of the version that a diagnostic is about. None if it is about the whole CRD.
fn version_of(diag: &Diag) -> Option<usize> {
    match diag.steps.as_slice() {
        [Step::Key(spec), Step::Key(versions), Step::Index(number), ..]
            if spec == "spec" && versions == "versions" =>
        {
            Some(*number)
        }
        _ => None,
    }
}
