//! What commands share that read Rust sources: the package, its findings, and what to say if it has no kind.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::input::Source;
use crate::outcome::{no_kind, no_such_kind};
use crate::output::report::{self, Counts, Finding, Findings};
use crate::terminal;
use crdgen::__cli::files::{self, Shown};
use crdgen::Error;
use crdgen::source::{self, Options};
use crdgen_core::span::Place;
use crdgen_source::{At, Found};

/// When to compile the types and run them, instead of reading their sources.
#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum)]
pub(crate) enum Exact {
    Always,
    Auto,
}

/// The findings in sources, file by file.
pub(crate) fn by_file(found: Vec<Found>) -> Vec<Findings> {
    let finding = |Found { diag, at }| (Finding::new(String::new(), None, diag), at);
    in_files(found.into_iter().map(finding).collect(), "")
}

/// Gives findings their places in sources. Returns them file by file; those without a place are in the file `otherwise`.
pub(crate) fn in_files(found: Vec<(Finding, Option<At>)>, otherwise: &str) -> Vec<Findings> {
    let mut files: BTreeMap<String, Vec<Finding>> = BTreeMap::new();
    for (finding, at) in found {
        let (file, place) = match at {
            Some(At { file, start, end }) => (file, Some(Place { start, end })),
            None => (otherwise.to_owned(), None),
        };
        files.entry(file).or_default().push(Finding { place, ..finding });
    }
    let files = files.into_iter().map(|(name, mut findings)| {
        findings.sort_by_key(|f| f.place.map(|p| p.start.offset));
        let bytes = Arc::new(crdgen::__cli::files::read(Path::new(&name)).unwrap_or_default());
        Findings { source: Source::new(name, bytes), findings }
    });
    files.collect()
}

/// Returns the package that a folder such as `src` belongs to. The path starts as the user wrote it, so reported places
/// do too.
pub(crate) fn package(types: &Path) -> PathBuf {
    let up = if types.is_dir() { source::folders_up(types).unwrap_or(0) } else { 0 };
    (0..up).fold(types.to_path_buf(), |path, _| files::above(&path))
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

/// Returns the error for sources without a kind, or without the wanted kinds.
pub(crate) fn nothing(options: &Options) -> Error {
    if !options.is_choice() {
        return no_kind(&options.path);
    }
    let all = Options { kinds: Vec::new(), modules: Vec::new(), unchecked: true, ..options.clone() };
    let crds = source::read(&all).map(|d| d.crds).unwrap_or_default();
    let known: Vec<String> = crds.iter().map(|crd| crd.spec.names.kind.clone()).collect();
    let wanted = match options.modules.as_slice() {
        [] => options.kinds.join(", "),
        modules => format!("{} in the module {}", options.kinds.join(", "), modules.join(" or ")),
    };
    no_such_kind(wanted.trim_start(), &options.path.shown().to_string(), &known)
}
