//! What commands share that read Rust sources: what they say about them.

use crate::output::report::{self, Counts};
use crate::terminal;
use crdgen_files::Error;
use crdgen_files::input::Shown;
use crdgen_files::source::Options;
use crdgen_source::Found;
use crdgen_tasks::rust_types::by_file;

/// When to compile the types and run them, instead of reading their sources.
#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum)]
pub(crate) enum Exact {
    Always,
    Auto,
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
