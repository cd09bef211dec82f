//! The rules of a CRD, by their addresses.

use crdgen_core::ir::Crd;
use crdgen_core::listed;
use crdgen_core::nearest;
use crdgen_core::rules::run::{Addressed, addressed, find};

use crdgen_files::Error;

/// Returns the rules of a version.
pub(super) fn of(crd: &Crd, index: usize) -> Result<Vec<Addressed>, Error> {
    super::definition::schema(crd, index).map(addressed)
}

/// The version in a place such as `spec.versions[0].schema.openAPIV3Schema.…` or `spec.versions[v1].…`.
pub(super) fn version(wanted: &str, crd: &Crd) -> Option<String> {
    let inside = wanted.trim_start_matches('.').strip_prefix("spec.versions[")?;
    let (version, _) = inside.split_once(']')?;
    let by_index = version.parse::<usize>().ok().and_then(|index| crd.spec.versions.get(index));
    Some(by_index.map_or_else(|| version.to_owned(), |version| version.name.clone()))
}

/// How many rules a message lists.
const LISTED: usize = 30;

/// Finds the one rule with an address.
pub(super) fn one(all: &[Addressed], wanted: &str) -> Result<Addressed, Error> {
    match find(all, wanted).as_slice() {
        [one] => Ok((*one).clone()),
        [] if all.is_empty() => Err(Error::Nothing("this version of the CRD has no rules".to_owned())),
        [] => {
            let names: Vec<String> = all.iter().map(ToString::to_string).collect();
            let help = nearest::did_you_mean(wanted, names.iter().map(String::as_str))
                .unwrap_or_else(|| format!("the rules are {}", listed::first(names.iter(), LISTED)));
            Err(Error::Nothing(format!("no rule {wanted}; {help}")))
        }
        some => {
            let names = listed::first(some.iter(), LISTED);
            Err(Error::Argument(format!("--rule {wanted}: there are several rules. Select one: {names}")))
        }
    }
}
