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
use crdgen_core::diag::Diag;
use crdgen_core::ir::Crd;
use crdgen_core::path::Step;
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
        let bytes = Arc::new(files::read(&files::of_name(&name)).unwrap_or_default());
        Findings { source: Source::new(name, bytes), findings }
    });
    files.collect()
}

/// Gives findings about CRDs their places in the sources, of which [`source::read`] made the CRDs. Each list has the findings about
/// one of the CRDs.
pub(crate) fn located(
    options: &Options,
    crds: &[Crd],
    found: Vec<Vec<Finding>>,
    otherwise: &str,
) -> Result<Vec<Findings>, Error> {
    let diags = |(crd, findings): (&Crd, &Vec<Finding>)| findings.iter().map(|it| about(crd, it)).collect();
    let diags: Vec<Vec<Diag>> = crds.iter().zip(&found).map(diags).collect();
    let wanted: Vec<(&Crd, Vec<&Diag>)> =
        crds.iter().zip(&diags).map(|(crd, diags)| (crd, diags.iter().collect())).collect();
    let places = match diags.iter().all(Vec::is_empty) {
        true => Vec::new(),
        false => source::places(options, &wanted)?,
    };
    let located = found.into_iter().flatten().zip(places.into_iter().flatten()).collect();
    Ok(in_files(located, otherwise))
}

/// The diagnostic of a finding, with the steps to its version if it is about the versions as a whole.
fn about(crd: &Crd, finding: &Finding) -> Diag {
    let mut diag = finding.diag.clone();
    let version = finding.change.as_ref().and_then(|change| change.version.as_deref());
    let at = crd.spec.versions.iter().position(|it| Some(it.name.as_str()) == version);
    if matches!(diag.steps.as_slice(), [Step::Key(_), Step::Key(last)] if last == "versions") {
        diag.steps.extend(at.map(Step::Index));
    }
    diag
}

/// Whether a path is that of Rust types: a file, a manifest or a folder of sources, such as `src`. The folder of a package
/// may also have the CRDs in its YAML, which are what is applied.
pub(crate) fn is_rust(path: &str) -> bool {
    source::is_rust(Path::new(path)) && !Path::new(path).join(MANIFEST).exists()
}

pub(crate) const MANIFEST: &str = "Cargo.toml";

/// Whether a path is the folder of a package that may have types for CRDs, by the crates that it needs: `kube = "5"`,
/// `kube.workspace = true` or `[dependencies.kube]`.
pub(crate) fn may_be_in(path: &Path) -> bool {
    let text = files::read(&path.join(MANIFEST)).unwrap_or_default();
    String::from_utf8_lossy(&text).lines().any(|line| {
        let key = line.trim().trim_start_matches('[').split(['=', ']']).next().unwrap_or_default();
        key.trim().split('.').any(|part| ["crdgen", "kube"].contains(&part.trim_matches('"')))
    })
}

/// Says how to read the types of a package, of which a command read only the YAML.
pub(crate) fn say_not_read(path: &str, what: What) {
    let manifest = Path::new(path).join(MANIFEST);
    let What { done, to_do } = what;
    terminal::say(format_args!(
        "not {done}: the Rust types of this package. To {to_do} them instead of the YAML, pass {}",
        manifest.shown()
    ));
}

/// What a command does with CRDs, in words.
#[derive(Clone, Copy)]
pub(crate) struct What {
    pub(crate) done: &'static str,
    pub(crate) to_do: &'static str,
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
