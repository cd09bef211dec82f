//! What commands say about the CRDs that they compare with old ones.

use crate::output::report::Findings;
use crate::terminal;
use crdgen_files::Error;
use crdgen_tasks::against::{Against, NoOldTypes, Rest};

/// Reads the old types of Rust sources, and says if the types are compared with YAML instead.
pub(crate) fn add_types_of(against: &mut Against, new: &str) -> Result<(), Error> {
    if let Some(NoOldTypes { place, why }) = against.add_types_of(new)? {
        terminal::say_error(&why);
        terminal::say(format_args!(
            "compared with the YAML, because crdgen cannot read the types in {place}"
        ));
    }
    Ok(())
}

/// Says which CRDs have no counterpart. Returns what is to be reported about old CRDs.
pub(crate) fn rest(against: &Against, of_files: bool, of_types: bool) -> Result<Vec<Findings>, Error> {
    let Rest { notes, cargo, findings } = against.rest(of_files, of_types)?;
    notes.iter().for_each(terminal::say);
    cargo.into_iter().for_each(terminal::say_error);
    Ok(findings)
}
