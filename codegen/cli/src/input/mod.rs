//! What commands read. `crdgen_tasks::inputs` finds the files and builds kustomizations and charts. This module reads the CRDs in
//! them.

pub(crate) mod stream;

pub(crate) use crdgen_tasks::inputs::{
    Build, Cluster, Inventory, Options, Rules, Source, Unwanted, as_written, cluster, find, find_with, git,
    may_define, names, old, why_skipped,
};

use crate::terminal;
use crdgen_files::Error;
use crdgen_tasks::inputs::{self, Findings, Notes};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Prints notes about inputs.
pub(crate) const NOTES: Notes = Notes { note: say_once, unread: Some(unread), findings, failure };

/// What was reported about inputs. Commands read some folders twice, for objects and for CRDs.
static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

fn say_once(note: fmt::Arguments<'_>) {
    let is_new = SAID.lock().unwrap_or_else(PoisonError::into_inner).insert(note.to_string());
    if is_new {
        terminal::say(note);
    }
}

/// Whether a file could not be read, although the command went on with the others.
static HAS_UNREAD: AtomicBool = AtomicBool::new(false);

fn unread(why: &Error) {
    terminal::say_error(why);
    HAS_UNREAD.store(true, Ordering::Relaxed);
}

fn failure(what: Option<fmt::Arguments<'_>>, why: &Error) {
    match what {
        Some(what) => terminal::say_because(what, why),
        None => terminal::say_error(why),
    }
}

fn findings(found: &Findings) {
    terminal::say_ready(&crdgen_report::human(std::slice::from_ref(found)));
}

/// Whether the command has not read all its inputs, so that it must not succeed.
pub(crate) fn has_unread() -> bool {
    HAS_UNREAD.load(Ordering::Relaxed)
}

/// Returns what is piped in, if anything is.
pub(crate) fn piped() -> Result<Option<Arc<Vec<u8>>>, Error> {
    inputs::piped(NOTES)
}
