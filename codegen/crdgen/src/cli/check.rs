//! `crdgen check`: what the server would answer to these definitions.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use crdgen_core::check::{self, Options};
use crdgen_core::diag::codes::lint;
use crdgen_core::diag::{Diag, Diags, Level};
use crdgen_core::ir::Crd;
use crdgen_core::span::Locate;
use crdgen_core::value::Value;
use crdgen_core::{read, yaml};
use rayon::prelude::*;

use super::inputs::{self, Input, Source};
use super::progress::Progress;
use super::report::{self, Counts, Finding, Findings, Format};
use super::{Failure, Outcome};

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
    /// How findings are printed
    #[arg(short, long, value_name = "FORMAT", default_value = "human")]
    output: Format,
    /// Also report this advice beyond the server's rules: codes such as LNT002, or `all`
    #[arg(long = "warn", value_name = "CODE", value_delimiter = ',')]
    warn: Vec<String>,
    /// Do not report findings with these codes unless they are errors of the server
    #[arg(long = "allow", value_name = "CODE", value_delimiter = ',')]
    allow: Vec<String>,
    /// Fail on warnings too
    #[arg(long)]
    deny_warnings: bool,
    /// The oldest Kubernetes the definitions must work with, such as 1.30
    #[arg(long, value_name = "1.NN")]
    kube: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let options = options(args)?;
    let against = Against::new(args.against.as_deref())?;
    let inputs = inputs::find(&args.paths, EXTENSIONS)?;
    let progress = Progress::new("checking", inputs.len());
    let results: Vec<Result<(Findings, usize), Failure>> = inputs
        .par_iter()
        .map(|input| {
            let source = input.read()?;
            let old = against.of(&source)?;
            let (findings, definitions) = check_source(source, old, args, &options);
            progress.step();
            Ok((findings, definitions))
        })
        .collect();
    drop(progress);
    let (mut all, mut counts) = (Vec::with_capacity(results.len()), Counts::default());
    for result in results {
        let (findings, definitions) = result?;
        counts.objects += definitions;
        counts.add(&findings.findings);
        all.push(findings);
    }
    if counts.objects == 0 && counts.errors == 0 {
        return Err(Failure::new(format!("no CustomResourceDefinition in {}", args.paths.join(" "))));
    }
    report::show(args.output, &all, &counts, "definition")?;
    let failed = counts.errors > 0 || (args.deny_warnings && counts.warnings > 0);
    Ok(if failed { Outcome::Findings } else { Outcome::Fine })
}

const EXTENSIONS: &[&str] = &["yaml", "yml", "json"];

fn options(args: &Args) -> Result<Options, Failure> {
    let mut options = Options::default();
    let _ = args;
    Ok(options)
}
