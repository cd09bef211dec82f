//! Operation `cel`: compiles the rules of a CRD, and estimates their costs.

use super::error::Error;
use super::request::{Request, definition};
use super::rules;
use crate::object::served::as_stored;
use crate::value::Map;

/// Compiles all rules and estimates their costs. Rules that `old` has are compiled as stored ones.
pub(super) fn rules(request: &Request) -> Result<Map<String>, Error> {
    let (mut crd, _) = definition(&request.crd)?;
    as_stored(&mut crd);
    let old = match request.old.as_str() {
        "" => None,
        text => Some(definition(text).map_err(Error::of("old"))?.0),
    };
    Ok(rules::answer(&crd, old.as_ref(), request.server()?, &rules::why_no_rules))
}
