//! `crdgen emit`: writes the CRDs of Rust sources.

use crate::arguments::forms::Emitted;
use crate::arguments::package::{Features, Package};
use crate::arguments::values;
use crate::arguments::{publishing, size};
use crate::crds::sources::{self, Exact};
use crate::outcome::Outcome;
use crate::output::folders;
use crate::terminal::{self, Ready, print};
use crdgen_build::emit::{self, OutputFormat};
use crdgen_files::Error;
use crdgen_files::input::Shown;
use crdgen_files::source::{self, Definitions, Options, Withheld};
use crdgen_tasks::rust_types;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crdgen_source::At;

/// Write the CRDs of a Rust package, workspace or file, without compiling it
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen emit                            print the CRDs of the package in this folder
  crdgen emit --out-dir crds             write a file per CRD
  crdgen emit --out-dir crds --check     fail if the files are out of date, as in CI")]
pub(crate) struct Args {
    #[command(flatten)]
    package: Package,
    /// The output format
    #[arg(short, long, alias = "format", value_name = "FORMAT", default_value = "yaml")]
    output: Emitted,
    /// Write one file per CRD to this folder, instead of all CRDs to standard output
    #[arg(long, value_name = "DIR")]
    out_dir: Option<PathBuf>,
    /// Remove files from --out-dir that crdgen wrote for kinds that no longer exist
    #[arg(long, requires = "out_dir", conflicts_with = "check")]
    prune: bool,
    /// Write templates for a Helm chart. Its values can turn off the CRDs or add annotations
    #[arg(long)]
    helm: bool,
    /// Write nothing. Fail if the files in --out-dir are out of date, or belong to kinds that no longer exist
    #[arg(long, requires = "out_dir")]
    check: bool,
    /// Write nothing if the CRD of any kind cannot be determined. By default crdgen writes the other CRDs and lists
    /// those that are missing
    #[arg(long)]
    all_or_nothing: bool,
    /// Compile the package and run it to get the CRDs, instead of reading its sources. Needed for types that
    /// macros or build scripts generate
    ///
    /// With `auto`, crdgen compiles only if it cannot determine a kind from the sources. If the package does not depend on
    /// crdgen, the CRDs are those that kube-derive generates, which a warning reports for each.
    /// This runs the build scripts, macros and types of the package: use it only for packages that you trust.
    #[arg(
        long,
        value_name = "WHEN",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "always",
        conflicts_with = "watch"
    )]
    exact: Option<Exact>,
    /// The oldest Kubernetes to support. CRDs that it would reject are errors; features that it does not have are
    /// warnings. Of several, such as 1.35..1.37, the oldest one counts
    #[arg(long, value_name = "1.NN", value_parser = values::KUBES, hide_possible_values = true)]
    kube: Option<String>,
    /// Also write CRDs that the API server would reject, and replace files that crdgen did not write
    #[arg(long)]
    force: bool,
    /// Exit with 1 if there are warnings
    #[arg(long)]
    deny_warnings: bool,
    /// Run again whenever a source file changes
    #[arg(long)]
    watch: bool,
    #[command(flatten)]
    publishing: publishing::Args,
    #[command(flatten)]
    size: size::Args,
    /// Remove descriptions, deepest first, until each CRD is small enough for `kubectl apply`
    #[arg(long)]
    fit_annotation: bool,
    /// A comment at the top of each YAML document
    #[arg(long, value_name = "TEXT")]
    header: Option<String>,
    #[command(flatten)]
    features: Features,
    /// Turn off the default Cargo features
    #[arg(long)]
    no_default_features: bool,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    if args.watch {
        return watch(args);
    }
    once(args).map(|(outcome, _)| outcome)
}

/// Runs again whenever a source changes, until the user stops it. If there are errors, shows them and leaves earlier
/// output as it is.
fn watch(args: &Args) -> Result<Outcome, Error> {
    let mut files = Vec::new();
    loop {
        let before = SystemTime::now();
        let mut gone = false;
        match once(args) {
            Ok((_, read)) => {
                // A file may have disappeared while others were read. Then the loop must not wait for it to change.
                gone = read.iter().any(|file| !file.exists());
                files = read;
            }
            // There are no files to watch yet.
            Err(failure) if files.is_empty() => return Err(failure),
            Err(failure) => terminal::say_error(&failure),
        }
        let count = files.len();
        terminal::say(format_args!(
            "watching {count} file{}; stop with Ctrl-C",
            if count == 1 { "" } else { "s" }
        ));
        if !gone {
            wait_for_change(&files, before);
        }
    }
}

fn once(args: &Args) -> Result<(Outcome, Vec<PathBuf>), Error> {
    let publishing = args.publishing.publishing(args.output.into())?;
    let format = OutputFormat::from(args.output);
    let options = Options {
        no_default_features: args.no_default_features,
        force: args.force,
        all_or_nothing: args.all_or_nothing,
        kube: values::servers(args.kube.as_deref())?.last().map(|oldest| oldest.minor()),
        trusted: args.exact.is_some(),
        ..args.package.options(&args.features)
    };
    sources::note_ignored(&options);
    let read = match args.exact {
        None => source::read,
        Some(Exact::Always) => source::read_exact,
        Some(Exact::Auto) => source::read_exact_where_needed,
    };
    let Definitions { mut crds, found, files, crates, withheld, by_path: _, cargo, by_kube: _, is_built: _ } =
        read(&options)?;
    let counts = sources::show(found, crds.len(), cargo.as_ref());
    list(&withheld, crds.len());
    let denied = args.deny_warnings && counts.warnings > 0;
    let failed = denied || counts.errors > 0 && !args.force;
    if crds.is_empty() && (failed || !withheld.is_empty()) {
        return Ok((Outcome::Findings, files));
    }
    if crds.is_empty() {
        return Err(rust_types::nothing(&options));
    }
    let of_size = args.size.apply(&mut crds, args.fit_annotation);
    if args.size.sizes {
        print(&Ready::text(&size::Args::report(&crds)))?;
        return Ok((of_size, files));
    }
    let mut documents = match format {
        OutputFormat::Yaml | OutputFormat::Json | OutputFormat::Docs | OutputFormat::DocsMarkdown => {
            emit::documents(&crds, format, args.header.as_deref())
        }
        OutputFormat::OpenApiV2
        | OutputFormat::OpenApiV3
        | OutputFormat::JsonSchema
        | OutputFormat::JsonSchema07 => emit::published(&crds, format, &publishing),
    };
    if format == OutputFormat::Yaml && args.out_dir.is_some() {
        emit::mark(&mut documents, &crds, &crates);
    }
    if args.helm {
        documents.iter_mut().for_each(emit::to_helm);
    }
    let outcome = match &args.out_dir {
        None => {
            print(&Ready::document(&emit::joined(&documents, format)))?;
            Outcome::Fine
        }
        Some(dir) => {
            // If only some kinds are chosen, or the sources have mistakes, there may be other kinds, whose files are
            // not stale.
            let whole = format == OutputFormat::Yaml && !options.is_choice() && counts.errors == 0;
            let stale = if whole { emit::stale(dir, &documents, &crates) } else { Vec::new() };
            if args.check {
                drift(dir, &documents, &stale)?
            } else {
                folders::write(dir, &documents, args.force)?;
                remove(&stale, args.prune)?;
                Outcome::Fine
            }
        }
    };
    let outcome = match outcome {
        _ if failed => Outcome::Findings,
        Outcome::Fine => of_size,
        other => other,
    };
    Ok((outcome, files))
}

/// Lists the kinds that are not emitted, one per line, with the reason.
pub(crate) fn list(withheld: &[Withheld], emitted: usize) {
    for Withheld { name, why, .. } in withheld {
        let place = match &why.at {
            Some(At { file, start, .. }) => format!(" ({file}:{}:{})", start.line, start.column),
            None => String::new(),
        };
        let (words, code) = (why.diag.words(), why.diag.code.id);
        let detail = why.diag.detail.lines().next().unwrap_or(&words);
        terminal::say(format_args!("not emitted: {name}: {detail} [{code}]{place}"));
    }
    if !withheld.is_empty() {
        let all = emitted + withheld.len();
        let kinds = if all == 1 { "kind" } else { "kinds" };
        let or = match withheld.iter().any(|it| it.why.is_undetermined()) {
            true => ", describe the schemas with attributes, or let --exact=auto compile the types",
            false => "",
        };
        terminal::say(format_args!(
            "crdgen did not emit {} of {all} {kinds}: fix the errors above{or}",
            withheld.len()
        ));
    }
}

fn drift(dir: &Path, documents: &[emit::Document], stale: &[PathBuf]) -> Result<Outcome, Error> {
    let drift = emit::drift(dir, documents)?;
    for file in &drift {
        print(&Ready::text(&emit::difference(file)))?;
    }
    for path in stale {
        print(&Ready::text(&format!("{}: no kind has this file any more. Remove it\n", path.shown())))?;
    }
    Ok(if drift.is_empty() && stale.is_empty() { Outcome::Fine } else { Outcome::Findings })
}

/// Lists the files of kinds that no longer exist, and removes them with `prune`.
fn remove(stale: &[PathBuf], prune: bool) -> Result<(), Error> {
    for path in stale {
        let shown = path.shown();
        if prune {
            std::fs::remove_file(path).map_err(Error::file(path))?;
            terminal::say(format_args!("removed {shown}"));
        } else {
            terminal::say(format_args!("{shown}: no kind has this file any more. Remove it, or use --prune"));
        }
    }
    Ok(())
}

/// Waits until one of the files has changed since `before`, or no longer exists. If the file of a module does not exist
/// yet, it will appear in a folder that is watched.
fn wait_for_change(files: &[PathBuf], before: SystemTime) {
    let mut all: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    all.extend(files.iter().filter_map(|file| file.parent()).filter(|dir| !dir.as_os_str().is_empty()));
    all.sort();
    all.dedup();
    let stamps = || -> Vec<Option<SystemTime>> {
        all.iter().map(|path| std::fs::metadata(path).and_then(|m| m.modified()).ok()).collect()
    };
    let known = stamps();
    // This includes files that were written while the sources were read.
    let modified = |file: &PathBuf| std::fs::metadata(file).and_then(|m| m.modified()).ok();
    if files.iter().filter_map(modified).any(|at| at > before) {
        return;
    }
    loop {
        std::thread::sleep(Duration::from_millis(200));
        if stamps() != known {
            return;
        }
    }
}
