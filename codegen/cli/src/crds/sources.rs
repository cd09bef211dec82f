//! What commands share that read Rust sources: what they say about them.

use std::path::Path;

use crate::output::report::{self, Counts};
use crate::terminal;
use crdgen_core::listed;
use crdgen_files::Error;
use crdgen_files::input::Shown;
use crdgen_files::source::{Options, manifests_with_kinds};
use crdgen_source::Found;
use crdgen_tasks::rust_types::by_file;

/// When to compile the types and run them, instead of reading their sources.
#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum)]
pub(crate) enum Exact {
    Always,
    Auto,
}

/// Says how to read the types of a package or of the members of its workspace, of which a command read only the YAML.
pub(crate) fn say_not_read(path: &str, what: What) {
    let What { done, to_do } = what;
    let manifests = manifests_with_kinds(Path::new(path));
    let names: Vec<String> = manifests.iter().map(|it| it.shown().to_string()).collect();
    let packages = match names.len() {
        0 => return,
        1 => "this package",
        _ => "these packages",
    };
    terminal::say(format_args!(
        "not {done}: the Rust types of {packages}. To {to_do} them instead of the YAML, pass {}",
        listed::first(names.iter(), listed::NAMED)
    ));
}

/// What a command does with CRDs, in words.
#[derive(Clone, Copy)]
pub(crate) struct What {
    pub(crate) done: &'static str,
    pub(crate) to_do: &'static str,
}

/// Prints which options have no effect for a single file, because crdgen reads it without its package.
pub(crate) fn note_ignored(options: &Options) {
    let path = &options.path;
    let features = !options.features.is_empty() || options.all_features || options.no_default_features;
    let what = match (features, !options.packages.is_empty()) {
        (true, true) => "Cargo features and --package",
        (true, false) => "Cargo features",
        (false, true) => "--package",
        (false, false) => return,
    };
    if path.extension().is_some_and(|e| e == "rs") {
        let shown = path.shown();
        terminal::say(format_args!(
            "note: {shown}: crdgen reads a single file without its package, so it ignores {what}. Pass the folder of the \
             package instead"
        ));
    }
}

/// Prints the findings about the sources to standard error, because standard output is for documents. If there are
/// errors, also prints why cargo failed, because then types of other crates are missing.
pub(crate) fn show(found: Vec<Found>, definitions: usize, cargo: Option<&Error>) -> Counts {
    let mut counts = Counts { objects: definitions, ..Counts::default() };
    let all = by_file(found);
    all.iter().for_each(|file| counts.add(&file.findings));
    terminal::say_ready(&report::human(&all));
    match cargo {
        Some(why) if counts.errors > 0 => terminal::say_error(why),
        // No types of other crates were needed.
        Some(why) => terminal::say_lines(format_args!("warning: {why}")),
        None => {}
    }
    counts
}
