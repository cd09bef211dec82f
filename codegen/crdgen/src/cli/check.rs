//! `crdgen check`: what the server would answer to these definitions.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use crdgen_core::check::lints::{self, Lints};
use crdgen_core::check::{self, Options};
use crdgen_core::diag::codes;
use crdgen_core::ir::Crd;
use rayon::prelude::*;

use super::against::Against;
use super::inputs::{self, Source};
use super::progress::Progress;
use super::report::{self, Counts, Findings, Format};
use super::{Failure, Outcome, definitions, types};

/// Check CustomResourceDefinitions as the API server would on create, or on update with --against
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files, directories, glob patterns, or - for standard input
    #[arg(default_value = ".")]
    paths: Vec<String>,
    /// Check the update of what is there now: a file, a directory, or git:REV for the same files at a
    /// git revision
    #[arg(long, value_name = "FILE|git:REV")]
    against: Option<String>,
    /// Hold the definitions against the Rust types of a package or .rs file instead: which valid objects
    /// cannot be read, and what is dropped or refused of what is written
    #[arg(long, value_name = "PATH", conflicts_with_all = ["against", "lint", "kube", "costs"])]
    types: Option<PathBuf>,
    /// How findings are printed
    #[arg(short, long, value_name = "FORMAT", default_value = "human")]
    output: Format,
    /// Fail on warnings too
    #[arg(long)]
    deny_warnings: bool,
    /// Give advice beyond the server's checks: a code such as LNT002, or all. May be repeated. Without it, only
    /// the size (LNT001) and rules that read absent fields (LNT013) are checked
    #[arg(long, value_name = "CODE")]
    lint: Vec<String>,
    /// Give no advice of this code, or none at all with all. May be repeated
    #[arg(long, value_name = "CODE")]
    no_lint: Vec<String>,
    /// The oldest Kubernetes to support: rules may only use what it has, and what else it does not know is
    /// warned about
    #[arg(long, value_name = "1.NN")]
    kube: Option<String>,
    /// Show the most expensive rules and what makes them so (LNT011)
    #[arg(long)]
    costs: bool,
    /// How many files are worked on at once; all cores when missing
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let against = Against::new(args.against.as_deref())?;
    let lints = args.lints()?;
    let inputs = inputs::find(&args.paths, &["yaml", "yml", "json"])?;
    if let Some(types) = &args.types {
        let (all, counts) = types::run(types, &inputs)?;
        return finish(args, &all, &counts);
    }
    let progress = Progress::new("checking", inputs.len());
    let one = |input: &inputs::Input| {
        let source = input.read()?;
        let old = against.of(&source)?;
        let result = check_source(source, &against, &old, &lints);
        progress.step();
        Ok(result)
    };
    let threads = rayon::ThreadPoolBuilder::new().num_threads(args.jobs.unwrap_or(0)).build();
    let threads = threads.map_err(|e| Failure::new(format!("threads: {e}")))?;
    let results: Vec<Result<(Findings, usize), Failure>> =
        threads.install(|| inputs.par_iter().map(one).collect());
    drop(progress);

    let (mut all, mut counts) = (Vec::new(), Counts::default());
    for result in results {
        let (findings, definitions) = result?;
        counts.objects += definitions;
        counts.add(&findings.findings);
        if !findings.findings.is_empty() {
            all.push(findings);
        }
    }
    finish(args, &all, &counts)
}

fn finish(args: &Args, all: &[Findings], counts: &Counts) -> Result<Outcome, Failure> {
    if counts.objects == 0 && all.is_empty() {
        return Err(Failure::new(format!("no CustomResourceDefinition in {}", args.paths.join(" "))));
    }
    report::show(args.output, all, counts, "definition")?;
    let failed = counts.errors > 0 || (args.deny_warnings && counts.warnings > 0);
    Ok(if failed { Outcome::Findings } else { Outcome::Fine })
}

impl Args {
    fn lints(&self) -> Result<Lints, Failure> {
        let mut lints = Lints::default();
        lints.set(codes::lint::COST.id, self.costs);
        let switches = self.lint.iter().map(|id| (id, true)).chain(self.no_lint.iter().map(|id| (id, false)));
        for (id, on) in switches {
            if !lints.set(id, on) {
                let known: Vec<&str> = codes::lint::ALL.iter().map(|c| c.id).collect();
                return Err(Failure::new(format!("no advice {id}; there are {} and all", known.join(", "))));
            }
        }
        if let Some(kube) = &self.kube {
            lints.kube = Some(super::kube(kube)?);
        }
        Ok(lints)
    }
}

/// Everything that is wrong with a source, in the order of the text, and how many definitions it has.
fn check_source(
    mut source: Source,
    against: &Against,
    old: &HashMap<String, Crd>,
    lints: &Lints,
) -> (Findings, usize) {
    let mut read = definitions::read(&source);
    let options = lints.kube.map_or_else(Options::default, Options::of_server);
    read.check(|crd| {
        let report = match against.get(old, &crd.metadata.name) {
            Some(old) => check::update(crd, old, &options),
            None => check::create(crd, &options),
        };
        crate::kind::with_advice(report, lints::run(crd, lints))
    });
    let count = read.definitions.len();
    let mut findings = read.findings;
    findings.sort_by_key(|f| f.place.map(|p| p.start.offset));
    if findings.is_empty() {
        // The text is only shown around findings.
        source.bytes = Arc::default();
    }
    (Findings { source, findings }, count)
}
