//! `crdgen openapi`: what a cluster would publish of these definitions.

use std::path::PathBuf;

use crdgen_core::emit::unfold;
use crdgen_core::ir::Crd;
use rayon::prelude::*;

use super::report::{self, Counts, Findings};
use super::{Failure, Outcome, definitions, inputs, print, publishing};
use crate::emit::{self, Form};

/// Publish OpenAPI documents as a cluster would
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files, directories, glob patterns, or - for standard input
    #[arg(default_value = ".")]
    paths: Vec<String>,
    /// Swagger 2.0 instead of OpenAPI 3.0
    #[arg(long, conflicts_with = "v3")]
    v2: bool,
    /// OpenAPI 3.0 (the default)
    #[arg(long)]
    v3: bool,
    #[command(flatten)]
    publishing: publishing::Args,
    /// Write the definitions themselves, their unions in words that a server knows
    #[arg(long, requires = "unfold", conflicts_with_all = ["v2", "v3", "merge", "out_dir", "version"])]
    definitions: bool,
    /// Write GROUP_VERSION_PLURAL.json files here (openapi-v2.json or openapi-v3.json with --merge) instead
    /// of one document a line
    #[arg(long, value_name = "DIR")]
    out_dir: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let form = match (args.definitions, args.v2) {
        (true, _) => Form::Yaml,
        (false, true) => Form::OpenApiV2,
        (false, false) => Form::OpenApiV3,
    };
    let publishing = args.publishing.publishing(if args.definitions { Form::OpenApiV3 } else { form })?;
    let inputs = inputs::find(&args.paths, &["yaml", "yml", "json"])?;
    let read: Vec<Result<Read, Failure>> = inputs.par_iter().map(|i| Read::new(i, args)).collect();
    let (mut crds, mut found, mut counts) = (Vec::new(), Vec::new(), Counts::default());
    for read in read {
        let Read { accepted, findings, definitions } = read?;
        crds.extend(accepted);
        counts.objects += definitions;
        counts.add(&findings.findings);
        found.push(findings);
    }
    // Standard output is for the documents.
    anstream::eprint!("{}", report::human(&found));
    let outcome = if counts.errors > 0 { Outcome::Findings } else { Outcome::Fine };
    if args.definitions {
        crds.iter_mut().for_each(unfold::served_unions);
    }
    if crds.is_empty() && outcome == Outcome::Findings {
        return Ok(outcome);
    }
    let documents: Vec<emit::Document> = if args.definitions {
        emit::documents(&crds, form, None)
    } else if publishing.merge {
        emit::published(&crds, form, &publishing)
    } else {
        // Their texts are big, so all cores make them.
        let one = |crd| emit::published(std::slice::from_ref(crd), form, &publishing);
        crds.par_iter().flat_map_iter(one).collect()
    };
    if documents.is_empty() || crds.is_empty() {
        return Err(Failure::new(format!(
            "no served version of a CustomResourceDefinition in {}",
            args.paths.join(" ")
        )));
    }
    match &args.out_dir {
        Some(dir) => {
            let failed = |e: std::io::Error| Failure::new(format!("{}: {e}", dir.display()));
            emit::write(dir, &documents).map_err(failed)?;
        }
        None => print(&emit::joined(&documents, form))?,
    }
    Ok(outcome)
}

/// What was read of a source.
struct Read {
    /// The definitions that a server takes, and so publishes.
    accepted: Vec<Crd>,
    /// Why it takes no others, and what it would not keep of these.
    findings: Findings,
    /// How many definitions there are.
    definitions: usize,
}

impl Read {
    fn new(input: &inputs::Input, args: &Args) -> Result<Read, Failure> {
        let source = input.read()?;
        let publishing::Args { unfold, allow_non_structural, .. } = &args.publishing;
        let mut read = definitions::read(&source);
        if *unfold {
            read.allow_unions();
        }
        let definitions = read.definitions.len();
        let accepted = read.accepted(*unfold, *allow_non_structural);
        let mut findings = read.findings;
        findings.sort_by_key(|f| f.place.map(|p| p.start.offset));
        Ok(Read { accepted, findings: Findings { source, findings }, definitions })
    }
}
